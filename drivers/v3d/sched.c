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
 * **Starts.** A job that is ready, and whose turn it is, starts where that becomes known: in the
 * ioctl that has submitted it, in the interrupt that ends the one before, or in a worker when a
 * fence of another driver was the last that it waited for. A start is a few writes to registers,
 * made with bv3d_sched.lock held, and no thread is woken for it. That is why drm_sched is not used:
 * it takes two more fences for each job, wakes a worker for its start and another one for its end,
 * and its own choice among jobs would have to be circumvented (arbiter.c).
 *
 * **Fences.** What others see of a job is a fence, signalled when the hardware is done. It refers
 * to nothing, as sync_files may outlive all of this. The fences of one file's submits are one
 * sequence and are signalled in its order.
 *
 * **Errors.** Every job comes to its turn, and ends there at once when it must not run: its process
 * was killed, the device is gone or dead, its bin job failed. So a file's order always holds.
 *
 * **Looks.** While a queue has a job, a worker looks at times whether anything moves (reset.c).
 * What it, the hardware or another part of the driver finds wrong (a list that hangs, a binner
 * without memory, user programs past their time) is for a thread of its own to end.
 *
 * **Lifetime.** The queues live as long as the DRM device, which files and jobs keep alive. Unbind
 * stops what runs; what waits for fences of others ends with ENODEV once these have signalled.
 */

/* How often to look whether what runs moves */
#define V3D_LOOK_MS 250

/* Longer than any job may take, until a reset has ended it: see reset.c */
#define V3D_SUSPEND_MS 20000

/* How long the hardware has had it, since it was started last. bv3d_sched.lock is held */
static u64 bv3d_job_busy_ns(const struct bv3d_job *job)
{
	return job->started ? ktime_to_ns(ktime_sub(ktime_get(), job->started)) : 0;
}

/**
 * bv3d_job_run() - a job is V3D_JOB_RUNNING from here on, and its time counts
 * @job: the active one of its queue, which does not run; bv3d_sched.lock is held
 *
 * Time of a run that a reset has ended counts as its file's, but not against it. Between
 * drm_dev_enter and drm_dev_exit; a fence-signalling path.
 */
