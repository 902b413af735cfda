// SPDX-License-Identifier: MIT
/* A script on a device, step by step. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/options.h"
#include "run.h"

/* The bytes of a BO that holds @size bytes, the first of them @bytes */
static int new_memory(struct run *run, const void *bytes, size_t used, uint32_t size,
		      uint32_t *handle)
{
	void *map;
	int ret = v3dcl_bo_create(run->device, size, handle, run->error);

	if (ret)
		return ret;
	ret = v3dcl_bo_map(run->device, *handle, &map, run->error);
	if (ret)
		return ret;
	if (used)
		memcpy(map, bytes, used);
	return 0;
}

static int make_thing(struct run *run, uint32_t index)
{
	const struct script_thing *thing = &run->script->things[index];
	int ret;

	if (thing->assembly)
		return 0;
	ret = new_memory(run, thing->bytes.data.bytes, thing->bytes.data.size, thing->size,
			 &run->things[index].bo);
	if (ret)
		return ret;
	if (thing->t_tiled)
		ret = v3dcl_bo_set_tiled(run->device, run->things[index].bo, true, run->error);
	return ret;
}

/* Where a thing's bytes are */
int run_memory(struct run *run, uint32_t thing, uint8_t **bytes)
{
	void *map;
	int ret = v3dcl_bo_map(run->device, run->things[thing].bo, &map, run->error);

	*bytes = ret ? NULL : map;
	return ret;
}

/* --- Lists ------------------------------------------------------------------------------------ */

/* Lists being submitted: BOs by their index, those of the two lists behind those of the things */
struct lists {
	struct v3dcl_buffer handles, addresses;
	struct drm_v3dcl_submit_lists submit;
	uint32_t list[2];
};

/* Code that lists lead to is memory like any other */
int run_code(struct run *run, uint32_t index)
{
	const struct script_thing *thing = &run->script->things[index];

	if (run->things[index].bo)
		return 0;
	return new_memory(run, thing->assembly->code, thing->size, thing->size,
			  &run->things[index].bo);
}

/* The driver adds addresses to what stands there, so that is put there anew each time. */
static void add_addresses(struct lists *lists, uint32_t bo, const struct script_bytes *bytes,
			  uint8_t *map)
{
	const struct script_fixup *fixup = (const struct script_fixup *)bytes->fixups.bytes;
	size_t i, count = bytes->fixups.size / sizeof(*fixup);

	for (i = 0; i < count; i++, fixup++) {
		const struct drm_v3dcl_address address = { bo, fixup->at, fixup->thing,
							   fixup->offset };

		memcpy(map + fixup->at, bytes->data.bytes + fixup->at, sizeof(uint32_t));
		v3dcl_buffer_add(&lists->addresses, &address, sizeof(address));
	}
}

static int add_things(struct run *run, struct lists *lists)
{
	uint8_t *map;
	uint32_t i;
	int ret;

	for (i = 0; i < run->script->thing_count; i++) {
		ret = run_code(run, i);
		if (!ret)
			ret = run_memory(run, i, &map);
		if (ret)
			return ret;
		v3dcl_buffer_add(&lists->handles, &run->things[i].bo, sizeof(uint32_t));
		add_addresses(lists, i, &run->script->things[i].bytes, map);
	}
	return 0;
}

static int add_list(struct run *run, struct lists *lists, unsigned int which,
		    const struct script_lists *step)
{
	struct drm_v3dcl_list *list = which ? &lists->submit.render : &lists->submit.bin;
	const struct script_range *place = &step->place[which];
	const struct script_bytes *bytes = &step->list[which];
	uint32_t size = bytes->data.size;
	void *map;
	int ret;

	*list = (struct drm_v3dcl_list){ .bo = place->thing, .start = place->offset,
					 .end = place->offset + place->size };
	if (!size)
		return 0;
	ret = new_memory(run, bytes->data.bytes, size, size, &lists->list[which]);
	if (!ret)
		ret = v3dcl_bo_map(run->device, lists->list[which], &map, run->error);
	if (ret)
		return ret;
	*list = (struct drm_v3dcl_list){ .bo = lists->handles.size / sizeof(uint32_t),
					 .end = size };
	v3dcl_buffer_add(&lists->handles, &lists->list[which], sizeof(uint32_t));
	add_addresses(lists, list->bo, bytes, map);
	return 0;
}

static int submit_lists(struct run *run, struct lists *lists)
{
	struct drm_v3dcl_submit_lists *submit = &lists->submit;
	int ret;

	if (lists->handles.failed || lists->addresses.failed)
		return v3dcl_fail(run->error, -ENOMEM, "no memory");
	submit->bo_handles = (uintptr_t)lists->handles.bytes;
	submit->bo_count = lists->handles.size / sizeof(uint32_t);
	submit->addresses = (uintptr_t)lists->addresses.bytes;
	submit->perfmon = run->options.perfmon;
	submit->address_count = lists->addresses.size / sizeof(struct drm_v3dcl_address);
	ret = v3dcl_submit_lists(run->device, submit, run->error);
	return ret ? ret : v3dcl_wait(run->device, submit->seqno, RUN_FOR_EVER, run->error);
}

