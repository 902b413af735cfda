// SPDX-License-Identifier: MIT
/* The Texture and Memory lookup Units: see tmu.h. */
#include <string.h>

#include "core/sim.h"
#include "tmu.h"
#include "tmu_filter.h"

/*
 * Do the lanes read words that follow each other, in memory that does not wrap? Most programs do,
 * and one access serves them.
 */
static bool consecutive(const struct lanes *addresses, uint32_t base)
{
	uint32_t others = 0;

	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		others |= (addresses->lane[n] & ~3u) ^ (base + 4 * n);
	return !others && base <= UINT32_MAX - 64;
}

static bool gather(struct v3dsim *sim, unsigned int unit, const struct lanes *addresses,
		   struct lanes *out)
{
	const uint32_t base = addresses->lane[0] & ~3u;

	if (sim->hooks.gather && sim->hooks.gather(sim, addresses, out))
		return true;
	if (consecutive(addresses, base))
		return cache_fetch(sim, CACHE_TMU, unit, base, out->lane, sizeof(out->lane));
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		if (!cache_fetch(sim, CACHE_TMU, unit, addresses->lane[n] & ~3u, &out->lane[n], 4))
			return false;
	return true;
}

/* The result that comes after all others */
static struct lanes *next_place(struct tmu_fifo *fifo)
{
	return &fifo->data[(fifo->head + fifo->count) % TMU_FIFO];
}

/* It is there */
static void push(struct tmu_fifo *fifo, uint64_t ready, bool second)
{
	const unsigned int slot = (fifo->head + fifo->count) % TMU_FIFO;

	fifo->ready[slot] = ready;
	fifo->second = (fifo->second & ~(1u << slot)) | (unsigned int)second << slot;
	fifo->count++;
	fifo->requests += !second;
}

/* What was not written is 0 (AG100 p. 40). */
static const struct lanes *value_of(const struct tmu_fifo *fifo, unsigned int parameter)
{
	static const struct lanes zero;

	return fifo->parameters >> parameter & 1 ? &fifo->values[parameter] : &zero;
}

static enum tmu_result look_up(struct v3dsim *sim, struct tmu_fifo *fifo,
			       struct tmu_texture *textures, const struct tmu_write *write)
{
	const uint32_t place = fifo->words[0] >> 12 ^ fifo->words[1];
	struct tmu_texture *texture = &textures[(place ^ place >> 8) % TMU_TEXTURES];
	const struct tmu_request lookup = {
		.texture = texture, .unit = write->unit, .s = write->value,
		.t = value_of(fifo, 1), .r = value_of(fifo, 2), .b = value_of(fifo, 3),
	};
	struct lanes pair[2];

	tmu_setup(texture, fifo->words, &sim->chip);
	for (uint64_t struck = texture->struck; struck; struck &= struck - 1)
		chip_strike(sim, __builtin_ctzll(struck));
	if (texture->type != V3D_TEXTURE_RGBA64) {
		if (!tmu_filter(sim, &lookup, next_place(fifo)))
			return TMU_FAULT;
		push(fifo, write->time + TMU_LATENCY, false);
		return texture->format->exists ? TMU_DONE : TMU_NO_TYPE;
	}
	if (!tmu_filter(sim, &lookup, pair))
		return TMU_FAULT;
	for (unsigned int n = 0; n < 2; n++) {
		*next_place(fifo) = pair[n];
		push(fifo, write->time + TMU_LATENCY, n);
	}
	return TMU_DONE;
}

static enum tmu_result read_memory(struct v3dsim *sim, struct tmu_fifo *fifo,
				   const struct tmu_write *write)
{
	if (!gather(sim, write->unit, write->value, next_place(fifo)))
		return TMU_FAULT;
	push(fifo, write->time + TMU_LATENCY, false);
	return TMU_DONE;
}

static void take_word(struct tmu_fifo *fifo, uint32_t word)
{
	if (!fifo->taken)
		memset(fifo->words, 0, sizeof(fifo->words));
	if (fifo->taken < TMU_WORDS)
		fifo->words[fifo->taken++] = word;
}

/* A write of s */
static enum tmu_result request(struct v3dsim *sim, struct tmu_fifo *fifo,
			       struct tmu_texture *textures, const struct tmu_write *write)
{
	enum tmu_result result;

	if (fifo->parameters) {
		take_word(fifo, write->word);
		result = look_up(sim, fifo, textures, write);
	} else {
		result = read_memory(sim, fifo, write);
	}
	fifo->parameters = fifo->taken = 0;
	if (result != TMU_FAULT)
		pctr_count(sim, V3D_COUNTER_tmu_texture_quads, V3D_QPU_LANES / 4);
	return result;
}

enum tmu_result tmu_write(struct v3dsim *sim, struct tmu_fifo *fifo, struct tmu_texture *textures,
			  const struct tmu_write *write)
{
	if (!write->parameter)
		return request(sim, fifo, textures, write);
	fifo->values[write->parameter] = *write->value;
	fifo->parameters |= 1u << write->parameter;
	take_word(fifo, write->word);
	return TMU_DONE;
}

bool tmu_read(struct v3dsim *sim, struct tmu_fifo *fifo, const struct lanes *addresses,
	      uint64_t time)
{
	if (fifo->parameters || !sim->hooks.gather ||
	    !sim->hooks.gather(sim, addresses, next_place(fifo)))
		return false;
	push(fifo, time + TMU_LATENCY, false);
	pctr_count(sim, V3D_COUNTER_tmu_texture_quads, V3D_QPU_LANES / 4);
	return true;
}

uint64_t tmu_pop(struct tmu_fifo *fifo, struct lanes *out)
{
	const uint64_t ready = fifo->ready[fifo->head];

	*out = fifo->data[fifo->head];
	fifo->requests -= !(fifo->second >> fifo->head & 1);
	fifo->head = (fifo->head + 1) % TMU_FIFO;
	fifo->count--;
	return ready;
}
