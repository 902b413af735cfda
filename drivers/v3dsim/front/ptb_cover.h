/* SPDX-License-Identifier: MIT */
/*
 * Which tiles a primitive overlaps. All lengths are in 1/16 of a pixel of the frame.
 *
 * A tile overlaps where its inside meets the primitive's: samples lie strictly inside pixels, so
 * what only touches a tile draws nothing there. For triangles that is exact; lines are taken a
 * pixel thicker than they are, since which pixels a line has is the rasteriser's business, and RHTs
 * are taken as the box around them.
 */
#ifndef V3DSIM_PTB_COVER_H
#define V3DSIM_PTB_COVER_H

#include <stdbool.h>
#include <stdint.h>

#define PTB_PIXEL 16
#define PTB_COVER_EDGES 3

/**
 * struct ptb_grid - tiles, and the part of the frame that is drawn into
 * @width: of a tile; @height likewise
 * @columns: tiles in a row of the frame
 * @left: of the clip window within the frame, the first that is in; @right the first that is not;
 *	@bottom and @top likewise
 */
struct ptb_grid {
	int32_t width, height;
	uint32_t columns;
	int32_t left, right, bottom, top;
};

/**
 * struct ptb_cover - tiles to look at, and what is left of them
 * @first: column, @last column; @top is the last row
 * @column: the next one, @row likewise
 * @columns: tiles in a row of the frame
 * @edges: how many there are to test: a tile is outside an edge whose value there is not positive
 * @at: an edge's greatest value in the tile (@first, first row), @across and @up what it grows by
 *	from tile to tile
 */
struct ptb_cover {
	uint32_t first, last, top, column, row, columns;
	unsigned int edges;
	struct {
		int64_t row_start, at, across, up;
	} edge[PTB_COVER_EDGES];
};

/*
 * These set up a cover. Return: false: there is nothing inside the clip window. Coordinates are
 * within 2^17 of 0, sizes within 2^16.
 */

/* Its corners in any order; false without area, too */
bool ptb_cover_triangle(struct ptb_cover *cover, const struct ptb_grid *grid, const int32_t *x,
			const int32_t *y);
bool ptb_cover_line(struct ptb_cover *cover, const struct ptb_grid *grid, const int32_t *x,
		    const int32_t *y, int32_t width);
bool ptb_cover_point(struct ptb_cover *cover, const struct ptb_grid *grid, int32_t x, int32_t y,
		     int32_t size);

/* Between the line from corner 0 to 1 and the vertical line at @boundary */
bool ptb_cover_rht(struct ptb_cover *cover, const struct ptb_grid *grid, const int32_t *x,
		   const int32_t *y, int32_t boundary);

/**
 * ptb_cover_next() - the next tile that the primitive overlaps
 * @budget: lessened by the tiles looked at; 0: the search goes on at the next call
 * Return: false: none, or the budget is spent: then @budget is 0 and ptb_cover_done() false
 */
bool ptb_cover_next(struct ptb_cover *cover, uint32_t *tile, uint64_t *budget);

static inline bool ptb_cover_done(const struct ptb_cover *cover)
{
	return cover->row > cover->top;
}

#endif /* V3DSIM_PTB_COVER_H */
