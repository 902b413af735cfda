// SPDX-License-Identifier: MIT
/*
 * The control-flow graph: where a program ends, which branches it may have, which code is verified:
 * all that can be run, nothing else.
 */
#include "verify.h"

#define JUMP(n) E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, (uint32_t)(n) * 8, QB_NONE))
#define MAYBE(n) E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, (uint32_t)(n) * 8, QB_NONE))
#define NOPS(n) qb_nops(&b, n);
#define BAD E(SIG(BREAK, qb_nop()))		/* refused wherever it is looked at */

#define RAW_ACCEPTED(last_end_, body) \
	do { \
		bool good_; \
		start(); \
		body good_ = check(); \
		if (!good_) \
			print_message("# %s at %u\n", v3dcl_rule_text(refusal.rule), \
				      refusal.offset / 8); \
		assert_true(good_); \
		assert_int_equal(program.last_end, last_end_); \
	} while (0)

TEST(test_size)
{
	static __u64 large[V3DCL_MAX_INSTRUCTIONS + 1];
	const struct v3d_qpu_inst nop = qb_nop(), end = SIG(PROGRAM_END, qb_nop());
	__u32 bytes;

	(void)state;
	RAW(CODE_SIZE, 0, NOPS(0));
	for (__u32 i = 0; i <= V3DCL_MAX_INSTRUCTIONS; i++)
		large[i] = v3d_qpu_encode(i == V3DCL_MAX_INSTRUCTIONS - 3 ? &end : &nop);
	bytes = v3dcl_program_scratch(large, V3DCL_MAX_INSTRUCTIONS);
	void *memory = malloc(bytes);

	assert_true(bytes <= 4 << 20 || bytes <= 9216 + 170 * V3DCL_MAX_INSTRUCTIONS);
	assert_true(v3dcl_check_program(large, V3DCL_MAX_INSTRUCTIONS, memory, bytes, &program,
					&refusal));
	assert_false(v3dcl_check_program(large, V3DCL_MAX_INSTRUCTIONS, memory, bytes - 1, &program,
					 &refusal));
	assert_refusal(&refusal, CODE, SCRATCH, 0);
	assert_false(v3dcl_check_program(large, V3DCL_MAX_INSTRUCTIONS + 1, memory, bytes, &program,
					 &refusal));
	assert_refusal(&refusal, CODE, CODE_SIZE, 0);
	free(memory);
}

/* The end and both its delay slots; what follows is never run, and may be anything. */
TEST(test_end)
{
	(void)state;
	RAW(CODE_END, 1, NOPS(1));
	RAW(CODE_END, 1, END);
	RAW(CODE_END, 2, END NOPS(1));
	RAW_ACCEPTED(0, END NOPS(2));
	RAW_ACCEPTED(0, END NOPS(2) BAD);
	RAW_ACCEPTED(1, NOPS(1) END NOPS(2) BAD END BAD);
	RAW(CODE_SIGNAL, 1, END BAD NOPS(1));
	RAW(CODE_SIGNAL, 2, END NOPS(1) BAD);
	RAW(CODE_SIGNAL, 1, END END NOPS(2));
	RAW(CODE_SIGNAL, 2, END NOPS(1) END NOPS(2));
}

/* Code that only a branch past an end leads to is looked at as well. */
TEST(test_branch_past_an_end)
{
	(void)state;
	/* 0 flags, 1 branch to 8, 5 end, 8 on */
	RAW_ACCEPTED(8, FLAGS MAYBE(3) NOPS(3) END NOPS(2) END NOPS(2));
	RAW(CODE_SIGNAL, 8, FLAGS MAYBE(3) NOPS(3) END NOPS(2) BAD END NOPS(2));
	RAW(CODE_UNDEFINED, 8, FLAGS MAYBE(3) NOPS(3) END NOPS(2) E(qb_mov(QB_R0, QB_RA(3))) END
	    NOPS(2));
	RAW(CODE_SIGNAL, 9, JUMP(4) NOPS(3) NOPS(1) END NOPS(2) NOPS(1) BAD END NOPS(2));
	/* and there has to be an end there */
	RAW(BRANCH_TARGET, 1, FLAGS MAYBE(3) NOPS(3) END NOPS(2) NOPS(1));
	RAW(BRANCH_TARGET, 1, FLAGS MAYBE(3) NOPS(3) END NOPS(2) NOPS(3));
	RAW(CODE_END, 9, FLAGS MAYBE(3) NOPS(3) END NOPS(2) END);
	/* to the end itself: the branch leads no further */
	RAW_ACCEPTED(5, FLAGS MAYBE(0) NOPS(3) END NOPS(2) BAD);
	RAW_ACCEPTED(6, FLAGS MAYBE(1) NOPS(3) NOPS(1) END NOPS(2) BAD);
	/* what comes back */
	RAW_ACCEPTED(12, FLAGS MAYBE(3) NOPS(3) END NOPS(2) MAYBE(-7) NOPS(3) END NOPS(2));
}

