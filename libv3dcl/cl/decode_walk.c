// SPDX-License-Identifier: MIT
/* From the lists to wherever they lead: records, structures, code, indices, tile lists. */
#include <errno.h>
#include <stdlib.h>
#include <sys/param.h>

#include <v3d/qpu.h>

#include "decode.h"
#include "v3dcl_cl.h"

#define DEFAULT_LIMIT 1000000

int decode_open(struct decode *d, const struct v3dcl_decoding *how, struct v3dcl_error *error)
{
	uint32_t i;

	*d = (struct decode){ .how = how, .left = how->limit ? how->limit : DEFAULT_LIMIT };
	d->seen = calloc((size_t)how->piece_count + 1, sizeof(*d->seen));
	for (i = 0; d->seen && i < how->piece_count; i++) {
		d->seen[i] = calloc((size_t)how->pieces[i].size / 8 + 1, 1);
		if (!d->seen[i])
			break;
	}
	if (d->seen && i == how->piece_count)
		return 0;
	decode_close(d);
	return v3dcl_fail(error, -ENOMEM, "no memory");
}

void decode_close(struct decode *d)
{
	uint32_t i;

	for (i = 0; d->seen && i < d->how->piece_count; i++)
		free(d->seen[i]);
	free(d->seen);
	v3dcl_buffer_free(&d->items);
	v3dcl_buffer_free(&d->problems);
	v3dcl_buffer_free(&d->todo);
	*d = (struct decode){ 0 };
}

static void remember(struct decode *d, const struct decode_list *list)
{
	if (d->how->follow)
		v3dcl_buffer_add(&d->todo, list, sizeof(*list));
}

/*
 * Something of a fixed size that an address leads to. Return: its bytes, or NULL where they are not
 * all there or known already
 */
static const uint8_t *note_at(struct decode *d, uint32_t address, struct decode_item *item)
{
	const struct v3dcl_piece *piece = decode_find(d, address, &item->at);

	if (!piece || piece->size - item->at < item->size) {
		decode_complain(d, address,
				piece ? "what should stand here does not fit the memory" :
					"there is no memory");
		return NULL;
	}
	item->piece = piece - d->how->pieces;
	return decode_note(d, item) ? piece->bytes + item->at : NULL;
}

static void note_data(struct decode *d, uint32_t address, enum decode_kind kind, uint64_t size,
		      const char *role)
{
	struct decode_item item = { .size = MIN(size, UINT32_MAX), .kind = kind, .role = role };

	if (size)
		note_at(d, address, &item);
}

/* Instructions up to the program end with its delay slots, or all there are */
static uint32_t code_length(const uint8_t *bytes, uint32_t most, bool *ends)
{
	uint32_t i;

	for (i = 0; i < most; i++) {
		if (bytes[i * V3D_QPU_INSTRUCTION_BYTES + 7] >> 4 != V3D_QPU_SIG_PROGRAM_END)
			continue;
		*ends = most - i > V3D_QPU_END_SLOTS;
		return *ends ? i + V3D_QPU_END_SLOTS + 1 : most;
	}
	*ends = false;
	return most;
}

/* Instructions up to the program end and its delay slots */
void decode_code(struct decode *d, uint32_t address, const char *role)
{
	struct decode_item item = { .kind = DECODE_CODE, .role = role };
	const struct v3dcl_piece *piece = decode_find(d, address, &item.at);
	uint32_t count, most;
	bool ends;

	if (!piece || address % V3D_QPU_INSTRUCTION_BYTES) {
		decode_complain(d, address,
				piece ? "code starts at a multiple of 8" :
					"there is no memory for code");
		return;
	}
	most = (piece->size - item.at) / V3D_QPU_INSTRUCTION_BYTES;
	count = code_length(piece->bytes + item.at, MIN(most, d->left), &ends);
	item.piece = piece - d->how->pieces;
	item.size = count * V3D_QPU_INSTRUCTION_BYTES;
	if (!ends)
		decode_complain(d, address, "no program end with its delay slots follows");
	if (count && decode_note(d, &item))
		d->left -= count - 1;
}

