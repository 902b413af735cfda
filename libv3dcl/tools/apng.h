/* SPDX-License-Identifier: MIT */
/*
 * Animated PNG: a PNG file whose further pictures are in chunks that other readers leave out.
 * Source: PNG specification (third edition), acTL, fcTL, fdAT.
 */
#ifndef V3DCL_TOOL_APNG_H
#define V3DCL_TOOL_APNG_H

#include <stdbool.h>
#include <stdint.h>

#include "v3dcl_buffer.h"
#include "v3dcl_error.h"

/**
 * struct apng - an animation being written
 * @file: what there is of it
 * @width: pixels, of all its pictures
 * @height: likewise
 * @count: of pictures that it will have
 * @delay_ms: how long each is shown
 * @sequence: of the next chunk that has a number
 */
struct apng {
	struct v3dcl_buffer file;
	uint32_t width, height, count, delay_ms, sequence;
};

/**
 * apng_add() - a picture more
 * @a: with count and delay_ms set, all else 0 before the first
 * @rgba: pixels, 4 bytes each
 * @width: of the first picture's size, like @height
 * @height: see @width
 * @error: filled where the call fails
 * Return: 0, -EINVAL for a picture of another size, -ENOMEM
 */
int apng_add(struct apng *a, const uint8_t *rgba, uint32_t width, uint32_t height,
	     struct v3dcl_error *error);

/* Behind the last picture: @a->file is the file. Return: false without memory */
bool apng_end(struct apng *a);

#endif /* V3DCL_TOOL_APNG_H */
