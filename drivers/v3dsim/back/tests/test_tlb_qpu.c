// SPDX-License-Identifier: MIT
/* The tile buffer as fragment shaders see it, from AG100 p. 45 to 52, Tables 27 and 28. */
#include "tests/tlb_bench.h"

#include "qpu/peripherals.h"
#include "qpu/qps.h"
#include "back/zs.h"
#include "tests/xorshift.h"

static void test_color(void **state)
{
	struct bench *b = bench_new(false, false);
	struct lanes value;

	(void)state;
	for (unsigned int n = 0; n < 16; n++)
		value.lane[n] = 0xc0100000 + n;
	*color(b, 31, 15, 0) = 0x5a5a5a5a;
	/* all but the last quad's top right */
	b->f.covered[0] = b->f.flags[0] = 0x7fff;
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
	struct bench *b = bench_new(false, false);
	unsigned int passed = 0;

	(void)state;
	for (unsigned int n = 0; n < 8 * 36 * 2; n++) {
		const unsigned int function = n & 7, updates = n >> 3 & 1, old = z[n / 16 % 6],
				   new = z[n / 96];
		const bool pass = passes(function, new, old);

		passed += pass;
		fragment_begin(&b->f);
		b->f.config.depth_function = function;
		b->f.config.z_updates = updates;
		*zs(b, 3, 1, 0) = old << 8 | 0xa5;
		b->f.flags[0] = 1 << 7;					/* (3, 1) is lane 7 */
		write_word(b, V3D_QPU_W_TLB_Z, new | 0xee000000);	/* only 24 bits count */
		assert_int_equal(*zs(b, 3, 1, 0), (pass && updates ? new : old) << 8 | 0xa5);
		assert_int_equal(*zs(b, 2, 1, 0), 0);
		assert_int_equal(b->f.flags[0], pass << 7);
		assert_int_equal(counted(b, V3D_COUNTER_tlb_quads_z_stencil_pass), passed);
		assert_int_equal(counted(b, V3D_COUNTER_tlb_quads_z_stencil_fail), n + 1 - passed);
		assert_int_equal(counted(b, V3D_COUNTER_tlb_quads_stencil_fail), 0);
	}
	bench_free(b);
}

/* Operations by number: zero, keep, replace, incsat, decsat, invert, inc, dec (AG100 Table 27) */
static uint8_t operated(unsigned int operation, uint8_t old, uint8_t reference)
{
	switch (operation) {
	case 0:
		return 0;
	case 2:
		return reference;
	case 3:
		return old == 255 ? 255 : old + 1;
	case 4:
		return old == 0 ? 0 : old - 1;
	case 5:
		return ~old;
	case 6:
		return old + 1;
	case 7:
		return old - 1;
	default:
		return old;
	}
}

/* Words of Tables 27 and 28 */
#define FRONT (1u << 30)
#define BACK (2u << 30)
#define BOTH (3u << 30)
#define CODE(code) ((uint32_t)(code) << 28)
#define Z_FAIL(operation) ((uint32_t)(operation) << 25)
#define Z_PASS(operation) ((uint32_t)(operation) << 22)
#define S_FAIL(operation) ((uint32_t)(operation) << 19)
#define FUNCTION(function) ((uint32_t)(function) << 16)
#define REFERENCE(value) ((uint32_t)(value) << 8)

static void setup(struct bench *b, uint32_t word)
{
	write_word(b, V3D_QPU_W_TLB_STENCIL_SETUP, word);
}

/* A shader begins on the same fragments; only @flags of sample 0 count. */
static void again(struct bench *b, uint16_t flags, unsigned int depth_function)
{
	fragment_begin(&b->f);
	b->f.flags[0] = flags;
	b->f.config.depth_function = depth_function;
	b->f.config.z_updates = true;
}

