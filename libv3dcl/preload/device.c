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
#include "v3dsim.h"

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

static unsigned int trace_kinds(const char *words)
{
	static const struct {
		const char *word;
		unsigned int kind;
	} kinds[] = {
		{ "qpu", V3DSIM_TRACE_QPU }, { "cle", V3DSIM_TRACE_CLE },
		{ "mem", V3DSIM_TRACE_MEM }, { "reg", V3DSIM_TRACE_REG },
	};
	unsigned int mask = 0, i;

	for (i = 0; words && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strstr(words, kinds[i].word))
			mask |= kinds[i].kind;
	return mask;
}

static uint64_t number(const char *name)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 0) : 0;
}

static enum v3dsim_caches caches(void)
{
	const char *text = getenv("V3D_CACHES");

	return text && !strcmp(text, "model") ? V3DSIM_CACHES_MODEL : V3DSIM_CACHES_IDEAL;
}

/* WIDTHxHEIGHT */
static uint32_t display_size(int which)
{
	const char *text = getenv("V3D_DISPLAY");
	unsigned int size[2];

	return text && sscanf(text, "%ux%u", &size[0], &size[1]) == 2 && size[0] <= 4096 &&
			       size[1] <= 4096 ?
		       size[which] :
		       0;
}

/* A wrong one ends the program: it was meant to run on another chip than it would. */
static const char *chip(void)
{
	const char *text = getenv("V3D_CHIP");
	char error[256];

	if (!v3dsim_chip_check(text, error, sizeof(error))) {
		fprintf(stderr, "v3d: V3D_CHIP: %s\n", error);
		_exit(2);
	}
	return text;
}

static struct emu_device *make(void)
{
	const struct emu_device_config config = {
		.budget = number("V3D_MEMORY"),
		.caches = caches(),
		.trace = trace_kinds(getenv("V3D_TRACE")),
		.limit_ms = number("V3D_LIMIT_MS"),
		.threads = number("V3D_THREADS"),
		.reference = getenv("V3D_REFERENCE"),
		.chip = chip(),
		.quiet = getenv("V3D_QUIET"),
		.width = display_size(0),
		.height = display_size(1),
		.shown = getenv("V3D_FRAMES") ? preload_frame : NULL,
		.root_only = getenv("V3D_ROOT_ONLY"),
		.unverified = getenv("V3D_UNVERIFIED"),
	};
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

/*
 * here.lock is held, so that no thread looks for what is open between the file descriptor and the
 * file
 */
static int open_locked(enum node node, int flags)
{
	struct emu_device *device;
	uint64_t id;
	int fd;

	if (!here.device)
		here.device = make();
	device = preload_device();
	if (!device)
		return -1;
	fd = memfd_create(node == NODE_CARD ? "v3d-card0" : "v3d-renderD128",
			  flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
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
