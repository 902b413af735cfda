/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * Every control record and memory record of the V3D, once.
 *
 * V3D_PACKETS lists the control records of AG100 Table 38, V3D_RECORDS the structures in memory
 * that they point to (Tables 44 to 47); V3D_<NAME>_FIELDS lists the fields of one of them. Structs,
 * packing, unpacking, names and lengths follow from these lists:
 *
 *	struct v3d_branch branch = { .address = 0x1000 };
 *	v3d_pack_branch(bytes, &branch);	V3D_BRANCH_LENGTH bytes, id included
 *	v3d_unpack_branch(bytes, &branch);
 *	v3d_packet_info(id)->name
 *
 * Bytes in memory are little endian and unaligned. A field of type A is an address: its bits are
 * the upper ones of 32, and the struct holds the whole address. A field of type F32 holds the bits
 * of a float32: the kernel has no floats.
 */
#ifndef V3D_PACKETS_H
#define V3D_PACKETS_H

#include <v3d/types.h>

enum v3d_field_type {
	V3D_U,		/* unsigned */
	V3D_S,		/* two's complement */
	V3D_A,		/* address, the field is its upper bits */
	V3D_F32,	/* IEEE single, as its bits */
	V3D_F187,	/* the upper half of an IEEE single: float1-8-7 */
};

/*
 * In which lists a record may stand: AG100 Table 38's (B) and (R), except where silicon and drivers
 * say otherwise.
 */
enum v3d_list {
	V3D_IN_BIN = 1,		/* lists of thread 0 */
	V3D_IN_RENDER = 2,	/* lists of thread 1, tile lists included */
	V3D_IN_BOTH = 3,
	/* no hardware record: userspace hands it to the kernel, which strips it */
	V3D_IN_SUBMIT = 4,
};

/*
 * P(NAME, name, id, length in bytes with the id, lists): a variable record's length is that of its
 * fixed part.
 */
#define V3D_PACKETS(P) \
	P(HALT, halt, 0, 1, BOTH) \
	P(NOP, nop, 1, 1, BOTH) \
	P(FLUSH, flush, 4, 1, BIN) \
	P(FLUSH_ALL_STATE, flush_all_state, 5, 1, BIN) \
	P(START_TILE_BINNING, start_tile_binning, 6, 1, BIN) \
	P(INCREMENT_SEMAPHORE, increment_semaphore, 7, 1, BOTH) \
	P(WAIT_ON_SEMAPHORE, wait_on_semaphore, 8, 1, BOTH) \
	P(BRANCH, branch, 16, 5, BOTH) \
	P(BRANCH_TO_SUB_LIST, branch_to_sub_list, 17, 5, BOTH) \
	P(RETURN_FROM_SUB_LIST, return_from_sub_list, 18, 1, BOTH) \
	P(STORE_RESOLVED, store_resolved, 24, 1, RENDER) \
	P(STORE_RESOLVED_END, store_resolved_end, 25, 1, RENDER) \
	P(STORE_FULL, store_full, 26, 5, RENDER) \
	P(LOAD_FULL, load_full, 27, 5, RENDER) \
	P(STORE_GENERAL, store_general, 28, 7, RENDER) \
	P(LOAD_GENERAL, load_general, 29, 7, RENDER) \
	P(INDEXED_PRIMITIVES, indexed_primitives, 32, 14, BOTH) \
	P(ARRAY_PRIMITIVES, array_primitives, 33, 10, BOTH) \
	P(VG_COORDINATE_PRIMITIVES, vg_coordinate_primitives, 41, 10, BOTH) \
	P(VG_INLINE_PRIMITIVES, vg_inline_primitives, 42, 2, BOTH) /* coordinates follow */ \
	P(COMPRESSED_PRIMITIVES, compressed_primitives, 48, 1, \
	  RENDER) /* a compressed list follows */ \
	P(CLIPPED_PRIMITIVE, clipped_primitive, 49, 5, RENDER) /* a compressed list follows */ \
	P(PRIMITIVE_LIST_FORMAT, primitive_list_format, 56, 2, \
	  BOTH) /* HW: in every bin list of Mesa's */ \
	P(GL_SHADER_STATE, gl_shader_state, 64, 5, BOTH) \
	P(NV_SHADER_STATE, nv_shader_state, 65, 5, BOTH) \
	P(VG_SHADER_STATE, vg_shader_state, 66, 5, BOTH) \
	P(VG_INLINE_SHADER_STATE, vg_inline_shader_state, 67, 9, BOTH) \
	P(CONFIGURATION_BITS, configuration_bits, 96, 4, BOTH) \
	P(FLAT_SHADE_FLAGS, flat_shade_flags, 97, 5, BOTH) \
	P(POINT_SIZE, point_size, 98, 5, BOTH) \
	P(LINE_WIDTH, line_width, 99, 5, BOTH) \
	P(RHT_X_BOUNDARY, rht_x_boundary, 100, 3, BOTH) \
	P(DEPTH_OFFSET, depth_offset, 101, 5, BOTH) \
	P(CLIP_WINDOW, clip_window, 102, 9, BOTH) \
	P(VIEWPORT_OFFSET, viewport_offset, 103, 5, BOTH) \
	P(Z_CLIPPING_PLANES, z_clipping_planes, 104, 9, BOTH) \
	P(CLIPPER_XY_SCALING, clipper_xy_scaling, 105, 9, BIN) \
	P(CLIPPER_Z_SCALE, clipper_z_scale, 106, 9, BIN) /* HW: the guide prints 105 twice */ \
	P(TILE_BINNING_MODE, tile_binning_mode, 112, 16, BIN) \
	P(TILE_RENDERING_MODE, tile_rendering_mode, 113, 11, RENDER) \
	P(CLEAR_COLORS, clear_colors, 114, 14, RENDER) \
	P(TILE_COORDINATES, tile_coordinates, 115, 3, RENDER) \
	P(GEM_HANDLES, gem_handles, 254, 9, \
	  SUBMIT) /* vc4 ABI: BO handle indices of the next record */

