// SPDX-License-Identifier: GPL-2.0-only
/*
 * SUBMIT_CL and SUBMIT_FRAME: from the ioctl's argument to a frame's two jobs. libv3dcl/validate
 * checks everything and writes the render list.
 */
#include <linux/capability.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <drm/drm_syncobj.h>

#include "jobs.h"
#include "submit.h"

static int bv3d_frame_bos(struct bv3d_submit *submit, struct drm_file *file_priv,
			  const struct drm_vc4_submit_cl *args)
{
	u32 *handles = vmemdup_user(u64_to_user_ptr(args->bo_handles),
				    args->bo_handle_count * sizeof(*handles));
	int ret;

	if (IS_ERR(handles))
		return PTR_ERR(handles);
	ret = bv3d_submit_bos(submit, file_priv, handles, args->bo_handle_count);
	kvfree(handles);
	return ret;
}

/* What is copied from userspace for the checks, and needed no longer */
static void bv3d_frame_copies_free(void *copies[V3DCL_CL_PARTS])
{
	unsigned int i;

	for (i = 0; i < V3DCL_CL_PARTS; i++)
		kvfree(copies[i]);
}

static int bv3d_frame_copy(void *copies[V3DCL_CL_PARTS], const struct drm_vc4_submit_cl *args)
{
	struct v3dcl_user_span spans[V3DCL_CL_PARTS];
	unsigned int i;

	v3dcl_cl_spans(args, spans);
	for (i = 0; i < V3DCL_CL_PARTS; i++) {
		void *copy = spans[i].size ?
			     vmemdup_user(u64_to_user_ptr(spans[i].user), spans[i].size) : NULL;

		if (IS_ERR(copy))
			return PTR_ERR(copy);
		copies[i] = copy;
	}
	return 0;
}

static struct bv3d_bo *bv3d_frame_memory(struct bv3d_submit *submit, struct v3dcl_memory *memory,
					 u32 size, const char *label)
{
	struct bv3d_bo *bo = bv3d_bo_create(submit->v3d, max(size, 1u), V3D_BO_DRIVER, label);

	if (!IS_ERR(bo)) {
		memory->cpu = bo->vaddr;
		memory->address = bv3d_bo_address(bo);
		memory->size = size;
	}
	return bo;
}

static int bv3d_frame_check_bin(struct bv3d_submit *submit, struct bv3d_file *file,
				struct v3dcl_job *job)
{
	struct bv3d_bo *bo;
	int ret;

	if (!job->bin.size)
		return 0;
	if (!v3dcl_measure(job))
		return bv3d_refuse(file, &job->refusal);
	bo = bv3d_frame_memory(submit, &job->exec, job->needs.exec, "bin list");
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	submit->exec = bo;
	ret = bv3d_binmem_charge(submit, &job->needs, &job->tiles);
	if (ret)
		return ret;
	return v3dcl_check_bin(job) ? 0 : bv3d_refuse(file, &job->refusal);
}

static int bv3d_frame_build_render(struct bv3d_submit *submit, struct bv3d_file *file,
				   struct v3dcl_job *job)
{
	struct bv3d_bo *bo;

	if (!v3dcl_check_render(job))
		return bv3d_refuse(file, &job->refusal);
	bo = bv3d_frame_memory(submit, &job->render, job->render_bytes, "render list");
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	submit->render = bo;
	return v3dcl_build_render(job) ? 0 : bv3d_refuse(file, &job->refusal);
}

static int bv3d_frame_jobs(struct bv3d_submit *submit, const struct v3dcl_job *checked)
{
	struct bv3d_job *job = bv3d_cl_job_create(submit, V3D_RENDER, checked->render_start,
						  checked->render_end);

	if (IS_ERR(job))
		return PTR_ERR(job);
	submit->last = job;
	if (!checked->bin.size)
		return 0;
	job = bv3d_cl_job_create(submit, V3D_BIN, checked->bin_start, checked->bin_end);
	if (IS_ERR(job))
		return PTR_ERR(job);
	job->tiles = checked->tiles;
	submit->bin = job;
	return 0;
}

/* Everything but its place in the queues */
static int bv3d_frame_prepare(struct bv3d_submit *submit, struct drm_file *file_priv,
			      const struct drm_vc4_submit_cl *args)
{
	struct bv3d_file *file = file_priv->driver_priv;
	struct v3dcl_job job = { .bos = submit->uses, .bo_count = submit->handle_count };
	void *copies[V3DCL_CL_PARTS] = {};
	int ret = bv3d_frame_copy(copies, args);

	v3dcl_fill_cl_job(&job, args, copies);
	if (!ret)
		ret = bv3d_frame_check_bin(submit, file, &job);
	if (!ret)
		ret = bv3d_frame_build_render(submit, file, &job);
	bv3d_frame_copies_free(copies);
	return ret ?: bv3d_frame_jobs(submit, &job);
}

