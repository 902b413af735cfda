// SPDX-License-Identifier: MIT
/* What the binner writes into tile lists: see ptb_list.h. */
#include <string.h>
#include <sys/param.h>

#include "core/sim.h"
#include "cle.h"
#include "ptb.h"

#define WINDOW (1u << 28)		/* HW: what pointers inside tile lists can reach */

/* What an open list must have room for, so that it can always be left: an escape and a branch */
#define WAY_OUT (PTB_ESCAPE_LENGTH + V3D_BRANCH_LENGTH)

static uint32_t state_address(const struct ptb *ptb, uint32_t tile)
{
	return ptb->mode.state + tile * V3D_TILE_STATE_BYTES;
}

/*
 * Where a pointer of the binner's leads to. In the guide a branch has 32 bits (AG100 Table 38,
 * record 16), as have BPCA and BPOA, and there is no window; HW: pointers in tile state and tile
 * lists have 28, the others are those of the tile state array. What lies outside that window is
 * written inside it. Record 49's address has its own 29 bits in units of 8 bytes (Table 38): it is
 * taken to be whole.
 */
static uint32_t pointer(struct v3dsim *sim, uint32_t address)
{
	const uint32_t inside = (address & (WINDOW - 1)) | (sim->ptb->mode.state & ~(WINDOW - 1));

	return inside != address && chip_strike(sim, V3D_CHIP_LIST_WINDOW) ? inside : address;
}

static bool write_back(struct v3dsim *sim, unsigned int place)
{
	struct ptb_lists *lists = &sim->ptb->lists;

	if (!lists->changed[place])
		return true;
	lists->changed[place] = false;
	return bus_write(sim, V3DSIM_UNIT_PTB, state_address(sim->ptb, lists->tile[place] - 1),
			 &lists->tiles[place], sizeof(lists->tiles[place]));
}

bool ptb_list_write_back(struct v3dsim *sim)
{
	unsigned int place;

	for (place = 0; place < PTB_KEPT_TILES; place++)
		if (!write_back(sim, place))
			return false;
	return true;
}

void ptb_list_forget(struct v3dsim *sim)
{
	memset(sim->ptb->lists.tile, 0, sizeof(sim->ptb->lists.tile));
	memset(sim->ptb->lists.changed, 0, sizeof(sim->ptb->lists.changed));
}

struct ptb_tile *ptb_list_tile(struct v3dsim *sim, uint32_t tile)
{
	struct ptb *ptb = sim->ptb;
	unsigned int place = (tile % ptb->mode.width & 7) | (tile / ptb->mode.width & 7) << 3;
	struct ptb_tile *kept = &ptb->lists.tiles[place];

	if (ptb->lists.tile[place] != tile + 1) {
		if (!write_back(sim, place))
			return NULL;
		ptb->lists.tile[place] = 0;
		if (!bus_read(sim, V3DSIM_UNIT_PTB, state_address(ptb, tile), kept, sizeof(*kept)))
			return NULL;
		if (!kept->at) {
			kept->at = ptb->mode.address + tile * ptb_initial_bytes(ptb);
			kept->left = ptb_initial_bytes(ptb);
		}
		kept->at = pointer(sim, kept->at);
		ptb->lists.tile[place] = tile + 1;
	}
	ptb->lists.changed[place] = true;
	return kept;
}

/* Puts bytes for which there is room. */
static bool put(struct v3dsim *sim, struct ptb_tile *tile, const uint8_t *bytes, uint32_t len)
{
	if (!bus_write(sim, V3DSIM_UNIT_PTB, tile->at, bytes, len))
		return false;
	tile->at += len;
	tile->left -= MIN(len, tile->left);
	return true;
}

/* Chains a new block to a list; the room for that was kept. An open list may be closed by it. */
static enum ptb_result chain(struct v3dsim *sim, struct ptb_tile *tile)
{
	uint8_t bytes[WAY_OUT] = { V3D_CODE_ESCAPE };
	struct v3d_branch branch;
	uint32_t block, len = 0;