/* Each operation in each of its three places, on values at the ends of what 8 bits hold */
static void test_stencil_operations(void **state)
{
	static const uint8_t values[] = { 0, 1, 0x5a, 0x7f, 0x80, 0xfe, 0xff };
	struct bench *b = bench_new(false, false);

	(void)state;
	for (unsigned int n = 0; n < 3 * 8 * 7; n++) {
		const unsigned int place = n % 3, operation = n / 3 % 8;
		const uint8_t old = values[n / 24];
		const uint32_t operations = S_FAIL(place == 0 ? operation : 2) |
					    Z_PASS(place == 1 ? operation : 2) |
					    Z_FAIL(place == 2 ? operation : 2);

		/* the Z test: never or always */
		again(b, 1, place == 2 ? 0 : 7);
		setup(b, BOTH | CODE(3) | operations | FUNCTION(place ? 7 : 0) | REFERENCE(0x33) |
				 0xff);
		*zs(b, 0, 0, 0) = 0x123400 | old;
		write_word(b, V3D_QPU_W_TLB_Z, 0xabcdef);
		assert_int_equal(*zs(b, 0, 0, 0), (place == 1 ? 0xabcdef00 : 0x123400) |
							  operated(operation, old, 0x33));
		assert_int_equal(b->f.flags[0], place == 1);
	}
	bench_free(b);
}

/* The reference is compared with what is stored, both under the mask. */
static void test_stencil_functions(void **state)
{
	static const uint8_t values[] = { 0, 1, 0x0f, 0x10, 0x80, 0xff },
			     masks[] = { 0xff, 0x0f, 0 };
	struct bench *b = bench_new(false, false);

	(void)state;
	for (unsigned int n = 0; n < 8 * 6 * 6 * 3; n++) {
		const uint8_t reference = values[n / 8 % 6], old = values[n / 48 % 6],
			      mask = masks[n / 288];

		again(b, 1 << 10, 7);
		setup(b, BOTH | CODE(3) | Z_PASS(1) | Z_FAIL(1) | S_FAIL(5) | FUNCTION(n % 8) |
				 REFERENCE(reference) | mask);
		*zs(b, 0, 3, 0) = old;					/* lane 10 */
		write_word(b, V3D_QPU_W_TLB_Z, 5);
		if (passes(n % 8, reference & mask, old & mask)) {
			assert_int_equal(*zs(b, 0, 3, 0), 0x500 | old);
			assert_int_equal(b->f.flags[0], 1 << 10);
		} else {
			assert_int_equal(*zs(b, 0, 3, 0), old ^ 0xff);
			assert_int_equal(b->f.flags[0], 0);
		}
	}
	bench_free(b);
}

static void test_stencil_write_masks(void **state)
{
	static const uint8_t coded[] = { 0x01, 0x03, 0x0f, 0xff };
	struct bench *b = bench_new(false, false);

	(void)state;
	for (unsigned int code = 0; code < 4; code++) {
		again(b, 1, 7);
		setup(b, FRONT | CODE(code) | Z_PASS(5) | FUNCTION(7));
		*zs(b, 0, 0, 0) = 0xa5;
		write_word(b, V3D_QPU_W_TLB_Z, 0);
		assert_int_equal(*zs(b, 0, 0, 0), 0xa5 ^ coded[code]);
		again(b, 1, 7);
		setup(b, FRONT | CODE(code) | Z_PASS(5) | FUNCTION(7));
		setup(b, 0x3c << 8 | 0x81);				/* in full: back, front */
		write_word(b, V3D_QPU_W_TLB_Z, 0);
		assert_int_equal(*zs(b, 0, 0, 0), 0xa5 ^ coded[code] ^ 0x81);
		again(b, 1, 7);
		b->f.reverse = 1;
		setup(b, BOTH | CODE(code) | Z_PASS(5) | FUNCTION(7));
		setup(b, 0x3c << 8 | 0x81);
		write_word(b, V3D_QPU_W_TLB_Z, 0);
		assert_int_equal(*zs(b, 0, 0, 0), 0xa5 ^ coded[code] ^ 0x81 ^ 0x3c);
		b->f.reverse = 0;
	}
	bench_free(b);
}

