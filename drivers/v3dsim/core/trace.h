/* SPDX-License-Identifier: MIT */
/*
 * Lines of trace for the host, and which of them it wants. Check trace_wanted() before any work is
 * done for one.
 *
 * What a line belongs to is what is at work when it is written, so the blocks say here what they
 * begin: a control thread's turn, a program's, a draw, a tile. Which draw a primitive in a tile
 * list comes from no record says; the binner notes it here, by the primitive's address.
 */
#ifndef V3DSIM_TRACE_H
#define V3DSIM_TRACE_H

#include "v3dsim_trace.h"

struct v3dsim;

#define TRACE_LINE 1024		/* longer lines are cut */
#define TRACE_NO_QPU 32u
#define TRACE_NO_DRAW UINT32_MAX
#define TRACE_PROGRAMS 2u	/* in the place of a control thread: user programs */
#define TRACE_BATCH 64u		/* primitives that wait for a batch: VCM_QUEUE */

/* Where tile lists have primitives, and which draw each is of: a hash table */
struct trace_draws {
	struct trace_draw {
		uint32_t address, draw;
	} *slots;			/* @address 0: free */
	uint32_t count, room;
};

/**
 * struct trace - what is wanted, and what is at work
 * @wanted: by the host
 * @thread: control thread at work, or TRACE_PROGRAMS
 * @qpu: whose program is at work, or TRACE_NO_QPU
 * @pixel_lanes: its elements that are the wanted pixel
 * @has_tile: the render list is in a tile, @tile
 * @draw: of each control thread, what it does is of, or TRACE_NO_DRAW
 * @batch: draws of the primitives that the render list's vertices are shaded for
 * @draws: of primitives in tile lists
 * @address: of the line that is told; @goes_on: as the one before
 */
struct trace {
	struct v3dsim_tracing wanted;
	unsigned int thread, qpu;
	uint16_t pixel_lanes;
	bool has_tile;
	uint32_t tile[2], draw[2];
	uint32_t batch[TRACE_BATCH];
	struct trace_draws draws;
	uint32_t address;
	bool goes_on;
};

/**
 * trace_wanted() - is this kind of line wanted? (use as trace_wanted(&sim->config, ...))
 */
static inline bool trace_wanted(const struct v3dsim_config *config, enum v3dsim_trace kind)
{
	return config->trace_mask & kind;
}

/**
 * trace_line() - hands a line to the host, if it wants it, from inside the engine: drops the lock
 * meanwhile, like every callback
 * @address: that it is about
 */
__attribute__((format(printf, 4, 5)))
void trace_line(struct v3dsim *sim, enum v3dsim_trace kind, uint32_t address, const char *format,
		...);

/* Does the host want a line about an access to this register? From any thread */
bool trace_wants_register(const struct v3dsim *sim, uint32_t reg);

/* A list begins */
void trace_list(struct v3dsim *sim, unsigned int thread);

/**
 * trace_record() - a control thread begins a record
 * @bytes: of it
 * @next: address behind it
 */
void trace_record(struct v3dsim *sim, unsigned int thread, const uint8_t *bytes, uint32_t next);

/* The bin list has drawn */
void trace_drawn(struct v3dsim *sim);

/* The binner writes a primitive of the draw at hand into a tile list */
void trace_binned(struct v3dsim *sim, uint32_t address);

/* The render list finds a primitive at this address */
void trace_found(struct v3dsim *sim, uint32_t address);

/* It becomes number @n of the batch, or is gone on with from there */
void trace_queue(struct v3dsim *sim, unsigned int thread, unsigned int n);
void trace_unqueue(struct v3dsim *sim, unsigned int thread, unsigned int n);

void trace_free(struct v3dsim *sim);

#endif /* V3DSIM_TRACE_H */
