// SPDX-License-Identifier: GPL-2.0-only
/*
 * The binner's memory: where it keeps the state of tiles, and the lists of what to draw in each.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include <drm/drm_managed.h>

#include "jobs.h"
#include "submit.h"
#include "trace.h"

/**
 * DOC: Binner memory
 *
 * How long tile lists get is known only when they have been made. So a bin job starts with one
 * chunk, and the V3D asks for more when that is full, halting meanwhile. A thread may be waiting
 * for that job to free memory, so what it is given then must exist already: it comes from a pool,
 * in the interrupt. The pool is filled at submits, and by a worker which no job waits for. When it
 * is empty nevertheless, the binner goes on waiting for what that worker makes or other frames give
 * back: for V3D_BINNER_WAIT_MS while no frame is rendered, and V3D_BINNER_LIMIT_MS in any case.
 * Then the job fails with ENOMEM, by a reset; it has not hung, so no client is blamed.
 *
 * Chunks go back when the frame has been rendered. They and the first memory of a frame lie in one
 * window of 256 MiB, since branches into tile lists carry only the low 28 bits of an address (HW).
 */

#define V3D_CHUNKS_LOW 8	/* free ones that the worker keeps at hand */
#define V3D_CHUNKS_HIGH 24	/* free ones that are kept at all */
#define V3D_CHUNKS_SPARE 4	/* that no frame begins with: they are for binners that run */
/* How long a binner waits for a chunk: see above. The latter is less than any list may take. */
#define V3D_BINNER_WAIT_MS 500
#define V3D_BINNER_LIMIT_MS 10000
/* how often memory outside of the window is put aside and more asked for */
#define V3D_WINDOW_TRIES 8

static unsigned int bv3d_binner_kib = V3DCL_OVERSPILL_BYTES >> 10;
module_param_named(binner_kib, bv3d_binner_kib, uint, 0644);
MODULE_PARM_DESC(binner_kib,
		 "most memory for tile lists beyond the first block of each frame, in KiB (16384)");

struct bv3d_binmem {
	struct bv3d_device *v3d;
	struct work_struct refill;
	struct delayed_work recheck;
	struct mutex grow;		/* chunks are made one at a time; above lock */
	spinlock_t lock;
	struct list_head free;		/* lock */
	unsigned int free_count;	/* lock */
	unsigned int count;		/* chunks of the pool, free or not. lock */
	unsigned int blocks;		/* that lie in the window: chunks and others. lock */
	/* high bits of their addresses, while there are any. lock */
	u32 window;
	u64 fed, exhausted;		/* how often, for debugfs. lock */
	/* jiffies: until then the binner waits for a chunk if no frame is rendered; in any case */
	unsigned long deadline, limit;	/* lock */
	bool hungry;			/* it waits for one. lock; read without it */
	bool asked;			/* OUTOMEM was seen since it started */
};

static void bv3d_chunk_free(struct bv3d_binmem *mem, struct bv3d_chunk *chunk)
{
	unsigned long flags;

	drm_gem_object_put(&chunk->bo->base);
	kfree(chunk);
	spin_lock_irqsave(&mem->lock, flags);
	mem->blocks--;
	spin_unlock_irqrestore(&mem->lock, flags);
}

/* Is the BO in the window? The first one decides where that is. */
static bool bv3d_window_enter(struct bv3d_binmem *mem, const struct bv3d_bo *bo)
{
	u32 first = bv3d_bo_address(bo) >> V3DCL_WINDOW_SHIFT;
	u32 last = (bv3d_bo_address(bo) + bo->base.size - 1) >> V3DCL_WINDOW_SHIFT;
	unsigned long flags;
	bool inside;

	spin_lock_irqsave(&mem->lock, flags);
	inside = first == last && (!mem->blocks || first == mem->window);
	if (inside) {
		mem->window = first;
		mem->blocks++;
	}
	spin_unlock_irqrestore(&mem->lock, flags);
	return inside;
}

/*
 * Memory inside the window; what lies outside is held until something inside has been found, or it
 * would come again
 */
static struct bv3d_bo *bv3d_window_bo(struct bv3d_binmem *mem, size_t size)
{
	struct bv3d_bo *outside[V3D_WINDOW_TRIES], *bo = ERR_PTR(-ENOMEM);
	unsigned int count = 0;

