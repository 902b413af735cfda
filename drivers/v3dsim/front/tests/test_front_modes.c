// SPDX-License-Identifier: MIT
/*
 * Modes of the chip in list threads and binner: each as the guide has it, and as silicon does. Each
 * test is run with and without its mode.
 */
#include "tests/tile_lists.h"

#define SHADER (MEMORY + 0x10000)
#define VERTICES (MEMORY + 0x11000)
#define INDICES (MEMORY + 0x12000)
#define LISTS (MEMORY + 0x100000)
#define SPILL (MEMORY + 0x30000)
#define WINDOW 0x10000000u

/* Record 112's flags: auto-initialise, initial blocks of 256 bytes, later ones of 256 */
#define BIG (4 | 3 << 3 | 3 << 5)

static struct tile_list list;

static struct chip *new_chip(const char *modes)
{
	const struct v3dsim_config config = { .chip = modes };
	struct chip *chip = chip_new(&config);

	chip_list_at(chip, 0, LISTS);
	return chip;
}

static bool struck(struct chip *chip, enum v3d_chip_mode mode)
{
	return chip->sim->struck[mode];
}

/* Vertices of NV mode: the first three are a triangle in the first tile, the others outside. */
static void vertices(struct chip *chip)
{
	static const uint32_t xy[] = { 0x00100010, 0x001000a0, 0x00a00010,
				       0xf000f000, 0xf000f0a0, 0xf0a0f000 };
	const uint32_t shader[] = { 12 << 8, SHADER, SHADER, VERTICES };

	memcpy(chip_bytes(chip, SHADER), shader, sizeof(shader));
	for (unsigned int n = 0; n < 6; n++) {
		const uint32_t vertex[] = { xy[n], 0x3f000000, 0x3f800000 };

		memcpy(chip_bytes(chip, VERTICES + 12 * n), vertex, sizeof(vertex));
	}
}

/* A frame that may be drawn into; all that is set in it counts as one update. */
static void begin_frame(struct chip *chip, uint32_t size, uint8_t width, uint8_t flags)
{
	vertices(chip);
	tile_mode(chip, size, width, 1, flags);
	LIST(chip, 0, 6, 65, LE32(SHADER), 96, 0x03, 0x70, 0, 103, LE16(0), LE16(0));
}

static void draw(struct chip *chip, uint8_t mode, uint32_t count, uint32_t first)
{
	LIST(chip, 0, 33, mode, LE32(count), LE32(first));
}

/* What a frame's one tile list holds: a triangle, or nothing that was drawn in this frame */
static size_t primitives_of(struct chip *chip)
{
	tile_read(chip, ALLOC, &list);
	return tile_primitives(&list);
}

/* HW: zeroed state begins a list; the state of the frame before goes on with its list. */
static void test_tile_state(void **state)
{
	(void)state;
	for (int mode = 0; mode < 2; mode++) {
		struct chip *chip = new_chip(mode ? "tile-state" : "ideal");

		for (unsigned int frame = 0; frame < 3; frame++) {
			const bool stale = mode && frame == 1;

			if (frame == 2)
				memset(chip_bytes(chip, STATE), 0, 48);
			memset(chip_bytes(chip, ALLOC), 18, 0x1000);
			begin_frame(chip, 0x1000, 1, BIG);
			draw(chip, V3D_TRIANGLES, 3, 0);
			tile_flush(chip);
			assert_int_equal(primitives_of(chip), !stale);
		}
		assert_true(struck(chip, V3D_CHIP_TILE_STATE) == (bool)mode);
		chip_free(chip);
	}
}

/* HW: what happens to be in the array is taken for a pointer. */
static void test_tile_state_stray(void **state)
{
	struct chip *chip = new_chip("tile-state");

	(void)state;
	memset(chip_bytes(chip, STATE), 0x11, 48);
	begin_frame(chip, 0x1000, 1, BIG);
	draw(chip, V3D_TRIANGLES, 3, 0);
	LIST(chip, 0, 4);
	chip_fail(chip, 0, "bus error");
	chip_free(chip);
}

/* Memory that is there twice, a window of 256 MiB apart */
static uint8_t *second;

