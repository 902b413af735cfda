// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Answers that the module and the simulated device share, and ranges of the submits' own fields.
 */
#include <drm/v3dcl_dump.h>
#include <v3d/regs.h>

#include "cursor.h"
#include "ioctl.h"

/**
 * v3dcl_supports() - is that a DRM_IOCTL_VC4_GET_PARAM that is answered with yes?
 * @param: from userspace
 * Return: false for IDENT registers, which say more, and for what is unknown
 */
bool v3dcl_supports(__u32 param)
{
	switch (param) {
	case DRM_VC4_PARAM_SUPPORTS_BRANCHES:
	case DRM_VC4_PARAM_SUPPORTS_ETC1:
	case DRM_VC4_PARAM_SUPPORTS_THREADED_FS:
	case DRM_VC4_PARAM_SUPPORTS_FIXED_RCL_ORDER:
	case DRM_VC4_PARAM_SUPPORTS_MADVISE:
	case DRM_VC4_PARAM_SUPPORTS_PERFMON:
		return true;
	default:
		return false;
	}
}

/*
 * A number has room for so many terms, and its analysis adds no more: see add_term() of
 * verify_value.c.
 */
static void tell_value(const struct v3dcl_abstract_value *number, struct drm_v3dcl_refusal *told)
{
	__u32 i;

	told->value = number->span == ~(__u32)0 ? DRM_V3DCL_VALUE_UNKNOWN : DRM_V3DCL_VALUE_SUM;
	if (told->value == DRM_V3DCL_VALUE_UNKNOWN)
		return;
	told->value_low = number->low;
	told->value_span = number->span;
	told->value_terms = number->count;
	for (i = 0; i < number->count && ALWAYS(i < DRM_V3DCL_VALUE_TERMS); i++) {
		told->value_slot[i] = number->slot[i] | (__u32)(number->clamped >> i & 1) << 31;
		told->value_scale[i] = number->scale[i];
	}
}

/* Each text has room in a refusal, with the 0 behind it. */
#define TEXT_FITS(number, name, sentence) \
	TEXT_FITS_##name = 1 / (sizeof(sentence) <= sizeof(((struct drm_v3dcl_refusal *)0)->text)),
enum { V3DCL_RULES(TEXT_FITS) TEXTS_FIT };

/**
 * v3dcl_tell_refusal() - a refusal as GET_REFUSAL tells it
 * @refusal: all 0 when nothing was refused yet
 * @told: every byte of it is set
 */
void v3dcl_tell_refusal(const struct v3dcl_refusal *refusal, struct drm_v3dcl_refusal *told)
{
	const char *text = refusal->part == DRM_V3DCL_PART_NONE ? "" :
								  v3dcl_rule_text(refusal->rule);
	__u32 i;

	*told = (struct drm_v3dcl_refusal){
		.part = refusal->part,
		.offset = refusal->offset,
		.rule = refusal->rule,
		.found = refusal->found,
		.expected = refusal->expected,
		.serial = refusal->serial,
		.lost = refusal->lost,
	};
	for (i = 0; text[i] && ALWAYS(i + 1 < sizeof(told->text)); i++)
		told->text[i] = text[i];
	if (refusal->has_value)
		tell_value(&refusal->value, told);
	told->path_count = refusal->path_count;
	for (i = 0; i < refusal->path_count && i < DRM_V3DCL_PATH; i++)
		told->path[i] = refusal->path[i];
}

/* What a field may be; @least is 0 or 1 */
struct range {
	__u32 offset;
	__u64 found, least, most;
};

#define RANGE(type, args, field, least, most) \
	{ (__u32)__builtin_offsetof(struct type, field), (args)->field, least, most }

static bool in_ranges(const struct range *ranges, __u32 count, struct v3dcl_refusal *refusal)
{
	__u32 i;

	for (i = 0; i < count; i++) {
		const struct range *r = &ranges[i];

		if (r->found < r->least || r->found > r->most)
			return v3dcl_refuse(refusal, DRM_V3DCL_PART_SUBMIT, V3DCL_RULE_SUBMIT_RANGE,
					    r->offset, r->found, r->found ? r->most : r->least);
	}
	return true;
}

#define IN_RANGES(ranges, refusal) in_ranges(ranges, sizeof(ranges) / sizeof((ranges)[0]), refusal)

/**
 * v3dcl_submit_qpu_valid() - are the fields of a SUBMIT_QPU within their limits? Pointers and ids
 * are not looked at.
 * @args: copied from userspace
 * @refusal: set when it returns false
 */