	while (count < V3D_WINDOW_TRIES) {
		bo = bv3d_bo_create(mem->v3d, size, V3D_BO_DRIVER, "tile lists");
		if (IS_ERR(bo) || bv3d_window_enter(mem, bo))
			break;
		outside[count++] = bo;
		bo = ERR_PTR(-ENOMEM);
	}
	while (count)
		drm_gem_object_put(&outside[--count]->base);
	return bo;
}

static struct bv3d_chunk *bv3d_chunk_create(struct bv3d_binmem *mem, size_t size, bool own)
{
	struct bv3d_chunk *chunk = kzalloc(sizeof(*chunk), GFP_KERNEL);
	struct bv3d_bo *bo;

	if (!chunk)
		return ERR_PTR(-ENOMEM);
	bo = bv3d_window_bo(mem, size);
	if (IS_ERR(bo)) {
		kfree(chunk);
		return ERR_CAST(bo);
	}
	chunk->bo = bo;
	chunk->own = own;
	return chunk;
}

/* How many chunks the pool may have, free or not */
static unsigned int bv3d_pool_most(void)
{
	return READ_ONCE(bv3d_binner_kib) / (V3DCL_TILE_CHUNK >> 10);
}

/*
 * May a frame begin with a chunk of the pool? Frames that wait for the binner must not have what it
 * waits for: it would wait for them.
 */
static bool bv3d_pool_has_spare(const struct bv3d_binmem *mem)
{
	lockdep_assert_held(&mem->lock);
	return mem->free_count > V3D_CHUNKS_SPARE &&
	       mem->count - mem->free_count < bv3d_pool_most() / 2;
}

/* Return: a free chunk or NULL; with @spare only one that the binner can do without */
static struct bv3d_chunk *bv3d_chunk_take(struct bv3d_binmem *mem, bool spare)
{
	struct bv3d_chunk *chunk = NULL;
	unsigned long flags;

	spin_lock_irqsave(&mem->lock, flags);
	if (!spare || bv3d_pool_has_spare(mem))
		chunk = list_first_entry_or_null(&mem->free, struct bv3d_chunk, link);
	if (chunk) {
		list_del_init(&chunk->link);
		mem->free_count--;
	}
	spin_unlock_irqrestore(&mem->lock, flags);
	return chunk;
}

/* Into the pool; false when that has enough */
static bool bv3d_chunk_give(struct bv3d_binmem *mem, struct bv3d_chunk *chunk)
{
	unsigned long flags;
	bool kept;

	spin_lock_irqsave(&mem->lock, flags);
	kept = !chunk->own && mem->free_count < V3D_CHUNKS_HIGH;
	if (kept) {
		list_add(&chunk->link, &mem->free);
		mem->free_count++;
	} else if (!chunk->own) {
		mem->count--;
	}
	spin_unlock_irqrestore(&mem->lock, flags);
	return kept;
}

/* May the pool have another chunk? Then it is counted, and the caller makes it. */
static bool bv3d_pool_wants(struct bv3d_binmem *mem, unsigned int enough)
{
	unsigned long flags;
	bool wants;

	spin_lock_irqsave(&mem->lock, flags);
	wants = mem->free_count < enough && mem->count < bv3d_pool_most();
	if (wants)
		mem->count++;
	spin_unlock_irqrestore(&mem->lock, flags);
	return wants;
}

static void bv3d_pool_fill(struct bv3d_binmem *mem, unsigned int enough)
{
	struct bv3d_chunk *chunk;
	unsigned long flags;

	mutex_lock(&mem->grow);
	while (bv3d_pool_wants(mem, enough)) {
		chunk = bv3d_chunk_create(mem, V3DCL_TILE_CHUNK, false);
		if (IS_ERR(chunk)) {
			spin_lock_irqsave(&mem->lock, flags);
			mem->count--;
			spin_unlock_irqrestore(&mem->lock, flags);
			break;
		}
		if (!bv3d_chunk_give(mem, chunk))
			bv3d_chunk_free(mem, chunk);
	}
	mutex_unlock(&mem->grow);
}

static void bv3d_pool_refill(struct work_struct *work)
{
	bv3d_pool_fill(container_of(work, struct bv3d_binmem, refill), V3D_CHUNKS_LOW);
}

/**
 * bv3d_binmem_charge() - what a frame's binner starts with, and some more at hand
 * @submit: not pushed yet
 * @needs: measured
 * @tiles: filled
 *
 * It stays the submit's until bv3d_binmem_release(). May sleep.
 *
 * Return: 0 or -ENOMEM
 */
