/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * Raw lists, which are not checked: where they are, and the addresses that go into them. A client
 * that submits them can reach all memory.
 */
#ifndef V3DCL_VALIDATE_LISTS_H
#define V3DCL_VALIDATE_LISTS_H

#include "validate.h"

/**
 * struct v3dcl_lists_job - a job of raw lists
 * @submit: a copy of the ioctl's argument that v3dcl_submit_lists_valid()
 * @addresses: copied from the submit, as many as it says
 * @bos: the job's BOs, in the order of the submit's handles; their uses are recorded here
 * @cpu: for each of @bos where its bytes are for us, NULL when we do not have them
 * @bo_count: of both
 * @bin_start: set by v3dcl_check_lists(): for CT0CA
 * @bin_end: for CT0EA; equal to @bin_start for no list
 * @render_start: for CT1CA
 * @render_end: for CT1EA; equal to @render_start for no list
 * @refusal: set when v3dcl_check_lists() returns false
 */
struct v3dcl_lists_job {
	const struct drm_v3dcl_submit_lists *submit;
	const struct drm_v3dcl_address *addresses;
	struct v3dcl_bo *bos;
	__u8 *const *cpu;
	__u32 bo_count;

	__u32 bin_start, bin_end;
	__u32 render_start, render_end;
	struct v3dcl_refusal refusal;
};

bool v3dcl_check_lists(struct v3dcl_lists_job *job);
void v3dcl_place_addresses(const struct v3dcl_lists_job *job);

#endif /* V3DCL_VALIDATE_LISTS_H */
