/* SPDX-License-Identifier: MIT */
/* Each texture type's texels, worked out by hand, and the blending of 16-bit floats. */
#include "tests/filter_fixture.h"

MACHINE_PER_TEST(0)

static void words_of_types(void **state)
{
	static const struct {
		enum v3d_texture_type type;
		uint32_t memory, expected;
	} rows[] = {
		{ V3D_TEXTURE_RGBA8888, 0x44332211, 0x44332211 },
		{ V3D_TEXTURE_RGBX8888, 0x44332211, 0xff332211 },
		{ V3D_TEXTURE_RGBA32R, 0x44332211, 0x44332211 },
		{ V3D_TEXTURE_RGBA4444, 0x1a5f, 0xff55aa11 },	/* 1, 10, 5, 15 */
		{ V3D_TEXTURE_RGBA4444, 0xf000, 0x000000ff },
		{ V3D_TEXTURE_RGBA5551, 0x8001, 0xff000084 },	/* 16 << 3 | 16 >> 2 */
		{ V3D_TEXTURE_RGBA5551, 0x07c0, 0x0000ff00 },
		{ V3D_TEXTURE_RGBA5551, 0x002e, 0x00bd0000 },	/* 23 << 3 | 23 >> 2 */
		{ V3D_TEXTURE_RGB565, 0xf800, 0xff0000ff },
		{ V3D_TEXTURE_RGB565, 0x0420, 0xff008600 },	/* 33 << 2 | 33 >> 4 */
		{ V3D_TEXTURE_RGB565, 0x0001, 0xff080000 },
		{ V3D_TEXTURE_LUMINANCE, 0x7b, 0xff7b7b7b },
		{ V3D_TEXTURE_ALPHA, 0x7b, 0x7b000000 },
		{ V3D_TEXTURE_LUMALPHA, 0xc37b, 0xc37b7b7b },
		{ V3D_TEXTURE_S8, 0x85, 0x85 },
		{ V3D_TEXTURE_S16, 0x8765, 0x8765 },
		{ V3D_TEXTURE_S16F, 0xfe01, 0xfe01 },		/* as it is, NaN or not */
	};
	struct lookup l;

	(void)state;
	for (unsigned int n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		memset(at(&m, BASE), 0xa5, 64);
		memcpy(at(&m, BASE), &rows[n].memory,
		       texel_formats[rows[n].type].unit == 2 ? 4 :
		       texel_formats[rows[n].type].unit == 1 ? 2 :
							       1);
		describe(&l, rows[n].type, 2, 2);
		if (texel_at(&m, &l, 0, 0, 2, 2) != rows[n].expected)
			fail_msg("type %d: 0x%08x becomes 0x%08x, not 0x%08x", rows[n].type,
				 rows[n].memory, l.out[0][0], rows[n].expected);
	}
}

/*
 * Texels smaller than a byte, from its lowest bits on; the places of bytes in tiles of 3 x 3 by a
 * walk through memory
 */
static void small_texels(void **state)
{
	static struct walk places[32 * 16 * 64];
	static const struct {
		enum v3d_texture_type type;
		unsigned int bits;
		uint32_t width, height, empty, scale;
	} rows[] = {
		{ V3D_TEXTURE_BW1, 1, 250, 127, 0xff000000, 0xffffff },
		{ V3D_TEXTURE_A1, 1, 129, 65, 0, 0xff000000 },
		{ V3D_TEXTURE_A4, 4, 127, 60, 0, 0x11000000 },
	};

	(void)state;
	for (unsigned int row = 0; row < 3; row++) {
		const unsigned int bits = rows[row].bits;
		const size_t count = walk_t(places, bits, 1, 1);
		uint8_t *memory = (uint8_t *)at(&m, BASE);
		struct lookup l;

		memset(memory, 0, 4096);
		assert_int_equal(count, 4096 * 8 / bits);
		for (size_t n = 0; n < count; n++)
			memory[n * bits / 8] |=
				(places[n].x * 7 + places[n].y * 3 + places[n].x / 5) % (1u << bits)
				<< n * bits % 8;
		describe(&l, rows[row].type, rows[row].width, rows[row].height);
		for (uint32_t y = 0; y < rows[row].height; y += 3)
			for (uint32_t x = 0; x < rows[row].width; x++)
				assert_int_equal(texel_at(&m, &l, x, y, rows[row].width,
							  rows[row].height),
						 rows[row].empty | (x * 7 + y * 3 + x / 5) %
									   (1u << bits) *
									   rows[row].scale);
	}
}

