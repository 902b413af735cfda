// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control lists that copy a picture to the screen, read as a V3D does: one width, that of the
 * frame, says where a tile lies in what is loaded and in what is stored
 */
#include <v3d/packets.h>

#include "kms.h"
#include "kunit.h"

#define PICTURE 0x10000000
#define SCREEN 0x3c000000
#define LIST_BYTES 65536

/* One tile of a list */
struct bv3d_told_tile {
	u32 load, store;		/* where it lies, by its coordinates */
	u32 column, row;
	bool last;
};

struct bv3d_told {
	u8 *list;
	struct v3d_tile_rendering_mode mode;
	struct bv3d_told_tile tiles[43 * 24];
	u32 count;
};

/* A tile of 32 x 32 pixels of 32 bits in T-format: whole tiles, every other row backwards */
static u32 bv3d_in_t(u32 base, u32 width, u32 column, u32 row)
{
	u32 tiles = DIV_ROUND_UP(width, 32);

	return base + 4096 * (row * tiles + (row & 1 ? tiles - 1 - column : column));
}

static u32 bv3d_in_raster(u32 base, u32 width, u32 column, u32 row)
{
	return base + 4 * (row * 32 * width + column * 32);
}

static const u8 *bv3d_tell_tile(struct bv3d_told *told, const u8 *at)
{
	struct bv3d_told_tile *tile = &told->tiles[told->count++];
	struct v3d_load_general load;
	struct v3d_tile_coordinates coordinates;
	struct v3d_store_general store;

	v3d_unpack_load_general(at, &load);
	at += V3D_LOAD_GENERAL_LENGTH;
	v3d_unpack_tile_coordinates(at, &coordinates);
	at += V3D_TILE_COORDINATES_LENGTH;
	v3d_unpack_store_general(at, &store);
	tile->column = coordinates.column;
	tile->row = coordinates.row;
	tile->last = store.last_tile;
	tile->load = bv3d_in_t(load.address, told->mode.width, tile->column, tile->row);
	tile->store = bv3d_in_raster(store.address, told->mode.width, tile->column, tile->row);
	return at + V3D_STORE_GENERAL_LENGTH;
}

static struct bv3d_told *bv3d_tell(struct kunit *test, const struct bv3d_pixels *from,
				   const struct bv3d_hidden *to, const struct drm_rect *area)
{
	struct bv3d_told *told = kunit_kzalloc(test, sizeof(*told), GFP_KERNEL);
	const u8 *at;
	u32 length;

	KUNIT_ASSERT_NOT_NULL(test, told);
	told->list = kunit_kzalloc(test, LIST_BYTES, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, told->list);
	length = bv3d_list_write(told->list, from, to, area);
	KUNIT_ASSERT_LE(test, length, LIST_BYTES);
	at = told->list + V3D_CLEAR_COLORS_LENGTH;
	v3d_unpack_tile_rendering_mode(at, &told->mode);
	at += V3D_TILE_RENDERING_MODE_LENGTH;
	while (at < told->list + length && told->count < ARRAY_SIZE(told->tiles))
		at = bv3d_tell_tile(told, at);
	KUNIT_EXPECT_PTR_EQ(test, at, (const u8 *)told->list + length);
	return told;
}

static const struct bv3d_pixels bv3d_tiled = {
	.address = PICTURE, .size = 2560 * 480, .pitch = 2560, .t_tiled = true, .bytes = 4,
};

/* 16 pixels of each row are never seen */
static const struct bv3d_hidden bv3d_vga = {
	.address = SCREEN, .pitch = 2624, .width = 640, .height = 480,
};

/* Each tile of the picture is loaded from where it is, and stored where it is to be */
static void bv3d_list_whole(struct kunit *test)
{
	const struct drm_rect all = DRM_RECT_INIT(0, 0, 640, 480);
	const struct bv3d_told *told = bv3d_tell(test, &bv3d_tiled, &bv3d_vga, &all);
	u32 i;

	KUNIT_ASSERT_EQ(test, told->count, 20 * 15);
	KUNIT_EXPECT_EQ(test, told->mode.width * 4, bv3d_vga.pitch);
	KUNIT_EXPECT_EQ(test, told->mode.height, bv3d_vga.height);
	for (i = 0; i < told->count; i++) {
		u32 column = i % 20, row = i / 20;

		KUNIT_ASSERT_EQ(test, told->tiles[i].load, bv3d_in_t(PICTURE, 640, column, row));
		KUNIT_ASSERT_EQ(test, told->tiles[i].store,
				SCREEN + 2624 * 32 * row + 128 * column);
		KUNIT_ASSERT_EQ(test, told->tiles[i].last, i == 20 * 15 - 1);
	}
}

