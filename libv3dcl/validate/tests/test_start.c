// SPDX-License-Identifier: MIT
/*
 * Hardware starts: each writes just these registers, in this order. The V3D here is an array that
 * notes what is written.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "start.h"

#define TEST(name) static void name(void **state)

struct written {
	enum v3d_reg reg;
	uint32_t value;
};

static struct {
	uint32_t regs[V3D_REGS_SIZE / 4];
	uint32_t causes;		/* of INTCTL: while they stand, their bits do */
	struct written log[128];
	unsigned int count;
} v3d;

static __u32 reg_read(void *opaque, enum v3d_reg reg)
{
	assert_ptr_equal(opaque, &v3d);
	return v3d.regs[reg / 4];
}

static void reg_write(void *opaque, enum v3d_reg reg, __u32 value)
{
	assert_ptr_equal(opaque, &v3d);
	assert_in_range(v3d.count, 0, 127);
	v3d.log[v3d.count++] = (struct written){ reg, value };
	if (reg == V3D_INTCTL)
		v3d.regs[reg / 4] = (v3d.regs[reg / 4] & ~value) | v3d.causes;
}

static const struct v3dcl_hw hw = { .read = reg_read, .write = reg_write, .v3d = &v3d };

static void set(enum v3d_reg reg, uint32_t value)
{
	v3d.regs[reg / 4] = value;
}

static int setup(void **state)
{
	(void)state;
	memset(&v3d, 0, sizeof(v3d));
	return 0;
}

static void expect_log(const struct written *expected, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count && i < v3d.count; i++) {
		assert_int_equal(v3d.log[i].reg, expected[i].reg);
		assert_int_equal(v3d.log[i].value, expected[i].value);
	}
	assert_int_equal(v3d.count, count);
	v3d.count = 0;
}

/* What was written since the last time, all of it */
#define EXPECT(...) \
	do { \
		const struct written expected_[] = { __VA_ARGS__ }; \
		expect_log(expected_, sizeof(expected_) / sizeof(expected_[0])); \
	} while (0)

/* What firmware may have left; 64 rows of 64 bytes are 16 units of VPMBASE */
TEST(power)
{
	(void)state;
	v3dcl_power_up(&hw);
	EXPECT({ V3D_BPOA, 0 }, { V3D_BPOS, 0 }, { V3D_BXCF, 0 }, { V3D_SQRSV0, 0 },
	       { V3D_SQRSV1, 0 }, { V3D_VPACNTL, 0 }, { V3D_PCTRE, 0 },
	       { V3D_VPMBASE, 16 }, { V3D_L2CACTL, 5 });
}

/* Each of these alone says that something is at work */
TEST(stands)
{
	static const struct written busy[] = {
		{ V3D_CT0CS, 1 << 5 }, { V3D_CT1CS, 1 << 5 },	/* CTRUN */
		{ V3D_CT0CS, 1 << 3 }, { V3D_CT1CS, 1 << 3 },	/* CTERR */
		{ V3D_PCS, 1 << 0 }, { V3D_PCS, 1 << 2 },	/* BMACTIVE, RMACTIVE */
		{ V3D_SRQCS, 1 }, { V3D_SRQCS, 2 << 8 | 1 << 16 },
	};

	(void)state;
	assert_true(v3dcl_stands(&hw));
	for (unsigned int i = 0; i < sizeof(busy) / sizeof(busy[0]); i++) {
		set(busy[i].reg, busy[i].value);
		assert_false(v3dcl_stands(&hw));
		set(busy[i].reg, 0);
	}
	/* What has ended, all of it */
	set(V3D_SRQCS, 9 << 8 | 9 << 16);
	assert_true(v3dcl_stands(&hw));
	assert_int_equal(v3d.count, 0);
}

TEST(caches)
{
	(void)state;
	v3dcl_clear_caches(&hw);
	EXPECT({ V3D_L2CACTL, 5 }, { V3D_SLCACTL, 0x0f0f0f0f });
}

/*
 * What a bin list begins with: no memory of the last one's. A render list leaves the binner alone,
 * which may work beside it.
 */