	if (!ptb_take(sim, ptb_block_bytes(sim->ptb), &block))
		return PTB_OUT_OF_MEMORY;
	block = pointer(sim, block);
	if (tile->open && v3d_encode_list_branch(tile->at, block, bytes)) {
		len = V3D_CODE_BRANCH_LENGTH;
	} else {
		if (tile->open)
			len = PTB_ESCAPE_LENGTH;
		tile->open = false;
		branch.address = block;
		v3d_pack_branch(bytes + len, &branch);
		len += V3D_BRANCH_LENGTH;
	}
	if (!bus_write(sim, V3DSIM_UNIT_PTB, tile->at, bytes, len))
		return PTB_ERROR;
	tile->at = block;
	tile->left = ptb_block_bytes(sim->ptb);
	return PTB_DONE;
}

enum ptb_result ptb_list_record(struct v3dsim *sim, struct ptb_tile *tile, const uint8_t *record,
				uint32_t len)
{
	static const uint8_t escape = V3D_CODE_ESCAPE;
	enum ptb_result result;

	if (tile->open && !put(sim, tile, &escape, PTB_ESCAPE_LENGTH))
		return PTB_ERROR;
	tile->open = false;
	if (tile->left < len + V3D_BRANCH_LENGTH) {
		result = chain(sim, tile);
		if (result != PTB_DONE)
			return result;
	}
	return put(sim, tile, record, len) ? PTB_DONE : PTB_ERROR;
}

static enum ptb_relevance relevance_of_slot(unsigned int slot)
{
	return slot == CLE_POINT_SIZE ? PTB_FOR_POINTS : slot == CLE_LINE_WIDTH ? PTB_FOR_LINES :
	       slot == CLE_RHT_X ? PTB_FOR_RHTS : PTB_FOR_ALL;
}

static enum ptb_relevance relevance_of_primitive(uint32_t primitive)
{
	return primitive == V3D_LIST_POINTS ? PTB_FOR_POINTS :
	       primitive == V3D_LIST_LINES ? PTB_FOR_LINES :
	       primitive == V3D_LIST_RHT ? PTB_FOR_RHTS : PTB_FOR_ALL;
}

/*
 * State as it goes into lists. HW-2116: after the wrap it is wrong there. What it is then is not
 * established: here nothing is left of it but its id, until it is set again.
 */
static const uint8_t *record_of(const struct cle_state *state, unsigned int slot,
				uint8_t spoilt[CLE_RECORD_MAX])
{
	if (!(state->spoilt >> slot & 1))
		return state->record[slot];
	memset(spoilt, 0, CLE_RECORD_MAX);
	spoilt[0] = state->record[slot][0];
	return spoilt;
}

/* Does the list lack this state, and does the primitive need it? */
static bool wanted(struct v3dsim *sim, const struct ptb_tile *tile, unsigned int slot,
		   enum ptb_relevance relevance, bool other_format)
{
	const struct cle_state *state = &sim->cle->threads[0].state;
	enum ptb_relevance of_slot = relevance_of_slot(slot);

	if (slot == CLE_FORMAT)
		return other_format;
	if (!state->record[slot][0] || (of_slot != PTB_FOR_ALL && of_slot != relevance))
		return false;
	return state->changed[slot] > tile->synced[of_slot] ||
	       (slot == CLE_SHADER && other_format);
}

