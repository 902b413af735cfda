// SPDX-License-Identifier: MIT
/*
 * poll() on dma-bufs: the kernel's wait for what the device does with them; a memfd of its own is
 * always ready.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "internal.h"

#define STEP_MS 2	/* between looks, when others are polled as well */

/* Takes away what is not true yet. Return: how many dma-bufs there are. Lock held. */
static nfds_t look(struct emu_device *dev, struct pollfd *fds, nfds_t count, bool ask)
{
	nfds_t i, found = 0;

	for (i = 0; i < count; i++) {
		struct bo *bo = NULL;
		uint64_t inode;

		if (fds[i].fd >= 0 && fd_inode(fds[i].fd, &inode))
			bo = bo_by_inode(dev, inode);
		if (!bo)
			continue;
		found++;
		if (!ask && bo_busy(bo, false))
			fds[i].revents &= ~POLLIN;
		if (!ask && bo_busy(bo, true))
			fds[i].revents &= ~POLLOUT;
	}
	return found;
}

static int ready(const struct pollfd *fds, nfds_t count)
{
	int ready = 0;
	nfds_t i;

	for (i = 0; i < count; i++)
		ready += !!fds[i].revents;
	return ready;
}

int emu_device_poll(struct emu_device *dev, struct pollfd *fds, nfds_t count, int timeout_ms,
		    int (*real)(struct pollfd *fds, nfds_t count, int timeout_ms))
{
	int64_t deadline = timeout_ms < 0 ? INT64_MAX : deadline_ns(timeout_ms * UINT64_C(1000000)),
		step;
	nfds_t ours;
	int ret;

	pthread_mutex_lock(&dev->lock);
	ours = dev->exports ? look(dev, fds, count, true) : 0;
	pthread_mutex_unlock(&dev->lock);
	if (!ours)
		return real(fds, count, timeout_ms);
	for (;;) {
		ret = real(fds, count, 0);
		if (ret < 0)
			return ret;
		pthread_mutex_lock(&dev->lock);
		look(dev, fds, count, false);
		ret = ready(fds, count);
		step = now_ns() + STEP_MS * INT64_C(1000000);
		if (!ret && (deadline <= 0 || now_ns() >= deadline)) {
			pthread_mutex_unlock(&dev->lock);
			return 0;
		}
		if (!ret)
			device_wait(dev, ours == count ? deadline : MIN(step, deadline));
		pthread_mutex_unlock(&dev->lock);
		if (ret)
			return ret;
	}
}
