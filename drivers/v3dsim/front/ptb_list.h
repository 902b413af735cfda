/* SPDX-License-Identifier: MIT */
/*
 * What the binner writes into tile lists: state, compressed primitive lists, branches from block to
 * block (AG100 Sections 8 and 9).
 *
 * What the 48 bytes of tile state mean is not said: here they are struct ptb_tile. They are
 * believed no more than any other memory: whatever they say leads to accesses through the bus only.
 * Some tiles' are kept here and go back to memory when their place is needed, at the end of a flush
 * and before the CPU is asked for memory.
 *
 * Not established, and chosen here:
 * - State is written when it has changed since the tile's list had it last; point size, line width
 *   and RHT boundary only together with points, lines and RHTs ("only ... when the state is
 *   relevant to primitives actually entered in the list", AG100 p. 60). What was set before record
 *   6 has no change to tell of ("advances state counter", Table 38).
 * - A list has a list format of its own, for what primitives it really holds; a shader state
 *   follows each (AG100 p. 65).
 * - A list goes on in a new block by the relative branch, or where that does not reach by escape,
 *   branch (16) and a new record 48.
 */
#ifndef V3DSIM_PTB_LIST_H
#define V3DSIM_PTB_LIST_H

#include <v3d/lists.h>

#include "v3dsim.h"

#define PTB_KEPT_TILES 64	/* those of a square of 8 x 8 are kept together */
#define PTB_ESCAPE_LENGTH 1

/**
 * struct ptb_tile - a tile's state, as it lies in memory
 * @at: address of the next byte of its list; 0 is a list that has not begun
 * @left: bytes left in that block
 * @format: list format in force, as the second byte of record 56; 0 is none yet
 * @open: inside a compressed list, after a primitive whose vertices are @previous
 * @synced: cle_state.serial when state was written last, by enum ptb_relevance
 */
struct ptb_tile {
	uint32_t at;
	uint16_t left;
	uint8_t format, open;
	uint32_t previous[V3D_LIST_VERTICES];
	uint32_t synced[4];
	uint32_t unused[3];
};

_Static_assert(sizeof(struct ptb_tile) == V3D_TILE_STATE_BYTES,
	       "what lies in memory is this struct");

/* Which primitives state matters to */
enum ptb_relevance { PTB_FOR_ALL, PTB_FOR_POINTS, PTB_FOR_LINES, PTB_FOR_RHTS };

/**
 * struct ptb_lists - tile states that are kept
 * @tile: [place] which one, plus 1; 0 is none
 * @changed: memory does not have it yet
 */
struct ptb_lists {
	struct ptb_tile tiles[PTB_KEPT_TILES];
	uint32_t tile[PTB_KEPT_TILES];
	bool changed[PTB_KEPT_TILES];
};

/**
 * ptb_list_tile() - a tile's state, to be changed.
 *
 * Return: valid until the next call; NULL after a bus error (reported)
 */
struct ptb_tile *ptb_list_tile(struct v3dsim *sim, uint32_t tile);

/**
 * ptb_list_write_back() - memory has all tile states again.
 *
 * Return: false after a bus error (reported)
 */
bool ptb_list_write_back(struct v3dsim *sim);

/* What is kept is worth nothing any more */
void ptb_list_forget(struct v3dsim *sim);

/**
 * ptb_list_record() - adds a record to a tile's list
 * Return: PTB_OUT_OF_MEMORY: nothing has changed
 */
enum ptb_result ptb_list_record(struct v3dsim *sim, struct ptb_tile *tile, const uint8_t *record,
				uint32_t len);

/**
 * ptb_list_state() - adds what a primitive needs and the list does not have: sim->ptb->item counts
 * through it
 * Return: PTB_OUT_OF_MEMORY: to be called again
 */
enum ptb_result ptb_list_state(struct v3dsim *sim, struct ptb_tile *tile,
			       const struct v3d_primitive_list_format *format);

/**
 * ptb_list_primitive() - adds a primitive, after ptb_list_state()
 * @vertices: indices or coordinates
 * @clipped: record 49 for it; NULL: none of its vertices is replaced
 * Return: PTB_OUT_OF_MEMORY: to be called again; all that is in the list is whole
 */
enum ptb_result ptb_list_primitive(struct v3dsim *sim, struct ptb_tile *tile,
				   const struct v3d_primitive_list_format *format,
				   const uint32_t *vertices,
				   const struct v3d_clipped_primitive *clipped);

/**
 * ptb_list_end() - what a flush adds: state, and the return from the sub-list
 * @all_state: all of it; without, the list format only, and only where there is none (HW: it
 *	reaches every list)
 * @budget: lessened by the records added
 */
enum ptb_result ptb_list_end(struct v3dsim *sim, struct ptb_tile *tile, bool all_state,
			     uint64_t *budget);

#endif /* V3DSIM_PTB_LIST_H */
