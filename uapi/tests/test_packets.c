// SPDX-License-Identifier: MIT
/*
 * Control records, memory records and set-up words against AG100 Tables 15 to 17, 27, 28, 32 to 38
 * and 44 to 47.
 */
#include "rows.h"

#include <v3d/lists.h>
#include <v3d/words.h>

/*
 * Table 38: id, lists (B, R, or both), bytes with the id (the guide's highest bit, divided by 8,
 * and one), name of ours, and the fields by the guide's columns "bits" and "offset", as bits of
 * what follows the id.
 */
static const struct {
	unsigned int id;
	const char *lists;
	unsigned int length;
	const char *name, *fields;
} records[] = {
	{ 0, "BR", 1, "halt", "" },
	{ 1, "BR", 1, "nop", "" },
	{ 4, "B", 1, "flush", "" },
	{ 5, "B", 1, "flush_all_state", "" },
	{ 6, "B", 1, "start_tile_binning", "" },
	{ 7, "BR", 1, "increment_semaphore", "" },
	{ 8, "BR", 1, "wait_on_semaphore", "" },
	{ 16, "BR", 5, "branch", "31:0 address" },
	{ 17, "BR", 5, "branch_to_sub_list", "31:0 address" },
	{ 18, "BR", 1, "return_from_sub_list", "" },
	{ 24, "R", 1, "store_resolved", "" },
	{ 25, "R", 1, "store_resolved_end", "" },
	{ 26, "R", 5, "store_full",
	  "31:4 address; 3 last_tile; 2 disable_clear; 1 disable_zs; 0 disable_color" },
	{ 27, "R", 5, "load_full", "31:4 address; 1 disable_zs; 0 disable_color" },
	{ 28, "R", 7, "store_general",
	  "47:20 address; 19 last_tile; 18 disable_vg_mask; 17 disable_zs; 16 disable_color; "
	  "15 disable_vg_mask_clear; 14 disable_zs_clear; 13 disable_color_clear; 12 disable_swap; "
	  "9:8 pixel; 7:6 mode; 5:4 format; 2:0 buffer" },
	{ 29, "R", 7, "load_general",
	  "47:20 address; 18 disable_vg_mask; 17 disable_zs; 16 disable_color; 9:8 pixel; 5:4 "
	  "format; "
	  "2:0 buffer" },
	{ 32, "BR", 14, "indexed_primitives",
	  "103:72 maximum_index; 71:40 address; 39:8 length; 7:4 index_type; 3:0 mode" },
	{ 33, "BR", 10, "array_primitives", "71:40 first_vertex; 39:8 length; 7:0 mode" },
	{ 41, "BR", 10, "vg_coordinate_primitives",
	  "71:40 address; 39:8 length; 7:4 continuation; 3:0 mode" },
	{ 42, "BR", 2, "vg_inline_primitives", "7:4 continuation; 3:0 mode" },
	{ 48, "R", 1, "compressed_primitives", "" },
	{ 49, "R", 5, "clipped_primitive", "31:3 address; 2:0 clipped_vertices" },
	/* the guide says R; HW: in bin lists too */
	{ 56, "BR", 2, "primitive_list_format", "7:4 data; 3:0 primitive" },
	/* the address is printed at 0 */
	{ 64, "BR", 5, "gl_shader_state", "31:4 address; 3 extended; 2:0 attributes" },
	{ 65, "BR", 5, "nv_shader_state", "31:0 address" },
	{ 66, "BR", 5, "vg_shader_state", "31:0 address" },
	{ 67, "BR", 9, "vg_inline_shader_state", "63:32 uniforms; 31:3 code; 2:0 single_threaded" },
	{ 96, "BR", 4, "configuration_bits",
	  "17 early_z_updates; 16 early_z; 15 z_updates; 14:12 depth_function; 11 coverage_leave; "
	  "10:9 coverage_update; 8 coverage_pipe; 7:6 oversample; 5 coverage_read_type; 4 "
	  "antialiased_points_lines; 3 depth_offset; 2 clockwise; 1 reverse_facing; 0 "
	  "forward_facing" },
	{ 97, "BR", 5, "flat_shade_flags", "31:0 flags" },
	{ 98, "BR", 5, "point_size", "31:0 size" },
	{ 99, "BR", 5, "line_width", "31:0 width" },
	{ 100, "BR", 3, "rht_x_boundary", "15:0 x" },
	{ 101, "BR", 5, "depth_offset", "31:16 units; 15:0 factor" },
	{ 102, "BR", 9, "clip_window", "63:48 height; 47:32 width; 31:16 bottom; 15:0 left" },
	{ 103, "BR", 5, "viewport_offset", "31:16 y; 15:0 x" },
	{ 104, "BR", 9, "z_clipping_planes", "63:32 maximum; 31:0 minimum" },
	{ 105, "B", 9, "clipper_xy_scaling", "63:32 half_height; 31:0 half_width" },
	/* HW; the guide prints 105 */
	{ 106, "B", 9, "clipper_z_scale", "63:32 offset; 31:0 scale" },
	{ 112, "B", 16, "tile_binning_mode",
	  "119 double_buffer; 118:117 block; 116:115 initial_block; 114 auto_initialise; "
	  "113 color64; 112 multisample; 111:104 height; 103:96 width; 95:64 state; 63:32 size; "
	  "31:0 address" },
	{ 113, "R", 11, "tile_rendering_mode",
	  "76 double_buffer; 75 early_z_disable; 74 early_z_greater; 73 coverage_mode; "
	  "72 vg_mask; 71:70 format; 69:68 decimate; 67:66 pixel; 65 color64; 64 multisample; "
	  "63:48 height; 47:32 width; 31:0 address" },
	{ 114, "R", 14, "clear_colors",
	  "103:96 stencil; 95:88 vg_mask; 87:64 z; 63:32 color1; 31:0 color0" },
	{ 115, "R", 3, "tile_coordinates", "15:8 row; 7:0 column" },
};

