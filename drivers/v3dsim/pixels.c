// SPDX-License-Identifier: MIT
/* Pixel formats: see pixels.h. */
#include "pixels.h"

/* The mean of four rgba8888 pixels, two channels at a time in the halves of a word, halves rounded up. */
static inline uint32_t mean(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	const uint32_t even = 0x00ff00ff;
	uint32_t low = (a & even) + (b & even) + (c & even) + (d & even) + 0x00020002;
	uint32_t high = (a >> 8 & even) + (b >> 8 & even) + (c >> 8 & even) + (d >> 8 & even) + 0x00020002;

	return (low >> 2 & even) | (high >> 2 & even) << 8;
}

void pixels_average_samples(const uint32_t *planes, uint32_t plane, uint32_t *out)
{
	uint32_t i;

	for (i = 0; i < plane; i++)
		out[i] = mean(planes[i], planes[plane + i], planes[2 * plane + i], planes[3 * plane + i]);
}

void pixels_average_quads(const uint32_t *in, uint32_t width, uint32_t height, uint32_t *out)
{
	uint32_t x, y;

	for (y = 0; y < height; y += 2)
		for (x = 0; x < width; x += 2)
			out[y / 2 * (width / 2) + x / 2] = mean(in[y * width + x], in[y * width + x + 1], in[(y + 1) * width + x],
								in[(y + 1) * width + x + 1]);
}

static inline uint32_t raise(uint32_t channel, uint32_t by)
{
	return channel + by > 255 ? 255 : channel + by;
}

static inline uint16_t pack_565(uint32_t red, uint32_t green, uint32_t blue)
{
	return red >> 3 << 11 | green >> 2 << 5 | blue >> 3;
}

void pixels_to_565(const uint32_t *in, uint32_t width, uint32_t count, bool dither, uint16_t *out)
{
	/* Bayer's order: sixteenths of what one step of the channel is worth */
	static const uint8_t bayer[4][4] = { { 0, 8, 2, 10 }, { 12, 4, 14, 6 }, { 3, 11, 1, 9 }, { 15, 7, 13, 5 } };
	uint32_t i, by;

	for (i = 0; i < count; i++) {
		by = dither ? bayer[i / width % 4][i % width % 4] : 0;
		out[i] = pack_565(raise(in[i] & 0xff, by / 2), raise(in[i] >> 8 & 0xff, by / 4), raise(in[i] >> 16 & 0xff, by / 2));
	}
}

uint32_t pixels_from_565(uint16_t pixel)
{
	uint32_t red = pixel >> 11, green = pixel >> 5 & 0x3f, blue = pixel & 0x1f;

	return (red << 3 | red >> 2) | (green << 2 | green >> 4) << 8 | (blue << 3 | blue >> 2) << 16 | 0xff000000;
}
