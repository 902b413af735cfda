// SPDX-License-Identifier: MIT
/* The register window: see regs.h. */
#include <string.h>

#include "sim.h"

/* What the lists of uapi say about a register: name is NULL where there is none, stored are the bits that writes keep. */
struct description {
	const char *name;
	uint32_t reset, stored;
};

#define STORED_FIELD(kind, name, high, low, access) | (V3D_##access == V3D_RW ? V3D_MASK(kind, name) : 0)
#define DESCRIBE(register_name, kind, offset, access, reset_value) \
	[(offset) / 4] = { .name = #register_name, .reset = (reset_value), \
			   .stored = V3D_##access == V3D_RW ? 0 V3D_FIELDS_##kind(STORED_FIELD) : 0 },

static const struct description descriptions[V3D_REGS_SIZE / 4] = { V3D_REGS(DESCRIBE) };

const char *regs_name(uint32_t reg)
{
	return reg < V3D_REGS_SIZE && reg % 4 == 0 ? descriptions[reg / 4].name : NULL;
}

uint32_t regs_read(struct v3dsim *sim, uint32_t reg)
{
	if (!regs_name(reg))
		return 0;
	switch (reg) {
	case V3D_L2CACTL:
		return cache_l2_read(sim);
	case V3D_INTCTL:
	case V3D_INTENA:
	case V3D_INTDIS:
	case V3D_DBQITC:
	case V3D_DBQITE:
		return intr_read(sim, reg);
	case V3D_CT0CS ... V3D_PCS:
		return cle_read(sim, reg);
	case V3D_RFC:
		return tlb_frame_count(sim);
	case V3D_BFC:
	case V3D_BPCA ... V3D_BPOS:
		return ptb_read(sim, reg);
	case V3D_SRQPC:
	case V3D_SRQCS:
		return qps_read(sim, reg);
	case V3D_PCTRC ... V3D_PCTRS15:
		return pctr_read(sim, reg);
	default:
		return sim->regs.storage[reg / 4];
	}
}

/* AG100 Table 69: only while the V3D is idle, before any coordinate, vertex or NV shading. */
static bool may_store(struct v3dsim *sim, uint32_t reg)
{
	return reg != V3D_VPMBASE || qps_idle(sim);
}

/* Registers of which the guide names no field keep all 32 bits. */
static void store(struct v3dsim *sim, uint32_t reg, uint32_t value)
{
	uint32_t stored = descriptions[reg / 4].stored;

	if (reg >= V3D_DBCFG && reg <= V3D_DBQGHH)
		stored = ~0u;
	if (stored && may_store(sim, reg))
		sim->regs.storage[reg / 4] = value & stored;
}

void regs_write(struct v3dsim *sim, uint32_t reg, uint32_t value)
{
	if (!regs_name(reg))
		return;
	switch (reg) {
	case V3D_L2CACTL:
		cache_l2_control(sim, value);
		break;
	case V3D_SLCACTL:
		cache_slice_control(sim, value);
		break;
	case V3D_INTCTL:
	case V3D_INTENA:
	case V3D_INTDIS:
	case V3D_DBQITC:
	case V3D_DBQITE:
		intr_write(sim, reg, value);
		break;
	case V3D_CT0CS ... V3D_PCS:
		cle_write(sim, reg, value);
		break;
	case V3D_RFC:
		tlb_frame_count_write(sim, value);
		break;
	case V3D_BFC:
	case V3D_BPCA ... V3D_BPOS:
		ptb_write(sim, reg, value);
		break;
	case V3D_SRQPC:
	case V3D_SRQCS:
		qps_write(sim, reg, value);
		break;
	case V3D_PCTRC ... V3D_PCTRS15:
		pctr_write(sim, reg, value);
		break;
	default:
		store(sim, reg, value);
	}
}

void regs_reset(struct v3dsim *sim)
{
	unsigned int i;

	for (i = 0; i < V3D_REGS_SIZE / 4; i++)
		sim->regs.storage[i] = descriptions[i].reset;
}
