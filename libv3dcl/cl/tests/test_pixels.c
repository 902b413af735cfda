// SPDX-License-Identifier: MIT
/*
 * Texels to RGBA and back: values by hand, all values of small types, ETC1 blocks as its
 * specification has them.
 */
#include "../../base/helpers.h"
#include "fail_alloc.h"

#include "v3dcl_image.h"

/* One texel: its unit in memory and what it is. @back: the colour leads to this unit again */
static const struct {
	uint32_t type;
	uint8_t unit[8], rgba[4];
} texels[] = {
	{ V3D_TEXTURE_RGBA8888, { 1, 2, 3, 4 }, { 1, 2, 3, 4 } },
	{ V3D_TEXTURE_RGBX8888, { 1, 2, 3, 255 }, { 1, 2, 3, 255 } },
	{ V3D_TEXTURE_RGBA4444, { 0x3c, 0xf1 }, { 255, 0x11, 0x33, 0xcc } },
	{ V3D_TEXTURE_RGBA5551, { 0x01, 0xf8 }, { 255, 0, 0, 255 } },
	{ V3D_TEXTURE_RGBA5551, { 0x42, 0x00 }, { 0, 8, 8, 0 } },
	{ V3D_TEXTURE_RGB565, { 0x1f, 0x04 }, { 0, 0x82, 255, 255 } },
	{ V3D_TEXTURE_LUMINANCE, { 0x70 }, { 0x70, 0x70, 0x70, 255 } },
	{ V3D_TEXTURE_ALPHA, { 0x70 }, { 0, 0, 0, 0x70 } },
	{ V3D_TEXTURE_LUMALPHA, { 0x70, 0x20 }, { 0x70, 0x70, 0x70, 0x20 } },
	{ V3D_TEXTURE_S16F, { 0x00, 0x3c }, { 255, 255, 255, 255 } },
	/* 128 / 255 is 0.50196: 0x3804 */
	{ V3D_TEXTURE_S16F, { 0x04, 0x38 }, { 128, 128, 128, 255 } },
	/* 1 / 255 is 1.00392 / 256 */
	{ V3D_TEXTURE_S16F, { 0x04, 0x1c }, { 1, 1, 1, 255 } },
	{ V3D_TEXTURE_S16F, { 0, 0 }, { 0, 0, 0, 255 } },
	{ V3D_TEXTURE_S8, { 0x70 }, { 0x70, 0x70, 0x70, 255 } },
	{ V3D_TEXTURE_S16, { 0x70, 0x70 }, { 0x70, 0x70, 0x70, 255 } },
	{ V3D_TEXTURE_BW1, { 0x01 }, { 255, 255, 255, 255 } },
	{ V3D_TEXTURE_BW1, { 0x00 }, { 0, 0, 0, 255 } },
	{ V3D_TEXTURE_A4, { 0x0c }, { 0, 0, 0, 0xcc } },
	{ V3D_TEXTURE_A1, { 0x01 }, { 0, 0, 0, 255 } },
	{ V3D_TEXTURE_RGBA64, { 0, 0x3c, 0, 0, 0x04, 0x38, 0, 0x3c }, { 255, 0, 128, 255 } },
	{ V3D_TEXTURE_RGBA32R, { 9, 8, 7, 6 }, { 9, 8, 7, 6 } },
	{ V3D_TEXTURE_YUYV422R, { 235, 128, 235, 128 }, { 255, 255, 255, 255 } },
	{ V3D_TEXTURE_YUYV422R, { 16, 128, 16, 128 }, { 0, 0, 0, 255 } },
};

static void texels_by_hand(void **state)
{
	unsigned int n, bytes;

	(void)state;
	for (n = 0; n < COUNT(texels); n++) {
		uint8_t rgba[4], unit[8] = { 0 };

		assert_int_equal(v3dcl_pixels_to_rgba(texels[n].type, texels[n].unit, 8, 1, 1, rgba,
						      NULL),
				 0);
		assert_memory_equal(rgba, texels[n].rgba, 4);
		assert_int_equal(v3dcl_pixels_from_rgba(texels[n].type, rgba, 1, 1, unit, 8, NULL),
				 0);
		bytes = (v3dcl_texture_info(texels[n].type)->unit_bits + 7) / 8;
		assert_memory_equal(unit, texels[n].unit, bytes);
	}
}

