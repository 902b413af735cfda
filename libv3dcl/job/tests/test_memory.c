// SPDX-License-Identifier: MIT
/*
 * What user programs reach memory with: what is recorded of each access, once; how much must be known of an address and of a set-up
 * word; the FIFOs between.
 */
#include "prove.h"

#define READ(address) E(qb_mov(QB_TMU0_S, address)) E(SIG(LOAD_TMU0, qb_nop()))
#define NEVER(n) E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, (n) * 8, QB_NONE)) qb_nops(&b, 3);	/* n cannot be reached */
#define UNIFORM(dst) E(qb_mov(dst, QB_UNIF)) E(qb_nop())
#define STORE_WORDS(setup, stride) qb_setup(&b, QB_VW_SETUP, setup); qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(stride));
#define STORE(address) E(qb_mov(QB_VDW_ADDR, address)) E(qb_mov(QB_NONE, QB_VDW_WAIT))

#define LOOKUP(tmu) \
	E(qb_mov(QB_R0, QB_ELEMENT)) E(qb_mov((tmu) ? QB_IO(V3D_QPU_W_TMU1_T) : QB_TMU0_T, QB_R0)) \
	E(qb_mov((tmu) ? QB_IO(V3D_QPU_W_TMU1_S) : QB_TMU0_S, QB_R0)) \
	E(qb_signal((tmu) ? V3D_QPU_SIG_LOAD_TMU1 : V3D_QPU_SIG_LOAD_TMU0, qb_nop()))

#define USES(n, body) \
	do { \
		start(); \
		body \
		accepted(); \
		assert_int_equal(program.use_count, n); \
	} while (0)

/* The same access again is one use; any other is another one. */
TEST(test_uses)
{
	(void)state;
	USES(1, UNIFORM(QB_RA(0)) READ(QB_RA(0)));
	USES(1, UNIFORM(QB_RA(0)) READ(QB_RA(0)) READ(QB_RA(0)) READ(QB_RA(0)));
	USES(2, UNIFORM(QB_RA(0)) READ(QB_RA(0)) READ(QB_UNIF));
	USES(2, UNIFORM(QB_RA(0)) E(ADD(QB_R0, QB_RA(0), qb_imm(4))) READ(QB_RA(0)) READ(QB_R0));
	USES(2, UNIFORM(QB_RA(0)) READ(QB_RA(0)) STORE_WORDS(qb_word_vdw(0, 1), 0) STORE(QB_RA(0)));
	USES(1, UNIFORM(QB_RA(0)) STORE_WORDS(qb_word_vdw(0, 1), 0) STORE(QB_RA(0)) STORE(QB_RA(0)));
	USES(2, UNIFORM(QB_RA(0)) STORE_WORDS(qb_word_vdw(0, 1), 0) STORE(QB_RA(0)) STORE_WORDS(qb_word_vdw(0, 2), 0)
	     STORE(QB_RA(0)));
	USES(2, UNIFORM(QB_RA(0)) STORE_WORDS(qb_word_vdw(0, 2), 0) STORE(QB_RA(0)) STORE_WORDS(qb_word_vdw(0, 2), 8)
	     STORE(QB_RA(0)));
	/* another in between */
	USES(2, UNIFORM(QB_RA(0)) UNIFORM(QB_RA(1)) READ(QB_RA(0)) READ(QB_RA(1)) READ(QB_RA(0)));
	/* each lookup is its own */
	USES(2, LOOKUP(0) LOOKUP(0));
	assert_int_equal(program.uniform_words, 4);
}

