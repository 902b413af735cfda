// SPDX-License-Identifier: MIT
/* What submits say of themselves: see submits.h. */
#include "ioctl.h"
#include "submits.h"

#define MOST_SYNCS DRM_V3DCL_MAX_SYNCS
#define MOST_BYTES (16u << 20) /* of each part of a SUBMIT_CL */
#define CL_FLAGS 0xfu
#define EXPLICIT 1u
#define HIGH 2u /* the last priority */

/* At its limit, just beyond, or far from it */
static uint32_t edge(struct dice *d, uint32_t most)
{
	return one_in(d, 4) ? odd_number(d) : near(d, most, 1);
}

static const char *of_programs(struct dice *d)
{
	struct drm_v3dcl_submit_qpu s = { .program_count = 1 + roll(d, 4) };
	const uint64_t most_ns = 10000000000;
	struct v3dcl_refusal refusal;
	uint32_t *const fields[] = {
		&s.program_count,  &s.uniform_count, &s.reloc_count, &s.in_sync_count,
		&s.out_sync_count, &s.flags,	     &s.pad
	};
	static const uint32_t most[] = { 256, 65536, 4096, MOST_SYNCS, MOST_SYNCS, 0, 0 };
	const uint32_t which = roll(d, 8);

	if (which < 7)
		*fields[which] = edge(d, one_in(d, 2) ? most[which] : 0);
	else
		s.timeout_ns = one_in(d, 2) ? dice_word(d) : most_ns + roll(d, 3) - 1;
	if (!v3dcl_submit_qpu_valid(&s, &refusal))
		return NULL;
	if (!s.program_count)
		return "a submit of no program";
	for (uint32_t i = 0; i < 7; i++)
		if (*fields[i] > most[i])
			return "a submit of programs with a field beyond its limit";
	return s.timeout_ns > most_ns ? "a submit with too long a timeout" : NULL;
}

static const char *of_lists(struct dice *d)
{
	struct drm_v3dcl_submit_lists s = { .bo_count = 1 + roll(d, 4) };
	struct v3dcl_refusal refusal;
	uint32_t *const fields[] = { &s.bo_count,	&s.address_count, &s.in_sync_count,
				     &s.out_sync_count, &s.flags,	  &s.bin.pad,
				     &s.render.pad };
	static const uint32_t most[] = { 4096, 65536, MOST_SYNCS, MOST_SYNCS, 0, 0, 0 };
	const uint32_t which = roll(d, 7);

	*fields[which] = edge(d, one_in(d, 2) ? most[which] : 0);
	if (!v3dcl_submit_lists_valid(&s, &refusal))
		return NULL;
	if (!s.bo_count)
		return "a submit of lists without BOs";
	for (uint32_t i = 0; i < 7; i++)
		if (*fields[i] > most[i])
			return "a submit of lists with a field beyond its limit";
	return NULL;
}

static const char *of_frame(struct dice *d)
{
	struct drm_vc4_submit_cl s = { .bo_handle_count = 1 + roll(d, 4) };
	struct v3dcl_refusal refusal;
	uint32_t *const fields[] = { &s.bo_handle_count, &s.bin_cl_size, &s.shader_rec_size,
				     &s.uniforms_size,	 &s.flags,	 &s.pad2 };
	static const uint32_t most[] = { 65536, MOST_BYTES, MOST_BYTES, MOST_BYTES, CL_FLAGS, 0 };
	const uint32_t which = roll(d, 7);

	if (which < 6)
		*fields[which] = edge(d, one_in(d, 2) ? most[which] : 0);
	else
		s.pad = 1u << roll(d, 24);
	if (!v3dcl_submit_cl_valid(&s, &refusal))
		return NULL;
	if (!s.bo_handle_count || s.pad)
		return "a submit of a frame without BOs, or with a pad";
	for (uint32_t i = 0; i < 6; i++)
		if (*fields[i] > most[i])
			return "a submit of a frame with a field beyond its limit";
	return NULL;
}

static const char *of_stages(struct dice *d)
{
	struct drm_v3dcl_submit_frame s = { .frame.bo_handle_count = 1,
					    .frame.bin_cl_size = roll(d, 2) };
	const uint32_t bins = s.frame.bin_cl_size ? MOST_SYNCS : 0;
	struct v3dcl_refusal refusal;
	uint32_t *const fields[] = {
		&s.bin.in_sync_count, &s.bin.out_sync_count, &s.render.in_sync_count,
		&s.render.out_sync_count, &s.flags, &s.priority,
		&s.frame.in_sync, &s.frame.out_sync, &s.frame.pad2,
	};
	const uint32_t most[] = { bins, bins, MOST_SYNCS, MOST_SYNCS, EXPLICIT, HIGH, 0, 0, 0 };
	const uint32_t which = roll(d, 9);

	*fields[which] = edge(d, one_in(d, 2) ? most[which] : 0);
	if (!v3dcl_submit_frame_valid(&s, &refusal))
		return NULL;
	for (uint32_t i = 0; i < 9; i++)
		if (*fields[i] > most[i])
			return "a submit of a frame's stages with a field beyond its limit";
	return NULL;
}

const char *submits_broken(struct dice *d)
{
	const char *broken = of_programs(d);

	broken = broken ? broken : of_lists(d);
	broken = broken ? broken : of_frame(d);
	return broken ? broken : of_stages(d);
}