TEST(lists)
{
	(void)state;
	v3dcl_start_list(&hw, V3DCL_THREAD_BIN, 0x1000, 0x1020);
	EXPECT({ V3D_BPOA, 0 }, { V3D_BPOS, 0 }, { V3D_CT0CA, 0x1000 }, { V3D_CT0EA, 0x1020 });
	v3dcl_start_list(&hw, V3DCL_THREAD_RENDER, 0x2000, 0xfffffff0);
	EXPECT({ V3D_CT1CA, 0x2000 }, { V3D_CT1EA, 0xfffffff0 });
}

/* The whole array of a frame, and nothing of raw lists */
TEST(tile_state)
{
	struct v3dcl_tile_memory tiles = { .state_bytes = 48 };
	__u8 memory[64];

	(void)state;
	memset(memory, 0xa5, sizeof(memory));
	tiles.state_cpu = memory + 8;
	v3dcl_clear_tile_state(&tiles);
	assert_int_equal(memory[7], 0xa5);
	for (int i = 0; i < 48; i++)
		assert_int_equal(memory[8 + i], 0);
	assert_int_equal(memory[56], 0xa5);
	tiles = (struct v3dcl_tile_memory){ 0 };
	v3dcl_clear_tile_state(&tiles);
}

TEST(binner)
{
	(void)state;
	set(V3D_BPOS, 256);
	assert_int_equal(v3dcl_binner_wish(&hw), V3DCL_BINNER_NOTHING);
	set(V3D_PCS, 0xff);
	assert_int_equal(v3dcl_binner_wish(&hw), V3DCL_BINNER_NOTHING);
	assert_false(v3dcl_binner_stands(&hw));
	set(V3D_PCS, 0x100);
	assert_true(v3dcl_binner_stands(&hw));
	assert_int_equal(v3dcl_binner_wish(&hw), V3DCL_BINNER_PATIENCE);
	set(V3D_BPOS, 0);
	assert_int_equal(v3dcl_binner_wish(&hw), V3DCL_BINNER_MEMORY);
	/* The interrupt may come before it halts */
	set(V3D_PCS, 0);
	assert_false(v3dcl_binner_stands(&hw));
	assert_int_equal(v3dcl_binner_wish(&hw), V3DCL_BINNER_NOTHING);
	set(V3D_INTCTL, 4);
	v3d.causes = 4;
	assert_int_equal(v3dcl_binner_wish(&hw), V3DCL_BINNER_MEMORY);
	set(V3D_BPOS, 256);
	assert_int_equal(v3dcl_binner_wish(&hw), V3DCL_BINNER_PATIENCE);
	EXPECT({ V3D_INTCTL, 4 }, { V3D_INTCTL, 4 });
	/* Its cause is over, and the memory was taken */
	v3d.causes = 0;
	set(V3D_BPOS, 0);
	assert_int_equal(v3dcl_binner_wish(&hw), V3DCL_BINNER_NOTHING);
	EXPECT({ V3D_INTCTL, 4 });
	assert_int_equal(v3dcl_binner_wish(&hw), V3DCL_BINNER_NOTHING);
	assert_int_equal(v3d.count, 0);
	/* BPCA is behind the last byte, which may be the last of the window */
	set(V3D_BPCA, 0x50000000);
	assert_true(v3dcl_binner_reaches(&hw, 0x40000000));
	assert_true(v3dcl_binner_reaches(&hw, 0x4fffff00));
	assert_false(v3dcl_binner_reaches(&hw, 0x50000000));
	assert_false(v3dcl_binner_reaches(&hw, 0x3fffff00));
	set(V3D_BPCA, 0x50000001);
	assert_true(v3dcl_binner_reaches(&hw, 0x50000000));
	assert_int_equal(v3d.count, 0);
	v3dcl_feed_binner(&hw, 0x40001000, 0x40000);
	EXPECT({ V3D_BPOA, 0x40001000 }, { V3D_BPOS, 0x40000 }, { V3D_INTCTL, 4 });
}

