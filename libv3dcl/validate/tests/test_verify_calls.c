// SPDX-License-Identifier: MIT
/*
 * Calls: branches that write a link register, and those that return by one.
 */
#include "reach.h"

#define V3DCL_CALLS 32

#define CALL_IF(condition, n, link) E(qb_branch(condition, true, (n) * 8, link))
/* A call of what stands n instructions behind its delay slots */
#define CALL(n, link) CALL_IF(V3D_QPU_BRANCH_ALWAYS, n, link) qb_nops(&b, 3);
#define JUMP(n) CALL(n, QB_NONE)
#define RETURN_IF(condition, ra) \
	E(qb_branch_register(qb_branch(condition, false, 0, QB_NONE), ra)) qb_nops(&b, 3);
#define RETURN(ra) RETURN_IF(V3D_QPU_BRANCH_ALWAYS, ra)
#define END_HERE END NOP NOP
/* A subroutine before the program, from instruction 4 on */
#define SUBROUTINE(ra, body) \
	JUMP(0) body RETURN(ra) qb_patch(&b, 0, qb_here(&b));
#define CALL_IT(link) \
	E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 4 * 8 - (qb_here(&b) + 4) * 8, link)) \
	qb_nops(&b, 3);

/* What returns goes on behind the call, and knows what is known on both ways there. */
TEST(test_call)
{
	(void)state;
	OK(SUBROUTINE(1, ZERO(QB_R0)) CALL_IT(QB_RA(1)) E(qb_mov(QB_R1, QB_R0)));
	OK(SUBROUTINE(1, ZERO(QB_R0)) CALL_IT(QB_RA(1)) CALL_IT(QB_RA(1))
	   E(qb_mov(QB_R1, QB_R0)));
	/* behind the program, and kept in another register, and in file B */
	OK(CALL(3, QB_RA(1)) END_HERE ZERO(QB_R0) RETURN(1));
	OK(SUBROUTINE(2, E(qb_mov(QB_RA(2), QB_RB(1))) NOP) CALL_IT(QB_RB(1)));
	/* not taken: no return goes back to it */
	OK(SUBROUTINE(1, ZERO(QB_R0)) FLAGS
	   CALL_IF(V3D_QPU_BRANCH_ALL_ZS, 4 - (int)(qb_here(&b) + 4), QB_RA(1))
	   qb_nops(&b, 3););
	/* what one path has not written is not written behind it */
	BROKEN(CODE_UNDEFINED, 13, SUBROUTINE(1, NOP) CALL_IT(QB_RA(1)) E(qb_mov(QB_R1, QB_R0)));
	BROKEN(CODE_UNDEFINED, 18, SUBROUTINE(1, NOP) ZERO(QB_R0) CALL_IT(QB_RA(1))
	       CALL_IT(QB_RA(1)) E(qb_mov(QB_R1, QB_R2)));
}

/* The link must be one, whole, on every path, and not of just now. */
TEST(test_link)
{
	const struct v3d_qpu_inst mov = qb_mov(QB_RA(2), QB_RA(1));

	(void)state;
	BROKEN(LINK_UNKNOWN, 0, RETURN(1));
	BROKEN(LINK_UNKNOWN, 2, E(qb_mov(QB_RA(1), QB_UNIF)) NOP RETURN(1));
	BROKEN(LINK_UNKNOWN, 6, SUBROUTINE(1, ZERO(QB_RA(1)) NOP) CALL_IT(QB_RA(1)));
	/* just written, in part, in some elements, rotated, unpacked, computed with */
	BROKEN(LINK_UNKNOWN, 5, SUBROUTINE(2, E(mov)) CALL_IT(QB_RA(1)));
	OK(SUBROUTINE(2, E(mov) NOP) CALL_IT(QB_RA(1)));
	BROKEN(LINK_UNKNOWN, 7, SUBROUTINE(2, ZERO(QB_RA(2)) E(qb_pack(1, false, mov)) NOP)
	       CALL_IT(QB_RA(1)));
	BROKEN(LINK_UNKNOWN, 8, SUBROUTINE(2, ZERO(QB_RA(2)) FLAGS E(qb_if(V3D_QPU_COND_ZS, mov))
					       NOP) CALL_IT(QB_RA(1)));
	BROKEN(LINK_UNKNOWN, 6, SUBROUTINE(2, E(qb_unpack(1, false, mov)) NOP) CALL_IT(QB_RA(1)));
	BROKEN(LINK_UNKNOWN, 8, SUBROUTINE(2, E(qb_mov(QB_R0, QB_RA(1))) NOP
					       E(qb_rotate(QB_RA(2), QB_R0, 1)) NOP)
	       CALL_IT(QB_RA(1)));
	BROKEN(LINK_UNKNOWN, 6, SUBROUTINE(2, OP(ADD, QB_RA(2), QB_RA(1), qb_imm(8)) NOP)
	       CALL_IT(QB_RA(1)));
	/* of one path only; the register of a call that was not taken */
	BROKEN(LINK_UNKNOWN, 5, SUBROUTINE(1, NOP) FLAGS CALL_IT(QB_RA(1)) ZERO(QB_RA(1))
	       CALL_IT(QB_NONE));
	BROKEN(LINK_UNKNOWN, 5, FLAGS CALL_IF(V3D_QPU_BRANCH_ALL_ZS, 4, QB_RA(1)) qb_nops(&b, 3);
	       RETURN(1));
}

