// SPDX-License-Identifier: MIT
/* What a device says of places in BOs of code, in words of the text: program and line. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "run.h"

static uint32_t line_of(const struct run *run, const struct script_thing *thing,
			uint32_t instruction)
{
	return script_line_of(run->script, thing->body) - 1 + thing->assembly->lines[instruction];
}

/**
 * run_refused() - a program was not taken: why, in lines of the text
 * @run: its error, if it is that of a refused instruction, gets the line, and that of the
 *	instruction that lost the value
 * @index: of the program
 * @code: what the device returned
 *
 * Return: @code
 */
int run_refused(struct run *run, uint32_t index, int code)
{
	const struct script_thing *thing = &run->script->things[index];
	const uint32_t count = thing->assembly->code_count,
		       at = run->error->offset / sizeof(*thing->assembly->code);
	struct drm_v3dcl_refusal told = { 0 };
	struct v3dcl_error *error = run->error;
	size_t used;
	uint32_t lost;

	if (code != -EINVAL || error->part != DRM_V3DCL_PART_CODE || at >= count)
		return code;
	error->line = line_of(run, thing, at);
	v3dcl_ioctl(run->device, DRM_IOCTL_V3DCL_GET_REFUSAL, &told);
	lost = told.lost & ~DRM_V3DCL_LOST_JOIN;
	if (!lost || lost > count || told.rule != error->rule || told.offset != error->offset)
		return code;
	used = strlen(error->text);
	snprintf(error->text + used, sizeof(error->text) - used, ", of line %u",
		 line_of(run, thing, lost - 1));
	return code;
}

/* Which program has this instruction in that BO; the count of all things: none of the text's */
static uint32_t find_program(const struct run *run, uint32_t handle, uint32_t instruction)
{
	uint32_t i;

	for (i = 0; i < run->script->thing_count; i++) {
		const struct run_thing *on_device = &run->things[i];
		const struct script_thing *thing = &run->script->things[i];

		if (handle && thing->assembly && instruction < thing->assembly->code_count &&
		    (on_device->bo == handle || on_device->user == handle ||
		     on_device->shader == handle))
			break;
	}
	return i;
}

/**
 * run_program_at() - whose instruction is that?
 * @run: with BOs on its device
 * @handle: of a BO
 * @instruction: in that BO
 * @line: set to the line of the text that it comes from
 *
 * Return: the program; NULL: it is none of the text's
 */
const struct script_thing *run_program_at(const struct run *run, uint32_t handle,
					  uint32_t instruction, uint32_t *line)
{
	const uint32_t index = find_program(run, handle, instruction);
	const struct script_thing *thing = &run->script->things[index];

	if (index == run->script->thing_count)
		return NULL;
	*line = line_of(run, thing, instruction);
	return thing;
}

static void name_place(void *opaque, const struct v3dcl_place *place, struct v3dcl_buffer *out)
{
	const struct run *run = opaque;
	const struct script_thing *program;
	uint32_t line;

	program = run_program_at(run, place->handle, place->instruction, &line);
	if (program)
		v3dcl_buffer_printf(out, "instruction %u of %s, line %u", place->instruction,
				    program->name, line);
	else
		v3dcl_buffer_printf(out, "instruction %u of BO %u", place->instruction,
				    place->handle);
}

/* A job has ended badly: in words of the text, if the device tells of it */
void run_tell_hang(struct run *run)
{
	struct v3dcl_buffer text = { 0 };
	struct v3dcl_hang hang;

	if (v3dcl_device_hang(run->device, &hang, NULL))
		return;
	v3dcl_hang_text(&hang, name_place, run, &text);
	if (!text.failed)
		v3dcl_fail(run->error, -EIO, "%s", (const char *)text.bytes);
	v3dcl_buffer_free(&text);
}

static const char *access_of(const struct v3dcl_race_side *side)
{
	if (side->transfer)
		return side->write ? "fills by DMA" : "takes by DMA";
	return side->write ? "writes" : "reads";
}