/* What a request takes stands before it. A length that the register has no bits for is no limit. */
TEST(requests)
{
	struct v3dcl_run runs[4] = {
		{ 0x100, 0x200, 3 }, { 0x300, 0, 0 },
		{ 0x400, 0x500, 1023 }, { 0x600, 0x700, 70000 },
	};
	struct v3dcl_batch batch = {
		.runs = runs, .count = 4, .fed = 9, .done = 9, .completed = 9,
	};

	(void)state;
	v3dcl_start_programs(&hw, &batch);
	EXPECT({ V3D_SRQCS, 1u << 16 | 1 << 8 | 1 << 7 | 1 },
	       { V3D_SRQUA, 0x200 }, { V3D_SRQUL, 3 }, { V3D_SRQPC, 0x100 },
	       { V3D_SRQUA, 0 }, { V3D_SRQUL, 0 }, { V3D_SRQPC, 0x300 },
	       { V3D_SRQUA, 0x500 }, { V3D_SRQUL, 1023 }, { V3D_SRQPC, 0x400 },
	       { V3D_SRQUA, 0x700 }, { V3D_SRQUL, 1024 }, { V3D_SRQPC, 0x600 });
	assert_int_equal(batch.fed, 4);
	assert_int_equal(batch.done, 0);
	set(V3D_SRQCS, 3 << 16 | 1);
	assert_int_equal(v3dcl_advance_programs(&hw, &batch), 3);
	assert_int_equal(v3dcl_advance_programs(&hw, &batch), 0);
	assert_int_equal(batch.done, 3);
	set(V3D_SRQCS, 4 << 16);
	assert_int_equal(v3dcl_advance_programs(&hw, &batch), 1);
	assert_int_equal(batch.done, 4);
	assert_int_equal(v3d.count, 0);
}

/* How many programs were requested since the last time; they are those from @first on, each once */
static unsigned int requested(unsigned int first)
{
	unsigned int i, count = 0;

	for (i = 0; i < v3d.count; i++)
		if (v3d.log[i].reg == V3D_SRQPC)
			assert_int_equal(v3d.log[i].value, 8 * (first + count++));
	v3d.count = 0;
	return count;
}

/* More programs than the queue holds, and than SRQCS can count: none is lost, none comes twice */
TEST(many_requests)
{
	struct v3dcl_run runs[600] = { 0 };
	struct v3dcl_batch batch = { .runs = runs, .count = 600 };
	unsigned int i, queued, ended = 0, seed = 1;

	(void)state;
	for (i = 0; i < 600; i++)
		runs[i].code = 8 * i;
	v3dcl_start_programs(&hw, &batch);
	queued = requested(0);
	assert_int_equal(queued, 16);
	while (ended < 600) {
		unsigned int fed = batch.fed, some, more;

		/* 12 QPUs take from the queue, and some of them end */
		some = queued < 12 ? queued : 12;
		seed = seed * 1664525 + 1013904223;
		some = some ? 1 + (seed >> 24) % some : 0;
		queued -= some;
		ended += some;
		set(V3D_SRQCS, (ended & 0xff) << 16 | queued);
		assert_int_equal(v3dcl_advance_programs(&hw, &batch), some);
		assert_int_equal(batch.done, ended);
		more = requested(fed);
		assert_int_equal(batch.fed, fed + more);
		assert_int_equal(more, 600 - fed < 16 - queued ? 600 - fed : 16 - queued);
		queued += more;
	}
	assert_int_equal(batch.fed, 600);
}

/* A queue longer than there can be, as a V3D without power reads, gets nothing more */
TEST(no_room)
{
	struct v3dcl_run runs[40] = { 0 };
	struct v3dcl_batch batch = { .runs = runs, .count = 40 };

	(void)state;
	v3dcl_start_programs(&hw, &batch);
	assert_int_equal(batch.fed, 16);
	set(V3D_SRQCS, 63);
	v3dcl_advance_programs(&hw, &batch);
	assert_int_equal(batch.fed, 16);
	set(V3D_SRQCS, 16);
	v3dcl_advance_programs(&hw, &batch);
	assert_int_equal(batch.fed, 16);
}

/*
 * More ended than are under way, as a V3D reads that is dead or asleep: none has ended, none is
 * requested, and what it says later counts
 */
TEST(impossible_count)
{
	static const __u32 dead[] = { 0xffffffff, 0xdeadbeef, 17 << 16, 0xff0000 };
	struct v3dcl_run runs[40] = { 0 };
	struct v3dcl_batch batch = { .runs = runs, .count = 40 };
	unsigned int i;

	(void)state;
	v3dcl_start_programs(&hw, &batch);
	for (i = 0; i < sizeof(dead) / sizeof(dead[0]); i++) {
		set(V3D_SRQCS, dead[i]);
		assert_int_equal(v3dcl_advance_programs(&hw, &batch), 0);
		assert_int_equal(batch.done, 0);
		assert_int_equal(batch.fed, 16);
	}
	set(V3D_SRQCS, 16 << 16);
	assert_int_equal(v3dcl_advance_programs(&hw, &batch), 16);
	assert_int_equal(batch.fed, 32);
}

