/* SPDX-License-Identifier: MIT */
/*
 * The NV-mode triangles of the JayStation posts on bare V3D programming, for users who want to see
 * them drawn: a colour from uniforms, colours from varyings, a texture in T-format. Instruction
 * words and vertices are typed in as the author prints them; where he prints one instruction of
 * several that differ in a register only, the others follow from AG100 Figure 4.
 */
#ifndef V3DCL_POSTS_H
#define V3DCL_POSTS_H

#include <stdbool.h>
#include <stdint.h>

#define POSTS_WIDTH 640
#define POSTS_HEIGHT 480

/* x and y of a vertex, 12.4; 0.0 and 1.0 */
#define POSTS_AT(x, y) ((uint32_t)(y) * 16 << 16 | (uint32_t)(x) * 16)
#define POSTS_ZERO 0
#define POSTS_ONE 0x3f800000

/* Program end, its delay slots, the last of which unlocks the scoreboard */
#define POSTS_END 0x009e7000, 0x300009e7, 0x009e7000, 0x100009e7, 0x009e7000, 0x500009e7

static const uint32_t posts_color[] = { POSTS_ZERO, POSTS_ONE, POSTS_ZERO, POSTS_ONE };

static const uint32_t posts_color_vertices[] = {
	POSTS_AT(320, 32), POSTS_ONE, POSTS_ONE,
	POSTS_AT(608, 448), POSTS_ONE, POSTS_ONE,
	POSTS_AT(32, 448), POSTS_ONE, POSTS_ONE,
};

static const uint32_t posts_color_code[] = {
	0x20820df7, 0xd14059e5,			/* as printed: fmul r5.8a, unif, 1.0 */
	0x20820df7, 0xd15059e5, 0x20820df7, 0xd16059e5, 0x20820df7, 0xd17059e5,	/* 8b, 8c, 8d */
	0x159e7b6d, 0x10020ba7,			/* or tlbc, r5, r5 */
	POSTS_END
};

static const uint32_t posts_varying_vertices[] = {
	/* top: red, as printed */
	POSTS_AT(320, 32), POSTS_ONE, POSTS_ONE, POSTS_ONE, POSTS_ZERO, POSTS_ZERO,
	POSTS_AT(608, 448), POSTS_ONE, POSTS_ONE, POSTS_ZERO, POSTS_ONE, POSTS_ZERO,
	POSTS_AT(32, 448), POSTS_ONE, POSTS_ONE, POSTS_ZERO, POSTS_ZERO, POSTS_ONE,
};

static const uint32_t posts_varying_code[] = {
	0x203e3df7, 0x110059e0,			/* as printed: fmul r0, ra15, vary */
	/* as printed: fadd r0, r0, r5; fmul r1, ra15, vary */
	0x213e3177, 0x11024821,
	0x213e3377, 0x11024862,			/* fadd r1, r1, r5; fmul r2, ra15, vary */
	0x019e7577, 0x100208a7,			/* fadd r2, r2, r5 */
	0x209e0dc7, 0xd14059e5,			/* fmul r5.8a, r0, 1.0 */
	0x209e0dcf, 0xd15059e5,			/* fmul r5.8b, r1, 1.0 */
	0x209e0dd7, 0xd16059e5,			/* fmul r5.8c, r2, 1.0 */
	0x159e7b6d, 0x10020ba7, POSTS_END
};

/* Two triangles, each texel 8 x 8 pixels; the second one turns the other way */
static const uint32_t posts_texture_vertices[] = {
	POSTS_AT(64, 32), POSTS_ONE, POSTS_ONE, POSTS_ZERO, POSTS_ZERO,
	POSTS_AT(576, 32), POSTS_ONE, POSTS_ONE, POSTS_ONE, POSTS_ZERO,
	POSTS_AT(64, 288), POSTS_ONE, POSTS_ONE, POSTS_ZERO, POSTS_ONE,
	POSTS_AT(576, 288), POSTS_ONE, POSTS_ONE, POSTS_ONE, POSTS_ONE,
	POSTS_AT(576, 32), POSTS_ONE, POSTS_ONE, POSTS_ONE, POSTS_ZERO,
	POSTS_AT(64, 288), POSTS_ONE, POSTS_ONE, POSTS_ZERO, POSTS_ONE,
};

/* All as printed */
static const uint32_t posts_texture_code[] = {
	0x203e3df7, 0x110059e0, 0x213e3177, 0x11024821, 0x013e3377, 0x11020e67,
	0x159e7000, 0x10020e27, 0x009e7000, 0xa00009e7,
	0x159e7924, 0x10020ba7, POSTS_END
};

/*
 * Texture parameter 1: 32 high, 64 wide, nearest both ways, clamped. Parameter 0 is the base:
 * RGBA8888, one level
 */
#define POSTS_TEXTURE_SIZE (32 << 20 | 64 << 8 | 1 << 7 | 1 << 4 | 1 << 2 | 1)

#undef POSTS_ZERO
#undef POSTS_ONE

/*
 * Where texel (x, y) of the 64 x 32 texture is: the post's description of T-format, its image being
 * two 4K tiles
 */
static inline uint32_t posts_texel_offset(unsigned int x, unsigned int y)
{
	/* [up][right]: from the lower left */
	static const unsigned int clockwise[2][2] = { { 0, 3 }, { 1, 2 } };
	const unsigned int tile = x / 32, sub_tile = clockwise[y / 16 % 2][x / 16 % 2];
	const unsigned int micro_tile = y / 4 % 4 * 4 + x / 4 % 4, texel = y % 4 * 4 + x % 4;

	return tile * 4096 + sub_tile * 1024 + micro_tile * 64 + texel * 4;
}

static inline uint32_t posts_texel(unsigned int x, unsigned int y)
{
	return 0xff000000 | (x ^ y) << 16 | y * 8 << 8 | x * 4;
}

/*
 * Twice the area of (0, 1, 2) in 1/4 of square pixels, of pixels and centres of pixels given in
 * halves
 */
static inline int64_t posts_area(const int *p0, const int *p1, const int *p2)
{
	return (int64_t)(p1[0] - p0[0]) * (p2[1] - p0[1]) -
	       (int64_t)(p2[0] - p0[0]) * (p1[1] - p0[1]);
}

/*
 * Weights of a pixel's centre; false: it is outside, or on an edge, of which no rule says whose it
 * is
 */
static inline bool posts_weigh(unsigned int x, unsigned int y, double weight[3], bool *edge)
{
	/* top, right, left */
	static const int corner[3][2] = { { 2 * 320, 2 * 32 },
					  { 2 * 608, 2 * 448 },
					  { 2 * 32, 2 * 448 } };
	const int centre[2] = { 2 * x + 1, 2 * y + 1 };
	const int64_t whole = posts_area(corner[0], corner[1], corner[2]);
	bool inside = true;
	int n;

	*edge = false;
	for (n = 0; n < 3; n++) {
		const int64_t part = posts_area(centre, corner[(n + 1) % 3], corner[(n + 2) % 3]);

		*edge |= part == 0;
		inside &= part > 0;
		weight[n] = (double)part / whole;
	}
	return inside;
}

#endif /* V3DCL_POSTS_H */
