// SPDX-License-Identifier: MIT
/* Bytes: numbers of all types, tables, strings, files, records. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/helpers.h"
#include "script.h"

/* Columns of a table */
#define MOST_COLUMNS 64

static const struct script_type types[] = {
	{ "u8", 1, SCRIPT_UNSIGNED },  { "u16", 2, SCRIPT_UNSIGNED }, { "u32", 4, SCRIPT_UNSIGNED },
	{ "u64", 8, SCRIPT_UNSIGNED }, { "s8", 1, SCRIPT_SIGNED },    { "s16", 2, SCRIPT_SIGNED },
	{ "s32", 4, SCRIPT_SIGNED },   { "f32", 4, SCRIPT_F32 },      { "f16", 2, SCRIPT_F16 },
	{ "f187", 2, SCRIPT_F187 },    { "s12.4", 2, SCRIPT_FIXED },
};

static bool is_whole(const struct script_type *type)
{
	return type->kind == SCRIPT_UNSIGNED || type->kind == SCRIPT_SIGNED;
}

void script_bytes_free(struct script_bytes *bytes)
{
	v3dcl_buffer_free(&bytes->data);
	v3dcl_buffer_free(&bytes->fixups);
}

/* Append bytes, zeros for @from NULL. Return: where they went, or NULL */
uint8_t *script_add(struct script_reader *r, struct script_bytes *bytes, const void *from,
		    size_t size)
{
	uint8_t *to;

	if (r->lang.status)
		return NULL;
	if (size > r->bytes) {
		script_fail(r, -E2BIG, r->now.at, "more memory than a text may ask for");
		return NULL;
	}
	r->bytes -= size;
	to = v3dcl_buffer_add(&bytes->data, from, size);
	if (!to)
		script_out_of_memory(r);
	return to;
}

/* Rounded to nearest, ties to even; what is too small is 0, too large infinity */
static uint16_t half(double x)
{
	uint32_t sign = signbit(x) ? 0x8000 : 0;
	int exponent;
	double m;

	if (isnan(x))
		return 0x7e00;
	m = frexp(fabs(x), &exponent);		/* 0.5 to 1 */
	if (isinf(x) || (x != 0 && exponent > 16))
		return sign | 0x7c00;
	if (x == 0 || exponent < -24)
		return sign;
	if (exponent < -13)
		return sign | (uint16_t)nearbyint(ldexp(m, exponent + 24));
	/* A carry out of the mantissa moves on into the exponent. */
	return sign | (uint16_t)(((exponent + 13) << 10) + (int)nearbyint(ldexp(m, 11)));
}

static uint64_t encode(struct script_reader *r, const struct script_type *type,
		       const struct lang_value *value, const char *at)
{
	struct lang_value single = { .kind = LANG_REAL, .real = lang_as_real(value) };
	double fixed;

	if (value->kind == LANG_BITS)
		return value->integer;
	switch (type->kind) {
	case SCRIPT_F32:
		return lang_as_bits(&single);
	case SCRIPT_F187:
		return lang_as_bits(&single) >> 16;
	case SCRIPT_F16:
		return half(single.real);
	case SCRIPT_FIXED:
		fixed = floor(single.real * 16 + 0.5);
		if (!(fixed >= INT16_MIN && fixed <= INT16_MAX))
			script_fail(r, -EINVAL, at, "s12.4 goes from -2048 to 2047.9375");
		return r->lang.status ? 0 : (uint64_t)(int64_t)fixed;
	default:
		if (value->kind == LANG_REAL)
			script_fail(r, -EINVAL, at,
				    "%s takes whole numbers: int() cuts, round() is still real",
				    type->name);
		return value->integer;
	}
}

/* Both readings of the same bits may be written: 255 and -1 as u8 and s8 */
static bool fits(const struct script_type *type, int64_t value)
{
	unsigned int bits = 8 * type->size;

	return bits == 64 || (value >= -(INT64_C(1) << (bits - 1)) && value < INT64_C(1) << bits);
}

