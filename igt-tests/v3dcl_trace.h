/* SPDX-License-Identifier: MIT */
/* The driver's tracepoints, in an instance of the tracer that no other test uses. For root. */
#ifndef V3DCL_TRACE_H
#define V3DCL_TRACE_H

#include <sys/mount.h>

#include "v3dcl_igt.h"

#define TRACEFS "/sys/kernel/tracing"
#define TRACE_INSTANCE TRACEFS "/instances/v3dcl"
#define TRACE_BYTES (1u << 20)

static inline void trace_write(const char *name, const char *text)
{
	char path[256];
	int file;

	snprintf(path, sizeof(path), TRACE_INSTANCE "/%s", name);
	file = open(path, O_WRONLY);
	igt_assert_f(file >= 0, "%s: %s\n", path, strerror(errno));
	igt_assert_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
	close(file);
}

/* From here on all of the driver's events are recorded */
static inline void trace_begin(void)
{
	struct stat st;

	if (stat(TRACEFS "/instances", &st))
		mount("tracefs", TRACEFS, "tracefs", 0, NULL);
	igt_require_f(!stat(TRACEFS "/events/bcm2835_v3d", &st), "no tracepoints\n");
	rmdir(TRACE_INSTANCE);
	igt_assert_eq(mkdir(TRACE_INSTANCE, 0700), 0);
	trace_write("events/bcm2835_v3d/enable", "1");
}

/* Nothing is recorded any more. Return: what was, to be freed */
static inline char *trace_end(void)
{
	char *text = calloc(1, TRACE_BYTES + 1);
	size_t bytes = 0;
	ssize_t more;
	int file;

	igt_assert(text);
	trace_write("events/bcm2835_v3d/enable", "0");
	file = open(TRACE_INSTANCE "/trace", O_RDONLY);
	igt_assert(file >= 0);
	while ((more = read(file, text + bytes, TRACE_BYTES - bytes)) > 0)
		bytes += more;
	close(file);
	igt_assert_eq(more, 0);
	igt_assert_eq(rmdir(TRACE_INSTANCE), 0);
	return text;
}

#endif /* V3DCL_TRACE_H */
