// SPDX-License-Identifier: MIT
/*
 * Performance monitors: what they count, and for whom.
 */
#include "v3dcl_igt.h"

IGT_TEST_DESCRIPTION("Performance monitors count what their jobs do, and no others");

static uint32_t perfmon_create(int fd, const uint8_t *events, unsigned int count)
{
	struct drm_vc4_perfmon_create create = { .ncounters = count };

	memcpy(create.events, events, count);
	do_ioctl(fd, DRM_IOCTL_VC4_PERFMON_CREATE, &create);
	igt_assert_neq_u32(create.id, 0);
	return create.id;
}

static void perfmon_values(int fd, uint32_t id, uint64_t *values)
{
	struct drm_vc4_perfmon_get_values get = { .id = id, .values_ptr = (uintptr_t)values };

	do_ioctl(fd, DRM_IOCTL_VC4_PERFMON_GET_VALUES, &get);
}

static void perfmon_destroy(int fd, uint32_t id)
{
	struct drm_vc4_perfmon_destroy destroy = { .id = id };

	do_ioctl(fd, DRM_IOCTL_VC4_PERFMON_DESTROY, &destroy);
}

/* Uniform: rounds, of LOOP_INSTRUCTIONS each */
#define LOOP_INSTRUCTIONS 5

static uint32_t program_rounds(int fd)
{
	uint64_t code[16];
	struct qb b;

	qb_init(&b, code, 16);
	qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	qb_count_down(&b, QB_R0, qb_here(&b));
	qb_end(&b);
	return program_create(fd, &b);
}

static void run_rounds(int fd, uint32_t program, unsigned int runs, uint32_t rounds,
		       uint32_t perfmon)
{
	struct job *job = job_new();
	unsigned int i;

	for (i = 0; i < runs; i++) {
		job_run(job, program);
		job_uniform(job, rounds);
	}
	job->submit.perfmon = perfmon;
	job_finish(fd, job);
}

/*
 * An instruction takes four clock cycles (AG100 "Quad Processor"): 1000 rounds more are that many
 * more cycles, per program
 */
static void instruction_cycles(int fd)
{
	static const uint8_t event = VC4_PERFCNT_QPU_TOTAL_CLK_CYCLES_EXEC_VALID_INST;
	uint32_t program = program_rounds(fd), id;
	uint64_t cycles[3];
	unsigned int i;

	for (i = 0; i < 3; i++) {
		id = perfmon_create(fd, &event, 1);
		run_rounds(fd, program, i == 2 ? 12 : 1, i ? 2000 : 1000, id);
		perfmon_values(fd, id, &cycles[i]);
		perfmon_destroy(fd, id);
	}
	igt_assert_eq_u64(cycles[1] - cycles[0], 1000 * LOOP_INSTRUCTIONS * 4);
	igt_assert_eq_u64(cycles[2], 12 * cycles[1]);
	/* The loop, and before and behind it the read of the uniform and the end */
	igt_assert_eq_u64(cycles[0], (1000 * LOOP_INSTRUCTIONS + 4) * 4);
	gem_close(fd, program);
}

/* Values add up over the jobs of a perfmon; jobs without it, and other files' jobs, do not count */
static void adds_up(int fd)
{
	static const uint8_t event = VC4_PERFCNT_QPU_TOTAL_CLK_CYCLES_EXEC_VALID_INST;
	int other = drm_open_driver(DRIVER_VC4);
	uint32_t program = program_rounds(fd), theirs = program_rounds(other),
		 id = perfmon_create(fd, &event, 1);
	uint64_t once, thrice;

	run_rounds(fd, program, 1, 500, id);
	perfmon_values(fd, id, &once);
	igt_assert_lt_u64(0, once);
	run_rounds(fd, program, 1, 500, 0);
	run_rounds(other, theirs, 1, 500, 0);
	perfmon_values(fd, id, &thrice);
	igt_assert_eq_u64(thrice, once);
	run_rounds(fd, program, 2, 500, id);
	perfmon_values(fd, id, &thrice);
	igt_assert_eq_u64(thrice, 3 * once);
	perfmon_destroy(fd, id);
	gem_close(fd, program);
	drm_close_driver(other);
}

/* Two perfmons in turns on the same queue keep apart */
static void in_turns(int fd)
{
	static const uint8_t event = VC4_PERFCNT_QPU_TOTAL_CLK_CYCLES_EXEC_VALID_INST;
	uint32_t program = program_rounds(fd),
		 ids[2] = { perfmon_create(fd, &event, 1), perfmon_create(fd, &event, 1) };
	uint32_t syncs[20];
	uint64_t cycles[2];
	struct job *job;
	unsigned int i;

	for (i = 0; i < 20; i++) {
		job = job_new();
		job_run(job, program);
		job_uniform(job, i % 2 ? 300 : 100);
		job->submit.perfmon = ids[i % 2];
		syncs[i] = sync_create(fd);
		job_out(job, syncs[i], 0);
		job_submit(fd, job);
		free(job);
	}
	for (i = 0; i < 20; i++) {
		igt_assert_eq(sync_result(fd, syncs[i]), 1);
		sync_destroy(fd, syncs[i]);
	}
	for (i = 0; i < 2; i++) {
		perfmon_values(fd, ids[i], &cycles[i]);
		igt_assert_eq_u64(cycles[i], 10 * ((i ? 300 : 100) * LOOP_INSTRUCTIONS + 4) * 4);
		perfmon_destroy(fd, ids[i]);
	}
	gem_close(fd, program);
}

