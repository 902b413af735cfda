// SPDX-License-Identifier: MIT
/* Animated PNG, out of the chunks that libpng makes of each picture: see apng.h. */
#include <errno.h>
#include <string.h>

#include <zlib.h>

#include "apng.h"
#include "v3dcl_image.h"

#define SIGNATURE 8		/* bytes before the first chunk */
#define AROUND 12		/* bytes of a chunk beside its data: length, type, CRC */
#define FRAME_CONTROL 26	/* bytes of an fcTL chunk's data */

static uint32_t get_u32(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
}

static void put_u32(uint8_t *bytes, uint32_t value)
{
	bytes[0] = value >> 24;
	bytes[1] = value >> 16;
	bytes[2] = value >> 8;
	bytes[3] = value;
}

/* A chunk whose data are two pieces, one behind the other */
static void put_chunk(struct v3dcl_buffer *file, const char *type, const uint8_t *first,
		      uint32_t first_size, const uint8_t *second, uint32_t second_size)
{
	uint8_t head[8], end[4];
	uLong crc;

	put_u32(head, first_size + second_size);
	memcpy(head + 4, type, 4);
	crc = crc32(0, head + 4, 4);
	crc = crc32(crc, first, first_size);
	if (second_size)
		crc = crc32(crc, second, second_size);
	put_u32(end, crc);
	v3dcl_buffer_add(file, head, sizeof(head));
	v3dcl_buffer_add(file, first, first_size);
	if (second_size)
		v3dcl_buffer_add(file, second, second_size);
	v3dcl_buffer_add(file, end, sizeof(end));
}

/* How many pictures, and that they are shown again and again */
static void put_animation_control(struct apng *a)
{
	uint8_t data[8] = { 0 };

	put_u32(data, a->count);
	put_chunk(&a->file, "acTL", data, sizeof(data), NULL, 0);
}

/* The whole picture is another one; it replaces what was there. */
static void put_frame_control(struct apng *a)
{
	uint8_t data[FRAME_CONTROL] = { 0 };

	put_u32(data, a->sequence++);
	put_u32(data + 4, a->width);
	put_u32(data + 8, a->height);
	data[20] = a->delay_ms >> 8;
	data[21] = a->delay_ms;
	data[22] = 1000 >> 8;
	data[23] = 1000 & 255;
	put_chunk(&a->file, "fcTL", data, sizeof(data), NULL, 0);
}

/* Pixels of a picture: the first one's are what any reader takes for the file's */
static void put_pixels(struct apng *a, bool first, const uint8_t *data, uint32_t size)
{
	uint8_t number[4];

	if (first) {
		put_chunk(&a->file, "IDAT", data, size, NULL, 0);
		return;
	}
	put_u32(number, a->sequence++);
	put_chunk(&a->file, "fdAT", number, sizeof(number), data, size);
}

/* What libpng wrote is trusted to be whole chunks. */
static void take_chunks(struct apng *a, const struct v3dcl_buffer *png, bool first)
{
	size_t at = SIGNATURE;
	bool begun = false;

	while (at + AROUND <= png->size) {
		const uint8_t *chunk = png->bytes + at;
		const uint32_t size = get_u32(chunk);
		const bool is_pixels = !memcmp(chunk + 4, "IDAT", 4);

		if (is_pixels && !begun) {
			if (first)
				put_animation_control(a);
			put_frame_control(a);
			begun = true;
		}
		if (is_pixels)
			put_pixels(a, first, chunk + 8, size);
		else if (first && memcmp(chunk + 4, "IEND", 4))
			v3dcl_buffer_add(&a->file, chunk, size + AROUND);
		at += size + AROUND;
	}
}

int apng_add(struct apng *a, const uint8_t *rgba, uint32_t width, uint32_t height,
	     struct v3dcl_error *error)
{
	struct v3dcl_buffer png = { 0 };
	const bool first = !a->sequence;
	int ret;

	if (!first && (width != a->width || height != a->height))
		return v3dcl_fail(error, -EINVAL,
				  "this picture has %u x %u pixels, the first one %u x %u: in an "
				  "animation all have the same size", width, height, a->width,
				  a->height);
	ret = v3dcl_png_write(rgba, width, height, &png, error);
	if (!ret) {
		a->width = width;
		a->height = height;
		if (first)
			v3dcl_buffer_add(&a->file, png.bytes, SIGNATURE);
		take_chunks(a, &png, first);
	}
	v3dcl_buffer_free(&png);
	return ret ? ret : a->file.failed ? v3dcl_fail(error, -ENOMEM, "no memory") : 0;
}

bool apng_end(struct apng *a)
{
	static const uint8_t end[] = { 0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82 };

	v3dcl_buffer_add(&a->file, end, sizeof(end));
	return !a->file.failed;
}
