// SPDX-License-Identifier: GPL-2.0-only
/* A binner that wants memory is seen to, however its chip tells: see v3dcl_binner_wish() */
#include <linux/delay.h>

#include "jobs.h"
#include "kunit.h"
#include "submit.h"

#define OUTOMEM V3D_MASK(INTCTL, OUTOMEM)

struct bv3d_binmem_test {
	struct bv3d_device *v3d;
	struct bv3d_sched sched;
	struct bv3d_file_queues file;
	struct bv3d_submit submit;
	struct bv3d_job job;
	u32 regs[V3D_REGS_SIZE / sizeof(u32)];
	u32 causes;		/* of INTCTL: while they stand, their latches cannot be cleared */
};

static u32 bv3d_binmem_test_read(void *opaque, enum v3d_reg reg)
{
	struct bv3d_binmem_test *fixture = opaque;

	return READ_ONCE(fixture->regs[reg / sizeof(u32)]);
}

static void bv3d_binmem_test_write(void *opaque, enum v3d_reg reg, u32 value)
{
	struct bv3d_binmem_test *fixture = opaque;
	u32 *word = &fixture->regs[reg / sizeof(u32)];

	WRITE_ONCE(*word, reg == V3D_INTCTL ? (*word & ~value) | READ_ONCE(fixture->causes) :
					      value);
}

static void bv3d_binmem_set(struct bv3d_binmem_test *fixture, enum v3d_reg reg, u32 value)
{
	WRITE_ONCE(fixture->regs[reg / sizeof(u32)], value);
}

/* The job fails: only a reset would end it */
static void bv3d_binmem_reset(struct kthread_work *work)
{
}

static const struct drm_driver bv3d_binmem_driver = {
	.driver_features = DRIVER_GEM,
	.name = "v3d_kunit",
};

/* A bin job runs. There is no memory for the pool: what the binner asks for, it waits for */
static int bv3d_binmem_test_init(struct kunit *test)
{
	struct bv3d_binmem_test *fixture = kunit_kzalloc(test, sizeof(*fixture), GFP_KERNEL);
	struct bv3d_device fake = {};
	int ret;

	if (!fixture)
		return -ENOMEM;
	test->priv = fixture;
	ret = bv3d_fake_power(test, &fake);
	if (ret)
		return ret;
	fixture->v3d = devm_drm_dev_alloc(fake.drm.dev, &bv3d_binmem_driver, struct bv3d_device,
					  drm);
	if (IS_ERR(fixture->v3d))
		return PTR_ERR(fixture->v3d);
	spin_lock_init(&fixture->v3d->listens.lock);
	fixture->v3d->sched = &fixture->sched;
	fixture->v3d->regs = (void __iomem *)fixture->regs;
	fixture->v3d->hw = (struct v3dcl_hw){ .read = bv3d_binmem_test_read,
					      .write = bv3d_binmem_test_write, .v3d = fixture };
	fixture->sched.v3d = fixture->v3d;
	spin_lock_init(&fixture->sched.lock);
	rt_mutex_init(&fixture->sched.hw);
	init_waitqueue_head(&fixture->sched.idle);
	fixture->submit.v3d = fixture->v3d;
	fixture->submit.file = &fixture->file;
	fixture->job.submit = &fixture->submit;
	fixture->job.queue = V3D_BIN;
	fixture->job.state = V3D_JOB_RUNNING;
	fixture->sched.queues[V3D_BIN].active = &fixture->job;
	kthread_init_work(&fixture->sched.reset, bv3d_binmem_reset);
	fixture->sched.resets = kthread_run_worker(0, "v3d_kunit");
	if (IS_ERR(fixture->sched.resets))
		return PTR_ERR(fixture->sched.resets);
	return bv3d_binmem_init(fixture->v3d);
}

static void bv3d_binmem_test_exit(struct kunit *test)
{
	struct bv3d_binmem_test *fixture = test->priv;

	if (!fixture || IS_ERR_OR_NULL(fixture->sched.resets))
		return;
	fixture->sched.queues[V3D_BIN].active = NULL;
	if (fixture->v3d->binmem)
		bv3d_binmem_stop(fixture->v3d);
	kthread_destroy_worker(fixture->sched.resets);
}

static void bv3d_binmem_interrupt(struct bv3d_binmem_test *fixture)
{
	bv3d_binmem_test_write(fixture, V3D_INTCTL, OUTOMEM);
	bv3d_binmem_out_of_memory(fixture->v3d);
}

/* Is it seen within some looks that the binner waits? */
static bool bv3d_binmem_seen(struct bv3d_binmem_test *fixture)
{
	unsigned int i;

	for (i = 0; i < 20 && !bv3d_binmem_hungry(fixture->v3d); i++)
		msleep(20);
	return bv3d_binmem_hungry(fixture->v3d);
}

/*
 * Memory takes effect late, so OUTOMEM cannot be cleared and stays masked; when the memory was
 * taken and has been used up, no interrupt says so
 */
