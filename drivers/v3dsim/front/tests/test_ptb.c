// SPDX-License-Identifier: MIT
/*
 * The binner: where tile lists lie, what a flush puts into them, and what happens when memory runs
 * out.
 */
#include "tests/chip.h"

#define ALLOC (MEMORY + 0x20000)
#define STATE (MEMORY + 0x10000)

/* Record 112. flags: auto-initialise is 4, initial block size is << 3, block size << 5. */
static void binning_mode(struct chip *chip, uint32_t size, uint8_t width, uint8_t height,
			 uint8_t flags)
{
	LIST(chip, 0, 112, LE32(ALLOC), LE32(size), LE32(STATE), width, height, flags);
}

static void test_flush(void **state)
{
	struct chip *chip = *state;
	uint32_t tile;

	wr(chip, 0x034, 0x2);
	memset(chip_bytes(chip, STATE), 0xff, 6 * 48 + 4);
	binning_mode(chip, 0x1000, 3, 2, 4);
	LIST(chip, 0, 6);
	chip_go(chip, 0);
	/* 48 bytes a tile, no more */
	assert_int_equal(chip_word(chip, STATE + 6 * 48), 0xffffffff);
	assert_int_equal(chip_word(chip, STATE + 6 * 48 - 4), 0);
	/* 6 * 32 bytes, rounded up to 256 (HW) */
	assert_int_equal(rd(chip, 0x300), ALLOC + 256);
	assert_int_equal(rd(chip, 0x304), 0x1000 - 256);
	/* BMACTIVE, not busy: the thread has stopped */
	assert_int_equal(rd(chip, 0x130), 0x1);
	assert_int_equal(rd(chip, 0x030), 0);
	LIST(chip, 0, 4);
	chip_go(chip, 0);
	for (tile = 0; tile < 6; tile++)
		assert_int_equal(*chip_bytes(chip, ALLOC + 32 * tile), 18);
	assert_int_equal(rd(chip, 0x030), 0x2);			/* FLDONE */
	assert_true(chip->level);
	assert_int_equal(rd(chip, 0x134), 1);			/* BFC */
	assert_int_equal(rd(chip, 0x130), 0);
	wr(chip, 0x134, 1);
	assert_int_equal(rd(chip, 0x134), 0);
}

static void test_flush_count_wraps(void **state)
{
	struct chip *chip = *state;
	unsigned int i;

	for (i = 0; i < 257; i++) {
		chip_list_at(chip, 0, MEMORY + 0x1000);
		binning_mode(chip, 0x1000, 1, 1, 4);
		LIST(chip, 0, 6, 4);
		chip_go(chip, 0);
	}
	assert_int_equal(rd(chip, 0x134), 1);
	assert_int_equal(rd(chip, 0x120), 257 << 16);
}

/* HW: the list format reaches every tile list, even with a plain flush. */
static void test_format_reaches_lists(void **state)
{
	static const uint8_t expected[] = { 56, 0x12, 18, 0 };
	struct chip *chip = *state;

	binning_mode(chip, 0x1000, 2, 1, 4);
	LIST(chip, 0, 6, 56, 0x12, 96, 1, 2, 3, 4);
	chip_go(chip, 0);
	assert_memory_equal(chip_bytes(chip, ALLOC), expected, 4);
	assert_memory_equal(chip_bytes(chip, ALLOC + 32), expected, 4);
}

/* Initial blocks of 32 bytes: the state does not fit, so lists go on in blocks of 64 bytes. */
static void test_flush_all_state(void **state)
{
	struct chip *chip = *state;
	uint32_t next;

	binning_mode(chip, 0x1000, 2, 1, 4 | 1 << 5);
	LIST(chip, 0, 6, 56, 0x12, 102, 1, 0, 2, 0, 3, 0, 4, 0, 96, 7, 8, 9, 98, 1, 1, 1, 1);
	LIST(chip, 0, 104, LE32(0x11111111), LE32(0x22222222), 105, LE32(1), LE32(2), 5);
	chip_go(chip, 0);
	/*
	 * In the order of ids: 56 (2), 96 (4), 98 (5), 102 (9) make 20 of the 27 bytes before the
	 * branch; 104 (9) does not fit.
	 */
	assert_memory_equal(chip_bytes(chip, ALLOC),
			    "\x38\x12\x60\x07\x08\x09\x62\x01\x01\x01\x01\x66\x01\x00\x02\x00\x03"
			    "\x00\x04\x00\x10",
			    21);
	next = chip_word(chip, ALLOC + 21);
	assert_int_equal(next, ALLOC + 256);
	assert_memory_equal(chip_bytes(chip, next), "\x68\x11\x11\x11\x11\x22\x22\x22\x22\x12", 10);
	assert_int_equal(chip_word(chip, ALLOC + 32 + 21), ALLOC + 256 + 64);
	assert_int_equal(rd(chip, 0x300), ALLOC + 256 + 128);
	assert_int_equal(rd(chip, 0x304), 0x1000 - 256 - 128);
}

