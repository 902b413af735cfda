// SPDX-License-Identifier: MIT
/*
 * Restrictions that the programs of a text break: for what the text uses them, and on which line.
 */
#include "reading.h"

/*
 * Waits for the scoreboard at once: of fragment shaders only, AG100 p. 37; ends without a program
 * end: AG100 p. 21
 */
#define EARLY \
	"const N = 2\nprogram early {\n\tnop; sbwait\n\tmov r0, 0\n\tmov tlbc, r0\n\tnop; " \
	"thrend\n\tnop\n\tnop; sbdone\n}\n"
#define ROTATE \
	"option M = 1\nprogram turns {\n\n\tmov r0, unif\n\tnop; mov r1, r0 >> 1\n\tnop; " \
	"thrend\n\tnop\n\tnop\n}\n"

struct found {
	unsigned int count, most, line[8];
	char rule[8][32], program[8][16];
};

static bool note(void *opaque, const struct v3dcl_script_hazard *hazard)
{
	struct found *found = opaque;

	assert_true(found->count < 8);
	found->line[found->count] = hazard->line;
	strncpy(found->rule[found->count], hazard->hazard.rule, 31);
	strncpy(found->program[found->count], hazard->program, 15);
	return ++found->count != found->most;
}

/* Return: as v3dcl_script_hazards() */
static unsigned int find(const char *text, struct found *found)
{
	struct v3dcl_script *script;
	struct v3dcl_error error;
	unsigned int count;

	if (read_text(text, &script, &error))
		fail_msg("%s", error.text);
	count = v3dcl_script_hazards(script, note, found);
	if (!found->most)
		assert_int_equal(v3dcl_script_hazards(script, NULL, NULL), count);
	assert_int_equal(count, found->count);
	v3dcl_script_free(script);
	return count;
}

static void of_nothing(void **state)
{
	struct found found = { 0 };

	(void)state;
	/*
	 * What nothing uses is looked at as a program of one's own: it has neither scoreboard nor
	 * tile buffer
	 */
	assert_true(find(EARLY, &found) >= 1);
	assert_string_equal(found.rule[0], "tile-in-other");
	assert_string_equal(found.program[0], "early");
	assert_int_equal(found.line[0], 3);
}

static void of_a_fragment_shader(void **state)
{
	struct found found = { 0 };

	(void)state;
	assert_int_equal(find(EARLY "buffer r { nv_shader_record fs_code=early }\n", &found), 1);
	assert_string_equal(found.rule[0], "scoreboard-early");
	assert_int_equal(found.line[0], 3);
}

static void of_an_inline_shader(void **state)
{
	struct found found = { 0 };

	(void)state;
	assert_int_equal(find(EARLY "buffer r { vg_inline_shader_state code=early }\n", &found), 1);
	assert_string_equal(found.rule[0], "scoreboard-early");
}

static void of_both(void **state)
{
	struct found found = { 0 };

	(void)state;
	assert_true(find(EARLY "buffer r { nv_shader_record fs_code=early }\nrun early()\n",
			 &found) > 2);
	memset(&found, 0, sizeof(found));
	found.most = 1;
	assert_int_equal(find(EARLY "buffer r { nv_shader_record fs_code=early }\nrun early()\n"
			      ROTATE, &found), 1);
}

static void of_a_program(void **state)
{
	struct found found = { 0 };

	(void)state;
	assert_int_equal(find(ROTATE "run turns(5)\n", &found), 1);
	assert_string_equal(found.rule[0], "rotate-accumulator");
	assert_int_equal(found.line[0], 5);
}

/* Copied into memory or handed to a submit: who knows what for */
static void of_something_else(void **state)
{
	struct found found = { 0 };

	(void)state;
	assert_int_equal(find(EARLY "buffer r { code early }\n", &found), 0);
	assert_int_equal(find(EARLY "submit { buffers early }\n", &found), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_nothing), cmocka_unit_test(of_a_fragment_shader),
		cmocka_unit_test(of_an_inline_shader), cmocka_unit_test(of_both),
		cmocka_unit_test(of_a_program), cmocka_unit_test(of_something_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
