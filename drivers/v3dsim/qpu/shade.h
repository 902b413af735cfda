/* SPDX-License-Identifier: MIT */
/*
 * Shaders of the pipeline's: coordinate shaders for the binning thread; vertex and fragment shaders
 * for the rendering thread.
 *
 * Each control thread has a QPU for them, beside those of user programs (QPU 0 and 1 have the same
 * registers: see shade_take_registers()), and runs one batch of 16 to its end before the next
 * begins: that is the order in which the chip's scoreboard lets overlapping fragments through
 * (AG100 p. 45). A batch can be interrupted at any instruction, when its budget is spent or
 * something has to be waited for.
 *
 * Clock cycles: a batch takes 4 for each instruction and what it waits for TMUs, which counts as
 * shading (AG100 Table 82, sources 14 and 15), its instructions as valid ones (16). There is
 * no wait for the scoreboard (18), since batches follow each other, or for varyings (19), which are
 * there when they are read.
 */
#ifndef V3DSIM_SHADE_H
#define V3DSIM_SHADE_H

#include "core/result.h"
#include "qpu.h"

#define SHADE_QPUS 2	/* one for each control thread */

/* A control thread's QPU. @running: between shade_start() and the shader's end */
struct shade {
	struct qpu *qpu;
	bool running;
};

/* Allocates both QPUs; false: out of memory */
bool shade_new(struct v3dsim *sim);

/* Frees both, also if shade_new() failed */
void shade_free(struct v3dsim *sim);

/**
 * shade_take_registers() - a program is about to start on this QPU: what it finds in its registers
 * @q: one of user programs'
 *
 * 0; with caches=model what the last program left there, be it a user program or, on the first
 * QPUs, a control thread's shader.
 */
void shade_take_registers(struct v3dsim *sim, struct qpu *q);

/**
 * shade_give_registers() - the program on this QPU is over: a control thread's next shader finds
 * what it left
 */
void shade_give_registers(struct v3dsim *sim, const struct qpu *q);

/**
 * shade_start() - a shader begins; registers, ports and kind may be set in sim->shade[thread].qpu
 * afterwards
 * @kind: QPU_VERTEX or QPU_FRAGMENT
 * @code: address of the first instruction, @uniforms of the first uniform
 */
void shade_start(struct v3dsim *sim, unsigned int thread, enum qpu_kind kind, uint32_t code,
		 uint32_t uniforms);

/**
 * shade_run() - goes on until the shader ends
 * @budget: instructions, at most; lessened by those executed
 * Return: SIM_DONE at its end, SIM_MORE: budget spent, SIM_STUCK: it waits for something,
 * SIM_ERROR: it will never go on (reported)
 */
enum sim_result shade_run(struct v3dsim *sim, unsigned int thread, uint64_t *budget);

/* The control thread was reset: what it shaded is dropped */
void shade_cancel(struct v3dsim *sim, unsigned int thread);

/* v3dsim_places(), of the control threads' shaders. At most SHADE_QPUS */
unsigned int shade_places(const struct v3dsim *sim, struct v3dsim_place *places);

void shade_reset(struct v3dsim *sim);

#endif /* V3DSIM_SHADE_H */
