// SPDX-License-Identifier: MIT
/*
 * The binner: which tiles a primitive goes into, and what their lists hold then. Bytes are typed
 * from AG100 Tables 38 to 43.
 */
#include "tests/tile_lists.h"

static struct tile_list list, other;

/* Initial blocks of 256 bytes: 3 << 3 */
#define BIG (4 | 3 << 3 | 3 << 5)
#define TILE_BIG(tile) (ALLOC + (tile) * 256)
#define TILE_SMALL(tile) (ALLOC + (tile) * 32)

static void test_one_triangle(void **state)
{
	static const uint8_t expected[] = {
		56, 0x12, 65, LE32(0x1230), 96, 0x03, 0, 0, 103, LE32(0),
		48, 0x1f, 0x08, 7, 0, 0x04,		/* 7, 8, 9 absolute; then 9, 8, 10 */
		128, 18
	};
	static const uint32_t first[] = { 7, 8, 9 }, second[] = { 9, 8, 10 };
	static const int16_t xy[] = { 16, 16, 160, 16, 16, 160 };
	struct chip *chip = *state;

	tile_frame(chip, 0x1000, 2, 2, BIG);
	assert_int_equal(tile_bin_xy(chip, V3D_LIST_TRIANGLES, first, xy), PTB_DONE);
	assert_int_equal(tile_bin_xy(chip, V3D_LIST_TRIANGLES, second, xy), PTB_DONE);
	tile_flush(chip);
	assert_memory_equal(chip_bytes(chip, ALLOC), expected, sizeof(expected));
	assert_int_equal(*chip_bytes(chip, TILE_BIG(1)), 18);
	assert_int_equal(*chip_bytes(chip, TILE_BIG(3)), 18);
}

/* All that is drawn into a tile of 64 x 64 pixels at the origin, of 4 x 4 */
static bool in_tile(struct chip *chip, unsigned int tile)
{
	tile_read(chip, TILE_SMALL(tile), &list);
	return tile_primitives(&list) != 0;
}

static uint32_t tiles_of(struct chip *chip, unsigned int count)
{
	uint32_t tiles = 0;
	unsigned int tile;

	tile_flush(chip);
	for (tile = 0; tile < count; tile++)
		tiles |= (uint32_t)in_tile(chip, tile) << tile;
	return tiles;
}

/* Area of a convex polygon's part with a * x + b * y >= c; the polygon becomes that part. */
static double cut_area(double (*p)[2], unsigned int *n, double a, double b, double c)
{
	double kept[16][2], area = 0;
	unsigned int i, count = 0;

	for (i = 0; i < *n; i++) {
		const double *here = p[i], *next = p[(i + 1) % *n];
		double d = a * here[0] + b * here[1] - c, e = a * next[0] + b * next[1] - c;

		if (d >= 0)
			memcpy(kept[count++], here, sizeof(kept[0]));
		if ((d > 0 && e < 0) || (d < 0 && e > 0)) {
			kept[count][0] = here[0] + d / (d - e) * (next[0] - here[0]);
			kept[count++][1] = here[1] + d / (d - e) * (next[1] - here[1]);
		}
	}
	memcpy(p, kept, sizeof(kept[0]) * count);
	*n = count;
	for (i = 1; i + 1 < count; i++)
		area += (p[i][0] - p[0][0]) * (p[i + 1][1] - p[0][1]) -
			(p[i + 1][0] - p[0][0]) * (p[i][1] - p[0][1]);
	return area < 0 ? -area : area;
}

static bool triangle_meets_tile(const int16_t *xy, unsigned int column, unsigned int row)
{
	double p[16][2], left = column * 1024.0, bottom = row * 1024.0;
	unsigned int n = 3, i;

	for (i = 0; i < 3; i++) {
		p[i][0] = xy[2 * i];
		p[i][1] = xy[2 * i + 1];
	}
	cut_area(p, &n, 1, 0, left);
	cut_area(p, &n, -1, 0, -left - 1024);
	cut_area(p, &n, 0, 1, bottom);
	return cut_area(p, &n, 0, -1, -bottom - 1024) > 0.000000001;
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 12;
}

