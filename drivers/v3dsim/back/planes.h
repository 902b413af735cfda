/* SPDX-License-Identifier: MIT */
/*
 * Planes at the pixels of a batch: Z and W (AG100 Table 29) and varyings (p. 51), in doubles,
 * compiled for what the processor has. A quad's first pixel comes by multiplication, its three
 * neighbours by addition. The floating-point mode is the QPUs'.
 */
#ifndef V3DSIM_PLANES_H
#define V3DSIM_PLANES_H

#include "fragment.h"

/**
 * struct planes_start - of Z and W: what 1/16 of a pixel in x adds, what one in y does, and the
 * value at the first vertex
 */
struct planes_start {
	double z[3], w[3];
};

/* For one instruction set */
struct planes_unit {
	void (*start)(const struct fragment *f, const struct planes_start *start, struct lanes *z,
		      struct lanes *w);
	void (*varying)(const struct fragment *f, const struct fragment_plane *plane,
			struct lanes *out);
};

/* For every machine */
extern const struct planes_unit planes_unit_any;

#endif /* V3DSIM_PLANES_H */
