/* SPDX-License-Identifier: MIT */
/*
 * The Vertex Pipe Memory and the DMA beside it: VDR loads into it, VDW stores from it (AG100
 * Section 7).
 *
 * What user programs address are the first 64 rows (HW-2253), of which those that VPMBASE reserves
 * are theirs. Writes outside are masked, reads give what lies there; both set bits of ERRSTAT and
 * count as a broken rule. Coordinate and vertex shaders address rows that are allocated to their
 * batch (AG100 p. 53): one part to read attributes from and one to write shaded vertices to, of 64
 * rows each here, so that nothing is outside. DMA has no such mapping: theirs, too, goes to the
 * rows of user programs.
 *
 * Time: a DMA takes VPM_DMA_START slots of 4 clocks and one more for each 4 words, one load and one
 * store at a time in the whole chip, in the order in which QPUs asked. Its memory is touched at its
 * end: a program that does not wait sees that it should have.
 */
#ifndef V3DSIM_VPM_H
#define V3DSIM_VPM_H

#include <stdbool.h>
#include <stdint.h>

#include <v3d/words.h>

#include "core/lanes.h"

struct qpu_peripherals;
struct v3dsim;

#define VPM_ROWS 192		/* 12 KiB: IDENT1 VPMSZ */
#define VPM_USER_ROWS 64	/* HW-2253 */
#define VPM_WIDTH 16		/* words a row */
#define VPM_DMA_START 4
/* AG100 p. 55: a minimum of three instructions between a read set-up and reading */
#define VPM_LATENCY 4

/**
 * struct vpm_block - vectors to access one after the other; size, laned, horizontal as in AG100
 * Tables 32 and 33
 */
struct vpm_block {
	uint8_t address, size, stride, left;
	bool laned, horizontal;
};

/**
 * struct vpm_dma - one QPU's load or store
 * @busy: asked for and not finished
 * @fault: the memory access failed; who asked stops
 * @done: the time when it ends
 * @address: in memory
 * @setup: VDR or VDW set-up word as it was when asked
 * @stride: its stride word
 */
struct vpm_dma {
	bool busy, fault;
	uint64_t done;
	uint32_t address, setup, stride;
};

/**
 * struct vpm_segment - what is allocated to a batch of vertices, a column each
 * @in: attributes; @out: shaded vertices
 * @rows: of @in that may hold something
 */
struct vpm_segment {
	uint32_t in[VPM_USER_ROWS * VPM_WIDTH], out[VPM_USER_ROWS * VPM_WIDTH];
	unsigned int rows;
};

/**
 * struct vpm_port - a QPU's way into the VPM
 * @read: the block being read
 * @next: set up while one value of @read was left
 * @read_ready: the time from when on reading does not come too early
 * @segment: where a coordinate or vertex shader reads and writes; NULL for user programs
 */
struct vpm_port {
	struct vpm_block write, read, next;
	uint64_t read_ready;
	uint32_t load_setup, load_stride, store_setup, store_stride;
	struct vpm_dma load, store;
	struct vpm_segment *segment;
};

/**
 * struct vpm - the memory, shared by all
 * @load_free: the time when VDR can start something new, @store_free VDW
 */
struct vpm {
	uint32_t words[VPM_ROWS * VPM_WIDTH];
	uint64_t load_free, store_free;
};

/* What became of an access, for who reports broken rules */
enum vpm_result { VPM_OK, VPM_IGNORED, VPM_OUTSIDE, VPM_RESERVED };

/**
 * vpm_read_setup() - a word for VPMVCD_RD_SETUP at @time: VPM_IGNORED if more than one value is
 * still to be read (HW)
 */
enum vpm_result vpm_read_setup(struct vpm_port *port, uint32_t word, uint64_t time);

/* A word for VPMVCD_WR_SETUP */
enum vpm_result vpm_write_setup(struct vpm_port *port, uint32_t word);

/* Is there a value left to read? */
static inline bool vpm_readable(const struct vpm_port *port)
{
	return port->read.left != 0;
}

/* The next vector; only if vpm_readable() */
enum vpm_result vpm_read(struct v3dsim *sim, struct vpm_port *port, struct lanes *out);

/* A vector to where the write set-up points */
enum vpm_result vpm_write(struct v3dsim *sim, struct vpm_port *port, const struct lanes *in);

/**
 * vpm_write_whole() - the same for a user program's that goes to a row or a column which is the
 * programs'. Return: false: nothing is done
 */
bool vpm_write_whole(struct v3dsim *sim, struct vpm_port *port, const struct lanes *in);

/* The VPM's and its DMA's registers */
void vpm_qpu_attach(struct qpu_peripherals *to);

/**
 * vpm_cancel() - the program ended: outstanding reads are dropped, DMA goes on.
 *
 * Return: were there any?
 */
bool vpm_cancel(struct vpm_port *port);

/* Rows that user programs may address: VPMBASE, and HW-2253 */
unsigned int vpm_window(const struct v3dsim *sim);

/**
 * vpm_segment_open() - a new batch, whose attributes take @rows: all words are @residue, which is 0
 * on a chip that is not asked for more, until a program writes them; columns from @count on are 0
 */
void vpm_segment_open(struct vpm_segment *segment, unsigned int rows, unsigned int count,
		      uint32_t residue);

/**
 * vpm_outside() - an access left the user window: sets the error bits of ERRSTAT. Return:
 * VPM_OUTSIDE
 */
enum vpm_result vpm_outside(struct v3dsim *sim, bool write);

/* A write to VPM_LD_ADDR; the previous load of this port must be done */
void vdr_start(struct v3dsim *sim, struct vpm_port *port, uint32_t address, uint64_t time);

/* A write to VPM_ST_ADDR; the previous store of this port must be done */
void vdw_start(struct v3dsim *sim, struct vpm_port *port, uint32_t address, uint64_t time);

/**
 * vdr_finish() - the load's memory access, at its end
 * Return: false after a bus error; dma.fault says so too
 */
bool vdr_finish(struct v3dsim *sim, struct vpm_port *port);

/* See vdr_finish() */
bool vdw_finish(struct v3dsim *sim, struct vpm_port *port);

#endif /* V3DSIM_VPM_H */
