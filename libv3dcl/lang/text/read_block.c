// SPDX-License-Identifier: MIT
/* Blocks, and what may stand in all of them: constants, repetitions, conditions. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/param.h>

#include "script.h"

#define MOST_MACROS 4096

/* A statement, of the block's kind or of all blocks' */
void script_line(struct script_reader *r, script_statement *statement, void *opaque)
{
	if (r->now.kind == LANG_LINE) {
		script_next(r);
		return;
	}
	if (!script_control(r, statement, opaque))
		statement(r, opaque);
	script_end_of_line(r);
}

/* Statements in braces; names that are given in it end with it */
static void read_block(struct script_reader *r, script_statement *statement, void *opaque)
{
	uint32_t names = r->name_count;

	script_need_sign(r, '{');
	while (!r->lang.status && !script_sign(r, '}')) {
		if (r->now.kind == LANG_END)
			script_fail(r, -EINVAL, r->now.at,
				    "expected the '}' of a block before the end");
		script_line(r, statement, opaque);
	}
	script_take_sign(r, '}');
	r->name_count = names;
}

/* A block, one level deeper than what it stands in */
void script_block(struct script_reader *r, script_statement *statement, void *opaque)
{
	if (lang_enter(&r->lang))
		read_block(r, statement, opaque);
	r->lang.depth--;
}

/* The macro whose name is at hand, or NULL */
static const struct lang_macro *find_macro(const struct script_reader *r)
{
	const struct lang_macro *macros = r->lang.macros;
	uint32_t i;

	for (i = 0; r->now.kind == LANG_WORD && i < r->lang.macro_count; i++)
		if (lang_slice_is(&macros[i].name, r->now.at, r->now.length))
			return &macros[i];
	return NULL;
}

/*
 * Over a block as if it were not there; what stands in it need not make sense, its braces and
 * strings must.
 * @end: set to behind its closing brace
 */
static void skip_block(struct script_reader *r, const char **end)
{
	unsigned int depth = 0;

	if (!script_sign(r, '{'))
		script_need_sign(r, '{');
	while (!r->lang.status) {
		if (script_sign(r, '{')) {
			depth++;
		} else if (script_sign(r, '}')) {
			if (!--depth)
				break;
		} else if (r->now.kind == LANG_END) {
			script_fail(r, -EINVAL, r->now.at,
				    "expected the '}' of a block before the end");
		}
		script_next(r);
	}
	*end = r->now.at + r->now.length;
	script_take_sign(r, '}');
}

/**
 * script_assignment() - NAME = VALUE.
 * @what: that the name is of, for messages.
 *
 * Return: the name
 */
struct lang_token script_assignment(struct script_reader *r, const char *what,
				    struct lang_value *value)
{
	struct lang_token name = r->now;

	if (!script_may_name(&name))
		script_fail(r, -EINVAL, name.at, "expected the name of %s here", what);
	script_next(r);
	script_need_sign(r, '=');
	*value = script_expression(r);
	return name;
}

/* const NAME = VALUE */
static void constant(struct script_reader *r)
{
	struct lang_value value;
	struct lang_token name = script_assignment(r, "a constant", &value);

	if (!r->lang.status)
		script_name(r, name.at, name.length, &value);
}

/**
 * struct expansion - a block that is read again, or elsewhere than it stands: where it begins, what
 * its statements are
 */
struct expansion {
	const char *block;
	script_statement *statement;
	void *opaque;
};

static bool read_again(struct lang *l, void *opaque)
{
	struct script_reader *r = (struct script_reader *)l;
	const struct expansion *expansion = opaque;

	script_seek(r, expansion->block);
	read_block(r, expansion->statement, expansion->opaque);
	return !l->status;
}

/* repeat NAME COUNT { ... }, the name counting from 0 */
static void repeat(struct script_reader *r, script_statement *statement, void *opaque)
{
	struct lang_token name = r->now;
	struct lang_value i = { .kind = LANG_INTEGER };
	uint32_t names = r->name_count;
	struct expansion expansion = { .statement = statement, .opaque = opaque };
	struct lang_frame frame = { .at = name.at };
	int64_t count;

	if (!script_may_name(&name))
		script_fail(r, -EINVAL, name.at, "expected the name of a counter here");
	script_next(r);
	count = script_integer(r, 0, UINT32_MAX);
	expansion.block = r->now.at;
	if (!count)
		skip_block(r, &(const char *){ NULL });
	for (; i.integer < count && !r->lang.status; i.integer++) {
		script_name(r, name.at, name.length, &i);
		lang_expand(&r->lang, &frame, read_again, &expansion);
		r->name_count = names;
	}
}

