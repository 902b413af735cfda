// SPDX-License-Identifier: MIT
/* The QPU scheduler: see qps.h. */
#include <string.h>

#include "sim.h"

uint32_t qps_read(struct v3dsim *sim, uint32_t reg)
{
	(void)reg;
	return V3D_SET(SRQCS, QPURQCC, sim->qps.completed) | V3D_SET(SRQCS, QPURQCM, sim->qps.requested) |
	       V3D_SET(SRQCS, QPURQERR, sim->qps.error);
}

void qps_write(struct v3dsim *sim, uint32_t reg, uint32_t value)
{
	(void)value;
	if (reg == V3D_SRQPC)
		sim->qps.requested++;
}

uint64_t qps_run(struct v3dsim *sim, uint64_t budget)
{
	(void)sim, (void)budget;
	return 0;
}

bool qps_idle(const struct v3dsim *sim)
{
	return sim->qps.requested == sim->qps.completed;
}

bool qps_faulted(const struct v3dsim *sim)
{
	(void)sim;
	return false;
}

void qps_reset(struct v3dsim *sim)
{
	memset(&sim->qps, 0, sizeof(sim->qps));
}
