// SPDX-License-Identifier: MIT
/* Instructions the short way: see qpu_plain.h. */
#include "qpu_plain_lanes.h"

qpu_plain qpu_plain_best(void)
{
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2"))
		return qpu_plain_avx2;
#endif
	return run_plain;
}
