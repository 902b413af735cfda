// SPDX-License-Identifier: MIT
/*
 * The chip as a whole: which blocks it is made of, its life, its power, and who does its work. The
 * only file that knows all wings, and the switch that leads to accel/.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <time.h>

#include "core/sim.h"
#include "qpu/qps.h"
#include "qpu/shade.h"
#include "back/tlb.h"
#include "back/tlb_qpu.h"
#include "back/vri.h"
#include "front/draw.h"
#include "front/pse.h"
#include "front/ptb.h"
#include "front/vcm.h"
#include "accel/accel.h"

/*
 * What a control thread and the QPUs may take in one turn, and what a slice may take before the
 * lock is offered.
 */
#define CLE_TURN 1024
#define QPU_TURN 256
#define SLICE 16384

/* How often v3dsim_run() looks what the worker has spent */
#define LOOK_NS 3000000

/* Of one chip: what sim.h points to */
struct blocks {
	struct v3dsim sim;
	struct cle cle;
	struct draw draw[CLE_THREADS];
	struct ptb ptb;
	struct shade shade[CLE_THREADS];
	struct tlb tlb;
	struct vcm vcm[CLE_THREADS];
};

/* Which block answers for which registers; all others are storage. */
static const struct regs_window windows[] = {
	{ V3D_L2CACTL, V3D_SLCACTL, cache_read, cache_write },
	{ V3D_INTCTL, V3D_INTDIS, intr_read, intr_write },
	{ V3D_CT0CS, V3D_PCS, cle_read, cle_write },
	{ V3D_BFC, V3D_BFC, ptb_read, ptb_write },
	{ V3D_RFC, V3D_RFC, tlb_read, tlb_write },
	{ V3D_BPCA, V3D_BPOS, ptb_read, ptb_write },
	{ V3D_SRQPC, V3D_SRQPC, qps_read, qps_write },
	{ V3D_SRQCS, V3D_SRQCS, qps_read, qps_write },
	{ V3D_VPMBASE, V3D_VPMBASE, NULL, qps_write },
	{ V3D_DBQITE, V3D_DBQITC, intr_read, intr_write },
	{ V3D_PCTRC, V3D_PCTRS15, pctr_read, pctr_write },
	{ 0 },
};

/* Whatever runs ends; registers that software writes keep what they have */
static void end_all(struct v3dsim *sim)
{
	cache_reset(sim);
	cle_reset(sim);
	draw_reset(sim);
	vcm_reset(sim);
	ptb_reset(sim);
	tlb_reset(sim);
	fault_reset(sim);
	inject_reset(&sim->inject);
	qps_reset(sim);
	shade_reset(sim);
	pse_reset(sim);
	if (sim->hooks.tiles)
		sim->hooks.tiles->reset(sim);
	bus_forget(sim, 0, 0);
}

static void reset(struct v3dsim *sim)
{
	intr_reset(sim);
	pctr_reset(sim);
	regs_reset(sim);
	end_all(sim);
}

/* Power goes off or comes on in mode "power-keep": registers, enables, latches, counters stay */
static void end_and_keep(struct v3dsim *sim)
{
	const uint32_t memory = regs_read(sim, V3D_BPOA), bytes = regs_read(sim, V3D_BPOS);

	end_all(sim);
	regs_write(sim, V3D_BPOA, memory);
	regs_write(sim, V3D_BPOS, bytes);
	intr_cause(sim, ~0u, false);
}

static void pause_tiles(struct v3dsim *sim)
{
	if (sim->hooks.tiles)
		sim->hooks.tiles->pause(sim);
}

static void resume_tiles(struct v3dsim *sim)
{
	if (sim->hooks.tiles)
		sim->hooks.tiles->resume(sim);
}

/* Threads that shade tiles have something to do. */
static bool tiles_work(struct v3dsim *sim)
{
	return sim->hooks.tiles && sim->hooks.tiles->working(sim);
}

/* Lock held, no callback of the engine's in progress: all state may be changed. */
static void enter_alone(struct v3dsim *sim)
{
	pause_tiles(sim);
	sim_enter(sim);
	while (sim->in_callback)
		pthread_cond_wait(&sim->rest, &sim->lock);
}

/*
 * Mode "shading-waits": a control thread cannot go on without a QPU to shade on. Its turns have no
 * budget then; tiles that were shaded before still end a frame.
 */
