// SPDX-License-Identifier: MIT
/* Expressions: what they come to, and how wrong ones are refused. */
#include <stdio.h>

#include "../../../base/helpers.h"
#include "reading.h"
#include "script.h"

static const char *const truths[] = {
	"1 + 2 * 3 == 7",
	"(1 + 2) * 3 == 9",
	"10 - 4 - 3 == 3",
	"100 / 7 == 14",
	"-7 / 2 == -3",
	"-7 % 3 == -1",
	"7 / 2.0 == 3.5",
	"(1 << 4 | 1) == 17",
	"(0xff & ~0xf) == 0xf0",
	"(6 ^ 3) == 5",
	"(6 & 3 == 3) == 0",
	"1 << 63 < 0",
	"-16 >> 2 == -4",
	"1 << 64 == 0",
	"-1 >> 99 == -1",
	"0b1011 == 11",
	"0 == 0x0 && 01.5 == 1.5 && 00.5 == 0.5",
	"1.5e3 == 1500",
	"2 > 1 && 1 >= 1 && 0 < 1 && 1 <= 1 && 1 != 2",
	"1 || 0",
	"!(0 && 1)",
	"!0 == 1",
	"(1 ? 5 : 6) == 5",
	"(0 ? 5 : 6) == 6",
	"(0 ? 1 : 0 ? 2 : 3) == 3",
	"+3 == 3",
	"min(3, -2) == -2",
	"max(3, 2.5) == 3",
	"abs(-3) == 3",
	"abs(-2.5) == 2.5",
	"int(-2.9) == -2",
	"real(3) / 2 == 1.5",
	"pow(2, 10) == 1024",
	"sqrt(81) == 9",
	"floor(-1.5) == -2",
	"ceil(1.2) == 2",
	"round(2.5) == 3",
	"log2(8) == 3",
	"f32(1.0) == 0x3f800000",
	"f32(-2) == 0xc0000000",
	"reverse(0b0011, 4) == 0b1100",
	"reverse(1, 16) == 0x8000",
	"rgba(1, 0, 0.5, 1) == 0xff8000ff",
	"sin(0) == 0 && cos(0) == 1 && exp(0) == 1 && log(1) == 0 && tan(0) == 0",
	"atan2(0, 1) == 0",
	"atan(0) == 0",
	"real(bits(0x3fc00000)) == 1.5",
	"9223372036854775807 + 1 < 0",
	"0xffffffffffffffff == -1",
	"-1 % -1 == 0",
	"5 / -1 == -5",
	/* AG100 Table 34, by hand */
	"vdw_setup(units=16 depth=16 horizontal=1 id=2) == bits(0x88104000)",
	/* Table 33 */
	"vpm_read_setup(number=1, size=u32, horizontal=1, stride=1) == bits(0x00101a00)",
	"\\\n1",
	"(1\n+\n1) == 2 # and so on",
	/* As programs have them: numbers, comments, functions, words, integers of bits */
	".5 == 0.5 && 1. == 1.0",
	"2 // as well as #",
	"!1.5 == 0 && (0.5 && 0.25)",
	"float(1) == 1.0",
	"f(1.0) == F32(1)",
	"vdw_setup(units=128) == bits(0x80000000)",
	"texture_cube(stride=2) == 0x40002000",
	"bits(5) + 1 == 6",
	"bits(0x3f800000) * 2.0 == 2",
	"(stencil_setup(select=both) & 0xc0000000) == 0xc0000000",
	/* Rounded right: halfway between two doubles, and a little more (2^53 + 1) */
	"9007199254740993.0 == 9007199254740992.0",
	"9007199254740993.00000000000000000000000000001 == 9007199254740994.0",
	"1e23 == 99999999999999991611392.0",
};

/* Each must be so */
static void test_true(void **state)
{
	struct v3dcl_script *script;
	struct v3dcl_error error;
	char text[256];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(truths); i++) {
		snprintf(text, sizeof(text), "assert %s", truths[i]);
		if (read_text(text, &script, &error))
			fail_msg("%s", error.text);
		v3dcl_script_free(script);
	}
}

