// SPDX-License-Identifier: MIT
/* Fragment shading: see quads.h. */
#include <string.h>
#include <sys/param.h>

#include "core/sim.h"
#include "qpu/shade.h"
#include "cap.h"
#include "quads.h"
#include "zs.h"

bool quads_new(struct v3dsim *sim, struct quads *quads)
{
	quads->unit = sim->hooks.planes ? sim->hooks.planes : &planes_unit_any;
	quads->fragment.interpolate = quads->unit->varying;
	if (sim->hooks.programs)
		quads->programs = sim->hooks.programs->cache_new(true);
	return quads->programs || !sim->hooks.programs;
}

void quads_free(struct v3dsim *sim, struct quads *quads)
{
	if (sim->hooks.programs)
		sim->hooks.programs->cache_free(quads->programs);
}

void quads_begin(struct v3dsim *sim, struct quads *quads)
{
	const struct program_hooks *programs = sim->hooks.programs;

	quads->next = 0;
	quads->locked_up = false;
	quads->program = NULL;
	if (!programs || quads->config.coverage_pipe)
		return;
	quads->program = programs->find(sim, quads->programs, sim->shade[1].qpu, quads->code,
					quads->uniforms);
	quads->length = quads->program ? programs->length(quads->program) : 0;
}

/* The quads of the next batch: where they are and what they cover */
static void place(struct quads *quads)
{
	struct fragment *f = &quads->fragment;
	const unsigned int left = quads->list.count - quads->next;

	f->quads = MIN(left, FRAGMENT_QUADS);
	memset(f->covered, 0, sizeof(f->covered));
	for (unsigned int k = 0; k < FRAGMENT_QUADS; k++) {
		const struct fep_quad *quad =
			&quads->list.quad[quads->next + (k < f->quads ? k : 0)];
		const unsigned int mask = k < f->quads ? quad->mask : 0;

		f->x[k] = quad->x;
		f->y[k] = quad->y;
		for (unsigned int s = 0; s < TLB_SAMPLES; s++)
			f->covered[s] |= (mask >> 4 * s & 15) << 4 * k;
	}
}

/* Distances of quads from where planes are 0: exact */
static void measure(struct quads *quads)
{
	struct fragment *f = &quads->fragment;
	const int32_t x = (int32_t)f->tile_x * FEP_SUBPIXELS + FEP_SUBPIXELS / 2 - quads->x;
	const int32_t y = (int32_t)f->tile_y * FEP_SUBPIXELS + FEP_SUBPIXELS / 2 - quads->y;

	for (unsigned int k = 0; k < FRAGMENT_QUADS; k++) {
		f->quad_x[k] = x + f->x[k] * FEP_SUBPIXELS;
		f->quad_y[k] = y + f->y[k] * FEP_SUBPIXELS;
	}
}

/* What a program finds in its registers: AG100 Table 29 */
static void load(struct quads *quads, struct qpu *q)
{
	struct fragment *f = &quads->fragment;

	f->plane_next = 0;
	measure(quads);
	quads->unit->start(f, &quads->start, &f->z, &q->regs[QPU_FILE_A + 15]);
	q->regs[QPU_FILE_B + 15] = f->z;
}

/* Early Z: is nothing left to be shaded? AG100 Table 82, source 2 */
static bool hidden(struct v3dsim *sim, struct quads *quads)
{
	struct fragment *f = &quads->fragment;
	unsigned int out;

	if (!zs_early_z_wanted(sim->tlb, &quads->config))
		return false;
	out = zs_early_z(sim, f);
	pctr_count(sim, V3D_COUNTER_fep_clipped_quads, __builtin_popcount(out));
	return out == (1u << f->quads) - 1;
}

/*
 * HW-2796: with sbwait in the shader's first two instructions, a tile's first pixels go to the tile
 * before. When that happens is not established: here always, to the first batch, and the tile
 * before is stored already.
 */
