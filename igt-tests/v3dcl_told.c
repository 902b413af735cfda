// SPDX-License-Identifier: MIT
/*
 * Physical addresses are told to no user. Each program here lets its user see something of where
 * a BO of the job lies: what the checker does not refuse is run, and what comes out is printed.
 * Numbers of rules are ABI.
 */
#include "v3dcl_drawing.h"

IGT_TEST_DESCRIPTION("Ways by which an ordinary user could learn a physical address");

#define RULE_TOLD 250

#define ADDRESS QB_RA(5)	/* the BO's */

/* What r1 is goes to the BO's first row */
static void emit_show(struct qb *b)
{
	qb_setup(b, QB_VW_SETUP, qb_word_vpm_write(0));
	qb_emit(b, qb_mov(QB_VPM_WRITE, QB_R1));
	qb_store_rows(b, 0, 1, ADDRESS);
}

static void plain(struct qb *b)
{
	qb_emit(b, qb_mov(QB_R1, ADDRESS));
	emit_show(b);
}

static void computed(struct qb *b)
{
	qb_emit(b, qb_add(V3D_QPU_ADD_NOT, QB_R1, ADDRESS, ADDRESS));
	emit_show(b);
}

static void by_sfu(struct qb *b)
{
	qb_emit(b, qb_add(V3D_QPU_ADD_ITOF, QB_R0, ADDRESS, ADDRESS));
	qb_emit(b, qb_mov(QB_RECIP, QB_R0));
	qb_nops(b, 2);
	qb_emit(b, qb_mov(QB_R1, QB_R4));
	emit_show(b);
}

/* Bit 12, by whether a result is written */
static void by_flags(struct qb *b)
{
	qb_emit(b, qb_ldi(QB_R0, 1 << 12));
	qb_emit(b, qb_flags(qb_add(V3D_QPU_ADD_AND, QB_NONE, ADDRESS, QB_R0)));
	qb_emit(b, qb_ldi(QB_R1, 0));
	qb_emit(b, qb_if(V3D_QPU_COND_ZC, qb_ldi(QB_R1, 1 << 12)));
	emit_show(b);
}

/* The same by which path is taken */
static void by_branch(struct qb *b)
{
	qb_emit(b, qb_ldi(QB_R0, 1 << 12));
	qb_emit(b, qb_flags(qb_add(V3D_QPU_ADD_AND, QB_NONE, ADDRESS, QB_R0)));
	qb_emit(b, qb_ldi(QB_R1, 0));
	qb_branch_to(b, V3D_QPU_BRANCH_ALL_ZS, qb_here(b) + 5);
	qb_nops(b, 3);
	qb_emit(b, qb_ldi(QB_R1, 1 << 12));
	emit_show(b);
}

/* Bits 12 to 15, by where the BO is written */
static void by_place(struct qb *b)
{
	qb_emit(b, qb_add(V3D_QPU_ADD_SHR, QB_R0, ADDRESS, qb_imm(6)));
	qb_emit(b, qb_ldi(QB_R1, 15 << 6));
	qb_emit(b, qb_add(V3D_QPU_ADD_AND, QB_R0, QB_R0, QB_R1));
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_R0, ADDRESS));
	qb_setup(b, QB_VW_SETUP, qb_word_vpm_write(0));
	qb_emit(b, qb_mov(QB_VPM_WRITE, QB_R1));
	qb_store_rows(b, 0, 1, QB_R0);
}

/* Bits 12 to 15, by which word of the BO is read */
static void by_read(struct qb *b)
{
	qb_emit(b, qb_add(V3D_QPU_ADD_SHR, QB_R0, ADDRESS, qb_imm(10)));
	qb_emit(b, qb_ldi(QB_R1, 15 << 2));
	qb_emit(b, qb_add(V3D_QPU_ADD_AND, QB_R0, QB_R0, QB_R1));
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_R0, ADDRESS));
	qb_emit(b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	qb_emit(b, qb_mov(QB_R1, QB_R4));
	emit_show(b);
}

/* Bits 12 to 15, by which row of the VPM is written */
static void by_row(struct qb *b)
{
	qb_emit(b, qb_add(V3D_QPU_ADD_SHR, QB_R0, ADDRESS, qb_imm(12)));
	qb_emit(b, qb_add(V3D_QPU_ADD_AND, QB_R0, QB_R0, qb_imm(15)));
	qb_emit(b, qb_ldi(QB_R1, qb_word_vpm_write(0)));
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_VW_SETUP, QB_R0, QB_R1));
	qb_emit(b, qb_mov(QB_VPM_WRITE, QB_R1));
	qb_store_rows(b, 0, 16, ADDRESS);
}

/* What was in a register is read in the instruction after it was overwritten */
static void late(struct qb *b)
{
	qb_emit(b, qb_mov(QB_RA(6), ADDRESS));
	qb_nops(b, 1);
	qb_emit(b, qb_ldi(QB_RA(6), 0));
	qb_emit(b, qb_mov(QB_R1, QB_RA(6)));
	emit_show(b);
}

static const struct way {
	const char *name;
	void (*emit)(struct qb *b);
	const char *describe;
} ways[] = {
	{ "plain", plain, "It is stored" },
	{ "computed", computed, "What is computed from it is stored" },
	{ "sfu", by_sfu, "What the SFU makes of it is stored" },
	{ "flags", by_flags, "It decides what is stored" },
	{ "branch", by_branch, "It decides which path is taken" },
	{ "place", by_place, "It decides where something is stored" },
	{ "read", by_read, "It decides what is read" },
	{ "row", by_row, "It decides which row of the VPM is written" },
	{ "late", late, "It was in a register that is read too early" },
};

