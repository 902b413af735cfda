/* SPDX-License-Identifier: MIT */
/*
 * Control lists, and the records in memory that they point to.
 *
 *	struct v3dcl_list list;
 *	struct v3dcl_clip_window window = { .width = 640, .height = 480 };
 *	struct v3dcl_error error;
 *
 *	v3dcl_list_init(&list, V3DCL_BIN_LIST);
 *	v3dcl_list_clip_window(&list, &window, &error);
 *
 * One function a record of AG100 Table 38, by its name in <v3d/packets.h>: v3dcl_list_<name>(list,
 * record, error), the record being a struct v3dcl_<name> whose fields are numbers, floats and
 * addresses; those without fields are v3dcl_list_<name>(list, error). v3dcl_list_add() is the same
 * for those who have the record's number and its values in an array. Records 42, 48 and 49 have
 * data behind them: v3dcl_list_vg_inline(), v3dcl_list_compressed() and v3dcl_list_clipped().
 *
 * A list knows what it is for. A record that may not stand there, a draw without a shader state, an
 * address that is not aligned, a number too big for its field: each is refused by the call that
 * makes it, with a reason; the list is then as it was before.
 *
 * Addresses are never numbers: they are a BO (a handle of the device's) and an offset, and what is
 * built remembers where each stands. <v3dcl_frame.h> makes jobs of it.
 */
#ifndef V3DCL_CL_H
#define V3DCL_CL_H

#include <string.h>

#include <v3d/packets.h>

#include "v3dcl_buffer.h"
#include "v3dcl_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct v3dcl_address - a place in memory
 * @bo: handle, V3DCL_FRAME_MEMORY or V3DCL_TILE_MEMORY; 0 for none: @offset is then a number that
 *	is written as it is
 * @offset: bytes
 */
struct v3dcl_address {
	uint32_t bo, offset;
};

/**
 * V3DCL_FRAME_MEMORY - in place of a handle: what a struct v3dcl_frame has been given to keep
 */
#define V3DCL_FRAME_MEMORY 0xffffffffu
/**
 * V3DCL_TILE_MEMORY - in place of a handle: tile state and tile lists of a struct v3dcl_frame
 */
#define V3DCL_TILE_MEMORY 0xfffffffeu

/**
 * struct v3dcl_fixup - where in a piece of memory an address stands
 * @at: byte of the 32-bit little endian word, not always aligned, that the address is added to
 * @to: the address
 */
struct v3dcl_fixup {
	uint32_t at;
	struct v3dcl_address to;
};

/**
 * struct v3dcl_block - a piece of memory being written; all zero is an empty one
 * @bytes: what is in it, addresses as 0 or as what is added to them
 * @fixups: struct v3dcl_fixup, in the order in which they were written
 */
struct v3dcl_block {
	struct v3dcl_buffer bytes, fixups;
};

/**
 * v3dcl_block_free() - frees what it holds and makes it empty
 * @block: the struct itself stays the caller's
 */
void v3dcl_block_free(struct v3dcl_block *block);

/**
 * v3dcl_block_fixups() - where addresses stand in a block
 * @block: the block
 * @count: set to how many there are
 *
 * Return: the first of them, valid until the block changes; NULL may stand for none
 */
const struct v3dcl_fixup *v3dcl_block_fixups(const struct v3dcl_block *block, uint32_t *count);

/**
 * v3dcl_block_align() - append zeros up to an alignment
 * @block: appended to
 * @alignment: bytes, a power of two
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL where the block gets too large, -ENOMEM
 */
int v3dcl_block_align(struct v3dcl_block *block, uint32_t alignment, struct v3dcl_error *error);

/**
 * v3dcl_block_bytes() - append bytes
 * @block: appended to
 * @bytes: what to append, copied; NULL for zeros
 * @size: bytes
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL where the block gets too large, -ENOMEM; the block is then as it was
 */
int v3dcl_block_bytes(struct v3dcl_block *block, const void *bytes, size_t size,
		      struct v3dcl_error *error);

/**
 * v3dcl_block_word() - append a 32-bit word, little endian
 * @block: appended to
 * @word: the word
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL where the block gets too large, -ENOMEM; the block is then as it was
 */
