// SPDX-License-Identifier: MIT
/*
 * Lengths of what follows records of variable length: AG100 Tables 38 to 43 and 45, typed from
 * there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <v3d/lists.h>

struct code {
	uint8_t first, bytes;
};

static void check(uint8_t primitive, uint8_t data, const struct code *codes, size_t count)
{
	const struct v3d_primitive_list_format format = { .primitive = primitive, .data = data };
	size_t i;

	for (i = 0; i < count; i++)
		assert_int_equal(v3d_code_length(&format, codes[i].first), codes[i].bytes);
	assert_int_equal(v3d_code_length(&format, 128), 1);	/* escape */
	assert_int_equal(v3d_code_length(&format, 130), 3);	/* relative branch */
}

#define CHECK(primitive, data, ...) do { \
	const struct code codes[] = { __VA_ARGS__ }; \
	check(primitive, data, codes, sizeof(codes) / sizeof(codes[0])); \
} while (0)

static void test_triangle_indices(void **state)		/* Table 39 */
{
	(void)state;
	CHECK(2, 1, { 0x00, 1 }, { 0x01, 1 }, { 0xfe, 1 }, { 0x7d, 1 }, { 0x03, 2 }, { 0x07, 2 },
	      { 0xfb, 2 }, { 0x0f, 4 }, { 0xff, 4 }, { 129, 7 });
}

static void test_line_indices(void **state)		/* Table 40 */
{
	(void)state;
	CHECK(1, 1, { 0x00, 1 }, { 0xfd, 1 }, { 0x03, 2 }, { 0xfb, 2 }, { 0x02, 3 }, { 0xfe, 3 },
	      { 129, 5 }, { 0x0f, 0 });
	CHECK(3, 1, { 0x00, 1 }, { 0x03, 2 }, { 0x02, 3 }, { 129, 5 }, { 0x0f, 0 });
}

static void test_point_indices(void **state)		/* Table 41: coding 2 is in no chip */
{
	(void)state;
	CHECK(0, 1, { 0x00, 1 }, { 0x01, 1 }, { 0x03, 2 }, { 0x0f, 2 }, { 0xff, 2 }, { 0x02, 0 },
	      { 129, 3 });
}

static void test_triangle_coordinates(void **state)	/* Table 42 */
{
	(void)state;
	CHECK(2, 3, { 0x00, 2 }, { 0x02, 2 }, { 0x03, 3 }, { 0x0b, 3 }, { 0x0f, 8 }, { 129, 13 });
}

static void test_rht_coordinates(void **state)		/* Table 43 */
{
	(void)state;
	CHECK(3, 3, { 0x00, 2 }, { 0x01, 2 }, { 0x02, 6 }, { 0x03, 3 }, { 129, 9 }, { 0x0f, 0 });
}

static void test_formats_that_do_not_exist(void **state)
{
	struct v3d_primitive_list_format format;
	unsigned int first;

	(void)state;
	for (first = 0; first < 256; first++) {
		/* points have no coordinates */
		format = (struct v3d_primitive_list_format){ .primitive = 0, .data = 3 };
		assert_int_equal(v3d_code_length(&format, first), 0);
		format = (struct v3d_primitive_list_format){ .primitive = 1, .data = 3 };
		assert_int_equal(v3d_code_length(&format, first), 0);
		format = (struct v3d_primitive_list_format){ .primitive = 4, .data = 1 };
		assert_int_equal(v3d_code_length(&format, first), 0);
		format = (struct v3d_primitive_list_format){ .primitive = 2, .data = 2 };
		assert_int_equal(v3d_code_length(&format, first), 0);
	}
}

static void test_shader_records(void **state)		/* Table 45 */
{
	struct v3d_gl_shader_state state_record = { .attributes = 1 };

	(void)state;
	assert_int_equal(v3d_shader_record_length(&state_record), 44);
	state_record.attributes = 7;
	assert_int_equal(v3d_shader_record_length(&state_record), 92);
	state_record.attributes = 0;
	assert_int_equal(v3d_shader_record_length(&state_record), 100);
	state_record = (struct v3d_gl_shader_state){ .attributes = 2, .extended = 1 };
	assert_int_equal(v3d_shader_record_length(&state_record), 132);
}

static void test_vg_lists(void **state)
{
	static const uint8_t first[16] = { [1] = 2, [3] = 2, [4] = 3, [5] = 3, [6] = 3 };
	static const uint8_t later[16] = { [1] = 2, [3] = 1, [4] = 3, [5] = 1, [6] = 1 };
	uint32_t mode;

	(void)state;
	for (mode = 0; mode < 16; mode++) {
		assert_int_equal(v3d_vg_vertices(mode, true), first[mode]);
		assert_int_equal(v3d_vg_vertices(mode, false), later[mode]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_triangle_indices),
		cmocka_unit_test(test_line_indices),
		cmocka_unit_test(test_point_indices),
		cmocka_unit_test(test_triangle_coordinates),
		cmocka_unit_test(test_rht_coordinates),
		cmocka_unit_test(test_formats_that_do_not_exist),
		cmocka_unit_test(test_shader_records),
		cmocka_unit_test(test_vg_lists),
	};

	return cmocka_run_group_tests_name("lists", tests, NULL, NULL);
}
