/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * What the module and the simulated device say and ask alike at their ioctls: limits, answers,
 * ranges of arguments.
 */
#ifndef V3DCL_VALIDATE_IOCTL_H
#define V3DCL_VALIDATE_IOCTL_H

#include "validate.h"

/* DRM_V3DCL_PARAM_VERSION: rises with each addition */
#define V3DCL_ABI_VERSION 5

/* Of SUBMIT_QPU; GET_PARAM tells all but the default */
#define V3DCL_MAX_PROGRAMS 256
#define V3DCL_MAX_UNIFORMS 65536
#define V3DCL_MAX_RELOCS 4096
#define V3DCL_MAX_TIMEOUT_NS 10000000000ull
#define V3DCL_DEFAULT_TIMEOUT_NS 5000000000ull

/* Of SUBMIT_LISTS */
#define V3DCL_MAX_LIST_BOS 4096
#define V3DCL_MAX_ADDRESSES 65536

/* Of SUBMIT_CL: BOs, and bytes of each of bin list, shader records, uniforms */
#define V3DCL_MAX_CL_BOS 65536
#define V3DCL_MAX_CL_BYTES (16 << 20)

/* Perfmons that a file may have at a time; one more is ENOMEM. Their ids go from 1 to here */
#define V3DCL_MAX_PERFMONS 65535

/*
 * Rows of 64 bytes of the VPM that stay reserved for user programs: all that they can address
 * (AG100 HW-2253).
 */
#define V3DCL_USER_VPM_ROWS 64

bool v3dcl_supports(__u32 param);
void v3dcl_tell_refusal(const struct v3dcl_refusal *refusal, struct drm_v3dcl_refusal *told);
bool v3dcl_submit_qpu_valid(const struct drm_v3dcl_submit_qpu *args, struct v3dcl_refusal *refusal);
void v3dcl_list_handles(const struct v3dcl_qpu_job *job, __u32 *handles, __u32 *indices);
void v3dcl_refuse_handle(struct v3dcl_refusal *refusal, __u32 program_count, __u32 which,
			 __u32 handle);
bool v3dcl_all_verified(const struct v3dcl_bo *bos, __u32 program_count);
bool v3dcl_submit_lists_valid(const struct drm_v3dcl_submit_lists *args,
			      struct v3dcl_refusal *refusal);
bool v3dcl_submit_cl_valid(const struct drm_vc4_submit_cl *args, struct v3dcl_refusal *refusal);
bool v3dcl_submit_frame_valid(const struct drm_v3dcl_submit_frame *args,
			      struct v3dcl_refusal *refusal);
bool v3dcl_syncs_valid(const struct drm_v3dcl_sync *syncs, __u32 count);
bool v3dcl_create_shader_valid(const struct drm_vc4_create_shader_bo *args);
bool v3dcl_create_program_valid(const struct drm_v3dcl_create_program *args);
bool v3dcl_wait_bo_valid(const struct drm_vc4_wait_bo *args);
bool v3dcl_perfmon_valid(const __u8 *sources, __u32 count);

/**
 * struct v3dcl_params - what GET_PARAM tells of a device and of the file that asks
 * @ident: IDENT0 to 2
 * @qpus: how many there are
 * @unverified: the caller may run unverified programs and raw lists
 * @budget: bytes that BOs may take
 * @used: bytes that they take
 * @guilty: jobs of the file that hung
 * @innocent: jobs of the file that were cancelled by others' resets
 * @resets: of the device, of whatever client
 * @refused_ns: how long the file's submits are still refused, for its hangs
 */
struct v3dcl_params {
	__u32 ident[3];
	__u32 qpus, unverified;
	__u64 budget, used, guilty, innocent, resets, refused_ns;
};

struct v3dcl_dump_facts;

void v3dcl_tell_facts(const struct v3dcl_shader *shader, const struct v3dcl_program *program,
		      struct v3dcl_dump_facts *facts);
__u32 v3dcl_ident_qpus(const __u32 ident[3]);
bool v3dcl_get_param(const __u32 ident[3], struct drm_vc4_get_param *args);
bool v3dcl_get_own_param(const struct v3dcl_params *params, struct drm_v3dcl_get_param *args);

#endif /* V3DCL_VALIDATE_IOCTL_H */
