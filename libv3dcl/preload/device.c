// SPDX-License-Identifier: MIT
/*
 * The device of this process: made when a node is first opened, and the open files behind file
 * descriptors.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload.h"

static struct {
	pthread_mutex_t lock;
	struct emu_device *device;
	pid_t pid;
} here = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void before_fork(void)
{
	pthread_mutex_lock(&here.lock);
	if (here.device)
		emu_device_fork(here.device, -1);
}

static void after_fork(void)
{
	if (here.device)
		emu_device_fork(here.device, 0);
	pthread_mutex_unlock(&here.lock);
}

static void in_child(void)
{
	here.pid = getpid();
	if (here.device)
		emu_device_fork(here.device, 1);
	pthread_mutex_init(&here.lock, NULL);
}

static struct emu_device *make(void)
{
	const struct emu_device_config config = preload_settings();
	struct emu_device *device = emu_device_new(&config);

	if (device)
		pthread_atfork(before_fork, after_fork, in_child);
	here.pid = getpid();
	return device;
}

/* A child of vfork() shares our memory, but its file descriptors are its own: leave them alone */
struct emu_device *preload_device(void)
{
	return here.device && here.pid == getpid() ? here.device : NULL;
}

static bool inode_of(int fd, uint64_t *id)
{
	struct statx stx;

	if (fd < 0 || syscall(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_INO, &stx))
		return false;
	*id = stx.stx_ino | (uint64_t)stx.stx_dev_minor << 48;
	return true;
}

/* What /proc says of a node's memfd */
static const char *const names[] = {
	[NODE_CARD] = "v3d-card0",
	[NODE_RENDER] = "v3d-renderD128",
};

/* Made if need be; here.lock is held */
static struct emu_device *device_locked(void)
{
	if (!here.device)
		here.device = make();
	return preload_device();
}

/*
 * here.lock is held, so that no thread looks for what is open between the file descriptor and the
 * file
 */
static int open_locked(enum node node, int flags)
{
	struct emu_device *device = device_locked();
	uint64_t id;
	int fd;

	if (!device)
		return -1;
	fd = memfd_create(names[node], flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
	if (fd < 0)
		return -1;
	if (!inode_of(fd, &id) || !emu_device_open(device, node == NODE_CARD, id)) {
		syscall(SYS_close, fd);
		errno = ENOMEM;
		return -1;
	}
	return fd;
}

int preload_open(enum node node, int flags)
{
	int fd;

	if (flags & O_DIRECTORY) {
		errno = ENOTDIR;
		return -1;
	}
	pthread_mutex_lock(&here.lock);
	fd = open_locked(node, flags);
	pthread_mutex_unlock(&here.lock);
	return fd;
}

static enum node node_by_name(int fd)
{
	char path[32], link[64], expected[64];
	ssize_t len;
	int node;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	len = syscall(SYS_readlinkat, AT_FDCWD, path, link, sizeof(link) - 1);
	if (len < 0)
		return NODE_NONE;
	link[len] = '\0';
	for (node = NODE_CARD; node <= NODE_RENDER; node++) {
		snprintf(expected, sizeof(expected), "/memfd:%s (deleted)", names[node]);
		if (!strcmp(link, expected))
			return node;
	}
	return NODE_NONE;
}

void preload_received(int fd)
{
	enum node node = node_by_name(fd);
	struct emu_device *device;
	uint64_t id;

	if (!node || !inode_of(fd, &id))
		return;
	pthread_mutex_lock(&here.lock);
	device = device_locked();
	if (device && !emu_device_file(device, id))
		emu_device_open(device, node == NODE_CARD, id);
	pthread_mutex_unlock(&here.lock);
}

struct emu_file *preload_file(int fd)
{
	struct emu_device *device = preload_device();
	uint64_t id;

	return device && inode_of(fd, &id) ? emu_device_file(device, id) : NULL;
}

enum node preload_inode_node(uint64_t inode, unsigned int minor)
{
	struct emu_device *device = preload_device();
	struct emu_file *file = device ? emu_device_file(device, inode | (uint64_t)minor << 48) :
					 NULL;

	if (!file)
		return NODE_NONE;
	return emu_file_primary(file) ? NODE_CARD : NODE_RENDER;
}

struct open_ids {
	uint64_t *ids;
	size_t count, room;
};

static bool is_open(void *opaque, uint64_t id)
{
	const struct open_ids *open = opaque;
	size_t i;

	for (i = 0; i < open->count; i++)
		if (open->ids[i] == id)
			return true;
	return false;
}

static bool add_id(struct open_ids *open, uint64_t id)
{
	size_t room = open->room ? 2 * open->room : 64;
	uint64_t *ids;

	if (open->count == open->room) {
		ids = realloc(open->ids, room * sizeof(*ids));
		if (!ids)
			return false;
		open->ids = ids;
		open->room = room;
	}
	open->ids[open->count++] = id;
	return true;
}

/*
 * All file descriptors are looked at: closing a device is rare, duplicating its file descriptor is
 * not ours to see
 */
void preload_closed(void)
{
	struct open_ids open = { 0 };
	struct dirent *entry;
	bool complete;
	uint64_t id;
	DIR *dir;

	pthread_mutex_lock(&here.lock);
	dir = opendir("/proc/self/fd");
	complete = dir;
	while (dir && (entry = readdir(dir)))
		if (*entry->d_name != '.' && inode_of(atoi(entry->d_name), &id))
			complete = complete && add_id(&open, id);
	if (dir)
		closedir(dir);
	if (complete)
		emu_device_keep_files(here.device, is_open, &open);
	pthread_mutex_unlock(&here.lock);
	free(open.ids);
}

__attribute__((destructor)) static void print_stats(void)
{
	struct emu_device *device = preload_device();

	if (!device || !getenv("V3D_STATS"))
		return;
	emu_device_idle(device);
	emu_device_stats(device, stderr);
}
