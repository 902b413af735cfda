/* SPDX-License-Identifier: MIT */
/*
 * All that exists for speed alone, behind one function: what a chip without it does is what counts.
 */
#ifndef V3DSIM_ACCEL_H
#define V3DSIM_ACCEL_H

#include "core/hooks.h"

/* Fills in all hooks that this processor has something for */
void accel_hooks(struct hooks *hooks);

#endif /* V3DSIM_ACCEL_H */
