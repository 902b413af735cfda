// SPDX-License-Identifier: MIT
/*
 * The NV-mode triangles of the JayStation posts on bare V3D programming: a colour from uniforms, colours from varyings, a texture
 * in T-format. Instruction words, shader records and vertices are typed in as the author prints them; where he prints one
 * instruction of several that differ in a register only, the others follow from AG100 Figure 4. With a folder as argument the
 * pictures are written there.
 */
#include <stdio.h>

#include "chip.h"

#define WIDTH 640
#define HEIGHT 480
#define SHADER_CODE (MEMORY + 0x10000)
#define UNIFORM_DATA (MEMORY + 0x11000)
#define VERTEX_DATA (MEMORY + 0x12000)
#define SHADER_RECORD (MEMORY + 0x13000)
#define TEXTURE (MEMORY + 0x20000)
#define TILE_STATE (MEMORY + 0x30000)
#define TILE_LISTS (MEMORY + 0x100000)
#define TILE_LISTS_BYTES 0x40000
#define TARGET (MEMORY + 0x200000)
#define COLUMNS 10
#define ROWS 8
#define BACKGROUND 0xff402010

static const char *folder;

static uint32_t single(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

static void put_words(struct chip *chip, uint32_t addr, const uint32_t *words, size_t count)
{
	for (size_t n = 0; n < count; n++) {
		const uint8_t bytes[] = { LE32(words[n]) };

		chip_put(chip, addr + 4 * n, bytes, sizeof(bytes));
	}
}

#define WORDS(chip, addr, ...) do { \
	const uint32_t words_[] = { __VA_ARGS__ }; \
	put_words(chip, addr, words_, sizeof(words_) / sizeof(words_[0])); \
} while (0)

/* The post's NV shader state record */
static void put_record(struct chip *chip, uint8_t stride, uint8_t varyings)
{
	const uint8_t record[] = { 0, stride, 0, varyings, LE32(SHADER_CODE), LE32(UNIFORM_DATA), LE32(VERTEX_DATA) };

	chip_put(chip, SHADER_RECORD, record, sizeof(record));
}

/* Bins a list of triangles and renders the frame. */
static void render(struct chip *chip, uint32_t vertices)
{
	LIST(chip, 0, 112, LE32(TILE_LISTS), LE32(TILE_LISTS_BYTES), LE32(TILE_STATE), COLUMNS, ROWS, 4);
	LIST(chip, 0, 6, 96, 0x03, 0, 0, 102, LE16(0), LE16(0), LE16(WIDTH), LE16(HEIGHT), 103, LE16(0), LE16(0));
	LIST(chip, 0, 65, LE32(SHADER_RECORD), 33, 4, LE32(vertices), LE32(0), 4);
	chip_go(chip, 0);
	LIST(chip, 1, 114, LE32(BACKGROUND), LE32(BACKGROUND), LE32(0), 0);
	LIST(chip, 1, 113, LE32(TARGET), LE16(WIDTH), LE16(HEIGHT), 4, 0);
	LIST(chip, 1, 115, 0, 0, 28, LE16(0), LE32(0));		/* an empty store clears */
	for (uint8_t y = 0; y < ROWS; y++) {
		for (uint8_t x = 0; x < COLUMNS; x++) {
			LIST(chip, 1, 115, x, y, 17, LE32(TILE_LISTS + (y * COLUMNS + x) * 32));
			LIST(chip, 1, y == ROWS - 1 && x == COLUMNS - 1 ? 25 : 24);
		}
	}
	chip_go(chip, 1);
}

static uint32_t pixel(struct chip *chip, unsigned int x, unsigned int y)
{
	return chip_word(chip, TARGET + 4 * (y * WIDTH + x));
}

/* A picture, the first row of memory on top */
static void save(struct chip *chip, const char *name)
{
	char path[512];
	FILE *file;

	if (!folder)
		return;
	snprintf(path, sizeof(path), "%s/%s.ppm", folder, name);
	file = fopen(path, "wb");
	assert_non_null(file);
	fprintf(file, "P6\n%d %d\n255\n", WIDTH, HEIGHT);
	for (unsigned int n = 0; n < WIDTH * HEIGHT; n++)
		fwrite(chip_bytes(chip, TARGET + 4 * n), 1, 3, file);
	fclose(file);
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

	*edge = false;
	for (int n = 0; n < 3; n++) {
		const int64_t part = area(centre, corner[(n + 1) % 3], corner[(n + 2) % 3]);

		*edge |= part == 0;
		inside &= part > 0;
		weight[n] = (double)part / whole;
	}
	return inside;
}

/* Program end, its delay slots, the last of which unlocks the scoreboard */
#define END 0x009e7000, 0x300009e7, 0x009e7000, 0x100009e7, 0x009e7000, 0x500009e7

#define HWORDS(x, y) ((uint32_t)(y) * 16 << 16 | (uint32_t)(x) * 16)

