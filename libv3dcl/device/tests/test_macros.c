// SPDX-License-Identifier: MIT
/*
 * The assembler's own macros: no rule of the chip is broken, and the checker of user programs
 * follows them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "v3dcl_qpu.h"

#include "validate.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static struct v3dcl_assembly *assemble(const char *source)
{
	struct v3dcl_assembly *assembly = NULL;
	struct v3dcl_error error = { .code = 0 };

	if (v3dcl_assemble("test", source, strlen(source), &assembly, &error))
		fail_msg("%s", error.text);
	return assembly;
}

/* 0, or the rule by which the checker refuses a user program */
static unsigned int verdict(const struct v3dcl_assembly *assembly)
{
	const __u64 *code = (const __u64 *)assembly->code;
	const __u32 bytes = v3dcl_program_scratch(code, assembly->code_count);
	struct v3dcl_refusal refusal = { 0 };
	struct v3dcl_program program;
	void *scratch = malloc(bytes);
	bool good;

	assert_non_null(scratch);
	good = v3dcl_check_program(code, assembly->code_count, scratch, bytes, &program, &refusal);
	free(scratch);
	return good ? 0 : refusal.rule;
}

static bool show(void *opaque, const struct v3dcl_hazard *hazard)
{
	(void)opaque;
	print_error("%s from %u to %u: %s\n", hazard->rule, hazard->before, hazard->at,
		    hazard->text);
	return true;
}

/*
 * A program with one macro, all it needs before and after: registers written before they are read,
 * TMU loads taken, DMA awaited
 */
static const struct {
	const char *name, *source;
	uint32_t cost;		/* instructions of the macro, as the manual has it */
} programs[] = {
	{ "clamp", "mov r0, unif\nclamp r1, r0, unif\n", 2 },
	{ "clamp to a constant", "mov r0, unif\nclamp r1, r0, 15\n", 2 },
	{ "gather",
	  "mov r2, elem_num\nmov r3, unif\ngather t0s, r3, r2, unif, r0\nnop; nop; ldtmu0\n", 4 },
	{ "gather by uniforms", "mov r2, unif\ngather t1s, unif, r2, unif, r0\nnop; nop; ldtmu1\n",
	  4 },
	{ "vpm_write_at", "vpm_write_at 3\nmov vpm, elem_num\n", 1 },
	{ "vpm_read_at",
	  "vpm_write_at 0\nmov vpm, elem_num\nmov vpm, elem_num\nvpm_read_at 0, 2\nmov r0, "
	  "vpm\nmov r1, vpm\n",
	  4 },
	{ "dma_load", "dma_load 0, 16, unif\n", 3 },
	{ "dma_store", "vpm_write_at 0\nmov vpm, elem_num\ndma_store 0, 1, unif\n", 4 },
	{ "dma_store with gaps",
	  "vpm_write_at 0\n.rept 4\nmov vpm, elem_num\n.endr\ndma_store 0, 4, unif, 64\n", 4 },
	{ "mutex", "mutex_lock\nmutex_unlock\n", 2 },
	{ "wait", "wait 3\n", 3 },
	{ "reduce", "mov r0, elem_num\nreduce add, r0, r1\n", 12 },
	{ "finish", "nop\n", 4 },
};

static void test_macros(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(programs); i++) {
		struct v3dcl_assembly *assembly;
		char text[400];

		snprintf(text, sizeof(text), "%sfinish\n", programs[i].source);
		assembly = assemble(text);
		if (v3dcl_hazards(assembly->code, assembly->code_count, V3DCL_USER_PROGRAM, show,
				  NULL))
			fail_msg("%s", programs[i].name);
		if (verdict(assembly))
			fail_msg("%s: rule %u", programs[i].name, verdict(assembly));
		v3dcl_assembly_free(assembly);
	}
}

/* It does look: without the clamp, or with another's, the same is refused. */
static void test_refused(void **state)
{
	static const char *const sources[] = {
		"mov r2, unif\nmov r0, vpm\nadd t0s, r0, r2\nnop; nop; ldtmu0\nfinish\n",
		"mov r2, unif\nmov r0, unif\nclamp r1, r0, 15\nadd t0s, r2, r4\nnop; nop; "
		"ldtmu0\nfinish\n",
		"mutex_lock\nfinish\n",
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(sources); i++) {
		struct v3dcl_assembly *assembly = assemble(sources[i]);

		assert_int_not_equal(verdict(assembly), 0);
		v3dcl_assembly_free(assembly);
	}
}

/* Lines of each program that are not the macro, so that the manual's costs stay true */
static void test_costs(void **state)
{
	static const uint32_t others[] = { 1, 1, 3, 2, 1, 5, 0, 2, 5, 0, 0, 1, 1 };
	size_t i;

	(void)state;
	assert_int_equal(COUNT(others), COUNT(programs));
	for (i = 0; i < COUNT(programs); i++) {
		const bool end = !strcmp(programs[i].name, "finish");
		struct v3dcl_assembly *assembly;
		char text[400];

		snprintf(text, sizeof(text), "%s%s", programs[i].source, end ? "finish\n" : "");
		assembly = assemble(text);
		if (assembly->code_count != others[i] + programs[i].cost)
			fail_msg("%s: %u instructions", programs[i].name, assembly->code_count);
		v3dcl_assembly_free(assembly);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_macros),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_costs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
