// SPDX-License-Identifier: MIT
/* Pictures as data: image "NAME" [type T] [format F] [flip] */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "script.h"

/* An image being read */
struct image {
	uint32_t type, width, height;
	int format;
	bool flip;
	struct v3dcl_buffer rgba;
};

static bool take_type(struct script_reader *r, struct image *image)
{
	const struct v3dcl_texture_type *info;

	for (image->type = 0; (info = v3dcl_texture_info(image->type)); image->type++) {
		if (script_take_word(r, info->name))
			return true;
	}
	return false;
}

/* Names of formats are those of records' fields */
static bool take_format(struct script_reader *r, struct image *image)
{
	const struct cl_choice *choice;

	for (choice = cl_choices("store_general", "format"); choice->name; choice++) {
		if (script_take_word(r, choice->name)) {
			image->format = choice->value;
			return true;
		}
	}
	return false;
}

static void take_options(struct script_reader *r, struct image *image)
{
	for (;;) {
		if (script_take_word(r, "type")) {
			if (!take_type(r, image))
				script_fail(r, -EINVAL, r->now.at,
					    "expected a texture type here: RGBA8888, RGB565...");
		} else if (script_take_word(r, "format")) {
			if (!take_format(r, image))
				script_fail(r, -EINVAL, r->now.at, "expected raster, t or lt here");
		} else if (script_take_word(r, "flip")) {
			image->flip = true;
		} else {
			return;
		}
	}
}

/* Rows of pixels from the lowest up */
void script_flip(uint8_t *rgba, uint32_t width, uint32_t height)
{
	uint32_t *rows = (uint32_t *)rgba, x, y;

	for (y = 0; y < height / 2; y++) {
		uint32_t *top = rows + (size_t)y * width,
			 *bottom = rows + (size_t)(height - 1 - y) * width;

		for (x = 0; x < width; x++) {
			uint32_t pixel = top[x];

			top[x] = bottom[x];
			bottom[x] = pixel;
		}
	}
}

static void refused(struct script_reader *r, int code, const char *at, const char *name,
		    const struct v3dcl_error *error)
{
	if (code == -ENOMEM)
		script_out_of_memory(r);
	else if (code)
		script_fail(r, code, at, "%.80s: %.200s", name, error->text);
}

static void store(struct script_reader *r, struct image *image, struct script_bytes *bytes,
		  const char *at, const char *name)
{
	struct v3dcl_error error = { 0 };
	struct v3dcl_plane plane;
	uint8_t *to = NULL;

	refused(r,
		v3dcl_picture_lay_out(&plane, image->type, image->format, image->width,
				      image->height, &error),
		at, name, &error);
	if (image->flip)
		script_flip(image->rgba.bytes, image->width, image->height);
	if (!r->lang.status)
		to = script_add(r, bytes, NULL, plane.size);
	if (to)
		refused(r,
			v3dcl_picture_store(&plane, image->type, image->rgba.bytes, image->width,
					    image->height, to, plane.size, &error),
			at, name, &error);
}

/* The pixels of a PNG file, as the V3D has them in memory */
void script_image(struct script_reader *r, struct script_bytes *bytes)
{
	struct image image = { .type = V3D_TEXTURE_RGBA8888, .format = -1 };
	struct v3dcl_error error = { 0 };
	const char *at = r->now.at;
	size_t size = 0;
	char *name = script_take_string(r);
	uint8_t *file = name ? script_read_file(r, at, name, &size) : NULL;
	int status;

	take_options(r, &image);
	if (file && !r->lang.status) {
		status = v3dcl_png_read(file, size, &image.rgba, &image.width, &image.height,
					&error);
		refused(r, status, at, name, &error);
	}
	if (file && !r->lang.status)
		store(r, &image, bytes, at, name);
	v3dcl_buffer_free(&image.rgba);
	free(file);
	free(name);
}