/* Sides are told apart pixel by pixel; one that was not written has no stencil test. */
static void test_stencil_sides(void **state)
{
	struct bench *b = bench_new(false, false);

	(void)state;
	again(b, 0xf, 7);
	b->f.reverse = 0xa;						/* right pixels */
	setup(b, FRONT | CODE(3) | S_FAIL(2) | REFERENCE(0x11) | FUNCTION(0));
	setup(b, BACK | CODE(3) | Z_PASS(2) | REFERENCE(0x22) | FUNCTION(7));
	write_word(b, V3D_QPU_W_TLB_Z, 1);
	assert_int_equal(*zs(b, 0, 0, 0), 0x011);
	assert_int_equal(*zs(b, 1, 0, 0), 0x122);
	assert_int_equal(*zs(b, 0, 1, 0), 0x011);
	assert_int_equal(*zs(b, 1, 1, 0), 0x122);
	assert_int_equal(b->f.flags[0], 0xa);
	again(b, 0xf, 7);
	setup(b, FRONT | CODE(3) | S_FAIL(2) | REFERENCE(0x33) | FUNCTION(0));
	write_word(b, V3D_QPU_W_TLB_Z, 2);
	assert_int_equal(*zs(b, 0, 0, 0), 0x033);
	assert_int_equal(*zs(b, 1, 0, 0), 0x222);
	/* a new shader: no stencil test at all */
	again(b, 0xf, 7);
	write_word(b, V3D_QPU_W_TLB_Z, 3);
	assert_int_equal(*zs(b, 0, 0, 0), 0x333);
	bench_free(b);
}

static uint32_t any(void)
{
	static uint64_t seed = 88172645463325252u;

	return xorshift(&seed) >> 16;
}

/* What Tables 27 and 28 make of one sample, in the words of this file. Return: it passed */
static bool tested(uint32_t *word, uint32_t z, uint32_t setup_word, bool enabled,
		   uint8_t write_mask, unsigned int function)
{
	const uint8_t old = *word, mask = setup_word, reference = setup_word >> 8;
	const bool z_passed = passes(function, z, *word >> 8);
	bool stencil_passed;
	uint8_t new;

	if (!enabled) {
		*word = (z_passed ? z << 8 : *word & 0xffffff00) | old;
		return z_passed;
	}
	stencil_passed = passes(setup_word >> 16 & 7, reference & mask, old & mask);
	new = operated(setup_word >> (!stencil_passed ? 19 :
				      z_passed ? 22 :
							25) &
			       7,
		       old, reference);
	new = (new & write_mask) | (old & ~write_mask);
	*word = (stencil_passed && z_passed ? z << 8 : *word & 0xffffff00) | new;
	return stencil_passed && z_passed;
}

/* Any set-up of both sides on any tile: all lanes and samples against the words above */
static void test_random(void **state)
{
	struct bench *b = bench_new(true, false);
	struct lanes z;

	(void)state;
	for (unsigned int round = 0; round < 5000; round++) {
		const uint32_t front = (any() & 0x3fffffff) | FRONT,
			       back = (any() & 0x3fffffff) | BACK;
		const uint32_t masks = any() & 0xffff, on = any() & 3;
		const uint16_t lanes = round % 4 ? ALL : any();
		uint16_t flags[4];

		fragment_begin(&b->f);
		b->f.reverse = any();
		b->f.config.depth_function = any() & 7;
		b->f.config.z_updates = true;
		for (unsigned int n = 0; n < 64; n++)
			*zs(b, b->f.x[n / 16] + (n & 1), b->f.y[n / 16] + (n >> 1 & 1),
			    n >> 2 & 3) = any() & 0x3ff;
		for (unsigned int sample = 0; sample < 4; sample++)
			b->f.flags[sample] = flags[sample] = any();
		for (unsigned int lane = 0; lane < 16; lane++)
			z.lane[lane] = any() & 3;
		if (on & 1)
			setup(b, front);
		if (on & 2)
			setup(b, back);
		setup(b, masks);
		const struct tlb_buffer before = b->sim->tlb->buffers[0];

		write_lanes(b, V3D_QPU_W_TLB_Z, &z, lanes);
		for (unsigned int n = 0; n < 64; n++) {
			const unsigned int lane = n / 16 * 4 + n % 4, sample = n >> 2 & 3,
					   x = b->f.x[n / 16] + (n & 1);
			const unsigned int y = b->f.y[n / 16] + (n >> 1 & 1);
			const bool reverse = b->f.reverse >> lane & 1;
			uint32_t word = before.zs[place_of(b, x, y, sample)];
			bool flag = flags[sample] >> lane & 1;

			if (flag && lanes >> lane & 1)
				flag = tested(&word, z.lane[lane], reverse ? back : front,
					      on >> reverse & 1, masks >> (reverse ? 8 : 0),
					      b->f.config.depth_function);
			assert_int_equal(*zs(b, x, y, sample), word);
			assert_int_equal(b->f.flags[sample] >> lane & 1, flag);
		}
	}
	bench_free(b);
}

