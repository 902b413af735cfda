// SPDX-License-Identifier: MIT
/* libc's functions that take file descriptors. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload.h"

#define TYPE_DRM 'd'
#define TYPE_DMA_BUF 'b'
#define TYPE_SYNC_FILE '>'

ssize_t __read_chk(int fd, void *buffer, size_t size, size_t room);
int __poll_chk(struct pollfd *fds, nfds_t count, int timeout_ms, size_t room);
int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
		const sigset_t *mask, size_t room);

static int answer(int ret)
{
	if (ret >= 0)
		return ret;
	errno = -ret;
	return -1;
}

INTERCEPT int ioctl(int fd, unsigned long request, ...)
{
	struct emu_device *device = preload_device();
	struct emu_file *file;
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (_IOC_TYPE(request) == TYPE_DRM) {
		file = preload_file(fd);
		if (file)
			return answer(emu_file_ioctl(file, request, arg));
	}
	if (_IOC_TYPE(request) == TYPE_DMA_BUF || _IOC_TYPE(request) == TYPE_SYNC_FILE)
		if (device && emu_device_knows(device, fd))
			return answer(emu_device_fd_ioctl(device, fd, request, arg));
	return NEXT(ioctl)(fd, request, arg);
}

#define MMAP(name, type) \
	INTERCEPT void *name(void *addr, size_t len, int prot, int flags, int fd, type offset) \
	{ \
		struct emu_file *file = flags & MAP_SHARED ? preload_file(fd) : NULL; \
		\
		if (file) \
			return emu_file_mmap(file, addr, len, prot, flags, offset); \
		return (void *)syscall(SYS_mmap, addr, len, prot, flags, fd, offset); \
	}

MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

INTERCEPT ssize_t read(int fd, void *buffer, size_t size)
{
	struct emu_file *file = preload_file(fd);
	ssize_t ret;

	if (!file)
		return NEXT(read)(fd, buffer, size);
	ret = emu_file_read(file, buffer, size);
	if (ret >= 0)
		return ret;
	errno = -ret;
	return -1;
}

INTERCEPT ssize_t __read_chk(int fd, void *buffer, size_t size, size_t room)
{
	if (size > room)
		abort();
	return read(fd, buffer, size);
}

INTERCEPT int close(int fd)
{
	bool ours = preload_file(fd);
	int ret = NEXT(close)(fd);

	if (ours)
		preload_closed();
	return ret;
}

/* X11's DRI3 hands its clients a node that the server has opened */
INTERCEPT ssize_t recvmsg(int socket, struct msghdr *message, int flags)
{
	ssize_t ret = NEXT(recvmsg)(socket, message, flags);
	struct cmsghdr *header = ret < 0 ? NULL : CMSG_FIRSTHDR(message);
	int fd, saved = errno;
	size_t at;

	for (; header; header = CMSG_NXTHDR(message, header)) {
		if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
			continue;
		for (at = CMSG_LEN(0); at + sizeof(fd) <= header->cmsg_len; at += sizeof(fd)) {
			memcpy(&fd, (const char *)header + at, sizeof(fd));
			preload_received(fd);
		}
	}
	errno = saved;
	return ret;
}

static int real_poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
	return NEXT(poll)(fds, count, timeout_ms);
}

INTERCEPT int poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
	struct emu_device *device = preload_device();

	return device ? emu_device_poll(device, fds, count, timeout_ms, real_poll) :
			real_poll(fds, count, timeout_ms);
}

INTERCEPT int __poll_chk(struct pollfd *fds, nfds_t count, int timeout_ms, size_t room)
{
	if (room / sizeof(*fds) < count)
		abort();
	return poll(fds, count, timeout_ms);
}

/*
 * Its signals are blocked around the whole, not only while it waits: those that wait for a dma-buf
 * do not change them
 */
INTERCEPT int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
		    const sigset_t *mask)
{
	struct emu_device *device = preload_device();
	int ret, timeout_ms = timeout ? (int)(timeout->tv_sec * 1000 +
					      (timeout->tv_nsec + 999999) / 1000000) :
					-1;
	sigset_t old;

	if (!device)
		return NEXT(ppoll)(fds, count, timeout, mask);
	if (mask)
		pthread_sigmask(SIG_SETMASK, mask, &old);
	ret = poll(fds, count, timeout_ms);
	if (mask)
		pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ret;
}

INTERCEPT int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
			  const sigset_t *mask, size_t room)
{
	if (room / sizeof(*fds) < count)
		abort();
	return ppoll(fds, count, timeout, mask);
}