TEST(counters)
{
	const __u8 sources[16] = { 29, 3, 3, 13 };
	__u64 values[16] = { 1, 0xffffffff };

	(void)state;
	v3dcl_start_counters(&hw, sources, 3);
	EXPECT({ V3D_PCTRS0, 29 }, { V3D_PCTRS1, 3 }, { V3D_PCTRS2, 3 },
	       { V3D_PCTRE, 0x80000007 }, { V3D_PCTRC, 7 });
	v3dcl_start_counters(&hw, sources, 16);
	assert_int_equal(v3d.count, 18);
	assert_int_equal(v3d.log[15].reg, V3D_PCTRS15);
	assert_int_equal(v3d.log[16].value, 0x8000ffff);
	assert_int_equal(v3d.log[17].value, 0xffff);
	v3d.count = 0;
	set(V3D_PCTR0, 5);
	set(V3D_PCTR1, 0xffffffff);
	set(V3D_PCTR2, 7);
	v3dcl_add_counters(&hw, values, 2);
	assert_int_equal(values[0], 6);
	assert_int_equal(values[1], 0x1fffffffe);
	assert_int_equal(values[2], 0);
	v3dcl_stop_counters(&hw);
	EXPECT({ V3D_PCTRE, 0 });
}

/* Each field is the register of its name; what is no register stays */
TEST(hang_state)
{
	struct drm_vc4_get_hang_state seen = {
		.bo = 1, .bo_count = 2, .start_bin = 3, .start_render = 4,
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < V3D_REGS_SIZE; i += 4)
		v3d.regs[i / 4] = i;
	v3dcl_read_hang_state(&hw, &seen);
	assert_int_equal(seen.bo, 1);
	assert_int_equal(seen.bo_count, 2);
	assert_int_equal(seen.start_bin, 3);
	assert_int_equal(seen.start_render, 4);
	assert_int_equal(seen.ct0ca, V3D_CT0CA);
	assert_int_equal(seen.ct0ea, V3D_CT0EA);
	assert_int_equal(seen.ct1ca, V3D_CT1CA);
	assert_int_equal(seen.ct1ea, V3D_CT1EA);
	assert_int_equal(seen.ct0cs, V3D_CT0CS);
	assert_int_equal(seen.ct1cs, V3D_CT1CS);
	assert_int_equal(seen.ct0ra0, V3D_CT0RA0);
	assert_int_equal(seen.ct1ra0, V3D_CT1RA0);
	assert_int_equal(seen.bpca, V3D_BPCA);
	assert_int_equal(seen.bpcs, V3D_BPCS);
	assert_int_equal(seen.bpoa, V3D_BPOA);
	assert_int_equal(seen.bpos, V3D_BPOS);
	assert_int_equal(seen.vpmbase, V3D_VPMBASE);
	assert_int_equal(seen.dbge, V3D_DBGE);
	assert_int_equal(seen.fdbgo, V3D_FDBGO);
	assert_int_equal(seen.fdbgb, V3D_FDBGB);
	assert_int_equal(seen.fdbgr, V3D_FDBGR);
	assert_int_equal(seen.fdbgs, V3D_FDBGS);
	assert_int_equal(seen.errstat, V3D_ERRSTAT);
	assert_int_equal(v3d.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(power, setup),
		cmocka_unit_test_setup(stands, setup),
		cmocka_unit_test_setup(caches, setup),
		cmocka_unit_test_setup(lists, setup),
		cmocka_unit_test_setup(tile_state, setup),
		cmocka_unit_test_setup(binner, setup),
		cmocka_unit_test_setup(requests, setup),
		cmocka_unit_test_setup(many_requests, setup),
		cmocka_unit_test_setup(no_room, setup),
		cmocka_unit_test_setup(impossible_count, setup),
		cmocka_unit_test_setup(counters, setup),
		cmocka_unit_test_setup(hang_state, setup),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("start", tests, NULL, NULL);
}
