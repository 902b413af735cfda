// SPDX-License-Identifier: GPL-2.0-only
/*
 * User programs on the hardware: fed to the request queue as it has room, watched until the last has ended.
 */
#include "v3d_jobs.h"
#include "wipe.h"

/**
 * DOC: How the end of user programs is noticed
 *
 * There is no interrupt for it (HW); SRQCS counts the programs that have ended. A program may raise a host interrupt, so one makes
 * us look at the counts at once. It comes before the program's last instructions, and events of one QPU merge, so it is a hint and
 * nothing more: a timer looks as well, after 50 us at first, then after twice as long each time nothing has ended, up to 1 ms.
 * Nothing spins.
 *
 * The request queue holds 16; a request more is lost (AG100 Table 65). So at each look as many are fed as there is room for.
 */

/**
 * DOC: What user programs leave behind
 *
 * Proven programs read no register, accumulator or FIFO that they have not filled themselves. The rows of the VPM are for programs
 * to share, so what was there before can be read by whoever comes. So before the programs of a file other than the last one to run
 * any, a program of the driver's own fills all rows with 0, and they wait for it. It takes some microseconds, and nobody who has
 * the V3D for himself pays for it. It is looked at early, and not counted by perfmons.
 */

#define V3D_QPU_PAUSE_MIN_NS (50 * NSEC_PER_USEC)
#define V3D_QPU_PAUSE_MAX_NS NSEC_PER_MSEC
#define V3D_QPU_WIPE_PAUSE_NS (5 * NSEC_PER_USEC)	/* the wiping program's first look */
/* SRQUL: a length above 1023 is none (AG100 Table 67) */
#define V3D_UNIFORMS_UNLIMITED 1024u

static void v3d_qpu_request(struct v3d_device *v3d, const struct v3dcl_run *run)
{
	v3d_write(v3d, V3D_SRQUA, run->uniforms);
	v3d_write(v3d, V3D_SRQUL, V3D_SET(SRQUL, QPURQUL, min(run->uniform_count, V3D_UNIFORMS_UNLIMITED)));
	v3d_write(v3d, V3D_SRQPC, run->code);
}

static void v3d_qpu_feed(struct v3d_device *v3d, struct v3d_qpu_work *work, u32 queued)
{
	u32 room = queued < V3D_USER_QUEUE ? V3D_USER_QUEUE - queued : 0;

	for (; room && work->fed < work->count; room--, work->fed++)
		v3d_qpu_request(v3d, &work->runs[work->fed]);
}

/* The VPM holds nothing of anybody else's: the job's own programs may begin */
static void v3d_qpu_begin(struct v3d_job *job)
{
	struct v3d_submit *submit = job->submit;

	submit->v3d->sched->vpm_owner = submit->file->client_id;
	submit->qpu->wiping = false;
	if (submit->perfmon)
		v3d_perfmon_start(submit->v3d, submit->perfmon);
}

/* Count what has ended, feed what has room. True when all have ended. */
static bool v3d_qpu_advance(struct v3d_device *v3d, struct v3d_job *job)
{
	struct v3d_qpu_work *work = job->submit->qpu;
	u32 status = v3d_read(v3d, V3D_SRQCS);
	u8 completed = V3D_GET(status, SRQCS, QPURQCC);
	u8 ended = completed - work->completed;	/* below 256: no more than queue and QPUs hold are under way */

	work->completed = completed;
	if (!work->wiping)
		work->done += ended;
	else if (ended)
		v3d_qpu_begin(job);
	else
		goto wait;
	v3d_qpu_feed(v3d, work, V3D_GET(status, SRQCS, QPURQL));
wait:
	work->pause_ns = ended ? V3D_QPU_PAUSE_MIN_NS : min_t(u64, 2 * work->pause_ns, V3D_QPU_PAUSE_MAX_NS);
	return work->done >= work->count;
}

static bool v3d_qpu_overdue(const struct v3d_job *job)
{
	return ktime_to_ns(ktime_sub(ktime_get(), job->started)) > job->submit->qpu->timeout_ns;
}

