/* SPDX-License-Identifier: MIT */
/*
 * The operations of both ALUs on 16 lanes, as wide as the instruction set that they are compiled
 * for: included by alu.c for what every machine has, and by alu_avx2.c. Defines ALU_TABLE.
 */
#include <stddef.h>

#include "alu.h"

/*
 * Vectors are passed by value between functions of one file only, all inlined: no ABI is involved.
 */
#pragma GCC diagnostic ignored "-Wpsabi"

#define INFINITY_BITS 0x7f800000u
#define SIGN 0x80000000u

#if defined(__x86_64__) || defined(__aarch64__)
#define ALU_NATIVE 1
#else
#define ALU_NATIVE 0
#endif

#define EACH_PART(p) _Pragma("GCC unroll 4") for (int p = 0; p < ALU_PARTS; p++)

#if ALU_NATIVE
/*
 * Lanes that the host's arithmetic may have got wrong: infinities, and the largest number, which
 * truncation gives on overflow
 */
static inline bool suspicious(const struct lanes *r)
{
	struct lanes m;

	EACH_PART(p)
		m.i[p] = (r->i[p] & 0x7fffffff) >= 0x7f7fffff;
	return lanes_any(&m);
}

/* In whole vectors, which a plain assignment need not be */
static inline void copy(struct lanes *out, const struct lanes *from)
{
	EACH_PART(p)
		out->u[p] = from->u[p];
}

/* -0 and +0 are +0 when rounding toward zero; all else stays. */
static inline __attribute__((always_inline)) alu_floats plus_zero(alu_floats r)
{
	return r + 0.0f;
}
#endif

static __attribute__((noinline)) void fadd_lanes(struct lanes *out, const struct lanes *a,
						 const struct lanes *b, uint32_t flip)
{
	for (int n = 0; n < V3D_QPU_LANES; n++)
		out->lane[n] = alu_fadd_exact(a->lane[n], b->lane[n] ^ flip);
}

static inline void add_floats(struct lanes *out, const struct lanes *a, const struct lanes *b,
			      uint32_t flip)
{
#if ALU_NATIVE
	struct lanes r;

	EACH_PART(p) {
		const alu_floats second = (alu_floats)(b->u[p] ^ flip);

		r.f[p] = plus_zero(a->f[p] + second);
	}
	if (__builtin_expect(!suspicious(&r), 1)) {
		copy(out, &r);
		return;
	}
#endif
	fadd_lanes(out, a, b, flip);
}

static inline void carry_positive(const struct lanes *out, struct lanes *carry)
{
	if (carry) {
		EACH_PART(p)
			carry->i[p] = out->i[p] > 0;
	}
}

static inline void carry_none(struct lanes *carry)
{
	if (carry)
		lanes_fill(carry, 0);
}

#define ADD_OP(name) \
	static void add_##name(struct lanes *out, const struct lanes *a, const struct lanes *b, \
			       struct lanes *carry)
#define MUL_OP(name) \
	static void mul_##name(struct lanes *out, const struct lanes *a, const struct lanes *b, \
			       struct lanes *carry)

ADD_OP(nop)
{
	(void)a;
	(void)b;
	lanes_fill(out, 0);
	carry_none(carry);
}

ADD_OP(fadd)
{
	add_floats(out, a, b, 0);
	carry_positive(out, carry);
}

ADD_OP(fsub)
{
	add_floats(out, a, b, SIGN);
	carry_positive(out, carry);
}

/* Sign and magnitude as an integer that orders the same way; +0 and -0 are both 0 */
static inline __attribute__((always_inline)) alu_ints order(alu_ints f)
{
	const alu_ints sign = f < 0;

	return ((f & 0x7fffffff) ^ sign) - sign;
}

static inline __attribute__((always_inline)) alu_uints choose(alu_ints mask, alu_uints yes,
							      alu_uints no)
{
	return no ^ ((no ^ yes) & (alu_uints)mask);
}

#define MIN_MAX(name, key, yes, no) \
	ADD_OP(name) \
	{ \
		EACH_PART(p) { \
			const alu_uints first = a->u[p], second = b->u[p]; \
			const alu_ints greater = key((alu_ints)first) > key((alu_ints)second); \
			out->u[p] = choose(greater, yes, no); \
			if (carry) \
				carry->i[p] = greater; \
		} \
	}
#define AS_IS(x) (x)
#define MAGNITUDE(x) ((x) & 0x7fffffff)

MIN_MAX(fmin, order, second, first)
MIN_MAX(fmax, order, first, second)
MIN_MAX(fminabs, MAGNITUDE, second & ~SIGN, first & ~SIGN)
MIN_MAX(fmaxabs, MAGNITUDE, first & ~SIGN, second & ~SIGN)
MIN_MAX(min, AS_IS, second, first)
MIN_MAX(max, AS_IS, first, second)

