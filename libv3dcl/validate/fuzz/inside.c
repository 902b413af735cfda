// SPDX-License-Identifier: MIT
/* What an accepted job did inside the chip: see inside.h. */
#include "core/sim.h"
#include "inside.h"
#include "qpu/qps_state.h"
#include "qpu/shade.h"

#define RULE_TEXT(NAME, name, text) [QPU_RULE_##NAME] = text,
#define LEFT_TEXT(NAME, text) [QPU_LEFT_##NAME] = text,
static const char *const rules[QPU_RULE_COUNT] = { QPU_RULES(RULE_TEXT) };
static const char *const lefts[QPU_LEFT_COUNT] = { QPU_LEFT(LEFT_TEXT) };

/*
 * What accepted programs may do all the same. Of a register that was written just before no value
 * is known to the checker. Mesa's shaders read the VPM right after
 * its set-up, and access the tile buffer in two ways at once (SW). HOST_INT may be written with 0,
 * which raises nothing: the driver's timer looks all the same.
 */
#define BIT(NAME) (1u << QPU_RULE_##NAME)
static const uint32_t allowed[TRIAL_KINDS] = {
	[TRIAL_FRAME] = BIT(REGISTER_LATENCY) | BIT(VPM_EARLY) | BIT(PERIPHERALS),
	[TRIAL_QPU] = BIT(REGISTER_LATENCY) | BIT(HOST_INT_ZERO),
};

static void found(struct machine *m, const char *what)
{
	if (m->broken)
		return;
	m->broken = true;
	m->inside = what;
}

/* As a run ends the mutex may be free, or just given to a QPU that has not seen it yet */
static bool waits_in_vain(const struct qps *qps, const struct qpu *q)
{
	const unsigned int owner = qps->mutex_owner;

	if (owner == QPS_MUTEX_FREE)
		return false;
	if (owner == q->number)
		return !qps->mutex_given;
	return !qps->qpu[owner].running;
}

/* A QPU that waits for what no one can give it */
static void look_at_stall(struct machine *m, const struct qpu *q)
{
	switch (q->stall) {
	case QPU_STALL_MUTEX:
		if (waits_in_vain(m->sim->qps, q))
			found(m, "a program waits for the mutex, and who holds it does not run");
		break;
	case QPU_STALL_VPM_EMPTY:
	case QPU_STALL_TMU_EMPTY:
	case QPU_STALL_TMU_FULL:
	case QPU_STALL_BREAKPOINT:
		found(m, qpu_stall_text(q->stall));
		break;
	default:
		break;
	}
}

static void look_at_shared(struct machine *m)
{
	const struct qps *qps = m->sim->qps;

	for (unsigned int n = 0; n < V3D_QPU_SEMAPHORES; n++)
		if (qps->semaphores[n])
			found(m, "a semaphore is not 0 when the job has ended");
	if (qps->mutex_owner != QPS_MUTEX_FREE || qps->mutex_waiting)
		found(m, "the mutex is held when the job has ended");
}

void inside_look(struct machine *m, enum trial_kind kind, bool ended)
{
	const uint32_t broken = m->sim->stats.broken & ~allowed[kind];

	if (broken)
		found(m, rules[__builtin_ctz(broken)]);
	if (m->sim->stats.left)
		found(m, lefts[__builtin_ctz(m->sim->stats.left)]);
	for (unsigned int n = 0; n < V3D_QPUS; n++)
		if (m->sim->qps->qpu[n].running)
			look_at_stall(m, &m->sim->qps->qpu[n]);
	for (unsigned int thread = 0; thread < SHADE_QPUS; thread++)
		if (m->sim->shade[thread].running)
			look_at_stall(m, m->sim->shade[thread].qpu);
	if (ended && kind == TRIAL_QPU)
		look_at_shared(m);
}
