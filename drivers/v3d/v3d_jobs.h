/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Jobs: what the files that make, schedule, run and end them know of each other.
 *
 *	submit.c, qpu_submit.c, lists_submit.c	an ioctl's argument becomes a struct v3d_submit
 *	job.c		what a submit holds; its jobs; how they are let go
 *	sync.c		fences, syncobjs, waiting
 *	sched.c		a job's way through drm_sched onto the hardware and off it
 *	turn.c		who is next
 *	cl.c, qpu.c	starting and watching what runs: control lists, user programs
 *	leftovers.c	what others would see of it, and how it is wiped
 *	irq.c, binmem.c	what the hardware says, and wants
 *	reset.c, dump.c	when it says nothing any more
 *
 * Locks below those of v3d_drv.h, outermost first:
 *
 *	v3d_file_queues.lock	order of a file's submits. Taken with BOs' reservations held
 *	v3d_sched.hw		a mutex: starting jobs, resetting. Fence-signalling: nothing is allocated under it
 *
 * Spinlocks: v3d_sched.lock (who runs, who waits), v3d_binmem.lock. Nobody holds two, but for v3d_device.perf.lock below
 * v3d_sched.lock. Jobs end in interrupts, so all are taken with interrupts off. Fences are signalled with none held: their
 * callbacks enter drm_sched.
 */
#ifndef V3D_JOBS_H
#define V3D_JOBS_H

#include <linux/dma-fence.h>
#include <linux/hrtimer.h>
#include <linux/kref.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "v3d_drv.h"
#include "lists.h"

struct v3d_job;
struct v3d_hang;

/**
 * struct v3d_fence - the end of a job, or its turn
 *
 * Each one alive counts as a use of the module: its functions are here, and sync_files, syncobjs and reservations keep fences for
 * as long as they like.
 */
struct v3d_fence {
	struct dma_fence base;
	spinlock_t lock;		/* dma_fence's */
};

/**
 * struct v3d_file_queues - one file's jobs
 *
 * Lives until the file is closed and its last job is gone; keeps the DRM device, and so the schedulers, alive meanwhile.
 */
struct v3d_file_queues {
	struct kref refs;
	struct v3d_device *v3d;
	struct drm_sched_entity entities[V3D_QUEUES];
	wait_queue_head_t wait;		/* for finished and submits */
	atomic_t submits;		/* that still hold something */
	atomic64_t finished;		/* seqno up to which all is done */
	atomic_t guilty, innocent;
	struct work_struct free;
	u64 client_id;
	bool killed;			/* by SIGKILL: what has not started never will */
	u64 context, bin_context;	/* of the fences that tell the ends of submits; of bin jobs */

	struct mutex lock;		/* order of submits */
	u64 seqno;			/* the last one given. lock */
	struct dma_fence *last;		/* end of that submit. lock */
	enum v3d_queue last_queue;	/* where it ends. lock */

	u64 due[V3D_QUEUES];		/* virtual time, see turn.c. v3d_sched.lock */
	u64 busy_ns[V3D_QUEUES];	/* v3d_sched.lock */
};

/**
 * struct v3d_chunk - a block of binner memory
 */
struct v3d_chunk {
	struct list_head link;		/* in the pool, or on v3d_submit.chunks */
	struct v3d_bo *bo;
	bool own;			/* made for one submit: not of the pool's size */
};

/**
 * struct v3d_batch - programs for the request queue
 */
struct v3d_batch {
	struct v3dcl_run *runs;
	u32 count;
	u32 fed, done;			/* of @count. v3d_sched.lock */
	u8 completed;			/* SRQCS.QPURQCC when last seen. v3d_sched.lock */
	u64 pause_ns;			/* until the timer looks again. v3d_sched.lock */
};

/**
 * struct v3d_wipe - programs of the driver's own, which leave nothing of what others left
 */
struct v3d_wipe {
	struct v3d_batch batch;
	u64 owner;			/* the only client of whom something may be there, or 0. v3d_sched.lock */
	u64 count;			/* how often so far, for debugfs. v3d_sched.lock */
};

/**
 * struct v3d_qpu_work - user programs of a submit
 */
struct v3d_qpu_work {
	struct v3d_batch batch;
	u64 timeout_ns;
};

/**
 * struct v3d_submit - what one ioctl asked for, and all that its jobs need until the last of them is done
 */
struct v3d_submit {
	struct kref refs;		/* the ioctl's while it runs, and each job's */
	struct v3d_device *v3d;
	struct v3d_file_queues *file;
	struct work_struct release;

	struct drm_gem_object **bos;	/* each once */
	struct v3dcl_bo *uses;		/* of bos, in another order, with repetitions: see v3d_submit_bos() */
	struct drm_gem_object **handles;	/* in the order of uses; no references of their own */
	u32 bo_count, handle_count;
	u32 bos_in_use;			/* v3d_bo_use() done */

