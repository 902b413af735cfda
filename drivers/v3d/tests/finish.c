// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of a job: in which order its fence, its seqno and the next job come; and its beginning,
 * when that comes during a reset
 */
#include "jobs.h"
#include "kunit.h"

struct bv3d_finish_test {
	struct bv3d_device v3d;
	struct bv3d_sched sched;
	struct bv3d_file_queues queues;
	struct bv3d_file file;
	struct drm_file drm_file;
	struct bv3d_submit submits[2];
	struct bv3d_job jobs[2];
	struct delayed_work signal;
	struct bv3d_reset reset;
	u32 regs[V3D_REGS_SIZE / sizeof(u32)];

	/* What the first job's fence sees while it signals */
	struct dma_fence_cb cb;
	u64 finished, signalled;
	enum bv3d_job_state next;
};

static void bv3d_finish_see(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	struct bv3d_finish_test *fixture = container_of(cb, struct bv3d_finish_test, cb);

	fixture->finished = atomic64_read(&fixture->queues.finished);
	fixture->signalled = atomic64_read(&fixture->queues.signalled);
	fixture->next = fixture->jobs[1].state;
}

static void bv3d_finish_signal(struct work_struct *work)
{
	struct bv3d_finish_test *fixture =
		container_of(to_delayed_work(work), struct bv3d_finish_test, signal);

	atomic64_set(&fixture->queues.signalled, 1);
	wake_up_all(&fixture->queues.wait);
}

static int bv3d_finish_test_init(struct kunit *test)
{
	struct bv3d_finish_test *fixture = kunit_kzalloc(test, sizeof(*fixture), GFP_KERNEL);
	unsigned int i;

	if (!fixture)
		return -ENOMEM;
	fixture->v3d.sched = &fixture->sched;
	fixture->v3d.hw = bv3d_fake_hw(fixture->regs);
	fixture->sched.v3d = &fixture->v3d;
	spin_lock_init(&fixture->sched.lock);
	rt_mutex_init(&fixture->sched.hw);
	spin_lock_init(&fixture->v3d.perf.lock);
	init_waitqueue_head(&fixture->sched.idle);
	for (i = 0; i < V3D_QUEUES; i++)
		INIT_LIST_HEAD(&fixture->sched.queues[i].waiting);
	kref_init(&fixture->queues.refs);
	init_waitqueue_head(&fixture->queues.wait);
	mutex_init(&fixture->queues.lock);
	fixture->queues.context = dma_fence_context_alloc(1);
	fixture->queues.seqno = ARRAY_SIZE(fixture->jobs);
	fixture->file.queues = &fixture->queues;
	fixture->drm_file.driver_priv = &fixture->file;
	INIT_DELAYED_WORK(&fixture->signal, bv3d_finish_signal);
	test->priv = fixture;
	return bv3d_fake_power(test, &fixture->v3d);
}

/* The job of submit @i + 1, which has arrived at the render queue */
static struct bv3d_job *bv3d_finish_arrive(struct kunit *test, unsigned int i)
{
	struct bv3d_finish_test *fixture = test->priv;
	struct bv3d_submit *submit = &fixture->submits[i];
	struct bv3d_job *job = &fixture->jobs[i];
	struct bv3d_grants grants;

	submit->v3d = &fixture->v3d;
	submit->file = &fixture->queues;
	submit->seqno = i + 1;
	job->submit = submit;
	job->queue = V3D_RENDER;
	INIT_LIST_HEAD(&job->link);
	job->done = bv3d_fence_create();
	job->grant = bv3d_fence_create();
	KUNIT_ASSERT_NOT_NULL(test, job->done);
	KUNIT_ASSERT_NOT_NULL(test, job->grant);
	bv3d_fence_init(job->done, fixture->queues.context, submit->seqno);
	bv3d_fence_init(job->grant, dma_fence_context_alloc(1), 1);

	spin_lock_irq(&fixture->sched.lock);
	bv3d_arbiter_enter(&fixture->sched, job);
	bv3d_arbiter_grant(&fixture->sched, &grants);
	spin_unlock_irq(&fixture->sched.lock);
	bv3d_grants_signal(&grants);
	return job;
}

