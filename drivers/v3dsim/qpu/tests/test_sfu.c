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

static void exact_values(void **state)
{
	(void)state;
	assert_int_equal(sfu_one(SFU_RECIP, 0x3f800000), 0x3f800000);
	assert_int_equal(sfu_one(SFU_RECIP, 0xbf800000), 0xbf800000);
	assert_int_equal(sfu_one(SFU_RECIP, 0), INF);
	assert_int_equal(sfu_one(SFU_RECIP, SIGN), SIGN | INF);
	assert_int_equal(sfu_one(SFU_RECIP, INF), 0);
	assert_int_equal(sfu_one(SFU_RECIP, 1), INF);			/* a denormal is 0 */
	assert_int_equal(sfu_one(SFU_RECIPSQRT, 0), INF);
	assert_int_equal(sfu_one(SFU_RECIPSQRT, SIGN), INF);
	assert_int_equal(sfu_one(SFU_RECIPSQRT, 0x3f800000), 0x3f800000);
	assert_int_equal(sfu_one(SFU_RECIPSQRT, 0xc0800000), 0x3f000000);	/* |-4| */
	assert_int_equal(sfu_one(SFU_LOG, 0x3f800000), 0);
	assert_int_equal(sfu_one(SFU_LOG, 0xc1000000), 0x40400000);	/* log2 |-8| */
	assert_int_equal(sfu_one(SFU_LOG, 0), SIGN | INF);
	assert_int_equal(sfu_one(SFU_EXP, 0), 0x3f800000);
	assert_int_equal(sfu_one(SFU_EXP, 0x40400000), 0x41000000);
	assert_int_equal(sfu_one(SFU_EXP, 0xc0400000), 0x3e000000);
	assert_int_equal(sfu_one(SFU_EXP, 0x43000000), INF);
	assert_int_equal(sfu_one(SFU_EXP, 0xc3000000), 0);
	assert_int_equal(sfu_one(SFU_EXP, SIGN | INF), 0);
}

static void accuracy(void **state)
{
	(void)state;
	for (uint32_t bits = 0x38000000; bits < 0x48000000; bits += 4099) {
		const double x = as_float(bits);

		assert_true(fabs(as_float(sfu_one(SFU_RECIP, bits)) * x - 1) < 1.0 / (1 << 15));
		assert_true(fabs(as_float(sfu_one(SFU_RECIPSQRT, bits)) * sqrt(x) - 1) <
			    1.0 / (1 << 15));
		assert_true(fabs(as_float(sfu_one(SFU_LOG, bits)) - log2(x)) < 1.0 / (1 << 15));
		if (x < 100) {
			assert_true(fabs(as_float(sfu_one(SFU_EXP, bits)) / exp2(x) - 1) <
				    1.0 / (1 << 15));
			assert_true(fabs(as_float(sfu_one(SFU_EXP, bits | SIGN)) / exp2(-x) - 1) <
				    1.0 / (1 << 15));
		}
	}
}

/* A NaN never comes out, of any input */
static void never_nan(void **state)
{
	(void)state;
	for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 65521)
		for (int function = SFU_RECIP; function <= SFU_LOG; function++)
			assert_true((sfu_one(function, bits) & 0x7fffffff) <= INF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_values),
		cmocka_unit_test(accuracy),
		cmocka_unit_test(never_nan),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
