// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Quiet instructions, which most are: they compute what the domain knows nothing of from what is the program's own, and break no
 * rule that needs a look at values. What holds after them is a few bits.
 *
 * It is only a shorter way: what v3dcl_step() makes of such an instruction is the same, and whatever is in doubt is left to it.
 */
#include "prove.h"

/* One field of a word at a time: most instructions do not need all of them. */
#define FIELD(field, low, bits) \
	static inline __u32 get_##field(__u64 word) \
	{ \
		return word >> (low) & ((1u << (bits)) - 1); \
	}
V3D_QPU_WRITE_FIELDS(FIELD)
V3D_QPU_ALU_FIELDS(FIELD)
V3D_QPU_READ_FIELDS(FIELD)

#define QUIET_SIGNALS \
	(1u << V3D_QPU_SIG_NONE | 1u << V3D_QPU_SIG_SMALL_IMMEDIATE | 1u << V3D_QPU_SIG_LOAD_TMU0 | 1u << V3D_QPU_SIG_LOAD_TMU1)

#define TWO(value, name, operands, text) | ((operands) > 1 ? 1u << (value) : 0)
#define ADD_TWO (0u V3D_QPU_ADD_OPS(TWO))

/* All of it in registers: that is where the time went */
#define QUICK inline __attribute__((always_inline))

#define MUX_A (1u << V3D_QPU_A)
#define MUX_B (1u << V3D_QPU_B)

/**
 * struct quiet - an instruction that may be quiet
 * @add: the operands of the add operation, a bit a mux
 * @mul: of the mul operation
 * @known: of these, what has a value of which something is known
 * @uniform: of @known, what is the next uniform
 * @uses: of the shader
 * @units: results that go beyond the registers
 * @has_add: the add half does something
 * @has_mul: the mul half
 * @upper: registers from 16 on are used
 * @varying: r5 gets the coefficient C
 * @sfu: the SFU is written to
 * @add_constant: the add result is the immediate
 * @mul_constant: the mul result
 * @target: places that get a result
 * @merged: likewise, but something of what was there stays, of which nothing is known
 * @constant: of @target, those that get the immediate
 */
struct quiet {
	__u32 add, mul, known, uniform, uses, units;
	bool has_add, has_mul, upper, varying, sfu, add_constant, mul_constant;
	struct v3dcl_places target, merged, constant;
};

/* A register that an operand is taken from; false: not quiet */
static QUICK bool quiet_register(const struct v3dcl_prover *p, struct quiet *q, __u32 place, __u32 mux)
{
	const struct v3dcl_state *s = p->s;
	__u64 bit = (__u64)1 << place;

	if (!((q->add | q->mul) & mux))
		return true;
	q->upper |= place >> 4 & 1;
	q->known |= s->held.files & bit ? mux : 0;
	if (s->written.files & ~s->late.files & ~s->payload & bit)
		return true;
	q->uses |= V3DCL_SHADER_LEFTOVERS;
	return p->shader && s->partly.files & ~s->late.files & bit;
}

/* What a port gives from 32 on; false: not quiet */
static QUICK bool quiet_space(const struct v3dcl_prover *p, struct quiet *q, __u32 raddr, __u32 mux)
{
	const struct v3dcl_state *s = p->s;
	bool taken = (q->add | q->mul) & mux;

	if (raddr == V3D_QPU_R_NOP)
		return !taken;
	switch (v3dcl_read_access(p, raddr)) {
	case V3DCL_ACCESS_UNIFORM:
		q->known |= mux;
		q->uniform |= mux;
		return taken && !s->reset_left && (p->record && p->shader ? s->cursor == p->words : s->cursor != V3DCL_LOST);
	case V3DCL_ACCESS_VARYING:
		q->uses |= V3DCL_SHADER_TILE;
		q->varying = true;
		return true;
	case V3DCL_ACCESS_VPM:
		q->uses |= V3DCL_SHADER_VPM;
		return p->shader;
	case V3DCL_ACCESS_ELEMENT:
		q->known |= mux;
		return true;
	case V3DCL_ACCESS_FREE:
		return true;
	default:
		return false;
	}
}

static QUICK bool quiet_accumulators(const struct v3dcl_prover *p, struct quiet *q, __u32 reads)
{
	const struct v3dcl_state *s = p->s;

	q->known = reads & s->held.rest;
	if (reads & 1u << V3D_QPU_R4 && s->sfu_left)
		return false;
	if (!(reads & ~s->written.rest))
		return true;
	q->uses |= V3DCL_SHADER_LEFTOVERS;
	return p->shader && !(reads & ~(s->written.rest | s->partly.rest));
}

