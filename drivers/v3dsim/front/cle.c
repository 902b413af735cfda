// SPDX-License-Identifier: MIT
/* The control list executor: see cle.h. */
#include <stdio.h>
#include <string.h>

#include "core/sim.h"
#include "qpu/shade.h"
#include "back/tlb.h"
#include "cle.h"
#include "draw.h"
#include "pse.h"
#include "ptb.h"
#include "vcm.h"

#define UPDATES_MAX 0x1fff		/* of the binner's counter: HW-2116 */

static enum v3dsim_unit unit_of(unsigned int thread)
{
	return thread ? V3DSIM_UNIT_CLE1 : V3DSIM_UNIT_CLE0;
}

static void stop(struct cle_thread *ct, bool halted)
{
	ct->run = false;
	ct->ending &= ~(CLE_ENDS_LIST | CLE_ENDS_WITH_ERROR);
	ct->halted = halted;
	ct->stalled = false;
}

/*
 * Starting clears CTERR; without anything to execute the thread stays where it is (AG100 Tables 49
 * and 50).
 */
static void start(struct cle_thread *ct)
{
	ct->halted = false;
	if (ct->run || ct->ca == ct->ea)
		return;
	ct->run = true;
	ct->error = false;
}

/*
 * Tiles that are shaded beside the list (hooks.h) have to be done before what comes next may be
 * seen.
 */
static bool must_wait(struct v3dsim *sim, unsigned int thread)
{
	return thread && sim->hooks.tiles && sim->hooks.tiles->busy(sim);
}

static uint32_t read_address(struct v3dsim *sim, unsigned int thread)
{
	uint32_t addr;

	if (thread && sim->hooks.tiles && sim->hooks.tiles->oldest(sim, &addr))
		return addr;
	return sim->cle->threads[thread].ca;
}

static uint32_t read_status(const struct v3dsim *sim, unsigned int thread)
{
	const struct cle_thread *ct = &sim->cle->threads[thread];

	return V3D_SET(CTCS, CTSEMA, ct->semaphore) | V3D_SET(CTCS, CTRTSD, ct->depth) |
	       V3D_SET(CTCS, CTRUN, ct->run) |
	       V3D_SET(CTCS, CTSUBS, ct->run ? ct->stalled : ct->halted) |
	       V3D_SET(CTCS, CTERR, ct->error) |
	       V3D_SET(CTCS, CTMODE, thread == 0 && ct->prefixing);
}

static uint32_t read_pipelines(const struct v3dsim *sim)
{
	const struct cle_thread *bin = &sim->cle->threads[0], *render = &sim->cle->threads[1];

	return V3D_SET(PCS, BMOOM, sim->ptb->out_of_memory) |
	       V3D_SET(PCS, RMACTIVE, sim->tlb->active) |
	       V3D_SET(PCS, RMBUSY, sim->tlb->active && render->run && !render->stalled) |
	       V3D_SET(PCS, BMACTIVE, sim->ptb->active) |
	       V3D_SET(PCS, BMBUSY,
		       sim->ptb->active && bin->run && !bin->stalled && !sim->ptb->out_of_memory);
}

uint32_t cle_read(struct v3dsim *sim, uint32_t reg)
{
	unsigned int thread = reg / 4 & 1;
	const struct cle_thread *ct = &sim->cle->threads[thread];

	switch (reg) {
	case V3D_CT0CS:
	case V3D_CT1CS:
		return read_status(sim, thread);
	case V3D_CT0EA:
	case V3D_CT1EA:
		return ct->ea;
	case V3D_CT0CA:
	case V3D_CT1CA:
		return read_address(sim, thread);
	case V3D_CT0RA0:
	case V3D_CT1RA0:
		return ct->ra[0];
	case V3D_CT0LC:
	case V3D_CT1LC:
		return V3D_SET(CTLC, CTLLCM, ct->flushes) | V3D_SET(CTLC, CTLSLCS, ct->returns);
	case V3D_CT0PC:
	case V3D_CT1PC:
		return ct->primitives;
	default:
		return read_pipelines(sim);
	}
}

