/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * Instruction words a field at a time, for who does not need all of them; operands and addresses as bits.
 */
#ifndef V3DCL_JOB_FIELDS_H
#define V3DCL_JOB_FIELDS_H

#include <v3d/qpu.h>

/* A field of a word; a value where the field is; all of its bits */
#define FIELD(field, low, bits) \
	static inline __u32 get_##field(__u64 word) \
	{ \
		return word >> (low) & ((1u << (bits)) - 1); \
	} \
	static inline __u64 put_##field(__u32 value) \
	{ \
		return (__u64)value << (low); \
	} \
	static inline __u64 all_##field(void) \
	{ \
		return put_##field((1u << (bits)) - 1); \
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

/* Operands of the two ALUs: a bit a mux */
#define MUX_A (1u << V3D_QPU_A)
#define MUX_B (1u << V3D_QPU_B)
#define MUX_ACCUMULATORS (MUX_A - 1)

/* Addresses as bits: registers from bit 0 on, the space beyond them from bit 32 on */
#define SLOT(address) ((__u64)1 << (address))
#define READS(name) SLOT(V3D_QPU_R_##name)
#define WRITES(name) SLOT(V3D_QPU_W_##name)

#define REGISTERS 0xffffffff
#define ACCUMULATORS (WRITES(ACC0) | WRITES(ACC1) | WRITES(ACC2) | WRITES(ACC3) | WRITES(ACC5))

static inline bool is_immediate(__u64 word)
{
	return word >> 60 == V3D_QPU_SIG_SMALL_IMMEDIATE;
}

static inline bool is_load(__u64 word)
{
	return word >> 60 == V3D_QPU_SIG_LOAD_IMMEDIATE;
}

/* The fields of an instruction, neither a branch nor a load, that does nothing but give its signal */
#define IDLE_FIELDS \
	(all_op_add() | all_op_mul() | all_sf() | all_waddr_add() | all_waddr_mul() | all_raddr_a() | all_raddr_b())
#define IDLE_VALUES \
	(put_waddr_add(V3D_QPU_W_NOP) | put_waddr_mul(V3D_QPU_W_NOP) | put_raddr_a(V3D_QPU_R_NOP) | put_raddr_b(V3D_QPU_R_NOP))

static inline bool is_idle(__u64 word)
{
	return (word & IDLE_FIELDS) == IDLE_VALUES;
}

/* Operations of the add ALU with two operands */
#define TWO_OPERANDS(value, name, operands, text) | ((operands) > 1 ? 1u << (value) : 0)
#define ADD_TWO (0u V3D_QPU_ADD_OPS(TWO_OPERANDS))

static inline __u32 add_operands(__u64 word)
{
	__u32 op = get_op_add(word), first = 1u << get_add_a(word), second = 1u << get_add_b(word);

	return (op ? first : 0) | (ADD_TWO >> op & 1 ? second : 0);
}

/* All operations of the mul ALU have two. */
static inline __u32 mul_operands(__u64 word)
{
	return get_op_mul(word) ? 1u << get_mul_a(word) | 1u << get_mul_b(word) : 0;
}

#define ADDRESS_WRITES (WRITES(UNIFORMS_ADDRESS) | WRITES(TMU0_S) | WRITES(TMU1_S))

/* Does it add to a uniform what becomes an address? */
static inline bool makes_address(__u64 word)
{
	return ((ADDRESS_WRITES >> get_waddr_add(word)) | (ADDRESS_WRITES >> get_waddr_mul(word))) & 1 &&
	       (get_raddr_a(word) == V3D_QPU_R_UNIFORM || get_raddr_b(word) == V3D_QPU_R_UNIFORM) &&
	       word >> 60 < V3D_QPU_SIG_LOAD_IMMEDIATE;
}

#endif /* V3DCL_JOB_FIELDS_H */
