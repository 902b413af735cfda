// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory of freed BOs is kept for a second: contiguous memory takes long to find, and each frame
 * makes and frees BOs of the same sizes. All with bv3d_mem.lock held.
 */
#include <linux/jiffies.h>
#include <linux/slab.h>

#include "drv.h"

#define V3D_KEEP_JIFFIES HZ

/**
 * bv3d_piece_free() - give memory back to the DMA API
 * @mem: where it is from
 * @piece: on no list; gone when this returns
 *
 * May sleep.
 */
void bv3d_piece_free(struct bv3d_mem *mem, struct bv3d_piece *piece)
{
	if (piece->vaddr)
		dma_free_wc(mem->dev, piece->size, piece->vaddr, piece->dma);
	kfree(piece);
}

static void bv3d_bo_cache_count(struct bv3d_mem *mem, u64 bytes)
{
	mem->kept.bytes = bytes;
	WRITE_ONCE(mem->kept.pages, bytes >> PAGE_SHIFT);
}

static void bv3d_bo_cache_remove(struct bv3d_mem *mem, struct bv3d_piece *piece)
{
	list_del(&piece->link);
	hash_del(&piece->hash);
	bv3d_bo_cache_count(mem, mem->kept.bytes - piece->size);
}

/**
 * bv3d_bo_cache_take() - a piece of that size
 * @mem: locked
 * @size: in bytes
 *
 * Not zeroed.
 *
 * Return: the caller's piece, or NULL when none is kept
 */
struct bv3d_piece *bv3d_bo_cache_take(struct bv3d_mem *mem, size_t size)
{
	struct bv3d_piece *piece;

	lockdep_assert_held(&mem->lock);
	hash_for_each_possible(mem->kept.by_size, piece, hash, size) {
		if (piece->size != size)
			continue;
		bv3d_bo_cache_remove(mem, piece);
		return piece;
	}
	return NULL;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_bo_cache_take);

/**
 * bv3d_bo_cache_keep() - keep a BO's memory for the next one of that size
 * @mem: locked
 * @piece: the caller's; the cache's from here on
 */
void bv3d_bo_cache_keep(struct bv3d_mem *mem, struct bv3d_piece *piece)
{
	lockdep_assert_held(&mem->lock);
	piece->since = jiffies;
	list_add_tail(&piece->link, &mem->kept.pieces);
	hash_add(mem->kept.by_size, &piece->hash, piece->size);
	bv3d_bo_cache_count(mem, mem->kept.bytes + piece->size);
	schedule_delayed_work(&mem->kept.expire, V3D_KEEP_JIFFIES);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_bo_cache_keep);

/**
 * bv3d_bo_cache_drop() - free at least so many bytes of what is kept, oldest first
 * @mem: locked
 * @bytes: how many
 *
 * Return: bytes freed
 */
u64 bv3d_bo_cache_drop(struct bv3d_mem *mem, u64 bytes)
{
	struct bv3d_piece *piece, *next;
	u64 freed = 0;

	lockdep_assert_held(&mem->lock);
	list_for_each_entry_safe(piece, next, &mem->kept.pieces, link) {
		if (freed >= bytes)
			break;
		freed += piece->size;
		bv3d_bo_cache_remove(mem, piece);
		bv3d_piece_free(mem, piece);
	}
	return freed;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_bo_cache_drop);

static void bv3d_bo_cache_expire(struct work_struct *work)
{
	struct bv3d_mem *mem = container_of(to_delayed_work(work), struct bv3d_mem, kept.expire);
	struct bv3d_piece *piece, *next;

	mutex_lock(&mem->lock);
	list_for_each_entry_safe(piece, next, &mem->kept.pieces, link) {
		if (time_before(jiffies, piece->since + V3D_KEEP_JIFFIES)) {
			schedule_delayed_work(&mem->kept.expire, V3D_KEEP_JIFFIES);
			break;
		}
		bv3d_bo_cache_remove(mem, piece);
		bv3d_piece_free(mem, piece);
	}
	mutex_unlock(&mem->lock);
}

/**
 * bv3d_bo_cache_init() - nothing is kept yet
 * @mem: in probe
 *
 * bv3d_bo_cache_fini() ends it.
 */
void bv3d_bo_cache_init(struct bv3d_mem *mem)
{
	INIT_LIST_HEAD(&mem->kept.pieces);
	hash_init(mem->kept.by_size);
	INIT_DELAYED_WORK(&mem->kept.expire, bv3d_bo_cache_expire);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_bo_cache_init);

/**
 * bv3d_bo_cache_fini() - nothing is kept any more
 * @mem: not locked; no BO is left
 *
 * May sleep.
 */
void bv3d_bo_cache_fini(struct bv3d_mem *mem)
{
	cancel_delayed_work_sync(&mem->kept.expire);
	mutex_lock(&mem->lock);
	bv3d_bo_cache_drop(mem, U64_MAX);
	mutex_unlock(&mem->lock);
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_bo_cache_fini);