/*
 * Exactly the tiles whose inside meets the triangle's, by cutting it with the tile's sides in
 * floating point
 */
static void test_triangle_tiles(void **state)
{
	struct chip *chip = *state;
	uint32_t seed = 1, tiles;
	unsigned int n, i, tile;
	int16_t xy[6];

	for (n = 0; n < 150; n++) {
		chip_list_at(chip, 0, MEMORY + 0x1000);
		tile_frame(chip, 0x8000, 4, 4, 4);
		for (i = 0; i < 6; i++)
			xy[i] = n % 3 ? (int16_t)(next_random(&seed) % 6000) - 900 :
					(int16_t)(next_random(&seed) % 7 * 1024) - 1024;
		assert_int_equal(tile_bin_xy(chip, V3D_LIST_TRIANGLES, NULL, xy), PTB_DONE);
		tiles = tiles_of(chip, 16);
		for (tile = 0; tile < 16; tile++) {
			bool expected = triangle_meets_tile(xy, tile % 4, tile / 4);

			if ((tiles >> tile & 1) != expected)
				print_message("# %d,%d %d,%d %d,%d tile %u\n", xy[0], xy[1], xy[2],
					      xy[3], xy[4], xy[5], tile);
			assert_int_equal(tiles >> tile & 1, expected);
		}
	}
}

/*
 * A line as wide as it says must reach every tile that a point near enough to it lies in, and not
 * all of its box.
 */
static void test_line_tiles(void **state)
{
	struct chip *chip = *state;
	uint32_t tiles;

	tile_frame(chip, 0x8000, 4, 4, 4);
	LIST(chip, 0, 99, LE32(0x40800000));			/* 4.0 */
	chip_go(chip, 0);
	LINE(chip, 100, 100, 4000, 4000);
	tiles = tiles_of(chip, 16);
	assert_int_equal(tiles & 0x8421, 0x8421);		/* the diagonal */
	assert_int_equal(tiles & 0x1008, 0);			/* the far corners */
	tile_frame(chip, 0x8000, 4, 4, 4);
	/* horizontal, 4 units below tile row 1, 32 thick to each side */
	LINE(chip, 100, 1020, 4000, 1020);
	assert_int_equal(tiles_of(chip, 16), 0x00ff);
	tile_frame(chip, 0x8000, 4, 4, 4);
	LINE(chip, 1500, 100, 1500, 3000);
	assert_int_equal(tiles_of(chip, 16), 0x0222);
}

static void test_point_tiles(void **state)
{
	struct chip *chip = *state;
	struct vertex vertex = tile_vertex(0, 2048, 2048);
	struct primitive primitive = { .kind = V3D_LIST_POINTS, .vertex = { &vertex },
				       .point_sizes = true };

	tile_frame(chip, 0x8000, 4, 4, 4);
	LIST(chip, 0, 98, LE32(0x41800000));			/* 16.0 */
	chip_go(chip, 0);
	POINT(chip, 1500, 2048 - 128);				/* its edge is the tile's */
	assert_int_equal(tiles_of(chip, 16), 0x0020);
	tile_frame(chip, 0x8000, 4, 4, 4);
	POINT(chip, 1500, 2048 - 127);
	assert_int_equal(tiles_of(chip, 16), 0x0220);
	tile_frame(chip, 0x8000, 4, 4, 4);
	vertex.point_size = 1;
	assert_int_equal(tile_bin(chip, &primitive), PTB_DONE);
	assert_int_equal(tiles_of(chip, 16), 0x0660);
	tile_frame(chip, 0x8000, 4, 4, 4);
	vertex.point_size = 129;				/* 64.5 pixels to each side */
	tile_bin(chip, &primitive);
	assert_int_equal(tiles_of(chip, 16), 0xffff);
}

