// SPDX-License-Identifier: MIT
/*
 * Texts that are refused: at which place, with which words. A circumflex stands before the place.
 */
#include <stdbool.h>
#include <stdio.h>

#include "../../../base/helpers.h"
#include "reading.h"
#include "script.h"

struct refusal {
	const char *text, *words;
};

#define PROGRAM "program p {\nnop; thrend\nnop\nnop\n}\n"
#define DECLARED \
	"program d {\n.uniform a, 5\n.uniform b, &buf + 4, read\nnop; thrend\nnop\nnop\n}\n"
#define BUFFER "buffer buf size 64\n"

/* @text without its circumflex. Return: where that was */
static size_t take_mark(char *text)
{
	char *mark = strchr(text, '^');

	assert_non_null(mark);
	memmove(mark, mark + 1, strlen(mark));
	return mark - text;
}

static bool is_refused(const struct refusal *expected)
{
	struct v3dcl_script *script = NULL;
	struct v3dcl_error error = { .code = 0 };
	char text[2048], place[32];
	uint32_t line = 1, column = 1;
	size_t at, i;
	int ret;

	snprintf(text, sizeof(text), "%s", expected->text);
	at = take_mark(text);
	for (i = 0; i < at; i++, column++) {
		if (text[i] == '\n') {
			line++;
			column = 0;
		}
	}
	ret = read_text(text, &script, &error);
	assert_null(script);
	snprintf(place, sizeof(place), "test:%u:%u: ", line, column);
	if (ret == -EINVAL && error.code == ret && error.line == line && error.column == column &&
	    !strncmp(error.text, place, strlen(place)) && strstr(error.text, expected->words))
		return true;
	print_error("%s\nexpected %s%s, is %d: %s\n", text, place, expected->words, ret,
		    error.text);
	return false;
}

static void expect_refusals(const struct refusal *refusals, size_t count)
{
	unsigned int wrong = 0;
	size_t i;

	for (i = 0; i < count; i++)
		wrong += !is_refused(&refusals[i]);
	assert_int_equal(wrong, 0);
}

#define EXPECT(refusals) expect_refusals(refusals, sizeof(refusals) / sizeof((refusals)[0]))

static void programs(void **state)
{
	static const struct refusal refusals[] = {
		{ "program p {\n\tnop\n\t^frobnicate r0\n}\n", "frobnicate" },
		{ "const n = 1\nconst x = 1.5\nprogram p {\n\tmov r0, r1\n\tmov r0, ^m\n}\n", "m" },
		{ BUFFER "program p {\n.macro m x\n\tadd r0, x^\n.endm\nnop\nm r1\n}\n",
		  "macro m, used in line 7" },
		{ BUFFER "program p {\n\tmov r0, ^buf\n}\n", "nothing is called 'buf'" },
		{ "program ^p {\nnop; thrend\nnop\n", "'}' that ends this program" },
		{ PROGRAM "program ^p {\nnop\n}\n", "already" },
		{ BUFFER "program ^buf {\nnop\n}\n", "already" },
		{ "program ^{\nnop\n}\n", "name of a program" },
		{ "program p ^\nnop\n}\n", "{" },
		{ "program p {\nnop\n} ^x\n", "" },
	};

	(void)state;
	EXPECT(refusals);
}

static void runs(void **state)
{
	static const struct refusal refusals[] = {
		{ "^run { }\n", "nothing to run" },
		{ "run ^nothing()\n", "name of a program" },
		{ BUFFER "run ^buf()\n", "name of a program" },
		{ "const n = 1\nrun ^n()\n", "name of a program" },
		{ PROGRAM "run p^\n", "(" },
		{ PROGRAM BUFFER "run p(^buf)\n", "'read', 'write' or 'readwrite'" },
		{ PROGRAM BUFFER "run p(^read buf + 64)\n", "no place" },
		{ PROGRAM BUFFER "run p(^read buf - 1)\n", "no place" },
		{ PROGRAM "run p(^read p)\n", "no place" },
		{ PROGRAM "run p(1 ^2)\n", "," },
		{ PROGRAM "run timeout ^0 p()\n", "" },
		{ PROGRAM "run timeout ^3600001 p()\n", "" },
		{ BUFFER DECLARED "run d(1, buf, ^3)\n", "2 uniforms" },
		{ DECLARED "run ^d(1)\n", "buf, which is no buffer" },
		{ "program d {\n.uniform a, &p, read\nnop; thrend\nnop\nnop\n}\n" PROGRAM
		  "run ^d()\n", "no place" },
	};

	(void)state;
	EXPECT(refusals);
}

