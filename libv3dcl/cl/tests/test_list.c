// SPDX-License-Identifier: MIT
/*
 * Control lists, record by record: the bytes that AG100 Table 38 asks for, typed from there; what
 * is refused, and why; the order of records.
 */
#include "fail_alloc.h"

#include "v3dcl_cl.h"

/* A list in which nearly everything may stand */
static struct v3dcl_list any_list(void)
{
	struct v3dcl_list list;

	v3dcl_list_init(&list, V3DCL_SUB_LIST);
	return list;
}

/* The record is exactly these bytes */
static void expect(struct v3dcl_list *list, int ret, const uint8_t *bytes, size_t size)
{
	assert_int_equal(ret, 0);
	assert_int_equal(list->block.bytes.size, size);
	assert_memory_equal(list->block.bytes.bytes, bytes, size);
	v3dcl_list_free(list);
}

#define EXPECT(name, record, ...) do { \
		const uint8_t expected_[] = { __VA_ARGS__ }; \
		struct v3dcl_list list_ = any_list(); \
		int ret_ = v3dcl_list_##name(&list_, record, NULL); \
		expect(&list_, ret_, expected_, sizeof(expected_)); \
	} while (0)
#define CODE(name, id) do { \
		const uint8_t expected_[] = { id }; \
		struct v3dcl_list list_ = any_list(); \
		int ret_ = v3dcl_list_##name(&list_, NULL); \
		expect(&list_, ret_, expected_, sizeof(expected_)); \
	} while (0)
#define RECORD(name, ...) (&(struct v3dcl_##name){ __VA_ARGS__ })
#define NUMBER(n) { 0, n }

static void records_that_are_a_number(void **state)
{
	(void)state;
	CODE(halt, 0);
	CODE(nop, 1);
	CODE(flush, 4);
	CODE(flush_all_state, 5);
	CODE(start_tile_binning, 6);
	CODE(increment_semaphore, 7);
	CODE(wait_on_semaphore, 8);
	CODE(return_from_sub_list, 18);
	CODE(store_resolved, 24);
	CODE(store_resolved_end, 25);
}

static void system_records(void **state)
{
	(void)state;
	EXPECT(branch, RECORD(branch, .address = NUMBER(0x12345678)), 16, 0x78, 0x56, 0x34, 0x12);
	EXPECT(branch_to_sub_list, RECORD(branch_to_sub_list, .address = NUMBER(0x12345678)), 17,
	       0x78, 0x56, 0x34, 0x12);
	EXPECT(store_full,
	       RECORD(store_full, .disable_zs = 1, .last_tile = 1, .address = NUMBER(0x12345670)),
	       26, 0x7a, 0x56, 0x34, 0x12);
	EXPECT(load_full, RECORD(load_full, .disable_color = 1, .address = NUMBER(0x12345670)), 27,
	       0x71, 0x56, 0x34, 0x12);
	EXPECT(store_general,
	       RECORD(store_general, .buffer = 2, .format = 1, .mode = 2, .pixel = 2,
		      .disable_color_clear = 1, .disable_vg_mask_clear = 1, .disable_zs = 1,
		      .last_tile = 1, .address = NUMBER(0x12345670)),
	       28, 0x92, 0xa2, 0x7a, 0x56, 0x34, 0x12);
	EXPECT(load_general,
	       RECORD(load_general, .buffer = 1, .format = 2, .pixel = 1, .disable_vg_mask = 1,
		      .address = NUMBER(0x12345670)),
	       29, 0x21, 0x01, 0x74, 0x56, 0x34, 0x12);
}

static void draws(void **state)
{
	(void)state;
	EXPECT(indexed_primitives,
	       RECORD(indexed_primitives, .mode = 5, .index_type = 1, .length = 0x01020304,
		      .address = NUMBER(0x12345678), .maximum_index = 0xa0b0c0d0),
	       32, 0x15, 0x04, 0x03, 0x02, 0x01, 0x78, 0x56, 0x34, 0x12, 0xd0, 0xc0, 0xb0, 0xa0);
	EXPECT(array_primitives,
	       RECORD(array_primitives, .mode = 6, .length = 0x304, .first_vertex = 0x708), 33, 6,
	       0x04, 0x03, 0, 0, 0x08, 0x07, 0, 0);
	EXPECT(vg_coordinate_primitives,
	       RECORD(vg_coordinate_primitives, .mode = 6, .continuation = 1, .length = 9,
		      .address = NUMBER(0x100)),
	       41, 0x16, 9, 0, 0, 0, 0, 1, 0, 0);
}

