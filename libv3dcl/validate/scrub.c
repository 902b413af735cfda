// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Programs that overwrite what others may have left.
 *
 * Rows of the VPM: verified programs read no register, accumulator or FIFO that they have not
 * filled, but the rows that user programs can address are for programs to share, so it cannot be
 * told which program filled which.
 *
 * Registers: shaders of which no check can tell whether they read only what they have written
 * (V3DCL_SHADER_RESIDUE) run on any QPU, so a program runs on each of them. Nothing says which
 * QPU a request goes to, so all of them wait for each other before the first one ends: then there
 * is one on each.
 */
#include <v3d/qpu.h>
#include <v3d/words.h>

#include "always.h"
#include "scrub.h"

#define FILE_REGISTERS 32	/* of each of A and B */
#define ONE 0x3f800000u
/* AG100 Figure 6 */
#define UNPACK_SEMAPHORE 4
#define SEMAPHORE_DOWN 0x10u

static struct v3d_qpu_inst idle(void)
{
	return (struct v3d_qpu_inst){
		.kind = V3D_QPU_ALU,
		.sig = V3D_QPU_SIG_NONE,
		.waddr_add = V3D_QPU_W_NOP,
		.waddr_mul = V3D_QPU_W_NOP,
		.raddr_a = V3D_QPU_R_NOP,
		.raddr_b = V3D_QPU_R_NOP,
	};
}

/* A set-up word to the read side (add half, file A) or the write side (mul half, file B) */
static struct v3d_qpu_inst setup(__u32 word, bool write)
{
	return (struct v3d_qpu_inst){
		.kind = V3D_QPU_LOAD_32,
		.sig = V3D_QPU_SIG_LOAD_IMMEDIATE,
		.immediate = word,
		.waddr_add = write ? V3D_QPU_W_NOP : V3D_QPU_W_VPM_SETUP,
		.waddr_mul = write ? V3D_QPU_W_VPM_SETUP : V3D_QPU_W_NOP,
		.cond_add = write ? V3D_QPU_COND_NEVER : V3D_QPU_COND_ALWAYS,
		.cond_mul = write ? V3D_QPU_COND_ALWAYS : V3D_QPU_COND_NEVER,
	};
}

/* or vpm, 0, 0 */
static struct v3d_qpu_inst write_zero(void)
{
	struct v3d_qpu_inst inst = idle();

	inst.kind = V3D_QPU_ALU_SMALL_IMMEDIATE;
	inst.sig = V3D_QPU_SIG_SMALL_IMMEDIATE;
	inst.op_add = V3D_QPU_ADD_OR;
	inst.cond_add = V3D_QPU_COND_ALWAYS;
	inst.waddr_add = V3D_QPU_W_VPM_WRITE;
	inst.raddr_b = 0;
	inst.add_a = V3D_QPU_B;
	inst.add_b = V3D_QPU_B;
	return inst;
}

/* or r0, vpm, vpm */
static struct v3d_qpu_inst read_row(void)
{
	struct v3d_qpu_inst inst = idle();

	inst.op_add = V3D_QPU_ADD_OR;
	inst.cond_add = V3D_QPU_COND_ALWAYS;
	inst.waddr_add = V3D_QPU_W_ACC0;
	inst.raddr_a = V3D_QPU_R_VPM_READ;
	inst.add_a = V3D_QPU_A;
	inst.add_b = V3D_QPU_A;
	return inst;
}

/* The same instruction so many times. Return: instructions */
static __u32 put(__u64 *code, struct v3d_qpu_inst inst, __u32 times)
{
	__u32 n;

	for (n = 0; n < times; n++)
		code[n] = v3d_qpu_encode(&inst);
	return n;
}

/* Program end and its delay slots. Return: instructions */
static __u32 put_end(__u64 *code)
{
	struct v3d_qpu_inst end = idle();

	end.sig = V3D_QPU_SIG_PROGRAM_END;
	return put(code, end, 1) + put(code + 1, idle(), V3D_QPU_END_SLOTS);
}

/**
 * v3dcl_scrub_rows() - the program for the VPM, for one run on one QPU, without uniforms
 * @code: filled
 *
 * It ends when the rows are 0: it reads the last one back before (AG100 p. 55: three instructions
 * after the set-up).
 */
