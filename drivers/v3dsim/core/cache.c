// SPDX-License-Identifier: MIT
/* The read caches: see cache.h. */
#include <stdlib.h>
#include <string.h>

#include "sim.h"

/* Bytes, ways: HW, but for the uniforms cache, which is this project's choice. */
#define INSTRUCTION_BYTES 4096
#define INSTRUCTION_WAYS 4
#define UNIFORMS_BYTES 2048
#define UNIFORMS_WAYS 4
#define TMU_BYTES 4096
#define TMU_WAYS 1
#define L2_BYTES 32768
#define L2_WAYS 4

/* Carves an array out of storage; with NULL it only counts. */
static size_t carve(struct cache_array *array, uint8_t *storage, size_t used, unsigned int bytes,
		    unsigned int ways)
{
	unsigned int lines = bytes / CACHE_LINE;

	array->ways = ways;
	array->sets = lines / ways;
	if (storage) {
		array->data = storage + used;
		array->tags = (uint32_t *)(storage + used + bytes);
		array->next = storage + used + bytes + lines * sizeof(uint32_t);
	}
	return used + bytes + lines * sizeof(uint32_t) + lines;
}

static size_t carve_all(struct cache *cache, uint8_t *storage)
{
	size_t used = 0;
	unsigned int i;

	for (i = 0; i < CACHE_SLICES; i++) {
		used = carve(&cache->instruction[i], storage, used, INSTRUCTION_BYTES,
			     INSTRUCTION_WAYS);
		used = carve(&cache->uniforms[i], storage, used, UNIFORMS_BYTES, UNIFORMS_WAYS);
	}
	for (i = 0; i < CACHE_SLICES * CACHE_TMUS; i++)
		used = carve(&cache->tmu[i], storage, used, TMU_BYTES, TMU_WAYS);
	return carve(&cache->l2, storage, used, L2_BYTES, L2_WAYS);
}

bool cache_new(struct v3dsim *sim)
{
	struct cache *cache = &sim->cache;

	if (sim->config.caches == V3DSIM_CACHES_IDEAL)
		return true;
	cache->storage = calloc(1, carve_all(cache, NULL));
	if (!cache->storage)
		return false;
	carve_all(cache, cache->storage);
	return true;
}

void cache_free(struct v3dsim *sim)
{
	free(sim->cache.storage);
}

static void clear(struct v3dsim *sim, struct cache_array *array)
{
	sim->cache.cleared++;
	if (!array->touched)
		return;
	array->touched = false;
	memset(array->tags, 0, array->sets * array->ways * sizeof(*array->tags));
	memset(array->next, 0, array->sets);
}

/* The bytes of a line that the array holds, or NULL. */
static uint8_t *find(struct cache_array *array, uint32_t line)
{
	unsigned int way, set = line / CACHE_LINE & (array->sets - 1);

	for (way = 0; way < array->ways; way++)
		if (array->tags[set * array->ways + way] == (line | 1))
			return array->data + (size_t)(set * array->ways + way) * CACHE_LINE;
	return NULL;
}

static void insert(struct cache_array *array, uint32_t line, const uint8_t *bytes)
{
	unsigned int set = line / CACHE_LINE & (array->sets - 1), way = array->next[set];

	array->next[set] = (way + 1) % array->ways;
	array->tags[set * array->ways + way] = line | 1;
	memcpy(array->data + (size_t)(set * array->ways + way) * CACHE_LINE, bytes, CACHE_LINE);
	array->touched = true;
}

/*
 * A line from the L2, or past it. The caches may be cleared while the bus asks the host: a line
 * fetched before that is used once and not kept.
 */
static bool fetch_line(struct v3dsim *sim, enum v3dsim_unit unit, uint32_t line, uint8_t *bytes)
{
	struct cache *cache = &sim->cache;
	uint32_t cleared = cache->cleared;
	const uint8_t *held;

	if (!cache->l2_enabled)
		return bus_read(sim, unit, line, bytes, CACHE_LINE);
	held = find(&cache->l2, line);
	if (held) {
		pctr_count(sim, V3D_COUNTER_l2c_hits, 1);
		memcpy(bytes, held, CACHE_LINE);
		return true;
	}
	pctr_count(sim, V3D_COUNTER_l2c_misses, 1);
	if (!bus_read(sim, unit, line, bytes, CACHE_LINE))
		return false;
	if (cleared == cache->cleared)
		insert(&cache->l2, line, bytes);
	return true;
}

/*
 * A cache of a slice, who fetches for it, and what its hits and misses count as; TMU hits are no
 * counter.
 */
