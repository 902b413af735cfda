// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is kept of a hang: a dump for devcoredump (uapi/drm/v3dcl_dump.h), and the state that
 * GET_HANG_STATE tells root.
 *
 * It is captured while fences wait for the reset, so nothing that is allocated may wait: what there
 * is no memory for is left out. Telling others is left to a worker.
 */
#include <linux/devcoredump.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>

#include <drm/drm_managed.h>
#include <drm/v3dcl_dump.h>

#include "jobs.h"

#define V3D_DUMP_MAX_BYTES (8u << 20)
#define V3D_NOWAIT (GFP_NOWAIT | __GFP_NOWARN)

#define V3D_DUMP_REGISTER(name, kind, offset, access, reset) (offset),
static const u16 bv3d_dump_registers[] = { V3D_REGS(V3D_DUMP_REGISTER) };

struct bv3d_hang {
	struct bv3d_device *v3d;
	struct work_struct publish;
	struct drm_vc4_get_hang_state state;
	struct scatterlist *dump;	/* NULL without memory for one */
	u32 dump_pages;
	size_t dump_bytes;
	u32 bo_count;
	struct bv3d_bo *bos[];		/* the job's: not to be looked into when that is gone */
};

static void bv3d_dump_free(struct scatterlist *dump, u32 pages)
{
	u32 i;

	for (i = 0; dump && i < pages; i++)
		if (sg_page(&dump[i]))
			__free_page(sg_page(&dump[i]));
	kfree(dump);
}

static struct scatterlist *bv3d_dump_alloc(u32 pages)
{
	struct scatterlist *dump = kcalloc(pages, sizeof(*dump), V3D_NOWAIT);
	u32 i;

	if (!dump)
		return NULL;
	sg_init_table(dump, pages);
	for (i = 0; i < pages; i++) {
		struct page *page = alloc_page(V3D_NOWAIT);

		if (!page) {
			bv3d_dump_free(dump, i);
			return NULL;
		}
		sg_set_page(&dump[i], page, PAGE_SIZE, 0);
	}
	return dump;
}

static void bv3d_hang_add_bo(struct bv3d_hang *hang, struct bv3d_bo *bo)
{
	if (bo)
		hang->bos[hang->bo_count++] = bo;
}

/* All memory that the submit's jobs can reach. The submit is the caller's. */
static struct bv3d_hang *bv3d_hang_create(struct bv3d_submit *submit)
{
	u32 count = submit->bo_count + 2 + bv3d_list_length(&submit->chunks), i;
	struct bv3d_hang *hang = kzalloc(struct_size(hang, bos, count), V3D_NOWAIT);
	struct bv3d_chunk *chunk;

	if (!hang)
		return NULL;
	hang->v3d = submit->v3d;
	for (i = 0; i < submit->bo_count; i++)
		bv3d_hang_add_bo(hang, to_bv3d_bo(submit->bos[i]));
	bv3d_hang_add_bo(hang, submit->exec);
	bv3d_hang_add_bo(hang, submit->render);
	list_for_each_entry(chunk, &submit->chunks, link)
		bv3d_hang_add_bo(hang, chunk->bo);
	return hang;
}

static void bv3d_hang_read_state(struct bv3d_hang *hang, const struct bv3d_job *job)
{
	struct drm_vc4_get_hang_state *state = &hang->state;

	if (job->queue == V3D_BIN)
		state->start_bin = job->start;
	if (job->queue == V3D_RENDER)
		state->start_render = job->start;
	v3dcl_read_hang_state(&hang->v3d->hw, state);
}

static u32 bv3d_dump_kind(const struct bv3d_bo *bo)
{
	if (bo->kind == V3D_BO_DRIVER)
		return V3DCL_DUMP_DRIVER;
	return bo->kind == V3D_BO_PLAIN ? V3DCL_DUMP_BO : V3DCL_DUMP_CODE;
}

/*
 * Which BOs' bytes have room in the dump. From the last one, since lists and records, which tell
 * most, come after the job's own BOs.
 */
static size_t bv3d_dump_plan(const struct bv3d_hang *hang, struct v3dcl_dump_block *blocks)
{
	size_t bytes = sizeof(struct v3dcl_dump_header) + ARRAY_SIZE(bv3d_dump_registers) *
		       sizeof(struct v3dcl_dump_register) + hang->bo_count * sizeof(*blocks);
	u32 i;

	for (i = hang->bo_count; i--;) {
		const struct bv3d_bo *bo = hang->bos[i];

		blocks[i].address = bv3d_bo_address(bo);
		blocks[i].size = bo->base.size;
		blocks[i].kind = bv3d_dump_kind(bo);
		if (!bo->vaddr || bytes + bo->base.size > V3D_DUMP_MAX_BYTES)
			continue;
		blocks[i].dumped_bytes = bo->base.size;
		bytes += bo->base.size;
	}
	return bytes;
}

