// SPDX-License-Identifier: MIT
/*
 * What user programs reach memory with: what is recorded of each access, once; how much must be
 * known of an address; what cannot be reached.
 */
#include "reach.h"

static void read_others(int count)
{
	while (count--) {
		READ(QB_UNIF)
	}
}

/* The same access again is one use; any other is another one. */
TEST(test_uses)
{
	(void)state;
	USES(1, UNIFORM(QB_RA(0)) READ(QB_RA(0)));
	USES(1, UNIFORM(QB_RA(0)) READ(QB_RA(0)) READ(QB_RA(0)) READ(QB_RA(0)));
	USES(2, UNIFORM(QB_RA(0)) READ(QB_RA(0)) READ(QB_UNIF));
	USES(2, UNIFORM(QB_RA(0)) E(ADD(QB_R0, QB_RA(0), qb_imm(4))) READ(QB_RA(0)) READ(QB_R0));
	USES(2, UNIFORM(QB_RA(0)) READ(QB_RA(0)) STORE_WORDS(qb_word_vdw(0, 1), 0) STORE(QB_RA(0)));
	USES(1, UNIFORM(QB_RA(0)) STORE_WORDS(qb_word_vdw(0, 1), 0) STORE(QB_RA(0))
	     STORE(QB_RA(0)));
	USES(2, UNIFORM(QB_RA(0)) STORE_WORDS(qb_word_vdw(0, 1), 0) STORE(QB_RA(0))
	     STORE_WORDS(qb_word_vdw(0, 2), 0)
	     STORE(QB_RA(0)));
	USES(2, UNIFORM(QB_RA(0)) STORE_WORDS(qb_word_vdw(0, 2), 0) STORE(QB_RA(0))
	     STORE_WORDS(qb_word_vdw(0, 2), 8)
	     STORE(QB_RA(0)));
	/* another in between */
	USES(2, UNIFORM(QB_RA(0)) UNIFORM(QB_RA(1)) READ(QB_RA(0)) READ(QB_RA(1)) READ(QB_RA(0)));
	/* fifteen others; no further does record_use() look */
	USES(16, UNIFORM(QB_RA(0)) READ(QB_RA(0)) read_others(15); READ(QB_RA(0)));
	USES(18, UNIFORM(QB_RA(0)) READ(QB_RA(0)) read_others(16); READ(QB_RA(0)));
	/* each lookup is its own */
	USES(2, LOOKUP(0) LOOKUP(0));
	assert_int_equal(program.uniform_words, 4);
}

/*
 * Of a lookup: the words of its parameters, in the order of the writes, none for those that it does
 * not have
 */
TEST(test_lookups)
{
	(void)state;
	USES(1, LOOKUP(1));
	assert_int_equal(program.uses[0].kind, V3DCL_USE_TEXTURE);
	for (int i = 0; i < 4; i++)
		assert_int_equal(program.uses[0].parameters[i], i < 2 ? i : 0xffff);
	USES(2, E(qb_mov(QB_R0, QB_ELEMENT)) E(qb_mov(QB_TMU0_T, QB_R0)) E(qb_mov(QB_TMU0_R, QB_R0))
	     E(qb_mov(QB_TMU0_B, QB_R0))
	     E(qb_mov(QB_TMU0_S, QB_R0)) E(SIG(LOAD_TMU0, qb_nop())) LOOKUP(1));
	for (int i = 0; i < 4; i++)
		assert_int_equal(program.uses[0].parameters[i], i);
	for (int i = 0; i < 4; i++)
		assert_int_equal(program.uses[1].parameters[i], i < 2 ? 4 + i : 0xffff);
	/* a TMU each may be under way */
	USES(2, E(qb_mov(QB_R0, QB_ELEMENT)) E(qb_mov(QB_TMU0_T, QB_R0))
	     E(qb_mov(QB_IO(V3D_QPU_W_TMU1_T), QB_R0))
	     E(qb_mov(QB_TMU0_S, QB_R0)) E(qb_mov(QB_IO(V3D_QPU_W_TMU1_S), QB_R0))
	     E(SIG(LOAD_TMU0, qb_nop()))
	     E(SIG(LOAD_TMU1, qb_nop())));
	assert_int_equal(program.uses[0].parameters[0], 0);
	assert_int_equal(program.uses[0].parameters[1], 2);
	assert_int_equal(program.uses[1].parameters[0], 1);
	assert_int_equal(program.uses[1].parameters[1], 3);
	BROKEN(TMU_TWICE, 2, E(qb_mov(QB_R0, QB_ELEMENT)) E(qb_mov(QB_TMU0_T, QB_R0))
	       E(qb_mov(QB_TMU0_T, QB_R0)));
	BROKEN(TMU_UNIFORM, 0, E(qb_mov(QB_TMU0_T, QB_UNIF)));
	BROKEN(TMU_OPEN, 2, E(qb_mov(QB_R0, QB_ELEMENT)) E(qb_mov(QB_TMU0_T, QB_R0)));
	BROKEN(TMU_OPEN, 2, E(qb_mov(QB_R0, QB_ELEMENT)) E(qb_mov(QB_IO(V3D_QPU_W_TMU1_T), QB_R0)));
	/* not across the end of a block, on either TMU */
	BROKEN(TMU_OPEN, 7, E(qb_mov(QB_R0, QB_ELEMENT)) FLAGS E(qb_mov(QB_TMU0_T, QB_R0)) OVER(0)
	       E(qb_mov(QB_TMU0_S, QB_R0))
	       E(SIG(LOAD_TMU0, qb_nop())));
	BROKEN(TMU_OPEN, 7, E(qb_mov(QB_R0, QB_ELEMENT)) FLAGS
	       E(qb_mov(QB_IO(V3D_QPU_W_TMU1_T), QB_R0)) OVER(0)
	       E(qb_mov(QB_IO(V3D_QPU_W_TMU1_S), QB_R0)) E(SIG(LOAD_TMU1, qb_nop())));
}

