// SPDX-License-Identifier: MIT
/* What else can be done with BOs: tiling, labels, madvise, and sharing by names and dma-bufs. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <drm_fourcc.h>
#include <linux/dma-buf.h>
#include <linux/magic.h>

#include "internal.h"

#define MAX_LABEL 1024	/* as the module's */

int emu_set_tiling(struct emu_file *file, void *arg)
{
	const struct drm_vc4_set_tiling *args = arg;
	struct bo *bo;

	if (args->flags)
		return -EINVAL;
	if (args->modifier != DRM_FORMAT_MOD_LINEAR &&
	    args->modifier != DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED)
		return -EINVAL;
	pthread_mutex_lock(&file->dev->lock);
	bo = bo_find(file, args->handle);
	if (bo)
		bo->t_tiled = args->modifier == DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED;
	if (bo && bo->exported)
		abroad_tell_tiling(bo);
	pthread_mutex_unlock(&file->dev->lock);
	return bo ? 0 : -ENOENT;
}

int emu_get_tiling(struct emu_file *file, void *arg)
{
	struct drm_vc4_get_tiling *args = arg;
	const struct bo *bo;

	if (args->flags || args->modifier)
		return -EINVAL;
	pthread_mutex_lock(&file->dev->lock);
	bo = bo_find(file, args->handle);
	if (bo)
		args->modifier = bo->t_tiled ? DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED :
					       DRM_FORMAT_MOD_LINEAR;
	pthread_mutex_unlock(&file->dev->lock);
	return bo ? 0 : -ENOENT;
}

/* Labels are not shown here, but what the kernel refuses is refused */
int emu_label_bo(struct emu_file *file, void *arg)
{
	const struct drm_vc4_label_bo *args = arg;
	char label[MAX_LABEL];
	bool known;

	if (args->len > MAX_LABEL)
		return -EINVAL;
	pthread_mutex_lock(&file->dev->lock);
	known = bo_find(file, args->handle);
	pthread_mutex_unlock(&file->dev->lock);
	return known ? user_read(label, args->name, args->len) : -ENOENT;
}

int emu_gem_madvise(struct emu_file *file, void *arg)
{
	struct drm_vc4_gem_madvise *args = arg;
	struct bo *bo;
	int ret = 0;

	if (args->pad || (args->madv != VC4_MADV_WILLNEED && args->madv != VC4_MADV_DONTNEED))
		return -EINVAL;
	pthread_mutex_lock(&file->dev->lock);
	bo = bo_find(file, args->handle);
	if (!bo) {
		ret = -ENOENT;
	} else if (!bo->plain) {
		ret = -EINVAL;
	} else {
		if (bo->state != BO_PURGED)
			bo->state = args->madv == VC4_MADV_WILLNEED ? BO_NEEDED : BO_UNNEEDED;
		args->retained = bo->state != BO_PURGED;
	}
	pthread_mutex_unlock(&file->dev->lock);
	return ret;
}

int emu_gem_flink(struct emu_file *file, void *arg)
{
	struct drm_gem_flink *args = arg;
	struct bo *bo;
	int ret = 0;

	if (!file->primary || !file->authenticated)
		return -EACCES;
	pthread_mutex_lock(&file->dev->lock);
	bo = bo_find(file, args->handle);
	if (!bo)
		ret = -ENOENT;
	else if (!bo->name)
		bo->name = table_add(&file->dev->names, bo);
	if (bo) {
		args->name = bo->name;
		ret = bo->name ? 0 : -ENOMEM;
	}
	pthread_mutex_unlock(&file->dev->lock);
	return ret;
}

int emu_gem_open(struct emu_file *file, void *arg)
{
	struct drm_gem_open *args = arg;
	struct bo *bo;
	int ret = -ENOENT;

	if (!file->primary || !file->authenticated)
		return -EACCES;
	pthread_mutex_lock(&file->dev->lock);
	bo = table_get(&file->dev->names, args->name);
	if (bo) {
		ret = bo_handle(file, bo, &args->handle);
		args->size = bo->size;
	}
	pthread_mutex_unlock(&file->dev->lock);
	return ret;
}

