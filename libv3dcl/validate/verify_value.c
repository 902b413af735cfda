// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * The abstract domain: what operations make of abstract values. See verify_value.h.
 */
#include <v3d/qpu.h>

#include "verify_value.h"

/* A value without terms, as signed numbers */
struct range {
	__s64 low, high;
};

static bool signed_range(const struct v3dcl_abstract_value *n, struct range *range)
{
	*range = (struct range){ (__s32)n->low, (__s64)(__s32)n->low + n->span };
	if (!n->count && range->high <= 0x7fffffff)
		return true;
	*range = (struct range){ -0x80000000ll, 0x7fffffff };
	return false;
}

static bool unsigned_range(const struct v3dcl_abstract_value *n, struct range *range)
{
	*range = (struct range){ n->low, (__s64)n->low + n->span };
	if (!n->count && range->high <= 0xffffffffll)
		return true;
	*range = (struct range){ 0, 0xffffffffll };
	return false;
}

/* Operations on ranges keep the order of their ends. */
static struct v3dcl_abstract_value from_range(__s64 low, __s64 high, __u8 align)
{
	struct v3dcl_abstract_value n = { .low = low,
					  .span = high - low,
					  .initialised = V3DCL_INITIALISED };

	if (NEVER(high < low))
		return v3dcl_unknown();
	n.align = n.span ? align : V3DCL_EXACT_ALIGN;
	if (n.span == V3DCL_EVERYTHING)
		return v3dcl_unknown();
	return n;
}

/**
 * v3dcl_between() - any number of a range
 * @low: the least
 * @high: the greatest, no less than @low
 */
struct v3dcl_abstract_value v3dcl_between(__u32 low, __u32 high)
{
	return from_range(low, high, 0);
}

/**
 * v3dcl_uniform() - what a uniform is, whatever the job says
 * @slot: its word index in the stream; of one above V3DCL_MAX_SLOT nothing is known
 */
struct v3dcl_abstract_value v3dcl_uniform(__u32 slot)
{
	struct v3dcl_abstract_value n;

	if (slot > V3DCL_MAX_SLOT) {
		n = v3dcl_unknown();
		n.taint = v3dcl_taint_of(slot);
		return n;
	}
	return (struct v3dcl_abstract_value){
		.slot = { slot },
		.scale = { 1 },
		.count = 1,
		.align = V3DCL_EXACT_ALIGN,
		.initialised = V3DCL_INITIALISED,
	};
}

/* Any number from 0 to a uniform */
static struct v3dcl_abstract_value clamped(const struct v3dcl_abstract_value *uniform)
{
	struct v3dcl_abstract_value n = *uniform;

	n.clamped = 1;
	n.initialised = V3DCL_INITIALISED;
	return n;
}

/*
 * Any number from 0 to a uniform and a constant, which no job lets be negative: the constant fits
 * the record
 */
static struct v3dcl_abstract_value clamped_near(const struct v3dcl_abstract_value *moved)
{
	struct v3dcl_abstract_value n = clamped(moved);

	n.by[0] = moved->low;
	n.low = 0;
	return n;
}

static bool is_near(const struct v3dcl_abstract_value *n)
{
	return v3dcl_is_moved_uniform(n) && (__s32)n->low == (__s16)n->low;
}

/* A uniform, or any number from 0 to it */
static bool is_limit(const struct v3dcl_abstract_value *n)
{
	return n->count == 1 && n->scale[0] == 1 && !n->low && !n->span && !n->factor && !n->by[0];
}

/* add_term() adds no more of them than there is room for. */
static bool same_terms(const struct v3dcl_abstract_value *a, const struct v3dcl_abstract_value *b)
{
	__u32 i;

	if (a->count != b->count || a->clamped != b->clamped || a->factor != b->factor ||
	    NEVER(a->count > V3DCL_TERMS))
		return false;
	for (i = 0; i < a->count; i++)
		if (a->slot[i] != b->slot[i] || a->scale[i] != b->scale[i] ||
		    a->by[i] != b->by[i])
			return false;
	return true;
}

/**
 * v3dcl_exact_taint() - the uniforms that are part of a value themselves
 * @n: the value; add_term() adds no more terms than there is room for
 */
__u64 v3dcl_exact_taint(const struct v3dcl_abstract_value *n)
{
	__u64 taint = 0;
	__u32 i;

	if (NEVER(n->count > V3DCL_TERMS))
		return ~(__u64)0;
	for (i = 0; i < n->count; i++)
		if (!(n->clamped >> i & 1))
			taint |= v3dcl_taint_of(n->slot[i]) |
				 (n->factor >> i & 1 ? v3dcl_taint_of(n->by[i]) : 0);
	return taint;
}

