// SPDX-License-Identifier: MIT
/* The QPU scheduler: see qps.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "core/sim.h"
#include "qps_state.h"
#include "shade.h"

/* AG100 Table 62, a QPU's four bits: for what it must not be used */
#define NOT_FOR_USER_PROGRAMS 1u
#define NOT_FOR_FRAGMENTS 2u
#define NOT_FOR_VERTICES 4u
#define NOT_FOR_COORDINATES 8u
#define UNLIMITED 1023		/* AG100 Table 67: a length above this has no end */

void qps_reset_qpu(const struct v3dsim *sim, struct qpu *q, unsigned int number)
{
	qpu_reset(q, number, sim->qps->alu);
	if (!chip_has(&sim->chip, V3D_CHIP_IMM_48))
		return;
	for (unsigned int code = 48; code < 64; code++)
		lanes_fill(&q->regs[QPU_IMMEDIATES + code], QPS_NO_NUMBER(code));
}

bool qps_new(struct v3dsim *sim)
{
	struct qps *state = aligned_alloc(64, (sizeof(*state) + 63) / 64 * 64);

	sim->qps = state;
	if (!state)
		return false;
	memset(state, 0, sizeof(*state));
	state->alu = sim->hooks.alu ? sim->hooks.alu : &alu_table_any;
	vpm_qpu_attach(&state->peripherals);
	for (unsigned int n = 0; n < V3D_QPUS; n++)
		qps_reset_qpu(sim, &state->qpu[n], n);
	state->mutex_owner = QPS_MUTEX_FREE;
	if (sim->hooks.compiler_new)
		state->compiler = sim->hooks.compiler_new();
	if (sim->config.races)
		state->races = races_new();
	return state->races || !sim->config.races;
}

struct qpu_peripherals *qps_peripherals(struct v3dsim *sim)
{
	return &sim->qps->peripherals;
}

void qps_free(struct v3dsim *sim)
{
	if (sim->qps) {
		races_free(sim->qps->races);
		if (sim->qps->compiler)
			sim->hooks.compiler_free(sim->qps->compiler);
	}
	free(sim->qps);
	sim->qps = NULL;
}

/* Costs what was touched. Decoded instructions follow from their words alone and stay. */
void qps_reset(struct v3dsim *sim)
{
	struct qps *state = sim->qps;

	for (unsigned int n = 0; n < V3D_QPUS; n++)
		if (state->qpu[n].touched)
			qps_reset_qpu(sim, &state->qpu[n], n);
	if (state->vpm_touched)
		memset(&state->vpm, 0, sizeof(state->vpm));
	memset(state->semaphores, 0, sizeof(state->semaphores));
	state->vpm_touched = false;
	state->first = state->waiting = state->loads = 0;
	state->requested = state->completed = 0;
	state->error = state->fault = state->mutex_given = false;
	state->mutex_owner = QPS_MUTEX_FREE;
	state->mutex_waiting = 0;
	state->now = 0;
	state->round.open = false;
}

static bool may_use(const struct v3dsim *sim, unsigned int qpu, uint32_t not_for)
{
	const uint32_t reserved = regs_value(&sim->regs, qpu < 8 ? V3D_SQRSV0 : V3D_SQRSV1);

	return !(reserved >> qpu % 8 * 4 & not_for);
}

static bool has_room(const struct v3dsim *sim, uint32_t not_for)
{
	for (unsigned int n = 0; n < V3D_QPUS; n++)
		if (!sim->qps->qpu[n].running && may_use(sim, n, not_for))
			return true;
	return false;
}

bool qps_may_shade(const struct v3dsim *sim, unsigned int thread)
{
	if (!thread)
		return has_room(sim, NOT_FOR_COORDINATES);
	return has_room(sim, NOT_FOR_VERTICES) && has_room(sim, NOT_FOR_FRAGMENTS);
}

