// SPDX-License-Identifier: MIT
/* What is wrong with a text: where, and in which words. And what is done when memory runs out. */
#include "fail_alloc.h"

#include "assembling.h"

static const struct {
	unsigned int line, column;
	const char *source, *says;
} messages[] = {
	/* Mnemonics */
	{ 1, 1, "fad r0, r1, r2", "no operation or signal 'fad'; did you mean 'fadd'?" },
	{ 1, 1, "thrned", "did you mean 'thrend'?" },
	{ 1, 1, "movv.zs r0, r1", "no operation or signal 'movv'; did you mean 'mov'?" },
	{ 1, 1, "frobnicate r0, r1", "there is no operation, signal or macro 'frobnicate'" },
	{ 1, 1, ".macr x", "no directive '.macr'; did you mean '.macro'?" },
	{ 1, 1, ".frobnicate_it_all", "there is no directive '.frobnicate_it_all'" },
	{ 1, 5, "add.foo r0, r1, r2", "'foo' is no condition, and not setf" },
	{ 1, 5, "brr.zs 8", "'zs' is no condition" },
	/* A word that there is, but not there, is never its own suggestion */
	{ 1, 6, "nop; ldi r0, 5", "'ldi' is an instruction of its own" },
	{ 1, 6, "nop; sacq 1", "'sacq' is an instruction of its own" },
	{ 1, 16, "mov.zs r0, r1; brr 8", "'brr' is an instruction of its own" },
	{ 1, 7, "ldtmu0.zs", "the signal 'ldtmu0' has no condition, and nothing behind it" },
	{ 3, 9, ".set a, 1\n.unset a\nldi r0, a", "nothing is called 'a'" },
	{ 4, 9, ".macro m\nnop\n.endm\nldi r0, m", "'m' is a macro, which has no value" },
	{ 1, 9, "mov r0, x", "nothing is called 'x'" },
	/* Operands */
	{ 1, 11, "add r0, r1", "'add' has 2 sources: ',' is expected here" },
	{ 1, 7, "not r0", "'not' has 1 source: ',' is expected here" },
	{ 1, 11, "mov r0, r1, r2", "';' or the end of the line is expected here" },
	{ 1, 5, "mov 5, r1", "a destination is expected" },
	{ 1, 5, "mov r9, r1", "accumulators are r0 to r5" },
	{ 1, 8, "mov ra[64], r1", "a register's number is 64; it must be 0 to 63" },
	{ 1, 5, "mov ra64, r1", "a register's number is 0 to 31" },
	{ 1, 9, "mov ra[1, r1", "']' is expected here" },
	{ 1, 5, "mov r4, r1", "r4 cannot be written" },
	{ 1, 5, "mov r5, r1", "r5 is written as r5quad or r5rep" },
	{ 1, 9, "mov r0, recip", "recip can be written, not read" },
	{ 1, 5, "mov unif, r0", "unif can be read, not written" },
	{ 1, 13, "mov r0, ra1.9a", "an unpack mode is expected" },
	{ 1, 17, "mov r0, ra1.16a.16b", "an unpack mode is expected" },
	{ 1, 9, "mov ra1.zz, r0", "a pack mode is expected" },
	{ 1, 9, "ldi ra1.zz, 0", "or a condition" },
	{ 1, 9, "mov r0, nothing", "nothing is called 'nothing'" },
	{ 1, 9, "mov r0, elemnum", "nothing is called 'elemnum'; did you mean 'elem_num'?" },
	{ 2, 5, "Around: nop\nbrr around", "nothing is called 'around'; did you mean 'Around'?" },
	{ 1, 9, "ldi r0, much_too_long_for_anything_here",
	  "nothing is called 'much_too_long_for_anything_here'" },
	/* What cannot be one instruction */
	{ 1, 15, "fadd r0, ra3, ra7", "two different registers of file A are read: ra3 and ra7" },
	{ 1, 14, "add r0, rb1, rb2; nop",
	  "two different registers of file B are read: rb1 and rb2" },
	{ 1, 27, "add r0, ra1, rb1; mov r1, unif",
	  "no port is left to read unif: file A reads ra1, file B rb1" },
	{ 1, 25, "add r0, ra1, 5; mov r1, unif", "file B is a small immediate or rotation" },
	{ 1, 22, "mov r0, rb3; mov r1, 77", "a small immediate stands beside rb3 of file B" },
	{ 1, 20, "mov r0, 3; mov r1, rb3", "rb3 of file B is read beside a small immediate" },
	{ 1, 20, "mov r0, 3; mov r1, 4", "two different small immediates" },
	{ 1, 14, "nop; mov r0, rb2 >> 1", "beside a small immediate or rotation" },
	{ 1, 12, "mov r0, 5; thrend", "the signal thrend stands beside a small immediate" },
	{ 1, 9, "thrend; thrsw", "an instruction has one signal; thrsw is a second" },
	{ 1, 9, "mov r0, 1000; nop", "0x3e8 is no small immediate" },
	{ 1, 17, "mov ra1, 1; mov ra2, r0", "both results go to file A: ra1 and ra2" },
	{ 1, 17, "mov rb1, 1; mov vw_setup, r0", "both results go to file B: rb1 and vw_setup" },
	{ 1, 18, "fmul r0, r1, r2; mul24 r1, r1, r1",
	  "both halves are operations of the mul ALU only" },
	{ 1, 17, "add r0, r1, r2; sub r1, r1, r1",
	  "both halves are operations of the add ALU only" },
	{ 1, 25, "mov r0, r1; mov r1, r2; mov r2, r3", "this is a third" },
	{ 1, 17, "add r0, r1, r1; mov.setf r1, r2", "the add half sets the flags" },
	{ 1, 26, "mov r0, ra1.16a; mov r1, r4.8a", "one bit selects" },
	{ 1, 9, "mov r0, ra1; mov r1, ra1.16a", "all that reads file A is unpacked alike" },
	{ 1, 9, "mov r0, r1.16a", "only registers of file A and r4 can be unpacked" },
	{ 1, 5, "add r0.8a, r1, r2", "packed in registers of file A only" },
	{ 1, 5, "add ra0.8ac, r1, r2", "the add half cannot pack to colours" },
	{ 1, 10, "nop; mov r0.16a, r1", "can be packed to 8-bit colours only" },
	{ 1, 22, "mov ra0.16a, r1; mov r1.8a, r2", "one result can be packed, not two" },
	{ 1, 1, "add r0, r1, r2 >> 3",
	  "only the mul half's result is rotated, which has no 'add'" },
	{ 1, 17, "add r0, r1, r2; add r0, r1, r2 >> 3", "only the mul half's result is rotated" },
	{ 1, 20, "nop; mov r0, r1 >> 16", "a rotation is 16; it must be 0 to 15" },
	{ 1, 7, "nop; {sig=14}", "this makes an instruction that has its own mnemonic" },
	{ 1, 7, "nop; {foo=1}", "a field of this kind of instruction" },
	{ 1, 7, "nop; {cond_br=1}", "a field of this kind of instruction" },
	{ 1, 10, "nop; {sf 1}", "'=' is expected here" },
	{ 1, 10, "nop; {sf=2}", "sf is 2; it must be 0 to 1" },
	{ 1, 12, "nop; {sf=1 x", "',' or '}' is expected here" },
	{ 1, 13, "nop; {sf=1} x", "the end of the line is expected here" },
	{ 1, 6, "nop; 5", "an operation or a signal is expected here" },
	/* Loads, semaphores, branches */
	{ 1, 5, "ldi 5", "a destination and ',' are expected here" },
	{ 1, 9, "ldi r0, 1 << 32", "0x100000000 does not fit 32 bits" },
	{ 1, 10, "ldis r0, element", "an element is 2; it must be -2 to 1" },
	{ 1, 14, "ldiu r0, [1, 4]", "an element is 4; it must be 0 to 3" },
	{ 1, 12, "ldiu r0, [1]", "',' and 16 elements is expected here" },
	{ 1, 42, "ldiu r0, [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]", "']' after 16 elements" },
	{ 1, 6, "sacq 16", "a semaphore is 16; it must be 0 to 15" },
	{ 1, 10, "ldi ra1, ra2, 5", "both results go to file A" },
	{ 1, 5, "bra main\nmain:", "where a program will be in memory is not known here" },
	{ 1, 5, "brr 1.5", "a branch leads to a label or an integer" },
	{ 1, 5, "brr 1 << 33", "this is too far away" },
	{ 1, 14, "bra.setf 8 + ra2", "with an odd number" },
	{ 1, 9, "bra 8 + ra32", "one of ra0 to ra31" },
	{ 1, 4, "brr", "a number, a name or an expression is expected here" },
	/* Numbers and expressions */
	{ 1, 11, "ldi r0, 12z", "this is no number: '12z'" },
	{ 1, 12, "ldi r0, 0x1g", "this is no number" },
	{ 1, 11, "ldi r0, 1e+", "an exponent has digits" },
	{ 1, 12, "ldi r0, 1.5x", "this is no number" },
	{ 1, 9, "ldi r0, 99999999999999999999", "this number does not fit 64 bits" },
	{ 1, 11, "ldi r0, 1 / 0", "division by zero" },
	{ 1, 13, "ldi r0, 1.5 & 1", "'&' is for integers" },
	{ 1, 9, "ldi r0, ~1.5", "'~' is for integers" },
	{ 1, 9, "ldi r0, int(1e30)", "this does not fit an integer" },
	{ 1, 9, "ldi r0, sine(1)", "there is no function 'sine'" },
	{ 1, 15, "ldi r0, (1 + 2", "')' is expected here" },
	{ 1, 14, "ldi r0, 1 ? 2", "':' is expected here" },
	{ 1, 19, "ldi r0, vdw_setup(rows=3)", "vdw_setup() has no field of this name" },
	{ 1, 28, "ldi r0, vdw_setup(units=3, units=3)", "units is given twice" },
	{ 1, 25, "ldi r0, vdw_setup(units=129)", "units is 129; it must be 0 to 128" },
	{ 1, 23, "ldi r0, texture0(type=RGBA32R)",
	  "type is 16; it must be 0 to 15; RGBA32R is type=0, and type4=1 of texture1" },
	{ 1, 23, "ldi r0, texture0(base=4095)", "base must be a multiple of 4096" },
	{ 1, 24, "ldi r0, vdw_stride(id=1", "',' or ')' is expected here" },
	/* Characters */
	{ 1, 9, "mov r0, $3", "'$' has no meaning here" },
	{ 1, 4, "nop\x01", "a byte 0x01 has no meaning here" },
	{ 2, 1, "nop\n\xff", "a byte 0xff has no meaning here" },
	/* Names */
	{ 2, 1, "a: nop\na: nop", "'a' is the name of something else already" },
	{ 2, 6, "a: nop\n.set a, 1", "'a' is the name of something else already" },
	{ 1, 6, ".set 5, 1", "a name is expected here" },
	{ 1, 8, ".set a 1", "',' is expected here" },
	{ 1, 11, ".set a, 1 2", "',' or the end of the line is expected here" },
	{ 1, 5, ".if later\nnop\n.endif\nlater: nop", "a condition must be known here" },
	/* Uniforms and data */
	{ 1, 10, ".uniform 5", "the uniform's name, or '-' for none, is expected here" },
	{ 1, 14, ".uniform a, &5", "the name of a buffer is expected here" },
	{ 1, 17, ".uniform a, &b, execute", "read, write or readwrite is expected here" },
	{ 2, 1, ".data\nnop", "an instruction among data" },
	{ 2, 7, ".data\n.byte 256", "a value is 256; it must be -128 to 255" },
	{ 2, 8, ".data\n.align 3", "an alignment is a power of two" },
	{ 2, 8, ".data\n.space -1", "a size is -1; it must be 0 to" },
	{ 1, 7, ".inst 1.5", "an instruction's word is an integer" },
	{ 1, 9, ".assert 1 == 2", "this does not hold" },
	{ 1, 9, ".assert 1.5", "a condition is an integer" },
};

