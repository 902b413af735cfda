// SPDX-License-Identifier: MIT
/*
 * Textures that the frame stores itself, a tile after the other, with 0, 1, 2 and 8 threads: each tile finds what the tiles before
 * it have stored, and nothing of those after it. And shaders that change between lists.
 */
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

static const unsigned int counts[] = { 0, 1, 2, 8 };

static uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static void put_words(struct chip *chip, uint32_t addr, const uint32_t *words, size_t count)
{
	for (size_t n = 0; n < count; n++)
		chip_put(chip, addr + 4 * n, (const uint8_t[]){ LE32(words[n]) }, 4);
}

/* A triangle that covers the frame; s and t are 1 a frame, moved by so many tiles to the right. AG100 Figure 12, without header */
static void put_vertices(struct chip *chip, int tiles)
{
	const uint32_t one = bits_of(1), near = bits_of((float)tiles / TILES), far = bits_of(2 + (float)tiles / TILES);
	const uint32_t vertices[] = {
		0, one, one, near, 0,
		2 * SIDE * 16, one, one, far, 0,
		2 * SIDE * 16u << 16, one, one, near, bits_of(2),
	};

	put_words(chip, VERTICES, vertices, sizeof(vertices) / sizeof(vertices[0]));
	chip_put(chip, RECORD, (const uint8_t[]){ 0, 20, 0, 2, LE32(CODE), LE32(UNIFORMS), LE32(VERTICES) }, 16);
}

/* Texel (s, t), and 1 more: a texture of one level, all sizes nearest, repeated; its words are the first two uniforms */
static void texture_shader(struct qb *b)
{
	qb_emit(b, qb_mul(V3D_QPU_MUL_FMUL, QB_R0, QB_RA(15), QB_RB(V3D_QPU_R_VARYING)));
	qb_emit(b, qb_both(qb_add(V3D_QPU_ADD_FADD, QB_R0, QB_R0, QB_R5),
			   qb_mul(V3D_QPU_MUL_FMUL, QB_R1, QB_RA(15), QB_RB(V3D_QPU_R_VARYING))));
	qb_emit(b, qb_add(V3D_QPU_ADD_FADD, QB_IO(V3D_QPU_W_TMU0_T), QB_R1, QB_R5));
	qb_emit(b, qb_mov(QB_TMU0_S, QB_R0));
	qb_emit(b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), QB_R4, qb_imm(1)));
}

/* The word at the first uniform, and 1 more */
static void word_shader(struct qb *b)
{
	qb_emit(b, qb_mov(QB_TMU0_S, QB_UNIF));
	qb_emit(b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), QB_R4, qb_imm(1)));
}

/* As texture_shader(), behind a branch that is always taken */
static void branching_shader(struct qb *b)
{
	const uint32_t branch = qb_here(b);

	qb_emit(b, qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 0, QB_NONE));
	qb_nops(b, 3);
	qb_emit(b, qb_mov(QB_R3, QB_UNIF));	/* nobody comes here */
	qb_patch(b, branch, qb_here(b));
	texture_shader(b);
}

static void put_shader(struct chip *chip, void (*shader)(struct qb *b))
{
	uint64_t code[64];
	struct qb b;

	qb_init(&b, code, 64);
	shader(&b);
	qb_end(&b);
	assert_false(b.failed);
	chip_put(chip, CODE, (const uint8_t *)code, b.count * sizeof(code[0]));
}

/* The frame in T-format, a store that clears first; each tile draws the triangle once with each of some shader records. */
static void render_with(struct chip *chip, unsigned int records)
{
	chip_list_at(chip, 1, MEMORY + 0x8000);
	LIST(chip, 1, 114, LE32(0), LE32(0), LE32(0), 0);
	LIST(chip, 1, 113, LE32(TARGET), LE16(SIDE), LE16(SIDE), 0x44, 0);
	LIST(chip, 1, 115, 0, 0, 28, LE16(0), LE32(0));
	LIST(chip, 1, 96, 0x03, 0, 0, 102, LE16(0), LE16(0), LE16(SIDE), LE16(SIDE), 103, LE16(0), LE16(0));
	for (uint8_t y = 0; y < TILES; y++) {
		for (uint8_t x = 0; x < TILES; x++) {
			LIST(chip, 1, 115, x, y);
			for (unsigned int n = 0; n < records; n++)
				LIST(chip, 1, 65, LE32(RECORD + 16 * n), 33, 4, LE32(3), LE32(0));
			LIST(chip, 1, y == TILES - 1 && x == TILES - 1 ? 25 : 24);
		}
	}
	chip_go(chip, 1);
}

static void render(struct chip *chip)
{
	render_with(chip, 1);
}

