/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the driver's files know of each other. Their names begin with bv3d_, "the BCM2835's V3D":
 * v3d_ and vc4_ are those of the kernel's own drivers, and all three may be built in.
 *
 * A function that other files call is described where it is defined, as the kernel does it: all of
 * them have kernel-doc there, and none has any here. "Locked" of a struct bv3d_mem means that
 * bv3d_mem.lock is held, of a struct bv3d_sched bv3d_sched.lock.
 *
 * Locks, outermost first. A thread that holds one takes only those below it.
 *
 *	mmap_lock		(a fault comes with it)
 *	dma_resv of BOs		(submit; several at a time with a ww_acquire_ctx)
 *	bv3d_mem.lock		each BO's bv3d_bo_state, list links and label; the byte budget.
 *				Taken with trylock in reclaim, so nothing is allocated under it but
 *				page tables
 *	i_mmap_rwsem		(zapping a purged BO's mappings)
 *
 * bv3d_device.power_cycle stands beside these: it is held while power is switched, and nothing but
 * what that takes is below it.
 *
 * Spinlocks, of which no thread holds two: bv3d_device.perf.lock (perfmons on the hardware; below
 * bv3d_sched.lock), bv3d_file.refusal_lock. Fence-signalling paths (run_job, interrupt work,
 * timeout, capture of a hang) take only spinlocks, and bv3d_sched.hw.
 *
 * Life. drm_device is the root: BOs, contexts and fences may outlive unbind, and with it everything
 * reached from struct bv3d_device that is drmm-managed. What belongs to the hardware (registers,
 * interrupt, clock, power) is devm-managed and goes at unbind: it is touched only between
 * drm_dev_enter and drm_dev_exit, and while a bv3d_power_get is held.
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
#include "start.h"
#include "validate.h"
#include "compat.h"

struct clk;
struct reset_control;
struct seq_file;
struct bv3d_sched;
struct bv3d_binmem;
struct bv3d_reset;
struct bv3d_kms;

/* of the platform driver; the DRM driver is called vc4, as userspace wants it */
#define V3D_DRIVER_NAME "bcm2835_v3d"

/* The hardware's queues: each runs one job at a time. */
enum bv3d_queue {
	V3D_BIN,	/* control list thread 0 */
	V3D_RENDER,	/* control list thread 1 */
	V3D_QPU,	/* user programs */
	V3D_QUEUES
};

/* What a BO is for. Only plain ones can be mapped, exported or purged. */
enum bv3d_bo_kind {
	V3D_BO_PLAIN,	/* made by CREATE_BO or CREATE_DUMB, or imported */
	V3D_BO_SHADER,	/* made by CREATE_SHADER_BO: checked, immutable */
	V3D_BO_PROGRAM,	/* made by CREATE_PROGRAM: checked, immutable */
	V3D_BO_DRIVER,	/* the driver's own: lists, binner memory */
	V3D_BO_FOREIGN,	/* imported, out of the V3D's reach: can be shown, and nothing else */
};

/* Contents of a plain BO */
enum bv3d_bo_state {
	V3D_BO_NEEDED,
	/* madvised DONTNEED: purged when memory is short and no job uses it */
	V3D_BO_UNNEEDED,
	V3D_BO_PURGED,		/* has no memory any more */
};

/* Memory that the V3D can reach, contiguous, zeroed when made */
struct bv3d_bo {
	struct drm_gem_object base;
	enum bv3d_bo_kind kind;		/* never changes */
	/* kernel mapping, write-combined. NULL for imports and purged BOs */
	void *vaddr;
	dma_addr_t dma;			/* as the V3D sees it, below 4 GiB with all its bytes */
	unsigned long pfn;		/* of its first page, for faults */
	struct sg_table *sgt;		/* of an import, else NULL */
	struct v3dcl_shader *shader;	/* of V3D_BO_SHADER: what its check found; never changes */
	struct v3dcl_program *program;	/* of V3D_BO_PROGRAM */
	/* where the memory is from. NULL for imports and purged BOs */
	struct bv3d_piece *piece;

	/* bv3d_mem.lock: */
	enum bv3d_bo_state state;
	/* jobs and dma-bufs that need the contents: not purged while there are any */
	unsigned int users;
	const char *label;
	bool label_allocated;
	/* tells importers how to read it; the driver itself does not care */
	bool t_tiled;
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
	struct {			/* by bo_cache.c; with the lock */
		struct list_head pieces;	/* longest kept first */
		DECLARE_HASHTABLE(by_size, 6);
		u64 bytes;			/* used and kept together stay within the budget */
		/* the same; read by the shrinker without the lock */
		unsigned long pages;
		struct delayed_work expire;
	} kept;
	struct device *dev; /* it is allocated for this one, which outlives unbind (bo_mem.c) */
#ifdef V3D_HAVE_SHRINKER_ALLOC
	struct shrinker *shrinker;
#else
	struct shrinker shrinker;
#endif
};

/* Counters that the driver itself has count, as far as a perfmon leaves some: see watch.c */
#define V3D_WATCHED 4

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
	struct reset_control *reset_line;	/* NULL without one */
	u32 ident[3];			/* IDENT0 to 2, read at probe */
	unsigned int qpus;

	struct bv3d_mem mem;
	struct {
		spinlock_t lock;		/* also taken in interrupts */
		struct bv3d_perfmon *active;	/* on the hardware, with a reference, or NULL */
		/* counters behind it that the driver watches: which, and how many */
		u8 first, watched;
		bool trusted;		/* the first of them was seen to count */
	} perf;
	/* see watch.c and offence.c */
	unsigned int hang_ms, hang_limit;
	struct mutex power_cycle;	/* see power.c */

#ifndef V3D_HAVE_CLIENT_ID
	atomic64_t clients;		/* numbers for files */
#endif

	/* Each drmm-managed and made by its file's init */
	struct bv3d_sched *sched;
	struct bv3d_binmem *binmem;
	struct bv3d_reset *reset;
	struct bv3d_kms *kms;		/* NULL without a display */
};

