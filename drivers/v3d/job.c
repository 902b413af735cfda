// SPDX-License-Identifier: GPL-2.0-only
/*
 * A submit: what it holds while its jobs wait and run, how the jobs are handed to drm_sched, and
 * how all is let go.
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
	bool holds_module = atomic_read(&queues->holds_module);
	unsigned int i;

	/* No job is left, so none of these waits for anything */
	for (i = 0; i < V3D_QUEUES; i++)
		drm_sched_entity_fini(&queues->entities[i]);
	dma_fence_put(queues->last);
	mutex_destroy(&queues->lock);
	kfree(queues);
	drm_dev_put(drm);
	if (holds_module)
		module_put(THIS_MODULE);	/* and return: see bv3d_fence_release() */
}

static void bv3d_file_queues_free_work(struct work_struct *work)
{
	bv3d_file_queues_free(container_of(work, struct bv3d_file_queues, free));
}

static void bv3d_file_queues_free_now(struct kref *refs)
{
	bv3d_file_queues_free(container_of(refs, struct bv3d_file_queues, refs));
}

static void bv3d_file_queues_free_later(struct kref *refs)
{
	queue_work(system_unbound_wq, &container_of(refs, struct bv3d_file_queues, refs)->free);
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
 * bv3d_file_queues_put_in_irq() - ends a reference
 * @queues: a file's
 *
 * Any context: the last one is left to a worker.
 */
void bv3d_file_queues_put_in_irq(struct bv3d_file_queues *queues)
{
	kref_put(&queues->refs, bv3d_file_queues_free_later);
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
	unsigned int i;

	if (!queues)
		return NULL;
	drm_dev_get(&v3d->drm);
	kref_init(&queues->refs);
	queues->v3d = v3d;
	queues->client_id = file->client_id;
	init_waitqueue_head(&queues->wait);
	INIT_WORK(&queues->free, bv3d_file_queues_free_work);
	mutex_init(&queues->lock);
	queues->context = dma_fence_context_alloc(1);
	queues->bin_context = dma_fence_context_alloc(1);
	for (i = 0; i < V3D_QUEUES; i++) {
		struct drm_gpu_scheduler *scheduler = &v3d->sched->queues[i].base;

		/* Fails for wrong arguments only, and leaves nothing behind */
		if (drm_sched_entity_init(&queues->entities[i], DRM_SCHED_PRIORITY_NORMAL,
					  &scheduler, 1, NULL)) {
			bv3d_file_queues_put(queues);
			return NULL;
		}
	}
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
	if (submit->shown)
		bv3d_copy_release(submit);
	kvfree(submit->bos);
	kvfree(submit->handles);
	kvfree(submit->uses);
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
 * bv3d_submit_new() - a submit that holds nothing yet
 * @file: whose
 *
 * Return: one reference, which bv3d_submit_put() ends, or NULL without memory
 */
struct bv3d_submit *bv3d_submit_new(struct bv3d_file_queues *file)
{
	struct bv3d_submit *submit = kzalloc(sizeof(*submit), GFP_KERNEL_ACCOUNT);

	if (!submit)
		return NULL;
	kref_init(&submit->refs);
	submit->v3d = file->v3d;
	submit->file = file;
	kref_get(&file->refs);
	if (!atomic_xchg(&file->holds_module, 1))
		__module_get(THIS_MODULE);
	atomic_inc(&file->submits);
	INIT_WORK(&submit->release, bv3d_submit_release_work);
	INIT_LIST_HEAD(&submit->chunks);
	return submit;
}

/**
 * bv3d_submit_create() - the beginning of a submit
 * @dev: the device
 * @file_priv: who submits
 *
 * The V3D is awake until then, so that what need not wait starts at once; and what would keep it
 * from waking up is known here, not when fences wait for it.
 *
 * Return: one reference, which bv3d_submit_put() ends, or an ERR_PTR: -ENOMEM, -EBUSY when too many
 * of the file's jobs hung, -EIO when the V3D is wedged, as bv3d_power_get()
 */
struct bv3d_submit *bv3d_submit_create(struct drm_device *dev, struct drm_file *file_priv)
{
	struct bv3d_device *v3d = to_bv3d_device(dev);
	struct bv3d_file *file = file_priv->driver_priv;
	struct bv3d_submit *submit;
	int ret;

	if (bv3d_sched_refused_ns(file))
		return ERR_PTR(-EBUSY);
	if (READ_ONCE(v3d->sched->wedged) && !bv3d_reset_retry(v3d))
		return ERR_PTR(-EIO);
	submit = bv3d_submit_new(file->queues);
	if (!submit)
		return ERR_PTR(-ENOMEM);
	ret = bv3d_power_get(v3d);
	if (ret) {
		bv3d_submit_put(submit);
		/* EBUSY says that too many jobs hung, and nothing else */
		return ERR_PTR(ret == -EBUSY ? -EIO : ret);
	}
	submit->powered = true;
	return submit;
}

/**
 * bv3d_submit_put() - the ioctl is done with a submit: jobs that were not pushed go, and what they
 * held
 * @submit: pushed or not
 *
 * May sleep.
 */
void bv3d_submit_put(struct bv3d_submit *submit)
{
	if (submit->powered)
		bv3d_power_put(submit->v3d);
	bv3d_job_free(submit->bin);
	bv3d_job_free(submit->last);
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
		if (to_bv3d_bo(gem)->kind == V3D_BO_FOREIGN) {
			drm_gem_object_put(gem);
			return -EINVAL;
		}
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
 * Return: 0, -EINVAL for an unknown handle, a BO that was madvised away or one that the V3D cannot
 * reach, -ENOMEM
 */
int bv3d_submit_bos(struct bv3d_submit *submit, struct drm_file *file_priv, const u32 *handles,
		    u32 count)
{
	int ret;

	submit->bos = kvcalloc(count, sizeof(*submit->bos), GFP_KERNEL_ACCOUNT);
	submit->handles = kvcalloc(count, sizeof(*submit->handles), GFP_KERNEL_ACCOUNT);
	submit->uses = kvcalloc(count, sizeof(*submit->uses), GFP_KERNEL_ACCOUNT);
	if (count && (!submit->bos || !submit->handles || !submit->uses))
		return -ENOMEM;
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
 * @submit: not pushed yet
 * @queue: to run on
 *
 * Return: the job, which bv3d_job_free() ends until it is pushed, or an ERR_PTR: -ENOMEM
 */
struct bv3d_job *bv3d_job_create(struct bv3d_submit *submit, enum bv3d_queue queue)
{
	struct bv3d_job *job = kzalloc(sizeof(*job), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!job)
		return ERR_PTR(-ENOMEM);
	job->done = bv3d_fence_create();
	job->grant = bv3d_fence_create();
	ret = job->done && job->grant ?
		      bv3d_sched_job_init(&job->base, &submit->file->entities[queue],
					  submit->file->client_id) :
		      -ENOMEM;
	if (ret) {
		bv3d_fence_free(job->done);
		bv3d_fence_free(job->grant);
		kfree(job);
		return ERR_PTR(ret);
	}
	kref_get(&submit->refs);
	job->submit = submit;
	job->queue = queue;
	INIT_LIST_HEAD(&job->link);
	return job;
}

/**
 * bv3d_job_free() - let go of a job that never was or no longer is drm_sched's
 * @job: ended, or never pushed, or NULL
 *
 * Never waits: the rest is left to a worker when this was the submit's last reference.
 */
void bv3d_job_free(struct bv3d_job *job)
{
	if (!job)
		return;
	drm_sched_job_cleanup(&job->base);
	dma_fence_put(job->after);
	bv3d_fence_free(job->done);
	bv3d_fence_free(job->grant);
	kref_put(&job->submit->refs, bv3d_submit_release_later);
	kfree(job);
}

/* What all the handles of one BO ask of it */
static u32 *bv3d_submit_bo_uses(struct bv3d_submit *submit)
{
	u32 *uses = kvcalloc(submit->bo_count, sizeof(*uses), GFP_KERNEL);
	u32 i;

	for (i = 0; uses && i < submit->handle_count; i++) {
		struct drm_gem_object **found = bsearch(&submit->handles[i], submit->bos,
							submit->bo_count, sizeof(*submit->bos),
							bv3d_compare_bos);

		uses[found - submit->bos] |= submit->uses[i].uses;
	}
	return uses;
}

/* Run again, does it give the same? Binning of checked lists; what reads nothing that it writes. */
static bool bv3d_submit_repeatable(const struct bv3d_submit *submit, const u32 *uses)
{
	u32 i;

	for (i = 0; i < submit->bo_count; i++) {
		if (uses[i] & V3DCL_READ && uses[i] & V3DCL_WRITE)
			return false;
	}
	return true;
}

/* What moves or clears the memory itself, which no job may do without */
static int bv3d_submit_wait_for_memory(struct bv3d_submit *submit, struct drm_gem_object *gem)
{
	struct bv3d_job *first = submit->bin ?: submit->last;
	struct dma_resv_iter cursor;
	struct dma_fence *fence;
	int ret = 0;

	dma_resv_for_each_fence(&cursor, gem->resv, DMA_RESV_USAGE_KERNEL, fence) {
		ret = drm_sched_job_add_dependency(&first->base, dma_fence_get(fence));
		if (ret)
			break;
	}
	return ret;
}

static int bv3d_submit_wait_for_bo(struct bv3d_submit *submit, struct drm_gem_object *gem,
				   const struct v3dcl_bo_fences *fences)
{
	int ret = 0;

	if (submit->explicit)
		return bv3d_submit_wait_for_memory(submit, gem);
	if (submit->bin && fences->binning_waits)
		ret = drm_sched_job_add_implicit_dependencies(&submit->bin->base, gem,
							      fences->binning_writes);
	if (!ret && fences->waits)
		ret = drm_sched_job_add_implicit_dependencies(&submit->last->base, gem,
							      fences->writes);
	return ret;
}

/*
 * Wait for what others do with the BOs, unless told not to, and make room for our fence in their
 * reservations, which are locked
 */
static int bv3d_submit_wait_for_bos(struct bv3d_submit *submit, const u32 *uses)
{
	int ret = 0;
	u32 i;

	for (i = 0; !ret && i < submit->bo_count; i++) {
		const struct v3dcl_bo_fences fences = v3dcl_bo_fences(uses[i], submit->lists);
		struct drm_gem_object *gem = submit->bos[i];

		if (!fences.fenced)
			continue;
		ret = dma_resv_reserve_fences(gem->resv, 1);
		if (!ret)
			ret = bv3d_submit_wait_for_bo(submit, gem, &fences);
	}
	return ret;
}

/* Who waits for this BO because of our fence? */
static enum dma_resv_usage bv3d_submit_usage(const struct bv3d_submit *submit, bool writes)
{
	return submit->explicit ? DMA_RESV_USAGE_BOOKKEEP : dma_resv_usage_rw(!writes);
}

static void bv3d_submit_fence_bos(struct bv3d_submit *submit, const u32 *uses,
				  struct dma_fence *end)
{
	u32 i;

	for (i = 0; i < submit->bo_count; i++) {
		const struct v3dcl_bo_fences fences = v3dcl_bo_fences(uses[i], submit->lists);

		if (fences.fenced)
			dma_resv_add_fence(submit->bos[i]->resv, end,
					   bv3d_submit_usage(submit, fences.writes));
	}
}

/*
 * The submit's place among those of its file: its fences, and what it waits for. Submits of a file
 * end in order: on one queue because drm_sched keeps it, from queue to queue because the later
 * waits for the earlier.
 */
static int bv3d_submit_order(struct bv3d_submit *submit)
{
	struct bv3d_file_queues *file = submit->file;
	struct bv3d_job *bin = submit->bin, *last = submit->last;
	int ret = 0;

	lockdep_assert_held(&file->lock);
	submit->seqno = file->seqno + 1;
	bv3d_fence_init(last->done, file->context, submit->seqno);
	bv3d_fence_init(last->grant, dma_fence_context_alloc(1), 1);
	if (file->last && file->last_queue != last->queue)
		ret = drm_sched_job_add_dependency(&last->base, dma_fence_get(file->last));
	if (ret || !bin)
		return ret;
	bv3d_fence_init(bin->done, file->bin_context, submit->seqno);
	bv3d_fence_init(bin->grant, dma_fence_context_alloc(1), 1);
	last->after = dma_fence_get(&bin->done->base);
	return drm_sched_job_add_dependency(&last->base, dma_fence_get(last->after));
}

/* References, since jobs that were pushed can be gone at any moment */
static struct bv3d_ends bv3d_submit_ends(const struct bv3d_submit *submit)
{
	return (struct bv3d_ends){
		.bin = submit->bin ? dma_fence_get(&submit->bin->done->base) : NULL,
		.last = dma_fence_get(&submit->last->done->base),
	};
}

/**
 * bv3d_ends_put() - ends what bv3d_submit_push() has returned
 * @ends: of a submit
 */
void bv3d_ends_put(const struct bv3d_ends *ends)
{
	dma_fence_put(ends->bin);
	dma_fence_put(ends->last);
}

static void bv3d_submit_commit(struct bv3d_submit *submit, const u32 *uses, struct dma_fence *end)
{
	struct bv3d_file_queues *file = submit->file;
	struct bv3d_job *bin = submit->bin, *last = submit->last;

	lockdep_assert_held(&file->lock);
	file->seqno = submit->seqno;
	dma_fence_put(file->last);
	file->last = dma_fence_get(end);
	file->last_queue = last->queue;
	last->repeatable = bv3d_submit_repeatable(submit, uses);
	bv3d_residue_mark(last);
	if (bin) {
		bin->repeatable = !submit->lists;
		bv3d_residue_mark(bin);
	}
	if (submit->lists)
		v3dcl_place_addresses(submit->lists);
	submit->lists = NULL;
	/* Once pushed, a job can be gone at any moment */
	submit->bin = NULL;
	submit->last = NULL;
	if (bin)
		drm_sched_job_arm(&bin->base);
	drm_sched_job_arm(&last->base);
	bv3d_submit_fence_bos(submit, uses, end);
	trace_bv3d_submit(file->client_id, submit->seqno, last->queue);
	if (bin)
		drm_sched_entity_push_job(&bin->base);
	drm_sched_entity_push_job(&last->base);
}

/**
 * bv3d_submit_push() - hand the submit's jobs to drm_sched
 * @submit: complete; only its seqno is of use afterwards
 * @ends: returned: bv3d_ends_put() ends it
 *
 * Return: 0, or an error and nothing has happened: -ENOMEM, -EINTR
 */
int bv3d_submit_push(struct bv3d_submit *submit, struct bv3d_ends *ends)
{
	struct ww_acquire_ctx acquire;
	u32 *uses = bv3d_submit_bo_uses(submit);
	int ret;

	if (!uses)
		return -ENOMEM;
	ret = drm_gem_lock_reservations(submit->bos, submit->bo_count, &acquire);
	if (ret)
		goto free;
	ret = bv3d_submit_wait_for_bos(submit, uses);
	if (ret)
		goto unlock;
	mutex_lock(&submit->file->lock);
	ret = bv3d_submit_order(submit);
	if (!ret) {
		*ends = bv3d_submit_ends(submit);
		bv3d_submit_commit(submit, uses, ends->last);
	}
	mutex_unlock(&submit->file->lock);
unlock:
	drm_gem_unlock_reservations(submit->bos, submit->bo_count, &acquire);
free:
	kvfree(uses);
	return ret;
}
