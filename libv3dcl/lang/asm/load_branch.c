// SPDX-License-Identifier: MIT
/* Instructions that are no ALU operations: loads, semaphores, branches. */
#include "../../base/helpers.h"
#include "assembler.h"

/* Destinations of a load or branch as written */
struct target_list {
	struct v3dcl_qpu_operand to[2];
	uint8_t conditions[2];
	const char *at[2];
	unsigned int count;
};

static bool take_targets(struct qasm *a, uint8_t condition, bool conditional,
			 struct target_list *list)
{
	while (list->count < 2 && qasm_is_destination(a)) {
		const unsigned int n = list->count++;

		list->at[n] = qasm_peek(a)->at;
		list->conditions[n] = condition;
		if (!qasm_destination(a, &list->to[n], conditional ? &list->conditions[n] : NULL) ||
		    !qasm_expect(a, ',', "','"))
			return false;
	}
	return true;
}

static bool set_targets(struct qasm *a, const struct target_list *list, struct v3d_qpu_inst *inst)
{
	struct v3dcl_qpu_pair pair = { .signal = V3D_QPU_SIG_NONE };
	struct qasm_conflict conflict;

	if (list->count > 0) {
		pair.add.op = V3D_QPU_ADD_OR;
		pair.add.to = list->to[0];
		inst->cond_add = list->conditions[0];
	}
	if (list->count > 1) {
		pair.mul.op = V3D_QPU_MUL_V8MIN;
		pair.mul.to = list->to[1];
		inst->cond_mul = list->conditions[1];
	}
	if (qasm_join_results(&pair, inst, &conflict))
		return true;
	return qasm_fail(a, list->at[conflict.part == QASM_MUL_TO], "%s", conflict.text);
}

static bool take_lane(struct qasm *a, bool is_signed, unsigned int lane, uint32_t *word)
{
	int64_t value;

	if (!qasm_range(a, "an element", is_signed ? -2 : 0, is_signed ? 1 : 3, &value))
		return false;
	*word |= (uint32_t)(value & 1) << lane | (uint32_t)(value >> 1 & 1)
							 << (lane + V3D_QPU_LANES);
	return true;
}

static bool names_element(const struct qasm *a)
{
	const struct lang_token *token;

	for (token = qasm_peek(a); token->kind != LANG_END && token->kind != ';'; token++)
		if (qasm_is(token, "element"))
			return true;
	return false;
}

/* A list of 16, an expression in which "element" goes from 0 to 15, or the 32 bits */
static bool take_lanes(struct qasm *a, bool is_signed, uint32_t *word)
{
	struct lang_token *const start = a->lang.now;
	unsigned int lane;

	*word = 0;
	if (qasm_accept(a, '[')) {
		for (lane = 0; lane < V3D_QPU_LANES; lane++)
			if (!take_lane(a, is_signed, lane, word) ||
			    (lane < V3D_QPU_LANES - 1 &&
			     !qasm_expect(a, ',', "',' and 16 elements")))
				return false;
		return qasm_expect(a, ']', "']' after 16 elements");
	}
	if (!names_element(a))
		return qasm_word(a, word);
	for (lane = 0; lane < V3D_QPU_LANES; lane++) {
		a->lang.now = start;
		a->element = lane;
		if (!take_lane(a, is_signed, lane, word))
			return false;
	}
	a->element = -1;
	return true;
}

static bool take_load(struct qasm *a, const struct lang_token *name, int kind,
		      struct v3d_qpu_inst *inst)
{
	uint8_t condition = V3D_QPU_COND_ALWAYS;
	struct target_list list = { .count = 0 };
	bool set_flags = false;

	*inst = (struct v3d_qpu_inst){ .kind = kind, .sig = V3D_QPU_SIG_LOAD_IMMEDIATE };
	inst->unpack = kind == V3D_QPU_LOAD_SIGNED ? 1 : kind == V3D_QPU_LOAD_UNSIGNED ? 3 : 0;
	if (!qasm_suffixes(a, name, qasm_conditions, &condition, &set_flags) ||
	    !take_targets(a, condition, true, &list))
		return false;
	if (!list.count)
		return qasm_fail(a, qasm_peek(a)->at, "a destination and ',' are expected here");
	inst->sf = set_flags;
	if (kind == V3D_QPU_LOAD_32 ? !qasm_word(a, &inst->immediate) :
	    !take_lanes(a, kind == V3D_QPU_LOAD_SIGNED, &inst->immediate))
		return false;
	return set_targets(a, &list, inst);
}

static bool take_semaphore(struct qasm *a, const struct lang_token *name, bool down,
			   struct v3d_qpu_inst *inst)
{
	uint8_t condition = V3D_QPU_COND_ALWAYS;
	struct target_list list = { .count = 0 };
	bool set_flags = false;
	int64_t number;

