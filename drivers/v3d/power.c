// SPDX-License-Identifier: GPL-2.0-only
/*
 * Power: the V3D sleeps when no client has work for it. Clock, power domain and reset line are all
 * optional; the driver core switches the domain around these callbacks. Registers lose their
 * contents with power.
 */
#include <linux/clk.h>
#include <linux/delay.h>
#include <linux/pm_runtime.h>
#include <linux/reset.h>
#include <linux/sched/mm.h>

#include "drv.h"

/* Outlasts the gap between two frames; a younger chip was seen to refuse after less (HW) */
#define V3D_AUTOSUSPEND_MS 100
#define V3D_POWER_TRIES 5	/* to switch off, half a millisecond apart */
#define V3D_CANARY 0xca11ab1e	/* a value that SCRATCH does not have after power on */

/* Its registers are as after power on */
static void bv3d_power_up(struct bv3d_device *v3d)
{
	v3dcl_power_up(&v3d->hw);
	bv3d_perfmon_power_up(v3d);
	bv3d_irq_enable(v3d);
}

/* Its registers are about to be lost */
static void bv3d_power_down(struct bv3d_device *v3d)
{
	bv3d_irq_disable(v3d);
	bv3d_perfmon_forget(v3d);
}

static int bv3d_runtime_resume(struct device *dev)
{
	struct bv3d_device *v3d = dev_get_drvdata(dev);
	int ret = clk_prepare_enable(v3d->clk);

	if (ret)
		return ret;
	bv3d_power_up(v3d);
	return 0;
}

static int bv3d_runtime_suspend(struct device *dev)
{
	struct bv3d_device *v3d = dev_get_drvdata(dev);

	bv3d_power_down(v3d);
	clk_disable_unprepare(v3d->clk);
	return 0;
}

/* What runs ends before. Jobs that wait keep the V3D in use, and start after resume. */
static int bv3d_system_suspend(struct device *dev)
{
	struct bv3d_device *v3d = dev_get_drvdata(dev);
	int ret = bv3d_sched_suspend(v3d);

	if (ret)
		return ret;
	ret = pm_runtime_force_suspend(dev);
	if (ret)
		bv3d_sched_resume(v3d);
	return ret;
}

/* Without power nothing may start: jobs that wait go on waiting, until unbind */
static int bv3d_system_resume(struct device *dev)
{
	int ret = pm_runtime_force_resume(dev);

	if (!ret)
		bv3d_sched_resume(dev_get_drvdata(dev));
	return ret;
}

const struct dev_pm_ops bv3d_pm_ops = {
	RUNTIME_PM_OPS(bv3d_runtime_suspend, bv3d_runtime_resume, NULL)
	SYSTEM_SLEEP_PM_OPS(bv3d_system_suspend, bv3d_system_resume)
};

/* Who still holds power at unbind loses it: no thread is left that touches registers. */
static void bv3d_power_fini(void *data)
{
	struct device *dev = data;

	pm_runtime_dont_use_autosuspend(dev);
	pm_runtime_force_suspend(dev);
}

/**
 * bv3d_power_init() - manage power
 * @v3d: in probe
 *
 * devm-managed. The V3D may be asleep when this returns.
 *
 * Return: 0 or what the clock or the reset line says
 */
int bv3d_power_init(struct bv3d_device *v3d)
{
	struct device *dev = v3d->drm.dev;

	mutex_init(&v3d->power_cycle);
	v3d->clk = devm_clk_get_optional(dev, NULL);
	if (IS_ERR(v3d->clk))
		return dev_err_probe(dev, PTR_ERR(v3d->clk), "clock\n");
	v3d->reset_line = devm_reset_control_get_optional_exclusive(dev, NULL);
	if (IS_ERR(v3d->reset_line))
		return dev_err_probe(dev, PTR_ERR(v3d->reset_line), "reset line\n");
	pm_runtime_set_autosuspend_delay(dev, V3D_AUTOSUSPEND_MS);
	pm_runtime_use_autosuspend(dev);
	pm_runtime_enable(dev);
	return devm_add_action_or_reset(dev, bv3d_power_fini, dev);
}

/**
 * bv3d_power_stop() - the V3D is off, for good
 * @v3d: unplugged, and stopped
 *
 * While the driver still has the device: before what is devm-managed goes, the bus takes the device
 * out of its power domain, which may switch off by itself from there on.
 */
void bv3d_power_stop(struct bv3d_device *v3d)
{
	devm_release_action(v3d->drm.dev, bv3d_power_fini, v3d->drm.dev);
}

/*
 * Switching power may go through a firmware's mailbox, which sleeps and allocates. So it is done
 * outside of fence-signalling paths; and since jobs wait for it all the same (one that becomes
 * ready while the V3D sleeps, or during a reset), what is allocated does not wait for memory that
 * others have to free first.
 */
static unsigned int bv3d_power_begin(struct bv3d_device *v3d)
{
	unsigned int flags = memalloc_noreclaim_save();

	mutex_lock(&v3d->power_cycle);
	return flags;
}

static void bv3d_power_end(struct bv3d_device *v3d, unsigned int flags)
{
	mutex_unlock(&v3d->power_cycle);
	memalloc_noreclaim_restore(flags);
}

/**
 * bv3d_power_get() - the V3D is awake until bv3d_power_put()
 * @v3d: asleep or awake
 *
 * For submits, while they are made, and for the arbiter's worker. May sleep and allocate: not from
 * a fence-signalling path.
 *
 * Return: 0, -ENODEV after unbind, or what the power domain says
 */
