// SPDX-License-Identifier: MIT
/* The rasteriser: see fep.h. */
#include <sys/param.h>

#include "fep.h"

#pragma GCC diagnostic ignored \
	"-Wpsabi" /* vectors are passed by value between inlined functions only */

#define BLOCK 8			/* pixels of a block, in each direction */
#define CENTRE (FEP_SUBPIXELS / 2)
#define ALL_SAMPLES 0xffff

/* An edge function at the four pixels of a quad */
typedef int32_t quad_ints __attribute__((vector_size(16)));

/* An edge inside a box it crosses: there its function fits 32 bits. */
struct local_edge {
	int32_t a, b;		/* for a step of a pixel */
	int32_t origin;		/* value at the lower left corner of the box */
};

/**
 * struct raster - a shape in a box
 * @box: pixels to look at, in the frame; @origin_x: the box's left, made even; @origin_y likewise
 * @tile_x: of the tile's first pixel; @tile_y likewise
 */
struct raster {
	struct local_edge edge[FEP_EDGES];
	unsigned int edges;
	struct fep_box box;
	int32_t origin_x, origin_y, tile_x, tile_y;
	struct fep_quads *out;
};

static const int8_t samples_4[4][2] = { { 6, 2 }, { 14, 6 }, { 2, 10 }, { 10, 14 } };

void fep_sample(enum fep_samples samples, unsigned int sample, int *x, int *y)
{
	*x = *y = CENTRE;
	if (samples == FEP_SAMPLES_4) {
		*x = samples_4[sample & 3][0];
		*y = samples_4[sample & 3][1];
	} else if (samples == FEP_SAMPLES_16) {
		*x = 2 + (int)(sample & 3) * 4;
		*y = 2 + (int)(sample >> 2 & 3) * 4;
	}
}

/* Bits of a quad's pixels where the sign is set */
static inline unsigned int negative(quad_ints v)
{
#ifdef __SSE2__
	typedef float quad_floats __attribute__((vector_size(16)));

	return __builtin_ia32_movmskps((quad_floats)v);
#else
	const quad_ints bits = { 1, 2, 4, 8 };
	const quad_ints set = (v < 0) & bits;

	return set[0] | set[1] | set[2] | set[3];
#endif
}

/*
 * What an edge function gains at most, or loses at most, on the way across a box of so many pixels
 */
static int64_t gain(int32_t a, int32_t b, int32_t width, int32_t height, int sign)
{
	const int64_t x = (int64_t)a * sign * (width * FEP_SUBPIXELS),
		      y = (int64_t)b * sign * (height * FEP_SUBPIXELS);

	return sign * (MAX(x, 0) + MAX(y, 0));
}

/* Keeps the edges that cross the box. Return: false if one of them leaves nothing */
static bool localise(struct raster *r, const struct fep_shape *shape)
{
	const int32_t width = r->box.right - r->origin_x, height = r->box.top - r->origin_y;

	r->edges = 0;
	for (unsigned int n = 0; n < shape->edges; n++) {
		const struct fep_edge *e = &shape->edge[n];
		const int64_t slope = (int64_t)e->a * r->origin_x + (int64_t)e->b * r->origin_y;
		const int64_t value = slope * FEP_SUBPIXELS + e->c;

		if (value + gain(e->a, e->b, width, height, 1) < 0)
			return false;
		if (value + gain(e->a, e->b, width, height, -1) >= 0)
			continue;
		r->edge[r->edges++] = (struct local_edge){ e->a, e->b, (int32_t)value };
	}
	return true;
}

/* Pixels of a quad that are in the box */
static inline unsigned int in_box(const struct raster *r, int32_t x, int32_t y)
{
	unsigned int mask = 15;

	if (x < r->box.left)
		mask &= 10;
	if (x + 1 >= r->box.right)
		mask &= 5;
	if (y < r->box.bottom)
		mask &= 12;
	if (y + 1 >= r->box.top)
		mask &= 3;
	return mask;
}

static inline struct fep_quad *add(const struct raster *r, int32_t x, int32_t y, uint16_t mask)
{
	struct fep_quad *quad = &r->out->quad[r->out->count++];

	quad->x = x - r->tile_x;
	quad->y = y - r->tile_y;
	quad->mask = mask;
	return quad;
}

/* A block that no edge crosses */
static void fill(const struct raster *r, const struct fep_box *block)
{
	for (int32_t y = block->bottom; y < block->top; y += 2) {
		for (int32_t x = block->left; x < block->right; x += 2) {
			const unsigned int mask = in_box(r, x, y);

			r->out->coverage16[r->out->count] = UINT64_C(0x1111111111111111) * mask;
			add(r, x, y, mask * 0x1111);
		}
	}
}

/*
 * The quad's pixels where sample (sx, sy) is inside, for edge values at the quad's lower left
 * corner
 */
static inline unsigned int inside(const struct raster *r, const int32_t *value, int sx, int sy)
{
	quad_ints signs = { 0 };

	for (unsigned int n = 0; n < r->edges; n++) {
		const int32_t a = r->edge[n].a, b = r->edge[n].b, v = value[n] + a * sx + b * sy;
		const int32_t right = a * FEP_SUBPIXELS, up = b * FEP_SUBPIXELS;

		signs |= (quad_ints){ v, v + right, v + up, v + right + up };
	}
	return negative(signs) ^ 15;
}

