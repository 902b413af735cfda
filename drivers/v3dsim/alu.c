// SPDX-License-Identifier: MIT
/* The QPU's two ALUs: see alu.h. Built with -ffp-contract=off -frounding-math. */
#include "alu.h"

#include <stddef.h>

/* Vectors are passed by value between functions of this file only, all inlined: no ABI is involved. */
#pragma GCC diagnostic ignored "-Wpsabi"

#define INFINITY_BITS 0x7f800000u
#define SIGN 0x80000000u

#if defined(__x86_64__) || defined(__aarch64__)
#define ALU_NATIVE 1
#else
#define ALU_NATIVE 0
#endif

#define EACH_PART(p) for (int p = 0; p < ALU_PARTS; p++)

#if defined(__x86_64__)
alu_mode alu_enter(void)
{
	unsigned int mode = __builtin_ia32_stmxcsr();

	__builtin_ia32_ldmxcsr(0xffc0);		/* flush to zero, toward zero, all exceptions masked, denormals are zero */
	return mode;
}

void alu_leave(alu_mode mode)
{
	__builtin_ia32_ldmxcsr(mode);
}
#elif defined(__aarch64__)
alu_mode alu_enter(void)
{
	uint64_t mode, truncate = 7u << 22;	/* FZ, RMode 3: toward zero */

	__asm__ volatile("mrs %0, fpcr" : "=r"(mode));
	__asm__ volatile("msr fpcr, %0" : : "r"(truncate) : "memory");
	return mode;
}

void alu_leave(alu_mode mode)
{
	__asm__ volatile("msr fpcr, %0" : : "r"(mode) : "memory");
}
#else
alu_mode alu_enter(void)
{
	return 0;
}

void alu_leave(alu_mode mode)
{
	(void)mode;
}
#endif

static bool is_zero(uint32_t f)
{
	return (f & INFINITY_BITS) == 0;
}

static bool is_infinite(uint32_t f)
{
	return (f & INFINITY_BITS) == INFINITY_BITS;
}

static uint32_t mantissa(uint32_t f)
{
	return (f & 0x7fffff) | 0x800000;
}

/* value * 2^(exponent - 127 - 23), truncated to a float; value is not 0 */
static uint32_t compose(uint32_t sign, int exponent, uint64_t value)
{
	int shift = 63 - __builtin_clzll(value) - 23;

	value = shift > 0 ? value >> shift : value << -shift;
	exponent += shift;
	if (exponent <= 0)
		return 0;
	if (exponent >= 255)
		return sign | INFINITY_BITS;
	return sign | (uint32_t)exponent << 23 | (value & 0x7fffff);
}

uint32_t alu_fadd_exact(uint32_t a, uint32_t b)
{
	const int guard = 38;
	uint64_t big, small, lost;
	int distance;

	if (is_infinite(b) || is_infinite(a))
		return ((is_infinite(b) ? b : a) & SIGN) | INFINITY_BITS;
	if (is_zero(a))
		return is_zero(b) ? 0 : b;
	if (is_zero(b))
		return a;
	if ((a & ~SIGN) < (b & ~SIGN)) {
		uint32_t swap = a;

		a = b;
		b = swap;
	}
	big = (uint64_t)mantissa(a) << guard;
	small = (uint64_t)mantissa(b) << guard;
	distance = (int)(a >> 23 & 0xff) - (int)(b >> 23 & 0xff);
	if (distance > 62)
		distance = 62;
	lost = small & (((uint64_t)1 << distance) - 1);
	small = small >> distance | (lost != 0);	/* the sticky bit is far below what is kept */
	big = (a ^ b) & SIGN ? big - small : big + small;
	return big ? compose(a & SIGN, (int)(a >> 23 & 0xff) - guard, big) : 0;
}

uint32_t alu_fmul_exact(uint32_t a, uint32_t b)
{
	uint32_t sign = (a ^ b) & SIGN;

	if (is_zero(a) || is_zero(b))
		return 0;
	if (is_infinite(a) || is_infinite(b))
		return sign | INFINITY_BITS;
	return compose(sign, (int)(a >> 23 & 0xff) + (int)(b >> 23 & 0xff) - 127 - 23, (uint64_t)mantissa(a) * mantissa(b));
}

