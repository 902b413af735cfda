// SPDX-License-Identifier: MIT
/*
 * Frames: the same triangle as a checked job and as raw lists, pixel by pixel; what each of them
 * cannot have.
 */
#include "fail_alloc.h"

#include <unistd.h>

#include "v3dcl_image.h"

#include "scene.h"

struct rig {
	struct v3dcl_device *device;
	struct v3dcl_frame *frame;
	uint32_t target, shaders[3], perfmon;
	uint32_t *pixels;
	struct v3dcl_error error;
};

static uint32_t shader_bo(struct rig *rig, const uint64_t *code, uint32_t count)
{
	uint32_t handle = 0;

	assert_int_equal(v3dcl_bo_create_shader(rig->device, code, count, &handle, &rig->error), 0);
	return handle;
}

/* Code that raw lists run must be in a plain BO. */
static uint32_t plain_code(struct rig *rig, const uint64_t *code, uint32_t count)
{
	uint32_t handle = 0;
	void *map;

	assert_int_equal(v3dcl_bo_create(rig->device, count * 8, &handle, &rig->error), 0);
	assert_int_equal(v3dcl_bo_map(rig->device, handle, &map, &rig->error), 0);
	memcpy(map, code, count * 8);
	return handle;
}

static void make_shaders(struct rig *rig,
			 uint32_t (*make)(struct rig *rig, const uint64_t *code, uint32_t count))
{
	uint64_t code[64];

	rig->shaders[0] = make(rig, code, scene_color(code));
	rig->shaders[1] = make(rig, code, scene_copy(code, 3));
	rig->shaders[2] = make(rig, code, scene_copy(code, sizeof(struct shaded) / 4));
}

static int setup(void **state)
{
	const struct v3dcl_simulator_config config = { .size = sizeof(config), .unverified = true };
	struct rig *rig = calloc(1, sizeof(*rig));
	void *map;

	assert_non_null(rig);
	assert_int_equal(v3dcl_open_simulator(&config, &rig->device, &rig->error), 0);
	assert_int_equal(v3dcl_bo_create(rig->device, SIDE * SIDE * 4, &rig->target, &rig->error),
			 0);
	assert_int_equal(v3dcl_bo_map(rig->device, rig->target, &map, &rig->error), 0);
	rig->pixels = map;
	assert_int_equal(v3dcl_frame_new(&rig->frame, &rig->error), 0);
	*state = rig;
	return 0;
}

static int teardown(void **state)
{
	struct rig *rig = *state;

	v3dcl_frame_free(rig->frame);
	v3dcl_close(rig->device);
	free(rig);
	return 0;
}

static void ok(struct rig *rig, int ret)
{
	if (ret)
		print_message("# %s\n", rig->error.text);
	assert_int_equal(ret, 0);
}

/* AG100 has no fill rule, so pixels on the long edge are left out. */
static void expect_triangle(struct rig *rig)
{
	unsigned int x, y;
	uint64_t seqno;

	ok(rig, v3dcl_frame_submit(rig->frame, rig->device, &seqno, &rig->error));
	ok(rig, v3dcl_wait(rig->device, seqno, UINT64_C(20000000000), &rig->error));
	for (y = 0; y < SIDE; y++) {
		for (x = 0; x < SIDE; x++) {
			if (x + y != 127)
				assert_int_equal(rig->pixels[y * SIDE + x],
						 x >= 16 && y >= 16 && x + y < 127 ? COLOR :
										     BACKGROUND);
		}
	}
}

/* Either kind of job is counted. */
static void count(struct rig *rig)
{
	static const uint8_t event = VC4_PERFCNT_FEP_VALID_QUADS;

	ok(rig, v3dcl_perfmon_create(rig->device, &event, 1, &rig->perfmon, &rig->error));
	v3dcl_frame_perfmon(rig->frame, rig->perfmon);
}

static void expect_counted(struct rig *rig)
{
	uint64_t quads = 0;

	ok(rig, v3dcl_perfmon_values(rig->device, rig->perfmon, &quads, &rig->error));
	assert_true(quads > 0);
}

static void checked_triangle(void **state)
{
	struct rig *rig = *state;

	make_shaders(rig, shader_bo);
	ok(rig, scene_gl(rig->frame, rig->target, rig->shaders, NULL, &rig->error));
	assert_false(v3dcl_frame_is_raw(rig->frame));
	count(rig);
	expect_triangle(rig);
	expect_counted(rig);
}

