// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver: which devices, which ioctls, and the life of a device and of a file that is open on
 * it
 */
#include <linux/compat.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mod_devicetable.h>
#include <linux/platform_device.h>
#include <linux/pm_runtime.h>
#include <linux/rcupdate.h>
#include <linux/security.h>
#include <linux/slab.h>

#include <drm/drm_ioctl.h>
#include <drm/drm_managed.h>
#include <drm/drm_prime.h>

#include "drv.h"

static bool bv3d_unverified;
module_param_named(unverified, bv3d_unverified, bool, 0444);
MODULE_PARM_DESC(unverified, "let root run what can reach all memory; use taints the kernel (N)");

/**
 * bv3d_may_run_unverified() - may the caller run programs and lists that can reach all memory?
 *
 * Return: true with CAP_SYS_ADMIN in the initial namespace, on a kernel not locked down, where the
 * module was loaded with unverified=1
 */
bool bv3d_may_run_unverified(void)
{
	return bv3d_unverified && capable(CAP_SYS_ADMIN) && !security_locked_down(LOCKDOWN_DEV_MEM);
}

/**
 * bv3d_run_unverified() - the caller wants to run what can reach all memory
 *
 * From here on the kernel is tainted.
 *
 * Return: 0, or -EACCES unless bv3d_may_run_unverified()
 */
int bv3d_run_unverified(void)
{
	if (!bv3d_may_run_unverified())
		return -EACCES;
	add_taint(TAINT_USER, LOCKDEP_STILL_OK);
	return 0;
}

/**
 * bv3d_refuse() - remember why something of this file was refused, for GET_REFUSAL
 * @file: whose
 * @refusal: copied
 *
 * Return: -EINVAL, which is what the ioctl returns then
 */
int bv3d_refuse(struct bv3d_file *file, const struct v3dcl_refusal *refusal)
{
	u64 serial;

	spin_lock(&file->refusal_lock);
	serial = file->refusal.serial + 1;
	file->refusal = *refusal;
	file->refusal.serial = serial;
	spin_unlock(&file->refusal_lock);
	return -EINVAL;
}

static int bv3d_get_refusal_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv)
{
	struct bv3d_file *file = file_priv->driver_priv;
	struct drm_v3dcl_refusal *args = data;
	struct v3dcl_refusal refusal;

	if (args->pad)
		return -EINVAL;
	spin_lock(&file->refusal_lock);
	refusal = file->refusal;
	spin_unlock(&file->refusal_lock);

	v3dcl_tell_refusal(&refusal, args);
	return 0;
}

static int bv3d_open(struct drm_device *dev, struct drm_file *file_priv)
{
	struct bv3d_file *file = kzalloc(sizeof(*file), GFP_KERNEL);
	int ret;

	if (!file)
		return -ENOMEM;
	file->v3d = to_bv3d_device(dev);
#ifdef V3D_HAVE_CLIENT_ID
	file->client_id = file_priv->client_id;
#else
	file->client_id = atomic64_inc_return(&file->v3d->clients);
#endif
	spin_lock_init(&file->refusal_lock);
	xa_init_flags(&file->perfmons, XA_FLAGS_ALLOC1);
	ret = bv3d_sched_open(file);
	if (ret) {
		kfree(file);
		return ret;
	}
	file_priv->driver_priv = file;
	return 0;
}

static void bv3d_postclose(struct drm_device *dev, struct drm_file *file_priv)
{
	struct bv3d_file *file = file_priv->driver_priv;

	bv3d_sched_close(file);
	bv3d_perfmon_close(file);
	kfree(file);
}