static QUICK bool quiet_operands(const struct v3dcl_prover *p, struct quiet *q, __u64 word, bool immediate)
{
	__u32 a = get_raddr_a(word), b = get_raddr_b(word);

	if (!quiet_accumulators(p, q, (q->add | q->mul) & ~(MUX_A | MUX_B)) ||
	    !(a < 32 ? quiet_register(p, q, a, MUX_A) : quiet_space(p, q, a, MUX_A)))
		return false;
	if (!immediate)
		return b < 32 ? quiet_register(p, q, b + V3DCL_FILE_B, MUX_B) : quiet_space(p, q, b, MUX_B);
	q->known |= MUX_B;
	return b < V3D_QPU_ROTATE;
}

static QUICK bool is_copy(__u32 operands)
{
	return !(operands & (operands - 1));
}

/* What an operation of this kind makes of anything unknown is unknown. */
#define ABSORBED (V3DCL_ADD_OP(ADD) | V3DCL_ADD_OP(SUB) | V3DCL_ADD_OP(OR) | V3DCL_ADD_OP(SHL))

/* What a copy of one operand gives; false: not quiet. A shader's word is not followed any further. */
static QUICK bool quiet_copy(const struct v3dcl_prover *p, const struct quiet *q, __u32 operand, bool immediate, bool *constant)
{
	if (!(operand & q->known) || (p->shader && operand & q->uniform))
		return true;
	*constant = operand == MUX_B && immediate;
	return *constant;
}

/* Is nothing known of the result, or is it a constant? */
static QUICK bool quiet_add(const struct v3dcl_prover *p, struct quiet *q, __u32 op, bool immediate)
{
	__u32 bit = 1u << op;

	if (!(bit & V3DCL_FOLLOWED_ADDS))
		return true;
	if (op == V3D_QPU_ADD_OR && is_copy(q->add))
		return quiet_copy(p, q, q->add, immediate, &q->add_constant);
	return op != V3D_QPU_ADD_CLZ && (!(q->add & q->known) || (bit & ABSORBED && q->add & ~q->known));
}

static QUICK bool quiet_mul(const struct v3dcl_prover *p, struct quiet *q, __u32 op, bool immediate)
{
	if (op == V3D_QPU_MUL_V8MIN && is_copy(q->mul))
		return quiet_copy(p, q, q->mul, immediate, &q->mul_constant);
	return op != V3D_QPU_MUL_MUL24 || !(q->mul & q->known) || q->mul & ~q->known;
}

/* A result goes beyond the registers; false: not quiet */
static QUICK bool quiet_unit(const struct v3dcl_prover *p, struct quiet *q, __u32 waddr)
{
	q->units++;
	switch (v3dcl_write_access(p, waddr)) {
	case V3DCL_ACCESS_TILE:
		q->uses |= V3DCL_SHADER_TILE;
		return true;
	case V3DCL_ACCESS_VPM:
		q->uses |= V3DCL_SHADER_VPM;
		return p->shader;
	case V3DCL_ACCESS_SFU:
		q->sfu = true;
		return !p->s->sfu_left;
	default:
		return false;
	}
}

/* What becomes of a result where it goes */
enum fate { REPLACED, MERGED, MERGED_IN_BYTES };

static QUICK bool quiet_file(const struct v3dcl_state *s, struct quiet *q, __u32 place, enum fate fate, bool constant)
{
	__u64 bit = (__u64)1 << place;

	q->upper |= place >> 4 & 1;
	if ((q->target.files | q->merged.files | s->payload) & bit)
		return false;
	if (fate != REPLACED && !(s->written.files & bit)) {
		q->merged.files |= bit;
		return fate == MERGED && !(s->held.files & bit);
	}
	q->target.files |= bit;
	/* What is unknown stays so when it becomes a constant here and there. */
	if (!constant || fate != REPLACED)
		return !constant || !(s->held.files & bit);
	q->constant.files |= bit;
	return true;
}