/* Of a lookup: the words of its parameters, in the order of the writes, none for those that it does not have */
TEST(test_lookups)
{
	(void)state;
	USES(1, LOOKUP(1));
	assert_int_equal(program.uses[0].kind, V3DCL_USE_TEXTURE);
	for (int i = 0; i < 4; i++)
		assert_int_equal(program.uses[0].parameters[i], i < 2 ? i : 0xffff);
	USES(2, E(qb_mov(QB_R0, QB_ELEMENT)) E(qb_mov(QB_TMU0_T, QB_R0)) E(qb_mov(QB_TMU0_R, QB_R0)) E(qb_mov(QB_TMU0_B, QB_R0))
	     E(qb_mov(QB_TMU0_S, QB_R0)) E(SIG(LOAD_TMU0, qb_nop())) LOOKUP(1));
	for (int i = 0; i < 4; i++)
		assert_int_equal(program.uses[0].parameters[i], i);
	for (int i = 0; i < 4; i++)
		assert_int_equal(program.uses[1].parameters[i], i < 2 ? 4 + i : 0xffff);
	/* a TMU each may be under way */
	USES(2, E(qb_mov(QB_R0, QB_ELEMENT)) E(qb_mov(QB_TMU0_T, QB_R0)) E(qb_mov(QB_IO(V3D_QPU_W_TMU1_T), QB_R0))
	     E(qb_mov(QB_TMU0_S, QB_R0)) E(qb_mov(QB_IO(V3D_QPU_W_TMU1_S), QB_R0)) E(SIG(LOAD_TMU0, qb_nop()))
	     E(SIG(LOAD_TMU1, qb_nop())));
	assert_int_equal(program.uses[0].parameters[0], 0);
	assert_int_equal(program.uses[0].parameters[1], 2);
	assert_int_equal(program.uses[1].parameters[0], 1);
	assert_int_equal(program.uses[1].parameters[1], 3);
	BROKEN(TMU_TWICE, 2, E(qb_mov(QB_R0, QB_ELEMENT)) E(qb_mov(QB_TMU0_T, QB_R0)) E(qb_mov(QB_TMU0_T, QB_R0)));
	BROKEN(TMU_UNIFORM, 0, E(qb_mov(QB_TMU0_T, QB_UNIF)));
	BROKEN(TMU_OPEN, 2, E(qb_mov(QB_R0, QB_ELEMENT)) E(qb_mov(QB_TMU0_T, QB_R0)));
	BROKEN(TMU_OPEN, 2, E(qb_mov(QB_R0, QB_ELEMENT)) E(qb_mov(QB_IO(V3D_QPU_W_TMU1_T), QB_R0)));
	/* not across the end of a block, on either TMU */
	BROKEN(TMU_OPEN, 7, E(qb_mov(QB_R0, QB_ELEMENT)) FLAGS E(qb_mov(QB_TMU0_T, QB_R0)) OVER(0) E(qb_mov(QB_TMU0_S, QB_R0))
	       E(SIG(LOAD_TMU0, qb_nop())));
	BROKEN(TMU_OPEN, 7, E(qb_mov(QB_R0, QB_ELEMENT)) FLAGS E(qb_mov(QB_IO(V3D_QPU_W_TMU1_T), QB_R0)) OVER(0)
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
		assert_true(v3dcl_program_scratch((const __u64 *)many, b.count) <= sizeof(memory) * 8);
		good = v3dcl_check_program((const __u64 *)many, b.count, memory, sizeof(memory), &program, &refusal);
		assert_int_equal(good, kind == 0);
		if (kind == 0)
			assert_int_equal(program.use_count, 512);
		else
			assert_refusal(&refusal, CODE, CODE_USES, (2 * 512 + (kind == 2 ? 2 : 0)) * 8);
	}
}

