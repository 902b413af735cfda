// SPDX-License-Identifier: MIT
/*
 * Waiting: sequence numbers, BOs, syncobjs and their timelines, sync_files, dma-bufs. Programs that
 * wait for an unsignalled syncobj are what makes "not yet" a fact and not a race.
 */
#include "v3dcl_drawing.h"
#include "v3dcl_gate.h"

IGT_TEST_DESCRIPTION("Fences of jobs: seqnos, BO waits, syncobjs, timelines, dma-bufs, PRIME");

/* A job that stores to bo once the syncobj is signalled (0: at once) */
static struct job *store_after(int fd, uint32_t program, const struct bo *bo, uint32_t value,
			       uint32_t sync, uint64_t point)
{
	struct job *job = job_new();

	job_run_store(job, program, 0, value, bo, 0);
	if (sync)
		job_in(job, sync, point);
	job_submit(fd, job);
	return job;
}

/* Signals it from the CPU */
static void sync_signal(int fd, uint32_t handle, uint64_t point)
{
	struct drm_syncobj_timeline_array signal = {
		.handles = (uintptr_t)&handle, .points = (uintptr_t)&point, .count_handles = 1,
	};
	struct drm_syncobj_array binary = { .handles = (uintptr_t)&handle, .count_handles = 1 };

	if (point)
		do_ioctl(fd, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &signal);
	else
		do_ioctl(fd, DRM_IOCTL_SYNCOBJ_SIGNAL, &binary);
}

static void wait_seqno(int fd)
{
	struct bo bo = bo_create(fd, 4096);
	uint32_t program = program_store(fd);
	struct gate gate = gate_shut(fd);
	struct job *job = store_after(fd, program, &bo, 5, gate.sync, 0);

	igt_assert_eq(seqno_wait(fd, job->submit.seqno, 0), ETIME);
	igt_assert_eq(seqno_wait(fd, job->submit.seqno, 1000000), ETIME);
	gate_open(&gate);
	igt_assert_eq(seqno_wait(fd, job->submit.seqno, ~0ull), 0);
	igt_assert_eq_u32(bo.map[15], 20);
	igt_assert_eq(seqno_wait(fd, job->submit.seqno, 0), 0);
	igt_assert_eq(seqno_wait(fd, job->submit.seqno + 1, 0), ETIME);
	igt_assert_eq(seqno_wait(fd, ~0ull, 0), ETIME);
	free(job);
	gate_free(fd, &gate);
	gem_close(fd, program);
	bo_destroy(fd, &bo);
}

static void wait_bo(int fd)
{
	struct bo bo = bo_create(fd, 4096), idle = bo_create(fd, 4096);
	uint32_t program = program_store(fd);
	struct gate gate = gate_shut(fd);
	struct job *job = store_after(fd, program, &bo, 5, gate.sync, 0);

	igt_assert_eq(bo_wait(fd, bo.handle, 0), ETIME);
	igt_assert_eq(bo_wait(fd, bo.handle, 1000000), ETIME);
	igt_assert_eq(bo_wait(fd, idle.handle, 0), 0);
	gate_open(&gate);
	igt_assert_eq(bo_wait(fd, bo.handle, LONG_WAIT), 0);
	igt_assert_eq_u32(bo.map[0], 5);
	igt_assert_eq(bo_wait(fd, bo.handle, 0), 0);
	free(job);
	gate_free(fd, &gate);
	gem_close(fd, program);
	bo_destroy(fd, &idle);
	bo_destroy(fd, &bo);
}

/*
 * A BO that a job names is busy until the job ends, whether the job uses it or not; but for code,
 * which never changes, however often it is named
 */
static void named_bos(int fd)
{
	struct scene *scene = scene_new(fd, shader_color(fd), 64, 16);
	struct bo unused = bo_create(fd, 4096);
	struct render *r = scene->frame->r;
	struct gate gate = gate_shut(fd);
	uint32_t unused_code = shader_color(fd);
	unsigned int i;

	r->handles[r->submit.bo_handle_count++] = scene->shaders[DRAWING_FRAGMENT];
	r->handles[r->submit.bo_handle_count++] = unused.handle;
	r->handles[r->submit.bo_handle_count++] = unused_code;
	r->submit.in_sync = gate.sync;
	render_submit(fd, r);
	igt_assert_eq(bo_wait(fd, scene->target.handle, 0), ETIME);
	igt_assert_eq(bo_wait(fd, scene->vertices.handle, 0), ETIME);
	igt_assert_eq(bo_wait(fd, unused.handle, 0), ETIME);
	igt_assert_eq(bo_wait(fd, unused_code, 0), ETIME);
	for (i = 0; i < DRAWING_SHADERS; i++)
		igt_assert_eq(bo_wait(fd, scene->shaders[i], 0), 0);
	gate_open(&gate);
	igt_assert_eq(seqno_wait(fd, r->submit.seqno, LONG_WAIT), 0);
	igt_assert_eq(bo_wait(fd, scene->target.handle, 0), 0);
	igt_assert_eq(bo_wait(fd, unused.handle, 0), 0);
	igt_assert_eq(bo_wait(fd, unused_code, 0), 0);
	igt_assert_eq_u32(scene->target.map[0], COLOR);
	gate_free(fd, &gate);
	gem_close(fd, unused_code);
	bo_destroy(fd, &unused);
	scene_free(scene);
}

