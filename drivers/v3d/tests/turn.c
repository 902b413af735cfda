// SPDX-License-Identifier: GPL-2.0-only
/* Who runs beside whom, and what is scrubbed before */
#include "jobs.h"
#include "kunit.h"

enum { ALICE, BOB, FILES };

/* What a job is like, beside its queue */
#define CODE 1
#define LEFTOVERS 2	/* it could see: of code */

struct bv3d_turn_test {
	struct bv3d_device v3d;
	struct bv3d_sched sched;
	struct bv3d_file_queues files[FILES];
};

/* A job and the submit that it is all of */
struct bv3d_turn_job {
	struct bv3d_job job;
	struct bv3d_submit submit;
};

static int bv3d_turn_test_init(struct kunit *test)
{
	struct bv3d_turn_test *turn = kunit_kzalloc(test, sizeof(*turn), GFP_KERNEL);
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

static struct bv3d_job *bv3d_turn_new(struct kunit *test, unsigned int file, enum bv3d_queue queue, unsigned int kind)
{
	struct bv3d_turn_test *turn = test->priv;
	struct bv3d_turn_job *made = kunit_kzalloc(test, sizeof(*made), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, made);
	made->submit.v3d = &turn->v3d;
	made->submit.file = &turn->files[file];
	made->job.submit = &made->submit;
	made->job.queue = queue;
	made->job.runs_code = kind;
	made->job.sees_leftovers = kind & LEFTOVERS;
	INIT_LIST_HEAD(&made->job.link);
	made->job.turn = bv3d_fence_create();
	KUNIT_ASSERT_NOT_NULL(test, made->job.turn);
	bv3d_fence_init(made->job.turn, dma_fence_context_alloc(1), 1);
	return &made->job;
}

/* Lets turns come after something has changed */
static void bv3d_turn_change(struct kunit *test, void (*change)(struct bv3d_sched *sched, struct bv3d_job *job), struct bv3d_job *job)
{
	struct bv3d_sched *sched = &((struct bv3d_turn_test *)test->priv)->sched;
	struct bv3d_turns turns;

	spin_lock_irq(&sched->lock);
	change(sched, job);
	bv3d_turn_grant(sched, &turns);
	spin_unlock_irq(&sched->lock);
	bv3d_turns_signal(&turns);
}

static struct bv3d_job *bv3d_turn_arrive(struct kunit *test, unsigned int file, enum bv3d_queue queue, unsigned int kind)
{
	struct bv3d_job *job = bv3d_turn_new(test, file, queue, kind);

	bv3d_turn_change(test, bv3d_turn_enter, job);
	return job;
}

static void bv3d_turn_end(struct bv3d_sched *sched, struct bv3d_job *job)
{
	bv3d_turn_leave(sched, job, 1000);
	dma_fence_put(&job->turn->base);
}

static void bv3d_turn_finish(struct kunit *test, struct bv3d_job *job)
{
	KUNIT_EXPECT_EQ(test, job->state, V3D_JOB_GRANTED);
	bv3d_turn_change(test, bv3d_turn_end, job);
}

static void bv3d_turn_scrubbed(struct bv3d_sched *sched, struct bv3d_job *job)
{
	bv3d_scrub_ended(job);
}

/* What the hardware does for it: its scrub is over */
static void bv3d_turn_scrub(struct kunit *test, struct bv3d_job *job, struct bv3d_scrub *scrub)
{
	KUNIT_ASSERT_EQ(test, job->state, V3D_JOB_GRANTED);
	KUNIT_ASSERT_PTR_EQ(test, job->scrub, scrub);
	if (scrub)
		bv3d_turn_change(test, bv3d_turn_scrubbed, job);
}

/* A file alone is scrubbed for once, and its jobs run beside each other, but for the scrub */
static void bv3d_turn_one_file(struct kunit *test)
{
	struct bv3d_sched *sched = &((struct bv3d_turn_test *)test->priv)->sched;
	struct bv3d_job *bin = bv3d_turn_arrive(test, ALICE, V3D_BIN, LEFTOVERS);
	struct bv3d_job *render = bv3d_turn_arrive(test, ALICE, V3D_RENDER, LEFTOVERS), *program;

	KUNIT_EXPECT_EQ(test, render->state, V3D_JOB_WAITING);
	bv3d_turn_scrub(test, bin, &sched->registers);
	bv3d_turn_scrub(test, render, NULL);
	program = bv3d_turn_arrive(test, ALICE, V3D_QPU, CODE);
	bv3d_turn_scrub(test, program, &sched->rows);
	bv3d_turn_finish(test, bin);
	bin = bv3d_turn_arrive(test, ALICE, V3D_BIN, LEFTOVERS);
	bv3d_turn_scrub(test, bin, NULL);
	bv3d_turn_finish(test, program);
	program = bv3d_turn_arrive(test, ALICE, V3D_QPU, CODE);
	bv3d_turn_scrub(test, program, NULL);
	bv3d_turn_finish(test, program);
	bv3d_turn_finish(test, bin);
	bv3d_turn_finish(test, render);
	KUNIT_EXPECT_EQ(test, sched->registers.count, 1ULL);
	KUNIT_EXPECT_EQ(test, sched->rows.count, 1ULL);
}

/* Whoever could see something runs alone, after a scrub. What runs no code disturbs nobody. */
static void bv3d_turn_two_files(struct kunit *test)
{
	struct bv3d_sched *sched = &((struct bv3d_turn_test *)test->priv)->sched;
	struct bv3d_job *frame = bv3d_turn_arrive(test, ALICE, V3D_RENDER, LEFTOVERS), *program, *clear;

	clear = bv3d_turn_arrive(test, BOB, V3D_BIN, 0);
	KUNIT_EXPECT_EQ(test, clear->state, V3D_JOB_GRANTED);
	bv3d_turn_scrub(test, frame, &sched->registers);
	program = bv3d_turn_arrive(test, BOB, V3D_QPU, CODE);
	KUNIT_EXPECT_EQ(test, program->state, V3D_JOB_WAITING);
	bv3d_turn_finish(test, clear);
	KUNIT_EXPECT_EQ(test, program->state, V3D_JOB_WAITING);
	bv3d_turn_finish(test, frame);
	bv3d_turn_scrub(test, program, &sched->rows);

	frame = bv3d_turn_arrive(test, ALICE, V3D_RENDER, LEFTOVERS);
	KUNIT_EXPECT_EQ(test, frame->state, V3D_JOB_WAITING);
	bv3d_turn_finish(test, program);
	bv3d_turn_scrub(test, frame, &sched->registers);
	bv3d_turn_finish(test, frame);
	KUNIT_EXPECT_EQ(test, sched->registers.count, 2ULL);
}

/* Nobody sees anything, so all run beside each other, and nothing is scrubbed for them */
static void bv3d_turn_strangers(struct kunit *test)
{
	struct bv3d_sched *sched = &((struct bv3d_turn_test *)test->priv)->sched;
	struct bv3d_job *frame = bv3d_turn_arrive(test, ALICE, V3D_RENDER, CODE), *bin = bv3d_turn_arrive(test, BOB, V3D_BIN, CODE);

	bv3d_turn_scrub(test, frame, NULL);
	bv3d_turn_scrub(test, bin, NULL);
	bv3d_turn_finish(test, frame);
	bv3d_turn_finish(test, bin);
	KUNIT_EXPECT_EQ(test, sched->registers.count, 0ULL);
}

/* A job that was given its turn, but never ran, has scrubbed nothing */
static void bv3d_turn_never_ran(struct kunit *test)
{
	struct bv3d_sched *sched = &((struct bv3d_turn_test *)test->priv)->sched;
	struct bv3d_job *killed = bv3d_turn_arrive(test, ALICE, V3D_RENDER, LEFTOVERS), *next;

	KUNIT_EXPECT_PTR_EQ(test, killed->scrub, &sched->registers);
	bv3d_turn_finish(test, killed);
	next = bv3d_turn_arrive(test, ALICE, V3D_RENDER, LEFTOVERS);
	bv3d_turn_scrub(test, next, &sched->registers);
	bv3d_turn_finish(test, next);
}

/* A file whose frames are always binned and rendered at once does not keep another from its turn, nor the other it */
static void bv3d_turn_nobody_starves(struct kunit *test)
{
	struct bv3d_sched *sched = &((struct bv3d_turn_test *)test->priv)->sched;
	struct bv3d_job *render = bv3d_turn_arrive(test, ALICE, V3D_RENDER, LEFTOVERS), *bin, *program, *after;

	bv3d_turn_scrub(test, render, &sched->registers);
	bin = bv3d_turn_arrive(test, ALICE, V3D_BIN, LEFTOVERS);
	program = bv3d_turn_arrive(test, BOB, V3D_QPU, CODE);
	bv3d_turn_finish(test, render);
	render = bv3d_turn_arrive(test, ALICE, V3D_RENDER, LEFTOVERS);
	KUNIT_EXPECT_EQ(test, render->state, V3D_JOB_WAITING);
	bv3d_turn_finish(test, bin);
	bv3d_turn_scrub(test, program, &sched->rows);
	after = bv3d_turn_arrive(test, BOB, V3D_QPU, CODE);
	KUNIT_EXPECT_EQ(test, render->state, V3D_JOB_WAITING);
	bv3d_turn_finish(test, program);
	bv3d_turn_scrub(test, render, &sched->registers);
	KUNIT_EXPECT_EQ(test, after->state, V3D_JOB_WAITING);
	bv3d_turn_finish(test, render);
	bv3d_turn_finish(test, after);
}

static struct kunit_case bv3d_turn_cases[] = {
	KUNIT_CASE(bv3d_turn_one_file),
	KUNIT_CASE(bv3d_turn_two_files),
	KUNIT_CASE(bv3d_turn_strangers),
	KUNIT_CASE(bv3d_turn_never_ran),
	KUNIT_CASE(bv3d_turn_nobody_starves),
	{}
};

static struct kunit_suite bv3d_turn_suite = {
	.name = "v3d_turn",
	.init = bv3d_turn_test_init,
	.test_cases = bv3d_turn_cases,
};

kunit_test_suite(bv3d_turn_suite);
