// SPDX-License-Identifier: MIT
/* The primitive tile binner: see ptb.h. */
#include <string.h>
#include <sys/param.h>

#include "core/sim.h"
#include "cle.h"
#include "primitive.h"
#include "ptb.h"

#define POOL_ALIGNMENT 256		/* HW: of the first block after the initial ones */
#define TILES_A_TURN 64			/* that ptb_start() writes at once */

static uint32_t tiles(const struct ptb *ptb)
{
	return ptb->mode.width * ptb->mode.height;
}

/*
 * OUTOMEM as long as there is a reason: the binner wants memory, or none was given since power-on
 * (outomem-idle).
 */
static void want(struct v3dsim *sim, bool wanting)
{
	sim->ptb->wanting = wanting;
	intr_cause(sim, V3D_MASK(INTCTL, OUTOMEM), wanting || sim->ptb->never_supplied);
	if (wanting)
		intr_raise(sim, V3D_MASK(INTCTL, OUTOMEM));
}

/* What was written to BPOS is there for the binner: AG100 Table 55 clears BMOOM at the write. */
static void supply(struct v3dsim *sim)
{
	struct ptb *ptb = sim->ptb;

	ptb->supply = ptb->overspill_size;
	if (!ptb->supply)
		return;
	ptb->never_supplied = false;
	if (ptb->out_of_memory)
		ptb->out_of_memory = chip_strike(sim, V3D_CHIP_BMOOM_LATE);
	want(sim, false);
}

void ptb_tick(struct v3dsim *sim)
{
	if (sim->ptb->late && !--sim->ptb->late)
		supply(sim);
}

bool ptb_memory_comes(const struct v3dsim *sim)
{
	return sim->ptb->out_of_memory && (sim->ptb->late || sim->ptb->supply);
}

enum ptb_result ptb_configure(struct v3dsim *sim, uint32_t record_addr,
			      const struct v3d_tile_binning_mode *mode)
{
	struct ptb *ptb = sim->ptb;
	uint32_t initial;

	ptb->mode = *mode;
	ptb->configured = false;
	ptb->started = false;
	initial = roundup(tiles(ptb) * ptb_initial_bytes(ptb), POOL_ALIGNMENT);
	if (!tiles(ptb)) {
		fault_report(sim, V3DSIM_UNIT_PTB, record_addr,
			     "tile binning mode of %u x %u tiles: expected at least one",
			     mode->width, mode->height);
		return PTB_ERROR;
	}
	if (mode->size < initial && !chip_strike(sim, V3D_CHIP_SMALL_TILE_MEMORY)) {
		fault_report(sim, V3DSIM_UNIT_PTB, record_addr,
			     "tile allocation memory of %u bytes: expected at least %u, the "
			     "initial blocks of %u tiles",
			     mode->size, initial, tiles(ptb));
		return PTB_ERROR;
	}
	ptb->configured = true;
	ptb->active = true;
	ptb->pool = mode->address + initial;
	ptb->left = mode->size < initial ? 0 : mode->size - initial;
	ptb->tile = 0;
	ptb->item = 0;
	want(sim, ptb->out_of_memory);
	return PTB_DONE;
}

/* HW: the auto-initialise bit does not do it, and the binner acts on what the array holds. */
static bool initialises(const struct v3dsim *sim)
{
	return sim->ptb->mode.auto_initialise && !chip_has(&sim->chip, V3D_CHIP_TILE_STATE);
}

enum ptb_result ptb_start(struct v3dsim *sim, uint32_t record_addr, uint64_t *budget)
{
	static const uint8_t fresh[TILES_A_TURN * V3D_TILE_STATE_BYTES];
	struct ptb *ptb = sim->ptb;

	if (!ptb->configured) {
		fault_report(sim, V3DSIM_UNIT_PTB, record_addr,
			     "start tile binning: expected tile binning mode (record 112) before");
		return PTB_ERROR;
	}
	while (initialises(sim) && ptb->tile < tiles(ptb)) {
		uint32_t now = MIN(tiles(ptb) - ptb->tile, TILES_A_TURN);

		if (!*budget)
			return PTB_MORE;
		if (!bus_write(sim, V3DSIM_UNIT_PTB,
			       ptb->mode.state + ptb->tile * V3D_TILE_STATE_BYTES, fresh,
			       now * V3D_TILE_STATE_BYTES))
			return PTB_ERROR;
		ptb->tile += now;
		*budget -= MIN(now, *budget);
	}
	if (ptb->mode.auto_initialise)
		chip_strike(sim, V3D_CHIP_TILE_STATE);
	ptb->tile = 0;
	ptb->started = true;
	ptb->cursor.active = false;
	ptb->setup.valid = false;
	cle_state_start(&sim->cle->threads[0].state);
	ptb_list_forget(sim);
	return PTB_DONE;
}

/* Records 49 and relative branches need it, and every driver gives memory so. */
static void align_pool(struct ptb *ptb)
{
	uint32_t skipped = -ptb->pool & (V3D_CODE_BRANCH_UNIT - 1);

	skipped = MIN(skipped, ptb->left);
	ptb->pool += skipped;
	ptb->left -= skipped;
}

