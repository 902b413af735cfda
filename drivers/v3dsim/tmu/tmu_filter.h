/* SPDX-License-Identifier: MIT */
/*
 * From 16 coordinates to 16 filtered texels.
 *
 * Precision is not established. Here coordinates are in fixed point with 20 bits behind the point,
 * places among the texels of a level with 8, rounded to nearest; hence 256 weights between
 * neighbours. Sums are exact, and rounded once a level. The level of detail has 8 bits behind the
 * point, rounded down: log2 of the largest change of s times width or t times height, from lane 0
 * of each quad to lanes 1 and 2. Magnification is what has a level of detail of 0 or less; the
 * nearest level is that of the level of detail plus a half, rounded down.
 *
 * What else the guide leaves open, here:
 * - Numbers of 512 and more, infinities and NaNs among them, are at the border, at their sign's
 *   side, or, repeated and mirrored, at what their value says; infinities and NaNs at 0 then.
 * - A cube's largest coordinate is taken for 1 or -1 whatever it is; of equal ones the first
 *   counts. The other two end at the face's edges, whatever the wrap; wraps say what is beside
 *   texels at the edges. A lane's level of detail is what it is on the plane of the lane's own
 *   face.
 * - FLIPY counts rows of the image, or of the child image, from its other end.
 * - The border colour is a word as r4 would get it. For RGBA64 its bytes are n / 255.
 * - A type that does not exist gives 0.
 */
#ifndef V3DSIM_TMU_FILTER_H
#define V3DSIM_TMU_FILTER_H

#include "core/lanes.h"
#include "tmu_setup.h"

struct v3dsim;

/**
 * struct tmu_request - a lookup
 * @unit: slice * CACHE_TMUS + TMU
 * @s: and the others, what was written to the registers; zeros where nothing was
 */
struct tmu_request {
	const struct tmu_texture *texture;
	unsigned int unit;
	const struct lanes *s, *t, *r, *b;
};

/**
 * tmu_filter() - @out[1] is written for RGBA64 only, and has blue and alpha.
 *
 * Return: false after a bus error
 */
bool tmu_filter(struct v3dsim *sim, const struct tmu_request *request, struct lanes out[2]);

/**
 * struct tmu_sample - texels of one level, for lanes that it serves
 * @base: of the level, or of the same level of another face of a cube
 * @lanes: that want it, a bit each; the others get anything
 * @linear: four texels are blended
 * @s: in the level's (child) image, 20 bits behind the point; @t likewise
 * @border: its word
 */
struct tmu_sample {
	const struct tmu_texture *texture;
	const struct tmu_level *level;
	unsigned int unit;
	uint32_t base, border;
	uint16_t lanes;
	bool linear;
	struct lanes s, t;
};

#define TMU_POINT 20		/* bits behind the point of coordinates */
#define TMU_WIDE 21		/* and while their changes are looked at */
#define TMU_FAR 0x44000000	/* 512: what is below fits into 32 bits, with its sign */

/**
 * struct tmu_table - what is done on all lanes, compiled for one instruction set
 * @sample: @out[1] is written for RGBA64 only. Return: false after a bus error
 * @fix: from floats; @wide has TMU_WIDE bits behind the point, rounded to zero, @fixed TMU_POINT,
 *	rounded to nearest. What is 512 and more is as large as can be; @far has a bit for each lane
 *	of that kind.
 * @blend: bytes of @out, and @weight / 256 of @other
 */
struct tmu_table {
	bool (*sample)(struct v3dsim *sim, const struct tmu_sample *sample, struct lanes out[2]);
	void (*fix)(struct lanes *wide, struct lanes *fixed, uint16_t *far,
		    const struct lanes *coordinate);
	void (*blend)(struct lanes *out, const struct lanes *other, const struct lanes *weight);
};

/* For every machine */
extern const struct tmu_table tmu_table_any;

#endif /* V3DSIM_TMU_FILTER_H */
