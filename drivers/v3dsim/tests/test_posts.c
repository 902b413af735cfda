// SPDX-License-Identifier: MIT
/*
 * The NV-mode triangles of the JayStation posts on bare V3D programming: a colour from uniforms,
 * colours from varyings, a texture in T-format. With a folder as argument the pictures are written
 * there.
 */
#include <stdio.h>

#include "chip.h"
#include "v3dcl_posts.h"

#define WIDTH POSTS_WIDTH
#define HEIGHT POSTS_HEIGHT
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

static void put_words(struct chip *chip, uint32_t addr, const uint32_t *words, size_t count)
{
	for (size_t n = 0; n < count; n++) {
		const uint8_t bytes[] = { LE32(words[n]) };

		chip_put(chip, addr + 4 * n, bytes, sizeof(bytes));
	}
}

#define WORDS(chip, addr, words) put_words(chip, addr, words, sizeof(words) / sizeof((words)[0]))

/* The post's NV shader state record */
static void put_record(struct chip *chip, uint8_t stride, uint8_t varyings)
{
	const uint8_t record[] = {
		0, stride, 0, varyings, LE32(SHADER_CODE), LE32(UNIFORM_DATA), LE32(VERTEX_DATA)
	};

	chip_put(chip, SHADER_RECORD, record, sizeof(record));
}

/* Bins a list of triangles and renders the frame. */
static void render(struct chip *chip, uint32_t vertices)
{
	LIST(chip, 0, 112, LE32(TILE_LISTS), LE32(TILE_LISTS_BYTES), LE32(TILE_STATE), COLUMNS,
	     ROWS, 4);
	LIST(chip, 0, 6, 96, 0x03, 0, 0, 102, LE16(0), LE16(0), LE16(WIDTH), LE16(HEIGHT), 103,
	     LE16(0), LE16(0));
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

static void test_uniforms(void **state)
{
	struct chip *chip = *state;
	double weight[3];

	put_record(chip, 3 * 4, 0);
	WORDS(chip, UNIFORM_DATA, posts_color);
	WORDS(chip, VERTEX_DATA, posts_color_vertices);
	WORDS(chip, SHADER_CODE, posts_color_code);
	render(chip, 3);
	save(chip, "uniforms");
	for (unsigned int y = 0; y < HEIGHT; y++) {
		for (unsigned int x = 0; x < WIDTH; x++) {
			bool edge, inside = posts_weigh(x, y, weight, &edge);

			if (!edge)
				assert_int_equal(pixel(chip, x, y),
						 inside ? 0xff00ff00 : BACKGROUND);
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
	WORDS(chip, VERTEX_DATA, posts_varying_vertices);
	WORDS(chip, SHADER_CODE, posts_varying_code);
	render(chip, 3);
	save(chip, "varyings");
	for (unsigned int y = 0; y < HEIGHT; y++) {
		for (unsigned int x = 0; x < WIDTH; x++) {
			bool edge, inside = posts_weigh(x, y, weight, &edge);
			const uint32_t color = pixel(chip, x, y);

			if (!inside && !edge)
				assert_int_equal(color, BACKGROUND);
			/*
			 * r5 is written by quads: all four pixels have the colour of the first one
			 */
			inside = posts_weigh(x & ~1u, y & ~1u, weight, &edge) && inside;
			for (unsigned int n = 0; n < 3 && inside; n++) {
				const double channel = color >> 8 * n & 0xff;

				assert_true(channel - weight[n] * 255 <= 1 &&
					    weight[n] * 255 - channel <= 1);
			}
		}
	}
}

static void test_texture(void **state)
{
	static const uint32_t parameters[] = { TEXTURE, POSTS_TEXTURE_SIZE };
	struct chip *chip = *state;

	put_record(chip, 20, 2);
	for (unsigned int y = 0; y < 32; y++) {
		for (unsigned int x = 0; x < 64; x++) {
			const uint32_t texel = posts_texel(x, y);

			put_words(chip, TEXTURE + posts_texel_offset(x, y), &texel, 1);
		}
	}
	put_words(chip, UNIFORM_DATA, parameters, 2);
	WORDS(chip, VERTEX_DATA, posts_texture_vertices);
	WORDS(chip, SHADER_CODE, posts_texture_code);
	render(chip, 6);
	save(chip, "texture");
	for (unsigned int y = 0; y < HEIGHT; y++) {
		for (unsigned int x = 0; x < WIDTH; x++) {
			const bool inside = x >= 64 && x < 576 && y >= 32 && y < 288;

			assert_int_equal(pixel(chip, x, y),
					 inside ? posts_texel((x - 64) / 8, (y - 32) / 8) :
						  BACKGROUND);
		}
	}
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, chip_setup, chip_teardown)
	const struct CMUnitTest tests[] = { TEST(test_uniforms), TEST(test_varyings),
					    TEST(test_texture) };

	folder = argc > 1 ? argv[1] : NULL;
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("posts", tests, NULL, NULL);
}
