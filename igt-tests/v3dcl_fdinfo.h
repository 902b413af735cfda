/* SPDX-License-Identifier: MIT */
/* What /proc says of an open file: keys of the kernel's drm-usage-stats.rst. */
#ifndef V3DCL_FDINFO_H
#define V3DCL_FDINFO_H

#include "v3dcl_igt.h"

static inline void fdinfo_read(int fd, char *text, size_t size)
{
	char path[64];
	ssize_t bytes;
	int file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = open(path, O_RDONLY);
	igt_assert(file >= 0);
	bytes = read(file, text, size - 1);
	igt_assert_lt(0, bytes);
	text[bytes] = 0;
	close(file);
}

/*
 * How long the file's jobs had an engine, in ns: from the start of jobs on the hardware to their
 * end, just before the fence
 */
static inline unsigned long long engine_ns(int fd, const char *engine)
{
	char text[4096], key[64], *at, *unit;
	unsigned long long ns;

	fdinfo_read(fd, text, sizeof(text));
	snprintf(key, sizeof(key), "drm-engine-%s:", engine);
	at = strstr(text, key);
	igt_assert_f(at, "no %s in fdinfo:\n%s", key, text);
	ns = strtoull(at + strlen(key), &unit, 10);
	igt_assert(!strncmp(unit, " ns\n", 4));
	return ns;
}

#endif /* V3DCL_FDINFO_H */