static void check_described(const char *row, const struct v3d_field *fields)
{
	const char *const whole = row;
	struct row_field want;
	unsigned int n = 0;

	while (row_next(&row, &want)) {
		const struct v3d_field *field;

		for (field = fields; field->name && strcmp(field->name, want.name); field++)
			;
		if (!field->name)
			print_message("# no field %s\n", want.name);
		assert_non_null(field->name);
		assert_int_equal(field->low, want.low);
		assert_int_equal(field->bits, want.high - want.low + 1);
	}
	for (; fields->name; fields++)
		n++;
	assert_int_equal(n, row_count(whole));
}

static void test_records(void **state)
{
	unsigned int id, known = 0;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(records); i++) {
		const struct v3d_packet_info *info = v3d_packet_info(records[i].id);

		assert_non_null(info->name);
		assert_string_equal(info->name, records[i].name);
		assert_int_equal(info->length, records[i].length);
		assert_int_equal(info->lists, (strchr(records[i].lists, 'B') ? V3D_IN_BIN : 0) |
				 (strchr(records[i].lists, 'R') ? V3D_IN_RENDER : 0));
		check_described(records[i].fields, info->fields);
	}
	for (id = 0; id < 256; id++)
		if (v3d_packet_info(id)->name)
			known++;
	/* One more: the pseudo-record of BO handles, which the hardware never sees */
	assert_int_equal(known, COUNT(records) + 1);
	assert_int_equal(v3d_packet_info(254)->length, 9);
	assert_int_equal(v3d_packet_info(254)->lists, V3D_IN_SUBMIT);
}

