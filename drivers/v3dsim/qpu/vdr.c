// SPDX-License-Identifier: MIT
/*
 * VDR: DMA from memory into the VPM, for user programs (AG100 Tables 36 and 37).
 *
 * A row of memory becomes a run of elements in the VPM: along a row of it (going on in the next one
 * past column 15), or down a column (going on in the next one past row 127). Sub-words are packed:
 * the run starts at the sub-vector that MODEW selects, as QPUs address them, and VPITCH is added to
 * {Y, sub-vector} after each row.
 */
#include <string.h>
#include <sys/param.h>

#include "core/sim.h"
#include "qps_state.h"

#define COLUMN 128	/* rows that the 7 bits of Y address */

struct load {
	struct v3d_vdr_setup setup;
	unsigned int log;		/* elements a word, as a power of two */
	unsigned int rows, length;	/* length in elements */
	uint32_t pitch;
};

static struct load parse(const struct vpm_dma *dma)
{
	struct v3d_vdr_stride stride;
	struct load l;

	v3d_parse_vdr_setup(dma->setup, &l.setup);
	v3d_parse_vdr_stride(dma->stride, &stride);
	l.log = l.setup.modew >= 4 ? 2 : l.setup.modew >= 2 ? 1 : 0;
	l.rows = l.setup.nrows ? l.setup.nrows : 16;
	l.length = l.setup.rowlen ? l.setup.rowlen : 16;
	l.pitch = l.setup.mpitch ? 8u << l.setup.mpitch : stride.mpitchb;
	return l;
}

void vdr_start(struct v3dsim *sim, struct vpm_port *port, uint32_t address, uint64_t time)
{
	struct vpm *vpm = &sim->qps->vpm;
	struct load l;

	port->load = (struct vpm_dma){ .busy = true, .address = address, .setup = port->load_setup,
				       .stride = port->load_stride };
	l = parse(&port->load);
	if (vpm->load_free < time)
		vpm->load_free = time;
	vpm->load_free += VPM_DMA_START + howmany(l.rows * l.length >> l.log, 4);
	port->load.done = vpm->load_free;
	sim->qps->loads++;
	sim->regs.storage[V3D_ERRSTAT / 4] &= ~V3D_SET(ERRSTAT, VCDI, 1);
}

/* Where element n of row r goes: the index of a word, and a shift in it */
static unsigned int place(const struct load *l, unsigned int r, unsigned int n, unsigned int *shift)
{
	const unsigned int pitch = l->setup.vpitch ? l->setup.vpitch : 16;
	const unsigned int at = (l->setup.y << l->log) + (l->setup.modew & ((1u << l->log) - 1)) +
				r * pitch;
	const unsigned int y = at >> l->log, element = (at & ((1u << l->log) - 1)) * VPM_WIDTH + n;
	unsigned int word;

	*shift = (element & ((1u << l->log) - 1)) * (32 >> l->log);
	word = element >> l->log;
	if (!l->setup.vertical)
		return (y * VPM_WIDTH + l->setup.x + word) % (COLUMN * VPM_WIDTH);
	word += y;
	return word % COLUMN * VPM_WIDTH + (l->setup.x + word / COLUMN) % VPM_WIDTH;
}

static bool load_row(struct v3dsim *sim, const struct vpm_port *port, const struct load *l,
		     unsigned int r)
{
	struct races *races = sim->qps->races;
	const struct vpm_dma *dma = &port->load;
	const unsigned int window = vpm_window(sim) * VPM_WIDTH, bytes = 4 >> l->log;
	const uint32_t mask = 0xffffffffu >> (32 - 8 * bytes);
	uint8_t row[16 * 4];

	if (!bus_read(sim, V3DSIM_UNIT_VCD, dma->address + r * l->pitch, row, l->length * bytes))
		return false;
	if (races)
		races_memory_transfer(races, port, false, dma->address + r * l->pitch,
				      l->length * bytes);
	for (unsigned int n = 0; n < l->length; n++) {
		unsigned int shift, at = place(l, r, n, &shift);
		uint32_t value = 0, *word = &sim->qps->vpm.words[at];

		/* hosts are little endian, as the V3D is */
		memcpy(&value, row + n * bytes, bytes);
		if (at < window && races)
			races_vpm_transfer(races, port, false, at, mask << shift);
		if (at < window)
			*word = (*word & ~(mask << shift)) | value << shift;
		else
			vpm_outside(sim, true);
	}
	return true;
}

static void ended(struct v3dsim *sim, struct vpm_dma *dma, bool fault)
{
	dma->busy = false;
	dma->fault = fault;
	if (--sim->qps->loads == 0)
		sim->regs.storage[V3D_ERRSTAT / 4] |= V3D_SET(ERRSTAT, VCDI, 1);
}

bool vdr_finish(struct v3dsim *sim, struct vpm_port *port)
{
	const struct load l = parse(&port->load);

	for (unsigned int r = 0; r < l.rows; r++) {
		if (load_row(sim, port, &l, r))
			continue;
		ended(sim, &port->load, true);
		return false;
	}
	ended(sim, &port->load, false);
	return true;
}