uint32_t alu_itof_exact(uint32_t a)
{
	return a ? compose(a & SIGN, 127 + 23, a & SIGN ? (uint32_t)-a : a) : 0;
}

uint32_t alu_ftoi_exact(uint32_t a)
{
	int exponent = (int)(a >> 23 & 0xff) - 127 - 23;
	uint32_t value;

	if (a == (SIGN | (127 + 31) << 23))
		return SIGN;
	if (exponent > 31 - 24 || exponent < -23)	/* out of range, infinite or below 1 */
		return 0;
	value = exponent > 0 ? mantissa(a) << exponent : mantissa(a) >> -exponent;
	return a & SIGN ? -value : value;
}

uint16_t alu_float_to_half(uint32_t f)
{
	uint32_t sign = f >> 16 & 0x8000, rounded;
	int exponent = (int)(f >> 23 & 0xff) - 127 + 15;

	if (is_infinite(f))
		return sign | 0x7c00;
	if (exponent <= 0)
		return 0;
	rounded = (uint32_t)exponent << 23 | (f & 0x7fffff);
	rounded = (rounded + 0xfff + (rounded >> 13 & 1)) >> 13;
	return sign | (rounded > 0x7c00 ? 0x7c00 : rounded);
}

uint32_t alu_half_to_float(uint16_t h)
{
	uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 0x1f, m = (uint32_t)(h & 0x3ff) << 13;

	if (exponent == 0)
		return sign | m;
	return sign | (exponent == 31 ? 255 : exponent + 127 - 15) << 23 | m;
}

uint32_t alu_color_to_float(uint8_t n)
{
	/* n / 255 to 40 bits behind the point: more than the 24 that stay */
	return n ? compose(0, 127 + 23 - 40, ((uint64_t)n << 40) / 255) : 0;
}

uint8_t alu_float_to_color(uint32_t f)
{
	int exponent = (int)(f >> 23 & 0xff) - 127;

	if ((f & SIGN) || exponent < -9)	/* negative, or below 1/510 */
		return 0;
	if (exponent >= 0)
		return 255;
	return ((uint64_t)mantissa(f) * 255 + ((uint64_t)1 << (22 - exponent))) >> (23 - exponent);
}

#if ALU_NATIVE
/* Lanes that the host's arithmetic may have got wrong: infinities, and the largest number, which truncation gives on overflow */
static inline bool suspicious(const struct lanes *r)
{
	struct lanes m;

	EACH_PART(p)
		m.i[p] = (r->i[p] & 0x7fffffff) >= 0x7f7fffff;
	return lanes_any(&m);
}

static inline __attribute__((always_inline)) alu_uints plus_zero(alu_uints r)
{
	return r & (alu_uints)((r & 0x7fffffff) != 0);
}
#endif

static __attribute__((noinline)) void fadd_lanes(struct lanes *out, const struct lanes *a, const struct lanes *b, uint32_t flip)
{
	for (int n = 0; n < V3D_QPU_LANES; n++)
		out->lane[n] = alu_fadd_exact(a->lane[n], b->lane[n] ^ flip);
}

