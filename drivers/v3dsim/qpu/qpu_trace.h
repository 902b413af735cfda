/* SPDX-License-Identifier: MIT */
/* Lines of trace about instructions, where V3DSIM_TRACE_QPU is wanted. */
#ifndef V3DSIM_QPU_TRACE_H
#define V3DSIM_QPU_TRACE_H

#include "qpu.h"

/* Lines are of this QPU from here on, and of its fragments; of none after the end */
void qpu_trace_begin(struct v3dsim *sim, const struct qpu *q);
void qpu_trace_end(struct v3dsim *sim);

/**
 * qpu_trace_instruction() - the next instruction, before it is executed
 * @r4: set to what qpu_trace_results() is to know
 */
void qpu_trace_instruction(struct v3dsim *sim, const struct qpu *q, uint64_t word,
			   struct lanes *r4);

/* What it hands to a unit, if values are wanted */
void qpu_trace_written(struct v3dsim *sim, const struct qpu *q, unsigned int waddr, bool in_b,
		       const struct lanes *value);

/* What it has written, if values are wanted; the program has not gone on yet */
void qpu_trace_results(struct v3dsim *sim, const struct qpu *q, const struct qpu_op *op,
		       const struct lanes *r4);

#endif /* V3DSIM_QPU_TRACE_H */
