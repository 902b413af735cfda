// SPDX-License-Identifier: MIT
/*
 * What other processes do with dma-bufs and sync_files. Each process has a V3D of its own; all that
 * they share are the files, so these tell. While a job is under way it holds a lock on each dma-buf
 * that it uses: one byte, far behind the memory, of an open file description (F_OFD_SETLK in
 * fcntl(2)) that no other process has, by a file descriptor or by a mapping. A sync_file's pipe has
 * one until its fence has ended. The kernel takes them away with the process that holds them,
 * however that ends; what holds them for ever is not waited for. With the device's lock held.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/param.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

#define READS (INT64_C(1) << 61)	/* where the locks of jobs are that read */
#define WRITES (INT64_C(1) << 62)	/* of those that write */
#define NUMBER_BITS 60
#define FOREIGN_MOST 64			/* of one BO at a time; others are not waited for */
#define PATIENCE_NS INT64_C(30000000000)
#define STEP_NS INT64_C(1000000)	/* between looks */

/* A lock that another process was seen to hold */
struct foreign {
	struct foreign *next;
	struct bo *bo;			/* NULL: a sync_file's, or the BO is gone */
	bool pipe;
	int fd;
	off_t at, end;
	int64_t deadline;
	struct fence *fence;
};

/* A lock of our own */
struct hold {
	struct fence_watch watch;
	struct bo *bo;			/* a reference */
	off_t at;
};

static void set_lock(int fd, short type, off_t at)
{
	struct flock lock = { .l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1 };

	/* Where the kernel has no memory for it, other processes do not wait */
	(void)!fcntl(fd, F_OFD_SETLK, &lock);
}

/* The first lock of others that is found, not the one that lies first. [at, end) is cut to ours. */
static bool find_lock(int fd, off_t *at, off_t *end)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = *at,
			      .l_len = *end - *at };

	if (fcntl(fd, F_OFD_GETLK, &lock) || lock.l_type == F_UNLCK)
		return false;
	*at = MAX(*at, lock.l_start);
	if (lock.l_len)		/* 0: without end */
		*end = MIN(*end, lock.l_start + lock.l_len);
	return true;
}

static void release(struct fence_watch *watch, struct fence *fence)
{
	struct hold *hold = (struct hold *)watch;

	(void)fence;
	set_lock(hold->bo->lock_fd, F_UNLCK, hold->at);
	bo_put(hold->bo);
	free(hold);
}

/* Every second byte, as the kernel makes one lock of two that touch */
static off_t next_place(struct emu_device *dev, bool write)
{
	if (!dev->holds && getrandom(&dev->holds, sizeof(dev->holds), 0) < 0)
		dev->holds = (uint64_t)getpid() << 32;
	dev->holds = (dev->holds + 2) & ((UINT64_C(1) << NUMBER_BITS) - 2);
	return (write ? WRITES : READS) + (off_t)dev->holds;
}

/* For one of abroad_hold(), before anything is done that needs it. Return: 0 or -ENOMEM */
int abroad_room(struct bo *bo)
{
	if (bo->exported && !bo->hold)
		bo->hold = malloc(sizeof(*bo->hold));
	return bo->exported && !bo->hold ? -ENOMEM : 0;
}

/*
 * Other processes see that this is under way, until it ends. Once for each handle of a job, maybe,
 * and more than one of them names the BO: only for the first is there room.
 */
void abroad_hold(struct bo *bo, struct fence *fence, bool write)
{
	struct hold *hold = bo->hold;

	if (!hold || fence->signalled)
		return;
	bo->hold = NULL;
	*hold = (struct hold){ .watch.fn = release, .bo = bo_get(bo),
			       .at = next_place(bo->dev, write) };
	set_lock(bo->lock_fd, F_RDLCK, hold->at);
	fence_watch(fence, &hold->watch);
}

/* The byte in a pipe is the fence's end; without a byte and a holder, its process has ended */
static bool is_over(const struct foreign *foreign, int *error)
{
	off_t at = foreign->at, end = foreign->end;

	*error = 0;
	if (foreign->pipe && fd_readable(foreign->fd))
		return true;
	if (find_lock(foreign->fd, &at, &end))
		return false;
	if (foreign->pipe && !fd_readable(foreign->fd))
		*error = -ECANCELED;
	return true;
}

static void foreign_free(struct foreign *foreign)
{
	if (foreign->bo)
		foreign->bo->foreign_count--;
	raw_close(foreign->fd);
	fence_put(foreign->fence);
	free(foreign);
}

/* What is held for ever stays known for as long as the BO, so that it is not waited for again */
static void look_for_ends(struct emu_device *dev)
{
	struct foreign **link = &dev->foreigns, *foreign;
	int error;

	while ((foreign = *link)) {
		bool over = is_over(foreign, &error);

		if (over || now_ns() >= foreign->deadline)
			fence_signal(dev, foreign->fence, over ? error : -ETIMEDOUT);
		if (!over && (foreign->bo || !foreign->fence->signalled)) {
			link = &foreign->next;
			continue;
		}
		*link = foreign->next;
		foreign_free(foreign);
	}
}

static void *watch(void *opaque)
{
	struct emu_device *dev = opaque;

	pthread_mutex_lock(&dev->lock);
	while (!dev->quit) {
		look_for_ends(dev);
		if (dev->foreigns)
			device_wait(dev, now_ns() + STEP_NS);
		else
			pthread_cond_wait(&dev->changed, &dev->lock);
	}
	pthread_mutex_unlock(&dev->lock);
	return NULL;
}

