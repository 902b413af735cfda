// SPDX-License-Identifier: MIT
/* SUBMIT_CL: from the ioctl's argument to a job. libv3dcl/validate checks everything and writes the render list. */
#include <errno.h>
#include <stdlib.h>

#include "syncobj.h"

/* As the module's */
#define MAX_HANDLES 65536u
#define MAX_LIST_BYTES (16u << 20)
#define TILE_MEMORY (256u << 10)
#define STATE_ALIGN 256u

#define SUBMIT_FLAGS (VC4_SUBMIT_CL_USE_CLEAR_COLOR | VC4_SUBMIT_CL_FIXED_RCL_ORDER | VC4_SUBMIT_CL_RCL_ORDER_INCREASING_X | \
		      VC4_SUBMIT_CL_RCL_ORDER_INCREASING_Y)

/* What is copied for the checks, and needed no longer */
struct copies {
	void *handles, *bin, *records, *uniforms;
};

static bool args_valid(const struct drm_vc4_submit_cl *args)
{
	return !(args->flags & ~SUBMIT_FLAGS) && !args->pad && !args->pad2 && args->bo_handle_count &&
	       args->bo_handle_count <= MAX_HANDLES && args->bin_cl_size <= MAX_LIST_BYTES &&
	       args->shader_rec_size <= MAX_LIST_BYTES && args->uniforms_size <= MAX_LIST_BYTES;
}

static int copy_span(void **copy, struct v3dcl_span *span, uint64_t user, uint32_t size)
{
	int ret = user_dup(copy, user, size, 1);

	span->bytes = *copy;
	span->size = size;
	return ret;
}

static int copy_all(struct copies *copies, struct v3dcl_job *checked, const struct drm_vc4_submit_cl *args)
{
	int ret = copy_span(&copies->bin, &checked->bin, args->bin_cl, args->bin_cl_size);

	if (ret || !args->bin_cl_size)
		return ret;
	ret = copy_span(&copies->records, &checked->records, args->shader_rec, args->shader_rec_size);
	return ret ? ret : copy_span(&copies->uniforms, &checked->uniforms, args->uniforms, args->uniforms_size);
}

static void copies_free(struct copies *copies)
{
	free(copies->handles);
	free(copies->bin);
	free(copies->records);
	free(copies->uniforms);
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
	uint32_t state, size;
	struct v3dcl_memory memory;

	if (!checked->bin.size)
		return 0;
	if (!v3dcl_measure(checked))
		return emu_refuse(job->file, &checked->refusal);
	state = (checked->needs.state + STATE_ALIGN - 1) & ~(STATE_ALIGN - 1);
	size = state + checked->needs.lists;
	if (size < TILE_MEMORY)
		size = TILE_MEMORY;
	if (!memory_for(job, &job->exec, checked->needs.exec, &checked->exec) || !memory_for(job, &job->tiles, size, &memory))
		return -ENOMEM;
	checked->tiles = (struct v3dcl_tile_memory){ memory.address, state, memory.address + state, memory.size - state };
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
static int prepare(struct job *job, struct copies *copies, const struct drm_vc4_submit_cl *args)
{
	struct v3dcl_job checked = { .submit = args, .bos = job->uses, .bo_count = job->bo_count };
	int ret = copy_all(copies, &checked, args);

	if (!ret)
		ret = check_bin(job, &checked);
	if (!ret)
		ret = build_render(job, &checked);
	job->bin_start = checked.bin_start;
	job->bin_end = checked.bin_end;
	job->render_start = checked.render_start;
	job->render_end = checked.render_end;
	return ret;
}

/* What the handles name. Lock held. */
static int look_up(struct job *job, const struct copies *copies, const struct drm_vc4_submit_cl *args)
{
	int ret = job_bos(job, copies->handles, args->bo_handle_count);

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
	ret = job_push(job);
	if (ret)
		return ret;
	args->seqno = job->seqno;
	return out ? syncobj_replace(out, job->done, 0) : 0;
}

int emu_submit_cl(struct emu_file *file, void *arg)
{
	struct drm_vc4_submit_cl *args = arg;
	struct emu_device *dev = file->dev;
	struct copies copies = { 0 };
	struct job *job;
	int ret;

	if (!args_valid(args))
		return -EINVAL;
	ret = user_dup(&copies.handles, args->bo_handles, args->bo_handle_count, sizeof(uint32_t));
	if (ret)
		return ret;
	pthread_mutex_lock(&dev->lock);
	job = job_new(file, JOB_FRAME);
	ret = job ? look_up(job, &copies, args) : -ENOMEM;
	if (!ret) {
		pthread_mutex_unlock(&dev->lock);
		ret = prepare(job, &copies, args);
		pthread_mutex_lock(&dev->lock);
	}
	if (!ret)
		ret = queue(job, args);
	if (ret && job && !job->seqno)
		job_free(job);
	pthread_mutex_unlock(&dev->lock);
	copies_free(&copies);
	return ret;
}
