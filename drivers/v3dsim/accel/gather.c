// SPDX-License-Identifier: MIT
/* 16 words of memory at a time: see gather.h. */
#include <string.h>

#include "core/lanes.h"
#include "core/sim.h"
#include "gather.h"

#define PART 4	/* lanes that are looked at together */
#define ROW ((V3D_QPU_LANES - 1) * 4)	/* from the first word of a row to the last one */

typedef uint32_t part __attribute__((vector_size(PART * sizeof(uint32_t))));

/**
 * struct words - where 16 words are
 * @offset: of each; @inside: all of them are in the region
 * @same: it is one word for all; @row: they follow each other
 */
struct words {
	uint32_t offset[V3D_QPU_LANES];
	bool inside, same, row;
};

static bool none(part p)
{
	return !(p[0] | p[1] | p[2] | p[3]);
}

/* @highest: the last offset that is inside */
static void look(struct words *words, const struct lanes *addresses, uint32_t base,
		 uint32_t highest)
{
	const uint32_t first = (addresses->lane[0] & ~3u) - base;
	part all, outside = { 0 }, apart = { 0 }, astray = { 0 }, next = { 0, 4, 8, 12 };

	for (unsigned int n = 0; n < V3D_QPU_LANES; n += PART) {
		memcpy(&all, &addresses->lane[n], sizeof(all));
		all = (all & ~3u) - base;
		outside |= (part)(all > highest);
		apart |= all ^ first;
		astray |= all ^ (first + next);
		next += PART * sizeof(uint32_t);
		memcpy(&words->offset[n], &all, sizeof(all));
	}
	words->inside = none(outside);
	words->same = none(apart);
	/* and offsets do not wrap, as in a region of nearly 4 GiB */
	words->row = none(astray) && highest >= ROW && first <= highest - ROW;
}

static uint32_t word_at(const uint8_t *memory, uint32_t offset)
{
	return __atomic_load_n((const uint32_t *)(memory + offset), __ATOMIC_RELAXED);
}

static void take(const struct words *words, const uint8_t *memory, struct lanes *out)
{
	if (words->same) {
		lanes_fill(out, word_at(memory, words->offset[0]));
		return;
	}
	if (words->row) {
		memory += words->offset[0];
#pragma GCC unroll 16
		for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
			out->lane[n] = word_at(memory, 4 * n);
		return;
	}
#pragma GCC unroll 16
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		out->lane[n] = word_at(memory, words->offset[n]);
}

bool gather_words(struct v3dsim *sim, const struct lanes *addresses, struct lanes *out)
{
	const struct v3dsim_region *region = sim->bus.regions[V3DSIM_UNIT_TMU][false];
	struct words words;

	/* the region of the first word comes to be the first one */
	if (sim->config.caches != V3DSIM_CACHES_IDEAL ||
	    !bus_peek(sim, V3DSIM_UNIT_TMU, addresses->lane[0] & ~3u, 4) ||
	    ((uintptr_t)region->host | region->base) % 4)
		return false;
	look(&words, addresses, region->base, region->len - 4);
	if (words.inside)
		take(&words, region->host, out);
	return words.inside;
}
