/* SPDX-License-Identifier: MIT */
/* The records that draw (AG100 Table 38, records 32 to 49): decoded whole, and what they draw with. */
#ifndef V3DSIM_DRAW_H
#define V3DSIM_DRAW_H

#include "cle.h"

/**
 * draw() - a draw record, or a part of it
 * @thread: control thread
 * @addr: of the record
 * @bytes: the record's fixed part
 * @next: set to the byte after an inline list
 *
 * Lists without primitives are executed. Primitives need vertex fetch, shading and rasterising (VCD, VCM, PSE, FEP), which this
 * chip does not have yet: they are an error, and CTnPC shows how many are left.
 */
enum cle_result draw(struct v3dsim *sim, unsigned int thread, uint32_t addr, const uint8_t *bytes, uint32_t *next);

#endif /* V3DSIM_DRAW_H */
