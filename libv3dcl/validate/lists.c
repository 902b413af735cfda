// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Raw lists: that they and the places for addresses lie inside BOs that may be written. What the
 * lists say is not looked at.
 */
#include "cursor.h"
#include "lists.h"

#define IN_ADDRESS(field) ((__u32)__builtin_offsetof(struct drm_v3dcl_address, field))
#define IN_LIST(field) ((__u32)__builtin_offsetof(struct drm_v3dcl_list, field))
#define IN_SUBMIT(field) ((__u32)__builtin_offsetof(struct drm_v3dcl_submit_lists, field))

static bool is_code(const struct v3dcl_bo *bo)
{
	return bo->shader || bo->program;
}

static bool refuse_list(struct v3dcl_lists_job *job, __u16 rule, __u32 at, __u64 found,
			__u64 expected)
{
	return v3dcl_refuse(&job->refusal, DRM_V3DCL_PART_SUBMIT, rule, at, found, expected);
}

/* @at: of the list in the submit */
static bool check_list(struct v3dcl_lists_job *job, const struct drm_v3dcl_list *list, __u32 at,
		       __u32 *start, __u32 *end)
{
	const struct v3dcl_bo *bo;

	*start = 0;
	*end = 0;
	if (list->start == list->end)
		return true;
	if (list->bo >= job->bo_count)
		return refuse_list(job, V3DCL_RULE_BO_INDEX, at + IN_LIST(bo), list->bo,
				   job->bo_count);
	bo = &job->bos[v3dcl_nospec(list->bo, job->bo_count)];
	if (is_code(bo))
		return refuse_list(job, V3DCL_RULE_BO_PLAIN, at + IN_LIST(bo), list->bo, 0);
	if (list->start > list->end || list->end > bo->size)
		return refuse_list(job, V3DCL_RULE_LIST_END, at + IN_LIST(end), list->end,
				   bo->size);
	/* A list that ends with address space, at 2^32, cannot be told to the hardware */
	if (__builtin_add_overflow(bo->address, list->end, end))
		return refuse_list(job, V3DCL_RULE_OVERFLOW, at + IN_LIST(end), list->end, 0);
	*start = bo->address + list->start;
	return true;
}

static bool refuse_address(struct v3dcl_lists_job *job, __u16 rule, __u32 which, __u32 field,
			   __u64 found, __u64 expected)
{
	return v3dcl_refuse(&job->refusal, DRM_V3DCL_PART_ADDRESS, rule,
			    which * sizeof(struct drm_v3dcl_address) + field, found, expected);
}

/* The word that takes an address */
static bool check_place(struct v3dcl_lists_job *job, __u32 which)
{
	const struct drm_v3dcl_address *place = &job->addresses[which];
	const struct v3dcl_bo *bo;
	__u32 index;

	if (place->bo >= job->bo_count)
		return refuse_address(job, V3DCL_RULE_BO_INDEX, which, IN_ADDRESS(bo), place->bo,
				      job->bo_count);
	index = v3dcl_nospec(place->bo, job->bo_count);
	bo = &job->bos[index];
	if (is_code(bo))
		return refuse_address(job, V3DCL_RULE_BO_PLAIN, which, IN_ADDRESS(bo), place->bo,
				      0);
	if (!job->cpu[index])
		return refuse_address(job, V3DCL_RULE_PLACE_MAPPED, which, IN_ADDRESS(bo),
				      place->bo, 0);
	if (!v3dcl_inside(place->offset, sizeof(__u32), bo->size))
		return refuse_address(job, V3DCL_RULE_PLACE_END, which, IN_ADDRESS(offset),
				      place->offset, bo->size);
	return true;
}

/* What it is the address of */
static bool check_target(struct v3dcl_lists_job *job, __u32 which)
{
	const struct drm_v3dcl_address *place = &job->addresses[which];
	const struct v3dcl_bo *target;

	if (place->target >= job->bo_count)
		return refuse_address(job, V3DCL_RULE_BO_INDEX, which, IN_ADDRESS(target),
				      place->target, job->bo_count);
	target = &job->bos[v3dcl_nospec(place->target, job->bo_count)];
	if (place->target_offset >= target->size)
		return refuse_address(job, V3DCL_RULE_PLACE_TARGET, which,
				      IN_ADDRESS(target_offset), place->target_offset,
				      target->size);
	return true;
}

static void record_uses(struct v3dcl_lists_job *job)
{
	__u32 i;

	for (i = 0; i < job->bo_count; i++)
		job->bos[i].uses |= is_code(&job->bos[i]) ?
					    V3DCL_CODE :
					    V3DCL_READ | V3DCL_WRITE | V3DCL_READ_BINNING;
}

/**
 * v3dcl_check_lists() - can a job of raw lists be put together?
 * @job: its inputs filled in; nothing is written to memory
 * Return: false with the job's refusal set
 */
bool v3dcl_check_lists(struct v3dcl_lists_job *job)
{
	const struct drm_v3dcl_submit_lists *submit = job->submit;
	__u32 i;

	if (submit->bin.start == submit->bin.end && submit->render.start == submit->render.end)
		return refuse_list(job, V3DCL_RULE_LIST_NONE, IN_SUBMIT(bin), 0, 0);
	if (!check_list(job, &submit->bin, IN_SUBMIT(bin), &job->bin_start, &job->bin_end) ||
	    !check_list(job, &submit->render, IN_SUBMIT(render), &job->render_start,
			&job->render_end))
		return false;
	for (i = 0; i < submit->address_count; i++)
		if (!check_place(job, i) || !check_target(job, i))
			return false;
	record_uses(job);
	return true;
}

/**
 * v3dcl_place_addresses() - add the addresses to the words where they belong
 * @job: checked by v3dcl_check_lists()
 *
 * The one place where memory that userspace may have mapped is read: what it holds only matters to
 * the lists, which are not checked. check_place() and check_target() have been asked about every
 * place; another one would be left alone.
 */
void v3dcl_place_addresses(const struct v3dcl_lists_job *job)
{
	__u32 i;

	for (i = 0; i < job->submit->address_count; i++) {
		const struct drm_v3dcl_address *place = &job->addresses[i];
		__u32 bo, target;
		__u8 *word;

		if (NEVER(place->bo >= job->bo_count || place->target >= job->bo_count))
			continue;
		bo = v3dcl_nospec(place->bo, job->bo_count);
		if (NEVER(!job->cpu[bo] ||
			  !v3dcl_inside(place->offset, sizeof(__u32), job->bos[bo].size)))
			continue;
		word = job->cpu[bo] + place->offset;
		target = job->bos[v3dcl_nospec(place->target, job->bo_count)].address;
		v3dcl_put_le32(word, v3dcl_le32(word) + target + place->target_offset);
	}
}
