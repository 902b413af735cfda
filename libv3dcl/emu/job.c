// SPDX-License-Identifier: MIT
/*
 * A submit's job: what it holds, what it waits for, its place in the queue. With the device's lock
 * held.
 */
#include <errno.h>
#include <stdlib.h>

#include "syncobj.h"

struct job *job_new(struct emu_file *file, enum job_kind kind)
{
	struct job *job = calloc(1, sizeof(*job));

	if (!job)
		return NULL;
	job->file = file;
	job->kind = kind;
	job->timeout_ns = UINT64_C(1000000) * file->dev->config.limit_ms;
	job->unlisted_code = kind == JOB_QPU;
	file_get(file);
	return job;
}

void job_free(struct job *job)
{
	struct emu_device *dev;
	uint32_t i;

	if (!job)
		return;
	dev = job->file->dev;
	for (i = 0; i < job->bo_count; i++) {
		bo_unuse(job->bos[i]);
		bo_put(job->bos[i]);
	}
	for (i = 0; i < job->spill_count; i++)
		own_free(dev, &job->spills[i]);
	for (i = 0; i < job->after_count; i++)
		fence_put(job->after[i]);
	own_free(dev, &job->exec);
	own_free(dev, &job->render);
	own_free(dev, &job->tiles);
	perfmon_put(job->perfmon);
	fence_put(job->done);
	free(job->bos);
	free(job->uses);
	free(job->spills);
	free(job->after);
	free(job->runs);
	file_put(job->file);
	free(job);
}

int job_bos(struct job *job, const uint32_t *handles, uint32_t count)
{
	job->bos = calloc(count ? count : 1, sizeof(struct bo *));
	job->uses = calloc(count ? count : 1, sizeof(*job->uses));
	if (!job->bos || !job->uses)
		return -ENOMEM;
	for (; job->bo_count < count; job->bo_count++) {
		struct bo *bo = bo_find(job->file, handles[job->bo_count]);

		if (!bo || bo_use(bo))
			return -EINVAL;
		job->bos[job->bo_count] = bo_get(bo);
		job->uses[job->bo_count] = (struct v3dcl_bo){
			.address = bo->address,
			.size = bo->size,
			.shader = bo->shader,
			.program = bo->program,
		};
	}
	return 0;
}

/* @fence: a reference that is the job's from here on; NULL is nothing to wait for */
int job_wait_for(struct job *job, struct fence *fence)
{
	struct fence **after;

	if (!fence || fence->signalled) {
		fence_put(fence);
		return 0;
	}
	after = realloc(job->after, (job->after_count + 1) * sizeof(struct fence *));
	if (!after) {
		fence_put(fence);
		return -ENOMEM;
	}
	job->after = after;
	after[job->after_count++] = fence;
	return 0;
}

static int wait_for_bos(struct job *job)
{
	int ret = 0;
	uint32_t i;

	for (i = 0; !ret && i < job->bo_count; i++)
		if (job->uses[i].uses & (V3DCL_READ | V3DCL_WRITE))
			ret = job_wait_for(job,
					   bo_fence(job->bos[i], job->uses[i].uses & V3DCL_WRITE));
	return ret;
}

/* Code never changes: there is no waiting for jobs that run it */
static void fence_bos(struct job *job)
{
	uint32_t i;

	for (i = 0; i < job->bo_count; i++)
		if (job->uses[i].uses != V3DCL_CODE)
			bo_add_fence(job->bos[i], job->done, job->uses[i].uses & V3DCL_WRITE);
}

/* From here on the job is the queue's, if this returns 0. Jobs of one file end in order. */
int job_push(struct job *job)
{
	struct emu_file *file = job->file;
	struct emu_device *dev = file->dev;
	int ret = wait_for_bos(job);

	if (!ret)
		ret = job_wait_for(job, fence_get(file->last));
	if (ret)
		return ret;
	if (!dev->has_worker && !run_start(dev))
		return -ENOMEM;
	job->done = fence_new(file->context, file->seqno + 1);
	if (!job->done)
		return -ENOMEM;
	job->seqno = ++file->seqno;
	fence_put(file->last);
	file->last = fence_get(job->done);
	fence_bos(job);
	*dev->jobs_end = job;
	dev->jobs_end = &job->next;
	pthread_cond_broadcast(&dev->changed);
	return 0;
}

int syncs_copy(struct syncs *syncs, uint64_t in, uint32_t in_count, uint64_t out,
	       uint32_t out_count)
{
	int ret = user_dup(&syncs->in, in, in_count, sizeof(struct drm_v3dcl_sync));

	syncs->in_count = in_count;
	syncs->out_count = out_count;
	return ret ? ret : user_dup(&syncs->out, out, out_count, sizeof(struct drm_v3dcl_sync));
}

void syncs_free(struct syncs *syncs)
{
	free(syncs->in);
	free(syncs->out);
}

/*
 * Into the queue, behind and before syncobjs. @lists: whose addresses are put in their places once
 * nothing can fail, or NULL
 */
int job_queue(struct job *job, const struct syncs *syncs, const struct v3dcl_lists_job *lists,
	      __u64 *seqno)
{
	const struct drm_v3dcl_sync *ins = syncs->in, *outs = syncs->out;
	int ret = v3dcl_syncs_valid(ins, syncs->in_count) ? 0 : -EINVAL;
	struct syncobj *out;
	uint32_t i;

	for (i = 0; !ret && i < syncs->in_count; i++) {
		struct fence *fence = syncobj_fence(job->file, ins[i].handle, ins[i].point, &ret);

		if (fence)
			ret = job_wait_for(job, fence);
	}
	if (!ret && !v3dcl_syncs_valid(outs, syncs->out_count))
		ret = -EINVAL;
	for (i = 0; !ret && i < syncs->out_count; i++)
		ret = syncobj_find(job->file, outs[i].handle, &out);
	if (!ret)
		ret = job_push(job);
	if (ret)
		return ret;
	if (lists)
		v3dcl_place_addresses(lists);
	*seqno = job->seqno;
	for (i = 0; i < syncs->out_count; i++)
		if (!syncobj_find(job->file, outs[i].handle, &out))
			syncobj_replace(out, job->done, outs[i].point);
	return 0;
}
