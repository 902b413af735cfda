/* SPDX-License-Identifier: MIT */
/*
 * Clocks of the benchmarks.
 */
#ifndef V3DSIM_TESTS_SECONDS_H
#define V3DSIM_TESTS_SECONDS_H

#include <time.h>

static inline double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec + t.tv_nsec * 0.000000001;
}

/* What this process has had of the CPU: other processes do not change it */
static inline double cpu_seconds(void)
{
	return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

#endif /* V3DSIM_TESTS_SECONDS_H */
