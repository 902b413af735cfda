/* SPDX-License-Identifier: MIT */
/* Texture lookups: where texels lie, wraps, filters, levels, cubes, child images, and set-ups that make no sense. */
#include "filter_fixture.h"

static struct machine m;
static struct walk places[1 << 19];

static int setup(void **state)
{
	(void)state;
	machine_new(&m, V3DSIM_CACHES_IDEAL, 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	machine_free(&m);
	return 0;
}

static uint8_t *bytes_at(uint32_t offset)
{
	return (uint8_t *)m.memory + offset;
}

/* A pixel's own number, different in neighbours whatever the direction */
static uint32_t number(uint32_t x, uint32_t y)
{
	return x * 2654435761u + y * 2246822519u + (x ^ y);
}

/* Every texel of an image is found where the walk through memory put it. */
static void expect_layout(enum v3d_texture_type type, unsigned int bits, uint32_t width, uint32_t height, size_t count)
{
	struct lookup l;
	const uint32_t mask = bits == 32 ? 0xffffffff : bits == 16 ? 0xffff : 0xff;

	for (size_t n = 0; n < count; n++) {
		const uint32_t value = number(places[n].x, places[n].y);

		memcpy(bytes_at(BASE + n * bits / 8), &value, bits / 8);
	}
	describe(&l, type, width, height);
	for (uint32_t y = 0; y < height; y++)
		for (uint32_t x = 0; x < width; x += 16) {
			for (unsigned int n = 0; n < 16; n++) {
				l.s[n] = ((float)(x + n) + 0.5f) / (float)width;
				l.t[n] = ((float)y + 0.5f) / (float)height;
			}
			look_up(&m, &l);
			for (unsigned int n = 0; n < 16; n++)
				if (l.out[0][n] != (number((x + n) % width, y) & mask))
					fail_msg("%ux%u at %u bits: (%u, %u) is 0x%x", width, height, bits, x + n, y, l.out[0][n]);
		}
}

static void layouts(void **state)
{
	(void)state;
	/* 3 by 3 tiles of 32 by 32, 64 by 32 and 64 by 64 pixels */
	expect_layout(V3D_TEXTURE_RGBA8888, 32, 72, 91, walk_t(places, 32, 3, 3));
	expect_layout(V3D_TEXTURE_S16, 16, 192, 65, walk_t(places, 16, 3, 3));
	expect_layout(V3D_TEXTURE_S8, 8, 130, 129, walk_t(places, 8, 3, 3));
	/* At most four micro-tiles in one direction: linear */
	expect_layout(V3D_TEXTURE_RGBA8888, 32, 16, 100, walk_lt(places, 32, 4, 25));
	expect_layout(V3D_TEXTURE_RGBA8888, 32, 100, 13, walk_lt(places, 32, 25, 4));
	expect_layout(V3D_TEXTURE_RGBA8888, 32, 3, 2, walk_lt(places, 32, 1, 1));
	expect_layout(V3D_TEXTURE_S16, 16, 32, 40, walk_lt(places, 16, 4, 10));
	expect_layout(V3D_TEXTURE_S8, 8, 32, 70, walk_lt(places, 8, 4, 9));
	/* One more makes tiles of it */
	expect_layout(V3D_TEXTURE_RGBA8888, 32, 17, 17, walk_t(places, 32, 1, 1));
	expect_layout(V3D_TEXTURE_S16, 16, 33, 17, walk_t(places, 16, 1, 1));
	expect_layout(V3D_TEXTURE_S8, 8, 33, 33, walk_t(places, 8, 1, 1));
}

static void raster(void **state)
{
	struct lookup l;

	(void)state;
	for (uint32_t y = 0; y < 20; y++)	/* rows of 30 pixels, padded to 32 */
		for (uint32_t x = 0; x < 30; x++)
			at(&m, BASE)[y * 32 + x] = number(x, y);
	describe(&l, V3D_TEXTURE_RGBA32R, 30, 20);
	for (uint32_t y = 0; y < 20; y++)
		for (uint32_t x = 0; x < 30; x++)
			assert_int_equal(texel_at(&m, &l, x, y, 30, 20), number(x, y));
}

/* A row of four texels, 10 to 13, the border 99: where coordinates from -2 to 3 lead, in quarters of the image */
static void wraps(void **state)
{
	static const uint8_t expected[4][20] = {
		[V3D_WRAP_REPEAT] = { 10, 11, 12, 13, 10, 11, 12, 13, 10, 11, 12, 13, 10, 11, 12, 13, 10, 11, 12, 13 },
		[V3D_WRAP_CLAMP] = { 10, 10, 10, 10, 10, 10, 10, 10, 10, 11, 12, 13, 13, 13, 13, 13, 13, 13, 13, 13 },
		[V3D_WRAP_MIRROR] = { 10, 11, 12, 13, 13, 12, 11, 10, 10, 11, 12, 13, 13, 12, 11, 10, 10, 11, 12, 13 },
		[V3D_WRAP_BORDER] = { 99, 99, 99, 99, 99, 99, 99, 99, 10, 11, 12, 13, 99, 99, 99, 99, 99, 99, 99, 99 },
	};
	struct lookup l;

	(void)state;
	for (unsigned int i = 0; i < 4; i++)	/* column and row of a micro-tile have the same values */
		at(&m, BASE)[i] = at(&m, BASE)[4 * i] = 10 + i;
	for (unsigned int wrap = 0; wrap < 4; wrap++)
		for (unsigned int vertical = 0; vertical < 2; vertical++) {
			describe(&l, V3D_TEXTURE_RGBA8888, 4, 4);
			set_wrap(&l, vertical ? V3D_WRAP_CLAMP : wrap, vertical ? wrap : V3D_WRAP_CLAMP);
			l.border = 99;
			for (unsigned int first = 0; first < 20; first += 4) {
				for (unsigned int n = 0; n < 4; n++) {
					l.s[n] = vertical ? 0.125f : ((float)(first + n) - 8 + 0.5f) / 4;
					l.t[n] = vertical ? ((float)(first + n) - 8 + 0.5f) / 4 : 0.125f;
				}
				look_up(&m, &l);
				for (unsigned int n = 0; n < 4; n++)
					assert_int_equal(l.out[0][n], expected[wrap][first + n]);
			}
		}
}

/* Where a texel is, by the rules of OpenGL ES 2.0 Table 3.10; -1 is the border */
static int wrapped(int i, int size, enum v3d_wrap wrap)
{
	switch (wrap) {
	case V3D_WRAP_REPEAT:
		return (i % size + size) % size;
	case V3D_WRAP_CLAMP:
		return i < 0 ? 0 : i >= size ? size - 1 : i;
	case V3D_WRAP_MIRROR:
		i = (i % (2 * size) + 2 * size) % (2 * size);
		return i < size ? i : 2 * size - 1 - i;
	default:
		return i < 0 || i >= size ? -1 : i;
	}
}

static double channel(uint32_t word, unsigned int c)
{
	return word >> 8 * c & 0xff;
}

#define BORDER 0x10fe8001u

static uint32_t random_word(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed ^ *seed >> 15;
}

/* What four texels around a point are blended to, in doubles */
static double bilinear(double s, double t, uint32_t width, uint32_t height, enum v3d_wrap ws, enum v3d_wrap wt, unsigned int c)
{
	const double u = s * width - 0.5, v = t * height - 0.5, x = floor(u), y = floor(v);
	double sum = 0;

	for (int j = 0; j < 2; j++)
		for (int i = 0; i < 2; i++) {
			const int column = wrapped((int)x + i, (int)width, ws), row = wrapped((int)y + j, (int)height, wt);
			const uint32_t texel = column < 0 || row < 0 ? BORDER : number((uint32_t)column, (uint32_t)row);

			sum += channel(texel, c) * (i ? u - x : 1 - (u - x)) * (j ? v - y : 1 - (v - y));
		}
	return sum;
}

/*
 * Noise, so that neighbours differ as much as they can. Places are rounded to 1/256 of a texel, coordinates to 2^-20: half a step of
 * each, by 255, is 0.51 in either direction; rounding at the end is another 0.5.
 */
static void expect_bilinear(uint32_t width, uint32_t height, enum v3d_wrap ws, enum v3d_wrap wt)
{
	uint32_t seed = width * 31 + ws + 4 * wt;
	double worst = 0;
	struct lookup l;

	describe(&l, V3D_TEXTURE_RGBA8888, width, height);
	set_filter(&l, LINEAR, LINEAR);
	set_wrap(&l, ws, wt);
	l.border = BORDER;
	for (unsigned int round = 0; round < 100; round++) {
		for (unsigned int n = 0; n < 16; n++) {
			l.s[n] = (float)(random_word(&seed) % 4096) * 3 / 4096 - 1 + (float)(random_word(&seed) % 97) / 97000;
			l.t[n] = (float)(random_word(&seed) % 4096) * 3 / 4096 - 1 + (float)(random_word(&seed) % 97) / 97000;
		}
		look_up(&m, &l);
		for (unsigned int n = 0; n < 16; n++)
			for (unsigned int c = 0; c < 4; c++) {
				const double difference = fabs(channel(l.out[0][n], c) -
							       bilinear(l.s[n], l.t[n], width, height, ws, wt, c));

				worst = fmax(worst, difference);
			}
	}
	if (worst > 1.6)
		fail_msg("%ux%u, wraps %d and %d: differs by %f", width, height, ws, wt, worst);
}

static void put_noise(size_t count)
{
	for (size_t n = 0; n < count; n++)
		at(&m, BASE)[n] = number(places[n].x, places[n].y);
}

static void blends(void **state)
{
	(void)state;
	put_noise(walk_t(places, 32, 3, 2));
	for (unsigned int wraps_of = 0; wraps_of < 16; wraps_of++)
		expect_bilinear(70, 63, wraps_of & 3, wraps_of >> 2);
	put_noise(walk_lt(places, 32, 2, 1));
	for (unsigned int wraps_of = 0; wraps_of < 16; wraps_of++)
		expect_bilinear(5, 3, wraps_of & 3, wraps_of >> 2);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(layouts), T(raster), T(wraps), T(blends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