/* AG100 Table 82: a quad counts as failed if none of its pixels passed */
static void test_counters(void **state)
{
	struct bench *b = bench_new(false, false);

	(void)state;
	/* 1, none, 2 and 4 pixels of the quads */
	again(b, 0xf301, 1);
	/* equal to 0 */
	setup(b, BOTH | CODE(3) | FUNCTION(2) | Z_PASS(1) | Z_FAIL(1) | S_FAIL(1) | 0xff);
	*zs(b, 0, 0, 0) = 0xffffff01;					/* stencil fails */
	*zs(b, 0, 2, 0) = 0; /* Z fails: 9 is not less than 0 */
	*zs(b, 1, 2, 0) = 0;
	*zs(b, 30, 14, 0) = 0xffffff00;					/* passes */
	write_word(b, V3D_QPU_W_TLB_Z, 9);
	assert_int_equal(b->f.flags[0], 0x1000);
	assert_int_equal(counted(b, V3D_COUNTER_tlb_quads_stencil_fail), 1);
	assert_int_equal(counted(b, V3D_COUNTER_tlb_quads_z_stencil_fail), 2);
	assert_int_equal(counted(b, V3D_COUNTER_tlb_quads_z_stencil_pass), 1);
	write_word(b, V3D_QPU_W_TLB_COLOUR_ALL, 1);
	write_word(b, V3D_QPU_W_TLB_COLOUR_ALL, 2);
	assert_int_equal(counted(b, V3D_COUNTER_tlb_quads_written), 1);
	bench_free(b);
}

/*
 * Samples are tested one by one, and those that fail are out of MS_FLAGS and of what colours reach.
 */
static void test_multisample_z(void **state)
{
	struct bench *b = bench_new(true, false);

	(void)state;
	b->f.covered[3] = b->f.flags[3] = 0x7fff;
	b->f.config.depth_function = 1;
	b->f.config.z_updates = true;
	for (unsigned int sample = 0; sample < 4; sample++) {
		*zs(b, 3, 0, sample) = (8 + sample) << 8;		/* lane 5 */
		*zs(b, 31, 15, sample) = 100 << 8;			/* lane 15 */
	}
	write_word(b, V3D_QPU_W_TLB_Z, 10);				/* less than 11 only */
	assert_int_equal(*zs(b, 3, 0, 2), 10 << 8);
	assert_int_equal(*zs(b, 3, 0, 3), 10 << 8);
	assert_int_equal(*zs(b, 31, 15, 2), 10 << 8);
	assert_int_equal(*zs(b, 31, 15, 3), 100 << 8);
	write_word(b, V3D_QPU_W_TLB_COLOUR_ALL, 0xc0ffee);
	for (unsigned int sample = 0; sample < 4; sample++) {
		assert_int_equal(b->f.flags[sample], (sample == 3) << 5 | (sample != 3) << 15);
		assert_int_equal(*color(b, 3, 0, sample), sample == 3 ? 0xc0ffee : 0);
		assert_int_equal(*color(b, 31, 15, sample), sample == 3 ? 0 : 0xc0ffee);
	}
	bench_free(b);
}