/* Lists as they are, to their end */
int run_lists(struct run *run, const struct script_lists *step)
{
	struct lists lists = { 0 };
	int ret = add_things(run, &lists);

	if (!ret)
		ret = add_list(run, &lists, 0, step);
	if (!ret)
		ret = add_list(run, &lists, 1, step);
	if (!ret)
		ret = submit_lists(run, &lists);
	if (lists.list[0])
		v3dcl_bo_close(run->device, lists.list[0]);
	if (lists.list[1])
		v3dcl_bo_close(run->device, lists.list[1]);
	v3dcl_buffer_free(&lists.handles);
	v3dcl_buffer_free(&lists.addresses);
	return ret;
}

/* --- The whole -------------------------------------------------------------------------------- */

static int take_step(struct run *run, const struct script_step *step)
{
	switch (step->kind) {
	case SCRIPT_RUN:
		return run_batch(run, &step->batch);
	case SCRIPT_LISTS:
		return run_lists(run, &step->lists);
	case SCRIPT_FRAME:
		return run_frame(run, step->frame);
	case SCRIPT_SUBMIT:
		return run_submit(run, step->submit);
	case SCRIPT_SAVE:
		return run_save(run, &step->save);
	default:
		return run_expect(run, &step->expect);
	}
}

/* What the device said, with the place of the statement, or of the instruction, in front */
static int at_step(struct run *run, const struct script_step *step, int code)
{
	const struct v3dcl_script *s = run->script;
	const struct v3dcl_error said = *run->error;

	v3dcl_fail_at(run->error, code, s->name, s->source, s->length,
		      said.line ? script_start_of(s, said.line) : step->at, "%.360s", said.text);
	run->error->part = said.part;
	run->error->rule = said.rule;
	run->error->offset = said.offset;
	run->error->found = said.found;
	run->error->expected = said.expected;
	run->error->record = said.record;
	run->error->field = said.field;
	return code;
}

static void close_all(struct run *run)
{
	uint32_t i;

	for (i = 0; i < run->script->thing_count; i++) {
		const struct run_thing *thing = &run->things[i];

		if (thing->bo)
			v3dcl_bo_close(run->device, thing->bo);
		if (thing->user)
			v3dcl_bo_close(run->device, thing->user);
		if (thing->shader)
			v3dcl_bo_close(run->device, thing->shader);
	}
}

static int step_and_tell(struct run *run, uint32_t number)
{
	static const char *const names[] = {
		[SCRIPT_RUN] = "run", [SCRIPT_LISTS] = "lists", [SCRIPT_FRAME] = "frame",
		[SCRIPT_SUBMIT] = "submit", [SCRIPT_SAVE] = "save", [SCRIPT_EXPECT] = "expect",
	};
	const struct script_step *step = &run->script->steps[number];
	struct v3dcl_stepped stepped = { .what = names[step->kind], .number = number,
					 .count = run->script->step_count };
	int64_t start = now_ns();
	int ret = take_step(run, step);

	stepped.ns = now_ns() - start;
	if (ret == -EIO && step->kind != SCRIPT_SAVE)
		run_tell_hang(run);
	if (!ret)
		ret = run_tell_races(run);
	if (ret)
		return at_step(run, step, ret);
	if (run->options.stepped) {
		stepped.line = script_line_of(run->script, step->at);
		run->options.stepped(run->options.opaque, &stepped);
	}
	return 0;
}

/* All steps; those that differ from what is expected are told, and the first is kept */
static int take_steps(struct run *run)
{
	struct v3dcl_error first, *error = run->error;
	uint32_t i, differ = 0;
	int ret = 0;

	run->error = &run->said;
	if (run->options.traced)
		v3dcl_device_trace(run->device, run_tell_traced, run, NULL);
	for (i = 0; i < run->script->step_count && differ < V3DCL_MOST_DIFFERENT; i++) {
		ret = step_and_tell(run, i);
		if (!ret)
			continue;
		if (ret != -EBADMSG || run->script->steps[i].kind != SCRIPT_EXPECT)
			break;
		if (run->options.differs)
			run->options.differs(run->options.opaque, &run->said);
		if (!differ++)
			first = run->said;
		ret = 0;
	}
	if (run->options.traced)
		v3dcl_device_trace(run->device, NULL, NULL, NULL);
	run->error = error;
	if (error && (ret || differ))
		*error = ret ? run->said : first;
	return !ret && differ ? -EBADMSG : ret;
}

int v3dcl_script_run(const struct v3dcl_script *script, struct v3dcl_device *device,
		     const struct v3dcl_run_options *options, struct v3dcl_error *error)
{
	struct run run = { .script = script, .device = device, .error = error };
	uint32_t i;
	int ret = options_take(&run.options, sizeof(run.options), options, "v3dcl_run_options",
			       error);

	if (ret)
		return ret;
	run.things = calloc(script->thing_count + 1, sizeof(*run.things));
	if (!run.things)
		return v3dcl_fail(error, -ENOMEM, "no memory");
	for (i = 0; i < script->thing_count && !ret; i++)
		ret = make_thing(&run, i);
	if (!ret)
		ret = take_steps(&run);
	close_all(&run);
	free(run.things);
	return ret;
}
