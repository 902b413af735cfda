// SPDX-License-Identifier: MIT
/*
 * What comes before what in a frame, and between two frames, with 0, 1, 2 and 8 threads: fragments
 * on top of each other, shaders of two threads, and a frame that is binned while the one before it
 * is rendered.
 */
#include "frame_fixture.h"

#define LISTS (MEMORY + 0x20000)
#define LISTS_BYTES 0x10000
#define STATE (MEMORY + 0x60000)

/* Twice what is there, and the uniform */
static void doubling_shader(struct qb *b)
{
	qb_emit(b, qb_signal(V3D_QPU_SIG_WAIT_SCOREBOARD, qb_nop()));
	qb_emit(b, qb_nop());
	qb_emit(b, qb_signal(V3D_QPU_SIG_LOAD_COLOR, qb_mov(QB_R0, QB_UNIF)));
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_R1, QB_R4, QB_R4));
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), QB_R1, QB_R0));
}

/*
 * AG100 p. 45: fragments on top of each other reach the tile buffer in the order of their
 * primitives.
 */
static void test_overlap(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < COUNTS; n++) {
		struct chip *chip = chip_with_threads(counts[n]);
		uint32_t color = 0;

		put_vertices(chip, 0);
		for (uint32_t record = 0; record < 6; record++) {
			put_record(chip, record, record + 3, 0);
			color = 2 * color + record + 3;
		}
		put_shader(chip, doubling_shader);
		render(chip, 6);
		for (uint32_t y = 0; y < SIDE; y += 13)
			for (uint32_t x = 0; x < SIDE; x += 11)
				assert_int_equal(pixel_of(chip, TARGET, x, y), color);
		chip_free(chip);
	}
}

/*
 * A shader of two threads gives way while it waits for a texel (AG100 p. 21, 22): what its half of
 * the files holds is there when it goes on. The texel is the word at the first uniform.
 */
static void switching_shader(struct qb *b)
{
	qb_emit(b, qb_mov(QB_TMU0_S, QB_UNIF));
	qb_emit(b, qb_mov(QB_RA(3), QB_UNIF));
	qb_emit(b, qb_signal(V3D_QPU_SIG_THREAD_SWITCH, qb_nop()));
	qb_emit(b, qb_mov(QB_RB(4), qb_imm(7)));
	qb_emit(b, qb_nop());
	qb_emit(b, qb_signal(V3D_QPU_SIG_LOAD_TMU0, qb_nop()));
	qb_emit(b, qb_signal(V3D_QPU_SIG_LAST_THREAD_SWITCH, qb_mov(QB_RA(5), QB_R4)));
	qb_emit(b, qb_nop());
	qb_emit(b, qb_nop());
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_RA(5), QB_RB(4)));
	qb_emit(b, qb_add(V3D_QPU_ADD_ADD, QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), QB_R0, QB_RA(3)));
}

static void test_two_threads(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < COUNTS; n++) {
		struct chip *chip = chip_with_threads(counts[n]);
		const uint32_t texel = 0x1000;

		put_vertices(chip, 0);
		put_words(chip, OTHER, &texel, 1);
		put_record(chip, 0, OTHER, 0x200);
		put_shader(chip, switching_shader);
		render(chip, 1);
		assert_int_equal(pixel_of(chip, TARGET, 300, 200), 0x1000 + 0x200 + 7);
		chip_free(chip);
	}
}

#define KEEP_ALL 0xe000		/* record 28: what is stored is not cleared */
#define IN_T 0x10

/*
 * Each second tile is loaded, stored, and kept, so that the next one stores it once more: AG100 p.
 * 46, a tile buffer has what it had before until a store clears it.
 */
