// SPDX-License-Identifier: MIT
/* A text, statement by statement. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/number.h"
#include "script.h"

static void batch_free(struct script_batch *batch)
{
	v3dcl_buffer_free(&batch->programs);
	v3dcl_buffer_free(&batch->uniforms);
	v3dcl_buffer_free(&batch->relocs);
}

static void step_free(struct script_step *step)
{
	switch (step->kind) {
	case SCRIPT_RUN:
		batch_free(&step->batch);
		break;
	case SCRIPT_LISTS:
		script_bytes_free(&step->lists.list[0]);
		script_bytes_free(&step->lists.list[1]);
		break;
	case SCRIPT_FRAME:
		script_frame_free(step->frame);
		break;
	case SCRIPT_SUBMIT:
		script_submit_free(step->submit);
		break;
	case SCRIPT_SAVE:
		free(step->save.name);
		break;
	case SCRIPT_EXPECT:
		v3dcl_buffer_free(&step->expect.bytes);
		v3dcl_buffer_free(&step->expect.elements);
		break;
	}
}

void v3dcl_script_free(struct v3dcl_script *script)
{
	uint32_t i;

	if (!script)
		return;
	for (i = 0; i < script->thing_count; i++) {
		free(script->things[i].name);
		script_bytes_free(&script->things[i].bytes);
		v3dcl_assembly_free(script->things[i].assembly);
	}
	for (i = 0; i < script->step_count; i++)
		step_free(&script->steps[i]);
	v3dcl_buffer_free(&script->binnings);
	free(script->things);
	free(script->steps);
	free(script->name);
	free(script->source);
	free(script);
}

/* A new one, to be filled. Return: NULL after an error */
struct script_step *script_add_step(struct script_reader *r, enum script_step_kind kind,
				    const char *at)
{
	struct v3dcl_script *s = r->script;
	struct script_step *steps = s->steps;

	if (r->lang.status)
		return NULL;
	if (!(s->step_count & (s->step_count - 1))) {		/* room for the next power of two */
		steps = realloc(steps, (s->step_count ? 2 * s->step_count : 1) * sizeof(*steps));
		if (!steps) {
			script_out_of_memory(r);
			return NULL;
		}
		s->steps = steps;
	}
	steps[s->step_count] = (struct script_step){ .kind = kind, .at = at - s->source };
	return &steps[s->step_count++];
}

/* The thing that a statement names: a new one, or one that has no bytes yet */
static struct script_thing *declare(struct script_reader *r, const char *what)
{
	struct script_thing *thing = NULL;
	const char *at = r->now.at;
	char *name;

	if (r->now.kind == LANG_WORD)
		thing = script_thing(r, r->now.at, r->now.length);
	if (thing && !thing->assembly && !thing->bytes.data.size) {
		script_next(r);
		return thing;
	}
	if (r->now.kind == LANG_WORD && !script_is_free(r, r->now.at, r->now.length))
		script_fail(r, -EINVAL, at, "there is something of this name already");
	name = script_take_name(r, what);
	if (r->lang.status) {
		free(name);
		return NULL;
	}
	return script_add_thing(r, name);
}

/* The size is known before the data that may point to it; data that is longer makes it so. */
static void fill(struct script_reader *r, uint32_t index)
{
	struct script_bytes bytes = { 0 };
	struct script_data data = { &bytes, index, NULL };
	struct script_thing *thing = &r->script->things[index];
	const char *at = r->now.at;

	script_block(r, script_data_statement, &data);
	thing = &r->script->things[index];
	if (thing->size && bytes.data.size > thing->size)
		script_fail(r, -EINVAL, at, "%zu bytes for a buffer of %u", bytes.data.size,
			    thing->size);
	if (bytes.data.size > UINT32_MAX / 4)
		script_fail(r, -E2BIG, at, "more memory than a text may ask for");
	thing->bytes = bytes;
	if (!thing->size)
		thing->size = bytes.data.size;
}

/* buffer NAME [size N] [at ADDRESS] [t_tiled] [{ DATA }] */
static void buffer(struct script_reader *r, const char *at)
{
	struct script_thing *thing = declare(r, "a buffer");
	uint32_t index;

	if (!thing)
		return;
	index = thing - r->script->things;
	if (script_take_word(r, "size")) {
		uint32_t size = script_integer(r, 1, SCRIPT_MOST_BYTES);

		if (size > r->bytes)
			script_fail(r, -E2BIG, at, "more memory than a text may ask for");
		if (thing->size && thing->size != size)
			script_fail(r, -EINVAL, at, "this buffer had %u bytes before", thing->size);
		r->bytes -= r->lang.status ? 0 : size;
		thing->size = size;
		thing->filled = true;
	}
	if (script_take_word(r, "at")) {
		thing->address = script_integer(r, 0, UINT32_MAX);
		thing->placed = true;
	}
	thing->t_tiled |= script_take_word(r, "t_tiled");
	if (!script_sign(r, '{'))
		return;
	thing->filled = true;
	fill(r, index);
	if (!r->lang.status && !r->script->things[index].size)
		script_fail(r, -EINVAL, at, "a buffer without bytes");
}

/* The caller's value of an option, if there is one */
static void given(struct script_reader *r, const struct lang_token *name, struct lang_value *value)
{
	const char *text, *end;
	size_t i;

	for (i = 0; i < r->option_count; i++) {
		text = r->options[i];
		if (strncmp(text, name->at, name->length) || text[name->length] != '=')
			continue;
		r->taken[i] = true;
		text += name->length + 1;
		end = text;
		*value = (struct lang_value){ .kind = LANG_INTEGER };
		if (number_signed(&end, INT64_MAX, &value->integer) && !*end)
			return;
		*value = (struct lang_value){ .kind = LANG_REAL };
		if (!number_real(text, &value->real))
			script_fail(r, -EINVAL, name->at, "\"%.80s\" is no number for this option",
				    text);
		return;
	}
}

