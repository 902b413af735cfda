// SPDX-License-Identifier: MIT
/*
 * Records by their names: the same bytes as by their structs, words typed from AG100 Tables 15 and
 * 32 to 37, and what is refused.
 */
#include "fail_alloc.h"

#include <v3d/words.h>

#include "../described.h"
#include "v3dcl_frame.h"
#include "v3dcl_named.h"

#define OK(call) do { \
		const int ret_ = (call); \
		if (ret_) \
			fail_msg("%s", error.text); \
	} while (0)
#define BAD(words, call) do { \
		error.text[0] = 0; \
		assert_int_equal(call, -EINVAL); \
		if (!strstr(error.text, words)) \
			fail_msg("\"%s\" does not say \"%s\"", error.text, words); \
	} while (0)
#define N(name, value) { .field = #name, .number = (value) }
#define R(name, value) { .field = #name, .kind = V3DCL_GIVEN_REAL, .real = (value) }
#define C(name, value) { .field = #name, .kind = V3DCL_GIVEN_CHOICE, .choice = (value) }
#define A(name, bo, offset) { .field = #name, .kind = V3DCL_GIVEN_ADDRESS, .to = { bo, offset } }
#define NAMED(name, ...) { name, (const struct v3dcl_given[]){ __VA_ARGS__ }, \
			   sizeof((const struct v3dcl_given[]){ __VA_ARGS__ }) / \
				   sizeof(struct v3dcl_given) }
#define ADD(list, name, ...) v3dcl_list_named(list, &(struct v3dcl_named)NAMED(name, __VA_ARGS__), \
					      NULL, 0, &error)
#define WORD(bits, to, name, ...) v3dcl_word_named(&(struct v3dcl_named)NAMED(name, __VA_ARGS__), \
						   bits, to, &error)

static struct v3dcl_error error;

static void same_bytes(const struct v3dcl_block *a, const struct v3dcl_block *b)
{
	assert_true(a->bytes.size && a->bytes.size == b->bytes.size);
	assert_memory_equal(a->bytes.bytes, b->bytes.bytes, a->bytes.size);
	assert_int_equal(a->fixups.size, b->fixups.size);
	assert_true(!a->fixups.size ||
		    !memcmp(a->fixups.bytes, b->fixups.bytes, a->fixups.size));
}

static void lists(void **state)
{
	struct v3dcl_binning binning = { .width = 128, .height = 64 };
	const struct v3dcl_clip_window window = { .width = 640, .height = 65535 };
	const struct v3dcl_viewport_offset offset = { .x = -32768, .y = 1 };
	const struct v3dcl_depth_offset depth = { .factor = 1.5f, .units = -2 };
	const struct v3dcl_gl_shader_state shader = { .attributes = 2, .address = { 7, 32 } };
	const struct v3dcl_array_primitives draw = { .mode = V3D_TRIANGLES, .length = 3 };
	struct v3dcl_list list, same;

	(void)state;
	v3dcl_list_init(&list, V3DCL_BIN_LIST);
	v3dcl_list_init(&same, V3DCL_BIN_LIST);
	OK(v3dcl_binning_compute(&binning, &error));
	OK(v3dcl_list_begin(&list, &binning, (struct v3dcl_address){ 1, 0 },
			    (struct v3dcl_address){ 2, 0 }, 1 << 20, &error));
	OK(v3dcl_list_begin(&same, &binning, (struct v3dcl_address){ 1, 0 },
			    (struct v3dcl_address){ 2, 0 }, 1 << 20, &error));
	OK(v3dcl_list_clip_window(&same, &window, &error));
	OK(v3dcl_list_viewport_offset(&same, &offset, &error));
	OK(v3dcl_list_depth_offset(&same, &depth, &error));
	OK(v3dcl_list_gl_shader_state(&same, &shader, &error));
	OK(v3dcl_list_array_primitives(&same, &draw, &error));
	OK(v3dcl_list_flush(&same, &error));
	OK(ADD(&list, "clip_window", N(height, 65535), N(width, 640)));
	OK(ADD(&list, "viewport_offset", N(x, -32768), N(y, 1)));
	OK(ADD(&list, "depth_offset", R(factor, 1.5), N(units, -2)));
	OK(ADD(&list, "gl_shader_state", A(address, 7, 32), N(attributes, 2)));
	OK(ADD(&list, "array_primitives", C(mode, "triangles"), N(length, 3)));
	OK(v3dcl_list_named(&list, &(struct v3dcl_named){ "flush", NULL, 0 }, NULL, 0, &error));
	same_bytes(&list.block, &same.block);
	v3dcl_list_free(&list);
	v3dcl_list_free(&same);
}

