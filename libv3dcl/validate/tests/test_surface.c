// SPDX-License-Identifier: MIT
/*
 * What a frame says of its size, tiles and surfaces: each rule with a submit that breaks it.
 */
#include "render.h"

#define FIELD_REFUSED(field, value, rule) \
	do { \
		NO_BIN(); \
		t->submit.field = (value); \
		refuses(SURFACE, rule, AT(field)); \
	} while (0)

TEST(test_sizes)
{
	FIELD_REFUSED(width, 0, SIZE_RANGE);
	FIELD_REFUSED(width, 4097, SIZE_RANGE);
	FIELD_REFUSED(height, 0, SIZE_RANGE);
	FIELD_REFUSED(height, 65535, SIZE_RANGE);
	/* 4096 by 4096 pixels: 64 by 64 tiles */
	NO_BIN();
	t->bos[BO_COLOR].size = 1 << 26;
	t->submit.width = 4096;
	t->submit.height = 4096;
	t->submit.max_x_tile = 63;
	t->submit.max_y_tile = 63;
	accepts();
	assert_int_equal(t->job.render_bytes, 35 + 4096 * 4 + V3DCL_AFTER_LIST);
	t->bos[BO_COLOR].size--;
	refuses(SURFACE, SURFACE_END, AT(color_write.offset));
}

TEST(test_tiles)
{
	NO_BIN();
	t->submit.min_x_tile = 1;
	t->submit.max_x_tile = 0;
	refuses(SURFACE, TILE_ORDER, AT(min_x_tile));
	NO_BIN();
	t->submit.min_y_tile = 1;
	t->submit.max_y_tile = 0;
	refuses(SURFACE, TILE_ORDER, AT(min_y_tile));
	FIELD_REFUSED(max_x_tile, 2, TILE_FRAME);
	FIELD_REFUSED(max_y_tile, 2, TILE_FRAME);
	/* 256 tiles in 8 bits are not 0. */
	FIELD_REFUSED(max_x_tile, 255, TILE_FRAME);
}

/* Tiles of the bin list: column 2 of 2 does not exist. */
TEST(test_bin_tiles)
{
	(void)state;
	frame_start(t);
	frame_end(t);
	frame_submit(t);
	t->bos[BO_COLOR].size = 256 * 256 * 4;
	t->submit.width = 256;
	t->submit.height = 256;
	t->submit.max_x_tile = 2;
	refuses(SURFACE, TILE_BIN, AT(max_x_tile));
	t->submit.max_x_tile = 1;
	t->submit.max_y_tile = 2;
	refuses(SURFACE, TILE_BIN, AT(max_y_tile));
	t->submit.max_y_tile = 1;
	accepts();
	t->submit.color_write.bits |= 1;
	refuses(SURFACE, SURFACE_MULTISAMPLE, AT(color_write.bits));
}

TEST(test_flags)
{
	NO_BIN();
	t->submit.flags = 16;
	refuses(SUBMIT, SUBMIT_FLAGS, AT(flags));
	NO_BIN();
	t->submit.color_write.flags = 1;
	refuses(SURFACE, SURFACE_FLAGS, AT(color_write.flags));
	NO_BIN();
	t->submit.color_read.flags = 2;
	refuses(SURFACE, SURFACE_FLAGS, AT(color_read.flags));
	NO_BIN();
	t->submit.zs_write.flags = 1;
	refuses(SURFACE, SURFACE_FLAGS, AT(zs_write.flags));
	NO_BIN();
	t->submit.msaa_zs_write.flags = 1;
	refuses(SURFACE, SURFACE_FLAGS, AT(msaa_zs_write.flags));
}

/* Each bit of a surface's bits alone: either it is known, or refused */
TEST(test_bits)
{
	unsigned int bit;

	(void)state;
	for (bit = 0; bit < 16; bit++) {
		NO_BIN();
		t->submit.color_write.bits = 1 << bit;
		t->bos[BO_COLOR].size = 1 << 20;
		if (bit == 5 || bit == 1 || bit > 7)
			refuses(SURFACE, SURFACE_BITS, AT(color_write.bits));
		else
			accepts();
	}
	for (bit = 0; bit < 16; bit++) {
		NO_BIN();
		t->submit.color_read = (struct drm_vc4_submit_rcl_surface){
			.hindex = BO_COLOR, .bits = V3D_BUFFER_COLOR | 1 << bit,
		};
		if (bit == 3 || bit == 6 || bit == 7 || bit > 9)
			refuses(SURFACE, SURFACE_BITS, AT(color_read.bits));
		else if (bit == 1 || bit == 2)
			refuses(SURFACE, SURFACE_BUFFER, AT(color_read.bits));
		else
			accepts();
	}
}

