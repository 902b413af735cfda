// SPDX-License-Identifier: MIT
/*
 * A contact sheet: pictures in rows, each shrunk into a cell. A small picture of few colours for a
 * manual. A curve or a map of 32-bit floats.
 *
 *	v3dcl-sheet OUT.png FILE.png...
 *	v3dcl-sheet --small OUT.png FILE.png
 *	v3dcl-sheet --plot OUT.png FILE.bin
 *	v3dcl-sheet --map OUT.png FILE.bin
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "../base/helpers.h"
#include "sheet.h"

#define COLUMNS 5
#define CELL_WIDTH 240
#define CELL_HEIGHT 180
#define GAP 8
#define PAPER 0xff202020

static uint32_t *read_png(const char *path, png_image *image)
{
	uint32_t *pixels = NULL;

	*image = (png_image){ .version = PNG_IMAGE_VERSION };
	if (png_image_begin_read_from_file(image, path)) {
		image->format = PNG_FORMAT_RGBA;
		pixels = malloc(PNG_IMAGE_SIZE(*image));
	}
	if (!pixels || !png_image_finish_read(image, NULL, pixels, 0, NULL)) {
		fprintf(stderr, "v3dcl-sheet: %s: %s\n", path, image->message);
		free(pixels);
		pixels = NULL;
	}
	return pixels;
}

/*
 * The average of the pixels that fall into one of the cell's, or the nearest one; alpha does not
 * count
 */
static uint32_t sample(const uint32_t *pixels, const png_image *image, double scale, unsigned int x,
		       unsigned int y)
{
	unsigned int x0 = x / scale, y0 = y / scale, x1 = (x + 1) / scale, y1 = (y + 1) / scale, i,
		     k, n = 0, c;
	uint64_t sum[3] = { 0 };

	for (k = y0; (k < y1 || k == y0) && k < image->height; k++) {
		for (i = x0; (i < x1 || i == x0) && i < image->width; i++, n++) {
			for (c = 0; c < 3; c++)
				sum[c] += pixels[(size_t)k * image->width + i] >> 8 * c & 255;
		}
	}
	return n ? 0xff000000 | (uint32_t)(sum[0] / n) | (uint32_t)(sum[1] / n) << 8 |
			       (uint32_t)(sum[2] / n) << 16 :
		   PAPER;
}

static void place(uint32_t *sheet, unsigned int pitch, const uint32_t *pixels,
		  const png_image *image)
{
	double across = (double)CELL_WIDTH / image->width,
	       down = (double)CELL_HEIGHT / image->height;
	double scale = across < down ? across : down;
	unsigned int width = image->width * scale, height = image->height * scale, x, y;

	sheet += (size_t)(CELL_HEIGHT - height) / 2 * pitch + (CELL_WIDTH - width) / 2;
	for (y = 0; y < height; y++) {
		for (x = 0; x < width; x++)
			sheet[(size_t)y * pitch + x] = sample(pixels, image, scale, x, y);
	}
}

static int make_sheet(const char *out_path, char **paths, unsigned int count)
{
	unsigned int rows = (count + COLUMNS - 1) / COLUMNS, i;
	unsigned int width = GAP + COLUMNS * (CELL_WIDTH + GAP),
		     height = GAP + rows * (CELL_HEIGHT + GAP);
	png_image image, out = { .version = PNG_IMAGE_VERSION, .width = width, .height = height,
				 .format = PNG_FORMAT_RGBA };
	uint32_t *sheet = malloc((size_t)width * height * sizeof(*sheet)), *pixels;

	if (!sheet)
		return 1;
	for (i = 0; i < width * height; i++)
		sheet[i] = PAPER;
	for (i = 0; i < count; i++) {
		pixels = read_png(paths[i], &image);
		if (!pixels)
			return 1;
		place(sheet + (size_t)(GAP + i / COLUMNS * (CELL_HEIGHT + GAP)) * width + GAP +
			      i % COLUMNS * (CELL_WIDTH + GAP),
		      width, pixels, &image);
		free(pixels);
	}
	if (!png_image_write_to_file(&out, out_path, 0, sheet, 0, NULL)) {
		fprintf(stderr, "v3dcl-sheet: %s: %s\n", out_path, out.message);
		return 1;
	}
	free(sheet);
	return 0;
}

/* What is smaller than a cell stays as it is */
static int make_small(const char *out, const char *path)
{
	png_image image;
	uint32_t *pixels = read_png(path, &image);
	double across, scale;
	struct picture small;
	unsigned int x, y;
	bool good;

	if (!pixels)
		return 1;
	across = (double)CELL_WIDTH / image.width;
	scale = (double)CELL_HEIGHT / image.height;
	scale = across < scale ? across : scale;
	scale = scale < 1 ? scale : 1;
	small.width = image.width * scale;
	small.height = image.height * scale;
	small.pixels = malloc((size_t)small.width * small.height * sizeof(*pixels));
	for (y = 0; small.pixels && y < small.height; y++) {
		for (x = 0; x < small.width; x++)
			small.pixels[(size_t)y * small.width + x] = sample(pixels, &image, scale, x,
									   y);
	}
	good = small.pixels && palette_write(out, &small);
	free(small.pixels);
	free(pixels);
	return !good;
}

static int make_plot(const char *out, const char *path, bool as_map)
{
	static float values[1 << 20];
	FILE *file = fopen(path, "rb");
	struct picture picture = { 0 };
	size_t count;
	bool good;

	if (!file) {
		perror(path);
		return 1;
	}
	count = fread(values, sizeof(values[0]), COUNT(values), file);
	fclose(file);
	good = (as_map ? map : plot)(values, count, &picture) && palette_write(out, &picture);
	free(picture.pixels);
	return !good;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "--small"))
		return make_small(argv[2], argv[3]);
	if (argc == 4 && !strcmp(argv[1], "--plot"))
		return make_plot(argv[2], argv[3], false);
	if (argc == 4 && !strcmp(argv[1], "--map"))
		return make_plot(argv[2], argv[3], true);
	if (argc > 2 && argv[1][0] != '-')
		return make_sheet(argv[1], argv + 2, argc - 2);
	fprintf(stderr, "usage: v3dcl-sheet [--small | --plot | --map] OUT.png FILE...\n");
	return 2;
}