/* Halves beyond what a byte has: negative, above 1, infinite, denormal */
static void halves_are_cut(void **state)
{
	static const struct {
		uint8_t half[2], grey;
	} halves[] = { { { 0, 0xbc }, 0 },
		       { { 0, 0x40 }, 255 },
		       { { 0, 0x7c }, 255 },
		       { { 0xff, 0x03 }, 0 },
		       { { 0, 0x80 }, 0 } };
	uint8_t rgba[4];
	unsigned int n;

	(void)state;
	for (n = 0; n < COUNT(halves); n++) {
		assert_int_equal(v3dcl_pixels_to_rgba(V3D_TEXTURE_S16F, halves[n].half, 2, 1, 1,
						      rgba, NULL),
				 0);
		assert_int_equal(rgba[0], halves[n].grey);
	}
}

static double half_value(uint32_t half)
{
	const int exponent = half >> 10;
	double value = exponent ? 1 + (half & 0x3ff) / 1024.0 : (half & 0x3ff) / 512.0;
	int i;

	for (i = exponent ? exponent : 0; i < 15; i++)
		value /= 2;
	return value;
}

static void halves_are_the_nearest(void **state)
{
	uint32_t n;

	(void)state;
	for (n = 1; n < 256; n++) {
		const uint8_t rgba[4] = { n, n, n, 255 };
		uint8_t unit[2], again[4];
		uint32_t half;
		double error;

		assert_int_equal(v3dcl_pixels_from_rgba(V3D_TEXTURE_S16F, rgba, 1, 1, unit, 2,
							NULL),
				 0);
		half = unit[0] | unit[1] << 8;
		error = half_value(half) - n / 255.0;
		error = error < 0 ? -error : error;
		assert_true(error <= (half_value(half + 1) - half_value(half)) / 2 * 1.001);
		assert_int_equal(v3dcl_pixels_to_rgba(V3D_TEXTURE_S16F, unit, 2, 1, 1, again, NULL),
				 0);
		assert_int_equal(again[0], n);
	}
}

/*
 * All units of 16 bits and less lead to a colour that leads back to them, where no bits are left
 * out.
 */
static void small_units_come_back(void **state)
{
	static const uint32_t types[] = {
		V3D_TEXTURE_RGBA4444, V3D_TEXTURE_RGBA5551, V3D_TEXTURE_RGB565,
		V3D_TEXTURE_LUMINANCE, V3D_TEXTURE_ALPHA,
		V3D_TEXTURE_LUMALPHA, V3D_TEXTURE_BW1, V3D_TEXTURE_A4, V3D_TEXTURE_A1,
	};
	unsigned int n;
	uint32_t i;

	(void)state;
	for (n = 0; n < COUNT(types); n++) {
		const uint32_t bits = v3dcl_texture_info(types[n])->unit_bits;

		for (i = 0; i < 1u << bits; i++) {
			const uint8_t unit[2] = { i, i >> 8 };
			uint8_t rgba[4], again[2] = { 0 };

			assert_int_equal(v3dcl_pixels_to_rgba(types[n], unit, 2, 1, 1, rgba, NULL),
					 0);
			assert_int_equal(v3dcl_pixels_from_rgba(types[n], rgba, 1, 1, again, 2,
								NULL),
					 0);
			assert_memory_equal(again, unit, 2);
		}
	}
}