/* F(o, name, type, lowest bit after the id byte, bits): o is passed through. */
#define V3D_HALT_FIELDS(F, o)
#define V3D_NOP_FIELDS(F, o)
#define V3D_FLUSH_FIELDS(F, o)
#define V3D_FLUSH_ALL_STATE_FIELDS(F, o)
#define V3D_START_TILE_BINNING_FIELDS(F, o)
#define V3D_INCREMENT_SEMAPHORE_FIELDS(F, o)
#define V3D_WAIT_ON_SEMAPHORE_FIELDS(F, o)
#define V3D_BRANCH_FIELDS(F, o) F(o, address, A, 0, 32)
#define V3D_BRANCH_TO_SUB_LIST_FIELDS(F, o) F(o, address, A, 0, 32)
#define V3D_RETURN_FROM_SUB_LIST_FIELDS(F, o)
#define V3D_STORE_RESOLVED_FIELDS(F, o)
#define V3D_STORE_RESOLVED_END_FIELDS(F, o)
#define V3D_STORE_FULL_FIELDS(F, o) \
	F(o, disable_color, U, 0, 1) \
	F(o, disable_zs, U, 1, 1) \
	F(o, disable_clear, U, 2, 1) \
	F(o, last_tile, U, 3, 1) \
	F(o, address, A, 4, 28)
#define V3D_LOAD_FULL_FIELDS(F, o) \
	F(o, disable_color, U, 0, 1) \
	F(o, disable_zs, U, 1, 1) \
	F(o, address, A, 4, 28)
#define V3D_STORE_GENERAL_FIELDS(F, o) \
	F(o, buffer, U, 0, 3)			/* enum v3d_buffer */ \
	F(o, format, U, 4, 2)			/* enum v3d_memory_format */ \
	F(o, mode, U, 6, 2)			/* enum v3d_decimate */ \
	F(o, pixel, U, 8, 2)			/* enum v3d_pixel */ \
	F(o, disable_swap, U, 12, 1) \
	F(o, disable_color_clear, U, 13, 1) \
	F(o, disable_zs_clear, U, 14, 1) \
	F(o, disable_vg_mask_clear, U, 15, 1) \
	F(o, disable_color, U, 16, 1)		/* full dump only, like the next two */ \
	F(o, disable_zs, U, 17, 1) \
	F(o, disable_vg_mask, U, 18, 1) \
	F(o, last_tile, U, 19, 1) \
	F(o, address, A, 20, 28)
#define V3D_LOAD_GENERAL_FIELDS(F, o) \
	F(o, buffer, U, 0, 3) \
	F(o, format, U, 4, 2) \
	F(o, pixel, U, 8, 2) \
	F(o, disable_color, U, 16, 1)		/* full reload only, like the next two */ \
	F(o, disable_zs, U, 17, 1) \
	F(o, disable_vg_mask, U, 18, 1) \
	F(o, address, A, 20, 28)