static bool two_windows(void *opaque, enum v3dsim_unit unit, uint32_t addr, bool write,
			struct v3dsim_region *out)
{
	if (addr - (MEMORY + WINDOW) >= MEMORY_BYTES)
		return chip_region(opaque, unit, addr, write, out);
	*out = (struct v3dsim_region){ second, MEMORY + WINDOW, MEMORY_BYTES, true };
	return true;
}

/* HW: lists lie in the window of the tile state array, wherever their memory is. */
static void test_list_window(void **state)
{
	(void)state;
	for (int mode = 0; mode < 2; mode++) {
		struct chip *chip = new_chip(mode ? "list-window" : "ideal");
		const uint8_t *there;

		second = calloc(1, MEMORY_BYTES);
		assert_non_null(second);
		chip->sim->host.region = two_windows;
		LIST(chip, 0, 112, LE32(ALLOC + WINDOW), LE32(0x1000), LE32(STATE), 1, 1, BIG, 6,
		     56, 0x12, 4);
		chip_go(chip, 0);
		there = second + (ALLOC - MEMORY);
		assert_int_equal(*(mode ? chip_bytes(chip, ALLOC) : there), 56);
		assert_int_equal(*(mode ? there : chip_bytes(chip, ALLOC)), 0);
		assert_true(struck(chip, V3D_CHIP_LIST_WINDOW) == (bool)mode);
		chip_free(chip);
		free(second);
	}
}

/* The same of a branch to overspill memory */
static void test_list_window_branch(void **state)
{
	(void)state;
	for (int mode = 0; mode < 2; mode++) {
		struct chip *chip = new_chip(mode ? "list-window" : "ideal");

		second = calloc(1, MEMORY_BYTES);
		assert_non_null(second);
		chip->sim->host.region = two_windows;
		wr(chip, V3D_BPOA, SPILL + WINDOW);
		wr(chip, V3D_BPOS, 0x1000);
		LIST(chip, 0, 112, LE32(ALLOC), LE32(256), LE32(STATE), 1, 1, 4, 6, 56, 0x12, 102,
		     LE32(0), LE32(0), 104, LE32(0), LE32(0), 105, LE32(0), LE32(0), 97, LE32(0),
		     98, LE32(0), 5);
		chip_go(chip, 0);
		assert_int_equal(*chip_bytes(chip, ALLOC + 21), 16);
		assert_int_equal(chip_word(chip, ALLOC + 22), mode ? SPILL : SPILL + WINDOW);
		assert_int_equal(*(mode ? chip_bytes(chip, SPILL) : second + (SPILL - MEMORY)),
				 104);
		assert_true(struck(chip, V3D_CHIP_LIST_WINDOW) == (bool)mode);
		chip_free(chip);
		free(second);
	}
}

#define OUTOMEM 4u
#define BMOOM 0x100u

static bool pending(struct chip *chip)
{
	wr(chip, V3D_INTCTL, OUTOMEM);
	return rd(chip, V3D_INTCTL) & OUTOMEM;
}

static void give(struct chip *chip)
{
	wr(chip, V3D_BPOA, SPILL);
	wr(chip, V3D_BPOS, 0x1000);
}

/* ?: pending from power-on until memory is given, whatever else happens */
static void test_outomem_idle(void **state)
{
	(void)state;
	for (int mode = 0; mode < 2; mode++) {
		struct chip *chip = new_chip(mode ? "outomem-idle" : "ideal");

		assert_int_equal(rd(chip, V3D_INTCTL), mode ? OUTOMEM : 0);
		assert_int_equal(pending(chip), mode);
		assert_int_equal(rd(chip, V3D_PCS) & BMOOM, 0);
		wr(chip, V3D_CT0CS, V3D_SET(CTCS, CTRSTA, 1));
		wr(chip, V3D_BPOS, 0);
		assert_int_equal(pending(chip), mode);
		give(chip);
		assert_false(pending(chip));
		wr(chip, V3D_BPOS, 0);
		assert_false(pending(chip));
		v3dsim_power(chip->sim, false);
		v3dsim_power(chip->sim, true);
		assert_int_equal(pending(chip), mode);
		assert_true(struck(chip, V3D_CHIP_OUTOMEM_IDLE) == (bool)mode);
		chip_free(chip);
	}
}

