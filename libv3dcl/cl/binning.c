// SPDX-License-Identifier: MIT
/* How a bin list begins, and the memory that the binner takes. */
#include <errno.h>
#include <sys/param.h>

#include "cl.h"
#include "validate.h"

/*
 * Blocks are 32 << code bytes: AG100 Table 38, record 112. Return: the code, or 4 for another size
 */
static uint32_t block_code(uint32_t bytes)
{
	uint32_t code = 0;

	while (code < 4 && 32u << code != bytes)
		code++;
	return code;
}

int v3dcl_binning_compute(struct v3dcl_binning *b, struct v3dcl_error *error)
{
	const uint32_t tile_width = v3d_tile_width(b->multisample),
		       tile_height = v3d_tile_height(b->multisample, b->color64);
	const uint32_t initial = b->initial_block ? b->initial_block : V3DCL_FIRST_BLOCK;
	const uint32_t block = b->block ? b->block : V3DCL_NEXT_BLOCK;

	if (!b->width || !b->height || b->width > UINT8_MAX * tile_width ||
	    b->height > UINT8_MAX * tile_height)
		return v3dcl_fail(error, -EINVAL,
				  "a frame of %u x %u pixels: it may have 1 x 1 to %u x %u",
				  b->width, b->height, UINT8_MAX * tile_width,
				  UINT8_MAX * tile_height);
	if (block_code(initial) > 3 || block_code(block) > 3)
		return v3dcl_fail(error, -EINVAL,
				  "blocks of tile lists: 32, 64, 128 or 256 bytes, not %u and %u",
				  initial, block);
	b->initial_block = initial;
	b->block = block;
	b->columns = howmany(b->width, tile_width);
	b->rows = howmany(b->height, tile_height);
	b->state_bytes = b->columns * b->rows * V3D_TILE_STATE_BYTES;
	/* HW: further blocks begin at a multiple of 256 behind the first ones. */
	b->list_bytes = roundup(b->columns * b->rows * initial, 256) + block + V3DCL_BINNER_SLACK;
	return 0;
}

int v3dcl_list_begin(struct v3dcl_list *list, const struct v3dcl_binning *binning,
		     struct v3dcl_address state, struct v3dcl_address lists, uint32_t list_bytes,
		     struct v3dcl_error *error)
{
	const struct v3dcl_tile_binning_mode mode = {
		.address = lists,
		.size = list_bytes,
		.state = state,
		.width = binning->columns,
		.height = binning->rows,
		.multisample = binning->multisample,
		.color64 = binning->color64,
		.auto_initialise = 1,
		.initial_block = block_code(binning->initial_block),
		.block = block_code(binning->block),
	};
	const struct v3dcl_primitive_list_format format = { .primitive = V3D_LIST_TRIANGLES,
							    .data = V3D_LIST_INDEX_16 };
	int ret;

	if (list_bytes < binning->list_bytes)
		return v3dcl_fail(error, -EINVAL, "%u bytes for tile lists: %u are the least",
				  list_bytes, binning->list_bytes);
	ret = v3dcl_list_tile_binning_mode(list, &mode, error);
	if (!ret)
		ret = v3dcl_list_start_tile_binning(list, error);
	return ret ? ret : v3dcl_list_primitive_list_format(list, &format, error);
}
