/* SPDX-License-Identifier: MIT */
/* The Z and stencil tests of the tile buffer (AG100 p. 47, Tables 27 and 28). */
#ifndef V3DSIM_ZS_H
#define V3DSIM_ZS_H

#include "fragment.h"

/* A write to TLB_STENCIL_SETUP */
void zs_stencil_setup(struct fragment *f, uint32_t word);

/**
 * zs_test() - a write to TLB_Z: tests samples of MS_FLAGS in @lanes, writes Z and stencil, takes
 * those that fail from MS_FLAGS
 */
void zs_test(struct v3dsim *sim, struct fragment *f, const struct lanes *z, uint16_t lanes);

/* Do records 96 and 113 switch early Z on? */
static inline bool zs_early_z_wanted(const struct tlb *tlb,
				     const struct v3d_configuration_bits *config)
{
	return config->early_z && !tlb->mode.early_z_disable;
}

/**
 * zs_early_z() - takes quads whose samples would all fail the Z test out of a batch that no shader
 * runs on yet
 * @f: its covered samples become fewer
 * Return: a bit a quad that was taken out
 *
 * The chip asks a shadow of the Z buffer, of less resolution, and shades for nothing what passes
 * there; this asks the Z buffer.
 */
unsigned int zs_early_z(struct v3dsim *sim, struct fragment *f);

#endif /* V3DSIM_ZS_H */
