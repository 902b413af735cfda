// SPDX-License-Identifier: MIT
/*
 * What a list refuses: each with its reason, and the list as it was. Values first, then records in
 * the wrong list or out of order, in bin lists, render lists and sub-lists.
 */
#include "fail_alloc.h"

#include <v3d/lists.h>

#include "v3dcl_cl.h"

#define RECORD(name, ...) (&(struct v3dcl_##name){ __VA_ARGS__ })
#define AT(n) { 0, n }

static struct v3dcl_list list_of(enum v3dcl_list_kind kind)
{
	struct v3dcl_list list;

	v3dcl_list_init(&list, kind);
	return list;
}

/* Refused with these words, the list as it was: REFUSED(&list, text, call with &error) */
#define REFUSED(list, words, call) do { \
		const struct v3dcl_list before_ = *(list); \
		error.text[0] = 0; \
		assert_int_equal(call, -EINVAL); \
		if (!strstr(error.text, words)) \
			fail_msg("\"%s\" does not say \"%s\"", error.text, words); \
		assert_int_equal((list)->block.bytes.size, before_.block.bytes.size); \
		assert_int_equal((list)->block.fixups.size, before_.block.fixups.size); \
		assert_memory_equal(&(list)->state, &before_.state, sizeof(before_.state)); \
		assert_int_equal(error.offset, before_.block.bytes.size); \
	} while (0)
#define OK(call) do { \
		const int ret_ = (call); \
		if (ret_) \
			fail_msg("%s", error.text); \
	} while (0)

static struct v3dcl_error error;

