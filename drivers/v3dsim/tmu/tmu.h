/* SPDX-License-Identifier: MIT */
/*
 * The Texture and Memory lookup Units as the QPUs see them: what registers take, and the results
 * that wait.
 *
 * A write of t, r or b takes a uniform, a word of the texture's set-up; s comes last, takes one
 * too, and asks for filtered texels (tmu_filter.h). A write of s alone asks for 32-bit words at 16
 * absolute addresses, low two bits ignored (AG100 p. 41). Set-up words count in the order in which
 * they come; one past the fourth is dropped.
 *
 * Results wait in a FIFO of 8 words for each QPU and TMU; RGBA64 gives two, red and green first. A
 * write of s that has no room for its result waits. The chip's request FIFO adds some room before
 * that; here it has none, as a request is served at once.
 *
 * Time: a result is there TMU_LATENCY slots of 4 clocks after its request; a load that comes
 * earlier waits, which counts as stalled. More than 4 outstanding requests are unreliable on
 * silicon (HW), so the fifth counts as a broken rule.
 */
#ifndef V3DSIM_TMU_H
#define V3DSIM_TMU_H

#include <stdbool.h>
#include <stdint.h>

#include "core/lanes.h"
#include "tmu_setup.h"

struct v3dsim;

#define TMU_FIFO 8
#define TMU_RELIABLE 4
#define TMU_LATENCY 9
#define TMU_TEXTURES 4

/**
 * struct tmu_fifo - requests of one QPU to one TMU
 * @data: results; @ready: when they are there; @second: a bit each, for those that belong to the
 *	result before
 * @head: the oldest of @count results; @requests: how many requests they are
 * @parameters: of t, r and b, those written since the last s, a bit each: more than a direct read
 * @values: what was written
 * @words: set-up words taken since the last s, @taken of them
 */
struct tmu_fifo {
	struct lanes data[TMU_FIFO];
	struct lanes values[4];
	uint64_t ready[TMU_FIFO];
	uint32_t words[TMU_WORDS];
	uint8_t head, count, second, requests, parameters, taken;
};

/* Drops all requests */
static inline void tmu_reset(struct tmu_fifo *fifo)
{
	fifo->head = fifo->count = fifo->second = fifo->requests = fifo->parameters = fifo->taken =
		0;
}

/**
 * tmu_full() - a write of s would wait. What makes RGBA64 of a type comes with s itself: bits 3:0
 * alone must say it.
 */
static inline bool tmu_full(const struct tmu_fifo *fifo)
{
	const bool two = fifo->parameters && (fifo->words[0] >> 4 & 15) == V3D_TEXTURE_RGBA64;

	return fifo->count + two >= TMU_FIFO;
}

/**
 * tmu_takes_word() - does a write of @parameter (0 s, 1 t, 2 r, 3 b) take a uniform, as those do
 * that make a texture lookup?
 */
static inline bool tmu_takes_word(const struct tmu_fifo *fifo, unsigned int parameter)
{
	return parameter || fifo->parameters;
}

/**
 * struct tmu_write - a QPU writes a TMU register
 * @parameter: 0 s, 1 t, 2 r, 3 b
 * @unit: slice * CACHE_TMUS + TMU
 * @value: what is written
 * @word: the uniform that it takes, see tmu_takes_word()
 * @time: now, in slots
 */
struct tmu_write {
	unsigned int parameter, unit;
	const struct lanes *value;
	uint32_t word;
	uint64_t time;
};

/**
 * enum tmu_result - TMU_NO_TYPE: there is no such type of texture, and 0 comes; TMU_FAULT: after a
 * bus error
 */
enum tmu_result { TMU_DONE, TMU_NO_TYPE, TMU_FAULT };

/**
 * tmu_write() - a register takes what is written; s asks for a result. The FIFO must not be full
 * then.
 * @textures: TMU_TEXTURES set-ups of lookups, made ready
 */
enum tmu_result tmu_write(struct v3dsim *sim, struct tmu_fifo *fifo, struct tmu_texture *textures,
			  const struct tmu_write *write);

/**
 * tmu_read() - s, and nothing but s, is written: a request for words of memory, if they lie at
 * hand. The FIFO must not be full.
 *
 * Return: false: nothing is done
 */
bool tmu_read(struct v3dsim *sim, struct tmu_fifo *fifo, const struct lanes *addresses,
	      uint64_t time);

/**
 * tmu_pop() - the oldest result; the FIFO must not be empty.
 *
 * Return: the time from when on it is there
 */
uint64_t tmu_pop(struct tmu_fifo *fifo, struct lanes *out);

#endif /* V3DSIM_TMU_H */
