/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interfaces that differ between the kernels we build for. Kbuild looks into their headers and defines V3D_HAVE_*.
 *
 *	SHRINKER_ALLOC	shrinkers are allocated; before, they were embedded in the driver's own struct
 *	VM_FLAGS_SET	flags of a mapping are set by a function that takes its lock
 *	SHOW_FDINFO	DRM core prints the common part of fdinfo; before, the driver's own file operation does all of it
 *	MEMORY_STATS	DRM core sums up the BOs of a file for fdinfo
 *	GEM_STATUS	and asks each whether it is resident or purgeable
 *	CLIENT_ID	DRM core numbers the files; before, drivers do
 *	UNSIGNED_OFFSET	file operations say that offsets above 2^63 are meant
 *	PRIME_MMAP	drivers name the helpers that share BOs; after, these are the default
 *	PM_IGN_USAGE_COUNT	pm_runtime_get_if_active() has a parameter of that name
 */
#ifndef V3D_COMPAT_H
#define V3D_COMPAT_H

#include <linux/mm.h>

#ifndef V3D_HAVE_VM_FLAGS_SET
static inline void vm_flags_set(struct vm_area_struct *vma, vm_flags_t flags)
{
	vma->vm_flags |= flags;
}
#endif

/* For v3d_kunit.ko, which is built only where there is KUnit */
#if IS_ENABLED(CONFIG_KUNIT)
#define V3D_EXPORT_FOR_TESTS(symbol) EXPORT_SYMBOL_GPL(symbol)
#else
#define V3D_EXPORT_FOR_TESTS(symbol)
#endif

#endif /* V3D_COMPAT_H */
