/* SPDX-License-Identifier: MIT */
/* Vectors of 16 lanes: what a QPU computes with, and what a TMU is asked with and answers with. */
#ifndef V3DSIM_LANES_H
#define V3DSIM_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include <v3d/qpu.h>

/*
 * Bytes of the vectors that 16 lanes are cut into: what the instruction set compiled for has,
 * because GCC 12 compares and converts anything wider element by element. The layout of struct
 * lanes does not depend on it.
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

/* 16 words, element 0 first */
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

/* The same word in every lane */
static inline void lanes_fill(struct lanes *out, uint32_t value)
{
	const alu_uints zero = { 0 };

#pragma GCC unroll 4
	for (int p = 0; p < ALU_PARTS; p++)
		out->u[p] = zero + value;
}

/* Is any bit set? */
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

#endif /* V3DSIM_LANES_H */
