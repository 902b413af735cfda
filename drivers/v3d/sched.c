// SPDX-License-Identifier: GPL-2.0-only
/*
 * A job's way onto the hardware and off it.
 */
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include <drm/drm_managed.h>

#include "jobs.h"
#include "trace.h"

/**
 * DOC: Queues
 *
 * A frame is a job on the bin queue and one on the render queue; raw lists may have only one of
 * these. User programs are one on the QPU queue. The render job waits for the fence of its bin job,
 * so frame N + 1 is binned while frame N is rendered; user programs run beside both. Which job of
 * which file is next is the arbiter's to say (arbiter.c).
 *
 * **Fences.** What others see of a job is a fence of our own, signalled when the hardware is done.
 * drm_sched's fences are used only inside: they refer to the scheduler, and sync_files may outlive
 * that. The fences of one file's submits are one sequence and are signalled in its order.
 *
 * **Errors.** Every job that was pushed comes to bv3d_run_job(), which ends it at once when it must
 * not run: its process was killed, the device is gone or dead, its bin job failed. So drm_sched
 * never kills jobs, a file's order always holds, and no kernel version's way of killing them
 * matters.
 *
 * **Timeouts.** drm_sched's timer runs from a job's start, and its handler looks whether anything
 * moved (reset.c). What it, the hardware or another part of the driver finds wrong (a list that
 * hangs, a binner without memory, user programs past their time) is for a thread of our own to end.
 * A reset is not drm_sched's business: jobs that run again do so without its knowledge, they just
 * take longer.
 *
 * **Lifetime.** Schedulers live as long as the DRM device, which files and jobs keep alive. Unbind
 * stops what runs; what waits for fences of others ends with ENODEV once these have signalled.
 */

/* Longer than any job may take, until a reset has ended it: see reset.c */
#define V3D_SUSPEND_MS 20000

/**
 * bv3d_job_claim() - take a job that is in one state into another
 * @job: of which the caller has a reference, or which is the active one of its queue
 * @from: the state that it has to be in
 * @to: its state afterwards
 *
 * A job that was claimed is ended by no other thread: only the caller may. Any context.
 *
 * Return: true when it was in that state
 */
bool bv3d_job_claim(struct bv3d_job *job, enum bv3d_job_state from, enum bv3d_job_state to)
{
	struct bv3d_sched *sched = job->submit->v3d->sched;
	unsigned long flags;
	bool claimed;

	spin_lock_irqsave(&sched->lock, flags);
	claimed = job->state == from;
	if (claimed)
		job->state = to;
	spin_unlock_irqrestore(&sched->lock, flags);
	return claimed;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_job_claim);

/* How long the hardware has had it, since it was started last. bv3d_sched.lock is held */
static u64 bv3d_job_busy_ns(const struct bv3d_job *job)
{
	return job->started ? ktime_to_ns(ktime_sub(ktime_get(), job->started)) : 0;
}

/**
 * bv3d_job_run() - a job is V3D_JOB_RUNNING from here on, and its time counts
 * @job: claimed by the caller, who calls bv3d_job_start() next
 *
 * Time of a run that a reset has ended counts as its file's, but not against it.
 */
void bv3d_job_run(struct bv3d_job *job)
{
	struct bv3d_sched *sched = job->submit->v3d->sched;
	unsigned long flags;

	spin_lock_irqsave(&sched->lock, flags);
	job->submit->file->busy_ns[job->queue] += bv3d_job_busy_ns(job);
	job->started = ktime_get();
	bv3d_watch_begin(job);
	job->state = V3D_JOB_RUNNING;
	spin_unlock_irqrestore(&sched->lock, flags);
}

/*
 * A fence counts as signalled before all have been told: what they start on another queue may end
 * before this is called for the fence
 */
static void bv3d_seqno_raise(atomic64_t *reached, u64 seqno)
{
	s64 old = atomic64_read(reached);

	while ((u64)old < seqno && !atomic64_try_cmpxchg_release(reached, &old, seqno))
		;
}

