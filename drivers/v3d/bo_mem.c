// SPDX-License-Identifier: GPL-2.0-only
/*
 * What BOs are made of: contiguous memory that the V3D reaches, under a byte budget of our own
 * (dma_alloc falls back from CMA to the buddy allocator, so nothing else bounds it), and what may
 * be taken back from those who do not need it.
 */
#include <linux/dma-direct.h>
#include <linux/dma-map-ops.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/of_address.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include <drm/drm_managed.h>
#include <drm/drm_print.h>
#include <drm/drm_vma_manager.h>

#include "drv.h"

static unsigned long memory_mb;
module_param(memory_mb, ulong, 0444);
MODULE_PARM_DESC(memory_mb,
		 "MiB of all buffers together (0: the CMA area but a share for displays)");

/* Of the CMA area, what is left to others: a quarter, but no more than this */
#define V3D_CMA_SHARE SZ_32M

/*
 * BOs outlive unbind, but what a device needs to free DMA memory does not: the driver core frees
 * its dma_range_map. So memory belongs to a device of our own that reaches what the V3D reaches.
 */
struct bv3d_mem_device {
	struct device dev;
	struct device_dma_parameters parms;
};

static void bv3d_mem_device_release(struct device *dev)
{
	kfree(container_of(dev, struct bv3d_mem_device, dev));
}

static int bv3d_mem_copy_range_map(struct device *dev, const struct bus_dma_region *map)
{
	unsigned int count = 0;

	if (!map)
		return 0;
	while (map[count].size)
		count++;
	dev->dma_range_map = kmemdup(map, (count + 1) * sizeof(*map), GFP_KERNEL);
	return dev->dma_range_map ? 0 : -ENOMEM;
}

static struct device *bv3d_mem_device_new(struct device *v3d)
{
	struct bv3d_mem_device *mem = kzalloc(sizeof(*mem), GFP_KERNEL);
	struct device *dev;
	int ret;

	if (!mem)
		return ERR_PTR(-ENOMEM);
	dev = &mem->dev;
	device_initialize(dev);
	dev->release = bv3d_mem_device_release;
	dev->dma_parms = &mem->parms;
	dma_set_max_seg_size(dev, UINT_MAX);
	dev->bus_dma_limit = v3d->bus_dma_limit;
#ifdef CONFIG_DMA_CMA
	dev->cma_area = v3d->cma_area;
#endif
	bv3d_copy_dma_coherent(dev, v3d);
	ret = dev_set_name(dev, "%s-memory", dev_name(v3d));
	if (!ret)
		ret = bv3d_mem_copy_range_map(dev, v3d->dma_range_map);
	if (!ret)
		ret = dma_coerce_mask_and_coherent(dev, DMA_BIT_MASK(32));
	if (ret) {
		put_device(dev);
		return ERR_PTR(ret);
	}
	return dev;
}

/* A size is one or two cells. A node with a fixed place has reg instead. */
static u64 bv3d_mem_node_size(struct device_node *node)
{
	struct resource res;
	u32 size32;
	u64 size;

	if (!of_property_read_u64(node, "size", &size))
		return size;
	if (!of_property_read_u32(node, "size", &size32))
		return size32;
	return of_address_to_resource(node, 0, &res) ? 0 : resource_size(&res);
}

/* The size of the node that the default CMA area was made from, or 0. */
static u64 bv3d_mem_cma_node_size(void)
{
	struct device_node *reserved = of_find_node_by_path("/reserved-memory");
	struct device_node *child;
	u64 size = 0;

	for_each_available_child_of_node(reserved, child)
		if (of_device_is_compatible(child, "shared-dma-pool") &&
		    of_property_read_bool(child, "linux,cma-default"))
			size = bv3d_mem_node_size(child);
	of_node_put(reserved);
	return size;
}

