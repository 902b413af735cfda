// SPDX-License-Identifier: MIT
/* Programs for the QPUs on a device: as many submits as its limits ask for. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/semaphores.h"
#include "run.h"

/*
 * A batch under way: what is submitted is a piece of each array, and numbers in it count from the
 * piece's beginning
 */
struct pieces {
	const struct script_batch *batch;
	struct drm_v3dcl_program *programs;
	struct drm_v3dcl_reloc *relocs;
	uint32_t program_count, reloc_count;
	struct v3dcl_info most;
};

static int user_program(struct run *run, uint32_t index, uint32_t *handle)
{
	const struct v3dcl_assembly *assembly = run->script->things[index].assembly;
	int ret = 0;

	if (!run->things[index].user)
		ret = v3dcl_bo_create_program(run->device, assembly->code, assembly->code_count, 0,
					      &run->things[index].user, run->error);
	*handle = run->things[index].user;
	return run_refused(run, index, ret);
}

/* Programs of one submit run in any order, as those of several do; unless semaphores order them */
static int may_be_split(struct run *run, const struct script_batch *batch, uint32_t count,
			uint32_t most)
{
	const struct drm_v3dcl_program *programs = (const void *)batch->programs.bytes;
	uint32_t i;

	for (i = 0; i < count; i++) {
		const struct script_thing *thing = &run->script->things[programs[i].handle];

		if (code_has_semaphores(thing->assembly->code, thing->assembly->code_count))
			return v3dcl_fail(run->error, -E2BIG,
					  "%u programs; at most %u in a submit, and %.100s has "
					  "semaphores, so that they cannot run in several",
					  count, most, thing->name);
	}
	return 0;
}

/* How many programs from @first on fit a submit; 0: not even that one */
static uint32_t piece(const struct pieces *p, uint32_t first, const struct drm_v3dcl_reloc *reloc)
{
	const struct drm_v3dcl_reloc *end = p->relocs + p->reloc_count;
	uint32_t count = 0, uniforms = 0, relocs = 0;

	while (first + count < p->program_count && count < p->most.max_programs) {
		uniforms += p->programs[first + count].uniform_count;
		while (reloc < end && reloc->program == first + count) {
			reloc++;
			relocs++;
		}
		if (uniforms > p->most.max_uniforms || relocs > p->most.max_relocs)
			break;
		count++;
	}
	return count;
}

static int submit_piece(struct run *run, struct pieces *p, uint32_t first, uint32_t count,
			uint32_t *reloc)
{
	const uint32_t uniform = p->programs[first].first_uniform, from = *reloc;
	const uint32_t *uniforms = (const uint32_t *)p->batch->uniforms.bytes;
	struct drm_v3dcl_submit_qpu submit = {
		.programs = (uintptr_t)(p->programs + first),
		.program_count = count,
		.uniforms = uniforms ? (uintptr_t)(uniforms + uniform) : 0,
		.relocs = (uintptr_t)(p->relocs + from),
		.timeout_ns = p->batch->timeout_ns,
		.perfmon = run->options.perfmon,
	};
	uint32_t i;
	int ret = 0;

	for (i = first; i < first + count && !ret; i++) {
		submit.uniform_count += p->programs[i].uniform_count;
		p->programs[i].first_uniform -= uniform;
		ret = user_program(run, p->programs[i].handle, &p->programs[i].handle);
	}
	for (; *reloc < p->reloc_count && p->relocs[*reloc].program < first + count; (*reloc)++) {
		p->relocs[*reloc].program -= first;
		p->relocs[*reloc].handle = run->things[p->relocs[*reloc].handle].bo;
	}
	submit.reloc_count = *reloc - from;
	if (!ret)
		ret = v3dcl_submit_programs(run->device, &submit, run->error);
	return ret ? ret : v3dcl_wait(run->device, submit.seqno, RUN_FOR_EVER, run->error);
}

static int submit_all(struct run *run, struct pieces *p)
{
	uint32_t first, count, reloc = 0;
	int ret = v3dcl_device_info(run->device, &p->most, run->error);

	/* What a driver does not tell beforehand it tells when it refuses */
	p->most.max_programs = p->most.max_programs ?: UINT32_MAX;
	p->most.max_uniforms = p->most.max_uniforms ?: UINT32_MAX;
	p->most.max_relocs = p->most.max_relocs ?: UINT32_MAX;
	if (!ret && piece(p, 0, p->relocs) < p->program_count)
		ret = may_be_split(run, p->batch, p->program_count, p->most.max_programs);
	for (first = 0; first < p->program_count && !ret; first += count) {
		count = piece(p, first, p->relocs + reloc);
		if (!count)
			return v3dcl_fail(run->error, -E2BIG,
					  "%u uniforms of one program, %u addresses in the submit; "
					  "this device takes at most %u and %u",
					  p->programs[first].uniform_count, p->reloc_count,
					  p->most.max_uniforms, p->most.max_relocs);
		ret = submit_piece(run, p, first, count, &reloc);
	}
	return ret;
}

static void *copy_of(const struct v3dcl_buffer *buffer)
{
	void *copy = malloc(buffer->size + 1);

	if (copy && buffer->size)
		memcpy(copy, buffer->bytes, buffer->size);
	return copy;
}

/* Programs for the QPUs, to their end */
int run_batch(struct run *run, const struct script_batch *batch)
{
	struct pieces p = {
		.batch = batch,
		.programs = copy_of(&batch->programs),
		.relocs = copy_of(&batch->relocs),
		.program_count = batch->programs.size / sizeof(*p.programs),
		.reloc_count = batch->relocs.size / sizeof(*p.relocs),
	};
	int ret;

	if (p.programs && p.relocs)
		ret = submit_all(run, &p);
	else
		ret = v3dcl_fail(run->error, -ENOMEM, "no memory");
	free(p.programs);
	free(p.relocs);
	return ret;
}
