// SPDX-License-Identifier: MIT
/*
 * What was found, in the library's text format: each piece of memory is a buffer, and read back it has the same bytes, but for the
 * addresses that records hold: those are where the buffers are then.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <v3d/qpu.h>

#include "decode.h"
#include "v3dcl_qpu.h"

/* Numbers a line of data */
#define WORDS_A_LINE 8
#define BYTES_A_LINE 16

/* Where in the output: what is noted of a piece, and up to where it is printed */
struct writer {
	const struct decode *d;
	struct v3dcl_buffer *out;
	uint32_t index, at;
};

static void say_name(struct writer *w, uint32_t index)
{
	const char *name = w->d->how->pieces[index].name;
	size_t i, length = 0;

	/* A name of the caller's may be anything; the number makes it one of its own. */
	for (i = 0; name && name[i] && i < 24; i++) {
		char lower = name[i] | 0x20;

		if (!(lower >= 'a' && lower <= 'z') && !(i && name[i] >= '0' && name[i] <= '9'))
			break;
		length = i + 1;
	}
	v3dcl_buffer_printf(w->out, "%.*s_%u", length ? (int)length : 6, length ? name : "memory", index);
}

static void say_address(struct writer *w, uint32_t address)
{
	uint32_t at;
	const struct v3dcl_piece *piece = decode_find(w->d, address, &at);

	if (!piece) {
		v3dcl_buffer_printf(w->out, "0x%x", address);
		return;
	}
	say_name(w, piece - w->d->how->pieces);
	if (at)
		v3dcl_buffer_printf(w->out, " + 0x%x", at);
}

static void say_float(struct writer *w, uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	if (!isfinite(value) || bits == 0x80000000)
		v3dcl_buffer_printf(w->out, "bits(0x%08x)", bits);
	else
		v3dcl_buffer_printf(w->out, "%.9g", value);
}

static void say_field(struct writer *w, const struct v3d_field *field, uint32_t bits)
{
	v3dcl_buffer_printf(w->out, " %s=", field->name);
	if (field->type == V3D_A)
		say_address(w, bits);
	else if (field->type == V3D_F32 || field->type == V3D_F187)
		say_float(w, bits);
	else if (field->type == V3D_S)
		v3dcl_buffer_printf(w->out, "%d", (int32_t)bits);
	else
		v3dcl_buffer_printf(w->out, field->bits > 16 && bits > UINT16_MAX ? "0x%x" : "%u", bits);
}

static void say_bytes(struct writer *w, const uint8_t *bytes, uint32_t count, unsigned int each)
{
	uint32_t i, k, a_line = each == 4 ? WORDS_A_LINE : BYTES_A_LINE / each;

	for (i = 0; i < count && !w->out->failed; i += a_line) {
		v3dcl_buffer_printf(w->out, "\tu%u", 8 * each);
		for (k = i; k < count && k < i + a_line; k++)
			v3dcl_buffer_printf(w->out, "%s 0x%0*x", k > i ? "," : "", (int)(2 * each),
					    v3d_get_bits(bytes + k * each, 0, 8 * each));
		v3dcl_buffer_printf(w->out, "\n");
	}
}

static bool all_zero(const uint8_t *bytes, uint32_t size)
{
	return !size || (!bytes[0] && !memcmp(bytes, bytes + 1, size - 1));
}

/* Zeros at @bytes, in whole words */
static uint32_t zeros(const uint8_t *bytes, uint32_t size)
{
	uint32_t n = 0;

	while (size - n >= 4 && !v3d_get_bits(bytes + n, 0, 32))
		n += 4;
	return n;
}

