// SPDX-License-Identifier: MIT
/*
 * The library's ABI: structs that callers allocate, on 64-bit machines. A size that changes here is a new soname.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "v3dcl_buffer.h"
#include "v3dcl_device.h"
#include "v3dcl_error.h"

static void sizes(void **state)
{
	(void)state;
	if (sizeof(void *) != 8)
		skip();
	assert_int_equal(sizeof(struct v3dcl_buffer), 32);
	assert_int_equal(sizeof(struct v3dcl_error), 568);
	assert_int_equal(offsetof(struct v3dcl_error, text), 56);
	assert_int_equal(sizeof(struct v3dcl_simulator_config), 48);
	assert_int_equal(sizeof(struct v3dcl_info), 112);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(sizes) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
