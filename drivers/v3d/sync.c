// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fences that tell the end of jobs, syncobjs that carry them, and the ioctls that wait.
 */
#include <linux/dma-fence-chain.h>
#include <linux/dma-resv.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <drm/drm_syncobj.h>
#include <drm/drm_utils.h>

#include "jobs.h"

/* More than it ever takes from a job's end until all that wait for its fence have been told */
#define V3D_SIGNALLING_JIFFIES HZ

static const char *bv3d_fence_driver_name(struct dma_fence *fence)
{
	return V3D_DRIVER_NAME;
}

static const char *bv3d_fence_timeline_name(struct dma_fence *fence)
{
	return "v3d";
}

static void bv3d_fence_release(struct dma_fence *fence)
{
	kfree_rcu(container_of(fence, struct bv3d_fence, base), base.rcu);
	/*
	 * We still have to return from here: module exit waits for tasks to leave
	 * (synchronize_rcu_tasks)
	 */
	module_put(THIS_MODULE);
}

static const struct dma_fence_ops bv3d_fence_ops = {
	.get_driver_name = bv3d_fence_driver_name,
	.get_timeline_name = bv3d_fence_timeline_name,
	.release = bv3d_fence_release,
};

/**
 * bv3d_fence_create() - memory for a fence
 *
 * What can fail of making one. Next comes bv3d_fence_init(), or bv3d_fence_free() when the fence is
 * not needed after all.
 * Return: NULL without memory
 */
struct bv3d_fence *bv3d_fence_create(void)
{
	struct bv3d_fence *fence = kzalloc(sizeof(*fence), GFP_KERNEL_ACCOUNT);

	if (fence)
		spin_lock_init(&fence->lock);
	return fence;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_fence_create);

/**
 * bv3d_fence_init() - the fence is one from here on: it ends by dma_fence_put()
 * @fence: just created
 * @context: fences of one context are signalled in the order of their @seqno
 * @seqno: its place in that order
 */
void bv3d_fence_init(struct bv3d_fence *fence, u64 context, u64 seqno)
{
	__module_get(THIS_MODULE);
	dma_fence_init(&fence->base, &bv3d_fence_ops, &fence->lock, context, seqno);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_fence_init);

/**
 * bv3d_fence_free() - let go of a fence, whether it has been initialized or not
 * @fence: may be NULL
 */
void bv3d_fence_free(struct bv3d_fence *fence)
{
	if (fence && fence->base.ops)
		dma_fence_put(&fence->base);
	else
		kfree(fence);
}

/**
 * bv3d_wait_for_sync() - the job does not start before the syncobj's fence is signalled
 * @job: not pushed yet
 * @file_priv: whose handle that is
 * @handle: of a syncobj
 * @point: on its timeline, 0 for a binary syncobj
 *
 * Return: 0, -ENOENT without such a syncobj, -EINVAL when it has no fence, -ENOMEM
 */
int bv3d_wait_for_sync(struct bv3d_job *job, struct drm_file *file_priv, u32 handle, u64 point)
{
	struct dma_fence *fence;
	int ret = drm_syncobj_find_fence(file_priv, handle, point, 0, &fence);

	return ret ?: drm_sched_job_add_dependency(&job->base, fence);
}

static struct drm_v3dcl_sync *bv3d_syncs_copy(u64 user, u32 count)
{
	struct drm_v3dcl_sync *syncs;

	if (count > DRM_V3DCL_MAX_SYNCS)
		return ERR_PTR(-EINVAL);
	syncs = memdup_user(u64_to_user_ptr(user), count * sizeof(*syncs));
	if (!IS_ERR(syncs) && !v3dcl_syncs_valid(syncs, count)) {
		kfree(syncs);
		return ERR_PTR(-EINVAL);
	}
	return syncs;
}

/* The job, not pushed yet, waits for each of an array of userspace's */
static int bv3d_wait_for_syncs(struct bv3d_job *job, struct drm_file *file_priv, u64 user,
			       u32 count)
{
	struct drm_v3dcl_sync *syncs;
	int ret = 0;
	u32 i;

	if (!count)
		return 0;
	syncs = bv3d_syncs_copy(user, count);
	if (IS_ERR(syncs))
		return PTR_ERR(syncs);
	for (i = 0; !ret && i < count; i++)
		ret = bv3d_wait_for_sync(job, file_priv, syncs[i].handle, syncs[i].point);
	kfree(syncs);
	return ret;
}

/* A syncobj that will be signalled */
struct bv3d_out_sync {
	struct drm_syncobj *syncobj;
	struct dma_fence_chain *chain;	/* for a point of a timeline, else NULL */
	u64 point;
};

