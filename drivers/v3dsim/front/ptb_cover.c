// SPDX-License-Identifier: MIT
/* Which tiles a primitive overlaps: see ptb_cover.h. */
#include <sys/param.h>

#include "ptb_cover.h"

/* The tiles that the inside of a box meets. */
static bool cover_box(struct ptb_cover *cover, const struct ptb_grid *grid, int32_t left,
		      int32_t right, int32_t bottom, int32_t top)
{
	left = MAX(left, grid->left);
	right = MIN(right, grid->right);
	bottom = MAX(bottom, grid->bottom);
	top = MIN(top, grid->top);
	if (left >= right || bottom >= top)
		return false;
	cover->first = (uint32_t)left / (uint32_t)grid->width;
	cover->last = (uint32_t)(right - 1) / (uint32_t)grid->width;
	cover->row = (uint32_t)bottom / (uint32_t)grid->height;
	cover->top = (uint32_t)(top - 1) / (uint32_t)grid->height;
	cover->column = cover->first;
	cover->columns = grid->columns;
	cover->edges = 0;
	return true;
}

/*
 * Adds an edge from (x0, y0) to (x1, y1), whose left side is inside, moved outwards by margin. Its
 * value is greatest in that corner of a tile which lies furthest to the left of it.
 */
static void add_edge(struct ptb_cover *cover, const struct ptb_grid *grid, const int32_t from[2],
		     const int32_t to[2], int64_t margin)
{
	int64_t dx = to[0] - from[0], dy = to[1] - from[1];
	int64_t x = (int64_t)cover->first * grid->width + (dy < 0 ? grid->width : 0);
	int64_t y = (int64_t)cover->row * grid->height + (dx > 0 ? grid->height : 0);
	unsigned int n = cover->edges++;

	cover->edge[n].at = dx * (y - from[1]) - dy * (x - from[0]) + margin;
	cover->edge[n].row_start = cover->edge[n].at;
	cover->edge[n].across = -dy * grid->width;
	cover->edge[n].up = dx * grid->height;
}

static bool one_tile(const struct ptb_cover *cover)
{
	return cover->first == cover->last && cover->row == cover->top;
}

bool ptb_cover_triangle(struct ptb_cover *cover, const struct ptb_grid *grid, const int32_t *x,
			const int32_t *y)
{
	int64_t area = (int64_t)(x[1] - x[0]) * (y[2] - y[0]) -
		       (int64_t)(x[2] - x[0]) * (y[1] - y[0]);
	unsigned int i;

	if (!area ||
	    !cover_box(cover, grid, MIN(x[0], MIN(x[1], x[2])), MAX(x[0], MAX(x[1], x[2])),
		       MIN(y[0], MIN(y[1], y[2])), MAX(y[0], MAX(y[1], y[2]))))
		return false;
	for (i = 0; i < 3 && !one_tile(cover); i++) {
		unsigned int next = i == 2 ? 0 : i + 1;
		const int32_t a[2] = { x[i], y[i] }, b[2] = { x[next], y[next] };

		add_edge(cover, grid, area > 0 ? a : b, area > 0 ? b : a, 0);
	}
	return true;
}

bool ptb_cover_line(struct ptb_cover *cover, const struct ptb_grid *grid, const int32_t *x,
		    const int32_t *y, int32_t width)
{
	int32_t margin = width / 2 + PTB_PIXEL, dx = x[1] - x[0], dy = y[1] - y[0];
	const int32_t a[2] = { x[0], y[0] }, b[2] = { x[1], y[1] };
	/* no less than it is */
	int64_t length = (int64_t)(dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);

	if (!cover_box(cover, grid, MIN(x[0], x[1]) - margin, MAX(x[0], x[1]) + margin,
		       MIN(y[0], y[1]) - margin, MAX(y[0], y[1]) + margin))
		return false;
	if (!one_tile(cover) && length) {
		add_edge(cover, grid, a, b, margin * length);
		add_edge(cover, grid, b, a, margin * length);
	}
	return true;
}

bool ptb_cover_point(struct ptb_cover *cover, const struct ptb_grid *grid, int32_t x, int32_t y,
		     int32_t size)
{
	int32_t half = (size + 1) / 2;

	return cover_box(cover, grid, x - half, x + half, y - half, y + half);
}

bool ptb_cover_rht(struct ptb_cover *cover, const struct ptb_grid *grid, const int32_t *x,
		   const int32_t *y, int32_t boundary)
{
	return cover_box(cover, grid, MIN(boundary, MIN(x[0], x[1])),
			 MAX(boundary, MAX(x[0], x[1])), MIN(y[0], y[1]), MAX(y[0], y[1]));
}

static bool inside(const struct ptb_cover *cover)
{
	unsigned int n;

	for (n = 0; n < cover->edges; n++)
		if (cover->edge[n].at <= 0)
			return false;
	return true;
}

static void step(struct ptb_cover *cover)
{
	unsigned int n;

	if (cover->column < cover->last) {
		cover->column++;
		for (n = 0; n < cover->edges; n++)
			cover->edge[n].at += cover->edge[n].across;
		return;
	}
	cover->column = cover->first;
	cover->row++;
	for (n = 0; n < cover->edges; n++) {
		cover->edge[n].row_start += cover->edge[n].up;
		cover->edge[n].at = cover->edge[n].row_start;
	}
}

bool ptb_cover_next(struct ptb_cover *cover, uint32_t *tile, uint64_t *budget)
{
	bool found = false;

	while (!found && !ptb_cover_done(cover) && *budget) {
		--*budget;
		found = inside(cover);
		*tile = cover->row * cover->columns + cover->column;
		step(cover);
	}
	return found;
}
