// SPDX-License-Identifier: GPL-2.0-only
/*
 * BOs of QPU code. The code is copied once, checked in kernel memory, and only then put where the
 * V3D can run it; no user can map or change it later. What the check found about it stays with the
 * BO, for the checks of jobs that use it.
 */
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "drv.h"

/* A shader's record and its arrays, in one piece */
static struct v3dcl_shader *bv3d_shader_keep(const struct v3dcl_shader *found)
{
	struct v3dcl_shader *shader = kmalloc(size_add(sizeof(*shader), v3dcl_shader_bytes(found)),
					      GFP_KERNEL_ACCOUNT);

	if (!shader)
		return NULL;
	*shader = *found;
	v3dcl_keep_shader(shader, shader + 1);
	return shader;
}

static int bv3d_shader_check(struct bv3d_file *file, const u64 *code, u32 size,
			     struct v3dcl_shader **shader)
{
	u32 count = size / sizeof(*code), scratch_bytes = v3dcl_shader_scratch(code, count);
	void *scratch = kvmalloc(scratch_bytes, GFP_KERNEL_ACCOUNT);
	struct v3dcl_refusal refusal = {};
	struct v3dcl_shader found;
	int ret = 0;

	if (!scratch)
		return -ENOMEM;
	if (!v3dcl_check_shader(code, count, scratch, scratch_bytes, &found, &refusal)) {
		ret = bv3d_refuse(file, &refusal);
	} else {
		*shader = bv3d_shader_keep(&found);
		if (!*shader)
			ret = -ENOMEM;
	}
	kvfree(scratch);
	return ret;
}

/* A program's record and its array, in one piece */
static struct v3dcl_program *bv3d_program_keep(const struct v3dcl_program *found)
{
	struct v3dcl_program *program =
		kmalloc(size_add(sizeof(*program), v3dcl_program_bytes(found)), GFP_KERNEL_ACCOUNT);

	if (!program)
		return NULL;
	*program = *found;
	v3dcl_keep_program(program, program + 1);
	return program;
}

static int bv3d_program_verify(struct bv3d_file *file, const u64 *code, u32 size,
			       struct v3dcl_program **program)
{
	u32 count = size / sizeof(*code), scratch_bytes = v3dcl_program_scratch(code, count);
	void *scratch = kvmalloc(scratch_bytes, GFP_KERNEL_ACCOUNT);
	struct v3dcl_refusal refusal = {};
	struct v3dcl_program found;
	int ret = 0;

	if (!scratch)
		return -ENOMEM;
	if (!v3dcl_check_program(code, count, scratch, scratch_bytes, &found, &refusal)) {
		ret = bv3d_refuse(file, &refusal);
	} else {
		*program = bv3d_program_keep(&found);
		if (!*program)
			ret = -ENOMEM;
	}
	kvfree(scratch);
	return ret;
}

static int bv3d_program_trust(struct bv3d_file *file, const u64 *code, u32 size,
			      struct v3dcl_program **program)
{
	struct v3dcl_refusal refusal = {};
	struct v3dcl_program found;

	if (!v3dcl_check_unverified(code, size / sizeof(*code), &found, &refusal))
		return bv3d_refuse(file, &refusal);
	*program = bv3d_program_keep(&found);
	return *program ? 0 : -ENOMEM;
}

/*
 * The BO of checked code, with a handle. What the checks found is the BO's from here on, whatever
 * is returned.
 */
static int bv3d_code_publish(struct drm_file *file_priv, const u64 *code, u32 size,
			     struct v3dcl_shader *shader, struct v3dcl_program *program,
			     u32 *handle)
{
	struct bv3d_file *file = file_priv->driver_priv;
	struct bv3d_bo *bo;
	int ret;

	bo = bv3d_bo_create(file->v3d, size, shader ? V3D_BO_SHADER : V3D_BO_PROGRAM,
			    shader ? "shader" : "program");
	if (IS_ERR(bo)) {
		kfree(shader);
		kfree(program);
		return PTR_ERR(bo);
	}
	bo->shader = shader;
	bo->program = program;
	memcpy(bo->vaddr, code, size);
	ret = drm_gem_handle_create(file_priv, &bo->base, handle);
	drm_gem_object_put(&bo->base);
	return ret;
}

/**
 * bv3d_create_shader_bo_ioctl() - CREATE_SHADER_BO: an immutable BO of a checked shader
 * @dev: the device
 * @data: &struct drm_vc4_create_shader_bo
 * @file_priv: the caller's file
 *
 * Return: 0, -EINVAL for flags, a pad, a size that is 0, no multiple of 8 or above 1 MiB, or when
 * the code is refused (GET_REFUSAL tells why); -EFAULT, -ENOMEM
 */
int bv3d_create_shader_bo_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv)
{
	struct drm_vc4_create_shader_bo *args = data;
	struct v3dcl_shader *shader = NULL;
	u64 *code;
	int ret;

	if (!v3dcl_create_shader_valid(args))
		return -EINVAL;
	code = vmemdup_user(u64_to_user_ptr(args->data), args->size);
	if (IS_ERR(code))
		return PTR_ERR(code);
	ret = bv3d_shader_check(file_priv->driver_priv, code, args->size, &shader);
	if (!ret)
		ret = bv3d_code_publish(file_priv, code, args->size, shader, NULL, &args->handle);
	kvfree(code);
	return ret;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_create_shader_bo_ioctl);

/**
 * bv3d_create_program_ioctl() - CREATE_PROGRAM: an immutable BO of a user program
 * @dev: the device
 * @data: &struct drm_v3dcl_create_program
 * @file_priv: the caller's file
 *
 * Return: 0, -EACCES when the flags ask for more than the caller may, -EINVAL for flags, a pad, a
 * size that is 0, no multiple of 8 or above 1 MiB, or when the code is refused (GET_REFUSAL tells
 * why); -EFAULT, -ENOMEM
 */
int bv3d_create_program_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv)
{
	struct drm_v3dcl_create_program *args = data;
	bool trusted = args->flags & DRM_V3DCL_PROGRAM_UNVERIFIED;
	struct v3dcl_program *program = NULL;
	u64 *code;
	int ret;

	if (!v3dcl_create_program_valid(args))
		return -EINVAL;
	ret = trusted ? bv3d_run_unverified() : 0;
	if (ret)
		return ret;
	code = vmemdup_user(u64_to_user_ptr(args->code), args->size);
	if (IS_ERR(code))
		return PTR_ERR(code);
	if (trusted)
		ret = bv3d_program_trust(file_priv->driver_priv, code, args->size, &program);
	else
		ret = bv3d_program_verify(file_priv->driver_priv, code, args->size, &program);
	if (!ret)
		ret = bv3d_code_publish(file_priv, code, args->size, NULL, program, &args->handle);
	kvfree(code);
	return ret;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_create_program_ioctl);
