// SPDX-License-Identifier: GPL-2.0-only
/*
 * SUBMIT_QPU: from the ioctl's argument to a job of user programs.
 */
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "jobs.h"
#include "submit.h"

/* What is copied from userspace for the check, and needed no longer */
static void bv3d_qpu_copies_free(struct v3dcl_qpu_copies *copies)
{
	kvfree(copies->programs);
	kvfree(copies->relocs);
	kvfree(copies->handles);
	kvfree(copies->indices);
	kvfree(copies->uniforms);
	kvfree(copies->owners);
}

static void *bv3d_copy_array(u64 user, u32 count, size_t size)
{
	return count ? vmemdup_user(u64_to_user_ptr(user), count * size) : NULL;
}

static int bv3d_qpu_copy(struct v3dcl_qpu_copies *copies, struct v3dcl_qpu_job *job,
			 const struct drm_v3dcl_submit_qpu *args)
{
	u32 count = args->program_count + args->reloc_count;
	void *copy;

	copy = bv3d_copy_array(args->programs, args->program_count,
			       sizeof(struct drm_v3dcl_program));
	if (IS_ERR(copy))
		return PTR_ERR(copy);
	copies->programs = copy;
	copy = bv3d_copy_array(args->relocs, args->reloc_count, sizeof(struct drm_v3dcl_reloc));
	if (IS_ERR(copy))
		return PTR_ERR(copy);
	copies->relocs = copy;
	copy = bv3d_copy_array(args->uniforms, args->uniform_count, sizeof(u32));
	if (IS_ERR(copy))
		return PTR_ERR(copy);
	copies->uniforms = copy;
	copies->owners = kvmalloc_array(args->uniform_count + 1, sizeof(*copies->owners),
					GFP_KERNEL);
	copies->handles = kvmalloc_array(count, sizeof(*copies->handles), GFP_KERNEL);
	copies->indices = kvmalloc_array(count, sizeof(*copies->indices), GFP_KERNEL);
	if (!copies->handles || !copies->indices || !copies->owners)
		return -ENOMEM;
	v3dcl_fill_qpu_job(job, args, copies);
	v3dcl_list_handles(job, copies->handles, copies->indices);
	return 0;
}

/* Says which handle it was that names no BO, after the look-up failed */
static int bv3d_qpu_refuse_handle(struct drm_file *file_priv,
				  const struct drm_v3dcl_submit_qpu *args,
				  const struct v3dcl_qpu_copies *copies)
{
	u32 count = args->program_count + args->reloc_count;
	u32 i = bv3d_bo_first_unknown(file_priv, copies->handles, count);
	struct v3dcl_refusal refusal;

	if (i == count)
		return -EINVAL;
	v3dcl_refuse_handle(&refusal, args->program_count, i, copies->handles[i]);
	return bv3d_refuse(file_priv->driver_priv, &refusal);
}

/* Where the checked uniforms go */
static int bv3d_qpu_reserve_uniforms(struct bv3d_submit *submit,
				     const struct drm_v3dcl_submit_qpu *args)
{
	size_t size = args->uniform_count * sizeof(u32);
	struct bv3d_bo *bo;

	if (!size)
		return 0;
	bo = bv3d_bo_create(submit->v3d, size, V3D_BO_DRIVER, "QPU uniforms");
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	submit->exec = bo;
	return 0;
}

static int bv3d_qpu_relocate(struct bv3d_submit *submit, struct bv3d_file *file,
			     struct v3dcl_qpu_job *job)
{
	job->bos = submit->uses;
	job->bo_count = submit->handle_count;
	job->runs = submit->qpu->batch.runs;
	if (submit->exec) {
		job->uniforms.cpu = submit->exec->vaddr;
		job->uniforms.address = bv3d_bo_address(submit->exec);
	}
	return v3dcl_relocate(job) ? 0 : bv3d_refuse(file, &job->refusal);
}

