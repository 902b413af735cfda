/* SPDX-License-Identifier: MIT */
/*
 * The primitive tile binner: tile lists and their memory (AG100 Section 8; Table 38, records 4 to 6
 * and 112; Tables 58 to 61).
 *
 * The list of tile (x, y) starts at tile_alloc + (y * width + x) * initial block size; later blocks
 * come after all the first ones, rounded up to 256 bytes (HW). What is in the lists: ptb_list.h.
 *
 * Not established, and chosen here:
 * - Triangles that face the wrong way or have no area are dropped here already, so the counter of
 *   reversed primitives counts here, too. Facing: y goes up from row 0 of the frame, as in all
 *   images (AG100 Section 11); clockwise is seen so.
 * - With clipping enabled, what lies wholly outside one plane of the view volume is dropped (HW, of
 *   wide lines), but points only for near and far, as OpenGL ES 2.0 has it.
 * - Without a clip window (record 102) since power-on there is the frame's edge only.
 * - OUTOMEM that came early (outomem-early) is pending until memory is given, the thread is reset,
 *   or record 112 brings a new pool: also when the frame gets done without.
 * - Where too little tile allocation memory is not refused (small-tile-memory), the first blocks
 *   lie where they would, past its end, and all others in overspill memory.
 */
#ifndef V3DSIM_PTB_H
#define V3DSIM_PTB_H

#include <v3d/packets.h>

/* How far a record of the binner's came */
enum ptb_result { PTB_DONE, PTB_MORE, PTB_OUT_OF_MEMORY, PTB_ERROR };

#include "clip.h"
#include "ptb_cover.h"
#include "ptb_list.h"
#include "v3dsim.h"

/**
 * struct ptb_setup - state records as the binner uses them
 * @serial: cle_state.serial that this belongs to; @valid: it belongs to any
 * @view: where the viewport is, for clipping
 * @x: of the viewport's centre in 1/16 of a pixel, @y likewise
 * @point_size: in 1/16 of a pixel, @line_width and @rht_x likewise
 * @grid: tiles and clip window
 */
struct ptb_setup {
	uint32_t serial;
	bool valid;
	struct v3d_configuration_bits configuration;
	struct v3d_primitive_list_format format;
	struct clip_view view;
	int32_t x, y, point_size, line_width, rht_x;
	struct ptb_grid grid;
};

/**
 * struct ptb_cursor - the primitive being binned, as far as it came
 * @active: there is one; @epoch: cle_thread.address_epoch that it belongs to
 * @polygon: its corners, whole or clipped; @x: of each in 1/16 of a pixel of the frame, @y likewise
 * @clipped: it needs record 49
 * @piece: triangle of the fan that the corners make, of @pieces
 * @placed: @cover, @corner and @record are those of this piece
 * @corner: of the polygon, for each vertex of the piece
 * @record: 49, whose address is known if @stored
 * @tile: of the piece being written, if @at_tile
 * @drawn: a piece is inside the clip window
 */
struct ptb_cursor {
	bool active, clipped, placed, stored, at_tile, drawn;
	uint32_t epoch;
	struct clip_polygon polygon;
	int32_t x[CLIP_CORNERS], y[CLIP_CORNERS];
	unsigned int piece, pieces;
	unsigned int corner[V3D_LIST_VERTICES];
	struct v3d_clipped_primitive record;
	struct ptb_cover cover;
	uint32_t tile;
};

/**
 * struct ptb - the binner
 * @mode: record 112
 * @configured: there was one
 * @started: record 6 came
 * @active: between record 112 and the end of the flush
 * @pool: BPCA, @left: BPCS
 * @overspill: BPOA, @overspill_size: BPOS
 * @supply: bytes of overspill memory that the binner knows of; @late: records and allocations
 *	until @overspill_size is that (bpos-late)
 * @out_of_memory: BMOOM
 * @wanting: what OUTOMEM says; @never_supplied: pending all the same (outomem-idle)
 * @tile: the next tile of the record being worked on, @item the next thing to do for it
 * @flush_count: BFC
 * @setup: what state records say
 * @cursor: the primitive being worked on
 * @lists: tile states that are kept
 */
struct ptb {
	struct v3d_tile_binning_mode mode;
	bool configured, started, active;
	uint32_t pool, left, overspill, overspill_size, supply, late;
	bool out_of_memory, wanting, never_supplied;
	uint32_t tile;
	unsigned int item;
	uint8_t flush_count;
	struct ptb_setup setup;
	struct ptb_cursor cursor;
	struct ptb_lists lists;
};

/* Of a tile list's first block */
static inline uint32_t ptb_initial_bytes(const struct ptb *ptb)
{
	return 32u << ptb->mode.initial_block;
}

/* Of a tile list's later blocks */
static inline uint32_t ptb_block_bytes(const struct ptb *ptb)
{
	return 32u << ptb->mode.block;
}

/**
 * ptb_take() - memory from the pool, at a multiple of 32; what is left of the pool when it is too
 * small is lost. The overspill memory takes its place, once.
 * Return: false: there is none, which the CPU hears of
 */
bool ptb_take(struct v3dsim *sim, uint32_t bytes, uint32_t *addr);

/* A control record was executed: see bpos-late */
void ptb_tick(struct v3dsim *sim);

/* The binner waits, but has only to try again: see bpos-late */
bool ptb_memory_comes(const struct v3dsim *sim);

/* Record 112. Return: PTB_DONE or PTB_ERROR */
enum ptb_result ptb_configure(struct v3dsim *sim, uint32_t record_addr,
			      const struct v3d_tile_binning_mode *mode);

/**
 * ptb_start() - record 6: initialises the tile state data array if record 112 wants that
 * @record_addr: for faults
 * @budget: tiles, at most; lessened by those done
 * Return: PTB_MORE to be called again
 */
enum ptb_result ptb_start(struct v3dsim *sim, uint32_t record_addr, uint64_t *budget);

/**
 * ptb_flush() - records 4 and 5: ends every tile list
 * @all_state: record 5: the current state goes into each list before
 * Return: PTB_MORE to be called again, PTB_OUT_OF_MEMORY to be called again when there is memory
 */
enum ptb_result ptb_flush(struct v3dsim *sim, uint32_t record_addr, bool all_state,
			  uint64_t *budget);

struct primitive;

/**
 * ptb_primitive() - the binning thread has a primitive: culling, clipping, the tiles it overlaps,
 * their lists
 * @primitive: as coordinate shading left it; vertices have their clip header
 * @budget: lessened by what was done
 * Return: PTB_MORE and PTB_OUT_OF_MEMORY to be called again with the same primitive; PTB_DONE;
 * PTB_ERROR (reported)
 */
enum ptb_result ptb_primitive(struct v3dsim *sim, const struct primitive *primitive,
			      uint64_t *budget);

/* The binning thread was reset: what was in progress is dropped */
void ptb_cancel(struct v3dsim *sim);

uint32_t ptb_read(struct v3dsim *sim, uint32_t reg);
void ptb_write(struct v3dsim *sim, uint32_t reg, uint32_t value);
void ptb_reset(struct v3dsim *sim);

#endif /* V3DSIM_PTB_H */
