/* SPDX-License-Identifier: MIT */
/*
 * The race detector: two accesses to the same bytes by different QPUs, one of them a write, that
 * nothing orders. What the chip gives for these depends on which came first.
 *
 * Order is told by vector clocks, a component for each QPU and for each of its two DMA engines. A
 * QPU's instructions follow each other, and so do programs on one QPU: rows or memory by QPU number
 * are no other's. The mutex, and semaphores, order who releases before who acquires. A transfer
 * comes after the write that starts it, and before what its QPU does once it has waited for it.
 * Everything comes after the jobs before: a request to a chip without programs begins anew.
 *
 * Watched are the rows of the VPM that user programs address, and of memory what their DMA and
 * their direct TMU reads touch: not textures, uniforms or code. A chip that is not asked for this
 * has no struct races, and looks at a pointer for each access to the VPM or TMU.
 */
#ifndef V3DSIM_RACES_H
#define V3DSIM_RACES_H

#include <stdbool.h>
#include <stdint.h>

#include "v3dsim.h"

struct lanes;
struct qpu;
struct races;
struct vpm_port;

/* Return: NULL: out of memory */
struct races *races_new(void);
void races_free(struct races *races);

/* A request comes to a chip without programs: what was is over */
void races_begin(struct races *races);

/* The QPU raises (else has lowered) a semaphore; has acquired the mutex; releases it */
void races_semaphore(struct races *races, const struct qpu *q, unsigned int number, bool raises);
void races_mutex_acquired(struct races *races, const struct qpu *q);
void races_mutex_released(struct races *races, const struct qpu *q);

/* The QPU starts a transfer; has waited for it */
void races_transfer(struct races *races, const struct qpu *q, bool store);
void races_waited(struct races *races, const struct qpu *q, bool store);

/**
 * races_vpm() - an instruction accesses a word of the VPM
 * @mask: which bits of it
 */
void races_vpm(struct races *races, const struct vpm_port *port, unsigned int word, uint32_t mask,
	       bool write);

/* The same by a transfer of that port's */
void races_vpm_transfer(struct races *races, const struct vpm_port *port, bool store,
			unsigned int word, uint32_t mask);

/* A row of memory by a transfer of that port's */
void races_memory_transfer(struct races *races, const struct vpm_port *port, bool store,
			   uint32_t address, uint32_t bytes);

/* Sixteen words by a direct TMU read */
void races_gather(struct races *races, const struct qpu *q, const struct lanes *addresses);

/**
 * races_tell() - what was found since this was last asked
 * @out: room for V3DSIM_RACES
 * @missed: set if there was no memory to see all
 * Return: how many
 */
unsigned int races_tell(struct races *races, struct v3dsim_race *out, bool *missed);

#endif /* V3DSIM_RACES_H */