int v3dcl_block_word(struct v3dcl_block *block, uint32_t word, struct v3dcl_error *error);

/**
 * v3dcl_block_float() - append a 32-bit float, little endian
 * @block: appended to
 * @value: the number
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL where the block gets too large, -ENOMEM; the block is then as it was
 */
int v3dcl_block_float(struct v3dcl_block *block, float value, struct v3dcl_error *error);

/**
 * v3dcl_block_address() - append an address, a word that is filled in when BOs have their places
 * @block: appended to
 * @address: where it leads
 * @word: added to it, as texture words want it: what stands in its low bits; else 0
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL where the block gets too large, -ENOMEM; the block is then as it was
 */
int v3dcl_block_address(struct v3dcl_block *block, struct v3dcl_address address, uint32_t word,
			struct v3dcl_error *error);

/**
 * v3dcl_block_append() - append what is in another block, with its addresses
 * @block: appended to
 * @other: copied; it stays the caller's
 * @alignment: bytes, a power of two: zeros before it up to there
 * @at: set to the byte of @block where it begins
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL where the block gets too large, -ENOMEM; the block is then as it was
 */
int v3dcl_block_append(struct v3dcl_block *block, const struct v3dcl_block *other,
		       uint32_t alignment, uint32_t *at, struct v3dcl_error *error);

/**
 * enum v3dcl_list_kind - what a list is for
 * @V3DCL_BIN_LIST: thread 0 runs it
 * @V3DCL_RENDER_LIST: thread 1 runs it
 * @V3DCL_SUB_LIST: branched to: the first record that only one thread may run says whose it is
 */
enum v3dcl_list_kind {
	V3DCL_BIN_LIST,
	V3DCL_RENDER_LIST,
	V3DCL_SUB_LIST,
};

/**
 * struct v3dcl_list_state - what has been said in a list: the builder's own
 * @said: what there has been
 * @lists: enum v3d_list: whose it may still be
 * @primitive: of record 56
 * @data: of record 56
 * @columns: tiles across
 * @rows: tiles down
 */
struct v3dcl_list_state {
	uint32_t said, lists;
	uint32_t primitive, data;
	uint32_t columns, rows;
};

/**
 * struct v3dcl_list - a control list being built
 * @kind: see enum v3dcl_list_kind
 * @block: the records so far
 * @state: the builder's own
 */
struct v3dcl_list {
	enum v3dcl_list_kind kind;
	struct v3dcl_block block;
	struct v3dcl_list_state state;
};

/**
 * v3dcl_list_init() - make an empty list
 * @list: all of it is set, nothing of it is freed
 * @kind: what the list is for
 */
void v3dcl_list_init(struct v3dcl_list *list, enum v3dcl_list_kind kind);

/**
 * v3dcl_list_free() - frees its memory
 * @list: the struct itself stays the caller's; NULL is fine
 */
void v3dcl_list_free(struct v3dcl_list *list);

/**
 * struct v3dcl_value - the value of a field
 * @bits: a number, two's complement; a float as its bits
 * @to: an address
 */
struct v3dcl_value {
	uint32_t bits;
	struct v3dcl_address to;
};

/**
 * v3dcl_list_add() - append a record by its number
 * @list: where
 * @id: number of the record
 * @values: one a field, in the order of v3d_packet_info(id)->fields; NULL for a record without
 *	fields
 * @data: what stands behind the fixed part: only for records 42, 48 and 49, and whole, with what
 *	ends it
 * @size: bytes of @data
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0; -EINVAL, and the list is as it was; -ENOMEM, and the same
 */
int v3dcl_list_add(struct v3dcl_list *list, uint8_t id, const struct v3dcl_value *values,
		   const uint8_t *data, size_t size, struct v3dcl_error *error);

/**
 * v3dcl_list_end() - is the list whole?
 * @list: all its records are there
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0; -EINVAL: a bin list without Flush, a render list that does not end its frame, a
 * sub-list without a return
 */
int v3dcl_list_end(const struct v3dcl_list *list, struct v3dcl_error *error);

/**
 * v3dcl_list_vg_inline() - record 42 with its coordinates, and the word that ends them
 * @list: where
 * @mode: enum v3d_vg_primitive
 * @continuation: goes on with the triangle fan before
 * @coordinates: x in bits 15:0, y in 31:16, 12.4 fixed point; whole primitives
 * @count: of @coordinates
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL or -ENOMEM
 */
