// SPDX-License-Identifier: GPL-2.0-only
/* Frame buffers: which BOs can be shown, and dumb ones for what a processor draws */
#include <linux/slab.h>

#include <drm/drm_atomic_helper.h>
#include <drm/drm_damage_helper.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_framebuffer.h>
#include <drm/drm_gem_framebuffer_helper.h>
#include <drm/drm_modeset_helper.h>
#include <drm/drm_plane.h>
#include <drm/drm_vma_manager.h>

#include "kms.h"

#define BV3D_DUMB_PITCH 64	/* bytes that rows of dumb buffers are multiples of */

/* The contents of a frame buffer are needed as long as it is there */
static void bv3d_fb_destroy(struct drm_framebuffer *fb)
{
	bv3d_bo_unuse(to_bv3d_bo(fb->obj[0]));
	drm_gem_fb_destroy(fb);
}

static const struct drm_framebuffer_funcs bv3d_fb_funcs = {
	.destroy = bv3d_fb_destroy,
	.create_handle = drm_gem_fb_create_handle,
	.dirty = drm_atomic_helper_dirtyfb,
};

/* T-format has whole tiles, and none above the first */
static int bv3d_fb_check(const struct drm_framebuffer *fb, const struct bv3d_bo *bo)
{
	u64 bytes = (u64)fb->pitches[0] * (fb->height - 1) +
		    (u64)fb->width * fb->format->cpp[0];

	if ((bo->kind != V3D_BO_PLAIN && bo->kind != V3D_BO_FOREIGN) ||
	    fb->pitches[0] < fb->width * fb->format->cpp[0])
		return -EINVAL;
	if (fb->modifier == DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED) {
		if (fb->pitches[0] % BV3D_TILE_ROW || fb->offsets[0])
			return -EINVAL;
		bytes = (u64)fb->pitches[0] * round_up(fb->height, BV3D_TILE_ROWS);
	}
	return fb->offsets[0] + bytes > bo->base.size ? -EINVAL : 0;
}

/* The BO's reference becomes the frame buffer's. */
static int bv3d_fb_init(struct drm_framebuffer *fb, struct drm_device *dev, struct bv3d_bo *bo)
{
	int ret = bv3d_fb_check(fb, bo);

	if (!ret)
		ret = bv3d_bo_use(bo);
	if (ret)
		return ret;
	fb->obj[0] = &bo->base;
	ret = drm_framebuffer_init(dev, fb, &bv3d_fb_funcs);
	if (ret)
		bv3d_bo_unuse(bo);
	return ret;
}

/**
 * bv3d_fb_create() - ADDFB: a BO can be shown
 * @dev: the device
 * @file: the caller's file
 * @asked: how the picture lies in its BO
 *
 * Without modifiers it lies as SET_TILING says: Mesa's screens do.
 *
 * Return: it, or an ERR_PTR: -ENOENT for an unknown handle; -EINVAL for what cannot be shown, or
 * goes beyond its BO; -ENOMEM
 */
struct drm_framebuffer *bv3d_fb_create(struct drm_device *dev, struct drm_file *file,
				       V3D_FB_INFO const struct drm_mode_fb_cmd2 *asked)
{
	struct drm_mode_fb_cmd2 command = *asked;
	struct bv3d_bo *bo = bv3d_bo_lookup(file, command.handles[0]);
	struct drm_framebuffer *fb;
	int ret = -EINVAL;

	if (!bo)
		return ERR_PTR(-ENOENT);
	fb = kzalloc(sizeof(*fb), GFP_KERNEL);
	if (!fb)
		ret = -ENOMEM;
	if (!(command.flags & DRM_MODE_FB_MODIFIERS) && READ_ONCE(bo->t_tiled))
		command.modifier[0] = DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED;
	if (fb && drm_any_plane_has_format(dev, command.pixel_format, command.modifier[0])) {
		V3D_FILL_FB(dev, fb, &command);
		ret = bv3d_fb_init(fb, dev, bo);
	}
	if (!ret)
		return fb;
	drm_gem_object_put(&bo->base);
	kfree(fb);
	return ERR_PTR(ret);
}

/* Pixels of 32 bits: of the limit of what may be shown, but not of memory */
static u32 bv3d_dumb_pitch(const struct drm_mode_create_dumb *args)
{
	u64 pitch = round_up(DIV_ROUND_UP_ULL((u64)args->width * args->bpp, 8), BV3D_DUMB_PITCH);

	return pitch <= U32_MAX ? pitch : 0;
}

/**
 * bv3d_dumb_create() - CREATE_DUMB: a linear BO for what a processor draws
 * @file_priv: the caller's file
 * @dev: the device
 * @args: filled
 *
 * Return: 0; -ENOSYS without a display; -EINVAL or -ENOMEM for more than there can be
 */
int bv3d_dumb_create(struct drm_file *file_priv, struct drm_device *dev,
		     struct drm_mode_create_dumb *args)
{
	u32 pitch = bv3d_dumb_pitch(args);
	u64 size = (u64)pitch * args->height;
	struct bv3d_bo *bo;
	int ret;

	if (!to_bv3d_device(dev)->kms)
		return -ENOSYS;
	if (!size || size > SIZE_MAX)
		return -EINVAL;
	bo = bv3d_bo_create(to_bv3d_device(dev), size, V3D_BO_PLAIN, "dumb");
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	args->pitch = pitch;
	args->size = bo->base.size;
	ret = drm_gem_handle_create(file_priv, &bo->base, &args->handle);
	drm_gem_object_put(&bo->base);
	return ret;
}

/**
 * bv3d_dumb_map_offset() - MAP_DUMB: where mmap() finds a BO
 * @file_priv: the caller's file
 * @dev: the device
 * @handle: from userspace
 * @offset: filled
 *
 * Return: 0; -ENOSYS without a display; -ENOENT for an unknown handle; -EINVAL for one that cannot
 * be mapped
 */
int bv3d_dumb_map_offset(struct drm_file *file_priv, struct drm_device *dev, u32 handle,
			 u64 *offset)
{
	struct bv3d_bo *bo;
	int ret = -EINVAL;

	if (!to_bv3d_device(dev)->kms)
		return -ENOSYS;
	bo = bv3d_bo_lookup(file_priv, handle);
	if (!bo)
		return -ENOENT;
	if (bo->kind == V3D_BO_PLAIN && !bo->base.import_attach) {
		*offset = drm_vma_node_offset_addr(&bo->base.vma_node);
		ret = 0;
	}
	drm_gem_object_put(&bo->base);
	return ret;
}
