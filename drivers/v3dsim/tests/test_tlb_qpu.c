// SPDX-License-Identifier: MIT
/* The tile buffer as fragment shaders see it, from AG100 p. 45 to 52, Tables 27 and 28. */
#include "tlb_bench.h"

static void test_color(void **state)
{
	struct bench *b = bench_new(false, false);
	struct lanes value;

	(void)state;
	for (unsigned int n = 0; n < 16; n++)
		value.lane[n] = 0xc0100000 + n;
	*color(b, 31, 15, 0) = 0x5a5a5a5a;
	b->f.covered[0] = b->f.flags[0] = 0x7fff;		/* all but the last quad's top right */
	write_lanes(b, V3D_QPU_W_TLB_COLOUR_ALL, &value, ALL);
	assert_int_equal(*color(b, 0, 0, 0), 0xc0100000);
	assert_int_equal(*color(b, 1, 0, 0), 0xc0100001);
	assert_int_equal(*color(b, 0, 1, 0), 0xc0100002);
	assert_int_equal(*color(b, 3, 1, 0), 0xc0100007);
	assert_int_equal(*color(b, 0, 2, 0), 0xc0100008);
	assert_int_equal(*color(b, 30, 15, 0), 0xc010000e);
	assert_int_equal(*color(b, 31, 15, 0), 0x5a5a5a5a);
	assert_int_equal(*color(b, 4, 0, 0), 0);
	assert_int_equal(load_lane(b, V3D_QPU_SIG_LOAD_COLOR, 14), 0xc010000e);
	assert_int_equal(load_lane(b, V3D_QPU_SIG_LOAD_COLOR_END, 15), 0x5a5a5a5a);
	assert_int_equal(counted(b, V3D_COUNTER_tlb_quads_written), 4);
	bench_free(b);
}

/* What a discard is: the write's condition fails in some lanes. */
static void test_condition(void **state)
{
	struct bench *b = bench_new(false, false);
	struct lanes value;

	(void)state;
	b->f.config.depth_function = V3D_ALWAYS;
	b->f.config.z_updates = true;
	lanes_fill(&value, 77);
	write_lanes(b, V3D_QPU_W_TLB_Z, &value, 0x0001);
	write_lanes(b, V3D_QPU_W_TLB_COLOUR_ALL, &value, 0x0011);
	assert_int_equal(*zs(b, 0, 0, 0), 77 << 8);
	assert_int_equal(*zs(b, 1, 0, 0), 0);
	assert_int_equal(*color(b, 0, 0, 0), 77);
	assert_int_equal(*color(b, 1, 0, 0), 0);
	assert_int_equal(*color(b, 2, 0, 0), 77);
	assert_int_equal(counted(b, V3D_COUNTER_tlb_quads_written), 2);
	bench_free(b);
}

/* Functions by number: never, lt, eq, le, gt, ne, ge, always (AG100 Table 38, record 96) */
static bool passes(unsigned int function, uint32_t a, uint32_t b)
{
	switch (function) {
	case 0:
		return false;
	case 1:
		return a < b;
	case 2:
		return a == b;
	case 3:
		return a <= b;
	case 4:
		return a > b;
	case 5:
		return a != b;
	case 6:
		return a >= b;
	default:
		return true;
	}
}

static void test_z(void **state)
{
	static const uint32_t z[] = { 0, 1, 0x7fffff, 0x800000, 0xfffffe, 0xffffff };

	(void)state;
	for (unsigned int n = 0; n < 8 * 36 * 2; n++) {
		const unsigned int function = n & 7, updates = n >> 3 & 1, old = z[n / 16 % 6], new = z[n / 96];
		struct bench *b = bench_new(false, false);
		const bool pass = passes(function, new, old);

		b->f.config.depth_function = function;
		b->f.config.z_updates = updates;
		*zs(b, 3, 1, 0) = old << 8 | 0xa5;
		*zs(b, 2, 1, 0) = 0;
		b->f.flags[0] = 1 << 7;					/* (3, 1) is lane 7 */
		write_word(b, V3D_QPU_W_TLB_Z, new | 0xee000000);	/* only 24 bits count */
		assert_int_equal(*zs(b, 3, 1, 0), (pass && updates ? new : old) << 8 | 0xa5);
		assert_int_equal(*zs(b, 2, 1, 0), 0);
		assert_int_equal(b->f.flags[0], pass << 7);
		assert_int_equal(counted(b, V3D_COUNTER_tlb_quads_z_stencil_pass), pass);
		assert_int_equal(counted(b, V3D_COUNTER_tlb_quads_z_stencil_fail), !pass);
		assert_int_equal(counted(b, V3D_COUNTER_tlb_quads_stencil_fail), 0);
		bench_free(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_color),
		cmocka_unit_test(test_condition),
		cmocka_unit_test(test_z),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