/* In VG mode vertices are coordinates, and an RHT reaches to its boundary. */
static void test_vg(void **state)
{
	static const uint8_t expected[] = {
		56, 0x33, 67, LE32(8), LE32(0x40), 96, 3, 0, 0, 100, LE16(1000), 103, LE32(0),
		48, 0x81, LE16(2000), LE16(100), LE16(2100), LE16(900), 0x81, LE16(10), LE16(20),
		LE16(30), LE16(220), 128, 18
	};
	static const int16_t first[] = { 2000, 100, 2100, 900 }, second[] = { 10, 20, 30, 220 };
	struct chip *chip = *state;

	tile_frame(chip, 0x4000, 4, 1, BIG);
	LIST(chip, 0, 67, LE32(8), LE32(0x40), 100, LE16(1000));
	chip_go(chip, 0);
	tile_bin_xy(chip, V3D_LIST_RHT, NULL, first);
	tile_bin_xy(chip, V3D_LIST_RHT, NULL, second);
	tile_flush(chip);
	assert_memory_equal(chip_bytes(chip, ALLOC), expected, sizeof(expected));
	tile_read(chip, TILE_BIG(1), &list);
	assert_int_equal(tile_primitives(&list), 1);
	tile_read(chip, TILE_BIG(3), &list);
	assert_int_equal(tile_primitives(&list), 0);
}

/* Tiles with four samples are 32 x 32 pixels, with 64-bit colour half as high. */
static void test_tile_sizes(void **state)
{
	struct chip *chip = *state;

	tile_frame(chip, 0x8000, 4, 4, 4 | 1);
	TRIANGLE(chip, 520, 10, 600, 10, 520, 1500);		/* column 1, rows 0 to 2 */
	assert_int_equal(tiles_of(chip, 16), 0x0222);
	tile_frame(chip, 0x8000, 4, 4, 4 | 2);
	TRIANGLE(chip, 1030, 10, 1100, 10, 1030, 1500);
	assert_int_equal(tiles_of(chip, 16), 0x0222);
	tile_frame(chip, 0x8000, 4, 4, 4 | 3);
	TRIANGLE(chip, 520, 10, 600, 10, 520, 700);
	assert_int_equal(tiles_of(chip, 16), 0x0222);
}

/*
 * The viewport's centre is added, in 1/16 of a pixel; the clip window and the frame bound it all.
 */
static void test_window(void **state)
{
	struct chip *chip = *state;

	tile_frame(chip, 0x8000, 4, 4, 4);
	LIST(chip, 0, 103, LE16(2048), LE16(1024), 102, LE16(65), LE16(0), LE16(64), LE16(128));
	chip_go(chip, 0);
	TRIANGLE(chip, -9000, -9000, 9000, -9000, 0, 20000);
	/* x from 65 to 128 inclusive, y from 0 to 127 */
	assert_int_equal(tiles_of(chip, 16), 0x0066);
	tile_frame(chip, 0x8000, 4, 4, 4);
	LIST(chip, 0, 102, LE16(0), LE16(0), LE16(0), LE16(128));
	chip_go(chip, 0);
	TRIANGLE(chip, 10, 10, 3000, 10, 10, 3000);		/* a window without width */
	assert_int_equal(tiles_of(chip, 16), 0);
	tile_frame(chip, 0x8000, 4, 4, 4);
	LIST(chip, 0, 102, LE16(64), LE16(192), LE16(0xffff), LE16(0xffff));
	chip_go(chip, 0);
	TRIANGLE(chip, -9000, -9000, 9000, -9000, 0, 20000);
	assert_int_equal(tiles_of(chip, 16), 0xe000);		/* larger than the frame */
}

/*
 * Counterclockwise with y going up is forward, unless clockwise is set (flags 4). Culling counts
 * once a primitive; both ways off draws nothing.
 */
