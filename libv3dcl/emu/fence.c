// SPDX-License-Identifier: MIT
/*
 * Fences: the ends of jobs, of several at once, and what waits for them. All with the device's lock
 * held.
 */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "internal.h"

struct fence *fence_new(uint64_t context, uint64_t seqno)
{
	struct fence *fence = calloc(1, sizeof(*fence));

	if (fence)
		*fence = (struct fence){ .refs = 1, .context = context, .seqno = seqno };
	return fence;
}

struct fence *fence_get(struct fence *fence)
{
	if (fence)
		fence->refs++;
	return fence;
}

void fence_put(struct fence *fence)
{
	unsigned int i;

	if (!fence || --fence->refs)
		return;
	for (i = 0; i < fence->part_count; i++)
		fence_put(fence->parts[i]);
	free(fence->parts);
	free(fence);
}

/* Those that watch are told after the state is complete */
void fence_signal(struct emu_device *dev, struct fence *fence, int error)
{
	struct fence_watch *watch, *next;

	if (fence->signalled)
		return;
	fence->signalled = true;
	if (!fence->error)
		fence->error = error;
	fence->stamp_ns = now_ns();
	watch = fence->watches;
	fence->watches = NULL;
	for (; watch; watch = next) {
		next = watch->next;
		watch->fn(watch, fence);
	}
	if (dev)
		pthread_cond_broadcast(&dev->changed);
}

void fence_watch(struct fence *fence, struct fence_watch *watch)
{
	if (fence->signalled) {
		watch->fn(watch, fence);
		return;
	}
	watch->next = fence->watches;
	fence->watches = watch;
}

struct part_watch {
	struct fence_watch watch;
	struct fence *all;		/* with a reference */
};

static void part_signalled(struct fence_watch *watch, struct fence *part)
{
	struct fence *all = ((struct part_watch *)watch)->all;

	if (part->error && !all->error)
		all->error = part->error;
	if (!--all->pending)
		fence_signal(NULL, all, all->error);
	fence_put(all);
	free(watch);
}

static bool watch_part(struct fence *all, struct fence *part)
{
	struct part_watch *watch = malloc(sizeof(*watch));

	if (!watch)
		return false;
	watch->watch.fn = part_signalled;
	watch->all = fence_get(all);
	all->pending++;
	fence_watch(part, &watch->watch);
	return true;
}

struct fence *fence_all(struct fence *const *parts, unsigned int count)
{
	struct fence *all = fence_new(0, 0);
	unsigned int i;

	if (!all)
		return NULL;
	all->parts = calloc(count ? count : 1, sizeof(*all->parts));
	all->pending = 1;		/* ours, until all parts are there */
	for (i = 0; all->parts && i < count; i++) {
		all->parts[i] = fence_get(parts[i]);
		all->part_count++;
		if (!watch_part(all, parts[i]))
			break;
	}
	if (i < count) {
		fence_put(all);
		return NULL;
	}
	if (!--all->pending)
		fence_signal(NULL, all, all->error);
	return all;
}

int64_t deadline_ns(uint64_t relative_ns)
{
	int64_t now = now_ns();

	if (!relative_ns)
		return 0;
	return relative_ns > (uint64_t)(INT64_MAX - now) ? INT64_MAX : now + (int64_t)relative_ns;
}

bool device_wait(struct emu_device *dev, int64_t deadline)
{
	struct timespec until = { .tv_sec = deadline / 1000000000,
				  .tv_nsec = deadline % 1000000000 };

	if (deadline <= 0)
		return false;
	if (deadline == INT64_MAX)
		return !pthread_cond_wait(&dev->changed, &dev->lock);
	return pthread_cond_timedwait(&dev->changed, &dev->lock, &until) != ETIMEDOUT;
}

int fence_wait(struct emu_device *dev, struct fence *fence, int64_t deadline)
{
	bool waiting = true;

	fence_get(fence);
	while (!fence->signalled && waiting)
		waiting = device_wait(dev, deadline);
	waiting = fence->signalled;
	fence_put(fence);
	return waiting ? 0 : -ETIME;
}

static int wait_seqno(struct emu_file *file, uint64_t seqno, int64_t deadline)
{
	while (seqno > file->finished) {
		if (seqno > file->seqno || !device_wait(file->dev, deadline))
			return seqno > file->finished ? -ETIME : 0;
	}
	return 0;
}

int emu_wait_seqno(struct emu_file *file, void *arg)
{
	const struct drm_vc4_wait_seqno *args = arg;
	int ret;

	pthread_mutex_lock(&file->dev->lock);
	ret = wait_seqno(file, args->seqno, deadline_ns(args->timeout_ns));
	pthread_mutex_unlock(&file->dev->lock);
	return ret;
}

int emu_wait_bo(struct emu_file *file, void *arg)
{
	const struct drm_vc4_wait_bo *args = arg;
	struct fence *fence;
	struct bo *bo;
	int ret = 0;

	if (!v3dcl_wait_bo_valid(args))
		return -EINVAL;
	pthread_mutex_lock(&file->dev->lock);
	bo = bo_find(file, args->handle);
	if (!bo) {
		ret = -EINVAL;
	} else {
		ret = bo_idle_fence(bo, &fence);
		if (fence)
			ret = fence_wait(file->dev, fence, deadline_ns(args->timeout_ns));
		fence_put(fence);
	}
	pthread_mutex_unlock(&file->dev->lock);
	return ret;
}
