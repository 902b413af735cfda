// SPDX-License-Identifier: MIT
/* Values into the fields of a record, whichever it is: does each fit, and where do its bits go? */
#include <errno.h>

#include "choices.h"
#include "cl.h"

int cl_blame(struct v3dcl_error *error, const char *record, const char *field, uint64_t found,
	     uint64_t expected)
{
	if (error) {
		error->record = record;
		error->field = field;
		error->found = found;
		error->expected = expected;
	}
	return -EINVAL;
}

static int too_big(const struct cl_record *record, const struct v3d_field *field, uint32_t bits,
		   struct v3dcl_error *error)
{
	const uint32_t most = (1u << (field->bits - (field->type == V3D_S))) - 1;

	if (field->type == V3D_S)
		v3dcl_fail(error, -EINVAL, "%s: %s is %d, which %u bits cannot hold", record->name,
			   field->name, (int32_t)bits, field->bits);
	else
		v3dcl_fail(error, -EINVAL, "%s: %s is %u, which %u bits cannot hold", record->name,
			   field->name, bits, field->bits);
	return cl_blame(error, record->name, field->name, bits, most);
}

int cl_misaligned(const char *record, const char *field, uint32_t offset, uint32_t alignment,
		  struct v3dcl_error *error)
{
	v3dcl_fail(error, -EINVAL, "%s: %s is at 0x%x, no multiple of %u", record, field, offset,
		   alignment);
	return cl_blame(error, record, field, offset, alignment);
}

int cl_out_of_range(const char *record, const char *field, int64_t found, int64_t least,
		    int64_t most, struct v3dcl_error *error)
{
	char rest[CL_CHOICE_REST];

	cl_choice_rest(record, field, found, most, rest);
	v3dcl_fail(error, -EINVAL, "%s: %s is %lld: only %lld to %lld exist%s", record, field,
		   (long long)found, (long long)least, (long long)most, rest);
	return cl_blame(error, record, field, found, found < least ? least : most);
}

static int check_value(const struct cl_record *record, const struct v3d_field *field,
		       const struct v3dcl_value *value, struct v3dcl_error *error)
{
	switch (field->type) {
	case V3D_U:
		if (field->bits < 32 && value->bits >> field->bits)
			return too_big(record, field, value->bits, error);
		break;
	case V3D_S:
		if ((int32_t)(value->bits << (32 - field->bits)) >> (32 - field->bits) !=
		    (int32_t)value->bits)
			return too_big(record, field, value->bits, error);
		break;
	case V3D_A:
		/* The lowest bits of an address are those that its field does not have. */
		if (value->to.offset & ((1u << (32 - field->bits)) - 1))
			return cl_misaligned(record->name, field->name, value->to.offset,
					     1u << (32 - field->bits), error);
		break;
	default:
		break;
	}
	return 0;
}

int cl_check_values(const struct cl_record *record, const struct v3dcl_value *values,
		    struct v3dcl_error *error)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; record->fields[i].name && !ret; i++)
		ret = check_value(record, &record->fields[i], &values[i], error);
	return ret;
}

static uint32_t field_bits(const struct v3d_field *field, const struct v3dcl_value *value)
{
	if (field->type == V3D_A)
		return value->to.bo ? 0 : value->to.offset >> (32 - field->bits);
	return field->type == V3D_F187 ? value->bits >> (32 - field->bits) : value->bits;
}

/* An address is added to the 32-bit word whose upper bits its field is. */
static struct v3dcl_fixup fixup_of(const struct cl_record *record, const struct v3d_field *field,
				   const struct v3dcl_value *value, uint32_t start)
{
	return (struct v3dcl_fixup){ start + (record->base + field->low + field->bits - 32) / 8,
				     value->to };
}

int cl_append_values(struct v3dcl_block *block, const struct cl_record *record, uint8_t id,
		     const struct v3dcl_value *values, struct v3dcl_error *error)
{
	const struct cl_mark mark = cl_mark(block);
	int ret = v3dcl_block_bytes(block, NULL, record->length, error);
	unsigned int i;
	uint8_t *bytes;

	if (ret)
		return ret;
	bytes = block->bytes.bytes + mark.bytes;
	if (record->base)
		bytes[0] = id;
	for (i = 0; record->fields[i].name; i++) {
		const struct v3d_field *field = &record->fields[i];

		v3d_put_bits(bytes, record->base + field->low, field->bits,
			     field_bits(field, &values[i]));
		if (field->type == V3D_A && values[i].to.bo) {
			const struct v3dcl_fixup fixup = fixup_of(record, field, &values[i],
								  mark.bytes);

			if (!v3dcl_buffer_add(&block->fixups, &fixup, sizeof(fixup)))
				return cl_back_to(block, mark, error);
		}
	}
	return 0;
}
