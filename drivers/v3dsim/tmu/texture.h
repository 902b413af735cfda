/* SPDX-License-Identifier: MIT */
/*
 * Where the pixels of an image lie: raster, T-format and LT-format (AG100 Section 11).
 *
 * T-format: tiles of 4 KiB made of 2 x 2 sub-tiles of 1 KiB, made of 4 x 4 micro-tiles of 64 bytes
 * in raster order. Tiles run left to right in even rows of tiles and right to left in odd ones. The
 * order of sub-tiles is in the guide's Figure 14 only; as the kernel's drm_fourcc.h tells it:
 * bottom left, top left, top right, bottom right in even rows; top right, bottom right, bottom
 * left, top left in odd ones, bottom being y = 0. Rows of a raster image start at multiples of a
 * micro-tile's width.
 */
#ifndef V3DSIM_TEXTURE_H
#define V3DSIM_TEXTURE_H

#include <v3d/packets.h>

#include "v3dsim.h"

#define TEXTURE_MICRO_TILE 64
#define TEXTURE_SUB_TILE 1024
#define TEXTURE_TILE 4096

/**
 * struct texture_layout - where the bytes of an image are: texture_offset() by byte columns and
 * rows
 * @base: address of pixel (0, 0)'s micro-tile or row; @bytes: how many the image spans, padding
 *	included
 * @step: bytes between rows of a raster image, rows of micro-tiles (LT), rows of tiles (T); @last:
 *	to a row's last tile (T), or 0
 * @format: enum v3d_memory_format
 * @row_log2: of the bytes across a micro-tile; it has 64 >> row_log2 rows
 */
struct texture_layout {
	uint32_t base, bytes, step, last;
	uint8_t format, row_log2;
};

/*
 * What T-format's order of sub-tiles makes of address bits 10 and 11: exclusive-ored for the right,
 * upper, odd row's ones
 */
#define TEXTURE_T_RIGHT 0xc00u
#define TEXTURE_T_UPPER 0x400u
#define TEXTURE_T_ODD 0x800u

/* Fills in a layout; @width in bytes, @height in rows, of what is stored */
void texture_lay_out(struct texture_layout *layout, uint32_t base, unsigned int format,
		     unsigned int row_log2, uint32_t width, uint32_t height);

/* From the base to byte column @x of row @y */
uint32_t texture_offset(const struct texture_layout *layout, uint32_t x, uint32_t y);

/**
 * struct texture_image - an image in memory
 * @base: address of pixel (0, 0)'s micro-tile or row
 * @format: enum v3d_memory_format
 * @pixel_bytes: 1, 2, 4 or 8
 * @width: in pixels, @height likewise
 */
struct texture_image {
	uint32_t base;
	unsigned int format, pixel_bytes;
	uint32_t width, height;
};

/* Pixels across a micro-tile: AG100 "Micro-tiles" */
static inline uint32_t texture_micro_width(unsigned int pixel_bytes)
{
	return pixel_bytes == 1 ? 8 : 16 / pixel_bytes;
}

/* Pixels down a micro-tile */
static inline uint32_t texture_micro_height(unsigned int pixel_bytes)
{
	return pixel_bytes == 1 ? 8 : 4;
}

/* Of micro-tile (x, y), counted in micro-tiles; not for raster images */
uint32_t texture_micro_address(const struct texture_image *image, uint32_t x, uint32_t y);

/* Of a pixel, whatever the format; wraps at 2^32 */
uint32_t texture_address(const struct texture_image *image, uint32_t x, uint32_t y);

/**
 * struct texture_rectangle - a part of an image, all inside it
 * @x: a multiple of a micro-tile's width; @y: a multiple of its height
 * @stride: pixels from a row to the next where the part is moved from or to
 */
struct texture_rectangle {
	uint32_t x, y, width, height, stride;
};

/* Puts pixels into an image. Return: false after a bus error */
bool texture_store(struct v3dsim *sim, enum v3dsim_unit unit, const struct texture_image *image,
		   const struct texture_rectangle *to, const void *pixels);

/* See texture_store() */
bool texture_load(struct v3dsim *sim, enum v3dsim_unit unit, const struct texture_image *image,
		  const struct texture_rectangle *from, void *pixels);

#endif /* V3DSIM_TEXTURE_H */
