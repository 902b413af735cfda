// SPDX-License-Identifier: MIT
/*
 * Linear units to and from raster, T and LT format: AG100 Section 11.
 *
 * All of it counts in bytes across and rows down, whatever a unit is. A micro-tile is 64 bytes: 16
 * across for units of 16 bits and more, 8 for those of 8 and 4, 4 for those of one. Four
 * micro-tiles beside each other are 256 bytes behind each other in both formats; sub-tiles of 4 x 4
 * of them and tiles of 2 x 2 sub-tiles come in T-format's order of Figure 14.
 */
#include <errno.h>
#include <string.h>
#include <sys/param.h>

#include "cl.h"
#include "v3dcl_image.h"

#define GROUP 4u			/* micro-tiles whose bytes follow each other */
#define GROUP_BYTES (GROUP * CL_MICRO_TILE)
#define SUB_TILE 1024u
#define TILE 4096u
#define TILE_SIDE 8u			/* micro-tiles */

/* Bytes across a micro-tile. @bits: of a unit */
uint32_t cl_micro_row(uint32_t bits)
{
	return bits >= 16 ? 16 : bits == 1 ? 4 : 8;
}

static bool is_unit(uint32_t bits)
{
	return bits == 1 || bits == 4 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/*
 * The least that it takes. Rows of a raster image are padded to 16 bytes: not established for all
 * types; here.
 */
static void least(const struct v3dcl_plane *plane, uint64_t *stride, uint64_t *rows)
{
	const uint32_t row = cl_micro_row(plane->bits), micro = CL_MICRO_TILE / row;
	const uint64_t bytes = howmany((uint64_t)plane->width * plane->bits, 8);

	switch (plane->format) {
	case V3D_T_FORMAT:
		*stride = howmany(bytes, row * TILE_SIDE) * TILE;
		*rows = howmany((uint64_t)plane->height, micro * TILE_SIDE);
		break;
	case V3D_LT_FORMAT:
		*stride = howmany(bytes, row) * CL_MICRO_TILE;
		*rows = howmany((uint64_t)plane->height, micro);
		break;
	default:
		*stride = roundup(bytes, 16);
		*rows = plane->height;
	}
}

int v3dcl_plane_lay_out(struct v3dcl_plane *plane, struct v3dcl_error *error)
{
	uint64_t stride, rows;

	if (plane->format > V3D_LT_FORMAT)
		return v3dcl_fail(error, -EINVAL, "there is no memory format %u", plane->format);
	if (!is_unit(plane->bits))
		return v3dcl_fail(error, -EINVAL, "there are no units of %u bits", plane->bits);
	if (!plane->width || !plane->height)
		return v3dcl_fail(error, -EINVAL, "an image of %u x %u units has none",
				  plane->width, plane->height);
	least(plane, &stride, &rows);
	if (plane->format == V3D_RASTER && plane->stride)
		stride = plane->stride < stride ? UINT64_MAX : plane->stride;
	if (stride > INT32_MAX || stride * rows > INT32_MAX)
		return v3dcl_fail(error, -EINVAL,
				  "an image of %u x %u units of %u bits with a stride of %u: too "
				  "large, or overlapping",
				  plane->width, plane->height, plane->bits, plane->stride);
	plane->stride = stride;
	plane->size = stride * rows;
	return 0;
}

/*
 * Offset of the group of micro-tiles at column @group of row @micro_y of micro-tiles. Tiles run
 * left to right in even rows of tiles, else right to left; so do sub-tiles: [odd
 * row][upper][right].
 */
static uint32_t group_offset(const struct v3dcl_plane *plane, uint32_t group, uint32_t micro_y)
{
	static const uint16_t order[2][2][2] = {
		{ { 0 * SUB_TILE, 3 * SUB_TILE }, { 1 * SUB_TILE, 2 * SUB_TILE } },
		{ { 2 * SUB_TILE, 1 * SUB_TILE }, { 3 * SUB_TILE, 0 * SUB_TILE } },
	};
	const uint32_t odd = micro_y / TILE_SIDE & 1;
	uint32_t tile = group / 2 * TILE;

	if (plane->format == V3D_LT_FORMAT)
		return micro_y * plane->stride + group * GROUP_BYTES;
	if (odd)
		tile = plane->stride - TILE - tile;
	return micro_y / TILE_SIDE * plane->stride + tile +
	       order[odd][micro_y / GROUP & 1][group & 1] + micro_y % GROUP * GROUP_BYTES;
}

/* Offset of byte column @x of row @y */
static uint32_t byte_offset(const struct v3dcl_plane *plane, uint32_t x, uint32_t y)
{
	const uint32_t row = cl_micro_row(plane->bits), micro = CL_MICRO_TILE / row;

	if (plane->format == V3D_RASTER)
		return y * plane->stride + x;
	return group_offset(plane, x / row / GROUP, y / micro) + x / row % GROUP * CL_MICRO_TILE +
	       y % micro * row + x % row;
}

uint32_t v3dcl_plane_offset(const struct v3dcl_plane *plane, uint32_t x, uint32_t y)
{
	return byte_offset(plane, (uint64_t)x * plane->bits / 8, y);
}

/* What is to be moved: bytes [@from, @to) of rows [@top, @bottom) */
struct move {
	const struct v3dcl_plane *plane;
	uint8_t *memory, *linear;
	size_t stride;
	uint32_t from, to, top, bottom;
};

/*
 * One of the two ways; it is constant wherever this is inlined, and so is the number of bytes where
 * it matters.
 */
static inline __attribute__((always_inline)) void copy(uint8_t *memory, uint8_t *linear,
						       size_t bytes, bool store)
{
	if (store)
		memcpy(memory, linear, bytes);
	else
		memcpy(linear, memory, bytes);
}

static inline __attribute__((always_inline)) uint8_t *linear_at(const struct move *m, uint32_t x,
								uint32_t y)
{
	return m->linear + (size_t)(y - m->top) * m->stride + (x - m->from);
}

/* A part of a row of micro-tiles, piece by piece */
static inline __attribute__((always_inline)) void move_edges(const struct move *m, uint32_t from,
							     uint32_t to, uint32_t top,
							     uint32_t bottom, uint32_t row,
							     bool store)
{
	uint32_t x, y, end;

	for (x = from; x < to; x = end) {
		end = MIN((x / row + 1) * row, to);
		for (y = top; y < bottom; y++)
			copy(m->memory + byte_offset(m->plane, x, y), linear_at(m, x, y), end - x,
			     store);
	}
}

/* Whole groups of micro-tiles, of which all rows are wanted */
static inline __attribute__((always_inline)) void move_groups(const struct move *m, uint32_t from,
							      uint32_t to, uint32_t top,
							      uint32_t row, bool store)
{
	const uint32_t across = row * GROUP, rows = CL_MICRO_TILE / row;
	uint32_t x, y, n;

	for (x = from; x < to; x += across) {
		uint8_t *memory = m->memory + group_offset(m->plane, x / across, top / rows),
			*linear = linear_at(m, x, top);

		for (n = 0; n < GROUP; n++)
			for (y = 0; y < rows; y++)
				copy(memory + n * CL_MICRO_TILE + y * row,
				     linear + y * m->stride + n * row, row, store);
	}
}

static inline __attribute__((always_inline)) void move_rows(const struct move *m, uint32_t row,
							    bool store)
{
	const uint32_t across = row * GROUP, rows = CL_MICRO_TILE / row;
	const uint32_t first = roundup(m->from, across), last = m->to / across * across;
	uint32_t top, bottom;

	for (top = m->top; top < m->bottom; top = bottom) {
		bottom = MIN((top / rows + 1) * rows, m->bottom);
		if (bottom - top < rows || first >= last) {
			move_edges(m, m->from, m->to, top, bottom, row, store);
			continue;
		}
		move_edges(m, m->from, first, top, bottom, row, store);
		move_groups(m, first, last, top, row, store);
		move_edges(m, last, m->to, top, bottom, row, store);
	}
}

static inline __attribute__((always_inline)) void move_all(const struct move *m, bool store)
{
	uint32_t y;

	if (m->plane->format == V3D_RASTER) {
		for (y = m->top; y < m->bottom; y++)
			copy(m->memory + byte_offset(m->plane, m->from, y),
			     linear_at(m, m->from, y), m->to - m->from, store);
		return;
	}
	switch (cl_micro_row(m->plane->bits)) {
	case 16:
		move_rows(m, 16, store);
		break;
	case 8:
		move_rows(m, 8, store);
		break;
	default:
		move_rows(m, 4, store);
	}
}

static int check_part(const struct v3dcl_plane *plane, const struct v3dcl_rectangle *part,
		      struct v3dcl_error *error)
{
	const uint64_t right = (uint64_t)part->x + part->width;

	if (right > plane->width || (uint64_t)part->y + part->height > plane->height)
		return v3dcl_fail(error, -EINVAL,
				  "%u x %u units from (%u, %u) are not inside %u x %u",
				  part->width, part->height, part->x, part->y, plane->width,
				  plane->height);
	if (plane->bits < 8 &&
	    (part->x * plane->bits % 8 || (right * plane->bits % 8 && right != plane->width)))
		return v3dcl_fail(error, -EINVAL,
				  "units %u to %llu of %u bits neither begin nor end with a byte",
				  part->x, (unsigned long long)right, plane->bits);
	return 0;
}

static int prepare(struct move *m, const struct v3dcl_plane *plane, size_t size,
		   const struct v3dcl_rectangle *part, struct v3dcl_error *error)
{
	const struct v3dcl_rectangle all = { 0, 0, plane->width, plane->height };
	struct v3dcl_plane again = *plane;
	int ret = v3dcl_plane_lay_out(&again, error);

	if (ret)
		return ret;
	if (again.stride != plane->stride || again.size != plane->size)
		return v3dcl_fail(error, -EINVAL, "the image is not laid out");
	if (size < plane->size)
		return v3dcl_fail(error, -EINVAL, "an image of %u bytes in %zu", plane->size, size);
	part = part ? part : &all;
	ret = check_part(plane, part, error);
	m->plane = plane;
	m->from = (uint64_t)part->x * plane->bits / 8;
	m->to = howmany(((uint64_t)part->x + part->width) * plane->bits, 8);
	m->top = part->y;
	m->bottom = part->width ? part->y + part->height : part->y;
	if (!ret && m->stride < m->to - m->from)
		return v3dcl_fail(error, -EINVAL, "rows of %u bytes every %zu", m->to - m->from,
				  m->stride);
	return ret;
}

/*
 * Only one of the two is written: the other one's const is cast away for the sake of one function
 * for both ways.
 */
int v3dcl_plane_load(const struct v3dcl_plane *plane, const void *memory, size_t size,
		     const struct v3dcl_rectangle *part, void *linear, size_t stride,
		     struct v3dcl_error *error)
{
	struct move m = { .memory = (uint8_t *)(uintptr_t)memory, .linear = linear,
			  .stride = stride };
	int ret = prepare(&m, plane, size, part, error);

	if (!ret)
		move_all(&m, false);
	return ret;
}

int v3dcl_plane_store(const struct v3dcl_plane *plane, void *memory, size_t size,
		      const struct v3dcl_rectangle *part, const void *linear, size_t stride,
		      struct v3dcl_error *error)
{
	struct move m = { .memory = memory, .linear = (uint8_t *)(uintptr_t)linear,
			  .stride = stride };
	int ret = prepare(&m, plane, size, part, error);

	if (!ret)
		move_all(&m, true);
	return ret;
}