static void test_facing(void **state)
{
	static const struct {
		uint8_t flags;
		bool counterclockwise, clockwise;
	} rows[] = {
		{ 3, true, true }, { 1, true, false }, { 2, false, true }, { 0, false, false },
		{ 5, false, true }, { 6, true, false },
	};
	struct chip *chip = *state;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		chip->sim->pctr.totals[12] = 0;
		tile_frame(chip, 0x1000, 1, 1, 4);
		LIST(chip, 0, 96, rows[i].flags, 0, 0);
		chip_go(chip, 0);
		TRIANGLE(chip, 10, 10, 200, 10, 10, 200);
		assert_int_equal(tiles_of(chip, 1), rows[i].counterclockwise);
		tile_frame(chip, 0x1000, 1, 1, 4);
		LIST(chip, 0, 96, rows[i].flags, 0, 0);
		chip_go(chip, 0);
		TRIANGLE(chip, 10, 10, 10, 200, 200, 10);
		assert_int_equal(tiles_of(chip, 1), rows[i].clockwise);
		assert_int_equal(chip->sim->pctr.totals[12],
				 !rows[i].counterclockwise + !rows[i].clockwise);
	}
	tile_frame(chip, 0x1000, 1, 1, 4);
	TRIANGLE(chip, 10, 10, 100, 100, 200, 200);		/* no area */
	assert_int_equal(tiles_of(chip, 1), 0);
	assert_int_equal(chip->sim->pctr.totals[10], 0);
}

/* The list has the last vertex provoke; turning a triangle does not turn it over. */
static void test_provoking(void **state)
{
	struct vertex vertex[3] = { tile_vertex(100, 0, 0), tile_vertex(200, 99, 0),
				    tile_vertex(300, 0, 99) };
	struct primitive primitive = { .kind = V3D_LIST_TRIANGLES,
				       .vertex = { &vertex[0], &vertex[1], &vertex[2] } };
	struct chip *chip = *state;

	tile_frame(chip, 0x1000, 1, 1, BIG);
	for (primitive.provoking = 0; primitive.provoking < 3; primitive.provoking++)
		tile_bin(chip, &primitive);
	primitive.kind = V3D_LIST_LINES;
	primitive.provoking = 0;
	tile_bin(chip, &primitive);
	tile_flush(chip);
	tile_read(chip, ALLOC, &list);
	assert_int_equal(tile_primitives(&list), 4);
	assert_memory_equal(list.item[4].vertices, ((const uint32_t[]){ 200, 300, 100 }), 12);
	assert_memory_equal(list.item[5].vertices, ((const uint32_t[]){ 300, 100, 200 }), 12);
	assert_memory_equal(list.item[6].vertices, ((const uint32_t[]){ 100, 200, 300 }), 12);
	assert_memory_equal(list.item[list.count - 1].vertices, ((const uint32_t[]){ 200, 100 }),
			    8);
}

/*
 * State that a list has is not written again; what matters to other primitives only is not written
 * at all.
 */
static void test_state(void **state)
{
	struct chip *chip = *state;

	tile_mode(chip, 0x2000, 2, 1, BIG);
	/* before record 6: not for tile lists */
	LIST(chip, 0, 97, LE32(1), 6);
	LIST(chip, 0, 65, LE32(0x1230), 96, 3, 0, 0, 98, LE32(0x3f800000), 99, LE32(0x3f800000), 56,
	     0x12);
	chip_go(chip, 0);
	TRIANGLE(chip, 10, 10, 2000, 10, 10, 500);		/* both tiles */
	LIST(chip, 0, 96, 3, 0, 0, 101, LE32(5));		/* the first one is no change */
	chip_go(chip, 0);
	TRIANGLE(chip, 10, 10, 200, 10, 10, 500);		/* tile 0 */
	LINE(chip, 10, 10, 200, 200);
	LIST(chip, 0, 101, LE32(6));
	chip_go(chip, 0);
	LINE(chip, 10, 10, 200, 200);
	tile_flush(chip);
	tile_read(chip, TILE_BIG(0), &list);
	assert_int_equal(tile_records(&list, 97), 0);
	assert_int_equal(tile_records(&list, 96), 1);
	assert_int_equal(tile_records(&list, 98), 0);
	assert_int_equal(tile_records(&list, 99), 1);
	assert_int_equal(tile_records(&list, 101), 2);
	/* triangles, then lines, each with a shader state */
	assert_int_equal(tile_records(&list, 56), 2);
	assert_int_equal(tile_records(&list, 65), 2);
	assert_int_equal(tile_primitives(&list), 4);
	tile_read(chip, TILE_BIG(1), &list);
	assert_int_equal(tile_records(&list, 101), 0);
	assert_int_equal(tile_primitives(&list), 1);
}