struct kind {
	enum v3dsim_unit unit;
	int hits, misses;
};

static const struct kind kinds[] = {
	[CACHE_INSTRUCTION] = { V3DSIM_UNIT_ICACHE, V3D_COUNTER_qpu_icache_hits,
				V3D_COUNTER_qpu_icache_misses },
	[CACHE_UNIFORMS] = { V3DSIM_UNIT_UNIFORMS, V3D_COUNTER_qpu_ucache_hits,
			     V3D_COUNTER_qpu_ucache_misses },
	[CACHE_TMU] = { V3DSIM_UNIT_TMU, -1, V3D_COUNTER_tmu_cache_misses },
};

static struct cache_array *array_of(struct cache *cache, enum cache_kind kind, unsigned int index)
{
	switch (kind) {
	case CACHE_INSTRUCTION:
		return &cache->instruction[index % CACHE_SLICES];
	case CACHE_UNIFORMS:
		return &cache->uniforms[index % CACHE_SLICES];
	default:
		return &cache->tmu[index % (CACHE_SLICES * CACHE_TMUS)];
	}
}

/* len bytes inside one line */
static bool fetch_piece(struct v3dsim *sim, enum cache_kind kind, struct cache_array *array,
			uint32_t addr, uint8_t *data, uint32_t len)
{
	uint32_t line = addr & ~(uint32_t)(CACHE_LINE - 1), cleared = sim->cache.cleared;
	const uint8_t *held = find(array, line);
	uint8_t bytes[CACHE_LINE];

	if (held) {
		if (kinds[kind].hits >= 0)
			pctr_count(sim, kinds[kind].hits, 1);
		memcpy(data, held + (addr - line), len);
		return true;
	}
	pctr_count(sim, kinds[kind].misses, 1);
	if (!fetch_line(sim, kinds[kind].unit, line, bytes))
		return false;
	if (cleared == sim->cache.cleared)
		insert(array, line, bytes);
	memcpy(data, bytes + (addr - line), len);
	return true;
}

bool cache_fetch(struct v3dsim *sim, enum cache_kind kind, unsigned int index, uint32_t addr,
		 void *data, uint32_t len)
{
	struct cache_array *array = array_of(&sim->cache, kind, index);
	uint32_t done, piece;

	if (sim->config.caches == V3DSIM_CACHES_IDEAL)
		return bus_read(sim, kinds[kind].unit, addr, data, len);
	for (done = 0; done < len; done += piece) {
		piece = CACHE_LINE - (addr + done) % CACHE_LINE;
		if (piece > len - done)
			piece = len - done;
		if (!fetch_piece(sim, kind, array, addr + done, (uint8_t *)data + done, piece))
			return false;
	}
	return true;
}

uint32_t cache_read(struct v3dsim *sim, uint32_t reg)
{
	return reg == V3D_L2CACTL ? V3D_SET(L2CACTL, L2CENA, sim->cache.l2_enabled) : 0;
}

static void control_l2(struct v3dsim *sim, uint32_t value)
{
	/* Enable and disable in one write: not established. Disable wins here. */
	if (value & V3D_MASK(L2CACTL, L2CENA))
		sim->cache.l2_enabled = true;
	if (value & V3D_MASK(L2CACTL, L2CDIS))
		sim->cache.l2_enabled = false;
	if (value & V3D_MASK(L2CACTL, L2CCLR))
		clear(sim, &sim->cache.l2);
}

static void control_slices(struct v3dsim *sim, uint32_t value)
{
	struct cache *cache = &sim->cache;
	unsigned int i;

	for (i = 0; i < CACHE_SLICES; i++) {
		if (V3D_GET(value, SLCACTL, ICCS) & 1u << i)
			clear(sim, &cache->instruction[i]);
		if (V3D_GET(value, SLCACTL, UCCS) & 1u << i)
			clear(sim, &cache->uniforms[i]);
		if (V3D_GET(value, SLCACTL, T0CCS) & 1u << i)
			clear(sim, &cache->tmu[i * CACHE_TMUS]);
		if (V3D_GET(value, SLCACTL, T1CCS) & 1u << i)
			clear(sim, &cache->tmu[i * CACHE_TMUS + 1]);
	}
}

void cache_write(struct v3dsim *sim, uint32_t reg, uint32_t value)
{
	if (reg == V3D_L2CACTL)
		control_l2(sim, value);
	else
		control_slices(sim, value);
}

void cache_reset(struct v3dsim *sim)
{
	control_slices(sim, ~0u);
	control_l2(sim, V3D_MASK(L2CACTL, L2CCLR) | V3D_MASK(L2CACTL, L2CDIS));
}
