// SPDX-License-Identifier: GPL-2.0-only
/* What tells that nothing moves: counters that a perfmon leaves free, and how often they stood */
#include "jobs.h"
#include "kunit.h"

struct bv3d_watch_test {
	struct bv3d_device v3d;
	struct bv3d_submit submit;
	struct bv3d_job job;
	u32 regs[V3D_REGS_SIZE / sizeof(u32)];
};

static int bv3d_watch_test_init(struct kunit *test)
{
	struct bv3d_watch_test *fixture = kunit_kzalloc(test, sizeof(*fixture), GFP_KERNEL);

	if (!fixture)
		return -ENOMEM;
	fixture->v3d.hw = bv3d_fake_hw(fixture->regs);
	spin_lock_init(&fixture->v3d.perf.lock);
	fixture->v3d.hang_ms = 100;
	fixture->submit.v3d = &fixture->v3d;
	fixture->job.submit = &fixture->submit;
	fixture->job.queue = V3D_QPU;
	test->priv = fixture;
	bv3d_perfmon_power_up(&fixture->v3d);
	return 0;
}

/* So many counters are on; that one counts instructions */
static void bv3d_watch_expect(struct kunit *test, unsigned int count, unsigned int instructions)
{
	struct bv3d_watch_test *fixture = test->priv;

	KUNIT_EXPECT_EQ(test, fixture->regs[V3D_PCTRE / sizeof(u32)],
			(1U << 31) | ((1U << count) - 1));
	KUNIT_EXPECT_EQ(test, fixture->regs[V3D_PCTRSN(instructions) / sizeof(u32)],
			(u32)V3D_COUNTER_qpu_instruction_cycles);
}

static struct bv3d_perfmon *bv3d_watch_perfmon(struct kunit *test, u32 count)
{
	static const u8 sources[V3D_COUNTERS];
	struct bv3d_perfmon *perfmon = bv3d_perfmon_new(sources, count);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, perfmon);
	return perfmon;
}

/* A perfmon comes first, and has its counters alone; what it leaves is the driver's */
static void bv3d_watch_beside_perfmon(struct kunit *test)
{
	static const struct {
		u32 perfmon, all;
	} counts[] = { { 1, 5 }, { 12, 16 }, { 13, 16 }, { 15, 16 } };
	struct bv3d_watch_test *fixture = test->priv;
	struct bv3d_device *v3d = &fixture->v3d;
	struct bv3d_perfmon *perfmon;
	unsigned int i;

	bv3d_watch_expect(test, 4, 0);
	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		perfmon = bv3d_watch_perfmon(test, counts[i].perfmon);
		bv3d_perfmon_start(v3d, perfmon);
		bv3d_watch_expect(test, counts[i].all, counts[i].perfmon);
		fixture->regs[V3D_PCTRN(0) / sizeof(u32)] = 7;
		bv3d_perfmon_stop(v3d, perfmon, true);
		KUNIT_EXPECT_EQ(test, perfmon->values[0], 7ULL);
		bv3d_watch_expect(test, 4, 0);
		bv3d_perfmon_put(perfmon);
	}
}

/* One that has all counters leaves nothing to tell by: then everything moves */
static void bv3d_watch_no_counter(struct kunit *test)
{
	struct bv3d_perfmon *perfmon = bv3d_watch_perfmon(test, V3D_COUNTERS);
	struct bv3d_watch_test *fixture = test->priv;
	u32 seen[V3D_WATCHED] = {};

	bv3d_perfmon_start(&fixture->v3d, perfmon);
	KUNIT_EXPECT_EQ(test, fixture->regs[V3D_PCTRE / sizeof(u32)], 0x8000ffffU);
	KUNIT_EXPECT_TRUE(test, bv3d_perfmon_moved(&fixture->v3d, seen));
	KUNIT_EXPECT_TRUE(test, bv3d_perfmon_moved(&fixture->v3d, seen));
	bv3d_perfmon_stop(&fixture->v3d, perfmon, false);
	bv3d_perfmon_put(perfmon);
}

