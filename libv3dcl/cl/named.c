// SPDX-License-Identifier: MIT
/* Records by the names of their fields: each is made by what makes it from a struct, too. */
#include <errno.h>
#include <string.h>

#include <v3d/lists.h>

#include "named.h"
#include "v3dcl_frame.h"

int v3dcl_list_named(struct v3dcl_list *list, const struct v3dcl_named *record, const uint8_t *data,
		     size_t size, struct v3dcl_error *error)
{
	struct named_values taken;
	struct named found;
	int ret = named_take(record, V3DCL_NAMED_CONTROL, &found, &taken, error);

	return ret ? ret :
		     v3dcl_list_add(list, found.about.id, taken.values, data, size, error);
}

static float as_float(struct v3dcl_value value)
{
	float real;

	memcpy(&real, &value.bits, sizeof(real));
	return real;
}

/* Values into the struct of a record: <name>_of() */
#define TAKE_U(value) ((value).bits)
#define TAKE_S(value) ((int32_t)(value).bits)
#define TAKE_A(value) ((value).to)
#define TAKE_F32(value) as_float(value)
#define TAKE_FIELD(values, name, type, low, bits) .name = TAKE_##type((values)[AT_##name]),
#define INDEX(o, name, type, low, bits) AT_##name,
#define DEFINE_TAKE(NAME, name, length) \
	static struct v3dcl_##name name##_of(const struct named_values *taken) \
	{ \
		enum { V3D_##NAME##_FIELDS(INDEX, 0) }; \
		return (struct v3dcl_##name){ V3D_##NAME##_FIELDS(TAKE_FIELD, taken->values) }; \
	}
V3D_RECORDS(DEFINE_TAKE)

/*
 * A GL shader record with its arrays, as v3dcl_record_gl() takes it. @placed: it is said where they
 * lie in the VPM
 */
struct gl {
	struct v3dcl_gl_shader_record record;
	struct v3dcl_attribute attributes[V3D_ATTRIBUTES];
	uint32_t strides[V3D_ATTRIBUTES], count, stride_count;
	bool placed;
};

static bool is_given(const struct named *found, const struct named_values *taken, const char *name)
{
	uint32_t i;

	for (i = 0; found->of.fields[i].name; i++)
		if (!strcmp(found->of.fields[i].name, name))
			return taken->given >> i & 1;
	return false;
}

/* What stands behind a GL shader record */
static int take_part(const struct v3dcl_named *record, struct gl *gl, struct v3dcl_error *error)
{
	struct named_values taken;
	struct named found;
	int ret = named_take(record, V3DCL_NAMED_MEMORY, &found, &taken, error);

	if (ret)
		return ret;
	if (!strcmp(found.about.name, "attribute") && !gl->stride_count) {
		if (gl->count == V3D_ATTRIBUTES)
			return v3dcl_fail(error, -EINVAL,
					  "gl_shader_record: it has at most %u attributes",
					  V3D_ATTRIBUTES);
		gl->attributes[gl->count++] = attribute_of(&taken);
		gl->placed |= is_given(&found, &taken, "vs_vpm_offset") ||
			      is_given(&found, &taken, "cs_vpm_offset");
		return 0;
	}
	if (strcmp(found.about.name, "extended_stride"))
		return v3dcl_fail(error, -EINVAL,
				  "%s does not stand there: behind gl_shader_record come attribute "
				  "and then extended_stride",
				  found.about.name);
	if (gl->stride_count == gl->count)
		return v3dcl_fail(error, -EINVAL,
				  "gl_shader_record: more than one extended_stride an attribute");
	gl->strides[gl->stride_count++] = extended_stride_of(&taken).stride;
	return 0;
}

/* Where a record goes: into a block, at a byte of it, or into a frame, at an address */
struct goal {
	struct v3dcl_block *block;
	uint32_t *at;
	struct v3dcl_frame *frame;
	struct v3dcl_address *where;
};

static int append_gl(const struct goal *to, const struct v3dcl_named *records, uint32_t count,
		     struct v3dcl_error *error)
{
	struct named_values taken;
	struct gl gl = { 0 };
	struct named found;
	uint32_t i;
	int ret = named_take(&records[0], V3DCL_NAMED_MEMORY, &found, &taken, error);

	for (i = 1; i < count && !ret; i++)
		ret = take_part(&records[i], &gl, error);
	if (!ret && gl.stride_count && gl.stride_count != gl.count)
		ret = v3dcl_fail(error, -EINVAL,
				 "gl_shader_record: %u extended_stride for %u attributes: as many, "
				 "or none",
				 gl.stride_count, gl.count);
	if (ret)
		return ret;
	gl.record = gl_shader_record_of(&taken);
	gl.placed |= is_given(&found, &taken, "vs_attributes_size") ||
		     is_given(&found, &taken, "cs_attributes_size");
	if (!gl.placed)
		ret = v3dcl_place_attributes(&gl.record, gl.attributes, gl.count, error);
	if (ret)
		return ret;
	return to->frame ? v3dcl_frame_gl(to->frame, &gl.record, gl.attributes,
					  gl.stride_count ? gl.strides : NULL, gl.count, to->where,
					  error) :
			   v3dcl_record_gl(to->block, &gl.record, gl.attributes,
					   gl.stride_count ? gl.strides : NULL, gl.count, to->at,
					   error);
}

static int append_clipped_vertex(const struct goal *to, const struct v3dcl_clipped_vertex *vertex,
				 struct v3dcl_error *error)
{
	struct v3dcl_block alone = { 0 };
	uint32_t at;
	int ret;

	if (!to->frame)
		return v3dcl_record_clipped_vertex(to->block, vertex, to->at, error);
	ret = v3dcl_record_clipped_vertex(&alone, vertex, &at, error);
	if (!ret)
		ret = v3dcl_frame_data(to->frame, &alone, 16, to->where, error);
	v3dcl_block_free(&alone);
	return ret;
}

/* A record that has nothing behind it */
static int append_one(const struct goal *to, const struct v3dcl_named *record,
		      struct v3dcl_error *error)
{
	struct named_values taken;
	struct named found;
	const int ret = named_take(record, V3DCL_NAMED_MEMORY, &found, &taken, error);

	if (ret)
		return ret;
	if (!strcmp(found.about.name, "nv_shader_record")) {
		const struct v3dcl_nv_shader_record nv = nv_shader_record_of(&taken);

		return to->frame ? v3dcl_frame_nv(to->frame, &nv, to->where, error) :
				   v3dcl_record_nv(to->block, &nv, to->at, error);
	}
	if (!strcmp(found.about.name, "vg_shader_record")) {
		const struct v3dcl_vg_shader_record vg = vg_shader_record_of(&taken);

		return to->frame ? v3dcl_frame_vg(to->frame, &vg, to->where, error) :
				   v3dcl_record_vg(to->block, &vg, to->at, error);
	}
	if (!strcmp(found.about.name, "clipped_vertex")) {
		const struct v3dcl_clipped_vertex vertex = clipped_vertex_of(&taken);

		return append_clipped_vertex(to, &vertex, error);
	}
	return v3dcl_fail(error, -EINVAL, "%s stands behind a gl_shader_record, in one call",
			  found.about.name);
}

static int append(const struct goal *to, const struct v3dcl_named *records, uint32_t count,
		  struct v3dcl_error *error)
{
	if (!count)
		return v3dcl_fail(error, -EINVAL, "there is no record to append");
	if (records[0].record && !strcmp(records[0].record, "gl_shader_record"))
		return append_gl(to, records, count, error);
	if (count > 1)
		return v3dcl_fail(error, -EINVAL, "only a gl_shader_record has others behind it");
	return append_one(to, &records[0], error);
}

int v3dcl_record_named(struct v3dcl_block *block, const struct v3dcl_named *records, uint32_t count,
		       uint32_t *at, struct v3dcl_error *error)
{
	return append(&(struct goal){ .block = block, .at = at }, records, count, error);
}

int v3dcl_frame_named(struct v3dcl_frame *frame, const struct v3dcl_named *records, uint32_t count,
		      struct v3dcl_address *where, struct v3dcl_error *error)
{
	return append(&(struct goal){ .frame = frame, .where = where }, records, count, error);
}

int v3dcl_word_named(const struct v3dcl_named *word, uint32_t *bits, struct v3dcl_address *to,
		     struct v3dcl_error *error)
{
	struct v3dcl_address address = { 0, 0 };
	struct named_values taken;
	struct named found;
	uint32_t i, whole;
	int ret = named_take(word, V3DCL_NAMED_WORD, &found, &taken, error);

	if (ret)
		return ret;
	whole = cl_word_start(&found.of);
	for (i = 0; found.of.fields[i].name; i++) {
		const struct v3d_field *field = &found.of.fields[i];
		const struct v3dcl_value *value = &taken.values[i];
		const uint32_t fits = (UINT64_C(1) << field->bits) - 1;

		if (field->type == V3D_A && value->to.bo)
			address = value->to;
		else if (field->type == V3D_A)
			whole |= value->to.offset;
		else if (taken.given >> i & 1)
			whole = (whole & ~(fits << field->low)) | value->bits << field->low;
	}
	if (address.bo && !to)
		return v3dcl_fail(error, -EINVAL,
				  "%s: an address of a BO, where only a number can be",
				  found.about.name);
	*bits = whole;
	if (to)
		*to = address;
	return 0;
}
