// SPDX-License-Identifier: MIT
/* Primitive set-up: see pse.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include <v3d/lists.h>

#include "core/sim.h"
#include "back/tlb.h"
#include "cle.h"
#include "pse.h"

#define CENTRE (FEP_SUBPIXELS / 2)
#define HALF_SIZE_MAX (1024 * FEP_SUBPIXELS)
#define Z_ONE 16777215.0	/* 2^24 - 1 */

bool pse_new(struct v3dsim *sim)
{
	struct pse *pse = aligned_alloc(64, (sizeof(*pse) + 63) / 64 * 64);

	sim->pse = pse;
	if (!pse)
		return false;
	memset(pse, 0, sizeof(*pse));
	return quads_new(sim, &pse->quads);
}

void pse_free(struct v3dsim *sim)
{
	if (sim->pse)
		quads_free(sim, &sim->pse->quads);
	free(sim->pse);
	sim->pse = NULL;
}

void pse_cancel(struct v3dsim *sim)
{
	sim->pse->busy = false;
}

void pse_reset(struct v3dsim *sim)
{
	pse_cancel(sim);
	sim->pse->quads.varyings_before = 0;
}

/* Any 32 bits as a finite number; denormals are 0 */
static double number(const float *value)
{
	uint32_t bits;
	float f;

	memcpy(&bits, value, sizeof(bits));
	if ((bits & 0x7f800000) == 0x7f800000)
		bits = (bits & 0x80000000) | 0x7f7fffff;
	if (!(bits & 0x7f800000))
		bits = 0;
	memcpy(&f, &bits, sizeof(f));
	return f;
}

static double number_of(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof(f));
	return number(&f);
}

/* Half of a size in pixels, in 1/16 of a pixel */
static int32_t half_size(double size)
{
	const double half = size * CENTRE + 0.5;

	return half < 0 ? 0 : half > HALF_SIZE_MAX ? HALF_SIZE_MAX : (int32_t)half;
}

static const uint8_t *record(const struct v3dsim *sim, enum cle_slot slot)
{
	return sim->cle->threads[1].state.record[slot];
}

/* Where the vertices are in the frame */
static void place(const struct v3dsim *sim, struct pse *pse, const struct primitive *primitive)
{
	struct v3d_viewport_offset offset = { 0 };

	if (record(sim, CLE_VIEWPORT)[0])
		v3d_unpack_viewport_offset(record(sim, CLE_VIEWPORT), &offset);
	for (unsigned int n = 0; n < v3d_list_vertices(primitive->kind); n++) {
		pse->x[n] = primitive->vertex[n]->xs + (int32_t)offset.x;
		pse->y[n] = primitive->vertex[n]->ys + (int32_t)offset.y;
	}
}

/* The pixels that have something of a range of coordinates */
static void extend(int32_t *first, int32_t *end, int32_t low, int32_t high)
{
	*first = low >> 4;
	*end = (high >> 4) + 1;
}

static void box_of(struct pse *pse, unsigned int vertices, int32_t margin)
{
	int32_t low_x = pse->x[0], high_x = low_x, low_y = pse->y[0], high_y = low_y;

	for (unsigned int n = 1; n < vertices; n++) {
		low_x = MIN(pse->x[n], low_x);
		high_x = MAX(pse->x[n], high_x);
		low_y = MIN(pse->y[n], low_y);
		high_y = MAX(pse->y[n], high_y);
	}
	extend(&pse->shape.box.left, &pse->shape.box.right, low_x - margin, high_x + margin);
	extend(&pse->shape.box.bottom, &pse->shape.box.top, low_y - margin, high_y + margin);
}

static void add_edge(struct pse *pse, int32_t a, int32_t b, int64_t c)
{
	fep_edge_set(&pse->shape.edge[pse->shape.edges++], a, b, c);
}

/* The edge through a vertex with the shape towards (a, b), moved outwards by @margin */
static void edge_through(struct pse *pse, unsigned int n, int32_t a, int32_t b, int64_t margin)
{
	add_edge(pse, a, b, margin - ((int64_t)a * pse->x[n] + (int64_t)b * pse->y[n]));
}

