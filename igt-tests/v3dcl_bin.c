// SPDX-License-Identifier: MIT
/*
 * Jobs with a bin list but without primitives: binning and rendering one after the other, and what
 * a bin list must look like.
 */
#include "v3dcl_list.h"

IGT_TEST_DESCRIPTION("Jobs with a bin list: frames without primitives, and lists that are refused");

static void empty_frame(int fd, unsigned int width, unsigned int height)
{
	struct bo bo = bo_create(fd, (width + 3) / 4 * 16 * height);
	struct render *r = render_new(width, height);
	unsigned int x, y, stride = (width + 3) / 4 * 4;
	struct list list;

	list_begin(&list, (width + 63) / 64, (height + 63) / 64, false);
	list_add(&list, clip_window, .width = width, .height = height);
	list_add(&list, configuration_bits, .forward_facing = 1, .reverse_facing = 1);
	list_add(&list, viewport_offset, .x = 0, .y = 0);
	list_end(&list);
	render_list(r, &list);
	render_clear(r, 0x13579bdf, 0, 0);
	render_surface(r, &r->submit.color_write, bo.handle, 0, RENDER_PIXEL(V3D_FRAME_RGBA8888));
	render_finish(fd, r);
	for (y = 0; y < height; y++)
		for (x = 0; x < width; x++)
			igt_assert_eq_u32(bo.map[y * stride + x], 0x13579bdf);
	bo_destroy(fd, &bo);
}

static void one_tile(int fd)
{
	empty_frame(fd, 64, 64);
}

static void many_tiles(int fd)
{
	empty_frame(fd, 700, 500);
}

static void largest_frame(int fd)
{
	empty_frame(fd, 2048, 2048);
}

static void multisample(int fd)
{
	struct bo bo = bo_create(fd, 100 * 100 * 4);
	struct render *r = render_new(100, 100);
	struct list list;
	unsigned int i;

	list_begin(&list, 4, 4, true);
	list_end(&list);
	render_list(r, &list);
	render_multisample(r);
	render_clear(r, 0x24682468, 0, 0);
	render_surface(r, &r->submit.color_write, bo.handle, 0,
		       RENDER_PIXEL(V3D_FRAME_RGBA8888) | RENDER_DECIMATE_4X);
	render_finish(fd, r);
	for (i = 0; i < 100 * 100; i++)
		igt_assert_eq_u32(bo.map[i], 0x24682468);
	bo_destroy(fd, &bo);
}

/* Binning of one frame and rendering of another overlap; 40 frames, each its own BO */
static void frames_overlap(int fd)
{
	struct bo bos[40];
	uint64_t last = 0;
	struct render *r;
	struct list list;
	unsigned int i, k;

	list_begin(&list, 2, 2, false);
	list_end(&list);
	for (i = 0; i < ARRAY_SIZE(bos); i++) {
		bos[i] = bo_create(fd, 128 * 128 * 4);
		r = render_new(128, 128);
		render_list(r, &list);
		render_clear(r, noise(i), 0, 0);
		render_surface(r, &r->submit.color_write, bos[i].handle, 0,
			       RENDER_PIXEL(V3D_FRAME_RGBA8888));
		last = render_submit(fd, r);
		free(r);
	}
	igt_assert_eq(seqno_wait(fd, last, LONG_WAIT), 0);
	for (i = 0; i < ARRAY_SIZE(bos); i++) {
		for (k = 0; k < 128 * 128; k++)
			igt_assert_eq_u32(bos[i].map[k], noise(i));
		bo_destroy(fd, &bos[i]);
	}
}

/* Submits a frame with this list, which must be refused as a bin list */
static void check_refused(int fd, const struct list *list)
{
	struct bo bo = bo_create(fd, 64 * 64 * 4);
	struct render *r = render_clear_job(&bo, 1);
	struct drm_v3dcl_refusal refusal;

	render_list(r, list);
	igt_assert_eq(render_try(fd, r), EINVAL);
	refusal = refusal_get(fd);
	igt_assert_eq_u32(refusal.part, DRM_V3DCL_PART_BIN);
	igt_assert_lt(refusal.offset, list->size + 1);
	igt_assert(refusal.text[0]);
	free(r);
	bo_destroy(fd, &bo);
}

/* Records that are the hardware's or the kernel's business, and numbers that are none */
static void refused_records(int fd)
{
	static const uint8_t ids[] = {
		V3D_HALT, V3D_WAIT_ON_SEMAPHORE, V3D_BRANCH, V3D_BRANCH_TO_SUB_LIST,
		V3D_RETURN_FROM_SUB_LIST, V3D_STORE_RESOLVED,
		V3D_STORE_RESOLVED_END, V3D_STORE_FULL, V3D_LOAD_FULL, V3D_STORE_GENERAL,
		V3D_LOAD_GENERAL, V3D_TILE_RENDERING_MODE,
		V3D_CLEAR_COLORS, V3D_TILE_COORDINATES, 2, 3, 200, 255,
	};
	struct list list;
	unsigned int i, length;

	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		list_begin(&list, 1, 1, false);
		length = v3d_packet_info(ids[i])->name ? v3d_packet_info(ids[i])->length : 1;
		memset(list.bytes + list.size, 0, length);
		list.bytes[list.size] = ids[i];
		list.size += length;
		list_end(&list);
		check_refused(fd, &list);
	}
}

static void refused_shapes(int fd)
{
	struct list list;

	list_begin(&list, 1, 1, false);
	check_refused(fd, &list);				/* no end */
	list_code(&list, V3D_FLUSH);
	check_refused(fd, &list);				/* no semaphore */
	list.size = 0;
	list_end(&list);
	check_refused(fd, &list);				/* no beginning */
	list_begin(&list, 1, 1, false);
	list_code(&list, V3D_START_TILE_BINNING);
	list_end(&list);
	check_refused(fd, &list);				/* begun twice */
	list_begin(&list, 0, 1, false);
	list_end(&list);
	check_refused(fd, &list);				/* no tiles */
	list_begin(&list, 1, 1, false);
	list_end(&list);
	list.size += 1;
	list.bytes[list.size - 1] = V3D_CLIP_WINDOW;
	check_refused(fd, &list);				/* cut off */
}

static void bad_pointer(int fd)
{
	struct bo bo = bo_create(fd, 64 * 64 * 4);
	struct render *r = render_clear_job(&bo, 1);

	r->submit.bin_cl = 8;
	r->submit.bin_cl_size = 32;
	igt_assert_eq(render_try(fd, r), EFAULT);
	free(r);
	bo_destroy(fd, &bo);
}

static const struct subtest tests[] = {
	{ "one-tile", one_tile, "A frame of one tile" },
	{ "many-tiles", many_tiles, "A frame of many tiles, clipped" },
	{ "largest-frame", largest_frame, "2048 x 2048 pixels" },
	{ "multisample", multisample, "A multisample frame" },
	{ "frames-overlap", frames_overlap, "40 frames without a wait" },
	{ "refused-records", refused_records, "Records that a bin list must not have" },
	{ "refused-shapes", refused_shapes, "Lists without beginning or end" },
	{ "bad-pointer", bad_pointer, "A bin list that is not there" },
};

V3DCL_MAIN(tests, require_v3dcl)