int bv3d_binmem_charge(struct bv3d_submit *submit, const struct v3dcl_needs *needs,
		       struct v3dcl_tile_memory *tiles)
{
	struct bv3d_binmem *mem = submit->v3d->binmem;
	u32 size = v3dcl_tile_bytes(needs);
	struct bv3d_chunk *chunk = size <= V3DCL_TILE_CHUNK ? bv3d_chunk_take(mem, true) : NULL;

	if (!chunk)
		chunk = bv3d_chunk_create(mem, size, true);
	if (IS_ERR(chunk))
		return PTR_ERR(chunk);
	list_add(&chunk->link, &submit->chunks);
	/* A primitive over the whole frame may want another block for each tile at once */
	bv3d_pool_fill(mem, min_t(u32, 1 + needs->lists / V3DCL_TILE_CHUNK, V3D_CHUNKS_HIGH));
	queue_work(system_unbound_wq, &mem->refill);
	v3dcl_split_tiles(tiles, needs, &(const struct v3dcl_memory){
		.cpu = chunk->bo->vaddr, .address = bv3d_bo_address(chunk->bo),
		.size = chunk->bo->base.size,
	});
	return 0;
}

/**
 * bv3d_binmem_provide() - some memory at hand for a binner that starts with memory of its list's
 * own
 * @v3d: the device
 *
 * May sleep.
 */
void bv3d_binmem_provide(struct bv3d_device *v3d)
{
	bv3d_pool_fill(v3d->binmem, V3D_CHUNKS_LOW);
}

/**
 * bv3d_binmem_release() - the submit's binner memory goes back to the pool, or is freed
 * @submit: none of its jobs runs any more
 *
 * May sleep.
 */
void bv3d_binmem_release(struct bv3d_submit *submit)
{
	struct bv3d_binmem *mem = submit->v3d->binmem;
	struct bv3d_chunk *chunk, *next;

	list_for_each_entry_safe(chunk, next, &submit->chunks, link) {
		list_del_init(&chunk->link);
		if (!bv3d_chunk_give(mem, chunk))
			bv3d_chunk_free(mem, chunk);
	}
}

/* Give the chunk to the running bin job. False: there is none, or it was given one meanwhile. */
static bool bv3d_binner_feed(struct bv3d_device *v3d, struct bv3d_chunk *chunk)
{
	struct bv3d_sched *sched = v3d->sched;
	struct bv3d_job *job;
	unsigned long flags;

	spin_lock_irqsave(&sched->lock, flags);
	job = bv3d_hw_queue_running(sched, V3D_BIN);
	if (job && v3dcl_binner_wish(&v3d->hw) != V3DCL_BINNER_MEMORY)
		job = NULL;
	if (job) {
		list_add(&chunk->link, &job->submit->chunks);
		v3dcl_feed_binner(&v3d->hw, bv3d_bo_address(chunk->bo), chunk->bo->base.size);
		trace_bv3d_overspill(job->submit->file->client_id, job->submit->seqno,
				     bv3d_bo_address(chunk->bo), chunk->bo->base.size);
	}
	spin_unlock_irqrestore(&sched->lock, flags);
	return job;
}

/* What came of a binner's wish for memory */
enum bv3d_served {
	V3D_SERVED,		/* it has some, or has gone */
	V3D_SERVED_LATER,	/* there may be some soon */
	V3D_SERVED_NEVER,
};

/* The binner has found the pool empty: is there time to wait for a chunk? bv3d_binmem.lock held */
static enum bv3d_served bv3d_binner_wait(struct bv3d_binmem *mem)
{
	bool renders = READ_ONCE(mem->v3d->sched->queues[V3D_RENDER].active);

	lockdep_assert_held(&mem->lock);
	if (!mem->hungry)
		mem->limit = jiffies + msecs_to_jiffies(V3D_BINNER_LIMIT_MS);
	if (!mem->hungry || renders)
		mem->deadline = jiffies + msecs_to_jiffies(V3D_BINNER_WAIT_MS);
	WRITE_ONCE(mem->hungry, true);
	if (time_before(jiffies, mem->deadline) && time_before(jiffies, mem->limit))
		return V3D_SERVED_LATER;
	mem->exhausted++;
	return V3D_SERVED_NEVER;
}

/**
 * bv3d_binmem_hungry() - does the binner wait for a chunk that another frame may give back?
 * @v3d: the device
 *
 * Then its list does not move, and does not hang: this ends by itself. Any context.
 *
 * Return: true if it does
 */
bool bv3d_binmem_hungry(struct bv3d_device *v3d)
{
	return READ_ONCE(v3d->binmem->hungry);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_binmem_hungry);