/* What nobody knows anything about: words, and long runs of zeros by their length */
static void say_data(struct writer *w, const uint8_t *bytes, uint32_t size)
{
	uint32_t head = -w->at & 3, at, from, run;

	if (all_zero(bytes, size)) {
		if (size)
			v3dcl_buffer_printf(w->out, "\tzero %u\n", size);
		return;
	}
	if (head > size)
		head = size;
	say_bytes(w, bytes, head, 1);
	for (at = from = head; size - at >= 4;) {
		run = zeros(bytes + at, size - at);
		if (run < 4 * WORDS_A_LINE) {
			at += run ? run : 4;
			continue;
		}
		say_bytes(w, bytes + from, (at - from) / 4, 4);
		v3dcl_buffer_printf(w->out, "\tzero %u\n", run);
		at += run;
		from = at;
	}
	say_bytes(w, bytes + from, (at - from) / 4, 4);
	say_bytes(w, bytes + at, size - at, 1);
}

static void say_record(struct writer *w, const struct decode_item *item, const uint8_t *bytes)
{
	struct decode_description description;
	const struct v3d_field *field;
	uint32_t bits;

	if (!decode_describe(item, bytes, &description)) {
		v3dcl_buffer_printf(w->out, "\t# %s, with bits that no field has\n", description.name);
		say_bytes(w, bytes, item->size, 1);
		return;
	}
	v3dcl_buffer_printf(w->out, "\t%s", description.name);
	for (field = description.fields; field->name; field++) {
		bits = decode_field(field, bytes, description.base);
		if (bits)
			say_field(w, field, bits);
	}
	v3dcl_buffer_printf(w->out, "\n");
}

/* The primitives of a compressed list, in comments, and its bytes */
static void say_codes(struct writer *w, const struct decode_item *item, const uint8_t *bytes)
{
	const uint32_t each = v3d_list_vertices(item->format.primitive);
	struct v3dcl_buffer vertices = { 0 };
	size_t i, count = decode_vertices(item, bytes, &vertices);
	const uint32_t *vertex = (const uint32_t *)vertices.bytes;

	for (i = 0; i < count && !w->out->failed; i++) {
		if (i % each == 0)
			v3dcl_buffer_printf(w->out, "\t#");
		if (item->format.data == V3D_LIST_INDEX_16)
			v3dcl_buffer_printf(w->out, " %u", vertex[i]);
		else
			v3dcl_buffer_printf(w->out, " (%.4f, %.4f)", (int16_t)vertex[i] / 16.0, (int16_t)(vertex[i] >> 16) / 16.0);
		if (i % each == each - 1)
			v3dcl_buffer_printf(w->out, "\n");
	}
	w->out->failed |= vertices.failed;
	v3dcl_buffer_free(&vertices);
	say_bytes(w, bytes, item->size, 1);
}

static void say_item(struct writer *w, const struct decode_item *item, const uint8_t *bytes)
{
	if (item->role)
		v3dcl_buffer_printf(w->out, "\t# %s\n", item->role);
	switch (item->kind) {
	case DECODE_RECORD:
	case DECODE_STRUCT:
		say_record(w, item, bytes);
		break;
	case DECODE_CODES:
		say_codes(w, item, bytes);
		break;
	case DECODE_CODE:
		v3dcl_buffer_printf(w->out, "\tcode program_%u_%x\n", item->piece, item->at);
		break;
	case DECODE_WORDS:
		say_bytes(w, bytes, item->size / 4, 4);
		break;
	case DECODE_HALVES:
		say_bytes(w, bytes, item->size / 2, 2);
		break;
	default:
		say_bytes(w, bytes, item->size, 1);
	}
}

/* Is it printed as itself? What begins inside of what was printed before is part of that. */
static bool is_next(const struct writer *w, const struct decode_item *item)
{
	return item->piece == w->index && item->at >= w->at;
}

