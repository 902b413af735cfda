/* SPDX-License-Identifier: MIT */
/*
 * The binner's clipper: primitives in clip coordinates against six planes (AG100 Table 38, records
 * 105 and 106; Table 44).
 *
 * Near and far are those of OpenGL, -Wc <= Zc <= Wc. In x and y there is a guard band (HW:
 * primitives reach outside the view volume, only the clip window bounds what is drawn).
 *
 * Not established, and chosen here:
 * - The guard band is all that the 12.4 screen coordinates of a vertex can hold: 2047 15/16 pixels
 *   from the viewport's centre.
 * - Arithmetic is in double precision, truncating; screen coordinates of new vertices are truncated
 *   as a shader's ftoi would.
 * - A corner that comes to lie at Wc = 0, and a vertex with a NaN or an infinity, make the whole
 *   primitive vanish.
 */
#ifndef V3DSIM_CLIP_H
#define V3DSIM_CLIP_H

#include <stdbool.h>
#include <stdint.h>

#define CLIP_PLANES 6
#define CLIP_CORNERS (3 + CLIP_PLANES)	/* of a triangle, clipped: each plane adds one at most */
#define CLIP_GUARD 32767		/* in 1/16 of a pixel */
#define CLIP_NEW 3

/**
 * struct clip_view - the viewport: records 105 and 106
 * @half_width: in 1/16 of a pixel, of any sign; @half_height likewise
 * @z_scale: from Zc to Zs, @z_offset likewise
 */
struct clip_view {
	float half_width, half_height, z_scale, z_offset;
};

/**
 * struct clip_corner - a corner of what is left of a primitive
 * @clip: Xc, Yc, Zc, Wc
 * @coefficient: what each vertex of the primitive has in it
 * @original: which vertex it is, or CLIP_NEW
 */
struct clip_corner {
	double clip[4], coefficient[3];
	unsigned int original;
};

/* What is left of a primitive: a line or a convex polygon, in order */
struct clip_polygon {
	unsigned int count;
	struct clip_corner corner[CLIP_CORNERS];
};

/* A corner on the screen, as Table 44 has it */
struct clip_screen {
	int16_t xs, ys;
	float zs, one_over_wc;
};

/* What is to be done with a primitive */
enum clip_verdict { CLIP_WHOLE, CLIP_CROSSING, CLIP_OUTSIDE };

/**
 * clip_judge() - is a primitive inside all planes?
 * @count: vertices: 1 to 3
 * Return: CLIP_OUTSIDE: all of it is outside near or far, a plane of the guard band or, unless it
 * is a point, of the view volume (HW: so are wide lines beside it); or it has a vertex that is no
 * number
 */
enum clip_verdict clip_judge(const struct clip_view *view, const float *const *clip,
			     unsigned int count);

/**
 * clip_primitive() - cuts off what is outside
 * @count: vertices: 2 or 3
 * Return: false: nothing is left
 */
bool clip_primitive(const struct clip_view *view, const float *const *clip, unsigned int count,
		    struct clip_polygon *polygon);

/* Where a new corner is on the screen */
void clip_project(const struct clip_view *view, const struct clip_corner *corner,
		  struct clip_screen *screen);

/* What vertex n of the primitive has in a corner, as Table 44 has it */
float clip_coefficient(const struct clip_corner *corner, unsigned int n);

#endif /* V3DSIM_CLIP_H */
