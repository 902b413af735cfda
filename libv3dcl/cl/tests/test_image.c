// SPDX-License-Identifier: MIT
/*
 * Images: where each unit lies, against a walk through memory in the order of AG100's Figures 13 to
 * 15; conversion both ways, whole and in parts; levels and cube maps, worked out by hand; arguments
 * at random.
 */
#include "../../base/helpers.h"
#include "fail_alloc.h"

#include "v3dcl_image.h"

/* Micro-tiles of AG100 "Micro-tiles", by bits of a unit */
static const struct {
	uint32_t bits, width, height;
} micro_tiles[] = { { 64, 2, 4 }, { 32, 4, 4 }, { 16, 8, 4 },
		    { 8, 8, 8 }, { 4, 16, 8 }, { 1, 32, 16 } };

/* Bit at which each unit begins: the walk sets it for units inside the image */
struct walk {
	uint32_t width, height;
	uint64_t bit;
	uint64_t *at;
};

static void walk_micro_tile(struct walk *w, unsigned int kind, uint32_t x0, uint32_t y0)
{
	uint32_t x, y;

	for (y = y0; y < y0 + micro_tiles[kind].height; y++) {
		for (x = x0; x < x0 + micro_tiles[kind].width;
		     x++, w->bit += micro_tiles[kind].bits)
			if (x < w->width && y < w->height)
				w->at[(size_t)y * w->width + x] = w->bit;
	}
}

static void walk_sub_tile(struct walk *w, unsigned int kind, uint32_t x0, uint32_t y0)
{
	uint32_t i;

	for (i = 0; i < 16; i++)
		walk_micro_tile(w, kind, x0 + i % 4 * micro_tiles[kind].width,
				y0 + i / 4 * micro_tiles[kind].height);
}

/*
 * Even rows: bottom left, top left, top right, bottom right, bottom being the first in memory; odd
 * ones begin at the top right.
 */
static void walk_tile(struct walk *w, unsigned int kind, uint32_t x0, uint32_t y0, bool odd)
{
	static const uint8_t even_x[] = { 0, 0, 1, 1 }, even_y[] = { 0, 1, 1, 0 };
	static const uint8_t odd_x[] = { 1, 1, 0, 0 }, odd_y[] = { 1, 0, 0, 1 };
	uint32_t i;

	for (i = 0; i < 4; i++)
		walk_sub_tile(w, kind, x0 + (odd ? odd_x : even_x)[i] * 4 * micro_tiles[kind].width,
			      y0 + (odd ? odd_y : even_y)[i] * 4 * micro_tiles[kind].height);
}

static void walk_t(struct walk *w, unsigned int kind)
{
	const uint32_t wide = 8 * micro_tiles[kind].width, high = 8 * micro_tiles[kind].height;
	const uint32_t across = (w->width + wide - 1) / wide;
	uint32_t row, n;

	for (row = 0; row * high < w->height; row++)
		for (n = 0; n < across; n++)
			walk_tile(w, kind, (row & 1 ? across - 1 - n : n) * wide, row * high,
				  row & 1);
}

static void walk_lt(struct walk *w, unsigned int kind)
{
	uint32_t x, y;

	for (y = 0; y < w->height; y += micro_tiles[kind].height)
		for (x = 0; x < w->width; x += micro_tiles[kind].width)
			walk_micro_tile(w, kind, x, y);
}

static struct v3dcl_plane plane_of(uint32_t format, uint32_t bits, uint32_t width, uint32_t height)
{
	struct v3dcl_plane plane = {
		.format = format, .bits = bits, .width = width, .height = height
	};

	assert_int_equal(v3dcl_plane_lay_out(&plane, NULL), 0);
	return plane;
}