/* A structure that an address leads to. Return: as note_at() */
static const uint8_t *note_struct(struct decode *d, uint32_t address, enum decode_struct what)
{
	struct decode_item item = { .size = decode_struct_length(what), .kind = DECODE_STRUCT,
				    .what = what };

	return note_at(d, address, &item);
}

static void follow_attributes(struct decode *d, uint32_t address,
			      const struct v3d_gl_shader_state *state)
{
	uint32_t i, count = v3d_shader_attributes(state);

	for (i = 0; i < count; i++)
		note_struct(d, address + V3D_GL_SHADER_RECORD_LENGTH + i * V3D_ATTRIBUTE_LENGTH,
			    DECODE_ATTRIBUTE);
	for (i = 0; state->extended && i < count; i++)
		note_struct(d,
			    address + V3D_EXTENDED_STRIDE_OFFSET + i * V3D_EXTENDED_STRIDE_LENGTH,
			    DECODE_EXTENDED_STRIDE);
}

static void follow_fragment(struct decode *d, uint32_t code, uint32_t uniforms, uint32_t count)
{
	decode_code(d, code, "fragment shader");
	note_data(d, uniforms, DECODE_WORDS, 4u * count, "uniforms of the fragment shader");
}

static void follow_gl(struct decode *d, const uint8_t *record)
{
	struct v3d_gl_shader_record shader;
	struct v3d_gl_shader_state state;
	const uint8_t *bytes;

	v3d_unpack_gl_shader_state(record, &state);
	bytes = note_struct(d, state.address, DECODE_GL_SHADER_RECORD);
	if (!bytes)
		return;
	v3d_unpack_gl_shader_record(bytes, &shader);
	follow_attributes(d, state.address, &state);
	follow_fragment(d, shader.fs_code, shader.fs_uniforms, shader.fs_uniform_count);
	decode_code(d, shader.vs_code, "vertex shader");
	decode_code(d, shader.cs_code, "coordinate shader");
	note_data(d, shader.vs_uniforms, DECODE_WORDS, 4u * shader.vs_uniform_count,
		  "uniforms of the vertex shader");
	note_data(d, shader.cs_uniforms, DECODE_WORDS, 4u * shader.cs_uniform_count,
		  "uniforms of the coordinate shader");
}

static void follow_nv(struct decode *d, uint32_t address)
{
	const uint8_t *bytes = note_struct(d, address, DECODE_NV_SHADER_RECORD);
	struct v3d_nv_shader_record shader;

	if (!bytes)
		return;
	v3d_unpack_nv_shader_record(bytes, &shader);
	follow_fragment(d, shader.fs_code, shader.fs_uniforms, shader.fs_uniform_count);
}

static void follow_vg(struct decode *d, uint32_t address)
{
	const uint8_t *bytes = note_struct(d, address, DECODE_VG_SHADER_RECORD);
	struct v3d_vg_shader_record shader;

	if (!bytes)
		return;
	v3d_unpack_vg_shader_record(bytes, &shader);
	follow_fragment(d, shader.fs_code, shader.fs_uniforms, shader.fs_uniform_count);
}

static void follow_indices(struct decode *d, const uint8_t *record)
{
	struct v3d_indexed_primitives draw;

	v3d_unpack_indexed_primitives(record, &draw);
	if (draw.index_type == V3D_INDEX_16)
		note_data(d, draw.address, DECODE_HALVES, 2ull * draw.length, "indices");
	else
		note_data(d, draw.address, DECODE_BYTES, draw.length, "indices");
}