/* A frame starts anew, with lists of its own and with state. */
static void test_next_frame(void **state)
{
	struct chip *chip = *state;
	unsigned int frame;

	for (frame = 0; frame < 3; frame++) {
		tile_frame(chip, 0x1000, 1, 1, BIG);
		TRIANGLE(chip, 10, 10, 200, 10, 10, 500);
		tile_flush(chip);
		tile_read(chip, ALLOC, &list);
		assert_int_equal(list.count, 5);
		assert_int_equal(list.item[0].id, 56);
		assert_int_equal(list.item[3].id, 103);
		assert_int_equal(list.item[4].id, 48);
	}
}

/* Some triangles of all sizes, some lines, some that need clipping: the same ones each time */
static enum ptb_result bin_scene(struct chip *chip, unsigned int n, uint64_t *budget)
{
	struct primitive primitive = { .kind = n % 5 == 4 ? V3D_LIST_LINES : V3D_LIST_TRIANGLES,
				       .provoking = n % 2,
				       .clipping = n % 3 == 2 };
	uint32_t seed = n * 7919 + 5;
	struct vertex vertex[3];
	unsigned int i;

	for (i = 0; i < 3; i++) {
		unsigned int size = n % 4 ? 600 : 3000;
		int16_t x = next_random(&seed) % size + n * 10,
			y = next_random(&seed) % size + n * 9;

		vertex[i] = tile_vertex(n % 7 ? 3 * n + i : next_random(&seed) & 0xffff, x, y);
		memcpy(vertex[i].clip,
		       (const float[]){ x / 4096.0f, y / 4096.0f, i == n % 3 ? 1.5f : 0.5f, 1 },
		       16);
		primitive.vertex[i] = &vertex[i];
	}
	return tile_bin_some(chip, &primitive, budget);
}

#define SCENE 200

static void scene_frame(struct chip *chip, uint32_t size, uint8_t flags)
{
	tile_frame(chip, size, 4, 4, flags);
	LIST(chip, 0, 105, LE32(0x45800000), LE32(0x45800000), 106, LE32(0x3f000000),
	     LE32(0x3f000000));
	chip_go(chip, 0);
}

/* Contents without where clipped data lies, which are compared themselves */
static void assert_same_lists(struct chip *a, struct chip *b)
{
	unsigned int tile;
	size_t i;

	for (tile = 0; tile < 16; tile++) {
		tile_read(a, TILE_SMALL(tile), &list);
		tile_read(b, TILE_SMALL(tile), &other);
		for (i = 0; i < list.count && i < other.count; i++) {
			const struct item *x = &list.item[i], *y = &other.item[i];
			bool primitives = tile_is_primitive(x) && tile_is_primitive(y);

			if (!primitives)
				assert_int_equal(x->id, y->id);
			assert_memory_equal(x->bytes, y->bytes, sizeof(x->bytes));
			assert_memory_equal(x->vertices, y->vertices, sizeof(x->vertices));
			assert_int_equal(x->clipped, y->clipped);
			if (x->clipped)
				assert_memory_equal(chip_bytes(a, x->address),
						    chip_bytes(b, y->address),
						    32 * __builtin_popcount(x->clipped));
		}
		assert_int_equal(list.count, other.count);
	}
}

