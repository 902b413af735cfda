// SPDX-License-Identifier: MIT
/* Fragment shading: see quads.h. */
#include <string.h>

#include "cap.h"
#include "quads.h"
#include "sim.h"
#include "tlb_test.h"

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

/* Distances of quads from where planes are 0: exact */
static void measure(struct pse *pse)
{
	struct fragment *f = &pse->fragment;
	const int32_t x = (int32_t)f->tile_x * FEP_SUBPIXELS + FEP_SUBPIXELS / 2 - pse->x[0];
	const int32_t y = (int32_t)f->tile_y * FEP_SUBPIXELS + FEP_SUBPIXELS / 2 - pse->y[0];

	for (unsigned int k = 0; k < FRAGMENT_QUADS; k++) {
		f->quad_x[k] = x + f->x[k] * FEP_SUBPIXELS;
		f->quad_y[k] = y + f->y[k] * FEP_SUBPIXELS;
	}
}

/* What a program finds in its registers: AG100 Table 29 */
static void load(struct pse *pse, struct qpu *q)
{
	struct fragment *f = &pse->fragment;

	f->plane_next = 0;
	measure(pse);
	pse->unit->start(f, &pse->start, &f->z, &q->regs[QPU_FILE_A + 15]);
	q->regs[QPU_FILE_B + 15] = f->z;
}

/* Early Z: is nothing left to be shaded? AG100 Table 82, source 2 */
static bool hidden(struct v3dsim *sim, struct pse *pse)
{
	struct fragment *f = &pse->fragment;
	unsigned int out;

	if (!tlb_early_z_wanted(&sim->tlb, &pse->config))
		return false;
	out = tlb_early_z(sim, f);
	pctr_count(sim, V3D_COUNTER_fep_clipped_quads, __builtin_popcount(out));
	return out == (1u << f->quads) - 1;
}

/*
 * HW-2796: with sbwait in the shader's first two instructions, a tile's first pixels go to the tile before. When that happens is
 * not established: here always, to the first batch, and the tile before is stored already.
 */
static bool is_lost(struct v3dsim *sim, const struct pse *pse)
{
	uint64_t words[2] = { 0 };
	bool waits = false;

	if (!sim->config.errata || !sim->tlb.new_tile)
		return false;
	sim->tlb.new_tile = false;
	if (!bus_read(sim, V3DSIM_UNIT_ICACHE, pse->code, words, sizeof(words)))
		return false;
	for (unsigned int n = 0; n < 2; n++)
		waits |= v3d_qpu_decode(words[n]).sig == V3D_QPU_SIG_WAIT_SCOREBOARD;
	return waits;
}

/* A batch, whole or as far as the budget goes */
static enum cle_result shade(struct v3dsim *sim, struct pse *pse, uint64_t *budget)
{
	struct qpu *q = sim->shade[1].qpu;

	if (sim->shade[1].running)
		return shade_run(sim, 1, budget);
	place(pse);
	load(pse, q);
	if (hidden(sim, pse) || is_lost(sim, pse))
		return CLE_DONE;
	pse->varyings_before = pse->fragment.planes;
	fragment_begin(&pse->fragment);
	if (pse->program && *budget >= program_length(pse->program)) {
		*budget -= program_length(pse->program);
		return program_run(sim, pse->program, q, &pse->fragment, pse->uniforms) ? CLE_DONE : CLE_ERROR;
	}
	shade_start(sim, 1, QPU_FRAGMENT, pse->code, pse->uniforms);
	q->fragment = &pse->fragment;
	load(pse, q);
	return shade_run(sim, 1, budget);
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
	/* HW-2885: "may occur"; here always, and for good. */
	if (pse->config.coverage_pipe && sim->config.errata && pse->varyings_before)
		return CLE_STUCK;
	if (pse->config.coverage_pipe)
		return accumulate(sim, pse);
	while (pse->next < pse->quads.count) {
		const uint64_t start = sim->shade[1].qpu->now;
		const enum cle_result result = shade(sim, pse, budget);

		pctr_count(sim, V3D_COUNTER_qpu_fragment_cycles, (sim->shade[1].qpu->now - start) * 4);
		if (result != CLE_DONE)
			return result;
		pse->next += pse->fragment.quads;
		if (sim_wanted(sim) && pse->next < pse->quads.count)
			return CLE_MORE;
	}
	return CLE_DONE;
}
