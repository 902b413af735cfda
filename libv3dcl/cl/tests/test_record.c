// SPDX-License-Identifier: MIT
/*
 * Records in memory, byte by byte from AG100 Tables 44 to 47; vertex layouts of Figure 12; what
 * stands behind records 42, 48 and 49, typed from Tables 39 to 43.
 */
#include "fail_alloc.h"

#include <v3d/lists.h>

#include "v3dcl_cl.h"

#define RECORD(name, ...) (&(struct v3dcl_##name){ __VA_ARGS__ })
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

static struct v3dcl_error error;

static void expect_fixup(const struct v3dcl_block *block, uint32_t n, uint32_t at, uint32_t bo,
			 uint32_t offset)
{
	const struct v3dcl_fixup *fixups;
	uint32_t count;

	fixups = v3dcl_block_fixups(block, &count);
	assert_true(n < count);
	assert_int_equal(fixups[n].at, at);
	assert_int_equal(fixups[n].to.bo, bo);
	assert_int_equal(fixups[n].to.offset, offset);
}

static const struct v3dcl_gl_shader_record gl = {
	.clipping = 1,
	.point_size = 1,
	.fs_uniform_count = 2,
	.fs_varyings = 3,
	.fs_code = { 1, 8 },
	.fs_uniforms = { 2, 16 },
	.vs_uniform_count = 0x405,
	.vs_attributes = 3,
	.vs_attributes_size = 24,
	.vs_code = { 3, 0 },
	.vs_uniforms = { 4, 20 },
	.cs_uniform_count = 7,
	.cs_attributes = 1,
	.cs_attributes_size = 16,
	.cs_code = { 5, 24 },
	.cs_uniforms = { 0, 0x12345678 },
};

static const struct v3dcl_attribute arrays[2] = {
	{ .address = { 6, 3 },
	  .size_minus_1 = 15,
	  .stride = 24,
	  .vs_vpm_offset = 0,
	  .cs_vpm_offset = 0 },
	{ .address = { 6, 19 },
	  .size_minus_1 = 7,
	  .stride = 24,
	  .vs_vpm_offset = 16,
	  .cs_vpm_offset = 255 },
};

static void gl_record(void **state)
{
	static const uint8_t expected[] = {
		6, 0, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 5, 4, 3, 24, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 1,
		16, 0, 0, 0, 0, 0x78, 0x56, 0x34,
		0x12, 0, 0, 0, 0, 15, 24, 0, 0, 0, 0, 0, 0, 7, 24, 16, 255,
	};
	struct v3dcl_block block = { 0 };
	uint32_t at, i;

	(void)state;
	OK(v3dcl_block_word(&block, 1, &error));
	OK(v3dcl_record_gl(&block, &gl, arrays, NULL, 2, &at, &error));
	assert_int_equal(at, 16);
	assert_int_equal(block.bytes.size, 16 + sizeof(expected));
	assert_memory_equal(block.bytes.bytes + 16, expected, sizeof(expected));
	expect_fixup(&block, 0, 16 + 4, 1, 8);
	expect_fixup(&block, 1, 16 + 8, 2, 16);
	expect_fixup(&block, 2, 16 + 16, 3, 0);
	expect_fixup(&block, 3, 16 + 20, 4, 20);
	expect_fixup(&block, 4, 16 + 28, 5, 24);
	expect_fixup(&block, 5, 16 + 36, 6, 3);
	expect_fixup(&block, 6, 16 + 44, 6, 19);
	v3dcl_block_free(&block);
	OK(v3dcl_record_gl(&block, &gl, arrays, (const uint32_t[]){ 0x12345678, 9 }, 2, &at,
			   &error));
	assert_int_equal(block.bytes.size, 132);
	assert_memory_equal(block.bytes.bytes, expected, sizeof(expected));
	for (i = sizeof(expected); i < 100; i++)
		assert_int_equal(block.bytes.bytes[i], 0);
	assert_memory_equal(block.bytes.bytes + 100,
			    ((const uint8_t[]){ 0x78, 0x56, 0x34, 0x12, 9, 0, 0, 0, 0 }), 9);
	v3dcl_block_free(&block);
}

