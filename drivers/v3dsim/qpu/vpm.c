// SPDX-License-Identifier: MIT
/* The Vertex Pipe Memory as QPUs read and write it: see vpm.h. */
#include <string.h>
#include <sys/param.h>

#include "core/sim.h"
#include "qps_state.h"

static uint32_t errors(struct v3dsim *sim, uint32_t bits)
{
	return sim->regs.storage[V3D_ERRSTAT / 4] |= bits;
}

unsigned int vpm_window(const struct v3dsim *sim)
{
	unsigned int rows = V3D_GET(regs_value(&sim->regs, V3D_VPMBASE), VPMBASE, VPMURSV) * 4;

	return MIN(rows, VPM_USER_ROWS);
}

/*
 * Which of the four bits silicon sets is not established: "non-allocated" here while nothing is
 * reserved, else "range".
 */
enum vpm_result vpm_outside(struct v3dsim *sim, bool write)
{
	if (vpm_window(sim))
		errors(sim, write ? V3D_SET(ERRSTAT, VPMEWR, 1) : V3D_SET(ERRSTAT, VPMERR, 1));
	else
		errors(sim, write ? V3D_SET(ERRSTAT, VPMEWNA, 1) : V3D_SET(ERRSTAT, VPMERNA, 1));
	return VPM_OUTSIDE;
}

void vpm_segment_open(struct vpm_segment *segment, unsigned int rows, unsigned int count,
		      uint32_t residue)
{
	memset(segment->in, 0, segment->rows * VPM_WIDTH * sizeof(segment->in[0]));
	memset(segment->out, 0, sizeof(segment->out));
	for (unsigned int n = 0; residue && n < VPM_USER_ROWS * VPM_WIDTH; n++)
		segment->in[n] = segment->out[n] = n % VPM_WIDTH < count ? residue : 0;
	segment->rows = residue ? VPM_USER_ROWS : rows;
}

/* The reserved size is 32 bits here (not established). */
static enum vpm_result check_size(struct vpm_block *block)
{
	if (block->size <= V3D_VPM_32BIT)
		return VPM_OK;
	block->size = V3D_VPM_32BIT;
	return VPM_RESERVED;
}

enum vpm_result vpm_read_setup(struct vpm_port *port, uint32_t word, uint64_t time)
{
	struct v3d_vpm_read_setup setup;
	struct vpm_block block;
	enum vpm_result result;

	if (word >> 31) {
		struct v3d_vdr_setup vdr;

		v3d_parse_vdr_setup(word, &vdr);
		if (vdr.modew == 1)
			port->load_stride = word;
		else
			port->load_setup = word;
		return VPM_OK;
	}
	v3d_parse_vpm_read_setup(word, &setup);
	block = (struct vpm_block){
		.address = setup.address,
		.size = setup.size,
		.stride = setup.stride ? setup.stride : 64,
		.left = setup.number ? setup.number : 16,
		.laned = setup.laned,
		.horizontal = setup.horizontal,
	};
	result = check_size(&block);
	if (setup.id)
		result = VPM_RESERVED;
	if (port->read.left + port->next.left > 1)
		return VPM_IGNORED;
	if (port->read.left) {
		port->next = block;
	} else {
		port->read = block;
		port->read_ready = time + VPM_LATENCY;
	}
	return result;
}

enum vpm_result vpm_write_setup(struct vpm_port *port, uint32_t word)
{
	struct v3d_vpm_write_setup setup;

	v3d_parse_vpm_write_setup(word, &setup);
	switch (setup.id) {
	case 0:
		port->write = (struct vpm_block){
			.address = setup.address,
			.size = setup.size,
			.stride = setup.stride ? setup.stride : 64,
			.laned = setup.laned,
			.horizontal = setup.horizontal,
		};
		return check_size(&port->write);
	case 2:
		port->store_setup = word;
		return VPM_OK;
	case 3:
		port->store_stride = word;
		return VPM_OK;
	default:
		return VPM_RESERVED;
	}
}

/* struct place - of one element: a word and the bits in it */
struct place {
	unsigned int word, shift;
};

/*
 * AG100 Figures 8 and 9: a sub-vector is either one lane of 16 words, or all lanes of 8 or 4 words
 * that follow each other.
 */
static struct place locate(const struct vpm_block *block, unsigned int element)
{
	/* sub-vectors a vector, as a power of two */
	const unsigned int log = V3D_VPM_32BIT - block->size;
	const unsigned int sub = block->address & ((1u << log) - 1),
			   a = block->address >> log & 0x3f;
	unsigned int step = element, lane = sub;

	if (!block->laned) {
		step = (sub * VPM_WIDTH + element) >> log;
		lane = element & ((1u << log) - 1);
	}
	return (struct place){
		.word = block->horizontal ? a * VPM_WIDTH + step :
					    ((a & 0x30) + step) * VPM_WIDTH + (a & 0xf),
		.shift = lane * (32 >> log),
	};
}

static uint32_t element_mask(const struct vpm_block *block)
{
	return block->size == V3D_VPM_8BIT ? 0xff :
	       block->size == V3D_VPM_16BIT ? 0xffff : 0xffffffff;
}

