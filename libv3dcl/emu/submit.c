// SPDX-License-Identifier: MIT
/*
 * SUBMIT_CL and SUBMIT_FRAME: from the ioctl's argument to a job. libv3dcl/validate checks
 * everything and writes the render list.
 */
#include <errno.h>
#include <stdlib.h>

#include "submit.h"
#include "syncobj.h"

static int copy_all(void *copies[V3DCL_CL_PARTS], const struct drm_vc4_submit_cl *args)
{
	struct v3dcl_user_span spans[V3DCL_CL_PARTS];
	unsigned int i;
	int ret = 0;

	v3dcl_cl_spans(args, spans);
	for (i = 0; !ret && i < V3DCL_CL_PARTS; i++)
		ret = user_dup(&copies[i], spans[i].user, spans[i].size, 1);
	return ret;
}

static void copies_free(void *copies[V3DCL_CL_PARTS])
{
	unsigned int i;

	for (i = 0; i < V3DCL_CL_PARTS; i++)
		free(copies[i]);
}

static bool memory_for(struct job *job, struct own *own, uint32_t size, struct v3dcl_memory *memory)
{
	struct emu_device *dev = job->file->dev;
	bool done;

	pthread_mutex_lock(&dev->lock);
	done = own_alloc(dev, size, own);
	pthread_mutex_unlock(&dev->lock);
	*memory = (struct v3dcl_memory){ .cpu = own->cpu, .address = own->address, .size = size };
	return done;
}

static int check_bin(struct job *job, struct v3dcl_job *checked)
{
	struct v3dcl_memory memory;

	if (!checked->bin.size)
		return 0;
	if (!v3dcl_measure(checked))
		return emu_refuse(job->file, &checked->refusal);
	if (!memory_for(job, &job->exec, checked->needs.exec, &checked->exec) ||
	    !memory_for(job, &job->tiles, v3dcl_tile_bytes(&checked->needs), &memory))
		return -ENOMEM;
	v3dcl_split_tiles(&checked->tiles, &checked->needs, &memory);
	job->binner = checked->tiles;
	return v3dcl_check_bin(checked) ? 0 : emu_refuse(job->file, &checked->refusal);
}

static int build_render(struct job *job, struct v3dcl_job *checked)
{
	if (!v3dcl_check_render(checked))
		return emu_refuse(job->file, &checked->refusal);
	if (!memory_for(job, &job->render, checked->render_bytes, &checked->render))
		return -ENOMEM;
	return v3dcl_build_render(checked) ? 0 : emu_refuse(job->file, &checked->refusal);
}

/* Everything but its place in the queue */
static int prepare(struct job *job, const struct drm_vc4_submit_cl *args)
{
	struct v3dcl_job checked = { .bos = job->uses, .bo_count = job->bo_count };
	void *copies[V3DCL_CL_PARTS] = { NULL };
	int ret = copy_all(copies, args);

	v3dcl_fill_cl_job(&checked, args, copies);
	if (!ret)
		ret = check_bin(job, &checked);
	if (!ret)
		ret = build_render(job, &checked);
	job->bin_start = checked.bin_start;
	job->bin_end = checked.bin_end;
	job->render_start = checked.render_start;
	job->render_end = checked.render_end;
	copies_free(copies);
	return ret;
}

/* What the handles name. Lock held. */
static int look_up(struct job *job, const uint32_t *handles, const struct drm_vc4_submit_cl *args)
{
	int ret = job_bos(job, handles, args->bo_handle_count);

	if (ret || !args->perfmonid)
		return ret;
	job->perfmon = perfmon_get(job->file, args->perfmonid);
	return job->perfmon ? 0 : -ENOENT;
}

/* Lock held */
static int queue(struct job *job, struct drm_vc4_submit_cl *args)
{
	struct syncobj *out = NULL;
	int ret = 0;

	if (args->in_sync) {
		struct fence *fence = syncobj_fence(job->file, args->in_sync, 0, &ret);

		if (fence)
			ret = job_wait_for(job, fence);
	}
	if (ret)
		return ret;
	if (args->out_sync && syncobj_find(job->file, args->out_sync, &out))
		return -EINVAL;
	ret = job_push(job, false);
	if (ret)
		return ret;
	args->seqno = job->seqno;
	return out ? syncobj_replace(out, job->done, 0) : 0;
}

/*
 * A frame from either ioctl, but for its fences and its place in the queue
 * Return: 0 with the device's lock held and a job, or an error, and the lock is not held
 */
static int make(struct emu_file *file, const struct drm_vc4_submit_cl *args, struct job **made)
{
	struct emu_device *dev = file->dev;
	struct job *job;
	void *handles;
	int ret = user_dup(&handles, args->bo_handles, args->bo_handle_count, sizeof(uint32_t));

	if (ret)
		return ret;
	pthread_mutex_lock(&dev->lock);
	job = job_new(file, JOB_FRAME);
	ret = job ? look_up(job, handles, args) : -ENOMEM;
	if (!ret) {
		pthread_mutex_unlock(&dev->lock);
		ret = prepare(job, args);
		pthread_mutex_lock(&dev->lock);
	}
	free(handles);
	*made = job;
	if (!ret)
		return 0;
	job_free(job);
	pthread_mutex_unlock(&dev->lock);
	return ret;
}

int emu_submit_cl(struct emu_file *file, void *arg)
{
	struct drm_vc4_submit_cl *args = arg;
	struct v3dcl_refusal refusal;
	struct job *job;
	int ret;

	if (!v3dcl_submit_cl_valid(args, &refusal))
		return emu_refuse(file, &refusal);
	ret = make(file, args, &job);
	if (ret)
		return ret;
	ret = queue(job, args);
	if (ret)
		job_give_up(job);
	pthread_mutex_unlock(&file->dev->lock);
	return ret;
}

static struct syncs stage_syncs(const struct drm_v3dcl_stage *stage)
{
	return (struct syncs){ stage->in_syncs, stage->out_syncs, stage->in_sync_count,
			       stage->out_sync_count };
}

/* One process's jobs run in the order of their submits, whatever their priority */
int emu_submit_frame(struct emu_file *file, void *arg)
{
	struct drm_v3dcl_submit_frame *args = arg;
	const struct syncs stages[JOB_STAGES] = { stage_syncs(&args->bin),
						  stage_syncs(&args->render) };
	struct v3dcl_refusal refusal;
	struct job *job;
	int ret;

	if (!v3dcl_submit_frame_valid(args, &refusal))
		return emu_refuse(file, &refusal);
	if (args->priority == DRM_V3DCL_PRIORITY_HIGH && !emu_is_root(file->dev))
		return -EACCES;
	ret = make(file, &args->frame, &job);
	if (ret)
		return ret;
	job->explicit = args->flags & DRM_V3DCL_FRAME_EXPLICIT;
	ret = job_queue(job, stages, JOB_STAGES, NULL, &args->frame.seqno);
	if (ret)
		job_give_up(job);
	pthread_mutex_unlock(&file->dev->lock);
	return ret;
}
