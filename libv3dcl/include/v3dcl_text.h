/* SPDX-License-Identifier: MIT */
/*
 * The text format: one file holds a whole job. Read it, run it on a device, write what a device was given.
 */
#ifndef V3DCL_TEXT_H
#define V3DCL_TEXT_H

#include <stddef.h>

#include "v3dcl_device.h"

#ifdef __cplusplus
extern "C" {
#endif

struct v3dcl_script;

/**
 * v3dcl_script_read() - text to a job
 * @name: of the file, for messages and for files that it names (relative to it); or NULL
 * @source: need not end in NUL
 * @length: bytes
 * @script: result, the caller's: v3dcl_script_free()
 * @error: with line, column and caret
 * Return: 0, -EINVAL for a text that is wrong, -ENOMEM, or what opening a file gave
 */
int v3dcl_script_read(const char *name, const char *source, size_t length, struct v3dcl_script **script,
		      struct v3dcl_error *error);

void v3dcl_script_free(struct v3dcl_script *script);

/**
 * v3dcl_script_check() - would a device take it?
 * @script: read
 * Return: 0, or -EINVAL with the byte, record, field, rule and what was expected
 */
int v3dcl_script_check(const struct v3dcl_script *script, struct v3dcl_error *error);

/**
 * struct v3dcl_saved - something that a job saves
 * @name: as the script calls it
 * @bytes: @size bytes, valid during the callback
 * @size: of it
 * @width: pixels, 0 for plain bytes
 * @height: rows
 * @rgba: the same as 8-bit RGBA, raster order, when it is a picture; else NULL
 */
struct v3dcl_saved {
	const char *name;
	const uint8_t *bytes;
	uint64_t size;
	uint32_t width, height;
	const uint8_t *rgba;
};

/**
 * v3dcl_script_run() - run it
 * @script: read
 * @device: to run on
 * @saved: called for each thing that it saves, in order; returns 0 or a negative errno, which ends the run
 * @opaque: handed to it
 */
int v3dcl_script_run(const struct v3dcl_script *script, struct v3dcl_device *device,
		     int (*saved)(void *opaque, const struct v3dcl_saved *saved), void *opaque, struct v3dcl_error *error);

#ifdef __cplusplus
}
#endif

#endif /* V3DCL_TEXT_H */
