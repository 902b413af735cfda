// SPDX-License-Identifier: GPL-2.0-only
/* The arbiter: who runs beside whom, and what is scrubbed before */
#include <linux/pm_runtime.h>

#include "jobs.h"
#include "kunit.h"

enum { ALICE, BOB, FILES };

/* What a job is like, beside its queue */
#define CODE 1
#define RESIDUE 2	/* it could see: of code */

struct bv3d_arbiter_test {
	struct bv3d_device v3d;
	struct bv3d_sched sched;
	struct bv3d_file_queues files[FILES];
};

/* A job and the submit that it is all of */
struct bv3d_arbiter_job {
	struct bv3d_job job;
	struct bv3d_submit submit;
};

static int bv3d_arbiter_test_init(struct kunit *test)
{
	struct bv3d_arbiter_test *fixture = kunit_kzalloc(test, sizeof(*fixture), GFP_KERNEL);
	unsigned int i;

	if (!fixture)
		return -ENOMEM;
	fixture->v3d.sched = &fixture->sched;
	fixture->sched.v3d = &fixture->v3d;
	spin_lock_init(&fixture->sched.lock);
	for (i = 0; i < V3D_QUEUES; i++)
		INIT_LIST_HEAD(&fixture->sched.queues[i].waiting);
	for (i = 0; i < FILES; i++)
		fixture->files[i].client_id = 1 + i;
	test->priv = fixture;
	return bv3d_fake_power(test, &fixture->v3d);
}

static struct bv3d_job *bv3d_arbiter_new(struct kunit *test, unsigned int file,
					 enum bv3d_queue queue, unsigned int kind)
{
	struct bv3d_arbiter_test *fixture = test->priv;
	struct bv3d_arbiter_job *made = kunit_kzalloc(test, sizeof(*made), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, made);
	made->submit.v3d = &fixture->v3d;
	made->submit.file = &fixture->files[file];
	made->job.submit = &made->submit;
	made->job.queue = queue;
	made->job.runs_code = kind;
	made->job.sees_residue = kind & RESIDUE;
	INIT_LIST_HEAD(&made->job.link);
	made->job.grant = bv3d_fence_create();
	KUNIT_ASSERT_NOT_NULL(test, made->job.grant);
	bv3d_fence_init(made->job.grant, dma_fence_context_alloc(1), 1);
	return &made->job;
}

/* Lets the arbiter grant what it can after something has changed */
static void bv3d_arbiter_change(struct kunit *test,
				void (*change)(struct bv3d_sched *sched, struct bv3d_job *job),
				struct bv3d_job *job)
{
	struct bv3d_sched *sched = &((struct bv3d_arbiter_test *)test->priv)->sched;
	struct bv3d_grants grants;

	spin_lock_irq(&sched->lock);
	change(sched, job);
	bv3d_arbiter_grant(sched, &grants);
	spin_unlock_irq(&sched->lock);
	bv3d_grants_signal(&grants);
}

static struct bv3d_job *bv3d_arbiter_arrive(struct kunit *test, unsigned int file,
					    enum bv3d_queue queue, unsigned int kind)
{
	struct bv3d_job *job = bv3d_arbiter_new(test, file, queue, kind);

	bv3d_arbiter_change(test, bv3d_arbiter_enter, job);
	return job;
}

static void bv3d_arbiter_end(struct bv3d_sched *sched, struct bv3d_job *job)
{
	bv3d_arbiter_leave(sched, job, 1000);
	dma_fence_put(&job->grant->base);
}

static void bv3d_arbiter_finish(struct kunit *test, struct bv3d_job *job)
{
	KUNIT_EXPECT_EQ(test, job->state, V3D_JOB_GRANTED);
	bv3d_arbiter_change(test, bv3d_arbiter_end, job);
}

static void bv3d_arbiter_scrubbed(struct bv3d_sched *sched, struct bv3d_job *job)
{
	bv3d_scrub_ended(job);
}

