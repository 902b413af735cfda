// SPDX-License-Identifier: MIT
/* Direct reads by the Texture and Memory lookup Units: see tmu.h. */
#include "qps_state.h"
#include "sim.h"
#include "tmu.h"

/* Do the lanes read words that follow each other, in memory that does not wrap? Most programs do, and one access serves them. */
static bool consecutive(const struct lanes *addresses, uint32_t base)
{
	if (base > UINT32_MAX - 64)
		return false;
	for (unsigned int n = 1; n < V3D_QPU_LANES; n++)
		if ((addresses->lane[n] & ~3u) != base + 4 * n)
			return false;
	return true;
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

bool tmu_read(struct v3dsim *sim, struct tmu_fifo *fifo, unsigned int unit, const struct lanes *addresses, uint64_t time)
{
	const unsigned int slot = (fifo->head + fifo->count) % TMU_FIFO;
	struct lanes words;

	if (!gather(sim, unit, addresses, &words))
		return false;
	fifo->data[slot] = words;
	fifo->ready[slot] = time + TMU_LATENCY;
	fifo->count++;
	pctr_count(sim, V3D_COUNTER_tmu_texture_quads, V3D_QPU_LANES / 4);
	return true;
}

bool tmu_write(struct v3dsim *sim, struct qpu *q, unsigned int tmu, unsigned int parameter, const struct lanes *value,
	       uint32_t *rules)
{
	struct tmu_fifo *fifo = &q->tmu[tmu];
	uint32_t setup;

	if (parameter) {
		fifo->parameters |= 1u << parameter;
		return qpu_uniform(sim, q, &setup, rules);
	}
	if (fifo->parameters) {
		fault_report(sim, V3DSIM_UNIT_TMU, q->threads[q->current].pc,
			     "QPU %u asks TMU%u for a filtered texture lookup; this chip's TMUs read memory directly (s alone)",
			     q->number, tmu);
		return false;
	}
	if (!tmu_read(sim, fifo, q->number / 4 * CACHE_TMUS + tmu, value, q->now))
		return false;
	if (fifo->count > TMU_RELIABLE)
		*rules |= 1u << QPU_RULE_TMU_OUTSTANDING;
	return true;
}

uint64_t tmu_pop(struct tmu_fifo *fifo, struct lanes *out)
{
	const uint64_t ready = fifo->ready[fifo->head];

	*out = fifo->data[fifo->head];
	fifo->head = (fifo->head + 1) % TMU_FIFO;
	fifo->count--;
	return ready;
}
