// SPDX-License-Identifier: MIT
/* What buffers hold: bytes worked out by hand, from the types' definitions and AG100's tables. */
#include <stdio.h>
#include <unistd.h>

#include "../../../base/helpers.h"
#include "reading.h"

static struct saved saved;

/* The bytes of a buffer with these statements are those */
static void expect_bytes(const char *statements, const char *hex)
{
	struct v3dcl_error error;
	char text[1024], found[1024] = "";
	size_t i;

	snprintf(text, sizeof(text), "buffer other size 64\nbuffer b {\n%s\n}\nsave b", statements);
	if (run_text(text, &saved, &error))
		fail_msg("%s", error.text);
	for (i = 0; i < saved.size; i++)
		sprintf(found + 2 * i, "%02x", saved.bytes[i]);
	if (strcmp(found, hex))
		fail_msg("%s: %s, not %s", statements, found, hex);
}

static void test_numbers(void **state)
{
	(void)state;
	expect_bytes("u8 1, 255, -1, 0x7f", "01ffff7f");
	expect_bytes("u16 0x1234, -2\n s16 -1", "3412feffffff");
	expect_bytes("u32 0x12345678,\n 2", "7856341202000000");
	expect_bytes("u64 0x123456789abcdef0", "f0debc9a78563412");
	expect_bytes("f32 1, -0.5, bits(0x7fc00001)", "0000803f000000bf0100c07f");
	expect_bytes("f187 1.5", "c03f");
	expect_bytes("s12.4 1, -1.5, 0.0625, 2047.9375", "1000e8ff0100ff7f");
	/*
	 * binary16: 1, largest, least normal, least denormal, half of that (a tie, to even),
	 * infinity, too large, NaN
	 */
	expect_bytes("f16 1, 65504, 0.00006103515625, 0.000000059604644775390625, "
		     "0.0000000298023223876953125",
		     "003cff7b000401000000");
	expect_bytes("f16 1e9, -1e9, 65520, 65519, 1.00048828125, 1.00146484375",
		     "007c00fc007cff7b003c023c");
	expect_bytes("s8 -128\n s32 -1", "80ffffffff");
}

static void test_shapes(void **state)
{
	struct v3dcl_error error;

	(void)state;
	expect_bytes("table u8 u16 { 1, 2\n 3, 4\n }", "010200030400");
	expect_bytes("u8 1\n align 4\n u8 2\n align 4 9", "0100000002090909");
	expect_bytes("align 4\n zero 3", "000000");
	expect_bytes("text \"a\\n\\\"\\\\\\t\"", "610a225c09");
	expect_bytes("repeat i 3 { u8 i\n repeat k i { u8 0x10 * i + k } }", "000110022021");
	expect_bytes("const n = 2\n if n == 1 { u8 1 } else if n == 2 { u8 2 } else { u8 3 }",
		     "02");
	expect_bytes("if 0 { nonsense \"{\" { } } else { u8 3 }", "03");
	expect_bytes("if 1 { u8 1 } else if 1 { u8 2 } else { u8 3 }", "01");
	expect_bytes("if 1 { if 0 { u8 1 } } else { u8 2 }\n u8 9", "09");
	expect_bytes("here: u8 1\n there: u8 2\n u8 b.there - b.here", "010201");
	expect_bytes("u8 size(other); u8 7", "4007");
	expect_bytes("x: repeat i 2 { u8 i }\n y: z: u8 b.y - b.x", "000102");
	expect_bytes("u8 1 # 2\n # 3", "01");
	assert_int_equal(run_text("buffer a\nbuffer b size 4\nbuffer a { u32 b }\nbuffer b size 4 "
				  "{ u32 0x5060708 }\nsave b",
				  &saved, &error),
			 0);
	assert_int_equal(saved.size, 4);
	assert_memory_equal(saved.bytes, "\x08\x07\x06\x05", 4);
}

/* AG100 Table 38 and 44 to 47: number, then the fields' bits */
static void test_records(void **state)
{
	(void)state;
	expect_bytes("nop\nflush", "0104");
	expect_bytes("clip_window left=1 bottom=2 width=0x280 height=480", "66010002008002e001");
	expect_bytes("viewport_offset x=-16 y=32", "67f0ff2000");
	expect_bytes("configuration_bits forward_facing=1 reverse_facing=1 depth_function=always "
		     "z_updates=1",
		     "6003f000");
	expect_bytes("array_primitives mode=triangle_fan length=3 first_vertex=1",
		     "21060300000001000000");
	expect_bytes("tile_rendering_mode width=64 height=32 pixel=rgba8888",
		     "7100000000400020000400");
	expect_bytes("store_general buffer=color format=t pixel=bgr565 last_tile=1 address=0x100",
		     "1c110208010000");
	expect_bytes("point_size size=2", "6200000040");
	expect_bytes("depth_offset factor=1.0 units=-2", "65803f00c0");
	expect_bytes("clear_colors color0=0x11223344 z=0xabcdef stencil=7",
		     "724433221100000000efcdab0007");
	expect_bytes("nv_shader_record stride=12 fs_varyings=1 single_threaded=1 fs_code=0x1000",
		     "010c0001001000000000000000000000");
	expect_bytes("texture1 width=64 height=32 minify=1 magnify=1 wrap_s=clamp wrap_t=border",
		     "9d400002");
	expect_bytes("vdw_stride stride=16 id=3", "100000c0");
}

