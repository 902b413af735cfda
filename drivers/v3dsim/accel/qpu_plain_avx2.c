// SPDX-License-Identifier: MIT
/*
 * Instructions the short way for x86 processors with AVX2: a vector is half of the 16 lanes. The
 * same bits as everywhere.
 */
#if defined(__x86_64__)
#pragma GCC target("avx2")

#define QPU_PLAIN uint64_t qpu_plain_avx2
#include "qpu_plain_lanes.h"
#else
typedef int qpu_plain_avx2_is_empty;
#endif