/* A whole row, as nearly every access is: its first word; NULL for other accesses */
static uint32_t *row_of(const struct vpm_block *block, uint32_t *words, unsigned int window)
{
	const unsigned int row = block->address % VPM_USER_ROWS;

	return block->horizontal && block->size == V3D_VPM_32BIT && row < window ?
		       words + row * VPM_WIDTH :
		       NULL;
}

/*
 * A whole column likewise, VPM_WIDTH words from each to the next, for a chip that takes vectors as
 * a whole
 */
static uint32_t *column_of(const struct v3dsim *sim, const struct vpm_block *block,
			   uint32_t *words, unsigned int window)
{
	const unsigned int top = block->address & 0x30;

	return sim->hooks.vectors && !block->horizontal && block->size == V3D_VPM_32BIT &&
			       top + V3D_QPU_LANES <= window ?
		       words + top * VPM_WIDTH + (block->address & 0xf) :
		       NULL;
}

/* The address has 8, 7 or 6 bits by size: it wraps beyond row 63. */
static void advance(struct vpm_block *block)
{
	block->address += block->stride;
}

/* For the race detector: which words a vector is in. Those of vertices are no program's. */
static void watch(struct v3dsim *sim, const struct vpm_port *port, const struct vpm_block *block,
		  bool write)
{
	const unsigned int words = vpm_window(sim) * VPM_WIDTH;
	const uint32_t mask = element_mask(block);

	for (unsigned int n = 0; !port->segment && n < V3D_QPU_LANES; n++) {
		const struct place place = locate(block, n);

		if (place.word < words)
			races_vpm(sim->qps->races, port, place.word, mask << place.shift, write);
	}
}

enum vpm_result vpm_read(struct v3dsim *sim, struct vpm_port *port, struct lanes *out)
{
	const unsigned int window = port->segment ? VPM_USER_ROWS : vpm_window(sim);
	uint32_t *words = port->segment ? port->segment->in : sim->qps->vpm.words;
	const uint32_t *row = row_of(&port->read, words, window),
		       *column = column_of(sim, &port->read, words, window);
	const uint32_t mask = element_mask(&port->read);
	enum vpm_result result = VPM_OK;

	if (sim->qps->races)
		watch(sim, port, &port->read, false);
	if (row)
		memcpy(out->lane, row, sizeof(out->lane));
	for (unsigned int n = 0; column && n < V3D_QPU_LANES; n++)
		out->lane[n] = column[n * VPM_WIDTH];
	for (unsigned int n = 0; !row && !column && n < V3D_QPU_LANES; n++) {
		const struct place place = locate(&port->read, n);

		if (place.word >= window * VPM_WIDTH && result == VPM_OK)
			result = vpm_outside(sim, false);
		out->lane[n] = words[place.word] >> place.shift & mask;
	}
	advance(&port->read);
	if (--port->read.left == 0) {
		port->read = port->next;
		port->next.left = 0;
	}
	return result;
}

enum vpm_result vpm_write(struct v3dsim *sim, struct vpm_port *port, const struct lanes *in)
{
	const unsigned int window = port->segment ? VPM_USER_ROWS : vpm_window(sim);
	uint32_t *words = port->segment ? port->segment->out : sim->qps->vpm.words;
	uint32_t *row = row_of(&port->write, words, window),
		 *column = column_of(sim, &port->write, words, window);
	const uint32_t mask = element_mask(&port->write);
	enum vpm_result result = VPM_OK;

	if (sim->qps->races)
		watch(sim, port, &port->write, true);
	if (row)
		memcpy(row, in->lane, sizeof(in->lane));
	for (unsigned int n = 0; column && n < V3D_QPU_LANES; n++)
		column[n * VPM_WIDTH] = in->lane[n];
	for (unsigned int n = 0; !row && !column && n < V3D_QPU_LANES; n++) {
		const struct place place = locate(&port->write, n);
		uint32_t *word = &words[place.word];

		if (place.word >= window * VPM_WIDTH)
			result = vpm_outside(sim, true);
		else
			*word = (*word & ~(mask << place.shift)) | (in->lane[n] & mask)
									   << place.shift;
	}
	advance(&port->write);
	return result;
}

bool vpm_write_whole(struct v3dsim *sim, struct vpm_port *port, const struct lanes *in)
{
	const unsigned int window = vpm_window(sim);
	uint32_t *words = sim->qps->vpm.words, *row = row_of(&port->write, words, window),
		 *column = column_of(sim, &port->write, words, window);

	if (port->segment || sim->qps->races || (!row && !column))
		return false;
	if (row)
		memcpy(row, in->lane, sizeof(in->lane));
	for (unsigned int n = 0; column && n < V3D_QPU_LANES; n++)
		column[n * VPM_WIDTH] = in->lane[n];
	sim->qps->vpm_touched = true;
	advance(&port->write);
	return true;
}

bool vpm_cancel(struct vpm_port *port)
{
	bool any = port->read.left != 0;

	port->read.left = 0;
	port->next.left = 0;
	return any;
}