static void bin_all(struct chip *chip)
{
	uint64_t budget = 1 << 30;
	unsigned int n;

	for (n = 0; n < SCENE; n++)
		assert_int_equal(bin_scene(chip, n, &budget), PTB_DONE);
	tile_flush(chip);
}

/* Memory comes chunk by chunk, from everywhere; the lists hold what they would otherwise. */
static void test_overspill(void **state)
{
	struct chip *chip = *state, *rich = chip_new(NULL);
	uint32_t chunk = MEMORY + 0x140000, waits = 0;
	uint64_t budget = 1 << 30;
	enum ptb_result result;
	unsigned int n;

	scene_frame(rich, 0x100000, 4);
	bin_all(rich);
	scene_frame(chip, 512, 4);
	for (n = 0; n < SCENE; n++) {
		while ((result = bin_scene(chip, n, &budget)) == PTB_OUT_OF_MEMORY) {
			assert_int_equal(rd(chip, 0x130) & 0x100, 0x100);
			assert_int_not_equal(chip_word(chip, STATE), 0);
			wr(chip, 0x308, chunk + waits % 9);	/* aligned by the binner */
			wr(chip, 0x30c, 128 + 32 * (waits % 4));
			/* too far for a relative branch */
			chunk += waits % 2 ? 0x200 - 0x180000 : 0x180000;
			waits++;
		}
		assert_int_equal(result, PTB_DONE);
	}
	assert_true(waits > 50);
	wr(chip, 0x308, MEMORY + 0x3f0000);
	wr(chip, 0x30c, 0x10000);
	tile_flush(chip);
	assert_same_lists(rich, chip);
	tile_read(chip, TILE_SMALL(0), &list);
	assert_true(list.absolute > 1);
	tile_read(rich, TILE_SMALL(0), &list);
	assert_true(list.relative > 1);
	chip_free(rich);
}

/* Whatever the budget, the bytes are the same. */
static void test_budget(void **state)
{
	struct chip *chip = *state, *quick = chip_new(NULL);
	uint64_t budget;
	unsigned int n;

	scene_frame(quick, 0x100000, 4);
	bin_all(quick);
	scene_frame(chip, 0x100000, 4);
	for (n = 0; n < SCENE; n++)
		do
			budget = 1 + n % 2;
		while (bin_scene(chip, n, &budget) == PTB_MORE);
	tile_flush(chip);
	assert_memory_equal(chip_bytes(quick, ALLOC), chip_bytes(chip, ALLOC), 0x100000);
	chip_free(quick);
}

/* What the tile state array holds is not believed. */
static void test_hostile_state(void **state)
{
	struct chip *chip = *state;
	uint64_t budget = 1 << 30;
	uint32_t seed = 77, i;
	unsigned int n, errors = 0;

	scene_frame(chip, 0x100000, 0);				/* no auto-initialise */
	for (i = 0; i < 16 * 48; i++)
		*chip_bytes(chip, STATE + i) = next_random(&seed);
	/* every other one points into memory */
	for (i = 0; i < 16; i += 2)
		memcpy(chip_bytes(chip, STATE + 48 * i),
		       (const uint8_t[]){ LE32(ALLOC + 0x20000 + i * 999) }, 4);
	for (n = 0; n < SCENE; n++) {
		enum ptb_result result = bin_scene(chip, n, &budget);

		assert_true(result == PTB_DONE || result == PTB_ERROR);
		errors += result == PTB_ERROR;
		if (result == PTB_ERROR)
			wr(chip, 0x100, 0x8000);		/* what a driver would do */
	}
	assert_true(errors > 0);
}

