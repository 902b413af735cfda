// SPDX-License-Identifier: MIT
/*
 * User programs and relocations: each rule with what breaks it, and the addresses that come out.
 */
#include "common.h"

static uint64_t code[32];
static struct qb b;
static struct v3dcl_program program;
static struct v3dcl_refusal refusal;

static bool check(void)
{
	assert_false(b.failed);
	return v3dcl_check_unverified((const __u64 *)code, b.count, &program, &refusal);
}

#define breaks(inst, rule) \
	do { \
		qb_init(&b, code, 32); \
		qb_nops(&b, 2); \
		qb_emit(&b, inst); \
		qb_end(&b); \
		assert_false(check()); \
		assert_refusal(&refusal, CODE, rule, 16); \
	} while (0)

/* DMA, mutexes, semaphores, interrupts: all that a program of root's may do */
TEST(test_accepted)
{
	(void)state;
	qb_init(&b, code, 32);
	qb_mutex_lock(&b);
	qb_store_rows(&b, 0, 16, QB_UNIF);
	qb_mutex_unlock(&b);
	qb_emit(&b, qb_sema_up(2));
	qb_emit(&b, qb_branch(V3D_QPU_BRANCH_ANY_CC, true, 0, QB_RA(1)));
	qb_nops(&b, 3);
	qb_host_int(&b);
	qb_end(&b);
	assert_true(check());
	assert_int_equal(program.count, b.count);
	assert_int_equal(program.last_end, b.count - 3);
}

/* Two programs in one BO, then data */
TEST(test_several)
{
	(void)state;
	qb_init(&b, code, 32);
	qb_end(&b);
	qb_end(&b);
	code[6] = 0;	/* a breakpoint, were it run */
	b.count = 7;
	assert_true(check());
	assert_int_equal(program.count, 7);
	assert_int_equal(program.last_end, 3);
}

TEST(test_encodings)
{
	struct v3d_qpu_inst inst = qb_nop();

	(void)state;
	breaks(qb_signal(V3D_QPU_SIG_BREAK, qb_nop()), CODE_SIGNAL);
	inst.op_add = 11;
	breaks(inst, CODE_OP);
	inst = qb_add(V3D_QPU_ADD_OR, QB_R0, QB_R0, qb_imm(1));
	inst.op_add = 25;
	breaks(inst, CODE_OP);
	breaks(qb_load(V3D_QPU_LOAD_RESERVED, 7, QB_R0, 0), CODE_LOAD);
	inst = qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_NONE);
	inst.cond_br = 14;
	breaks(inst, BRANCH_CONDITION);
}

TEST(test_no_end)
{
	(void)state;
	qb_init(&b, code, 32);
	assert_false(check());
	assert_refusal(&refusal, CODE, CODE_SIZE, 0);
	qb_nops(&b, 2);
	assert_false(check());
	assert_refusal(&refusal, CODE, CODE_END, 16);
	qb_emit(&b, qb_signal(V3D_QPU_SIG_PROGRAM_END, qb_nop()));
	qb_nops(&b, 1);
	assert_false(check());
	assert_refusal(&refusal, CODE, CODE_END, 32);
	b.count = V3DCL_MAX_INSTRUCTIONS + 1;
	assert_false(check());
	assert_refusal(&refusal, CODE, CODE_SIZE, 0);
}

/* The second delay slot is run as well. */
TEST(test_end_slots)
{
	(void)state;
	qb_init(&b, code, 32);
	qb_emit(&b, qb_signal(V3D_QPU_SIG_PROGRAM_END, qb_nop()));
	qb_nops(&b, 1);
	qb_emit(&b, qb_signal(V3D_QPU_SIG_BREAK, qb_nop()));
	assert_false(check());
	assert_refusal(&refusal, CODE, CODE_SIGNAL, 16);
}

