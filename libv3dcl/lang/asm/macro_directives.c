// SPDX-License-Identifier: MIT
/* Macros, repetitions, conditions: pieces of the text that are read again, or not. */
#include <stdlib.h>
#include <string.h>

#include "assembler.h"

/* The line at @at: is its first word one of these? */
static bool line_begins(const char *at, const char *end, const char *const *words)
{
	const char *to;

	at = lang_skip_blanks(at, end, false);
	for (to = at; to < end && *to > ' ' && *to != '#' && *to != '('; to++)
		;
	for (; words && *words; words++)
		if (lang_same(*words, at, to - at))
			return true;
	return false;
}

/**
 * qasm_skip_block() - move behind the line that ends a block
 * @at: behind the line that begins it
 * @end: of the text
 * @begins: words that begin such a block, NULL last; the first is what messages call it
 * @ends: words that end it
 * @others: words that end it at the same level, or NULL; @at stays before that line
 * @body: the lines before it
 */
bool qasm_skip_block(struct qasm *a, const char **at, const char *end, const char *const *begins,
		     const char *const *ends, const char *const *others, struct lang_slice *body)
{
	const char *from = qasm_peek(a)->at;
	unsigned int level = 0;

	body->at = *at;
	while (*at < end) {
		const char *line = *at, *line_end = lang_line_end(line, end);

		if (!qasm_step(a, line, line_end - line))
			return false;
		body->end = line;
		if (!level && line_begins(line, end, others))
			return true;
		*at = line_end < end ? line_end + 1 : end;
		if (line_begins(line, end, begins))
			level++;
		else if (line_begins(line, end, ends) && !level--)
			return true;
	}
	return qasm_fail(a, from, "%s without its %s", begins[0], ends[0]);
}

bool qasm_end_of_line(struct qasm *a)
{
	return qasm_peek(a)->kind == LANG_END ||
	       qasm_fail(a, qasm_peek(a)->at, "the end of the line is expected here");
}

/* Is the line in no expansion, but at most in included texts? */
static bool is_outside(const struct qasm *a)
{
	const struct lang_frame *frame;

	for (frame = a->lang.frame; frame != a->around; frame = frame->up)
		if (!frame->file)
			return false;
	return true;
}

bool qasm_macro(struct qasm *a, const char **at, const char *end)
{
	const struct lang_token name = *qasm_peek(a);
	static const char *const begins[] = { ".macro", NULL }, *const ends[] = { ".endm", NULL };
	struct lang_macro macro = { .name = { name.at, name.at + name.length } };

	if (!qasm_skip_block(a, at, end, begins, ends, NULL, &macro.body))
		return false;
	/* Expansions under way hold pointers to macros, which may move. */
	if (!is_outside(a))
		return qasm_fail(a, name.at, "a macro is made outside of macros and repetitions");
	if (name.kind != LANG_WORD)
		return qasm_fail(a, name.at, "the macro's name is expected here");
	a->lang.now++;
	qasm_accept(a, ',');
	return lang_take_parameters(&a->lang, &macro) && qasm_end_of_line(a) &&
	       qasm_define(a, &name, QASM_MACRO, lang_integer(a->lang.macro_count)) &&
	       lang_add_macro(&a->lang, &macro);
}

static bool read_body(struct lang *l, void *opaque)
{
	const struct lang_slice *slice = opaque;

	return qasm_block(qasm_of(l), slice->at, slice->end);
}

bool qasm_run(struct qasm *a, struct lang_frame *frame, const struct lang_slice *body)
{
	frame->scope = ++a->scopes;
	return lang_expand(&a->lang, frame, read_body, (void *)body);
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
	       qasm_run(a, &frame, &frame.macro->body);
}

/* .rept COUNT [, NAME], or as vc4asm has it: .rep NAME, COUNT */
static bool take_count(struct qasm *a, bool name_first, int64_t *count, struct lang_token *counter)
{
	if (name_first) {
		*counter = *qasm_peek(a);
		a->lang.now += counter->kind == LANG_WORD;
		qasm_accept(a, ',');
	}
	if (!qasm_known(a, "a repetition's count", 0, QASM_MAX_STEPS, count))
		return false;
	if (!name_first && qasm_accept(a, ',')) {
		*counter = *qasm_peek(a);
		a->lang.now++;
	} else if (!name_first) {
		counter->kind = LANG_WORD;
		counter->length = 0;
	}
	if (counter->kind != LANG_WORD)
		return qasm_fail(a, counter->at,
				 "a name for the number of the turn is expected here");
	return qasm_end_of_line(a);
}

bool qasm_repeat(struct qasm *a, const char **at, const char *end, bool name_first)
{
	static const char *const begins[] = { ".rept", ".rep", NULL },
			  *const ends[] = { ".endr", NULL };
	struct lang_token counter = { .kind = LANG_END };
	struct lang_frame frame = { .at = qasm_peek(a)->at };
	struct lang_slice body;
	struct lang_name turn;
	int64_t count, i;

	if (!qasm_skip_block(a, at, end, begins, ends, NULL, &body) ||
	    !take_count(a, name_first, &count, &counter))
		return false;
	turn = (struct lang_name){ .text = counter.at, .length = counter.length };
	frame.bound = &turn;
	frame.bound_count = counter.length > 0;
	for (i = 0; i < count; i++) {
		turn.value = lang_integer(i);
		if (!qasm_step(a, frame.at, 0) || !qasm_run(a, &frame, &body))
			return false;
	}
	return true;
}

