// SPDX-License-Identifier: MIT
/* Macros, repetitions, conditions: pieces of the text that are read again, or not. */
#include <stdlib.h>
#include <string.h>

#include "assembler.h"

/* The line at @at, its first word: ".endm"? */
static bool line_begins(const char *at, const char *end, const char *word)
{
	const char *to;

	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	for (to = at; to < end && *to > ' ' && *to != '#'; to++)
		;
	return lang_same(word, at, to - at);
}

/**
 * skip_block() - move behind the line that ends a block
 * @body: the lines before it
 * @other: another word that ends it at the same level, or NULL; @at stays before that line
 */
static bool skip_block(struct qasm *a, const char **at, const char *end, const char *begins, const char *ends, const char *other,
		       struct qasm_slice *body)
{
	const char *from = qasm_peek(a)->at;
	unsigned int level = 0;

	body->at = *at;
	while (*at < end) {
		const char *line = *at, *newline = memchr(line, '\n', end - line);

		if (!qasm_step(a, line, newline ? newline - line : end - line))
			return false;
		body->end = line;
		if (!level && other && line_begins(line, end, other))
			return true;
		*at = newline ? newline + 1 : end;
		if (line_begins(line, end, begins))
			level++;
		else if (line_begins(line, end, ends) && !level--)
			return true;
	}
	return qasm_fail(a, from, "%s without its %s", begins, ends);
}

static bool end_of_line(struct qasm *a)
{
	return qasm_peek(a)->kind == LANG_END || qasm_fail(a, qasm_peek(a)->at, "the end of the line is expected here");
}

/* Up to the next ',' outside of brackets, or the end of the line */
static struct qasm_slice take_slice(struct qasm *a)
{
	struct qasm_slice slice = { qasm_peek(a)->at, qasm_peek(a)->at };
	const struct lang_token *token;
	unsigned int level = 0;

	for (token = qasm_peek(a); token->kind != LANG_END && (level || token->kind != ','); token = qasm_peek(a)) {
		if (token->kind == '(' || token->kind == '[' || token->kind == '{')
			level++;
		else if (level && (token->kind == ')' || token->kind == ']' || token->kind == '}'))
			level--;
		slice.end = token->at + token->length;
		a->lang.now++;
	}
	return slice;
}

static bool take_parameters(struct qasm *a, struct qasm_macro *macro)
{
	while (qasm_peek(a)->kind == LANG_WORD) {
		const struct lang_token *name = qasm_peek(a);

		if (macro->count == QASM_MAX_PARAMETERS)
			return qasm_fail(a, name->at, "a macro has %u parameters at most", QASM_MAX_PARAMETERS);
		macro->parameters[macro->count] = (struct qasm_slice){ name->at, name->at + name->length };
		macro->defaults[macro->count] = (struct qasm_slice){ NULL, NULL };
		a->lang.now++;
		if (qasm_accept(a, '='))
			macro->defaults[macro->count] = take_slice(a);
		macro->count++;
		qasm_accept(a, ',');
	}
	return end_of_line(a);
}

static bool add_macro(struct qasm *a, const struct qasm_macro *macro)
{
	uint32_t room = a->macro_room ? a->macro_room * 2 : 16;
	struct qasm_macro *macros;

	if (a->macro_count == a->macro_room) {
		macros = realloc(a->macros, room * sizeof(*macros));
		if (!macros)
			return qasm_no_memory(a);
		a->macros = macros;
		a->macro_room = room;
	}
	a->macros[a->macro_count++] = *macro;
	return true;
}

bool qasm_macro(struct qasm *a, const char **at, const char *end)
{
	const struct lang_token name = *qasm_peek(a);
	struct qasm_macro macro = { .name = { name.at, name.at + name.length } };

	/* Expansions under way hold pointers to macros, which may move. */
	if (a->frame)
		return qasm_fail(a, name.at, "a macro is made outside of macros and repetitions");
	if (name.kind != LANG_WORD)
		return qasm_fail(a, name.at, "the macro's name is expected here");
	a->lang.now++;
	qasm_accept(a, ',');
	return take_parameters(a, &macro) && skip_block(a, at, end, ".macro", ".endm", NULL, &macro.body) &&
	       qasm_define(a, &name, QASM_MACRO, lang_integer(a->macro_count)) &&
	       add_macro(a, &macro);
}

bool qasm_argument(const struct lang_frame *frame, const char *at, uint32_t length, struct qasm_slice *slice,
		   struct lang_frame **up)
{
	uint32_t i;

	/* The turns of a repetition inside of a macro see its parameters. */
	while (frame && !frame->macro)
		frame = frame->up;
	for (i = 0; frame && i < frame->macro->count; i++) {
		const struct qasm_slice *name = &frame->macro->parameters[i];

		if (name->end - name->at == length && !memcmp(name->at, at, length)) {
			*slice = frame->arguments[i];
			*up = frame->up;
			return true;
		}
	}
	return false;
}

