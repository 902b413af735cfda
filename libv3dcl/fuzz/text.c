// SPDX-License-Identifier: MIT
/*
 * Any bytes to the reader of the text format. What may not happen: anything that a sanitizer sees,
 * work or memory without bound, a refusal without place and words, a job whose text as it is
 * decoded is none, or another job's.
 */
#include <errno.h>
#include <string.h>

#include "fuzz.h"
#include "script.h"

#define WORK 20000

unsigned long fuzz_accepted;

/* A job as the V3D is given it is a job again, which says the same of itself. */
static void check_decoding(const struct v3dcl_script *script)
{
	struct v3dcl_buffer first = { 0 }, second = { 0 };
	struct v3dcl_script *again = NULL;
	struct v3dcl_error error = { 0 };
	int ret = v3dcl_script_decode(script, false, &first, &error);

	/* What a frame is made of may be refused only when it is made; a text may be too large. */
	CHECK(ret != -EINVAL || !first.size);
	if (!ret) {
		ret = v3dcl_script_read("again", (const char *)first.bytes, first.size, NULL, 0,
					&again, &error);
		CHECK(ret != -EINVAL || !first.size);
	}
	if (!ret) {
		ret = v3dcl_script_decode(again, false, &second, &error);
		CHECK(ret != -EINVAL);
	}
	if (!ret)
		CHECK(first.size == second.size &&
		      (!first.size || !memcmp(first.bytes, second.bytes, first.size)));
	v3dcl_script_free(again);
	v3dcl_buffer_free(&first);
	v3dcl_buffer_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct v3dcl_script *script = NULL;
	struct v3dcl_error error = { .code = 0 };
	char *copy = malloc(size + !size);	/* so that a byte too far is seen */
	int ret;

	if (!copy)
		return 0;
	memcpy(copy, data, size);
	ret = script_read_within("fuzz", copy, size, WORK, NULL, 0, &script, &error);
	CHECK(!ret == !!script);
	CHECK(error.code == ret && !error.text[0] == !ret && !error.line == !ret);
	if (script) {
		fuzz_accepted++;
		check_decoding(script);
	}
	v3dcl_script_free(script);
	free(copy);
	return 0;
}
