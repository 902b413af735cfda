// SPDX-License-Identifier: MIT
/*
 * Lower and higher numbers found by flags and copies under a condition: what is remembered of a
 * comparison, and what ends that. checker.rst, "The abstract domain".
 */
#include "reach.h"

#define BASE QB_RA(1)
#define LIMIT QB_RB(1)
#define PREPARE UNIFORM(BASE) UNIFORM(LIMIT) E(qb_mov(QB_R0, QB_ELEMENT))
#define COMPARE(a, b) E(qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_NONE, a, b)))
#define SIGN(a) E(qb_flags(qb_mov(QB_NONE, a)))
#define MOVE(condition, dst, src) E(qb_if(V3D_QPU_COND_##condition, qb_mov(dst, src)))
#define REACH E(ADD(QB_TMU0_S, QB_R0, BASE)) E(SIG(LOAD_TMU0, qb_nop()))

/* The verdict on r0 as an offset. The refused address is the last but one before the end. */
#define LIMITED(body) \
	do { \
		USES(1, PREPARE body REACH); \
		assert_int_equal(program.uses[0].address.count, 2); \
		assert_int_equal(program.uses[0].address.clamped, 1); \
		assert_int_equal(program.uses[0].address.slot[0], 1); \
		assert_int_equal(program.uses[0].address.span, 0); \
	} while (0)
#define LOST(body) ADDRESS_LOST(PREPARE body REACH)
#define RANGE(first, last, body) ADDRESS_RANGE(first, last, PREPARE body REACH)

/* Any number: what a TMU has read */
#define ANY(dst) READ(BASE) E(qb_mov(dst, QB_R4))

/* The lower of an offset and a limit, in each of the four ways to write it, by either ALU */
TEST(test_lower)
{
	(void)state;
	LIMITED(COMPARE(QB_R0, LIMIT) MOVE(NC, QB_R0, LIMIT));
	LIMITED(COMPARE(LIMIT, QB_R0) MOVE(NS, QB_R0, LIMIT));
	LIMITED(COMPARE(QB_R0, LIMIT) E(qb_if(V3D_QPU_COND_NC, qb_mul_mov(QB_R0, LIMIT))));
	LIMITED(COMPARE(QB_R0, LIMIT) NOP E(qb_mov(QB_R1, qb_imm(3))) MOVE(NC, QB_R0, LIMIT));
	/* the place of the limit is the one that gets the offset */
	USES(1, UNIFORM(BASE) UNIFORM(LIMIT) E(qb_mov(QB_R1, QB_ELEMENT)) E(qb_mov(QB_R0, LIMIT))
	     COMPARE(QB_R1, QB_R0) MOVE(NS, QB_R0, QB_R1) REACH);
	USES(1, UNIFORM(BASE) UNIFORM(LIMIT) E(qb_mov(QB_R1, QB_ELEMENT)) E(qb_mov(QB_R0, LIMIT))
	     COMPARE(QB_R0, QB_R1) MOVE(NC, QB_R0, QB_R1) REACH);
}

/* The higher one: of a uniform nothing is known then. */
TEST(test_higher)
{
	(void)state;
	LOST(COMPARE(QB_R0, LIMIT) MOVE(NS, QB_R0, LIMIT));
	LOST(COMPARE(LIMIT, QB_R0) MOVE(NC, QB_R0, LIMIT));
	RANGE(4, 15, COMPARE(QB_R0, qb_imm(4)) MOVE(NS, QB_R0, qb_imm(4)));
	RANGE(0, 4, COMPARE(QB_R0, qb_imm(4)) MOVE(NC, QB_R0, qb_imm(4)));
	/* of both what was compared, in one instruction: sorted */
	RANGE(4, 15, E(qb_mov(QB_R1, qb_imm(4))) COMPARE(QB_R0, QB_R1)
	      E(qb_both(qb_if(V3D_QPU_COND_NS, qb_mov(QB_R0, QB_R1)),
			qb_if(V3D_QPU_COND_NS, qb_mul_mov(QB_R1, QB_R0)))));
	RANGE(0, 4, E(qb_mov(QB_R1, qb_imm(4))) COMPARE(QB_R0, QB_R1)
	      E(qb_both(qb_if(V3D_QPU_COND_NS, qb_mov(QB_R0, QB_R1)),
			qb_if(V3D_QPU_COND_NS, qb_mul_mov(QB_R1, QB_R0))))
	      E(qb_mov(QB_R0, QB_R1)));
}