static void gl_records_that_are_wrong(void **state)
{
	struct v3dcl_gl_shader_record record = gl;
	struct v3dcl_block block = { 0 };
	struct v3dcl_attribute array = arrays[0];
	uint32_t at;

	(void)state;
	BAD("0 attribute arrays", v3dcl_record_gl(&block, &record, arrays, NULL, 0, &at, &error));
	BAD("9 attribute arrays", v3dcl_record_gl(&block, &record, arrays, NULL, 9, &at, &error));
	BAD("0x3 are selected, of 1",
	    v3dcl_record_gl(&block, &record, arrays, NULL, 1, &at, &error));
	record.fs_code.offset = 4;
	BAD("fs_code is at 0x4, no multiple of 8",
	    v3dcl_record_gl(&block, &record, arrays, NULL, 2, &at, &error));
	record = gl;
	record.vs_uniforms.offset = 2;
	BAD("vs_uniforms", v3dcl_record_gl(&block, &record, arrays, NULL, 2, &at, &error));
	record = gl;
	record.cs_code.offset = 12;
	BAD("cs_code", v3dcl_record_gl(&block, &record, arrays, NULL, 2, &at, &error));
	record = gl;
	record.fs_varyings = 256;
	BAD("fs_varyings is 256", v3dcl_record_gl(&block, &record, arrays, NULL, 2, &at, &error));
	record = gl;
	record.vs_attributes = record.cs_attributes = 1;
	array.size_minus_1 = 256;
	BAD("size_minus_1 is 256", v3dcl_record_gl(&block, &record, &array, NULL, 1, &at, &error));
	assert_int_equal(block.bytes.size, 0);
	assert_int_equal(block.fixups.size, 0);
	v3dcl_block_free(&block);
}

/* Whole words, one behind the other, only where selected */
static void attributes_in_the_vpm(void **state)
{
	struct v3dcl_gl_shader_record record = { .vs_attributes = 5, .cs_attributes = 7 };
	struct v3dcl_attribute a[8] = { { .size_minus_1 = 4 },
					{ .size_minus_1 = 15 },
					{ .size_minus_1 = 0 } };
	unsigned int n;

	(void)state;
	OK(v3dcl_place_attributes(&record, a, 3, &error));
	assert_int_equal(record.vs_attributes_size, 12);
	assert_int_equal(record.cs_attributes_size, 28);
	assert_int_equal(a[0].vs_vpm_offset, 0);
	assert_int_equal(a[2].vs_vpm_offset, 8);
	assert_int_equal(a[1].cs_vpm_offset, 8);
	assert_int_equal(a[2].cs_vpm_offset, 24);
	BAD("9 attribute arrays", v3dcl_place_attributes(&record, a, 9, &error));
	record.vs_attributes = 255;
	for (n = 0; n < 8; n++)
		a[n].size_minus_1 = 31;
	BAD("256 bytes of attributes", v3dcl_place_attributes(&record, a, 8, &error));
}

static void nv_and_vg_records(void **state)
{
	static const uint8_t nv[] = { 0x0d, 28, 1, 2, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0 };
	static const uint8_t vg[] = { 1, 0, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0 };
	struct v3dcl_block block = { 0 };
	uint32_t at;

	(void)state;
	OK(v3dcl_record_nv(&block,
			   RECORD(nv_shader_record, .single_threaded = 1, .clipping = 1,
				  .clip_header = 1, .stride = 28, .fs_uniform_count = 1,
				  .fs_varyings = 2, .fs_code = { 1, 16 },
				  .fs_uniforms = { 0, 0x10 }, .vertices = { 2, 48 }),
			   &at, &error));
	assert_int_equal(at, 0);
	assert_memory_equal(block.bytes.bytes, nv, sizeof(nv));
	expect_fixup(&block, 0, 4, 1, 16);
	expect_fixup(&block, 1, 12, 2, 48);
	OK(v3dcl_record_vg(&block,
			   RECORD(vg_shader_record, .single_threaded = 1, .fs_uniform_count = 3,
				  .fs_varyings = 4, .fs_code = { 1, 8 }, .fs_uniforms = { 2, 4 }),
			   &at, &error));
	assert_int_equal(at, 16);
	assert_memory_equal(block.bytes.bytes + 16, vg, sizeof(vg));
	expect_fixup(&block, 3, 24, 2, 4);
	BAD("vertices is at 0x8, no multiple of 16",
	    v3dcl_record_nv(&block,
			    RECORD(nv_shader_record, .clip_header = 1, .vertices = { 1, 8 }), &at,
			    &error));
	BAD("vertices is at 0x2, no multiple of 4",
	    v3dcl_record_nv(&block, RECORD(nv_shader_record, .vertices = { 1, 2 }), &at, &error));
	BAD("fs_code",
	    v3dcl_record_nv(&block, RECORD(nv_shader_record, .fs_code = { 1, 2 }), &at, &error));
	BAD("stride is 256",
	    v3dcl_record_nv(&block, RECORD(nv_shader_record, .stride = 256), &at, &error));
	BAD("fs_uniforms",
	    v3dcl_record_vg(&block, RECORD(vg_shader_record, .fs_uniforms = { 1, 2 }), &at,
			    &error));
	BAD("single_threaded is 2",
	    v3dcl_record_vg(&block, RECORD(vg_shader_record, .single_threaded = 2), &at, &error));
	v3dcl_block_free(&block);
}

