/* SPDX-License-Identifier: MIT */
/*
 * From addresses to host memory. Every access is checked against a region that the host gave (a
 * strict configuration asks anew each time), split where regions or the 32-bit address space end,
 * and made of relaxed atomic words, so that a guest which writes the same memory races legally.
 * Fetch once into a local copy, then use the copy: memory may change at any time.
 */
#ifndef V3DSIM_BUS_H
#define V3DSIM_BUS_H

#include "v3dsim.h"

struct v3dsim;

/* What a program reads in turn: data, coefficients, indices, a result of before */
#define BUS_REGIONS 4

/**
 * struct bus - regions that the host gave, by unit and by purpose
 * @regions: [unit][0] was asked for reading, [unit][1] for writing, the one that was used last
 *	first; a length of 0 is no region
 * @dirty_addr: first byte stored that the host has not been told yet; @dirty_len bytes, 0 is none
 * @forgets: counts v3dsim_forget(), so that a region that came in meanwhile is asked for again
 */
struct bus {
	struct v3dsim_region regions[V3DSIM_UNITS][2][BUS_REGIONS];
	uint32_t dirty_addr, dirty_len;
	uint32_t forgets;
};

/**
 * bus_read() - copies memory
 * @unit: who reads
 * @addr: first byte; addresses wrap at 2^32
 * @len: bytes, any number
 * Return: false after a bus error (reported as a fault); @data is then partly written
 */
bool bus_read(struct v3dsim *sim, enum v3dsim_unit unit, uint32_t addr, void *data, uint32_t len);

/* See bus_read(); the host is told by the end of the slice at the latest */
bool bus_write(struct v3dsim *sim, enum v3dsim_unit unit, uint32_t addr, const void *data,
	       uint32_t len);

/* A little endian word, at any alignment */
bool bus_read32(struct v3dsim *sim, enum v3dsim_unit unit, uint32_t addr, uint32_t *value);

/* See bus_read32() */
bool bus_write32(struct v3dsim *sim, enum v3dsim_unit unit, uint32_t addr, uint32_t value);

/**
 * bus_peek() - memory as it lies in this process, for callers that can use it in place
 * Return: @len bytes at @addr (use relaxed atomics), valid until the next call into bus or cache;
 * NULL if they do not lie in one region, after a bus error (not reported: bus_read() will), while
 * one is to order, or in a strict or tracing configuration
 */
const void *bus_peek(struct v3dsim *sim, enum v3dsim_unit unit, uint32_t addr, uint32_t len);

/* The host hears of all stores so far */
void bus_tell_written(struct v3dsim *sim);

/* Drops cached regions overlapping [addr, addr + len); len 0 drops all */
void bus_forget(struct v3dsim *sim, uint32_t addr, uint32_t len);

#endif /* V3DSIM_BUS_H */
