// SPDX-License-Identifier: GPL-2.0-only
/*
 * The plane: what is to be shown, and where it changed. That the V3D copies it is prepared when a
 * commit is checked, where memory may be waited for.
 */
#include <linux/slab.h>

#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_damage_helper.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_framebuffer.h>
#include <drm/drm_gem_atomic_helper.h>
#include <drm/drm_gem_framebuffer_helper.h>

#include "jobs.h"
#include "kms.h"

struct bv3d_plane_state {
	struct drm_shadow_plane_state base;
	struct bv3d_submit *copy;	/* not run yet, or NULL */
};

static struct bv3d_plane_state *bv3d_plane_state(struct drm_plane_state *state)
{
	return container_of(to_drm_shadow_plane_state(state), struct bv3d_plane_state, base);
}

static struct bv3d_kms *bv3d_plane_kms(struct drm_plane *plane)
{
	return container_of(plane, struct bv3d_kms, plane);
}

static struct bv3d_submit *bv3d_plane_take_copy(struct drm_plane_state *state)
{
	struct bv3d_submit *copy = bv3d_plane_state(state)->copy;

	bv3d_plane_state(state)->copy = NULL;
	return copy;
}

static void bv3d_plane_drop_copy(struct bv3d_submit *copy)
{
	if (copy)
		bv3d_submit_put(copy);
}

/* Without the processor's address */
static struct bv3d_pixels bv3d_plane_pixels(const struct drm_plane_state *state)
{
	const struct drm_framebuffer *fb = state->fb;
	const struct bv3d_bo *bo = to_bv3d_bo(fb->obj[0]);

	return (struct bv3d_pixels){
		.address = bo->kind == V3D_BO_PLAIN ? bv3d_bo_address(bo) + fb->offsets[0] : 0,
		.size = bo->base.size - fb->offsets[0],
		.pitch = fb->pitches[0], .bytes = fb->format->cpp[0],
		.t_tiled = fb->modifier == DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED,
		.x = state->src.x1 >> 16, .y = state->src.y1 >> 16,
	};
}

/* While another picture is copied, none is prepared: no check sleeps on the V3D */
static void bv3d_plane_prepare(struct bv3d_kms *kms, struct drm_plane_state *state)
{
	const struct bv3d_pixels pixels = bv3d_plane_pixels(state);

	bv3d_plane_drop_copy(bv3d_plane_take_copy(state));
	if (!mutex_trylock(&kms->lock))
		return;
	bv3d_plane_state(state)->copy = bv3d_copy_prepare(&kms->lent, &pixels,
							  to_bv3d_bo(state->fb->obj[0]));
	mutex_unlock(&kms->lock);
}

static int bv3d_plane_check(struct drm_plane *plane, struct V3D_ATOMIC_STATE *state)
{
	struct drm_plane_state *new = drm_atomic_get_new_plane_state(state, plane);
	struct drm_crtc_state *crtc_state = NULL;
	int ret;

	if (new->crtc)
		crtc_state = drm_atomic_get_new_crtc_state(state, new->crtc);
	if (!crtc_state) {
		new->visible = false;
		return 0;
	}
	ret = drm_atomic_helper_check_plane_state(new, crtc_state, DRM_PLANE_NO_SCALING,
						  DRM_PLANE_NO_SCALING, false, true);
	/* A plane of a CRTC that is off is not updated, and would keep it */
	if (!ret && new->visible && crtc_state->active)
		bv3d_plane_prepare(bv3d_plane_kms(plane), new);
	return ret;
}

static void bv3d_plane_show(struct bv3d_kms *kms, struct drm_plane_state *old,
			    struct drm_plane_state *new, struct bv3d_submit *copy)
{
	const struct iosys_map *map = &to_drm_shadow_plane_state(new)->data[0];
	struct bv3d_pixels pixels;
	struct drm_rect changed;

	if (!drm_atomic_helper_damage_merged(old, new, &changed) || map->is_iomem)
		return;
	pixels = bv3d_plane_pixels(new);
	pixels.vaddr = map->vaddr;
	/* Damage is told in pixels of the frame buffer */
	drm_rect_translate(&changed, -(int)pixels.x, -(int)pixels.y);
	drm_gem_fb_begin_cpu_access(new->fb, DMA_FROM_DEVICE);
	bv3d_kms_show(kms, &pixels, &changed, copy);
	drm_gem_fb_end_cpu_access(new->fb, DMA_FROM_DEVICE);
}

