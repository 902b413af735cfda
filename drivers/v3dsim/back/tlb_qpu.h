/* SPDX-License-Identifier: MIT */
/*
 * The tile buffer as fragment shaders see it: tests, writes and reads through the register space
 * (AG100 Table 14, p. 45 to 52).
 *
 * A write concerns the lanes whose condition passes: that is how shaders discard fragments (Mesa
 * relies on it for Z and colour).
 *
 * Not established, and chosen here:
 * - Z is bits 23:0 of what is written (a shader writes back rb15 as it is); all samples of a pixel
 *   are tested with the same Z.
 * - TLB_STENCIL_SETUP takes element 0.
 * - Samples whose lane's condition fails keep their MS_FLAGS, Z and stencil.
 * - A shader can take away from MS_FLAGS but not add samples that its primitive does not cover.
 *   Without multisampling, bit 0 counts and the others read as 0.
 * - The sequences of samples start again after the last one. QUAD_X and QUAD_Y cannot be written
 *   (p. 47, whereas Table 14 has addresses for it).
 * - A read gives what the tile holds, of pixels that are not covered too.
 */
#ifndef V3DSIM_TLB_QPU_H
#define V3DSIM_TLB_QPU_H

#include "qpu/qpu.h"

struct qpu_peripherals;

/* The tile buffer's registers and signals */
void tlb_qpu_attach(struct qpu_peripherals *to);

/**
 * tlb_qpu_write() - a result to QUAD_XY, MS_REV_FLAGS, TLB_STENCIL_SETUP, TLB_Z, TLB_COLOUR_MS,
 * TLB_COLOUR_ALL or TLB_ALPHA_MASK
 * @in_b: in the space of file B
 * @lanes: a bit a lane: its condition passes
 * What is no fragment shader has no fragments: nothing happens.
 */
void tlb_qpu_write(struct v3dsim *sim, struct qpu *q, unsigned int waddr, bool in_b,
		   const struct lanes *value, uint16_t lanes);

/**
 * tlb_qpu_load() - the signals load coverage, load colour (and end) and load alpha mask; 0 without
 * fragments
 */
void tlb_qpu_load(struct v3dsim *sim, struct qpu *q, unsigned int sig, struct lanes *out);

#endif /* V3DSIM_TLB_QPU_H */
