// SPDX-License-Identifier: MIT
/* What was found, as one JSON object: RFC 8259. */
#include <math.h>
#include <string.h>

#include <v3d/qpu.h>

#include "decode.h"
#include "v3dcl_qpu.h"

static const char *const kinds[] = {
	[DECODE_RECORD] = "record", [DECODE_STRUCT] = "structure", [DECODE_CODES] = "primitives",
	[DECODE_CODE] = "code", [DECODE_WORDS] = "words", [DECODE_HALVES] = "indices",
	[DECODE_BYTES] = "indices",
};

static void say_string(struct v3dcl_buffer *out, const char *text, size_t length)
{
	size_t i;

	v3dcl_buffer_printf(out, "\"");
	for (i = 0; i < length; i++) {
		if (text[i] == '"' || text[i] == '\\' || (unsigned char)text[i] < ' ' ||
		    (unsigned char)text[i] > '~')
			v3dcl_buffer_printf(out, "\\u%04x", (unsigned char)text[i]);
		else
			v3dcl_buffer_printf(out, "%c", text[i]);
	}
	v3dcl_buffer_printf(out, "\"");
}

/* JSON has no infinities: they are told by their bits, as text. */
static void say_float(struct v3dcl_buffer *out, uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	if (isfinite(value))
		v3dcl_buffer_printf(out, "%.9g", value);
	else
		v3dcl_buffer_printf(out, "\"bits 0x%08x\"", bits);
}

static void say_fields(struct v3dcl_buffer *out, const struct decode_description *description,
		       const uint8_t *bytes)
{
	const struct v3d_field *field;

	v3dcl_buffer_printf(out, ", \"name\": \"%s\", \"fields\": {", description->name);
	for (field = description->fields; field->name; field++) {
		uint32_t bits = decode_field(field, bytes, description->base);

		v3dcl_buffer_printf(out, "%s\"%s\": ", field == description->fields ? "" : ", ",
				    field->name);
		if (field->type == V3D_F32 || field->type == V3D_F187)
			say_float(out, bits);
		else if (field->type == V3D_S)
			v3dcl_buffer_printf(out, "%d", (int32_t)bits);
		else
			v3dcl_buffer_printf(out, "%u", bits);
	}
	v3dcl_buffer_printf(out, "}");
}

static void say_numbers(struct v3dcl_buffer *out, const uint8_t *bytes, uint32_t size,
			unsigned int each)
{
	uint32_t i;

	v3dcl_buffer_printf(out, ", \"values\": [");
	for (i = 0; size - i >= each && !out->failed; i += each)
		v3dcl_buffer_printf(out, "%s%u", i ? ", " : "",
				    v3d_get_bits(bytes + i, 0, 8 * each));
	v3dcl_buffer_printf(out, "]");
}

static void say_primitives(struct v3dcl_buffer *out, const struct decode_item *item,
			   const uint8_t *bytes)
{
	const uint32_t each = v3d_list_vertices(item->format.primitive);
	struct v3dcl_buffer vertices = { 0 };
	size_t i, count = decode_vertices(item, bytes, &vertices);
	const uint32_t *vertex = (const uint32_t *)vertices.bytes;

	v3dcl_buffer_printf(out, ", \"primitives\": [");
	for (i = 0; i < count && !out->failed; i++)
		v3dcl_buffer_printf(out, "%s%s%u%s", i ? ", " : "", i % each ? "" : "[", vertex[i],
				    i % each == each - 1 ? "]" : "");
	v3dcl_buffer_printf(out, "]");
	out->failed |= vertices.failed;
	v3dcl_buffer_free(&vertices);
}

static void say_code(struct v3dcl_buffer *out, const uint8_t *bytes, uint32_t size)
{
	struct v3dcl_buffer text = { 0 };
	uint32_t i;

	v3dcl_buffer_printf(out, ", \"instructions\": [");
	for (i = 0; i < size && !out->failed; i += V3D_QPU_INSTRUCTION_BYTES) {
		uint32_t low = v3d_get_bits(bytes + i, 0, 32),
			 high = v3d_get_bits(bytes + i + 4, 0, 32);

		text.size = 0;
		v3dcl_disassemble((uint64_t)high << 32 | low, &text);
		v3dcl_buffer_printf(out, "%s{\"word\": \"0x%08x%08x\", \"text\": ", i ? ", " : "",
				    high, low);
		say_string(out, (const char *)text.bytes, text.size);
		v3dcl_buffer_printf(out, "}");
	}
	v3dcl_buffer_printf(out, "]");
	out->failed |= text.failed;
	v3dcl_buffer_free(&text);
}

static void say_item(struct v3dcl_buffer *out, const struct decode_item *item, const uint8_t *bytes)
{
	struct decode_description description;

	v3dcl_buffer_printf(out, "{\"offset\": %u, \"size\": %u, \"kind\": \"%s\"", item->at,
			    item->size, kinds[item->kind]);
	if (item->role)
		v3dcl_buffer_printf(out, ", \"role\": \"%s\"", item->role);
	switch (item->kind) {
	case DECODE_RECORD:
	case DECODE_STRUCT:
		if (!decode_describe(item, bytes, &description))
			v3dcl_buffer_printf(out, ", \"reserved_bits\": true");
		say_fields(out, &description, bytes);
		break;
	case DECODE_CODES:
		say_primitives(out, item, bytes);
		break;
	case DECODE_CODE:
		say_code(out, bytes, item->size);
		break;
	default:
		say_numbers(out, bytes, item->size,
			    item->kind == DECODE_WORDS ? 4 :
			    item->kind == DECODE_HALVES ? 2 : 1);
	}
	v3dcl_buffer_printf(out, "}");
}

static void say_pieces(const struct decode *d, struct v3dcl_buffer *out)
{
	const struct decode_item *items = (const struct decode_item *)d->items.bytes;
	size_t i = 0, count = d->items.size / sizeof(*items);
	uint32_t index;

	for (index = 0; index < d->how->piece_count && !out->failed; index++) {
		const struct v3dcl_piece *piece = &d->how->pieces[index];
		bool first = true;

		v3dcl_buffer_printf(out, "%s\n  {\"name\": ", index ? "," : "");
		say_string(out, piece->name ? piece->name : "",
			   piece->name ? strlen(piece->name) : 0);
		v3dcl_buffer_printf(out, ", \"address\": %u, \"size\": %u, \"items\": [",
				    piece->address, piece->size);
		for (; i < count && items[i].piece == index && !out->failed; i++, first = false) {
			v3dcl_buffer_printf(out, first ? "\n    " : ",\n    ");
			say_item(out, &items[i], piece->bytes + items[i].at);
		}
		v3dcl_buffer_printf(out, "]}");
	}
}

void decode_write_json(const struct decode *d, const uint32_t ends[4], struct v3dcl_buffer *out)
{
	const struct decode_problem *problems = (const struct decode_problem *)d->problems.bytes;
	size_t i, count = d->problems.size / sizeof(*problems);

	v3dcl_buffer_printf(out,
			    "{\"bin\": {\"start\": %u, \"end\": %u}, \"render\": {\"start\": %u, "
			    "\"end\": %u},\n",
			    ends[0], ends[1], ends[2], ends[3]);
	v3dcl_buffer_printf(out, " \"problems\": [");
	for (i = 0; i < count; i++)
		v3dcl_buffer_printf(out, "%s{\"address\": %u, \"text\": \"%s\"}", i ? ", " : "",
				    problems[i].address, problems[i].text);
	v3dcl_buffer_printf(out, "],\n \"pieces\": [");
	say_pieces(d, out);
	v3dcl_buffer_printf(out, "]}\n");
}
