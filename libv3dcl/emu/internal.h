/* SPDX-License-Identifier: MIT */
/*
 * What the files of the emulated device know of each other. One lock, emu_device.lock, covers
 * everything but the page table, which the chip looks into while it works: that has
 * emu_device.map_lock, taken with or without the other, and held over nothing else. The chip's
 * functions are called with or without the lock; the chip's callbacks never take it.
 */
#ifndef V3DCL_EMU_INTERNAL_H
#define V3DCL_EMU_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include <drm/v3dcl_drm.h>
#include <v3d/regs.h>

#include "../base/helpers.h"
#include "emu.h"
#include "ioctl.h"
#include "lists.h"
#include "residue.h"
#include "start.h"
#include "v3dsim.h"
#include "v3dsim_trace.h"

/*
 * Addresses as the V3D sees them. What the driver itself needs is at their start, always mapped,
 * within the 256 MiB that binner memory must lie in; BOs have the rest, three times what they may
 * take by default, so that it does not matter how they lie. The first of them are in these 256 MiB
 * too: raw lists name binner memory of their own, and go on in the driver's when that is full. BOs
 * of one page lie at the end, in another window of 256 MiB, as they may beside a kernel: its
 * dma_alloc_contiguous() takes them from elsewhere than larger ones.
 */
#define EMU_PAGE 4096u
#define EMU_OWN_BASE 0x40000000u
#define EMU_BO_BASE 0x4c000000u
#define EMU_END 0x7c000000u
#define EMU_DEFAULT_BUDGET (256u << 20)

/* Of a QPU at 250 MHz: 4 clocks (AG100 p. 17) */
#define EMU_INSTRUCTION_NS 16

struct fence;
struct hold;
struct extent;

/* Which pages of a range of addresses are free */
struct space {
	struct extent *free;		/* by address */
};

bool space_init(struct space *space, uint32_t base, uint32_t end);
void space_fini(struct space *space);
uint32_t space_alloc(struct space *space, uint32_t size, bool last);	/* 0: none */
void space_free(struct space *space, uint32_t address, uint32_t size);

/* Things by a number that userspace has: from 1, the lowest that is free */
struct table {
	void **entries;
	uint32_t size;
	uint32_t first;			/* no entry before this is free */
};

uint32_t table_add(struct table *table, void *entry);	/* 0 without memory */
void *table_get(const struct table *table, uint32_t id);
void *table_remove(struct table *table, uint32_t id);

enum bo_state { BO_NEEDED, BO_UNNEEDED, BO_PURGED };

struct bo {
	struct emu_device *dev;
	unsigned int refs, handles;
	unsigned int users;		/* jobs that need the contents */
	uint32_t uses;			/* by all handles of the job that is being queued */
	uint32_t address, size;
	int memfd;			/* -1 for code, which is never mapped */
	uint64_t inode;			/* of memfd */
	int lock_fd;			/* of memfd, for locks; -1 until it is exported */
	uint64_t map_offset;		/* for mmap() */
	enum bo_state state;
	bool exported, t_tiled, plain;
	uint32_t name;			/* FLINK's, or 0 */
	struct v3dcl_shader *shader;
	struct v3dcl_program *program;
	struct fence *write;		/* of the last job that writes it, or NULL */
	struct fence **reads;		/* of jobs since then */
	unsigned int read_count;
	unsigned int foreign_count;	/* see abroad.c */
	struct hold *hold;		/* for the next fence, see abroad_room() */
	struct fence **keeps;		/* of jobs that no other one waits for: WAIT_BO does */
	unsigned int keep_count;
	struct bo *prev, *next;		/* emu_device.bos */
};

/* Memory of the driver's own */
struct own {
	uint32_t address, size;
	uint8_t *cpu;
};

/* Something that ends, a job or several fences together */
struct fence {
	unsigned int refs;
	bool signalled;
	int error;			/* negative errno, 0 */
	int64_t stamp_ns;
	uint64_t context, seqno;
	struct fence **parts;		/* of one that ends when all of these have */
	unsigned int part_count, pending;
	struct fence_watch *watches;
};