ADD_OP(ftoi)
{
	(void)b;
#if ALU_NATIVE
	EACH_PART(p) {
		const alu_uints bits = a->u[p];
		const alu_uints fits = (alu_uints)(((alu_ints)bits & 0x7fffffff) < 0x4f000000);
		const alu_uints least = (alu_uints)(bits == 0xcf000000u);

		out->i[p] = __builtin_convertvector((alu_floats)(bits & fits), alu_ints);
		out->u[p] |= least & SIGN;
	}
#else
	for (int n = 0; n < V3D_QPU_LANES; n++)
		out->lane[n] = alu_ftoi_exact(a->lane[n]);
#endif
	carry_none(carry);
}

ADD_OP(itof)
{
	(void)b;
#if ALU_NATIVE
	EACH_PART(p)
		out->f[p] = __builtin_convertvector(a->i[p], alu_floats);
#else
	for (int n = 0; n < V3D_QPU_LANES; n++)
		out->lane[n] = alu_itof_exact(a->lane[n]);
#endif
	carry_positive(out, carry);
}

ADD_OP(add)
{
	EACH_PART(p) {
		const alu_uints first = a->u[p], sum = first + b->u[p];

		out->u[p] = sum;
		if (carry)
			carry->i[p] = sum < first;
	}
}

ADD_OP(sub)
{
	EACH_PART(p) {
		const alu_uints first = a->u[p], second = b->u[p];

		out->u[p] = first - second;
		if (carry)
			carry->i[p] = first < second;
	}
}

/*
 * Most shifts are by the same amount in all lanes, which hosts without lane-wise shifts do much
 * faster.
 */
static inline bool uniform(const struct lanes *b)
{
	struct lanes m;

	EACH_PART(p)
		m.u[p] = b->u[p] ^ b->lane[0];
	return !lanes_any(&m);
}

/* The last bit shifted out, counted from the low end, or none for amount 0 */
#define SHIFT(name, type, member, operator, last) \
	ADD_OP(name) \
	{ \
		const bool same = uniform(b); \
		const unsigned int all = b->lane[0] & 31; \
		EACH_PART(p) { \
			const type first = (type)a->member[p]; \
			const alu_uints amount = b->u[p] & 31, bits = a->u[p]; \
			const type each = (type)amount; \
			out->member[p] = same ? first operator all : first operator each; \
			if (carry) \
				carry->i[p] = ((bits >> ((last) & 31) & 1) != 0) & (amount != 0); \
		} \
	}

SHIFT(shr, alu_uints, u, >>, amount - 1)
SHIFT(asr, alu_ints, i, >>, amount - 1)
SHIFT(shl, alu_uints, u, <<, -amount)

ADD_OP(ror)
{
	EACH_PART(p) {
		const alu_uints bits = a->u[p], amount = b->u[p] & 31;

		out->u[p] = bits >> amount | bits << (-amount & 31);
	}
	carry_none(carry);
}

#define LOGIC(name, expression) \
	ADD_OP(name) \
	{ \
		(void)b; \
		EACH_PART(p) \
			out->u[p] = expression; \
		carry_none(carry); \
	}

LOGIC(and, a->u[p] & b->u[p])
LOGIC(or, a->u[p] | b->u[p])
LOGIC(xor, a->u[p] ^ b->u[p])
LOGIC(not, ~a->u[p])

ADD_OP(clz)
{
	(void)b;
	for (int n = 0; n < V3D_QPU_LANES; n++)
		out->lane[n] = a->lane[n] ? __builtin_clz(a->lane[n]) : 32;
	carry_none(carry);
}

#define BYTES(prefix, name, expression) \
	prefix##_OP(name) \
	{ \
		EACH_PART(p) { \
			const alu_bytes first = a->b[p], second = b->b[p]; \
			out->b[p] = expression; \
		} \
		carry_none(carry); \
	}
#define SATURATED_SUM ((first + second) | (alu_bytes)((alu_bytes)(first + second) < first))
#define SATURATED_DIFFERENCE ((first - second) & (alu_bytes)(first > second))
#define CHOOSE_BYTES(mask, yes, no) ((no) ^ (((no) ^ (yes)) & (alu_bytes)(mask)))

BYTES(ADD, v8adds, SATURATED_SUM)
BYTES(ADD, v8subs, SATURATED_DIFFERENCE)
BYTES(MUL, v8adds, SATURATED_SUM)
BYTES(MUL, v8subs, SATURATED_DIFFERENCE)
BYTES(MUL, v8min, CHOOSE_BYTES(first < second, first, second))
BYTES(MUL, v8max, CHOOSE_BYTES(first > second, first, second))

/* (x + 127) / 255 for products of bytes, in 16 bits */
static inline __attribute__((always_inline)) alu_words muld(alu_words first, alu_words second)
{
	const alu_words x = first * second + 128;

	return (x + (x >> 8)) >> 8;
}