/* What struct has a field has it under its name, at its place */
static void gl_record(void **state)
{
	const struct v3dcl_gl_shader_record record = {
		.clipping = 1, .fs_uniform_count = 2, .fs_varyings = 3, .fs_code = { 1, 8 },
		.fs_uniforms = { 2, 16 }, .vs_uniform_count = 0x405, .vs_attributes = 3,
		.vs_attributes_size = 24, .vs_code = { 3, 0 }, .vs_uniforms = { 4, 20 },
		.cs_uniform_count = 7, .cs_attributes = 1, .cs_attributes_size = 16,
		.cs_code = { 5, 24 }, .cs_uniforms = { 0, 0x12345678 },
	};
	const struct v3dcl_attribute arrays[] = {
		{ .address = { 6, 3 }, .size_minus_1 = 15, .stride = 24 },
		{ .address = { 6, 19 }, .size_minus_1 = 7, .stride = 24, .vs_vpm_offset = 16 },
	};
	const uint32_t strides[] = { 300, 24 };
	const struct v3dcl_named records[] = {
		NAMED("gl_shader_record", N(clipping, 1), N(fs_uniform_count, 2), N(fs_varyings, 3),
		      A(fs_code, 1, 8), A(fs_uniforms, 2, 16), N(vs_uniform_count, 0x405),
		      N(vs_attributes, 3), A(vs_code, 3, 0), A(vs_uniforms, 4, 20),
		      N(cs_uniform_count, 7), N(cs_attributes, 1), A(cs_code, 5, 24),
		      N(cs_uniforms, 0x12345678)),
		NAMED("attribute", A(address, 6, 3), N(size_minus_1, 15), N(stride, 24)),
		NAMED("attribute", A(address, 6, 19), N(size_minus_1, 7), N(stride, 24)),
		NAMED("extended_stride", N(stride, 300)), NAMED("extended_stride", N(stride, 24)),
	};
	const struct v3dcl_named early[] = { records[0], records[1], records[3], records[2] };
	struct v3dcl_block block = { 0 }, same = { 0 };
	uint32_t at = 0;

	(void)state;
	OK(v3dcl_record_gl(&same, &record, arrays, NULL, 2, &at, &error));
	OK(v3dcl_record_gl(&same, &record, arrays, strides, 2, &at, &error));
	OK(v3dcl_record_named(&block, records, 3, &at, &error));
	OK(v3dcl_record_named(&block, records, 5, &at, &error));
	assert_int_equal(at, 64);
	same_bytes(&block, &same);
	BAD("gl_shader_record: 1 extended_stride for 2 attributes: as many, or none",
	    v3dcl_record_named(&block, records, 4, &at, &error));
	BAD("attribute does not stand there", v3dcl_record_named(&block, early, 4, &at, &error));
	BAD("0 attribute arrays: it has 1 to 8",
	    v3dcl_record_named(&block, records, 1, &at, &error));
	BAD("attribute stands behind a gl_shader_record",
	    v3dcl_record_named(&block, &records[1], 1, &at, &error));
	BAD("there is no record", v3dcl_record_named(&block, records, 0, &at, &error));
	/* But for the alignment */
	assert_int_equal(block.bytes.size, same.bytes.size + 12);
	v3dcl_block_free(&block);
	v3dcl_block_free(&same);
}

