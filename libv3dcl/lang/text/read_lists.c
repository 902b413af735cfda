// SPDX-License-Identifier: MIT
/*
 * Control lists that run as they are: lists { bin { RECORD... } render { RECORD... } }, or bin at
 * PLACE size N
 */
#include <errno.h>

#include "script.h"

/* at PLACE size BYTES */
static void placed(struct script_reader *r, struct script_range *range)
{
	struct lang_value place = script_place(r);

	if (!script_take_word(r, "size"))
		script_fail(r, -EINVAL, r->now.at,
			    "expected 'size' and the bytes of the list here");
	if (r->lang.status)
		return;
	range->thing = place.thing;
	range->offset = place.integer;
	range->size = script_integer(r, 1, script_size(r, place.thing) - place.integer);
}

static void list_statement(struct script_reader *r, void *opaque)
{
	struct script_lists *lists = opaque;
	struct script_data data = { .thing = UINT32_MAX };
	const char *at = r->now.at;
	unsigned int which;

	if (script_take_word(r, "bin")) {
		which = 0;
	} else if (script_take_word(r, "render")) {
		which = 1;
	} else {
		script_fail(r, -EINVAL, at, "expected 'bin' or 'render' here");
		return;
	}
	data.bytes = &lists->list[which];
	if (data.bytes->data.size || lists->place[which].size)
		script_fail(r, -EINVAL, at, "there is such a list already");
	if (script_take_word(r, "at"))
		placed(r, &lists->place[which]);
	else
		script_block(r, script_data_statement, &data);
}

static bool is_empty(const struct script_lists *lists, unsigned int which)
{
	return !lists->list[which].data.size && !lists->place[which].size;
}

/* lists { ... } */
void script_lists(struct script_reader *r, const char *at)
{
	struct script_lists lists = { 0 };
	struct script_step *step;

	script_block(r, list_statement, &lists);
	if (is_empty(&lists, 0) && is_empty(&lists, 1))
		script_fail(r, -EINVAL, at, "there are no lists here");
	step = script_add_step(r, SCRIPT_LISTS, at);
	if (step) {
		step->lists = lists;
		return;
	}
	script_bytes_free(&lists.list[0]);
	script_bytes_free(&lists.list[1]);
}
