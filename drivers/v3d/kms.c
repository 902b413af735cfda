// SPDX-License-Identifier: GPL-2.0-only
/*
 * The display: one CRTC with a primary plane and a connector, in the mode that the firmware has. A
 * commit copies the picture into the hidden screen and has the firmware show it. That is a message,
 * which sleeps and allocates; so events do not wait for its answer but for a timer at the display's
 * rate, since the firmware has no vertical blank to tell of.
 */
#include <linux/moduleparam.h>
#include <linux/of.h>
#include <linux/seq_file.h>

#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_managed.h>
#include <drm/drm_print.h>
#include <drm/drm_probe_helper.h>
#include <drm/drm_vblank.h>

#include "kms.h"

#define BV3D_HZ 60		/* the firmware does not say at which rate it shows pictures */

static char *bv3d_kms_wanted = "auto";
module_param_named(kms, bv3d_kms_wanted, charp, 0444);
MODULE_PARM_DESC(kms, "a display: 1, 0, or auto: where the kernel's vc4 is to have none (auto)");

/* The pipe's only CRTC is the first */
static u64 bv3d_kms_period(const struct bv3d_kms *kms)
{
	return kms->crtc.dev->vblank[0].framedur_ns;
}

/* What stepped back has no screen */
static int bv3d_kms_flip(struct bv3d_kms *kms, const struct bv3d_pixels *pixels,
			 const struct drm_rect *changed, struct bv3d_submit *copy)
{
	int ret = 0;

	mutex_lock(&kms->lock);
	if (kms->lent.vaddr) {
		ret = bv3d_screen_flip(&kms->lent, pixels, changed, copy);
		bv3d_crc_look(kms);
	}
	mutex_unlock(&kms->lock);
	return ret;
}

/**
 * bv3d_kms_show() - a picture is seen from here on
 * @kms: the display
 * @pixels: as for bv3d_screen_flip(), like the others
 * @changed: where
 * @copy: how
 */
void bv3d_kms_show(struct bv3d_kms *kms, const struct bv3d_pixels *pixels,
		   const struct drm_rect *changed, struct bv3d_submit *copy)
{
	struct drm_device *dev = kms->plane.dev;
	int ret, idx;

	if (!drm_dev_enter(dev, &idx))
		return;
	ret = bv3d_kms_flip(kms, pixels, changed, copy);
	drm_dev_exit(idx);
	if (ret)
		dev_err_ratelimited(dev->dev, "the firmware does not show a picture: %d\n", ret);
}

/**
 * bv3d_kms_black() - nothing is seen
 * @kms: the display
 *
 * QEMU's firmware does not blank a screen: it is painted black.
 */
void bv3d_kms_black(struct bv3d_kms *kms)
{
	const struct drm_rect all = DRM_RECT_INIT(0, 0, kms->lent.ours.width,
						  kms->lent.ours.height);

	bv3d_kms_show(kms, NULL, &all, NULL);
}

static enum hrtimer_restart bv3d_kms_timer(struct hrtimer *timer)
{
	struct bv3d_kms *kms = container_of(timer, struct bv3d_kms, timer);
	u64 period = bv3d_kms_period(kms);

	hrtimer_forward_now(timer, ns_to_ktime(period));
	atomic64_set(&kms->began, ktime_to_ns(hrtimer_get_expires(timer)) - period);
	drm_crtc_handle_vblank(&kms->crtc);
	bv3d_crc_tick(kms);
	return HRTIMER_RESTART;
}

static int bv3d_crtc_enable_vblank(struct drm_crtc *crtc)
{
	return 0;
}

/* The timer fires as long as the CRTC is on: who waits for it to end must hold no lock it takes */
static void bv3d_crtc_disable_vblank(struct drm_crtc *crtc)
{
}

static bool bv3d_crtc_vblank_timestamp(struct drm_crtc *crtc, int *max_error, ktime_t *at,
				       bool in_irq)
{
	*at = ns_to_ktime(atomic64_read(&bv3d_crtc_kms(crtc)->began));
	return true;
}

