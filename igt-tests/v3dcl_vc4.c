// SPDX-License-Identifier: MIT
/*
 * Frames by the ioctls of vc4 alone, so that the kernel's own driver can be judged too, on a chip
 * with one of silicon's defects at a time: scripts/mainline. What is drawn meets as many of them as
 * a driver has a share in.
 */
#include "v3dcl_drawing.h"

IGT_TEST_DESCRIPTION("Frames, overspill, hangs and counters, by vc4's own ioctls");

#define SIZE 512
#define FRAMES 6
#define FEW 30
/* As many as make the binner ask for memory, on a driver that gives a frame half a MiB */
#define MANY 48000
/* Twice as long as the kernel's vc4 takes to see a hang on a busy host, and more */
#define HANG_NS 20000000000ull

static struct drawing *frame_new(const uint32_t *shaders, const struct bo *target,
				 const struct bo *vertices, unsigned int count)
{
	return drawing_make(shaders, target, SIZE, SIZE, vertices, count, false);
}

/* One after the other, each in memory that the last one has left */
static void draw_frames(int fd, unsigned int frames, unsigned int count)
{
	struct bo target = bo_create(fd, SIZE * SIZE * 4),
		  vertices = many_triangles(fd, count, SIZE);
	uint32_t shaders[DRAWING_SHADERS];

	make_shaders(fd, shaders);
	while (frames--) {
		memset(target.map, 0, target.size);
		igt_assert_eq(drawing_finish(fd, frame_new(shaders, &target, &vertices, count)), 1);
		expect_filled(&target, COLOR);
	}
	drop_shaders(fd, shaders);
	bo_destroy(fd, &vertices);
	bo_destroy(fd, &target);
}

static void clear(int fd)
{
	struct bo target = bo_create(fd, 64 * 64 * 4);

	for (unsigned int n = 0; n < FRAMES; n++) {
		render_finish(fd, render_clear_job(&target, BACKGROUND + n));
		expect_filled(&target, BACKGROUND + n);
	}
	bo_destroy(fd, &target);
}

static void first(int fd)
{
	draw_frames(fd, 1, FEW);
}

static void again(int fd)
{
	draw_frames(fd, FRAMES, FEW);
}

static void overspill(int fd)
{
	draw_frames(fd, 3, MANY);
}

/* What a frame counts, by a perfmon of its own. 0 where it counts nothing */
static uint64_t counted(int fd, struct drawing *d)
{
	struct drm_vc4_perfmon_create create = {
		.ncounters = 1, .events = { VC4_PERFCNT_FEP_VALID_PRIMS_RENDER }
	};
	struct drm_vc4_perfmon_get_values get = { 0 };
	struct drm_vc4_perfmon_destroy destroy = { 0 };
	uint64_t value = 0;

	do_ioctl(fd, DRM_IOCTL_VC4_PERFMON_CREATE, &create);
	d->r->submit.perfmonid = create.id;
	igt_assert_eq(drawing_finish(fd, d), 1);
	get.id = create.id;
	get.values_ptr = (uintptr_t)&value;
	do_ioctl(fd, DRM_IOCTL_VC4_PERFMON_GET_VALUES, &get);
	destroy.id = create.id;
	do_ioctl(fd, DRM_IOCTL_VC4_PERFMON_DESTROY, &destroy);
	return value;
}

static void counters(int fd)
{
	struct bo target = bo_create(fd, SIZE * SIZE * 4), vertices = many_triangles(fd, FEW, SIZE);
	uint32_t shaders[DRAWING_SHADERS];
	uint64_t values[3];

	make_shaders(fd, shaders);
	for (unsigned int n = 0; n < ARRAY_SIZE(values); n++)
		values[n] = counted(fd, frame_new(shaders, &target, &vertices, FEW));
	igt_assert_lt_u64(0, values[0]);
	igt_assert_eq_u64(values[1], values[0]);
	igt_assert_eq_u64(values[2], values[0]);
	drop_shaders(fd, shaders);
	bo_destroy(fd, &vertices);
	bo_destroy(fd, &target);
}

/* A frame that never ends is ended, and those after it are drawn */
static void hang(int fd)
{
	struct bo target = bo_create(fd, SIZE * SIZE * 4), vertices = many_triangles(fd, FEW, SIZE);
	uint32_t shaders[DRAWING_SHADERS];
	struct drawing *d;
	uint64_t seqno;

	make_shaders_with(fd, shader_endless(fd, DRAWING_FRAGMENT), shaders);
	d = frame_new(shaders, &target, &vertices, FEW);
	seqno = render_submit(fd, d->r);
	drawing_free(d);
	igt_assert_eq(seqno_wait(fd, seqno, HANG_NS), 0);
	drop_shaders(fd, shaders);
	bo_destroy(fd, &vertices);
	bo_destroy(fd, &target);
	draw_frames(fd, FRAMES, FEW);
}

static void any_driver(int fd)
{
	(void)fd;
}

static const struct subtest tests[] = {
	{ "clear", clear, "Render lists without a bin list" },
	{ "first", first, "The first frame that is binned" },
	{ "again", again, "Frames one after the other" },
	{ "counters", counters, "A performance counter tells the same of the same frame" },
	{ "overspill", overspill, "Tile lists that outgrow the memory that a frame begins with" },
	{ "hang", hang, "A frame that never ends, and frames after it" },
};

V3DCL_MAIN(tests, any_driver)