static void bv3d_watch_moved(struct kunit *test)
{
	struct bv3d_watch_test *fixture = test->priv;
	struct bv3d_device *v3d = &fixture->v3d;
	u32 seen[V3D_WATCHED] = {};
	unsigned int i;

	/* Nothing was counted yet: it may be that nothing is */
	fixture->regs[V3D_PCTRN(1) / sizeof(u32)] = 9;
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_TRUE(test, bv3d_perfmon_moved(v3d, seen));
	fixture->regs[V3D_PCTRN(0) / sizeof(u32)] = 4;
	KUNIT_EXPECT_TRUE(test, bv3d_perfmon_moved(v3d, seen));
	for (i = 0; i < V3D_WATCHED; i++) {
		KUNIT_EXPECT_FALSE(test, bv3d_perfmon_moved(v3d, seen));
		fixture->regs[V3D_PCTRN(i) / sizeof(u32)] += 4;
		KUNIT_EXPECT_TRUE(test, bv3d_perfmon_moved(v3d, seen));
	}
	KUNIT_EXPECT_FALSE(test, bv3d_perfmon_moved(v3d, seen));
}

/* They have counted before power was lost: so what stands at 0 since then, stands */
static void bv3d_watch_trusted(struct kunit *test)
{
	struct bv3d_watch_test *fixture = test->priv;
	u32 *instructions = &fixture->regs[V3D_PCTRN(0) / sizeof(u32)], seen[V3D_WATCHED] = {};
	struct bv3d_device *v3d = &fixture->v3d;

	*instructions = V3D_SLEEPING;
	bv3d_perfmon_forget(v3d);
	*instructions = 0;
	bv3d_perfmon_power_up(v3d);
	KUNIT_EXPECT_TRUE(test, bv3d_perfmon_moved(v3d, seen));
	*instructions = 1;
	bv3d_perfmon_forget(v3d);
	*instructions = 0;
	bv3d_perfmon_power_up(v3d);
	KUNIT_EXPECT_FALSE(test, bv3d_perfmon_moved(v3d, seen));
}

/* The next look is due, however long the test takes to ask for it */
static bool bv3d_watch_look(struct bv3d_watch_test *fixture, u32 done)
{
	fixture->job.watch.look_at = 0;
	return bv3d_watch_programs(&fixture->job, done);
}

/* Ten looks in a row that see nothing; what comes between begins anew, and so does each end */
static void bv3d_watch_ten_looks(struct kunit *test)
{
	struct bv3d_watch_test *fixture = test->priv;
	u32 *instructions = &fixture->regs[V3D_PCTRN(0) / sizeof(u32)], done = 0;
	unsigned int round, i;

	*instructions = 1;
	for (round = 0; round < 4; round++) {
		KUNIT_EXPECT_FALSE(test, bv3d_watch_look(fixture, done));
		for (i = 0; i < 9; i++)
			KUNIT_EXPECT_FALSE(test, bv3d_watch_look(fixture, done));
		if (round % 2)
			done++;
		else
			++*instructions;
	}
	KUNIT_EXPECT_FALSE(test, bv3d_watch_look(fixture, done));
	for (i = 0; i < 9; i++)
		KUNIT_EXPECT_FALSE(test, bv3d_watch_look(fixture, done));
	/* A machine that stood still asks as often as it likes: none of these is a look */
	fixture->job.watch.look_at = KTIME_MAX;
	KUNIT_EXPECT_FALSE(test, bv3d_watch_programs(&fixture->job, done));
	KUNIT_EXPECT_TRUE(test, bv3d_watch_look(fixture, done));
}

static struct kunit_case bv3d_watch_cases[] = {
	KUNIT_CASE(bv3d_watch_beside_perfmon),
	KUNIT_CASE(bv3d_watch_no_counter),
	KUNIT_CASE(bv3d_watch_moved),
	KUNIT_CASE(bv3d_watch_trusted),
	KUNIT_CASE(bv3d_watch_ten_looks),
	{}
};

static struct kunit_suite bv3d_watch_suite = {
	.name = "v3d_watch",
	.init = bv3d_watch_test_init,
	.test_cases = bv3d_watch_cases,
};

kunit_test_suite(bv3d_watch_suite);