/* Four calls, of which each may be the one that returns, and what each has written */
TEST(test_two_links)
{
	(void)state;
	BROKEN(CODE_UNDEFINED, 26, SUBROUTINE(1, NOP) CALL_IT(QB_RA(1)) CALL_IT(QB_RA(1))
	       ZERO(QB_R0) CALL_IT(QB_RA(1)) CALL_IT(QB_RA(1)) E(qb_mov(QB_R1, QB_R0)));
}

/* Where a procedure stands is a link, too: that of the branch that leads past it */
#define PROCEDURE(ra, body) \
	{ \
		int past = qb_here(&b); \
		CALL(0, QB_RA(ra)) body qb_patch(&b, past, qb_here(&b)); \
	}
#define CALL_BY(ra, link) \
	E(qb_branch_register(qb_branch(V3D_QPU_BRANCH_ALWAYS, false, 0, link), ra)) \
	qb_nops(&b, 3);

TEST(test_call_by_register)
{
	(void)state;
	OK(PROCEDURE(6, ZERO(QB_R0) RETURN(1)) CALL_BY(6, QB_RA(1)) CALL_BY(6, QB_RA(1))
	   E(qb_mov(QB_R1, QB_R0)));
	OK(PROCEDURE(6, E(qb_mov(QB_RA(1), QB_RB(6))) NOP RETURN(1)) CALL_BY(6, QB_RB(6)));
	/* either of two, of each element one: both return, and only one has written r0 */
	BROKEN(CODE_UNDEFINED, 32, PROCEDURE(6, ZERO(QB_R0) RETURN(1)) PROCEDURE(4, NOP RETURN(1))
	       FLAGS NOP E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_RA(6), QB_RA(4)))) NOP
	       qb_nops(&b, 6); CALL_BY(6, QB_RA(1)) E(qb_mov(QB_R1, QB_R0)));
	/* behind the call is what the procedure leaves, not what was before */
	BROKEN(CODE_UNDEFINED, 13, PROCEDURE(6, NOP RETURN(1)) CALL_BY(6, QB_RA(1))
	       E(qb_mov(QB_R1, QB_R0)));
	/* its own register is none; one that was computed is no link */
	BROKEN(BRANCH_WRITE, 9, PROCEDURE(6, ZERO(QB_R0) RETURN(1)) CALL_BY(6, QB_RA(6)));
	BROKEN(LINK_UNKNOWN, 11, PROCEDURE(6, ZERO(QB_R0) RETURN(1))
	       OP(ADD, QB_RA(6), QB_RA(6), qb_imm(8)) NOP CALL_BY(6, QB_RA(1)));
	BROKEN(LINK_UNKNOWN, 0, CALL_BY(6, QB_RA(1)));
	/* and the register of the link is not written by the slots */
	BROKEN(BRANCH_WRITE, 9, PROCEDURE(6, ZERO(QB_R0) RETURN(1))
	       E(qb_branch_register(qb_branch(V3D_QPU_BRANCH_ALWAYS, false, 0, QB_RA(1)), 6))
	       ZERO(QB_RA(1)) NOP NOP);
}

/* A link is written at some time between the branch and its last slot. */
TEST(test_slots)
{
	(void)state;
	BROKEN(BRANCH_WRITE, 9, SUBROUTINE(1, NOP)
	       E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, -9 * 8, QB_RA(1)))
	       ZERO(QB_RA(1)) NOP NOP);
	BROKEN(CODE_UNDEFINED, 10, SUBROUTINE(1, NOP)
	       E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, -9 * 8, QB_RA(1)))
	       E(qb_mov(QB_R0, QB_RA(1))) NOP NOP);
}

/* As many calls as a link has bits */
TEST(test_many_calls)
{
	(void)state;
	for (int more = 0; more < 2; more++) {
		start();
		SUBROUTINE(1, NOP)
		for (int n = 0; n < V3DCL_CALLS + more; n++) {
			CALL_IT(QB_RA(1))
		}
		if (!more) {
			accepted();
			continue;
		}
		qb_end(&b);
		assert_false(check());
		assert_refusal(&refusal, CODE, CODE_WORK, (9 + V3DCL_CALLS * 4) * 8);
	}
}

/* Where code lies is told to no user either. */
TEST(test_told)
{
	(void)state;
	BROKEN(ADDRESS_TOLD, 5, SUBROUTINE(1, qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
					   E(qb_mov(QB_VPM_WRITE, QB_RA(1))))
	       CALL_IT(QB_RA(1)));
	BROKEN(ADDRESS_TOLD, 5, SUBROUTINE(1, E(qb_flags(qb_mov(QB_NONE, QB_RA(1))))
					   E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, 0, QB_NONE))
					   qb_nops(&b, 3);) CALL_IT(QB_RA(1)));
}

/* What a shader may not */
TEST(test_shader)
{
	static struct test_shader t;

	(void)state;
	assert_shader_refused(&t, BRANCH_WRITE, 0,
			      shader_emit(&t, qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_RA(1)));
			      qb_nops(&t.b, 3););
	assert_shader_refused(&t, BRANCH_KIND, 0,
			      shader_emit(&t, qb_branch_register(qb_branch(V3D_QPU_BRANCH_ALWAYS,
									   false, 0, QB_NONE), 1));
			      qb_nops(&t.b, 3););
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_call),
		cmocka_unit_test(test_link),
		cmocka_unit_test(test_two_links),
		cmocka_unit_test(test_call_by_register),
		cmocka_unit_test(test_slots),
		cmocka_unit_test(test_many_calls),
		cmocka_unit_test(test_told),
		cmocka_unit_test(test_shader),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("verify_calls", tests, NULL, NULL);
}
