// SPDX-License-Identifier: MIT
/*
 * Textures that the frame stores itself, a tile after the other, with 0, 1, 2 and 8 threads: each
 * tile finds what the tiles before it have stored, and nothing of those after it. And shaders that
 * change between lists.
 */
#include "frame_fixture.h"

/*
 * Texel (s, t), and 1 more: a texture of one level, all sizes nearest, repeated; its words are the
 * first two uniforms
 */
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
	qb_emit(b, qb_mov(QB_R3, QB_UNIF));	/* never reached */
	qb_patch(b, branch, qb_here(b));
	texture_shader(b);
}

/* What each tile shows, of the uniform words and the shader */
static void check(void (*shader)(struct qb *b), int tiles, const uint32_t *words,
		  uint32_t (*expected)(uint32_t x, uint32_t y))
{
	for (unsigned int n = 0; n < COUNTS; n++) {
		struct chip *chip = chip_with_threads(counts[n]);

		put_vertices(chip, tiles);
		put_record(chip, 0, words[0], words[1]);
		put_shader(chip, shader);
		render(chip, 1);
		for (uint32_t y = 0; y < SIDE; y += 13)
			for (uint32_t x = 0; x < SIDE; x += 11)
				assert_int_equal(pixel_of(chip, TARGET, x, y),
						 expected(x / 64, y / 64));
		chip_free(chip);
	}
}

#define TEXTURE_SIZE (SIDE << 20 | SIDE << 8 | 1 << 7 | 1 << 4)
static const uint32_t same[] = { TARGET, TEXTURE_SIZE }, other[] = { OTHER, TEXTURE_SIZE };

/*
 * The first tile finds the row's last one, not yet drawn; each further one what its left neighbour
 * has, and 1 more
 */
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

/*
 * What no tile stores to: nothing waits, nothing is found. Its levels lie below it: here in the
 * frame, but they are not there.
 */
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

/* The same shader with two sets of uniforms: first a texture that is not stored, then the frame */
static void test_two(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < COUNTS; n++) {
		struct chip *chip = chip_with_threads(counts[n]);

		put_vertices(chip, -1);
		put_record(chip, 0, other[0], other[1]);
		put_record(chip, 1, same[0], same[1]);
		put_shader(chip, texture_shader);
		render(chip, 2);
		for (uint32_t x = 0; x < SIDE; x += 11)
			assert_int_equal(pixel_of(chip, TARGET, x, 300), x / 64 + 1);
		chip_free(chip);
	}
}

/*
 * A vertex where its attribute says, whose only varying is the word at the first uniform, as a
 * float
 */
static void vertex_shader(struct qb *b)
{
	qb_emit(b, qb_ldi(QB_VW_SETUP, 0x1a00));
	qb_emit(b, qb_ldi(QB_VR_SETUP, 0x1a00 | 1 << 20));
	qb_emit(b, qb_mov(QB_TMU0_S, QB_UNIF));
	qb_emit(b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	qb_emit(b, qb_add(V3D_QPU_ADD_ITOF, QB_R1, QB_R4, QB_R4));
	qb_emit(b, qb_mov(QB_R0, QB_VPM_READ));
	qb_emit(b, qb_mov(QB_VPM_WRITE, QB_R0));
	qb_emit(b, qb_ldi(QB_VPM_WRITE, bits_of(1)));
	qb_emit(b, qb_ldi(QB_VPM_WRITE, bits_of(1)));
	qb_emit(b, qb_mov(QB_VPM_WRITE, QB_R1));
}

/* The varying, and 1 more */
static void varying_shader(struct qb *b)
{
	qb_emit(b, qb_mul(V3D_QPU_MUL_FMUL, QB_R0, QB_RA(15), QB_RB(V3D_QPU_R_VARYING)));
	qb_emit(b, qb_add(V3D_QPU_ADD_FADD, QB_R0, QB_R0, QB_R5));
	qb_emit(b, qb_add(V3D_QPU_ADD_FTOI, QB_R0, QB_R0, QB_R0));
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), QB_R0, qb_imm(1)));
}

#define VERTEX_CODE (CODE + 0x1000)
#define GL_RECORD (RECORD + 0x400)

static void put_gl_record(struct chip *chip)
{
	const struct v3d_gl_shader_record record = {
		.single_threaded = 1,
		.fs_varyings = 1,
		.fs_code = CODE,
		.fs_uniforms = UNIFORMS,
		.vs_attributes = 1,
		.vs_attributes_size = 4,
		.vs_code = VERTEX_CODE,
		.vs_uniforms = UNIFORMS,
	};
	const struct v3d_attribute attribute = { .address = VERTICES, .size_minus_1 = 3,
						 .stride = 20 };
	uint8_t bytes[V3D_GL_SHADER_RECORD_LENGTH + V3D_ATTRIBUTE_LENGTH] = { 0 };
	uint64_t code[32];
	struct qb b;

	v3d_pack_gl_shader_record(bytes, &record);
	v3d_pack_attribute(bytes + V3D_GL_SHADER_RECORD_LENGTH, &attribute);
	chip_put(chip, GL_RECORD, bytes, sizeof(bytes));
	qb_init(&b, code, 32);
	vertex_shader(&b);
	qb_end(&b);
	assert_false(b.failed);
	chip_put(chip, VERTEX_CODE, (const uint8_t *)code, b.count * sizeof(code[0]));
}

/*
 * What a vertex shader looks up: the first tile's first word, which is 0 for the first tile and 1
 * for all others
 */
static void test_vertices(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < COUNTS; n++) {
		struct chip *chip = chip_with_threads(counts[n]);

		put_vertices(chip, 0);
		put_record(chip, 0, TARGET, 0);
		put_shader(chip, varying_shader);
		put_gl_record(chip);
		begin_frame(chip, TARGET);
		LIST(chip, 1, 96, 0x03, 0, 0, 102, LE16(0), LE16(0), LE16(SIDE), LE16(SIDE), 103,
		     LE16(0), LE16(0));
		for (uint8_t x = 0; x < TILES; x++)
			LIST(chip, 1, 115, x, 0, 64, LE32(GL_RECORD | 1), 33, 4, LE32(3), LE32(0),
			     x == TILES - 1 ? 25 : 24);
		chip_go(chip, 1);
		for (uint32_t x = 0; x < SIDE; x += 11)
			assert_int_equal(pixel_of(chip, TARGET, x, 30), x < 64 ? 1 : 2);
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
	for (unsigned int n = 0; n < COUNTS; n++) {
		struct chip *chip = chip_with_threads(counts[n]);

		put_vertices(chip, 0);
		put_record(chip, 0, same[0], same[1]);
		put_shader(chip, plain_shader);
		render(chip, 1);
		assert_int_equal(pixel_of(chip, TARGET, 100, 100), 5);
		assert_int_equal(rd(chip, V3D_DBQITC), 0);
		put_shader(chip, interrupt_shader);
		wr(chip, V3D_DBQITE, 0xfff);
		render(chip, 1);
		assert_int_equal(pixel_of(chip, TARGET, 100, 100), 6);
		assert_int_not_equal(rd(chip, V3D_DBQITC), 0);
		chip_free(chip);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_before), cmocka_unit_test(test_after),
		cmocka_unit_test(test_apart), cmocka_unit_test(test_word),
		cmocka_unit_test(test_two), cmocka_unit_test(test_vertices),
		cmocka_unit_test(test_changed),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("stored", tests, NULL, NULL);
}
