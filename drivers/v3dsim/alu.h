/* SPDX-License-Identifier: MIT */
/*
 * The QPU's two ALUs (AG100 Tables 12 and 13) as pure functions on vectors of 16 lanes, bit for bit the same on every machine.
 *
 * HW, for all of it: fadd, fsub, fmul and itof truncate toward zero; denormals are 0 going in and coming out; a zero result is +0;
 * exponent 255 is always infinity, and so is what overflows. On x86-64 and arm64 the host's own arithmetic does this, in the mode
 * that alu_enter() sets, mended where infinities are concerned; elsewhere integer arithmetic does.
 */
#ifndef V3DSIM_ALU_H
#define V3DSIM_ALU_H

#include <stdbool.h>
#include <stdint.h>

#include <v3d/qpu.h>

/*
 * Bytes of the vectors that 16 lanes are cut into: what the instruction set compiled for has, because GCC 12 compares and converts
 * anything wider element by element. The layout of struct lanes does not depend on it.
 */
#ifdef __AVX2__
#define ALU_VECTOR 32
#else
#define ALU_VECTOR 16
#endif
#define ALU_PARTS (64 / ALU_VECTOR)

typedef uint8_t alu_bytes __attribute__((vector_size(ALU_VECTOR)));
typedef uint16_t alu_words __attribute__((vector_size(ALU_VECTOR)));
typedef uint32_t alu_uints __attribute__((vector_size(ALU_VECTOR)));
typedef int32_t alu_ints __attribute__((vector_size(ALU_VECTOR)));
typedef uint64_t alu_longs __attribute__((vector_size(ALU_VECTOR)));
typedef float alu_floats __attribute__((vector_size(ALU_VECTOR)));

/** struct lanes - 16 words, element 0 first */
struct lanes {
	union {
		uint32_t lane[V3D_QPU_LANES];
		alu_bytes b[ALU_PARTS];
		alu_words w[ALU_PARTS];
		alu_uints u[ALU_PARTS];
		alu_ints i[ALU_PARTS];
		alu_longs l[ALU_PARTS];
		alu_floats f[ALU_PARTS];
	};
} __attribute__((aligned(64)));

/**
 * typedef alu_op - one operation on all lanes
 * @out: may be one of the operands
 * @carry: the C flag of each lane, all ones or 0; NULL when nobody wants it
 */
typedef void (*alu_op)(struct lanes *out, const struct lanes *a, const struct lanes *b, struct lanes *carry);

/** struct alu_table - all operations, compiled for one instruction set; NULL is reserved */
struct alu_table {
	alu_op add[32], mul[8];
	alu_op to_color, from_color, pick;
};

#if defined(__x86_64__)
extern const struct alu_table alu_table_avx2;
#endif

/** alu_add_op() - operation @op of the add ALU, 0 to 31; a reserved one gives 0, as nop does */
alu_op alu_add_op(unsigned int op);

/** alu_mul_op() - operation @op of the mul ALU, 0 to 7. C of mul operations is not established: 0 here. */
alu_op alu_mul_op(unsigned int op);

/** alu_to_color() - alu_float_to_color() of all lanes of a, in all four bytes; b and carry are not looked at */
alu_op alu_to_color(void);

/** alu_from_color() - alu_color_to_float() of all lanes of a, which are 0 to 255; b and carry are not looked at */
alu_op alu_from_color(void);

/** alu_pick() - lane n becomes lane b[n] of a; the numbers are below 16 */
alu_op alu_pick(void);

/**
 * alu_overflow() - signed overflow of an add or sub, which shows in every pack (HW)
 * @down: lanes that overflow towards 0x80000000
 * Return: does any lane overflow at all? If not, @up and @down are not written.
 *
 * The direction is the true one for add; for sub it is the sign of the wrapped result.
 */
bool alu_overflow(unsigned int op, const struct lanes *a, const struct lanes *b, struct lanes *up, struct lanes *down);

/** typedef alu_mode - the thread's floating-point mode */
typedef uint64_t alu_mode;

/** alu_enter() - truncation and no denormals, for this thread. Return: for alu_leave() */
alu_mode alu_enter(void);

/** alu_leave() - the thread's own mode again */
void alu_leave(alu_mode mode);

/* One lane at a time, in integer arithmetic: what the vectors must equal */
uint32_t alu_fadd_exact(uint32_t a, uint32_t b);
uint32_t alu_fmul_exact(uint32_t a, uint32_t b);
uint32_t alu_itof_exact(uint32_t a);
uint32_t alu_ftoi_exact(uint32_t a);

/** alu_float_to_half() - HW: round to nearest; -0 and underflow give 0; infinity and NaN give infinity. Ties go to even here. */
uint16_t alu_float_to_half(uint32_t f);

/** alu_half_to_float() - HW: a denormal keeps its bits under exponent 0, exponent 31 becomes 255 and keeps its mantissa */
uint32_t alu_half_to_float(uint16_t h);

/** alu_color_to_float() - n / 255, truncated (HW: 128 gives 0x3f008080) */
uint32_t alu_color_to_float(uint8_t n);

/** alu_float_to_color() - AG100 p. 30: sat[round(f * 255)]; halves round up here (not established) */
uint8_t alu_float_to_color(uint32_t f);

/** lanes_fill() - the same word in every lane */
static inline void lanes_fill(struct lanes *out, uint32_t value)
{
	const alu_uints zero = { 0 };

#pragma GCC unroll 4
	for (int p = 0; p < ALU_PARTS; p++)
		out->u[p] = zero + value;
}

/** lanes_any() - is any bit set? */
static inline bool lanes_any(const struct lanes *m)
{
	alu_longs any = m->l[0];
	uint64_t bits = 0;

#pragma GCC unroll 4
	for (int p = 1; p < ALU_PARTS; p++)
		any |= m->l[p];
#ifdef __AVX2__
	bits = !__builtin_ia32_ptestz256((long long __attribute__((vector_size(32))))any,
					 (long long __attribute__((vector_size(32))))any);
#else
#pragma GCC unroll 4
	for (int n = 0; n < ALU_VECTOR / 8; n++)
		bits |= any[n];
#endif
	return bits != 0;
}

#endif /* V3DSIM_ALU_H */
