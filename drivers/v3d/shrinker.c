// SPDX-License-Identifier: GPL-2.0-only
/* Memory pressure elsewhere takes back memory kept for reuse, and BOs that are not needed. */
#include <drm/drm_managed.h>

#include "drv.h"

static struct bv3d_mem *bv3d_shrinker_mem(struct shrinker *shrinker)
{
#ifdef V3D_HAVE_SHRINKER_ALLOC
	return shrinker->private_data;
#else
	return container_of(shrinker, struct bv3d_mem, shrinker);
#endif
}

static unsigned long bv3d_shrinker_count(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct bv3d_mem *mem = bv3d_shrinker_mem(shrinker);

	return READ_ONCE(mem->kept.pages) + READ_ONCE(mem->purgeable_pages) ?: SHRINK_EMPTY;
}

/* A thread that reclaims may hold the lock: page tables are allocated under it. */
static unsigned long bv3d_shrinker_scan(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct bv3d_mem *mem = bv3d_shrinker_mem(shrinker);
	u64 wanted = (u64)sc->nr_to_scan << PAGE_SHIFT, freed;

	if (!mutex_trylock(&mem->lock))
		return SHRINK_STOP;
	freed = bv3d_bo_cache_drop(mem, wanted);
	if (freed < wanted)
		freed += bv3d_mem_purge_locked(mem, wanted - freed);
	mutex_unlock(&mem->lock);
	sc->nr_scanned = freed >> PAGE_SHIFT;
	return sc->nr_scanned ?: SHRINK_STOP;
}

static void bv3d_shrinker_fini(struct drm_device *dev, void *data)
{
	struct bv3d_mem *mem = data;

#ifdef V3D_HAVE_SHRINKER_ALLOC
	shrinker_free(mem->shrinker);
#else
	unregister_shrinker(&mem->shrinker);
#endif
}

/**
 * bv3d_shrinker_init() - let the kernel take back memory that is not needed
 * @v3d: in probe
 *
 * drmm-managed.
 *
 * Return: 0 or -ENOMEM
 */
int bv3d_shrinker_init(struct bv3d_device *v3d)
{
	struct bv3d_mem *mem = &v3d->mem;

#ifdef V3D_HAVE_SHRINKER_ALLOC
	mem->shrinker = shrinker_alloc(0, "drm-bcm2835_v3d:%s", dev_name(v3d->drm.dev));
	if (!mem->shrinker)
		return -ENOMEM;
	mem->shrinker->count_objects = bv3d_shrinker_count;
	mem->shrinker->scan_objects = bv3d_shrinker_scan;
	mem->shrinker->seeks = DEFAULT_SEEKS;
	mem->shrinker->private_data = mem;
	shrinker_register(mem->shrinker);
#else
	int ret;

	mem->shrinker.count_objects = bv3d_shrinker_count;
	mem->shrinker.scan_objects = bv3d_shrinker_scan;
	mem->shrinker.seeks = DEFAULT_SEEKS;
	ret = register_shrinker(&mem->shrinker, "drm-bcm2835_v3d:%s", dev_name(v3d->drm.dev));
	if (ret)
		return ret;
#endif
	return drmm_add_action_or_reset(&v3d->drm, bv3d_shrinker_fini, mem);
}