static uint32_t pixel(struct chip *chip, uint32_t x, uint32_t y)
{
	const struct texture_image image = { TARGET, V3D_T_FORMAT, 4, SIDE, SIDE };

	return chip_word(chip, texture_address(&image, x, y));
}

/* What each tile shows, of the uniform words and the shader */
static void check(void (*shader)(struct qb *b), int tiles, const uint32_t *words, uint32_t (*expected)(uint32_t x, uint32_t y))
{
	for (unsigned int n = 0; n < sizeof(counts) / sizeof(counts[0]); n++) {
		const struct v3dsim_config config = { .threads = counts[n] };
		struct chip *chip = chip_new(&config);

		put_vertices(chip, tiles);
		put_words(chip, UNIFORMS, words, 2);
		put_shader(chip, shader);
		render(chip);
		for (uint32_t y = 0; y < SIDE; y += 13)
			for (uint32_t x = 0; x < SIDE; x += 11)
				assert_int_equal(pixel(chip, x, y), expected(x / 64, y / 64));
		chip_free(chip);
	}
}

#define TEXTURE_SIZE (SIDE << 20 | SIDE << 8 | 1 << 7 | 1 << 4)
static const uint32_t same[] = { TARGET, TEXTURE_SIZE }, other[] = { OTHER, TEXTURE_SIZE };

/* The first tile finds the row's last one, not yet drawn; each further one what its left neighbour has, and 1 more */
static uint32_t column_and_1(uint32_t x, uint32_t y)
{
	(void)y;
	return x + 1;
}

static void test_before(void **state)
{
	(void)state;
	check(texture_shader, -1, same, column_and_1);
	check(branching_shader, -1, same, column_and_1);
}

/* Each tile finds its right neighbour not yet drawn, but the last of a row the first one. */
static uint32_t last_has_2(uint32_t x, uint32_t y)
{
	(void)y;
	return x == TILES - 1 ? 2 : 1;
}

static void test_after(void **state)
{
	(void)state;
	check(texture_shader, 1, same, last_has_2);
}

static uint32_t one(uint32_t x, uint32_t y)
{
	(void)x;
	(void)y;
	return 1;
}

/* What no tile stores to: nothing waits, nothing is found. Its levels lie below it: here in the frame, but they are not there. */
static void test_apart(void **state)
{
	(void)state;
	check(texture_shader, -1, other, one);
}

/* One word, of the first tile: only that one finds nothing. */
static uint32_t first_has_1(uint32_t x, uint32_t y)
{
	return x || y ? 2 : 1;
}

static void test_word(void **state)
{
	(void)state;
	check(word_shader, 0, same, first_has_1);
}

/* The same shader with two sets of uniforms: first a texture that nobody stores, then the frame */
static void test_two(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < sizeof(counts) / sizeof(counts[0]); n++) {
		const struct v3dsim_config config = { .threads = counts[n] };
		struct chip *chip = chip_new(&config);

		put_vertices(chip, -1);
		chip_put(chip, RECORD + 16, (const uint8_t[]){ 0, 20, 0, 2, LE32(CODE), LE32(UNIFORMS + 8), LE32(VERTICES) }, 16);
		put_words(chip, UNIFORMS, other, 2);
		put_words(chip, UNIFORMS + 8, same, 2);
		put_shader(chip, texture_shader);
		render_with(chip, 2);
		for (uint32_t x = 0; x < SIDE; x += 11)
			assert_int_equal(pixel(chip, x, 300), x / 64 + 1);
		chip_free(chip);
	}
}

static void plain_shader(struct qb *b)
{
	qb_emit(b, qb_ldi(QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), 5));
}

static void interrupt_shader(struct qb *b)
{
	qb_emit(b, qb_ldi(QB_HOST_INT, 1));
	qb_emit(b, qb_ldi(QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), 6));
}

/* A shader that uses nothing that QPUs share, and another one, in its place, that does */
static void test_changed(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < sizeof(counts) / sizeof(counts[0]); n++) {
		const struct v3dsim_config config = { .threads = counts[n] };
		struct chip *chip = chip_new(&config);

		put_vertices(chip, 0);
		put_shader(chip, plain_shader);
		render(chip);
		assert_int_equal(pixel(chip, 100, 100), 5);
		assert_int_equal(rd(chip, V3D_DBQITC), 0);
		put_shader(chip, interrupt_shader);
		wr(chip, V3D_DBQITE, 0xfff);
		render(chip);
		assert_int_equal(pixel(chip, 100, 100), 6);
		assert_int_not_equal(rd(chip, V3D_DBQITC), 0);
		chip_free(chip);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_before), cmocka_unit_test(test_after), cmocka_unit_test(test_apart),
		cmocka_unit_test(test_word), cmocka_unit_test(test_two), cmocka_unit_test(test_changed),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("stored", tests, NULL, NULL);
}