/* One uniform of an address may be relocated: it is there once, as it is. */
TEST(test_bases)
{
	(void)state;
	BROKEN(ADDRESS_UNKNOWN, 2, E(qb_mov(QB_R1, QB_ELEMENT)) OP(MIN, QB_R0, QB_R1, QB_UNIF) E(qb_mov(QB_TMU0_S, QB_R0)));
	BROKEN(ADDRESS_UNKNOWN, 6, UNIFORM(QB_RA(0)) E(qb_mov(QB_R1, QB_ELEMENT)) OP(MIN, QB_R0, QB_R1, QB_UNIF)
	       OP(MIN, QB_R2, QB_R1, QB_RA(0)) OP(ADD, QB_R0, QB_R0, QB_R2) E(qb_mov(QB_TMU0_S, QB_R0)));
	BROKEN(ADDRESS_UNKNOWN, 8, UNIFORM(QB_RA(0)) E(qb_mov(QB_R1, QB_ELEMENT)) OP(MIN, QB_R0, QB_R1, QB_UNIF)
	       OP(MIN, QB_R2, QB_R1, QB_RA(0)) OP(ADD, QB_R0, QB_R0, QB_R2) OP(SHL, QB_R3, QB_RA(0), qb_imm(1))
	       OP(ADD, QB_R0, QB_R0, QB_R3) E(qb_mov(QB_TMU0_S, QB_R0)));
	/* the job says which of several it is */
	USES(1, E(qb_mov(QB_R0, QB_UNIF)) OP(SHL, QB_R1, QB_UNIF, qb_imm(1)) E(qb_mov(QB_R2, QB_ELEMENT))
	     OP(MIN, QB_R2, QB_R2, QB_UNIF) OP(ADD, QB_R0, QB_R0, QB_R1) OP(ADD, QB_R0, QB_R0, QB_R2) READ(QB_R0));
	for (__u32 slot = 0; slot < 3; slot++) {
		job_start(3);
		job_reloc(slot, BO_IN, 0, DRM_V3DCL_RELOC_READ);
		s.words[1] = slot == 1 ? 0 : 4;
		s.words[2] = slot == 2 ? 0 : 4;
		if (!slot)
			assert_true(v3dcl_relocate(&s.job));
		else
			refuses(UNIFORMS, ADDRESS_RELOC, slot * 4);
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

/* The stream's address: a uniform as it is, and a constant that leads to a word that a record can name */
TEST(test_resets)
{
	(void)state;
	USES(1, UNIFORM(QB_RA(0)) E(qb_ldi(QB_R1, 4 * 0xfffe)) E(ADD(QB_UNIF_ADDR, QB_RA(0), QB_R1)) qb_nops(&b, 2);
	     E(qb_mov(QB_R0, QB_UNIF)));
	assert_int_equal(program.uniform_words, 0xffff);
	BROKEN(ADDRESS_CONSTANT, 3, UNIFORM(QB_RA(0)) E(qb_ldi(QB_R1, 4 * 0xffff)) E(ADD(QB_UNIF_ADDR, QB_RA(0), QB_R1)));
	BROKEN(ADDRESS_CONSTANT, 3, UNIFORM(QB_RA(0)) E(qb_ldi(QB_R1, -4)) E(ADD(QB_UNIF_ADDR, QB_RA(0), QB_R1)));
	for (int i = 1; i < 4; i++)
		BROKEN(ADDRESS_CONSTANT, 2, UNIFORM(QB_RA(0)) E(ADD(QB_UNIF_ADDR, QB_RA(0), qb_imm(i))));
	BROKEN(ADDRESS_FORM, 0, E(qb_ldi(QB_UNIF_ADDR, 0)));
	BROKEN(ADDRESS_FORM, 2, UNIFORM(QB_RB(0)) E(ADD(QB_UNIF_ADDR, QB_RB(0), QB_UNIF)) qb_nops(&b, 2););
	BROKEN(ADDRESS_FORM, 3, UNIFORM(QB_RA(0)) E(qb_mov(QB_R1, QB_ELEMENT)) E(ADD(QB_UNIF_ADDR, QB_RA(0), QB_R1)));
	BROKEN(ADDRESS_FORM, 0, E(qb_add(V3D_QPU_ADD_SHL, QB_UNIF_ADDR, QB_UNIF, qb_imm(1))));
	BROKEN(ADDRESS_FORM, 1, E(qb_mov(QB_R1, QB_ELEMENT)) OP(MIN, QB_UNIF_ADDR, QB_R1, QB_UNIF));
	BROKEN(ADDRESS_RELATIVE, 0, E(qb_mov(QB_RB(V3D_QPU_W_UNIFORMS_ADDRESS), QB_UNIF)));
	BROKEN(IO_CONDITION, 1, FLAGS E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_UNIF_ADDR, QB_UNIF))));
	/* words come two instructions later */
	BROKEN(UNIFORM_SOON, 1, E(qb_mov(QB_UNIF_ADDR, QB_UNIF)) E(qb_mov(QB_R0, QB_UNIF)));
	BROKEN(UNIFORM_SOON, 2, E(qb_mov(QB_UNIF_ADDR, QB_UNIF)) qb_nops(&b, 1); E(qb_mov(QB_R0, QB_UNIF)));
	BROKEN(UNIFORM_SOON, 3, UNIFORM(QB_RA(0)) E(qb_mov(QB_UNIF_ADDR, QB_RA(0))) E(qb_mov(QB_UNIF_ADDR, QB_RA(0))));
	USES(1, E(qb_mov(QB_UNIF_ADDR, QB_UNIF)) qb_nops(&b, 2); E(qb_mov(QB_R0, QB_UNIF)));
	assert_int_equal(program.uniform_words, 1);
	/* in a branch's slots, but not after them */
	for (unsigned int n = 0; n < 3; n++)
		BROKEN(ADDRESS_SLOT, 4 + n, UNIFORM(QB_RA(0)) FLAGS E(qb_branch(V3D_QPU_BRANCH_ALL_ZS, true, 0, QB_NONE))
		       qb_nops(&b, n); E(qb_mov(QB_UNIF_ADDR, QB_RA(0))) qb_nops(&b, 3););
	USES(1, UNIFORM(QB_RA(0)) FLAGS OVER(0) E(qb_mov(QB_UNIF_ADDR, QB_RA(0))) qb_nops(&b, 2););
	/* parameters of a lookup are words that a record can name */
	USES(2, UNIFORM(QB_RA(0)) E(qb_ldi(QB_R1, 4 * 0xfffd)) E(ADD(QB_UNIF_ADDR, QB_RA(0), QB_R1)) qb_nops(&b, 2);
	     LOOKUP(0));
	BROKEN(CODE_USES, 8, UNIFORM(QB_RA(0)) E(qb_ldi(QB_R1, 4 * 0xfffe)) E(ADD(QB_UNIF_ADDR, QB_RA(0), QB_R1)) qb_nops(&b, 2);
	       LOOKUP(0));
}