/* One more element, with those of its type before it */
static void add_element(struct script_reader *r, struct v3dcl_buffer *elements, uint32_t at,
			const struct script_type *type)
{
	struct script_elements one = { .at = at, .count = 1, .type = type }, *last;

	if (r->lang.status)
		return;
	last = elements->size ? (void *)(elements->bytes + elements->size - sizeof(one)) : NULL;
	if (last && last->type == type && last->at + last->count * type->size == at)
		last->count++;
	else if (sizeof(one) > r->bytes)
		script_fail(r, -E2BIG, r->now.at, "more memory than a text may ask for");
	else if (!v3dcl_buffer_add(elements, &one, sizeof(one)))
		script_out_of_memory(r);
	else
		r->bytes -= sizeof(one);
}

static void put_value(struct script_reader *r, const struct script_type *type,
		      struct script_data *data)
{
	const char *at = r->now.at;
	struct lang_value value = script_expression(r);
	uint32_t start = data->bytes->data.size;
	uint8_t bytes[8];
	uint64_t raw;
	unsigned int i;

	if (r->lang.status)
		return;
	if (value.kind == LANG_ADDRESS) {
		if (type->size != 4 || !is_whole(type))
			script_fail(r, -EINVAL, at, "an address takes a u32");
		else if (value.integer < 0 || value.integer > script_size(r, value.thing))
			script_fail(r, -EINVAL, at, "an address outside of what it is in");
		script_add(r, data->bytes, NULL, 4);
		if (!r->lang.status)
			script_address(r, data->bytes, start, &value);
		return;
	}
	if (!is_whole(type))
		script_not_cut(r, &value, at);
	else if (value.kind == LANG_INTEGER && !fits(type, value.integer))
		script_fail(r, -EINVAL, at, "%lld does not fit into %s", (long long)value.integer,
			    type->name);
	raw = encode(r, type, &value, at);
	for (i = 0; i < type->size; i++)
		bytes[i] = raw >> 8 * i;
	script_add(r, data->bytes, bytes, type->size);
	if (data->elements)
		add_element(r, data->elements, start, type);
}

static const struct script_type *take_type(struct script_reader *r)
{
	size_t i;

	for (i = 0; i < COUNT(types); i++) {
		if (script_take_word(r, types[i].name))
			return &types[i];
	}
	return NULL;
}

/* A comma, after which the line may end */
bool script_more(struct script_reader *r)
{
	if (!script_take_sign(r, ','))
		return false;
	while (r->now.kind == LANG_LINE)
		script_next(r);
	return true;
}

static void numbers(struct script_reader *r, const struct script_type *type,
		    struct script_data *data)
{
	do {
		put_value(r, type, data);
	} while (script_more(r));
	if (r->now.kind != LANG_LINE && r->now.kind != LANG_END && !script_sign(r, '}'))
		script_fail(r, -EINVAL, r->now.at,
			    "',' before a further value, or the end of the line is expected here");
}

struct table {
	const struct script_type *columns[MOST_COLUMNS];
	unsigned int count;
	struct script_data *data;
};

static void table_row(struct script_reader *r, void *opaque)
{
	struct table *table = opaque;
	unsigned int i;

	for (i = 0; i < table->count; i++) {
		if (i)
			script_need_sign(r, ',');
		put_value(r, table->columns[i], table->data);
	}
}

/* table TYPE... { a row a line } */
static void table(struct script_reader *r, struct script_data *data)
{
	struct table table = { .data = data };

	while (table.count < MOST_COLUMNS && (table.columns[table.count] = take_type(r)))
		table.count++;
	if (!table.count)
		script_fail(r, -EINVAL, r->now.at,
			    "expected the types of the table's columns here");
	script_block(r, table_row, &table);
}

static bool ends(const struct script_reader *r)
{
	return r->now.kind == LANG_LINE || r->now.kind == LANG_END || script_sign(r, '}');
}