TEST(test_branches)
{
	struct v3d_qpu_inst i;

	(void)state;
	/* to 0 and up to the last instruction */
	RAW_ACCEPTED(5, FLAGS MAYBE(-5) NOPS(3) END NOPS(2));
	RAW(BRANCH_TARGET, 1, FLAGS MAYBE(-6) NOPS(3) END NOPS(2));
	RAW(BRANCH_TARGET, 1, FLAGS MAYBE(3) NOPS(3) END NOPS(2));
	RAW(BRANCH_TARGET, 1, FLAGS MAYBE(0x0fffffff) NOPS(3) END NOPS(2));
	RAW(BRANCH_TARGET, 1, FLAGS E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, 4, QB_NONE)) NOPS(3)
	    END NOPS(2));
	RAW(BRANCH_TARGET, 1, FLAGS E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, (uint32_t)-4, QB_NONE))
	    NOPS(3) END NOPS(2));
	/* just past the code, where there is no end either */
	RAW(BRANCH_TARGET, 1, FLAGS MAYBE(3) NOPS(6));
	RAW(BRANCH_TARGET, 1, FLAGS MAYBE(4) NOPS(6));
	/* an instruction behind its delay slots */
	RAW(BRANCH_TARGET, 0, JUMP(-4) NOPS(3));
	RAW(CODE_END, 5, JUMP(-4) NOPS(4));
	/* reserved conditions, absolute or with a register, with a link */
	for (int condition = 12; condition < 15; condition++)
		RAW(BRANCH_CONDITION, 1, FLAGS E(qb_branch(condition, true, 0, QB_NONE)) NOPS(3) END
		    NOPS(2));
	RAW(BRANCH_KIND, 0, E(qb_branch(V3D_QPU_BRANCH_ALWAYS, false, 0, QB_NONE)) NOPS(3) END
	    NOPS(2));
	i = qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_NONE);
	i.reg = 1;
	RAW(BRANCH_KIND, 0, E(i) NOPS(3) END NOPS(2));
	i = qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_NONE);
	i.waddr_add = 32;
	RAW(BRANCH_WRITE, 0, E(i) NOPS(3) END NOPS(2));
	assert_int_equal(refusal.found, 32);
	i = qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_NONE);
	i.waddr_mul = 5;
	RAW(BRANCH_WRITE, 0, E(i) NOPS(3) END NOPS(2));
	assert_int_equal(refusal.found, 5);
	/* flags that are not set */
	RAW(FLAGS_UNDEFINED, 0, MAYBE(0) NOPS(3) END NOPS(2));
	RAW_ACCEPTED(4, JUMP(0) NOPS(3) END NOPS(2));
	/* for ever */
	RAW_ACCEPTED(4, JUMP(-4) NOPS(3) END NOPS(2));
}

/*
 * Delay slots: no branch in them, none into them, no end in a branch's, nothing that takes another
 * path
 */
TEST(test_slots)
{
	(void)state;
	RAW(BRANCH_SLOT, 2, FLAGS MAYBE(2) MAYBE(2) NOPS(6) END NOPS(2));
	RAW(BRANCH_SLOT, 4, FLAGS MAYBE(2) NOPS(2) MAYBE(2) NOPS(6) END NOPS(2));
	RAW_ACCEPTED(11, FLAGS MAYBE(4) NOPS(3) MAYBE(2) NOPS(5) END NOPS(2));
	RAW(CODE_SIGNAL, 2, FLAGS MAYBE(3) END NOPS(5) END NOPS(2));
	RAW(SLOT_TARGET, 4, FLAGS MAYBE(3) NOPS(2) END NOPS(3) END NOPS(2));
	RAW(SLOT_TARGET, 6, FLAGS MAYBE(5) NOPS(3) END MAYBE(0) NOPS(3) END NOPS(2));
	RAW(SLOT_TARGET, 7, FLAGS MAYBE(5) NOPS(3) END NOPS(1) MAYBE(0) NOPS(3) END NOPS(2));
	RAW(BRANCH_SLOT, 2, FLAGS END MAYBE(0) NOPS(1));
	RAW(BRANCH_SLOT, 3, FLAGS END NOPS(1) MAYBE(0));
	/* no block is known yet, so no path there */
	memset(scratch, 0, sizeof(scratch));
	RAW(BRANCH_SLOT, 2, FLAGS MAYBE(2) MAYBE(2) NOPS(6) END NOPS(2));
	assert_int_equal(refusal.path_count, 0);
	/* of two that lead as far the first is to blame */
	RAW(BRANCH_TARGET, 1, FLAGS MAYBE(5) NOPS(3) END MAYBE(0) NOPS(4));
	/* into a branch's slots: itself leads on */
	RAW_ACCEPTED(5, FLAGS MAYBE(-4) NOPS(3) END NOPS(2));
	for (int n = 1; n <= 3; n++)
		RAW(SLOT_TARGET, 1, FLAGS MAYBE(n - 4) NOPS(3) END NOPS(2));
	/* into the end's */
	RAW(SLOT_TARGET, 5, FLAGS MAYBE(1) NOPS(3) END NOPS(2) END NOPS(2));
	RAW(SLOT_TARGET, 5, FLAGS MAYBE(2) NOPS(3) END NOPS(2) END NOPS(2));
	RAW_ACCEPTED(8, FLAGS MAYBE(3) NOPS(3) END NOPS(2) END NOPS(2));
}

