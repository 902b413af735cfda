// SPDX-License-Identifier: MIT
/*
 * What the verifier knows of numbers, seen in what it records of an address that is a number and a
 * uniform: the range, and which uniforms have a part in it. checker.rst, "The domain".
 */
#include "verify.h"

/* Elements' numbers where a uniform is read from file A */
#define NUMBER QB_RB(0)
#define PREPARE E(qb_mov(NUMBER, QB_ELEMENT)) E(qb_nop())
#define BEGIN start(); PREPARE

#define UNKNOWN(body) ADDRESS_LOST(PREPARE body ADDRESS)
/* Between these, without uniforms but the base */
#define RANGE(first, last, body) ADDRESS_RANGE(first, last, PREPARE body ADDRESS)

struct term {
	__u32 slot, scale, clamped;
};

/* These terms in this order, and a constant */
static void assert_terms(__u32 low, const struct term *terms, __u32 count)
{
	const struct v3dcl_abstract_value *n = &program.uses[0].address;

	assert_int_equal(n->low, low);
	assert_int_equal(n->span, 0);
	assert_int_equal(n->count, count);
	for (__u32 i = 0; i < count; i++) {
		assert_int_equal(n->slot[i], terms[i].slot);
		assert_int_equal(n->scale[i], terms[i].scale);
		assert_int_equal(n->clamped >> i & 1, terms[i].clamped);
	}
}

/* The base is one of them. */
#define TERMS(low, terms, body) \
	do { \
		static const struct term terms_[] = { PROTECT terms }; \
		BEGIN \
		body \
		ADDRESS \
		accepted(); \
		assert_terms(low, terms_, sizeof(terms_) / sizeof(terms_[0])); \
	} while (0)
#define PROTECT(...) __VA_ARGS__

/* One access, whose address has three terms */
#define OK3(body) \
	do { \
		BEGIN \
		body \
		accepted(); \
		assert_int_equal(program.use_count, 1); \
		assert_int_equal(program.uses[0].address.count, 3); \
	} while (0)

#define MUL24(dst, x, y) E(qb_mul(V3D_QPU_MUL_MUL24, dst, x, y))
#define LOAD(dst, value) E(qb_ldi(dst, value))
#define ANY(dst) OP(ITOF, dst, QB_ELEMENT, QB_ELEMENT)		/* nothing is known of a float */
#define LIMITED(dst, n) \
	ANY(dst) OP(MAX, dst, dst, qb_imm(0)) LOAD(QB_R3, n) OP(MIN, dst, dst, QB_R3) /* 0 to n */
#define SHIFTED_ANY(dst, n) ANY(dst) OP(SHR, dst, dst, qb_imm(n))

TEST(test_sums)
{
	(void)state;
	RANGE(3, 18, OP(ADD, QB_R0, QB_ELEMENT, qb_imm(3)));
	RANGE(0, 30, OP(ADD, QB_R0, QB_ELEMENT, QB_ELEMENT));
	RANGE(-3, 12, OP(SUB, QB_R0, QB_ELEMENT, qb_imm(3)));
	RANGE(-12, 3, E(qb_mov(QB_R1, QB_ELEMENT)) OP(SUB, QB_R0, qb_imm(3), QB_R1));
	RANGE(-15, 15, OP(SUB, QB_R0, QB_ELEMENT, QB_ELEMENT));
	RANGE(16, 16, LOAD(QB_R0, 0xfffffff0) LOAD(QB_R1, 32) OP(ADD, QB_R0, QB_R0, QB_R1));
	/* 2^32 - 1 numbers are known, 2^32 are all */
	RANGE(0, 0xfffffffe, SHIFTED_ANY(QB_R0, 1) OP(ADD, QB_R0, QB_R0, QB_R0));
	UNKNOWN(SHIFTED_ANY(QB_R0, 1) SHIFTED_ANY(QB_R1, -1) OP(ADD, QB_R0, QB_R0, QB_R0)
		OP(ADD, QB_R0, QB_R0, QB_R1));
	UNKNOWN(SHIFTED_ANY(QB_R0, 1) OP(ADD, QB_R0, QB_R0, QB_R0)
		OP(ADD, QB_R0, QB_R0, QB_ELEMENT));
	UNKNOWN(ANY(QB_R0) OP(ADD, QB_R0, QB_R0, qb_imm(1)));
	UNKNOWN(ANY(QB_R1) OP(ADD, QB_R0, QB_ELEMENT, QB_R1));
	UNKNOWN(ANY(QB_R1) OP(SUB, QB_R0, QB_ELEMENT, QB_R1));
	/* minus a uniform is no sum of uniforms */
	UNKNOWN(OP(SUB, QB_R0, NUMBER, QB_UNIF));
	TERMS(-1, ({ 0, 1, 0 }, { 1, 1, 0 }), E(qb_mov(QB_R0, QB_UNIF))
	      OP(SUB, QB_R0, QB_R0, qb_imm(1)));
}

