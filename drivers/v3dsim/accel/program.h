/* SPDX-License-Identifier: MIT */
/*
 * Shaders as a whole. Most run straight from their first instruction to their last, wait for
 * nothing and break no rule. Such a program is made ready once, and then runs batch after batch
 * without looking at each instruction anew; it does what qpu_run() would do, bit for bit, in the
 * same number of instructions and slots of time. All others are left to qpu_run().
 *
 * Its instructions are compared with memory, and its uniforms are read, once for each primitive and
 * tile, or batch of vertices.
 */
#ifndef V3DSIM_PROGRAM_H
#define V3DSIM_PROGRAM_H

#include "qpu/qpu.h"

struct program;
struct program_cache;

/* For fragment or for vertex and coordinate shaders. NULL: out of memory */
struct program_cache *program_cache_new(bool fragments);

void program_cache_free(struct program_cache *cache);

/**
 * program_find() - the program at an address, with its uniforms
 * @q: on which it will run; always the same for one cache
 * Return: NULL: it is not of that kind, or not in the host's memory, or is to be traced
 */
const struct program *program_find(struct v3dsim *sim, struct program_cache *cache, struct qpu *q,
				   uint32_t code, uint32_t uniforms);

/* Instructions that it executes */
unsigned int program_length(const struct program *program);

/**
 * program_run() - a batch, from the first instruction to the last, in the QPUs' floating-point mode
 * @fragment: W and Z are in place already: ra15, rb15. NULL for vertices, whose VPM port is set up
 *	already
 * @uniforms: their address, as program_find() was told
 * Return: false: it stopped with an error, which is reported
 */
bool program_run(struct v3dsim *sim, const struct program *program, struct qpu *q,
		 struct fragment *fragment, uint32_t uniforms);

#endif /* V3DSIM_PROGRAM_H */
