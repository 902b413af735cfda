/* SPDX-License-Identifier: MIT */
/* The ALUs against rules worked out by hand, and against exact arithmetic in __int128. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include <cmocka.h>

#include "core/float_mode.h"
#include "qpu/alu.h"
#include "accel/accel.h"
#include "tests/xorshift.h"

#define INF 0x7f800000u
#define SIGN 0x80000000u

static uint64_t seed = 88172645463325252u;

/* What is tested */
static const struct alu_table *table = &alu_table_any;

static uint32_t any_word(void)
{
	return xorshift(&seed) >> 16;
}

/* Numbers that matter more often than chance has them */
static uint32_t any_float(void)
{
	static const uint32_t special[] = {
		0, SIGN, 1, SIGN | 1, 0x007fffff, 0x00800000, 0x80800000, 0x3f800000, 0xbf800000,
		0x7f7fffff, 0xff7fffff, INF,
		SIGN | INF, 0x7fc00000, 0xffffffff, 0x4f000000, 0xcf000000, 0x4effffff, 0xcf000001,
		0x70000000,
	};
	uint32_t r = any_word();

	if ((r & 7) == 0)
		return special[(r >> 3) % (sizeof(special) / sizeof(special[0]))];
	if ((r & 7) < 5)	/* near 1.0, so that sums cancel and align */
		return (any_word() & 0x80ffffff) | (120 + (r >> 8) % 16) << 23;
	return any_word();
}

static uint32_t run(alu_op op, uint32_t a, uint32_t b, uint32_t *carry)
{
	struct lanes x, y, out, c;
	float_mode mode = float_mode_enter();

	lanes_fill(&x, a);
	lanes_fill(&y, b);
	op(&out, &x, &y, &c);
	float_mode_leave(mode);
	for (int n = 1; n < 16; n++) {
		assert_int_equal(out.lane[n], out.lane[0]);
		assert_int_equal(c.lane[n], c.lane[0]);
	}
	if (carry)
		*carry = c.lane[0];
	return out.lane[0];
}

static uint32_t add(unsigned int op, uint32_t a, uint32_t b)
{
	return run(alu_add_op(table, op), a, b, NULL);
}

static uint32_t mul(unsigned int op, uint32_t a, uint32_t b)
{
	return run(alu_mul_op(table, op), a, b, NULL);
}

static uint32_t carry_of(unsigned int op, uint32_t a, uint32_t b)
{
	uint32_t c;

	run(alu_add_op(table, op), a, b, &c);
	assert_true(c == 0 || c == 0xffffffff);
	return c & 1;
}

/*
 * Independent of the code: a float as a 384-bit integer would be needed for all sums; __int128
 * serves where exponents are near.
 */
static uint32_t exact_sum(uint32_t a, uint32_t b)
{
	int ea = a >> 23 & 0xff, eb = b >> 23 & 0xff, low = MIN(ea, eb);
	__int128 sum, x = (__int128)((a & 0x7fffff) | 0x800000) << (ea - low),
		 y = (__int128)((b & 0x7fffff) | 0x800000) << (eb - low);
	uint32_t sign = 0;

	sum = (a & SIGN ? -x : x) + (b & SIGN ? -y : y);
	if (sum == 0)
		return 0;
	if (sum < 0) {
		sign = SIGN;
		sum = -sum;
	}
	while (sum >= 1 << 24) {	/* truncation */
		sum >>= 1;
		low++;
	}
	while (sum < 1 << 23) {
		sum <<= 1;
		low--;
	}
	if (low <= 0)
		return 0;
	return low >= 255 ? sign | INF : sign | (uint32_t)low << 23 | ((uint32_t)sum & 0x7fffff);
}

static void sums(void **state)
{
	(void)state;
	for (int n = 0; n < 300000; n++) {
		uint32_t a = any_float(), b = any_float();
		int ea = a >> 23 & 0xff, eb = b >> 23 & 0xff;

		assert_int_equal(add(V3D_QPU_ADD_FADD, a, b), alu_fadd_exact(a, b));
		assert_int_equal(add(V3D_QPU_ADD_FSUB, a, b), alu_fadd_exact(a, b ^ SIGN));
		if (ea && eb && ea != 255 && eb != 255 && abs(ea - eb) < 100)
			assert_int_equal(alu_fadd_exact(a, b), exact_sum(a, b));
	}
}