bool v3dcl_submit_qpu_valid(const struct drm_v3dcl_submit_qpu *args, struct v3dcl_refusal *refusal)
{
#define QPU_RANGE(field, least, most) RANGE(drm_v3dcl_submit_qpu, args, field, least, most)
	const struct range ranges[] = {
		QPU_RANGE(program_count, 1, V3DCL_MAX_PROGRAMS),
		QPU_RANGE(uniform_count, 0, V3DCL_MAX_UNIFORMS),
		QPU_RANGE(reloc_count, 0, V3DCL_MAX_RELOCS),
		QPU_RANGE(in_sync_count, 0, DRM_V3DCL_MAX_SYNCS),
		QPU_RANGE(out_sync_count, 0, DRM_V3DCL_MAX_SYNCS),
		QPU_RANGE(timeout_ns, 0, V3DCL_MAX_TIMEOUT_NS),
		QPU_RANGE(flags, 0, 0),
		QPU_RANGE(pad, 0, 0),
	};

	return IN_RANGES(ranges, refusal);
}

/**
 * v3dcl_list_handles() - the handles that a SUBMIT_QPU names, in the order that v3dcl_relocate() is
 * told of their BOs
 * @job: its programs and relocations with their counts are looked at
 * @handles: as many as programs and relocations: those of the programs first
 * @indices: 0, 1, 2...: where each stands among @handles; &v3dcl_qpu_job.program_bos and behind
 *	them reloc_bos
 */
void v3dcl_list_handles(const struct v3dcl_qpu_job *job, __u32 *handles, __u32 *indices)
{
	__u32 i;

	for (i = 0; i < job->program_count + job->reloc_count; i++) {
		indices[i] = i;
		handles[i] = i < job->program_count ? job->programs[i].handle :
						      job->relocs[i - job->program_count].handle;
	}
}

/**
 * v3dcl_refuse_handle() - one of the handles of v3dcl_list_handles() names no BO
 * @refusal: set
 * @program_count: how many of them are programs'
 * @which: index among them
 * @handle: the handle
 */
void v3dcl_refuse_handle(struct v3dcl_refusal *refusal, __u32 program_count, __u32 which,
			 __u32 handle)
{
	if (which < program_count)
		v3dcl_refuse(refusal, DRM_V3DCL_PART_PROGRAM, V3DCL_RULE_BO_HANDLE,
			     which * sizeof(struct drm_v3dcl_program) +
				     __builtin_offsetof(struct drm_v3dcl_program, handle),
			     handle, 0);
	else
		v3dcl_refuse(refusal, DRM_V3DCL_PART_RELOC, V3DCL_RULE_BO_HANDLE,
			     (which - program_count) * sizeof(struct drm_v3dcl_reloc) +
			     __builtin_offsetof(struct drm_v3dcl_reloc, handle), handle, 0);
}

/**
 * v3dcl_all_verified() - are all programs of a SUBMIT_QPU verified?
 * @bos: of the job, in the order of v3dcl_list_handles()
 * @program_count: how many of them are programs'; a BO of something else, which v3dcl_relocate()
 *	refuses, does not count
 *
 * Unverified programs take the rights that making them took: their file may have been handed to
 * another process.
 */
bool v3dcl_all_verified(const struct v3dcl_bo *bos, __u32 program_count)
{
	__u32 i;

	for (i = 0; i < program_count; i++)
		if (bos[i].program && !bos[i].program->verified)
			return false;
	return true;
}

/**
 * v3dcl_submit_lists_valid() - are the counts and reserved fields of a SUBMIT_LISTS within their
 * limits?
 * @args: copied from userspace
 * @refusal: set when it returns false
 */
bool v3dcl_submit_lists_valid(const struct drm_v3dcl_submit_lists *args,
			      struct v3dcl_refusal *refusal)
{
#define LISTS_RANGE(field, least, most) RANGE(drm_v3dcl_submit_lists, args, field, least, most)
	const struct range ranges[] = {
		LISTS_RANGE(bo_count, 1, V3DCL_MAX_LIST_BOS),
		LISTS_RANGE(address_count, 0, V3DCL_MAX_ADDRESSES),
		LISTS_RANGE(in_sync_count, 0, DRM_V3DCL_MAX_SYNCS),
		LISTS_RANGE(out_sync_count, 0, DRM_V3DCL_MAX_SYNCS),
		LISTS_RANGE(flags, 0, 0),
		LISTS_RANGE(bin.pad, 0, 0),
		LISTS_RANGE(render.pad, 0, 0),
	};

	return IN_RANGES(ranges, refusal);
}

/**
 * v3dcl_submit_cl_valid() - are the fields of a SUBMIT_CL within their limits?
 * @args: copied from userspace
 * @refusal: set when it returns false
 *
 * Pointers, ids, and what the checks look at are not looked at.
 */
