// SPDX-License-Identifier: GPL-2.0-only
/*
 * A picture's way to the screen as a job of the V3D, on the render queue: made when a commit is
 * checked, pushed by the commit's worker. Each is a file of its own to the scheduler, so that it
 * can be called off, and a reset blames no client.
 *
 * A flip's event waits for it, so it has a limit, after which the processor copies: nothing waits
 * for a V3D that others keep busy, that hangs, or that does not wake up.
 */
#include <linux/dma-fence.h>

#include "jobs.h"
#include "kms.h"

#define BV3D_COPY_MS 100	/* to start and end */
#define BV3D_COPY_LOOK_MS 10	/* how often to look whether it is in vain */
#define BV3D_COPY_END_MS 20000	/* to end once started: longer than until a reset has ended it */
/* Prepared or not over yet: more only where the V3D does not come to those that were called off */
#define BV3D_COPIES 8

static struct bv3d_submit *bv3d_copy_new(struct bv3d_device *v3d)
{
	struct bv3d_file client = { .v3d = v3d };
	struct bv3d_file_queues *queues = bv3d_file_queues_create(&client);
	struct bv3d_submit *copy;

	if (!queues)
		return NULL;
	copy = bv3d_submit_new(queues);
	bv3d_file_queues_put(queues);
	return copy;
}

/* A frame buffer may go before a copy that no reset has ended: the V3D may read its BO still */
static int bv3d_copy_fill(struct bv3d_submit *copy, struct bv3d_lent *lent, struct bv3d_bo *bo)
{
	struct bv3d_job *job;
	int ret = bv3d_bo_use(bo);

	if (ret)
		return ret;
	atomic_inc(&lent->copies);
	drm_gem_object_get(&bo->base);
	copy->shown = bo;
	drm_gem_object_get(&lent->list->base);
	copy->render = lent->list;
	job = bv3d_cl_job_create(copy, V3D_RENDER, bv3d_bo_address(lent->list), 0);
	if (IS_ERR(job))
		return PTR_ERR(job);
	copy->last = job;
	return 0;
}

/**
 * bv3d_copy_release() - what a copy is from is not needed for it any more
 * @copy: that ended, or never ran
 *
 * May sleep.
 */
void bv3d_copy_release(struct bv3d_submit *copy)
{
	bv3d_bo_unuse(copy->shown);
	drm_gem_object_put(&copy->shown->base);
	atomic_dec(&copy->v3d->kms->lent.copies);
}

/**
 * bv3d_copy_prepare() - a copy to the screen: all of it that takes memory
 * @lent: whose screen; bv3d_kms.lock is held
 * @from: the picture
 * @bo: where it lies
 *
 * May sleep. Holds the module, as submits do, until it has ended or bv3d_submit_put().
 *
 * Return: for bv3d_copy_run(), or NULL where the V3D cannot copy this picture, or others wait
 */
struct bv3d_submit *bv3d_copy_prepare(struct bv3d_lent *lent, const struct bv3d_pixels *from,
				      struct bv3d_bo *bo)
{
	const struct bv3d_hidden to = bv3d_screen_hidden(lent);
	struct bv3d_submit *copy;

	if (!lent->list || !bv3d_list_can(from, &to) || atomic_read(&lent->copies) >= BV3D_COPIES)
		return NULL;
	copy = bv3d_copy_new(to_bv3d_device(bo->base.dev));
	if (!copy || !bv3d_copy_fill(copy, lent, bo))
		return copy;
	bv3d_submit_put(copy);
	return NULL;
}

/* From here on it does not start. Return: true if it has, and did not end yet */
static bool bv3d_copy_call_off(struct bv3d_submit *copy)
{
	struct bv3d_sched *sched = copy->v3d->sched;
	const struct bv3d_job *active;
	bool runs;

	rt_mutex_lock(&sched->hw);
	WRITE_ONCE(copy->file->killed, true);
	spin_lock_irq(&sched->lock);
	active = sched->queues[V3D_RENDER].active;
	runs = active && active->submit == copy && active->state != V3D_JOB_GRANTED;
	spin_unlock_irq(&sched->lock);
	rt_mutex_unlock(&sched->hw);
	return runs;
}

