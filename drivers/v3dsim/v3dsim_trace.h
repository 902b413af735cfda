/* SPDX-License-Identifier: MIT */
/*
 * Which lines of trace a host wants, beside their kinds: those of a draw, a tile, a pixel, a QPU or
 * an address; and values of registers.
 */
#ifndef V3DSIM_TRACING_H
#define V3DSIM_TRACING_H

#include "v3dsim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What &v3dsim_tracing.filters says that only some lines are wanted by */
#define V3DSIM_ONLY_DRAWS 1u
#define V3DSIM_ONLY_TILE 2u
#define V3DSIM_ONLY_PIXEL 4u
#define V3DSIM_ONLY_QPUS 8u
#define V3DSIM_ONLY_ADDRESSES 16u

/**
 * struct v3dsim_tracing - what is traced
 * @kinds: enum v3dsim_trace, for &v3dsim_config.trace_mask
 * @filters: V3DSIM_ONLY_*. A line has to pass all that are asked for; what is of no draw, tile,
 *	pixel or QPU at all passes none of these.
 * @lanes: a bit for each element whose values are told behind each instruction: of registers,
 *	accumulators and flags that it wrote, and of what it handed to a unit
 * @qpus: a bit each. Shaders run on QPU 0 for the bin list and on QPU 1 for the render list.
 * @draws: first and last, counted from 0 in each bin list: what the list says between the draw
 *	before and this one, its vertices, and what becomes of its primitives in tiles
 * @addresses: first and last: of instructions, control records, memory that is accessed, registers
 * @tile: column and row; of the render list
 * @pixel: x and y, 0 and 0 in the tile of column 0 and row 0; of fragment shaders. If no lanes are
 *	asked for, the pixel's is.
 */
struct v3dsim_tracing {
	unsigned int kinds, filters;
	uint16_t lanes, qpus;
	uint32_t draws[2], addresses[2], tile[2], pixel[2];
};

/**
 * v3dsim_trace_read() - what is traced, as people write it: "qpu,lanes=0-3,draw=2"
 * @text: kinds, and behind them filters, with commas between them
 * @tracing: set
 * @error: what is wrong with it, a line; cut to @size bytes, its end included
 * @size: bytes of @error; 0 for none
 *
 * Return: it is right
 */
bool v3dsim_trace_read(const char *text, struct v3dsim_tracing *tracing, char *error, size_t size);

/**
 * v3dsim_trace_set() - before anything runs: the lines that are wanted
 * @sim: the chip, made with the same kinds
 * @tracing: copied
 */
void v3dsim_trace_set(struct v3dsim *sim, const struct v3dsim_tracing *tracing);

/**
 * v3dsim_trace_about() - from &v3dsim_host.trace alone, for all kinds but V3DSIM_TRACE_REG: what
 * the line is about
 * @sim: the chip
 * @address: set: of the instruction, of the control record, or of what is accessed
 *
 * Return: false: it goes on with what a line before was about: values
 */
bool v3dsim_trace_about(struct v3dsim *sim, uint32_t *address);

#ifdef __cplusplus
}
#endif

#endif /* V3DSIM_TRACING_H */