/* "cma=" of the kernel's arguments, the last of them; without one, the size of the node */
static u64 bv3d_mem_cma_size(const char *args, u64 node)
{
	const char *at = args;
	u64 size = node;

	while (at && (at = strstr(at, "cma="))) {
		bool begins = at == args || at[-1] == ' ';

		at += strlen("cma=");
		if (begins)
			size = memparse(at, NULL);
	}
	return size;
}

/**
 * bv3d_mem_budget_of() - bytes of all BOs together where the user has said nothing
 * @args: the kernel's arguments, or NULL. What they say of CMA goes before the node (the kernel's
 *	rmem_cma_setup())
 * @node: the size of the node that the default CMA area was made from, or 0
 *
 * Without an area of that kind, or of a size that is the kernel's own, it is 64 MiB.
 *
 * Return: the budget, at most 4 GiB
 */
u64 bv3d_mem_budget_of(const char *args, u64 node)
{
	u64 size = bv3d_mem_cma_size(args, node);

	if (!size)
		return SZ_64M;
	size -= min_t(u64, size / 4, V3D_CMA_SHARE);
	return min_t(u64, size, SZ_4G);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_mem_budget_of);

static u64 bv3d_mem_budget(void)
{
	const char *args;
	u64 half;

	if (memory_mb)
		return min_t(u64, (u64)memory_mb * SZ_1M, SZ_4G);
	if (of_property_read_string(of_chosen, "bootargs", &args))
		args = NULL;
	/* What was asked for the kernel may not have had */
	half = (u64)totalram_pages() << PAGE_SHIFT >> 1;
	return min(bv3d_mem_budget_of(args, bv3d_mem_cma_node_size()), half);
}

static void bv3d_mem_fini(struct drm_device *dev, void *data)
{
	struct bv3d_mem *mem = data;

	bv3d_bo_cache_fini(mem);
	drm_WARN_ON(dev, !list_empty(&mem->bos) || mem->used);
	put_device(mem->dev);
	mutex_destroy(&mem->lock);
}

/**
 * bv3d_mem_init() - a budget, and a device to allocate for
 * @v3d: whose memory
 *
 * drmm-managed.
 *
 * Return: 0 or -ENOMEM, or what the device says
 */
int bv3d_mem_init(struct bv3d_device *v3d)
{
	struct bv3d_mem *mem = &v3d->mem;

	mutex_init(&mem->lock);
	INIT_LIST_HEAD(&mem->bos);
	INIT_LIST_HEAD(&mem->purgeable);
	bv3d_bo_cache_init(mem);
	mem->budget = bv3d_mem_budget();
	mem->dev = bv3d_mem_device_new(v3d->drm.dev);
	if (IS_ERR(mem->dev))
		return PTR_ERR(mem->dev);
	return drmm_add_action_or_reset(&v3d->drm, bv3d_mem_fini, mem);
}

/* Bytes beyond the budget if so many more were taken */
static u64 bv3d_mem_excess(const struct bv3d_mem *mem, u64 bytes)
{
	u64 taken = mem->used + mem->kept.bytes;

	return taken > mem->budget - bytes ? taken - (mem->budget - bytes) : 0;
}

static int bv3d_mem_charge_locked(struct bv3d_mem *mem, u64 bytes)
{
	if (bytes > mem->budget)
		return -ENOMEM;
	bv3d_bo_cache_drop(mem, bv3d_mem_excess(mem, bytes));
	bv3d_mem_purge_locked(mem, bv3d_mem_excess(mem, bytes));
	if (bv3d_mem_excess(mem, bytes))
		return -ENOMEM;
	mem->used += bytes;
	return 0;
}

/**
 * bv3d_mem_charge() - take bytes out of the budget
 * @mem: whose
 * @bytes: how many
 *
 * Drops what is kept and purges what is purgeable when they do not fit. May sleep.
 *
 * Return: 0, or -ENOMEM when they do not fit even so
 */