/* What the hardware does for it: its scrub is over */
static void bv3d_arbiter_scrub(struct kunit *test, struct bv3d_job *job, struct bv3d_scrub *scrub)
{
	KUNIT_ASSERT_EQ(test, job->state, V3D_JOB_GRANTED);
	KUNIT_ASSERT_PTR_EQ(test, job->scrub, scrub);
	if (scrub)
		bv3d_arbiter_change(test, bv3d_arbiter_scrubbed, job);
}

/* A file alone is scrubbed for once, and its jobs run beside each other, but for the scrub */
static void bv3d_arbiter_one_file(struct kunit *test)
{
	struct bv3d_sched *sched = &((struct bv3d_arbiter_test *)test->priv)->sched;
	struct bv3d_job *bin = bv3d_arbiter_arrive(test, ALICE, V3D_BIN, RESIDUE);
	struct bv3d_job *render = bv3d_arbiter_arrive(test, ALICE, V3D_RENDER, RESIDUE), *program;

	KUNIT_EXPECT_EQ(test, render->state, V3D_JOB_WAITING);
	bv3d_arbiter_scrub(test, bin, &sched->registers);
	bv3d_arbiter_scrub(test, render, NULL);
	bv3d_arbiter_finish(test, bin);
	bin = bv3d_arbiter_arrive(test, ALICE, V3D_BIN, CODE);
	bv3d_arbiter_scrub(test, bin, NULL);
	bv3d_arbiter_finish(test, render);
	program = bv3d_arbiter_arrive(test, ALICE, V3D_QPU, CODE);
	bv3d_arbiter_scrub(test, program, &sched->rows);
	bv3d_arbiter_finish(test, program);
	program = bv3d_arbiter_arrive(test, ALICE, V3D_QPU, CODE);
	bv3d_arbiter_scrub(test, program, NULL);
	bv3d_arbiter_finish(test, program);
	bv3d_arbiter_finish(test, bin);
	KUNIT_EXPECT_EQ(test, sched->registers.count, 1ULL);
	KUNIT_EXPECT_EQ(test, sched->rows.count, 1ULL);
}

/* A job waits until the one before it has ended, and then for this scrub; NULL: none */
static void bv3d_arbiter_after(struct kunit *test, struct bv3d_job *before, struct bv3d_job *job,
			       struct bv3d_scrub *scrub)
{
	KUNIT_EXPECT_EQ(test, job->state, V3D_JOB_WAITING);
	bv3d_arbiter_finish(test, before);
	bv3d_arbiter_scrub(test, job, scrub);
	bv3d_arbiter_finish(test, job);
}

/* User programs hold addresses, which a shader of the same file must not see either */
static void bv3d_arbiter_addresses(struct kunit *test)
{
	struct bv3d_sched *sched = &((struct bv3d_arbiter_test *)test->priv)->sched;
	struct bv3d_job *program = bv3d_arbiter_arrive(test, ALICE, V3D_QPU, CODE);
	struct bv3d_job *frame = bv3d_arbiter_arrive(test, ALICE, V3D_RENDER, RESIDUE);

	bv3d_arbiter_scrub(test, program, &sched->rows);
	KUNIT_EXPECT_EQ(test, frame->state, V3D_JOB_WAITING);
	bv3d_arbiter_finish(test, program);
	bv3d_arbiter_scrub(test, frame, &sched->registers);
	program = bv3d_arbiter_arrive(test, ALICE, V3D_QPU, CODE);
	bv3d_arbiter_after(test, frame, program, NULL);
	KUNIT_EXPECT_EQ(test, sched->registers.count, 1ULL);
}

/*
 * A job that could see something is exclusive, and comes after a scrub. What runs no code disturbs
 * no other job.
 */