/* Tables 44 to 47 and the words: name, bytes, fields by bit from the first byte */
static const struct {
	const char *name;
	unsigned int length;
	const char *fields;
} structures[] = {
	{ "clipped_vertex", 32,
	  "15:0 xs; 31:16 ys; 63:32 zs; 95:64 one_over_wc; 127:96 coefficient0; 159:128 "
	  "coefficient1; "
	  "191:160 coefficient2" },
	{ "gl_shader_record", 36,
	  "2 clipping; 1 point_size; 0 single_threaded; 23:16 fs_uniform_count; 31:24 fs_varyings; "
	  "63:32 fs_code; 95:64 fs_uniforms; 111:96 vs_uniform_count; 119:112 vs_attributes; "
	  "127:120 vs_attributes_size; 159:128 vs_code; 191:160 vs_uniforms; 207:192 "
	  "cs_uniform_count; 215:208 cs_attributes; 223:216 cs_attributes_size; 255:224 cs_code; "
	  "287:256 cs_uniforms" },
	{ "attribute", 8,
	  "31:0 address; 39:32 size_minus_1; 47:40 stride; 55:48 vs_vpm_offset; 63:56 "
	  "cs_vpm_offset" },
	{ "extended_stride", 4, "31:0 stride" },
	{ "nv_shader_record", 16,
	  "3 clip_header; 2 clipping; 1 point_size; 0 single_threaded; 15:8 stride; 23:16 "
	  "fs_uniform_count; 31:24 fs_varyings; 63:32 fs_code; 95:64 fs_uniforms; 127:96 "
	  "vertices" },
	{ "vg_shader_record", 12,
	  "0 single_threaded; 23:16 fs_uniform_count; 31:24 fs_varyings; 63:32 fs_code; 95:64 "
	  "fs_uniforms" },
	{ "vpm_write_setup", 4,
	  "31:30 id; 17:12 stride; 11 horizontal; 10 laned; 9:8 size; 7:0 address" },
	{ "vpm_read_setup", 4,
	  "31:30 id; 23:20 number; 17:12 stride; 11 horizontal; 10 laned; 9:8 size; 7:0 address" },
	{ "vdw_setup", 4,
	  "31:30 id; 29:23 units; 22:16 depth; 15 laned; 14 horizontal; 13:7 y; 6:3 x; 2:0 modew" },
	/* HW: 16 bits; the guide says 12:0 */
	{ "vdw_stride", 4, "31:30 id; 16 blockmode; 15:0 stride" },
	{ "vdr_setup", 4,
	  "31 id; 30:28 modew; 27:24 mpitch; 23:20 rowlen; 19:16 nrows; 15:12 vpitch; 11 vertical; "
	  "10:4 y; 3:0 x" },
	/* HW: 14 bits at least; the guide says 12:0 */
	{ "vdr_stride", 4, "31:28 id; 13:0 mpitchb" },
	{ "texture0", 4, "31:12 base; 11:10 swizzle; 9 cube; 8 flip_y; 7:4 type; 3:0 mip_levels" },
	{ "texture1", 4,
	  "31 type4; 30:20 height; 19 etc_flip; 18:8 width; 7 magnify; 6:4 minify; 3:2 wrap_t; 1:0 "
	  "wrap_s" },
	{ "texture_cube", 4, "31:30 ptype; 29:12 stride; 0 bias_only" },
	{ "texture_child_size", 4, "31:30 ptype; 22:12 height; 10:0 width" },
	{ "texture_child_offset", 4, "31:30 ptype; 22:12 y; 10:0 x" },
	{ "stencil_setup", 4,
	  "31:30 select; 29:28 write_mask_code; 27:25 z_fail; 24:22 z_pass; 21:19 stencil_fail; "
	  "18:16 function; 15:8 value; 7:0 mask" },
	{ "stencil_masks", 4, "31:30 id; 15:8 back; 7:0 front" },
};

