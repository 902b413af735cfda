// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Shader records: what a GL shader state points to (AG100 Table 45), with handles before each.
 *
 * Userspace hands over 3 BO indices of code (fragment, vertex, coordinate shader), one an attribute array, then the record.
 */
#include <v3d/lists.h>

#include "record.h"

#define SHADERS 3

/* Where fields are in the record, in bytes */
#define PLACE(o, name, type, low, bits) o##_##name = (low) / 8,
enum { V3D_GL_SHADER_RECORD_FIELDS(PLACE, AT) V3D_ATTRIBUTE_FIELDS(PLACE, AT) };

/* The three shaders of a record */
static const struct {
	__u8 code;		/* where the address of the code is */
	__u32 forbidden;	/* V3DCL_SHADER_* that this kind must not have */
	__u16 rule;
	__u32 uses;		/* of its textures' BOs */
} kinds[SHADERS] = {
	{ AT_fs_code, V3DCL_SHADER_VPM, V3DCL_RULE_SHADER_USES_VPM, V3DCL_READ },
	{ AT_vs_code, V3DCL_SHADER_TILE, V3DCL_RULE_SHADER_USES_TILE, V3DCL_READ },
	{ AT_cs_code, V3DCL_SHADER_TILE, V3DCL_RULE_SHADER_USES_TILE, V3DCL_READ | V3DCL_READ_BINNING },
};

static bool refuse(struct v3dcl_job *job, __u16 rule, __u32 offset, __u64 found, __u64 expected)
{
	return v3dcl_refuse(&job->refusal, DRM_V3DCL_PART_SHADER_RECORD, rule, offset, found, expected);
}

static __always_inline struct v3dcl_bo *shader_bo(struct v3dcl_job *job, __u32 index, __u32 offset)
{
	struct v3dcl_bo *bo;

	if (index >= job->bo_count) {
		refuse(job, V3DCL_RULE_BO_INDEX, offset, index, job->bo_count);
		return NULL;
	}
	bo = &job->bos[v3dcl_nospec(index, job->bo_count)];
	if (!bo->shader) {
		refuse(job, V3DCL_RULE_BO_SHADER, offset, index, 0);
		return NULL;
	}
	if (!(bo->uses & V3DCL_CODE))
		bo->uses |= V3DCL_CODE;
	return bo;
}

/*
 * What the arrays of a record fill of the VPM for its vertex or its coordinate shader, in bytes of a vertex: from 0 to @end, if the
 * uppermost bit of @gap is not set. @selected has a bit for each array that is loaded at all, the next one's first.
 */
struct fill {
	__u32 end, gap, selected;
};

/* Bytes that an array may take beyond what is reserved: components of a vector that its shader does not read. HW: Mesa's do. */
#define SPILL 12

#define ROW 4	/* bytes of a row that are a vertex's */

#define EXTENDED_STRIDE_BITS 26

static inline __u64 rows_below(__u32 row)
{
	return row < 64 ? ((__u64)1 << row) - 1 : ~(__u64)0;
}

static __always_inline void fill_bytes(struct fill *fill, __u32 offset, __u32 bytes)
{
	__u32 end = (offset + bytes) & -(fill->selected & 1);

	fill->gap |= fill->end - offset;
	fill->end = end > fill->end ? end : fill->end;
	fill->selected >>= 1;
}

/* All arrays. Those of Mesa's come one after the other; whatever else is looked at by check_fill(). */
static void fill_arrays(struct fill *vs, struct fill *cs, const __u8 *in, __u32 arrays)
{
	struct fill a = *vs, b = *cs;

	for (; arrays; arrays--, in += V3D_ATTRIBUTE_LENGTH) {
		struct v3d_attribute attribute;

		v3d_unpack_attribute(in, &attribute);
		fill_bytes(&a, attribute.vs_vpm_offset, attribute.size_minus_1 + 1);
		fill_bytes(&b, attribute.cs_vpm_offset, attribute.size_minus_1 + 1);
	}
	*vs = a;
	*cs = b;
}

/* What of a record is written with other values, by shader */
struct written {
	__u32 code[SHADERS], uniforms[SHADERS];
};

