// SPDX-License-Identifier: GPL-2.0-only
/*
 * User programs on the hardware: fed to the request queue as it has room, watched until the last
 * has ended.
 */
#include "jobs.h"
#include "trace.h"

/**
 * DOC: How the end of user programs is noticed
 *
 * There is no interrupt for it (HW); SRQCS counts the programs that have ended. A program may raise
 * a host interrupt, so one makes us look at the counts at once. It comes before the program's last
 * instructions, and events of one QPU merge, so it is a hint and nothing more: a timer looks as
 * well, after 50 us at first, then after twice as long each time nothing has ended, up to 1 ms, and
 * when they come to their limit. Nothing spins. The same looks see whether they move (watch.c).
 *
 * The request queue holds 16; a request more is lost (AG100 Table 65). So at each look as many are
 * fed as there is room for.
 *
 * One job at a time has the request queue: one of user programs, or one of any kind that waits for
 * the driver's own programs (scrub.c). These are looked at early.
 */

#define V3D_QPU_PAUSE_MIN_NS (50 * NSEC_PER_USEC)
#define V3D_QPU_PAUSE_MAX_NS NSEC_PER_MSEC
#define V3D_QPU_SCRUB_PAUSE_NS (5 * NSEC_PER_USEC)	/* until the first look at a scrub */

static void bv3d_batch_start(struct bv3d_device *v3d, struct v3dcl_batch *batch, u64 pause_ns)
{
	v3d->sched->pause_ns = pause_ns;
	v3dcl_start_programs(&v3d->hw, batch);
}

/* Count what has ended, feed what has room. True when all have ended. */
static bool bv3d_batch_advance(struct bv3d_device *v3d, struct v3dcl_batch *batch)
{
	u64 *pause_ns = &v3d->sched->pause_ns;

	if (v3dcl_advance_programs(&v3d->hw, batch))
		*pause_ns = V3D_QPU_PAUSE_MIN_NS;
	else
		*pause_ns = min_t(u64, 2 * *pause_ns, V3D_QPU_PAUSE_MAX_NS);
	return batch->done >= batch->count;
}

/* Of the job that has the request queue */
static struct v3dcl_batch *bv3d_job_batch(struct bv3d_job *job)
{
	return job->scrub ? &job->scrub->batch : &job->submit->qpu->batch;
}

static void bv3d_list_start(struct bv3d_job *job)
{
	struct bv3d_submit *submit = job->submit;

	if (submit->perfmon)
		bv3d_perfmon_start(submit->v3d, submit->perfmon);
	bv3d_cl_start(job);
}

/* What the job itself is about, once its scrub is over, if it has one. bv3d_sched.lock is held */
static void bv3d_job_start_payload(struct bv3d_job *job)
{
	struct bv3d_submit *submit = job->submit;
	struct bv3d_device *v3d = submit->v3d;

	if (job->queue != V3D_QPU) {
		v3d->sched->requests = NULL;
		bv3d_list_start(job);
		return;
	}
	if (submit->perfmon)
		bv3d_perfmon_start(v3d, submit->perfmon);
	v3d->sched->requests = job;
	bv3d_batch_start(v3d, &submit->qpu->batch, V3D_QPU_PAUSE_MIN_NS);
}

/**
 * bv3d_qpu_time_left() - how long may these programs still run?
 * @job: that runs, on V3D_QPU
 *
 * Return: ns, 0 when they are past their limit
 */
u64 bv3d_qpu_time_left(const struct bv3d_job *job)
{
	u64 ran_ns = ktime_to_ns(ktime_sub(ktime_get(), job->started));
	u64 limit_ns = job->submit->qpu->timeout_ns;

	return ran_ns < limit_ns ? limit_ns - ran_ns : 0;
}

/*
 * How far is the job that has the request queue? bv3d_sched.lock is held.
 * Return: whether it has come to its end, and must be finished
 */
static bool bv3d_requests_look(struct bv3d_sched *sched, struct bv3d_job *job,
			       struct bv3d_grants *grants)
{
	if (!bv3d_batch_advance(sched->v3d, bv3d_job_batch(job)))
		return false;
	if (!job->scrub) {
		job->state = V3D_JOB_FINISHING;
		return true;
	}
	bv3d_scrub_ended(job);
	bv3d_job_start_payload(job);
	/* Others may have waited for that */
	bv3d_arbiter_grant(sched, grants);
	return false;
}

/* Return: why what runs must end, or V3DCL_DUMP_UNKNOWN. bv3d_sched.lock is held */
static enum v3dcl_dump_reason bv3d_requests_hang(struct bv3d_job *job, u64 left_ns)
{
	bool stands = job->queue == V3D_QPU && !job->scrub &&
		      bv3d_watch_programs(job, job->submit->qpu->batch.done);