static void lists(void **state)
{
	static const struct refusal refusals[] = {
		{ "^lists { }\n", "no lists" },
		{ "lists { ^both { } }\n", "'bin' or 'render'" },
		{ "lists { bin { flush }\n ^bin { flush } }\n", "already" },
		{ BUFFER "lists { bin at buf size 4\n ^bin at buf size 4 }\n", "already" },
		{ BUFFER "lists { bin at buf ^4 }\n", "'size'" },
		{ BUFFER "lists { bin at buf size ^0 }\n", "" },
		{ BUFFER "lists { bin at buf + 60 size ^5 }\n", "" },
		{ BUFFER "lists { bin at ^5 size 5 }\n", "" },
	};

	(void)state;
	EXPECT(refusals);
}

/* What is in a frame, at each place where something else may stand */
#define FRAME "buffer out size 16384\nbuffer v size 64\n" PROGRAM "frame 64 64 {\n"
#define BIN FRAME "color_write out\nbin {\n"

static void frames(void **state)
{
	static const struct refusal refusals[] = {
		{ "frame ^0 64 { }\n", "" },
		{ "frame 64 ^4097 { }\n", "" },
		{ FRAME "^target out\n}\n", "expected clear_colors" },
		{ FRAME "color_write ^5\n}\n", "" },
		{ FRAME "color_write out format ^3\n}\n", "" },
		{ FRAME "color_write out pixel ^rgb\n}\n", "" },
		{ FRAME "decimate ^by2\n}\n", "" },
		{ FRAME "uniforms ^u { }\n}\n", "at least one uniform" },
		{ FRAME "uniforms ^u { u8 1 }\n}\n", "each has four" },
		{ FRAME "uniforms ^{ u32 1 }\n}\n", "name of a uniform stream" },
		{ FRAME "record ^r { }\n}\n", "no shader record" },
		{ FRAME "record ^5 { }\n}\n", "name of a shader record" },
		{ FRAME "record r { ^flush }\n}\n", "one shader record" },
		{ FRAME "record r { ^attribute }\n}\n", "one shader record" },
		{ FRAME "record r { ^extended_stride }\n}\n", "one shader record" },
		{ FRAME "record r { ^clipped_vertex }\n}\n", "one shader record" },
		{ FRAME "record r { nv_shader_record\n ^attribute }\n}\n", "one shader record" },
		{ FRAME "record r { nv_shader_record\n ^nv_shader_record }\n}\n",
		  "one shader record" },
		{ FRAME "record r { gl_shader_record\n ^extended_stride }\n}\n",
		  "one shader record" },
		{ FRAME
		  "record r { gl_shader_record\n attribute\n extended_stride\n ^attribute }\n}\n",
		  "one shader record" },
		{ FRAME "record r { gl_shader_record\n repeat i 9 { ^attribute } }\n}\n",
		  "at most 8" },
		{ FRAME "record ^r { gl_shader_record\n repeat i 2 { attribute address=v }\n "
			"extended_stride }\n}\n",
		  "each attribute" },
		{ FRAME "record ^r { gl_shader_record fs_code=p }\n}\n", "" },
		{ BIN "^nonsense\n}\n}\n", "control record" },
		{ BIN "^attribute\n}\n}\n", "control record" },
		{ BIN "^5\n}\n}\n", "control record" },
		{ BIN "}\n^bin {\n}\n}\n", "already" },
		{ BIN "^tile_rendering_mode\n}\n}\n", "" },
		{ BIN "nop\n^start_tile_binning\n}\n}\n", "has been started" },
	};

	(void)state;
	EXPECT(refusals);
}

