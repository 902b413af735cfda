// SPDX-License-Identifier: GPL-2.0-only
/*
 * Performance monitors: a file's choice of counters, which count while its jobs run. The V3D has 16
 * counters, each counting any of 30 things (AG100 "Performance Counters").
 */
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>

#include "drv.h"

static_assert(V3D_COUNTERS == DRM_VC4_MAX_PERF_COUNTERS);
static_assert((int)V3D_COUNTER_COUNT == (int)VC4_PERFCNT_NUM_EVENTS);

/*
 * Counted for the driver, in what the perfmon that counts leaves free: what moves while code runs.
 * The first one moves with each instruction.
 */
static const u8 bv3d_watched[V3D_WATCHED] = {
	V3D_COUNTER_qpu_instruction_cycles, V3D_COUNTER_tmu_texture_quads,
	V3D_COUNTER_vpm_vdw_stall_cycles, V3D_COUNTER_vpm_vcd_stall_cycles,
};

/**
 * bv3d_perfmon_get() - the perfmon of that id
 * @file: whose
 * @id: from userspace; ids start at 1
 *
 * Return: it, with a reference, or NULL
 */
struct bv3d_perfmon *bv3d_perfmon_get(struct bv3d_file *file, u32 id)
{
	struct bv3d_perfmon *perfmon;

	xa_lock(&file->perfmons);
	perfmon = xa_load(&file->perfmons, id);
	if (perfmon)
		refcount_inc(&perfmon->refs);
	xa_unlock(&file->perfmons);
	return perfmon;
}

/**
 * bv3d_perfmon_put() - ends a bv3d_perfmon_get()
 * @perfmon: or NULL
 *
 * Any context.
 */
void bv3d_perfmon_put(struct bv3d_perfmon *perfmon)
{
	if (perfmon && refcount_dec_and_test(&perfmon->refs))
		kfree(perfmon);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_perfmon_put);

/* The counters of a perfmon, or of none, and behind them the driver's own. perf.lock is held */
static void bv3d_count_locked(struct bv3d_device *v3d, const struct bv3d_perfmon *perfmon)
{
	u32 count = perfmon ? perfmon->count : 0;
	u8 sources[V3D_COUNTERS];

	if (perfmon)
		memcpy(sources, perfmon->sources, count);
	v3d->perf.first = count;
	v3d->perf.watched = min_t(u32, V3D_WATCHED, V3D_COUNTERS - count);
	memcpy(sources + count, bv3d_watched, v3d->perf.watched);
	v3dcl_stop_counters(&v3d->hw);
	v3dcl_start_counters(&v3d->hw, sources, count + v3d->perf.watched);
}

/* Once an instruction was counted, counters that stand tell something. perf.lock is held, awake */
static void bv3d_trust_locked(struct bv3d_device *v3d)
{
	u32 instructions;

	if (v3d->perf.trusted || !v3d->perf.watched)
		return;
	instructions = v3d->hw.read(v3d->hw.v3d, V3D_PCTRN(v3d->perf.first));
	v3d->perf.trusted = instructions && instructions != V3D_SLEEPING;
}

/* perf.lock is held */
static void bv3d_perfmon_stop_locked(struct bv3d_device *v3d, bool capture)
{
	struct bv3d_perfmon *perfmon = v3d->perf.active;

	if (!perfmon)
		return;
	if (capture)
		v3dcl_add_counters(&v3d->hw, perfmon->values, perfmon->count);
	v3d->perf.active = NULL;
	bv3d_perfmon_put(perfmon);
}

/**
 * bv3d_perfmon_power_up() - count what the driver itself watches
 * @v3d: has just got power; no perfmon counts
 */
void bv3d_perfmon_power_up(struct bv3d_device *v3d)
{
	unsigned long flags;

	spin_lock_irqsave(&v3d->perf.lock, flags);
	bv3d_count_locked(v3d, NULL);
	spin_unlock_irqrestore(&v3d->perf.lock, flags);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_perfmon_power_up);

