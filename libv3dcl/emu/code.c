// SPDX-License-Identifier: MIT
/* BOs of QPU code: checked once, then only the chip sees them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static int check_shader(struct emu_file *file, const uint64_t *code, uint32_t count,
			struct v3dcl_shader **out)
{
	uint32_t scratch_bytes = v3dcl_shader_scratch((const __u64 *)code, count);
	void *scratch = malloc(scratch_bytes);
	struct v3dcl_refusal refusal = { 0 };
	struct v3dcl_shader found;
	int ret = 0;

	if (!scratch)
		return -ENOMEM;
	if (!v3dcl_check_shader((const __u64 *)code, count, scratch, scratch_bytes, &found,
				&refusal)) {
		ret = emu_refuse(file, &refusal);
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

static int keep_program(struct v3dcl_program **out, const struct v3dcl_program *found)
{
	*out = malloc(sizeof(**out) + v3dcl_program_bytes(found));
	if (!*out)
		return -ENOMEM;
	**out = *found;
	v3dcl_keep_program(*out, *out + 1);
	return 0;
}

static int verify_program(struct emu_file *file, const uint64_t *code, uint32_t count,
			  struct v3dcl_program **out)
{
	uint32_t scratch_bytes = v3dcl_program_scratch((const __u64 *)code, count);
	void *scratch = malloc(scratch_bytes);
	struct v3dcl_refusal refusal = { 0 };
	struct v3dcl_program found;
	int ret;

	if (!scratch)
		return -ENOMEM;
	if (v3dcl_check_program((const __u64 *)code, count, scratch, scratch_bytes, &found,
				&refusal))
		ret = keep_program(out, &found);
	else
		ret = emu_refuse(file, &refusal);
	free(scratch);
	return ret;
}

static int trust_program(struct emu_file *file, const uint64_t *code, uint32_t count,
			 struct v3dcl_program **out)
{
	struct v3dcl_refusal refusal = { 0 };
	struct v3dcl_program found;

	if (!v3dcl_check_unverified((const __u64 *)code, count, &found, &refusal))
		return emu_refuse(file, &refusal);
	return keep_program(out, &found);
}

/* What the checks found is the BO's from here on, whatever is returned */
static int publish(struct emu_file *file, const void *code, uint32_t size,
		   struct v3dcl_shader *shader, struct v3dcl_program *program, uint32_t *handle)
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

int emu_create_shader_bo(struct emu_file *file, void *arg)
{
	struct drm_vc4_create_shader_bo *args = arg;
	struct v3dcl_shader *shader = NULL;
	void *code;
	int ret;

	if (!v3dcl_create_shader_valid(args))
		return -EINVAL;
	ret = user_dup(&code, args->data, args->size, 1);
	if (ret)
		return ret;
	ret = check_shader(file, code, args->size / sizeof(uint64_t), &shader);
	if (!ret)
		ret = publish(file, code, args->size, shader, NULL, &args->handle);
	free(code);
	return ret;
}

int emu_create_program(struct emu_file *file, void *arg)
{
	struct drm_v3dcl_create_program *args = arg;
	bool trusted = args->flags & DRM_V3DCL_PROGRAM_UNVERIFIED;
	struct v3dcl_program *program = NULL;
	void *code;
	int ret;

	if (!v3dcl_create_program_valid(args))
		return -EINVAL;
	if (trusted && !emu_may_run_unverified(file->dev))
		return -EACCES;
	ret = user_dup(&code, args->code, args->size, 1);
	if (ret)
		return ret;
	ret = trusted ? trust_program(file, code, args->size / sizeof(uint64_t), &program) :
			verify_program(file, code, args->size / sizeof(uint64_t), &program);
	if (!ret)
		ret = publish(file, code, args->size, NULL, program, &args->handle);
	free(code);
	return ret;
}