static inline void add_floats(struct lanes *out, const struct lanes *a, const struct lanes *b, uint32_t flip)
{
#if ALU_NATIVE
	struct lanes r;

	EACH_PART(p) {
		const alu_floats second = (alu_floats)(b->u[p] ^ flip);

		r.f[p] = a->f[p] + second;
		r.u[p] = plus_zero(r.u[p]);
	}
	if (__builtin_expect(!suspicious(&r), 1)) {
		*out = r;
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

#define ADD_OP(name) static void add_##name(struct lanes *out, const struct lanes *a, const struct lanes *b, struct lanes *carry)
#define MUL_OP(name) static void mul_##name(struct lanes *out, const struct lanes *a, const struct lanes *b, struct lanes *carry)

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
	const alu_ints sign = f >> 31;

	return ((f & 0x7fffffff) ^ sign) - sign;
}

static inline __attribute__((always_inline)) alu_uints choose(alu_ints mask, alu_uints yes, alu_uints no)
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

/* Most shifts are by the same amount in all lanes, which hosts without lane-wise shifts do much faster. */
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
			out->member[p] = same ? first operator all : first operator (type)amount; \
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

static __attribute__((noinline)) void fmul_lanes(struct lanes *out, const struct lanes *a, const struct lanes *b)
{
	for (int n = 0; n < V3D_QPU_LANES; n++)
		out->lane[n] = alu_fmul_exact(a->lane[n], b->lane[n]);
}

MUL_OP(fmul)
{
#if ALU_NATIVE
	struct lanes r;

	EACH_PART(p) {
		r.f[p] = a->f[p] * b->f[p];
		r.u[p] = plus_zero(r.u[p]);
	}
	if (__builtin_expect(suspicious(&r), 0))
		fmul_lanes(&r, a, b);
	*out = r;
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

alu_op alu_add_op(unsigned int op)
{
	static const alu_op ops[32] = {
		[V3D_QPU_ADD_FADD] = add_fadd, [V3D_QPU_ADD_FSUB] = add_fsub, [V3D_QPU_ADD_FMIN] = add_fmin,
		[V3D_QPU_ADD_FMAX] = add_fmax, [V3D_QPU_ADD_FMINABS] = add_fminabs, [V3D_QPU_ADD_FMAXABS] = add_fmaxabs,
		[V3D_QPU_ADD_FTOI] = add_ftoi, [V3D_QPU_ADD_ITOF] = add_itof, [V3D_QPU_ADD_ADD] = add_add,
		[V3D_QPU_ADD_SUB] = add_sub, [V3D_QPU_ADD_SHR] = add_shr, [V3D_QPU_ADD_ASR] = add_asr, [V3D_QPU_ADD_ROR] = add_ror,
		[V3D_QPU_ADD_SHL] = add_shl, [V3D_QPU_ADD_MIN] = add_min, [V3D_QPU_ADD_MAX] = add_max, [V3D_QPU_ADD_AND] = add_and,
		[V3D_QPU_ADD_OR] = add_or, [V3D_QPU_ADD_XOR] = add_xor, [V3D_QPU_ADD_NOT] = add_not, [V3D_QPU_ADD_CLZ] = add_clz,
		[V3D_QPU_ADD_V8ADDS] = add_v8adds, [V3D_QPU_ADD_V8SUBS] = add_v8subs,
	};

	return op < 32 && ops[op] ? ops[op] : add_nop;
}

alu_op alu_mul_op(unsigned int op)
{
	static const alu_op ops[8] = {
		add_nop, mul_fmul, mul_mul24, mul_v8muld, mul_v8min, mul_v8max, mul_v8adds, mul_v8subs,
	};

	return ops[op & 7];
}

bool alu_overflow(unsigned int op, const struct lanes *a, const struct lanes *b, struct lanes *up, struct lanes *down)
{
	struct lanes over, wrapped;

	if (op != V3D_QPU_ADD_ADD && op != V3D_QPU_ADD_SUB)
		return false;
	EACH_PART(p) {
		const alu_uints first = a->u[p], second = b->u[p];

		if (op == V3D_QPU_ADD_ADD) {
			wrapped.u[p] = first + second;
			over.u[p] = (first ^ wrapped.u[p]) & (second ^ wrapped.u[p]);
			wrapped.u[p] = ~wrapped.u[p];	/* wrapped to negative: the sum was too large */
		} else {
			wrapped.u[p] = first - second;
			over.u[p] = (first ^ second) & (first ^ wrapped.u[p]);
		}
		over.i[p] >>= 31;
	}
	if (!lanes_any(&over))
		return false;
	EACH_PART(p) {
		down->i[p] = over.i[p] & (wrapped.i[p] >> 31);
		up->i[p] = over.i[p] & ~(wrapped.i[p] >> 31);
	}
	return true;
}
