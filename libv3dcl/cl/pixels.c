// SPDX-License-Identifier: MIT
/*
 * Texels of all types to and from 8-bit RGBA. Channels of fewer bits repeat them from the top, so
 * that all ones are 255; the red channel of 16-bit colours has the highest bits; texels smaller
 * than a byte begin at its lowest bits. None of this is established by AG100: it is what existing
 * users of the chip rely on.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "pixels.h"

#define WIDEN4(v) ((v) << 4 | (v))
#define WIDEN5(v) ((v) << 3 | (v) >> 2)
#define WIDEN6(v) ((v) << 2 | (v) >> 4)
#define OPAQUE 0xff000000u
#define GREY(v) ((v) * 0x010101u)

static uint32_t rgb(uint32_t r, uint32_t g, uint32_t b)
{
	return r | g << 8 | b << 16;
}

/* A 16-bit float, cut to 0 to 1, as 0 to 255 */
static uint32_t half_to_byte(uint32_t half)
{
	const uint32_t exponent = half >> 10 & 31, mantissa = half & 0x3ff;
	uint32_t fixed;		/* in 2^-24 */

	if (half & 0x8000 || !(half & 0x7fff))
		return 0;
	if (exponent >= 15)
		return 255;
	fixed = exponent ? (0x400 | mantissa) << (exponent - 1) : mantissa;
	return ((uint64_t)fixed * 255 + (1u << 23)) >> 24;
}

/* n / 255 to the nearest 16-bit float */
static uint32_t byte_to_half(uint32_t n)
{
	/* in 2^-24, to one more than the mantissa needs at least */
	uint32_t fixed = ((uint64_t)n << 24) / 255, exponent = 1;

	if (!n)
		return 0;
	while (fixed >> (exponent - 1) >= 0x800)
		exponent++;
	fixed = ((fixed >> (exponent - 1)) + (exponent > 1 ? fixed >> (exponent - 2) & 1 : 0)) -
		0x400;
	return (exponent << 10) + fixed;
}

static uint32_t clip(int32_t value)
{
	return MIN(MAX(value, 0), 255);
}

/* ITU-R BT.601 in 8 bits, as is usual in integers */
static uint32_t yuv_to_rgb(int32_t y, int32_t u, int32_t v)
{
	y = 298 * (y - 16) + 128;
	u -= 128;
	v -= 128;
	return rgb(clip((y + 409 * v) >> 8), clip((y - 100 * u - 208 * v) >> 8),
		   clip((y + 516 * u) >> 8));
}

/* A unit, in the lowest bits of @word; @x: which of its texels */
static uint32_t decode(uint32_t type, uint64_t word, uint32_t x)
{
	const uint32_t w = word;

	switch (type) {
	case V3D_TEXTURE_RGBX8888:
		return w | OPAQUE;
	case V3D_TEXTURE_RGBA4444:
		return rgb(WIDEN4(w >> 12), WIDEN4(w >> 8 & 15), WIDEN4(w >> 4 & 15)) |
		       WIDEN4(w & 15) << 24;
	case V3D_TEXTURE_RGBA5551:
		return rgb(WIDEN5(w >> 11), WIDEN5(w >> 6 & 31), WIDEN5(w >> 1 & 31)) |
		       (w & 1 ? OPAQUE : 0);
	case V3D_TEXTURE_RGB565:
		return rgb(WIDEN5(w >> 11), WIDEN6(w >> 5 & 63), WIDEN5(w & 31)) | OPAQUE;
	case V3D_TEXTURE_LUMINANCE:
	case V3D_TEXTURE_S8:
		return GREY(w) | OPAQUE;
	case V3D_TEXTURE_ALPHA:
		return w << 24;
	case V3D_TEXTURE_LUMALPHA:
		return GREY(w & 0xff) | w >> 8 << 24;
	case V3D_TEXTURE_S16F:
		return GREY(half_to_byte(w)) | OPAQUE;
	case V3D_TEXTURE_S16:
		return GREY(w >> 8) | OPAQUE;
	case V3D_TEXTURE_BW1:
		return (w & 1 ? 0xffffff : 0) | OPAQUE;
	case V3D_TEXTURE_A4:
		return WIDEN4(w) << 24;
	case V3D_TEXTURE_A1:
		return w & 1 ? OPAQUE : 0;
	case V3D_TEXTURE_RGBA64:
		return rgb(half_to_byte(w & 0xffff), half_to_byte(w >> 16),
			   half_to_byte(word >> 32 & 0xffff)) |
		       half_to_byte(word >> 48) << 24;
	case V3D_TEXTURE_YUYV422R:
		return yuv_to_rgb(x & 1 ? w >> 16 & 0xff : w & 0xff, w >> 8 & 0xff, w >> 24) |
		       OPAQUE;
	default:
		return w;
	}
}

/* To the nearest of @most + 1 steps */
static uint32_t narrow(uint32_t byte, uint32_t most)
{
	return (byte * most + 127) / 255;
}

static uint32_t luma(const uint8_t *c)
{
	return ((66 * c[0] + 129 * c[1] + 25 * c[2] + 128) >> 8) + 16;
}

