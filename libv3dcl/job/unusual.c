// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Quiet instructions whose results are worth a look: at their values, or at the bytes that are written.
 */
#include "fields.h"
#include "prove.h"

/* Something is known of what these give */
#define KNOWN_READS (READS(UNIFORM) | READS(ELEMENT_QPU_NUMBER))

/* What an operation of this kind makes of anything unknown is unknown. */
#define ABSORBED (V3DCL_ADD_OP(ADD) | V3DCL_ADD_OP(SUB) | V3DCL_ADD_OP(OR) | V3DCL_ADD_OP(SHL))
#define FOLLOWED_MULS (1u << V3D_QPU_MUL_MUL24 | 1u << V3D_QPU_MUL_V8MIN)

/* What is known of the results of the add and the mul ALU; @some: a bit for each of which something is */
struct known {
	__u32 some;
	struct v3dcl_number value[2];
};

/* An operand; false: what an unpack makes of it is left to the long way */
static bool operand(const struct v3dcl_prover *p, __u64 word, __u32 mux, struct v3dcl_number *value)
{
	__u32 raddr = mux == V3D_QPU_A ? get_raddr_a(word) : get_raddr_b(word);

	if (mux < V3D_QPU_A) {
		*value = *v3dcl_value(p->s, V3DCL_ACC + mux);
		return mux != V3D_QPU_R4 || !get_unpack(word);
	}
	if (mux == V3D_QPU_B && is_immediate(word))
		*value = v3dcl_constant(v3d_qpu_small_immediate(raddr));
	else if (raddr < 32)
		*value = *v3dcl_value(p->s, mux == V3D_QPU_A ? raddr : V3DCL_FILE_B + raddr);
	else if (raddr == V3D_QPU_R_UNIFORM)
		*value = v3dcl_uniform(p->s->cursor);
	else if (raddr == V3D_QPU_R_ELEMENT_QPU_NUMBER)
		*value = v3dcl_between(0, V3D_QPU_LANES - 1);
	else
		*value = v3dcl_unknown();
	return mux == V3D_QPU_B || !get_unpack(word);
}

/* What the domain makes of a half; false: left to the long way */
static bool know(const struct v3dcl_prover *p, __u64 word, bool mul, struct known *known)
{
	__u32 op = mul ? get_op_mul(word) : get_op_add(word), copies = mul ? V3D_QPU_MUL_V8MIN : V3D_QPU_ADD_OR;
	__u32 first = mul ? get_mul_a(word) : get_add_a(word), second = mul ? get_mul_b(word) : get_add_b(word);
	struct v3dcl_number a, b, *value = &known->value[mul];

	if (!operand(p, word, first, &a) || !operand(p, word, second, &b))
		return false;
	*value = op == copies && first == second ? a : mul ? v3dcl_mul_op(op, &a, &b) : v3dcl_add_op(op, &a, &b);
	/* A shader's words are not followed any further: see step.c */
	if (p->shader && v3dcl_has_exact_term(value))
		*value = v3dcl_unknown();
	known->some |= (__u32)!v3dcl_is_unknown(value) << mul;
	return true;
}

/* Does an operand of which nothing is known leave nothing known of the result? */
static bool is_absorbed(__u32 op, __u32 operands, __u32 some)
{
	return ABSORBED >> op & 1 && operands & ~some;
}

/* Is it a register that the instruction before has written? */
static bool is_late(const struct v3dcl_state *s, __u64 word, __u32 operands)
{
	__u64 b = is_immediate(word) ? 0 : SLOT(get_raddr_b(word));

	return (operands & MUX_A && s->late.files & REGISTERS & SLOT(get_raddr_a(word))) ||
	       (operands & MUX_B && s->late.files >> 32 & b);
}

/* What is known of the results? False: not quiet */
static bool results(const struct v3dcl_prover *p, __u64 word, struct known *known)
{
	const struct v3dcl_state *s = p->s;
	__u32 add = get_op_add(word), mul = get_op_mul(word), of_add = add_operands(word), of_mul = mul_operands(word);
	__u64 a = SLOT(get_raddr_a(word)), b = SLOT(get_raddr_b(word));
	__u32 some = s->held.rest | (a & ((s->held.files & REGISTERS) | KNOWN_READS) ? MUX_A : 0) |
		     (b & (s->held.files >> 32 | KNOWN_READS) || is_immediate(word) ? MUX_B : 0);

	/* That counts zeros gives 0 to 32 whatever it is given. */
	if (add == V3D_QPU_ADD_CLZ || is_late(s, word, of_add | of_mul))
		return false;
	if (V3DCL_FOLLOWED_ADDS >> add & 1 && of_add & some && !is_absorbed(add, of_add, some) && !know(p, word, false, known))
		return false;
	return !(FOLLOWED_MULS >> mul & 1) || !(of_mul & some) || (mul == V3D_QPU_MUL_MUL24 && of_mul & ~some) ||
	       know(p, word, true, known);
}

static void store_half(struct v3dcl_state *s, __u64 word, bool mul, const struct known *known, struct v3dcl_places *late,
		       __u64 *late_bad)
{
	struct v3dcl_result result = {
		.value = known->some >> mul & 1 ? known->value[mul] : v3dcl_unknown(),
		.condition = mul ? get_cond_mul(word) : get_cond_add(word),
	};

	v3dcl_aim_result(&result, mul, mul ? get_waddr_mul(word) : get_waddr_add(word), get_ws(word), get_pack(word), get_pm(word));
	v3dcl_store_result(s, &result, late, late_bad);
}

/**
 * v3dcl_store_values() - results of which something may be known, or that write some bytes of a place
 * @p: before a quiet instruction whose units, operands and conditions have been looked at
 * @word: the instruction; of a load its immediate is known
 * Return: false when it is not quiet, and nothing has changed
 */
bool v3dcl_store_values(struct v3dcl_prover *p, __u64 word)
{
	const bool load = word >> 60 == V3D_QPU_SIG_LOAD_IMMEDIATE, followed = v3dcl_is_followed(p);
	struct v3dcl_places late = { 0, 0 };
	struct known known;
	__u64 late_bad = 0;

	known.some = 0;
	if (load && followed)
		known = (struct known){ 3, { v3dcl_constant(word), v3dcl_constant(word) } };
	if (!load && followed && !results(p, word, &known))
		return false;
	if (load ? get_cond_add(word) != V3D_QPU_COND_NEVER : get_op_add(word))
		store_half(p->s, word, false, &known, &late, &late_bad);
	if (load ? get_cond_mul(word) != V3D_QPU_COND_NEVER : get_op_mul(word))
		store_half(p->s, word, true, &known, &late, &late_bad);
	p->s->late = late;
	p->s->late_bad = late_bad;
	return true;
}