/**
 * struct fence_watch - @fn is called, lock held, when the fence ends; the watch is the callee's
 * then
 */
struct fence_watch {
	struct fence_watch *next;
	void (*fn)(struct fence_watch *watch, struct fence *fence);
};

struct perfmon {
	unsigned int refs;
	uint8_t count;
	uint8_t sources[V3D_COUNTERS];
	uint64_t values[V3D_COUNTERS];
};

enum job_kind { JOB_FRAME, JOB_QPU };

/* What a submit asked for, until it has run */
struct job {
	struct job *next;
	struct emu_file *file;
	enum job_kind kind;
	struct bo **bos;		/* a reference each; may repeat */
	struct v3dcl_bo *uses;
	uint32_t bo_count;
	struct own exec, render, tiles;
	struct v3dcl_tile_memory binner;	/* in @tiles; none of raw lists */
	struct own *spills;		/* what the binner was given */
	uint32_t spill_count;
	struct perfmon *perfmon;
	struct fence **after;		/* what it waits for */
	uint32_t after_count;
	bool explicit;			/* and not what BOs say; nor do others wait for it */
	struct fence *done;
	uint64_t seqno;
	uint32_t bin_start, bin_end, render_start, render_end;	/* equal: no such list */
	struct v3dcl_run *runs;
	uint32_t run_count;
	uint64_t limit;			/* instructions and records, of each list or of all runs */
	bool unlisted_code;		/* may run what is not in @bos, or programs */
};

/* A client that has the device open */
struct emu_file {
	struct emu_device *dev;
	struct emu_file *next;
	unsigned int refs;		/* the opener's and its jobs' */
	bool primary, authenticated;
	bool made_realm;		/* has been master of a realm of its own */
	uint64_t realm;			/* of a master and those that opened while it was */
	uint64_t id;
	uint32_t magic;
	struct table handles;		/* of struct bo */
	struct table syncobjs, perfmons;
	uint64_t context, seqno, finished;
	struct fence *last;
	uint64_t guilty, innocent;
	pthread_mutex_t refusal_lock;	/* of refusal, below all others */
	struct v3dcl_refusal refusal;
	struct drm_event_vblank *events;	/* not read yet */
	unsigned int event_count;
};

struct sync_file;
struct exported_syncobj;
struct foreign;

struct emu_device {
	struct emu_device_config config;
	struct v3dsim *chip;
	struct v3dcl_hw hw;		/* its registers */
	uint32_t ident[3];
	unsigned int qpus;

	pthread_mutex_t chip_lock;	/* the worker's while it makes the chip work; above lock */
	atomic_bool chip_wanted;	/* by who wants to fork */
	pthread_mutex_t lock;
	pthread_cond_t changed;		/* a fence ended, a syncobj got one, a job came */
	pthread_t worker;
	bool has_worker, quit;
	struct emu_file *files;
	struct job *jobs, **jobs_end;
	struct job *running;
	struct bo *bos;
	struct table names;		/* FLINK's */
	struct table magics;
	struct emu_file *master;	/* or NULL */
	uint64_t realms;
	struct table framebuffers;
	uint32_t shown_fb;		/* id, or 0 */
	uint32_t flips;
	struct sync_file *sync_files;
	struct exported_syncobj *exported_syncobjs;
	uint64_t contexts, map_offsets;
	uint64_t used, budget;
	struct { uint64_t frames, qpu_jobs, hangs, refusals, overspills; } stats;
	struct drm_vc4_get_hang_state hang;
	bool hang_told;
	/* of its dump, the worker's: enum v3dcl_dump_reason; of programs, how far they were */
	struct { uint32_t reason, fed, done; } ended;
	struct own scrub;		/* the driver's own programs */
	struct v3dcl_run scrub_rows, *scrub_registers;
	atomic_bool scrubs;		/* they run: nothing of them is traced */
	struct v3dcl_residue residue;	/* by files' contexts. chip_lock */
	atomic_bool exports;		/* any dma-buf was made: poll() must look */
	struct foreign *foreigns;	/* what other processes have under way */
	pthread_t watch;		/* looks for their ends */
	bool has_watch;
	uint64_t holds;			/* number of the last of our own locks; 0: none yet */

