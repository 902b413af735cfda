// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is kept of a hang: a dump for devcoredump (uapi/drm/v3dcl_dump.h), and the state that
 * GET_HANG_STATE tells root.
 *
 * Registers and queues are captured while fences wait for the reset, so what is allocated for them
 * does not wait. Bytes of BOs are many, consoles are slow, and the next job may be near its limit:
 * a worker copies the bytes and tells the log, once the job has ended. Its memory stays its own
 * until then; what users have mapped may have changed.
 */
#include <linux/devcoredump.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>

#include <drm/drm_print.h>

#include "jobs.h"

#define V3D_DUMP_MAX_BYTES (8u << 20)
#define V3D_DUMP_GFP (GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN)

#define V3D_DUMP_REGISTER(name, kind, offset, access, reset) (offset),
static const u16 bv3d_dump_registers[] = { V3D_REGS(V3D_DUMP_REGISTER) };

struct bv3d_hang {
	struct bv3d_submit *submit;	/* a reference */
	struct work_struct publish;
	struct drm_vc4_get_hang_state state;
	struct v3dcl_dump_header header;
	u32 registers[ARRAY_SIZE(bv3d_dump_registers)];
	struct v3dcl_dump_queue queues[V3D_QUEUES];
};

/* What a worker makes of it */
struct bv3d_dump {
	struct scatterlist *pages;
	u32 page_count;
	size_t bytes;
	struct v3dcl_dump_block *blocks;
	u32 block_count;
	struct v3dcl_dump_run *runs;
	struct v3dcl_dump_facts *facts;
	const void *data[];		/* of each block; NULL: the processor cannot see it */
};

/* Blocks that are tables */
#define V3D_DUMP_TABLES 3

static void bv3d_pages_free(struct scatterlist *pages, u32 count)
{
	u32 i;

	for (i = 0; pages && i < count; i++)
		if (sg_page(&pages[i]))
			__free_page(sg_page(&pages[i]));
	kfree(pages);
}

static struct scatterlist *bv3d_pages_alloc(u32 count)
{
	struct scatterlist *pages = kcalloc(count, sizeof(*pages), V3D_DUMP_GFP);
	u32 i;

	if (!pages)
		return NULL;
	sg_init_table(pages, count);
	for (i = 0; i < count; i++) {
		struct page *page = alloc_page(V3D_DUMP_GFP);

		if (!page) {
			bv3d_pages_free(pages, i);
			return NULL;
		}
		sg_set_page(&pages[i], page, PAGE_SIZE, 0);
	}
	return pages;
}

static void bv3d_dump_add(struct bv3d_dump *dump, u32 kind, u32 address, const void *data, u32 size)
{
	dump->data[dump->block_count] = data;
	dump->blocks[dump->block_count++] = (struct v3dcl_dump_block){
		.address = address, .size = size, .kind = kind,
	};
}

static u32 bv3d_dump_kind(const struct bv3d_bo *bo)
{
	if (bo->kind == V3D_BO_DRIVER)
		return V3DCL_DUMP_DRIVER;
	return bo->kind == V3D_BO_PLAIN ? V3DCL_DUMP_BO : V3DCL_DUMP_CODE;
}

static void bv3d_dump_add_bo(struct bv3d_dump *dump, const struct bv3d_bo *bo)
{
	if (bo)
		bv3d_dump_add(dump, bv3d_dump_kind(bo), bv3d_bo_address(bo), bo->vaddr,
			      bo->base.size);
}

/* All that the submit's jobs can reach */
static void bv3d_dump_add_bos(struct bv3d_dump *dump, const struct bv3d_submit *submit)
{
	struct bv3d_chunk *chunk;
	u32 i;

	for (i = 0; i < submit->bo_count; i++)
		bv3d_dump_add_bo(dump, to_bv3d_bo(submit->bos[i]));
	bv3d_dump_add_bo(dump, submit->exec);
	bv3d_dump_add_bo(dump, submit->render);
	list_for_each_entry(chunk, &submit->chunks, link)
		bv3d_dump_add_bo(dump, chunk->bo);
}