/*
 * Nothing that runs ends once the device is unplugged, until its queues are stopped: after all
 * commits
 */
static bool bv3d_copy_ends(struct bv3d_submit *copy, struct dma_fence *end, unsigned int ms)
{
	unsigned long limit = jiffies + msecs_to_jiffies(ms);

	while (dma_fence_wait_timeout(end, false, msecs_to_jiffies(BV3D_COPY_LOOK_MS)) <= 0)
		if (time_after(jiffies, limit) || drm_dev_is_unplugged(&copy->v3d->drm))
			return false;
	return true;
}

/*
 * What was called off never touches the list again. What has started ends, by itself or by a reset;
 * else the list is the V3D's for good, which may store the same picture that the processor does.
 */
static int bv3d_copy_wait(struct bv3d_lent *lent, struct bv3d_submit *copy, struct dma_fence *end)
{
	if (!bv3d_copy_ends(copy, end, BV3D_COPY_MS) && bv3d_copy_call_off(copy) &&
	    !bv3d_copy_ends(copy, end, BV3D_COPY_END_MS)) {
		bv3d_copy_fini(lent);
		lent->storing = copy->v3d;
		return -ETIME;
	}
	/* Known before the fence signals */
	if (READ_ONCE(copy->lost))
		lent->storing = copy->v3d;
	return dma_fence_is_signaled(end) ? min(dma_fence_get_status(end), 0) : -ETIME;
}

/**
 * bv3d_copy_run() - copy to the hidden screen, now
 * @lent: whose screen; bv3d_kms.lock is held
 * @copy: of bv3d_copy_prepare()
 * @from: the picture, whose fences have signalled
 * @area: which part, in pixels of the screen, within it
 *
 * Waits for its end, no longer than that takes, but allocates nothing.
 *
 * Return: 0; an error where it did not come to that, and then the V3D does not change what the
 * processor copies
 */
int bv3d_copy_run(struct bv3d_lent *lent, struct bv3d_submit *copy, const struct bv3d_pixels *from,
		  const struct drm_rect *area)
{
	const struct bv3d_hidden to = bv3d_screen_hidden(lent);
	struct bv3d_ends ends;
	int ret;

	/* What the copy before ran may be read still */
	if (READ_ONCE(copy->v3d->sched->wedged))
		return -EIO;
	if (copy->render != lent->list || !bv3d_list_can(from, &to))
		return -EINVAL;
	copy->last->end = copy->last->start + bv3d_list_write(lent->list->vaddr, from, &to, area);
	ret = bv3d_submit_push(copy, &ends);
	if (ret)
		return ret;
	ret = bv3d_copy_wait(lent, copy, ends.last);
	bv3d_ends_put(&ends);
	return ret;
}

/**
 * bv3d_copy_may_store() - may a wedged V3D still store what it was to copy?
 * @lent: whose screens; bv3d_kms.lock is held, and nothing copies
 *
 * Return: true if it may, at any time
 */
bool bv3d_copy_may_store(const struct bv3d_lent *lent)
{
	return lent->storing && READ_ONCE(lent->storing->sched->wedged);
}

/**
 * bv3d_copy_init() - the V3D can copy to this screen, if it can reach it
 * @lent: whose
 * @v3d: the device
 *
 * bv3d_copy_fini() ends it. Without memory for a list it cannot.
 */
void bv3d_copy_init(struct bv3d_lent *lent, struct bv3d_device *v3d)
{
	u32 size = bv3d_list_size(lent->ours.width, lent->ours.height);

	if (!lent->address)
		return;
	lent->list = bv3d_bo_create(v3d, size, V3D_BO_DRIVER, "screen copies");
	if (IS_ERR(lent->list))
		lent->list = NULL;
}

/**
 * bv3d_copy_fini() - the V3D does not copy to this screen any more
 * @lent: whose; nothing copies, or never ends
 */
void bv3d_copy_fini(struct bv3d_lent *lent)
{
	if (lent->list)
		drm_gem_object_put(&lent->list->base);
	lent->list = NULL;
}