bool v3dcl_submit_cl_valid(const struct drm_vc4_submit_cl *args, struct v3dcl_refusal *refusal)
{
#define CL_FLAGS \
	(VC4_SUBMIT_CL_USE_CLEAR_COLOR | VC4_SUBMIT_CL_FIXED_RCL_ORDER | \
	 VC4_SUBMIT_CL_RCL_ORDER_INCREASING_X | VC4_SUBMIT_CL_RCL_ORDER_INCREASING_Y)
#define CL_RANGE(field, least, most) RANGE(drm_vc4_submit_cl, args, field, least, most)
	/* The flags are the lowest bits. The pad has no address: it is the 24 bits after clear_s */
	const struct range ranges[] = {
		CL_RANGE(flags, 0, CL_FLAGS), CL_RANGE(pad2, 0, 0),
		{ __builtin_offsetof(struct drm_vc4_submit_cl, clear_s) + 1, args->pad, 0, 0 },
		CL_RANGE(bo_handle_count, 1, V3DCL_MAX_CL_BOS),
		CL_RANGE(bin_cl_size, 0, V3DCL_MAX_CL_BYTES),
		CL_RANGE(shader_rec_size, 0, V3DCL_MAX_CL_BYTES),
		CL_RANGE(uniforms_size, 0, V3DCL_MAX_CL_BYTES),
	};

	return IN_RANGES(ranges, refusal);
}

/**
 * v3dcl_submit_frame_valid() - are the fields of a SUBMIT_FRAME within their limits?
 * @args: copied from userspace
 * @refusal: set when it returns false
 *
 * As v3dcl_submit_cl_valid(). A frame that bins nothing has no binning to wait or to be waited for.
 */
bool v3dcl_submit_frame_valid(const struct drm_v3dcl_submit_frame *args,
			      struct v3dcl_refusal *refusal)
{
#define FRAME_RANGE(field, least, most) RANGE(drm_v3dcl_submit_frame, args, field, least, most)
	const __u32 bin_syncs = args->frame.bin_cl_size ? DRM_V3DCL_MAX_SYNCS : 0;
	const struct range ranges[] = {
		FRAME_RANGE(frame.in_sync, 0, 0),
		FRAME_RANGE(frame.out_sync, 0, 0),
		FRAME_RANGE(bin.in_sync_count, 0, bin_syncs),
		FRAME_RANGE(bin.out_sync_count, 0, bin_syncs),
		FRAME_RANGE(render.in_sync_count, 0, DRM_V3DCL_MAX_SYNCS),
		FRAME_RANGE(render.out_sync_count, 0, DRM_V3DCL_MAX_SYNCS),
		FRAME_RANGE(flags, 0, DRM_V3DCL_FRAME_EXPLICIT),
		FRAME_RANGE(priority, 0, DRM_V3DCL_PRIORITY_HIGH),
	};

	return v3dcl_submit_cl_valid(&args->frame, refusal) && IN_RANGES(ranges, refusal);
}

/**
 * v3dcl_syncs_valid() - are the reserved fields of a submit's syncobjs 0?
 * @syncs: copied from userspace
 * @count: of @syncs, within its range
 */
bool v3dcl_syncs_valid(const struct drm_v3dcl_sync *syncs, __u32 count)
{
	__u32 i;

	for (i = 0; i < count; i++)
		if (syncs[i].pad)
			return false;
	return true;
}

/* Whole instructions, some of them, not too many */
static bool code_size_valid(__u32 size)
{
	return size && size % sizeof(__u64) == 0 && size / sizeof(__u64) <= V3DCL_MAX_INSTRUCTIONS;
}

/**
 * v3dcl_create_shader_valid() - are flags, size and pad of a CREATE_SHADER_BO within their limits?
 * @args: copied from userspace
 */
bool v3dcl_create_shader_valid(const struct drm_vc4_create_shader_bo *args)
{
	return !args->flags && !args->pad && code_size_valid(args->size);
}

/**
 * v3dcl_create_program_valid() - are flags, size and pad of a CREATE_PROGRAM within their limits?
 * @args: copied from userspace
 */
bool v3dcl_create_program_valid(const struct drm_v3dcl_create_program *args)
{
	return !(args->flags & ~DRM_V3DCL_PROGRAM_UNVERIFIED) && !args->pad &&
	       code_size_valid(args->size);
}

/**
 * v3dcl_wait_bo_valid() - is the pad of a WAIT_BO 0? WAIT_SEQNO has none.
 * @args: copied from userspace
 */
bool v3dcl_wait_bo_valid(const struct drm_vc4_wait_bo *args)
{
	return !args->pad;
}

/**
 * v3dcl_perfmon_valid() - may a perfmon have these counters?
 * @sources: enum v3d_counter, unchecked, V3D_COUNTERS of them
 * @count: how many are asked for, unchecked
 */
