// SPDX-License-Identifier: MIT
/* BOs: their handles, what is known of each, their memory. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <drm_fourcc.h>

#include "device.h"

#define LEAST_ROOM 16u

/* Where it is or would be in the table. Lock held, as for all that follow. */
static uint32_t place_of(const struct v3dcl_device *device, uint32_t handle)
{
	uint32_t low = 0, high = device->bo_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (device->bos[middle].handle < handle)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct known_bo *find(const struct v3dcl_device *device, uint32_t handle)
{
	uint32_t place = place_of(device, handle);

	return place < device->bo_count && device->bos[place].handle == handle ?
		       &device->bos[place] :
		       NULL;
}

/* What it is known by already stays: an import may give a handle that there is */
static struct known_bo *learn(struct v3dcl_device *device, uint32_t handle, uint32_t size)
{
	uint32_t place = place_of(device, handle),
		 room = device->bo_room ? 2 * device->bo_room : LEAST_ROOM;
	struct known_bo *bos = find(device, handle);

	if (bos)
		return bos;
	if (device->bo_count == device->bo_room) {
		bos = realloc(device->bos, room * sizeof(*bos));
		if (!bos)
			return NULL;
		device->bos = bos;
		device->bo_room = room;
	}
	memmove(&device->bos[place + 1], &device->bos[place],
		(device->bo_count - place) * sizeof(*device->bos));
	device->bo_count++;
	device->bos[place] = (struct known_bo){ .handle = handle, .size = size };
	return &device->bos[place];
}

static void unmap(struct known_bo *bo)
{
	if (bo->map)
		munmap(bo->map, bo->size);
	bo->map = NULL;
}

static void forget(struct v3dcl_device *device, uint32_t handle)
{
	struct known_bo *bo = find(device, handle);
	uint32_t place;

	if (!bo)
		return;
	place = bo - device->bos;
	unmap(bo);
	device->bo_count--;
	memmove(bo, bo + 1, (device->bo_count - place) * sizeof(*bo));
}

/* The file may live on, and handles in it that are not ours */
void device_forget_bos(struct v3dcl_device *device)
{
	uint32_t i;

	for (i = 0; i < device->bo_count; i++) {
		struct drm_gem_close argument = { .handle = device->bos[i].handle };

		unmap(&device->bos[i]);
		if (device->bos[i].owned)
			device->ops->ioctl(device->self, DRM_IOCTL_GEM_CLOSE, &argument);
	}
	free(device->bos);
}

/*
 * Under the lock: the number may be given to the next BO as soon as it is free, and must then not
 * lead to this one's memory
 */
int device_close_handle(struct v3dcl_device *device, struct drm_gem_close *argument)
{
	int ret;

	pthread_mutex_lock(&device->lock);
	ret = device->ops->ioctl(device->self, DRM_IOCTL_GEM_CLOSE, argument);
	if (!ret)
		forget(device, argument->handle);
	pthread_mutex_unlock(&device->lock);
	return ret;
}

int v3dcl_bo_close(struct v3dcl_device *device, uint32_t handle)
{
	struct drm_gem_close argument = { .handle = handle };

	return device_close_handle(device, &argument);
}

/* A BO that was just made; it is closed again without memory to know it by */
static int made(struct v3dcl_device *device, uint32_t made_handle, uint32_t size, uint32_t *handle,
		struct v3dcl_error *error)
{
	struct known_bo *bo;

	pthread_mutex_lock(&device->lock);
	bo = learn(device, made_handle, size);
	if (bo)
		bo->owned = true;
	pthread_mutex_unlock(&device->lock);
	if (!bo) {
		v3dcl_bo_close(device, made_handle);
		return device_fail(error, -ENOMEM, "a BO's handle");
	}
	*handle = made_handle;
	return 0;
}

int v3dcl_bo_create(struct v3dcl_device *device, uint32_t size, uint32_t *handle,
		    struct v3dcl_error *error)
{
	struct drm_vc4_create_bo create = { .size = size };
	int ret = v3dcl_ioctl(device, DRM_IOCTL_VC4_CREATE_BO, &create);

	if (ret && !size)
		return v3dcl_fail(error, ret, "a BO of 0 bytes: it has one at least");
	if (ret)
		return device_fail(error, ret, "a BO of %u bytes", size);
	return made(device, create.handle, size, handle, error);
}

/* More instructions than any driver takes must not wrap around to fewer */
static int code_size(uint32_t count, uint32_t *size, struct v3dcl_error *error)
{
	if (!count || count > UINT32_MAX / sizeof(uint64_t))
		return v3dcl_fail(error, -EINVAL,
				  "%u instructions: code has one at least, and is below 4 GiB",
				  count);
	*size = count * sizeof(uint64_t);
	return 0;
}

int v3dcl_bo_create_shader(struct v3dcl_device *device, const uint64_t *code, uint32_t count,
			   uint32_t *handle, struct v3dcl_error *error)
{
	struct drm_vc4_create_shader_bo create = { .data = (uintptr_t)code };
	const struct refusable what = {
		.request = DRM_IOCTL_VC4_CREATE_SHADER_BO,
		.argument = &create,
		.what = "the shader",
		.code = code,
		.code_count = count,
	};
	int ret = code_size(count, &create.size, error);

	if (!ret)
		ret = device_submit(device, &what, error);
	return ret ? ret : made(device, create.handle, create.size, handle, error);
}

int v3dcl_bo_create_program(struct v3dcl_device *device, const uint64_t *code, uint32_t count,
			    uint32_t flags, uint32_t *handle, struct v3dcl_error *error)
{
	struct drm_v3dcl_create_program create = { .code = (uintptr_t)code, .flags = flags };
	const struct refusable what = {
		.request = DRM_IOCTL_V3DCL_CREATE_PROGRAM,
		.argument = &create,
		.what = "the program",
		.code = code,
		.code_count = count,
	};
	int ret = code_size(count, &create.size, error);

	if (!ret)
		ret = device_submit(device, &what, error);
	return ret ? ret : made(device, create.handle, create.size, handle, error);
}

static int export(struct v3dcl_device *device, uint32_t handle)
{
	struct drm_prime_handle prime = { .handle = handle, .flags = DRM_CLOEXEC | DRM_RDWR,
					  .fd = -1 };
	int ret = v3dcl_ioctl(device, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime);

	return ret ? ret : prime.fd;
}

int v3dcl_bo_export(struct v3dcl_device *device, uint32_t handle, struct v3dcl_error *error)
{
	int fd = export(device, handle);

	return fd < 0 ? device_fail(error, fd, "exporting BO %u", handle) : fd;
}

/* A dma-buf tells its size where it ends */
static int fd_size(int fd, uint32_t *size)
{
	off_t end = lseek(fd, 0, SEEK_END);

	if (end < 0)
		return -errno;
	if (end > UINT32_MAX)
		return -EFBIG;
	*size = end;
	return 0;
}

int v3dcl_bo_import(struct v3dcl_device *device, int fd, uint32_t *handle,
		    struct v3dcl_error *error)
{
	struct drm_prime_handle prime = { .fd = fd };
	uint32_t size = 0;
	int ret = fd_size(fd, &size);

	if (ret)
		return device_fail(error, ret, "the size of what file descriptor %d is", fd);
	ret = v3dcl_ioctl(device, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime);
	if (ret)
		return device_fail(error, ret, "importing file descriptor %d", fd);
	return made(device, prime.handle, size, handle, error);
}

/* What was made by v3dcl_ioctl() tells its size when it is exported. Lock held. */
static struct known_bo *find_or_learn(struct v3dcl_device *device, uint32_t handle, int *ret)
{
	struct known_bo *bo = find(device, handle);
	uint32_t size = 0;
	int fd;

	*ret = 0;
	if (bo)
		return bo;
	fd = export(device, handle);
	*ret = fd < 0 ? fd : fd_size(fd, &size);
	if (fd >= 0)
		close(fd);
	if (*ret)
		return NULL;
	bo = learn(device, handle, size);
	if (!bo)
		*ret = -ENOMEM;
	return bo;
}

int v3dcl_bo_size(struct v3dcl_device *device, uint32_t handle, uint32_t *size,
		  struct v3dcl_error *error)
{
	const struct known_bo *bo;
	int ret;

	pthread_mutex_lock(&device->lock);
	bo = find_or_learn(device, handle, &ret);
	if (bo)
		*size = bo->size;
	pthread_mutex_unlock(&device->lock);
	return ret ? device_fail(error, ret, "the size of BO %u", handle) : 0;
}

static int map_bo(struct v3dcl_device *device, struct known_bo *bo)
{
	struct drm_vc4_mmap_bo offset = { .handle = bo->handle };
	void *map;
	int ret;

	if (bo->map)
		return 0;
	ret = v3dcl_ioctl(device, DRM_IOCTL_VC4_MMAP_BO, &offset);
	if (ret)
		return ret;
	map = device->ops->mmap(device->self, bo->size, offset.offset);
	if (map == MAP_FAILED)
		return -errno;
	bo->map = map;
	return 0;
}

int v3dcl_bo_map(struct v3dcl_device *device, uint32_t handle, void **map,
		 struct v3dcl_error *error)
{
	struct known_bo *bo;
	int ret;

	pthread_mutex_lock(&device->lock);
	bo = find_or_learn(device, handle, &ret);
	if (bo)
		ret = map_bo(device, bo);
	if (!ret)
		*map = bo->map;
	pthread_mutex_unlock(&device->lock);
	return ret ? device_fail(error, ret, "mapping BO %u", handle) : 0;
}

int v3dcl_bo_label(struct v3dcl_device *device, uint32_t handle, const char *label,
		   struct v3dcl_error *error)
{
	struct drm_vc4_label_bo argument = { .handle = handle, .len = strlen(label),
					     .name = (uintptr_t)label };
	int ret = v3dcl_ioctl(device, DRM_IOCTL_VC4_LABEL_BO, &argument);

	return ret ? device_fail(error, ret, "a label for BO %u", handle) : 0;
}

int v3dcl_bo_set_tiled(struct v3dcl_device *device, uint32_t handle, bool t_tiled,
		       struct v3dcl_error *error)
{
	struct drm_vc4_set_tiling argument = {
		.handle = handle,
		.modifier = t_tiled ? DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED : DRM_FORMAT_MOD_LINEAR,
	};
	int ret = v3dcl_ioctl(device, DRM_IOCTL_VC4_SET_TILING, &argument);

	return ret ? device_fail(error, ret, "the tiling of BO %u", handle) : 0;
}

int v3dcl_bo_is_tiled(struct v3dcl_device *device, uint32_t handle, bool *t_tiled,
		      struct v3dcl_error *error)
{
	struct drm_vc4_get_tiling argument = { .handle = handle };
	int ret = v3dcl_ioctl(device, DRM_IOCTL_VC4_GET_TILING, &argument);

	if (ret)
		return device_fail(error, ret, "the tiling of BO %u", handle);
	*t_tiled = argument.modifier == DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED;
	return 0;
}

int v3dcl_bo_purgeable(struct v3dcl_device *device, uint32_t handle, bool keep, bool *retained,
		       struct v3dcl_error *error)
{
	struct drm_vc4_gem_madvise argument = { .handle = handle, .madv = keep ? VC4_MADV_WILLNEED :
							       VC4_MADV_DONTNEED };
	int ret = v3dcl_ioctl(device, DRM_IOCTL_VC4_GEM_MADVISE, &argument);

	if (ret)
		return device_fail(error, ret, "whether BO %u is needed", handle);
	if (retained)
		*retained = argument.retained;
	return 0;
}

int v3dcl_bo_wait(struct v3dcl_device *device, uint32_t handle, uint64_t timeout_ns,
		  struct v3dcl_error *error)
{
	struct drm_vc4_wait_bo argument = { .handle = handle, .timeout_ns = timeout_ns };
	int ret = v3dcl_ioctl(device, DRM_IOCTL_VC4_WAIT_BO, &argument);

	return ret ? device_fail(error, ret, "waiting for BO %u", handle) : 0;
}
