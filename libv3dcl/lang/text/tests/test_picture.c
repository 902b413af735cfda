// SPDX-License-Identifier: MIT
/* Pictures as data: image "NAME" [type T] [format F] [flip] */
#include <stdio.h>
#include <unistd.h>

#include "reading.h"
#include "v3dcl_png.h"

#define WIDTH 40
#define HEIGHT 36

static char png[64];

/* A colour of its own for each pixel */
static uint32_t colour(uint32_t x, uint32_t y)
{
	return 0xff000000 | (x ^ y) << 18 | y * 7 << 8 | x * 6;
}

static int make_picture(void **state)
{
	static uint32_t pixels[HEIGHT][WIDTH];
	uint32_t x, y;

	(void)state;
	strcpy(png, "/tmp/v3d-test-picture-XXXXXX");
	close(mkstemp(png));
	for (y = 0; y < HEIGHT; y++)
		for (x = 0; x < WIDTH; x++)
			pixels[y][x] = colour(x, y);
	return png_write(png, pixels[0], WIDTH, HEIGHT) ? 0 : -1;
}

static int remove_picture(void **state)
{
	(void)state;
	return unlink(png);
}

static struct saved saved;

static const uint8_t *image(const char *options)
{
	struct v3dcl_error error;
	char text[200];

	snprintf(text, sizeof(text), "buffer b { image \"%s\" %s }\nsave b\n", png, options);
	if (run_text(text, &saved, &error))
		fail_msg("%s", error.text);
	return saved.bytes;
}

static uint32_t word(uint32_t at)
{
	uint32_t value;

	assert_true(at + 4 <= saved.size);
	memcpy(&value, saved.bytes + at, 4);
	return value;
}

static void rows(void **state)
{
	uint32_t x, y;

	(void)state;
	image("format raster");
	assert_int_equal(saved.size, 4 * WIDTH * HEIGHT);
	for (y = 0; y < HEIGHT; y++)
		for (x = 0; x < WIDTH; x++)
			assert_int_equal(word(4 * (y * WIDTH + x)), colour(x, y));
	image("flip format raster type RGBA8888");
	for (y = 0; y < HEIGHT; y++)
		for (x = 0; x < WIDTH; x++)
			assert_int_equal(word(4 * (y * WIDTH + x)), colour(x, HEIGHT - 1 - y));
}

/*
 * AG100 p. 105 to 107: tiles of 4 KiB in rows that change direction, in them four sub-tiles, in
 * these 4 x 4 micro-tiles
 */
static uint32_t t_format(uint32_t x, uint32_t y, uint32_t tiles)
{
	static const uint32_t even[2][2] = { { 0, 3 }, { 1, 2 } },
			      odd[2][2] = { { 2, 1 }, { 3, 0 } };
	const uint32_t row = y / 32, column = row % 2 ? tiles - 1 - x / 32 : x / 32;
	const uint32_t sub = (row % 2 ? odd : even)[y / 16 % 2][x / 16 % 2],
		       micro = y / 4 % 4 * 4 + x / 4 % 4;

	return (row * tiles + column) * 4096 + sub * 1024 + micro * 64 + y % 4 * 16 + x % 4 * 4;
}

static void tiles(void **state)
{
	uint32_t x, y;

	(void)state;
	/* what the hardware takes for that size: 2 x 2 tiles */
	image("");
	assert_int_equal(saved.size, 4 * 4096);
	for (y = 0; y < HEIGHT; y++)
		for (x = 0; x < WIDTH; x++)
			assert_int_equal(word(t_format(x, y, 2)), colour(x, y));
	image("format lt");			/* micro-tiles behind each other */
	assert_int_equal(saved.size, 4 * WIDTH * HEIGHT);
	for (y = 0; y < HEIGHT; y++)
		for (x = 0; x < WIDTH; x++)
			assert_int_equal(word((y / 4 * (WIDTH / 4) + x / 4) * 64 + y % 4 * 16 +
					      x % 4 * 4),
					 colour(x, y));
}

static void types(void **state)
{
	const uint8_t *bytes;

	(void)state;
	bytes = image("type RGB565 format raster");
	assert_int_equal(saved.size, 2 * WIDTH * HEIGHT);
	/* Pixel (3, 2): red 18, green 14, blue 4 become 2 of 31, 3 of 63 and 0 of 31 */
	assert_int_equal(bytes[2 * (2 * WIDTH + 3)] | bytes[2 * (2 * WIDTH + 3) + 1] << 8,
			 2 << 11 | 3 << 5 | 0);
	image("type ETC1 format raster");	/* 8 bytes for 4 x 4 texels */
	assert_int_equal(saved.size, WIDTH * HEIGHT / 2);
	bytes = image("type LUMINANCE format raster");
	/* rows of raster begin every 16 bytes */
	assert_int_equal(bytes[2 * 48 + 3], 18);
}

static void refused(const char *data, int code, const char *what)
{
	struct v3dcl_error error = { 0 };
	char text[300];

	snprintf(text, sizeof(text), "const a = 1\nbuffer b { %s }\n", data);
	if (run_text(text, &saved, &error) != code)
		fail_msg("not refused so: %s: %s", data, error.text);
	if (!strstr(error.text, what))
		fail_msg("no \"%s\" in: %s", what, error.text);
	assert_int_equal(error.line, 2);
}

static void refusals(void **state)
{
	static const char nothing[] = "/tmp/v3d-test-no-picture";
	char data[200];
	FILE *file;

	(void)state;
	refused("image \"/no/such.png\"", -ENOENT, "test:2:18: /no/such.png: No such file");
	refused("image 5", -EINVAL, "test:2:18:");
	snprintf(data, sizeof(data), "image \"%s\" type RGBA9", png);
	refused(data, -EINVAL, "expected a texture type here");
	snprintf(data, sizeof(data), "image \"%s\" format spiral", png);
	refused(data, -EINVAL, "expected raster, t or lt");
	snprintf(data, sizeof(data), "image \"%s\" upside", png);
	refused(data, -EINVAL, "expected the end of the line");
	snprintf(data, sizeof(data), "image \"%s\"", nothing);
	file = fopen(nothing, "wb");
	assert_non_null(file);
	fclose(file);
	refused(data, -EINVAL, "no PNG file");
	/* The beginning of one */
	file = fopen(nothing, "wb");
	assert_non_null(file);
	fwrite("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xff\xff\0\0\xff\xff\x08\x06\0\0\0", 1, 29, file);
	fclose(file);
	refused(data, -EINVAL, "PNG");
	unlink(nothing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows), cmocka_unit_test(tiles), cmocka_unit_test(types),
		cmocka_unit_test(refusals),
	};

	return cmocka_run_group_tests(tests, make_picture, remove_picture);
}