/* Reads and writes go from sample to sample, each in its own order, and start again. */
static void test_multisample_color(void **state)
{
	struct bench *b = bench_new(true, false);

	(void)state;
	for (unsigned int sample = 0; sample < 4; sample++) {
		*color(b, 31, 14, sample) = 0x100 + sample;		/* lane 13 */
		*color(b, 0, 0, sample) = 0x200 + sample;
	}
	b->f.flags[2] = 0;
	assert_int_equal(load_lane(b, V3D_QPU_SIG_LOAD_COLOR, 13), 0x100);
	for (unsigned int sample = 0; sample < 4; sample++) {
		write_word(b, V3D_QPU_W_TLB_COLOUR_MS, 0x300 + sample);
		assert_int_equal(load_lane(b, V3D_QPU_SIG_LOAD_COLOR, 13),
				 sample == 3 ? 0x300 : 0x101 + sample);
	}
	for (unsigned int sample = 0; sample < 4; sample++)
		assert_int_equal(*color(b, 0, 0, sample), sample == 2 ? 0x202 : 0x300 + sample);
	write_word(b, V3D_QPU_W_TLB_COLOUR_MS, 0x400);
	assert_int_equal(*color(b, 0, 0, 0), 0x400);
	assert_int_equal(*color(b, 0, 0, 1), 0x301);
	assert_int_equal(counted(b, V3D_COUNTER_tlb_quads_written), 4);
	bench_free(b);
}

/* Red and green, then blue and alpha (AG100 p. 47); two words a sample */
static void test_color64(void **state)
{
	struct bench *b = bench_new(false, true), *m = bench_new(true, true);

	(void)state;
	for (unsigned int n = 0; n < 4; n++)
		write_word(b, n < 2 ? V3D_QPU_W_TLB_COLOUR_ALL : V3D_QPU_W_TLB_COLOUR_MS, 0x10 + n);
	assert_int_equal(color(b, 31, 15, 0)[0], 0x12);
	assert_int_equal(color(b, 31, 15, 0)[1], 0x13);
	color(b, 31, 15, 0)[1] = 0x77;
	assert_int_equal(load_lane(b, V3D_QPU_SIG_LOAD_COLOR, 15), 0x12);
	assert_int_equal(load_lane(b, V3D_QPU_SIG_LOAD_COLOR, 15), 0x77);
	assert_int_equal(load_lane(b, V3D_QPU_SIG_LOAD_COLOR, 15), 0x12);
	write_word(m, V3D_QPU_W_TLB_COLOUR_ALL, 0x20);
	write_word(m, V3D_QPU_W_TLB_COLOUR_ALL, 0x21);
	for (unsigned int n = 0; n < 6; n++)
		write_word(m, V3D_QPU_W_TLB_COLOUR_MS, 0x30 + n);
	for (unsigned int n = 0; n < 8; n++) {
		assert_int_equal(color(m, 3, 0, n / 2)[n % 2], n < 6 ? 0x30 + n : 0x20 + n % 2);
		assert_int_equal(load_lane(m, V3D_QPU_SIG_LOAD_COLOR, 5),
				 n < 6 ? 0x30 + n : 0x20 + n % 2);
	}
	bench_free(b);
	bench_free(m);
}

static uint32_t flags_of(struct bench *b, bool reverse, unsigned int lane)
{
	const peripheral_read read =
		qps_peripherals(b->sim)->read[V3D_QPU_R_MS_REV_FLAGS - PERIPHERAL_SPACE];
	struct lanes out;
	uint32_t rules;

	read(b->sim, &b->q, V3D_QPU_R_MS_REV_FLAGS, reverse, &out, &rules);
	return out.lane[lane];
}

static void test_flags(void **state)
{
	struct bench *b = bench_new(true, false);
	struct lanes value;

	(void)state;
	b->f.covered[1] = b->f.flags[1] = 0xfffe;
	assert_int_equal(flags_of(b, false, 0), 0xd);
	assert_int_equal(flags_of(b, false, 1), 0xf);
	for (unsigned int n = 0; n < 16; n++)
		value.lane[n] = 0x12340000 | n;
	write_lanes(b, V3D_QPU_W_MS_REV_FLAGS, &value, 0x7fff);
	assert_int_equal(flags_of(b, false, 0), 0);
	assert_int_equal(flags_of(b, false, 14), 14);
	assert_int_equal(flags_of(b, false, 15), 15);			/* its condition failed */
	lanes_fill(&value, 0xf);
	write_lanes(b, V3D_QPU_W_MS_REV_FLAGS, &value, ALL);
	/* not what is not covered */
	assert_int_equal(flags_of(b, false, 0), 0xd);
	b->f.reverse = 0x8000;
	assert_int_equal(flags_of(b, true, 15), 1);
	assert_int_equal(flags_of(b, true, 14), 0);
	lanes_fill(&value, 2);
	value.lane[3] = 1;
	tlb_qpu_write(b->sim, &b->q, V3D_QPU_W_MS_REV_FLAGS, true, &value, 0x00ff);
	assert_int_equal(b->f.reverse, 0x8008);
	bench_free(b);
}