MUL_OP(v8muld)
{
	EACH_PART(p) {
		const alu_words first = a->w[p], second = b->w[p];

		out->w[p] = muld(first & 0xff, second & 0xff) | muld(first >> 8, second >> 8) << 8;
	}
	carry_none(carry);
}

static __attribute__((noinline)) void fmul_lanes(struct lanes *out, const struct lanes *a,
						 const struct lanes *b)
{
	for (int n = 0; n < V3D_QPU_LANES; n++)
		out->lane[n] = alu_fmul_exact(a->lane[n], b->lane[n]);
}

MUL_OP(fmul)
{
#if ALU_NATIVE
	struct lanes r;

	EACH_PART(p) {
		r.f[p] = plus_zero(a->f[p] * b->f[p]);
	}
	if (__builtin_expect(!suspicious(&r), 1))
		copy(out, &r);
	else
		fmul_lanes(out, a, b);
#else
	fmul_lanes(out, a, b);
#endif
	carry_none(carry);
}

MUL_OP(mul24)
{
	EACH_PART(p)
		out->u[p] = (a->u[p] & 0xffffff) * (b->u[p] & 0xffffff);
	carry_none(carry);
}

/*
 * A product of 24 and 8 bits that lost bits to truncation is still on the same side of each half:
 * adding one half and truncating rounds as if all bits were there.
 */
static void to_color(struct lanes *out, const struct lanes *a, const struct lanes *b,
		     struct lanes *carry)
{
	(void)b;
#if ALU_NATIVE
	EACH_PART(p) {
		const alu_ints bits = a->i[p] & (a->i[p] > 0), above = bits > 0x3f800000;
		const alu_floats f = (alu_floats)((bits & ~above) | (0x3f800000 & above));
		const alu_uints byte = (alu_uints)__builtin_convertvector(f * 255.0f + 0.5f,
									  alu_ints),
				two = byte | byte << 8;

		out->u[p] = two | two << 16;
	}
#else
	for (int n = 0; n < V3D_QPU_LANES; n++)
		out->lane[n] = alu_float_to_color(a->lane[n]) * 0x01010101u;
#endif
	carry_none(carry);
}

static void from_color(struct lanes *out, const struct lanes *a, const struct lanes *b,
		       struct lanes *carry)
{
	(void)b;
#if ALU_NATIVE
	EACH_PART(p)
		out->f[p] = __builtin_convertvector(a->i[p], alu_floats) / 255.0f;
#else
	for (int n = 0; n < V3D_QPU_LANES; n++)
		out->lane[n] = alu_color_to_float(a->lane[n]);
#endif
	carry_none(carry);
}

/* Lane n becomes lane b[n] of a. */
static void pick(struct lanes *out, const struct lanes *a, const struct lanes *b,
		 struct lanes *carry)
{
	const struct lanes from = *a;

#if ALU_PARTS == 2
	EACH_PART(p)
		out->u[p] = __builtin_shuffle(from.u[0], from.u[1], b->u[p]);
#else
	for (int n = 0; n < V3D_QPU_LANES; n++)
		out->lane[n] = from.lane[b->lane[n]];
#endif
	carry_none(carry);
}

/* All operations, for this instruction set */
ALU_TABLE = {
	.add = {
		[V3D_QPU_ADD_NOP] = add_nop, [V3D_QPU_ADD_FADD] = add_fadd,
		[V3D_QPU_ADD_FSUB] = add_fsub, [V3D_QPU_ADD_FMIN] = add_fmin,
		[V3D_QPU_ADD_FMAX] = add_fmax, [V3D_QPU_ADD_FMINABS] = add_fminabs,
		[V3D_QPU_ADD_FMAXABS] = add_fmaxabs, [V3D_QPU_ADD_FTOI] = add_ftoi,
		[V3D_QPU_ADD_ITOF] = add_itof, [V3D_QPU_ADD_ADD] = add_add,
		[V3D_QPU_ADD_SUB] = add_sub, [V3D_QPU_ADD_SHR] = add_shr,
		[V3D_QPU_ADD_ASR] = add_asr, [V3D_QPU_ADD_ROR] = add_ror,
		[V3D_QPU_ADD_SHL] = add_shl, [V3D_QPU_ADD_MIN] = add_min,
		[V3D_QPU_ADD_MAX] = add_max, [V3D_QPU_ADD_AND] = add_and,
		[V3D_QPU_ADD_OR] = add_or, [V3D_QPU_ADD_XOR] = add_xor,
		[V3D_QPU_ADD_NOT] = add_not, [V3D_QPU_ADD_CLZ] = add_clz,
		[V3D_QPU_ADD_V8ADDS] = add_v8adds, [V3D_QPU_ADD_V8SUBS] = add_v8subs,
	},
	.mul = {
		add_nop, mul_fmul, mul_mul24, mul_v8muld, mul_v8min, mul_v8max, mul_v8adds,
		mul_v8subs,
	},
	.to_color = to_color, .from_color = from_color, .pick = pick,
};