static void clipped_vertices(void **state)
{
	static const uint8_t expected[32] = {
		0xf0, 0xff, 0x20, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0, 0xbf, 0, 0, 0, 0, 0,
		0, 0x80, 0x3f,
	};
	struct v3dcl_block block = { 0 };
	uint32_t at;

	(void)state;
	OK(v3dcl_record_clipped_vertex(&block,
				       RECORD(clipped_vertex, .xs = -16, .ys = 32, .zs = 1,
					      .one_over_wc = 2, .coefficient0 = -0.5f,
					      .coefficient2 = 1),
				       &at, &error));
	assert_int_equal(block.bytes.size, 32);
	assert_memory_equal(block.bytes.bytes, expected, 32);
	BAD("xs is 32768",
	    v3dcl_record_clipped_vertex(&block, RECORD(clipped_vertex, .xs = 32768), &at, &error));
	v3dcl_block_free(&block);
}

/* Offsets as printed in AG100 Figure 12 */
static void layouts_of_figure_12(void **state)
{
	struct v3dcl_nv_layout l;

	(void)state;
	OK(v3dcl_nv_lay_out(false, false, 2, &l, &error));
	assert_int_equal(l.clip, V3DCL_NO_FIELD);
	assert_int_equal(l.xy, 0);
	assert_int_equal(l.z, 4);
	assert_int_equal(l.one_over_w, 8);
	assert_int_equal(l.point_size, V3DCL_NO_FIELD);
	assert_int_equal(l.varyings, 0x0c);
	assert_int_equal(l.stride, 5 * 4);
	OK(v3dcl_nv_lay_out(false, true, 0, &l, &error));
	assert_int_equal(l.point_size, 0x0c);
	assert_int_equal(l.varyings, 0x10);
	assert_int_equal(l.stride, 4 * 4);
	OK(v3dcl_nv_lay_out(true, false, 1, &l, &error));
	assert_int_equal(l.clip, 0);
	assert_int_equal(l.xy, 0x10);
	assert_int_equal(l.z, 0x14);
	assert_int_equal(l.one_over_w, 0x18);
	assert_int_equal(l.varyings, 0x1c);
	assert_int_equal(l.stride, 8 * 4);
	OK(v3dcl_nv_lay_out(true, true, 0, &l, &error));
	assert_int_equal(l.point_size, 0x1c);
	assert_int_equal(l.varyings, 0x20);
	OK(v3dcl_nv_lay_out(true, true, 55, &l, &error));
	assert_int_equal(l.stride, 252);
	BAD("56 varyings", v3dcl_nv_lay_out(true, true, 56, &l, &error));
}

static struct v3dcl_list with_format(uint32_t primitive, uint32_t data)
{
	struct v3dcl_list list;

	v3dcl_list_init(&list, V3DCL_SUB_LIST);
	OK(v3dcl_list_primitive_list_format(&list, RECORD(primitive_list_format, primitive, data),
					    &error));
	OK(v3dcl_list_gl_shader_state(&list, RECORD(gl_shader_state, 0), &error));
	return list;
}

#define BEFORE 7	/* bytes of the two records */

static void expect_behind(struct v3dcl_list *list, const uint8_t *bytes, size_t size)
{
	assert_int_equal(list->block.bytes.size, BEFORE + size);
	assert_memory_equal(list->block.bytes.bytes + BEFORE, bytes, size);
}