/* Ways to learn of a job's end */
enum { BY_SEQNO, BY_BO, BY_SYNCOBJ, WAYS };

/* 0 or ETIME, without a wait */
static int poll_by(int fd, unsigned int way, const struct render *r, uint32_t out)
{
	switch (way) {
	case BY_SEQNO:
		return seqno_wait(fd, r->submit.seqno, 0);
	case BY_BO:
		return bo_wait(fd, r->handles[0], 0);
	default:
		return sync_wait(fd, out, 0);
	}
}

/*
 * A client that has learnt of the end one way is not told "not yet" another way. It asks without a
 * pause, so that in some of the tries it comes while the end is being told.
 */
static void one_end(int fd)
{
	struct bo bo = bo_create(fd, 64 * 64 * 4);
	struct render *r = render_clear_job(&bo, 0x11223344);
	uint32_t out = sync_create(fd);
	unsigned int i, way;

	r->submit.out_sync = out;
	for (i = 0; i < 900; i++) {
		render_submit(fd, r);
		while (poll_by(fd, i % WAYS, r, out))
			;
		for (way = 0; way < WAYS; way++)
			igt_assert_f(!poll_by(fd, (i + way) % WAYS, r, out),
				     "try %u: over by way %u, but not by way %u\n", i, i % WAYS,
				     (i + way) % WAYS);
	}
	sync_destroy(fd, out);
	free(r);
	bo_destroy(fd, &bo);
}

/* A wait that a signal interrupts goes on with the time that is left, not with all of it again */
static void interrupted_wait(int fd)
{
	struct gate gate = gate_shut(fd);
	struct bo bo = bo_create(fd, 4096);
	uint32_t program = program_store(fd);
	struct job *job = store_after(fd, program, &bo, 5, gate.sync, 0);
	pid_t parent = getpid(), child = fork();
	unsigned int i;

	igt_assert(child >= 0);
	if (!child) {
		for (i = 0; i < 100; i++) {
			kill(parent, SIGCONT);
			usleep(2000);
		}
		gate_open(&gate);
		_exit(0);
	}
	igt_assert_eq(seqno_wait(fd, job->submit.seqno, LONG_WAIT), 0);
	igt_assert_eq(bo_wait(fd, bo.handle, LONG_WAIT), 0);
	igt_assert_eq(waitpid(child, NULL, 0), child);
	free(job);
	gate_free(fd, &gate);
	gem_close(fd, program);
	bo_destroy(fd, &bo);
}

/* in_sync holds a job back, out_sync says when it is done */
static void in_and_out(int fd)
{
	struct bo bo = bo_create(fd, 4096);
	uint32_t program = program_store(fd), out = sync_create(fd);
	struct gate gate = gate_shut(fd);
	struct job *job = job_new();

	job_run_store(job, program, 0, 9, &bo, 0);
	job_in(job, gate.sync, 0);
	job_out(job, out, 0);
	job_submit(fd, job);
	igt_assert_eq(sync_wait(fd, out, 0), ETIME);
	igt_assert_eq_u32(bo.map[0], 0);
	gate_open(&gate);
	igt_assert_eq(sync_result(fd, out), 1);
	igt_assert_eq(sync_wait(fd, gate.sync, 0), 0);
	igt_assert_eq_u32(bo.map[1], 10);
	sync_destroy(fd, out);
	free(job);
	gate_free(fd, &gate);
	gem_close(fd, program);
	bo_destroy(fd, &bo);
}

/* SUBMIT_CL's own two */
static void render_in_and_out(int fd)
{
	struct bo bo = bo_create(fd, 64 * 64 * 4);
	struct gate gate = gate_shut(fd);
	struct render *r = render_clear_job(&bo, 0xabcdef01);
	uint32_t out = sync_create(fd);

	r->submit.in_sync = gate.sync;
	r->submit.out_sync = out;
	render_submit(fd, r);
	igt_assert_eq(sync_wait(fd, out, 0), ETIME);
	igt_assert_eq(bo_wait(fd, bo.handle, 0), ETIME);
	igt_assert_eq_u32(bo.map[0], 0);
	gate_open(&gate);
	igt_assert_eq(sync_result(fd, out), 1);
	igt_assert_eq_u32(bo.map[0], 0xabcdef01);
	sync_destroy(fd, out);
	free(r);
	gate_free(fd, &gate);
	bo_destroy(fd, &bo);
}

