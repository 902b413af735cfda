// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Answers that the module and the simulated device share, and ranges of the submits' own fields.
 */
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
		QPU_RANGE(in_sync_count, 0, V3DCL_MAX_SYNCS),
		QPU_RANGE(out_sync_count, 0, V3DCL_MAX_SYNCS),
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
		LISTS_RANGE(in_sync_count, 0, V3DCL_MAX_SYNCS),
		LISTS_RANGE(out_sync_count, 0, V3DCL_MAX_SYNCS),
		LISTS_RANGE(flags, 0, 0),
		LISTS_RANGE(bin.pad, 0, 0),
		LISTS_RANGE(render.pad, 0, 0),
	};

	return IN_RANGES(ranges, refusal);
}
