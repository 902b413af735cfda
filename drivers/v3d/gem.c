// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ioctls of BOs, as Mesa's vc4 and IGT's vc4 tests expect them: which errno for what is their
 * ABI.
 */
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <drm/drm_fourcc.h>

#include "drv.h"

#define V3D_MAX_LABEL 1024	/* bytes; a label only helps people */

/**
 * bv3d_create_bo_ioctl() - CREATE_BO: zeroed memory for the V3D
 * @dev: the device
 * @data: &struct drm_vc4_create_bo
 * @file_priv: the caller's file
 *
 * Return: 0, -EINVAL for flags, a pad or size 0; -ENOMEM when the budget or memory is spent
 */
int bv3d_create_bo_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv)
{
	struct drm_vc4_create_bo *args = data;
	struct bv3d_bo *bo;
	int ret;

	if (args->flags || args->pad)
		return -EINVAL;
	bo = bv3d_bo_create(to_bv3d_device(dev), args->size, V3D_BO_PLAIN, "plain");
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	ret = drm_gem_handle_create(file_priv, &bo->base, &args->handle);
	drm_gem_object_put(&bo->base);
	return ret;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_create_bo_ioctl);

/**
 * bv3d_mmap_bo_ioctl() - MMAP_BO: where mmap() finds a BO
 * @dev: the device
 * @data: &struct drm_vc4_mmap_bo
 * @file_priv: the caller's file
 *
 * Return: 0, -EINVAL for flags, an unknown handle, or a BO of code
 */
int bv3d_mmap_bo_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv)
{
	struct drm_vc4_mmap_bo *args = data;
	struct bv3d_bo *bo;
	int ret = -EINVAL;

	if (args->flags)
		return -EINVAL;
	bo = bv3d_bo_lookup(file_priv, args->handle);
	if (!bo)
		return -EINVAL;
	if (bo->kind == V3D_BO_PLAIN) {
		args->offset = drm_vma_node_offset_addr(&bo->base.vma_node);
		ret = 0;
	}
	drm_gem_object_put(&bo->base);
	return ret;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_mmap_bo_ioctl);

/**
 * bv3d_set_tiling_ioctl() - SET_TILING: how a BO is laid out, for who imports it
 * @dev: the device
 * @data: &struct drm_vc4_set_tiling
 * @file_priv: the caller's file
 *
 * Return: 0, -EINVAL for flags or an unknown modifier, -ENOENT for an unknown handle
 */
int bv3d_set_tiling_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv)
{
	struct drm_vc4_set_tiling *args = data;
	struct bv3d_mem *mem = &to_bv3d_device(dev)->mem;
	struct bv3d_bo *bo;

	if (args->flags)
		return -EINVAL;
	if (args->modifier != DRM_FORMAT_MOD_LINEAR &&
	    args->modifier != DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED)
		return -EINVAL;
	bo = bv3d_bo_lookup(file_priv, args->handle);
	if (!bo)
		return -ENOENT;
	mutex_lock(&mem->lock);
	bo->t_tiled = args->modifier == DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED;
	mutex_unlock(&mem->lock);
	drm_gem_object_put(&bo->base);
	return 0;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_set_tiling_ioctl);

/**
 * bv3d_get_tiling_ioctl() - GET_TILING: what SET_TILING was told
 * @dev: the device
 * @data: &struct drm_vc4_get_tiling
 * @file_priv: the caller's file
 *
 * Return: 0, -EINVAL for flags or a modifier, -ENOENT for an unknown handle
 */
int bv3d_get_tiling_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv)
{
	struct drm_vc4_get_tiling *args = data;
	struct bv3d_mem *mem = &to_bv3d_device(dev)->mem;
	struct bv3d_bo *bo;

	if (args->flags || args->modifier)
		return -EINVAL;
	bo = bv3d_bo_lookup(file_priv, args->handle);
	if (!bo)
		return -ENOENT;
	mutex_lock(&mem->lock);
	args->modifier = bo->t_tiled ? DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED : DRM_FORMAT_MOD_LINEAR;
	mutex_unlock(&mem->lock);
	drm_gem_object_put(&bo->base);
	return 0;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_get_tiling_ioctl);

/**
 * bv3d_label_bo_ioctl() - LABEL_BO: a name for debugfs
 * @dev: the device
 * @data: &struct drm_vc4_label_bo
 * @file_priv: the caller's file
 *
 * Return: 0, -EINVAL for more than V3D_MAX_LABEL bytes, -ENOENT for an unknown handle, -EFAULT,
 * -ENOMEM
 */
int bv3d_label_bo_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv)
{
	struct drm_vc4_label_bo *args = data;
	struct bv3d_mem *mem = &to_bv3d_device(dev)->mem;
	const char *old = NULL;
	struct bv3d_bo *bo;
	char *label;

	if (args->len > V3D_MAX_LABEL)
		return -EINVAL;
	bo = bv3d_bo_lookup(file_priv, args->handle);
	if (!bo)
		return -ENOENT;
	label = memdup_user_nul(u64_to_user_ptr(args->name), args->len);
	if (IS_ERR(label)) {
		drm_gem_object_put(&bo->base);
		return PTR_ERR(label);
	}

	mutex_lock(&mem->lock);
	if (bo->label_allocated)
		old = bo->label;
	bo->label = label;
	bo->label_allocated = true;
	mutex_unlock(&mem->lock);
	kfree(old);
	drm_gem_object_put(&bo->base);
	return 0;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_label_bo_ioctl);

/* What is purged stays purged: who asks for it back learns that it must be made anew. */
static int bv3d_bo_madvise(struct bv3d_bo *bo, bool needed, u32 *retained)
{
	struct bv3d_mem *mem = &to_bv3d_device(bo->base.dev)->mem;

	if (bo->kind != V3D_BO_PLAIN || bo->base.import_attach)
		return -EINVAL;
	mutex_lock(&mem->lock);
	if (bo->state != V3D_BO_PURGED)
		bo->state = needed ? V3D_BO_NEEDED : V3D_BO_UNNEEDED;
	bv3d_mem_set_purgeable(mem, bo);
	*retained = bo->state != V3D_BO_PURGED;
	mutex_unlock(&mem->lock);
	return 0;
}

/**
 * bv3d_gem_madvise_ioctl() - GEM_MADVISE: are a BO's contents needed?
 * @dev: the device
 * @data: &struct drm_vc4_gem_madvise
 * @file_priv: the caller's file
 *
 * Return: 0, -EINVAL for a pad, unknown advice, an import or a BO of code; -ENOENT for an unknown
 * handle
 */
int bv3d_gem_madvise_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv)
{
	struct drm_vc4_gem_madvise *args = data;
	struct bv3d_bo *bo;
	int ret;

	if (args->pad || (args->madv != VC4_MADV_WILLNEED && args->madv != VC4_MADV_DONTNEED))
		return -EINVAL;
	bo = bv3d_bo_lookup(file_priv, args->handle);
	if (!bo)
		return -ENOENT;
	ret = bv3d_bo_madvise(bo, args->madv == VC4_MADV_WILLNEED, &args->retained);
	drm_gem_object_put(&bo->base);
	return ret;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_gem_madvise_ioctl);
