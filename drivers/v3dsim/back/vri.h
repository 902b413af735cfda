/* SPDX-License-Identifier: MIT */
/*
 * The varyings interpolator, and what else a fragment shader knows about its pixels (AG100 p. 44).
 */
#ifndef V3DSIM_VRI_H
#define V3DSIM_VRI_H

#include "qpu/qpu.h"

struct qpu_peripherals;

/**
 * vri_attach() - the interpolator's registers: varyings, and coordinates of pixels; 0 without
 * fragments
 */
void vri_attach(struct qpu_peripherals *to);

/**
 * vri_load_c() - at the end of an instruction that read a varying: its C to r5, so that the next
 * instruction has it and the one that read still had the C before. What that instruction itself
 * wrote to r5 is lost: not established.
 */
void vri_load_c(struct qpu *q);

#endif /* V3DSIM_VRI_H */
