/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the driver's files know of each other. Their names begin with bv3d_, "the BCM2835's V3D": v3d_ and vc4_ are those of the
 * kernel's own drivers, and all three may be built in.
 *
 * Locks, outermost first. Whoever holds one takes only those below it.
 *
 *	mmap_lock		(a fault comes with it)
 *	dma_resv of BOs		(submit; several at a time with a ww_acquire_ctx)
 *	bv3d_mem.lock		each BO's bv3d_bo_state, list links and label; the byte budget. Taken with trylock in reclaim, so
 *				nothing is allocated under it but page tables
 *	i_mmap_rwsem		(zapping a purged BO's mappings)
 *
 * Spinlocks, of which nobody holds two: bv3d_device.perf.lock (perfmons on the hardware; below bv3d_sched.lock),
 * bv3d_file.refusal_lock.
 * Fence-signalling paths (run_job, interrupt work, timeout, dump) take only spinlocks, and the reset bv3d_device.power_cycle.
 *
 * Life. drm_device is the root: BOs, contexts and fences may outlive unbind, and with it everything reached from struct bv3d_device
 * that is drmm-managed. What belongs to the hardware (registers, interrupt, clock, power) is devm-managed and goes at unbind: it is
 * touched only between drm_dev_enter and drm_dev_exit, and while a bv3d_power_get is held.
 */
#ifndef BV3D_DRV_H
#define BV3D_DRV_H

#include <linux/dma-mapping.h>
#include <linux/hashtable.h>
#include <linux/io.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/shrinker.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include <drm/drm_device.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/gpu_scheduler.h>

#include <drm/v3dcl_drm.h>
#include <v3d/regs.h>

#include "ioctl.h"
#include "job.h"
#include "start.h"
#include "compat.h"

struct clk;
struct seq_file;
struct bv3d_sched;
struct bv3d_binmem;
struct bv3d_reset;

#define V3D_DRIVER_NAME "bcm2835_v3d"	/* of the platform driver; the DRM driver is called vc4, as userspace wants it */

/* The hardware's queues: each runs one job at a time. */
enum bv3d_queue {
	V3D_BIN,	/* control list thread 0 */
	V3D_RENDER,	/* control list thread 1 */
	V3D_QPU,	/* user programs */
	V3D_QUEUES
};

/* What a BO is for. Only plain ones can be mapped, exported or purged. */
enum bv3d_bo_kind {
	V3D_BO_PLAIN,	/* made by CREATE_BO, or imported */
	V3D_BO_SHADER,	/* made by CREATE_SHADER_BO: checked, immutable */
	V3D_BO_PROGRAM,	/* made by CREATE_PROGRAM: checked, immutable */
	V3D_BO_DRIVER,	/* the driver's own: lists, binner memory */
};

/* Contents of a plain BO */
enum bv3d_bo_state {
	V3D_BO_NEEDED,
	V3D_BO_UNNEEDED,	/* madvised DONTNEED: purged when memory is short and no job uses it */
	V3D_BO_PURGED,		/* has no memory any more */
};

/* Memory that the V3D can reach, contiguous, zeroed when made */
struct bv3d_bo {
	struct drm_gem_object base;
	enum bv3d_bo_kind kind;		/* never changes */
	void *vaddr;			/* kernel mapping, write-combined. NULL for imports and purged BOs */
	dma_addr_t dma;			/* as the V3D sees it, below 4 GiB with all its bytes */
	unsigned long pfn;		/* of its first page, for faults */
	struct sg_table *sgt;		/* of an import, else NULL */
	struct v3dcl_shader *shader;	/* of V3D_BO_SHADER: what its check found; never changes */
	struct v3dcl_program *program;	/* of V3D_BO_PROGRAM */
	struct bv3d_piece *piece;	/* where the memory is from. NULL for imports and purged BOs */

	/* bv3d_mem.lock: */
	enum bv3d_bo_state state;
	unsigned int users;		/* jobs and dma-bufs that need the contents: not purged while there are any */
	const char *label;
	bool label_allocated;
	bool t_tiled;			/* tells importers how to read it; the driver itself does not care */
	struct list_head link;		/* on bv3d_mem.bos */
	struct list_head purge_link;	/* on bv3d_mem.purgeable when UNNEEDED and without users */
};

#define to_bv3d_bo(gem) container_of((gem), struct bv3d_bo, base)

/* Memory as the DMA API gave it: a BO's, or kept for the next one of that size */
struct bv3d_piece {
	void *vaddr;
	dma_addr_t dma;
	size_t size;
	unsigned long pfn;

	/* bv3d_mem.lock, while it is kept: */
	struct list_head link;		/* on bv3d_mem.kept.pieces */
	struct hlist_node hash;		/* in bv3d_mem.kept.by_size */
	unsigned long since;		/* jiffies */
};

/* All BOs and what they may take */
struct bv3d_mem {
	struct mutex lock;		/* what it covers: see above */
	u64 budget;			/* bytes; never changes after probe */
	u64 used;			/* bytes, charged before they are allocated */
	u64 purged;			/* bytes, in all */
	unsigned long purgeable_pages;	/* read by the shrinker without the lock */
	struct list_head bos;
	struct list_head purgeable;	/* longest unneeded first */
	struct {			/* by cache.c; with the lock */
		struct list_head pieces;	/* longest kept first */
		DECLARE_HASHTABLE(by_size, 6);
		u64 bytes;			/* used and kept together stay within the budget */
		unsigned long pages;		/* the same; read by the shrinker without the lock */
		struct delayed_work expire;
	} kept;
	struct device *dev;		/* memory is allocated and mapped for this one, which outlives unbind (mem.c) */
#ifdef V3D_HAVE_SHRINKER_ALLOC
	struct shrinker *shrinker;
#else
	struct shrinker shrinker;
#endif
};

/* Counters that a file asked for; counts while jobs that name it run */
struct bv3d_perfmon {
	refcount_t refs;
	u8 count;			/* 1 to 16 */
	u8 sources[V3D_COUNTERS];	/* enum v3d_counter */
	u64 values[V3D_COUNTERS];	/* bv3d_device.perf.lock */
};

/* A V3D */
struct bv3d_device {
	struct drm_device drm;

	void __iomem *regs;
	struct v3dcl_hw hw;		/* the same, for hardware starts: see hw.c */
	int irq;
	bool irq_enabled;		/* irq.c: the V3D has power, and may have interrupted */
	struct clk *clk;		/* NULL without one */
	u32 ident[3];			/* IDENT0 to 2, read at probe */
	unsigned int qpus;

	struct bv3d_mem mem;
	struct {
		spinlock_t lock;		/* also taken in interrupts */
		struct bv3d_perfmon *active;	/* on the hardware now, with a reference, or NULL */
	} perf;
	struct mutex power_cycle;	/* held by who asks for power, and by bv3d_power_cycle() */

#ifndef V3D_HAVE_CLIENT_ID
	atomic64_t clients;		/* numbers for files */
#endif

	/* Each drmm-managed and made by its file's init */
	struct bv3d_sched *sched;
	struct bv3d_binmem *binmem;
	struct bv3d_reset *reset;
};

#define to_bv3d_device(ddev) container_of((ddev), struct bv3d_device, drm)

/* Somebody who has the device open */
struct bv3d_file {
	struct bv3d_device *v3d;
	u64 client_id;
	struct xarray perfmons;		/* of struct bv3d_perfmon, ids from 1. The xarray's lock covers taking a reference */
	struct bv3d_file_queues *queues;	/* sched.c: entities, seqnos, time used, guilty and innocent counts. Made at open */

	spinlock_t refusal_lock;	/* of refusal */
	struct v3dcl_refusal refusal;
};

/* Registers. Only between drm_dev_enter and drm_dev_exit, and with power. */
static inline u32 bv3d_read(struct bv3d_device *v3d, enum v3d_reg reg)
{
	return readl(v3d->regs + reg);
}

static inline void bv3d_write(struct bv3d_device *v3d, enum v3d_reg reg, u32 value)
{
	writel(value, v3d->regs + reg);
}

/* hw.c */

void bv3d_hw_init(struct bv3d_device *v3d);

/* drv.c */

/**
 * bv3d_may_run_unproven() - may the caller run programs and lists that can reach all memory?
 *
 * Return: true with CAP_SYS_ADMIN in the initial namespace, on a kernel not locked down, where the module was loaded with
 * unproven=1.
 */
bool bv3d_may_run_unproven(void);

/**
 * bv3d_run_unproven() - the caller wants to run what can reach all memory: from here on the kernel is tainted
 *
 * Return: 0, or -EACCES unless bv3d_may_run_unproven().
 */
int bv3d_run_unproven(void);

/**
 * bv3d_read_ident() - IDENT0 to 2
 * @v3d: awake; the caller as for bv3d_read()
 * @ident: filled
 */
void bv3d_read_ident(struct bv3d_device *v3d, u32 ident[3]);

/**
 * bv3d_refuse() - remember why something of this file was refused, for GET_REFUSAL
 * @file: whose
 * @refusal: copied
 *
 * Return: -EINVAL, which is what the ioctl returns then.
 */
int bv3d_refuse(struct bv3d_file *file, const struct v3dcl_refusal *refusal);

/* bo.c: BOs are made, mapped and freed. mem.c: what they are made of, and the budget */

/**
 * bv3d_bo_create() - memory for the V3D
 * @v3d: who can reach it
 * @size: in bytes, above 0; rounded up to pages
 * @kind: what it is for
 * @label: a string that lives as long as the module
 *
 * Zeroed. Purges what is purgeable before it gives up. May sleep.
 *
 * Return: a BO with one reference (drm_gem_object_put(&bo->base) ends it), or an ERR_PTR: -ENOMEM, -EINVAL.
 */
struct bv3d_bo *bv3d_bo_create(struct bv3d_device *v3d, size_t size, enum bv3d_bo_kind kind, const char *label);

/**
 * bv3d_bo_use() - a job will use the BO's contents
 * @bo: the caller holds a reference
 *
 * May sleep.
 *
 * Return: 0, and the BO is not purged until bv3d_bo_unuse(); -EINVAL when it is not needed (madvised so) or purged.
 */
int bv3d_bo_use(struct bv3d_bo *bo);

/**
 * bv3d_bo_unuse() - ends a bv3d_bo_use()
 * @bo: the caller holds a reference still
 *
 * May sleep; not from a fence-signalling path.
 */
void bv3d_bo_unuse(struct bv3d_bo *bo);

/* As the V3D sees it */
static inline u32 bv3d_bo_address(const struct bv3d_bo *bo)
{
	return lower_32_bits(bo->dma);
}

/**
 * bv3d_bo_lookup() - the BO of a handle
 * @file: whose handle
 * @handle: from userspace
 *
 * Return: it, with a reference, or NULL.
 */
struct bv3d_bo *bv3d_bo_lookup(struct drm_file *file, u32 handle);

u32 bv3d_bo_first_unknown(struct drm_file *file, const u32 *handles, u32 count);
struct bv3d_bo *bv3d_bo_new(struct bv3d_device *v3d, size_t size, enum bv3d_bo_kind kind, const char *label);
int bv3d_mem_init(struct bv3d_device *v3d);
int bv3d_mem_charge(struct bv3d_mem *mem, u64 bytes);
void bv3d_mem_uncharge(struct bv3d_mem *mem, u64 bytes);
u64 bv3d_mem_purge_locked(struct bv3d_mem *mem, u64 bytes);
int bv3d_mem_alloc(struct bv3d_mem *mem, struct bv3d_bo *bo, size_t size);
void bv3d_mem_free(struct bv3d_mem *mem, struct bv3d_bo *bo);
void bv3d_mem_set_purgeable(struct bv3d_mem *mem, struct bv3d_bo *bo);
bool bv3d_mem_reachable(dma_addr_t dma, u64 size);

/* cache.c */
void bv3d_cache_init(struct bv3d_mem *mem);
void bv3d_cache_fini(struct bv3d_mem *mem);
struct bv3d_piece *bv3d_cache_take(struct bv3d_mem *mem, size_t size);
void bv3d_cache_keep(struct bv3d_mem *mem, struct bv3d_piece *piece);
u64 bv3d_cache_drop(struct bv3d_mem *mem, u64 bytes);
void bv3d_piece_free(struct bv3d_mem *mem, struct bv3d_piece *piece);

int bv3d_shrinker_init(struct bv3d_device *v3d);

/* gem.c and code.c: their ioctls; prime.c */
int bv3d_create_bo_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_mmap_bo_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_create_shader_bo_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_create_program_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_set_tiling_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_get_tiling_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_label_bo_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_gem_madvise_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);

