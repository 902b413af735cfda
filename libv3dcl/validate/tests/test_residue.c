// SPDX-License-Identifier: MIT
/* Whose residue is in the V3D, and what is scrubbed before whose jobs. */
#include "common.h"
#include "residue.h"

enum { ALICE = 1, BOB };

TEST(test_code)
{
	const struct v3dcl_shader plain = { 0 }, looks = { .uses = V3DCL_SHADER_RESIDUE };
	struct v3dcl_bo bos[2] = { { .uses = V3DCL_READ }, { .shader = &looks } };
	struct v3dcl_code_use use = v3dcl_code_use(bos, 2, false);

	(void)state;
	/* A shader that the job names but does not run */
	assert_false(use.runs || use.sees_residue);
	use = v3dcl_code_use(bos, 2, true);
	assert_true(use.runs && !use.sees_residue);
	bos[1] = (struct v3dcl_bo){ .uses = V3DCL_CODE, .shader = &plain };
	use = v3dcl_code_use(bos, 2, false);
	assert_true(use.runs && !use.sees_residue);
	bos[0] = (struct v3dcl_bo){ .uses = V3DCL_CODE, .shader = &looks };
	use = v3dcl_code_use(bos, 2, false);
	assert_true(use.runs && use.sees_residue);
	/* User programs are no shaders */
	bos[0].shader = NULL;
	use = v3dcl_code_use(bos, 1, true);
	assert_true(use.runs && !use.sees_residue);
	use = v3dcl_code_use(NULL, 0, false);
	assert_false(use.runs || use.sees_residue);
}

/* What was there at first is not known. From then on a client alone is scrubbed for once. */
TEST(test_rows)
{
	struct v3dcl_residue residue = { 0 };

	(void)state;
	assert_int_equal(v3dcl_scrub_before(&residue, ALICE, true, false), V3DCL_SCRUB_ROWS);
	v3dcl_residue_scrubbed(&residue, ALICE, V3DCL_SCRUB_ROWS);
	v3dcl_residue_left(&residue, ALICE, false);
	assert_int_equal(v3dcl_scrub_before(&residue, ALICE, true, false), V3DCL_SCRUB_NOTHING);
	assert_int_equal(v3dcl_scrub_before(&residue, BOB, true, false), V3DCL_SCRUB_ROWS);
	/* Frames do not see rows, and leave what is in them */
	assert_int_equal(v3dcl_scrub_before(&residue, BOB, false, false), V3DCL_SCRUB_NOTHING);
	v3dcl_residue_left(&residue, BOB, false);
	assert_int_equal(v3dcl_scrub_before(&residue, ALICE, true, false), V3DCL_SCRUB_NOTHING);
	/* The scrub of the other kind does not count */
	v3dcl_residue_scrubbed(&residue, BOB, V3DCL_SCRUB_REGISTERS);
	v3dcl_residue_scrubbed(&residue, BOB, V3DCL_SCRUB_NOTHING);
	assert_int_equal(v3dcl_scrub_before(&residue, BOB, true, false), V3DCL_SCRUB_ROWS);
}

TEST(test_registers)
{
	struct v3dcl_residue residue = { 0 };

	(void)state;
	assert_int_equal(v3dcl_scrub_before(&residue, ALICE, false, true), V3DCL_SCRUB_REGISTERS);
	assert_int_equal(v3dcl_scrub_before(&residue, ALICE, false, false), V3DCL_SCRUB_NOTHING);
	v3dcl_residue_scrubbed(&residue, ALICE, V3DCL_SCRUB_REGISTERS);
	v3dcl_residue_left(&residue, ALICE, false);
	assert_int_equal(v3dcl_scrub_before(&residue, ALICE, false, true), V3DCL_SCRUB_NOTHING);
	assert_int_equal(v3dcl_scrub_before(&residue, BOB, false, true), V3DCL_SCRUB_REGISTERS);
	/* Once another's code has run, what is left is of both, for either */
	v3dcl_residue_left(&residue, BOB, false);
	assert_int_equal(v3dcl_scrub_before(&residue, ALICE, false, true), V3DCL_SCRUB_REGISTERS);
	assert_int_equal(v3dcl_scrub_before(&residue, BOB, false, true), V3DCL_SCRUB_REGISTERS);
	v3dcl_residue_scrubbed(&residue, BOB, V3DCL_SCRUB_REGISTERS);
	assert_int_equal(v3dcl_scrub_before(&residue, BOB, false, true), V3DCL_SCRUB_NOTHING);
	assert_int_equal(v3dcl_scrub_before(&residue, ALICE, false, true), V3DCL_SCRUB_REGISTERS);
	/* User programs leave addresses, which their own client must not see either */
	v3dcl_residue_left(&residue, BOB, true);
	assert_int_equal(v3dcl_scrub_before(&residue, BOB, false, true), V3DCL_SCRUB_REGISTERS);
	assert_int_equal(v3dcl_scrub_before(&residue, BOB, false, false), V3DCL_SCRUB_NOTHING);
}

/* All stand one after the other, and fill what was asked for */
TEST(test_programs)
{
	enum { QPUS = 12, COUNT = V3DCL_SCRUB_PROGRAMS_COUNT(QPUS) };
	__u64 code[COUNT + 1], alone[COUNT];
	struct v3dcl_run rows = { 1, 2, 3 }, registers[QPUS + 1];
	__u32 first, n;

	(void)state;
	memset(registers, 0xff, sizeof(registers));
	code[COUNT] = 77;
	v3dcl_scrub_programs(code, 0x40001000, QPUS, &rows, registers);
	assert_int_equal(code[COUNT], 77);
	assert_int_equal(rows.code, 0x40001000);
	assert_int_equal(rows.uniforms | rows.uniform_count, 0);
	v3dcl_scrub_rows(alone);
	assert_memory_equal(code, alone, V3DCL_SCRUB_ROWS_COUNT * 8);
	first = V3DCL_SCRUB_ROWS_COUNT;
	assert_int_equal(registers[0].code, 0x40001000 + 8 * first);
	n = v3dcl_scrub_registers(alone, QPUS, true);
	assert_memory_equal(code + first, alone, n * 8);
	for (unsigned int i = 1; i < QPUS; i++) {
		assert_int_equal(registers[i].code, 0x40001000 + 8 * (first + n));
		assert_int_equal(registers[i].uniforms | registers[i].uniform_count, 0);
	}
	assert_int_equal(first + n + v3dcl_scrub_registers(alone, QPUS, false), COUNT);
	assert_memory_equal(code + first + n, alone, (COUNT - first - n) * 8);
	assert_int_equal(registers[QPUS].code, ~0u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_code), cmocka_unit_test(test_rows),
		cmocka_unit_test(test_registers), cmocka_unit_test(test_programs),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("residue", tests, NULL, NULL);
}
