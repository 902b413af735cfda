// SPDX-License-Identifier: MIT
/* Pictures from and to the V3D's memory: layout and pixels together. */
#include <errno.h>
#include <stdlib.h>
#include <sys/param.h>

#include "v3dcl_image.h"

int v3dcl_picture(const struct v3dcl_plane *plane, uint32_t type, const void *memory, size_t size,
		  uint32_t width, uint32_t height, uint8_t *rgba, struct v3dcl_error *error)
{
	const struct v3dcl_texture_type *info = v3dcl_texture_info(type);
	struct v3dcl_rectangle part = { 0 };
	uint8_t *linear;
	size_t stride;
	int ret;

	if (!info || info->unit_bits != plane->bits)
		return v3dcl_fail(error, -EINVAL, "units of %u bits are none of texture type %u",
				  plane->bits, type);
	part.width = howmany((uint64_t)width, info->block_width);
	part.height = howmany((uint64_t)height, info->block_height);
	if (part.width > plane->width || part.height > plane->height)
		return v3dcl_fail(error, -EINVAL,
				  "a picture of %u x %u is not inside an image of %u x %u units",
				  width, height, plane->width, plane->height);
	stride = howmany((size_t)plane->width * plane->bits, 8);
	part.width = plane->width;
	linear = malloc(stride * part.height + 1);
	if (!linear)
		return v3dcl_fail(error, -ENOMEM, "out of memory");
	ret = v3dcl_plane_load(plane, memory, size, &part, linear, stride, error);
	if (!ret)
		ret = v3dcl_pixels_to_rgba(type, linear, stride, width, height, rgba, error);
	free(linear);
	return ret;
}

int v3dcl_picture_lay_out(struct v3dcl_plane *plane, uint32_t type, int format, uint32_t width,
			  uint32_t height, struct v3dcl_error *error)
{
	const struct v3dcl_texture_type *info = v3dcl_texture_info(type);
	struct v3dcl_image image = { .type = type, .width = width, .height = height, .levels = 1 };
	int ret;

	if (format < 0) {
		ret = v3dcl_image_lay_out(&image, error);
		if (!ret)
			*plane = image.level[0].plane;
		return ret;
	}
	if (!info)
		return v3dcl_fail(error, -EINVAL, "there is no texture type %u", type);
	*plane = (struct v3dcl_plane){
		.format = format,
		.bits = info->unit_bits,
		.width = howmany((uint64_t)width, info->block_width),
		.height = howmany((uint64_t)height, info->block_height),
	};
	return v3dcl_plane_lay_out(plane, error);
}

int v3dcl_picture_store(const struct v3dcl_plane *plane, uint32_t type, const uint8_t *rgba,
			uint32_t width, uint32_t height, void *memory, size_t size,
			struct v3dcl_error *error)
{
	const struct v3dcl_texture_type *info = v3dcl_texture_info(type);
	const size_t stride = howmany((size_t)plane->width * plane->bits, 8);
	uint8_t *linear;
	int ret;

	if (!info || info->unit_bits != plane->bits ||
	    width > (uint64_t)plane->width * info->block_width ||
	    height > (uint64_t)plane->height * info->block_height)
		return v3dcl_fail(error, -EINVAL,
				  "a picture of %u x %u in texture type %u does not fit %u x %u "
				  "units of %u bits",
				  width, height, type, plane->width, plane->height, plane->bits);
	linear = calloc(plane->height, stride);
	if (!linear)
		return v3dcl_fail(error, -ENOMEM, "out of memory");
	ret = v3dcl_pixels_from_rgba(type, rgba, width, height, linear, stride, error);
	if (!ret)
		ret = v3dcl_plane_store(plane, memory, size, NULL, linear, stride, error);
	free(linear);
	return ret;
}
