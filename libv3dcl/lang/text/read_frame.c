// SPDX-License-Identifier: MIT
/*
 * Frames: frame WIDTH HEIGHT { what is rendered to, uniform streams, shader records, bin { ... }
 * [render { ... }] }
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <v3d/lists.h>

#include "../../base/helpers.h"
#include "script_frame.h"

#define MOST_PIXELS 4096		/* across and down */

/* A frame being read: @maker makes one to see whether the library takes it */
struct reading {
	struct script_frame *frame;
	struct frame_maker maker;
	struct v3dcl_error error;
};

/* What the library says, at the statement that it is about */
static void refused(struct script_reader *r, struct reading *f, int code, const char *at)
{
	if (code == -ENOMEM)
		script_out_of_memory(r);
	else if (code)
		script_fail(r, code, at, "%.200s", f->error.text);
}

static void add(struct script_reader *r, struct v3dcl_buffer *to, const void *bytes, size_t size)
{
	if (!v3dcl_buffer_add(to, bytes, size))
		script_out_of_memory(r);
}

/* --- What it keeps ---------------------------------------------------------------------------- */

static void keep(struct script_reader *r, struct reading *f, struct frame_item *item,
		 const struct lang_token *name)
{
	struct lang_value value = { .kind = LANG_ADDRESS, .thing = SCRIPT_FRAME_MEMORY };
	struct v3dcl_address where;

	if (!r->lang.status)
		refused(r, f, frame_make_item(&f->maker, item, &where), name->at);
	if (!r->lang.status)
		add(r, &f->frame->items, item, sizeof(*item));
	if (r->lang.status) {
		script_bytes_free(&item->bytes);
		return;
	}
	value.integer = where.offset;
	script_name(r, name->at, name->length, &value);
}

static struct lang_token new_name(struct script_reader *r, const char *what)
{
	struct lang_token name = r->now;

	if (!script_may_name(&name))
		script_fail(r, -EINVAL, name.at, "expected the name of %s here", what);
	script_next(r);
	return name;
}

/* uniforms NAME { DATA }, in which own_stream is the address of the stream */
static void uniforms(struct script_reader *r, struct reading *f)
{
	static const char own[] = "own_stream";
	const struct lang_value stream = {
		.kind = LANG_ADDRESS, .thing = SCRIPT_FRAME_MEMORY, .integer = V3DCL_OWN_STREAM,
	};
	struct frame_item item = { .kind = FRAME_UNIFORMS };
	struct script_data data = { &item.bytes, UINT32_MAX, NULL };
	struct lang_token name = new_name(r, "a uniform stream");
	uint32_t names = r->name_count;

	if (!r->lang.status)
		script_name(r, own, strlen(own), &stream);
	script_block(r, script_data_statement, &data);
	r->name_count = names;
	if (!r->lang.status && (!item.bytes.data.size || item.bytes.data.size % 4))
		script_fail(r, -EINVAL, name.at,
			    "a stream of %zu bytes: each has four, at least one uniform",
			    item.bytes.data.size);
	keep(r, f, &item, &name);
}

static void record_statement(struct script_reader *r, void *opaque)
{
	struct frame_item *item = opaque;
	struct script_record record;
	bool found, gl = item->record == V3D_GL_SHADER_RECORD_LENGTH;
	const char *at = r->now.at;

	found = r->now.kind == LANG_WORD && script_find_record(r->now.at, r->now.length, &record) &&
		record.id < 0;
	script_next(r);
	if (found && !item->record && record.length != V3D_ATTRIBUTE_LENGTH &&
	    record.length != V3D_EXTENDED_STRIDE_LENGTH &&
	    record.length != V3D_CLIPPED_VERTEX_LENGTH)
		item->record = record.length;
	else if (found && gl && record.length == V3D_ATTRIBUTE_LENGTH &&
		 item->attributes < V3D_ATTRIBUTES && !item->strides)
		item->attributes++;
	else if (found && gl && record.length == V3D_EXTENDED_STRIDE_LENGTH &&
		 item->strides < item->attributes)
		item->strides++;
	else
		script_fail(r, -EINVAL, at,
			    "expected one shader record here, then for a gl_shader_record its "
			    "attributes, at most %d",
			    V3D_ATTRIBUTES);
	if (!r->lang.status)
		script_put_fields(r, &record, &item->bytes);
}