static void follow_clipped(struct decode *d, const uint8_t *record,
			   const struct v3d_primitive_list_format *format)
{
	struct v3d_clipped_primitive clipped;
	uint32_t i, address;

	v3d_unpack_clipped_primitive(record, &clipped);
	address = clipped.address;
	for (i = 0; i < v3d_list_vertices(format->primitive); i++) {
		if (!(clipped.clipped_vertices >> i & 1))
			continue;
		note_struct(d, address, DECODE_CLIPPED_VERTEX);
		address += V3D_CLIPPED_VERTEX_LENGTH;
	}
}

/* Where a record leads to, other than to the next one */
static void follow(struct decode *d, const uint8_t *record,
		   const struct v3d_primitive_list_format *format)
{
	struct v3d_vg_coordinate_primitives vg;
	struct v3d_vg_inline_shader_state vg_state;
	struct v3d_nv_shader_state state;

	switch (record[0]) {
	case V3D_INDEXED_PRIMITIVES:
		follow_indices(d, record);
		break;
	case V3D_VG_COORDINATE_PRIMITIVES:
		v3d_unpack_vg_coordinate_primitives(record, &vg);
		note_data(d, vg.address, DECODE_WORDS, 4ull * vg.length,
			  "coordinates, x and y of 16 bits");
		break;
	case V3D_CLIPPED_PRIMITIVE:
		follow_clipped(d, record, format);
		break;
	case V3D_GL_SHADER_STATE:
		follow_gl(d, record);
		break;
	case V3D_NV_SHADER_STATE:
		v3d_unpack_nv_shader_state(record, &state);
		follow_nv(d, state.address);
		break;
	case V3D_VG_SHADER_STATE:
		v3d_unpack_nv_shader_state(record, &state);	/* a bare address as well */
		follow_vg(d, state.address);
		break;
	case V3D_VG_INLINE_SHADER_STATE:
		v3d_unpack_vg_inline_shader_state(record, &vg_state);
		decode_code(d, vg_state.code, "fragment shader");
		break;
	}
}

/* Coordinates behind record 42, up to the word that ends them */
static uint32_t inline_length(const uint8_t *bytes, uint32_t left)
{
	uint32_t at;

	for (at = 0; left - at >= 4; at += 4)
		if (v3d_get_bits(bytes + at, 0, 32) == V3D_VG_END)
			return at + 4;
	return 0;
}

/*
 * Bytes of a compressed list with its last code, 0 where it does not end; @branch: the last code is
 * one
 */
static uint32_t codes_length(struct decode *d, const struct v3d_primitive_list_format *format,
			     const uint8_t *bytes, uint32_t left, bool *branch)
{
	struct v3dcl_buffer vertices = { 0 };
	size_t length = 0;
	int ret = v3dcl_decode_primitives(format, bytes, left, &vertices, &length, NULL);

	v3dcl_buffer_free(&vertices);
	d->items.failed |= ret == -ENOMEM;
	*branch = ret > 0;
	return ret < 0 ? 0 : length;
}

/* A compressed list at the walk's place. Return: false: it ends there, or leads on elsewhere */
static bool walk_codes(struct decode *d, struct decode_list *list)
{
	struct decode_item item = { .kind = DECODE_CODES, .format = list->format };
	const struct v3dcl_piece *piece = decode_find(d, list->start, &item.at);
	bool branch = false;

	if (piece)
		item.size = codes_length(d, &list->format, piece->bytes + item.at,
					 piece->size - item.at, &branch);
	if (!item.size) {
		decode_complain(d, list->start, "a compressed primitive list that does not end");
		return false;
	}
	item.piece = piece - d->how->pieces;
	if (!decode_note(d, &item))
		return false;
	list->compressed = false;
	if (branch) {
		struct decode_list to = *list;

		to.start = v3d_decode_list_branch(list->start + item.size - V3D_CODE_BRANCH_LENGTH,
						  piece->bytes + item.at + item.size -
							  V3D_CODE_BRANCH_LENGTH);
		to.compressed = true;
		remember(d, &to);
		return false;
	}
	list->start += item.size;
	return true;
}

