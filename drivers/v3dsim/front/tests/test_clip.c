// SPDX-License-Identifier: MIT
/*
 * The clipper: what is left of a primitive, and where it lies. Expected values are worked out by
 * hand from the planes.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/param.h>

#include <cmocka.h>

#include "front/clip.h"

/* A viewport of 64 x 64 pixels: the guard band is 32767 / 512 times as wide, 63.998. */
static const struct clip_view view = { 512, 512, 0.5f, 0.5f };

#define GUARD (32767.0 / 512)
#define SLACK 0.0000001		/* of double precision, on the way through six planes */

static void set(const float **clip, const float (*vertices)[4], unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		clip[i] = vertices[i];
}

#define JUDGE(count, ...) ({ \
	const float judge_vertices[][4] = __VA_ARGS__; \
	const float *judge_clip[3]; \
	set(judge_clip, judge_vertices, count); \
	clip_judge(&view, judge_clip, count); \
})

static void test_judge(void **state)
{
	(void)state;
	assert_int_equal(JUDGE(3, { { 0, 0, 0, 1 }, { 1, 0, -1, 1 }, { 0, 1, 1, 1 } }), CLIP_WHOLE);
	/* Outside the view volume in part, inside the guard band */
	assert_int_equal(JUDGE(3, { { 0, 0, 0, 1 }, { 63, 0, 0, 1 }, { 0, -63, 0, 1 } }),
			 CLIP_WHOLE);
	assert_int_equal(JUDGE(3, { { 0, 0, 0, 1 }, { 64, 0, 0, 1 }, { 0, 0, 0, 1 } }),
			 CLIP_CROSSING);
	assert_int_equal(JUDGE(3, { { 0, 0, 0, 1 }, { 0, -64, 0, 1 }, { 0, 0, 0, 1 } }),
			 CLIP_CROSSING);
	assert_int_equal(JUDGE(3, { { 0, 0, 0, 1 }, { 0, 0, 1.5, 1 }, { 0, 0, 0, 1 } }),
			 CLIP_CROSSING);
	assert_int_equal(JUDGE(3, { { 0, 0, 0, 1 }, { 0, 0, -2, 1 }, { 0, 0, 0, 1 } }),
			 CLIP_CROSSING);
	assert_int_equal(JUDGE(3, { { 0, 0, 0, 1 }, { 0, 0, 0, -1 }, { 0, 0, 0, 1 } }),
			 CLIP_CROSSING);
	/* Wholly outside: of each plane; points only for near, far and the guard band */
	assert_int_equal(JUDGE(3, { { 2, 0, 0, 1 }, { 3, 0, 0, 1 }, { 2, 1, 0, 1 } }),
			 CLIP_OUTSIDE);
	assert_int_equal(JUDGE(3, { { -2, 0, 0, 1 }, { -3, 0, 0, 1 }, { -2, 1, 0, 1 } }),
			 CLIP_OUTSIDE);
	assert_int_equal(JUDGE(3, { { 0, 2, 0, 1 }, { 0, 3, 0, 1 }, { 1, 2, 0, 1 } }),
			 CLIP_OUTSIDE);
	assert_int_equal(JUDGE(3, { { 0, -2, 0, 1 }, { 0, -3, 0, 1 }, { 1, -2, 0, 1 } }),
			 CLIP_OUTSIDE);
	assert_int_equal(JUDGE(3, { { 0, 0, 2, 1 }, { 1, 0, 3, 1 }, { 1, 1, 2, 1 } }),
			 CLIP_OUTSIDE);
	assert_int_equal(JUDGE(3, { { 0, 0, -2, 1 }, { 1, 0, -3, 1 }, { 1, 1, -2, 1 } }),
			 CLIP_OUTSIDE);
	assert_int_equal(JUDGE(2, { { 2, 0, 0, 1 }, { 3, 0, 0, 1 } }), CLIP_OUTSIDE);
	assert_int_equal(JUDGE(2, { { 2, 0, 0, 1 }, { -3, 0, 0, 1 } }), CLIP_WHOLE);
	assert_int_equal(JUDGE(2, { { 0, 0, 2, 1 }, { 1, 0, 3, 1 } }), CLIP_OUTSIDE);
	assert_int_equal(JUDGE(1, { { 1.25, 0, 0, 1 } }), CLIP_WHOLE);
	assert_int_equal(JUDGE(1, { { 65, 0, 0, 1 } }), CLIP_OUTSIDE);
	assert_int_equal(JUDGE(1, { { 0, 0, 1.25, 1 } }), CLIP_OUTSIDE);
	/* Nowhere, and no numbers */
	assert_int_equal(JUDGE(1, { { 0, 0, 0, 0 } }), CLIP_OUTSIDE);
	assert_int_equal(JUDGE(3, { { NAN, 0, 0, 1 }, { 1, 0, 0, 1 }, { 0, 1, 0, 1 } }),
			 CLIP_OUTSIDE);
	assert_int_equal(JUDGE(3, { { 0, 0, 0, 1 }, { INFINITY, 0, 0, 1 }, { 0, 1, 0, 1 } }),
			 CLIP_OUTSIDE);
}

