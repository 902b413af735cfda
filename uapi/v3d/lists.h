/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * How long what follows a record of variable length is: compressed primitive lists (records 48 and 49), inline VG coordinates
 * (record
 * 42) and GL shader records (record 64). Sources: AG100 Tables 38 to 43 and 45.
 */
#ifndef V3D_LISTS_H
#define V3D_LISTS_H

#include <v3d/packets.h>

/* Codes of compressed lists that are the same in every variant: AG100 Tables 39 to 43 */
#define V3D_CODE_ESCAPE 128
#define V3D_CODE_ABSOLUTE 129
#define V3D_CODE_BRANCH 130
#define V3D_CODE_BRANCH_LENGTH 3
#define V3D_CODE_MAX_LENGTH 13

/*
 * A relative branch counts in these bytes; what it is relative to is not said: here, the block of as many bytes that it stands in.
 */
#define V3D_CODE_BRANCH_UNIT 32

/**
 * v3d_code_length() - bytes of one code of a compressed primitive list
 * @format: record 56 in force
 * @first: the code's first byte
 * Return: 0 where the format or the code does not exist; escape and branch codes have a length like primitives
 */
static inline unsigned int v3d_code_length(const struct v3d_primitive_list_format *format, __u8 first)
{
	/* [primitive]: lengths of codings 0 to 3; 0 is none. AG100 Tables 39 to 41 for indices, 42 and 43 for coordinates. */
	static const __u8 index[4][4] = { { 1, 2, 0, 3 }, { 1, 2, 3, 5 }, { 1, 2, 4, 7 }, { 1, 2, 3, 5 } };
	static const __u8 coordinate[4][4] = { { 0 }, { 0 }, { 2, 3, 8, 13 }, { 2, 3, 6, 9 } };
	bool triangles = format->primitive == V3D_LIST_TRIANGLES;
	const __u8 *lengths;

	if (format->primitive > V3D_LIST_RHT || (format->data != V3D_LIST_INDEX_16 && format->data != V3D_LIST_XY_32))
		return 0;
	lengths = format->data == V3D_LIST_INDEX_16 ? index[format->primitive] : coordinate[format->primitive];
	if (!lengths[0])
		return 0;
	switch (first) {
	case V3D_CODE_ESCAPE:
		return 1;
	case V3D_CODE_ABSOLUTE:
		return lengths[3];
	case V3D_CODE_BRANCH:
		return V3D_CODE_BRANCH_LENGTH;
	}
	switch (first & 3) {
	case 3:
		if (format->primitive == V3D_LIST_POINTS || (first >> 2 & 3) != 3)
			return lengths[1];
		return triangles ? lengths[2] : 0;
	case 2:
		return triangles ? lengths[0] : lengths[2];
	default:
		return lengths[0];
	}
}

/* Words that stand in place of a vertex in VG coordinate lists: AG100 "VG Inline Primitives" */
#define V3D_VG_END 0xbfff0000
#define V3D_VG_DUMMY 0xbfff0001

/**
 * v3d_vg_vertices() - coordinates that one primitive of a VG list takes
 * @mode: enum v3d_vg_primitive
 * @first: the first primitive of the list; later ones of strips and fans share vertices with it
 * Return: 0 for a mode that does not exist
 */
static inline unsigned int v3d_vg_vertices(__u32 mode, bool first)
{
	switch (mode) {
	case V3D_VG_RHTS:
		return 2;
	case V3D_VG_RHT_STRIP:
		return first ? 2 : 1;
	case V3D_VG_TRIANGLES:
		return 3;
	case V3D_VG_TRIANGLE_STRIP:
	case V3D_VG_TRIANGLE_FAN:
		return first ? 3 : 1;
	default:
		return 0;
	}
}

#define V3D_ATTRIBUTES 8			/* arrays of a GL shader record, at most */
#define V3D_EXTENDED_STRIDE_OFFSET 100		/* AG100 Table 45 */
#define V3D_SHADER_RECORD_MAX_LENGTH (V3D_EXTENDED_STRIDE_OFFSET + V3D_ATTRIBUTES * V3D_EXTENDED_STRIDE_LENGTH)

/** v3d_shader_attributes() - attribute arrays that a GL shader record has */
static inline unsigned int v3d_shader_attributes(const struct v3d_gl_shader_state *state)
{
	return state->extended || !state->attributes ? V3D_ATTRIBUTES : state->attributes;
}

/** v3d_shader_record_length() - bytes of the GL shader record that record 64 points to */
static inline unsigned int v3d_shader_record_length(const struct v3d_gl_shader_state *state)
{
	if (state->extended)
		return V3D_SHADER_RECORD_MAX_LENGTH;
	return V3D_GL_SHADER_RECORD_LENGTH + v3d_shader_attributes(state) * V3D_ATTRIBUTE_LENGTH;
}

#endif /* V3D_LISTS_H */
