/* SPDX-License-Identifier: MIT */
/* Fragment shading: a primitive's quads in a tile, four at a time, through its fragment shader or the coverage pipe. */
#ifndef V3DSIM_QUADS_H
#define V3DSIM_QUADS_H

#include "pse.h"

/**
 * quads_shade() - goes on with pse->quads from pse->next; between shade_enter() and shade_leave()
 * @budget: lessened by the instructions executed
 * Return: CLE_DONE after the last, CLE_MORE, CLE_STUCK, CLE_ERROR (reported)
 */
enum cle_result quads_shade(struct v3dsim *sim, struct pse *pse, uint64_t *budget);

#endif /* V3DSIM_QUADS_H */
