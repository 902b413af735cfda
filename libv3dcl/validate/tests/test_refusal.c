// SPDX-License-Identifier: MIT
/*
 * How a refusal is told: GET_REFUSAL's value and path, the handles of a SUBMIT_QPU, names and texts
 * of the rules.
 */
#include "common.h"
#include "ioctl.h"

/* Every byte is set, to 0 where there is nothing to say. */
static struct drm_v3dcl_refusal tell(const struct v3dcl_refusal *refusal)
{
	struct drm_v3dcl_refusal told;

	memset(&told, 0xff, sizeof(told));
	v3dcl_tell_refusal(refusal, &told);
	return told;
}

TEST(test_no_value)
{
	const struct v3dcl_refusal refusal = { .part = DRM_V3DCL_PART_CODE,
					       .lost = 7 | DRM_V3DCL_LOST_JOIN,
					       .value = { .low = 5, .count = 1, .slot = { 3 } } };
	const struct drm_v3dcl_refusal told = tell(&refusal);

	(void)state;
	assert_told(&told, NONE, 0, 0, 0);
	assert_int_equal(told.lost, 7 | DRM_V3DCL_LOST_JOIN);
	for (int i = 0; i < 3; i++)
		assert_int_equal(told.value_slot[i] | told.value_scale[i], 0);
}

/* What nothing is known of has no range and no terms, whatever stands there. */
TEST(test_unknown_value)
{
	const struct v3dcl_refusal refusal = {
		.part = DRM_V3DCL_PART_CODE,
		.has_value = 1,
		.value = { .low = 5,
			   .span = 0xffffffff,
			   .count = 2,
			   .slot = { 3, 4 },
			   .scale = { 1, 1 } },
	};
	const struct drm_v3dcl_refusal told = tell(&refusal);

	(void)state;
	assert_told(&told, UNKNOWN, 0, 0, 0);
	assert_int_equal(told.value_slot[0] | told.value_scale[0], 0);
}

/* As many terms as there are, the clamped one marked; those behind them say nothing. */
TEST(test_sum)
{
	const struct v3dcl_refusal refusal = {
		.part = DRM_V3DCL_PART_CODE,
		.has_value = 1,
		.value = { .low = 8,
			   .span = 60,
			   .count = 2,
			   .clamped = 2,
			   .slot = { 3, 4, 9 },
			   .scale = { 1, 16, 9 } },
	};
	const struct drm_v3dcl_refusal told = tell(&refusal);

	(void)state;
	assert_told(&told, SUM, 8, 60, 2);
	assert_int_equal(told.value_slot[0], 3);
	assert_int_equal(told.value_scale[0], 1);
	assert_int_equal(told.value_slot[1], 0x80000004);
	assert_int_equal(told.value_scale[1], 16);
	assert_int_equal(told.value_slot[2] | told.value_scale[2], 0);
}

/*
 * The last branches before it, as many as were taken, at most DRM_V3DCL_PATH: how many there were
 * is told in any case.
 */
TEST(test_path)
{
	struct v3dcl_refusal refusal = { .part = DRM_V3DCL_PART_CODE, .path_count = 3 };
	struct drm_v3dcl_refusal told;

	(void)state;
	for (uint32_t i = 0; i < DRM_V3DCL_PATH; i++)
		refusal.path[i] = 100 + i;
	told = tell(&refusal);
	assert_int_equal(told.path_count, 3);
	for (uint32_t i = 0; i < DRM_V3DCL_PATH; i++)
		assert_int_equal(told.path[i], i < 3 ? 100 + i : 0);
	refusal.path_count = 1000;
	told = tell(&refusal);
	assert_int_equal(told.path_count, 1000);
	for (uint32_t i = 0; i < DRM_V3DCL_PATH; i++)
		assert_int_equal(told.path[i], 100 + i);
}

/*
 * Nothing was refused yet: no text, though the rule's number 0 has none either. A refusal without a
 * rule's number has one.
 */
TEST(test_text)
{
	struct v3dcl_refusal refusal = { .part = DRM_V3DCL_PART_NONE, .rule = V3DCL_RULE_BO_INDEX };
	struct drm_v3dcl_refusal told = tell(&refusal);

	(void)state;
	assert_string_equal(told.text, "");
	refusal.part = DRM_V3DCL_PART_SURFACE;
	told = tell(&refusal);
	assert_string_equal(told.text, v3dcl_rule_text(V3DCL_RULE_BO_INDEX));
	assert_true(*told.text);
}