/*
 * What a result derives from: all that its operands do. An exact term of both is no more than that
 * term, as only sums, products and copies have it; where it went into anything else, it is a taint.
 * What is unknown was lost where an operand was.
 */
static inline void unite_taints(struct v3dcl_abstract_value *n,
				const struct v3dcl_abstract_value *a,
				const struct v3dcl_abstract_value *b)
{
	if (v3dcl_is_unknown(n))
		v3dcl_set_lost(n, v3dcl_lost(v3dcl_is_unknown(a) ? a : b));
	n->taint = a->taint | b->taint;
	if (a->count | b->count)
		n->taint |= (v3dcl_exact_taint(a) | v3dcl_exact_taint(b)) & ~v3dcl_exact_taint(n);
}

static __u8 trailing_zeros(__u32 value)
{
	return value ? __builtin_ctz(value) : V3DCL_EXACT_ALIGN;
}

/* Term @index of another value more. Of one uniform, exact terms add up. */
static bool add_term(struct v3dcl_abstract_value *n, const struct v3dcl_abstract_value *from,
		     __u32 index)
{
	bool is_clamp = from->clamped >> index & 1,
	     is_one = !((from->clamped | from->factor) >> index & 1);
	__u32 i;

	for (i = 0; i < n->count && is_one; i++) {
		if (n->slot[i] != from->slot[index] || (n->clamped | n->factor) >> i & 1)
			continue;
		if (n->scale[i] + from->scale[index] > V3DCL_MAX_SCALE)
			return false;
		n->scale[i] += from->scale[index];
		return true;
	}
	if (n->count >= V3DCL_TERMS)
		return false;
	n->slot[n->count] = from->slot[index];
	n->scale[n->count] = from->scale[index];
	n->by[n->count] = from->by[index];
	n->clamped |= is_clamp << n->count;
	n->factor |= (from->factor >> index & 1) << n->count;
	n->count++;
	return true;
}

/* Term @index stands for one uniform more, unless there are two already. */
static void add_uniform(struct v3dcl_abstract_value *n, __u32 index, __u32 slot, bool *fits)
{
	bool two = n->factor >> index & 1;

	if (slot == n->slot[index] || (two && slot == n->by[index]))
		return;
	*fits &= !two;
	n->factor |= 1u << index;
	n->by[index] = slot > n->slot[index] ? slot : n->slot[index];
	n->slot[index] = slot < n->slot[index] ? slot : n->slot[index];
}

/* The terms of what is either of two, as many: exact ones may stand for two uniforms. */
static bool unite_uniforms(const struct v3dcl_abstract_value *b, struct v3dcl_abstract_value *n)
{
	bool fits = n->clamped == b->clamped && !NEVER(n->count > V3DCL_TERMS);
	__u32 i;

	for (i = 0; fits && i < n->count; i++) {
		fits = n->scale[i] == b->scale[i];
		if (n->clamped >> i & 1) {
			fits &= n->slot[i] == b->slot[i] && n->by[i] == b->by[i] &&
				!((n->factor ^ b->factor) >> i & 1);
			continue;
		}
		add_uniform(n, i, b->slot[i], &fits);
		if (b->factor >> i & 1)
			add_uniform(n, i, b->by[i], &fits);
	}
	return fits;
}

/*
 * The terms of what is either of two that differ in them. Numbers from 0 to something can be 0, so
 * where one, which is a number and exact terms, has none of the other's clamped terms, they hold
 * both.
 */
static bool unite_terms(const struct v3dcl_abstract_value *a, const struct v3dcl_abstract_value *b,
			struct v3dcl_abstract_value *terms)
{
	const struct v3dcl_abstract_value *more = a->count > b->count ? a : b,
					  *less = more == a ? b : a;
	struct v3dcl_abstract_value n = *less;
	__u32 i;

	*terms = *more;
	if (a->count == b->count)
		return unite_uniforms(less, terms);
	if (NEVER(more->count > V3DCL_TERMS) || less->span)
		return false;
	for (i = 0; i < more->count; i++)
		if (more->clamped >> i & 1 && !add_term(&n, more, i))
			return false;
	return same_terms(&n, more);
}