static bool walk_coordinates(struct decode *d, struct decode_list *list)
{
	struct decode_item item = { .kind = DECODE_WORDS };
	const struct v3dcl_piece *piece = decode_find(d, list->start, &item.at);

	if (piece)
		item.size = inline_length(piece->bytes + item.at, piece->size - item.at);
	if (!item.size) {
		decode_complain(d, list->start, "coordinates that do not end");
		return false;
	}
	item.piece = piece - d->how->pieces;
	list->start += item.size;
	return decode_note(d, &item);
}

/* Does the list go on behind this record? */
static bool goes_on(struct decode *d, const uint8_t *record, struct decode_list *list)
{
	struct decode_list to = *list;
	struct v3d_branch branch;

	switch (record[0]) {
	case V3D_HALT:
	case V3D_RETURN_FROM_SUB_LIST:
		return false;
	case V3D_BRANCH:
	case V3D_BRANCH_TO_SUB_LIST:
		v3d_unpack_branch(record, &branch);
		to.start = branch.address;
		to.open |= record[0] == V3D_BRANCH_TO_SUB_LIST;
		remember(d, &to);
		return record[0] == V3D_BRANCH_TO_SUB_LIST;
	case V3D_PRIMITIVE_LIST_FORMAT:
		v3d_unpack_primitive_list_format(record, &list->format);
		return true;
	case V3D_COMPRESSED_PRIMITIVES:
	case V3D_CLIPPED_PRIMITIVE:
		list->compressed = true;
		return true;
	case V3D_VG_INLINE_PRIMITIVES:
		return walk_coordinates(d, list);
	default:
		return true;
	}
}

/* Return: false at the end of the list */
static bool walk_record(struct decode *d, struct decode_list *list)
{
	struct decode_item item = { .kind = DECODE_RECORD };
	const struct v3dcl_piece *piece = decode_find(d, list->start, &item.at);
	const struct v3d_packet_info *info;
	const uint8_t *record;

	if (!piece) {
		decode_complain(d, list->start, "the list goes on where there is no memory");
		return false;
	}
	record = piece->bytes + item.at;
	info = v3d_packet_info(record[0]);
	if (!info->name || info->length > piece->size - item.at) {
		decode_complain(d, list->start,
				info->name ? "the memory ends inside this record" :
					     "no control record has this number");
		return false;
	}
	item.piece = piece - d->how->pieces;
	item.size = info->length;
	if (!decode_note(d, &item))
		return false;
	if (d->how->follow)
		follow(d, record, &list->format);
	list->start += info->length;
	return goes_on(d, record, list);
}

static void walk(struct decode *d, struct decode_list list)
{
	bool more = true;

	while (more && !d->items.failed && (list.compressed || list.open || list.start != list.end))
		more = list.compressed ? walk_codes(d, &list) : walk_record(d, &list);
}

/* A list, and all that it leads to. @end: address behind its last record */
void decode_list(struct decode *d, uint32_t start, uint32_t end)
{
	struct decode_list list = { .start = start, .end = end,
				    .format = { V3D_LIST_TRIANGLES, V3D_LIST_INDEX_16 } };

	if (start == end)
		return;
	walk(d, list);
	while (d->todo.size) {
		d->todo.size -= sizeof(list);
		list = *(struct decode_list *)(d->todo.bytes + d->todo.size);
		walk(d, list);
	}
}

static int by_place(const void *a, const void *b)
{
	const struct decode_item *x = a, *y = b;

	if (x->piece != y->piece)
		return x->piece < y->piece ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* All has been walked: sorts what was noted */
int decode_finish(struct decode *d, struct v3dcl_error *error)
{
	if (d->items.failed || d->problems.failed || d->todo.failed)
		return v3dcl_fail(error, -ENOMEM, "no memory");
	if (d->items.size)
		qsort(d->items.bytes, d->items.size / sizeof(struct decode_item),
		      sizeof(struct decode_item), by_place);
	return 0;
}
