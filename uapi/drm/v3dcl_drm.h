/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * The ioctls of bcm2835_v3d: those of <drm/vc4_drm.h>, 0x00 to 0x0e, and our own from 0x20.
 *
 * A driver that answers DRM_IOCTL_V3DCL_GET_PARAM with other than EINVAL is ours; the kernel's vc4
 * has nothing there. All structs have the same layout for 32-bit and 64-bit callers. Fields called
 * pad must be 0. Structs may grow at their end: the kernel takes what a shorter one lacks as 0.
 */
#ifndef V3DCL_DRM_H
#define V3DCL_DRM_H

#ifdef __KERNEL__
#include <drm/vc4_drm.h>
#else
#include <vc4_drm.h>	/* libdrm's: pkg-config --cflags libdrm */
#endif

#if defined(__cplusplus)
extern "C" {
#endif

#define DRM_V3DCL_GET_PARAM		0x20
#define DRM_V3DCL_CREATE_PROGRAM	0x21
#define DRM_V3DCL_SUBMIT_QPU		0x22
#define DRM_V3DCL_GET_REFUSAL		0x23
#define DRM_V3DCL_SUBMIT_LISTS		0x24
#define DRM_V3DCL_SUBMIT_FRAME		0x25

#define DRM_IOCTL_V3DCL_GET_PARAM \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_V3DCL_GET_PARAM, struct drm_v3dcl_get_param)
#define DRM_IOCTL_V3DCL_CREATE_PROGRAM \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_V3DCL_CREATE_PROGRAM, struct drm_v3dcl_create_program)
#define DRM_IOCTL_V3DCL_SUBMIT_QPU \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_V3DCL_SUBMIT_QPU, struct drm_v3dcl_submit_qpu)
#define DRM_IOCTL_V3DCL_GET_REFUSAL \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_V3DCL_GET_REFUSAL, struct drm_v3dcl_refusal)
#define DRM_IOCTL_V3DCL_SUBMIT_LISTS \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_V3DCL_SUBMIT_LISTS, struct drm_v3dcl_submit_lists)
#define DRM_IOCTL_V3DCL_SUBMIT_FRAME \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_V3DCL_SUBMIT_FRAME, struct drm_v3dcl_submit_frame)

/* What DRM_IOCTL_V3DCL_GET_PARAM can be asked */
enum drm_v3dcl_param {
	/** @DRM_V3DCL_PARAM_VERSION: of these ioctls; rises with each addition. Now 5. */
	DRM_V3DCL_PARAM_VERSION,
	/** @DRM_V3DCL_PARAM_QPUS: how many there are */
	DRM_V3DCL_PARAM_QPUS,
	/** @DRM_V3DCL_PARAM_VPM_ROWS: rows of 64 bytes that user programs share */
	DRM_V3DCL_PARAM_VPM_ROWS,
	/** @DRM_V3DCL_PARAM_MAX_PROGRAMS: most in one submit */
	DRM_V3DCL_PARAM_MAX_PROGRAMS,
	/**
	 * @DRM_V3DCL_PARAM_MAX_UNIFORMS: most 32-bit uniforms in one submit, all programs together
	 */
	DRM_V3DCL_PARAM_MAX_UNIFORMS,
	/** @DRM_V3DCL_PARAM_MAX_RELOCS: most relocations in one submit */
	DRM_V3DCL_PARAM_MAX_RELOCS,
	/** @DRM_V3DCL_PARAM_MAX_TIMEOUT_NS: longest time a QPU job may ask for */
	DRM_V3DCL_PARAM_MAX_TIMEOUT_NS,
	/** @DRM_V3DCL_PARAM_MEMORY_BUDGET: bytes that all BOs together may take */
	DRM_V3DCL_PARAM_MEMORY_BUDGET,
	/** @DRM_V3DCL_PARAM_MEMORY_USED: bytes that they take now */
	DRM_V3DCL_PARAM_MEMORY_USED,
	/** @DRM_V3DCL_PARAM_GUILTY: jobs of this file that hung and led to a reset */
	DRM_V3DCL_PARAM_GUILTY,
	/**
	 * @DRM_V3DCL_PARAM_INNOCENT: jobs of this file that were cancelled by another client's
	 * reset
	 */
	DRM_V3DCL_PARAM_INNOCENT,
	/**
	 * @DRM_V3DCL_PARAM_UNVERIFIED: 1 when the caller may run programs and lists that were not
	 * verified: root, and only where the module was loaded with unverified=1
	 */
	DRM_V3DCL_PARAM_UNVERIFIED,
	/**
	 * @DRM_V3DCL_PARAM_RESETS: resets of the V3D because of anybody's jobs, since the driver
	 * has had it. One that does not change: no job of this file was lost meanwhile
	 */
	DRM_V3DCL_PARAM_RESETS,
	/**
	 * @DRM_V3DCL_PARAM_REFUSED_NS: for so many ns more, submits of this file are refused with
	 * EBUSY, because too many of its jobs hung one after the other; 0 when they are not
	 */
	DRM_V3DCL_PARAM_REFUSED_NS,
};

/**
 * struct drm_v3dcl_get_param - ask the driver something
 *
 * EINVAL: unknown @param, or @pad is not 0.
 */
struct drm_v3dcl_get_param {
	/** @param: enum drm_v3dcl_param */
	__u32 param;
	/** @pad: 0 */
	__u32 pad;
	/** @value: returned */
	__u64 value;
};

/**
 * DRM_V3DCL_PROGRAM_UNVERIFIED - take the code without verifying what it does
 *
 * It can then read and write all memory. For root alone, and only where the module was loaded with
 * unverified=1.
 */
#define DRM_V3DCL_PROGRAM_UNVERIFIED	(1 << 0)

/**
 * struct drm_v3dcl_create_program - make an immutable BO of QPU code for user programs
 *
 * Without @flags the code is verified: it then reaches memory only by its uniforms, in ways that
 * each submit can check.
 *
 * EACCES: @flags ask for more than the caller may. EINVAL: @size is 0, no multiple of 8 or above 1
 * MiB, @flags are unknown, @pad is not 0, or the code is refused (&struct drm_v3dcl_refusal says
 * why). EFAULT: bad @code. ENOMEM: the byte budget is spent.
 *
 * The BO cannot be mapped or exported.
 */
struct drm_v3dcl_create_program {
	/** @code: user pointer to 64-bit instruction words */
	__u64 code;
	/** @size: of the code, in bytes */
	__u32 size;
	/** @flags: 0 or DRM_V3DCL_PROGRAM_UNVERIFIED */
	__u32 flags;
	/** @handle: returned */
	__u32 handle;
	/** @pad: 0 */
	__u32 pad;
};

/**
 * struct drm_v3dcl_program - one run of a program
 */
struct drm_v3dcl_program {
	/** @handle: a BO made by DRM_IOCTL_V3DCL_CREATE_PROGRAM */
	__u32 handle;
	/** @offset: of the first instruction, in bytes, a multiple of 8 */
	__u32 offset;
	/** @first_uniform: index into the job's uniforms of this run's uniform 0 */
	__u32 first_uniform;
	/** @uniform_count: how many uniforms this run has; runs may share them */
	__u32 uniform_count;
};

/**
 * DRM_V3DCL_RELOC_READ - the program reads the BO
 */
#define DRM_V3DCL_RELOC_READ	(1 << 0)
/**
 * DRM_V3DCL_RELOC_WRITE - the program writes the BO
 */
#define DRM_V3DCL_RELOC_WRITE	(1 << 1)

/**
 * struct drm_v3dcl_reloc - the address of a BO as a uniform
 *
 * The kernel puts the address of byte @offset of the BO into uniform @slot of program @program.
 */
struct drm_v3dcl_reloc {
	/** @program: index into the submit's programs */
	__u32 program;
	/** @slot: index into that program's uniforms */
	__u32 slot;
	/** @handle: BO */
	__u32 handle;
	/** @offset: in bytes, below the BO's size */
	__u32 offset;
	/**
	 * @flags: DRM_V3DCL_RELOC_READ, DRM_V3DCL_RELOC_WRITE or both; decides what the job waits
	 *	for and who waits for it
	 */
	__u32 flags;
	/** @pad: 0 */
	__u32 pad;
};

/**
 * DRM_V3DCL_MAX_SYNCS - how many syncobjs a submit, or a stage of one, may wait for, and how many
 * its end may signal
 */
#define DRM_V3DCL_MAX_SYNCS	64

/**
 * struct drm_v3dcl_sync - a syncobj, and a point of its timeline
 */
struct drm_v3dcl_sync {
	/** @handle: syncobj */
	__u32 handle;
	/** @pad: 0 */
	__u32 pad;
	/** @point: on its timeline; 0 for a binary syncobj */
	__u64 point;
};

/**
 * struct drm_v3dcl_submit_qpu - run user programs on the QPUs
 *
 * The programs of one submit run in the order given, as many at once as there are QPUs; the job is
 * done when all have ended. Everything that user pointers point to is copied once, before the ioctl
 * returns.
 *
 * EACCES: a program is not verified, and the caller may not run such. EINVAL: a count is 0 where it
 * must not be, or above its limit; @flags or a pad is not 0; an index, offset, slot or flag is out
 * of range; with these uniforms a program could reach what is not the job's; a handle of @relocs or
 * @programs is unknown or of the wrong kind (&struct drm_v3dcl_refusal says which). EFAULT: bad
 * pointer. ENOENT: unknown perfmon or syncobj. ENOMEM. ENODEV: the device is gone. EIO: the V3D
 * does not come back from reset. EBUSY: see DRM_V3DCL_PARAM_REFUSED_NS.
 *
 * A job that takes longer than @timeout_ns is ended by a reset; its fence then carries ETIMEDOUT.
 */
struct drm_v3dcl_submit_qpu {
	/** @programs: user pointer to &struct drm_v3dcl_program */
	__u64 programs;
	/** @uniforms: user pointer to 32-bit words, or 0 when there are none */
	__u64 uniforms;
	/** @relocs: user pointer to &struct drm_v3dcl_reloc, or 0 when there are none */
	__u64 relocs;
	/** @in_syncs: user pointer to &struct drm_v3dcl_sync: what the job waits for, or 0 */
	__u64 in_syncs;
	/** @out_syncs: user pointer to &struct drm_v3dcl_sync: what the job signals, or 0 */
	__u64 out_syncs;
	/**
	 * @timeout_ns: time on the hardware, from first program to last; 0 for the driver's default
	 */
	__u64 timeout_ns;
	/** @program_count: 1 to DRM_V3DCL_PARAM_MAX_PROGRAMS */
	__u32 program_count;
	/** @uniform_count: 32-bit words in @uniforms */
	__u32 uniform_count;
	/** @reloc_count: entries of @relocs */
	__u32 reloc_count;
	/** @in_sync_count: entries of @in_syncs, at most DRM_V3DCL_MAX_SYNCS */
	__u32 in_sync_count;
	/** @out_sync_count: entries of @out_syncs, at most DRM_V3DCL_MAX_SYNCS */
	__u32 out_sync_count;
	/** @perfmon: id of a perfmon that counts while the job runs, or 0 */
	__u32 perfmon;
	/** @flags: 0 */
	__u32 flags;
	/** @pad: 0 */
	__u32 pad;
	/** @seqno: returned; in the same sequence as that of DRM_IOCTL_VC4_SUBMIT_CL */
	__u64 seqno;
};

/**
 * struct drm_v3dcl_address - a place in a BO where the address of a BO goes
 *
 * The kernel adds the address of byte @target_offset of the target to the 32-bit little endian word
 * there, which need not be aligned: the low bits of that word, or what is added to the address, are
 * the caller's. It does so once, when the submit is taken, and does not wait for jobs that use the
 * BO: who submits the same bytes again writes them again first. A submit that is refused has
 * changed nothing.
 */
struct drm_v3dcl_address {
	/** @bo: index into the submit's BOs: where it is written */
	__u32 bo;
	/** @offset: of the word in it, in bytes */
	__u32 offset;
	/** @target: index into the submit's BOs: whose address */
	__u32 target;
	/** @target_offset: in bytes, below its size */
	__u32 target_offset;
};

/**
 * struct drm_v3dcl_list - a control list in a BO
 */
struct drm_v3dcl_list {
	/** @bo: index into the submit's BOs */
	__u32 bo;
	/** @start: byte of its first record */
	__u32 start;
	/** @end: byte after its last record; equal to @start for no list */
	__u32 end;
	/** @pad: 0 */
	__u32 pad;
};

/**
 * struct drm_v3dcl_submit_lists - run control lists as they are, unchecked
 *
 * For NV and VG shader states, and whatever else cannot be verified: the lists go to the hardware
 * as userspace wrote them, with addresses filled in by @addresses. @bin runs on thread 0 and ends
 * with Flush; @render runs on thread 1 after it, and ends with a store that signals the end of the
 * frame. Every BO counts as read and written by the job, but for BOs of code, which count as run.
 * When the tile lists outgrow the memory that the bin list names, the binner is given the driver's,
 * as for checked jobs; branches in tile lists reach no further than the 256 MiB that they are in.
 *
 * EACCES: the caller is not root, or the module was not loaded with unverified=1. EINVAL: a count,
 * index, offset, flag or pad is out of range, a BO is unknown, a list or a place for an address is
 * in a BO of code, a place is in an imported BO, or there is no list at all (&struct
 * drm_v3dcl_refusal says which). EFAULT: bad pointer. ENOENT: unknown perfmon or syncobj. ENOMEM.
 * ENODEV: the device is gone. EIO: the V3D does not come back from reset. EBUSY: see
 * DRM_V3DCL_PARAM_REFUSED_NS.
 */
struct drm_v3dcl_submit_lists {
	/**
	 * @bo_handles: user pointer to the handles of all BOs that the lists reach, 32 bits each
	 */
	__u64 bo_handles;
	/** @addresses: user pointer to &struct drm_v3dcl_address, or 0 when there are none */
	__u64 addresses;
	/** @in_syncs: user pointer to &struct drm_v3dcl_sync: what the job waits for, or 0 */
	__u64 in_syncs;
	/** @out_syncs: user pointer to &struct drm_v3dcl_sync: what the job signals, or 0 */
	__u64 out_syncs;
	/** @bin: list of thread 0 */
	struct drm_v3dcl_list bin;
	/** @render: list of thread 1 */
	struct drm_v3dcl_list render;
	/** @bo_count: entries of @bo_handles, 1 to 4096 */
	__u32 bo_count;
	/** @address_count: entries of @addresses, at most 65536 */
	__u32 address_count;
	/** @in_sync_count: entries of @in_syncs, at most DRM_V3DCL_MAX_SYNCS */
	__u32 in_sync_count;
	/** @out_sync_count: entries of @out_syncs, at most DRM_V3DCL_MAX_SYNCS */
	__u32 out_sync_count;
	/** @perfmon: id of a perfmon that counts while the job runs, or 0 */
	__u32 perfmon;
	/** @flags: 0 */
	__u32 flags;
	/** @seqno: returned; in the same sequence as that of DRM_IOCTL_VC4_SUBMIT_CL */
	__u64 seqno;
};

/**
 * struct drm_v3dcl_stage - what one part of a frame waits for, and what its end signals
 */
struct drm_v3dcl_stage {
	/** @in_syncs: user pointer to &struct drm_v3dcl_sync: what it waits for, or 0 */
	__u64 in_syncs;
	/** @out_syncs: user pointer to &struct drm_v3dcl_sync: what its end signals, or 0 */
	__u64 out_syncs;
	/** @in_sync_count: entries of @in_syncs, at most DRM_V3DCL_MAX_SYNCS */
	__u32 in_sync_count;
	/** @out_sync_count: entries of @out_syncs, at most DRM_V3DCL_MAX_SYNCS */
	__u32 out_sync_count;
};

/**
 * DRM_V3DCL_FRAME_EXPLICIT - the frame waits for no fence but those that it is told to wait for
 *
 * And no other client's job waits for it because of BOs that both name, nor does poll() on a
 * dma-buf of one; but DRM_IOCTL_VC4_WAIT_BO does, and the BOs keep their contents until it ends.
 * The jobs of one file still end in the order of their submits. What a kernel driver does to a BO's
 * memory before any job may use it is waited for in any case.
 */
#define DRM_V3DCL_FRAME_EXPLICIT	(1 << 0)

/* Which of the jobs that are ready is next on the V3D */
enum drm_v3dcl_priority {
	/** @DRM_V3DCL_PRIORITY_NORMAL: files get the same time each */
	DRM_V3DCL_PRIORITY_NORMAL,
	/** @DRM_V3DCL_PRIORITY_LOW: its time counts four times */
	DRM_V3DCL_PRIORITY_LOW,
	/** @DRM_V3DCL_PRIORITY_HIGH: before all others. Takes CAP_SYS_NICE */
	DRM_V3DCL_PRIORITY_HIGH,
};

/**
 * struct drm_v3dcl_submit_frame - DRM_IOCTL_VC4_SUBMIT_CL with fences for each part of the frame
 *
 * EACCES: the caller may not ask for that @priority. EINVAL: a count, flag, priority or pad is out
 * of range; @bin has syncobjs and the frame has no bin list; in_sync or out_sync of @frame is not
 * 0; a syncobj has no fence, or its timeline is not as far; and as DRM_IOCTL_VC4_SUBMIT_CL.
 * EFAULT: bad pointer. ENOENT: unknown perfmon or syncobj. ENOMEM. ENODEV: the device is gone. EIO:
 * the V3D does not come back from reset. EBUSY: see DRM_V3DCL_PARAM_REFUSED_NS.
 */
struct drm_v3dcl_submit_frame {
	/**
	 * @frame: what DRM_IOCTL_VC4_SUBMIT_CL takes; in_sync and out_sync are 0, seqno is returned
	 */
	struct drm_vc4_submit_cl frame;
	/** @bin: fences of binning; rendering waits for its end in any case */
	struct drm_v3dcl_stage bin;
	/** @render: fences of rendering, whose end is the frame's */
	struct drm_v3dcl_stage render;
	/** @flags: 0 or DRM_V3DCL_FRAME_EXPLICIT */
	__u32 flags;
	/** @priority: enum drm_v3dcl_priority */
	__u32 priority;
};

/* Where the byte is that broke a rule */
enum drm_v3dcl_part {
	/** @DRM_V3DCL_PART_NONE: nothing of this file was refused yet */
	DRM_V3DCL_PART_NONE,
	/** @DRM_V3DCL_PART_SUBMIT: the submit's own struct */
	DRM_V3DCL_PART_SUBMIT,
	/** @DRM_V3DCL_PART_BIN: the bin list */
	DRM_V3DCL_PART_BIN,
	/** @DRM_V3DCL_PART_SHADER_RECORD: the shader records */
	DRM_V3DCL_PART_SHADER_RECORD,
	/** @DRM_V3DCL_PART_UNIFORMS: the uniform streams */
	DRM_V3DCL_PART_UNIFORMS,
	/**
	 * @DRM_V3DCL_PART_SURFACE: a surface of the render list; the offset is that of its struct
	 *	in the submit
	 */
	DRM_V3DCL_PART_SURFACE,
	/** @DRM_V3DCL_PART_CODE: QPU code */
	DRM_V3DCL_PART_CODE,
	/** @DRM_V3DCL_PART_PROGRAM: an entry of &drm_v3dcl_submit_qpu.programs */
	DRM_V3DCL_PART_PROGRAM,
	/** @DRM_V3DCL_PART_RELOC: an entry of &drm_v3dcl_submit_qpu.relocs */
	DRM_V3DCL_PART_RELOC,
	/** @DRM_V3DCL_PART_HANDLE: an entry of &drm_v3dcl_submit_lists.bo_handles */
	DRM_V3DCL_PART_HANDLE,
	/** @DRM_V3DCL_PART_ADDRESS: an entry of &drm_v3dcl_submit_lists.addresses */
	DRM_V3DCL_PART_ADDRESS,
};

/* What a refusal of code says of the value that broke the rule: &drm_v3dcl_refusal.value */
enum drm_v3dcl_value {
	/** @DRM_V3DCL_VALUE_NONE: it is not about a value */
	DRM_V3DCL_VALUE_NONE,
	/** @DRM_V3DCL_VALUE_UNKNOWN: nothing is known of it */
	DRM_V3DCL_VALUE_UNKNOWN,
	/**
	 * @DRM_V3DCL_VALUE_SUM: a number from value_low to value_low + value_span, plus terms,
	 *	modulo 2^32
	 */
	DRM_V3DCL_VALUE_SUM,
};

/*
 * How many terms a value has at most, and how many branches are told of the way to an instruction
 */
#define DRM_V3DCL_VALUE_TERMS 3
#define DRM_V3DCL_PATH 8

/**
 * DRM_V3DCL_LOST_JOIN - in &drm_v3dcl_refusal.lost: where paths meet, before that instruction
 */
#define DRM_V3DCL_LOST_JOIN	(1u << 31)

/**
 * struct drm_v3dcl_refusal - why the last job or program of this file was refused
 *
 * EINVAL: @pad is not 0.
 */
struct drm_v3dcl_refusal {
	/** @part: enum drm_v3dcl_part */
	__u32 part;
	/** @offset: of the byte in that part */
	__u32 offset;
	/** @rule: number of the rule, stable */
	__u32 rule;
	/** @pad: 0 */
	__u32 pad;
	/** @found: the value found */
	__u64 found;
	/** @expected: the value, or limit, that the rule asks for */
	__u64 expected;
	/** @text: the rule in words, ended by NUL */
	char text[96];
	/**
	 * @serial: how many jobs and programs of this file were refused so far; who compares it
	 * with what it was before an ioctl knows whether that ioctl's EINVAL is told of here
	 */
	__u64 serial;
	/** @value: enum drm_v3dcl_value */
	__u32 value;
	/** @value_low: see DRM_V3DCL_VALUE_SUM */
	__u32 value_low;
	/** @value_span: see DRM_V3DCL_VALUE_SUM */
	__u32 value_span;
	/** @value_terms: how many terms it has */
	__u32 value_terms;
	/**
	 * @value_slot: of each term: which uniform it is of; plus 1 << 31 where it is any number
	 *	from 0 to that
	 */
	__u32 value_slot[DRM_V3DCL_VALUE_TERMS];
	/** @value_scale: of each term: what that is multiplied by */
	__u32 value_scale[DRM_V3DCL_VALUE_TERMS];
	/**
	 * @path: the last branches on the way to the instruction: twice the index of each, plus 1
	 *	where it is taken
	 */
	__u32 path[DRM_V3DCL_PATH];
	/** @path_count: how many entries of @path there are */
	__u32 path_count;
	/**
	 * @lost: which instruction lost what was known of the value, or of the place in the uniform
	 *	stream: 1 + its index, plus DRM_V3DCL_LOST_JOIN; 0 where that is not known. Of a
	 *	uniform that sets up the VPM, which instruction takes it: 1 + its index
	 */
	__u32 lost;
};

#if defined(__cplusplus)
}
#endif

#endif /* V3DCL_DRM_H */