static void bv3d_dump_add_runs(struct bv3d_dump *dump, const struct bv3d_submit *submit)
{
	const struct v3dcl_batch *batch = &submit->qpu->batch;
	u32 i;

	dump->runs = kcalloc(batch->count, sizeof(*dump->runs), V3D_DUMP_GFP);
	for (i = 0; dump->runs && i < batch->count; i++)
		dump->runs[i] = (struct v3dcl_dump_run){
			.code = batch->runs[i].code,
			.uniforms = batch->runs[i].uniforms,
			.uniform_count = batch->runs[i].uniform_count,
		};
	if (dump->runs)
		bv3d_dump_add(dump, V3DCL_DUMP_RUNS, 0, dump->runs,
			      batch->count * sizeof(*dump->runs));
}

static void bv3d_dump_add_facts(struct bv3d_dump *dump, const struct bv3d_submit *submit)
{
	u32 i, count = 0;

	dump->facts = kcalloc(submit->bo_count, sizeof(*dump->facts), V3D_DUMP_GFP);
	for (i = 0; dump->facts && i < submit->bo_count; i++) {
		const struct bv3d_bo *bo = to_bv3d_bo(submit->bos[i]);

		if (bv3d_dump_kind(bo) != V3DCL_DUMP_CODE)
			continue;
		dump->facts[count].address = bv3d_bo_address(bo);
		v3dcl_tell_facts(bo->shader, bo->program, &dump->facts[count++]);
	}
	if (count)
		bv3d_dump_add(dump, V3DCL_DUMP_FACTS, 0, dump->facts, count * sizeof(*dump->facts));
}

static void bv3d_dump_free(struct bv3d_dump *dump)
{
	kfree(dump->runs);
	kfree(dump->facts);
	kvfree(dump->blocks);
	kvfree(dump);
}

/* What there is no memory for is left out */
static struct bv3d_dump *bv3d_dump_create(const struct bv3d_hang *hang)
{
	const struct bv3d_submit *submit = hang->submit;
	u32 count = submit->bo_count + 2 + bv3d_list_length(&submit->chunks) + V3D_DUMP_TABLES;
	struct bv3d_dump *dump = kvzalloc(struct_size(dump, data, count), V3D_DUMP_GFP);

	if (!dump)
		return NULL;
	dump->blocks = kvcalloc(count, sizeof(*dump->blocks), V3D_DUMP_GFP);
	if (!dump->blocks) {
		bv3d_dump_free(dump);
		return NULL;
	}
	bv3d_dump_add_bos(dump, submit);
	bv3d_dump_add_facts(dump, submit);
	if (submit->qpu)
		bv3d_dump_add_runs(dump, submit);
	bv3d_dump_add(dump, V3DCL_DUMP_QUEUES, 0, hang->queues, sizeof(hang->queues));
	return dump;
}

/*
 * Which blocks' bytes have room in the dump. From the last one, since tables, lists and records,
 * which tell most, come after the job's own BOs.
 */
static size_t bv3d_dump_plan(const struct bv3d_dump *dump)
{
	size_t bytes = sizeof(struct v3dcl_dump_header) +
		       ARRAY_SIZE(bv3d_dump_registers) * sizeof(struct v3dcl_dump_register) +
		       dump->block_count * sizeof(*dump->blocks);
	u32 i;

	for (i = dump->block_count; i--;) {
		struct v3dcl_dump_block *block = &dump->blocks[i];

		if (!dump->data[i] || bytes + block->size > V3D_DUMP_MAX_BYTES)
			continue;
		block->dumped_bytes = block->size;
		bytes += block->size;
	}
	return bytes;
}