TEST(test_terms)
{
	(void)state;
	TERMS(0, ({ 0, 1, 0 }), LOAD(QB_R0, 0));
	TERMS(4, ({ 0, 1, 0 }, { 1, 1, 0 }), OP(ADD, QB_R0, QB_UNIF, qb_imm(4)));
	TERMS(0, ({ 0, 4, 0 }, { 1, 1, 0 }), OP(SHL, QB_R0, QB_UNIF, qb_imm(2)));
	/* of one uniform, terms add up */
	TERMS(0, ({ 0, 5, 0 }, { 1, 1, 0 }), E(qb_mov(QB_R1, QB_UNIF))
	      OP(SHL, QB_R0, QB_R1, qb_imm(2))
	      OP(ADD, QB_R0, QB_R0, QB_R1));
	/* of two, they do not */
	TERMS(0, ({ 0, 1, 0 }, { 1, 1, 0 }, { 2, 1, 0 }),
	      E(qb_mov(QB_R0, QB_UNIF)) OP(ADD, QB_R0, QB_R0, QB_UNIF));
	/* three fit, the base with them */
	UNKNOWN(E(qb_mov(QB_R0, QB_UNIF)) OP(ADD, QB_R0, QB_R0, QB_UNIF)
		OP(ADD, QB_R0, QB_R0, QB_UNIF));
	/* scales up to 65535 */
	TERMS(0, ({ 0, 0x8000, 0 }, { 1, 1, 0 }), OP(SHL, QB_R0, QB_UNIF, qb_imm(15)));
	UNKNOWN(OP(SHL, QB_R0, QB_UNIF, qb_imm(-16)));
	TERMS(0, ({ 0, 0xffff, 0 }, { 1, 1, 0 }), E(qb_mov(QB_R1, QB_UNIF))
	      OP(SHL, QB_R0, QB_R1, qb_imm(15))
	      OP(SHL, QB_R2, QB_R1, qb_imm(14)) OP(ADD, QB_R0, QB_R0, QB_R2)
	      OP(SHL, QB_R2, QB_R1, qb_imm(13))
	      OP(ADD, QB_R0, QB_R0, QB_R2) OP(SHL, QB_R2, QB_R1, qb_imm(12))
	      OP(ADD, QB_R0, QB_R0, QB_R2)
	      OP(SHL, QB_R2, QB_R1, qb_imm(11)) OP(ADD, QB_R0, QB_R0, QB_R2)
	      OP(SHL, QB_R2, QB_R1, qb_imm(10))
	      OP(ADD, QB_R0, QB_R0, QB_R2) OP(SHL, QB_R2, QB_R1, qb_imm(9))
	      OP(ADD, QB_R0, QB_R0, QB_R2)
	      OP(SHL, QB_R2, QB_R1, qb_imm(8)) OP(ADD, QB_R0, QB_R0, QB_R2) LOAD(QB_R3, 255)
	      E(qb_nop()) E(qb_mov(QB_R2, QB_R1)) OP(SHL, QB_R2, QB_R1, qb_imm(7))
	      OP(ADD, QB_R0, QB_R0, QB_R2)
	      OP(SHL, QB_R2, QB_R1, qb_imm(6)) OP(ADD, QB_R0, QB_R0, QB_R2)
	      OP(SHL, QB_R2, QB_R1, qb_imm(5))
	      OP(ADD, QB_R0, QB_R0, QB_R2) OP(SHL, QB_R2, QB_R1, qb_imm(4))
	      OP(ADD, QB_R0, QB_R0, QB_R2)
	      OP(SHL, QB_R2, QB_R1, qb_imm(3)) OP(ADD, QB_R0, QB_R0, QB_R2)
	      OP(SHL, QB_R2, QB_R1, qb_imm(2))
	      OP(ADD, QB_R0, QB_R0, QB_R2) OP(SHL, QB_R2, QB_R1, qb_imm(1))
	      OP(ADD, QB_R0, QB_R0, QB_R2)
	      OP(ADD, QB_R0, QB_R0, QB_R1) OP(SHL, QB_R0, QB_R0, qb_imm(0)));
	UNKNOWN(E(qb_mov(QB_R1, QB_UNIF)) OP(SHL, QB_R0, QB_R1, qb_imm(15))
		OP(ADD, QB_R0, QB_R0, QB_R0));
	/* three of them are the same three, times two no base */
	OK3(E(qb_mov(QB_R0, QB_UNIF)) OP(ADD, QB_R0, QB_R0, QB_UNIF) OP(ADD, QB_R0, QB_R0, QB_UNIF)
	    E(qb_mov(QB_TMU0_S, QB_R0))
	    E(SIG(LOAD_TMU0, qb_nop())) E(qb_mov(QB_TMU0_S, QB_R0)) E(SIG(LOAD_TMU0, qb_nop())));
	OK3(E(qb_mov(QB_R0, QB_UNIF)) OP(ADD, QB_R0, QB_R0, QB_UNIF) OP(ADD, QB_R0, QB_R0, QB_UNIF)
	    E(qb_mov(QB_TMU0_S, QB_R0))
	    E(SIG(LOAD_TMU0, qb_nop())) OP(SHL, QB_R0, QB_R0, qb_imm(1)));
	/* terms of both operands are taken, whatever the order */
	TERMS(0, ({ 1, 1, 0 }, { 0, 8, 0 }, { 2, 1, 0 }),
	      E(qb_mov(QB_R1, QB_UNIF)) OP(SHL, QB_R1, QB_R1, qb_imm(3))
	      OP(ADD, QB_R0, QB_UNIF, QB_R1));
}