/* As many accesses as a program may have, and one more of either kind */
TEST(test_most)
{
	static uint64_t many[2048];
	static uint64_t memory[1 << 16];

	(void)state;
	for (int kind = 0; kind < 3; kind++) {
		bool good;

		qb_init(&b, many, 2048);
		for (int i = 0; i < V3DCL_MAX_USES; i++) {
			READ(QB_UNIF)
		}
		if (kind == 1) {
			READ(QB_UNIF)
		} else if (kind == 2) {
			STORE_WORDS(qb_word_vdw(0, 1), 0)
			STORE(QB_UNIF)
		}
		qb_end(&b);
		assert_true(v3dcl_program_scratch((const __u64 *)many, b.count) <=
			    sizeof(memory) * 8);
		good = v3dcl_check_program((const __u64 *)many, b.count, memory, sizeof(memory),
					   &program, &refusal);
		assert_int_equal(good, kind == 0);
		if (kind == 0)
			assert_int_equal(program.use_count, 512);
		else
			assert_refusal(&refusal, CODE, CODE_USES,
				       (2 * 512 + (kind == 2 ? 2 : 0)) * 8);
	}
}

/* One uniform of an address may be relocated: it is there once, as it is. */
TEST(test_bases)
{
	(void)state;
	BROKEN(ADDRESS_UNKNOWN, 2, E(qb_mov(QB_R1, QB_ELEMENT)) OP(MIN, QB_R0, QB_R1, QB_UNIF)
	       E(qb_mov(QB_TMU0_S, QB_R0)));
	BROKEN(ADDRESS_UNKNOWN, 6, UNIFORM(QB_RA(0)) E(qb_mov(QB_R1, QB_ELEMENT))
	       OP(MIN, QB_R0, QB_R1, QB_UNIF)
	       OP(MIN, QB_R2, QB_R1, QB_RA(0)) OP(ADD, QB_R0, QB_R0, QB_R2)
	       E(qb_mov(QB_TMU0_S, QB_R0)));
	BROKEN(ADDRESS_UNKNOWN, 8, UNIFORM(QB_RA(0)) E(qb_mov(QB_R1, QB_ELEMENT))
	       OP(MIN, QB_R0, QB_R1, QB_UNIF)
	       OP(MIN, QB_R2, QB_R1, QB_RA(0)) OP(ADD, QB_R0, QB_R0, QB_R2)
	       OP(SHL, QB_R3, QB_RA(0), qb_imm(1))
	       OP(ADD, QB_R0, QB_R0, QB_R3) E(qb_mov(QB_TMU0_S, QB_R0)));
	/* the job says which of several it is */
	USES(1, E(qb_mov(QB_R0, QB_UNIF)) OP(SHL, QB_R1, QB_UNIF, qb_imm(1))
	     E(qb_mov(QB_R2, QB_ELEMENT))
	     OP(MIN, QB_R2, QB_R2, QB_UNIF) OP(ADD, QB_R0, QB_R0, QB_R1)
	     OP(ADD, QB_R0, QB_R0, QB_R2) READ(QB_R0));
	for (__u32 slot = 0; slot < 3; slot++) {
		job_start(3);
		job_reloc(slot, BO_IN, 0, DRM_V3DCL_RELOC_READ);
		s.words[1] = slot == 1 ? 0 : 4;
		s.words[2] = slot == 2 ? 0 : 4;
		if (!slot)
			assert_true(v3dcl_relocate(&s.job));
		else if (slot == 1)
			refuses(UNIFORMS, ADDRESS_RELOC, slot * 4);
		else
			refuses(UNIFORMS, ADDRESS_TOLD, slot * 4);
	}
	/* two of them, or none */
	USES(1, E(qb_mov(QB_R0, QB_UNIF)) OP(ADD, QB_R0, QB_R0, QB_UNIF) READ(QB_R0));
	job_start(2);
	job_reloc(0, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	s.words[1] = 4092;
	assert_true(v3dcl_relocate(&s.job));
	s.words[1] = 4093;
	refuses(UNIFORMS, ADDRESS_END, 0);
	s.words[1] = (__u32)-4;				/* before it, though it wraps */
	refuses(UNIFORMS, ADDRESS_END, 0);
	job_reloc(1, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	refuses(UNIFORMS, ADDRESS_RELOC, 4);
	job_start(2);
	refuses(UNIFORMS, ADDRESS_RELOC, 0);
}

/*
 * The length of a stream is that of all that a program reads, wherever it goes on; a word is the
 * address of one stream only.
 */
TEST(test_streams)
{
	(void)state;
	USES(1, UNIFORM(QB_RA(0)) repeat(4, qb_mov(QB_R0, QB_UNIF));
	     E(ADD(QB_UNIF_ADDR, QB_RA(0), qb_imm(4))) qb_nops(&b, 2); E(qb_mov(QB_R0, QB_UNIF)));
	assert_int_equal(program.uniform_words, 5);
	/*
	 * a word that is read by the instruction that sets the address is one of the old ones,
	 * whose place must be known
	 */
	USES(1, UNIFORM(QB_RB(0)) E(qb_both(qb_mov(QB_UNIF_ADDR, QB_RB(0)),
					    qb_mul_mov(QB_R0, QB_UNIF))));
	assert_int_equal(program.uniform_words, 2);
	BROKEN(UNIFORM_LOST, 8, FLAGS UNIFORM(QB_RB(0)) OVER(1) E(qb_mov(QB_R0, QB_UNIF))
	       E(qb_both(qb_mov(QB_UNIF_ADDR, QB_RB(0)), qb_mul_mov(QB_R0, QB_UNIF))));
	/* the last word that a record can name */
	USES(2, UNIFORM(QB_RA(0)) E(qb_ldi(QB_R1, 4 * 0xfffe))
	     E(ADD(QB_UNIF_ADDR, QB_RA(0), QB_R1)) qb_nops(&b, 2);
	     READ(QB_UNIF));
	assert_int_equal(program.uses[1].address.slot[0], 0xfffe);
	/* two runs, the second one a word further: one word would be two addresses */
	USES(2, UNIFORM(QB_RA(0)) UNIFORM(QB_RA(1))
	     E(qb_mov(QB_UNIF_ADDR, QB_RA(0))) qb_nops(&b, 2);
	     E(qb_mov(QB_UNIF_ADDR, QB_RA(1))) qb_nops(&b, 2););
	for (__u32 first = 0; first < 3; first++) {
		job_start(2);
		s.programs[1] = (struct drm_v3dcl_program){ .first_uniform = first,
							    .uniform_count = 2 };
		s.job.program_count = 2;
		if (first == 1)
			refuses(UNIFORMS, RESET_SHARED, 4);
		else
			assert_true(v3dcl_relocate(&s.job));
	}
	/* a relocation is none of them, whatever address it gives */
	job_start(2);
	s.bos[BO_IN].address = s.job.uniforms.address;
	job_reloc(1, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	refuses(UNIFORMS, RESET_SHARED, 4);
}

/* Arrays that end where they say they do: nothing behind them is looked at. */
TEST(test_exact)
{
	struct drm_v3dcl_program *programs = calloc(1, sizeof(*programs));
	struct drm_v3dcl_reloc *relocs = calloc(1, sizeof(*relocs));
	__u32 *bos = calloc(1, sizeof(*bos)), *reloc_bos = calloc(1, sizeof(*reloc_bos));
	__u64 *exact;

	(void)state;
	assert_true(programs && relocs && bos && reloc_bos);
	USES(1, UNIFORM(QB_RA(0)) READ(QB_RA(0)));
	job_start(1);
	job_reloc(0, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	*programs = s.programs[0];
	*relocs = s.relocs[0];
	*reloc_bos = s.reloc_bos[0];
	s.job.programs = programs;
	s.job.program_bos = bos;
	s.job.relocs = relocs;
	s.job.reloc_bos = reloc_bos;
	assert_true(v3dcl_relocate(&s.job));
	free(programs);
	free(relocs);
	free(bos);
	free(reloc_bos);
	/* code: straight, with a branch back, without an end */
	for (int kind = 0; kind < 3; kind++) {
		const struct v3d_qpu_inst back = qb_branch(V3D_QPU_BRANCH_ALL_ZC, true, -5 * 8,
							   QB_NONE);

		start();
		FLAGS
		E(kind == 1 ? back : qb_nop())
		qb_nops(&b, 3);
		if (kind < 2)
			qb_end(&b);
		exact = malloc(b.count * sizeof(*exact));
		assert_non_null(exact);
		memcpy(exact, code, b.count * sizeof(*exact));
		const __u32 bytes = v3dcl_program_scratch(exact, b.count);
		void *room = calloc(1, bytes);

		assert_non_null(room);
		assert_int_equal(v3dcl_check_program(exact, b.count, room, bytes, &program,
						     &refusal),
				 kind < 2);
		free(room);
		free(exact);
	}
}

/*
 * The stream's address: a uniform as it is, and a constant that leads to a word that a record can
 * name
 */
TEST(test_resets)
{
	(void)state;
	USES(1, UNIFORM(QB_RA(0)) E(qb_ldi(QB_R1, 4 * 0xfffe))
	     E(ADD(QB_UNIF_ADDR, QB_RA(0), QB_R1)) qb_nops(&b, 2);
	     E(qb_mov(QB_R0, QB_UNIF)));
	assert_int_equal(program.uniform_words, 0xffff);
	BROKEN(ADDRESS_CONSTANT, 3, UNIFORM(QB_RA(0)) E(qb_ldi(QB_R1, 4 * 0xffff))
	       E(ADD(QB_UNIF_ADDR, QB_RA(0), QB_R1)));
	BROKEN(ADDRESS_CONSTANT, 3, UNIFORM(QB_RA(0)) E(qb_ldi(QB_R1, -4))
	       E(ADD(QB_UNIF_ADDR, QB_RA(0), QB_R1)));
	for (int i = 1; i < 4; i++)
		BROKEN(ADDRESS_CONSTANT, 2, UNIFORM(QB_RA(0))
		       E(ADD(QB_UNIF_ADDR, QB_RA(0), qb_imm(i))));
	BROKEN(ADDRESS_FORM, 0, E(qb_ldi(QB_UNIF_ADDR, 0)));
	BROKEN(ADDRESS_FORM, 2, UNIFORM(QB_RB(0)) E(ADD(QB_UNIF_ADDR, QB_RB(0),
							QB_UNIF)) qb_nops(&b, 2););
	BROKEN(ADDRESS_FORM, 3, UNIFORM(QB_RA(0)) E(qb_mov(QB_R1, QB_ELEMENT))
	       E(ADD(QB_UNIF_ADDR, QB_RA(0), QB_R1)));
	BROKEN(ADDRESS_FORM, 0, E(qb_add(V3D_QPU_ADD_SHL, QB_UNIF_ADDR, QB_UNIF, qb_imm(1))));
	BROKEN(ADDRESS_FORM, 1, E(qb_mov(QB_R1, QB_ELEMENT)) OP(MIN, QB_UNIF_ADDR, QB_R1, QB_UNIF));
	BROKEN(ADDRESS_RELATIVE, 0, E(qb_mov(QB_RB(V3D_QPU_W_UNIFORMS_ADDRESS), QB_UNIF)));
	BROKEN(IO_CONDITION, 1, FLAGS E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_UNIF_ADDR, QB_UNIF))));
	/* words come two instructions later */
	BROKEN(UNIFORM_SOON, 1, E(qb_mov(QB_UNIF_ADDR, QB_UNIF)) E(qb_mov(QB_R0, QB_UNIF)));
	BROKEN(UNIFORM_SOON, 2, E(qb_mov(QB_UNIF_ADDR, QB_UNIF)) qb_nops(&b, 1);
	       E(qb_mov(QB_R0, QB_UNIF)));
	BROKEN(UNIFORM_SOON, 3, UNIFORM(QB_RA(0)) E(qb_mov(QB_UNIF_ADDR, QB_RA(0)))
	       E(qb_mov(QB_UNIF_ADDR, QB_RA(0))));
	USES(1, E(qb_mov(QB_UNIF_ADDR, QB_UNIF)) qb_nops(&b, 2); E(qb_mov(QB_R0, QB_UNIF)));
	assert_int_equal(program.uniform_words, 1);
	/* in a branch's slots, but not after them */
	for (unsigned int n = 0; n < 3; n++)
		BROKEN(ADDRESS_SLOT, 4 + n,
		       UNIFORM(QB_RA(0)) FLAGS E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, 0, QB_NONE))
			       qb_nops(&b, n);
		       E(qb_mov(QB_UNIF_ADDR, QB_RA(0))) qb_nops(&b, 3););
	USES(1, UNIFORM(QB_RA(0)) FLAGS OVER(0) E(qb_mov(QB_UNIF_ADDR, QB_RA(0))) qb_nops(&b, 2););
	/* parameters of a lookup are words that a record can name */
	USES(2, UNIFORM(QB_RA(0)) E(qb_ldi(QB_R1, 4 * 0xfffd))
	     E(ADD(QB_UNIF_ADDR, QB_RA(0), QB_R1)) qb_nops(&b, 2);
	     LOOKUP(0));
	BROKEN(CODE_USES, 8, UNIFORM(QB_RA(0)) E(qb_ldi(QB_R1, 4 * 0xfffe))
	       E(ADD(QB_UNIF_ADDR, QB_RA(0), QB_R1)) qb_nops(&b, 2);
	       LOOKUP(0));
}

