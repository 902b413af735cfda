// SPDX-License-Identifier: MIT
/*
 * The abstract domain by itself, verify_value.h and verify_state.h: what operations make of
 * abstract values, to the last number, and that there is one way to say that nothing is known.
 * test_verify_value.c has what programs make of it.
 */
#include "common.h"
#include "verify_state.h"

static struct v3dcl_abstract_value add(__u8 op, struct v3dcl_abstract_value a,
				       struct v3dcl_abstract_value b)
{
	return v3dcl_add_op(op, &a, &b);
}

static struct v3dcl_abstract_value mul24(struct v3dcl_abstract_value a,
					 struct v3dcl_abstract_value b)
{
	return v3dcl_mul_op(V3D_QPU_MUL_MUL24, &a, &b);
}

static struct v3dcl_abstract_value join(struct v3dcl_abstract_value a,
					struct v3dcl_abstract_value b)
{
	return v3dcl_join(&a, &b);
}

/* Taints are test_verify_taint.c's. */
static bool is(struct v3dcl_abstract_value n, struct v3dcl_abstract_value expected)
{
	n.taint = expected.taint;
	if (!v3dcl_same(&n, &expected))
		print_message("# %#x + %#x, %u terms\n", n.low, n.span, n.count);
	return v3dcl_same(&n, &expected);
}

#define UNKNOWN v3dcl_unknown()
#define CONSTANT(value) v3dcl_constant(value)
#define BETWEEN(low, high) v3dcl_between(low, high)
#define ADD_OP(name, a, b) add(V3D_QPU_ADD_##name, a, b)

/*
 * A range of 2^32 numbers is nothing known, and there is one way to say so, whatever it came from.
 */
TEST(test_nothing_known)
{
	(void)state;
	assert_true(is(BETWEEN(0, 0xffffffff), UNKNOWN));
	assert_true(is(ADD_OP(MAX, UNKNOWN, UNKNOWN), UNKNOWN));
	assert_true(is(ADD_OP(MIN, UNKNOWN, UNKNOWN), UNKNOWN));
	assert_true(is(ADD_OP(AND, UNKNOWN, CONSTANT(0xffffffff)), UNKNOWN));
	assert_true(is(ADD_OP(AND, UNKNOWN, UNKNOWN), UNKNOWN));
	assert_true(is(ADD_OP(ADD, UNKNOWN, CONSTANT(1)), UNKNOWN));
	assert_true(is(ADD_OP(SUB, UNKNOWN, CONSTANT(1)), UNKNOWN));
	assert_true(is(ADD_OP(SUB, CONSTANT(1), UNKNOWN), UNKNOWN));
	for (__u32 amount = 0; amount < 32; amount++)
		assert_true(is(ADD_OP(SHL, UNKNOWN, CONSTANT(amount)), UNKNOWN));
	assert_true(is(ADD_OP(SHR, UNKNOWN, CONSTANT(0)), UNKNOWN));
	assert_true(is(ADD_OP(ASR, UNKNOWN, CONSTANT(0)), UNKNOWN));
	assert_true(is(join(BETWEEN(0, 0x7fffffff), BETWEEN(0x80000000, 0xffffffff)), UNKNOWN));
	assert_true(is(mul24(UNKNOWN, CONSTANT(0)), UNKNOWN));
	/* 65537 steps of 65535 are 2^32 - 1 */
	assert_true(is(mul24(BETWEEN(1, 65538), CONSTANT(65535)), UNKNOWN));
}

/* One number less is known. */
TEST(test_nearly_nothing)
{
	struct v3dcl_abstract_value n = mul24(BETWEEN(1, 65535), BETWEEN(1, 65537));

	(void)state;
	assert_int_equal(n.low, 1);
	assert_int_equal(n.span, 0xfffffffe);
	assert_true(is(mul24(BETWEEN(1, 65536), BETWEEN(1, 65536)), UNKNOWN));
	n = join(BETWEEN(0, 0x7fffffff), BETWEEN(0x80000001, 0xffffffff));
	assert_int_equal(n.low, 0x80000001);
	assert_int_equal(n.span, 0xfffffffe);
	n = mul24(BETWEEN(1, 65537), CONSTANT(65535));
	assert_int_equal(n.low, 65535);
	assert_int_equal(n.span, 65536u * 65535);
	assert_true(is(mul24(BETWEEN(1, 65537), CONSTANT(0)), CONSTANT(0)));
	n = ADD_OP(AND, BETWEEN(0, 1000), CONSTANT(0xfffffff0));
	assert_int_equal(n.low, 0);
	assert_int_equal(n.span, 992);
}

/* A limit: a uniform is one as it is, and once more when it has been one. */
TEST(test_limits)
{
	const struct v3dcl_abstract_value uniform = v3dcl_uniform(3);
	struct v3dcl_abstract_value limited = ADD_OP(AND, UNKNOWN, uniform),
				    twice = ADD_OP(SHL, uniform, CONSTANT(1));

	(void)state;
	assert_int_equal(limited.clamped, 1);
	assert_true(is(ADD_OP(AND, uniform, UNKNOWN), limited));
	assert_true(is(ADD_OP(AND, limited, UNKNOWN), limited));
	assert_true(is(ADD_OP(AND, UNKNOWN, limited), limited));
	assert_true(is(ADD_OP(MIN, CONSTANT(5), uniform), limited));
	assert_true(is(ADD_OP(AND, UNKNOWN, twice), UNKNOWN));
	assert_true(is(ADD_OP(AND, UNKNOWN, ADD_OP(ADD, uniform, CONSTANT(1))), UNKNOWN));
	assert_true(is(ADD_OP(AND, UNKNOWN, ADD_OP(ADD, uniform, BETWEEN(0, 1))), UNKNOWN));
	assert_true(is(ADD_OP(AND, UNKNOWN, ADD_OP(ADD, uniform, v3dcl_uniform(4))), UNKNOWN));
}

/*
 * A place whose value says no more than its bits has none: a state is joined as quickly as it has
 * few.
 */
TEST(test_places)
{
	static const struct v3dcl_abstract_value *const bits[] = { &v3dcl_initialised,
								   &v3dcl_may_initialised,
								   &v3dcl_uninitialised };
	static struct v3dcl_state s;
	struct v3dcl_abstract_value some = v3dcl_initialised;

	(void)state;
	for (__u32 place = 0; place < V3DCL_PLACES; place++) {
		const struct v3dcl_abstract_value number = CONSTANT(place);

		for (unsigned int i = 0; i < 3; i++) {
			v3dcl_set_value(&s, place, &number);
			assert_true(v3dcl_is_in(&s.held, place));
			assert_true(is(*v3dcl_value_at(&s, place), number));
			v3dcl_set_value(&s, place, bits[i]);
			assert_false(v3dcl_is_in(&s.held, place));
			assert_true(is(*v3dcl_value_at(&s, place), *bits[i]));
		}
		for (unsigned int written = 1; written < 0xff; written++) {
			some.initialised = written;
			v3dcl_set_value(&s, place, &some);
			assert_int_equal(v3dcl_is_in(&s.held, place),
					 written != V3DCL_MAY_INITIALISED);
			assert_true(is(*v3dcl_value_at(&s, place), some));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_known),
		cmocka_unit_test(test_nearly_nothing),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_places),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("verify_domain", tests, NULL, NULL);
}