static inline unsigned int inside_4(const struct raster *r, const int32_t *value)
{
	unsigned int mask = 0;

	for (unsigned int sample = 0; sample < 4; sample++)
		mask |= inside(r, value, samples_4[sample][0], samples_4[sample][1]) << 4 * sample;
	return mask;
}

static uint64_t inside_16(const struct raster *r, const int32_t *value)
{
	uint64_t mask = 0;

	for (unsigned int sample = 0; sample < 16; sample++) {
		int x, y;

		fep_sample(FEP_SAMPLES_16, sample, &x, &y);
		mask |= (uint64_t)inside(r, value, x, y) << 4 * sample;
	}
	return mask;
}

/* Pixels with any of 16 samples inside */
static unsigned int any_of_16(uint64_t mask)
{
	mask |= mask >> 32;
	mask |= mask >> 16;
	mask |= mask >> 8;
	return (mask | mask >> 4) & 15;
}

static inline void look_at_quad(const struct raster *r, int32_t x, int32_t y, const int32_t *value,
				enum fep_samples samples)
{
	const unsigned int box = in_box(r, x, y);
	unsigned int mask;

	if (samples == FEP_SAMPLES_1) {
		mask = (inside(r, value, CENTRE, CENTRE) & box) * 0x1111;
	} else if (samples == FEP_SAMPLES_4) {
		mask = inside_4(r, value) & box * 0x1111;
	} else {
		const uint64_t all = inside_16(r, value) & UINT64_C(0x1111111111111111) * box;

		mask = any_of_16(all) * 0x1111;
		r->out->coverage16[r->out->count] = all;
	}
	if (mask)
		add(r, x, y, mask);
}

static inline void look_at_quads(const struct raster *r, const struct fep_box *block,
				 enum fep_samples samples)
{
	for (int32_t y = block->bottom; y < block->top; y += 2) {
		int32_t value[FEP_EDGES];

		for (unsigned int n = 0; n < r->edges; n++)
			value[n] = r->edge[n].origin + ((block->left - r->origin_x) * r->edge[n].a +
							(y - r->origin_y) * r->edge[n].b) *
							       FEP_SUBPIXELS;
		for (int32_t x = block->left; x < block->right; x += 2) {
			look_at_quad(r, x, y, value, samples);
			for (unsigned int n = 0; n < r->edges; n++)
				value[n] += r->edge[n].a * 2 * FEP_SUBPIXELS;
		}
	}
}

/*
 * Does no edge leave anything of a block (-1), do all leave the whole (1), or must its quads be
 * looked at (0)?
 */
static int judge(const struct raster *r, const struct fep_box *block)
{
	const int32_t width = block->right - block->left, height = block->top - block->bottom;
	int result = 1;

	for (unsigned int n = 0; n < r->edges; n++) {
		const struct local_edge *e = &r->edge[n];
		const int64_t value = e->origin + ((int64_t)(block->left - r->origin_x) * e->a +
						   (int64_t)(block->bottom - r->origin_y) * e->b) *
							  FEP_SUBPIXELS;

		if (value + gain(e->a, e->b, width, height, 1) < 0)
			return -1;
		if (value + gain(e->a, e->b, width, height, -1) < 0)
			result = 0;
	}
	return result;
}

static void look_at_block(const struct raster *r, const struct fep_box *block,
			  enum fep_samples samples)
{
	const int verdict = judge(r, block);

	if (verdict > 0)
		fill(r, block);
	else if (verdict < 0)
		return;
	else if (samples == FEP_SAMPLES_1)
		look_at_quads(r, block, FEP_SAMPLES_1);
	else if (samples == FEP_SAMPLES_4)
		look_at_quads(r, block, FEP_SAMPLES_4);
	else
		look_at_quads(r, block, FEP_SAMPLES_16);
}

void fep_rasterise(const struct fep_shape *shape, const struct fep_box *window, int32_t tile_x,
		   int32_t tile_y, enum fep_samples samples, struct fep_quads *out)
{
	struct raster r = { .tile_x = tile_x, .tile_y = tile_y, .out = out };

	out->count = 0;
	r.box.left = MAX(shape->box.left, window->left);
	r.box.bottom = MAX(shape->box.bottom, window->bottom);
	r.box.right = MIN(shape->box.right, window->right);
	r.box.top = MIN(shape->box.top, window->top);
	if (r.box.left >= r.box.right || r.box.bottom >= r.box.top)
		return;
	r.origin_x = r.box.left & ~1;
	r.origin_y = r.box.bottom & ~1;
	if (!localise(&r, shape))
		return;
	for (int32_t y = r.origin_y; y < r.box.top; y += BLOCK) {
		for (int32_t x = r.origin_x; x < r.box.right; x += BLOCK) {
			const struct fep_box block = { x, y, MIN(x + BLOCK, r.box.right),
						       MIN(y + BLOCK, r.box.top) };

			look_at_block(&r, &block, samples);
		}
	}
}
