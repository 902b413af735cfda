// SPDX-License-Identifier: MIT
/*
 * Set-up words of VPM and DMA: how much must be known of them before the job, what the job's
 * uniforms may make of them, and the FIFOs and transfers that they start.
 */
#include "reach.h"

/* Of a word only one field may be unknown: the row of a set-up, the stride of a stride word. */
TEST(test_words)
{
	const uint32_t word = qb_word_vdw(0, 1), stride = qb_word_vdw_stride(0);

	(void)state;
	/* elements by the word, column 0 to 15; 1 is a column, 2 or 4 are none */
	USES(1, E(qb_mov(QB_R1, QB_ELEMENT)) qb_setup(&b, QB_R0, qb_word_vdw(0, 1));
	     OP(SHL, QB_R1, QB_R1, qb_imm(7)) E(ADD(QB_VW_SETUP, QB_R0, QB_R1))
		     qb_setup(&b, QB_VW_SETUP, stride);
	     STORE(QB_UNIF));
	BROKEN(SETUP_UNKNOWN, 3, E(qb_mov(QB_R1, QB_ELEMENT)) qb_setup(&b, QB_R0, word);
	       OP(SHL, QB_R1, QB_R1, qb_imm(2)) E(ADD(QB_VW_SETUP, QB_R0, QB_R1)));
	BROKEN(SETUP_UNKNOWN, 3, E(qb_mov(QB_R1, QB_ELEMENT)) qb_setup(&b, QB_R0, word);
	       OP(SHL, QB_R1, QB_R1, qb_imm(12)) E(ADD(QB_VW_SETUP, QB_R0, QB_R1)));
	start();
	E(qb_mov(QB_R1, QB_ELEMENT))
	qb_setup(&b, QB_R0, qb_word_vdw(0, 1) & ~0xfu);
	OP(SHL, QB_R1, QB_R1, qb_imm(3))			/* x */
	OP(AND, QB_R1, QB_R1, qb_imm(8))
	E(ADD(QB_VW_SETUP, QB_R0, QB_R1))
	accepted();
	/* clamped by a uniform: in steps of that field only */
	USES(1, E(qb_mov(QB_R1, QB_ELEMENT)) qb_setup(&b, QB_R0, word);
	     OP(MIN, QB_R1, QB_R1, QB_UNIF) OP(SHL, QB_R1, QB_R1, qb_imm(7))
		     E(ADD(QB_VW_SETUP, QB_R0, QB_R1)));
	BROKEN(SETUP_UNKNOWN, 4, E(qb_mov(QB_R1, QB_ELEMENT)) qb_setup(&b, QB_R0, word);
	       OP(MIN, QB_R1, QB_R1, QB_UNIF) OP(SHL, QB_R1, QB_R1, qb_imm(2))
		       E(ADD(QB_VW_SETUP, QB_R0, QB_R1)));
	/* as it is: the job says in time */
	USES(1, qb_setup(&b, QB_R0, word); E(ADD(QB_VW_SETUP, QB_R0, QB_UNIF)));
	/* strides: 16 bits of a VDW's, 14 of a VDR's (HW) */
	for (int store = 0; store < 2; store++) {
		const uint32_t base =
			store ? stride : v3d_word_vdr_stride(&(struct v3d_vdr_stride){ .id = 9 });
		const uint32_t most = store ? 0xffff : 0x3fff;

		USES(1, qb_setup(&b, QB_R0, base);
		     E(ADD(store ? QB_VW_SETUP : QB_VR_SETUP, QB_R0, QB_UNIF)));
		job_start(1);
		s.words[0] = most;
		assert_true(v3dcl_relocate(&s.job));
		s.words[0] = most + 1;
		refuses(UNIFORMS, SETUP_WORD, 0);
		s.words[0] = (__u32)-1;
		refuses(UNIFORMS, SETUP_WORD, 0);
	}
	/* clamped ones: their largest */
	USES(1, E(qb_mov(QB_R1, QB_ELEMENT)) qb_setup(&b, QB_R0, stride);
	     OP(MIN, QB_R1, QB_R1, QB_UNIF) E(ADD(QB_VW_SETUP, QB_R0, QB_R1)));
	job_start(1);
	s.words[0] = 0xffff;
	assert_true(v3dcl_relocate(&s.job));
	s.words[0] = 0x10000;
	refuses(UNIFORMS, SETUP_WORD, 0);
	/* 2^32 in steps is not 0 */
	USES(1, E(qb_mov(QB_R1, QB_ELEMENT)) qb_setup(&b, QB_R0, word);
	     OP(MIN, QB_R1, QB_R1, QB_UNIF) OP(SHL, QB_R1, QB_R1, qb_imm(7))
		     E(ADD(QB_VW_SETUP, QB_R0, QB_R1)));
	job_start(1);
	s.words[0] = 0x02000000;
	refuses(UNIFORMS, SETUP_WORD, 0);
	s.words[0] = 0x80000000;
	refuses(UNIFORMS, LIMIT_NEGATIVE, 0);
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

/* BLOCKMODE, with the row from the job: from row 49 on, 16 words are in one row or end in row 64 */
TEST(test_block_rows_by_job)
{
	const struct v3d_vdw_setup setup = { .id = 2, .horizontal = 1, .depth = 1, .units = 16 };

	(void)state;
	start();
	qb_setup(&b, QB_R0, v3d_word_vdw_setup(&setup));
	E(ADD(QB_VW_SETUP, QB_R0, QB_UNIF))
	qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0) | 1 << 16);
	STORE(QB_UNIF)
	accepted();
	for (__u32 row = 48; row < 50; row++) {
		job_start(2);
		job_reloc(1, BO_OUT, 0, DRM_V3DCL_RELOC_WRITE);
		s.words[0] = row << 7;
		if (row > 48)
			refuses(UNIFORMS, DMA_ROWS, 0);
		else
			assert_true(v3dcl_relocate(&s.job));
	}
	/* the stride from the job: it does not get as far as to the bit */
	start();
	qb_setup(&b, QB_R0, qb_word_vdw_stride(0));
	E(ADD(QB_VW_SETUP, QB_R0, QB_UNIF))
	qb_setup(&b, QB_VW_SETUP, v3d_word_vdw_setup(&setup));
	STORE(QB_UNIF)
	accepted();
	job_start(2);
	job_reloc(1, BO_OUT, 0, DRM_V3DCL_RELOC_WRITE);
	s.words[0] = 1 << 16;
	refuses(UNIFORMS, SETUP_WORD, 0);
}

