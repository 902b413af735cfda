// SPDX-License-Identifier: MIT
/*
 * How a refusal reads: which part, record, field and instruction, what is known of the value, which
 * way leads there.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <v3d/packets.h>

#include "device.h"
#include "validate.h"
#include "v3dcl_check.h"
#include "v3dcl_qpu.h"

#define says(text, part) \
	do { \
		if (!strstr(text, part)) \
			fail_msg("\"%s\" is missing in:\n%s", part, text); \
	} while (0)

/* Does the driver take it as a user program? It has to be assembled, in any case. */
static int check(const char *text, struct v3dcl_error *error)
{
	struct v3dcl_assembly *assembly;
	int ret;

	if (v3dcl_assemble(NULL, text, strlen(text), &assembly, error))
		fail_msg("%s: %s", text, error->text);
	ret = v3dcl_check_code(assembly->code, assembly->code_count, V3DCL_CHECK_PROGRAM, error);
	v3dcl_assembly_free(assembly);
	return ret;
}

/*
 * Programs with an address or a set-up word that cannot be: the value as far as it is known, in the
 * terms of its uniforms
 */
static void values(void **state)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "mov t0s, elem_num\n",
		  "instruction 0: mov t0s, elem_num\n  the value is 0 to 0xf" },
		{ "ldi r0, 4096\nnop\nmov t0s, r0\n", "\n  the value is 0x1000" },
		{ "mov r0, unif\nmov r1, unif\nshl r0, r0, 1\nshl r1, r1, 2\nadd t0s, r0, r1\n",
		  "\n  the value is 0 + 2 * uniform 0 + 4 * uniform 1" },
		{ "mov r0, unif\nshl r0, r0, 2\nadd t0s, r0, 12\n",
		  "\n  the value is 0xc + 4 * uniform 0" },
		{ "mov r0, unif\nfadd r0, r0, r0\nmov t0s, r0\n",
		  "\n  nothing is known of the value\n  lost by instruction 1: fadd r0, r0, r0" },
		/* what is computed of it does not lose it again */
		{ "mov r0, unif\nfadd r0, r0, r0\nshl ra1, r0, 2\nnop\nadd r1, ra1, r0\n"
		  "mov t0s, r1\n", "\n  lost by instruction 1: " },
		{ "mov t0s, unif\nnop; ldtmu0\nmov r0, r4\nmov t0s, r0\n",
		  "\n  lost by instruction 1: nop; nop; ldtmu0" },
		{ "mov r1, unif\nfadd t0s, r1, r1\n",
		  "\n  lost by instruction 1: " },
		{ "mov r0, unif\nsub.setf -, elem_num, 1\nmov.ifn r0, 1\nmov t0s, r0\n",
		  "\n  lost by instruction 2: " },
		{ "mov r0, unif\nsub.setf -, r0, 1\nbrr.anyz there\nnop\nnop\nnop\n"
		  "mov r0, 1\nthere: mov t0s, r0\n",
		  "\n  lost where ways meet, before instruction 7: mov t0s, r0" },
		{ "mov.setf r0, unif\nbrr.anyz there\nnop\nnop\nnop\nmov r0, unif\n"
		  "there: mov r1, 0\nmov r1, unif\n",
		  "\n  lost where ways meet, before instruction 6: mov r1, 0" },
		{ "mov r0, unif\nsub.setf -, r0, 1\nbrr.anyz there\nnop\nnop\nnop\nmov t0s, "
		  "elem_num\nthere: mov t0s, r0\n",
		  "\n  by way of: branch not taken at 2" },
		{ "mov r0, unif\nsub.setf -, r0, 1\nbrr.anyz a\nnop\nnop\nnop\nbrr.anyn b\n"
		  "nop\nnop\nnop\nnop\nb: nop\na: mov t0s, elem_num\n",
		  "\n  by way of: branch " },
	};
	struct v3dcl_error error;
	char text[512];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(text, sizeof(text), "%snop; ldtmu0\nthrend\nnop\nnop\n", cases[i].text);
		if (check(text, &error) != -EINVAL)
			fail_msg("not refused: %s", text);
		assert_int_equal(error.part, DRM_V3DCL_PART_CODE);
		assert_true(error.rule);
		says(error.text, cases[i].says);
	}
}