/**
 * bv3d_perfmon_moved() - has code on the QPUs done anything since the last call?
 * @v3d: awake; the caller between drm_dev_enter and drm_dev_exit
 * @counts: what the counters were then, V3D_WATCHED of them; updated
 *
 * Any context.
 *
 * Return: true if it has, or if that cannot be told: a perfmon has all counters, or not one
 * instruction was ever counted, which may be because they do not count
 */
bool bv3d_perfmon_moved(struct bv3d_device *v3d, u32 *counts)
{
	unsigned long flags;
	bool moved = false;
	u32 i, now;

	spin_lock_irqsave(&v3d->perf.lock, flags);
	for (i = 0; i < v3d->perf.watched; i++) {
		now = v3d->hw.read(v3d->hw.v3d, V3D_PCTRN(v3d->perf.first + i));
		moved |= now != counts[i];
		counts[i] = now;
	}
	bv3d_trust_locked(v3d);
	moved |= !v3d->perf.watched || !v3d->perf.trusted;
	spin_unlock_irqrestore(&v3d->perf.lock, flags);
	return moved;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_perfmon_moved);

static void bv3d_perfmon_start_locked(struct bv3d_device *v3d, struct bv3d_perfmon *perfmon)
{
	bv3d_count_locked(v3d, perfmon);
	refcount_inc(&perfmon->refs);
	v3d->perf.active = perfmon;
}

/**
 * bv3d_perfmon_start() - count for this perfmon from here on
 * @v3d: awake
 * @perfmon: not NULL
 *
 * For run_job: nothing happens when it counts already; another one that counts is stopped first and
 * keeps its values. The caller is between drm_dev_enter and drm_dev_exit and holds power. Jobs that
 * run at the same time with different perfmons would count each other's work: the arbiter keeps
 * them apart.
 */
void bv3d_perfmon_start(struct bv3d_device *v3d, struct bv3d_perfmon *perfmon)
{
	unsigned long flags;

	spin_lock_irqsave(&v3d->perf.lock, flags);
	if (v3d->perf.active != perfmon) {
		bv3d_perfmon_stop_locked(v3d, true);
		bv3d_perfmon_start_locked(v3d, perfmon);
	}
	spin_unlock_irqrestore(&v3d->perf.lock, flags);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_perfmon_start);

/**
 * bv3d_perfmon_stop() - add what was counted to the perfmon's values, and count no more for it
 * @v3d: awake
 * @perfmon: of the job that ended, or NULL
 * @capture: false when the hardware hung or was reset and its counts are worth nothing
 *
 * Nothing happens when @perfmon is not the one that counts. The caller as for bv3d_perfmon_start().
 */
void bv3d_perfmon_stop(struct bv3d_device *v3d, struct bv3d_perfmon *perfmon, bool capture)
{
	unsigned long flags;

	spin_lock_irqsave(&v3d->perf.lock, flags);
	if (perfmon && v3d->perf.active == perfmon) {
		bv3d_perfmon_stop_locked(v3d, capture);
		bv3d_count_locked(v3d, NULL);
	}
	spin_unlock_irqrestore(&v3d->perf.lock, flags);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_perfmon_stop);

/**
 * bv3d_perfmon_forget() - power is about to be lost, and with it what was counted
 * @v3d: going to sleep, awake still
 */
void bv3d_perfmon_forget(struct bv3d_device *v3d)
{
	unsigned long flags;

	spin_lock_irqsave(&v3d->perf.lock, flags);
	bv3d_trust_locked(v3d);
	bv3d_perfmon_put(v3d->perf.active);
	v3d->perf.active = NULL;
	spin_unlock_irqrestore(&v3d->perf.lock, flags);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_perfmon_forget);

/**
 * bv3d_perfmon_close() - the file's perfmons go; jobs may still hold references to them
 * @file: is being closed
 */
void bv3d_perfmon_close(struct bv3d_file *file)
{
	struct bv3d_perfmon *perfmon;
	unsigned long id;

	xa_for_each(&file->perfmons, id, perfmon)
		bv3d_perfmon_put(perfmon);
	xa_destroy(&file->perfmons);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_perfmon_close);