static void print_rows(const struct way *way, const struct bo *bo)
{
	unsigned int i;

	for (i = 0; i < bo->size / sizeof(*bo->map); i += 16)
		if (bo->map[i])
			igt_info("%s: word %u of the BO is %08x\n", way->name, i, bo->map[i]);
}

static void try_way(int fd, const struct way *way)
{
	struct bo bo = bo_create(fd, 4096);
	struct drm_v3dcl_refusal refusal;
	struct job *job = job_new();
	uint64_t code[64];
	struct qb b;
	int error;

	qb_init(&b, code, ARRAY_SIZE(code));
	qb_emit(&b, qb_mov(ADDRESS, QB_UNIF));
	qb_nops(&b, 1);
	way->emit(&b);
	qb_end(&b);
	job_run(job, program_create(fd, &b));
	job_address(job, &bo, 0, DRM_V3DCL_RELOC_READ | DRM_V3DCL_RELOC_WRITE);
	error = job_try(fd, job);
	if (!error) {
		igt_assert_eq(seqno_wait(fd, job->submit.seqno, LONG_WAIT), 0);
		print_rows(way, &bo);
	}
	igt_assert_eq(error, EINVAL);
	refusal = refusal_get(fd);
	igt_assert_eq(refusal.part, DRM_V3DCL_PART_UNIFORMS);
	igt_assert_eq(refusal.rule, RULE_TOLD);
	igt_assert(refusal.found < b.count && !refusal.expected);
	gem_close(fd, job->programs[0].handle);
	free(job);
	bo_destroy(fd, &bo);
}

/* A program that moves the address of a BO from its uniforms */
static void run_move(int fd, struct job *job, struct bo *bo, uint16_t to)
{
	uint64_t code[64];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	qb_emit(&b, qb_mov(to, QB_UNIF));
	qb_end(&b);
	job_run(job, program_create(fd, &b));
	job_reads(job, bo, 0);
}

/* A word that is an address already, and takes that of its stream: neither is told */
static void by_refusal(int fd)
{
	struct bo bo = bo_create(fd, 4096);
	struct drm_v3dcl_refusal refusal;
	struct job *job = job_new();

	run_move(fd, job, &bo, QB_UNIF_ADDR);
	igt_assert_eq(job_try(fd, job), EINVAL);
	refusal = refusal_get(fd);
	igt_assert_f(refusal.found < 4096 && refusal.expected < 4096,
		     "the refusal says %08llx and %08llx\n", (unsigned long long)refusal.found,
		     (unsigned long long)refusal.expected);
	gem_close(fd, job->programs[0].handle);
	free(job);
	bo_destroy(fd, &bo);
}

/* All registers get it, on one QPU or another */
static void run_keeper(int fd)
{
	struct bo bo = bo_create(fd, 4096);
	struct job *job = job_new();
	unsigned int i;

	run_move(fd, job, &bo, ADDRESS);
	for (i = 1; i < 12; i++) {
		job_run(job, job->programs[0].handle);
		job_reads(job, &bo, 0);
	}
	job_submit(fd, job);
	igt_assert_eq(seqno_wait(fd, job->submit.seqno, LONG_WAIT), 0);
	gem_close(fd, job->programs[0].handle);
	free(job);
	bo_destroy(fd, &bo);
}

/* A shader whose colour is a register that it has written in no element */
static uint32_t shader_looker(int fd)
{
	uint64_t code[64];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	qb_emit(&b, qb_flags(qb_mov(QB_R0, qb_imm(0))));
	qb_emit(&b, qb_if(V3D_QPU_COND_ZC, qb_ldi(ADDRESS, 0)));
	qb_nops(&b, 1);
	qb_emit(&b, qb_mov(QB_R0, ADDRESS));
	qb_end_color(&b, QB_R0);
	return shader_create(fd, &b);
}

static void by_shader(int fd)
{
	struct scene *scene = scene_new(fd, shader_looker(fd), 64, 128);
	unsigned int i;

	/* The file's first frame is scrubbed for in any case */
	igt_assert_eq(seqno_wait(fd, render_submit(fd, scene->frame->r), LONG_WAIT), 0);
	run_keeper(fd);
	igt_assert_eq(seqno_wait(fd, render_submit(fd, scene->frame->r), LONG_WAIT), 0);
	for (i = 0; i < 64 * 64; i++)
		igt_assert_f(!scene->target.map[i], "pixel %u is %08x\n", i, scene->target.map[i]);
	scene_free(scene);
}

static const struct subtest tests[] = {
	{ "refusal", by_refusal, "A refusal of a relocated word that takes another address" },
	{ "shader", by_shader, "A program leaves it in a register, a shader of the file shows it" },
};

static int drm_fd = -1;

v3dcl_main()
{
	static const struct way *way;

	v3dcl_fixture() {
		drm_fd = drm_open_driver(DRIVER_VC4);
		require_user(drm_fd);
	}

	for (way = ways; way < ways + ARRAY_SIZE(ways); way++) {
		igt_describe(way->describe);
		igt_subtest_f("%s", way->name)
			try_way(drm_fd, way);
	}
	run_subtests(tests, ARRAY_SIZE(tests), drm_fd);

	v3dcl_fixture()
		drm_close_driver(drm_fd);
}