/*
 * AG100 Table 39: absolute, then one that shares (0, 2) with it (code 1), three near ones (coding
 * 1), one of coding 2
 */
static void compressed_triangles(void **state)
{
	static const uint32_t vertices[] = { 100, 300, 400, 100, 400, 405,
					     101, 398, 412, 1000, 1031, 968 };
	static const uint8_t expected[] = { 48, 129, 100, 0, 0x2c, 1, 0x90, 1,
					    5 << 2 | 1, 0x13, 0x7e, 0xff, 0x81, 0xe8, 3, 128 };
	struct v3dcl_list list = with_format(V3D_LIST_TRIANGLES, V3D_LIST_INDEX_16);

	(void)state;
	OK(v3dcl_list_compressed(&list, vertices, 4, &error));
	expect_behind(&list, expected, sizeof(expected));
	v3dcl_list_free(&list);
}

/* Record 49: flags in bits 2:0 of the address; Table 42's coding 3 */
static void clipped_coordinates(void **state)
{
	static const uint32_t vertices[] = { 0x00100020, 0x7fff8000, 0x00300040 };
	static const uint8_t expected[] = {
		49, 5, 0, 0, 0, 129, 0x20, 0, 0x10, 0, 0, 0x80, 0xff, 0x7f, 0x40, 0, 0x30, 0, 128,
	};
	struct v3dcl_list list = with_format(V3D_LIST_TRIANGLES, V3D_LIST_XY_32);

	(void)state;
	OK(v3dcl_list_clipped(&list, 5, (struct v3dcl_address){ 3, 64 }, vertices, 1, &error));
	expect_behind(&list, expected, sizeof(expected));
	expect_fixup(&list.block, 0, BEFORE + 1, 3, 64);
	BAD("address is at 0x4, no multiple of 8",
	    v3dcl_list_clipped(&list, 1, (struct v3dcl_address){ 3, 4 }, vertices, 1, &error));
	BAD("clipped_vertices is 8",
	    v3dcl_list_clipped(&list, 8, (struct v3dcl_address){ 3, 0 }, vertices, 1, &error));
	v3dcl_list_free(&list);
}

static void compressed_lists_that_are_wrong(void **state)
{
	static const uint8_t no_end[] = { 129, 1, 0, 2, 0, 3, 0 }, more[] = { 128, 128 },
			     no_code[] = { 129, 1 };
	static const uint8_t branch[] = { 130, 1, 0 };
	struct v3dcl_list list = with_format(V3D_LIST_TRIANGLES, V3D_LIST_INDEX_16);
	const struct v3d_primitive_list_format bad = { .primitive = 9, .data = 9 };
	struct v3dcl_buffer out = { 0 };
	size_t used;

	(void)state;
	BAD("index 65536 of primitive 1",
	    v3dcl_list_compressed(&list, (const uint32_t[]){ 1, 2, 3, 4, 65536, 5 }, 2, &error));
	BAD("does not end",
	    v3dcl_list_add(&list, V3D_COMPRESSED_PRIMITIVES, NULL, no_end, sizeof(no_end), &error));
	BAD("1 bytes follow the end",
	    v3dcl_list_add(&list, V3D_COMPRESSED_PRIMITIVES, NULL, more, sizeof(more), &error));
	BAD("not all of it: 0x81 at byte 0",
	    v3dcl_list_add(&list, V3D_COMPRESSED_PRIMITIVES, NULL, no_code, 2, &error));
	assert_int_equal(v3dcl_list_end(&list, &error), -EINVAL);
	OK(v3dcl_list_add(&list, V3D_COMPRESSED_PRIMITIVES, NULL, branch, sizeof(branch), &error));
	OK(v3dcl_list_end(&list, &error));
	v3dcl_list_free(&list);
	v3dcl_list_init(&list, V3DCL_SUB_LIST);
	BAD("no primitive_list_format in this list", v3dcl_list_compressed(&list, NULL, 0, &error));
	BAD("no primitive_list_format in this list",
	    v3dcl_list_add(&list, V3D_COMPRESSED_PRIMITIVES, NULL, more, 1, &error));
	BAD("no compressed list of primitive 9",
	    v3dcl_encode_primitives(&bad, NULL, 0, &out, &error));
	BAD("no such code", v3dcl_decode_primitives(&bad, more, 1, &out, &used, &error));
	v3dcl_list_free(&list);
	v3dcl_buffer_free(&out);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 4;
}

