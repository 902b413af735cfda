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
 *
 * Some blocks are memory, others are tables of the structs below, which have no address. Versions
 * may add kinds of blocks: a reader passes over those that it does not know. The number of the
 * version rises when more than that changes. Version 1 had no tables, and its header ended with
 * the seqno.
 */
#ifndef V3DCL_DUMP_H
#define V3DCL_DUMP_H

#include <linux/types.h>

#define V3DCL_DUMP_MAGIC 0x44443356	/* "V3DD" */
#define V3DCL_DUMP_VERSION 2

/* Why the job was ended */
enum v3dcl_dump_reason {
	V3DCL_DUMP_UNKNOWN,
	V3DCL_DUMP_LIMIT,	/* it took longer than it may */
	V3DCL_DUMP_STANDS,	/* nothing moved any more */
	V3DCL_DUMP_LIST_ERROR,	/* its control list's thread stopped with an error */
	V3DCL_DUMP_NO_MEMORY,	/* its binner waited for memory, and there was none */
};

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
 * @client: whose: the number of its file
 * @reason: enum v3dcl_dump_reason
 * @pad: 0
 */
struct v3dcl_dump_header {
	__u32 magic, version;
	__u32 queue;
	__s32 error;
	__u32 register_count, block_count;
	__u32 start, end;
	__u64 seqno;
	__u64 client;
	__u32 reason, pad;
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
	V3DCL_DUMP_QUEUES,	/* no memory: struct v3dcl_dump_queue, of each queue */
	V3DCL_DUMP_RUNS,	/* struct v3dcl_dump_run, of each program, in their order */
	V3DCL_DUMP_FACTS,	/* struct v3dcl_dump_facts, of each block of code */
};

/**
 * struct v3dcl_dump_block - memory that the job could reach, or a table
 * @address: as the V3D sees it; 0 of a table
 * @size: bytes
 * @kind: enum v3dcl_dump_kind
 * @dumped_bytes: how many of them are in the dump: @size or 0
 */
struct v3dcl_dump_block {
	__u32 address, size;
	__u32 kind, dumped_bytes;
};

/**
 * struct v3dcl_dump_queue - a queue when the job was found hanging
 * @queue: which, as in the header
 * @state: 0 idle, 1 a job is about to start or to end there, 2 one runs
 * @start: of its control list; 0 for user programs
 * @end: of it
 * @client: whose job has the queue
 * @seqno: of that job
 * @waiting: how many others are ready
 * @programs: of user programs: how many the job has
 * @fed: how many of these the V3D was given
 * @done: how many have ended
 */
struct v3dcl_dump_queue {
	__u32 queue, state;
	__u32 start, end;
	__u64 client, seqno;
	__u32 waiting;
	__u32 programs, fed, done;
};

/**
 * struct v3dcl_dump_run - one run of a user program
 * @code: address of its first instruction
 * @uniforms: address of its first uniform
 * @uniform_count: how many it has
 * @pad: 0
 */
struct v3dcl_dump_run {
	__u32 code, uniforms;
	__u32 uniform_count, pad;
};

/* What code is checked for */
enum v3dcl_dump_checked {
	V3DCL_DUMP_UNCHECKED,
	V3DCL_DUMP_SHADER,
	V3DCL_DUMP_PROGRAM,
};

/**
 * struct v3dcl_dump_facts - what the verifier has found out about code
 * @address: of its first instruction
 * @checked: enum v3dcl_dump_checked: what it may be used as
 * @uniform_words: length of its uniform stream
 * @accesses: lookups of a shader; instructions of a program that reach memory
 * @uses: of a shader: 1 it switches threads, 2 the VPM, 4 the tile buffer, 8 it may read registers
 *	that it has not written
 * @varyings: of a shader: that it reads
 * @rows_read: rows of the VPM that a shader may read, a bit each
 * @rows_touched: rows that it may write
 * @rows_written: rows that it writes whole
 * @semaphores: of a program: how much a run raises each, in all
 */
struct v3dcl_dump_facts {
	__u32 address, checked;
	__u32 uniform_words, accesses;
	__u32 uses, varyings;
	__u64 rows_read, rows_touched, rows_written;
	__s8 semaphores[16];
};

#endif /* V3DCL_DUMP_H */
