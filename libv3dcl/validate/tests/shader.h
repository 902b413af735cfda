/* SPDX-License-Identifier: MIT */
/*
 * What tests of shaders share: instructions that the builder has no name for.
 */
#ifndef V3DCL_JOB_TESTS_SHADER_H
#define V3DCL_JOB_TESTS_SHADER_H

#include "common.h"

static const struct v3d_qpu_inst branch_back = {
	.kind = V3D_QPU_BRANCH,
	.sig = V3D_QPU_SIG_BRANCH,
	.cond_br = V3D_QPU_BRANCH_ALL_ZS,
	.rel = 1,
	.waddr_add = V3D_QPU_W_NOP,
	.waddr_mul = V3D_QPU_W_NOP,
	.immediate = -4u * 8,
};

static inline struct v3d_qpu_inst branch_by_bytes(int bytes)
{
	struct v3d_qpu_inst branch = branch_back;

	branch.immediate = bytes;
	return branch;
}

static inline struct v3d_qpu_inst branch_by(int instructions)
{
	return branch_by_bytes((uint32_t)instructions * 8);
}

/* An instruction with one of its fields changed; each is a byte */
static inline struct v3d_qpu_inst with(struct v3d_qpu_inst inst, size_t field, __u8 value)
{
	((__u8 *)&inst)[field] = value;
	return inst;
}

#define WITH(inst, field, value) with(inst, offsetof(struct v3d_qpu_inst, field), value)
#define MAX0(dst, src) qb_add(V3D_QPU_ADD_MAX, dst, src, qb_imm(0))
#define MIN_UNIFORM(dst, src) qb_add(V3D_QPU_ADD_MIN, dst, src, QB_UNIF)
#define READ_DIRECT(src) qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, src, QB_UNIF)
#define LDI_RESET(value) qb_ldi(QB_R3, value)
#define RESET qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_R3, QB_UNIF)

#endif /* V3DCL_JOB_TESTS_SHADER_H */
