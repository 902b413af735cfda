// SPDX-License-Identifier: GPL-2.0-only
/* Wrong arguments of the BO ioctls, and the errno that userspace's tests of them want */
#include <drm/drm_fourcc.h>

#include "kunit.h"

static void bv3d_gem_create(struct kunit *test)
{
	struct bv3d_fake *fake = test->priv;
	struct drm_vc4_create_bo empty = {}, flags = { .size = 4096, .flags = 1 },
				 pad = { .size = 4096, .pad = 1 };
	struct drm_vc4_create_bo big = { .size = (1 << 20) + 1 }, biggest = { .size = U32_MAX };

	KUNIT_EXPECT_EQ(test, bv3d_create_bo_ioctl(&fake->v3d.drm, &empty, &fake->drm_file),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, bv3d_create_bo_ioctl(&fake->v3d.drm, &flags, &fake->drm_file),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, bv3d_create_bo_ioctl(&fake->v3d.drm, &pad, &fake->drm_file), -EINVAL);
	KUNIT_EXPECT_EQ(test, bv3d_create_bo_ioctl(&fake->v3d.drm, &big, &fake->drm_file), -ENOMEM);
	KUNIT_EXPECT_EQ(test, bv3d_create_bo_ioctl(&fake->v3d.drm, &biggest, &fake->drm_file),
			-ENOMEM);
}

static void bv3d_gem_tiling(struct kunit *test)
{
	struct bv3d_fake *fake = test->priv;
	struct drm_vc4_get_tiling get = {}, get_flags = { .flags = 1 },
				  get_modifier = { .modifier = 1 };
	struct drm_vc4_set_tiling set = {}, set_flags = { .flags = 1 };
	struct drm_vc4_set_tiling unknown = { .modifier = DRM_FORMAT_MOD_BROADCOM_SAND128 };

	KUNIT_EXPECT_EQ(test, bv3d_get_tiling_ioctl(&fake->v3d.drm, &get, &fake->drm_file),
			-ENOENT);
	KUNIT_EXPECT_EQ(test, bv3d_get_tiling_ioctl(&fake->v3d.drm, &get_flags, &fake->drm_file),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, bv3d_get_tiling_ioctl(&fake->v3d.drm, &get_modifier, &fake->drm_file),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, bv3d_set_tiling_ioctl(&fake->v3d.drm, &set, &fake->drm_file),
			-ENOENT);
	KUNIT_EXPECT_EQ(test, bv3d_set_tiling_ioctl(&fake->v3d.drm, &set_flags, &fake->drm_file),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, bv3d_set_tiling_ioctl(&fake->v3d.drm, &unknown, &fake->drm_file),
			-EINVAL);
}

static void bv3d_gem_others(struct kunit *test)
{
	struct bv3d_fake *fake = test->priv;
	struct drm_vc4_mmap_bo mmap = { .handle = 7 };
	struct drm_vc4_label_bo label = { .handle = 7 },
				long_label = { .handle = 7, .len = U32_MAX };
	struct drm_vc4_gem_madvise madvise = { .handle = 7 },
				   purged = { .handle = 7, .madv = __VC4_MADV_PURGED };
	struct drm_vc4_gem_madvise pad = { .handle = 7, .pad = 1 };

	KUNIT_EXPECT_EQ(test, bv3d_mmap_bo_ioctl(&fake->v3d.drm, &mmap, &fake->drm_file), -EINVAL);
	KUNIT_EXPECT_EQ(test, bv3d_label_bo_ioctl(&fake->v3d.drm, &label, &fake->drm_file),
			-ENOENT);
	KUNIT_EXPECT_EQ(test, bv3d_label_bo_ioctl(&fake->v3d.drm, &long_label, &fake->drm_file),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, bv3d_gem_madvise_ioctl(&fake->v3d.drm, &madvise, &fake->drm_file),
			-ENOENT);
	KUNIT_EXPECT_EQ(test, bv3d_gem_madvise_ioctl(&fake->v3d.drm, &purged, &fake->drm_file),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, bv3d_gem_madvise_ioctl(&fake->v3d.drm, &pad, &fake->drm_file),
			-EINVAL);
}

static void bv3d_gem_code(struct kunit *test)
{
	struct bv3d_fake *fake = test->priv;
	struct drm_vc4_create_shader_bo empty = {}, odd = { .size = 12 },
					flags = { .size = 8, .flags = 1 };
	struct drm_v3dcl_create_program pad = { .size = 8, .pad = 1 },
					big = { .size = (1 << 20) + 8 };

	KUNIT_EXPECT_EQ(test, bv3d_create_shader_bo_ioctl(&fake->v3d.drm, &empty, &fake->drm_file),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, bv3d_create_shader_bo_ioctl(&fake->v3d.drm, &odd, &fake->drm_file),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, bv3d_create_shader_bo_ioctl(&fake->v3d.drm, &flags, &fake->drm_file),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, bv3d_create_program_ioctl(&fake->v3d.drm, &pad, &fake->drm_file),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, bv3d_create_program_ioctl(&fake->v3d.drm, &big, &fake->drm_file),
			-EINVAL);
}

static struct kunit_case bv3d_gem_cases[] = {
	KUNIT_CASE(bv3d_gem_create),
	KUNIT_CASE(bv3d_gem_tiling),
	KUNIT_CASE(bv3d_gem_others),
	KUNIT_CASE(bv3d_gem_code),
	{}
};

static struct kunit_suite bv3d_gem_suite = {
	.name = "v3d_gem",
	.init = bv3d_fake_init,
	.exit = bv3d_fake_exit,
	.test_cases = bv3d_gem_cases,
};

kunit_test_suite(bv3d_gem_suite);
