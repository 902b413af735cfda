// SPDX-License-Identifier: MIT
/*
 * .back: instructions that go before others that are there already, such as a branch before the
 * three that fill its delay slots.
 */
#include <string.h>

#include "assembler.h"

#define MOST 64u

/* Instructions that wait until the block before them is complete */
struct waiting {
	uint64_t code[MOST];
	uint32_t lines[MOST], count;
};

static void take_off(struct qasm *a, struct waiting *w)
{
	a->code_count -= w->count;
	if (!a->final)
		return;
	a->code.size -= w->count * sizeof(*w->code);
	a->lines.size -= w->count * sizeof(*w->lines);
	memcpy(w->code, a->code.bytes + a->code.size, w->count * sizeof(*w->code));
	memcpy(w->lines, a->lines.bytes + a->lines.size, w->count * sizeof(*w->lines));
}

/* A relative branch leads to where it led. */
static uint64_t moved(uint64_t word, uint32_t by)
{
	struct v3d_qpu_inst inst = v3d_qpu_decode(word);

	if (inst.kind != V3D_QPU_BRANCH || !inst.rel)
		return word;
	inst.immediate -= by * V3D_QPU_INSTRUCTION_BYTES;
	return v3d_qpu_encode(&inst);
}

static bool put_back(struct qasm *a, const char *at, const struct waiting *w, uint32_t by)
{
	uint32_t i;

	if (a->code_count + w->count > QASM_MAX_CODE)
		return qasm_give_up(a, at, "more than %u instructions", QASM_MAX_CODE);
	a->code_count += w->count;
	for (i = 0; a->final && i < w->count; i++) {
		const uint64_t word = moved(w->code[i], by);

		v3dcl_buffer_add(&a->code, &word, sizeof(word));
		v3dcl_buffer_add(&a->lines, &w->lines[i], sizeof(w->lines[i]));
	}
	return !(a->code.failed || a->lines.failed) || qasm_no_memory(a);
}

bool qasm_back(struct qasm *a, const char **at, const char *end)
{
	static const char *const begins[] = { ".back", NULL }, *const ends[] = { ".endb", NULL };
	const char *place = qasm_peek(a)->at;
	struct waiting w = { .count = 0 };
	struct lang_frame frame = { .at = place };
	struct lang_slice body;
	uint32_t first;
	int64_t count;
	bool ok;

	if (!qasm_skip_block(a, at, end, begins, ends, NULL, &body) ||
	    !qasm_known(a, "how far back", 0, MOST, &count) || !qasm_end_of_line(a))
		return false;
	if (count > a->code_count)
		return qasm_fail(a, place, "there are only %u instructions before", a->code_count);
	qasm_close(a);
	w.count = count;
	take_off(a, &w);
	first = a->code_count;
	a->backs++;
	qasm_mark_labels(a, first);
	ok = qasm_run(a, &frame, &body);
	qasm_move_labels(a, a->code_count - first);
	a->backs--;
	return ok && put_back(a, place, &w, a->code_count - first);
}
