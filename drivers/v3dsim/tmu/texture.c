// SPDX-License-Identifier: MIT
/* Images in memory: see texture.h. */
#include <string.h>
#include <sys/param.h>

#include "texture.h"

void texture_lay_out(struct texture_layout *layout, uint32_t base, unsigned int format,
		     unsigned int row_log2, uint32_t width, uint32_t height)
{
	uint32_t across = howmany(width, 1u << row_log2),
		 down = howmany(height, TEXTURE_MICRO_TILE >> row_log2);

	*layout = (struct texture_layout){ .base = base, .format = format, .row_log2 = row_log2 };
	switch (format) {
	case V3D_T_FORMAT:
		layout->step = howmany(across, 8) * TEXTURE_TILE;
		layout->last = layout->step - TEXTURE_TILE;
		layout->bytes = howmany(down, 8) * layout->step;
		break;
	case V3D_LT_FORMAT:
		layout->step = across * TEXTURE_MICRO_TILE;
		layout->bytes = down * layout->step;
		break;
	default:
		layout->step = across << row_log2;
		layout->bytes = height * layout->step;
	}
}

uint32_t texture_offset(const struct texture_layout *layout, uint32_t x, uint32_t y)
{
	const uint32_t row = 1u << layout->row_log2, rows = TEXTURE_MICRO_TILE >> layout->row_log2;
	const uint32_t micro_x = x / row, micro_y = y / rows, inside = y % rows * row + x % row;
	uint32_t tile, order;

	if (layout->format == V3D_RASTER)
		return y * layout->step + x;
	if (layout->format == V3D_LT_FORMAT)
		return micro_y * layout->step + micro_x * TEXTURE_MICRO_TILE + inside;
	tile = micro_x / 8 * TEXTURE_TILE;
	order = (micro_x & 4 ? TEXTURE_T_RIGHT : 0) ^ (micro_y & 4 ? TEXTURE_T_UPPER : 0);
	if (micro_y & 8) {
		tile = layout->last - tile;
		order ^= TEXTURE_T_ODD;
	}
	return micro_y / 8 * layout->step + tile + order +
	       (micro_y % 4 * 4 + micro_x % 4) * TEXTURE_MICRO_TILE + inside;
}

static unsigned int log2_of(uint32_t power)
{
	return 31 - __builtin_clz(power);
}

uint32_t texture_address(const struct texture_image *image, uint32_t x, uint32_t y)
{
	const unsigned int row = texture_micro_width(image->pixel_bytes) * image->pixel_bytes;
	struct texture_layout layout;

	texture_lay_out(&layout, image->base, image->format, log2_of(row),
			image->width * image->pixel_bytes, image->height);
	return image->base + texture_offset(&layout, x * image->pixel_bytes, y);
}

uint32_t texture_micro_address(const struct texture_image *image, uint32_t x, uint32_t y)
{
	return texture_address(image, x * texture_micro_width(image->pixel_bytes),
			       y * texture_micro_height(image->pixel_bytes));
}
