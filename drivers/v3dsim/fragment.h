/* SPDX-License-Identifier: MIT */
/*
 * Four quads of fragments on a QPU: what the front end (FEP, VRI) gives a fragment shader, and what the tile buffer (TLB) keeps
 * between the shader's accesses. Lane 4 * quad + 2 * (y & 1) + (x & 1) has a quad's pixel (AG100 Figure 3: the order of a quad).
 */
#ifndef V3DSIM_FRAGMENT_H
#define V3DSIM_FRAGMENT_H

#include "alu.h"
#include "cle.h"
#include "tlb.h"

struct qpu;

#define FRAGMENT_QUADS 4

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
 * @quads: 1 to 4; lanes of the others run along, not covered, where quad 0 is
 * @x: of each quad's left pixels in the tile, even; @y likewise
 * @tile_x: of the tile's first pixel in the frame; @tile_y likewise
 * @covered: [sample] a bit a lane: samples inside the primitive, the clip window and the tile. Without multisampling all that
 *	counts is [0]. VG 16x coverage is in @coverage16.
 * @coverage16: a bit a VG sub-sample, by lane
 * @z: at pixel centres, 24 bits, what rb15 holds
 * @z_offset: to be added to @z at each sample of a multisampled tile, 24-bit two's complement
 * @config: record 96 in force
 * @reverse: the primitive faces away: the shader's REV_FLAG and the stencil's back side
 * @stencil: words for TLB_STENCIL_SETUP as written by this shader: [0] front, [1] back, [2] masks; bits of @stencil_set say which
 * @ms_mask: what the shader made of MS_FLAGS, four bits a lane
 * @passed: [sample] lanes that passed Z and stencil tests; equal to @covered before any test
 * @tested: TLB_Z was written
 * @sample: the next sample that TLB_COLOUR_MS writes; @read_sample the next that a colour load reads
 * @alpha: TLB_ALPHA_MASK by lane; @has_alpha: it was written
 * @plane: of @planes varyings; @plane_next is the next to be read
 * @dx: from the point where planes are 0 to pixel centres, in 1/16 of a pixel, as floats; @dy likewise
 */
struct fragment {
	unsigned int quads;
	uint8_t x[FRAGMENT_QUADS], y[FRAGMENT_QUADS];
	uint32_t tile_x, tile_y;
	uint16_t covered[TLB_SAMPLES], passed[TLB_SAMPLES];
	uint16_t coverage16[V3D_QPU_LANES];
	struct lanes z;
	int32_t z_offset[TLB_SAMPLES];
	struct v3d_configuration_bits config;
	bool reverse, tested, has_alpha;
	uint32_t stencil[3];
	unsigned int stencil_set, sample, read_sample;
	uint8_t ms_mask[V3D_QPU_LANES];
	struct lanes alpha;
	const struct fragment_plane *plane;
	unsigned int planes, plane_next;
	struct lanes dx, dy;
};

#endif /* V3DSIM_FRAGMENT_H */
