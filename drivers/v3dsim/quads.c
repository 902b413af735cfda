// SPDX-License-Identifier: MIT
/* Fragment shading: see quads.h. */
#include <string.h>

#include "cap.h"
#include "quads.h"
#include "sim.h"

#define Z_MAX 16777215.0

/* The quads of the next batch: where they are and what they cover */
static void place(struct pse *pse)
{
	struct fragment *f = &pse->fragment;
	const unsigned int left = pse->quads.count - pse->next;

	f->quads = left < FRAGMENT_QUADS ? left : FRAGMENT_QUADS;
	memset(f->covered, 0, sizeof(f->covered));
	for (unsigned int k = 0; k < FRAGMENT_QUADS; k++) {
		const struct fep_quad *quad = &pse->quads.quad[pse->next + (k < f->quads ? k : 0)];
		const unsigned int mask = k < f->quads ? quad->mask : 0;

		f->x[k] = quad->x;
		f->y[k] = quad->y;
		for (unsigned int s = 0; s < TLB_SAMPLES; s++)
			f->covered[s] |= (mask >> 4 * s & 15) << 4 * k;
	}
}

/* Distances of pixel centres from where planes are 0: exact */
static void measure(struct pse *pse)
{
	struct fragment *f = &pse->fragment;

	for (unsigned int n = 0; n < V3D_QPU_LANES; n++) {
		const int32_t x = f->tile_x + f->x[n / 4] + (n & 1), y = f->tile_y + f->y[n / 4] + (n >> 1 & 1);

		((float *)f->dx.f)[n] = x * FEP_SUBPIXELS + FEP_SUBPIXELS / 2 - pse->x[0];
		((float *)f->dy.f)[n] = y * FEP_SUBPIXELS + FEP_SUBPIXELS / 2 - pse->y[0];
	}
}

/* Z and W at pixel centres: AG100 Table 29 */
static void interpolate(struct pse *pse, struct qpu *q)
{
	struct fragment *f = &pse->fragment;
	const float *dx = (const float *)f->dx.f, *dy = (const float *)f->dy.f;
	float *w = (float *)q->regs[QPU_FILE_A + 15].f;

	for (unsigned int n = 0; n < V3D_QPU_LANES; n++) {
		double z = pse->z[0] * dx[n] + pse->z[1] * dy[n] + pse->z0;

		z = z < 0 ? 0 : z;
		z = z > Z_MAX ? Z_MAX : z;
		f->z.lane[n] = (uint32_t)(int32_t)z;
		w[n] = 1.0f / (float)(pse->w[0] * dx[n] + pse->w[1] * dy[n] + pse->w0);
	}
	q->regs[QPU_FILE_B + 15] = f->z;
}

static void begin(struct v3dsim *sim, struct pse *pse)
{
	struct fragment *f = &pse->fragment;
	struct qpu *q = sim->shade[1].qpu;

	shade_start(sim, 1, QPU_FRAGMENT, pse->code, pse->uniforms);
	q->fragment = f;
	fragment_begin(f);
	f->plane_next = 0;
	measure(pse);
	interpolate(pse, q);
}

/* AG100 p. 45: to the coverage pipe instead of a shader */
static enum cle_result accumulate(struct v3dsim *sim, struct pse *pse)
{
	for (; pse->next < pse->quads.count; pse->next++) {
		const struct fep_quad *quad = &pse->quads.quad[pse->next];

		cap_quad(sim, quad->x, quad->y, pse->quads.coverage16[pse->next], &pse->config, pse->reverse);
	}
	return CLE_DONE;
}

enum cle_result quads_shade(struct v3dsim *sim, struct pse *pse, uint64_t *budget)
{
	if (pse->config.coverage_pipe)
		return accumulate(sim, pse);
	while (pse->next < pse->quads.count) {
		if (!sim->shade[1].running) {
			place(pse);
			begin(sim, pse);
		}
		const enum cle_result result = shade_run(sim, 1, budget);

		if (result != CLE_DONE)
			return result;
		pse->next += pse->fragment.quads;
		if (sim_wanted(sim) && pse->next < pse->quads.count)
			return CLE_MORE;
	}
	return CLE_DONE;
}