/* Strides of an extended record make it raw, with nothing else changed. */
static void raw_triangle(void **state)
{
	const uint32_t strides[2] = { sizeof(struct shaded), sizeof(struct shaded) };
	struct rig *rig = *state;

	make_shaders(rig, plain_code);
	ok(rig, scene_gl(rig->frame, rig->target, rig->shaders, strides, &rig->error));
	assert_true(v3dcl_frame_is_raw(rig->frame));
	count(rig);
	expect_triangle(rig);
	expect_counted(rig);
	memset(rig->pixels, 0, SIDE * SIDE * 4);
	expect_triangle(rig);
}

static void nv_triangle(void **state)
{
	struct rig *rig = *state;

	make_shaders(rig, plain_code);
	ok(rig, scene_nv(rig->frame, rig->target, rig->shaders[0], false, &rig->error));
	expect_triangle(rig);
}

static void nv_triangle_with_clip_header(void **state)
{
	struct rig *rig = *state;

	make_shaders(rig, plain_code);
	ok(rig, scene_nv(rig->frame, rig->target, rig->shaders[0], true, &rig->error));
	expect_triangle(rig);
}

static uint64_t memory_used(struct rig *rig)
{
	struct v3dcl_info info;

	ok(rig, v3dcl_device_info(rig->device, &info, &rig->error));
	return info.memory_used;
}

static void wait_for(struct rig *rig, uint64_t seqno)
{
	ok(rig, v3dcl_wait(rig->device, seqno, UINT64_C(20000000000), &rig->error));
}

/* A frame of either kind waits for a syncobj and for a sync_file, and leaves both. */
static void expect_fences(struct rig *rig)
{
	struct v3dcl_frame_options options = { .size = sizeof(options) };
	int first, second;
	uint64_t seqno;

	ok(rig, v3dcl_syncobj_create(rig->device, true, &options.in_sync, &rig->error));
	ok(rig, v3dcl_syncobj_create(rig->device, false, &options.out_sync, &rig->error));
	options.out_fence = &first;
	ok(rig, v3dcl_frame_submit_with(rig->frame, rig->device, &options, &seqno, &rig->error));
	ok(rig, v3dcl_syncobj_wait(rig->device, options.out_sync, 0, INT64_MAX, &rig->error));
	assert_int_equal(v3dcl_sync_file_status(rig->device, first), 1);
	assert_int_equal(rig->pixels[20 * SIDE + 20], COLOR);
	options = (struct v3dcl_frame_options){ .size = sizeof(options), .in_fence = first,
						.out_fence = &second };
	ok(rig, v3dcl_frame_submit_with(rig->frame, rig->device, &options, &seqno, &rig->error));
	wait_for(rig, seqno);
	assert_int_equal(v3dcl_sync_file_status(rig->device, second), 1);
	options.in_sync = 1;
	assert_int_equal(v3dcl_frame_submit_with(rig->frame, rig->device, &options, &seqno,
						 &rig->error), -EINVAL);
	assert_non_null(strstr(rig->error.text, "not for both"));
	options.in_sync = 0;
	options.in_fence = 4711;
	assert_true(v3dcl_frame_submit_with(rig->frame, rig->device, &options, &seqno,
					    &rig->error) < 0);
	close(first);
	close(second);
}

