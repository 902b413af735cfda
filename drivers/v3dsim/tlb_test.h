/* SPDX-License-Identifier: MIT */
/* The Z and stencil tests of the tile buffer (AG100 p. 47, Tables 27 and 28). */
#ifndef V3DSIM_TLB_TEST_H
#define V3DSIM_TLB_TEST_H

#include "fragment.h"

/** tlb_stencil_setup() - a write to TLB_STENCIL_SETUP */
void tlb_stencil_setup(struct fragment *f, uint32_t word);

/** tlb_test() - a write to TLB_Z: tests samples of MS_FLAGS in @lanes, writes Z and stencil, takes those that fail from MS_FLAGS */
void tlb_test(struct v3dsim *sim, struct fragment *f, const struct lanes *z, uint16_t lanes);

#endif /* V3DSIM_TLB_TEST_H */
