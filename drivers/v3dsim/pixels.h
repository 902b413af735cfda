/* SPDX-License-Identifier: MIT */
/* Pixels of the tile buffer on their way to memory and back: resolve, decimate, BGR565. What is chosen and why: tlb.h. */
#ifndef V3DSIM_PIXELS_H
#define V3DSIM_PIXELS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * pixels_to_rows() - sample 0 of quads, in raster order
 * @quads: as struct tlb_buffer has them
 * @words: of a pixel, 1 or 2
 */
void pixels_to_rows(const uint32_t *quads, uint32_t width, uint32_t height, uint32_t samples, uint32_t words, uint32_t *rows);

/** pixels_from_rows() - the opposite; all samples become the same */
void pixels_from_rows(const uint32_t *rows, uint32_t width, uint32_t height, uint32_t samples, uint32_t words, uint32_t *quads);

/** pixels_average_samples() - quads of one sample from quads of four */
void pixels_average_samples(const uint32_t *quads, uint32_t count, uint32_t *out);

/** pixels_average_quads() - a pixel from each quad of one sample: an image half as large in raster order */
void pixels_average_quads(const uint32_t *quads, uint32_t count, uint32_t *out);

/**
 * pixels_to_565() - rgba8888 to bgr565: red in bits 15:11, blue in 4:0
 * @width: of a row, a multiple of 4
 * @count: pixels, whole rows
 * @dither: the first pixel's position in the frame is a multiple of 4 both ways
 */
void pixels_to_565(const uint32_t *in, uint32_t width, uint32_t count, bool dither, uint16_t *out);

/** pixels_from_565() - see pixels_to_565(); alpha is 255 */
uint32_t pixels_from_565(uint16_t pixel);

#endif /* V3DSIM_PIXELS_H */