#define V3D_INDEXED_PRIMITIVES_FIELDS(F, o) \
	F(o, mode, U, 0, 4)			/* enum v3d_primitive */ \
	F(o, index_type, U, 4, 4)		/* enum v3d_index_type */ \
	F(o, length, U, 8, 32) \
	F(o, address, A, 40, 32) \
	F(o, maximum_index, U, 72, 32)
#define V3D_ARRAY_PRIMITIVES_FIELDS(F, o) \
	F(o, mode, U, 0, 8) \
	F(o, length, U, 8, 32) \
	F(o, first_vertex, U, 40, 32)
#define V3D_VG_COORDINATE_PRIMITIVES_FIELDS(F, o) \
	F(o, mode, U, 0, 4)			/* enum v3d_vg_primitive */ \
	F(o, continuation, U, 4, 4) \
	F(o, length, U, 8, 32)			/* vertices (SW); the guide: primitives */ \
	F(o, address, A, 40, 32)
#define V3D_VG_INLINE_PRIMITIVES_FIELDS(F, o) \
	F(o, mode, U, 0, 4) \
	F(o, continuation, U, 4, 4)
#define V3D_COMPRESSED_PRIMITIVES_FIELDS(F, o)
#define V3D_CLIPPED_PRIMITIVE_FIELDS(F, o) \
	F(o, clipped_vertices, U, 0, 3) \
	F(o, address, A, 3, 29)
#define V3D_PRIMITIVE_LIST_FORMAT_FIELDS(F, o) \
	F(o, primitive, U, 0, 4)		/* enum v3d_list_primitive */ \
	F(o, data, U, 4, 4)			/* enum v3d_list_data */
#define V3D_GL_SHADER_STATE_FIELDS(F, o) /* the guide prints offset 0 for the address: it is 4 */ \
	F(o, attributes, U, 0, 3) /* 0 is 8; ignored for extended records */ \
	F(o, extended, U, 3, 1) \
	F(o, address, A, 4, 28)
#define V3D_NV_SHADER_STATE_FIELDS(F, o) F(o, address, A, 0, 32)
#define V3D_VG_SHADER_STATE_FIELDS(F, o) F(o, address, A, 0, 32)
#define V3D_VG_INLINE_SHADER_STATE_FIELDS(F, o) \
	F(o, single_threaded, U, 0, 3) \
	F(o, code, A, 3, 29) \
	F(o, uniforms, A, 32, 32)
#define V3D_CONFIGURATION_BITS_FIELDS(F, o) \
	F(o, forward_facing, U, 0, 1) \
	F(o, reverse_facing, U, 1, 1) \
	F(o, clockwise, U, 2, 1) \
	F(o, depth_offset, U, 3, 1) \
	F(o, antialiased_points_lines, U, 4, 1) \
	F(o, coverage_read_type, U, 5, 1) \
	F(o, oversample, U, 6, 2)		/* enum v3d_oversample */ \
	F(o, coverage_pipe, U, 8, 1) \
	F(o, coverage_update, U, 9, 2)		/* enum v3d_coverage_update */ \
	F(o, coverage_leave, U, 11, 1) \
	F(o, depth_function, U, 12, 3)		/* enum v3d_compare */ \
	F(o, z_updates, U, 15, 1) \
	F(o, early_z, U, 16, 1) \
	F(o, early_z_updates, U, 17, 1)
#define V3D_FLAT_SHADE_FLAGS_FIELDS(F, o) F(o, flags, U, 0, 32)
#define V3D_POINT_SIZE_FIELDS(F, o) F(o, size, F32, 0, 32)
#define V3D_LINE_WIDTH_FIELDS(F, o) F(o, width, F32, 0, 32)
#define V3D_RHT_X_BOUNDARY_FIELDS(F, o) F(o, x, S, 0, 16)
#define V3D_DEPTH_OFFSET_FIELDS(F, o) \
	F(o, factor, F187, 0, 16) \
	F(o, units, F187, 16, 16)
#define V3D_CLIP_WINDOW_FIELDS(F, o) \
	F(o, left, U, 0, 16) \
	F(o, bottom, U, 16, 16) \
	F(o, width, U, 32, 16) \
	F(o, height, U, 48, 16)