/* Of a word only one field may be unknown: the row of a set-up, the stride of a stride word. */
TEST(test_words)
{
	const uint32_t word = qb_word_vdw(0, 1), stride = qb_word_vdw_stride(0);

	(void)state;
	/* elements by the word, column 0 to 15; 1 is a column, 2 or 4 are none */
	USES(1, E(qb_mov(QB_R1, QB_ELEMENT)) qb_setup(&b, QB_R0, qb_word_vdw(0, 1)); OP(SHL, QB_R1, QB_R1, qb_imm(7))
	     E(ADD(QB_VW_SETUP, QB_R0, QB_R1)) qb_setup(&b, QB_VW_SETUP, stride); STORE(QB_UNIF));
	BROKEN(SETUP_UNKNOWN, 3, E(qb_mov(QB_R1, QB_ELEMENT)) qb_setup(&b, QB_R0, word); OP(SHL, QB_R1, QB_R1, qb_imm(2))
	       E(ADD(QB_VW_SETUP, QB_R0, QB_R1)));
	BROKEN(SETUP_UNKNOWN, 3, E(qb_mov(QB_R1, QB_ELEMENT)) qb_setup(&b, QB_R0, word); OP(SHL, QB_R1, QB_R1, qb_imm(12))
	       E(ADD(QB_VW_SETUP, QB_R0, QB_R1)));
	start();
	E(qb_mov(QB_R1, QB_ELEMENT))
	qb_setup(&b, QB_R0, qb_word_vdw(0, 1) & ~0xfu);
	OP(SHL, QB_R1, QB_R1, qb_imm(3))			/* x */
	OP(AND, QB_R1, QB_R1, qb_imm(8))
	E(ADD(QB_VW_SETUP, QB_R0, QB_R1))
	accepted();
	/* clamped by a uniform: in steps of that field only */
	USES(1, E(qb_mov(QB_R1, QB_ELEMENT)) qb_setup(&b, QB_R0, word); OP(MIN, QB_R1, QB_R1, QB_UNIF)
	     OP(SHL, QB_R1, QB_R1, qb_imm(7)) E(ADD(QB_VW_SETUP, QB_R0, QB_R1)));
	BROKEN(SETUP_UNKNOWN, 4, E(qb_mov(QB_R1, QB_ELEMENT)) qb_setup(&b, QB_R0, word); OP(MIN, QB_R1, QB_R1, QB_UNIF)
	       OP(SHL, QB_R1, QB_R1, qb_imm(2)) E(ADD(QB_VW_SETUP, QB_R0, QB_R1)));
	/* as it is: the job says in time */
	USES(1, qb_setup(&b, QB_R0, word); E(ADD(QB_VW_SETUP, QB_R0, QB_UNIF)));
	/* strides: 16 bits of a VDW's, 14 of a VDR's (HW) */
	for (int store = 0; store < 2; store++) {
		const uint32_t base = store ? stride : v3d_word_vdr_stride(&(struct v3d_vdr_stride){ .id = 9 });
		const uint32_t most = store ? 0xffff : 0x3fff;

		USES(1, qb_setup(&b, QB_R0, base); E(ADD(store ? QB_VW_SETUP : QB_VR_SETUP, QB_R0, QB_UNIF)));
		job_start(1);
		s.words[0] = most;
		assert_true(v3dcl_relocate(&s.job));
		s.words[0] = most + 1;
		refuses(UNIFORMS, SETUP_WORD, 0);
		s.words[0] = (__u32)-1;
		refuses(UNIFORMS, SETUP_WORD, 0);
	}
	/* clamped ones: their largest */
	USES(1, E(qb_mov(QB_R1, QB_ELEMENT)) qb_setup(&b, QB_R0, stride); OP(MIN, QB_R1, QB_R1, QB_UNIF)
	     E(ADD(QB_VW_SETUP, QB_R0, QB_R1)));
	job_start(1);
	s.words[0] = 0xffff;
	assert_true(v3dcl_relocate(&s.job));
	s.words[0] = 0x10000;
	refuses(UNIFORMS, SETUP_WORD, 0);
	/* 2^32 in steps is not 0 */
	USES(1, E(qb_mov(QB_R1, QB_ELEMENT)) qb_setup(&b, QB_R0, word); OP(MIN, QB_R1, QB_R1, QB_UNIF)
	     OP(SHL, QB_R1, QB_R1, qb_imm(7)) E(ADD(QB_VW_SETUP, QB_R0, QB_R1)));
	job_start(1);
	s.words[0] = 0x02000000;
	refuses(UNIFORMS, SETUP_WORD, 0);
	s.words[0] = 0x80000000;
	refuses(UNIFORMS, LIMIT_NEGATIVE, 0);
}