/* The running bin job begins to wait: there is no memory for it */
static void bv3d_binner_trace_wait(struct bv3d_sched *sched)
{
	struct bv3d_job *job;
	unsigned long flags;

	spin_lock_irqsave(&sched->lock, flags);
	job = bv3d_hw_queue_running(sched, V3D_BIN);
	if (job)
		trace_bv3d_overspill(job->submit->file->client_id, job->submit->seqno, 0, 0);
	spin_unlock_irqrestore(&sched->lock, flags);
}

static enum bv3d_served bv3d_binner_serve(struct bv3d_device *v3d)
{
	struct bv3d_binmem *mem = v3d->binmem;
	bool waited = bv3d_binmem_hungry(v3d);
	struct bv3d_chunk *chunk = bv3d_chunk_take(mem, false);
	bool useful = chunk && v3dcl_binner_reaches(&v3d->hw, bv3d_bo_address(chunk->bo));
	bool fed = useful && bv3d_binner_feed(v3d, chunk);
	enum bv3d_served served = V3D_SERVED;
	unsigned long flags;

	spin_lock_irqsave(&mem->lock, flags);
	mem->fed += fed;
	if (!chunk) {
		served = bv3d_binner_wait(mem);
	} else if (!useful) {
		mem->exhausted++;
		served = V3D_SERVED_NEVER;
	} else {
		WRITE_ONCE(mem->hungry, false);
	}
	if (chunk && !fed) {
		list_add(&chunk->link, &mem->free);
		mem->free_count++;
	}
	spin_unlock_irqrestore(&mem->lock, flags);
	if (!waited && bv3d_binmem_hungry(v3d))
		bv3d_binner_trace_wait(v3d->sched);
	queue_work(system_unbound_wq, &mem->refill);
	return served;
}

/**
 * bv3d_binmem_expect() - a bin job is about to start: OUTOMEM is the last one's
 * @v3d: awake, no bin list runs
 *
 * Any context.
 */
void bv3d_binmem_expect(struct bv3d_device *v3d)
{
	struct bv3d_binmem *mem = v3d->binmem;
	unsigned long flags;

	spin_lock_irqsave(&mem->lock, flags);
	WRITE_ONCE(mem->hungry, false);
	spin_unlock_irqrestore(&mem->lock, flags);
	WRITE_ONCE(mem->asked, false);
	bv3d_write(v3d, V3D_INTCTL, V3D_SET(INTCTL, OUTOMEM, 1));
}

/**
 * bv3d_binmem_listen() - OUTOMEM interrupts from here on, until it does or the bin job ends
 * @v3d: awake
 *
 * One that is pending already is not lost. Any context.
 */
void bv3d_binmem_listen(struct bv3d_device *v3d)
{
	bv3d_write(v3d, V3D_INTENA, V3D_SET(INTENA, OUTOMEM, 1));
}

/*
 * Return: false unless the hardware bins. OUTOMEM is nothing to listen to otherwise, and what runs
 * has power.
 */
static bool bv3d_binner_asked(struct bv3d_device *v3d, enum v3dcl_binner_wish *wish)
{
	struct bv3d_sched *sched = v3d->sched;
	unsigned long flags;
	bool runs;

	spin_lock_irqsave(&sched->lock, flags);
	runs = bv3d_hw_queue_running(sched, V3D_BIN);
	if (runs)
		*wish = v3dcl_binner_wish(&v3d->hw);
	spin_unlock_irqrestore(&sched->lock, flags);
	return runs;
}

/*
 * What does the binner want? OUTOMEM is masked if it was seen. What cannot be cleared must not
 * interrupt for ever, so it stays masked; and no reading of the guide says that the next wish of a
 * binner which has some memory interrupts again, so it is looked at again in any case.
 */
static void bv3d_binmem_look_awake(struct bv3d_device *v3d)
{
	enum bv3d_served served = V3D_SERVED;
	enum v3dcl_binner_wish wish;

	if (!bv3d_binner_asked(v3d, &wish))
		return;
	if (wish == V3DCL_BINNER_MEMORY)
		served = bv3d_binner_serve(v3d);
	if (served == V3D_SERVED_NEVER && v3dcl_binner_stands(&v3d->hw)) {
		/* Stays masked: only a reset ends this */
		bv3d_job_fail(v3d->sched, V3D_BIN, V3DCL_DUMP_NO_MEMORY);
		return;
	}
	/*
	 * One that asks early may need none, or not have begun: then what it reaches is not known.
	 * It has not waited yet
	 */
	if (served == V3D_SERVED_NEVER)
		WRITE_ONCE(v3d->binmem->hungry, false);
	if (served == V3D_SERVED && wish != V3DCL_BINNER_PATIENCE)
		bv3d_binmem_listen(v3d);
	queue_delayed_work(system_highpri_wq, &v3d->binmem->recheck, 1);
}

