// SPDX-License-Identifier: GPL-2.0-only
/* What the V3D and the driver can do, for who asks */
#include "drv.h"

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
	static const char name[] = { 'V', '3', 'D' };
	u32 idstr = V3D_GET(ident[0], IDENT0, IDSTR);
	unsigned int i, qpus;

	for (i = 0; i < sizeof(name); i++)
		if ((idstr >> (8 * i) & 0xff) != name[i])
			return -ENODEV;
	qpus = V3D_GET(ident[1], IDENT1, NSLC) * V3D_GET(ident[1], IDENT1, QUPS);
	if (V3D_GET(ident[0], IDENT0, TVER) != 2 || !qpus)
		return -ENODEV;
	return qpus;
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
	struct bv3d_device *v3d = to_bv3d_device(dev);
	struct drm_vc4_get_param *args = data;

	if (args->pad)
		return -EINVAL;
	switch (args->param) {
	case DRM_VC4_PARAM_V3D_IDENT0:
		args->value = v3d->ident[0];
		break;
	case DRM_VC4_PARAM_V3D_IDENT1:
		args->value = v3d->ident[1];
		break;
	case DRM_VC4_PARAM_V3D_IDENT2:
		args->value = v3d->ident[2];
		break;
	default:
		if (!v3dcl_supports(args->param))
			return -EINVAL;
		args->value = true;
	}
	return 0;
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
	struct drm_v3dcl_get_param *args = data;

	if (args->pad)
		return -EINVAL;
	switch (args->param) {
	case DRM_V3DCL_PARAM_VERSION:
		args->value = V3DCL_ABI_VERSION;
		break;
	case DRM_V3DCL_PARAM_QPUS:
		args->value = v3d->qpus;
		break;
	case DRM_V3DCL_PARAM_VPM_ROWS:
		args->value = V3DCL_USER_VPM_ROWS;
		break;
	case DRM_V3DCL_PARAM_MAX_PROGRAMS:
		args->value = V3DCL_MAX_PROGRAMS;
		break;
	case DRM_V3DCL_PARAM_MAX_UNIFORMS:
		args->value = V3DCL_MAX_UNIFORMS;
		break;
	case DRM_V3DCL_PARAM_MAX_RELOCS:
		args->value = V3DCL_MAX_RELOCS;
		break;
	case DRM_V3DCL_PARAM_MAX_TIMEOUT_NS:
		args->value = V3DCL_MAX_TIMEOUT_NS;
		break;
	case DRM_V3DCL_PARAM_MEMORY_BUDGET:
		args->value = v3d->mem.budget;
		break;
	case DRM_V3DCL_PARAM_MEMORY_USED:
		args->value = bv3d_mem_used(&v3d->mem);
		break;
	case DRM_V3DCL_PARAM_GUILTY:
		args->value = bv3d_sched_guilty(file_priv->driver_priv);
		break;
	case DRM_V3DCL_PARAM_INNOCENT:
		args->value = bv3d_sched_innocent(file_priv->driver_priv);
		break;
	case DRM_V3DCL_PARAM_UNVERIFIED:
		args->value = bv3d_may_run_unverified();
		break;
	default:
		return -EINVAL;
	}
	return 0;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_get_own_param_ioctl);
