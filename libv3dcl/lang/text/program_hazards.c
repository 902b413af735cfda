// SPDX-License-Identifier: MIT
/* Which restrictions the programs of a text break; what its memory breaks is binner_hazards.c's. */
#include <string.h>

#include "../../base/helpers.h"
#include "script.h"

/* The line of a byte of the text, from 1 */
uint32_t script_line_of(const struct v3dcl_script *script, size_t at)
{
	uint32_t line = 1;
	size_t i;

	for (i = 0; i < at; i++)
		line += script->source[i] == '\n';
	return line;
}

/* Where a line of the text begins; line 0 is no line's, and the first */
size_t script_start_of(const struct v3dcl_script *script, uint32_t line)
{
	size_t i;

	for (i = 0; line > 1 && i < script->length; i++)
		line -= script->source[i] == '\n';
	return i;
}

/**
 * script_used_as() - an address of a thing was given to a field of a record; @field NULL: the QPUs
 * run it
 */
void script_used_as(struct script_reader *r, uint32_t thing, const char *field)
{
	static const struct {
		const char *field;
		enum v3dcl_program_kind kind;
	} kinds[] = {
		{ "fs_code", V3DCL_FRAGMENT_SHADER },
		{ "vs_code", V3DCL_VERTEX_SHADER },
		{ "cs_code", V3DCL_COORDINATE_SHADER },
		{ "code", V3DCL_FRAGMENT_SHADER }, /* of vg_inline_shader_state */
	};
	size_t i;

	if (thing == SCRIPT_FRAME_MEMORY)
		return;
	if (!field)
		r->script->things[thing].kinds |= 1u << V3DCL_USER_PROGRAM;
	for (i = 0; field && i < COUNT(kinds); i++) {
		if (!strcmp(field, kinds[i].field))
			r->script->things[thing].kinds |= 1u << kinds[i].kind;
	}
}

struct search {
	const struct v3dcl_script *script;
	const struct script_thing *program;
	bool (*each)(void *opaque, const struct v3dcl_script_hazard *hazard);
	void *opaque;
	uint32_t count;
	bool stopped;
};

static bool found(void *opaque, const struct v3dcl_hazard *hazard)
{
	struct search *s = opaque;
	const struct script_thing *program = s->program;
	const struct v3dcl_script_hazard all = {
		.program = program->name,
		.hazard = *hazard,
		.line = script_line_of(s->script, program->body) - 1 +
			program->assembly->lines[hazard->at],
	};

	s->count++;
	s->stopped = s->each && !s->each(s->opaque, &all);
	return !s->stopped;
}

uint32_t v3dcl_script_hazards(const struct v3dcl_script *script,
			      bool (*each)(void *opaque, const struct v3dcl_script_hazard *hazard),
			      void *opaque)
{
	struct search s = { .script = script, .each = each, .opaque = opaque };
	enum v3dcl_program_kind kind;
	uint32_t i;

	for (i = 0; i < script->thing_count; i++) {
		s.program = &script->things[i];
		for (kind = V3DCL_USER_PROGRAM;
		     s.program->assembly && kind <= V3DCL_COORDINATE_SHADER && !s.stopped; kind++) {
			/*
			 * What nothing uses may be meant for anything: it has to be good for the
			 * QPUs' own queue.
			 */
			if ((s.program->kinds ? s.program->kinds : 1u << V3DCL_USER_PROGRAM) >>
				    kind &
			    1)
				v3dcl_hazards(s.program->assembly->code,
					      s.program->assembly->code_count, kind, found, &s);
		}
	}
	if (!s.stopped)
		s.count += script_binner_hazards(script, each, opaque);
	return s.count;
}
