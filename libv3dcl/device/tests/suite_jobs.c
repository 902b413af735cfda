// SPDX-License-Identifier: MIT
/*
 * Jobs, on every kind of device: what they leave in memory, what is said of those that are refused.
 */
#include <pthread.h>
#include <stddef.h>

#include <v3d/packets.h>
#include <v3d/words.h>

#include "suite.h"
#include "v3dcl_qpu_build.h"

#define SIDE 64u			/* pixels of a frame, which is one tile */
#define BYTES (SIDE * SIDE * 4)
#define NONE (~0u)

/* Clears a raster RGBA8888 BO of one tile; bits as the vc4 ABI has those of record 113 */
static struct drm_vc4_submit_cl clear(const uint32_t *bo, uint32_t color)
{
	return (struct drm_vc4_submit_cl){
		.bo_handles = (uintptr_t)bo,
		.bo_handle_count = 1,
		.width = SIDE,
		.height = SIDE,
		.color_read.hindex = NONE,
		.zs_read.hindex = NONE,
		.zs_write.hindex = NONE,
		.msaa_color_write.hindex = NONE,
		.msaa_zs_write.hindex = NONE,
		.color_write = { .hindex = 0, .bits = V3D_FRAME_RGBA8888 << 2 },
		.clear_color = { color, color },
		.flags = VC4_SUBMIT_CL_USE_CLEAR_COLOR,
	};
}

static void frames_clear(struct v3dcl_device *device)
{
	struct drm_vc4_submit_cl first, second;
	uint32_t bo, i, *map;

	CHECK_OK(v3dcl_bo_create(device, BYTES, &bo, &error));
	first = clear(&bo, 0x11223344);
	second = clear(&bo, 0xaabbccdd);
	CHECK_OK(v3dcl_submit_frame(device, &first, &error));
	CHECK_OK(v3dcl_submit_frame(device, &second, &error));
	CHECK_EQ(second.seqno, first.seqno + 1);
	CHECK_OK(v3dcl_wait(device, second.seqno, LONG_WAIT, &error));
	CHECK_OK(v3dcl_wait(device, first.seqno, 0, &error));
	CHECK_OK(v3dcl_bo_wait(device, bo, 0, &error));
	CHECK_OK(v3dcl_bo_map(device, bo, (void **)&map, &error));
	for (i = 0; i < SIDE * SIDE; i++)
		CHECK_EQ(map[i], 0xaabbccdd);
}

/* Points of a timeline after and before a frame; and what is said where it cannot be */
static void frames_with_stages(struct v3dcl_device *device)
{
	struct drm_v3dcl_sync points[2] = { { .point = 1 }, { .point = 2 } };
	struct drm_v3dcl_submit_frame submit = {
		.render = { .in_syncs = (uintptr_t)&points[0], .in_sync_count = 1,
			    .out_syncs = (uintptr_t)&points[1], .out_sync_count = 1 },
	};
	uint32_t bo, *map;

	CHECK_OK(v3dcl_bo_create(device, BYTES, &bo, &error));
	CHECK_OK(v3dcl_syncobj_create(device, false, &points[0].handle, &error));
	points[1].handle = points[0].handle;
	submit.frame = clear(&bo, 0x51525354);
	CHECK_FAILS(v3dcl_submit_stages(device, &submit, &error), EINVAL);
	CHECK_OK(v3dcl_syncobj_signal(device, points[0].handle, 1, &error));
	CHECK_OK(v3dcl_submit_stages(device, &submit, &error));
	CHECK_OK(v3dcl_syncobj_wait(device, points[1].handle, 2, INT64_MAX, &error));
	CHECK_OK(v3dcl_wait(device, submit.frame.seqno, LONG_WAIT, &error));
	CHECK_OK(v3dcl_bo_map(device, bo, (void **)&map, &error));
	CHECK_EQ(map[SIDE * SIDE - 1], 0x51525354);
	submit.bin.in_sync_count = 1;
	CHECK_FAILS(v3dcl_submit_stages(device, &submit, &error), EINVAL);
	CHECK_EQ(error.part, DRM_V3DCL_PART_SUBMIT);
	CHECK_EQ(error.offset, offsetof(struct drm_v3dcl_submit_frame, bin.in_sync_count));
	submit.bin.in_sync_count = 0;
	points[1].handle = 4711;
	CHECK_FAILS(v3dcl_submit_stages(device, &submit, &error), ENOENT);
}