#define FIELD_LIST(NAME, name) static const struct v3d_field name##_fields[] = \
	{ V3D_##NAME##_FIELDS(V3D_DESCRIBE_FIELD, 0) { NULL, 0, 0, 0 } };
#define RECORD_LIST(NAME, name, length) FIELD_LIST(NAME, name)
V3D_RECORDS(RECORD_LIST)
V3D_WORDS(FIELD_LIST)

static void test_structures(void **state)
{
#define RECORD_ROW(NAME, name, length) { #name, length, name##_fields },
#define WORD_ROW(NAME, name) { #name, 4, name##_fields },
	static const struct {
		const char *name;
		unsigned int length;
		const struct v3d_field *fields;
	} header[] = { V3D_RECORDS(RECORD_ROW) V3D_WORDS(WORD_ROW) };
	size_t i, j;

	(void)state;
	assert_int_equal(COUNT(header), COUNT(structures));
	for (i = 0; i < COUNT(structures); i++) {
		for (j = 0; j < COUNT(header) && strcmp(header[j].name, structures[i].name); j++)
			;
		if (j == COUNT(header)) {
			fail_msg("no %s", structures[i].name);
			return;
		}
		assert_int_equal(header[j].length, structures[i].length);
		check_described(structures[i].fields, header[j].fields);
	}
}

/*
 * Bytes, unpacked and packed again, are the same but for the bits that no field has; no byte beyond
 * is touched.
 */
static void check_round_trip(const struct v3d_field *fields, unsigned int base, unsigned int length,
			     const __u8 *in, const __u8 *out)
{
	__u8 mask[64] = { 0 };
	unsigned int i, bit;

	if (base)
		mask[0] = 0xff;
	for (; fields->name; fields++)
		for (bit = base + fields->low; bit < base + fields->low + fields->bits; bit++)
			mask[bit / 8] |= 1 << bit % 8;
	for (i = 0; i < length; i++)
		assert_int_equal(out[i], in[i] & mask[i]);
	for (; i < 64; i++)
		assert_int_equal(out[i], 0xee);
}

#define ROUND_TRIP(name, length, base, fields, first) \
	static void round_trip_##name(uint32_t *seed) \
	{ \
		struct v3d_##name unpacked; \
		__u8 in[64] = { 0 }, out[64]; \
		unsigned int i; \
		for (i = 0; i < sizeof(in); i++) \
			in[i] = row_random(seed); \
		in[0] = (first) < 0 ? in[0] : (first); \
		memset(out, 0xee, sizeof(out)); \
		memset(&unpacked, 0xdd, sizeof(unpacked)); \
		v3d_unpack_##name(in, &unpacked); \
		v3d_pack_##name(out, &unpacked); \
		check_round_trip(fields, base, length, in, out); \
	}
#define PACKET_ROUND_TRIP(NAME, name, id, length, lists) \
	ROUND_TRIP(name, length, 8, v3d_packet_info(id)->fields, id)
#define RECORD_ROUND_TRIP(NAME, name, length) ROUND_TRIP(name, length, 0, name##_fields, -1)
V3D_PACKETS(PACKET_ROUND_TRIP)
V3D_RECORDS(RECORD_ROUND_TRIP)

static void test_round_trips(void **state)
{
#define PACKET_CALL(NAME, name, id, length, lists) round_trip_##name(&seed);
#define RECORD_CALL(NAME, name, length) round_trip_##name(&seed);
	uint32_t seed = 1;
	int i;

	(void)state;
	for (i = 0; i < 200; i++) {
		V3D_PACKETS(PACKET_CALL)
		V3D_RECORDS(RECORD_CALL)
	}
}

/* Signs, addresses and halves of floats, by hand */
static void test_types(void **state)
{
	static const __u8 offset[] = { 103, 0x00, 0x80, 0xff, 0x7f },
			  depth[] = { 101, 0x80, 0x3f, 0x00, 0xc0 };
	const struct v3d_store_general store = { .buffer = 1, .address = 0x12345670,
						 .last_tile = 1 };
	struct v3d_viewport_offset viewport;
	struct v3d_depth_offset depth_offset;
	struct v3d_gl_shader_state shader;
	static const __u8 state64[] = { 64, 0x3d, 0x22, 0x11, 0x80 };
	__u8 out[7];

	(void)state;
	v3d_unpack_viewport_offset(offset, &viewport);
	assert_int_equal(viewport.x, -32768);
	assert_int_equal(viewport.y, 32767);
	v3d_unpack_depth_offset(depth, &depth_offset);
	assert_int_equal(depth_offset.factor, 0x3f800000);
	assert_int_equal(depth_offset.units, 0xc0000000);
	v3d_unpack_gl_shader_state(state64, &shader);
	assert_int_equal(shader.address, 0x80112230);
	assert_int_equal(shader.extended, 1);
	assert_int_equal(shader.attributes, 5);
	v3d_pack_store_general(out, &store);
	assert_memory_equal(out, ((__u8[]){ 28, 1, 0, 0x78, 0x56, 0x34, 0x12 }), 7);
}

/* Words, worked out from their tables */
static void test_words(void **state)
{
	const struct v3d_vdw_setup vdw = {
		.id = 2, .units = 16, .depth = 16, .horizontal = 1, .y = 5, .x = 3, .modew = 0
	};
	const struct v3d_vdr_setup vdr = {
		.id = 1, .mpitch = 3, .rowlen = 0, .nrows = 1, .vpitch = 1, .y = 2
	};
	struct v3d_texture0 p0;

	(void)state;
	assert_int_equal(v3d_word_vdw_setup(&vdw),
			 0x80000000 | 16 << 23 | 16 << 16 | 1 << 14 | 5 << 7 | 3 << 3);
	assert_int_equal(v3d_word_vdr_setup(&vdr), 0x83011020);
	v3d_parse_texture0(0xabcde4f5, &p0);
	assert_int_equal(p0.base, 0xabcde000);
	assert_int_equal(p0.type, 15);
	assert_int_equal(p0.mip_levels, 5);
	assert_int_equal(p0.swizzle, 1);
}

/* Table 18 */
static void test_texture_types(void **state)
{
	static const char *const rows =
		"RGBA8888 32 RGBX8888 32 RGBA4444 16 RGBA5551 16 RGB565 16 LUMINANCE 8 ALPHA 8 "
		"LUMALPHA 16 "
		"ETC1 4 S16F 16 S8 8 S16 16 BW1 1 A4 4 A1 1 RGBA64 64 RGBA32R 32 YUYV422R 32";
#define TYPE_ROW(number, NAME, bits) { number, bits, #NAME },
	static const struct {
		unsigned int number, bits;
		const char *name;
	} header[] = { V3D_TEXTURE_TYPES(TYPE_ROW) };
	const char *row = rows;
	unsigned int bits, n = 0;
	char name[16];
	int used;

	(void)state;
	for (; sscanf(row, "%15s %u%n", name, &bits, &used) == 2; row += used, n++) {
		assert_int_equal(header[n].number, n);
		assert_int_equal(header[n].bits, bits);
		assert_string_equal(header[n].name, name);
	}
	assert_int_equal(n, COUNT(header));
}

/*
 * Tables 39 to 43: format (data, primitive), first byte, bytes of the code; 0 for what is reserved
 * or does not exist
 */
static void test_list_codes(void **state)
{
	static const struct {
		__u32 data, primitive;
		__u8 first;
		unsigned int length;
	} codes[] = {
		/* Table 39: triangles of indices */
		{ 1, 2, 0x00, 1 },
		{ 1, 2, 0x7d, 1 },
		{ 1, 2, 0xfe, 1 },
		{ 1, 2, 0x03, 2 },
		{ 1, 2, 0x0b, 2 },
		{ 1, 2, 0x0f, 4 },
		{ 1, 2, 0xff, 4 },
		{ 1, 2, 129, 7 },
		{ 1, 2, 130, 3 },
		{ 1, 2, 128, 1 },
		/* Table 40: lines, and RHTs */
		{ 1, 1, 0x00, 1 },
		{ 1, 1, 0x05, 1 },
		{ 1, 1, 0x06, 3 },
		{ 1, 1, 0x03, 2 },
		{ 1, 1, 129, 5 },
		{ 1, 1, 130, 3 },
		{ 1, 1, 128, 1 },
		{ 1, 3, 0x02, 3 },
		{ 1, 3, 129, 5 },
		/* Table 41: points; coding 2 does not exist in silicon */
		{ 1, 0, 0x04, 1 },
		{ 1, 0, 0x05, 1 },
		{ 1, 0, 0x07, 2 },
		{ 1, 0, 0x0f, 2 },
		{ 1, 0, 0x02, 0 },
		{ 1, 0, 129, 3 },
		{ 1, 0, 130, 3 },
		{ 1, 0, 128, 1 },
		/* Table 42: triangles of coordinates */
		{ 3, 2, 0x00, 2 },
		{ 3, 2, 0x02, 2 },
		{ 3, 2, 0x07, 3 },
		{ 3, 2, 0x0f, 8 },
		{ 3, 2, 129, 13 },
		{ 3, 2, 130, 3 },
		{ 3, 2, 128, 1 },
		/* Table 43: RHTs of coordinates */
		{ 3, 3, 0x01, 2 },
		{ 3, 3, 0x03, 3 },
		{ 3, 3, 0x02, 6 },
		{ 3, 3, 129, 9 },
		{ 3, 3, 130, 3 },
		{ 3, 3, 128, 1 },
		/* No such formats */
		{ 3, 0, 0x00, 0 },
		{ 3, 1, 0x00, 0 },
		{ 2, 2, 0x00, 0 },
		{ 0, 2, 128, 0 },
		{ 1, 4, 0x00, 0 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(codes); i++) {
		const struct v3d_primitive_list_format format = { .data = codes[i].data,
								  .primitive = codes[i].primitive };

		if (v3d_code_length(&format, codes[i].first) != codes[i].length)
			print_message("# data %u primitive %u first byte 0x%02x\n", codes[i].data,
				      codes[i].primitive, codes[i].first);
		assert_int_equal(v3d_code_length(&format, codes[i].first), codes[i].length);
	}
}

/* Lengths that depend on what stands before: "VG Inline Primitives", Table 45 */
static void test_variable_lengths(void **state)
{
	struct v3d_gl_shader_state shader = { .attributes = 1 };

	(void)state;
	assert_int_equal(v3d_shader_record_length(&shader), 44);
	shader.attributes = 0;
	assert_int_equal(v3d_shader_record_length(&shader), 100);
	shader.extended = 1;
	assert_int_equal(v3d_shader_record_length(&shader), 132);
	assert_int_equal(v3d_vg_vertices(1, true), 2);
	assert_int_equal(v3d_vg_vertices(3, false), 1);
	assert_int_equal(v3d_vg_vertices(4, false), 3);
	assert_int_equal(v3d_vg_vertices(5, true), 3);
	assert_int_equal(v3d_vg_vertices(6, false), 1);
	assert_int_equal(v3d_vg_vertices(2, true), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records),
		cmocka_unit_test(test_structures),
		cmocka_unit_test(test_round_trips),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_texture_types),
		cmocka_unit_test(test_list_codes),
		cmocka_unit_test(test_variable_lengths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
