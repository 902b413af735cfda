// SPDX-License-Identifier: MIT
/*
 * The rasteriser against every sample of a tile asked one by one: a sample is inside a triangle if
 * it still is after a step of an infinitesimal to the right and of a much smaller one upwards,
 * which is the fill rule of fep.h said in another way.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include <cmocka.h>

#include "back/fep.h"

#define TILE 64

struct triangle {
	int32_t x[3], y[3];
};

static struct fep_quads quads;
static uint64_t covered[TILE][TILE];	/* a bit a sample */
static uint32_t seed;

static uint32_t any(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % below;
}

static int64_t doubled_area(const struct triangle *t)
{
	return (int64_t)(t->x[1] - t->x[0]) * (t->y[2] - t->y[0]) -
	       (int64_t)(t->x[2] - t->x[0]) * (t->y[1] - t->y[0]);
}

/* Counter-clockwise triangles only */
static bool contains(const struct triangle *t, int32_t x, int32_t y)
{
	for (int n = 0; n < 3; n++) {
		const int next = (n + 1) % 3;
		const int64_t dx = t->x[next] - t->x[n], dy = t->y[next] - t->y[n];
		const __int128 side = (__int128)(dx * (y - t->y[n]) - dy * (x - t->x[n]));

		if (side * ((__int128)1 << 60) - (__int128)dy * (1 << 30) + dx <= 0)
			return false;
	}
	return true;
}

static void shape_of(const struct triangle *t, struct fep_shape *shape)
{
	int32_t left = INT32_MAX, right = INT32_MIN, bottom = INT32_MAX, top = INT32_MIN;

	shape->edges = 3;
	for (int n = 0; n < 3; n++) {
		const int next = (n + 1) % 3;
		const int32_t a = t->y[n] - t->y[next], b = t->x[next] - t->x[n];

		fep_edge_set(&shape->edge[n], a, b, -((int64_t)a * t->x[n] + (int64_t)b * t->y[n]));
		left = MIN(t->x[n], left);
		right = MAX(t->x[n], right);
		bottom = MIN(t->y[n], bottom);
		top = MAX(t->y[n], top);
	}
	shape->box = (struct fep_box){ left >> 4, bottom >> 4, (right >> 4) + 1, (top >> 4) + 1 };
}

/*
 * What the rasteriser says, sample by sample; a quad must come once only, and not without a sample.
 */
static void collect(enum fep_samples samples)
{
	memset(covered, 0, sizeof(covered));
	for (unsigned int n = 0; n < quads.count; n++) {
		const struct fep_quad *quad = &quads.quad[n];

		assert_true(quad->mask && quad->x % 2 == 0 && quad->y % 2 == 0 && quad->x < TILE &&
			    quad->y < TILE);
		for (unsigned int p = 0; p < 4; p++) {
			uint64_t *pixel = &covered[quad->y + p / 2][quad->x + p % 2];

			assert_int_equal(*pixel, 0);
			for (unsigned int s = 0; s < 16; s++) {
				if (samples == FEP_SAMPLES_16)
					*pixel |= (quads.coverage16[n] >> (4 * s + p) & 1) << s;
				else if (s < 4)
					*pixel |= (uint64_t)(quad->mask >> (4 * s + p) & 1) << s;
			}
			if (samples == FEP_SAMPLES_16)
				assert_int_equal(quad->mask >> p & 0x1111, *pixel ? 0x1111 : 0);
		}
	}
}

/* Every sample of the tile at (tile_x, tile_y) */
static void compare(const struct triangle *t, const struct fep_box *window, int32_t tile_x,
		    int32_t tile_y, enum fep_samples samples)
{
	static const int four[4][2] = { { 6, 2 }, { 14, 6 }, { 2, 10 }, { 10, 14 } };
	const unsigned int count = samples == FEP_SAMPLES_16 ? 16 : 4;

	for (int32_t y = 0; y < TILE; y++) {
		for (int32_t x = 0; x < TILE; x++) {
			const int32_t px = tile_x + x, py = tile_y + y;
			const bool open = px >= window->left && px < window->right &&
					  py >= window->bottom && py < window->top;
			uint64_t expected = 0;

			for (unsigned int s = 0; s < count && open; s++) {
				int sx = 8, sy = 8;

				if (samples == FEP_SAMPLES_4)
					sx = four[s][0], sy = four[s][1];
				if (samples == FEP_SAMPLES_16)
					sx = 2 + s % 4 * 4, sy = 2 + s / 4 * 4;
				expected |= (uint64_t)contains(t, px * 16 + sx, py * 16 + sy) << s;
			}
			assert_int_equal(covered[y][x], expected);
		}
	}
}