/*
 * min(x, uniform) of what is not negative is a number from 0 to the uniform, of which each element
 * has its own.
 */
TEST(test_clamps)
{
	(void)state;
	TERMS(0, ({ 0, 1, 1 }, { 1, 1, 0 }), OP(MIN, QB_R0, NUMBER, QB_UNIF));
	TERMS(0, ({ 0, 1, 1 }, { 1, 1, 0 }), E(qb_mov(QB_R1, QB_ELEMENT))
	      OP(MIN, QB_R0, QB_UNIF, QB_R1));
	TERMS(0, ({ 0, 1, 1 }, { 1, 1, 0 }), LOAD(QB_R1, 0) OP(MIN, QB_R0, QB_R1, QB_UNIF));
	TERMS(0, ({ 0, 4, 1 }, { 1, 1, 0 }), OP(MIN, QB_R0, NUMBER, QB_UNIF)
	      OP(SHL, QB_R0, QB_R0, qb_imm(2)));
	TERMS(0, ({ 0, 1, 1 }, { 1, 1, 0 }), ANY(QB_R1) OP(MAX, QB_R1, QB_R1, qb_imm(0))
	      OP(MIN, QB_R0, QB_R1, QB_UNIF));
	/* -1 may pass */
	RANGE(0x80000000, 14, OP(SUB, QB_R1, QB_ELEMENT, qb_imm(1)) OP(MIN, QB_R0, QB_R1, QB_UNIF));
	RANGE(0x80000000, 14, OP(SUB, QB_R1, QB_ELEMENT, qb_imm(1)) OP(MIN, QB_R0, QB_UNIF, QB_R1));
	UNKNOWN(ANY(QB_R1) OP(MAX, QB_R1, QB_R1, qb_imm(-1)) OP(MIN, QB_R0, QB_R1, QB_UNIF));
	UNKNOWN(ANY(QB_R1) OP(MIN, QB_R0, QB_R1, QB_UNIF));
	/* two clamps by one uniform are two numbers */
	TERMS(0, ({ 0, 1, 1 }, { 0, 1, 1 }, { 1, 1, 0 }),
	      E(qb_mov(QB_R1, QB_UNIF)) OP(MIN, QB_R0, QB_ELEMENT, QB_R1)
	      OP(MIN, QB_R2, QB_ELEMENT, QB_R1) OP(ADD, QB_R0, QB_R0, QB_R2));
	/* a clamp and the uniform itself as well */
	TERMS(0, ({ 0, 1, 1 }, { 0, 1, 0 }, { 1, 1, 0 }),
	      E(qb_mov(QB_R1, QB_UNIF)) OP(MIN, QB_R0, QB_ELEMENT, QB_R1)
	      OP(ADD, QB_R0, QB_R0, QB_R1));
	TERMS(0, ({ 0, 1, 0 }, { 0, 1, 1 }, { 1, 1, 0 }),
	      E(qb_mov(QB_R1, QB_UNIF)) OP(MIN, QB_R0, QB_ELEMENT, QB_R1)
	      OP(ADD, QB_R0, QB_R1, QB_R0));
	/* by what is more than a uniform, nothing is known but the other operand */
	RANGE(0x80000000, 15, LOAD(QB_R1, 0x8000) OP(ADD, QB_R1, QB_UNIF, QB_R1)
	      OP(MIN, QB_R0, QB_ELEMENT, QB_R1));
	RANGE(0x80000000, 15, OP(SHL, QB_R1, QB_UNIF, qb_imm(1)) OP(MIN, QB_R0, QB_ELEMENT, QB_R1));
	RANGE(0x80000000, 15, OP(ADD, QB_R1, NUMBER, QB_UNIF) OP(MIN, QB_R0, QB_ELEMENT, QB_R1));
	RANGE(0x80000000, 15, OP(MIN, QB_R1, NUMBER, QB_UNIF) OP(MIN, QB_R0, QB_ELEMENT, QB_R1));
	RANGE(0x80000000, 15, E(qb_mov(QB_R1, QB_UNIF)) OP(ADD, QB_R1, QB_R1, QB_UNIF)
	      OP(MIN, QB_R0, QB_ELEMENT, QB_R1));
	RANGE(0, 0x7fffffff, OP(MAX, QB_R0, NUMBER, QB_UNIF));
	/* either a uniform or a clamp by it, or twice as much */
	UNKNOWN(E(qb_flags(qb_mov(QB_NONE, QB_ELEMENT))) E(qb_mov(QB_R1, QB_UNIF))
		OP(MIN, QB_R0, QB_ELEMENT, QB_R1)
		E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_R0, QB_R1))));
	UNKNOWN(E(qb_flags(qb_mov(QB_NONE, QB_ELEMENT))) E(qb_mov(QB_R1, QB_UNIF))
		OP(SHL, QB_R0, QB_R1, qb_imm(1))
		E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_R0, QB_R1))));
}