static void expect_walk(uint32_t format, unsigned int kind, uint32_t width, uint32_t height)
{
	const struct v3dcl_plane plane = plane_of(format, micro_tiles[kind].bits, width, height);
	struct walk w = { .width = width, .height = height,
			  .at = malloc(sizeof(uint64_t) * width * height) };
	uint32_t x, y;

	assert_non_null(w.at);
	if (format == V3D_T_FORMAT)
		walk_t(&w, kind);
	else
		walk_lt(&w, kind);
	assert_int_equal(plane.size, w.bit / 8);
	for (y = 0; y < height; y++)
		for (x = 0; x < width; x++)
			assert_int_equal(v3dcl_plane_offset(&plane, x, y),
					 w.at[(size_t)y * width + x] / 8);
	free(w.at);
}

static void units_lie_as_the_figures_show(void **state)
{
	static const uint16_t sizes[][2] = {
		{ 1, 1 }, { 64, 64 }, { 65, 33 }, { 200, 130 }, { 33, 257 }
	};
	unsigned int kind, n;

	(void)state;
	for (kind = 0; kind < COUNT(micro_tiles); kind++) {
		for (n = 0; n < COUNT(sizes); n++) {
			expect_walk(V3D_T_FORMAT, kind, sizes[n][0], sizes[n][1]);
			expect_walk(V3D_LT_FORMAT, kind, sizes[n][0], sizes[n][1]);
		}
	}
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* What a rectangle moves, byte by byte */
static void expect_part(const struct v3dcl_plane *plane, const struct v3dcl_rectangle *part,
			uint32_t *seed)
{
	const uint32_t from = part->x * plane->bits / 8,
		       bytes = (part->width * plane->bits + 7) / 8;
	const size_t stride = bytes + next_random(seed) % 9;
	uint8_t *memory = malloc(plane->size), *expected = malloc(plane->size);
	uint8_t *linear = malloc(stride * part->height + 1),
		*again = malloc(stride * part->height + 1);
	uint32_t x, y, i, unit, byte;

	assert_true(memory && linear && again && expected);
	for (i = 0; i < plane->size; i++)
		memory[i] = expected[i] = next_random(seed);
	for (i = 0; i < stride * part->height; i++)
		linear[i] = next_random(seed);
	for (y = 0; y < part->height; y++) {
		for (x = 0; x < bytes; x++) {
			unit = (from + x) * 8 / plane->bits;
			byte = plane->bits > 8 ? (from + x) % (plane->bits / 8) : 0;
			expected[v3dcl_plane_offset(plane, unit, part->y + y) + byte] =
				linear[y * stride + x];
		}
	}
	assert_int_equal(v3dcl_plane_store(plane, memory, plane->size, part, linear, stride, NULL),
			 0);
	assert_memory_equal(memory, expected, plane->size);
	memset(again, 0, stride * part->height);
	assert_int_equal(v3dcl_plane_load(plane, memory, plane->size, part, again, stride, NULL),
			 0);
	for (y = 0; y < part->height; y++) {
		assert_memory_equal(again + y * stride, linear + y * stride, bytes);
		for (x = bytes; x < stride; x++)
			assert_int_equal(again[y * stride + x], 0);
	}
	free(memory);
	free(linear);
	free(again);
	free(expected);
}

static void parts_are_moved_both_ways(void **state)
{
	uint32_t seed = 7, n;

	(void)state;
	for (n = 0; n < 1500; n++) {
		const uint32_t bits = micro_tiles[n % COUNT(micro_tiles)].bits,
			       unit = bits < 8 ? 8 / bits : 1;
		const struct v3dcl_plane plane = plane_of(next_random(&seed) % 3, bits,
							  1 + next_random(&seed) % 150,
							  1 + next_random(&seed) % 90);
		struct v3dcl_rectangle part;

		part.x = next_random(&seed) % plane.width / unit * unit;
		part.y = next_random(&seed) % plane.height;
		part.width = next_random(&seed) % (plane.width - part.x + 1) / unit * unit;
		part.height = next_random(&seed) % (plane.height - part.y + 1);
		if (n & 1) {
			part.width = plane.width - part.x;
			part.height = plane.height - part.y;
		}
		expect_part(&plane, &part, &seed);
	}
}

/* Whatever is asked for, nothing outside is touched: the sanitizers look */
static void hostile_arguments(void **state)
{
	uint32_t seed = 3, n, moved = 0;

	(void)state;
	for (n = 0; n < 20000; n++) {
		const uint32_t bits = next_random(&seed) & 1 ?
					      micro_tiles[n % COUNT(micro_tiles)].bits :
					      next_random(&seed) % 70;
		struct v3dcl_plane plane = { next_random(&seed) % 4, bits, next_random(&seed) % 40,
					     next_random(&seed) % 40, 0, 0 };
		struct v3dcl_rectangle part = { next_random(&seed) % 20, next_random(&seed) % 20,
						next_random(&seed) % 30, next_random(&seed) % 30 };
		const size_t size = next_random(&seed) % 16384, stride = next_random(&seed) % 400;
		uint8_t *memory, *linear;

		if (!(next_random(&seed) % 8))
			part.x = UINT32_MAX - next_random(&seed) % 40;
		if (!(next_random(&seed) % 8))
			part.width = UINT32_MAX - next_random(&seed) % 40;
		if (next_random(&seed) % 8)
			v3dcl_plane_lay_out(&plane, NULL);
		else
			plane.stride = next_random(&seed) % 5000;
		if (!(next_random(&seed) % 16))
			plane.size = next_random(&seed);
		memory = calloc(1, size + 1);
		linear = calloc(40, stride + 1);
		assert_true(memory && linear);
		moved += !v3dcl_plane_store(&plane, memory, size, &part, linear, stride, NULL);
		moved += !v3dcl_plane_load(&plane, memory, size,
					   next_random(&seed) % 4 ? &part : NULL, linear, stride,
					   NULL);
		free(memory);
		free(linear);
	}
	assert_true(moved > 100);
}

static void refusals(void **state)
{
	struct v3dcl_plane plane = plane_of(V3D_T_FORMAT, 1, 64, 64), bad = plane;
	struct v3dcl_rectangle part = { 3, 0, 8, 8 };
	uint8_t memory[4096], linear[4096];
	struct v3dcl_error error;

	(void)state;
	assert_int_equal(v3dcl_plane_store(&plane, memory, sizeof(memory), &part, linear, 64,
					   &error),
			 -EINVAL);
	assert_non_null(strstr(error.text, "neither begin nor end with a byte"));
	part = (struct v3dcl_rectangle){ 0, 60, 8, 5 };
	assert_int_equal(v3dcl_plane_store(&plane, memory, sizeof(memory), &part, linear, 64,
					   &error),
			 -EINVAL);
	assert_non_null(strstr(error.text, "not inside"));
	assert_int_equal(v3dcl_plane_load(&plane, memory, plane.size - 1, NULL, linear, 64, &error),
			 -EINVAL);
	assert_int_equal(v3dcl_plane_load(&plane, memory, sizeof(memory), NULL, linear, 7, &error),
			 -EINVAL);
	assert_non_null(strstr(error.text, "every 7"));
	bad.size++;
	assert_int_equal(v3dcl_plane_load(&bad, memory, sizeof(memory), NULL, linear, 64, &error),
			 -EINVAL);
	assert_non_null(strstr(error.text, "not laid out"));
	bad = (struct v3dcl_plane){
		.format = V3D_RASTER, .bits = 32, .width = 65536, .height = 65536
	};
	assert_int_equal(v3dcl_plane_lay_out(&bad, &error), -EINVAL);
	bad = (struct v3dcl_plane){
		.format = V3D_RASTER, .bits = 32, .width = 64, .height = 2, .stride = 255
	};
	assert_int_equal(v3dcl_plane_lay_out(&bad, &error), -EINVAL);
	bad.stride = 300;
	assert_int_equal(v3dcl_plane_lay_out(&bad, &error), 0);
	assert_int_equal(bad.size, 600);
	bad.width = 0;
	assert_int_equal(v3dcl_plane_lay_out(&bad, &error), -EINVAL);
}

struct place {
	uint32_t format, offset, size;
};

static void expect_image(const struct v3dcl_image *image, uint32_t base, uint32_t stride,
			 uint32_t size, const struct place *places)
{
	uint32_t n;

	assert_int_equal(image->base, base);
	assert_int_equal(image->face_stride, stride);
	assert_int_equal(image->size, size);
	for (n = 0; n < image->levels; n++) {
		assert_int_equal(image->level[n].plane.format, places[n].format);
		assert_int_equal(image->level[n].offset, places[n].offset);
		assert_int_equal(image->level[n].plane.size, places[n].size);
	}
}

/*
 * By hand. 64 x 64 of 32 bits: 2 x 2 tiles of 32 x 32 texels, 16384 bytes; level 1, 32 x 32, one
 * tile; level 2, 16 x 16, four micro-tiles across, LT of 1024; then 256, and 64 for each micro-tile
 * of 2 x 2 and 1 x 1. Together below level 0: 4096 + 1024 + 256 + 64 + 64 = 5504, so the base is at
 * 8192.
 */
static void levels_of_a_square(void **state)
{
	static const struct place places[] = {
		{ V3D_T_FORMAT, 8192, 16384 }, { V3D_T_FORMAT, 4096, 4096 },
		{ V3D_LT_FORMAT, 3072, 1024 }, { V3D_LT_FORMAT, 2816, 256 },
		{ V3D_LT_FORMAT, 2752, 64 }, { V3D_LT_FORMAT, 2688, 64 },
		{ V3D_LT_FORMAT, 2624, 64 },
	};
	struct v3dcl_image image = {
		.type = V3D_TEXTURE_RGBA8888, .width = 64, .height = 64, .levels = 7
	};

	(void)state;
	assert_int_equal(v3dcl_image_lay_out(&image, NULL), 0);
	expect_image(&image, 8192, 0, 8192 + 16384, places);
}

/*
 * 100 x 40 of 16 bits: tiles of 64 x 32, 2 x 2 of them; level 1 is half of 128 x 64: 8 micro-tiles
 * across and down, so T
 */
static void levels_of_other_sizes(void **state)
{
	static const struct place places[] = {
		{ V3D_T_FORMAT, 8192, 16384 },
		{ V3D_T_FORMAT, 4096, 4096 },
		{ V3D_LT_FORMAT, 3072, 1024 },
	};
	struct v3dcl_image image = {
		.type = V3D_TEXTURE_RGB565, .width = 100, .height = 40, .levels = 3
	};

	(void)state;
	assert_int_equal(v3dcl_image_lay_out(&image, NULL), 0);
	expect_image(&image, 8192, 0, 8192 + 16384, places);
	assert_int_equal(image.level[1].width, 50);
	assert_int_equal(image.level[1].height, 20);
	assert_int_equal(image.level[1].plane.width, 64);
	assert_int_equal(image.level[2].plane.width, 32);
}

/*
 * 128 x 128 of ETC1 are 32 x 32 blocks of 64 bits: micro-tiles of 2 x 4, tiles of 16 x 32, two of
 * them. Level 1, 16 x 16, is four micro-tiles high: LT, 8 x 4 of them. Each face begins at a page.
 */
static void cube_of_blocks(void **state)
{
	static const struct place places[] = { { V3D_T_FORMAT, 4096, 8192 },
					       { V3D_LT_FORMAT, 2048, 2048 } };
	struct v3dcl_image image = {
		.type = V3D_TEXTURE_ETC1, .width = 128, .height = 128, .levels = 2, .cube = true
	};

	(void)state;
	assert_int_equal(v3dcl_image_lay_out(&image, NULL), 0);
	assert_int_equal(image.level[1].plane.width, 16);
	expect_image(&image, 4096, 12288, 6 * 12288, places);
}

static void raster_types(void **state)
{
	struct v3dcl_image image = {
		.type = V3D_TEXTURE_YUYV422R, .width = 33, .height = 5, .levels = 1
	};

	(void)state;
	assert_int_equal(v3dcl_image_lay_out(&image, NULL), 0);
	assert_int_equal(image.level[0].plane.format, V3D_RASTER);
	assert_int_equal(image.level[0].plane.width, 17);
	assert_int_equal(image.level[0].plane.stride, 80);
	assert_int_equal(image.size, 400);
}

static void images_that_do_not_exist(void **state)
{
	static const struct v3dcl_image bad[] = {
		{ .type = 18, .width = 1, .height = 1, .levels = 1 },
		{ .width = 0, .height = 1, .levels = 1 },
		{ .width = 1, .height = 2049, .levels = 1 },
		{ .width = 8, .height = 4, .levels = 5 },
		{ .width = 8, .height = 8 },
		{ .width = 2048, .height = 2048, .levels = 13 },
	};
	unsigned int n;

	(void)state;
	for (n = 0; n < COUNT(bad); n++) {
		struct v3dcl_image image = bad[n];

		assert_int_equal(v3dcl_image_lay_out(&image, NULL), -EINVAL);
	}
}

/* Words typed from AG100 Tables 15 to 17 */
static void texture_words(void **state)
{
	struct v3dcl_image image = {
		.type = V3D_TEXTURE_RGBA64, .width = 2048, .height = 16, .levels = 3
	};
	struct v3dcl_texture texture = {
		.image = &image,
		.address = { 5, 0x3000 },
		.wrap_s = 1,
		.wrap_t = 3,
		.minify = 5,
		.magnify = 1,
		.swizzle = 2,
		.flip_y = true,
		.etc_flip = true,
	};
	struct v3dcl_texture_words words;

	(void)state;
	assert_int_equal(v3dcl_image_lay_out(&image, NULL), 0);
	assert_int_equal(v3dcl_texture_pack(&texture, &words, NULL), 0);
	assert_int_equal(words.count, 2);
	assert_int_equal(words.base.bo, 5);
	assert_int_equal(words.base.offset, 0x3000 + image.base);
	assert_int_equal(words.word[0], 2 << 10 | 1 << 8 | 15 << 4 | 2);
	assert_int_equal(words.word[1], 16 << 20 | 1 << 19 | 0 << 8 | 1 << 7 | 5 << 4 | 3 << 2 | 1);
	texture.child = true;
	texture.child_x = 100;
	texture.child_y = 7;
	texture.child_width = 2048;
	texture.child_height = 9;
	assert_int_equal(v3dcl_texture_pack(&texture, &words, NULL), 0);
	assert_int_equal(words.count, 4);
	assert_int_equal(words.word[2], 2u << 30 | 9 << 12);
	assert_int_equal(words.word[3], 3u << 30 | 7 << 12 | 100);
	image = (struct v3dcl_image){
		.type = V3D_TEXTURE_RGBA32R, .width = 4, .height = 4, .levels = 1, .cube = true
	};
	assert_int_equal(v3dcl_image_lay_out(&image, NULL), 0);
	texture = (struct v3dcl_texture){ .image = &image, .bias_only = true };
	assert_int_equal(v3dcl_texture_pack(&texture, &words, NULL), 0);
	assert_int_equal(words.count, 3);
	assert_int_equal(words.word[0], 1 << 9);
	assert_int_equal(words.word[1], 1u << 31 | 4 << 20 | 4 << 8);
	assert_int_equal(words.word[2], 1 << 30 | 1 << 12 | 1);
}

static void bad_textures(void **state)
{
	struct v3dcl_image image = { .type = V3D_TEXTURE_ALPHA, .width = 16, .height = 16,
				     .levels = 1 },
			   cube = image;
	struct v3dcl_image raster = { V3D_TEXTURE_RGBA32R, .width = 20, .height = 16, .levels = 1 };
	const struct v3dcl_texture bad[] = {
		{ .image = &image, .address = { 1, 16 } },
		{ .image = &image, .wrap_s = 4 },
		{ .image = &image, .wrap_t = 4 },
		{ .image = &image, .minify = 6 },
		{ .image = &image, .magnify = 2 },
		{ .image = &image, .swizzle = 4 },
		{ .image = &image, .bias_only = true },
		{ .image = &image, .child = true, .child_width = 1 },
		{ .image = &image, .child = true, .child_width = 2049, .child_height = 1 },
		{ .image = &cube, .child = true, .child_width = 1, .child_height = 1 },
		{ .image = &raster },
	};
	struct v3dcl_texture_words words;
	struct v3dcl_error error;
	unsigned int n;

	(void)state;
	cube.cube = true;
	assert_int_equal(v3dcl_image_lay_out(&image, NULL), 0);
	assert_int_equal(v3dcl_image_lay_out(&cube, NULL), 0);
	assert_int_equal(v3dcl_image_lay_out(&raster, NULL), 0);
	for (n = 0; n < COUNT(bad); n++) {
		error.text[0] = 0;
		assert_int_equal(v3dcl_texture_pack(&bad[n], &words, &error), -EINVAL);
		assert_int_not_equal(error.text[0], 0);
	}
}

/* A picture as a file and back; what is none, or of no size */
static void pictures_are_files(void **state)
{
	uint8_t rgba[3 * 2 * 4], rubbish[] = "no picture";
	struct v3dcl_buffer file = { 0 }, back = { 0 };
	struct v3dcl_error error;
	uint32_t width, height, i;

	(void)state;
	for (i = 0; i < sizeof(rgba); i++)
		rgba[i] = i * 37;
	assert_int_equal(v3dcl_png_write(rgba, 3, 2, &file, &error), 0);
	assert_int_equal(v3dcl_png_read(file.bytes, file.size, &back, &width, &height, &error), 0);
	assert_int_equal(width, 3);
	assert_int_equal(height, 2);
	assert_int_equal(back.size, sizeof(rgba));
	assert_memory_equal(back.bytes, rgba, sizeof(rgba));
	/* Its pixels are in its second half */
	for (i = 0; i < file.size / 2; i++)
		assert_true(v3dcl_png_read(file.bytes, i, &back, &width, &height, NULL));
	assert_int_equal(v3dcl_png_read(rubbish, sizeof(rubbish), &back, &width, &height, &error),
			 -EINVAL);
	assert_non_null(strstr(error.text, "no PNG file"));
	assert_int_equal(v3dcl_png_write(rgba, 0, 2, &file, &error), -EINVAL);
	assert_int_equal(v3dcl_png_write(rgba, 3, 16385, &file, &error), -EINVAL);
	v3dcl_buffer_free(&file);
	v3dcl_buffer_free(&back);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(pictures_are_files),
	cmocka_unit_test(units_lie_as_the_figures_show),
	cmocka_unit_test(parts_are_moved_both_ways),
	cmocka_unit_test(hostile_arguments),
	cmocka_unit_test(refusals),
	cmocka_unit_test(levels_of_a_square),
	cmocka_unit_test(levels_of_other_sizes),
	cmocka_unit_test(cube_of_blocks),
	cmocka_unit_test(raster_types),
	cmocka_unit_test(images_that_do_not_exist),
	cmocka_unit_test(texture_words),
	cmocka_unit_test(bad_textures),
};

int main(void)
{
	return cmocka_run_group_tests(tests, NULL, NULL);
}