/*
 * "Stops the control thread and resets all bits in this register" (AG100 Table 49): the return
 * stack's depth and the semaphore are among them. What the thread had in its pipeline is dropped: a
 * frame or a flush that is not done, a wait for memory, a pending load.
 */
static void reset_thread(struct v3dsim *sim, unsigned int thread)
{
	struct cle_thread *ct = &sim->cle->threads[thread];

	stop(ct, false);
	ct->error = false;
	ct->prefixing = false;
	ct->inside = false;
	ct->cut = false;
	ct->depth = 0;
	ct->semaphore = 0;
	ct->owed = 0;
	ct->ending = 0;
	ct->primitives = 0;
	ct->address_epoch++;
	shade_cancel(sim, thread);
	draw_cancel(sim, thread);
	if (thread == 0) {
		ptb_cancel(sim);
	} else {
		if (sim->hooks.tiles)
			sim->hooks.tiles->cancel(sim);
		sim->tlb->load = TLB_LOAD_NONE;
		sim->tlb->active = false;
		pse_cancel(sim);
	}
}

static void write_status(struct v3dsim *sim, unsigned int thread, uint32_t value)
{
	struct cle_thread *ct = &sim->cle->threads[thread];

	if (value & V3D_MASK(CTCS, CTRSTA)) {
		reset_thread(sim, thread);
		return;
	}
	/* Both bits at once: not established. The stop comes first here. */
	if (value & V3D_MASK(CTCS, CTRUN))
		stop(ct, true);
	if (value & V3D_MASK(CTCS, CTSUBS))
		start(ct);
}

static void write_address(struct cle_thread *ct, uint32_t value)
{
	if (ct->run)
		return;
	ct->ca = value;
	ct->halted = false;
	ct->inside = false;
	ct->cut = false;
	ct->address_epoch++;
}

void cle_write(struct v3dsim *sim, uint32_t reg, uint32_t value)
{
	unsigned int thread = reg / 4 & 1;
	struct cle_thread *ct = &sim->cle->threads[thread];

	switch (reg) {
	case V3D_CT0CS:
	case V3D_CT1CS:
		write_status(sim, thread, value);
		break;
	case V3D_CT0EA:
	case V3D_CT1EA:
		if (!ct->run) {
			vcm_forget(sim, thread);
			if (thread && sim->hooks.tiles)
				sim->hooks.tiles->list(sim);
		}
		ct->ea = value;
		ct->cut = false;
		if (value != ct->ca)
			ct->ending &= ~CLE_ENDS_LIST;
		if (!ct->run && !ct->halted) {
			trace_list(sim, thread);
			start(ct);
		}
		break;
	case V3D_CT0CA:
	case V3D_CT1CA:
		write_address(ct, value);
		break;
	case V3D_CT0LC:
	case V3D_CT1LC:
		if (value & 1u << 16)
			ct->flushes = 0;
		if (value & 1)
			ct->returns = 0;
		break;
	}
}

static void post(struct cle_thread *ct, unsigned int times)
{
	/* More than the counter holds: not established. It stays at its maximum here. */
	ct->semaphore += times;
	if (ct->semaphore > CLE_SEMAPHORE_MAX)
		ct->semaphore = CLE_SEMAPHORE_MAX;
}

void cle_flushed(struct v3dsim *sim, unsigned int thread)
{
	struct cle_thread *ct = &sim->cle->threads[thread];

	post(&sim->cle->threads[!thread], ct->owed);
	ct->owed = 0;
}

static void end_frame(struct v3dsim *sim)
{
	cle_flushed(sim, 1);
	tlb_end_frame(sim);
}