/* Texels smaller than a byte begin at its lowest bits; what is beside them stays. */
static void rows_of_small_texels(void **state)
{
	const uint8_t bits[2] = { 0x05, 0x02 }, fours[2] = { 0x21, 0x43 };
	uint8_t rgba[12 * 4], again[2] = { 0, 0xf0 };

	(void)state;
	assert_int_equal(v3dcl_pixels_to_rgba(V3D_TEXTURE_A1, bits, 2, 12, 1, rgba, NULL), 0);
	assert_int_equal(rgba[3], 255);
	assert_int_equal(rgba[7], 0);
	assert_int_equal(rgba[11], 255);
	assert_int_equal(rgba[9 * 4 + 3], 255);
	assert_int_equal(rgba[8 * 4 + 3], 0);
	assert_int_equal(v3dcl_pixels_from_rgba(V3D_TEXTURE_A1, rgba, 12, 1, again, 2, NULL), 0);
	assert_int_equal(again[0], 0x05);
	assert_int_equal(again[1], 0xf2);
	assert_int_equal(v3dcl_pixels_to_rgba(V3D_TEXTURE_A4, fours, 2, 4, 1, rgba, NULL), 0);
	assert_int_equal(rgba[3], 0x11);
	assert_int_equal(rgba[7], 0x22);
	assert_int_equal(rgba[15], 0x44);
}

/* BT.601: red is 82, 90, 240; two texels of one colour */
static void yuyv(void **state)
{
	const uint8_t word[4] = { 82, 90, 16, 240 }, pair[8] = { 255, 0, 0, 255, 255, 0, 0, 255 };
	uint8_t rgba[8], again[4];

	(void)state;
	assert_int_equal(v3dcl_pixels_to_rgba(V3D_TEXTURE_YUYV422R, word, 4, 2, 1, rgba, NULL), 0);
	assert_in_range(rgba[0], 254, 255);
	assert_in_range(rgba[1], 0, 1);
	assert_in_range(rgba[2], 0, 1);
	assert_int_equal(rgba[5], 0);
	assert_int_equal(v3dcl_pixels_from_rgba(V3D_TEXTURE_YUYV422R, pair, 2, 1, again, 4, NULL),
			 0);
	assert_memory_equal(again, ((const uint8_t[]){ 82, 90, 82, 240 }), 4);
}

/*
 * Individual mode, not flipped: left half 0x8.., right half 0x1..; tables 0 and 7. Texel a (0, 0)
 * index 0: +2; texel b (0, 1) index 3: -8; texel m (3, 0) index 1: +183.
 */
static void etc1_by_hand(void **state)
{
	const uint8_t block[8] = { 0x81, 0x81, 0x01, 0 << 5 | 7 << 2, 0x00, 0x02, 0x10, 0x02 };
	uint8_t rgba[4 * 4 * 4];

	(void)state;
	assert_int_equal(v3dcl_pixels_to_rgba(V3D_TEXTURE_ETC1, block, 8, 4, 4, rgba, NULL), 0);
	assert_memory_equal(rgba, ((const uint8_t[]){ 0x8a, 0x8a, 0x02, 255 }), 4);
	assert_memory_equal(rgba + 16, ((const uint8_t[]){ 0x80, 0x80, 0x00, 255 }), 4);
	assert_memory_equal(rgba + 12,
			    ((const uint8_t[]){ 0x11 + 183, 0x11 + 183, 0x11 + 183, 255 }), 4);
	assert_memory_equal(rgba + 8, ((const uint8_t[]){ 0x11 + 47, 0x11 + 47, 0x11 + 47, 255 }),
			    4);
}

/* Differential mode, flipped: upper half 10, 20, 30 of 31, lower half one less each */
static void etc1_differential(void **state)
{
	const uint8_t block[8] = { 10 << 3 | 7, 20 << 3 | 7, 30 << 3 | 7, 3, 0, 0, 0, 0 };
	uint8_t rgba[4 * 4 * 4];

	(void)state;
	assert_int_equal(v3dcl_pixels_to_rgba(V3D_TEXTURE_ETC1, block, 8, 4, 4, rgba, NULL), 0);
	assert_memory_equal(rgba, ((const uint8_t[]){ 84, 167, 249, 255 }), 4);
	assert_memory_equal(rgba + 2 * 16, ((const uint8_t[]){ 76, 158, 241, 255 }), 4);
}

/*
 * What is encoded comes near to what it was: two colours in two halves, either way, and edges that
 * are no whole block
 */
