/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * How images lie in memory: raster, T and LT format (AG100 "Texture Memory Formats").
 */
#ifndef V3DCL_VALIDATE_LAYOUT_H
#define V3DCL_VALIDATE_LAYOUT_H

#include <v3d/packets.h>

#include "cursor.h"

/* Widest and highest image that is considered: no product below overflows */
#define V3DCL_IMAGE_LIMIT 4096

/**
 * struct v3dcl_units - what an image is made of: pixels, or blocks of a compressed format
 * @bytes: of one unit: 1, 2, 4 or 8
 * @width: units in a micro-tile, which has 64 bytes
 * @height: see @width
 */
struct v3dcl_units {
	__u8 bytes, width, height;
};

/* By log2 of the bytes: HW */
extern const struct v3dcl_units v3dcl_units[4];

/**
 * v3dcl_power_of_two_from() - the next power of two
 * @value: at most 2^31
 * Return: @value itself if it is one
 */
static inline __u32 v3dcl_power_of_two_from(__u32 value)
{
	__u32 power = 1;

	/* Sides of images are V3DCL_IMAGE_LIMIT at most; no power would be as great. */
	if (NEVER(value > 1u << 31))
		return ~(__u32)0;
	while (power < value)
		power *= 2;
	return power;
}

/**
 * v3dcl_smaller() - width or height of a mip level
 * @size: that of level 0
 * @level: below 32
 */
static inline __u32 v3dcl_smaller(__u32 size, __u32 level)
{
	return size >> level ? size >> level : 1;
}

/**
 * v3dcl_is_lt() - does the texture unit take a level of this size for LT format?
 * @units: of the image
 * @width: of the level, in units
 * @height: see @width
 * Source: HW: at most 4 micro-tiles wide or high; AG100 says less than a tile
 */
static inline bool v3dcl_is_lt(const struct v3dcl_units *units, __u32 width, __u32 height)
{
	return width <= 4u * units->width || height <= 4u * units->height;
}

/* T-format tiles are 8 by 8 micro-tiles: 4 KiB */
#define V3DCL_TILE 8

/**
 * v3dcl_image_bytes() - how much memory an image spans
 * @units: of the image
 * @format: enum v3d_memory_format
 * @width: in units, at most V3DCL_IMAGE_LIMIT
 * @height: see @width
 * Return: bytes, at most 128 MiB; rows and tiles count with their padding
 */
static inline __u32 v3dcl_image_bytes(const struct v3dcl_units *units, __u32 format, __u32 width,
				      __u32 height)
{
	__u32 tile = format == V3D_T_FORMAT ? V3DCL_TILE : 1;

	width = v3dcl_round_up(width, units->width * tile);
	if (format != V3D_RASTER)
		height = v3dcl_round_up(height, units->height * tile);
	return width * height * units->bytes;
}

#endif /* V3DCL_VALIDATE_LAYOUT_H */
