// SPDX-License-Identifier: MIT
/* The coverage accumulation pipe, from AG100 p. 48, 63 and Table 38, record 96. */
#include "tlb_bench.h"

#include "cap.h"

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
	cap_quad(b->sim, 2, 0, spread(parts, 3), &b->f.config, reverse);	/* pixel (3, 1): lane 7 */
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

/* A hundred primitives on top of each other do not cancel out before a hundred others take them away. */
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
	} levels[] = { { 0, 0 }, { 0x8000, 0x10101010 }, { 0x00ff, 0x80808080 }, { 0xfffe, 0xefefefef }, { 0xffff, 0xffffffff } };

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
	assert_int_equal(counted(b, V3D_COUNTER_tlb_quads_zero_coverage), 5);	/* 4 of the first load, 1 of the last */
	accumulate(b, V3D_COVERAGE_NONZERO, 0x0001, false);			/* its count starts anew */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nonzero),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_other_modes),
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_clear_on_read),
		cmocka_unit_test(test_multisample),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
