// SPDX-License-Identifier: MIT
/* Programs: what stands between the braces is the assembler's, up to the first line that begins with the closing one. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script.h"

/* Most bytes of one program: AG100 has no bound; the driver's is 1 MiB of code */
#define MOST_TEXT (1u << 24)

/* Where the line begins whose first sign is the closing brace, or the length of the text */
static size_t find_end(const struct v3dcl_script *s, size_t at)
{
	size_t i;

	while (at < s->length) {
		for (i = at; i < s->length && (s->source[i] == ' ' || s->source[i] == '\t'); i++)
			;
		if (i < s->length && s->source[i] == '}')
			return i;
		while (at < s->length && s->source[at++] != '\n')
			;
	}
	return s->length;
}

/* The job's numbers, for the program: a line each */
static unsigned int add_constants(struct script_reader *r, struct v3dcl_buffer *text)
{
	unsigned int count = 0;
	uint32_t i, k;

	for (i = 0; i < r->name_count; i++) {
		const struct script_name *name = &r->names[i];
		struct lang_value value;

		for (k = i + 1; k < r->name_count; k++) {		/* hidden by an inner one */
			if (r->names[k].length == name->length && !memcmp(r->names[k].text, name->text, name->length))
				break;
		}
		value = name->value;
		if (k < r->name_count || value.kind == LANG_ADDRESS)
			continue;
		if (value.kind == LANG_REAL)
			v3dcl_buffer_printf(text, ".set %.*s, %.17e\n", (int)name->length, name->text, value.real);
		else
			v3dcl_buffer_printf(text, ".set %.*s, %" PRId64 "\n", (int)name->length, name->text, value.integer);
		count++;
	}
	return count;
}

/* The assembler counted lines of its own text: say it again with those of the file */
static void move_error(struct script_reader *r, const struct v3dcl_error *theirs, size_t body, unsigned int added)
{
	const struct v3dcl_script *s = r->script;
	unsigned int line = theirs->line > added ? theirs->line - added : 1;
	const char *message = theirs->text;
	char prefix[160];
	size_t at = body, length;

	length = snprintf(prefix, sizeof(prefix), "%s:%u:%u: ", s->name ? s->name : "<text>", theirs->line, theirs->column);
	if (length < sizeof(prefix) && !strncmp(message, prefix, length))
		message += length;
	while (--line && at < s->length) {
		while (at < s->length && s->source[at++] != '\n')
			;
	}
	if (theirs->column)
		at += theirs->column - 1;
	if (at > s->length)
		at = s->length;
	script_fail(r, theirs->code, s->source + at, "%.*s", (int)strcspn(message, "\n"), message);
}

static void assemble(struct script_reader *r, struct script_thing *thing, size_t body, size_t length)
{
	struct v3dcl_error error = { 0 };
	struct v3dcl_buffer text = { 0 };
	int code;

	thing->body = body;
	thing->added = add_constants(r, &text);
	v3dcl_buffer_add(&text, r->script->source + body, length);
	if (text.failed) {
		script_out_of_memory(r);
	} else {
		code = v3dcl_assemble(r->script->name, (const char *)text.bytes, text.size, &thing->assembly, &error);
		if (code == -ENOMEM)
			script_out_of_memory(r);
		else if (code)
			move_error(r, &error, body, thing->added);
	}
	v3dcl_buffer_free(&text);
}

/* Labels of the code become places in the program. */
static void take_labels(struct script_reader *r, uint32_t thing, const char *at)
{
	const struct v3dcl_assembly *assembly = r->script->things[thing].assembly;
	uint32_t i;

	for (i = 0; i < assembly->symbol_count && !r->lang.status; i++) {
		const struct v3dcl_symbol *symbol = &assembly->symbols[i];

		if (symbol->kind == V3DCL_SYMBOL_LABEL)
			script_label(r, at, symbol->name, strlen(symbol->name), thing, 8 * symbol->value);
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

/** script_program() - program NAME { ... } */
void script_program(struct script_reader *r)
{
	struct script_thing *thing;
	const char *at = r->now.at;
	size_t body, end;
	uint32_t index;
	char *name;

	if (r->now.kind == LANG_WORD && !script_is_free(r, r->now.at, r->now.length))
		script_fail(r, -EINVAL, at, "there is something of this name already");
	name = script_take_name(r, "a program");
	body = r->at - r->script->source;
	if (!script_sign(r, '{'))
		script_need_sign(r, '{');
	end = find_end(r->script, body);
	if (!r->lang.status && (end == r->script->length || end - body > MOST_TEXT))
		script_fail(r, -EINVAL, at, "no line with the '}' that ends this program");
	if (r->lang.status) {
		free(name);
		return;
	}
	thing = script_add_thing(r, name);
	if (thing)
		assemble(r, thing, body, end - body);
	if (r->lang.status)
		return;
	thing->filled = true;
	thing->size = 8 * thing->assembly->code_count;
	index = thing - r->script->things;
	take_labels(r, index, at);
	take_data(r, index);
	r->work -= r->work > end - body ? end - body : r->work;
	script_seek(r, r->script->source + end);
	script_need_sign(r, '}');
}