static void bv3d_dump_put(struct bv3d_dump *dump, const void *data, size_t size)
{
	dump->bytes += sg_pcopy_from_buffer(dump->pages, dump->page_count, data, size, dump->bytes);
}

static void bv3d_dump_write(struct bv3d_dump *dump, struct bv3d_hang *hang)
{
	u32 i;

	hang->header.block_count = dump->block_count;
	bv3d_dump_put(dump, &hang->header, sizeof(hang->header));
	for (i = 0; i < ARRAY_SIZE(bv3d_dump_registers); i++) {
		const struct v3dcl_dump_register reg = {
			.offset = bv3d_dump_registers[i],
			.value = hang->registers[i],
		};

		bv3d_dump_put(dump, &reg, sizeof(reg));
	}
	bv3d_dump_put(dump, dump->blocks, dump->block_count * sizeof(*dump->blocks));
	for (i = 0; i < dump->block_count; i++)
		bv3d_dump_put(dump, dump->data[i], dump->blocks[i].dumped_bytes);
}

/* What there is no memory for is left out */
static void bv3d_hang_dump(struct bv3d_hang *hang)
{
	struct bv3d_dump *dump = bv3d_dump_create(hang);

	if (!dump)
		return;
	dump->page_count = DIV_ROUND_UP(bv3d_dump_plan(dump), PAGE_SIZE);
	dump->pages = bv3d_pages_alloc(dump->page_count);
	if (dump->pages) {
		bv3d_dump_write(dump, hang);
		/* The pages are devcoredump's from here on, even when that fails */
		dev_coredumpsg(hang->submit->v3d->drm.dev, dump->pages, dump->bytes, GFP_KERNEL);
	}
	bv3d_dump_free(dump);
}

static void bv3d_hang_publish(struct work_struct *work)
{
	struct bv3d_hang *hang = container_of(work, struct bv3d_hang, publish);
	static const char * const reasons[] = {
		[V3DCL_DUMP_UNKNOWN] = "hung",
		[V3DCL_DUMP_LIMIT] = "hung: it took longer than it may",
		[V3DCL_DUMP_STANDS] = "hung: nothing moved",
		[V3DCL_DUMP_LIST_ERROR] = "hung: its list ended with an error",
		[V3DCL_DUMP_NO_MEMORY] = "found no memory for its tile lists",
	};
	struct bv3d_submit *submit = hang->submit;

	drm_notice(&submit->v3d->drm, "the V3D was reset: job %llu of client %llu %s\n",
		   submit->seqno, submit->file->client_id, reasons[hang->header.reason]);
	bv3d_hang_dump(hang);
	bv3d_submit_let_go(submit);
	kfree(hang);
	module_put(THIS_MODULE);	/* and return: see bv3d_fence_release() */
}

static void bv3d_hang_read_registers(struct bv3d_hang *hang)
{
	struct bv3d_device *v3d = hang->submit->v3d;
	u32 i;

	v3dcl_read_hang_state(&v3d->hw, &hang->state);
	for (i = 0; i < ARRAY_SIZE(bv3d_dump_registers); i++)
		hang->registers[i] = bv3d_read(v3d, bv3d_dump_registers[i]);
}

/* bv3d_sched.lock is held */
static void bv3d_hang_read_queue(struct bv3d_hw_queue *hwq, struct v3dcl_dump_queue *queue)
{
	const struct bv3d_job *job = hwq->active;

	queue->waiting = bv3d_list_length(&hwq->waiting);
	if (!job)
		return;
	queue->state = job->state == V3D_JOB_RUNNING || job->state == V3D_JOB_STOPPED ? 2 : 1;
	queue->start = job->start;
	queue->end = job->end;
	queue->client = job->submit->file->client_id;
	queue->seqno = job->submit->seqno;
	if (job->queue != V3D_QPU)
		return;
	queue->programs = job->submit->qpu->batch.count;
	queue->fed = job->submit->qpu->batch.fed;
	queue->done = job->submit->qpu->batch.done;
}

