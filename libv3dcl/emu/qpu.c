// SPDX-License-Identifier: MIT
/* SUBMIT_QPU: from the ioctl's argument to a job of user programs. */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"

struct copies {
	void *programs, *relocs, *uniforms;
	uint32_t *handles, *indices, *owners;
	struct syncs syncs;
};

static void copies_free(struct copies *copies)
{
	free(copies->programs);
	free(copies->relocs);
	free(copies->uniforms);
	syncs_free(&copies->syncs);
	free(copies->handles);
	free(copies->indices);
	free(copies->owners);
}

static int copy_arrays(struct copies *copies, const struct drm_v3dcl_submit_qpu *args)
{
	int ret = user_dup(&copies->programs, args->programs, args->program_count, sizeof(struct drm_v3dcl_program));

	ret = ret ? ret : user_dup(&copies->relocs, args->relocs, args->reloc_count, sizeof(struct drm_v3dcl_reloc));
	ret = ret ? ret : user_dup(&copies->uniforms, args->uniforms, args->uniform_count, sizeof(uint32_t));
	return ret ? ret : syncs_copy(&copies->syncs, args->in_syncs, args->in_sync_count, args->out_syncs, args->out_sync_count);
}

static int copy_all(struct copies *copies, const struct drm_v3dcl_submit_qpu *args)
{
	struct v3dcl_qpu_job listed = { .program_count = args->program_count, .reloc_count = args->reloc_count };
	uint32_t count = args->program_count + args->reloc_count;
	int ret = copy_arrays(copies, args);

	if (ret)
		return ret;
	copies->handles = calloc(count, sizeof(uint32_t));
	copies->indices = calloc(count, sizeof(uint32_t));
	copies->owners = calloc(args->uniform_count + 1, sizeof(uint32_t));
	if (!copies->handles || !copies->indices || !copies->owners)
		return -ENOMEM;
	listed.programs = copies->programs;
	listed.relocs = copies->relocs;
	v3dcl_list_handles(&listed, copies->handles, copies->indices);
	return 0;
}

/* Says which handle it was that names no BO, if it was one */
static int refuse_handle(struct emu_file *file, const struct drm_v3dcl_submit_qpu *args, const struct copies *copies)
{
	struct v3dcl_refusal refusal;
	uint32_t i;

	for (i = 0; i < args->program_count + args->reloc_count; i++) {
		if (bo_find(file, copies->handles[i]))
			continue;
		v3dcl_refuse_handle(&refusal, args->program_count, i, copies->handles[i]);
		return emu_refuse(file, &refusal);
	}
	return -EINVAL;
}

static int reserve_uniforms(struct job *job, const struct drm_v3dcl_submit_qpu *args)
{
	if (!args->uniform_count)
		return 0;
	return own_alloc(job->file->dev, args->uniform_count * sizeof(uint32_t), &job->exec) ? 0 : -ENOMEM;
}

static int relocate(struct job *job, const struct drm_v3dcl_submit_qpu *args, const struct copies *copies)
{
	struct v3dcl_qpu_job checked = {
		.programs = copies->programs,
		.program_bos = copies->indices,
		.program_count = args->program_count,
		.relocs = copies->relocs,
		.reloc_bos = copies->indices + args->program_count,
		.reloc_count = args->reloc_count,
		.bos = job->uses,
		.bo_count = job->bo_count,
		.words = copies->uniforms,
		.owners = copies->owners,
		.uniforms = { job->exec.cpu, job->exec.address, args->uniform_count * sizeof(uint32_t) },
	};

	job->run_count = args->program_count;
	job->runs = calloc(job->run_count, sizeof(*job->runs));
	if (!job->runs)
		return -ENOMEM;
	checked.runs = job->runs;
	return v3dcl_relocate(&checked) ? 0 : emu_refuse(job->file, &checked.refusal);
}

/* Everything but its place in the queue. Lock held. */
static int prepare(struct job *job, const struct drm_v3dcl_submit_qpu *args, const struct copies *copies)
{
	int ret = job_bos(job, copies->handles, args->program_count + args->reloc_count);

	if (ret == -EINVAL)
		return refuse_handle(job->file, args, copies);
	job->timeout_ns = args->timeout_ns ? args->timeout_ns : V3DCL_DEFAULT_TIMEOUT_NS;
	if (!ret && !v3dcl_all_proven(job->uses, args->program_count) && !emu_may_run_unproven(job->file->dev))
		ret = -EACCES;
	if (!ret)
		ret = reserve_uniforms(job, args);
	if (!ret)
		ret = relocate(job, args, copies);
	if (ret || !args->perfmon)
		return ret;
	job->perfmon = perfmon_get(job->file, args->perfmon);
	return job->perfmon ? 0 : -ENOENT;
}

int emu_submit_qpu(struct emu_file *file, void *arg)
{
	struct drm_v3dcl_submit_qpu *args = arg;
	struct emu_device *dev = file->dev;
	struct copies copies = { 0 };
	struct job *job;
	struct v3dcl_refusal refusal;
	int ret;

	if (!v3dcl_submit_qpu_valid(args, &refusal))
		return emu_refuse(file, &refusal);
	ret = copy_all(&copies, args);
	if (!ret) {
		pthread_mutex_lock(&dev->lock);
		job = job_new(file, JOB_QPU);
		ret = job ? prepare(job, args, &copies) : -ENOMEM;
		if (!ret)
			ret = job_queue(job, &copies.syncs, NULL, &args->seqno);
		if (ret)
			job_free(job);
		pthread_mutex_unlock(&dev->lock);
	}
	copies_free(&copies);
	return ret;
}
