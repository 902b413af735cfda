/* SPDX-License-Identifier: MIT */
/*
 * Texture lookups: where texels lie, wraps, filters, levels, cubes, child images, and set-ups that
 * make no sense.
 */
#include <sys/param.h>

#include "accel/bodies.h"
#include "tests/filter_fixture.h"

MACHINE_PER_TEST(0)

static struct walk places[1 << 19];

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
static void expect_layout(enum v3d_texture_type type, unsigned int bits, uint32_t width,
			  uint32_t height, size_t count)
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
					fail_msg("%ux%u at %u bits: (%u, %u) is 0x%x", width,
						 height, bits, x + n, y, l.out[0][n]);
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

/*
 * A row of four texels, 10 to 13, the border 99: where coordinates from -2 to 3 lead, in quarters
 * of the image
 */
static void wraps(void **state)
{
	static const uint8_t expected[4][20] = {
		[V3D_WRAP_REPEAT] = { 10, 11, 12, 13, 10, 11, 12, 13, 10, 11,
				      12, 13, 10, 11, 12, 13, 10, 11, 12, 13 },
		[V3D_WRAP_CLAMP] = { 10, 10, 10, 10, 10, 10, 10, 10, 10, 11,
				     12, 13, 13, 13, 13, 13, 13, 13, 13, 13 },
		[V3D_WRAP_MIRROR] = { 10, 11, 12, 13, 13, 12, 11, 10, 10, 11,
				      12, 13, 13, 12, 11, 10, 10, 11, 12, 13 },
		[V3D_WRAP_BORDER] = { 99, 99, 99, 99, 99, 99, 99, 99, 10, 11,
				      12, 13, 99, 99, 99, 99, 99, 99, 99, 99 },
	};
	struct lookup l;

	(void)state;
	/* column and row of a micro-tile have the same values */
	for (unsigned int i = 0; i < 4; i++)
		at(&m, BASE)[i] = at(&m, BASE)[4 * i] = 10 + i;
	for (unsigned int wrap = 0; wrap < 4; wrap++)
		for (unsigned int vertical = 0; vertical < 2; vertical++) {
			describe(&l, V3D_TEXTURE_RGBA8888, 4, 4);
			set_wrap(&l, vertical ? V3D_WRAP_CLAMP : wrap,
				 vertical ? wrap : V3D_WRAP_CLAMP);
			l.border = 99;
			for (unsigned int first = 0; first < 20; first += 4) {
				for (unsigned int n = 0; n < 4; n++) {
					l.s[n] = vertical ? 0.125f :
							    ((float)(first + n) - 8 + 0.5f) / 4;
					l.t[n] = vertical ? ((float)(first + n) - 8 + 0.5f) / 4 :
							    0.125f;
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
		return MIN(MAX(i, 0), size - 1);
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
static double bilinear(double s, double t, uint32_t width, uint32_t height, enum v3d_wrap ws,
		       enum v3d_wrap wt, unsigned int c)
{
	const double u = s * width - 0.5, v = t * height - 0.5, x = floor(u), y = floor(v);
	double sum = 0;

	for (int j = 0; j < 2; j++)
		for (int i = 0; i < 2; i++) {
			const int column = wrapped((int)x + i, (int)width, ws),
				  row = wrapped((int)y + j, (int)height, wt);
			const uint32_t texel = column < 0 || row < 0 ?
						       BORDER :
						       number((uint32_t)column, (uint32_t)row);

			sum += channel(texel, c) * (i ? u - x : 1 - (u - x)) *
			       (j ? v - y : 1 - (v - y));
		}
	return sum;
}

/*
 * Noise: neighbours differ as much as they can. Places are rounded to 1/256 of a texel, coordinates
 * to 2^-20: half a step of each, by 255, is 0.51 in either direction; rounding at the end is
 * another 0.5.
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
			l.s[n] = (float)(random_word(&seed) % 4096) * 3 / 4096 - 1 +
				 (float)(random_word(&seed) % 97) / 97000;
			l.t[n] = (float)(random_word(&seed) % 4096) * 3 / 4096 - 1 +
				 (float)(random_word(&seed) % 97) / 97000;
		}
		look_up(&m, &l);
		for (unsigned int n = 0; n < 16; n++)
			for (unsigned int c = 0; c < 4; c++) {
				const double difference =
					fabs(channel(l.out[0][n], c) -
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
	struct lookup l;

	(void)state;
	describe(&l, V3D_TEXTURE_RGBA8888, 2, 1);
	set_filter(&l, LINEAR, LINEAR);
	at(&m, BASE)[0] = 0x00ff0a00;
	at(&m, BASE)[1] = 0x00ff0dff;
	l.s[0] = 0.5f;		/* half way: a half rounds up */
	l.s[1] = 0.625f;	/* 3/4 */
	look_up(&m, &l);
	assert_int_equal(l.out[0][0], 0x00ff0c80);	/* 11.5, 127.5 */
	assert_int_equal(l.out[0][1], 0x00ff0cbf);	/* 12.25, 191.25 */
	put_noise(walk_t(places, 32, 3, 2));
	for (unsigned int wraps_of = 0; wraps_of < 16; wraps_of++)
		expect_bilinear(70, 63, wraps_of & 3, wraps_of >> 2);
	put_noise(walk_lt(places, 32, 2, 1));
	for (unsigned int wraps_of = 0; wraps_of < 16; wraps_of++)
		expect_bilinear(5, 3, wraps_of & 3, wraps_of >> 2);
}

/*
 * Seven levels of 64 x 64, each of one colour, where hand-worked sizes put them: T 64 and 32, LT 16
 * and down, 64 bytes at least
 */
static const uint32_t level_at[7] = { 0, 4096, 5120, 5376, 5440, 5504, 5568 };
static const uint32_t level_bytes[7] = { 16384, 4096, 1024, 256, 64, 64, 64 };

static uint32_t level_colour(unsigned int level)
{
	return 0x01010101u * (10 + 30 * level);
}

static void put_levels(struct lookup *l, unsigned int minify, unsigned int last)
{
	for (unsigned int level = 0; level < 7; level++)
		for (unsigned int n = 0; n < level_bytes[level] / 4; n++)
			at(&m, BASE - level_at[level])[n] = level_colour(level);
	describe(l, V3D_TEXTURE_RGBA8888, 64, 64);
	l->words[0] |= last;
	set_filter(l, minify, LINEAR);
}

/* Every quad's pixels are so many texels apart, along s or along t */
static uint32_t apart(struct lookup *l, double texels, bool vertical)
{
	for (unsigned int n = 0; n < 16; n++) {
		l->s[n] = (float)(0.25 + (n & 1) * (vertical ? 0 : texels) / 64 +
				  (n >> 1 & 1) * (vertical ? texels / 640 : 0));
		l->t[n] = (float)(0.5 + (n >> 1 & 1) * (vertical ? texels : 0) / 64 -
				  (n & 1) * (vertical ? 0 : texels / 640));
	}
	look_up(&m, l);
	for (unsigned int n = 1; n < 16; n++)
		assert_int_equal(l->out[0][n], l->out[0][0]);
	return l->out[0][0];
}

static void nearest_level(void **state)
{
	struct lookup l;

	(void)state;
	for (unsigned int minify = 2; minify <= 4; minify += 2)
		for (unsigned int vertical = 0; vertical < 2; vertical++) {
			put_levels(&l, minify, 6);
			for (unsigned int level = 0; level < 8; level++) {
				const double scale = 1u << level;

				/* The square root of 2 is half way to the next level */
				assert_int_equal(apart(&l, scale * 1.41, vertical),
						 level_colour(MIN(level, 6)));
				assert_int_equal(apart(&l, scale * 1.43, vertical),
						 level_colour(level < 5 ? level + 1 : 6));
			}
			assert_int_equal(apart(&l, 0.01, vertical), level_colour(0));
			assert_int_equal(apart(&l, 0, vertical), level_colour(0));
			put_levels(&l, minify, 3);
			assert_int_equal(apart(&l, 60, vertical), level_colour(3));
		}
}

static void two_levels(void **state)
{
	struct lookup l;

	(void)state;
	for (unsigned int minify = 3; minify <= 5; minify += 2) {
		put_levels(&l, minify, 6);
		for (double texels = 0.6; texels < 200; texels *= 1.07) {
			const double lod = log2(texels), most = MIN(MAX(lod, 0), 6);
			const double difference = channel(apart(&l, texels, false), 2) -
						  (10 + 30 * most);

			/* 1/256 of a level is 0.12; rounding at the end is 0.5 */
			if (fabs(difference) > 0.63)
				fail_msg("%f texels apart: differs by %f", texels, difference);
		}
	}
}

/* The bias is added for each lane; alone it is the level of detail, which needs no derivatives */
static void biases(void **state)
{
	const struct v3d_texture_cube alone = { .ptype = 1, .bias_only = 1 };
	struct lookup l;

	(void)state;
	for (unsigned int only = 0; only < 2; only++) {
		put_levels(&l, 2, 6);
		l.words[2] = only ? v3d_word_texture_cube(&alone) : 0;
		for (unsigned int n = 0; n < 16; n++) {
			l.b[n] = (float)n - 4;
			l.s[n] = (float)(n & 1) / 8;	/* eight texels apart: level 3 */
			l.t[n] = 0;
		}
		look_up(&m, &l);
		for (unsigned int n = 0; n < 16; n++) {
			const int level = (int)n - 4 + (only ? 0 : 3);

			assert_int_equal(l.out[0][n], level_colour(MIN(MAX(level, 0), 6)));
		}
	}
	l.b[0] = INFINITY;
	l.b[1] = -INFINITY;
	l.b[2] = NAN;
	l.b[3] = 5.25f;
	look_up(&m, &l);
	assert_int_equal(l.out[0][0], level_colour(6));
	assert_int_equal(l.out[0][1], level_colour(0));
	assert_int_equal(l.out[0][3], level_colour(5));
}

/* Without levels, the level of detail still chooses the filter */
static void min_or_mag(void **state)
{
	struct lookup l;

	(void)state;
	put_noise(walk_t(places, 32, 2, 2));
	describe(&l, V3D_TEXTURE_RGBA8888, 64, 64);
	for (unsigned int magnified = 0; magnified < 2; magnified++)
		for (unsigned int minify = LINEAR; minify <= NEAREST; minify++) {
			const bool nearest = magnified ? minify == LINEAR : minify == NEAREST;
			const float step = (magnified ? 0.9f : 1.1f) / 64, s = 20.25f / 64,
				    t = 30.75f / 64;

			set_filter(&l, minify, !minify);
			for (unsigned int n = 0; n < 16; n++) {
				l.s[n] = s + (float)(n & 1) * step;
				l.t[n] = t + (float)(n >> 1 & 1) * step;
			}
			look_up(&m, &l);
			if (nearest)
				assert_int_equal(l.out[0][0], number(20, 30));
			else
				assert_true(fabs(channel(l.out[0][0], 0) -
						 bilinear(s, t, 64, 64, V3D_WRAP_REPEAT,
							  V3D_WRAP_REPEAT, 0)) < 1.1);
		}
}

/*
 * 65 x 33: smaller levels are stored as those of 128 x 64. Level 1 has 64 x 32 in two tiles, level
 * 2 has 32 x 16 in linear tiles; what they hold is 32 x 16 and 16 x 8.
 */
static void odd_sizes(void **state)
{
	const struct v3d_texture_cube alone = { .ptype = 1, .bias_only = 1 };
	const uint32_t starts[3] = { BASE, BASE - 8192, BASE - 8192 - 2048 };
	struct lookup l;

	(void)state;
	for (unsigned int level = 1; level < 3; level++) {
		const size_t count = level == 1 ? walk_t(places, 32, 2, 1) :
						  walk_lt(places, 32, 8, 4);

		for (size_t n = 0; n < count; n++)
			at(&m, starts[level])[n] = number(places[n].x, places[n].y) + level;
		describe(&l, V3D_TEXTURE_RGBA8888, 65, 33);
		set_filter(&l, 2, NEAREST);
		l.words[0] |= 2;
		l.words[2] = v3d_word_texture_cube(&alone);
		for (unsigned int n = 0; n < 16; n++)
			l.b[n] = (float)level;
		for (uint32_t y = 0; y < 32u >> level; y++)
			for (uint32_t x = 0; x < 64u >> level; x++)
				assert_int_equal(texel_at(&m, &l, x, y, 64 >> level, 32 >> level),
						 number(x, y) + level);
	}
}

/* A direction for a place on a face: OpenGL 2.0 Table 3.21 turned round */
static void direction(unsigned int face, float sc, float tc, float out[3])
{
	const float directions[6][3] = { { 1, -tc, -sc }, { -1, -tc, sc }, { sc, 1, tc },
					 { sc, -1, -tc }, { sc, -tc, 1 }, { -sc, -tc, -1 } };

	memcpy(out, directions[face], sizeof(directions[face]));
}

static void cubes(void **state)
{
	const struct v3d_texture_cube stride = { .ptype = 1, .stride = 2 };
	struct lookup l;

	(void)state;
	describe(&l, V3D_TEXTURE_RGBA8888, 4, 4);
	l.words[0] |= 1u << 9;
	l.words[3] = v3d_word_texture_cube(&stride);
	set_wrap(&l, V3D_WRAP_CLAMP, V3D_WRAP_CLAMP);
	for (unsigned int face = 0; face < 6; face++)
		for (unsigned int n = 0; n < 16; n++)
			at(&m, BASE + face * 8192)[n] = face << 8 | n;
	for (unsigned int face = 0; face < 6; face++) {
		for (unsigned int n = 0; n < 16; n++) {
			/* Lanes of other faces in between */
			float r[3];

			direction((face + n % 3) % 6, ((float)(n % 4) - 1.5f) / 2,
				  ((float)(n >> 2) - 1.5f) / 2, r);
			l.s[n] = r[0], l.t[n] = r[1], l.r[n] = r[2];
		}
		look_up(&m, &l);
		for (unsigned int n = 0; n < 16; n++)
			assert_int_equal(l.out[0][n], (face + n % 3) % 6 << 8 | n);
	}
}

/*
 * Quads whose pixels lie on several faces: each lane sees the level that its own face, continued
 * beyond its edges, would have. Eight texels of each face's 32 are a pixel apart: level 3.
 */
static void cube_edges(void **state)
{
	const struct v3d_texture_cube stride = { .ptype = 1, .stride = 4 };
	/* Bytes from the base down to levels 0 to 5 of 32, 16, ... texels: T, then linear */
	static const uint32_t down[6] = { 0, 1024, 1280, 1344, 1408, 1472 };
	struct lookup l;

	(void)state;
	describe(&l, V3D_TEXTURE_RGBA8888, 32, 32);
	l.words[0] |= 1u << 9 | 5;
	l.words[2] = v3d_word_texture_cube(&stride);
	set_filter(&l, 2, NEAREST);
	for (unsigned int face = 0; face < 6; face++)
		for (unsigned int level = 0; level < 6; level++)
			for (unsigned int n = 0; n < (level < 4 ? 1024u >> 2 * level : 16); n++)
				at(&m, BASE + face * 16384 - down[level])[n] = face << 8 | level;
	for (unsigned int face = 0; face < 6; face++)
		for (unsigned int place = 0; place < 16; place++) {
			/* this lane of the quad is inside the face */
			const unsigned int inside = place & 3;
			const float sc = (place & 4 ? 0.9f : -0.9f) - (float)(inside & 1) * 0.5f;
			const float tc = (place & 8 ? 0.9f : -0.9f) - (float)(inside >> 1) * 0.5f;

			for (unsigned int n = 0; n < 16; n++) {
				float r[3], most;

				direction(face, sc + (float)(n & 1) * 0.5f,
					  tc + (float)(n >> 1 & 1) * 0.5f, r);
				most = fmaxf(fmaxf(fabsf(r[0]), fabsf(r[1])), fabsf(r[2]));
				l.s[n] = r[0] / most, l.t[n] = r[1] / most, l.r[n] = r[2] / most;
			}
			look_up(&m, &l);
			assert_int_equal(l.out[0][inside], face << 8 | 3);
		}
	/* At an edge itself, the last texel, repeated or not */
	describe(&l, V3D_TEXTURE_RGBA8888, 4, 4);
	l.words[0] |= 1u << 9;
	for (unsigned int n = 0; n < 16; n++)
		at(&m, BASE)[n] = n;
	l.s[0] = 1, l.t[0] = -1, l.r[0] = -1;	/* s and t are both 1 */
	look_up(&m, &l);
	assert_int_equal(l.out[0][0], 15);
}

/* 4 x 2 at (3, 5) of 8 x 8: coordinates and wraps are the small image's */
static void children(void **state)
{
	const struct v3d_texture_child_size size = { .ptype = 2, .width = 4, .height = 2 };
	const struct v3d_texture_child_offset offset = { .ptype = 3, .x = 3, .y = 5 };
	struct lookup l;

	(void)state;
	put_noise(walk_lt(places, 32, 2, 2));
	describe(&l, V3D_TEXTURE_RGBA8888, 8, 8);
	l.words[2] = v3d_word_texture_child_size(&size);
	l.words[3] = v3d_word_texture_child_offset(&offset);
	for (uint32_t y = 0; y < 2; y++)
		for (uint32_t x = 0; x < 9; x++)
			assert_int_equal(texel_at(&m, &l, x, y, 4, 2), number(3 + x % 4, 5 + y));
	set_wrap(&l, V3D_WRAP_CLAMP, V3D_WRAP_CLAMP);
	assert_int_equal(texel_at(&m, &l, 7, 7, 4, 2), number(6, 6));
	/* Half way between two columns */
	set_filter(&l, LINEAR, LINEAR);
	for (unsigned int n = 0; n < 16; n++) {
		l.s[n] = 0.5f;
		l.t[n] = 0.25f;
	}
	look_up(&m, &l);
	assert_true(fabs(channel(l.out[0][0], 1) -
			 (channel(number(4, 5), 1) + channel(number(5, 5), 1)) / 2) < 0.6);
}

static void flips(void **state)
{
	struct lookup l;

	(void)state;
	put_noise(walk_lt(places, 32, 2, 2));
	describe(&l, V3D_TEXTURE_RGBA8888, 7, 6);
	l.words[0] |= 1u << 8;
	for (uint32_t y = 0; y < 6; y++)
		assert_int_equal(texel_at(&m, &l, 2, y, 7, 6), number(2, 5 - y));
}

/* Numbers that are out of the ordinary, in a row of four texels 0 to 3 */
static void wild(void **state)
{
	static const struct {
		uint32_t s;
		uint8_t expected[4];
	} rows[] = {
		{ 0x447fd800, { 1, 3, 2, 9 } },	/* 1023.375: 1.375 modulo 2 */
		{ 0x44005800, { 1, 3, 2, 9 } },	/* 513.375 */
		{ 0xc4005800, { 2, 0, 2, 9 } },	/* the same below 0 */
		{ 0x43ffb000, { 1, 3, 2, 9 } },	/* 511.375 */
		{ 0xc3ffb000, { 2, 0, 2, 9 } },
		{ 0x7149f2ca, { 0, 3, 0, 9 } },	/* 1e30 */
		{ 0xf149f2ca, { 0, 0, 0, 9 } },
		{ 0x7f800000, { 0, 3, 0, 9 } },
		{ 0xff800000, { 0, 0, 0, 9 } },
		{ 0x7fc00000, { 0, 3, 0, 9 } },	/* NaNs are at their sign's end, too */
		{ 0xffffffff, { 0, 0, 0, 9 } },
		{ 0x80000000, { 0, 0, 0, 0 } },
		{ 0x00000001, { 0, 0, 0, 0 } },
		{ 0x007fffff, { 0, 0, 0, 0 } },
	};
	struct lookup l;

	(void)state;
	for (unsigned int i = 0; i < 16; i++)
		at(&m, BASE)[i] = i % 4;
	describe(&l, V3D_TEXTURE_RGBA8888, 4, 4);
	l.border = 9;
	for (unsigned int n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
		for (unsigned int wrap = 0; wrap < 4; wrap++) {
			set_wrap(&l, wrap, V3D_WRAP_CLAMP);
			for (unsigned int lane = 0; lane < 16; lane++)
				memcpy(&l.s[lane], &rows[n].s, 4);
			look_up(&m, &l);
			if (l.out[0][5] != rows[n].expected[wrap])
				fail_msg("0x%08x, wrap %u: texel %u", rows[n].s, wrap, l.out[0][5]);
		}
}

/* Set-ups of all kinds, most of them in memory */
static void random_lookup(struct lookup *l, uint32_t *seed)
{
	static const float odd[] = { 0, 1, -1, 0.5f, 1 / 1e30f,
				     3e38f, -700.25f, INFINITY, -INFINITY, NAN };

	for (unsigned int n = 0; n < TMU_WORDS; n++)
		l->words[n] = random_word(seed);
	l->words[0] = bus_of(BASE) | (l->words[0] & 0x3f3) | (random_word(seed) % 18 & 15) << 4;
	if (random_word(seed) % 4) {
		l->words[1] &= ~(0x3f << 13 | 0x3fu << 25);	/* small */
		l->words[2] &= 0xc0003fff;
		l->words[3] &= 0xc0003fff;
	}
	l->border = random_word(seed);
	for (unsigned int n = 0; n < 16; n++) {
		float *fields[4] = { &l->s[n], &l->t[n], &l->r[n], &l->b[n] };

		for (unsigned int f = 0; f < 4; f++)
			*fields[f] = random_word(seed) % 32 ?
					     ((float)(random_word(seed) % 65536) / 16384 - 2) :
					     odd[random_word(seed) % 10];
	}
}

/*
 * The cache model, a strict bus and plain memory give the same; with or without AVX2; and nothing
 * breaks whatever the words
 */
static void same_everywhere(void **state)
{
	const struct v3dsim_config configs[2] = { { .caches = V3DSIM_CACHES_MODEL },
						  { .strict = true } };
	const struct v3dsim_host host = { .region = machine_region, .opaque = &m };
	struct machine others[2] = { m, m };
	uint32_t seed = 1;
	unsigned int fine = 0;

	(void)state;
	for (unsigned int n = 0; n < MEMORY_SIZE / 4; n++)
		m.memory[n] = random_word(&seed);
	for (unsigned int other = 0; other < 2; other++)
		others[other].sim = v3dsim_new(&configs[other], &host);
	for (unsigned int round = 0; round < 4000; round++) {
		struct lookup l, same;
		bool done;

		random_lookup(&l, &seed);
		done = try_lookup(&m, &l);
		fine += done;
		for (unsigned int other = 0; other < 2; other++) {
			same = l;
			assert_int_equal(try_lookup(&others[other], &same), done);
			if (done)
				assert_memory_equal(same.out, l.out,
						    (l.words[0] >> 4 & 15) == 15 ? 128 : 64);
		}
	}
	assert_in_range(fine, 2000, 4000);
	for (unsigned int other = 0; other < 2; other++)
		v3dsim_free(others[other].sim);
}

/* Lines of 64 bytes are micro-tiles: each comes once, until one 4 KiB away takes its place. */
static void misses(void **state)
{
	static const struct {
		float s;
		unsigned int misses;
	} rows[] = {
		{ 0.5f / 64, 1 },	/* a texel of the first micro-tile */
		{ 3.5f / 64, 0 },	/* and another */
		{ 4.5f / 64, 1 },	/* the next micro-tile */
		{ 0.5f / 64, 0 },
		{ 32.5f / 64, 1 },	/* 4 KiB on, in the next tile */
		{ 0.5f / 64, 1 },
		{ 4.5f / 64, 0 },
	};
	static struct machine model;
	uint64_t before = 0;
	struct lookup l;

	(void)state;
	machine_new(&model, V3DSIM_CACHES_MODEL, 0);
	describe(&l, V3D_TEXTURE_RGBA8888, 64, 64);
	for (unsigned int n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		for (unsigned int lane = 0; lane < 16; lane++)
			l.s[lane] = rows[n].s;
		look_up(&model, &l);
		assert_int_equal(stat_of(&model, "tmu_cache_misses") - before, rows[n].misses);
		before = stat_of(&model, "tmu_cache_misses");
	}
	/* Around the corner of four micro-tiles, of which the lower left one is held */
	set_filter(&l, LINEAR, LINEAR);
	for (unsigned int lane = 0; lane < 16; lane++)
		l.s[lane] = 8.0f / 64, l.t[lane] = 4.0f / 64;
	look_up(&model, &l);
	assert_int_equal(stat_of(&model, "tmu_cache_misses") - before, 4 - 1);
	machine_free(&model);
}

/* What any machine computes is what this one's best instructions compute */
static void same_instructions(void **state)
{
	static struct tmu_texture texture;
	uint32_t seed = 7;

	(void)state;
#if defined(__x86_64__)
	if (!__builtin_cpu_supports("avx2"))
		skip();
	for (unsigned int n = 0; n < MEMORY_SIZE / 4; n++)
		m.memory[n] = random_word(&seed);
	for (unsigned int round = 0; round < 4000; round++) {
		const struct chip_modes chip = { .set = round & 2 ? UINT64_MAX : 0 };
		struct tmu_sample sample = { .texture = &texture, .lanes = 0xffff,
					     .linear = round & 1, .border = 0x12345678 };
		struct lanes wide[2], any[2];
		struct lookup l;
		bool done;

		random_lookup(&l, &seed);
		m.sim->chip = chip;
		tmu_setup(&texture, l.words, &chip);
		if (!texture.format->exists)
			continue;
		sample.level = &texture.levels[random_word(&seed) % (texture.last + 1)];
		sample.base = sample.level->layout.base;
		for (unsigned int n = 0; n < 16; n++) {
			sample.s.lane[n] = (random_word(&seed) & 0x7fffff) - 0x400000;
			sample.t.lane[n] = (random_word(&seed) & 0x7fffff) - 0x400000;
		}
		sim_enter(m.sim);
		done = tmu_table_avx2.sample(m.sim, &sample, wide);
		assert_int_equal(tmu_table_any.sample(m.sim, &sample, any), done);
		sim_leave(m.sim);
		if (done)
			assert_memory_equal(wide, any,
					    texture.type == V3D_TEXTURE_RGBA64 ? 128 : 64);
	}
#else
	(void)seed;
	skip();
#endif
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(layouts), T(raster), T(wraps), T(blends), T(nearest_level), T(two_levels),
		T(biases), T(min_or_mag), T(odd_sizes),
		T(cubes), T(cube_edges), T(children), T(flips), T(wild), T(same_everywhere),
		T(misses), T(same_instructions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