struct drm_gem_object *bv3d_prime_import(struct drm_device *dev, struct dma_buf *buf);
struct drm_gem_object *bv3d_prime_import_sg_table(struct drm_device *dev, struct dma_buf_attachment *attach, struct sg_table *sgt);
struct dma_buf *bv3d_prime_export(struct drm_gem_object *gem, int flags);
struct sg_table *bv3d_prime_get_sg_table(struct drm_gem_object *gem);
int bv3d_prime_vmap(struct drm_gem_object *gem, struct iosys_map *map);
void bv3d_prime_vunmap(struct drm_gem_object *gem, struct iosys_map *map);

/* param.c */
int bv3d_get_param_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_get_own_param_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_ident_check(const u32 ident[3]);

/* perfmon.c */

/**
 * bv3d_perfmon_get() - the perfmon of that id
 * @file: whose
 * @id: from userspace; ids start at 1
 *
 * Return: it, with a reference, or NULL.
 */
struct bv3d_perfmon *bv3d_perfmon_get(struct bv3d_file *file, u32 id);

/**
 * bv3d_perfmon_put() - ends a bv3d_perfmon_get()
 * @perfmon: or NULL
 *
 * Any context.
 */
void bv3d_perfmon_put(struct bv3d_perfmon *perfmon);
/**
 * bv3d_perfmon_start() - count for this perfmon from now on
 * @v3d: awake
 * @perfmon: or NULL, which only stops what counts
 *
 * For run_job: nothing happens when it counts already; another one that counts is stopped first and keeps its values. The caller is
 * between drm_dev_enter and drm_dev_exit and holds power. Jobs that run at the same time with different perfmons would count each
 * other's work: the scheduler keeps them apart.
 */
