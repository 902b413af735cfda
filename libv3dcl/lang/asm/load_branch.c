// SPDX-License-Identifier: MIT
/* Instructions that are no ALU operations: loads, semaphores, branches. */
#include "../../base/helpers.h"
#include "assembler.h"

/* Destinations of a load or branch as written */
struct target_list {
	struct v3dcl_qpu_operand to[2];
	uint8_t conditions[2];
	bool given[2], set_flags;
	const char *at[2];
	unsigned int count;
};

/* No condition stands behind the mnemonic. */
#define UNSAID 0xff

static bool take_target(struct qasm *a, uint8_t condition, bool conditional,
			struct target_list *list)
{
	const unsigned int n = list->count++;
	struct qasm_target target;

	list->at[n] = qasm_peek(a)->at;
	if (!qasm_destination(a, conditional, &target))
		return false;
	if (target.rotate)
		return qasm_fail(a, list->at[n], "only the mul half's result is rotated");
	list->to[n] = target.o;
	list->set_flags |= target.set_flags;
	list->given[n] = target.conditional || condition != UNSAID;
	list->conditions[n] = target.conditional ? target.condition : condition;
	return true;
}

/* As many as may be, each with ',' behind it */
static bool take_targets(struct qasm *a, uint8_t condition, bool conditional, unsigned int most,
			 struct target_list *list)
{
	while (list->count < most && qasm_is_destination(a))
		if (!take_target(a, condition, conditional, list) || !qasm_expect(a, ',', "','"))
			return false;
	return true;
}

