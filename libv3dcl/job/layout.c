// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * How images lie in memory: how many bytes they span, padding included.
 */
#include "cursor.h"
#include "layout.h"

const struct v3dcl_units v3dcl_units[4] = { { 1, 8, 8 }, { 2, 8, 4 }, { 4, 4, 4 }, { 8, 2, 4 } };

/* T-format tiles are 8 by 8 micro-tiles: 4 KiB */
#define TILE 8

/**
 * v3dcl_is_lt() - does the texture unit take a level of this size for LT format?
 * @units: of the image
 * @width: of the level, in units
 * @height: see @width
 * Source: HW: at most 4 micro-tiles wide or high; AG100 says less than a tile
 */
bool v3dcl_is_lt(const struct v3dcl_units *units, __u32 width, __u32 height)
{
	return width <= 4u * units->width || height <= 4u * units->height;
}

/**
 * v3dcl_image_bytes() - how much memory an image spans
 * @units: of the image
 * @format: enum v3d_memory_format
 * @width: in units, at most V3DCL_IMAGE_LIMIT
 * @height: see @width
 * Return: bytes, at most 128 MiB; rows and tiles count with their padding
 */
__u32 v3dcl_image_bytes(const struct v3dcl_units *units, __u32 format, __u32 width, __u32 height)
{
	__u32 tile = format == V3D_T_FORMAT ? TILE : 1;

	width = v3dcl_round_up(width, units->width * tile);
	if (format != V3D_RASTER)
		height = v3dcl_round_up(height, units->height * tile);
	return width * height * units->bytes;
}
