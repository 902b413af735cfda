// SPDX-License-Identifier: MIT
/* Shaders of the pipeline's: see shade.h. */
#include <stdio.h>
#include <stdlib.h>

#include "core/sim.h"
#include "qps_state.h"
#include "shade.h"

bool shade_new(struct v3dsim *sim)
{
	for (unsigned int thread = 0; thread < SHADE_QPUS; thread++) {
		struct shade *shade = &sim->shade[thread];

		shade->qpu = aligned_alloc(64, (sizeof(*shade->qpu) + 63) / 64 * 64);
		if (!shade->qpu)
			return false;
		qps_reset_qpu(sim, shade->qpu, thread);
	}
	return true;
}

void shade_free(struct v3dsim *sim)
{
	for (unsigned int thread = 0; thread < SHADE_QPUS; thread++) {
		free(sim->shade[thread].qpu);
		sim->shade[thread].qpu = NULL;
	}
}

static bool keeps_registers(const struct v3dsim *sim)
{
	return sim->config.caches == V3DSIM_CACHES_MODEL;
}

/* The control thread's QPU that stands for this one, if it is not at work */
static struct qpu *twin(struct v3dsim *sim, const struct qpu *q)
{
	return q->number < SHADE_QPUS && !sim->shade[q->number].running ?
		       sim->shade[q->number].qpu :
		       NULL;
}

void shade_take_registers(struct v3dsim *sim, struct qpu *q)
{
	if (!keeps_registers(sim))
		qpu_inherit(q, NULL, sim->residue);
	else if (twin(sim, q))
		qpu_inherit(q, twin(sim, q), 0);
}

void shade_give_registers(struct v3dsim *sim, const struct qpu *q)
{
	if (keeps_registers(sim) && twin(sim, q))
		qpu_inherit(twin(sim, q), q, 0);
}

void shade_start(struct v3dsim *sim, unsigned int thread, enum qpu_kind kind, uint32_t code,
		 uint32_t uniforms)
{
	struct shade *shade = &sim->shade[thread];

	if (!keeps_registers(sim))
		qpu_inherit(shade->qpu, NULL, sim->residue);
	qpu_start(shade->qpu, 0, code, uniforms, UINT32_MAX);
	shade->qpu->kind = kind;
	shade->qpu->until = UINT64_MAX;
	shade->running = true;
}

/* The program has the QPU for itself: a thread switch comes back at once. */
static enum sim_result go_on(struct v3dsim *sim, struct shade *shade, uint64_t budget,
			     uint64_t *spent)
{
	while (*spent < budget) {
		switch (qpu_run(sim, shade->qpu, budget - *spent, spent)) {
		case QPU_ENDED:
			shade->qpu->running = false;
			shade->running = false;
			return SIM_DONE;
		case QPU_STALLED:
			return SIM_STUCK;
		case QPU_FAULTED:
			shade->qpu->faulted = false;
			shade->qpu->running = false;
			shade->running = false;
			return SIM_ERROR;
		case QPU_SWITCHED:
		case QPU_SPENT:
			break;
		}
	}
	return SIM_MORE;
}

enum sim_result shade_run(struct v3dsim *sim, unsigned int thread, uint64_t *budget)
{
	const uint64_t start = sim->shade[thread].qpu->now;
	const bool entered = sim->computing;
	uint64_t spent = 0;
	enum sim_result result;

	if (!entered)
		sim_math_begin(sim);
	result = go_on(sim, &sim->shade[thread], *budget, &spent);
	if (!entered)
		sim_math_end(sim);
	sim->stats.instructions += spent;
	sim->stats.cycles += (sim->shade[thread].qpu->now - start) * 4;
	pctr_count(sim, V3D_COUNTER_qpu_instruction_cycles, spent * 4);
	*budget -= spent;
	return result;
}

void shade_cancel(struct v3dsim *sim, unsigned int thread)
{
	struct shade *shade = &sim->shade[thread];

	shade->running = false;
	shade->qpu->running = false;
	shade->qpu->faulted = false;
}

unsigned int shade_places(const struct v3dsim *sim, struct v3dsim_place *places)
{
	unsigned int count = 0;

	for (unsigned int thread = 0; thread < SHADE_QPUS; thread++) {
		if (!sim->shade[thread].running)
			continue;
		snprintf(places[count].who, sizeof(places[count].who), "CT%u's shader", thread);
		qps_place(sim->shade[thread].qpu, &places[count++]);
	}
	return count;
}

void shade_reset(struct v3dsim *sim)
{
	for (unsigned int thread = 0; thread < SHADE_QPUS; thread++) {
		if (sim->shade[thread].qpu->touched)
			qps_reset_qpu(sim, sim->shade[thread].qpu, thread);
		sim->shade[thread].running = false;
	}
}
