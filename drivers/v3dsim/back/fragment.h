/* SPDX-License-Identifier: MIT */
/*
 * Four quads of fragments on a QPU: what the front end (FEP, VRI) gives a fragment shader, and what
 * the tile buffer (TLB) keeps between the shader's accesses. Lane 4 * quad + 2 * (y & 1) + (x & 1)
 * has a quad's pixel (AG100 Figure 3: the order of a quad).
 */
#ifndef V3DSIM_FRAGMENT_H
#define V3DSIM_FRAGMENT_H

#include <v3d/words.h>

#include "core/lanes.h"
#include "tlb.h"

struct qpu;

#define FRAGMENT_QUADS 4

/**
 * struct fragment_stencil - one side's half of Stencil_Mode (AG100 p. 48).
 * @enabled: it was written
 */
struct fragment_stencil {
	struct v3d_stencil_setup setup;
	uint8_t write_mask;
	bool enabled;
};

/**
 * struct fragment_plane - a varying: the shader makes (a * dx + b * dy) * W + c of it
 * @a: per 1/16 of a pixel; @b likewise
 * @c: bits of a float
 */
struct fragment_plane {
	double a, b;
	uint32_t c;
};

/**
 * struct fragment - a batch
 *
 * What the front end fills in, before fragment_begin():
 * @quads: 1 to 4; lanes of the others run along, not covered, where quad 0 is
 * @x: of each quad's left pixels in the tile, even; @y likewise. No two quads lie at the same
 *	place.
 * @tile_x: of the tile's first pixel in the frame; @tile_y likewise
 * @covered: [sample] a bit a lane: samples inside the primitive, the clip window and the tile.
 *	Without multisampling all that counts is [0].
 * @z: what rb15 holds: at pixel centres, 24 bits
 * @config: record 96 in force
 * @reverse: a bit a lane: REV_FLAG, the primitive faces away
 * @plane: of @planes varyings; @plane_next is the next to be read
 * @interpolate: makes lanes of a plane
 * @quad_x: from the point where planes are 0 to the centre of a quad's first pixel, in 1/16 of a
 *	pixel; @quad_y likewise
 *
 * What the tile buffer keeps:
 * @flags: [sample] a bit a lane: MS_FLAGS, what colour writes reach; @covered until the shader or a
 *	test changes it
 * @stencil: [0] front, [1] back
 * @write: words that TLB_COLOUR_MS has written; @write_all those of TLB_COLOUR_ALL; @read those
 *	that were read; each modulo what a pixel has
 * @written: a bit a quad: counted as written to the colour buffer
 */
struct fragment {
	unsigned int quads;
	uint8_t x[FRAGMENT_QUADS], y[FRAGMENT_QUADS];
	uint32_t tile_x, tile_y;
	uint16_t covered[TLB_SAMPLES];
	uint16_t reverse;
	struct lanes z;
	struct v3d_configuration_bits config;
	const struct fragment_plane *plane;
	unsigned int planes, plane_next;
	void (*interpolate)(const struct fragment *f, const struct fragment_plane *plane,
			    struct lanes *out);
	double quad_x[FRAGMENT_QUADS], quad_y[FRAGMENT_QUADS];

	uint16_t flags[TLB_SAMPLES];
	struct fragment_stencil stencil[2];
	unsigned int write, write_all, read, written;
};

/**
 * fragment_begin() - a shader begins on a batch that the front end has filled in: nothing is
 * tested, written or read yet
 */
static inline void fragment_begin(struct fragment *f)
{
	for (unsigned int sample = 0; sample < TLB_SAMPLES; sample++)
		f->flags[sample] = f->covered[sample];
	f->stencil[0].enabled = f->stencil[1].enabled = false;
	f->write = f->write_all = f->read = f->written = 0;
}

#endif /* V3DSIM_FRAGMENT_H */
