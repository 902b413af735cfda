// SPDX-License-Identifier: MIT
/*
 * The ioctls of syncobjs and sync_files on the emulated device: every answer once, see
 * test_ioctls.c.
 */
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <linux/sync_file.h>

#include "internal.h"
#include "ioctls.h"

static uint32_t syncobj(uint32_t flags)
{
	struct drm_syncobj_create create = { .flags = flags };

	CALL(here.render, SYNCOBJ_CREATE, &create, 0);
	return create.handle;
}

static void shared_syncobjs(void **state)
{
	struct drm_syncobj_handle handle = { .handle = syncobj(0) }, again = { 0 };
	struct drm_syncobj_array array = { .count_handles = 1 };
	struct drm_syncobj_wait wait = { .count_handles = 1 };
	uint32_t first = handle.handle, second;

	(void)state;
	CALL(here.render, SYNCOBJ_HANDLE_TO_FD, &handle, 0);
	again.fd = handle.fd;
	CALL(here.other, SYNCOBJ_FD_TO_HANDLE, &again, 0);
	second = again.handle;
	/* It is the same: who signals the one has signalled the other */
	array.handles = (uintptr_t)&second;
	CALL(here.other, SYNCOBJ_SIGNAL, &array, 0);
	wait.handles = (uintptr_t)&first;
	CALL(here.render, SYNCOBJ_WAIT, &wait, 0);
	array.handles = (uintptr_t)&first;
	CALL(here.render, SYNCOBJ_RESET, &array, 0);
	wait.handles = (uintptr_t)&second;
	CALL(here.other, SYNCOBJ_WAIT, &wait, -EINVAL);
	wait.flags = 1u << 30;
	CALL(here.other, SYNCOBJ_WAIT, &wait, -EINVAL);
	close(handle.fd);
	again.fd = open("/dev/null", O_RDONLY);
	CALL(here.other, SYNCOBJ_FD_TO_HANDLE, &again, -EINVAL);
	close(again.fd);
	handle.handle = 4711;
	CALL(here.render, SYNCOBJ_HANDLE_TO_FD, &handle, -EINVAL);
}

static void signal_point(uint32_t handle, uint64_t point)
{
	struct drm_syncobj_timeline_array array = {
		.handles = (uintptr_t)&handle, .points = (uintptr_t)&point, .count_handles = 1,
	};

	CALL(here.render, SYNCOBJ_TIMELINE_SIGNAL, &array, 0);
}

/* From Linux 6.6 on; libdrm's headers may be older */
#ifndef DRM_IOCTL_SYNCOBJ_EVENTFD
struct drm_syncobj_eventfd {
	__u32 handle, flags;
	__u64 point;
	__s32 fd;
	__u32 pad;
};

#define DRM_IOCTL_SYNCOBJ_EVENTFD DRM_IOWR(0xCF, struct drm_syncobj_eventfd)
#endif

static void eventfds(void **state)
{
	struct drm_syncobj_eventfd watch = { .handle = syncobj(0), .point = 5,
					     .fd = eventfd(0, EFD_CLOEXEC) };
	struct pollfd ready = { .fd = watch.fd, .events = POLLIN };
	int null = open("/dev/null", O_RDONLY), event = watch.fd;

	(void)state;
	CALL(here.render, SYNCOBJ_EVENTFD, &watch, 0);
	assert_int_equal(poll(&ready, 1, 0), 0);
	signal_point(watch.handle, 4);
	assert_int_equal(poll(&ready, 1, 0), 0);
	signal_point(watch.handle, 6);
	assert_int_equal(poll(&ready, 1, 0), 1);
	watch.flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
	CALL(here.render, SYNCOBJ_EVENTFD, &watch, 0);
	watch.fd = null;
	CALL(here.render, SYNCOBJ_EVENTFD, &watch, -EINVAL);
	watch.pad = 1;
	CALL(here.render, SYNCOBJ_EVENTFD, &watch, -EINVAL);
	watch = (struct drm_syncobj_eventfd){ .handle = 4711, .fd = event };
	CALL(here.render, SYNCOBJ_EVENTFD, &watch, -ENOENT);
	/* One that nothing ever happens to goes with its syncobj */
	watch = (struct drm_syncobj_eventfd){ .handle = syncobj(0), .point = 1, .fd = event };
	CALL(here.render, SYNCOBJ_EVENTFD, &watch, 0);
	close(null);
	close(event);
}

