// SPDX-License-Identifier: GPL-2.0-only
/* Who runs beside whom, and what is wiped before */
#include "v3d_jobs.h"
#include "v3d_kunit.h"

enum { ALICE, BOB, FILES };

/* What a job is like, beside its queue */
#define CODE 1
#define LEFTOVERS 2	/* it could see: of code */

struct v3d_turn_test {
	struct v3d_device v3d;
	struct v3d_sched sched;
	struct v3d_file_queues files[FILES];
};

/* A job and the submit that it is all of */
struct v3d_turn_job {
	struct v3d_job job;
	struct v3d_submit submit;
};

static int v3d_turn_test_init(struct kunit *test)
{
	struct v3d_turn_test *turn = kunit_kzalloc(test, sizeof(*turn), GFP_KERNEL);
	unsigned int i;

	if (!turn)
		return -ENOMEM;
	turn->v3d.sched = &turn->sched;
	turn->sched.v3d = &turn->v3d;
	spin_lock_init(&turn->sched.lock);
	for (i = 0; i < V3D_QUEUES; i++)
		INIT_LIST_HEAD(&turn->sched.lanes[i].waiting);
	for (i = 0; i < FILES; i++)
		turn->files[i].client_id = 1 + i;
	test->priv = turn;
	return 0;
}

static struct v3d_job *v3d_turn_new(struct kunit *test, unsigned int file, enum v3d_queue queue, unsigned int kind)
{
	struct v3d_turn_test *turn = test->priv;
	struct v3d_turn_job *made = kunit_kzalloc(test, sizeof(*made), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, made);
	made->submit.v3d = &turn->v3d;
	made->submit.file = &turn->files[file];
	made->job.submit = &made->submit;
	made->job.queue = queue;
	made->job.runs_code = kind;
	made->job.sees_leftovers = kind & LEFTOVERS;
	INIT_LIST_HEAD(&made->job.link);
	made->job.turn = v3d_fence_create();
	KUNIT_ASSERT_NOT_NULL(test, made->job.turn);
	v3d_fence_init(made->job.turn, dma_fence_context_alloc(1), 1);
	return &made->job;
}

/* Lets turns come after something has changed */
static void v3d_turn_change(struct kunit *test, void (*change)(struct v3d_sched *sched, struct v3d_job *job), struct v3d_job *job)
{
	struct v3d_sched *sched = &((struct v3d_turn_test *)test->priv)->sched;
	struct v3d_turns turns;

	spin_lock_irq(&sched->lock);
	change(sched, job);
	v3d_turn_grant(sched, &turns);
	spin_unlock_irq(&sched->lock);
	v3d_turns_signal(&turns);
}

static struct v3d_job *v3d_turn_arrive(struct kunit *test, unsigned int file, enum v3d_queue queue, unsigned int kind)
{
	struct v3d_job *job = v3d_turn_new(test, file, queue, kind);

	v3d_turn_change(test, v3d_turn_enter, job);
	return job;
}

static void v3d_turn_end(struct v3d_sched *sched, struct v3d_job *job)
{
	v3d_turn_leave(sched, job, 1000);
	dma_fence_put(&job->turn->base);
}

static void v3d_turn_finish(struct kunit *test, struct v3d_job *job)
{
	KUNIT_EXPECT_EQ(test, job->state, V3D_JOB_GRANTED);
	v3d_turn_change(test, v3d_turn_end, job);
}

static void v3d_turn_wiped(struct v3d_sched *sched, struct v3d_job *job)
{
	v3d_wipe_ended(job);
}

/* What the hardware does for it: its wipe is over */
static void v3d_turn_wipe(struct kunit *test, struct v3d_job *job, struct v3d_wipe *wipe)
{
	KUNIT_ASSERT_EQ(test, job->state, V3D_JOB_GRANTED);
	KUNIT_ASSERT_PTR_EQ(test, job->wipe, wipe);
	if (wipe)
		v3d_turn_change(test, v3d_turn_wiped, job);
}

/* A file alone is wiped for once, and its jobs run beside each other, but for the wipe */
static void v3d_turn_one_file(struct kunit *test)
{
	struct v3d_sched *sched = &((struct v3d_turn_test *)test->priv)->sched;
	struct v3d_job *bin = v3d_turn_arrive(test, ALICE, V3D_BIN, LEFTOVERS);
	struct v3d_job *render = v3d_turn_arrive(test, ALICE, V3D_RENDER, LEFTOVERS), *program;

	KUNIT_EXPECT_EQ(test, render->state, V3D_JOB_WAITING);
	v3d_turn_wipe(test, bin, &sched->registers);
	v3d_turn_wipe(test, render, NULL);
	program = v3d_turn_arrive(test, ALICE, V3D_QPU, CODE);
	v3d_turn_wipe(test, program, &sched->rows);
	v3d_turn_finish(test, bin);
	bin = v3d_turn_arrive(test, ALICE, V3D_BIN, LEFTOVERS);
	v3d_turn_wipe(test, bin, NULL);
	v3d_turn_finish(test, program);
	program = v3d_turn_arrive(test, ALICE, V3D_QPU, CODE);
	v3d_turn_wipe(test, program, NULL);
	v3d_turn_finish(test, program);
	v3d_turn_finish(test, bin);
	v3d_turn_finish(test, render);
	KUNIT_EXPECT_EQ(test, sched->registers.count, 1ULL);
	KUNIT_EXPECT_EQ(test, sched->rows.count, 1ULL);
}

