/* SPDX-License-Identifier: MIT */
/* Primitive set-up: from shaded vertices to edges and planes (AG100 Figure 1; Tables 51 and 52 for its state). */
#ifndef V3DSIM_PSE_H
#define V3DSIM_PSE_H

#include "cle.h"
#include "primitive.h"

/**
 * pse_primitive() - the rendering thread has a primitive for the present tile: set-up, rasterising, shading
 * @budget: lessened by what was done
 * Return: CLE_MORE or CLE_STUCK: to be called again with the same primitive; CLE_DONE; CLE_ERROR (reported)
 */
enum cle_result pse_primitive(struct v3dsim *sim, const struct primitive *primitive, uint64_t *budget);

/** pse_cancel() - the rendering thread was reset: the primitive in progress is dropped */
void pse_cancel(struct v3dsim *sim);

#endif /* V3DSIM_PSE_H */