TEST(test_minimum_and_maximum)
{
	(void)state;
	RANGE(0, 7, OP(MIN, QB_R0, QB_ELEMENT, qb_imm(7)));
	RANGE(0, 7, E(qb_mov(QB_R1, QB_ELEMENT)) OP(MIN, QB_R0, qb_imm(7), QB_R1));
	RANGE(7, 15, OP(MAX, QB_R0, QB_ELEMENT, qb_imm(7)));
	RANGE(7, 15, E(qb_mov(QB_R1, QB_ELEMENT)) OP(MAX, QB_R0, qb_imm(7), QB_R1));
	RANGE(-5, -5, OP(MIN, QB_R0, QB_ELEMENT, qb_imm(-5)));
	RANGE(15, 15, OP(MAX, QB_R0, QB_ELEMENT, qb_imm(15)));
	RANGE(-16, 10, OP(SUB, QB_R1, QB_ELEMENT, qb_imm(5)) OP(MIN, QB_R1, QB_R1, qb_imm(10))
	      LOAD(QB_R2, -16)
	      OP(ADD, QB_R2, QB_R2, QB_ELEMENT) OP(MIN, QB_R2, QB_R2, qb_imm(10)) E(qb_nop())
	      OP(MIN, QB_R0, QB_R2, QB_R2)
	      E(qb_flags(qb_mov(QB_NONE, QB_ELEMENT)))
	      E(qb_if(V3D_QPU_COND_ZS, qb_mov(QB_R0, QB_R1)))
	      E(qb_if(V3D_QPU_COND_ZS, qb_ldi(QB_R0, 10))));
	RANGE(0, 0x7fffffff, ANY(QB_R1) OP(MAX, QB_R0, QB_R1, qb_imm(0)));
	RANGE(0x80000000, 5, ANY(QB_R1) OP(MIN, QB_R0, QB_R1, qb_imm(5)));
	/* signed: what is past 2^31 is less */
	RANGE(0, 0x7fffffff, ANY(QB_R1) OP(SHR, QB_R1, QB_R1, qb_imm(1))
	      OP(MAX, QB_R0, QB_R1, qb_imm(0)));
	RANGE(0x80000000, 5, SHIFTED_ANY(QB_R1, 1) OP(ADD, QB_R1, QB_R1, QB_ELEMENT)
	      OP(MIN, QB_R0, QB_R1, qb_imm(5)));
	RANGE(0, 3, LOAD(QB_R1, 0x7ffffff1) OP(ADD, QB_R1, QB_R1, QB_ELEMENT)
	      OP(MIN, QB_R0, QB_R1, qb_imm(3))
	      OP(MAX, QB_R0, QB_R0, qb_imm(0)));
	RANGE(3, 3, LOAD(QB_R1, 0x7ffffff0) OP(ADD, QB_R1, QB_R1, QB_ELEMENT)
	      OP(MIN, QB_R0, QB_R1, qb_imm(3)));
	/* of two ranges: the lesser ends, the greater ends */
	RANGE(0, 15, OP(ADD, QB_R1, QB_ELEMENT, qb_imm(4)) OP(MIN, QB_R0, QB_ELEMENT, QB_R1));
	RANGE(4, 19, OP(ADD, QB_R1, QB_ELEMENT, qb_imm(4)) OP(MAX, QB_R0, QB_ELEMENT, QB_R1));
	RANGE(4, 19, OP(ADD, QB_R1, QB_ELEMENT, qb_imm(4)) OP(MAX, QB_R0, QB_R1, QB_ELEMENT));
	RANGE(0, 15, OP(ADD, QB_R1, QB_ELEMENT, qb_imm(4)) OP(MIN, QB_R0, QB_R1, QB_ELEMENT));
	/* what uniforms have a part in may be anything */
	RANGE(0x80000000, -5, OP(MIN, QB_R0, QB_UNIF, qb_imm(-5)));
	RANGE(-5, 0x7fffffff, OP(MAX, QB_R0, QB_UNIF, qb_imm(-5)));
}

