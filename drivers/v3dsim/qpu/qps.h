/* SPDX-License-Identifier: MIT */
/*
 * The QPU scheduler: the queue of user programs, who runs where (AG100 Tables 62 to 69), and what
 * all QPUs share: the VPM, the mutex and the semaphores.
 *
 * QPUs take turns of QPS_TURN slots of 4 clocks, lowest number first, so that all run at the same
 * pace as on the chip; a QPU that has to wait gives its turn away. User programs start on the
 * highest-numbered free QPU (HW) that SQRSVn allows.
 */
#ifndef V3DSIM_QPS_H
#define V3DSIM_QPS_H

#include <stdbool.h>
#include <stdint.h>

#include <v3d/regs.h>

#include "v3dsim.h"

#define QPS_TURN 64
#define QPS_DECODED 2048	/* instructions kept ready */
#define QPS_MUTEX_FREE 0xff

struct qpu_peripherals;
struct qpu;
struct v3dsim;

/* Allocates; false: out of memory */
bool qps_new(struct v3dsim *sim);

/* For those who attach themselves */
struct qpu_peripherals *qps_peripherals(struct v3dsim *sim);

/* Of a chip whose engine is at rest; also if qps_new() failed */
void qps_free(struct v3dsim *sim);

/* Reads SRQCS; SRQPC reads 0 */
uint32_t qps_read(struct v3dsim *sim, uint32_t reg);

/* SRQPC, SRQCS or VPMBASE; SRQUA, SRQUL and SQRSVn are storage */
void qps_write(struct v3dsim *sim, uint32_t reg, uint32_t value);

/**
 * qps_run() - lets the QPUs work
 * @budget: instructions, at most; ends early, but not before the first, when sim_wanted()
 * Return: instructions spent (0: no QPU can go on)
 */
uint64_t qps_run(struct v3dsim *sim, uint64_t budget);

/* No program runs or waits in the queue, and no DMA is under way */
bool qps_idle(const struct v3dsim *sim);

/**
 * qps_may_shade() - is there a QPU without a user program for each kind of shader of a control
 * thread that SQRSVn allows there?
 * @thread: 0 has coordinate shaders, 1 vertex and fragment shaders
 */
bool qps_may_shade(const struct v3dsim *sim, unsigned int thread);

/* A QPU or its DMA stopped with an error and will never go on */
bool qps_faulted(const struct v3dsim *sim);

/* v3dsim_races() */
unsigned int qps_races(struct v3dsim *sim, struct v3dsim_race *races, bool *missed);

/* v3dsim_places(), of user programs; shade_places() in shade.h has the others */
unsigned int qps_places(const struct v3dsim *sim, struct v3dsim_place *places);

/* What a QPU with a program does, into @place, but for who it is */
void qps_place(const struct qpu *q, struct v3dsim_place *place);

/**
 * qps_describe() - why nothing goes on, in words: for each QPU that runs a program its number,
 * address and what it waits for
 * @text: cut to @size bytes, a line a QPU
 */
void qps_describe(const struct v3dsim *sim, char *text, size_t size);

void qps_reset(struct v3dsim *sim);

#endif /* V3DSIM_QPS_H */
