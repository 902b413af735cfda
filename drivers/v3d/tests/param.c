// SPDX-License-Identifier: GPL-2.0-only
/* IDENT, and what the two GET_PARAM answer */
#include "jobs.h"
#include "kunit.h"

/* AG100 Tables 79 to 81, as a Raspberry Pi has them: 3 slices of 4 QPUs */
static void bv3d_ident_pi(struct kunit *test)
{
	const u32 ident[3] = { 0x02443356, 0xc1102431, 0x121 };

	KUNIT_EXPECT_EQ(test, bv3d_ident_check(ident), 12);
}

static void bv3d_ident_others(struct kunit *test)
{
	const u32 sleeping[3] = { 0xdeadbeef, 0xdeadbeef, 0xdeadbeef };
	const u32 newer[3] = { 0x03443356, 0xc1102431, 0x121 };
	const u32 other[3] = { 0x02443357, 0xc1102431, 0x121 };
	const u32 no_qpus[3] = { 0x02443356, 0xc1102031, 0x121 };
	const u32 nothing[3] = { 0, 0, 0 };

	KUNIT_EXPECT_EQ(test, bv3d_ident_check(sleeping), -ENODEV);
	KUNIT_EXPECT_EQ(test, bv3d_ident_check(newer), -ENODEV);
	KUNIT_EXPECT_EQ(test, bv3d_ident_check(other), -ENODEV);
	KUNIT_EXPECT_EQ(test, bv3d_ident_check(no_qpus), -ENODEV);
	KUNIT_EXPECT_EQ(test, bv3d_ident_check(nothing), -ENODEV);
}

static int bv3d_ask(struct bv3d_fake *fake, u32 param, u32 pad, u64 *value)
{
	struct drm_vc4_get_param args = { .param = param, .pad = pad };
	int ret = bv3d_get_param_ioctl(&fake->v3d.drm, &args, &fake->drm_file);

	*value = args.value;
	return ret;
}

static void bv3d_params(struct kunit *test)
{
	struct bv3d_fake *fake = test->priv;
	u64 value;
	u32 i;

	fake->v3d.ident[0] = 0x02443356;
	fake->v3d.ident[1] = 0xc1102431;
	fake->v3d.ident[2] = 0x121;
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, bv3d_ask(fake, i, 0, &value), 0);
		KUNIT_EXPECT_EQ(test, value, (u64)fake->v3d.ident[i]);
	}
	for (i = 3; i <= 8; i++) {
		KUNIT_EXPECT_EQ(test, bv3d_ask(fake, i, 0, &value), 0);
		KUNIT_EXPECT_EQ(test, value, 1ULL);
	}
	KUNIT_EXPECT_EQ(test, bv3d_ask(fake, 9, 0, &value), -EINVAL);
	KUNIT_EXPECT_EQ(test, bv3d_ask(fake, U32_MAX, 0, &value), -EINVAL);
	KUNIT_EXPECT_EQ(test, bv3d_ask(fake, 0, 1, &value), -EINVAL);
}

static int bv3d_ask_own(struct bv3d_fake *fake, u32 param, u32 pad, u64 *value)
{
	struct drm_v3dcl_get_param args = { .param = param, .pad = pad };
	int ret = bv3d_get_own_param_ioctl(&fake->v3d.drm, &args, &fake->drm_file);

	*value = args.value;
	return ret;
}

static void bv3d_own_params(struct kunit *test)
{
	struct bv3d_fake *fake = test->priv;
	struct bv3d_file_queues *queues = kunit_kzalloc(test, sizeof(*queues), GFP_KERNEL);
	struct bv3d_reset *reset = kunit_kzalloc(test, sizeof(*reset), GFP_KERNEL);
	struct bv3d_sched *sched = kunit_kzalloc(test, sizeof(*sched), GFP_KERNEL);
	u64 value;

	KUNIT_ASSERT_NOT_NULL(test, queues);
	KUNIT_ASSERT_NOT_NULL(test, reset);
	KUNIT_ASSERT_NOT_NULL(test, sched);
	spin_lock_init(&sched->lock);
	fake->v3d.sched = sched;
	atomic_set(&reset->resets, 7);
	fake->v3d.reset = reset;
	atomic_set(&queues->guilty, 3);
	atomic_set(&queues->innocent, 5);
	fake->file.queues = queues;
	fake->v3d.qpus = 12;
	fake->v3d.mem.used = 4096;
	KUNIT_EXPECT_EQ(test, bv3d_ask_own(fake, DRM_V3DCL_PARAM_VERSION, 0, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 5ULL);
	KUNIT_EXPECT_EQ(test, bv3d_ask_own(fake, DRM_V3DCL_PARAM_QPUS, 0, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 12ULL);
	KUNIT_EXPECT_EQ(test, bv3d_ask_own(fake, DRM_V3DCL_PARAM_VPM_ROWS, 0, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 64ULL);
	KUNIT_EXPECT_EQ(test, bv3d_ask_own(fake, DRM_V3DCL_PARAM_MAX_PROGRAMS, 0, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 256ULL);
	KUNIT_EXPECT_EQ(test, bv3d_ask_own(fake, DRM_V3DCL_PARAM_MEMORY_BUDGET, 0, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 1ULL << 20);
	KUNIT_EXPECT_EQ(test, bv3d_ask_own(fake, DRM_V3DCL_PARAM_MEMORY_USED, 0, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 4096ULL);
	KUNIT_EXPECT_EQ(test, bv3d_ask_own(fake, DRM_V3DCL_PARAM_GUILTY, 0, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 3ULL);
	KUNIT_EXPECT_EQ(test, bv3d_ask_own(fake, DRM_V3DCL_PARAM_INNOCENT, 0, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 5ULL);
	KUNIT_EXPECT_EQ(test, bv3d_ask_own(fake, DRM_V3DCL_PARAM_RESETS, 0, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 7ULL);
	KUNIT_EXPECT_EQ(test, bv3d_ask_own(fake, DRM_V3DCL_PARAM_REFUSED_NS, 0, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 0ULL);
	queues->offences.refused_ns = U64_MAX;
	KUNIT_EXPECT_EQ(test, bv3d_ask_own(fake, DRM_V3DCL_PARAM_REFUSED_NS, 0, &value), 0);
	KUNIT_EXPECT_GT(test, value, 1ULL << 63);
	value = DRM_V3DCL_PARAM_REFUSED_NS + 1;
	KUNIT_EXPECT_EQ(test, bv3d_ask_own(fake, value, 0, &value), -EINVAL);
	KUNIT_EXPECT_EQ(test, bv3d_ask_own(fake, DRM_V3DCL_PARAM_VERSION, 1, &value), -EINVAL);
}

static struct kunit_case bv3d_param_cases[] = {
	KUNIT_CASE(bv3d_ident_pi),
	KUNIT_CASE(bv3d_ident_others),
	KUNIT_CASE(bv3d_params),
	KUNIT_CASE(bv3d_own_params),
	{}
};

static struct kunit_suite bv3d_param_suite = {
	.name = "v3d_param",
	.init = bv3d_fake_init,
	.exit = bv3d_fake_exit,
	.test_cases = bv3d_param_cases,
};

kunit_test_suite(bv3d_param_suite);
