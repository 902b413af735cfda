// SPDX-License-Identifier: MIT
/*
 * What was found, in the library's text format: each piece of memory is a buffer, and read back it
 * has the same bytes, but for the addresses that records hold: those are where the buffers are
 * then.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <v3d/qpu.h>
#include <v3d/words.h>

#include "choices.h"
#include "decode.h"
#include "v3dcl_qpu.h"

/*
 * Where in the output: what is noted of a piece, and up to where it is printed; @numbers: addresses
 * are no places
 */
struct writer {
	const struct decode *d;
	struct v3dcl_buffer *out;
	uint32_t index, at;
	bool numbers;
};

static void say_name(struct writer *w, uint32_t index)
{
	const char *name = w->d->how->pieces[index].name;
	size_t i, length = 0;

	if (w->d->own_names) {
		v3dcl_buffer_printf(w->out, "%s", name);
		return;
	}
	/* A name of the caller's may be anything; the number makes it one of its own. */
	for (i = 0; name && name[i] && i < 24; i++) {
		char lower = name[i] | 0x20;

		if (!(lower >= 'a' && lower <= 'z') && !(i && name[i] >= '0' && name[i] <= '9'))
			break;
		length = i + 1;
	}
	v3dcl_buffer_printf(w->out, "%.*s_%u", length ? (int)length : 6, length ? name : "memory",
			    index);
}

/* Code by the name of its memory */
static void say_program(struct writer *w, const struct decode_item *item)
{
	say_name(w, item->piece);
	v3dcl_buffer_printf(w->out, "_code_%x", item->at);
}

static void say_address(struct writer *w, uint32_t address)
{
	uint32_t at;
	const struct v3dcl_piece *piece = w->numbers ? NULL : decode_find(w->d, address, &at);

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

static void say_field(struct writer *w, const char *record, const struct v3d_field *field,
		      uint32_t bits)
{
	const char *name = cl_choice_name(record, field->name, bits);

	v3dcl_buffer_printf(w->out, " %s=", field->name);
	if (name)
		v3dcl_buffer_printf(w->out, "%s", name);
	else if (field->type == V3D_A)
		say_address(w, bits);
	else if (field->type == V3D_F32 || field->type == V3D_F187)
		say_float(w, bits);
	else if (field->type == V3D_S)
		v3dcl_buffer_printf(w->out, "%d", (int32_t)bits);
	else
		v3dcl_buffer_printf(w->out, field->bits > 16 && bits > UINT16_MAX ? "0x%x" : "%u",
				    bits);
}

/* The next word from @at on that is known to be an address; NULL for none that ends before @end */
static const struct decode_address *next_address(const struct writer *w, uint32_t at, uint32_t end)
{
	const struct decode_address *address = w->d ? w->d->addresses : NULL;
	size_t low = 0, high = address ? w->d->address_count : 0;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (address[middle].piece < w->index ||
		    (address[middle].piece == w->index && address[middle].at < at))
			low = middle + 1;
		else
			high = middle;
	}
	if (!address || low == w->d->address_count || address[low].piece != w->index || end < 4 ||
	    address[low].at > end - 4)
		return NULL;
	return &address[low];
}

/* An address, alone or with the rest of a texture's first word */
static void say_known(struct writer *w, const struct decode_address *address)
{
	static const struct v3d_field fields[] = {
		V3D_TEXTURE0_FIELDS(V3D_DESCRIBE_FIELD, 0)
		{ NULL, 0, 0, 0 }
	};
	const struct v3d_field *field;
	uint8_t bytes[4];

	v3d_put_bits(bytes, 0, 32, address->added);
	v3dcl_buffer_printf(w->out, address->added ? "\ttexture0" : "\tu32 ");
	for (field = fields; address->added && field->name; field++) {
		uint32_t bits = decode_field(field, bytes, 0);

		if (field->type == V3D_A)
			v3dcl_buffer_printf(w->out, " %s=", field->name);
		else if (bits)
			say_field(w, "texture0", field, bits);
	}
	say_name(w, address->to);
	v3dcl_buffer_printf(w->out, address->offset ? " + 0x%x\n" : "\n", address->offset);
}