/*
 * Triangles of all sizes: @reach is how far from the tile's middle vertices lie at most, in 1/16 of
 * a pixel
 */
static void try_random(int32_t reach, unsigned int times, enum fep_samples samples)
{
	const int32_t tile_x = 128, tile_y = 64;

	for (unsigned int i = 0; i < times; i++) {
		struct fep_box window = { tile_x, tile_y, tile_x + TILE, tile_y + TILE };
		struct fep_shape shape;
		struct triangle t;

		for (int n = 0; n < 3; n++) {
			t.x[n] = (tile_x + TILE / 2) * 16 - reach + (int32_t)any(2 * reach + 1);
			t.y[n] = (tile_y + TILE / 2) * 16 - reach + (int32_t)any(2 * reach + 1);
			if (any(2)) {		/* on pixel centres, where ties are */
				t.x[n] = (t.x[n] & ~15) + 8;
				t.y[n] = (t.y[n] & ~15) + 8;
			}
		}
		if (doubled_area(&t) <= 0)
			continue;
		if (i % 3 == 0)
			window = (struct fep_box){ tile_x + any(20), tile_y + any(20),
						   tile_x + 20 + any(44), tile_y + 20 + any(44) };
		shape_of(&t, &shape);
		fep_rasterise(&shape, &window, tile_x, tile_y, samples, &quads);
		collect(samples);
		compare(&t, &window, tile_x, tile_y, samples);
	}
}

static void test_random_1(void **state)
{
	(void)state;
	seed = 1;
	try_random(40, 60, FEP_SAMPLES_1);
	try_random(500, 120, FEP_SAMPLES_1);
	try_random(3000, 60, FEP_SAMPLES_1);
	try_random(65535, 120, FEP_SAMPLES_1);
}

static void test_random_4(void **state)
{
	(void)state;
	seed = 2;
	try_random(40, 20, FEP_SAMPLES_4);
	try_random(500, 60, FEP_SAMPLES_4);
	try_random(65535, 40, FEP_SAMPLES_4);
}

static void test_random_16(void **state)
{
	(void)state;
	seed = 3;
	try_random(40, 10, FEP_SAMPLES_16);
	try_random(500, 20, FEP_SAMPLES_16);
}

/* A fan around a point covers what is inside its outline once, wherever the edges are. */
static void test_shared_edges(void **state)
{
	/* A square from 8 to 40 pixels around its middle, cut into eight through pixel centres */
	static const int32_t ring[8][2] = {
		{ 128, 128 }, { 392, 128 }, { 640, 128 }, { 640, 392 }, { 640, 640 }, { 392, 640 },
		{ 128, 640 }, { 128, 392 },
	};
	const struct fep_box window = { 0, 0, TILE, TILE };
	unsigned int times[TILE][TILE] = { 0 };

	(void)state;
	for (int n = 0; n < 8; n++) {
		const int32_t *one = ring[n], *two = ring[(n + 1) % 8];
		const struct triangle t = { { 392, one[0], two[0] }, { 392, one[1], two[1] } };
		struct fep_shape shape;

		shape_of(&t, &shape);
		fep_rasterise(&shape, &window, 0, 0, FEP_SAMPLES_1, &quads);
		collect(FEP_SAMPLES_1);
		for (int y = 0; y < TILE; y++)
			for (int x = 0; x < TILE; x++)
				times[y][x] += covered[y][x] & 1;
	}
	for (int y = 0; y < TILE; y++)
		for (int x = 0; x < TILE; x++)
			assert_int_equal(times[y][x], x >= 8 && x < 40 && y >= 8 && y < 40);
}

/* A triangle that leaves the whole tile inside: 1024 full quads, rows of blocks first */
static void test_whole_tile(void **state)
{
	const struct triangle t = { { -60000, 60000, 0 }, { -50000, -50000, 60000 } };
	const struct fep_box window = { 0, 0, TILE, TILE };
	struct fep_shape shape;

	(void)state;
	shape_of(&t, &shape);
	fep_rasterise(&shape, &window, 0, 0, FEP_SAMPLES_1, &quads);
	assert_int_equal(quads.count, 1024);
	for (unsigned int n = 0; n < 1024; n++) {
		assert_int_equal(quads.quad[n].mask, 0xffff);
		assert_int_equal(quads.quad[n].x, n / 16 % 8 * 8 + n % 4 * 2);
		assert_int_equal(quads.quad[n].y, n / 128 * 8 + n / 4 % 4 * 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_1), cmocka_unit_test(test_random_4),
		cmocka_unit_test(test_random_16), cmocka_unit_test(test_shared_edges),
		cmocka_unit_test(test_whole_tile),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("fep", tests, NULL, NULL);
}
