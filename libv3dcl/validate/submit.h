/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * From an ioctl's argument to what the checks are given, once for the module and the emulated
 * device. They copy from userspace and allocate; what is copied, and where it goes, is told here.
 */
#ifndef V3DCL_VALIDATE_SUBMIT_H
#define V3DCL_VALIDATE_SUBMIT_H

#include "ioctl.h"
#include "lists.h"

/* What a SUBMIT_CL points to, beside its handles */
enum v3dcl_cl_part { V3DCL_CL_BIN, V3DCL_CL_RECORDS, V3DCL_CL_UNIFORMS, V3DCL_CL_PARTS };

/**
 * struct v3dcl_user_span - bytes to copy from userspace
 * @user: pointer, unchecked
 * @size: bytes; 0 for nothing to copy
 */
struct v3dcl_user_span {
	__u64 user;
	__u32 size;
};

void v3dcl_cl_spans(const struct drm_vc4_submit_cl *args,
		    struct v3dcl_user_span spans[V3DCL_CL_PARTS]);
void v3dcl_fill_cl_job(struct v3dcl_job *job, const struct drm_vc4_submit_cl *args,
		       void *const copies[V3DCL_CL_PARTS]);

/* A piece of tile memory, at least: what a frame begins with, and what its binner is given later */
#define V3DCL_TILE_CHUNK (256u << 10)

/*
 * So much is given to binners later, in all, unless the module is told otherwise: as mainline's
 * vc4. A bin list that needs more ends with ENOMEM
 */
#define V3DCL_OVERSPILL_BYTES (16u << 20)

__u32 v3dcl_tile_bytes(const struct v3dcl_needs *needs);
void v3dcl_split_tiles(struct v3dcl_tile_memory *tiles, const struct v3dcl_needs *needs,
		       const struct v3dcl_memory *memory);

/**
 * struct v3dcl_qpu_copies - what a SUBMIT_QPU points to, and room for its checks
 * @programs: copied from userspace
 * @relocs: likewise
 * @uniforms: likewise
 * @handles: as many as programs and relocations
 * @indices: likewise
 * @owners: as many as uniforms, and one more so that there is always one
 *
 * All are the caller's. An array without entries may be NULL.
 */
struct v3dcl_qpu_copies {
	void *programs, *relocs, *uniforms;
	__u32 *handles, *indices, *owners;
};

void v3dcl_fill_qpu_job(struct v3dcl_qpu_job *job, const struct drm_v3dcl_submit_qpu *args,
			const struct v3dcl_qpu_copies *copies);
__u64 v3dcl_qpu_timeout_ns(const struct drm_v3dcl_submit_qpu *args);

/**
 * struct v3dcl_lists_copies - what a SUBMIT_LISTS points to, and where its BOs are for us
 * @handles: copied from userspace
 * @addresses: likewise
 * @cpu: as &v3dcl_lists_job.cpu, as many as handles
 *
 * All are the caller's. An array without entries may be NULL.
 */
struct v3dcl_lists_copies {
	void *handles, *addresses;
	__u8 **cpu;
};

void v3dcl_fill_lists_job(struct v3dcl_lists_job *job, const struct drm_v3dcl_submit_lists *args,
			  const struct v3dcl_lists_copies *copies, struct v3dcl_bo *bos);

/**
 * struct v3dcl_bo_fences - what a BO and its fences have to do with a job
 * @fenced: the job's fence goes into the BO
 * @binning_waits: binning waits for what is written to the BO
 * @waits: the job's end does
 * @binning_writes: binning, which waits, waits for what is read as well
 * @writes: the job's end does, and its fence is a writer's
 *
 * A device that bins and renders as one waits if any of the two does.
 */
struct v3dcl_bo_fences {
	bool fenced, binning_waits, waits, binning_writes, writes;
};

struct v3dcl_bo_fences v3dcl_bo_fences(__u32 uses, bool lists);

void v3dcl_refuse_list_handle(struct v3dcl_refusal *refusal, __u32 which, __u32 handle);

#endif /* V3DCL_VALIDATE_SUBMIT_H */