/*
 * Data of @each bytes, 0 where nothing is known of them; words that are known to be addresses are
 * said as such
 */
static void say_span(struct writer *w, const uint8_t *piece, uint32_t at, uint32_t size,
		     unsigned int each)
{
	const struct decode_address *address;
	uint32_t end = at + size, next;

	for (; at < end && !w->out->failed; at = next) {
		address = next_address(w, at, end);
		next = address ? address->at : end;
		if (each && (next - at) % each == 0)
			decode_write_numbers(w->out, piece + at, (next - at) / each, each);
		else
			decode_write_data(w->out, piece + at, next - at, at);
		if (address) {
			say_known(w, address);
			next += 4;
		}
	}
}

static void say_record(struct writer *w, const struct decode_item *item, const uint8_t *bytes)
{
	struct decode_description description;
	const struct v3d_field *field;
	uint32_t bits;

	if (!decode_describe(item, bytes, &description)) {
		v3dcl_buffer_printf(w->out, "\t# %s, with bits that no field has\n",
				    description.name);
		decode_write_numbers(w->out, bytes, item->size, 1);
		return;
	}
	v3dcl_buffer_printf(w->out, "\t%s", description.name);
	for (field = description.fields; field->name; field++) {
		bits = decode_field(field, bytes, description.base);
		if (bits)
			say_field(w, description.name, field, bits);
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
			v3dcl_buffer_printf(w->out, " (%.4f, %.4f)", (int16_t)vertex[i] / 16.0,
					    (int16_t)(vertex[i] >> 16) / 16.0);
		if (i % each == each - 1)
			v3dcl_buffer_printf(w->out, "\n");
	}
	w->out->failed |= vertices.failed;
	v3dcl_buffer_free(&vertices);
	decode_write_numbers(w->out, bytes, item->size, 1);
}

static void say_item(struct writer *w, const struct decode_item *item, const uint8_t *piece)
{
	const uint8_t *bytes = piece + item->at;

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
		v3dcl_buffer_printf(w->out, "\tcode ");
		say_program(w, item);
		v3dcl_buffer_printf(w->out, "\n");
		break;
	case DECODE_WORDS:
		say_span(w, piece, item->at, item->size, 4);
		break;
	case DECODE_HALVES:
		say_span(w, piece, item->at, item->size, 2);
		break;
	default:
		say_span(w, piece, item->at, item->size, 1);
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
		v3dcl_buffer_printf(w->out, "# %s, at 0x%08x\nprogram ", items[i].role,
				    piece->address + items[i].at);
		say_program(w, &items[i]);
		v3dcl_buffer_printf(w->out, " {\n");
		for (n = 0; n < words; n++) {
			const uint8_t *word = piece->bytes + items[i].at +
					      n * V3D_QPU_INSTRUCTION_BYTES;

			v3dcl_buffer_printf(w->out, "\t");
			v3dcl_disassemble((uint64_t)v3d_get_bits(word + 4, 0, 32) << 32 |
						  v3d_get_bits(word, 0, 32),
					  w->out);
			v3dcl_buffer_printf(w->out, "\n");
		}
		v3dcl_buffer_printf(w->out, "}\n\n");
	}
}

static void say_contents(struct writer *w, const struct decode_item *items, size_t count)
{
	const struct v3dcl_piece *piece = &w->d->how->pieces[w->index];
	size_t i;

	w->at = 0;
	for (i = 0; i < count && !w->out->failed; i++) {
		if (!is_next(w, &items[i]))
			continue;
		say_span(w, piece->bytes, w->at, items[i].at - w->at, 0);
		say_item(w, &items[i], piece->bytes);
		w->at = items[i].at + items[i].size;
	}
	say_span(w, piece->bytes, w->at, piece->size - w->at, 0);
}

