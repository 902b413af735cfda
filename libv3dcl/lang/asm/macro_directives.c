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
static bool skip_block(struct qasm *a, const char **at, const char *end, const char *begins,
		       const char *ends, const char *other, struct lang_slice *body)
{
	const char *from = qasm_peek(a)->at;
	unsigned int level = 0;

	body->at = *at;
	while (*at < end) {
		const char *line = *at, *line_end = lang_line_end(line, end);

		if (!qasm_step(a, line, line_end - line))
			return false;
		body->end = line;
		if (!level && other && line_begins(line, end, other))
			return true;
		*at = line_end < end ? line_end + 1 : end;
		if (line_begins(line, end, begins))
			level++;
		else if (line_begins(line, end, ends) && !level--)
			return true;
	}
	return qasm_fail(a, from, "%s without its %s", begins, ends);
}

static bool end_of_line(struct qasm *a)
{
	return qasm_peek(a)->kind == LANG_END ||
	       qasm_fail(a, qasm_peek(a)->at, "the end of the line is expected here");
}

bool qasm_macro(struct qasm *a, const char **at, const char *end)
{
	const struct lang_token name = *qasm_peek(a);
	struct lang_macro macro = { .name = { name.at, name.at + name.length } };

	/* Expansions under way hold pointers to macros, which may move. */
	if (a->lang.frame != a->around)
		return qasm_fail(a, name.at, "a macro is made outside of macros and repetitions");
	if (name.kind != LANG_WORD)
		return qasm_fail(a, name.at, "the macro's name is expected here");
	a->lang.now++;
	qasm_accept(a, ',');
	return lang_take_parameters(&a->lang, &macro) && end_of_line(a) &&
	       skip_block(a, at, end, ".macro", ".endm", NULL, &macro.body) &&
	       qasm_define(a, &name, QASM_MACRO, lang_integer(a->lang.macro_count)) &&
	       lang_add_macro(&a->lang, &macro);
}

static bool read_body(struct lang *l, void *opaque)
{
	const struct lang_slice *slice = opaque;

	return qasm_block(qasm_of(l), slice->at, slice->end);
}

static bool run(struct qasm *a, struct lang_frame *frame, const struct lang_slice *slice)
{
	frame->scope = ++a->scopes;
	return lang_expand(&a->lang, frame, read_body, (void *)slice);
}

bool qasm_expand(struct qasm *a, bool *known)
{
	const struct lang_token *name = qasm_peek(a);
	const struct qasm_symbol *symbol = name->kind == LANG_WORD ? qasm_lookup(a, name) : NULL;
	struct lang_frame frame = { .at = name->at };
	const char *at, *end;

	*known = symbol && symbol->kind == QASM_MACRO && symbol->defined;
	if (!*known)
		return true;
	if (name->frame != a->lang.frame)
		return qasm_fail(a, name->at, "a macro's name cannot be an argument");
	frame.macro = &a->lang.macros[symbol->value.integer];
	end = a->tokens[a->token_count - 1].at;
	at = name[1].kind == LANG_END ? end : name->at + name->length;
	a->lang.now++;
	return lang_take_arguments(&a->lang, frame.macro, &at, end, &frame) &&
	       run(a, &frame, &frame.macro->body);
}

bool qasm_repeat(struct qasm *a, const char **at, const char *end)
{
	struct lang_token counter = { .kind = LANG_END };
	struct lang_frame frame = { .at = qasm_peek(a)->at };
	struct lang_slice body;
	int64_t count, i;

	if (!qasm_known(a, "a repetition's count", 0, QASM_MAX_STEPS, &count))
		return false;
	if (qasm_accept(a, ',')) {
		counter = *qasm_peek(a);
		if (counter.kind != LANG_WORD)
			return qasm_fail(a, counter.at,
					 "a name for the number of the turn is expected here");
		a->lang.now++;
	}
	if (!end_of_line(a) || !skip_block(a, at, end, ".rept", ".endr", NULL, &body))
		return false;
	for (i = 0; i < count; i++) {
		if (!qasm_step(a, frame.at, 0))
			return false;
		if (counter.kind == LANG_WORD &&
		    !qasm_define(a, &counter, QASM_SET, lang_integer(i)))
			return false;
		if (!run(a, &frame, &body))
			return false;
	}
	return true;
}

/* Lines in the scope of what they stand in */
static bool run_plain(struct qasm *a, const struct lang_slice *body)
{
	bool ok;

	if (++a->lang.depth > LANG_MOST_DEPTH)
		return qasm_fail(a, body->at, "conditions are nested deeper than %u levels",
				 LANG_MOST_DEPTH);
	ok = qasm_block(a, body->at, body->end);
	a->lang.depth--;
	return ok;
}

bool qasm_if(struct qasm *a, const char **at, const char *end)
{
	struct lang_slice yes, no = { NULL, NULL };
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
