/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * What the module and the simulated device say and ask alike at their ioctls: limits, answers, ranges of arguments.
 */
#ifndef V3DCL_VALIDATE_IOCTL_H
#define V3DCL_VALIDATE_IOCTL_H

#include "validate.h"

/* DRM_V3DCL_PARAM_VERSION: rises with each addition */
#define V3DCL_ABI_VERSION 2

/* Of SUBMIT_QPU; GET_PARAM tells all but the default */
#define V3DCL_MAX_PROGRAMS 256
#define V3DCL_MAX_UNIFORMS 65536
#define V3DCL_MAX_RELOCS 4096
#define V3DCL_MAX_TIMEOUT_NS 10000000000ull
#define V3DCL_DEFAULT_TIMEOUT_NS 5000000000ull

/* Of SUBMIT_LISTS */
#define V3DCL_MAX_LIST_BOS 4096
#define V3DCL_MAX_ADDRESSES 65536

/* How many syncobjs a submit may wait for, and how many signal */
#define V3DCL_MAX_SYNCS 64

/* Rows of 64 bytes of the VPM that stay reserved for user programs: all that they can address (AG100 HW-2253). */
#define V3DCL_USER_VPM_ROWS 64

bool v3dcl_supports(__u32 param);
void v3dcl_tell_refusal(const struct v3dcl_refusal *refusal, struct drm_v3dcl_refusal *told);
bool v3dcl_submit_qpu_valid(const struct drm_v3dcl_submit_qpu *args, struct v3dcl_refusal *refusal);
void v3dcl_list_handles(const struct v3dcl_qpu_job *job, __u32 *handles, __u32 *indices);
void v3dcl_refuse_handle(struct v3dcl_refusal *refusal, __u32 program_count, __u32 which, __u32 handle);
bool v3dcl_all_verified(const struct v3dcl_bo *bos, __u32 program_count);
bool v3dcl_submit_lists_valid(const struct drm_v3dcl_submit_lists *args, struct v3dcl_refusal *refusal);

#endif /* V3DCL_VALIDATE_IOCTL_H */
