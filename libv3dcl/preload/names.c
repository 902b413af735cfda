// SPDX-License-Identifier: MIT
/* libc's functions that take paths. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload.h"

/* Programs built with _FORTIFY_SOURCE call these; no header declares them */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dir, const char *path, int flags);
int __openat64_2(int dir, const char *path, int flags);
ssize_t __readlink_chk(const char *path, char *target, size_t size, size_t room);
char *__realpath_chk(const char *path, char *resolved, size_t room);

static mode_t mode_of(int flags, va_list args)
{
	return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(args, mode_t) : 0;
}

#define OPEN(name) \
	INTERCEPT int name(const char *path, int flags, ...) \
	{ \
		enum node node = preload_node(path); \
		char buffer[PATH_MAX]; \
		va_list args; \
		mode_t mode; \
		\
		if (node) \
			return preload_open(node, flags); \
		va_start(args, flags); \
		mode = mode_of(flags, args); \
		va_end(args); \
		return NEXT(name)(preload_path(path, buffer), flags, mode); \
	}

#define OPENAT(name) \
	INTERCEPT int name(int dir, const char *path, int flags, ...) \
	{ \
		enum node node = preload_node(path); \
		char buffer[PATH_MAX]; \
		va_list args; \
		mode_t mode; \
		\
		if (node) \
			return preload_open(node, flags); \
		va_start(args, flags); \
		mode = mode_of(flags, args); \
		va_end(args); \
		return NEXT(name)(dir, preload_path(path, buffer), flags, mode); \
	}

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

INTERCEPT int __open_2(const char *path, int flags)
{
	return open(path, flags);
}

INTERCEPT int __open64_2(const char *path, int flags)
{
	return open64(path, flags);
}

INTERCEPT int __openat_2(int dir, const char *path, int flags)
{
	return openat(dir, path, flags);
}

INTERCEPT int __openat64_2(int dir, const char *path, int flags)
{
	return openat64(dir, path, flags);
}

INTERCEPT FILE *fopen(const char *path, const char *mode)
{
	char buffer[PATH_MAX];

	return NEXT(fopen)(preload_path(path, buffer), mode);
}

INTERCEPT FILE *fopen64(const char *path, const char *mode)
{
	char buffer[PATH_MAX];

	return NEXT(fopen64)(preload_path(path, buffer), mode);
}

INTERCEPT DIR *opendir(const char *path)
{
	char buffer[PATH_MAX];

	return NEXT(opendir)(preload_path(path, buffer));
}

#define SCANDIR(name, entry) \
	INTERCEPT int name(const char *path, struct entry ***list, \
			   int (*filter)(const struct entry *), \
			   int (*compare)(const struct entry **, const struct entry **)) \
	{ \
		char buffer[PATH_MAX]; \
\
		return NEXT(name)(preload_path(path, buffer), list, filter, compare); \
	}

SCANDIR(scandir, dirent)
SCANDIR(scandir64, dirent64)

/* Every user may read and write a node, see stats.c */
static int may(int ret, const char *path, int mode)
{
	if (ret && errno == EACCES && preload_node(path) && !(mode & X_OK))
		return 0;
	return ret;
}

INTERCEPT int access(const char *path, int mode)
{
	char buffer[PATH_MAX];

	return may(NEXT(access)(preload_path(path, buffer), mode), path, mode);
}

INTERCEPT int faccessat(int dir, const char *path, int mode, int flags)
{
	char buffer[PATH_MAX];

	return may(NEXT(faccessat)(dir, preload_path(path, buffer), mode, flags), path, mode);
}

/* /proc tells of the memfd behind a node: the name of the node instead. 0: it is none of ours. */
static ssize_t read_node_link(const char *path, char *target, size_t size)
{
	static const char folder[] = "/proc/self/fd/";
	struct emu_file *file;
	const char *name;
	char *end;
	long fd;

	if (!path || strncmp(path, folder, strlen(folder)))
		return 0;
	fd = strtol(path + strlen(folder), &end, 10);
	if (*end || fd < 0 || fd > INT_MAX)
		return 0;
	file = preload_file(fd);
	if (!file)
		return 0;
	name = emu_file_primary(file) ? CARD_PATH : RENDER_PATH;
	size = MIN(size, strlen(name));
	memcpy(target, name, size);
	return size;
}

INTERCEPT ssize_t readlink(const char *path, char *target, size_t size)
{
	char buffer[PATH_MAX];
	ssize_t len = read_node_link(path, target, size);

	return len ? len : NEXT(readlink)(preload_path(path, buffer), target, size);
}

INTERCEPT ssize_t __readlink_chk(const char *path, char *target, size_t size, size_t room)
{
	if (size > room)
		abort();
	return readlink(path, target, size);
}

INTERCEPT ssize_t readlinkat(int dir, const char *path, char *target, size_t size)
{
	char buffer[PATH_MAX];
	ssize_t len = read_node_link(path, target, size);

	return len ? len : NEXT(readlinkat)(dir, preload_path(path, buffer), target, size);
}

INTERCEPT char *realpath(const char *path, char *resolved)
{
	char buffer[PATH_MAX], *real = NEXT(realpath)(preload_path(path, buffer), resolved);

	if (real)
		preload_strip(real);
	return real;
}

INTERCEPT char *__realpath_chk(const char *path, char *resolved, size_t room)
{
	if (room < PATH_MAX)
		abort();
	return realpath(path, resolved);
}