/* Return: false if there is nothing to draw */
static bool shape_triangle(struct v3dsim *sim, struct pse *pse)
{
	const int32_t x1 = pse->x[1] - pse->x[0], y1 = pse->y[1] - pse->y[0];
	const int32_t x2 = pse->x[2] - pse->x[0], y2 = pse->y[2] - pse->y[0];
	const int64_t area = (int64_t)x1 * y2 - (int64_t)x2 * y1;
	const int32_t sign = area < 0 ? -1 : 1;

	if (!area)
		return false;
	pse->quads.reverse = (area < 0) != pse->quads.config.clockwise;
	if (!(pse->quads.reverse ? pse->quads.config.reverse_facing :
				   pse->quads.config.forward_facing)) {
		pctr_count(sim, V3D_COUNTER_pse_primitives_reversed, 1);
		return false;
	}
	for (unsigned int n = 0; n < 3; n++) {
		const unsigned int next = n == 2 ? 0 : n + 1;

		edge_through(pse, n, -sign * (pse->y[next] - pse->y[n]),
			     sign * (pse->x[next] - pse->x[n]), 0);
	}
	box_of(pse, 3, 0);
	pse->gradient[1][0] = y2 / (double)area;
	pse->gradient[1][1] = -x2 / (double)area;
	pse->gradient[2][0] = -y1 / (double)area;
	pse->gradient[2][1] = x1 / (double)area;
	return true;
}

static bool shape_line(const struct v3dsim *sim, struct pse *pse, double across[2])
{
	const int32_t dx = pse->x[1] - pse->x[0], dy = pse->y[1] - pse->y[0];
	const int32_t sx = dx < 0 ? -1 : 1, sy = dy < 0 ? -1 : 1;
	const bool wide = dx * sx >= dy * sy;
	const int back = (wide ? sx : sy) < 0; /* the first end is in, the last one is not */
	struct v3d_line_width width = { .width = 0x3f800000 };
	const double length = (double)dx * dx + (double)dy * dy;
	int32_t half;

	if (record(sim, CLE_LINE_WIDTH)[0])
		v3d_unpack_line_width(record(sim, CLE_LINE_WIDTH), &width);
	half = half_size(number_of(width.width));
	if ((!dx && !dy) || !half)
		return false;
	if (wide) {
		edge_through(pse, 0, sx, 0, back);
		edge_through(pse, 1, -sx, 0, -back);
		edge_through(pse, 0, -sx * dy, sx * dx, (int64_t)half * sx * dx);
		edge_through(pse, 0, sx * dy, -sx * dx, (int64_t)half * sx * dx);
	} else {
		edge_through(pse, 0, 0, sy, back);
		edge_through(pse, 1, 0, -sy, -back);
		edge_through(pse, 0, sy * dy, -sy * dx, (int64_t)half * sy * dy);
		edge_through(pse, 0, -sy * dy, sy * dx, (int64_t)half * sy * dy);
	}
	box_of(pse, 2, half);
	pse->gradient[1][0] = dx / length;
	pse->gradient[1][1] = dy / length;
	across[0] = (wide ? -(double)dy / dx : 1) / (2.0 * half);
	across[1] = (wide ? 1 : -(double)dx / dy) / (2.0 * half);
	return true;
}

static bool shape_point(const struct v3dsim *sim, struct pse *pse,
			const struct primitive *primitive, double *across)
{
	struct v3d_point_size size = { .size = 0x3f800000 };
	int32_t half;

	if (record(sim, CLE_POINT_SIZE)[0])
		v3d_unpack_point_size(record(sim, CLE_POINT_SIZE), &size);
	half = half_size(primitive->shader->point_size ? number(&primitive->vertex[0]->point_size) :
							 number_of(size.size));
	if (!half)
		return false;
	edge_through(pse, 0, 1, 0, half);
	edge_through(pse, 0, -1, 0, half);
	edge_through(pse, 0, 0, 1, half);
	edge_through(pse, 0, 0, -1, half);
	box_of(pse, 1, half);
	*across = 1 / (2.0 * half);
	return true;
}

static bool shape_rht(const struct v3dsim *sim, struct pse *pse)
{
	const unsigned int low = pse->y[1] < pse->y[0], high = !low;
	const int32_t dx = pse->x[high] - pse->x[low], dy = pse->y[high] - pse->y[low];
	struct v3d_viewport_offset offset = { 0 };
	struct v3d_rht_x_boundary boundary = { 0 };
	int32_t x, side;

	if (record(sim, CLE_VIEWPORT)[0])
		v3d_unpack_viewport_offset(record(sim, CLE_VIEWPORT), &offset);
	if (record(sim, CLE_RHT_X)[0])
		v3d_unpack_rht_x_boundary(record(sim, CLE_RHT_X), &boundary);
	pse->quads.reverse = (low != 0) != (bool)pse->quads.config.clockwise;
	x = (int32_t)boundary.x + (int32_t)offset.x;
	side = pse->x[0] + pse->x[1] > 2 * x ? -1 : 1;
	if (!dy)
		return false;
	edge_through(pse, low, side * dy, side * -dx, 0);
	edge_through(pse, low, 0, 1, 0);
	edge_through(pse, high, 0, -1, 0);
	add_edge(pse, -side, 0, side * x);
	box_of(pse, 2, 0);
	if (side > 0)
		pse->shape.box.right = (x >> 4) + 1;
	else
		pse->shape.box.left = x >> 4;
	return true;
}

