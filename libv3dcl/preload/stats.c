// SPDX-License-Identifier: MIT
/*
 * libc's functions that tell what a file is. On the 64-bit machines that we run on, struct stat and
 * stat64 are the same.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "preload.h"

_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "one kind of struct stat");

/* Called by programs that were built with older glibcs; no header declares them any more */
int __xstat(int version, const char *path, struct stat *st);
int __xstat64(int version, const char *path, struct stat64 *st);
int __lxstat(int version, const char *path, struct stat *st);
int __lxstat64(int version, const char *path, struct stat64 *st);
int __fxstat(int version, int fd, struct stat *st);
int __fxstat64(int version, int fd, struct stat64 *st);

static unsigned int minor_of(enum node node)
{
	return node == NODE_CARD ? CARD_MINOR : RENDER_MINOR;
}

/* A node is there for every user, also where not every user may read the folder of our tree */
static bool is_hidden(int ret, enum node node)
{
	return ret && node && errno == EACCES;
}

static int seem(int ret, enum node node, void *buffer)
{
	struct stat *st = buffer;

	if (is_hidden(ret, node)) {
		memset(st, 0, sizeof(*st));
		st->st_nlink = 1;
		ret = 0;
	}
	if (!ret && node) {
		st->st_mode = S_IFCHR | 0666;
		st->st_rdev = makedev(DRM_MAJOR, minor_of(node));
		st->st_size = 0;
	}
	return ret;
}

static int seem_fd(int ret, void *buffer)
{
	struct stat *st = buffer;

	return ret ? ret : seem(ret, preload_inode_node(st->st_ino, minor(st->st_dev)), st);
}

#define STAT(name, type) \
	INTERCEPT int name(const char *path, struct type *st) \
	{ \
		char buffer[PATH_MAX]; \
		\
		return seem(NEXT(name)(preload_path(path, buffer), st), preload_node(path), st); \
	}

STAT(stat, stat)
STAT(stat64, stat64)
STAT(lstat, stat)
STAT(lstat64, stat64)

#define XSTAT(name, type) \
	INTERCEPT int name(int version, const char *path, struct type *st) \
	{ \
		char buffer[PATH_MAX]; \
\
		return seem(NEXT(name)(version, preload_path(path, buffer), st), \
			    preload_node(path), st); \
	}

XSTAT(__xstat, stat)
XSTAT(__xstat64, stat64)
XSTAT(__lxstat, stat)
XSTAT(__lxstat64, stat64)

INTERCEPT int fstat(int fd, struct stat *st)
{
	return seem_fd(NEXT(fstat)(fd, st), st);
}

INTERCEPT int fstat64(int fd, struct stat64 *st)
{
	return seem_fd(NEXT(fstat64)(fd, st), st);
}

INTERCEPT int __fxstat(int version, int fd, struct stat *st)
{
	return seem_fd(NEXT(__fxstat)(version, fd, st), st);
}

INTERCEPT int __fxstat64(int version, int fd, struct stat64 *st)
{
	return seem_fd(NEXT(__fxstat64)(version, fd, st), st);
}

#define STATAT(name, type) \
	INTERCEPT int name(int dir, const char *path, struct type *st, int flags) \
	{ \
		char buffer[PATH_MAX]; \
		int ret = NEXT(name)(dir, preload_path(path, buffer), st, flags); \
		\
		return preload_node(path) ? seem(ret, preload_node(path), st) : seem_fd(ret, st); \
	}

STATAT(fstatat, stat)
STATAT(fstatat64, stat64)

INTERCEPT int statx(int dir, const char *path, int flags, unsigned int mask, struct statx *stx)
{
	char buffer[PATH_MAX];
	int ret = NEXT(statx)(dir, preload_path(path, buffer), flags, mask, stx);
	enum node node = ret && errno != EACCES ? NODE_NONE : preload_node(path);

	if (is_hidden(ret, node)) {
		memset(stx, 0, sizeof(*stx));
		stx->stx_mask = STATX_TYPE | STATX_MODE | STATX_NLINK;
		stx->stx_nlink = 1;
		ret = 0;
	}
	if (!ret && !node)
		node = preload_inode_node(stx->stx_ino, stx->stx_dev_minor);
	if (node) {
		stx->stx_mode = S_IFCHR | 0666;
		stx->stx_rdev_major = DRM_MAJOR;
		stx->stx_rdev_minor = minor_of(node);
		stx->stx_size = 0;
	}
	return ret;
}