	struct v3d_bo *exec;		/* checked lists, records and uniforms, or QPU uniforms */
	struct v3d_bo *render;		/* render list */
	struct list_head chunks;	/* v3d_sched.lock while the bin job runs */
	struct v3d_perfmon *perfmon;
	bool powered;
	u64 seqno;
	struct v3d_job *bin;		/* that @last waits for; NULL without one or after submission */
	struct v3d_job *last;		/* the job whose end is the submit's */
	struct v3d_qpu_work *qpu;	/* NULL for frames */
	const struct v3dcl_lists_job *lists;	/* of SUBMIT_LISTS, while its ioctl runs; NULL for others */
};

/* In which a job is. v3d_sched.lock */
enum v3d_job_state {
	V3D_JOB_NEW,		/* waits for fences */
	V3D_JOB_WAITING,	/* waits for its turn */
	V3D_JOB_GRANTED,	/* its queue is its own */
	V3D_JOB_RUNNING,	/* the hardware has it */
	V3D_JOB_STOPPED,	/* reset is taking it away */
	V3D_JOB_FINISHING,	/* it is being ended: no one else may */
	V3D_JOB_DONE,
};

/**
 * struct v3d_job - one run on one queue
 */
struct v3d_job {
	struct drm_sched_job base;
	struct v3d_submit *submit;
	enum v3d_queue queue;
	struct v3d_fence *done;		/* the job's end */
	struct v3d_fence *turn;		/* signalled when its turn comes */
	struct dma_fence *after;	/* the bin job's end, whose error is ours too */
	u32 start, end;			/* list addresses; 0 for user programs */
	bool repeatable;		/* running it again gives the same */
	bool runs_code;			/* on the QPUs */
	bool sees_leftovers;		/* it may read registers that it has not written */

	/* v3d_sched.lock */
	struct list_head link;		/* v3d_lane.waiting */
	enum v3d_job_state state;
	struct v3d_wipe *wipe;		/* that must be over first; set when its turn comes */
	int error;			/* why it must end */
	ktime_t started;

	/* The timeout handler's alone */
	u32 seen[4];			/* registers that move while it works */
	unsigned int idle_looks;	/* in a row that saw nothing move */
	unsigned int restarts;
};

#define to_v3d_job(sched_job) container_of((sched_job), struct v3d_job, base)

/**
 * struct v3d_lane - a queue of the hardware
 */
struct v3d_lane {
	struct drm_gpu_scheduler base;
	struct v3d_job *active;		/* has its turn, or runs. v3d_sched.lock */
	struct list_head waiting;	/* ready but for their turn. v3d_sched.lock */
	u64 now;			/* virtual time. v3d_sched.lock */
	u64 finished;			/* jobs so far, for debugfs. v3d_sched.lock */
	bool initialized;
};

struct v3d_sched {
	struct v3d_device *v3d;
	spinlock_t lock;		/* who runs, who waits */
	struct mutex hw;		/* starting jobs, resetting */
	struct v3d_lane lanes[V3D_QUEUES];
	struct v3d_job *alone;		/* is next, when what must not run beside it has finished. lock */
	unsigned int first;		/* lane that is asked first. lock */
	bool stopped;			/* unbound. hw */
	bool wedged;			/* a reset failed. hw; read without it by submits */
	wait_queue_head_t idle;		/* a job finished */
	struct workqueue_struct *timeouts;	/* ordered: one handler at a time */
	struct workqueue_struct *starts;	/* the schedulers', NULL where they have threads */
	struct hrtimer qpu_timer;
	struct v3d_job *requests;	/* has the request queue: its batch is there, or its wipe's. lock */
	struct v3d_wipe rows;		/* of the VPM, for user programs */
	struct v3d_wipe registers;	/* of all QPUs, for shaders */
	struct v3d_bo *wipes;		/* their programs */
};

/* 6.1.176 has no list_count_nodes() */
static inline u32 v3d_list_length(const struct list_head *list)
{
	const struct list_head *entry;
	u32 length = 0;

	list_for_each(entry, list)
		length++;
	return length;
}

static inline struct v3d_lane *v3d_job_lane(const struct v3d_job *job)
{
	return &job->submit->v3d->sched->lanes[job->queue];
}

/* job.c */