static bool watch_start(struct emu_device *dev)
{
	sigset_t all, old;

	if (dev->has_watch)
		return true;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	dev->has_watch = !pthread_create(&dev->watch, NULL, watch, dev);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return dev->has_watch;
}

/* Its fence ends when no other process holds any of [at, end) of @fd. NULL without memory */
static struct foreign *foreign_new(struct emu_device *dev, int fd, off_t at, off_t end)
{
	struct foreign *foreign = calloc(1, sizeof(*foreign));
	struct fence *fence = fence_new(0, 0);

	fd = fd_own(dup(fd));
	if (!foreign || !fence || fd < 0 || !watch_start(dev)) {
		raw_close(fd);
		fence_put(fence);
		free(foreign);
		return NULL;
	}
	*foreign = (struct foreign){ .next = dev->foreigns, .fd = fd, .at = at, .end = end,
				     .deadline = now_ns() + PATIENCE_NS, .fence = fence };
	dev->foreigns = foreign;
	pthread_cond_broadcast(&dev->changed);
	return foreign;
}

/* Return: 0, 1 when no more are taken, or -ENOMEM, and it is not known yet */
static int note(struct bo *bo, off_t at, off_t end, bool write)
{
	struct foreign *foreign;
	int ret;

	for (foreign = bo->dev->foreigns; foreign; foreign = foreign->next)
		if (foreign->bo == bo && foreign->at == at && foreign->end == end)
			return 0;
	if (bo->foreign_count == FOREIGN_MOST)
		return 1;
	foreign = foreign_new(bo->dev, bo->lock_fd, at, end);
	if (!foreign)
		return -ENOMEM;
	ret = bo_join_fence(bo, foreign->fence, write);
	if (ret) {
		bo->dev->foreigns = foreign->next;
		foreign_free(foreign);
		return ret;
	}
	foreign->bo = bo;
	bo->foreign_count++;
	return 0;
}

/* Return: as note() */
static int look(struct bo *bo, off_t at, off_t end, bool write)
{
	off_t found = at, found_end = end;
	int ret = 0;

	while (!ret && at < end && find_lock(bo->lock_fd, &found, &found_end)) {
		ret = note(bo, found, found_end, write);
		if (!ret)
			ret = look(bo, at, found, write);
		at = found = found_end;
		found_end = end;
	}
	return ret;
}

/* What others have under way now is among the BO's fences. Return: 0 or -ENOMEM */
int abroad_look(struct bo *bo)
{
	int ret = 0;

	if (bo->exported)
		ret = look(bo, READS, WRITES, false);
	if (bo->exported && ret >= 0)
		ret = look(bo, WRITES, INT64_MAX, true);
	return MIN(ret, 0);
}

/*
 * As the kernel's SET_TILING, which is the BO's, not a process's. It has to stay with the memory,
 * also after its maker has let go of it: a bit of the file's mode, which means nothing there and
 * which only the maker's user may change.
 */
void abroad_tell_tiling(const struct bo *bo)
{
	(void)!fchmod(bo->memfd, (bo->t_tiled ? S_ISVTX : 0) | 0666);
}

bool abroad_is_tiled(const struct bo *bo)
{
	return fd_mode(bo->memfd) & S_ISVTX;
}

/* The fence of a sync_file that another process made. Return: 0, -EINVAL: it is none, -ENOMEM */
int abroad_sync_file(struct emu_device *dev, int fd, struct fence **fence)
{
	struct foreign *foreign;

	/* Pipes that programs make are open for one thing alone */
	if (!S_ISFIFO(fd_mode(fd)) || (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDWR)
		return -EINVAL;
	foreign = foreign_new(dev, fd, 0, 1);
	if (!foreign)
		return -ENOMEM;
	foreign->pipe = true;
	*fence = fence_get(foreign->fence);
	return 0;
}

/* Until the fence of a sync_file has ended; @fd is the end of its pipe that is written to */
void abroad_hold_pipe(int fd)
{
	set_lock(fd, F_WRLCK, 0);
}

/* The BO goes */
void abroad_forget(struct bo *bo)
{
	struct foreign *foreign;

	for (foreign = bo->dev->foreigns; foreign && bo->foreign_count; foreign = foreign->next)
		if (foreign->bo == bo) {
			foreign->bo = NULL;
			bo->foreign_count--;
		}
}

/* Where there is no file descriptor left, it stays its parent's */
static void part(int *fd)
{
	int own = fd_open_again(*fd);

	if (own < 0)
		return;
	raw_close(*fd);
	*fd = own;
}

/* A child's own locks are not its parent's, whose file descriptions it has */
void abroad_forked(struct emu_device *dev)
{
	struct foreign *foreign;
	struct bo *bo;

	dev->has_watch = false;
	dev->holds = 0;
	for (bo = dev->bos; bo; bo = bo->next)
		if (bo->exported)
			part(&bo->lock_fd);
	for (foreign = dev->foreigns; foreign; foreign = foreign->next)
		if (!foreign->pipe)
			part(&foreign->fd);
}

/* dev->quit is set. Not with the lock held. */
void abroad_stop(struct emu_device *dev)
{
	struct foreign *foreign;

	if (dev->has_watch)
		pthread_join(dev->watch, NULL);
	pthread_mutex_lock(&dev->lock);
	while ((foreign = dev->foreigns)) {
		dev->foreigns = foreign->next;
		fence_signal(dev, foreign->fence, -ECANCELED);
		foreign_free(foreign);
	}
	pthread_mutex_unlock(&dev->lock);
}