/* One of the three shaders: at is where the record starts. Its code's offset becomes its address. */
static __always_inline bool check_shader(struct v3dcl_records *r, unsigned int kind, __u32 at, const __u8 *handles,
					 bool single_threaded, __u32 code, struct written *written)
{
	struct v3dcl_job *job = r->job;
	const struct v3dcl_bo *bo = shader_bo(job, v3dcl_le32(handles + 4 * kind), (__u32)(handles - r->records.bytes) + 4 * kind);
	bool threaded;

	if (!bo)
		return false;
	if (code)
		return refuse(job, V3DCL_RULE_SHADER_OFFSET, at + kinds[kind].code, code, 0);
	threaded = bo->shader->uses & V3DCL_SHADER_THREADED;
	if (kind == 0 && threaded == single_threaded)
		return refuse(job, V3DCL_RULE_SHADER_THREADING, at, single_threaded, !threaded);
	if (kind != 0 && threaded)
		return refuse(job, V3DCL_RULE_SHADER_THREADED, at + kinds[kind].code, 1, 0);
	if (bo->shader->uses & kinds[kind].forbidden)
		return refuse(job, kinds[kind].rule, at + kinds[kind].code, bo->shader->uses, 0);
	written->code[kind] = bo->address;
	r->shaders[kind] = bo->shader;
	return v3dcl_check_stream(r, bo->shader, kinds[kind].uses, &written->uniforms[kind]);
}

static __always_inline bool check_attribute(struct v3dcl_records *r, __u32 at, const struct v3dcl_bo *bo, const __u8 *in, __u8 *out,
					    __u32 array)
{
	struct v3d_attribute attribute;
	__u32 bytes;

	v3d_unpack_attribute(in, &attribute);
	bytes = attribute.size_minus_1 + 1;
	if (!v3dcl_inside(attribute.address, bytes, bo->size))
		return refuse(r->job, V3DCL_RULE_ATTRIBUTE_END, at, attribute.address, bo->size);
	r->reach[array] = (struct v3dcl_reach){ bo->size - attribute.address - bytes, attribute.stride, bytes };
	v3dcl_put_le32(out, bo->address + attribute.address);
	v3dcl_put_le32(out + sizeof(__u32), v3dcl_le32(in + sizeof(__u32)));
	return true;
}

/*
 * Strides of 26 bits (AG100 Table 45) that an extended record adds. Not established: whether those of 8 bits beside them count as
 * well, so the greater one has to stay inside.
 */
static bool check_strides(struct v3dcl_records *r, __u32 at, const __u8 *in, __u8 *out)
{
	__u32 i;

	for (i = 0; i < V3D_ATTRIBUTES; i++) {
		__u32 place = V3D_EXTENDED_STRIDE_OFFSET + i * V3D_EXTENDED_STRIDE_LENGTH;
		struct v3d_extended_stride extended;

		v3d_unpack_extended_stride(in + place, &extended);
		if (extended.stride >> EXTENDED_STRIDE_BITS)
			return refuse(r->job, V3DCL_RULE_ATTRIBUTE_STRIDE, at + place, extended.stride, EXTENDED_STRIDE_BITS);
		if (extended.stride > r->reach[i].stride)
			r->reach[i].stride = extended.stride;
		v3d_pack_extended_stride(out + place, &extended);
	}
	return true;
}

/* The arrays of a record, which starts at @at; one of them after the other most often has the BO of the one before. */
static __always_inline bool check_attributes(struct v3dcl_records *r, __u32 at, __u32 arrays, const __u8 *handles, const __u8 *in,
					     __u8 *out)
{
	const struct v3dcl_bo *bo = NULL;
	__u32 i, known = 0;

	for (i = 0; i < arrays; i++, in += V3D_ATTRIBUTE_LENGTH, out += V3D_ATTRIBUTE_LENGTH) {
		__u32 handle = v3dcl_le32(handles + i * sizeof(__u32));

		if (!bo || handle != known) {
			bo = v3dcl_use_bo(r->job, handle, V3DCL_READ | V3DCL_READ_BINNING, DRM_V3DCL_PART_SHADER_RECORD,
					  (__u32)(handles - r->records.bytes) + i * (__u32)sizeof(__u32));
			if (!bo)
				return false;
			known = handle;
		}
		if (!check_attribute(r, at + V3D_GL_SHADER_RECORD_LENGTH + i * V3D_ATTRIBUTE_LENGTH, bo, in, out, i))
			return false;
	}
	r->arrays = arrays;
	return true;
}

/**
 * v3dcl_has_vertex() - do all arrays of the current shader state have this vertex?
 * @r: after v3dcl_check_record()
 * @index: of the vertex
 * Nothing is divided: that would take longer than all else.
 */
bool v3dcl_has_vertex(const struct v3dcl_records *r, __u32 index)
{
	bool has = true;
	__u32 i;

	for (i = 0; i < r->arrays; i++)
		has &= (__u64)index * r->reach[i].stride <= r->reach[i].room;
	return has;
}

/**
 * v3dcl_last_vertex() - the highest index that the arrays of the current shader state have
 * @r: after v3dcl_check_record()
 * Return: V3DCL_NO_LIMIT without any limit
 */