/* A primitive that was in progress when the thread was reset does not go on in the next frame. */
static void test_reset(void **state)
{
	static const int16_t small[] = { 10, 10, 200, 10, 10, 200 };
	struct vertex vertex[3] = { tile_vertex(1, -9000, -9000), tile_vertex(2, 9000, -9000),
				    tile_vertex(3, 0, 20000) };
	struct primitive primitive = { .kind = V3D_LIST_TRIANGLES, .provoking = 2,
				       .vertex = { &vertex[0], &vertex[1], &vertex[2] } };
	struct chip *chip = *state;
	uint64_t budget = 5;

	tile_frame(chip, 0x8000, 4, 4, 4);
	assert_int_equal(tile_bin_some(chip, &primitive, &budget), PTB_MORE);
	wr(chip, 0x100, 0x8000);
	tile_frame(chip, 0x8000, 4, 4, 4);
	tile_bin_xy(chip, V3D_LIST_TRIANGLES, NULL, small);
	assert_int_equal(tiles_of(chip, 16), 1);
}

static void give_clip(struct vertex *vertex, float x, float y, float z, float w)
{
	memcpy(vertex->clip, (const float[]){ x, y, z, w }, 16);
}

/*
 * A triangle whose third vertex is beyond the far plane, in a viewport of 64 x 64 pixels. Half of
 * each edge to it is left: corners at x +-256, y 0. It becomes a quadrangle, two records 49 with
 * data of Table 44: one new corner is half of vertices 1 and 2.
 */
static void test_clipped(void **state)
{
	struct vertex vertex[3] = { tile_vertex(5, -512, -512), tile_vertex(6, 512, -512),
				    tile_vertex(7, 0, 512) };
	struct primitive primitive = { .kind = V3D_LIST_TRIANGLES, .provoking = 2, .clipping = true,
				       .vertex = { &vertex[0], &vertex[1], &vertex[2] } };
	struct v3d_clipped_vertex record;
	struct chip *chip = *state;
	const struct item *item;

	give_clip(&vertex[0], -1, -1, 0, 1);
	give_clip(&vertex[1], 1, -1, 0, 1);
	give_clip(&vertex[2], 0, 1, 2, 1);
	tile_frame(chip, 0x4000, 1, 1, BIG);
	LIST(chip, 0, 103, LE16(512), LE16(512), 105, LE32(0x44000000), LE32(0x44000000), 106,
	     LE32(0x3f000000), LE32(0x3f000000));
	chip_go(chip, 0);
	assert_int_equal(tile_bin(chip, &primitive), PTB_DONE);
	tile_flush(chip);
	assert_int_equal(chip->sim->pctr.totals[11], 1);
	assert_int_equal(chip->sim->pctr.totals[10], 0);
	tile_read(chip, ALLOC, &list);
	assert_int_equal(tile_primitives(&list), 2);
	/* corners 0, 1 and the new one between 1 and 2 */
	item = &list.item[list.count - 2];
	assert_int_equal(item->id, 49);
	assert_int_equal(item->clipped, 4);
	assert_memory_equal(item->vertices, ((const uint32_t[]){ 5, 6, 7 }), 12);
	v3d_unpack_clipped_vertex(chip_bytes(chip, item->address), &record);
	assert_int_equal(record.xs, 256);
	assert_int_equal(record.ys, 0);
	assert_int_equal(record.zs, 0x3f800000);		/* on the far plane: 1 */
	assert_int_equal(record.one_over_wc, 0x3f800000);
	assert_int_equal(record.coefficient0, 0);
	assert_int_equal(record.coefficient1, 0x3f000000);
	assert_int_equal(record.coefficient2, 0x3f000000);
	item++;							/* vertex 0 and two new corners */
	assert_int_equal(item->id, 49);
	assert_int_equal(item->clipped, 6);
	v3d_unpack_clipped_vertex(chip_bytes(chip, item->address + 32), &record);
	assert_int_equal(record.xs, -256);
	assert_int_equal(record.coefficient0, 0x3f000000);
	assert_int_equal(record.coefficient1, 0);
}

/*
 * The first vertex is the one beyond: the others stay at their places, though the polygon begins
 * with a new corner. Data of a piece is there once, whatever the number of tiles.
 */