static void bv3d_plane_update(struct drm_plane *plane, struct V3D_ATOMIC_STATE *state)
{
	struct drm_plane_state *old = drm_atomic_get_old_plane_state(state, plane);
	struct drm_plane_state *new = drm_atomic_get_new_plane_state(state, plane);
	struct bv3d_submit *copy = bv3d_plane_take_copy(new);

	bv3d_plane_show(bv3d_plane_kms(plane), old, new, copy);
	bv3d_plane_drop_copy(copy);
}

static void bv3d_plane_disable(struct drm_plane *plane, struct V3D_ATOMIC_STATE *state)
{
	bv3d_kms_black(bv3d_plane_kms(plane));
}

static const struct drm_plane_helper_funcs bv3d_plane_helpers = {
	DRM_GEM_SHADOW_PLANE_HELPER_FUNCS,
	.atomic_check = bv3d_plane_check,
	.atomic_update = bv3d_plane_update,
	.atomic_disable = bv3d_plane_disable,
};

static bool bv3d_plane_has_format(struct drm_plane *plane, u32 format, u64 modifier)
{
	return modifier == DRM_FORMAT_MOD_LINEAR || modifier == DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED;
}

static struct drm_plane_state *bv3d_plane_duplicate_state(struct drm_plane *plane)
{
	struct bv3d_plane_state *state;

	if (!plane->state)
		return NULL;
	state = kzalloc(sizeof(*state), GFP_KERNEL);
	if (!state)
		return NULL;
	__drm_gem_duplicate_shadow_plane_state(plane, &state->base);
	return &state->base.base;
}

static void bv3d_plane_destroy_state(struct drm_plane *plane, struct drm_plane_state *state)
{
	bv3d_plane_drop_copy(bv3d_plane_take_copy(state));
	__drm_gem_destroy_shadow_plane_state(to_drm_shadow_plane_state(state));
	kfree(bv3d_plane_state(state));
}

static void bv3d_plane_reset(struct drm_plane *plane)
{
	struct bv3d_plane_state *state = kzalloc(sizeof(*state), GFP_KERNEL);

	if (plane->state)
		bv3d_plane_destroy_state(plane, plane->state);
	plane->state = NULL;
	if (state)
		__drm_gem_reset_shadow_plane(plane, &state->base);
}

static const struct drm_plane_funcs bv3d_plane_funcs = {
	.destroy = drm_plane_cleanup,
	.reset = bv3d_plane_reset,
	.atomic_duplicate_state = bv3d_plane_duplicate_state,
	.atomic_destroy_state = bv3d_plane_destroy_state,
	.update_plane = drm_atomic_helper_update_plane,
	.disable_plane = drm_atomic_helper_disable_plane,
	.format_mod_supported = bv3d_plane_has_format,
};

/**
 * bv3d_plane_init() - the display's only plane
 * @dev: the device
 * @kms: whose
 *
 * Return: 0, or what DRM says
 */
int bv3d_plane_init(struct drm_device *dev, struct bv3d_kms *kms)
{
	/* Below the plane is black: colours that alpha is multiplied into are seen as they are */
	static const u32 formats[] = { DRM_FORMAT_XRGB8888, DRM_FORMAT_ARGB8888,
				       DRM_FORMAT_RGB565 };
	static const u64 modifiers[] = { DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED,
					 DRM_FORMAT_MOD_LINEAR, DRM_FORMAT_MOD_INVALID };
	int ret;

	ret = drm_universal_plane_init(dev, &kms->plane, 1, &bv3d_plane_funcs, formats,
				       ARRAY_SIZE(formats), modifiers, DRM_PLANE_TYPE_PRIMARY,
				       NULL);
	if (ret)
		return ret;
	drm_plane_helper_add(&kms->plane, &bv3d_plane_helpers);
	drm_plane_enable_fb_damage_clips(&kms->plane);
	return 0;
}
