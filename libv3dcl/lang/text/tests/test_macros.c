// SPDX-License-Identifier: MIT
/* Macros of jobs: what they stand for, where they may stand, and how wrong ones are refused. */
#include <stdio.h>

#include "../../../base/helpers.h"
#include "reading.h"
#include "script.h"

#define END "nop; thrend\nnop\nnop\n"

/* A text's job as the V3D is given it */
static char *decoded(const char *text)
{
	struct v3dcl_buffer out = { 0 };
	struct v3dcl_script *script;
	struct v3dcl_error error;

	if (read_text(text, &script, &error))
		fail_msg("%s\n%s", text, error.text);
	assert_int_equal(v3dcl_script_decode(script, false, &out, &error), 0);
	v3dcl_script_free(script);
	assert_false(out.failed);
	return (char *)out.bytes;
}

/* Each text is the same job as the one without macros beside it. */
static void test_same(void **state)
{
	static const struct {
		const char *with, *without;
	} cases[] = {
		{ "macro b name, n { buffer name size 4 * n }\nb x, 3\nb y, (1 + 2) * 4\nsave y\n",
		  "buffer x size 12\nbuffer y size 48\nsave y\n" },
		/*
		 * An argument is the tokens that stand there, defaults as well; blanks around it
		 * are not its own.
		 */
		{ "macro v a, b = 5, c=a { u32 a, b, c }\nconst a = 7\nbuffer x { v 1\nv  2 ,  3 # "
		  "a comment\nv 1, 2, 3 // too\n }\n",
		  "buffer x { u32 1, 5, 7, 2, 3, 7, 1, 2, 3 }\n" },
		{ "macro t s { text s }\nbuffer x { t \"a, b; { c\"; t \"#\" }\n",
		  "buffer x { text \"a, b; { c#\" }\n" },
		{ "macro t x { f32 x }\nbuffer b { t max(1,\n2) ; t 2 \\\n+ 3 }\n",
		  "buffer b { f32 2, 5 }\n" },
		/*
		 * In macros: other macros, repetitions, conditions, labels, constants that end with
		 * it
		 */
		{ "macro one x { u32 x }\nmacro two x { const k = x; u32 k; one k + 1 }\nbuffer b "
		  "{ two 1; two 5\n two 7 }\n",
		  "buffer b { u32 1, 2, 5, 6, 7, 8 }\n" },
		{ "macro r n, x { repeat i n { if i % 2 { u8 x + i } else { u8 i } } }\nbuffer b { "
		  "r 4, 16 }\n",
		  "buffer b { u8 0, 17, 2, 19 }\n" },
		{ "macro l name { name: u32 1 }\nbuffer b { l p\n l q }\nbuffer c { u32 b.p, b.q "
		  "}\n",
		  "buffer b { p: u32 1\n q: u32 1 }\nbuffer c { u32 b.p, b.q }\n" },
		{ "macro f r { f32 r; s r }\nmacro s q { u16 int(q) }\nbuffer b { f 2.5 }\n",
		  "buffer b { f32 2.5; u16 2 }\n" },
		/* At the end of the text, and with nothing behind a comma */
		{ "buffer x size 4\nmacro s { save x }\ns ", "buffer x size 4\nsave x\n" },
		{ "macro m a, b = 2 { u8 a, b }\nbuffer x { m 1, ; m 3,}\n",
		  "buffer x { u8 1, 2, 3, 2 }\n" },
		/* In frames, lists, calls; around programs, whose lines see the parameters */
		{ "macro at x, y { clip_window left=x bottom=y width=4 height=4 }\nlists { bin { "
		  "at 1, 2; at 3, 4; nop } }\n",
		  "lists { bin { clip_window left=1 bottom=2 width=4 height=4\nclip_window left=3 "
		  "bottom=4 width=4 height=4\n"
		  "nop } }\n" },
		{ "macro p name, value, op=add {\n program name {\n ldi r0, value\n op r1, r0, "
		  "r0\n" END "\n }\n}\n"
		  "p one, 77\np two, 99, sub\nrun { one()\n two() }\n",
		  "program one {\nldi r0, 77\nadd r1, r0, r0\n" END
		  "}\nprogram two {\nldi r0, 99\nsub r1, r0, r0\n" END "}\n"
		  "run { one()\n two() }\n" },
		/* A macro of the program's own in one of the job's */
		{ "macro p name, v {\n program name {\n.macro load to, x=3\nldi to, x\n.endm\nload "
		  "r2, v\n" END "}\n}\np x, 5\nrun x()\n",
		  "program x {\nldi r2, 5\n" END "}\nrun x()\n" },
	};
	char *with, *without;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(cases); i++) {
		with = decoded(cases[i].with);
		without = decoded(cases[i].without);
		assert_string_equal(with, without);
		free(with);
		free(without);
	}
}

