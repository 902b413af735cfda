// SPDX-License-Identifier: GPL-2.0-only
/*
 * SUBMIT_LISTS: from the ioctl's argument to jobs of lists that go to the hardware as they are.
 * Root's alone.
 */
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "jobs.h"
#include "submit.h"

static void bv3d_lists_copies_free(struct v3dcl_lists_copies *copies)
{
	kvfree(copies->handles);
	kvfree(copies->addresses);
	kvfree(copies->cpu);
}

static int bv3d_lists_copy(struct v3dcl_lists_copies *copies,
			   const struct drm_v3dcl_submit_lists *args)
{
	void *copy = vmemdup_user(u64_to_user_ptr(args->bo_handles),
				  args->bo_count * sizeof(u32));

	if (IS_ERR(copy))
		return PTR_ERR(copy);
	copies->handles = copy;
	copies->cpu = kvcalloc(args->bo_count, sizeof(*copies->cpu), GFP_KERNEL);
	if (!copies->cpu)
		return -ENOMEM;
	if (!args->address_count)
		return 0;
	copy = vmemdup_user(u64_to_user_ptr(args->addresses),
			    args->address_count * sizeof(struct drm_v3dcl_address));
	if (IS_ERR(copy))
		return PTR_ERR(copy);
	copies->addresses = copy;
	return 0;
}

/* Says which handle it was that names no BO, after the look-up failed */
static int bv3d_lists_refuse_handle(struct drm_file *file_priv, const u32 *handles, u32 count)
{
	u32 i = bv3d_bo_first_unknown(file_priv, handles, count);
	struct v3dcl_refusal refusal;

	if (i == count)
		return -EINVAL;
	v3dcl_refuse_list_handle(&refusal, i, handles[i]);
	return bv3d_refuse(file_priv->driver_priv, &refusal);
}

static int bv3d_lists_bos(struct bv3d_submit *submit, struct drm_file *file_priv,
			  struct v3dcl_lists_copies *copies, u32 count)
{
	int ret = bv3d_submit_bos(submit, file_priv, copies->handles, count);
	u32 i;

	if (ret == -EINVAL)
		return bv3d_lists_refuse_handle(file_priv, copies->handles, count);
	for (i = 0; !ret && i < count; i++)
		copies->cpu[i] = to_bv3d_bo(submit->handles[i])->vaddr;
	return ret;
}

/* A bin list, a render list, or both: the last one's end is the submit's */
static int bv3d_lists_jobs(struct bv3d_submit *submit, const struct v3dcl_lists_job *lists)
{
	bool bins = lists->bin_start != lists->bin_end;
	struct bv3d_job *job;

	if (lists->render_start != lists->render_end) {
		job = bv3d_cl_job_create(submit, V3D_RENDER, lists->render_start,
					 lists->render_end);
		if (IS_ERR(job))
			return PTR_ERR(job);
		submit->last = job;
	}
	if (!bins)
		return 0;
	job = bv3d_cl_job_create(submit, V3D_BIN, lists->bin_start, lists->bin_end);
	if (IS_ERR(job))
		return PTR_ERR(job);
	if (submit->last)
		submit->bin = job;
	else
		submit->last = job;
	bv3d_binmem_provide(submit->v3d);
	return 0;
}

static int bv3d_lists_queue(struct bv3d_submit *submit, struct drm_file *file_priv,
			    struct drm_v3dcl_submit_lists *args)
{
	const struct bv3d_syncs syncs = {
		.in = args->in_syncs,
		.out = args->out_syncs,
		.in_count = args->in_sync_count,
		.out_count = args->out_sync_count,
	};

	return bv3d_submit_queue(submit, file_priv, NULL, &syncs, &args->seqno);
}

/* Everything but its place in the queues */
static int bv3d_lists_prepare(struct bv3d_submit *submit, struct drm_file *file_priv,
			      const struct drm_v3dcl_submit_lists *args,
			      struct v3dcl_lists_job *lists, struct v3dcl_lists_copies *copies)
{
	struct bv3d_file *file = file_priv->driver_priv;
	int ret = bv3d_lists_copy(copies, args);

	if (!ret)
		ret = bv3d_lists_bos(submit, file_priv, copies, args->bo_count);
	if (ret)
		return ret;
	v3dcl_fill_lists_job(lists, args, copies, submit->uses);
	if (!v3dcl_check_lists(lists))
		return bv3d_refuse(file, &lists->refusal);
	submit->lists = lists;
	ret = bv3d_submit_perfmon(submit, file, args->perfmon);
	return ret ?: bv3d_lists_jobs(submit, lists);
}

/**
 * bv3d_submit_lists_ioctl() - SUBMIT_LISTS: control lists as they are
 * @dev: the device
 * @data: &struct drm_v3dcl_submit_lists
 * @file_priv: the caller's file
 *
 * Return: 0; -EACCES when the caller may not; -EINVAL for what is out of range, an unknown handle,
 * a BO that was madvised away, or a syncobj without a fence (GET_REFUSAL tells why); -ENOENT for an
 * unknown perfmon or syncobj, -EFAULT, -ENOMEM, -EINTR, -ENODEV after unbind, -EIO when the V3D is
 * wedged, or what the power domain says
 */
int bv3d_submit_lists_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv)
{
	struct drm_v3dcl_submit_lists *args = data;
	struct v3dcl_lists_job lists = {};
	struct v3dcl_lists_copies copies = {};
	struct bv3d_submit *submit;
	int ret = bv3d_run_unverified();

	if (ret)
		return ret;
	if (!v3dcl_submit_lists_valid(args, &lists.refusal))
		return bv3d_refuse(file_priv->driver_priv, &lists.refusal);
	submit = bv3d_submit_create(dev, file_priv);
	if (IS_ERR(submit))
		return PTR_ERR(submit);
	ret = bv3d_lists_prepare(submit, file_priv, args, &lists, &copies);
	if (!ret)
		ret = bv3d_lists_queue(submit, file_priv, args);
	bv3d_lists_copies_free(&copies);
	bv3d_submit_put(submit);
	return ret;
}