/* if CONDITION { ... } [else if ... | else { ... }] */
static void condition(struct script_reader *r, script_statement *statement, void *opaque, bool done)
{
	bool yes = script_real(r) != 0 && !done;

	if (yes)
		script_block(r, statement, opaque);
	else
		skip_block(r, &(const char *){ NULL });
	if (!script_take_word(r, "else"))
		return;
	lang_enter(&r->lang);
	if (script_take_word(r, "if"))
		condition(r, statement, opaque, done || yes);
	else if (done || yes)
		skip_block(r, &(const char *){ NULL });
	else
		script_block(r, statement, opaque);
	r->lang.depth--;
}

/* assert CONDITION, for files that others give constants to */
static void number_in_words(char *text, size_t room, const struct lang_value *value)
{
	if (value->kind == LANG_REAL)
		snprintf(text, room, "%.9g", value->real);
	else if (value->kind == LANG_BITS || value->integer > 9)
		snprintf(text, room, "%lld = 0x%llx", (long long)value->integer,
			 (unsigned long long)value->integer);
	else
		snprintf(text, room, "%lld", (long long)value->integer);
}

/* assert CONDITION: what it compares is told */
static void assertion(struct script_reader *r)
{
	const struct lang_compared *compared = &r->lang.compared;
	const char *at = r->now.at;
	struct lang_value value;
	char x[48], y[48];

	r->lang.compared = (struct lang_compared){ 0 };
	value = script_expression(r);
	if (value.kind == LANG_ADDRESS)
		script_fail(r, -EINVAL, at, "expected a number here");
	if (r->lang.status || lang_is_true(&value))
		return;
	if (!compared->op) {
		script_fail(r, -EINVAL, at, "this is not so: it comes to 0");
		return;
	}
	number_in_words(x, sizeof(x), &compared->x);
	number_in_words(y, sizeof(y), &compared->y);
	script_fail(r, -EINVAL, at, "this is not so: left of '%.*s' is %s, right of it %s",
		    (int)compared->length, compared->op, x, y);
}

/* macro NAME [PARAMETER [= DEFAULT], ...] { ... } */
static void make_macro(struct script_reader *r)
{
	struct lang_macro macro = { .name = { r->now.at, r->now.at + r->now.length } };

	/* Expansions under way hold pointers to macros, which may move. */
	if (r->lang.frame)
		script_fail(r, -EINVAL, r->now.at,
			    "a macro is made outside of macros and repetitions");
	else if (!script_may_name(&r->now))
		script_fail(r, -EINVAL, r->now.at, "expected the name of a macro here");
	else if (find_macro(r))
		script_fail(r, -EINVAL, r->now.at, "there is a macro of this name already");
	else if (r->lang.macro_count == MOST_MACROS)
		script_fail(r, -E2BIG, r->now.at, "more than %d macros", MOST_MACROS);
	script_next(r);
	if (!lang_take_parameters(&r->lang, &macro))
		return;
	macro.body.at = r->now.at;
	skip_block(r, &macro.body.end);
	if (!r->lang.status)
		lang_add_macro(&r->lang, &macro);
}

/* NAME [ARGUMENT, ...] up to the end of the statement: the macro's block */
static void expand(struct script_reader *r, const struct lang_macro *macro,
		   script_statement *statement, void *opaque)
{
	struct expansion expansion = { macro->body.at, statement, opaque };
	struct lang_frame frame = { .macro = macro, .at = r->now.at };
	const char *at = r->at, *end = r->end;
	uint64_t work;

	if (r->slice_count) {
		script_fail(r, -EINVAL, r->now.at, "a macro's name cannot be an argument");
		return;
	}
	if (!lang_take_arguments(&r->lang, macro, &at, end, &frame))
		return;
	work = (at - r->at) / 64;
	r->work -= MIN(r->work, work);
	r->end = macro->body.end;
	lang_expand(&r->lang, &frame, read_again, &expansion);
	r->end = end;
	script_seek(r, at);
}

/* A statement that all blocks have. Return: false: it is none of them */
bool script_control(struct script_reader *r, script_statement *statement, void *opaque)
{
	const struct lang_macro *macro = find_macro(r);

	if (macro)
		expand(r, macro, statement, opaque);
	else if (script_take_word(r, "macro"))
		make_macro(r);
	else if (script_take_word(r, "const"))
		constant(r);
	else if (script_take_word(r, "repeat"))
		repeat(r, statement, opaque);
	else if (script_take_word(r, "if"))
		condition(r, statement, opaque, false);
	else if (script_take_word(r, "assert"))
		assertion(r);
	else
		return false;
	return true;
}