void cle_tile_failed(struct v3dsim *sim, uint32_t ca, const uint32_t *ra, unsigned int depth)
{
	struct cle_thread *ct = &sim->cle->threads[1];

	stop(ct, false);
	ct->error = true;
	ct->ending = 0;
	ct->inside = false;
	ct->ca = ca;
	ct->depth = depth;
	memcpy(ct->ra, ra, sizeof(ct->ra));
	ct->address_epoch++;
	shade_cancel(sim, 1);
	draw_cancel(sim, 1);
	pse_cancel(sim);
}

bool cle_stopped_with_error(const struct v3dsim *sim)
{
	return sim->cle->threads[0].error || sim->cle->threads[1].error;
}

bool cle_waiting(const struct v3dsim *sim)
{
	return sim->cle->threads[0].run || sim->cle->threads[1].run;
}

void cle_reset(struct v3dsim *sim)
{
	memset(sim->cle, 0, sizeof(*sim->cle));
}

/* A record being executed. next is where the thread goes when it is done. */
struct step {
	struct v3dsim *sim;
	struct cle_thread *ct;
	unsigned int thread;
	uint32_t addr, next;
	uint8_t bytes[CLE_RECORD_MAX];
	uint64_t *budget;
};

static enum sim_result refuse(const struct step *step, const char *format, const char *name)
{
	fault_report(step->sim, unit_of(step->thread), step->addr, format, name, step->bytes[0]);
	return SIM_ERROR;
}

static enum sim_result from_ptb(enum ptb_result result)
{
	static const enum sim_result results[] = {
		[PTB_DONE] = SIM_DONE,
		[PTB_MORE] = SIM_MORE,
		[PTB_OUT_OF_MEMORY] = SIM_STUCK,
		[PTB_ERROR] = SIM_ERROR,
	};

	return results[result];
}

/* The binner's records that take long begin anew, or go on. */
static void begin_long(struct step *step)
{
	if (step->ct->inside)
		return;
	step->ct->inside = true;
	step->sim->ptb->tile = 0;
	step->sim->ptb->item = 0;
	if (step->bytes[0] != V3D_START_TILE_BINNING)
		step->ct->flushes++;
}

static enum sim_result start_binning(struct step *step)
{
	enum ptb_result result;

	begin_long(step);
	result = ptb_start(step->sim, step->addr, step->budget);
	if (result == PTB_DONE)
		step->ct->prefixing = false;
	return from_ptb(result);
}

static enum sim_result flush(struct step *step)
{
	begin_long(step);
	return from_ptb(ptb_flush(step->sim, step->addr, step->bytes[0] == V3D_FLUSH_ALL_STATE,
				  step->budget));
}

/*
 * AG100 Table 38: record 7 acts "after tile lists are flushed or last tile written", which HW shows
 * with the record before the flush.
 */
static enum sim_result increment(struct step *step)
{
	bool busy = step->thread ? step->sim->tlb->active : step->sim->ptb->active;

	if (!busy && must_wait(step->sim, step->thread))
		return SIM_STUCK;
	step->ct->owed++;
	if (!busy)
		cle_flushed(step->sim, step->thread);
	return SIM_DONE;
}

static enum sim_result halt(struct step *step)
{
	if (must_wait(step->sim, step->thread))
		return SIM_STUCK;
	stop(step->ct, true);
	return SIM_DONE;
}

static enum sim_result wait_for_other(struct step *step)
{
	struct cle_thread *ct = step->ct;

	ct->stalled = !ct->semaphore;
	if (ct->stalled)
		return SIM_STUCK;
	ct->semaphore--;
	return SIM_DONE;
}

static enum sim_result call(struct step *step)
{
	struct cle_thread *ct = step->ct;
	struct v3d_branch_to_sub_list branch;

	if (ct->depth == CLE_NESTING)
		return refuse(step,
			      "%s (record %u): two sub-lists are open, expected at most two",
			      "branch to sub-list");
	v3d_unpack_branch_to_sub_list(step->bytes, &branch);
	ct->ra[ct->depth++] = step->next;
	step->next = branch.address;
	return SIM_DONE;
}