/* Three points of one timeline by three jobs, in order; a fourth job waits for the second point */
static void timeline(int fd)
{
	struct bo bo = bo_create(fd, 4096);
	uint32_t program = program_store(fd), line = sync_create(fd), out = sync_create(fd);
	struct gate gate = gate_shut(fd);
	struct job *job;
	unsigned int i;

	for (i = 1; i <= 3; i++) {
		job = job_new();
		job_run_store(job, program, i, i, &bo, i * 64);
		if (i == 1)
			job_in(job, gate.sync, 0);
		job_out(job, line, i * 10);
		job_submit(fd, job);
		free(job);
	}
	job = job_new();
	job_run_store(job, program, 0, 99, &bo, 0);
	job_in(job, line, 20);
	job_out(job, out, 0);
	job_submit(fd, job);
	igt_assert_eq_u64(sync_query(fd, line), 0);
	igt_assert_eq(sync_wait_point(fd, line, 10, 0), ETIME);
	gate_open(&gate);
	igt_assert_eq(sync_wait_point(fd, line, 30, LONG_WAIT), 0);
	igt_assert_eq_u64(sync_query(fd, line), 30);
	igt_assert_eq(sync_result(fd, out), 1);
	for (i = 1; i <= 3; i++)
		igt_assert_eq_u32(bo.map[i * 16], i);
	igt_assert_eq_u32(bo.map[0], 99);
	free(job);
	sync_destroy(fd, line);
	sync_destroy(fd, out);
	gate_free(fd, &gate);
	gem_close(fd, program);
	bo_destroy(fd, &bo);
}

/* Points signalled by the CPU count as well; one without a fence is refused */
static void timeline_by_cpu(int fd)
{
	struct bo bo = bo_create(fd, 4096);
	uint32_t program = program_store(fd), line = sync_create(fd);
	struct job *job;

	sync_signal(fd, line, 7);
	job = store_after(fd, program, &bo, 1, line, 7);
	igt_assert_eq(seqno_wait(fd, job->submit.seqno, LONG_WAIT), 0);
	free(job);
	job = job_new();
	job_run_store(job, program, 0, 2, &bo, 0);
	job_in(job, line, 8);
	igt_assert_eq(job_try(fd, job), EINVAL);
	free(job);
	sync_destroy(fd, line);
	gem_close(fd, program);
	bo_destroy(fd, &bo);
}

/* A sync_file, made while the job waits, outlives the file descriptor it came from */
static void sync_file_outlives(int fd)
{
	int other = drm_open_driver(DRIVER_VC4), file;
	struct gate gate = gate_shut(other);
	struct pollfd poll_file;

	file = sync_export_file(other, gate.sync);
	igt_assert_eq(sync_file_status(file), 0);
	drm_close_driver(other);
	gate_open(&gate);
	poll_file = (struct pollfd) { .fd = file, .events = POLLIN };
	igt_assert_eq(poll(&poll_file, 1, 20000), 1);
	igt_assert(sync_file_status(file) != 0);
	close(file);
	munmap(gate.bo.map, gate.bo.size);
	(void)fd;
}

/* --- PRIME ------------------------------------------------------------------------------------ */

/*
 * A BO exported from one file and imported into another is the same memory; importing it where it
 * came from gives its own handle
 */
static void prime_share(int fd)
{
	int other = drm_open_driver(DRIVER_VC4), dma_buf;
	struct bo bo = bo_create(fd, 64 * 64 * 4), theirs;
	uint32_t program = program_store(fd);
	struct render *r;
	struct job *job;

	dma_buf = prime_handle_to_fd(fd, bo.handle);
	igt_assert_eq_u32(prime_fd_to_handle(fd, dma_buf), bo.handle);
	theirs = (struct bo) { .handle = prime_fd_to_handle(other, dma_buf), .size = bo.size };
	theirs.map = bo_map_handle(other, theirs.handle, theirs.size);
	/* They render, we run a program on it without a wait, and both see both */
	r = render_clear_job(&theirs, 0x55667788);
	render_submit(other, r);
	free(r);
	job = job_new();
	job_run_store(job, program, 0, 1000, &bo, 4096);
	job_finish(fd, job);
	igt_assert_eq(bo_wait(other, theirs.handle, 0), 0);
	igt_assert_eq_u32(theirs.map[1023], 0x55667788);
	igt_assert_eq_u32(theirs.map[1024], 1000);
	igt_assert_eq_u32(bo.map[1039], 1015);
	igt_assert_eq_u32(bo.map[4095], 0x55667788);
	/* It lives as long as there is a reference */
	close(dma_buf);
	bo_destroy(fd, &bo);
	igt_assert_eq_u32(theirs.map[4095], 0x55667788);
	bo_destroy(other, &theirs);
	gem_close(fd, program);
	drm_close_driver(other);
}

