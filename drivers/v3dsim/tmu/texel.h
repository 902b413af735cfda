/* SPDX-License-Identifier: MIT */
/*
 * Texels: how each of the 18 types of AG100 Table 18 lies in memory, and what the QPU gets for it.
 *
 * Channels of 1, 4, 5 and 6 bits become 8 by repeating their bits from the top, so that all ones
 * are 255 (not established). The red channel of a 16-bit colour has the highest bits, as what Mesa
 * makes of them needs it.
 *
 * What the guide leaves open, here:
 * - S16F, S8 and S16 come in the lowest bits of the word, zeros above. BW1 is black or white with
 *   alpha 255.
 * - Texels smaller than a byte start at its lowest bits (as OpenVG's formats of these names do).
 * - YUYV422R has a word for two texels; Y, U and V come as red, green and blue, unconverted, with
 *   alpha 255.
 * - ETC1's ETCFLIP means that the first row of a block is the one at the lowest y.
 */
#ifndef V3DSIM_TEXEL_H
#define V3DSIM_TEXEL_H

#include <stdbool.h>
#include <stdint.h>

#include <v3d/words.h>

/* that the set-up words can name; those past AG100 Table 18 do not exist */
#define TEXEL_TYPES 32

/* How texels are filtered: bytes of r4's word, halves, or not at all */
enum texel_blend { TEXEL_BYTES, TEXEL_HALVES, TEXEL_POINT };

/**
 * struct texel_format - a type in memory
 * @exists: it is in the table
 * @raster: never tiled
 * @x_down: texels that share a unit across, log2; @y_down: down
 * @unit: log2 of a unit's bytes
 * @row: log2 of the bytes across a micro-tile
 * @blend: see there
 */
struct texel_format {
	uint8_t exists, raster, x_down, y_down, unit, row, blend;
};

extern const struct texel_format texel_formats[TEXEL_TYPES];

/*
 * GL_OES_compressed_ETC1_RGB8_texture, Table 3.17.2: the larger two of each codeword's four
 * numbers; the other two are their negatives. [2 * codeword + column]
 */
extern const uint8_t texel_etc1_modifiers[16];

/**
 * texel_blend_halves() - @a, and @b with @weight / 256 of it, between two 16-bit floats
 *
 * In fixed point, rounded to nearest even; exponent 31 counts as a number (not established), what
 * is 65520 or more is infinity.
 */
uint16_t texel_blend_halves(uint16_t a, uint16_t b, unsigned int weight);

/**
 * texel_bilinear_halves() - four 16-bit floats around a point: @x / 256 and @y / 256 of the way to
 * the second column and row
 */
uint16_t texel_bilinear_halves(const uint16_t texels[4], unsigned int x, unsigned int y);

/**
 * texel_passed_through() - two 16-bit floats that are not blended, as HW-2619 leaves them: no sign
 * for powers of two
 */
uint32_t texel_passed_through(uint32_t halves);

/**
 * texel_blend_2645() - texel_blend_halves(); infinity and a negative number are negative together
 * (HW-2645)
 */
uint16_t texel_blend_2645(uint16_t a, uint16_t b, unsigned int weight);

/* n / 255 as a 16-bit float, to nearest even */
uint16_t texel_byte_to_half(uint8_t n);

#endif /* V3DSIM_TEXEL_H */