/* a and b of a plane, from how much more vertices 1 and 2 have than vertex 0 */
static void slope(const struct pse *pse, double more1, double more2, double *a, double *b)
{
	*a = more1 * pse->gradient[1][0] + more2 * pse->gradient[2][0];
	*b = more1 * pse->gradient[1][1] + more2 * pse->gradient[2][1];
}

/* Z before it is clamped and cut off to an integer */
static void plane_z(const struct v3dsim *sim, struct pse *pse, const struct primitive *primitive,
		    const double *zs)
{
	struct v3d_depth_offset offset = { 0 };
	double *z = pse->quads.start.z;

	slope(pse, (zs[1] - zs[0]) * Z_ONE, (zs[2] - zs[0]) * Z_ONE, &z[0], &z[1]);
	z[2] = zs[0] * Z_ONE + 0.5;
	if (!pse->quads.config.depth_offset || primitive->kind != V3D_LIST_TRIANGLES ||
	    !record(sim, CLE_DEPTH_OFFSET)[0])
		return;
	v3d_unpack_depth_offset(record(sim, CLE_DEPTH_OFFSET), &offset);
	const double x = fabs(z[0]) * FEP_SUBPIXELS, y = fabs(z[1]) * FEP_SUBPIXELS;

	z[2] += number_of(offset.factor) * MAX(x, y) + number_of(offset.units);
}

