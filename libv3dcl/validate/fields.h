/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * Instruction words a field at a time, where not all of them are needed.
 */
#ifndef V3DCL_VALIDATE_FIELDS_H
#define V3DCL_VALIDATE_FIELDS_H

#include <v3d/qpu.h>

#define FIELD(field, low, bits) \
	static inline __u32 get_##field(__u64 word) \
	{ \
		return word >> (low) & ((1u << (bits)) - 1); \
	}
V3D_QPU_WRITE_FIELDS(FIELD)
V3D_QPU_ALU_FIELDS(FIELD)
V3D_QPU_READ_FIELDS(FIELD)
V3D_QPU_BRANCH_FIELDS(FIELD)
#undef FIELD

/* Of one of the two ALUs */
static inline __u32 get_cond(__u64 word, bool mul)
{
	return mul ? get_cond_mul(word) : get_cond_add(word);
}

static inline __u32 get_waddr(__u64 word, bool mul)
{
	return mul ? get_waddr_mul(word) : get_waddr_add(word);
}

static inline bool is_immediate(__u64 word)
{
	return word >> 60 == V3D_QPU_SIG_SMALL_IMMEDIATE;
}

/* Operations of the add ALU with two operands */
#define TWO_OPERANDS(value, name, operands, text) | ((operands) > 1 ? 1u << (value) : 0)
#define ADD_TWO (0u V3D_QPU_ADD_OPS(TWO_OPERANDS))

#endif /* V3DCL_VALIDATE_FIELDS_H */
