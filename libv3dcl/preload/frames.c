// SPDX-License-Identifier: MIT
/* What the display shows, as pictures. */
#include <stdio.h>
#include <stdlib.h>

#include <drm_fourcc.h>

#include "preload.h"
#include "v3dcl_png.h"

/* As png_write() wants it: red lowest */
static uint32_t pixel(const uint8_t *at, uint32_t format)
{
	uint32_t value = at[0] | at[1] << 8;

	if (format == DRM_FORMAT_RGB565) {
		uint32_t red = value >> 11, green = value >> 5 & 0x3f, blue = value & 0x1f;

		return (red << 3 | red >> 2) | (green << 2 | green >> 4) << 8 | (blue << 3 | blue >> 2) << 16;
	}
	value |= (uint32_t)at[2] << 16;
	if (format == DRM_FORMAT_XBGR8888 || format == DRM_FORMAT_ABGR8888)
		return value;
	return value >> 16 | (value & 0xff00) | (value & 0xff) << 16;
}

/*
 * Where a pixel is in a T-tiled image: tiles of 8 x 8 micro-tiles of 64 bytes, left to right in even rows of tiles, else right to
 * left; in a tile, sub-tiles of 4 x 4 micro-tiles in an order that depends on the row as well (AG100 Section 11, Figure 14)
 */
static size_t t_offset(const struct sim_shown *shown, uint32_t size, uint32_t x, uint32_t y)
{
	static const uint8_t order[2][2][2] = { { { 0, 3 }, { 1, 2 } }, { { 2, 1 }, { 3, 0 } } };
	uint32_t across = 16 / size, column = x / across, row = y / 4, odd = row / 8 & 1;
	uint32_t tiles = shown->pitch / size / (8 * across);
	uint32_t tile = row / 8 * tiles + (odd ? tiles - 1 - column / 8 : column / 8);

	return (size_t)tile * 4096 + order[odd][row / 4 & 1][column / 4 & 1] * 1024 + (row % 4 * 4 + column % 4) * 64 +
	       (y % 4 * across + x % across) * size;
}

void preload_frame(void *opaque, const struct sim_shown *shown)
{
	static unsigned int number;	/* the device calls us one at a time */
	uint32_t *pixels = malloc((size_t)shown->width * shown->height * sizeof(*pixels)), x, y;
	uint32_t size = shown->format == DRM_FORMAT_RGB565 ? 2 : 4;
	char path[PATH_MAX];
	size_t at;

	(void)opaque;
	if (!pixels)
		return;
	for (y = 0; y < shown->height; y++) {
		for (x = 0; x < shown->width; x++) {
			at = shown->t_tiled ? t_offset(shown, size, x, y) : (size_t)y * shown->pitch + x * size;
			pixels[(size_t)y * shown->width + x] =
				at + size <= shown->size ? pixel(shown->pixels + at, shown->format) : 0;
		}
	}
	if (snprintf(path, sizeof(path), "%s/frame-%05u.png", getenv("V3D_FRAMES"), number++) < PATH_MAX)
		png_write(path, pixels, shown->width, shown->height);
	free(pixels);
}
