// SPDX-License-Identifier: MIT
/* What the display shows, as pictures. */
#include <stdio.h>
#include <stdlib.h>

#include <drm_fourcc.h>

#include "preload.h"
#include "v3dcl_image.h"
#include "v3dcl_png.h"

/* As png_write() wants it: red lowest */
static uint32_t pixel(const uint8_t *at, uint32_t format)
{
	uint32_t value = at[0] | at[1] << 8;

	if (format == DRM_FORMAT_RGB565) {
		uint32_t red = value >> 11, green = value >> 5 & 0x3f, blue = value & 0x1f;

		return (red << 3 | red >> 2) | (green << 2 | green >> 4) << 8 |
		       (blue << 3 | blue >> 2) << 16;
	}
	value |= (uint32_t)at[2] << 16;
	if (format == DRM_FORMAT_XBGR8888 || format == DRM_FORMAT_ABGR8888)
		return value;
	return value >> 16 | (value & 0xff00) | (value & 0xff) << 16;
}

/*
 * A T-tiled frame row by row, @pitch bytes from one to the next; NULL without memory, or where the
 * frame is not all there
 */
static uint8_t *untiled(const struct emu_shown *shown, uint32_t size)
{
	struct v3dcl_plane plane = {
		.format = V3D_T_FORMAT,
		.bits = 8 * size,
		.width = shown->pitch / size,
		.height = shown->height,
	};
	uint8_t *rows = malloc((size_t)shown->pitch * shown->height);

	if (rows && (v3dcl_plane_lay_out(&plane, NULL) ||
		     v3dcl_plane_load(&plane, shown->pixels, shown->size, NULL, rows, shown->pitch,
				      NULL))) {
		free(rows);
		return NULL;
	}
	return rows;
}

void preload_frame(void *opaque, const struct emu_shown *shown)
{
	static unsigned int number;	/* the device calls us one at a time */
	const uint32_t size = shown->format == DRM_FORMAT_RGB565 ? 2 : 4;
	uint32_t *pixels = malloc((size_t)shown->width * shown->height * sizeof(*pixels)), x, y;
	uint8_t *tiled = shown->t_tiled ? untiled(shown, size) : NULL;
	const uint8_t *rows = shown->t_tiled ? tiled : shown->pixels;
	char path[PATH_MAX];

	(void)opaque;
	for (y = 0; pixels && rows && y < shown->height; y++)
		for (x = 0; x < shown->width; x++)
			pixels[(size_t)y * shown->width + x] =
				pixel(rows + (size_t)y * shown->pitch + x * size, shown->format);
	if (pixels && rows &&
	    snprintf(path, sizeof(path), "%s/frame-%05u.png", getenv("V3D_FRAMES"), number++) <
		    PATH_MAX)
		png_write(path, pixels, shown->width, shown->height);
	free(tiled);
	free(pixels);
}
