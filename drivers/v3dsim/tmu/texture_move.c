// SPDX-License-Identifier: MIT
/* Moving parts of images between memory and rows of pixels: see texture.h. */
#include <string.h>
#include <sys/param.h>

#include "core/sim.h"
#include "texture.h"

#define MOST_RUN 32		/* micro-tiles: 64 pixels of 8 bytes */

/* A rectangle that is being moved, everything across in bytes. @rows, @row: of a micro-tile */
struct move {
	struct v3dsim *sim;
	enum v3dsim_unit unit;
	struct texture_layout layout;
	uint32_t x, y, width, height, stride, row, rows;
	uint8_t *pixels;
	bool store;
};

static bool move_bytes(const struct move *move, uint32_t x, uint32_t y, uint8_t *bytes,
		       uint32_t len)
{
	const uint32_t addr = move->layout.base +
			      texture_offset(&move->layout, move->x + x, move->y + y);

	return move->store ? bus_write(move->sim, move->unit, addr, bytes, len) :
			     bus_read(move->sim, move->unit, addr, bytes, len);
}

/*
 * Rows that are contiguous in memory as far as the rectangle goes: a raster image's, or those of a
 * micro-tile that its edge cuts
 */
static bool move_rows(const struct move *move, uint32_t x, uint32_t y, uint32_t width,
		      uint32_t height)
{
	for (uint32_t row = y; row < y + height; row++)
		if (!move_bytes(move, x, row, move->pixels + row * move->stride + x, width))
			return false;
	return true;
}

/* Micro-tiles one after the other, from rows and to rows, of a constant size each */
static inline __attribute__((always_inline)) void gather(const struct move *move, uint8_t *pixels,
							 uint8_t *micro, uint32_t count,
							 const uint32_t row_bytes)
{
	for (uint32_t n = 0; n < count; n++, pixels += row_bytes) {
		for (uint32_t row = 0; row < TEXTURE_MICRO_TILE / row_bytes;
		     row++, micro += row_bytes) {
			if (move->store)
				memcpy(micro, pixels + row * move->stride, row_bytes);
			else
				memcpy(pixels + row * move->stride, micro, row_bytes);
		}
	}
}

static void gather_any(const struct move *move, uint8_t *pixels, uint8_t *micro, uint32_t count)
{
	if (move->row == 16)
		gather(move, pixels, micro, count, 16);
	else
		gather(move, pixels, micro, count, 8);
}

/* Whole micro-tiles that lie one after the other in memory */
static bool move_run(const struct move *move, uint32_t x, uint32_t y, uint32_t count)
{
	uint8_t micro[MOST_RUN * TEXTURE_MICRO_TILE], *pixels = move->pixels + y * move->stride + x;

	if (move->store)
		gather_any(move, pixels, micro, count);
	if (!move_bytes(move, x, y, micro, count * TEXTURE_MICRO_TILE))
		return false;
	if (!move->store)
		gather_any(move, pixels, micro, count);
	return true;
}

/*
 * How many micro-tiles from x on lie one after the other: to the end of a row of LT-format, or of a
 * sub-tile of T-format
 */
static uint32_t run_at(const struct move *move, uint32_t x)
{
	const uint32_t left = (move->width - x) / move->row;
	const uint32_t run = move->layout.format == V3D_T_FORMAT ?
				     4 - (move->x + x) / move->row % 4 :
				     MOST_RUN;

	return MIN(left, run);
}

/* A row of micro-tiles */
static bool move_micro_tiles(const struct move *move, uint32_t y)
{
	uint32_t x = 0;

	if (move->height - y < move->rows) {
		for (; x < move->width; x += move->row)
			if (!move_rows(move, x, y,
				       MIN(move->width - x, move->row),
				       move->height - y))
				return false;
		return true;
	}
	while (move->width - x >= move->row) {
		const uint32_t run = run_at(move, x);

		if (!move_run(move, x, y, run))
			return false;
		x += run * move->row;
	}
	return x == move->width || move_rows(move, x, y, move->width - x, move->rows);
}

static bool move_all(struct v3dsim *sim, enum v3dsim_unit unit, const struct texture_image *image,
		     const struct texture_rectangle *rectangle, uint8_t *pixels, bool store)
{
	const uint32_t bytes = image->pixel_bytes;
	struct move move = {
		.sim = sim,
		.unit = unit,
		.pixels = pixels,
		.store = store,
		.row = texture_micro_width(bytes) * bytes,
		.rows = texture_micro_height(bytes),
		.x = rectangle->x * bytes,
		.y = rectangle->y,
		.width = rectangle->width * bytes,
		.height = rectangle->height,
		.stride = rectangle->stride * bytes,
	};

	texture_lay_out(&move.layout, image->base, image->format, move.row == 16 ? 4 : 3,
			image->width * bytes, image->height);
	if (image->format == V3D_RASTER)
		return move_rows(&move, 0, 0, move.width, move.height);
	for (uint32_t y = 0; y < move.height; y += move.rows)
		if (!move_micro_tiles(&move, y))
			return false;
	return true;
}

bool texture_store(struct v3dsim *sim, enum v3dsim_unit unit, const struct texture_image *image,
		   const struct texture_rectangle *to, const void *pixels)
{
	return move_all(sim, unit, image, to, (uint8_t *)pixels, true);
}

bool texture_load(struct v3dsim *sim, enum v3dsim_unit unit, const struct texture_image *image,
		  const struct texture_rectangle *from, void *pixels)
{
	return move_all(sim, unit, image, from, pixels, false);
}