static void bv3d_out_syncs_put(struct bv3d_out_sync *outs, u32 count)
{
	u32 i;

	for (i = 0; outs && i < count; i++) {
		dma_fence_chain_free(outs[i].chain);
		if (outs[i].syncobj)
			drm_syncobj_put(outs[i].syncobj);
	}
	kfree(outs);
}

static int bv3d_out_sync_find(struct bv3d_out_sync *out, struct drm_file *file_priv,
			      const struct drm_v3dcl_sync *sync)
{
	out->syncobj = drm_syncobj_find(file_priv, sync->handle);
	if (!out->syncobj)
		return -ENOENT;
	out->point = sync->point;
	if (!out->point)
		return 0;
	out->chain = dma_fence_chain_alloc();
	return out->chain ? 0 : -ENOMEM;
}

/*
 * Syncobjs that are to be signalled, and what that takes: after this it cannot fail. NULL for none,
 * or an ERR_PTR.
 */
static struct bv3d_out_sync *bv3d_out_syncs_get(struct drm_file *file_priv, u64 user, u32 count)
{
	struct drm_v3dcl_sync *syncs;
	struct bv3d_out_sync *outs;
	int ret = 0;
	u32 i;

	if (!count)
		return NULL;
	syncs = bv3d_syncs_copy(user, count);
	if (IS_ERR(syncs))
		return ERR_CAST(syncs);
	outs = kcalloc(count, sizeof(*outs), GFP_KERNEL);
	if (!outs)
		ret = -ENOMEM;
	for (i = 0; !ret && i < count; i++)
		ret = bv3d_out_sync_find(&outs[i], file_priv, &syncs[i]);
	kfree(syncs);
	if (ret) {
		bv3d_out_syncs_put(outs, count);
		return ERR_PTR(ret);
	}
	return outs;
}

/* The syncobjs carry this fence from here on */
static void bv3d_out_syncs_signal(struct bv3d_out_sync *outs, u32 count, struct dma_fence *fence)
{
	u32 i;

	for (i = 0; outs && i < count; i++) {
		if (outs[i].chain) {
			drm_syncobj_add_point(outs[i].syncobj, outs[i].chain, fence, outs[i].point);
			outs[i].chain = NULL;
		} else {
			drm_syncobj_replace_fence(outs[i].syncobj, fence);
		}
	}
}

static int bv3d_submit_wait_for_syncs(struct bv3d_submit *submit, struct drm_file *file_priv,
				      const struct bv3d_syncs *bin,
				      const struct bv3d_syncs *syncs)
{
	struct bv3d_job *first = submit->bin && !bin ? submit->bin : submit->last;
	int ret = 0;

	if (bin)
		ret = bv3d_wait_for_syncs(submit->bin, file_priv, bin->in, bin->in_count);
	return ret ?: bv3d_wait_for_syncs(first, file_priv, syncs->in, syncs->in_count);
}

static int bv3d_submit_push_syncs(struct bv3d_submit *submit, const struct bv3d_syncs *bin,
				  struct bv3d_out_sync *bin_outs, const struct bv3d_syncs *syncs,
				  struct bv3d_out_sync *outs)
{
	struct bv3d_ends ends;
	int ret = bv3d_submit_push(submit, &ends);

	if (ret)
		return ret;
	if (bin)
		bv3d_out_syncs_signal(bin_outs, bin->out_count, ends.bin);
	bv3d_out_syncs_signal(outs, syncs->out_count, ends.last);
	bv3d_ends_put(&ends);
	return 0;
}

/**
 * bv3d_submit_queue() - hand the submit's jobs to drm_sched, behind and before syncobjs
 * @submit: complete
 * @file_priv: whose syncobjs these are
 * @bin: of a frame's binning; NULL if that waits for what its rendering waits for
 * @syncs: of the submit, or of a frame's rendering
 * @seqno: returned
 *
 * Return: 0; -EFAULT, -EINVAL for too many syncobjs or a pad, -ENOENT, or as bv3d_submit_push(),
 * and nothing has happened
 */
int bv3d_submit_queue(struct bv3d_submit *submit, struct drm_file *file_priv,
		      const struct bv3d_syncs *bin, const struct bv3d_syncs *syncs, u64 *seqno)
{
	struct bv3d_out_sync *bin_outs = NULL, *outs;
	int ret = bv3d_submit_wait_for_syncs(submit, file_priv, bin, syncs);

	if (ret)
		return ret;
	if (bin)
		bin_outs = bv3d_out_syncs_get(file_priv, bin->out, bin->out_count);
	if (IS_ERR(bin_outs))
		return PTR_ERR(bin_outs);
	outs = bv3d_out_syncs_get(file_priv, syncs->out, syncs->out_count);
	ret = PTR_ERR_OR_ZERO(outs);
	if (!ret)
		ret = bv3d_submit_push_syncs(submit, bin, bin_outs, syncs, outs);
	if (!ret)
		*seqno = submit->seqno;
	if (!IS_ERR(outs))
		bv3d_out_syncs_put(outs, syncs->out_count);
	if (bin)
		bv3d_out_syncs_put(bin_outs, bin->out_count);
	return ret;
}

