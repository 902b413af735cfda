// SPDX-License-Identifier: MIT
/* The varyings interpolator: see vri.h. */
#include "fragment.h"
#include "vri.h"

static const struct fragment *fragment_of(const struct qpu *q)
{
	return q->kind == QPU_FRAGMENT ? q->fragment : NULL;
}

void vri_read_varying(struct qpu *q, struct lanes *out)
{
	const struct fragment *f = fragment_of(q);

	if (f && f->plane_next < f->planes)
		f->interpolate(f, &f->plane[f->plane_next], out);
	else
		lanes_fill(out, 0);
}

void vri_load_c(struct qpu *q)
{
	struct fragment *f = q->kind == QPU_FRAGMENT ? q->fragment : NULL;
	const bool any = f && f->plane_next < f->planes;

	lanes_fill(&q->regs[QPU_ACC + 5], any ? f->plane[f->plane_next].c : 0);
	if (any)
		f->plane_next++;
}

void vri_read_coordinate(const struct qpu *q, bool b, struct lanes *out)
{
	const struct fragment *f = fragment_of(q);

	if (!f) {
		lanes_fill(out, 0);
		return;
	}
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		out->lane[n] = b ? f->tile_y + f->y[n / 4] + (n >> 1 & 1) : f->tile_x + f->x[n / 4] + (n & 1);
}