/* Requests go to free QPUs, the highest number first (HW). */
static void start_programs(struct v3dsim *sim)
{
	struct qps *state = sim->qps;

	for (int n = V3D_QPUS - 1; n >= 0 && state->waiting; n--) {
		const struct qps_request *request = &state->queue[state->first];
		struct qpu *q = &state->qpu[n];

		if (q->running || !may_use(sim, n, NOT_FOR_USER_PROGRAMS))
			continue;
		shade_take_registers(sim, q);
		qpu_start(q, 0, request->pc, request->uniforms,
			  request->length > UNLIMITED ? UINT32_MAX : request->length);
		state->first = (state->first + 1) % V3D_USER_QUEUE;
		state->waiting--;
	}
}

uint32_t qps_read(struct v3dsim *sim, uint32_t reg)
{
	const struct qps *state = sim->qps;

	if (reg != V3D_SRQCS)
		return 0;
	return V3D_SET(SRQCS, QPURQCC, state->completed) |
	       V3D_SET(SRQCS, QPURQCM, state->requested) | V3D_SET(SRQCS, QPURQERR, state->error) |
	       V3D_SET(SRQCS, QPURQL, state->waiting);
}

/* AG100 Tables 65 and 68: counted even if it cannot be taken */
static void request(struct v3dsim *sim, uint32_t pc)
{
	struct qps *state = sim->qps;

	if (state->races && qps_idle(sim))
		races_begin(state->races);
	state->requested++;
	if (state->error)
		return;
	if (state->waiting == V3D_USER_QUEUE) {
		state->error = true;
		return;
	}
	state->queue[(state->first + state->waiting++) % V3D_USER_QUEUE] = (struct qps_request){
		.pc = pc, .uniforms = regs_value(&sim->regs, V3D_SRQUA),
		.length = V3D_GET(regs_value(&sim->regs, V3D_SRQUL), SRQUL, QPURQUL),
	};
	start_programs(sim);
}

void qps_write(struct v3dsim *sim, uint32_t reg, uint32_t value)
{
	struct qps *state = sim->qps;

	if (reg == V3D_SRQPC) {
		request(sim, value);
		return;
	}
	if (reg == V3D_VPMBASE) {
		/* AG100 Table 69: only while idle, before any coordinate, vertex or NV shading. */
		if (qps_idle(sim))
			regs_store(sim, reg, value);
		return;
	}
	if (value & V3D_SET(SRQCS, QPURQCC, 1))
		state->completed = 0;
	if (value & V3D_SET(SRQCS, QPURQCM, 1))
		state->requested = 0;
	if (value & V3D_SET(SRQCS, QPURQERR, 1))
		state->error = false;
	if (value & V3D_SET(SRQCS, QPURQL, 1))
		state->waiting = 0;
}

void qps_finish(struct v3dsim *sim, struct qpu *q, bool store)
{
	if (store ? vdw_finish(sim, &q->port) : vdr_finish(sim, &q->port))
		return;
	q->faulted |= q->running;
	sim->qps->fault = true;
}

bool qps_mutex_acquire(struct qps *state, unsigned int qpu)
{
	if (state->mutex_owner == QPS_MUTEX_FREE) {
		state->mutex_owner = qpu;
		return true;
	}
	if (state->mutex_given && state->mutex_owner == qpu) {
		state->mutex_given = false;
		return true;
	}
	state->mutex_waiting |= 1u << qpu;
	return false;
}

void qps_mutex_release(struct qps *state)
{
	const unsigned int owner = state->mutex_owner == QPS_MUTEX_FREE ? 0 : state->mutex_owner;

	state->mutex_owner = QPS_MUTEX_FREE;
	state->mutex_given = false;
	for (unsigned int n = 1; n <= V3D_QPUS; n++) {
		const unsigned int next = (owner + n) % V3D_QPUS;

		if (state->mutex_waiting & 1u << next) {
			state->mutex_waiting &= ~(1u << next);
			state->mutex_owner = next;
			state->mutex_given = true;
			return;
		}
	}
}

