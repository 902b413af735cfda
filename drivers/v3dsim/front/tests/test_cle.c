// SPDX-License-Identifier: MIT
/* The control list executor: AG100 Tables 38 and 49 to 57. */
#include "tests/chip.h"

#define RUN 0x20
#define SUBS 0x10
#define CTERR 0x08

static void test_run_to_end(void **state)
{
	struct chip *chip = *state;

	LIST(chip, 1, 1, 1, 1);
	wr(chip, 0x114, 0x40008000);
	wr(chip, 0x10c, 0x40008003);
	assert_int_equal(rd(chip, 0x104), RUN);
	/* deterministic: nothing happens in a register write */
	assert_int_equal(rd(chip, 0x114), 0x40008000);
	wr(chip, 0x114, 0x1234);			/* CTnCA cannot be written while running */
	assert_int_equal(rd(chip, 0x114), 0x40008000);
	assert_int_equal(v3dsim_run(chip->sim, 2), V3DSIM_BUSY);
	assert_int_equal(rd(chip, 0x114), 0x40008002);
	assert_int_equal(chip_run(chip), V3DSIM_IDLE);
	assert_int_equal(rd(chip, 0x104), 0);		/* stopped at end */
	assert_int_equal(rd(chip, 0x114), 0x40008003);
	LIST(chip, 1, 1, 1);
	wr(chip, 0x10c, 0x40008005);			/* extending the list resumes */
	assert_int_equal(rd(chip, 0x104), RUN);
	assert_int_equal(chip_run(chip), V3DSIM_IDLE);
	assert_int_equal(rd(chip, 0x114), 0x40008005);
}

static void test_empty_list(void **state)
{
	struct chip *chip = *state;

	wr(chip, 0x114, 0x40008000);
	wr(chip, 0x10c, 0x40008000);
	assert_int_equal(rd(chip, 0x104), 0);
	assert_int_equal(chip_run(chip), V3DSIM_IDLE);
}

static void test_halt_record(void **state)
{
	struct chip *chip = *state;

	LIST(chip, 0, 1, 0, 1, 1);
	chip_go(chip, 0);
	assert_int_equal(rd(chip, 0x100), SUBS);	/* stopped at halt */
	assert_int_equal(rd(chip, 0x110), 0x40001002);
	/* CTnEA starts only what is stopped at the end */
	wr(chip, 0x108, 0x40001004);
	assert_int_equal(rd(chip, 0x100), SUBS);
	wr(chip, 0x100, SUBS);
	assert_int_equal(rd(chip, 0x100), RUN);
	assert_int_equal(chip_run(chip), V3DSIM_IDLE);
	assert_int_equal(rd(chip, 0x110), 0x40001004);
	assert_int_equal(rd(chip, 0x100), 0);
}

static void test_user_halt(void **state)
{
	struct chip *chip = *state;

	LIST(chip, 0, 1, 1, 1, 1);
	chip_start(chip, 0);
	v3dsim_run(chip->sim, 1);
	wr(chip, 0x100, RUN);
	assert_int_equal(rd(chip, 0x100), SUBS);
	assert_int_equal(chip_run(chip), V3DSIM_IDLE);
	assert_int_equal(rd(chip, 0x110), 0x40001001);
	wr(chip, 0x110, 0x40001002); /* a new address makes it "stopped at end" */
	assert_int_equal(rd(chip, 0x100), 0);
	wr(chip, 0x108, 0x40001004);
	assert_int_equal(chip_run(chip), V3DSIM_IDLE);
	assert_int_equal(rd(chip, 0x110), 0x40001004);
}

static void test_branch(void **state)
{
	struct chip *chip = *state;

	LIST(chip, 1, 16, LE32(0x40009000));
	chip_put(chip, 0x40009000, (uint8_t[]){ 1, 16, LE32(0x40008005) }, 6);
	LIST(chip, 1, 1);
	chip_go(chip, 1);
	assert_int_equal(rd(chip, 0x114), 0x40008006);
}

static void test_branch_to_itself(void **state)
{
	struct chip *chip = *state;

	LIST(chip, 1, 16, LE32(0x40008000));
	chip_start(chip, 1);
	assert_int_equal(v3dsim_run(chip->sim, 100000), V3DSIM_BUSY);
	wr(chip, 0x104, 0x8000);
	assert_int_equal(rd(chip, 0x104), 0);
	assert_int_equal(chip_run(chip), V3DSIM_IDLE);
}

