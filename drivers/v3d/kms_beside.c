// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's display driver, vc4, drives the same display by its registers. Where it comes, ours
 * goes: before the other's probe begins, the firmware has its screen back, and from there on the
 * display is one that is not connected and cannot be switched on.
 */
#include <linux/device.h>
#include <linux/platform_device.h>

#include <drm/drm_atomic_helper.h>
#include <drm/drm_probe_helper.h>

#include "kms.h"

static bool bv3d_beside_is_vc4(const struct device *dev)
{
	return dev->driver && !strcmp(dev->driver->name, "vc4-drm");
}

/* Who holds the lock binds or lets go: bv3d_beside_notify() is told */
static int bv3d_beside_bound(struct device *dev, void *unused)
{
	bool bound;

	if (!device_trylock(dev))
		return 0;
	bound = bv3d_beside_is_vc4(dev);
	device_unlock(dev);
	return bound;
}

/**
 * bv3d_beside_taken() - has the kernel's display driver the display?
 *
 * Return: true if it is bound to it
 */
bool bv3d_beside_taken(void)
{
	return bus_for_each_dev(&platform_bus_type, NULL, NULL, bv3d_beside_bound);
}

/**
 * bv3d_kms_give_back() - the firmware has its screen again, as it was
 * @data: the &struct bv3d_kms. Once is enough
 *
 * May sleep.
 */
void bv3d_kms_give_back(void *data)
{
	struct bv3d_kms *kms = data;
	int ret = 0;

	mutex_lock(&kms->lock);
	if (kms->lent.vaddr)
		ret = bv3d_screen_give_back(&kms->lent);
	mutex_unlock(&kms->lock);
	if (ret)
		dev_err(kms->plane.dev->dev, "the firmware's screen is not as it was: %d\n", ret);
}

static void bv3d_beside_step_back(struct bv3d_kms *kms)
{
	struct drm_device *dev = kms->plane.dev;

	if (atomic_xchg(&kms->stepped_back, 1))
		return;
	dev_notice(dev->dev, "the kernel's vc4 takes the display\n");
	/* What was checked before is done before: both hold the locks of all */
	drm_atomic_helper_shutdown(dev);
	bv3d_kms_give_back(kms);
	if (dev->registered)
		drm_connector_helper_hpd_irq_event(&kms->connector);
}

static int bv3d_beside_notify(struct notifier_block *nb, unsigned long event, void *dev)
{
	if ((event == BUS_NOTIFY_BIND_DRIVER || event == BUS_NOTIFY_BOUND_DRIVER) &&
	    bv3d_beside_is_vc4(dev))
		bv3d_beside_step_back(container_of(nb, struct bv3d_kms, beside));
	return NOTIFY_DONE;
}

static void bv3d_beside_unwatch(void *beside)
{
	bus_unregister_notifier(&platform_bus_type, beside);
}

/**
 * bv3d_beside_watch() - step back when the kernel's display driver comes, until unbind
 * @kms: all of it is there
 *
 * Return: 0 or -ENOMEM
 */
int bv3d_beside_watch(struct bv3d_kms *kms)
{
	int ret;

	kms->beside.notifier_call = bv3d_beside_notify;
	ret = bus_register_notifier(&platform_bus_type, &kms->beside);
	if (ret)
		return ret;
	/* One that came meanwhile was not told of */
	if (bv3d_beside_taken())
		bv3d_beside_step_back(kms);
	return devm_add_action_or_reset(kms->plane.dev->dev, bv3d_beside_unwatch, &kms->beside);
}