/* poll() on a dma-buf: readers wait for writers, writers for all */
static void prime_poll(int fd)
{
	struct bo bo = bo_create(fd, 4096);
	uint32_t program = program_store(fd);
	int dma_buf = prime_handle_to_fd(fd, bo.handle);
	struct pollfd poll_read = { .fd = dma_buf, .events = POLLIN },
		      poll_write = { .fd = dma_buf, .events = POLLOUT };
	struct gate gate = gate_shut(fd);
	struct job *job = store_after(fd, program, &bo, 5, gate.sync, 0);

	igt_assert_eq(poll(&poll_read, 1, 0), 0);
	igt_assert_eq(poll(&poll_write, 1, 0), 0);
	gate_open(&gate);
	igt_assert_eq(poll(&poll_read, 1, 20000), 1);
	igt_assert_eq(poll(&poll_write, 1, 20000), 1);
	igt_assert_eq_u32(bo.map[0], 5);
	free(job);
	gate_free(fd, &gate);
	close(dma_buf);
	gem_close(fd, program);
	bo_destroy(fd, &bo);
}

/* A job that only reads keeps writers away, not readers */
static void prime_poll_reader(int fd)
{
	struct bo bo = bo_create(fd, 4096), out = bo_create(fd, 4096);
	int dma_buf = prime_handle_to_fd(fd, bo.handle);
	struct pollfd poll_read = { .fd = dma_buf, .events = POLLIN },
		      poll_write = { .fd = dma_buf, .events = POLLOUT };
	uint32_t program;
	uint64_t code[64];
	struct gate gate;
	struct job *job;
	struct qb b;

	qb_init(&b, code, 64);
	qb_load_rows(&b, 0, 1, QB_UNIF);
	qb_store_rows(&b, 0, 1, QB_UNIF);
	qb_end(&b);
	program = program_create(fd, &b);
	bo.map[3] = 33;
	gate = gate_shut(fd);
	job = job_new();
	job_run(job, program);
	job_reads(job, &bo, 0);
	job_writes(job, &out, 0);
	job_in(job, gate.sync, 0);
	job_submit(fd, job);
	igt_assert_eq(poll(&poll_read, 1, 0), 1);
	igt_assert_eq(poll(&poll_write, 1, 0), 0);
	gate_open(&gate);
	igt_assert_eq(poll(&poll_write, 1, 20000), 1);
	igt_assert_eq(bo_wait(fd, out.handle, LONG_WAIT), 0);
	igt_assert_eq_u32(out.map[3], 33);
	free(job);
	gate_free(fd, &gate);
	close(dma_buf);
	gem_close(fd, program);
	bo_destroy(fd, &out);
	bo_destroy(fd, &bo);
}

static const struct subtest tests[] = {
	{ "wait-seqno", wait_seqno,
	  "WAIT_SEQNO while a job waits, after it, and on numbers never issued" },
	{ "wait-bo", wait_bo, "WAIT_BO on a busy and an idle BO" },
	{ "named-bos", named_bos, "Which BOs that a job names are busy until its end" },
	{ "one-end", one_end, "Seqno, BO and syncobj of a job do not contradict each other" },
	{ "interrupted-wait", interrupted_wait, "Waits go on after signals" },
	{ "in-and-out", in_and_out, "SUBMIT_QPU's in and out syncobjs" },
	{ "render-in-and-out", render_in_and_out, "SUBMIT_CL's in and out syncobjs" },
	{ "timeline", timeline, "Points of a timeline by jobs" },
	{ "timeline-by-cpu", timeline_by_cpu, "Points of a timeline by the CPU" },
	{ "sync-file-outlives", sync_file_outlives, "A sync_file outlives the file that made it" },
	{ "prime-share", prime_share, "A BO in two files is one memory, with one set of fences" },
	{ "prime-poll", prime_poll, "poll() on a dma-buf that a job writes" },
	{ "prime-poll-reader", prime_poll_reader, "poll() on a dma-buf that a job reads" },
};

V3DCL_MAIN(tests, require_user)