static void parts(void **state)
{
	static const char *const names[] = {
		[DRM_V3DCL_PART_NONE] = "byte 4 of the job",
		[DRM_V3DCL_PART_SUBMIT] = "byte 4 of the submit's struct",
		[DRM_V3DCL_PART_BIN] = "byte 4 of the bin list",
		[DRM_V3DCL_PART_SHADER_RECORD] = "byte 4 of the shader records",
		[DRM_V3DCL_PART_UNIFORMS] = "byte 4 of the uniforms",
		[DRM_V3DCL_PART_SURFACE] = "byte 4 of the surfaces",
		[DRM_V3DCL_PART_CODE] = "byte 4 of the code",
		[DRM_V3DCL_PART_PROGRAM] = "byte 4 of the programs",
		[DRM_V3DCL_PART_RELOC] = "byte 4 of the relocations",
		[DRM_V3DCL_PART_HANDLE] = "byte 4 of the handles",
		[DRM_V3DCL_PART_ADDRESS] = "byte 4 of the addresses",
		/* one that a later driver may have */
		"byte 4 of the job",
	};
	const struct refusable what = { .what = "it" };
	struct v3dcl_error error;
	uint32_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct drm_v3dcl_refusal refusal = {
			.part = i,
			.offset = 4,
			.rule = 7,
			.found = 0x12,
			.expected = 0x34,
			.text = "a reason",
		};

		refusal_explain(&error, &refusal, &what);
		assert_int_equal(error.code, -EINVAL);
		assert_int_equal(error.part, i);
		assert_int_equal(error.rule, 7);
		assert_int_equal(error.offset, 4);
		assert_int_equal(error.found, 0x12);
		assert_int_equal(error.expected, 0x34);
		assert_null(error.record);
		says(error.text, "it is refused: a reason\n  ");
		says(error.text, names[i]);
		says(error.text, ": found 0x12, expected 0x34");
	}
}

/*
 * Byte by byte through a list: the record that each is in, and the field that begins there. AG100
 * Table 38: numbers and lengths.
 */
static void records(void **state)
{
	static const uint8_t bin[] = { V3D_NOP, V3D_CLIP_WINDOW, 1, 0, 2, 0, 3, 0, 4,
				       0, V3D_FLUSH, 2, 2 };
	static const struct {
		const char *record, *field;
	} expected[] = {
		{ "nop", NULL }, { "clip_window", NULL }, { "clip_window", "left" },
		{ "clip_window", "left" }, { "clip_window", "bottom" }, { "clip_window", "bottom" },
		{ "clip_window", "width" }, { "clip_window", "width" }, { "clip_window", "height" },
		{ "clip_window", "height" }, { "flush", NULL }, { NULL, NULL }, { NULL, NULL },
		{ NULL, NULL }, { NULL, NULL },
	};
	const struct refusable what = { .what = "the frame", .bin = bin, .bin_size = sizeof(bin) };
	struct v3dcl_error error;
	uint32_t i;

	(void)state;
	for (i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		const struct drm_v3dcl_refusal refusal = { .part = DRM_V3DCL_PART_BIN,
							   .offset = i };

		refusal_explain(&error, &refusal, &what);
		if (!!error.record != !!expected[i].record || !!error.field != !!expected[i].field)
			fail_msg("byte %u: %s", i, error.text);
		if (error.record)
			assert_string_equal(error.record, expected[i].record);
		if (error.field)
			assert_string_equal(error.field, expected[i].field);
	}
}

/* A driver's numbers are not believed, and what does not fit is cut. */
static void too_much(void **state)
{
	const uint64_t code[] = { 0 };
	const struct refusable what = { .what = "the program", .code = code, .code_count = 1 };
	struct drm_v3dcl_refusal refusal = {
		.part = DRM_V3DCL_PART_CODE,
		.offset = 8,
		.value = DRM_V3DCL_VALUE_SUM,
		.value_low = UINT32_MAX,
		.value_span = UINT32_MAX,
		.value_terms = UINT32_MAX,
		.path_count = UINT32_MAX,
	};
	struct v3dcl_error error;
	uint32_t i;

	(void)state;
	for (i = 0; i < DRM_V3DCL_VALUE_TERMS; i++) {
		refusal.value_slot[i] = UINT32_MAX - (i << 31);
		refusal.value_scale[i] = UINT32_MAX;
	}
	memset(refusal.path, 0xff, sizeof(refusal.path));
	memset(refusal.text, 'x', sizeof(refusal.text));
	refusal_explain(&error, &refusal, &what);
	assert_non_null(memchr(error.text, 0, sizeof(error.text)));
	/* there is none at byte 8 */
	assert_null(strstr(error.text, "instruction"));
	refusal.offset = 0;
	memset(refusal.text, 0, sizeof(refusal.text));
	refusal_explain(&error, &refusal, &what);
	says(error.text, "\n  instruction 0: ");
	says(error.text,
	     " + 4294967295 * (0 to uniform 2147483647) + 4294967295 * uniform 2147483647");
}