TEST(test_shifts)
{
	(void)state;
	RANGE(0, 240, OP(SHL, QB_R0, QB_ELEMENT, qb_imm(4)));
	RANGE(0, 3, OP(SHR, QB_R0, QB_ELEMENT, qb_imm(2)));
	RANGE(1, 4, OP(ADD, QB_R0, QB_ELEMENT, qb_imm(4)) OP(SHR, QB_R0, QB_R0, qb_imm(2)));
	RANGE(0, 0x7fffffff, SHIFTED_ANY(QB_R0, 1));
	RANGE(0, 1, SHIFTED_ANY(QB_R0, -1));				/* by 31: 5 bits count */
	UNKNOWN(SHIFTED_ANY(QB_R0, 0));
	RANGE(-4, 3, OP(SUB, QB_R0, QB_ELEMENT, qb_imm(8)) OP(ADD, QB_R0, QB_R0, QB_R0)
	      OP(ASR, QB_R0, QB_R0, qb_imm(2)));
	RANGE(-1, -1, LOAD(QB_R0, 0x80000000) OP(ASR, QB_R0, QB_R0, qb_imm(-1)));
	RANGE(1, 1, LOAD(QB_R0, 0x80000000) OP(SHR, QB_R0, QB_R0, qb_imm(-1)));
	RANGE(-2, 1, ANY(QB_R0) OP(ASR, QB_R0, QB_R0, qb_imm(-2)));
	/* what wraps is no range of unsigned numbers */
	RANGE(0, 0x3fffffff, OP(SUB, QB_R0, QB_ELEMENT, qb_imm(1))
	      OP(SHR, QB_R0, QB_R0, qb_imm(2)));
	RANGE(-0x20000000, 0x1fffffff, LOAD(QB_R0, 0x7ffffffc) OP(ADD, QB_R0, QB_R0, QB_ELEMENT)
	      OP(ASR, QB_R0, QB_R0, qb_imm(2)));
	/* nor what uniforms have a part in */
	RANGE(0, 0x3fffffff, OP(SHR, QB_R0, QB_UNIF, qb_imm(2)));
	RANGE(-0x20000000, 0x1fffffff, OP(ASR, QB_R0, QB_UNIF, qb_imm(2)));
	/* the last number of 32 bits */
	RANGE(0x0fffffff, 0x0fffffff, LOAD(QB_R0, 0xfffffff0) OP(ADD, QB_R0, QB_R0, QB_ELEMENT)
	      OP(SHR, QB_R0, QB_R0, qb_imm(4)));
	/* by a number that is not known */
	UNKNOWN(E(qb_mov(QB_R1, QB_ELEMENT)) OP(SHL, QB_R0, QB_R1, QB_R1));
	UNKNOWN(E(qb_mov(QB_R1, QB_ELEMENT)) OP(SHR, QB_R0, QB_R1, QB_R1));
	UNKNOWN(OP(SHL, QB_R0, NUMBER, QB_UNIF));
	/* as many as 2^32 */
	RANGE(0, 0xf0000000, OP(SHL, QB_R0, QB_ELEMENT, qb_imm(-4)));
	UNKNOWN(OP(SHL, QB_R0, QB_ELEMENT, qb_imm(-3)));
	UNKNOWN(ANY(QB_R1) OP(SHL, QB_R0, QB_R1, qb_imm(2)));
}