#define V3D_VIEWPORT_OFFSET_FIELDS(F, o) \
	F(o, x, S, 0, 16) \
	F(o, y, S, 16, 16)
#define V3D_Z_CLIPPING_PLANES_FIELDS(F, o) \
	F(o, minimum, F32, 0, 32) \
	F(o, maximum, F32, 32, 32)
#define V3D_CLIPPER_XY_SCALING_FIELDS(F, o) \
	F(o, half_width, F32, 0, 32)		/* in 1/16 of a pixel */ \
	F(o, half_height, F32, 32, 32)
#define V3D_CLIPPER_Z_SCALE_FIELDS(F, o) \
	F(o, scale, F32, 0, 32) \
	F(o, offset, F32, 32, 32)
#define V3D_TILE_BINNING_MODE_FIELDS(F, o) \
	F(o, address, A, 0, 32)			/* tile allocation memory */ \
	F(o, size, U, 32, 32) \
	F(o, state, A, 64, 32)			/* tile state data array */ \
	F(o, width, U, 96, 8)			/* in tiles */ \
	F(o, height, U, 104, 8) \
	F(o, multisample, U, 112, 1) \
	F(o, color64, U, 113, 1) \
	F(o, auto_initialise, U, 114, 1) \
	F(o, initial_block, U, 115, 2)		/* 32 << n bytes */ \
	F(o, block, U, 117, 2)			/* 32 << n bytes */ \
	F(o, double_buffer, U, 119, 1)
#define V3D_TILE_RENDERING_MODE_FIELDS(F, o) \
	F(o, address, A, 0, 32) \
	F(o, width, U, 32, 16)			/* in pixels */ \
	F(o, height, U, 48, 16) \
	F(o, multisample, U, 64, 1) \
	F(o, color64, U, 65, 1) \
	F(o, pixel, U, 66, 2)			/* enum v3d_frame_pixel */ \
	F(o, decimate, U, 68, 2)		/* enum v3d_decimate */ \
	F(o, format, U, 70, 2)			/* enum v3d_memory_format */ \
	F(o, vg_mask, U, 72, 1) \
	F(o, coverage_mode, U, 73, 1) \
	F(o, early_z_greater, U, 74, 1) \
	F(o, early_z_disable, U, 75, 1) \
	F(o, double_buffer, U, 76, 1)
#define V3D_CLEAR_COLORS_FIELDS(F, o) \
	F(o, color0, U, 0, 32) /* two pixels of rgba8888, or one of rgba16161616 */ \
	F(o, color1, U, 32, 32) \
	F(o, z, U, 64, 24) \
	F(o, vg_mask, U, 88, 8) \
	F(o, stencil, U, 96, 8)
#define V3D_TILE_COORDINATES_FIELDS(F, o) \
	F(o, column, U, 0, 8) \
	F(o, row, U, 8, 8)
#define V3D_GEM_HANDLES_FIELDS(F, o) \
	F(o, first, U, 0, 32) \
	F(o, second, U, 32, 32)

/* Q(NAME, name, length in bytes): structures in memory. */
#define V3D_RECORDS(Q) \
	Q(CLIPPED_VERTEX, clipped_vertex, 32) /* Table 44, one a clipped vertex */ \
	Q(GL_SHADER_RECORD, gl_shader_record, 36) /* Table 45, attributes follow */ \
	Q(ATTRIBUTE, attribute, 8) /* Table 45, bytes 36 + 8n */ \
	Q(EXTENDED_STRIDE, extended_stride, 4) /* Table 45, bytes 100 + 4n */ \
	Q(NV_SHADER_RECORD, nv_shader_record, 16) /* Table 46 */ \
	Q(VG_SHADER_RECORD, vg_shader_record, 12) /* Table 47 */

/* F(o, name, type, lowest bit of the record, bits) */
#define V3D_CLIPPED_VERTEX_FIELDS(F, o) \
	F(o, xs, S, 0, 16)			/* 12.4 */ \
	F(o, ys, S, 16, 16) \
	F(o, zs, F32, 32, 32) \
	F(o, one_over_wc, F32, 64, 32) \
	F(o, coefficient0, F32, 96, 32) \
	F(o, coefficient1, F32, 128, 32) \
	F(o, coefficient2, F32, 160, 32)
