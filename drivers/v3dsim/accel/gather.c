// SPDX-License-Identifier: MIT
/* 16 words of memory at a time: see gather.h. */
#include "core/lanes.h"
#include "core/sim.h"
#include "gather.h"

bool gather_words(struct v3dsim *sim, const struct lanes *addresses, struct lanes *out)
{
	const struct v3dsim_region *region = sim->bus.regions[V3DSIM_UNIT_TMU][false];
	const uint32_t *memory;
	uint32_t offsets[V3D_QPU_LANES], highest = 0;

	/* the region of the first word comes to be the first one */
	if (sim->config.caches != V3DSIM_CACHES_IDEAL ||
	    !bus_peek(sim, V3DSIM_UNIT_TMU, addresses->lane[0] & ~3u, 4) ||
	    ((uintptr_t)region->host | region->base) % 4)
		return false;
	memory = region->host;
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++) {
		offsets[n] = (addresses->lane[n] & ~3u) - region->base;
		highest = offsets[n] > highest ? offsets[n] : highest;
	}
	if (highest > region->len - 4)
		return false;
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		out->lane[n] = __atomic_load_n(&memory[offsets[n] / 4], __ATOMIC_RELAXED);
	return true;
}