/* With the place, and a part of what is said */
static void test_refused(void **state)
{
	static const struct wrong cases[] = {
		{ "macro { }", "name of a macro", 1, 7 },
		{ "macro .m { }", "name of a macro", 1, 7 },
		{ "macro m { }\nmacro m { }", "already", 2, 7 },
		{ "macro m 5 { }", "'{' is expected", 1, 9 },
		{ "macro m x", "'{' is expected", 1, 10 },
		{ "macro m {", "'}' of a block", 1, 10 },
		{ "macro m a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q { }", "16 parameters", 1, 41 },
		{ "macro m { macro n { } }\nm",
		  "made outside of macros and repetitions (in macro m, used in line 2)", 1, 17 },
		{ "repeat i 1 { macro n { } }", "made outside of macros and repetitions", 1, 20 },
		{ "macro m x { }\nm", "m is given no x", 2, 2 },
		{ "macro m x { }\nm 1, 2", "one more", 2, 5 },
		{ "macro m { }\nm 1", "m has 0 parameters", 2, 2 },
		{ "macro m x {\n assert x + }\n\nm 1",
		  "expression is expected here (in macro m, used in line 4)", 2, 13 },
		{ "macro m x { assert x }\nm 1 +", "is expected here", 1, 22 },
		{ "macro m x { assert x }\nm wrong", "wrong is not the name", 2, 3 },
		{ "macro m x { x }\nmacro n { }\nm n", "a macro's name cannot be", 3, 3 },
		{ "macro m { } 5", "end of the line", 1, 13 },
		{ "macro m x { assert x }\nm 1 }", "expected a statement", 2, 5 },
		/* What the job gives is the job's, also in a program */
		{ "macro m n, x {\n program n {\n ldi r0, x\n }\n}\nm p, 010",
		  "write 10, or 8 if octal was meant", 6, 6 },
		{ "macro m x = 017 { }", "write 17, or 15 if", 1, 13 },
		{ "macro m n {\n program n {\n frob\n }\n}\nm p", "(in macro m, used in line 6)", 3,
		  2 },
	};

	(void)state;
	are_wrong(cases, COUNT(cases));
}

/* What one text may ask for is bounded. */
static void test_too_much(void **state)
{
	static const char endless[] = "macro m { m }\nm";
	static const char wide[] =
		"macro a x { assert x; assert x }\nmacro b x { a x + x; a x + x }\n"
		"macro c x { b x + x; b x + x }\nmacro d x { c x + x; c x + x }\nrepeat i 100000 { "
		"d 1 + 1 }\n";
	struct v3dcl_buffer text = { 0 };
	struct v3dcl_script *script;
	struct v3dcl_error error;
	int i;

	(void)state;
	assert_int_equal(read_text(endless, &script, &error), -E2BIG);
	assert_non_null(strstr(error.text, "nested deeper than 64 levels"));
	i = script_read_within("test", wide, strlen(wide), 100000, NULL, 0, &script, &error);
	assert_int_equal(i, -E2BIG);
	for (i = 0; i < 4096; i++)
		v3dcl_buffer_printf(&text, "macro m%d { }\n", i);
	assert_int_equal(read_text((const char *)text.bytes, &script, &error), 0);
	v3dcl_script_free(script);
	v3dcl_buffer_printf(&text, "macro m { }\n");
	assert_int_equal(read_text((const char *)text.bytes, &script, &error), -E2BIG);
	v3dcl_buffer_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_too_much),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("text-macros", tests, NULL, NULL);
}
