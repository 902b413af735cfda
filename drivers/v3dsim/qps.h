/* SPDX-License-Identifier: MIT */
/* The QPU scheduler: the queue of user programs, and who runs where (AG100 Tables 62 to 69). */
#ifndef V3DSIM_QPS_H
#define V3DSIM_QPS_H

#include "v3dsim.h"

/** struct qps - requests: counts are modulo 256 */
struct qps {
	uint32_t requested, completed;
	bool error;
};

/** qps_read() - SRQCS */
uint32_t qps_read(struct v3dsim *sim, uint32_t reg);

/** qps_write() - SRQPC or SRQCS; SRQUA, SRQUL, SQRSVn and VPMBASE are in sim->regs */
void qps_write(struct v3dsim *sim, uint32_t reg, uint32_t value);

/**
 * qps_run() - lets the QPUs work
 * @budget: instructions, at most; ends early, but not before the first, when sim_wanted()
 * Return: instructions spent (0: no QPU can go on)
 */
uint64_t qps_run(struct v3dsim *sim, uint64_t budget);

/** qps_idle() - no program runs or waits in the queue */
bool qps_idle(const struct v3dsim *sim);

/** qps_faulted() - a QPU stopped with an error and will never go on */
bool qps_faulted(const struct v3dsim *sim);

void qps_reset(struct v3dsim *sim);

#endif /* V3DSIM_QPS_H */