/* Arrays for each stage, beside the single ones; none of it for raw lists */
static void stages_of_checked_frames(void **state)
{
	struct rig *rig = *state;
	struct drm_v3dcl_sync points[3] = { { .point = 1 }, { .point = 2 }, { .point = 3 } };
	const struct drm_v3dcl_stage bin = {
		.in_syncs = (uintptr_t)&points[0], .in_sync_count = 1,
		.out_syncs = (uintptr_t)&points[1], .out_sync_count = 1,
	};
	struct drm_v3dcl_stage render = { .out_syncs = (uintptr_t)&points[2], .out_sync_count = 1 };
	struct v3dcl_frame_options options = {
		.size = sizeof(options), .bin = &bin, .render = &render,
		.flags = DRM_V3DCL_FRAME_EXPLICIT, .priority = DRM_V3DCL_PRIORITY_LOW,
	};
	uint32_t timeline;
	uint64_t seqno;
	int fence;

	options.out_fence = &fence;
	make_shaders(rig, shader_bo);
	ok(rig, scene_gl(rig->frame, rig->target, rig->shaders, NULL, &rig->error));
	ok(rig, v3dcl_syncobj_create(rig->device, false, &timeline, &rig->error));
	points[0].handle = points[1].handle = points[2].handle = timeline;
	assert_int_equal(v3dcl_frame_submit_with(rig->frame, rig->device, &options, &seqno,
						 &rig->error), -EINVAL);	/* no point yet */
	ok(rig, v3dcl_syncobj_create(rig->device, true, &options.in_sync, &rig->error));
	ok(rig, v3dcl_syncobj_signal(rig->device, timeline, 1, &rig->error));
	ok(rig, v3dcl_frame_submit_with(rig->frame, rig->device, &options, &seqno, &rig->error));
	ok(rig, v3dcl_syncobj_wait(rig->device, timeline, 3, INT64_MAX, &rig->error));
	assert_int_equal(v3dcl_sync_file_status(rig->device, fence), 1);
	assert_int_equal(rig->pixels[20 * SIDE + 20], COLOR);
	close(fence);
	render.out_sync_count = 64;
	assert_int_equal(v3dcl_frame_submit_with(rig->frame, rig->device, &options, &seqno,
						 &rig->error), -EINVAL);
	assert_non_null(strstr(rig->error.text, "64 syncobjs or fewer"));
}

static void stages_of_raw_frames(void **state)
{
	const struct v3dcl_frame_options options = { .size = sizeof(options),
						     .priority = DRM_V3DCL_PRIORITY_LOW };
	struct rig *rig = *state;
	uint64_t seqno;

	make_shaders(rig, plain_code);
	ok(rig, scene_nv(rig->frame, rig->target, rig->shaders[0], false, &rig->error));
	assert_int_equal(v3dcl_frame_submit_with(rig->frame, rig->device, &options, &seqno,
						 &rig->error), -EINVAL);
	assert_non_null(strstr(rig->error.text, "for checked frames"));
}

static void fences_of_checked_frames(void **state)
{
	struct rig *rig = *state;

	make_shaders(rig, shader_bo);
	ok(rig, scene_gl(rig->frame, rig->target, rig->shaders, NULL, &rig->error));
	expect_fences(rig);
}

static void fences_of_raw_frames(void **state)
{
	struct rig *rig = *state;

	make_shaders(rig, plain_code);
	ok(rig, scene_nv(rig->frame, rig->target, rig->shaders[0], false, &rig->error));
	expect_fences(rig);
}

/* Submitted again and built again, in the same BOs; larger ones where it has grown */
static void bos_are_kept(void **state)
{
	const struct v3dcl_frame_options options = { .size = sizeof(options), .keep = true };
	struct rig *rig = *state;
	struct v3dcl_block more = { 0 };
	struct v3dcl_address where;
	uint64_t seqno, before, used = 0;
	unsigned int i;

	make_shaders(rig, plain_code);
	before = memory_used(rig);
	for (i = 0; i < 4; i++) {
		memset(rig->pixels, 0, SIDE * SIDE * 4);
		if (i != 1) {
			v3dcl_frame_reset(rig->frame);
			ok(rig, scene_nv(rig->frame, rig->target, rig->shaders[0], false,
					 &rig->error));
		}
		ok(rig, v3dcl_frame_submit_with(rig->frame, rig->device, &options, &seqno,
						&rig->error));
		wait_for(rig, seqno);
		assert_int_equal(rig->pixels[20 * SIDE + 20], COLOR);
		used = i ? used : memory_used(rig);
		assert_true(used > before);
		assert_int_equal(memory_used(rig), used);
	}
	for (i = 0; i < 5000; i++)
		ok(rig, v3dcl_block_word(&more, i, &rig->error));
	ok(rig, v3dcl_frame_data(rig->frame, &more, 16, &where, &rig->error));
	v3dcl_block_free(&more);
	ok(rig, v3dcl_frame_submit_with(rig->frame, rig->device, &options, &seqno, &rig->error));
	wait_for(rig, seqno);
	assert_true(memory_used(rig) > used);
	v3dcl_frame_free(rig->frame);
	rig->frame = NULL;
	assert_int_equal(memory_used(rig), before);
}

