// SPDX-License-Identifier: MIT
/* The tile buffer as fragment shaders see it: see tlb_qpu.h. */
#include "fragment.h"
#include "sim.h"
#include "tlb_qpu.h"

void tlb_qpu_write(struct v3dsim *sim, struct qpu *q, unsigned int waddr, bool in_b, const struct lanes *value, uint32_t *rules)
{
	(void)sim;
	(void)q;
	(void)waddr;
	(void)in_b;
	(void)value;
	(void)rules;
}

void tlb_qpu_load(struct v3dsim *sim, struct qpu *q, unsigned int sig, struct lanes *out)
{
	(void)sim;
	(void)q;
	(void)sig;
	lanes_fill(out, 0);
}

void tlb_qpu_read_flags(const struct qpu *q, bool b, struct lanes *out)
{
	(void)q;
	(void)b;
	lanes_fill(out, 0);
}