static bool waits_for_qpu(struct v3dsim *sim, unsigned int thread)
{
	return sim->cle->threads[thread].run && !qps_may_shade(sim, thread) &&
	       chip_strike(sim, V3D_CHIP_SHADING_WAITS);
}

/* An engine that could rest has an interrupt to wait for. Return: what the wait has cost */
static uint64_t wait_for_interrupt(struct v3dsim *sim)
{
	if (!intr_waits(sim) || tiles_work(sim))
		return 0;
	intr_tick(sim);
	return 1;
}

/*
 * One turn for every unit that can work, in a fixed order. Return: what was spent; 0: none can go
 * on.
 */
static uint64_t turn(struct v3dsim *sim, uint64_t budget)
{
	uint64_t spent = 0, most;
	unsigned int thread;

	for (thread = 0; thread < CLE_THREADS; thread++) {
		most = waits_for_qpu(sim, thread) ? 0 : CLE_TURN;
		spent += cle_run(sim, thread, MIN(budget - spent, most));
	}
	return spent + qps_run(sim, MIN(budget - spent, QPU_TURN));
}

/*
 * Works until the budget or the slice is spent, a thread wants the lock, or no unit can go on
 * (*resting).
 */
static uint64_t slice(struct v3dsim *sim, uint64_t budget, bool *resting)
{
	uint64_t spent = 0, now;

	*resting = !sim->powered;
	sim->kicked = false;
	if (budget > SLICE)
		budget = SLICE;
	while (spent < budget && sim->powered && !sim_wanted(sim)) {
		now = turn(sim, budget - spent);
		if (!now && !sim_wanted(sim))
			now = wait_for_interrupt(sim);
		if (!now) {
			*resting = !sim_wanted(sim);
			break;
		}
		spent += MIN(now, budget - spent);
		if (intr_level(sim) != sim->intr.level)
			break;
	}
	if (sim->hooks.tiles)
		sim->hooks.tiles->publish(sim);
	bus_tell_written(sim);
	return spent;
}

/* After v3dsim_stop() */
static void go_on(struct v3dsim *sim)
{
	if (sim->stopped)
		resume_tiles(sim);
	sim->stopped = false;
}

/* No unit can go on: why */
static enum v3dsim_state state(const struct v3dsim *sim)
{
	if (cle_stopped_with_error(sim) || qps_faulted(sim))
		return V3DSIM_FAULT;
	return qps_idle(sim) && !cle_waiting(sim) ? V3DSIM_IDLE : V3DSIM_STALLED;
}

/* Until sim_tell(), or some milliseconds */
static void wait_for_event(struct v3dsim *sim)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += LOOK_NS;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	pthread_mutex_lock(&sim->event_lock);
	if (!sim->event)
		pthread_cond_timedwait(&sim->eventful, &sim->event_lock, &until);
	sim->event = false;
	pthread_mutex_unlock(&sim->event_lock);
}

/* Until the worker rests, is stopped, or has spent the budget */
static enum v3dsim_state watch(struct v3dsim *sim, uint64_t budget)
{
	enum v3dsim_state result = V3DSIM_BUSY;
	uint64_t start = 0;
	bool begun = false, over;

	do {
		if (begun)
			wait_for_event(sim);
		sim_enter(sim);
		if (!begun)
			start = sim->worked;
		begun = true;
		over = sim->stopped || sim->worked - start >= budget;
		if (sim->resting && !sim->kicked && !tiles_work(sim)) {
			result = state(sim);
			over = true;
		}
		sim_leave(sim);
	} while (!over);
	return result;
}

enum v3dsim_state v3dsim_run(struct v3dsim *sim, uint64_t budget)
{
	enum v3dsim_state result = V3DSIM_BUSY;
	bool resting = false;

	if (sim->has_worker)
		return watch(sim, budget);
	pthread_mutex_lock(&sim->lock);
	if (!sim->running) {
		sim->running = true;
		go_on(sim);
		while (budget && !sim->stopped && !(resting && !sim->kicked)) {
			budget -= slice(sim, budget, &resting);
			sim_offer(sim);
		}
		if (resting && !sim->kicked)
			result = state(sim);
		sim->running = false;
	}
	pthread_mutex_unlock(&sim->lock);
	return result;
}

