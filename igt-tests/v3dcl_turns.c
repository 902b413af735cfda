// SPDX-License-Identifier: MIT
/*
 * Whose turn it is: somebody with few jobs does not wait for all the jobs of somebody with many.
 */
#include "v3dcl_drawing.h"

IGT_TEST_DESCRIPTION("Fairness between files");

#define MANY 40
#define ROUNDS 100000			/* of five instructions: submitting takes less time than running */

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

/* @first to @first + MANY - 1 of @fd were queued, then a few of @other's, @last being the last of them */
static void check_turns(int fd, uint64_t first, int other, uint64_t last)
{
	igt_assert_eq(seqno_wait(other, last, LONG_WAIT), 0);
	/* At most what ran while these were submitted, and one for each of the few: much less than half of all */
	igt_assert_eq(seqno_wait(fd, first + MANY / 2, 0), ETIME);
	igt_assert_eq(seqno_wait(fd, first + MANY - 1, LONG_WAIT), 0);
}

/* One file has queued many jobs; another one's come in between, in turn */
static void programs(int fd)
{
	int other = drm_open_driver(DRIVER_VC4);
	uint32_t program = program_rounds(fd), theirs = program_rounds(other);
	uint64_t first = queue(fd, program, MANY);

	check_turns(fd, first, other, queue(other, theirs, 5) + 4);
	gem_close(fd, program);
	drm_close_driver(other);
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

/* @count frames. Return: seqno of the first */
static uint64_t draw(int fd, struct scene *scene, unsigned int count)
{
	uint64_t first = render_submit(fd, scene->frame->r);

	while (--count)
		render_submit(fd, scene->frame->r);
	return first;
}

static void frames(int fd)
{
	int other = drm_open_driver(DRIVER_VC4);
	struct scene *scene = scene_new(fd), *theirs = scene_new(other);
	uint64_t first = draw(fd, scene, MANY);

	check_turns(fd, first, other, draw(other, theirs, 5) + 4);
	scene_free(fd, scene);
	scene_free(other, theirs);
	drm_close_driver(other);
}

/* Both share the QPUs, each has a queue */
static void frames_among_programs(int fd)
{
	int other = drm_open_driver(DRIVER_VC4);
	uint32_t program = program_rounds(fd);
	struct scene *theirs = scene_new(other);
	uint64_t first = queue(fd, program, MANY);

	check_turns(fd, first, other, draw(other, theirs, 5) + 4);
	gem_close(fd, program);
	scene_free(other, theirs);
	drm_close_driver(other);
}

static void programs_among_frames(int fd)
{
	int other = drm_open_driver(DRIVER_VC4);
	struct scene *scene = scene_new(fd);
	uint32_t theirs = program_rounds(other);
	uint64_t first = draw(fd, scene, MANY);

	check_turns(fd, first, other, queue(other, theirs, 5) + 4);
	scene_free(fd, scene);
	drm_close_driver(other);
}

static const struct subtest tests[] = {
	{ "programs", programs, "A few programs among many of another file" },
	{ "frames", frames, "A few frames among many of another file" },
	{ "frames-among-programs", frames_among_programs, "A few frames beside many programs of another file" },
	{ "programs-among-frames", programs_among_frames, "A few programs beside many frames of another file" },
};

V3DCL_MAIN(tests, require_user)
