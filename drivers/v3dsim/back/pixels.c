// SPDX-License-Identifier: MIT
/* Pixel formats: see pixels.h. */
#include <string.h>
#include <sys/param.h>

#include "pixels.h"

/*
 * The mean of four rgba8888 pixels, two channels at a time in the halves of a word, halves rounded
 * up.
 */
static inline uint32_t mean(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	const uint32_t even = 0x00ff00ff;
	uint32_t low = (a & even) + (b & even) + (c & even) + (d & even) + 0x00020002;
	uint32_t high = (a >> 8 & even) + (b >> 8 & even) + (c >> 8 & even) + (d >> 8 & even) +
			0x00020002;

	return (low >> 2 & even) | (high >> 2 & even) << 8;
}

/* Words from a row of quads to the next one */
static inline uint32_t quads_stride(const struct pixels_area *area)
{
	return area->stride / 2 * 4 * area->samples * area->words;
}

/* Constant sizes make these moves of one or two registers. */
static inline __attribute__((always_inline)) void
to_rows(const struct pixels_area *area, const uint32_t *quads, uint32_t *rows, const uint32_t words)
{
	const uint32_t stride = area->stride * words;

	for (uint32_t y = 0; y < area->height;
	     y += 2, quads += quads_stride(area), rows += 2 * stride) {
		const uint32_t *quad = quads;

		for (uint32_t x = 0; x < area->width * words;
		     x += 2 * words, quad += 4 * words * area->samples) {
			memcpy(rows + x, quad, 2 * words * sizeof(*rows));
			memcpy(rows + stride + x, quad + 2 * words, 2 * words * sizeof(*rows));
		}
	}
}

static inline __attribute__((always_inline)) void from_rows(const struct pixels_area *area,
							    const uint32_t *rows, uint32_t *quads,
							    const uint32_t words)
{
	const uint32_t stride = area->stride * words;

	for (uint32_t y = 0; y < area->height;
	     y += 2, quads += quads_stride(area), rows += 2 * stride) {
		uint32_t *quad = quads;

		for (uint32_t x = 0; x < area->width * words; x += 2 * words) {
			for (uint32_t sample = 0; sample < area->samples;
			     sample++, quad += 4 * words) {
				memcpy(quad, rows + x, 2 * words * sizeof(*rows));
				memcpy(quad + 2 * words, rows + stride + x,
				       2 * words * sizeof(*rows));
			}
		}
	}
}

void pixels_to_rows(const struct pixels_area *area, const uint32_t *quads, uint32_t *rows)
{
	if (area->words == 1)
		to_rows(area, quads, rows, 1);
	else
		to_rows(area, quads, rows, 2);
}

void pixels_from_rows(const struct pixels_area *area, const uint32_t *rows, uint32_t *quads)
{
	if (area->words == 1)
		from_rows(area, rows, quads, 1);
	else
		from_rows(area, rows, quads, 2);
}

static inline uint32_t resolved(const uint32_t *quad, unsigned int pixel)
{
	return mean(quad[pixel], quad[4 + pixel], quad[8 + pixel], quad[12 + pixel]);
}

void pixels_resolve(const struct pixels_area *area, const uint32_t *quads, uint32_t *rows)
{
	for (uint32_t y = 0; y < area->height;
	     y += 2, quads += quads_stride(area), rows += 2 * area->stride) {
		const uint32_t *quad = quads;

		for (uint32_t x = 0; x < area->width; x += 2, quad += 16) {
			rows[x] = resolved(quad, 0);
			rows[x + 1] = resolved(quad, 1);
			rows[area->stride + x] = resolved(quad, 2);
			rows[area->stride + x + 1] = resolved(quad, 3);
		}
	}
}

void pixels_halve(const struct pixels_area *area, const uint32_t *quads, uint32_t *rows)
{
	for (uint32_t y = 0; y < area->height;
	     y += 2, quads += quads_stride(area), rows += area->stride / 2) {
		const uint32_t *quad = quads;

		for (uint32_t x = 0; x < area->width; x += 2, quad += 4 * area->samples) {
			if (area->samples == 1)
				rows[x / 2] = mean(quad[0], quad[1], quad[2], quad[3]);
			else
				rows[x / 2] = mean(resolved(quad, 0), resolved(quad, 1),
						   resolved(quad, 2), resolved(quad, 3));
		}
	}
}

static inline uint32_t saturating_add(uint32_t channel, uint32_t by)
{
	return MIN(channel + by, 255);
}

static inline uint16_t pack_565(uint32_t red, uint32_t green, uint32_t blue)
{
	return red >> 3 << 11 | green >> 2 << 5 | blue >> 3;
}

void pixels_to_565(const uint32_t *in, uint32_t width, uint32_t height, uint32_t stride,
		   bool dither, uint16_t *out)
{
	/* Bayer's order: sixteenths of what one step of the channel is worth */
	static const uint8_t bayer[4][4] = {
		{ 0, 8, 2, 10 }, { 12, 4, 14, 6 }, { 3, 11, 1, 9 }, { 15, 7, 13, 5 }
	};

	for (uint32_t y = 0; y < height; y++, in += stride, out += stride) {
		for (uint32_t x = 0; x < width; x++) {
			const uint32_t by = dither ? bayer[y % 4][x % 4] : 0, pixel = in[x];

			out[x] = pack_565(saturating_add(pixel & 0xff, by / 2),
					  saturating_add(pixel >> 8 & 0xff, by / 4),
					  saturating_add(pixel >> 16 & 0xff, by / 2));
		}
	}
}

uint32_t pixels_from_565(uint16_t pixel)
{
	uint32_t red = pixel >> 11, green = pixel >> 5 & 0x3f, blue = pixel & 0x1f;

	return (red << 3 | red >> 2) | (green << 2 | green >> 4) << 8 |
	       (blue << 3 | blue >> 2) << 16 | 0xff000000;
}