/* Whoever could see something runs alone, after a wipe. What runs no code disturbs nobody. */
static void v3d_turn_two_files(struct kunit *test)
{
	struct v3d_sched *sched = &((struct v3d_turn_test *)test->priv)->sched;
	struct v3d_job *frame = v3d_turn_arrive(test, ALICE, V3D_RENDER, LEFTOVERS), *program, *clear;

	clear = v3d_turn_arrive(test, BOB, V3D_BIN, 0);
	KUNIT_EXPECT_EQ(test, clear->state, V3D_JOB_GRANTED);
	v3d_turn_wipe(test, frame, &sched->registers);
	program = v3d_turn_arrive(test, BOB, V3D_QPU, CODE);
	KUNIT_EXPECT_EQ(test, program->state, V3D_JOB_WAITING);
	v3d_turn_finish(test, clear);
	KUNIT_EXPECT_EQ(test, program->state, V3D_JOB_WAITING);
	v3d_turn_finish(test, frame);
	v3d_turn_wipe(test, program, &sched->rows);

	frame = v3d_turn_arrive(test, ALICE, V3D_RENDER, LEFTOVERS);
	KUNIT_EXPECT_EQ(test, frame->state, V3D_JOB_WAITING);
	v3d_turn_finish(test, program);
	v3d_turn_wipe(test, frame, &sched->registers);
	v3d_turn_finish(test, frame);
	KUNIT_EXPECT_EQ(test, sched->registers.count, 2ULL);
}

/* Nobody sees anything, so all run beside each other, and nothing is wiped for them */
static void v3d_turn_strangers(struct kunit *test)
{
	struct v3d_sched *sched = &((struct v3d_turn_test *)test->priv)->sched;
	struct v3d_job *frame = v3d_turn_arrive(test, ALICE, V3D_RENDER, CODE), *bin = v3d_turn_arrive(test, BOB, V3D_BIN, CODE);

	v3d_turn_wipe(test, frame, NULL);
	v3d_turn_wipe(test, bin, NULL);
	v3d_turn_finish(test, frame);
	v3d_turn_finish(test, bin);
	KUNIT_EXPECT_EQ(test, sched->registers.count, 0ULL);
}

/* A job that was given its turn, but never ran, has wiped nothing */
static void v3d_turn_never_ran(struct kunit *test)
{
	struct v3d_sched *sched = &((struct v3d_turn_test *)test->priv)->sched;
	struct v3d_job *killed = v3d_turn_arrive(test, ALICE, V3D_RENDER, LEFTOVERS), *next;

	KUNIT_EXPECT_PTR_EQ(test, killed->wipe, &sched->registers);
	v3d_turn_finish(test, killed);
	next = v3d_turn_arrive(test, ALICE, V3D_RENDER, LEFTOVERS);
	v3d_turn_wipe(test, next, &sched->registers);
	v3d_turn_finish(test, next);
}

/* A file whose frames are always binned and rendered at once does not keep another from its turn, nor the other it */
static void v3d_turn_nobody_starves(struct kunit *test)
{
	struct v3d_sched *sched = &((struct v3d_turn_test *)test->priv)->sched;
	struct v3d_job *render = v3d_turn_arrive(test, ALICE, V3D_RENDER, LEFTOVERS), *bin, *program, *after;

	v3d_turn_wipe(test, render, &sched->registers);
	bin = v3d_turn_arrive(test, ALICE, V3D_BIN, LEFTOVERS);
	program = v3d_turn_arrive(test, BOB, V3D_QPU, CODE);
	v3d_turn_finish(test, render);
	render = v3d_turn_arrive(test, ALICE, V3D_RENDER, LEFTOVERS);
	KUNIT_EXPECT_EQ(test, render->state, V3D_JOB_WAITING);
	v3d_turn_finish(test, bin);
	v3d_turn_wipe(test, program, &sched->rows);
	after = v3d_turn_arrive(test, BOB, V3D_QPU, CODE);
	KUNIT_EXPECT_EQ(test, render->state, V3D_JOB_WAITING);
	v3d_turn_finish(test, program);
	v3d_turn_wipe(test, render, &sched->registers);
	KUNIT_EXPECT_EQ(test, after->state, V3D_JOB_WAITING);
	v3d_turn_finish(test, render);
	v3d_turn_finish(test, after);
}

static struct kunit_case v3d_turn_cases[] = {
	KUNIT_CASE(v3d_turn_one_file),
	KUNIT_CASE(v3d_turn_two_files),
	KUNIT_CASE(v3d_turn_strangers),
	KUNIT_CASE(v3d_turn_never_ran),
	KUNIT_CASE(v3d_turn_nobody_starves),
	{}
};

static struct kunit_suite v3d_turn_suite = {
	.name = "v3d_turn",
	.init = v3d_turn_test_init,
	.test_cases = v3d_turn_cases,
};

kunit_test_suite(v3d_turn_suite);