/* What has a part in the area, and nothing else */
static void bv3d_list_part(struct kunit *test)
{
	const struct drm_rect part = { .x1 = 31, .y1 = 64, .x2 = 65, .y2 = 96 };
	const struct bv3d_told *told = bv3d_tell(test, &bv3d_tiled, &bv3d_vga, &part);
	u32 i;

	KUNIT_ASSERT_EQ(test, told->count, 3);
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, told->tiles[i].column, i);
		KUNIT_EXPECT_EQ(test, told->tiles[i].row, 2);
		KUNIT_EXPECT_EQ(test, told->tiles[i].last, i == 2);
	}
}

/* Its end is below its size */
static void bv3d_list_room(struct kunit *test)
{
	const struct bv3d_pixels from = { .address = PICTURE, .size = 1408 * 4 * 768, .bytes = 4,
					  .pitch = 1376 * 4, .t_tiled = true };
	const struct bv3d_hidden to = { SCREEN, 1384 * 4, 1366, 768 };
	const struct drm_rect all = DRM_RECT_INIT(0, 0, 1366, 768);
	const struct bv3d_told *told = bv3d_tell(test, &from, &to, &all);

	KUNIT_EXPECT_EQ(test, told->count, 43 * 24);
	KUNIT_EXPECT_LT(test, bv3d_list_write(told->list, &from, &to, &all),
			bv3d_list_size(1366, 768));
}

static void bv3d_list_cannot(struct kunit *test)
{
	struct bv3d_pixels from = bv3d_tiled;
	struct bv3d_hidden to = bv3d_vga;

	KUNIT_EXPECT_TRUE(test, bv3d_list_can(&from, &to));
	from.bytes = 2;
	KUNIT_EXPECT_FALSE_MSG(test, bv3d_list_can(&from, &to), "RGB565");
	from = bv3d_tiled;
	from.x = 32;
	KUNIT_EXPECT_FALSE_MSG(test, bv3d_list_can(&from, &to), "not from the first pixel on");
	from = bv3d_tiled;
	from.address = 0;
	KUNIT_EXPECT_FALSE_MSG(test, bv3d_list_can(&from, &to), "out of reach");
	from = bv3d_tiled;
	from.address = 4096;
	KUNIT_EXPECT_FALSE_MSG(test, bv3d_list_can(&from, &to), "a base below 0");
	from = bv3d_tiled;
	from.size -= 4;
	KUNIT_EXPECT_FALSE_MSG(test, bv3d_list_can(&from, &to), "beyond its BO");
	to.address = 0;
	KUNIT_EXPECT_FALSE_MSG(test, bv3d_list_can(&bv3d_tiled, &to), "a screen out of reach");
	to = bv3d_vga;
	to.pitch = 4096 * 4;
	KUNIT_EXPECT_FALSE_MSG(test, bv3d_list_can(&bv3d_tiled, &to), "too wide a screen");
	from = bv3d_tiled;
	from.t_tiled = false;
	KUNIT_EXPECT_FALSE_MSG(test, bv3d_list_can(&from, &bv3d_vga), "linear");
}

static struct kunit_case bv3d_kms_list_cases[] = {
	KUNIT_CASE(bv3d_list_whole),
	KUNIT_CASE(bv3d_list_part),
	KUNIT_CASE(bv3d_list_room),
	KUNIT_CASE(bv3d_list_cannot),
	{}
};

static struct kunit_suite bv3d_kms_list_suite = {
	.name = "v3d_kms_list",
	.test_cases = bv3d_kms_list_cases,
};

kunit_test_suite(bv3d_kms_list_suite);
