/* SPDX-License-Identifier: MIT */
/*
 * The special functions: values that HW has exactly, and the rest against the C library within what
 * 16 quadratics give.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "qpu/sfu.h"

#define INF 0x7f800000u
#define SIGN 0x80000000u

static float as_float(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

static double of_float(enum sfu_function function, float x, bool silicon)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return as_float(sfu_one(function, bits, silicon));
}

static double ideal(enum sfu_function function, double x)
{
	return of_float(function, x, false);
}

static double silicon(enum sfu_function function, double x)
{
	return of_float(function, x, true);
}

static void exact_values(void **state)
{
	(void)state;
	assert_int_equal(sfu_one(SFU_RECIP, 0x3f800000, false), 0x3f800000);
	assert_int_equal(sfu_one(SFU_RECIP, 0xbf800000, false), 0xbf800000);
	assert_int_equal(sfu_one(SFU_RECIP, 0, false), INF);
	assert_int_equal(sfu_one(SFU_RECIP, SIGN, false), SIGN | INF);
	assert_int_equal(sfu_one(SFU_RECIP, INF, false), 0);
	assert_int_equal(sfu_one(SFU_RECIP, 1, false), INF);	/* a denormal is 0 */
	assert_int_equal(sfu_one(SFU_RECIPSQRT, 0, false), INF);
	assert_int_equal(sfu_one(SFU_RECIPSQRT, SIGN, false), INF);
	assert_int_equal(sfu_one(SFU_RECIPSQRT, 0x3f800000, false), 0x3f800000);
	assert_int_equal(sfu_one(SFU_RECIPSQRT, 0xc0800000, false), 0x3f000000);	/* |-4| */
	assert_int_equal(sfu_one(SFU_LOG, 0x3f800000, false), 0);
	assert_int_equal(sfu_one(SFU_LOG, 0xc1000000, false), 0x40400000);	/* log2 |-8| */
	assert_int_equal(sfu_one(SFU_LOG, 0, false), SIGN | INF);
	assert_int_equal(sfu_one(SFU_EXP, 0, false), 0x3f800000);
	assert_int_equal(sfu_one(SFU_EXP, 0x40400000, false), 0x41000000);
	assert_int_equal(sfu_one(SFU_EXP, 0xc0400000, false), 0x3e000000);
	assert_int_equal(sfu_one(SFU_EXP, 0x43000000, false), INF);
	assert_int_equal(sfu_one(SFU_EXP, 0xc3000000, false), 0);
	assert_int_equal(sfu_one(SFU_EXP, SIGN | INF, false), 0);
}

static void accuracy(void **state)
{
	(void)state;
	for (uint32_t bits = 0x38000000; bits < 0x48000000; bits += 4099) {
		const double x = as_float(bits);

		assert_true(fabs(ideal(SFU_RECIP, x) * x - 1) < 1.0 / (1 << 15));
		assert_true(fabs(ideal(SFU_RECIPSQRT, x) * sqrt(x) - 1) < 1.0 / (1 << 15));
		assert_true(fabs(ideal(SFU_LOG, x) - log2(x)) < 1.0 / (1 << 15));
		if (x < 100) {
			assert_true(fabs(ideal(SFU_EXP, x) / exp2(x) - 1) < 1.0 / (1 << 15));
			assert_true(fabs(ideal(SFU_EXP, -x) / exp2(-x) - 1) < 1.0 / (1 << 15));
		}
	}
}

/* HW: results that were printed, and what is exact on silicon too */
static void silicon_prints(void **state)
{
	(void)state;
	assert_int_equal(sfu_one(SFU_RECIP, 0x3f800000, true), 0x3f800000);
	assert_int_equal(sfu_one(SFU_RECIP, 0xbf800000, true), 0xbf800000);
	assert_int_equal(sfu_one(SFU_RECIP, SIGN, true), SIGN | INF);
	assert_int_equal(sfu_one(SFU_RECIPSQRT, 0, true), INF);
	for (int k = 1; k < 16; k++) {
		const double recip = silicon(SFU_RECIP, ldexp(1, -k)) / ldexp(1, k) - 1;

		assert_true(fabs(recip - 0.000092) < 0.0000005);
		assert_true(silicon(SFU_LOG, ldexp(1, -k)) == -k + ldexp(1, -16));
	}
	for (int k = 0; k <= 2; k++)
		assert_true(silicon(SFU_EXP, k) == ldexp(1, k) * (1 + ldexp(1, -15)));
}

/* The largest error of each function as it was seen: reached, and not passed */
static void silicon_errors(void **state)
{
	static const double largest[] = { 13.4, 12.4, 14.4, 14.4 };
	double seen[4] = { 0 };

	(void)state;
	for (uint32_t bits = 0x3f000000; bits < 0x41000000; bits += 1021) {
		const double x = as_float(bits);
		const double error[] = {
			silicon(SFU_RECIP, x) * x - 1,
			silicon(SFU_RECIPSQRT, x) * sqrt(x) - 1,
			silicon(SFU_EXP, x) / exp2(x) - 1,
			silicon(SFU_LOG, x) - log2(x),
		};

		for (int n = 0; n < 4; n++)
			seen[n] = fmax(seen[n], fabs(error[n]));
	}
	for (int n = 0; n < 4; n++) {
		assert_true(seen[n] < exp2(-largest[n]) * 1.01);
		assert_true(seen[n] > exp2(-largest[n]) * 0.98);
	}
}

/* A NaN never comes out, of any input */
static void never_nan(void **state)
{
	(void)state;
	for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 65521)
		for (int n = 0; n < 8; n++)
			assert_true((sfu_one(n / 2, bits, n & 1) & 0x7fffffff) <= INF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_values),
		cmocka_unit_test(accuracy),
		cmocka_unit_test(silicon_prints),
		cmocka_unit_test(silicon_errors),
		cmocka_unit_test(never_nan),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
