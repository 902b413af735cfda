// SPDX-License-Identifier: GPL-2.0-only
/*
 * A V3D that has stopped working: finding out, and getting it back.
 */
#include <linux/seq_file.h>
#include <linux/slab.h>

#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include "jobs.h"
#include "trace.h"

/**
 * DOC: Reset
 *
 * There is one power domain for all of the V3D, so a reset takes everything that runs. The job that
 * is at fault ends with an error. Others get some time to finish before; beside user programs that
 * come to their limit, they get it before the limit (arbiter.c). What then still runs is run again,
 * once, if that gives the same result: binning, and whatever does not read what it writes. The rest
 * ends with ECANCELED and counts as innocent.
 *
 * All resets are made by one thread, v3d_reset, of real-time priority: user programs are ended at
 * most 10 ms after their limit, whatever else the processor has to do. What may take longer (a
 * console, a dump) comes after that.
 *
 * Power may be switched by a firmware's mailbox, which sleeps and allocates: no fence-signalling
 * path may wait for that. So a reset has three parts. In the first, jobs are taken from the
 * hardware, and nothing starts any more; in the second, which is no such path and holds no lock
 * that one takes, power goes off and on; in the third, jobs end or start again.
 *
 * A V3D that does not come back is wedged: all jobs end with EIO, and no more are taken. It may
 * still be at work, so the memory of what ran on it is given to no other user. A submit a second
 * later or more tries again; once a reset succeeds, memory goes back and jobs are taken.
 */

/* A control list may take that long, even if it moves */
#define V3D_LIST_LIMIT_MS 15000
/* From a reset that failed until a submit may try again */
#define V3D_RETRY_MS 1000

static bool bv3d_job_running(struct bv3d_job *job)
{
	return bv3d_job_claim(job, V3D_JOB_RUNNING, V3D_JOB_RUNNING);
}

/* Does anything run on other queues than this one? */
static bool bv3d_others_running(struct bv3d_sched *sched, enum bv3d_queue queue)
{
	unsigned long flags;
	bool running = false;
	unsigned int i;

	spin_lock_irqsave(&sched->lock, flags);
	for (i = 0; i < V3D_QUEUES; i++)
		running |= i != queue && bv3d_hw_queue_running(sched, i);
	spin_unlock_irqrestore(&sched->lock, flags);
	return running;
}

/* Must what runs on this queue end with an error? bv3d_sched.lock is held */
static struct bv3d_job *bv3d_hw_queue_failing(struct bv3d_sched *sched, enum bv3d_queue queue)
{
	struct bv3d_job *job = bv3d_hw_queue_running(sched, queue);

	return job && job->error ? job : NULL;
}

static bool bv3d_queue_fails(struct bv3d_sched *sched, enum bv3d_queue queue)
{
	unsigned long flags;
	bool fails;

	spin_lock_irqsave(&sched->lock, flags);
	fails = bv3d_hw_queue_failing(sched, queue);
	spin_unlock_irqrestore(&sched->lock, flags);
	return fails;
}

/* Return: what runs on this queue and must end, V3D_JOB_STOPPED and the caller's; NULL if none */
static struct bv3d_job *bv3d_claim_failing(struct bv3d_sched *sched, enum bv3d_queue queue)
{
	struct bv3d_job *job;
	unsigned long flags;

	spin_lock_irqsave(&sched->lock, flags);
	job = bv3d_hw_queue_failing(sched, queue);
	if (job)
		job->state = V3D_JOB_STOPPED;
	spin_unlock_irqrestore(&sched->lock, flags);
	return job;
}

static enum v3dcl_dump_reason bv3d_list_hangs(struct bv3d_job *job)
{
	struct bv3d_device *v3d = job->submit->v3d;

	if (bv3d_cl_failed(job))
		return V3DCL_DUMP_LIST_ERROR;
	if (ktime_ms_delta(ktime_get(), job->started) > V3D_LIST_LIMIT_MS)
		return V3DCL_DUMP_LIMIT;
	/* User programs may have all QPUs, and then nothing can move. Their time is limited. */
	return bv3d_watch_list(job, READ_ONCE(v3d->sched->queues[V3D_QPU].active) ||
				    (job->queue == V3D_BIN && bv3d_binmem_hungry(v3d)));
}

