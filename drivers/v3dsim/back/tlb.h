/* SPDX-License-Identifier: MIT */
/*
 * The tile buffer: colour, Z and stencil, VG mask of one tile; clearing, storing and loading it
 * (AG100 Section 5; Table 38, records 24 to 29 and 113 to 115).
 *
 * 64 x 64 pixels, or 32 x 32 with four samples each; half as high with 64-bit colour. Clearing
 * happens at a store, with the clear colours of that time, and lasts across frames (HW). A load
 * takes effect at the next tile coordinates; one may be pending (HW).
 *
 * Not established, and chosen here:
 * - The two 32-bit clear colours fill even and odd columns.
 * - Resolving averages each channel, halves rounded up. A general store takes sample 0 of Z,
 *   stencil and 64-bit colour.
 * - Dithering adds a 4 x 4 Bayer matrix, by position in the frame, before bits are cut off; without
 *   it they are cut off.
 * - Expanding BGR565 repeats the high bits. Loads fill all samples of a pixel.
 * - Double-buffer mode has two buffers of full size and changes to the other one after a store,
 *   unless record 28 says not to.
 * - Full dumps: colour, then Z and stencil, then the VG mask, each only if enabled. Without
 *   multisampling quads have 16 bytes, with 64-bit colour twice as many; the mask is a byte a pixel
 *   in raster order.
 * - HW-2905: after a full load with four samples early Z sees what the buffer was cleared to last,
 *   until it is again.
 * - A "Z-only" store writes words with stencil 0.
 */
#ifndef V3DSIM_TLB_H
#define V3DSIM_TLB_H

#include <v3d/packets.h>

#include "v3dsim.h"

#define TLB_PIXELS 4096		/* samples of a tile, at most */
#define TLB_SAMPLES 4

/**
 * struct tlb_buffer - a tile, in the order of a full dump, which is that of what QPUs read and
 * write too
 * @color: rgba8888 [quad][sample][y & 1][x & 1], quads in raster order; with 64-bit color the
 *	pixels are pairs of words
 * @zs: Z in bits 31:8, stencil in 7:0, likewise
 * @vg_mask: [y][x]
 * @winding: counts that belong to coverage in @zs, see cap.h; @wound: some are not 0
 */
struct tlb_buffer {
	uint32_t color[TLB_PIXELS], zs[TLB_PIXELS];
	uint8_t vg_mask[TLB_PIXELS];
	uint8_t winding[TLB_PIXELS][16];
	bool wound;
};

/* The load that is pending */
enum tlb_load { TLB_LOAD_NONE, TLB_LOAD_FULL, TLB_LOAD_GENERAL };

/* What stores clear, a bit each */
#define TLB_CLEAN_COLOR 1u
#define TLB_CLEAN_ZS 2u
#define TLB_CLEAN_MASK 4u
#define TLB_CLEAN 7u

/**
 * struct tlb_clean - what the tile buffer holds, where nothing has come into it since it was
 * cleared: in @parts of it
 */
struct tlb_clean {
	uint32_t color0, color1, zs;
	uint8_t vg_mask, parts;
};

/** enum tlb_begun - was anything drawn since the tile coordinates (HW-2796)? */
enum tlb_begun { TLB_TILE_BEGUN, TLB_TILE_NEW, TLB_TILE_UNKNOWN };

/**
 * struct tlb - the tile buffer
 * @mode: record 113, @configured: there was one
 * @clear: record 114
 * @column: record 115, @row likewise; @placed: there was one in this frame
 * @active: between record 113 and the end of the frame
 * @load: pending; its record in @load_full or @load_general
 * @buffers: two in double-buffer mode; @current is the one being rendered
 * @touched: something is in the buffers
 * @clean: what the current one holds, as far as that is known
 * @begun: UNKNOWN where that is known to earlier tiles alone; see accel/tiles.h
 * @shadow_stale: with four samples early Z sees @shadow_zs, not what the tile buffer holds
 *	(HW-2905); @shadow_cleared: or what hides most
 * @last: the latest record stored the last tile
 * @elsewhere: the contents are not here: records do all but move them. See accel/tiles.h.
 * @frame_count: RFC
 */