void bv3d_perfmon_start(struct bv3d_device *v3d, struct bv3d_perfmon *perfmon);
/**
 * bv3d_perfmon_stop() - add what was counted to the perfmon's values, and count no more
 * @v3d: awake
 * @perfmon: of the job that ended, or NULL
 * @capture: false when the hardware hung or was reset and its counts are worth nothing
 *
 * Nothing happens when @perfmon is not the one that counts. The caller as for bv3d_perfmon_start().
 */
void bv3d_perfmon_stop(struct bv3d_device *v3d, struct bv3d_perfmon *perfmon, bool capture);
void bv3d_perfmon_forget(struct bv3d_device *v3d);
void bv3d_perfmon_close(struct bv3d_file *file);
struct bv3d_perfmon *bv3d_perfmon_new(const u8 *sources, u32 count);
int bv3d_perfmon_create_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_perfmon_destroy_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_perfmon_get_values_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);

/* power.c */

/**
 * bv3d_power_get() - the V3D is awake until bv3d_power_put()
 * @v3d: asleep or awake
 *
 * For submit: a job holds it from when it is made until it is freed. May sleep and allocate: not from a fence-signalling path.
 *
 * Return: 0, -ENODEV after unbind, or what the power domain says.
 */
int bv3d_power_get(struct bv3d_device *v3d);