/* Return: why it does, or V3DCL_DUMP_UNKNOWN if it does not */
static enum v3dcl_dump_reason bv3d_job_hangs(struct bv3d_job *job)
{
	if (job->queue != V3D_QPU)
		return bv3d_list_hangs(job);
	return bv3d_qpu_time_left(job) ? V3DCL_DUMP_UNKNOWN : V3DCL_DUMP_LIMIT;
}

/* Why a job that a reset took from the hardware cannot have it again, or 0 */
static int bv3d_restart_forbidden(struct bv3d_sched *sched, struct bv3d_job *job)
{
	if (job->error)
		return job->error;
	if (sched->wedged)
		return -EIO;
	return job->repeatable && !job->restarts ? 0 : -ECANCELED;
}

/* A job has hung, and only its file can have done it if it was @alone */
static void bv3d_convict(struct bv3d_job *job, bool alone)
{
	struct bv3d_file_queues *file = job->submit->file;
	struct bv3d_device *v3d = job->submit->v3d;
	unsigned long flags;

	atomic_inc(&file->guilty);
	if (!alone)
		return;
	spin_lock_irqsave(&v3d->sched->lock, flags);
	bv3d_offence_add(&file->offences, READ_ONCE(v3d->hang_limit), ktime_get_ns());
	spin_unlock_irqrestore(&v3d->sched->lock, flags);
}

/*
 * A job has ended with this error, by a reset: whose fault is it? @alone: no other file's job was
 * on the V3D. Else it may be that one which holds all QPUs, or has stopped what both need.
 */
static void bv3d_blame(struct bv3d_reset *reset, struct bv3d_job *job, int error, bool alone)
{
	struct bv3d_file_queues *file = job->submit->file;

	if (error == -ETIMEDOUT)
		bv3d_convict(job, alone);
	/* A binner without memory has not hung */
	if (error == -ENOMEM || error == -ETIMEDOUT)
		return;
	atomic_inc(&file->innocent);
	atomic_inc(&reset->cancelled);
}

/**
 * bv3d_reset_restart() - the end of a reset for a job that is not to blame
 * @reset: counts
 * @job: V3D_JOB_STOPPED: the reset has taken it from the hardware, or kept it from starting
 *
 * It starts, runs again, or ends. With bv3d_sched.hw held, before bv3d_sched_go_on().
 */
void bv3d_reset_restart(struct bv3d_reset *reset, struct bv3d_job *job)
{
	int error;

	if (!job->started) {
		bv3d_job_claim(job, V3D_JOB_STOPPED, V3D_JOB_GRANTED);
		bv3d_job_launch(job);
		return;
	}
	error = bv3d_restart_forbidden(job->submit->v3d->sched, job);
	if (error) {
		bv3d_blame(reset, job, error, false);
		bv3d_job_finish(job, error);
		return;
	}
	atomic_inc(&reset->restarts);
	job->restarts++;
	bv3d_job_run(job);
	bv3d_job_start(job);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_reset_restart);

/**
 * bv3d_wedge() - the V3D was not reset, and may go on with all that it was given
 * @v3d: halted
 *
 * With bv3d_sched.hw held.
 */
void bv3d_wedge(struct bv3d_device *v3d)
{
	struct bv3d_job *job;
	unsigned int i;

	for (i = 0; i < V3D_QUEUES; i++) {
		job = bv3d_hw_queue_stopped(v3d->sched, i);
		if (job && job->started)
			job->submit->lost = true;
	}
	v3d->reset->tried = jiffies;
	WRITE_ONCE(v3d->sched->wedged, true);
	drm_err(&v3d->drm, "the V3D does not come back from reset\n");
}

/* How long others have to finish. Programs past their limit wait for no one. */
static unsigned int bv3d_grace_ms(struct bv3d_sched *sched, enum bv3d_queue queue)
{
	unsigned int ms = V3D_GRACE_MS;
	struct bv3d_job *job;
	unsigned long flags;

	spin_lock_irqsave(&sched->lock, flags);
	job = bv3d_hw_queue_failing(sched, queue);
	if (job && queue == V3D_QPU)
		ms = min_t(u64, ms, div_u64(bv3d_qpu_time_left(job), NSEC_PER_MSEC));
	spin_unlock_irqrestore(&sched->lock, flags);
	return ms;
}

/*
 * Others have finished, what must end has done so itself, or programs must end, for which a list
 * has to wait no longer
 */
static bool bv3d_grace_over(struct bv3d_sched *sched, enum bv3d_queue queue)
{
	return !bv3d_others_running(sched, queue) || !bv3d_queue_fails(sched, queue) ||
	       (queue != V3D_QPU && bv3d_queue_fails(sched, V3D_QPU));
}

