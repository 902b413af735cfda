// SPDX-License-Identifier: MIT
/* SUBMIT_LISTS: from the ioctl's argument to a job of lists that go to the chip as they are. */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"
#include "submit.h"

static void copies_free(struct v3dcl_lists_copies *copies)
{
	free(copies->handles);
	free(copies->addresses);
	free(copies->cpu);
}

static int copy_all(struct v3dcl_lists_copies *copies, const struct drm_v3dcl_submit_lists *args)
{
	int ret = user_dup(&copies->handles, args->bo_handles, args->bo_count, sizeof(uint32_t));

	ret = ret ? ret :
		    user_dup(&copies->addresses, args->addresses, args->address_count,
			     sizeof(struct drm_v3dcl_address));
	if (ret)
		return ret;
	copies->cpu = calloc(args->bo_count, sizeof(*copies->cpu));
	return copies->cpu ? 0 : -ENOMEM;
}

/* Says which handle it was that names no BO, if it was one */
static int refuse_handle(struct emu_file *file, const uint32_t *handles, uint32_t count)
{
	struct v3dcl_refusal refusal;
	uint32_t i;

	for (i = 0; i < count && bo_find(file, handles[i]); i++)
		;
	if (i == count)
		return -EINVAL;
	v3dcl_refuse_list_handle(&refusal, i, handles[i]);
	return emu_refuse(file, &refusal);
}

/* Everything but its place in the queue. Lock held. */
static int prepare(struct job *job, const struct drm_v3dcl_submit_lists *args,
		   const struct v3dcl_lists_copies *copies, struct v3dcl_lists_job *lists)
{
	int ret = job_bos(job, copies->handles, args->bo_count);
	uint32_t i;

	if (ret == -EINVAL)
		return refuse_handle(job->file, copies->handles, args->bo_count);
	if (ret)
		return ret;
	for (i = 0; i < args->bo_count; i++)
		copies->cpu[i] = bo_cpu(job->bos[i]);
	job->unlisted_code = true;
	v3dcl_fill_lists_job(lists, args, copies, job->uses);
	if (!v3dcl_check_lists(lists))
		return emu_refuse(job->file, &lists->refusal);
	job->bin_start = lists->bin_start;
	job->bin_end = lists->bin_end;
	job->render_start = lists->render_start;
	job->render_end = lists->render_end;
	if (!args->perfmon)
		return 0;
	job->perfmon = perfmon_get(job->file, args->perfmon);
	return job->perfmon ? 0 : -ENOENT;
}

int emu_submit_lists(struct emu_file *file, void *arg)
{
	struct drm_v3dcl_submit_lists *args = arg;
	const struct syncs syncs = { args->in_syncs, args->out_syncs, args->in_sync_count,
				     args->out_sync_count };
	struct v3dcl_lists_job lists = { 0 };
	struct v3dcl_lists_copies copies = { 0 };
	struct emu_device *dev = file->dev;
	struct job *job;
	int ret;

	if (!emu_may_run_unverified(dev))
		return -EACCES;
	if (!v3dcl_submit_lists_valid(args, &lists.refusal))
		return emu_refuse(file, &lists.refusal);
	ret = copy_all(&copies, args);
	if (!ret) {
		pthread_mutex_lock(&dev->lock);
		job = job_new(file, JOB_FRAME);
		ret = job ? prepare(job, args, &copies, &lists) : -ENOMEM;
		if (!ret)
			ret = job_queue(job, &syncs, 1, &lists, &args->seqno);
		if (ret)
			job_give_up(job);
		pthread_mutex_unlock(&dev->lock);
	}
	copies_free(&copies);
	return ret;
}
