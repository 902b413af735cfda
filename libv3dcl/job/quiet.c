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

#define QUIET_SIGNALS (1u << V3D_QPU_SIG_NONE | 1u << V3D_QPU_SIG_SMALL_IMMEDIATE)

#define TWO(value, name, operands, text) | ((operands) > 1 ? 1u << (value) : 0)
#define ADD_TWO (0u V3D_QPU_ADD_OPS(TWO))

#define MUX_A (1u << V3D_QPU_A)
#define MUX_B (1u << V3D_QPU_B)

/**
 * struct quiet - an instruction that may be quiet
 * @add: the operands of the add operation, a bit a mux
 * @mul: of the mul operation
 * @known: of these, what has a value of which something is known
 * @uniform: of @known, what is the next uniform
 * @uses: of the shader
 * @upper: registers from 16 on are used
 * @varying: r5 gets the coefficient C
 * @sfu: the SFU is written to
 * @units: results that go beyond the registers
 * @target: a bit a place that gets a result
 */
struct quiet {
	__u32 add, mul, known, uniform, uses;
	bool upper, varying, sfu;
	__u8 units;
	__u32 target[V3DCL_BANKS];
};

/* What a port gives; false: not quiet */
static inline bool quiet_port(const struct v3dcl_prover *p, struct quiet *q, __u32 raddr, __u32 mux, __u32 bank)
{
	const struct v3dcl_state *s = p->s;
	bool taken = (q->add | q->mul) & mux;

	if (raddr < 32) {
		q->upper |= taken && raddr >= 16;
		return !taken || ((s->plain[bank] & ~s->late[bank]) >> raddr & 1 && !(raddr == V3DCL_PAYLOAD && s->payload));
	}
	switch (v3dcl_read_access(p, raddr)) {
	case V3DCL_ACCESS_FREE:
		return true;
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
	case V3DCL_ACCESS_UNIFORM:
		q->known |= mux;
		q->uniform |= mux;
		return taken && !s->reset_left && (p->record && p->shader ? s->cursor == p->words : s->cursor != V3DCL_LOST);
	default:
		return raddr == V3D_QPU_R_NOP && !taken;
	}
}

static inline bool quiet_operands(const struct v3dcl_prover *p, struct quiet *q, __u64 word)
{
	__u32 reads = q->add | q->mul, immediate = get_raddr_b(word);

	if (reads & ~(MUX_A | MUX_B) & ~p->s->plain[V3DCL_ACC / 32])
		return false;
	if (reads >> V3D_QPU_R4 & 1 && p->s->sfu_left)
		return false;
	if (!quiet_port(p, q, get_raddr_a(word), MUX_A, 0))
		return false;
	if (word >> 60 != V3D_QPU_SIG_SMALL_IMMEDIATE)
		return quiet_port(p, q, immediate, MUX_B, 1);
	q->known |= MUX_B;
	return immediate < V3D_QPU_ROTATE;
}

/* Is nothing known of the results? A word of a shader that is copied to a register is not followed any further. */
static inline bool quiet_results(const struct v3dcl_prover *p, const struct quiet *q, __u64 word)
{
	__u32 add = get_op_add(word), mul = get_op_mul(word), copied = p->shader ? q->uniform : 0;

	if (add == V3D_QPU_ADD_CLZ)
		return false;
	if (V3DCL_FOLLOWED_ADDS >> add & 1 && q->add & q->known && !(add == V3D_QPU_ADD_OR && q->add & copied && !(q->add & (q->add - 1))))
		return false;
	if (!(q->mul & q->known) || (mul != V3D_QPU_MUL_MUL24 && mul != V3D_QPU_MUL_V8MIN))
		return true;
	return mul == V3D_QPU_MUL_V8MIN && (q->mul & (q->mul - 1) || q->mul & copied);
}

/* Where a result goes; false: not quiet. @merge: what was there stays in part. */
static inline bool quiet_target(const struct v3dcl_prover *p, struct quiet *q, __u32 waddr, __u32 bank, bool merge)
{
	const struct v3dcl_state *s = p->s;
	__u32 bit = 1u << waddr % 32;

	if (waddr == V3D_QPU_W_NOP)
		return true;
	if (waddr == V3D_QPU_W_ACC5)
		bit = 1u << V3D_QPU_R5;
	if (waddr < 32) {
		q->upper |= waddr >= 16;
		if (waddr == V3DCL_PAYLOAD && s->payload)
			return false;
	} else if (waddr <= V3D_QPU_W_ACC3 || waddr == V3D_QPU_W_ACC5) {
		bank = V3DCL_ACC / 32;
	} else {
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
			return !s->sfu_left;
		default:
			return false;
		}
	}
	if (q->target[bank] & bit || (merge && !(s->plain[bank] & bit)))
		return false;
	q->target[bank] |= bit;
	return true;
}