static void bv3d_hang_read_queues(struct bv3d_hang *hang)
{
	struct bv3d_sched *sched = hang->submit->v3d->sched;
	unsigned long flags;
	u32 i;

	spin_lock_irqsave(&sched->lock, flags);
	for (i = 0; i < V3D_QUEUES; i++) {
		hang->queues[i].queue = i;
		bv3d_hang_read_queue(&sched->queues[i], &hang->queues[i]);
	}
	spin_unlock_irqrestore(&sched->lock, flags);
}

/* A caller that waits for the job's fence can ask as soon as that has signalled */
static void bv3d_hang_tell(const struct bv3d_hang *hang)
{
	struct bv3d_hangs *hangs = &hang->submit->v3d->reset->hangs;

	spin_lock(&hangs->lock);
	hangs->last = hang->state;
	hangs->any = true;
	spin_unlock(&hangs->lock);
}

/**
 * bv3d_hang_capture() - how things stand before a reset
 * @job: that hangs; claimed by the caller
 *
 * GET_HANG_STATE tells it from here on. A fence-signalling path, between drm_dev_enter and
 * drm_dev_exit.
 *
 * Return: for bv3d_hang_keep(), NULL without memory
 */
struct bv3d_hang *bv3d_hang_capture(struct bv3d_job *job)
{
	struct bv3d_hang *hang = kzalloc(sizeof(*hang), GFP_NOWAIT | __GFP_NOWARN);

	if (!hang)
		return NULL;
	hang->submit = job->submit;
	kref_get(&job->submit->refs);
	hang->header = (struct v3dcl_dump_header){
		.magic = V3DCL_DUMP_MAGIC,
		.version = V3DCL_DUMP_VERSION,
		.queue = job->queue,
		.error = job->error,
		.register_count = ARRAY_SIZE(bv3d_dump_registers),
		.start = job->start,
		.end = job->end,
		.seqno = job->submit->seqno,
		.client = job->submit->file->client_id,
		.reason = job->reason,
	};
	if (job->queue == V3D_BIN)
		hang->state.start_bin = job->start;
	if (job->queue == V3D_RENDER)
		hang->state.start_render = job->start;
	bv3d_hang_read_registers(hang);
	bv3d_hang_read_queues(hang);
	bv3d_hang_tell(hang);
	return hang;
}

/**
 * bv3d_hang_keep() - publish what was captured
 * @hang: from bv3d_hang_capture(), or NULL; gone afterwards
 *
 * For devcoredump and the log, by a worker. A fence-signalling path.
 */
void bv3d_hang_keep(struct bv3d_hang *hang)
{
	if (!hang)
		return;
	__module_get(THIS_MODULE);
	INIT_WORK(&hang->publish, bv3d_hang_publish);
	queue_work(system_unbound_wq, &hang->publish);
}

/**
 * bv3d_get_hang_state_ioctl() - GET_HANG_STATE: the registers of the last hang, once
 * @dev: the device
 * @data: &struct drm_vc4_get_hang_state
 * @file_priv: the caller's file
 *
 * No BOs are told: to have handles for them, they would have to be kept for a caller that may never
 * ask. What was in them when the job hung is in the dump.
 *
 * Return: 0, -ENOENT when there was none since it was last told
 */
int bv3d_get_hang_state_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv)
{
	struct bv3d_hangs *hangs = &to_bv3d_device(dev)->reset->hangs;
	struct drm_vc4_get_hang_state *args = data;
	u64 user = args->bo;
	int ret = -ENOENT;

	spin_lock(&hangs->lock);
	if (hangs->any) {
		*args = hangs->last;
		args->bo = user;
		args->bo_count = 0;
		hangs->any = false;
		ret = 0;
	}
	spin_unlock(&hangs->lock);
	return ret;
}
