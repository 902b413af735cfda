// SPDX-License-Identifier: MIT
/*
 * Whose turn it is: somebody with few jobs does not wait for all the jobs of somebody with many. All of them are submitted while a
 * third file's job holds them up, so that it does not matter how long submitting takes.
 */
#include "v3dcl_drawing.h"
#include "v3dcl_gate.h"

IGT_TEST_DESCRIPTION("Fairness between files");

#define MANY 16
#define FEW 3
#define ROUNDS 200000			/* of five instructions: a job takes longer than a busy machine lets this process wait */

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

/* @count jobs. Return: seqno of the first */
static uint64_t queue(int fd, uint32_t program, unsigned int count)
{
	struct job *job = job_new();
	uint64_t first = 0;

	job_run(job, program);
	for (; count; count--) {
		job_submit(fd, job);
		first = first ? first : job->submit.seqno;
	}
	free(job);
	return first;
}

/* One file with many jobs, another one with few, and who holds them all up */
struct turns {
	int other, keeper;
	struct gate gate;
	uint64_t first, last;		/* of the many, of the few */
};

static struct turns turns_begin(void)
{
	return (struct turns) { .other = drm_open_driver(DRIVER_VC4), .keeper = drm_open_driver(DRIVER_VC4) };
}

/* From here on: the gate's own time is limited */
static void turns_hold(struct turns *turns)
{
	turns->gate = gate_shut(turns->keeper);
}

/* The few come in between, in turn */
static void turns_end(int fd, struct turns *turns)
{
	igt_assert_eq(seqno_wait(fd, turns->first, 0), ETIME);
	gate_open(&turns->gate);
	igt_assert_eq(seqno_wait(turns->other, turns->last, LONG_WAIT), 0);
	igt_assert_eq(seqno_wait(fd, turns->first + MANY / 2, 0), ETIME);
	igt_assert_eq(seqno_wait(fd, turns->first + MANY - 1, LONG_WAIT), 0);
	gate_free(turns->keeper, &turns->gate);
	drm_close_driver(turns->keeper);
	drm_close_driver(turns->other);
}

static void programs(int fd)
{
	struct turns turns = turns_begin();
	uint32_t program = program_rounds(fd), theirs = program_rounds(turns.other);

	turns_hold(&turns);
	turns.first = queue(fd, program, MANY);
	turns.last = queue(turns.other, theirs, FEW) + FEW - 1;
	turns_end(fd, &turns);
	gem_close(fd, program);
}

/* Frames of one tile in which a single run of the fragment shader takes as long as a program above */
struct scene {
	uint32_t shaders[DRAWING_SHADERS];
	struct bo target, vertices;
	struct drawing *frame;
};

static struct scene *scene_new(int fd)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	struct vertex *v;

	igt_assert(scene);
	make_shaders(fd, scene->shaders);
	gem_close(fd, scene->shaders[DRAWING_FRAGMENT]);
	scene->shaders[DRAWING_FRAGMENT] = shader_slow(fd, ROUNDS);
	scene->target = bo_create(fd, 64 * 64 * 4);
	scene->vertices = bo_create(fd, 4096);
	v = (struct vertex *)scene->vertices.map;
	v[0] = vertex_at(0, 0);
	v[1] = vertex_at(2, 0);
	v[2] = vertex_at(0, 2);
	scene->frame = drawing_new(scene->shaders, &scene->target, 64, 64, &scene->vertices, 3);
	return scene;
}

static void scene_free(int fd, struct scene *scene)
{
	igt_assert_eq_u32(scene->target.map[0], COLOR);
	drawing_free(scene->frame);
	drop_shaders(fd, scene->shaders);
	bo_destroy(fd, &scene->target);
	bo_destroy(fd, &scene->vertices);
	free(scene);
}

/* @count frames behind the gate. Return: seqno of the first */
static uint64_t draw(int fd, struct scene *scene, unsigned int count, const struct turns *turns)
{
	int fence = sync_export_file(turns->keeper, turns->gate.sync);
	struct drm_syncobj_handle import = { .flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE, .fd = fence };
	uint64_t first;

	import.handle = scene->frame->r->submit.in_sync = sync_create(fd);
	do_ioctl(fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &import);
	first = render_submit(fd, scene->frame->r);
	while (--count)
		render_submit(fd, scene->frame->r);
	sync_destroy(fd, import.handle);
	close(fence);
	return first;
}

static void frames(int fd)
{
	struct turns turns = turns_begin();
	struct scene *scene = scene_new(fd), *theirs = scene_new(turns.other);

	turns_hold(&turns);
	turns.first = draw(fd, scene, MANY, &turns);
	turns.last = draw(turns.other, theirs, FEW, &turns) + FEW - 1;
	turns_end(fd, &turns);
	scene_free(fd, scene);
}

/* Both share the QPUs, each has a queue */
static void frames_among_programs(int fd)
{
	struct turns turns = turns_begin();
	uint32_t program = program_rounds(fd);
	struct scene *theirs = scene_new(turns.other);

	turns_hold(&turns);
	turns.first = queue(fd, program, MANY);
	turns.last = draw(turns.other, theirs, FEW, &turns) + FEW - 1;
	turns_end(fd, &turns);
	gem_close(fd, program);
}

static void programs_among_frames(int fd)
{
	struct turns turns = turns_begin();
	struct scene *scene = scene_new(fd);
	uint32_t theirs = program_rounds(turns.other);

	turns_hold(&turns);
	turns.first = draw(fd, scene, MANY, &turns);
	turns.last = queue(turns.other, theirs, FEW) + FEW - 1;
	turns_end(fd, &turns);
	scene_free(fd, scene);
}

static const struct subtest tests[] = {
	{ "programs", programs, "A few programs among many of another file" },
	{ "frames", frames, "A few frames among many of another file" },
	{ "frames-among-programs", frames_among_programs, "A few frames beside many programs of another file" },
	{ "programs-among-frames", programs_among_frames, "A few programs beside many frames of another file" },
};

V3DCL_MAIN(tests, require_user)
