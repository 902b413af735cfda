// SPDX-License-Identifier: MIT
/*
 * Pictures of few colours, for manuals: colours are halved by the median of the channel in which
 * they differ most.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "sheet.h"

#define COLOURS 256

/* A colour, how many pixels have it, and its place in the palette */
struct colour {
	uint32_t rgb, count, index;
};

/* Colours from @first on, @count of them */
struct box {
	size_t first, count;
};

static int channel;		/* that qsort() compares */

static int by_channel(const void *a, const void *b)
{
	int x = ((const struct colour *)a)->rgb >> channel & 255,
	    y = ((const struct colour *)b)->rgb >> channel & 255;

	return x - y;
}

static int by_rgb(const void *a, const void *b)
{
	uint32_t x = ((const struct colour *)a)->rgb, y = ((const struct colour *)b)->rgb;

	return x < y ? -1 : x > y;
}

static int spread(const struct colour *colours, const struct box *box, int shift)
{
	int low = 255, high = 0;
	size_t i;

	for (i = box->first; i < box->first + box->count; i++) {
		int value = colours[i].rgb >> shift & 255;

		low = value < low ? value : low;
		high = value > high ? value : high;
	}
	return high - low;
}

/* The box whose colours differ most, and in which channel; NULL: none differs */
static struct box *widest(const struct colour *colours, struct box *boxes, size_t count)
{
	struct box *found = NULL;
	int most = 0, shift, width;
	size_t i;

	for (i = 0; i < count; i++) {
		for (shift = 0; shift < 24; shift += 8) {
			width = spread(colours, &boxes[i], shift);
			if (width > most) {
				most = width;
				found = &boxes[i];
				channel = shift;
			}
		}
	}
	return found;
}

/* Where half of the pixels are; at least one colour on each side */
static size_t median(const struct colour *colours, const struct box *box)
{
	uint64_t all = 0, sum = 0;
	size_t i;

	for (i = 0; i < box->count; i++)
		all += colours[box->first + i].count;
	for (i = 0; i + 1 < box->count; i++) {
		sum += colours[box->first + i].count;
		if (2 * sum >= all)
			break;
	}
	return i + 1 < box->count ? i + 1 : i;
}

static size_t make_boxes(struct colour *colours, size_t count, struct box *boxes)
{
	size_t made = 1, left;
	struct box *box;

	boxes[0] = (struct box){ 0, count };
	while (made < COLOURS) {
		box = widest(colours, boxes, made);
		if (!box)
			break;
		qsort(colours + box->first, box->count, sizeof(*colours), by_channel);
		left = median(colours, box);
		boxes[made++] = (struct box){ box->first + left, box->count - left };
		box->count = left;
	}
	return made;
}

static void mean(struct colour *colours, const struct box *box, uint32_t index, uint8_t *rgb)
{
	uint64_t sum[3] = { 0 }, pixels = 0;
	size_t i, c;

	for (i = box->first; i < box->first + box->count; i++) {
		for (c = 0; c < 3; c++)
			sum[c] += (uint64_t)(colours[i].rgb >> 8 * c & 255) * colours[i].count;
		pixels += colours[i].count;
		colours[i].index = index;
	}
	for (c = 0; c < 3; c++)
		rgb[c] = pixels ? sum[c] / pixels : 0;
}

/* Each colour once. Return: how many */
static size_t find_colours(const struct picture *picture, struct colour *colours)
{
	size_t all = (size_t)picture->width * picture->height, count = 0, i;

	for (i = 0; i < all; i++)
		colours[i] = (struct colour){ .rgb = picture->pixels[i] & 0xffffff, .count = 1 };
	qsort(colours, all, sizeof(*colours), by_rgb);
	for (i = 0; i < all; i++) {
		if (count && colours[count - 1].rgb == colours[i].rgb)
			colours[count - 1].count++;
		else
			colours[count++] = colours[i];
	}
	return count;
}

bool palette_write(const char *path, const struct picture *picture)
{
	size_t all = (size_t)picture->width * picture->height, count, made, i;
	struct colour *colours = malloc(all * sizeof(*colours)), key = { 0 };
	png_image image = { .version = PNG_IMAGE_VERSION, .width = picture->width,
			    .height = picture->height };
	uint8_t *indices = malloc(all), palette[3 * COLOURS];
	struct box boxes[COLOURS];
	bool good = colours && indices;

	if (good) {
		count = find_colours(picture, colours);
		made = make_boxes(colours, count, boxes);
		for (i = 0; i < made; i++)
			mean(colours, &boxes[i], i, palette + 3 * i);
		qsort(colours, count, sizeof(*colours), by_rgb);
		for (i = 0; i < all; i++) {
			key.rgb = picture->pixels[i] & 0xffffff;
			indices[i] = ((struct colour *)bsearch(&key, colours, count, sizeof(key),
							       by_rgb))
					     ->index;
		}
		image.format = PNG_FORMAT_RGB_COLORMAP;
		image.colormap_entries = made;
		good = png_image_write_to_file(&image, path, 0, indices, 0, palette);
	}
	if (!good)
		fprintf(stderr, "v3dcl-sheet: %s: %s\n", path,
			image.message[0] ? image.message : "no memory");
	free(colours);
	free(indices);
	return good;
}