/* Two lists with all state: each needs a block of 32 bytes beside its first one. */
static void big_lists(struct chip *chip, uint32_t size)
{
	tile_mode(chip, size, 2, 1, 4);
	LIST(chip, 0, 6, 56, 0x12, 102, LE32(0), LE32(0), 104, LE32(0), LE32(0), 105, LE32(0),
	     LE32(0), 97, LE32(0), 98, LE32(0), 5);
}

/* ?: a frame that just gets done has asked for memory all the same. */
static void test_outomem_early(void **state)
{
	static const struct {
		const char *chip;
		uint32_t size;
		bool pending;
	} cases[] = {
		{ "ideal", 256 + 64, false },
		{ "outomem-early", 256 + 64, true },
		{ "outomem-early", 256 + 64 + 64, false },
		{ "outomem-early:3", 256 + 64 + 64, true },
		{ "outomem-early:0", 256 + 64, false },
	};

	(void)state;
	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		struct chip *chip = new_chip(cases[n].chip);

		big_lists(chip, cases[n].size);
		chip_go(chip, 0);
		assert_int_equal(rd(chip, V3D_BFC), 1);
		assert_int_equal(rd(chip, V3D_PCS) & BMOOM, 0);
		assert_int_equal(pending(chip), cases[n].pending);
		give(chip);
		assert_false(pending(chip));
		chip_free(chip);
	}
}

/* HW: the binner waits a little longer than the write of BPOS, and does not wait for ever. */
static void test_bpos_late(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < 4; n++) {
		const int mode = n & 1;
		const struct v3dsim_config config = { .threads = n / 2,
						      .chip = mode ? "bpos-late" : "ideal" };
		struct chip *chip = chip_new(&config);

		big_lists(chip, 256);
		chip_start(chip, 0);
		assert_int_equal(chip_run(chip), V3DSIM_STALLED);
		give(chip);
		if (!config.threads) {
			assert_int_equal(rd(chip, V3D_BPOS), 0x1000);
			assert_int_equal(rd(chip, V3D_PCS) & BMOOM, mode ? BMOOM : 0);
			assert_int_equal(pending(chip), mode);
		}
		assert_int_equal(chip_run(chip), V3DSIM_IDLE);
		assert_int_equal(rd(chip, V3D_BFC), 1);
		assert_int_equal(rd(chip, V3D_BPOS), 0);
		assert_int_equal(rd(chip, V3D_PCS), 0);
		assert_false(pending(chip));
		assert_true(struck(chip, V3D_CHIP_BPOS_LATE) == (bool)mode);
		chip_free(chip);
	}
}

/* Memory that was given ahead is not there yet, if fewer records and allocations come between. */
static void test_bpos_late_counts(void **state)
{
	static const struct {
		const char *chip;
		uint32_t interrupts;	/* SPILLUSE and FLDONE, or OUTOMEM as well */
	} cases[] = { { "ideal", 0xa }, { "bpos-late:8", 0xa }, { "bpos-late:9", 0xe } };

	(void)state;
	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		struct chip *chip = new_chip(cases[n].chip);

		give(chip);
		big_lists(chip, 256);		/* eight records before the one that allocates */
		chip_go(chip, 0);
		assert_int_equal(rd(chip, V3D_INTCTL), cases[n].interrupts);
		chip_free(chip);
	}
}

/*
 * Memory that a frame was given and did not take is another job's. Drivers write 0 before the next
 * list starts: late or not, that has come when a list has had its first records.
 */
static void test_bpos_zero(void **state)
{
	(void)state;
	for (unsigned int n = 0; n < 4; n++) {
		struct chip *chip = new_chip(n & 1 ? "bpos-late" : "ideal");
		const bool zero = n & 2;

		give(chip);
		big_lists(chip, 256 + 64);		/* which is enough */
		chip_go(chip, 0);
		assert_int_equal(rd(chip, V3D_BPOS), 0x1000);
		if (zero) {
			wr(chip, V3D_BPOA, 0);
			wr(chip, V3D_BPOS, 0);
		}
		big_lists(chip, 256);
		chip_start(chip, 0);
		assert_int_equal(chip_run(chip), zero ? V3DSIM_STALLED : V3DSIM_IDLE);
		assert_int_equal(rd(chip, V3D_PCS) & BMOOM, zero ? BMOOM : 0);
		assert_int_equal(rd(chip, V3D_BPOS), 0);
		chip_free(chip);
	}
}