	uint8_t *memory;		/* EMU_OWN_BASE to EMU_END */
	struct space own, space;
	pthread_mutex_t map_lock;
	struct bo **pages;		/* of the BOs' addresses. map_lock */
};

/* device.c */
void emu_locks_init(struct emu_device *dev);
int emu_refuse(struct emu_file *file, const struct v3dcl_refusal *refusal);
bool emu_is_root(const struct emu_device *dev);
bool emu_may_run_unverified(const struct emu_device *dev);
void file_get(struct emu_file *file);
void file_put(struct emu_file *file);

/* user.c: user pointers, which may be bad */
int user_read(void *to, uint64_t from, size_t size);
int user_write(uint64_t to, const void *from, size_t size);
/* free() it; NULL for none */
int user_dup(void **copy, uint64_t from, uint64_t count, size_t size);
/* a high number, so that the program's own are low; -errno */
int fd_own(int fd);
bool fd_inode(int fd, uint64_t *inode);
unsigned int fd_mode(int fd);		/* as in struct stat; 0 */
int64_t fd_size(int fd);		/* bytes; -1 */
bool fd_readable(int fd);
/* the same file, open for both, with a file description that no other process has; -errno */
int fd_open_again(int fd);
bool fd_is_eventfd(int fd);
void *raw_mmap(void *addr, size_t len, int prot, int flags, int fd, uint64_t offset);
void raw_close(int fd);

/* hang.c: before the reset */
void hang_note(struct emu_device *dev, const struct job *job, int error);
void hang_tell_races(struct emu_device *dev, const struct job *job);
bool hang_find(struct emu_device *dev, const struct emu_file *file, uint32_t address,
	       uint32_t *handle, uint32_t *offset);

/* bo.c */
int bo_create(struct emu_device *dev, uint32_t size, bool plain, struct bo **out);
int bo_create_from(struct emu_device *dev, uint32_t size, int memfd, struct bo **out);
struct bo *bo_get(struct bo *bo);
void bo_put(struct bo *bo);
struct bo *bo_find(struct emu_file *file, uint32_t handle);	/* no reference */
int bo_use(struct bo *bo);
void bo_unuse(struct bo *bo);
int bo_handle(struct emu_file *file, struct bo *bo, uint32_t *handle);
uint8_t *bo_cpu(const struct bo *bo);
struct bo *bo_by_inode(struct emu_device *dev, uint64_t inode);
int bo_fence(struct bo *bo, bool write, struct fence **fence);
int bo_room(struct bo *bo);
void bo_add_fence(struct bo *bo, struct fence *fence, bool write);
int bo_keep_room(struct bo *bo);
void bo_keep_fence(struct bo *bo, struct fence *fence);
int bo_idle_fence(struct bo *bo, struct fence **idle);
int bo_share(struct bo *bo);
int bo_join_fence(struct bo *bo, struct fence *fence, bool write);
bool bo_busy(struct bo *bo, bool write);
bool own_alloc(struct emu_device *dev, uint32_t size, struct own *own);
void own_free(struct emu_device *dev, struct own *own);
bool bo_region(void *opaque, enum v3dsim_unit unit, uint32_t addr, bool write,
	       struct v3dsim_region *out);
void file_close_handles(struct emu_file *file);

/* abroad.c: what other processes do with what they share with this one */
int abroad_room(struct bo *bo);
void abroad_hold(struct bo *bo, struct fence *fence, bool write);
void abroad_hold_pipe(int fd);
int abroad_look(struct bo *bo);
void abroad_tell_tiling(const struct bo *bo);
bool abroad_is_tiled(const struct bo *bo);
int abroad_sync_file(struct emu_device *dev, int fd, struct fence **fence);
void abroad_forget(struct bo *bo);
void abroad_forked(struct emu_device *dev);
void abroad_stop(struct emu_device *dev);

