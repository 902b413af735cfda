// SPDX-License-Identifier: MIT
/* The coverage accumulation pipe, from AG100 p. 48, 63 and Table 38, record 96. */
#include "tests/tlb_bench.h"

#include "back/cap.h"

/* A pixel's parts in the form that cap_quad() takes: bit 4 * part + pixel */
static uint64_t spread(uint16_t parts, unsigned int pixel)
{
	uint64_t covered = 0;

	for (unsigned int part = 0; part < 16; part++)
		if (parts >> part & 1)
			covered |= UINT64_C(1) << (4 * part + pixel);
	return covered;
}

static void accumulate(struct bench *b, unsigned int update, uint16_t parts, bool reverse)
{
	b->f.config.coverage_update = update;
	/* pixel (3, 1): lane 7 */
	cap_quad(b->sim, 2, 0, spread(parts, 3), &b->f.config, reverse);
}

/* The mask of lane 7, left as it is */
static uint32_t mask(struct bench *b)
{
	b->f.config.coverage_leave = true;
	b->f.config.coverage_read_type = 1;
	return load_lane(b, V3D_QPU_SIG_LOAD_COVERAGE, 7);
}

static void test_nonzero(void **state)
{
	struct bench *b = bench_new(false, false);

	(void)state;
	accumulate(b, V3D_COVERAGE_NONZERO, 0x00ff, false);
	assert_int_equal(mask(b), 0x00ff);
	accumulate(b, V3D_COVERAGE_NONZERO, 0x0ff0, false);	/* 1 1 2 2 ... */
	assert_int_equal(mask(b), 0x0fff);
	accumulate(b, V3D_COVERAGE_NONZERO, 0xffff, true);
	assert_int_equal(mask(b), 0xf0f0);			/* 0 1 0 -1 by nibbles */
	accumulate(b, V3D_COVERAGE_NONZERO, 0xf000, false);
	assert_int_equal(mask(b), 0x00f0);
	accumulate(b, V3D_COVERAGE_NONZERO, 0x00f0, true);
	assert_int_equal(mask(b), 0);
	bench_free(b);
}

/*
 * A hundred primitives on top of each other do not cancel out before a hundred others take them
 * away.
 */
static void test_deep(void **state)
{
	struct bench *b = bench_new(false, false);

	(void)state;
	for (unsigned int n = 0; n < 200; n++) {
		accumulate(b, V3D_COVERAGE_NONZERO, 1, n >= 100);
		assert_int_equal(mask(b), n != 199);
	}
	bench_free(b);
}

static void test_other_modes(void **state)
{
	struct bench *b = bench_new(false, false);

	(void)state;
	accumulate(b, V3D_COVERAGE_ODD, 0x0ff0, false);
	accumulate(b, V3D_COVERAGE_ODD, 0x00ff, true);
	assert_int_equal(mask(b), 0x0f0f);
	accumulate(b, V3D_COVERAGE_OR, 0x00ff, true);
	assert_int_equal(mask(b), 0x0fff);
	accumulate(b, V3D_COVERAGE_ZERO, 0x3c3c, false);
	assert_int_equal(mask(b), 0x03c3);
	assert_int_equal(load_lane(b, V3D_QPU_SIG_LOAD_COVERAGE, 6), 0);	/* its neighbours */
	assert_int_equal(load_lane(b, V3D_QPU_SIG_LOAD_COVERAGE, 5), 0);
	bench_free(b);
}

/* 8 of 16 parts are 127.5 of 255 */
static void test_levels(void **state)
{
	static const struct {
		uint16_t parts;
		uint32_t level;
	} levels[] = { { 0, 0 },
		       { 0x8000, 0x10101010 },
		       { 0x00ff, 0x80808080 },
		       { 0xfffe, 0xefefefef },
		       { 0xffff, 0xffffffff } };

	(void)state;
	for (unsigned int n = 0; n < sizeof(levels) / sizeof(levels[0]); n++) {
		struct bench *b = bench_new(false, false);

		accumulate(b, V3D_COVERAGE_OR, levels[n].parts, false);
		assert_int_equal(load_lane(b, V3D_QPU_SIG_LOAD_COVERAGE, 7), levels[n].level);
		bench_free(b);
	}
}