static void other_records(void **state)
{
	const struct v3dcl_nv_shader_record nv = { .clip_header = 1, .stride = 32,
						   .fs_code = { 1, 8 }, .vertices = { 2, 16 } };
	const struct v3dcl_vg_shader_record vg = { .fs_code = { 1, 8 }, .fs_uniforms = { 3, 4 } };
	const struct v3dcl_clipped_vertex vertex = { .xs = -16, .ys = 32767, .zs = 0.5f,
						     .coefficient2 = -0.25f };
	const struct v3dcl_named records[] = {
		NAMED("nv_shader_record", N(clip_header, 1), N(stride, 32), A(fs_code, 1, 8),
		      N(fs_uniforms, 0), A(vertices, 2, 16)),
		NAMED("vg_shader_record", A(fs_code, 1, 8), A(fs_uniforms, 3, 4)),
		NAMED("clipped_vertex", N(xs, -16), N(ys, 32767), R(zs, 0.5),
		      R(coefficient2, -0.25)),
	};
	struct v3dcl_block block = { 0 }, same = { 0 };
	uint32_t at, i;

	(void)state;
	OK(v3dcl_record_nv(&same, &nv, &at, &error));
	OK(v3dcl_record_vg(&same, &vg, &at, &error));
	OK(v3dcl_record_clipped_vertex(&same, &vertex, &at, &error));
	for (i = 0; i < 3; i++)
		OK(v3dcl_record_named(&block, &records[i], 1, &at, &error));
	same_bytes(&block, &same);
	BAD("only a gl_shader_record has others behind it",
	    v3dcl_record_named(&block, records, 2, &at, &error));
	v3dcl_block_free(&block);
	v3dcl_block_free(&same);
}

/* What a frame keeps is where the call says, and as the frame's own calls keep it */
static void frames(void **state)
{
	const struct v3dcl_vg_shader_record vg = { .fs_code = { 1, 8 }, .fs_uniforms = { 3, 4 } };
	const struct v3dcl_named named = NAMED("vg_shader_record", A(fs_code, 1, 8),
					       A(fs_uniforms, 3, 4));
	const struct v3dcl_named vertex = NAMED("clipped_vertex", N(xs, 1));
	const struct v3dcl_targets targets = { .width = 64, .height = 64,
					       .color_write.address = { 1, 0 } };
	struct v3dcl_address where, same;
	const uint8_t *bytes[2];
	uint32_t size[2], tiles;
	struct v3dcl_frame *a, *b;

	(void)state;
	OK(v3dcl_frame_new(&a, &error));
	OK(v3dcl_frame_new(&b, &error));
	OK(v3dcl_frame_targets(a, &targets, &error));
	OK(v3dcl_frame_targets(b, &targets, &error));
	OK(v3dcl_frame_vg(a, &vg, &same, &error));
	OK(v3dcl_frame_named(b, &named, 1, &where, &error));
	assert_int_equal(where.bo, V3DCL_FRAME_MEMORY);
	assert_int_equal(where.offset, same.offset);
	OK(v3dcl_frame_memory(a, &bytes[0], &size[0], &tiles, &error));
	OK(v3dcl_frame_memory(b, &bytes[1], &size[1], &tiles, &error));
	assert_true(size[0] && size[0] == size[1]);
	assert_memory_equal(bytes[0], bytes[1], size[0]);
	OK(v3dcl_frame_named(b, &vertex, 1, &where, &error));
	assert_true(where.bo == V3DCL_FRAME_MEMORY && where.offset % 16 == 0 && where.offset);
	BAD("'xs' is no field of vg_shader_record",
	    v3dcl_frame_named(b, &(struct v3dcl_named)NAMED("vg_shader_record", N(xs, 1)), 1,
			      &where, &error));
	v3dcl_frame_free(a);
	v3dcl_frame_free(b);
}