/* record NAME { SHADER_RECORD... ATTRIBUTE... } */
static void record(struct script_reader *r, struct reading *f)
{
	struct frame_item item = { .kind = FRAME_RECORD };
	struct lang_token name = new_name(r, "a shader record");

	script_block(r, record_statement, &item);
	if (!r->lang.status && !item.record)
		script_fail(r, -EINVAL, name.at, "there is no shader record in it");
	if (!r->lang.status && item.strides && item.strides != item.attributes)
		script_fail(r, -EINVAL, name.at,
			    "each attribute of an extended record has an extended_stride");
	keep(r, f, &item, &name);
}

/* --- Lists ------------------------------------------------------------------------------------ */

struct list_reading {
	struct reading *f;
	struct frame_list *records;
	struct v3dcl_list *list;
};

static void make_last(struct script_reader *r, struct list_reading *l, const char *at)
{
	uint32_t count = l->records->starts.size / sizeof(uint32_t);

	if (!r->lang.status)
		refused(r, l->f, frame_make_record(&l->f->maker, l->list, l->records, count - 1),
			at);
}

/* A record; what stands behind its fixed part follows in braces */
static void list_statement(struct script_reader *r, void *opaque)
{
	struct list_reading *l = opaque;
	uint32_t start = l->records->bytes.data.size;
	struct script_data data = { &l->records->bytes, UINT32_MAX, NULL };
	struct script_record record;
	const char *at = r->now.at;

	if (r->now.kind != LANG_WORD || !script_find_record(r->now.at, r->now.length, &record) ||
	    record.id < 0) {
		script_fail(r, -EINVAL, at, "expected a control record here");
		return;
	}
	script_next(r);
	script_put_fields(r, &record, &l->records->bytes);
	if (script_sign(r, '{'))
		script_block(r, script_data_statement, &data);
	if (!r->lang.status)
		add(r, &l->records->starts, &start, sizeof(start));
	make_last(r, l, at);
}

static void add_code(struct script_reader *r, struct list_reading *l, uint8_t id)
{
	uint32_t start = l->records->bytes.data.size;

	if (script_add(r, &l->records->bytes, &id, 1))
		add(r, &l->records->starts, &start, sizeof(start));
	make_last(r, l, r->now.at);
}

static bool has_flush(const struct frame_list *records)
{
	const uint32_t *starts = (const uint32_t *)records->starts.bytes;
	size_t i, count = records->starts.size / sizeof(*starts);

	for (i = 0; i < count; i++) {
		uint8_t id = records->bytes.data.bytes[starts[i]];

		if (id == V3D_FLUSH || id == V3D_FLUSH_ALL_STATE)
			return true;
	}
	return false;
}

/*
 * bin { RECORD... }: it begins for the size of the frame, and ends with a flush, without being told
 * to
 */
static void bin(struct script_reader *r, struct reading *f, const char *at)
{
	struct list_reading l = { f, &f->frame->bin, v3dcl_frame_bin(f->maker.frame) };

	if (f->frame->binned)
		script_fail(r, -EINVAL, at, "there is a bin list already");
	if (!r->lang.status)
		refused(r, f, frame_make_targets(&f->maker, f->frame), at);
	if (!r->lang.status)
		refused(r, f, v3dcl_frame_begin(f->maker.frame, &f->error), at);
	f->frame->binned = true;
	script_block(r, list_statement, &l);
	if (r->lang.status || has_flush(&f->frame->bin))
		return;
	add_code(r, &l, V3D_INCREMENT_SEMAPHORE);
	add_code(r, &l, V3D_FLUSH);
}

/* --- Targets ---------------------------------------------------------------------------------- */

static uint32_t choose(struct script_reader *r, const char *field)
{
	uint32_t value;

	r->lang.choices = cl_choices("store_general", field);
	value = script_integer(r, 0, 2);
	r->lang.choices = NULL;
	return value;
}

static void target(struct script_reader *r, struct v3dcl_target *to)
{
	struct lang_value place = script_place(r);

	*to = (struct v3dcl_target){ .address = { place.thing + 1, place.integer } };
	for (;;) {
		if (script_take_word(r, "format"))
			to->format = choose(r, "format");
		else if (script_take_word(r, "pixel"))
			to->pixel = choose(r, "pixel");
		else if (script_take_word(r, "full"))
			to->full = true;
		else
			break;
	}
}

static bool target_statement(struct script_reader *r, struct v3dcl_targets *t)
{
	const struct {
		const char *name;
		struct v3dcl_target *target;
		bool full;
	} all[] = {
		{ "color_read", &t->color_read, false },
		{ "zs_read", &t->zs_read, false },
		{ "color_write", &t->color_write, false },
		{ "zs_write", &t->zs_write, false },
		{ "full_color_write", &t->full_color_write, true },
		{ "full_zs_write", &t->full_zs_write, true },
	};
	size_t i;

	for (i = 0; i < COUNT(all); i++) {
		if (script_take_word(r, all[i].name)) {
			target(r, all[i].target);
			all[i].target->full |= all[i].full;
			return true;
		}
	}
	return false;
}

