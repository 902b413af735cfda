// SPDX-License-Identifier: GPL-2.0-only
/*
 * The arbiter: which of the jobs that are ready a queue of the hardware runs next.
 */
#include "jobs.h"
#include "trace.h"

/**
 * DOC: The arbiter
 *
 * drm_sched runs the job that was submitted first, which favours a file that submits much: if it
 * keeps forty frames queued, each other file waits for forty frames. So drm_sched is told that the
 * hardware takes any number of jobs, and each job, once all its fences have signalled, waits here
 * until the arbiter grants it its queue, which one more fence tells. A queue of the hardware has
 * one job at a time.
 *
 * Fairness is by *virtual time*: each file has one for each queue, that advances by the time its
 * jobs took there. The file that is furthest behind is next. A file that comes back from a pause
 * starts at the queue's own virtual time, which is that of the file served last: idling saves
 * nothing up. Jobs of one file arrive here one after the other, since drm_sched keeps their order.
 * An empty queue is granted on the spot, without any fence being waited for.
 *
 * *Priority.* A job of high priority, which takes a privilege, comes before all others that are
 * ready, and waits for what runs. Virtual time is not for it: its file would be ahead of all others
 * by ever more, and with it each file that comes back from a pause. The time of a job of low
 * priority counts V3D_LOW_WEIGHT times: it gets less, but never nothing. So does that of a file
 * whose jobs hang again and again (offence.c).
 *
 * Jobs on different queues have to be *compatible*. Performance counters count everything that the
 * V3D does, so a job with a perfmon is compatible with no other. And where a job could see what
 * another file's left in the QPUs' registers, the two are not compatible either (scrub.c).
 *
 * A job that is next on its queue, but not compatible with what runs on others, becomes the
 * *exclusive* one: no queue gets a new job until this one is granted, or it could wait for ever.
 * What is running then finishes, whatever happens here, so no two jobs wait for each other. Queues
 * are asked round robin, beginning after the one served last, so that a stream of such jobs on one
 * queue does not keep another from its work.
 *
 * User programs that come to their limit are ended by a reset, at once. What runs beside them needs
 * time to finish before, so nothing starts beside them in the last V3D_GRACE_MS of that time, or
 * half of it.
 *
 * *Power* is held from the first queue that is granted until none is any more. A V3D that sleeps is
 * woken by a worker: that takes a firmware's mailbox, which nothing that signals fences may wait
 * for. If it does not wake up, queues are granted nevertheless, and jobs end with that error.
 */

#define V3D_LOW_WEIGHT 4

static u64 bv3d_virtual_time(const struct bv3d_job *job)
{
	return job->submit->file->virtual_time[job->queue];
}

static bool bv3d_job_high(const struct bv3d_job *job)
{
	return job->submit->priority == DRM_V3DCL_PRIORITY_HIGH;
}

static bool bv3d_job_before(const struct bv3d_job *job, const struct bv3d_job *other)
{
	if (bv3d_job_high(job) || bv3d_job_high(other))
		return !bv3d_job_high(other);
	return bv3d_virtual_time(job) < bv3d_virtual_time(other);
}

/* The time that a job took, as it counts against its file */
static u64 bv3d_job_charge(const struct bv3d_job *job, u64 busy_ns)
{
	if (bv3d_job_high(job))
		return 0;
	if (job->submit->priority == DRM_V3DCL_PRIORITY_LOW ||
	    bv3d_offence_slowed(&job->submit->file->offences, ktime_get_ns()))
		return V3D_LOW_WEIGHT * busy_ns;
	return busy_ns;
}

static struct bv3d_job *bv3d_hw_queue_next(struct bv3d_hw_queue *hwq)
{
	struct bv3d_job *job, *next = NULL;

	list_for_each_entry(job, &hwq->waiting, link) {
		if (!next || bv3d_job_before(job, next))
			next = job;
	}
	return next;
}

/*
 * May the job run beside what runs on the other queues: neither counts the other's work, none sees
 * what it must not?
 */
static bool bv3d_arbiter_compatible(struct bv3d_sched *sched, const struct bv3d_job *job)
{
	unsigned int i;

	for (i = 0; i < V3D_QUEUES; i++) {
		const struct bv3d_job *other = sched->queues[i].active;

		if (other && (job->submit->perfmon || other->submit->perfmon ||
			      bv3d_residue_conflicts(sched, job, other)))
			return false;
	}
	return true;
}

/* Are the user programs that run so near to their limit that nothing may start beside them? */
static bool bv3d_limit_near(struct bv3d_sched *sched)
{
	const struct bv3d_job *job = bv3d_hw_queue_running(sched, V3D_QPU);
	u64 limit_ns, grace_ns;

	if (!job)
		return false;
	limit_ns = job->submit->qpu->timeout_ns;
	grace_ns = min_t(u64, V3D_GRACE_MS * NSEC_PER_MSEC, limit_ns / 2);
	return ktime_to_ns(ktime_sub(ktime_get(), job->started)) > limit_ns - grace_ns;
}

