/* SPDX-License-Identifier: MIT */
/* The names of the performance counters: DRM's, AG100 Table 82's. */
#ifndef V3DCL_TOOL_COUNTERS_H
#define V3DCL_TOOL_COUNTERS_H

#include <drm/v3dcl_drm.h>

#define COUNTERS VC4_PERFCNT_NUM_EVENTS

extern const char *const counter_names[COUNTERS];

#endif /* V3DCL_TOOL_COUNTERS_H */
