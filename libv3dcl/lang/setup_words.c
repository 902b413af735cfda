// SPDX-License-Identifier: MIT
/*
 * The 32-bit words of uapi/v3d/words.h by their fields: vdw_setup(units=16, depth=16,
 * horizontal=1).
 */
#include <errno.h>
#include <string.h>

#include "lang.h"
#include "v3dcl_buffer.h"

const struct cl_described *lang_find_word(const char *text, size_t length)
{
	const struct cl_described *word;
	uint32_t i;

	for (i = 0; (word = cl_word(i)); i++)
		if (lang_same(word->name, text, length))
			return word;
	return NULL;
}

const struct v3d_field *lang_find_field(const struct cl_described *word, const char *text,
					size_t length)
{
	const struct v3d_field *field;

	for (field = word->fields; field->name; field++)
		if (lang_same(field->name, text, length))
			return field;
	return NULL;
}

static void no_such_field(struct lang *l, const struct cl_described *word)
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

const struct v3d_field *lang_word_field(struct lang *l, const struct cl_described *word,
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
			const struct cl_described *word, const struct lang_value *value,
			int64_t most, const char *at)
{
	char rest[CL_CHOICE_REST];

	if (!lang_is_integer(value))
		return lang_fail(l, -EINVAL, at,
				 value->kind == LANG_ADDRESS ? "%s takes a number, not an address"
							     : "%s is an integer",
				 field->name);
	if (value->integer >= 0 && value->integer <= most)
		return true;
	cl_choice_rest(word->name, field->name, value->integer, most, rest);
	return lang_fail(l, -EINVAL, at, "%s is %lld; it must be 0 to %lld%s", field->name,
			 (long long)value->integer, (long long)most, rest);
}

void lang_word_put(struct lang *l, const struct v3d_field *field, const struct cl_described *word,
		   const struct lang_value *value, const char *at, uint32_t *bits)
{
	const int64_t fits = (INT64_C(1) << field->bits) - 1;
	const int64_t unit = INT64_C(1) << (32 - field->bits);
	const bool address = field->type == V3D_A;
	uint64_t number = value->integer;

	if (value->unknown ||
	    !is_in_range(l, field, word, value, address ? UINT32_MAX : cl_word_most(word, field),
			 at))
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

struct lang_value lang_setup_word(struct lang *l, const struct cl_described *word)
{
	const struct cl_choice *choices = l->choices;
	uint32_t bits = cl_word_start(word), given = 0;
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