/* Something that ends, a job or several fences together */
struct fence *fence_new(uint64_t context, uint64_t seqno);
/* Something that ends, a job or several fences together */
struct fence *fence_all(struct fence *const *parts, unsigned int count);
struct fence *fence_get(struct fence *fence);
void fence_put(struct fence *fence);
void fence_signal(struct emu_device *dev, struct fence *fence, int error);
void fence_watch(struct fence *fence, struct fence_watch *watch);
int64_t deadline_ns(uint64_t relative_ns);
bool device_wait(struct emu_device *dev, int64_t deadline);	/* false: it has passed */
int fence_wait(struct emu_device *dev, struct fence *fence, int64_t deadline);

/* sync.c */
struct syncobj;
struct fence *syncobj_fence(struct emu_file *file, uint32_t handle, uint64_t point, int *error);
int syncobj_find(struct emu_file *file, uint32_t handle, struct syncobj **out);
int syncobj_replace(struct syncobj *syncobj, struct fence *fence, uint64_t point);
void exported_syncobjs_free(struct emu_device *dev);
void file_close_syncobjs(struct emu_file *file);
int syncobj_ioctl(struct emu_file *file, unsigned int nr, void *arg);

/* sync_file.c */
int sync_file_create(struct emu_device *dev, struct fence *fence);	/* an fd */
/* A reference. Return: 0, -EINVAL: that is no sync_file, -ENOMEM */
int sync_file_fence(struct emu_device *dev, int fd, struct fence **fence);
int sync_file_ioctl(struct emu_device *dev, int fd, unsigned long request, void *arg);
void sync_files_free(struct emu_device *dev);
void sync_files_forked(struct emu_device *dev);

/* kms.c */
int kms_ioctl(struct emu_file *file, unsigned int nr, void *arg);
void kms_closed(struct emu_file *file);

/* perfmon.c */
struct perfmon *perfmon_get(struct emu_file *file, uint32_t id);
void perfmon_put(struct perfmon *perfmon);
void perfmon_start(struct emu_device *dev, struct perfmon *perfmon);
void perfmon_stop(struct emu_device *dev, struct perfmon *perfmon, bool capture);

/* job.c, run.c */
struct job *job_new(struct emu_file *file, enum job_kind kind);
void job_free(struct job *job);
void job_give_up(struct job *job);

/* User pointers to arrays of struct drm_v3dcl_sync: waited for, and signalled */
struct syncs {
	uint64_t in, out;
	uint32_t in_count, out_count;
};

/* A frame's binning and its rendering */
#define JOB_STAGES 2

int job_queue(struct job *job, const struct syncs *syncs, uint32_t count,
	      const struct v3dcl_lists_job *lists, __u64 *seqno);
int job_bos(struct job *job, const uint32_t *handles, uint32_t count);
int job_wait_for(struct job *job, struct fence *fence);
int job_push(struct job *job, bool lists);
bool run_start(struct emu_device *dev);
bool run_make_scrub(struct emu_device *dev);
void run_stop(struct emu_device *dev);

/* The ioctls: lock not held, arg is a copy of the caller's */
typedef int emu_ioctl(struct emu_file *file, void *arg);
emu_ioctl emu_submit_cl, emu_wait_seqno, emu_wait_bo, emu_create_bo, emu_mmap_bo,
	emu_create_shader_bo, emu_get_hang_state, emu_get_param, emu_set_tiling, emu_get_tiling,
	emu_label_bo, emu_gem_madvise, emu_perfmon_create, emu_perfmon_destroy,
	emu_perfmon_get_values, emu_get_own_param, emu_create_program, emu_submit_qpu,
	emu_submit_lists, emu_submit_frame, emu_get_refusal, emu_gem_close, emu_gem_flink,
	emu_gem_open, emu_prime_handle_to_fd, emu_prime_fd_to_handle;

/* Seen through chip registers */
static inline uint32_t chip_read(struct emu_device *dev, enum v3d_reg reg)
{
	return v3dsim_read(dev->chip, reg);
}

static inline void chip_write(struct emu_device *dev, enum v3d_reg reg, uint32_t value)
{
	v3dsim_write(dev->chip, reg, value);
}

#endif /* V3DCL_EMU_INTERNAL_H */