int v3dcl_list_vg_inline(struct v3dcl_list *list, uint32_t mode, bool continuation,
			 const uint32_t *coordinates, uint32_t count, struct v3dcl_error *error);

/**
 * v3dcl_list_compressed() - record 48 with its primitives, coded as short as can be
 * @list: where; its record 56 says what primitives
 * @vertices: indices, or coordinates as in v3dcl_list_vg_inline(); as many a primitive as it has
 * @count: of primitives
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL or -ENOMEM
 */
int v3dcl_list_compressed(struct v3dcl_list *list, const uint32_t *vertices, uint32_t count,
			  struct v3dcl_error *error);

/**
 * v3dcl_list_clipped() - record 49 with its primitives, of which the first is clipped
 * @list: where; its record 56 says what primitives
 * @clipped_vertices: a bit a vertex of the first primitive
 * @address: of a clipped vertex record for each of them
 * @vertices: see v3dcl_list_compressed()
 * @count: of primitives
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL or -ENOMEM
 */
int v3dcl_list_clipped(struct v3dcl_list *list, uint32_t clipped_vertices,
		       struct v3dcl_address address, const uint32_t *vertices, uint32_t count,
		       struct v3dcl_error *error);

/**
 * v3dcl_encode_primitives() - a compressed primitive list with its escape code: AG100 Tables 39 to
 * 43
 * @format: of record 56
 * @vertices: see v3dcl_list_compressed()
 * @count: of primitives
 * @out: appended to
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL or -ENOMEM
 */
int v3dcl_encode_primitives(const struct v3d_primitive_list_format *format,
			    const uint32_t *vertices, uint32_t count, struct v3dcl_buffer *out,
			    struct v3dcl_error *error);

/**
 * v3dcl_decode_primitives() - the primitives of a compressed list, up to its escape code
 * @format: of record 56
 * @bytes: the list, from its first code on
 * @size: bytes there are
 * @out: uint32_t are appended, as many a primitive as it has
 * @used: set to the bytes of the list, with the escape code or the branch that ends it
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0; 1: it ends with a branch, whose three bytes are the last of @used; -EINVAL or -ENOMEM
 */
int v3dcl_decode_primitives(const struct v3d_primitive_list_format *format, const uint8_t *bytes,
			    size_t size, struct v3dcl_buffer *out, size_t *used,
			    struct v3dcl_error *error);

/**
 * struct v3dcl_binning - memory that a frame's binning takes
 * @width: pixels of the frame
 * @height: pixels
 * @multisample: 4 samples a pixel
 * @color64: 64 bits a pixel
 * @initial_block: bytes of the first block of each tile's list: 32, 64, 128 or 256; 0 for 32
 * @block: bytes of all further ones; 0 for 128
 * @columns: computed: tiles across
 * @rows: computed: tiles down
 * @state_bytes: computed: of the tile state array
 * @list_bytes: computed: the least that the tile allocation memory may have; each primitive may
 *	take more
 */
struct v3dcl_binning {
	uint32_t width, height;
	bool multisample, color64;
	uint32_t initial_block, block;
	uint32_t columns, rows, state_bytes, list_bytes;
};

/**
 * v3dcl_binning_compute() - fills in what is computed
 * @binning: width, height, samples and blocks are given
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0 or -EINVAL: no tiles or more than 255 x 255, or a size of blocks that does not exist
 */
int v3dcl_binning_compute(struct v3dcl_binning *binning, struct v3dcl_error *error);

/**
 * v3dcl_list_begin() - a bin list's first records: Tile Binning Mode, Start Tile Binning, Primitive
 * List Format for triangles
 * @list: empty bin list
 * @binning: computed
 * @state: of the tile state array
 * @lists: of the tile allocation memory
 * @list_bytes: of it, at least @binning's
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL or -ENOMEM; some of the records may be there then
 */
int v3dcl_list_begin(struct v3dcl_list *list, const struct v3dcl_binning *binning,
		     struct v3dcl_address state, struct v3dcl_address lists, uint32_t list_bytes,
		     struct v3dcl_error *error);

