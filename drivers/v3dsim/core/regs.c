// SPDX-License-Identifier: MIT
/* The register window: see regs.h. */
#include <string.h>

#include "sim.h"

/*
 * What the lists of uapi say about a register: name is NULL where there is none, stored are the
 * bits that writes keep.
 */
struct description {
	const char *name;
	uint32_t reset, stored;
};

#define STORED_FIELD(kind, name, high, low, access) \
	| (V3D_##access == V3D_RW ? V3D_MASK(kind, name) : 0)
#define DESCRIBE(register_name, kind, offset, access, reset_value) \
	[(offset) / 4] = { \
		.name = #register_name, .reset = (reset_value), \
		.stored = V3D_##access == V3D_RW ? 0 V3D_FIELDS_##kind(STORED_FIELD) : 0, \
	},

static const struct description descriptions[V3D_REGS_SIZE / 4] = { V3D_REGS(DESCRIBE) };

const char *regs_name(uint32_t reg)
{
	return reg < V3D_REGS_SIZE && reg % 4 == 0 ? descriptions[reg / 4].name : NULL;
}

/* Who answers for a register: NULL: it is storage */
static const struct regs_window *window_of(const struct v3dsim *sim, uint32_t reg)
{
	for (const struct regs_window *window = sim->regs.windows; window->last; window++)
		if (reg >= window->first && reg <= window->last)
			return window;
	return NULL;
}

uint32_t regs_read(struct v3dsim *sim, uint32_t reg)
{
	const struct regs_window *window = window_of(sim, reg);

	if (!regs_name(reg))
		return 0;
	return window && window->read ? window->read(sim, reg) : sim->regs.storage[reg / 4];
}

/* Registers of which the guide names no field keep all 32 bits. */
void regs_store(struct v3dsim *sim, uint32_t reg, uint32_t value)
{
	uint32_t stored = descriptions[reg / 4].stored;

	if (reg >= V3D_DBCFG && reg <= V3D_DBQGHH)
		stored = ~0u;
	if (stored)
		sim->regs.storage[reg / 4] = value & stored;
}

void regs_write(struct v3dsim *sim, uint32_t reg, uint32_t value)
{
	const struct regs_window *window = window_of(sim, reg);

	if (!regs_name(reg))
		return;
	if (window)
		window->write(sim, reg, value);
	else
		regs_store(sim, reg, value);
}

void regs_reset(struct v3dsim *sim)
{
	unsigned int i;

	for (i = 0; i < V3D_REGS_SIZE / 4; i++)
		sim->regs.storage[i] = descriptions[i].reset;
}

void regs_dirty(struct v3dsim *sim, uint32_t seed)
{
	static const uint32_t left[] = {
		V3D_BPOA, V3D_BPOS, V3D_SQRSV0, V3D_SQRSV1, V3D_VPACNTL, V3D_BXCF, V3D_PCTRE,
	};
	uint32_t bits = seed;

	for (unsigned int i = 0; i < sizeof(left) / sizeof(left[0]); i++) {
		bits = (bits ^ bits >> 15) * 0x2c1b3c6d + 0x9e3779b9;
		/* PCTRE's enable bit, and one that every register has */
		regs_write(sim, left[i], bits | 0x80000001);
	}
}
