// SPDX-License-Identifier: MIT
/* Lines of trace about instructions: what is executed, and the values that come of it. */
#include <stdio.h>
#include <string.h>

#include "core/sim.h"
#include "qps_state.h"
#include "qpu_trace.h"

/* Elements whose values are wanted */
static uint16_t wanted_lanes(const struct v3dsim *sim)
{
	const struct v3dsim_tracing *wanted = &sim->trace.wanted;

	if (wanted->lanes)
		return wanted->lanes;
	return wanted->filters & V3DSIM_ONLY_PIXEL ? sim->trace.pixel_lanes : 0;
}

void qpu_trace_begin(struct v3dsim *sim, const struct qpu *q)
{
	sim->trace.qpu = q->number;
	sim->trace.pixel_lanes = q->kind == QPU_FRAGMENT ? q->pixel_lanes : 0;
}

void qpu_trace_end(struct v3dsim *sim)
{
	sim->trace.qpu = TRACE_NO_QPU;
	sim->trace.pixel_lanes = 0;
}

/* "  r0 [0] 0x3f800000 1": each as a word, and as the float that it would be */
static void trace_vector(struct v3dsim *sim, const struct qpu *q, const char *name,
			 const struct lanes *values, uint16_t lanes)
{
	const uint32_t pc = q->threads[q->current].pc;
	char text[TRACE_LINE] = "";
	size_t used = 0;

	for (unsigned int n = 0; n < V3D_QPU_LANES; n++) {
		const union {
			uint32_t bits;
			float real;
		} value = { .bits = values->lane[n] };

		if (lanes >> n & 1)
			used += snprintf(text + used, sizeof(text) - used, " [%u] 0x%08x %g", n,
					 value.bits, (double)value.real);
	}
	trace_line(sim, V3DSIM_TRACE_QPU, pc, "QPU%u 0x%08x:   %s%s", q->number, pc, name, text);
}

void qpu_trace_instruction(struct v3dsim *sim, const struct qpu *q, uint64_t word,
			   struct lanes *r4)
{
	const uint32_t pc = q->threads[q->current].pc;
	char text[192];

	qpu_text(text, sizeof(text), word);
	trace_line(sim, V3DSIM_TRACE_QPU, pc, "QPU%u 0x%08x: %08x %08x %s", q->number, pc,
		   (uint32_t)word, (uint32_t)(word >> 32), text);
	*r4 = q->regs[QPU_ACC + 4];
}

void qpu_trace_written(struct v3dsim *sim, const struct qpu *q, unsigned int waddr, bool in_b,
		       const struct lanes *value)
{
	const uint16_t lanes = wanted_lanes(sim);
	char name[16];

	if (!lanes)
		return;
	qpu_text_destination(name, sizeof(name), waddr, in_b);
	sim->trace.goes_on = true;
	trace_vector(sim, q, name, value, lanes);
	sim->trace.goes_on = false;
}

static void trace_slot(struct v3dsim *sim, const struct qpu *q, unsigned int slot, uint16_t lanes)
{
	char name[16];

	if (slot >= QPU_ACC)
		snprintf(name, sizeof(name), "r%u", slot - QPU_ACC);
	else
		snprintf(name, sizeof(name), "r%c%u", slot >= QPU_FILE_B ? 'b' : 'a', slot & 31);
	trace_vector(sim, q, name, &q->regs[slot], lanes);
}

/* "  flags [0] z-c": Z, N and C where they are set */
static void trace_flags(struct v3dsim *sim, const struct qpu *q, uint16_t lanes)
{
	const uint32_t pc = q->threads[q->current].pc;
	char text[16 * V3D_QPU_LANES] = "";
	size_t used = 0;

	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		if (lanes >> n & 1)
			used += snprintf(text + used, sizeof(text) - used, " [%u] %c%c%c", n,
					 q->zero.lane[n] ? 'z' : '-',
					 q->negative.lane[n] ? 'n' : '-',
					 q->carry.lane[n] ? 'c' : '-');
	trace_line(sim, V3DSIM_TRACE_QPU, pc, "QPU%u 0x%08x:   flags%s", q->number, pc, text);
}

/* Accumulator 5 is written by addresses of the register space, too. */
static bool writes_r5(const struct qpu_op *op)
{
	return op->add_io == V3D_QPU_W_ACC5 || op->mul_io == V3D_QPU_W_ACC5;
}

void qpu_trace_results(struct v3dsim *sim, const struct qpu *q, const struct qpu_op *op,
		       const struct lanes *r4)
{
	const uint16_t lanes = wanted_lanes(sim);

	if (!lanes)
		return;
	sim->trace.goes_on = true;
	if (op->add_slot < QPU_PORT_A)
		trace_slot(sim, q, op->add_slot, lanes);
	if (op->mul_slot < QPU_PORT_A)
		trace_slot(sim, q, op->mul_slot, lanes);
	if (writes_r5(op))
		trace_slot(sim, q, QPU_ACC + 5, lanes);
	if (memcmp(r4, &q->regs[QPU_ACC + 4], sizeof(*r4)))
		trace_slot(sim, q, QPU_ACC + 4, lanes);
	if (op->inst.sf)
		trace_flags(sim, q, lanes);
	sim->trace.goes_on = false;
}