static void jobs_never_submitted(struct v3dcl_device *device)
{

	CHECK_FAILS(v3dcl_wait(device, UINT64_MAX, 0, &error), ETIME);
}

struct list {
	uint8_t bytes[64];
	uint32_t size;
};

static void add(struct list *list, const uint8_t *record)
{
	const uint32_t length = v3d_packet_info(record[0])->length;

	memcpy(list->bytes + list->size, record, length);
	list->size += length;
}

static void begin(struct list *list)
{
	const struct v3d_tile_binning_mode mode = { .width = 1, .height = 1, .auto_initialise = 1 };
	uint8_t record[V3D_TILE_BINNING_MODE_LENGTH];

	list->size = 0;
	v3d_pack_tile_binning_mode(record, &mode);
	add(list, record);
	add(list, (const uint8_t[]){ V3D_START_TILE_BINNING });
}

static void end(struct list *list, struct drm_vc4_submit_cl *submit)
{
	add(list, (const uint8_t[]){ V3D_INCREMENT_SEMAPHORE });
	add(list, (const uint8_t[]){ V3D_FLUSH });
	submit->bin_cl = (uintptr_t)list->bytes;
	submit->bin_cl_size = list->size;
}

static void frames_bin(struct v3dcl_device *device)
{
	struct drm_vc4_submit_cl submit;
	uint32_t bo, *map;
	struct list list;

	CHECK_OK(v3dcl_bo_create(device, BYTES, &bo, &error));
	submit = clear(&bo, 0x55667788);
	begin(&list);
	end(&list, &submit);
	CHECK_OK(v3dcl_submit_frame(device, &submit, &error));
	CHECK_OK(v3dcl_wait(device, submit.seqno, LONG_WAIT, &error));
	CHECK_OK(v3dcl_bo_map(device, bo, (void **)&map, &error));
	CHECK_EQ(map[0], 0x55667788);
	CHECK_EQ(map[SIDE * SIDE - 1], 0x55667788);
}

/* A draw of no vertices: record 33 at byte 17 + 9, its length at the second byte of it */
static void refused_frames_tell_why(struct v3dcl_device *device)
{
	const struct v3d_clip_window window = { .width = SIDE, .height = SIDE };
	const struct v3d_array_primitives draw = { .mode = V3D_TRIANGLES + 100 };
	uint8_t record[V3D_ARRAY_PRIMITIVES_LENGTH];
	struct drm_vc4_submit_cl submit;
	struct list list;
	uint32_t bo, unknown = 12345;

	CHECK_OK(v3dcl_bo_create(device, BYTES, &bo, &error));
	submit = clear(&bo, 0);
	begin(&list);
	v3d_pack_clip_window(record, &window);
	add(&list, record);
	v3d_pack_array_primitives(record, &draw);
	add(&list, record);
	end(&list, &submit);
	CHECK_FAILS(v3dcl_submit_frame(device, &submit, &error), EINVAL);
	CHECK_EQ(error.part, DRM_V3DCL_PART_BIN);
	CHECK(error.offset >= 26 && error.offset < 36);
	CHECK(error.rule);
	CHECK(error.record && !strcmp(error.record, "array_primitives"));
	CHECK(strstr(error.text, "the frame is refused: ") &&
	      strstr(error.text, "array_primitives of byte 26"));
	/* Where a caller asks for no words nothing is submitted twice */
	CHECK_EQ(v3dcl_submit_frame(device, &submit, NULL), -EINVAL);
	/* Another part */
	submit = clear(&bo, 0);
	submit.color_write.offset = 16;
	CHECK_FAILS(v3dcl_submit_frame(device, &submit, &error), EINVAL);
	CHECK_EQ(error.part, DRM_V3DCL_PART_SURFACE);
	CHECK(!error.record);
	CHECK(strstr(error.text, "the surface reaches beyond the end of its BO"));
	/* The struct itself */
	submit = clear(&bo, 0);
	submit.pad = 1;
	CHECK_FAILS(v3dcl_submit_frame(device, &submit, &error), EINVAL);
	CHECK_EQ(error.part, DRM_V3DCL_PART_SUBMIT);
	CHECK_EQ(error.offset, offsetof(struct drm_vc4_submit_cl, clear_s) + 1);
	/* And what leaves no refusal */
	submit = clear(&bo, 0);
	submit.in_sync = 12345;
	CHECK_EQ(v3dcl_submit_frame(device, &submit, &error), error.code);
	CHECK(error.code == -ENOENT || error.code == -EINVAL);
	submit = clear(&unknown, 0);
	CHECK_FAILS(v3dcl_submit_frame(device, &submit, &error), EINVAL);
	CHECK_EQ(error.part, DRM_V3DCL_PART_NONE);
	CHECK_EQ(strcmp(error.text, "submitting the frame: Invalid argument"), 0);
}

