// SPDX-License-Identifier: MIT
/*
 * The fixpoint: what holds where paths meet, when a path that is visited late changes what an early
 * one has found: loops that overlap, paths into the middle of a loop, code that no path reaches,
 * paths that end; and how much work all that may be.
 */
#include "reach.h"

#define JUMP(n) \
	E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, (uint32_t)(n) * 8, QB_NONE)) qb_nops(&b, 3);
#define MAYBE(n) \
	E(qb_branch(V3D_QPU_BRANCH_ANY_ZC, true, (uint32_t)(n) * 8, QB_NONE)) qb_nops(&b, 3);
#define BACK(to) qb_branch_to(&b, V3D_QPU_BRANCH_ALL_ZC, to); qb_nops(&b, 3);
#define ALWAYS_BACK(to) qb_branch_to(&b, V3D_QPU_BRANCH_ALWAYS, to); qb_nops(&b, 3);
#define ENDED END qb_nops(&b, 2);

/* Of two loops that overlap the second one changes what the first one begins with. */
TEST(test_overlapping_loops)
{
	(void)state;
	/* 4 to 9 with the branch's slots, 6 to 15 */
	/* 0 to 3 */
	BROKEN(ADDRESS_UNKNOWN, 5, FLAGS ZERO(QB_R0) E(qb_mov(QB_R1, QB_UNIF)) NOP
	       /* 4 to 10 */
	       NOP E(ADD(QB_TMU0_S, QB_R0, QB_R1)) E(SIG(LOAD_TMU0, qb_nop())) BACK(4)
	       /* 11 to 15 */
	       OP(ITOF, QB_R0, QB_ELEMENT, QB_ELEMENT) BACK(5));
	OK(FLAGS ZERO(QB_R0) E(qb_mov(QB_R1, QB_UNIF)) NOP
	   NOP E(ADD(QB_TMU0_S, QB_R0, QB_R1)) E(SIG(LOAD_TMU0, qb_nop())) BACK(4)
	   E(qb_ldi(QB_R0, 60)) BACK(5));
	assert_int_equal(program.uses[0].address.span, 60);
	/* the same, one in the other, and a third behind both */
	BROKEN(ADDRESS_UNKNOWN, 4, FLAGS ZERO(QB_R0) E(qb_mov(QB_R1, QB_UNIF)) NOP
	       E(ADD(QB_TMU0_S, QB_R0, QB_R1)) E(SIG(LOAD_TMU0, qb_nop())) NOP BACK(6)
	       OP(ITOF, QB_R0, QB_ELEMENT, QB_ELEMENT) BACK(4) NOP BACK(16));
}

/* Where the stream stands is lost at the head of a loop that reads on, and so behind the head. */
TEST(test_lost_in_a_loop)
{
	(void)state;
	BROKEN(UNIFORM_LOST, 7, FLAGS NOP NOP MAYBE(0) E(qb_mov(QB_NONE, QB_UNIF)) NOP BACK(2));
	OK(FLAGS NOP NOP MAYBE(0) NOP NOP BACK(2) E(qb_mov(QB_NONE, QB_UNIF)));
}

/* Nothing is loaded: r4 is another program's. */
TEST(test_nothing_loaded)
{
	(void)state;
	BROKEN(CODE_UNDEFINED, 1, NOP E(qb_mov(QB_R0, QB_R4)));
}

/*
 * A path into the middle of a loop brings what its head did not have: a set-up is missing behind
 * the head as well.
 */
TEST(test_into_a_loop)
{
	(void)state;
	/* 0, 1; 2 to 16; 6 set-up, 7 head, 11 behind it, then an end; 16 back to the head */
	BROKEN(SETUP_MISSING, 11, FLAGS ZERO(QB_R0)
	       MAYBE(7 + 3) qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0)); JUMP(0)
	       E(qb_mov(QB_VPM_WRITE, QB_R0)) NOP ENDED NOP ALWAYS_BACK(7));
	OK(FLAGS ZERO(QB_R0) qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
	   MAYBE(7 + 2) NOP JUMP(0) E(qb_mov(QB_VPM_WRITE, QB_R0)) ENDED NOP ALWAYS_BACK(8));
	/* so is a register's value, of a file or an accumulator */
	for (int i = 0; i < 3; i++) {
		const uint16_t place = i == 0 ? QB_RA(5) : i == 1 ? QB_RB(31) : QB_R2;

		BROKEN(CODE_UNDEFINED, 11,
		       FLAGS ZERO(QB_R0) MAYBE(10) OP(ITOF, place, QB_R0, QB_R0) JUMP(0)
			       E(i == 2 ? qb_mov(QB_NONE, place) : qb_mov(QB_R1, place))
				       NOP ENDED NOP ALWAYS_BACK(7));
	}
	/* set up before the loop, used in it */
	OK(FLAGS ZERO(QB_R0) qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
	   E(qb_mov(QB_VPM_WRITE, QB_R0)) BACK(3));
}