/**
 * bv3d_perfmon_new() - one that counts what is asked for
 * @sources: enum v3d_counter, unchecked
 * @count: of @sources, unchecked
 *
 * Return: it, with one reference, or an ERR_PTR: -ENOMEM, -EINVAL for unknown sources, none, or
 * more than there are counters
 */
struct bv3d_perfmon *bv3d_perfmon_new(const u8 *sources, u32 count)
{
	struct bv3d_perfmon *perfmon;

	if (!v3dcl_perfmon_valid(sources, count))
		return ERR_PTR(-EINVAL);
	perfmon = kzalloc(sizeof(*perfmon), GFP_KERNEL_ACCOUNT);
	if (!perfmon)
		return ERR_PTR(-ENOMEM);
	refcount_set(&perfmon->refs, 1);
	perfmon->count = count;
	memcpy(perfmon->sources, sources, count);
	return perfmon;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_perfmon_new);

/**
 * bv3d_perfmon_create_ioctl() - PERFMON_CREATE: a choice of counters
 * @dev: the device
 * @data: &struct drm_vc4_perfmon_create
 * @file_priv: the caller's file
 *
 * Return: 0, -EINVAL for an unknown counter, none, or more than 16; -ENOMEM, also when the file has
 * V3DCL_MAX_PERFMONS
 */
int bv3d_perfmon_create_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv)
{
	struct bv3d_file *file = file_priv->driver_priv;
	struct drm_vc4_perfmon_create *args = data;
	struct bv3d_perfmon *perfmon;
	int ret;

	perfmon = bv3d_perfmon_new(args->events, args->ncounters);
	if (IS_ERR(perfmon))
		return PTR_ERR(perfmon);
	ret = xa_alloc(&file->perfmons, &args->id, perfmon, XA_LIMIT(1, V3DCL_MAX_PERFMONS),
		       GFP_KERNEL_ACCOUNT);
	if (ret)
		bv3d_perfmon_put(perfmon);
	return ret ? -ENOMEM : 0;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_perfmon_create_ioctl);

/**
 * bv3d_perfmon_destroy_ioctl() - PERFMON_DESTROY: the id is free
 * @dev: the device
 * @data: &struct drm_vc4_perfmon_destroy
 * @file_priv: the caller's file
 *
 * Jobs that name it count to their ends.
 *
 * Return: 0, -EINVAL for an unknown id
 */
int bv3d_perfmon_destroy_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv)
{
	struct bv3d_file *file = file_priv->driver_priv;
	struct drm_vc4_perfmon_destroy *args = data;
	struct bv3d_perfmon *perfmon = xa_erase(&file->perfmons, args->id);

	if (!perfmon)
		return -EINVAL;
	bv3d_perfmon_put(perfmon);
	return 0;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_perfmon_destroy_ioctl);

/**
 * bv3d_perfmon_get_values_ioctl() - PERFMON_GET_VALUES: what was counted so far
 * @dev: the device
 * @data: &struct drm_vc4_perfmon_get_values
 * @file_priv: the caller's file
 *
 * Return: 0, -EINVAL for an unknown id, -EFAULT
 */
int bv3d_perfmon_get_values_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv)
{
	struct bv3d_device *v3d = to_bv3d_device(dev);
	struct drm_vc4_perfmon_get_values *args = data;
	struct bv3d_perfmon *perfmon = bv3d_perfmon_get(file_priv->driver_priv, args->id);
	u64 values[V3D_COUNTERS];
	size_t size;
	int ret = 0;

	if (!perfmon)
		return -EINVAL;
	size = perfmon->count * sizeof(values[0]);
	spin_lock_irq(&v3d->perf.lock);
	memcpy(values, perfmon->values, size);
	spin_unlock_irq(&v3d->perf.lock);
	if (copy_to_user(u64_to_user_ptr(args->values_ptr), values, size))
		ret = -EFAULT;
	bv3d_perfmon_put(perfmon);
	return ret;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_perfmon_get_values_ioctl);
