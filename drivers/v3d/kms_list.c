// SPDX-License-Identifier: GPL-2.0-only
/*
 * A picture's way to the screen as a control list: each tile is loaded as T-format and stored as
 * raster. No program runs.
 *
 * One width of the frame counts for loads and stores (AG100 Table 38, records 28, 29 and 113): it
 * is that of the screen's rows, and the picture's are shorter. So tiles are 32 x 32 pixels, as with
 * four samples (AG100 p. 46): then one is just a tile of T-format, which lies in one piece, and
 * each row of tiles is loaded from a base of its own, by which it lies where it is. Of a linear
 * picture no such tile lies in one piece.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include <v3d/packets.h>

#include "kms.h"
#include "layout.h"

#define BV3D_TILE_PIXELS 32

static_assert(BV3D_TILE_PIXELS == BV3D_TILE_ROWS);
static_assert(BV3D_TILE_PIXELS * 4 == BV3D_TILE_ROW);

#define BV3D_LIST_HEAD (V3D_CLEAR_COLORS_LENGTH + V3D_TILE_RENDERING_MODE_LENGTH)
#define BV3D_LIST_TILE (V3D_LOAD_GENERAL_LENGTH + V3D_TILE_COORDINATES_LENGTH + \
			V3D_STORE_GENERAL_LENGTH)
/* HW: a thread may stop wherever it meets its end address, so no other BO begins there */
#define BV3D_LIST_SLACK 16

/**
 * bv3d_list_size() - room for the list of a whole screen
 * @width: in pixels
 * @height: in pixels
 *
 * Return: bytes
 */
u32 bv3d_list_size(u32 width, u32 height)
{
	return BV3D_LIST_HEAD + BV3D_LIST_SLACK +
	       DIV_ROUND_UP(width, BV3D_TILE_PIXELS) * DIV_ROUND_UP(height, BV3D_TILE_PIXELS) *
	       BV3D_LIST_TILE;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_list_size);

/* Tiles of a row of T-format */
static u32 bv3d_row_tiles(u32 pitch)
{
	return DIV_ROUND_UP(pitch, BV3D_TILE_ROW);
}

/*
 * From where a row of tiles is loaded. With rows as wide as the screen's, the V3D takes it that
 * rows of T-format tiles are so many tiles long. Odd rows begin at their right end, so they are off
 * by the difference once more.
 */
static s64 bv3d_list_base(const struct bv3d_pixels *from, const struct bv3d_hidden *to, u32 row)
{
	s64 wider = (s64)bv3d_row_tiles(to->pitch) - bv3d_row_tiles(from->pitch);

	return from->address - wider * BV3D_TILE_ROW * BV3D_TILE_ROWS * (row + (row & 1));
}

/**
 * bv3d_list_can() - can the V3D copy this picture, all of it or a part?
 * @from: the picture, as large as the screen
 * @to: the screen
 *
 * It can if both are within its reach, the picture T-tiled, with pixels of 32 bits, from its first
 * one on. In which order a load widens the parts of RGB565, and how, is not established.
 *
 * Return: true if it can
 */
bool bv3d_list_can(const struct bv3d_pixels *from, const struct bv3d_hidden *to)
{
	u32 rows = DIV_ROUND_UP(to->height, BV3D_TILE_PIXELS);
	/* A last row that is even is off by less than the one that would follow */
	s64 last_base = bv3d_list_base(from, to, rows);

	if (!from->t_tiled || !from->address || !to->address || from->bytes != 4 || from->x ||
	    from->y)
		return false;
	if (from->address % 16 || to->address % 16 || to->pitch % 16 ||
	    to->pitch / 4 >= V3DCL_IMAGE_LIMIT || to->height >= V3DCL_IMAGE_LIMIT)
		return false;
	return last_base >= 0 && last_base <= U32_MAX && from->pitch >= to->width * 4 &&
	       (u64)from->pitch * rows * BV3D_TILE_ROWS <= from->size;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_list_can);

static u8 *bv3d_list_begin(u8 *list, const struct bv3d_hidden *to)
{
	const struct v3d_clear_colors clear = {};
	const struct v3d_tile_rendering_mode mode = {
		.address = to->address, .width = to->pitch / 4, .height = to->height,
		.multisample = 1, .pixel = V3D_FRAME_RGBA8888,
	};

	v3d_pack_clear_colors(list, &clear);
	list += V3D_CLEAR_COLORS_LENGTH;
	v3d_pack_tile_rendering_mode(list, &mode);
	return list + V3D_TILE_RENDERING_MODE_LENGTH;
}

/* Records of a tile, made once a row: but for coordinates they are the same as the next one's */
struct bv3d_tile_records {
	u8 load[V3D_LOAD_GENERAL_LENGTH];
	u8 at[V3D_TILE_COORDINATES_LENGTH];
	u8 store[V3D_STORE_GENERAL_LENGTH];
};

static_assert(sizeof(struct bv3d_tile_records) == BV3D_LIST_TILE);

static void bv3d_tile_load(struct bv3d_tile_records *tile, u32 base)
{
	const struct v3d_load_general load = {
		.buffer = V3D_BUFFER_COLOR, .pixel = V3D_RGBA8888, .format = V3D_T_FORMAT,
		.address = base,
	};

	v3d_pack_load_general(tile->load, &load);
}

static void bv3d_tile_at(struct bv3d_tile_records *tile, u32 column, u32 row)
{
	const struct v3d_tile_coordinates at = { .column = column, .row = row };

	v3d_pack_tile_coordinates(tile->at, &at);
}

/* Stored is sample 0 of each pixel, and nothing is left in the tile buffer */
static void bv3d_tile_store(struct bv3d_tile_records *tile, u32 address, bool last)
{
	const struct v3d_store_general store = {
		.buffer = V3D_BUFFER_COLOR, .pixel = V3D_RGBA8888, .format = V3D_RASTER,
		.mode = V3D_DECIMATE_NONE, .address = address, .last_tile = last,
	};

	v3d_pack_store_general(tile->store, &store);
}

/**
 * bv3d_list_write() - the control list that copies
 * @list: of bv3d_list_size() of the screen
 * @from: of which bv3d_list_can() says that the V3D can
 * @to: the screen
 * @area: what is copied, and all tiles that have a part in it; within the screen, not empty
 *
 * Return: its length
 */
u32 bv3d_list_write(u8 *list, const struct bv3d_pixels *from, const struct bv3d_hidden *to,
		    const struct drm_rect *area)
{
	const u32 left = area->x1 / BV3D_TILE_PIXELS, right = (area->x2 - 1) / BV3D_TILE_PIXELS;
	const u32 above = area->y1 / BV3D_TILE_PIXELS, below = (area->y2 - 1) / BV3D_TILE_PIXELS;
	struct bv3d_tile_records tile;
	u8 *end = bv3d_list_begin(list, to);
	u32 row, column;

	bv3d_tile_store(&tile, to->address, false);
	for (row = above; row <= below; row++) {
		bv3d_tile_load(&tile, bv3d_list_base(from, to, row));
		for (column = left; column <= right; column++) {
			bv3d_tile_at(&tile, column, row);
			if (row == below && column == right)
				bv3d_tile_store(&tile, to->address, true);
			memcpy(end, &tile, sizeof(tile));
			end += sizeof(tile);
		}
	}
	return end - list;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_list_write);
