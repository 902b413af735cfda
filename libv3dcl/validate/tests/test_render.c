// SPDX-License-Identifier: MIT
/*
 * Render lists: their bytes, for jobs as Mesa and IGT send them.
 */
#include "render.h"

/*
 * IGT's way to fill a BO: 1024 by 1 pixels. The hardware clips what it stores to the frame, so the
 * list has to say its height.
 */
TEST(test_igt_clear)
{
	static const __u8 head[] = {
		/* clear colours */
		114, 0x78, 0x56, 0x34, 0x12, 0x78, 0x56, 0x34, 0x12, 0, 0, 0, 0, 0,
		/* 1024 by 1, rgba8888, raster */
		113, 0, 0x00, 0x0a, 0x10, 0, 4, 1, 0, 4, 0,
		/* a store of nothing */
		115, 0, 0, 28, 0, 0, 0, 0, 0, 0,
	};
	int x;

	NO_BIN();
	t->bos[BO_COLOR].address = 0x100a0000;
	t->bos[BO_COLOR].size = 4096;
	t->submit.width = 1024;
	t->submit.height = 1;
	t->submit.max_x_tile = 15;
	t->submit.max_y_tile = 0;
	t->submit.flags = VC4_SUBMIT_CL_USE_CLEAR_COLOR;
	t->submit.clear_color[0] = 0x12345678;
	t->submit.clear_color[1] = 0x12345678;
	accepts();
	assert_int_equal(t->job.render_bytes, 35 + 16 * 4 + V3DCL_AFTER_LIST);
	assert_memory_equal(t->render.bytes, head, sizeof(head));
	for (x = 0; x < 16; x++) {
		const __u8 tile[] = { 115, x, 0, x == 15 ? 25 : 24 };

		assert_memory_equal(t->render.bytes + 35 + 4 * x, tile, 4);
	}
	assert_int_equal(t->bos[BO_COLOR].uses, V3DCL_WRITE);
}

/* Without clear colours of the user's, zeros. */
TEST(test_no_clear)
{
	static const __u8 zeros[] = { 114, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 113 },
			  nothing[] = { 115, 0, 0, 28, 0, 0 };

	NO_BIN();
	t->submit.clear_color[0] = 0x12345678;
	t->submit.clear_z = 0xffffff;
	accepts();
	assert_memory_equal(t->render.bytes, zeros, sizeof(zeros));
	assert_memory_equal(t->render.bytes + 25, nothing, sizeof(nothing));
}

/* Z, VG mask and stencil: 24, 8 and 8 bits */
TEST(test_clear_depth)
{
	static const __u8 z[] = { 0x56, 0x34, 0x12, 0xab, 0xcd };

	NO_BIN();
	t->submit.flags = VC4_SUBMIT_CL_USE_CLEAR_COLOR;
	t->submit.clear_z = 0xab123456;
	t->submit.clear_s = 0xcd;
	accepts();
	assert_memory_equal(t->render.bytes + 9, z, sizeof(z));
}

/* Colour and Z loaded and stored around each tile's list: 2 by 2 tiles */
TEST(test_full_frame)
{
	__u8 tile[] = {
		29, 0x01, 0, 0, 0, 0, 0,	/* load colour, raster, rgba8888 */
		115, 0, 0, 28, 0, 0xe0, 0, 0, 0, 0,
		29, 0x12, 0, 0, 0, 0, 0,	/* load Z and stencil, T-format */
		115, 0, 0,
		17, 0, 0, 0, 0,			/* the tile's list */
		28, 0x12, 0x20, 0, 0, 0, 0,	/* store Z and stencil, do not clear colour */
		115, 0, 0,
		24,
	};
	static const __u8 places[] = { 8, 25, 40 };
	__u32 color, zs, i, j;

	(void)state;
	frame_start(t);
	frame_end(t);
	frame_submit(t);
	t->submit.color_read = (struct drm_vc4_submit_rcl_surface){ .hindex = BO_COLOR,
								    .bits = V3D_BUFFER_COLOR };
	t->submit.zs_read = (struct drm_vc4_submit_rcl_surface){
		.hindex = BO_ZS, .bits = V3D_BUFFER_ZS | V3D_T_FORMAT << 4
	};
	t->submit.zs_write = t->submit.zs_read;
	accepts();
	assert_int_equal(t->job.render_bytes, 35 + 4 * sizeof(tile) + V3DCL_AFTER_LIST);
	color = t->bos[BO_COLOR].address;
	zs = t->bos[BO_ZS].address;
	memcpy(tile + 3, &color, 4);
	memcpy(tile + 20, &zs, 4);
	memcpy(tile + 35, &zs, 4);
	for (i = 0; i < 4; i++) {
		__u32 list = 0x30400000 + i * 32;

		for (j = 0; j < 3; j++) {
			tile[places[j]] = i % 2;
			tile[places[j] + 1] = i / 2;
		}
		memcpy(tile + 28, &list, 4);
		tile[42] = i == 3 ? 25 : 24;
		assert_memory_equal(t->render.bytes + 35 + i * sizeof(tile), tile, sizeof(tile));
	}
	assert_int_equal(t->bos[BO_COLOR].uses, V3DCL_READ | V3DCL_WRITE);
	assert_int_equal(t->bos[BO_ZS].uses, V3DCL_READ | V3DCL_WRITE);
}