static void words(void **state)
{
	struct v3dcl_address to = { 9, 9 };
	uint32_t bits;

	(void)state;
	OK(WORD(&bits, NULL, "vdw_setup", N(units, 16), N(depth, 16), N(horizontal, 1)));
	assert_int_equal(bits, 0x88104000);
	/* One more than fits is 0 */
	OK(WORD(&bits, NULL, "vdw_setup", N(units, 128), N(depth, 1)));
	assert_int_equal(bits, 0x80010000);
	OK(WORD(&bits, NULL, "vdr_stride", N(mpitchb, 64)));
	assert_int_equal(bits, 0x90000040);
	OK(WORD(&bits, NULL, "vpm_read_setup", N(number, 16), N(stride, 1), C(size, "u32"),
		N(horizontal, 1)));
	assert_int_equal(bits, 0x00001a00);
	OK(WORD(&bits, &to, "texture0", A(base, 5, 0x3000), C(type, "RGB565"), N(mip_levels, 2)));
	assert_int_equal(bits, 0x42);
	assert_int_equal(to.bo, 5);
	assert_int_equal(to.offset, 0x3000);
	OK(WORD(&bits, &to, "texture0", N(base, 0x3000)));
	assert_int_equal(bits, 0x3000);
	assert_int_equal(to.bo, 0);
	OK(WORD(&bits, NULL, "texture1", N(width, 2048), N(height, 1024), C(wrap_s, "clamp")));
	assert_int_equal(bits, 0x40000001);
}

/* All that the headers describe is told, and each field goes where it is told to be. */
static void told(void **state)
{
	uint32_t i, f, bits, words_there = 0, value;
	struct v3dcl_named_record record;
	struct v3dcl_named_field field;

	(void)state;
	for (i = 0; v3dcl_named_record(i, &record); i++) {
		for (f = 0; v3dcl_named_field(record.name, f, &field); f++) {
			const struct v3dcl_given given[] = { { .field = field.name, .number = 1 } };
			const struct v3dcl_named word = { record.name, given, 1 };

			assert_true(field.bits >= 1 && field.bits <= 32);
			if (record.kind != V3DCL_NAMED_WORD || !strcmp(record.name, "texture0"))
				continue;
			OK(v3dcl_word_named(&word, &bits, NULL, &error));
			assert_int_equal(bits >> field.low & ((1u << field.bits) - 1), 1);
		}
		assert_in_range(f, 0, CL_MOST_FIELDS);
		words_there += record.kind == V3DCL_NAMED_WORD;
	}
	assert_int_equal(words_there, 13);
	assert_int_equal(i, 43 + 6 + 13);
	assert_string_equal(v3dcl_named_choice("array_primitives", "mode", 4, &value), "triangles");
	assert_int_equal(value, V3D_TRIANGLES);
	assert_null(v3dcl_named_choice("array_primitives", "mode", 7, &value));
	assert_null(v3dcl_named_choice("array_primitives", "pixel", 0, &value));
	assert_null(v3dcl_named_choice("nothing", "mode", 0, &value));
	assert_false(v3dcl_named_field("nothing", 0, &field));
	assert_false(v3dcl_named_field(NULL, 0, &field));
}

static void refused_names(void **state)
{
	struct v3dcl_list list;
	uint32_t bits;

	(void)state;
	v3dcl_list_init(&list, V3DCL_BIN_LIST);
	BAD("no record is called 'clip_windw': v3dcl_named_record() tells",
	    ADD(&list, "clip_windw", N(width, 1)));
	BAD("no record is called ''", ADD(&list, NULL, N(width, 1)));
	BAD("gl_shader_record is a record in memory, for v3dcl_record_named()",
	    ADD(&list, "gl_shader_record", N(width, 1)));
	BAD("clip_window is a control record, for v3dcl_list_named()",
	    WORD(&bits, NULL, "clip_window", N(width, 1)));
	BAD("'widht' is no field of clip_window; it has left, bottom, width, height",
	    ADD(&list, "clip_window", N(widht, 1)));
	BAD("'' is no field of clip_window",
	    v3dcl_list_named(&list, &(struct v3dcl_named)NAMED("clip_window", { 0 }), NULL, 0,
			     &error));
	BAD("'x' is no field of flush, which has none", ADD(&list, "flush", N(x, 1)));
	BAD("clip_window: width is given twice",
	    ADD(&list, "clip_window", N(width, 1), N(width, 1)));
	BAD("array_primitives: length is missing", ADD(&list, "array_primitives", N(mode, 1)));
	BAD("gl_shader_state: address is missing: an address, or 0 for none",
	    ADD(&list, "gl_shader_state", N(attributes, 1)));
	assert_string_equal(error.field, "address");
	BAD("'trangles' is no name of a value of mode of array_primitives; it has points, lines",
	    ADD(&list, "array_primitives", C(mode, "trangles")));
	BAD("'any' is no name of a value of width of clip_window, which has none",
	    ADD(&list, "clip_window", C(width, "any")));
	assert_int_equal(list.block.bytes.size, 0);
	v3dcl_list_free(&list);
}

