/* SPDX-License-Identifier: MIT */
/*
 * The QPU's two ALUs (AG100 Tables 12 and 13) as pure functions on vectors of 16 lanes, bit for bit
 * the same on every machine.
 *
 * HW, for all of it: fadd, fsub, fmul and itof truncate toward zero; denormals are 0 going in and
 * coming out; a zero result is +0; exponent 255 is always infinity, and so is what overflows. On
 * x86-64 and arm64 the host's own arithmetic does this, in the mode that float_mode_enter() sets,
 * mended where infinities are concerned; elsewhere integer arithmetic does.
 */
#ifndef V3DSIM_ALU_H
#define V3DSIM_ALU_H

#include <stdbool.h>
#include <stdint.h>

#include <v3d/qpu.h>

#include "core/lanes.h"

/**
 * typedef alu_op - one operation on all lanes
 * @out: may be one of the operands
 * @carry: the C flag of each lane, all ones or 0; NULL where it is not wanted
 */
typedef void (*alu_op)(struct lanes *out, const struct lanes *a, const struct lanes *b,
		       struct lanes *carry);

/**
 * struct alu_table - all operations, compiled for one instruction set
 * @add: by V3D_QPU_ADD_*, NULL is reserved; @mul: by V3D_QPU_MUL_*
 * @to_color: alu_float_to_color() of all lanes of a, in all four bytes; b and carry are not
 *	looked at
 * @from_color: alu_color_to_float() of all lanes of a, which are 0 to 255; b and carry are
 *	not looked at
 * @pick: lane n becomes lane b[n] of a; the numbers are below 16
 */
struct alu_table {
	alu_op add[32], mul[8];
	alu_op to_color, from_color, pick;
};

/* For every machine */
extern const struct alu_table alu_table_any;

/* Operation @op of the add ALU, 0 to 31; a reserved one gives 0, as nop does */
static inline alu_op alu_add_op(const struct alu_table *table, unsigned int op)
{
	return table->add[op < 32 && table->add[op] ? op : V3D_QPU_ADD_NOP];
}

/**
 * alu_mul_op() - operation @op of the mul ALU, 0 to 7. C of mul operations is not established: 0
 * here.
 */
static inline alu_op alu_mul_op(const struct alu_table *table, unsigned int op)
{
	return table->mul[op & 7];
}

/**
 * alu_overflow() - signed overflow of an add or sub, which shows in every pack (HW)
 * @down: lanes that overflow towards 0x80000000
 * Return: does any lane overflow at all? If not, @up and @down are not written.
 *
 * The direction is the true one for add; for sub it is the sign of the wrapped result.
 */
bool alu_overflow(unsigned int op, const struct lanes *a, const struct lanes *b, struct lanes *up,
		  struct lanes *down);

/* One lane at a time, in integer arithmetic: what the vectors must equal */
uint32_t alu_fadd_exact(uint32_t a, uint32_t b);
uint32_t alu_fmul_exact(uint32_t a, uint32_t b);
uint32_t alu_itof_exact(uint32_t a);
uint32_t alu_ftoi_exact(uint32_t a);

/**
 * alu_float_to_half() - HW: round to nearest; -0 and underflow give 0; infinity and NaN give
 * infinity. Ties go to even here.
 */
uint16_t alu_float_to_half(uint32_t f);

/**
 * alu_half_to_float() - HW: a denormal keeps its bits under exponent 0, exponent 31 becomes 255 and
 * keeps its mantissa
 */
uint32_t alu_half_to_float(uint16_t h);

/* n / 255, truncated (HW: 128 gives 0x3f008080) */
uint32_t alu_color_to_float(uint8_t n);

/**
 * alu_float_to_color() - AG100 p. 30: sat[round(f * 255)]; halves round up here (not established)
 */
uint8_t alu_float_to_color(uint32_t f);

#endif /* V3DSIM_ALU_H */