/* Options begin with their size; what a newer caller asks for is not left out silently. */
static void options_have_a_size(void **state)
{
	struct {
		struct v3dcl_frame_options options;
		uint64_t newer;
	} large = { .options.size = sizeof(large) };
	struct v3dcl_frame_options none = { .keep = true };
	struct rig *rig = *state;
	uint64_t seqno;

	make_shaders(rig, shader_bo);
	ok(rig, scene_gl(rig->frame, rig->target, rig->shaders, NULL, &rig->error));
	assert_int_equal(v3dcl_frame_submit_with(rig->frame, rig->device, &none, &seqno,
						 &rig->error), -EINVAL);
	assert_non_null(strstr(rig->error.text, "sizeof(struct v3dcl_frame_options)"));
	ok(rig, v3dcl_frame_submit_with(rig->frame, rig->device, &large.options, &seqno,
					&rig->error));
	wait_for(rig, seqno);
	large.newer = 1;
	assert_int_equal(v3dcl_frame_submit_with(rig->frame, rig->device, &large.options, &seqno,
						 &rig->error), -E2BIG);
	/* An older caller's, without its end */
	none = (struct v3dcl_frame_options){ .size = offsetof(struct v3dcl_frame_options, in_fence),
					     .in_fence = 4711 };
	ok(rig, v3dcl_frame_submit_with(rig->frame, rig->device, &none, &seqno, &rig->error));
	wait_for(rig, seqno);
}

/* T and LT format as the tile buffer stores them, read back by the library's own idea of them */
static void expect_stored_in(struct rig *rig, uint32_t format)
{
	struct v3dcl_plane plane = { .format = format, .bits = 32, .width = SIDE, .height = SIDE };
	uint32_t *linear = calloc(SIDE * SIDE, 4), x, y;
	struct v3dcl_targets targets = {
		.width = SIDE,
		.height = SIDE,
		.clear = true,
		.clear_color = { BACKGROUND, BACKGROUND },
		.color_write = { .address = { rig->target, 0 },
				 .format = format,
				 .pixel = V3D_RGBA8888 },
	};
	uint64_t seqno;

	assert_non_null(linear);
	make_shaders(rig, shader_bo);
	ok(rig, scene_gl(rig->frame, rig->target, rig->shaders, NULL, &rig->error));
	ok(rig, v3dcl_frame_targets(rig->frame, &targets, &rig->error));
	ok(rig, v3dcl_frame_submit(rig->frame, rig->device, &seqno, &rig->error));
	ok(rig, v3dcl_wait(rig->device, seqno, UINT64_C(20000000000), &rig->error));
	ok(rig, v3dcl_plane_lay_out(&plane, &rig->error));
	ok(rig, v3dcl_plane_load(&plane, rig->pixels, SIDE * SIDE * 4, NULL, linear, SIDE * 4,
				 &rig->error));
	for (y = 0; y < SIDE; y++) {
		for (x = 0; x < SIDE; x++) {
			if (x + y != 127)
				assert_int_equal(linear[y * SIDE + x],
						 x >= 16 && y >= 16 && x + y < 127 ? COLOR :
										     BACKGROUND);
		}
	}
	free(linear);
}

static void t_format(void **state)
{
	expect_stored_in(*state, V3D_T_FORMAT);
}

static void lt_format(void **state)
{
	expect_stored_in(*state, V3D_LT_FORMAT);
}

static const uint8_t draws[] = {
	254, 3, 0, 0, 0, 0, 0, 0, 0,			/* BO handles of the indices */
	32, 0x14, 3, 0, 0, 0, 0x40, 0, 0, 0, 2, 0, 0, 0,
	64, 1, 0, 0, 0,
	/* a draw; Increment Semaphore, Flush */
	33, 4, 3, 0, 0, 0, 0, 0, 0, 0, 7, 4,
};

static const uint32_t stream_words[] = {
	/* BOs 4 and 5; 1.0, texture, own address, direct read */
	4, 5, 0x3f800000, 0x1000 | 0x15, 0, 0x20,
	1,						/* the vertex shader's */
};