/* Full resolution surfaces: 4 samples a pixel, tiles of 32 by 32 pixels, 16 KiB each */
TEST(test_multisample)
{
	__u8 tile[] = {
		27, 0, 0, 0, 0,		/* load colour, not Z */
		115, 0, 0, 28, 0, 0xe0, 0, 0, 0, 0,
		27, 0, 0, 0, 0,
		115, 0, 0,
		26, 0, 0, 0, 0,		/* store colour, do not clear */
		115, 0, 0,
		26, 0, 0, 0, 0,
		115, 0, 0,
		24,
	};
	static const __u8 places[] = { 6, 21, 29, 37 };
	__u32 i, j, bytes = 4 * 4 * 16384;

	NO_BIN();
	t->bos[BO_COLOR].size = bytes + 128 * 100 * 4;
	t->bos[BO_ZS].size = bytes;
	t->submit.max_x_tile = 3;
	t->submit.max_y_tile = 3;
	t->submit.color_write.bits |= 1 | 1 << 4;	/* 4x, decimated */
	t->submit.color_write.offset = bytes;
	t->submit.color_read = (struct drm_vc4_submit_rcl_surface){ .hindex = BO_COLOR,
								    .flags = 1 };
	t->submit.zs_read = (struct drm_vc4_submit_rcl_surface){ .hindex = BO_ZS, .flags = 1 };
	t->submit.msaa_color_write = (struct drm_vc4_submit_rcl_surface){ .hindex = BO_COLOR };
	t->submit.msaa_zs_write = (struct drm_vc4_submit_rcl_surface){ .hindex = BO_ZS };
	accepts();
	assert_int_equal(t->job.render_bytes, 35 + 16 * sizeof(tile) + V3DCL_AFTER_LIST);
	for (i = 0; i < 16; i++) {
		__u32 color = t->bos[BO_COLOR].address + i * 16384,
		      zs = t->bos[BO_ZS].address + i * 16384;
		const __u32 words[] = { color | 2, zs | 1, color | 2 | 4, zs | 1 | 4 };

		memcpy(tile + 1, &words[0], 4);
		memcpy(tile + 16, &words[1], 4);
		memcpy(tile + 24, &words[2], 4);
		memcpy(tile + 32, &words[3], 4);
		for (j = 0; j < 4; j++) {
			tile[places[j]] = i % 4;
			tile[places[j] + 1] = i / 4;
		}
		tile[39] = i == 15 ? 25 : 24;
		assert_memory_equal(t->render.bytes + 35 + i * sizeof(tile), tile, sizeof(tile));
	}
}

/* The last store of a tile clears, that of the last tile ends the frame, whichever it is. */
TEST(test_last_store)
{
	static const __u8 zs[] = { 28, 0x02, 0, 0x08 }, msaa_color[] = { 26, 0x0a },
			  msaa_zs[] = { 26, 0x09 };

	NO_BIN();
	t->submit.max_x_tile = 0;
	t->submit.max_y_tile = 0;
	t->submit.color_write.hindex = ~0u;
	t->submit.zs_write = (struct drm_vc4_submit_rcl_surface){ .hindex = BO_ZS,
								  .bits = V3D_BUFFER_ZS };
	accepts();
	assert_int_equal(t->job.render_bytes, 35 + 10 + V3DCL_AFTER_LIST);
	assert_memory_equal(t->render.bytes + 38, zs, 3);
	assert_int_equal(t->render.bytes[41] & 15, 8);
	memset(t->render.bytes, 0xa5, sizeof(t->render.bytes));
	t->submit.zs_write.hindex = ~0u;
	t->submit.msaa_color_write.hindex = BO_COLOR;
	accepts();
	assert_int_equal(t->render.bytes[38], msaa_color[0]);
	assert_int_equal(t->render.bytes[39] & 15, msaa_color[1]);
	t->submit.msaa_color_write.hindex = ~0u;
	t->submit.msaa_zs_write.hindex = BO_ZS;
	accepts();
	assert_int_equal(t->render.bytes[39] & 15, msaa_zs[1]);
}

/* Of four tiles the last one only: the flags of each one's store */
TEST(test_last_tile)
{
	__u32 i;

	NO_BIN();
	t->submit.color_write.hindex = ~0u;
	t->submit.zs_write = (struct drm_vc4_submit_rcl_surface){ .hindex = BO_ZS,
								  .bits = V3D_BUFFER_ZS };
	accepts();
	for (i = 0; i < 4; i++)
		assert_int_equal(t->render.bytes[41 + 10 * i] & 15, i == 3 ? 8 : 0);
	memset(t->render.bytes, 0xa5, sizeof(t->render.bytes));
	t->submit.zs_write.hindex = ~0u;
	t->bos[BO_COLOR].size = 1 << 20;
	t->submit.msaa_color_write.hindex = BO_COLOR;
	accepts();
	for (i = 0; i < 4; i++)
		assert_int_equal(t->render.bytes[39 + 8 * i] & 15, i == 3 ? 0x0a : 0x02);
}