/* All variants: what is encoded is decoded, whatever the vertices */
static void primitives_come_back(void **state)
{
	static const struct v3d_primitive_list_format formats[] = {
		{ V3D_LIST_POINTS, V3D_LIST_INDEX_16 }, { V3D_LIST_LINES, V3D_LIST_INDEX_16 },
		{ V3D_LIST_TRIANGLES, V3D_LIST_INDEX_16 }, { V3D_LIST_RHT, V3D_LIST_INDEX_16 },
		{ V3D_LIST_TRIANGLES, V3D_LIST_XY_32 }, { V3D_LIST_RHT, V3D_LIST_XY_32 },
	};
	uint32_t seed = 5, round, i, vertices[60];

	(void)state;
	for (round = 0; round < 600; round++) {
		const struct v3d_primitive_list_format *format = &formats[round % 6];
		const uint32_t each = v3d_list_vertices(format->primitive),
			       near = round & 64 ? 0xffff : 0x1f;
		struct v3dcl_buffer coded = { 0 }, out = { 0 };
		size_t used;

		for (i = 0; i < 60; i++) {
			vertices[i] = 0x8000 + (next_random(&seed) & near) - (near >> 1);
			if (i >= each && next_random(&seed) & 1)
				vertices[i] = vertices[i - each + next_random(&seed) % each];
			vertices[i] &= 0xffff;
			if (format->data == V3D_LIST_XY_32)
				vertices[i] |= (next_random(&seed) & near) << 16;
		}
		OK(v3dcl_encode_primitives(format, vertices, 60 / each, &coded, &error));
		assert_int_equal(v3dcl_decode_primitives(format, coded.bytes, coded.size, &out,
							 &used, &error),
				 0);
		assert_int_equal(used, coded.size);
		assert_int_equal(out.size, sizeof(vertices));
		assert_memory_equal(out.bytes, vertices, sizeof(vertices));
		v3dcl_buffer_free(&coded);
		v3dcl_buffer_free(&out);
	}
}

static void vg_lists(void **state)
{
	static const uint32_t fan[] = { 1, 2, 3, 4 };
	static const uint8_t expected[] = { 42, 0x16, 1, 0, 0, 0, 2, 0, 0, 0, 3,
					    0, 0, 0, 4, 0, 0, 0, 0, 0, 0xff, 0xbf };
	static const uint8_t rhts[] = {
		42, 1, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xbf
	};
	struct v3dcl_list list;

	(void)state;
	v3dcl_list_init(&list, V3DCL_SUB_LIST);
	OK(v3dcl_list_vg_inline(&list, V3D_VG_TRIANGLE_FAN, true, fan, 4, &error));
	assert_int_equal(list.block.bytes.size, sizeof(expected));
	assert_memory_equal(list.block.bytes.bytes, expected, sizeof(expected));
	v3dcl_list_free(&list);
	v3dcl_list_init(&list, V3DCL_SUB_LIST);
	OK(v3dcl_list_vg_inline(&list, V3D_VG_RHTS, false, fan, 2, &error));
	assert_int_equal(list.block.bytes.size, sizeof(rhts));
	assert_memory_equal(list.block.bytes.bytes, rhts, sizeof(rhts));
	v3dcl_list_free(&list);
}

