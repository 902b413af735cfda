/* SPDX-License-Identifier: MIT */
/*
 * Tables of what is done on all lanes, compiled for x86 processors with AVX2: a vector is half of
 * the 16 lanes.
 */
#ifndef V3DSIM_BODIES_H
#define V3DSIM_BODIES_H

#include "tmu/tmu_filter.h"
#include "qpu/alu.h"
#include "back/planes.h"

#if defined(__x86_64__)
extern const struct alu_table alu_table_avx2;
extern const struct planes_unit planes_unit_avx2;
extern const struct tmu_table tmu_table_avx2;
#endif

#endif /* V3DSIM_BODIES_H */