static void bv3d_crtc_enable(struct drm_crtc *crtc, struct V3D_ATOMIC_STATE *state)
{
	struct bv3d_kms *kms = bv3d_crtc_kms(crtc);
	u64 now = ktime_get_ns();

	drm_calc_timestamping_constants(crtc, &crtc->state->adjusted_mode);
	atomic64_set(&kms->began, now);
	drm_crtc_vblank_on(crtc);
	hrtimer_start(&kms->timer, ns_to_ktime(now + bv3d_kms_period(kms)),
		      HRTIMER_MODE_ABS);
}

/* With its CRTC a plane goes without its own disable being called */
static void bv3d_crtc_disable(struct drm_crtc *crtc, struct V3D_ATOMIC_STATE *state)
{
	struct drm_pending_vblank_event *event = crtc->state->event;
	struct bv3d_kms *kms = bv3d_crtc_kms(crtc);

	drm_crtc_vblank_off(crtc);
	hrtimer_cancel(&kms->timer);
	bv3d_kms_black(kms);
	if (!event || crtc->state->active)
		return;
	crtc->state->event = NULL;
	spin_lock_irq(&crtc->dev->event_lock);
	drm_crtc_send_vblank_event(crtc, event);
	spin_unlock_irq(&crtc->dev->event_lock);
}

static void bv3d_crtc_flush(struct drm_crtc *crtc, struct V3D_ATOMIC_STATE *state)
{
	struct drm_pending_vblank_event *event = crtc->state->event;

	if (!event)
		return;
	crtc->state->event = NULL;
	spin_lock_irq(&crtc->dev->event_lock);
	if (drm_crtc_vblank_get(crtc))
		drm_crtc_send_vblank_event(crtc, event);
	else
		drm_crtc_arm_vblank_event(crtc, event);
	spin_unlock_irq(&crtc->dev->event_lock);
}

/*
 * The firmware's mode is the only one. Of another clock the timer would make another rate, up to
 * one that leaves the processor no time.
 */
static enum drm_mode_status bv3d_crtc_mode_valid(struct drm_crtc *crtc,
						 const struct drm_display_mode *mode)
{
	if (!drm_mode_match(mode, &bv3d_crtc_kms(crtc)->mode,
			    DRM_MODE_MATCH_TIMINGS | DRM_MODE_MATCH_CLOCK))
		return MODE_ONE_SIZE;
	return MODE_OK;
}

static const struct drm_crtc_helper_funcs bv3d_crtc_helpers = {
	.mode_valid = bv3d_crtc_mode_valid,
	.atomic_enable = bv3d_crtc_enable,
	.atomic_disable = bv3d_crtc_disable,
	.atomic_flush = bv3d_crtc_flush,
};

static const struct drm_crtc_funcs bv3d_crtc_funcs = {
	.destroy = drm_crtc_cleanup,
	.reset = drm_atomic_helper_crtc_reset,
	.set_config = drm_atomic_helper_set_config,
	.page_flip = drm_atomic_helper_page_flip,
	.atomic_duplicate_state = drm_atomic_helper_crtc_duplicate_state,
	.atomic_destroy_state = drm_atomic_helper_crtc_destroy_state,
	.enable_vblank = bv3d_crtc_enable_vblank,
	.disable_vblank = bv3d_crtc_disable_vblank,
	.get_vblank_timestamp = bv3d_crtc_vblank_timestamp,
	.get_crc_sources = bv3d_crc_sources,
	.verify_crc_source = bv3d_crc_verify,
	.set_crc_source = bv3d_crc_set,
};

static int bv3d_connector_modes(struct drm_connector *connector)
{
	struct bv3d_kms *kms = container_of(connector, struct bv3d_kms, connector);
	struct drm_display_mode *mode = drm_mode_duplicate(connector->dev, &kms->mode);

	if (!mode)
		return 0;
	drm_mode_probed_add(connector, mode);
	return 1;
}

static const struct drm_connector_helper_funcs bv3d_connector_helpers = {
	.get_modes = bv3d_connector_modes,
};

static enum drm_connector_status bv3d_connector_detect(struct drm_connector *connector, bool force)
{
	struct bv3d_kms *kms = container_of(connector, struct bv3d_kms, connector);

	return atomic_read(&kms->stepped_back) ? connector_status_disconnected :
						 connector_status_connected;
}

