// SPDX-License-Identifier: GPL-2.0-only
/*
 * Faults to order, on kernels with fault injection: what the kernel's own attributes do not reach.
 * Each is a folder of /sys/kernel/debug/dri/N with the files of fault-injection.rst, and counts for
 * /proc/PID/fail-nth as those do.
 */
#include <linux/types.h>	/* which Linux 6.1's fault-inject.h lacks */
#include <linux/fault-inject.h>

#include <drm/drm_file.h>

#include "drv.h"

#ifdef CONFIG_FAULT_INJECTION
static struct fault_attr bv3d_faults[V3D_FAULTS] = {
	[V3D_FAULT_MEMORY] = FAULT_ATTR_INITIALIZER,
	[V3D_FAULT_POWER] = FAULT_ATTR_INITIALIZER,
	[V3D_FAULT_START] = FAULT_ATTR_INITIALIZER,
};

/**
 * bv3d_fails() - is this to fail now?
 * @fault: which
 *
 * Any context.
 *
 * Return: true if so
 */
bool bv3d_fails(enum bv3d_fault fault)
{
	return should_fail(&bv3d_faults[fault], 1);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_fails);

/**
 * bv3d_faults_init() - the attributes' files
 * @minor: of which one is the device's first
 */
void bv3d_faults_init(struct drm_minor *minor)
{
	static const char * const names[V3D_FAULTS] = {
		[V3D_FAULT_MEMORY] = "fail_memory",
		[V3D_FAULT_POWER] = "fail_power",
		[V3D_FAULT_START] = "fail_start",
	};
	unsigned int i;

	for (i = 0; minor->type == DRM_MINOR_PRIMARY && i < V3D_FAULTS; i++)
		fault_create_debugfs_attr(names[i], minor->debugfs_root, &bv3d_faults[i]);
}
#endif
