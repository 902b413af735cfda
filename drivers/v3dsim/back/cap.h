/* SPDX-License-Identifier: MIT */
/*
 * The coverage accumulation pipe (AG100 p. 45 and 63; Table 38, records 96 and 113): primitives
 * that mark what they cover, 16 parts a pixel, in the memory of Z and stencil, for a fragment
 * shader that reads it back as its alpha.
 *
 * Not established, and chosen here:
 * - Coverage is bits 15:0 of a pixel's word of Z and stencil, the others are 0: so it is cleared,
 *   stored and loaded.
 * - The update mode NONZERO keeps a count for each part beside that word: a primitive that faces
 *   the viewer adds 1, modulo 256, one that faces away takes 1 away. Where the word says otherwise,
 *   after a clear, a load or other modes, the count is 0 or 1.
 * - ODD inverts, OR sets, ZERO clears what is covered.
 * - A level is the number of parts * 255 / 16, halves rounded up, in all four bytes. Reading clears
 *   pixels of MS_FLAGS only.
 * - With multisampling nothing is accumulated, and coverage reads as 0 (undefined, p. 48).
 */
#ifndef V3DSIM_CAP_H
#define V3DSIM_CAP_H

#include <v3d/packets.h>

#include "fragment.h"

#define CAP_PARTS 16		/* of a pixel */

/**
 * cap_quad() - accumulates a quad
 * @x: of its left pixels in the tile, even; @y likewise
 * @covered: bit 4 * part + 2 * (y & 1) + (x & 1)
 * @config: record 96 in force
 * @reverse: the primitive faces away
 */
void cap_quad(struct v3dsim *sim, unsigned int x, unsigned int y, uint64_t covered,
	      const struct v3d_configuration_bits *config, bool reverse);

/* The signal load coverage: AG100 p. 48 */
void cap_load(struct v3dsim *sim, const struct fragment *f, struct lanes *out);

#endif /* V3DSIM_CAP_H */
