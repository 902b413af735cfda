/* SPDX-License-Identifier: MIT */
/* Results under conditions, and flags: what both ways of executing instructions share. */
#ifndef V3DSIM_QPU_LANES_H
#define V3DSIM_QPU_LANES_H

#include "qpu.h"

#define EACH_PART(p) for (int p = 0; p < ALU_PARTS; p++)

/* Lanes whose condition passes */
static inline void condition_mask(const struct qpu *q, unsigned int condition, struct lanes *mask)
{
	const struct lanes *flags = condition < V3D_QPU_COND_NS ? &q->zero : condition < V3D_QPU_COND_CS ? &q->negative : &q->carry;
	const uint32_t clear = condition & 1 ? ~0u : 0;

	EACH_PART(p)
		mask->u[p] = flags->u[p] ^ clear;
}

static inline void blend(struct lanes *to, const struct lanes *from, const struct lanes *mask)
{
	EACH_PART(p)
		to->u[p] ^= (to->u[p] ^ from->u[p]) & mask->u[p];
}

static inline void store(const struct qpu *q, struct lanes *to, const struct lanes *from, unsigned int condition)
{
	struct lanes mask;

	if (__builtin_expect(condition == V3D_QPU_COND_ALWAYS, 1)) {
		*to = *from;
		return;
	}
	condition_mask(q, condition, &mask);
	blend(to, from, &mask);
}

static inline void set_flags(struct qpu *q, const struct lanes *value, const struct lanes *carry, unsigned int condition)
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

#endif /* V3DSIM_QPU_LANES_H */