#define V3D_GL_SHADER_RECORD_FIELDS(F, o) \
	F(o, single_threaded, U, 0, 1) \
	F(o, point_size, U, 1, 1) \
	F(o, clipping, U, 2, 1) \
	F(o, fs_uniform_count, U, 16, 8) \
	F(o, fs_varyings, U, 24, 8) \
	F(o, fs_code, A, 32, 32) \
	F(o, fs_uniforms, A, 64, 32) \
	F(o, vs_uniform_count, U, 96, 16) \
	F(o, vs_attributes, U, 112, 8) \
	F(o, vs_attributes_size, U, 120, 8) \
	F(o, vs_code, A, 128, 32) \
	F(o, vs_uniforms, A, 160, 32)		/* HW: byte 20, though some descriptions say 16 */ \
	F(o, cs_uniform_count, U, 192, 16) \
	F(o, cs_attributes, U, 208, 8) \
	F(o, cs_attributes_size, U, 216, 8) \
	F(o, cs_code, A, 224, 32) \
	F(o, cs_uniforms, A, 256, 32)
#define V3D_ATTRIBUTE_FIELDS(F, o) \
	F(o, address, A, 0, 32) \
	F(o, size_minus_1, U, 32, 8) \
	F(o, stride, U, 40, 8) \
	F(o, vs_vpm_offset, U, 48, 8) \
	F(o, cs_vpm_offset, U, 56, 8)
#define V3D_EXTENDED_STRIDE_FIELDS(F, o) F(o, stride, U, 0, 32)
#define V3D_NV_SHADER_RECORD_FIELDS(F, o) \
	F(o, single_threaded, U, 0, 1) \
	F(o, point_size, U, 1, 1) \
	F(o, clipping, U, 2, 1) \
	F(o, clip_header, U, 3, 1) \
	F(o, stride, U, 8, 8) \
	F(o, fs_uniform_count, U, 16, 8) \
	F(o, fs_varyings, U, 24, 8) \
	F(o, fs_code, A, 32, 32) \
	F(o, fs_uniforms, A, 64, 32) \
	F(o, vertices, A, 96, 32)
#define V3D_VG_SHADER_RECORD_FIELDS(F, o) \
	F(o, single_threaded, U, 0, 1) \
	F(o, fs_uniform_count, U, 16, 8) \
	F(o, fs_varyings, U, 24, 8) \
	F(o, fs_code, A, 32, 32) \
	F(o, fs_uniforms, A, 64, 32)

/* Values of fields: AG100 Table 38 */
enum v3d_buffer {
	V3D_BUFFER_NONE, V3D_BUFFER_COLOR, V3D_BUFFER_ZS, V3D_BUFFER_Z, V3D_BUFFER_VG_MASK,
	V3D_BUFFER_FULL
};

enum v3d_memory_format { V3D_RASTER, V3D_T_FORMAT, V3D_LT_FORMAT };

enum v3d_decimate { V3D_DECIMATE_NONE, V3D_DECIMATE_4X, V3D_DECIMATE_16X };

/* Records 28 and 29 */
enum v3d_pixel { V3D_RGBA8888, V3D_BGR565_DITHERED, V3D_BGR565 };

/* Record 113 numbers the same formats in another order. */
enum v3d_frame_pixel { V3D_FRAME_BGR565_DITHERED, V3D_FRAME_RGBA8888, V3D_FRAME_BGR565 };

enum v3d_primitive {
	V3D_POINTS, V3D_LINES, V3D_LINE_LOOP, V3D_LINE_STRIP, V3D_TRIANGLES, V3D_TRIANGLE_STRIP,
	V3D_TRIANGLE_FAN,
	V3D_PRIMITIVES
};

enum v3d_vg_primitive {
	V3D_VG_RHTS = 1,
	V3D_VG_RHT_STRIP = 3,
	V3D_VG_TRIANGLES = 4,
	V3D_VG_TRIANGLE_STRIP = 5,
	V3D_VG_TRIANGLE_FAN = 6
};

enum v3d_index_type { V3D_INDEX_8, V3D_INDEX_16 };

enum v3d_list_primitive { V3D_LIST_POINTS, V3D_LIST_LINES, V3D_LIST_TRIANGLES, V3D_LIST_RHT };

enum v3d_list_data { V3D_LIST_INDEX_16 = 1, V3D_LIST_XY_32 = 3 };

enum v3d_oversample { V3D_OVERSAMPLE_NONE, V3D_OVERSAMPLE_4X, V3D_OVERSAMPLE_16X };

