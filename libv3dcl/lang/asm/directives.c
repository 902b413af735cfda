// SPDX-License-Identifier: MIT
/* Lines that begin with '.': numbers, uniforms, data, blocks. */
#include <stdlib.h>
#include <string.h>

#include <drm/v3dcl_drm.h>

#include "assembler.h"

/* .set name, value [, name, value]... */
static bool take_set(struct qasm *a)
{
	struct lang_token name;
	struct lang_value value;

	do {
		name = *qasm_peek(a);
		if (name.kind != LANG_WORD)
			return qasm_fail(a, name.at, "a name is expected here");
		a->lang.now++;
		if (!qasm_expect(a, ',', "','") || !qasm_expression(a, &value) ||
		    !qasm_define(a, &name, QASM_SET, value))
			return false;
	} while (qasm_accept(a, ','));
	return true;
}

static char *copy_of(const struct lang_token *token)
{
	char *copy = malloc((size_t)token->length + 1);

	if (!copy)
		return NULL;
	memcpy(copy, token->at, token->length);
	copy[token->length] = 0;
	return copy;
}

static bool take_flags(struct qasm *a, uint32_t *flags)
{
	const struct lang_token *token = qasm_peek(a);

	*flags = DRM_V3DCL_RELOC_READ;
	if (!qasm_accept(a, ','))
		return true;
	token = qasm_peek(a);
	if (qasm_is(token, "write"))
		*flags = DRM_V3DCL_RELOC_WRITE;
	else if (qasm_is(token, "readwrite"))
		*flags = DRM_V3DCL_RELOC_READ | DRM_V3DCL_RELOC_WRITE;
	else if (!qasm_is(token, "read"))
		return qasm_fail(a, token->at, "read, write or readwrite is expected here");
	a->lang.now++;
	return true;
}

/*
 * &name [+ offset] [, read | write | readwrite]; a name of the text's own data is ".data" and its
 * place there
 */
static bool take_reference(struct qasm *a, struct v3dcl_uniform *uniform)
{
	static const struct lang_token data = { .kind = LANG_WORD, .at = ".data", .length = 5 };
	const struct lang_token *token = qasm_peek(a);
	const struct qasm_symbol *symbol = token->kind == LANG_WORD ? qasm_lookup(a, token) : NULL;
	int64_t offset = 0;

	if (token->kind != LANG_WORD)
		return qasm_fail(a, token->at, "the name of a buffer is expected here");
	if (symbol && symbol->kind == QASM_DATA_LABEL)
		uniform->offset = symbol->value.integer;
	uniform->reference = copy_of(symbol && symbol->kind == QASM_DATA_LABEL ? &data : token);
	if (!uniform->reference)
		return qasm_no_memory(a);
	a->lang.now++;
	if (qasm_accept(a, '+') &&
	    !qasm_range(a, "an offset", 0, UINT32_MAX - uniform->offset, &offset))
		return false;
	uniform->offset += offset;
	return take_flags(a, &uniform->flags);
}

static bool add_uniform(struct qasm *a, struct v3dcl_uniform *uniform, bool ok)
{
	if (ok && a->final && v3dcl_buffer_add(&a->uniforms, uniform, sizeof(*uniform)))
		return true;
	free((char *)uniform->name);
	free((char *)uniform->reference);
	return ok && (!a->final || qasm_no_memory(a));
}

/* .uniform name [, value] or .uniform name, &reference...; '-' for no name */
static bool take_uniform(struct qasm *a)
{
	const struct lang_token name = *qasm_peek(a);
	struct v3dcl_uniform uniform = { .name = NULL };
	bool ok = true;

	if (name.kind != LANG_WORD && name.kind != '-')
		return qasm_fail(a, name.at,
				 "the uniform's name, or '-' for none, is expected here");
	a->lang.now++;
	if (a->uniform_count == QASM_MAX_CODE)
		return qasm_fail(a, name.at, "more than %u uniforms", QASM_MAX_CODE);
	if (name.kind == LANG_WORD) {
		if (!qasm_define(a, &name, QASM_UNIFORM, lang_integer(a->uniform_count)))
			return false;
		uniform.name = copy_of(&name);
		if (!uniform.name)
			return qasm_no_memory(a);
	}
	a->uniform_count++;
	if (qasm_accept(a, ','))
		ok = qasm_accept(a, '&') ? take_reference(a, &uniform) :
					   qasm_word(a, &uniform.value);
	return add_uniform(a, &uniform, ok);
}

void qasm_free_uniforms(struct v3dcl_uniform *uniforms, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		free((char *)uniforms[i].name);
		free((char *)uniforms[i].reference);
	}
	free(uniforms);
}