static void test_files(void **state)
{
	char name[] = "/tmp/v3dcl-script-XXXXXX", text[256];
	int fd = mkstemp(name);
	struct v3dcl_error error;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "abcdef", 6), 6);
	close(fd);
	snprintf(text, sizeof(text), "file \"%s\" from 1 size 3", name);
	expect_bytes(text, "626364");
	snprintf(text, sizeof(text), "file \"%s\"", name);
	expect_bytes(text, "616263646566");
	unlink(name);
	assert_int_equal(run_text("buffer b { file \"/no/such\" }", &saved, &error), -ENOENT);
	assert_int_equal(run_text("buffer b { file \"/dev/zero\" }", &saved, &error), -EINVAL);
}

static void test_wrong(void **state)
{
	static const struct {
		const char *text, *says;
		uint32_t line, column;
	} cases[] = {
		{ "buffer b { u8 256 }", "does not fit into u8", 1, 15 },
		{ "buffer b { u8 1.5 }", "whole numbers", 1, 15 },
		{ "buffer b { s12.4 2048 }", "s12.4 goes", 1, 18 },
		{ "buffer b { u16 b }", "takes a u32", 1, 16 },
		{ "buffer b size 4 { u32 b + 5 }", "outside", 1, 23 },
		{ "buffer b { clip_window hight=1 }", "no such field", 1, 24 },
		{ "buffer b { clip_window height=65536 }", "16 bits", 1, 31 },
		{ "buffer b { viewport_offset x=40000 }", "16 bits", 1, 30 },
		{ "buffer b { clip_window height=1.5 }", "whole number", 1, 31 },
		{ "buffer b { clip_window height=b }", "not an address", 1, 31 },
		{ "buffer b { store_full address=8 }", "28 bits", 1, 31 },
		{ "buffer b size 8 { branch address=b+9 }", "outside of b", 1, 34 },
		{ "buffer b { }", "without bytes", 1, 1 },
		{ "buffer b size 2 { u32 1 }", "4 bytes for a buffer of 2", 1, 17 },
		{ "buffer b { u8 1 }\nbuffer b { u8 1 }", "already", 2, 8 },
		{ "buffer b", "never filled", 1, 9 },
		{ "buffer 7", "name of a buffer", 1, 8 },
		{ "buffer b size 4\nbuffer b size 8", "4 bytes before", 2, 1 },
		{ "buffer b { u8 1", "expected the '}'", 1, 16 },
		{ "buffer b { text \"a }", "no end of this string", 1, 17 },
		{ "buffer b { table { } }", "types of the table", 1, 18 },
		{ "buffer b { a: a: u8 1 }", "already there", 1, 15 },
		{ "buffer b { code b }", "name of a program", 1, 17 },
		{ "buffer b { text 1 }", "string", 1, 17 },
		{ "buffer b { f32 1 2 }", "',' before a further value, or the end", 1, 18 },
		{ "nonsense", "expected a statement", 1, 1 },
		{ "buffer b size 8\nsave b + 9", "outside of b", 2, 6 },
		{ "buffer b size 8\nsave b size 9", "not from 0 to 8", 2, 13 },
		{ "buffer b size 8\nsave b picture 4 4", "64 bytes, there are 8", 2, 1 },
		{ "save 1", "place in a buffer", 1, 6 },
		{ "buffer b size 8\nexpect b { u32 1, 2, 3 }", "12 bytes are expected", 2, 1 },
		{ "buffer b size 8\nexpect b { u32 b }", "not addresses", 2, 1 },
		{ "buffer b size 8\nexpect b { x: u8 1 }", "only stand in a buffer", 2, 12 },
		{ "lists { }", "no lists", 1, 1 },
		{ "lists { middle { } }", "'bin' or 'render'", 1, 9 },
		{ "lists { bin { nop }\nbin { nop } }", "already", 2, 1 },
		{ "run { }", "nothing to run", 1, 1 },
		{ "run b()", "name of a program", 1, 5 },
		{ "if 0 { {", "expected the '}'", 1, 9 },
		{ "const 1 = 2", "name of a constant", 1, 7 },
		{ "repeat 3 { }", "name of a counter", 1, 8 },
		{ "option = 1", "name of an option", 1, 8 },
	};
	struct v3dcl_script *script;
	struct v3dcl_error error;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(cases); i++) {
		int ret = read_text(cases[i].text, &script, &error);

		if (ret != -EINVAL || !strstr(error.text, cases[i].says))
			fail_msg("%s: %d, \"%s\" is not in %s", cases[i].text, ret, cases[i].says,
				 error.text);
		if (error.line != cases[i].line || error.column != cases[i].column)
			fail_msg("%s, not %u:%u", error.text, cases[i].line, cases[i].column);
	}
}

