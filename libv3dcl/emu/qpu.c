// SPDX-License-Identifier: MIT
/* SUBMIT_QPU: from the ioctl's argument to a job of user programs. */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"
#include "submit.h"

static void copies_free(struct v3dcl_qpu_copies *copies)
{
	free(copies->programs);
	free(copies->relocs);
	free(copies->uniforms);
	free(copies->handles);
	free(copies->indices);
	free(copies->owners);
}

static int copy_arrays(struct v3dcl_qpu_copies *to, const struct drm_v3dcl_submit_qpu *args)
{
	uint32_t count = args->program_count + args->reloc_count;
	int ret = user_dup(&to->programs, args->programs, args->program_count,
			   sizeof(struct drm_v3dcl_program));

	ret = ret ? ret : user_dup(&to->relocs, args->relocs, args->reloc_count,
				   sizeof(struct drm_v3dcl_reloc));
	ret = ret ? ret : user_dup(&to->uniforms, args->uniforms, args->uniform_count,
				   sizeof(uint32_t));
	if (ret)
		return ret;
	to->handles = calloc(count, sizeof(uint32_t));
	to->indices = calloc(count, sizeof(uint32_t));
	to->owners = calloc(args->uniform_count + 1, sizeof(uint32_t));
	return to->handles && to->indices && to->owners ? 0 : -ENOMEM;
}

static int copy_all(struct v3dcl_qpu_copies *copies, struct v3dcl_qpu_job *checked,
		    const struct drm_v3dcl_submit_qpu *args)
{
	int ret = copy_arrays(copies, args);

	if (ret)
		return ret;
	v3dcl_fill_qpu_job(checked, args, copies);
	v3dcl_list_handles(checked, copies->handles, copies->indices);
	return 0;
}

/* Says which handle it was that names no BO, if it was one */
static int refuse_handle(struct emu_file *file, const struct drm_v3dcl_submit_qpu *args,
			 const uint32_t *handles)
{
	struct v3dcl_refusal refusal;
	uint32_t i;

	for (i = 0; i < args->program_count + args->reloc_count; i++) {
		if (bo_find(file, handles[i]))
			continue;
		v3dcl_refuse_handle(&refusal, args->program_count, i, handles[i]);
		return emu_refuse(file, &refusal);
	}
	return -EINVAL;
}

static int reserve_uniforms(struct job *job, const struct drm_v3dcl_submit_qpu *args)
{
	if (!args->uniform_count)
		return 0;
	return own_alloc(job->file->dev, args->uniform_count * sizeof(uint32_t), &job->exec) ?
		       0 :
		       -ENOMEM;
}

static int relocate(struct job *job, struct v3dcl_qpu_job *checked)
{
	checked->bos = job->uses;
	checked->bo_count = job->bo_count;
	checked->uniforms.cpu = job->exec.cpu;
	checked->uniforms.address = job->exec.address;
	job->run_count = checked->program_count;
	job->runs = calloc(job->run_count, sizeof(*job->runs));
	if (!job->runs)
		return -ENOMEM;
	checked->runs = job->runs;
	return v3dcl_relocate(checked) ? 0 : emu_refuse(job->file, &checked->refusal);
}

/* Everything but its place in the queue. Lock held. */
static int prepare(struct job *job, const struct drm_v3dcl_submit_qpu *args,
		   const uint32_t *handles, struct v3dcl_qpu_job *checked)
{
	int ret = job_bos(job, handles, args->program_count + args->reloc_count);

	if (ret == -EINVAL)
		return refuse_handle(job->file, args, handles);
	job->limit = v3dcl_qpu_timeout_ns(args) / EMU_INSTRUCTION_NS;
	if (!ret && !v3dcl_all_verified(job->uses, args->program_count) &&
	    !emu_may_run_unverified(job->file->dev))
		ret = -EACCES;
	if (!ret)
		ret = reserve_uniforms(job, args);
	if (!ret)
		ret = relocate(job, checked);
	if (ret || !args->perfmon)
		return ret;
	job->perfmon = perfmon_get(job->file, args->perfmon);
	return job->perfmon ? 0 : -ENOENT;
}

int emu_submit_qpu(struct emu_file *file, void *arg)
{
	struct drm_v3dcl_submit_qpu *args = arg;
	struct emu_device *dev = file->dev;
	struct v3dcl_qpu_job checked = { 0 };
	const struct syncs syncs = { args->in_syncs, args->out_syncs, args->in_sync_count,
				     args->out_sync_count };
	struct v3dcl_qpu_copies copies = { 0 };
	struct job *job;
	struct v3dcl_refusal refusal;
	int ret;

	if (!v3dcl_submit_qpu_valid(args, &refusal))
		return emu_refuse(file, &refusal);
	ret = copy_all(&copies, &checked, args);
	if (!ret) {
		pthread_mutex_lock(&dev->lock);
		job = job_new(file, JOB_QPU);
		ret = job ? prepare(job, args, copies.handles, &checked) : -ENOMEM;
		if (!ret)
			ret = job_queue(job, &syncs, 1, NULL, &args->seqno);
		if (ret)
			job_give_up(job);
		pthread_mutex_unlock(&dev->lock);
	}
	copies_free(&copies);
	return ret;
}
