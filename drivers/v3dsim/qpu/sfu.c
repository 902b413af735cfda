// SPDX-License-Identifier: MIT
/*
 * The Special Function Unit: see sfu.h. All in integers, so that every machine gives the same bits.
 */
#include <stddef.h>

#include "sfu.h"

#define INFINITY_BITS 0x7f800000u
#define SIGN 0x80000000u
#define ONE 0x3f800000u
#define POINT 30	/* bits behind the point of what segments work with */

/*
 * Value at the segment's start, slope and curvature, in 2^-30: with f0, f1 and f2 the function at
 * start, middle and end, the quadratic through the three is f0 + (4 f1 - 3 f0 - f2) t + (2 f0 - 4
 * f1 + 2 f2) t^2, t from 0 to 1.
 */
struct segment {
	int32_t start, slope, curve;
};

/* 1 / x, x from 1 to 2 */
static const struct segment recip_segments[16] = {
	{ 1073741824, -66989240, 3827956 },
	{ 1010580540, -59351553, 3208190 },
	{ 954437177, -52948860, 2715324 },
	{ 904203641, -47528650, 2318468 },
	{ 858993459, -42899790, 1995340 },
	{ 818089009, -38915440, 1729576 },
	{ 780903145, -35461301, 1508990 },
	{ 746950834, -32447333, 1324382 },
	{ 715827883, -29801816, 1168700 },
	{ 687194767, -27467060, 1036492 },
	{ 660764199, -25396248, 923500 },
	{ 636291451, -23551046, 826352 },
	{ 613566757, -21899841, 742366 },
	{ 592409282, -20416364, 669388 },
	{ 572662306, -19078651, 605674 },
	{ 554189329, -17868207, 549790 },
};

/* 1 / sqrt(x), x from 1 to 2: the first eight segments of 1 / sqrt */
static const struct segment rsqrt_even_segments[8] = {
	{ 1073741824, -66828660, 5420336 },
	{ 1012333500, -56052087, 4102470 },
	{ 960383883, -47886945, 3193166 },
	{ 915690104, -41526484, 2542908 },
	{ 876706528, -36458135, 2063994 },
	{ 842312387, -32342318, 1702456 },
	{ 811672525, -28946116, 1423748 },
	{ 784150157, -26105004, 1204972 },
};

/* 1 / sqrt(x), x from 2 to 4: the other eight */
static const struct segment rsqrt_odd_segments[8] = {
	{ 759250125, -47255002, 3832760 },
	{ 715827883, -39634814, 2900888 },
	{ 679093957, -33861185, 2257910 },
	{ 647490682, -29363657, 1798106 },
	{ 619925131, -25779793, 1459462 },
	{ 595604800, -22869471, 1203818 },
	{ 573939147, -20467995, 1006742 },
	{ 554477894, -18459026, 852044 },
};

/* 2^x, x from 0 to 1 */
static const struct segment exp_segments[16] = {
	{ 1073741824, 46508924, 1029688 },
	{ 1121280436, 48568050, 1075276 },
	{ 1170923762, 50718344, 1122880 },
	{ 1222764986, 52963833, 1172598 },
	{ 1276901417, 55308745, 1224510 },
	{ 1333434672, 57757475, 1278722 },
	{ 1392470869, 60314612, 1335340 },
	{ 1454120821, 62984971, 1394458 },
	{ 1518500250, 65773554, 1456196 },
	{ 1585730000, 68685595, 1520670 },
	{ 1655936265, 71726566, 1587996 },
	{ 1729250827, 74902174, 1658300 },
	{ 1805811301, 78218379, 1731718 },
	{ 1885761398, 81681402, 1808388 },
	{ 1969251188, 85297745, 1888454 },
	{ 2056437387, 89074199, 1972062 },
};

/* log2(x), x from 1 to 2 */
static const struct segment log_segments[16] = {
	{ 0, 96758781, -2846270 },
	{ 93912511, 91073214, -2530144 },
	{ 182455581, 86018472, -2263912 },
	{ 266210141, 81495113, -2037594 },
	{ 345667660, 77423563, -1843598 },
	{ 421247625, 73739361, -1676042 },
	{ 493310944, 70389762, -1530336 },
	{ 562170370, 67331168, -1402836 },
	{ 628098702, 64527250, -1290632 },
	{ 691335320, 61947471, -1191370 },
	{ 752091421, 59566002, -1103140 },
	{ 810554283, 57360820, -1024356 },
	{ 866890747, 55313052, -953720 },
	{ 921250079, 53406433, -890150 },
	{ 973766362, 51626851, -832726 },
	{ 1024560487, 49962027, -780690 },
};

/*
 * The model of silicon's errors, in 2^-30: at the start of the first segment, and of the others.
 * From there it falls in a line to the same below at the segment's end. Relative ones, but for the
 * logarithm's.
 *
 * HW, of prints: 1/2^-k is 2^k (1 + 9.2e-5); 2^0, 2^1 and 2^2 are (1 + 2^-15) too large; log2(2^-n)
 * is 2^-16 off (its sign was not told: too large here). The rest goes up to 2^-13.4, 2^-12.4 (which
 * was seen in chains), 2^-14.4 and 2^-14.4.
 */
