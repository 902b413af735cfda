// SPDX-License-Identifier: GPL-2.0-only
/* BOs: how they are made, mapped, used and freed */
#include <linux/dma-buf.h>
#include <linux/dma-map-ops.h>
#include <linux/slab.h>

#include <drm/drm_prime.h>

#include "drv.h"

/* Pages that one fault maps, aligned in the BO: a surface is written from end to end. */
#define V3D_FAULT_AROUND 64

static void bv3d_bo_free(struct drm_gem_object *gem)
{
	struct bv3d_bo *bo = to_bv3d_bo(gem);
	struct bv3d_mem *mem = &to_bv3d_device(gem->dev)->mem;

	mutex_lock(&mem->lock);
	list_del(&bo->link);
	if (bo->state == V3D_BO_UNNEEDED) {
		bo->state = V3D_BO_NEEDED;
		bv3d_mem_set_purgeable(mem, bo);
	}
	mutex_unlock(&mem->lock);

	if (gem->import_attach)
		drm_prime_gem_destroy(gem, bo->sgt);
	bv3d_mem_free(mem, bo);
	if (bo->label_allocated)
		kfree(bo->label);
	kfree(bo->shader);
	kfree(bo->program);
	drm_gem_object_release(gem);
	kfree(bo);
}

/* Maps the pages around the fault. A purged BO, or one whose V3D is gone, has none. */
static vm_fault_t bv3d_bo_insert(struct bv3d_bo *bo, struct vm_fault *vmf)
{
	struct vm_area_struct *vma = vmf->vma;
	pgoff_t first = vma->vm_pgoff - drm_vma_node_start(&bo->base.vma_node);
	pgoff_t page = vmf->pgoff - drm_vma_node_start(&bo->base.vma_node);
	pgoff_t last = min(first + vma_pages(vma), (pgoff_t)(bo->base.size >> PAGE_SHIFT));
	pgoff_t from = max(round_down(page, V3D_FAULT_AROUND), first);
	pgoff_t to = min(round_down(page, V3D_FAULT_AROUND) + V3D_FAULT_AROUND, last);
	vm_fault_t ret = VM_FAULT_SIGBUS;
	pgoff_t i;

	if (!bo->vaddr || page < first || page >= last)
		return VM_FAULT_SIGBUS;
	ret = vmf_insert_pfn(vma, vmf->address, bo->pfn + page);
	for (i = from; i < to && ret == VM_FAULT_NOPAGE; i++)
		if (vmf_insert_pfn(vma, vma->vm_start + ((i - first) << PAGE_SHIFT), bo->pfn + i) !=
		    VM_FAULT_NOPAGE)
			break;
	return ret;
}

static vm_fault_t bv3d_bo_fault(struct vm_fault *vmf)
{
	struct drm_gem_object *gem = vmf->vma->vm_private_data;
	struct bv3d_mem *mem = &to_bv3d_device(gem->dev)->mem;
	vm_fault_t ret;
	int idx;

	if (!drm_dev_enter(gem->dev, &idx))
		return VM_FAULT_SIGBUS;
	mutex_lock(&mem->lock);
	ret = bv3d_bo_insert(to_bv3d_bo(gem), vmf);
	mutex_unlock(&mem->lock);
	drm_dev_exit(idx);
	return ret;
}

static const struct vm_operations_struct bv3d_bo_vm_ops = {
	.fault = bv3d_bo_fault,
	.open = drm_gem_vm_open,
	.close = drm_gem_vm_close,
};

/* An import is mapped by who made it; the reference that the caller took is not needed then. */
static int bv3d_bo_mmap_import(struct drm_gem_object *gem, struct vm_area_struct *vma)
{
	int ret;

	vma->vm_private_data = NULL;
	vma->vm_ops = NULL;
	ret = dma_buf_mmap(gem->import_attach->dmabuf, vma, 0);
	if (!ret)
		drm_gem_object_put(gem);
	return ret;
}

static int bv3d_bo_mmap(struct drm_gem_object *gem, struct vm_area_struct *vma)
{
	struct bv3d_bo *bo = to_bv3d_bo(gem);
	struct bv3d_mem *mem = &to_bv3d_device(gem->dev)->mem;

	if (bo->kind != V3D_BO_PLAIN)
		return -EPERM;
	if (gem->import_attach)
		return bv3d_bo_mmap_import(gem, vma);
	if (vma_is_cow_mapping(vma))
		return -EINVAL;

	vm_flags_set(vma, VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP);
	vma->vm_page_prot = vm_get_page_prot(vma->vm_flags);
	if (!dev_is_dma_coherent(mem->dev))
		vma->vm_page_prot = pgprot_writecombine(vma->vm_page_prot);
	return 0;
}

#ifdef V3D_HAVE_GEM_STATUS
/* For fdinfo, which must not wait: what it says may be old by then. */
static enum drm_gem_object_status bv3d_bo_status(struct drm_gem_object *gem)
{
	switch (READ_ONCE(to_bv3d_bo(gem)->state)) {
	case V3D_BO_NEEDED:
		return DRM_GEM_OBJECT_RESIDENT;
	case V3D_BO_UNNEEDED:
		return DRM_GEM_OBJECT_RESIDENT | DRM_GEM_OBJECT_PURGEABLE;
	case V3D_BO_PURGED:
		break;
	}
	return 0;
}
#endif

