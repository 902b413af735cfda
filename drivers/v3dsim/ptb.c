// SPDX-License-Identifier: MIT
/* The primitive tile binner: see ptb.h. */
#include <string.h>

#include "primitive.h"
#include "sim.h"

#define POOL_ALIGNMENT 256		/* HW: of the first block after the initial ones */
#define WINDOW (1u << 28)		/* HW: what the branches of tile lists can reach */
#define TILES_A_TURN 64			/* that ptb_start() writes at once */

static uint32_t tiles(const struct ptb *ptb)
{
	return ptb->mode.width * ptb->mode.height;
}

static uint32_t initial_bytes(const struct ptb *ptb)
{
	return 32u << ptb->mode.initial_block;
}

static uint32_t block_bytes(const struct ptb *ptb)
{
	return 32u << ptb->mode.block;
}

static uint32_t state_address(const struct ptb *ptb, uint32_t tile)
{
	return ptb->mode.state + tile * V3D_TILE_STATE_BYTES;
}

enum ptb_result ptb_configure(struct v3dsim *sim, uint32_t record_addr, const struct v3d_tile_binning_mode *mode)
{
	struct ptb *ptb = &sim->ptb;
	uint32_t initial;

	ptb->mode = *mode;
	initial = (tiles(ptb) * initial_bytes(ptb) + POOL_ALIGNMENT - 1) & ~(uint32_t)(POOL_ALIGNMENT - 1);
	if (!tiles(ptb)) {
		fault_report(sim, V3DSIM_UNIT_PTB, record_addr, "tile binning mode of %u x %u tiles: expected at least one",
			     mode->width, mode->height);
		return PTB_ERROR;
	}
	if (mode->size < initial) {
		fault_report(sim, V3DSIM_UNIT_PTB, record_addr,
			     "tile allocation memory of %u bytes: expected at least %u, the initial blocks of %u tiles", mode->size,
			     initial, tiles(ptb));
		return PTB_ERROR;
	}
	ptb->configured = true;
	ptb->started = false;
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
	struct ptb *ptb = &sim->ptb;

	if (!ptb->configured) {
		fault_report(sim, V3DSIM_UNIT_PTB, record_addr,
			     "start tile binning: expected a tile binning mode (record 112) before");
		return PTB_ERROR;
	}
	while (ptb->mode.auto_initialise && ptb->tile < tiles(ptb)) {
		uint32_t now = tiles(ptb) - ptb->tile < TILES_A_TURN ? tiles(ptb) - ptb->tile : TILES_A_TURN;

		if (!*budget)
			return PTB_MORE;
		if (!bus_write(sim, V3DSIM_UNIT_PTB, state_address(ptb, ptb->tile), fresh, now * V3D_TILE_STATE_BYTES))
			return PTB_ERROR;
		ptb->tile += now;
		*budget -= now < *budget ? now : *budget;
	}
	ptb->tile = 0;
	ptb->started = true;
	return PTB_DONE;
}

/* A block from the pool; what is left of the pool when it is too small is lost. The overspill memory takes its place, once. */
static bool take_block(struct v3dsim *sim, uint32_t *block)
{
	struct ptb *ptb = &sim->ptb;
	uint32_t bytes = block_bytes(ptb);

	if (ptb->left < bytes && ptb->overspill_size) {
		ptb->pool = ptb->overspill;
		ptb->left = ptb->overspill_size;
		ptb->overspill_size = 0;
		intr_raise(sim, V3D_MASK(INTCTL, SPILLUSE));
	}
	if (ptb->left < bytes) {
		ptb->out_of_memory = true;
		intr_raise(sim, V3D_MASK(INTCTL, OUTOMEM));
		return false;
	}
	*block = ptb->pool;
	ptb->pool += bytes;
	ptb->left -= bytes;
	return true;
}

/* A tile's list: where its next byte goes, and bytes left in that block. */
struct tail {
	uint32_t at, left;
};

static bool read_tail(struct v3dsim *sim, uint32_t tile, struct tail *tail)
{
	struct ptb *ptb = &sim->ptb;
	uint32_t state = state_address(ptb, tile);

	if (!bus_read32(sim, V3DSIM_UNIT_PTB, state, &tail->at) || !bus_read32(sim, V3DSIM_UNIT_PTB, state + 4, &tail->left))
		return false;
	if (!tail->at) {
		tail->at = ptb->mode.address + tile * initial_bytes(ptb);
		tail->left = initial_bytes(ptb);
	}
	return true;
}

static bool write_tail(struct v3dsim *sim, uint32_t tile, const struct tail *tail)
{
	uint32_t state = state_address(&sim->ptb, tile);

	return bus_write32(sim, V3DSIM_UNIT_PTB, state, tail->at) && bus_write32(sim, V3DSIM_UNIT_PTB, state + 4, tail->left);
}

