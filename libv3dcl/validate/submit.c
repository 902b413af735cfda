// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Filling jobs for the checks from what userspace has submitted.
 */
#include "cursor.h"
#include "submit.h"

/* Of what follows the tile state: AG100 Table 38, record 112, asks for less */
#define STATE_ALIGN 256u

/**
 * v3dcl_cl_spans() - what of a SUBMIT_CL is to be copied
 * @args: that v3dcl_submit_cl_valid()
 * @spans: filled. A frame that only renders has no use of shader records and uniforms
 */
void v3dcl_cl_spans(const struct drm_vc4_submit_cl *args,
		    struct v3dcl_user_span spans[V3DCL_CL_PARTS])
{
	bool bins = args->bin_cl_size;

	spans[V3DCL_CL_BIN] = (struct v3dcl_user_span){ args->bin_cl, args->bin_cl_size };
	spans[V3DCL_CL_RECORDS] = (struct v3dcl_user_span){
		args->shader_rec, bins ? args->shader_rec_size : 0,
	};
	spans[V3DCL_CL_UNIFORMS] = (struct v3dcl_user_span){
		args->uniforms, bins ? args->uniforms_size : 0,
	};
}

/**
 * v3dcl_fill_cl_job() - a frame for v3dcl_measure() and v3dcl_check_render()
 * @job: its BOs are the caller's to set
 * @args: that v3dcl_submit_cl_valid(); kept by @job
 * @copies: of what v3dcl_cl_spans() tells, NULL where that is nothing; kept by @job
 */
void v3dcl_fill_cl_job(struct v3dcl_job *job, const struct drm_vc4_submit_cl *args,
		       void *const copies[V3DCL_CL_PARTS])
{
	struct v3dcl_user_span spans[V3DCL_CL_PARTS];

	v3dcl_cl_spans(args, spans);
	job->submit = args;
	job->bin = (struct v3dcl_span){ copies[V3DCL_CL_BIN], spans[V3DCL_CL_BIN].size };
	job->records = (struct v3dcl_span){
		copies[V3DCL_CL_RECORDS], spans[V3DCL_CL_RECORDS].size,
	};
	job->uniforms = (struct v3dcl_span){
		copies[V3DCL_CL_UNIFORMS], spans[V3DCL_CL_UNIFORMS].size,
	};
}

/**
 * v3dcl_tile_bytes() - how much tile memory a frame begins with
 * @needs: measured
 * Return: bytes, at least V3DCL_TILE_CHUNK
 */
__u32 v3dcl_tile_bytes(const struct v3dcl_needs *needs)
{
	__u32 bytes = v3dcl_round_up(needs->state, STATE_ALIGN) + needs->lists;

	return bytes < V3DCL_TILE_CHUNK ? V3DCL_TILE_CHUNK : bytes;
}

/**
 * v3dcl_split_tiles() - tile state first, all that is left is for tile lists
 * @tiles: filled
 * @needs: measured
 * @memory: its address is a multiple of 256, its size at least v3dcl_tile_bytes()
 */
void v3dcl_split_tiles(struct v3dcl_tile_memory *tiles, const struct v3dcl_needs *needs,
		       const struct v3dcl_memory *memory)
{
	__u32 state = v3dcl_round_up(needs->state, STATE_ALIGN);

	tiles->state_cpu = memory->cpu;
	tiles->state = memory->address;
	tiles->state_bytes = state;
	tiles->lists = memory->address + state;
	tiles->lists_bytes = memory->size - state;
}

/**
 * v3dcl_fill_qpu_job() - a job of user programs for v3dcl_list_handles() and v3dcl_relocate()
 * @job: its BOs, and where uniforms and runs go, are the caller's to set
 * @args: that v3dcl_submit_qpu_valid()
 * @copies: made for @args; its arrays are kept by @job
 */
void v3dcl_fill_qpu_job(struct v3dcl_qpu_job *job, const struct drm_v3dcl_submit_qpu *args,
			const struct v3dcl_qpu_copies *copies)
{
	job->programs = copies->programs;
	job->program_bos = copies->indices;
	job->program_count = args->program_count;
	job->relocs = copies->relocs;
	job->reloc_bos = copies->indices + args->program_count;
	job->reloc_count = args->reloc_count;
	job->words = copies->uniforms;
	job->owners = copies->owners;
	job->uniforms = (struct v3dcl_memory){ .size = args->uniform_count * sizeof(__u32) };
}

/**
 * v3dcl_qpu_timeout_ns() - how long the programs of a SUBMIT_QPU may take
 * @args: that v3dcl_submit_qpu_valid()
 * Return: ns, not 0
 */
__u64 v3dcl_qpu_timeout_ns(const struct drm_v3dcl_submit_qpu *args)
{
	return args->timeout_ns ? args->timeout_ns : V3DCL_DEFAULT_TIMEOUT_NS;
}

/**
 * v3dcl_fill_lists_job() - a job of raw lists for v3dcl_check_lists()
 * @job: filled
 * @args: that v3dcl_submit_lists_valid(); kept by @job
 * @copies: made for @args; its arrays are kept by @job
 * @bos: as many as handles, in their order; kept by @job
 */
void v3dcl_fill_lists_job(struct v3dcl_lists_job *job, const struct drm_v3dcl_submit_lists *args,
			  const struct v3dcl_lists_copies *copies, struct v3dcl_bo *bos)
{
	job->submit = args;
	job->addresses = copies->addresses;
	job->bos = bos;
	job->cpu = copies->cpu;
	job->bo_count = args->bo_count;
}

/**
 * v3dcl_bo_fences() - which fences a job waits for, and where its own goes
 * @uses: of the BO, by all handles of the job that name it, once the job is checked
 * @lists: the job is one of raw lists
 *
 * Code never changes, so it needs no fence. A BO that is named and not used keeps its contents
 * until the job ends, as mainline's vc4 does it, but the job does not wait for it. What raw lists
 * bin may be written, too.
 */
struct v3dcl_bo_fences v3dcl_bo_fences(__u32 uses, bool lists)
{
	bool binning = uses & V3DCL_READ_BINNING;

	return (struct v3dcl_bo_fences){
		.fenced = uses != V3DCL_CODE,
		.binning_waits = binning,
		.waits = uses & (V3DCL_READ | V3DCL_WRITE),
		.binning_writes = binning && lists,
		.writes = uses & V3DCL_WRITE,
	};
}

/**
 * v3dcl_refuse_list_handle() - one of the handles of a SUBMIT_LISTS names no BO
 * @refusal: set
 * @which: index among them
 * @handle: the handle
 */
void v3dcl_refuse_list_handle(struct v3dcl_refusal *refusal, __u32 which, __u32 handle)
{
	v3dcl_refuse(refusal, DRM_V3DCL_PART_HANDLE, V3DCL_RULE_BO_HANDLE, which * sizeof(__u32),
		     handle, 0);
}