static const struct error {
	int32_t first, others;
} errors[] = {
	[SFU_RECIP] = { 98784, 98784 },
	[SFU_RECIPSQRT] = { 198668, 198668 },
	[SFU_EXP] = { 1 << 15, 49667 },
	[SFU_LOG] = { 1 << 14, 49667 },
};

/* Of the error that is modelled, if any, where interpolate() is */
static int64_t error_at(const struct error *error, unsigned int bits, uint32_t m)
{
	const unsigned int low = 23 - bits;
	const int64_t t = m & ((1u << low) - 1);
	int64_t start;

	if (!error)
		return 0;
	start = m >> low & ((1u << bits) - 1) ? error->others : error->first;
	return start - (2 * start * t >> low);
}

/*
 * The quadratic of the segment that the top bits of @m are the number of; @m has 23 bits behind the
 * point
 */
static int64_t interpolate(const struct segment *segments, unsigned int bits, uint32_t m)
{
	const unsigned int low = 23 - bits;
	const struct segment *s = &segments[m >> low & ((1u << bits) - 1)];
	const int64_t t = m & ((1u << low) - 1);

	return s->start + ((s->slope * t) >> low) + ((((s->curve * t) >> low) * t) >> low);
}

/* The same, with a relative error */
static int64_t interpolate_off(const struct segment *segments, unsigned int bits, uint32_t m,
			       const struct error *error)
{
	const int64_t value = interpolate(segments, bits, m);

	return value + (value * error_at(error, bits, m) >> POINT);
}

/* value * 2^(exponent - POINT) as a float, truncated; value above 0 */
static uint32_t compose(uint32_t sign, int exponent, uint64_t value)
{
	const int top = 63 - __builtin_clzll(value), shift = top - 23;

	value = top > 23 ? value >> (shift & 63) : value << (-shift & 63);
	exponent += 127 + 23 - POINT + shift;
	if (exponent <= 0)
		return 0;
	if (exponent >= 255)
		return sign | INFINITY_BITS;
	return sign | (uint32_t)exponent << 23 | (value & 0x7fffff);
}

/* HW: 1/1 is 1, whatever other powers of two give */
static uint32_t recip(uint32_t x, const struct error *error)
{
	int exponent = (int)(x >> 23 & 0xff);

	if (exponent == 0)
		return (x & SIGN) | INFINITY_BITS;
	if (exponent == 255)
		return 0;
	if ((x & ~SIGN) == ONE)
		return x;
	return compose(x & SIGN, 127 - exponent,
		       interpolate_off(recip_segments, 4, x & 0x7fffff, error));
}

static uint32_t recipsqrt(uint32_t x, const struct error *error)
{
	int exponent = (int)(x >> 23 & 0xff);

	if (exponent == 0)
		return INFINITY_BITS;
	if (exponent == 255)
		return 0;
	exponent -= 127;
	return compose(0, -(exponent >> 1),
		       interpolate_off(exponent & 1 ? rsqrt_odd_segments : rsqrt_even_segments, 3,
				       x & 0x7fffff, error));
}

static uint32_t exp2_fixed(uint32_t x, const struct error *error)
{
	int exponent = (int)(x >> 23 & 0xff) - 127;
	int64_t fixed = (x & 0x7fffff) | 0x800000;

	if (exponent > 7)
		return x & SIGN ? 0 : INFINITY_BITS;
	if (exponent < -25)			/* zero, or too small to move 1.0 */
		fixed = 0;
	else
		fixed = exponent > 0 ? fixed << exponent : fixed >> -exponent;
	if (x & SIGN)
		fixed = -fixed;
	return compose(0, (int)(fixed >> 23),
		       interpolate_off(exp_segments, 4, fixed & 0x7fffff, error));
}

static uint32_t log2_fixed(uint32_t x, const struct error *error)
{
	int exponent = (int)(x >> 23 & 0xff);
	int64_t value;

	if (exponent == 0)
		return SIGN | INFINITY_BITS;
	if (exponent == 255)
		return INFINITY_BITS;
	value = (int64_t)(exponent - 127) * (1 << POINT) +
		interpolate(log_segments, 4, x & 0x7fffff) + error_at(error, 4, x & 0x7fffff);
	if (value == 0)
		return 0;
	return value < 0 ? compose(SIGN, 0, -value) : compose(0, 0, value);
}

uint32_t sfu_one(enum sfu_function function, uint32_t x, bool silicon)
{
	const struct error *error = silicon ? &errors[function] : NULL;

	switch (function) {
	case SFU_RECIP:
		return recip(x, error);
	case SFU_RECIPSQRT:
		return recipsqrt(x, error);
	case SFU_EXP:
		return exp2_fixed(x, error);
	default:
		return log2_fixed(x, error);
	}
}

void sfu_run(enum sfu_function function, struct lanes *out, const struct lanes *x, bool silicon)
{
	for (int n = 0; n < V3D_QPU_LANES; n++)
		out->lane[n] = sfu_one(function, x->lane[n], silicon);
}
