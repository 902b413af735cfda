// SPDX-License-Identifier: MIT
/* Interrupts: see intr.h. */
#include <string.h>

#include "sim.h"

#define PIPELINE_BITS \
	(V3D_MASK(INTCTL, SPILLUSE) | V3D_MASK(INTCTL, OUTOMEM) | V3D_MASK(INTCTL, FLDONE) | \
	 V3D_MASK(INTCTL, FRDONE))

static bool pending(const struct intr *intr)
{
	return (intr->status & intr->enabled) || intr->qpu_status;
}

static uint64_t now(const struct v3dsim *sim)
{
	return sim->stats.instructions + sim->stats.records + sim->intr.waited;
}

/* Latches or enables have changed: from when on is the line up? */
static void settle(struct v3dsim *sim)
{
	struct intr *intr = &sim->intr;
	const bool again = intr->again && (intr->enabled || intr->qpu_enabled);
	const bool wanted = pending(intr) || again;

	if (wanted && !intr->wanted) {
		intr->due = now(sim) + (pending(intr) ? 0 : 1);	/* falls before it comes again */
		if (chip_strike(sim, V3D_CHIP_IRQ_LATE))
			intr->due += sim->chip.number[V3D_CHIP_IRQ_LATE];
		if (inject_strikes(&sim->inject, INJECT_IRQ_DELAY))
			intr->due += INJECT_DELAY;
	}
	intr->wanted = wanted;
}

void intr_tick(struct v3dsim *sim)
{
	sim->intr.waited++;
}

bool intr_waits(const struct v3dsim *sim)
{
	return sim->powered && sim->intr.wanted && now(sim) < sim->intr.due;
}

void intr_raise(struct v3dsim *sim, uint32_t mask)
{
	struct intr *intr = &sim->intr;

	if (mask & intr->enabled & ~intr->status) {
		if (inject_strikes(&sim->inject, INJECT_IRQ_LOSE))
			return;
		sim->stats.interrupts++;
	}
	intr->status |= mask & PIPELINE_BITS;
	settle(sim);
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
	struct intr *intr = &sim->intr;

	if (intr->qpu_enabled & ~intr->qpu_status & 1u << qpu) {
		if (inject_strikes(&sim->inject, INJECT_IRQ_LOSE))
			return;
		sim->stats.interrupts++;
	}
	intr->qpu_status |= intr->qpu_enabled & 1u << qpu;
	settle(sim);
}

bool intr_level(const struct v3dsim *sim)
{
	return sim->powered && sim->intr.wanted && now(sim) >= sim->intr.due;
}

/* HW: on boards with several cores one interrupt can reach two of them. The second finds nothing */
static uint32_t read_status(struct v3dsim *sim)
{
	struct intr *intr = &sim->intr;

	if (intr->again && intr->level && !pending(intr)) {
		chip_strike(sim, V3D_CHIP_IRQ_TWICE);
		intr->again = intr->storm;
		intr->storm -= intr->again;
		sim->stats.interrupts += intr->again;
		intr->wanted = false;
		settle(sim);
	}
	return intr->status;
}

/* HW: a handler was seen to find the latch 0 that had called it */
static uint32_t read_qpu_status(struct v3dsim *sim)
{
	if (sim->intr.qpu_status && chip_strike(sim, V3D_CHIP_HOST_INT_ZERO)) {
		sim->intr.qpu_status = 0;
		settle(sim);
	}
	return sim->intr.qpu_status;
}

/*
 * What INTDIS reads is not said in so many words. Both tables' reset values are 0 with all
 * interrupts disabled, so it reads the enables.
 */
uint32_t intr_read(struct v3dsim *sim, uint32_t reg)
{
	switch (reg) {
	case V3D_INTCTL:
		return read_status(sim);
	case V3D_INTENA:
	case V3D_INTDIS:
		return sim->intr.enabled;
	case V3D_DBQITC:
		return read_qpu_status(sim);
	default:
		return sim->intr.qpu_enabled;
	}
}

/* An interrupt was acknowledged: the line rises once more for nothing, or as often as a storm is */
static bool comes_again(struct v3dsim *sim)
{
	if (inject_strikes(&sim->inject, INJECT_IRQ_STORM)) {
		sim->intr.storm = INJECT_STORM - 1;
		return true;
	}
	return sim->intr.storm || inject_strikes(&sim->inject, INJECT_IRQ_DOUBLE) ||
	       chip_has(&sim->chip, V3D_CHIP_IRQ_TWICE);
}

void intr_write(struct v3dsim *sim, uint32_t reg, uint32_t value)
{
	struct intr *intr = &sim->intr;
	const bool came = pending(intr) && intr->level;

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
	if (came && !pending(intr) && (reg == V3D_INTCTL || reg == V3D_DBQITC)) {
		intr->again = comes_again(sim);
		sim->stats.interrupts += intr->again;
		intr->wanted = false;
	}
	settle(sim);
}

void intr_reset(struct v3dsim *sim)
{
	bool told = sim->intr.level;

	memset(&sim->intr, 0, sizeof(sim->intr));
	sim->intr.level = told;
}