static void test_alpha_mask(void **state)
{
	struct bench *b = bench_new(false, false);
	struct lanes value;

	(void)state;
	for (unsigned int n = 0; n < 16; n++)
		value.lane[n] = 0x5500 + n;
	b->f.flags[0] = 0xfff7;
	write_lanes(b, V3D_QPU_W_TLB_ALPHA_MASK, &value, 0xff0f);
	assert_int_equal(b->sim->tlb->buffers[0].vg_mask[15 * 64 + 31], 15);
	assert_int_equal(b->sim->tlb->buffers[0].vg_mask[0 * 64 + 1], 1);
	/* Lane 3: not in MS_FLAGS; lane 7: its condition failed */
	assert_int_equal(b->sim->tlb->buffers[0].vg_mask[1 * 64 + 1], 0);
	assert_int_equal(b->sim->tlb->buffers[0].vg_mask[1 * 64 + 3], 0);
	assert_int_equal(load_lane(b, V3D_QPU_SIG_LOAD_ALPHA_MASK, 15), 0x0f0f0f0f);
	bench_free(b);
}

/* What is no fragment shader has no tile. */
static void test_no_fragments(void **state)
{
	struct bench *b = bench_new(false, false);

	(void)state;
	b->q.fragment = NULL;
	write_word(b, V3D_QPU_W_TLB_COLOUR_ALL, 1);
	write_word(b, V3D_QPU_W_TLB_Z, 1);
	assert_int_equal(load_lane(b, V3D_QPU_SIG_LOAD_COLOR, 0), 0);
	assert_int_equal(flags_of(b, false, 0), 0);
	assert_int_equal(*color(b, 0, 0, 0), 0);
	bench_free(b);
}

/*
 * Quads leave a batch if all their covered samples would fail; the first has Z 5 to 8, the last one
 * lies behind nothing.
 */
static unsigned int hidden(struct bench *b, unsigned int function, uint16_t covered)
{
	b->f.quads = 4;
	for (unsigned int sample = 0; sample < 4; sample++)
		b->f.covered[sample] = covered;
	for (unsigned int n = 0; n < 16; n++)
		b->f.z.lane[n] = 5 + n % 4;
	b->f.config.depth_function = function;
	return zs_early_z(b->sim, &b->f);
}

static void test_early_z(void **state)
{
	struct bench *b = bench_new(false, false), *m = bench_new(true, false);

	(void)state;
	assert_false(zs_early_z_wanted(b->sim->tlb, &b->f.config));
	b->f.config.early_z = true;
	assert_true(zs_early_z_wanted(b->sim->tlb, &b->f.config));
	b->sim->tlb->mode.early_z_disable = true;
	assert_false(zs_early_z_wanted(b->sim->tlb, &b->f.config));
	memset(b->sim->tlb->buffers[0].zs, 0xff, sizeof(b->sim->tlb->buffers[0].zs));
	*zs(b, 2, 0, 0) = *zs(b, 3, 0, 0) = *zs(b, 2, 1, 0) = 5 << 8 | 0xff;
	*zs(b, 3, 1, 0) = 9 << 8;
	/* 5, 6 and 7 are not less than 5 */
	assert_int_equal(hidden(b, V3D_LESS, 0xff7f), 2);
	assert_int_equal(b->f.covered[0], 0xff0f);
	assert_int_equal(hidden(b, V3D_LESS, 0xff8f), 0);		/* 8 is less than 9 */
	assert_int_equal(hidden(b, V3D_LESS, 0xffff), 0);
	assert_int_equal(b->f.covered[0], 0xffff);
	assert_int_equal(hidden(b, V3D_LESS_EQUAL, 0xff7f), 0);
	assert_int_equal(hidden(b, V3D_LESS_EQUAL, 0xff6f), 2);
	/* nothing is greater than the farthest */
	assert_int_equal(hidden(b, V3D_GREATER, 0xff1f), 15);
	*zs(m, 3, 1, 3) = 9 << 8; /* one sample of the second quad */
	assert_int_equal(hidden(m, V3D_LESS, 0xffff), 13);
	assert_int_equal(m->f.covered[0], 0x00f0);
	bench_free(b);
	bench_free(m);
}

