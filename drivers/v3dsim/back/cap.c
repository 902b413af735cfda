// SPDX-License-Identifier: MIT
/* The coverage accumulation pipe: see cap.h. */
#include "core/sim.h"
#include "cap.h"
#include "quad.h"

/* What a pixel of a quad has: every fourth bit */
static uint32_t parts_of(uint64_t covered, unsigned int pixel)
{
	uint32_t parts = 0;

	for (unsigned int part = 0; part < CAP_PARTS; part++)
		parts |= (uint32_t)(covered >> (QUAD_PIXELS * part + pixel) & 1) << part;
	return parts;
}

/* Counts of a pixel go up or down. Return: those that are not 0 */
static uint32_t wind(uint8_t *counts, uint32_t word, uint32_t parts, bool reverse)
{
	uint32_t nonzero = 0;

	for (unsigned int part = 0; part < CAP_PARTS; part++) {
		if (!(word >> part & 1))
			counts[part] = 0;
		else if (!counts[part])
			counts[part] = 1;
		if (parts >> part & 1)
			counts[part] += reverse ? -1 : 1;
		nonzero |= (uint32_t)(counts[part] != 0) << part;
	}
	return nonzero;
}

void cap_quad(struct v3dsim *sim, unsigned int x, unsigned int y, uint64_t covered,
	      const struct v3d_configuration_bits *config, bool reverse)
{
	struct tlb *tlb = sim->tlb;
	struct tlb_buffer *buffer = tlb_current(tlb);
	const uint32_t at = tlb_quad(&tlb->mode, x, y);

	if (tlb->mode.multisample)
		return;
	for (unsigned int pixel = 0; pixel < QUAD_PIXELS; pixel++) {
		uint32_t *word = &buffer->zs[at + pixel];
		const uint32_t parts = parts_of(covered, pixel), old = *word & 0xffff;

		switch (config->coverage_update) {
		case V3D_COVERAGE_NONZERO:
			buffer->wound = true;
			*word = wind(buffer->winding[at + pixel], old, parts, reverse);
			break;
		case V3D_COVERAGE_ODD:
			*word = old ^ parts;
			break;
		case V3D_COVERAGE_OR:
			*word = old | parts;
			break;
		case V3D_COVERAGE_ZERO:
			*word = old & ~parts;
			break;
		}
	}
}

/* AG100 Table 82, sources 7 and 8 */
static void count(struct v3dsim *sim, unsigned int quads, unsigned int nonzero)
{
	pctr_count(sim, V3D_COUNTER_tlb_quads_zero_coverage, quads - nonzero);
	pctr_count(sim, V3D_COUNTER_tlb_quads_nonzero_coverage, nonzero);
}

void cap_load(struct v3dsim *sim, const struct fragment *f, struct lanes *out)
{
	struct tlb *tlb = sim->tlb;
	uint32_t *zs = tlb_current(tlb)->zs;
	unsigned int quads = 0, nonzero = 0;

	lanes_fill(out, 0);
	if (tlb->mode.multisample)
		return;
	for (unsigned int quad = 0; quad < FRAGMENT_QUADS; quad++) {
		const unsigned int pixels = f->flags[0] >> quad * QUAD_PIXELS & 0xf;
		const uint32_t at = tlb_quad(&tlb->mode, f->x[quad], f->y[quad]);
		uint32_t any = 0;

		for (unsigned int pixel = 0; pixel < QUAD_PIXELS; pixel++) {
			const uint32_t parts = zs[at + pixel] & 0xffff;
			const uint32_t level = (__builtin_popcount(parts) * 255 + CAP_PARTS / 2) /
					       CAP_PARTS;

			out->lane[quad * QUAD_PIXELS + pixel] =
				f->config.coverage_read_type ? parts : level * 0x01010101;
			if (!(pixels >> pixel & 1))
				continue;
			any |= parts;
			if (!f->config.coverage_leave)
				zs[at + pixel] = 0;
		}
		quads += pixels != 0;
		nonzero += any != 0;
	}
	count(sim, quads, nonzero);
}