/* align N [VALUE] */
static void align(struct script_reader *r, struct script_data *data)
{
	uint32_t to = script_integer(r, 1, 1 << 20), over;
	uint8_t fill = 0;

	if (!ends(r))
		fill = script_integer(r, 0, 255);
	over = data->bytes->data.size % to;
	if (over && !r->lang.status) {
		uint8_t *at = script_add(r, data->bytes, NULL, to - over);

		if (at)
			memset(at, fill, to - over);
	}
}

/* file "NAME" [from OFFSET] [size BYTES] */
static void file(struct script_reader *r, struct script_data *data)
{
	const char *at = r->now.at;
	size_t size = 0, from = 0;
	char *name = script_take_string(r);
	uint8_t *bytes = name ? script_read_file(r, at, name, &size) : NULL;

	if (script_take_word(r, "from"))
		from = script_integer(r, 0, size);
	size -= from;
	if (script_take_word(r, "size"))
		size = script_integer(r, 0, size);
	if (bytes)
		script_add(r, data->bytes, bytes + from, size);
	free(bytes);
	free(name);
}

static void text(struct script_reader *r, struct script_data *data)
{
	char *string = script_take_string(r);

	if (string)
		script_add(r, data->bytes, string, strlen(string));
	free(string);
}

/* code PROGRAM: its instructions */
static void code(struct script_reader *r, struct script_data *data)
{
	struct script_thing *thing =
		r->now.kind == LANG_WORD ? script_thing(r, r->now.at, r->now.length) : NULL;

	if (!thing || !thing->assembly)
		script_fail(r, -EINVAL, r->now.at, "expected the name of a program here");
	else
		script_add(r, data->bytes, thing->assembly->code,
			   8 * (size_t)thing->assembly->code_count);
	if (!r->lang.status)
		thing->kinds |= SCRIPT_COPIED;
	script_next(r);
}

static bool label(struct script_reader *r, struct script_data *data)
{
	struct lang_token name = r->now;

	if (name.kind != LANG_WORD || *name.at == '.' || !script_follows(r, ':'))
		return false;
	script_next(r);
	script_take_sign(r, ':');
	if (data->thing == UINT32_MAX)
		script_fail(r, -EINVAL, name.at, "a label can only stand in a buffer");
	if (!r->lang.status)
		script_label(r, name.at, name.at, name.length, data->thing, data->bytes->data.size);
	return true;
}

/* RECORD FIELD=VALUE... or WORD FIELD=VALUE... */
static void record(struct script_reader *r, struct script_data *data)
{
	const char *name = r->now.at;
	const size_t length = r->now.kind == LANG_WORD ? r->now.length : 0;
	const struct cl_described *word = lang_find_word(name, length);
	struct script_record record;

	if (!word && !script_find_record(name, length, &record)) {
		script_fail(r, -EINVAL, name,
			    "expected data here: a type and numbers, table, zero, align, text, "
			    "file, image, code, a record");
		return;
	}
	script_next(r);
	if (word)
		script_put_word(r, word, data->bytes);
	else
		script_put_fields(r, &record, data->bytes);
}

/* Return: it was a label, and more follows on its line */
static bool one_statement(struct script_reader *r, struct script_data *data)
{
	const struct script_type *type = take_type(r);
	bool more = false;

	if (type)
		numbers(r, type, data);
	else if (script_take_word(r, "table"))
		table(r, data);
	else if (script_take_word(r, "zero"))
		script_add(r, data->bytes, NULL, script_integer(r, 0, UINT32_MAX));
	else if (script_take_word(r, "align"))
		align(r, data);
	else if (script_take_word(r, "text"))
		text(r, data);
	else if (script_take_word(r, "file"))
		file(r, data);
	else if (script_take_word(r, "image"))
		script_image(r, data->bytes);
	else if (script_take_word(r, "code"))
		code(r, data);
	else if (!label(r, data))
		record(r, data);
	else
		more = !ends(r) && !script_control(r, script_data_statement, data);
	return more;
}

/* A statement of data. @opaque: struct script_data */
void script_data_statement(struct script_reader *r, void *opaque)
{
	while (one_statement(r, opaque))
		;
}
