// SPDX-License-Identifier: MIT
/*
 * What is the process's: its memory, through pointers that may be bad, its file descriptors, its
 * clock.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

#define LOW_FDS 1024	/* select() knows no higher ones */

/* The kernel copies, and says EFAULT where we would crash */
static int user_copy(bool write, void *here, uint64_t there, size_t size)
{
	struct iovec local = { .iov_base = here, .iov_len = size };
	struct iovec remote = { .iov_base = (void *)(uintptr_t)there, .iov_len = size };
	ssize_t done;

	if (!size)
		return 0;
	if (write)
		done = process_vm_writev(getpid(), &local, 1, &remote, 1, 0);
	else
		done = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
	return done == (ssize_t)size ? 0 : -EFAULT;
}

int user_read(void *to, uint64_t from, size_t size)
{
	return user_copy(false, to, from, size);
}

int user_write(uint64_t to, const void *from, size_t size)
{
	return user_copy(true, (void *)(uintptr_t)from, to, size);
}

int user_dup(void **copy, uint64_t from, uint64_t count, size_t size)
{
	int ret;

	*copy = NULL;
	if (!count)
		return 0;
	if (count > SIZE_MAX / 2 / size)
		return -ENOMEM;
	*copy = malloc(count * size);
	if (!*copy)
		return -ENOMEM;
	ret = user_read(*copy, from, count * size);
	if (ret) {
		free(*copy);
		*copy = NULL;
	}
	return ret;
}

int fd_own(int fd)
{
	int high;

	if (fd < 0)
		return -errno;
	high = fcntl(fd, F_DUPFD_CLOEXEC, LOW_FDS);
	if (high < 0)
		return fd;
	syscall(SYS_close, fd);
	return high;
}

/* Not by fstat(), which may be ours */
static bool fd_statx(int fd, struct statx *stx)
{
	return !syscall(SYS_statx, fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, stx);
}

/* What the kernel makes without a disk is on devices without a major number, all of ours too */
bool fd_inode(int fd, uint64_t *inode)
{
	struct statx stx;

	if (!fd_statx(fd, &stx))
		return false;
	*inode = stx.stx_dev_major ? UINT64_MAX : stx.stx_ino | (uint64_t)stx.stx_dev_minor << 48;
	return true;
}

unsigned int fd_mode(int fd)
{
	struct statx stx;

	return fd_statx(fd, &stx) ? stx.stx_mode : 0;
}

int64_t fd_size(int fd)
{
	struct statx stx;

	return fd_statx(fd, &stx) ? (int64_t)stx.stx_size : -1;
}

/* Not by poll(), which may be ours */
bool fd_readable(int fd)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };
	struct timespec now = { 0 };

	return syscall(SYS_ppoll, &pollfd, 1, &now, NULL, 0) == 1 && pollfd.revents & POLLIN;
}

int fd_open_again(int fd)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return fd_own(open(path, O_RDWR | O_CLOEXEC));
}

/* What a library that shows the device to programs may intercept goes past it */
void *raw_mmap(void *addr, size_t len, int prot, int flags, int fd, uint64_t offset)
{
	return (void *)syscall(SYS_mmap, addr, len, prot, flags, fd, offset);
}

void raw_close(int fd)
{
	if (fd >= 0)
		syscall(SYS_close, fd);
}

bool fd_is_eventfd(int fd)
{
	char path[32], target[64];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	len = syscall(SYS_readlinkat, AT_FDCWD, path, target, sizeof(target) - 1);
	if (len < 0)
		return false;
	target[len] = 0;
	return strstr(target, "[eventfd]");
}
