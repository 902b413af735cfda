// SPDX-License-Identifier: MIT
/* Fragment shading: see quads.h. */
#include <string.h>

#include "quads.h"
#include "sim.h"
#include "tlb_qpu.h"

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
		for (unsigned int n = 0; n < 4; n++) {
			const unsigned int bits = mask >> n & 0x1111;

			f->ms_mask[4 * k + n] = (bits | bits >> 3 | bits >> 6 | bits >> 9) & 15;
		}
	}
}

/* Bits of 16 sub-samples by pixel, from bits of 4 pixels by sub-sample */
static void place_coverage(struct pse *pse)
{
	struct fragment *f = &pse->fragment;

	memset(f->coverage16, 0, sizeof(f->coverage16));
	for (unsigned int k = 0; k < f->quads; k++) {
		const uint64_t mask = pse->quads.coverage16[pse->next + k];

		for (unsigned int n = 0; n < 4; n++)
			for (unsigned int s = 0; s < 16; s++)
				f->coverage16[4 * k + n] |= (mask >> (4 * s + n) & 1) << s;
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
	memcpy(f->passed, f->covered, sizeof(f->passed));
	f->tested = f->has_alpha = false;
	f->stencil_set = f->sample = f->read_sample = 0;
	f->plane_next = 0;
	measure(pse);
	interpolate(pse, q);
}

enum cle_result quads_shade(struct v3dsim *sim, struct pse *pse, uint64_t *budget)
{
	while (pse->next < pse->quads.count) {
		if (!sim->shade[1].running) {
			place(pse);
			if (pse->samples == FEP_SAMPLES_16)
				place_coverage(pse);
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