void bv3d_job_run(struct bv3d_job *job)
{
	struct bv3d_hw_queue *hwq = bv3d_job_hw_queue(job);

	lockdep_assert_held(&hwq->sched->lock);
	job->submit->file->busy_ns[job->queue] += bv3d_job_busy_ns(job);
	job->started = ktime_get();
	job->state = V3D_JOB_RUNNING;
	queue_delayed_work(hwq->sched->works, &hwq->look, msecs_to_jiffies(V3D_LOOK_MS));
	bv3d_job_start(job);
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

/*
 * A job ends: its turn is over, and its fence signals. No other one starts on its queue before it
 * has, so fences of one file signal in order.
 *
 * A client may learn of the end by the fence or by WAIT_SEQNO, and ask the other one next without
 * waiting. So &bv3d_file_queues.finished, which makes WAIT_SEQNO wait for what little is left, is
 * set before the fence signals, and &bv3d_file_queues.signalled, on which it returns, after that.
 */
static void bv3d_job_end(struct bv3d_job *job, int error)
{
	struct bv3d_submit *submit = job->submit;
	struct bv3d_sched *sched = submit->v3d->sched;
	struct bv3d_file_queues *file = submit->file;
	struct bv3d_hw_queue *hwq = &sched->queues[job->queue];
	struct dma_fence *done = &job->done->base;
	bool last = done->context == file->context;
	unsigned long flags;

	trace_bv3d_end(file->client_id, submit->seqno, job->queue, error);
	if (job->started && !error)
		bv3d_perfmon_stop(submit->v3d, submit->perfmon, true);
	if (last)
		atomic64_set(&file->finished, submit->seqno);
	spin_lock_irqsave(&sched->lock, flags);
	bv3d_arbiter_leave(sched, job, bv3d_job_busy_ns(job));
	WRITE_ONCE(hwq->signalling, true);
	spin_unlock_irqrestore(&sched->lock, flags);

	if (error)
		dma_fence_set_error(done, error);
	dma_fence_signal(done);
	if (last)
		bv3d_seqno_raise(&file->signalled, submit->seqno);

	spin_lock_irqsave(&sched->lock, flags);
	WRITE_ONCE(hwq->signalling, false);
	spin_unlock_irqrestore(&sched->lock, flags);
	wake_up_all(&sched->idle);
	/* No ioctl waits for a frame's bin job */
	if (last)
		wake_up_all(&file->wait);
	bv3d_job_let_go(job);
}

/* Why a job that was granted its queue must not run, or 0 */
static int bv3d_job_forbidden(struct bv3d_job *job)
{
	struct bv3d_sched *sched = job->submit->v3d->sched;

	lockdep_assert_held(&sched->lock);
	/* It has signalled, so that this does not change; dma_fence_get_status() would lock it */
	if (job->after && job->after->error)
		return job->after->error;
	if (READ_ONCE(job->submit->file->killed))
		return -ECANCELED;
	if (sched->stopped)
		return -ENODEV;
	if (!sched->powered)
		return sched->no_power == -ENODEV ? -ENODEV : -EIO;
	return READ_ONCE(sched->wedged) ? -EIO : 0;
}

/*
 * Jobs whose turn it is start. Those that must not run are left in @refused, and it is told why in
 * @errors.
 */
static void bv3d_sched_start(struct bv3d_sched *sched, bool plugged, struct bv3d_grants *refused,
			     int errors[V3D_QUEUES])
{
	struct bv3d_grants grants;
	unsigned long flags;
	unsigned int i;

	refused->count = 0;
	spin_lock_irqsave(&sched->lock, flags);
	bv3d_arbiter_grant(sched, &grants);
	for (i = 0; i < grants.count; i++) {
		int error = plugged ? bv3d_job_forbidden(grants.jobs[i]) : -ENODEV;

		if (!error) {
			bv3d_job_run(grants.jobs[i]);
			continue;
		}
		errors[refused->count] = error;
		refused->jobs[refused->count++] = grants.jobs[i];
	}
	spin_unlock_irqrestore(&sched->lock, flags);
}

/**
 * bv3d_sched_go() - what is ready and whose turn it is starts
 * @sched: the queues
 *
 * To be called after each change that may let a job start. Any context, but with no spinlock held:
 * a job that must not run ends here. A fence-signalling path.
 */
void bv3d_sched_go(struct bv3d_sched *sched)
{
	bool plugged, cookie;
	struct bv3d_grants refused;
	int errors[V3D_QUEUES], idx;
	unsigned int i;

	/* First: inside of the other one, it keeps lockdep from connecting that to the rest */
	plugged = drm_dev_enter(&sched->v3d->drm, &idx);
	cookie = dma_fence_begin_signalling();
	do {
		bv3d_sched_start(sched, plugged, &refused, errors);
		for (i = 0; i < refused.count; i++)
			bv3d_job_end(refused.jobs[i], errors[i]);
	} while (refused.count);
	dma_fence_end_signalling(cookie);
	if (plugged)
		drm_dev_exit(idx);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_sched_go);

/**
 * bv3d_sched_kick() - bv3d_sched_go() soon, by another thread
 * @sched: the queues; what may start has become ready before
 *
 * For callbacks of fences. Who ends a job looks what may start when all callbacks of its fence have
 * been called; if no thread is about to, a worker is told.
 */
void bv3d_sched_kick(struct bv3d_sched *sched)
{
	unsigned int i;

	for (i = 0; i < V3D_QUEUES; i++) {
		if (READ_ONCE(sched->queues[i].signalling))
			return;
	}
	queue_work(sched->works, &sched->go);
}

/**
 * bv3d_job_finish() - a job that ran has ended: count, signal, and let the next one run
 * @job: claimed by the caller (V3D_JOB_FINISHING, V3D_JOB_STOPPED)
 * @error: 0 or a negative errno for its fence
 *
 * A fence-signalling path; any context, without a spinlock. A job that ran without an error is
 * still between drm_dev_enter and drm_dev_exit. The job may be gone when this returns, unless the
 * caller has its submit.
 */
void bv3d_job_finish(struct bv3d_job *job, int error)
{
	struct bv3d_sched *sched = job->submit->v3d->sched;

	bv3d_job_end(job, error);
	bv3d_sched_go(sched);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_job_finish);

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
		bv3d_job_finish(job, error);
}

/**
 * bv3d_job_running_get() - what runs on a queue
 * @sched: the queues
 * @queue: which
 *
 * Any context. It may end meanwhile.
 *
 * Return: the job or NULL; the caller ends the look at it by bv3d_job_let_go()
 */
struct bv3d_job *bv3d_job_running_get(struct bv3d_sched *sched, enum bv3d_queue queue)
{
	struct bv3d_job *job;
	unsigned long flags;

	spin_lock_irqsave(&sched->lock, flags);
	job = bv3d_hw_queue_running(sched, queue);
	if (job)
		kref_get(&job->submit->refs);
	spin_unlock_irqrestore(&sched->lock, flags);
	return job;
}

/**
 * bv3d_job_fail() - a job must end with an error, and only a reset ends it
 * @job: of which the caller has the submit; nothing happens if it does not run any more
 * @error: a negative errno for its fence
 *
 * Any context. bv3d_reset_work() sees to it, at once.
 */
void bv3d_job_fail(struct bv3d_job *job, int error)
{
	struct bv3d_sched *sched = job->submit->v3d->sched;
	unsigned long flags;
	bool runs;

	spin_lock_irqsave(&sched->lock, flags);
	runs = job->state == V3D_JOB_RUNNING;
	if (runs && !job->error)
		job->error = error;
	spin_unlock_irqrestore(&sched->lock, flags);
	if (!runs)
		return;
	/* A reset for another job waits for this one to finish, which it will not */
	wake_up_all(&sched->idle);
	kthread_queue_work(sched->resets, &sched->reset);
}

