// SPDX-License-Identifier: MIT
/* Records in memory: AG100 Tables 44 to 47, and how vertices lie in memory. */
#include <errno.h>
#include <sys/param.h>

#include <v3d/lists.h>

#include "cl.h"

#define RECORD_ALIGNMENT 16u

/*
 * Every record of packets.h as a table entry: its fields, and its values out of the caller's struct
 */
#define DESCRIBE(NAME, name, length) \
	static const struct v3d_field name##_fields[] = { \
		V3D_##NAME##_FIELDS(V3D_DESCRIBE_FIELD, 0) { NULL, 0, 0, 0 } \
	}; \
	static int append_##name(struct v3dcl_block *block, const struct v3dcl_##name *from, \
				 struct v3dcl_error *error) \
	{ \
		const struct v3dcl_value values[] = { V3D_##NAME##_FIELDS(V3DCL_FIELD_VALUE, \
									  from) }; \
		const struct cl_record record = { #name, name##_fields, 0, length }; \
		const int ret = cl_check_values(&record, values, error); \
		return ret ? ret : cl_append_values(block, &record, 0, values, error); \
	}
V3D_RECORDS(DESCRIBE)

/* Code is made of 8-byte instructions, uniforms of 4-byte words. */
static int check_shader(const char *record, const char *const what[2],
			const struct v3dcl_address *code, const struct v3dcl_address *uniforms,
			struct v3dcl_error *error)
{
	if (code->offset % 8)
		return cl_misaligned(record, what[0], code->offset, 8, error);
	if (uniforms->offset % 4)
		return cl_misaligned(record, what[1], uniforms->offset, 4, error);
	return 0;
}

static int check_gl(const struct v3dcl_gl_shader_record *record, uint32_t count,
		    struct v3dcl_error *error)
{
	static const char *const fs[] = { "fs_code", "fs_uniforms" },
				 *const vs[] = { "vs_code", "vs_uniforms" },
				 *const cs[] = { "cs_code", "cs_uniforms" };
	const uint32_t selected = record->vs_attributes | record->cs_attributes;
	int ret;

	if (!count || count > V3D_ATTRIBUTES)
		return v3dcl_fail(error, -EINVAL,
				  "gl_shader_record: %u attribute arrays: it has 1 to %u", count,
				  V3D_ATTRIBUTES);
	if (selected >> count)
		return v3dcl_fail(error, -EINVAL,
				  "gl_shader_record: arrays 0x%x are selected, of %u",
				  selected, count);
	ret = check_shader("gl_shader_record", fs, &record->fs_code, &record->fs_uniforms, error);
	if (!ret)
		ret = check_shader("gl_shader_record", vs, &record->vs_code, &record->vs_uniforms,
				   error);
	return ret ? ret :
		     check_shader("gl_shader_record", cs, &record->cs_code, &record->cs_uniforms,
				  error);
}

/* Extended records have room for all arrays, and their strides behind. */
static int append_strides(struct v3dcl_block *block, size_t start, const uint32_t *strides,
			  uint32_t count, struct v3dcl_error *error)
{
	int ret = v3dcl_block_bytes(block, NULL,
				    start + V3D_EXTENDED_STRIDE_OFFSET - block->bytes.size, error);
	uint32_t i;

	for (i = 0; i < V3D_ATTRIBUTES && !ret; i++) {
		const struct v3dcl_extended_stride stride = { .stride = i < count ? strides[i] :
										    0 };

		ret = append_extended_stride(block, &stride, error);
	}
	return ret;
}

/* Taken back to where it was when something fails */
static int finish(struct v3dcl_block *block, struct cl_mark mark, int ret, uint32_t *at)
{
	if (ret) {
		block->bytes.size = mark.bytes;
		block->fixups.size = mark.fixups;
	} else {
		*at = mark.bytes;
	}
	return ret;
}

int v3dcl_record_gl(struct v3dcl_block *block, const struct v3dcl_gl_shader_record *record,
		    const struct v3dcl_attribute *attributes, const uint32_t *strides,
		    uint32_t count, uint32_t *at, struct v3dcl_error *error)
{
	int ret = v3dcl_block_align(block, RECORD_ALIGNMENT, error);
	const struct cl_mark mark = cl_mark(block);
	uint32_t i;

	if (!ret)
		ret = check_gl(record, count, error);
	if (!ret)
		ret = append_gl_shader_record(block, record, error);
	for (i = 0; i < count && !ret; i++)
		ret = append_attribute(block, &attributes[i], error);
	if (!ret && strides)
		ret = append_strides(block, mark.bytes, strides, count, error);
	return finish(block, mark, ret, at);
}