#define to_bv3d_device(ddev) container_of((ddev), struct bv3d_device, drm)

/* A client: a file that is open on the device */
struct bv3d_file {
	struct bv3d_device *v3d;
	u64 client_id;
	/* of struct bv3d_perfmon, ids from 1. The xarray's lock covers taking a reference */
	struct xarray perfmons;
	/* sched.c: entities, seqnos, time used, guilty and innocent counts. Made at open */
	struct bv3d_file_queues *queues;

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

/* fault.c */

enum bv3d_fault {
	V3D_FAULT_MEMORY,	/* there is no contiguous memory */
	V3D_FAULT_POWER,	/* the power domain does not come on */
	V3D_FAULT_START,	/* the V3D does not see that a list is started */
	V3D_FAULTS
};

#ifdef CONFIG_FAULT_INJECTION
bool bv3d_fails(enum bv3d_fault fault);
void bv3d_faults_init(struct drm_minor *minor);
#else
static inline bool bv3d_fails(enum bv3d_fault fault)
{
	return false;
}

static inline void bv3d_faults_init(struct drm_minor *minor)
{
}
#endif

/* hw.c */

void bv3d_hw_init(struct bv3d_device *v3d);

/* drv.c */
bool bv3d_may_run_unverified(void);
int bv3d_run_unverified(void);
void bv3d_read_ident(struct bv3d_device *v3d, u32 ident[3]);
int bv3d_refuse(struct bv3d_file *file, const struct v3dcl_refusal *refusal);

/* bo.c */
struct bv3d_bo *bv3d_bo_create(struct bv3d_device *v3d, size_t size, enum bv3d_bo_kind kind,
			       const char *label);
int bv3d_bo_use(struct bv3d_bo *bo);
void bv3d_bo_unuse(struct bv3d_bo *bo);

/* As the V3D sees it */
static inline u32 bv3d_bo_address(const struct bv3d_bo *bo)
{
	return lower_32_bits(bo->dma);
}

struct bv3d_bo *bv3d_bo_lookup(struct drm_file *file, u32 handle);
u32 bv3d_bo_first_unknown(struct drm_file *file, const u32 *handles, u32 count);
struct bv3d_bo *bv3d_bo_new(struct bv3d_device *v3d, size_t size, enum bv3d_bo_kind kind,
			    const char *label);

/* bo_mem.c */
int bv3d_mem_init(struct bv3d_device *v3d);
u64 bv3d_mem_budget_of(const char *args, u64 node);
int bv3d_mem_charge(struct bv3d_mem *mem, u64 bytes);
void bv3d_mem_uncharge(struct bv3d_mem *mem, u64 bytes);
u64 bv3d_mem_purge_locked(struct bv3d_mem *mem, u64 bytes);
int bv3d_mem_alloc(struct bv3d_mem *mem, struct bv3d_bo *bo, size_t size);
void bv3d_mem_free(struct bv3d_mem *mem, struct bv3d_bo *bo);
void bv3d_mem_set_purgeable(struct bv3d_mem *mem, struct bv3d_bo *bo);
bool bv3d_mem_reachable(dma_addr_t dma, u64 size);

/* bo_cache.c */
void bv3d_bo_cache_init(struct bv3d_mem *mem);
void bv3d_bo_cache_fini(struct bv3d_mem *mem);
struct bv3d_piece *bv3d_bo_cache_take(struct bv3d_mem *mem, size_t size);
void bv3d_bo_cache_keep(struct bv3d_mem *mem, struct bv3d_piece *piece);
u64 bv3d_bo_cache_drop(struct bv3d_mem *mem, u64 bytes);
void bv3d_piece_free(struct bv3d_mem *mem, struct bv3d_piece *piece);

/* shrinker.c */
int bv3d_shrinker_init(struct bv3d_device *v3d);

/* gem.c, code_bo.c */
int bv3d_create_bo_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_mmap_bo_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_create_shader_bo_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_create_program_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_set_tiling_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_get_tiling_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_label_bo_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_gem_madvise_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);

