// SPDX-License-Identifier: MIT
/*
 * The 32-bit words of uapi/v3d/words.h by their fields: vdw_setup(units=16, depth=16,
 * horizontal=1).
 */
#include <errno.h>
#include <string.h>

#include <v3d/words.h>

#include "../base/helpers.h"
#include "lang.h"
#include "v3dcl_buffer.h"

#define DESCRIBE(NAME, name) \
	static const struct v3d_field name##_fields[] = { \
		V3D_##NAME##_FIELDS(V3D_DESCRIBE_FIELD, 0) { NULL, 0, 0, 0 } };
V3D_WORDS(DESCRIBE)

#define LIST_WORD(NAME, name) { #name, name##_fields },
static const struct lang_word words[] = { V3D_WORDS(LIST_WORD) };

/* What says which word it is, and so need not be given: AG100 Tables 17 and 34 to 37 */
static const struct {
	const char *word, *field;
	uint8_t value;
} fixed[] = {
	{ "vdw_setup", "id", 2 },
	{ "vdw_stride", "id", 3 },
	{ "vdr_setup", "id", 1 },
	{ "vdr_stride", "id", 9 },
	{ "texture_cube", "ptype", 1 },
	{ "texture_child_size", "ptype", 2 },
	{ "texture_child_offset", "ptype", 3 },
};

/* Fields of which 0 means one more than fits: AG100 Tables 16 and 32 to 36 */
static const char *const wrapping[] = {
	"stride", "number", "depth", "units", "vpitch", "nrows", "rowlen", "width", "height",
};

const struct lang_word *lang_find_word(const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < COUNT(words); i++)
		if (lang_same(words[i].name, text, length))
			return &words[i];
	return NULL;
}

static bool wraps(const struct lang_word *word, const struct v3d_field *field)
{
	size_t i;

	/* Strides of the DMA are plain numbers of bytes. */
	if (!strcmp(word->name, "vdw_stride") || !strcmp(word->name, "texture_cube"))
		return false;
	for (i = 0; i < COUNT(wrapping); i++)
		if (!strcmp(wrapping[i], field->name))
			return true;
	return false;
}

const struct v3d_field *lang_find_field(const struct lang_word *word, const char *text,
					size_t length)
{
	const struct v3d_field *field;

	for (field = word->fields; field->name; field++)
		if (lang_same(field->name, text, length))
			return field;
	return NULL;
}

uint32_t lang_word_start(const struct lang_word *word)
{
	size_t i;

	for (i = 0; i < COUNT(fixed); i++) {
		const char *field = fixed[i].field;

		if (!strcmp(fixed[i].word, word->name))
			return (uint32_t)fixed[i].value
			       << lang_find_field(word, field, strlen(field))->low;
	}
	return 0;
}

static void no_such_field(struct lang *l, const struct lang_word *word)
{
	struct v3dcl_buffer names = { 0 };
	const struct v3d_field *field;

	for (field = word->fields; field->name; field++)
		v3dcl_buffer_printf(&names, "%s%s", field == word->fields ? ", but " : ", ",
				    field->name);
	lang_fail(l, -EINVAL, l->now->at, "%s() has no field of this name%s", word->name,
		  names.failed || !names.bytes ? "" : (const char *)names.bytes);
	v3dcl_buffer_free(&names);
}

const struct v3d_field *lang_word_field(struct lang *l, const struct lang_word *word,
					uint32_t *given)
{
	const struct v3d_field *field = NULL;

	if (l->now->kind == LANG_WORD)
		field = lang_find_field(word, l->now->at, l->now->length);
	if (!field)
		no_such_field(l, word);
	else if (*given >> field->low & 1)
		lang_fail(l, -EINVAL, l->now->at, "%s is given twice", field->name);
	if (l->status)
		return NULL;
	*given |= 1u << field->low;
	l->level->advance(l);
	return lang_expect(l, '=', "'='") ? field : NULL;
}

static bool is_in_range(struct lang *l, const struct v3d_field *field,
			const struct lang_value *value, int64_t most, const char *at)
{
	if (!lang_is_integer(value))
		return lang_fail(l, -EINVAL, at,
				 value->kind == LANG_ADDRESS ? "%s takes a number, not an address"
							     : "%s is an integer",
				 field->name);
	if (value->integer < 0 || value->integer > most)
		return lang_fail(l, -EINVAL, at, "%s is %lld; it must be 0 to %lld", field->name,
				 (long long)value->integer, (long long)most);
	return true;
}

void lang_word_put(struct lang *l, const struct v3d_field *field, const struct lang_word *word,
		   const struct lang_value *value, const char *at, uint32_t *bits)
{
	const int64_t fits = (INT64_C(1) << field->bits) - 1;
	const int64_t unit = INT64_C(1) << (32 - field->bits);
	const bool address = field->type == V3D_A;
	uint64_t number = value->integer;

	if (value->unknown ||
	    !is_in_range(l, field, value, address ? UINT32_MAX : fits + wraps(word, field), at))
		return;
	if (address && number % unit) {
		lang_fail(l, -EINVAL, at, "%s must be a multiple of %u", field->name,
			  (unsigned int)unit);
		return;
	}
	number = address ? number / unit : number;
	*bits = (*bits & ~(uint32_t)(fits << field->low)) |
		(uint32_t)((number & fits) << field->low);
}

struct lang_value lang_setup_word(struct lang *l, const struct lang_word *word)
{
	const struct cl_choice *choices = l->choices;
	uint32_t bits = lang_word_start(word), given = 0;
	const struct v3d_field *field;
	struct lang_value value, result;
	bool unknown = false;

	l->inside++;
	lang_accept(l, '(');
	while (!l->status && (l->now->kind == LANG_WORD || (!given && l->now->kind != ')'))) {
		const char *at;

		field = lang_word_field(l, word, &given);
		if (!field)
			break;
		l->choices = cl_choices(word->name, field->name);
		at = l->now->at;
		value = lang_expression(l);
		if (!l->status)
			lang_word_put(l, field, word, &value, at, &bits);
		unknown |= value.unknown;
		lang_accept(l, ',');
	}
	l->inside--;
	l->choices = choices;
	lang_expect(l, ')', "',' or ')'");
	result = lang_bits(bits);
	result.unknown = unknown;
	return result;
}
