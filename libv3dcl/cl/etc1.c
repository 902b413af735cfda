// SPDX-License-Identifier: MIT
/*
 * ETC1: GL_OES_compressed_ETC1_RGB8_texture. A block of 4 x 4 texels is 64 bits, big endian: two
 * base colours, two tables, which way it is cut into halves, and two bits a texel, column by
 * column, high bits in one half-word, low bits in the other.
 */
#include <sys/param.h>

#include "pixels.h"

#define SIDE 4u

/* Table 3.17.2: the two numbers of each table that are not negative */
static const uint8_t tables[8][2] = {
	{ 2, 8 }, { 5, 17 }, { 9, 29 }, { 13, 42 }, { 18, 60 }, { 24, 80 }, { 33, 106 },
	{ 47, 183 },
};

static int modifier(unsigned int table, unsigned int index)
{
	const int amount = tables[table][index & 1];

	return index & 2 ? -amount : amount;
}

static uint8_t clip(int value)
{
	return MIN(MAX(value, 0), 255);
}

static uint32_t widen(uint32_t value, unsigned int bits)
{
	return bits == 5 ? value << 3 | value >> 2 : value << 4 | value;
}

/* The base colours of a block's halves; a second one out of range, which is undefined, wraps. */
static void bases(const uint8_t *block, uint8_t base[2][3])
{
	const bool differential = block[3] & 2;
	unsigned int c;

	for (c = 0; c < 3; c++) {
		const uint32_t five = block[c] >> 3, delta = ((block[c] & 7) ^ 4) - 4;

		base[0][c] = differential ? widen(five, 5) : widen(block[c] >> 4, 4);
		base[1][c] = differential ? widen((five + delta) & 31, 5) : widen(block[c] & 15, 4);
	}
}

/* Which half a texel is in: the flip bit cuts into upper and lower ones */
static unsigned int half_of(unsigned int x, unsigned int y, bool flip)
{
	return (flip ? y : x) / 2;
}

static void decode_block(const uint8_t *block, uint8_t texels[SIDE][SIDE][4])
{
	const uint32_t bits = (uint32_t)block[4] << 24 | block[5] << 16 | block[6] << 8 | block[7];
	uint8_t base[2][3];
	unsigned int x, y, c;

	bases(block, base);
	for (y = 0; y < SIDE; y++) {
		for (x = 0; x < SIDE; x++) {
			const unsigned int half = half_of(x, y, block[3] & 1), n = x * SIDE + y;
			const unsigned int index = (bits >> (16 + n) & 1) << 1 | (bits >> n & 1);
			const int add = modifier(block[3] >> (half ? 2 : 5) & 7, index);

			for (c = 0; c < 3; c++)
				texels[y][x][c] = clip(base[half][c] + add);
			texels[y][x][3] = 255;
		}
	}
}

void cl_etc1_to_rgba(const uint8_t *blocks, size_t stride, uint32_t width, uint32_t height,
		     uint8_t *rgba)
{
	uint8_t texels[SIDE][SIDE][4];
	uint32_t x, y, c;

	for (y = 0; y < height; y++) {
		for (x = 0; x < width; x++, rgba += 4) {
			const uint8_t *block = blocks + y / SIDE * stride + x / SIDE * (size_t)8;

			if (x % SIDE == 0)
				decode_block(block, texels);
			for (c = 0; c < 4; c++)
				rgba[c] = texels[y % SIDE][x % SIDE][c];
		}
	}
}

/*
 * A half of a block: the table and indices that come nearest to its texels. Return: the sum of
 * squares that remain
 */
static uint32_t fit_half(uint8_t texels[SIDE][SIDE][4], bool flip, unsigned int half,
			 const uint8_t *base, unsigned int *best_table, uint32_t *best_bits)
{
	uint32_t least = UINT32_MAX;
	unsigned int table, i, index, c;

	for (table = 0; table < 8; table++) {
		uint32_t sum = 0, bits = 0;

		for (i = 0; i < SIDE * SIDE; i++) {
			const unsigned int x = i / SIDE, y = i % SIDE;
			uint32_t nearest = UINT32_MAX, chosen = 0;

			if (half_of(x, y, flip) != half)
				continue;
			for (index = 0; index < 4; index++) {
				uint32_t distance = 0;

				for (c = 0; c < 3; c++) {
					const int d = clip(base[c] + modifier(table, index)) -
						      texels[y][x][c];

					distance += d * d;
				}
				if (distance < nearest) {
					nearest = distance;
					chosen = index;
				}
			}
			sum += nearest;
			bits |= (chosen >> 1) << (16 + i) | (chosen & 1) << i;
		}
		if (sum < least) {
			least = sum;
			*best_table = table;
			*best_bits = bits;
		}
	}
	return least;
}

/* The mean colour of a half in 4 bits a channel */
static void mean(uint8_t texels[SIDE][SIDE][4], bool flip, unsigned int half, uint8_t *four)
{
	unsigned int i, c;

	for (c = 0; c < 3; c++) {
		uint32_t sum = 0;

		for (i = 0; i < SIDE * SIDE; i++)
			if (half_of(i / SIDE, i % SIDE, flip) == half)
				sum += texels[i % SIDE][i / SIDE][c];
		four[c] = (sum * 15 + 255 * 4) / (255 * 8);
	}
}

/* Cut both ways, with a base colour of its own for each half; the better one */
static void encode_block(uint8_t texels[SIDE][SIDE][4], uint8_t *block)
{
	uint32_t least = UINT32_MAX;
	unsigned int flip, half, c;

	for (flip = 0; flip < 2; flip++) {
		uint8_t four[2][3], base[3];
		unsigned int table[2];
		uint32_t bits[2], sum = 0, both;

		for (half = 0; half < 2; half++) {
			mean(texels, flip, half, four[half]);
			for (c = 0; c < 3; c++)
				base[c] = widen(four[half][c], 4);
			sum += fit_half(texels, flip, half, base, &table[half], &bits[half]);
		}
		if (sum >= least)
			continue;
		least = sum;
		both = bits[0] | bits[1];
		for (c = 0; c < 3; c++)
			block[c] = four[0][c] << 4 | four[1][c];
		block[3] = table[0] << 5 | table[1] << 2 | flip;
		for (c = 0; c < 4; c++)
			block[4 + c] = both >> (24 - 8 * c);
	}
}

void cl_etc1_from_rgba(const uint8_t *rgba, uint32_t width, uint32_t height, uint8_t *blocks,
		       size_t stride)
{
	uint8_t texels[SIDE][SIDE][4];
	uint32_t x, y, i, c;

	for (y = 0; y < height; y += SIDE) {
		for (x = 0; x < width; x += SIDE) {
			/* Beyond the edge, what is at the edge */
			for (i = 0; i < SIDE * SIDE; i++) {
				const uint32_t column = MIN(x + i % SIDE, width - 1);
				const uint32_t row = MIN(y + i / SIDE, height - 1);

				for (c = 0; c < 4; c++)
					texels[i / SIDE][i % SIDE][c] =
						rgba[((size_t)row * width + column) * 4 + c];
			}
			encode_block(texels, blocks + y / SIDE * stride + x / SIDE * (size_t)8);
		}
	}
}
