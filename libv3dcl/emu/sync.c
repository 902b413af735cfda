// SPDX-License-Identifier: MIT
/* The ioctls of syncobjs, errno by errno as the DRM core answers them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "syncobj.h"

/* From a newer <drm.h> than Debian's */
#ifndef DRM_IOCTL_SYNCOBJ_EVENTFD
struct drm_syncobj_eventfd {
	__u32 handle;
	__u32 flags;
	__u64 point;
	__s32 fd;
	__u32 pad;
};

#define DRM_IOCTL_SYNCOBJ_EVENTFD DRM_IOWR(0xCF, struct drm_syncobj_eventfd)
#endif

#define SUBMIT_PATIENCE_NS UINT64_C(5000000000)	/* of who waits for something to be submitted */
#define WAIT_DEADLINE (1 << 3)			/* a hint that newer kernels take */

static int create(struct emu_file *file, void *arg)
{
	struct drm_syncobj_create *args = arg;
	struct syncobj *syncobj;
	struct fence *fence;
	int ret = 0;

	if (args->flags & ~DRM_SYNCOBJ_CREATE_SIGNALED)
		return -EINVAL;
	syncobj = syncobj_new(file->dev);
	if (!syncobj)
		return -ENOMEM;
	if (args->flags) {
		fence = fence_ended();
		ret = fence ? syncobj_replace(syncobj, fence, 0) : -ENOMEM;
		fence_put(fence);
	}
	args->handle = ret ? 0 : table_add(&file->syncobjs, syncobj);
	if (!args->handle) {
		syncobj_put(syncobj);
		return -ENOMEM;
	}
	return 0;
}

static int destroy(struct emu_file *file, void *arg)
{
	const struct drm_syncobj_destroy *args = arg;
	struct syncobj *syncobj;

	if (args->pad)
		return -EINVAL;
	syncobj = table_remove(&file->syncobjs, args->handle);
	syncobj_put(syncobj);
	return syncobj ? 0 : -EINVAL;
}

static int handle_to_fd(struct emu_file *file, void *arg)
{
	struct drm_syncobj_handle *args = arg;
	struct fence *fence;
	int ret;

	if (args->pad ||
	    (args->flags && args->flags != DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE))
		return -EINVAL;
	if (!args->flags)
		return syncobj_export(file, args->handle, &args->fd);
	fence = syncobj_fence(file, args->handle, 0, &ret);
	if (!fence)
		return ret;
	ret = sync_file_create(file->dev, fence);
	fence_put(fence);
	args->fd = ret;
	return ret < 0 ? ret : 0;
}

static int fd_to_handle(struct emu_file *file, void *arg)
{
	struct drm_syncobj_handle *args = arg;
	struct syncobj *syncobj;
	struct fence *fence;
	int ret;

	if (args->pad ||
	    (args->flags && args->flags != DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE))
		return -EINVAL;
	if (!args->flags)
		return syncobj_import(file, args->fd, &args->handle);
	ret = sync_file_fence(file->dev, args->fd, &fence);
	if (ret)
		return ret;
	ret = syncobj_find(file, args->handle, &syncobj);
	if (!ret)
		ret = syncobj_replace(syncobj, fence, 0);
	fence_put(fence);
	return ret;
}

static int transfer(struct emu_file *file, void *arg)
{
	const struct drm_syncobj_transfer *args = arg;
	int64_t deadline = args->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT ?
				   deadline_ns(SUBMIT_PATIENCE_NS) :
				   0;
	struct syncobj *to;
	struct fence *fence;
	int ret;

	if (args->pad)
		return -EINVAL;
	do {
		ret = syncobj_find(file, args->dst_handle, &to);
		if (ret)
			return ret;
		fence = syncobj_fence(file, args->src_handle, args->src_point, &ret);
	} while (!fence && ret == -EINVAL && device_wait(file->dev, deadline));
	if (!fence)
		return ret;
	ret = syncobj_replace(to, fence, args->dst_point);
	fence_put(fence);
	return ret;
}

/* What all that name several syncobjs have in common */
struct many {
	struct syncobj **syncobjs;	/* a reference each */
	uint64_t *points;
	uint32_t count;
};

static void many_free(struct many *many)
{
	uint32_t i;

	for (i = 0; many->syncobjs && i < many->count; i++)
		syncobj_put(many->syncobjs[i]);
	free(many->syncobjs);
	free(many->points);
}

static int many_find(struct emu_file *file, struct many *many, const uint32_t *handles)
{
	uint32_t i;
	int ret;

	many->syncobjs = calloc(many->count, sizeof(*many->syncobjs));
	if (!many->syncobjs)
		return -ENOMEM;
	for (i = 0; i < many->count; i++) {
		ret = syncobj_find(file, handles[i], &many->syncobjs[i]);
		if (ret)
			return ret;
		many->syncobjs[i]->refs++;
	}
	return 0;
}

/* Without points these are all 0 */
static int many_get(struct emu_file *file, struct many *many, uint64_t handles, uint64_t points,
		    uint32_t count)
{
	void *copy = NULL;
	int ret;

	*many = (struct many){ .count = count };
	if (!count)
		return -EINVAL;
	ret = user_dup(&copy, handles, count, sizeof(uint32_t));
	if (!ret)
		ret = many_find(file, many, copy);
	free(copy);
	if (!ret && points) {
		ret = user_dup(&copy, points, count, sizeof(uint64_t));
		many->points = copy;
	} else if (!ret) {
		many->points = calloc(count, sizeof(uint64_t));
		ret = many->points ? 0 : -ENOMEM;
	}
	if (ret)
		many_free(many);
	return ret;
}

