/* SPDX-License-Identifier: MIT */
/*
 * The rasteriser of the front end (FEP): which samples of a tile a shape covers, as quads of 2 x 2
 * pixels.
 *
 * A shape is what its edges leave of the plane, at most four of them. All is exact: coordinates are
 * integers in 1/16 of a pixel, y grows with the rows in memory, and an edge function is a sum of
 * products that fits.
 *
 * Not established, and chosen here:
 * - Fill rule: a sample exactly on an edge is inside if the shape lies to the right of that edge,
 *   or above a horizontal one, towards larger y. So shapes that share an edge cover each sample
 *   once.
 * - Samples: the pixel's centre; with 4x, (6, 2), (14, 6), (2, 10) and (10, 14) sixteenths from its
 *   lower left corner, as samples 0 to 3; with VG's 16x, a grid of 4 x 4 at 2, 6, 10 and 14
 *   sixteenths, rows first.
 * - Quads come in blocks of 8 x 8 pixels, rows first, and so do the blocks.
 */
#ifndef V3DSIM_FEP_H
#define V3DSIM_FEP_H

#include <stdbool.h>
#include <stdint.h>

#define FEP_SUBPIXELS 16	/* of a pixel, in each direction */
#define FEP_EDGES 4
#define FEP_QUADS 1024		/* of a tile: 64 x 64 pixels */

/**
 * struct fep_edge - x and y are inside where a * x + b * y + c >= 0; |a| and |b| are at most 2^18
 */
struct fep_edge {
	int32_t a, b;
	int64_t c;
};

/* Pixels from @left to before @right and from @bottom to before @top */
struct fep_box {
	int32_t left, bottom, right, top;
};

/* @box holds all pixels with a sample inside */
struct fep_shape {
	struct fep_edge edge[FEP_EDGES];
	unsigned int edges;
	struct fep_box box;
};

/* Of a pixel: what record 96 calls the oversample mode */
enum fep_samples { FEP_SAMPLES_1, FEP_SAMPLES_4, FEP_SAMPLES_16 };

/**
 * struct fep_quad - a quad with at least one sample inside
 * @x: of its left pixels, counted from the tile's first; @y likewise; even
 * @mask: bit 4 * sample + 2 * (y & 1) + (x & 1). With one sample all four are alike, with 16 they
 *	say whether any is inside.
 */
struct fep_quad {
	uint8_t x, y;
	uint16_t mask;
};

/**
 * struct fep_quads - a shape's part of a tile
 * @coverage16: with 16 samples: bit 4 * sample + pixel of each quad
 */
struct fep_quads {
	unsigned int count;
	struct fep_quad quad[FEP_QUADS];
	uint64_t coverage16[FEP_QUADS];
};

/* From a, b and c, and the fill rule where the function is 0 */
static inline void fep_edge_set(struct fep_edge *edge, int32_t a, int32_t b, int64_t c)
{
	edge->a = a;
	edge->b = b;
	edge->c = c - !(a > 0 || (a == 0 && b > 0));
}

/* Where a sample of a pixel lies, in 1/16 from its lower left corner */
void fep_sample(enum fep_samples samples, unsigned int sample, int *x, int *y);

/**
 * fep_rasterise() - the quads of a shape
 * @window: the part of the tile to draw to, in pixels of the frame; its size is a tile's at most
 * @tile_x: of the tile's first pixel; @tile_y likewise; both even
 */
void fep_rasterise(const struct fep_shape *shape, const struct fep_box *window, int32_t tile_x,
		   int32_t tile_y, enum fep_samples samples, struct fep_quads *out);

#endif /* V3DSIM_FEP_H */
