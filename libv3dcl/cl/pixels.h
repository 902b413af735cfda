/* SPDX-License-Identifier: MIT */
/* ETC1, block by block. */
#ifndef V3DCL_CL_PIXELS_H
#define V3DCL_CL_PIXELS_H

#include "v3dcl_image.h"

/* Rows of blocks, @stride bytes from one to the next, to texels and back; arguments are checked */
void cl_etc1_to_rgba(const uint8_t *blocks, size_t stride, uint32_t width, uint32_t height,
		     uint8_t *rgba);
void cl_etc1_from_rgba(const uint8_t *rgba, uint32_t width, uint32_t height, uint8_t *blocks,
		       size_t stride);

#endif /* V3DCL_CL_PIXELS_H */
