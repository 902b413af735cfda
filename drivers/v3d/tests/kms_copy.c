// SPDX-License-Identifier: GPL-2.0-only
/* Pixels on their way to the screen */
#include "kms.h"
#include "kunit.h"

/* A picture of two tiles by two: AG100 Figure 14, offsets read from there */
static void bv3d_t_corners(struct kunit *test)
{
	static const struct { u32 x, y, offset; } places[] = {
		{ 0, 0, 0 }, { 15, 0, 15 }, { 16, 0, 64 }, { 0, 1, 16 }, { 0, 4, 256 },
		/* sub-tiles of an even row of tiles: down, right, up */
		{ 0, 16, 1024 }, { 64, 16, 2048 }, { 64, 0, 3072 },
		{ 128, 0, 4096 },
		/* an odd row begins at its right end: lower right sub-tile, up, left, down */
		{ 128 + 64, 32 + 16, 8192 }, { 128 + 64, 32, 8192 + 1024 },
		{ 128, 32, 8192 + 2048 }, { 128, 32 + 16, 8192 + 3072 },
		{ 64, 32 + 16, 8192 + 4096 }, { 0, 32, 8192 + 4096 + 2048 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(places); i++)
		KUNIT_EXPECT_EQ_MSG(test, bv3d_t_offset(256, places[i].x, places[i].y),
				    places[i].offset, "place %u", i);
}

/* Each byte of whole tiles has a place of its own in them */
static void bv3d_t_places(struct kunit *test)
{
	const u32 pitch = 3 * BV3D_TILE_ROW, rows = 3 * BV3D_TILE_ROWS;
	u8 *seen = kunit_kzalloc(test, pitch * rows, GFP_KERNEL);
	u32 x, y, offset, twice = 0;

	KUNIT_ASSERT_NOT_NULL(test, seen);
	for (y = 0; y < rows; y++)
		for (x = 0; x < pitch; x++) {
			offset = bv3d_t_offset(pitch, x, y);
			KUNIT_ASSERT_LT(test, offset, pitch * rows);
			twice += seen[offset]++;
		}
	KUNIT_EXPECT_EQ(test, twice, 0);
}

static void bv3d_rows(struct kunit *test)
{
	const u32 pitch = 2 * BV3D_TILE_ROW, rows = BV3D_TILE_ROWS;
	u8 *linear = kunit_kzalloc(test, pitch * rows, GFP_KERNEL);
	u8 *tiled = kunit_kzalloc(test, pitch * rows, GFP_KERNEL);
	struct bv3d_pixels from = { .vaddr = linear, .pitch = pitch, .bytes = 4 };
	struct bv3d_pixels other = { .vaddr = tiled, .pitch = pitch, .bytes = 4, .t_tiled = true };
	u32 a[21], b[21], i;

	KUNIT_ASSERT_NOT_NULL(test, linear);
	KUNIT_ASSERT_NOT_NULL(test, tiled);
	for (i = 0; i < pitch * rows; i++) {
		linear[i] = i * 7 + i / 256;
		tiled[bv3d_t_offset(pitch, i % pitch, i / pitch)] = linear[i];
	}
	for (i = 0; i < rows; i++) {
		bv3d_copy_row(&from, i, i, a, 21);
		bv3d_copy_row(&other, i, i, b, 21);
		KUNIT_EXPECT_MEMEQ(test, a, linear + i * pitch + i * 4, sizeof(a));
		KUNIT_EXPECT_MEMEQ(test, a, b, sizeof(a));
	}
}

static void bv3d_rgb565(struct kunit *test)
{
	static const u16 narrow[] = { 0xdead, 0xf800, 0x07e0, 0x001f, 0xffff, 0x0000, 0x8410 };
	static const u32 wide[] = { 0xff0000, 0x00ff00, 0x0000ff, 0xffffff, 0, 0x848284 };
	struct bv3d_pixels from = { .vaddr = narrow, .pitch = sizeof(narrow), .bytes = 2 };
	u32 row[ARRAY_SIZE(wide)];

	bv3d_copy_row(&from, 1, 0, row, ARRAY_SIZE(row));
	KUNIT_EXPECT_MEMEQ(test, row, wide, sizeof(wide));
}

static struct kunit_case bv3d_kms_copy_cases[] = {
	KUNIT_CASE(bv3d_t_corners),
	KUNIT_CASE(bv3d_t_places),
	KUNIT_CASE(bv3d_rows),
	KUNIT_CASE(bv3d_rgb565),
	{}
};

static struct kunit_suite bv3d_kms_copy_suite = {
	.name = "v3d_kms_copy",
	.test_cases = bv3d_kms_copy_cases,
};

kunit_test_suite(bv3d_kms_copy_suite);
