// SPDX-License-Identifier: MIT
/*
 * BOs: each a memfd of its own, so that it can be handed to others as a file descriptor, mapped
 * where the chip looks for it. What the driver itself needs is memory of its own window.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <unistd.h>

#include "internal.h"

uint8_t *bo_cpu(const struct bo *bo)
{
	return bo->dev->memory + (bo->address - EMU_OWN_BASE);
}

/* Tells the chip which BO has these addresses from now on, or that none has */
static void set_pages(struct emu_device *dev, uint32_t address, uint32_t size, struct bo *bo)
{
	uint32_t first = (address - EMU_BO_BASE) / EMU_PAGE, i;

	pthread_mutex_lock(&dev->map_lock);
	for (i = 0; i < size / EMU_PAGE; i++)
		dev->pages[first + i] = bo;
	pthread_mutex_unlock(&dev->map_lock);
	v3dsim_forget(dev->chip, address, size);
}

bool bo_region(void *opaque, enum v3dsim_unit unit, uint32_t addr, bool write,
	       struct v3dsim_region *out)
{
	struct emu_device *dev = opaque;
	const struct bo *bo = NULL;

	(void)unit;
	(void)write;
	if (addr < EMU_OWN_BASE || addr >= EMU_END)
		return false;
	if (addr < EMU_BO_BASE) {
		*out = (struct v3dsim_region){ dev->memory, EMU_OWN_BASE,
					       EMU_BO_BASE - EMU_OWN_BASE, true };
		return true;
	}
	pthread_mutex_lock(&dev->map_lock);
	bo = dev->pages[(addr - EMU_BO_BASE) / EMU_PAGE];
	if (bo)
		*out = (struct v3dsim_region){ bo_cpu(bo), bo->address, bo->size, true };
	pthread_mutex_unlock(&dev->map_lock);
	return bo;
}

/*
 * Memory of others may be none that can be mapped so. MAP_FIXED that fails can leave a hole in the
 * window, which is tried elsewhere first therefore.
 */
static bool can_map(const struct bo *bo)
{
	void *at;

	if (bo->memfd < 0)
		return true;
	at = raw_mmap(NULL, bo->size, PROT_READ | PROT_WRITE, MAP_SHARED, bo->memfd, 0);
	if (at == MAP_FAILED)
		return false;
	munmap(at, bo->size);
	return true;
}

static bool map_window(struct bo *bo)
{
	void *at = bo_cpu(bo);
	int flags = MAP_FIXED | (bo->memfd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED);

	return can_map(bo) &&
	       raw_mmap(at, bo->size, PROT_READ | PROT_WRITE, flags, bo->memfd, 0) == at;
}

