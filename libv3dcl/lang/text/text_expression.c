// SPDX-License-Identifier: MIT
/*
 * What expressions of a job have for themselves: names of things and places, and bounds that are
 * told.
 */
#include <errno.h>
#include <inttypes.h>
#include <sys/param.h>

#include "script.h"

struct lang_value script_expression(struct script_reader *r)
{
	return lang_expression(&r->lang);
}

/* Where a field has names for its values, these are told */
static void unknown(struct script_reader *r, const struct lang_token *name)
{
	const struct cl_choice *choices = r->lang.choices, *choice;
	struct v3dcl_buffer names = { 0 };

	for (choice = choices; choice && choice->name; choice++)
		v3dcl_buffer_printf(&names, "%s%s", choice == choices ? "; values here are " : ", ",
				    choice->name);
	script_fail(r, -EINVAL, name->at, "%.*s is not the name of anything yet%s",
		    (int)MIN(name->length, 40), name->at,
		    names.failed || !names.bytes ? "" : (const char *)names.bytes);
	v3dcl_buffer_free(&names);
}

/* The value of a name */
struct lang_value script_resolve(struct lang *l, const struct lang_token *name)
{
	struct script_reader *r = (struct script_reader *)l;
	struct lang_value value = lang_integer(0);

	if (!script_find(r, name->at, name->length, &value))
		unknown(r, name);
	return value;
}

/* A whole number within bounds */
int64_t script_integer(struct script_reader *r, int64_t least, int64_t most)
{
	const char *at = r->now.at;
	struct lang_value value = script_expression(r);

	if (!lang_is_integer(&value))
		script_fail(r, -EINVAL, at, "expected a whole number here");
	else if (value.integer < least || value.integer > most)
		script_fail(r, -EINVAL, at, "%" PRId64 " is not from %" PRId64 " to %" PRId64,
			    value.integer, least, most);
	return r->lang.status ? least : value.integer;
}

/* Where a real number is meant, none is that lost its fraction on the way */
void script_not_cut(struct script_reader *r, const struct lang_value *value, const char *at)
{
	if (value->cut)
		script_fail(r, -EINVAL, at,
			    "a division of whole numbers has lost its fraction here: write "
			    "1.0 / 3 for a third, int(1 / 3) for 0");
}

double script_real(struct script_reader *r)
{
	const char *at = r->now.at;
	struct lang_value value = script_expression(r);

	script_not_cut(r, &value, at);
	if (value.kind == LANG_ADDRESS)
		script_fail(r, -EINVAL, at, "expected a number here");
	return r->lang.status ? 0 : lang_as_real(&value);
}

/* A place in memory or in a program, behind its last byte at most */
struct lang_value script_place(struct script_reader *r)
{
	const char *at = r->now.at;
	struct lang_value value = script_expression(r);

	if (value.kind != LANG_ADDRESS || value.thing == SCRIPT_FRAME_MEMORY)
		script_fail(r, -EINVAL, at, "expected a place in a buffer here");
	else if (value.integer < 0 || value.integer > script_size(r, value.thing))
		script_fail(r, -EINVAL, at, "byte %" PRId64 " is outside of %s, which has %u bytes",
			    value.integer, script_called(r, value.thing),
			    script_size(r, value.thing));
	if (r->lang.status)
		value = (struct lang_value){ .kind = LANG_ADDRESS };
	return value;
}
