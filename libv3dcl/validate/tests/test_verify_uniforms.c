// SPDX-License-Identifier: MIT
/*
 * The uniform stream of shaders: userspace lays it out by the order in which the code stands, so
 * wherever the chip's position may differ from that, the next word has to be the address at which
 * it goes on. And what an address may be made of.
 */
#include "shader.h"

static struct test_shader shader, *t = &shader;

#define E(inst) shader_emit(t, inst);
#define NOPS(n) qb_nops(&t->b, n);
#define REFUSED(rule, at, body) assert_shader_refused(t, rule, at, body)
#define ENDED E(SIG(PROGRAM_END, qb_nop())) NOPS(2)
#define ALWAYS(n) E(WITH(branch_by(n), cond_br, V3D_QPU_BRANCH_ALWAYS)) NOPS(3)
#define READ_WORD E(qb_mov(QB_R0, QB_UNIF))
#define RESET_TO(bytes) E(LDI_RESET(bytes)) E(RESET) NOPS(2)

/* Accepted, with so many words, so many of them addresses */
#define ACCEPTED(words, resets, body) \
	do { \
		shader_begin(t); \
		body \
		assert_int_equal(shader_finish(t)->uniform_words, words); \
		assert_int_equal(t->shader.reset_count, resets); \
	} while (0)

/* Where paths meet at different words nothing is lost until one reads on. */
TEST(test_no_path_reads_on)
{
	(void)state;
	ACCEPTED(1, 0, E(branch_by(1)) NOPS(3) READ_WORD);
	/* an address before it, one that no path reaches behind it */
	ACCEPTED(2, 1, RESET_TO(4) E(branch_by(1)) NOPS(3) READ_WORD);
	ACCEPTED(2, 1, E(branch_by(1)) NOPS(3) READ_WORD ALWAYS(4) RESET_TO(8));
	REFUSED(UNIFORM_LOST, 5, E(branch_by(1)) NOPS(3) READ_WORD READ_WORD);
}

/* One position, but not that of the code: what stands between is not run, or ends. */
TEST(test_other_position)
{
	(void)state;
	/* word 0 is read where the code has word 1 */
	REFUSED(UNIFORM_LOST, 6, ALWAYS(2) E(LDI_RESET(4)) E(RESET) READ_WORD);
	/* word 0 is a number to one path, and would be the address to the other */
	REFUSED(UNIFORM_LOST, 12, E(branch_by(4)) NOPS(3) READ_WORD ENDED RESET_TO(8));
	REFUSED(UNIFORM_LOST, 13, READ_WORD E(branch_by(4)) NOPS(3) READ_WORD ENDED RESET_TO(12));
	/* it is the address to both */
	ACCEPTED(3, 2, E(branch_by(8)) NOPS(3) RESET_TO(4) READ_WORD ENDED RESET_TO(12));
	assert_int_equal(t->shader.resets[0], 0);
	assert_int_equal(t->shader.resets[1], 2);
}

/*
 * The address: a uniform that the instruction itself fetches for its add, plus a constant that says
 * where the stream goes on.
 */
TEST(test_address)
{
	(void)state;
	/* fetched, and not what is added */
	REFUSED(ADDRESS_FORM, 3,
		E(MAX0(QB_R0, QB_R0)) E(MIN_UNIFORM(QB_R0, QB_R0)) E(LDI_RESET(8))
			E(qb_both(qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_R3, QB_R0),
				  qb_mul_mov(QB_R1, QB_UNIF))));
	REFUSED(ADDRESS_FORM, 1,
		E(LDI_RESET(4)) E(qb_both(qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_R3, QB_R3),
					  qb_mul_mov(QB_R1, QB_UNIF))));
	/* by the mul half */
	REFUSED(ADDRESS_FORM, 0,
		E(qb_both(qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R1, QB_R1),
			  qb_mul_mov(QB_UNIF_ADDR, QB_UNIF))));
	/* twice itself */
	REFUSED(ADDRESS_FORM, 0, E(qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_UNIF, QB_UNIF)));
}

/*
 * Nothing but reads of words before it: the constant may be as small as an immediate, whatever the
 * number of the instruction.
 */
TEST(test_first_instructions)
{
	(void)state;
	for (unsigned int words = 0; words < 3; words++) {
		shader_start(t);
		for (unsigned int i = 0; i < words; i++)
			shader_emit(t, qb_mov(QB_R0, QB_UNIF));
		shader_emit(t, qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_UNIF,
				      qb_imm(4 * (words + 1))));
		assert_int_equal(shader_finish(t)->uniform_words, words + 1);
		assert_int_equal(t->shader.resets[0], words);
	}
}

