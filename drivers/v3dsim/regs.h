/* SPDX-License-Identifier: MIT */
/* The register window: what is plain storage lives here, all else is handed to the block that it belongs to. */
#ifndef V3DSIM_REGS_H
#define V3DSIM_REGS_H

#include <v3d/regs.h>

#include "v3dsim.h"

/** struct regs - words of the window by offset / 4: registers that are storage */
struct regs {
	uint32_t storage[V3D_REGS_SIZE / 4];
};

/**
 * regs_value() - a register that is plain storage (SRQUA, SQRSV0, VPMBASE, BPOA ...), for the blocks; use regs_value(&sim->regs,
 * ...)
 */
static inline uint32_t regs_value(const struct regs *regs, enum v3d_reg reg)
{
	return regs->storage[reg / 4];
}

/** regs_name() - NULL where there is no register */
const char *regs_name(uint32_t reg);

/** regs_read() - powered, lock held */
uint32_t regs_read(struct v3dsim *sim, uint32_t reg);

/** regs_write() - powered, lock held */
void regs_write(struct v3dsim *sim, uint32_t reg, uint32_t value);

void regs_reset(struct v3dsim *sim);

#endif /* V3DSIM_REGS_H */