static enum sim_result come_back(struct step *step)
{
	step->ct->returns++;
	if (step->ct->depth)
		step->next = step->ct->ra[--step->ct->depth];
	return SIM_DONE;
}

static enum sim_result branch_away(struct step *step)
{
	struct v3d_branch branch;

	v3d_unpack_branch(step->bytes, &branch);
	step->next = branch.address;
	return SIM_DONE;
}

static enum sim_result configure_binning(struct step *step)
{
	struct v3d_tile_binning_mode mode;
	enum ptb_result result;

	v3d_unpack_tile_binning_mode(step->bytes, &mode);
	result = ptb_configure(step->sim, step->addr, &mode);
	step->ct->prefixing = result == PTB_DONE;
	return from_ptb(result);
}

/* Which slot of the state a record sets; CLE_SLOTS is none. */
static enum cle_slot slot_of(uint8_t id)
{
	switch (id) {
	case V3D_PRIMITIVE_LIST_FORMAT:
		return CLE_FORMAT;
	case V3D_GL_SHADER_STATE ... V3D_VG_INLINE_SHADER_STATE:
		return CLE_SHADER;
	case V3D_CONFIGURATION_BITS ... V3D_Z_CLIPPING_PLANES:
		return CLE_CONFIGURATION + (id - V3D_CONFIGURATION_BITS);
	case V3D_CLIPPER_XY_SCALING:
		return CLE_CLIPPER_XY;
	case V3D_CLIPPER_Z_SCALE:
		return CLE_CLIPPER_Z;
	default:
		return CLE_SLOTS;
	}
}

/* May a compressed list use vertices that were shaded before this record? See vcm.h. */
static bool keeps_vertices(uint8_t id, enum cle_slot slot)
{
	return slot == CLE_SLOTS ? id == V3D_COMPRESSED_PRIMITIVES || id == V3D_CLIPPED_PRIMITIVE :
				   slot != CLE_SHADER;
}

void cle_state_start(struct cle_state *state)
{
	state->serial = 0;
	memset(state->changed, 0, sizeof(state->changed));
	state->updates = 0;
	state->spoilt = 0;
	state->counted = false;
}

/*
 * HW-2116: the binner's counter of state updates moves at the first one after record 6 or a draw
 * (SW). Where it wraps, lists get all state anew, and wrongly (HW). How many bits it has is not
 * established: drivers flush before 0x1ef0 draws.
 */
static void count_update(struct v3dsim *sim, struct cle_state *state)
{
	if (state->counted)
		return;
	state->counted = true;
	if (++state->updates & UPDATES_MAX || !chip_strike(sim, V3D_CHIP_HW_2116))
		return;
	for (unsigned int slot = CLE_SHADER; slot < CLE_TILE_SLOTS; slot++) {
		if (!state->record[slot][0])
			continue;
		state->changed[slot] = ++state->serial;
		state->spoilt |= 1u << slot;
	}
}

/* The same again is no change, unless it is the first since record 6: tile lists must have that. */
static void set_state(struct cle_state *state, enum cle_slot slot, const uint8_t *bytes)
{
	state->spoilt &= ~(1u << slot);
	if (state->changed[slot] &&
	    !memcmp(state->record[slot], bytes, sizeof(state->record[slot])))
		return;
	memcpy(state->record[slot], bytes, sizeof(state->record[slot]));
	state->changed[slot] = ++state->serial;
}

/*
 * A record for the tile buffer; with the last tile's store the frame ends as soon as that is done.
 */
static enum sim_result tile_record(struct step *step)
{
	struct v3dsim *sim = step->sim;
	enum sim_result result;

