// SPDX-License-Identifier: GPL-2.0-only
/* Perfmons: what may be asked for, and whose they are */
#include "kunit.h"

static void bv3d_perfmon_choice(struct kunit *test)
{
	u8 sources[17] = { 0, 29, 29, 13 };
	struct bv3d_perfmon *perfmon;

	perfmon = bv3d_perfmon_new(sources, 16);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, perfmon);
	KUNIT_EXPECT_EQ(test, perfmon->count, 16);
	KUNIT_EXPECT_EQ(test, perfmon->sources[3], 13);
	KUNIT_EXPECT_EQ(test, perfmon->values[0], 0ULL);
	kfree(perfmon);

	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(bv3d_perfmon_new(sources, 0)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(bv3d_perfmon_new(sources, 17)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(bv3d_perfmon_new(sources, U32_MAX)), -EINVAL);
	sources[15] = 30;
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(bv3d_perfmon_new(sources, 16)), -EINVAL);
}

static void bv3d_perfmon_life(struct kunit *test)
{
	struct drm_vc4_perfmon_create first = { .ncounters = 1 }, second = { .ncounters = 2 };
	struct drm_vc4_perfmon_get_values values = {};
	struct drm_vc4_perfmon_destroy destroy = {};
	struct bv3d_fake *fake = test->priv;
	struct drm_device *dev = &fake->v3d.drm;
	struct drm_file *file = &fake->drm_file;

	KUNIT_EXPECT_EQ(test, bv3d_perfmon_create_ioctl(dev, &first, file), 0);
	KUNIT_EXPECT_EQ(test, bv3d_perfmon_create_ioctl(dev, &second, file), 0);
	KUNIT_EXPECT_NE(test, first.id, 0u);
	KUNIT_EXPECT_NE(test, second.id, 0u);
	KUNIT_EXPECT_NE(test, first.id, second.id);

	KUNIT_EXPECT_EQ(test, bv3d_perfmon_destroy_ioctl(dev, &destroy, file), -EINVAL);
	KUNIT_EXPECT_EQ(test, bv3d_perfmon_get_values_ioctl(dev, &values, file), -EINVAL);
	destroy.id = first.id;
	KUNIT_EXPECT_EQ(test, bv3d_perfmon_destroy_ioctl(dev, &destroy, file), 0);
	KUNIT_EXPECT_EQ(test, bv3d_perfmon_destroy_ioctl(dev, &destroy, file), -EINVAL);
	values.id = first.id;
	KUNIT_EXPECT_EQ(test, bv3d_perfmon_get_values_ioctl(dev, &values, file), -EINVAL);
}

static struct kunit_case bv3d_perfmon_cases[] = {
	KUNIT_CASE(bv3d_perfmon_choice),
	KUNIT_CASE(bv3d_perfmon_life),
	{}
};

static struct kunit_suite bv3d_perfmon_suite = {
	.name = "v3d_perfmon",
	.init = bv3d_fake_init,
	.exit = bv3d_fake_exit,
	.test_cases = bv3d_perfmon_cases,
};

kunit_test_suite(bv3d_perfmon_suite);