/* 1 MiB of code is allowed, and an end at its very end is found. */
TEST(test_largest)
{
	uint64_t *large = malloc(V3DCL_MAX_INSTRUCTIONS * 8);
	struct v3d_qpu_inst end = qb_signal(V3D_QPU_SIG_PROGRAM_END, qb_nop()), nop = qb_nop();
	uint32_t i;

	(void)state;
	assert_non_null(large);
	for (i = 0; i < V3DCL_MAX_INSTRUCTIONS; i++)
		large[i] = v3d_qpu_encode(i == V3DCL_MAX_INSTRUCTIONS - 3 ? &end : &nop);
	assert_true(v3dcl_check_unverified((const __u64 *)large, V3DCL_MAX_INSTRUCTIONS, &program,
					   &refusal));
	assert_int_equal(program.last_end, V3DCL_MAX_INSTRUCTIONS - 3);
	free(large);
}

/* A job of two runs, which share two of their uniforms */
enum { BO_PROGRAM, BO_DATA, BO_OUT, BO_SHADER, BOS };

static struct {
	struct v3dcl_program program;
	struct v3dcl_shader shader;
	struct v3dcl_bo bos[BOS];
	struct drm_v3dcl_program programs[2];
	__u32 program_bos[2];
	struct drm_v3dcl_reloc relocs[3];
	__u32 reloc_bos[3];
	__u8 before[16];
	__u32 words[8], owners[8], uniforms[8];
	__u8 after[16];
	struct v3dcl_run runs[2];
	struct v3dcl_qpu_job job;
} s;

static void start(void)
{
	int i;

	memset(&s, 0, sizeof(s));
	s.program = (struct v3dcl_program){ .count = 16, .last_end = 12 };
	s.bos[BO_PROGRAM] =
		(struct v3dcl_bo){ .address = 0x1000, .size = 4096, .program = &s.program };
	s.bos[BO_DATA] = (struct v3dcl_bo){ .address = 0x10000, .size = 4096 };
	s.bos[BO_OUT] = (struct v3dcl_bo){ .address = 0x20000, .size = 8192 };
	s.bos[BO_SHADER] =
		(struct v3dcl_bo){ .address = 0x30000, .size = 4096, .shader = &s.shader };
	s.programs[0] =
		(struct drm_v3dcl_program){ .offset = 0, .first_uniform = 0, .uniform_count = 5 };
	s.programs[1] =
		(struct drm_v3dcl_program){ .offset = 96, .first_uniform = 3, .uniform_count = 5 };
	s.relocs[0] = (struct drm_v3dcl_reloc){
		.program = 0, .slot = 1, .offset = 4095, .flags = DRM_V3DCL_RELOC_READ
	};
	s.relocs[1] = (struct drm_v3dcl_reloc){
		.program = 1, .slot = 4, .offset = 16, .flags = DRM_V3DCL_RELOC_WRITE
	};
	s.relocs[2] = (struct drm_v3dcl_reloc){ .program = 1, .slot = 0, .flags = 3 };
	s.reloc_bos[0] = BO_DATA;
	s.reloc_bos[1] = BO_OUT;
	s.reloc_bos[2] = BO_OUT;
	for (i = 0; i < 8; i++)
		s.words[i] = 0x100 + i;
	s.job = (struct v3dcl_qpu_job){
		.programs = s.programs, .program_bos = s.program_bos, .program_count = 2,
		.relocs = s.relocs, .reloc_bos = s.reloc_bos, .reloc_count = 3,
		.bos = s.bos, .bo_count = BOS,
		.words = s.words, .owners = s.owners,
		.uniforms = { (__u8 *)s.uniforms, 0x50000000, sizeof(s.uniforms) },
		.runs = s.runs,
	};
}

#define refuses(part, rule, offset) \
	do { \
		assert_false(v3dcl_relocate(&s.job)); \
		assert_refusal(&s.job.refusal, part, rule, offset); \
	} while (0)
#define RUN(n, field) ((n) * 16 + offsetof(struct drm_v3dcl_program, field))
#define RELOC(n, field) ((n) * 24 + offsetof(struct drm_v3dcl_reloc, field))