/* Chains a new block to a list, whose last bytes are kept for that. */
static enum ptb_result chain(struct v3dsim *sim, struct tail *tail)
{
	struct v3d_branch branch;
	uint8_t bytes[V3D_BRANCH_LENGTH];
	uint32_t block;

	if (!take_block(sim, &block))
		return PTB_OUT_OF_MEMORY;
	branch.address = (block & (WINDOW - 1)) | (sim->ptb.mode.address & ~(WINDOW - 1));
	v3d_pack_branch(bytes, &branch);
	if (!bus_write(sim, V3DSIM_UNIT_PTB, tail->at, bytes, sizeof(bytes)))
		return PTB_ERROR;
	tail->at = block;
	tail->left = block_bytes(&sim->ptb);
	return PTB_DONE;
}

/* Adds a record to a tile's list; nothing has changed when there is no memory for it. */
static enum ptb_result append(struct v3dsim *sim, uint32_t tile, const uint8_t *record, uint32_t len)
{
	struct tail tail;
	enum ptb_result result;

	if (!read_tail(sim, tile, &tail))
		return PTB_ERROR;
	if (tail.left < len + V3D_BRANCH_LENGTH) {
		result = chain(sim, &tail);
		if (result != PTB_DONE)
			return result;
	}
	if (!bus_write(sim, V3DSIM_UNIT_PTB, tail.at, record, len))
		return PTB_ERROR;
	tail.at += len;
	tail.left -= len;
	return write_tail(sim, tile, &tail) ? PTB_DONE : PTB_ERROR;
}

/*
 * The next thing that the flush puts into a list: NULL after the last. HW: the list format reaches every list, flushed all or not.
 */
static const uint8_t *flush_item(struct v3dsim *sim, unsigned int item, bool all_state)
{
	static const uint8_t back[] = { V3D_RETURN_FROM_SUB_LIST };

	if (item < CLE_TILE_SLOTS)
		return all_state || item == CLE_FORMAT ? sim->cle.threads[0].state.record[item] : (const uint8_t *)"";
	return item == CLE_TILE_SLOTS ? back : NULL;
}

static void finish_flush(struct v3dsim *sim)
{
	struct ptb *ptb = &sim->ptb;

	ptb->tile = 0;
	ptb->item = 0;
	ptb->active = false;
	ptb->flush_count++;
	cle_flushed(sim, 0);
	intr_raise(sim, V3D_MASK(INTCTL, FLDONE));
}

enum ptb_result ptb_flush(struct v3dsim *sim, uint32_t record_addr, bool all_state, uint64_t *budget)
{
	struct ptb *ptb = &sim->ptb;
	enum ptb_result result;
	const uint8_t *record;

	if (!ptb->started) {
		fault_report(sim, V3DSIM_UNIT_PTB, record_addr, "flush: expected a start tile binning (record 6) before");
		return PTB_ERROR;
	}
	for (; ptb->tile < tiles(ptb); ptb->tile++, ptb->item = 0) {
		for (; (record = flush_item(sim, ptb->item, all_state)); ptb->item++) {
			if (!record[0])
				continue;
			if (!*budget)
				return PTB_MORE;
			result = append(sim, ptb->tile, record, v3d_packet_info(record[0])->length);
			if (result != PTB_DONE)
				return result;
			--*budget;
		}
	}
	finish_flush(sim);
	return PTB_DONE;
}

uint32_t ptb_read(const struct v3dsim *sim, uint32_t reg)
{
	switch (reg) {
	case V3D_BFC:
		return sim->ptb.flush_count;
	case V3D_BPCA:
		return sim->ptb.pool;
	case V3D_BPCS:
		return sim->ptb.left;
	case V3D_BPOA:
		return sim->ptb.overspill;
	default:
		return sim->ptb.overspill_size;
	}
}

/*
 * AG100 Table 55 clears BMOOM at the write of BPOS; HW: the binner takes the memory some time later, and with 0 there is none to
 * take.
 */
void ptb_write(struct v3dsim *sim, uint32_t reg, uint32_t value)
{
	struct ptb *ptb = &sim->ptb;

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
			ptb->out_of_memory = false;
		break;
	}
}

void ptb_reset(struct v3dsim *sim)
{
	memset(&sim->ptb, 0, sizeof(sim->ptb));
}

enum ptb_result ptb_primitive(struct v3dsim *sim, const struct primitive *primitive, uint64_t *budget)
{
	(void)budget;
	fault_report(sim, V3DSIM_UNIT_PTB, primitive->shader->code, "a primitive reaches the binner, which is not there");
	return PTB_ERROR;
}