static void bv3d_arbiter_two_files(struct kunit *test)
{
	struct bv3d_sched *sched = &((struct bv3d_arbiter_test *)test->priv)->sched;
	struct bv3d_job *frame = bv3d_arbiter_arrive(test, ALICE, V3D_RENDER, RESIDUE);
	struct bv3d_job *program, *clear;

	clear = bv3d_arbiter_arrive(test, BOB, V3D_BIN, 0);
	KUNIT_EXPECT_EQ(test, clear->state, V3D_JOB_GRANTED);
	bv3d_arbiter_scrub(test, frame, &sched->registers);
	program = bv3d_arbiter_arrive(test, BOB, V3D_QPU, CODE);
	KUNIT_EXPECT_EQ(test, program->state, V3D_JOB_WAITING);
	bv3d_arbiter_finish(test, clear);
	KUNIT_EXPECT_EQ(test, program->state, V3D_JOB_WAITING);
	bv3d_arbiter_finish(test, frame);
	bv3d_arbiter_scrub(test, program, &sched->rows);

	frame = bv3d_arbiter_arrive(test, ALICE, V3D_RENDER, RESIDUE);
	bv3d_arbiter_after(test, program, frame, &sched->registers);
	KUNIT_EXPECT_EQ(test, sched->registers.count, 2ULL);
}

/* No job sees anything, so all run beside each other, and nothing is scrubbed for them */
static void bv3d_arbiter_strangers(struct kunit *test)
{
	struct bv3d_sched *sched = &((struct bv3d_arbiter_test *)test->priv)->sched;
	struct bv3d_job *frame = bv3d_arbiter_arrive(test, ALICE, V3D_RENDER, CODE);
	struct bv3d_job *bin = bv3d_arbiter_arrive(test, BOB, V3D_BIN, CODE);

	bv3d_arbiter_scrub(test, frame, NULL);
	bv3d_arbiter_scrub(test, bin, NULL);
	bv3d_arbiter_finish(test, frame);
	bv3d_arbiter_finish(test, bin);
	KUNIT_EXPECT_EQ(test, sched->registers.count, 0ULL);
}

/* A job that was granted its queue, but never ran, has scrubbed nothing */
static void bv3d_arbiter_never_ran(struct kunit *test)
{
	struct bv3d_sched *sched = &((struct bv3d_arbiter_test *)test->priv)->sched;
	struct bv3d_job *killed = bv3d_arbiter_arrive(test, ALICE, V3D_RENDER, RESIDUE), *next;

	KUNIT_EXPECT_PTR_EQ(test, killed->scrub, &sched->registers);
	bv3d_arbiter_finish(test, killed);
	next = bv3d_arbiter_arrive(test, ALICE, V3D_RENDER, RESIDUE);
	bv3d_arbiter_scrub(test, next, &sched->registers);
	bv3d_arbiter_finish(test, next);
}

/* A file whose frames are binned and rendered at once, and another, do not starve each other */
static void bv3d_arbiter_no_starvation(struct kunit *test)
{
	struct bv3d_sched *sched = &((struct bv3d_arbiter_test *)test->priv)->sched;
	struct bv3d_job *render = bv3d_arbiter_arrive(test, ALICE, V3D_RENDER, RESIDUE);
	struct bv3d_job *bin, *program, *after;

	bv3d_arbiter_scrub(test, render, &sched->registers);
	bin = bv3d_arbiter_arrive(test, ALICE, V3D_BIN, RESIDUE);
	program = bv3d_arbiter_arrive(test, BOB, V3D_QPU, CODE);
	bv3d_arbiter_finish(test, render);
	render = bv3d_arbiter_arrive(test, ALICE, V3D_RENDER, RESIDUE);
	KUNIT_EXPECT_EQ(test, render->state, V3D_JOB_WAITING);
	bv3d_arbiter_finish(test, bin);
	bv3d_arbiter_scrub(test, program, &sched->rows);
	after = bv3d_arbiter_arrive(test, BOB, V3D_QPU, CODE);
	KUNIT_EXPECT_EQ(test, render->state, V3D_JOB_WAITING);
	bv3d_arbiter_finish(test, program);
	bv3d_arbiter_scrub(test, render, &sched->registers);
	KUNIT_EXPECT_EQ(test, after->state, V3D_JOB_WAITING);
	bv3d_arbiter_finish(test, render);
	bv3d_arbiter_finish(test, after);
}