static int bv3d_frame_queue(struct bv3d_submit *submit, struct drm_file *file_priv,
			    struct drm_vc4_submit_cl *args)
{
	struct drm_syncobj *out = NULL;
	struct bv3d_ends ends;
	int ret = 0;

	if (args->in_sync)
		ret = bv3d_wait_for_sync(submit->bin ?: submit->last, file_priv, args->in_sync, 0);
	if (ret)
		return ret;
	if (args->out_sync) {
		out = drm_syncobj_find(file_priv, args->out_sync);
		if (!out)
			return -EINVAL;
	}
	ret = bv3d_submit_push(submit, &ends);
	if (!ret) {
		if (out)
			drm_syncobj_replace_fence(out, ends.last);
		bv3d_ends_put(&ends);
		args->seqno = submit->seqno;
	}
	if (out)
		drm_syncobj_put(out);
	return ret;
}

/* What both ioctls have in common: all but fences */
static int bv3d_frame_fill(struct bv3d_submit *submit, struct drm_file *file_priv,
			   const struct drm_vc4_submit_cl *args)
{
	int ret = bv3d_frame_bos(submit, file_priv, args);

	if (!ret)
		ret = bv3d_submit_perfmon(submit, file_priv->driver_priv, args->perfmonid);
	return ret ?: bv3d_frame_prepare(submit, file_priv, args);
}

/**
 * bv3d_submit_cl_ioctl() - SUBMIT_CL: a frame
 * @dev: the device
 * @data: &struct drm_vc4_submit_cl
 * @file_priv: the caller's file
 *
 * Return: 0; -EINVAL for a flag, pad or size out of range, an unknown handle or out_sync, a BO that
 * was madvised away, an in_sync without a fence, or what libv3dcl/validate refuses (GET_REFUSAL
 * tells why); -ENOENT for an unknown perfmon or syncobj, -EFAULT, -ENOMEM, -EINTR, -ENODEV after
 * unbind, -EIO when the V3D is wedged, or what the power domain says
 */
int bv3d_submit_cl_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv)
{
	struct drm_vc4_submit_cl *args = data;
	struct v3dcl_refusal refusal;
	struct bv3d_submit *submit;
	int ret;

	if (!v3dcl_submit_cl_valid(args, &refusal))
		return bv3d_refuse(file_priv->driver_priv, &refusal);
	submit = bv3d_submit_create(dev, file_priv);
	if (IS_ERR(submit))
		return PTR_ERR(submit);
	ret = bv3d_frame_fill(submit, file_priv, args);
	if (!ret)
		ret = bv3d_frame_queue(submit, file_priv, args);
	bv3d_submit_put(submit);
	return ret;
}

static struct bv3d_syncs bv3d_stage_syncs(const struct drm_v3dcl_stage *stage)
{
	return (struct bv3d_syncs){
		.in = stage->in_syncs,
		.out = stage->out_syncs,
		.in_count = stage->in_sync_count,
		.out_count = stage->out_sync_count,
	};
}

/**
 * bv3d_submit_frame_ioctl() - SUBMIT_FRAME: a frame, with fences of its own for each stage
 * @dev: the device
 * @data: &struct drm_v3dcl_submit_frame
 * @file_priv: the caller's file
 *
 * Return: 0; -EACCES for a priority that takes CAP_SYS_NICE; -EINVAL for what is out of range, a
 * syncobj without a fence, and as bv3d_submit_cl_ioctl()
 */
int bv3d_submit_frame_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv)
{
	struct drm_v3dcl_submit_frame *args = data;
	const struct bv3d_syncs bin = bv3d_stage_syncs(&args->bin);
	const struct bv3d_syncs render = bv3d_stage_syncs(&args->render);
	struct v3dcl_refusal refusal;
	struct bv3d_submit *submit;
	int ret;

	if (!v3dcl_submit_frame_valid(args, &refusal))
		return bv3d_refuse(file_priv->driver_priv, &refusal);
	if (args->priority == DRM_V3DCL_PRIORITY_HIGH && !capable(CAP_SYS_NICE))
		return -EACCES;
	submit = bv3d_submit_create(dev, file_priv);
	if (IS_ERR(submit))
		return PTR_ERR(submit);
	submit->explicit = args->flags & DRM_V3DCL_FRAME_EXPLICIT;
	submit->priority = args->priority;
	ret = bv3d_frame_fill(submit, file_priv, &args->frame);
	if (!ret)
		ret = bv3d_submit_queue(submit, file_priv, submit->bin ? &bin : NULL, &render,
					&args->frame.seqno);
	bv3d_submit_put(submit);
	return ret;
}
