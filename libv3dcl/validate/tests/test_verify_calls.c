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
#define CALL_SIX CALL(6 - (int)(qb_here(&b) + 4), QB_RA(1))	/* of instruction 6 */

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

/* A link leads behind its own call, where what was known before is known still */
TEST(test_two_links)
{
	(void)state;
	OK(SUBROUTINE(1, NOP) CALL_IT(QB_RA(1)) CALL_IT(QB_RA(1)) ZERO(QB_R0) CALL_IT(QB_RA(1))
	   CALL_IT(QB_RA(1)) E(qb_mov(QB_R1, QB_R0)));
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

/* The uniforms that come next, at each call others, and between calls */
TEST(test_uniforms_of_calls)
{
	(void)state;
	OK(SUBROUTINE(1, E(qb_mov(QB_R0, QB_UNIF))) CALL_IT(QB_RA(1)) E(qb_mov(QB_R1, QB_UNIF))
	   CALL_IT(QB_RA(1)));
	assert_int_equal(program.uniform_words, 3);
	/* each is the base of what its call reads: both are asked of a job */
	OK(SUBROUTINE(1, ZERO(QB_R0) ADDRESS) CALL_IT(QB_RA(1)) CALL_IT(QB_RA(1)));
	assert_int_equal(program.use_count, 2);
	for (__u32 beyond = 0; beyond < 2; beyond++) {
		job_start(2);
		job_reloc(0, BO_IN, 4092, DRM_V3DCL_RELOC_READ);
		job_reloc(1, BO_IN, 4092 + beyond, DRM_V3DCL_RELOC_READ);
		assert_int_equal(v3dcl_relocate(&s.job), !beyond);
	}
	assert_refusal(&s.job.refusal, UNIFORMS, ADDRESS_END, 4);
	/* a loop of calls is a loop */
	BROKEN(UNIFORM_LOST, 4, SUBROUTINE(1, E(qb_mov(QB_R0, QB_UNIF))) FLAGS CALL_IT(QB_RA(1))
	       E(qb_branch(V3D_QPU_BRANCH_ANY_ZC, true, -9 * 8, QB_NONE)) qb_nops(&b, 3););
	BROKEN(UNIFORM_LOST, 1, FLAGS E(qb_mov(QB_R0, QB_UNIF))
	       E(qb_branch(V3D_QPU_BRANCH_ANY_ZC, true, -5 * 8, QB_RA(1))) qb_nops(&b, 3););
}

/* Two calls in a loop, which comes to each again with another value: they stay two */
TEST(test_calls_in_a_loop)
{
	(void)state;
	USES(1, SUBROUTINE(1, OP(ADD, QB_TMU0_S, QB_RA(16), QB_R1) E(SIG(LOAD_TMU0, qb_nop())))
	     UNIFORM(QB_RA(16)) ZERO(QB_R1) CALL_IT(QB_RA(1)) CALL_IT(QB_RA(1))
	     OP(ADD, QB_R1, QB_R1, qb_imm(4)) OP(MAX, QB_R1, QB_R1, qb_imm(0))
	     OP(MIN, QB_R1, QB_R1, qb_imm(8)) FLAGS
	     E(qb_branch(V3D_QPU_BRANCH_ANY_ZC, true, -16 * 8, QB_NONE)) qb_nops(&b, 3););
	assert_int_equal(program.uses[0].address.low, 0);
	assert_int_equal(program.uses[0].address.span, 8);
}

/* What a procedure raises is lowered behind each call; pointers go on from call to call. */
TEST(test_counts_of_calls)
{
	(void)state;
	OK(SUBROUTINE(1, E(qb_sema_up(3))) CALL_IT(QB_RA(1)) E(qb_sema_down(3)) CALL_IT(QB_RA(1)));
	assert_int_equal(program.semaphores[3], 1);
	BROKEN(SEMAPHORE_PATHS, 15, SUBROUTINE(1, E(qb_sema_up(3))) FLAGS NOP
	       CALL_IF(V3D_QPU_BRANCH_ALL_ZS, 4 - (int)(qb_here(&b) + 4), QB_RA(1))
	       qb_nops(&b, 3););
	OK(E(qb_mov(QB_RA(5), QB_UNIF)) NOP JUMP(3 + 4)
	   E(qb_mov(QB_TMU0_S, QB_RA(5))) E(SIG(LOAD_TMU0, qb_nop()))
	   OP(ADD, QB_RA(5), QB_RA(5), qb_imm(4)) RETURN(1)
	   CALL_SIX CALL_SIX CALL_SIX);
	assert_int_equal(program.use_count, 3);
	for (__u32 i = 0; i < 3; i++)
		assert_int_equal(program.uses[i].address.low, 4 * i);
	for (__u32 beyond = 0; beyond < 2; beyond++) {
		job_start(1);
		job_reloc(0, BO_IN, 4096 - 12 + beyond, DRM_V3DCL_RELOC_READ);
		assert_int_equal(v3dcl_relocate(&s.job), !beyond);
	}
}

/*
 * A procedure that calls another one some times, and is called itself some times; the inner one
 * reads a uniform and has some blocks
 */
static void nested(int inner, int outer, int blocks)
{
	int at, second;

	start();
	JUMP(0)
	at = qb_here(&b);
	E(qb_mov(QB_R0, QB_UNIF))
	FLAGS
	for (int i = 1; i < blocks; i++) {
		OVER(0)
	}
	RETURN(1)
	second = qb_here(&b);
	for (int i = 0; i < inner; i++) {
		E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, (at - (int)qb_here(&b) - 4) * 8, QB_RA(1)))
		qb_nops(&b, 3);
	}
	RETURN(2)
	qb_patch(&b, 0, qb_here(&b));
	for (int i = 0; i < outer; i++) {
		E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, (second - (int)qb_here(&b) - 4) * 8,
			    QB_RA(2)))
		qb_nops(&b, 3);
	}
}

/* As many contexts as there are, and as many nodes, and one more */
TEST(test_nested_calls)
{
	(void)state;
	nested(2, 3, 1);
	accepted();
	assert_int_equal(program.uniform_words, 6);
	nested(7, 4, 1);
	accepted();
	assert_int_equal(program.uniform_words, 28);
	nested(7, 5, 1);
	qb_end(&b);
	assert_false(check());
	assert_int_equal(refusal.rule, V3DCL_RULE_CODE_WORK);
	assert_int_equal(refusal.expected, V3DCL_CALLS);
	nested(7, 4, 35);
	accepted();
	nested(7, 4, 36);
	qb_end(&b);
	assert_false(check());
	assert_int_equal(refusal.rule, V3DCL_RULE_CODE_WORK);
	assert_int_equal(refusal.expected, 1024);
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
		cmocka_unit_test(test_uniforms_of_calls),
		cmocka_unit_test(test_calls_in_a_loop),
		cmocka_unit_test(test_counts_of_calls),
		cmocka_unit_test(test_nested_calls),
		cmocka_unit_test(test_slots),
		cmocka_unit_test(test_many_calls),
		cmocka_unit_test(test_told),
		cmocka_unit_test(test_shader),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("verify_calls", tests, NULL, NULL);
}