/* A program is over: what it left in its VPM read FIFO is dropped, its DMA goes on. */
static void complete(struct v3dsim *sim, struct qpu *q)
{
	q->running = false;
	shade_give_registers(sim, q);
	sim->qps->completed++;
	if (vpm_cancel(&q->port))
		qpu_broken(sim, q, q->threads[q->current].pc, QPU_RULE_VPM_UNREAD);
}

/* One QPU's turn */
static void turn(struct v3dsim *sim, struct qpu *q, uint64_t until, uint64_t budget,
		 uint64_t *spent)
{
	struct qps *state = sim->qps;
	const uint64_t start = *spent;

	if (q->now < state->now)
		q->now = state->now;
	q->until = until;
	sim->trace.thread = TRACE_PROGRAMS;
	if (qpu_waits_on(sim, q))
		return;
	while (q->running && !q->faulted && q->now < until && *spent - start < budget) {
		switch (qpu_run(sim, q, budget - (*spent - start), spent)) {
		case QPU_ENDED:
			if (q->threads[!q->current].active) {
				qpu_switch(q);
				break;
			}
			complete(sim, q);
			start_programs(sim);
			break;
		case QPU_SWITCHED:
			qpu_switch(q);
			break;
		case QPU_STALLED:
		case QPU_FAULTED:
			return;
		case QPU_SPENT:
			break;
		}
	}
}

/* The earliest end of a DMA that is under way; false: there is none, and the time is UINT64_MAX */
static bool next_dma(const struct qps *state, uint64_t *when)
{
	*when = UINT64_MAX;

	for (unsigned int n = 0; n < V3D_QPUS; n++) {
		const struct vpm_port *port = &state->qpu[n].port;
		const struct vpm_dma *both[2] = { &port->load, &port->store };

		for (int i = 0; i < 2; i++) {
			if (both[i]->busy && both[i]->done < *when)
				*when = both[i]->done;
		}
	}
	return *when != UINT64_MAX;
}

/* Ends transfers whose time has come, in order of time */
static void finish_dma(struct v3dsim *sim)
{
	struct qps *state = sim->qps;
	uint64_t when;

	while (next_dma(state, &when) && when <= state->now) {
		if (inject_strikes(&sim->inject, INJECT_DMA_STOP))
			return;
		for (unsigned int n = 0; n < V3D_QPUS; n++) {
			struct qpu *q = &state->qpu[n];

			if (q->port.load.busy && q->port.load.done == when)
				qps_finish(sim, q, false);
			if (q->port.store.busy && q->port.store.done == when)
				qps_finish(sim, q, true);
		}
	}
}

/* Time goes on to when the last QPU of a round stopped; who did not run was idle. */
static void pass_time(struct v3dsim *sim, const uint64_t *busy_until)
{
	struct qps *state = sim->qps;
	uint64_t end = state->now, idle = 0;

	for (unsigned int n = 0; n < V3D_QPUS; n++)
		end = MAX(busy_until[n], end);
	for (unsigned int n = 0; n < V3D_QPUS; n++)
		if (!state->qpu[n].running)
			idle += end - MAX(busy_until[n], state->now);
	sim->stats.cycles += (end - state->now) * 4;
	pctr_count(sim, V3D_COUNTER_qpu_idle_cycles, idle * 4);
	state->now = end;
}

/* Return: all have had their turns; false: the budget is spent */
static bool take_turns(struct v3dsim *sim, uint64_t budget, uint64_t *spent)
{
	struct qps_round *round = &sim->qps->round;

	for (; round->next < V3D_QPUS; round->next++) {
		struct qpu *q = &sim->qps->qpu[round->next];
		const uint64_t before = *spent;

		if (!q->running || q->faulted)
			continue;
		turn(sim, q, round->until, budget - *spent, spent);
		round->busy_until[round->next] = q->now;
		round->spent += *spent - before;
		if (*spent >= budget && q->running && !q->faulted && q->now < round->until)
			return false;
	}
	return true;
}

