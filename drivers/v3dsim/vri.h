/* SPDX-License-Identifier: MIT */
/* The varyings interpolator, and what else a fragment shader knows about its pixels (AG100 p. 44). */
#ifndef V3DSIM_VRI_H
#define V3DSIM_VRI_H

#include "qpu.h"

/** vri_read_varying() - the next varying: (A * x + B * y) * W, with C to r5; 0 without fragments */
void vri_read_varying(struct qpu *q, struct lanes *out);

/** vri_read_coordinate() - x of each pixel in the frame, or y in the space of file B; 0 without fragments */
void vri_read_coordinate(const struct qpu *q, bool b, struct lanes *out);

#endif /* V3DSIM_VRI_H */
