/* SPDX-License-Identifier: MIT */
/*
 * How images lie in memory, counted once more without the checker's code: BOs end where these say,
 * so what the checker takes for less is reached beyond them.
 */
#ifndef V3DCL_JOB_FUZZ_IMAGE_H
#define V3DCL_JOB_FUZZ_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include <v3d/packets.h>

/* Pixels of a micro-tile of 64 bytes, by log2 of a pixel's bytes: AG100 "Texture Memory Formats" */
static const struct { uint32_t width, height; } image_micro_tiles[] = { { 8, 8 }, { 8, 4 },
									{ 4, 4 }, { 2, 4 } };

static inline uint32_t image_parts(uint32_t size, uint32_t part)
{
	return size / part + (size % part != 0);
}

/* Of a mip level: at most four micro-tiles wide or high (HW) */
static inline bool image_is_lt(uint32_t log2, uint32_t width, uint32_t height)
{
	return image_parts(width, image_micro_tiles[log2].width) <= 4 ||
	       image_parts(height, image_micro_tiles[log2].height) <= 4;
}

/* Whole tiles of 4 KiB, or whole micro-tiles, or rows of whole micro-tiles' widths */
static inline uint32_t image_bytes(uint32_t log2, uint32_t format, uint32_t width, uint32_t height)
{
	const uint32_t w = image_micro_tiles[log2].width, h = image_micro_tiles[log2].height;

	switch (format) {
	case V3D_T_FORMAT:
		return 4096 * image_parts(width, 8 * w) * image_parts(height, 8 * h);
	case V3D_LT_FORMAT:
		return 64 * image_parts(width, w) * image_parts(height, h);
	default:
		return (image_parts(width, w) * w << log2) * height;
	}
}

#endif /* V3DCL_JOB_FUZZ_IMAGE_H */