static struct bv3d_job *bv3d_arbiter_render(struct kunit *test, unsigned int file,
					    enum drm_v3dcl_priority priority)
{
	struct bv3d_job *job = bv3d_arbiter_new(test, file, V3D_RENDER, 0);

	job->submit->priority = priority;
	bv3d_arbiter_change(test, bv3d_arbiter_enter, job);
	return job;
}

/* High priority comes first, whatever its file has had; of low priority, time counts four times */
static void bv3d_arbiter_priority(struct kunit *test)
{
	struct bv3d_job *job = bv3d_arbiter_render(test, ALICE, DRM_V3DCL_PRIORITY_LOW);
	struct bv3d_job *high = bv3d_arbiter_render(test, ALICE, DRM_V3DCL_PRIORITY_HIGH);
	struct bv3d_job *low = bv3d_arbiter_render(test, ALICE, DRM_V3DCL_PRIORITY_LOW);
	struct bv3d_job *bobs[6];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bobs); i++)
		bobs[i] = bv3d_arbiter_render(test, BOB, DRM_V3DCL_PRIORITY_NORMAL);
	bv3d_arbiter_finish(test, job);
	bv3d_arbiter_finish(test, high);
	/* Alice has had 4000 ns by now, and Bob none */
	for (i = 0; i < 4; i++)
		bv3d_arbiter_finish(test, bobs[i]);
	bv3d_arbiter_finish(test, low);
	bv3d_arbiter_finish(test, bobs[4]);
	bv3d_arbiter_finish(test, bobs[5]);
}

/* However much of high priority there was: files that come then have the same time each */
static void bv3d_arbiter_high_counts_not(struct kunit *test)
{
	struct bv3d_job *bobs[2], *alice, *high = NULL;
	unsigned int i;

	for (i = 0; i < 10; i++) {
		if (high)
			bv3d_arbiter_finish(test, high);
		high = bv3d_arbiter_render(test, ALICE, DRM_V3DCL_PRIORITY_HIGH);
	}
	for (i = 0; i < ARRAY_SIZE(bobs); i++)
		bobs[i] = bv3d_arbiter_render(test, BOB, DRM_V3DCL_PRIORITY_NORMAL);
	alice = bv3d_arbiter_render(test, ALICE, DRM_V3DCL_PRIORITY_NORMAL);
	bv3d_arbiter_finish(test, high);
	bv3d_arbiter_finish(test, bobs[0]);
	bv3d_arbiter_finish(test, alice);
	bv3d_arbiter_finish(test, bobs[1]);
}

/* The worker that wakes a V3D: the driver's own would touch registers */
static void bv3d_arbiter_wake(struct work_struct *work)
{
	struct bv3d_sched *sched = container_of(work, struct bv3d_sched, wake);
	struct bv3d_grants grants;

	pm_runtime_get_sync(sched->v3d->drm.dev);
	spin_lock_irq(&sched->lock);
	sched->powered = true;
	bv3d_arbiter_grant(sched, &grants);
	spin_unlock_irq(&sched->lock);
	bv3d_grants_signal(&grants);
}

static int bv3d_arbiter_users(const struct bv3d_sched *sched)
{
	return atomic_read(&sched->v3d->drm.dev->power.usage_count);
}