/* In loops, whose first rounds only find out what holds, a constant is no better. */
TEST(test_constant_in_a_loop)
{
	(void)state;
	REFUSED(ADDRESS_CONSTANT, 2, READ_WORD E(LDI_RESET(0x80000000)) E(RESET) NOPS(2)
		E(branch_by(-6)) NOPS(3));
	REFUSED(ADDRESS_CONSTANT, 2, READ_WORD E(LDI_RESET(0x7ffffffc)) E(RESET) NOPS(2)
		E(branch_by(-6)) NOPS(3));
	REFUSED(ADDRESS_CONSTANT, 6, E(LDI_RESET(4)) NOPS(1) E(RESET) NOPS(2) E(LDI_RESET(3))
		E(RESET) NOPS(2) E(branch_by(-10))
		NOPS(3));
}

/*
 * The same where a part of the loop is out of reach, so that what holds has to be found before
 * anything is judged.
 */
TEST(test_constant_in_a_loop_with_a_gap)
{
	(void)state;
	REFUSED(ADDRESS_CONSTANT, 7, READ_WORD E(LDI_RESET(0x80000000)) ALWAYS(1) NOPS(1) E(RESET)
		NOPS(2)
		E(branch_by(-12)) NOPS(3));
	REFUSED(ADDRESS_CONSTANT, 7, READ_WORD E(LDI_RESET(0x7ffffffc)) ALWAYS(1) NOPS(1) E(RESET)
		NOPS(2)
		E(branch_by(-12)) NOPS(3));
	REFUSED(ADDRESS_CONSTANT, 11, E(LDI_RESET(4)) NOPS(1) ALWAYS(1) NOPS(1) E(RESET) NOPS(2)
		E(LDI_RESET(3)) E(RESET) NOPS(2)
		E(branch_by(-16)) NOPS(3));
}

#define BY_MUL(inst) WITH(WITH(inst, waddr_mul, V3D_QPU_W_ACC3), cond_mul, V3D_QPU_COND_ALWAYS)

/*
 * The constant is what a load just before it gives, if it gives that on all paths and nothing comes
 * between.
 */
TEST(test_constant_just_before)
{
	(void)state;
	ACCEPTED(1, 1, E(LDI_RESET(4)) E(RESET) NOPS(2));
	ACCEPTED(1, 1, E(BY_MUL(qb_ldi(QB_NONE, 4))) E(RESET) NOPS(2));
	/*
	 * written over by either half; bytes of it; an immediate that looks like the uniform's
	 * address
	 */
	REFUSED(ADDRESS_FORM, 2, E(LDI_RESET(4)) E(qb_mul_mov(QB_R3, QB_R0)) E(RESET) NOPS(2));
	REFUSED(ADDRESS_FORM, 2, E(LDI_RESET(4)) E(qb_mov(QB_R3, QB_R0)) E(RESET) NOPS(2));
	REFUSED(ADDRESS_FORM, 1, E(qb_pack(4, true, BY_MUL(qb_ldi(QB_NONE, 4)))) E(RESET) NOPS(2));
	REFUSED(ADDRESS_FORM, 1, E(LDI_RESET(4)) E(qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_R3,
							  QB_SMALL(V3D_QPU_R_UNIFORM)))
		NOPS(2));
	/*
	 * what else the instruction names is read, though it takes nothing of it: there is no
	 * address 33
	 */
	REFUSED(CODE_READ, 1, E(LDI_RESET(4)) E(WITH(RESET, raddr_b, 33)) NOPS(2));
	/* another one on the path back */
	REFUSED(ADDRESS_FORM, 1, E(LDI_RESET(4)) E(RESET) NOPS(2) E(LDI_RESET(64)) E(branch_by(-8))
		NOPS(3));
}

/*
 * A block that is reached from behind only comes too late for the rounds, which see what follows it
 * as if nothing came before.
 */
TEST(test_late_block)
{
	(void)state;
	/* words 0 and 1 are those of the block that is jumped over, and gone back to */
	ACCEPTED(5, 3, ALWAYS(5) RESET_TO(4) READ_WORD RESET_TO(12) READ_WORD E(branch_by(-14))
		 NOPS(3));
	/* it goes on behind the loop, where paths meet at words 2 and 3 of which none reads on */
	ACCEPTED(4, 2, READ_WORD ALWAYS(4) ALWAYS(8) RESET_TO(8) E(branch_by(-12)) NOPS(3)
		 E(branch_by(1)) NOPS(3) READ_WORD);
}