/* Two texels share their colour: that of their mean. */
static uint32_t encode_yuyv(const uint8_t *first, const uint8_t *second)
{
	const int32_t r = (first[0] + second[0]) / 2, g = (first[1] + second[1]) / 2,
		      b = (first[2] + second[2]) / 2;
	const uint32_t u = clip(((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128);
	const uint32_t v = clip(((112 * r - 94 * g - 18 * b + 128) >> 8) + 128);

	return luma(first) | u << 8 | luma(second) << 16 | v << 24;
}

static uint64_t encode(uint32_t type, const uint8_t *c)
{
	const uint32_t r = c[0], g = c[1], b = c[2], a = c[3];

	switch (type) {
	case V3D_TEXTURE_RGBX8888:
		return rgb(r, g, b) | OPAQUE;
	case V3D_TEXTURE_RGBA4444:
		return narrow(r, 15) << 12 | narrow(g, 15) << 8 | narrow(b, 15) << 4 |
		       narrow(a, 15);
	case V3D_TEXTURE_RGBA5551:
		return narrow(r, 31) << 11 | narrow(g, 31) << 6 | narrow(b, 31) << 1 | narrow(a, 1);
	case V3D_TEXTURE_RGB565:
		return narrow(r, 31) << 11 | narrow(g, 63) << 5 | narrow(b, 31);
	case V3D_TEXTURE_LUMINANCE:
	case V3D_TEXTURE_S8:
		return r;
	case V3D_TEXTURE_ALPHA:
		return a;
	case V3D_TEXTURE_LUMALPHA:
		return r | a << 8;
	case V3D_TEXTURE_S16F:
		return byte_to_half(r);
	case V3D_TEXTURE_S16:
		return r | r << 8;
	case V3D_TEXTURE_BW1:
		return narrow(r, 1);
	case V3D_TEXTURE_A4:
		return narrow(a, 15);
	case V3D_TEXTURE_A1:
		return narrow(a, 1);
	case V3D_TEXTURE_RGBA64:
		return byte_to_half(r) | byte_to_half(g) << 16 |
		       (uint64_t)(byte_to_half(b) | byte_to_half(a) << 16) << 32;
	default:
		return rgb(r, g, b) | a << 24;
	}
}

static uint64_t read_unit(const uint8_t *row, uint32_t bits, uint32_t n)
{
	uint64_t word = 0;
	uint32_t i;

	if (bits < 8)
		return row[n * bits / 8] >> n * bits % 8 & ((1u << bits) - 1);
	for (i = 0; i < bits / 8; i++)
		word |= (uint64_t)row[(size_t)n * bits / 8 + i] << 8 * i;
	return word;
}

static void write_unit(uint8_t *row, uint32_t bits, uint32_t n, uint64_t word)
{
	const uint32_t shift = n * bits % 8, mask = ((1u << bits % 8) - 1) << shift;
	uint32_t i;

	if (bits < 8)
		row[n * bits / 8] = (row[n * bits / 8] & ~mask) | word << shift;
	for (i = 0; i < bits / 8; i++)
		row[(size_t)n * bits / 8 + i] = word >> 8 * i;
}

static void put_rgba(uint8_t *rgba, uint32_t color)
{
	rgba[0] = color;
	rgba[1] = color >> 8;
	rgba[2] = color >> 16;
	rgba[3] = color >> 24;
}

static int check(const struct v3dcl_texture_type *type, uint32_t number, size_t stride,
		 uint32_t width, struct v3dcl_error *error)
{
	uint64_t units;

	if (!type)
		return v3dcl_fail(error, -EINVAL, "there is no texture type %u", number);
	units = howmany((uint64_t)width, type->block_width);
	if (stride < howmany(units * type->unit_bits, 8))
		return v3dcl_fail(error, -EINVAL, "rows of %llu units of %u bits every %zu bytes",
				  (unsigned long long)units, type->unit_bits, stride);
	return 0;
}

int v3dcl_pixels_to_rgba(uint32_t type, const void *units, size_t stride, uint32_t width,
			 uint32_t height, uint8_t *rgba, struct v3dcl_error *error)
{
	const struct v3dcl_texture_type *info = v3dcl_texture_info(type);
	const uint8_t *row = units;
	uint32_t x, y;
	int ret = check(info, type, stride, width, error);

	if (ret)
		return ret;
	if (type == V3D_TEXTURE_ETC1) {
		cl_etc1_to_rgba(row, stride, width, height, rgba);
		return 0;
	}
	for (y = 0; y < height; y++, row += stride)
		for (x = 0; x < width; x++, rgba += 4)
			put_rgba(rgba,
				 decode(type,
					read_unit(row, info->unit_bits, x / info->block_width), x));
	return 0;
}

int v3dcl_pixels_from_rgba(uint32_t type, const uint8_t *rgba, uint32_t width, uint32_t height,
			   void *units, size_t stride, struct v3dcl_error *error)
{
	const struct v3dcl_texture_type *info = v3dcl_texture_info(type);
	uint8_t *row = units;
	uint32_t x, y;
	int ret = check(info, type, stride, width, error);

	if (ret)
		return ret;
	if (type == V3D_TEXTURE_ETC1) {
		cl_etc1_from_rgba(rgba, width, height, row, stride);
		return 0;
	}
	for (y = 0; y < height; y++, row += stride, rgba += (size_t)width * 4) {
		for (x = 0; x < width; x += info->block_width) {
			const uint8_t *first = rgba + (size_t)x * 4,
				      *second = x + 1 < width ? first + 4 : first;

			write_unit(row, info->unit_bits, x / info->block_width,
				   type == V3D_TEXTURE_YUYV422R ? encode_yuyv(first, second) :
								  encode(type, first));
		}
	}
	return 0;
}
