// SPDX-License-Identifier: MIT
/* Texture lookups for every machine. */
#define TMU_SAMPLE tmu_sample_any
#include "tmu_lanes.h"