/*
 * The first part of a reset for what runs on a queue, if that must end, after others had time to
 * finish.
 *
 * Return: the job, which is stopped, or NULL
 */
static struct bv3d_job *bv3d_reset_begin(struct bv3d_sched *sched, enum bv3d_queue queue,
					 struct bv3d_hang **hang)
{
	struct bv3d_job *job;

	lockdep_assert_held(&sched->hw);
	/* Nothing is started meanwhile, as bv3d_sched.hw is held */
	if (bv3d_queue_fails(sched, queue))
		wait_event_timeout(sched->idle, bv3d_grace_over(sched, queue),
				   msecs_to_jiffies(bv3d_grace_ms(sched, queue)));
	job = bv3d_claim_failing(sched, queue);
	if (!job)
		return NULL;
	*hang = bv3d_hang_capture(job);
	bv3d_sched_halt(sched);
	return job;
}

/* The last part of a reset, which went as @ret says */
static void bv3d_reset_end(struct bv3d_job *guilty, struct bv3d_hang *hang, int ret)
{
	struct bv3d_device *v3d = guilty->submit->v3d;
	struct bv3d_sched *sched = v3d->sched;
	struct bv3d_reset *reset = v3d->reset;
	struct bv3d_job *others[V3D_QUEUES];
	int error = guilty->error;
	bool alone = true;
	unsigned int i;

	lockdep_assert_held(&sched->hw);
	trace_bv3d_reset(guilty->queue, ret);
	atomic_inc(&reset->resets);
	if (ret)
		bv3d_wedge(v3d);
	for (i = 0; i < V3D_QUEUES; i++) {
		others[i] = i == guilty->queue ? NULL : bv3d_hw_queue_stopped(sched, i);
		if (others[i] && others[i]->started)
			alone &= others[i]->submit->file == guilty->submit->file;
	}
	bv3d_blame(reset, guilty, error, alone);
	bv3d_job_finish(guilty, error);
	for (i = 0; i < V3D_QUEUES; i++) {
		if (others[i])
			bv3d_reset_restart(reset, others[i]);
	}
	bv3d_sched_go_on(sched);
	bv3d_hang_keep(hang);
}

static void bv3d_reset_queue(struct bv3d_sched *sched, enum bv3d_queue queue)
{
	bool cookie = dma_fence_begin_signalling();
	struct bv3d_hang *hang = NULL;
	struct bv3d_job *job;
	int ret;

	rt_mutex_lock(&sched->hw);
	job = bv3d_reset_begin(sched, queue, &hang);
	rt_mutex_unlock(&sched->hw);
	dma_fence_end_signalling(cookie);
	if (!job)
		return;
	ret = bv3d_power_cycle(sched->v3d);
	cookie = dma_fence_begin_signalling();
	rt_mutex_lock(&sched->hw);
	bv3d_reset_end(job, hang, ret);
	rt_mutex_unlock(&sched->hw);
	dma_fence_end_signalling(cookie);
}

/**
 * bv3d_reset_work() - end what must end: see bv3d_job_fail()
 * @work: &bv3d_sched.reset
 *
 * A thread of its own, so one reset at a time. User programs first: they are past their limit.
 */
void bv3d_reset_work(struct kthread_work *work)
{
	struct bv3d_sched *sched = container_of(work, struct bv3d_sched, reset);
	unsigned int queue = V3D_QUEUES;
	int idx;

	static_assert(V3D_QPU + 1 == V3D_QUEUES);
	if (!drm_dev_enter(&sched->v3d->drm, &idx))
		return;
	while (queue--)
		bv3d_reset_queue(sched, queue);
	drm_dev_exit(idx);
}

/**
 * bv3d_reset_look() - drm_sched's timer for a job has fired: does it hang? Then a reset ends it
 * @job: that drm_sched took from its list of running ones, and keeps
 */
void bv3d_reset_look(struct bv3d_job *job)
{
	struct bv3d_device *v3d = job->submit->v3d;
	enum v3dcl_dump_reason reason = V3DCL_DUMP_UNKNOWN;
	bool cookie;
	int idx;

	if (!drm_dev_enter(&v3d->drm, &idx))
		return;
	cookie = dma_fence_begin_signalling();
	rt_mutex_lock(&v3d->sched->hw);
	/* It may end while it is looked at, and the V3D fall asleep soon after */
	if (bv3d_power_get_if_awake(v3d)) {
		if (bv3d_job_running(job))
			reason = bv3d_job_hangs(job);
		if (reason)
			bv3d_job_fail(v3d->sched, job->queue, reason);
		bv3d_power_put(v3d);
	}
	rt_mutex_unlock(&v3d->sched->hw);
	dma_fence_end_signalling(cookie);
	drm_dev_exit(idx);
}

