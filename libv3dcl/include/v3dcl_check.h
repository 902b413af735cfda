/* SPDX-License-Identifier: MIT */
/*
 * Would a device take it? The very checks of the kernel module and of the simulated device, without
 * either: nothing is opened, nothing runs. A verdict names part, byte, record, field, rule, what
 * was found and what was expected.
 */
#ifndef V3DCL_CHECK_H
#define V3DCL_CHECK_H

#include <drm/v3dcl_drm.h>

#include "v3dcl_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * enum v3dcl_check_kind - what a BO is, and what its code is checked for
 * @V3DCL_CHECK_MEMORY: plain memory
 * @V3DCL_CHECK_SHADER: a shader of frames: DRM_IOCTL_VC4_CREATE_SHADER_BO
 * @V3DCL_CHECK_PROGRAM: a user program, which must be verified to reach no memory but its job's
 * @V3DCL_CHECK_UNVERIFIED: a user program with DRM_V3DCL_PROGRAM_UNVERIFIED
 */
enum v3dcl_check_kind {
	V3DCL_CHECK_MEMORY,
	V3DCL_CHECK_SHADER,
	V3DCL_CHECK_PROGRAM,
	V3DCL_CHECK_UNVERIFIED,
};

/**
 * struct v3dcl_check_bo - a BO that a job names
 * @handle: by which the submit names it; need not be a device's
 * @kind: what it is
 * @size: bytes; of code a multiple of 8
 * @code: @size / 8 instruction words, or NULL for plain memory
 */
struct v3dcl_check_bo {
	uint32_t handle;
	enum v3dcl_check_kind kind;
	uint32_t size;
	const uint64_t *code;
};

/**
 * v3dcl_check_code() - would a device take this code?
 * @code: instruction words
 * @count: of @code
 * @kind: what it is for, not V3DCL_CHECK_MEMORY
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL for code that is refused, -ENOMEM
 */
int v3dcl_check_code(const uint64_t *code, uint32_t count, enum v3dcl_check_kind kind,
		     struct v3dcl_error *error);

/**
 * v3dcl_check_frame() - would a device take this frame?
 * @submit: as for v3dcl_submit_frame(); what it points to must not change meanwhile. Syncobjs and
 *	perfmon are not looked at.
 * @bos: the BOs that its handles name, in any order; their code is checked too
 * @bo_count: of @bos
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL for a frame that is refused, -ENOMEM
 */
int v3dcl_check_frame(const struct drm_vc4_submit_cl *submit, const struct v3dcl_check_bo *bos,
		      uint32_t bo_count, struct v3dcl_error *error);

/**
 * v3dcl_check_programs() - would a device take this job of user programs?
 * @submit: as for v3dcl_submit_programs(); what it points to must not change meanwhile. Syncobjs
 *	and perfmon are not looked at.
 * @bos: the BOs that its handles name, in any order; their code is checked too
 * @bo_count: of @bos
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL for a job that is refused, -ENOMEM
 */
int v3dcl_check_programs(const struct drm_v3dcl_submit_qpu *submit,
			 const struct v3dcl_check_bo *bos, uint32_t bo_count,
			 struct v3dcl_error *error);

#ifdef __cplusplus
}
#endif

#endif /* V3DCL_CHECK_H */