static bool clip_these(const float (*vertices)[4], unsigned int count, struct clip_polygon *polygon)
{
	const float *clip[3];

	set(clip, vertices, count);
	return clip_primitive(&view, clip, count, polygon);
}

/*
 * Each corner is the sum of the vertices by its coefficients, inside all planes; an original one is
 * itself.
 */
static void check_corners(const float (*vertices)[4], unsigned int count,
			  const struct clip_polygon *polygon)
{
	unsigned int i, k, n;

	for (i = 0; i < polygon->count; i++) {
		const struct clip_corner *corner = &polygon->corner[i];
		const double *c = corner->clip,
			     slack = SLACK * (fabs(c[0]) + fabs(c[1]) + fabs(c[2]) + fabs(c[3]));

		assert_true(fabs(corner->coefficient[0] + corner->coefficient[1] +
				 corner->coefficient[2] - 1) < SLACK);
		for (k = 0; k < 4; k++) {
			double sum = 0;

			for (n = 0; n < count; n++)
				sum += corner->coefficient[n] * vertices[n][k];
			assert_true(fabs(sum - c[k]) <= slack);
		}
		assert_true(fabs(c[2]) <= c[3] + slack && fabs(c[0]) <= GUARD * c[3] + slack &&
			    fabs(c[1]) <= GUARD * c[3] + slack);
		if (corner->original != CLIP_NEW)
			assert_true(corner->coefficient[corner->original] == 1 &&
				    c[0] == vertices[corner->original][0]);
	}
}

/* z goes from 0 to 2: the far plane is half way. */
static void test_far(void **state)
{
	static const float vertices[][4] = { { -1, -1, 0, 1 }, { 1, -1, 0, 1 }, { 0, 1, 2, 1 } };
	struct clip_polygon polygon;

	(void)state;
	assert_true(clip_these(vertices, 3, &polygon));
	check_corners(vertices, 3, &polygon);
	assert_int_equal(polygon.count, 4);
	assert_int_equal(polygon.corner[0].original, 0);
	assert_int_equal(polygon.corner[1].original, 1);
	assert_true(polygon.corner[2].clip[0] == 0.5 && polygon.corner[2].clip[1] == 0);
	assert_true(polygon.corner[3].clip[0] == -0.5 && polygon.corner[3].clip[1] == 0);
}

/*
 * One vertex behind the eye, another one beside: z + w = 0 at 3/4 of the way from the first to the
 * third.
 */
static void test_near(void **state)
{
	static const float vertices[][4] = { { 0, 0, 1, 2 }, { 1, 0, 1, 2 }, { 0, 1, -2, 1 } };
	struct clip_polygon polygon;

	(void)state;
	assert_true(clip_these(vertices, 3, &polygon));
	check_corners(vertices, 3, &polygon);
	assert_int_equal(polygon.count, 4);
	assert_true(polygon.corner[3].coefficient[0] == 0.25 &&
		    polygon.corner[3].coefficient[2] == 0.75);
}

static void test_all_planes(void **state)
{
	/* A triangle that sticks out of all six planes */
	static const float vertices[][4] = { { -200, -150, -3, 1 },
					     { 220, -140, 0.5f, 1 },
					     { -10, 230, 2.5f, 1 } };
	struct clip_polygon polygon;

	(void)state;
	assert_true(clip_these(vertices, 3, &polygon));
	check_corners(vertices, 3, &polygon);
	assert_true(polygon.count > 4 && polygon.count <= CLIP_CORNERS);
}

static void test_many(void **state)
{
	struct clip_polygon polygon;
	unsigned int n, i, kept = 0, most = 0;
	uint32_t seed = 9;
	float vertices[3][4];

	(void)state;
	for (n = 0; n < 20000; n++) {
		for (i = 0; i < 12; i++) {
			seed = seed * 1664525 + 1013904223;
			vertices[i / 4][i % 4] = ((int32_t)seed >> 16) /
						 (i % 4 < 2 ? 256.0f : 16384.0f);
		}
		if (!clip_these((const float (*)[4])vertices, 3, &polygon))
			continue;
		kept++;
		most = MAX(polygon.count, most);
		check_corners((const float (*)[4])vertices, 3, &polygon);
	}
	assert_true(kept > 1000);
	assert_in_range(most, 6, CLIP_CORNERS);
}

/*
 * Two triangles that share an edge get the same new corner on it, to the last bit, in whatever
 * direction each runs along it.
 */