static bool is_lost(struct v3dsim *sim, const struct quads *quads)
{
	uint64_t words[2] = { 0 };
	bool waits = false;

	if (!chip_has(&sim->chip, V3D_CHIP_HW_2796) || sim->tlb->begun != TLB_TILE_NEW)
		return false;
	sim->tlb->begun = TLB_TILE_BEGUN;
	if (!bus_read(sim, V3DSIM_UNIT_ICACHE, quads->code, words, sizeof(words)))
		return false;
	for (unsigned int n = 0; n < 2; n++)
		waits |= v3d_qpu_decode(words[n]).sig == V3D_QPU_SIG_WAIT_SCOREBOARD;
	return waits && chip_strike(sim, V3D_CHIP_HW_2796);
}

/* Elements that are covered and are the pixel whose trace is wanted: one, or none */
static uint16_t pixel_lanes(const struct v3dsim *sim, const struct fragment *f)
{
	const struct v3dsim_tracing *wanted = &sim->trace.wanted;
	uint16_t covered = 0;

	if (!(wanted->filters & V3DSIM_ONLY_PIXEL))
		return 0;
	for (unsigned int sample = 0; sample < TLB_SAMPLES; sample++)
		covered |= f->covered[sample];
	for (unsigned int quad = 0; quad < f->quads; quad++) {
		const uint32_t x = wanted->pixel[0] - f->tile_x - f->x[quad],
			       y = wanted->pixel[1] - f->tile_y - f->y[quad];

		if (x < 2 && y < 2)
			return covered & 1u << (4 * quad + 2 * y + x);
	}
	return 0;
}

/* A batch, whole or as far as the budget goes */
static enum sim_result shade(struct v3dsim *sim, struct quads *quads, uint64_t *budget)
{
	struct qpu *q = sim->shade[1].qpu;

	if (sim->shade[1].running)
		return shade_run(sim, 1, budget);
	place(quads);
	load(quads, q);
	if (hidden(sim, quads) || is_lost(sim, quads))
		return SIM_DONE;
	quads->varyings_before = quads->fragment.planes;
	fragment_begin(&quads->fragment);
	if (quads->program && *budget >= quads->length &&
	    !inject_watches(&sim->inject, INJECT_TMU_STOP)) {
		*budget -= quads->length;
		return sim->hooks.programs->run(sim, quads->program, q, &quads->fragment,
						quads->uniforms) ?
			       SIM_DONE :
			       SIM_ERROR;
	}
	shade_start(sim, 1, QPU_FRAGMENT, quads->code, quads->uniforms);
	q->fragment = &quads->fragment;
	q->pixel_lanes = pixel_lanes(sim, &quads->fragment);
	load(quads, q);
	return shade_run(sim, 1, budget);
}

/* AG100 p. 45: to the coverage pipe instead of a shader */
static enum sim_result accumulate(struct v3dsim *sim, struct quads *quads)
{
	for (; quads->next < quads->list.count; quads->next++) {
		const struct fep_quad *quad = &quads->list.quad[quads->next];

		cap_quad(sim, quad->x, quad->y, quads->list.coverage16[quads->next], &quads->config,
			 quads->reverse);
	}
	return SIM_DONE;
}

/* HW-2885: "may occur"; here always, and for good. */
static bool locks_up(struct v3dsim *sim, struct quads *quads)
{
	if (!quads->locked_up && quads->config.coverage_pipe && quads->varyings_before)
		quads->locked_up = chip_strike(sim, V3D_CHIP_HW_2885);
	return quads->locked_up;
}

enum sim_result quads_shade(struct v3dsim *sim, struct quads *quads, uint64_t *budget)
{
	if (locks_up(sim, quads))
		return SIM_STUCK;
	if (quads->config.coverage_pipe)
		return accumulate(sim, quads);
	while (quads->next < quads->list.count) {
		const uint64_t start = sim->shade[1].qpu->now;
		const enum sim_result result = shade(sim, quads, budget);

		pctr_count(sim, V3D_COUNTER_qpu_fragment_cycles,
			   (sim->shade[1].qpu->now - start) * 4);
		if (result != SIM_DONE)
			return result;
		quads->next += quads->fragment.quads;
		if (sim_wanted(sim) && quads->next < quads->list.count)
			return SIM_MORE;
	}
	return SIM_DONE;
}