TEST(test_products)
{
	(void)state;
	RANGE(0, 180, MUL24(QB_R0, QB_ELEMENT, qb_imm(12)));
	RANGE(0, 180, E(qb_mov(QB_R1, QB_ELEMENT)) MUL24(QB_R0, qb_imm(12), QB_R1));
	RANGE(0, 0, MUL24(QB_R0, QB_ELEMENT, qb_imm(0)));
	RANGE(0, 225, MUL24(QB_R0, QB_ELEMENT, QB_ELEMENT));
	RANGE(16 * 16, 31 * 31, LOAD(QB_R1, 16) OP(ADD, QB_R1, QB_R1, QB_ELEMENT)
	      MUL24(QB_R0, QB_R1, QB_R1));
	/* 24 bits of each count */
	RANGE(0, 15 * 0xffffff, LOAD(QB_R1, 0xffffff) MUL24(QB_R0, QB_ELEMENT, QB_R1));
	UNKNOWN(LOAD(QB_R1, 0x1000000) MUL24(QB_R0, QB_ELEMENT, QB_R1));
	UNKNOWN(LOAD(QB_R1, 0x1000000) MUL24(QB_R0, QB_R1, QB_ELEMENT));
	UNKNOWN(ANY(QB_R1) MUL24(QB_R0, QB_R1, qb_imm(2)));
	UNKNOWN(OP(ADD, QB_R1, QB_UNIF, qb_imm(1)) MUL24(QB_R0, QB_R1, qb_imm(2)));
	UNKNOWN(OP(SUB, QB_R1, QB_ELEMENT, qb_imm(1)) MUL24(QB_R0, QB_R1, qb_imm(2)));
	RANGE(0, 2 * 0xffffff, LIMITED(QB_R1, 0xffffff) MUL24(QB_R0, QB_R1, qb_imm(2)));
	UNKNOWN(LIMITED(QB_R1, 0x1000000) MUL24(QB_R0, QB_R1, qb_imm(2)));
	UNKNOWN(LIMITED(QB_R1, 0x1000000) MUL24(QB_R0, qb_imm(2), QB_R1));
	/* 32 bits of the product */
	RANGE(0, 0xfffe0001, LIMITED(QB_R1, 0xffff) MUL24(QB_R0, QB_R1, QB_R1));
	UNKNOWN(LIMITED(QB_R1, 0x10000) MUL24(QB_R0, QB_R1, QB_R1));
	UNKNOWN(LIMITED(QB_R1, 0xffff) LIMITED(QB_R2, 0x10001) MUL24(QB_R0, QB_R1, QB_R2));
	/* the other operations of the mul ALU say nothing */
	UNKNOWN(E(qb_mul(V3D_QPU_MUL_V8ADDS, QB_R0, QB_ELEMENT, qb_imm(1))));
	UNKNOWN(E(qb_mul(V3D_QPU_MUL_V8MIN, QB_R0, QB_ELEMENT, qb_imm(1))));
	UNKNOWN(E(qb_mul(V3D_QPU_MUL_V8MAX, QB_R0, QB_ELEMENT, QB_ELEMENT)));
	RANGE(0, 15, E(qb_mul(V3D_QPU_MUL_V8MIN, QB_R0, QB_ELEMENT, QB_ELEMENT)));
}