static void vg_lists_that_are_wrong(void **state)
{
	static const uint32_t end[] = { 1, V3D_VG_END, 3 };
	static const uint8_t first[] = { 0, 0, 0xff, 0xbf, 0, 0, 0, 0, 0, 0, 0, 0 };
	static const uint8_t second[] = { 0, 0, 0, 0, 0, 0, 0xff, 0xbf, 0, 0, 0, 0 };
	static const uint8_t last[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xbf, 1 };
	const struct v3dcl_value triangles[] = { v3dcl_value_u(V3D_VG_TRIANGLES),
						 v3dcl_value_u(0) };
	const struct v3dcl_value fan[] = { v3dcl_value_u(V3D_VG_TRIANGLE_FAN), v3dcl_value_u(0) };
	struct v3dcl_list list;

	(void)state;
	v3dcl_list_init(&list, V3DCL_SUB_LIST);
	BAD("2 coordinates are no whole primitives",
	    v3dcl_list_vg_inline(&list, V3D_VG_TRIANGLES, false, end, 2, &error));
	BAD("coordinate 1 is the ending word",
	    v3dcl_list_vg_inline(&list, V3D_VG_TRIANGLES, false, end, 3, &error));
	BAD("mode 2", v3dcl_list_vg_inline(&list, 2, false, end, 1, &error));
	BAD("vertex 0 of a primitive cannot end",
	    v3dcl_list_add(&list, V3D_VG_INLINE_PRIMITIVES, triangles, first, 12, &error));
	BAD("vertex 1 of a primitive cannot end",
	    v3dcl_list_add(&list, V3D_VG_INLINE_PRIMITIVES, triangles, second, 12, &error));
	BAD("do not end",
	    v3dcl_list_add(&list, V3D_VG_INLINE_PRIMITIVES, triangles, last, 8, &error));
	BAD("1 bytes follow the end",
	    v3dcl_list_add(&list, V3D_VG_INLINE_PRIMITIVES, triangles, last, 13, &error));
	OK(v3dcl_list_add(&list, V3D_VG_INLINE_PRIMITIVES, fan, second, 12, &error));
	v3dcl_list_free(&list);
}

static int build_all(void *opaque)
{
	static const struct v3d_primitive_list_format format = {
		V3D_LIST_TRIANGLES, V3D_LIST_INDEX_16
	};
	static const uint32_t vertices[] = { 100, 300, 400 };
	struct v3dcl_block block = { 0 }, other = { 0 };
	struct v3dcl_buffer out = { 0 };
	struct v3dcl_list list;
	uint32_t at;
	size_t used;
	int ret;

	(void)opaque;
	v3dcl_list_init(&list, V3DCL_SUB_LIST);
	ret = v3dcl_record_gl(&block, &gl, arrays, (const uint32_t[]){ 1, 9 }, 2, &at, NULL);
	for (at = 0; at < 200 && !ret; at++)
		ret = v3dcl_block_address(&block, (struct v3dcl_address){ 1, at }, 0, NULL);
	if (!ret)
		ret = v3dcl_block_float(&block, 1, NULL);
	if (!ret)
		ret = v3dcl_block_append(&other, &block, 64, &at, NULL);
	if (!ret)
		ret = v3dcl_list_primitive_list_format(&list,
						       RECORD(primitive_list_format,
							      V3D_LIST_TRIANGLES,
							      V3D_LIST_INDEX_16),
						       NULL);
	if (!ret)
		ret = v3dcl_list_gl_shader_state(&list, RECORD(gl_shader_state, 0), NULL);
	if (!ret)
		ret = v3dcl_list_clipped(&list, 1, (struct v3dcl_address){ 3, 64 }, vertices, 1,
					 NULL);
	if (!ret)
		ret = v3dcl_list_vg_inline(&list, V3D_VG_TRIANGLES, false, vertices, 3, NULL);
	if (!ret)
		ret = v3dcl_decode_primitives(&format, (const uint8_t[]){ 0, 128 }, 2, &out, &used,
					      NULL);
	v3dcl_block_free(&block);
	v3dcl_block_free(&other);
	v3dcl_list_free(&list);
	v3dcl_buffer_free(&out);
	return ret;
}

static void without_memory(void **state)
{
	(void)state;
	assert_true(fail_each_alloc(build_all, NULL) >= 8);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(gl_record),
	cmocka_unit_test(gl_records_that_are_wrong),
	cmocka_unit_test(attributes_in_the_vpm),
	cmocka_unit_test(nv_and_vg_records),
	cmocka_unit_test(clipped_vertices),
	cmocka_unit_test(layouts_of_figure_12),
	cmocka_unit_test(compressed_triangles),
	cmocka_unit_test(clipped_coordinates),
	cmocka_unit_test(compressed_lists_that_are_wrong),
	cmocka_unit_test(primitives_come_back),
	cmocka_unit_test(vg_lists),
	cmocka_unit_test(vg_lists_that_are_wrong),
	cmocka_unit_test(without_memory),
};

int main(void)
{
	return cmocka_run_group_tests(tests, NULL, NULL);
}
