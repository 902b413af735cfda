// SPDX-License-Identifier: MIT
/* Texture lookups for every machine. */
#define TMU_TABLE const struct tmu_table tmu_table_any
#include "tmu_lanes.h"