/* The job's memory: what was there does not matter, what lies behind stays; none at all; the stream is no BO. */
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
	/* words past those that a record can name are nobody's address */
	BROKEN(ADDRESS_UNKNOWN, 7, UNIFORM(QB_RA(0)) E(qb_ldi(QB_R1, 4 * 0xfffe)) E(ADD(QB_UNIF_ADDR, QB_RA(0), QB_R1))
	       qb_nops(&b, 2); E(qb_mov(QB_R0, QB_UNIF)) READ(QB_UNIF));
}

/* Words that uniforms have a part in are held against the rows with the job's. */
TEST(test_rows_by_job)
{
	(void)state;
	/* Row 64 would be refused, were it not for what is added. */
	start();
	qb_setup(&b, QB_R0, qb_word_vdw(0, 1) | 64 << 7);
	E(ADD(QB_VW_SETUP, QB_R0, QB_UNIF))
	qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0));
	STORE(QB_UNIF)
	accepted();
	job_start(2);
	job_reloc(1, BO_OUT, 0, DRM_V3DCL_RELOC_WRITE);
	s.words[0] = (__u32)-(1 << 7);
	assert_true(v3dcl_relocate(&s.job));
	job_start(2);
	job_reloc(1, BO_OUT, 0, DRM_V3DCL_RELOC_WRITE);
	refuses(UNIFORMS, DMA_ROWS, 0);
	/* A stride of the job's counts in full. */
	start();
	qb_setup(&b, QB_R0, qb_word_vdw_stride(0));
	E(ADD(QB_VW_SETUP, QB_R0, QB_UNIF))
	qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 2));
	STORE(QB_UNIF)
	accepted();
	for (__u32 more = 0; more < 2; more++) {
		job_start(2);
		job_reloc(1, BO_OUT, 0, DRM_V3DCL_RELOC_WRITE);
		s.words[0] = 4096 - 128 + more;
		if (more)
			refuses(UNIFORMS, ADDRESS_END, 4);
		else
			assert_true(v3dcl_relocate(&s.job));
	}
}