/*
 * Clamps that reach the read on paths of their own are followed: moved by either half, under a
 * condition, over a block.
 */
TEST(test_followed)
{
	(void)state;
	for (int way = 0; way < 4; way++) {
		shader_begin(t);
		E(MAX0(QB_R2, QB_R2))
		E(MIN_UNIFORM(QB_R2, QB_R2))
		E(way == 0 ? qb_mul_mov(QB_R0, QB_R2) : qb_mov(QB_R0, QB_R2))
		if (way == 1) {
			E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_R0, QB_R2)))
		} else if (way == 2) {
			E(branch_by(1))
			NOPS(3)
			E(qb_mov(QB_R0, QB_R2))
		} else if (way == 3) {
			E(qb_if(V3D_QPU_COND_NS, qb_mul_mov(QB_R0, QB_R2)))
		}
		E(READ_DIRECT(QB_R0))
		E(SIG(LOAD_TMU0, qb_nop()))
		assert_int_equal(shader_finish(t)->sample_count, 1);
		assert_int_equal(t->shader.samples[0].slot[0], 1);
		assert_int_equal(t->shader.samples[0].slot[1], 0);
	}
}

/*
 * After the last branch back nothing sets the address any more: a word is added for it, whichever
 * loop was looked at last.
 */
TEST(test_last_loop)
{
	(void)state;
	/*
	 * the inner loop, 4 to 12, learns of a register what the rest of the outer one, 0 to 20,
	 * knows already
	 */
	ACCEPTED(4, 4, RESET_TO(4) RESET_TO(8) E(qb_mov(QB_RA(9), QB_R0)) E(branch_by(-9)) NOPS(3)
		 RESET_TO(12) E(branch_by(-21))
		 NOPS(3));
	assert_int_equal(t->shader.resets[3], 3);
	ACCEPTED(4, 4, RESET_TO(4) RESET_TO(8) E(qb_mov(QB_RA(9), QB_R0)) E(branch_by(-9)) NOPS(3)
		 RESET_TO(12) E(branch_by(-21))
		 NOPS(3) RESET_TO(16));
	assert_int_equal(t->shader.resets[3], 3);
}

/* Direct reads: one clamp and one base, which the instruction fetches. */
TEST(test_direct)
{
	(void)state;
	/* two clamps */
	for (int swapped = 0; swapped < 2; swapped++)
		REFUSED(DIRECT_CLAMP, 5,
			E(MAX0(QB_R0, QB_R0)) E(MIN_UNIFORM(QB_R0, QB_R0)) E(MAX0(QB_R1, QB_R1))
				E(MIN_UNIFORM(QB_R1, QB_R1))
					E(qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R0, QB_R1))
						E(swapped ? qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S,
								   QB_UNIF, QB_R0) :
							    READ_DIRECT(QB_R0)));
	/* two clamps, and the word that is fetched goes elsewhere */
	REFUSED(DIRECT_CLAMP, 4,
		E(MAX0(QB_R0, QB_R0)) E(MIN_UNIFORM(QB_R0, QB_R0)) E(MAX0(QB_R1, QB_R1))
			E(MIN_UNIFORM(QB_R1, QB_R1))
				E(qb_both(qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_R0, QB_R1),
					  qb_mul_mov(QB_R2, QB_UNIF))));
	/* a limit that was fetched before: its word may have become an address */
	REFUSED(DIRECT_CLAMP, 3, E(qb_mov(QB_R3, QB_UNIF)) E(MAX0(QB_R0, QB_R0))
		E(qb_add(V3D_QPU_ADD_MIN, QB_R0, QB_R0, QB_R3)) E(READ_DIRECT(QB_R0)));
	REFUSED(DIRECT_CLAMP, 6, E(qb_mov(QB_RECIP, QB_R0)) E(qb_mov(QB_R3, QB_UNIF)) NOPS(2)
		E(MAX0(QB_R0, QB_R0))
		E(qb_add(V3D_QPU_ADD_MIN, QB_R0, QB_R0, QB_R3)) E(READ_DIRECT(QB_R0)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_path_reads_on),
		cmocka_unit_test(test_other_position),
		cmocka_unit_test(test_address),
		cmocka_unit_test(test_constant_in_a_loop),
		cmocka_unit_test(test_constant_in_a_loop_with_a_gap),
		cmocka_unit_test(test_constant_just_before),
		cmocka_unit_test(test_late_block),
		cmocka_unit_test(test_first_instructions),
		cmocka_unit_test(test_followed),
		cmocka_unit_test(test_last_loop),
		cmocka_unit_test(test_direct),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("verify_uniforms", tests, NULL, NULL);
}
