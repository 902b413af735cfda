// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a file used, in the format of the kernel's drm-usage-stats.rst: gputop and the like read it.
 */
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_print.h>

#include "drv.h"

static const char * const bv3d_queue_names[V3D_QUEUES] = {
	[V3D_BIN] = "bin",
	[V3D_RENDER] = "render",
	[V3D_QPU] = "qpu",
};

static void bv3d_show_engines(struct drm_printer *p, struct bv3d_file *file)
{
	unsigned int q;

	for (q = 0; q < V3D_QUEUES; q++)
		drm_printf(p, "drm-engine-%s:\t%llu ns\n", bv3d_queue_names[q],
			   bv3d_sched_busy_ns(file, q));
}

#ifdef V3D_HAVE_SHOW_FDINFO
/**
 * bv3d_show_fdinfo() - what a file used, for DRM core
 * @p: where to
 * @file_priv: the file
 */
void bv3d_show_fdinfo(struct drm_printer *p, struct drm_file *file_priv)
{
	bv3d_show_engines(p, file_priv->driver_priv);
#ifdef V3D_HAVE_MEMORY_STATS
	drm_show_memory_stats(p, file_priv);
#endif
}
#else
/**
 * bv3d_show_fdinfo_file() - what a file used, with the part that newer DRM cores print
 * @m: where to
 * @filp: the file
 */
void bv3d_show_fdinfo_file(struct seq_file *m, struct file *filp)
{
	struct drm_file *file_priv = filp->private_data;
	struct bv3d_file *file = file_priv->driver_priv;
	struct drm_printer p = drm_seq_file_printer(m);

	drm_printf(&p, "drm-driver:\t%s\n", file->v3d->drm.driver->name);
	drm_printf(&p, "drm-client-id:\t%llu\n", file->client_id);
	bv3d_show_engines(&p, file);
}
#endif