/* Words that differ from path to path */
TEST(test_paths)
{
	(void)state;
	BROKEN(SETUP_UNKNOWN, 8, FLAGS qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 1)); OVER(1)
	       qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 2)); qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0)); STORE(QB_UNIF));
	BROKEN(SETUP_UNKNOWN, 8, FLAGS qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0)); OVER(1)
	       qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0) | 1 << 16); qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 1));
	       STORE(QB_UNIF));
	BROKEN(SETUP_MISSING, 7, FLAGS OVER(1) qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 1));
	       qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0)); STORE(QB_UNIF));
	USES(1, FLAGS qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 1)); OVER(1) qb_setup(&b, QB_VW_SETUP, qb_word_vdw(3, 1));
	     qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0)); STORE(QB_UNIF));
	USES(1, FLAGS qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0)); OVER(1) qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(8));
	     qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 1)); STORE(QB_UNIF));
}

/* While a transfer is under way its words stay; those of the other direction do not matter. */
TEST(test_pending)
{
	const uint32_t load_stride = v3d_word_vdr_stride(&(struct v3d_vdr_stride){ .id = 9 });

	(void)state;
	BROKEN(DMA_PENDING, 3, STORE_WORDS(qb_word_vdw(0, 1), 0) E(qb_mov(QB_VDW_ADDR, QB_UNIF))
	       qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 1)););
	BROKEN(DMA_PENDING, 3, STORE_WORDS(qb_word_vdw(0, 1), 0) E(qb_mov(QB_VDW_ADDR, QB_UNIF))
	       qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0)););
	BROKEN(DMA_PENDING, 2, qb_setup(&b, QB_VR_SETUP, qb_word_vdr(0, 1)); E(qb_mov(QB_VDR_ADDR, QB_UNIF))
	       qb_setup(&b, QB_VR_SETUP, qb_word_vdr(0, 1)););
	BROKEN(DMA_PENDING, 2, qb_setup(&b, QB_VR_SETUP, qb_word_vdr(0, 1)); E(qb_mov(QB_VDR_ADDR, QB_UNIF))
	       qb_setup(&b, QB_VR_SETUP, load_stride););
	BROKEN(DMA_PENDING, 2, qb_setup(&b, QB_VR_SETUP, qb_word_vdr(0, 1)); E(qb_mov(QB_VDR_ADDR, QB_UNIF)));
	/* waiting for the other one does not help */
	BROKEN(DMA_PENDING, 4, STORE_WORDS(qb_word_vdw(0, 1), 0) E(qb_mov(QB_VDW_ADDR, QB_UNIF)) E(qb_mov(QB_NONE, QB_VDR_WAIT)));
	BROKEN(DMA_PENDING, 3, qb_setup(&b, QB_VR_SETUP, qb_word_vdr(0, 1)); E(qb_mov(QB_VDR_ADDR, QB_UNIF))
	       E(qb_mov(QB_NONE, QB_VDW_WAIT)));
	USES(2, STORE_WORDS(qb_word_vdw(0, 1), 0) E(qb_mov(QB_VDW_ADDR, QB_UNIF)) qb_setup(&b, QB_VR_SETUP, load_stride);
	     qb_setup(&b, QB_VR_SETUP, qb_word_vdr(0, 1)); E(qb_mov(QB_VDR_ADDR, QB_UNIF)) E(qb_mov(QB_NONE, QB_VDW_WAIT))
	     STORE_WORDS(qb_word_vdw(0, 1), 0) E(qb_mov(QB_NONE, QB_VDR_WAIT)));
	BROKEN(IO_CONDITION, 3, FLAGS STORE_WORDS(qb_word_vdw(0, 1), 0) E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_VDW_ADDR, QB_UNIF))));
	BROKEN(IO_CONDITION, 1, FLAGS E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_IO(V3D_QPU_W_MUTEX_RELEASE), 1))));
	BROKEN(IO_CONDITION, 1, FLAGS E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_IO(V3D_QPU_W_HOST_INT), 1))));
}

