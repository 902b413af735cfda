// SPDX-License-Identifier: MIT
/* A device behind a DRM file descriptor. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/sync_file.h>

#include "device.h"

/* Map offsets begin at 4 GiB */
_Static_assert(sizeof(off_t) == 8, "build with _FILE_OFFSET_BITS=64");

static int to_fd(const void *self)
{
	return (int)(intptr_t)self;
}

/*
 * What a signal interrupts goes on: waits hold a deadline, or what is left of their timeout is in
 * their argument by then
 */
static int restarted_ioctl(int fd, unsigned long request, void *argument)
{
	int ret;

	do
		ret = ioctl(fd, request, argument);
	while (ret < 0 && (errno == EINTR || errno == EAGAIN));
	return ret < 0 ? -errno : 0;
}

static int drm_ioctl(void *self, unsigned long request, void *argument)
{
	return restarted_ioctl(to_fd(self), request, argument);
}

static void *drm_mmap(void *self, size_t size, uint64_t offset)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, to_fd(self), (off_t)offset);
}

static int drm_fence_status(void *self, int sync_file)
{
	struct sync_file_info info;
	int ret;

	(void)self;
	memset(&info, 0, sizeof(info));
	ret = restarted_ioctl(sync_file, SYNC_IOC_FILE_INFO, &info);
	return ret ? ret : info.status;
}

static void drm_close(void *self)
{
	close(to_fd(self));
}

static const struct device_ops ops = {
	.ioctl = drm_ioctl, .mmap = drm_mmap, .fence_status = drm_fence_status, .close = drm_close,
};

int v3dcl_open_drm(int fd, struct v3dcl_device **device, struct v3dcl_error *error)
{
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 3), ret;

	if (own < 0)
		return device_fail(error, -errno, "file descriptor %d", fd);
	ret = device_new(&ops, (void *)(intptr_t)own, device, error);
	if (ret)
		close(own);
	return ret;
}