/* A file of its own on the same memory, as open(2) makes one: with its own rights */
static int export_fd(struct bo *bo, uint32_t flags)
{
	int mode = flags & O_ACCMODE ? O_RDWR : O_RDONLY, fd;
	char path[32];

	if (fcntl(bo->memfd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) &&
	    errno != EPERM)
		return -errno;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", bo->memfd);
	fd = open(path, mode | (flags & O_CLOEXEC));
	return fd < 0 ? -errno : fd;
}

int emu_prime_handle_to_fd(struct emu_file *file, void *arg)
{
	struct drm_prime_handle *args = arg;
	struct bo *bo;
	int ret;

	if (args->flags & ~(DRM_CLOEXEC | DRM_RDWR))
		return -EINVAL;
	pthread_mutex_lock(&file->dev->lock);
	bo = bo_find(file, args->handle);
	if (!bo)
		ret = -ENOENT;
	else if (!bo->plain)
		ret = -EPERM;
	else if (bo->state != BO_NEEDED)
		ret = -EINVAL;
	else
		ret = bo_share(bo);
	if (!ret)
		ret = export_fd(bo, args->flags);
	if (ret >= 0) {
		args->fd = ret;
		ret = 0;
	}
	pthread_mutex_unlock(&file->dev->lock);
	return ret;
}

/*
 * Any file may be handed in. What can be mapped and never raises SIGBUS is memory of the kernel's
 * (no huge pages, of which there may be none left) that can be written and neither shrinks nor
 * grows, for good.
 */
static bool is_dma_buf(int fd, int64_t *size)
{
	const int sealed = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
	const int all = sealed | F_SEAL_WRITE | F_SEAL_FUTURE_WRITE;
	const int seals = fcntl(fd, F_GET_SEALS);
	struct statfs fs;

	if (seals < 0 || (seals & all) != sealed || fstatfs(fd, &fs) ||
	    fs.f_type != TMPFS_MAGIC)
		return false;
	*size = fd_size(fd);
	return *size > 0 && !(*size % EMU_PAGE);
}

/*
 * A dma-buf that another process's device made, or this one's when the BO is gone: its memory tells
 * all there is to know. It is looked at through a file description that no other process has.
 */
static int import_memory(struct emu_device *dev, int fd, struct bo **bo)
{
	int64_t size;
	int own, ret;

	if (!is_dma_buf(fd, &size))
		return -EINVAL;
	if (size > (int64_t)(dev->budget - dev->used))
		return -ENOMEM;
	own = fd_open_again(fd);
	if (own < 0)
		return own;
	dev->used += size;
	ret = bo_create_from(dev, size, own, bo);
	if (ret) {
		dev->used -= size;
		return ret;
	}
	ret = bo_share(*bo);
	if (ret)
		bo_put(*bo);
	return ret;
}

static uint32_t handle_of(const struct emu_file *file, const struct bo *bo)
{
	uint32_t i;

	for (i = 0; i < file->handles.size; i++)
		if (file->handles.entries[i] == bo)
			return i + 1;
	return 0;
}

int emu_prime_fd_to_handle(struct emu_file *file, void *arg)
{
	struct drm_prime_handle *args = arg;
	struct bo *bo;
	uint64_t inode;
	int ret = 0;

	if (!fd_inode(args->fd, &inode))
		return -EBADF;
	pthread_mutex_lock(&file->dev->lock);
	bo = bo_by_inode(file->dev, inode);
	if (bo)
		bo_get(bo);
	else
		ret = import_memory(file->dev, args->fd, &bo);
	if (!ret) {
		args->handle = handle_of(file, bo);
		if (!args->handle)
			ret = bo_handle(file, bo, &args->handle);
		bo_put(bo);
	}
	pthread_mutex_unlock(&file->dev->lock);
	return ret;
}