int bv3d_mem_charge(struct bv3d_mem *mem, u64 bytes)
{
	int ret;

	mutex_lock(&mem->lock);
	ret = bv3d_mem_charge_locked(mem, bytes);
	mutex_unlock(&mem->lock);
	return ret;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_mem_charge);

/**
 * bv3d_mem_uncharge() - give bytes back to the budget
 * @mem: whose
 * @bytes: as charged
 *
 * May sleep.
 */
void bv3d_mem_uncharge(struct bv3d_mem *mem, u64 bytes)
{
	mutex_lock(&mem->lock);
	mem->used -= bytes;
	mutex_unlock(&mem->lock);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_mem_uncharge);

/**
 * bv3d_mem_reachable() - can the V3D address all of that?
 * @dma: as the V3D sees it
 * @size: in bytes
 *
 * Return: true when no byte lies at or above 4 GiB, and there is one
 */
bool bv3d_mem_reachable(dma_addr_t dma, u64 size)
{
	return size && (u64)dma <= U32_MAX && size - 1 <= U32_MAX - (u64)dma;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_mem_reachable);

/* The memory must be contiguous also for the CPU: faults count on it. */
static int bv3d_piece_find_pfn(struct bv3d_mem *mem, struct bv3d_piece *piece)
{
	struct sg_table sgt;
	int ret;

	ret = dma_get_sgtable_attrs(mem->dev, &sgt, piece->vaddr, piece->dma, piece->size,
				    DMA_ATTR_WRITE_COMBINE);
	if (ret)
		return ret;
	if (sgt.orig_nents == 1)
		piece->pfn = page_to_pfn(sg_page(sgt.sgl));
	else
		ret = -ENXIO;
	sg_free_table(&sgt);
	return ret;
}

static void *bv3d_mem_dma_alloc(struct bv3d_mem *mem, size_t size, dma_addr_t *dma)
{
	if (bv3d_fails(V3D_FAULT_MEMORY))
		return NULL;
	return dma_alloc_wc(mem->dev, size, dma, GFP_KERNEL | __GFP_NOWARN | __GFP_RETRY_MAYFAIL);
}

/* Everything that can be given back, when there is not so much in one piece */
static bool bv3d_mem_give_back(struct bv3d_mem *mem)
{
	u64 freed;

	mutex_lock(&mem->lock);
	freed = bv3d_bo_cache_drop(mem, U64_MAX) + bv3d_mem_purge_locked(mem, U64_MAX);
	mutex_unlock(&mem->lock);
	return freed;
}

/* Zeroed by dma_alloc. What lies outside the V3D's reach is of no use. */
static struct bv3d_piece *bv3d_piece_alloc(struct bv3d_mem *mem, size_t size)
{
	struct bv3d_piece *piece = kzalloc(sizeof(*piece), GFP_KERNEL);

	if (!piece)
		return NULL;
	piece->size = size;
	piece->vaddr = bv3d_mem_dma_alloc(mem, size, &piece->dma);
	if (!piece->vaddr && bv3d_mem_give_back(mem))
		piece->vaddr = bv3d_mem_dma_alloc(mem, size, &piece->dma);
	if (piece->vaddr && bv3d_mem_reachable(piece->dma, size) &&
	    !bv3d_piece_find_pfn(mem, piece))
		return piece;
	bv3d_piece_free(mem, piece);
	return NULL;
}

/* A piece that was kept is charged already, and the only one that must be zeroed here. */
static struct bv3d_piece *bv3d_mem_find_piece(struct bv3d_mem *mem, size_t size)
{
	struct bv3d_piece *piece;
	int ret = 0;

	mutex_lock(&mem->lock);
	piece = bv3d_bo_cache_take(mem, size);
	if (piece)
		mem->used += size;
	else
		ret = bv3d_mem_charge_locked(mem, size);
	mutex_unlock(&mem->lock);
	if (ret)
		return NULL;
	if (piece) {
		memset(piece->vaddr, 0, size);
		return piece;
	}
	piece = bv3d_piece_alloc(mem, size);
	if (!piece)
		bv3d_mem_uncharge(mem, size);
	return piece;
}