static void bv3d_finish_leave(struct bv3d_job *job, int error)
{
	bv3d_job_finish(job, error);
	dma_fence_put(&job->done->base);
	dma_fence_put(&job->grant->base);
}

static int bv3d_finish_poll(struct bv3d_finish_test *fixture, u64 seqno)
{
	struct drm_vc4_wait_seqno wait = { .seqno = seqno };

	return bv3d_wait_seqno_ioctl(&fixture->v3d.drm, &wait, &fixture->drm_file);
}

/*
 * While the fence signals, WAIT_SEQNO does not say "not yet", and does not say "done"; and no other
 * job of the queue has begun
 */
static void bv3d_finish_order(struct kunit *test)
{
	struct bv3d_finish_test *fixture = test->priv;
	struct bv3d_job *job = bv3d_finish_arrive(test, 0), *next = bv3d_finish_arrive(test, 1);

	KUNIT_ASSERT_EQ(test, job->state, V3D_JOB_GRANTED);
	KUNIT_ASSERT_EQ(test, next->state, V3D_JOB_WAITING);
	KUNIT_EXPECT_EQ(test, bv3d_finish_poll(fixture, 1), -ETIME);
	KUNIT_ASSERT_EQ(test, dma_fence_add_callback(&job->done->base, &fixture->cb,
						     bv3d_finish_see), 0);
	bv3d_finish_leave(job, 0);
	KUNIT_EXPECT_EQ(test, fixture->finished, 1ULL);
	KUNIT_EXPECT_EQ(test, fixture->signalled, 0ULL);
	KUNIT_EXPECT_EQ(test, fixture->next, V3D_JOB_WAITING);
	KUNIT_EXPECT_EQ(test, next->state, V3D_JOB_GRANTED);
	KUNIT_EXPECT_EQ(test, bv3d_finish_poll(fixture, 1), 0);
	KUNIT_EXPECT_EQ(test, bv3d_finish_poll(fixture, 2), -ETIME);
	bv3d_finish_leave(next, -ECANCELED);
	KUNIT_EXPECT_EQ(test, bv3d_finish_poll(fixture, 2), 0);
	KUNIT_EXPECT_EQ(test, bv3d_finish_poll(fixture, 3), -ETIME);
}

/* A poll between a fence and what comes after it waits for that, but not for ever */
static void bv3d_finish_between(struct kunit *test)
{
	struct bv3d_finish_test *fixture = test->priv;

	atomic64_set(&fixture->queues.finished, 1);
	KUNIT_EXPECT_EQ(test, bv3d_finish_poll(fixture, 1), -ETIME);
	schedule_delayed_work(&fixture->signal, 1);
	KUNIT_EXPECT_EQ(test, bv3d_finish_poll(fixture, 1), 0);
	KUNIT_EXPECT_EQ(test, atomic64_read(&fixture->queues.signalled), 1LL);
	flush_delayed_work(&fixture->signal);
}

static void bv3d_finish_first(struct work_struct *work)
{
	struct bv3d_finish_test *fixture =
		container_of(to_delayed_work(work), struct bv3d_finish_test, signal);

	bv3d_finish_leave(&fixture->jobs[0], 0);
}

/* System suspend waits for what runs; what waits starts after resume */
static void bv3d_finish_suspend(struct kunit *test)
{
	struct bv3d_finish_test *fixture = test->priv;
	struct bv3d_job *job = bv3d_finish_arrive(test, 0), *next = bv3d_finish_arrive(test, 1);

	KUNIT_ASSERT_EQ(test, job->state, V3D_JOB_GRANTED);
	INIT_DELAYED_WORK(&fixture->signal, bv3d_finish_first);
	schedule_delayed_work(&fixture->signal, msecs_to_jiffies(20));
	KUNIT_EXPECT_EQ(test, bv3d_sched_suspend(&fixture->v3d), 0);
	flush_delayed_work(&fixture->signal);
	KUNIT_EXPECT_EQ(test, job->state, V3D_JOB_DONE);
	KUNIT_EXPECT_EQ(test, next->state, V3D_JOB_WAITING);
	bv3d_sched_resume(&fixture->v3d);
	KUNIT_EXPECT_EQ(test, next->state, V3D_JOB_GRANTED);
	bv3d_finish_leave(next, 0);
}