static void transfers(void **state)
{
	uint32_t timeline = syncobj(0), binary = syncobj(DRM_SYNCOBJ_CREATE_SIGNALED);
	struct drm_syncobj_transfer transfer = { .src_handle = binary, .dst_handle = timeline,
						 .dst_point = 3 };
	uint64_t point = 0, wanted = 3;
	struct drm_syncobj_timeline_array query = {
		.handles = (uintptr_t)&timeline, .points = (uintptr_t)&point, .count_handles = 1,
	};
	struct drm_syncobj_timeline_wait wait = {
		.handles = (uintptr_t)&timeline, .points = (uintptr_t)&wanted, .count_handles = 1,
		.flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE,
	};

	(void)state;
	CALL(here.render, SYNCOBJ_TRANSFER, &transfer, 0);
	CALL(here.render, SYNCOBJ_QUERY, &query, 0);
	assert_int_equal(point, 3);
	query.flags = DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED;
	CALL(here.render, SYNCOBJ_QUERY, &query, 0);
	assert_int_equal(point, 3);
	query.flags = 8;
	CALL(here.render, SYNCOBJ_QUERY, &query, -EINVAL);
	CALL(here.render, SYNCOBJ_TIMELINE_SIGNAL, &query, -EINVAL);
	CALL(here.render, SYNCOBJ_TIMELINE_WAIT, &wait, 0);
	wait.flags = 1u << 30;
	CALL(here.render, SYNCOBJ_TIMELINE_WAIT, &wait, -EINVAL);
	transfer.src_handle = 4711;
	CALL(here.render, SYNCOBJ_TRANSFER, &transfer, -ENOENT);
}

static void sync_files(void **state)
{
	struct drm_syncobj_handle handle = {
		.handle = syncobj(DRM_SYNCOBJ_CREATE_SIGNALED),
		.flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE,
	};
	struct sync_merge_data merge = { .name = "merged" };
	struct sync_fence_info fence = { .status = 9 };
	struct sync_file_info info = { .num_fences = 1, .sync_fence_info = (uintptr_t)&fence };

	(void)state;
	CALL(here.render, SYNCOBJ_HANDLE_TO_FD, &handle, 0);
	merge.fd2 = handle.fd;
	assert_int_equal(emu_device_fd_ioctl(here.dev, handle.fd, SYNC_IOC_MERGE, &merge), 0);
	info.num_fences = 2;
	info.sync_fence_info = 8;
	assert_int_equal(emu_device_fd_ioctl(here.dev, merge.fence, SYNC_IOC_FILE_INFO, &info),
			 -EFAULT);
	info.num_fences = 0;
	assert_int_equal(emu_device_fd_ioctl(here.dev, merge.fence, SYNC_IOC_FILE_INFO, &info), 0);
	assert_string_equal(info.name, "merged");
	assert_int_equal(info.status, 1);
	info = (struct sync_file_info){ .num_fences = 1, .sync_fence_info = (uintptr_t)&fence };
	assert_int_equal(emu_device_fd_ioctl(here.dev, handle.fd, SYNC_IOC_FILE_INFO, &info), 0);
	assert_int_equal(fence.status, 1);
	info.pad = 1;
	assert_int_equal(emu_device_fd_ioctl(here.dev, handle.fd, SYNC_IOC_FILE_INFO, &info),
			 -EINVAL);
	close(merge.fence);
	merge.fd2 = -1;
	assert_int_equal(emu_device_fd_ioctl(here.dev, handle.fd, SYNC_IOC_MERGE, &merge), -ENOENT);
	merge.flags = 1;
	assert_int_equal(emu_device_fd_ioctl(here.dev, handle.fd, SYNC_IOC_MERGE, &merge), -EINVAL);
	assert_int_equal(emu_device_fd_ioctl(here.dev, handle.fd, _IO('>', 77), &merge), -ENOTTY);
	close(handle.fd);
}

