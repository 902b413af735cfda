// SPDX-License-Identifier: MIT
/*
 * User programs that are verified: such as are written by hand, with what is recorded of them.
 */
#include "verify.h"

/* 16 rows from one place to another: in, out */
static void copy_rows(void)
{
	start();
	qb_load_rows(&b, 0, 16, QB_UNIF);
	qb_store_rows(&b, 0, 16, QB_UNIF);
	accepted();
}

TEST(test_copy)
{
	(void)state;
	copy_rows();
	assert_int_equal(program.verified, 1);
	assert_int_equal(program.uniform_words, 2);
	assert_int_equal(program.use_count, 2);
	assert_int_equal(program.uses[0].kind, V3DCL_USE_LOAD);
	assert_int_equal(program.uses[0].address.slot[0], 0);
	assert_int_equal(program.uses[1].kind, V3DCL_USE_STORE);
	assert_int_equal(program.uses[1].address.slot[0], 1);
	job_start(2);
	job_reloc(0, BO_IN, 3072, DRM_V3DCL_RELOC_READ);
	job_reloc(1, BO_OUT, 0, DRM_V3DCL_RELOC_WRITE);
	assert_true(v3dcl_relocate(&s.job));
	assert_int_equal(s.uniforms[0], IN + 3072);
	assert_int_equal(s.uniforms[1], OUT);
	assert_int_equal(s.bos[BO_IN].uses, V3DCL_READ);
	assert_int_equal(s.bos[BO_OUT].uses, V3DCL_WRITE);
}

