// SPDX-License-Identifier: MIT
/*
 * A contact sheet: pictures in rows, each shrunk into a cell.
 *
 *	v3dcl-sheet OUT.png FILE.png...
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

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

/* The average of the pixels that fall into one of the cell's, or the nearest one; alpha does not count */
static uint32_t sample(const uint32_t *pixels, const png_image *image, double scale, unsigned int x, unsigned int y)
{
	unsigned int x0 = x / scale, y0 = y / scale, x1 = (x + 1) / scale, y1 = (y + 1) / scale, i, k, n = 0, c;
	uint64_t sum[3] = { 0 };

	for (k = y0; (k < y1 || k == y0) && k < image->height; k++) {
		for (i = x0; (i < x1 || i == x0) && i < image->width; i++, n++) {
			for (c = 0; c < 3; c++)
				sum[c] += pixels[(size_t)k * image->width + i] >> 8 * c & 255;
		}
	}
	return n ? 0xff000000 | (uint32_t)(sum[0] / n) | (uint32_t)(sum[1] / n) << 8 | (uint32_t)(sum[2] / n) << 16 : PAPER;
}

static void place(uint32_t *sheet, unsigned int pitch, const uint32_t *pixels, const png_image *image)
{
	double across = (double)CELL_WIDTH / image->width, down = (double)CELL_HEIGHT / image->height;
	double scale = across < down ? across : down;
	unsigned int width = image->width * scale, height = image->height * scale, x, y;

	sheet += (size_t)(CELL_HEIGHT - height) / 2 * pitch + (CELL_WIDTH - width) / 2;
	for (y = 0; y < height; y++) {
		for (x = 0; x < width; x++)
			sheet[(size_t)y * pitch + x] = sample(pixels, image, scale, x, y);
	}
}

int main(int argc, char **argv)
{
	unsigned int count = argc > 2 ? argc - 2 : 0, rows = (count + COLUMNS - 1) / COLUMNS, i;
	unsigned int width = GAP + COLUMNS * (CELL_WIDTH + GAP), height = GAP + rows * (CELL_HEIGHT + GAP);
	png_image image, out = { .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGBA };
	uint32_t *sheet = malloc((size_t)width * height * sizeof(*sheet)), *pixels;

	if (!count || !sheet) {
		fprintf(stderr, "usage: v3dcl-sheet OUT.png FILE.png...\n");
		return 2;
	}
	for (i = 0; i < width * height; i++)
		sheet[i] = PAPER;
	for (i = 0; i < count; i++) {
		pixels = read_png(argv[2 + i], &image);
		if (!pixels)
			return 1;
		place(sheet + (size_t)(GAP + i / COLUMNS * (CELL_HEIGHT + GAP)) * width + GAP + i % COLUMNS * (CELL_WIDTH + GAP),
		      width,
		      pixels, &image);
		free(pixels);
	}
	if (!png_image_write_to_file(&out, argv[1], 0, sheet, 0, NULL)) {
		fprintf(stderr, "v3dcl-sheet: %s: %s\n", argv[1], out.message);
		return 1;
	}
	free(sheet);
	return 0;
}
