// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of a job: in which order its fence, its seqno and the next job come; and its beginning:
 * what it waits for, and a reset
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
	struct delayed_work signal;
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
	fixture->next = fixture->submits[1].jobs[0].state;
}

static void bv3d_finish_signal(struct work_struct *work)
{
	struct bv3d_finish_test *fixture =
		container_of(to_delayed_work(work), struct bv3d_finish_test, signal);

	atomic64_set(&fixture->queues.signalled, 1);
	wake_up_all(&fixture->queues.wait);
}

static u32 bv3d_finish_read(void *opaque, enum v3d_reg reg)
{
	return ((struct bv3d_finish_test *)opaque)->regs[reg / sizeof(u32)];
}

static void bv3d_finish_write(void *opaque, enum v3d_reg reg, u32 value)
{
	((struct bv3d_finish_test *)opaque)->regs[reg / sizeof(u32)] = value;
}

/* No job of a test takes long enough to be looked at */
static void bv3d_finish_look(struct work_struct *work)
{
}

static void bv3d_finish_go(struct work_struct *work)
{
	bv3d_sched_go(container_of(work, struct bv3d_sched, go));
}

static void bv3d_finish_test_exit(struct kunit *test)
{
	struct bv3d_finish_test *fixture = test->priv;
	unsigned int i;

	if (!fixture || !fixture->sched.works)
		return;
	for (i = 0; i < V3D_QUEUES; i++)
		cancel_delayed_work_sync(&fixture->sched.queues[i].look);
	destroy_workqueue(fixture->sched.works);
}

static int bv3d_finish_test_init(struct kunit *test)
{
	struct bv3d_finish_test *fixture = kunit_kzalloc(test, sizeof(*fixture), GFP_KERNEL);
	unsigned int i;

	if (!fixture)
		return -ENOMEM;
	test->priv = fixture;
	fixture->v3d.sched = &fixture->sched;
	fixture->v3d.hw = (struct v3dcl_hw){ .read = bv3d_finish_read, .write = bv3d_finish_write,
					     .v3d = fixture };
	fixture->sched.v3d = &fixture->v3d;
	spin_lock_init(&fixture->sched.lock);
	rt_mutex_init(&fixture->sched.hw);
	spin_lock_init(&fixture->v3d.perf.lock);
	init_waitqueue_head(&fixture->sched.idle);
	INIT_WORK(&fixture->sched.go, bv3d_finish_go);
	fixture->sched.works = alloc_ordered_workqueue("v3d_kunit", 0);
	if (!fixture->sched.works)
		return -ENOMEM;
	for (i = 0; i < V3D_QUEUES; i++) {
		fixture->sched.queues[i].sched = &fixture->sched;
		INIT_DELAYED_WORK(&fixture->sched.queues[i].look, bv3d_finish_look);
		INIT_LIST_HEAD(&fixture->sched.queues[i].waiting);
	}
	kref_init(&fixture->queues.refs);
	init_waitqueue_head(&fixture->queues.wait);
	mutex_init(&fixture->queues.lock);
	fixture->queues.context = dma_fence_context_alloc(1);
	fixture->queues.seqno = ARRAY_SIZE(fixture->submits);
	fixture->file.queues = &fixture->queues;
	fixture->drm_file.driver_priv = &fixture->file;
	INIT_DELAYED_WORK(&fixture->signal, bv3d_finish_signal);
	return bv3d_fake_power(test, &fixture->v3d);
}

/* The job of submit @i + 1, for the render queue */
static struct bv3d_job *bv3d_finish_new(struct kunit *test, unsigned int i)
{
	struct bv3d_finish_test *fixture = test->priv;
	struct bv3d_submit *submit = &fixture->submits[i];
	struct bv3d_job *job;

	/* The test's own reference: it is never freed */
	kref_init(&submit->refs);
	submit->v3d = &fixture->v3d;
	submit->file = &fixture->queues;
	submit->seqno = i + 1;
	job = bv3d_job_create(submit, V3D_RENDER);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, job);
	bv3d_fence_init(job->done, fixture->queues.context, submit->seqno);
	job->start = 0x1000 * (i + 1);
	job->end = job->start + 0x40;
	return job;
}

/* It waits for nothing but what it was told to */
static void bv3d_finish_push(struct bv3d_finish_test *fixture, struct bv3d_job *job)
{
	bv3d_job_arm(job);
	if (bv3d_job_met(job))
		bv3d_sched_go(&fixture->sched);
}