static void *work(void *opaque)
{
	struct v3dsim *sim = opaque;

	pthread_mutex_lock(&sim->lock);
	while (!sim->quit) {
		if (sim->stopped || (sim->resting && !sim->kicked)) {
			sim_tell(sim);
			pthread_cond_wait(&sim->work, &sim->lock);
			continue;
		}
		sim->worked += slice(sim, SLICE, &sim->resting);
		sim_offer(sim);
	}
	pthread_mutex_unlock(&sim->lock);
	return NULL;
}

/* A register was written or the power came on: there may be something to do. */
static void kick(struct v3dsim *sim)
{
	go_on(sim);
	sim_kick(sim);
}

static void init_locks(struct v3dsim *sim)
{
	pthread_mutex_init(&sim->lock, NULL);
	pthread_cond_init(&sim->gave_way, NULL);
	pthread_cond_init(&sim->rest, NULL);
	pthread_cond_init(&sim->work, NULL);
	pthread_mutex_init(&sim->event_lock, NULL);
	pthread_cond_init(&sim->eventful, NULL);
}

/* A chip in parts. Return: NULL: out of memory */
static struct v3dsim *lay_out(void)
{
	struct blocks *blocks = calloc(1, sizeof(*blocks));
	struct v3dsim *sim;

	if (!blocks)
		return NULL;
	sim = &blocks->sim;
	sim->cle = &blocks->cle;
	sim->draw = blocks->draw;
	sim->ptb = &blocks->ptb;
	sim->shade = blocks->shade;
	sim->tlb = &blocks->tlb;
	sim->vcm = blocks->vcm;
	sim->regs.windows = windows;
	return sim;
}

/* What blocks allocate, in the order in which they need each other. Return: false: out of memory */
static bool allocate(struct v3dsim *sim)
{
	if (!cache_new(sim) || !qps_new(sim) || !shade_new(sim) || !pse_new(sim) || !vcm_new(sim))
		return false;
	vri_attach(qps_peripherals(sim));
	tlb_qpu_attach(qps_peripherals(sim));
	return !sim->hooks.tiles || sim->hooks.tiles->create(sim);
}

/* The chip is new, or switched on for the first time */
static void leave_dirty(struct v3dsim *sim)
{
	if (chip_strike(sim, V3D_CHIP_DIRTY_REGISTERS))
		regs_dirty(sim, sim->chip.number[V3D_CHIP_DIRTY_REGISTERS]);
}

/* Return: NULL: out of memory */
static struct v3dsim *create(const struct v3dsim_config *config, const struct chip_modes *chip,
			     const struct v3dsim_host *host)
{
	struct v3dsim *sim = lay_out();

	if (!sim)
		return NULL;
	if (config)
		sim->config = *config;
	sim->chip = *chip;
	sim->config.chip = NULL;
	if (host)
		sim->host = *host;
	if (!sim->config.reference)
		accel_hooks(&sim->hooks);
	init_locks(sim);
	if (!allocate(sim)) {
		v3dsim_free(sim);
		return NULL;
	}
	sim->powered = true;
	sim->trace.qpu = TRACE_NO_QPU;
	sim->inject.last = INJECT_NONE;
	reset(sim);
	leave_dirty(sim);
	return sim;
}

struct v3dsim *sim_tile_new(const struct v3dsim *sim)
{
	struct v3dsim_host host = sim->host;

	host.irq = NULL;
	return create(NULL, &sim->chip, &host);
}

struct v3dsim *v3dsim_new(const struct v3dsim_config *config, const struct v3dsim_host *host)
{
	struct chip_modes chip;
	struct v3dsim *sim;

	if (!chip_parse(&chip, config ? config->chip : NULL, NULL, 0) ||
	    (config && (config->threads > V3DSIM_THREADS_MAX ||
			config->caches > V3DSIM_CACHES_MODEL))) {
		errno = EINVAL;
		return NULL;
	}
	sim = create(config, &chip, host);
	if (!sim) {
		errno = ENOMEM;
		return NULL;
	}
	if (sim->config.threads) {
		sim->has_worker = !pthread_create(&sim->worker, NULL, work, sim);
		if (!sim->has_worker) {
			v3dsim_free(sim);
			errno = ENOMEM;
			return NULL;
		}
	}
	return sim;
}