/**
 * v3dcl_join() - the join: what is known about a value that is either of two
 * @a: one
 * @b: the other
 */
struct v3dcl_abstract_value v3dcl_join(const struct v3dcl_abstract_value *a,
				       const struct v3dcl_abstract_value *b)
{
	__u8 written = (a->initialised & b->initialised & V3DCL_ALL_BYTES) |
		       ((a->initialised | b->initialised) & ~V3DCL_ALL_BYTES);
	__s64 low = v3dcl_lower((__s32)a->low, (__s32)b->low);
	__s64 high = v3dcl_higher((__s64)(__s32)a->low + a->span, (__s64)(__s32)b->low + b->span);
	struct v3dcl_abstract_value n = *a;

	if (high - low >= V3DCL_EVERYTHING || !(same_terms(a, b) || unite_terms(a, b, &n))) {
		n = v3dcl_unknown();
	} else {
		n.low = low;
		n.span = high - low;
		n.align = n.span ? v3dcl_lower(v3dcl_lower(a->align, b->align),
					       trailing_zeros(a->low - b->low)) :
				   V3DCL_EXACT_ALIGN;
	}
	/* A link of either is one of both sets; joined with anything else it is none. */
	if (v3dcl_links(a) && v3dcl_links(b))
		n.low = a->low | b->low;
	n.initialised = written;
	unite_taints(&n, a, b);
	return n;
}

static struct v3dcl_abstract_value sum(const struct v3dcl_abstract_value *a,
				       const struct v3dcl_abstract_value *b)
{
	struct v3dcl_abstract_value n = *a;
	__u32 i;

	if (NEVER(a->count > V3DCL_TERMS || b->count > V3DCL_TERMS))
		return v3dcl_unknown();
	if (a->span + (__u64)b->span >= V3DCL_EVERYTHING)
		return v3dcl_unknown();
	n.low += b->low;
	n.span += b->span;
	n.align = v3dcl_lower(a->align, b->align);
	for (i = 0; i < b->count; i++)
		if (!add_term(&n, b, i))
			return v3dcl_unknown();
	return n;
}

/* Nothing is known of a sum of which a part is unknown, by its span. */
static struct v3dcl_abstract_value difference(const struct v3dcl_abstract_value *a,
					      const struct v3dcl_abstract_value *b)
{
	struct v3dcl_abstract_value negative = { .span = b->span, .align = b->align }, n;

	if (b->count)
		return v3dcl_unknown();
	negative.low = -(b->low + b->span);
	n = sum(a, &negative);
	if (NEVER(v3dcl_is_unknown(b) && !v3dcl_is_unknown(&n)))
		return v3dcl_unknown();
	return n;
}

/*
 * Times a constant: exact, while the record can hold it. It is not 0 of what is unknown or has
 * terms: multiply() refuses both, as more than 24 bits, and a shift is by no 0.
 */
static struct v3dcl_abstract_value product(const struct v3dcl_abstract_value *a, __u32 factor)
{
	struct v3dcl_abstract_value n = *a;
	__u32 i;

	if (NEVER(a->count > V3DCL_TERMS || (!factor && (a->count || v3dcl_is_unknown(a)))))
		return v3dcl_unknown();
	if (a->span * (__u64)factor >= V3DCL_EVERYTHING)
		return v3dcl_unknown();
	n.low *= factor;
	n.span *= factor;
	n.align = n.span ? v3dcl_lower(V3DCL_EXACT_ALIGN - 1, a->align + trailing_zeros(factor)) :
			   V3DCL_EXACT_ALIGN;
	for (i = 0; i < n.count; i++) {
		if (n.scale[i] * (__u64)factor > V3DCL_MAX_SCALE)
			return v3dcl_unknown();
		n.scale[i] *= factor;
	}
	return n;
}

static struct v3dcl_abstract_value shift_right(const struct v3dcl_abstract_value *a, __u32 amount)
{
	struct range range;

	unsigned_range(a, &range);
	return from_range(range.low >> amount, range.high >> amount, 0);
}

static struct v3dcl_abstract_value shift_right_signed(const struct v3dcl_abstract_value *a,
						      __u32 amount)
{
	struct range range;

	signed_range(a, &range);
	return from_range(range.low >> amount, range.high >> amount, 0);
}