static QUICK bool quiet_accumulator(const struct v3dcl_state *s, struct quiet *q, __u32 number, enum fate fate, bool constant)
{
	__u32 bit = 1u << number;

	if ((q->target.rest | q->merged.rest) & bit)
		return false;
	if (fate != REPLACED && !(s->written.rest & bit)) {
		q->merged.rest |= bit;
		return fate == MERGED && !(s->held.rest & bit);
	}
	q->target.rest |= bit;
	if (!constant || fate != REPLACED)
		return !constant || !(s->held.rest & bit);
	q->constant.rest |= bit;
	return true;
}

static QUICK bool quiet_target(const struct v3dcl_prover *p, struct quiet *q, __u32 waddr, bool in_b, enum fate fate, bool constant)
{
	if (waddr < 32)
		return quiet_file(p->s, q, waddr + (in_b ? V3DCL_FILE_B : V3DCL_FILE_A), fate, constant);
	if (waddr == V3D_QPU_W_NOP)
		return true;
	if (waddr <= V3D_QPU_W_ACC3 || waddr == V3D_QPU_W_ACC5)
		return quiet_accumulator(p->s, q, waddr - V3D_QPU_W_ACC0, fate, constant);
	return quiet_unit(p, q, waddr);
}

/* Does the half do something under a condition that is known, or nothing? */
static QUICK bool quiet_condition(const struct v3dcl_state *s, bool active, __u32 condition, __u32 waddr)
{
	if (!active)
		return waddr == V3D_QPU_W_NOP;
	return condition == V3D_QPU_COND_ALWAYS || (condition != V3D_QPU_COND_NEVER && s->flags & V3DCL_ALL_BYTES);
}

/* Conditions and packs leave something of what was there. */
static QUICK bool quiet_targets(const struct v3dcl_prover *p, struct quiet *q, __u64 word)
{
	__u32 pack = get_pack(word), pm = get_pm(word), ws = get_ws(word), add = get_cond_add(word), mul = get_cond_mul(word);
	enum fate add_fate = add == V3D_QPU_COND_ALWAYS ? REPLACED : MERGED, mul_fate = mul == V3D_QPU_COND_ALWAYS ? REPLACED : MERGED;

	if (pack) {
		if (pm && (pack < 3 || pack > 7))
			return false;
		add_fate = pm || ws ? add_fate : MERGED_IN_BYTES;
		mul_fate = pm || ws ? MERGED_IN_BYTES : mul_fate;
	}
	if (!quiet_condition(p->s, q->has_add, add, get_waddr_add(word)) || !quiet_condition(p->s, q->has_mul, mul, get_waddr_mul(word)))
		return false;
	return (!q->has_add || quiet_target(p, q, get_waddr_add(word), ws, add_fate, q->add_constant)) &&
	       (!q->has_mul || quiet_target(p, q, get_waddr_mul(word), !ws, mul_fate, q->mul_constant)) &&
	       (!q->sfu || q->units == 1);
}

static void store_constants(struct v3dcl_state *s, const struct quiet *q, __u64 word)
{
	const struct v3dcl_number n = v3dcl_constant(word >> 60 == V3D_QPU_SIG_LOAD_IMMEDIATE ? (__u32)word :
						     v3d_qpu_small_immediate(get_raddr_b(word)));
	__u64 files = q->constant.files;
	__u32 rest = q->constant.rest;

	s->held.files |= files;
	s->held.rest |= rest;
	for (; files; files &= files - 1)
		s->value[__builtin_ctzll(files)] = n;
	for (; rest; rest &= rest - 1)
		s->value[V3DCL_ACC + __builtin_ctz(rest)] = n;
}

static QUICK void store(struct v3dcl_state *s, const struct quiet *q, __u64 word)
{
	s->late.files = q->target.files | q->merged.files;
	s->late.rest = q->target.rest | q->merged.rest;
	s->late_bad = s->late.files & ~s->written.files;
	s->written.files |= q->target.files;
	s->written.rest |= q->target.rest;
	s->partly.files = (s->partly.files & ~q->target.files) | q->merged.files;
	s->partly.rest = (s->partly.rest & ~q->target.rest) | q->merged.rest;
	s->held.files &= ~q->target.files;
	s->held.rest &= ~q->target.rest;
	if (q->constant.files | q->constant.rest)
		store_constants(s, q, word);
	if (q->varying)
		v3dcl_set_plain(s, V3DCL_ACC + V3D_QPU_R5);
	if (q->sfu)
		v3dcl_set_plain(s, V3DCL_ACC + V3D_QPU_R4);
}

