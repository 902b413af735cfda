// SPDX-License-Identifier: MIT
/* Programs that keep the checker busy: see worst.h. */
#include <v3dcl_qpu_build.h>

#include "validate.h"
#include "worst.h"

/* Every register holds something else of which something is known. */
static void fill(struct qb *b)
{
	for (unsigned int n = 0; n < 32; n++) {
		qb_emit(b, qb_add(V3D_QPU_ADD_AND, QB_RA(n), QB_ELEMENT, qb_imm(n % 15 + 1)));
		qb_emit(b, qb_mov(QB_RB(n), QB_UNIF));
	}
	for (unsigned int n = 0; n < 4; n++)
		qb_emit(b, qb_flags(qb_mov(QB_R0 + n, QB_ELEMENT)));
	qb_nops(b, 1);
}

static void straight(struct qb *b)
{
	fill(b);
	while (b->count + 16 < WORST_INSTRUCTIONS) {
		const uint16_t a = QB_RA((b->count + 7) % 32), limit = QB_RB((b->count + 3) % 32);
		const struct v3d_qpu_inst add = qb_add(V3D_QPU_ADD_MIN, QB_RA(b->count % 32), a,
						       limit);
		const struct v3d_qpu_inst mul = qb_mul(V3D_QPU_MUL_MUL24, QB_RB(b->count % 32),
						       QB_R1, QB_R2);

		qb_emit(b, qb_both(qb_if(V3D_QPU_COND_ZS, add), qb_if(V3D_QPU_COND_ZC, mul)));
	}
}

/* A block of @size, its branch to @target */
static void block(struct qb *b, unsigned int size, uint32_t target)
{
	for (unsigned int n = 4; n < size; n++)
		qb_emit(b, qb_if(V3D_QPU_COND_ZS, qb_add(V3D_QPU_ADD_ADD, QB_RA(b->count % 32),
							 QB_RA((b->count + 5) % 32), QB_R1)));
	qb_branch_to(b, V3D_QPU_BRANCH_ALL_ZS, target);
	qb_nops(b, 3);
}

#define BLOCK (WORST_INSTRUCTIONS / 512 - 1)

/* All branches lead far forward: many paths meet at each place */
static void joins(struct qb *b)
{
	fill(b);
	while (b->count + 2 * BLOCK + 16 < WORST_INSTRUCTIONS)
		block(b, BLOCK, b->count + 2 * BLOCK);
	qb_nops(b, 2 * BLOCK);
}

/* Each branch leads back, by ever more */
static void loops(struct qb *b)
{
	uint32_t start;

	fill(b);
	start = b->count;
	while (b->count + BLOCK + 8 < WORST_INSTRUCTIONS)
		block(b, BLOCK, start);
}

/* Loops in loops: all heads first, then all ends */
static void nested(struct qb *b)
{
	uint32_t heads[255], depth;

	fill(b);
	for (depth = 0; depth < 255; depth++) {
		block(b, BLOCK, b->count + BLOCK);
		heads[depth] = b->count;
	}
	while (depth-- && b->count + BLOCK + 8 < WORST_INSTRUCTIONS)
		block(b, BLOCK, heads[depth]);
}

#define LINK 30
#define PROCEDURE 28	/* blocks */

/* Loops with one head in a procedure, which is called as often as there are contexts */
static void calls(struct qb *b)
{
	uint32_t over, start;

	fill(b);
	over = b->count;
	qb_emit(b, qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_NONE));
	qb_nops(b, 3);
	start = b->count;
	for (unsigned int n = 0; n < PROCEDURE * BLOCK; n++) {
		qb_emit(b, qb_if(V3D_QPU_COND_ZS,
				 qb_add(V3D_QPU_ADD_ADD, QB_RA(n % LINK), QB_RA((n + 5) % LINK),
					QB_R1)));
		if (n % BLOCK)
			continue;
		qb_branch_to(b, V3D_QPU_BRANCH_ALL_ZS, start);
		qb_nops(b, 3);
	}
	qb_emit(b, qb_branch_register(qb_branch(V3D_QPU_BRANCH_ALWAYS, false, 0, QB_NONE), LINK));
	qb_nops(b, 3);
	qb_patch(b, over, b->count);
	for (unsigned int n = 0; n < 32; n++) {
		qb_emit(b, qb_branch(V3D_QPU_BRANCH_ALWAYS, true,
				     ((int)start - (int)b->count - 4) * 8, QB_RA(LINK)));
		qb_nops(b, 3);
	}
}

/* Accesses that all differ */
static void uses(struct qb *b)
{
	fill(b);
	while (b->count + 16 < WORST_INSTRUCTIONS) {
		qb_emit(b, qb_ldi(QB_R0, b->count * 4));
		qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_RB(1), QB_R0));
		qb_emit(b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	}
}

void worst_make(unsigned int kind, uint64_t *code, struct worst *worst)
{
	static const struct {
		const char *name;
		void (*write)(struct qb *b);
	} kinds[WORST_KINDS] = {
		[WORST_STRAIGHT] = { "ranges that are clamped under conditions", straight },
		[WORST_JOINS] = { "branches that lead forward to where others do", joins },
		[WORST_LOOPS] = { "loops with one head", loops },
		[WORST_NESTED] = { "loops in loops", nested },
		[WORST_CALLS] = { "loops in a procedure that is called 32 times", calls },
		[WORST_USES] = { "accesses that all differ", uses },
	};
	struct qb b;

	qb_init(&b, code, WORST_INSTRUCTIONS);
	kinds[kind].write(&b);
	while (b.count + 3 < WORST_INSTRUCTIONS)
		qb_nops(&b, 1);
	qb_end(&b);
	worst->name = kinds[kind].name;
}

void worst_check(struct worst *worst, const uint64_t *code, void *scratch, uint32_t scratch_bytes)
{
	struct v3dcl_refusal refusal;
	struct v3dcl_program program;

	worst->scratch = v3dcl_program_scratch((const __u64 *)code, WORST_INSTRUCTIONS);
	worst->verdict = "accepted";
	if (!v3dcl_check_program((const __u64 *)code, WORST_INSTRUCTIONS, scratch, scratch_bytes,
				 &program, &refusal))
		worst->verdict = v3dcl_rule_name(refusal.rule);
}
