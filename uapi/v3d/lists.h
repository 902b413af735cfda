/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * What follows records of variable length: compressed primitive lists (records 48 and 49), their
 * codes both ways; inline VG coordinates (record 42) and GL shader records (record 64), their
 * lengths. Sources: AG100 Tables 38 to 43 and 45.
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
 * A relative branch counts in these bytes; what it is relative to is not said: here, the block of
 * as many bytes that it stands in.
 */
#define V3D_CODE_BRANCH_UNIT 32

/**
 * v3d_code_length() - bytes of one code of a compressed primitive list
 * @format: record 56 in force
 * @first: the code's first byte
 *
 * Return: 0 where the format or the code does not exist; escape and branch codes have a length like
 * primitives
 */
static inline unsigned int v3d_code_length(const struct v3d_primitive_list_format *format,
					   __u8 first)
{
	/*
	 * [primitive]: lengths of codings 0 to 3; 0 is none. AG100 Tables 39 to 41 for indices, 42
	 * and 43 for coordinates.
	 */
	static const __u8 index[4][4] = {
		{ 1, 2, 0, 3 }, { 1, 2, 3, 5 }, { 1, 2, 4, 7 }, { 1, 2, 3, 5 }
	};
	static const __u8 coordinate[4][4] = { { 0 }, { 0 }, { 2, 3, 8, 13 }, { 2, 3, 6, 9 } };
	bool triangles = format->primitive == V3D_LIST_TRIANGLES;
	const __u8 *lengths;

	if (format->primitive > V3D_LIST_RHT ||
	    (format->data != V3D_LIST_INDEX_16 && format->data != V3D_LIST_XY_32))
		return 0;
	lengths = format->data == V3D_LIST_INDEX_16 ? index[format->primitive] :
						      coordinate[format->primitive];
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

/*
 * Vertices of a primitive in a compressed list: indices, or coordinates with x in bits 15:0 and y
 * in 31:16 like those of VG lists. Codes may relate to the primitive before. What the first one of
 * a list may relate to is not established: here, to a primitive of zeros; v3d_encode_primitive()
 * does not make use of it.
 */
#define V3D_LIST_VERTICES 3

/**
 * v3d_list_vertices() - vertices that a primitive of a compressed list has
 * @primitive: its kind, as record 56 says it
 *
 * Return: 1 to 3; 0 where there is no such primitive
 */
static inline unsigned int v3d_list_vertices(__u32 primitive)
{
	return primitive == V3D_LIST_POINTS ? 1 :
	       primitive == V3D_LIST_TRIANGLES ? 3 :
	       primitive <= V3D_LIST_RHT ? 2 : 0;
}

static inline __u32 v3d_list_bytes(const __u8 *bytes, unsigned int count)
{
	__u32 value = 0;

	while (count--)
		value = value << 8 | bytes[count];
	return value;
}

static inline void v3d_list_put(__u8 *bytes, unsigned int count, __u32 value)
{
	for (; count; count--, value >>= 8)
		*bytes++ = value;
}

static inline __s32 v3d_list_signed(__u32 value, unsigned int bits)
{
	return (__s32)(value << (32 - bits)) >> (32 - bits);
}

/* A difference that bits can hold, but for the lowest ones, which are reserved */
static inline bool v3d_list_fits(__s32 difference, unsigned int bits, __s32 reserved)
{
	return difference >= reserved - (1 << (bits - 1)) && difference < 1 << (bits - 1);
}

/*
 * Which vertices a primitive shares with the one before: AG100 Table 39 for triangles, whose last
 * vertex is new, Tables 40 and 43 for lines and RHTs. [relation] gives the previous vertex that
 * each kept one is.
 */
static inline const __u8 *v3d_list_shared(__u32 primitive, unsigned int relation)
{
	static const __u8 triangle[3][2] = { { 2, 1 }, { 0, 2 }, { 1, 0 } };
	static const __u8 line[3][2] = { { 1 }, { 0 }, { 1 } };

	return primitive == V3D_LIST_TRIANGLES ? triangle[relation] : line[relation];
}

/* Takes over what is shared; the primitive's last vertex remains what it was. */
static inline void v3d_list_share(__u32 primitive, unsigned int relation, __u32 *vertices)
{
	const __u8 *shared = v3d_list_shared(primitive, relation);
	__u32 first = vertices[shared[0]], second = vertices[shared[1]];

	vertices[0] = first;
	if (primitive == V3D_LIST_TRIANGLES)
		vertices[1] = second;
}

/* Return: the relation between a primitive and the one before; 3 is none */
static inline unsigned int v3d_list_relation(__u32 primitive, const __u32 *previous,
					     const __u32 *vertices)
{
	unsigned int relations = primitive == V3D_LIST_TRIANGLES ? 3 : 2, relation;

	for (relation = 0; relation < relations; relation++) {
		const __u8 *shared = v3d_list_shared(primitive, relation);

		if (vertices[0] == previous[shared[0]] &&
		    (primitive != V3D_LIST_TRIANGLES || vertices[1] == previous[shared[1]]))
			return relation;
	}
	return 3;
}

/* AG100 Tables 39 to 41, with indices of 2 or 3 bytes */
static inline void v3d_decode_indices(__u32 primitive, unsigned int size, const __u8 *bytes,
				      __u32 *vertices)
{
	unsigned int count = v3d_list_vertices(primitive), last = count - 1, i;
	__u32 mask = ((__u32)1 << 8 * size) - 1, code = bytes[0] | bytes[1] << 8;

	if (bytes[0] == V3D_CODE_ABSOLUTE) {
		for (i = 0; i < count; i++)
			vertices[i] = v3d_list_bytes(bytes + 1 + i * size, size);
		return;
	}
	if (primitive == V3D_LIST_POINTS) {
		vertices[0] += (code & 3) == 3 ? v3d_list_signed(code >> 2, 14) :
						 v3d_list_signed(bytes[0] >> 2, 6);
	} else if (primitive == V3D_LIST_TRIANGLES && (code & 15) == 15) {
		vertices[0] = v3d_list_bytes(bytes + 2, size);
		vertices[1] = vertices[0] + v3d_list_signed(code >> 4, 6);
		vertices[2] = vertices[0] + v3d_list_signed(code >> 10, 6);
	} else if ((code & 3) == 3) {
		for (i = 0; i < count; i++)
			vertices[i] += v3d_list_signed(code >> (4 + 4 * i), 4);
	} else if (primitive != V3D_LIST_TRIANGLES && (code & 3) == 2) {
		vertices[0] = v3d_list_bytes(bytes + 1, size);
		vertices[1] = vertices[0] + v3d_list_signed(bytes[0] >> 2, 6);
	} else {
		__u32 moved = vertices[last] + v3d_list_signed(bytes[0] >> 2, 6);

		v3d_list_share(primitive, code & 3, vertices);
		vertices[last] = moved;
	}
	for (i = 0; i < count; i++)
		vertices[i] &= mask;
}

/* A coordinate moved by a difference, each half modulo 2^16 */
static inline __u32 v3d_list_move(__u32 coordinate, __s32 x, __s32 y)
{
	return ((coordinate + (__u32)x) & 0xffff) | ((coordinate >> 16) + (__u32)y) << 16;
}

/* AG100 Tables 42 and 43 */
static inline void v3d_decode_coordinates(__u32 primitive, const __u8 *bytes, __u32 *vertices)
{
	bool triangle = primitive == V3D_LIST_TRIANGLES;
	unsigned int last = triangle ? 2 : 1, i;
	__u32 code = bytes[0] | bytes[1] << 8, moved;

	if (bytes[0] == V3D_CODE_ABSOLUTE) {
		for (i = 0; i <= last; i++)
			vertices[i] = v3d_list_bytes(bytes + 1 + 4 * i, 4);
		return;
	}
	if (triangle && (code & 15) == 15) {
		code = v3d_list_bytes(bytes, 4);
		vertices[0] = v3d_list_bytes(bytes + 4, 4);
		vertices[1] = v3d_list_move(vertices[0], v3d_list_signed(code >> 4, 7),
					    v3d_list_signed(code >> 11, 7));
		vertices[2] = v3d_list_move(vertices[0], v3d_list_signed(code >> 18, 7),
					    v3d_list_signed(code >> 25, 7));
		return;
	}
	if ((code & 3) == 3) {
		code = v3d_list_bytes(bytes, 3);
		moved = v3d_list_move(vertices[last], v3d_list_signed(code >> 4, 10),
				      v3d_list_signed(code >> 14, 10));
		v3d_list_share(primitive, code >> 2 & 3, vertices);
		vertices[last] = moved;
		return;
	}
	/* Bits 7:2 are the upper ones of the difference of x, bit 8 is its lowest. */
	code = (code & 0xfc) >> 1 | (code >> 8 & 1) | (code & 0xfe00) | (code & 3) << 16;
	if (!triangle && code >> 16 == 2) {
		vertices[0] = v3d_list_bytes(bytes + 2, 4);
		vertices[1] = v3d_list_move(vertices[0], v3d_list_signed(code, 7),
					    v3d_list_signed(code >> 9, 7));
		return;
	}
	moved = v3d_list_move(vertices[last], v3d_list_signed(code, 7),
			      v3d_list_signed(code >> 9, 7));
	v3d_list_share(primitive, code >> 16, vertices);
	vertices[last] = moved;
}

/**
 * v3d_decode_primitive() - a primitive's code
 * @format: record 56 in force
 * @bytes: as many as v3d_code_length() says for the first, and no escape or branch; one more may be
 *	read
 * @vertices: of the previous primitive, zeros at the beginning of a list; become those of this one
 */
static inline void v3d_decode_primitive(const struct v3d_primitive_list_format *format,
					const __u8 *bytes, __u32 *vertices)
{
	if (format->data == V3D_LIST_INDEX_16)
		v3d_decode_indices(format->primitive, 2, bytes, vertices);
	else
		v3d_decode_coordinates(format->primitive, bytes, vertices);
}

/* The shortest of AG100 Tables 39 to 41 that fits */
static inline unsigned int v3d_encode_indices(__u32 primitive, const __u32 *previous,
					      const __u32 *vertices, __u8 *bytes)
{
	unsigned int count = v3d_list_vertices(primitive), last = count - 1, relation, i;
	__s32 difference, second = (__s32)(vertices[last ? 1 : 0] - vertices[0]),
			  third = (__s32)(vertices[last] - vertices[0]);
	bool near = true;
	__u32 code = 3;

	if (previous) {
		difference = (__s32)(vertices[last] - previous[last]);
		relation = last ? v3d_list_relation(primitive, previous, vertices) : 0;
		if (relation < 3 && v3d_list_fits(difference, 6, 1)) {
			bytes[0] = (__u32)difference << 2 | relation;
			return 1;
		}
		for (i = 0; i < count; i++) {
			__s32 moved = (__s32)(vertices[i] - previous[i]);

			near = near && v3d_list_fits(moved, last ? 4 : 14, 0);
			code |= last ? ((__u32)moved & 15) << (4 + 4 * i) : (__u32)moved << 2;
		}
		if (near) {
			v3d_list_put(bytes, 2, code);
			return 2;
		}
	}
	if (count == 3 && v3d_list_fits(second, 6, 0) && v3d_list_fits(third, 6, 0)) {
		v3d_list_put(bytes, 2, 15 | ((__u32)second & 63) << 4 | ((__u32)third & 63) << 10);
		v3d_list_put(bytes + 2, 2, vertices[0]);
		return 4;
	}
	if (count == 2 && v3d_list_fits(second, 6, 1)) {
		bytes[0] = 2 | (__u32)second << 2;
		v3d_list_put(bytes + 1, 2, vertices[0]);
		return 3;
	}
	bytes[0] = V3D_CODE_ABSOLUTE;
	for (i = 0; i < count; i++)
		v3d_list_put(bytes + 1 + 2 * i, 2, vertices[i]);
	return 1 + 2 * count;
}

static inline __s32 v3d_list_dx(__u32 to, __u32 from)
{
	return v3d_list_signed(to, 16) - v3d_list_signed(from, 16);
}

static inline __s32 v3d_list_dy(__u32 to, __u32 from)
{
	return v3d_list_dx(to >> 16, from >> 16);
}

/*
 * Coding 0 of Tables 42 and 43, and 2 of Table 43: a difference of x whose lowest bit stands apart
 */
static inline bool v3d_encode_move(unsigned int low, __s32 dx, __s32 dy, __u8 *bytes)
{
	if (!v3d_list_fits(dx, 7, 2) || !v3d_list_fits(dy, 7, 0))
		return false;
	v3d_list_put(bytes, 2,
		     low | ((__u32)dx & 0x7e) << 1 | ((__u32)dx & 1) << 8 |
			     ((__u32)dy & 0x7f) << 9);
	return true;
}

/* The shortest of AG100 Tables 42 and 43 that fits */
static inline unsigned int v3d_encode_coordinates(__u32 primitive, const __u32 *previous,
						  const __u32 *vertices, __u8 *bytes)
{
	bool triangle = primitive == V3D_LIST_TRIANGLES;
	unsigned int last = triangle ? 2 : 1, relation = 3, i;
	__s32 dx[3], dy[3];

	if (previous)
		relation = v3d_list_relation(primitive, previous, vertices);
	if (relation < 3) {
		dx[0] = v3d_list_dx(vertices[last], previous[last]);
		dy[0] = v3d_list_dy(vertices[last], previous[last]);
		if (v3d_encode_move(relation, dx[0], dy[0], bytes))
			return 2;
		if (v3d_list_fits(dx[0], 10, 0) && v3d_list_fits(dy[0], 10, 0)) {
			v3d_list_put(bytes, 3,
				     3 | relation << 2 | ((__u32)dx[0] & 0x3ff) << 4 |
					     ((__u32)dy[0] & 0x3ff) << 14);
			return 3;
		}
	}
	for (i = 1; i <= last; i++) {
		dx[i] = v3d_list_dx(vertices[i], vertices[0]);
		dy[i] = v3d_list_dy(vertices[i], vertices[0]);
	}
	if (!triangle && v3d_encode_move(2, dx[1], dy[1], bytes)) {
		v3d_list_put(bytes + 2, 4, vertices[0]);
		return 6;
	}
	if (triangle && v3d_list_fits(dx[1], 7, 0) && v3d_list_fits(dy[1], 7, 0) &&
	    v3d_list_fits(dx[2], 7, 0) && v3d_list_fits(dy[2], 7, 0)) {
		v3d_list_put(bytes, 4,
			     15 | ((__u32)dx[1] & 0x7f) << 4 | ((__u32)dy[1] & 0x7f) << 11 |
				     ((__u32)dx[2] & 0x7f) << 18 | (__u32)dy[2] << 25);
		v3d_list_put(bytes + 4, 4, vertices[0]);
		return 8;
	}
	bytes[0] = V3D_CODE_ABSOLUTE;
	for (i = 0; i <= last; i++)
		v3d_list_put(bytes + 1 + 4 * i, 4, vertices[i]);
	return 1 + 4 * (last + 1);
}

/**
 * v3d_encode_primitive() - the shortest code of a primitive
 * @format: record 56 in force, one that exists
 * @previous: vertices of the previous primitive of the same list; NULL for the first
 * @vertices: as many as the primitive has
 * @bytes: V3D_CODE_MAX_LENGTH are enough
 *
 * Return: its length
 */
static inline unsigned int v3d_encode_primitive(const struct v3d_primitive_list_format *format,
						const __u32 *previous, const __u32 *vertices,
						__u8 *bytes)
{
	if (format->data == V3D_LIST_INDEX_16)
		return v3d_encode_indices(format->primitive, previous, vertices, bytes);
	return v3d_encode_coordinates(format->primitive, previous, vertices, bytes);
}

/**
 * v3d_decode_list_branch() - where a relative branch (code 130) leads to
 * @addr: where the branch stands
 * @bytes: its three bytes
 *
 * Return: the address
 */
static inline __u32 v3d_decode_list_branch(__u32 addr, const __u8 *bytes)
{
	return (addr & ~(__u32)(V3D_CODE_BRANCH_UNIT - 1)) +
	       (__u32)v3d_list_signed(v3d_list_bytes(bytes + 1, 2), 16) * V3D_CODE_BRANCH_UNIT;
}

/**
 * v3d_encode_list_branch() - a relative branch
 * @addr: where it stands
 * @to: where it leads to, a multiple of V3D_CODE_BRANCH_UNIT
 * @bytes: V3D_CODE_BRANCH_LENGTH of them
 *
 * Return: false: that is too far away
 */
static inline bool v3d_encode_list_branch(__u32 addr, __u32 to, __u8 *bytes)
{
	__s32 distance = (__s32)(to - (addr & ~(__u32)(V3D_CODE_BRANCH_UNIT - 1)));

	if (!v3d_list_fits(distance, 21, 0) || distance % V3D_CODE_BRANCH_UNIT)
		return false;
	bytes[0] = V3D_CODE_BRANCH;
	v3d_list_put(bytes + 1, 2, (__u32)distance / V3D_CODE_BRANCH_UNIT);
	return true;
}

/* Words that stand in place of a vertex in VG coordinate lists: AG100 "VG Inline Primitives" */
#define V3D_VG_END 0xbfff0000
#define V3D_VG_DUMMY 0xbfff0001

/**
 * v3d_vg_vertices() - coordinates that one primitive of a VG list takes
 * @mode: enum v3d_vg_primitive
 * @first: the first primitive of the list; later ones of strips and fans share vertices with it
 *
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
#define V3D_SHADER_RECORD_MAX_LENGTH \
	(V3D_EXTENDED_STRIDE_OFFSET + V3D_ATTRIBUTES * V3D_EXTENDED_STRIDE_LENGTH)

/**
 * v3d_shader_attributes() - attribute arrays that a GL shader record has
 * @state: record 64
 *
 * Return: 1 to 8
 */
static inline unsigned int v3d_shader_attributes(const struct v3d_gl_shader_state *state)
{
	return state->extended || !state->attributes ? V3D_ATTRIBUTES : state->attributes;
}

/**
 * v3d_shader_record_length() - how long the GL shader record is that record 64 points to
 * @state: record 64
 *
 * Return: bytes
 */
static inline unsigned int v3d_shader_record_length(const struct v3d_gl_shader_state *state)
{
	if (state->extended)
		return V3D_SHADER_RECORD_MAX_LENGTH;
	return V3D_GL_SHADER_RECORD_LENGTH + v3d_shader_attributes(state) * V3D_ATTRIBUTE_LENGTH;
}

#endif /* V3D_LISTS_H */