/* What no condition was given for */
static void fill_conditions(const struct qasm *a, struct target_list *list, bool set_flags)
{
	unsigned int i;

	for (i = 0; i < list->count; i++)
		if (!list->given[i])
			list->conditions[i] = qasm_default_condition(a, &list->to[i], set_flags);
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

/* "ldi r0, [0, 1, ...]": of which kind it is says the list. */
static bool take_immediate(struct qasm *a, struct v3d_qpu_inst *inst)
{
	const char *at = qasm_peek(a)->at;
	struct lang_value value;

	if (!qasm_expression(a, &value))
		return false;
	if (value.kind == LANG_ELEMENTS) {
		inst->unpack = value.integer >> 32 ? 3 : 1;
		inst->kind = v3d_qpu_kind(inst->sig, inst->unpack);
	} else if (!qasm_fits_word(a, at, &value)) {
		return false;
	}
	inst->immediate = lang_as_bits(&value);
	return true;
}

static bool take_load(struct qasm *a, const struct lang_token *name, int kind,
		      struct v3d_qpu_inst *inst)
{
	struct qasm_suffixes suffixes = { .condition = UNSAID };
	struct target_list list = { .count = 0 };

	*inst = (struct v3d_qpu_inst){ .kind = kind, .sig = V3D_QPU_SIG_LOAD_IMMEDIATE };
	inst->unpack = kind == V3D_QPU_LOAD_SIGNED ? 1 : kind == V3D_QPU_LOAD_UNSIGNED ? 3 : 0;
	if (!qasm_suffixes(a, name, qasm_conditions, &suffixes) ||
	    !take_targets(a, suffixes.condition, true, 2, &list))
		return false;
	if (!list.count)
		return qasm_fail(a, qasm_peek(a)->at, "a destination and ',' are expected here");
	inst->sf = suffixes.set_flags || list.set_flags;
	fill_conditions(a, &list, inst->sf);
	if (kind == V3D_QPU_LOAD_32 ? !take_immediate(a, inst) :
	    !take_lanes(a, kind == V3D_QPU_LOAD_SIGNED, &inst->immediate))
		return false;
	return set_targets(a, &list, inst);
}

static bool take_semaphore(struct qasm *a, const struct lang_token *name, bool down,
			   struct v3d_qpu_inst *inst)
{
	struct qasm_suffixes suffixes = { .condition = UNSAID };
	struct target_list list = { .count = 0 };
	int64_t number;

	*inst = (struct v3d_qpu_inst){ .kind = V3D_QPU_SEMAPHORE, .sig = V3D_QPU_SIG_LOAD_IMMEDIATE,
				       .unpack = 4 };
	if (!qasm_suffixes(a, name, qasm_conditions, &suffixes) ||
	    !take_targets(a, suffixes.condition, true, 2, &list) ||
	    !qasm_range(a, "a semaphore", 0, V3D_QPU_SEMAPHORES - 1, &number))
		return false;
	inst->sf = suffixes.set_flags || list.set_flags;
	fill_conditions(a, &list, inst->sf);
	inst->immediate = number | (down ? 1 << 4 : 0);
	return set_targets(a, &list, inst);
}

/* Where a branch leads, as far as it has been read */
struct place {
	const char *at, *register_at;
	struct lang_value value;
	struct qasm_register reg;
	bool has_value, has_register;
};

/* Is it a register's name alone, which a number may be added to? */
static bool names_register(struct qasm *a)
{
	struct qasm_register reg;
	bool names;

	a->role = QASM_READ;
	names = qasm_names_register(a, qasm_peek(a), &reg);
	a->role = QASM_ANY_ROLE;
	return names && !a->vc4asm;
}

static bool take_branch_register(struct qasm *a, struct lang_value *value)
{
	struct qasm_register reg;
	bool found, ok;

	a->role = QASM_READ;
	ok = qasm_take_register(a, &reg, &found);
	a->role = QASM_ANY_ROLE;
	*value = qasm_register_value(&reg);
	return ok;
}

/* A label, a number or a register */
static bool take_addend(struct qasm *a, struct place *place)
{
	const char *at = qasm_peek(a)->at;
	struct lang_value value;

	if (names_register(a) ? !take_branch_register(a, &value) : !qasm_expression(a, &value))
		return false;
	if (value.kind == LANG_REGISTER ? place->has_register : place->has_value)
		return qasm_fail(a, at, "a branch leads to one %s, which is there already",
				 value.kind == LANG_REGISTER ? "register" : "label or number");
	if (value.kind == LANG_REGISTER) {
		place->reg = qasm_value_register(&value);
		place->register_at = at;
		place->has_register = true;
		return true;
	}
	if (value.kind != LANG_INTEGER)
		return qasm_fail(a, at, "a branch leads to a label or an integer");
	place->value = value;
	place->at = at;
	place->has_value = true;
	return true;
}

/*
 * A label, a distance in bytes from the instruction four further on (brr), or an address (bra);
 * "+" or, in vc4asm's dialect, "," and a register
 */
static bool take_place(struct qasm *a, struct place *place)
{
	do {
		if (!take_addend(a, place))
			return false;
	} while (qasm_accept(a, '+') || (a->vc4asm && qasm_accept(a, ',')));
	return true;
}

static bool put_value(struct qasm *a, const struct place *place, struct v3d_qpu_inst *inst)
{
	const int64_t next = ((int64_t)a->code_count + V3D_QPU_BRANCH_SLOTS + 1) *
			     V3D_QPU_INSTRUCTION_BYTES;
	struct lang_value value = place->value;

	if (inst->rel && value.code)
		value.integer = (uint64_t)value.integer - next;
	if (value.integer < INT32_MIN ||
	    value.integer > (inst->rel && value.code ? INT32_MAX : UINT32_MAX))
		return qasm_fail(a, place->at,
				 "this is too far away: 32 bits are signed bytes");
	inst->immediate = value.integer;
	if (!inst->rel && value.code && !place->has_register)
		return qasm_fail(a, place->at,
				 "where a program will be in memory is not known here: use brr, or "
				 "add a register that holds it");
	return true;
}

static bool put_register(struct qasm *a, const struct place *place, bool set_flags,
			 struct v3d_qpu_inst *inst)
{
	const struct qasm_register *reg = &place->reg;

	if (!place->has_register) {
		inst->branch_raddr_a = set_flags;
		return true;
	}
	if (reg->place != V3DCL_QPU_FILE_A || reg->address > 31 || reg->rotate || reg->unpack)
		return qasm_fail(a, place->register_at, "a branch adds one of ra0 to ra31");
	if (set_flags && !(reg->address & 1))
		return qasm_fail(a, place->register_at,
				 "a branch that sets flags adds a register with an odd number: "
				 "its lowest bit is that bit");
	inst->reg = 1;
	inst->branch_raddr_a = reg->address;
	return true;
}

/* "brr ra4; -, ...", as published listings have it: ';' between the two destinations */
static bool take_first_of_listing(struct qasm *a, struct target_list *list)
{
	const struct lang_token *token = qasm_peek(a);
	struct qasm_register reg;

	if (token->kind == LANG_END || token[1].kind != ';' || token[2].kind == '{' ||
	    token[2].kind == LANG_END ||
	    (token->kind != '-' && !qasm_names_register(a, token, &reg)))
		return true;
	return take_target(a, 0, false, list) && qasm_expect(a, ';', "';'");
}

static bool take_branch(struct qasm *a, const struct lang_token *name, bool relative,
			struct v3d_qpu_inst *inst)
{
	struct qasm_suffixes suffixes = { .condition = V3D_QPU_BRANCH_ALWAYS };
	const struct qasm_name *conditions = a->vc4asm ? qasm_vc4asm_branch_conditions :
							 qasm_branch_conditions;
	struct target_list list = { .count = 0 };
	struct place place = { .has_value = false };
	unsigned int most;

	*inst = (struct v3d_qpu_inst){ .kind = V3D_QPU_BRANCH, .sig = V3D_QPU_SIG_BRANCH,
				       .rel = relative };
	if (!qasm_suffixes(a, name, conditions, &suffixes) || !take_first_of_listing(a, &list))
		return false;
	inst->cond_br = suffixes.condition;
	/* In vc4asm's dialect the first is the destination, what follows adds up to the target. */
	most = a->vc4asm && !list.count ? 1 : 2;
	if (!take_targets(a, 0, false, most, &list))
		return false;
	return take_place(a, &place) && put_value(a, &place, inst) &&
	       put_register(a, &place, suffixes.set_flags, inst) &&
	       set_targets(a, &list, inst);
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
