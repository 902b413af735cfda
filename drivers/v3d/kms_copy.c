// SPDX-License-Identifier: GPL-2.0-only
/* Pixels, from a BO's layout to a row of XRGB8888 */
#include <linux/string.h>

#include "kms.h"

/* Micro-tiles are 16 bytes across and 4 rows down, sub-tiles 4 x 4 of them, tiles 2 x 2 of these */
#define BV3D_MICRO_ROW 16
#define BV3D_MICRO_TILE 64
#define BV3D_SUB_TILE 1024
#define BV3D_TILE 4096

/**
 * bv3d_t_offset() - where a byte of a T-format image lies
 * @pitch: bytes of a row of pixels, a multiple of BV3D_TILE_ROW
 * @x: bytes from the left, below @pitch
 * @y: rows from the top
 *
 * For pixels of 16 bits and more, whose micro-tiles have 16 bytes a row. Tiles run from left to
 * right in even rows of tiles, else from right to left; AG100 Figure 14 has the order of sub-tiles.
 *
 * Return: in bytes; 16 bytes from each multiple of 16 on lie in one piece
 */
u32 bv3d_t_offset(u32 pitch, u32 x, u32 y)
{
	static const u8 order[2][2][2] = {	/* odd row of tiles, lower half, right half */
		{ { 0, 3 }, { 1, 2 } },
		{ { 2, 1 }, { 3, 0 } },
	};
	u32 tile_y = y / BV3D_TILE_ROWS, tile_x = x / BV3D_TILE_ROW;
	bool odd = tile_y & 1;
	u32 sub = order[odd][y / 16 & 1][x / 64 & 1];
	u32 micro = (y / 4 & 3) * 4 + (x / BV3D_MICRO_ROW & 3);

	if (odd)
		tile_x = pitch / BV3D_TILE_ROW - 1 - tile_x;
	return tile_y * pitch * BV3D_TILE_ROWS + tile_x * BV3D_TILE + sub * BV3D_SUB_TILE +
	       micro * BV3D_MICRO_TILE + (y & 3) * BV3D_MICRO_ROW + x % BV3D_MICRO_ROW;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_t_offset);

/* RGB565, with the highest bits of each repeated below so that white is white */
static u32 bv3d_widen(u16 pixel)
{
	u32 r = pixel >> 11, g = pixel >> 5 & 0x3f, b = pixel & 0x1f;

	return (r << 3 | r >> 2) << 16 | (g << 2 | g >> 4) << 8 | (b << 3 | b >> 2);
}

/* @bytes from byte @x of row @y on */
static void bv3d_fetch(const struct bv3d_pixels *pixels, u32 x, u32 y, void *to, u32 bytes)
{
	u32 done, piece;

	if (!pixels->t_tiled) {
		memcpy(to, pixels->vaddr + (size_t)y * pixels->pitch + x, bytes);
		return;
	}
	for (done = 0; done < bytes; done += piece) {
		piece = min(BV3D_MICRO_ROW - (x + done) % BV3D_MICRO_ROW, bytes - done);
		memcpy(to + done,
		       pixels->vaddr + bv3d_t_offset(pixels->pitch, x + done, y), piece);
	}
}

/**
 * bv3d_copy_row() - a part of a row of pixels
 * @pixels: whose; the caller knows that they reach so far
 * @x: the first pixel's column
 * @y: its row
 * @row: filled with XRGB8888
 * @width: in pixels
 */
void bv3d_copy_row(const struct bv3d_pixels *pixels, u32 x, u32 y, u32 *row, u32 width)
{
	u16 *narrow = (u16 *)row + width;	/* the end of row: widening begins at its start */
	u32 i;

	if (pixels->bytes == 4) {
		bv3d_fetch(pixels, x * 4, y, row, width * 4);
		return;
	}
	bv3d_fetch(pixels, x * 2, y, narrow, width * 2);
	for (i = 0; i < width; i++)
		row[i] = bv3d_widen(narrow[i]);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_copy_row);