/**
 * bv3d_job_finish() - a job has ended: count, signal, and let the next one run
 * @job: that was granted its queue
 * @error: 0 or a negative errno for its fence
 *
 * The caller has claimed the job (V3D_JOB_FINISHING) or it never ran (V3D_JOB_GRANTED). A
 * fence-signalling path; any context. A job that ran without an error is still between
 * drm_dev_enter and drm_dev_exit. The job may be gone when this returns, unless the caller is
 * inside drm_sched's callbacks for it.
 *
 * A client may learn of the end by the fence or by WAIT_SEQNO, and ask the other one next without
 * waiting. So &bv3d_file_queues.finished, which makes WAIT_SEQNO wait for what little is left, is
 * set before the fence signals, and &bv3d_file_queues.signalled, on which it returns, after that.
 * The queue is granted to the next job after both, so fences of one file signal in order.
 */
void bv3d_job_finish(struct bv3d_job *job, int error)
{
	struct bv3d_submit *submit = job->submit;
	struct bv3d_sched *sched = submit->v3d->sched;
	struct bv3d_file_queues *file = submit->file;
	struct dma_fence *done = dma_fence_get(&job->done->base);
	struct bv3d_hw_queue *hwq = &sched->queues[job->queue];
	bool last = done->context == file->context;
	u64 seqno = submit->seqno;
	struct bv3d_grants grants;
	unsigned long flags;

	trace_bv3d_end(file->client_id, seqno, job->queue, error);
	if (job->started && !error)
		bv3d_perfmon_stop(submit->v3d, submit->perfmon, true);
	if (last)
		atomic64_set(&file->finished, seqno);
	/* Signalling may end the job, but not these */
	kref_get(&file->refs);
	spin_lock_irqsave(&sched->lock, flags);
	bv3d_arbiter_leave(sched, job, bv3d_job_busy_ns(job));
	hwq->signalling = true;
	spin_unlock_irqrestore(&sched->lock, flags);

	if (error)
		dma_fence_set_error(done, error);
	dma_fence_signal(done);
	dma_fence_put(done);
	if (last)
		bv3d_seqno_raise(&file->signalled, seqno);

	spin_lock_irqsave(&sched->lock, flags);
	hwq->signalling = false;
	bv3d_arbiter_grant(sched, &grants);
	spin_unlock_irqrestore(&sched->lock, flags);
	bv3d_grants_signal(&grants);
	wake_up_all(&sched->idle);
	/* No ioctl waits for a frame's bin job */
	if (last)
		wake_up_all(&file->wait);
	bv3d_file_queues_put_in_irq(file);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_job_finish);

/**
 * bv3d_job_ended() - the V3D itself has ended a job
 * @job: V3D_JOB_FINISHING; the V3D is awake, between drm_dev_enter and drm_dev_exit
 * @error: 0, or why a reset was to end it, which came too late
 *
 * Any context. What was counted for it then is worth nothing, and is not counted on.
 */
void bv3d_job_ended(struct bv3d_job *job, int error)
{
	if (error)
		bv3d_perfmon_stop(job->submit->v3d, job->submit->perfmon, false);
	bv3d_job_finish(job, error);
}

/**
 * bv3d_queue_finished() - the hardware says that what runs on this queue is done
 * @v3d: between drm_dev_enter and drm_dev_exit
 * @queue: which
 *
 * For interrupts.
 */
void bv3d_queue_finished(struct bv3d_device *v3d, enum bv3d_queue queue)
{
	struct bv3d_sched *sched = v3d->sched;
	struct bv3d_job *job;
	unsigned long flags;
	int error = 0;

	spin_lock_irqsave(&sched->lock, flags);
	job = bv3d_hw_queue_running(sched, queue);
	if (job) {
		job->state = V3D_JOB_FINISHING;
		error = job->error;
	}
	spin_unlock_irqrestore(&sched->lock, flags);
	if (job)
		bv3d_job_ended(job, error);
}

/**
 * bv3d_job_fail_locked() - a job must end with an error, and only a reset ends it
 * @job: V3D_JOB_RUNNING; bv3d_sched.lock held, after which bv3d_reset_ask() is called
 * @reason: not V3DCL_DUMP_UNKNOWN
 */
void bv3d_job_fail_locked(struct bv3d_job *job, enum v3dcl_dump_reason reason)
{
	if (job->error)
		return;
	job->error = reason == V3DCL_DUMP_NO_MEMORY ? -ENOMEM : -ETIMEDOUT;
	job->reason = reason;
}

