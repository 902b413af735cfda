// SPDX-License-Identifier: MIT
/* Planes at the pixels of a batch, for every machine: see planes.h. */
#define PLANES_UNIT const struct planes_unit planes_unit_any
#include "planes_lanes.h"