static struct bv3d_job *bv3d_finish_arrive(struct kunit *test, unsigned int i)
{
	struct bv3d_job *job = bv3d_finish_new(test, i);

	bv3d_finish_push(test->priv, job);
	return job;
}

static void bv3d_finish_leave(struct bv3d_job *job, int error)
{
	bv3d_job_finish(job, error);
	bv3d_waits_free(job);
	bv3d_fence_free(job->done);
}

/* Where the list ends that thread 1 was told to run last */
static u32 bv3d_finish_told(const struct bv3d_finish_test *fixture)
{
	return fixture->regs[V3D_CT1EA / sizeof(u32)];
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

	KUNIT_ASSERT_EQ(test, job->state, V3D_JOB_RUNNING);
	KUNIT_ASSERT_EQ(test, next->state, V3D_JOB_WAITING);
	KUNIT_EXPECT_EQ(test, bv3d_finish_poll(fixture, 1), -ETIME);
	KUNIT_ASSERT_EQ(test, dma_fence_add_callback(&job->done->base, &fixture->cb,
						     bv3d_finish_see), 0);
	bv3d_finish_leave(job, 0);
	KUNIT_EXPECT_EQ(test, fixture->finished, 1ULL);
	KUNIT_EXPECT_EQ(test, fixture->signalled, 0ULL);
	KUNIT_EXPECT_EQ(test, fixture->next, V3D_JOB_WAITING);
	KUNIT_EXPECT_EQ(test, next->state, V3D_JOB_RUNNING);
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

	bv3d_finish_leave(&fixture->submits[0].jobs[0], 0);
}

/* System suspend waits for what runs; what waits starts after resume */
static void bv3d_finish_suspend(struct kunit *test)
{
	struct bv3d_finish_test *fixture = test->priv;
	struct bv3d_job *job = bv3d_finish_arrive(test, 0), *next = bv3d_finish_arrive(test, 1);

	KUNIT_ASSERT_EQ(test, job->state, V3D_JOB_RUNNING);
	INIT_DELAYED_WORK(&fixture->signal, bv3d_finish_first);
	schedule_delayed_work(&fixture->signal, msecs_to_jiffies(20));
	KUNIT_EXPECT_EQ(test, bv3d_sched_suspend(&fixture->v3d), 0);
	flush_delayed_work(&fixture->signal);
	KUNIT_EXPECT_EQ(test, job->state, V3D_JOB_DONE);
	KUNIT_EXPECT_EQ(test, next->state, V3D_JOB_WAITING);
	bv3d_sched_resume(&fixture->v3d);
	KUNIT_EXPECT_EQ(test, next->state, V3D_JOB_RUNNING);
	bv3d_finish_leave(next, 0);
}

static void bv3d_finish_reset(struct bv3d_finish_test *fixture, bool begin)
{
	rt_mutex_lock(&fixture->sched.hw);
	if (begin)
		bv3d_sched_halt(&fixture->sched);
	else
		bv3d_sched_go_on(&fixture->sched);
	rt_mutex_unlock(&fixture->sched.hw);
}

/* What would start during a reset starts at its end */
static void bv3d_finish_ready_in_reset(struct kunit *test)
{
	struct bv3d_finish_test *fixture = test->priv;
	struct bv3d_job *job;

	bv3d_finish_reset(fixture, true);
	job = bv3d_finish_arrive(test, 0);
	KUNIT_EXPECT_EQ(test, job->state, V3D_JOB_WAITING);
	KUNIT_EXPECT_EQ(test, bv3d_finish_told(fixture), 0U);
	bv3d_finish_reset(fixture, false);
	KUNIT_EXPECT_EQ(test, job->state, V3D_JOB_RUNNING);
	KUNIT_EXPECT_EQ(test, bv3d_finish_told(fixture), job->end);
	bv3d_finish_leave(job, 0);
	KUNIT_EXPECT_EQ(test, job->state, V3D_JOB_DONE);
}