/* HW: BMOOM tells that memory was taken. */
static void test_bmoom_late(void **state)
{
	(void)state;
	for (int mode = 0; mode < 2; mode++) {
		struct chip *chip = new_chip(mode ? "bmoom-late" : "ideal");

		big_lists(chip, 256);
		chip_start(chip, 0);
		assert_int_equal(chip_run(chip), V3DSIM_STALLED);
		give(chip);
		assert_int_equal(rd(chip, V3D_PCS) & BMOOM, mode ? BMOOM : 0);
		assert_false(pending(chip));
		assert_int_equal(chip_run(chip), V3DSIM_IDLE);
		assert_int_equal(rd(chip, V3D_PCS), 0);
		assert_true(struck(chip, V3D_CHIP_BMOOM_LATE) == (bool)mode);
		chip_free(chip);
	}
}

/* SW: a loop of two is none; one of three has three lines. */
static void test_line_loop_2(void **state)
{
	(void)state;
	for (int mode = 0; mode < 2; mode++) {
		struct chip *chip = new_chip(mode ? "line-loop-2" : "ideal");

		begin_frame(chip, 0x1000, 1, BIG);
		draw(chip, V3D_LINE_LOOP, 2, 0);
		draw(chip, V3D_LINE_LOOP, 3, 0);
		tile_flush(chip);
		assert_int_equal(primitives_of(chip), mode ? 3 : 5);
		assert_true(struck(chip, V3D_CHIP_LINE_LOOP_2) == (bool)mode);
		chip_free(chip);
	}
}

/* SW: nine tiles want 512 bytes. Their first blocks lie where they would; all others elsewhere. */
static void test_small_tile_memory(void **state)
{
	struct chip *chip = new_chip("small-tile-memory");

	(void)state;
	give(chip);
	begin_frame(chip, 256, 9, 4);
	draw(chip, V3D_TRIANGLES, 3, 0);
	LIST(chip, 0, 56, 0x12, 5);
	chip_go(chip, 0);
	assert_int_equal(primitives_of(chip), 1);
	assert_int_equal(*chip_bytes(chip, ALLOC + 8 * 32), 56);
	assert_true(rd(chip, V3D_BPCA) > SPILL && rd(chip, V3D_BPCA) < SPILL + 0x1000);
	chip_free(chip);
	chip = new_chip("ideal");
	begin_frame(chip, 256, 9, 4);
	chip_fail(chip, 0, "expected at least 512");
	chip_free(chip);
}

/*
 * A frame of two tiles with so many updates that count; others come with each. The first tile has a
 * triangle before the last update and one after it.
 */
static void count_updates(struct chip *chip, unsigned int updates)
{
	begin_frame(chip, 0x1000, 2, BIG);
	draw(chip, V3D_TRIANGLES, 3, 0);
	for (unsigned int n = 2; n < updates; n++) {
		LIST(chip, 0, 101, LE32(n), 101, LE32(n + 1));
		draw(chip, V3D_TRIANGLES, 3, 3);
	}
	draw(chip, V3D_TRIANGLES, 3, 0);
	LIST(chip, 0, 101, LE32(0x12345678));
	draw(chip, V3D_TRIANGLES, 3, 0);
	LIST(chip, 0, 5);
	chip_go(chip, 0);
}

/* The record of that kind which stands last in a list */
static const uint8_t *last_record(uint8_t id)
{
	for (size_t n = list.count; n; n--)
		if (list.item[n - 1].id == id)
			return list.item[n - 1].bytes;
	fail_msg("no record %u", id);
	return NULL;
}

