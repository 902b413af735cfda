/* SPDX-License-Identifier: MIT */
/*
 * The read caches: what they hold stays, until L2CACTL or SLCACTL clears them (AG100 Tables 71 and
 * 72), whatever happens to memory.
 *
 * HW: instruction cache 4 KiB 4-way, TMU L1 4 KiB direct-mapped, L2 32 KiB 4-way, lines of 64
 * bytes. The uniforms cache's size is not established: 2 KiB 4-way here. Replacement is not
 * established: round robin in each set here. A slice has an instruction and a uniforms cache and
 * two TMUs with one L1 each. While L2CENA is off the L2 passes reads through; disabling keeps its
 * lines.
 */
#ifndef V3DSIM_CACHE_H
#define V3DSIM_CACHE_H

#include "v3dsim.h"

struct v3dsim;

#define CACHE_LINE 64
#define CACHE_SLICES 3		/* IDENT1 NSLC */
#define CACHE_TMUS 2		/* a slice: IDENT1 TUPS */

enum cache_kind { CACHE_INSTRUCTION, CACHE_UNIFORMS, CACHE_TMU };

/**
 * struct cache_array - one cache
 * @sets: a power of two
 * @ways: 1 or 4
 * @tags: [set * ways + way]: address of the line | 1; 0 is empty
 * @next: the way to replace next, by set
 * @data: [(set * ways + way) * CACHE_LINE]
 * @touched: holds something
 */
struct cache_array {
	unsigned int sets, ways;
	uint32_t *tags;
	uint8_t *next, *data;
	bool touched;
};

/**
 * struct cache - all of them; arrays exist with caches=model only
 * @cleared: counts clears of any kind: who keeps things derived from cached bytes (decoded
 *	instructions) compares it
 */
struct cache {
	struct cache_array instruction[CACHE_SLICES], uniforms[CACHE_SLICES],
		tmu[CACHE_SLICES * CACHE_TMUS], l2;
	void *storage;
	bool l2_enabled;
	uint32_t cleared;
};

/**
 * cache_fetch() - reads through a cache
 * @kind: whose cache
 * @index: slice; for CACHE_TMU, slice * CACHE_TMUS + TMU
 * @addr: any alignment; wraps at 2^32
 * Return: false after a bus error (reported)
 *
 * Counts hits and misses. With caches=ideal this is bus_read() and nothing is counted.
 */
bool cache_fetch(struct v3dsim *sim, enum cache_kind kind, unsigned int index, uint32_t addr,
		 void *data, uint32_t len);

/* Reads L2CACTL; SLCACTL reads 0 */
uint32_t cache_read(struct v3dsim *sim, uint32_t reg);

/* Writes L2CACTL or SLCACTL */
void cache_write(struct v3dsim *sim, uint32_t reg, uint32_t value);

/* Allocates what the configuration needs. Return: false: out of memory */
bool cache_new(struct v3dsim *sim);

void cache_free(struct v3dsim *sim);

/* Power-on state; costs what was touched */
void cache_reset(struct v3dsim *sim);

#endif /* V3DSIM_CACHE_H */