	if (!left_ns)
		return V3DCL_DUMP_LIMIT;
	return stands ? V3DCL_DUMP_STANDS : V3DCL_DUMP_UNKNOWN;
}

/**
 * bv3d_qpu_look() - how far are the programs?
 * @v3d: the device
 *
 * Any context, between drm_dev_enter and drm_dev_exit.
 *
 * Return: ns until the next look, 0 when nothing runs any more
 */
u64 bv3d_qpu_look(struct bv3d_device *v3d)
{
	struct bv3d_sched *sched = v3d->sched;
	struct bv3d_job *job, *ended = NULL;
	struct bv3d_grants grants = {};
	enum v3dcl_dump_reason reason = V3DCL_DUMP_UNKNOWN;
	unsigned long flags;
	u64 pause_ns = 0, left_ns;
	int error = 0;

	spin_lock_irqsave(&sched->lock, flags);
	job = sched->requests;
	if (job && job->state == V3D_JOB_RUNNING) {
		if (bv3d_requests_look(sched, job, &grants)) {
			error = job->error;
			ended = job;
		} else if (sched->requests) {
			left_ns = job->queue == V3D_QPU ? bv3d_qpu_time_left(job) : U64_MAX;
			pause_ns = left_ns ? min(left_ns, sched->pause_ns) : sched->pause_ns;
			reason = bv3d_requests_hang(job, left_ns);
			if (reason)
				bv3d_job_fail_locked(job, reason);
		}
	}
	spin_unlock_irqrestore(&sched->lock, flags);
	bv3d_grants_signal(&grants);
	if (ended)
		bv3d_job_ended(ended, error);
	if (reason)
		bv3d_reset_ask(sched);
	return pause_ns;
}

static void bv3d_qpu_look_in(struct bv3d_sched *sched, u64 pause_ns)
{
	hrtimer_start(&sched->qpu_timer, ns_to_ktime(pause_ns), HRTIMER_MODE_REL);
}

/*
 * Another job may have set the timer before this returns, so it is not the one to say when it fires
 * next
 */
static enum hrtimer_restart bv3d_qpu_timer(struct hrtimer *timer)
{
	struct bv3d_sched *sched = container_of(timer, struct bv3d_sched, qpu_timer);
	bool cookie = dma_fence_begin_signalling();
	u64 pause_ns = 0;
	int idx;

	if (drm_dev_enter(&sched->v3d->drm, &idx)) {
		pause_ns = bv3d_qpu_look(sched->v3d);
		drm_dev_exit(idx);
	}
	dma_fence_end_signalling(cookie);
	if (pause_ns)
		bv3d_qpu_look_in(sched, pause_ns);
	return HRTIMER_NORESTART;
}

/* The request queue gets the job's programs, or those of its scrub */
static void bv3d_requests_start(struct bv3d_job *job)
{
	struct bv3d_device *v3d = job->submit->v3d;
	struct bv3d_sched *sched = v3d->sched;
	unsigned long flags;
	u64 pause_ns;

	spin_lock_irqsave(&sched->lock, flags);
	sched->requests = job;
	if (job->scrub)
		bv3d_batch_start(v3d, &job->scrub->batch, V3D_QPU_SCRUB_PAUSE_NS);
	else
		bv3d_job_start_payload(job);
	pause_ns = sched->pause_ns;
	spin_unlock_irqrestore(&sched->lock, flags);
	bv3d_qpu_look_in(sched, pause_ns);
}

/**
 * bv3d_job_start() - the hardware gets the job, or what must be scrubbed before
 * @job: claimed, V3D_JOB_RUNNING: no other thread changes its scrub until it is under way
 *
 * Between drm_dev_enter and drm_dev_exit, with bv3d_sched.hw held.
 */
void bv3d_job_start(struct bv3d_job *job)
{
	trace_bv3d_start(job->submit->file->client_id, job->submit->seqno, job->queue);
	v3dcl_clear_tile_state(&job->tiles);
	v3dcl_clear_caches(&job->submit->v3d->hw);
	/* Its interrupt may come before this returns, and takes the lock */
	if (job->queue == V3D_QPU || job->scrub)
		bv3d_requests_start(job);
	else
		bv3d_list_start(job);
}

/**
 * bv3d_qpu_init() - the timer that looks how far programs are
 * @sched: the queues, in probe
 */
void bv3d_qpu_init(struct bv3d_sched *sched)
{
	hrtimer_setup(&sched->qpu_timer, bv3d_qpu_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
}

/**
 * bv3d_qpu_stop() - the timer does not fire any more
 * @sched: the queues; nothing starts on them any more
 *
 * May sleep.
 */
void bv3d_qpu_stop(struct bv3d_sched *sched)
{
	hrtimer_cancel(&sched->qpu_timer);
}
