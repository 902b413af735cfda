// SPDX-License-Identifier: MIT
/* A program with what its uniforms are by name: streams and relocations, and as many submits. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "../base/options.h"
#include "../base/semaphores.h"
#include "device.h"
#include "v3dcl_run.h"

#define READ_WRITE (DRM_V3DCL_RELOC_READ | DRM_V3DCL_RELOC_WRITE)

/* What one uniform is, of all runs */
struct slot {
	const struct v3dcl_binding *binding;	/* or NULL */
	uint32_t value, flags, handle;
};

struct running {
	struct v3dcl_device *device;
	const struct v3dcl_assembly *assembly;
	struct v3dcl_launch launch;
	struct slot *slots;
	uint32_t slot_count, reloc_slots;
	uint32_t program, data;			/* BOs of this call's, 0 for none */
	struct v3dcl_error *error;
};

static bool is_called(const struct v3dcl_uniform *uniform, const char *name)
{
	return (uniform->name && !strcmp(uniform->name, name)) ||
	       (uniform->reference && !strcmp(uniform->reference, name));
}

static const struct v3dcl_binding *find_binding(const struct running *r,
						const struct v3dcl_uniform *uniform)
{
	uint32_t i;

	for (i = 0; i < r->launch.binding_count; i++)
		if (is_called(uniform, r->launch.bindings[i].name))
			return &r->launch.bindings[i];
	return NULL;
}

/* Each binding is some uniform's: what is not is a mistake in writing */
static int check_names(const struct running *r)
{
	const struct v3dcl_assembly *a = r->assembly;
	uint32_t i, j;

	for (i = 0; i < r->launch.binding_count; i++) {
		const char *name = r->launch.bindings[i].name;

		if (!name)
			return v3dcl_fail(r->error, -EINVAL,
					  "binding %u has no name, and the program's uniforms have",
					  i);
		for (j = 0; j < a->uniform_count && !is_called(&a->uniforms[j], name); j++)
			;
		if (j == a->uniform_count)
			return v3dcl_fail(r->error, -EINVAL,
					  "the program has no uniform and no buffer '%.100s'",
					  name);
	}
	return 0;
}

static int own_data(struct running *r)
{
	const struct v3dcl_assembly *a = r->assembly;
	void *map;
	int ret;

	if (r->data)
		return 0;
	ret = v3dcl_bo_create(r->device, MAX(a->data_size, 1), &r->data, r->error);
	if (!ret)
		ret = v3dcl_bo_map(r->device, r->data, &map, r->error);
	if (!ret && a->data_size)
		memcpy(map, a->data, a->data_size);
	return ret;
}

/* A uniform that the program declares */
static int fill_declared(struct running *r, uint32_t index)
{
	const struct v3dcl_uniform *uniform = &r->assembly->uniforms[index];
	struct slot *slot = &r->slots[index];
	int ret;

	slot->binding = find_binding(r, uniform);
	slot->flags = uniform->flags;
	slot->value = uniform->reference ? uniform->offset : uniform->value;
	if (slot->binding) {
		slot->handle = slot->binding->handle;
		/* A number that is bound stands for the one that the text has */
		if (!uniform->reference)
			slot->value = 0;
		if (uniform->reference && !slot->handle)
			return v3dcl_fail(r->error, -EINVAL,
					  "'%.100s' is a buffer, and a number is bound to it",
					  uniform->reference);
		return 0;
	}
	if (!uniform->reference)
		return 0;
	if (strcmp(uniform->reference, ".data") != 0)
		return v3dcl_fail(r->error, -EINVAL,
				  "uniform %u is an address in buffer '%.100s', and nothing is "
				  "bound to that", index, uniform->reference);
	ret = own_data(r);
	slot->handle = r->data;
	slot->flags = slot->flags ?: DRM_V3DCL_RELOC_READ;
	return ret;
}

static int fill_slots(struct running *r)
{
	const bool declared = r->assembly->uniform_count;
	uint32_t i;
	int ret = declared ? check_names(r) : 0;

	r->slot_count = declared ? r->assembly->uniform_count : r->launch.binding_count;
	r->slots = calloc((size_t)r->slot_count + 1, sizeof(*r->slots));
	if (!r->slots)
		return v3dcl_fail(r->error, -ENOMEM, "no memory");
	for (i = 0; i < r->slot_count && !ret; i++) {
		struct slot *slot = &r->slots[i];

		if (declared) {
			ret = fill_declared(r, i);
		} else {
			slot->binding = &r->launch.bindings[i];
			slot->handle = slot->binding->handle;
		}
		if (slot->binding && slot->binding->flags)
			slot->flags = slot->binding->flags;
		slot->flags = slot->flags ?: READ_WRITE;
		r->reloc_slots += !!slot->handle;
	}
	return ret;
}