/* What SUBMIT_CL gets, word by word; nothing of it is run, so handles are just numbers */
static void words_of_a_checked_frame(void **state)
{
	struct rig *rig = *state;
	struct v3dcl_list *bin = v3dcl_frame_bin(rig->frame);
	const struct v3dcl_attribute attribute = { .address = { 13, 24 },
						   .size_minus_1 = 11,
						   .stride = 12 };
	struct v3dcl_gl_shader_record record = { .fs_code = { 10, 0 },
						 .vs_code = { 11, 0 },
						 .cs_code = { 12, 0 } };
	struct v3dcl_gl_shader_state gl = { .attributes = 1 };
	struct v3dcl_block stream = { 0 };
	const uint32_t *handles, *records;
	struct drm_vc4_submit_cl submit;
	uint32_t i;

	ok(rig, scene_begin(rig->frame, 77, &rig->error));
	ok(rig, v3dcl_block_float(&stream, 1, &rig->error));
	ok(rig,
	   v3dcl_block_address(&stream, (struct v3dcl_address){ 20, 0x1000 }, 0x15, &rig->error));
	ok(rig, v3dcl_block_address(&stream,
				    (struct v3dcl_address){ V3DCL_FRAME_MEMORY, V3DCL_OWN_STREAM },
				    0, &rig->error));
	ok(rig, v3dcl_block_address(&stream, (struct v3dcl_address){ 21, 0x20 }, 0, &rig->error));
	ok(rig, v3dcl_frame_uniforms(rig->frame, &stream, &record.fs_uniforms, &rig->error));
	v3dcl_block_free(&stream);
	ok(rig, v3dcl_block_word(&stream, 1, &rig->error));
	ok(rig, v3dcl_frame_uniforms(rig->frame, &stream, &record.vs_uniforms, &rig->error));
	v3dcl_block_free(&stream);
	ok(rig, v3dcl_frame_gl(rig->frame, &record, &attribute, NULL, 1, &gl.address, &rig->error));
	ok(rig, v3dcl_list_gl_shader_state(bin, &gl, &rig->error));
	ok(rig, v3dcl_list_indexed_primitives(bin,
					      &(struct v3dcl_indexed_primitives){
						      .mode = V3D_TRIANGLES,
						      .index_type = V3D_INDEX_16,
						      .length = 3,
						      .address = { 13, 0x40 },
						      .maximum_index = 2 },
					      &rig->error));
	ok(rig, v3dcl_list_gl_shader_state(bin, &gl, &rig->error));
	ok(rig, scene_draw(bin, &rig->error));
	ok(rig, v3dcl_frame_checked(rig->frame, 0, &submit, &rig->error));
	handles = (const void *)(uintptr_t)submit.bo_handles;
	assert_int_equal(submit.bo_handle_count, 7);
	assert_memory_equal(handles, ((const uint32_t[]){ 10, 11, 12, 13, 20, 21, 77 }), 28);
	assert_memory_equal((const uint8_t *)(uintptr_t)submit.bin_cl + submit.bin_cl_size -
				    sizeof(draws),
			    draws, sizeof(draws));
	assert_int_equal(submit.shader_rec_count, 2);
	assert_int_equal(submit.shader_rec_size, 2 * (16 + 44));
	records = (const void *)(uintptr_t)submit.shader_rec;
	assert_memory_equal(records, ((const uint32_t[]){ 0, 1, 2, 3 }), 16);
	for (i = 1; i < 9; i++)
		assert_int_equal(records[4 + i], 0);
	assert_int_equal(records[4 + 9], 24);
	assert_int_equal(records[4 + 10], 11 | 12 << 8);
	assert_int_equal(submit.uniforms_size, 2 * sizeof(stream_words));
	assert_memory_equal((const void *)(uintptr_t)submit.uniforms, stream_words,
			    sizeof(stream_words));
	assert_int_equal(submit.color_write.hindex, 6);
	assert_int_equal(submit.color_write.bits, V3D_FRAME_RGBA8888 << 2);
	assert_int_equal(submit.zs_read.hindex, ~0u);
	assert_int_equal(submit.max_x_tile, 1);
	assert_int_equal(submit.clear_color[0], BACKGROUND);
	assert_int_equal(submit.flags, VC4_SUBMIT_CL_USE_CLEAR_COLOR);
}

