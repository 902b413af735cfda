// SPDX-License-Identifier: MIT
/* Interrupts: see intr.h. */
#include <string.h>

#include "sim.h"

#define PIPELINE_BITS \
	(V3D_MASK(INTCTL, SPILLUSE) | V3D_MASK(INTCTL, OUTOMEM) | V3D_MASK(INTCTL, FLDONE) | \
	 V3D_MASK(INTCTL, FRDONE))

void intr_raise(struct v3dsim *sim, uint32_t mask)
{
	sim->intr.status |= mask & PIPELINE_BITS;
}

void intr_cause(struct v3dsim *sim, uint32_t mask, bool on)
{
	if (on)
		sim->intr.causes |= mask;
	else
		sim->intr.causes &= ~mask;
}

/*
 * AG100 Table 74: the enable allows the QPU to generate an interrupt, so a disabled one latches
 * nothing.
 */
void intr_raise_qpu(struct v3dsim *sim, unsigned int qpu)
{
	sim->intr.qpu_status |= sim->intr.qpu_enabled & 1u << qpu;
}

bool intr_level(const struct v3dsim *sim)
{
	const struct intr *intr = &sim->intr;

	return sim->powered && ((intr->status & intr->enabled) || intr->qpu_status);
}

/*
 * What INTDIS reads is not said in so many words. Both tables' reset values are 0 with all
 * interrupts disabled, so it reads the enables.
 */
uint32_t intr_read(struct v3dsim *sim, uint32_t reg)
{
	switch (reg) {
	case V3D_INTCTL:
		return sim->intr.status;
	case V3D_INTENA:
	case V3D_INTDIS:
		return sim->intr.enabled;
	case V3D_DBQITC:
		return sim->intr.qpu_status;
	default:
		return sim->intr.qpu_enabled;
	}
}

void intr_write(struct v3dsim *sim, uint32_t reg, uint32_t value)
{
	struct intr *intr = &sim->intr;

	switch (reg) {
	case V3D_INTCTL:
		/* "Essentially level triggered" (AG100 "Pipeline Interrupt Control") */
		intr->status = (intr->status & ~value) | intr->causes;
		break;
	case V3D_INTENA:
		intr->enabled |= value & PIPELINE_BITS;
		break;
	case V3D_INTDIS:
		intr->enabled &= ~value;
		break;
	case V3D_DBQITC:
		intr->qpu_status &= ~value;
		break;
	case V3D_DBQITE:
		intr->qpu_enabled = value & V3D_MASK(DBQITE, IE_QPU);
		break;
	}
}

void intr_reset(struct v3dsim *sim)
{
	bool told = sim->intr.level;

	memset(&sim->intr, 0, sizeof(sim->intr));
	sim->intr.level = told;
}
