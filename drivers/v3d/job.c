// SPDX-License-Identifier: GPL-2.0-only
/*
 * A submit: what it holds while its jobs wait and run, how the jobs take their places behind
 * others, and how all is let go.
 */
#include <linux/bsearch.h>
#include <linux/dma-resv.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "jobs.h"
#include "submit.h"
#include "trace.h"

static void bv3d_file_queues_free(struct bv3d_file_queues *queues)
{
	struct drm_device *drm = &queues->v3d->drm;
	unsigned int i;

	for (i = 0; i < V3D_QUEUES; i++)
		dma_fence_put(queues->tails[i]);
	dma_fence_put(queues->last);
	mutex_destroy(&queues->lock);
	kfree(queues);
	drm_dev_put(drm);
	module_put(THIS_MODULE);	/* and return: see bv3d_fence_release() */
}

static void bv3d_file_queues_free_now(struct kref *refs)
{
	bv3d_file_queues_free(container_of(refs, struct bv3d_file_queues, refs));
}

/**
 * bv3d_file_queues_put() - ends a reference
 * @queues: a file's
 *
 * Process context; may sleep.
 */
void bv3d_file_queues_put(struct bv3d_file_queues *queues)
{
	kref_put(&queues->refs, bv3d_file_queues_free_now);
}

/**
 * bv3d_file_queues_create() - a file's place in the queues
 * @file: just opened
 *
 * Return: one reference, which bv3d_file_queues_put() ends, or NULL without memory
 */
struct bv3d_file_queues *bv3d_file_queues_create(struct bv3d_file *file)
{
	struct bv3d_device *v3d = file->v3d;
	struct bv3d_file_queues *queues = kzalloc(sizeof(*queues), GFP_KERNEL);

	if (!queues)
		return NULL;
	__module_get(THIS_MODULE);
	drm_dev_get(&v3d->drm);
	kref_init(&queues->refs);
	queues->v3d = v3d;
	queues->client_id = file->client_id;
	init_waitqueue_head(&queues->wait);
	mutex_init(&queues->lock);
	queues->context = dma_fence_context_alloc(1);
	queues->bin_context = dma_fence_context_alloc(1);
	return queues;
}

static void bv3d_submit_release_bos(struct bv3d_submit *submit)
{
	u32 i;

	for (i = 0; i < submit->bos_in_use; i++)
		bv3d_bo_unuse(to_bv3d_bo(submit->bos[i]));
	for (i = 0; i < submit->bo_count; i++)
		drm_gem_object_put(submit->bos[i]);
	if (submit->exec)
		drm_gem_object_put(&submit->exec->base);
	if (submit->render)
		drm_gem_object_put(&submit->render->base);
	kvfree(submit->uses);
}

static void bv3d_submit_free_jobs(struct bv3d_submit *submit)
{
	unsigned int i;

	for (i = 0; i < submit->job_count; i++) {
		bv3d_waits_free(&submit->jobs[i]);
		dma_fence_put(submit->jobs[i].after);
		bv3d_fence_free(submit->jobs[i].done);
	}
}

/**
 * bv3d_submit_free() - a submit's memory goes back
 * @submit: that nothing refers to; not counted any more
 *
 * May sleep.
 */
void bv3d_submit_free(struct bv3d_submit *submit)
{
	struct bv3d_file_queues *file = submit->file;

	bv3d_submit_free_jobs(submit);
	bv3d_submit_release_bos(submit);
	bv3d_binmem_release(submit);
	bv3d_perfmon_put(submit->perfmon);
	if (submit->qpu)
		kvfree(submit->qpu->batch.runs);
	kfree(submit->qpu);
	kfree(submit);
	bv3d_file_queues_put(file);
}

static void bv3d_submit_release(struct bv3d_submit *submit)
{
	struct bv3d_file_queues *file = submit->file;

	kref_get(&file->refs);
	if (!bv3d_reset_keep(submit))
		bv3d_submit_free(submit);
	if (atomic_dec_and_test(&file->submits))
		wake_up_all(&file->wait);
	bv3d_file_queues_put(file);
}

static void bv3d_submit_release_work(struct work_struct *work)
{
	bv3d_submit_release(container_of(work, struct bv3d_submit, release));
}

static void bv3d_submit_release_now(struct kref *refs)
{
	bv3d_submit_release(container_of(refs, struct bv3d_submit, refs));
}

/* Freeing memory sleeps and takes locks, which a thread that runs jobs cannot wait for */
static void bv3d_submit_release_later(struct kref *refs)
{
	queue_work(system_wq, &container_of(refs, struct bv3d_submit, refs)->release);
}

