// SPDX-License-Identifier: MIT
/* What all of the library stands on: buffers that grow, errors in words. */
#include "fail_alloc.h"

#include "v3dcl_buffer.h"
#include "v3dcl_error.h"

static void buffers_grow(void **state)
{
	struct v3dcl_buffer buffer = { 0 };
	unsigned int i;

	(void)state;
	for (i = 0; i < 1000; i++) {
		const uint8_t *at = v3dcl_buffer_add(&buffer, &i, sizeof(i));

		assert_ptr_equal(at, buffer.bytes + i * sizeof(i));
	}
	assert_int_equal(buffer.size, 4000);
	for (i = 0; i < 1000; i++)
		assert_memory_equal(buffer.bytes + 4 * i, &i, 4);
	assert_int_equal(buffer.bytes[4000], 0);
	assert_memory_equal(v3dcl_buffer_add(&buffer, NULL, 3), "\0\0\0", 3);
	v3dcl_buffer_free(&buffer);
	assert_null(buffer.bytes);
	assert_int_equal(buffer.size, 0);
}

/* Nothing at all is fine: there is a text then, and it is empty */
static void buffers_hold_text(void **state)
{
	struct v3dcl_buffer buffer = { 0 };
	char expected[3 * 400 + 1] = "";
	unsigned int i;

	(void)state;
	v3dcl_buffer_printf(&buffer, "%s", "");
	assert_string_equal((char *)buffer.bytes, "");
	for (i = 0; i < 400; i++) {
		v3dcl_buffer_printf(&buffer, "%03u", i);
		sprintf(expected + 3 * i, "%03u", i);
	}
	assert_string_equal((char *)buffer.bytes, expected);
	assert_false(buffer.failed);
	v3dcl_buffer_free(&buffer);
}

/* A size that no memory has is no overflow */
static void buffers_refuse_the_impossible(void **state)
{
	struct v3dcl_buffer buffer = { 0 };

	(void)state;
	assert_non_null(v3dcl_buffer_add(&buffer, "abc", 3));
	assert_null(v3dcl_buffer_add(&buffer, NULL, SIZE_MAX - 1));
	assert_true(buffer.failed);
	assert_string_equal((char *)buffer.bytes, "abc");
	assert_null(v3dcl_buffer_add(&buffer, "d", 1));
	v3dcl_buffer_printf(&buffer, "d");
	assert_string_equal((char *)buffer.bytes, "abc");
	v3dcl_buffer_free(&buffer);
}

static int fill_a_buffer(void *opaque)
{
	struct v3dcl_buffer buffer = { 0 };
	unsigned int i;
	int ret;

	(void)opaque;
	for (i = 0; i < 5; i++) {
		v3dcl_buffer_add(&buffer, NULL, 100 << i);
		v3dcl_buffer_printf(&buffer, "%0*u", 100 << i, i);
	}
	ret = buffer.failed ? -ENOMEM : 0;
	v3dcl_buffer_free(&buffer);
	return ret;
}

static void buffers_without_memory(void **state)
{
	(void)state;
	assert_in_range(fail_each_alloc(fill_a_buffer, NULL), 2, 10);
}

static void errors_have_words(void **state)
{
	struct v3dcl_error error = { .line = 3, .text = "before" };

	(void)state;
	assert_int_equal(v3dcl_fail(NULL, -EINVAL, "%d", 1), -EINVAL);
	assert_int_equal(v3dcl_fail(&error, -ENOENT, "no %s", "such thing"), -ENOENT);
	assert_int_equal(error.code, -ENOENT);
	assert_int_equal(error.line, 0);
	assert_string_equal(error.text, "no such thing");
}

static void errors_have_places(void **state)
{
	const char source[] = { 'm', 'o', 'v', '\n', '\t', 'a', 'd', 'd', ' ',
				'r', '9', '9', ',', ' ', 'r', '1', '\n', 'x' };
	struct v3dcl_error error;

	(void)state;
	assert_int_equal(v3dcl_fail_at(NULL, -EINVAL, "f", source, sizeof(source), 9, "x"),
			 -EINVAL);
	assert_int_equal(v3dcl_fail_at(&error, -EINVAL, "f.v3d", source, sizeof(source), 9,
				       "no register %s", "r99"),
			 -EINVAL);
	assert_int_equal(error.line, 2);
	assert_int_equal(error.column, 6);
	assert_string_equal(error.text, "f.v3d:2:6: no register r99\n   add r99, r1\n       ^");
	/* At the very end, where there is no byte any more */
	assert_int_equal(v3dcl_fail_at(&error, -EINVAL, NULL, source, sizeof(source),
				       sizeof(source), "more"),
			 -EINVAL);
	assert_string_equal(error.text, "<text>:3:2: more\n  x\n   ^");
}

/*
 * However long a line, a name or a message: what is needed is in the text, and the caret is below
 * its byte
 */
static void errors_fit(void **state)
{
	char source[4001], name[1001], *caret, *line;
	struct v3dcl_error error;
	unsigned int at;

	(void)state;
	memset(source, 'a', sizeof(source));
	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = 0;
	for (at = 0; at < sizeof(source); at += 7) {
		source[at] = '#';
		v3dcl_fail_at(&error, -EINVAL, at % 2 ? "f" : name, source, sizeof(source), at,
			      "%s", at % 4 == 1 ? name : "m");
		assert_int_equal(error.column, at + 1);
		assert_in_range(strlen(error.text), 1, sizeof(error.text) - 1);
		line = strchr(error.text, '\n');
		caret = line ? strchr(line + 1, '\n') : NULL;
		if (!caret) {
			fail_msg("no caret at %u", at);
			return;
		}
		assert_int_equal(strchr(caret, '^') - caret, strchr(line + 1, '#') - line);
		source[at] = 'a';
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buffers_grow),
		cmocka_unit_test(buffers_hold_text),
		cmocka_unit_test(buffers_refuse_the_impossible),
		cmocka_unit_test(buffers_without_memory),
		cmocka_unit_test(errors_have_words),
		cmocka_unit_test(errors_have_places),
		cmocka_unit_test(errors_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