bool v3dsim_chip_check(const char *chip, char *error, size_t size)
{
	struct chip_modes modes;

	return chip_parse(&modes, chip, error, size);
}

void v3dsim_chip_help(void (*line)(void *opaque, const char *text), void *opaque)
{
	chip_help(line, opaque);
}

void v3dsim_chip_name(struct v3dsim *sim, char *text, size_t size)
{
	chip_print(&sim->chip, text, size);
}

void v3dsim_free(struct v3dsim *sim)
{
	if (!sim)
		return;
	if (sim->has_worker) {
		sim_enter(sim);
		sim->quit = true;
		pthread_cond_signal(&sim->work);
		sim_leave(sim);
		pthread_join(sim->worker, NULL);
	}
	if (sim->hooks.tiles)
		sim->hooks.tiles->free(sim);
	vcm_free(sim);
	pse_free(sim);
	shade_free(sim);
	qps_free(sim);
	cache_free(sim);
	trace_free(sim);
	pthread_cond_destroy(&sim->eventful);
	pthread_mutex_destroy(&sim->event_lock);
	pthread_cond_destroy(&sim->work);
	pthread_cond_destroy(&sim->rest);
	pthread_cond_destroy(&sim->gave_way);
	pthread_mutex_destroy(&sim->lock);
	free(sim);
}

/* From the CPU's thread, lock not held. */
static void trace_register(struct v3dsim *sim, const char *what, uint32_t reg, uint32_t value)
{
	const char *name = regs_name(reg);
	char line[TRACE_LINE];

	if (!trace_wants_register(sim, reg))
		return;
	snprintf(line, sizeof(line), "%s %s (0x%03x) 0x%08x", what, name ? name : "no register",
		 reg, value);
	sim->host.trace(sim->host.opaque, V3DSIM_TRACE_REG, line);
}

uint32_t v3dsim_read(struct v3dsim *sim, uint32_t reg)
{
	uint32_t value = V3D_SLEEPING;

	sim_enter(sim);
	if (sim->powered) {
		intr_tick(sim);
		value = sim->inject.dead ? 0 : regs_read(sim, reg);
		value = inject_read(&sim->inject, reg, value);
	} else {
		sim->stats.sleeping_accesses++;
	}
	sim_leave(sim);
	trace_register(sim, "read", reg, value);
	return value;
}

/* A list or a user program begins */
static bool starts_job(uint32_t reg)
{
	return reg == V3D_CT0EA || reg == V3D_CT1EA || reg == V3D_SRQPC;
}

void v3dsim_write(struct v3dsim *sim, uint32_t reg, uint32_t value)
{
	trace_register(sim, "write", reg, value);
	sim_enter(sim);
	if (sim->powered && !sim->inject.dead) {
		intr_tick(sim);
		if (starts_job(reg))
			sim->refusals = sim->chip.number[V3D_CHIP_POWER_REFUSE];
		regs_write(sim, reg, value);
		kick(sim);
	}
	sim->stats.sleeping_accesses += !sim->powered;
	sim_leave(sim);
}

bool v3dsim_irq_level(struct v3dsim *sim)
{
	bool level;

	sim_enter(sim);
	level = intr_level(sim);
	sim_leave(sim);
	return level;
}

void v3dsim_forget(struct v3dsim *sim, uint32_t addr, uint32_t len)
{
	sim_enter(sim);
	if (len)
		bus_forget(sim, addr, len);
	sim_leave(sim);
	if (len && sim->hooks.tiles)
		sim->hooks.tiles->forget(sim, addr, len);
}

void v3dsim_power(struct v3dsim *sim, bool on)
{
	enter_alone(sim);
	if (on != sim->powered) {
		if (chip_strike(sim, V3D_CHIP_POWER_KEEP))
			end_and_keep(sim);
		else
			reset(sim);
		if (on && !sim->switched_on)
			leave_dirty(sim);
		sim->switched_on |= on;
		sim->powered = on;
		sim->inject.dead = on && inject_strikes(&sim->inject, INJECT_RESET_DEAD);
		kick(sim);
	}
	resume_tiles(sim);
	sim_leave(sim);
}

bool v3dsim_power_refused(struct v3dsim *sim)
{
	bool refused;

	sim_enter(sim);
	refused = sim->powered && sim->refusals && chip_strike(sim, V3D_CHIP_POWER_REFUSE);
	if (refused)
		sim->refusals--;
	sim_leave(sim);
	return refused;
}