/**
 * bv3d_power_put() - the V3D may sleep, after a while
 * @v3d: also after unbind
 *
 * Any context.
 */
void bv3d_power_put(struct bv3d_device *v3d);
/**
 * bv3d_power_cycle() - force the power domain off and on, whoever holds power
 * @v3d: awake
 *
 * For reset: the queues are stopped, nothing else touches registers meanwhile. The caller is between drm_dev_enter and
 * drm_dev_exit and holds power. Calls bv3d_irq_disable() and bv3d_irq_enable().
 *
 * Return: 0 when a canary written before it is gone and the V3D answers, -EIO when it is dead or was not reset.
 */
int bv3d_power_cycle(struct bv3d_device *v3d);
int bv3d_power_init(struct bv3d_device *v3d);
bool bv3d_power_get_if_awake(struct bv3d_device *v3d);
extern const struct dev_pm_ops bv3d_pm_ops;

/* fdinfo.c */
#ifdef V3D_HAVE_SHOW_FDINFO
void bv3d_show_fdinfo(struct drm_printer *p, struct drm_file *file_priv);
#else
void bv3d_show_fdinfo_file(struct seq_file *m, struct file *filp);
#endif

/* debugfs.c */
void bv3d_debugfs_init(struct drm_minor *minor);
/**
 * bv3d_show_registers() - every register by name, decoded
 * @v3d: awake; the caller as for bv3d_read()
 * @p: where to
 */