/**
 * bv3d_submit_create() - the beginning of a submit
 * @dev: the device
 * @file_priv: who submits
 *
 * The V3D is awake until then, so that what need not wait starts at once; and what would keep it
 * from waking up is known here, not when fences wait for it.
 *
 * Return: one reference, which bv3d_submit_put() ends, or an ERR_PTR: -ENOMEM, -EIO when the V3D is
 * wedged, as bv3d_power_get()
 */
struct bv3d_submit *bv3d_submit_create(struct drm_device *dev, struct drm_file *file_priv)
{
	struct bv3d_device *v3d = to_bv3d_device(dev);
	struct bv3d_file *file = file_priv->driver_priv;
	struct bv3d_submit *submit;
	int ret;

	if (READ_ONCE(v3d->sched->wedged) && !bv3d_reset_retry(v3d))
		return ERR_PTR(-EIO);
	submit = kzalloc(sizeof(*submit), GFP_KERNEL_ACCOUNT);
	if (!submit)
		return ERR_PTR(-ENOMEM);
	kref_init(&submit->refs);
	submit->v3d = v3d;
	submit->file = file->queues;
	kref_get(&submit->file->refs);
	atomic_inc(&submit->file->submits);
	INIT_WORK(&submit->release, bv3d_submit_release_work);
	INIT_LIST_HEAD(&submit->chunks);
	ret = bv3d_power_get(v3d);
	if (ret) {
		bv3d_submit_put(submit);
		return ERR_PTR(ret);
	}
	submit->powered = true;
	return submit;
}

/**
 * bv3d_submit_put() - the ioctl is done with a submit: one that was not pushed goes, and what it
 * held
 * @submit: pushed or not
 *
 * May sleep.
 */
void bv3d_submit_put(struct bv3d_submit *submit)
{
	if (submit->powered)
		bv3d_power_put(submit->v3d);
	kref_put(&submit->refs, bv3d_submit_release_now);
}

/**
 * bv3d_submit_let_go() - ends a reference of a thread that still looks at what its jobs have left
 * @submit: not the ioctl's any more
 *
 * May sleep.
 */
void bv3d_submit_let_go(struct bv3d_submit *submit)
{
	kref_put(&submit->refs, bv3d_submit_release_now);
}

static int bv3d_compare_bos(const void *a, const void *b)
{
	const struct drm_gem_object *const *left = a, *const *right = b;

	return *left < *right ? -1 : *left > *right;
}

static int bv3d_submit_find_bos(struct bv3d_submit *submit, struct drm_file *file_priv,
				const u32 *handles)
{
	for (; submit->bo_count < submit->handle_count; submit->bo_count++) {
		struct drm_gem_object *gem = drm_gem_object_lookup(file_priv,
								   handles[submit->bo_count]);
		struct v3dcl_bo *use = &submit->uses[submit->bo_count];

		if (!gem)
			return -EINVAL;
		use->address = bv3d_bo_address(to_bv3d_bo(gem));
		use->size = gem->size;
		use->shader = to_bv3d_bo(gem)->shader;
		use->program = to_bv3d_bo(gem)->program;
		submit->handles[submit->bo_count] = gem;
		submit->bos[submit->bo_count] = gem;
	}
	return 0;
}

/* Each BO once: reservations are locked once, and each lists what the job does in all */
static void bv3d_submit_unique_bos(struct bv3d_submit *submit)
{
	struct drm_gem_object **bos = submit->bos;
	u32 i, count = 0;

	sort(bos, submit->bo_count, sizeof(*bos), bv3d_compare_bos, NULL);
	for (i = 0; i < submit->bo_count; i++) {
		if (count && bos[count - 1] == bos[i])
			drm_gem_object_put(bos[i]);
		else
			bos[count++] = bos[i];
	}
	submit->bo_count = count;
}

/**
 * bv3d_submit_bos() - look up the submit's BOs and keep their contents from being purged
 * @submit: without BOs yet
 * @file_priv: whose handles these are
 * @handles: in the order in which the job names them; repetitions are fine
 * @count: of @handles
 *
 * Fills &bv3d_submit.uses, in that order.
 *
 * Return: 0, -EINVAL for an unknown handle or a BO that was madvised away, -ENOMEM
 */
