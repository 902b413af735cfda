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

/* within REAL [ulps] | near NUMBER */
static void tolerance(struct script_reader *r, struct script_expect *expect)
{
	const char *at = r->now.at;

	if (script_take_word(r, "within")) {
		expect->within = script_real(r);
		expect->how = script_take_word(r, "ulps") ? SCRIPT_ULPS : SCRIPT_WITHIN;
		if (!(expect->within >= 0))
			script_fail(r, -EINVAL, at, "a difference is not below 0");
	} else if (script_take_word(r, "near")) {
		expect->within = script_integer(r, 0, 255);
		expect->how = SCRIPT_NEAR;
	}
}

static void check_expected(struct script_reader *r, const struct script_expect *expect,
			   const struct script_bytes *bytes, const char *at)
{
	const struct script_thing *thing = &r->script->things[expect->thing];
	const bool reals = expect->how == SCRIPT_WITHIN || expect->how == SCRIPT_ULPS;

	if (r->lang.status)
		return;
	if (bytes->fixups.size || thing->assembly)
		script_fail(r, -EINVAL, at,
			    "bytes of a buffer can be expected, not addresses or programs");
	else if (bytes->data.size > thing->size - expect->offset)
		script_fail(r, -EINVAL, at, "%zu bytes are expected, there are %u",
			    bytes->data.size, thing->size - expect->offset);
	else if (reals && bytes->data.size % sizeof(float))
		script_fail(r, -EINVAL, at,
			    "'within' compares numbers of 4 bytes, these are %zu bytes",
			    bytes->data.size);
}

/* expect PLACE [within REAL [ulps] | near BYTE] { DATA } */
void script_expect(struct script_reader *r, const char *at)
{
	struct lang_value place = script_place(r);
	struct script_expect expect = { .thing = place.thing, .offset = place.integer };
	struct script_bytes bytes = { 0 };
	struct script_data data = { &bytes, UINT32_MAX, &expect.elements };
	struct script_step *step;

	if (r->lang.status)
		return;
	tolerance(r, &expect);
	script_block(r, script_data_statement, &data);
	check_expected(r, &expect, &bytes, at);
	step = script_add_step(r, SCRIPT_EXPECT, at);
	if (step) {
		expect.bytes = bytes.data;
		step->expect = expect;
		return;
	}
	v3dcl_buffer_free(&expect.elements);
	script_bytes_free(&bytes);
}
