// SPDX-License-Identifier: MIT
/* Devices without memory: each allocation of the library and of the simulated device in turn. */
#include "fail_alloc.h"

#include <unistd.h>

#include <v3d/packets.h>

#include "scenario.h"

#define BYTES (64 * 64 * 4)
#define LONG_WAIT UINT64_C(200000000000)

static struct drm_vc4_submit_cl clear(const uint32_t *bo)
{
	return (struct drm_vc4_submit_cl){
		.bo_handles = (uintptr_t)bo,
		.bo_handle_count = 1,
		.width = 64,
		.height = 64,
		.color_read.hindex = ~0u,
		.zs_read.hindex = ~0u,
		.zs_write.hindex = ~0u,
		.msaa_color_write.hindex = ~0u,
		.msaa_zs_write.hindex = ~0u,
		.color_write = { .hindex = 0, .bits = V3D_FRAME_RGBA8888 << 2 },
		.flags = VC4_SUBMIT_CL_USE_CLEAR_COLOR,
	};
}

static int frame(struct v3dcl_device *device, uint32_t bo, struct v3dcl_error *error)
{
	struct drm_vc4_submit_cl submit = clear(&bo);
	int ret = v3dcl_submit_frame(device, &submit, error);

	return ret ? ret : v3dcl_wait(device, submit.seqno, LONG_WAIT, error);
}

/* Whatever fails first ends it */
static int with_device(void *opaque,
		       int (*use)(struct v3dcl_device *device, struct v3dcl_error *error))
{
	struct v3dcl_device *device = NULL;
	struct v3dcl_error error = { 0 };
	int ret = v3dcl_open_simulator(NULL, &device, &error);

	(void)opaque;
	if (!ret)
		ret = use(device, &error);
	fail_alloc.spare = true;
	v3dcl_close(device);
	fail_alloc.spare = false;
	assert_int_equal(error.code, ret);
	assert_int_equal(!!*error.text, !!ret);
	return ret;
}

static int use_bos(struct v3dcl_device *device, struct v3dcl_error *error)
{
	uint32_t bos[20], i, same;
	int ret = 0, fd;
	void *map;

	for (i = 0; i < 20 && !ret; i++)
		ret = v3dcl_bo_create(device, BYTES, &bos[i], error);
	if (!ret)
		ret = v3dcl_bo_map(device, bos[7], &map, error);
	if (ret)
		return ret;
	fd = v3dcl_bo_export(device, bos[3], error);
	if (fd < 0)
		return fd;
	ret = v3dcl_bo_import(device, fd, &same, error);
	close(fd);
	return ret ? ret : frame(device, bos[0], error);
}

/* A frame that others do not wait for, between points of a timeline; its BO is waited for */
static int use_stages(struct v3dcl_device *device, struct v3dcl_error *error)
{
	struct drm_v3dcl_sync points[2] = { { .point = 1 }, { .point = 2 } };
	struct drm_v3dcl_submit_frame submit = {
		.render = { .in_syncs = (uintptr_t)&points[0], .in_sync_count = 1,
			    .out_syncs = (uintptr_t)&points[1], .out_sync_count = 1 },
		.flags = DRM_V3DCL_FRAME_EXPLICIT,
	};
	uint32_t bo;
	int ret = v3dcl_bo_create(device, BYTES, &bo, error);

	if (!ret)
		ret = v3dcl_syncobj_create(device, false, &points[0].handle, error);
	if (!ret)
		ret = v3dcl_syncobj_signal(device, points[0].handle, 1, error);
	if (ret)
		return ret;
	points[1].handle = points[0].handle;
	submit.frame = clear(&bo);
	ret = v3dcl_submit_stages(device, &submit, error);
	if (!ret)
		ret = v3dcl_bo_wait(device, bo, LONG_WAIT, error);
	return ret ? ret : v3dcl_wait(device, submit.frame.seqno, LONG_WAIT, error);
}

static int run_bos(void *opaque)
{
	return with_device(opaque, use_bos);
}

static int run_code(void *opaque)
{
	return with_device(opaque, use_code);
}

static int run_syncobjs(void *opaque)
{
	return with_device(opaque, use_sync);
}

static int run_stages(void *opaque)
{
	return with_device(opaque, use_stages);
}

static void bos(void **state)
{
	(void)state;
	assert_in_range(fail_each_alloc(run_bos, NULL), 20, 1000);
}

static void code(void **state)
{
	(void)state;
	assert_in_range(fail_each_alloc(run_code, NULL), 10, 1000);
}

static void syncobjs(void **state)
{
	(void)state;
	assert_in_range(fail_each_alloc(run_syncobjs, NULL), 10, 1000);
}

static void stages(void **state)
{
	(void)state;
	assert_in_range(fail_each_alloc(run_stages, NULL), 20, 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(bos), cmocka_unit_test(code),
					    cmocka_unit_test(syncobjs),
					    cmocka_unit_test(stages) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
