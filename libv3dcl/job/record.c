// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Shader records: what a GL shader state points to (AG100 Table 45), with handles before each.
 *
 * Userspace hands over 3 BO indices of code (fragment, vertex, coordinate shader), one an attribute array, then the record.
 */
#include <v3d/packets.h>

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

static struct v3dcl_bo *shader_bo(struct v3dcl_job *job, __u32 index, __u32 offset)
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
 * Rows of the VPM that the arrays of a record fill for its vertex or its coordinate shader: @end is where the last byte of them
 * ends, @selected has a bit for each array that is loaded at all.
 */
struct fill {
	__u64 rows;
	__u32 end, selected;
};

/* What an array that ends in the middle of a vector's components takes beyond what is reserved, as Mesa's do: HW, they work. */
#define SPILL 12

#define ROW 4	/* bytes of a row that are a vertex's */

static inline __u64 rows_below(__u32 row)
{
	return row < 64 ? ((__u64)1 << row) - 1 : ~(__u64)0;
}

/* Only whole words are filled: of others, some bytes stay what they were. */
static __always_inline void fill_rows(struct fill *fill, __u32 array, __u32 offset, __u32 bytes)
{
	__u64 rows = rows_below((offset + bytes) / ROW) & ~rows_below((offset + ROW - 1) / ROW);
	__u32 on = fill->selected >> array & 1;

	fill->rows |= rows & -(__u64)on;
	if (on && offset + bytes > fill->end)
		fill->end = offset + bytes;
}

/* One of the three shaders: at is where the record starts. Its code's offset becomes its address. */
static __always_inline bool check_shader(struct v3dcl_records *r, unsigned int kind, __u32 at, const __u8 *handles,
					 bool single_threaded, __u32 *code, __u32 *uniforms)
{
	struct v3dcl_job *job = r->job;
	const struct v3dcl_bo *bo = shader_bo(job, v3dcl_le32(handles + 4 * kind), (__u32)(handles - r->records.bytes) + 4 * kind);
	bool threaded;

	if (!bo)
		return false;
	if (*code)
		return refuse(job, V3DCL_RULE_SHADER_OFFSET, at + kinds[kind].code, *code, 0);
	threaded = bo->shader->uses & V3DCL_SHADER_THREADED;
	if (kind == 0 && threaded == single_threaded)
		return refuse(job, V3DCL_RULE_SHADER_THREADING, at, single_threaded, !threaded);
	if (kind != 0 && threaded)
		return refuse(job, V3DCL_RULE_SHADER_THREADED, at + kinds[kind].code, 1, 0);
	if (bo->shader->uses & kinds[kind].forbidden)
		return refuse(job, kinds[kind].rule, at + kinds[kind].code, bo->shader->uses, 0);
	*code = bo->address;
	r->shaders[kind] = bo->shader;
	return v3dcl_check_stream(r, bo->shader, kinds[kind].uses, uniforms);
}

