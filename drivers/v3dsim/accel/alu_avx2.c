// SPDX-License-Identifier: MIT
/*
 * The ALUs' operations for x86 processors with AVX2: a vector is half of the 16 lanes. The same
 * bits as everywhere.
 */
#if defined(__x86_64__)
#pragma GCC target("avx2")

#define ALU_TABLE const struct alu_table alu_table_avx2
#include "qpu/alu_lanes.h"
#include "bodies.h"
#else
typedef int alu_avx2_is_empty;
#endif