void v3dsim_stop(struct v3dsim *sim)
{
	enter_alone(sim);
	go_on(sim);
	sim->stopped = true;	/* threads that shade tiles stay paused: go_on() resumes them */
	sim_leave(sim);
}

/* In a child: no other thread is here, whatever was waited for before. */
static bool begin_anew(struct v3dsim *sim)
{
	sim->waiters = 0;
	init_locks(sim);
	if (sim->has_worker)
		sim->has_worker = !pthread_create(&sim->worker, NULL, work, sim);
	if (!sim->has_worker && sim->config.threads)
		return false;
	return !sim->hooks.tiles || sim->hooks.tiles->begin_anew(sim);
}

bool v3dsim_fork(struct v3dsim *sim, enum v3dsim_fork when)
{
	switch (when) {
	case V3DSIM_FORK_BEFORE:
		enter_alone(sim);
		pthread_mutex_lock(&sim->event_lock);
		return true;
	case V3DSIM_FORK_PARENT:
		pthread_mutex_unlock(&sim->event_lock);
		resume_tiles(sim);
		sim_leave(sim);
		return true;
	default:
		return begin_anew(sim);
	}
}

bool v3dsim_fault(struct v3dsim *sim, struct v3dsim_fault *out)
{
	bool any;

	sim_enter(sim);
	any = sim->fault.any;
	if (any && out)
		*out = sim->fault.first;
	sim_leave(sim);
	return any;
}

bool v3dsim_inject(struct v3dsim *sim, const char *fault, char *error, size_t size)
{
	bool good;

	sim_enter(sim);
	good = inject_ask(&sim->inject, fault, error, size);
	sim_leave(sim);
	return good;
}

void v3dsim_injected(struct v3dsim *sim, struct v3dsim_injected *out)
{
	sim_enter(sim);
	inject_tell(&sim->inject, out);
	sim_leave(sim);
}

unsigned int v3dsim_places(struct v3dsim *sim, struct v3dsim_place *places)
{
	unsigned int count;

	sim_enter(sim);
	count = qps_places(sim, places);
	count += shade_places(sim, places + count);
	sim_leave(sim);
	return count;
}

unsigned int v3dsim_races(struct v3dsim *sim, struct v3dsim_race *races, bool *missed)
{
	unsigned int count;

	sim_enter(sim);
	*missed = false;
	count = qps_races(sim, races, missed);
	sim_leave(sim);
	return count;
}

void v3dsim_describe(struct v3dsim *sim, char *text, size_t size)
{
	sim_enter(sim);
	qps_describe(sim, text, size);
	sim_leave(sim);
}

void v3dsim_stats(struct v3dsim *sim, void (*each)(void *opaque, const char *name, uint64_t value),
		  void *opaque)
{
#define STRUCK_NAME(NAME, name, number, source, text) "struck:" name,
	static const char *const struck_names[] = { V3D_CHIP_MODES(STRUCK_NAME) };
#define COUNTER_NAME(id, unit, name, text) [id] = #name,
	static const char *const names[V3D_COUNTER_COUNT] = { V3D_COUNTER_SOURCES(COUNTER_NAME) };
	uint64_t totals[V3D_COUNTER_COUNT], struck[V3D_CHIP_MODE_COUNT];
	struct inject inject;
	struct sim_stats stats;
	unsigned int i;

	sim_enter(sim);
	stats = sim->stats;
	inject = sim->inject;
	memcpy(totals, sim->pctr.totals, sizeof(totals));
	memcpy(struck, sim->struck, sizeof(struck));
	sim_leave(sim);
	each(opaque, "instructions", stats.instructions);
	each(opaque, "cycles", stats.cycles);
	each(opaque, "records", stats.records);
	each(opaque, "sleeping_accesses", stats.sleeping_accesses);
	each(opaque, "broken_rules", stats.broken_rules);
	each(opaque, "interrupts", stats.interrupts);
	for (i = 0; i < V3D_COUNTER_COUNT; i++)
		each(opaque, names[i], totals[i]);
	for (i = 0; i < V3D_CHIP_MODE_COUNT; i++)
		if (chip_has(&sim->chip, i))
			each(opaque, struck_names[i], struck[i]);
	inject_stats(&inject, each, opaque);
}
