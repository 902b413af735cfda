/* SPDX-License-Identifier: MIT */
/* An ioctl, for programs that have neither libdrm nor IGT. */
#ifndef V3DCL_IGT_TESTS_IOCTL_H
#define V3DCL_IGT_TESTS_IOCTL_H

#include <errno.h>
#include <sys/ioctl.h>

/* An ioctl, however often signals interrupt it. Return: 0 or an errno */
static inline int call(int fd, unsigned long request, void *arg)
{
	int ret;

	do {
		ret = ioctl(fd, request, arg);
	} while (ret == -1 && (errno == EINTR || errno == EAGAIN));
	return ret ? errno : 0;
}

#endif /* V3DCL_IGT_TESTS_IOCTL_H */