/**
 * bv3d_mem_alloc() - charge and allocate a BO's memory, zeroed
 * @mem: where from
 * @bo: without memory yet
 * @size: in bytes, whole pages
 *
 * May sleep.
 *
 * Return: 0 with vaddr, dma and pfn set, or -ENOMEM, also where what there is lies outside the
 * V3D's reach
 */
int bv3d_mem_alloc(struct bv3d_mem *mem, struct bv3d_bo *bo, size_t size)
{
	struct bv3d_piece *piece = bv3d_mem_find_piece(mem, size);

	if (!piece)
		return -ENOMEM;
	bo->piece = piece;
	bo->vaddr = piece->vaddr;
	bo->dma = piece->dma;
	bo->pfn = piece->pfn;
	return 0;
}

/* The BO's memory, which is no longer the BO's, or NULL */
static struct bv3d_piece *bv3d_mem_detach(struct bv3d_mem *mem, struct bv3d_bo *bo)
{
	struct bv3d_piece *piece = bo->piece;

	lockdep_assert_held(&mem->lock);
	if (piece) {
		bo->piece = NULL;
		bo->vaddr = NULL;
		mem->used -= piece->size;
	}
	return piece;
}

/**
 * bv3d_mem_free() - give back a BO's memory, if it has any, and its bytes
 * @mem: where from
 * @bo: without memory afterwards
 *
 * The memory is kept for a while for another BO. May sleep.
 */
void bv3d_mem_free(struct bv3d_mem *mem, struct bv3d_bo *bo)
{
	struct bv3d_piece *piece;

	mutex_lock(&mem->lock);
	piece = bv3d_mem_detach(mem, bo);
	if (piece)
		bv3d_bo_cache_keep(mem, piece);
	mutex_unlock(&mem->lock);
}

/**
 * bv3d_mem_set_purgeable() - put a BO on the list of what may be purged, or take it off
 * @mem: locked
 * @bo: with memory, unless it is purged or an import
 *
 * By what its state and users say.
 */
void bv3d_mem_set_purgeable(struct bv3d_mem *mem, struct bv3d_bo *bo)
{
	bool purgeable = bo->state == V3D_BO_UNNEEDED && !bo->users;
	unsigned long pages = bo->base.size >> PAGE_SHIFT;

	lockdep_assert_held(&mem->lock);
	if (purgeable == !list_empty(&bo->purge_link))
		return;
	if (purgeable) {
		list_add_tail(&bo->purge_link, &mem->purgeable);
		WRITE_ONCE(mem->purgeable_pages, mem->purgeable_pages + pages);
	} else {
		list_del_init(&bo->purge_link);
		WRITE_ONCE(mem->purgeable_pages, mem->purgeable_pages - pages);
	}
}

/**
 * bv3d_mem_purge_locked() - free at least so many bytes of what is not needed
 * @mem: locked
 * @bytes: how many
 *
 * Longest unneeded first. Touching such a BO's mapping raises SIGBUS from here on.
 *
 * Return: bytes freed
 */
u64 bv3d_mem_purge_locked(struct bv3d_mem *mem, u64 bytes)
{
	struct bv3d_bo *bo, *next;
	u64 freed = 0;

	lockdep_assert_held(&mem->lock);
	list_for_each_entry_safe(bo, next, &mem->purgeable, purge_link) {
		if (freed >= bytes)
			break;
		bo->state = V3D_BO_PURGED;
		bv3d_mem_set_purgeable(mem, bo);
		drm_vma_node_unmap(&bo->base.vma_node, bo->base.dev->anon_inode->i_mapping);
		bv3d_piece_free(mem, bv3d_mem_detach(mem, bo));
		freed += bo->base.size;
	}
	mem->purged += freed;
	return freed;
}