static void test_sub_lists(void **state)
{
	struct chip *chip = *state;

	LIST(chip, 1, 17, LE32(0x40009000), 1);
	chip_put(chip, 0x40009000, (uint8_t[]){ 17, LE32(0x4000a000), 18 }, 6);
	chip_put(chip, 0x4000a000, (uint8_t[]){ 1, 18 }, 2);
	chip_start(chip, 1);
	v3dsim_run(chip->sim, 1);
	assert_int_equal(rd(chip, 0x104), RUN | 1 << 8);	/* CTRTSD */
	assert_int_equal(rd(chip, 0x11c), 0x40008005);		/* CTnRA0 */
	v3dsim_run(chip->sim, 1);
	assert_int_equal(rd(chip, 0x104), RUN | 2 << 8);
	assert_int_equal(rd(chip, 0x114), 0x4000a000);
	assert_int_equal(chip_run(chip), V3DSIM_IDLE);
	assert_int_equal(rd(chip, 0x114), 0x40008006);
	assert_int_equal(rd(chip, 0x104), 0);
	assert_int_equal(rd(chip, 0x124), 2);			/* CTLSLCS: returns */
	wr(chip, 0x124, 1u << 16);
	assert_int_equal(rd(chip, 0x124), 2);
	wr(chip, 0x124, 1);
	assert_int_equal(rd(chip, 0x124), 0);
}

static void test_third_level(void **state)
{
	struct chip *chip = *state;

	LIST(chip, 1, 17, LE32(0x40008000));
	chip_fail(chip, 1, "expected at most two");
}

static void test_return_from_nothing(void **state)
{
	struct chip *chip = *state;

	LIST(chip, 1, 18, 1);
	chip_go(chip, 1);
	assert_int_equal(rd(chip, 0x114), 0x40008002);
}

static void test_errors(void **state)
{
	struct chip *chip = *state;
	struct v3dsim_fault fault;

	LIST(chip, 1, 1, 2);
	chip_fail(chip, 1, "record 2: no such control record");
	assert_true(v3dsim_fault(chip->sim, &fault));
	assert_int_equal(fault.unit, V3DSIM_UNIT_CLE1);
	assert_int_equal(fault.address, 0x40008001);
	assert_int_equal(rd(chip, 0x114), 0x40008001);
	chip_put(chip, 0x40008001, (uint8_t[]){ 1, 1 }, 2);
	wr(chip, 0x10c, 0x40008003);				/* restarting clears CTERR */
	assert_int_equal(rd(chip, 0x104), RUN);
	assert_int_equal(chip_run(chip), V3DSIM_IDLE);
	assert_int_equal(rd(chip, 0x104), 0);
}

static void test_pseudo_record(void **state)
{
	LIST((struct chip *)*state, 0, 254, LE32(0), LE32(0));
	chip_fail(*state, 0, "no such control record");
}

static void test_bus_error(void **state)
{
	struct chip *chip = *state;

	chip_list_at(chip, 0, 0x20000000);
	wr(chip, 0x110, 0x20000000);
	wr(chip, 0x108, 0x20000010);
	assert_int_equal(chip_run(chip), V3DSIM_FAULT);
	assert_int_equal(rd(chip, 0x100), CTERR);
}

/* AG100 Table 38: what is marked (B) and (R), but for record 56 (HW) */
static void test_wrong_list(void **state)
{
	static const uint8_t bin_only[] = { 4, 5, 6, 105, 106, 112 };
	static const uint8_t render_only[] = { 24, 25, 26, 27, 28, 29, 48, 49, 113, 114, 115 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bin_only); i++) {
		struct chip *chip = chip_new(NULL);

		LIST(chip, 1, bin_only[i], LE32(0), LE32(0), LE32(0), LE32(0));
		chip_fail(chip, 1, "in a rendering list");
		chip_free(chip);
	}
	for (i = 0; i < sizeof(render_only); i++) {
		struct chip *chip = chip_new(NULL);

		LIST(chip, 0, render_only[i], LE32(0), LE32(0), LE32(0), LE32(0));
		chip_fail(chip, 0, "in a binning list");
		chip_free(chip);
	}
}

/* Each record of state has the length of AG100 Table 38: the list ends where their sum says. */
static void test_state_records(void **state)
{
	static const struct {
		uint8_t id, len;
	} records[] = {
		{ 56, 2 }, { 64, 5 }, { 65, 5 }, { 66, 5 }, { 67, 9 }, { 96, 4 }, { 97, 5 },
		{ 98, 5 }, { 99, 5 }, { 100, 3 }, { 101, 5 }, { 102, 9 }, { 103, 5 }, { 104, 9 },
	};
	struct chip *chip = *state;
	uint8_t bytes[16] = { 0 };
	unsigned int thread;
	uint32_t total = 0;
	size_t i;

	for (i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		bytes[0] = records[i].id;
		chip_put(chip, MEMORY + 0x1000 + total, bytes, sizeof(bytes));
		chip_put(chip, MEMORY + 0x8000 + total, bytes, sizeof(bytes));
		total += records[i].len;
	}
	for (thread = 0; thread < 2; thread++) {
		chip->at[thread] = chip->list[thread] + total;
		chip_go(chip, thread);
	}
}