/*
 * Nothing is stored: each tile ends with a store of nothing that clears, the last tile the frame.
 */
TEST(test_no_store)
{
	static const __u8 nothing[] = { 28, 0, 0, 0x00, 0, 0, 0 },
			  end[] = { 28, 0, 0, 0x08, 0, 0, 0 };
	__u32 i;

	NO_BIN();
	t->submit.color_write.hindex = ~0u;
	accepts();
	assert_int_equal(t->job.render_bytes, 35 + 4 * 10 + V3DCL_AFTER_LIST);
	for (i = 0; i < 4; i++) {
		const __u8 tile[] = { 115, i % 2, i / 2 };

		assert_memory_equal(t->render.bytes + 35 + 10 * i, tile, 3);
		assert_memory_equal(t->render.bytes + 38 + 10 * i, i == 3 ? end : nothing, 7);
	}
	assert_int_equal(t->bos[BO_COLOR].uses, 0);
	memset(t->render.bytes, 0xa5, sizeof(t->render.bytes));
	t->submit.color_read = (struct drm_vc4_submit_rcl_surface){ .hindex = BO_COLOR,
								    .bits = V3D_BUFFER_COLOR };
	accepts();
	assert_int_equal(t->job.render_bytes, 35 + 4 * 17 + V3DCL_AFTER_LIST);
	assert_memory_equal(t->render.bytes + 35 + 4 * 17 - 7, end, 7);
	assert_int_equal(t->bos[BO_COLOR].uses, V3DCL_READ);
}

/* The order of tiles, for blits that overlap */
TEST(test_order)
{
	static const struct {
		__u32 flags;
		__u8 x[6], y[6];
	} orders[] = {
		{ 0, { 1, 2, 3, 1, 2, 3 }, { 2, 2, 2, 3, 3, 3 } },
		{ VC4_SUBMIT_CL_FIXED_RCL_ORDER, { 3, 2, 1, 3, 2, 1 }, { 3, 3, 3, 2, 2, 2 } },
		{ VC4_SUBMIT_CL_FIXED_RCL_ORDER | VC4_SUBMIT_CL_RCL_ORDER_INCREASING_X,
		  { 1, 2, 3, 1, 2, 3 }, { 3, 3, 3, 2, 2, 2 } },
		{ VC4_SUBMIT_CL_FIXED_RCL_ORDER | VC4_SUBMIT_CL_RCL_ORDER_INCREASING_Y,
		  { 3, 2, 1, 3, 2, 1 }, { 2, 2, 2, 3, 3, 3 } },
		{ 15 & ~VC4_SUBMIT_CL_USE_CLEAR_COLOR, { 1, 2, 3, 1, 2, 3 }, { 2, 2, 2, 3, 3, 3 } },
	};
	unsigned int i, j;

	(void)state;
	for (i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		NO_BIN();
		t->bos[BO_COLOR].size = 256 * 256 * 4;
		t->submit.width = 256;
		t->submit.height = 256;
		t->submit.flags = orders[i].flags;
		t->submit.min_x_tile = 1;
		t->submit.max_x_tile = 3;
		t->submit.min_y_tile = 2;
		t->submit.max_y_tile = 3;
		accepts();
		for (j = 0; j < 6; j++) {
			const __u8 tile[] = { 115, orders[i].x[j], orders[i].y[j],
					      j == 5 ? 25 : 24 };

			assert_memory_equal(t->render.bytes + 35 + 4 * j, tile, 4);
		}
	}
}

TEST(test_room)
{
	NO_BIN();
	accepts();
	assert_int_equal(t->job.render_bytes, 35 + 4 * 4 + V3DCL_AFTER_LIST);
	t->job.render.size = t->job.render_bytes - 1;
	assert_false(v3dcl_build_render(&t->job));
	assert_refusal(&t->job.refusal, SUBMIT, NO_ROOM, 0);
	t->job.render.size++;
	assert_true(v3dcl_build_render(&t->job));
	t->job.render.address = 0xffffffe0;
	assert_false(v3dcl_build_render(&t->job));
	assert_refusal(&t->job.refusal, SUBMIT, NO_ROOM, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_igt_clear),
		cmocka_unit_test(test_no_clear),
		cmocka_unit_test(test_clear_depth),
		cmocka_unit_test(test_full_frame),
		cmocka_unit_test(test_multisample),
		cmocka_unit_test(test_last_store),
		cmocka_unit_test(test_last_tile),
		cmocka_unit_test(test_no_store),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