static void test_messages(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(messages); i++)
		refused(messages[i].source, messages[i].line, messages[i].column, messages[i].says);
}

/*
 * Each word of the language, where none of its kind may stand, and as a name that is nothing: what
 * it is told never suggests itself.
 */
static void test_own_suggestion(void **state)
{
	static const char *const words[] = {
		"mov", "ldi", "ldis", "ldiu", "sacq", "srel", "brr", "bra", "read", "nop", "fadd",
		"fmul", "v8adds", "thrend", "ldtmu0", "loadc", "unif", "vary", "elem_num", "vpm",
		"mutex", "ra5", "r0", "r5", "here", "later", "some", "a", "-", "m",
	};
	static const char *const texts[] = {
		"nop; %s r0, 1", "%s", "%s.zs", "%s.foo r0", "ldi r0, %s", "ldi r0, 1 + %s",
		"mov %s, %s", "brr %s", "fadd r0, %s, 1", "{%s=1}", ".set %s, %s", ".global %s",
		".if %s\n.endif", ".set %s, 1\n.unset %s\nldi r0, %s",
		".macro %s\n.endm\nldi r0, %s", ".%s", "ldi r0, %s(1)", "ldi r0, vdw_setup(%s=1)",
	};
	struct v3dcl_assembly *assembly;
	struct v3dcl_error error;
	unsigned int refused = 0;
	char text[128];
	size_t i, j;

	(void)state;
	for (i = 0; i < COUNT(words); i++) {
		for (j = 0; j < COUNT(texts); j++) {
			snprintf(text, sizeof(text), texts[j], words[i], words[i], words[i]);
			if (!v3dcl_assemble(NULL, text, strlen(text), &assembly, &error)) {
				v3dcl_assembly_free(assembly);
				continue;
			}
			refused++;
			suggests_another(error.text);
		}
	}
	assert_true(refused > 300);
}