__u32 v3dcl_last_vertex(const struct v3dcl_records *r)
{
	__u32 last = V3DCL_NO_LIMIT, i;

	for (i = 0; i < r->arrays; i++)
		if (r->reach[i].stride && r->reach[i].room / r->reach[i].stride < last)
			last = r->reach[i].room / r->reach[i].stride;
	return last;
}

/* The bits of a word of the record that are a field's */
#define USED(byte, name, type, low, bits) | ((low) / 32 == (byte) / sizeof(__u32) ? ~(__u32)0 >> (32 - (bits)) << (low) % 32 : 0)
#define USED_AT(byte) (0u V3D_GL_SHADER_RECORD_FIELDS(USED, byte))

/* Addresses in place of what userspace gave, its unused bits left out, and arrays that are not there not selected */
static __always_inline void write_record(__u8 *out, const __u8 *in, const struct written *written, __u32 selected)
{
	v3dcl_put_le32(out, v3dcl_le32(in) & USED_AT(0));
	v3dcl_put_le32(out + AT_fs_code, written->code[0]);
	v3dcl_put_le32(out + AT_fs_uniforms, written->uniforms[0]);
	v3dcl_put_le32(out + AT_vs_uniform_count, v3dcl_le32(in + AT_vs_uniform_count) & USED_AT(AT_vs_uniform_count));
	out[AT_vs_attributes] = in[AT_vs_attributes] & selected;
	v3dcl_put_le32(out + AT_vs_code, written->code[1]);
	v3dcl_put_le32(out + AT_vs_uniforms, written->uniforms[1]);
	v3dcl_put_le32(out + AT_cs_uniform_count, v3dcl_le32(in + AT_cs_uniform_count) & USED_AT(AT_cs_uniform_count));
	out[AT_cs_attributes] = in[AT_cs_attributes] & selected;
	v3dcl_put_le32(out + AT_cs_code, written->code[2]);
	v3dcl_put_le32(out + AT_cs_uniforms, written->uniforms[2]);
}

/* An array's elements with the rest of their last word, which is loaded from memory as well, if it is there */
static __u32 pad(struct v3dcl_records *r, __u32 array, __u32 bytes, __u8 *out)
{
	struct v3dcl_reach *reach = &r->reach[array];
	__u32 padded = v3dcl_round_up(bytes, ROW);

	if (reach->bytes == padded)
		return padded;
	if (padded - bytes > reach->room)
		return bytes;
	reach->room -= padded - bytes;
	reach->bytes = padded;
	out[AT_size_minus_1] = padded - 1;
	return padded;
}

/*
 * Rows that the selected arrays fill, row by row. Nobody clears the rest of a word where elements are no whole words: as shaders
 * read it, Mesa's with vectors of three bytes, it is filled too.
 */
static __u64 filled_rows(struct v3dcl_records *r, unsigned int kind, __u32 selected, const __u8 *in, __u8 *out)
{
	struct v3d_attribute attribute;
	__u32 i, offset, bytes;
	__u64 rows = 0;

	for (i = 0; selected >> i; i++, in += V3D_ATTRIBUTE_LENGTH, out += V3D_ATTRIBUTE_LENGTH) {
		if (!(selected >> i & 1))
			continue;
		v3d_unpack_attribute(in, &attribute);
		offset = kind == 1 ? attribute.vs_vpm_offset : attribute.cs_vpm_offset;
		bytes = pad(r, i, attribute.size_minus_1 + 1, out);
		rows |= rows_below((offset + bytes) / ROW) & ~rows_below((offset + ROW - 1) / ROW);
	}
	return rows;
}

static bool check_filled_rows(struct v3dcl_records *r, unsigned int kind, __u32 at, const __u8 *in, __u8 *out, __u32 selected,
			      __u32 reserved)
{
	__u64 read = r->shaders[kind]->rows_read, rows = filled_rows(r, kind, selected, in, out) & rows_below(reserved / ROW);

	return !(read & ~rows) || refuse(r->job, V3DCL_RULE_SHADER_ROWS, at, read, rows);
}

/* What a shader reads is there: an array has filled it, in what is reserved for them. */
static __always_inline bool check_fill(struct v3dcl_records *r, unsigned int kind, __u32 at, const __u8 *in, __u8 *out,
				       const struct fill *fill, __u32 selected, __u32 reserved)
{
	__u32 filled = fill->end < reserved ? fill->end : reserved, limit = v3dcl_round_up(reserved, ROW) + SPILL;

	if (((__s32)fill->gap < 0 || r->shaders[kind]->rows_read >> filled / ROW) &&
	    !check_filled_rows(r, kind, at, in, out, selected, reserved))
		return false;
	return fill->end <= limit || refuse(r->job, V3DCL_RULE_ATTRIBUTE_ROWS, at, fill->end, limit);
}