int bv3d_power_get(struct bv3d_device *v3d)
{
	unsigned int flags;
	int idx, ret;

	if (!drm_dev_enter(&v3d->drm, &idx))
		return -ENODEV;
	flags = bv3d_power_begin(v3d);
	ret = bv3d_fails(V3D_FAULT_POWER) ? -EIO : pm_runtime_resume_and_get(v3d->drm.dev);
	bv3d_power_end(v3d, flags);
	drm_dev_exit(idx);
	return ret;
}

/**
 * bv3d_power_put() - the V3D may sleep, after a while
 * @v3d: also after unbind
 *
 * Any context.
 */
void bv3d_power_put(struct bv3d_device *v3d)
{
	pm_runtime_mark_last_busy(v3d->drm.dev);
	pm_runtime_put_autosuspend(v3d->drm.dev);
}

/**
 * bv3d_power_get_if_awake() - as bv3d_power_get(), but a V3D that sleeps is left to
 * @v3d: asleep or awake
 *
 * Any context. A reset may switch it off all the same: see bv3d_power_look().
 *
 * Return: true when it is awake
 */
bool bv3d_power_get_if_awake(struct bv3d_device *v3d)
{
#ifdef V3D_HAVE_PM_IGN_USAGE_COUNT
	return pm_runtime_get_if_active(v3d->drm.dev, true) > 0;
#else
	return pm_runtime_get_if_active(v3d->drm.dev) > 0;
#endif
}

/**
 * bv3d_power_look() - look at registers of a V3D that is awake
 * @v3d: asleep or awake; between drm_dev_enter and drm_dev_exit
 * @look: called if it is awake. No reset switches it off meanwhile
 * @opaque: handed to @look
 *
 * May sleep.
 *
 * Return: false when it is asleep
 */
bool bv3d_power_look(struct bv3d_device *v3d, void (*look)(struct bv3d_device *v3d, void *opaque),
		     void *opaque)
{
	unsigned int flags = bv3d_power_begin(v3d);
	bool awake = bv3d_power_get_if_awake(v3d);

	if (awake) {
		look(v3d, opaque);
		bv3d_power_put(v3d);
	}
	bv3d_power_end(v3d, flags);
	return awake;
}

/*
 * Was the V3D reset? SCRATCH has lost its contents; where a power domain keeps registers (?), all
 * that ran has ended.
 */
static bool bv3d_power_was_off(struct bv3d_device *v3d)
{
	u32 ident[3];

	bv3d_read_ident(v3d, ident);
	return bv3d_ident_check(ident) >= 0 &&
	       (bv3d_read(v3d, V3D_SCRATCH) != V3D_CANARY || v3dcl_stands(&v3d->hw));
}

static int bv3d_reset_pulse(struct reset_control *line)
{
	int ret = reset_control_reset(line);

	/* Of some controllers a line is only set and cleared */
	if (ret != -ENOTSUPP)
		return ret;
	ret = reset_control_assert(line);
	if (ret)
		return ret;
	usleep_range(10, 20);
	return reset_control_deassert(line);
}

/*
 * By the reset line, with power on. On a Raspberry Pi it is the power domain's own, which it
 * switches off and on without the driver core's knowledge: no other thread may ask for power then.
 */
static int bv3d_power_reset_locked(struct bv3d_device *v3d)
{
	int ret;

	if (!v3d->reset_line || pm_runtime_status_suspended(v3d->drm.dev))
		return -ENODEV;
	bv3d_write(v3d, V3D_SCRATCH, V3D_CANARY);
	bv3d_power_down(v3d);
	ret = bv3d_reset_pulse(v3d->reset_line);
	if (ret)
		return ret;
	bv3d_power_up(v3d);
	return bv3d_power_was_off(v3d) ? 0 : -EIO;
}

/* Off and on, and a look whether that was so */
static int bv3d_power_cycle_locked(struct bv3d_device *v3d)
{
	struct device *dev = v3d->drm.dev;
	int ret;

	/* The last try may have gone half way */
	if (!pm_runtime_status_suspended(dev))
		bv3d_write(v3d, V3D_SCRATCH, V3D_CANARY);
	/* With only one user, force_resume takes it that none needs power */
	pm_runtime_get_noresume(dev);
	ret = pm_runtime_force_suspend(dev);
	if (!ret)
		ret = pm_runtime_force_resume(dev);
	pm_runtime_put_noidle(dev);
	if (ret)
		return ret;
	pm_request_autosuspend(dev);
	return bv3d_power_was_off(v3d) ? 0 : -EIO;
}

/**
 * bv3d_power_cycle() - reset the V3D, even while jobs hold power
 * @v3d: awake
 *
 * For reset: the queues are halted, nothing else touches registers meanwhile. The caller is between
 * drm_dev_enter and drm_dev_exit, and in no fence-signalling path. Calls bv3d_irq_disable() and
 * bv3d_irq_enable().
 *
 * By its reset line, where the tree has one. Without one, or where it does not help, the power
 * domain is forced off and on; it may refuse while there is much to do (HW, a younger chip), and
 * then is asked again.
 *
 * Return: 0 when the V3D was reset and answers, -EIO when it is dead or was not
 */
int bv3d_power_cycle(struct bv3d_device *v3d)
{
	unsigned int tries = V3D_POWER_TRIES, flags = bv3d_power_begin(v3d);
	int ret = bv3d_power_reset_locked(v3d);

	while (ret && tries--) {
		ret = bv3d_power_cycle_locked(v3d);
		if (ret && tries)
			usleep_range(500, 600);
	}
	bv3d_power_end(v3d, flags);
	return ret ? -EIO : 0;
}
