// SPDX-License-Identifier: MIT
/*
 * Memory that a text gives the binner, and that does not suffice: the V3D does not refuse it, and
 * writes to another client's (HW). In checked jobs drivers see to it, and the text has no address.
 */
#include <errno.h>
#include <stdio.h>

#include "../../base/helpers.h"
#include "script.h"
#include "v3dcl_cl.h"

#define PLACE(o, name, type, low, bits) AT_##name = 1 + (low) / 8,
enum { V3D_TILE_BINNING_MODE_FIELDS(PLACE, 0) };
#undef PLACE

/* Note the record of @bytes that begins at @start, if its addresses lead to memory of the text's */
void script_binning(struct script_reader *r, const char *at, const struct script_bytes *bytes,
		    uint32_t start)
{
	const struct script_fixup *fixups = (const void *)bytes->fixups.bytes;
	const size_t count = bytes->fixups.size / sizeof(*fixups);
	struct script_binning binning = {
		.at = at - r->script->source,
		.lists.thing = SCRIPT_FRAME_MEMORY,
		.state.thing = SCRIPT_FRAME_MEMORY,
	};
	size_t i;

	if (r->lang.status)
		return;
	for (i = count; i && fixups[i - 1].at > start; i--) {
		if (fixups[i - 1].at == start + AT_address)
			binning.lists = fixups[i - 1];
		else
			binning.state = fixups[i - 1];
	}
	if (binning.lists.thing == SCRIPT_FRAME_MEMORY ||
	    binning.state.thing == SCRIPT_FRAME_MEMORY)
		return;
	if (r->bytes < sizeof(binning)) {
		script_fail(r, -E2BIG, at, "more memory than a text may ask for");
		return;
	}
	r->bytes -= sizeof(binning);
	v3d_unpack_tile_binning_mode(bytes->data.bytes + start, &binning.mode);
	if (!v3dcl_buffer_add(&r->script->binnings, &binning, sizeof(binning)))
		script_out_of_memory(r);
}

/* A record, and what follows from it */
struct memory {
	const struct script_binning *binning;
	const struct script_thing *lists, *state;
	struct v3dcl_binning needs;
};

#define MOST_TEXT 320	/* names have SCRIPT_MOST_NAME bytes */

static bool lists_too_small(const struct memory *m, char *text)
{
	snprintf(text, MOST_TEXT, "%u bytes for the lists of %u x %u tiles: %u are the least",
		 m->binning->mode.size, m->needs.columns, m->needs.rows, m->needs.list_bytes);
	return m->binning->mode.size < m->needs.list_bytes;
}

static bool lists_outside(const struct memory *m, char *text)
{
	const uint32_t room = m->lists->size - m->binning->lists.offset;

	snprintf(text, MOST_TEXT, "%u bytes for tile lists, where %s has %u", m->binning->mode.size,
		 m->lists->name, room);
	return m->binning->mode.size > room;
}

static bool state_outside(const struct memory *m, char *text)
{
	const uint32_t room = m->state->size - m->binning->state.offset;

	snprintf(text, MOST_TEXT, "the state of %u x %u tiles takes %u bytes, where %s has %u",
		 m->needs.columns, m->needs.rows, m->needs.state_bytes, m->state->name, room);
	return m->needs.state_bytes > room;
}

static bool apart(const struct memory *m, char *text)
{
	snprintf(text, MOST_TEXT,
		 "tile lists in %s and tile state in %s: in one buffer they are in one window of "
		 "256 MiB, beyond which the binner's pointers do not reach",
		 m->lists->name, m->state->name);
	return m->lists != m->state;
}

static const struct {
	const char *name, *source;
	bool (*broken)(const struct memory *m, char *text);
} rules[] = {
	{ "tile-lists-small", "AG100 Table 38, record 112; HW", lists_too_small },
	{ "tile-lists-outside", "AG100 Table 38, record 112", lists_outside },
	{ "tile-state-outside", "AG100 Table 38, record 112", state_outside },
	{ "tile-window", "HW", apart },
};

/* As v3dcl_script_hazards(), of one record. Return: false when @each wants no more */
static bool look_at(const struct v3dcl_script *script, const struct script_binning *binning,
		    bool (*each)(void *opaque, const struct v3dcl_script_hazard *hazard),
		    void *opaque, uint32_t *found)
{
	const struct v3d_tile_binning_mode *mode = &binning->mode;
	struct memory m = {
		.binning = binning,
		.lists = &script->things[binning->lists.thing],
		.state = &script->things[binning->state.thing],
		.needs = {
			.width = mode->width * v3d_tile_width(mode->multisample),
			.height = mode->height * v3d_tile_height(mode->multisample, mode->color64),
			.multisample = mode->multisample,
			.color64 = mode->color64,
			.initial_block = 32u << mode->initial_block,
			.block = 32u << mode->block,
		},
	};
	struct v3dcl_script_hazard hazard = { .line = script_line_of(script, binning->at) };
	char text[MOST_TEXT];
	size_t i;

	/* No tiles: any device refuses that */
	if (v3dcl_binning_compute(&m.needs, NULL))
		return true;
	hazard.hazard.text = text;
	for (i = 0; i < COUNT(rules); i++) {
		if (!rules[i].broken(&m, text))
			continue;
		hazard.hazard.rule = rules[i].name;
		hazard.hazard.source = rules[i].source;
		++*found;
		if (each && !each(opaque, &hazard))
			return false;
	}
	return true;
}

/* As v3dcl_script_hazards(), of memory for the binner */
uint32_t script_binner_hazards(const struct v3dcl_script *script,
			       bool (*each)(void *opaque, const struct v3dcl_script_hazard *hazard),
			       void *opaque)
{
	const struct script_binning *binnings = (const void *)script->binnings.bytes;
	const size_t count = script->binnings.size / sizeof(*binnings);
	uint32_t found = 0;
	size_t i;

	for (i = 0; i < count && look_at(script, &binnings[i], each, opaque, &found); i++)
		;
	return found;
}
