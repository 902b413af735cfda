// SPDX-License-Identifier: MIT
/*
 * Programs that never end. Their job must end with ETIMEDOUT, on its fence and nowhere else; other
 * clients of the V3D must not notice more than a delay; and the V3D must work afterwards as before.
 */
#include "v3dcl_alive.h"

IGT_TEST_DESCRIPTION("QPU programs that never end: timeouts, resets, and other clients' jobs");

static void endless_loop(int fd)
{
	struct job *job = job_new();
	uint32_t program = program_endless(fd);

	job_run(job, program);
	check_times_out(fd, job);
	gem_close(fd, program);
}

static void endless_on_all_qpus(int fd)
{
	struct job *job = job_new();
	uint32_t program = program_endless(fd);
	unsigned int i;

	for (i = 0; i < 40; i++)
		job_run(job, program);
	check_times_out(fd, job);
	gem_close(fd, program);
}

/* One of many: those before it have stored, the job has failed nevertheless */
static void endless_among_others(int fd)
{
	struct bo bo = bo_create(fd, 4096);
	struct job *job = job_new();
	uint32_t endless = program_endless(fd), store = program_store(fd);
	unsigned int i;

	for (i = 0; i < 40; i++) {
		if (i == 20)
			job_run(job, endless);
		else
			job_run_store(job, store, i, i, &bo, i * 64);
	}
	check_times_out(fd, job);
	for (i = 0; i < 16; i++)
		igt_assert_eq_u32(bo.map[i], i);
	gem_close(fd, endless);
	gem_close(fd, store);
	bo_destroy(fd, &bo);
}

static void again_and_again(int fd)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		endless_loop(fd);
}

/* Another file's jobs, before, behind and beside the hang, on each queue, end well */
static void others_go_on(int fd)
{
	int other = drm_open_driver(DRIVER_VC4);
	struct bo bo = bo_create(other, 8192), frame = bo_create(other, 64 * 64 * 4);
	uint32_t store = program_store(other), endless = program_endless(fd), syncs[8],
		 hung = sync_create(fd);
	struct job *job = job_new(), *theirs;
	struct render *r;
	unsigned int i;

	job_run(job, endless);
	job->submit.timeout_ns = TIMEOUT_NS;
	job_out(job, hung, 0);
	for (i = 0; i < 8; i++) {
		if (i == 3)
			job_submit(fd, job);
		syncs[i] = sync_create(other);
		if (i % 2) {
			r = render_clear_job(&frame, i);
			r->submit.out_sync = syncs[i];
			render_submit(other, r);
			free(r);
			continue;
		}
		theirs = job_new();
		job_run_store(theirs, store, i, 10 * i, &bo, i * 64);
		job_out(theirs, syncs[i], 0);
		job_submit(other, theirs);
		free(theirs);
	}
	for (i = 0; i < 8; i++) {
		igt_assert_eq(sync_result(other, syncs[i]), 1);
		sync_destroy(other, syncs[i]);
	}
	igt_assert_eq(sync_result(fd, hung), -ETIMEDOUT);
	for (i = 0; i < 8; i += 2)
		igt_assert_eq_u32(bo.map[i * 16 + 1], 10 * i + 1);
	igt_assert_eq_u32(frame.map[99], 7);
	igt_assert_eq_u64(v3dcl_param(other, DRM_V3DCL_PARAM_GUILTY), 0);
	sync_destroy(fd, hung);
	free(job);
	bo_destroy(other, &bo);
	bo_destroy(other, &frame);
	drm_close_driver(other);
	gem_close(fd, endless);
	check_alive(fd);
}

/* Jobs of the same file that wait for the hung one by BO and by syncobj end too */
static void dependents_end(int fd)
{
	struct bo bo = bo_create(fd, 4096);
	uint32_t endless = program_endless(fd), store = program_store(fd), hung = sync_create(fd),
		 after = sync_create(fd);
	struct job *job = job_new(), *next = job_new();

	job_run(job, endless);
	job_writes(job, &bo, 0);
	job->submit.timeout_ns = TIMEOUT_NS;
	job_out(job, hung, 0);
	job_submit(fd, job);
	job_run_store(next, store, 0, 1, &bo, 0);
	job_in(next, hung, 0);
	job_out(next, after, 0);
	job_submit(fd, next);
	igt_assert_eq(sync_wait(fd, after, LONG_WAIT), 0);
	igt_assert_eq(bo_wait(fd, bo.handle, LONG_WAIT), 0);
	igt_assert_eq(seqno_wait(fd, next->submit.seqno, LONG_WAIT), 0);
	igt_assert_eq(sync_result(fd, hung), -ETIMEDOUT);
	sync_destroy(fd, hung);
	sync_destroy(fd, after);
	free(job);
	free(next);
	gem_close(fd, endless);
	gem_close(fd, store);
	bo_destroy(fd, &bo);
	check_alive(fd);
}

/* A job that is long but ends within the time it asked for is left alone */
static void long_is_not_endless(int fd)
{
	struct job *job = job_new();
	uint64_t code[16];
	uint32_t program;
	struct qb b;

	qb_init(&b, code, 16);
	qb_emit(&b, qb_ldi(QB_R0, 2000000));
	qb_count_down(&b, QB_R0, qb_here(&b));
	qb_end(&b);
	program = program_create(fd, &b);
	job_run(job, program);
	job->submit.timeout_ns = v3dcl_param(fd, DRM_V3DCL_PARAM_MAX_TIMEOUT_NS);
	job_finish(fd, job);
	gem_close(fd, program);
}

static const struct subtest tests[] = {
	{ "endless-loop", endless_loop, "A loop without end" },
	{ "endless-on-all-qpus", endless_on_all_qpus,
	  "A loop without end on every QPU, and more in the queue" },
	{ "endless-among-others", endless_among_others, "One program of 40 never ends" },
	{ "again-and-again", again_and_again, "Hang after hang" },
	{ "others-go-on", others_go_on, "Another file's jobs end well" },
	{ "dependents-end", dependents_end, "Jobs that wait for the hung one end" },
	{ "long-is-not-endless", long_is_not_endless, "A long job within its time" },
};

V3DCL_MAIN(tests, require_user)