static void unmap_window(struct bo *bo)
{
	raw_mmap(bo_cpu(bo), bo->size, PROT_NONE,
		 MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

/* The memory goes: who touches a mapping of it gets SIGBUS */
static void purge(struct bo *bo)
{
	set_pages(bo->dev, bo->address, bo->size, NULL);
	unmap_window(bo);
	if (!ftruncate(bo->memfd, 0))
		bo->dev->used -= bo->size;
	bo->state = BO_PURGED;
}

static bool charge(struct emu_device *dev, uint32_t size)
{
	struct bo *bo;

	for (bo = dev->bos; bo && dev->used + size > dev->budget; bo = bo->next)
		if (bo->state == BO_UNNEEDED && !bo->users && !bo->exported)
			purge(bo);
	if (dev->used + size > dev->budget)
		return false;
	dev->used += size;
	return true;
}

static void link_bo(struct bo *bo)
{
	bo->next = bo->dev->bos;
	if (bo->next)
		bo->next->prev = bo;
	bo->dev->bos = bo;
}

static void unlink_bo(struct bo *bo)
{
	if (bo->next)
		bo->next->prev = bo->prev;
	if (bo->prev)
		bo->prev->next = bo->next;
	else
		bo->dev->bos = bo->next;
}

/*
 * A BO on that memory, already charged; @memfd is its own from here on, also when this fails. -1:
 * memory that no other caller maps
 */
int bo_create_from(struct emu_device *dev, uint32_t size, int memfd, struct bo **out)
{
	struct bo *bo = calloc(1, sizeof(*bo));
	uint32_t address = space_alloc(&dev->space, size, size <= EMU_PAGE);

	if (!bo || !address)
		goto fail;
	*bo = (struct bo){ .dev = dev, .refs = 1, .address = address, .size = size, .memfd = memfd,
			   .lock_fd = -1, .plain = memfd >= 0 };
	if (memfd >= 0 && !fd_inode(memfd, &bo->inode))
		goto fail;
	if (!map_window(bo))
		goto fail;
	bo->map_offset = dev->map_offsets;
	dev->map_offsets += size;
	set_pages(dev, address, size, bo);
	link_bo(bo);
	*out = bo;
	return 0;
fail:
	if (address)
		space_free(&dev->space, address, size);
	raw_close(memfd);
	free(bo);
	return -ENOMEM;
}

int bo_create(struct emu_device *dev, uint32_t size, bool plain, struct bo **out)
{
	int memfd = -1, ret;

	if (!size)
		return -EINVAL;
	if (size > dev->budget || size > UINT32_MAX - EMU_PAGE)
		return -ENOMEM;
	size = roundup(size, EMU_PAGE);
	if (!charge(dev, size))
		return -ENOMEM;
	if (plain) {
		memfd = fd_own(memfd_create("v3d-bo", MFD_CLOEXEC | MFD_ALLOW_SEALING));
		if (memfd < 0 || ftruncate(memfd, size)) {
			raw_close(memfd);
			dev->used -= size;
			return -ENOMEM;
		}
	}
	ret = bo_create_from(dev, size, memfd, out);
	if (ret)
		dev->used -= size;
	return ret;
}

struct bo *bo_get(struct bo *bo)
{
	bo->refs++;
	return bo;
}

static void drop_reads(struct bo *bo)
{
	while (bo->read_count)
		fence_put(bo->reads[--bo->read_count]);
}

void bo_put(struct bo *bo)
{
	struct emu_device *dev;

	if (!bo || --bo->refs)
		return;
	dev = bo->dev;
	unlink_bo(bo);
	abroad_forget(bo);
	if (bo->state != BO_PURGED) {
		set_pages(dev, bo->address, bo->size, NULL);
		unmap_window(bo);
		dev->used -= bo->size;
	}
	space_free(&dev->space, bo->address, bo->size);
	raw_close(bo->memfd);
	raw_close(bo->lock_fd);
	drop_reads(bo);
	free(bo->reads);
	free(bo->hold);
	while (bo->keep_count)
		fence_put(bo->keeps[--bo->keep_count]);
	free(bo->keeps);
	fence_put(bo->write);
	free(bo->shader);
	free(bo->program);
	free(bo);
}

struct bo *bo_find(struct emu_file *file, uint32_t handle)
{
	return table_get(&file->handles, handle);
}

/* A BO without handles loses its FLINK name */
static void handle_gone(struct bo *bo)
{
	if (!--bo->handles && bo->name) {
		table_remove(&bo->dev->names, bo->name);
		bo->name = 0;
	}
	bo_put(bo);
}

int bo_handle(struct emu_file *file, struct bo *bo, uint32_t *handle)
{
	*handle = table_add(&file->handles, bo);
	if (!*handle)
		return -ENOMEM;
	bo->handles++;
	bo_get(bo);
	return 0;
}

void file_close_handles(struct emu_file *file)
{
	uint32_t i;

	for (i = 0; i < file->handles.size; i++)
		if (file->handles.entries[i])
			handle_gone(file->handles.entries[i]);
	free(file->handles.entries);
	file->handles = (struct table){ 0 };
}

int bo_use(struct bo *bo)
{
	if (bo->state != BO_NEEDED)
		return -EINVAL;
	bo->users++;
	return 0;
}

void bo_unuse(struct bo *bo)
{
	bo->users--;
}

struct bo *bo_by_inode(struct emu_device *dev, uint64_t inode)
{
	struct bo *bo;

	for (bo = dev->bos; bo; bo = bo->next)
		if (bo->exported && bo->inode == inode)
			return bo;
	return NULL;
}

/* Return: how many are not over yet */
static unsigned int prune_list(struct fence **list, unsigned int count)
{
	unsigned int i, kept = 0;

	for (i = 0; i < count; i++) {
		if (list[i]->signalled)
			fence_put(list[i]);
		else
			list[kept++] = list[i];
	}
	return kept;
}

/* What of the BO's fences is not over yet */
static void prune(struct bo *bo)
{
	if (bo->write && bo->write->signalled) {
		fence_put(bo->write);
		bo->write = NULL;
	}
	bo->read_count = prune_list(bo->reads, bo->read_count);
	bo->keep_count = prune_list(bo->keeps, bo->keep_count);
}

bool bo_busy(struct bo *bo, bool write)
{
	unsigned int i;

	if (abroad_look(bo))
		return true;	/* for all that is known */
	if (bo->write && !bo->write->signalled)
		return true;
	for (i = 0; write && i < bo->read_count; i++)
		if (!bo->reads[i]->signalled)
			return true;
	return false;
}

/* All of a list, which may be empty: then *all is NULL. Return: 0 or -ENOMEM */
static int join_list(struct fence *const *list, unsigned int count, struct fence **all)
{
	*all = count ? fence_all(list, count) : NULL;
	return *all || !count ? 0 : -ENOMEM;
}

/* Two references become one; any of them may be NULL. Return: 0 or -ENOMEM */
static int join_two(struct fence *a, struct fence *b, struct fence **both)
{
	struct fence *parts[2] = { a, b };

	if (!a || !b) {
		*both = a ? a : b;
		return 0;
	}
	*both = fence_all(parts, 2);
	fence_put(a);
	fence_put(b);
	return *both ? 0 : -ENOMEM;
}

/*
 * Something that ends: a job, or what another driver does. *fence: a reference, or NULL: it is
 * idle. Return: 0 or -ENOMEM
 */
int bo_fence(struct bo *bo, bool write, struct fence **fence)
{
	int ret = abroad_look(bo);
	struct fence *reads;

	*fence = NULL;
	prune(bo);
	if (!ret)
		ret = join_list(bo->reads, write ? bo->read_count : 0, &reads);
	return ret ? ret : join_two(fence_get(bo->write), reads, fence);
}

/* One more. Return: 0 or -ENOMEM, and the list is as it was */
static int room(struct fence ***list, unsigned int count)
{
	struct fence **larger = realloc(*list, (count + 1) * sizeof(struct fence *));

	if (!larger)
		return -ENOMEM;
	*list = larger;
	return 0;
}

/* Once for each handle of a job, maybe, and more than one of them names the BO */
static void put_once(struct fence **list, unsigned int *count, struct fence *fence)
{
	if (!*count || list[*count - 1] != fence)
		list[(*count)++] = fence_get(fence);
}

/* Room for one more fence of bo_add_fence(), before anything is done that needs it */
int bo_room(struct bo *bo)
{
	int ret = abroad_room(bo);

	prune(bo);
	return ret ? ret : room(&bo->reads, bo->read_count);
}

/*
 * A write ends what was there before it: a job waits for that before it writes. Not without
 * bo_room().
 */
void bo_add_fence(struct bo *bo, struct fence *fence, bool write)
{
	prune(bo);
	if (bo->exported)
		abroad_hold(bo, fence, write);
	if (!write) {
		put_once(bo->reads, &bo->read_count, fence);
		return;
	}
	drop_reads(bo);
	fence_put(bo->write);
	bo->write = fence_get(fence);
}

/* Another process's, beside what is there. Return: 0 or -ENOMEM */
int bo_join_fence(struct bo *bo, struct fence *fence, bool write)
{
	struct fence *all;
	int ret = write ? join_two(fence_get(bo->write), fence_get(fence), &all) : bo_room(bo);

	if (ret)
		return ret;
	if (!write) {
		put_once(bo->reads, &bo->read_count, fence);
		return 0;
	}
	fence_put(bo->write);
	bo->write = all;
	return 0;
}

static int show_fence(struct bo *bo, struct fence *fence, bool write)
{
	int ret = abroad_room(bo);

	if (!ret)
		abroad_hold(bo, fence, write);
	return ret;
}

/* From now on others see what is under way */
int bo_share(struct bo *bo)
{
	unsigned int i;
	int fd, ret = 0;

	if (bo->exported)
		return 0;
	fd = fd_open_again(bo->memfd);
	if (fd < 0)
		return fd;
	bo->lock_fd = fd;
	bo->exported = true;
	bo->dev->exports = true;
	bo->t_tiled = bo->t_tiled || abroad_is_tiled(bo);
	abroad_tell_tiling(bo);
	if (bo->write)
		ret = show_fence(bo, bo->write, true);
	for (i = 0; i < bo->read_count && !ret; i++)
		ret = show_fence(bo, bo->reads[i], false);
	if (!ret)
		return 0;
	raw_close(bo->lock_fd);
	bo->lock_fd = -1;
	bo->exported = false;
	return ret;
}

/* Room for one more of bo_keep_fence(), before anything is done that needs it */
int bo_keep_room(struct bo *bo)
{
	prune(bo);
	return room(&bo->keeps, bo->keep_count);
}

/* A job that names the BO, and that no other job waits for because of that */
void bo_keep_fence(struct bo *bo, struct fence *fence)
{
	put_once(bo->keeps, &bo->keep_count, fence);
}

/* Of all that uses it. *idle: a reference, or NULL. Return: 0 or -ENOMEM */
int bo_idle_fence(struct bo *bo, struct fence **idle)
{
	struct fence *busy, *kept;
	int ret = bo_fence(bo, true, &busy);

	*idle = NULL;
	if (ret)
		return ret;
	ret = join_list(bo->keeps, bo->keep_count, &kept);
	if (!ret)
		return join_two(busy, kept, idle);
	fence_put(busy);
	return ret;
}

bool own_alloc(struct emu_device *dev, uint32_t size, struct own *own)
{
	own->size = size ? size : 1;
	own->address = space_alloc(&dev->own, own->size, false);
	own->cpu = dev->memory + (own->address - EMU_OWN_BASE);
	return own->address;
}

void own_free(struct emu_device *dev, struct own *own)
{
	if (own->address)
		space_free(&dev->own, own->address, own->size);
	own->address = 0;
}

int emu_create_bo(struct emu_file *file, void *arg)
{
	struct drm_vc4_create_bo *args = arg;
	struct bo *bo;
	int ret;

	if (args->flags || args->pad)
		return -EINVAL;
	pthread_mutex_lock(&file->dev->lock);
	ret = bo_create(file->dev, args->size, true, &bo);
	if (!ret) {
		ret = bo_handle(file, bo, &args->handle);
		bo_put(bo);
	}
	pthread_mutex_unlock(&file->dev->lock);
	return ret;
}

int emu_mmap_bo(struct emu_file *file, void *arg)
{
	struct drm_vc4_mmap_bo *args = arg;
	const struct bo *bo;

	if (args->flags)
		return -EINVAL;
	pthread_mutex_lock(&file->dev->lock);
	bo = bo_find(file, args->handle);
	if (bo && bo->plain)
		args->offset = bo->map_offset;
	else
		bo = NULL;
	pthread_mutex_unlock(&file->dev->lock);
	return bo ? 0 : -EINVAL;
}

static struct bo *bo_at_offset(struct emu_file *file, uint64_t offset, size_t len)
{
	uint32_t i;

	for (i = 0; i < file->handles.size; i++) {
		struct bo *bo = file->handles.entries[i];

		if (bo && offset - bo->map_offset < bo->size &&
		    len <= bo->size - (offset - bo->map_offset))
			return bo;
	}
	return NULL;
}

void *emu_file_mmap(struct emu_file *file, void *addr, size_t len, int prot, int flags,
		    uint64_t offset)
{
	void *at = MAP_FAILED;
	struct bo *bo;
	int error = 0;

	pthread_mutex_lock(&file->dev->lock);
	bo = bo_at_offset(file, offset, len);
	if (!bo || !len || !(flags & MAP_SHARED))
		error = EINVAL;
	else if (!bo->plain)
		error = EPERM;
	else
		at = raw_mmap(addr, len, prot, flags, bo->memfd, offset - bo->map_offset);
	if (at == MAP_FAILED && !error)
		error = errno;
	pthread_mutex_unlock(&file->dev->lock);
	if (error)
		errno = error;
	return at;
}

int emu_gem_close(struct emu_file *file, void *arg)
{
	const struct drm_gem_close *args = arg;
	struct bo *bo;

	if (args->pad)
		return -EINVAL;
	pthread_mutex_lock(&file->dev->lock);
	bo = table_remove(&file->handles, args->handle);
	if (bo)
		handle_gone(bo);
	pthread_mutex_unlock(&file->dev->lock);
	return bo ? 0 : -EINVAL;
}
