// SPDX-License-Identifier: MIT
/*
 * VDW: DMA from the VPM to memory, for user programs (AG100 Tables 34 and 35).
 *
 * A row of memory is a run of elements in the VPM: along a row of it (going on in the next one
 * past column 15), or down a column (going on in the next one past row 127). The next row of memory
 * starts one row or one column further on. Packed sub-words follow each other, from the byte or
 * half-word of the first word that MODEW gives; laned ones (the guide wants LANED written as 0) are
 * that byte or half-word of words that follow each other.
 *
 * With BLOCKMODE, says Table 35, the next row of memory starts in the VPM where the last one ended.
 * SW: two published libraries, which work on Raspberry Pis, set the bit before every store of words
 * along rows, and need the next row of memory to start one full row of the VPM further on, as
 * without the bit: 16 units of depth 1 are the first words of 16 rows. So the bit changes nothing
 * here. What it does to bytes, half-words and stores down columns is not established; the same
 * reading is taken. With the mode packed-blockmode all of them are as Table 35 words it.
 */
#include <string.h>
#include <sys/param.h>

#include "core/sim.h"
#include "qps_state.h"

#define COLUMN 128	/* rows that the 7 bits of Y address */

struct store {
	struct v3d_vdw_setup setup;
	struct v3d_vdw_stride stride;
	unsigned int log;		/* elements a word, as a power of two */
	unsigned int rows, length;	/* length in elements */
	bool packed;			/* each row starts in the VPM where the last one ended */
};

static struct store parse(const struct v3dsim *sim, const struct vpm_dma *dma)
{
	struct store s;

	v3d_parse_vdw_setup(dma->setup, &s.setup);
	v3d_parse_vdw_stride(dma->stride, &s.stride);
	s.log = s.setup.modew >= 4 ? 2 : s.setup.modew >= 2 ? 1 : 0;
	s.rows = s.setup.units ? s.setup.units : 128;
	s.length = s.setup.depth ? s.setup.depth : 128;
	s.packed = s.stride.blockmode && chip_has(&sim->chip, V3D_CHIP_PACKED_BLOCKMODE);
	return s;
}

void vdw_start(struct v3dsim *sim, struct vpm_port *port, uint32_t address, uint64_t time)
{
	struct vpm *vpm = &sim->qps->vpm;
	struct store s;

	port->store = (struct vpm_dma){
		.busy = true,
		.address = address,
		.setup = port->store_setup,
		.stride = port->store_stride,
	};
	s = parse(sim, &port->store);
	if (vpm->store_free < time)
		vpm->store_free = time;
	vpm->store_free += VPM_DMA_START + howmany(s.rows * s.length >> s.log, 4);
	port->store.done = vpm->store_free;
}

/* Where element n of row r comes from: the index of a word, and a shift in it */
static unsigned int place(const struct store *s, unsigned int r, unsigned int n,
			  unsigned int *shift)
{
	const unsigned int offset = s->setup.modew & ((1u << s->log) - 1),
			   line = s->setup.horizontal ? VPM_WIDTH : COLUMN;
	const unsigned int element = n + (s->packed ? r * s->length : 0);
	unsigned int word, lane;

	if (s->setup.laned) {
		word = element;
		lane = offset;
	} else {
		word = (element + offset) >> s->log;
		lane = (element + offset) & ((1u << s->log) - 1);
	}
	*shift = lane * (32 >> s->log);
	if (!s->packed)
		word += r * line;
	if (s->setup.horizontal)
		return (s->setup.y * VPM_WIDTH + s->setup.x + word) % (COLUMN * VPM_WIDTH);
	word += s->setup.y;
	return word % COLUMN * VPM_WIDTH + (s->setup.x + word / COLUMN) % VPM_WIDTH;
}

/*
 * The words of row r where they follow each other inside what programs have, as nearly always, for
 * a chip that takes vectors as a whole; else NULL
 */
static const uint32_t *words_of(const struct v3dsim *sim, const struct store *s, unsigned int r)
{
	const unsigned int first = (s->setup.y + r) * VPM_WIDTH + s->setup.x;

	return sim->hooks.vectors && !sim->qps->races && s->setup.horizontal && !s->log &&
			       !s->packed && first + s->length <= vpm_window(sim) * VPM_WIDTH ?
		       sim->qps->vpm.words + first :
		       NULL;
}

static bool store_row(struct v3dsim *sim, const struct vpm_port *port, const struct store *s,
		      unsigned int r)
{
	struct races *races = sim->qps->races;
	const struct vpm_dma *dma = &port->store;
	const unsigned int window = vpm_window(sim) * VPM_WIDTH, bytes = 4 >> s->log;
	const uint64_t at = (uint64_t)dma->address +
			    (uint64_t)r * (s->length * bytes + s->stride.stride);
	const uint32_t *words = words_of(sim, s, r);
	uint8_t row[128 * 4];

	if (words)
		memcpy(row, words, s->length * sizeof(*words));
	for (unsigned int n = 0; !words && n < s->length; n++) {
		unsigned int shift, from = place(s, r, n, &shift);
		uint32_t value = sim->qps->vpm.words[from] >> shift;

		if (from >= window)
			vpm_outside(sim, false);
		else if (races)
			races_vpm_transfer(races, port, true, from,
					   (0xffffffffu >> (32 - 8 * bytes)) << shift);
		/* hosts are little endian, as the V3D is */
		memcpy(row + n * bytes, &value, bytes);
	}
	if (at + s->length * bytes > (uint64_t)1 << 32)
		sim->regs.storage[V3D_ERRSTAT / 4] |= V3D_SET(ERRSTAT, VDWE, 1);
	if (races)
		races_memory_transfer(races, port, true, at, s->length * bytes);
	return bus_write(sim, V3DSIM_UNIT_VDW, at, row, s->length * bytes);
}

#define PIECE (VPM_USER_ROWS * VPM_WIDTH)	/* words that are stored at a time, at most */

/*
 * Do all rows follow each other in memory, and is each what words_of() says? Those of more than 16
 * words overlap in the VPM, and can be more than it holds.
 */
static bool is_one_piece(const struct v3dsim *sim, const struct store *s, uint32_t address)
{
	const uint64_t bytes = (uint64_t)s->rows * s->length * sizeof(uint32_t);

	return !s->stride.stride && s->rows * s->length <= PIECE &&
	       words_of(sim, s, s->rows - 1) && !sim->config.strict &&
	       !trace_wanted(&sim->config, V3DSIM_TRACE_MEM) &&
	       address + bytes <= UINT64_C(1) << 32;
}

static bool store_piece(struct v3dsim *sim, const struct vpm_port *port, const struct store *s)
{
	uint32_t words[PIECE];

	for (unsigned int r = 0; r < s->rows; r++)
		memcpy(words + r * s->length, words_of(sim, s, r), s->length * sizeof(*words));
	return bus_write(sim, V3DSIM_UNIT_VDW, port->store.address, words,
			 s->rows * s->length * sizeof(*words));
}

static bool store_rows(struct v3dsim *sim, const struct vpm_port *port, const struct store *s)
{
	for (unsigned int r = 0; r < s->rows; r++)
		if (!store_row(sim, port, s, r))
			return false;
	return true;
}

bool vdw_finish(struct v3dsim *sim, struct vpm_port *port)
{
	const struct store s = parse(sim, &port->store);

	if (!(is_one_piece(sim, &s, port->store.address) ? store_piece(sim, port, &s) :
							   store_rows(sim, port, &s))) {
		port->store.busy = false;
		port->store.fault = true;
		return false;
	}
	port->store.busy = false;
	return true;
}
