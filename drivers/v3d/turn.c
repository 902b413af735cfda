// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who is next: fairness between files, and peace for those who need it.
 */
#include "jobs.h"

/**
 * DOC: Whose turn it is
 *
 * drm_sched runs the job that was submitted first, which favours whoever submits much: a file that keeps forty frames queued makes
 * everybody else wait for forty frames. So drm_sched is told that the hardware takes any number of jobs, and each job, once all its
 * fences have signalled, waits here for its turn, told by one more fence. A queue of the hardware (a lane) has one job at a time.
 *
 * Each file has a virtual time per lane, that advances by the time its jobs took there. The file that is furthest behind is next. A
 * file that comes back from a pause starts at the lane's own time, which is that of the file served last: idling saves nothing up.
 * Jobs of one file arrive here one after the other, since drm_sched keeps their order. An empty lane grants the turn on the spot,
 * without any fence being waited for.
 *
 * Some jobs do not go together. Counters count everything that the V3D does, so a job with a perfmon runs alone: neither its lane
 * nor another has anything else. And where one could see what another file's left in the QPUs' registers, they run one after the
 * other (leftovers.c).
 *
 * Once a job is next on its lane, but must not run beside what runs on others, the other lanes get no new jobs until it has its
 * turn, or it could wait for ever. What is running then finishes, whatever happens here, so nobody waits for each other in a
 * circle. Lanes are asked in turn, beginning after the one served last, so that a stream of such jobs on one lane does not keep
 * another from its work.
 */

static struct bv3d_job *bv3d_lane_next(struct bv3d_lane *lane)
{
	struct bv3d_job *job, *next = NULL;

	list_for_each_entry(job, &lane->waiting, link) {
		if (!next || job->submit->file->due[job->queue] < next->submit->file->due[job->queue])
			next = job;
	}
	return next;
}

/* Does nothing that runs on other lanes disturb the job's counting, nor the job theirs, and sees none what it must not? */
static bool bv3d_turn_peaceful(struct bv3d_sched *sched, const struct bv3d_job *job)
{
	unsigned int i;

	for (i = 0; i < V3D_QUEUES; i++) {
		const struct bv3d_job *other = sched->lanes[i].active;

		if (other && (job->submit->perfmon || other->submit->perfmon || bv3d_leftovers_apart(sched, job, other)))
			return false;
	}
	return true;
}

static struct bv3d_job *bv3d_lane_grant(struct bv3d_sched *sched, struct bv3d_lane *lane)
{
	struct bv3d_job *job;

	lockdep_assert_held(&sched->lock);
	if (lane->active)
		return NULL;
	job = sched->alone ?: bv3d_lane_next(lane);
	if (!job || bv3d_job_lane(job) != lane)
		return NULL;
	if (!bv3d_turn_peaceful(sched, job)) {
		sched->alone = job;
		return NULL;
	}
	sched->alone = NULL;
	list_del_init(&job->link);
	job->state = V3D_JOB_GRANTED;
	job->scrub = bv3d_scrub_for(sched, job);
	bv3d_leftovers_note(sched, job);
	lane->active = job;
	lane->now = job->submit->file->due[job->queue];
	return job;
}

/**
 * bv3d_turn_enter() - a job has become ready: it waits for its turn from now on
 * @sched: the queues
 * @job: V3D_JOB_NEW
 *
 * Call bv3d_turn_grant() next.
 */
void bv3d_turn_enter(struct bv3d_sched *sched, struct bv3d_job *job)
{
	struct bv3d_lane *lane = bv3d_job_lane(job);
	u64 *due = &job->submit->file->due[job->queue];

	lockdep_assert_held(&sched->lock);
	*due = max(*due, lane->now);
	job->state = V3D_JOB_WAITING;
	list_add_tail(&job->link, &lane->waiting);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_turn_enter);

/**
 * bv3d_turn_leave() - a job has ended: its lane is free
 * @sched: the queues
 * @job: the active one of its lane
 * @busy_ns: how long the hardware had it
 *
 * Call bv3d_turn_grant() next.
 */
void bv3d_turn_leave(struct bv3d_sched *sched, struct bv3d_job *job, u64 busy_ns)
{
	struct bv3d_lane *lane = bv3d_job_lane(job);
	struct bv3d_file_queues *file = job->submit->file;

	lockdep_assert_held(&sched->lock);
	file->due[job->queue] += busy_ns;
	file->busy_ns[job->queue] += busy_ns;
	lane->finished++;
	lane->active = NULL;
	if (sched->requests == job)
		sched->requests = NULL;
	job->state = V3D_JOB_DONE;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_turn_leave);

/**
 * bv3d_turn_grant() - give free lanes to those who are next
 * @sched: the queues
 * @turns: filled with the fences to signal: pass it to bv3d_turns_signal() once the lock is dropped
 */
void bv3d_turn_grant(struct bv3d_sched *sched, struct bv3d_turns *turns)
{
	unsigned int first = sched->first, i;

	lockdep_assert_held(&sched->lock);
	turns->count = 0;
	for (i = 0; i < V3D_QUEUES; i++) {
		unsigned int queue = (first + i) % V3D_QUEUES;
		struct bv3d_job *job = bv3d_lane_grant(sched, &sched->lanes[queue]);

		if (!job)
			continue;
		turns->fences[turns->count++] = dma_fence_get(&job->turn->base);
		sched->first = (queue + 1) % V3D_QUEUES;
	}
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_turn_grant);

void bv3d_turns_signal(struct bv3d_turns *turns)
{
	unsigned int i;

	for (i = 0; i < turns->count; i++) {
		dma_fence_signal(turns->fences[i]);
		dma_fence_put(turns->fences[i]);
	}
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_turns_signal);
