/* SPDX-License-Identifier: MIT */
/*
 * Small things that several folders of the library need; not for callers.
 */
#ifndef V3DCL_BASE_HELPERS_H
#define V3DCL_BASE_HELPERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

/* How many elements an array has */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Are @length bytes at @text this name? */
static inline bool same_text(const char *name, const char *text, size_t length)
{
	return !strncmp(name, text, length) && !name[length];
}

/* Nanoseconds of the monotonic clock */
static inline int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

#endif /* V3DCL_BASE_HELPERS_H */
