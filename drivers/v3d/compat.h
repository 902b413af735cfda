/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interfaces that differ between the kernels we build for. Kbuild looks into their headers and
 * defines V3D_HAVE_*.
 *
 *	SHRINKER_ALLOC	shrinkers are allocated; before, they were embedded in the driver's own
 *			struct
 *	VM_FLAGS_SET	flags of a mapping are set by a function that takes its lock
 *	VMA_IS_COW	whether a mapping is copied on write is asked of it; before, of its flags
 *	SHOW_FDINFO	DRM core prints the common part of fdinfo; before, the driver's own file
 *			operation does all of it
 *	MEMORY_STATS	DRM core sums up the BOs of a file for fdinfo
 *	GEM_STATUS	and asks each whether it is resident or purgeable
 *	CLIENT_ID	DRM core numbers the files; before, drivers do
 *	UNSIGNED_OFFSET	file operations say that offsets above 2^63 are meant
 *	PRIME_MMAP	drivers name the helpers that share BOs; after, these are the default
 *	PM_IGN_USAGE_COUNT	pm_runtime_get_if_active() has a parameter of that name
 *	HRTIMER_SETUP	a timer and its function are set in one call
 *	KTHREAD_RUN_WORKER	a worker's thread is made and started in one call; before, one that
 *				is made runs
 *	REMOVE_NEW	the callback of platform drivers that returns nothing is remove_new; after,
 *			it is remove
 *	DRIVER_DATE	DRM drivers have a date
 *	IMPORT_NS_STRING	names of symbol namespaces are strings
 *	ATOMIC_COMMIT	all that a commit changes is a struct of that name; before, it was
 *			drm_atomic_state
 *	FB_INFO		who makes a frame buffer is given its format; before, it was looked up
 *	DMA_COHERENT_FLAG	whether a device is coherent is one of its flags; before, a member
 */
#ifndef BV3D_COMPAT_H
#define BV3D_COMPAT_H

#include <linux/device.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/module.h>

#ifndef V3D_HAVE_VM_FLAGS_SET
static inline void vm_flags_set(struct vm_area_struct *vma, vm_flags_t flags)
{
	vma->vm_flags |= flags;
}
#endif

#ifndef V3D_HAVE_VMA_IS_COW
static inline bool vma_is_cow_mapping(const struct vm_area_struct *vma)
{
	return is_cow_mapping(vma->vm_flags);
}
#endif

#ifndef V3D_HAVE_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *timer),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

#ifndef V3D_HAVE_KTHREAD_RUN_WORKER
#define kthread_run_worker kthread_create_worker
#endif

static inline void bv3d_copy_dma_coherent(struct device *dev, const struct device *from)
{
#ifdef V3D_HAVE_DMA_COHERENT_FLAG
	dev_assign_dma_coherent(dev, dev_dma_coherent(from));
#elif defined(CONFIG_ARCH_HAS_SYNC_DMA_FOR_DEVICE) || defined(CONFIG_ARCH_HAS_SYNC_DMA_FOR_CPU) || \
	defined(CONFIG_ARCH_HAS_SYNC_DMA_FOR_CPU_ALL)
	dev->dma_coherent = from->dma_coherent;
#endif
}

#ifdef V3D_HAVE_ATOMIC_COMMIT
#define V3D_ATOMIC_STATE drm_atomic_commit
#else
#define V3D_ATOMIC_STATE drm_atomic_state
#endif

#ifdef V3D_HAVE_FB_INFO
#define V3D_FB_INFO const struct drm_format_info *info,
#define V3D_FILL_FB(dev, fb, command) drm_helper_mode_fill_fb_struct(dev, fb, info, command)
#else
#define V3D_FB_INFO
#define V3D_FILL_FB(dev, fb, command) drm_helper_mode_fill_fb_struct(dev, fb, command)
#endif

#ifdef V3D_HAVE_REMOVE_NEW
#define V3D_REMOVE remove_new
#else
#define V3D_REMOVE remove
#endif

#ifdef V3D_HAVE_IMPORT_NS_STRING
#define V3D_IMPORT_NS(namespace) MODULE_IMPORT_NS(#namespace)
#else
#define V3D_IMPORT_NS(namespace) MODULE_IMPORT_NS(namespace)
#endif

/* For v3d_kunit.ko, which is built only where there is KUnit */
#if IS_ENABLED(CONFIG_KUNIT)
#define EXPORT_SYMBOL_FOR_TESTS(symbol) EXPORT_SYMBOL_GPL(symbol)
#else
#define EXPORT_SYMBOL_FOR_TESTS(symbol)
#endif

#endif /* BV3D_COMPAT_H */