/* Rows of a shaded vertex: AG100 Figures 10 and 11 */
#define CLIP_ROWS 4	/* before the others, of coordinate shaders only */
#define SCREEN_ROWS 3	/* XY, Z, 1/W; then the point size, if there is one, and varyings */

/* What is read of a shaded vertex is what its shader has written, and it writes nothing else. */
static __always_inline bool check_output(struct v3dcl_records *r, __u32 at, const struct v3dcl_shader *shader, __u32 rows)
{
	__u64 output = ((__u64)1 << (rows & 63)) - 1;

	return !(rows >> 6 | (output & ~shader->rows_written) | (shader->rows_touched & ~output)) ||
	       refuse(r->job, V3DCL_RULE_SHADER_OUTPUT, at, shader->rows_written, rows);
}

static __always_inline bool check_outputs(struct v3dcl_records *r, __u32 at, const struct v3d_gl_shader_record *record)
{
	__u32 screen = SCREEN_ROWS + record->point_size;

	r->varyings = r->shaders[0]->varyings - record->fs_varyings;
	return check_output(r, at + AT_vs_code, r->shaders[1], screen + record->fs_varyings) &&
	       check_output(r, at + AT_cs_code, r->shaders[2], CLIP_ROWS + screen);
}

static __always_inline bool check_shaders(struct v3dcl_records *r, __u32 at, const __u8 *handles,
					  const struct v3d_gl_shader_record *record, struct written *written)
{
	return check_shader(r, 0, at, handles, record->single_threaded, record->fs_code, written) &&
	       check_shader(r, 1, at, handles, false, record->vs_code, written) &&
	       check_shader(r, 2, at, handles, false, record->cs_code, written) && check_outputs(r, at, record);
}

/**
 * v3dcl_check_record() - the next shader record
 * @r: what is left; the record and its uniforms are taken from it
 * @state: the shader state; its address is set to where the checked record is
 * Return: false with the job's refusal set
 */
bool v3dcl_check_record(struct v3dcl_records *r, struct v3d_gl_shader_state *state)
{
	__u32 attributes = v3d_shader_attributes(state), length = v3d_shader_record_length(state), handles_at = r->records.at, at;
	const __u8 *handles = v3dcl_take(&r->records, (SHADERS + attributes) * sizeof(__u32)), *in;
	struct v3d_gl_shader_record record;
	struct written written;
	struct fill vs, cs;
	__u8 *out;

	if (!handles)
		return refuse(r->job, V3DCL_RULE_TRUNCATED, handles_at, r->records.size - handles_at,
			      (SHADERS + attributes) * sizeof(__u32));
	at = r->records.at;
	in = v3dcl_take(&r->records, length);
	if (!in)
		return refuse(r->job, V3DCL_RULE_TRUNCATED, at, r->records.size - at, length);
	v3d_unpack_gl_shader_record(in, &record);
	if (!check_shaders(r, at, handles, &record, &written))
		return false;
	state->address = r->records_out.address + r->records_out.at;
	out = v3dcl_room(&r->records_out, v3dcl_round_up(length, 16));
	if (!out)
		return refuse(r->job, V3DCL_RULE_NO_ROOM, at, r->records_out.size, length);
	/* HW: not established what is loaded for an array that is selected and not there */
	record.vs_attributes &= (1u << attributes) - 1;
	record.cs_attributes &= (1u << attributes) - 1;
	write_record(out, in, &written, (1u << attributes) - 1);
	if (!check_attributes(r, at, attributes, handles + SHADERS * sizeof(__u32), in + V3D_GL_SHADER_RECORD_LENGTH,
			      out + V3D_GL_SHADER_RECORD_LENGTH) ||
	    (state->extended && !check_strides(r, at, in, out)))
		return false;
	in += V3D_GL_SHADER_RECORD_LENGTH;
	out += V3D_GL_SHADER_RECORD_LENGTH;
	vs = (struct fill){ .selected = record.vs_attributes };
	cs = (struct fill){ .selected = record.cs_attributes };
	fill_arrays(&vs, &cs, in, attributes);
	return check_fill(r, 1, at + AT_vs_attributes, in, out, &vs, record.vs_attributes, record.vs_attributes_size) &&
	       check_fill(r, 2, at + AT_cs_attributes, in, out, &cs, record.cs_attributes, record.cs_attributes_size);
}