static const struct drm_connector_funcs bv3d_connector_funcs = {
	.detect = bv3d_connector_detect,
	.destroy = drm_connector_cleanup,
	.reset = drm_atomic_helper_connector_reset,
	.fill_modes = drm_helper_probe_single_connector_modes,
	.atomic_duplicate_state = drm_atomic_helper_connector_duplicate_state,
	.atomic_destroy_state = drm_atomic_helper_connector_destroy_state,
};

/* What stepped back is not switched on any more */
static int bv3d_kms_check(struct drm_device *dev, struct V3D_ATOMIC_STATE *state)
{
	struct bv3d_kms *kms = to_bv3d_device(dev)->kms;
	struct drm_crtc_state *crtc_state;

	crtc_state = drm_atomic_get_new_crtc_state(state, &kms->crtc);
	if (crtc_state && crtc_state->active && atomic_read(&kms->stepped_back))
		return -ENODEV;
	return drm_atomic_helper_check(dev, state);
}

static const struct drm_mode_config_funcs bv3d_mode_config_funcs = {
	.fb_create = bv3d_fb_create,
	.atomic_check = bv3d_kms_check,
	.atomic_commit = drm_atomic_helper_commit,
};

/*
 * Planes after the CRTC is on: its events are the timer's. DRM's own for that order looks at states
 * once hw_done is told, and the next commit may have freed them.
 */
static void bv3d_kms_commit_tail(struct V3D_ATOMIC_STATE *state)
{
	struct drm_device *dev = state->dev;

	drm_atomic_helper_commit_modeset_disables(dev, state);
	drm_atomic_helper_commit_modeset_enables(dev, state);
	drm_atomic_helper_commit_planes(dev, state, DRM_PLANE_COMMIT_ACTIVE_ONLY);
	drm_atomic_helper_commit_hw_done(state);
	drm_atomic_helper_wait_for_flip_done(dev, state);
	drm_atomic_helper_cleanup_planes(dev, state);
}

static const struct drm_mode_config_helper_funcs bv3d_mode_config_helpers = {
	.atomic_commit_tail = bv3d_kms_commit_tail,
};

static int bv3d_kms_mode_config(struct drm_device *dev)
{
	int ret = drmm_mode_config_init(dev);

	if (ret)
		return ret;
	dev->mode_config.min_width = 1;
	dev->mode_config.min_height = 1;
	dev->mode_config.max_width = 4096;
	dev->mode_config.max_height = 4096;
	dev->mode_config.preferred_depth = 24;
	dev->mode_config.funcs = &bv3d_mode_config_funcs;
	dev->mode_config.helper_private = &bv3d_mode_config_helpers;
	return 0;
}

/* Of the firmware's mode only the size is known */
static void bv3d_kms_mode(struct bv3d_kms *kms)
{
	const u32 width = kms->lent.ours.width, height = kms->lent.ours.height;

	kms->mode = (struct drm_display_mode){
		.type = DRM_MODE_TYPE_DRIVER | DRM_MODE_TYPE_PREFERRED,
		.clock = DIV_ROUND_CLOSEST(width * height * BV3D_HZ, 1000),
		.hdisplay = width, .hsync_start = width, .hsync_end = width, .htotal = width,
		.vdisplay = height, .vsync_start = height, .vsync_end = height, .vtotal = height,
	};
	drm_mode_set_name(&kms->mode);
}

static int bv3d_kms_pipe(struct drm_device *dev, struct bv3d_kms *kms)
{
	int ret;

	ret = bv3d_plane_init(dev, kms);
	if (ret)
		return ret;
	ret = drm_crtc_init_with_planes(dev, &kms->crtc, &kms->plane, NULL, &bv3d_crtc_funcs, NULL);
	if (ret)
		return ret;
	drm_crtc_helper_add(&kms->crtc, &bv3d_crtc_helpers);
	kms->encoder.possible_crtcs = drm_crtc_mask(&kms->crtc);
	ret = drmm_encoder_init(dev, &kms->encoder, NULL, DRM_MODE_ENCODER_VIRTUAL, NULL);
	if (ret)
		return ret;
	ret = drm_connector_init(dev, &kms->connector, &bv3d_connector_funcs,
				 DRM_MODE_CONNECTOR_VIRTUAL);
	if (ret)
		return ret;
	drm_connector_helper_add(&kms->connector, &bv3d_connector_helpers);
	kms->connector.polled = DRM_CONNECTOR_POLL_HPD;
	return drm_connector_attach_encoder(&kms->connector, &kms->encoder);
}