static void test_uniforms(void **state)
{
	struct chip *chip = *state;
	double weight[3];

	put_record(chip, 3 * 4, 0);
	WORDS(chip, UNIFORM_DATA, single(0), single(1), single(0), single(1));
	WORDS(chip, VERTEX_DATA, HWORDS(320, 32), single(1), single(1), HWORDS(608, 448), single(1), single(1), HWORDS(32, 448),
	      single(1), single(1));
	WORDS(chip, SHADER_CODE,
	      0x20820df7, 0xd14059e5,		/* as printed: fmul r5.8a, unif, 1.0 */
	      0x20820df7, 0xd15059e5, 0x20820df7, 0xd16059e5, 0x20820df7, 0xd17059e5,	/* 8b, 8c, 8d */
	      0x159e7b6d, 0x10020ba7,		/* or tlbc, r5, r5 */
	      END);
	render(chip, 3);
	save(chip, "uniforms");
	for (unsigned int y = 0; y < HEIGHT; y++) {
		for (unsigned int x = 0; x < WIDTH; x++) {
			bool edge, inside = weigh(x, y, weight, &edge);

			if (!edge)
				assert_int_equal(pixel(chip, x, y), inside ? 0xff00ff00 : BACKGROUND);
		}
	}
	assert_int_equal(pixel(chip, 320, 40), 0xff00ff00);
	assert_int_equal(pixel(chip, 40, 447), 0xff00ff00);
	assert_int_equal(pixel(chip, 320, 448), BACKGROUND);
}

static void test_varyings(void **state)
{
	struct chip *chip = *state;
	double weight[3];

	put_record(chip, 24, 3);
	WORDS(chip, VERTEX_DATA,
	      HWORDS(320, 32), single(1), single(1), single(1), single(0), single(0),		/* top: red, as printed */
	      HWORDS(608, 448), single(1), single(1), single(0), single(1), single(0),
	      HWORDS(32, 448), single(1), single(1), single(0), single(0), single(1));
	WORDS(chip, SHADER_CODE,
	      0x203e3df7, 0x110059e0,		/* as printed: fmul r0, ra15, vary */
	      0x213e3177, 0x11024821,		/* as printed: fadd r0, r0, r5; fmul r1, ra15, vary */
	      0x213e3377, 0x11024862,		/* fadd r1, r1, r5; fmul r2, ra15, vary */
	      0x019e7577, 0x100208a7,		/* fadd r2, r2, r5 */
	      0x209e0dc7, 0xd14059e5,		/* fmul r5.8a, r0, 1.0 */
	      0x209e0dcf, 0xd15059e5,		/* fmul r5.8b, r1, 1.0 */
	      0x209e0dd7, 0xd16059e5,		/* fmul r5.8c, r2, 1.0 */
	      0x159e7b6d, 0x10020ba7, END);
	render(chip, 3);
	save(chip, "varyings");
	for (unsigned int y = 0; y < HEIGHT; y++) {
		for (unsigned int x = 0; x < WIDTH; x++) {
			bool edge, inside = weigh(x, y, weight, &edge);
			const uint32_t color = pixel(chip, x, y);

			if (!inside && !edge)
				assert_int_equal(color, BACKGROUND);
			/* r5 is written by quads: all four pixels have the colour of the first one */
			inside = weigh(x & ~1u, y & ~1u, weight, &edge) && inside;
			for (unsigned int n = 0; n < 3 && inside; n++) {
				const double channel = color >> 8 * n & 0xff;

				assert_true(channel - weight[n] * 255 <= 1 && weight[n] * 255 - channel <= 1);
			}
		}
	}
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

static void test_texture(void **state)
{
	struct chip *chip = *state;

	put_record(chip, 20, 2);
	for (unsigned int y = 0; y < 32; y++)
		for (unsigned int x = 0; x < 64; x++)
			WORDS(chip, TEXTURE + texel_offset(x, y), texel(x, y));
	/* Parameter 0: base, RGBA8888, one level. 1: 32 high, 64 wide, nearest both ways, clamped */
	WORDS(chip, UNIFORM_DATA, TEXTURE, 32 << 20 | 64 << 8 | 1 << 7 | 1 << 4 | 1 << 2 | 1);
	/* Two triangles, each texel 8 x 8 pixels; the second one turns the other way. */
	WORDS(chip, VERTEX_DATA,
	      HWORDS(64, 32), single(1), single(1), single(0), single(0),
	      HWORDS(576, 32), single(1), single(1), single(1), single(0),
	      HWORDS(64, 288), single(1), single(1), single(0), single(1),
	      HWORDS(576, 288), single(1), single(1), single(1), single(1),
	      HWORDS(576, 32), single(1), single(1), single(1), single(0),
	      HWORDS(64, 288), single(1), single(1), single(0), single(1));
	WORDS(chip, SHADER_CODE,		/* all as printed */
	      0x203e3df7, 0x110059e0, 0x213e3177, 0x11024821, 0x013e3377, 0x11020e67,
	      0x159e7000, 0x10020e27, 0x009e7000, 0xa00009e7,
	      0x159e7924, 0x10020ba7, END);
	render(chip, 6);
	save(chip, "texture");
	for (unsigned int y = 0; y < HEIGHT; y++) {
		for (unsigned int x = 0; x < WIDTH; x++) {
			const bool inside = x >= 64 && x < 576 && y >= 32 && y < 288;

			assert_int_equal(pixel(chip, x, y), inside ? texel((x - 64) / 8, (y - 32) / 8) : BACKGROUND);
		}
	}
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, chip_setup, chip_teardown)
	const struct CMUnitTest tests[] = { TEST(test_uniforms), TEST(test_varyings), TEST(test_texture) };

	folder = argc > 1 ? argv[1] : NULL;
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("posts", tests, NULL, NULL);
}
