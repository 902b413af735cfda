// SPDX-License-Identifier: MIT
/*
 * The NV-mode triangles of the JayStation posts on bare V3D programming, as raw lists through the driver: a colour from uniforms,
 * colours from varyings, a texture in T-format. Instruction words, shader records and vertices are typed in as the author prints
 * them; where he prints one instruction of several that differ in a register only, the others follow from AG100 Figure 4. Pictures
 * go to the folder that V3D_PICTURES names, if any.
 */
#include "v3dcl_png.h"
#include "v3dcl_raw.h"

IGT_TEST_DESCRIPTION("NV-mode triangles, submitted unchecked by root");

#define WIDTH 640
#define HEIGHT 480
#define COLUMNS 10
#define ROWS 8
#define BACKGROUND 0xff402010u
#define TILE_LISTS_BYTES 0x40000
#define TEXTURE 0x10000			/* in RAW_MEMORY */

static uint32_t single(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

static void put_words(struct raw *raw, const uint32_t *words, size_t count)
{
	size_t n;

	for (n = 0; n < count; n++)
		RAW(raw, RAW_LE32(words[n]));
}

#define WORDS(raw, ...) put_words(raw, (const uint32_t[]){ __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)
#define HWORDS(x, y) ((uint32_t)(y) * 16 << 16 | (uint32_t)(x) * 16)

/* Program end, its delay slots, the last of which unlocks the scoreboard */
#define END 0x009e7000, 0x300009e7, 0x009e7000, 0x100009e7, 0x009e7000, 0x500009e7

/* Where the parts of a scene are in RAW_MEMORY */
struct scene {
	uint32_t code, uniforms, vertices;
};

/* The post's NV shader state record. Return: where it is */
static uint32_t put_record(struct raw *raw, const struct scene *scene, uint8_t stride, uint8_t varyings)
{
	uint32_t record = raw_align(raw, 16);

	RAW(raw, 0, stride, 0, varyings);
	raw_address(raw, RAW_MEMORY, scene->code, 0);
	raw_address(raw, RAW_MEMORY, scene->uniforms, 0);
	raw_address(raw, RAW_MEMORY, scene->vertices, 0);
	return record;
}

static void save(const struct raw *raw, const char *name)
{
	const char *folder = getenv("V3D_PICTURES");
	char path[512];

	if (!folder)
		return;
	snprintf(path, sizeof(path), "%s/posts-%s.png", folder, name);
	igt_assert(png_write(path, raw->bos[RAW_TARGET].map, WIDTH, HEIGHT));
}

/* Bins a list of triangles and renders the frame */
static void draw(int fd, struct raw *raw, uint32_t record, uint32_t vertices, const char *name)
{
	uint32_t start = raw_align(raw, 16);

	raw_begin_binning(raw, TILE_LISTS_BYTES, COLUMNS, ROWS);
	RAW(raw, 96, 0x03, 0, 0, 102, RAW_LE16(0), RAW_LE16(0), RAW_LE16(WIDTH), RAW_LE16(HEIGHT), 103, RAW_LE16(0), RAW_LE16(0));
	RAW(raw, 65);
	raw_address(raw, RAW_MEMORY, record, 0);
	RAW(raw, 33, 4, RAW_LE32(vertices), RAW_LE32(0), 4);
	raw->submit.bin = raw_list(raw, start);
	raw_render(raw, BACKGROUND, WIDTH, HEIGHT, true);
	igt_assert_eq(raw_finish(fd, raw), 1);
	save(raw, name);
}

static uint32_t pixel(const struct raw *raw, unsigned int x, unsigned int y)
{
	return raw->bos[RAW_TARGET].map[y * WIDTH + x];
}

/* Twice the area of (0, 1, 2) in 1/4 of square pixels, of pixels and centres of pixels given in halves */
static int64_t area(const int *p0, const int *p1, const int *p2)
{
	return (int64_t)(p1[0] - p0[0]) * (p2[1] - p0[1]) - (int64_t)(p2[0] - p0[0]) * (p1[1] - p0[1]);
}

static const int corner[3][2] = { { 2 * 320, 2 * 32 }, { 2 * 608, 2 * 448 }, { 2 * 32, 2 * 448 } };	/* top, right, left */

/* Weights of a pixel's centre; false: it is outside, or on an edge, of which this test does not know whose it is */
static bool weigh(unsigned int x, unsigned int y, double weight[3], bool *edge)
{
	const int centre[2] = { 2 * x + 1, 2 * y + 1 };
	const int64_t whole = area(corner[0], corner[1], corner[2]);
	bool inside = true;
	int n;

	*edge = false;
	for (n = 0; n < 3; n++) {
		const int64_t part = area(centre, corner[(n + 1) % 3], corner[(n + 2) % 3]);

		*edge |= part == 0;
		inside &= part > 0;
		weight[n] = (double)part / whole;
	}
	return inside;
}

static void uniforms(int fd)
{
	struct raw *raw = raw_new(fd, WIDTH * HEIGHT * 4);
	struct scene scene;
	unsigned int x, y;
	double weight[3];

	scene.uniforms = raw_align(raw, 16);
	WORDS(raw, single(0), single(1), single(0), single(1));
	scene.vertices = raw_align(raw, 16);
	WORDS(raw, HWORDS(320, 32), single(1), single(1), HWORDS(608, 448), single(1), single(1), HWORDS(32, 448), single(1),
	      single(1));
	scene.code = raw_align(raw, 16);
	WORDS(raw, 0x20820df7, 0xd14059e5,		/* as printed: fmul r5.8a, unif, 1.0 */
	      0x20820df7, 0xd15059e5, 0x20820df7, 0xd16059e5, 0x20820df7, 0xd17059e5,	/* 8b, 8c, 8d */
	      0x159e7b6d, 0x10020ba7,			/* or tlbc, r5, r5 */
	      END);
	draw(fd, raw, put_record(raw, &scene, 3 * 4, 0), 3, "uniforms");
	for (y = 0; y < HEIGHT; y++) {
		for (x = 0; x < WIDTH; x++) {
			bool edge, inside = weigh(x, y, weight, &edge);

			if (!edge)
				igt_assert_eq_u32(pixel(raw, x, y), inside ? 0xff00ff00 : BACKGROUND);
		}
	}
	igt_assert_eq_u32(pixel(raw, 320, 40), 0xff00ff00);
	igt_assert_eq_u32(pixel(raw, 40, 447), 0xff00ff00);
	igt_assert_eq_u32(pixel(raw, 320, 448), BACKGROUND);
	raw_free(fd, raw);
}

/* r5 is written by quads: all four pixels have the colour of the first one */
static void check_varyings(const struct raw *raw, unsigned int x, unsigned int y)
{
	const uint32_t color = pixel(raw, x, y);
	double weight[3];
	bool edge, inside = weigh(x, y, weight, &edge);
	unsigned int n;

	if (!inside && !edge)
		igt_assert_eq_u32(color, BACKGROUND);
	inside = weigh(x & ~1u, y & ~1u, weight, &edge) && inside;
	for (n = 0; n < 3 && inside; n++) {
		const double off = (color >> 8 * n & 0xff) - weight[n] * 255;

		igt_assert_f(off <= 1 && off >= -1, "pixel %u, %u: %#x, off by %f\n", x, y, color, off);
	}
}

static void varyings(int fd)
{
	struct raw *raw = raw_new(fd, WIDTH * HEIGHT * 4);
	struct scene scene = { 0 };
	unsigned int x, y;

	scene.vertices = raw_align(raw, 16);
	WORDS(raw, HWORDS(320, 32), single(1), single(1), single(1), single(0), single(0),	/* top: red, as printed */
	      HWORDS(608, 448), single(1), single(1), single(0), single(1), single(0),
	      HWORDS(32, 448), single(1), single(1), single(0), single(0), single(1));
	scene.code = raw_align(raw, 16);
	WORDS(raw, 0x203e3df7, 0x110059e0,		/* as printed: fmul r0, ra15, vary */
	      0x213e3177, 0x11024821,			/* as printed: fadd r0, r0, r5; fmul r1, ra15, vary */
	      0x213e3377, 0x11024862,			/* fadd r1, r1, r5; fmul r2, ra15, vary */
	      0x019e7577, 0x100208a7,			/* fadd r2, r2, r5 */
	      0x209e0dc7, 0xd14059e5,			/* fmul r5.8a, r0, 1.0 */
	      0x209e0dcf, 0xd15059e5,			/* fmul r5.8b, r1, 1.0 */
	      0x209e0dd7, 0xd16059e5,			/* fmul r5.8c, r2, 1.0 */
	      0x159e7b6d, 0x10020ba7, END);
	draw(fd, raw, put_record(raw, &scene, 24, 3), 3, "varyings");
	for (y = 0; y < HEIGHT; y++)
		for (x = 0; x < WIDTH; x++)
			check_varyings(raw, x, y);
	raw_free(fd, raw);
}

/* Where texel (x, y) of a 64 x 32 texture of 32-bit texels is: the post's description of T-format, its image being two 4K tiles */
static uint32_t texel_offset(unsigned int x, unsigned int y)
{
	static const unsigned int clockwise[2][2] = { { 0, 3 }, { 1, 2 } };	/* [up][right]: from the lower left */
	const unsigned int tile = x / 32, sub_tile = clockwise[y / 16 % 2][x / 16 % 2];
	const unsigned int micro_tile = y / 4 % 4 * 4 + x / 4 % 4, texel = y % 4 * 4 + x % 4;

	return tile * 4096 + sub_tile * 1024 + micro_tile * 64 + texel * 4;
}

static uint32_t texel(unsigned int x, unsigned int y)
{
	return 0xff000000 | (x ^ y) << 16 | y * 8 << 8 | x * 4;
}

/* Two triangles, each texel 8 x 8 pixels; the second one turns the other way */
static void put_textured(struct raw *raw, struct scene *scene)
{
	scene->vertices = raw_align(raw, 16);
	WORDS(raw, HWORDS(64, 32), single(1), single(1), single(0), single(0),
	      HWORDS(576, 32), single(1), single(1), single(1), single(0),
	      HWORDS(64, 288), single(1), single(1), single(0), single(1),
	      HWORDS(576, 288), single(1), single(1), single(1), single(1),
	      HWORDS(576, 32), single(1), single(1), single(1), single(0),
	      HWORDS(64, 288), single(1), single(1), single(0), single(1));
	scene->code = raw_align(raw, 16);
	WORDS(raw, 0x203e3df7, 0x110059e0, 0x213e3177, 0x11024821, 0x013e3377, 0x11020e67,	/* all as printed */
	      0x159e7000, 0x10020e27, 0x009e7000, 0xa00009e7,
	      0x159e7924, 0x10020ba7, END);
}

static void texture(int fd)
{
	struct raw *raw = raw_new(fd, WIDTH * HEIGHT * 4);
	struct scene scene;
	unsigned int x, y;

	for (y = 0; y < 32; y++)
		for (x = 0; x < 64; x++)
			raw->bos[RAW_MEMORY].map[(TEXTURE + texel_offset(x, y)) / 4] = texel(x, y);
	/* Parameter 0: base, RGBA8888, one level. 1: 32 high, 64 wide, nearest both ways, clamped */
	scene.uniforms = raw_align(raw, 16);
	raw_address(raw, RAW_MEMORY, TEXTURE, 0);
	WORDS(raw, 32 << 20 | 64 << 8 | 1 << 7 | 1 << 4 | 1 << 2 | 1);
	put_textured(raw, &scene);
	draw(fd, raw, put_record(raw, &scene, 20, 2), 6, "texture");
	for (y = 0; y < HEIGHT; y++) {
		for (x = 0; x < WIDTH; x++) {
			const bool inside = x >= 64 && x < 576 && y >= 32 && y < 288;

			igt_assert_eq_u32(pixel(raw, x, y), inside ? texel((x - 64) / 8, (y - 32) / 8) : BACKGROUND);
		}
	}
	raw_free(fd, raw);
}

static const struct subtest tests[] = {
	{ "uniforms", uniforms, "A triangle of one colour, from uniforms" },
	{ "varyings", varyings, "A triangle of three colours, from varyings" },
	{ "texture", texture, "Two triangles with a texture in T-format" },
};

V3DCL_MAIN(tests, require_unproven)
