// SPDX-License-Identifier: MIT
/* Pixel formats: see pixels.h. */
#include <string.h>

#include "pixels.h"

/* The mean of four rgba8888 pixels, two channels at a time in the halves of a word, halves rounded up. */
static inline uint32_t mean(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	const uint32_t even = 0x00ff00ff;
	uint32_t low = (a & even) + (b & even) + (c & even) + (d & even) + 0x00020002;
	uint32_t high = (a >> 8 & even) + (b >> 8 & even) + (c >> 8 & even) + (d >> 8 & even) + 0x00020002;

	return (low >> 2 & even) | (high >> 2 & even) << 8;
}

void pixels_average_samples(const uint32_t *quads, uint32_t count, uint32_t *out)
{
	uint32_t quad, i;

	for (quad = 0; quad < count; quad++, quads += 16, out += 4)
		for (i = 0; i < 4; i++)
			out[i] = mean(quads[i], quads[4 + i], quads[8 + i], quads[12 + i]);
}

void pixels_average_quads(const uint32_t *quads, uint32_t count, uint32_t *out)
{
	uint32_t quad;

	for (quad = 0; quad < count; quad++, quads += 4)
		out[quad] = mean(quads[0], quads[1], quads[2], quads[3]);
}

void pixels_to_rows(const uint32_t *quads, uint32_t width, uint32_t height, uint32_t samples, uint32_t words, uint32_t *rows)
{
	const uint32_t stride = 4 * samples * words, pair = 2 * words;
	uint32_t x, y;

	for (y = 0; y < height; y += 2, rows += 2 * width * words) {
		for (x = 0; x < width; x += 2, quads += stride) {
			memcpy(rows + x * words, quads, pair * sizeof(*rows));
			memcpy(rows + (width + x) * words, quads + pair, pair * sizeof(*rows));
		}
	}
}

void pixels_from_rows(const uint32_t *rows, uint32_t width, uint32_t height, uint32_t samples, uint32_t words, uint32_t *quads)
{
	const uint32_t pair = 2 * words;
	uint32_t x, y, sample;

	for (y = 0; y < height; y += 2, rows += 2 * width * words) {
		for (x = 0; x < width; x += 2) {
			for (sample = 0; sample < samples; sample++, quads += 2 * pair) {
				memcpy(quads, rows + x * words, pair * sizeof(*rows));
				memcpy(quads + pair, rows + (width + x) * words, pair * sizeof(*rows));
			}
		}
	}
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