/**
 * bv3d_job_fail() - what runs on this queue must end with an error, and only a reset ends it
 * @sched: the queues
 * @queue: where it runs
 * @reason: not V3DCL_DUMP_UNKNOWN
 *
 * Any context. bv3d_reset_work() sees to it, at once.
 */
void bv3d_job_fail(struct bv3d_sched *sched, enum bv3d_queue queue, enum v3dcl_dump_reason reason)
{
	struct bv3d_job *job;
	unsigned long flags;

	spin_lock_irqsave(&sched->lock, flags);
	job = bv3d_hw_queue_running(sched, queue);
	if (job)
		bv3d_job_fail_locked(job, reason);
	spin_unlock_irqrestore(&sched->lock, flags);
	if (job)
		bv3d_reset_ask(sched);
}

/**
 * bv3d_reset_ask() - a job must end: have bv3d_reset_work() see to it, at once
 * @sched: the queues
 *
 * Any context.
 */
void bv3d_reset_ask(struct bv3d_sched *sched)
{
	/* A reset for another job waits for this one to finish, which it will not */
	wake_up_all(&sched->idle);
	kthread_queue_work(sched->resets, &sched->reset);
}

static struct dma_fence *bv3d_prepare_job(struct drm_sched_job *base,
					  struct drm_sched_entity *entity)
{
	struct bv3d_job *job = to_bv3d_job(base);
	struct bv3d_sched *sched = job->submit->v3d->sched;
	struct dma_fence *grant = NULL;
	struct bv3d_grants grants;
	unsigned long flags;

	spin_lock_irqsave(&sched->lock, flags);
	if (job->state == V3D_JOB_NEW)
		bv3d_arbiter_enter(sched, job);
	bv3d_arbiter_grant(sched, &grants);
	if (job->state == V3D_JOB_WAITING)
		grant = dma_fence_get(&job->grant->base);
	spin_unlock_irqrestore(&sched->lock, flags);
	bv3d_grants_signal(&grants);
	return grant;
}

/* Why a job that was granted its queue must not run, or 0 */
static int bv3d_job_forbidden(struct bv3d_job *job)
{
	struct bv3d_sched *sched = job->submit->v3d->sched;
	int error = job->after ? dma_fence_get_status(job->after) : 0;

	lockdep_assert_held(&sched->hw);
	if (error < 0)
		return error;
	if (READ_ONCE(job->submit->file->killed))
		return -ECANCELED;
	if (sched->stopped)
		return -ENODEV;
	if (!READ_ONCE(sched->powered))
		return READ_ONCE(sched->no_power) == -ENODEV ? -ENODEV : -EIO;
	return sched->wedged ? -EIO : 0;
}

static int bv3d_job_try_start(struct bv3d_job *job)
{
	int ret = bv3d_job_forbidden(job);

	if (ret)
		return ret;
	bv3d_job_run(job);
	bv3d_job_start(job);
	return 0;
}

/**
 * bv3d_job_launch() - a job whose queue was granted starts, unless it must not run: then it ends
 * @job: V3D_JOB_GRANTED
 *
 * With bv3d_sched.hw held, between drm_dev_enter and drm_dev_exit; a fence-signalling path.
 */
void bv3d_job_launch(struct bv3d_job *job)
{
	int ret = bv3d_job_try_start(job);

	if (ret)
		bv3d_job_finish(job, ret);
}

/* A job's queue was granted. One that comes during a reset is started at the end of that. */
static void bv3d_job_arrive(struct bv3d_job *job)
{
	if (job->submit->v3d->sched->resetting && !bv3d_job_forbidden(job))
		bv3d_job_claim(job, V3D_JOB_GRANTED, V3D_JOB_STOPPED);
	else
		bv3d_job_launch(job);
}

/**
 * bv3d_run_job() - a job's queue was granted: it starts, ends at once, or waits for a reset's end
 * @base: &bv3d_job.base
 *
 * For drm_sched.
 *
 * Return: a reference of the fence of its end
 */
struct dma_fence *bv3d_run_job(struct drm_sched_job *base)
{
	struct bv3d_job *job = to_bv3d_job(base);
	struct bv3d_device *v3d = job->submit->v3d;
	bool plugged, cookie;
	int idx;