TEST(test_and)
{
	(void)state;
	RANGE(0, 7, ANY(QB_R1) OP(AND, QB_R0, QB_R1, qb_imm(7)));
	RANGE(0, 7, ANY(QB_R1) OP(AND, QB_R0, qb_imm(7), QB_R1));
	RANGE(0, 7, OP(AND, QB_R0, QB_UNIF, qb_imm(7)));
	RANGE(0, 0, OP(AND, QB_R0, QB_UNIF, qb_imm(0)));
	RANGE(0, 0, E(qb_mov(QB_R1, QB_UNIF)) OP(AND, QB_R0, qb_imm(0), QB_R1));
	RANGE(8, 8, LOAD(QB_R0, 12) OP(AND, QB_R0, QB_R0, qb_imm(-5))
	      OP(AND, QB_R0, QB_R0, qb_imm(8)));
	RANGE(4, 4, LOAD(QB_R0, 12) OP(AND, QB_R0, QB_R0, qb_imm(6)));
	/* low bits cleared keep the order */
	RANGE(0, 12, OP(AND, QB_R0, QB_ELEMENT, qb_imm(-4)));
	RANGE(0, 12, E(qb_mov(QB_R1, QB_ELEMENT)) OP(AND, QB_R0, qb_imm(-4), QB_R1));
	RANGE(16, 28, OP(ADD, QB_R0, QB_ELEMENT, qb_imm(15)) OP(ADD, QB_R0, QB_R0, qb_imm(2))
	      OP(AND, QB_R0, QB_R0, qb_imm(-4))
	      OP(MIN, QB_R0, QB_R0, QB_R0) E(qb_nop()) LOAD(QB_R1, 28)
	      OP(MIN, QB_R0, QB_R0, QB_R1));
	RANGE(0, 0xfffffffc, ANY(QB_R1) OP(AND, QB_R0, QB_R1, qb_imm(-4)));
	/* no more than the bits up to the highest */
	RANGE(0, 13, LOAD(QB_R1, 0xfd) OP(AND, QB_R0, QB_ELEMENT, QB_R1));
	RANGE(0, 15, LOAD(QB_R1, 0x7fffffff) OP(AND, QB_R0, QB_ELEMENT, QB_R1));
	RANGE(0, 0x7ffffffd, LOAD(QB_R1, 0x7ffffffd) OP(SUB, QB_R2, QB_ELEMENT, qb_imm(1))
	      OP(AND, QB_R0, QB_R1, QB_R2));
	RANGE(0, 0, LOAD(QB_R1, 0) OP(AND, QB_R0, QB_ELEMENT, QB_R1));
	/* with a uniform, which is not negative where it is a limit: nothing gets larger */
	TERMS(0, ({ 0, 1, 1 }, { 1, 1, 0 }), ANY(QB_R1) OP(AND, QB_R0, QB_R1, QB_UNIF));
	TERMS(0, ({ 0, 1, 1 }, { 1, 1, 0 }), ANY(QB_R1) OP(AND, QB_R0, QB_UNIF, QB_R1));
	TERMS(0, ({ 0, 1, 1 }, { 1, 1, 0 }), ANY(QB_R1) OP(MIN, QB_R2, NUMBER, QB_UNIF)
	      OP(AND, QB_R0, QB_R1, QB_R2));
	TERMS(0, ({ 0, 1, 1 }, { 1, 1, 0 }), ANY(QB_R1) OP(MIN, QB_R2, NUMBER, QB_UNIF)
	      OP(AND, QB_R0, QB_R2, QB_R1));
	TERMS(0, ({ 0, 1, 1 }, { 1, 1, 0 }), OP(AND, QB_R0, QB_UNIF, qb_imm(-4)));
	UNKNOWN(ANY(QB_R1) OP(ADD, QB_R2, QB_UNIF, qb_imm(1)) OP(AND, QB_R0, QB_R1, QB_R2));
	UNKNOWN(ANY(QB_R1) OP(SHL, QB_R2, QB_UNIF, qb_imm(1)) OP(AND, QB_R0, QB_R1, QB_R2));
	/* more than a clamp is none */
	UNKNOWN(ANY(QB_R1) OP(MIN, QB_R2, NUMBER, QB_UNIF) OP(ADD, QB_R2, QB_R2, qb_imm(1))
		OP(AND, QB_R0, QB_R1, QB_R2));
	UNKNOWN(ANY(QB_R1) OP(MIN, QB_R2, NUMBER, QB_UNIF) OP(SHL, QB_R2, QB_R2, qb_imm(1))
		OP(AND, QB_R0, QB_R1, QB_R2));
	UNKNOWN(ANY(QB_R1) OP(MIN, QB_R2, NUMBER, QB_UNIF) OP(ADD, QB_R2, QB_R2, QB_ELEMENT)
		OP(AND, QB_R0, QB_R1, QB_R2));
	UNKNOWN(ANY(QB_R1) OP(MIN, QB_R2, NUMBER, QB_UNIF) OP(ADD, QB_R2, QB_R2, QB_R2)
		OP(AND, QB_R0, QB_R1, QB_R2));
	/* a number that is not negative says more than a uniform, one that is says less */
	RANGE(0, 7, LOAD(QB_R1, 7) OP(AND, QB_R0, QB_R1, QB_UNIF));
	TERMS(0, ({ 0, 1, 1 }, { 1, 1, 0 }), LOAD(QB_R1, -4) OP(AND, QB_R0, QB_R1, QB_UNIF));
	RANGE(0, 5, OP(ADD, QB_R0, QB_ELEMENT, qb_imm(3)) OP(AND, QB_R0, QB_R0, qb_imm(5)));
	UNKNOWN(ANY(QB_R1) OP(AND, QB_R0, QB_R1, QB_R1));
	UNKNOWN(ANY(QB_R1) OP(AND, QB_R0, QB_R1, QB_ELEMENT));
}

