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

int main(void)
{
	const struct CMUnitTest tests[] = { TEST(shared_syncobjs), TEST(eventfds), TEST(transfers),
					    TEST(sync_files) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