/* Of each rule: "found 1, expected 1" tells nothing; nor do numbers where there is a way out. */
static void alike(void **state)
{
	const struct refusable what = { .what = "it" };
	struct drm_v3dcl_refusal refusal = { .part = DRM_V3DCL_PART_UNIFORMS, .found = 1 };
	struct v3dcl_error error;

	(void)state;
	for (refusal.rule = 1; refusal.rule < V3DCL_RULE_LIMIT; refusal.rule++) {
		snprintf(refusal.text, sizeof(refusal.text), "%s", v3dcl_rule_text(refusal.rule));
		refusal.expected = 1;
		refusal_explain(&error, &refusal, &what);
		assert_null(strstr(error.text, "expected 0x1"));
		says(error.text, "\n  byte 0 of the uniforms");
		refusal.expected = 2;
		refusal_explain(&error, &refusal, &what);
		if (!refusal_way_out(refusal.rule)) {
			says(error.text, ": found 0x1, expected 0x2");
			continue;
		}
		says(error.text, refusal_way_out(refusal.rule));
		assert_null(strstr(error.text, "found"));
	}
	assert_null(refusal_way_out(V3DCL_RULE_LIMIT));
}

/* Numbers are of all runs, not bits of an instruction: they are put into words */
static void semaphores(void **state)
{
	const struct refusable what = { .what = "the job" };
	struct drm_v3dcl_refusal refusal = {
		.part = DRM_V3DCL_PART_PROGRAM,
		.rule = V3DCL_RULE_SEMAPHORE_SUM,
		.found = (uint32_t)-2,
		.expected = 3,
	};
	struct v3dcl_error error;

	(void)state;
	refusal_explain(&error, &refusal, &what);
	says(error.text, "raise each as often as it is lowered");
	says(error.text, "\n  semaphore 3 is lowered 2 times too often");
	refusal.found = 1;
	refusal_explain(&error, &refusal, &what);
	says(error.text, "\n  semaphore 3 is raised 1 times too often");
}

/* What a user writes, and what is said to it; with what is said done, it is accepted. */
static void ways_out(void **state)
{
	static const struct {
		const char *text, *says, *instead;
	} cases[] = {
		{ "again: brr again\nnop\nnop\nnop\n",
		  "the code: behind a branch stand its three delay slots, and behind these and its "
		  "target a program end",
		  "again: brr again\nnop\nnop\nnop\nthrend\nnop\nnop\n" },
		{ "nop\nnop\n", ": end it by thrend and two instructions",
		  "nop\nthrend\nnop\nnop\n" },
		{ "again: brr.allz again\nnop\nnop\nnop\nthrend\nnop\nnop\n",
		  ": set them before: by an instruction with .setf",
		  "again: mov.setf -, elem_num\nbrr.allz again\nnop\nnop\nnop\nthrend\nnop\n"
		  "nop\n" },
		{ "brr there\nnop\nthere: nop\nnop\nthrend\nnop\nnop\n",
		  ": put the label behind these",
		  "brr there\nnop\nnop\nnop\nthere: thrend\nnop\nnop\n" },
		{ "mov r1, r0\nthrend\nnop\nnop\n", ": write it before: on each path",
		  "mov r0, 1\nmov r1, r0\nthrend\nnop\nnop\n" },
		{ "nop; ldtmu0\nthrend\nnop\nnop\n", ": ask first", NULL },
		{ "mutex_unlock\nthrend\nnop\nnop\n", ": mutex_lock and mutex_unlock take turns",
		  "mutex_lock\nmutex_unlock\nthrend\nnop\nnop\n" },
		{ "mutex_lock\nthrend\nnop\nnop\n", ": write mutex_unlock before the end",
		  "mutex_lock\nmutex_unlock\nthrend\nnop\nnop\n" },
	};
	struct v3dcl_error error;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(check(cases[i].text, &error), -EINVAL);
		says(error.text, cases[i].says);
		assert_null(strstr(error.text, "found"));
		if (cases[i].instead && check(cases[i].instead, &error))
			fail_msg("%s: %s", cases[i].instead, error.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values), cmocka_unit_test(parts), cmocka_unit_test(records),
		cmocka_unit_test(too_much), cmocka_unit_test(alike),
		cmocka_unit_test(semaphores), cmocka_unit_test(ways_out),
	};

	return cmocka_run_group_tests_name("refusal", tests, NULL, NULL);
}
