// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * User programs: the code once, when its immutable BO is made; runs and relocations at each submit.
 *
 * Only what could hang or confuse the QPU by its mere encoding is refused. What a program reads and writes is not looked at, so
 * whoever submits one must be trusted.
 */
#include "cursor.h"
#include "encodings.h"

static bool refuse_code(struct v3dcl_refusal *refusal, __u16 rule, __u32 at, __u64 found, __u64 expected)
{
	return v3dcl_refuse(refusal, DRM_V3DCL_PART_CODE, rule, at * V3D_QPU_INSTRUCTION_BYTES, found, expected);
}

static bool check_word(const struct v3d_qpu_inst *inst, __u32 at, struct v3dcl_refusal *refusal)
{
	if (inst->sig == V3D_QPU_SIG_BREAK)
		return refuse_code(refusal, V3DCL_RULE_CODE_SIGNAL, at, inst->sig, V3D_QPU_SIG_NONE);
	if (inst->kind == V3D_QPU_LOAD_RESERVED)
		return refuse_code(refusal, V3DCL_RULE_CODE_LOAD, at, inst->unpack, 0);
	if (inst->kind == V3D_QPU_BRANCH && !v3dcl_branch_exists(inst->cond_br))
		return refuse_code(refusal, V3DCL_RULE_BRANCH_CONDITION, at, inst->cond_br, V3D_QPU_BRANCH_ALWAYS);
	if ((inst->kind == V3D_QPU_ALU || inst->kind == V3D_QPU_ALU_SMALL_IMMEDIATE) && !v3dcl_op_exists(inst->op_add))
		return refuse_code(refusal, V3DCL_RULE_CODE_OP, at, inst->op_add, V3D_QPU_ADD_NOP);
	return true;
}

/**
 * v3dcl_check_program() - may this be code of user programs?
 * @code: instruction words that nobody can change any more
 * @count: of @code
 * @program: result
 * @refusal: set when it returns false, with the offset of the instruction
 * Return: true when it may: some program end has both its delay slots inside, and no reserved encoding comes before its end
 */
bool v3dcl_check_program(const __u64 *code, __u32 count, struct v3dcl_program *program, struct v3dcl_refusal *refusal)
{
	__u32 i, last = 0, ends = 0;

	if (!count || count > V3DCL_MAX_INSTRUCTIONS)
		return refuse_code(refusal, V3DCL_RULE_CODE_SIZE, 0, count, V3DCL_MAX_INSTRUCTIONS);
	for (i = 0; i + V3D_QPU_END_SLOTS < count; i++) {
		if (code[i] >> 60 == V3D_QPU_SIG_PROGRAM_END) {
			last = i;
			ends++;
		}
	}
	if (!ends)
		return refuse_code(refusal, V3DCL_RULE_CODE_END, count, 0, 1);
	for (i = 0; i <= last + V3D_QPU_END_SLOTS; i++) {
		struct v3d_qpu_inst inst = v3d_qpu_decode(code[i]);

		if (!check_word(&inst, i, refusal))
			return false;
	}
	*program = (struct v3dcl_program){ count, last };
	return true;
}

static bool refuse_run(struct v3dcl_qpu_job *job, __u16 rule, __u32 which, __u32 field, __u64 found, __u64 expected)
{
	return v3dcl_refuse(&job->refusal, DRM_V3DCL_PART_PROGRAM, rule, which * sizeof(struct drm_v3dcl_program) + field, found,
			    expected);
}

#define IN_PROGRAM(field) ((__u32)__builtin_offsetof(struct drm_v3dcl_program, field))
#define IN_RELOC(field) ((__u32)__builtin_offsetof(struct drm_v3dcl_reloc, field))

