// SPDX-License-Identifier: MIT
/* Texels: see texel.h. */
#include "texel.h"

const struct texel_format texel_formats[TEXEL_TYPES] = {
	[V3D_TEXTURE_RGBA8888] = { 1, 0, 0, 0, 2, 4, TEXEL_BYTES },
	[V3D_TEXTURE_RGBX8888] = { 1, 0, 0, 0, 2, 4, TEXEL_BYTES },
	[V3D_TEXTURE_RGBA4444] = { 1, 0, 0, 0, 1, 4, TEXEL_BYTES },
	[V3D_TEXTURE_RGBA5551] = { 1, 0, 0, 0, 1, 4, TEXEL_BYTES },
	[V3D_TEXTURE_RGB565] = { 1, 0, 0, 0, 1, 4, TEXEL_BYTES },
	[V3D_TEXTURE_LUMINANCE] = { 1, 0, 0, 0, 0, 3, TEXEL_BYTES },
	[V3D_TEXTURE_ALPHA] = { 1, 0, 0, 0, 0, 3, TEXEL_BYTES },
	[V3D_TEXTURE_LUMALPHA] = { 1, 0, 0, 0, 1, 4, TEXEL_BYTES },
	[V3D_TEXTURE_ETC1] = { 1, 0, 2, 2, 3, 4, TEXEL_BYTES },
	[V3D_TEXTURE_S16F] = { 1, 0, 0, 0, 1, 4, TEXEL_HALVES },
	[V3D_TEXTURE_S8] = { 1, 0, 0, 0, 0, 3, TEXEL_BYTES },
	[V3D_TEXTURE_S16] = { 1, 0, 0, 0, 1, 4, TEXEL_POINT },
	[V3D_TEXTURE_BW1] = { 1, 0, 3, 0, 0, 2, TEXEL_BYTES },
	[V3D_TEXTURE_A4] = { 1, 0, 1, 0, 0, 3, TEXEL_BYTES },
	[V3D_TEXTURE_A1] = { 1, 0, 3, 0, 0, 2, TEXEL_BYTES },
	[V3D_TEXTURE_RGBA64] = { 1, 0, 0, 0, 3, 4, TEXEL_HALVES },
	[V3D_TEXTURE_RGBA32R] = { 1, 1, 0, 0, 2, 4, TEXEL_BYTES },
	[V3D_TEXTURE_YUYV422R] = { 1, 1, 1, 0, 2, 4, TEXEL_BYTES },
};

const uint8_t texel_etc1_modifiers[16] = { 2, 8, 5, 17, 9, 29, 13, 42,
					   18, 60, 24, 80, 33, 106, 47, 183 };

/* In units of 2^-24, what the smallest half is a multiple of */
static int64_t half_to_fixed(uint16_t h)
{
	const unsigned int exponent = h >> 10 & 31;
	const int64_t value = exponent ? (int64_t)(0x400 | (h & 0x3ff)) << (exponent - 1) :
					 h & 0x3ff;

	return h & 0x8000 ? -value : value;
}

/* From units of 2^-24 with @more bits behind */
static uint16_t fixed_to_half(int64_t fixed, unsigned int more)
{
	const uint16_t sign = fixed < 0 ? 0x8000 : 0;
	const uint64_t value = fixed < 0 ? -(uint64_t)fixed : (uint64_t)fixed;
	const unsigned int top = value ? 63 - __builtin_clzll(value) : 0;
	/* below the smallest exponent all have the same unit */
	const unsigned int down = top > more + 10 ? top - 10 : more;
	uint64_t rounded = value;

	if (down) {
		const uint64_t half = UINT64_C(1) << (down - 1);

		rounded = (value + half - 1 + (value >> down & 1)) >> down;
	}
	/* With the exponent on top, what rounds up to a power of two carries into it. */
	rounded += (uint64_t)(down - more) << 10;
	return rounded >= 0x7c00 ? sign | 0x7c00 : sign | (uint16_t)rounded;
}

uint16_t texel_blend_halves(uint16_t a, uint16_t b, unsigned int weight)
{
	if (!weight || a == b)
		return a;
	return fixed_to_half(half_to_fixed(a) * (256 - (int)weight) +
				     half_to_fixed(b) * (int)weight,
			     8);
}

uint16_t texel_bilinear_halves(const uint16_t texels[4], unsigned int x, unsigned int y)
{
	int64_t rows[2];

	if (!x && !y)
		return texels[0];
	for (unsigned int row = 0; row < 2; row++)
		rows[row] = half_to_fixed(texels[2 * row]) * (256 - (int)x) +
			    half_to_fixed(texels[2 * row + 1]) * (int)x;
	return fixed_to_half(rows[0] * (256 - (int)y) + rows[1] * (int)y, 16);
}

uint32_t texel_passed_through(uint32_t halves)
{
	for (unsigned int shift = 0; shift < 32; shift += 16) {
		const uint32_t exponent = halves >> (shift + 10) & 31;

		if ((halves >> shift & 0x83ff) == 0x8000 && exponent && exponent != 31)
			halves &= ~(0x8000u << shift);
	}
	return halves;
}

uint16_t texel_blend_2645(uint16_t a, uint16_t b, unsigned int weight)
{
	const bool negative = (a == 0x7c00 && b & 0x8000) || (b == 0x7c00 && a & 0x8000);

	return texel_blend_halves(a, b, weight) | (weight && negative ? 0x8000 : 0);
}

uint16_t texel_byte_to_half(uint8_t n)
{
	/*
	 * 24 more bits than a half has make the quotient's own rounding harmless: n / 255 is never
	 * half way between two halves
	 */
	return fixed_to_half((int64_t)(((uint64_t)n << 40) / 255), 16);
}
