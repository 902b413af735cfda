// SPDX-License-Identifier: MIT
/* Lines that begin with '.': numbers, uniforms, data, blocks. */
#include <stdlib.h>
#include <string.h>

#include <drm/v3dcl_drm.h>

#include "assembler.h"

/* .set name, value [, name, value]..., or name(parameters) expression; .const, .lset, .lconst */
static bool take_set(struct qasm *a, unsigned int how)
{
	struct lang_token name;
	struct lang_value value;
	bool known;

	do {
		name = *qasm_peek(a);
		if (name.kind != LANG_WORD)
			return qasm_fail(a, name.at, "a name is expected here");
		if (name.length && a->lang.now[1].kind == '(')
			return qasm_set_function(a, how);
		a->lang.now++;
		known = qasm_expect(a, ',', "','") && qasm_expression(a, &value);
		/* So that a mistake in the value is not told again wherever the name stands */
		if (!known)
			value = (struct lang_value){ .kind = LANG_INTEGER, .unknown = true };
		if (!qasm_define_set(a, &name, QASM_SET, how, value) || !known)
			return false;
	} while (qasm_accept(a, ','));
	return true;
}

/* .unset name, .lunset name: what it was called before, it is called again */
static bool take_unset(struct qasm *a, bool local)
{
	const struct lang_token name = *qasm_peek(a);
	struct qasm_symbol *symbol;

	if (name.kind != LANG_WORD)
		return qasm_fail(a, name.at, "a name is expected here");
	a->lang.now++;
	symbol = local ? qasm_find_local(a, &name) : qasm_lookup(a, &name);
	if (!symbol || !symbol->defined || symbol->kind != QASM_SET)
		return qasm_fail(a, name.at, "'%.*s' has not been set%s",
				 (int)(name.length < 40 ? name.length : 40), name.at,
				 local ? " here" : "");
	symbol->defined = false;
	symbol->final = false;
	return true;
}

/*
 * .global name [, label]: every label is seen from outside; the second form gives one another
 * name
 */
static bool take_global(struct qasm *a)
{
	const struct lang_token name = *qasm_peek(a);
	const struct qasm_symbol *symbol;
	struct lang_value value;

	if (name.kind != LANG_WORD && name.kind != LANG_LABEL)
		return qasm_fail(a, name.at, "a name is expected here");
	a->lang.now++;
	if (qasm_accept(a, ',')) {
		const char *at = qasm_peek(a)->at;

		if (!qasm_expression(a, &value))
			return false;
		if (!value.unknown && !value.code)
			return qasm_fail(a, at, "a label is expected here");
		return qasm_define(a, &name, QASM_LABEL, value);
	}
	symbol = name.kind == LANG_LABEL ? qasm_find_label(a, &name) : qasm_lookup(a, &name);
	return !a->final || (symbol && symbol->kind < QASM_SET) ||
	       qasm_fail(a, name.at, "no label is called '%.*s'",
			 (int)(name.length < 40 ? name.length : 40), name.at);
}

/* .syntax vc4asm, .syntax v3dcl: how the lines after it read what the two read differently */
static bool take_syntax(struct qasm *a)
{
	const struct lang_token *name = qasm_peek(a);

	if (!qasm_is(name, "vc4asm") && !qasm_is(name, "v3dcl"))
		return qasm_fail(a, name->at, "vc4asm or v3dcl is expected here");
	a->vc4asm = qasm_is(name, "vc4asm");
	a->lang.now++;
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
	SET, CONST, LSET, LCONST, UNSET, LUNSET, GLOBAL, SYNTAX, UNIFORM, DATA, TEXT, BYTE, HALF,
	WORD, FLOAT, SPACE, ALIGN, INST, CLONE, ASSERT, INCLUDE,
	BLOCKS, MACRO = BLOCKS, REPT, REP, FOREACH, IF, IFSET, FUNC, BACK, LOCAL,
	ENDS
};

/* Those that put nothing into the program may stand in a function. */
static bool take_name(struct qasm *a, enum directive what)
{
	switch (what) {
	case SET:
		return take_set(a, QASM_ANEW);
	case CONST:
		return take_set(a, QASM_FINAL);
	case LSET:
		return take_set(a, QASM_LOCAL);
	case LCONST:
		return take_set(a, QASM_LOCAL | QASM_FINAL);
	case UNSET:
	case LUNSET:
		return take_unset(a, what == LUNSET);
	default:
		return take_assertion(a);
	}
}

