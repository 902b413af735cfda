// SPDX-License-Identifier: MIT
/*
 * sync_files: file descriptors that become readable when a fence ends. Each is a pipe that is open
 * at both ends, so that it never hangs up; a byte in it says that the fence has ended. Which pipe
 * it is tells its inode, in whichever process it was duplicated or passed on.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/sync_file.h>

#include "internal.h"

/* how many may be there before those are looked for that are not open any more */
#define SWEEP 64

struct sync_file {
	struct fence_watch watch;
	struct sync_file *next;
	uint64_t inode;
	struct fence *fence;
	int signal;		/* our end, until the fence has ended; else -1 */
	bool seen;
	char name[32];
};

static void tell(struct fence_watch *watch, struct fence *fence)
{
	struct sync_file *file = (struct sync_file *)watch;
	ssize_t done = file->signal < 0 ? 0 : write(file->signal, "", 1);

	(void)done;
	(void)fence;
	raw_close(file->signal);
	file->signal = -1;
}

static void sync_file_free(struct sync_file *file)
{
	raw_close(file->signal);
	fence_put(file->fence);
	free(file);
}

void sync_files_free(struct emu_device *dev)
{
	struct sync_file *next;

	for (; dev->sync_files; dev->sync_files = next) {
		next = dev->sync_files->next;
		sync_file_free(dev->sync_files);
	}
}

/* The parent's jobs tell when they end, through the same pipes */
void sync_files_forked(struct emu_device *dev)
{
	struct sync_file *file;

	for (file = dev->sync_files; file; file = file->next) {
		raw_close(file->signal);
		file->signal = -1;
	}
}

static struct sync_file *find(struct emu_device *dev, uint64_t inode)
{
	struct sync_file *file;

	for (file = dev->sync_files; file && file->inode != inode; file = file->next)
		;
	return file;
}

static void mark_open(struct emu_device *dev)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;
	struct sync_file *file;
	uint64_t inode;

	while (dir && (entry = readdir(dir))) {
		if (!fd_inode(atoi(entry->d_name), &inode))
			continue;
		file = find(dev, inode);
		if (file)
			file->seen = true;
	}
	if (dir)
		closedir(dir);
}

/* Those whose fence has ended and which are not open any more go */
static void sweep(struct emu_device *dev)
{
	struct sync_file **link, *file;
	unsigned int count = 0;

	for (file = dev->sync_files; file; file = file->next) {
		file->seen = false;
		count += file->signal < 0;
	}
	if (count < SWEEP)
		return;
	mark_open(dev);
	for (link = &dev->sync_files; (file = *link);) {
		if (file->seen || file->signal >= 0) {
			link = &file->next;
			continue;
		}
		*link = file->next;
		sync_file_free(file);
	}
}

/*
 * The reader's end, open for writing too, and ours, open for reading: a pipe without a reader would
 * kill who writes to it
 */
static int open_pipe(int *signal)
{
	char path[32];
	int ends[2], fd;

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
		return -errno;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	*signal = fd_own(open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK));
	raw_close(ends[0]);
	raw_close(ends[1]);
	if (fd < 0 || *signal < 0) {
		raw_close(fd);
		raw_close(*signal);
		return -EMFILE;
	}
	return fd;
}

int sync_file_create(struct emu_device *dev, struct fence *fence)
{
	struct sync_file *file = calloc(1, sizeof(*file));
	int fd;

	if (!file)
		return -ENOMEM;
	sweep(dev);
	fd = open_pipe(&file->signal);
	if (fd < 0 || !fd_inode(fd, &file->inode)) {
		free(file);
		return fd < 0 ? fd : -ENOMEM;
	}
	snprintf(file->name, sizeof(file->name), "v3d-%llu", (unsigned long long)fence->seqno);
	file->fence = fence_get(fence);
	file->next = dev->sync_files;
	dev->sync_files = file;
	file->watch.fn = tell;
	abroad_hold_pipe(file->signal);
	fence_watch(fence, &file->watch);
	return fd;
}

