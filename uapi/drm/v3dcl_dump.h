/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * What the driver writes to devcoredump when a job hangs. Little endian, as the machine.
 *
 *	struct v3dcl_dump_header
 *	struct v3dcl_dump_register	header.register_count times
 *	struct v3dcl_dump_block		header.block_count times
 *	bytes of the blocks, one after the other, in the order of the blocks
 *
 * A block's bytes are left out, its dumped_bytes being 0, when the kernel had no memory to keep
 * them or cannot see them.
 */
#ifndef V3DCL_DUMP_H
#define V3DCL_DUMP_H

#include <linux/types.h>

#define V3DCL_DUMP_MAGIC 0x44443356	/* "V3DD" */
#define V3DCL_DUMP_VERSION 1

/**
 * struct v3dcl_dump_header - the beginning of a dump
 * @magic: V3DCL_DUMP_MAGIC
 * @version: V3DCL_DUMP_VERSION
 * @queue: of the job that hung: 0 bin, 1 render, 2 user programs
 * @error: that its fence carries, a negative errno
 * @register_count: registers that follow
 * @block_count: blocks that follow the registers
 * @start: of the job's control list; 0 for user programs
 * @end: of it
 * @seqno: of the job
 */
struct v3dcl_dump_header {
	__u32 magic, version;
	__u32 queue;
	__s32 error;
	__u32 register_count, block_count;
	__u32 start, end;
	__u64 seqno;
};

/**
 * struct v3dcl_dump_register - a register when the job was found hanging
 * @offset: as in v3d/regs.h
 * @value: what it read
 */
struct v3dcl_dump_register {
	__u32 offset, value;
};

/* What a block of memory is */
enum v3dcl_dump_kind {
	V3DCL_DUMP_BO,		/* of the job's, shared or not */
	V3DCL_DUMP_CODE,	/* a BO of QPU code */
	V3DCL_DUMP_DRIVER,	/* lists, records, uniforms and tile lists: the driver's own */
};

/**
 * struct v3dcl_dump_block - memory that the job could reach
 * @address: as the V3D sees it
 * @size: bytes
 * @kind: enum v3dcl_dump_kind
 * @dumped_bytes: how many of them are in the dump: @size or 0
 */
struct v3dcl_dump_block {
	__u32 address, size;
	__u32 kind, dumped_bytes;
};

#endif /* V3DCL_DUMP_H */
