// SPDX-License-Identifier: MIT
/*
 * Control records, structures in memory and set-up words, by the names that <v3d/packets.h> and
 * <v3d/words.h> give them.
 */
#include <errno.h>
#include <string.h>
#include <sys/param.h>

#include "../../base/helpers.h"
#include "script.h"

/* A control record or a structure in memory */
bool script_find_record(const char *text, size_t length, struct script_record *record)
{
	const struct v3d_packet_info *info;
	const struct cl_described *structure;
	unsigned int id;
	uint32_t i;

	for (id = 0; id < 256; id++) {
		info = v3d_packet_info(id);
		if (info->name && same_text(info->name, text, length)) {
			*record = (struct script_record){ info->name, info->fields, info->length,
							  id };
			return true;
		}
	}
	for (i = 0; (structure = cl_structure(i)); i++) {
		if (same_text(structure->name, text, length)) {
			*record = (struct script_record){ structure->name, structure->fields,
							  structure->length, -1 };
			return true;
		}
	}
	return false;
}

/* Note that an address stands at byte @at of @bytes */
void script_address(struct script_reader *r, struct script_bytes *bytes, uint32_t at,
		    const struct lang_value *value)
{
	const struct script_fixup fixup = { .at = at, .thing = value->thing,
					    .offset = value->integer };

	if (r->bytes < sizeof(fixup)) {
		script_fail(r, -E2BIG, r->now.at, "more memory than a text may ask for");
		return;
	}
	r->bytes -= sizeof(fixup);
	if (!v3dcl_buffer_add(&bytes->fixups, &fixup, sizeof(fixup)))
		script_out_of_memory(r);
}

static bool address_is_good(struct script_reader *r, const struct lang_value *value, const char *at)
{
	if (value->integer >= 0 && value->integer <= script_size(r, value->thing))
		return true;
	script_fail(r, -EINVAL, at, "an address outside of %s, which has %u bytes",
		    script_called(r, value->thing), script_size(r, value->thing));
	return false;
}

/* Bits of a number that does not fit its field were lost silently otherwise */
static bool fits(const struct v3d_field *field, int64_t value)
{
	int64_t most = (INT64_C(1) << field->bits) - 1;

	if (field->type == V3D_S)
		return value >= -(most + 1) / 2 && value <= most / 2;
	if (field->type == V3D_A)
		return value >= 0 && value <= UINT32_MAX &&
		       !(value & ((INT64_C(1) << (32 - field->bits)) - 1));
	return value >= 0 && value <= most;
}

static uint32_t field_bits(struct script_reader *r, const struct v3d_field *field,
			   const struct lang_value *value, const char *at)
{
	if (field->type == V3D_F32 || field->type == V3D_F187) {
		struct lang_value real = *value;

		script_not_cut(r, value, at);
		if (value->kind == LANG_INTEGER)
			real = (struct lang_value){ .kind = LANG_REAL, .real = value->integer };
		return field->type == V3D_F32 ? lang_as_bits(&real) : lang_as_bits(&real) >> 16;
	}
	if (value->kind == LANG_REAL)
		script_fail(r, -EINVAL, at, "%s takes a whole number", field->name);
	else if (!fits(field, value->integer))
		script_fail(r, -EINVAL, at, "%s has %u bits%s, in which %lld does not fit",
			    field->name, field->bits,
			    field->type == V3D_A ? ", the upper ones of an address" : "",
			    (long long)value->integer);
	return field->type == V3D_A ? value->integer >> (32 - field->bits) : value->integer;
}

static const struct v3d_field *find_field(const struct script_record *record, const char *text,
					  size_t length)
{
	const struct v3d_field *field;

	for (field = record->fields; field->name; field++) {
		if (same_text(field->name, text, length))
			return field;
	}
	return NULL;
}

static void no_such_field(struct script_reader *r, const struct script_record *record,
			  const char *at)
{
	const struct v3d_field *field;
	struct v3dcl_buffer names = { 0 };

	for (field = record->fields; field->name; field++)
		v3dcl_buffer_printf(&names, "%s%s", field == record->fields ? "; it has " : ", ",
				    field->name);
	script_fail(r, -EINVAL, at, "%s has no such field%s", record->name,
		    names.failed || !names.bytes ? "" : (const char *)names.bytes);
	v3dcl_buffer_free(&names);
}

/* Field=value */
static void put_field(struct script_reader *r, const struct script_record *record, uint8_t *to,
		      struct script_bytes *bytes, uint32_t start)
{
	const struct v3d_field *field = NULL;
	unsigned int low = record->id >= 0 ? 8 : 0;
	struct lang_value value;
	const char *at = r->now.at;

	if (r->now.kind == LANG_WORD)
		field = find_field(record, r->now.at, r->now.length);
	if (!field) {
		no_such_field(r, record, at);
		return;
	}
	script_next(r);
	script_need_sign(r, '=');
	at = r->now.at;
	r->lang.choices = cl_choices(record->name, field->name);
	value = script_expression(r);
	r->lang.choices = NULL;
	if (r->lang.status)
		return;
	low += field->low;
	if (value.kind != LANG_ADDRESS)
		v3d_put_bits(to, low, field->bits, field_bits(r, field, &value, at));
	else if (field->type != V3D_A)
		script_fail(r, -EINVAL, at, "%s takes a number, not an address", field->name);
	else if (address_is_good(r, &value, at)) {
		script_address(r, bytes, start + (low + field->bits - 32) / 8, &value);
		script_used_as(r, value.thing, field->name);
	}
}

/* Append a record with the fields that follow, the others 0 */
void script_put_fields(struct script_reader *r, const struct script_record *record,
		       struct script_bytes *bytes)
{
	uint8_t buffer[V3D_GL_SHADER_RECORD_LENGTH] = { MAX(record->id, 0) };
	uint32_t start = bytes->data.size;
	const char *at = r->now.at;

	while (!r->lang.status && r->now.kind == LANG_WORD) {
		put_field(r, record, buffer, bytes, start);
		script_take_sign(r, ',');
	}
	script_add(r, bytes, buffer, record->length);
	if (record->id == V3D_TILE_BINNING_MODE)
		script_binning(r, at, bytes, start);
}

/* An address in a word: it is added when the job runs */
static void put_address(struct script_reader *r, const struct v3d_field *field,
			const struct lang_value *value, const char *at, struct script_bytes *bytes)
{
	if (!address_is_good(r, value, at))
		return;
	script_address(r, bytes, bytes->data.size + (field->low + field->bits - 32) / 8, value);
	script_used_as(r, value->thing, field->name);
}

/* Append a set-up word with the fields that follow */
void script_put_word(struct script_reader *r, const struct cl_described *word,
		     struct script_bytes *bytes)
{
	uint32_t bits = cl_word_start(word), given = 0;
	const struct v3d_field *field;
	struct lang_value value;
	const char *at;
	uint8_t *to;

	while (!r->lang.status && r->now.kind == LANG_WORD) {
		field = lang_word_field(&r->lang, word, &given);
		if (!field)
			return;
		at = r->now.at;
		r->lang.choices = cl_choices(word->name, field->name);
		value = script_expression(r);
		r->lang.choices = NULL;
		if (r->lang.status)
			return;
		if (value.kind == LANG_ADDRESS && field->type == V3D_A)
			put_address(r, field, &value, at, bytes);
		else
			lang_word_put(&r->lang, field, word, &value, at, &bits);
		script_take_sign(r, ',');
	}
	to = script_add(r, bytes, NULL, sizeof(bits));
	if (to)
		v3d_put_bits(to, 0, 32, bits);
}