static bool take_values(struct qasm *a, struct v3dcl_buffer *values)
{
	struct lang_value value;

	while (qasm_peek(a)->kind != LANG_END) {
		if (values->size && !qasm_expect(a, ',', "','"))
			return false;
		if (!qasm_expression(a, &value))
			return false;
		if (!v3dcl_buffer_add(values, &value, sizeof(value)))
			return qasm_no_memory(a);
	}
	return true;
}

static bool run_each(struct qasm *a, struct lang_frame *frame, struct lang_name *turn,
		     const struct lang_slice *body, const struct v3dcl_buffer *values)
{
	const struct lang_value *value = (const struct lang_value *)values->bytes;
	size_t i;

	frame->bound = turn;
	frame->bound_count = 1;
	for (i = 0; i < values->size / sizeof(*value); i++) {
		turn->value = value[i];
		if (!qasm_step(a, frame->at, 0) || !qasm_run(a, frame, body))
			return false;
	}
	return true;
}

/* The values are taken before the lines are: those have tokens of their own. */
bool qasm_for_each(struct qasm *a, const char **at, const char *end)
{
	static const char *const begins[] = { ".foreach", NULL },
			  *const ends[] = { ".endfor", NULL };
	const struct lang_token name = *qasm_peek(a);
	struct lang_name turn = { .text = name.at, .length = name.length };
	struct lang_frame frame = { .at = name.at };
	struct v3dcl_buffer values = { 0 };
	struct lang_slice body;
	bool ok;

	if (!qasm_skip_block(a, at, end, begins, ends, NULL, &body))
		return false;
	if (name.kind != LANG_WORD)
		return qasm_fail(a, name.at, "a name for the value of the turn is expected here");
	a->lang.now++;
	qasm_accept(a, ',');
	ok = take_values(a, &values) && run_each(a, &frame, &turn, &body, &values);
	v3dcl_buffer_free(&values);
	return ok;
}

bool qasm_local(struct qasm *a, const char **at, const char *end)
{
	static const char *const begins[] = { ".local", NULL }, *const ends[] = { ".endloc", NULL };
	struct lang_frame frame = { .at = qasm_peek(a)->at };
	struct lang_slice body;

	return qasm_skip_block(a, at, end, begins, ends, NULL, &body) && qasm_end_of_line(a) &&
	       qasm_run(a, &frame, &body);
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

static const char *const if_begins[] = { ".if", ".ifset", NULL },
		  *const if_ends[] = { ".endif", NULL },
		  *const if_others[] = { ".else", ".elseif", NULL };

/* Has this name a value, a macro, a label here? */
static bool take_is_set(struct qasm *a, int64_t *is)
{
	const struct lang_token name = *qasm_peek(a);
	const struct qasm_symbol *symbol;
	struct lang_value value;

	if (name.kind != LANG_WORD)
		return qasm_fail(a, name.at, "a name is expected here");
	a->lang.now++;
	symbol = qasm_lookup(a, &name);
	*is = (symbol && symbol->defined) || qasm_find_value(a, &name, &value);
	return true;
}

static bool take_condition(struct qasm *a, bool is_set, int64_t *condition)
{
	return (is_set ? take_is_set(a, condition) :
			 qasm_known(a, "a condition", INT64_MIN, INT64_MAX, condition)) &&
	       qasm_end_of_line(a);
}

/* Behind the last line of the whole: what is left of it is not read. */
static bool skip_rest(struct qasm *a, const char **at, const char *end)
{
	struct lang_slice rest;

	return qasm_skip_block(a, at, end, if_begins, if_ends, NULL, &rest);
}

bool qasm_if(struct qasm *a, const char **at, const char *end, bool is_set)
{
	struct lang_slice body;
	int64_t condition;
	const char *rest;

	for (;;) {
		if (!qasm_skip_block(a, at, end, if_begins, if_ends, if_others, &body))
			return false;
		rest = *at;
		/* However the line turns out, the block ends where it ends. */
		if (rest < end && body.end == rest && !skip_rest(a, at, end))
			return false;
		if (!take_condition(a, is_set, &condition))
			return false;
		if (condition)
			return run_plain(a, &body);
		if (body.end != rest)
			return true;
		*at = rest;
		if (!qasm_lex(a, at, end))
			return false;
		is_set = false;
		a->lang.now++;
		if (!lang_same(".else", a->tokens[0].at, a->tokens[0].length))
			continue;
		return qasm_skip_block(a, at, end, if_begins, if_ends, NULL, &body) &&
		       qasm_end_of_line(a) && run_plain(a, &body);
	}
}