/* What must not run ends when its turn comes, and so does all that comes after it */
static void bv3d_finish_killed(struct kunit *test)
{
	struct bv3d_finish_test *fixture = test->priv;
	struct bv3d_job *job, *next;

	fixture->queues.killed = true;
	bv3d_finish_reset(fixture, true);
	job = bv3d_finish_arrive(test, 0);
	next = bv3d_finish_arrive(test, 1);
	bv3d_finish_reset(fixture, false);
	KUNIT_EXPECT_EQ(test, job->state, V3D_JOB_DONE);
	KUNIT_EXPECT_EQ(test, next->state, V3D_JOB_DONE);
	KUNIT_EXPECT_EQ(test, dma_fence_get_status(&job->done->base), -ECANCELED);
	KUNIT_EXPECT_EQ(test, dma_fence_get_status(&next->done->base), -ECANCELED);
	KUNIT_EXPECT_EQ(test, bv3d_finish_told(fixture), 0U);
	bv3d_fence_free(job->done);
	bv3d_fence_free(next->done);
}

/* A job waits for one before it, which starts it when it ends: no worker is needed */
static void bv3d_finish_chain(struct kunit *test)
{
	struct bv3d_finish_test *fixture = test->priv;
	struct bv3d_job *job = bv3d_finish_arrive(test, 0), *next = bv3d_finish_new(test, 1);

	KUNIT_ASSERT_EQ(test, bv3d_job_wait(next, dma_fence_get(&job->done->base)), 0);
	KUNIT_ASSERT_EQ(test, bv3d_job_wait(next, dma_fence_get(&job->done->base)), 0);
	KUNIT_EXPECT_EQ(test, next->wait_count, 1U);
	bv3d_finish_push(fixture, next);
	KUNIT_EXPECT_EQ(test, next->state, V3D_JOB_NEW);
	bv3d_job_finish(job, 0);
	KUNIT_EXPECT_EQ(test, next->state, V3D_JOB_RUNNING);
	KUNIT_EXPECT_FALSE(test, work_pending(&fixture->sched.go));
	KUNIT_EXPECT_EQ(test, bv3d_finish_told(fixture), next->end);
	bv3d_fence_free(job->done);
	bv3d_finish_leave(next, 0);
}

/* Of fences of one context the last counts; one that has signalled, not at all */
static void bv3d_finish_foreign(struct kunit *test)
{
	struct bv3d_finish_test *fixture = test->priv;
	struct bv3d_job *job = bv3d_finish_new(test, 0);
	u64 context = dma_fence_context_alloc(1);
	struct bv3d_fence *fences[3];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fences); i++) {
		fences[i] = bv3d_fence_create();
		KUNIT_ASSERT_NOT_NULL(test, fences[i]);
		bv3d_fence_init(fences[i], context, i + 1);
	}
	dma_fence_signal(&fences[0]->base);
	for (i = 0; i < ARRAY_SIZE(fences); i++) {
		dma_fence_get(&fences[i]->base);
		KUNIT_ASSERT_EQ(test, bv3d_job_wait(job, &fences[i]->base), 0);
		KUNIT_EXPECT_EQ(test, job->wait_count, i ? 1U : 0U);
	}
	KUNIT_ASSERT_EQ(test, bv3d_job_wait(job, NULL), 0);
	bv3d_finish_push(fixture, job);
	dma_fence_signal(&fences[1]->base);
	KUNIT_EXPECT_EQ(test, job->state, V3D_JOB_NEW);
	dma_fence_signal(&fences[2]->base);
	flush_work(&fixture->sched.go);
	KUNIT_EXPECT_EQ(test, job->state, V3D_JOB_RUNNING);
	bv3d_finish_leave(job, 0);
	for (i = 0; i < ARRAY_SIZE(fences); i++)
		bv3d_fence_free(fences[i]);
}

static struct kunit_case bv3d_finish_cases[] = {
	KUNIT_CASE(bv3d_finish_order),
	KUNIT_CASE(bv3d_finish_between),
	KUNIT_CASE(bv3d_finish_suspend),
	KUNIT_CASE(bv3d_finish_ready_in_reset),
	KUNIT_CASE(bv3d_finish_killed),
	KUNIT_CASE(bv3d_finish_chain),
	KUNIT_CASE(bv3d_finish_foreign),
	{}
};

static struct kunit_suite bv3d_finish_suite = {
	.name = "v3d_finish",
	.init = bv3d_finish_test_init,
	.exit = bv3d_finish_test_exit,
	.test_cases = bv3d_finish_cases,
};

kunit_test_suite(bv3d_finish_suite);
