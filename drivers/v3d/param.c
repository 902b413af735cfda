// SPDX-License-Identifier: GPL-2.0-only
/* What the V3D and the driver can do, for who asks */
#include "jobs.h"

/**
 * bv3d_ident_check() - is that a V3D we know?
 * @ident: IDENT0 to 2
 *
 * AG100 Tables 79 to 81: "V3D", technology version 2, at least one slice with a QPU. A V3D without
 * power reads V3D_SLEEPING, which fails.
 *
 * Return: the number of QPUs, or -ENODEV
 */
int bv3d_ident_check(const u32 ident[3])
{
	return v3dcl_ident_qpus(ident) ?: -ENODEV;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_ident_check);

/**
 * bv3d_get_param_ioctl() - GET_PARAM: what the V3D and the driver can do
 * @dev: the device
 * @data: &struct drm_vc4_get_param
 * @file_priv: the caller's file
 *
 * IDENT is answered from what probe read: asking does not wake the V3D.
 *
 * Return: 0, -EINVAL for a pad or an unknown parameter
 */
int bv3d_get_param_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv)
{
	return v3dcl_get_param(to_bv3d_device(dev)->ident, data) ? 0 : -EINVAL;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_get_param_ioctl);

static u64 bv3d_mem_used(struct bv3d_mem *mem)
{
	u64 used;

	mutex_lock(&mem->lock);
	used = mem->used;
	mutex_unlock(&mem->lock);
	return used;
}

/**
 * bv3d_get_own_param_ioctl() - V3DCL_GET_PARAM: what the kernel's vc4 does not have
 * @dev: the device
 * @data: &struct drm_v3dcl_get_param
 * @file_priv: the caller's file
 *
 * Return: 0, -EINVAL for a pad or an unknown parameter
 */
int bv3d_get_own_param_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv)
{
	struct bv3d_device *v3d = to_bv3d_device(dev);
	const struct v3dcl_params params = {
		.qpus = v3d->qpus,
		.unverified = bv3d_may_run_unverified(),
		.budget = v3d->mem.budget,
		.used = bv3d_mem_used(&v3d->mem),
		.guilty = bv3d_sched_guilty(file_priv->driver_priv),
		.innocent = bv3d_sched_innocent(file_priv->driver_priv),
		.refused_ns = bv3d_sched_refused_ns(file_priv->driver_priv),
		.resets = atomic_read(&v3d->reset->resets),
	};

	return v3dcl_get_own_param(&params, data) ? 0 : -EINVAL;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_get_own_param_ioctl);