static bool run(struct qasm *a, struct lang_frame *frame, const struct qasm_slice *body)
{
	bool ok;

	frame->up = a->frame;
	frame->scope = ++a->scopes;
	if (++a->lang.depth > LANG_MOST_DEPTH)
		return qasm_fail(a, frame->at, "macros and repetitions are nested deeper than %u levels", LANG_MOST_DEPTH);
	a->frame = frame;
	ok = qasm_block(a, body->at, body->end);
	a->frame = frame->up;
	a->lang.depth--;
	return ok;
}

/*
 * An argument as it stands in the text: up to the next ',' outside of brackets, or the end of the line. Blanks around it are not
 * its own.
 */
static struct qasm_slice take_argument(const char **at, const char *end)
{
	struct qasm_slice slice;
	unsigned int level = 0;

	while (*at < end && (**at == ' ' || **at == '\t'))
		(*at)++;
	slice = (struct qasm_slice){ *at, *at };
	for (; *at < end && (level || **at != ','); (*at)++) {
		if (**at == '#' || (**at == '/' && *at + 1 < end && (*at)[1] == '/')) {
			*at = end;
			break;
		}
		if (**at == '(' || **at == '[' || **at == '{')
			level++;
		else if (level && (**at == ')' || **at == ']' || **at == '}'))
			level--;
		if (**at != ' ' && **at != '\t' && **at != '\r')
			slice.end = *at + 1;
	}
	return slice;
}

static bool take_arguments(struct qasm *a, const struct qasm_macro *macro, struct lang_frame *frame)
{
	const char *at = qasm_peek(a)[-1].at + qasm_peek(a)[-1].length, *end = a->tokens[a->token_count - 1].at;
	const int name_length = macro->name.end - macro->name.at;
	uint32_t i = 0;

	while (qasm_peek(a)->kind != LANG_END && at < end) {
		if (i == macro->count)
			return qasm_fail(a, at, "%.*s has %u parameters; this is one more", name_length, macro->name.at,
					 macro->count);
		frame->arguments[i++] = take_argument(&at, end);
		if (at == end)
			break;
		at++;
	}
	for (; i < macro->count; i++) {
		if (!macro->defaults[i].at)
			return qasm_fail(a, end, "%.*s is given no %.*s", name_length, macro->name.at,
					 (int)(macro->parameters[i].end - macro->parameters[i].at), macro->parameters[i].at);
		frame->arguments[i] = macro->defaults[i];
	}
	return true;
}

bool qasm_expand(struct qasm *a, bool *known)
{
	const struct lang_token *name = qasm_peek(a);
	const struct qasm_symbol *symbol = name->kind == LANG_WORD ? qasm_lookup(a, name) : NULL;
	struct lang_frame frame = { .at = name->at };

	*known = symbol && symbol->kind == QASM_MACRO && symbol->defined;
	if (!*known)
		return true;
	if (name->frame != a->frame)
		return qasm_fail(a, name->at, "a macro's name cannot be an argument");
	frame.macro = &a->macros[symbol->value.integer];
	a->lang.now++;
	return take_arguments(a, frame.macro, &frame) && run(a, &frame, &frame.macro->body);
}

bool qasm_repeat(struct qasm *a, const char **at, const char *end)
{
	struct lang_token counter = { .kind = LANG_END };
	struct lang_frame frame = { .at = qasm_peek(a)->at };
	struct qasm_slice body;
	int64_t count, i;

	if (!qasm_known(a, "a repetition's count", 0, QASM_MAX_STEPS, &count))
		return false;
	if (qasm_accept(a, ',')) {
		counter = *qasm_peek(a);
		if (counter.kind != LANG_WORD)
			return qasm_fail(a, counter.at, "a name for the number of the turn is expected here");
		a->lang.now++;
	}
	if (!end_of_line(a) || !skip_block(a, at, end, ".rept", ".endr", NULL, &body))
		return false;
	for (i = 0; i < count; i++) {
		if (!qasm_step(a, frame.at, 0))
			return false;
		if (counter.kind == LANG_WORD && !qasm_define(a, &counter, QASM_SET, lang_integer(i)))
			return false;
		if (!run(a, &frame, &body))
			return false;
	}
	return true;
}

/* Lines in the scope of what they stand in */
static bool run_plain(struct qasm *a, const struct qasm_slice *body)
{
	bool ok;

	if (++a->lang.depth > LANG_MOST_DEPTH)
		return qasm_fail(a, body->at, "conditions are nested deeper than %u levels", LANG_MOST_DEPTH);
	ok = qasm_block(a, body->at, body->end);
	a->lang.depth--;
	return ok;
}

bool qasm_if(struct qasm *a, const char **at, const char *end)
{
	struct qasm_slice yes, no = { NULL, NULL };
	int64_t condition;

	if (!qasm_known(a, "a condition", INT64_MIN, INT64_MAX, &condition) || !end_of_line(a) ||
	    !skip_block(a, at, end, ".if", ".endif", ".else", &yes))
		return false;
	if (*at < end && line_begins(*at, end, ".else")) {
		const char *newline = memchr(*at, '\n', end - *at);

		*at = newline ? newline + 1 : end;
		if (!skip_block(a, at, end, ".if", ".endif", NULL, &no))
			return false;
	}
	if (condition)
		return run_plain(a, &yes);
	return !no.at || run_plain(a, &no);
}
