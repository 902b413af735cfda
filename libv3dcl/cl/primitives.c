// SPDX-License-Identifier: MIT
/* What stands behind records 42, 48 and 49: coordinates, and compressed primitive lists. */
#include <errno.h>
#include <string.h>

#include <v3d/lists.h>

#include "list.h"

/* Length of one code with its bytes there, or 0 */
static unsigned int code_at(const struct v3d_primitive_list_format *format, const uint8_t *bytes,
			    size_t left)
{
	const unsigned int length = left ? v3d_code_length(format, bytes[0]) : 0;

	return length <= left ? length : 0;
}

int v3dcl_decode_primitives(const struct v3d_primitive_list_format *format, const uint8_t *bytes,
			    size_t size, struct v3dcl_buffer *out, size_t *used,
			    struct v3dcl_error *error)
{
	const unsigned int count = v3d_list_vertices(format->primitive);
	uint32_t vertices[V3D_LIST_VERTICES] = { 0 };
	uint8_t code[V3D_CODE_MAX_LENGTH + 1] = { 0 };
	unsigned int length;
	size_t at = 0;

	for (;;) {
		length = code_at(format, bytes + at, size - at);
		if (!length && at < size)
			return v3dcl_fail(error, -EINVAL,
					  "no such code, or not all of it: 0x%02x at byte %zu",
					  bytes[at], at);
		if (!length)
			return v3dcl_fail(error, -EINVAL, "the compressed list does not end: "
					  "after 0x%02x at byte %zu", code[0], at);
		memcpy(code, bytes + at, length);
		at += length;
		*used = at;
		if (code[0] == V3D_CODE_ESCAPE || code[0] == V3D_CODE_BRANCH)
			return code[0] == V3D_CODE_BRANCH;
		v3d_decode_primitive(format, code, vertices);
		if (!v3dcl_buffer_add(out, vertices, count * sizeof(*vertices)))
			return cl_no_memory(error);
	}
}

static bool encodable(const struct v3d_primitive_list_format *format)
{
	return v3d_code_length(format, V3D_CODE_ABSOLUTE);
}

int v3dcl_encode_primitives(const struct v3d_primitive_list_format *format,
			    const uint32_t *vertices, uint32_t count, struct v3dcl_buffer *out,
			    struct v3dcl_error *error)
{
	static const uint8_t escape = V3D_CODE_ESCAPE;
	const unsigned int each = v3d_list_vertices(format->primitive);
	const uint32_t *previous = NULL;
	const size_t start = out->size;
	uint32_t i, n;

	if (!encodable(format))
		return v3dcl_fail(error, -EINVAL,
				  "there is no compressed list of primitive %u with data %u",
				  format->primitive, format->data);
	for (i = 0; i < count; i++, previous = vertices, vertices += each) {
		uint8_t bytes[V3D_CODE_MAX_LENGTH];

		for (n = 0; n < each; n++) {
			if (format->data == V3D_LIST_INDEX_16 && vertices[n] > UINT16_MAX) {
				out->size = start;
				return v3dcl_fail(error, -EINVAL,
						  "index %u of primitive %u has more than 16 bits",
						  vertices[n], i);
			}
		}
		v3dcl_buffer_add(out, bytes,
				 v3d_encode_primitive(format, previous, vertices, bytes));
	}
	if (v3dcl_buffer_add(out, &escape, sizeof(escape)))
		return 0;
	out->size = start;
	return cl_no_memory(error);
}