static void test_results(void **state)
{
	struct v3dcl_error error;

	(void)state;
	assert_int_equal(run_text("buffer b { u8 1, 2, 3, 4, 5, 6, 7, 8 }\nsave b + 4 size 2 as "
				  "\"x\"",
				  &saved, &error),
			 0);
	assert_int_equal(saved.size, 2);
	assert_int_equal(saved.bytes[1], 6);
	assert_int_equal(run_text("buffer b { u16 0xf800, 0x07e0\n zero 12\n u16 0x001f, 0x8410\n "
				  "zero 12 }\n"
				  "save b picture 2 2 pixel bgr565 flip",
				  &saved, &error),
			 0);
	assert_int_equal(saved.width, 2);
	assert_int_equal(saved.height, 2);
	assert_memory_equal(saved.rgba,
			    "\x00\x00\xff\xff\x84\x82\x84\xff\xff\x00\x00\xff\x00\xff\x00\xff", 16);
	assert_int_equal(run_text("buffer b { u8 1, 2, 3, 4 }\nexpect b + 1 { u8 2, 3 }\nexpect b "
				  "near 1 { u8 2, 3, 2, 3 }",
				  &saved, &error),
			 0);
	assert_int_equal(run_text("buffer b { u8 1, 2 }\n\n expect b { u8 1, 3 }", &saved, &error),
			 -EBADMSG);
	assert_int_equal(error.line, 3);
	assert_non_null(strstr(error.text, "byte 1 of b is 0x02 = 2, expected was 0x03 = 3 "
					   "(element 1, u8; 1 of 2 differs)"));
	assert_int_equal(run_text("buffer b { f32 1, 2 }\nexpect b within 0.1 { f32 1.05, 2.09 }",
				  &saved, &error),
			 0);
	assert_int_equal(run_text("buffer b { f32 1, 2 }\nexpect b within 0.1 { f32 1.05, 2.2 }",
				  &saved, &error),
			 -EBADMSG);
	assert_non_null(strstr(error.text, "byte 4 of b is 0x40000000 = 2, expected was "
					   "0x400ccccd = 2.20000005 within 0.1 (element 1, f32; "));
	assert_int_equal(run_text("buffer b { f32 bits(0x7fc00000) }\nexpect b within 1 { f32 0 }",
				  &saved, &error),
			 -EBADMSG);
}

/* 1 and 1 + 3 units in the last place; -0 and the third number above 0 */
#define THREE_ULPS \
	"buffer b { u32 0x3f800000, 0x80000000 }\nexpect b within %s { u32 0x3f800003, 3 }"

static int ulps(const char *tolerance)
{
	struct v3dcl_error error;
	char text[200];

	snprintf(text, sizeof(text), THREE_ULPS, tolerance);
	return run_text(text, &saved, &error);
}

static void tolerances(void **state)
{
	static const struct wrong cases[] = {
		{ "buffer b size 8\nexpect b within -1 { f32 0 }", "not below 0", 2, 10 },
		{ "buffer b size 8\nexpect b within 1 { f32 0; u8 1 }", "these are 5 bytes", 2, 1 },
	};
	struct v3dcl_error error;

	(void)state;
	assert_int_equal(ulps("3 ulps"), 0);
	assert_int_equal(ulps("2 ulps"), -EBADMSG);
	assert_int_equal(ulps("0.001"), 0);
	assert_int_equal(run_text("buffer b { f32 bits(0x7fc00000) }\n"
				  "expect b within 5 ulps { f32 bits(0x7fc00000) }",
				  &saved, &error),
			 -EBADMSG);
	are_wrong(cases, 2);
}