static void saves(void **state)
{
	static const struct refusal refusals[] = {
		{ "save ^nothing\n", "" },
		{ PROGRAM "^save p\n", "cannot be saved" },
		{ BUFFER "save buf size ^65\n", "" },
		{ BUFFER "^save buf picture 5 4\n", "there are 64" }, /* rows of 32 bytes */
		{ BUFFER "save buf picture ^0 4\n", "" },
		{ BUFFER "save buf picture ^8193 4\n", "" },
		{ BUFFER "save buf picture 4 4 pixel ^3\n", "" },
		{ BUFFER "save buf as ^name\n", "" },
		{ BUFFER "^expect buf { zero 65 }\n", "65 bytes are expected, there are 64" },
		{ BUFFER "^expect buf + 1 { zero 64 }\n", "there are 63" },
		{ BUFFER "^expect buf { u32 buf }\n", "not addresses" },
		{ PROGRAM "^expect p { u32 1 }\n", "or programs" },
		{ BUFFER "expect buf near ^256 { u8 1 }\n", "" },
		{ "expect ^nothing { }\n", "" },
	};

	(void)state;
	EXPECT(refusals);
}

/* A text of @line, @count times with its number in it, between @before and @after */
static int read_repeated(const char *before, const char *line, const char *after,
			 unsigned int count, struct v3dcl_error *error)
{
	struct v3dcl_buffer text = { 0 };
	struct v3dcl_script *script;
	unsigned int i;
	int ret;

	v3dcl_buffer_printf(&text, "%s", before);
	for (i = 0; i < count; i++)
		v3dcl_buffer_printf(&text, line, i);
	v3dcl_buffer_printf(&text, "%s", after);
	assert_false(text.failed);
	ret = read_text((const char *)text.bytes, &script, error);
	if (!ret)
		v3dcl_script_free(script);
	v3dcl_buffer_free(&text);
	return ret;
}

/* What one text may ask for is bounded: once more than @most is too much. */
static void bounds(void **state)
{
	static const struct {
		const char *before, *line, *after;
		unsigned int most;
	} cases[] = {
		{ "", "const n%u = 1\n", "", 4096 },
		{ "", "buffer b%u size 4\n", "", 4096 },
		{ "buffer b {\n", "n%u:\n", "u8 1\n}\n", 4096 },
		{ "buffer b size 4 {\n", "zero 536870913 # %u\n", "}\n", 0 },
	};
	struct v3dcl_error error;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(cases); i++) {
		if (read_repeated(cases[i].before, cases[i].line, cases[i].after, cases[i].most,
				  &error))
			fail_msg("%s", error.text);
		if (read_repeated(cases[i].before, cases[i].line, cases[i].after, cases[i].most + 1,
				  &error) != -E2BIG)
			fail_msg("%s: %s", cases[i].line, error.text);
	}
}

/* So is the work: here less of it, for a test */
static void work(void **state)
{
	static const char text[] = "repeat i 100 { repeat k 100 { const x = i\n } }\n";
	struct v3dcl_script *script;
	struct v3dcl_error error;

	(void)state;
	assert_int_equal(script_read_within("test", text, strlen(text), 10000, NULL, 0, &script,
					    &error),
			 -E2BIG);
	assert_null(script);
	assert_int_equal(script_read_within("test", text, strlen(text), 1000000, NULL, 0, &script,
					    &error),
			 0);
	v3dcl_script_free(script);
}

/* So is how deep it goes: 200 levels are too many, whatever they are of. */
static void depth(void **state)
{
	static const char *const levels[] = { "if 1 {\n", "repeat i 1 {\n", "const n = (",
					      "const n = -", "const n = abs(" };
	struct v3dcl_script *script;
	struct v3dcl_error error;
	char text[4096];
	uint32_t i, k;

	(void)state;
	for (i = 0; i < COUNT(levels); i++) {
		const char *more = strchr(levels[i], '=');

		text[0] = 0;
		for (k = 0; k < 200; k++)
			strcat(text, k && more ? more + 2 : levels[i]);
		assert_int_equal(read_text(text, &script, &error), -E2BIG);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs), cmocka_unit_test(runs), cmocka_unit_test(lists),
		cmocka_unit_test(frames),
		cmocka_unit_test(saves), cmocka_unit_test(bounds), cmocka_unit_test(work),
		cmocka_unit_test(depth),
	};

	return cmocka_run_group_tests_name("text-refusals", tests, NULL, NULL);
}
