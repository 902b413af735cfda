/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * Which encodings of an instruction exist: AG100 Tables 11 and 12.
 */
#ifndef V3DCL_VALIDATE_ENCODINGS_H
#define V3DCL_VALIDATE_ENCODINGS_H

#include <v3d/qpu.h>

#define V3DCL_BIT(value, name, ...) | 1u << (value)

/**
 * v3dcl_op_exists() - is there such an operation of the add ALU?
 * @op_add: any field
 */
static inline bool v3dcl_op_exists(__u8 op_add)
{
	return (0u V3D_QPU_ADD_OPS(V3DCL_BIT)) >> op_add & 1;
}

/**
 * v3dcl_branch_exists() - is there such a branch condition?
 * @condition: any field
 */
static inline bool v3dcl_branch_exists(__u8 condition)
{
	return (0u V3D_QPU_BRANCH_CONDITIONS(V3DCL_BIT)) >> condition & 1;
}

#undef V3DCL_BIT

#endif /* V3DCL_VALIDATE_ENCODINGS_H */
