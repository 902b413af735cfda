// SPDX-License-Identifier: MIT
/* BOs of QPU code: checked once, then only the chip sees them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

static int check_shader(struct sim_file *file, const uint64_t *code, uint32_t count, struct v3dcl_shader **out)
{
	uint32_t scratch_bytes = v3dcl_shader_scratch((const __u64 *)code, count);
	void *scratch = malloc(scratch_bytes);
	struct v3dcl_refusal refusal = { 0 };
	struct v3dcl_shader found;
	int ret = 0;

	if (!scratch)
		return -ENOMEM;
	if (!v3dcl_check_shader((const __u64 *)code, count, scratch, scratch_bytes, &found, &refusal)) {
		ret = sim_refuse(file, &refusal);
	} else {
		*out = malloc(sizeof(**out) + v3dcl_shader_bytes(&found));
		if (*out) {
			**out = found;
			v3dcl_keep_shader(*out, *out + 1);
		} else {
			ret = -ENOMEM;
		}
	}
	free(scratch);
	return ret;
}

static int check_program(struct sim_file *file, const uint64_t *code, uint32_t count, struct v3dcl_program **out)
{
	struct v3dcl_refusal refusal = { 0 };
	struct v3dcl_program found;

	if (!v3dcl_check_unproven((const __u64 *)code, count, &found, &refusal))
		return sim_refuse(file, &refusal);
	*out = malloc(sizeof(**out));
	if (!*out)
		return -ENOMEM;
	**out = found;
	return 0;
}

/* What the checks found is the BO's from here on, whatever is returned */
static int publish(struct sim_file *file, const void *code, uint32_t size, struct v3dcl_shader *shader,
		   struct v3dcl_program *program, uint32_t *handle)
{
	struct bo *bo;
	int ret;

	pthread_mutex_lock(&file->dev->lock);
	ret = bo_create(file->dev, size, false, &bo);
	if (ret) {
		free(shader);
		free(program);
	} else {
		bo->shader = shader;
		bo->program = program;
		memcpy(bo_cpu(bo), code, size);
		ret = bo_handle(file, bo, handle);
		bo_put(bo);
	}
	pthread_mutex_unlock(&file->dev->lock);
	return ret;
}

static int create(struct sim_file *file, uint64_t user, uint32_t size, bool is_shader, uint32_t *handle)
{
	struct v3dcl_program *program = NULL;
	struct v3dcl_shader *shader = NULL;
	uint32_t count = size / sizeof(uint64_t);
	void *code;
	int ret;

	if (!sim_is_root(file->dev))
		return -EACCES;
	if (!size || size % sizeof(uint64_t) || count > V3DCL_MAX_INSTRUCTIONS)
		return -EINVAL;
	ret = user_dup(&code, user, count, sizeof(uint64_t));
	if (ret)
		return ret;
	ret = is_shader ? check_shader(file, code, count, &shader) : check_program(file, code, count, &program);
	if (!ret)
		ret = publish(file, code, size, shader, program, handle);
	free(code);
	return ret;
}

int sim_create_shader_bo(struct sim_file *file, void *arg)
{
	struct drm_vc4_create_shader_bo *args = arg;

	if (args->flags || args->pad)
		return -EINVAL;
	return create(file, args->data, args->size, true, &args->handle);
}

int sim_create_program(struct sim_file *file, void *arg)
{
	struct drm_v3dcl_create_program *args = arg;

	if (args->flags & ~DRM_V3DCL_PROGRAM_UNPROVEN || args->pad)
		return -EINVAL;
	if (args->flags & DRM_V3DCL_PROGRAM_UNPROVEN && !sim_may_run_unproven(file->dev))
		return -EACCES;
	return create(file, args->code, args->size, false, &args->handle);
}