static __always_inline bool check_attribute(struct v3dcl_records *r, __u32 at, __u32 handle_at, const __u8 *handle, const __u8 *in,
					    __u8 *out, struct fill *fills, __u32 array)
{
	struct v3dcl_job *job = r->job;
	struct v3d_attribute attribute;
	const struct v3dcl_bo *bo = v3dcl_use_bo(job, v3dcl_le32(handle), V3DCL_READ | V3DCL_READ_BINNING,
						 DRM_V3DCL_PART_SHADER_RECORD, handle_at);
	__u32 bytes;

	if (!bo)
		return false;
	v3d_unpack_attribute(in, &attribute);
	bytes = attribute.size_minus_1 + 1;
	if (!v3dcl_inside(attribute.address, bytes, bo->size))
		return refuse(job, V3DCL_RULE_ATTRIBUTE_END, at, attribute.address, bo->size);
	r->reach[array] = (struct v3dcl_reach){ bo->size - attribute.address - bytes, attribute.stride };
	fill_rows(&fills[0], array, attribute.vs_vpm_offset, bytes);
	fill_rows(&fills[1], array, attribute.cs_vpm_offset, bytes);
	v3dcl_put_le32(out, bo->address + attribute.address);
	v3dcl_put_le32(out + sizeof(__u32), v3dcl_le32(in + sizeof(__u32)));
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
#define USED(word, name, type, low, bits) | ((low) / 32 == (word) ? ~(__u32)0 >> (32 - (bits)) << (low) % 32 : 0)
#define USED_OF(word) (0u V3D_GL_SHADER_RECORD_FIELDS(USED, word))
static const __u32 used[V3D_GL_SHADER_RECORD_LENGTH / sizeof(__u32)] = {
	USED_OF(0), USED_OF(1), USED_OF(2), USED_OF(3), USED_OF(4), USED_OF(5), USED_OF(6), USED_OF(7), USED_OF(8),
};

/* Addresses in place of what userspace gave, and its unused bits left out */
static void write_record(__u8 *out, const __u8 *in, const struct v3d_gl_shader_record *record)
{
	__u32 i;

	for (i = 0; i < V3D_GL_SHADER_RECORD_LENGTH / sizeof(__u32); i++)
		v3dcl_put_le32(out + i * sizeof(__u32), v3dcl_le32(in + i * sizeof(__u32)) & used[i]);
	v3dcl_put_le32(out + AT_fs_code, record->fs_code);
	v3dcl_put_le32(out + AT_fs_uniforms, record->fs_uniforms);
	v3dcl_put_le32(out + AT_vs_code, record->vs_code);
	v3dcl_put_le32(out + AT_vs_uniforms, record->vs_uniforms);
	v3dcl_put_le32(out + AT_cs_code, record->cs_code);
	v3dcl_put_le32(out + AT_cs_uniforms, record->cs_uniforms);
	out[AT_vs_attributes] = record->vs_attributes;
	out[AT_cs_attributes] = record->cs_attributes;
}

/*
 * Arrays whose elements are no whole words: the rest of the last one is loaded from memory as well, since the shader reads it, as
 * Mesa's do with vectors of three bytes, and nobody clears it. Where the array's BO ends before that, it is as it was.
 */
static void pad_arrays(struct v3dcl_records *r, __u32 arrays, const __u8 *in, __u8 *out, struct fill *fills)
{
	struct v3d_attribute attribute;
	__u32 i, bytes, padded;

	for (i = 0; i < arrays; i++, in += V3D_ATTRIBUTE_LENGTH, out += V3D_ATTRIBUTE_LENGTH) {
		v3d_unpack_attribute(in, &attribute);
		bytes = attribute.size_minus_1 + 1;
		padded = v3dcl_round_up(bytes, ROW);
		if (padded - bytes > r->reach[i].room)
			continue;
		r->reach[i].room -= padded - bytes;
		out[AT_size_minus_1] = padded - 1;
		fill_rows(&fills[0], i, attribute.vs_vpm_offset, padded);
		fill_rows(&fills[1], i, attribute.cs_vpm_offset, padded);
	}
}

/* What a shader reads is there: an array has filled it, in what is reserved for them. */
static inline bool fills_rows(const struct v3dcl_shader *shader, const struct fill *fill, __u32 reserved)
{
	return !(shader->rows_read & ~(fill->rows & rows_below(reserved / ROW)));
}

static bool check_fill(struct v3dcl_records *r, __u32 at, const struct v3dcl_shader *shader, const struct fill *fill,
		       __u32 reserved)
{
	if (!fills_rows(shader, fill, reserved))
		return refuse(r->job, V3DCL_RULE_SHADER_ROWS, at, shader->rows_read, fill->rows & rows_below(reserved / ROW));
	if (fill->end > v3dcl_round_up(reserved, ROW) + SPILL)
		return refuse(r->job, V3DCL_RULE_ATTRIBUTE_ROWS, at, fill->end, v3dcl_round_up(reserved, ROW) + SPILL);
	return true;
}

/* The arrays in and out, after all of them have been checked */
static bool check_rows(struct v3dcl_records *r, __u32 at, __u32 arrays, const __u8 *in, __u8 *out,
		       const struct v3d_gl_shader_record *record, struct fill *fills)
{
	if (!fills_rows(r->shaders[1], &fills[0], record->vs_attributes_size) ||
	    !fills_rows(r->shaders[2], &fills[1], record->cs_attributes_size))
		pad_arrays(r, arrays, in, out, fills);
	return check_fill(r, at + AT_vs_attributes, r->shaders[1], &fills[0], record->vs_attributes_size) &&
	       check_fill(r, at + AT_cs_attributes, r->shaders[2], &fills[1], record->cs_attributes_size);
}

/* Rows of a shaded vertex: AG100 Figures 10 and 11 */
#define CLIP_ROWS 4	/* before the others, of coordinate shaders only */
#define SCREEN_ROWS 3	/* XY, Z, 1/W; then the point size, if there is one, and varyings */

/* What is read of a shaded vertex is what its shader has written, and it writes nothing else. */
static bool check_output(struct v3dcl_records *r, __u32 at, const struct v3dcl_shader *shader, __u32 rows)
{
	__u64 output = rows_below(rows);

	return (rows <= 64 && (shader->rows_written & output) == output && !(shader->rows_touched & ~output)) ||
	       refuse(r->job, V3DCL_RULE_SHADER_OUTPUT, at, shader->rows_written, rows);
}

static bool check_outputs(struct v3dcl_records *r, __u32 at, const struct v3d_gl_shader_record *record)
{
	__u32 screen = SCREEN_ROWS + record->point_size;

	return check_output(r, at + AT_vs_code, r->shaders[1], screen + record->fs_varyings) &&
	       check_output(r, at + AT_cs_code, r->shaders[2], CLIP_ROWS + screen);
}

static bool check_shaders(struct v3dcl_records *r, __u32 at, const __u8 *handles, const __u8 *in,
			  struct v3d_gl_shader_record *record)
{
	v3d_unpack_gl_shader_record(in, record);
	return check_shader(r, 0, at, handles, record->single_threaded, &record->fs_code, &record->fs_uniforms) &&
	       check_shader(r, 1, at, handles, false, &record->vs_code, &record->vs_uniforms) &&
	       check_shader(r, 2, at, handles, false, &record->cs_code, &record->cs_uniforms) && check_outputs(r, at, record);
}

/**
 * v3dcl_check_record() - the next shader record
 * @r: what is left; the record and its uniforms are taken from it
 * @attributes: arrays of the record, 1 to 8
 * @address: set to where the checked record is
 * Return: false with the job's refusal set
 */
bool v3dcl_check_record(struct v3dcl_records *r, __u32 attributes, __u32 *address)
{
	__u32 length = V3D_GL_SHADER_RECORD_LENGTH + attributes * V3D_ATTRIBUTE_LENGTH, handles_at = r->records.at, at, i;
	const __u8 *handles = v3dcl_take(&r->records, (SHADERS + attributes) * sizeof(__u32)), *in;
	struct v3d_gl_shader_record record;
	struct fill fills[2];
	__u8 *out;

	if (!handles)
		return refuse(r->job, V3DCL_RULE_TRUNCATED, handles_at, r->records.size - handles_at,
			      (SHADERS + attributes) * sizeof(__u32));
	at = r->records.at;
	in = v3dcl_take(&r->records, length);
	if (!in)
		return refuse(r->job, V3DCL_RULE_TRUNCATED, at, r->records.size - at, length);
	if (!check_shaders(r, at, handles, in, &record))
		return false;
	*address = r->records_out.address + r->records_out.at;
	out = v3dcl_room(&r->records_out, v3dcl_round_up(length, 16));
	if (!out)
		return refuse(r->job, V3DCL_RULE_NO_ROOM, at, r->records_out.size, length);
	/* HW: not established what is loaded for an array that is selected and not there */
	record.vs_attributes &= (1u << attributes) - 1;
	record.cs_attributes &= (1u << attributes) - 1;
	write_record(out, in, &record);
	fills[0] = (struct fill){ .selected = record.vs_attributes };
	fills[1] = (struct fill){ .selected = record.cs_attributes };
	for (i = 0; i < attributes; i++) {
		__u32 place = V3D_GL_SHADER_RECORD_LENGTH + i * V3D_ATTRIBUTE_LENGTH, handle = (SHADERS + i) * sizeof(__u32);

		if (!check_attribute(r, at + place, handles_at + handle, handles + handle, in + place, out + place, fills, i))
			return false;
	}
	r->arrays = attributes;
	return check_rows(r, at, attributes, in + V3D_GL_SHADER_RECORD_LENGTH, out + V3D_GL_SHADER_RECORD_LENGTH, &record, fills);
}