TEST(test_relocate)
{
	static const __u32 words[] = {
		0x100, 0x10fff, 0x102, 0x20000, 0x104, 0x105, 0x106, 0x20010
	};

	(void)state;
	start();
	assert_true(v3dcl_relocate(&s.job));
	assert_memory_equal(s.uniforms, words, sizeof(words));
	assert_int_equal(s.runs[0].code, 0x1000);
	assert_int_equal(s.runs[0].uniforms, 0x50000000);
	assert_int_equal(s.runs[0].uniform_count, 5);
	assert_int_equal(s.runs[1].code, 0x1060);
	assert_int_equal(s.runs[1].uniforms, 0x5000000c);
	assert_int_equal(s.bos[BO_PROGRAM].uses, V3DCL_CODE);
	assert_int_equal(s.bos[BO_DATA].uses, V3DCL_READ);
	assert_int_equal(s.bos[BO_OUT].uses, V3DCL_READ | V3DCL_WRITE);
	/* Only what a program does not have is 0. */
	start();
	s.job.reloc_count = 0;
	s.job.program_count = 1;
	s.programs[0].uniform_count = 0;
	s.programs[0].first_uniform = 8;
	assert_true(v3dcl_relocate(&s.job));
	assert_int_equal(s.runs[0].uniforms, 0);
	assert_int_equal(s.runs[0].uniform_count, 0);
}

TEST(test_runs)
{
	(void)state;
	start();
	s.program_bos[1] = BOS;
	refuses(PROGRAM, BO_INDEX, RUN(1, handle));
	start();
	s.program_bos[1] = BO_DATA;
	refuses(PROGRAM, BO_PROGRAM, RUN(1, handle));
	start();
	s.program_bos[0] = BO_SHADER;
	refuses(PROGRAM, BO_PROGRAM, RUN(0, handle));
	start();
	s.programs[1].offset = 92;
	refuses(PROGRAM, PROGRAM_OFFSET, RUN(1, offset));
	start();
	s.programs[1].offset = 128;
	refuses(PROGRAM, PROGRAM_OFFSET, RUN(1, offset));
	start();
	s.programs[1].offset = 104;
	refuses(PROGRAM, PROGRAM_END, RUN(1, offset));
	start();
	s.programs[1].first_uniform = 4;
	refuses(PROGRAM, PROGRAM_UNIFORMS, RUN(1, first_uniform));
	start();
	s.programs[0].first_uniform = 0xfffffffd;
	refuses(PROGRAM, PROGRAM_UNIFORMS, RUN(0, first_uniform));
	start();
	s.job.uniforms.address = 0xfffffff0;
	refuses(UNIFORMS, OVERFLOW, 0);
}

TEST(test_relocs)
{
	(void)state;
	start();
	s.relocs[1].program = 2;
	refuses(RELOC, RELOC_PROGRAM, RELOC(1, program));
	start();
	s.relocs[1].slot = 5;
	refuses(RELOC, RELOC_SLOT, RELOC(1, slot));
	start();
	s.relocs[0].offset = 4096;
	refuses(RELOC, RELOC_OFFSET, RELOC(0, offset));
	start();
	s.relocs[2].flags = 0;
	refuses(RELOC, RELOC_FLAGS, RELOC(2, flags));
	start();
	s.relocs[2].flags = 5;
	refuses(RELOC, RELOC_FLAGS, RELOC(2, flags));
	start();
	s.relocs[2].pad = 1;
	refuses(RELOC, RELOC_PAD, RELOC(2, pad));
	start();
	s.reloc_bos[2] = BOS;
	refuses(RELOC, BO_INDEX, RELOC(2, handle));
	start();
	s.reloc_bos[2] = BO_PROGRAM;
	refuses(RELOC, BO_PLAIN, RELOC(2, handle));
	start();
	s.reloc_bos[2] = BO_SHADER;
	refuses(RELOC, BO_PLAIN, RELOC(2, handle));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_accepted),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_encodings),
		cmocka_unit_test(test_no_end),
		cmocka_unit_test(test_end_slots),
		cmocka_unit_test(test_largest),
		cmocka_unit_test(test_relocate),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_relocs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