void v3dcl_scrub_rows(__u64 code[V3DCL_SCRUB_ROWS_COUNT])
{
	const struct v3d_vpm_write_setup all = { .size = V3D_VPM_32BIT,
						 .horizontal = 1,
						 .stride = 1 };
	const struct v3d_vpm_read_setup last = {
		.address = V3DCL_USER_VPM_ROWS - 1,
		.size = V3D_VPM_32BIT,
		.horizontal = 1,
		.stride = 1,
		.number = 1,
	};
	__u32 n = put(code, setup(v3d_word_vpm_write_setup(&all), true), 1);

	n += put(code + n, write_zero(), V3DCL_USER_VPM_ROWS);
	n += put(code + n, setup(v3d_word_vpm_read_setup(&last), false), 1);
	n += put(code + n, idle(), 3);
	n += put(code + n, read_row(), 1);
	n += put(code + n, idle(), 1);
	put_end(code + n);
}

/*
 * The same word to a register of each file, or an accumulator of each half; V3D_QPU_W_NOP for none
 */
static struct v3d_qpu_inst load(__u8 add, __u8 mul, __u32 word)
{
	return (struct v3d_qpu_inst){
		.kind = V3D_QPU_LOAD_32,
		.sig = V3D_QPU_SIG_LOAD_IMMEDIATE,
		.immediate = word,
		.waddr_add = add,
		.waddr_mul = mul,
		.cond_add = V3D_QPU_COND_ALWAYS,
		.cond_mul = mul == V3D_QPU_W_NOP ? V3D_QPU_COND_NEVER : V3D_QPU_COND_ALWAYS,
	};
}

/* Increments or decrements a semaphore as often; waits while it cannot */
static __u32 put_semaphore(__u64 *code, __u32 semaphore, bool down, __u32 times)
{
	struct v3d_qpu_inst inst = load(V3D_QPU_W_NOP, V3D_QPU_W_NOP,
					semaphore | (down ? SEMAPHORE_DOWN : 0));

	inst.kind = V3D_QPU_SEMAPHORE;
	inst.unpack = UNPACK_SEMAPHORE;
	inst.cond_add = V3D_QPU_COND_NEVER;
	return put(code, inst, times);
}

/*
 * The first one counts those that have begun, and then lets them all go on. Of no QPUs, which its
 * caller rules out, none would. Return: instructions
 */
static __u32 put_barrier(__u64 *code, __u32 qpus, bool first)
{
	__u32 times = first ? qpus - 1 : 1, n;

	if (NEVER(!qpus))
		return 0;
	n = put_semaphore(code, 0, first, times);
	return n + put_semaphore(code + n, 1, !first, times);
}

/* or.sf -, ra0, rb0: the flags, and what the ports have read last */
static struct v3d_qpu_inst set_flags(void)
{
	struct v3d_qpu_inst inst = idle();

	inst.op_add = V3D_QPU_ADD_OR;
	inst.cond_add = V3D_QPU_COND_ALWAYS;
	inst.sf = 1;
	inst.raddr_a = 0;
	inst.raddr_b = 0;
	inst.add_a = V3D_QPU_A;
	inst.add_b = V3D_QPU_B;
	return inst;
}

/**
 * v3dcl_scrub_registers() - the program for the registers of one QPU, without uniforms
 * @code: filled: V3DCL_SCRUB_REGISTERS_COUNT(qpus - 1) words for the first one,
 *	V3DCL_SCRUB_REGISTERS_COUNT(1) for the others
 * @qpus: how many there are, at least 1; so many programs run at once, one of them the first
 * @first: that one
 * Return: instructions
 *
 * Nothing else may run on the QPUs, and semaphores 0 and 1 are 0, as they are again afterwards. All
 * 64 registers and the accumulators become 0; of r4, which only special functions write, it is the
 * logarithm of 1.
 */
__u32 v3dcl_scrub_registers(__u64 *code, __u32 qpus, bool first)
{
	__u32 n = put_barrier(code, qpus, first), i;

	for (i = 0; i < FILE_REGISTERS; i++)
		n += put(code + n, load(i, i, 0), 1);
	n += put(code + n, load(V3D_QPU_W_ACC0, V3D_QPU_W_ACC1, 0), 1);
	n += put(code + n, load(V3D_QPU_W_ACC2, V3D_QPU_W_ACC3, 0), 1);
	n += put(code + n, load(V3D_QPU_W_ACC5, V3D_QPU_W_NOP, 0), 1);
	n += put(code + n, load(V3D_QPU_W_SFU_LOG, V3D_QPU_W_NOP, ONE), 1);
	/*
	 * AG100 "Summary of Instruction Restrictions": r4 is not touched in the two instructions
	 * after
	 */
	n += put(code + n, idle(), 2);
	n += put(code + n, set_flags(), 1);
	return n + put_end(code + n);
}
