// SPDX-License-Identifier: GPL-2.0-only
#include <linux/idr.h>
#include <linux/module.h>
#include <linux/pm_runtime.h>

#include <kunit/device.h>

#include "kunit.h"

/**
 * bv3d_fake_init() - test->priv becomes a struct bv3d_fake with a budget of 1 MiB; the rest is 0
 */
int bv3d_fake_init(struct kunit *test)
{
	struct bv3d_fake *fake = kunit_kzalloc(test, sizeof(*fake), GFP_KERNEL);

	if (!fake)
		return -ENOMEM;
	mutex_init(&fake->v3d.mem.lock);
	INIT_LIST_HEAD(&fake->v3d.mem.bos);
	INIT_LIST_HEAD(&fake->v3d.mem.purgeable);
	bv3d_bo_cache_init(&fake->v3d.mem);
	fake->v3d.mem.budget = 1 << 20;
	spin_lock_init(&fake->v3d.perf.lock);
	fake->file.v3d = &fake->v3d;
	spin_lock_init(&fake->file.refusal_lock);
	xa_init_flags(&fake->file.perfmons, XA_FLAGS_ALLOC1);
	spin_lock_init(&fake->drm_file.table_lock);
	idr_init(&fake->drm_file.object_idr);
	fake->drm_file.driver_priv = &fake->file;
	test->priv = fake;
	return 0;
}

void bv3d_fake_exit(struct kunit *test)
{
	struct bv3d_fake *fake = test->priv;

	if (!fake)
		return;
	bv3d_bo_cache_fini(&fake->v3d.mem);
	bv3d_perfmon_close(&fake->file);
	idr_destroy(&fake->drm_file.object_idr);
	mutex_destroy(&fake->v3d.mem.lock);
}

static u32 bv3d_fake_read(void *regs, enum v3d_reg reg)
{
	return ((u32 *)regs)[reg / sizeof(u32)];
}

static void bv3d_fake_write(void *regs, enum v3d_reg reg, u32 value)
{
	((u32 *)regs)[reg / sizeof(u32)] = value;
}

/**
 * bv3d_fake_hw() - registers that keep what was written, and do nothing
 * @regs: V3D_REGS_SIZE bytes
 */
struct v3dcl_hw bv3d_fake_hw(u32 *regs)
{
	return (struct v3dcl_hw){ .read = bv3d_fake_read, .write = bv3d_fake_write, .v3d = regs };
}

/**
 * bv3d_fake_power() - a V3D that is awake, and stays so
 */
int bv3d_fake_power(struct kunit *test, struct bv3d_device *v3d)
{
	v3d->drm.dev = kunit_device_register(test, "v3d");
	if (IS_ERR(v3d->drm.dev))
		return PTR_ERR(v3d->drm.dev);
	pm_runtime_get_noresume(v3d->drm.dev);
	pm_runtime_set_active(v3d->drm.dev);
	pm_runtime_enable(v3d->drm.dev);
	return 0;
}

MODULE_DESCRIPTION("KUnit tests of bcm2835_v3d");
MODULE_LICENSE("GPL");