	/* First: inside of the other two, it keeps lockdep from connecting these to the rest */
	plugged = drm_dev_enter(&v3d->drm, &idx);
	cookie = dma_fence_begin_signalling();
	rt_mutex_lock(&v3d->sched->hw);
	if (plugged)
		bv3d_job_arrive(job);
	else
		bv3d_job_finish(job, -ENODEV);
	rt_mutex_unlock(&v3d->sched->hw);
	dma_fence_end_signalling(cookie);
	if (plugged)
		drm_dev_exit(idx);
	return dma_fence_get(&job->done->base);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_run_job);

/*
 * drm_sched has taken the job off its list of running ones. Told that nothing hangs, which as far
 * as it is concerned is so whatever was reset, it puts the job back, or has it freed if it has
 * ended meanwhile. Where it cannot be told, stopping it does that; starting it waits for the job's
 * fence again, for which it wants to be told that fence.
 */
static enum drm_gpu_sched_stat bv3d_timedout_job(struct drm_sched_job *base)
{
#ifdef V3D_HAVE_SCHED_NO_HANG
	bv3d_reset_look(to_bv3d_job(base));
	return DRM_GPU_SCHED_STAT_NO_HANG;
#else
	struct bv3d_job *job = to_bv3d_job(base);
	struct drm_gpu_scheduler *scheduler = base->sched;
	struct drm_sched_job *pending;

	drm_sched_stop(scheduler, base);
	bv3d_reset_look(job);
	list_for_each_entry(pending, &scheduler->pending_list, list)
		pending->s_fence->parent = dma_fence_get(&to_bv3d_job(pending)->done->base);
	bv3d_sched_restart(scheduler);
	return DRM_GPU_SCHED_STAT_NOMINAL;
#endif
}

static void bv3d_free_job(struct drm_sched_job *base)
{
	bv3d_job_free(to_bv3d_job(base));
}

static const struct drm_sched_backend_ops bv3d_sched_ops = {
	.V3D_PREPARE_JOB = bv3d_prepare_job,
	.run_job = bv3d_run_job,
	.timedout_job = bv3d_timedout_job,
	.free_job = bv3d_free_job,
};

static const char *const bv3d_queue_names[V3D_QUEUES] = { "v3d_bin", "v3d_render", "v3d_qpu" };

static void bv3d_sched_fini(struct drm_device *drm, void *data)
{
	struct bv3d_sched *sched = data;
	unsigned int i;

	for (i = 0; i < V3D_QUEUES; i++) {
		if (sched->queues[i].initialized)
			drm_sched_fini(&sched->queues[i].base);
	}
	bv3d_qpu_stop(sched);
	if (sched->resets)
		kthread_destroy_worker(sched->resets);
	if (sched->timeouts)
		destroy_workqueue(sched->timeouts);
	if (sched->starts)
		destroy_workqueue(sched->starts);
}

static int bv3d_hw_queue_init(struct bv3d_sched *sched, enum bv3d_queue queue)
{
	struct bv3d_hw_queue *hwq = &sched->queues[queue];
	/* User programs look after their own time */
	long look = msecs_to_jiffies(queue == V3D_QPU ?
				     div_u64(V3DCL_MAX_TIMEOUT_NS, NSEC_PER_MSEC) : V3D_LOOK_MS);
	int ret;

	INIT_LIST_HEAD(&hwq->waiting);
	ret = bv3d_drm_sched_init(&hwq->base, &bv3d_sched_ops, look, sched->timeouts, sched->starts,
				  bv3d_queue_names[queue], sched->v3d->drm.dev);
	hwq->initialized = !ret;
	return ret;
}

/* Something is to run on a V3D that sleeps */
static void bv3d_sched_wake(struct work_struct *work)
{
	struct bv3d_sched *sched = container_of(work, struct bv3d_sched, wake);
	int ret = bv3d_power_get(sched->v3d);
	struct bv3d_grants grants;
	unsigned long flags;
	bool again;

	spin_lock_irqsave(&sched->lock, flags);
	again = !ret && sched->powered;
	sched->powered |= !ret;
	sched->no_power = ret;
	bv3d_arbiter_grant(sched, &grants);
	spin_unlock_irqrestore(&sched->lock, flags);
	bv3d_grants_signal(&grants);
	if (again)
		bv3d_power_put(sched->v3d);
}

/*
 * Programs past their limit are ended before anything but what interrupts: no client, and no worker
 * of another thread, keeps that from its processor
 */
