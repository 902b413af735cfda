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

#ifdef V3D_HAVE_MEMORY_STATS
static void bv3d_show_memory(struct drm_printer *p, struct drm_file *file_priv)
{
	drm_show_memory_stats(p, file_priv);
}
#else
/* Of all BOs that the file has handles of: by the keys that newer DRM cores have for it */
static void bv3d_show_memory(struct drm_printer *p, struct drm_file *file_priv)
{
	u64 total = 0, shared = 0, resident = 0, purgeable = 0;
	struct drm_gem_object *gem;
	int id;

	spin_lock(&file_priv->table_lock);
	idr_for_each_entry(&file_priv->object_idr, gem, id) {
		enum bv3d_bo_state state = READ_ONCE(to_bv3d_bo(gem)->state);

		total += gem->size;
		if (READ_ONCE(gem->handle_count) > 1 || READ_ONCE(gem->dma_buf))
			shared += gem->size;
		resident += state == V3D_BO_PURGED ? 0 : gem->size;
		purgeable += state == V3D_BO_UNNEEDED ? gem->size : 0;
	}
	spin_unlock(&file_priv->table_lock);
	drm_printf(p, "drm-total-memory:\t%llu KiB\n", total >> 10);
	drm_printf(p, "drm-shared-memory:\t%llu KiB\n", shared >> 10);
	drm_printf(p, "drm-resident-memory:\t%llu KiB\n", resident >> 10);
	drm_printf(p, "drm-purgeable-memory:\t%llu KiB\n", purgeable >> 10);
}
#endif

#ifdef V3D_HAVE_SHOW_FDINFO
/**
 * bv3d_show_fdinfo() - what a file used, for DRM core
 * @p: where to
 * @file_priv: the file
 */
void bv3d_show_fdinfo(struct drm_printer *p, struct drm_file *file_priv)
{
	bv3d_show_engines(p, file_priv->driver_priv);
	bv3d_show_memory(p, file_priv);
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
	bv3d_show_memory(&p, file_priv);
}
#endif
