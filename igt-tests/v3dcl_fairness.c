// SPDX-License-Identifier: MIT
/*
 * The arbiter: a file with few jobs does not wait for all the jobs of a file with many. All of them
 * are submitted while a third file's job holds them up, so that it does not matter how long
 * submitting takes; and the fences say afterwards when each job ended, so that it does not matter
 * when this process looks.
 */
#include "v3dcl_drawing.h"
#include "v3dcl_gate.h"

IGT_TEST_DESCRIPTION("Fairness between files");

#define MANY 48
#define FEW 3
/* of five instructions: milliseconds, beside which a worker woken late counts little */
#define ROUNDS 100000

static uint32_t program_rounds(int fd)
{
	uint64_t code[16];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	qb_emit(&b, qb_ldi(QB_R0, ROUNDS));
	qb_count_down(&b, QB_R0, qb_here(&b));
	qb_end(&b);
	return program_create(fd, &b);
}

/* Jobs of one file, which end in their order */
struct queue {
	int fd;
	uint32_t sync;			/* with the fence of the last one */
};

static struct queue queue(int fd, uint32_t program, unsigned int count)
{
	struct queue queue = { .fd = fd, .sync = sync_create(fd) };
	struct job *job = job_new();

	job_run(job, program);
	job_out(job, queue.sync, 0);
	for (; count; count--)
		job_submit(fd, job);
	free(job);
	return queue;
}

/* One file with many jobs, another one with few, and the file that holds them all up */
struct contention {
	int other, keeper;
	struct gate gate;
	struct queue many, few;
};

static struct contention contention_begin(void)
{
	return (struct contention) { .other = drm_open_driver(DRIVER_VC4),
				     .keeper = drm_open_driver(DRIVER_VC4) };
}

/* From here on: the gate's own time is limited */
static void contention_hold(struct contention *contention)
{
	contention->gate = gate_shut(contention->keeper);
}

/* Return: when the last one ended */
static uint64_t queue_end(const struct queue *queue)
{
	uint64_t time = sync_time(queue->fd, queue->sync);

	sync_destroy(queue->fd, queue->sync);
	return time;
}

/*
 * The few come in between. Not after as many of the others: a machine that is busy elsewhere may
 * hand them to the hardware later than they were granted it, but not later than all of the many, of
 * which each needs to be handed over as well.
 */
static void contention_end(struct contention *contention)
{
	igt_assert_eq(sync_wait(contention->many.fd, contention->many.sync, 0), ETIME);
	gate_open(&contention->gate);
	igt_assert_lt_u64(queue_end(&contention->few), queue_end(&contention->many));
	gate_free(contention->keeper, &contention->gate);
	drm_close_driver(contention->keeper);
	drm_close_driver(contention->other);
}

static void programs(int fd)
{
	struct contention contention = contention_begin();
	uint32_t program = program_rounds(fd), theirs = program_rounds(contention.other);

	contention_hold(&contention);
	contention.many = queue(fd, program, MANY);
	contention.few = queue(contention.other, theirs, FEW);
	contention_end(&contention);
	gem_close(fd, program);
}

/*
 * Frames of one tile in which a single run of the fragment shader takes as long as a program above
 */
static struct scene *slow_scene(int fd)
{
	return scene_new(fd, shader_slow(fd, ROUNDS), 64, 2);
}

static void slow_scene_free(struct scene *scene)
{
	igt_assert_eq_u32(scene->target.map[0], COLOR);
	scene_free(scene);
}

/* @count frames behind the gate */
static struct queue draw(struct scene *scene, unsigned int count,
			 const struct contention *contention)
{
	int fence = sync_export_file(contention->keeper, contention->gate.sync);
	struct drm_syncobj_handle import = {
		.flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE, .fd = fence
	};
	struct queue queue = { .fd = scene->fd, .sync = sync_create(scene->fd) };

	import.handle = scene->frame->r->submit.in_sync = sync_create(scene->fd);
	do_ioctl(scene->fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &import);
	scene->frame->r->submit.out_sync = queue.sync;
	for (; count; count--)
		render_submit(scene->fd, scene->frame->r);
	sync_destroy(scene->fd, import.handle);
	close(fence);
	return queue;
}

static void frames(int fd)
{
	struct contention contention = contention_begin();
	struct scene *scene = slow_scene(fd), *theirs = slow_scene(contention.other);

	contention_hold(&contention);
	contention.many = draw(scene, MANY, &contention);
	contention.few = draw(theirs, FEW, &contention);
	contention_end(&contention);
	slow_scene_free(scene);
}

/* Both share the QPUs, each has a queue */
static void frames_among_programs(int fd)
{
	struct contention contention = contention_begin();
	uint32_t program = program_rounds(fd);
	struct scene *theirs = slow_scene(contention.other);

	contention_hold(&contention);
	contention.many = queue(fd, program, MANY);
	contention.few = draw(theirs, FEW, &contention);
	contention_end(&contention);
	gem_close(fd, program);
}

static void programs_among_frames(int fd)
{
	struct contention contention = contention_begin();
	struct scene *scene = slow_scene(fd);
	uint32_t theirs = program_rounds(contention.other);

	contention_hold(&contention);
	contention.many = draw(scene, MANY, &contention);
	contention.few = queue(contention.other, theirs, FEW);
	contention_end(&contention);
	slow_scene_free(scene);
}

static const struct subtest tests[] = {
	{ "programs", programs, "A few programs among many of another file" },
	{ "frames", frames, "A few frames among many of another file" },
	{ "frames-among-programs", frames_among_programs,
	  "A few frames beside many programs of another file" },
	{ "programs-among-frames", programs_among_frames,
	  "A few programs beside many frames of another file" },
};

V3DCL_MAIN(tests, require_user)