/* Words that differ from path to path */
TEST(test_paths)
{
	(void)state;
	BROKEN(SETUP_UNKNOWN, 8, FLAGS qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 1));
	       OVER(1) qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 2));
	       qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0)); STORE(QB_UNIF));
	BROKEN(SETUP_UNKNOWN, 8, FLAGS qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0));
	       OVER(1) qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0) | 1 << 16);
	       qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 1)); STORE(QB_UNIF));
	BROKEN(SETUP_MISSING, 7, FLAGS OVER(1) qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 1));
	       qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0)); STORE(QB_UNIF));
	USES(1, FLAGS qb_setup(&b, QB_VW_SETUP, qb_word_vdw(0, 1));
	     OVER(1) qb_setup(&b, QB_VW_SETUP, qb_word_vdw(3, 1));
	     qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0)); STORE(QB_UNIF));
	USES(1, FLAGS qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0));
	     OVER(1) qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(8));
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
	BROKEN(DMA_PENDING, 2, qb_setup(&b, QB_VR_SETUP, qb_word_vdr(0, 1));
	       E(qb_mov(QB_VDR_ADDR, QB_UNIF)) qb_setup(&b, QB_VR_SETUP, qb_word_vdr(0, 1)););
	BROKEN(DMA_PENDING, 2, qb_setup(&b, QB_VR_SETUP, qb_word_vdr(0, 1));
	       E(qb_mov(QB_VDR_ADDR, QB_UNIF)) qb_setup(&b, QB_VR_SETUP, load_stride););
	BROKEN(DMA_PENDING, 2, qb_setup(&b, QB_VR_SETUP, qb_word_vdr(0, 1));
	       E(qb_mov(QB_VDR_ADDR, QB_UNIF)));
	/* waiting for the other one does not help */
	BROKEN(DMA_PENDING, 4, STORE_WORDS(qb_word_vdw(0, 1), 0) E(qb_mov(QB_VDW_ADDR, QB_UNIF))
	       E(qb_mov(QB_NONE, QB_VDR_WAIT)));
	BROKEN(DMA_PENDING, 3, qb_setup(&b, QB_VR_SETUP, qb_word_vdr(0, 1));
	       E(qb_mov(QB_VDR_ADDR, QB_UNIF)) E(qb_mov(QB_NONE, QB_VDW_WAIT)));
	USES(2, STORE_WORDS(qb_word_vdw(0, 1), 0) E(qb_mov(QB_VDW_ADDR, QB_UNIF))
			qb_setup(&b, QB_VR_SETUP, load_stride);
	     qb_setup(&b, QB_VR_SETUP, qb_word_vdr(0, 1));
	     E(qb_mov(QB_VDR_ADDR, QB_UNIF)) E(qb_mov(QB_NONE, QB_VDW_WAIT))
		     STORE_WORDS(qb_word_vdw(0, 1), 0) E(qb_mov(QB_NONE, QB_VDR_WAIT)));
	BROKEN(IO_CONDITION, 3, FLAGS STORE_WORDS(qb_word_vdw(0, 1), 0)
	       E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_VDW_ADDR, QB_UNIF))));
	BROKEN(IO_CONDITION, 1,
	       FLAGS E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_IO(V3D_QPU_W_MUTEX_RELEASE), 1))));
	BROKEN(IO_CONDITION, 1,
	       FLAGS E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_IO(V3D_QPU_W_HOST_INT), 1))));
}