/* The job may end between two looks at registers, and the V3D fall asleep soon after */
static void bv3d_binmem_look(struct bv3d_device *v3d)
{
	if (!bv3d_power_get_if_awake(v3d))
		return;
	bv3d_binmem_look_awake(v3d);
	bv3d_power_put(v3d);
}

/**
 * bv3d_binmem_out_of_memory() - OUTOMEM was seen, and is masked
 * @v3d: the device
 *
 * Any context, between drm_dev_enter and drm_dev_exit. A fence-signalling path.
 */
void bv3d_binmem_out_of_memory(struct bv3d_device *v3d)
{
	WRITE_ONCE(v3d->binmem->asked, true);
	bv3d_binmem_look(v3d);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_binmem_out_of_memory);

static void bv3d_binmem_recheck(struct work_struct *work)
{
	struct bv3d_binmem *mem = container_of(to_delayed_work(work), struct bv3d_binmem, recheck);
	struct bv3d_sched *sched = mem->v3d->sched;
	bool cookie;
	int idx;

	if (!READ_ONCE(mem->asked) || !drm_dev_enter(&mem->v3d->drm, &idx))
		return;
	cookie = dma_fence_begin_signalling();
	/*
	 * Keeps a reset from switching power meanwhile; with a job on the hardware there is power
	 */
	rt_mutex_lock(&sched->hw);
	bv3d_binmem_look(mem->v3d);
	rt_mutex_unlock(&sched->hw);
	dma_fence_end_signalling(cookie);
	drm_dev_exit(idx);
}

/**
 * bv3d_binmem_stop() - no workers of the pool run any more
 * @v3d: unplugged
 *
 * May sleep.
 */
void bv3d_binmem_stop(struct bv3d_device *v3d)
{
	cancel_delayed_work_sync(&v3d->binmem->recheck);
	cancel_work_sync(&v3d->binmem->refill);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_binmem_stop);

/**
 * bv3d_binmem_show() - the pool, for debugfs
 * @v3d: the device
 * @m: where to
 */
void bv3d_binmem_show(struct bv3d_device *v3d, struct seq_file *m)
{
	struct bv3d_binmem *mem = v3d->binmem;
	unsigned int count, free_count;
	unsigned long flags;
	u64 fed, exhausted;

	spin_lock_irqsave(&mem->lock, flags);
	count = mem->count;
	free_count = mem->free_count;
	fed = mem->fed;
	exhausted = mem->exhausted;
	spin_unlock_irqrestore(&mem->lock, flags);
	seq_printf(m, "binner memory: %u of %u chunks of %u KiB free, ", free_count, count,
		   V3DCL_TILE_CHUNK >> 10);
	seq_printf(m, "overspills %llu, exhausted %llu\n", fed, exhausted);
}

static void bv3d_binmem_fini(struct drm_device *drm, void *data)
{
	struct bv3d_binmem *mem = data;
	struct bv3d_chunk *chunk;

	bv3d_binmem_stop(mem->v3d);
	while ((chunk = bv3d_chunk_take(mem, false)))
		bv3d_chunk_free(mem, chunk);
	mutex_destroy(&mem->grow);
}

/**
 * bv3d_binmem_init() - the pool of binner memory
 * @v3d: in probe
 *
 * drmm-managed. The pool is empty until a client bins.
 *
 * Return: 0 or -ENOMEM
 */
int bv3d_binmem_init(struct bv3d_device *v3d)
{
	struct bv3d_binmem *mem = drmm_kzalloc(&v3d->drm, sizeof(*mem), GFP_KERNEL);

	if (!mem)
		return -ENOMEM;
	mem->v3d = v3d;
	INIT_WORK(&mem->refill, bv3d_pool_refill);
	INIT_DELAYED_WORK(&mem->recheck, bv3d_binmem_recheck);
	mutex_init(&mem->grow);
	spin_lock_init(&mem->lock);
	INIT_LIST_HEAD(&mem->free);
	v3d->binmem = mem;
	return drmm_add_action_or_reset(&v3d->drm, bv3d_binmem_fini, mem);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_binmem_init);