static void sums_by_hand(void **state)
{
	(void)state;
	/* 1 + just below 2^-23: cut off */
	assert_int_equal(add(V3D_QPU_ADD_FADD, 0x3f800000, 0x33ffffff), 0x3f800000);
	assert_int_equal(add(V3D_QPU_ADD_FADD, 0x3f800000, 0x34000000), 0x3f800001);
	/* a sticky bit far away counts */
	assert_int_equal(add(V3D_QPU_ADD_FSUB, 0x3f800000, 0x00800000), 0x3f7fffff);
	/* zero results are +0 */
	assert_int_equal(add(V3D_QPU_ADD_FADD, SIGN, SIGN), 0);
	assert_int_equal(add(V3D_QPU_ADD_FADD, 0x3f800000, 0xbf800000), 0);
	/* denormals are 0 */
	assert_int_equal(add(V3D_QPU_ADD_FADD, 0x007fffff, 0x007fffff), 0);
	assert_int_equal(add(V3D_QPU_ADD_FSUB, 0x00800001, 0x00800000), 0);
	/* the second operand */
	assert_int_equal(add(V3D_QPU_ADD_FADD, INF, SIGN | INF), SIGN | INF);
	assert_int_equal(add(V3D_QPU_ADD_FADD, SIGN | INF, INF), INF);
	assert_int_equal(add(V3D_QPU_ADD_FSUB, INF, INF), SIGN | INF);
	assert_int_equal(add(V3D_QPU_ADD_FADD, 0x7fc00001, 0x3f800000), INF);		/* no NaN */
	assert_int_equal(add(V3D_QPU_ADD_FADD, 0x7f7fffff, 0x7f7fffff), INF);
	assert_int_equal(add(V3D_QPU_ADD_FADD, 0x7f7fffff, 0x3f800000), 0x7f7fffff);
}

static void products(void **state)
{
	(void)state;
	for (int n = 0; n < 300000; n++) {
		uint32_t a = any_float(), b = any_float(), product = mul(V3D_QPU_MUL_FMUL, a, b);

		assert_int_equal(product, alu_fmul_exact(a, b));
		if ((product & INF) && (product & INF) != INF && (a & INF) && (b & INF)) {
			/* truncated: |product| <= |a b| < |product| + 1 ulp, in 64-bit mantissas */
			uint64_t exact = (uint64_t)((a & 0x7fffff) | 0x800000) *
					 ((b & 0x7fffff) | 0x800000);

			while (exact >= 1 << 24)
				exact >>= 1;
			assert_int_equal(exact, (product & 0x7fffff) | 0x800000);
			assert_int_equal(product >> 31, (a ^ b) >> 31);
		}
	}
	assert_int_equal(mul(V3D_QPU_MUL_FMUL, 0x70000000, 0x70000000), INF);		/* HW */
	assert_int_equal(mul(V3D_QPU_MUL_FMUL, 0xf0000000, 0x70000000), SIGN | INF);
	assert_int_equal(mul(V3D_QPU_MUL_FMUL, 0, INF), 0);
	assert_int_equal(mul(V3D_QPU_MUL_FMUL, SIGN, 0x3f800000), 0);
	/* a denormal result */
	assert_int_equal(mul(V3D_QPU_MUL_FMUL, 0x00800000, 0x3f000000), 0);
	assert_int_equal(mul(V3D_QPU_MUL_FMUL, 0x7f7fffff, 0x3f800000), 0x7f7fffff);
	assert_int_equal(mul(V3D_QPU_MUL_FMUL, 0x3f800001, 0x3f800001), 0x3f800002);
}