static void yuyv(void **state)
{
	struct lookup l;

	(void)state;
	at(&m, BASE)[0] = 0x40302010;	/* Y 0x10, U 0x20, Y 0x30, V 0x40 */
	at(&m, BASE)[4] = 0x80706050;	/* the second row, after 16 bytes */
	describe(&l, V3D_TEXTURE_YUYV422R, 8, 2);
	assert_int_equal(texel_at(&m, &l, 0, 0, 8, 2), 0xff402010);
	assert_int_equal(texel_at(&m, &l, 1, 0, 8, 2), 0xff402030);
	assert_int_equal(texel_at(&m, &l, 1, 1, 8, 2), 0xff806070);
}

/*
 * A block of two base colours of 4 bits each, side by side, and one of 5 bits and a difference, one
 * above the other
 */
static const uint8_t etc1_blocks[2][8] = {
	{ 0xa5, 0x3c, 0xf0, 0x1c, 0x80, 0x40, 0x01, 0x40 },
	{ 0x84, 0xf8, 0x03, 0x2b, 0, 0, 0, 0 },
};

static void etc1(void **state)
{
	static const struct {
		uint32_t x, y, expected;
	} rows[] = {
		{ 0, 0, 0xffff35ac },	/* 170 + 2, 51 + 2, 255 */
		{ 1, 2, 0xfff72ba2 },	/* minus 8 */
		{ 3, 3, 0xff009d26 },	/* 85, 204, 0, minus 47 */
		{ 2, 0, 0xffb7ffff },	/* plus 183 */
		{ 4, 1, 0xff05ff89 },	/* 132, 255, 0, plus 5 */
		{ 7, 2, 0xff21ff6c },	/* 99, 255, 24, plus 9 */
	};
	struct lookup l;

	(void)state;
	memcpy(at(&m, BASE), etc1_blocks, sizeof(etc1_blocks));
	/* and the next row of blocks */
	memcpy(at(&m, BASE) + 4, etc1_blocks, sizeof(etc1_blocks));
	for (unsigned int flip = 0; flip < 2; flip++) {
		describe(&l, V3D_TEXTURE_ETC1, 8, 8);
		l.words[1] |= flip << 19;
		for (unsigned int n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
			for (unsigned int block = 0; block < 8; block += 4)
				assert_int_equal(texel_at(&m, &l, rows[n].x,
							  block + (flip ? rows[n].y :
									  3 - rows[n].y),
							  8, 8),
						 rows[n].expected);
	}
}

/*
 * 40 x 40 texels are 10 x 10 blocks: more than four micro-tiles of 2 x 4 across, but not down, so
 * they are in linear tiles
 */
static void etc1_places(void **state)
{
	static struct walk places[400 * 4];
	struct lookup l;
	size_t count;

	(void)state;
	count = walk_lt(places, 64, 5, 3);
	for (size_t n = 0; n < count; n++) {
		const uint8_t block[8] = { 0, places[n].x << 4, places[n].y << 4, 0, 0, 0, 0, 0 };

		memcpy(at(&m, BASE) + 2 * n, block, sizeof(block));
	}
	describe(&l, V3D_TEXTURE_ETC1, 40, 40);
	for (uint32_t y = 0; y < 40; y++)
		/* the first two columns are of the first colour */
		for (uint32_t x = 0; x < 40; x++)
			if (x % 4 < 2)
				assert_int_equal(texel_at(&m, &l, x, y, 40, 40),
						 0xff000002 | (x / 4 * 17 + 2) << 8 |
							 (y / 4 * 17 + 2) << 16);
}

static double half_value(uint16_t h)
{
	const int exponent = h >> 10 & 31;
	const double value = exponent ? ldexp(1024 + (h & 1023), exponent - 25) :
					ldexp(h & 1023, -24);

	return h & 0x8000 ? -value : value;
}

/* The nearest half by looking at both sides: even wins */
static uint16_t nearest_half(double value)
{
	uint16_t low = 0, high = 0x7c00;

	while (high - low > 1) {
		const uint16_t middle = (low + high) / 2;

		if (half_value(middle) <= fabs(value))
			low = middle;
		else
			high = middle;
	}
	if (fabs(value) - half_value(low) > half_value(high) - fabs(value) ||
	    (fabs(value) - half_value(low) == half_value(high) - fabs(value) && low & 1))
		low = high;
	return (low | (value < 0 ? 0x8000 : 0));
}

static void halves(void **state)
{
	uint32_t seed = 5;

	(void)state;
	assert_int_equal(texel_blend_halves(0x3c00, 0x4200, 128), 0x4000);	/* 1 and 3 */
	assert_int_equal(texel_blend_halves(0x3c00, 0xbc00, 128), 0);
	assert_int_equal(texel_blend_halves(0x7bff, 0x7c00, 255), 0x7c00);
	assert_int_equal(texel_blend_halves(0x0001, 0x0002, 128), 0x0002);	/* a tie */
	for (unsigned int n = 0; n < 20000; n++) {
		uint16_t texels[4];
		unsigned int x, y;
		double rows[2];

		seed = seed * 1664525u + 1013904223u;
		for (unsigned int tap = 0; tap < 4; tap++)
			texels[tap] = (seed >> 8 * tap / 3) * 40503u >> (tap & 1);
		for (unsigned int tap = 0; tap < 4; tap++)
			texels[tap] = (texels[tap] & 0x7c00) == 0x7c00 ? texels[tap] & 0x83ff :
									 texels[tap];
		x = seed >> 20 & 255;
		y = seed >> 12 & 255;
		for (unsigned int row = 0; row < 2; row++)
			rows[row] = half_value(texels[2 * row]) * (256 - x) +
				    half_value(texels[2 * row + 1]) * x;
		if (x || y)
			assert_int_equal(texel_bilinear_halves(texels, x, y),
					 nearest_half((rows[0] * (256 - y) + rows[1] * y) / 65536));
		if (x && texels[0] != texels[1])
			assert_int_equal(texel_blend_halves(texels[0], texels[1], x),
					 nearest_half(rows[0] / 256));
	}
	for (unsigned int n = 0; n < 256; n++)
		assert_int_equal(texel_byte_to_half(n), nearest_half(n / 255.0));
}

/* Four channels, two words; the border has four, too. A sample of 16 bits has one. */
static void half_textures(void **state)
{
	static const uint16_t memory[8] = { 0x3c00, 0x4000, 0x4200, 0x4400,
					    0x4200, 0x4000, 0xc200, 0 };
	struct lookup l;

	(void)state;
	memcpy(at(&m, BASE), memory, sizeof(memory));
	describe(&l, V3D_TEXTURE_RGBA64, 2, 1);
	set_wrap(&l, V3D_WRAP_BORDER, V3D_WRAP_CLAMP);
	l.border = 0xff0000ff;
	assert_int_equal(texel_at(&m, &l, 0, 0, 2, 1), 0x40003c00);
	assert_int_equal(l.out[1][7], 0x44004200);
	assert_int_equal(texel_at(&m, &l, 2, 0, 2, 1), 0x00003c00);
	assert_int_equal(l.out[1][7], 0x3c000000);
	set_filter(&l, LINEAR, LINEAR);
	for (unsigned int n = 0; n < 16; n++)
		l.s[n] = 0.5f;
	look_up(&m, &l);
	assert_int_equal(l.out[0][0], 0x40004000);
	assert_int_equal(l.out[1][0], 0x40000000);
	describe(&l, V3D_TEXTURE_S16F, 2, 1);
	set_filter(&l, LINEAR, LINEAR);
	for (unsigned int n = 0; n < 16; n++)
		l.s[n] = 0.5f;
	look_up(&m, &l);
	assert_int_equal(l.out[0][0], 0x3e00);	/* 1.5 */
	describe(&l, V3D_TEXTURE_S16, 2, 1);
	set_filter(&l, LINEAR, LINEAR);
	for (unsigned int n = 0; n < 16; n++)
		l.s[n] = 0.5f;
	look_up(&m, &l);
	assert_int_equal(l.out[0][0], 0x4000);	/* point sampled */
}

static void no_such_type(void **state)
{
	struct lookup l;

	(void)state;
	memset(at(&m, BASE), 0xff, 64);
	for (unsigned int type = 18; type < 32; type++) {
		describe(&l, type, 2, 2);
		assert_int_equal(texel_at(&m, &l, 0, 0, 2, 2), 0);
	}
}

/* The same memory on a chip with one mode */
static void begin_with(struct machine *with, const char *mode)
{
	const struct v3dsim_config config = { .chip = mode };
	const struct v3dsim_host host = { .region = machine_region, .opaque = &m };

	*with = m;
	with->sim = v3dsim_new(&config, &host);
	assert_non_null(with->sim);
}

/* -2 loses its sign unless it is blended; -3 does not */
static void hw_2619(void **state)
{
	struct machine with;
	struct lookup l;

	(void)state;
	begin_with(&with, "HW-2619");
	at(&m, BASE)[0] = 0xc200c000;
	describe(&l, V3D_TEXTURE_S16F, 2, 1);
	assert_int_equal(texel_at(&m, &l, 0, 0, 2, 1), 0xc000);
	assert_int_equal(texel_at(&with, &l, 1, 0, 2, 1), 0xc200);
	assert_int_equal(with.sim->struck[V3D_CHIP_HW_2619], 0);
	assert_int_equal(texel_at(&with, &l, 0, 0, 2, 1), 0x4000);
	assert_int_equal(with.sim->struck[V3D_CHIP_HW_2619], 1);
	v3dsim_free(with.sim);
}

/* Level 0 is -3, level 1 infinite, half of each */
static void hw_2645(void **state)
{
	const struct v3d_texture_cube half_way = { .ptype = 1, .bias_only = 1 };
	struct machine with;
	struct lookup l;

	(void)state;
	begin_with(&with, "HW-2645");
	at(&m, BASE)[0] = 0xc200c200;
	at(&m, BASE - 64)[0] = 0x7c00;
	describe(&l, V3D_TEXTURE_S16F, 2, 1);
	l.words[0] |= 1;
	l.words[2] = v3d_word_texture_cube(&half_way);
	set_filter(&l, 3, NEAREST);
	for (unsigned int n = 0; n < 16; n++)
		l.b[n] = 0.5f;
	assert_int_equal(texel_at(&m, &l, 0, 0, 2, 1), 0x7800);	/* 32766.5 of 65536 and -3 */
	assert_int_equal(texel_at(&with, &l, 0, 0, 2, 1), 0xf800);
	assert_true(with.sim->struck[V3D_CHIP_HW_2645]);
	v3dsim_free(with.sim);
}

/* A child image of 2,048 */
static void hw_2753(void **state)
{
	const struct v3d_texture_child_size size = { .ptype = 2, .width = 0, .height = 2 };
	struct machine with;
	struct lookup l;

	(void)state;
	begin_with(&with, "HW-2753");
	for (unsigned int n = 0; n < 16; n++)
		at(&m, BASE)[n] = n;
	describe(&l, V3D_TEXTURE_RGBA8888, 4, 2);
	l.words[2] = v3d_word_texture_child_size(&size);
	assert_int_equal(texel_at(&m, &l, 2, 0, 2048, 2), 2);
	assert_int_equal(texel_at(&with, &l, 2, 0, 2048, 2), 0);
	v3dsim_free(with.sim);
}

/* Rows of 9 pixels are 16 apart, not 12; rows of 16 are as they should be */
static void hw_2898(void **state)
{
	struct machine with;
	struct lookup l;

	(void)state;
	begin_with(&with, "HW-2898");
	describe(&l, V3D_TEXTURE_RGBA32R, 9, 2);
	at(&m, BASE)[12] = 12;
	at(&m, BASE)[16] = 16;
	assert_int_equal(texel_at(&m, &l, 0, 1, 9, 2), 12);
	assert_int_equal(texel_at(&with, &l, 0, 1, 9, 2), 16);
	describe(&l, V3D_TEXTURE_RGBA32R, 16, 2);
	assert_int_equal(texel_at(&with, &l, 0, 1, 16, 2), 16);
	v3dsim_free(with.sim);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(words_of_types), T(small_texels), T(yuyv), T(etc1), T(etc1_places), T(halves),
		T(half_textures), T(no_such_type),
		T(hw_2619), T(hw_2645), T(hw_2753), T(hw_2898),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