static uint32_t word_at(const uint8_t *bytes)
{
	return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/*
 * The end stands in place of a primitive's last vertex, or of the second one of a fan's first:
 * AG100 "VG Inline Primitives".
 */
static int check_vg(const struct v3dcl_value *values, const uint8_t *data, size_t size,
		    struct v3dcl_error *error)
{
	const uint32_t mode = values[0].bits;
	bool first = true, ended = false;
	uint32_t n, i;

	while (!ended) {
		n = v3d_vg_vertices(mode, first);
		if (size < n * sizeof(uint32_t))
			return v3dcl_fail(error, -EINVAL,
					  "vg_inline_primitives: the coordinates do not end");
		for (i = 0; i < n; i++) {
			const bool last = i == n - 1 ||
					  (i == 1 && first && mode == V3D_VG_TRIANGLE_FAN);

			if (word_at(data + i * sizeof(uint32_t)) != V3D_VG_END)
				continue;
			if (!last)
				return v3dcl_fail(error, -EINVAL,
						  "vg_inline_primitives: vertex %u of a primitive "
						  "cannot end them",
						  i);
			ended = true;
		}
		data += n * sizeof(uint32_t);
		size -= n * sizeof(uint32_t);
		first = false;
	}
	return size ? v3dcl_fail(error, -EINVAL, "vg_inline_primitives: %zu bytes follow the end",
				 size) :
		      0;
}

static int check_compressed(struct v3dcl_list_state *state, uint8_t id, const uint8_t *data,
			    size_t size, struct v3dcl_error *error)
{
	const struct v3d_primitive_list_format format = { .primitive = state->primitive,
							  .data = state->data };
	struct v3dcl_buffer vertices = { 0 };
	size_t used;
	int ret;

	if (!encodable(&format))
		return v3dcl_fail(error, -EINVAL,
				  "%s: there is no primitive_list_format in this list",
				  v3d_packet_info(id)->name);
	ret = v3dcl_decode_primitives(&format, data, size, &vertices, &used, error);
	v3dcl_buffer_free(&vertices);
	if (ret < 0)
		return ret;
	state->said |= ret ? CL_LEFT : 0;
	if (used == size)
		return 0;
	return v3dcl_fail(error, -EINVAL, "%s: %zu bytes follow the end", v3d_packet_info(id)->name,
			  size - used);
}

int cl_check_data(struct v3dcl_list_state *state, uint8_t id, const struct v3dcl_value *values,
		  const uint8_t *data, size_t size, struct v3dcl_error *error)
{
	switch (id) {
	case V3D_VG_INLINE_PRIMITIVES:
		return check_vg(values, data, size, error);
	case V3D_COMPRESSED_PRIMITIVES:
	case V3D_CLIPPED_PRIMITIVE:
		return check_compressed(state, id, data, size, error);
	default:
		return size ? v3dcl_fail(error, -EINVAL, "%s: nothing stands behind it",
					 v3d_packet_info(id)->name) :
			      0;
	}
}

int v3dcl_list_vg_inline(struct v3dcl_list *list, uint32_t mode, bool continuation,
			 const uint32_t *coordinates, uint32_t count, struct v3dcl_error *error)
{
	const struct v3dcl_value values[] = { v3dcl_value_u(mode), v3dcl_value_u(continuation) };
	const uint32_t each = v3d_vg_vertices(mode, true), next = v3d_vg_vertices(mode, false);
	struct v3dcl_block data = { 0 };
	uint32_t i;
	int ret = 0;

	if (next && (count < each || (count - each) % next))
		return v3dcl_fail(error, -EINVAL,
				  "vg_inline_primitives: %u coordinates are no whole primitives",
				  count);
	for (i = 0; i < count && !ret; i++) {
		if (coordinates[i] == V3D_VG_END)
			ret = v3dcl_fail(error, -EINVAL,
					 "vg_inline_primitives: coordinate %u is the ending word",
					 i);
		else
			ret = v3dcl_block_word(&data, coordinates[i], error);
	}
	/* One primitive more, of which only the end counts */
	for (i = 1; i < next && !ret; i++)
		ret = v3dcl_block_word(&data, 0, error);
	if (!ret)
		ret = v3dcl_block_word(&data, V3D_VG_END, error);
	if (!ret)
		ret = v3dcl_list_add(list, V3D_VG_INLINE_PRIMITIVES, values, data.bytes.bytes,
				     data.bytes.size, error);
	v3dcl_block_free(&data);
	return ret;
}

static int add_compressed(struct v3dcl_list *list, uint8_t id, const struct v3dcl_value *values,
			  const uint32_t *vertices, uint32_t count, struct v3dcl_error *error)
{
	const struct v3d_primitive_list_format format = { .primitive = list->state.primitive,
							  .data = list->state.data };
	struct v3dcl_buffer data = { 0 };
	int ret;

	if (!encodable(&format))
		return v3dcl_fail(error, -EINVAL,
				  "%s: there is no primitive_list_format in this list",
				  v3d_packet_info(id)->name);
	ret = v3dcl_encode_primitives(&format, vertices, count, &data, error);
	if (!ret)
		ret = v3dcl_list_add(list, id, values, data.bytes, data.size, error);
	v3dcl_buffer_free(&data);
	return ret;
}

int v3dcl_list_compressed(struct v3dcl_list *list, const uint32_t *vertices, uint32_t count,
			  struct v3dcl_error *error)
{
	return add_compressed(list, V3D_COMPRESSED_PRIMITIVES, NULL, vertices, count, error);
}

int v3dcl_list_clipped(struct v3dcl_list *list, uint32_t clipped_vertices,
		       struct v3dcl_address address, const uint32_t *vertices, uint32_t count,
		       struct v3dcl_error *error)
{
	const struct v3dcl_value values[] = { v3dcl_value_u(clipped_vertices),
					      v3dcl_value_address(address) };

	return add_compressed(list, V3D_CLIPPED_PRIMITIVE, values, vertices, count, error);
}
