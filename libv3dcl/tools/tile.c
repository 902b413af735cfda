// SPDX-License-Identifier: MIT
/* v3dcl tile: pictures to images as the V3D has them in memory, and back. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <png.h>

#include "../base/number.h"
#include "tool.h"
#include "v3dcl_image.h"

#define MOST_PIXELS 8192		/* across and down */

static const char help[] =
	"usage: v3dcl tile [OPTION]... IN OUT\n\n"
	"From a PNG file to an image as the V3D has it in memory, if IN ends with .png;\n"
	"else from an image to PNG.\n\n"
	"  -f, --format FORMAT   raster, t or lt; else what the hardware takes for that\n"
	"                        size and type\n"
	"  -t, --type TYPE       of texture: RGBA8888 (the usual), RGB565, LUMINANCE,\n"
	"                        ETC1...\n"
	"  -s, --size WxH        of the image in IN, in pixels\n"
	"  -j, --json            where the image lies, as JSON\n"
	"  -q, --quiet           say nothing but errors\n"
	"  -h, --help            this\n";

struct options {
	const char *in, *out;
	int format;			/* enum v3d_memory_format, or below 0 */
	uint32_t type, width, height;
	bool json, quiet;
};

static bool take_format(struct options *o, const char *name)
{
	static const char *const names[] = {
		[V3D_RASTER] = "raster", [V3D_T_FORMAT] = "t", [V3D_LT_FORMAT] = "lt"
	};

	for (o->format = 0; o->format < 3; o->format++) {
		if (!strcmp(names[o->format], name))
			return true;
	}
	return false;
}

static bool take_type(struct options *o, const char *name)
{
	const struct v3dcl_texture_type *type;

	for (o->type = 0; (type = v3dcl_texture_info(o->type)); o->type++) {
		if (!strcasecmp(type->name, name))
			return true;
	}
	return false;
}

static bool take_size(struct options *o, const char *text)
{
	uint64_t width, height;

	if (!number_take(&text, MOST_PIXELS, &width) || *text != 'x' ||
	    !number_whole(text + 1, MOST_PIXELS, &height))
		return false;
	o->width = width;
	o->height = height;
	return width && height;
}

static int take_option(void *opaque, int c)
{
	struct options *o = opaque;

	switch (c) {
	case 'f':
		return take_format(o, optarg) ? -1 : tool_usage("--format takes raster, t or lt");
	case 't':
		return take_type(o, optarg) ?
			       -1 :
			       tool_usage("--type: there is no texture type \"%s\"", optarg);
	case 's':
		return take_size(o, optarg) ?
			       -1 :
			       tool_usage("--size takes WIDTHxHEIGHT, at most %d each",
					  MOST_PIXELS);
	case 'j':
		o->json = true;
		return -1;
	default:
		o->quiet = true;
		return -1;
	}
}

static bool is_png(const char *name)
{
	size_t length = strlen(name);

	return length > 4 && !strcasecmp(name + length - 4, ".png");
}

static void tell(const struct options *o, const struct v3dcl_plane *plane)
{
	static const char *const names[] = { "raster", "t", "lt" };

	if (o->json)
		printf("{ \"width\": %u, \"height\": %u, \"format\": \"%s\", \"bits\": %u, "
		       "\"stride\": %u, \"bytes\": %u }\n",
		       o->width, o->height, names[plane->format], plane->bits, plane->stride,
		       plane->size);
	else if (!o->quiet)
		printf("%u x %u, %s format, stride %u, %u bytes\n", o->width, o->height,
		       names[plane->format], plane->stride, plane->size);
}

static int to_png(const struct options *o)
{
	struct v3dcl_error error = { 0 };
	struct v3dcl_plane plane;
	uint8_t *rgba;
	size_t size;
	char *bytes;
	int status = EXIT_REFUSED;

	if (!o->width || !o->height)
		return tool_usage("an image has no size of its own: say --size");
	if (v3dcl_picture_lay_out(&plane, o->type, o->format, o->width, o->height, &error))
		return tool_failed(&error);
	bytes = tool_read_memory(o->in, &size);
	rgba = malloc((size_t)o->width * o->height * 4);
	if (bytes && rgba) {
		if (v3dcl_picture(&plane, o->type, bytes, size, o->width, o->height, rgba, &error))
			status = tool_failed(&error);
		else if (tool_write_png(o->out, rgba, o->width, o->height))
			status = 0;
	}
	if (!status)
		tell(o, &plane);
	free(bytes);
	free(rgba);
	return status;
}