/* A byte too far, the wrong flags, a number of the user's, too few uniforms, another start */
TEST(test_copy_refused)
{
	(void)state;
	copy_rows();
	job_start(2);
	job_reloc(0, BO_IN, 3073, DRM_V3DCL_RELOC_READ);
	job_reloc(1, BO_OUT, 0, DRM_V3DCL_RELOC_WRITE);
	refuses(UNIFORMS, ADDRESS_END, 0);
	job_start(2);
	job_reloc(0, BO_IN, 0, DRM_V3DCL_RELOC_WRITE);
	job_reloc(1, BO_OUT, 0, DRM_V3DCL_RELOC_WRITE);
	refuses(UNIFORMS, ADDRESS_FLAGS, 0);
	job_start(2);
	job_reloc(0, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	job_reloc(1, BO_OUT, 0, DRM_V3DCL_RELOC_READ);
	refuses(UNIFORMS, ADDRESS_FLAGS, 4);
	job_start(2);
	job_reloc(0, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	s.words[1] = OUT;
	refuses(UNIFORMS, ADDRESS_RELOC, 4);
	job_start(1);
	job_reloc(0, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	refuses(PROGRAM, PROGRAM_SHORT, offsetof(struct drm_v3dcl_program, uniform_count));
	job_start(2);
	s.programs[0].offset = 8;
	refuses(PROGRAM, PROGRAM_START, offsetof(struct drm_v3dcl_program, offset));
}

/*
 * Vector add: uniforms are two inputs, the output, the last offset and how many rounds. The offset,
 * which the loop changes, is clamped in each round.
 */
static void vector_add(void)
{
	uint32_t loop;

	start();
	E(qb_mov(QB_RA(0), QB_UNIF))				/* in */
	E(qb_mov(QB_RA(1), QB_UNIF))				/* in */
	E(qb_mov(QB_RA(2), QB_UNIF))				/* out */
	E(qb_mov(QB_RB(0), QB_UNIF))				/* last offset */
	E(qb_mov(QB_RA(4), QB_UNIF))				/* rounds */
	E(qb_ldi(QB_RA(3), 0))
	E(qb_mul(V3D_QPU_MUL_MUL24, QB_RB(2), QB_ELEMENT, qb_imm(4)))
	E(qb_nop())
	loop = qb_here(&b);
	E(MAX0(QB_R0, QB_RA(3)))
	E(qb_add(V3D_QPU_ADD_MIN, QB_R0, QB_R0, QB_RB(0)))
	E(ADD(QB_R1, QB_R0, QB_RB(2)))
	E(ADD(QB_TMU0_S, QB_R1, QB_RA(0)))
	E(ADD(QB_TMU0_S, QB_R1, QB_RA(1)))
	E(SIG(LOAD_TMU0, qb_nop()))
	E(SIG(LOAD_TMU0, qb_mov(QB_R2, QB_R4)))
	qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
	E(qb_add(V3D_QPU_ADD_FADD, QB_VPM_WRITE, QB_R2, QB_R4))
	E(ADD(QB_R1, QB_R0, QB_RA(2)))
	qb_store_rows(&b, 0, 1, QB_R1);
	E(qb_ldi(QB_R1, 64))
	E(ADD(QB_RA(3), QB_RA(3), QB_R1))
	E(qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_RA(4), QB_RA(4), qb_imm(1))))
	qb_branch_to(&b, V3D_QPU_BRANCH_ALL_ZC, loop);
	qb_nops(&b, 3);
	accepted();
}

TEST(test_vector_add)
{
	(void)state;
	vector_add();
	assert_int_equal(program.uniform_words, 5);
	assert_int_equal(program.use_count, 3);
	job_start(5);
	job_reloc(0, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	job_reloc(1, BO_IN, 2048, DRM_V3DCL_RELOC_READ);
	job_reloc(2, BO_OUT, 0, DRM_V3DCL_RELOC_WRITE);
	s.words[3] = 2048 - 64;
	s.words[4] = 32;
	assert_true(v3dcl_relocate(&s.job));
	job_start(5);
	job_reloc(0, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	job_reloc(1, BO_IN, 2048, DRM_V3DCL_RELOC_READ);
	job_reloc(2, BO_OUT, 0, DRM_V3DCL_RELOC_WRITE);
	s.words[3] = 2048 - 64 + 1;
	refuses(UNIFORMS, ADDRESS_END, 4);
	s.words[3] = 0x80000000;
	s.words[0] = s.words[1] = s.words[2] = 0;
	refuses(UNIFORMS, LIMIT_NEGATIVE, 12);
	assert_int_equal(s.job.refusal.found, 0x80000000);
}

/* The address without the clamp: the loop makes it unknown. */
TEST(test_unclamped_loop)
{
	(void)state;
	start();
	E(qb_mov(QB_RA(0), QB_UNIF))
	E(qb_ldi(QB_R1, 64))
	qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
	E(qb_mov(QB_VPM_WRITE, QB_R1))
	qb_store_rows(&b, 0, 1, QB_RA(0));			/* 4 to 7: loop */
	E(ADD(QB_RA(0), QB_RA(0), QB_R1))
	E(qb_flags(qb_mov(QB_NONE, QB_R1)))
	qb_branch_to(&b, V3D_QPU_BRANCH_ALL_ZC, 4);
	qb_nops(&b, 3);
	qb_end(&b);
	assert_false(check());
	assert_refusal(&refusal, CODE, ADDRESS_UNKNOWN, 6 * 8);
	assert_int_equal(refusal.has_value, 1);
	assert_int_equal(refusal.value.span, 0xffffffff);
	assert_int_equal(refusal.path_count, 0);	/* the first path there */
}

/* Each QPU has its own VPM row and its own place: uniform 0 says which. */
static void rows_by_uniform(void)
{
	start();
	E(qb_mov(QB_RA(0), QB_UNIF))				/* which */
	qb_nops(&b, 1);
	qb_setup(&b, QB_R0, qb_word_vpm_write(0));
	E(ADD(QB_VW_SETUP, QB_R0, QB_RA(0)))
	E(qb_mov(QB_VPM_WRITE, QB_R0))
	E(qb_add(V3D_QPU_ADD_SHL, QB_R1, QB_RA(0), qb_imm(7)))
	qb_setup(&b, QB_R0, qb_word_vdw(0, 1));
	E(ADD(QB_VW_SETUP, QB_R0, QB_R1))
	qb_setup(&b, QB_VW_SETUP, qb_word_vdw_stride(0));
	E(qb_add(V3D_QPU_ADD_SHL, QB_R1, QB_RA(0), qb_imm(6)))
	E(ADD(QB_VDW_ADDR, QB_R1, QB_UNIF))
	E(qb_mov(QB_NONE, QB_VDW_WAIT))
	accepted();
}

TEST(test_rows_by_uniform)
{
	(void)state;
	rows_by_uniform();
	job_start(2);
	s.words[0] = 63;
	job_reloc(1, BO_OUT, 0, DRM_V3DCL_RELOC_WRITE);
	assert_true(v3dcl_relocate(&s.job));
	job_start(2);
	s.words[0] = 64;
	job_reloc(1, BO_OUT, 0, DRM_V3DCL_RELOC_WRITE);
	refuses(UNIFORMS, SETUP_WORD, 0);
	/* It would make another kind of word of it. */
	job_start(2);
	s.words[0] = 0x40000000;
	job_reloc(1, BO_OUT, 0, DRM_V3DCL_RELOC_WRITE);
	refuses(UNIFORMS, SETUP_WORD, 0);
	job_start(2);
	s.words[0] = 2;
	job_reloc(1, BO_OUT, 4096 - 191, DRM_V3DCL_RELOC_WRITE);
	refuses(UNIFORMS, ADDRESS_END, 4);
}

/*
 * Uniforms are read again and again: the address of the stream is a uniform, and so is what the
 * kernel puts there.
 */
static void rereads(void)
{
	uint32_t loop;

	start();
	E(qb_mov(QB_RA(0), QB_UNIF))				/* stream */
	E(qb_mov(QB_RA(1), QB_UNIF))				/* rounds */
	qb_nops(&b, 1);
	loop = qb_here(&b);
	E(ADD(QB_UNIF_ADDR, QB_RA(0), qb_imm(8)))
	qb_nops(&b, 2);
	qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
	E(qb_mov(QB_VPM_WRITE, QB_UNIF))
	qb_store_rows(&b, 0, 1, QB_UNIF);
	E(qb_flags(qb_add(V3D_QPU_ADD_SUB, QB_RA(1), QB_RA(1), qb_imm(1))))
	qb_branch_to(&b, V3D_QPU_BRANCH_ALL_ZC, loop);
	qb_nops(&b, 3);
	accepted();
}

TEST(test_resets)
{
	(void)state;
	rereads();
	assert_int_equal(program.uniform_words, 4);
	job_start(4);
	s.words[0] = 77;
	job_reloc(3, BO_OUT, 0, DRM_V3DCL_RELOC_WRITE);
	assert_true(v3dcl_relocate(&s.job));
	assert_int_equal(s.uniforms[0], 0x50000000);
	assert_true(s.runs[0].uniform_count > 1023);		/* AG100 Table 67: no limit */
	job_start(4);
	job_reloc(3, BO_OUT, 0, DRM_V3DCL_RELOC_WRITE);
	job_reloc(0, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	refuses(UNIFORMS, RESET_SHARED, 0);
	/* Another run sees the same word at another place of its stream. */
	job_start(4);
	s.programs[1] = (struct drm_v3dcl_program){ .first_uniform = 0, .uniform_count = 5 };
	s.job.program_count = 2;
	job_reloc(3, BO_OUT, 0, DRM_V3DCL_RELOC_WRITE);
	assert_true(v3dcl_relocate(&s.job));
}

/* Two texture words, relocated: the low bits of the relocation's offset are the flags. */
TEST(test_texture)
{
	const struct v3d_texture1 p1 = { .width = 16, .height = 16 };
	const struct v3d_texture1 raster = { .type4 = V3D_TEXTURE_RGBA32R >> 4, .width = 15 };

	(void)state;
	start();
	E(qb_mov(QB_R0, QB_ELEMENT))
	E(qb_mov(QB_TMU0_T, QB_R0))
	E(qb_mov(QB_TMU0_S, QB_R0))
	E(SIG(LOAD_TMU0, qb_nop()))
	accepted();
	assert_int_equal(program.use_count, 1);
	assert_int_equal(program.uses[0].kind, V3DCL_USE_TEXTURE);
	assert_int_equal(program.uniform_words, 2);
	job_start(2);
	s.words[1] = v3d_word_texture1(&p1);
	job_reloc(0, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	assert_true(v3dcl_relocate(&s.job));
	job_start(2);
	job_reloc(0, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	refuses(UNIFORMS, TEXTURE_END, 0);			/* 2048 by 2048 */
	job_start(2);
	s.words[1] = v3d_word_texture1(&raster);
	job_reloc(0, BO_IN, 0, DRM_V3DCL_RELOC_READ);
	refuses(UNIFORMS, TEXTURE_RASTER_WIDTH, 0);
	job_start(2);
	s.words[0] = IN;
	s.words[1] = v3d_word_texture1(&p1);
	refuses(UNIFORMS, ADDRESS_RELOC, 0);
}

/* Work shared: one raises, the other waits. */
TEST(test_semaphores)
{
	static struct v3dcl_program up;

	(void)state;
	start();
	E(qb_sema_up(3))
	accepted();
	up = program;
	assert_int_equal(up.semaphores[3], 1);
	job_start(0);
	refuses(PROGRAM, SEMAPHORE_SUM, 0);
	start();
	E(qb_sema_down(3))
	accepted();
	assert_int_equal(program.semaphores[3], -1);
	job_start(0);
	s.bos[BO_IN].program = &up;
	s.program_bos[1] = BO_IN;
	s.job.program_count = 2;
	assert_true(v3dcl_relocate(&s.job));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_copy),
		cmocka_unit_test(test_copy_refused),
		cmocka_unit_test(test_vector_add),
		cmocka_unit_test(test_unclamped_loop),
		cmocka_unit_test(test_rows_by_uniform),
		cmocka_unit_test(test_resets),
		cmocka_unit_test(test_texture),
		cmocka_unit_test(test_semaphores),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
