/* SPDX-License-Identifier: MIT */
/* Pixels of the tile buffer on their way to memory and back: resolve, decimate, BGR565. What is chosen and why: tlb.h. */
#ifndef V3DSIM_PIXELS_H
#define V3DSIM_PIXELS_H

#include <stdbool.h>
#include <stdint.h>

/** pixels_average_samples() - one pixel from the same pixel of four planes; out may be the first plane */
void pixels_average_samples(const uint32_t *planes, uint32_t plane, uint32_t *out);

/** pixels_average_quads() - halves an image both ways; out may be in */
void pixels_average_quads(const uint32_t *in, uint32_t width, uint32_t height, uint32_t *out);

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
