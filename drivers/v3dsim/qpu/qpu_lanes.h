/* SPDX-License-Identifier: MIT */
/* Results under conditions, and flags: what both ways of executing instructions share. */
#ifndef V3DSIM_QPU_LANES_H
#define V3DSIM_QPU_LANES_H

#include <string.h>

#include "qpu.h"

#define EACH_PART(p) _Pragma("GCC unroll 4") for (int p = 0; p < ALU_PARTS; p++)

/* Lanes whose condition passes */
static inline void condition_mask(const struct qpu *q, unsigned int condition, struct lanes *mask)
{
	const struct lanes *flags = condition < V3D_QPU_COND_NS ? &q->zero :
				    condition < V3D_QPU_COND_CS ? &q->negative : &q->carry;
	const uint32_t clear = condition & 1 ? ~0u : 0;

	EACH_PART(p)
		mask->u[p] = flags->u[p] ^ clear;
}

static inline void blend(struct lanes *to, const struct lanes *from, const struct lanes *mask)
{
	EACH_PART(p)
		to->u[p] ^= (to->u[p] ^ from->u[p]) & mask->u[p];
}

static inline void store(const struct qpu *q, struct lanes *to, const struct lanes *from,
			 unsigned int condition)
{
	struct lanes mask;

	if (__builtin_expect(condition == V3D_QPU_COND_ALWAYS, 1)) {
		EACH_PART(p)
			to->u[p] = from->u[p];
		return;
	}
	condition_mask(q, condition, &mask);
	blend(to, from, &mask);
}

static inline void set_flags(struct qpu *q, const struct lanes *value, const struct lanes *carry,
			     unsigned int condition)
{
	struct lanes zero, negative;

	EACH_PART(p) {
		zero.i[p] = value->i[p] == 0;
		negative.i[p] = value->i[p] < 0;
	}
	if (condition == V3D_QPU_COND_ALWAYS) {
		q->zero = zero;
		q->negative = negative;
		q->carry = *carry;
	} else {
		struct lanes mask;

		condition_mask(q, condition, &mask);
		blend(&q->zero, &zero, &mask);
		blend(&q->negative, &negative, &mask);
		blend(&q->carry, carry, &mask);
	}
}

static inline bool all_lanes(const struct lanes *m, uint32_t flip)
{
	struct lanes inverted;

	EACH_PART(p)
		inverted.u[p] = m->u[p] ^ ~flip;
	return !lanes_any(&inverted);
}

/* AG100 Table 11; a reserved condition is never met here */
static inline bool branch_taken(const struct qpu *q, unsigned int condition)
{
	const struct lanes *flags = condition < 4 ? &q->zero :
				    condition < 8 ? &q->negative : &q->carry;

	if (condition == V3D_QPU_BRANCH_ALWAYS)
		return true;
	if (condition > V3D_QPU_BRANCH_ANY_CC)
		return false;
	if (condition & 2)
		/* any is not all of the opposite */
		return !all_lanes(flags, condition & 1 ? 0 : ~0u);
	return all_lanes(flags, condition & 1 ? ~0u : 0);
}

/* What a branch at @pc writes, and what relative ones count from */
static inline uint32_t branch_link(uint32_t pc)
{
	return pc + (V3D_QPU_BRANCH_SLOTS + 1) * V3D_QPU_INSTRUCTION_BYTES;
}

static inline uint32_t branch_target(const struct v3d_qpu_inst *i, uint32_t pc,
				     const struct lanes *file)
{
	uint32_t target = i->immediate;

	if (i->rel)
		target += branch_link(pc);
	if (i->reg)
		target += file->lane[V3D_QPU_LANES - 1];	/* HW */
	return target;
}

/* HW: what a port's last quad holds stays there for instructions that read nothing with it. */
static inline void remember_ports(struct qpu *q, const struct qpu_op *op)
{
	if (op->port[0] < QPU_SLOTS)
		memcpy(q->last[0], &q->regs[op->port[0]].lane[12], sizeof(q->last[0]));
	if (op->port[1] < QPU_SLOTS)
		memcpy(q->last[1], &q->regs[op->port[1]].lane[12], sizeof(q->last[1]));
}

/*
 * HW: no forwarding path. What the previous instruction overwrote is kept for one instruction, for
 * who reads it all the same.
 */
static inline void keep_old(struct qpu *q, uint8_t written[2], const struct qpu_op *op)
{
	written[0] = op->writes[0];
	written[1] = op->writes[1];
	if (op->old & 1)
		q->regs[QPU_OLD] = q->regs[op->writes[0]];
	if (op->old & 2)
		q->regs[QPU_OLD + 1] = q->regs[op->writes[1]];
}

#endif /* V3DSIM_QPU_LANES_H */