/* All six surfaces, four samples a pixel */
static void surfaces_of_a_checked_frame(void **state)
{
	struct rig *rig = *state;
	const struct v3dcl_targets targets = {
		.width = 33,
		.height = 32,
		.multisample = true,
		.decimate = V3D_DECIMATE_4X,
		.clear = true,
		.clear_z = 0xffffff,
		.clear_stencil = 3,
		.clear_vg_mask = 0x80,
		.color_read = { .address = { 1, 16 }, .full = true },
		.zs_read = { .address = { 2, 32 }, .format = V3D_T_FORMAT },
		.color_write = { .address = { 3, 0 },
				 .format = V3D_LT_FORMAT,
				 .pixel = V3D_BGR565 },
		.zs_write = { .address = { 2, 32 }, .format = V3D_T_FORMAT },
		.full_color_write = { .address = { 4, 0 }, .full = true },
		.full_zs_write = { .address = { 5, 64 }, .full = true },
	};
	struct drm_vc4_submit_cl submit;

	ok(rig, v3dcl_frame_targets(rig->frame, &targets, &rig->error));
	ok(rig, v3dcl_frame_checked(rig->frame, 0, &submit, &rig->error));
	assert_int_equal(submit.bin_cl_size, 0);
	assert_int_equal(submit.color_read.flags, VC4_SUBMIT_RCL_SURFACE_READ_IS_FULL_RES);
	assert_int_equal(submit.color_read.offset, 16);
	assert_int_equal(submit.color_read.bits, 0);
	/* record 29: Z and stencil, T-format */
	assert_int_equal(submit.zs_read.bits, 0x12);
	assert_int_equal(submit.zs_read.hindex, submit.zs_write.hindex);
	assert_int_equal(submit.color_write.bits, 1 << 0 | 2 << 2 | 1 << 4 | 2 << 6);
	assert_int_equal(submit.msaa_zs_write.offset, 64);
	assert_int_equal(submit.clear_z, 0x80ffffffu);
	assert_int_equal(submit.clear_s, 3);
	assert_int_equal(submit.max_x_tile, 1);
	assert_int_equal(submit.max_y_tile, 0);
}

#define BAD(words, call) do { \
		rig->error.text[0] = 0; \
		assert_int_equal(call, -EINVAL); \
		if (!strstr(rig->error.text, words)) \
			fail_msg("\"%s\" does not say \"%s\"", rig->error.text, words); \
	} while (0)

static void targets_that_are_wrong(void **state)
{
	struct rig *rig = *state;
	struct v3dcl_targets t = { .width = 0, .height = 1 };
	const struct v3dcl_target odd = { .address = { 1, 8 } },
				  form = { .address = { 1, 0 }, .format = 3 };
	const struct v3dcl_target color = { .address = { 1, 0 }, .pixel = 3 },
				  zs = { .address = { 1, 0 }, .pixel = 1 };

	BAD("0 x 1 pixels", v3dcl_frame_targets(rig->frame, &t, &rig->error));
	t.width = 1;
	t.color_read = odd;
	BAD("color_read is at 0x8", v3dcl_frame_targets(rig->frame, &t, &rig->error));
	t.color_read = (struct v3dcl_target){ 0 };
	t.color_write = form;
	BAD("color_write: there is no memory format 3",
	    v3dcl_frame_targets(rig->frame, &t, &rig->error));
	t.color_write = color;
	BAD("color_write: it has no pixel format 3",
	    v3dcl_frame_targets(rig->frame, &t, &rig->error));
	t.color_write = (struct v3dcl_target){ 0 };
	t.zs_read = zs;
	BAD("zs_read: it has no pixel format 1", v3dcl_frame_targets(rig->frame, &t, &rig->error));
	t.zs_read = (struct v3dcl_target){ 0 };
	t.zs_write = odd;
	BAD("zs_write", v3dcl_frame_targets(rig->frame, &t, &rig->error));
	t.zs_write = (struct v3dcl_target){ 0 };
	t.full_color_write = odd;
	BAD("full_color_write", v3dcl_frame_targets(rig->frame, &t, &rig->error));
	t.full_color_write = (struct v3dcl_target){ 0 };
	t.full_zs_write = odd;
	BAD("full_zs_write", v3dcl_frame_targets(rig->frame, &t, &rig->error));
}

/* A complete frame, but for one thing */
static struct v3dcl_gl_shader_state
frame_until_record(struct rig *rig, struct v3dcl_address uniforms, uint32_t vertices)
{
	const struct v3dcl_attribute attribute = { .address = { vertices, 24 },
						   .size_minus_1 = 11,
						   .stride = 12 };
	struct v3dcl_gl_shader_record record = {
		.fs_code = { 10, 0 },
		.vs_code = { 11, 0 },
		.cs_code = { 12, 0 },
		.fs_uniforms = uniforms,
	};
	struct v3dcl_gl_shader_state gl = { .attributes = 1 };

	v3dcl_frame_free(rig->frame);
	ok(rig, v3dcl_frame_new(&rig->frame, &rig->error));
	ok(rig, scene_begin(rig->frame, 77, &rig->error));
	ok(rig, v3dcl_frame_gl(rig->frame, &record, &attribute, NULL, 1, &gl.address, &rig->error));
	return gl;
}

