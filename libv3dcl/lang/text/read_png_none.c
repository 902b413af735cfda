// SPDX-License-Identifier: MIT
/* Built without libpng: for machines that only run tests. */
#include <errno.h>

#include "read_png.h"

int script_read_png(const uint8_t *bytes, size_t size, struct v3dcl_buffer *rgba, uint32_t *width,
		    uint32_t *height, struct v3dcl_error *error)
{
	(void)bytes;
	(void)size;
	(void)rgba;
	*width = *height = 0;
	return v3dcl_fail(error, -EOPNOTSUPP, "this library was built without libpng");
}