	*inst = (struct v3d_qpu_inst){ .kind = V3D_QPU_SEMAPHORE, .sig = V3D_QPU_SIG_LOAD_IMMEDIATE,
				       .unpack = 4 };
	if (!qasm_suffixes(a, name, qasm_conditions, &condition, &set_flags) ||
	    !take_targets(a, condition, true, &list) ||
	    !qasm_range(a, "a semaphore", 0, V3D_QPU_SEMAPHORES - 1, &number))
		return false;
	inst->sf = set_flags;
	inst->immediate = number | (down ? 1 << 4 : 0);
	return set_targets(a, &list, inst);
}

/*
 * Where it leads: a label, a distance in bytes from the instruction four further on (brr), or an
 * address (bra)
 */
static bool take_place(struct qasm *a, struct v3d_qpu_inst *inst)
{
	const char *at = qasm_peek(a)->at;
	const int64_t next = ((int64_t)a->code_count + V3D_QPU_BRANCH_SLOTS + 1) *
			     V3D_QPU_INSTRUCTION_BYTES;
	struct lang_value value;

	if (qasm_is_file_a(qasm_peek(a)))
		return true;
	if (!qasm_expression(a, &value))
		return false;
	if (value.kind != LANG_INTEGER)
		return qasm_fail(a, at, "a branch leads to a label or an integer");
	if (inst->rel && value.code)
		value.integer = (uint64_t)value.integer - next;
	if (value.integer < INT32_MIN ||
	    value.integer > (inst->rel && value.code ? INT32_MAX : UINT32_MAX))
		return qasm_fail(a, at, "this is too far away: 32 bits are signed bytes");
	inst->immediate = value.integer;
	if (!inst->rel && value.code && qasm_peek(a)->kind != '+')
		return qasm_fail(a, at,
				 "where a program will be in memory is not known here: use brr, or "
				 "add a register that holds it");
	return true;
}

static bool take_branch(struct qasm *a, const struct lang_token *name, bool relative,
			struct v3d_qpu_inst *inst)
{
	struct target_list list = { .count = 0 };
	const struct lang_token *token;
	bool set_flags = false;

	*inst = (struct v3d_qpu_inst){ .kind = V3D_QPU_BRANCH, .sig = V3D_QPU_SIG_BRANCH,
				       .rel = relative,
				       .cond_br = V3D_QPU_BRANCH_ALWAYS };
	if (!qasm_suffixes(a, name, qasm_branch_conditions, &inst->cond_br, &set_flags) ||
	    !take_targets(a, 0, false, &list) || !take_place(a, inst))
		return false;
	qasm_accept(a, '+');
	token = qasm_peek(a);
	if (qasm_is_file_a(token)) {
		struct v3dcl_qpu_operand o;

		if (!qasm_source(a, &o))
			return false;
		if (o.address > 31 || (set_flags && !(o.address & 1)))
			return qasm_fail(a, token->at, "%s",
					 o.address > 31 ?
						 "a branch adds one of ra0 to ra31" :
						 "a branch that sets flags adds a register with an "
						 "odd number: its lowest bit is that bit");
		inst->reg = 1;
		inst->branch_raddr_a = o.address;
	} else if (set_flags) {
		inst->branch_raddr_a = 1;
	}
	return set_targets(a, &list, inst);
}

bool qasm_load_branch(struct qasm *a, uint32_t length, struct v3d_qpu_inst *inst, bool *known)
{
	static const struct {
		const char *name;
		uint8_t kind, flag;
	} names[] = {
		{ "ldi", V3D_QPU_LOAD_32, 0 }, { "movi", V3D_QPU_LOAD_32, 0 },
		{ "ldis", V3D_QPU_LOAD_SIGNED, 0 }, { "ldiu", V3D_QPU_LOAD_UNSIGNED, 0 },
		{ "sacq", V3D_QPU_SEMAPHORE, 1 }, { "srel", V3D_QPU_SEMAPHORE, 0 },
		{ "brr", V3D_QPU_BRANCH, 1 }, { "bra", V3D_QPU_BRANCH, 0 },
	};
	const struct lang_token *name = qasm_peek(a);
	size_t i;

	*known = false;
	for (i = 0; i < COUNT(names); i++) {
		if (!lang_same(names[i].name, name->at, length))
			continue;
		*known = true;
		a->lang.now++;
		if (names[i].kind == V3D_QPU_BRANCH)
			return take_branch(a, name, names[i].flag, inst);
		if (names[i].kind == V3D_QPU_SEMAPHORE)
			return take_semaphore(a, name, names[i].flag, inst);
		return take_load(a, name, names[i].kind, inst);
	}
	return true;
}