/*
 * v3d_qpu_look() - how far are the programs? Any context, between drm_dev_enter and drm_dev_exit.
 * Return: ns until the next look, 0 when nothing runs any more
 */
u64 v3d_qpu_look(struct v3d_device *v3d)
{
	struct v3d_sched *sched = v3d->sched;
	struct v3d_job *job, *ended = NULL;
	bool overdue = false;
	unsigned long flags;
	u64 pause_ns = 0;
	int error = 0;

	spin_lock_irqsave(&sched->lock, flags);
	job = sched->lanes[V3D_QPU].active;
	if (job && job->state == V3D_JOB_RUNNING) {
		if (v3d_qpu_advance(v3d, job)) {
			job->state = V3D_JOB_FINISHING;
			error = job->error;
			ended = job;
		} else {
			overdue = v3d_qpu_overdue(job);
			pause_ns = job->submit->qpu->pause_ns;
		}
	}
	spin_unlock_irqrestore(&sched->lock, flags);
	if (ended)
		v3d_job_finish(ended, error);
	if (overdue)
		v3d_job_fail(sched, V3D_QPU, -ETIMEDOUT);
	return pause_ns;
}

static enum hrtimer_restart v3d_qpu_timer(struct hrtimer *timer)
{
	struct v3d_sched *sched = container_of(timer, struct v3d_sched, qpu_timer);
	bool cookie = dma_fence_begin_signalling();
	u64 pause_ns = 0;
	int idx;

	if (drm_dev_enter(&sched->v3d->drm, &idx)) {
		pause_ns = v3d_qpu_look(sched->v3d);
		drm_dev_exit(idx);
	}
	dma_fence_end_signalling(cookie);
	if (!pause_ns)
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(pause_ns));
	return HRTIMER_RESTART;
}

/* v3d_qpu_start() - the programs run. The caller as for v3d_job_launch(). */
void v3d_qpu_start(struct v3d_job *job)
{
	struct v3d_device *v3d = job->submit->v3d;
	struct v3d_qpu_work *work = job->submit->qpu;
	struct v3d_sched *sched = v3d->sched;
	const struct v3dcl_run wipe = { .code = v3d_bo_address(sched->wipe) };
	unsigned long flags;
	u64 pause_ns;

	v3d_clear_caches(v3d);
	spin_lock_irqsave(&sched->lock, flags);
	v3d_write(v3d, V3D_SRQCS, V3D_SET(SRQCS, QPURQCC, 1) | V3D_SET(SRQCS, QPURQCM, 1) | V3D_SET(SRQCS, QPURQERR, 1) |
		  V3D_SET(SRQCS, QPURQL, 1));
	work->fed = 0;
	work->done = 0;
	work->completed = 0;
	work->wiping = sched->vpm_owner != job->submit->file->client_id;
	if (work->wiping) {
		sched->wipes++;
		v3d_qpu_request(v3d, &wipe);
	} else {
		v3d_qpu_begin(job);
		v3d_qpu_feed(v3d, work, 0);
	}
	pause_ns = work->wiping ? V3D_QPU_WIPE_PAUSE_NS : V3D_QPU_PAUSE_MIN_NS;
	work->pause_ns = pause_ns;
	spin_unlock_irqrestore(&sched->lock, flags);
	hrtimer_start(&sched->qpu_timer, ns_to_ktime(pause_ns), HRTIMER_MODE_REL);
}

void v3d_qpu_init(struct v3d_sched *sched)
{
	hrtimer_init(&sched->qpu_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	sched->qpu_timer.function = v3d_qpu_timer;
}

/* v3d_qpu_make_wipe() - the driver's own program. Return: 0 or -ENOMEM */
int v3d_qpu_make_wipe(struct v3d_sched *sched)
{
	struct v3d_bo *bo = v3d_bo_create(sched->v3d, V3DCL_WIPE_COUNT * sizeof(u64), V3D_BO_DRIVER, "wiping program");

	if (IS_ERR(bo))
		return PTR_ERR(bo);
	v3dcl_wipe_code(bo->vaddr);
	sched->wipe = bo;
	return 0;
}

void v3d_qpu_stop(struct v3d_sched *sched)
{
	hrtimer_cancel(&sched->qpu_timer);
}
