// SPDX-License-Identifier: MIT
/* Built without libpng: for machines that only run tests. */
#include <errno.h>

#include "v3dcl_image.h"

int v3dcl_png_read(const uint8_t *bytes, size_t size, struct v3dcl_buffer *rgba, uint32_t *width,
		   uint32_t *height, struct v3dcl_error *error)
{
	(void)bytes;
	(void)size;
	(void)rgba;
	*width = *height = 0;
	return v3dcl_fail(error, -EOPNOTSUPP, "this library was built without libpng");
}

int v3dcl_png_write(const uint8_t *rgba, uint32_t width, uint32_t height, struct v3dcl_buffer *out,
		    struct v3dcl_error *error)
{
	(void)rgba;
	(void)width;
	(void)height;
	(void)out;
	return v3dcl_fail(error, -EOPNOTSUPP, "this library was built without libpng");
}