static bool flag_statement(struct script_reader *r, struct v3dcl_targets *t)
{
	const struct {
		const char *name;
		bool *flag;
	} all[] = {
		{ "multisample", &t->multisample },
		{ "color64", &t->color64 },
		{ "vg_mask", &t->vg_mask },
		{ "coverage_mode", &t->coverage_mode },
		{ "early_z_disable", &t->early_z_disable },
		{ "early_z_greater", &t->early_z_greater },
	};
	size_t i;

	for (i = 0; i < COUNT(all); i++) {
		if (script_take_word(r, all[i].name)) {
			*all[i].flag = true;
			return true;
		}
	}
	return false;
}

/* clear_colors FIELD=VALUE...: without color1 both pixels of a pair are color0 */
static void clear(struct script_reader *r, struct v3dcl_targets *t)
{
	struct script_record record;
	struct script_bytes bytes = { { 0 }, { 0 } };
	struct v3d_clear_colors c;

	script_find_record("clear_colors", strlen("clear_colors"), &record);
	script_put_fields(r, &record, &bytes);
	if (!r->lang.status) {
		v3d_unpack_clear_colors(bytes.data.bytes, &c);
		t->clear = true;
		t->clear_color[0] = c.color0;
		t->clear_color[1] = c.color1 ? c.color1 : c.color0;
		t->clear_z = c.z;
		t->clear_stencil = c.stencil;
		t->clear_vg_mask = c.vg_mask;
	}
	script_bytes_free(&bytes);
}

/* --- The whole -------------------------------------------------------------------------------- */

static void frame_statement(struct script_reader *r, void *opaque)
{
	struct reading *f = opaque;
	struct list_reading l = { f, &f->frame->render, v3dcl_frame_render(f->maker.frame) };
	struct v3dcl_targets *t = &f->frame->targets;
	const char *at = r->now.at;

	if (script_take_word(r, "clear_colors"))
		clear(r, t);
	else if (script_take_word(r, "decimate"))
		t->decimate = choose(r, "decimate");
	else if (script_take_word(r, "uniforms"))
		uniforms(r, f);
	else if (script_take_word(r, "record"))
		record(r, f);
	else if (script_take_word(r, "bin"))
		bin(r, f, at);
	else if (script_take_word(r, "render"))
		script_block(r, list_statement, &l);
	else if (!target_statement(r, t) && !flag_statement(r, t))
		script_fail(r, -EINVAL, at,
			    "expected clear_colors, color_write..., multisample..., uniforms, "
			    "record, bin or render here");
}

void script_frame_free(struct script_frame *frame)
{
	struct frame_item *items = (struct frame_item *)frame->items.bytes;
	size_t i, count = frame->items.size / sizeof(*items);

	for (i = 0; i < count; i++)
		script_bytes_free(&items[i].bytes);
	v3dcl_buffer_free(&frame->items);
	script_bytes_free(&frame->bin.bytes);
	v3dcl_buffer_free(&frame->bin.starts);
	script_bytes_free(&frame->render.bytes);
	v3dcl_buffer_free(&frame->render.starts);
	free(frame);
}

/* What the statement is made of: nothing after an error */
static void read_frame(struct script_reader *r, struct reading *f, const char *at)
{
	f->frame->targets.width = script_integer(r, 1, MOST_PIXELS);
	f->frame->targets.height = script_integer(r, 1, MOST_PIXELS);
	script_block(r, frame_statement, f);
	if (!r->lang.status)
		refused(r, f, frame_make_targets(&f->maker, f->frame), at);
}

/* frame WIDTH HEIGHT { ... } */
void script_frame(struct script_reader *r, const char *at)
{
	struct reading f = { .maker = { .bo = frame_thing_as_bo } };
	struct script_step *step;

	f.maker.error = &f.error;
	f.frame = calloc(1, sizeof(*f.frame));
	if (!f.frame || v3dcl_frame_new(&f.maker.frame, &f.error)) {
		free(f.frame);
		script_out_of_memory(r);
		return;
	}
	read_frame(r, &f, at);
	v3dcl_frame_free(f.maker.frame);
	step = script_add_step(r, SCRIPT_FRAME, at);
	if (step)
		step->frame = f.frame;
	else
		script_frame_free(f.frame);
}
