/* SPDX-License-Identifier: MIT */
/*
 * Fragment shading: a primitive's quads in a tile, four at a time, through its fragment shader or
 * the coverage pipe.
 */
#ifndef V3DSIM_QUADS_H
#define V3DSIM_QUADS_H

#include "core/result.h"
#include "fep.h"
#include "fragment.h"
#include "planes.h"

struct program;
struct program_cache;

/* The varyings of a vertex, and the two that points have before them (HW) */
#define QUADS_PLANES (64 + 2)

#define QUADS_UNKNOWN UINT32_MAX	/* of varyings_before: known where earlier tiles are */

/**
 * struct quads - a primitive's part of a tile, being shaded
 *
 * What primitive set-up fills in, before quads_begin():
 * @list: of the tile's quads
 * @code: of its fragment shader; @uniforms likewise
 * @config: record 96; @reverse: it faces away
 * @x: of its first vertex, where planes are 0, in 1/16 of a pixel of the frame; @y likewise
 * @start: planes of Z, with what rounding takes, and of 1 / Wc
 * @plane: of varyings
 * @fragment: what all batches have in common; then the batch in progress
 *
 * @next: quads before it are shaded
 * @unit: the interpolators
 * @program: the shader as a whole, of @length instructions, or NULL; @programs: that were
 *	used lately. See hooks.h
 * @varyings_before: of the latest batch that was shaded; @locked_up: by them (HW-2885)
 */
struct quads {
	struct fragment fragment;
	struct fep_quads list;
	uint32_t code, uniforms;
	struct v3d_configuration_bits config;
	bool reverse, locked_up;
	int32_t x, y;
	struct planes_start start;
	struct fragment_plane plane[QUADS_PLANES];
	uint32_t next, length, varyings_before;
	const struct planes_unit *unit;
	const struct program *program;
	struct program_cache *programs;
};

/* Of memory that is 0. Return: false: out of memory */
bool quads_new(struct v3dsim *sim, struct quads *quads);

/* Frees them, also if quads_new() failed */
void quads_free(struct v3dsim *sim, struct quads *quads);

/* A primitive begins in a tile */
void quads_begin(struct v3dsim *sim, struct quads *quads);

/**
 * quads_shade() - goes on with the first quad that is not shaded; between sim_math_begin() and
 * sim_math_end()
 * @budget: lessened by the instructions executed
 * Return: SIM_DONE after the last, SIM_MORE, SIM_STUCK, SIM_ERROR (reported)
 */
enum sim_result quads_shade(struct v3dsim *sim, struct quads *quads, uint64_t *budget);

#endif /* V3DSIM_QUADS_H */