/* A turn for every QPU, or what is left of it. Return: something went on in it */
static bool one_round(struct v3dsim *sim, uint64_t budget, uint64_t *spent)
{
	struct qps *state = sim->qps;
	struct qps_round *round = &state->round;
	uint64_t when;

	if (!round->open)
		*round = (struct qps_round){ .open = true, .until = state->now + QPS_TURN };
	if (!take_turns(sim, budget, spent))
		return true;
	round->open = false;
	pass_time(sim, round->busy_until);
	if (!round->spent && next_dma(state, &when) && when > state->now &&
	    !inject_stopped(&sim->inject, INJECT_DMA_STOP)) {
		sim->stats.cycles += (when - state->now) * 4;
		state->now = when;
	}
	finish_dma(sim);
	return round->spent;
}

static bool anything(const struct qps *state)
{
	for (unsigned int n = 0; n < V3D_QPUS; n++) {
		const struct qpu *q = &state->qpu[n];

		if ((q->running && !q->faulted) || q->port.load.busy || q->port.store.busy)
			return true;
	}
	return false;
}

/* Something other than an instruction that counts as work: a transfer under way */
static bool transfers(const struct qps *state)
{
	uint64_t when;

	return next_dma(state, &when);
}

uint64_t qps_run(struct v3dsim *sim, uint64_t budget)
{
	struct qps *state = sim->qps;
	uint64_t spent = 0;
	bool moved = false, went;

	start_programs(sim);
	if (!budget || !anything(state) || inject_strikes(&sim->inject, INJECT_QPU_STOP))
		return 0;
	sim_math_begin(sim);
	do {
		went = transfers(state) && !inject_stopped(&sim->inject, INJECT_DMA_STOP);
		went |= one_round(sim, budget, &spent);
		moved |= went;
	} while (went && spent < budget && !sim_wanted(sim));
	sim_math_end(sim);
	sim->stats.instructions += spent;
	pctr_count(sim, V3D_COUNTER_qpu_instruction_cycles, spent * 4);
	return spent ? spent : moved;
}

bool qps_idle(const struct v3dsim *sim)
{
	const struct qps *state = sim->qps;

	for (unsigned int n = 0; n < V3D_QPUS; n++)
		if (state->qpu[n].running)
			return false;
	return !state->waiting && !transfers(state);
}

bool qps_faulted(const struct v3dsim *sim)
{
	const struct qps *state = sim->qps;

	for (unsigned int n = 0; n < V3D_QPUS; n++)
		if (state->qpu[n].faulted)
			return true;
	return state->fault;
}

unsigned int qps_races(struct v3dsim *sim, struct v3dsim_race *races, bool *missed)
{
	return sim->qps->races ? races_tell(sim->qps->races, races, missed) : 0;
}

void qps_place(const struct qpu *q, struct v3dsim_place *place)
{
	const bool waits = !q->faulted && q->stall;

	place->address = q->threads[q->current].pc;
	snprintf(place->state, sizeof(place->state), "%s%s",
		 q->faulted ? "stopped with an error" :
		 waits	    ? "waits for " :
			      "still runs",
		 waits ? qpu_stall_text(q->stall) : "");
}

unsigned int qps_places(const struct v3dsim *sim, struct v3dsim_place *places)
{
	unsigned int count = 0;

	for (unsigned int n = 0; n < V3D_QPUS; n++) {
		const struct qpu *q = &sim->qps->qpu[n];

		if (!q->running)
			continue;
		snprintf(places[count].who, sizeof(places[count].who), "QPU%u", n);
		qps_place(q, &places[count++]);
	}
	return count;
}

void qps_describe(const struct v3dsim *sim, char *text, size_t size)
{
	struct v3dsim_place places[V3DSIM_PLACES];
	const unsigned int count = qps_places(sim, places);
	const struct qps *state = sim->qps;
	size_t used = 0;

	if (size)
		text[0] = '\0';
	for (unsigned int i = 0; i < count && used < size; i++)
		used += snprintf(text + used, size - used, "%s%s at 0x%08x %s", used ? "\n" : "",
				 places[i].who, places[i].address, places[i].state);
	if (state->waiting && used < size)
		snprintf(text + used, size - used, "%s%u programs wait for a QPU", used ? "\n" : "",
			 state->waiting);
}