int bv3d_submit_bos(struct bv3d_submit *submit, struct drm_file *file_priv, const u32 *handles,
		    u32 count)
{
	const size_t each = 2 * sizeof(*submit->bos) + sizeof(*submit->uses) +
			    sizeof(*submit->bo_uses);
	int ret;

	/* One piece of memory for all four, the ones with the widest members first */
	submit->uses = kvcalloc(count, each, GFP_KERNEL_ACCOUNT);
	if (count && !submit->uses)
		return -ENOMEM;
	submit->bos = (void *)(submit->uses + count);
	submit->handles = submit->bos + count;
	submit->bo_uses = (void *)(submit->handles + count);
	submit->handle_count = count;
	ret = bv3d_submit_find_bos(submit, file_priv, handles);
	if (ret)
		return ret;
	bv3d_submit_unique_bos(submit);
	for (; submit->bos_in_use < submit->bo_count; submit->bos_in_use++) {
		ret = bv3d_bo_use(to_bv3d_bo(submit->bos[submit->bos_in_use]));
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * bv3d_submit_perfmon() - count while the submit's jobs run
 * @submit: not pushed yet
 * @file: whose perfmon that is
 * @id: 0 for no perfmon
 *
 * Return: 0 or -ENOENT
 */
int bv3d_submit_perfmon(struct bv3d_submit *submit, struct bv3d_file *file, u32 id)
{
	if (!id)
		return 0;
	submit->perfmon = bv3d_perfmon_get(file, id);
	return submit->perfmon ? 0 : -ENOENT;
}

/**
 * bv3d_job_create() - a job of the submit, without anything to wait for yet
 * @submit: not pushed yet, with fewer than V3D_SUBMIT_JOBS
 * @queue: to run on
 *
 * Return: the job, which lives as long as @submit, or an ERR_PTR: -ENOMEM
 */
struct bv3d_job *bv3d_job_create(struct bv3d_submit *submit, enum bv3d_queue queue)
{
	struct bv3d_job *job = &submit->jobs[submit->job_count];

	job->done = bv3d_fence_create();
	if (!job->done)
		return ERR_PTR(-ENOMEM);
	job->submit = submit;
	job->queue = queue;
	INIT_LIST_HEAD(&job->link);
	submit->job_count++;
	return job;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_job_create);

/**
 * bv3d_job_let_go() - an armed job has ended
 * @job: gone when this returns, unless the caller has its submit
 *
 * Never waits: the rest is left to a worker when this was the submit's last reference. Any context.
 */
void bv3d_job_let_go(struct bv3d_job *job)
{
	kref_put(&job->submit->refs, bv3d_submit_release_later);
}

/* What all the handles of one BO ask of it */
static void bv3d_submit_sum_uses(struct bv3d_submit *submit)
{
	u32 i;

	for (i = 0; i < submit->handle_count; i++) {
		struct drm_gem_object **found = bsearch(&submit->handles[i], submit->bos,
							submit->bo_count, sizeof(*submit->bos),
							bv3d_compare_bos);

		submit->bo_uses[found - submit->bos] |= submit->uses[i].uses;
	}
}

/* Run again, does it give the same? Binning of checked lists; what reads nothing that it writes. */
static bool bv3d_submit_repeatable(const struct bv3d_submit *submit)
{
	u32 i;

	for (i = 0; i < submit->bo_count; i++) {
		if (submit->bo_uses[i] & V3DCL_READ && submit->bo_uses[i] & V3DCL_WRITE)
			return false;
	}
	return true;
}

/*
 * Wait for what others do with the BOs, unless told not to, and make room for our fence in their
 * reservations, which are locked
 */
static int bv3d_submit_wait_for_bos(struct bv3d_submit *submit)
{
	int ret = 0;
	u32 i;

	for (i = 0; !ret && i < submit->bo_count; i++) {
		const struct v3dcl_bo_fences fences = v3dcl_bo_fences(submit->bo_uses[i],
								      submit->lists);
		struct drm_gem_object *gem = submit->bos[i];

		if (!fences.fenced)
			continue;
		ret = dma_resv_reserve_fences(gem->resv, 1);
		if (submit->explicit)
			continue;
		if (!ret && submit->bin && fences.binning_waits)
			ret = bv3d_job_wait_for_bo(submit->bin, gem, fences.binning_writes);
		if (!ret && fences.waits)
			ret = bv3d_job_wait_for_bo(submit->last, gem, fences.writes);
	}
	return ret;
}

/* Who waits for this BO because of our fence? */
static enum dma_resv_usage bv3d_submit_usage(const struct bv3d_submit *submit, bool writes)
{
	return submit->explicit ? DMA_RESV_USAGE_BOOKKEEP : dma_resv_usage_rw(!writes);
}

static void bv3d_submit_fence_bos(struct bv3d_submit *submit, struct dma_fence *end)
{
	u32 i;

	for (i = 0; i < submit->bo_count; i++) {
		const struct v3dcl_bo_fences fences = v3dcl_bo_fences(submit->bo_uses[i],
								      submit->lists);

		if (fences.fenced)
			dma_resv_add_fence(submit->bos[i]->resv, end,
					   bv3d_submit_usage(submit, fences.writes));
	}
}

/* The job waits for its file's last one on the same queue */
static int bv3d_job_follow(struct bv3d_job *job)
{
	return bv3d_job_wait(job, dma_fence_get(job->submit->file->tails[job->queue]));
}

/*
 * The submit's place among those of its file: its fences, and what it waits for. Submits of a file
 * end in order, and so do its jobs on each queue.
 */
static int bv3d_submit_order(struct bv3d_submit *submit)
{
	struct bv3d_file_queues *file = submit->file;
	struct bv3d_job *bin = submit->bin, *last = submit->last;
	int ret;

	lockdep_assert_held(&file->lock);
	submit->seqno = file->seqno + 1;
	bv3d_fence_init(last->done, file->context, submit->seqno);
	ret = bv3d_job_wait(last, dma_fence_get(file->last));
	if (!ret)
		ret = bv3d_job_follow(last);
	if (ret || !bin)
		return ret;
	bv3d_fence_init(bin->done, file->bin_context, submit->seqno);
	last->after = dma_fence_get(&bin->done->base);
	ret = bv3d_job_wait(last, dma_fence_get(last->after));
	return ret ?: bv3d_job_follow(bin);
}

/* The job is the last one of its queue, as far as its file goes, and looks for what it waits for */
static void bv3d_job_commit(struct bv3d_job *job, bool repeatable)
{
	struct bv3d_file_queues *file = job->submit->file;

	lockdep_assert_held(&file->lock);
	job->repeatable = repeatable;
	bv3d_residue_mark(job);
	dma_fence_put(file->tails[job->queue]);
	file->tails[job->queue] = dma_fence_get(&job->done->base);
	bv3d_job_arm(job);
}

static void bv3d_submit_commit(struct bv3d_submit *submit, struct dma_fence *end)
{
	struct bv3d_file_queues *file = submit->file;

	lockdep_assert_held(&file->lock);
	file->seqno = submit->seqno;
	dma_fence_put(file->last);
	file->last = dma_fence_get(end);
	trace_bv3d_submit(file->client_id, submit->seqno, submit->last->queue);
	if (submit->bin)
		bv3d_job_commit(submit->bin, !submit->lists);
	bv3d_job_commit(submit->last, bv3d_submit_repeatable(submit));
	if (submit->lists)
		v3dcl_place_addresses(submit->lists);
	bv3d_submit_fence_bos(submit, end);
	submit->lists = NULL;
}

/* Everything but the start of what need not wait */
static int bv3d_submit_place(struct bv3d_submit *submit, struct dma_fence **end)
{
	struct ww_acquire_ctx acquire;
	int ret;

	bv3d_submit_sum_uses(submit);
	ret = drm_gem_lock_reservations(submit->bos, submit->bo_count, &acquire);
	if (ret)
		return ret;
	ret = bv3d_submit_wait_for_bos(submit);
	if (ret)
		goto unlock;
	mutex_lock(&submit->file->lock);
	ret = bv3d_submit_order(submit);
	if (!ret) {
		*end = dma_fence_get(&submit->last->done->base);
		bv3d_submit_commit(submit, *end);
	}
	mutex_unlock(&submit->file->lock);
unlock:
	drm_gem_unlock_reservations(submit->bos, submit->bo_count, &acquire);
	return ret;
}

/**
 * bv3d_submit_push() - hand the submit's jobs to the queues
 * @submit: complete; only its seqno is of use afterwards
 * @end: returned: the fence of its end, a reference of the caller's
 *
 * What need not wait has started when this returns.
 *
 * Return: 0, or an error and nothing has happened: -ENOMEM, -EINTR
 */
int bv3d_submit_push(struct bv3d_submit *submit, struct dma_fence **end)
{
	int ret = bv3d_submit_place(submit, end);
	bool ready;

	if (ret)
		return ret;
	ready = submit->bin && bv3d_job_met(submit->bin);
	ready |= bv3d_job_met(submit->last);
	if (ready)
		bv3d_sched_go(submit->v3d->sched);
	return 0;
}