static void conversions(void **state)
{
	(void)state;
	assert_int_equal(add(V3D_QPU_ADD_FTOI, 0x3fffffff, 0), 1);
	assert_int_equal(add(V3D_QPU_ADD_FTOI, 0xbfffffff, 0), 0xffffffff);
	assert_int_equal(add(V3D_QPU_ADD_FTOI, 0x4f000000, 0), 0);	/* 2^31 */
	assert_int_equal(add(V3D_QPU_ADD_FTOI, 0xcf000000, 0), SIGN);
	assert_int_equal(add(V3D_QPU_ADD_FTOI, 0xcf000001, 0), 0);
	assert_int_equal(add(V3D_QPU_ADD_FTOI, INF, 0), 0);
	assert_int_equal(add(V3D_QPU_ADD_FTOI, 0x7fc00000, 0), 0);
	assert_int_equal(add(V3D_QPU_ADD_FTOI, 0x4effffff, 0), 0x7fffff80);
	/* truncated, not 2^25 */
	assert_int_equal(add(V3D_QPU_ADD_ITOF, 0x01ffffff, 0), 0x4bffffff);
	assert_int_equal(add(V3D_QPU_ADD_ITOF, -1, 0), 0xbf800000);
	assert_int_equal(add(V3D_QPU_ADD_ITOF, SIGN, 0), 0xcf000000);
	assert_int_equal(add(V3D_QPU_ADD_ITOF, 0, 0), 0);
	for (int n = 0; n < 100000; n++) {
		uint32_t a = any_float();

		assert_int_equal(add(V3D_QPU_ADD_FTOI, a, 0), alu_ftoi_exact(a));
		assert_int_equal(add(V3D_QPU_ADD_ITOF, a, 0), alu_itof_exact(a));
	}
}

static void minima(void **state)
{
	(void)state;
	assert_int_equal(add(V3D_QPU_ADD_FMIN, 0x3f800000, 0xbf800000), 0xbf800000);
	assert_int_equal(add(V3D_QPU_ADD_FMAX, 0x3f800000, 0xbf800000), 0x3f800000);
	assert_int_equal(add(V3D_QPU_ADD_FMIN, 0xbf800000, 0xc0000000), 0xc0000000);
	/* equal: min gives a, max gives b */
	assert_int_equal(add(V3D_QPU_ADD_FMIN, 0, SIGN), 0);
	assert_int_equal(add(V3D_QPU_ADD_FMAX, 0, SIGN), SIGN);
	/* NaN patterns pass, by magnitude */
	assert_int_equal(add(V3D_QPU_ADD_FMAX, 0x7fc00001, INF), 0x7fc00001);
	assert_int_equal(add(V3D_QPU_ADD_FMIN, 1, 2), 1);		/* denormals pass */
	assert_int_equal(add(V3D_QPU_ADD_FMINABS, 0xbf800000, 0x40000000), 0x3f800000);
	assert_int_equal(add(V3D_QPU_ADD_FMAXABS, 0x3f800000, 0xc0000000), 0x40000000);
	assert_int_equal(carry_of(V3D_QPU_ADD_FMINABS, 0xc0000000, 0x3f800000), 1);
	assert_int_equal(carry_of(V3D_QPU_ADD_FMIN, 0, SIGN), 0);
	assert_int_equal(add(V3D_QPU_ADD_MIN, -1, 1), 0xffffffff);
	assert_int_equal(add(V3D_QPU_ADD_MAX, -1, 1), 1);
	assert_int_equal(carry_of(V3D_QPU_ADD_MAX, -1, 1), 0);
	assert_int_equal(carry_of(V3D_QPU_ADD_MIN, 2, 1), 1);
}