static uint32_t value_of(const struct slot *slot, uint32_t run)
{
	const struct v3dcl_binding *b = slot->binding;

	if (!b)
		return slot->value;
	return slot->value + (b->each ? b->each[run] : b->value + run * b->step);
}

/* Runs @first to @first + @count - 1 */
static int submit(struct running *r, uint32_t first, uint32_t count, uint64_t *seqno)
{
	struct drm_v3dcl_program *programs = calloc(count, sizeof(*programs));
	uint32_t *uniforms = calloc((size_t)count * r->slot_count + 1, sizeof(*uniforms));
	struct drm_v3dcl_reloc *relocs = calloc((size_t)count * r->reloc_slots + 1,
						sizeof(*relocs)), *reloc = relocs;
	struct drm_v3dcl_submit_qpu submit = {
		.programs = (uintptr_t)programs, .program_count = count,
		.uniforms = (uintptr_t)uniforms, .uniform_count = count * r->slot_count,
		.relocs = (uintptr_t)relocs, .reloc_count = count * r->reloc_slots,
		.perfmon = r->launch.perfmon, .timeout_ns = r->launch.timeout_ns,
	};
	uint32_t i, j;
	int ret = programs && uniforms && relocs ? 0 : -ENOMEM;

	if (ret)
		v3dcl_fail(r->error, ret, "no memory");
	for (i = 0; i < count && !ret; i++) {
		programs[i] = (struct drm_v3dcl_program){
			.handle = r->launch.program, .first_uniform = i * r->slot_count,
			.uniform_count = r->slot_count,
		};
		for (j = 0; j < r->slot_count; j++) {
			const struct slot *slot = &r->slots[j];
			const uint32_t value = value_of(slot, first + i);

			if (slot->handle)
				*reloc++ = (struct drm_v3dcl_reloc){ i, j, slot->handle, value,
								     slot->flags, 0 };
			else
				uniforms[i * r->slot_count + j] = value;
		}
	}
	if (!ret)
		ret = v3dcl_submit_programs(r->device, &submit, r->error);
	*seqno = submit.seqno;
	free(programs);
	free(uniforms);
	free(relocs);
	return ret;
}

/* How many runs a submit takes; what a driver does not say it says when it refuses */
static int runs_at_once(struct running *r, uint32_t *most)
{
	struct v3dcl_info info;
	int ret = v3dcl_device_info(r->device, &info, r->error);

	if (ret)
		return ret;
	*most = info.max_programs ?: UINT32_MAX;
	if (info.max_uniforms && r->slot_count)
		*most = MIN(*most, info.max_uniforms / r->slot_count);
	if (info.max_relocs && r->reloc_slots)
		*most = MIN(*most, info.max_relocs / r->reloc_slots);
	if (!*most)
		return v3dcl_fail(r->error, -E2BIG,
				  "%u uniforms, %u of them addresses; this device takes at most %u "
				  "and %u", r->slot_count, r->reloc_slots, info.max_uniforms,
				  info.max_relocs);
	if (r->launch.runs > *most &&
	    code_has_semaphores(r->assembly->code, r->assembly->code_count))
		return v3dcl_fail(r->error, -E2BIG,
				  "%u runs; at most %u in a submit, and the program has "
				  "semaphores, so that they cannot run in several",
				  r->launch.runs, *most);
	return 0;
}

static int run_all(struct running *r)
{
	uint32_t first, count, most = 0;
	uint64_t seqno = 0;
	int ret = runs_at_once(r, &most);

	for (first = 0; first < r->launch.runs && !ret; first += count) {
		count = MIN(r->launch.runs - first, most);
		ret = submit(r, first, count, &seqno);
		if (!ret)
			ret = v3dcl_wait(r->device, seqno, UINT64_MAX, r->error);
	}
	return ret;
}

int v3dcl_run_program(struct v3dcl_device *device, const struct v3dcl_assembly *assembly,
		      const struct v3dcl_launch *launch, struct v3dcl_error *error)
{
	struct running r = { .device = device, .assembly = assembly, .error = error };
	int ret = options_take(&r.launch, sizeof(r.launch), launch, "v3dcl_launch", error);

	if (ret)
		return ret;
	r.launch.runs = r.launch.runs ?: 1;
	ret = fill_slots(&r);
	if (!ret && !r.launch.program) {
		ret = v3dcl_bo_create_program(device, assembly->code, assembly->code_count, 0,
					      &r.program, error);
		r.launch.program = r.program;
	}
	if (!ret)
		ret = run_all(&r);
	if (r.program)
		v3dcl_bo_close(device, r.program);
	if (r.data)
		v3dcl_bo_close(device, r.data);
	free(r.slots);
	return ret;
}
