// SPDX-License-Identifier: MIT
/* Programs for the QPUs, with what they are given: run { PROGRAM(VALUE, ...) ... } */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "script.h"

#define NS_PER_MS 1000000u

/* A call being read */
struct call {
	struct script_batch *batch;
	const struct script_thing *program;
	struct drm_v3dcl_program run;
};

static void add(struct script_reader *r, struct v3dcl_buffer *to, const void *bytes, size_t size)
{
	if (size > r->bytes)
		script_fail(r, -E2BIG, r->now.at, "more memory than a text may ask for");
	else if (!v3dcl_buffer_add(to, bytes, size))
		script_out_of_memory(r);
	else
		r->bytes -= size;
}

/* A uniform: a number, or an address with what the program does to it */
static void add_uniform(struct script_reader *r, struct call *call, const struct lang_value *value,
			const char *at)
{
	const struct script_thing *thing;
	uint32_t word = 0;

	if (value->kind == LANG_ADDRESS) {
		struct drm_v3dcl_reloc reloc = {
			.program = call->batch->programs.size / sizeof(call->run),
			.slot = call->run.uniform_count,
			.handle = value->thing,
			.offset = value->integer,
			.flags = value->flags,
		};

		thing = value->thing == SCRIPT_FRAME_MEMORY ? NULL :
							      &r->script->things[value->thing];
		if (!thing || thing->assembly || value->integer < 0 ||
		    value->integer >= thing->size)
			script_fail(r, -EINVAL, at, "this is no place in a buffer");
		else if (!value->flags)
			script_fail(r, -EINVAL, at,
				    "say 'read', 'write' or 'readwrite' before an address");
		else
			add(r, &call->batch->relocs, &reloc, sizeof(reloc));
	} else {
		word = lang_as_bits(value);
	}
	add(r, &call->batch->uniforms, &word, sizeof(word));
	call->run.uniform_count++;
}

static struct lang_value argument(struct script_reader *r, uint32_t flags)
{
	struct lang_value value;

	if (script_take_word(r, "read"))
		flags = DRM_V3DCL_RELOC_READ;
	else if (script_take_word(r, "write"))
		flags = DRM_V3DCL_RELOC_WRITE;
	else if (script_take_word(r, "readwrite"))
		flags = DRM_V3DCL_RELOC_READ | DRM_V3DCL_RELOC_WRITE;
	value = script_expression(r);
	if (value.kind == LANG_ADDRESS)
		value.flags = flags;
	return value;
}

/* What the program's text says of a uniform that the call leaves out */
static void add_default(struct script_reader *r, struct call *call,
			const struct v3dcl_uniform *uniform, const char *at)
{
	struct lang_value value = { .kind = LANG_BITS, .integer = uniform->value };
	char name[2 * SCRIPT_MOST_NAME + 8];

	if (uniform->reference) {
		snprintf(name, sizeof(name), "%s%s",
			 uniform->reference[0] == '.' ? call->program->name : "",
			 uniform->reference);
		if (!script_find(r, name, strlen(name), &value) || value.kind != LANG_ADDRESS) {
			script_fail(r, -EINVAL, at,
				    "the program takes the address of %.60s, which is no buffer",
				    name);
			return;
		}
		value.integer += uniform->offset;
		value.flags = uniform->flags;
	}
	add_uniform(r, call, &value, at);
}

static void add_arguments(struct script_reader *r, struct call *call, const char *at)
{
	const struct v3dcl_assembly *assembly = call->program->assembly;
	struct lang_value value;
	uint32_t declared = assembly->uniform_count;
	const char *here;

	while (!r->lang.status && !script_sign(r, ')')) {
		here = r->now.at;
		if (declared && call->run.uniform_count == declared)
			script_fail(r, -EINVAL, here, "this program has %u uniforms", declared);
		value = argument(r, call->run.uniform_count < declared ?
					    assembly->uniforms[call->run.uniform_count].flags :
					    0);
		if (!r->lang.status)
			add_uniform(r, call, &value, here);
		if (!script_sign(r, ')'))
			script_need_sign(r, ',');
	}
	while (!r->lang.status && call->run.uniform_count < declared)
		add_default(r, call, &assembly->uniforms[call->run.uniform_count], at);
}

static void call_statement(struct script_reader *r, void *opaque)
{
	struct call call = { .batch = opaque };
	struct lang_value value = { 0 };
	const char *at = r->now.at;

	if (r->now.kind != LANG_WORD || !script_find(r, r->now.at, r->now.length, &value) ||
	    value.kind != LANG_ADDRESS || !r->script->things[value.thing].assembly) {
		script_fail(r, -EINVAL, at,
			    "expected the name of a program here, or of a label in one");
		return;
	}
	call.program = &r->script->things[value.thing];
	script_used_as(r, value.thing, NULL);
	call.run.handle = value.thing;
	call.run.offset = value.integer;
	call.run.first_uniform = call.batch->uniforms.size / sizeof(uint32_t);
	script_next(r);
	r->lang.inside++;
	script_need_sign(r, '(');
	add_arguments(r, &call, at);
	r->lang.inside--;
	script_need_sign(r, ')');
	if (!r->lang.status)
		add(r, &call.batch->programs, &call.run, sizeof(call.run));
}

/* run [timeout MS] CALL, or run [timeout MS] { CALL... } */
void script_batch(struct script_reader *r, const char *at)
{
	struct script_batch batch = { 0 };
	struct script_step *step;

	if (script_take_word(r, "timeout"))
		batch.timeout_ns = (uint64_t)script_integer(r, 1, 3600000) * NS_PER_MS;
	if (script_sign(r, '{'))
		script_block(r, call_statement, &batch);
	else
		call_statement(r, &batch);
	if (!batch.programs.size)
		script_fail(r, -EINVAL, at, "nothing to run");
	step = script_add_step(r, SCRIPT_RUN, at);
	if (step) {
		step->batch = batch;
		return;
	}
	v3dcl_buffer_free(&batch.programs);
	v3dcl_buffer_free(&batch.uniforms);
	v3dcl_buffer_free(&batch.relocs);
}