/* A size that was written since and is not there yet stays in BPOS. */
static void take_overspill(struct v3dsim *sim)
{
	struct ptb *ptb = sim->ptb;

	ptb->pool = ptb->overspill;
	ptb->left = ptb->supply;
	ptb->supply = 0;
	if (!ptb->late)
		ptb->overspill_size = 0;
	ptb->out_of_memory = false;
	align_pool(ptb);
	intr_raise(sim, V3D_MASK(INTCTL, SPILLUSE));
}

/* outomem-early: few blocks are left, and nothing is there to follow them */
static void want_early(struct v3dsim *sim)
{
	const uint64_t blocks = sim->chip.number[V3D_CHIP_OUTOMEM_EARLY];
	const struct ptb *ptb = sim->ptb;

	if (!ptb->wanting && !ptb->supply && ptb->left < blocks * ptb_block_bytes(ptb) &&
	    chip_strike(sim, V3D_CHIP_OUTOMEM_EARLY))
		want(sim, true);
}

static bool take(struct v3dsim *sim, uint32_t bytes, uint32_t *addr)
{
	struct ptb *ptb = sim->ptb;

	align_pool(ptb);
	if (ptb->left < bytes && ptb->supply)
		take_overspill(sim);
	if (ptb->left < bytes) {
		ptb->out_of_memory = true;
		want(sim, true);
		return false;
	}
	*addr = ptb->pool;
	ptb->pool += bytes;
	ptb->left -= bytes;
	want_early(sim);
	return true;
}

bool ptb_take(struct v3dsim *sim, uint32_t bytes, uint32_t *addr)
{
	const bool taken = take(sim, bytes, addr);

	ptb_tick(sim);
	return taken;
}

static void finish_flush(struct v3dsim *sim)
{
	struct ptb *ptb = sim->ptb;

	ptb->tile = 0;
	ptb->item = 0;
	ptb->active = false;
	ptb->flush_count++;
	cle_flushed(sim, 0);
	intr_raise(sim, V3D_MASK(INTCTL, FLDONE));
}

enum ptb_result ptb_flush(struct v3dsim *sim, uint32_t record_addr, bool all_state,
			  uint64_t *budget)
{
	struct ptb *ptb = sim->ptb;
	enum ptb_result result;
	struct ptb_tile *tile;

	if (!ptb->started) {
		fault_report(sim, V3DSIM_UNIT_PTB, record_addr,
			     "flush: expected a start tile binning (record 6) before");
		return PTB_ERROR;
	}
	for (; ptb->tile < tiles(ptb); ptb->tile++) {
		if (!*budget)
			return PTB_MORE;
		tile = ptb_list_tile(sim, ptb->tile);
		if (!tile)
			return PTB_ERROR;
		result = ptb_list_end(sim, tile, all_state, budget);
		if (result == PTB_OUT_OF_MEMORY && !ptb_list_write_back(sim))
			return PTB_ERROR;
		if (result != PTB_DONE)
			return result;
	}
	if (!ptb_list_write_back(sim))
		return PTB_ERROR;
	finish_flush(sim);
	return PTB_DONE;
}

uint32_t ptb_read(struct v3dsim *sim, uint32_t reg)
{
	switch (reg) {
	case V3D_BFC:
		return sim->ptb->flush_count;
	case V3D_BPCA:
		return sim->ptb->pool;
	case V3D_BPCS:
		return sim->ptb->left;
	case V3D_BPOA:
		return sim->ptb->overspill;
	default:
		return sim->ptb->overspill_size;
	}
}

/*
 * HW: the binner takes the memory some time after the write of BPOS, and with 0 there is none to
 * take. bpos-late: a write while another one is on its way comes in its place (not established).
 */
void ptb_write(struct v3dsim *sim, uint32_t reg, uint32_t value)
{
	struct ptb *ptb = sim->ptb;

	switch (reg) {
	case V3D_BFC:
		if (value & 1)
			ptb->flush_count = 0;
		break;
	case V3D_BPOA:
		ptb->overspill = value;
		break;
	case V3D_BPOS:
		ptb->overspill_size = value;
		if (!ptb->late && chip_strike(sim, V3D_CHIP_BPOS_LATE))
			ptb->late = sim->chip.number[V3D_CHIP_BPOS_LATE];
		if (!ptb->late)
			supply(sim);
		break;
	}
}

void ptb_cancel(struct v3dsim *sim)
{
	sim->ptb->out_of_memory = false;
	want(sim, false);
	sim->ptb->active = false;
	sim->ptb->cursor.active = false;
	ptb_list_forget(sim);
}

void ptb_reset(struct v3dsim *sim)
{
	memset(sim->ptb, 0, sizeof(*sim->ptb));
	sim->ptb->never_supplied = chip_strike(sim, V3D_CHIP_OUTOMEM_IDLE);
	if (sim->ptb->never_supplied)
		intr_raise(sim, V3D_MASK(INTCTL, OUTOMEM));
	want(sim, false);
}