static void bv3d_dump_put(struct bv3d_hang *hang, const void *data, size_t size)
{
	hang->dump_bytes += sg_pcopy_from_buffer(hang->dump, hang->dump_pages, data, size,
						 hang->dump_bytes);
}

static void bv3d_dump_write(struct bv3d_hang *hang, const struct bv3d_job *job,
			    const struct v3dcl_dump_block *blocks)
{
	const struct v3dcl_dump_header header = {
		.magic = V3DCL_DUMP_MAGIC,
		.version = V3DCL_DUMP_VERSION,
		.queue = job->queue,
		.error = job->error ?: -ETIMEDOUT,
		.register_count = ARRAY_SIZE(bv3d_dump_registers),
		.block_count = hang->bo_count,
		.start = job->start,
		.end = job->end,
		.seqno = job->submit->seqno,
	};
	u32 i;

	bv3d_dump_put(hang, &header, sizeof(header));
	for (i = 0; i < ARRAY_SIZE(bv3d_dump_registers); i++) {
		struct v3dcl_dump_register reg = {
			.offset = bv3d_dump_registers[i],
			.value = bv3d_read(hang->v3d, bv3d_dump_registers[i]),
		};

		bv3d_dump_put(hang, &reg, sizeof(reg));
	}
	bv3d_dump_put(hang, blocks, hang->bo_count * sizeof(*blocks));
	for (i = 0; i < hang->bo_count; i++)
		bv3d_dump_put(hang, hang->bos[i]->vaddr, blocks[i].dumped_bytes);
}

static void bv3d_hang_dump(struct bv3d_hang *hang, const struct bv3d_job *job)
{
	struct v3dcl_dump_block *blocks = kcalloc(max(hang->bo_count, 1u), sizeof(*blocks),
						  V3D_NOWAIT);

	if (!blocks)
		return;
	hang->dump_pages = DIV_ROUND_UP(bv3d_dump_plan(hang, blocks), PAGE_SIZE);
	hang->dump = bv3d_dump_alloc(hang->dump_pages);
	if (hang->dump)
		bv3d_dump_write(hang, job, blocks);
	kfree(blocks);
}

static void bv3d_hang_publish(struct work_struct *work)
{
	struct bv3d_hang *hang = container_of(work, struct bv3d_hang, publish);
	struct bv3d_device *v3d = hang->v3d;
	struct bv3d_hangs *hangs = &v3d->reset->hangs;

	mutex_lock(&hangs->lock);
	hangs->last = hang->state;
	hangs->any = true;
	mutex_unlock(&hangs->lock);
	/* The dump is devcoredump's from here on, even when that fails */
	if (hang->dump)
		dev_coredumpsg(v3d->drm.dev, hang->dump, hang->dump_bytes, GFP_KERNEL);
	kfree(hang);
	drm_dev_put(&v3d->drm);
	module_put(THIS_MODULE);	/* and return: see bv3d_fence_release() */
}

/**
 * bv3d_hang_capture() - how things stand before a reset
 * @job: that hangs; claimed by the caller
 *
 * A fence-signalling path, between drm_dev_enter and drm_dev_exit.
 *
 * Return: for bv3d_hang_keep(), NULL without memory
 */
struct bv3d_hang *bv3d_hang_capture(struct bv3d_job *job)
{
	struct bv3d_hang *hang = bv3d_hang_create(job->submit);

	if (!hang)
		return NULL;
	bv3d_hang_read_state(hang, job);
	bv3d_hang_dump(hang, job);
	return hang;
}

/**
 * bv3d_hang_keep() - publish what was captured
 * @v3d: the device
 * @hang: from bv3d_hang_capture(), or NULL; gone afterwards
 *
 * For devcoredump and GET_HANG_STATE, by a worker. A fence-signalling path.
 */
void bv3d_hang_keep(struct bv3d_device *v3d, struct bv3d_hang *hang)
{
	if (!hang)
		return;
	__module_get(THIS_MODULE);
	drm_dev_get(&v3d->drm);
	INIT_WORK(&hang->publish, bv3d_hang_publish);
	queue_work(system_unbound_wq, &hang->publish);
}

static void bv3d_hang_fini(struct drm_device *drm, void *data)
{
	struct bv3d_hangs *hangs = data;

	mutex_destroy(&hangs->lock);
}

/**
 * bv3d_hang_init() - no hang is known yet
 * @v3d: in probe; has its reset
 *
 * drmm-managed.
 *
 * Return: 0 or -ENOMEM
 */
int bv3d_hang_init(struct bv3d_device *v3d)
{
	struct bv3d_hangs *hangs = &v3d->reset->hangs;

	mutex_init(&hangs->lock);
	return drmm_add_action_or_reset(&v3d->drm, bv3d_hang_fini, hangs);
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

	mutex_lock(&hangs->lock);
	if (hangs->any) {
		*args = hangs->last;
		args->bo = user;
		args->bo_count = 0;
		hangs->any = false;
		ret = 0;
	}
	mutex_unlock(&hangs->lock);
	return ret;
}