static const struct drm_gem_object_funcs bv3d_bo_funcs = {
	.free = bv3d_bo_free,
	.export = bv3d_prime_export,
	.get_sg_table = bv3d_prime_get_sg_table,
	.vmap = bv3d_prime_vmap,
	.vunmap = bv3d_prime_vunmap,
	.mmap = bv3d_bo_mmap,
	.vm_ops = &bv3d_bo_vm_ops,
#ifdef V3D_HAVE_GEM_STATUS
	.status = bv3d_bo_status,
#endif
};

/**
 * bv3d_bo_new() - a BO without memory
 * @v3d: who can reach it
 * @size: in bytes, above 0, whole pages
 * @kind: what it is for
 * @label: a string that lives as long as the module
 *
 * Return: it with one reference, or an ERR_PTR: -ENOMEM, -ENOSPC without an offset to map it at
 */
struct bv3d_bo *bv3d_bo_new(struct bv3d_device *v3d, size_t size, enum bv3d_bo_kind kind,
			    const char *label)
{
	struct bv3d_bo *bo = kzalloc(sizeof(*bo), GFP_KERNEL);
	int ret;

	if (!bo)
		return ERR_PTR(-ENOMEM);
	bo->base.funcs = &bv3d_bo_funcs;
	bo->kind = kind;
	bo->label = label;
	INIT_LIST_HEAD(&bo->purge_link);
	drm_gem_private_object_init(&v3d->drm, &bo->base, size);

	mutex_lock(&v3d->mem.lock);
	list_add_tail(&bo->link, &v3d->mem.bos);
	mutex_unlock(&v3d->mem.lock);

	if (kind == V3D_BO_PLAIN) {
		ret = drm_gem_create_mmap_offset(&bo->base);
		if (ret) {
			drm_gem_object_put(&bo->base);
			return ERR_PTR(ret);
		}
	}
	return bo;
}

/**
 * bv3d_bo_create() - memory for the V3D
 * @v3d: who can reach it
 * @size: in bytes, above 0; rounded up to pages
 * @kind: what it is for
 * @label: a string that lives as long as the module
 *
 * Zeroed. Purges what is purgeable before it gives up. May sleep.
 *
 * Return: a BO with one reference (drm_gem_object_put(&bo->base) ends it), or an ERR_PTR: -ENOMEM,
 * -EINVAL, or as bv3d_bo_new()
 */
struct bv3d_bo *bv3d_bo_create(struct bv3d_device *v3d, size_t size, enum bv3d_bo_kind kind,
			       const char *label)
{
	struct bv3d_bo *bo;
	int ret;

	if (!size)
		return ERR_PTR(-EINVAL);
	if (size > v3d->mem.budget)
		return ERR_PTR(-ENOMEM);
	size = PAGE_ALIGN(size);
	bo = bv3d_bo_new(v3d, size, kind, label);
	if (IS_ERR(bo))
		return bo;
	ret = bv3d_mem_alloc(&v3d->mem, bo, size);
	if (ret) {
		drm_gem_object_put(&bo->base);
		return ERR_PTR(ret);
	}
	return bo;
}

/**
 * bv3d_bo_lookup() - the BO of a handle
 * @file: whose handle
 * @handle: from userspace
 *
 * Return: it, with a reference, or NULL
 */
struct bv3d_bo *bv3d_bo_lookup(struct drm_file *file, u32 handle)
{
	struct drm_gem_object *gem = drm_gem_object_lookup(file, handle);

	return gem ? to_bv3d_bo(gem) : NULL;
}

/**
 * bv3d_bo_first_unknown() - which of these handles names no BO?
 * @file: whose handles
 * @handles: from userspace
 * @count: of @handles
 *
 * Return: the index of the first one, @count when all name one
 */
u32 bv3d_bo_first_unknown(struct drm_file *file, const u32 *handles, u32 count)
{
	struct drm_gem_object *gem;
	u32 i;

	for (i = 0; i < count; i++) {
		gem = drm_gem_object_lookup(file, handles[i]);
		if (!gem)
			break;
		drm_gem_object_put(gem);
	}
	return i;
}

/**
 * bv3d_bo_use() - a job will use the BO's contents
 * @bo: the caller holds a reference
 *
 * May sleep.
 *
 * Return: 0, and the BO is not purged until bv3d_bo_unuse(); -EINVAL when it is not needed
 * (madvised so) or purged
 */
int bv3d_bo_use(struct bv3d_bo *bo)
{
	struct bv3d_mem *mem = &to_bv3d_device(bo->base.dev)->mem;
	int ret = -EINVAL;

	mutex_lock(&mem->lock);
	if (bo->state == V3D_BO_NEEDED) {
		bo->users++;
		ret = 0;
	}
	mutex_unlock(&mem->lock);
	return ret;
}

/**
 * bv3d_bo_unuse() - ends a bv3d_bo_use()
 * @bo: the caller holds a reference still
 *
 * May sleep; not from a fence-signalling path.
 */
void bv3d_bo_unuse(struct bv3d_bo *bo)
{
	struct bv3d_mem *mem = &to_bv3d_device(bo->base.dev)->mem;

	mutex_lock(&mem->lock);
	bo->users--;
	bv3d_mem_set_purgeable(mem, bo);
	mutex_unlock(&mem->lock);
}