/* A list written by the binner is read back by the rendering thread. */
static void test_rendering_reads_lists(void **state)
{
	struct chip *chip = *state;
	uint32_t tile;

	binning_mode(chip, 0x4000, 2, 2, 4);
	LIST(chip, 0, 6, 56, 0x12, 97, LE32(5), 98, LE32(0x3f800000), 102, LE32(0),
	     LE32(0x00400040), 104, LE32(0), LE32(1), 7, 5);
	LIST(chip, 1, 8);
	for (tile = 0; tile < 4; tile++)
		LIST(chip, 1, 17, LE32(ALLOC + 32 * tile));
	chip_start(chip, 1);
	chip_go(chip, 0);
	assert_int_equal(rd(chip, 0x124), 4);		/* four returns */
	assert_int_equal(rd(chip, 0x104), 0);
	assert_int_equal(chip->sim->cle->threads[1].state.record[CLE_FLAT_SHADE][1], 5);
}

static void test_out_of_memory(void **state)
{
	struct chip *chip = *state;

	wr(chip, 0x034, 0x4);
	binning_mode(chip, 256, 2, 1, 4);		/* the initial blocks and nothing else */
	LIST(chip, 0, 6, 56, 0x12, 102, LE32(0), LE32(0), 104, LE32(0), LE32(0), 105, LE32(0),
	     LE32(0), 97, LE32(0), 98, LE32(0), 5);
	chip_start(chip, 0);
	assert_int_equal(chip_run(chip), V3DSIM_STALLED);
	assert_int_equal(rd(chip, 0x130), 0x101);	/* BMOOM, BMACTIVE, not BMBUSY */
	/* the registers show how far it came */
	assert_int_equal(chip_word(chip, STATE), ALLOC + 21);
	assert_int_equal(rd(chip, 0x030), 0x4);
	assert_true(chip->level);
	wr(chip, 0x030, 0x4);				/* level: it cannot be cleared yet */
	assert_int_equal(rd(chip, 0x030), 0x4);
	wr(chip, 0x30c, 0);				/* no memory at all */
	assert_int_equal(rd(chip, 0x130) & 0x100, 0x100);
	wr(chip, 0x308, MEMORY + 0x30000);
	wr(chip, 0x30c, 32);				/* one block of two */
	assert_int_equal(rd(chip, 0x130) & 0x100, 0);
	wr(chip, 0x030, 0x4);
	assert_int_equal(rd(chip, 0x030), 0);
	assert_int_equal(chip_run(chip), V3DSIM_STALLED);
	assert_int_equal(rd(chip, 0x030), 0xc);		/* SPILLUSE, and out of memory again */
	assert_int_equal(rd(chip, 0x30c), 0);		/* taken */
	assert_int_equal(rd(chip, 0x300), MEMORY + 0x30020);
	assert_int_equal(rd(chip, 0x304), 0);
	wr(chip, 0x308, MEMORY + 0x38000);
	wr(chip, 0x30c, 4096);
	assert_int_equal(chip_run(chip), V3DSIM_IDLE);
	assert_int_equal(rd(chip, 0x134), 1);
	assert_int_equal(rd(chip, 0x300), MEMORY + 0x38020);
	/* 56, 97, 98, 102 make 21 bytes, then the branch to the first block of overspill */
	assert_int_equal(*chip_bytes(chip, ALLOC + 21), 16);
	assert_int_equal(chip_word(chip, ALLOC + 22), MEMORY + 0x30000);
	assert_int_equal(chip_word(chip, ALLOC + 32 + 22), MEMORY + 0x38000);
}

