// SPDX-License-Identifier: MIT
/* What names stand for. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/helpers.h"
#include "script.h"

/* Most names, things and places at a time */
#define MOST_NAMES 4096
#define MOST_THINGS 4096
#define MOST_LABELS 4096

static bool find_thing(struct script_reader *r, const char *text, size_t length,
		       struct lang_value *value)
{
	uint32_t i;

	for (i = 0; i < r->script->thing_count; i++) {
		if (same_text(r->script->things[i].name, text, length)) {
			*value = (struct lang_value){ .kind = LANG_ADDRESS, .thing = i };
			return true;
		}
	}
	return false;
}

static bool find_label(struct script_reader *r, const char *text, size_t length,
		       struct lang_value *value)
{
	uint32_t i;

	for (i = 0; i < r->label_count; i++) {
		if (same_text(r->labels[i].name, text, length)) {
			*value = (struct lang_value){
				.kind = LANG_ADDRESS,
				.thing = r->labels[i].thing,
				.integer = r->labels[i].offset,
			};
			return true;
		}
	}
	return false;
}

/* The value of a name: a number, a thing, a place */
bool script_find(struct script_reader *r, const char *text, size_t length, struct lang_value *value)
{
	uint32_t i;

	for (i = r->name_count; i--;) {
		if (r->names[i].length == length && !memcmp(r->names[i].text, text, length)) {
			*value = r->names[i].value;
			return true;
		}
	}
	return find_thing(r, text, length, value) || find_label(r, text, length, value);
}

/* Nothing has this name yet */
bool script_is_free(struct script_reader *r, const char *text, size_t length)
{
	struct lang_value value;

	return !script_find(r, text, length, &value);
}

/**
 * script_name() - give a name to a number until the end of its block; inner ones may hide outer
 * ones
 */
void script_name(struct script_reader *r, const char *text, size_t length,
		 const struct lang_value *value)
{
	uint32_t room = r->name_room ? 2 * r->name_room : 64;
	struct lang_name *names = r->names;

	if (r->name_count == MOST_NAMES) {
		script_fail(r, -E2BIG, r->now.at, "more than %d names at a time", MOST_NAMES);
		return;
	}
	if (r->name_count == r->name_room) {
		names = realloc(names, room * sizeof(*names));
		if (!names) {
			script_out_of_memory(r);
			return;
		}
		r->names = names;
		r->name_room = room;
	}
	names[r->name_count++] = (struct lang_name){ text, length, *value };
}

/* Give a name to a place in a thing, after the thing's name and a dot */
void script_label(struct script_reader *r, const char *at, const char *text, size_t length,
		  uint32_t thing, uint32_t offset)
{
	const char *owner = r->script->things[thing].name;
	size_t whole = strlen(owner) + 1 + length;
	struct script_label *labels;
	char *name;

	if (length > SCRIPT_MOST_NAME || r->label_count == MOST_LABELS) {
		script_fail(r, -E2BIG, at, "a name too long, or one of too many");
		return;
	}
	name = malloc(whole + 1);
	if (!name) {
		script_out_of_memory(r);
		return;
	}
	memcpy(name, owner, whole - length - 1);
	name[whole - length - 1] = '.';
	memcpy(name + whole - length, text, length);
	name[whole] = 0;
	if (!script_is_free(r, name, whole)) {
		script_fail(r, -EINVAL, at, "%s is already there", name);
		free(name);
		return;
	}
	labels = r->labels;
	if (!(r->label_count & (r->label_count - 1))) {		/* room for the next power of two */
		labels = realloc(labels,
				 (r->label_count ? 2 * r->label_count : 1) * sizeof(*labels));
		if (!labels) {
			free(name);
			script_out_of_memory(r);
			return;
		}
		r->labels = labels;
	}
	labels[r->label_count++] = (struct script_label){ name, thing, offset };
}

/* The thing of that name, or NULL */
struct script_thing *script_thing(struct script_reader *r, const char *text, size_t length)
{
	struct lang_value value;

	return find_thing(r, text, length, &value) ? &r->script->things[value.thing] : NULL;
}

/* A new one. @name becomes its own. Return: NULL when that failed */
struct script_thing *script_add_thing(struct script_reader *r, char *name)
{
	struct v3dcl_script *s = r->script;
	struct script_thing *things = s->things;

	if (s->thing_count == MOST_THINGS) {
		script_fail(r, -E2BIG, r->now.at, "more than %d buffers and programs", MOST_THINGS);
		free(name);
		return NULL;
	}
	if (!(s->thing_count & (s->thing_count - 1))) {
		things = realloc(things,
				 (s->thing_count ? 2 * s->thing_count : 1) * sizeof(*things));
		if (!things) {
			free(name);
			script_out_of_memory(r);
			return NULL;
		}
		s->things = things;
	}
	things[s->thing_count] = (struct script_thing){ .name = name };
	return &things[s->thing_count++];
}

/* Bytes of a thing */
uint32_t script_size(const struct script_reader *r, uint32_t thing)
{
	return thing == SCRIPT_FRAME_MEMORY ? UINT32_MAX : r->script->things[thing].size;
}

/* A thing's name */
const char *script_called(const struct script_reader *r, uint32_t thing)
{
	return thing == SCRIPT_FRAME_MEMORY ? "the frame" : r->script->things[thing].name;
}
