/* SPDX-License-Identifier: MIT */
/*
 * Whole frames of one triangle in NV mode that covers them, for any number of threads: what tests
 * of their order stand on.
 */
#ifndef V3DSIM_TESTS_FRAME_FIXTURE_H
#define V3DSIM_TESTS_FRAME_FIXTURE_H

#include <v3dcl_qpu_build.h>

#include "chip.h"

#define TILES 8
#define SIDE (TILES * 64)
#define RECORD (MEMORY + 0x18000)
#define CODE (MEMORY + 0x10000)
#define UNIFORMS (MEMORY + 0x19000)
#define VERTICES (MEMORY + 0x1a000)
#define TARGET (MEMORY + 0x100000)
#define OTHER (MEMORY + 0x300000)

/* Threads, and how many there are of such numbers */
static const unsigned int counts[] = { 0, 1, 2, 8 };
#define COUNTS (sizeof(counts) / sizeof(counts[0]))

static inline struct chip *chip_with_threads(unsigned int threads)
{
	const struct v3dsim_config config = { .threads = threads };

	return chip_new(&config);
}

static inline uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static inline void put_words(struct chip *chip, uint32_t addr, const uint32_t *words, size_t count)
{
	for (size_t n = 0; n < count; n++)
		chip_put(chip, addr + 4 * n, (const uint8_t[]){ LE32(words[n]) }, 4);
}

/*
 * Shader record n: the shader and the vertices are the same, and two uniforms are its own. AG100
 * Table 46
 */
static inline void put_record(struct chip *chip, unsigned int n, uint32_t first, uint32_t second)
{
	const uint32_t at = UNIFORMS + 8 * n, uniforms[] = { first, second };

	put_words(chip, at, uniforms, 2);
	chip_put(chip, RECORD + 16 * n,
		 (const uint8_t[]){ 0, 20, 0, 2, LE32(CODE), LE32(at), LE32(VERTICES) }, 16);
}

/* s and t are 1 a frame, moved by so many tiles to the right. AG100 Figure 12, without header */
static inline void put_vertices(struct chip *chip, int tiles)
{
	const uint32_t one = bits_of(1), near = bits_of((float)tiles / TILES),
		       far = bits_of(2 + (float)tiles / TILES);
	const uint32_t vertices[] = {
		0, one, one, near, 0,
		2 * SIDE * 16, one, one, far, 0,
		2 * SIDE * 16u << 16, one, one, near, bits_of(2),
	};

	put_words(chip, VERTICES, vertices, sizeof(vertices) / sizeof(vertices[0]));
}

static inline void put_shader(struct chip *chip, void (*shader)(struct qb *b))
{
	uint64_t code[64];
	struct qb b;

	qb_init(&b, code, 64);
	shader(&b);
	qb_end(&b);
	assert_false(b.failed);
	chip_put(chip, CODE, (const uint8_t *)code, b.count * sizeof(code[0]));
}

/* How a frame in T-format begins: a store that clears */
static inline void begin_frame(struct chip *chip, uint32_t target)
{
	LIST(chip, 1, 114, LE32(0), LE32(0), LE32(0), 0);
	LIST(chip, 1, 113, LE32(target), LE16(SIDE), LE16(SIDE), 0x44, 0);
	LIST(chip, 1, 115, 0, 0, 28, LE16(0), LE32(0));
}

/* A frame whose tiles draw the triangle once with each of some shader records */
static inline void render(struct chip *chip, unsigned int records)
{
	enum v3dsim_state state = V3DSIM_BUSY;

	chip_list_at(chip, 1, MEMORY + 0x8000);
	begin_frame(chip, TARGET);
	LIST(chip, 1, 96, 0x03, 0, 0, 102, LE16(0), LE16(0), LE16(SIDE), LE16(SIDE), 103, LE16(0),
	     LE16(0));
	for (uint8_t y = 0; y < TILES; y++) {
		for (uint8_t x = 0; x < TILES; x++) {
			LIST(chip, 1, 115, x, y);
			for (unsigned int n = 0; n < records; n++)
				LIST(chip, 1, 65, LE32(RECORD + 16 * n), 33, 4, LE32(3), LE32(0));
			LIST(chip, 1, y == TILES - 1 && x == TILES - 1 ? 25 : 24);
		}
	}
	chip_start(chip, 1);
	for (unsigned int n = 0; n < 10 && state == V3DSIM_BUSY; n++)
		state = chip_run(chip);
	assert_int_equal(state, V3DSIM_IDLE);
}

static inline uint32_t pixel_of(struct chip *chip, uint32_t target, uint32_t x, uint32_t y)
{
	const struct texture_image image = { target, V3D_T_FORMAT, 4, SIDE, SIDE };

	return chip_word(chip, texture_address(&image, x, y));
}

#endif /* V3DSIM_TESTS_FRAME_FIXTURE_H */