static struct v3dcl_abstract_value shift(__u8 op, const struct v3dcl_abstract_value *a,
					 const struct v3dcl_abstract_value *b)
{
	__u32 amount = b->low & 31;

	if (!v3dcl_is_constant(b))
		return v3dcl_unknown();
	if (op == V3D_QPU_ADD_SHL)
		return product(a, 1u << amount);
	return op == V3D_QPU_ADD_SHR ? shift_right(a, amount) : shift_right_signed(a, amount);
}

static struct v3dcl_abstract_value minimum(const struct v3dcl_abstract_value *a,
					   const struct v3dcl_abstract_value *b)
{
	struct range x, y;

	signed_range(a, &x);
	signed_range(b, &y);
	if (is_near(b) && x.low >= 0)
		return clamped_near(b);
	if (is_near(a) && y.low >= 0)
		return clamped_near(a);
	return from_range(v3dcl_lower(x.low, y.low), v3dcl_lower(x.high, y.high), 0);
}

static struct v3dcl_abstract_value maximum(const struct v3dcl_abstract_value *a,
					   const struct v3dcl_abstract_value *b)
{
	struct range x, y;

	signed_range(a, &x);
	signed_range(b, &y);
	return from_range(v3dcl_higher(x.low, y.low), v3dcl_higher(x.high, y.high), 0);
}

/**
 * v3dcl_select() - the lower of two numbers, or the higher one, as the sign of a - b tells them
 * @greater: the higher one
 * @a: minuend
 * @b: subtrahend
 * @result: set to it
 *
 * That sign is the order of the two only where the difference has 32 bits: of ranges, as they say;
 * of what is not negative and a limit, as no job's limits are.
 *
 * Return: false where the sign may be another one
 */
bool v3dcl_select(bool greater, const struct v3dcl_abstract_value *a,
		  const struct v3dcl_abstract_value *b, struct v3dcl_abstract_value *result)
{
	struct range x, y;
	bool limited, fits;

	signed_range(a, &x);
	signed_range(b, &y);
	limited = (is_near(b) && x.low >= 0) || (is_near(a) && y.low >= 0);
	fits = x.low - y.high >= -0x80000000ll && x.high - y.low <= 0x7fffffff;
	if (!fits && (greater || !limited))
		return false;
	*result = v3dcl_add_op(greater ? V3D_QPU_ADD_MAX : V3D_QPU_ADD_MIN, a, b);
	return true;
}

/* The highest bit of a number, and all below */
static __u32 bits_up_to(__u32 high)
{
	return high ? 0xffffffff >> __builtin_clz(high) : 0;
}

static struct v3dcl_abstract_value mask(const struct v3dcl_abstract_value *a, __u32 bits)
{
	struct range range;

	unsigned_range(a, &range);
	/* Low bits cleared of what is not negative: it gets smaller, and keeps its order. */
	if ((~bits & (~bits + 1)) == 0)
		return from_range((__u32)range.low & bits, (__u32)range.high & bits,
				  trailing_zeros(bits));
	bits &= bits_up_to(range.high);
	return from_range(0, bits, trailing_zeros(bits));
}

static struct v3dcl_abstract_value conjunction(const struct v3dcl_abstract_value *a,
					       const struct v3dcl_abstract_value *b)
{
	if (v3dcl_is_constant(a) && v3dcl_is_constant(b))
		return v3dcl_constant(a->low & b->low);
	if (v3dcl_is_constant(b) && (__s32)b->low >= 0)
		return mask(a, b->low);
	if (v3dcl_is_constant(a) && (__s32)a->low >= 0)
		return mask(b, a->low);
	/* A limit is not negative, and nothing gets larger. */
	if (is_limit(a))
		return clamped(a);
	if (is_limit(b))
		return clamped(b);
	if (v3dcl_is_constant(b))
		return mask(a, b->low);
	if (v3dcl_is_constant(a))
		return mask(b, a->low);
	return v3dcl_unknown();
}

/* The bits that may be set */
static __u32 possible_bits(const struct v3dcl_abstract_value *n)
{
	struct range range;

	if (v3dcl_is_constant(n))
		return n->low;
	if (!unsigned_range(n, &range))
		return 0xffffffff;
	return bits_up_to(range.high) &
	       ~((1u << v3dcl_lower(n->align, trailing_zeros(n->low)) % 32) - 1);
}

/*
 * Disjoint bits add up. Of others, as in the reversal of bits, none is lost, and none is higher
 * than the highest of both: no less than either, and no more than all bits up to that.
 */