static uint32_t bits_of(double value)
{
	const float f = value;
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

/* The shader's own varyings: AG100 p. 51 */
static struct fragment_plane *plane_varyings(const struct v3dsim *sim, struct pse *pse,
					     const struct primitive *primitive, const double *w,
					     struct fragment_plane *plane)
{
	const struct vertex *const *v = primitive->vertex;
	const struct vertex *flat = primitive->flat ? primitive->flat : v[primitive->provoking];
	const unsigned int vertices = v3d_list_vertices(primitive->kind);
	struct v3d_flat_shade_flags flags = { 0 };

	if (record(sim, CLE_FLAT_SHADE)[0])
		v3d_unpack_flat_shade_flags(record(sim, CLE_FLAT_SHADE), &flags);
	for (unsigned int n = 0; n < primitive->shader->varyings && n < PRIMITIVE_VARYINGS;
	     n++, plane++) {
		const bool is_flat = n < 32 && flags.flags >> n & 1;
		const double first = number(is_flat ? &flat->varying[n] : &v[0]->varying[n]);
		double more1 = 0, more2 = 0;

		if (!is_flat && vertices > 1)
			more1 = (number(&v[1]->varying[n]) - first) * w[1];
		if (!is_flat && vertices > 2)
			more2 = (number(&v[2]->varying[n]) - first) * w[2];
		slope(pse, more1, more2, &plane->a, &plane->b);
		plane->c = bits_of(first);
	}
	return plane;
}

/*
 * Planes of what is interpolated; @across: of the varyings that points and lines have before the
 * shader's own
 */
static void planes(const struct v3dsim *sim, struct pse *pse, const struct primitive *primitive,
		   const double *across)
{
	const unsigned int vertices = v3d_list_vertices(primitive->kind);
	struct fragment_plane *plane = pse->quads.plane;
	double w[3] = { 0 }, zs[3] = { 0 };

	for (unsigned int n = 0; n < 3; n++) {
		w[n] = number(&primitive->vertex[n < vertices ? n : 0]->one_over_wc);
		zs[n] = number(&primitive->vertex[n < vertices ? n : 0]->zs);
	}
	plane_z(sim, pse, primitive, zs);
	slope(pse, w[1] - w[0], w[2] - w[0], &pse->quads.start.w[0], &pse->quads.start.w[1]);
	pse->quads.start.w[2] = w[0];
	if (primitive->kind == V3D_LIST_POINTS) {
		*plane++ = (struct fragment_plane){ across[0] * w[0], 0, bits_of(0.5) };
		*plane++ = (struct fragment_plane){ 0, -across[0] * w[0], bits_of(0.5) };
	} else if (primitive->kind == V3D_LIST_LINES) {
		*plane++ = (struct fragment_plane){ across[0] * w[0], across[1] * w[0],
						    bits_of(0.5) };
	}
	pse->quads.fragment.plane = pse->quads.plane;
	pse->quads.fragment.planes =
		plane_varyings(sim, pse, primitive, w, plane) - pse->quads.plane;
}

static void limit(int32_t *low, int32_t *high, int32_t least, int32_t most)
{
	*low = MAX(*low, least);
	*high = MIN(*high, most);
}

/* The part of the tile that may be drawn to: inside the frame and the clip window */
static void window_of(const struct v3dsim *sim, struct fep_box *window)
{
	const struct v3d_tile_rendering_mode *mode = &sim->tlb->mode;
	struct v3d_clip_window clip = { .width = 0xffff, .height = 0xffff };
	const int32_t x = sim->tlb->column * tlb_width(mode), y = sim->tlb->row * tlb_height(mode);

	if (record(sim, CLE_CLIP_WINDOW)[0])
		v3d_unpack_clip_window(record(sim, CLE_CLIP_WINDOW), &clip);
	*window = (struct fep_box){ x, y, x + (int32_t)tlb_width(mode),
				    y + (int32_t)tlb_height(mode) };
	limit(&window->left, &window->right, clip.left, clip.left + clip.width);
	limit(&window->bottom, &window->top, clip.bottom, clip.bottom + clip.height);
	limit(&window->left, &window->right, 0, mode->width);
	limit(&window->bottom, &window->top, 0, mode->height);
}

static bool shape(struct v3dsim *sim, struct pse *pse, const struct primitive *primitive,
		  double across[2])
{
	memset(pse->gradient, 0, sizeof(pse->gradient));
	pse->shape.edges = 0;
	pse->quads.reverse = false;
	place(sim, pse, primitive);
	switch (primitive->kind) {
	case V3D_LIST_POINTS:
		return shape_point(sim, pse, primitive, across);
	case V3D_LIST_LINES:
		return shape_line(sim, pse, across);
	case V3D_LIST_TRIANGLES:
		return shape_triangle(sim, pse);
	default:
		return shape_rht(sim, pse);
	}
}

/* What all batches of the primitive have in common */
static void prepare_fragments(const struct v3dsim *sim, struct pse *pse)
{
	struct fragment *f = &pse->quads.fragment;

	f->tile_x = sim->tlb->column * tlb_width(&sim->tlb->mode);
	f->tile_y = sim->tlb->row * tlb_height(&sim->tlb->mode);
	pse->quads.x = pse->x[0];
	pse->quads.y = pse->y[0];
	f->config = pse->quads.config;
	f->reverse = pse->quads.reverse ? 0xffff : 0;
}

/* Return: false if nothing of the primitive is in this tile */
static bool begin(struct v3dsim *sim, struct pse *pse, const struct primitive *primitive)
{
	const struct v3d_tile_rendering_mode *mode = &sim->tlb->mode;
	struct fep_box window;
	double across[2] = { 0 };

	memset(&pse->quads.config, 0, sizeof(pse->quads.config));
	if (record(sim, CLE_CONFIGURATION)[0])
		v3d_unpack_configuration_bits(record(sim, CLE_CONFIGURATION), &pse->quads.config);
	if (!shape(sim, pse, primitive, across))
		return false;
	pse->samples = FEP_SAMPLES_1;
	if (pse->quads.config.oversample == V3D_OVERSAMPLE_16X || pse->quads.config.coverage_pipe)
		pse->samples = FEP_SAMPLES_16;
	else if (mode->multisample && pse->quads.config.oversample == V3D_OVERSAMPLE_4X)
		pse->samples = FEP_SAMPLES_4;
	window_of(sim, &window);
	fep_rasterise(&pse->shape, &window, sim->tlb->column * tlb_width(mode),
		      sim->tlb->row * tlb_height(mode), pse->samples, &pse->quads.list);
	pctr_count(sim, V3D_COUNTER_fep_primitives, 1);
	pctr_count(sim, V3D_COUNTER_fep_valid_quads, pse->quads.list.count);
	if (!pse->quads.list.count) {
		pctr_count(sim, V3D_COUNTER_fep_primitives_no_pixels, 1);
		return false;
	}
	planes(sim, pse, primitive, across);
	prepare_fragments(sim, pse);
	pse->quads.code = primitive->shader->code;
	pse->quads.uniforms = primitive->shader->uniforms;
	quads_begin(sim, &pse->quads);
	return true;
}

enum sim_result pse_primitive(struct v3dsim *sim, const struct primitive *primitive,
			      uint64_t *budget)
{
	struct pse *pse = sim->pse;
	enum sim_result result;

	if (!*budget)
		return SIM_MORE;
	result = sim->hooks.tiles ? sim->hooks.tiles->primitive(sim, primitive) : SIM_MORE;
	if (result != SIM_MORE) {
		(*budget)--;
		return result;
	}
	sim->tlb->clean.parts = 0;
	sim_math_begin(sim);
	if (!pse->busy) {
		(*budget)--;
		pse->busy = begin(sim, pse, primitive);
	}
	result = pse->busy ? quads_shade(sim, &pse->quads, budget) : SIM_DONE;
	if (result == SIM_DONE || result == SIM_ERROR)
		pse->busy = false;
	sim_math_end(sim);
	return result;
}
