/* SPDX-License-Identifier: MIT */
/*
 * Primitive set-up (PSE): from shaded vertices to edges and planes (AG100 Figure 1; Table 38,
 * records 96 to 104), and what follows: the rasteriser's quads, four at a time, through the
 * fragment shader.
 *
 * Planes are doubles relative to the first vertex, under the QPUs' floating-point mode. The varying
 * of a vertex v is VP * W + C (AG100 p. 51): C is the first vertex's value, and VP the plane of (v
 * - C) / Wc, which is 0 at the first vertex.
 *
 * Not established, and chosen here:
 * - Triangles whose vertices lie on a line are no primitives, as are lines whose ends coincide and
 *   RHTs without height. A triangle is counter-clockwise if its area is positive with y upwards,
 *   the bottom left being what is first in memory. Points, lines and RHTs are never culled; an RHT
 *   whose first vertex is the upper one faces as a clockwise triangle does, which is what the
 *   coverage pipe counts, and points and lines face forward.
 * - A line is the parallelogram that its width makes along y (if it is wider than high) or x, with
 *   its first end and without its last one. The varying before its own goes from 0 to 1 across it,
 *   towards larger y or x.
 * - A point is a square; its two varyings go from 0 to 1 to the right and downwards: (0, 0) is the
 *   upper left corner (Mesa's shaders turn y around for the other origin).
 * - Sizes and widths are rounded to 1/8 of a pixel, half of them being in 1/16, and are at most
 *   2,048.
 * - An RHT is what lies between the line between its vertices, from the lower one's y to the upper
 *   one's, and the boundary of record 100, on whichever side that is (SW). The boundary is like a
 *   vertex in 1/16 of a pixel and relative to the viewport's centre. Where they cross, the side is
 *   that of the line's middle, and what is beyond the crossing is empty. Its varyings are flat.
 * - Z is rounded to the nearest 24-bit integer, of zs * (2^24 - 1), and clamped: clipping to the
 *   planes of record 104 is the binner's; depth offset comes before that, for triangles only, with
 *   the larger of the two slopes as the maximum slope and r = 1.
 * - The flat shading flags count the shader's own varyings; those from the 33rd on are never flat.
 * - Vertices that are not finite count as the largest finite number.
 */
#ifndef V3DSIM_PSE_H
#define V3DSIM_PSE_H

#include "back/quads.h"
#include "primitive.h"

/**
 * struct pse - the primitive in progress
 * @quads: what it has in the tile
 * @busy: there is one
 * @samples: of a pixel
 * @x: of its vertices in 1/16 of a pixel of the frame; @y likewise
 * @gradient: of two vertices' differences to the first: [1][0] is what x adds for each 1 that
 *	vertex 1 has more
 * @shape: of its edges
 */
struct pse {
	struct quads quads;
	bool busy;
	enum fep_samples samples;
	int32_t x[3], y[3];
	double gradient[3][2];
	struct fep_shape shape;
};

_Static_assert(PRIMITIVE_VARYINGS + 2 == QUADS_PLANES,
	       "all varyings of a point have their plane");

/* Allocates; false: out of memory */
bool pse_new(struct v3dsim *sim);

/* Frees it, also if pse_new() failed */
void pse_free(struct v3dsim *sim);

/**
 * pse_primitive() - the rendering thread has a primitive for the present tile: set-up, rasterising,
 * shading
 * @budget: lessened by what was done
 * Return: SIM_MORE or SIM_STUCK: to be called again with the same primitive; SIM_DONE; SIM_ERROR
 * (reported)
 */
enum sim_result pse_primitive(struct v3dsim *sim, const struct primitive *primitive,
			      uint64_t *budget);

/* The rendering thread was reset: the primitive in progress is dropped */
void pse_cancel(struct v3dsim *sim);

void pse_reset(struct v3dsim *sim);

#endif /* V3DSIM_PSE_H */
