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
 * to it, or to a number more or less, in each element another. Of a product (factor) scale[i] *
 * t[i] is any integer from 0 to scale[i] times that uniform, or times the product of two.
 * Additions, shifts to the left and multiplications by constants are exact in arithmetic modulo
 * 2^32 whatever wraps in between, so a sum says nothing wrong even where it overflows; whether the
 * whole ends up inside a BO is decided with the uniforms of a job,
 * in 64 bits (v3dcl_evaluate()). What is not linear (min, max, and, shifts to the right) looks at a
 * value as a range of signed or unsigned numbers, which terms do not have, and which a range that
 * wraps has not either: then nothing is known of the result.
 *
 * The order of the domain is inclusion of the sets described, "nothing is known" on top. The join
 * of two values, the least that holds both, is for the same terms the shortest range that holds
 * both constant parts, as signed numbers. An exact term may be either of two uniforms, as pointers
 * that are swapped are, but not of three; for other terms, nothing is known. Widening keeps loops
 * finite: a join at the head of a loop that has grown three times gives up what still grows.
 *
 * taint is an analysis of information flow: of which uniforms anything can be learnt from a value.
 * Exact terms say so themselves; of all else, a bit a uniform, the result of an operation has the
 * taints of its operands. So what is computed from an address is told from what is not, whatever
 * its bits are by then. Joins unite taints.
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
 * v3dcl_links() - the contexts whose calls a branch to a value goes on behind, if it is a link
 * @n: a value: whole, in all elements, what taken branches wrote
 * Return: a bit a context, from the second one of struct v3dcl_verifier on; 0 if it may be anything
 * else
 */
static inline __u32 v3dcl_links(const struct v3dcl_abstract_value *n)
{
	return v3dcl_is_unknown(n) ? n->low : 0;
}

/**
 * v3dcl_link() - what a call leaves in its register
 * @context: that the call leads to, not the first one
 * Return: it, initialised: an address of code
 */
static inline struct v3dcl_abstract_value v3dcl_link(__u32 context)
{
	struct v3dcl_abstract_value n = v3dcl_unknown();

	n.low = 1u << (context - 1);
	n.taint = V3DCL_TAINT_CODE;
	return n;
}

/**
 * v3dcl_lost() - where was lost what was known of a value?
 * @n: a value
 * Return: as &struct v3dcl_refusal.lost has it; 0 where it is known, or nothing was noted
 */
static inline __u32 v3dcl_lost(const struct v3dcl_abstract_value *n)
{
	return v3dcl_is_unknown(n) ? n->slot[0] | (__u32)n->slot[1] << 16 : 0;
}

/**
 * v3dcl_set_lost() - note where was lost what was known of a value
 * @n: nothing is known of it, so it has no terms, and room for this
 * @lost: see v3dcl_lost()
 */
static inline void v3dcl_set_lost(struct v3dcl_abstract_value *n, __u32 lost)
{
	n->slot[0] = lost;
	n->slot[1] = lost >> 16;
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
	return n->count == 1 && !n->clamped && !n->factor && n->scale[0] == 1 && !n->span;
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

/**
 * v3dcl_same() - is the same known of two values?
 * @a: one
 * @b: the other
 *
 * What is known is written in one way, with 0 for the terms that are not there, so the bytes say
 * it. Were there two ways, the fixpoint would take them for a change, which costs work and no more.
 */
static inline bool v3dcl_same(const struct v3dcl_abstract_value *a,
			      const struct v3dcl_abstract_value *b)
{
	return !__builtin_memcmp(a, b, sizeof(*a));
}

__u64 v3dcl_exact_taint(const struct v3dcl_abstract_value *n);

/**
 * v3dcl_taint() - all uniforms of which a value tells something
 * @n: the value
 */
static inline __u64 v3dcl_taint(const struct v3dcl_abstract_value *n)
{
	return n->count ? n->taint | v3dcl_exact_taint(n) : n->taint;
}

/**
 * v3dcl_forget() - what remains when nothing is known of a value any more: its taint, and where it
 * was lost
 * @n: the value
 * Return: the top of the domain, initialised
 */
static inline struct v3dcl_abstract_value v3dcl_forget(const struct v3dcl_abstract_value *n)
{
	struct v3dcl_abstract_value top = v3dcl_unknown();

	top.taint = v3dcl_taint(n);
	v3dcl_set_lost(&top, v3dcl_lost(n));
	return top;
}

struct v3dcl_abstract_value v3dcl_uniform(__u32 slot);
struct v3dcl_abstract_value v3dcl_between(__u32 low, __u32 high);
struct v3dcl_abstract_value v3dcl_join(const struct v3dcl_abstract_value *a,
				       const struct v3dcl_abstract_value *b);

struct v3dcl_abstract_value v3dcl_add_op(__u8 op, const struct v3dcl_abstract_value *a,
					 const struct v3dcl_abstract_value *b);
bool v3dcl_select(bool greater, const struct v3dcl_abstract_value *a,
		  const struct v3dcl_abstract_value *b, struct v3dcl_abstract_value *result);
struct v3dcl_abstract_value v3dcl_mul_op(__u8 op, const struct v3dcl_abstract_value *a,
					 const struct v3dcl_abstract_value *b);

#endif /* V3DCL_VALIDATE_VERIFY_VALUE_H */
