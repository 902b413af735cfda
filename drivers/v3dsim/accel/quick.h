/* SPDX-License-Identifier: MIT */
/*
 * Instructions that would be plain but for one thing (enum qpu_quick), that thing alone, where it
 * needs no waiting, breaks no rule and touches nothing that is not at hand. All else goes the way
 * of all: these functions have done nothing where they say so.
 */
#ifndef V3DSIM_QUICK_H
#define V3DSIM_QUICK_H

#include "core/sim.h"
#include "qpu/qps_state.h"

/* The next uniform to where the ports put it. Return: false: it is not at hand */
static inline bool quick_uniform(const struct v3dsim *sim, struct qpu *q, const struct qpu_op *op)
{
	const struct v3dsim_region *region = sim->bus.regions[V3DSIM_UNIT_UNIFORMS][false];
	const struct qpu_thread *t = &q->threads[q->current];
	const uint32_t offset = (t->uniforms & ~3u) - region->base;
	uint32_t value;

	if (sim->config.caches != V3DSIM_CACHES_IDEAL || sim->config.strict || !t->uniforms ||
	    !t->uniforms_left || trace_wanted(&sim->config, V3DSIM_TRACE_MEM) ||
	    inject_watches(&sim->inject, INJECT_BUS_ERROR) || region->len < 4 ||
	    offset > region->len - 4 || ((uintptr_t)region->host | region->base) % 4)
		return false;
	value = __atomic_load_n((const uint32_t *)region->host + offset / 4, __ATOMIC_RELAXED);
	if (op->port[0] == QPU_PORT_A)
		lanes_fill(&q->regs[QPU_PORT_A], value);
	if (op->port[1] == QPU_PORT_B)
		lanes_fill(&q->regs[QPU_PORT_B], value);
	return true;
}

/* It was read */
static inline void quick_uniform_taken(struct qpu_thread *t)
{
	t->uniforms += 4;
	t->uniforms_left -= t->uniforms_left != UINT32_MAX;
}

static inline struct tmu_fifo *quick_fifo(struct qpu *q, unsigned int tmu)
{
	return &q->tmu[qpu_tmu(q, tmu)];
}

/* What a load takes its result from; NULL: it has to wait for a request, or may fail to order */
static inline struct tmu_fifo *quick_load_from(const struct v3dsim *sim, struct qpu *q,
					       const struct qpu_op *op)
{
	struct tmu_fifo *fifo = quick_fifo(q, op->inst.sig - V3D_QPU_SIG_LOAD_TMU0);

	return fifo->count && !inject_watches(&sim->inject, INJECT_TMU_STOP) ? fifo : NULL;
}

/* The oldest result to r4. Return: for how long that has to wait if it is @now */
static inline uint64_t quick_load(struct v3dsim *sim, struct qpu *q, struct tmu_fifo *fifo,
				  uint64_t now)
{
	const uint64_t ready = tmu_pop(fifo, &q->regs[QPU_ACC + 4]);

	if (ready <= now)
		return 0;
	pctr_count(sim, V3D_COUNTER_qpu_tmu_stall_cycles, (ready - now) * 4);
	return ready - now;
}

/* A TMU is asked for words of memory. Return: false: it is not that simple */
static inline bool quick_read(struct v3dsim *sim, struct qpu *q, const struct qpu_op *op,
			      const struct lanes *addresses, uint64_t now)
{
	const bool second = op->add_io == V3D_QPU_W_TMU1_S || op->mul_io == V3D_QPU_W_TMU1_S;
	struct tmu_fifo *fifo = quick_fifo(q, second);

	return fifo->requests < TMU_RELIABLE && !tmu_full(fifo) && !sim->qps->races &&
	       tmu_read(sim, fifo, addresses, now);
}

#endif /* V3DSIM_QUICK_H */
