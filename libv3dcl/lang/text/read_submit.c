// SPDX-License-Identifier: MIT
/*
 * A submit of the ABI as it is: submit NUMBER=N... { buffers NAME, ... SURFACE NUMBER=N... bin {
 * DATA } ... }
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../cl/submit_numbers.h"
#include "script.h"

static const struct cl_number *find(const struct script_reader *r, const struct cl_number *among)
{
	for (; among->name; among++) {
		if (script_word(r, among->name))
			return among;
	}
	return NULL;
}

/* NUMBER=N ... */
static void take_numbers(struct script_reader *r, const struct cl_number *among, void *to)
{
	const struct cl_number *number;

	while (!r->lang.status && r->now.kind == LANG_WORD) {
		number = find(r, among);
		if (!number)
			script_fail(r, -EINVAL, r->now.at, "a submit has no such number here");
		script_next(r);
		script_need_sign(r, '=');
		if (!r->lang.status)
			cl_set_number(to, number,
				      script_integer(r, 0, UINT32_MAX >> (32 - 8 * number->size)));
		script_take_sign(r, ',');
	}
}

/* A thing by its name, or a BO by the number that a device gave it */
static void add_handle(struct script_reader *r, struct script_submit *submit)
{
	const char *at = r->now.at;
	struct lang_value value = script_expression(r);
	struct script_handle handle = { .thing = value.integer, .number = true };

	if (r->lang.status)
		return;
	if (value.kind == LANG_ADDRESS && value.thing != SCRIPT_FRAME_MEMORY && !value.integer) {
		handle = (struct script_handle){ .thing = value.thing };
		r->script->things[value.thing].kinds |= SCRIPT_USED;
	} else if (value.kind != LANG_INTEGER || value.integer < 0 || value.integer > UINT32_MAX) {
		script_fail(r, -EINVAL, at,
			    "expected a buffer, a program or the number of a BO here");
	}
	if (!r->lang.status && !v3dcl_buffer_add(&submit->handles, &handle, sizeof(handle)))
		script_out_of_memory(r);
}

static void part(struct script_reader *r, struct script_bytes *bytes, const char *at)
{
	struct script_data data = { .bytes = bytes, .thing = UINT32_MAX };

	if (bytes->data.size)
		script_fail(r, -EINVAL, at, "this part of the submit is there already");
	script_block(r, script_data_statement, &data);
	if (!r->lang.status && bytes->fixups.size)
		script_fail(r, -EINVAL, at,
			    "in a submit, addresses are offsets, and BOs indices of its buffers");
}

static void submit_statement(struct script_reader *r, void *opaque)
{
	struct script_submit *submit = opaque;
	const struct cl_number *surface = find(r, cl_submit_surfaces);
	const char *at = r->now.at;

	if (surface) {
		script_next(r);
		/* What the text has an index for may be left out only if it is 0. */
		cl_set_number((uint8_t *)&submit->job + surface->at, cl_surface_numbers, 0);
		take_numbers(r, cl_surface_numbers, (uint8_t *)&submit->job + surface->at);
	} else if (script_take_word(r, "buffers")) {
		do {
			add_handle(r, submit);
		} while (script_more(r));
	} else if (script_take_word(r, "bin")) {
		part(r, &submit->bin, at);
	} else if (script_take_word(r, "records")) {
		part(r, &submit->records, at);
	} else if (script_take_word(r, "uniforms")) {
		part(r, &submit->uniforms, at);
	} else {
		script_fail(r, -EINVAL, at,
			    "expected buffers, bin, records, uniforms or a surface here: "
			    "color_write...");
	}
}

void script_submit_free(struct script_submit *submit)
{
	v3dcl_buffer_free(&submit->handles);
	script_bytes_free(&submit->bin);
	script_bytes_free(&submit->records);
	script_bytes_free(&submit->uniforms);
	free(submit);
}

/**
 * script_submit_job() - a submit as the ABI has it
 * @submit: whose bytes it points to
 * @handles: of BOs, 32 bits each; likewise
 */
struct drm_vc4_submit_cl script_submit_job(const struct script_submit *submit,
					   const struct v3dcl_buffer *handles)
{
	struct drm_vc4_submit_cl job = submit->job;

	job.bin_cl = (uintptr_t)submit->bin.data.bytes;
	job.bin_cl_size = submit->bin.data.size;
	job.shader_rec = (uintptr_t)submit->records.data.bytes;
	job.shader_rec_size = submit->records.data.size;
	job.uniforms = (uintptr_t)submit->uniforms.data.bytes;
	job.uniforms_size = submit->uniforms.data.size;
	job.bo_handles = (uintptr_t)handles->bytes;
	job.bo_handle_count = handles->size / sizeof(uint32_t);
	return job;
}

/* submit NUMBER=N... { ... } */
void script_submit(struct script_reader *r, const char *at)
{
	struct script_submit *submit = calloc(1, sizeof(*submit));
	const struct cl_number *surface;
	struct script_step *step;

	if (!submit) {
		script_out_of_memory(r);
		return;
	}
	for (surface = cl_submit_surfaces; surface->name; surface++)
		cl_set_number((uint8_t *)&submit->job + surface->at, cl_surface_numbers, CL_NO_BO);
	take_numbers(r, cl_submit_numbers, &submit->job);
	script_block(r, submit_statement, submit);
	step = script_add_step(r, SCRIPT_SUBMIT, at);
	if (step)
		step->submit = submit;
	else
		script_submit_free(submit);
}