/* Overspill memory given before it is needed is taken without an interrupt but SPILLUSE. */
static void test_overspill_ahead(void **state)
{
	struct chip *chip = *state;

	wr(chip, 0x308, MEMORY + 0x30000);
	wr(chip, 0x30c, 0x1000);
	binning_mode(chip, 256, 1, 1, 4);
	LIST(chip, 0, 6, 102, LE32(0), LE32(0), 104, LE32(0), LE32(0), 67, LE32(0), LE32(0), 5);
	chip_go(chip, 0);
	assert_int_equal(rd(chip, 0x030), 0xa);
	assert_int_equal(rd(chip, 0x130), 0);
}

static void test_reset_ends_the_wait(void **state)
{
	struct chip *chip = *state;

	binning_mode(chip, 256, 1, 1, 4);
	LIST(chip, 0, 6, 102, LE32(0), LE32(0), 104, LE32(0), LE32(0), 67, LE32(0), LE32(0), 5);
	chip_start(chip, 0);
	assert_int_equal(chip_run(chip), V3DSIM_STALLED);
	wr(chip, 0x100, 0x8000);
	assert_int_equal(rd(chip, 0x130) & 0x100, 0);
	wr(chip, 0x030, 0x4);
	assert_int_equal(rd(chip, 0x030), 0);
	assert_int_equal(chip_run(chip), V3DSIM_IDLE);
}

static void test_prefixing(void **state)
{
	struct chip *chip = *state;

	binning_mode(chip, 256, 1, 1, 4);
	chip_go(chip, 0);
	assert_int_equal(rd(chip, 0x100), 1);		/* CTMODE */
	LIST(chip, 0, 6);
	chip_go(chip, 0);
	assert_int_equal(rd(chip, 0x100), 0);
}

static void test_flush_before_start(void **state)
{
	binning_mode(*state, 256, 1, 1, 4);
	LIST((struct chip *)*state, 0, 4);
	chip_fail(*state, 0, "record 6");
}

static void test_start_before_mode(void **state)
{
	LIST((struct chip *)*state, 0, 6);
	chip_fail(*state, 0, "record 112");
}

static void test_too_little_memory(void **state)
{
	binning_mode(*state, 0x100, 9, 1, 4);		/* 9 * 32 bytes, rounded up: 512 */
	chip_fail(*state, 0, "expected at least 512");
}

static void test_no_tiles(void **state)
{
	binning_mode(*state, 0x100, 0, 1, 4);
	chip_fail(*state, 0, "expected at least one");
}

static void test_state_outside_memory(void **state)
{
	struct chip *chip = *state;

	LIST(chip, 0, 112, LE32(ALLOC), LE32(0x1000), LE32(0x10), 1, 1, 4, 6);
	chip_fail(chip, 0, "PTB at 0x00000010: bus error");
}

/* The largest frame: bounded turns, and the right end. */
static void test_largest(void **state)
{
	struct chip *chip = *state;
	uint32_t blocks = 255 * 255 * 32;

	LIST(chip, 0, 112, LE32(MEMORY + 0x10000), LE32(blocks + 256),
	     LE32(MEMORY + 0x10000 + blocks + 256), 255, 255, 0, 6, 4);
	chip_start(chip, 0);
	assert_int_equal(v3dsim_run(chip->sim, 1000), V3DSIM_BUSY);
	assert_int_equal(rd(chip, 0x134), 0);
	while (v3dsim_run(chip->sim, 1000) == V3DSIM_BUSY)
		;
	/* The state array of 3 MiB passes the end of memory. */
	assert_int_equal(rd(chip, 0x100) & 8, 8);
	chip->list[0] = chip->at[0];
	LIST(chip, 0, 112, LE32(MEMORY + 0x10000), LE32(200 * 200 * 32), LE32(MEMORY + 0x180000),
	     200, 200, 0, 6, 4);
	chip_go(chip, 0);
	assert_int_equal(rd(chip, 0x134), 1);
	assert_int_equal(*chip_bytes(chip, MEMORY + 0x10000 + 39999 * 32), 18);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, chip_setup, chip_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_flush), TEST(test_flush_count_wraps), TEST(test_format_reaches_lists),
		TEST(test_flush_all_state), TEST(test_rendering_reads_lists),
		TEST(test_out_of_memory), TEST(test_overspill_ahead),
		TEST(test_reset_ends_the_wait), TEST(test_prefixing), TEST(test_flush_before_start),
		TEST(test_start_before_mode), TEST(test_too_little_memory), TEST(test_no_tiles),
		TEST(test_state_outside_memory), TEST(test_largest),
	};

	return cmocka_run_group_tests_name("ptb", tests, NULL, NULL);
}