/* libpng has words for what is wrong, and none for a size that only we refuse */
static uint8_t *no_png(struct options *o, png_image *image)
{
	if (image->message[0])
		fprintf(stderr, "v3dcl tile: %s: %s\n", o->in, image->message);
	else if (image->width > MOST_PIXELS || image->height > MOST_PIXELS)
		fprintf(stderr, "v3dcl tile: %s: %u x %u pixels; at most %d each\n", o->in,
			image->width, image->height, MOST_PIXELS);
	else
		fprintf(stderr, "v3dcl tile: %s: no memory\n", o->in);
	png_image_free(image);
	return NULL;
}

static uint8_t *decode_png(struct options *o, const char *bytes, size_t size)
{
	png_image image = { .version = PNG_IMAGE_VERSION };
	uint8_t *rgba = NULL;

	if (png_image_begin_read_from_memory(&image, bytes, size)) {
		image.format = PNG_FORMAT_RGBA;
		if (image.width <= MOST_PIXELS && image.height <= MOST_PIXELS)
			rgba = malloc(PNG_IMAGE_SIZE(image));
	}
	if (!rgba || !png_image_finish_read(&image, NULL, rgba, 0, NULL)) {
		free(rgba);
		return no_png(o, &image);
	}
	o->width = image.width;
	o->height = image.height;
	return rgba;
}

static uint8_t *read_png(struct options *o)
{
	size_t size;
	char *bytes = tool_read_memory(o->in, &size);
	uint8_t *rgba = bytes ? decode_png(o, bytes, size) : NULL;

	free(bytes);
	return rgba;
}

static int from_rgba(const struct options *o, const uint8_t *rgba)
{
	struct v3dcl_error error = { 0 };
	struct v3dcl_plane plane;
	uint8_t *memory;
	int status = EXIT_REFUSED;

	if (v3dcl_picture_lay_out(&plane, o->type, o->format, o->width, o->height, &error))
		return tool_failed(&error);
	memory = calloc(1, plane.size);
	if (!memory)
		fprintf(stderr, "v3dcl tile: no memory\n");
	else if (v3dcl_picture_store(&plane, o->type, rgba, o->width, o->height, memory, plane.size,
				     &error))
		tool_failed(&error);
	else if (tool_write(o->out, memory, plane.size))
		status = 0;
	if (!status && strcmp(o->out, "-"))
		tell(o, &plane);
	free(memory);
	return status;
}

int tool_tile(int argc, char **argv)
{
	static const struct option options[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "type", required_argument, NULL, 't' },
		{ "size", required_argument, NULL, 's' },
		{ "json", no_argument, NULL, 'j' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct options o = { .format = -1 };
	const char *suffix;
	uint8_t *rgba;
	int i, status = tool_options(argc, argv, "f:t:s:jqh", options, help, take_option, &o);

	if (status >= 0)
		return status;
	if (optind + 2 != argc)
		return tool_usage("expected two files");
	o.in = argv[optind];
	o.out = argv[optind + 1];
	for (i = 0; i < 2; i++) {
		suffix = tool_other_picture(argv[optind + i]);
		if (suffix)
			return tool_usage("of pictures, PNG is read and written, not %s", suffix);
	}
	status = tool_check_output(o.in, o.out);
	if (status >= 0)
		return status;
	if (!is_png(o.in))
		return to_png(&o);
	if (is_png(o.out))
		return tool_usage("one of IN and OUT is a picture, the other an image in memory");
	rgba = read_png(&o);
	if (!rgba)
		return EXIT_REFUSED;
	status = from_rgba(&o, rgba);
	free(rgba);
	return status;
}