/* mov r0, 1; what is to stand next; the program end, or what is none */
static uint32_t code_with(uint64_t *code, struct v3d_qpu_inst second, bool ends)
{
	struct qb b;

	qb_init(&b, code, 16);
	qb_emit(&b, qb_mov(QB_R0, qb_imm(1)));
	qb_emit(&b, second);
	if (ends)
		qb_end(&b);
	else
		qb_nops(&b, 3);
	return b.count;
}

static void shaders(struct v3dcl_device *device)
{
	uint64_t code[16];
	uint32_t bo, size, count = code_with(code, qb_nop(), true);
	void *map;

	CHECK_OK(v3dcl_bo_create_shader(device, code, count, &bo, &error));
	CHECK_OK(v3dcl_bo_size(device, bo, &size, &error));
	CHECK_EQ(size, count * 8);
	CHECK(v3dcl_bo_map(device, bo, &map, &error) < 0 && error.code);
	CHECK_FAILS(v3dcl_bo_create_shader(device, code, 0, &bo, &error), EINVAL);
	CHECK_FAILS(v3dcl_bo_create_shader(device, code, UINT32_MAX, &bo, &error), EINVAL);
}

static void refused_shaders_tell_why(struct v3dcl_device *device)
{
	uint64_t code[16];
	/* shaders have no DMA */
	uint32_t bo, count = code_with(code, qb_mov(QB_VDW_ADDR, QB_R0), true);

	CHECK_FAILS(v3dcl_bo_create_shader(device, code, count, &bo, &error), EINVAL);
	CHECK_EQ(error.part, DRM_V3DCL_PART_CODE);
	CHECK_EQ(error.offset, 8);
	CHECK(strstr(error.text, "the shader is refused: ") &&
	      strstr(error.text, "instruction 1: "));
	count = code_with(code, qb_nop(), false);
	CHECK_FAILS(v3dcl_bo_create_shader(device, code, count, &bo, &error), EINVAL);
	CHECK_EQ(error.part, DRM_V3DCL_PART_CODE);
}

/*
 * As they are: a render list that clears one tile and stores it, with the address of its target
 * filled in
 */
static void raw_lists(struct v3dcl_device *device)
{
	const struct v3d_tile_rendering_mode mode = { .width = SIDE, .height = SIDE,
						      .pixel = V3D_FRAME_RGBA8888 };
	const struct v3d_clear_colors colors = { .color0 = 0x01020304, .color1 = 0x01020304 };
	const struct v3d_tile_coordinates origin = { 0 };
	struct drm_v3dcl_submit_lists submit = { 0 };
	struct drm_v3dcl_address target = { .target = 1 };
	uint32_t bos[2], *map;
	struct list list = { .size = 0 };
	uint8_t record[64];

	v3d_pack_clear_colors(record, &colors);
	add(&list, record);
	target.offset = list.size + 1;
	v3d_pack_tile_rendering_mode(record, &mode);
	add(&list, record);
	v3d_pack_tile_coordinates(record, &origin);
	add(&list, record);
	/* A store that stores nothing makes the clear values count */
	v3d_pack_store_general(record, &(struct v3d_store_general){ 0 });
	add(&list, record);
	v3d_pack_tile_coordinates(record, &origin);
	add(&list, record);
	add(&list, (const uint8_t[]){ V3D_STORE_RESOLVED_END });
	CHECK_OK(v3dcl_bo_create(device, 4096, &bos[0], &error));
	CHECK_OK(v3dcl_bo_create(device, BYTES, &bos[1], &error));
	CHECK_OK(v3dcl_bo_map(device, bos[0], (void **)&map, &error));
	memcpy(map, list.bytes, list.size);
	submit.bo_handles = (uintptr_t)bos;
	submit.bo_count = 2;
	submit.addresses = (uintptr_t)&target;
	submit.address_count = 1;
	submit.render.end = list.size;
	CHECK_OK(v3dcl_submit_lists(device, &submit, &error));
	CHECK_OK(v3dcl_wait(device, submit.seqno, LONG_WAIT, &error));
	CHECK_OK(v3dcl_bo_map(device, bos[1], (void **)&map, &error));
	CHECK_EQ(map[0], 0x01020304);
	CHECK_EQ(map[SIDE * SIDE - 1], 0x01020304);
	target.target = 2;
	CHECK_FAILS(v3dcl_submit_lists(device, &submit, &error), EINVAL);
	CHECK(error.part);
	CHECK(strstr(error.text, "the job of lists is refused: "));
}

