// SPDX-License-Identifier: MIT
/* Planes at the pixels of a batch: see planes.h. */
#include "planes_lanes.h"

const struct planes_unit *planes_unit(void)
{
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2"))
		return &planes_unit_avx2;
#endif
	return &unit;
}