static void test_macro_messages(void **state)
{
	(void)state;
	refused(".macro m\nnop", 1, 8, ".macro without its .endm");
	refused(".rept 2\nnop", 1, 7, ".rept without its .endr");
	refused(".if 1\nnop", 1, 5, ".if without its .endif");
	refused(".macro 5\n.endm", 1, 8, "the macro's name is expected here");
	refused(".macro m a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q\n.endm", 1, 42,
		"a macro has 16 parameters at most");
	refused(".macro m 5\n.endm", 1, 10, "the end of the line is expected here");
	refused(".macro m\n.endm\nm 1", 3, 2, "m has 0 parameters; this is one more");
	refused(".macro m a\nnop\n.endm\nm", 4, 2, "m is given no a");
	refused(".macro m a\nadd r0, a\n.endm\nnop\nm r1", 2, 10, "(in macro m, used in line 5)");
	refused(".macro m a\nadd r0, a, r1\n.endm\nnop\nm wrong", 5, 3,
		"nothing is called 'wrong' (in macro m, used in line 5)");
	refused("nop\n clamp r1, 5.5, r0", 2, 12, "in macro clamp, used in line 2");
	refused("nop\n clamp r1, zz, r0", 2, 12,
		"nothing is called 'zz' (in macro clamp, used in line 2)");
	refused(".macro m\nm\n.endm\nm", 2, 1, "nested deeper than 64 levels");
	refused(".macro m x\nx r0\n.endm\n.macro n y\n.endm\nm n", 6, 3,
		"a macro's name cannot be an argument");
	refused(".macro m\n.macro n\n.endm\n.endm\nm", 2, 8,
		"a macro is made outside of macros and repetitions");
	refused(".rept 2, 5\n.endr", 1, 10, "a name for the number of the turn is expected here");
	refused(".rept 1 2\n.endr", 1, 9, "the end of the line is expected here");
	refused(".rept 5000000\n.endr", 1, 7, "a repetition's count is 5000000");
	refused(".rept 4000000\n.rept 4000000\n.endr\n.endr", 2, 7, "this text asks for too much");
	refused(".rept 300000\nnop\n.endr", 2, 1, "more than 262144 instructions");
	refused(".data\n.rept 4\n.space 60000000\n.endr", 3, 8, "more than 67108864 bytes of data");
	refused(".if x\nnop\n.endif\nx: nop", 1, 5,
		"a condition must be known here; a name in it comes later");
	refused(".macro a x\n.byte x, x, x, x, x, x, x, x\n.endm\n"
		".macro b x\na (x,x,x,x,x,x,x,x)\n.endm\n.macro c x\nb (x,x,x,x,x,x,x,x)\n.endm\n"
		".macro d x\nc (x,x,x,x,x,x,x,x)\n.endm\n"
		".macro e x\nd (x,x,x,x,x,x,x,x)\n.endm\n.data\ne 1\n",
		8, 11, "this line has more than 4096 words and numbers");
}