/*
 * A program's conditions reach the tile buffer, of the add ALU's results and of the mul ALU's,
 * packed ones too.
 */
static void test_program(void **state)
{
	struct bench *b = bench_new(false, false);
	struct v3d_qpu_inst color_of_add = {
		.sig = V3D_QPU_SIG_NONE,
		.cond_add = V3D_QPU_COND_ZS,
		.waddr_add = V3D_QPU_W_TLB_COLOUR_ALL,
		.waddr_mul = V3D_QPU_W_NOP,
		.op_add = V3D_QPU_ADD_OR,
		.raddr_a = V3D_QPU_R_NOP,
		.raddr_b = V3D_QPU_R_NOP,
	};
	struct v3d_qpu_inst color_of_mul = {
		.sig = V3D_QPU_SIG_NONE,
		.cond_mul = V3D_QPU_COND_NC,
		.waddr_add = V3D_QPU_W_NOP,
		.waddr_mul = V3D_QPU_W_TLB_COLOUR_ALL,
		.op_mul = V3D_QPU_MUL_V8MIN,
		.mul_a = V3D_QPU_R1,
		.mul_b = V3D_QPU_R1,
		.raddr_a = V3D_QPU_R_NOP,
		.raddr_b = V3D_QPU_R_NOP,
	};
	struct v3d_qpu_inst end = {
		.sig = V3D_QPU_SIG_PROGRAM_END,
		.waddr_add = V3D_QPU_W_NOP,
		.waddr_mul = V3D_QPU_W_NOP,
		.raddr_a = V3D_QPU_R_NOP,
		.raddr_b = V3D_QPU_R_NOP,
	};
	uint64_t words[5] = { v3d_qpu_encode(&color_of_add), v3d_qpu_encode(&color_of_mul),
			      v3d_qpu_encode(&end) },
		 spent = 0;

	(void)state;
	end.sig = V3D_QPU_SIG_NONE;
	words[3] = words[4] = v3d_qpu_encode(&end);
	memcpy(chip_bytes(b->chip, MEMORY), words, sizeof(words));
	qpu_reset(&b->q, 0, &alu_table_any);
	qpu_start(&b->q, 0, MEMORY, 0, UINT32_MAX);
	b->q.kind = QPU_FRAGMENT;
	b->q.fragment = &b->f;
	b->q.until = UINT64_MAX;
	b->q.zero.lane[0] = b->q.zero.lane[5] = ~0u;
	lanes_fill(&b->q.negative, ~0u);
	b->q.negative.lane[15] = 0;
	lanes_fill(&b->q.regs[QPU_ACC + 0], 0x11223344);
	lanes_fill(&b->q.regs[QPU_ACC + 1], 0x55667788);
	assert_int_equal(qpu_run(b->sim, &b->q, 100, &spent), QPU_ENDED);
	assert_int_equal(*color(b, 0, 0, 0), 0x11223344);
	assert_int_equal(*color(b, 3, 0, 0), 0x11223344);
	assert_int_equal(*color(b, 31, 15, 0), 0x55667788);
	assert_int_equal(*color(b, 1, 0, 0), 0);
	assert_int_equal(*color(b, 30, 15, 0), 0);
	bench_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_color),
		cmocka_unit_test(test_condition),
		cmocka_unit_test(test_z),
		cmocka_unit_test(test_stencil_operations),
		cmocka_unit_test(test_stencil_functions),
		cmocka_unit_test(test_stencil_write_masks),
		cmocka_unit_test(test_stencil_sides),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_multisample_z),
		cmocka_unit_test(test_multisample_color),
		cmocka_unit_test(test_color64),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_alpha_mask),
		cmocka_unit_test(test_no_fragments),
		cmocka_unit_test(test_early_z),
		cmocka_unit_test(test_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