static int bv3d_resets_init(struct bv3d_sched *sched)
{
	struct kthread_worker *worker = kthread_run_worker(0, "v3d_reset");

	if (IS_ERR(worker))
		return PTR_ERR(worker);
	sched_set_fifo_low(worker->task);
	kthread_init_work(&sched->reset, bv3d_reset_work);
	sched->resets = worker;
	return 0;
}

/**
 * bv3d_sched_init() - the queues
 * @v3d: in probe
 *
 * drmm-managed: they live as long as any file can submit.
 *
 * Return: 0, -ENOMEM, or what drm_sched says
 */
int bv3d_sched_init(struct bv3d_device *v3d)
{
	struct bv3d_sched *sched = drmm_kzalloc(&v3d->drm, sizeof(*sched), GFP_KERNEL);
	unsigned int i;
	int ret;

	if (!sched)
		return -ENOMEM;
	sched->v3d = v3d;
	INIT_WORK(&sched->wake, bv3d_sched_wake);
	spin_lock_init(&sched->lock);
	rt_mutex_init(&sched->hw);
	init_waitqueue_head(&sched->idle);
	bv3d_qpu_init(sched);
	ret = drmm_add_action_or_reset(&v3d->drm, bv3d_sched_fini, sched);
	if (ret)
		return ret;
	ret = bv3d_resets_init(sched);
	if (ret)
		return ret;
	sched->timeouts = alloc_ordered_workqueue("v3d_timeout", WQ_HIGHPRI | WQ_MEM_RECLAIM);
	if (!sched->timeouts || !bv3d_sched_workqueue(&sched->starts))
		return -ENOMEM;
	for (i = 0; i < V3D_QUEUES; i++) {
		ret = bv3d_hw_queue_init(sched, i);
		if (ret)
			return ret;
	}
	v3d->sched = sched;
	return 0;
}

/**
 * bv3d_sched_halt() - nothing starts any more, and what the hardware has is V3D_JOB_STOPPED: from
 * here on the caller's to end or to start again
 * @sched: the queues, hw held
 *
 * Until bv3d_sched_go_on(). What was granted a queue and did not start yet becomes V3D_JOB_STOPPED,
 * too, if it wants to meanwhile.
 *
 * Return: true when the hardware had anything
 */
bool bv3d_sched_halt(struct bv3d_sched *sched)
{
	unsigned long flags;
	bool busy = false;
	unsigned int i;

	lockdep_assert_held(&sched->hw);
	spin_lock_irqsave(&sched->lock, flags);
	sched->resetting = true;
	for (i = 0; i < V3D_QUEUES; i++) {
		struct bv3d_job *job = bv3d_hw_queue_running(sched, i);

		busy = busy || job;
		if (job)
			job->state = V3D_JOB_STOPPED;
	}
	spin_unlock_irqrestore(&sched->lock, flags);
	return busy;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_sched_halt);

/**
 * bv3d_sched_go_on() - ends a bv3d_sched_halt()
 * @sched: the queues, hw held; no job is V3D_JOB_STOPPED any more
 */
void bv3d_sched_go_on(struct bv3d_sched *sched)
{
	struct bv3d_grants grants;
	unsigned long flags;

	lockdep_assert_held(&sched->hw);
	spin_lock_irqsave(&sched->lock, flags);
	sched->resetting = false;
	bv3d_arbiter_grant(sched, &grants);
	spin_unlock_irqrestore(&sched->lock, flags);
	bv3d_grants_signal(&grants);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_sched_go_on);

static void bv3d_sched_end_stopped(struct bv3d_sched *sched, int error)
{
	struct bv3d_job *job;
	unsigned int i;

	for (i = 0; i < V3D_QUEUES; i++) {
		job = bv3d_hw_queue_stopped(sched, i);
		if (job)
			bv3d_job_finish(job, error);
	}
}

/**
 * bv3d_sched_stop() - the device goes away: what runs ends here, what waits ends when its fences
 * have signalled
 * @v3d: unplugged
 *
 * After drm_dev_unplug(), so no reset is under way, and nothing else touches registers but
 * interrupts, which mask themselves. The hardware is made to forget what it does before clients are
 * told that it no longer uses their memory. If it cannot be, that memory is kept for ever.
 */