/* What runs holds power, once, and nothing else does; a V3D that sleeps is woken before */
static void bv3d_arbiter_power(struct kunit *test)
{
	struct bv3d_sched *sched = &((struct bv3d_arbiter_test *)test->priv)->sched;
	struct device *dev = sched->v3d->drm.dev;
	int users = bv3d_arbiter_users(sched);
	struct bv3d_job *render, *bin, *next;

	render = bv3d_arbiter_arrive(test, ALICE, V3D_RENDER, 0);
	bin = bv3d_arbiter_arrive(test, ALICE, V3D_BIN, 0);
	next = bv3d_arbiter_arrive(test, ALICE, V3D_BIN, 0);
	KUNIT_EXPECT_EQ(test, bv3d_arbiter_users(sched), users + 1);
	bv3d_arbiter_finish(test, render);
	bv3d_arbiter_finish(test, bin);
	KUNIT_EXPECT_EQ(test, bv3d_arbiter_users(sched), users + 1);
	bv3d_arbiter_finish(test, next);
	KUNIT_EXPECT_EQ(test, bv3d_arbiter_users(sched), users);

	INIT_WORK(&sched->wake, bv3d_arbiter_wake);
	sched->timeouts = alloc_ordered_workqueue("v3d_kunit", 0);
	KUNIT_ASSERT_NOT_NULL(test, sched->timeouts);
	pm_runtime_put_sync(dev);
	KUNIT_EXPECT_TRUE(test, pm_runtime_suspended(dev));
	render = bv3d_arbiter_arrive(test, ALICE, V3D_RENDER, 0);
	flush_work(&sched->wake);
	KUNIT_EXPECT_EQ(test, bv3d_arbiter_users(sched), users);
	bv3d_arbiter_finish(test, render);
	KUNIT_EXPECT_EQ(test, bv3d_arbiter_users(sched), users - 1);
	destroy_workqueue(sched->timeouts);
	pm_runtime_get_noresume(dev);
}

/* What runs beside programs near their limit could not finish before these are ended */
static void bv3d_arbiter_limit(struct kunit *test)
{
	struct bv3d_qpu_work work = { .timeout_ns = NSEC_PER_SEC };
	struct bv3d_job *program, *render, *bin;

	program = bv3d_arbiter_arrive(test, ALICE, V3D_QPU, CODE);
	program->submit->qpu = &work;
	program->state = V3D_JOB_RUNNING;
	program->started = ktime_sub_ms(ktime_get(), 100);
	bin = bv3d_arbiter_arrive(test, BOB, V3D_BIN, 0);
	KUNIT_EXPECT_EQ(test, bin->state, V3D_JOB_GRANTED);
	program->started = ktime_sub_ms(ktime_get(), 1000 - V3D_GRACE_MS / 2);
	render = bv3d_arbiter_arrive(test, BOB, V3D_RENDER, 0);
	KUNIT_EXPECT_EQ(test, render->state, V3D_JOB_WAITING);
	program->state = V3D_JOB_GRANTED;
	bv3d_arbiter_finish(test, program);
	bv3d_arbiter_finish(test, render);
	bv3d_arbiter_finish(test, bin);
}

static struct kunit_case bv3d_arbiter_cases[] = {
	KUNIT_CASE(bv3d_arbiter_one_file),
	KUNIT_CASE(bv3d_arbiter_addresses),
	KUNIT_CASE(bv3d_arbiter_two_files),
	KUNIT_CASE(bv3d_arbiter_strangers),
	KUNIT_CASE(bv3d_arbiter_never_ran),
	KUNIT_CASE(bv3d_arbiter_no_starvation),
	KUNIT_CASE(bv3d_arbiter_priority),
	KUNIT_CASE(bv3d_arbiter_high_counts_not),
	KUNIT_CASE(bv3d_arbiter_power),
	KUNIT_CASE(bv3d_arbiter_limit),
	{}
};

static struct kunit_suite bv3d_arbiter_suite = {
	.name = "v3d_arbiter",
	.init = bv3d_arbiter_test_init,
	.test_cases = bv3d_arbiter_cases,
};

kunit_test_suite(bv3d_arbiter_suite);
