/* SPDX-License-Identifier: MIT */
/*
 * The least of PNG: 8-bit RGB, not compressed (deflate's stored blocks), so that no machine needs a
 * library for it. Source: the PNG specification, RFC 1950 and 1951.
 */
#ifndef V3DCL_PNG_H
#define V3DCL_PNG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct png {
	FILE *file;
	uint32_t crc;
};

static inline void png_bytes(struct png *png, const void *bytes, size_t size)
{
	const uint8_t *p = bytes;
	unsigned int bit;
	size_t i;

	for (i = 0; i < size; i++) {
		png->crc ^= p[i];
		for (bit = 0; bit < 8; bit++)
			png->crc = png->crc >> 1 ^ (png->crc & 1 ? 0xedb88320 : 0);
	}
	fwrite(bytes, 1, size, png->file);
}

static inline void png_u32(struct png *png, uint32_t value)
{
	const uint8_t bytes[4] = { value >> 24, value >> 16, value >> 8, value };

	png_bytes(png, bytes, 4);
}

static inline void png_chunk(struct png *png, const char *type, uint32_t size)
{
	png_u32(png, size);
	png->crc = ~0u;
	png_bytes(png, type, 4);
}

static inline void png_chunk_end(struct png *png)
{
	png_u32(png, ~png->crc);
}

/* The rows, each after a filter byte of 0, in blocks of at most 65535 bytes */
static inline void png_data(struct png *png, const uint8_t *raw, size_t size)
{
	size_t blocks = (size + 65534) / 65535, i, length;
	uint32_t a = 1, b = 0;

	png_chunk(png, "IDAT", 2 + blocks * 5 + size + 4);
	png_bytes(png, "\x78\x01", 2);
	for (i = 0; i < size; i += length) {
		length = size - i < 65535 ? size - i : 65535;
		png_bytes(png,
			  (const uint8_t[]){ i + length == size, length, length >> 8, ~length,
					     ~length >> 8 },
			  5);
		png_bytes(png, raw + i, length);
	}
	for (i = 0; i < size; i++) {
		a = (a + raw[i]) % 65521;
		b = (b + a) % 65521;
	}
	png_u32(png, b << 16 | a);
	png_chunk_end(png);
}

/**
 * png_write() - a picture as a file
 * @path: of the file, which is written anew
 * @pixels: rows of @width words, red in bits 7:0, green in 15:8, blue in 23:16
 * @width: pixels
 * @height: pixels
 *
 * Return: false if the file cannot be written
 */
static inline bool png_write(const char *path, const uint32_t *pixels, unsigned int width,
			     unsigned int height)
{
	size_t size = (size_t)height * (3 * width + 1);
	uint8_t *raw = calloc(1, size), *p = raw;
	struct png png = { .file = fopen(path, "wb") };
	unsigned int x, y;
	bool good;

	if (!raw || !png.file) {
		free(raw);
		if (png.file)
			fclose(png.file);
		return false;
	}
	for (y = 0; y < height; y++) {
		*p++ = 0;
		for (x = 0; x < width; x++, pixels++) {
			*p++ = *pixels;
			*p++ = *pixels >> 8;
			*p++ = *pixels >> 16;
		}
	}
	fwrite("\x89PNG\r\n\x1a\n", 1, 8, png.file);
	png_chunk(&png, "IHDR", 13);
	png_u32(&png, width);
	png_u32(&png, height);
	png_bytes(&png, "\x08\x02\0\0\0", 5);
	png_chunk_end(&png);
	png_data(&png, raw, size);
	png_chunk(&png, "IEND", 0);
	png_chunk_end(&png);
	free(raw);
	good = !ferror(png.file);
	return fclose(png.file) == 0 && good;
}

#endif /* V3DCL_PNG_H */
