/* SPDX-License-Identifier: MIT */
/*
 * What a QPU is closely coupled with and is no part of it: the VPM, the varyings interpolator, the
 * tile buffer. They attach themselves here to addresses of the register space (AG100 Table 14) and
 * to signals (Table 4), and a QPU knows nothing else of them.
 */
#ifndef V3DSIM_PERIPHERALS_H
#define V3DSIM_PERIPHERALS_H

#include "qpu.h"

#define PERIPHERAL_SPACE 32	/* the first address past the register files */

/**
 * typedef peripheral_read - what a port reads at @raddr, @b: in the space of file B. @rules
 * collects broken rules
 */
typedef void (*peripheral_read)(struct v3dsim *sim, struct qpu *q, unsigned int raddr, bool b,
				struct lanes *out, uint32_t *rules);

/**
 * typedef peripheral_write - a result to @waddr, @b: in the space of file B
 * @lanes: a bit a lane: its condition passes; counts for the tile buffer only
 */
typedef void (*peripheral_write)(struct v3dsim *sim, struct qpu *q, unsigned int waddr, bool b,
				 const struct lanes *value, uint16_t lanes, uint32_t *rules);

/* A signal that loads r4, which is @out */
typedef void (*peripheral_load)(struct v3dsim *sim, struct qpu *q, unsigned int sig,
				struct lanes *out);

/**
 * struct qpu_peripherals - who answers; NULL: nothing is written or loaded, the default of unmapped
 * locations is read
 * @read: by address - PERIPHERAL_SPACE, as @write
 * @load: by signal
 * @varying_was_read: at the end of an instruction that read a varying
 */
struct qpu_peripherals {
	peripheral_read read[PERIPHERAL_SPACE];
	peripheral_write write[PERIPHERAL_SPACE];
	peripheral_load load[16];
	void (*varying_was_read)(struct qpu *q);
};

#endif /* V3DSIM_PERIPHERALS_H */
