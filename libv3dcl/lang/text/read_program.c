// SPDX-License-Identifier: MIT
/*
 * Programs: what stands between the braces is the assembler's, up to the first line that begins
 * with the closing one.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "../asm/assembler.h"
#include "script.h"

/* Most bytes of one program: AG100 has no bound; the driver's is 1 MiB of code */
#define MOST_TEXT (1u << 24)

/* Where the line begins whose first sign is the closing brace, or the end of the text */
static const char *find_end(const char *at, const char *end)
{
	const char *first;

	while (at < end) {
		for (first = at; first < end && (*first == ' ' || *first == '\t'); first++)
			;
		if (first < end && *first == '}')
			return first;
		while (at < end && *at++ != '\n')
			;
	}
	return end;
}

/* What stands between @body and @end; the job's numbers are numbers of the program, too */
static void assemble(struct script_reader *r, struct script_thing *thing, const char *body,
		     const char *end)
{
	thing->body = body - r->lang.source;
	r->lang.status =
		qasm_assemble(&r->lang, body, end, r->names, r->name_count, NULL,
			      &thing->assembly);
	if (r->lang.status)
		r->now = (struct lang_token){ .kind = LANG_END, .at = body };
}

/* Labels of the code become places in the program. */
static void take_labels(struct script_reader *r, uint32_t thing, const char *at)
{
	const struct v3dcl_assembly *assembly = r->script->things[thing].assembly;
	uint32_t i;

	for (i = 0; i < assembly->symbol_count && !r->lang.status; i++) {
		const struct v3dcl_symbol *symbol = &assembly->symbols[i];

		if (symbol->kind == V3DCL_SYMBOL_LABEL)
			script_label(r, at, symbol->name, strlen(symbol->name), thing,
				     8 * symbol->value);
	}
}

/* What the program's data directives made is a buffer: NAME.data */
static void take_data(struct script_reader *r, uint32_t program)
{
	const struct v3dcl_assembly *assembly = r->script->things[program].assembly;
	const char *owner = r->script->things[program].name;
	struct script_thing *thing;
	char *name;

	if (r->lang.status || !assembly->data_size)
		return;
	name = malloc(strlen(owner) + sizeof(".data"));
	if (!name) {
		script_out_of_memory(r);
		return;
	}
	sprintf(name, "%s.data", owner);
	thing = script_add_thing(r, name);
	if (!thing)
		return;
	thing->filled = true;
	thing->size = assembly->data_size;
	script_add(r, &thing->bytes, assembly->data, assembly->data_size);
}

/* program NAME { ... } */
void script_program(struct script_reader *r)
{
	struct script_thing *thing;
	const char *at = r->now.at, *last = r->end, *body, *end;
	uint32_t index;
	char *name;

	if (r->now.kind == LANG_WORD && !script_is_free(r, r->now.at, r->now.length))
		script_fail(r, -EINVAL, at, "there is something of this name already");
	name = script_take_name(r, "a program");
	body = r->at;
	if (!script_sign(r, '{'))
		script_need_sign(r, '{');
	end = find_end(body, last);
	if (!r->lang.status && (end == last || (size_t)(end - body) > MOST_TEXT))
		script_fail(r, -EINVAL, at, "no line with the '}' that ends this program");
	if (r->lang.status) {
		free(name);
		return;
	}
	thing = script_add_thing(r, name);
	if (thing)
		assemble(r, thing, body, end);
	if (r->lang.status)
		return;
	thing->filled = true;
	thing->size = 8 * thing->assembly->code_count;
	index = thing - r->script->things;
	take_labels(r, index, at);
	take_data(r, index);
	r->work -= MIN(r->work, (uint64_t)(end - body));
	script_seek(r, end);
	script_need_sign(r, '}');
}
