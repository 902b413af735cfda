// SPDX-License-Identifier: GPL-2.0-only
/* BOs shared with other devices and processes: dma-bufs out and in */
#include <linux/dma-buf.h>
#include <linux/iosys-map.h>
#include <linux/scatterlist.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include <drm/drm_prime.h>

#include "drv.h"

/**
 * bv3d_prime_export() - a dma-buf of a BO
 * @gem: the BO
 * @flags: of the file descriptor
 *
 * The dma-buf's users need the contents from here on: the use never ends. Code stays with its file,
 * so that no other device can write to it: EPERM, as DRM's helpers say too.
 *
 * Return: it, or an ERR_PTR: -EPERM, -EINVAL when the BO is not needed or purged, as
 * drm_gem_prime_export()
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

/*
 * Segments of 64 KiB: a device that has not said how long they may be is held to that, and who
 * needs one piece sees that each begins where the one before ends
 */
static int bv3d_prime_segments(struct sg_table *sgt, size_t size)
{
	struct page *page = sg_page(sgt->sgl);
	struct scatterlist *sg;
	unsigned int i;
	int ret;

	if (sgt->orig_nents > 1)
		return 0;
	sg_free_table(sgt);
	ret = sg_alloc_table(sgt, DIV_ROUND_UP(size, SZ_64K), GFP_KERNEL);
	if (ret)
		return ret;
	for_each_sgtable_sg(sgt, sg, i)
		sg_set_page(sg, page + i * (SZ_64K >> PAGE_SHIFT),
			    min_t(size_t, size - (size_t)i * SZ_64K, SZ_64K), 0);
	return 0;
}

/**
 * bv3d_prime_get_sg_table() - a BO's pages, for a device that imports it
 * @gem: a BO of our own
 *
 * Return: the caller's table, or an ERR_PTR
 */
struct sg_table *bv3d_prime_get_sg_table(struct drm_gem_object *gem)
{
	struct bv3d_bo *bo = to_bv3d_bo(gem);
	struct sg_table *sgt = kzalloc(sizeof(*sgt), GFP_KERNEL);
	int ret;

	if (!sgt)
		return ERR_PTR(-ENOMEM);
	ret = dma_get_sgtable_attrs(to_bv3d_device(gem->dev)->mem.dev, sgt, bo->vaddr, bo->dma,
				    gem->size, DMA_ATTR_WRITE_COMBINE);
	if (!ret)
		ret = bv3d_prime_segments(sgt, gem->size);
	if (ret) {
		kfree(sgt);
		return ERR_PTR(ret);
	}
	return sgt;
}

/**
 * bv3d_prime_vmap() - a BO's mapping in the kernel
 * @gem: the BO; its reservation is held
 * @map: filled
 *
 * Return: 0, -EINVAL for a BO without memory; for an import: as its exporter says
 */
int bv3d_prime_vmap(struct drm_gem_object *gem, struct iosys_map *map)
{
	struct bv3d_bo *bo = to_bv3d_bo(gem);

	if (gem->import_attach)
		return dma_buf_vmap(gem->import_attach->dmabuf, map);
	if (!bo->vaddr)
		return -EINVAL;
	iosys_map_set_vaddr(map, bo->vaddr);
	return 0;
}

/**
 * bv3d_prime_vunmap() - ends a bv3d_prime_vmap()
 * @gem: the BO, which stays mapped if it is one of our own
 * @map: cleared
 */
void bv3d_prime_vunmap(struct drm_gem_object *gem, struct iosys_map *map)
{
	if (gem->import_attach)
		dma_buf_vunmap(gem->import_attach->dmabuf, map);
	iosys_map_clear(map);
}

/**
 * bv3d_prime_import() - a BO of another driver's dma-buf
 * @dev: the device
 * @buf: the dma-buf
 *
 * Attached to the device that outlives unbind, as the BO does.
 *
 * Return: it, or an ERR_PTR
 */
struct drm_gem_object *bv3d_prime_import(struct drm_device *dev, struct dma_buf *buf)
{
	return drm_gem_prime_import_dev(dev, buf, to_bv3d_device(dev)->mem.dev);
}

/**
 * bv3d_prime_import_sg_table() - a BO of another device's memory
 * @dev: the device
 * @attach: the dma-buf's attachment
 * @sgt: its memory; the BO's from here on, if there is one
 *
 * The V3D has no MMU: an import must be one piece within its reach, and start where lists can point
 * to. What is not so can be shown, where there is a display: the processor copies it.
 *
 * Return: it, or an ERR_PTR: -EINVAL for memory that is not so, -ENOMEM
 */
struct drm_gem_object *bv3d_prime_import_sg_table(struct drm_device *dev,
						  struct dma_buf_attachment *attach,
						  struct sg_table *sgt)
{
	size_t size = PAGE_ALIGN(attach->dmabuf->size);
	dma_addr_t dma = sg_dma_address(sgt->sgl);
	bool reachable = drm_prime_get_contiguous_size(sgt) >= size && PAGE_ALIGNED(dma) &&
			 bv3d_mem_reachable(dma, size);
	struct bv3d_bo *bo;

	if (!reachable && !to_bv3d_device(dev)->kms)
		return ERR_PTR(-EINVAL);
	bo = bv3d_bo_new(to_bv3d_device(dev), size, reachable ? V3D_BO_PLAIN : V3D_BO_FOREIGN,
			 "imported");
	if (IS_ERR(bo))
		return ERR_CAST(bo);
	if (reachable)
		bo->dma = dma;
	bo->sgt = sgt;
	return &bo->base;
}
