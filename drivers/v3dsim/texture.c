// SPDX-License-Identifier: MIT
/* Images in memory: see texture.h. */
#include <string.h>

#include "sim.h"

static uint32_t divide_up(uint32_t value, uint32_t by)
{
	return (value + by - 1) / by;
}

void texture_lay_out(struct texture_layout *layout, uint32_t base, unsigned int format, unsigned int row_log2, uint32_t width,
		     uint32_t height)
{
	uint32_t across = divide_up(width, 1u << row_log2), down = divide_up(height, TEXTURE_MICRO_TILE >> row_log2);

	*layout = (struct texture_layout){ .base = base, .format = format, .row_log2 = row_log2 };
	switch (format) {
	case V3D_T_FORMAT:
		layout->step = divide_up(across, 8) * TEXTURE_TILE;
		layout->last = layout->step - TEXTURE_TILE;
		layout->bytes = divide_up(down, 8) * layout->step;
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
	return micro_y / 8 * layout->step + tile + order + (micro_y % 4 * 4 + micro_x % 4) * TEXTURE_MICRO_TILE + inside;
}

static unsigned int log2_of(uint32_t power)
{
	return 31 - __builtin_clz(power);
}

uint32_t texture_address(const struct texture_image *image, uint32_t x, uint32_t y)
{
	const unsigned int row = texture_micro_width(image->pixel_bytes) * image->pixel_bytes;
	struct texture_layout layout;

	texture_lay_out(&layout, image->base, image->format, log2_of(row), image->width * image->pixel_bytes, image->height);
	return image->base + texture_offset(&layout, x * image->pixel_bytes, y);
}

uint32_t texture_micro_address(const struct texture_image *image, uint32_t x, uint32_t y)
{
	return texture_address(image, x * texture_micro_width(image->pixel_bytes), y * texture_micro_height(image->pixel_bytes));
}

/* A rectangle that is being moved between an image and rows of pixels. */
struct move {
	struct v3dsim *sim;
	enum v3dsim_unit unit;
	const struct texture_image *image;
	uint32_t x, y, width, height, stride;
	uint8_t *pixels;
	bool store;
};

static bool move_bytes(const struct move *move, uint32_t addr, uint8_t *bytes, uint32_t len)
{
	return move->store ? bus_write(move->sim, move->unit, addr, bytes, len) : bus_read(move->sim, move->unit, addr, bytes, len);
}

static bool move_rows(const struct move *move)
{
	uint32_t row;

	for (row = 0; row < move->height; row++)
		if (!move_bytes(move, texture_address(move->image, move->x, move->y + row), move->pixels + row * move->stride,
				move->width * move->image->pixel_bytes))
			return false;
	return true;
}

/* A micro-tile that lies inside the image goes in one piece, one that its edge cuts row by row. */
static bool move_micro_tile(const struct move *move, uint32_t x, uint32_t y)
{
	unsigned int bytes = move->image->pixel_bytes;
	uint32_t full_width = texture_micro_width(bytes), full_height = texture_micro_height(bytes), row;
	uint32_t width = move->width - x < full_width ? move->width - x : full_width;
	uint32_t height = move->height - y < full_height ? move->height - y : full_height;
	uint32_t addr = texture_micro_address(move->image, (move->x + x) / full_width, (move->y + y) / full_height);
	uint8_t *pixels = move->pixels + y * move->stride + x * bytes, together[TEXTURE_MICRO_TILE];

	if (width < full_width || height < full_height) {
		for (row = 0; row < height; row++)
			if (!move_bytes(move, addr + row * full_width * bytes, pixels + row * move->stride, width * bytes))
				return false;
		return true;
	}
	for (row = 0; row < height && move->store; row++)
		memcpy(together + row * width * bytes, pixels + row * move->stride, width * bytes);
	if (!move_bytes(move, addr, together, sizeof(together)))
		return false;
	for (row = 0; row < height && !move->store; row++)
		memcpy(pixels + row * move->stride, together + row * width * bytes, width * bytes);
	return true;
}

static bool move_all(struct move *move)
{
	const struct texture_image *image = move->image;
	uint32_t x, y;

	move->stride = move->width * image->pixel_bytes;
	if (move->x >= image->width || move->y >= image->height)
		return true;
	if (move->width > image->width - move->x)
		move->width = image->width - move->x;
	if (move->height > image->height - move->y)
		move->height = image->height - move->y;
	if (image->format == V3D_RASTER)
		return move_rows(move);
	for (y = 0; y < move->height; y += texture_micro_height(image->pixel_bytes))
		for (x = 0; x < move->width; x += texture_micro_width(image->pixel_bytes))
			if (!move_micro_tile(move, x, y))
				return false;
	return true;
}

bool texture_store(struct v3dsim *sim, enum v3dsim_unit unit, const struct texture_image *image, uint32_t x, uint32_t y,
		   uint32_t width,
		   uint32_t height, const uint8_t *pixels)
{
	struct move move = { sim, unit, image, x, y, width, height, 0, (uint8_t *)pixels, true };

	return move_all(&move);
}

bool texture_load(struct v3dsim *sim, enum v3dsim_unit unit, const struct texture_image *image, uint32_t x, uint32_t y,
		  uint32_t width,
		  uint32_t height, uint8_t *pixels)
{
	struct move move = { sim, unit, image, x, y, width, height, 0, pixels, false };

	return move_all(&move);
}