static void test_clear_on_read(void **state)
{
	struct bench *b = bench_new(false, false);

	(void)state;
	accumulate(b, V3D_COVERAGE_NONZERO, 0xffff, false);
	accumulate(b, V3D_COVERAGE_NONZERO, 0xffff, false);
	b->f.flags[0] = 0xff7f;			/* not lane 7 */
	b->f.config.coverage_leave = false;
	b->f.config.coverage_read_type = 1;
	assert_int_equal(load_lane(b, V3D_QPU_SIG_LOAD_COVERAGE, 7), 0xffff);
	b->f.flags[0] = 0x0080;
	assert_int_equal(load_lane(b, V3D_QPU_SIG_LOAD_COVERAGE, 7), 0xffff);
	assert_int_equal(counted(b, V3D_COUNTER_tlb_quads_nonzero_coverage), 1);
	assert_int_equal(load_lane(b, V3D_QPU_SIG_LOAD_COVERAGE, 7), 0);
	assert_int_equal(counted(b, V3D_COUNTER_tlb_quads_nonzero_coverage), 1);
	/* 4 of the first load, 1 of the last */
	assert_int_equal(counted(b, V3D_COUNTER_tlb_quads_zero_coverage), 5);
	/* its count starts anew */
	accumulate(b, V3D_COVERAGE_NONZERO, 0x0001, false);
	accumulate(b, V3D_COVERAGE_NONZERO, 0x0001, true);
	assert_int_equal(mask(b), 0);
	bench_free(b);
}

static void test_multisample(void **state)
{
	struct bench *b = bench_new(true, false);

	(void)state;
	accumulate(b, V3D_COVERAGE_OR, 0xffff, false);
	assert_int_equal(mask(b), 0);
	assert_int_equal(*zs(b, 3, 1, 0), 0);
	bench_free(b);
}

/* Words of AG100 Table 38's record 96, and VG coordinates in 1/16 of a pixel */
#define BOTH_FACES 3
#define OVERSAMPLE_16X (2 << 6)
#define PIPE (1 << 8)
#define UPDATE(mode) ((mode) << 9)
#define ALWAYS (7 << 12)
#define XY(x, y) LE32((uint32_t)(y) << 16 | (x))
/* where the last vertex of a triangle would be */
#define END XY(0, 0), XY(0, 0), LE32(0xbfff0000)
#define FRAME (MEMORY + 0x100000)
#define CODE (MEMORY + 0x20000)

/* A shader that writes the coverage it reads */
static void put_shader(struct chip *chip)
{
	struct v3d_qpu_inst inst = {
		.sig = V3D_QPU_SIG_LOAD_COVERAGE,
		.waddr_add = V3D_QPU_W_NOP,
		.waddr_mul = V3D_QPU_W_NOP,
		.raddr_a = V3D_QPU_R_NOP,
		.raddr_b = V3D_QPU_R_NOP,
	};
	uint64_t words[4] = { v3d_qpu_encode(&inst) };

	inst.sig = V3D_QPU_SIG_NONE;
	words[2] = words[3] = v3d_qpu_encode(&inst);
	inst.sig = V3D_QPU_SIG_PROGRAM_END;
	inst.op_add = V3D_QPU_ADD_OR;
	inst.add_a = inst.add_b = V3D_QPU_R4;
	inst.cond_add = V3D_QPU_COND_ALWAYS;
	inst.waddr_add = V3D_QPU_W_TLB_COLOUR_ALL;
	words[1] = v3d_qpu_encode(&inst);
	memcpy(chip_bytes(chip, CODE), words, sizeof(words));
}

/* Two triangles from (8, 4.25) to (24.5, 20), once facing us and once turned */
static void rectangle(struct chip *chip, bool turned)
{
	if (turned)
		LIST(chip, 1, 42, 4, XY(128, 68), XY(392, 320), XY(392, 68), XY(128, 68),
		     XY(128, 320), XY(392, 320), END);
	else
		LIST(chip, 1, 42, 4, XY(128, 68), XY(392, 68), XY(392, 320), XY(128, 68),
		     XY(392, 320), XY(128, 320), END);
}

