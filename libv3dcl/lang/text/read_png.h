/* SPDX-License-Identifier: MIT */
/* The pixels of a PNG file. */
#ifndef V3DCL_LANG_TEXT_READ_PNG_H
#define V3DCL_LANG_TEXT_READ_PNG_H

#include "v3dcl_buffer.h"
#include "v3dcl_error.h"

/* Most pixels across and down */
#define SCRIPT_MOST_PIXELS 4096

int script_read_png(const uint8_t *bytes, size_t size, struct v3dcl_buffer *rgba, uint32_t *width,
		    uint32_t *height, struct v3dcl_error *error);

#endif /* V3DCL_LANG_TEXT_READ_PNG_H */
