/* SPDX-License-Identifier: MIT */
/*
 * The register window: what is plain storage lives here, all else is handed to the block that it
 * belongs to.
 */
#ifndef V3DSIM_REGS_H
#define V3DSIM_REGS_H

#include <v3d/regs.h>

#include "v3dsim.h"

struct v3dsim;

/**
 * struct regs_window - registers that a block answers for
 * @first: offset, as @last; both 0 after the last of an array
 * @read: NULL: what is stored
 */
struct regs_window {
	uint32_t first, last;
	uint32_t (*read)(struct v3dsim *sim, uint32_t reg);
	void (*write)(struct v3dsim *sim, uint32_t reg, uint32_t value);
};

/**
 * struct regs - registers
 * @windows: of the blocks
 * @storage: words by offset / 4: registers that are storage
 */
struct regs {
	const struct regs_window *windows;
	uint32_t storage[V3D_REGS_SIZE / 4];
};

/**
 * regs_value() - a register that is plain storage (SRQUA, SQRSV0, VPMBASE, BPOA ...), for the
 * blocks; use regs_value(&sim->regs, ...)
 */
static inline uint32_t regs_value(const struct regs *regs, enum v3d_reg reg)
{
	return regs->storage[reg / 4];
}

/**
 * regs_store() - puts what writes keep of @value into a register that is storage; for blocks that
 * say when it may be written
 */
void regs_store(struct v3dsim *sim, uint32_t reg, uint32_t value);

/* NULL where there is no register */
const char *regs_name(uint32_t reg);

/* A read by the CPU; powered, lock held */
uint32_t regs_read(struct v3dsim *sim, uint32_t reg);

/* A write by the CPU; powered, lock held */
void regs_write(struct v3dsim *sim, uint32_t reg, uint32_t value);

void regs_reset(struct v3dsim *sim);

/**
 * regs_dirty() - what firmware may leave in BPOA, BPOS, SQRSVn, VPACNTL, BXCF and PCTRE (HW), for
 * the chip's mode "dirty-registers"
 * @seed: none of them is 0, whatever it is
 */
void regs_dirty(struct v3dsim *sim, uint32_t seed);

#endif /* V3DSIM_REGS_H */