/* A frame of one tile: two rectangles to the coverage pipe, then all of the tile to the shader */
static void draw_vg(struct chip *chip, unsigned int update, bool turned)
{
	put_shader(chip);
	LIST(chip, 1, 114, LE32(0), LE32(0), LE32(0), 0);
	/* a store of nothing clears */
	LIST(chip, 1, 115, 0, 0, 28, LE16(0), LE32(0));
	/* coverage mode, rgba8888 */
	LIST(chip, 1, 113, LE32(FRAME), LE16(64), LE16(64), LE16(0x204));
	LIST(chip, 1, 115, 0, 0);
	LIST(chip, 1, 102, LE16(0), LE16(0), LE16(64), LE16(64));
	LIST(chip, 1, 103, LE16(0), LE16(0));
	LIST(chip, 1, 67, LE32(CODE | 1), LE32(MEMORY));
	LIST(chip, 1, 96, LE16(BOTH_FACES | OVERSAMPLE_16X | PIPE | UPDATE(update) | ALWAYS), 0);
	rectangle(chip, false);
	rectangle(chip, turned);
	LIST(chip, 1, 96, LE16(BOTH_FACES | ALWAYS), 0);
	LIST(chip, 1, 42, 4, XY(0, 0), XY(1024, 0), XY(1024, 1024), XY(0, 0), XY(1024, 1024),
	     XY(0, 1024), END);
	/* Z and stencil; the colour stays */
	LIST(chip, 1, 28, LE16(0x2002), LE32(FRAME + 0x10000));
	LIST(chip, 1, 25);
	chip_go(chip, 1);
}

static uint32_t drawn(struct chip *chip, uint32_t x, uint32_t y)
{
	return chip_word(chip, FRAME + (y * 64 + x) * 4);
}

/* What a pixel's share of the rectangle is: the lowest row has 3/4, the right column 1/2. */
static void test_drawn(void **state)
{
	struct chip *chip = *state;

	draw_vg(chip, V3D_COVERAGE_NONZERO, false);
	assert_int_equal(drawn(chip, 8, 5), 0xffffffff);
	/* on the triangles' common side */
	assert_int_equal(drawn(chip, 16, 12), 0xffffffff);
	assert_int_equal(drawn(chip, 23, 19), 0xffffffff);
	assert_int_equal(drawn(chip, 24, 19), 0x80808080);			/* 8 / 16: 127.5 */
	/* 12 / 16: 191.25 */
	assert_int_equal(drawn(chip, 8, 4), 0xbfbfbfbf);
	assert_int_equal(drawn(chip, 24, 4), 0x60606060);			/* 6 / 16: 95.6 */
	assert_int_equal(drawn(chip, 7, 5), 0);
	assert_int_equal(drawn(chip, 25, 5), 0);
	assert_int_equal(drawn(chip, 8, 20), 0);
	assert_int_equal(drawn(chip, 8, 3), 0);
	for (uint32_t i = 0; i < 64 * 64; i++)
		/* read, hence clear */
		assert_int_equal(chip_word(chip, FRAME + 0x10000 + i * 4), 0);
	/*
	 * Quads on the diagonal of the tile are read by both triangles: 6 of the rectangle's 9 x 8,
	 * 32 in all.
	 */
	assert_int_equal(chip->sim->pctr.totals[V3D_COUNTER_tlb_quads_nonzero_coverage], 9 * 8 + 6);
	assert_int_equal(chip->sim->pctr.totals[V3D_COUNTER_tlb_quads_zero_coverage],
			 32 * 32 + 32 - (9 * 8 + 6));
}

static void test_drawn_away(void **state)
{
	struct chip *chip = *state;

	draw_vg(chip, V3D_COVERAGE_NONZERO, true);
	assert_int_equal(drawn(chip, 16, 12), 0);
	assert_int_equal(drawn(chip, 24, 4), 0);
	draw_vg(chip, V3D_COVERAGE_ODD, false);
	assert_int_equal(drawn(chip, 16, 12), 0);
	assert_int_equal(drawn(chip, 24, 4), 0);
	draw_vg(chip, V3D_COVERAGE_OR, true);
	assert_int_equal(drawn(chip, 16, 12), 0xffffffff);
	assert_int_equal(drawn(chip, 24, 4), 0x60606060);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nonzero),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_other_modes),
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_clear_on_read),
		cmocka_unit_test(test_multisample),
		cmocka_unit_test_setup_teardown(test_drawn, chip_setup, chip_teardown),
		cmocka_unit_test_setup_teardown(test_drawn_away, chip_setup, chip_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