struct tlb {
	struct v3d_tile_rendering_mode mode;
	struct v3d_clear_colors clear;
	bool configured, placed, active, touched;
	uint32_t column, row;
	enum tlb_load load;
	struct v3d_load_full load_full;
	struct v3d_load_general load_general;
	struct tlb_buffer buffers[2];
	unsigned int current;
	struct tlb_clean clean;
	bool last, elsewhere, shadow_stale, shadow_cleared;
	enum tlb_begun begun;
	uint32_t shadow_zs;
	uint8_t frame_count;
};

/**
 * struct tlb_state - what goes along with the contents of one tile buffer to another one; see
 * struct tlb
 */
struct tlb_state {
	struct v3d_tile_rendering_mode mode;
	struct v3d_clear_colors clear;
	bool configured, placed;
	uint32_t column, row;
	enum tlb_load load;
	struct v3d_load_full load_full;
	struct v3d_load_general load_general;
	struct tlb_clean clean;
	bool shadow_stale, shadow_cleared;
	uint32_t shadow_zs;
};

/* Pixels across a tile: AG100 Section 5 */
static inline uint32_t tlb_width(const struct v3d_tile_rendering_mode *mode)
{
	return v3d_tile_width(mode->multisample);
}

/* Pixels down a tile */
static inline uint32_t tlb_height(const struct v3d_tile_rendering_mode *mode)
{
	return v3d_tile_height(mode->multisample, mode->color64);
}

/* Samples of a pixel */
static inline uint32_t tlb_samples(const struct v3d_tile_rendering_mode *mode)
{
	return mode->multisample ? TLB_SAMPLES : 1;
}

/**
 * tlb_quad() - where a quad's first word is, by one of its pixels; each sample of it has four words
 */
static inline uint32_t tlb_quad(const struct v3d_tile_rendering_mode *mode, uint32_t x, uint32_t y)
{
	return (y / 2 * (tlb_width(mode) / 2) + x / 2) * 4 * tlb_samples(mode);
}

/* The buffer that is being rendered, to be written */
static inline struct tlb_buffer *tlb_current(struct tlb *tlb)
{
	tlb->touched = true;
	return &tlb->buffers[tlb->current];
}

/**
 * tlb_record() - one of the records below, by its bytes. tlb.last says whether the frame ends with
 * it.
 *
 * Return: false: see there
 */
bool tlb_record(struct v3dsim *sim, uint32_t record_addr, const uint8_t *bytes);

/*
 * The records, at address record_addr for faults. Return: false: CLE thread 1 stops with an error,
 * which is reported.
 */
bool tlb_configure(struct v3dsim *sim, uint32_t record_addr,
		   const struct v3d_tile_rendering_mode *mode);
void tlb_clear_colors(struct v3dsim *sim, const struct v3d_clear_colors *clear);
bool tlb_coordinates(struct v3dsim *sim, uint32_t record_addr,
		     const struct v3d_tile_coordinates *coordinates);
bool tlb_store_resolved(struct v3dsim *sim, uint32_t record_addr, bool last);
bool tlb_store_full(struct v3dsim *sim, uint32_t record_addr, const struct v3d_store_full *store);
bool tlb_store_general(struct v3dsim *sim, uint32_t record_addr,
		       const struct v3d_store_general *store);
bool tlb_load_full(struct v3dsim *sim, uint32_t record_addr, const struct v3d_load_full *load);
bool tlb_load_general(struct v3dsim *sim, uint32_t record_addr,
		      const struct v3d_load_general *load);

/**
 * tlb_end_frame() - the last tile is stored: for the list executor, when all that comes before is
 * done
 */
void tlb_end_frame(struct v3dsim *sim);

/* State of the one buffer in use */
void tlb_state_get(const struct tlb *tlb, struct tlb_state *state);

/* And what the buffer then holds, if that is known: see struct tlb_clean */
void tlb_state_put(struct tlb *tlb, const struct tlb_state *state);

/* State and contents of another one, which has one buffer */
void tlb_take(struct tlb *tlb, const struct tlb *from);

/* Reads RFC */
uint32_t tlb_read(struct v3dsim *sim, uint32_t reg);

/* A write to RFC: 1 clears it */
void tlb_write(struct v3dsim *sim, uint32_t reg, uint32_t value);

/* Power-on state; costs what was touched */
void tlb_reset(struct v3dsim *sim);

#endif /* V3DSIM_TLB_H */