static void say_piece(struct writer *w, const struct decode_item *items, size_t count)
{
	v3dcl_buffer_printf(w->out, "buffer ");
	say_name(w, w->index);
	v3dcl_buffer_printf(w->out, " {\n");
	say_contents(w, items, count);
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
		v3dcl_buffer_printf(w->out, " size %u at 0x%08x\n", how->pieces[w->index].size,
				    how->pieces[w->index].address);
	}
	v3dcl_buffer_printf(w->out, "\n");
}

/* A list that memory has, as a whole */
static bool is_there(const struct writer *w, uint32_t start, uint32_t end)
{
	uint32_t at;
	const struct v3dcl_piece *piece = decode_find(w->d, start, &at);

	return piece && end > start && end - start <= piece->size - at;
}

static void say_lists(struct writer *w, const uint32_t ends[4])
{
	static const char *const names[2] = { "bin", "render" };
	bool some = false;
	uint32_t i;

	for (i = 0; i < 4; i += 2) {
		if (ends[i] == ends[i + 1])
			continue;
		if (!is_there(w, ends[i], ends[i + 1])) {
			v3dcl_buffer_printf(w->out,
					    "# the %s list is not in memory: 0x%08x to 0x%08x\n",
					    names[i / 2], ends[i], ends[i + 1]);
			continue;
		}
		v3dcl_buffer_printf(w->out, "%s\t%s at ", some ? "" : "lists {\n", names[i / 2]);
		say_address(w, ends[i]);
		v3dcl_buffer_printf(w->out, " size %u\n", ends[i + 1] - ends[i]);
		some = true;
	}
	if (some)
		v3dcl_buffer_printf(w->out, "}\n");
}

/* What was noted of the pieces from @from on. @count: of one */
static const struct decode_item *items_of(const struct decode *d, uint32_t index, size_t *from,
					  size_t *count)
{
	const struct decode_item *items = (const struct decode_item *)d->items.bytes;
	size_t all = d->items.size / sizeof(*items), i;

	while (*from < all && items[*from].piece < index)
		++*from;
	for (i = *from; i < all && items[i].piece == index; i++)
		;
	*count = i - *from;
	return all ? items + *from : NULL;
}

/* What made no sense, as comments */
void decode_write_problems(const struct decode *d, struct v3dcl_buffer *out)
{
	const struct decode_problem *problems = (const struct decode_problem *)d->problems.bytes;
	size_t i;

	for (i = 0; i < d->problems.size / sizeof(*problems); i++)
		v3dcl_buffer_printf(out, "# 0x%08x: %s\n", problems[i].address, problems[i].text);
}

/**
 * decode_write_block() - a piece by its name, with its contents in braces; in it, addresses are
 * numbers
 */
void decode_write_block(const struct decode *d, uint32_t index, struct v3dcl_buffer *out)
{
	struct writer w = { .d = d, .out = out, .index = index, .numbers = true };
	const struct decode_item *items;
	size_t from = 0, count;

	if (!d->how->pieces[index].size)
		return;
	items = items_of(d, index, &from, &count);
	v3dcl_buffer_printf(out, "\t%s {\n", d->how->pieces[index].name);
	say_contents(&w, items, count);
	v3dcl_buffer_printf(out, "\t}\n");
}

void decode_write_text(const struct decode *d, const uint32_t ends[4], struct v3dcl_buffer *out)
{
	struct writer w = { .d = d, .out = out };
	const struct decode_item *items;
	size_t from = 0, count;

	decode_write_problems(d, out);
	say_programs(&w, (const struct decode_item *)d->items.bytes,
		     d->items.size / sizeof(*items));
	declare_pieces(&w);
	for (w.index = 0; w.index < d->how->piece_count && !out->failed; w.index++) {
		items = items_of(d, w.index, &from, &count);
		if (d->how->pieces[w.index].size)
			say_piece(&w, items, count);
	}
	say_lists(&w, ends);
}