/*
 * Names and texts are there for the same numbers, 1 to the last one before the limit, and nowhere
 * else.
 */
TEST(test_rules)
{
	(void)state;
	assert_string_equal(v3dcl_rule_name(0), "");
	assert_string_equal(v3dcl_rule_name(V3DCL_RULE_BO_INDEX), "BO_INDEX");
	for (uint32_t rule = 0; rule < V3DCL_RULE_LIMIT; rule++)
		assert_int_equal(!*v3dcl_rule_name(rule), !*v3dcl_rule_text(rule));
	assert_true(*v3dcl_rule_name(V3DCL_RULE_LIMIT - 1));
	for (uint32_t rule = V3DCL_RULE_LIMIT; rule < V3DCL_RULE_LIMIT + 64; rule++) {
		assert_string_equal(v3dcl_rule_name(rule), "");
		assert_string_equal(v3dcl_rule_text(rule), "");
	}
	assert_string_equal(v3dcl_rule_name(~0u), "");
}

/* Those of the programs first, then those of the relocations */
TEST(test_handles)
{
	const struct drm_v3dcl_program programs[2] = { { .handle = 70 }, { .handle = 71 } };
	const struct drm_v3dcl_reloc relocs[3] = { { .handle = 80 },
						   { .handle = 71 },
						   { .handle = 82 } };
	const struct v3dcl_qpu_job job = {
		.programs = programs, .program_count = 2, .relocs = relocs, .reloc_count = 3
	};
	const uint32_t expected[6] = { 70, 71, 80, 71, 82, 0x5a5a5a5a };
	uint32_t handles[6], indices[6];
	struct v3dcl_refusal refusal;

	(void)state;
	memset(handles, 0x5a, sizeof(handles));
	memset(indices, 0x5a, sizeof(indices));
	v3dcl_list_handles(&job, handles, indices);
	assert_memory_equal(handles, expected, sizeof(expected));
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(indices[i], i < 5 ? i : 0x5a5a5a5a);
	v3dcl_refuse_handle(&refusal, 2, 1, 71);
	assert_refusal(&refusal, PROGRAM, BO_HANDLE,
		       sizeof(programs[0]) + offsetof(struct drm_v3dcl_program, handle));
	assert_int_equal(refusal.found, 71);
	v3dcl_refuse_handle(&refusal, 2, 2, 80);
	assert_refusal(&refusal, RELOC, BO_HANDLE, offsetof(struct drm_v3dcl_reloc, handle));
	v3dcl_refuse_handle(&refusal, 2, 4, 82);
	assert_refusal(&refusal, RELOC, BO_HANDLE,
		       2 * sizeof(relocs[0]) + offsetof(struct drm_v3dcl_reloc, handle));
}

TEST(test_verified)
{
	struct v3dcl_program verified = { .verified = true }, unverified = { 0 };
	struct v3dcl_bo bos[3] = { { .program = &verified }, { 0 }, { .program = &unverified } };

	(void)state;
	assert_true(v3dcl_all_verified(bos, 0));
	assert_true(v3dcl_all_verified(bos, 1));
	/* no program: v3dcl_relocate() refuses it */
	assert_true(v3dcl_all_verified(bos, 2));
	assert_false(v3dcl_all_verified(bos, 3));
	assert_false(v3dcl_all_verified(bos + 2, 1));
}

/* The limit that was broken is told. */
TEST(test_limits)
{
	struct drm_v3dcl_submit_qpu args = { .program_count = 0 };
	struct v3dcl_refusal refusal;

	(void)state;
	assert_false(v3dcl_submit_qpu_valid(&args, &refusal));
	assert_int_equal(refusal.found, 0);
	assert_int_equal(refusal.expected, 1);
	args.program_count = 257;
	assert_false(v3dcl_submit_qpu_valid(&args, &refusal));
	assert_int_equal(refusal.found, 257);
	assert_int_equal(refusal.expected, 256);
	args = (struct drm_v3dcl_submit_qpu){ .program_count = 1, .flags = 1 };
	assert_false(v3dcl_submit_qpu_valid(&args, &refusal));
	assert_int_equal(refusal.expected, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_value), cmocka_unit_test(test_unknown_value),
		cmocka_unit_test(test_sum),	 cmocka_unit_test(test_path),
		cmocka_unit_test(test_text),	 cmocka_unit_test(test_rules),
		cmocka_unit_test(test_handles),	 cmocka_unit_test(test_verified),
		cmocka_unit_test(test_limits),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("refusal", tests, NULL, NULL);
}
