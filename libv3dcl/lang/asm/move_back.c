// SPDX-License-Identifier: MIT
/*
 * .back: instructions that go before others that are there already, such as a branch before the
 * three that fill its delay slots. .clone: others that are there already, once more, such as the
 * first three of a loop behind a branch to its fourth.
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

static bool is_relative(uint64_t word)
{
	const struct v3d_qpu_inst inst = v3d_qpu_decode(word);

	return inst.kind == V3D_QPU_BRANCH && inst.rel;
}

/* A relative branch leads to where it led. */
static uint64_t moved(uint64_t word, uint32_t by)
{
	struct v3d_qpu_inst inst = v3d_qpu_decode(word);

	if (!is_relative(word))
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

/* A label that stands before this place, with what follows it here and now */
static bool take_place(struct qasm *a, uint32_t *first)
{
	const struct lang_token label = *qasm_peek(a);
	const struct qasm_symbol *symbol;

	if (label.kind != LANG_LABEL && label.kind != LANG_WORD)
		return qasm_fail(a, label.at, "a label is expected here");
	a->lang.now++;
	symbol = label.kind == LANG_LABEL ? qasm_find_label(a, &label) : qasm_lookup(a, &label);
	if (!symbol || !symbol->defined || symbol->kind != QASM_LABEL)
		return qasm_fail(a, label.at, "no label '%.*s' of instructions stands before this",
				 (int)(label.length < 40 ? label.length : 40), label.at);
	*first = symbol->again / V3D_QPU_INSTRUCTION_BYTES;
	return true;
}

/* A relative branch would lead elsewhere: what it was to lead to is not known any more. */
static bool clone(struct qasm *a, uint32_t index, const char *at)
{
	uint64_t word = 0;

	if (a->final)
		memcpy(&word, a->code.bytes + index * sizeof(word), sizeof(word));
	if (a->final && is_relative(word))
		return qasm_fail(a, at, "a relative branch cannot be copied; write it");
	return qasm_emit(a, word, at);
}

bool qasm_clone(struct qasm *a)
{
	const char *at = qasm_peek(a)->at;
	uint32_t first = 0, i;
	int64_t count;

	if (a->in_data)
		return qasm_fail(a, at, "instructions among data; .text leads back to the program");
	if (!take_place(a, &first) || !qasm_expect(a, ',', "','"))
		return false;
	at = qasm_peek(a)->at;
	if (!qasm_known(a, "how many instructions", 0, QASM_MAX_CODE, &count))
		return false;
	if (first > a->code_count || count > a->code_count - first)
		return qasm_fail(a, at, "%lld are wanted; there are %u from the label to here",
				 (long long)count,
				 first > a->code_count ? 0 : a->code_count - first);
	for (i = 0; i < count; i++)
		if (!clone(a, first + i, at))
			return false;
	return true;
}
