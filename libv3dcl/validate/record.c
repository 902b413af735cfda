// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Shader records: what a GL shader state points to (AG100 Table 45), with handles before each.
 *
 * Userspace hands over 3 BO indices of code (fragment, vertex, coordinate shader), one an attribute
 * array, then the record.
 */
#include <v3d/lists.h>

#include "record.h"

/* Where fields are in the record, in bytes */
#define PLACE(o, name, type, low, bits) o##_##name = (low) / 8,
enum { V3D_GL_SHADER_RECORD_FIELDS(PLACE, AT) V3D_ATTRIBUTE_FIELDS(PLACE, AT) };

/* The three shaders of a record */
static const struct {
	__u8 code;	/* where the address of the code is */
	__u8 forbidden;	/* V3DCL_SHADER_* that this kind must not have */
	__u16 rule;
} kinds[V3DCL_SHADERS] = {
	{ AT_fs_code, V3DCL_SHADER_VPM, V3DCL_RULE_SHADER_USES_VPM },
	{ AT_vs_code, V3DCL_SHADER_TILE, V3DCL_RULE_SHADER_USES_TILE },
	{ AT_cs_code, V3DCL_SHADER_TILE, V3DCL_RULE_SHADER_USES_TILE },
};

static __cold bool refuse(struct v3dcl_job *job, __u16 rule, __u32 offset, __u64 found,
			  __u64 expected)
{
	return v3dcl_refuse(&job->refusal, DRM_V3DCL_PART_SHADER_RECORD, rule, offset, found,
			    expected);
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
 * Bytes that an array may take beyond what is reserved: components of a vector that its shader does
 * not read. HW: Mesa's do.
 */
#define SPILL 12

#define ROW 4	/* bytes of a row that are a vertex's */

static inline __u64 rows_below(__u32 row)
{
	return row < 64 ? ((__u64)1 << row) - 1 : ~(__u64)0;
}

/* A record that is being checked, and where it is */
struct record {
	const __u8 *handles, *in;	/* handles: all of them, the shaders' first */
	__u8 *out;
	__u32 at, count;		/* in the job's records; of arrays */
};

/* Why a shader may not be what it is taken for */
static __cold bool refuse_shader(struct v3dcl_records *r, unsigned int kind, __u32 at,
				 const struct v3dcl_shader *shader, __u32 code,
				 bool single_threaded)
{
	bool threaded = shader->uses & V3DCL_SHADER_THREADED;

	if (code)
		return refuse(r->job, V3DCL_RULE_SHADER_OFFSET, at + kinds[kind].code, code, 0);
	if (kind == 0 && threaded == single_threaded)
		return refuse(r->job, V3DCL_RULE_SHADER_THREADING, at, single_threaded, !threaded);
	if (kind != 0 && threaded)
		return refuse(r->job, V3DCL_RULE_SHADER_THREADED, at + kinds[kind].code, 1, 0);
	return refuse(r->job, kinds[kind].rule, at + kinds[kind].code, shader->uses, 0);
}

/* One of the three shaders: code is its offset in its BO. */
static __always_inline bool check_shader(struct v3dcl_records *r, const struct record *record,
					 unsigned int kind, __u32 code, bool single_threaded)
{
	const __u8 *handle = record->handles + kind * sizeof(__u32);
	const struct v3dcl_bo *bo = shader_bo(r->job, v3dcl_le32(handle),
					      (__u32)(handle - r->records.bytes));
	__u32 wrong;

	if (!bo)
		return false;
	wrong = bo->shader->uses ^ (single_threaded ? 0 : V3DCL_SHADER_THREADED);
	if (code | (wrong & (V3DCL_SHADER_THREADED | kinds[kind].forbidden)))
		return refuse_shader(r, kind, record->at, bo->shader, code, single_threaded);
	r->shaders[kind] = bo->shader;
	r->code[kind] = bo->address;
	return true;
}

/* Rows of a shaded vertex: AG100 Figures 10 and 11 */
#define CLIP_ROWS 4	/* before the others, of coordinate shaders only */
#define SCREEN_ROWS 3	/* XY, Z, 1/W; then the point size, if there is one, and varyings */

/* What is read of a shaded vertex is what its shader has written, and it writes nothing else. */
static __always_inline bool check_output(struct v3dcl_records *r, __u32 at,
					 const struct v3dcl_shader *shader, __u32 rows)
{
	__u64 output = ((__u64)1 << (rows & 63)) - 1;

	return !(rows >> 6 | (output & ~shader->rows_written) | (shader->rows_touched & ~output)) ||
	       refuse(r->job, V3DCL_RULE_SHADER_OUTPUT, at, shader->rows_written, rows);
}

static __always_inline bool check_outputs(struct v3dcl_records *r, __u32 at,
					  const struct v3d_gl_shader_record *record)
{
	__u32 screen = SCREEN_ROWS + record->point_size;

	r->varyings = r->shaders[0]->varyings - record->fs_varyings;
	return check_output(r, at + AT_vs_code, r->shaders[1], screen + record->fs_varyings) &&
	       check_output(r, at + AT_cs_code, r->shaders[2], CLIP_ROWS + screen);
}

static bool check_shaders(struct v3dcl_records *r, const struct record *record)
{
	struct v3d_gl_shader_record fields;

	v3d_unpack_gl_shader_record(record->in, &fields);
	return check_shader(r, record, 0, fields.fs_code, fields.single_threaded) &&
	       check_shader(r, record, 1, fields.vs_code, true) &&
	       check_shader(r, record, 2, fields.cs_code, true) &&
	       check_outputs(r, record->at, &fields);
}

static __u32 handle_of(const struct record *record, __u32 array)
{
	return v3dcl_le32(record->handles + (V3DCL_SHADERS + array) * sizeof(__u32));
}

static __u32 place_of(__u32 array)
{
	return V3D_GL_SHADER_RECORD_LENGTH + array * V3D_ATTRIBUTE_LENGTH;
}

/* There is room for one more: each array has one, and one for each shader that it is padded for. */
static __always_inline bool add_reach(struct v3dcl_records *r, const struct record *record,
				      __u32 room, __u32 stride)
{
	if (NEVER(r->reaches >= V3DCL_REACHES))
		return refuse(r->job, V3DCL_RULE_INTERNAL, record->at, r->reaches, V3DCL_REACHES);
	r->reach[r->reaches++] = (struct v3dcl_reach){ room, stride };
	return true;
}

/*
 * The arrays of a record: their first elements lie in their BOs. How far they go is kept once where
 * strides are the same, as they are of vertices that are stored one after the other, and whose BO
 * is the same.
 */
static bool check_arrays(struct v3dcl_records *r, const struct record *record)
{
	const __u8 *in = record->in + V3D_GL_SHADER_RECORD_LENGTH;
	__u8 *out = record->out + V3D_GL_SHADER_RECORD_LENGTH;
	__u32 i, handle = 0, stride = in[AT_stride], room = ~(__u32)0;
	const struct v3dcl_bo *bo = NULL;

	r->reaches = 0;
	r->whole = 0;
	for (i = 0; i < record->count;
	     i++, in += V3D_ATTRIBUTE_LENGTH, out += V3D_ATTRIBUTE_LENGTH) {
		struct v3d_attribute attribute;
		__u64 end;

		if (!bo || handle != handle_of(record, i)) {
			handle = handle_of(record, i);
			bo = v3dcl_use_bo(r->job, handle, V3DCL_READ | V3DCL_READ_BINNING,
					  DRM_V3DCL_PART_SHADER_RECORD,
					  record->at - (record->count - i) * (__u32)sizeof(__u32));
			if (!bo)
				return false;
		}
		v3d_unpack_attribute(in, &attribute);
		end = (__u64)attribute.address + attribute.size_minus_1 + 1;
		if (end > bo->size)
			return refuse(r->job, V3DCL_RULE_ATTRIBUTE_END, record->at + place_of(i),
				      attribute.address, bo->size);
		if (attribute.stride != stride) {
			if (NEVER(!add_reach(r, record, room, stride)))
				return false;
			stride = attribute.stride;
			room = ~(__u32)0;
		}
		room = bo->size - end < room ? bo->size - end : room;
		v3dcl_put_le32(out, bo->address + attribute.address);
		v3dcl_put_le32(out + sizeof(__u32), v3dcl_le32(in + sizeof(__u32)));
	}
	return add_reach(r, record, room, stride);
}

/*
 * Bytes after the first element of an array that has been checked, by check_arrays(); else there
 * would be none.
 */
static __u32 room_of(const struct v3dcl_records *r, const struct record *record, __u32 array,
		     const struct v3d_attribute *attribute)
{
	__u64 end = (__u64)attribute->address + attribute->size_minus_1 + 1;
	__u32 handle = handle_of(record, array), size;

	if (NEVER(handle >= r->job->bo_count))
		return 0;
	size = r->job->bos[v3dcl_nospec(handle, r->job->bo_count)].size;
	return NEVER(end > size) ? 0 : size - end;
}

/**
 * v3dcl_last_vertex() - the highest index that the arrays of the current shader state have
 * @r: after v3dcl_check_record()
 * Return: V3DCL_NO_LIMIT without any limit
 */
__u32 v3dcl_last_vertex(const struct v3dcl_records *r)
{
	__u32 last = V3DCL_NO_LIMIT, i;

	if (NEVER(r->reaches > V3DCL_REACHES))
		return 0;
	for (i = 0; i < r->reaches; i++)
		if (r->reach[i].stride && r->reach[i].room / r->reach[i].stride < last)
			last = r->reach[i].room / r->reach[i].stride;
	return last;
}

/* The bits of a word of the record that are a field's */
#define USED(byte, name, type, low, bits) \
	| ((low) / 32 == (byte) / sizeof(__u32) ? ~(__u32)0 >> (32 - (bits)) << (low) % 32 : 0)
#define USED_AT(byte) (0u V3D_GL_SHADER_RECORD_FIELDS(USED, byte))

/*
 * Addresses in place of what userspace gave, its unused bits left out, and arrays that are not
 * there not selected
 */
static __always_inline void write_record(__u8 *out, const __u8 *in, const __u32 *code,
					 const __u32 *uniforms, __u32 selected)
{
	v3dcl_put_le32(out, v3dcl_le32(in) & USED_AT(0));
	v3dcl_put_le32(out + AT_fs_code, code[0]);
	v3dcl_put_le32(out + AT_fs_uniforms, uniforms[0]);
	v3dcl_put_le32(out + AT_vs_uniform_count,
		       v3dcl_le32(in + AT_vs_uniform_count) & USED_AT(AT_vs_uniform_count));
	out[AT_vs_attributes] = in[AT_vs_attributes] & selected;
	v3dcl_put_le32(out + AT_vs_code, code[1]);
	v3dcl_put_le32(out + AT_vs_uniforms, uniforms[1]);
	v3dcl_put_le32(out + AT_cs_uniform_count,
		       v3dcl_le32(in + AT_cs_uniform_count) & USED_AT(AT_cs_uniform_count));
	out[AT_cs_attributes] = in[AT_cs_attributes] & selected;
	v3dcl_put_le32(out + AT_cs_code, code[2]);
	v3dcl_put_le32(out + AT_cs_uniforms, uniforms[2]);
}

/*
 * An array's elements with the rest of their last word, which is loaded from memory as well, if it
 * is there
 */
static __u32 pad(struct v3dcl_records *r, const struct record *record, __u32 array,
		 const struct v3d_attribute *attribute)
{
	__u32 bytes = attribute->size_minus_1 + 1, padded = v3dcl_round_up(bytes, ROW);
	__u32 room = room_of(r, record, array, attribute);

	if (padded - bytes > room)
		return bytes;
	if (!r->whole)
		r->whole = v3dcl_last_vertex(r);
	if (NEVER(!add_reach(r, record, room - (padded - bytes), attribute->stride)))
		return bytes;
	record->out[place_of(array) + AT_size_minus_1] = padded - 1;
	return padded;
}

/*
 * Rows that the selected arrays fill, row by row. The rest of a word is not cleared where elements
 * are no whole words: as shaders read it, Mesa's with vectors of three bytes, it is filled too.
 */
static __u64 filled_rows(struct v3dcl_records *r, const struct record *record, unsigned int kind,
			 __u32 selected)
{
	struct v3d_attribute attribute;
	__u32 i, offset, bytes;
	__u64 rows = 0;

	for (i = 0; selected >> i; i++) {
		if (!(selected >> i & 1))
			continue;
		v3d_unpack_attribute(record->in + place_of(i), &attribute);
		offset = kind == 1 ? attribute.vs_vpm_offset : attribute.cs_vpm_offset;
		bytes = pad(r, record, i, &attribute);
		rows |= rows_below((offset + bytes) / ROW) & ~rows_below((offset + ROW - 1) / ROW);
	}
	return rows;
}

/*
 * What the arrays of a record fill of the VPM for its vertex or its coordinate shader, in bytes of
 * a vertex: from 0 to @end, if the uppermost bit of @gap is not set.
 */
struct fill {
	__u32 end, gap;
};

static struct fill fill_of(const struct record *record, unsigned int kind, __u32 selected)
{
	struct fill fill = { 0 };
	__u32 i;

	for (i = 0; selected >> i; i++) {
		struct v3d_attribute attribute;
		__u32 offset, end;

		if (!(selected >> i & 1))
			continue;
		v3d_unpack_attribute(record->in + place_of(i), &attribute);
		offset = kind == 1 ? attribute.vs_vpm_offset : attribute.cs_vpm_offset;
		end = offset + attribute.size_minus_1 + 1;
		fill.gap |= fill.end - offset;
		fill.end = end > fill.end ? end : fill.end;
	}
	return fill;
}

/*
 * What a shader reads is there: an array has filled it, in what is reserved for them. Arrays of
 * Mesa's come one after the other; whatever else is looked at row by row. present() selects no
 * array that is not there, and a field of 8 bits reserves.
 */
static bool check_fill(struct v3dcl_records *r, const struct record *record, unsigned int kind,
		       __u32 at, __u32 selected, __u32 reserved)
{
	__u32 filled, limit = v3dcl_round_up(reserved, ROW) + SPILL;
	__u64 read = r->shaders[kind]->rows_read, rows;
	struct fill fill;

	if (NEVER(selected >> record->count || reserved / ROW >= 64))
		return refuse(r->job, V3DCL_RULE_INTERNAL, at, selected, record->count);
	fill = fill_of(record, kind, selected);
	filled = fill.end < reserved ? fill.end : reserved;
	if ((__s32)fill.gap < 0 || read >> filled / ROW) {
		r->before = NULL;
		rows = filled_rows(r, record, kind, selected) & rows_below(reserved / ROW);
		if (read & ~rows)
			return refuse(r->job, V3DCL_RULE_SHADER_ROWS, at, read, rows);
	}
	return fill.end <= limit || refuse(r->job, V3DCL_RULE_ATTRIBUTE_ROWS, at, fill.end, limit);
}

/*
 * HW: not established what is loaded for an array that is selected and not there. So none is
 * selected.
 */
static __u32 present(const struct record *record)
{
	return (1u << record->count) - 1;
}

static bool check_fills(struct v3dcl_records *r, const struct record *record)
{
	struct v3d_gl_shader_record fields;

	v3d_unpack_gl_shader_record(record->in, &fields);
	r->before = record->handles;
	r->arrays = record->count;
	return check_fill(r, record, 1, record->at + AT_vs_attributes,
			  fields.vs_attributes & present(record), fields.vs_attributes_size) &&
	       check_fill(r, record, 2, record->at + AT_cs_attributes,
			  fields.cs_attributes & present(record), fields.cs_attributes_size);
}

/*
 * Most records are like the one before but for uniforms, BOs and where in them arrays begin: 89 of
 * 100 in Mesa's frames. Then nothing need be asked again of the shaders and of where in the VPM
 * their arrays go. It is among the records: check_fills() says which.
 */
static __always_inline bool has_same_shaders(const struct v3dcl_records *r,
					     const struct record *record)
{
	const __u8 *before = r->before;

	return before && ALWAYS(before >= r->records.bytes && before < record->handles) &&
	       r->arrays == record->count &&
	       !__builtin_memcmp(before, record->handles, V3DCL_SHADERS * sizeof(__u32)) &&
	       !__builtin_memcmp(before + (record->in - record->handles), record->in,
				 V3D_GL_SHADER_RECORD_LENGTH);
}

static __always_inline bool has_same_arrays(const struct v3dcl_records *r,
					    const struct record *record)
{
	const __u8 *before = r->before + (record->in - record->handles);
	__u32 i, differ = 0;

	for (i = 0; i < record->count; i++)
		differ |= v3dcl_le32(before + place_of(i) + sizeof(__u32)) ^
			  v3dcl_le32(record->in + place_of(i) + sizeof(__u32));
	return !differ;
}

/*
 * The next record, and its handles before it; false after a refusal. The state says how many arrays
 * in 3 bits. There is room, as each record comes with at least 16 bytes of handles, which the
 * checked one has not.
 */
static __always_inline bool take_record(struct v3dcl_records *r, struct v3d_gl_shader_state *state,
					struct record *record)
{
	__u32 count = v3d_shader_attributes(state), length = v3d_shader_record_length(state),
	      left = r->records.size - r->records.at;
	__u32 bytes = (V3DCL_SHADERS + count) * sizeof(__u32), rounded = v3dcl_round_up(length, 16);

	record->at = r->records.at + bytes;
	record->handles = v3dcl_take(&r->records, bytes + length);
	if (!record->handles)
		return bytes > left ?
			       refuse(r->job, V3DCL_RULE_TRUNCATED, r->records.at, left, bytes) :
			       refuse(r->job, V3DCL_RULE_TRUNCATED, record->at, left - bytes,
				      length);
	if (NEVER(count > V3DCL_ARRAYS))
		return refuse(r->job, V3DCL_RULE_INTERNAL, record->at, count, V3DCL_ARRAYS);
	if (NEVER(rounded > r->records_out.left))
		return refuse(r->job, V3DCL_RULE_NO_ROOM, record->at, r->records_out.left, rounded);
	record->in = record->handles + bytes;
	record->count = count;
	record->out = r->records_out.cpu;
	state->address = r->records_out.address;
	r->records_out.address += rounded;
	r->records_out.cpu += rounded;
	r->records_out.left -= rounded;
	return true;
}

/**
 * v3dcl_check_record() - the next shader record
 * @r: what is left; the record and its uniforms are taken from it
 * @state: the shader state; its address is set to where the checked record is
 * Return: false with the job's refusal set
 */
bool v3dcl_check_record(struct v3dcl_records *r, struct v3d_gl_shader_state *state)
{
	__u32 uniforms[V3DCL_SHADERS];
	struct record record;
	bool same;

	if (!take_record(r, state, &record))
		return false;
	same = has_same_shaders(r, &record);
	if ((!same && !check_shaders(r, &record)) || !v3dcl_check_streams(r, uniforms))
		return false;
	write_record(record.out, record.in, r->code, uniforms, present(&record));
	if (!check_arrays(r, &record))
		return false;
	return (same && has_same_arrays(r, &record)) || check_fills(r, &record);
}