/* A reset has begun; the job, which was granted its queue before, starts now */
static struct bv3d_job *bv3d_finish_start_in_reset(struct kunit *test)
{
	struct bv3d_finish_test *fixture = test->priv;
	struct bv3d_job *job = bv3d_finish_arrive(test, 0);

	KUNIT_ASSERT_EQ(test, job->state, V3D_JOB_GRANTED);
	job->start = 0x1000;
	job->end = 0x1040;
	rt_mutex_lock(&fixture->sched.hw);
	KUNIT_EXPECT_FALSE(test, bv3d_sched_halt(&fixture->sched));
	rt_mutex_unlock(&fixture->sched.hw);
	dma_fence_put(bv3d_run_job(&job->base));
	KUNIT_EXPECT_EQ(test, fixture->regs[V3D_CT1EA / sizeof(u32)], 0U);
	return job;
}

static void bv3d_finish_end_reset(struct bv3d_finish_test *fixture, struct bv3d_job *job)
{
	rt_mutex_lock(&fixture->sched.hw);
	if (job)
		bv3d_reset_restart(&fixture->reset, job);
	bv3d_sched_go_on(&fixture->sched);
	rt_mutex_unlock(&fixture->sched.hw);
}

/* What would start during a reset starts at its end, and is run for the first time then */
static void bv3d_finish_granted_in_reset(struct kunit *test)
{
	struct bv3d_finish_test *fixture = test->priv;
	struct bv3d_job *job = bv3d_finish_start_in_reset(test);

	KUNIT_ASSERT_EQ(test, job->state, V3D_JOB_STOPPED);
	bv3d_finish_end_reset(fixture, job);
	KUNIT_EXPECT_EQ(test, job->state, V3D_JOB_RUNNING);
	KUNIT_EXPECT_EQ(test, fixture->regs[V3D_CT1EA / sizeof(u32)], 0x1040U);
	KUNIT_EXPECT_EQ(test, job->restarts, 0U);
	KUNIT_EXPECT_EQ(test, atomic_read(&fixture->reset.restarts), 0);
	bv3d_job_claim(job, V3D_JOB_RUNNING, V3D_JOB_FINISHING);
	bv3d_finish_leave(job, 0);
	KUNIT_EXPECT_EQ(test, job->state, V3D_JOB_DONE);
}

/* What must not run ends in the middle of a reset as it does otherwise */
static void bv3d_finish_killed_in_reset(struct kunit *test)
{
	struct bv3d_finish_test *fixture = test->priv;
	struct bv3d_job *job;

	fixture->queues.killed = true;
	job = bv3d_finish_start_in_reset(test);
	KUNIT_EXPECT_EQ(test, job->state, V3D_JOB_DONE);
	KUNIT_EXPECT_EQ(test, dma_fence_get_status(&job->done->base), -ECANCELED);
	bv3d_finish_end_reset(fixture, NULL);
	KUNIT_EXPECT_EQ(test, fixture->regs[V3D_CT1EA / sizeof(u32)], 0U);
	dma_fence_put(&job->done->base);
	dma_fence_put(&job->grant->base);
}

static struct kunit_case bv3d_finish_cases[] = {
	KUNIT_CASE(bv3d_finish_order),
	KUNIT_CASE(bv3d_finish_between),
	KUNIT_CASE(bv3d_finish_suspend),
	KUNIT_CASE(bv3d_finish_granted_in_reset),
	KUNIT_CASE(bv3d_finish_killed_in_reset),
	{}
};

static struct kunit_suite bv3d_finish_suite = {
	.name = "v3d_finish",
	.init = bv3d_finish_test_init,
	.test_cases = bv3d_finish_cases,
};

kunit_test_suite(bv3d_finish_suite);
