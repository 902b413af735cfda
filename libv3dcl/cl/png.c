// SPDX-License-Identifier: MIT
/* PNG files, by libpng. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "v3dcl_image.h"

/* Across and down, of what is read: a file says it before its pixels are there */
#define MOST_PIXELS 4096
/* So that a file's size fits 32 bits */
#define MOST_WRITTEN 16384

/* libpng has words for what went wrong, no numbers */
static int wrong(const png_image *image, struct v3dcl_error *error)
{
	if (strstr(image->message, "out of memory") ||
	    strstr(image->message, "insufficient memory"))
		return v3dcl_fail(error, -ENOMEM, "no memory");
	return v3dcl_fail(error, -EINVAL, "no PNG file that can be read: %s", image->message);
}

int v3dcl_png_read(const uint8_t *bytes, size_t size, struct v3dcl_buffer *rgba, uint32_t *width,
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
	if (image.width > MOST_PIXELS || image.height > MOST_PIXELS) {
		ret = v3dcl_fail(error, -EINVAL,
				 "a picture of %u x %u pixels, more than %u across or down",
				 image.width, image.height, MOST_PIXELS);
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

int v3dcl_png_write(const uint8_t *rgba, uint32_t width, uint32_t height, struct v3dcl_buffer *out,
		    struct v3dcl_error *error)
{
	png_image image = { .version = PNG_IMAGE_VERSION, .width = width, .height = height,
			    .format = PNG_FORMAT_RGBA };
	png_alloc_size_t size;
	uint8_t *bytes;
	bool good;

	if (!width || !height || width > MOST_WRITTEN || height > MOST_WRITTEN)
		return v3dcl_fail(error, -EINVAL, "a picture of %u x %u pixels; 1 to %u, each",
				  width, height, MOST_WRITTEN);
	size = PNG_IMAGE_PNG_SIZE_MAX(image);
	bytes = malloc(size);
	good = bytes && png_image_write_to_memory(&image, bytes, &size, 0, rgba, 0, NULL) &&
	       v3dcl_buffer_add(out, bytes, size);
	free(bytes);
	png_image_free(&image);
	if (good)
		return 0;
	if (*image.message)
		return v3dcl_fail(error, -EINVAL, "no PNG file: %s", image.message);
	return v3dcl_fail(error, -ENOMEM, "no memory");
}