	if (inject_strikes(&sim->inject, INJECT_TLB_STOP))
		return SIM_STUCK;
	if (sim->hooks.tiles)
		result = sim->hooks.tiles->record(sim, step->addr, step->bytes);
	else
		result = tlb_record(sim, step->addr, step->bytes) ? SIM_DONE : SIM_ERROR;
	if (result != SIM_DONE || !sim->tlb->last)
		return result;
	if (sim->tlb->elsewhere)
		step->ct->ending |= CLE_ENDS_FRAME;
	else
		end_frame(sim);
	return SIM_DONE;
}

static enum sim_result execute(struct step *step)
{
	enum cle_slot slot = slot_of(step->bytes[0]);

	if (!keeps_vertices(step->bytes[0], slot) && (slot == CLE_SHADER || !step->ct->inside))
		vcm_forget(step->sim, step->thread);
	if (slot != CLE_SLOTS) {
		if (!step->thread)
			count_update(step->sim, &step->ct->state);
		set_state(&step->ct->state, slot, step->bytes);
		return SIM_DONE;
	}
	switch (step->bytes[0]) {
	case V3D_HALT:
		return halt(step);
	case V3D_NOP:
		return SIM_DONE;
	case V3D_FLUSH:
	case V3D_FLUSH_ALL_STATE:
		return flush(step);
	case V3D_START_TILE_BINNING:
		return start_binning(step);
	case V3D_INCREMENT_SEMAPHORE:
		return increment(step);
	case V3D_WAIT_ON_SEMAPHORE:
		return wait_for_other(step);
	case V3D_BRANCH:
		return branch_away(step);
	case V3D_BRANCH_TO_SUB_LIST:
		return call(step);
	case V3D_RETURN_FROM_SUB_LIST:
		return come_back(step);
	case V3D_INDEXED_PRIMITIVES ... V3D_CLIPPED_PRIMITIVE:
		step->ct->state.counted = false;
		return draw_record(step->sim, step->thread, step->addr, step->bytes, &step->next,
				   step->budget);
	case V3D_TILE_BINNING_MODE:
		return configure_binning(step);
	default:
		return tile_record(step);
	}
}

static void trace_fields(const struct step *step)
{
	const struct v3d_packet_info *info = v3d_packet_info(step->bytes[0]);
	char fields[TRACE_LINE] = "";
	const struct v3d_field *field;
	size_t used = 0;

	if (!trace_wanted(&step->sim->config, V3DSIM_TRACE_CLE))
		return;
	for (field = info->fields; field->name && used < sizeof(fields); field++) {
		uint32_t bits = v3d_get_bits(step->bytes, 8 + field->low, field->bits);

		if (field->type == V3D_A)
			bits <<= 32 - field->bits;
		used += snprintf(fields + used, sizeof(fields) - used,
				 field->bits > 8 ? " %s=0x%x" : " %s=%u", field->name, bits);
	}
	trace_line(step->sim, V3DSIM_TRACE_CLE, step->addr, "%s 0x%08x %s%s",
		   fault_unit_name(unit_of(step->thread)), step->addr, info->name, fields);
}

/* The record's bytes, once, and whether it may stand here. */
static enum sim_result fetch(struct step *step)
{
	const struct v3d_packet_info *info;
	enum v3dsim_unit unit = unit_of(step->thread);

	if (!bus_read(step->sim, unit, step->addr, step->bytes, 1))
		return SIM_ERROR;
	info = v3d_packet_info(step->bytes[0]);
	if (!info->name || info->lists == V3D_IN_SUBMIT) {
		fault_report(step->sim, unit, step->addr, "record %u: no such control record",
			     step->bytes[0]);
		return SIM_ERROR;
	}
	if (!bus_read(step->sim, unit, step->addr + 1, step->bytes + 1, info->length - 1))
		return SIM_ERROR;
	step->next = step->addr + info->length;
	if (info->lists & (step->thread ? V3D_IN_RENDER : V3D_IN_BIN))
		return SIM_DONE;
	return refuse(step,
		      step->thread ?
			      "%s (record %u) in a rendering list: expected in binning lists only" :
			      "%s (record %u) in a binning list: expected in rendering lists only",
		      info->name);
}