static int bv3d_qpu_work_create(struct bv3d_submit *submit, const struct drm_v3dcl_submit_qpu *args)
{
	submit->qpu = kzalloc(sizeof(*submit->qpu), GFP_KERNEL_ACCOUNT);
	if (!submit->qpu)
		return -ENOMEM;
	submit->qpu->batch.count = args->program_count;
	submit->qpu->timeout_ns = v3dcl_qpu_timeout_ns(args);
	submit->qpu->batch.runs = kvcalloc(args->program_count, sizeof(*submit->qpu->batch.runs),
					   GFP_KERNEL_ACCOUNT);
	return submit->qpu->batch.runs ? 0 : -ENOMEM;
}

/* Everything but its place in the queues */
static int bv3d_qpu_prepare(struct bv3d_submit *submit, struct drm_file *file_priv,
			    const struct drm_v3dcl_submit_qpu *args)
{
	struct bv3d_file *file = file_priv->driver_priv;
	struct v3dcl_qpu_copies copies = {};
	struct v3dcl_qpu_job job = {};
	int ret = bv3d_qpu_copy(&copies, &job, args);

	if (!ret)
		ret = bv3d_submit_bos(submit, file_priv, copies.handles,
				      args->program_count + args->reloc_count);
	if (ret == -EINVAL)
		ret = bv3d_qpu_refuse_handle(file_priv, args, &copies);
	if (!ret && !v3dcl_all_verified(submit->uses, args->program_count))
		ret = bv3d_run_unverified();
	if (!ret)
		ret = bv3d_qpu_work_create(submit, args);
	if (!ret)
		ret = bv3d_qpu_reserve_uniforms(submit, args);
	if (!ret)
		ret = bv3d_qpu_relocate(submit, file, &job);
	bv3d_qpu_copies_free(&copies);
	return ret ?: bv3d_submit_perfmon(submit, file, args->perfmon);
}

static int bv3d_qpu_queue(struct bv3d_submit *submit, struct drm_file *file_priv,
			  struct drm_v3dcl_submit_qpu *args)
{
	const struct bv3d_syncs syncs = {
		.in = args->in_syncs,
		.out = args->out_syncs,
		.in_count = args->in_sync_count,
		.out_count = args->out_sync_count,
	};
	struct bv3d_job *job = bv3d_job_create(submit, V3D_QPU);

	if (IS_ERR(job))
		return PTR_ERR(job);
	submit->last = job;
	return bv3d_submit_queue(submit, file_priv, NULL, &syncs, &args->seqno);
}

/**
 * bv3d_submit_qpu_ioctl() - SUBMIT_QPU: user programs
 * @dev: the device
 * @data: &struct drm_v3dcl_submit_qpu
 * @file_priv: the caller's file
 *
 * Return: 0; -EACCES when a program is unverified and the caller may not run such; -EINVAL for what
 * is out of range, an unknown handle, a BO that was madvised away, a syncobj without a fence, or
 * what libv3dcl/validate refuses (GET_REFUSAL tells why); -ENOENT for an unknown perfmon or
 * syncobj, -EFAULT, -ENOMEM, -EINTR, -ENODEV after unbind, -EIO when the V3D is wedged, or what the
 * power domain says
 */
int bv3d_submit_qpu_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv)
{
	struct drm_v3dcl_submit_qpu *args = data;
	struct v3dcl_refusal refusal;
	struct bv3d_submit *submit;
	int ret;

	if (!v3dcl_submit_qpu_valid(args, &refusal))
		return bv3d_refuse(file_priv->driver_priv, &refusal);
	submit = bv3d_submit_create(dev, file_priv);
	if (IS_ERR(submit))
		return PTR_ERR(submit);
	ret = bv3d_qpu_prepare(submit, file_priv, args);
	if (!ret)
		ret = bv3d_qpu_queue(submit, file_priv, args);
	bv3d_submit_put(submit);
	return ret;
}