/* From fields as a caller has them to values, by type */
static inline struct v3dcl_value v3dcl_value_u(uint32_t number)
{
	const struct v3dcl_value value = { number, { 0, 0 } };

	return value;
}

static inline struct v3dcl_value v3dcl_value_s(int32_t number)
{
	return v3dcl_value_u((uint32_t)number);
}

static inline struct v3dcl_value v3dcl_value_float(float number)
{
	uint32_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return v3dcl_value_u(bits);
}

static inline struct v3dcl_value v3dcl_value_address(struct v3dcl_address address)
{
	const struct v3dcl_value value = { 0, address };

	return value;
}

#define V3DCL_VALUE_U v3dcl_value_u
#define V3DCL_VALUE_S v3dcl_value_s
#define V3DCL_VALUE_A v3dcl_value_address
#define V3DCL_VALUE_F32 v3dcl_value_float
#define V3DCL_VALUE_F187 v3dcl_value_float
#define V3DCL_CTYPE_U uint32_t
#define V3DCL_CTYPE_S int32_t
#define V3DCL_CTYPE_A struct v3dcl_address
#define V3DCL_CTYPE_F32 float
#define V3DCL_CTYPE_F187 float

#define V3DCL_STRUCT_FIELD(o, name, type, low, bits) V3DCL_CTYPE_##type name;
#define V3DCL_FIELD_VALUE(from, name, type, low, bits) V3DCL_VALUE_##type((from)->name),

/*
 * struct v3dcl_<name> and v3dcl_list_<name>(): with a record, without one where there are no
 * fields, none where data follow
 */
#define V3DCL_BUILDER_RECORD(NAME, name) \
	struct v3dcl_##name { \
		V3D_##NAME##_FIELDS(V3DCL_STRUCT_FIELD, 0) \
	}; \
	static inline int v3dcl_list_##name(struct v3dcl_list *list, \
					    const struct v3dcl_##name *record, \
					    struct v3dcl_error *error) \
	{ \
		const struct v3dcl_value values[] = { V3D_##NAME##_FIELDS(V3DCL_FIELD_VALUE, \
									  record) }; \
		return v3dcl_list_add(list, V3D_##NAME, values, NULL, 0, error); \
	}