static QUICK void count(struct v3dcl_prover *p, const struct quiet *q)
{
	struct v3dcl_state *s = p->s;

	if (q->uniform) {
		if (p->record && s->cursor >= p->words)
			p->words = s->cursor + 1;
		s->cursor++;
	}
	if (s->sfu_left | s->reset_left | s->vpm_early) {
		s->sfu_left -= s->sfu_left != 0;
		s->reset_left -= s->reset_left != 0;
		s->vpm_early -= s->vpm_early != 0;
	}
	if (q->sfu)
		s->sfu_left = 2;
}

/* What is left to do when all is in order */
static QUICK void finish(struct v3dcl_prover *p, const struct quiet *q, __u64 word, bool by_mul)
{
	__u32 condition = by_mul ? get_cond_mul(word) : get_cond_add(word);

	store(p->s, q, word);
	count(p, q);
	p->upper |= q->upper;
	p->uses_of_shader |= q->uses;
	if (get_sf(word) && condition != V3D_QPU_COND_NEVER)
		p->s->flags |= condition == V3D_QPU_COND_ALWAYS ? V3DCL_WRITTEN : V3DCL_PARTLY;
}

/* A load of 32 bits: the unpack field says so */
static bool quiet_load(struct v3dcl_prover *p, __u64 word)
{
	struct quiet q = { .add_constant = true, .mul_constant = true };

	q.has_add = get_cond_add(word) != V3D_QPU_COND_NEVER;
	q.has_mul = get_cond_mul(word) != V3D_QPU_COND_NEVER;
	if (v3d_qpu_kind(V3D_QPU_SIG_LOAD_IMMEDIATE, get_unpack(word)) != V3D_QPU_LOAD_32 || !quiet_targets(p, &q, word))
		return false;
	finish(p, &q, word, false);
	return true;
}

/* Can a result of a TMU go to r4? */
static bool quiet_result(const struct v3dcl_state *s, const struct quiet *q, __u32 tmu)
{
	return s->tmu[tmu] && !s->sfu_left && !q->sfu;
}

static void load_result(struct v3dcl_state *s, __u32 tmu)
{
	s->tmu[tmu]--;
	v3dcl_set_plain(s, V3DCL_ACC + V3D_QPU_R4);
}

/**
 * v3dcl_quiet() - do what v3dcl_step() does, if it is quickly done
 * @p: what holds before the instruction
 * @word: the instruction
 * Return: false when it is left to v3dcl_step(), and nothing has changed
 */
bool v3dcl_quiet(struct v3dcl_prover *p, __u64 word)
{
	__u32 add = get_op_add(word), mul = get_op_mul(word), signal = word >> 60, tmu = signal - V3D_QPU_SIG_LOAD_TMU0;
	bool immediate = signal == V3D_QPU_SIG_SMALL_IMMEDIATE;
	struct quiet q = { .has_add = add, .has_mul = mul };

	if (p->at - p->switch_at <= V3D_QPU_END_SLOTS + 1 || p->at - p->end_at <= V3D_QPU_END_SLOTS)
		return false;
	if (signal == V3D_QPU_SIG_LOAD_IMMEDIATE)
		return quiet_load(p, word);
	if (!(QUIET_SIGNALS >> signal & 1) || !v3dcl_op_exists(add))
		return false;
	q.add = add ? 1u << get_add_a(word) | (ADD_TWO >> add & 1) << get_add_b(word) : 0;
	q.mul = mul ? 1u << get_mul_a(word) | 1u << get_mul_b(word) : 0;
	if (!quiet_operands(p, &q, word, immediate) || !quiet_add(p, &q, add, immediate) || !quiet_mul(p, &q, mul, immediate) ||
	    !quiet_targets(p, &q, word) || (tmu < 2 && !quiet_result(p->s, &q, tmu)))
		return false;
	finish(p, &q, word, !add);
	if (tmu < 2)
		load_result(p->s, tmu);
	return true;
}

/**
 * v3dcl_is_idle() - does an instruction do nothing but give its signal?
 * @word: the instruction, neither a branch nor a load
 */
bool v3dcl_is_idle(__u64 word)
{
	return !(get_op_add(word) | get_op_mul(word) | get_sf(word)) && get_waddr_add(word) == V3D_QPU_W_NOP &&
	       get_waddr_mul(word) == V3D_QPU_W_NOP && get_raddr_a(word) == V3D_QPU_R_NOP && get_raddr_b(word) == V3D_QPU_R_NOP;
}