static void integers(void **state)
{
	(void)state;
	assert_int_equal(add(V3D_QPU_ADD_ADD, 0xffffffff, 2), 1);
	assert_int_equal(carry_of(V3D_QPU_ADD_ADD, 0xffffffff, 2), 1);
	assert_int_equal(carry_of(V3D_QPU_ADD_ADD, 0x7fffffff, 2), 0);
	assert_int_equal(carry_of(V3D_QPU_ADD_SUB, 1, 2), 1);
	assert_int_equal(carry_of(V3D_QPU_ADD_SUB, 2, 2), 0);
	assert_int_equal(carry_of(V3D_QPU_ADD_FADD, 0x3f800000, 0), 1);	/* result above 0 */
	assert_int_equal(carry_of(V3D_QPU_ADD_FADD, 0xbf800000, 0), 0);
	assert_int_equal(carry_of(V3D_QPU_ADD_FSUB, 0x3f800000, 0x3f800000), 0);
	assert_int_equal(carry_of(V3D_QPU_ADD_ITOF, 5, 0), 1);
	assert_int_equal(add(V3D_QPU_ADD_NOT, 0x0f0f0f0f, 0), 0xf0f0f0f0);
	assert_int_equal(add(V3D_QPU_ADD_CLZ, 0, 0), 32);
	assert_int_equal(add(V3D_QPU_ADD_CLZ, 1, 0), 31);
	assert_int_equal(add(V3D_QPU_ADD_CLZ, SIGN, 0), 0);
	assert_int_equal(add(V3D_QPU_ADD_ROR, 0x12345678, 8), 0x78123456);
	assert_int_equal(add(V3D_QPU_ADD_ROR, 0x12345678, 32), 0x12345678);
	assert_int_equal(mul(V3D_QPU_MUL_MUL24, 0xff123456, 0x01000002), 0x2468ac);
	assert_int_equal(mul(V3D_QPU_MUL_MUL24, 0xffffff, 0xffffff), 0xfe000001);
	assert_int_equal(add(9, 1, 1), 0);
	assert_int_equal(add(29, 1, 1), 0);
}

static void shifts(void **state)
{
	struct lanes a, b, out, c;

	(void)state;
	for (uint32_t amount = 0; amount < 64; amount++) {
		uint32_t value = any_word(), by = amount & 31;

		assert_int_equal(add(V3D_QPU_ADD_SHR, value, amount), value >> by);
		assert_int_equal(add(V3D_QPU_ADD_ASR, value, amount),
				 value >> by | (value & SIGN ? ~(0xffffffffu >> by) : 0));
		assert_int_equal(add(V3D_QPU_ADD_SHL, value, amount), value << by);
		assert_int_equal(carry_of(V3D_QPU_ADD_SHR, value, amount),
				 by ? value >> (by - 1) & 1 : 0);
		assert_int_equal(carry_of(V3D_QPU_ADD_ASR, value, amount),
				 by ? value >> (by - 1) & 1 : 0);
		assert_int_equal(carry_of(V3D_QPU_ADD_SHL, value, amount),
				 by ? value >> (32 - by) & 1 : 0);
		a.lane[amount & 15] = value;
		b.lane[amount & 15] = amount;
	}
	/* another amount in each lane */
	alu_add_op(table, V3D_QPU_ADD_SHL)(&out, &a, &b, &c);
	for (int n = 0; n < 16; n++)
		assert_int_equal(out.lane[n], a.lane[n] << (b.lane[n] & 31));
}

static void bytes(void **state)
{
	(void)state;
	for (uint32_t a = 0; a < 256; a++) {
		for (uint32_t b = 0; b < 256; b++) {
			uint32_t x = a | 0x00ff8000, y = b << 0 | 0x02018000,
				 sum = MIN(a + b, 255), less = a > b ? a - b : 0;

			assert_int_equal(add(V3D_QPU_ADD_V8ADDS, x, y) & 0xff, sum);
			assert_int_equal(mul(V3D_QPU_MUL_V8ADDS, x, y), sum | 0x02ffff00);
			assert_int_equal(mul(V3D_QPU_MUL_V8SUBS, x, y), less | 0x00fe0000);
			assert_int_equal(mul(V3D_QPU_MUL_V8MULD, x, y) & 0xff, (a * b + 127) / 255);
			assert_int_equal(mul(V3D_QPU_MUL_V8MULD, x << 24, y << 24) >> 24,
					 (a * b + 127) / 255);
			assert_int_equal(mul(V3D_QPU_MUL_V8MIN, x, y) & 0xff, MIN(a, b));
			assert_int_equal(mul(V3D_QPU_MUL_V8MAX, x, y) & 0xff, MAX(a, b));
		}
	}
}