/*
 * A relative time in ns for the kernel's waiting functions. Rounded up: who asks for 1 ns wants to
 * wait.
 */
static long bv3d_timeout_jiffies(u64 ns)
{
	if (!ns)
		return 0;
	if (ns >= (u64)jiffies_to_nsecs(1) * (MAX_JIFFY_OFFSET / 2))
		return MAX_SCHEDULE_TIMEOUT;
	return nsecs_to_jiffies64(ns) + 1;
}

/*
 * What of a timeout is left to a wait that a signal interrupts and that is then restarted with the
 * same argument
 */
static void bv3d_timeout_shrink(u64 *ns, ktime_t start)
{
	u64 waited = ktime_to_ns(ktime_sub(ktime_get(), start));

	if (*ns != ~0ull)
		*ns -= min(*ns, waited);
}

static bool bv3d_seqno_reached(const atomic64_t *reached, u64 seqno)
{
	return seqno <= (u64)atomic64_read_acquire(reached);
}

static long bv3d_wait_seqno(struct bv3d_file_queues *queues, u64 seqno, long timeout)
{
	long left = 0;
	u64 newest;

	if (bv3d_seqno_reached(&queues->signalled, seqno))
		return 1;
	mutex_lock(&queues->lock);
	newest = queues->seqno;
	mutex_unlock(&queues->lock);
	if (seqno > newest)
		return 0;
	if (timeout)
		left = wait_event_interruptible_timeout(queues->wait,
							bv3d_seqno_reached(&queues->signalled,
									   seqno), timeout);
	if (left || !bv3d_seqno_reached(&queues->finished, seqno))
		return left;
	/* Its fence signals just now: a client that has seen that must not be told "not yet" */
	return wait_event_killable_timeout(queues->wait,
					   bv3d_seqno_reached(&queues->signalled, seqno),
					   V3D_SIGNALLING_JIFFIES);
}

/**
 * bv3d_wait_seqno_ioctl() - WAIT_SEQNO: wait for a submit of this file
 * @dev: the device
 * @data: &struct drm_vc4_wait_seqno
 * @file_priv: the caller's file
 *
 * Once it returns 0, all that is behind the submit's fence is ready: WAIT_BO, syncobjs. Once one of
 * these is, it returns 0, also for a poll.
 *
 * Return: 0 when it has ended, well or not; -ETIME, also for one that was never made; -ERESTARTSYS
 */
int bv3d_wait_seqno_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv)
{
	struct bv3d_file *file = file_priv->driver_priv;
	struct drm_vc4_wait_seqno *args = data;
	ktime_t start = ktime_get();
	long left = bv3d_wait_seqno(file->queues, args->seqno,
				    bv3d_timeout_jiffies(args->timeout_ns));

	if (left == -ERESTARTSYS)
		bv3d_timeout_shrink(&args->timeout_ns, start);
	return left > 0 ? 0 : left ?: -ETIME;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_wait_seqno_ioctl);

/**
 * bv3d_wait_bo_ioctl() - WAIT_BO: wait for all that uses a BO
 * @dev: the device
 * @data: &struct drm_vc4_wait_bo
 * @file_priv: the caller's file
 *
 * Also for jobs that opted out of BOs' fences, ours and those of other drivers that have the BO,
 * for which no job waits because of it.
 *
 * Return: 0 when it is idle, whatever became of the jobs; -EINVAL for a pad or an unknown handle,
 * -ETIME, -ERESTARTSYS
 */
int bv3d_wait_bo_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv)
{
	struct drm_vc4_wait_bo *args = data;
	struct drm_gem_object *gem;
	ktime_t start = ktime_get();
	long left;

	if (!v3dcl_wait_bo_valid(args))
		return -EINVAL;
	gem = drm_gem_object_lookup(file_priv, args->handle);
	if (!gem)
		return -EINVAL;
	left = dma_resv_wait_timeout(gem->resv, DMA_RESV_USAGE_BOOKKEEP, true,
				     bv3d_timeout_jiffies(args->timeout_ns));
	if (left == -ERESTARTSYS)
		bv3d_timeout_shrink(&args->timeout_ns, start);
	drm_gem_object_put(gem);
	return left > 0 ? 0 : left ?: -ETIME;
}
