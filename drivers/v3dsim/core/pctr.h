/* SPDX-License-Identifier: MIT */
/*
 * Performance counters (AG100 Tables 82 to 86). Events add to one total a source; what a PCTRn
 * register shows follows from the totals when it is looked at, so that counting costs one addition.
 */
#ifndef V3DSIM_PCTR_H
#define V3DSIM_PCTR_H

#include <v3d/regs.h>

#include "v3dsim.h"

/**
 * struct pctr - totals and counters
 * @totals: events since power-on by source; those past V3D_COUNTER_COUNT are what PCTRS can select
 *	but nothing counts
 * @value: of each counter at the time its source's total was @since
 */
struct pctr {
	uint64_t totals[32];
	uint32_t value[V3D_COUNTERS];
	uint64_t since[V3D_COUNTERS];
	uint32_t source[V3D_COUNTERS];
	uint32_t enabled;
};

/* N events of a source; use pctr_count(sim, ...) */
static inline void pctr_add(struct pctr *pctr, enum v3d_counter source, uint64_t n)
{
	pctr->totals[source] += n;
}

#define pctr_count(sim, source, n) pctr_add(&(sim)->pctr, source, n)

uint32_t pctr_read(struct v3dsim *sim, uint32_t reg);
void pctr_write(struct v3dsim *sim, uint32_t reg, uint32_t value);
void pctr_reset(struct v3dsim *sim);

#endif /* V3DSIM_PCTR_H */
