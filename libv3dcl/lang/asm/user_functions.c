// SPDX-License-Identifier: MIT
/*
 * Functions that a text makes: .func with lines, .set with one expression. What they are given is
 * evaluated once, and stands for the parameters' names.
 */
#include <stdlib.h>
#include <string.h>

#include "assembler.h"

/* (NAME, NAME...) */
static bool take_parameters(struct qasm *a, struct lang_macro *function)
{
	if (!qasm_expect(a, '(', "'('") || !lang_take_parameters(&a->lang, function))
		return false;
	return qasm_expect(a, ')', "',' or ')'");
}

static bool remember(struct qasm *a, const struct lang_token *name, unsigned int how,
		     const struct lang_macro *function)
{
	return qasm_define_set(a, name, QASM_FUNCTION, how, lang_integer(a->lang.macro_count)) &&
	       lang_add_macro(&a->lang, function);
}

/* Expansions under way hold pointers to macros and functions, which may move. */
static bool is_outside(struct qasm *a, const char *at)
{
	const struct lang_frame *frame;

	for (frame = a->lang.frame; frame != a->around; frame = frame->up)
		if (!frame->file)
			return qasm_fail(a, at,
					 "a function is made outside of macros and repetitions");
	return true;
}

bool qasm_function(struct qasm *a, const char **at, const char *end)
{
	static const char *const begins[] = { ".func", NULL }, *const ends[] = { ".endf", NULL };
	const struct lang_token name = *qasm_peek(a);
	struct lang_macro function = { .name = { name.at, name.at + name.length } };

	if (!qasm_skip_block(a, at, end, begins, ends, NULL, &function.body))
		return false;
	if (name.kind != LANG_WORD)
		return qasm_fail(a, name.at, "the function's name is expected here");
	a->lang.now++;
	return is_outside(a, name.at) && take_parameters(a, &function) && qasm_end_of_line(a) &&
	       remember(a, &name, QASM_ANEW, &function);
}

bool qasm_set_function(struct qasm *a, unsigned int how)
{
	const struct lang_token name = *qasm_peek(a);
	const struct lang_token *last = &a->tokens[a->token_count - 1];
	struct lang_macro function = { .name = { name.at, name.at + name.length } };

	a->lang.now++;
	if (!is_outside(a, name.at) || !take_parameters(a, &function))
		return false;
	qasm_accept(a, ',');
	function.body = (struct lang_slice){ qasm_peek(a)->at, last->at };
	a->lang.now = (struct lang_token *)last;
	return remember(a, &name, how, &function);
}

static bool read_lines(struct lang *l, void *opaque)
{
	const struct lang_macro *function = opaque;

	return qasm_block(qasm_of(l), function->body.at, function->body.end);
}

/* The line that asks is left as it is while the function's are read. */
static bool evaluate(struct qasm *a, const struct lang_macro *function, struct lang_frame *frame,
		     struct qasm_result *result)
{
	struct lang_token *const tokens = a->tokens, *const now = a->lang.now;
	const uint32_t count = a->token_count, room = a->token_room;
	struct qasm_result *const outer = a->result;
	const enum qasm_role role = a->role;
	const unsigned int inside = a->lang.inside;
	const bool operand = a->operand;
	bool ok;

	a->tokens = NULL;
	a->token_room = 0;
	a->result = result;
	a->role = QASM_ANY_ROLE;
	a->operand = false;
	a->lang.inside = 0;
	frame->scope = ++a->scopes;
	ok = lang_expand(&a->lang, frame, read_lines, (void *)function);
	free(a->tokens);
	a->tokens = tokens;
	a->token_count = count;
	a->token_room = room;
	a->result = outer;
	a->role = role;
	a->operand = operand;
	a->lang.inside = inside;
	a->lang.now = now;
	if (!ok)
		*now = (struct lang_token){ .kind = LANG_END, .at = now->at };
	return ok;
}

/* What the parameters stand for; "unknown" goes on into what the function comes to. */
static bool call(struct qasm *a, const struct lang_macro *function, const struct lang_token *name,
		 struct lang_value *value)
{
	struct lang_value values[LANG_MOST_PARAMETERS];
	struct lang_name bound[LANG_MOST_PARAMETERS];
	struct lang_frame frame = { .at = name->at, .function = true, .bound = bound };
	struct qasm_result result = { .found = false };
	bool unknown;
	uint32_t i;
	unsigned int count = lang_arguments(&a->lang, values, LANG_MOST_PARAMETERS, &unknown);

	if (a->lang.status)
		return false;
	if (count != function->count)
		return qasm_fail(a, name->at, "%.*s() takes %u value%s, not %u", (int)name->length,
				 name->at, function->count, function->count == 1 ? "" : "s", count);
	for (i = 0; i < count; i++)
		bound[i] = (struct lang_name){
			.text = function->parameters[i].at,
			.length = function->parameters[i].end - function->parameters[i].at,
			.value = values[i],
		};
	frame.bound_count = count;
	if (!qasm_step(a, name->at, 0))
		return false;
	if (unknown) {
		*value = (struct lang_value){ .kind = LANG_INTEGER, .unknown = true };
		return true;
	}
	if (!evaluate(a, function, &frame, &result))
		return false;
	*value = result.value;
	return result.found || qasm_fail(a, name->at, "%.*s() comes to nothing here",
					 (int)name->length, name->at);
}

bool qasm_call(struct lang *l, const struct lang_token *name, struct lang_value *value)
{
	struct qasm *a = qasm_of(l);
	const struct qasm_symbol *symbol = qasm_lookup(a, name);

	*value = lang_integer(0);
	if (!symbol || symbol->kind != QASM_FUNCTION || !symbol->defined)
		return qasm_vc4_function(a, name, value);
	call(a, &l->macros[symbol->value.integer], name, value);
	return true;
}