/* Any number, clamped at both ends */
TEST(test_clamp)
{
	(void)state;
	LOST(ANY(QB_R0) COMPARE(QB_R0, LIMIT) MOVE(NC, QB_R0, LIMIT));
	USES(2, PREPARE ANY(QB_R0) SIGN(QB_R0) MOVE(NS, QB_R0, qb_imm(0)) COMPARE(QB_R0, LIMIT)
	     MOVE(NC, QB_R0, LIMIT) REACH);
	USES(2, PREPARE ANY(QB_R0) COMPARE(QB_R0, qb_imm(0)) MOVE(NS, QB_R0, qb_imm(0))
	     COMPARE(QB_R0, LIMIT) MOVE(NC, QB_R0, LIMIT) REACH);
	job_start(2);
	job_reloc(0, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	s.words[1] = 4092;
	s.job.uniforms.size = 8;
	assert_true(v3dcl_relocate(&s.job));
	s.words[1] = 4093;
	refuses(UNIFORMS, ADDRESS_END, 0);
	/* what the sign says needs a limit that is not negative, as the range does */
	s.words[1] = -4;
	refuses(UNIFORMS, LIMIT_NEGATIVE, 4);
	/* a difference of any number and 1 may have more than 32 bits */
	LOST(ANY(QB_R0) COMPARE(QB_R0, qb_imm(1)) MOVE(NS, QB_R0, qb_imm(1))
	     COMPARE(QB_R0, LIMIT) MOVE(NC, QB_R0, LIMIT));
	LOST(ANY(QB_R0) SIGN(QB_R0) MOVE(NC, QB_R0, qb_imm(0)) COMPARE(QB_R0, LIMIT)
	     MOVE(NC, QB_R0, LIMIT));
}

static struct v3d_qpu_inst flags_branch(void)
{
	struct v3d_qpu_inst inst = qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_NONE);

	inst.branch_raddr_a = 1;
	return inst;
}

/* What is written of operands or flags ends it. */
TEST(test_ends)
{
	(void)state;
	LOST(COMPARE(QB_R0, LIMIT) E(ADD(QB_R0, QB_R0, QB_R0)) MOVE(NC, QB_R0, LIMIT));
	LOST(COMPARE(QB_R0, LIMIT) E(qb_mov(LIMIT, QB_UNIF)) NOP MOVE(NC, QB_R0, LIMIT));
	LOST(COMPARE(QB_R0, LIMIT) SIGN(QB_ELEMENT) MOVE(NC, QB_R0, LIMIT));
	LOST(COMPARE(QB_R0, LIMIT)
	     E(qb_flags(qb_if(V3D_QPU_COND_NC, qb_mov(QB_NONE, QB_ELEMENT))))
	     MOVE(NC, QB_R0, LIMIT));
	LOST(COMPARE(QB_R0, LIMIT)
	     E(qb_flags(qb_if(V3D_QPU_COND_NC, qb_add(V3D_QPU_ADD_SUB, QB_NONE, QB_R0, LIMIT))))
	     MOVE(NC, QB_R0, LIMIT));
	LOST(COMPARE(QB_R0, LIMIT) E(qb_flags(qb_ldi(QB_NONE, 1))) MOVE(NC, QB_R0, LIMIT));
	/* the instruction that sets the flags writes an operand, by either ALU */
	LOST(E(qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_R0, QB_R0, LIMIT))) MOVE(NC, QB_R0, LIMIT));
	LOST(E(qb_mov(QB_R1, QB_R0))
	     E(qb_both(qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_NONE, QB_R0, LIMIT)),
		       qb_mul_mov(QB_R0, QB_R1)))
	     MOVE(NC, QB_R0, LIMIT));
	LOST(E(qb_mov(QB_R1, LIMIT)) E(qb_mov(QB_R2, QB_UNIF))
	     E(qb_both(qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_NONE, QB_R0, QB_R1)),
		       qb_mul_mov(QB_R1, QB_R2)))
	     MOVE(NC, QB_R0, QB_R1));
	/* a branch whose bit for flags is set (HW) */
	LOST(COMPARE(QB_R0, LIMIT) E(flags_branch()) qb_nops(&b, 3); MOVE(NC, QB_R0, LIMIT));
	/* the place holds the lower one once */
	LOST(COMPARE(QB_R0, LIMIT) MOVE(NC, QB_R0, LIMIT) MOVE(NC, QB_R0, LIMIT));
}

