// SPDX-License-Identifier: MIT
/*
 * A submit's job: what it holds, what it waits for, its place in the queue. With the device's lock
 * held.
 */
#include <errno.h>
#include <stdlib.h>

#include "submit.h"
#include "syncobj.h"

struct job *job_new(struct emu_file *file, enum job_kind kind)
{
	struct job *job = calloc(1, sizeof(*job));

	if (!job)
		return NULL;
	job->file = file;
	job->kind = kind;
	job->limit = UINT64_C(1000000) / EMU_INSTRUCTION_NS * file->dev->config.limit_ms;
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

/* Of a submit that failed; one that has a seqno is the queue's all the same: see job_queue() */
void job_give_up(struct job *job)
{
	if (job && !job->seqno)
		job_free(job);
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

/* What all the handles of one BO ask of it, into each */
static void gather_uses(const struct job *job)
{
	uint32_t i;

	for (i = 0; i < job->bo_count; i++)
		job->bos[i]->uses = 0;
	for (i = 0; i < job->bo_count; i++)
		job->bos[i]->uses |= job->uses[i].uses;
}

static int wait_for_bos(struct job *job, bool lists)
{
	int ret = 0;
	uint32_t i;

	for (i = 0; !ret && i < job->bo_count; i++) {
		const struct v3dcl_bo_fences fences = v3dcl_bo_fences(job->bos[i]->uses, lists);
		struct fence *fence = NULL;

		if (fences.waits || fences.binning_waits)
			ret = bo_fence(job->bos[i], fences.writes || fences.binning_writes, &fence);
		if (!ret)
			ret = job_wait_for(job, fence);
	}
	return ret;
}

static void fence_bos(struct job *job, bool lists)
{
	uint32_t i;

	for (i = 0; i < job->bo_count; i++) {
		const struct v3dcl_bo_fences fences = v3dcl_bo_fences(job->bos[i]->uses, lists);

		if (fences.fenced && job->explicit)
			bo_keep_fence(job->bos[i], job->done);
		else if (fences.fenced)
			bo_add_fence(job->bos[i], job->done, fences.writes);
	}
}

/* So that the job's fence is in each of them: that cannot fail once it is queued */
static int room_in_bos(struct job *job)
{
	int ret = 0;
	uint32_t i;

	for (i = 0; !ret && i < job->bo_count; i++)
		ret = job->explicit ? bo_keep_room(job->bos[i]) : bo_room(job->bos[i]);
	return ret;
}

/* From here on the job is the queue's, if this returns 0. Jobs of one file end in order. */
int job_push(struct job *job, bool lists)
{
	struct emu_file *file = job->file;
	struct emu_device *dev = file->dev;
	int ret;

	gather_uses(job);
	ret = job->explicit ? 0 : wait_for_bos(job, lists);
	if (!ret)
		ret = room_in_bos(job);
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
	fence_bos(job, lists);
	*dev->jobs_end = job;
	dev->jobs_end = &job->next;
	pthread_cond_broadcast(&dev->changed);
	return 0;
}

/* A copy of a user's array of syncobjs, which is as it must be */
static int syncs_copy(void **copy, uint64_t user, uint32_t count)
{
	int ret = user_dup(copy, user, count, sizeof(struct drm_v3dcl_sync));

	return ret || v3dcl_syncs_valid(*copy, count) ? ret : -EINVAL;
}

static int wait_for_syncs(struct job *job, uint64_t user, uint32_t count)
{
	const struct drm_v3dcl_sync *ins;
	void *copy;
	uint32_t i;
	int ret = syncs_copy(&copy, user, count);

	ins = copy;
	for (i = 0; !ret && i < count; i++) {
		struct fence *fence = syncobj_fence(job->file, ins[i].handle, ins[i].point, &ret);

		if (fence)
			ret = job_wait_for(job, fence);
	}
	free(copy);
	return ret;
}

/* Return: the first error of them; the others have the fence */
static int signal_syncs(struct emu_file *file, const struct drm_v3dcl_sync *outs, uint32_t count,
			struct fence *fence)
{
	struct syncobj *out;
	int ret = 0, error;
	uint32_t i;

	for (i = 0; i < count; i++) {
		error = syncobj_find(file, outs[i].handle, &out);
		if (!error)
			error = syncobj_replace(out, fence, outs[i].point);
		ret = ret ? ret : error;
	}
	return ret;
}

/* A copy of the array of what is signalled, each of which there is */
static int outs_copy(struct job *job, void **copy, const struct syncs *syncs)
{
	int ret = syncs_copy(copy, syncs->out, syncs->out_count);
	const struct drm_v3dcl_sync *outs = *copy;
	struct syncobj *out;
	uint32_t i;

	for (i = 0; !ret && i < syncs->out_count; i++)
		ret = syncobj_find(job->file, outs[i].handle, &out);
	return ret;
}

/*
 * Into the queue, behind and before syncobjs. These are the last that can be wrong with a submit:
 * what it waits for, then what it signals. @count: of @syncs, JOB_STAGES at most. The stages of a
 * frame run as one here: jobs run in the order of their submits, so none of those that rendering
 * waits for can wait for this one's binning. @lists: whose addresses are put in their places once
 * nothing else can fail, or NULL. Return: 0; an error, and the job has a seqno: it is queued, and
 * no memory was left for the fences of points; else it is the caller's still
 */
int job_queue(struct job *job, const struct syncs *syncs, uint32_t count,
	      const struct v3dcl_lists_job *lists, __u64 *seqno)
{
	void *copies[JOB_STAGES] = { NULL };
	int ret = 0, error;
	uint32_t i;

	for (i = 0; !ret && i < count; i++)
		ret = wait_for_syncs(job, syncs[i].in, syncs[i].in_count);
	for (i = 0; !ret && i < count; i++)
		ret = outs_copy(job, &copies[i], &syncs[i]);
	if (!ret)
		ret = job_push(job, lists);
	if (!ret) {
		if (lists)
			v3dcl_place_addresses(lists);
		*seqno = job->seqno;
		for (i = 0; i < count; i++) {
			error = signal_syncs(job->file, copies[i], syncs[i].out_count, job->done);
			ret = ret ? ret : error;
		}
	}
	for (i = 0; i < count; i++)
		free(copies[i]);
	return ret;
}