static void etc1_comes_near(void **state)
{
	uint8_t rgba[7 * 6 * 4], again[7 * 6 * 4], blocks[2 * 2 * 8];
	unsigned int x, y, c, way;

	(void)state;
	for (way = 0; way < 2; way++) {
		for (y = 0; y < 6; y++) {
			for (x = 0; x < 7; x++) {
				const bool second = (way ? y : x) & 2;

				for (c = 0; c < 3; c++)
					rgba[(y * 7 + x) * 4 + c] = second ? 17 * (3 + c) :
									     17 * (12 - c);
				rgba[(y * 7 + x) * 4 + 3] = 255;
			}
		}
		assert_int_equal(v3dcl_pixels_from_rgba(V3D_TEXTURE_ETC1, rgba, 7, 6, blocks, 16,
							NULL),
				 0);
		assert_int_equal(v3dcl_pixels_to_rgba(V3D_TEXTURE_ETC1, blocks, 16, 7, 6, again,
						      NULL),
				 0);
		for (c = 0; c < sizeof(rgba); c++)
			assert_in_range(again[c] + 256, rgba[c] + 256 - 2, rgba[c] + 256 + 2);
	}
}

static void refusals(void **state)
{
	uint8_t bytes[64] = { 0 };
	struct v3dcl_plane plane = { .format = V3D_RASTER, .bits = 32, .width = 2, .height = 2 };
	struct v3dcl_error error;

	(void)state;
	assert_int_equal(v3dcl_pixels_to_rgba(18, bytes, 64, 1, 1, bytes, &error), -EINVAL);
	assert_int_equal(v3dcl_pixels_from_rgba(18, bytes, 1, 1, bytes, 64, &error), -EINVAL);
	assert_int_equal(v3dcl_pixels_to_rgba(V3D_TEXTURE_A1, bytes, 1, 9, 1, bytes, &error),
			 -EINVAL);
	assert_int_equal(v3dcl_pixels_from_rgba(V3D_TEXTURE_ETC1, bytes, 5, 1, bytes, 8, &error),
			 -EINVAL);
	assert_int_equal(v3dcl_plane_lay_out(&plane, NULL), 0);
	assert_int_equal(v3dcl_picture(&plane, V3D_TEXTURE_ALPHA, bytes, 64, 2, 2, bytes, &error),
			 -EINVAL);
	assert_int_equal(v3dcl_picture(&plane, V3D_TEXTURE_RGBA8888, bytes, 64, 3, 2, bytes,
				       &error),
			 -EINVAL);
	assert_int_equal(v3dcl_picture(&plane, V3D_TEXTURE_RGBA8888, bytes, 31, 2, 2, bytes,
				       &error),
			 -EINVAL);
}

static int take_picture(void *opaque)
{
	const struct v3dcl_plane *plane = opaque;
	uint8_t memory[4096], rgba[6 * 5 * 4];
	uint32_t n;
	int ret;

	for (n = 0; n < sizeof(memory); n++)
		memory[n] = n;
	ret = v3dcl_picture(plane, V3D_TEXTURE_RGBA8888, memory, sizeof(memory), 6, 5, rgba, NULL);
	if (!ret) {
		/* (5, 4): second micro-tile of the second row of them, its second pixel */
		assert_int_equal(rgba[(4 * 6 + 5) * 4], (128 + 64 + 4) & 0xff);
		assert_int_equal(rgba[4], 4);
	}
	return ret;
}

static void pictures(void **state)
{
	struct v3dcl_plane plane = { .format = V3D_LT_FORMAT, .bits = 32, .width = 8, .height = 5 };

	(void)state;
	assert_int_equal(v3dcl_plane_lay_out(&plane, NULL), 0);
	assert_int_equal(fail_each_alloc(take_picture, &plane), 1);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(texels_by_hand),
	cmocka_unit_test(halves_are_cut),
	cmocka_unit_test(halves_are_the_nearest),
	cmocka_unit_test(small_units_come_back),
	cmocka_unit_test(rows_of_small_texels),
	cmocka_unit_test(yuyv),
	cmocka_unit_test(etc1_by_hand),
	cmocka_unit_test(etc1_differential),
	cmocka_unit_test(etc1_comes_near),
	cmocka_unit_test(refusals),
	cmocka_unit_test(pictures),
};

int main(void)
{
	return cmocka_run_group_tests(tests, NULL, NULL);
}