static void finish(struct rig *rig, const struct v3dcl_gl_shader_state *gl)
{
	ok(rig, v3dcl_list_gl_shader_state(v3dcl_frame_bin(rig->frame), gl, &rig->error));
	ok(rig, scene_draw(v3dcl_frame_bin(rig->frame), &rig->error));
}

static void what_no_checked_frame_has(void **state)
{
	const struct v3dcl_address none = { 0, 0 };
	struct rig *rig = *state;
	struct drm_vc4_submit_cl submit;
	struct v3dcl_gl_shader_state gl;

	BAD("no targets", v3dcl_frame_checked(rig->frame, 0, &submit, &rig->error));
	gl = frame_until_record(rig, none, 13);
	BAD("does not end with flush", v3dcl_frame_checked(rig->frame, 0, &submit, &rig->error));
	gl.address.offset += 16;
	finish(rig, &gl);
	BAD("none that the frame keeps", v3dcl_frame_checked(rig->frame, 0, &submit, &rig->error));
	gl = frame_until_record(rig, none, 13);
	gl.attributes = 2;
	finish(rig, &gl);
	BAD("2 attribute arrays, its record has 1",
	    v3dcl_frame_checked(rig->frame, 0, &submit, &rig->error));
	gl = frame_until_record(rig, none, 0);
	finish(rig, &gl);
	BAD("an attribute array is no address in a BO",
	    v3dcl_frame_checked(rig->frame, 0, &submit, &rig->error));
	gl = frame_until_record(rig, none, V3DCL_FRAME_MEMORY);
	finish(rig, &gl);
	BAD("what the frame keeps is in no BO",
	    v3dcl_frame_checked(rig->frame, 0, &submit, &rig->error));
	gl = frame_until_record(rig, none, V3DCL_TILE_MEMORY);
	finish(rig, &gl);
	BAD("only the driver knows", v3dcl_frame_checked(rig->frame, 0, &submit, &rig->error));
	gl = frame_until_record(rig, (struct v3dcl_address){ 9, 0 }, 13);
	finish(rig, &gl);
	BAD("no stream of the frame's",
	    v3dcl_frame_checked(rig->frame, 0, &submit, &rig->error));
	gl = frame_until_record(rig, (struct v3dcl_address){ V3DCL_FRAME_MEMORY, 0 }, 13);
	finish(rig, &gl);
	BAD("no stream of the frame's",
	    v3dcl_frame_checked(rig->frame, 0, &submit, &rig->error));
	gl = frame_until_record(rig, none, 13);
	ok(rig, v3dcl_list_halt(v3dcl_frame_bin(rig->frame), &rig->error));
	finish(rig, &gl);
	assert_true(v3dcl_frame_is_raw(rig->frame));
	BAD("halt: not in a checked frame",
	    v3dcl_frame_checked(rig->frame, 0, &submit, &rig->error));
}

static void what_makes_frames_raw(void **state)
{
	struct rig *rig = *state;
	struct v3dcl_targets t = { .width = 1, .height = 1,
				   .color_write = { .address = { 1, 0 } } };
	struct drm_vc4_submit_cl submit;

	ok(rig, v3dcl_frame_targets(rig->frame, &t, &rig->error));
	assert_false(v3dcl_frame_is_raw(rig->frame));
	ok(rig, v3dcl_frame_checked(rig->frame, 0, &submit, &rig->error));
	t.color64 = true;
	ok(rig, v3dcl_frame_targets(rig->frame, &t, &rig->error));
	assert_true(v3dcl_frame_is_raw(rig->frame));
	BAD("64-bit colour", v3dcl_frame_checked(rig->frame, 0, &submit, &rig->error));
	t.color64 = false;
	t.decimate = V3D_DECIMATE_16X;
	ok(rig, v3dcl_frame_targets(rig->frame, &t, &rig->error));
	assert_true(v3dcl_frame_is_raw(rig->frame));
	t.decimate = 0;
	ok(rig, v3dcl_frame_targets(rig->frame, &t, &rig->error));
	ok(rig, v3dcl_list_nop(v3dcl_frame_render(rig->frame), &rig->error));
	assert_true(v3dcl_frame_is_raw(rig->frame));
}

