// SPDX-License-Identifier: MIT
/*
 * Frames by the ioctls of vc4 alone, so that the kernel's own driver can be judged too, on a chip
 * with silicon's defects: scripts/mainline.
 */
#include "v3dcl_drawing.h"

IGT_TEST_DESCRIPTION("Frames and counters, by vc4's own ioctls");

#define SIZE 512
#define FRAMES 6
#define FEW 30
#define CORNER 32

static struct drawing *frame_new(const uint32_t *shaders, const struct bo *target,
				 const struct bo *vertices, unsigned int count)
{
	return drawing_make(shaders, target, SIZE, SIZE, vertices, count, false);
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
	struct bo target = bo_create(fd, SIZE * SIZE * 4), vertices = many_triangles(fd, FEW, SIZE);
	uint32_t shaders[DRAWING_SHADERS];

	make_shaders(fd, shaders);
	igt_assert_eq(drawing_finish(fd, frame_new(shaders, &target, &vertices, FEW)), 1);
	expect_filled(&target, COLOR);
	drop_shaders(fd, shaders);
	bo_destroy(fd, &vertices);
	bo_destroy(fd, &target);
}

/* In turns all of the frame and a corner of it: what tile lists had before would be seen */
static void again(int fd)
{
	struct bo target = bo_create(fd, SIZE * SIZE * 4), all = many_triangles(fd, FEW, SIZE),
		  corner = many_triangles(fd, 3, CORNER);
	uint32_t shaders[DRAWING_SHADERS];

	make_shaders(fd, shaders);
	for (unsigned int n = 0; n < FRAMES; n++) {
		struct bo *vertices = n % 2 ? &corner : &all;
		struct drawing *d = frame_new(shaders, &target, vertices, n % 2 ? 3 : FEW);

		igt_assert_eq(drawing_finish(fd, d), 1);
		igt_assert_eq_u32(target.map[0], COLOR);
		igt_assert_eq_u32(target.map[SIZE * SIZE / 2], n % 2 ? BACKGROUND : COLOR);
	}
	drop_shaders(fd, shaders);
	bo_destroy(fd, &corner);
	bo_destroy(fd, &all);
	bo_destroy(fd, &target);
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

static void any_driver(int fd)
{
	(void)fd;
}

static const struct subtest tests[] = {
	{ "clear", clear, "Render lists without a bin list" },
	{ "first", first, "The first frame that is binned" },
	{ "again", again, "Frames one after the other" },
	{ "counters", counters, "A performance counter tells the same of the same frame" },
};

V3DCL_MAIN(tests, any_driver)
