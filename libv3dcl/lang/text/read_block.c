// SPDX-License-Identifier: MIT
/* Blocks, and what may stand in all of them: constants, repetitions, conditions. */
#include <errno.h>
#include <stdint.h>

#include "script.h"

/** script_line() - a statement, of the block's kind or of all blocks' */
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

/** script_block() - statements in braces; names that are given in it end with it */
void script_block(struct script_reader *r, script_statement *statement, void *opaque)
{
	uint32_t names = r->name_count;

	script_need_sign(r, '{');
	if (r->lang.depth++ >= LANG_MOST_DEPTH)
		script_fail(r, -E2BIG, r->now.at, "more than %u blocks inside each other", LANG_MOST_DEPTH);
	while (!r->lang.status && !script_sign(r, '}')) {
		if (r->now.kind == LANG_END)
			script_fail(r, -EINVAL, r->now.at, "expected the '}' of a block before the end");
		script_line(r, statement, opaque);
	}
	script_take_sign(r, '}');
	r->lang.depth--;
	r->name_count = names;
}

/* Over a block as if it were not there; what stands in it need not make sense, its braces and strings must */
static void skip_block(struct script_reader *r)
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
			script_fail(r, -EINVAL, r->now.at, "expected the '}' of a block before the end");
		}
		script_next(r);
	}
	script_take_sign(r, '}');
}

/** script_assignment() - NAME = VALUE. @what: that the name is of, for messages. Return: the name */
struct lang_token script_assignment(struct script_reader *r, const char *what, struct lang_value *value)
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

/* repeat NAME COUNT { ... }, the name counting from 0 */
static void repeat(struct script_reader *r, script_statement *statement, void *opaque)
{
	struct lang_token name = r->now;
	struct lang_value i = { .kind = LANG_INTEGER };
	uint32_t names = r->name_count;
	int64_t count;
	const char *block;

	if (!script_may_name(&name))
		script_fail(r, -EINVAL, name.at, "expected the name of a counter here");
	script_next(r);
	count = script_integer(r, 0, UINT32_MAX);
	block = r->now.at;
	if (!count)
		skip_block(r);
	for (; i.integer < count && !r->lang.status; i.integer++) {
		script_seek(r, block);
		script_name(r, name.at, name.length, &i);
		script_block(r, statement, opaque);
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
		skip_block(r);
	if (!script_take_word(r, "else"))
		return;
	if (r->lang.depth++ >= LANG_MOST_DEPTH)
		script_fail(r, -E2BIG, r->now.at, "more than %u conditions after each other", LANG_MOST_DEPTH);
	if (script_take_word(r, "if"))
		condition(r, statement, opaque, done || yes);
	else if (done || yes)
		skip_block(r);
	else
		script_block(r, statement, opaque);
	r->lang.depth--;
}

/* assert CONDITION, for files that others give constants to */
static void assertion(struct script_reader *r)
{
	const char *at = r->now.at;

	if (script_real(r) == 0)
		script_fail(r, -EINVAL, at, "this is not so");
}

/** script_control() - a statement that all blocks have. Return: false: it is none of them */
bool script_control(struct script_reader *r, script_statement *statement, void *opaque)
{
	if (script_take_word(r, "const"))
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