static void state_records(void **state)
{
	(void)state;
	EXPECT(primitive_list_format, RECORD(primitive_list_format, .primitive = 3, .data = 1), 56,
	       0x13);
	EXPECT(gl_shader_state,
	       RECORD(gl_shader_state, .attributes = 5, .extended = 1,
		      .address = NUMBER(0x12345670)),
	       64, 0x7d, 0x56, 0x34, 0x12);
	EXPECT(nv_shader_state, RECORD(nv_shader_state, .address = NUMBER(0x12345670)), 65, 0x70,
	       0x56, 0x34, 0x12);
	EXPECT(vg_shader_state, RECORD(vg_shader_state, .address = NUMBER(0x12345670)), 66, 0x70,
	       0x56, 0x34, 0x12);
	EXPECT(vg_inline_shader_state,
	       RECORD(vg_inline_shader_state, .single_threaded = 1, .code = NUMBER(0x12345678),
		      .uniforms = NUMBER(0x9abcdef4)),
	       67, 0x79, 0x56, 0x34, 0x12, 0xf4, 0xde, 0xbc, 0x9a);
	EXPECT(configuration_bits,
	       RECORD(configuration_bits, .reverse_facing = 1, .depth_offset = 1, .oversample = 2,
		      .coverage_update = 3, .depth_function = 5, .early_z = 1,
		      .early_z_updates = 1),
	       96, 0x8a, 0x56, 0x03);
	EXPECT(flat_shade_flags, RECORD(flat_shade_flags, .flags = 0x80000001), 97, 1, 0, 0, 0x80);
	EXPECT(point_size, RECORD(point_size, .size = 1.5f), 98, 0, 0, 0xc0, 0x3f);
	EXPECT(line_width, RECORD(line_width, .width = 2), 99, 0, 0, 0, 0x40);
	EXPECT(rht_x_boundary, RECORD(rht_x_boundary, .x = -2), 100, 0xfe, 0xff);
	EXPECT(depth_offset, RECORD(depth_offset, .factor = 1, .units = -2), 101, 0x80, 0x3f, 0,
	       0xc0);
	EXPECT(clip_window,
	       RECORD(clip_window, .left = 1, .bottom = 2, .width = 0x102, .height = 0xffff), 102,
	       1, 0, 2, 0, 2, 1, 0xff, 0xff);
	EXPECT(viewport_offset, RECORD(viewport_offset, .x = -16, .y = 0x140), 103, 0xf0, 0xff,
	       0x40, 1);
	EXPECT(z_clipping_planes, RECORD(z_clipping_planes, .minimum = 0, .maximum = 1), 104, 0, 0,
	       0, 0, 0, 0, 0x80, 0x3f);
	EXPECT(clipper_xy_scaling, RECORD(clipper_xy_scaling, .half_width = 1, .half_height = 2),
	       105, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40);
	EXPECT(clipper_z_scale, RECORD(clipper_z_scale, .scale = 0.5f, .offset = 1), 106, 0, 0, 0,
	       0x3f, 0, 0, 0x80, 0x3f);
}

static void mode_records(void **state)
{
	(void)state;
	EXPECT(tile_binning_mode,
	       RECORD(tile_binning_mode, .address = NUMBER(0x12345600), .size = 0x10000,
		      .state = NUMBER(0x20000010), .width = 10, .height = 8, .multisample = 1,
		      .auto_initialise = 1, .initial_block = 1, .block = 3, .double_buffer = 1),
	       112, 0x00, 0x56, 0x34, 0x12, 0, 0, 1, 0, 0x10, 0, 0, 0x20, 10, 8, 0xed);
	EXPECT(tile_rendering_mode,
	       RECORD(tile_rendering_mode, .address = NUMBER(0x12345670), .width = 640,
		      .height = 480, .color64 = 1, .pixel = 1, .decimate = 1, .format = 2,
		      .vg_mask = 1, .early_z_disable = 1),
	       113, 0x70, 0x56, 0x34, 0x12, 0x80, 2, 0xe0, 1, 0x96, 0x09);
	EXPECT(clear_colors,
	       RECORD(clear_colors, .color0 = 0x11223344, .color1 = 0x55667788, .z = 0xabcdef,
		      .vg_mask = 9, .stencil = 0x80),
	       114, 0x44, 0x33, 0x22, 0x11, 0x88, 0x77, 0x66, 0x55, 0xef, 0xcd, 0xab, 9, 0x80);
	EXPECT(tile_coordinates, RECORD(tile_coordinates, .column = 3, .row = 200), 115, 3, 200);
	EXPECT(gem_handles, RECORD(gem_handles, .first = 1, .second = 0x20000), 254, 1, 0, 0, 0, 0,
	       0, 2, 0);
}

/*
 * Every record of the table: random values that fit come back from <v3d/packets.h>'s unpacking, and
 * addresses as fixups
 */
#define ROUND_TRIP_FIELD(o, name, type, low, bits) \
	value = next_random(&seed); \
	ROUND_TRIP_##type(name, bits) \
	n++;