/* 16 at a time; what a job does not do counts 0 */
static void sixteen(int fd)
{
	uint8_t events[16];
	uint64_t values[16];
	uint32_t program = program_rounds(fd), id;
	unsigned int i;

	for (i = 0; i < 12; i++)
		events[i] = i;				/* primitives and quads: there are none */
	events[12] = VC4_PERFCNT_QPU_TOTAL_CLK_CYCLES_VERTEX_COORD_SHADING;
	events[13] = VC4_PERFCNT_QPU_TOTAL_CLK_CYCLES_FRAGMENT_SHADING;
	events[14] = VC4_PERFCNT_QPU_TOTAL_CLK_CYCLES_WAITING_TMUS;
	events[15] = VC4_PERFCNT_QPU_TOTAL_CLK_CYCLES_EXEC_VALID_INST;
	id = perfmon_create(fd, events, 16);
	run_rounds(fd, program, 1, 100, id);
	perfmon_values(fd, id, values);
	for (i = 0; i < 15; i++)
		igt_assert_f(values[i] == 0, "event %u counted %llu\n", events[i],
			     (unsigned long long)values[i]);
	igt_assert_eq_u64(values[15], (100 * LOOP_INSTRUCTIONS + 4) * 4);
	perfmon_destroy(fd, id);
	gem_close(fd, program);
}

/* A perfmon destroyed, and its file closed, while a job counts for it */
static void destroyed_early(int fd)
{
	static const uint8_t event = VC4_PERFCNT_QPU_TOTAL_CLK_CYCLES_EXEC_VALID_INST;
	int other = drm_open_driver(DRIVER_VC4);
	struct job *job = job_new();
	uint32_t id = perfmon_create(other, &event, 1);

	job_run(job, program_rounds(other));
	job_uniform(job, 200000);
	job->submit.perfmon = id;
	job_submit(other, job);
	perfmon_destroy(other, id);
	igt_assert_eq(job_try(other, job), ENOENT);
	drm_close_driver(other);
	free(job);
	instruction_cycles(fd);
}

/* A file has 65535 at most, whose ids are the lowest that are free; another file has its own */
static void limit(int fd)
{
	struct drm_vc4_perfmon_create create = { .ncounters = 1 };
	int other = drm_open_driver(DRIVER_VC4), error = 0;
	uint32_t count = 0;

	while (!error && count <= 65535) {
		error = igt_ioctl(other, DRM_IOCTL_VC4_PERFMON_CREATE, &create) ? errno : 0;
		count += !error;
		igt_assert(error || create.id == count);
	}
	igt_assert_eq(error, ENOMEM);
	igt_assert_eq_u32(count, 65535);
	perfmon_destroy(other, 4711);
	do_ioctl(other, DRM_IOCTL_VC4_PERFMON_CREATE, &create);
	igt_assert_eq_u32(create.id, 4711);
	do_ioctl_err(other, DRM_IOCTL_VC4_PERFMON_CREATE, &create, ENOMEM);
	perfmon_destroy(fd, perfmon_create(fd, create.events, 1));
	drm_close_driver(other);
}

/* SUBMIT_CL counts too: a frame without primitives has none */
static void render_job(int fd)
{
	static const uint8_t events[] = { VC4_PERFCNT_FEP_VALID_PRIMS_RENDER,
					  VC4_PERFCNT_TLB_QUADS_WRITTEN_TO_COLOR_BUF };
	struct bo bo = bo_create(fd, 64 * 64 * 4);
	uint32_t id = perfmon_create(fd, events, 2);
	struct render *r = render_clear_job(&bo, 1);
	uint64_t values[2] = { 1, 1 };

	r->submit.perfmonid = id;
	render_finish(fd, r);
	perfmon_values(fd, id, values);
	igt_assert_eq_u64(values[0], 0);
	igt_assert_eq_u64(values[1], 0);
	perfmon_destroy(fd, id);
	bo_destroy(fd, &bo);
}

static const struct subtest tests[] = {
	{ "instruction-cycles", instruction_cycles, "Four cycles an instruction, exactly" },
	{ "adds-up", adds_up, "Values add up over a perfmon's own jobs" },
	{ "in-turns", in_turns, "Two perfmons in turns" },
	{ "sixteen", sixteen, "Sixteen counters at once" },
	{ "destroyed-early", destroyed_early, "A perfmon destroyed while it counts" },
	{ "limit", limit, "As many perfmons as a file may have" },
	{ "render-job", render_job, "A perfmon on a render job" },
};

V3DCL_MAIN(tests, require_v3dcl)