/* Depth, not the stack, is what ends these. */
static void test_deep(void **state)
{
	static const char *const pieces[] = { "(", "-", "1 ? ", "!(", "f(", "ra[" };
	char *text = malloc(100000);
	struct v3dcl_error error;
	struct v3dcl_assembly *assembly;
	size_t i, j;

	(void)state;
	assert_non_null(text);
	for (i = 0; i < COUNT(pieces); i++) {
		size_t at = sprintf(text, "ldi r0, ");

		for (j = 0; j < 1000; j++)
			at += sprintf(text + at, "%s", pieces[i]);
		assert_int_equal(v3dcl_assemble(NULL, text, at, &assembly, &error), -EINVAL);
		at = 0;
		for (j = 0; j < 1000; j++)
			at += sprintf(text + at, ".if 1\n");
		for (j = 0; j < 1000; j++)
			at += sprintf(text + at, ".endif\n");
		assert_int_equal(v3dcl_assemble(NULL, text, at, &assembly, &error), -EINVAL);
		assert_non_null(strstr(error.text, "nested deeper"));
	}
	free(text);
	assert_int_equal(v3dcl_assemble(NULL, "", ((size_t)1 << 26) + 1, &assembly, &error),
			 -EINVAL);
}

/* Nothing behind the end is looked at, which a sanitizer or valgrind would see. */
static void test_end(void **state)
{
	static const char *const ends[] = {
		"m 1, ", "m 1,", "m ", "m", "m 1 #", "m 1 /", "m 1 \\", "m \"",
	};
	static const char macro[] = ".macro m a=1, b=2\nldi r0, b\n.endm\n";
	struct v3dcl_assembly *assembly;
	struct v3dcl_error error;
	size_t i, length;
	char *text;

	(void)state;
	for (i = 0; i < COUNT(ends); i++) {
		length = strlen(macro) + strlen(ends[i]);
		text = malloc(length);
		assert_non_null(text);
		memcpy(text, macro, strlen(macro));
		memcpy(text + strlen(macro), ends[i], strlen(ends[i]));
		assembly = NULL;
		v3dcl_assemble(NULL, text, length, &assembly, &error);
		v3dcl_assembly_free(assembly);
		free(text);
	}
}