/* The kernel's display driver takes the same display, if its device is switched on */
static bool bv3d_kms_others(void)
{
	static const char * const names[] = { "brcm,bcm2835-vc4", "brcm,cygnus-vc4" };
	struct device_node *node;
	bool on = false;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		for_each_compatible_node(node, NULL, names[i])
			on |= of_device_is_available(node);
	return on;
}

static int bv3d_kms_start(struct bv3d_device *v3d, struct bv3d_kms *kms)
{
	int ret = bv3d_beside_taken() ? -EBUSY : drmm_mutex_init(&v3d->drm, &kms->lock);

	kms->plane.dev = &v3d->drm;
	if (!ret)
		ret = bv3d_screen_borrow(&kms->lent, v3d->drm.dev);
	if (ret)
		return ret;
	ret = devm_add_action_or_reset(v3d->drm.dev, bv3d_kms_give_back, kms);
	if (!ret)
		ret = bv3d_kms_mode_config(&v3d->drm);
	bv3d_kms_mode(kms);
	if (!ret)
		ret = drm_vblank_init(&v3d->drm, 1);
	if (!ret)
		ret = bv3d_kms_pipe(&v3d->drm, kms);
	if (ret)
		return ret;
	bv3d_copy_init(&kms->lent, v3d);
	hrtimer_setup(&kms->timer, bv3d_kms_timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
	drm_mode_config_reset(&v3d->drm);
	v3d->kms = kms;
	return bv3d_beside_watch(kms);
}

/**
 * bv3d_kms_init() - a display, if it is wanted and there is one
 * @v3d: not registered yet
 *
 * Without one the device is as if this file were not there. The screen is given back at unbind.
 *
 * Return: 0, with or without a display; -EPROBE_DEFER where one is asked for by kms=1 and the
 * firmware's driver is not there yet; -ENOMEM
 */
int bv3d_kms_init(struct bv3d_device *v3d)
{
	bool must = !strcmp(bv3d_kms_wanted, "1"), may = !strcmp(bv3d_kms_wanted, "auto");
	struct bv3d_kms *kms;
	int ret = -ENODEV;

	if (must || (may && !bv3d_kms_others())) {
		kms = drmm_kzalloc(&v3d->drm, sizeof(*kms), GFP_KERNEL);
		if (!kms)
			return -ENOMEM;
		ret = bv3d_kms_start(v3d, kms);
	}
	if (!ret)
		return 0;
	v3d->kms = NULL;
	v3d->drm.driver_features &= ~(DRIVER_MODESET | DRIVER_ATOMIC);
	if (must && ret == -EPROBE_DEFER)
		return ret;
	if (must)
		dev_err(v3d->drm.dev, "no display: %d\n", ret);
	return 0;
}

/**
 * bv3d_kms_console() - the kernel's console is on the display, where no other client is
 * @v3d: registered
 */
void bv3d_kms_console(struct bv3d_device *v3d)
{
	if (v3d->kms)
		bv3d_fbdev_setup(&v3d->drm);
}

/**
 * bv3d_kms_stop() - the display is off
 * @v3d: unplugged
 *
 * May sleep.
 */
void bv3d_kms_stop(struct bv3d_device *v3d)
{
	if (v3d->kms)
		drm_atomic_helper_shutdown(&v3d->drm);
}

/**
 * bv3d_kms_print() - how pictures came to the screen, for debugfs
 * @kms: the display
 * @m: where to
 */
void bv3d_kms_print(struct bv3d_kms *kms, struct seq_file *m)
{
	mutex_lock(&kms->lock);
	seq_printf(m, "copied by the V3D: %llu\ncopied by the processor: %llu\n",
		   kms->lent.by_v3d, kms->lent.by_cpu);
	mutex_unlock(&kms->lock);
}
