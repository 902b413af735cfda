/* SPDX-License-Identifier: MIT */
/* Texts that are read, and what they save. */
#ifndef V3DCL_LANG_TEXT_TESTS_READING_H
#define V3DCL_LANG_TEXT_TESTS_READING_H

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "v3dcl_text.h"

#define MOST_SAVED 65536

/* What was saved last */
struct saved {
	uint8_t bytes[MOST_SAVED];
	size_t size;
	uint32_t width, height;
	uint8_t rgba[MOST_SAVED];
	unsigned int count;
};

static inline int take(void *opaque, const struct v3dcl_saved *from)
{
	struct saved *saved = opaque;

	assert_true(from->size <= MOST_SAVED &&
		    (uint64_t)from->width * from->height * 4 <= MOST_SAVED);
	memcpy(saved->bytes, from->bytes, from->size);
	saved->size = from->size;
	saved->width = from->width;
	saved->height = from->height;
	if (from->rgba)
		memcpy(saved->rgba, from->rgba, (size_t)from->width * from->height * 4);
	saved->count++;
	return 0;
}

static inline int read_text(const char *text, struct v3dcl_script **script,
			    struct v3dcl_error *error)
{
	return v3dcl_script_read("test", text, strlen(text), NULL, 0, script, error);
}

/* A text that is refused: where, and a part of what is said */
struct wrong {
	const char *text, *says;
	uint32_t line, column;
};

static inline void are_wrong(const struct wrong *cases, size_t count)
{
	struct v3dcl_script *script;
	struct v3dcl_error error;

	for (; count--; cases++) {
		assert_int_equal(read_text(cases->text, &script, &error), -EINVAL);
		assert_null(script);
		if (!strstr(error.text, cases->says))
			fail_msg("\"%s\" is not in %s", cases->says, error.text);
		if (error.line != cases->line || error.column != cases->column)
			fail_msg("%s, not %u:%u", error.text, cases->line, cases->column);
	}
}

/* Reads and runs. Return: what the first of them that failed gave */
static inline int run_text(const char *text, struct saved *saved, struct v3dcl_error *error)
{
	const struct v3dcl_simulator_config config = { .size = sizeof(config), .unverified = true };
	const struct v3dcl_run_options options = { .size = sizeof(options), .saved = take,
						   .opaque = saved };
	struct v3dcl_device *device;
	struct v3dcl_script *script;
	int ret = read_text(text, &script, error);

	if (ret)
		return ret;
	assert_int_equal(v3dcl_open_simulator(&config, &device, error), 0);
	ret = v3dcl_script_run(script, device, &options, error);
	v3dcl_close(device);
	v3dcl_script_free(script);
	return ret;
}

#endif /* V3DCL_LANG_TEXT_TESTS_READING_H */
