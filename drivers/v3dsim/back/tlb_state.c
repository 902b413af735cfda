// SPDX-License-Identifier: MIT
/*
 * The tile buffer's state, from one tile buffer to another one: see tlb.h and accel/tiles.h. And
 * its records, by their bytes.
 */
#include <string.h>

#include "core/sim.h"
#include "tlb.h"

void tlb_state_get(const struct tlb *tlb, struct tlb_state *state)
{
	*state = (struct tlb_state){
		.mode = tlb->mode,
		.clear = tlb->clear,
		.configured = tlb->configured,
		.placed = tlb->placed,
		.column = tlb->column,
		.row = tlb->row,
		.load = tlb->load,
		.load_full = tlb->load_full,
		.load_general = tlb->load_general,
		.clean = tlb->clean,
	};
}

static void fill(struct tlb_buffer *buffer, const struct tlb_clean *clean)
{
	for (unsigned int i = 0; i < TLB_PIXELS; i++) {
		buffer->color[i] = i & 1 ? clean->color1 : clean->color0;
		buffer->zs[i] = clean->zs;
	}
	memset(buffer->vg_mask, clean->vg_mask, sizeof(buffer->vg_mask));
	if (buffer->wound)
		memset(buffer->winding, 0, sizeof(buffer->winding));
	buffer->wound = false;
}

static bool same_clean(const struct tlb_clean *a, const struct tlb_clean *b)
{
	return a->parts == b->parts && a->color0 == b->color0 && a->color1 == b->color1 &&
	       a->zs == b->zs && a->vg_mask == b->vg_mask;
}

void tlb_state_put(struct tlb *tlb, const struct tlb_state *state)
{
	tlb->mode = state->mode;
	tlb->clear = state->clear;
	tlb->configured = state->configured;
	tlb->placed = state->placed;
	tlb->column = state->column;
	tlb->row = state->row;
	tlb->load = state->load;
	tlb->load_full = state->load_full;
	tlb->load_general = state->load_general;
	tlb->current = 0;
	tlb->shadow_stale = false;
	if (state->clean.parts == TLB_CLEAN && !same_clean(&tlb->clean, &state->clean))
		fill(tlb_current(tlb), &state->clean);
	tlb->clean = state->clean;
}

void tlb_take(struct tlb *tlb, const struct tlb *from)
{
	const bool shadow_stale = from->shadow_stale;
	const uint32_t shadow_zs = from->shadow_zs;
	struct tlb_state state;

	tlb_state_get(from, &state);
	tlb->clean.parts = 0;
	tlb_state_put(tlb, &state);
	if (state.clean.parts != TLB_CLEAN)
		*tlb_current(tlb) = from->buffers[0];
	tlb->shadow_stale = shadow_stale;
	tlb->shadow_zs = shadow_zs;
}

/* UNPACK(name, function): a record's struct to its function */
#define UNPACK(name, function) do { \
	struct v3d_##name record; \
	v3d_unpack_##name(bytes, &record); \
	return function(sim, record_addr, &record); \
} while (0)

bool tlb_record(struct v3dsim *sim, uint32_t record_addr, const uint8_t *bytes)
{
	struct v3d_clear_colors clear;

	sim->tlb->last = false;
	switch (bytes[0]) {
	case V3D_STORE_RESOLVED:
	case V3D_STORE_RESOLVED_END:
		return tlb_store_resolved(sim, record_addr, bytes[0] == V3D_STORE_RESOLVED_END);
	case V3D_STORE_FULL:
		UNPACK(store_full, tlb_store_full);
	case V3D_LOAD_FULL:
		UNPACK(load_full, tlb_load_full);
	case V3D_STORE_GENERAL:
		UNPACK(store_general, tlb_store_general);
	case V3D_LOAD_GENERAL:
		UNPACK(load_general, tlb_load_general);
	case V3D_TILE_RENDERING_MODE:
		UNPACK(tile_rendering_mode, tlb_configure);
	case V3D_TILE_COORDINATES:
		UNPACK(tile_coordinates, tlb_coordinates);
	default:
		v3d_unpack_clear_colors(bytes, &clear);
		tlb_clear_colors(sim, &clear);
		return true;
	}
}
