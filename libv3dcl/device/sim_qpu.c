// SPDX-License-Identifier: MIT
/* SUBMIT_QPU: from the ioctl's argument to a job of user programs. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "sim_syncobj.h"
#include "sim_limits.h"

#define DEFAULT_TIMEOUT_NS UINT64_C(5000000000)

struct copies {
	void *programs, *relocs, *uniforms, *in_syncs, *out_syncs;
	uint32_t *handles, *indices, *owners;
};

static void copies_free(struct copies *copies)
{
	free(copies->programs);
	free(copies->relocs);
	free(copies->uniforms);
	free(copies->in_syncs);
	free(copies->out_syncs);
	free(copies->handles);
	free(copies->indices);
	free(copies->owners);
}

static int check_field(struct sim_file *file, uint32_t offset, uint64_t found, uint64_t least, uint64_t most)
{
	const struct v3dcl_refusal refusal = {
		.part = DRM_V3DCL_PART_SUBMIT, .rule = V3DCL_RULE_SUBMIT_RANGE, .offset = offset, .found = found,
		.expected = found < least ? least : most,
	};

	return found >= least && found <= most ? 0 : sim_refuse(file, &refusal);
}

#define CHECK(name, least, most) check_field(file, offsetof(struct drm_v3dcl_submit_qpu, name), args->name, least, most)

static int check_args(struct sim_file *file, const struct drm_v3dcl_submit_qpu *args)
{
	int ret = CHECK(program_count, 1, SIM_MAX_PROGRAMS);

	ret = ret ? ret : CHECK(uniform_count, 0, SIM_MAX_UNIFORMS);
	ret = ret ? ret : CHECK(reloc_count, 0, SIM_MAX_RELOCS);
	ret = ret ? ret : CHECK(in_sync_count, 0, SIM_MAX_SYNCS);
	ret = ret ? ret : CHECK(out_sync_count, 0, SIM_MAX_SYNCS);
	ret = ret ? ret : CHECK(timeout_ns, 0, SIM_MAX_TIMEOUT_NS);
	ret = ret ? ret : CHECK(flags, 0, 0);
	return ret ? ret : CHECK(pad, 0, 0);
}

static int copy_arrays(struct copies *copies, const struct drm_v3dcl_submit_qpu *args)
{
	int ret = user_dup(&copies->programs, args->programs, args->program_count, sizeof(struct drm_v3dcl_program));

	ret = ret ? ret : user_dup(&copies->relocs, args->relocs, args->reloc_count, sizeof(struct drm_v3dcl_reloc));
	ret = ret ? ret : user_dup(&copies->uniforms, args->uniforms, args->uniform_count, sizeof(uint32_t));
	ret = ret ? ret : user_dup(&copies->in_syncs, args->in_syncs, args->in_sync_count, sizeof(struct drm_v3dcl_sync));
	return ret ? ret : user_dup(&copies->out_syncs, args->out_syncs, args->out_sync_count, sizeof(struct drm_v3dcl_sync));
}

static int copy_all(struct copies *copies, const struct drm_v3dcl_submit_qpu *args)
{
	uint32_t count = args->program_count + args->reloc_count, i;
	int ret = copy_arrays(copies, args);

	if (ret)
		return ret;
	copies->handles = calloc(count, sizeof(uint32_t));
	copies->indices = calloc(count, sizeof(uint32_t));
	copies->owners = calloc(args->uniform_count + 1, sizeof(uint32_t));
	if (!copies->handles || !copies->indices || !copies->owners)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		const struct drm_v3dcl_program *program = (struct drm_v3dcl_program *)copies->programs + i;
		const struct drm_v3dcl_reloc *reloc = (struct drm_v3dcl_reloc *)copies->relocs + (i - args->program_count);

		copies->indices[i] = i;
		copies->handles[i] = i < args->program_count ? program->handle : reloc->handle;
	}
	return 0;
}

/* Says which handle it was that names no BO, if it was one */
static int refuse_handle(struct sim_file *file, const struct drm_v3dcl_submit_qpu *args, const struct copies *copies)
{
	struct v3dcl_refusal refusal = { .rule = V3DCL_RULE_BO_HANDLE };
	uint32_t i;

	for (i = 0; i < args->program_count + args->reloc_count; i++) {
		if (bo_find(file, copies->handles[i]))
			continue;
		refusal.found = copies->handles[i];
		if (i < args->program_count) {
			refusal.part = DRM_V3DCL_PART_PROGRAM;
			refusal.offset = i * sizeof(struct drm_v3dcl_program) + offsetof(struct drm_v3dcl_program, handle);
		} else {
			refusal.part = DRM_V3DCL_PART_RELOC;
			refusal.offset = (i - args->program_count) * sizeof(struct drm_v3dcl_reloc) +
					 offsetof(struct drm_v3dcl_reloc, handle);
		}
		return sim_refuse(file, &refusal);
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
	return v3dcl_relocate(&checked) ? 0 : sim_refuse(job->file, &checked.refusal);
}

/* Everything but its place in the queue. Lock held. */
static int prepare(struct job *job, const struct drm_v3dcl_submit_qpu *args, const struct copies *copies)
{
	int ret = job_bos(job, copies->handles, args->program_count + args->reloc_count);

	if (ret == -EINVAL)
		return refuse_handle(job->file, args, copies);
	job->timeout_ns = args->timeout_ns ? args->timeout_ns : DEFAULT_TIMEOUT_NS;
	if (!ret)
		ret = reserve_uniforms(job, args);
	if (!ret)
		ret = relocate(job, args, copies);
	if (ret || !args->perfmon)
		return ret;
	job->perfmon = perfmon_get(job->file, args->perfmon);
	return job->perfmon ? 0 : -ENOENT;
}

static int check_syncs(const struct drm_v3dcl_sync *syncs, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (syncs[i].pad)
			return -EINVAL;
	return 0;
}

/* Lock held */
static int queue(struct job *job, struct drm_v3dcl_submit_qpu *args, const struct copies *copies)
{
	const struct drm_v3dcl_sync *ins = copies->in_syncs, *outs = copies->out_syncs;
	int ret = check_syncs(ins, args->in_sync_count);
	struct syncobj *out;
	uint32_t i;

	for (i = 0; !ret && i < args->in_sync_count; i++) {
		struct fence *fence = syncobj_fence(job->file, ins[i].handle, ins[i].point, &ret);

		if (fence)
			ret = job_wait_for(job, fence);
	}
	if (!ret)
		ret = check_syncs(outs, args->out_sync_count);
	for (i = 0; !ret && i < args->out_sync_count; i++)
		ret = syncobj_find(job->file, outs[i].handle, &out);
	if (!ret)
		ret = job_push(job);
	if (ret)
		return ret;
	args->seqno = job->seqno;
	for (i = 0; i < args->out_sync_count; i++)
		if (!syncobj_find(job->file, outs[i].handle, &out))
			syncobj_replace(out, job->done, outs[i].point);
	return 0;
}

int sim_submit_qpu(struct sim_file *file, void *arg)
{
	struct drm_v3dcl_submit_qpu *args = arg;
	struct sim_device *dev = file->dev;
	struct copies copies = { 0 };
	struct job *job;
	int ret = sim_privileged(dev) ? check_args(file, args) : -EACCES;

	if (ret)
		return ret;
	ret = copy_all(&copies, args);
	if (!ret) {
		pthread_mutex_lock(&dev->lock);
		job = job_new(file, JOB_QPU);
		ret = job ? prepare(job, args, &copies) : -ENOMEM;
		if (!ret)
			ret = queue(job, args, &copies);
		if (ret)
			job_free(job);
		pthread_mutex_unlock(&dev->lock);
	}
	copies_free(&copies);
	return ret;
}
