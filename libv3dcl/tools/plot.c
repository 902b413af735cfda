// SPDX-License-Identifier: MIT
/* Numbers as a curve or as a map, so that what has no picture has one. */
#include <math.h>
#include <stdlib.h>

#include "sheet.h"

#define WIDTH 480
#define HEIGHT 360
#define MARGIN 12
#define PAPER 0xfff4f6f7
#define INK 0xff8c3c14
#define AXIS 0xffb8b0a8

static void column(struct picture *picture, uint32_t x, int from, int to, uint32_t colour)
{
	int y;

	for (y = from < to ? from : to; y <= (from < to ? to : from); y++)
		picture->pixels[(size_t)y * WIDTH + x] = colour;
}

bool plot(const float *values, size_t count, struct picture *picture)
{
	const uint32_t across = WIDTH - 2 * MARGIN;
	float low = 0, high = 0;
	size_t i;
	uint32_t x;

	*picture = (struct picture){ WIDTH, HEIGHT, malloc(WIDTH * HEIGHT * sizeof(uint32_t)) };
	if (!picture->pixels)
		return false;
	for (i = 0; i < WIDTH * HEIGHT; i++)
		picture->pixels[i] = PAPER;
	for (i = 0; i < count; i++) {
		low = isfinite(values[i]) && values[i] < low ? values[i] : low;
		high = isfinite(values[i]) && values[i] > high ? values[i] : high;
	}
	for (x = 0; x < across; x++) {
		const double scale = (HEIGHT - 2 * MARGIN - 1) /
				     (high > low ? (double)high - low : 1);
		int zero = HEIGHT - 1 - MARGIN - (int)((0 - low) * scale), last = -1, y;

		column(picture, MARGIN + x, zero, zero, AXIS);
		/* All numbers that fall into this column, and the way to the next one */
		for (i = (size_t)x * count / across;
		     i < count && i <= (size_t)(x + 1) * count / across; i++) {
			y = isfinite(values[i]) ?
				    HEIGHT - 1 - MARGIN - (int)((values[i] - low) * scale) :
				    zero;
			column(picture, MARGIN + x, last < 0 ? y : last, y, INK);
			last = y;
		}
	}
	return true;
}

/* From paper to orange or blue */
static uint32_t shade(double share)
{
	static const uint8_t ends[2][3] = { { 0x1c, 0x50, 0xa8 }, { 0xd8, 0x60, 0x10 } };
	const uint8_t *end = ends[share > 0];
	uint32_t pixel = 0xff000000, c;

	for (c = 0; c < 3; c++)
		pixel |= (uint32_t)(0xf4 + (end[c] - 0xf4) * fabs(share)) << 8 * c;
	return pixel;
}

bool map(const float *values, size_t count, struct picture *picture)
{
	const uint32_t side = sqrt(count),
		       cell = HEIGHT / (side ? side : 1) ? HEIGHT / (side ? side : 1) : 1;
	const uint32_t pixels = cell * (side ? side : 1);
	double most = 0;
	uint32_t x, y;
	size_t i;

	*picture = (struct picture){ pixels, pixels,
				     calloc((size_t)pixels * pixels, sizeof(uint32_t)) };
	if (!picture->pixels)
		return false;
	for (i = 0; i < count; i++)
		most = isfinite(values[i]) && fabs(values[i]) > most ? fabs(values[i]) : most;
	for (y = 0; y < pixels && side; y++) {
		for (x = 0; x < pixels; x++) {
			const float value = values[(size_t)(y / cell) * side + x / cell];

			picture->pixels[(size_t)y * pixels + x] =
				shade(isfinite(value) && most > 0 ? value / most : 0);
		}
	}
	return true;
}