/* An error object is not needed. */
static void test_no_error(void **state)
{
	struct v3dcl_assembly *assembly;

	(void)state;
	assert_int_equal(v3dcl_assemble(NULL, "rubbish", 7, &assembly, NULL), -EINVAL);
}

static const char everything[] =
	".set N, 4\n.uniform n, N\n.uniform out, &frame, write\n.uniform tab, "
	"&table\n.data\ntable: .float 1, 2\n"
	".space 300\n.text\n"
	".macro twice op, x\nop r0, x, 1\n.endm\n.macro other a\ntwice add, a\n.endm\n"
	"start: other r1\n.rept 3, i\nmov ra[i], i\n.endr\n.if N\nbrr "
	"start\nnop\nnop\nnop\n.endif\nthrend\nnop\nnop\n";

static int build(void *opaque)
{
	struct v3dcl_assembly *assembly = NULL;
	char text[4000], *at = text;
	struct v3dcl_error error;
	int i, ret;

	(void)opaque;
	/* More names, macros and lines than there is room for at first */
	for (i = 0; i < 70; i++)
		at += sprintf(at, "name%d: nop\n", i);
	for (i = 0; i < 20; i++)
		at += sprintf(at, ".macro macro%d\n.endm\n", i);
	strcpy(at, everything);
	ret = v3dcl_assemble("test", text, strlen(text), &assembly, &error);
	if (!ret)
		assert_int_equal(assembly->code_count, 81);
	else
		assert_int_equal(error.code, ret);
	v3dcl_assembly_free(assembly);
	return ret;
}

static int listing(void *opaque)
{
	static const uint64_t code[] = { 0x10020827159e7000, 0xf0f809e7ffffffe0,
					 0x123456789abcdef0 };
	struct v3dcl_buffer text = { 0 };
	bool failed;
	int i;

	(void)opaque;
	for (i = 0; i < 20; i++)
		v3dcl_disassemble_program(code, 3, &text);
	failed = text.failed;
	v3dcl_buffer_free(&text);
	return failed ? -ENOMEM : 0;
}

static void test_memory(void **state)
{
	(void)state;
	assert_true(fail_each_alloc(build, NULL) > 100);
	assert_true(fail_each_alloc(listing, NULL) > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_own_suggestion),
		cmocka_unit_test(test_macro_messages),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_no_error),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
