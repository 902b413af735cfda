/* SPDX-License-Identifier: MIT */
/* The tile buffer as fragment shaders see it: tests, writes and reads through the register space (AG100 Table 14, p. 45 to 52). */
#ifndef V3DSIM_TLB_QPU_H
#define V3DSIM_TLB_QPU_H

#include "qpu.h"

/**
 * tlb_qpu_write() - a result to QUAD_XY, MS_REV_FLAGS, TLB_STENCIL_SETUP, TLB_Z, TLB_COLOUR_MS, TLB_COLOUR_ALL or TLB_ALPHA_MASK
 * @in_b: in the space of file B
 * What is no fragment shader has no fragments: nothing happens.
 */
void tlb_qpu_write(struct v3dsim *sim, struct qpu *q, unsigned int waddr, bool in_b, const struct lanes *value, uint32_t *rules);

/** tlb_qpu_load() - the signals load coverage, load colour (and end) and load alpha mask; 0 without fragments */
void tlb_qpu_load(struct v3dsim *sim, struct qpu *q, unsigned int sig, struct lanes *out);

/** tlb_qpu_read_flags() - MS_FLAGS, or REV_FLAG in the space of file B */
void tlb_qpu_read_flags(const struct qpu *q, bool b, struct lanes *out);

#endif /* V3DSIM_TLB_QPU_H */