static const struct drm_ioctl_desc bv3d_ioctls[] = {
	DRM_IOCTL_DEF_DRV(VC4_SUBMIT_CL, bv3d_submit_cl_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(VC4_WAIT_SEQNO, bv3d_wait_seqno_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(VC4_WAIT_BO, bv3d_wait_bo_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(VC4_CREATE_BO, bv3d_create_bo_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(VC4_MMAP_BO, bv3d_mmap_bo_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(VC4_CREATE_SHADER_BO, bv3d_create_shader_bo_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(VC4_GET_HANG_STATE, bv3d_get_hang_state_ioctl,
			  DRM_ROOT_ONLY | DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(VC4_GET_PARAM, bv3d_get_param_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(VC4_SET_TILING, bv3d_set_tiling_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(VC4_GET_TILING, bv3d_get_tiling_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(VC4_LABEL_BO, bv3d_label_bo_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(VC4_GEM_MADVISE, bv3d_gem_madvise_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(VC4_PERFMON_CREATE, bv3d_perfmon_create_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(VC4_PERFMON_DESTROY, bv3d_perfmon_destroy_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(VC4_PERFMON_GET_VALUES, bv3d_perfmon_get_values_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(V3DCL_GET_PARAM, bv3d_get_own_param_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(V3DCL_CREATE_PROGRAM, bv3d_create_program_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(V3DCL_SUBMIT_QPU, bv3d_submit_qpu_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(V3DCL_GET_REFUSAL, bv3d_get_refusal_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(V3DCL_SUBMIT_LISTS, bv3d_submit_lists_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(V3DCL_SUBMIT_FRAME, bv3d_submit_frame_ioctl, DRM_RENDER_ALLOW),
};

#ifdef CONFIG_COMPAT
/*
 * The one struct that is laid out differently for 32-bit callers, where these align 64 bits to 4
 * bytes (i386)
 */
struct bv3d_perfmon_get_values32 {
	u32 id;
	compat_u64 values_ptr;
};

static long bv3d_compat_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	struct drm_vc4_perfmon_get_values args = {};
	struct bv3d_perfmon_get_values32 args32;

	if (sizeof(args32) == sizeof(args) || _IOC_SIZE(cmd) != sizeof(args32) ||
	    DRM_IOCTL_NR(cmd) != DRM_COMMAND_BASE + DRM_VC4_PERFMON_GET_VALUES)
		return drm_compat_ioctl(filp, cmd, arg);
	if (copy_from_user(&args32, compat_ptr(arg), sizeof(args32)))
		return -EFAULT;
	args.id = args32.id;
	args.values_ptr = args32.values_ptr;
	return drm_ioctl_kernel(filp, bv3d_perfmon_get_values_ioctl, &args, DRM_RENDER_ALLOW);
}
#endif

static const struct file_operations bv3d_fops = {
	.owner = THIS_MODULE,
	.open = drm_open,
	.release = drm_release,
	.unlocked_ioctl = drm_ioctl,
#ifdef CONFIG_COMPAT
	.compat_ioctl = bv3d_compat_ioctl,
#endif
	.poll = drm_poll,
	.read = drm_read,
	.llseek = noop_llseek,
	.mmap = drm_gem_mmap,
#ifdef V3D_HAVE_SHOW_FDINFO
	.show_fdinfo = drm_show_fdinfo,
#else
	.show_fdinfo = bv3d_show_fdinfo_file,
#endif
#ifdef V3D_HAVE_UNSIGNED_OFFSET
	.fop_flags = FOP_UNSIGNED_OFFSET,
#endif
};

static const struct drm_driver bv3d_drm_driver = {
	/* the last two only with a display: see bv3d_kms_init() */
	.driver_features = DRIVER_GEM | DRIVER_RENDER | DRIVER_SYNCOBJ | DRIVER_SYNCOBJ_TIMELINE |
			   DRIVER_MODESET | DRIVER_ATOMIC,
	.open = bv3d_open,
	.postclose = bv3d_postclose,
	.ioctls = bv3d_ioctls,
	.num_ioctls = ARRAY_SIZE(bv3d_ioctls),
	.fops = &bv3d_fops,
#ifdef V3D_HAVE_PRIME_MMAP
	.prime_handle_to_fd = drm_gem_prime_handle_to_fd,
	.prime_fd_to_handle = drm_gem_prime_fd_to_handle,
	.gem_prime_mmap = drm_gem_prime_mmap,
#endif
	.gem_prime_import = bv3d_prime_import,
	.gem_prime_import_sg_table = bv3d_prime_import_sg_table,
#ifdef V3D_HAVE_SHOW_FDINFO
	.show_fdinfo = bv3d_show_fdinfo,
#endif
	.dumb_create = bv3d_dumb_create,
	.dumb_map_offset = bv3d_dumb_map_offset,
	V3D_FBDEV_OPS
	.debugfs_init = bv3d_debugfs_init,
	.name = "vc4",	/* what Mesa and IGT look for */
	.desc = "VideoCore IV V3D",
#ifdef V3D_HAVE_DRIVER_DATE
	.date = "20261121",
#endif
	.major = 0,
	.minor = 1,
};

/**
 * bv3d_read_ident() - IDENT0 to 2
 * @v3d: awake; the caller as for bv3d_read()
 * @ident: filled
 */
void bv3d_read_ident(struct bv3d_device *v3d, u32 ident[3])
{
	ident[0] = bv3d_read(v3d, V3D_IDENT0);
	ident[1] = bv3d_read(v3d, V3D_IDENT1);
	ident[2] = bv3d_read(v3d, V3D_IDENT2);
}

static int bv3d_identify(struct bv3d_device *v3d)
{
	int ret = bv3d_power_get(v3d);

	if (ret)
		return dev_err_probe(v3d->drm.dev, ret, "no power\n");
	bv3d_read_ident(v3d, v3d->ident);
	bv3d_power_put(v3d);
	ret = bv3d_ident_check(v3d->ident);
	if (ret < 0)
		return dev_err_probe(v3d->drm.dev, ret, "no V3D: IDENT reads %08x %08x %08x\n",
				     v3d->ident[0], v3d->ident[1], v3d->ident[2]);
	v3d->qpus = ret;
	return 0;
}

/*
 * The interrupt comes before power, so that at unbind power goes while the handler is still there
 * to wait for.
 */
static int bv3d_init(struct bv3d_device *v3d, struct platform_device *pdev)
{
	int (* const inits[])(struct bv3d_device *v3d) = {
		bv3d_mem_init, bv3d_shrinker_init, bv3d_sched_init, bv3d_binmem_init,
		bv3d_reset_init, bv3d_watch_init, bv3d_irq_install, bv3d_power_init, bv3d_identify,
		bv3d_scrubs_init, bv3d_kms_init,
	};
	unsigned int i;
	int ret;

	spin_lock_init(&v3d->perf.lock);
	v3d->regs = devm_platform_ioremap_resource(pdev, 0);
	if (IS_ERR(v3d->regs))
		return PTR_ERR(v3d->regs);
	bv3d_hw_init(v3d);
	v3d->irq = platform_get_irq(pdev, 0);
	if (v3d->irq < 0)
		return v3d->irq;
	for (i = 0; i < ARRAY_SIZE(inits); i++) {
		ret = inits[i](v3d);
		if (ret)
			return ret;
	}
	return 0;
}

static int bv3d_probe(struct platform_device *pdev)
{
	struct bv3d_device *v3d = devm_drm_dev_alloc(&pdev->dev, &bv3d_drm_driver,
						     struct bv3d_device, drm);
	int ret;

	if (IS_ERR(v3d))
		return PTR_ERR(v3d);
	platform_set_drvdata(pdev, v3d);
	ret = bv3d_init(v3d, pdev);
	if (!ret)
		ret = drm_dev_register(&v3d->drm, 0);
	if (ret)
		return ret;
	bv3d_kms_console(v3d);
	return 0;
}

static void bv3d_remove(struct platform_device *pdev)
{
	struct bv3d_device *v3d = platform_get_drvdata(pdev);

	drm_dev_unplug(&v3d->drm);
	bv3d_kms_stop(v3d);
	bv3d_sched_stop(v3d);
	bv3d_power_stop(v3d);
}

static const struct of_device_id bv3d_of_match[] = {
	{ .compatible = "brcm,bcm2835-v3d" },
	{ .compatible = "brcm,cygnus-v3d" },
	{ .compatible = "brcm,vc4-v3d" },	/* in Raspberry Pi's own trees */
	{ .compatible = "v3dcl,bcm2835-v3d" },	/* overlays/: a name that vc4 does not know */
	{}
};
MODULE_DEVICE_TABLE(of, bv3d_of_match);

static const struct platform_device_id bv3d_platform_ids[] = {
	{ .name = "bcm2835-v3d" },
	{}
};
MODULE_DEVICE_TABLE(platform, bv3d_platform_ids);

static struct platform_driver bv3d_platform_driver = {
	.probe = bv3d_probe,
	.V3D_REMOVE = bv3d_remove,
	.id_table = bv3d_platform_ids,
	.driver = {
		.name = V3D_DRIVER_NAME,
		.of_match_table = bv3d_of_match,
		.pm = pm_ptr(&bv3d_pm_ops),
		.dev_groups = bv3d_watch_groups,
	},
};

static int __init bv3d_module_init(void)
{
	return platform_driver_register(&bv3d_platform_driver);
}

static void __exit bv3d_module_exit(void)
{
	platform_driver_unregister(&bv3d_platform_driver);
	/* Fences and workers give up their use of the module from inside it: let them get out */
	synchronize_rcu_tasks();
}

module_init(bv3d_module_init);
module_exit(bv3d_module_exit);

MODULE_DESCRIPTION("DRM driver of the VideoCore IV V3D");
MODULE_LICENSE("GPL");
V3D_IMPORT_NS(DMA_BUF);