bool v3dcl_perfmon_valid(const __u8 *sources, __u32 count)
{
	__u32 i;

	if (!count || count > V3D_COUNTERS)
		return false;
	for (i = 0; i < count; i++)
		if (sources[i] >= V3D_COUNTER_COUNT)
			return false;
	return true;
}

/**
 * v3dcl_ident_qpus() - is that a V3D we know?
 * @ident: IDENT0 to 2
 *
 * AG100 Tables 79 to 81: "V3D", technology version 2, at least one slice with a QPU. A V3D without
 * power reads V3D_SLEEPING, which is none.
 * Return: how many QPUs it has, or 0
 */
__u32 v3dcl_ident_qpus(const __u32 ident[3])
{
	const __u32 name = 'V' | '3' << 8 | 'D' << 16;

	if (V3D_GET(ident[0], IDENT0, IDSTR) != name || V3D_GET(ident[0], IDENT0, TVER) != 2)
		return 0;
	return V3D_GET(ident[1], IDENT1, NSLC) * V3D_GET(ident[1], IDENT1, QUPS);
}

/**
 * v3dcl_get_param() - what DRM_IOCTL_VC4_GET_PARAM answers
 * @ident: IDENT0 to 2, as probe read them: asking does not wake the V3D
 * @args: copied from userspace; its value is set
 * Return: false for what is unknown, or a pad
 */
bool v3dcl_get_param(const __u32 ident[3], struct drm_vc4_get_param *args)
{
	if (args->pad)
		return false;
	if (args->param <= DRM_VC4_PARAM_V3D_IDENT2)
		args->value = ident[v3dcl_nospec(args->param, DRM_VC4_PARAM_V3D_IDENT2 + 1)];
	else if (v3dcl_supports(args->param))
		args->value = 1;
	else
		return false;
	return true;
}

/**
 * v3dcl_tell_facts() - what the verifier knows of code, for a dump
 * @shader: what its check found, or NULL
 * @program: likewise; no code is both
 * @facts: filled, but for the address
 */
void v3dcl_tell_facts(const struct v3dcl_shader *shader, const struct v3dcl_program *program,
		      struct v3dcl_dump_facts *facts)
{
	if (shader) {
		facts->checked = V3DCL_DUMP_SHADER;
		facts->uniform_words = shader->uniform_words;
		facts->accesses = shader->sample_count;
		facts->uses = shader->uses;
		facts->varyings = shader->varyings;
		facts->rows_read = shader->rows_read;
		facts->rows_touched = shader->rows_touched;
		facts->rows_written = shader->rows_written;
	}
	if (program && program->verified) {
		facts->checked = V3DCL_DUMP_PROGRAM;
		facts->uniform_words = program->uniform_words;
		facts->accesses = program->use_count;
		__builtin_memcpy(facts->semaphores, program->semaphores,
				 sizeof(facts->semaphores));
	}
}

/**
 * v3dcl_get_own_param() - what DRM_IOCTL_V3DCL_GET_PARAM answers
 * @params: of device and file
 * @args: copied from userspace; its value is set
 * Return: false for what is unknown, or a pad
 */
bool v3dcl_get_own_param(const struct v3dcl_params *params, struct drm_v3dcl_get_param *args)
{
	const __u32 count = DRM_V3DCL_PARAM_REFUSED_NS + 1;
	const __u64 values[DRM_V3DCL_PARAM_REFUSED_NS + 1] = {
		[DRM_V3DCL_PARAM_VERSION] = V3DCL_ABI_VERSION,
		[DRM_V3DCL_PARAM_QPUS] = params->qpus,
		[DRM_V3DCL_PARAM_VPM_ROWS] = V3DCL_USER_VPM_ROWS,
		[DRM_V3DCL_PARAM_MAX_PROGRAMS] = V3DCL_MAX_PROGRAMS,
		[DRM_V3DCL_PARAM_MAX_UNIFORMS] = V3DCL_MAX_UNIFORMS,
		[DRM_V3DCL_PARAM_MAX_RELOCS] = V3DCL_MAX_RELOCS,
		[DRM_V3DCL_PARAM_MAX_TIMEOUT_NS] = V3DCL_MAX_TIMEOUT_NS,
		[DRM_V3DCL_PARAM_MEMORY_BUDGET] = params->budget,
		[DRM_V3DCL_PARAM_MEMORY_USED] = params->used,
		[DRM_V3DCL_PARAM_GUILTY] = params->guilty,
		[DRM_V3DCL_PARAM_INNOCENT] = params->innocent,
		[DRM_V3DCL_PARAM_UNVERIFIED] = params->unverified,
		[DRM_V3DCL_PARAM_RESETS] = params->resets,
		[DRM_V3DCL_PARAM_REFUSED_NS] = params->refused_ns,
	};

	if (args->pad || args->param >= count)
		return false;
	args->value = values[v3dcl_nospec(args->param, count)];
	return true;
}
