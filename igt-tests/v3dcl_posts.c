// SPDX-License-Identifier: MIT
/*
 * The NV-mode triangles of the JayStation posts on bare V3D programming, as raw lists through the
 * driver: a colour from uniforms, colours from varyings, a texture in T-format. Pictures go to the
 * folder that V3D_PICTURES names, if any.
 */
#include "v3dcl_png.h"
#include "v3dcl_posts.h"
#include "v3dcl_raw.h"

IGT_TEST_DESCRIPTION("NV-mode triangles, submitted unchecked by root");

#define WIDTH POSTS_WIDTH
#define HEIGHT POSTS_HEIGHT
#define COLUMNS 10
#define ROWS 8
#define BACKGROUND 0xff402010u
#define TILE_LISTS_BYTES 0x40000
#define TEXTURE 0x10000			/* in RAW_MEMORY */

static void put_words(struct raw *raw, const uint32_t *words, size_t count)
{
	size_t n;

	for (n = 0; n < count; n++)
		RAW(raw, RAW_LE32(words[n]));
}

#define WORDS(raw, words) put_words(raw, words, ARRAY_SIZE(words))

/* Where the parts of a scene are in RAW_MEMORY */
struct scene {
	uint32_t code, uniforms, vertices;
};

/* The post's NV shader state record. Return: where it is */
static uint32_t put_record(struct raw *raw, const struct scene *scene, uint8_t stride,
			   uint8_t varyings)
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
	RAW(raw, 96, 0x03, 0, 0, 102, RAW_LE16(0), RAW_LE16(0), RAW_LE16(WIDTH), RAW_LE16(HEIGHT),
	    103, RAW_LE16(0), RAW_LE16(0));
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

static void uniforms(int fd)
{
	struct raw *raw = raw_new(fd, WIDTH * HEIGHT * 4);
	struct scene scene;
	unsigned int x, y;
	double weight[3];

	scene.uniforms = raw_align(raw, 16);
	WORDS(raw, posts_color);
	scene.vertices = raw_align(raw, 16);
	WORDS(raw, posts_color_vertices);
	scene.code = raw_align(raw, 16);
	WORDS(raw, posts_color_code);
	draw(fd, raw, put_record(raw, &scene, 3 * 4, 0), 3, "uniforms");
	for (y = 0; y < HEIGHT; y++) {
		for (x = 0; x < WIDTH; x++) {
			bool edge, inside = posts_weigh(x, y, weight, &edge);

			if (!edge)
				igt_assert_eq_u32(pixel(raw, x, y),
						  inside ? 0xff00ff00 : BACKGROUND);
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
	bool edge, inside = posts_weigh(x, y, weight, &edge);
	unsigned int n;

	if (!inside && !edge)
		igt_assert_eq_u32(color, BACKGROUND);
	inside = posts_weigh(x & ~1u, y & ~1u, weight, &edge) && inside;
	for (n = 0; n < 3 && inside; n++) {
		const double off = (color >> 8 * n & 0xff) - weight[n] * 255;

		igt_assert_f(off <= 1 && off >= -1, "pixel %u, %u: %#x, off by %f\n", x, y, color,
			     off);
	}
}

static void varyings(int fd)
{
	struct raw *raw = raw_new(fd, WIDTH * HEIGHT * 4);
	struct scene scene = { 0 };
	unsigned int x, y;

	scene.vertices = raw_align(raw, 16);
	WORDS(raw, posts_varying_vertices);
	scene.code = raw_align(raw, 16);
	WORDS(raw, posts_varying_code);
	draw(fd, raw, put_record(raw, &scene, 24, 3), 3, "varyings");
	for (y = 0; y < HEIGHT; y++)
		for (x = 0; x < WIDTH; x++)
			check_varyings(raw, x, y);
	raw_free(fd, raw);
}

static void texture(int fd)
{
	struct raw *raw = raw_new(fd, WIDTH * HEIGHT * 4);
	struct scene scene;
	unsigned int x, y;

	for (y = 0; y < 32; y++)
		for (x = 0; x < 64; x++)
			raw->bos[RAW_MEMORY].map[(TEXTURE + posts_texel_offset(x, y)) / 4] =
				posts_texel(x, y);
	scene.uniforms = raw_align(raw, 16);
	raw_address(raw, RAW_MEMORY, TEXTURE, 0);
	RAW(raw, RAW_LE32(POSTS_TEXTURE_SIZE));
	scene.vertices = raw_align(raw, 16);
	WORDS(raw, posts_texture_vertices);
	scene.code = raw_align(raw, 16);
	WORDS(raw, posts_texture_code);
	draw(fd, raw, put_record(raw, &scene, 20, 2), 6, "texture");
	for (y = 0; y < HEIGHT; y++) {
		for (x = 0; x < WIDTH; x++) {
			const bool inside = x >= 64 && x < 576 && y >= 32 && y < 288;

			igt_assert_eq_u32(pixel(raw, x, y),
					  inside ? posts_texel((x - 64) / 8, (y - 32) / 8) :
						   BACKGROUND);
		}
	}
	raw_free(fd, raw);
}

static const struct subtest tests[] = {
	{ "uniforms", uniforms, "A triangle of one colour, from uniforms" },
	{ "varyings", varyings, "A triangle of three colours, from varyings" },
	{ "texture", texture, "Two triangles with a texture in T-format" },
};

V3DCL_MAIN(tests, require_unverified)