/* What code has that no path reaches is nothing to paths that come to the place behind it. */
TEST(test_from_nowhere)
{
	(void)state;
	USES(1, UNREACHED(1) NOP READ(QB_UNIF));
	USES(1, ZERO(QB_R0) UNREACHED(1) E(qb_mov(QB_R0, QB_ELEMENT))
	     E(ADD(QB_TMU0_S, QB_R0, QB_UNIF)) E(SIG(LOAD_TMU0, qb_nop())));
	assert_int_equal(program.uses[0].address.span, 0);
	/* nor the path that is told */
	BROKEN(CODE_SIGNAL, 4, UNREACHED(1) E(SIG(WAIT_SCOREBOARD, qb_nop())));
	assert_int_equal(refusal.path_count, 0);
	BROKEN(CODE_SIGNAL, 9, FLAGS OVER(0) UNREACHED(1) E(SIG(WAIT_SCOREBOARD, qb_nop())));
	assert_int_equal(refusal.path_count, 0);
}

static void over_one(void)
{
	MAYBE(1)
	NOP
}

/* The last eight branches of ten are told, in their order. */
TEST(test_long_way)
{
	(void)state;
	start();
	FLAGS
	for (int i = 0; i < 10; i++)
		over_one();
	E(qb_mov(QB_R0, QB_R1))
	qb_end(&b);
	assert_false(check());
	assert_refusal(&refusal, CODE, CODE_UNDEFINED, 51 * 8);
	assert_int_equal(refusal.path_count, 8);
	for (int i = 0; i < 8; i++)
		assert_int_equal(refusal.path[i], 2 * (1 + 5 * (i + 2)) + 1);
}

/* Values that are the same but for their steps are not the same: 0 or 64, and anything between. */
TEST(test_steps)
{
	const uint32_t word = qb_word_vdw(0, 1);

	(void)state;
	OK(OP(ITOF, QB_R0, QB_ELEMENT, QB_ELEMENT) E(qb_ldi(QB_R1, 64))
	   OP(AND, QB_R0, QB_R0, QB_R1) qb_setup(&b, QB_R2, word);
	   E(ADD(QB_VW_SETUP, QB_R0, QB_R2)));
	BROKEN(SETUP_UNKNOWN, 13, FLAGS OP(ITOF, QB_R3, QB_ELEMENT, QB_ELEMENT) E(qb_ldi(QB_R1, 64))
	       OP(AND, QB_R0, QB_R3, QB_R1)
	       OVER(2) OP(MAX, QB_R3, QB_R3, qb_imm(0))
	       OP(MIN, QB_R0, QB_R3, QB_R1) qb_setup(&b, QB_R2, word); NOP NOP
	       E(ADD(QB_VW_SETUP, QB_R0, QB_R2)));
	BROKEN(SETUP_UNKNOWN, 5,
	       OP(ITOF, QB_R0, QB_ELEMENT, QB_ELEMENT) E(qb_ldi(QB_R1, 128))
		       OP(MAX, QB_R0, QB_R0, qb_imm(0)) OP(MIN, QB_R0, QB_R0, QB_R1)
			       qb_setup(&b, QB_R2, word);
	       E(ADD(QB_VW_SETUP, QB_R0, QB_R2)));
}

/* A base, a last offset or round, where it begins, a step of 64, eight rounds */
#define STEPS_BEGIN \
	E(qb_mov(QB_RA(0), QB_UNIF)) E(qb_mov(QB_RB(0), QB_UNIF)) ZERO(QB_RA(3)) \
	E(qb_ldi(QB_R2, 64)) E(qb_ldi(QB_R1, 8)) loop = qb_here(&b);
#define STEPS_CLAMP OP(MAX, QB_R0, QB_RA(3), qb_imm(0)) OP(MIN, QB_R0, QB_R0, QB_RB(0))
#define STEPS_READ OP(ADD, QB_TMU0_S, QB_R0, QB_RA(0)) E(SIG(LOAD_TMU0, qb_nop()))

static void assert_steps(__u32 scale)
{
	const struct v3dcl_abstract_value *address = &program.uses[0].address;
	const __u32 clamped = address->clamped >> 1;

	assert_int_equal(program.use_count, 1);
	assert_true(!address->low && !address->span && address->count == 2);
	assert_int_equal(address->clamped, 1 << clamped);
	assert_int_equal(address->slot[clamped], 1);
	assert_int_equal(address->scale[clamped], scale);
	assert_int_equal(address->slot[!clamped], 0);
	assert_int_equal(address->scale[!clamped], 1);
}