/* The end of a sync_file's fence kills no process that has closed it */
static void closed_before_its_end(void **state)
{
	struct fence *fence = fence_new(1, 1);

	(void)state;
	assert_non_null(fence);
	pthread_mutex_lock(&here.dev->lock);
	close(sync_file_create(here.dev, fence));
	fence_signal(here.dev, fence, 0);
	fence_put(fence);
	pthread_mutex_unlock(&here.dev->lock);
}

/* Tile Binning Mode for one tile, Start Tile Binning, Increment Semaphore, Flush */
static const uint8_t bin_list[] = { 112, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 4, 6, 7, 4 };

/* Both stages' syncobjs; a BO that an explicit frame names is idle once that has ended */
static void stages(void **state)
{
	const struct drm_vc4_submit_rcl_surface none = { .hindex = ~0u };
	struct drm_vc4_create_bo create = { .size = 64 * 64 * 4 };
	struct drm_syncobj_create syncobj = { 0 };
	struct drm_v3dcl_sync points[3] = { { .point = 1 }, { .point = 2 }, { .point = 3 } };
	struct drm_v3dcl_submit_frame submit = {
		.frame = {
			.bo_handle_count = 1, .width = 64, .height = 64, .color_read = none,
			.zs_read = none, .zs_write = none, .msaa_color_write = none,
			.msaa_zs_write = none, .color_write.bits = 1 << 2,
			.bin_cl = (uintptr_t)bin_list, .bin_cl_size = sizeof(bin_list),
			.flags = VC4_SUBMIT_CL_USE_CLEAR_COLOR,
		},
		.bin = { .in_syncs = (uintptr_t)&points[0], .in_sync_count = 1,
			 .out_syncs = (uintptr_t)&points[1], .out_sync_count = 1 },
		.render = { .out_syncs = (uintptr_t)&points[2], .out_sync_count = 1 },
		.flags = DRM_V3DCL_FRAME_EXPLICIT,
	};
	struct drm_vc4_wait_bo wait = { .timeout_ns = 20000000000 };
	uint64_t reached = 0;
	struct drm_syncobj_timeline_array query = { .points = (uintptr_t)&reached,
						    .count_handles = 1 };

	(void)state;
	CALL(here.render, VC4_CREATE_BO, &create, 0);
	CALL(here.render, SYNCOBJ_CREATE, &syncobj, 0);
	points[0].handle = points[1].handle = points[2].handle = syncobj.handle;
	submit.frame.bo_handles = (uintptr_t)&create.handle;
	CALL(here.render, V3DCL_SUBMIT_FRAME, &submit, -EINVAL);	/* no point 1 yet */
	signal_point(syncobj.handle, 1);
	CALL(here.render, V3DCL_SUBMIT_FRAME, &submit, 0);
	assert_int_equal(submit.frame.seqno, 1);
	wait.handle = create.handle;
	CALL(here.render, VC4_WAIT_BO, &wait, 0);
	query.handles = (uintptr_t)&syncobj.handle;
	CALL(here.render, SYNCOBJ_QUERY, &query, 0);
	assert_int_equal(reached, 3);
	points[2].pad = 1;
	CALL(here.render, V3DCL_SUBMIT_FRAME, &submit, -EINVAL);
	points[2] = (struct drm_v3dcl_sync){ .handle = 4711 };
	CALL(here.render, V3DCL_SUBMIT_FRAME, &submit, -ENOENT);
	submit.frame.bin_cl_size = 0;
	CALL(here.render, V3DCL_SUBMIT_FRAME, &submit, -EINVAL);	/* nothing bins */
}

int main(void)
{
	const struct CMUnitTest tests[] = { TEST(shared_syncobjs), TEST(eventfds), TEST(transfers),
					    TEST(sync_files), TEST(closed_before_its_end),
					    TEST(stages) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