/* Vectors of the VPM: rows of words 0 to 63, of halves to 127, of bytes to 255 (AG100 Tables 32 and 33) */
TEST(test_vpm)
{
	static const uint32_t rows[3] = { 256, 128, 64 };

	(void)state;
	for (uint32_t size = 0; size < 3; size++) {
		struct v3d_vpm_write_setup write = { .address = rows[size] - 1, .size = size, .horizontal = 1, .stride = 1 };
		struct v3d_vpm_read_setup read = { .address = rows[size] - 1, .size = size, .horizontal = 1, .stride = 1,
						   .number = 1 };

		USES(0, qb_setup(&b, QB_VW_SETUP, v3d_word_vpm_write_setup(&write)););
		USES(0, qb_setup(&b, QB_VR_SETUP, v3d_word_vpm_read_setup(&read)); qb_nops(&b, 3); E(qb_mov(QB_R0, QB_VPM_READ)));
		if (rows[size] == 256)
			continue;
		write.address++;
		read.address++;
		BROKEN(SETUP_WORD, 0, qb_setup(&b, QB_VW_SETUP, v3d_word_vpm_write_setup(&write)););
		BROKEN(SETUP_WORD, 0, qb_setup(&b, QB_VR_SETUP, v3d_word_vpm_read_setup(&read)););
	}
	BROKEN(SETUP_WORD, 0, qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0) | 3 << 8););
	BROKEN(SETUP_WORD, 0, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1) | 3 << 8););
	BROKEN(SETUP_WORD, 0, qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0) | 1 << 18););
	BROKEN(SETUP_WORD, 0, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1) | 1 << 18););
	BROKEN(SETUP_WORD, 0, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1) | 1 << 24););
	/* 0 is 16 values */
	BROKEN(VPM_UNREAD, 19, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 16)); qb_nops(&b, 3);
	       repeat(15, qb_mov(QB_R0, QB_VPM_READ)););
	USES(0, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 16)); qb_nops(&b, 3);
	     repeat(16, qb_mov(QB_R0, QB_VPM_READ)););
	/* one may be left when the next ones are asked for: it comes first, and at once; HW: not more */
	USES(0, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1)); qb_nops(&b, 3);
	     qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 2)); E(qb_mov(QB_R0, QB_VPM_READ))
	     qb_nops(&b, 2); E(qb_mov(QB_R0, QB_VPM_READ)) E(qb_mov(QB_R0, QB_VPM_READ)));
	BROKEN(VPM_SOON, 7, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1)); qb_nops(&b, 3);
	       qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 2)); E(qb_mov(QB_R0, QB_VPM_READ)) qb_nops(&b, 1);
	       E(qb_mov(QB_R0, QB_VPM_READ)));
	BROKEN(VPM_UNREAD, 4, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 2)); qb_nops(&b, 3);
	       qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1)););
	/* and one that was not waited for is not there any sooner */
	BROKEN(VPM_SOON, 2, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1)); qb_nops(&b, 1); E(qb_mov(QB_R0, QB_VPM_READ)));
}

/* What cannot be reached reaches no memory: its uniforms are not the job's. What it lacks, others might have left. */
TEST(test_unreachable)
{
	(void)state;
	USES(0, NEVER(2) E(SIG(LOAD_TMU0, qb_nop())) E(SIG(LOAD_TMU1, qb_nop())));
	USES(0, NEVER(1) E(qb_mov(QB_R0, QB_VPM_READ)));
	USES(0, NEVER(1) qb_mutex_unlock(&b););
	USES(0, NEVER(1) E(qb_mov(QB_R0, QB_RA(5))));
	BROKEN(CODE_SIGNAL, 4, NEVER(1) E(SIG(BREAK, qb_nop())));
	BROKEN(UNIFORM_LOST, 4, NEVER(1) E(qb_mov(QB_R0, QB_UNIF)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_uses), cmocka_unit_test(test_lookups), cmocka_unit_test(test_most),
		cmocka_unit_test(test_bases),
		cmocka_unit_test(test_resets), cmocka_unit_test(test_words), cmocka_unit_test(test_job),
		cmocka_unit_test(test_rows_by_job),
		cmocka_unit_test(test_paths), cmocka_unit_test(test_pending), cmocka_unit_test(test_vpm),
		cmocka_unit_test(test_unreachable),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