#define V3DCL_BUILDER_CODE(NAME, name) \
	static inline int v3dcl_list_##name(struct v3dcl_list *list, struct v3dcl_error *error) \
	{ \
		return v3dcl_list_add(list, V3D_##NAME, NULL, NULL, 0, error); \
	}
#define V3DCL_BUILDER_DATA(NAME, name)
#define V3DCL_DATA_VG_INLINE_PRIMITIVES 0, DATA
#define V3DCL_DATA_COMPRESSED_PRIMITIVES 0, DATA
#define V3DCL_DATA_CLIPPED_PRIMITIVE 0, DATA
#define V3DCL_NOTHING
#define V3DCL_HAS_FIELDS(o, name, type, low, bits) V3DCL_NOTHING, RECORD
#define V3DCL_SECOND_OF(first, second, ...) second
#define V3DCL_SECOND(...) V3DCL_SECOND_OF(__VA_ARGS__)
#define V3DCL_JOIN_THEM(a, b) a##b
#define V3DCL_JOIN(a, b) V3DCL_JOIN_THEM(a, b)
#define V3DCL_BUILDER_KIND(NAME) V3DCL_SECOND(0 V3D_##NAME##_FIELDS(V3DCL_HAS_FIELDS, 0), CODE, 0)
#define V3DCL_DEFINE_BUILDER(NAME, name, id, length, lists) \
	V3DCL_JOIN(V3DCL_BUILDER_, V3DCL_SECOND(V3DCL_DATA_##NAME, V3DCL_BUILDER_KIND(NAME), 0)) \
	(NAME, name)

V3D_PACKETS(V3DCL_DEFINE_BUILDER)

/* struct v3dcl_<name> of the records in memory: AG100 Tables 44 to 47 */
#define V3DCL_DEFINE_RECORD(NAME, name, length) \
	struct v3dcl_##name { \
		V3D_##NAME##_FIELDS(V3DCL_STRUCT_FIELD, 0) \
	};

V3D_RECORDS(V3DCL_DEFINE_RECORD)

/**
 * v3dcl_record_gl() - a GL shader record with its attribute arrays: AG100 Table 45
 * @block: appended to, 16-byte aligned
 * @record: the record
 * @attributes: its arrays, 1 to 8; where they lie in the VPM: v3dcl_place_attributes()
 * @strides: NULL for a plain record; else of each array, in place of its 8-bit stride, and the
 *	record is extended
 * @count: of @attributes
 * @at: set to where it is
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0; -EINVAL; -ENOMEM; the block is as it was, but for its alignment, when there is an
 * error
 */
int v3dcl_record_gl(struct v3dcl_block *block, const struct v3dcl_gl_shader_record *record,
		    const struct v3dcl_attribute *attributes, const uint32_t *strides,
		    uint32_t count, uint32_t *at, struct v3dcl_error *error);

/**
 * v3dcl_record_nv() - an NV shader record: AG100 Table 46
 * @block: appended to, 16-byte aligned
 * @record: the record
 * @at: set to the byte of @block where it begins
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL or -ENOMEM; the block is then as it was, but for its alignment
 */
int v3dcl_record_nv(struct v3dcl_block *block, const struct v3dcl_nv_shader_record *record,
		    uint32_t *at, struct v3dcl_error *error);

/**
 * v3dcl_record_vg() - a VG shader record: AG100 Table 47
 * @block: appended to, 16-byte aligned
 * @record: the record
 * @at: set to the byte of @block where it begins
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL or -ENOMEM; the block is then as it was, but for its alignment
 */
int v3dcl_record_vg(struct v3dcl_block *block, const struct v3dcl_vg_shader_record *record,
		    uint32_t *at, struct v3dcl_error *error);

/**
 * v3dcl_record_clipped_vertex() - a vertex that record 49 points to: AG100 Table 44
 * @block: appended to, 16-byte aligned
 * @vertex: the record
 * @at: set to the byte of @block where it begins
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL or -ENOMEM; the block is then as it was, but for its alignment
 */
int v3dcl_record_clipped_vertex(struct v3dcl_block *block,
				const struct v3dcl_clipped_vertex *vertex, uint32_t *at,
				struct v3dcl_error *error);

/**
 * v3dcl_place_attributes() - put the selected arrays of a GL record one behind the other into the
 * VPM
 * @record: its vs_attributes and cs_attributes select; its sizes are set
 * @attributes: their offsets in the VPM are set; each takes whole words
 * @count: of @attributes, at most 8
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, or -EINVAL: more than 252 bytes of them
 */
int v3dcl_place_attributes(struct v3dcl_gl_shader_record *record,
			   struct v3dcl_attribute *attributes, uint32_t count,
			   struct v3dcl_error *error);

/**
 * V3DCL_NO_FIELD - an offset in struct v3dcl_nv_layout of what is not there
 */
#define V3DCL_NO_FIELD 0xffffffffu

/**
 * struct v3dcl_nv_layout - a shaded vertex in memory: AG100 Figure 12
 * @clip: offset of Xc, Yc, Zc and Wc, or V3DCL_NO_FIELD
 * @xy: offset of Xs and Ys, 12.4 fixed point, relative to the viewport's centre
 * @z: offset of Zs
 * @one_over_w: offset of 1/Wc
 * @point_size: offset, or V3DCL_NO_FIELD
 * @varyings: offset of the first
 * @stride: bytes of a vertex
 */
struct v3dcl_nv_layout {
	uint32_t clip, xy, z, one_over_w, point_size, varyings, stride;
};

/**
 * v3dcl_nv_lay_out() - one of the four layouts of AG100 Figure 12
 * @clip_header: vertices begin with Xc, Yc, Zc and Wc
 * @point_size: vertices have a point size
 * @varyings: 32-bit words of varyings in a vertex
 * @layout: filled
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, or -EINVAL: its stride does not fit the record's 8 bits
 */
int v3dcl_nv_lay_out(bool clip_header, bool point_size, uint32_t varyings,
		     struct v3dcl_nv_layout *layout, struct v3dcl_error *error);

#ifdef __cplusplus
}
#endif

#endif /* V3DCL_CL_H */
