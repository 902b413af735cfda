// SPDX-License-Identifier: MIT
/* Control lists that run as they are: lists { bin { RECORD... } render { RECORD... } } */
#include <errno.h>

#include "script.h"

static void list_statement(struct script_reader *r, void *opaque)
{
	struct script_lists *lists = opaque;
	struct script_data data = { .thing = UINT32_MAX };
	size_t at = r->now.at;

	if (script_take_word(r, "bin")) {
		data.bytes = &lists->list[0];
	} else if (script_take_word(r, "render")) {
		data.bytes = &lists->list[1];
	} else {
		script_fail(r, -EINVAL, at, "expected 'bin' or 'render' here");
		return;
	}
	if (data.bytes->data.size)
		script_fail(r, -EINVAL, at, "there is such a list already");
	script_block(r, script_data_statement, &data);
}

/** script_lists() - lists { ... } */
void script_lists(struct script_reader *r, size_t at)
{
	struct script_lists lists = { 0 };
	struct script_step *step;

	script_block(r, list_statement, &lists);
	if (!lists.list[0].data.size && !lists.list[1].data.size)
		script_fail(r, -EINVAL, at, "there are no lists here");
	step = script_add_step(r, SCRIPT_LISTS, at);
	if (step) {
		step->lists = lists;
		return;
	}
	script_bytes_free(&lists.list[0]);
	script_bytes_free(&lists.list[1]);
}