static void overflow(void **state)
{
	struct lanes a, b, up, down;

	(void)state;
	lanes_fill(&a, 0x7fffffff);
	lanes_fill(&b, 1);
	b.lane[3] = 0;
	assert_true(alu_overflow(V3D_QPU_ADD_ADD, &a, &b, &up, &down));
	assert_int_equal(up.lane[0], 0xffffffff);
	assert_int_equal(up.lane[3] | down.lane[0], 0);
	lanes_fill(&a, SIGN);
	assert_true(alu_overflow(V3D_QPU_ADD_SUB, &a, &b, &up, &down));
	assert_int_equal(up.lane[0], 0xffffffff);	/* HW: 0x80000000 - 1 overflows upwards */
	lanes_fill(&b, 0);
	assert_false(alu_overflow(V3D_QPU_ADD_SUB, &a, &b, &up, &down));
	assert_false(alu_overflow(V3D_QPU_ADD_XOR, &a, &b, &up, &down));
}

static void halves_and_colors(void **state)
{
	(void)state;
	assert_int_equal(alu_float_to_half(0x46fffe00), 0x7800);	/* HW: 32767.0 */
	assert_int_equal(alu_float_to_half(SIGN), 0);
	assert_int_equal(alu_float_to_half(0x33000000), 0);
	assert_int_equal(alu_float_to_half(0xff800000), 0xfc00);
	assert_int_equal(alu_float_to_half(0x7fc00000), 0x7c00);
	assert_int_equal(alu_float_to_half(0x477fe000), 0x7bff);	/* 65504 */
	assert_int_equal(alu_float_to_half(0x477ff000), 0x7c00);	/* 65520 */
	assert_int_equal(alu_half_to_float(0x8001), SIGN | 1 << 13);
	assert_int_equal(alu_half_to_float(0x7c01), 0x7f802000);
	for (uint32_t h = 0x400; h < 0x7c00; h++)
		assert_int_equal(alu_float_to_half(alu_half_to_float(h)), h);
	assert_int_equal(alu_color_to_float(128), 0x3f008080);		/* HW */
	for (uint32_t n = 0; n < 256; n++)
		assert_int_equal(alu_float_to_color(alu_color_to_float(n)), n);
}

/*
 * Not a value of the guide's: what x86-64 with and without AVX2, arm64 and armhf all gave, so that
 * no further machine differs.
 */
static void same_bits_everywhere(void **state)
{
	uint64_t hash = 14695981039346656037u;
	struct lanes a, b, out, c;
	float_mode mode;

	(void)state;
	seed = 88172645463325252u;
	mode = float_mode_enter();
	for (int round = 0; round < 2000; round++) {
		for (int n = 0; n < 16; n++) {
			a.lane[n] = any_word();
			b.lane[n] = any_word();
			if (round & 1) {	/* exponents near each other */
				a.lane[n] = (a.lane[n] & 0x80ffffff) | (100 + (any_word() & 63))
									       << 23;
				b.lane[n] = (b.lane[n] & 0x80ffffff) | (100 + (any_word() & 63))
									       << 23;
			}
		}
		for (int op = 0; op < 40; op++) {
			const alu_op function =
				op < 32 ? alu_add_op(table, op) : alu_mul_op(table, op - 32);

			function(&out, &a, &b, &c);
			for (int n = 0; n < 16; n++) {
				hash = (hash ^ out.lane[n]) * 1099511628211u;
				hash = (hash ^ c.lane[n]) * 1099511628211u;
			}
		}
	}
	float_mode_leave(mode);
	assert_true(hash == 0x39202b4a15dac833u);
}

