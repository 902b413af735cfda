/* SPDX-License-Identifier: MIT */
/* The varyings interpolator, and what else a fragment shader knows about its pixels (AG100 p. 44). */
#ifndef V3DSIM_VRI_H
#define V3DSIM_VRI_H

#include "qpu.h"

/** vri_read_varying() - A * (x - x0) + B * (y - y0) of the next varying; 0 without fragments and after the last one */
void vri_read_varying(struct qpu *q, struct lanes *out);

/**
 * vri_load_c() - at the end of an instruction that read a varying: its C to r5, so that the next instruction has it and the one
 * that read still had the C before. What that instruction itself wrote to r5 is lost: not established.
 */
void vri_load_c(struct qpu *q);

/** vri_read_coordinate() - x of each pixel in the frame, or y in the space of file B; 0 without fragments */
void vri_read_coordinate(const struct qpu *q, bool b, struct lanes *out);

#endif /* V3DSIM_VRI_H */