static struct v3dcl_abstract_value disjunction(const struct v3dcl_abstract_value *a,
					       const struct v3dcl_abstract_value *b)
{
	struct range x, y;

	if (v3dcl_is_constant(a) && v3dcl_is_constant(b))
		return v3dcl_constant(a->low | b->low);
	if (!(possible_bits(a) & possible_bits(b)))
		return sum(a, b);
	unsigned_range(a, &x);
	unsigned_range(b, &y);
	return from_range(v3dcl_higher(x.low, y.low), bits_up_to(v3dcl_higher(x.high, y.high)), 0);
}

static struct v3dcl_abstract_value add_result(__u8 op, const struct v3dcl_abstract_value *a,
					      const struct v3dcl_abstract_value *b)
{
	switch (op) {
	case V3D_QPU_ADD_ADD:
		return sum(a, b);
	case V3D_QPU_ADD_SUB:
		return difference(a, b);
	case V3D_QPU_ADD_SHL:
	case V3D_QPU_ADD_SHR:
	case V3D_QPU_ADD_ASR:
		return shift(op, a, b);
	case V3D_QPU_ADD_MIN:
		return minimum(a, b);
	case V3D_QPU_ADD_MAX:
		return maximum(a, b);
	case V3D_QPU_ADD_AND:
		return conjunction(a, b);
	case V3D_QPU_ADD_OR:
		return disjunction(a, b);
	case V3D_QPU_ADD_NOT:
		return v3dcl_is_constant(a) ? v3dcl_constant(~a->low) : v3dcl_unknown();
	case V3D_QPU_ADD_CLZ:
		return v3dcl_between(0, 32);
	default:
		return v3dcl_unknown();
	}
}

/**
 * v3dcl_add_op() - what an operation of the add ALU gives
 * @op: enum v3d_qpu_add_op
 * @a: first operand
 * @b: second operand, the first one again where there is none
 * A copy, "or" of an operand with itself, is the caller's business.
 */
struct v3dcl_abstract_value v3dcl_add_op(__u8 op, const struct v3dcl_abstract_value *a,
					 const struct v3dcl_abstract_value *b)
{
	struct v3dcl_abstract_value n = add_result(op, a, b);

	unite_taints(&n, a, b);
	return n;
}

/*
 * A limit, which the job says has 24 bits, times any number from 0 to @most, or times one that is
 * limited by another such uniform: no more than the product of both. It does not wrap, as the job
 * is refused if that has more than 32 bits.
 */
static struct v3dcl_abstract_value factors(const struct v3dcl_abstract_value *limit, __u16 by,
					   __u32 most)
{
	struct v3dcl_abstract_value n = clamped(limit);

	n.factor = 1;
	n.by[0] = by;
	n.scale[0] = most;
	return n;
}

/* 24 by 24 bits: only of what is known to have no more, or is asked of the job */
static struct v3dcl_abstract_value multiply(const struct v3dcl_abstract_value *a,
					    const struct v3dcl_abstract_value *b)
{
	struct range x, y;

	unsigned_range(a, &x);
	unsigned_range(b, &y);
	if (is_limit(a) && is_limit(b))
		return factors(a, b->slot[0], 1);
	if (is_limit(b) && v3dcl_higher(x.high, 1) <= V3DCL_MAX_SCALE)
		return factors(b, V3DCL_NO_FACTOR, v3dcl_higher(x.high, 1));
	if (is_limit(a) && v3dcl_higher(y.high, 1) <= V3DCL_MAX_SCALE)
		return factors(a, V3DCL_NO_FACTOR, v3dcl_higher(y.high, 1));
	if (x.high > 0xffffff || y.high > 0xffffff)
		return v3dcl_unknown();
	if (v3dcl_is_constant(b))
		return product(a, b->low);
	if (v3dcl_is_constant(a))
		return product(b, a->low);
	if (x.high * y.high > 0xffffffffll)
		return v3dcl_unknown();
	return from_range(x.low * y.low, x.high * y.high, 0);
}

/**
 * v3dcl_mul_op() - what an operation of the mul ALU gives
 * @op: enum v3d_qpu_mul_op
 * @a: first operand
 * @b: second operand
 * A copy, "v8min" of an operand with itself, is the caller's business.
 */
struct v3dcl_abstract_value v3dcl_mul_op(__u8 op, const struct v3dcl_abstract_value *a,
					 const struct v3dcl_abstract_value *b)
{
	struct v3dcl_abstract_value n = op == V3D_QPU_MUL_MUL24 ? multiply(a, b) : v3dcl_unknown();

	unite_taints(&n, a, b);
	return n;
}