/*
 * Vectors of the VPM: rows of words 0 to 63, of halves to 127, of bytes to 255 (AG100 Tables 32 and
 * 33)
 */
TEST(test_vpm)
{
	static const uint32_t rows[3] = { 256, 128, 64 };

	(void)state;
	for (uint32_t size = 0; size < 3; size++) {
		struct v3d_vpm_write_setup write = {
			.address = rows[size] - 1, .size = size, .horizontal = 1, .stride = 1
		};
		struct v3d_vpm_read_setup read = { .address = rows[size] - 1, .size = size,
						   .horizontal = 1, .stride = 1,
						   .number = 1 };

		USES(0, qb_setup(&b, QB_VW_SETUP, v3d_word_vpm_write_setup(&write)););
		USES(0, qb_setup(&b, QB_VR_SETUP, v3d_word_vpm_read_setup(&read)); qb_nops(&b, 3);
		     E(qb_mov(QB_R0, QB_VPM_READ)));
		if (rows[size] == 256)
			continue;
		write.address++;
		read.address++;
		BROKEN(SETUP_WORD, 0, qb_setup(&b, QB_VW_SETUP, v3d_word_vpm_write_setup(&write)););
		BROKEN(SETUP_WORD, 0, qb_setup(&b, QB_VR_SETUP, v3d_word_vpm_read_setup(&read)););
	}
	BROKEN(SETUP_WORD, 0, qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0) | 3 << 8););
	BROKEN(SETUP_WORD, 0, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1) | 3 << 8););
	/* a number of values, as some assemblers write it for reads and writes alike */
	OK(qb_setup(&b, QB_VW_SETUP, 0x101a00););
	OK(qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0) | 0xfu << 20););
	for (unsigned int bit = 18; bit < 30; bit++)
		if (bit < 20 || bit > 23)
			BROKEN(SETUP_WORD, 0,
			       qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0) | 1u << bit););
	BROKEN(SETUP_WORD, 0, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1) | 1 << 18););
	BROKEN(SETUP_WORD, 0, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1) | 1 << 24););
	/* 0 is 16 values */
	BROKEN(VPM_UNREAD, 19, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 16)); qb_nops(&b, 3);
	       repeat(15, qb_mov(QB_R0, QB_VPM_READ)););
	USES(0, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 16)); qb_nops(&b, 3);
	     repeat(16, qb_mov(QB_R0, QB_VPM_READ)););
	/*
	 * one may be left when the next ones are asked for: it comes first, and at once; HW: not
	 * more
	 */
	USES(0, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1)); qb_nops(&b, 3);
	     qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 2)); E(qb_mov(QB_R0, QB_VPM_READ))
	     qb_nops(&b, 2); E(qb_mov(QB_R0, QB_VPM_READ)) E(qb_mov(QB_R0, QB_VPM_READ)));
	BROKEN(VPM_SOON, 7, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1)); qb_nops(&b, 3);
	       qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 2));
	       E(qb_mov(QB_R0, QB_VPM_READ)) qb_nops(&b, 1); E(qb_mov(QB_R0, QB_VPM_READ)));
	BROKEN(VPM_UNREAD, 4, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 2)); qb_nops(&b, 3);
	       qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1)););
	/* and one that was not waited for is not there any sooner */
	BROKEN(VPM_SOON, 2, qb_setup(&b, QB_VR_SETUP, qb_word_vpm_read(0, 1)); qb_nops(&b, 1);
	       E(qb_mov(QB_R0, QB_VPM_READ)));
}