/* Conditions need flags; with packs they leave something of what was there. */
static inline bool quiet_targets(const struct v3dcl_prover *p, struct quiet *q, __u64 word)
{
	__u32 pack = get_pack(word), ws = get_ws(word), add = get_cond_add(word), mul = get_cond_mul(word);
	bool merge_add = add != V3D_QPU_COND_ALWAYS, merge_mul = mul != V3D_QPU_COND_ALWAYS, flags = p->s->flags & V3DCL_ALL_BYTES;

	if (pack) {
		if (get_pm(word) && (pack < 3 || pack > 7))
			return false;
		merge_add = true;
		merge_mul = true;
	}
	if (q->add ? add == V3D_QPU_COND_NEVER || (add != V3D_QPU_COND_ALWAYS && !flags) ||
			     !quiet_target(p, q, get_waddr_add(word), ws, merge_add) :
		     get_waddr_add(word) != V3D_QPU_W_NOP)
		return false;
	if (q->mul ? mul == V3D_QPU_COND_NEVER || (mul != V3D_QPU_COND_ALWAYS && !flags) ||
			     !quiet_target(p, q, get_waddr_mul(word), !ws, merge_mul) :
		     get_waddr_mul(word) != V3D_QPU_W_NOP)
		return false;
	return !q->sfu || q->units == 1;
}

/* Registers whose old value is not the program's, of those that get a result */
static __u32 not_written(const struct v3dcl_state *s, __u32 bank, __u32 target)
{
	__u32 bad = target & ~s->plain[bank], held;

	for (held = bad & s->held[bank]; held; held &= held - 1) {
		__u32 bit = held & -held;

		if ((s->value[bank * 32 + __builtin_ctz(held)].written & V3DCL_ALL_BYTES) == V3DCL_ALL_BYTES)
			bad &= ~bit;
	}
	return bad;
}

static inline void store(struct v3dcl_state *s, const struct quiet *q)
{
	__u32 bank;

	for (bank = 0; bank < V3DCL_BANKS; bank++) {
		__u32 target = q->target[bank];

		s->late[bank] = target;
		s->late_bad[bank] = target & ~s->plain[bank] ? not_written(s, bank, target) : 0;
		s->plain[bank] |= target;
		s->held[bank] &= ~target;
	}
	s->late_bad[V3DCL_ACC / 32] = 0;
	if (q->varying)
		v3dcl_set_plain(s, V3DCL_ACC + V3D_QPU_R5);
	if (q->sfu)
		v3dcl_set_plain(s, V3DCL_ACC + V3D_QPU_R4);
}

static inline void count(struct v3dcl_prover *p, const struct quiet *q)
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

/**
 * v3dcl_quiet() - do what v3dcl_step() does, if it is quickly done
 * @p: what holds before the instruction
 * @word: the instruction
 * Return: false when it is left to v3dcl_step(), and nothing has changed
 */
bool v3dcl_quiet(struct v3dcl_prover *p, __u64 word)
{
	__u32 add = get_op_add(word), mul = get_op_mul(word);
	struct quiet q = {
		.add = add ? 1u << get_add_a(word) | (ADD_TWO >> add & 1) << get_add_b(word) : 0,
		.mul = mul ? 1u << get_mul_a(word) | 1u << get_mul_b(word) : 0,
	};

	if (!(QUIET_SIGNALS >> (word >> 60) & 1) || !v3dcl_op_exists(add))
		return false;
	if (p->at - p->switch_at <= V3D_QPU_END_SLOTS + 1 || p->at - p->end_at <= V3D_QPU_END_SLOTS)
		return false;
	if (!quiet_operands(p, &q, word) || !quiet_results(p, &q, word) || !quiet_targets(p, &q, word))
		return false;
	store(p->s, &q);
	count(p, &q);
	p->upper |= q.upper;
	p->uses_of_shader |= q.uses;
	if (get_sf(word)) {
		__u32 condition = add ? get_cond_add(word) : get_cond_mul(word);

		if (condition != V3D_QPU_COND_NEVER)
			p->s->flags |= condition == V3D_QPU_COND_ALWAYS ? V3DCL_WRITTEN : V3DCL_WRITTEN & ~V3DCL_ALL_BYTES;
	}
	return true;
}
