// SPDX-License-Identifier: MIT
/*
 * The library's ABI: structs that callers allocate, on 64-bit machines. A size that changes here is
 * a new soname.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "v3dcl_buffer.h"
#include "v3dcl_check.h"
#include "v3dcl_device.h"
#include "v3dcl_error.h"
#include "v3dcl_frame.h"
#include "v3dcl_named.h"
#include "v3dcl_image.h"
#include "v3dcl_text.h"

static void sizes(void **state)
{
	(void)state;
	if (sizeof(void *) != 8)
		skip();
	assert_int_equal(sizeof(struct v3dcl_buffer), 32);
	assert_int_equal(sizeof(struct v3dcl_error), 568);
	assert_int_equal(offsetof(struct v3dcl_error, text), 56);
	assert_int_equal(sizeof(struct v3dcl_simulator_config), 72);
	assert_int_equal(sizeof(struct v3dcl_info), 112);
	assert_int_equal(sizeof(struct v3dcl_place), 88);
	assert_int_equal(sizeof(struct v3dcl_hang), 1600);
	assert_int_equal(sizeof(struct v3dcl_race), 40);
	assert_int_equal(sizeof(struct v3dcl_traced), 24);
	assert_int_equal(sizeof(struct v3dcl_check_bo), 24);
	assert_int_equal(sizeof(struct v3dcl_address), 8);
	assert_int_equal(sizeof(struct v3dcl_fixup), 12);
	assert_int_equal(sizeof(struct v3dcl_block), 64);
	assert_int_equal(sizeof(struct v3dcl_list), 96);
	assert_int_equal(sizeof(struct v3dcl_value), 12);
	assert_int_equal(sizeof(struct v3dcl_given), 48);
	assert_int_equal(sizeof(struct v3dcl_named), 24);
	assert_int_equal(sizeof(struct v3dcl_named_record), 24);
	assert_int_equal(sizeof(struct v3dcl_named_field), 24);
	assert_int_equal(sizeof(struct v3dcl_target), 20);
	assert_int_equal(sizeof(struct v3dcl_targets), 160);
	assert_int_equal(sizeof(struct v3dcl_tile_lists), 20);
	assert_int_equal(sizeof(struct v3dcl_plane), 24);
	assert_int_equal(sizeof(struct v3dcl_rectangle), 16);
	assert_int_equal(sizeof(struct v3dcl_image), 464);
	assert_int_equal(sizeof(struct v3dcl_saved), 40);
	assert_int_equal(sizeof(struct v3dcl_stepped), 32);
	assert_int_equal(sizeof(struct v3dcl_run_options), 64);
	assert_int_equal(sizeof(struct v3dcl_script_hazard), 48);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(sizes) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
