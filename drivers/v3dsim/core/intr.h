/* SPDX-License-Identifier: MIT */
/*
 * Pipeline and QPU interrupts: latches, enables, and the level of the one line (AG100 Tables 73 to
 * 77).
 */
#ifndef V3DSIM_INTR_H
#define V3DSIM_INTR_H

#include "v3dsim.h"

/**
 * struct intr - the latches
 * @status: INTCTL
 * @enabled: INTENA, INTDIS
 * @qpu_status: DBQITC, a bit a QPU
 * @qpu_enabled: DBQITE
 * @causes: of pipeline interrupts, that go on: latched again as soon as they are cleared
 * @level: the line, as last told to the host
 * @again: the interrupt that was acknowledged last is to come once more (mode "irq-twice")
 * @storm: how often it is to come after that (fault "irq-storm")
 * @wanted: there is reason for the line to be up, from the time @due on: see intr_tick()
 * @waited: what of the time is neither an instruction nor a control record
 */
struct intr {
	uint32_t status, enabled, causes, qpu_status, qpu_enabled, storm;
	bool level, again, wanted;
	uint64_t due, waited;
};

/* Latches a pipeline interrupt: a V3D_MASK(INTCTL, ...) */
void intr_raise(struct v3dsim *sim, uint32_t mask);

/* What raises pipeline interrupts goes on, or is over: a V3D_MASK(INTCTL, ...) */
void intr_cause(struct v3dsim *sim, uint32_t mask, bool on);

/* Latches a QPU's interrupt, if DBQITE allows that QPU to make one */
void intr_raise_qpu(struct v3dsim *sim, unsigned int qpu);

/**
 * intr_tick() - time passes for interrupts that come late (mode "irq-late"). It is counted in
 * instructions and control records, which this function need not be told of; in register accesses;
 * and in turns of an engine that has nothing else to do, since a CPU that sleeps until the
 * interrupt comes makes no accesses.
 */
void intr_tick(struct v3dsim *sim);

/* The line is to rise, but its time has not come */
bool intr_waits(const struct v3dsim *sim);

/* What the line should be now */
bool intr_level(const struct v3dsim *sim);

uint32_t intr_read(struct v3dsim *sim, uint32_t reg);
void intr_write(struct v3dsim *sim, uint32_t reg, uint32_t value);
void intr_reset(struct v3dsim *sim);

#endif /* V3DSIM_INTR_H */
