/* SPDX-License-Identifier: MIT */
/*
 * The primitive tile binner: tile lists and their memory (AG100 Section 8; Table 38, records 4 to 6 and 112; Tables 58 to 61).
 *
 * The list of tile (x, y) starts at tile_alloc + (y * width + x) * initial block size; later blocks come after all the first ones,
 * rounded up to 256 bytes (HW). A full block ends in a branch, of which only the low 28 bits count: all lists must lie in one
 * window of 256 MiB (HW). What the 48 bytes of tile state mean is not said: here, word 0 is the address of the next byte of the
 * tile's list and word 1 how many are left in its block; address 0 is a list that has not begun.
 */
#ifndef V3DSIM_PTB_H
#define V3DSIM_PTB_H

#include <v3d/packets.h>

#include "v3dsim.h"

/** enum ptb_result - how far a record of the binner's came */
enum ptb_result { PTB_DONE, PTB_MORE, PTB_OUT_OF_MEMORY, PTB_ERROR };

/**
 * struct ptb - the binner
 * @mode: record 112
 * @configured: there was one
 * @started: record 6 came
 * @active: between record 112 and the end of the flush
 * @pool: BPCA, @left: BPCS
 * @overspill: BPOA, @overspill_size: BPOS
 * @out_of_memory: BMOOM
 * @tile: the next tile of the record being worked on, @item the next thing to do for it
 * @flush_count: BFC
 */
struct ptb {
	struct v3d_tile_binning_mode mode;
	bool configured, started, active;
	uint32_t pool, left, overspill, overspill_size;
	bool out_of_memory;
	uint32_t tile;
	unsigned int item;
	uint8_t flush_count;
};

/** ptb_configure() - record 112. Return: PTB_DONE or PTB_ERROR */
enum ptb_result ptb_configure(struct v3dsim *sim, uint32_t record_addr, const struct v3d_tile_binning_mode *mode);

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
enum ptb_result ptb_flush(struct v3dsim *sim, uint32_t record_addr, bool all_state, uint64_t *budget);

struct primitive;

/**
 * ptb_primitive() - the binning thread has a primitive: culling, clipping, the tiles it overlaps, their lists
 * @primitive: as coordinate shading left it; vertices have their clip header
 * @budget: lessened by what was done
 * Return: PTB_MORE and PTB_OUT_OF_MEMORY to be called again with the same primitive; PTB_DONE; PTB_ERROR (reported)
 */
enum ptb_result ptb_primitive(struct v3dsim *sim, const struct primitive *primitive, uint64_t *budget);

uint32_t ptb_read(const struct v3dsim *sim, uint32_t reg);
void ptb_write(struct v3dsim *sim, uint32_t reg, uint32_t value);
void ptb_reset(struct v3dsim *sim);

#endif /* V3DSIM_PTB_H */