void bv3d_sched_stop(struct bv3d_device *v3d)
{
	struct bv3d_sched *sched = v3d->sched;
	bool cookie = dma_fence_begin_signalling(), busy;
	int ret = 0;

	rt_mutex_lock(&sched->hw);
	sched->stopped = true;
	busy = bv3d_sched_halt(sched);
	rt_mutex_unlock(&sched->hw);
	dma_fence_end_signalling(cookie);

	if (busy)
		ret = bv3d_power_cycle(v3d);

	cookie = dma_fence_begin_signalling();
	rt_mutex_lock(&sched->hw);
	if (ret)
		bv3d_wedge(v3d);
	bv3d_sched_end_stopped(sched, -ENODEV);
	bv3d_sched_go_on(sched);
	rt_mutex_unlock(&sched->hw);
	dma_fence_end_signalling(cookie);
	/* It may never have resumed: what waits ends, too */
	bv3d_sched_resume(v3d);
	bv3d_qpu_stop(sched);
	bv3d_binmem_stop(v3d);
}

static bool bv3d_sched_idle(struct bv3d_sched *sched)
{
	unsigned long flags;
	unsigned int i;
	bool idle = true;

	spin_lock_irqsave(&sched->lock, flags);
	for (i = 0; i < V3D_QUEUES; i++)
		idle = idle && !sched->queues[i].active;
	spin_unlock_irqrestore(&sched->lock, flags);
	return idle;
}

/**
 * bv3d_sched_suspend() - what runs has ended, and nothing starts before bv3d_sched_resume()
 * @v3d: awake or asleep
 *
 * For system suspend. Jobs that wait go on waiting. One that hangs is waited for as well: it ends
 * by a reset.
 *
 * Return: 0; -EBUSY when something still runs, and then the queues go on
 */
int bv3d_sched_suspend(struct bv3d_device *v3d)
{
	struct bv3d_sched *sched = v3d->sched;
	unsigned long flags;

	spin_lock_irqsave(&sched->lock, flags);
	sched->suspended = true;
	spin_unlock_irqrestore(&sched->lock, flags);
	if (wait_event_timeout(sched->idle, bv3d_sched_idle(sched),
			       msecs_to_jiffies(V3D_SUSPEND_MS)))
		return 0;
	bv3d_sched_resume(v3d);
	return -EBUSY;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_sched_suspend);

/**
 * bv3d_sched_resume() - ends a bv3d_sched_suspend(): jobs that wait start
 * @v3d: as before
 */
void bv3d_sched_resume(struct bv3d_device *v3d)
{
	struct bv3d_sched *sched = v3d->sched;
	struct bv3d_grants grants;
	unsigned long flags;

	spin_lock_irqsave(&sched->lock, flags);
	sched->suspended = false;
	bv3d_arbiter_grant(sched, &grants);
	spin_unlock_irqrestore(&sched->lock, flags);
	bv3d_grants_signal(&grants);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_sched_resume);

/**
 * bv3d_sched_open() - a file has a place in the queues
 * @file: just opened
 *
 * bv3d_sched_close() ends it.
 *
 * Return: 0 or -ENOMEM
 */
int bv3d_sched_open(struct bv3d_file *file)
{
	file->queues = bv3d_file_queues_create(file);
	return file->queues ? 0 : -ENOMEM;
}

/**
 * bv3d_sched_close() - the file is closed
 * @file: no thread submits through it any more
 *
 * Its jobs run nevertheless, as others may wait for them, unless the process was killed. What has
 * finished is gone when this returns, so that the module can be unloaded right away.
 */
void bv3d_sched_close(struct bv3d_file *file)
{
	struct bv3d_file_queues *queues = file->queues;

	if (current->flags & PF_EXITING && current->exit_code == SIGKILL)
		WRITE_ONCE(queues->killed, true);
	if (atomic64_read(&queues->finished) == queues->seqno)
		wait_event_timeout(queues->wait, !atomic_read(&queues->submits), HZ);
	bv3d_file_queues_put(queues);
}

/**
 * bv3d_sched_busy_ns() - how long jobs of this file had that queue, for fdinfo
 * @file: whose
 * @queue: which
 *
 * With what the job that is there now has taken so far.
 *
 * Return: ns
 */