/*
 * Memory that is too small is not written to, and what is enough is no more than is promised: see
 * v3dcl_program_scratch().
 */
static void try_scratch(__u32 branches)
{
	static __u64 memory[4096];
	const __u32 bytes = v3dcl_program_scratch((const __u64 *)code, b.count);

	assert_true(bytes < 9216 + 170 * b.count + 6300 * branches);
	for (__u32 given = 0; given < bytes; given += 8) {
		memset(memory, 0xee, sizeof(memory));
		assert_false(v3dcl_check_program((const __u64 *)code, b.count, memory, given,
						 &program, &refusal));
		assert_refusal(&refusal, CODE, SCRATCH, 0);
		assert_int_equal(refusal.expected, bytes);
		for (__u32 i = given / 8; i < sizeof(memory) / 8; i++)
			if (memory[i] != 0xeeeeeeeeeeeeeeee)
				fail_msg("%u bytes given, word %u changed", given, i);
	}
	assert_true(v3dcl_check_program((const __u64 *)code, b.count, memory, bytes, &program,
					&refusal));
}

TEST(test_scratch)
{
	(void)state;
	start();
	END
	NOPS(2)
	try_scratch(0);
	start();
	FLAGS
	NOPS(40)
	MAYBE(0)
	NOPS(3)
	END
	NOPS(2)
	try_scratch(1);
}

/* However many branches there are, there is a limit to the memory. */
TEST(test_scratch_of_branches)
{
	static __u64 many[1 << 16];
	const struct v3d_qpu_inst over = qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_NONE),
				  nop = qb_nop();

	(void)state;
	for (__u32 i = 0; i < 1 << 16; i++)
		many[i] = v3d_qpu_encode(i % 4 ? &nop : &over);
	assert_in_range(v3dcl_program_scratch(many, 1 << 16), 1 << 20, 4 << 20);
}

/* As many blocks as are promised, and one more */
TEST(test_blocks)
{
	static __u64 many[8192];
	static __u64 memory[1 << 20];
	const struct v3d_qpu_inst flags = qb_flags(qb_mov(QB_NONE, QB_ELEMENT)), nop = qb_nop(),
				  end = SIG(PROGRAM_END, nop),
				  over = qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, 0, QB_NONE);

	(void)state;
	for (__u32 branches = 1022; branches <= 1025; branches++) {
		__u32 n = 0;
		bool good;

		many[n++] = v3d_qpu_encode(&flags);
		for (__u32 i = 0; i < branches; i++) {
			many[n++] = v3d_qpu_encode(&over);
			for (int slot = 0; slot < 3; slot++)
				many[n++] = v3d_qpu_encode(&nop);
		}
		many[n++] = v3d_qpu_encode(&end);
		many[n++] = v3d_qpu_encode(&nop);
		many[n++] = v3d_qpu_encode(&nop);
		assert_true(v3dcl_program_scratch(many, n) <= sizeof(memory));
		good = v3dcl_check_program(many, n, memory, sizeof(memory), &program, &refusal);
		/* one begins with the program, one behind each branch */
		assert_int_equal(good, branches + 1 <= 1024);
		if (!good)
			assert_int_equal(refusal.rule, V3DCL_RULE_CODE_WORK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_branch_past_an_end),
		cmocka_unit_test(test_branches),
		cmocka_unit_test(test_slots),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_scratch),
		cmocka_unit_test(test_scratch_of_branches),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("verify_cfg", tests, NULL, NULL);
}