/* option NAME = VALUE: a constant that the caller may choose */
static void option(struct script_reader *r)
{
	struct lang_value value;
	struct lang_token name = script_assignment(r, "an option", &value);

	if (r->lang.status)
		return;
	v3dcl_buffer_printf(&r->offered, "%s%.*s", r->offered.size ? ", " : "", (int)name.length,
			    name.at);
	if (r->offered.failed)
		script_fail(r, -ENOMEM, name.at, "no memory");
	given(r, &name, &value);
	if (!r->lang.status)
		script_name(r, name.at, name.length, &value);
}

static void statement(struct script_reader *r, void *opaque)
{
	const char *at = r->now.at;

	(void)opaque;
	if (script_take_word(r, "buffer"))
		buffer(r, at);
	else if (script_take_word(r, "program"))
		script_program(r);
	else if (script_take_word(r, "option"))
		option(r);
	else if (script_take_word(r, "run"))
		script_batch(r, at);
	else if (script_take_word(r, "lists"))
		script_lists(r, at);
	else if (script_take_word(r, "frame"))
		script_frame(r, at);
	else if (script_take_word(r, "submit"))
		script_submit(r, at);
	else if (script_take_word(r, "save"))
		script_save(r, at);
	else if (script_take_word(r, "expect"))
		script_expect(r, at);
	else
		script_fail(r, -EINVAL, at,
			    "expected a statement here: buffer, program, run, frame, lists, "
			    "submit, save, expect, option, const...");
}

static int copy_text(struct v3dcl_script *script, const char *name, const char *source,
		     size_t length)
{
	script->source = malloc(length + 1);
	script->name = name ? strdup(name) : NULL;
	if (!script->source || (name && !script->name))
		return -ENOMEM;
	if (length)
		memcpy(script->source, source, length);
	script->source[length] = 0;
	script->length = length;
	return 0;
}

static void reader_free(struct script_reader *r)
{
	uint32_t i;

	for (i = 0; i < r->label_count; i++)
		free(r->labels[i].name);
	free(r->labels);
	free(r->names);
	free(r->lang.macros);
	free(r->taken);
	v3dcl_buffer_free(&r->offered);
}

/* A value of the caller's that no option of the text has taken */
static void not_taken(struct script_reader *r, const char *option)
{
	const int length = strcspn(option, "=");
	size_t n;

	for (n = 0; r->options[n] != option; n++) {
		if (!r->taken[n] || strncmp(r->options[n], option, length + 1))
			continue;
		script_fail(r, -EINVAL, r->lang.source, "option \"%.*s\" is given twice", length,
			    option);
		return;
	}
	script_fail(r, -EINVAL, r->lang.source, "this text has no option \"%.*s\"; it has %.*s",
		    length, option, r->offered.size ? (int)r->offered.size : 4,
		    r->offered.size ? (const char *)r->offered.bytes : "none");
}

static void check_whole(struct script_reader *r)
{
	size_t n;
	uint32_t i;

	for (n = 0; n < r->option_count && !r->lang.status; n++)
		if (!r->taken[n])
			not_taken(r, r->options[n]);

	for (i = 0; i < r->script->thing_count; i++) {
		if (!r->script->things[i].filled)
			script_fail(r, -EINVAL, r->now.at, "%s was named and never filled",
				    r->script->things[i].name);
	}
}

/* v3dcl_script_read() with a bound of its own on the work */
int script_read_within(const char *name, const char *source, size_t length, uint64_t work,
		       const char *const *options, size_t option_count,
		       struct v3dcl_script **script, struct v3dcl_error *error)
{
	struct script_reader r = {
		.lang = { .level = &script_level,
			  .name = name,
			  .error = error,
			  .too_much = -E2BIG },
		.work = work,
		.bytes = SCRIPT_MOST_BYTES,
		.options = options,
		.option_count = option_count,
	};

	*script = NULL;
	if (length > V3DCL_MOST_TEXT)
		return v3dcl_fail(error, -E2BIG,
				  "has more than %u MiB, which is the most a text may have",
				  V3DCL_MOST_TEXT >> 20);
	lang_skip_mark(&source, &length);
	r.taken = calloc(option_count + 1, sizeof(*r.taken));
	r.script = calloc(1, sizeof(*r.script));
	if (!r.taken || !r.script || copy_text(r.script, name, source, length)) {
		free(r.taken);
		v3dcl_script_free(r.script);
		return v3dcl_fail(error, -ENOMEM, "no memory");
	}
	r.lang.source = r.script->source;
	r.lang.length = length;
	r.lang.now = &r.now;
	r.at = r.script->source;
	r.end = r.at + length;
	script_next(&r);
	while (!r.lang.status && r.now.kind != LANG_END)
		script_line(&r, statement, NULL);
	if (!r.lang.status)
		check_whole(&r);
	reader_free(&r);
	if (r.lang.status) {
		v3dcl_script_free(r.script);
		return r.lang.status;
	}
	*script = r.script;
	return 0;
}

int v3dcl_script_read(const char *name, const char *source, size_t length,
		      const char *const *options, size_t option_count, struct v3dcl_script **script,
		      struct v3dcl_error *error)
{
	return script_read_within(name, source, length, SCRIPT_WORK, options, option_count, script,
				  error);
}