static void fail(struct v3dsim *sim, unsigned int thread, const struct fault *before)
{
	struct cle_thread *ct = &sim->cle->threads[thread];

	if (must_wait(sim, thread)) {
		/* An earlier tile may yet fail, and is the first then. */
		ct->held = sim->fault;
		sim->fault = *before;
		ct->ending |= CLE_ENDS_WITH_ERROR;
		return;
	}
	stop(ct, false);
	ct->error = true;
}

/* Whatever is held back until all tiles are done. Return: false: they are not */
static bool settle(struct v3dsim *sim, unsigned int thread)
{
	struct cle_thread *ct = &sim->cle->threads[thread];
	const unsigned int ending = ct->ending;

	if (!ending)
		return true;
	if (must_wait(sim, thread))
		return false;
	ct->ending = 0;
	if (ending & CLE_ENDS_FRAME)
		end_frame(sim);
	if (ending & CLE_ENDS_LIST)
		stop(ct, false);
	if (ending & CLE_ENDS_WITH_ERROR) {
		fault_pass_on(sim, &ct->held);
		stop(ct, false);
		ct->error = true;
	}
	return true;
}

static void advance(struct v3dsim *sim, unsigned int thread, uint32_t next)
{
	struct cle_thread *ct = &sim->cle->threads[thread];

	ct->inside = false;
	ct->ca = next;
	sim->stats.records++;
	if (!thread)
		ptb_tick(sim);
	if (!ct->run || (ct->ca != ct->ea && !ct->cut))
		return;
	ct->cut = false;
	if (must_wait(sim, thread))
		ct->ending |= CLE_ENDS_LIST;
	else
		stop(ct, false);
}

/* One record, or a part of a long one. Return: what it cost; 0: the thread cannot go on. */
static uint64_t execute_one(struct v3dsim *sim, unsigned int thread, uint64_t budget)
{
	struct cle_thread *ct = &sim->cle->threads[thread];
	uint64_t left = budget;
	struct step step = { .sim = sim, .ct = ct, .thread = thread, .addr = ct->ca, .next = ct->ca,
			     .budget = &left };
	uint32_t epoch = ct->address_epoch;
	bool again = ct->inside || ct->stalled;
	const struct fault before = sim->fault;
	enum sim_result result = fetch(&step);

	if (result == SIM_DONE) {
		if (!again) {
			trace_record(sim, thread, step.bytes, step.next);
			trace_fields(&step);
		}
		if (epoch != ct->address_epoch || !ct->run)
			return 1;
		result = execute(&step);
	}
	if (epoch != ct->address_epoch)
		return 1;
	if (result == SIM_STUCK)
		return budget - left + (!thread && ct->inside && !sim->inject.stopped &&
					ptb_memory_comes(sim));
	if (result == SIM_ERROR) {
		fail(sim, thread, &before);
		return 1;
	}
	if (result == SIM_MORE)
		return budget - left ? budget - left : 1;
	advance(sim, thread, step.next);
	return budget - left ? budget - left : 1;
}

/* A fault to order, at a record that has not begun */
static bool stops(struct v3dsim *sim, const struct cle_thread *ct)
{
	return inject_stopped(&sim->inject, INJECT_CLE_STOP) ||
	       (!ct->inside && !ct->stalled && inject_strikes(&sim->inject, INJECT_CLE_STOP));
}

uint64_t cle_run(struct v3dsim *sim, unsigned int thread, uint64_t budget)
{
	struct cle_thread *ct = &sim->cle->threads[thread];
	uint64_t spent = 0, now;

	sim->trace.thread = thread;
	while (settle(sim, thread) && ct->run && spent < budget && !(spent && sim_wanted(sim))) {
		if (stops(sim, ct))
			break;
		now = execute_one(sim, thread, budget - spent);
		if (!now)
			break;
		spent += now;
	}
	return spent;
}