static void stats(void *opaque, const char *name, uint64_t value)
{
	uint64_t *frames = opaque;

	if (!strcmp(name, "frames"))
		*frames = value;
}

static void statistics(struct v3dcl_device *device)
{
	struct drm_vc4_submit_cl submit;
	struct v3dcl_info info;
	uint64_t frames = 0;
	uint32_t bo;

	CHECK_OK(v3dcl_device_info(device, &info, &error));
	if (!info.simulated) {
		CHECK_FAILS(v3dcl_device_stats(device, stats, &frames, &error), EOPNOTSUPP);
		return;
	}
	CHECK_OK(v3dcl_bo_create(device, BYTES, &bo, &error));
	submit = clear(&bo, 0);
	CHECK_OK(v3dcl_submit_frame(device, &submit, &error));
	CHECK_OK(v3dcl_wait(device, submit.seqno, LONG_WAIT, &error));
	CHECK_OK(v3dcl_device_stats(device, stats, &frames, &error));
	CHECK_EQ(frames, 1);
}

#define THREADS 4
#define ROUNDS 10

/* Good jobs and bad ones by turns: each thread is told of its own bad ones */
static void *work_on_jobs(void *opaque)
{
	struct v3dcl_device *device = opaque;
	struct drm_vc4_submit_cl submit;
	struct v3dcl_error own = { 0 };
	uint32_t bo, other, round, *map;

	if (v3dcl_bo_create(device, BYTES, &bo, NULL) ||
	    v3dcl_bo_map(device, bo, (void **)&map, NULL))
		return "a BO cannot be made";
	for (round = 0; round < ROUNDS; round++) {
		other = bo;
		submit = clear(&other, bo << 16 | round);
		if (v3dcl_submit_frame(device, &submit, &own) ||
		    v3dcl_wait(device, submit.seqno, LONG_WAIT, &own))
			return "a frame does not run";
		if (map[7] != (bo << 16 | round))
			return "a frame left something else";
		submit.color_write.offset = 4096 * bo;
		if (v3dcl_submit_frame(device, &submit, &own) != -EINVAL ||
		    own.part != DRM_V3DCL_PART_SURFACE || own.found != 4096 * bo + BYTES)
			return "a refusal is of another frame";
	}
	return NULL;
}

static void jobs_of_several_threads(struct v3dcl_device *device)
{
	pthread_t threads[THREADS];
	unsigned int i;
	void *wrong;

	for (i = 0; i < THREADS; i++)
		CHECK_EQ(pthread_create(&threads[i], NULL, work_on_jobs, device), 0);
	for (i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &wrong);
		if (wrong)
			suite_failed(__FILE__, __LINE__, "%s", (const char *)wrong);
	}
}

const struct suite_test suite_job_tests[] = {
	{ "frames_clear", frames_clear, NEEDS_NOTHING },
	{ "frames_with_stages", frames_with_stages, NEEDS_OURS },
	{ "jobs_never_submitted", jobs_never_submitted, NEEDS_NOTHING },
	{ "frames_bin", frames_bin, NEEDS_NOTHING },
	{ "refused_frames_tell_why", refused_frames_tell_why, NEEDS_OURS },
	{ "shaders", shaders, NEEDS_NOTHING },
	{ "refused_shaders_tell_why", refused_shaders_tell_why, NEEDS_OURS },
	{ "raw_lists", raw_lists, NEEDS_UNVERIFIED },
	{ "statistics", statistics, NEEDS_NOTHING },
	{ "jobs_of_several_threads", jobs_of_several_threads, NEEDS_OURS },
	{ 0 },
};
