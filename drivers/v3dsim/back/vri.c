// SPDX-License-Identifier: MIT
/* The varyings interpolator: see vri.h. */
#include "core/sim.h"
#include "qpu/peripherals.h"
#include "fragment.h"
#include "vri.h"

static const struct fragment *fragment_of(const struct qpu *q)
{
	return q->kind == QPU_FRAGMENT ? q->fragment : NULL;
}

/* A * (x - x0) + B * (y - y0) of the next varying; 0 without fragments and after the last one */
static void read_varying(struct v3dsim *sim, struct qpu *q, unsigned int raddr, bool b,
			 struct lanes *out, uint32_t *rules)
{
	const struct fragment *f = fragment_of(q);

	(void)raddr;
	(void)b;
	(void)rules;
	if (f && f->plane_next < f->planes) {
		f->interpolate(f, &f->plane[f->plane_next], out);
		return;
	}
	sim->stats.left |= 1u << QPU_LEFT_VARYINGS;
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

/* x of each pixel in the frame, or y in the space of file B; 0 without fragments */
static void read_coordinate(struct v3dsim *sim, struct qpu *q, unsigned int raddr, bool b,
			    struct lanes *out, uint32_t *rules)
{
	const struct fragment *f = fragment_of(q);

	(void)sim;
	(void)raddr;
	(void)rules;
	if (!f) {
		lanes_fill(out, 0);
		return;
	}
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		out->lane[n] = b ? f->tile_y + f->y[n / 4] + (n >> 1 & 1) :
				   f->tile_x + f->x[n / 4] + (n & 1);
}

void vri_attach(struct qpu_peripherals *to)
{
	to->read[V3D_QPU_R_VARYING - PERIPHERAL_SPACE] = read_varying;
	to->read[V3D_QPU_R_PIXEL_COORD - PERIPHERAL_SPACE] = read_coordinate;
	to->varying_was_read = vri_load_c;
}
