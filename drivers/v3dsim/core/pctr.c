// SPDX-License-Identifier: MIT
/* Performance counters: see pctr.h. */
#include <string.h>

#include "sim.h"

static bool counts(const struct pctr *pctr, unsigned int i)
{
	return (pctr->enabled & V3D_MASK(PCTRE, ENABLE)) && (pctr->enabled & 1u << i);
}

/*
 * Brings a counter up to now; whatever it counts from here on starts at its source's present total.
 */
static void settle(struct pctr *pctr, unsigned int i)
{
	uint64_t total = pctr->totals[pctr->source[i]];

	if (counts(pctr, i))
		pctr->value[i] += total - pctr->since[i];
	pctr->since[i] = total;
}

uint32_t pctr_read(struct v3dsim *sim, uint32_t reg)
{
	struct pctr *pctr = &sim->pctr;
	unsigned int i;

	if (reg == V3D_PCTRE)
		return pctr->enabled;
	if (reg < V3D_PCTR0)
		return 0;
	i = (reg - V3D_PCTR0) / 8;
	if (reg == V3D_PCTRSN(i))
		return pctr->source[i];
	settle(pctr, i);
	return pctr->value[i];
}

void pctr_write(struct v3dsim *sim, uint32_t reg, uint32_t value)
{
	struct pctr *pctr = &sim->pctr;
	unsigned int i;

	for (i = 0; i < V3D_COUNTERS; i++)
		settle(pctr, i);
	if (reg == V3D_PCTRE) {
		pctr->enabled = value & (V3D_MASK(PCTRE, ENABLE) | V3D_MASK(PCTRE, CTEN));
		return;
	}
	if (reg == V3D_PCTRC) {
		if (!(pctr->enabled & V3D_MASK(PCTRE, ENABLE)) &&
		    chip_strike(sim, V3D_CHIP_PCTRC_NEEDS_PCTRE))
			return;
		for (i = 0; i < V3D_COUNTERS; i++)
			if (value & 1u << i)
				pctr->value[i] = 0;
		return;
	}
	i = (reg - V3D_PCTR0) / 8;
	if (reg == V3D_PCTRN(i)) {
		pctr->value[i] = value;
	} else {
		pctr->source[i] = V3D_GET(value, PCTRS, PCTRS);
		pctr->since[i] = pctr->totals[pctr->source[i]];
	}
}

void pctr_reset(struct v3dsim *sim)
{
	memset(&sim->pctr, 0, sizeof(sim->pctr));
}