/* A pointer that steps in a loop, and what Documentation/checker.rst has instead of it */
TEST(test_steps_instead)
{
	uint32_t loop;

	(void)state;
	ADDRESS_LOST(STEPS_BEGIN E(qb_mov(QB_TMU0_S, QB_RA(0))) E(SIG(LOAD_TMU0, qb_nop()))
		     OP(ADD, QB_RA(0), QB_RA(0), QB_R2) qb_count_down(&b, QB_R1, loop););
	OK(STEPS_BEGIN STEPS_CLAMP STEPS_READ OP(ADD, QB_RA(3), QB_RA(3), QB_R2)
	   qb_count_down(&b, QB_R1, loop););
	assert_steps(1);
	OK(STEPS_BEGIN STEPS_CLAMP OP(SHL, QB_R0, QB_R0, qb_imm(6)) STEPS_READ
	   OP(ADD, QB_RA(3), QB_RA(3), qb_imm(1)) qb_count_down(&b, QB_R1, loop););
	assert_steps(64);
}

/*
 * Two paths that write another byte each of a register, of which nothing is known: no byte is
 * written on both.
 */
TEST(test_bytes)
{
	(void)state;
	for (int mode = 4; mode < 6; mode++)
		BROKEN(CODE_UNDEFINED, 13,
		       FLAGS ZERO(QB_R0) MAYBE(5) E(qb_pack(5, false, qb_mov(QB_RA(1), QB_R0)))
			       JUMP(1) E(qb_pack(4, false, qb_mov(QB_RA(1), QB_R0)))
				       NOP E(qb_unpack(mode, false, qb_mov(QB_R1, QB_RA(1)))));
}

/* As many values of the VPM, of which one path has had one longer */
TEST(test_values_on_the_way)
{
	(void)state;
	BROKEN(VPM_PATHS, 15, FLAGS MAYBE(9) qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1));
	       qb_nops(&b, 3); qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1));
	       JUMP(1) qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 2)); qb_nops(&b, 3);
	       E(qb_mov(QB_R0, QB_VPM_READ)) E(qb_mov(QB_R0, QB_VPM_READ)));
}

/* What does not grow is not given up because something beside it does. */
TEST(test_beside_what_grows)
{
	(void)state;
	OK(FLAGS ZERO(QB_R0) ZERO(QB_R2) E(qb_mov(QB_R1, QB_UNIF)) E(ADD(QB_TMU0_S, QB_R0, QB_R1))
	   E(SIG(LOAD_TMU0, qb_nop()))
	   E(qb_ldi(QB_R0, 60)) OP(ADD, QB_R2, QB_R2, qb_imm(1)) BACK(4));
	assert_int_equal(program.uses[0].address.low, 0);
	assert_int_equal(program.uses[0].address.span, 60);
}

/* A loop in which each round learns one thing more: 60 registers hand on what the last one gets. */
static void chain(uint64_t *words, struct qb *q, unsigned int nops)
{
	qb_init(q, words, 8192);
	for (int i = 0; i < 30; i++) {
		qb_emit(q, qb_ldi(QB_RA(i), 0));
		qb_emit(q, qb_ldi(QB_RB(i), 0));
	}
	qb_emit(q, qb_flags(qb_mov(QB_NONE, QB_ELEMENT)));
	for (int i = 0; i < 30; i++) {
		qb_emit(q, qb_mov(QB_RA(i), QB_RB(i)));
		qb_emit(q, i < 29 ? qb_mov(QB_RB(i), QB_RA(i + 1)) : qb_ldi(QB_RB(i), 1));
	}
	qb_nops(q, nops);
	qb_branch_to(q, V3D_QPU_BRANCH_ALL_ZC, 61);
	qb_nops(q, 3);
	qb_end(q);
	assert_false(q->failed);
}

TEST(test_work)
{
	static uint64_t words[8192], memory[1 << 16];
	static const unsigned int lengths[] = { 100, 6000 };
	struct qb q;

	(void)state;
	for (int i = 0; i < 2; i++) {
		bool good;

		chain(words, &q, lengths[i]);
		good = v3dcl_check_program((const __u64 *)words, q.count, memory, sizeof(memory),
					   &program, &refusal);
		/* 60 rounds of so many are more than nine times as many and 65,536. */
		assert_int_equal(good, i == 0);
		if (!good)
			assert_int_equal(refusal.rule, V3DCL_RULE_CODE_WORK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overlapping_loops),
		cmocka_unit_test(test_lost_in_a_loop),
		cmocka_unit_test(test_nothing_loaded),
		cmocka_unit_test(test_into_a_loop),
		cmocka_unit_test(test_from_nowhere),
		cmocka_unit_test(test_long_way),
		cmocka_unit_test(test_steps), cmocka_unit_test(test_steps_instead),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_values_on_the_way),
		cmocka_unit_test(test_beside_what_grows),
		cmocka_unit_test(test_work),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("verify_fixpoint", tests, NULL, NULL);
}
