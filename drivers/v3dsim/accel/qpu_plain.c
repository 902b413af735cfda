// SPDX-License-Identifier: MIT
/* Instructions the short way, for every machine: see qpu_plain.h. */
#define QPU_PLAIN uint64_t qpu_plain_any
#include "qpu_plain_lanes.h"