static void raw_frames_that_are_wrong(void **state)
{
	struct rig *rig = *state;
	struct v3dcl_list *bin = v3dcl_frame_bin(rig->frame);
	struct drm_v3dcl_submit_lists lists;
	const struct v3dcl_block data = { 0 };
	struct v3dcl_address where;
	const uint8_t *bytes;
	uint32_t size, tiles;

	BAD("no BO", v3dcl_frame_raw(rig->frame, 0, 0, &lists, &rig->error));
	BAD("neither targets nor a render list",
	    v3dcl_frame_raw(rig->frame, 1, 0, &lists, &rig->error));
	BAD("alignment of 3", v3dcl_frame_data(rig->frame, &data, 3, &where, &rig->error));
	BAD("alignment of 0", v3dcl_frame_data(rig->frame, &data, 0, &where, &rig->error));
	ok(rig, scene_begin(rig->frame, 77, &rig->error));
	ok(rig, v3dcl_list_halt(bin, &rig->error));
	BAD("does not end with flush",
	    v3dcl_frame_memory(rig->frame, &bytes, &size, &tiles, &rig->error));
	ok(rig, v3dcl_list_flush(bin, &rig->error));
	ok(rig, v3dcl_frame_memory(rig->frame, &bytes, &size, &tiles, &rig->error));
	assert_int_equal(tiles, 256 << 10);
	BAD("tile memory is in no BO", v3dcl_frame_raw(rig->frame, 1, 0, &lists, &rig->error));
	ok(rig, v3dcl_frame_raw(rig->frame, 1, 2, &lists, &rig->error));
	assert_int_equal(lists.bo_count, 3);
	assert_int_equal(lists.bin.start, 0);
	assert_int_equal(lists.bin.end, bin->block.bytes.size);
	assert_int_equal(lists.render.start, (bin->block.bytes.size + 15) / 16 * 16);
	/* Tile lists and state, then the frame's address, then a list a tile */
	assert_int_equal(lists.address_count, 2 + 1 + 4);
	v3dcl_frame_free(rig->frame);
	ok(rig, v3dcl_frame_new(&rig->frame, &rig->error));
	bin = v3dcl_frame_bin(rig->frame);
	ok(rig, scene_begin(rig->frame, 77, &rig->error));
	ok(rig, v3dcl_list_gem_handles(bin, &(struct v3dcl_gem_handles){ 0 }, &rig->error));
	ok(rig, v3dcl_list_flush(bin, &rig->error));
	BAD("gem_handles: only in a checked frame",
	    v3dcl_frame_raw(rig->frame, 1, 2, &lists, &rig->error));
}

static int build(void *opaque)
{
	static const uint32_t shaders[] = { 10, 11, 12 }, strides[] = { 28, 28 };
	const bool raw = *(const bool *)opaque;
	struct drm_v3dcl_submit_lists lists;
	struct drm_vc4_submit_cl submit;
	struct v3dcl_frame *frame;
	uint32_t size, tiles;
	const uint8_t *bytes;
	int ret = v3dcl_frame_new(&frame, NULL);

	if (ret)
		return ret;
	ret = scene_gl(frame, 77, shaders, raw ? strides : NULL, NULL);
	if (!ret)
		ret = v3dcl_frame_memory(frame, &bytes, &size, &tiles, NULL);
	if (!ret)
		ret = raw ? v3dcl_frame_raw(frame, 1, 2, &lists, NULL) :
			    v3dcl_frame_checked(frame, 1, &submit, NULL);
	v3dcl_frame_free(frame);
	return ret;
}

static void without_memory(void **state)
{
	bool raw = false;

	(void)state;
	assert_true(fail_each_alloc(build, &raw) > 10);
	raw = true;
	assert_true(fail_each_alloc(build, &raw) > 10);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static const struct CMUnitTest tests[] = {
	TEST(checked_triangle),
	TEST(raw_triangle),
	TEST(nv_triangle),
	TEST(nv_triangle_with_clip_header),
	TEST(fences_of_checked_frames),
	TEST(stages_of_checked_frames),
	TEST(stages_of_raw_frames),
	TEST(fences_of_raw_frames),
	TEST(bos_are_kept),
	TEST(options_have_a_size),
	TEST(t_format),
	TEST(lt_format),
	TEST(words_of_a_checked_frame),
	TEST(surfaces_of_a_checked_frame),
	TEST(targets_that_are_wrong),
	TEST(what_no_checked_frame_has),
	TEST(what_makes_frames_raw),
	TEST(raw_frames_that_are_wrong),
	cmocka_unit_test(without_memory),
};

int main(void)
{
	return cmocka_run_group_tests(tests, NULL, NULL);
}