static void bv3d_binmem_late(struct kunit *test)
{
	struct bv3d_binmem_test *fixture = test->priv;

	fixture->causes = OUTOMEM;
	bv3d_binmem_set(fixture, V3D_INTCTL, OUTOMEM);
	bv3d_binmem_set(fixture, V3D_PCS, V3D_MASK(PCS, BMOOM));
	bv3d_binmem_set(fixture, V3D_BPOS, V3DCL_TILE_CHUNK);
	bv3d_binmem_interrupt(fixture);
	KUNIT_EXPECT_FALSE(test, bv3d_binmem_hungry(fixture->v3d));
	bv3d_binmem_set(fixture, V3D_BPOS, 0);
	KUNIT_EXPECT_TRUE(test, bv3d_binmem_seen(fixture));
}

/* OUTOMEM comes early, and only then: cleared, it does not come again when the binner halts */
static void bv3d_binmem_early(struct kunit *test)
{
	struct bv3d_binmem_test *fixture = test->priv;

	bv3d_binmem_set(fixture, V3D_INTCTL, OUTOMEM);
	bv3d_binmem_interrupt(fixture);
	KUNIT_EXPECT_FALSE(test, bv3d_binmem_hungry(fixture->v3d));
	bv3d_binmem_set(fixture, V3D_PCS, V3D_MASK(PCS, BMOOM));
	KUNIT_EXPECT_TRUE(test, bv3d_binmem_seen(fixture));
}

/* A latch that outlives its cause is no wish: the job must not fail for want of memory */
static void bv3d_binmem_stale(struct kunit *test)
{
	struct bv3d_binmem_test *fixture = test->priv;

	fixture->causes = OUTOMEM;
	bv3d_binmem_set(fixture, V3D_INTCTL, OUTOMEM);
	bv3d_binmem_set(fixture, V3D_BPOS, V3DCL_TILE_CHUNK);
	bv3d_binmem_interrupt(fixture);
	WRITE_ONCE(fixture->causes, 0);
	bv3d_binmem_set(fixture, V3D_BPOS, 0);
	KUNIT_EXPECT_FALSE(test, bv3d_binmem_seen(fixture));
	KUNIT_EXPECT_EQ(test, fixture->job.error, 0);
}

/* Nor is a wish that there is no memory for a lack of it, as long as the binner does not stand */
static void bv3d_binmem_content(struct kunit *test)
{
	struct bv3d_binmem_test *fixture = test->priv;
	unsigned int i;

	fixture->causes = OUTOMEM;
	bv3d_binmem_set(fixture, V3D_INTCTL, OUTOMEM);
	bv3d_binmem_interrupt(fixture);
	msleep(1200);
	KUNIT_EXPECT_EQ(test, READ_ONCE(fixture->job.error), 0);
	bv3d_binmem_set(fixture, V3D_PCS, V3D_MASK(PCS, BMOOM));
	for (i = 0; i < 100 && !READ_ONCE(fixture->job.error); i++)
		msleep(20);
	KUNIT_EXPECT_EQ(test, READ_ONCE(fixture->job.error), -ENOMEM);
}

/* An OUTOMEM that stands is masked, and a masked one that stands is no reason for an interrupt */
static void bv3d_binmem_masked(struct kunit *test)
{
	struct bv3d_binmem_test *fixture = test->priv;

	fixture->causes = OUTOMEM;
	bv3d_binmem_set(fixture, V3D_BPOS, V3DCL_TILE_CHUNK);
	bv3d_irq_listen(fixture->v3d);
	KUNIT_EXPECT_EQ(test, fixture->regs[V3D_INTENA / sizeof(u32)], OUTOMEM);
	bv3d_binmem_set(fixture, V3D_INTCTL, OUTOMEM);
	KUNIT_EXPECT_EQ(test, bv3d_irq_handle(fixture->v3d), IRQ_HANDLED);
	KUNIT_EXPECT_EQ(test, fixture->regs[V3D_INTDIS / sizeof(u32)], OUTOMEM);
	bv3d_binmem_set(fixture, V3D_INTCTL, OUTOMEM);
	KUNIT_EXPECT_EQ(test, bv3d_irq_handle(fixture->v3d), IRQ_NONE);
}

static struct kunit_case bv3d_binmem_cases[] = {
	KUNIT_CASE(bv3d_binmem_late),
	KUNIT_CASE(bv3d_binmem_early),
	KUNIT_CASE(bv3d_binmem_stale),
	KUNIT_CASE(bv3d_binmem_content),
	KUNIT_CASE(bv3d_binmem_masked),
	{}
};

static struct kunit_suite bv3d_binmem_suite = {
	.name = "v3d_binmem",
	.init = bv3d_binmem_test_init,
	.exit = bv3d_binmem_test_exit,
	.test_cases = bv3d_binmem_cases,
};

kunit_test_suite(bv3d_binmem_suite);