/* 0: it is over; -ETIME: not yet */
static int many_look(const struct many *many, uint32_t flags, uint32_t *first)
{
	const uint32_t patient = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
				 DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
	uint32_t i, over = 0;

	for (i = 0; i < many->count; i++) {
		const struct fence *fence = syncobj_at(many->syncobjs[i], many->points[i]);

		if (!fence && !(flags & patient))
			return -EINVAL;
		if (!fence || !(fence->signalled || flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE))
			continue;
		if (!over++)
			*first = i;
	}
	return over == many->count || (over && !(flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL)) ? 0 :
											     -ETIME;
}

static int many_wait(struct emu_file *file, const struct many *many, uint32_t flags,
		     int64_t deadline, uint32_t *first)
{
	int ret;

	do {
		ret = many_look(many, flags, first);
	} while (ret == -ETIME && device_wait(file->dev, deadline));
	return ret == -ETIME ? many_look(many, flags, first) : ret;
}

static int wait_any(struct emu_file *file, void *arg)
{
	struct drm_syncobj_wait *args = arg;
	struct many many;
	int ret;

	if (args->flags & ~(DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL |
			    DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT | WAIT_DEADLINE))
		return -EINVAL;
	ret = many_get(file, &many, args->handles, 0, args->count_handles);
	if (ret)
		return ret;
	ret = many_wait(file, &many, args->flags, args->timeout_nsec, &args->first_signaled);
	many_free(&many);
	return ret;
}

static int timeline_wait(struct emu_file *file, void *arg)
{
	struct drm_syncobj_timeline_wait *args = arg;
	struct many many;
	int ret;

	if (args->flags &
	    ~(DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
	      DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE | WAIT_DEADLINE))
		return -EINVAL;
	ret = many_get(file, &many, args->handles, args->points, args->count_handles);
	if (ret)
		return ret;
	ret = many_wait(file, &many, args->flags, args->timeout_nsec, &args->first_signaled);
	many_free(&many);
	return ret;
}

static int signal_many(const struct many *many)
{
	struct fence *fence = fence_ended();
	uint32_t i;
	int ret = fence ? 0 : -ENOMEM;

	for (i = 0; !ret && i < many->count; i++)
		ret = syncobj_replace(many->syncobjs[i], fence, many->points[i]);
	fence_put(fence);
	return ret;
}

static int reset_or_signal(struct emu_file *file, void *arg, bool signalled)
{
	const struct drm_syncobj_array *args = arg;
	struct many many;
	uint32_t i;
	int ret;

	if (args->pad)
		return -EINVAL;
	ret = many_get(file, &many, args->handles, 0, args->count_handles);
	if (ret)
		return ret;
	if (signalled)
		ret = signal_many(&many);
	for (i = 0; !signalled && i < many.count; i++)
		syncobj_reset(many.syncobjs[i]);
	many_free(&many);
	return ret;
}

static int timeline_signal(struct emu_file *file, void *arg)
{
	const struct drm_syncobj_timeline_array *args = arg;
	struct many many;
	int ret;

	if (args->flags)
		return -EINVAL;
	ret = many_get(file, &many, args->handles, args->points, args->count_handles);
	if (ret)
		return ret;
	ret = signal_many(&many);
	many_free(&many);
	return ret;
}

static int query(struct emu_file *file, void *arg)
{
	const struct drm_syncobj_timeline_array *args = arg;
	struct many many;
	uint32_t i;
	int ret;

	if (args->flags & ~DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED)
		return -EINVAL;
	ret = many_get(file, &many, args->handles, 0, args->count_handles);
	if (ret)
		return ret;
	for (i = 0; i < many.count; i++)
		many.points[i] = syncobj_reached(many.syncobjs[i], args->flags);
	ret = user_write(args->points, many.points, many.count * sizeof(*many.points));
	many_free(&many);
	return ret;
}

static int eventfd(struct emu_file *file, void *arg)
{
	const struct drm_syncobj_eventfd *args = arg;
	struct syncobj *syncobj;
	int ret;

	if (args->flags & ~DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE || args->pad)
		return -EINVAL;
	ret = syncobj_find(file, args->handle, &syncobj);
	if (ret)
		return ret;
	if (!fd_is_eventfd(args->fd))
		return -EINVAL;
	return syncobj_watch(syncobj, args->point, args->flags, args->fd);
}

int syncobj_ioctl(struct emu_file *file, unsigned int nr, void *arg)
{
	switch (nr) {
	case _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE):
		return create(file, arg);
	case _IOC_NR(DRM_IOCTL_SYNCOBJ_DESTROY):
		return destroy(file, arg);
	case _IOC_NR(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD):
		return handle_to_fd(file, arg);
	case _IOC_NR(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE):
		return fd_to_handle(file, arg);
	case _IOC_NR(DRM_IOCTL_SYNCOBJ_TRANSFER):
		return transfer(file, arg);
	case _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT):
		return wait_any(file, arg);
	case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT):
		return timeline_wait(file, arg);
	case _IOC_NR(DRM_IOCTL_SYNCOBJ_RESET):
		return reset_or_signal(file, arg, false);
	case _IOC_NR(DRM_IOCTL_SYNCOBJ_SIGNAL):
		return reset_or_signal(file, arg, true);
	case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL):
		return timeline_signal(file, arg);
	case _IOC_NR(DRM_IOCTL_SYNCOBJ_QUERY):
		return query(file, arg);
	case _IOC_NR(DRM_IOCTL_SYNCOBJ_EVENTFD):
		return eventfd(file, arg);
	default:
		return -EINVAL;
	}
}
