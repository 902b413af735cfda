// SPDX-License-Identifier: MIT
/* The QPU's two ALUs: see alu.h. Built with -ffp-contract=off -frounding-math. */
#define ALU_TABLE const struct alu_table alu_table_any
#include <sys/param.h>

#include "alu_lanes.h"

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
	const int top = 63 - __builtin_clzll(value), shift = top - 23;

	value = top > 23 ? value >> (shift & 63) : value << (-shift & 63);
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
	/* the sticky bit is far below what is kept */
	small = small >> distance | (lost != 0);
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
	return compose(sign, (int)(a >> 23 & 0xff) + (int)(b >> 23 & 0xff) - 127 - 23,
		       (uint64_t)mantissa(a) * mantissa(b));
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
	return sign | MIN(rounded, 0x7c00);
}

uint32_t alu_half_to_float(uint16_t h)
{
	uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 0x1f,
		 m = (uint32_t)(h & 0x3ff) << 13;

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

bool alu_overflow(unsigned int op, const struct lanes *a, const struct lanes *b, struct lanes *up,
		  struct lanes *down)
{
	struct lanes over, wrapped;

	if (op != V3D_QPU_ADD_ADD && op != V3D_QPU_ADD_SUB)
		return false;
	EACH_PART(p) {
		const alu_uints first = a->u[p], second = b->u[p];

		if (op == V3D_QPU_ADD_ADD) {
			wrapped.u[p] = first + second;
			over.u[p] = (first ^ wrapped.u[p]) & (second ^ wrapped.u[p]);
			/* wrapped to negative: the sum was too large */
			wrapped.u[p] = ~wrapped.u[p];
		} else {
			wrapped.u[p] = first - second;
			over.u[p] = (first ^ second) & (first ^ wrapped.u[p]);
		}
		over.i[p] = over.i[p] < 0;
	}
	if (!lanes_any(&over))
		return false;
	EACH_PART(p) {
		down->i[p] = over.i[p] & (wrapped.i[p] < 0);
		up->i[p] = over.i[p] & (wrapped.i[p] >= 0);
	}
	return true;
}
