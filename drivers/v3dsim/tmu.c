// SPDX-License-Identifier: MIT
/* The Texture and Memory lookup Units: see tmu.h. */
#include <string.h>

#include "qps_state.h"
#include "sim.h"
#include "tmu_filter.h"

/* Do the lanes read words that follow each other, in memory that does not wrap? Most programs do, and one access serves them. */
static bool consecutive(const struct lanes *addresses, uint32_t base)
{
	uint32_t others = 0;

	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		others |= (addresses->lane[n] & ~3u) ^ (base + 4 * n);
	return !others && base <= UINT32_MAX - 64;
}

static bool gather(struct v3dsim *sim, unsigned int unit, const struct lanes *addresses, struct lanes *out)
{
	const uint32_t base = addresses->lane[0] & ~3u;

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

static bool look_up(struct v3dsim *sim, struct qpu *q, struct tmu_fifo *fifo, unsigned int unit, const struct lanes *s,
		    uint32_t *rules)
{
	const uint32_t place = fifo->words[0] >> 12 ^ fifo->words[1];
	struct tmu_texture *texture = &q->textures[(place ^ place >> 8) % TMU_TEXTURES];
	const struct tmu_request lookup = { texture, unit, s, value_of(fifo, 1), value_of(fifo, 2), value_of(fifo, 3) };
	struct lanes pair[2];

	tmu_setup(texture, fifo->words, sim->config.errata);
	if (texture->type != V3D_TEXTURE_RGBA64) {
		if (!texture->format->exists)
			*rules |= 1u << QPU_RULE_RESERVED;
		if (!tmu_filter(sim, &lookup, next_place(fifo)))
			return false;
		push(fifo, q->now + TMU_LATENCY, false);
		return true;
	}
	if (!tmu_filter(sim, &lookup, pair))
		return false;
	for (unsigned int n = 0; n < 2; n++) {
		*next_place(fifo) = pair[n];
		push(fifo, q->now + TMU_LATENCY, n);
	}
	return true;
}

static bool read_memory(struct v3dsim *sim, struct qpu *q, struct tmu_fifo *fifo, unsigned int unit, const struct lanes *addresses)
{
	if (!gather(sim, unit, addresses, next_place(fifo)))
		return false;
	push(fifo, q->now + TMU_LATENCY, false);
	return true;
}

static bool take_word(struct v3dsim *sim, struct qpu *q, struct tmu_fifo *fifo, uint32_t *rules)
{
	uint32_t word;

	if (!qpu_uniform(sim, q, &word, rules))
		return false;
	if (!fifo->taken)
		memset(fifo->words, 0, sizeof(fifo->words));
	if (fifo->taken < TMU_WORDS)
		fifo->words[fifo->taken++] = word;
	return true;
}

/* A write of s */
static bool request(struct v3dsim *sim, struct qpu *q, struct tmu_fifo *fifo, unsigned int unit, const struct lanes *s,
		    uint32_t *rules)
{
	bool done;

	if (fifo->parameters)
		done = take_word(sim, q, fifo, rules) && look_up(sim, q, fifo, unit, s, rules);
	else
		done = read_memory(sim, q, fifo, unit, s);
	fifo->parameters = fifo->taken = 0;
	return done;
}

bool tmu_write(struct v3dsim *sim, struct qpu *q, unsigned int tmu, unsigned int parameter, const struct lanes *value,
	       uint32_t *rules)
{
	struct tmu_fifo *fifo = &q->tmu[tmu];

	if (parameter) {
		fifo->values[parameter] = *value;
		fifo->parameters |= 1u << parameter;
		return take_word(sim, q, fifo, rules);
	}
	if (!request(sim, q, fifo, q->number / 4 * CACHE_TMUS + tmu, value, rules)) {
		fault_add(sim, " (for QPU %u at 0x%08x)", q->number, q->threads[q->current].pc);
		return false;
	}
	pctr_count(sim, V3D_COUNTER_tmu_texture_quads, V3D_QPU_LANES / 4);
	if (fifo->requests > TMU_RELIABLE)
		*rules |= 1u << QPU_RULE_TMU_OUTSTANDING;
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
