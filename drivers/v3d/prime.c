// SPDX-License-Identifier: GPL-2.0-only
/* BOs shared with other devices and processes: dma-bufs out and in */
#include <linux/dma-buf.h>
#include <linux/iosys-map.h>
#include <linux/slab.h>

#include <drm/drm_prime.h>

#include "drv.h"

/*
 * Whoever has the dma-buf needs the contents from now on: the use never ends. Code stays with its file, so that nobody
 * else's device can write to it. EPERM where DRM's helpers say it too.
 */
struct dma_buf *bv3d_prime_export(struct drm_gem_object *gem, int flags)
{
	struct bv3d_bo *bo = to_bv3d_bo(gem);
	struct dma_buf *buf;
	int ret;

	if (bo->kind != V3D_BO_PLAIN)
		return ERR_PTR(-EPERM);
	ret = bv3d_bo_use(bo);
	if (ret)
		return ERR_PTR(ret);
	buf = drm_gem_prime_export(gem, flags);
	if (IS_ERR(buf))
		bv3d_bo_unuse(bo);
	return buf;
}

struct sg_table *bv3d_prime_get_sg_table(struct drm_gem_object *gem)
{
	struct bv3d_bo *bo = to_bv3d_bo(gem);
	struct sg_table *sgt = kzalloc(sizeof(*sgt), GFP_KERNEL);
	int ret;

	if (!sgt)
		return ERR_PTR(-ENOMEM);
	ret = dma_get_sgtable_attrs(to_bv3d_device(gem->dev)->mem.dev, sgt, bo->vaddr, bo->dma, gem->size, DMA_ATTR_WRITE_COMBINE);
	if (ret) {
		kfree(sgt);
		return ERR_PTR(ret);
	}
	return sgt;
}

/* Only our own are asked for: who has an import asks its exporter. */
int bv3d_prime_vmap(struct drm_gem_object *gem, struct iosys_map *map)
{
	struct bv3d_bo *bo = to_bv3d_bo(gem);

	if (!bo->vaddr)
		return -EINVAL;
	iosys_map_set_vaddr(map, bo->vaddr);
	return 0;
}

void bv3d_prime_vunmap(struct drm_gem_object *gem, struct iosys_map *map)
{
	iosys_map_clear(map);
}

/* Attached to the device that outlives unbind, as the BO does */
struct drm_gem_object *bv3d_prime_import(struct drm_device *dev, struct dma_buf *buf)
{
	return drm_gem_prime_import_dev(dev, buf, to_bv3d_device(dev)->mem.dev);
}

/* The V3D has no MMU: an import must be one piece within its reach, and start where lists can point to. */
struct drm_gem_object *bv3d_prime_import_sg_table(struct drm_device *dev, struct dma_buf_attachment *attach, struct sg_table *sgt)
{
	size_t size = PAGE_ALIGN(attach->dmabuf->size);
	dma_addr_t dma = sg_dma_address(sgt->sgl);
	struct bv3d_bo *bo;

	if (drm_prime_get_contiguous_size(sgt) < size || !PAGE_ALIGNED(dma) || !bv3d_mem_reachable(dma, size))
		return ERR_PTR(-EINVAL);
	bo = bv3d_bo_new(to_bv3d_device(dev), size, V3D_BO_PLAIN, "imported");
	if (IS_ERR(bo))
		return ERR_CAST(bo);
	bo->dma = dma;
	bo->sgt = sgt;
	return &bo->base;
}
