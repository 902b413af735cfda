// SPDX-License-Identifier: MIT
/* Where addresses lead, and what was noted to stand there. */
#include <string.h>

#include "decode.h"
#include "v3dcl_cl.h"

/**
 * decode_find() - the piece of memory that an address is in.
 * @at: byte in it.
 *
 * Return: NULL where there is no memory
 */
const struct v3dcl_piece *decode_find(const struct decode *d, uint32_t address, uint32_t *at)
{
	uint32_t i;

	for (i = 0; i < d->how->piece_count; i++) {
		const struct v3dcl_piece *piece = &d->how->pieces[i];

		if (address - piece->address < piece->size) {
			*at = address - piece->address;
			return piece;
		}
	}
	return NULL;
}

/* Something makes no sense there. @text: stays valid */
void decode_complain(struct decode *d, uint32_t address, const char *text)
{
	const struct decode_problem problem = { address, text };

	v3dcl_buffer_add(&d->problems, &problem, sizeof(problem));
}

/**
 * decode_note() - something stands there.
 *
 * Return: false: that was known already, or there is too much
 */
bool decode_note(struct decode *d, const struct decode_item *item)
{
	uint8_t *seen = &d->seen[item->piece][item->at / 8], bit = 1 << item->at % 8;

	if (*seen & bit)
		return false;
	if (!d->left) {
		decode_complain(d, d->how->pieces[item->piece].address + item->at,
				"the limit of records and instructions is reached");
		return false;
	}
	d->left--;
	*seen |= bit;
	return v3dcl_buffer_add(&d->items, item, sizeof(*item));
}

#define DESCRIBE_RECORD(NAME, name, length) \
	static const struct v3d_field name##_fields[] = { \
		V3D_##NAME##_FIELDS(V3D_DESCRIBE_FIELD, 0) { NULL, 0, 0, 0 } \
	};
V3D_RECORDS(DESCRIBE_RECORD)

#define LIST_RECORD(NAME, name, length) [DECODE_##NAME] = { #name, name##_fields, length, 0 },
static const struct decode_description structures[] = { V3D_RECORDS(LIST_RECORD) };

/**
 * decode_describe() - the name and fields of a record or structure
 * @item: noted
 * @bytes: of it
 * Return: false where its bytes say more than its fields do, which then would get lost
 */
bool decode_describe(const struct decode_item *item, const uint8_t *bytes,
		     struct decode_description *description)
{
	uint8_t packed[64] = { 0 };
	const struct v3d_field *field;

	if (item->kind == DECODE_RECORD) {
		const struct v3d_packet_info *info = v3d_packet_info(bytes[0]);

		*description = (struct decode_description){ info->name, info->fields, info->length,
							    8 };
		packed[0] = bytes[0];
	} else {
		*description = structures[item->what];
	}
	for (field = description->fields; field->name; field++)
		v3d_put_bits(packed, description->base + field->low, field->bits,
			     v3d_get_bits(bytes, description->base + field->low, field->bits));
	return !memcmp(packed, bytes, description->length);
}

uint32_t decode_struct_length(enum decode_struct what)
{
	return structures[what].length;
}

/**
 * decode_field() - the value of a field in 32 bits: an address, a number with its sign, the bits of
 * a float
 */
uint32_t decode_field(const struct v3d_field *field, const uint8_t *bytes, uint32_t base)
{
	uint32_t bits = v3d_get_bits(bytes, base + field->low, field->bits),
		 upper = bits << (32 - field->bits);

	switch (field->type) {
	case V3D_A:
	case V3D_F187:
		return upper;
	case V3D_S:
		return (int32_t)upper >> (32 - field->bits);
	default:
		return bits;
	}
}

/**
 * decode_vertices() - the vertices of a compressed list, primitive by primitive.
 *
 * Return: how many words; none without memory
 */
size_t decode_vertices(const struct decode_item *item, const uint8_t *bytes,
		       struct v3dcl_buffer *vertices)
{
	size_t used;

	v3dcl_decode_primitives(&item->format, bytes, item->size, vertices, &used, NULL);
	return vertices->failed ? 0 : vertices->size / sizeof(uint32_t);
}
