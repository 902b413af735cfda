/* SPDX-License-Identifier: MIT */
/*
 * The Vertex Cache DMA, as the pipeline uses it: attributes of a batch of vertices into the VPM,
 * and vertices that are shaded already. What programs ask of it is in vdr.c.
 */
#ifndef V3DSIM_VCD_H
#define V3DSIM_VCD_H

#include "vcm.h"

/**
 * vcd_fetch() - the attributes of a batch: one column of the VPM a vertex (AG100 p. 60)
 * @index: of the vertices, @count of them
 *
 * A column is 256 bytes; the attributes' offsets count in these. What no attribute fills is 0,
 * bytes past the column's end are dropped, and where attributes overlap the later one wins (not
 * established). Addresses wrap at 2^32.
 *
 * Return: false after a bus error (reported)
 */
bool vcd_fetch(struct v3dsim *sim, struct vcm *vcm, const uint32_t *index, unsigned int count);

/**
 * vcd_fetch_shaded() - a vertex of NV mode, in one of the four formats of AG100 Figure 12
 * @varyings: how many are wanted
 * Return: false after a bus error (reported)
 */
bool vcd_fetch_shaded(struct v3dsim *sim, const struct vcm_shader *shader, uint32_t index,
		      unsigned int varyings, struct vertex *vertex);

#endif /* V3DSIM_VCD_H */