static bool add_data(struct qasm *a, const char *at, const void *bytes, size_t size)
{
	if (!a->in_data)
		return qasm_fail(a, at,
				 "data stand after .data; .inst puts a word into the program");
	if (size > QASM_MAX_DATA - a->data.size)
		return qasm_fail(a, at, "more than %u bytes of data", QASM_MAX_DATA);
	return v3dcl_buffer_add(&a->data, bytes, size) || qasm_no_memory(a);
}

/* .byte, .half, .word, .float: values of @size bytes, the lowest byte first */
static bool take_data(struct qasm *a, unsigned int size, bool real)
{
	do {
		const char *at = qasm_peek(a)->at;
		struct lang_value value;
		uint8_t bytes[4];
		uint32_t word;
		unsigned int i;

		if (size == 4 && !real) {
			if (!qasm_word(a, &word))
				return false;
		} else if (real) {
			if (!qasm_expression(a, &value))
				return false;
			word = lang_float_bits(&value);
		} else {
			int64_t number;

			if (!qasm_range(a, "a value", size == 1 ? INT8_MIN : INT16_MIN,
					size == 1 ? UINT8_MAX : UINT16_MAX, &number))
				return false;
			word = number;
		}
		for (i = 0; i < size; i++)
			bytes[i] = word >> 8 * i;
		if (!add_data(a, at, bytes, size))
			return false;
	} while (qasm_accept(a, ','));
	return true;
}

static bool take_space(struct qasm *a)
{
	const char *at = qasm_peek(a)->at;
	int64_t size;

	return qasm_known(a, "a size", 0, QASM_MAX_DATA, &size) && add_data(a, at, NULL, size);
}

static bool take_align(struct qasm *a)
{
	const char *at = qasm_peek(a)->at;
	int64_t to;

	if (!qasm_known(a, "an alignment", 1, 1 << 20, &to))
		return false;
	if (to & (to - 1))
		return qasm_fail(a, at, "an alignment is a power of two");
	return add_data(a, at, NULL, -a->data.size & (to - 1));
}

/* .inst word [, word]...: instructions by their 64 bits */
static bool take_words(struct qasm *a)
{
	do {
		const char *at = qasm_peek(a)->at;
		struct lang_value value;

		if (!qasm_expression(a, &value))
			return false;
		if (value.kind != LANG_INTEGER)
			return qasm_fail(a, at, "an instruction's word is an integer");
		if (!qasm_emit(a, value.integer, at))
			return false;
	} while (qasm_accept(a, ','));
	return true;
}

/* .assert condition */
static bool take_assertion(struct qasm *a)
{
	const char *at = qasm_peek(a)->at;
	int64_t holds;

	if (!qasm_range(a, "a condition", INT64_MIN, INT64_MAX, &holds))
		return false;
	return holds || !a->final || qasm_fail(a, at, "this does not hold");
}

static bool take_section(struct qasm *a, bool data)
{
	a->in_data = data;
	return true;
}

enum directive {
	SET,
	UNIFORM,
	DATA,
	TEXT,
	BYTE,
	HALF,
	WORD,
	FLOAT,
	SPACE,
	ALIGN,
	INST,
	ASSERT,
	MACRO,
	REPT,
	IF
};

static bool take_plain(struct qasm *a, enum directive what)
{
	switch (what) {
	case SET:
		return take_set(a);
	case UNIFORM:
		return take_uniform(a);
	case DATA:
	case TEXT:
		return take_section(a, what == DATA);
	case BYTE:
		return take_data(a, 1, false);
	case HALF:
		return take_data(a, 2, false);
	case WORD:
	case FLOAT:
		return take_data(a, 4, what == FLOAT);
	case SPACE:
		return take_space(a);
	case ALIGN:
		return take_align(a);
	case INST:
		return take_words(a);
	default:
		return take_assertion(a);
	}
}

bool qasm_directive(struct qasm *a, const char **at, const char *end)
{
	static const struct qasm_name names[] = {
		{ ".set", SET }, { ".equ", SET }, { ".uniform", UNIFORM }, { ".data", DATA },
		{ ".text", TEXT }, { ".byte", BYTE }, { ".half", HALF }, { ".word", WORD },
		{ ".float", FLOAT }, { ".space", SPACE }, { ".align", ALIGN }, { ".inst", INST },
		{ ".assert", ASSERT }, { ".macro", MACRO }, { ".rept", REPT }, { ".if", IF },
		{ NULL, 0 },
	};
	const struct lang_token *token = qasm_peek(a);
	const int what = qasm_find(names, token->at, token->length);

	if (what < 0)
		return qasm_unknown_directive(a, token, names);
	a->lang.now++;
	switch (what) {
	case MACRO:
		return qasm_macro(a, at, end);
	case REPT:
		return qasm_repeat(a, at, end);
	case IF:
		return qasm_if(a, at, end);
	default:
		if (!take_plain(a, what))
			return false;
		return qasm_peek(a)->kind == LANG_END ||
		       qasm_fail(a, qasm_peek(a)->at,
				 "',' or the end of the line is expected here");
	}
}
