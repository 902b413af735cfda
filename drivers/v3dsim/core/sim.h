/* SPDX-License-Identifier: MIT */
/*
 * The chip from inside: one struct a block of AG100 Figure 1, and the one lock around them. What
 * the core has is here; of each other block there is a pointer, to what that block's own header
 * shows. v3dsim.c puts them all together.
 *
 * A thread that works on the chip's state holds sim->lock: a register access for a moment, the
 * engine (v3dsim_run() or the worker) for a slice of some hundred instructions. The lock is dropped
 * around every callback to the host: so any call into bus, cache or trace may let registers be
 * written meanwhile, and state that registers write (queues, latches) is read again after such a
 * call. Power and stop wait until the engine is between two slices, so that no unit's step sees a
 * reset of the whole. Interrupt callbacks are made where nothing is in progress, hence the host may
 * call anything from them; from the region, written and trace callbacks it may read and write
 * registers and forget regions, but neither stop, power, run nor free.
 */
#ifndef V3DSIM_SIM_H
#define V3DSIM_SIM_H

#include <pthread.h>

#include <v3d/regs.h>

#include "v3dsim.h"
#include "bus.h"
#include "cache.h"
#include "fault.h"
#include "float_mode.h"
#include "hooks.h"
#include "inject.h"
#include "intr.h"
#include "modes.h"
#include "pctr.h"
#include "regs.h"
#include "trace.h"

struct cle;
struct draw;
struct pse;
struct ptb;
struct qps;
struct shade;
struct tiles;
struct tlb;
struct vcm;

/* Pixels, uniforms and VPM words are handed to memory as they lie in this process. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	       "the V3D is little endian, and so must be what simulates it");

/**
 * struct sim_stats - what v3dsim_stats() gives beside the counters
 * @instructions: QPU instructions executed, a stalled one once
 * @cycles: QPU clock cycles, stalls included
 * @records: control records executed
 * @sleeping_accesses: register accesses while switched off
 * @broken_rules: broken rules of AG100 "Summary of Instruction Restrictions"
 * @interrupts: new reasons for one: latches set while enabled. What is latched again as soon as it
 *	is cleared is none
 * @broken: which rules were broken, a bit each: enum qpu_rule
 * @left: what programs did to others: a bit each, enum qpu_left. Of those that are run instruction
 *	by instruction, as a strict configuration does
 */
struct sim_stats {
	uint64_t instructions, cycles, records, sleeping_accesses, broken_rules, interrupts;
	uint32_t broken, left;
};

/**
 * struct v3dsim - the chip
 * @lock: see above; @waiters counts CPU threads that want it, @served those that had it, @gave_way
 *	is signalled at each
 * @rest: signalled when the engine has left a callback
 * @work: signalled when there may be something to do
 * @worked: what the worker and the threads that shade tiles have spent: in a list that never ends
 *	there may be no instruction and no record
 * @callbacks: counts them: what the bus gave a look at is valid until the next one
 * @in_callback: the engine is inside a callback, nested in a unit's step
 * @running: a caller is inside v3dsim_run()
 * @resting: the worker has nothing to do, unless @kicked
 * @event_lock: for @event, which is set and signalled by @eventful where a caller in v3dsim_run()
 *	may look again; taken last
 * @quit: the worker must end
 * @stopped: the engine rests until the next register write
 * @kicked: something came that may be work, since the slice began
 * @powered: the power domain is on; @switched_on: it was switched on since the chip is there
 * @refusals: times that it is still to refuse to be switched off
 * @computing: the engine is in the floating-point mode of the QPUs; @host_mode: its thread's own
 * @hooks: what exists for speed alone; @tiles is theirs: threads that shade tiles, or NULL,
 *	each on a struct v3dsim of its own, of which tile buffer, fragment QPU, set-up, bus,
 *	statistics and counters are in use
 * @draw: of each control thread, as @shade and @vcm
 * @struck: see chip_strike()
 * @residue: what programs find where they have not written, for who looks whether it matters: in
 *	registers, and in rows of the VPM that are allocated to vertices. A program that reads the
 *	flags first finds them set unless it is 0
 */
struct v3dsim {
	struct v3dsim_config config;
	struct chip_modes chip;
	uint64_t struck[V3D_CHIP_MODE_COUNT];
	uint32_t residue;
	struct v3dsim_host host;
	pthread_mutex_t lock;
	pthread_cond_t gave_way, rest, work;
	unsigned int waiters;
	uint32_t served, callbacks;
	uint64_t worked;
	pthread_t worker;
	bool has_worker, quit, stopped, kicked;
	bool running, in_callback, resting, event;
	pthread_mutex_t event_lock;
	pthread_cond_t eventful;
	bool powered, switched_on;
	uint32_t refusals;
	struct sim_stats stats;

	struct bus bus;
	struct cache cache;
	struct fault fault;
	struct inject inject;
	struct intr intr;
	struct pctr pctr;
	struct regs regs;
	struct trace trace;
	bool computing;
	float_mode host_mode;

	struct cle *cle;
	struct draw *draw;
	struct pse *pse;
	struct ptb *ptb;
	struct qps *qps;
	struct shade *shade;
	struct tlb *tlb;
	struct vcm *vcm;

	struct hooks hooks;
	struct tiles *tiles;
};

/**
 * chip_strike() - here a chip with this mode does the other thing. Return: this one has it, and
 * does so: counted
 */
static inline bool chip_strike(struct v3dsim *sim, enum v3d_chip_mode mode)
{
	const bool strikes = chip_has(&sim->chip, mode);

	sim->struck[mode] += strikes;
	return strikes;
}

/**
 * sim_enter() - the CPU's side takes the lock; the engine gives way at the end of its slice or at
 * its next callback
 */
void sim_enter(struct v3dsim *sim);

/* Gives the lock back and tells the host if the interrupt line's level changed */
void sim_leave(struct v3dsim *sim);

/**
 * sim_offer() - the engine is between two slices: the host hears of interrupts, and a thread that
 * waits for the lock gets it once
 */
void sim_offer(struct v3dsim *sim);

/* There may be something for the engine to do; lock held */
void sim_kick(struct v3dsim *sim);

/* A caller that waits in v3dsim_run() for the worker looks again */
void sim_tell(struct v3dsim *sim);

/**
 * sim_tile_new() - a chip that shades tiles for this one; v3dsim_free() ends it. NULL: out of
 * memory. In v3dsim.c
 */
struct v3dsim *sim_tile_new(const struct v3dsim *sim);

/**
 * sim_math_begin() - the engine computes in the floating-point mode of the QPUs until
 * sim_math_end(), callbacks left out
 */
void sim_math_begin(struct v3dsim *sim);
void sim_math_end(struct v3dsim *sim);

/* The engine is about to call the host: drops the lock */
void sim_callback_begin(struct v3dsim *sim);

/* Takes the lock again */
void sim_callback_end(struct v3dsim *sim);

/**
 * sim_wanted() - a thread waits for the lock: the engine ends its slice soon. Cheap, for use in
 * inner loops.
 */
static inline bool sim_wanted(struct v3dsim *sim)
{
	return __atomic_load_n(&sim->waiters, __ATOMIC_RELAXED) != 0;
}

#endif /* V3DSIM_SIM_H */