TEST(test_or)
{
	(void)state;
	/* or of what has no bit in common is a sum */
	RANGE(16, 31, LOAD(QB_R1, 16) OP(OR, QB_R0, QB_ELEMENT, QB_R1));
	RANGE(16, 31, LOAD(QB_R1, 16) OP(OR, QB_R0, QB_R1, QB_ELEMENT));
	RANGE(0, 255, OP(SHL, QB_R1, QB_ELEMENT, qb_imm(4)) OP(OR, QB_R0, QB_ELEMENT, QB_R1));
	/* of what has, no less than either, and no more than all bits up to the highest */
	RANGE(0, 127, OP(SHL, QB_R1, QB_ELEMENT, qb_imm(3)) OP(OR, QB_R0, QB_ELEMENT, QB_R1));
	RANGE(15, 15, OP(OR, QB_R0, QB_ELEMENT, qb_imm(15)));
	RANGE(0, 7, OP(AND, QB_R1, QB_ELEMENT, qb_imm(4)) OP(AND, QB_R2, QB_ELEMENT, qb_imm(5))
	      OP(OR, QB_R0, QB_R1, QB_R2));
	UNKNOWN(OP(OR, QB_R0, NUMBER, QB_UNIF));
	UNKNOWN(ANY(QB_R1) OP(OR, QB_R0, QB_ELEMENT, QB_R1));
	RANGE(7, 7, LOAD(QB_R1, 5) OP(OR, QB_R0, QB_R1, qb_imm(3)));
	RANGE(5, 7, OP(AND, QB_R1, QB_ELEMENT, qb_imm(1)) OP(SHL, QB_R1, QB_R1, qb_imm(1))
	      LOAD(QB_R2, 5)
	      OP(OR, QB_R0, QB_R1, QB_R2));
	/* products by 16 are multiples of it */
	RANGE(0, 255, LOAD(QB_R2, 16) MUL24(QB_R1, QB_ELEMENT, QB_R2)
	      OP(OR, QB_R0, QB_ELEMENT, QB_R1));
	RANGE(0, 255, LOAD(QB_R2, 16) MUL24(QB_R1, QB_R2, QB_ELEMENT)
	      OP(OR, QB_R0, QB_ELEMENT, QB_R1));
	/* multiples of 16, from 8 on: the 8 is a bit of theirs */
	RANGE(8, 255, OP(SHL, QB_R1, QB_ELEMENT, qb_imm(4)) OP(ADD, QB_R1, QB_R1, qb_imm(8))
	      OP(AND, QB_R2, QB_ELEMENT, qb_imm(7))
	      OP(OR, QB_R0, QB_R1, QB_R2));
	RANGE(4, 255, OP(SHL, QB_R1, QB_ELEMENT, qb_imm(4)) OP(ADD, QB_R1, QB_R1, qb_imm(4))
	      OP(AND, QB_R2, QB_ELEMENT, qb_imm(7)) OP(OR, QB_R0, QB_R1, QB_R2));
	/* of multiples of 16 and of 4, sums are multiples of 4 */
	RANGE(0, 303, OP(SHL, QB_R1, QB_ELEMENT, qb_imm(4)) OP(SHL, QB_R2, QB_ELEMENT, qb_imm(2))
	      OP(ADD, QB_R1, QB_R1, QB_R2)
	      OP(AND, QB_R2, QB_ELEMENT, qb_imm(3)) OP(OR, QB_R0, QB_R1, QB_R2));
	RANGE(0, 511, OP(SHL, QB_R1, QB_ELEMENT, qb_imm(4)) OP(SHL, QB_R2, QB_ELEMENT, qb_imm(2))
	      OP(ADD, QB_R1, QB_R1, QB_R2)
	      OP(AND, QB_R2, QB_ELEMENT, qb_imm(7)) OP(OR, QB_R0, QB_R1, QB_R2));
}

TEST(test_other_operations)
{
	(void)state;
	RANGE(-1, -1, LOAD(QB_R1, 0) OP(NOT, QB_R0, QB_R1, QB_R1));
	UNKNOWN(OP(NOT, QB_R0, QB_ELEMENT, QB_ELEMENT));
	RANGE(0, 32, ANY(QB_R1) OP(CLZ, QB_R0, QB_R1, QB_R1));
	UNKNOWN(OP(XOR, QB_R0, QB_ELEMENT, qb_imm(1)));
	UNKNOWN(OP(ROR, QB_R0, QB_ELEMENT, qb_imm(1)));
	UNKNOWN(OP(V8ADDS, QB_R0, QB_ELEMENT, qb_imm(1)));
}

/* v3dcl_same() compares bytes: there must be none that no member has. */
static void test_no_gaps(void **state)
{
	(void)state;
	assert_int_equal(sizeof(struct v3dcl_abstract_value),
			 sizeof(__u64) + 2 * sizeof(__u32) + 3 * V3DCL_TERMS * sizeof(__u16) + 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_gaps), cmocka_unit_test(test_sums),
		cmocka_unit_test(test_terms),
		cmocka_unit_test(test_clamps), cmocka_unit_test(test_minimum_and_maximum),
		cmocka_unit_test(test_shifts), cmocka_unit_test(test_products),
		cmocka_unit_test(test_and), cmocka_unit_test(test_or),
		cmocka_unit_test(test_other_operations),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("verify_value", tests, NULL, NULL);
}
