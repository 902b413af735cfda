// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Which values of a shader are followed: those that an address is made of. All else about it is a matter of bits.
 *
 * A shader's words are not followed beyond the instruction that fetches them, so an address is made where one is fetched: for the
 * uniforms, or for a direct read. From there it goes backwards to whatever the other operand is made of. What a block takes from
 * others for it is rare: then all values are followed.
 *
 * It is only a shorter way: of what is not followed nothing is known, which is never wrong.
 */
#include "fields.h"
#include "prove.h"

/* One half of an instruction */
struct half {
	struct v3dcl_places place;
	__u32 operands;
	bool always;
};

static struct half half_of(__u64 word, bool mul)
{
	__u32 waddr = mul ? get_waddr_mul(word) : get_waddr_add(word), condition = mul ? get_cond_mul(word) : get_cond_add(word);
	bool load = word >> 60 == V3D_QPU_SIG_LOAD_IMMEDIATE, followed = mul || V3DCL_FOLLOWED_ADDS >> get_op_add(word) & 1;
	struct half half = { .always = condition == V3D_QPU_COND_ALWAYS && !get_pack(word) };

	if (condition == V3D_QPU_COND_NEVER || !(load || (mul ? get_op_mul(word) : get_op_add(word))))
		return half;
	half.place.files = waddr < 32 ? SLOT(waddr + (mul != get_ws(word) ? V3DCL_FILE_B : V3DCL_FILE_A)) : 0;
	half.place.rest = (SLOT(waddr) & ACCUMULATORS) >> V3D_QPU_W_ACC0;
	half.operands = load || !followed ? 0 : mul ? mul_operands(word) : add_operands(word);
	return half;
}

static bool meet(const struct v3dcl_places *a, const struct v3dcl_places *b)
{
	return (a->files & b->files) | (a->rest & b->rest);
}

static void add_operand(struct v3dcl_places *wanted, __u64 word, __u32 operands)
{
	/* Nothing is ever known of r4. */
	wanted->rest |= operands & MUX_ACCUMULATORS & ~(1u << V3D_QPU_R4);
	if (operands & MUX_A)
		wanted->files |= SLOT(get_raddr_a(word)) & REGISTERS;
	if (operands & MUX_B && !is_immediate(word))
		wanted->files |= SLOT(get_raddr_b(word)) << 32;
}

/* What an address is made of */
static __u32 address_operands(__u64 word)
{
	return (ADDRESS_WRITES >> get_waddr_add(word) & 1 ? add_operands(word) : 0) |
	       (ADDRESS_WRITES >> get_waddr_mul(word) & 1 ? mul_operands(word) : 0);
}

/* What has to be known before an instruction, for what is wanted after it */
static void want(struct v3dcl_prover *p, __u32 at, struct v3dcl_places *wanted)
{
	__u64 word = p->code[at];
	struct half halves[2] = { half_of(word, false), half_of(word, true) };
	bool wants[2] = { meet(&halves[0].place, wanted), meet(&halves[1].place, wanted) };
	__u32 i;

	for (i = 0; i < 2; i++) {
		if (!halves[i].always)
			continue;
		wanted->files &= ~halves[i].place.files;
		wanted->rest &= ~halves[i].place.rest;
	}
	for (i = 0; i < 2; i++) {
		if (!wants[i])
			continue;
		p->followed[at / 32] |= 1u << at % 32;
		add_operand(wanted, word, halves[i].operands);
	}
}

/**
 * v3dcl_follow() - find out which instructions' results are of interest
 * @p: of a shader; of its instructions those are marked that make an address, and where blocks start
 */
void v3dcl_follow(struct v3dcl_prover *p)
{
	struct v3dcl_places wanted = { 0, 0 };
	__u32 at = p->limit, marks, i;

	while (at--) {
		if (!(wanted.files | wanted.rest)) {
			marks = p->followed[at / 32] << (31 - at % 32);
			at -= marks ? __builtin_clz(marks) : at % 32;
		}
		want(p, at, &wanted);
		if (makes_address(p->code[at]))
			add_operand(&wanted, p->code[at], address_operands(p->code[at]));
		if (at && (wanted.files | wanted.rest) && v3dcl_is_leader(p, at)) {
			for (i = 0; i < p->count / 32 + 1; i++)
				p->followed[i] = ~(__u32)0;
			p->across = true;
			return;
		}
	}
}