u64 bv3d_sched_busy_ns(struct bv3d_file *file, enum bv3d_queue queue)
{
	struct bv3d_sched *sched = file->v3d->sched;
	const struct bv3d_job *active;
	unsigned long flags;
	u64 busy_ns;

	spin_lock_irqsave(&sched->lock, flags);
	busy_ns = file->queues->busy_ns[queue];
	active = sched->queues[queue].active;
	if (active && active->submit->file == file->queues)
		busy_ns += bv3d_job_busy_ns(active);
	spin_unlock_irqrestore(&sched->lock, flags);
	return busy_ns;
}

/**
 * bv3d_sched_guilty() - jobs of this file that hung and led to a reset
 * @file: whose
 *
 * Return: how many so far
 */
u64 bv3d_sched_guilty(struct bv3d_file *file)
{
	return atomic_read(&file->queues->guilty);
}

/**
 * bv3d_sched_innocent() - jobs of this file that ended with another one's reset
 * @file: whose
 *
 * Return: how many so far
 */
u64 bv3d_sched_innocent(struct bv3d_file *file)
{
	return atomic_read(&file->queues->innocent);
}

/**
 * bv3d_sched_refused_ns() - are submits of this file refused, because its jobs hang?
 * @file: whose
 *
 * Return: for how many ns, 0 if they are not
 */
u64 bv3d_sched_refused_ns(struct bv3d_file *file)
{
	struct bv3d_sched *sched = file->v3d->sched;
	unsigned long flags;
	u64 refused_ns;

	spin_lock_irqsave(&sched->lock, flags);
	refused_ns = bv3d_offence_refused(&file->queues->offences, ktime_get_ns());
	spin_unlock_irqrestore(&sched->lock, flags);
	return refused_ns;
}

static const char *const bv3d_job_states[] = {
	[V3D_JOB_NEW] = "new", [V3D_JOB_WAITING] = "waiting",
	[V3D_JOB_GRANTED] = "granted", [V3D_JOB_RUNNING] = "running",
	[V3D_JOB_STOPPED] = "stopped", [V3D_JOB_FINISHING] = "finishing",
	[V3D_JOB_DONE] = "done",
};

static void bv3d_hw_queue_show(struct bv3d_sched *sched, struct bv3d_hw_queue *hwq,
			       struct seq_file *m)
{
	u64 client = 0, seqno = 0, finished;
	const char *state = "idle";
	unsigned long flags;
	u32 waiting;

	spin_lock_irqsave(&sched->lock, flags);
	finished = hwq->finished;
	waiting = bv3d_list_length(&hwq->waiting);
	if (hwq->active) {
		state = bv3d_job_states[hwq->active->state];
		client = hwq->active->submit->file->client_id;
		seqno = hwq->active->submit->seqno;
	}
	spin_unlock_irqrestore(&sched->lock, flags);
	seq_printf(m, "%s: finished %llu, ready %u, %s", hwq->base.name, finished, waiting, state);
	if (seqno)
		seq_printf(m, " (client %llu seqno %llu)", client, seqno);
	seq_putc(m, '\n');
}

static void bv3d_scrub_show(struct bv3d_sched *sched, const char *name,
			    const struct bv3d_scrub *scrub, struct seq_file *m)
{
	unsigned long flags;
	u64 count;

	spin_lock_irqsave(&sched->lock, flags);
	count = scrub->count;
	spin_unlock_irqrestore(&sched->lock, flags);
	seq_printf(m, "%s: scrubbed %llu times\n", name, count);
}

/**
 * bv3d_sched_show() - the queues, for debugfs
 * @v3d: the device
 * @m: where to
 */
void bv3d_sched_show(struct bv3d_device *v3d, struct seq_file *m)
{
	unsigned int i;
	u64 latchless;

	for (i = 0; i < V3D_QUEUES; i++)
		bv3d_hw_queue_show(v3d->sched, &v3d->sched->queues[i], m);
	bv3d_scrub_show(v3d->sched, "VPM", &v3d->sched->rows, m);
	bv3d_scrub_show(v3d->sched, "QPU registers", &v3d->sched->registers, m);
	bv3d_binmem_show(v3d, m);
	bv3d_reset_show(v3d, m);
	spin_lock_irq(&v3d->sched->lock);
	latchless = v3d->sched->latchless;
	spin_unlock_irq(&v3d->sched->lock);
	seq_printf(m, "interrupts of programs with nothing in any latch: %llu\n", latchless);
}