/* The last triangle's state in the first tile, and what is flushed to the other one's list */
static void expect_state(struct chip *chip, uint32_t addr, bool right)
{
	tile_read(chip, addr, &list);
	assert_int_equal(last_record(65)[2], right ? (uint8_t)(SHADER >> 8) : 0);
	assert_int_equal(last_record(96)[1], right ? 3 : 0);
	assert_int_equal(last_record(101)[4], 0x12);	/* set after the wrap, or with it */
}

/*
 * HW-2116: with the 8192nd counted update lists get all state, and wrongly; a flush of all state
 * (record 5) does so, too. One update fewer is right, and state is written no oftener than needed.
 */
static void test_2116(void **state)
{
	static const struct {
		const char *chip;
		unsigned int updates;
		bool wraps;
	} cases[] = { { "ideal", 8192, false },
		      { "HW-2116", 8191, false },
		      { "HW-2116", 8192, true } };

	(void)state;
	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		struct chip *chip = new_chip(cases[n].chip);

		count_updates(chip, cases[n].updates);
		tile_read(chip, ALLOC, &list);
		assert_int_equal(tile_primitives(&list), 3);
		expect_state(chip, ALLOC, !cases[n].wraps);
		expect_state(chip, ALLOC + 256, !cases[n].wraps);
		chip_free(chip);
	}
}

/* Where a thread is stopped whose end address lies in what a record reads */
static void stop_at(struct chip *chip, uint32_t end)
{
	wr(chip, V3D_CT0CA, chip->list[0]);
	wr(chip, V3D_CT0EA, end);
	assert_int_equal(chip_run(chip), V3DSIM_IDLE);
	assert_false(V3D_GET(rd(chip, V3D_CT0CS), CTCS, CTRUN));
}

/* ?: an end address among indices, or in a list that stands in the control list */
static void test_list_end(void **state)
{
	static const uint8_t indices[] = { 0, 1, 2, 0, 1, 2 };

	(void)state;
	for (int mode = 0; mode < 2; mode++) {
		struct chip *chip = new_chip(mode ? "list-end" : "ideal");
		uint32_t after;

		begin_frame(chip, 0x1000, 1, BIG);
		chip_put(chip, INDICES, indices, sizeof(indices));
		LIST(chip, 0, 32, V3D_TRIANGLES, LE32(6), LE32(INDICES), LE32(2));
		after = chip->at[0];
		LIST(chip, 0, 4, 0);
		stop_at(chip, INDICES + 3);
		assert_int_equal(rd(chip, V3D_CT0CA), mode ? after : after + 2);
		wr(chip, V3D_CT0EA, after + 1);		/* goes on, if it has stopped */
		assert_int_equal(chip_run(chip), V3DSIM_IDLE);
		assert_int_equal(primitives_of(chip), mode ? 1 : 2);
		chip_list_at(chip, 0, after + 16);
		begin_frame(chip, 0x1000, 1, BIG);
		LIST(chip, 0, 67, LE32(SHADER), LE32(SHADER), 42, V3D_VG_TRIANGLES,
		     LE32(0x00100010), LE32(0x001000a0), LE32(0x00a00010));
		after = chip->at[0];
		LIST(chip, 0, LE32(0), LE32(0), LE32(V3D_VG_END), 0);
		stop_at(chip, after);
		assert_int_equal(rd(chip, V3D_CT0CA), mode ? after : after + 13);
		assert_true(struck(chip, V3D_CHIP_LIST_END) == (bool)mode);
		chip_free(chip);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tile_state),
		cmocka_unit_test(test_tile_state_stray),
		cmocka_unit_test(test_list_window),
		cmocka_unit_test(test_list_window_branch),
		cmocka_unit_test(test_outomem_idle),
		cmocka_unit_test(test_outomem_early),
		cmocka_unit_test(test_bpos_late),
		cmocka_unit_test(test_bpos_late_counts),
		cmocka_unit_test(test_bpos_zero),
		cmocka_unit_test(test_bmoom_late),
		cmocka_unit_test(test_line_loop_2),
		cmocka_unit_test(test_small_tile_memory),
		cmocka_unit_test(test_2116),
		cmocka_unit_test(test_list_end),
	};

	return cmocka_run_group_tests_name("front_modes", tests, NULL, NULL);
}
