// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a job waits for before it is ready: fences of BOs, of syncobjs, of its file's jobs before.
 */
#include <linux/dma-resv.h>
#include <linux/slab.h>

#include "jobs.h"

/**
 * DOC: Waits
 *
 * A job keeps a list of fences that have not signalled, of each context the latest. Once its submit
 * cannot fail any more, each gets a callback, and the last one to come makes the job ready. A
 * callback comes with its fence's lock held, from interrupts as well. So it neither starts jobs nor
 * signals anything: that is left to the thread that ends a job of ours, or else to a worker
 * (bv3d_sched_kick()). A job that waits for nothing starts in its ioctl.
 *
 * The jobs of a file wait for those before them, so they are ready one after the other on each
 * queue.
 */

/**
 * bv3d_job_wait() - the job is not ready before a fence has signalled
 * @job: not armed yet
 * @fence: a reference, the callee's from here on; NULL is nothing to wait for
 *
 * Return: 0 or -ENOMEM
 */
int bv3d_job_wait(struct bv3d_job *job, struct dma_fence *fence)
{
	struct bv3d_wait *waits;
	u32 room, i;

	if (!fence || dma_fence_is_signaled(fence)) {
		dma_fence_put(fence);
		return 0;
	}
	for (i = 0; i < job->wait_count; i++) {
		struct dma_fence *other = job->waits[i].fence;

		if (other->context != fence->context)
			continue;
		if (dma_fence_is_later(fence, other))
			swap(job->waits[i].fence, fence);
		dma_fence_put(fence);
		return 0;
	}
	if (job->wait_count == job->wait_room) {
		room = max(2 * job->wait_room, 4u);
		waits = krealloc_array(job->waits, room, sizeof(*waits), GFP_KERNEL_ACCOUNT);
		if (!waits) {
			dma_fence_put(fence);
			return -ENOMEM;
		}
		job->waits = waits;
		job->wait_room = room;
	}
	job->waits[job->wait_count++] = (struct bv3d_wait){ .fence = fence, .job = job };
	return 0;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_job_wait);

/**
 * bv3d_job_wait_for_bo() - the job is not ready before others are done with a BO
 * @job: not armed yet
 * @gem: the BO, its reservation locked
 * @write: the job writes to it, so it waits for those that read it as well
 *
 * Return: 0 or -ENOMEM
 */
int bv3d_job_wait_for_bo(struct bv3d_job *job, struct drm_gem_object *gem, bool write)
{
	struct dma_resv_iter cursor;
	struct dma_fence *fence;
	int ret = 0;

	dma_resv_assert_held(gem->resv);
	dma_resv_for_each_fence(&cursor, gem->resv, dma_resv_usage_rw(write), fence) {
		ret = bv3d_job_wait(job, dma_fence_get(fence));
		if (ret)
			break;
	}
	return ret;
}

static void bv3d_wait_over(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	struct bv3d_job *job = container_of(cb, struct bv3d_wait, cb)->job;
	struct bv3d_sched *sched = job->submit->v3d->sched;

	if (bv3d_job_met(job))
		bv3d_sched_kick(sched);
}

/**
 * bv3d_job_arm() - from here on the job looks for what it waits for
 * @job: complete; of a submit that cannot fail any more
 *
 * It is not ready before the caller says bv3d_job_met(), once.
 */
void bv3d_job_arm(struct bv3d_job *job)
{
	u32 i;

	kref_get(&job->submit->refs);
	atomic_set(&job->unmet, 1 + job->wait_count);
	for (i = 0; i < job->wait_count; i++) {
		struct bv3d_wait *wait = &job->waits[i];

		if (dma_fence_add_callback(wait->fence, &wait->cb, bv3d_wait_over))
			atomic_dec(&job->unmet);
	}
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_job_arm);

/**
 * bv3d_job_met() - one of the things that an armed job waits for is over
 * @job: it may be gone when this returns, unless the caller has its submit
 *
 * Any context, also with a fence's lock held.
 *
 * Return: true if it was the last, and the job is ready: the caller sees to it that it starts
 */
bool bv3d_job_met(struct bv3d_job *job)
{
	struct bv3d_sched *sched = job->submit->v3d->sched;
	unsigned long flags;

	if (!atomic_dec_and_test(&job->unmet))
		return false;
	spin_lock_irqsave(&sched->lock, flags);
	bv3d_arbiter_enter(sched, job);
	spin_unlock_irqrestore(&sched->lock, flags);
	return true;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_job_met);

/**
 * bv3d_waits_free() - let go of what a job has waited for
 * @job: over, or never armed
 */
void bv3d_waits_free(struct bv3d_job *job)
{
	u32 i;

	for (i = 0; i < job->wait_count; i++)
		dma_fence_put(job->waits[i].fence);
	kfree(job->waits);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_waits_free);