static bool check_run(struct v3dcl_qpu_job *job, __u32 which)
{
	const struct drm_v3dcl_program *run = &job->programs[which];
	__u32 words = job->uniforms.size / sizeof(__u32), index = job->program_bos[which];
	struct v3dcl_bo *bo;

	if (index >= job->bo_count)
		return refuse_run(job, V3DCL_RULE_BO_INDEX, which, IN_PROGRAM(handle), index, job->bo_count);
	bo = &job->bos[v3dcl_nospec(index, job->bo_count)];
	if (!bo->program)
		return refuse_run(job, V3DCL_RULE_BO_PROGRAM, which, IN_PROGRAM(handle), index, 0);
	if (run->offset % V3D_QPU_INSTRUCTION_BYTES || run->offset / V3D_QPU_INSTRUCTION_BYTES >= bo->program->count)
		return refuse_run(job, V3DCL_RULE_PROGRAM_OFFSET, which, IN_PROGRAM(offset), run->offset,
				  bo->program->count * V3D_QPU_INSTRUCTION_BYTES);
	if (run->offset / V3D_QPU_INSTRUCTION_BYTES > bo->program->last_end)
		return refuse_run(job, V3DCL_RULE_PROGRAM_END, which, IN_PROGRAM(offset), run->offset,
				  bo->program->last_end * V3D_QPU_INSTRUCTION_BYTES);
	if (!v3dcl_inside(run->first_uniform, run->uniform_count, words))
		return refuse_run(job, V3DCL_RULE_PROGRAM_UNIFORMS, which, IN_PROGRAM(first_uniform),
				  (__u64)run->first_uniform + run->uniform_count, words);
	bo->uses |= V3DCL_CODE;
	job->runs[which] = (struct v3dcl_run){
		.code = bo->address + run->offset,
		.uniforms = run->uniform_count ? job->uniforms.address + run->first_uniform * (__u32)sizeof(__u32) : 0,
		.uniform_count = run->uniform_count,
	};
	return true;
}

static bool refuse_reloc(struct v3dcl_qpu_job *job, __u16 rule, __u32 which, __u32 field, __u64 found, __u64 expected)
{
	return v3dcl_refuse(&job->refusal, DRM_V3DCL_PART_RELOC, rule, which * sizeof(struct drm_v3dcl_reloc) + field, found,
			    expected);
}

#define BOTH_WAYS (DRM_V3DCL_RELOC_READ | DRM_V3DCL_RELOC_WRITE)

static bool relocate(struct v3dcl_qpu_job *job, __u32 which)
{
	const struct drm_v3dcl_reloc *reloc = &job->relocs[which];
	const struct drm_v3dcl_program *run;
	struct v3dcl_bo *bo;
	__u32 uses;

	if (reloc->program >= job->program_count)
		return refuse_reloc(job, V3DCL_RULE_RELOC_PROGRAM, which, IN_RELOC(program), reloc->program, job->program_count);
	run = &job->programs[v3dcl_nospec(reloc->program, job->program_count)];
	if (reloc->slot >= run->uniform_count)
		return refuse_reloc(job, V3DCL_RULE_RELOC_SLOT, which, IN_RELOC(slot), reloc->slot, run->uniform_count);
	if (!reloc->flags || reloc->flags & ~BOTH_WAYS)
		return refuse_reloc(job, V3DCL_RULE_RELOC_FLAGS, which, IN_RELOC(flags), reloc->flags, BOTH_WAYS);
	if (reloc->pad)
		return refuse_reloc(job, V3DCL_RULE_RELOC_PAD, which, IN_RELOC(pad), reloc->pad, 0);
	uses = (reloc->flags & DRM_V3DCL_RELOC_READ ? V3DCL_READ : 0) | (reloc->flags & DRM_V3DCL_RELOC_WRITE ? V3DCL_WRITE : 0);
	if (job->reloc_bos[which] >= job->bo_count)
		return refuse_reloc(job, V3DCL_RULE_BO_INDEX, which, IN_RELOC(handle), job->reloc_bos[which], job->bo_count);
	bo = &job->bos[v3dcl_nospec(job->reloc_bos[which], job->bo_count)];
	if (bo->shader || bo->program)
		return refuse_reloc(job, V3DCL_RULE_BO_PLAIN, which, IN_RELOC(handle), reloc->handle, 0);
	if (reloc->offset >= bo->size)
		return refuse_reloc(job, V3DCL_RULE_RELOC_OFFSET, which, IN_RELOC(offset), reloc->offset, bo->size);
	bo->uses |= uses;
	v3dcl_put_le32(job->uniforms.cpu + (run->first_uniform + reloc->slot) * sizeof(__u32), bo->address + reloc->offset);
	return true;
}

/**
 * v3dcl_relocate() - check a job of user programs and put addresses into its uniforms
 * @job: all but @runs filled in
 *
 * Two relocations may name one word: the later one holds, both BOs count as used.
 *
 * Return: false with the job's refusal set
 */
bool v3dcl_relocate(struct v3dcl_qpu_job *job)
{
	__u32 i, end;

	if (job->uniforms.size && __builtin_add_overflow(job->uniforms.address, job->uniforms.size - 1, &end))
		return v3dcl_refuse(&job->refusal, DRM_V3DCL_PART_UNIFORMS, V3DCL_RULE_OVERFLOW, 0,
				    (__u64)job->uniforms.address + job->uniforms.size, 0);
	for (i = 0; i < job->program_count; i++)
		if (!check_run(job, i))
			return false;
	for (i = 0; i < job->reloc_count; i++)
		if (!relocate(job, i))
			return false;
	return true;
}
