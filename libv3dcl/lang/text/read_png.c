// SPDX-License-Identifier: MIT
/* PNG files, by libpng. */
#include <errno.h>
#include <string.h>

#include <png.h>

#include "read_png.h"

/* libpng has words for what went wrong, no numbers */
static int wrong(const png_image *image, struct v3dcl_error *error)
{
	if (strstr(image->message, "out of memory") ||
	    strstr(image->message, "insufficient memory"))
		return v3dcl_fail(error, -ENOMEM, "no memory");
	return v3dcl_fail(error, -EINVAL, "no PNG file that can be read: %s", image->message);
}

/**
 * script_read_png() - pixels of 8 bits of red, green, blue, alpha
 * @bytes: of the file
 * @size: of it
 * @rgba: the pixels are appended, from the uppermost row down
 * @width: set
 * @height: set
 * @error: or NULL
 * Return: 0, -EINVAL for what is no PNG file or too large, -ENOMEM
 */
int script_read_png(const uint8_t *bytes, size_t size, struct v3dcl_buffer *rgba, uint32_t *width,
		    uint32_t *height, struct v3dcl_error *error)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	uint8_t *pixels;
	int ret = 0;

	if (!size)
		return v3dcl_fail(error, -EINVAL, "no PNG file: it is empty");
	if (!png_image_begin_read_from_memory(&image, bytes, size))
		return wrong(&image, error);
	image.format = PNG_FORMAT_RGBA;
	if (image.width > SCRIPT_MOST_PIXELS || image.height > SCRIPT_MOST_PIXELS) {
		ret = v3dcl_fail(error, -EINVAL,
				 "a picture of %u x %u pixels, more than %u across or down",
				 image.width, image.height, SCRIPT_MOST_PIXELS);
	} else {
		pixels = v3dcl_buffer_add(rgba, NULL, PNG_IMAGE_SIZE(image));
		if (!pixels)
			ret = v3dcl_fail(error, -ENOMEM, "no memory");
		else if (!png_image_finish_read(&image, NULL, pixels, 0, NULL))
			ret = wrong(&image, error);
	}
	*width = image.width;
	*height = image.height;
	png_image_free(&image);
	return ret;
}
