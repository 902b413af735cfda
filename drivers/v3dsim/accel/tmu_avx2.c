// SPDX-License-Identifier: MIT
/*
 * Texture lookups for x86 processors with AVX2: a vector is half of the 16 lanes. The same bits as
 * everywhere.
 */
#if defined(__x86_64__)
#pragma GCC target("avx2")

#define TMU_TABLE const struct tmu_table tmu_table_avx2
#include "tmu/tmu_lanes.h"
#include "bodies.h"
#else
typedef int tmu_avx2_is_empty;
#endif
