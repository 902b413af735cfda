/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * The abstract domain of the verifier: what is known about a register, accumulator or operand.
 *
 * A register has 16 elements of 32 bits; one abstract value describes all of them, so that
 * rotations, replications and conditions an element need no more than joins. It says that every
 * element is, modulo 2^32,
 *
 *	low + k * 2^align + sum of scale[i] * t[i],	k * 2^align from 0 to span
 *
 * where t[i] is uniform slot[i] itself, the same for all elements, or (clamped) any integer from 0
 * to it, in each element another. Additions, shifts to the left and multiplications by constants
 * are exact in arithmetic modulo 2^32 whatever wraps in between, so a sum says nothing wrong even
 * where it overflows; whether the whole ends up inside a BO is decided with the uniforms of a job,
 * in 64 bits (v3dcl_evaluate()). What is not linear (min, max, and, shifts to the right) looks at a
 * value as a range of signed or unsigned numbers, which terms do not have, and which a range that
 * wraps has not either: then nothing is known of the result.
 *
 * The order of the domain is inclusion of the sets described, "nothing is known" on top. The join
 * of two values, the least that holds both, is for the same terms the shortest range that holds
 * both constant parts, as signed numbers; for other terms, nothing is known. Widening keeps loops
 * finite: a join at the head of a loop that has grown three times gives up what still grows.
 *
 * initialised is the analysis of definite assignment, a bit a byte: which bytes the program has
 * written on every path, in all elements (must-initialised, the low 4 bits), and which on some path
 * or in some elements (may-initialised, the high 4 bits). Joins intersect the former and unite the
 * latter.
 */
#ifndef V3DCL_VALIDATE_VERIFY_VALUE_H
#define V3DCL_VALIDATE_VERIFY_VALUE_H

#include "always.h"
#include "validate.h"

#define V3DCL_ALL_BYTES 0xf
#define V3DCL_INITIALISED 0xff	/* all bytes, everywhere */
#define V3DCL_MAY_INITIALISED (V3DCL_INITIALISED & ~V3DCL_ALL_BYTES)	/* all bytes, somewhere */

#define V3DCL_EVERYTHING (~(__u32)0)	/* span of what nothing is known about */
#define V3DCL_EXACT_ALIGN 32

/* Scales and slots fit the record. */
#define V3DCL_MAX_SCALE 0xffff
#define V3DCL_MAX_SLOT 0xfffe

/**
 * v3dcl_lower() - the lower of two numbers
 * @a: one
 * @b: the other
 */
static inline __s64 v3dcl_lower(__s64 a, __s64 b)
{
	return a < b ? a : b;
}

/**
 * v3dcl_higher() - the higher of two numbers
 * @a: one
 * @b: the other
 */
static inline __s64 v3dcl_higher(__s64 a, __s64 b)
{
	return a > b ? a : b;
}

/**
 * v3dcl_unknown() - the top of the domain: any number
 * Return: it, initialised
 */
static inline struct v3dcl_abstract_value v3dcl_unknown(void)
{
	return (struct v3dcl_abstract_value){
		.span = V3DCL_EVERYTHING, .initialised = V3DCL_INITIALISED,
	};
}

/**
 * v3dcl_constant() - one number
 * @value: the number
 * Return: it, initialised
 */
static inline struct v3dcl_abstract_value v3dcl_constant(__u32 value)
{
	return (struct v3dcl_abstract_value){
		.low = value, .align = V3DCL_EXACT_ALIGN, .initialised = V3DCL_INITIALISED,
	};
}

/**
 * v3dcl_is_unknown() - is nothing known of it?
 * @n: a value
 */
static inline bool v3dcl_is_unknown(const struct v3dcl_abstract_value *n)
{
	return n->span == V3DCL_EVERYTHING;
}

/**
 * v3dcl_is_constant() - is it one number?
 * @n: a value
 */
static inline bool v3dcl_is_constant(const struct v3dcl_abstract_value *n)
{
	return !n->span && !n->count;
}

/**
 * v3dcl_is_moved_uniform() - is it a uniform plus a constant?
 * @n: a value
 */
static inline bool v3dcl_is_moved_uniform(const struct v3dcl_abstract_value *n)
{
	return n->count == 1 && !n->clamped && n->scale[0] == 1 && !n->span;
}

/**
 * v3dcl_is_uniform() - is it just a uniform?
 * @n: a value
 */
static inline bool v3dcl_is_uniform(const struct v3dcl_abstract_value *n)
{
	return v3dcl_is_moved_uniform(n) && !n->low;
}

/**
 * v3dcl_has_exact_term() - is a uniform itself part of it, not only what is limited by one?
 * @n: a value; add_term() adds no more terms than there is room for
 */
static inline bool v3dcl_has_exact_term(const struct v3dcl_abstract_value *n)
{
	return NEVER(n->count > V3DCL_TERMS) || n->clamped != (1u << n->count) - 1;
}

bool v3dcl_same(const struct v3dcl_abstract_value *a, const struct v3dcl_abstract_value *b);
struct v3dcl_abstract_value v3dcl_uniform(__u32 slot);
struct v3dcl_abstract_value v3dcl_between(__u32 low, __u32 high);
struct v3dcl_abstract_value v3dcl_join(const struct v3dcl_abstract_value *a,
				       const struct v3dcl_abstract_value *b);

struct v3dcl_abstract_value v3dcl_add_op(__u8 op, const struct v3dcl_abstract_value *a,
					 const struct v3dcl_abstract_value *b);
struct v3dcl_abstract_value v3dcl_mul_op(__u8 op, const struct v3dcl_abstract_value *a,
					 const struct v3dcl_abstract_value *b);

#endif /* V3DCL_VALIDATE_VERIFY_VALUE_H */