/* One that another process's device made, and tells of */
static int adopt(struct emu_device *dev, int fd, uint64_t inode, struct sync_file **adopted)
{
	struct fence *fence;
	struct sync_file *file;
	int ret = abroad_sync_file(dev, fd, &fence);

	if (ret)
		return ret;
	file = calloc(1, sizeof(*file));
	if (!file) {
		fence_put(fence);
		return -ENOMEM;
	}
	sweep(dev);
	*file = (struct sync_file){ .next = dev->sync_files, .inode = inode, .fence = fence,
				    .signal = -1, .name = "v3d" };
	dev->sync_files = file;
	*adopted = file;
	return 0;
}

int sync_file_fence(struct emu_device *dev, int fd, struct fence **fence)
{
	struct sync_file *file;
	uint64_t inode;
	int ret;

	*fence = NULL;
	if (!fd_inode(fd, &inode))
		return -EINVAL;
	file = find(dev, inode);
	if (!file) {
		ret = adopt(dev, fd, inode, &file);
		if (ret)
			return ret;
	}
	*fence = fence_get(file->fence);
	return 0;
}

static int merge(struct emu_device *dev, const struct sync_file *file, void *arg)
{
	struct sync_merge_data args;
	struct fence *parts[2], *all;
	int ret = user_read(&args, (uintptr_t)arg, sizeof(args));

	if (ret)
		return ret;
	if (args.flags || args.pad)
		return -EINVAL;
	parts[0] = file->fence;
	ret = sync_file_fence(dev, args.fd2, &parts[1]);
	if (ret)
		return ret == -EINVAL ? -ENOENT : ret;
	all = fence_all(parts, 2);
	fence_put(parts[1]);
	ret = all ? sync_file_create(dev, all) : -ENOMEM;
	fence_put(all);
	if (ret < 0)
		return ret;
	args.name[sizeof(args.name) - 1] = 0;
	memcpy(dev->sync_files->name, args.name, sizeof(args.name));
	args.fence = ret;
	return user_write((uintptr_t)arg, &args, sizeof(args));
}

static int status_of(const struct fence *fence)
{
	if (!fence->signalled)
		return 0;
	return fence->error ? fence->error : 1;
}

/* The jobs behind a fence, however they were put together */
static unsigned int count_leaves(const struct fence *fence, struct sync_fence_info *infos,
				 unsigned int room, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < fence->part_count; i++)
		count = count_leaves(fence->parts[i], infos, room, count);
	if (fence->part_count)
		return count;
	if (count < room) {
		struct sync_fence_info *info = &infos[count];

		memset(info, 0, sizeof(*info));
		strcpy(info->obj_name, "v3d");
		strcpy(info->driver_name, "bcm2835_v3d");
		info->status = status_of(fence);
		info->timestamp_ns = fence->signalled ? fence->stamp_ns : 0;
	}
	return count + 1;
}

static int file_info(const struct sync_file *file, void *arg)
{
	struct sync_fence_info *infos = NULL;
	struct sync_file_info args;
	unsigned int count = count_leaves(file->fence, NULL, 0, 0);
	int ret = user_read(&args, (uintptr_t)arg, sizeof(args));

	if (ret)
		return ret;
	if (args.flags || args.pad)
		return -EINVAL;
	if (args.num_fences && args.num_fences < count)
		return -EINVAL;
	if (args.num_fences) {
		infos = calloc(count, sizeof(*infos));
		if (!infos)
			return -ENOMEM;
		count_leaves(file->fence, infos, count, 0);
		ret = user_write(args.sync_fence_info, infos, count * sizeof(*infos));
		free(infos);
	}
	if (ret)
		return ret;
	memcpy(args.name, file->name, sizeof(args.name));
	args.status = status_of(file->fence);
	args.num_fences = count;
	return user_write((uintptr_t)arg, &args, sizeof(args));
}

int sync_file_ioctl(struct emu_device *dev, int fd, unsigned long request, void *arg)
{
	struct sync_file *file;
	uint64_t inode;

	if (!fd_inode(fd, &inode))
		return -EBADF;
	file = find(dev, inode);
	if (!file)
		return -ENOTTY;
	switch (request) {
	case SYNC_IOC_MERGE:
		return merge(dev, file, arg);
	case SYNC_IOC_FILE_INFO:
		return file_info(file, arg);
	default:
		return -ENOTTY;
	}
}
