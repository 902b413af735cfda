// SPDX-License-Identifier: MIT
/*
 * Planes for x86 processors with AVX2: a quad of doubles is one vector. The same bits as
 * everywhere.
 */
#if defined(__x86_64__)
#pragma GCC target("avx2")

#define PLANES_UNIT const struct planes_unit planes_unit_avx2
#include "back/planes_lanes.h"
#include "bodies.h"
#else
typedef int planes_avx2_is_empty;
#endif
