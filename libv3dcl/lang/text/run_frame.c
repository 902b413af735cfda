// SPDX-License-Identifier: MIT
/* A frame on a device. */
#include "script_frame.h"
#include "run.h"

struct making {
	struct run *run;
	bool raw;
	int code;
};

/**
 * run_shader() - a thing as checked jobs have it: a program is a BO of a shader, memory is what it
 * is
 */
int run_shader(struct run *run, uint32_t thing, uint32_t *handle)
{
	const struct v3dcl_assembly *assembly = run->script->things[thing].assembly;
	struct run_thing *on_device = &run->things[thing];
	int ret = 0;

	if (assembly && !on_device->shader)
		ret = v3dcl_bo_create_shader(run->device, assembly->code, assembly->code_count,
					     &on_device->shader, run->error);
	*handle = assembly ? on_device->shader : on_device->bo;
	return assembly ? run_refused(run, thing, ret) : ret;
}

/* Programs are shaders to a checked job, and memory like any other to one that is not checked. */
static uint32_t bo_of(void *opaque, uint32_t thing)
{
	struct making *m = opaque;
	const struct script_thing *t = &m->run->script->things[thing];
	struct run_thing *on_device = &m->run->things[thing];
	uint32_t handle;

	if (!t->assembly || m->code)
		return on_device->bo;
	if (m->raw) {
		m->code = run_code(m->run, thing);
		return on_device->bo;
	}
	m->code = run_shader(m->run, thing, &handle);
	return handle;
}

/* Which kind of job it will be */
static int is_raw(struct run *run, const struct script_frame *frame, bool *raw)
{
	struct frame_maker maker = { .bo = frame_thing_as_bo, .error = run->error };
	int ret = v3dcl_frame_new(&maker.frame, run->error);

	if (!ret)
		ret = frame_make(&maker, frame);
	if (!ret)
		*raw = v3dcl_frame_is_raw(maker.frame);
	v3dcl_frame_free(maker.frame);
	return ret;
}

/* A frame, to its end */
int run_frame(struct run *run, const struct script_frame *frame)
{
	struct making making = { .run = run };
	struct frame_maker maker = { .bo = bo_of, .opaque = &making, .error = run->error };
	uint64_t seqno;
	int ret = is_raw(run, frame, &making.raw);

	if (!ret)
		ret = v3dcl_frame_new(&maker.frame, run->error);
	if (!ret)
		ret = frame_make(&maker, frame);
	if (!ret)
		v3dcl_frame_perfmon(maker.frame, run->options.perfmon);
	if (making.code)
		ret = making.code;
	if (!ret)
		ret = v3dcl_frame_submit(maker.frame, run->device, &seqno, run->error);
	if (!ret)
		ret = v3dcl_wait(run->device, seqno, RUN_FOR_EVER, run->error);
	v3dcl_frame_free(maker.frame);
	return ret;
}