enum v3d_coverage_update {
	V3D_COVERAGE_NONZERO,
	V3D_COVERAGE_ODD,
	V3D_COVERAGE_OR,
	V3D_COVERAGE_ZERO
};

enum v3d_compare {
	V3D_NEVER, V3D_LESS, V3D_EQUAL, V3D_LESS_EQUAL, V3D_GREATER, V3D_NOT_EQUAL,
	V3D_GREATER_EQUAL, V3D_ALWAYS
};

#define V3D_TILE_STATE_BYTES 48		/* a tile: Table 38, record 112 */
/* HW: a full resolution dump of colour, or of Z and stencil, 4x or not */
#define V3D_FULL_TILE_BYTES 16384

/**
 * v3d_tile_width() - how wide a tile is: AG100 p. 46
 * @multisample: 4 samples a pixel
 *
 * Return: pixels
 */
static inline __u32 v3d_tile_width(__u32 multisample)
{
	return multisample ? 32 : 64;
}

/**
 * v3d_tile_height() - how high a tile is: AG100 p. 46
 * @multisample: 4 samples a pixel
 * @color64: 64 bits a pixel
 *
 * Return: pixels
 */
static inline __u32 v3d_tile_height(__u32 multisample, __u32 color64)
{
	return v3d_tile_width(multisample) >> (color64 & 1);
}

/*
 * Up to 32 bits out of little endian bytes; low and bits are constants wherever this is meant to be
 * fast.
 */
static __always_inline __u32 v3d_get_bits(const __u8 *bytes, unsigned int low, unsigned int bits)
{
	unsigned int first = low / 8, last = (low + bits - 1) / 8;
	__u64 value = bytes[first];

	if (last > first)
		value |= (__u64)bytes[first + 1] << 8;
	if (last > first + 1)
		value |= (__u64)bytes[first + 2] << 16;
	if (last > first + 2)
		value |= (__u64)bytes[first + 3] << 24;
	if (last > first + 3)
		value |= (__u64)bytes[first + 4] << 32;
	return (value >> low % 8) & (~(__u32)0 >> (32 - bits));
}

/* Puts bits where zeros are. */
static inline void v3d_put_bits(__u8 *bytes, unsigned int low, unsigned int bits, __u32 value)
{
	unsigned int first = low / 8, last = (low + bits - 1) / 8;
	__u64 in_place = (__u64)(value & (~(__u32)0 >> (32 - bits))) << low % 8;

	bytes[first] |= in_place;
	if (last > first)
		bytes[first + 1] |= in_place >> 8;
	if (last > first + 1)
		bytes[first + 2] |= in_place >> 16;
	if (last > first + 2)
		bytes[first + 3] |= in_place >> 24;
	if (last > first + 3)
		bytes[first + 4] |= in_place >> 32;
}

/* From a field's bits to what the struct holds, and back, by type */
#define V3D_DECODE_U(raw, bits) (raw)
#define V3D_DECODE_S(raw, bits) ((__s32)((raw) << (32 - (bits))) >> (32 - (bits)))
#define V3D_DECODE_A(raw, bits) ((raw) << (32 - (bits)))
#define V3D_DECODE_F32(raw, bits) (raw)
#define V3D_DECODE_F187(raw, bits) ((raw) << 16)
#define V3D_ENCODE_U(value, bits) (value)
#define V3D_ENCODE_S(value, bits) ((__u32)(value))
#define V3D_ENCODE_A(value, bits) ((value) >> (32 - (bits)))
#define V3D_ENCODE_F32(value, bits) (value)
#define V3D_ENCODE_F187(value, bits) ((value) >> 16)
#define V3D_CTYPE_U __u32
#define V3D_CTYPE_S __s32
#define V3D_CTYPE_A __u32
#define V3D_CTYPE_F32 __u32
#define V3D_CTYPE_F187 __u32

#define V3D_STRUCT_FIELD(o, name, type, low, bits) V3D_CTYPE_##type name;
#define V3D_UNPACK_FIELD(base, name, type, low, bits) \
	out->name = V3D_DECODE_##type(v3d_get_bits(in, (base) + (low), bits), bits);