/* Is the V3D awake? If not, it will be woken. */
static bool bv3d_arbiter_powered(struct bv3d_sched *sched)
{
	if (sched->powered || sched->no_power)
		return true;
	sched->powered = bv3d_power_get_if_awake(sched->v3d);
	if (!sched->powered)
		queue_work(sched->timeouts, &sched->wake);
	return sched->powered;
}

/* What runs has power: nothing does */
static void bv3d_arbiter_rest(struct bv3d_sched *sched)
{
	unsigned int i;

	for (i = 0; i < V3D_QUEUES; i++) {
		if (sched->queues[i].active)
			return;
	}
	if (sched->powered)
		bv3d_power_put(sched->v3d);
	sched->powered = false;
	sched->no_power = 0;
}

static struct bv3d_job *bv3d_hw_queue_grant(struct bv3d_sched *sched, struct bv3d_hw_queue *hwq)
{
	struct bv3d_job *job;

	lockdep_assert_held(&sched->lock);
	if (hwq->active || hwq->signalling || sched->suspended || sched->resetting)
		return NULL;
	job = sched->exclusive ?: bv3d_hw_queue_next(hwq);
	if (!job || bv3d_job_hw_queue(job) != hwq || bv3d_limit_near(sched) ||
	    !bv3d_arbiter_powered(sched))
		return NULL;
	if (!bv3d_arbiter_compatible(sched, job)) {
		sched->exclusive = job;
		return NULL;
	}
	sched->exclusive = NULL;
	list_del_init(&job->link);
	job->state = V3D_JOB_GRANTED;
	job->scrub = bv3d_scrub_for(sched, job);
	bv3d_residue_note(sched, job);
	hwq->active = job;
	if (!bv3d_job_high(job))
		hwq->virtual_time = bv3d_virtual_time(job);
	trace_bv3d_grant(job->submit->file->client_id, job->submit->seqno, job->queue);
	return job;
}

/**
 * bv3d_arbiter_enter() - a job has become ready: from here on it waits to be granted its queue
 * @sched: the queues, locked
 * @job: V3D_JOB_NEW
 *
 * Call bv3d_arbiter_grant() next.
 */
void bv3d_arbiter_enter(struct bv3d_sched *sched, struct bv3d_job *job)
{
	struct bv3d_hw_queue *hwq = bv3d_job_hw_queue(job);
	u64 *virtual_time = &job->submit->file->virtual_time[job->queue];

	lockdep_assert_held(&sched->lock);
	*virtual_time = max(*virtual_time, hwq->virtual_time);
	job->state = V3D_JOB_WAITING;
	list_add_tail(&job->link, &hwq->waiting);
	trace_bv3d_ready(job->submit->file->client_id, job->submit->seqno, job->queue);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_arbiter_enter);

/**
 * bv3d_arbiter_leave() - a job has ended: its queue is free
 * @sched: the queues, locked
 * @job: the active one of its queue
 * @busy_ns: how long the hardware had it
 *
 * Call bv3d_arbiter_grant() next.
 */
void bv3d_arbiter_leave(struct bv3d_sched *sched, struct bv3d_job *job, u64 busy_ns)
{
	struct bv3d_hw_queue *hwq = bv3d_job_hw_queue(job);
	struct bv3d_file_queues *file = job->submit->file;

	lockdep_assert_held(&sched->lock);
	file->virtual_time[job->queue] += bv3d_job_charge(job, busy_ns);
	file->busy_ns[job->queue] += busy_ns;
	hwq->finished++;
	hwq->active = NULL;
	if (sched->requests == job)
		sched->requests = NULL;
	job->state = V3D_JOB_DONE;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_arbiter_leave);

/**
 * bv3d_arbiter_grant() - give free queues to the jobs that are next
 * @sched: the queues, locked
 * @grants: filled with the fences to signal: pass it to bv3d_grants_signal() once the lock is
 * dropped
 */
void bv3d_arbiter_grant(struct bv3d_sched *sched, struct bv3d_grants *grants)
{
	unsigned int first = sched->first, i;

	lockdep_assert_held(&sched->lock);
	grants->count = 0;
	for (i = 0; i < V3D_QUEUES; i++) {
		unsigned int queue = (first + i) % V3D_QUEUES;
		struct bv3d_job *job = bv3d_hw_queue_grant(sched, &sched->queues[queue]);

		if (!job)
			continue;
		grants->fences[grants->count++] = dma_fence_get(&job->grant->base);
		sched->first = (queue + 1) % V3D_QUEUES;
	}
	bv3d_arbiter_rest(sched);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_arbiter_grant);

/**
 * bv3d_grants_signal() - tell drm_sched of queues that were granted
 * @grants: filled by bv3d_arbiter_grant()
 *
 * Without bv3d_sched.lock: callbacks of fences enter drm_sched. Any context.
 */
void bv3d_grants_signal(struct bv3d_grants *grants)
{
	unsigned int i;

	for (i = 0; i < grants->count; i++) {
		dma_fence_signal(grants->fences[i]);
		dma_fence_put(grants->fences[i]);
	}
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_grants_signal);