void bv3d_show_registers(struct bv3d_device *v3d, struct drm_printer *p);

/*
 * From here on: jobs.
 *
 * Probe runs bv3d_sched_init(), bv3d_binmem_init(), bv3d_reset_init(), bv3d_irq_install(), bv3d_power_init(), reads IDENT, runs
 * bv3d_wipes_init(), and registers the DRM device. Unbind runs drm_dev_unplug(), after which nobody is inside drm_dev_enter;
 * bv3d_sched_stop(): running and waiting jobs end with an error; then power goes, which calls bv3d_irq_disable() if the V3D was
 * awake. What is left is drmm-managed.
 */

/* submit.c, qpu_submit.c, lists_submit.c, sync.c, dump.c */
int bv3d_submit_cl_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_submit_qpu_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_submit_lists_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_wait_seqno_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_wait_bo_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_get_hang_state_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);

/* sched.c */
int bv3d_sched_init(struct bv3d_device *v3d);
void bv3d_sched_stop(struct bv3d_device *v3d);
int bv3d_sched_open(struct bv3d_file *file);
void bv3d_sched_close(struct bv3d_file *file);
void bv3d_sched_show(struct bv3d_device *v3d, struct seq_file *m);
/* ns that jobs of this file spent on that queue, for fdinfo */
u64 bv3d_sched_busy_ns(struct bv3d_file *file, enum bv3d_queue queue);
u64 bv3d_sched_guilty(struct bv3d_file *file);
u64 bv3d_sched_innocent(struct bv3d_file *file);

/* leftovers.c */
int bv3d_wipes_init(struct bv3d_device *v3d);

/* binmem.c */
int bv3d_binmem_init(struct bv3d_device *v3d);

/* reset.c */
int bv3d_reset_init(struct bv3d_device *v3d);

/*
 * irq.c. install: the V3D sleeps still; with a shared interrupt the handler may be called at any time. enable: after power on.
 * disable: before power off; masks at the V3D and waits until no handler runs. All in process context; these two without
 * drm_dev_enter.
 */
int bv3d_irq_install(struct bv3d_device *v3d);
void bv3d_irq_enable(struct bv3d_device *v3d);
void bv3d_irq_disable(struct bv3d_device *v3d);

#endif /* BV3D_DRV_H */