/* Other conditions, operations, operands and places say nothing. */
TEST(test_others)
{
	(void)state;
	LOST(COMPARE(QB_R0, LIMIT) MOVE(ZC, QB_R0, LIMIT));
	LOST(COMPARE(QB_R0, LIMIT) MOVE(CC, QB_R0, LIMIT));
	LOST(E(qb_flags(qb_add(V3D_QPU_ADD_XOR, QB_NONE, QB_R0, LIMIT))) MOVE(NC, QB_R0, LIMIT));
	LOST(E(qb_flags(ADD(QB_NONE, QB_R0, LIMIT))) MOVE(NC, QB_R0, LIMIT));
	LOST(COMPARE(QB_R0, LIMIT) E(qb_if(V3D_QPU_COND_NC, ADD(QB_R0, LIMIT, LIMIT))));
	LOST(E(qb_mov(QB_R1, QB_R0)) COMPARE(QB_R1, LIMIT) MOVE(NC, QB_R0, LIMIT));
	LOST(E(qb_mov(QB_R1, LIMIT)) COMPARE(QB_R0, QB_R1) E(ADD(QB_R1, QB_R1, QB_R1))
	     MOVE(NC, QB_R0, LIMIT));
	LOST(COMPARE(QB_R0, qb_imm(4)) MOVE(NC, QB_R0, LIMIT));
	/* bits and elements that are moved, and a register that has just been written */
	LOST(E(qb_mov(QB_RA(2), LIMIT)) NOP COMPARE(QB_R0, QB_RA(2))
	     E(qb_unpack(1, false, qb_if(V3D_QPU_COND_NC, qb_mov(QB_R0, QB_RA(2))))));
	LOST(ANY(QB_RA(2)) ZERO(QB_R1) COMPARE(QB_RA(2), QB_R1)
	     E(qb_unpack(1, false, qb_if(V3D_QPU_COND_NC, qb_mov(QB_R1, QB_RA(2)))))
	     OP(MIN, QB_R0, QB_R1, LIMIT));
	LOST(ANY(QB_R2) ZERO(QB_RA(3)) NOP COMPARE(QB_R2, QB_RA(3))
	     E(qb_pack(8, false, qb_if(V3D_QPU_COND_NC, qb_mov(QB_RA(3), QB_R2)))) NOP
	     OP(MIN, QB_R0, QB_RA(3), LIMIT));
	LOST(ANY(QB_RA(2)) NOP
	     E(qb_unpack(1, false, qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_NONE, QB_RA(2), qb_imm(0)))))
	     MOVE(NS, QB_RA(2), qb_imm(0)) NOP OP(MIN, QB_R0, QB_RA(2), LIMIT));
	LOST(ANY(QB_RA(2)) NOP
	     E(qb_pack(8, false, qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_RA(4), QB_RA(2), qb_imm(0)))))
	     MOVE(NS, QB_RA(2), qb_imm(0)) NOP OP(MIN, QB_R0, QB_RA(2), LIMIT));
	LOST(E(qb_mov(QB_R1, LIMIT)) COMPARE(QB_R0, QB_R1)
	     E(qb_if(V3D_QPU_COND_NC, qb_rotate(QB_R0, QB_R1, 1))));
	/* small immediates that rotate are no numbers */
	RANGE((__u32)-1, 15, E(qb_mov(QB_R1, qb_imm(-1))) COMPARE(QB_R0, QB_SMALL(63))
	      MOVE(NC, QB_R0, QB_R1));
	LOST(E(qb_mov(LIMIT, QB_UNIF)) COMPARE(QB_R0, LIMIT) MOVE(NC, QB_R0, LIMIT));
}

/* Where paths meet that compared different things, or of which one did not */
TEST(test_paths)
{
	(void)state;
	LIMITED(COMPARE(QB_R0, LIMIT) OVER(1) NOP MOVE(NC, QB_R0, LIMIT));
	LOST(COMPARE(QB_R0, LIMIT) OVER(1) COMPARE(LIMIT, QB_R0) MOVE(NC, QB_R0, LIMIT));
	LOST(FLAGS OVER(1) COMPARE(QB_R0, LIMIT) MOVE(NC, QB_R0, LIMIT));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lower), cmocka_unit_test(test_higher),
		cmocka_unit_test(test_clamp), cmocka_unit_test(test_ends),
		cmocka_unit_test(test_others), cmocka_unit_test(test_paths),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("verify_compare", tests, NULL, NULL);
}