int v3dcl_record_nv(struct v3dcl_block *block, const struct v3dcl_nv_shader_record *record,
		    uint32_t *at, struct v3dcl_error *error)
{
	static const char *const fs[] = { "fs_code", "fs_uniforms" };
	int ret = v3dcl_block_align(block, RECORD_ALIGNMENT, error);
	const struct cl_mark mark = cl_mark(block);

	if (!ret)
		ret = check_shader("nv_shader_record", fs, &record->fs_code, &record->fs_uniforms,
				   error);
	if (!ret && record->vertices.offset % (record->clip_header ? 16 : 4))
		ret = cl_misaligned("nv_shader_record", "vertices", record->vertices.offset,
				    record->clip_header ? 16 : 4, error);
	if (!ret)
		ret = append_nv_shader_record(block, record, error);
	return finish(block, mark, ret, at);
}

int v3dcl_record_vg(struct v3dcl_block *block, const struct v3dcl_vg_shader_record *record,
		    uint32_t *at, struct v3dcl_error *error)
{
	static const char *const fs[] = { "fs_code", "fs_uniforms" };
	int ret = v3dcl_block_align(block, RECORD_ALIGNMENT, error);
	const struct cl_mark mark = cl_mark(block);

	if (!ret)
		ret = check_shader("vg_shader_record", fs, &record->fs_code, &record->fs_uniforms,
				   error);
	if (!ret)
		ret = append_vg_shader_record(block, record, error);
	return finish(block, mark, ret, at);
}

int v3dcl_record_clipped_vertex(struct v3dcl_block *block,
				const struct v3dcl_clipped_vertex *vertex, uint32_t *at,
				struct v3dcl_error *error)
{
	int ret = v3dcl_block_align(block, RECORD_ALIGNMENT, error);
	const struct cl_mark mark = cl_mark(block);

	if (!ret)
		ret = append_clipped_vertex(block, vertex, error);
	return finish(block, mark, ret, at);
}

/* Bytes of the VPM that an array takes: whole words */
static uint32_t vpm_bytes(const struct v3dcl_attribute *attribute)
{
	return (attribute->size_minus_1 / 4 + 1) * 4;
}

static uint32_t place(const struct v3dcl_attribute *attribute, uint32_t selected, uint32_t *total)
{
	const uint32_t at = *total;

	*total += selected ? vpm_bytes(attribute) : 0;
	return selected ? at : 0;
}

int v3dcl_place_attributes(struct v3dcl_gl_shader_record *record,
			   struct v3dcl_attribute *attributes, uint32_t count,
			   struct v3dcl_error *error)
{
	uint32_t vs = 0, cs = 0, i;

	if (count > V3D_ATTRIBUTES)
		return v3dcl_fail(error, -EINVAL,
				  "gl_shader_record: %u attribute arrays: it has 1 to %u", count,
				  V3D_ATTRIBUTES);
	for (i = 0; i < count; i++) {
		attributes[i].vs_vpm_offset = place(&attributes[i], record->vs_attributes >> i & 1,
						    &vs);
		attributes[i].cs_vpm_offset = place(&attributes[i], record->cs_attributes >> i & 1,
						    &cs);
	}
	if (vs > UINT8_MAX || cs > UINT8_MAX)
		return v3dcl_fail(error, -EINVAL,
				  "gl_shader_record: %u bytes of attributes, %u at most",
				  MAX(vs, cs), UINT8_MAX & ~3u);
	record->vs_attributes_size = vs;
	record->cs_attributes_size = cs;
	return 0;
}

int v3dcl_nv_lay_out(bool clip_header, bool point_size, uint32_t varyings,
		     struct v3dcl_nv_layout *layout, struct v3dcl_error *error)
{
	uint32_t at = clip_header ? 16 : 0;

	layout->clip = clip_header ? 0 : V3DCL_NO_FIELD;
	layout->xy = at;
	layout->z = at + 4;
	layout->one_over_w = at + 8;
	at += 12;
	layout->point_size = point_size ? at : V3DCL_NO_FIELD;
	at += point_size ? 4 : 0;
	layout->varyings = at;
	if (varyings > (UINT8_MAX - at) / 4)
		return v3dcl_fail(error, -EINVAL,
				  "%u varyings: behind %u bytes, a vertex has room for %u",
				  varyings, at, (UINT8_MAX - at) / 4);
	layout->stride = at + 4 * varyings;
	return 0;
}