struct v3d_submit *v3d_submit_create(struct drm_device *dev, struct drm_file *file_priv);
void v3d_submit_put(struct v3d_submit *submit);
int v3d_submit_bos(struct v3d_submit *submit, struct drm_file *file_priv, const u32 *handles, u32 count);
int v3d_submit_perfmon(struct v3d_submit *submit, struct v3d_file *file, u32 id);
struct v3d_job *v3d_job_create(struct v3d_submit *submit, enum v3d_queue queue);
void v3d_job_free(struct v3d_job *job);
int v3d_submit_push(struct v3d_submit *submit, struct dma_fence **end);
struct v3d_file_queues *v3d_file_queues_create(struct v3d_file *file);
void v3d_file_queues_put(struct v3d_file_queues *queues);
void v3d_file_queues_put_in_irq(struct v3d_file_queues *queues);

/* sync.c */

/**
 * struct v3d_syncs - user pointers to arrays of &struct drm_v3dcl_sync
 * @in: what a submit waits for
 * @out: what it signals
 * @in_count: entries of @in
 * @out_count: entries of @out
 */
struct v3d_syncs {
	u64 in, out;
	u32 in_count, out_count;
};

struct v3d_fence *v3d_fence_create(void);
void v3d_fence_init(struct v3d_fence *fence, u64 context, u64 seqno);
void v3d_fence_free(struct v3d_fence *fence);
int v3d_wait_for_sync(struct v3d_job *job, struct drm_file *file_priv, u32 handle, u64 point);
int v3d_submit_queue(struct v3d_submit *submit, struct drm_file *file_priv, const struct v3d_syncs *syncs, u64 *seqno);

/* sched.c */

void v3d_job_finish(struct v3d_job *job, int error);
void v3d_queue_finished(struct v3d_device *v3d, enum v3d_queue queue);
struct v3d_job *v3d_lane_take(struct v3d_sched *sched, enum v3d_queue queue);
void v3d_job_fail(struct v3d_sched *sched, enum v3d_queue queue, int error);
bool v3d_job_claim(struct v3d_job *job, enum v3d_job_state from, enum v3d_job_state to);

/* turn.c: all with v3d_sched.lock held */

/* Fences of jobs whose turn came, to be signalled once the lock is dropped */
struct v3d_turns {
	struct dma_fence *fences[V3D_QUEUES];
	unsigned int count;
};

void v3d_turn_enter(struct v3d_sched *sched, struct v3d_job *job);
void v3d_turn_leave(struct v3d_sched *sched, struct v3d_job *job, u64 busy_ns);
void v3d_turn_grant(struct v3d_sched *sched, struct v3d_turns *turns);
void v3d_turns_signal(struct v3d_turns *turns);	/* without the lock */

/* cl.c */

void v3d_clear_caches(struct v3d_device *v3d);
struct v3d_job *v3d_cl_job_create(struct v3d_submit *submit, enum v3d_queue queue, u32 start, u32 end);
void v3d_cl_start(struct v3d_job *job);
bool v3d_cl_moved(struct v3d_job *job);
bool v3d_cl_failed(struct v3d_job *job);

/* qpu.c */

void v3d_qpu_init(struct v3d_sched *sched);
void v3d_qpu_stop(struct v3d_sched *sched);
void v3d_job_launch(struct v3d_job *job);
u64 v3d_qpu_look(struct v3d_device *v3d);

/* leftovers.c */

void v3d_leftovers_mark(struct v3d_job *job);
void v3d_leftovers_note(struct v3d_sched *sched, const struct v3d_job *job);
bool v3d_leftovers_apart(struct v3d_sched *sched, const struct v3d_job *job, const struct v3d_job *other);
struct v3d_wipe *v3d_wipe_for(struct v3d_sched *sched, const struct v3d_job *job);
void v3d_wipe_ended(struct v3d_job *job);

/* binmem.c */

int v3d_binmem_charge(struct v3d_submit *submit, const struct v3dcl_needs *needs, struct v3dcl_tile_memory *tiles);
void v3d_binmem_provide(struct v3d_device *v3d);
void v3d_binmem_release(struct v3d_submit *submit);
void v3d_binmem_out_of_memory(struct v3d_device *v3d);
void v3d_binmem_stop(struct v3d_device *v3d);
void v3d_binmem_show(struct v3d_device *v3d, struct seq_file *m);

/* reset.c */

/**
 * struct v3d_hangs - the last hang, for GET_HANG_STATE
 */
struct v3d_hangs {
	struct mutex lock;		/* what follows */
	struct drm_vc4_get_hang_state last;
	bool any;			/* that nobody has been told of */
};

struct v3d_reset {
	atomic_t resets, restarts, cancelled;
	struct v3d_hangs hangs;
};

void v3d_reset_timed_out(struct v3d_job *job);
void v3d_reset_show(struct v3d_device *v3d, struct seq_file *m);

/* dump.c */

struct v3d_hang *v3d_hang_capture(struct v3d_job *job);
void v3d_hang_keep(struct v3d_device *v3d, struct v3d_hang *hang);
int v3d_hang_init(struct v3d_device *v3d);

#endif /* V3D_JOBS_H */