static void refused_values(void **state)
{
	struct v3dcl_list list;
	uint32_t bits;

	(void)state;
	v3dcl_list_init(&list, V3DCL_BIN_LIST);
	BAD("clip_window: width is 65536: only 0 to 65535 exist",
	    ADD(&list, "clip_window", N(width, 65536)));
	assert_string_equal(error.record, "clip_window");
	assert_string_equal(error.field, "width");
	assert_int_equal(error.found, 65536);
	assert_int_equal(error.expected, 65535);
	BAD("width is -1: only 0 to", ADD(&list, "clip_window", N(width, -1)));
	BAD("flags is 4294967296: only 0 to 4294967295 exist",
	    ADD(&list, "flat_shade_flags", N(flags, INT64_C(1) << 32)));
	BAD("x is -32769: only -32768 to 32767 exist",
	    ADD(&list, "viewport_offset", N(x, -32769)));
	BAD("width takes a whole number, not 1.5", ADD(&list, "clip_window", R(width, 1.5)));
	BAD("width takes a number, not an address", ADD(&list, "clip_window", A(width, 1, 0)));
	BAD("address takes an address, not 0.5", ADD(&list, "branch", R(address, 0.5)));
	BAD("address is 4294967296: only 0 to", ADD(&list, "branch", N(address, INT64_C(1) << 32)));
	BAD("size is 1e+39, which a 32-bit float cannot hold",
	    ADD(&list, "point_size", R(size, 1e39)));
	BAD("address is at 0x8, no multiple of 16",
	    ADD(&list, "gl_shader_state", A(address, 1, 8)));
	BAD("no value is given in the way 4: 0 to 3",
	    ADD(&list, "clip_window", { .field = "width", .kind = 4 }));
	BAD("units is 129: only 0 to 128 exist", WORD(&bits, NULL, "vdw_setup", N(units, 129)));
	BAD("texture0: type is 16: only 0 to 15 exist; RGBA32R is type=0, and type4=1 of texture1",
	    WORD(&bits, NULL, "texture0", N(base, 0), C(type, "RGBA32R")));
	BAD("only 0 to 15 exist; YUYV422R is type=1, and type4=1 of texture1",
	    WORD(&bits, NULL, "texture0", N(base, 0), N(type, 17)));
	BAD("type is 18: only 0 to 15 exist", WORD(&bits, NULL, "texture0", N(type, 18)));
	assert_null(strchr(error.text, ';'));
	BAD("base is at 0x10, no multiple of 4096", WORD(&bits, NULL, "texture0", N(base, 16)));
	BAD("texture0: an address of a BO, where only a number can be",
	    WORD(&bits, NULL, "texture0", A(base, 1, 0)));
	assert_int_equal(list.block.bytes.size, 0);
	v3dcl_list_free(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists),
		cmocka_unit_test(gl_record),
		cmocka_unit_test(other_records),
		cmocka_unit_test(frames),
		cmocka_unit_test(words),
		cmocka_unit_test(told),
		cmocka_unit_test(refused_names),
		cmocka_unit_test(refused_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