/* prime.c */
struct drm_gem_object *bv3d_prime_import(struct drm_device *dev, struct dma_buf *buf);
struct drm_gem_object *bv3d_prime_import_sg_table(struct drm_device *dev,
						  struct dma_buf_attachment *attach,
						  struct sg_table *sgt);
struct dma_buf *bv3d_prime_export(struct drm_gem_object *gem, int flags);
struct sg_table *bv3d_prime_get_sg_table(struct drm_gem_object *gem);
int bv3d_prime_vmap(struct drm_gem_object *gem, struct iosys_map *map);
void bv3d_prime_vunmap(struct drm_gem_object *gem, struct iosys_map *map);

/* param.c */
int bv3d_get_param_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_get_own_param_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_ident_check(const u32 ident[3]);

/* perfmon.c */
struct bv3d_perfmon *bv3d_perfmon_get(struct bv3d_file *file, u32 id);
void bv3d_perfmon_put(struct bv3d_perfmon *perfmon);
void bv3d_perfmon_start(struct bv3d_device *v3d, struct bv3d_perfmon *perfmon);
void bv3d_perfmon_stop(struct bv3d_device *v3d, struct bv3d_perfmon *perfmon, bool capture);
void bv3d_perfmon_forget(struct bv3d_device *v3d);
void bv3d_perfmon_power_up(struct bv3d_device *v3d);
bool bv3d_perfmon_moved(struct bv3d_device *v3d, u32 *counts);
void bv3d_perfmon_close(struct bv3d_file *file);
struct bv3d_perfmon *bv3d_perfmon_new(const u8 *sources, u32 count);
int bv3d_perfmon_create_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_perfmon_destroy_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_perfmon_get_values_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);