#define V3D_PACK_FIELD(base, name, type, low, bits) \
	v3d_put_bits(out, (base) + (low), bits, V3D_ENCODE_##type(in->name, bits));
#define V3D_DESCRIBE_FIELD(o, name, type, low, bits) { #name, V3D_##type, bits, low },

/*
 * struct v3d_<name>, v3d_pack_<name>() and v3d_unpack_<name>(); fields start at bit base of the
 * bytes.
 */
#define V3D_DEFINE(NAME, name, length, base) \
	struct v3d_##name { V3D_##NAME##_FIELDS(V3D_STRUCT_FIELD, 0) }; \
	static inline void v3d_unpack_##name(const __u8 *in, struct v3d_##name *out) \
	{ \
		(void)in; \
		(void)out; \
		V3D_##NAME##_FIELDS(V3D_UNPACK_FIELD, base) \
	} \
	static inline void v3d_pack_fields_##name(__u8 *out, const struct v3d_##name *in) \
	{ \
		unsigned int i; \
		for (i = 0; i < (length); i++) \
			out[i] = 0; \
		(void)in; \
		V3D_##NAME##_FIELDS(V3D_PACK_FIELD, base) \
	}

#define V3D_DEFINE_PACKET(NAME, name, id, length, lists) \
	V3D_DEFINE(NAME, name, length, 8) \
	static inline void v3d_pack_##name(__u8 *out, const struct v3d_##name *in) \
	{ \
		v3d_pack_fields_##name(out, in); \
		out[0] = (id); \
	}
#define V3D_DEFINE_RECORD(NAME, name, length) \
	V3D_DEFINE(NAME, name, length, 0) \
	static inline void v3d_pack_##name(__u8 *out, const struct v3d_##name *in) \
	{ \
		v3d_pack_fields_##name(out, in); \
	}

V3D_PACKETS(V3D_DEFINE_PACKET)
V3D_RECORDS(V3D_DEFINE_RECORD)

#define V3D_PACKET_CONSTANTS(NAME, name, id, length, lists) \
	V3D_##NAME = (id), V3D_##NAME##_LENGTH = (length),
#define V3D_RECORD_CONSTANTS(NAME, name, length) V3D_##NAME##_LENGTH = (length),
enum v3d_packet_id { V3D_PACKETS(V3D_PACKET_CONSTANTS) };
enum v3d_record_length { V3D_RECORDS(V3D_RECORD_CONSTANTS) };

/**
 * struct v3d_field - a field, described for code that prints or walks records
 * @name: NULL ends a list
 * @type: enum v3d_field_type
 * @bits: width
 * @low: lowest bit: after the id byte for control records, from the first byte otherwise
 */
struct v3d_field {
	const char *name;
	__u8 type, bits;
	__u16 low;
};

/**
 * struct v3d_packet_info - a control record, described
 * @name: NULL where no record has this id
 * @fields: ended by a NULL name
 * @length: bytes with the id; of the fixed part where the length varies
 * @lists: enum v3d_list
 */
struct v3d_packet_info {
	const char *name;
	const struct v3d_field *fields;
	__u8 length, lists;
};

#define V3D_DESCRIBE_PACKET(NAME, name, id, length, lists) \
	static const struct v3d_field name[] = { \
		V3D_##NAME##_FIELDS(V3D_DESCRIBE_FIELD, 0) \
		{ NULL, 0, 0, 0 } \
	};
#define V3D_LIST_PACKET(NAME, packet, id, length, lists) \
	[id] = { #packet, packet, length, V3D_IN_##lists },
/* C++ has no arrays initialised by index. */
#define V3D_RETURN_PACKET(NAME, packet, number, length, lists) \
	if (id == (number)) { \
		static const struct v3d_packet_info info = { \
			#packet, packet, length, V3D_IN_##lists \
		}; \
		return &info; \
	}

/**
 * v3d_packet_info() - the description of a control record
 * @id: its first byte
 *
 * Return: never NULL; its name is NULL where AG100 Table 38 has no such record
 */
static inline const struct v3d_packet_info *v3d_packet_info(__u8 id)
{
	V3D_PACKETS(V3D_DESCRIBE_PACKET)
#ifdef __cplusplus
	static const struct v3d_packet_info none = { NULL, NULL, 0, 0 };

	V3D_PACKETS(V3D_RETURN_PACKET)
	return &none;
#else
	static const struct v3d_packet_info info[256] = { V3D_PACKETS(V3D_LIST_PACKET) };

	return &info[id];
#endif
}

#endif /* V3D_PACKETS_H */
