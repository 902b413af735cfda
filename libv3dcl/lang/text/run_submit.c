// SPDX-License-Identifier: MIT
/* A submit of the ABI on a device. */
#include <errno.h>

#include "run.h"

/* The BOs by their handles */
static int add_handles(struct run *run, const struct script_submit *submit,
		       struct v3dcl_buffer *handles)
{
	const struct script_handle *handle = (const struct script_handle *)submit->handles.bytes;
	size_t i, count = submit->handles.size / sizeof(*handle);
	uint32_t bo;
	int ret;

	for (i = 0; i < count; i++, handle++) {
		bo = handle->thing;
		if (!handle->number) {
			ret = run_shader(run, handle->thing, &bo);
			if (ret)
				return ret;
		}
		v3dcl_buffer_add(handles, &bo, sizeof(bo));
	}
	return handles->failed ? v3dcl_fail(run->error, -ENOMEM, "no memory") : 0;
}

/* A submit, to its end */
int run_submit(struct run *run, const struct script_submit *submit)
{
	struct v3dcl_buffer handles = { 0 };
	struct drm_vc4_submit_cl job;
	int ret = add_handles(run, submit, &handles);

	if (!ret && !handles.size)
		ret = v3dcl_fail(run->error, -EINVAL,
				 "a submit without buffers has nothing to draw to");
	job = script_submit_job(submit, &handles);
	job.perfmonid = run->options.perfmon;
	if (!ret)
		ret = v3dcl_submit_frame(run->device, &job, run->error);
	v3dcl_buffer_free(&handles);
	return ret ? ret : v3dcl_wait(run->device, job.seqno, RUN_FOR_EVER, run->error);
}
