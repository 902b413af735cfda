// SPDX-License-Identifier: MIT
/* 16 words of memory at a time: see gather.h. */
#include <string.h>

#include "core/lanes.h"
#include "core/sim.h"
#include "gather.h"

#define PART 4	/* lanes that are looked at together */

typedef uint32_t part __attribute__((vector_size(PART * sizeof(uint32_t))));

/* Offsets of 16 words from @base. Return: all of them are up to @highest */
static bool offsets_of(const struct lanes *addresses, uint32_t base, uint32_t highest,
		       uint32_t *offsets)
{
	part all, outside = { 0 };

	for (unsigned int n = 0; n < V3D_QPU_LANES; n += PART) {
		memcpy(&all, &addresses->lane[n], sizeof(all));
		all = (all & ~3u) - base;
		outside |= (part)(all > highest);
		memcpy(&offsets[n], &all, sizeof(all));
	}
	return !(outside[0] | outside[1] | outside[2] | outside[3]);
}

bool gather_words(struct v3dsim *sim, const struct lanes *addresses, struct lanes *out)
{
	const struct v3dsim_region *region = sim->bus.regions[V3DSIM_UNIT_TMU][false];
	uint32_t offsets[V3D_QPU_LANES];
	const uint8_t *memory;

	/* the region of the first word comes to be the first one */
	if (sim->config.caches != V3DSIM_CACHES_IDEAL ||
	    !bus_peek(sim, V3DSIM_UNIT_TMU, addresses->lane[0] & ~3u, 4) ||
	    ((uintptr_t)region->host | region->base) % 4 ||
	    !offsets_of(addresses, region->base, region->len - 4, offsets))
		return false;
	memory = region->host;
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		out->lane[n] = __atomic_load_n((const uint32_t *)(memory + offsets[n]),
					       __ATOMIC_RELAXED);
	return true;
}