static int dma_buf_sync(struct emu_device *dev, struct bo *bo, const struct dma_buf_sync *args)
{
	struct fence *fence;
	int ret;

	if (args->flags & ~(uint64_t)DMA_BUF_SYNC_VALID_FLAGS_MASK ||
	    !(args->flags & DMA_BUF_SYNC_RW))
		return -EINVAL;
	if (args->flags & DMA_BUF_SYNC_END)
		return 0;
	ret = bo_fence(bo, args->flags & DMA_BUF_SYNC_WRITE, &fence);
	if (fence)
		ret = fence_wait(dev, fence, INT64_MAX);
	fence_put(fence);
	return ret;
}

static int dma_buf_export_fences(struct emu_device *dev, struct bo *bo,
				 struct dma_buf_export_sync_file *args)
{
	struct fence *fence;
	int ret;

	if (args->flags & ~DMA_BUF_SYNC_RW || !(args->flags & DMA_BUF_SYNC_RW))
		return -EINVAL;
	ret = bo_fence(bo, args->flags & DMA_BUF_SYNC_WRITE, &fence);
	if (ret)
		return ret;
	if (!fence)
		fence = fence_all(NULL, 0);
	ret = fence ? sync_file_create(dev, fence) : -ENOMEM;
	fence_put(fence);
	args->fd = ret;
	return ret < 0 ? ret : 0;
}

static int dma_buf_import_fences(struct emu_device *dev, struct bo *bo,
				 const struct dma_buf_import_sync_file *args)
{
	struct fence *fence;
	int ret;

	if (args->flags & ~DMA_BUF_SYNC_RW || !(args->flags & DMA_BUF_SYNC_RW))
		return -EINVAL;
	ret = sync_file_fence(dev, args->fd, &fence);
	if (ret)
		return ret;
	ret = bo_room(bo);
	if (!ret)
		bo_add_fence(bo, fence, args->flags & DMA_BUF_SYNC_WRITE);
	fence_put(fence);
	return ret;
}

static int dma_buf_ioctl(struct emu_device *dev, struct bo *bo, unsigned long request, void *arg)
{
	union {
		struct dma_buf_sync sync;
		struct dma_buf_export_sync_file out;
		struct dma_buf_import_sync_file in;
	} args;
	int ret;

	if (request == DMA_BUF_SET_NAME_A || request == DMA_BUF_SET_NAME_B)
		return 0;
	if (request != DMA_BUF_IOCTL_SYNC && request != DMA_BUF_IOCTL_EXPORT_SYNC_FILE &&
	    request != DMA_BUF_IOCTL_IMPORT_SYNC_FILE)
		return -ENOTTY;
	ret = user_read(&args, (uintptr_t)arg, _IOC_SIZE(request));
	if (ret)
		return ret;
	if (request == DMA_BUF_IOCTL_SYNC)
		return dma_buf_sync(dev, bo, &args.sync);
	if (request == DMA_BUF_IOCTL_IMPORT_SYNC_FILE)
		return dma_buf_import_fences(dev, bo, &args.in);
	ret = dma_buf_export_fences(dev, bo, &args.out);
	return ret ? ret : user_write((uintptr_t)arg, &args.out, sizeof(args.out));
}

bool emu_device_knows(struct emu_device *dev, int fd)
{
	struct fence *fence;
	uint64_t inode;
	bool known;

	if (!fd_inode(fd, &inode))
		return false;
	pthread_mutex_lock(&dev->lock);
	/* For want of memory it is said to be known: its ioctls tell of that */
	known = sync_file_fence(dev, fd, &fence) != -EINVAL || bo_by_inode(dev, inode);
	fence_put(fence);
	pthread_mutex_unlock(&dev->lock);
	return known;
}

int emu_device_fd_ioctl(struct emu_device *dev, int fd, unsigned long request, void *arg)
{
	struct bo *bo = NULL;
	uint64_t inode;
	int ret;

	if (!fd_inode(fd, &inode))
		return -EBADF;
	pthread_mutex_lock(&dev->lock);
	bo = bo_by_inode(dev, inode);
	if (bo) {
		bo_get(bo);
		ret = dma_buf_ioctl(dev, bo, request, arg);
		bo_put(bo);
	} else {
		ret = sync_file_ioctl(dev, fd, request, arg);
	}
	pthread_mutex_unlock(&dev->lock);
	return ret;
}
