// SPDX-License-Identifier: MIT
/* What is saved, and what must have come out. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "script.h"

#define MOST_PIXELS 8192		/* across and down a picture */

static uint32_t choose(struct script_reader *r, const char *record, const char *field)
{
	uint32_t value;

	r->lang.choices = cl_choices(record, field);
	value = script_integer(r, 0, 2);
	r->lang.choices = NULL;
	return value;
}

/* picture WIDTH HEIGHT [pixel P] [format F] [flip] */
static void picture(struct script_reader *r, struct script_save *save, const char *at)
{
	struct v3dcl_plane *plane = &save->plane;
	uint32_t pixel = V3D_RGBA8888;
	struct v3dcl_error error;

	plane->width = script_integer(r, 1, MOST_PIXELS);
	plane->height = script_integer(r, 1, MOST_PIXELS);
	for (;;) {
		if (script_take_word(r, "pixel"))
			pixel = choose(r, "store_general", "pixel");
		else if (script_take_word(r, "format"))
			plane->format = choose(r, "store_general", "format");
		else if (script_take_word(r, "flip"))
			save->flip = true;
		else
			break;
	}
	plane->bits = pixel == V3D_RGBA8888 ? 32 : 16;
	if (!r->lang.status && v3dcl_plane_lay_out(plane, &error))
		script_fail(r, -EINVAL, at, "%.200s", error.text);
	save->size = plane->size;
}

/* It may become that of a file, which only the caller may put somewhere else. */
static bool is_name(const char *name)
{
	const char *c;

	for (c = name; *c && *c != '/' && (unsigned char)*c >= ' '; c++)
		;
	return c > name && !*c && c - name <= SCRIPT_MOST_NAME;
}

static char *name_of(struct script_reader *r, const struct script_save *save)
{
	char *name;
	const char *at;

	if (script_take_word(r, "as")) {
		at = r->now.at;
		name = script_take_string(r);
		if (name && !is_name(name))
			script_fail(r, -EINVAL, at,
				    "a name of 1 to %d characters without a slash is expected here",
				    SCRIPT_MOST_NAME);
		return name;
	}
	name = strdup(r->script->things[save->thing].name);
	if (!name)
		script_out_of_memory(r);
	return name;
}

/* save PLACE [size N] | [picture ...] [as "NAME"] */
void script_save(struct script_reader *r, const char *at)
{
	struct lang_value place = script_place(r);
	struct script_save save = { 0 };
	struct script_step *step;
	uint32_t room;

	if (r->lang.status)
		return;
	save.thing = place.thing;
	save.offset = place.integer;
	room = r->script->things[place.thing].size - save.offset;
	save.size = room;
	if (r->script->things[place.thing].assembly)
		script_fail(r, -EINVAL, at, "a program cannot be saved: v3dcl asm does that");
	if (script_take_word(r, "picture"))
		picture(r, &save, at);
	else if (script_take_word(r, "size"))
		save.size = script_integer(r, 0, room);
	if (!r->lang.status && save.size > room)
		script_fail(r, -EINVAL, at, "the picture has %u bytes, there are %u", save.size,
			    room);
	save.name = r->lang.status ? NULL : name_of(r, &save);
	step = script_add_step(r, SCRIPT_SAVE, at);
	if (step)
		step->save = save;
	else
		free(save.name);
}

/* expect PLACE [within REAL | near BYTE] { DATA } */
void script_expect(struct script_reader *r, const char *at)
{
	struct lang_value place = script_place(r);
	struct script_bytes bytes = { 0 };
	struct script_data data = { .bytes = &bytes, .thing = UINT32_MAX };
	struct script_expect expect = { .within = -1 };
	struct script_step *step;

	if (r->lang.status)
		return;
	expect.thing = place.thing;
	expect.offset = place.integer;
	if (script_take_word(r, "within"))
		expect.within = script_real(r);
	else if (script_take_word(r, "near"))
		expect.near = script_integer(r, 0, 255);
	script_block(r, script_data_statement, &data);
	if (!r->lang.status && (bytes.fixups.size || r->script->things[place.thing].assembly))
		script_fail(r, -EINVAL, at,
			    "bytes of a buffer can be expected, not addresses or programs");
	if (!r->lang.status &&
	    bytes.data.size > r->script->things[place.thing].size - expect.offset)
		script_fail(r, -EINVAL, at, "%zu bytes are expected, there are %u", bytes.data.size,
			    r->script->things[place.thing].size - expect.offset);
	step = script_add_step(r, SCRIPT_EXPECT, at);
	if (step) {
		expect.bytes = bytes.data;
		step->expect = expect;
		return;
	}
	script_bytes_free(&bytes);
}
