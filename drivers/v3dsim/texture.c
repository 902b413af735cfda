// SPDX-License-Identifier: MIT
/* Images in memory: see texture.h. */
#include <string.h>

#include "sim.h"

static uint32_t divide_up(uint32_t value, uint32_t by)
{
	return (value + by - 1) / by;
}

static uint32_t pitch(const struct texture_image *image)
{
	uint32_t across = texture_micro_width(image->pixel_bytes);

	return divide_up(image->width, across) * across * image->pixel_bytes;
}

static uint32_t t_offset(const struct texture_image *image, uint32_t x, uint32_t y)
{
	/* [odd row of tiles][y & 1][x & 1] of the sub-tile in its tile */
	static const uint8_t order[2][2][2] = { { { 0, 3 }, { 1, 2 } }, { { 2, 1 }, { 3, 0 } } };
	uint32_t across = divide_up(image->width, 8 * texture_micro_width(image->pixel_bytes));
	uint32_t tile_x = x / 8, tile_y = y / 8, sub_tile = order[tile_y & 1][y / 4 & 1][x / 4 & 1];

	if (tile_y & 1)
		tile_x = across - 1 - tile_x;
	return (tile_y * across + tile_x) * TEXTURE_TILE + sub_tile * TEXTURE_SUB_TILE + (y % 4 * 4 + x % 4) * TEXTURE_MICRO_TILE;
}

uint32_t texture_micro_address(const struct texture_image *image, uint32_t x, uint32_t y)
{
	uint32_t across;

	if (image->format == V3D_T_FORMAT)
		return image->base + t_offset(image, x, y);
	across = divide_up(image->width, texture_micro_width(image->pixel_bytes));
	return image->base + (y * across + x) * TEXTURE_MICRO_TILE;
}

uint32_t texture_address(const struct texture_image *image, uint32_t x, uint32_t y)
{
	uint32_t width = texture_micro_width(image->pixel_bytes), height = texture_micro_height(image->pixel_bytes);

	if (image->format == V3D_RASTER)
		return image->base + y * pitch(image) + x * image->pixel_bytes;
	return texture_micro_address(image, x / width, y / height) + (y % height * width + x % width) * image->pixel_bytes;
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
