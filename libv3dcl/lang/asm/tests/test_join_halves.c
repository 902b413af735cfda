// SPDX-License-Identifier: MIT
/* The encoder for compilers: two halves to one instruction, or why not. */
#include "assembling.h"

#define ACC v3dcl_qpu_acc
#define RA v3dcl_qpu_ra
#define RB v3dcl_qpu_rb
#define IO v3dcl_qpu_io
#define CONST v3dcl_qpu_constant

static struct v3dcl_qpu_half half(unsigned int op, struct v3dcl_qpu_operand to,
				  struct v3dcl_qpu_operand a, struct v3dcl_qpu_operand b)
{
	struct v3dcl_qpu_half h = {
		.op = op, .condition = V3D_QPU_COND_ALWAYS, .to = to, .from = { a, b }
	};

	return h;
}

static struct v3dcl_qpu_pair pair_of(struct v3dcl_qpu_half add, struct v3dcl_qpu_half mul)
{
	struct v3dcl_qpu_pair pair = { .add = add, .mul = mul, .signal = V3D_QPU_SIG_NONE };

	return pair;
}

static const struct v3dcl_qpu_half none = { .op = 0 };

static uint64_t joined(struct v3dcl_qpu_pair pair)
{
	struct v3dcl_error error = { .code = 0 };
	struct v3d_qpu_inst inst;

	if (v3dcl_qpu_join(&pair, &inst, &error))
		fail_msg("%s", error.text);
	assert_int_equal(v3dcl_qpu_join(&pair, &inst, NULL), 0);
	return v3d_qpu_encode(&inst);
}

static void refused_pair(struct v3dcl_qpu_pair pair, const char *says)
{
	struct v3dcl_error error = { .code = 0 };
	struct v3d_qpu_inst inst;

	assert_int_equal(v3dcl_qpu_join(&pair, &inst, &error), -EINVAL);
	assert_int_equal(error.code, -EINVAL);
	if (!strstr(error.text, says))
		fail_msg("'%s' is not in: %s", says, error.text);
	assert_int_equal(v3dcl_qpu_join(&pair, &inst, NULL), -EINVAL);
}

static void test_join(void **state)
{
	struct v3dcl_qpu_pair pair;

	(void)state;
	assert_true(joined(pair_of(none, none)) == word_of("nop"));
	pair = pair_of(half(V3D_QPU_ADD_FADD, RA(1), ACC(0), IO(V3D_QPU_R_UNIFORM)),
		       half(V3D_QPU_MUL_FMUL, RB(2), RB(7), RB(7)));
	assert_true(joined(pair) == word_of("fadd ra1, r0, unif; fmul rb2, rb7, rb7"));
	pair.signal = V3D_QPU_SIG_LOAD_TMU0;
	pair.add.condition = V3D_QPU_COND_ZS;
	pair.add.set_flags = true;
	assert_true(joined(pair) ==
		    word_of("fadd.zs.setf ra1, r0, unif; fmul rb2, rb7, rb7; ldtmu0"));
	/* What is read already is read once, whichever port it came by */
	pair = pair_of(half(V3D_QPU_ADD_FADD, ACC(1), RB(V3D_QPU_R_UNIFORM), IO(V3D_QPU_R_UNIFORM)),
		       none);
	assert_true(joined(pair) == word_of("fadd r1, rb32, rb32"));
	pair = pair_of(half(V3D_QPU_ADD_FADD, ACC(1), RA(5), IO(V3D_QPU_R_UNIFORM)), none);
	assert_true(joined(pair) == word_of("fadd r1, ra5, rb32"));
	/* An unpack wants file A's port */
	pair = pair_of(half(V3D_QPU_ADD_ITOF, ACC(1), v3dcl_qpu_with_pack(IO(V3D_QPU_R_UNIFORM), 4),
			    ACC(0)),
		       none);
	assert_true(joined(pair) == word_of("itof r1, ra32.8a"));
	pair = pair_of(none,
		       half(V3D_QPU_MUL_FMUL, v3dcl_qpu_with_pack(RA(3), 5 | V3DCL_QPU_COLOUR),
			    CONST(0x40000000), CONST(0x40000000)));
	assert_true(joined(pair) == word_of("nop; fmul ra3.8bc, 2.0, 2.0"));
	pair = pair_of(none, half(V3D_QPU_MUL_V8MIN, ACC(0), ACC(1), ACC(1)));
	pair.rotate = V3DCL_QPU_ROTATE_R5;
	assert_true(joined(pair) == word_of("nop; mov r0, r1 >> r5"));
	/* A rotation's code is an operand as well: 61 reads as -3 (HW) */
	pair = pair_of(half(V3D_QPU_ADD_ADD, ACC(0), ACC(1), CONST((uint32_t)-3)),
		       half(V3D_QPU_MUL_V8MIN, ACC(1), ACC(2), ACC(2)));
	pair.rotate = 13;
	assert_true(joined(pair) == word_of("add r0, r1, -3; mov r1, r2 >> 13"));
	assert_int_equal(joined(pair) >> 12 & 63, 61);
}

static void test_refused(void **state)
{
	struct v3dcl_qpu_operand nowhere = { .place = 9 };
	struct v3dcl_qpu_pair pair;

	(void)state;
	refused_pair(pair_of(half(9, ACC(0), ACC(1), ACC(2)), none),
		     "the add half has no operation 9");
	refused_pair(pair_of(half(32, ACC(0), ACC(1), ACC(2)), none),
		     "the add half has no operation 32");
	refused_pair(pair_of(none, half(8, ACC(0), ACC(1), ACC(2))),
		     "the mul half has no operation 8");
	refused_pair(pair_of(half(V3D_QPU_ADD_OR, ACC(0), ACC(6), ACC(6)), none),
		     "there is no accumulator r6");
	refused_pair(pair_of(half(V3D_QPU_ADD_OR, ACC(0), RA(64), RA(64)), none),
		     "there is no address 64");
	refused_pair(pair_of(half(V3D_QPU_ADD_OR, ACC(0), IO(31), IO(31)), none),
		     "there is no address 31");
	refused_pair(pair_of(half(V3D_QPU_ADD_OR, RB(64), ACC(0), ACC(0)), none),
		     "there is no address 64");
	refused_pair(pair_of(half(V3D_QPU_ADD_OR, ACC(0), nowhere, ACC(6)), none),
		     "there is no such place");
	refused_pair(pair_of(half(V3D_QPU_ADD_OR, CONST(5), ACC(0), ACC(0)), none),
		     "a constant cannot be written");
	refused_pair(pair_of(half(V3D_QPU_ADD_OR, ACC(0), v3dcl_qpu_with_pack(RA(0), 8), ACC(0)),
			     none),
		     "no such unpack mode");
	refused_pair(pair_of(half(V3D_QPU_ADD_OR, ACC(0), CONST(99), ACC(0)), none),
		     "0x63 is no small immediate");
	pair = pair_of(none, half(V3D_QPU_MUL_V8MIN, ACC(1), ACC(2), ACC(2)));
	pair.rotate = 17;
	refused_pair(pair, "results rotate by 1 to 15");
	pair.rotate = 0;
	pair.signal = V3D_QPU_SIG_BRANCH;
	refused_pair(pair, "signal 15 makes another kind of instruction");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