static void test_clipped_places(void **state)
{
	struct vertex vertex[3] = { tile_vertex(5, 0, 512), tile_vertex(6, -512, -512),
				    tile_vertex(7, 512, -512) };
	struct primitive primitive = { .kind = V3D_LIST_TRIANGLES, .provoking = 2, .clipping = true,
				       .vertex = { &vertex[0], &vertex[1], &vertex[2] } };
	struct chip *chip = *state;
	uint32_t pool;

	give_clip(&vertex[0], 0, 1, 2, 1);
	give_clip(&vertex[1], -1, -1, 0, 1);
	give_clip(&vertex[2], 1, -1, 0, 1);
	tile_frame(chip, 0x4000, 2, 2, BIG);
	LIST(chip, 0, 103, LE16(1024), LE16(1024), 105, LE32(0x44000000), LE32(0x44000000), 106,
	     LE32(0x3f000000), LE32(0x3f000000));
	chip_go(chip, 0);
	pool = rd(chip, 0x300);
	assert_int_equal(tile_bin(chip, &primitive), PTB_DONE);
	/* two new corners, one of them in both pieces */
	assert_int_equal(rd(chip, 0x300), pool + 3 * 32);
	tile_flush(chip);
	tile_read(chip, TILE_BIG(0), &list);
	tile_read(chip, TILE_BIG(1), &other);
	assert_int_equal(tile_primitives(&list), 2);
	assert_int_equal(list.item[list.count - 2].clipped, 1);
	assert_int_equal(list.item[list.count - 1].clipped, 3);
	assert_int_equal(list.item[list.count - 2].address, pool);
	assert_int_equal(other.item[other.count - 1].address, list.item[list.count - 1].address);
}

/*
 * Without the shader record's flag, and with BXCF's, vertices are where their screen coordinates
 * are.
 */
static void test_clipping_off(void **state)
{
	struct vertex vertex[3] = { tile_vertex(5, 0, 0), tile_vertex(6, 512, 0),
				    tile_vertex(7, 0, 512) };
	struct primitive primitive = { .kind = V3D_LIST_TRIANGLES, .provoking = 2,
				       .vertex = { &vertex[0], &vertex[1], &vertex[2] } };
	struct chip *chip = *state;
	unsigned int i;

	for (i = 0; i < 3; i++)
		give_clip(&vertex[i], 0, 0, 5, 1);
	for (i = 0; i < 3; i++) {
		primitive.clipping = i > 0;
		wr(chip, 0x310, i == 1 ? 2 : 0);		/* BXCF: CLIPDISA */
		tile_frame(chip, 0x1000, 1, 1, BIG);
		tile_bin(chip, &primitive);
		tile_flush(chip);
		tile_read(chip, ALLOC, &list);
		assert_int_equal(tile_primitives(&list), i != 2);
	}
	assert_int_equal(chip->sim->pctr.totals[10], 1);	/* outside */
	assert_int_equal(chip->sim->pctr.totals[11], 0);
}

static void test_outside_counts(void **state)
{
	struct chip *chip = *state;

	tile_frame(chip, 0x1000, 1, 1, BIG);
	TRIANGLE(chip, 2000, 10, 3000, 10, 2000, 50);		/* right of the frame */
	TRIANGLE(chip, 10, 10, 3000, 10, 10, 50);
	tile_flush(chip);
	assert_int_equal(chip->sim->pctr.totals[10], 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, chip_setup, chip_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_one_triangle), TEST(test_triangle_tiles), TEST(test_line_tiles),
		TEST(test_point_tiles), TEST(test_vg), TEST(test_tile_sizes), TEST(test_window),
		TEST(test_facing), TEST(test_provoking), TEST(test_state), TEST(test_next_frame),
		TEST(test_overspill), TEST(test_budget), TEST(test_hostile_state), TEST(test_reset),
		TEST(test_clipped), TEST(test_clipped_places), TEST(test_clipping_off),
		TEST(test_outside_counts),
	};

	return cmocka_run_group_tests_name("ptb-lists", tests, NULL, NULL);
}
