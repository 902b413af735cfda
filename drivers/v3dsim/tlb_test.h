/* SPDX-License-Identifier: MIT */
/* The Z and stencil tests of the tile buffer (AG100 p. 47, Tables 27 and 28). */
#ifndef V3DSIM_TLB_TEST_H
#define V3DSIM_TLB_TEST_H

#include "fragment.h"

/** tlb_stencil_setup() - a write to TLB_STENCIL_SETUP */
void tlb_stencil_setup(struct fragment *f, uint32_t word);

/** tlb_test() - a write to TLB_Z: tests samples of MS_FLAGS in @lanes, writes Z and stencil, takes those that fail from MS_FLAGS */
void tlb_test(struct v3dsim *sim, struct fragment *f, const struct lanes *z, uint16_t lanes);

/**
 * tlb_early_z() - would every sample of a quad fail the Z test?
 * @config: record 96 in force
 * @x: of the quad's left pixels in the tile, even; @y likewise
 * @mask: samples that are covered: bit 4 * sample + 2 * (y & 1) + (x & 1); without multisampling bits 3:0
 * @z: of its pixels, 24 bits
 *
 * The chip asks a shadow of the Z buffer, of less resolution, and shades what passes there for nothing; this asks the Z buffer itself.
 * Always false if early Z is switched off (records 96 and 113).
 */
bool tlb_early_z(struct v3dsim *sim, const struct v3d_configuration_bits *config, unsigned int x, unsigned int y, uint16_t mask,
		 const uint32_t *z);

#endif /* V3DSIM_TLB_TEST_H */