/* power.c */
int bv3d_power_get(struct bv3d_device *v3d);
void bv3d_power_put(struct bv3d_device *v3d);
int bv3d_power_cycle(struct bv3d_device *v3d);
int bv3d_power_init(struct bv3d_device *v3d);
void bv3d_power_stop(struct bv3d_device *v3d);
bool bv3d_power_get_if_awake(struct bv3d_device *v3d);
bool bv3d_power_look(struct bv3d_device *v3d, void (*look)(struct bv3d_device *v3d, void *opaque),
		     void *opaque);
extern const struct dev_pm_ops bv3d_pm_ops;

/* fdinfo.c */
#ifdef V3D_HAVE_SHOW_FDINFO
void bv3d_show_fdinfo(struct drm_printer *p, struct drm_file *file_priv);
#else
void bv3d_show_fdinfo_file(struct seq_file *m, struct file *filp);
#endif

/* kms.c */
int bv3d_kms_init(struct bv3d_device *v3d);
void bv3d_kms_console(struct bv3d_device *v3d);
void bv3d_kms_stop(struct bv3d_device *v3d);
void bv3d_kms_print(struct bv3d_kms *kms, struct seq_file *m);
int bv3d_dumb_create(struct drm_file *file_priv, struct drm_device *dev,
		     struct drm_mode_create_dumb *args);
int bv3d_dumb_map_offset(struct drm_file *file_priv, struct drm_device *dev, u32 handle,
			 u64 *offset);

/* debugfs.c */
void bv3d_debugfs_init(struct drm_minor *minor);

/*
 * From here on: jobs.
 *
 * Probe runs bv3d_sched_init(), bv3d_binmem_init(), bv3d_reset_init(), bv3d_irq_install(),
 * bv3d_power_init(), reads IDENT, runs bv3d_scrubs_init(), bv3d_kms_init(), and registers the DRM
 * device. Unbind runs drm_dev_unplug(), after which no thread is inside drm_dev_enter;
 * bv3d_kms_stop(); bv3d_sched_stop(): running and waiting jobs end with an error;
 * bv3d_power_stop(), which calls bv3d_irq_disable() if the V3D was awake; and the firmware gets its
 * screen back. What is left is drmm-managed.
 */

/* submit_cl.c, submit_qpu.c, submit_lists.c, sync.c, dump.c */
int bv3d_submit_cl_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_submit_frame_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_submit_qpu_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_submit_lists_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_wait_seqno_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_wait_bo_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);
int bv3d_get_hang_state_ioctl(struct drm_device *dev, void *data, struct drm_file *file_priv);

/* sched.c */
int bv3d_sched_init(struct bv3d_device *v3d);
void bv3d_sched_stop(struct bv3d_device *v3d);
int bv3d_sched_suspend(struct bv3d_device *v3d);
void bv3d_sched_resume(struct bv3d_device *v3d);
int bv3d_sched_open(struct bv3d_file *file);
void bv3d_sched_close(struct bv3d_file *file);
void bv3d_sched_show(struct bv3d_device *v3d, struct seq_file *m);
u64 bv3d_sched_busy_ns(struct bv3d_file *file, enum bv3d_queue queue);
u64 bv3d_sched_guilty(struct bv3d_file *file);
u64 bv3d_sched_innocent(struct bv3d_file *file);
u64 bv3d_sched_refused_ns(struct bv3d_file *file);

/* scrub.c */
int bv3d_scrubs_init(struct bv3d_device *v3d);

/* binmem.c */
int bv3d_binmem_init(struct bv3d_device *v3d);

/* reset.c */
int bv3d_reset_init(struct bv3d_device *v3d);

/* watch.c */
int bv3d_watch_init(struct bv3d_device *v3d);
extern const struct attribute_group *bv3d_watch_groups[];

/* irq.c */
int bv3d_irq_install(struct bv3d_device *v3d);
void bv3d_irq_enable(struct bv3d_device *v3d);
void bv3d_irq_disable(struct bv3d_device *v3d);

#endif /* BV3D_DRV_H */