static void test_shared_edge(void **state)
{
	static const float a[4] = { 0.3f, 0.7f, 0.1f, 1.3f }, b[4] = { -0.9f, 0.2f, -3.1f, 0.7f },
			   c[4] = { 0, 1, 0, 2 };
	const float *one[] = { a, b, c }, *two[] = { b, a, c };
	struct clip_polygon first, second;
	unsigned int i, j, same = 0;

	(void)state;
	assert_true(clip_primitive(&view, one, 3, &first));
	assert_true(clip_primitive(&view, two, 3, &second));
	for (i = 0; i < first.count; i++)
		for (j = 0; j < second.count; j++)
			same += first.corner[i].original == CLIP_NEW &&
				second.corner[j].original == CLIP_NEW &&
				!memcmp(first.corner[i].clip, second.corner[j].clip,
					sizeof(first.corner[i].clip));
	assert_int_equal(same, 2);
}

static void test_lines(void **state)
{
	static const float across[][4] = { { -128, 0, 0, 1 }, { 128, 0, 0, 1 } };
	static const float missing[][4] = { { -128, 0, 0, 1 }, { 0, 128, 0, 1 } };
	struct clip_polygon polygon;
	struct clip_screen screen;

	(void)state;
	assert_true(clip_these(across, 2, &polygon));
	assert_int_equal(polygon.count, 2);
	clip_project(&view, &polygon.corner[0], &screen);
	assert_in_range(-screen.xs, 32766, 32767);
	clip_project(&view, &polygon.corner[1], &screen);
	assert_in_range(screen.xs, 32766, 32767);
	assert_int_equal(screen.ys, 0);
	assert_true(clip_coefficient(&polygon.corner[1], 1) > 0.7499f &&
		    clip_coefficient(&polygon.corner[1], 1) < 0.7501f);
	assert_false(clip_these(missing, 2, &polygon));
}

/* Xc / Wc and Yc / Wc times the viewport's half size, truncated; Zc / Wc times scale plus offset */
static void test_project(void **state)
{
	static const struct clip_view mirrored = { 100, -200, 0.25f, 0.5f };
	const struct clip_corner corner = { .clip = { 1, -1, 2, 4 } },
				 far_off = { .clip = { 1000000, -1000000, 0, 0.000001 } };
	const struct clip_corner odd = { .clip = { -0.333, 0.333, 0, 1 } };
	struct clip_screen screen;

	(void)state;
	clip_project(&mirrored, &corner, &screen);
	assert_int_equal(screen.xs, 25);
	assert_int_equal(screen.ys, 50);
	assert_true(screen.zs == 0.625f && screen.one_over_wc == 0.25f);
	clip_project(&mirrored, &odd, &screen);
	assert_int_equal(screen.xs, -33);
	assert_int_equal(screen.ys, -66);
	clip_project(&view, &far_off, &screen);
	assert_int_equal(screen.xs, 32767);
	assert_int_equal(screen.ys, -32767);
}

/* A viewport wider than the guard band: what is in view may have to be clipped. */
static void test_wide_view(void **state)
{
	static const struct clip_view wide = { 65536, 512, 0.5f, 0.5f };
	static const float a[4] = { 0.49f, 0, 0, 1 }, b[4] = { 0.51f, 0.5f, 0, 1 };
	const float *one[] = { a }, *two[] = { b }, *both[] = { a, b };

	(void)state;
	assert_int_equal(clip_judge(&wide, one, 1), CLIP_WHOLE);
	assert_int_equal(clip_judge(&wide, two, 1), CLIP_OUTSIDE);
	assert_int_equal(clip_judge(&wide, both, 2), CLIP_CROSSING);
}

/* No floats that the CPU writes into records 105 and 106 do harm. */
static void test_hostile_view(void **state)
{
	static const float vertices[][4] = { { -1, -1, 0, 1 }, { 1, -1, 0, 1 }, { 0, 1, 2, 1 } };
	static const float values[] = { NAN, INFINITY, -INFINITY, 3e38f, 0 };
	const float *clip[3];
	unsigned int i, k;

	(void)state;
	set(clip, vertices, 3);
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		const struct clip_view odd = { values[i], values[i], values[i], values[i] };
		struct clip_polygon polygon;
		struct clip_screen screen;

		clip_judge(&odd, clip, 3);
		if (!clip_primitive(&odd, clip, 3, &polygon))
			continue;
		for (k = 0; k < polygon.count; k++)
			clip_project(&odd, &polygon.corner[k], &screen);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_judge), cmocka_unit_test(test_far),
		cmocka_unit_test(test_near), cmocka_unit_test(test_all_planes),
		cmocka_unit_test(test_many), cmocka_unit_test(test_shared_edge),
		cmocka_unit_test(test_lines), cmocka_unit_test(test_project),
		cmocka_unit_test(test_wide_view), cmocka_unit_test(test_hostile_view),
	};

	return cmocka_run_group_tests_name("clip", tests, NULL, NULL);
}