static void say_programs(struct writer *w, const struct decode_item *items, size_t count)
{
	size_t i;

	for (i = 0; i < count && !w->out->failed; i++) {
		const struct v3dcl_piece *piece = &w->d->how->pieces[items[i].piece];
		uint32_t n, words = items[i].size / V3D_QPU_INSTRUCTION_BYTES;

		if (items[i].piece != w->index) {
			w->index = items[i].piece;
			w->at = 0;
		}
		if (!is_next(w, &items[i]))
			continue;
		w->at = items[i].at + items[i].size;
		if (items[i].kind != DECODE_CODE)
			continue;
		v3dcl_buffer_printf(w->out, "# %s, at 0x%08x\nprogram program_%u_%x {\n", items[i].role,
				    piece->address + items[i].at, items[i].piece, items[i].at);
		for (n = 0; n < words; n++) {
			const uint8_t *word = piece->bytes + items[i].at + n * V3D_QPU_INSTRUCTION_BYTES;

			v3dcl_buffer_printf(w->out, "\t");
			v3dcl_disassemble((uint64_t)v3d_get_bits(word + 4, 0, 32) << 32 | v3d_get_bits(word, 0, 32), w->out);
			v3dcl_buffer_printf(w->out, "\n");
		}
		v3dcl_buffer_printf(w->out, "}\n\n");
	}
}

static void say_piece(struct writer *w, const struct decode_item *items, size_t count)
{
	const struct v3dcl_piece *piece = &w->d->how->pieces[w->index];
	size_t i;

	v3dcl_buffer_printf(w->out, "# at 0x%08x\nbuffer ", piece->address);
	say_name(w, w->index);
	v3dcl_buffer_printf(w->out, " size %u {\n", piece->size);
	w->at = 0;
	for (i = 0; i < count && !w->out->failed; i++) {
		if (!is_next(w, &items[i]))
			continue;
		say_data(w, piece->bytes + w->at, items[i].at - w->at);
		say_item(w, &items[i], piece->bytes + items[i].at);
		w->at = items[i].at + items[i].size;
	}
	say_data(w, piece->bytes + w->at, piece->size - w->at);
	v3dcl_buffer_printf(w->out, "}\n\n");
}

/* Buffers may point to each other: all are named before any is filled. */
static void declare_pieces(struct writer *w)
{
	const struct v3dcl_decoding *how = w->d->how;

	for (w->index = 0; w->index < how->piece_count; w->index++) {
		if (!how->pieces[w->index].size)
			continue;
		v3dcl_buffer_printf(w->out, "buffer ");
		say_name(w, w->index);
		v3dcl_buffer_printf(w->out, " size %u\n", how->pieces[w->index].size);
	}
	v3dcl_buffer_printf(w->out, "\n");
}

static void say_lists(struct writer *w, const uint32_t ends[4])
{
	static const char *const names[2] = { "bin", "render" };
	uint32_t i, at;

	if (ends[0] == ends[1] && ends[2] == ends[3])
		return;
	v3dcl_buffer_printf(w->out, "lists {\n");
	for (i = 0; i < 4; i += 2) {
		if (ends[i] == ends[i + 1])
			continue;
		v3dcl_buffer_printf(w->out, decode_find(w->d, ends[i], &at) ? "\t%s at " : "\t# %s at ", names[i / 2]);
		say_address(w, ends[i]);
		v3dcl_buffer_printf(w->out, " size %u\n", ends[i + 1] - ends[i]);
	}
	v3dcl_buffer_printf(w->out, "}\n");
}

void decode_write_text(const struct decode *d, const uint32_t ends[4], struct v3dcl_buffer *out)
{
	const struct decode_problem *problems = (const struct decode_problem *)d->problems.bytes;
	const struct decode_item *items = (const struct decode_item *)d->items.bytes;
	size_t i, from = 0, count = d->items.size / sizeof(*items);
	struct writer w = { d, out, 0, 0 };

	for (i = 0; i < d->problems.size / sizeof(*problems); i++)
		v3dcl_buffer_printf(out, "# 0x%08x: %s\n", problems[i].address, problems[i].text);
	say_programs(&w, items, count);
	declare_pieces(&w);
	for (w.index = 0; w.index < d->how->piece_count && !out->failed; w.index++) {
		for (i = from; i < count && items[i].piece == w.index; i++)
			;
		if (d->how->pieces[w.index].size)
			say_piece(&w, count ? items + from : NULL, i - from);
		from = i;
	}
	say_lists(&w, ends);
}
