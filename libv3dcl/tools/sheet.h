/* SPDX-License-Identifier: MIT */
/* Pictures for people: what v3dcl-sheet is made of. */
#ifndef V3DCL_TOOL_SHEET_H
#define V3DCL_TOOL_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pixels as png has them: red, green, blue, alpha, a byte each */
struct picture {
	uint32_t width, height;
	uint32_t *pixels;
};

/**
 * palette_write() - a PNG file with a palette of at most 256 colours.
 *
 * Return: false after saying why
 */
bool palette_write(const char *path, const struct picture *picture);
/* A curve of @count numbers on paper. Return: false without memory */
bool plot(const float *values, size_t count, struct picture *picture);
/**
 * map() - a square of @count numbers, a cell each: orange above 0, blue below.
 *
 * Return: false without memory
 */
bool map(const float *values, size_t count, struct picture *picture);

#endif /* V3DCL_TOOL_SHEET_H */