static double as_double(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

static uint32_t as_bits(double d)
{
	float f = d;
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

/*
 * One butterfly by the ALUs' rules: (a, b) becomes (a + w b, a - w b); complex numbers as bits of
 * their two parts
 */
static void butterfly(uint32_t *a, uint32_t *b, const uint32_t *w)
{
	const uint32_t re = alu_fadd_exact(alu_fmul_exact(w[0], b[0]),
					   alu_fmul_exact(w[1], b[1]) ^ SIGN);
	const uint32_t im = alu_fadd_exact(alu_fmul_exact(w[0], b[1]), alu_fmul_exact(w[1], b[0]));

	b[0] = alu_fadd_exact(a[0], re ^ SIGN);
	b[1] = alu_fadd_exact(a[1], im ^ SIGN);
	a[0] = alu_fadd_exact(a[0], re);
	a[1] = alu_fadd_exact(a[1], im);
}

/*
 * Published: a 2^8-point FFT on the QPU (of a higher radix than this one, so with fewer roundings)
 * has an rms error of 0.33 ppm, because it truncates; to nearest it would be a fifth.
 */
static void fft_error(void **state)
{
	enum { N = 256 };
	static uint32_t x[N][2];
	static double exact[N][2];
	double error = 0, size = 0;

	(void)state;
	for (int n = 0; n < N; n++) {
		const int r = (n * 0x0202020202ull & 0x010884422010ull) % 1023;	/* bits reversed */

		for (int part = 0; part < 2; part++)
			x[r][part] = as_bits((int32_t)any_word() / 2147483648.0);
		for (int k = 0; k < N; k++) {
			const double turn = -2 * M_PI * ((n * k) % N) / N, re = as_double(x[r][0]),
				     im = as_double(x[r][1]);

			exact[k][0] += re * cos(turn) - im * sin(turn);
			exact[k][1] += re * sin(turn) + im * cos(turn);
		}
	}
	for (int half = 1; half < N; half *= 2) {
		for (int n = 0; n < N; n++) {
			const double turn = -M_PI * (n & (half - 1)) / half;
			const uint32_t w[2] = { as_bits(cos(turn)), as_bits(sin(turn)) };

			if (!(n & half))
				butterfly(x[n], x[n + half], w);
		}
	}
	for (int k = 0; k < N; k++) {
		for (int part = 0; part < 2; part++) {
			error += pow(as_double(x[k][part]) - exact[k][part], 2);
			size += pow(exact[k][part], 2);
		}
	}
	print_message("# fft rms error %.3f ppm\n", sqrt(error / size) * 1e6);
	assert_true(sqrt(error / size) > 0.00000025 && sqrt(error / size) < 0.0000006);
}

/* All lanes at once give what one at a time gives, on both sides of each half. */
static void colors_of_lanes(void **state)
{
	(void)state;
	for (uint32_t n = 0; n < 256; n++)
		assert_int_equal(run(table->from_color, n, 0, NULL), alu_color_to_float(n));
	for (int n = 0; n < 255; n++) {
		const float half = (n + 0.5f) / 255;
		uint32_t bits;

		memcpy(&bits, &half, sizeof(bits));
		for (int step = -4; step <= 4; step++)
			assert_int_equal(run(table->to_color, bits + step, 0, NULL),
					 alu_float_to_color(bits + step) * 0x01010101u);
	}
	for (int i = 0; i < 100000; i++) {
		const uint32_t f = any_float();

		assert_int_equal(run(table->to_color, f, 0, NULL),
				 alu_float_to_color(f) * 0x01010101u);
	}
}

/* With "accel": what this processor has in its stead */
int main(int argc, char **argv)
{
	struct hooks hooks;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums),
		cmocka_unit_test(sums_by_hand),
		cmocka_unit_test(products),
		cmocka_unit_test(conversions),
		cmocka_unit_test(minima),
		cmocka_unit_test(integers),
		cmocka_unit_test(shifts),
		cmocka_unit_test(bytes),
		cmocka_unit_test(overflow),
		cmocka_unit_test(halves_and_colors),
		cmocka_unit_test(same_bits_everywhere),
		cmocka_unit_test(fft_error),
		cmocka_unit_test(colors_of_lanes),
	};

	accel_hooks(&hooks);
	if (argc > 1 && !strcmp(argv[1], "accel") && hooks.alu)
		table = hooks.alu;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