enum ptb_result ptb_list_state(struct v3dsim *sim, struct ptb_tile *tile,
			       const struct v3d_primitive_list_format *format)
{
	const struct cle_state *state = &sim->cle->threads[0].state;
	enum ptb_relevance relevance = relevance_of_primitive(format->primitive);
	uint8_t format_record[V3D_PRIMITIVE_LIST_FORMAT_LENGTH], spoilt[CLE_RECORD_MAX];
	struct ptb *ptb = sim->ptb;
	const uint8_t *record;
	enum ptb_result result;
	bool other_format;

	v3d_pack_primitive_list_format(format_record, format);
	other_format = tile->format != format_record[1];
	if (!other_format && tile->synced[PTB_FOR_ALL] == state->serial &&
	    tile->synced[relevance] == state->serial)
		return PTB_DONE;
	for (; ptb->item < CLE_TILE_SLOTS; ptb->item++) {
		if (!wanted(sim, tile, ptb->item, relevance, other_format))
			continue;
		record = ptb->item == CLE_FORMAT ? format_record :
						   record_of(state, ptb->item, spoilt);
		result = ptb_list_record(sim, tile, record, v3d_packet_info(record[0])->length);
		if (result != PTB_DONE)
			return result;
	}
	ptb->item = 0;
	tile->format = format_record[1];
	tile->synced[PTB_FOR_ALL] = state->serial;
	tile->synced[relevance] = state->serial;
	return PTB_DONE;
}

enum ptb_result ptb_list_primitive(struct v3dsim *sim, struct ptb_tile *tile,
				   const struct v3d_primitive_list_format *format,
				   const uint32_t *vertices,
				   const struct v3d_clipped_primitive *clipped)
{
	uint8_t bytes[PTB_ESCAPE_LENGTH + V3D_CLIPPED_PRIMITIVE_LENGTH + V3D_CODE_MAX_LENGTH];
	const uint32_t *previous;
	enum ptb_result result;
	uint32_t code, len;

	for (;;) {
		previous = tile->open && !clipped ? tile->previous : NULL;
		len = 0;
		if (clipped) {
			if (tile->open)
				bytes[len++] = V3D_CODE_ESCAPE;
			v3d_pack_clipped_primitive(bytes + len, clipped);
			len += V3D_CLIPPED_PRIMITIVE_LENGTH;
		} else if (!tile->open) {
			bytes[len++] = V3D_COMPRESSED_PRIMITIVES;
		}
		code = len;
		len += v3d_encode_primitive(format, previous, vertices, bytes + len);
		if (tile->left >= len + WAY_OUT)
			break;
		result = chain(sim, tile);
		if (result != PTB_DONE)
			return result;
	}
	memcpy(tile->previous, vertices, sizeof(tile->previous));
	tile->open = true;
	trace_binned(sim, tile->at + code);
	return put(sim, tile, bytes, len) ? PTB_DONE : PTB_ERROR;
}

/*
 * The next thing that a flush puts into a list: NULL after the last, an id of 0 where there is
 * nothing.
 */
static const uint8_t *end_item(struct v3dsim *sim, const struct ptb_tile *tile, unsigned int item,
			       bool all_state, uint8_t spoilt[CLE_RECORD_MAX])
{
	static const uint8_t back[] = { V3D_RETURN_FROM_SUB_LIST }, nothing[] = { 0 };

	if (item == CLE_TILE_SLOTS)
		return back;
	if (item > CLE_TILE_SLOTS)
		return NULL;
	if (all_state || (item == CLE_FORMAT && !tile->format))
		return record_of(&sim->cle->threads[0].state, item, spoilt);
	return nothing;
}

enum ptb_result ptb_list_end(struct v3dsim *sim, struct ptb_tile *tile, bool all_state,
			     uint64_t *budget)
{
	struct ptb *ptb = sim->ptb;
	enum ptb_result result;
	uint8_t spoilt[CLE_RECORD_MAX];
	const uint8_t *record;

	for (; (record = end_item(sim, tile, ptb->item, all_state, spoilt)); ptb->item++) {
		if (!record[0])
			continue;
		if (!*budget)
			return PTB_MORE;
		result = ptb_list_record(sim, tile, record, v3d_packet_info(record[0])->length);
		if (result != PTB_DONE)
			return result;
		--*budget;
	}
	ptb->item = 0;
	return PTB_DONE;
}