/* With the column where it is wrong, and a part of what is said */
static void test_wrong(void **state)
{
	static const struct wrong cases[] = {
		{ "assert 1 +", "a number, a name or an expression is expected", 1, 11 },
		{ "assert (1", "')' is expected", 1, 10 },
		{ "assert 1 / 0", "division by zero", 1, 10 },
		{ "assert 3 % 0", "division by zero", 1, 10 },
		{ "assert 0", "not so", 1, 8 },
		{ "const a = 1\nassert b", "not the name", 2, 8 },
		{ "assert 1.5 & 1", "'&' is for integers", 1, 12 },
		{ "assert ~1.5", "'~' is for integers", 1, 8 },
		{ "assert 0x", "no number: '0x'", 1, 9 },
		{ "assert 12ab", "no number: '12ab'", 1, 10 },
		{ "assert 0b12", "no number", 1, 11 },
		{ "assert 99999999999999999999", "64 bits", 1, 8 },
		/* Octal in a program, so neither around it */
		{ "assert 8 == 010", "octal in a program, and has no meaning around it: write 10, "
		  "or 8 if octal was meant", 1, 13 },
		{ "buffer b { u8 1, 09 }", "around it: write 9", 1, 18 },
		{ "const a = 00", "around it: write 0", 1, 11 },
		{ "assert foo(1)", "no function", 1, 8 },
		{ "assert sin(1, 2)", "one number", 1, 8 },
		{ "assert min(1)", "2 values", 1, 8 },
		{ "assert min(1, 2, 3, 4, 5)", "more values", 1, 24 },
		{ "assert int(1e30)", "does not fit an integer", 1, 8 },
		{ "assert 1 2", "end of the line", 1, 10 },
		{ "assert $", "'$' has no meaning", 1, 8 },
		{ "buffer b size 4\nassert b", "expected a number", 2, 8 },
		{ "buffer b size 4\nassert b * 2", "whole number added", 2, 10 },
		{ "buffer b size 4\nassert -b", "number", 2, 8 },
		{ "buffer b size 4\nassert sin(b)", "one number", 2, 8 },
		{ "buffer b size 4\nassert abs(b)", "not addresses", 2, 8 },
		{ "buffer b size 4\nassert b ? 1 : 0", "neither true", 2, 10 },
		{ "assert size(1)", "of a buffer", 1, 8 },
		{ "assert vdw_setup(units=129)", "units is 129; it must be 0 to 128", 1, 24 },
		{ "assert vdw_setup(unit=1)", "no field of this name, but modew, x, y", 1, 18 },
		{ "assert vdw_setup(units=1 units=2)", "units is given twice", 1, 26 },
		{ "assert 1 ? 2", "':' is expected", 1, 13 },
		{ "assert 1e999 == 1e-999 / 0 &", "an expression is expected", 1, 29 },
		{ "repeat i 2.5 { }", "whole number", 1, 10 },
		{ "repeat i -1 { }", "is not from", 1, 10 },
	};

	(void)state;
	are_wrong(cases, COUNT(cases));
}

/* Deep and long ones end with an error, too, and soon */
static void test_too_much(void **state)
{
	static const char endless[] = "repeat i 4000000000 { repeat k 4000000000 { } }";
	struct v3dcl_script *script;
	struct v3dcl_error error;
	static char text[100000];
	size_t i;

	(void)state;
	strcpy(text, "assert ");
	memset(text + 7, '(', 50000);
	strcpy(text + 50007, "1");
	assert_int_equal(read_text(text, &script, &error), -E2BIG);
	memset(text + 7, '-', 50000);
	assert_int_equal(read_text(text, &script, &error), -E2BIG);
	text[0] = 0;
	for (i = 0; i < 100; i++)
		strcat(text, "repeat i 1 { ");
	assert_int_equal(read_text(text, &script, &error), -E2BIG);
	assert_int_equal(script_read_within("test", endless, strlen(endless), 100000, NULL, 0,
					    &script, &error),
			 -E2BIG);
	assert_int_equal(read_text("buffer b { zero 600 << 20 }", &script, &error), -E2BIG);
	assert_int_equal(read_text("repeat i 5000 { const x = 1 }\nbuffer b { u8 1 }", &script,
				   &error),
			 0);
	v3dcl_script_free(script);

}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_true),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_too_much),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("text-expression", tests, NULL, NULL);
}