/* One word for two kinds of register is two words: other bits of it may depend on uniforms. */
TEST(test_two_kinds)
{
	const struct v3d_vdr_setup load = { .id = 1, .rowlen = 1, .nrows = 1, .mpitch = 1 };
	const uint32_t word = v3d_word_vdr_setup(&load);

	(void)state;
	USES(2, qb_setup(&b, QB_R0, word); E(ADD(QB_R0, QB_R0, QB_UNIF))
	     E(qb_mov(QB_VR_SETUP, QB_R0))
	     E(qb_mov(QB_VW_SETUP, QB_R0)));
	USES(1, qb_setup(&b, QB_R0, word); E(ADD(QB_R0, QB_R0, QB_UNIF))
	     E(qb_mov(QB_VR_SETUP, QB_R0))
	     E(qb_mov(QB_VR_SETUP, QB_R0)));
}

/* A limit of 0 is one, and what the stride is does not matter to rows that are too many. */
TEST(test_limits_of_jobs)
{
	(void)state;
	USES(1, E(qb_mov(QB_R0, QB_ELEMENT)) OP(MIN, QB_R0, QB_R0, QB_UNIF)
	     E(ADD(QB_R0, QB_R0, QB_UNIF)) READ(QB_R0));
	job_start(2);
	job_reloc(1, BO_IN, 4092, DRM_V3DCL_RELOC_READ);
	assert_true(v3dcl_relocate(&s.job));
	s.words[0] = 1;
	refuses(UNIFORMS, ADDRESS_END, 4);
	start();
	qb_setup(&b, QB_R0, qb_word_vdw_stride(0));
	E(ADD(QB_VW_SETUP, QB_R0, QB_UNIF))
	qb_setup(&b, QB_VW_SETUP, qb_word_vdw(63, 2));
	STORE(QB_UNIF)
	qb_end(&b);
	if (check()) {
		job_start(2);
		job_reloc(1, BO_OUT, 0, DRM_V3DCL_RELOC_WRITE);
		refuses(UNIFORMS, DMA_ROWS, 0);
	} else {
		assert_refusal(&refusal, CODE, DMA_ROWS, 3 * 8);
	}
}

/* A sum that goes round at 2^32 ends in its field again, having been any other word on the way. */
TEST(test_wraps)
{
	const uint32_t word = qb_word_vdw(1, 1);

	(void)state;
	/* all multiples of 128: rows 1, 2, ... and at last 0 */
	BROKEN(SETUP_UNKNOWN, 4, OP(ITOF, QB_R1, QB_ELEMENT, QB_ELEMENT) E(qb_ldi(QB_R2, -128))
	       OP(AND, QB_R1, QB_R1, QB_R2)
	       qb_setup(&b, QB_R0, word); E(ADD(QB_VW_SETUP, QB_R0, QB_R1)));
	USES(1, E(qb_mov(QB_R1, QB_ELEMENT)) qb_setup(&b, QB_R0, word);
	     OP(MIN, QB_R1, QB_R1, QB_UNIF) OP(SHL, QB_R1, QB_R1, qb_imm(7))
		     E(ADD(QB_VW_SETUP, QB_R0, QB_R1)));
	job_start(1);
	s.words[0] = 62;
	assert_true(v3dcl_relocate(&s.job));
	s.words[0] = 0x01ffffff;
	refuses(UNIFORMS, SETUP_WORD, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_rows_by_job),
		cmocka_unit_test(test_block_rows_by_job),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_pending),
		cmocka_unit_test(test_vpm),
		cmocka_unit_test(test_two_kinds),
		cmocka_unit_test(test_limits_of_jobs),
		cmocka_unit_test(test_wraps),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("verify_setup", tests, NULL, NULL);
}
