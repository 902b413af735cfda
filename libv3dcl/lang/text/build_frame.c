// SPDX-License-Identifier: MIT
/* From a script's frame to the library's. */
#include <errno.h>

#include <v3d/lists.h>

#include "../../base/helpers.h"
#include "../../cl/described.h"
#include "script_frame.h"

/*
 * The address at a byte: what a fixup says, or the number that stands there. Fixups are in the
 * order of their places.
 */
static struct v3dcl_address address_at(struct frame_maker *maker, const struct script_bytes *bytes,
				       uint32_t at, uint32_t number)
{
	const struct script_fixup *fixups = (const struct script_fixup *)bytes->fixups.bytes;
	size_t low = 0, high = bytes->fixups.size / sizeof(*fixups);

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct script_fixup *f = &fixups[middle];

		if (f->at == at && f->thing == SCRIPT_FRAME_MEMORY)
			return (struct v3dcl_address){ V3DCL_FRAME_MEMORY, f->offset };
		if (f->at == at)
			return (struct v3dcl_address){ maker->bo(maker->opaque, f->thing),
						       f->offset };
		if (f->at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return (struct v3dcl_address){ 0, number };
}

static bool has_fixup(const struct script_bytes *bytes, size_t *next, uint32_t at)
{
	const struct script_fixup *fixups = (const struct script_fixup *)bytes->fixups.bytes;

	if (*next == bytes->fixups.size / sizeof(*fixups) || fixups[*next].at != at)
		return false;
	(*next)++;
	return true;
}

/**
 * frame_thing_as_bo() - for struct frame_maker where there is no device: things by their indices,
 * from 1
 */
uint32_t frame_thing_as_bo(void *opaque, uint32_t thing)
{
	(void)opaque;
	return thing + 1;
}

/* --- Streams ---------------------------------------------------------------------------------- */

static int make_uniforms(struct frame_maker *maker, const struct script_bytes *bytes,
			 struct v3dcl_address *where)
{
	struct v3dcl_block stream = { { 0 }, { 0 } };
	size_t next = 0;
	uint32_t at;
	int ret = 0;

	for (at = 0; at + 4 <= bytes->data.size && !ret; at += 4) {
		uint32_t word = v3d_get_bits(bytes->data.bytes + at, 0, 32);

		if (has_fixup(bytes, &next, at))
			ret = v3dcl_block_address(&stream, address_at(maker, bytes, at, 0), word,
						  maker->error);
		else
			ret = v3dcl_block_word(&stream, word, maker->error);
	}
	if (!ret)
		ret = v3dcl_frame_uniforms(maker->frame, &stream, where, maker->error);
	v3dcl_block_free(&stream);
	return ret;
}

/* --- Shader records --------------------------------------------------------------------------- */

/* From the bytes of a record to the library's struct, field by field */
#define NUMBER(name) to->name = in.name;
#define TAKE_U(name, low, bits) NUMBER(name)
#define TAKE_A(name, low, bits) \
	to->name = address_at(maker, bytes, at + ((low) + (bits) - 32) / 8, in.name);
#define TAKE(o, name, type, low, bits) TAKE_##type(name, low, bits)
#define DEFINE_TAKE(NAME, record) \
	static void take_##record(struct frame_maker *maker, const struct script_bytes *bytes, \
				  uint32_t at, struct v3dcl_##record *to) \
	{ \
		struct v3d_##record in; \
		v3d_unpack_##record(bytes->data.bytes + at, &in); \
		V3D_##NAME##_FIELDS(TAKE, 0) \
	}

DEFINE_TAKE(GL_SHADER_RECORD, gl_shader_record)
DEFINE_TAKE(NV_SHADER_RECORD, nv_shader_record)
DEFINE_TAKE(VG_SHADER_RECORD, vg_shader_record)
DEFINE_TAKE(ATTRIBUTE, attribute)

static int make_gl(struct frame_maker *maker, const struct frame_item *item,
		   struct v3dcl_address *where)
{
	struct v3dcl_attribute attributes[V3D_ATTRIBUTES];
	struct v3dcl_gl_shader_record record;
	uint32_t strides[V3D_ATTRIBUTES], at = V3D_GL_SHADER_RECORD_LENGTH, i;
	int ret;

	take_gl_shader_record(maker, &item->bytes, 0, &record);
	for (i = 0; i < item->attributes; i++, at += V3D_ATTRIBUTE_LENGTH)
		take_attribute(maker, &item->bytes, at, &attributes[i]);
	for (i = 0; i < item->strides; i++, at += V3D_EXTENDED_STRIDE_LENGTH)
		strides[i] = v3d_get_bits(item->bytes.data.bytes + at, 0, 32);
	if (!record.vs_attributes_size && !record.cs_attributes_size) {
		ret = v3dcl_place_attributes(&record, attributes, item->attributes, maker->error);
		if (ret)
			return ret;
	}
	return v3dcl_frame_gl(maker->frame, &record, attributes, item->strides ? strides : NULL,
			      item->attributes, where, maker->error);
}

/* What the frame keeps. @where: set to its address */
int frame_make_item(struct frame_maker *maker, const struct frame_item *item,
		    struct v3dcl_address *where)
{
	struct v3dcl_nv_shader_record nv;
	struct v3dcl_vg_shader_record vg;

	if (item->kind == FRAME_UNIFORMS)
		return make_uniforms(maker, &item->bytes, where);
	switch (item->record) {
	case V3D_GL_SHADER_RECORD_LENGTH:
		return make_gl(maker, item, where);
	case V3D_NV_SHADER_RECORD_LENGTH:
		take_nv_shader_record(maker, &item->bytes, 0, &nv);
		return v3dcl_frame_nv(maker->frame, &nv, where, maker->error);
	default:
		take_vg_shader_record(maker, &item->bytes, 0, &vg);
		return v3dcl_frame_vg(maker->frame, &vg, where, maker->error);
	}
}

/* --- Lists ------------------------------------------------------------------------------------ */

/* Append a record of a list */
int frame_make_record(struct frame_maker *maker, struct v3dcl_list *list,
		      const struct frame_list *records, uint32_t index)
{
	const uint32_t *starts = (const uint32_t *)records->starts.bytes;
	uint32_t count = records->starts.size / sizeof(*starts), start = starts[index], i;
	uint32_t end = index + 1 < count ? starts[index + 1] : records->bytes.data.size;
	const uint8_t *bytes = records->bytes.data.bytes + start;
	const struct v3d_packet_info *info = v3d_packet_info(bytes[0]);
	struct v3dcl_value values[CL_MOST_FIELDS] = { { 0 } };

	for (i = 0; info->fields[i].name; i++) {
		const struct v3d_field *f = &info->fields[i];
		uint32_t raw = v3d_get_bits(bytes, 8 + f->low, f->bits);

		switch (f->type) {
		case V3D_A:
			values[i].to = address_at(maker, &records->bytes,
						  start + (8 + f->low + f->bits - 32) / 8,
						  V3D_DECODE_A(raw, f->bits));
			break;
		case V3D_S:
			values[i].bits = V3D_DECODE_S(raw, f->bits);
			break;
		case V3D_F187:
			values[i].bits = V3D_DECODE_F187(raw, f->bits);
			break;
		default:
			values[i].bits = raw;
		}
	}
	return v3dcl_list_add(list, bytes[0], info->fields[0].name ? values : NULL,
			      bytes + info->length, end - start - info->length, maker->error);
}

/* --- The whole -------------------------------------------------------------------------------- */

/* What the frame renders to */
int frame_make_targets(struct frame_maker *maker, const struct script_frame *frame)
{
	struct v3dcl_targets targets = frame->targets;
	struct v3dcl_target *all[] = {
		&targets.color_read, &targets.zs_read, &targets.color_write,
		&targets.zs_write, &targets.full_color_write, &targets.full_zs_write,
	};
	size_t i;

	for (i = 0; i < COUNT(all); i++) {
		if (all[i]->address.bo)
			all[i]->address.bo = maker->bo(maker->opaque, all[i]->address.bo - 1);
	}
	return v3dcl_frame_targets(maker->frame, &targets, maker->error);
}

static int make_list(struct frame_maker *maker, struct v3dcl_list *list,
		     const struct frame_list *records)
{
	uint32_t i, count = records->starts.size / sizeof(uint32_t);
	int ret = 0;

	for (i = 0; i < count && !ret; i++)
		ret = frame_make_record(maker, list, records, i);
	return ret;
}

/* All of a frame that is right */
int frame_make(struct frame_maker *maker, const struct script_frame *frame)
{
	const struct frame_item *items = (const struct frame_item *)frame->items.bytes;
	size_t i, count = frame->items.size / sizeof(*items);
	struct v3dcl_address where;
	int ret = frame_make_targets(maker, frame);

	for (i = 0; i < count && !ret; i++)
		ret = frame_make_item(maker, &items[i], &where);
	if (!ret && frame->binned)
		ret = v3dcl_frame_begin(maker->frame, maker->error);
	if (!ret)
		ret = make_list(maker, v3dcl_frame_bin(maker->frame), &frame->bin);
	if (!ret)
		ret = make_list(maker, v3dcl_frame_render(maker->frame), &frame->render);
	return ret;
}