/* The part after the caret's place: who, what, where; then the other side with its line */
static void tell_race(void *opaque, const struct v3dcl_race *race)
{
	struct run *run = opaque;
	const struct v3dcl_script *s = run->script;
	const struct v3dcl_race_side *a = &race->sides[0], *b = &race->sides[1];
	const struct script_thing *one, *other;
	uint32_t lines[2] = { 0, 0 };
	struct v3dcl_error error;
	char place[48];

	one = run_program_at(run, a->handle, a->instruction, &lines[0]);
	other = run_program_at(run, b->handle, b->instruction, &lines[1]);
	if (race->vpm)
		snprintf(place, sizeof(place), "row %u, column %u of the VPM", race->place / 16,
			 race->place % 16);
	else
		snprintf(place, sizeof(place), "memory at 0x%08x", race->place);
	v3dcl_fail_at(&error, -EBADMSG, s->name, s->source, s->length,
		      script_start_of(s, lines[1]),
		      "race: QPU%u %s %s in %.40s, which QPU%u %s at line %u in %.40s: neither "
		      "waits for the other", b->qpu, access_of(b), place,
		      other ? other->name : "code", a->qpu, access_of(a), lines[0],
		      one ? one->name : "code");
	run->options.raced(run->options.opaque, &error);
}

/* Of the step that was taken, if the device watches and the caller wants to know */
int run_tell_races(struct run *run)
{
	int ret;

	if (!run->options.raced)
		return 0;
	ret = v3dcl_device_races(run->device, tell_race, run, run->error);
	return ret < 0 ? ret : 0;
}

/* How much of a line of the text is told, and where in a line of trace it begins */
#define MOST_SOURCE 80
#define SOURCE_COLUMN 72

/* A program's line without the blanks around it */
static struct lang_slice source_line(const struct v3dcl_script *s, const struct script_thing *thing,
				     uint32_t number)
{
	const char *at = s->source + thing->body, *end = s->source + s->length;
	struct lang_slice slice;

	for (; number > 1 && at < end; at++)
		number -= *at == '\n';
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	for (slice.at = slice.end = at; at < end && *at != '\n'; at++)
		if (*at != ' ' && *at != '\t' && *at != '\r')
			slice.end = at + 1;
	return slice;
}

static void name_instruction(struct run *run, const struct v3dcl_traced *traced,
			     struct v3dcl_buffer *out)
{
	const struct v3dcl_script *s = run->script;
	const uint32_t instruction = traced->offset / sizeof(uint64_t);
	const struct script_thing *thing;
	struct run_thing *on_device;
	struct lang_slice source;
	uint32_t index, number;

	index = find_program(run, traced->handle, instruction);
	if (index == s->thing_count)
		return;
	thing = &s->things[index];
	on_device = &run->things[index];
	if (!on_device->line)
		on_device->line = script_line_of(s, thing->body);
	number = thing->assembly->lines[instruction];
	source = source_line(s, thing, number);
	v3dcl_buffer_printf(out, "# %s+%u, line %u: %.*s", thing->name, instruction,
			    on_device->line - 1 + number,
			    (int)MIN(source.end - source.at, MOST_SOURCE), source.at);
}

static void name_memory(const struct run *run, const struct v3dcl_traced *traced,
			struct v3dcl_buffer *out)
{
	uint32_t i;

	for (i = 0; i < run->script->thing_count; i++) {
		if (run->things[i].bo != traced->handle)
			continue;
		v3dcl_buffer_printf(out, "# %s+0x%x", run->script->things[i].name, traced->offset);
		return;
	}
}

/* While a step is being taken, on a thread of the device's: the BOs of all things stay */
void run_tell_traced(void *opaque, const struct v3dcl_traced *traced)
{
	struct v3dcl_buffer place = { 0 }, line = { 0 };
	struct run *run = opaque;

	if (traced->handle && traced->code)
		name_instruction(run, traced, &place);
	else if (traced->handle)
		name_memory(run, traced, &place);
	if (place.size && !place.failed)
		v3dcl_buffer_printf(&line, "%-*s %s", SOURCE_COLUMN, traced->text,
				    (const char *)place.bytes);
	run->options.traced(run->options.opaque, line.size && !line.failed ?
						      (const char *)line.bytes : traced->text);
	v3dcl_buffer_free(&line);
	v3dcl_buffer_free(&place);
}
