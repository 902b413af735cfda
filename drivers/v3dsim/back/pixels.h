/* SPDX-License-Identifier: MIT */
/*
 * Pixels of the tile buffer on their way to memory and back: resolve, decimate, BGR565. What is
 * chosen and why: tlb.h.
 */
#ifndef V3DSIM_PIXELS_H
#define V3DSIM_PIXELS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct pixels_area - the part of a tile that is moved, from its first pixel on
 * @width: of the part, @height likewise: even
 * @stride: pixels from a row to the next, the tile's width
 * @samples: of a pixel in the tile
 * @words: of a pixel, 1 or 2
 */
struct pixels_area {
	uint32_t width, height, stride, samples, words;
};

/**
 * pixels_to_rows() - sample 0 of quads, which are as struct tlb_buffer has them, in raster order
 */
void pixels_to_rows(const struct pixels_area *area, const uint32_t *quads, uint32_t *rows);

/* The opposite; all samples become the same */
void pixels_from_rows(const struct pixels_area *area, const uint32_t *rows, uint32_t *quads);

/* The mean of four samples of rgba8888, in raster order */
void pixels_resolve(const struct pixels_area *area, const uint32_t *quads, uint32_t *rows);

/**
 * pixels_halve() - a pixel from each quad: its mean, in raster order, half a stride from row to row
 */
void pixels_halve(const struct pixels_area *area, const uint32_t *quads, uint32_t *rows);

/**
 * pixels_to_565() - rgba8888 to bgr565: red in bits 15:11, blue in 4:0
 * @width: of a row, @stride: from row to row
 * @dither: the first pixel's position in the frame is a multiple of 4 both ways
 */
void pixels_to_565(const uint32_t *in, uint32_t width, uint32_t height, uint32_t stride,
		   bool dither, uint16_t *out);

/* See pixels_to_565(); alpha is 255 */
uint32_t pixels_from_565(uint16_t pixel);

#endif /* V3DSIM_PIXELS_H */