static void test_kept(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < COUNTS; n++) {
		struct chip *chip = chip_with_threads(counts[n]);

		for (uint32_t at = 0; at < SIDE * SIDE; at++)
			put_words(chip, OTHER + 4 * at,
				  &(const uint32_t){ 0x1000 + at % SIDE / 64 }, 1);
		begin_frame(chip, TARGET);
		for (uint8_t y = 0; y < TILES; y++) {
			for (uint8_t x = 0; x < TILES; x += 2) {
				LIST(chip, 1, 29, LE16(1), LE32(OTHER), 115, x, y);
				LIST(chip, 1, 28, LE16(1 | IN_T | KEEP_ALL), LE32(TARGET));
				LIST(chip, 1, 115, x + 1, y,
				     y == TILES - 1 && x == TILES - 2 ? 25 : 24);
			}
		}
		chip_go(chip, 1);
		for (uint32_t y = 0; y < SIDE; y += 13)
			for (uint32_t x = 0; x < SIDE; x += 11)
				assert_int_equal(pixel_of(chip, TARGET, x, y),
						 0x1000 + x / 128 * 2);
		chip_free(chip);
	}
}

static void uniform_shader(struct qb *b)
{
	qb_emit(b, qb_mov(QB_IO(V3D_QPU_W_TLB_COLOUR_ALL), QB_UNIF));
}

/* Frame n's binning list: its triangle, with shader record n */
static void put_binning(struct chip *chip, unsigned int frame)
{
	LIST(chip, 0, 112, LE32(LISTS + frame * LISTS_BYTES), LE32(LISTS_BYTES),
	     LE32(STATE + frame * 0x4000), TILES, TILES, 4);
	LIST(chip, 0, 6, 96, 0x03, 0, 0, 102, LE16(0), LE16(0), LE16(SIDE), LE16(SIDE), 103,
	     LE16(0), LE16(0));
	LIST(chip, 0, 65, LE32(RECORD + 16 * frame), 33, 4, LE32(3), LE32(0), 4);
}

static void put_rendering(struct chip *chip, unsigned int frame)
{
	begin_frame(chip, TARGET + frame * 0x100000);
	for (uint8_t y = 0; y < TILES; y++) {
		for (uint8_t x = 0; x < TILES; x++) {
			LIST(chip, 1, 115, x, y, 17,
			     LE32(LISTS + frame * LISTS_BYTES + (y * TILES + x) * 32));
			LIST(chip, 1, y == TILES - 1 && x == TILES - 1 ? 25 : 24);
		}
	}
}

static bool both_run(struct chip *chip)
{
	return rd(chip, V3D_CT0CS) & rd(chip, V3D_CT1CS) & V3D_MASK(CTCS, CTRUN);
}

static void check_frame(struct chip *chip, unsigned int frame, uint32_t color)
{
	for (uint32_t y = 0; y < SIDE; y += 17)
		for (uint32_t x = 0; x < SIDE; x += 13)
			assert_int_equal(pixel_of(chip, TARGET + frame * 0x100000, x, y), color);
}

/* Frame 1 is binned while frame 0 is rendered, and neither knows of the other. */
static void test_two_frames(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < COUNTS; n++) {
		struct chip *chip = chip_with_threads(counts[n]);
		unsigned int together = 0;

		put_vertices(chip, 0);
		put_record(chip, 0, 0x11223344, 0);
		put_record(chip, 1, 0x55667788, 0);
		put_shader(chip, uniform_shader);
		put_binning(chip, 0);
		chip_go(chip, 0);
		put_rendering(chip, 0);
		put_binning(chip, 1);
		chip_start(chip, 1);
		chip_start(chip, 0);
		for (unsigned int piece = 0; !counts[n] && piece < 40; piece++) {
			v3dsim_run(chip->sim, 3);
			together += both_run(chip);
		}
		assert_true(counts[n] || together > 2);
		assert_int_equal(chip_run(chip), V3DSIM_IDLE);
		put_rendering(chip, 1);
		chip_go(chip, 1);
		check_frame(chip, 0, 0x11223344);
		check_frame(chip, 1, 0x55667788);
		assert_int_equal(rd(chip, V3D_BFC), 2);
		assert_int_equal(rd(chip, V3D_RFC), 2);
		chip_free(chip);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_two_threads),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_two_frames),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
