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
#include "quiet.h"

/* One half of an instruction */
struct half {
	struct v3dcl_places place;
	__u32 operands;
	bool always;
};

static struct half half_of(__u64 word, bool mul)
{
	__u32 condition = get_cond(word, mul);
	bool load = is_load(word), followed = mul || V3DCL_FOLLOWED_ADDS >> get_op_add(word) & 1;
	struct half half = { .always = condition == V3D_QPU_COND_ALWAYS && !get_pack(word) };

	if (condition == V3D_QPU_COND_NEVER || !(load || (mul ? get_op_mul(word) : get_op_add(word))))
		return half;
	half.place = v3dcl_result_of(word, mul);
	half.operands = load || !followed ? 0 : mul ? mul_operands(word) : add_operands(word);
	return half;
}

/* Signals after whose delay slots accumulators hold something else */
#define ENDS_VALUES (1u << V3D_QPU_SIG_THREAD_SWITCH | 1u << V3D_QPU_SIG_LAST_THREAD_SWITCH)

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

/* The operand that is added to the uniform which the instruction fetches: a mux, that of r4, of which nothing is known, for none */
static __u32 beside_uniform(__u64 word)
{
	const __u32 fetching = (get_raddr_a(word) == V3D_QPU_R_UNIFORM ? MUX_A : 0) |
			       (get_raddr_b(word) == V3D_QPU_R_UNIFORM && !is_immediate(word) ? MUX_B : 0);

	if (fetching >> get_add_a(word) & 1)
		return get_add_b(word);
	return fetching >> get_add_b(word) & 1 ? get_add_a(word) : V3D_QPU_R4;
}

/* Does a thread switch stand there? Not before the first instruction. */
static bool switches(const struct v3dcl_prover *p, __s32 at)
{
	return at >= 0 && ENDS_VALUES >> (p->code[at] >> 60) & 1;
}

/* How far a load stands before the instruction that takes what it gives: Mesa's are four before it, at most */
#define NEAR 8

/**
 * v3dcl_constant_beside() - what is added to a uniform, if it comes from a load just before: Mesa's way to set the uniforms address
 * @p: its flow is known
 * @at: an instruction, which may add so and set the address
 * @constant: set to it
 * Return: false when it has to be followed
 */
bool v3dcl_constant_beside(const struct v3dcl_prover *p, __u32 at, __u32 *constant)
{
	const __u64 word = p->code[at];
	struct v3dcl_places place = { 0, 0 }, add, mul;
	__u32 from;

	if (get_waddr_add(word) == V3D_QPU_W_UNIFORMS_ADDRESS)
		add_operand(&place, word, 1u << beside_uniform(word));
	/* What a varying gives to r5 is not in the fields of results. */
	place.rest &= ~(1u << V3D_QPU_R5);
	/* A switch comes after its delay slots, which are in the same block as it. */
	if (switches(p, at - 1) || switches(p, at - 2))
		return false;
	for (from = at; place.files | place.rest && at - from < NEAR && !v3dcl_is_leader(p, from); from--) {
		const __u64 load = p->code[from - 1];

		if (switches(p, from - V3D_QPU_END_SLOTS - 1))
			return false;
		add = v3dcl_result_of(load, false);
		mul = v3dcl_result_of(load, true);
		if (!meet(&add, &place) && !meet(&mul, &place))
			continue;
		*constant = load;
		/* A register has nothing to give to the next instruction. With PM, packs and unpacks are for the mul ALU and r4. */
		return is_load(load) && !get_unpack(load) && !get_pack(load) &&
		       (get_pm(word) || !(get_pack(word) | get_unpack(word))) &&
		       (meet(&add, &place) ? get_cond_add(load) : get_cond_mul(load)) == V3D_QPU_COND_ALWAYS &&
		       !(meet(&add, &place) && meet(&mul, &place)) && !(place.files && from == at);
	}
	return false;
}

/**
 * v3dcl_follow() - find out which instructions' results are of interest
 * @p: of a shader; its flow is known
 */
void v3dcl_follow(struct v3dcl_prover *p)
{
	struct v3dcl_places wanted = { 0, 0 };
	__u32 at, marks, constant, i;

	for (at = 0; at < p->limit; at++)
		p->followed[at / 32] |= (__u32)makes_address(p->code[at]) << at % 32;
	while (at--) {
		bool makes;

		if (!(wanted.files | wanted.rest)) {
			marks = p->followed[at / 32] << (31 - at % 32);
			at -= marks ? __builtin_clz(marks) : at % 32;
		}
		makes = makes_address(p->code[at]);
		if (makes && v3dcl_constant_beside(p, at, &constant)) {
			p->followed[at / 32] &= ~(1u << at % 32);
			makes = false;
		}
		if (wanted.files | wanted.rest)
			want(p, at, &wanted);
		if (makes)
			add_operand(&wanted, p->code[at], address_operands(p->code[at]));
		p->follows |= v3dcl_is_followed(p, at);
		if (at && (wanted.files | wanted.rest) && v3dcl_is_leader(p, at)) {
			for (i = 0; i < p->count / 32 + 1; i++)
				p->followed[i] = ~(__u32)0;
			p->across = true;
			return;
		}
	}
}