#define ROUND_TRIP_U(name, wide) values[n].bits = value >> (32 - (wide));
#define ROUND_TRIP_S(name, wide) values[n].bits = (uint32_t)((int32_t)value >> (32 - (wide)));
#define ROUND_TRIP_A(name, wide) values[n].to = (struct v3dcl_address){ 0, value & ~255u };
#define ROUND_TRIP_F32(name, wide) values[n].bits = value;
#define ROUND_TRIP_F187(name, wide) values[n].bits = value & 0xffff0000;
#define COMPARE_FIELD(o, name, type, low, bits) COMPARE_##type(name); n++;
#define COMPARE_U(name) assert_int_equal(record.name, values[n].bits)
#define COMPARE_S(name) assert_int_equal(record.name, (int32_t)values[n].bits)
#define COMPARE_A(name) assert_int_equal(record.name, values[n].to.offset)
#define COMPARE_F32(name) assert_int_equal(record.name, values[n].bits)
#define COMPARE_F187(name) assert_int_equal(record.name, values[n].bits)
#define ROUND_TRIP(NAME, name, id, length, lists) \
	for (i = 0; i < 200; i++) { \
		struct v3dcl_value values[24] = { 0 }; \
		struct v3d_##name record; \
		struct v3dcl_list list = any_list(); \
		unsigned int n = 0; \
		uint32_t value; \
		(void)value; \
		(void)n; \
		(void)record; \
		V3D_##NAME##_FIELDS(ROUND_TRIP_FIELD, 0) \
		if (!v3dcl_list_add(&list, id, values, NULL, 0, NULL)) { \
			accepted[id]++; \
			assert_int_equal(list.block.bytes.size, length); \
			v3d_unpack_##name(list.block.bytes.bytes, &record); \
			n = 0; \
			V3D_##NAME##_FIELDS(COMPARE_FIELD, 0) \
		} \
		v3dcl_list_free(&list); \
	}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed ^ *seed >> 15;
}

static void every_record_comes_back(void **state)
{
	unsigned int accepted[256] = { 0 }, i, id;
	uint32_t seed = 1;

	(void)state;
	V3D_PACKETS(ROUND_TRIP)
	for (id = 0; id < 256; id++) {
		const bool data = id == V3D_VG_INLINE_PRIMITIVES ||
				  id == V3D_COMPRESSED_PRIMITIVES || id == V3D_CLIPPED_PRIMITIVE;

		/* Lengths of draws are mostly beyond what exists. */
		if (v3d_packet_info(id)->name && !data && id != V3D_ARRAY_PRIMITIVES)
			assert_true(accepted[id]);
	}
}

/* Where an address stands: in the upper bits of a 32-bit word, which need not be aligned */
static void addresses_are_remembered(void **state)
{
	struct v3dcl_list list = any_list();
	const struct v3dcl_fixup *fixups;
	uint32_t count;

	(void)state;
	assert_int_equal(v3dcl_list_branch_to_sub_list(&list,
						       RECORD(branch_to_sub_list,
							      .address = { 3, 5 }),
						       NULL),
			 0);
	assert_int_equal(v3dcl_list_gl_shader_state(&list,
						    RECORD(gl_shader_state, .attributes = 2,
							   .address = { 9, 32 }),
						    NULL),
			 0);
	assert_int_equal(v3dcl_list_vg_inline_shader_state(&list,
							   RECORD(vg_inline_shader_state,
								  .single_threaded = 1,
								  .code = { 4, 8 },
								  .uniforms = { 5, 12 }),
							   NULL),
			 0);
	fixups = v3dcl_block_fixups(&list.block, &count);
	assert_int_equal(count, 4);
	assert_int_equal(fixups[0].at, 1);
	assert_int_equal(fixups[0].to.bo, 3);
	assert_int_equal(fixups[0].to.offset, 5);
	assert_int_equal(fixups[1].at, 6);
	assert_int_equal(fixups[1].to.offset, 32);
	assert_int_equal(fixups[2].at, 11);
	assert_int_equal(fixups[3].at, 15);
	assert_int_equal(fixups[3].to.bo, 5);
	/* The words hold what is not of the address. */
	assert_memory_equal(list.block.bytes.bytes + 5, ((const uint8_t[]){ 64, 2, 0, 0, 0 }), 5);
	v3dcl_list_free(&list);
}

static void store_general_address_is_its_upper_word(void **state)
{
	struct v3dcl_list list = any_list();
	const struct v3dcl_fixup *fixups;
	uint32_t count;

	(void)state;
	assert_int_equal(v3dcl_list_store_general(&list,
						  RECORD(store_general, .last_tile = 1,
							 .address = { 7, 0x1230 }),
						  NULL),
			 0);
	fixups = v3dcl_block_fixups(&list.block, &count);
	assert_int_equal(count, 1);
	assert_int_equal(fixups[0].at, 3);
	assert_memory_equal(list.block.bytes.bytes, ((const uint8_t[]){ 28, 0, 0, 8, 0, 0, 0 }), 7);
	v3dcl_list_free(&list);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(records_that_are_a_number),
	cmocka_unit_test(system_records),
	cmocka_unit_test(draws),
	cmocka_unit_test(state_records),
	cmocka_unit_test(mode_records),
	cmocka_unit_test(every_record_comes_back),
	cmocka_unit_test(addresses_are_remembered),
	cmocka_unit_test(store_general_address_is_its_upper_word),
};

int main(void)
{
	return cmocka_run_group_tests(tests, NULL, NULL);
}