/**
 * bv3d_reset_keep() - is the submit's memory kept from other users?
 * @submit: none of its jobs runs or waits any more; it is the callee's if this returns true
 *
 * It is if it was on a V3D whose reset failed, and none has succeeded since. Then it keeps the
 * device and the module, too. May sleep.
 *
 * Return: true if bv3d_reset_retry() will free it, once it can
 */
bool bv3d_reset_keep(struct bv3d_submit *submit)
{
	struct bv3d_sched *sched = submit->v3d->sched;
	bool keep;

	rt_mutex_lock(&sched->hw);
	keep = submit->lost && sched->wedged;
	if (keep)
		list_add(&submit->lost_link, &submit->v3d->reset->lost);
	rt_mutex_unlock(&sched->hw);
	return keep;
}

/* May a V3D that is wedged be tried again? Then nothing starts until bv3d_unwedge_end(). */
static bool bv3d_unwedge_begin(struct bv3d_device *v3d)
{
	struct bv3d_sched *sched = v3d->sched;
	struct bv3d_reset *reset = v3d->reset;
	bool may;

	rt_mutex_lock(&sched->hw);
	may = sched->wedged && !sched->resetting &&
	      time_after_eq(jiffies, reset->tried + msecs_to_jiffies(V3D_RETRY_MS));
	if (may) {
		reset->tried = jiffies;
		bv3d_sched_halt(sched);
	}
	rt_mutex_unlock(&sched->hw);
	return may;
}

static void bv3d_unwedge_end(struct bv3d_device *v3d, int ret, struct list_head *lost)
{
	rt_mutex_lock(&v3d->sched->hw);
	if (!ret) {
		list_splice_init(&v3d->reset->lost, lost);
		WRITE_ONCE(v3d->sched->wedged, false);
		drm_notice(&v3d->drm, "the V3D is back\n");
	}
	bv3d_sched_go_on(v3d->sched);
	rt_mutex_unlock(&v3d->sched->hw);
}

/**
 * bv3d_reset_retry() - try to get a V3D back whose reset failed a second ago or more
 * @v3d: wedged, when last looked at
 *
 * For submits: may sleep and allocate.
 *
 * Return: true when it is not wedged any more
 */
bool bv3d_reset_retry(struct bv3d_device *v3d)
{
	struct bv3d_submit *submit, *next;
	LIST_HEAD(lost);
	int idx;

	if (bv3d_power_get(v3d))
		return false;
	if (drm_dev_enter(&v3d->drm, &idx)) {
		if (bv3d_unwedge_begin(v3d))
			bv3d_unwedge_end(v3d, bv3d_power_cycle(v3d), &lost);
		drm_dev_exit(idx);
	}
	bv3d_power_put(v3d);
	list_for_each_entry_safe(submit, next, &lost, lost_link)
		bv3d_submit_free(submit);
	return !READ_ONCE(v3d->sched->wedged);
}

/**
 * bv3d_reset_show() - how often, for debugfs
 * @v3d: the device
 * @m: where to
 */
void bv3d_reset_show(struct bv3d_device *v3d, struct seq_file *m)
{
	seq_printf(m, "resets: %d, jobs run again %d, innocent jobs cancelled %d%s\n",
		   atomic_read(&v3d->reset->resets), atomic_read(&v3d->reset->restarts),
		   atomic_read(&v3d->reset->cancelled),
		   READ_ONCE(v3d->sched->wedged) ? ", wedged" : "");
}

/**
 * bv3d_reset_init() - counts of resets, and the last hang
 * @v3d: in probe
 *
 * drmm-managed.
 *
 * Return: 0 or -ENOMEM
 */
int bv3d_reset_init(struct bv3d_device *v3d)
{
	v3d->reset = drmm_kzalloc(&v3d->drm, sizeof(*v3d->reset), GFP_KERNEL);
	if (!v3d->reset)
		return -ENOMEM;
	INIT_LIST_HEAD(&v3d->reset->lost);
	spin_lock_init(&v3d->reset->hangs.lock);
	return 0;
}