/*
 * The job's memory: what was there does not matter, what lies behind stays; none at all; the stream
 * is no BO.
 */
TEST(test_job)
{
	(void)state;
	USES(1, READ(QB_UNIF));
	job_start(1);
	s.job.uniforms.size = 8;
	memset(s.owners, 0x11, sizeof(s.owners));
	memset(s.uniforms, 0x11, sizeof(s.uniforms));
	refuses(UNIFORMS, ADDRESS_RELOC, 0);
	job_reloc(0, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	assert_true(v3dcl_relocate(&s.job));
	assert_int_equal(s.runs[0].uniform_count, 1);	/* no more than these: AG100 Table 67 */
	assert_int_equal(s.uniforms[0], IN);
	assert_int_equal(s.uniforms[2], 0x11111111);
	assert_int_equal(s.owners[2], 0x11111111);
	USES(0, E(qb_nop()));
	job_start(0);
	s.job.uniforms.size = 0;
	assert_true(v3dcl_relocate(&s.job));
	USES(2, UNIFORM(QB_RA(0)) E(qb_mov(QB_UNIF_ADDR, QB_RA(0))) qb_nops(&b, 2); READ(QB_RA(0)));
	job_start(1);
	refuses(UNIFORMS, ADDRESS_RELOC, 0);
	/* words past those that a record can name are no address */
	BROKEN(ADDRESS_UNKNOWN, 7, UNIFORM(QB_RA(0)) E(qb_ldi(QB_R1, 4 * 0xfffe))
	       E(ADD(QB_UNIF_ADDR, QB_RA(0), QB_R1))
	       qb_nops(&b, 2); E(qb_mov(QB_R0, QB_UNIF)) READ(QB_UNIF));
}

/*
 * What cannot be reached reaches no memory: its uniforms are not the job's. What it lacks, others
 * might have left.
 */
TEST(test_unreachable)
{
	(void)state;
	USES(0, UNREACHED(2) E(SIG(LOAD_TMU0, qb_nop())) E(SIG(LOAD_TMU1, qb_nop())));
	USES(0, UNREACHED(1) E(qb_mov(QB_R0, QB_VPM_READ)));
	USES(0, UNREACHED(1) qb_mutex_unlock(&b););
	USES(0, UNREACHED(1) E(qb_mov(QB_R0, QB_RA(5))));
	BROKEN(CODE_SIGNAL, 4, UNREACHED(1) E(SIG(WAIT_SCOREBOARD, qb_nop())));
	BROKEN(UNIFORM_LOST, 4, UNREACHED(1) E(qb_mov(QB_R0, QB_UNIF)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_uses),
		cmocka_unit_test(test_lookups),
		cmocka_unit_test(test_most),
		cmocka_unit_test(test_bases),
		cmocka_unit_test(test_streams),
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_resets),
		cmocka_unit_test(test_job),
		cmocka_unit_test(test_unreachable),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("verify_memory", tests, NULL, NULL);
}