TEST(test_formats)
{
	NO_BIN();
	t->submit.color_write.bits = 3 << 2;
	refuses(SURFACE, SURFACE_PIXEL, AT(color_write.bits));
	NO_BIN();
	t->submit.color_write.bits = 3 << 6;
	refuses(SURFACE, SURFACE_TILING, AT(color_write.bits));
	NO_BIN();
	t->submit.color_read = (struct drm_vc4_submit_rcl_surface){
		.hindex = BO_COLOR, .bits = V3D_BUFFER_COLOR | 3 << 4
	};
	refuses(SURFACE, SURFACE_TILING, AT(color_read.bits));
	NO_BIN();
	t->submit.color_read = (struct drm_vc4_submit_rcl_surface){
		.hindex = BO_COLOR, .bits = V3D_BUFFER_COLOR | 3 << 8
	};
	refuses(SURFACE, SURFACE_PIXEL, AT(color_read.bits));
	NO_BIN();
	t->submit.zs_read = (struct drm_vc4_submit_rcl_surface){ .hindex = BO_ZS,
								 .bits = V3D_BUFFER_ZS | 1 << 8 };
	refuses(SURFACE, SURFACE_PIXEL, AT(zs_read.bits));
	NO_BIN();
	t->submit.zs_write = (struct drm_vc4_submit_rcl_surface){ .hindex = BO_ZS,
								  .bits = V3D_BUFFER_COLOR };
	refuses(SURFACE, SURFACE_BUFFER, AT(zs_write.bits));
	NO_BIN();
	t->submit.zs_read = (struct drm_vc4_submit_rcl_surface){ .hindex = BO_ZS,
								 .bits = V3D_BUFFER_ZS,
								 .flags = 1 };
	refuses(SURFACE, SURFACE_BITS, AT(zs_read.bits));
}

/*
 * 128 by 100 pixels: raster has whole rows of 16 bytes, LT whole micro-tiles, T whole tiles of 32
 * by 32 (64 by 32 at 16 bits)
 */
TEST(test_extents)
{
	static const struct {
		__u32 bits, bytes;
	} frames[] = {
		{ V3D_FRAME_RGBA8888 << 2 | V3D_RASTER << 6, 128 * 100 * 4 },
		{ V3D_FRAME_RGBA8888 << 2 | V3D_LT_FORMAT << 6, 128 * 100 * 4 },
		{ V3D_FRAME_RGBA8888 << 2 | V3D_T_FORMAT << 6, 128 * 128 * 4 },
		{ V3D_FRAME_BGR565 << 2 | V3D_RASTER << 6, 128 * 100 * 2 },
		{ V3D_FRAME_BGR565_DITHERED << 2 | V3D_T_FORMAT << 6, 128 * 128 * 2 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
		NO_BIN();
		t->submit.color_write.bits = frames[i].bits;
		t->submit.color_write.offset = 32;
		t->bos[BO_COLOR].size = frames[i].bytes + 32;
		accepts();
		t->bos[BO_COLOR].size--;
		refuses(SURFACE, SURFACE_END, AT(color_write.offset));
	}
	NO_BIN();
	t->submit.width = 127;
	t->bos[BO_COLOR].size = 128 * 100 * 4 - 1;
	refuses(SURFACE, SURFACE_END, AT(color_write.offset));
	NO_BIN();
	t->submit.color_write.offset = 0xfffffff0;
	refuses(SURFACE, SURFACE_END, AT(color_write.offset));
	/* The same for loads */
	NO_BIN();
	t->submit.color_read = (struct drm_vc4_submit_rcl_surface){
		.hindex = BO_ZS, .bits = V3D_BUFFER_COLOR | V3D_BGR565 << 8
	};
	t->bos[BO_ZS].size = 128 * 100 * 2;
	accepts();
	t->bos[BO_ZS].size--;
	refuses(SURFACE, SURFACE_END, AT(color_read.offset));
}

/* A dump of 4 by 4 tiles: tile (x, y) is number 4 y + x, whatever the first one rendered. */
TEST(test_full_extents)
{
	NO_BIN();
	t->submit.color_write.bits |= 1;
	t->submit.max_x_tile = 2;
	t->submit.max_y_tile = 3;
	t->submit.msaa_color_write.hindex = BO_ZS;
	t->submit.msaa_color_write.offset = 16;
	t->bos[BO_ZS].size = 15 * 16384 + 16;
	accepts();
	t->bos[BO_ZS].size--;
	refuses(SURFACE, SURFACE_END, AT(msaa_color_write.offset));
	t->submit.msaa_color_write.bits = 1;
	refuses(SURFACE, SURFACE_BITS, AT(msaa_color_write.bits));
}

TEST(test_alignment)
{
	static const __u32 places[] = { AT(color_read), AT(color_write), AT(zs_read),
					AT(zs_write), AT(msaa_color_write), AT(msaa_zs_write) };
	unsigned int i;

	(void)state;
	for (i = 0; i < 6; i++) {
		struct drm_vc4_submit_rcl_surface *surface;

		NO_BIN();
		surface = (void *)((__u8 *)&t->submit + places[i]);
		surface->hindex = BO_ZS;
		surface->offset = 8;
		refuses(SURFACE, SURFACE_ALIGNMENT, places[i] + 4);
		surface->hindex = BOS;
		refuses(SURFACE, BO_INDEX, places[i]);
		surface->hindex = BO_FS;
		refuses(SURFACE, BO_PLAIN, places[i]);
		surface->hindex = BO_PROGRAM;
		refuses(SURFACE, BO_PLAIN, places[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_tiles),
		cmocka_unit_test(test_bin_tiles),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_bits),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_extents),
		cmocka_unit_test(test_full_extents),
		cmocka_unit_test(test_alignment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
