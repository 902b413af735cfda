// SPDX-License-Identifier: MIT
/* The binner's clipper: see clip.h. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/float_mode.h"
#include "clip.h"

/*
 * How far inside a plane a corner is: near, far, and the guard band's left, right, bottom, top. Not
 * negative is inside.
 */
static double distance(const struct clip_view *view, const double *clip, unsigned int plane)
{
	double scaled;

	if (plane < 2)
		return plane ? clip[3] - clip[2] : clip[3] + clip[2];
	scaled = clip[plane / 2 - 1] * fabs(plane < 4 ? view->half_width : view->half_height);
	return CLIP_GUARD * clip[3] + (plane % 2 ? -scaled : scaled);
}

static void take(struct clip_corner *corner, const float *clip, unsigned int original)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		corner->clip[i] = clip[i];
	for (i = 0; i < 3; i++)
		corner->coefficient[i] = i == original;
	corner->original = original;
}

/* Comparisons with a NaN are false. */
static bool is_number(const float *clip)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		if (!(clip[i] >= -FLT_MAX && clip[i] <= FLT_MAX))
			return false;
	return true;
}

/*
 * Planes that a vertex is outside of. Products of floats are exact in double precision and so is
 * the sign of their sum, whatever the rounding. Bits 0 to 5 are as distance() counts them, 6 to 9
 * the view volume's in x and y.
 */
static unsigned int outside(const struct clip_view *view, const float *clip)
{
	struct clip_corner corner;
	unsigned int plane, planes = 0;

	take(&corner, clip, 0);
	for (plane = 0; plane < CLIP_PLANES; plane++)
		if (distance(view, corner.clip, plane) < 0)
			planes |= 1u << plane;
	planes |= (clip[0] < -clip[3]) << 6 | (clip[0] > clip[3]) << 7 | (clip[1] < -clip[3]) << 8 |
		  (clip[1] > clip[3]) << 9;
	return planes;
}

static bool between(float value, float limit)
{
	return value >= -limit && value <= limit;
}

/*
 * Inside the view volume, as nearly all vertices are: quickly found, and exactly, since nothing is
 * computed.
 */
static bool in_view(const float *clip)
{
	return clip[3] > 0 && clip[3] <= FLT_MAX && between(clip[0], clip[3]) &&
	       between(clip[1], clip[3]) && between(clip[2], clip[3]);
}

/* Is the guard band no narrower than the viewport, and are all vertices within that? */
static bool all_in_view(const struct clip_view *view, const float *const *clip, unsigned int count)
{
	unsigned int i;

	if (!between(view->half_width, CLIP_GUARD) || !between(view->half_height, CLIP_GUARD))
		return false;
	for (i = 0; i < count; i++)
		if (!in_view(clip[i]))
			return false;
	return true;
}

enum clip_verdict clip_judge(const struct clip_view *view, const float *const *clip,
			     unsigned int count)
{
	unsigned int any = 0, all = ~0u, i;
	bool numbers = true;

	if (all_in_view(view, clip, count))
		return CLIP_WHOLE;
	for (i = 0; i < count; i++) {
		unsigned int planes = outside(view, clip[i]);

		numbers = numbers && is_number(clip[i]);
		any |= planes;
		all &= planes;
	}
	if (count == 1)
		all &= (1u << CLIP_PLANES) - 1;
	if (!numbers || all)
		return CLIP_OUTSIDE;
	/* Inside near and far leaves Wc = Zc = 0, which is nowhere. */
	for (i = 0; i < count; i++)
		if (!(clip[i][3] > 0) && !(any & 3))
			return CLIP_OUTSIDE;
	return (any & ((1u << CLIP_PLANES) - 1)) ? CLIP_CROSSING : CLIP_WHOLE;
}

/*
 * Where the line between a corner inside and one outside passes a plane: always reckoned from the
 * one inside, so that two primitives which share that edge meet in the same corner.
 */
static void cross(const struct clip_view *view, unsigned int plane, const struct clip_corner *in,
		  const struct clip_corner *out, struct clip_corner *corner)
{
	double from = distance(view, in->clip, plane),
	       part = from / (from - distance(view, out->clip, plane));
	unsigned int i;

	for (i = 0; i < 4; i++)
		corner->clip[i] = in->clip[i] + part * (out->clip[i] - in->clip[i]);
	for (i = 0; i < 3; i++)
		corner->coefficient[i] = in->coefficient[i] +
					 part * (out->coefficient[i] - in->coefficient[i]);
	corner->original = CLIP_NEW;
}

/*
 * One plane: the corners inside, and a new one wherever an edge passes it. A line is a polygon with
 * an edge too few.
 */
static void cut(const struct clip_view *view, unsigned int plane, struct clip_polygon *polygon)
{
	const struct clip_polygon before = *polygon;
	unsigned int edges = before.count == 2 ? 1 : before.count, i;

	polygon->count = 0;
	for (i = 0; i < before.count; i++) {
		const struct clip_corner *here = &before.corner[i],
					 *next = &before.corner[i + 1 < before.count ? i + 1 : 0];
		bool here_in = distance(view, here->clip, plane) >= 0,
		     next_in = distance(view, next->clip, plane) >= 0;

		if (here_in && polygon->count < CLIP_CORNERS)
			polygon->corner[polygon->count++] = *here;
		if (i < edges && here_in != next_in && polygon->count < CLIP_CORNERS)
			cross(view, plane, here_in ? here : next, here_in ? next : here,
			      &polygon->corner[polygon->count++]);
	}
}

bool clip_primitive(const struct clip_view *view, const float *const *clip, unsigned int count,
		    struct clip_polygon *polygon)
{
	float_mode mode = float_mode_enter();
	unsigned int i;
	bool left;

	polygon->count = count;
	for (i = 0; i < count; i++)
		take(&polygon->corner[i], clip[i], i);
	for (i = 0; i < CLIP_PLANES && polygon->count; i++)
		cut(view, i, polygon);
	left = polygon->count >= count;
	for (i = 0; i < polygon->count; i++)
		left = left && polygon->corner[i].clip[3] > 0;
	float_mode_leave(mode);
	return left;
}

/* A screen coordinate: what rounding leaves beyond the guard band is brought back. */
static int16_t screen(double value)
{
	if (!(value > -CLIP_GUARD))
		return -CLIP_GUARD;
	return value < CLIP_GUARD ? (int16_t)value : CLIP_GUARD;
}

static float narrow(double value)
{
	if (!(value > -FLT_MAX))
		return -FLT_MAX;
	return value < FLT_MAX ? (float)value : FLT_MAX;
}

void clip_project(const struct clip_view *view, const struct clip_corner *corner,
		  struct clip_screen *out)
{
	float_mode mode = float_mode_enter();

	out->xs = screen(corner->clip[0] / corner->clip[3] * view->half_width);
	out->ys = screen(corner->clip[1] / corner->clip[3] * view->half_height);
	out->zs = narrow(corner->clip[2] / corner->clip[3] * view->z_scale + view->z_offset);
	out->one_over_wc = narrow(1 / corner->clip[3]);
	float_mode_leave(mode);
}

float clip_coefficient(const struct clip_corner *corner, unsigned int n)
{
	float_mode mode = float_mode_enter();
	float coefficient = narrow(corner->coefficient[n]);

	float_mode_leave(mode);
	return coefficient;
}