/* Values, in a list in which everything may stand */
#define BAD(words, name, ...) \
	do { \
		struct v3dcl_list list_ = list_of(V3DCL_SUB_LIST); \
		REFUSED(&list_, words, \
			v3dcl_list_##name(&list_, RECORD(name, __VA_ARGS__), &error)); \
		v3dcl_list_free(&list_); \
	} while (0)

static void values_that_do_not_fit(void **state)
{
	(void)state;
	BAD("width is 65536, which 16 bits cannot hold", clip_window, .width = 65536);
	assert_string_equal(error.record, "clip_window");
	assert_string_equal(error.field, "width");
	assert_int_equal(error.found, 65536);
	assert_int_equal(error.expected, 65535);
	BAD("x is 32768, which 16 bits cannot hold", rht_x_boundary, .x = 32768);
	assert_int_equal(error.expected, 32767);
	BAD("x is -32769, which 16 bits cannot hold", viewport_offset, .x = -32769);
	BAD("z is 16777216", clear_colors, .z = 1 << 24);
	BAD("single_threaded is 2", vg_inline_shader_state, .single_threaded = 2);
	BAD("depth_function is 8", configuration_bits, .depth_function = 8);
}

static void values_that_do_not_exist(void **state)
{
	(void)state;
	BAD("buffer is 6: only 0 to 5 exist", store_general, .buffer = 6);
	assert_int_equal(error.found, 6);
	assert_int_equal(error.expected, 5);
	BAD("format is 3", store_general, .format = 3);
	BAD("mode is 3", store_general, .mode = 3);
	BAD("pixel is 3", store_general, .pixel = 3);
	BAD("buffer is 7", load_general, .buffer = 7);
	BAD("Z is loaded with stencil only", load_general, .buffer = 3);
	BAD("format is 3", load_general, .format = 3);
	BAD("pixel is 3", load_general, .pixel = 3);
	BAD("mode is 7: only 0 to 6 exist", indexed_primitives, .mode = 7, .length = 3);
	BAD("index_type is 2", indexed_primitives, .index_type = 2, .length = 3);
	BAD("length is 0: only 1 to 4294967295", indexed_primitives, .mode = 4);
	BAD("mode is 7", array_primitives, .mode = 7, .length = 3);
	BAD("length is 0", array_primitives, .mode = 4);
	BAD("length is 65537", array_primitives, .length = 65537);
	BAD("first_vertex is 65536", array_primitives, .length = 1, .first_vertex = 65536);
	BAD("the last vertex is 65536: only 0 to 65535", array_primitives, .length = 3,
	    .first_vertex = 65534);
	BAD("mode is 0", vg_coordinate_primitives, .length = 1);
	BAD("mode 2", vg_coordinate_primitives, .mode = 2, .length = 1);
	BAD("mode is 7", vg_coordinate_primitives, .mode = 7, .length = 1);
	BAD("length is 0", vg_coordinate_primitives, .mode = 4);
	BAD("only triangle fans", vg_coordinate_primitives, .mode = 4, .continuation = 1,
	    .length = 1);
	BAD("continuation is 2", vg_coordinate_primitives, .mode = 6, .continuation = 2,
	    .length = 1);
	BAD("primitive is 4", primitive_list_format, .primitive = 4, .data = 1);
	BAD("data is 0: only 1 to 3", primitive_list_format, .primitive = 2);
	BAD("no list of primitive 2 with data 2", primitive_list_format, .primitive = 2, .data = 2);
	BAD("no list of primitive 1 with data 3", primitive_list_format, .primitive = 1, .data = 3);
	BAD("oversample is 3", configuration_bits, .oversample = 3);
	BAD("width is 0", tile_binning_mode, .height = 1);
	BAD("height is 0", tile_binning_mode, .width = 1);
	BAD("width is 0", tile_rendering_mode, .height = 1);
	BAD("height is 0", tile_rendering_mode, .width = 1);
	BAD("pixel is 3", tile_rendering_mode, .width = 1, .height = 1, .pixel = 3);
	BAD("decimate is 3", tile_rendering_mode, .width = 1, .height = 1, .decimate = 3);
	BAD("format is 3", tile_rendering_mode, .width = 1, .height = 1, .format = 3);
}

static void addresses_that_are_not_aligned(void **state)
{
	(void)state;
	BAD("address is at 0x18, no multiple of 16", store_full, .address = { 1, 24 });
	assert_int_equal(error.found, 24);
	assert_int_equal(error.expected, 16);
	BAD("no multiple of 16", load_full, .address = AT(8));
	BAD("no multiple of 16", store_general, .address = AT(8));
	BAD("no multiple of 16", load_general, .address = AT(8));
	BAD("no multiple of 16", gl_shader_state, .address = AT(8));
	BAD("no multiple of 16", nv_shader_state, .address = { 1, 8 });
	BAD("no multiple of 16", vg_shader_state, .address = { 1, 8 });
	BAD("code is at 0x4, no multiple of 8", vg_inline_shader_state, .code = { 1, 4 });
	BAD("uniforms is at 0x2, no multiple of 4", vg_inline_shader_state, .uniforms = { 1, 2 });
	BAD("address is at 0x1, no multiple of 2", indexed_primitives, .index_type = 1, .length = 1,
	    .address = { 1, 1 });
	BAD("no multiple of 4", vg_coordinate_primitives, .mode = 4, .length = 1,
	    .address = { 1, 2 });
	BAD("address is at 0x10, no multiple of 256", tile_binning_mode, .width = 1, .height = 1,
	    .address = { 1, 16 });
	BAD("state is at 0x8, no multiple of 16", tile_binning_mode, .width = 1, .height = 1,
	    .state = { 1, 8 });
	BAD("no multiple of 16", tile_rendering_mode, .width = 1, .height = 1, .address = { 1, 8 });
}

static void records_that_do_not_exist(void **state)
{
	struct v3dcl_list list = list_of(V3DCL_SUB_LIST);
	const uint8_t byte = 0;

	(void)state;
	REFUSED(&list, "no control record has the number 2",
		v3dcl_list_add(&list, 2, NULL, NULL, 0, &error));
	REFUSED(&list, "its fields are missing",
		v3dcl_list_add(&list, V3D_BRANCH, NULL, NULL, 0, &error));
	REFUSED(&list, "nothing stands behind it",
		v3dcl_list_add(&list, V3D_NOP, NULL, &byte, 1, &error));
	v3dcl_list_free(&list);
}

#define MODE RECORD(tile_binning_mode, .width = 2, .height = 2)
#define WINDOW RECORD(clip_window, .width = 64, .height = 64)
#define DRAW RECORD(array_primitives, .mode = V3D_TRIANGLES, .length = 3)
#define INDICES RECORD(indexed_primitives, .mode = V3D_TRIANGLES, .length = 3)
#define VG_DRAW RECORD(vg_coordinate_primitives, .mode = V3D_VG_TRIANGLES, .length = 1)
#define GL RECORD(gl_shader_state, .attributes = 1)
#define NV RECORD(nv_shader_state, .address = { 1, 0 })
#define VG RECORD(vg_shader_state, .address = { 1, 0 })
#define FORMAT \
	RECORD(primitive_list_format, .primitive = V3D_LIST_TRIANGLES, .data = V3D_LIST_INDEX_16)

static void bin_lists_begin_in_order(void **state)
{
	struct v3dcl_list list = list_of(V3DCL_BIN_LIST);

	(void)state;
	REFUSED(&list, "not in a list of the binning thread",
		v3dcl_list_store_resolved(&list, &error));
	REFUSED(&list, "not in a list of the binning thread",
		v3dcl_list_tile_rendering_mode(&list,
					       RECORD(tile_rendering_mode, .width = 1, .height = 1),
					       &error));
	REFUSED(&list, "no tile_binning_mode before", v3dcl_list_start_tile_binning(&list, &error));
	REFUSED(&list, "no tile_binning_mode before",
		v3dcl_list_clip_window(&list, WINDOW, &error));
	REFUSED(&list, "no tile_binning_mode before", v3dcl_list_flush(&list, &error));
	OK(v3dcl_list_wait_on_semaphore(&list, &error));
	OK(v3dcl_list_tile_binning_mode(&list, MODE, &error));
	REFUSED(&list, "tile binning mode has been set",
		v3dcl_list_tile_binning_mode(&list, MODE, &error));
	OK(v3dcl_list_nv_shader_state(&list, NV, &error));
	OK(v3dcl_list_clip_window(&list, WINDOW, &error));
	REFUSED(&list, "no start_tile_binning before",
		v3dcl_list_array_primitives(&list, DRAW, &error));
	REFUSED(&list, "no start_tile_binning before", v3dcl_list_flush(&list, &error));
	OK(v3dcl_list_start_tile_binning(&list, &error));
	REFUSED(&list, "tile binning has been started",
		v3dcl_list_start_tile_binning(&list, &error));
	REFUSED(&list, "this is no sub-list", v3dcl_list_return_from_sub_list(&list, &error));
	OK(v3dcl_list_array_primitives(&list, DRAW, &error));
	assert_int_equal(v3dcl_list_end(&list, &error), -EINVAL);
	assert_non_null(strstr(error.text, "flush"));
	OK(v3dcl_list_increment_semaphore(&list, &error));
	OK(v3dcl_list_flush(&list, &error));
	REFUSED(&list, "the list has ended", v3dcl_list_array_primitives(&list, DRAW, &error));
	REFUSED(&list, "the list has ended", v3dcl_list_flush_all_state(&list, &error));
	REFUSED(&list, "the list has ended",
		v3dcl_list_point_size(&list, RECORD(point_size, 1), &error));
	OK(v3dcl_list_halt(&list, &error));
	OK(v3dcl_list_end(&list, &error));
	v3dcl_list_free(&list);
}

static void draws_need_their_state(void **state)
{
	struct v3dcl_list list = list_of(V3DCL_BIN_LIST);

	(void)state;
	OK(v3dcl_list_tile_binning_mode(&list, MODE, &error));
	OK(v3dcl_list_start_tile_binning(&list, &error));
	REFUSED(&list, "no GL or NV shader state before",
		v3dcl_list_array_primitives(&list, DRAW, &error));
	REFUSED(&list, "no VG shader state before",
		v3dcl_list_vg_coordinate_primitives(&list, VG_DRAW, &error));
	OK(v3dcl_list_gl_shader_state(&list, GL, &error));
	REFUSED(&list, "no clip_window before", v3dcl_list_array_primitives(&list, DRAW, &error));
	OK(v3dcl_list_clip_window(&list, WINDOW, &error));
	OK(v3dcl_list_array_primitives(&list, DRAW, &error));
	OK(v3dcl_list_indexed_primitives(&list, INDICES, &error));
	OK(v3dcl_list_vg_shader_state(&list, VG, &error));
	REFUSED(&list, "no GL or NV shader state before",
		v3dcl_list_indexed_primitives(&list, INDICES, &error));
	OK(v3dcl_list_vg_coordinate_primitives(&list, VG_DRAW, &error));
	OK(v3dcl_list_nv_shader_state(&list, NV, &error));
	REFUSED(&list, "no VG shader state before",
		v3dcl_list_vg_coordinate_primitives(&list, VG_DRAW, &error));
	OK(v3dcl_list_array_primitives(&list, DRAW, &error));
	OK(v3dcl_list_vg_inline_shader_state(&list,
					     RECORD(vg_inline_shader_state, .single_threaded = 1),
					     &error));
	OK(v3dcl_list_vg_coordinate_primitives(&list, VG_DRAW, &error));
	OK(v3dcl_list_gl_shader_state(&list, GL, &error));
	OK(v3dcl_list_primitive_list_format(&list, FORMAT, &error));
	REFUSED(&list, "no shader state follows the primitive list format",
		v3dcl_list_array_primitives(&list, DRAW, &error));
	OK(v3dcl_list_gl_shader_state(&list, GL, &error));
	OK(v3dcl_list_array_primitives(&list, DRAW, &error));
	OK(v3dcl_list_flush_all_state(&list, &error));
	OK(v3dcl_list_end(&list, &error));
	v3dcl_list_free(&list);
}

/*
 * Behind a sub-list it is unknown what was said in it; behind a branch, nothing of this list is
 * reached.
 */
static void lists_elsewhere(void **state)
{
	struct v3dcl_list list = list_of(V3DCL_BIN_LIST);

	(void)state;
	OK(v3dcl_list_tile_binning_mode(&list, MODE, &error));
	OK(v3dcl_list_start_tile_binning(&list, &error));
	OK(v3dcl_list_branch_to_sub_list(&list, RECORD(branch_to_sub_list, .address = { 1, 0 }),
					 &error));
	OK(v3dcl_list_array_primitives(&list, DRAW, &error));
	assert_int_equal(v3dcl_list_end(&list, &error), -EINVAL);
	OK(v3dcl_list_branch(&list, RECORD(branch, .address = { 1, 0 }), &error));
	OK(v3dcl_list_end(&list, &error));
	v3dcl_list_free(&list);
}

#define TILE(x, y) RECORD(tile_coordinates, x, y)
#define LOAD RECORD(load_general, .buffer = V3D_BUFFER_COLOR)

static void render_lists_in_order(void **state)
{
	struct v3dcl_list list = list_of(V3DCL_RENDER_LIST);

	(void)state;
	REFUSED(&list, "not in a list of the rendering thread", v3dcl_list_flush(&list, &error));
	REFUSED(&list, "not in a list of the rendering thread",
		v3dcl_list_gem_handles(&list, RECORD(gem_handles, 0), &error));
	REFUSED(&list, "no tile_rendering_mode before",
		v3dcl_list_tile_coordinates(&list, TILE(0, 0), &error));
	OK(v3dcl_list_clear_colors(&list, RECORD(clear_colors, 0), &error));
	OK(v3dcl_list_tile_rendering_mode(&list,
					  RECORD(tile_rendering_mode, .width = 65, .height = 64),
					  &error));
	REFUSED(&list, "the tile rendering mode has been set",
		v3dcl_list_clear_colors(&list, RECORD(clear_colors, 0), &error));
	REFUSED(&list, "no tile_coordinates before", v3dcl_list_store_resolved(&list, &error));
	REFUSED(&list, "2 x 1 tiles, none at 2, 0",
		v3dcl_list_tile_coordinates(&list, TILE(2, 0), &error));
	REFUSED(&list, "none at 0, 1", v3dcl_list_tile_coordinates(&list, TILE(0, 1), &error));
	OK(v3dcl_list_load_general(&list, LOAD, &error));
	REFUSED(&list, "a load awaits its tile_coordinates",
		v3dcl_list_load_full(&list, RECORD(load_full, 0), &error));
	REFUSED(&list, "a load awaits its tile_coordinates",
		v3dcl_list_branch_to_sub_list(&list,
					      RECORD(branch_to_sub_list, .address = { 1, 0 }),
					      &error));
	assert_int_equal(v3dcl_list_end(&list, &error), -EINVAL);
	assert_non_null(strstr(error.text, "a load"));
	OK(v3dcl_list_tile_coordinates(&list, TILE(0, 0), &error));
	REFUSED(&list, "the tile before has not been stored",
		v3dcl_list_load_general(&list, LOAD, &error));
	REFUSED(&list, "the tile before has not been stored",
		v3dcl_list_tile_coordinates(&list, TILE(1, 0), &error));
	assert_int_equal(v3dcl_list_end(&list, &error), -EINVAL);
	assert_non_null(strstr(error.text, "not stored"));
	OK(v3dcl_list_store_resolved(&list, &error));
	assert_int_equal(v3dcl_list_end(&list, &error), -EINVAL);
	assert_non_null(strstr(error.text, "ends the frame"));
	OK(v3dcl_list_tile_coordinates(&list, TILE(1, 0), &error));
	OK(v3dcl_list_store_resolved_end(&list, &error));
	REFUSED(&list, "the list has ended",
		v3dcl_list_tile_coordinates(&list, TILE(0, 0), &error));
	OK(v3dcl_list_end(&list, &error));
	v3dcl_list_free(&list);
}

/* The other two stores that can end a frame; 64 bits a pixel halve a tile's height */
static void ends_of_frames(void **state)
{
	unsigned int way;

	(void)state;
	for (way = 0; way < 2; way++) {
		struct v3dcl_list list = list_of(V3DCL_RENDER_LIST);

		OK(v3dcl_list_tile_rendering_mode(&list,
						  RECORD(tile_rendering_mode, .width = 64,
							 .height = 33, .color64 = 1),
						  &error));
		OK(v3dcl_list_tile_coordinates(&list, TILE(0, 1), &error));
		if (way)
			OK(v3dcl_list_store_full(&list, RECORD(store_full, .last_tile = 1),
						 &error));
		else
			OK(v3dcl_list_store_general(&list, RECORD(store_general, .last_tile = 1),
						    &error));
		OK(v3dcl_list_end(&list, &error));
		v3dcl_list_free(&list);
	}
}

static void sub_lists(void **state)
{
	struct v3dcl_list list = list_of(V3DCL_SUB_LIST);

	(void)state;
	OK(v3dcl_list_array_primitives(&list, DRAW, &error));
	assert_int_equal(v3dcl_list_end(&list, &error), -EINVAL);
	assert_non_null(strstr(error.text, "return_from_sub_list"));
	OK(v3dcl_list_clipper_z_scale(&list, RECORD(clipper_z_scale, 0), &error));
	REFUSED(&list, "not in a list of the binning thread",
		v3dcl_list_store_resolved(&list, &error));
	OK(v3dcl_list_return_from_sub_list(&list, &error));
	REFUSED(&list, "the list has ended", v3dcl_list_array_primitives(&list, DRAW, &error));
	OK(v3dcl_list_end(&list, &error));
	v3dcl_list_free(&list);
	list = list_of(V3DCL_SUB_LIST);
	OK(v3dcl_list_store_resolved(&list, &error));
	REFUSED(&list, "not in a list of the rendering thread", v3dcl_list_flush(&list, &error));
	v3dcl_list_free(&list);
	v3dcl_list_free(NULL);
}

/*
 * Memory that the binner takes: 640 x 480 are 10 x 8 tiles; first blocks are 80 of 32 bytes,
 * rounded up to 2560
 */
static void binning_memory(void **state)
{
	struct v3dcl_binning b = { .width = 640, .height = 480 };

	(void)state;
	OK(v3dcl_binning_compute(&b, &error));
	assert_int_equal(b.columns, 10);
	assert_int_equal(b.rows, 8);
	assert_int_equal(b.state_bytes, 80 * 48);
	assert_int_equal(b.list_bytes, 2560 + 128 + 8192);
	b = (struct v3dcl_binning){
		.width = 33,
		.height = 17,
		.multisample = true,
		.color64 = true,
		.initial_block = 64,
		.block = 256,
	};
	OK(v3dcl_binning_compute(&b, &error));
	assert_int_equal(b.columns, 2);
	assert_int_equal(b.rows, 2);
	assert_int_equal(b.list_bytes, 256 + 256 + 8192);
	b.block = 96;
	assert_int_equal(v3dcl_binning_compute(&b, &error), -EINVAL);
	b.block = 0;
	b.width = 255 * 32 + 1;
	assert_int_equal(v3dcl_binning_compute(&b, &error), -EINVAL);
	b.width = 255 * 32;
	OK(v3dcl_binning_compute(&b, &error));
	b.height = 0;
	assert_int_equal(v3dcl_binning_compute(&b, &error), -EINVAL);
}

static void beginning_of_a_bin_list(void **state)
{
	static const uint8_t expected[] = {
		112, 0, 1, 0, 0, 0, 0x40, 0, 0, 0x40, 0, 0, 0, 10, 8, 0x44, 6, 56, 0x12,
	};
	struct v3dcl_list list = list_of(V3DCL_BIN_LIST);
	struct v3dcl_binning b = { .width = 640, .height = 480 };

	(void)state;
	OK(v3dcl_binning_compute(&b, &error));
	assert_int_equal(v3dcl_list_begin(&list, &b, (struct v3dcl_address)AT(0x40),
					  (struct v3dcl_address)AT(0x100), b.list_bytes - 1,
					  &error),
			 -EINVAL);
	OK(v3dcl_list_begin(&list, &b, (struct v3dcl_address)AT(0x40),
			    (struct v3dcl_address)AT(0x100), 0x4000, &error));
	assert_int_equal(list.block.bytes.size, sizeof(expected));
	assert_memory_equal(list.block.bytes.bytes, expected, sizeof(expected));
	v3dcl_list_free(&list);
}

static int build(void *opaque)
{
	struct v3dcl_list list = list_of(V3DCL_BIN_LIST);
	unsigned int n;
	int ret;

	(void)opaque;
	ret = v3dcl_list_tile_binning_mode(&list,
					   RECORD(tile_binning_mode, .address = { 1, 0 },
						  .state = { 1, 512 }, .width = 1, .height = 1),
					   NULL);
	if (!ret)
		ret = v3dcl_list_start_tile_binning(&list, NULL);
	for (n = 0; n < 100 && !ret; n++)
		ret = v3dcl_list_gl_shader_state(&list,
						 RECORD(gl_shader_state, .attributes = 1,
							.address = { 2, 16 * n }),
						 NULL);
	/* Every record is whole or not there. */
	if (list.block.bytes.size)
		assert_int_equal((list.block.bytes.size - 16) % 5 <= 1, 1);
	v3dcl_list_free(&list);
	return ret;
}

static void lists_without_memory(void **state)
{
	(void)state;
	assert_true(fail_each_alloc(build, NULL) >= 4);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(values_that_do_not_fit),
	cmocka_unit_test(values_that_do_not_exist),
	cmocka_unit_test(addresses_that_are_not_aligned),
	cmocka_unit_test(records_that_do_not_exist),
	cmocka_unit_test(bin_lists_begin_in_order),
	cmocka_unit_test(draws_need_their_state),
	cmocka_unit_test(lists_elsewhere),
	cmocka_unit_test(render_lists_in_order),
	cmocka_unit_test(ends_of_frames),
	cmocka_unit_test(sub_lists),
	cmocka_unit_test(binning_memory),
	cmocka_unit_test(beginning_of_a_bin_list),
	cmocka_unit_test(lists_without_memory),
};

int main(void)
{
	return cmocka_run_group_tests(tests, NULL, NULL);
}