static bool take_plain(struct qasm *a, enum directive what)
{
	switch (what) {
	case GLOBAL:
		return take_global(a);
	case SYNTAX:
		return take_syntax(a);
	case UNIFORM:
		return take_uniform(a);
	case DATA:
	case TEXT:
		return take_section(a, what == DATA);
	case BYTE:
		return qasm_take_data(a, 1, false);
	case HALF:
		return qasm_take_data(a, 2, false);
	case WORD:
	case FLOAT:
		return qasm_take_data(a, 4, what == FLOAT);
	case SPACE:
		return qasm_take_space(a);
	case ALIGN:
		return qasm_take_align(a);
	case INST:
		return take_words(a);
	case CLONE:
		return qasm_clone(a);
	case INCLUDE:
		return qasm_include(a);
	default:
		return take_name(a, what);
	}
}

static bool take_block(struct qasm *a, enum directive what, const char **at, const char *end)
{
	switch (what) {
	case MACRO:
		return qasm_macro(a, at, end);
	case REPT:
	case REP:
		return qasm_repeat(a, at, end, what == REP);
	case FOREACH:
		return qasm_for_each(a, at, end);
	case FUNC:
		return qasm_function(a, at, end);
	case BACK:
		return qasm_back(a, at, end);
	case LOCAL:
		return qasm_local(a, at, end);
	default:
		return qasm_if(a, at, end, what == IFSET);
	}
}

static bool fits_function(enum directive what)
{
	return what <= LUNSET || what == ASSERT || what == IF || what == IFSET;
}

bool qasm_directive(struct qasm *a, const char **at, const char *end)
{
	static const struct qasm_name names[] = {
		{ ".set", SET }, { ".equ", SET }, { ".define", SET }, { ".const", CONST },
		{ ".lset", LSET }, { ".lconst", LCONST }, { ".unset", UNSET },
		{ ".lunset", LUNSET }, { ".global", GLOBAL }, { ".globl", GLOBAL },
		{ ".syntax", SYNTAX }, { ".uniform", UNIFORM }, { ".data", DATA },
		{ ".rodata", DATA }, { ".text", TEXT }, { ".code", TEXT }, { ".byte", BYTE },
		{ ".half", HALF }, { ".short", HALF }, { ".word", WORD }, { ".int", WORD },
		{ ".long", WORD }, { ".float", FLOAT }, { ".space", SPACE }, { ".align", ALIGN },
		{ ".inst", INST }, { ".clone", CLONE }, { ".assert", ASSERT },
		{ ".include", INCLUDE }, { ".macro", MACRO }, { ".rept", REPT }, { ".rep", REP },
		{ ".foreach", FOREACH }, { ".if", IF }, { ".ifset", IFSET }, { ".func", FUNC },
		{ ".back", BACK }, { ".local", LOCAL },
		{ ".endm", ENDS }, { ".endr", ENDS }, { ".endif", ENDS }, { ".else", ENDS },
		{ ".elseif", ENDS }, { ".endf", ENDS }, { ".endb", ENDS },
		{ ".endfor", ENDS }, { ".endloc", ENDS },
		{ NULL, 0 },
	};
	const struct lang_token *token = qasm_peek(a);
	const int what = qasm_find(names, token->at, token->length);

	if (what < 0)
		return qasm_unknown_directive(a, token, names);
	if (what == ENDS)
		return qasm_fail(a, token->at, "%.*s without what it belongs to",
				 (int)token->length, token->at);
	if (a->result && !fits_function(what))
		return qasm_fail(a, token->at, "%.*s cannot stand in a function",
				 (int)token->length, token->at);
	a->lang.now++;
	if (what >= BLOCKS)
		return take_block(a, what, at, end);
	return take_plain(a, what) &&
	       (qasm_peek(a)->kind == LANG_END ||
		qasm_fail(a, qasm_peek(a)->at,
			  "',' or the end of the line is expected here"));
}
