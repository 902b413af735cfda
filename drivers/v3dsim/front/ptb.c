// SPDX-License-Identifier: MIT
/* The primitive tile binner: see ptb.h. */
#include <string.h>

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

enum ptb_result ptb_configure(struct v3dsim *sim, uint32_t record_addr,
			      const struct v3d_tile_binning_mode *mode)
{
	struct ptb *ptb = sim->ptb;
	uint32_t initial;

	ptb->mode = *mode;
	ptb->configured = false;
	ptb->started = false;
	initial = (tiles(ptb) * ptb_initial_bytes(ptb) + POOL_ALIGNMENT - 1) &
		  ~(uint32_t)(POOL_ALIGNMENT - 1);
	if (!tiles(ptb)) {
		fault_report(sim, V3DSIM_UNIT_PTB, record_addr,
			     "tile binning mode of %u x %u tiles: expected at least one",
			     mode->width, mode->height);
		return PTB_ERROR;
	}
	if (mode->size < initial) {
		fault_report(sim, V3DSIM_UNIT_PTB, record_addr,
			     "tile allocation memory of %u bytes: expected at least %u, the "
			     "initial blocks of %u tiles",
			     mode->size, initial, tiles(ptb));
		return PTB_ERROR;
	}
	ptb->configured = true;
	ptb->active = true;
	ptb->pool = mode->address + initial;
	ptb->left = mode->size - initial;
	ptb->tile = 0;
	ptb->item = 0;
	return PTB_DONE;
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
	while (ptb->mode.auto_initialise && ptb->tile < tiles(ptb)) {
		uint32_t now = tiles(ptb) - ptb->tile < TILES_A_TURN ? tiles(ptb) - ptb->tile :
								       TILES_A_TURN;

		if (!*budget)
			return PTB_MORE;
		if (!bus_write(sim, V3DSIM_UNIT_PTB,
			       ptb->mode.state + ptb->tile * V3D_TILE_STATE_BYTES, fresh,
			       now * V3D_TILE_STATE_BYTES))
			return PTB_ERROR;
		ptb->tile += now;
		*budget -= now < *budget ? now : *budget;
	}
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

	skipped = skipped < ptb->left ? skipped : ptb->left;
	ptb->pool += skipped;
	ptb->left -= skipped;
}

/*
 * The binner waits for memory, or has it: PCS.BMOOM, and what raises OUTOMEM again when it is
 * cleared
 */
static void set_out_of_memory(struct v3dsim *sim, bool out)
{
	sim->ptb->out_of_memory = out;
	intr_cause(sim, V3D_MASK(INTCTL, OUTOMEM), out);
}

bool ptb_take(struct v3dsim *sim, uint32_t bytes, uint32_t *addr)
{
	struct ptb *ptb = sim->ptb;

	align_pool(ptb);
	if (ptb->left < bytes && ptb->overspill_size) {
		ptb->pool = ptb->overspill;
		ptb->left = ptb->overspill_size;
		ptb->overspill_size = 0;
		align_pool(ptb);
		intr_raise(sim, V3D_MASK(INTCTL, SPILLUSE));
	}
	if (ptb->left < bytes) {
		set_out_of_memory(sim, true);
		intr_raise(sim, V3D_MASK(INTCTL, OUTOMEM));
		return false;
	}
	*addr = ptb->pool;
	ptb->pool += bytes;
	ptb->left -= bytes;
	return true;
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
 * AG100 Table 55 clears BMOOM at the write of BPOS; HW: the binner takes the memory some time
 * later, and with 0 there is none to take.
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
		if (value)
			set_out_of_memory(sim, false);
		break;
	}
}

void ptb_cancel(struct v3dsim *sim)
{
	set_out_of_memory(sim, false);
	sim->ptb->active = false;
	sim->ptb->cursor.active = false;
	ptb_list_forget(sim);
}

void ptb_reset(struct v3dsim *sim)
{
	memset(sim->ptb, 0, sizeof(*sim->ptb));
}
