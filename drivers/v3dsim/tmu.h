/* SPDX-License-Identifier: MIT */
/*
 * The Texture and Memory lookup Units, as far as they read memory directly: a write of s alone asks for 32-bit words at 16 absolute
 * addresses, low two bits ignored, through the TMU's cache (AG100 p. 41). Results wait in a FIFO of 8 for each QPU and TMU.
 *
 * Time: a result is there TMU_LATENCY slots of 4 clocks after its request; a load that comes earlier waits, which counts as
 * stalled. More than 4 outstanding requests are unreliable on silicon (HW), so the fifth counts as a broken rule.
 */
#ifndef V3DSIM_TMU_H
#define V3DSIM_TMU_H

#include <stdbool.h>
#include <stdint.h>

#include "alu.h"

struct v3dsim;
struct qpu;

#define TMU_FIFO 8
#define TMU_RELIABLE 4
#define TMU_LATENCY 9

/**
 * struct tmu_fifo - requests of one QPU to one TMU
 * @parameters: of t, r and b, those written since the last s, a bit each: more than a direct read
 */
struct tmu_fifo {
	struct lanes data[TMU_FIFO];
	uint64_t ready[TMU_FIFO];
	uint8_t head, count, parameters;
};

/** tmu_full() - a write of s would wait */
static inline bool tmu_full(const struct tmu_fifo *fifo)
{
	return fifo->count >= TMU_FIFO;
}

/**
 * tmu_read() - a direct read
 * @unit: slice * CACHE_TMUS + TMU
 * @addresses: byte addresses
 * @time: now, in slots
 * Return: false after a bus error; nothing is queued then. The FIFO must not be full.
 */
bool tmu_read(struct v3dsim *sim, struct tmu_fifo *fifo, unsigned int unit, const struct lanes *addresses, uint64_t time);

/**
 * tmu_write() - a QPU writes a TMU register
 * @tmu: 0 or 1, after the swap
 * @parameter: 0 s, 1 t, 2 r, 3 b
 * @rules: collects broken rules
 * Return: false after a bus error. The FIFO must not be full when s is written.
 */
bool tmu_write(struct v3dsim *sim, struct qpu *q, unsigned int tmu, unsigned int parameter, const struct lanes *value,
	       uint32_t *rules);

/** tmu_pop() - the oldest result; the FIFO must not be empty. Return: the time from when on it is there */
uint64_t tmu_pop(struct tmu_fifo *fifo, struct lanes *out);

#endif /* V3DSIM_TMU_H */