/* What each type's numbers look like */
static void differences(void **state)
{
	static const struct {
		const char *is, *should, *said;
	} cases[] = {
		{ "s16 -2", "s16 -3", "0xfffe = -2, expected was 0xfffd = -3 (element 0, s16" },
		{ "u64 1", "u64 2", "0x0000000000000001 = 1, expected was 0x0000000000000002 = 2" },
		{ "f16 0.5", "f16 -65504", "0x3800 = 0.5, expected was 0xfbff = -65504" },
		{ "f187 1.5", "f187 2", "0x3fc0 = 1.5, expected was 0x4000 = 2" },
		{ "s12.4 1.5", "s12.4 -1", "0x0018 = 1.5, expected was 0xfff0 = -1" },
		{ "u8 1; u32 5; u8 2", "u8 1; u32 5; u8 3", "byte 5 of b is 0x02 = 2, " },
		{ "text \"ab\"", "text \"ac\"",
		  "byte 1 of b is 0x62 = 98, expected was 0x63 = 99 "
		  "(element 1, u8; 1 of 2 differs)" },
	};
	struct v3dcl_error error;
	char text[200];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(text, sizeof(text), "buffer b { %s }\nexpect b { %s }", cases[i].is,
			 cases[i].should);
		assert_int_equal(run_text(text, &saved, &error), -EBADMSG);
		if (!strstr(error.text, cases[i].said))
			fail_msg("%s is not in %s", cases[i].said, error.text);
	}
}

/* A run goes on after what differs, up to a limit; what ends it comes before that */
static void count_them(void *opaque, const struct v3dcl_error *error)
{
	assert_int_equal(error->code, -EBADMSG);
	++*(unsigned int *)opaque;
}

static void many_differ(void **state)
{
	unsigned int told = 0;
	const struct v3dcl_run_options options = { .size = sizeof(options), .differs = count_them,
						   .opaque = &told };
	struct v3dcl_error error = { .code = 0 };
	struct v3dcl_device *device;
	struct v3dcl_script *script;

	(void)state;
	assert_int_equal(read_text("buffer b size 4\nrepeat i 1000 { expect b { u8 1 } }", &script,
				   &error),
			 0);
	assert_int_equal(v3dcl_open_simulator(NULL, &device, &error), 0);
	assert_int_equal(v3dcl_script_run(script, device, &options, &error), -EBADMSG);
	assert_int_equal(told, V3DCL_MOST_DIFFERENT);
	assert_int_equal(error.line, 2);
	v3dcl_script_free(script);
	assert_int_equal(read_text("buffer b size 4\nexpect b { u8 1 }\n"
				   "submit width=64 height=64 { }",
				   &script, &error),
			 0);
	assert_int_equal(v3dcl_script_run(script, device, NULL, &error), -EINVAL);
	assert_int_equal(error.line, 3);
	v3dcl_script_free(script);
	v3dcl_close(device);
}

/* A fraction that is lost is told where a real number is meant, and only there */
static void fractions(void **state)
{
	static const struct wrong cases[] = {
		{ "buffer b { f32 1 / 3 }", "lost its fraction", 1, 16 },
		{ "buffer b { f32 -1 / 3 }", "lost its fraction", 1, 16 },
		{ "buffer b { f16 2 * (1 / 3) + 1 }", "lost its fraction", 1, 16 },
		{ "const x = -(1 / 3)\nbuffer b { f187 x }", "lost its fraction", 2, 17 },
		{ "buffer b { line_width width=1/2 }", "lost its fraction", 1, 29 },
	};
	struct v3dcl_error error;

	(void)state;
	are_wrong(cases, 5);
	assert_int_equal(run_text("assert 7 / 2 == 3\nbuffer b { u32 7 / 2\nf32 6 / 2, int(7 / 2), "
				  "7 / 2 % 2, 1 / 2.0, floor(7 / 2)\n"
				  "repeat i 2 { f32 i / 2 } }\n"
				  "expect b { u32 3\nf32 3, 3, 1, 0.5, 3, 0, 0 }",
				  &saved, &error),
			 0);
}

static void test_options(void **state)
{
	static const char text[] = "option N = 3\noption X = 0.5\nassert N == 4 && X == 0.25";
	static const char *const good[] = { "N=4", "X=2.5e-1" }, *const bad[] = { "N=4x" };
	struct v3dcl_script *script;
	struct v3dcl_error error;

	(void)state;
	assert_int_equal(v3dcl_script_read(NULL, text, strlen(text), good, 2, &script, &error), 0);
	v3dcl_script_free(script);
	assert_int_equal(v3dcl_script_read(NULL, text, strlen(text), good, 1, &script, &error),
			 -EINVAL);
	assert_int_equal(error.line, 3);
	assert_int_equal(v3dcl_script_read(NULL, text, strlen(text), bad, 1, &script, NULL),
			 -EINVAL);
	v3dcl_script_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers), cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_records), cmocka_unit_test(test_files),
		cmocka_unit_test(test_wrong),	cmocka_unit_test(test_results),
		cmocka_unit_test(tolerances),	cmocka_unit_test(differences),
		cmocka_unit_test(many_differ),	cmocka_unit_test(fractions),
		cmocka_unit_test(test_options),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("text-data", tests, NULL, NULL);
}