static void bv3d_sched_go_work(struct work_struct *work)
{
	bv3d_sched_go(container_of(work, struct bv3d_sched, go));
}

/* Something has run on the queue since the last look. Does it move? */
static void bv3d_hw_queue_look(struct work_struct *work)
{
	struct bv3d_hw_queue *hwq = container_of(to_delayed_work(work), struct bv3d_hw_queue, look);
	struct bv3d_sched *sched = hwq->sched;
	unsigned long flags;

	bv3d_reset_look(sched, hwq - sched->queues);
	spin_lock_irqsave(&sched->lock, flags);
	if (hwq->active)
		queue_delayed_work(sched->works, &hwq->look, msecs_to_jiffies(V3D_LOOK_MS));
	spin_unlock_irqrestore(&sched->lock, flags);
}

/* No worker and no timer of the queues is under way any more. Nothing starts on them. */
static void bv3d_sched_quiet(struct bv3d_sched *sched)
{
	unsigned int i;

	for (i = 0; i < V3D_QUEUES; i++)
		cancel_delayed_work_sync(&sched->queues[i].look);
	bv3d_qpu_stop(sched);
}

static void bv3d_sched_fini(struct drm_device *drm, void *data)
{
	struct bv3d_sched *sched = data;

	bv3d_sched_quiet(sched);
	if (sched->resets)
		kthread_destroy_worker(sched->resets);
	if (sched->works)
		destroy_workqueue(sched->works);
}

/* Something is to run on a V3D that sleeps */
static void bv3d_sched_wake(struct work_struct *work)
{
	struct bv3d_sched *sched = container_of(work, struct bv3d_sched, wake);
	int ret = bv3d_power_get(sched->v3d);
	unsigned long flags;
	bool again;

	spin_lock_irqsave(&sched->lock, flags);
	again = !ret && sched->powered;
	sched->powered |= !ret;
	sched->no_power = ret;
	spin_unlock_irqrestore(&sched->lock, flags);
	bv3d_sched_go(sched);
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
 * Return: 0 or -ENOMEM
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
	INIT_WORK(&sched->go, bv3d_sched_go_work);
	spin_lock_init(&sched->lock);
	rt_mutex_init(&sched->hw);
	init_waitqueue_head(&sched->idle);
	for (i = 0; i < V3D_QUEUES; i++) {
		sched->queues[i].sched = sched;
		INIT_DELAYED_WORK(&sched->queues[i].look, bv3d_hw_queue_look);
		INIT_LIST_HEAD(&sched->queues[i].waiting);
	}
	bv3d_qpu_init(sched);
	ret = drmm_add_action_or_reset(&v3d->drm, bv3d_sched_fini, sched);
	if (ret)
		return ret;
	ret = bv3d_resets_init(sched);
	if (ret)
		return ret;
	sched->works = alloc_ordered_workqueue("v3d_sched", WQ_HIGHPRI | WQ_MEM_RECLAIM);
	if (!sched->works)
		return -ENOMEM;
	v3d->sched = sched;
	return 0;
}

/**
 * bv3d_sched_hold() - nothing starts any more; what runs goes on
 * @sched: the queues, hw held
 *
 * Until bv3d_sched_go_on().
 */
void bv3d_sched_hold(struct bv3d_sched *sched)
{
	unsigned long flags;

	lockdep_assert_held(&sched->hw);
	spin_lock_irqsave(&sched->lock, flags);
	sched->resetting = true;
	spin_unlock_irqrestore(&sched->lock, flags);
}

/**
 * bv3d_sched_halt() - nothing starts any more, and what the hardware has is V3D_JOB_STOPPED: from
 * here on the caller's to end or to start again
 * @sched: the queues, hw held
 *
 * Until bv3d_sched_go_on().
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
 * bv3d_sched_go_on() - ends a bv3d_sched_hold() or bv3d_sched_halt()
 * @sched: the queues, hw held; no job is V3D_JOB_STOPPED any more
 */
void bv3d_sched_go_on(struct bv3d_sched *sched)
{
	unsigned long flags;

	lockdep_assert_held(&sched->hw);
	spin_lock_irqsave(&sched->lock, flags);
	sched->resetting = false;
	spin_unlock_irqrestore(&sched->lock, flags);
	bv3d_sched_go(sched);
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
	unsigned long flags;
	int ret = 0;

	rt_mutex_lock(&sched->hw);
	spin_lock_irqsave(&sched->lock, flags);
	sched->stopped = true;
	spin_unlock_irqrestore(&sched->lock, flags);
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
	bv3d_sched_quiet(sched);
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
	unsigned long flags;

	spin_lock_irqsave(&sched->lock, flags);
	sched->suspended = false;
	spin_unlock_irqrestore(&sched->lock, flags);
	bv3d_sched_go(sched);
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

static const char *const bv3d_queue_names[V3D_QUEUES] = { "v3d_bin", "v3d_render", "v3d_qpu" };

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
	seq_printf(m, "%s: finished %llu, ready %u, %s", bv3d_queue_names[hwq - sched->queues],
		   finished, waiting, state);
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