static void test_semaphores(void **state)
{
	struct chip *chip = *state;

	LIST(chip, 1, 8, 1);
	chip_start(chip, 1);
	assert_int_equal(chip_run(chip), V3DSIM_STALLED);
	assert_int_equal(rd(chip, 0x104), RUN | SUBS);
	assert_int_equal(rd(chip, 0x114), 0x40008000);
	LIST(chip, 0, 7, 7);				/* nothing is being binned: at once */
	chip_go(chip, 0);
	assert_int_equal(rd(chip, 0x104), 1 << 12);	/* one is left */
	LIST(chip, 0, 8, 1);				/* the other direction */
	LIST(chip, 1, 7);
	chip_start(chip, 0);
	assert_int_equal(chip_run(chip), V3DSIM_STALLED);
	chip_go(chip, 1);
	assert_int_equal(rd(chip, 0x100), 0);
	wr(chip, 0x104, 0x8000);
	assert_int_equal(rd(chip, 0x104), 0);
}

/* Record 7 stands before the flush and acts after it (HW). */
static void test_increment_after_flush(void **state)
{
	struct chip *chip = *state;

	LIST(chip, 0, 112, LE32(MEMORY + 0x20000), LE32(0x10000), LE32(MEMORY + 0x10000), 1, 1, 4);
	LIST(chip, 0, 6, 7);
	chip_go(chip, 0);
	assert_int_equal(rd(chip, 0x104) >> 12, 0);
	LIST(chip, 0, 4);
	chip_go(chip, 0);
	assert_int_equal(rd(chip, 0x104) >> 12, 1);
	assert_int_equal(rd(chip, 0x120), 1 << 16);	/* CTLLCM: flushes */
	wr(chip, 0x120, 1 << 16);
	assert_int_equal(rd(chip, 0x120), 0);
}

static void test_draw_of_nothing(void **state)
{
	struct chip *chip = *state;

	/* triangles of 2 vertices: none, and no shader state is missed */
	LIST(chip, 1, 33, 4, LE32(2), LE32(0));
	chip_go(chip, 1);
	assert_int_equal(rd(chip, 0x12c), 0);			/* CTnPC */
}

static void test_draw_needs_shader(void **state)
{
	LIST((struct chip *)*state, 1, 32, 0x14, LE32(3), LE32(MEMORY), LE32(9));
	chip_fail(*state, 1, "record 64 or 65");
}

static void test_inline_lists(void **state)
{
	struct chip *chip = *state;

	/*
	 * An empty compressed list, one that branches (32 bytes further) to its escape, an inline
	 * VG list of a dummy and the end
	 */
	LIST(chip, 1, 56, 0x12, 48, 128, 1);
	LIST(chip, 1, 48, 130, 1, 0);
	chip_put(chip, 0x40008020, (uint8_t[]){ 128, 16, LE32(0x40008100) }, 6);
	chip_put(chip, 0x40008100,
		 (uint8_t[]){ 42, 4, LE32(1), LE32(2), LE32(0xbfff0001), LE32(1), LE32(2),
			      LE32(0xbfff0000), 1 },
		 27);
	chip->at[1] = 0x4000811b;
	chip_go(chip, 1);
	assert_int_equal(rd(chip, 0x114), 0x4000811b);
}

static void test_endless_inline_list(void **state)
{
	struct chip *chip = *state;

	/* a branch to the block's start, where there is another one */
	LIST(chip, 1, 56, 0x12, 48, 130, 0, 0);
	chip_put(chip, 0x40008020, (uint8_t[]){ 130, 0, 0 }, 3);
	chip_put(chip, 0x40008003, (uint8_t[]){ 130, 1, 0 }, 3);
	chip_start(chip, 1);
	assert_int_equal(v3dsim_run(chip->sim, 10000), V3DSIM_BUSY);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, chip_setup, chip_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_run_to_end), TEST(test_empty_list), TEST(test_halt_record),
		TEST(test_user_halt), TEST(test_branch), TEST(test_branch_to_itself),
		TEST(test_sub_lists), TEST(test_third_level), TEST(test_return_from_nothing),
		TEST(test_errors), TEST(test_pseudo_record), TEST(test_bus_error),
		TEST(test_wrong_list), TEST(test_state_records), TEST(test_semaphores),
		TEST(test_increment_after_flush), TEST(test_draw_of_nothing),
		TEST(test_draw_needs_shader), TEST(test_inline_lists),
		TEST(test_endless_inline_list),
	};

	return cmocka_run_group_tests_name("cle", tests, NULL, NULL);
}
