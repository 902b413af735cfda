/* SPDX-License-Identifier: MIT */
/* The body of planes.c and planes_avx2.c: see planes.h. Defines PLANES_UNIT. */
#include "planes.h"

#pragma GCC diagnostic ignored \
	"-Wpsabi" /* vectors are passed by value between inlined functions only */

#define Z_MAX 16777215.0
#define PIXEL 16		/* of what distances are counted in */

/* Four pixels of a quad */
typedef double quad_doubles __attribute__((vector_size(32)));
typedef int64_t quad_longs __attribute__((vector_size(32)));
typedef float quad_floats __attribute__((vector_size(16)));
typedef int32_t quad_ints __attribute__((vector_size(16)));

static inline __attribute__((always_inline)) quad_doubles neighbours(double a, double b)
{
	const quad_doubles v = { 0, a * PIXEL, b * PIXEL, a * PIXEL + b * PIXEL };

	return v;
}

static inline __attribute__((always_inline)) double first(const struct fragment *f,
							  unsigned int quad, double a, double b)
{
	return a * f->quad_x[quad] + b * f->quad_y[quad];
}

/* Two quads, as wide as what reads them next */
static inline __attribute__((always_inline)) void put(struct lanes *out, unsigned int quad,
						      quad_ints low, quad_ints high)
{
#if ALU_VECTOR == 32
	out->i[quad / 2] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#else
	out->i[quad] = low;
	out->i[quad + 1] = high;
#endif
}

/* As the QPU has floats: zeros are +0 */
static inline __attribute__((always_inline)) quad_ints to_float(quad_doubles v)
{
	const quad_ints bits = (quad_ints)__builtin_convertvector(v, quad_floats);

	return bits & ((bits & 0x7fffffff) != 0);
}

static inline __attribute__((always_inline)) quad_ints to_z(quad_doubles v)
{
	const quad_doubles most = { Z_MAX, Z_MAX, Z_MAX, Z_MAX };
	const quad_longs above = v > most, positive = v > 0;

	v = (quad_doubles)(((quad_longs)v & ~above) | ((quad_longs)most & above));
	return __builtin_convertvector((quad_doubles)((quad_longs)v & positive), quad_ints);
}

static void varying(const struct fragment *f, const struct fragment_plane *plane, struct lanes *out)
{
	const quad_doubles more = neighbours(plane->a, plane->b);

	for (unsigned int quad = 0; quad < FRAGMENT_QUADS; quad += 2)
		put(out, quad, to_float(more + first(f, quad, plane->a, plane->b)),
		    to_float(more + first(f, quad + 1, plane->a, plane->b)));
}

static void start(const struct fragment *f, const struct planes_start *s, struct lanes *z,
		  struct lanes *w)
{
	const quad_doubles more_z = neighbours(s->z[0], s->z[1]) + s->z[2],
			   more_w = neighbours(s->w[0], s->w[1]) + s->w[2];

	for (unsigned int quad = 0; quad < FRAGMENT_QUADS; quad += 2) {
		const quad_ints w0 = to_float(more_w + first(f, quad, s->w[0], s->w[1]));
		const quad_ints w1 = to_float(more_w + first(f, quad + 1, s->w[0], s->w[1]));

		put(z, quad, to_z(more_z + first(f, quad, s->z[0], s->z[1])),
		    to_z(more_z + first(f, quad + 1, s->z[0], s->z[1])));
		put(w, quad, (quad_ints)(1 / (quad_floats)w0), (quad_ints)(1 / (quad_floats)w1));
	}
}

PLANES_UNIT = { .start = start, .varying = varying };
