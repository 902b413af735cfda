// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * A program that writes 0 to all rows of the VPM that user programs can address.
 *
 * Proven programs read no register, accumulator or FIFO that they have not filled, but VPM rows are for programs to share, so
 * nobody can tell which were filled by whom.
 */
#include <v3d/qpu.h>
#include <v3d/words.h>

#include "wipe.h"

static struct v3d_qpu_inst idle(void)
{
	return (struct v3d_qpu_inst){
		.kind = V3D_QPU_ALU, .sig = V3D_QPU_SIG_NONE, .waddr_add = V3D_QPU_W_NOP, .waddr_mul = V3D_QPU_W_NOP,
		.raddr_a = V3D_QPU_R_NOP, .raddr_b = V3D_QPU_R_NOP,
	};
}

/* A set-up word to the read side (add half, file A) or the write side (mul half, file B) */
static struct v3d_qpu_inst setup(__u32 word, bool write)
{
	return (struct v3d_qpu_inst){
		.kind = V3D_QPU_LOAD_32, .sig = V3D_QPU_SIG_LOAD_IMMEDIATE, .immediate = word,
		.waddr_add = write ? V3D_QPU_W_NOP : V3D_QPU_W_VPM_SETUP, .waddr_mul = write ? V3D_QPU_W_VPM_SETUP : V3D_QPU_W_NOP,
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

/**
 * v3dcl_wipe_code() - the program, for one run on one QPU, without uniforms
 * @code: filled
 *
 * It ends when the rows are 0: it reads the last one back before (AG100 p. 55: three instructions after the set-up).
 */
void v3dcl_wipe_code(__u64 code[V3DCL_WIPE_COUNT])
{
	const struct v3d_vpm_write_setup all = { .size = V3D_VPM_32BIT, .horizontal = 1, .stride = 1 };
	const struct v3d_vpm_read_setup last = {
		.address = V3DCL_USER_VPM_ROWS - 1, .size = V3D_VPM_32BIT, .horizontal = 1, .stride = 1, .number = 1,
	};
	struct v3d_qpu_inst inst = setup(v3d_word_vpm_write_setup(&all), true);
	__u32 i, n = 0;

	code[n++] = v3d_qpu_encode(&inst);
	inst = write_zero();
	for (i = 0; i < V3DCL_USER_VPM_ROWS; i++)
		code[n++] = v3d_qpu_encode(&inst);
	inst = setup(v3d_word_vpm_read_setup(&last), false);
	code[n++] = v3d_qpu_encode(&inst);
	inst = idle();
	for (i = 0; i < 3; i++)
		code[n++] = v3d_qpu_encode(&inst);
	inst = read_row();
	code[n++] = v3d_qpu_encode(&inst);
	inst = idle();
	for (i = 0; i < 4; i++) {
		inst.sig = i == 1 ? V3D_QPU_SIG_PROGRAM_END : V3D_QPU_SIG_NONE;
		code[n++] = v3d_qpu_encode(&inst);
	}
}
