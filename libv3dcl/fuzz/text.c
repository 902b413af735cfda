// SPDX-License-Identifier: MIT
/*
 * Any bytes to the reader of the text format. What may not happen: anything that a sanitizer sees, work or memory without bound, a
 * refusal without place and words.
 */
#include <errno.h>
#include <string.h>

#include "fuzz.h"
#include "script.h"

#define WORK 20000

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
	v3dcl_script_free(script);
	free(copy);
	return 0;
}
