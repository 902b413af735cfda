/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Jobs: what the files that make, schedule, run and end them know of each other.
 *
 *	submit_cl.c, submit_qpu.c, submit_lists.c
 *			an ioctl's argument becomes a struct bv3d_submit
 *	kms_job.c	the driver's own: a picture's way to the screen
 *	job.c		what a submit holds; its jobs; how they are let go
 *	sync.c		fences, syncobjs, waiting
 *	sched.c		a job's way through drm_sched onto the hardware and off it
 *	arbiter.c	who is next
 *	cl.c, qpu.c	starting and watching what runs: control lists, user programs
 *	scrub.c		what others would see of it, and how it is scrubbed
 *	irq.c, binmem.c	what the hardware says, and wants
 *	watch.c, reset.c, dump.c
 *			when it says nothing any more
 *	offence.c	who brings that about again and again
 *
 * Locks below those of drv.h, outermost first:
 *
 *	bv3d_file_queues.lock	order of a file's submits. Taken with BOs' reservations held
 *	bv3d_sched.hw		a mutex: starting jobs, taking them away. Fence-signalling: nothing
 *				is allocated under it, and power is not switched. Its owner runs
 *				at v3d_reset's priority while that waits for it
 *
 * Spinlocks: bv3d_sched.lock (who runs, who waits), bv3d_binmem.lock. No thread holds two, but for
 * bv3d_device.perf.lock below bv3d_sched.lock. Jobs end in interrupts, so all are taken with
 * interrupts off. Fences are signalled with none held: their callbacks enter drm_sched.
 */
#ifndef BV3D_JOBS_H
#define BV3D_JOBS_H

#include <linux/dma-fence.h>
#include <linux/hrtimer.h>
#include <linux/kref.h>
#include <linux/kthread.h>
#include <linux/rtmutex.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <drm/v3dcl_dump.h>

#include "drv.h"
#include "lists.h"
#include "residue.h"

struct bv3d_job;
struct bv3d_hang;

/*
 * The end of a job, or the arbiter's grant
 *
 * Each one alive counts as a use of the module: its functions are here, and sync_files, syncobjs
 * and reservations keep fences for as long as they like.
 */
struct bv3d_fence {
	struct dma_fence base;
	spinlock_t lock;		/* dma_fence's */
};

/* Hangs of a file that count against it: offence.c. bv3d_sched.lock */
struct bv3d_offences {
	u64 fade_ns;			/* when the last of them has faded */
	u64 refused_ns;			/* until when its submits are refused */
};

/*
 * One file's jobs
 *
 * Lives until the file is closed and its last job is gone; keeps the DRM device, and so the
 * schedulers, alive meanwhile.
 */
struct bv3d_file_queues {
	struct kref refs;
	struct bv3d_device *v3d;
	struct drm_sched_entity entities[V3D_QUEUES];
	wait_queue_head_t wait;		/* for signalled and submits */
	atomic_t submits;		/* that still hold something */
	/*
	 * Seqno up to which all is done, and up to which all fences have signalled besides: set
	 * before and after a fence signals, see bv3d_job_finish()
	 */
	atomic64_t finished, signalled;
	atomic_t guilty, innocent;
	struct work_struct free;
	/*
	 * Once it had a submit, which may outlive the file. A file that had none does not hold the
	 * module: the console has one, from inside the kernel, until the module goes
	 */
	atomic_t holds_module;
	u64 client_id;
	bool killed;			/* by SIGKILL: what has not started never will */
	/* of the fences that tell the ends of submits; of bin jobs */
	u64 context, bin_context;

	struct mutex lock;		/* order of submits */
	u64 seqno;			/* the last one given. lock */
	struct dma_fence *last;		/* end of that submit. lock */
	enum bv3d_queue last_queue;	/* where it ends. lock */

	u64 virtual_time[V3D_QUEUES];	/* see arbiter.c. bv3d_sched.lock */
	u64 busy_ns[V3D_QUEUES];	/* bv3d_sched.lock */
	struct bv3d_offences offences;
};

/* A block of binner memory */
struct bv3d_chunk {
	struct list_head link;		/* in the pool, or on bv3d_submit.chunks */
	struct bv3d_bo *bo;
	bool own;			/* made for one submit: not of the pool's size */
};

/* Programs of the driver's own, which leave nothing of what others left */
struct bv3d_scrub {
	struct v3dcl_batch batch;	/* its progress: bv3d_sched.lock */
	u64 count;			/* how often so far, for debugfs. bv3d_sched.lock */
};

/* User programs of a submit */
struct bv3d_qpu_work {
	struct v3dcl_batch batch;	/* its progress: bv3d_sched.lock */
	u64 timeout_ns;
};

/* What one ioctl asked for, and all that its jobs need until the last of them is done */
struct bv3d_submit {
	struct kref refs;		/* the ioctl's while it runs, each job's, a dump's */
	struct bv3d_device *v3d;
	struct bv3d_file_queues *file;
	struct work_struct release;

	struct drm_gem_object **bos;	/* each once */
	/* of bos, in another order, with repetitions: see bv3d_submit_bos() */
	struct v3dcl_bo *uses;
	/* in the order of uses; no references of their own */
	struct drm_gem_object **handles;
	u32 bo_count, handle_count;
	u32 bos_in_use;			/* bv3d_bo_use() done */

	struct bv3d_bo *exec;		/* checked lists, records and uniforms, or QPU uniforms */
	struct bv3d_bo *render;		/* render list */
	struct bv3d_bo *shown;		/* of a copy to the screen: where from; NULL for others */
	struct list_head chunks;	/* bv3d_sched.lock while the bin job runs */
	struct bv3d_perfmon *perfmon;
	enum drm_v3dcl_priority priority;
	bool explicit;			/* BOs' fences are not for it, nor its own for others */
	bool powered;			/* its ioctl keeps the V3D awake */
	/* the V3D may still write to its memory: see bv3d_reset_keep(). bv3d_sched.hw */
	bool lost;
	struct list_head lost_link;	/* on bv3d_reset.lost */
	u64 seqno;
	/* that @last waits for; NULL without one or after submission */
	struct bv3d_job *bin;
	struct bv3d_job *last;		/* the job whose end is the submit's */
	struct bv3d_qpu_work *qpu;	/* NULL for frames */
	/* of SUBMIT_LISTS, while its ioctl runs; NULL for others */
	const struct v3dcl_lists_job *lists;
};

/* Fences of the ends of a submit's jobs, a reference each */
struct bv3d_ends {
	struct dma_fence *bin;		/* NULL without one */
	struct dma_fence *last;
};

/* In which a job is. bv3d_sched.lock */
enum bv3d_job_state {
	V3D_JOB_NEW,		/* waits for fences */
	V3D_JOB_WAITING,	/* is ready: waits for the arbiter */
	V3D_JOB_GRANTED,	/* its queue is its own */
	V3D_JOB_RUNNING,	/* the hardware has it */
	V3D_JOB_STOPPED,	/* a reset has it */
	V3D_JOB_FINISHING,	/* it is being ended: no other thread may */
	V3D_JOB_DONE,
};

/* What was seen of a job that runs, for the next look at it: watch.c */
struct bv3d_watch {
	u32 counts[V3D_WATCHED];
	u32 done;			/* of programs: how many have ended */
	ktime_t look_at;		/* of programs: when the next look is due */
	unsigned int idle;		/* looks in a row that saw nothing move */
	unsigned int stepless;		/* of lists: looks in a row that saw no step */
};

/* One run on one queue */
struct bv3d_job {
	struct drm_sched_job base;
	struct bv3d_submit *submit;
	enum bv3d_queue queue;
	struct bv3d_fence *done;	/* the job's end */
	struct bv3d_fence *grant;	/* signalled when the arbiter grants its queue */
	struct dma_fence *after;	/* the bin job's end, whose error is ours too */
	u32 start, end;			/* list addresses; 0 for user programs */
	struct v3dcl_tile_memory tiles;	/* of a checked bin list; none of others */
	bool repeatable;		/* running it again gives the same */
	bool runs_code;			/* on the QPUs */
	bool sees_residue;		/* it may read registers that it has not written */

	/* bv3d_sched.lock */
	struct list_head link;		/* bv3d_hw_queue.waiting */
	enum bv3d_job_state state;
	struct bv3d_scrub *scrub;	/* that must be over first; set when its queue is granted */
	int error;			/* it must end with */
	enum v3dcl_dump_reason reason;	/* why */
	ktime_t started;		/* 0 before; anew when it runs again */

	struct bv3d_watch watch;	/* programs': bv3d_sched.lock, lists': bv3d_sched.hw */

	/* bv3d_sched.hw */
	u32 seen[4];			/* registers that move while it works */
	unsigned int restarts;
};

#define to_bv3d_job(sched_job) container_of((sched_job), struct bv3d_job, base)

/* A queue of the hardware, which runs one job at a time */
struct bv3d_hw_queue {
	struct drm_gpu_scheduler base;
	struct bv3d_job *active;	/* was granted it, or runs. bv3d_sched.lock */
	struct list_head waiting;	/* for the arbiter. bv3d_sched.lock */
	bool signalling;		/* the end of the job before. bv3d_sched.lock */
	u64 virtual_time;		/* of the file served last. bv3d_sched.lock */
	u64 finished;			/* jobs so far, for debugfs. bv3d_sched.lock */
	bool initialized;
};

struct bv3d_sched {
	struct bv3d_device *v3d;
	spinlock_t lock;		/* who runs, who waits */
	struct rt_mutex hw;		/* starting jobs, resetting */
	struct bv3d_hw_queue queues[V3D_QUEUES];
	struct bv3d_job *exclusive;	/* next, once it is compatible with what runs. lock */
	unsigned int first;		/* queue that the arbiter asks first. lock */
	bool stopped;			/* unbound. hw */
	bool suspended;			/* no queue is granted. lock */
	/* power is off and on for a reset: no queue is granted, nothing starts. hw and lock */
	bool resetting;
	bool powered;			/* the V3D is awake, for what runs. lock */
	int no_power;			/* why it is not, and what is granted ends. lock */
	struct work_struct wake;
	u64 unlatched;			/* see bv3d_irq_without_latch(). lock */
	u64 latchless;			/* interrupts that these were. lock */
	bool wedged;			/* a reset failed. hw; read without it by submits */
	wait_queue_head_t idle;		/* a job finished */
	struct workqueue_struct *timeouts;	/* ordered: one handler at a time */
	struct kthread_worker *resets;		/* a real-time thread: see reset.c */
	struct kthread_work reset;
	struct workqueue_struct *starts;	/* the schedulers', NULL where they have threads */
	struct hrtimer qpu_timer;
	/* has the request queue: its batch is there, or its scrub's. lock */
	struct bv3d_job *requests;
	u64 pause_ns;			/* until the timer looks at the batch again. lock */
	struct v3dcl_residue residue;	/* whose. lock */
	struct bv3d_scrub rows;		/* of the VPM, for user programs */
	struct bv3d_scrub registers;	/* of all QPUs, for shaders */
	struct bv3d_bo *scrubs;		/* their programs */
};

/* What the hardware of a queue has, or NULL: what was only granted it, or ends, does not run */
static inline struct bv3d_job *bv3d_hw_queue_running(struct bv3d_sched *sched,
						     enum bv3d_queue queue)
{
	struct bv3d_job *job = sched->queues[queue].active;

	lockdep_assert_held(&sched->lock);
	return job && job->state == V3D_JOB_RUNNING ? job : NULL;
}

/* What a reset has taken from the hardware of a queue, or has kept from starting there, or NULL */
static inline struct bv3d_job *bv3d_hw_queue_stopped(struct bv3d_sched *sched,
						     enum bv3d_queue queue)
{
	struct bv3d_job *job = sched->queues[queue].active;

	lockdep_assert_held(&sched->hw);
	return job && READ_ONCE(job->state) == V3D_JOB_STOPPED ? job : NULL;
}

/* 6.1.176 has no list_count_nodes() */
static inline u32 bv3d_list_length(const struct list_head *list)
{
	const struct list_head *entry;
	u32 length = 0;

	list_for_each(entry, list)
		length++;
	return length;
}

static inline struct bv3d_hw_queue *bv3d_job_hw_queue(const struct bv3d_job *job)
{
	return &job->submit->v3d->sched->queues[job->queue];
}

/* job.c */

struct bv3d_submit *bv3d_submit_new(struct bv3d_file_queues *file);
struct bv3d_submit *bv3d_submit_create(struct drm_device *dev, struct drm_file *file_priv);
void bv3d_submit_put(struct bv3d_submit *submit);
void bv3d_submit_let_go(struct bv3d_submit *submit);
void bv3d_submit_free(struct bv3d_submit *submit);
int bv3d_submit_bos(struct bv3d_submit *submit, struct drm_file *file_priv, const u32 *handles,
		    u32 count);
int bv3d_submit_perfmon(struct bv3d_submit *submit, struct bv3d_file *file, u32 id);
struct bv3d_job *bv3d_job_create(struct bv3d_submit *submit, enum bv3d_queue queue);
void bv3d_job_free(struct bv3d_job *job);
int bv3d_submit_push(struct bv3d_submit *submit, struct bv3d_ends *ends);
void bv3d_ends_put(const struct bv3d_ends *ends);
struct bv3d_file_queues *bv3d_file_queues_create(struct bv3d_file *file);
void bv3d_file_queues_put(struct bv3d_file_queues *queues);
void bv3d_file_queues_put_in_irq(struct bv3d_file_queues *queues);

/* kms_job.c */

void bv3d_copy_release(struct bv3d_submit *copy);

/* sync.c */

/**
 * struct bv3d_syncs - user pointers to arrays of &struct drm_v3dcl_sync
 * @in: what a submit, or one of its jobs, waits for
 * @out: what its end signals
 * @in_count: entries of @in
 * @out_count: entries of @out
 */
struct bv3d_syncs {
	u64 in, out;
	u32 in_count, out_count;
};

struct bv3d_fence *bv3d_fence_create(void);
void bv3d_fence_init(struct bv3d_fence *fence, u64 context, u64 seqno);
void bv3d_fence_free(struct bv3d_fence *fence);
int bv3d_wait_for_sync(struct bv3d_job *job, struct drm_file *file_priv, u32 handle, u64 point);
int bv3d_submit_queue(struct bv3d_submit *submit, struct drm_file *file_priv,
		      const struct bv3d_syncs *bin, const struct bv3d_syncs *syncs, u64 *seqno);

/* sched.c */

struct dma_fence *bv3d_run_job(struct drm_sched_job *base);
void bv3d_job_run(struct bv3d_job *job);
void bv3d_job_finish(struct bv3d_job *job, int error);
void bv3d_queue_finished(struct bv3d_device *v3d, enum bv3d_queue queue);
void bv3d_job_launch(struct bv3d_job *job);
bool bv3d_sched_halt(struct bv3d_sched *sched);
void bv3d_sched_go_on(struct bv3d_sched *sched);
void bv3d_job_ended(struct bv3d_job *job, int error);
void bv3d_job_fail_locked(struct bv3d_job *job, enum v3dcl_dump_reason reason);
void bv3d_reset_ask(struct bv3d_sched *sched);
void bv3d_job_fail(struct bv3d_sched *sched, enum bv3d_queue queue,
		   enum v3dcl_dump_reason reason);
bool bv3d_job_claim(struct bv3d_job *job, enum bv3d_job_state from, enum bv3d_job_state to);

/* Time to finish for what runs beside a job that is ended by a reset */
#define V3D_GRACE_MS 250

/* How often to look whether a control list moves */
#define V3D_LOOK_MS 250

/* arbiter.c: all with bv3d_sched.lock held */

/* Fences of jobs that were granted their queues, to be signalled once the lock is dropped */
struct bv3d_grants {
	struct dma_fence *fences[V3D_QUEUES];
	unsigned int count;
};

void bv3d_arbiter_enter(struct bv3d_sched *sched, struct bv3d_job *job);
void bv3d_arbiter_leave(struct bv3d_sched *sched, struct bv3d_job *job, u64 busy_ns);
void bv3d_arbiter_grant(struct bv3d_sched *sched, struct bv3d_grants *grants);
void bv3d_grants_signal(struct bv3d_grants *grants);	/* without the lock */

/* cl.c */

struct bv3d_job *bv3d_cl_job_create(struct bv3d_submit *submit, enum bv3d_queue queue, u32 start,
				    u32 end);
void bv3d_cl_start(struct bv3d_job *job);
bool bv3d_cl_moved(struct bv3d_job *job);
bool bv3d_cl_failed(struct bv3d_job *job);

/* qpu.c */

void bv3d_qpu_init(struct bv3d_sched *sched);
void bv3d_qpu_stop(struct bv3d_sched *sched);
void bv3d_job_start(struct bv3d_job *job);
u64 bv3d_qpu_look(struct bv3d_device *v3d);
u64 bv3d_qpu_time_left(const struct bv3d_job *job);

/* scrub.c */

void bv3d_residue_mark(struct bv3d_job *job);
void bv3d_residue_note(struct bv3d_sched *sched, const struct bv3d_job *job);
bool bv3d_residue_conflicts(struct bv3d_sched *sched, const struct bv3d_job *job,
			    const struct bv3d_job *other);
struct bv3d_scrub *bv3d_scrub_for(struct bv3d_sched *sched, const struct bv3d_job *job);
void bv3d_scrub_ended(struct bv3d_job *job);

/* binmem.c */

int bv3d_binmem_charge(struct bv3d_submit *submit, const struct v3dcl_needs *needs,
		       struct v3dcl_tile_memory *tiles);
void bv3d_binmem_provide(struct bv3d_device *v3d);
void bv3d_binmem_release(struct bv3d_submit *submit);
void bv3d_binmem_expect(struct bv3d_device *v3d);
void bv3d_binmem_listen(struct bv3d_device *v3d);
bool bv3d_binmem_hungry(struct bv3d_device *v3d);
void bv3d_binmem_out_of_memory(struct bv3d_device *v3d);
void bv3d_binmem_stop(struct bv3d_device *v3d);
void bv3d_binmem_show(struct bv3d_device *v3d, struct seq_file *m);

/* watch.c */

void bv3d_watch_begin(struct bv3d_job *job);
bool bv3d_watch_programs(struct bv3d_job *job, u32 done);
enum v3dcl_dump_reason bv3d_watch_list(struct bv3d_job *job, bool waits);

/* offence.c */

void bv3d_offence_add(struct bv3d_offences *offences, unsigned int limit, u64 now_ns);
bool bv3d_offence_slowed(const struct bv3d_offences *offences, u64 now_ns);
u64 bv3d_offence_refused(const struct bv3d_offences *offences, u64 now_ns);

/* reset.c */

/* The last hang, for GET_HANG_STATE */
struct bv3d_hangs {
	spinlock_t lock;		/* what follows */
	struct drm_vc4_get_hang_state last;
	bool any;			/* that has not been told yet */
};

struct bv3d_reset {
	atomic_t resets, restarts, cancelled;
	struct bv3d_hangs hangs;
	unsigned long tried;		/* jiffies of the last reset that failed. bv3d_sched.hw */
	struct list_head lost;		/* submits whose memory is kept. bv3d_sched.hw */
};

void bv3d_reset_work(struct kthread_work *work);
void bv3d_reset_look(struct bv3d_job *job);
void bv3d_wedge(struct bv3d_device *v3d);
void bv3d_reset_restart(struct bv3d_reset *reset, struct bv3d_job *job);
bool bv3d_reset_keep(struct bv3d_submit *submit);
bool bv3d_reset_retry(struct bv3d_device *v3d);
void bv3d_reset_show(struct bv3d_device *v3d, struct seq_file *m);

/* dump.c */

struct bv3d_hang *bv3d_hang_capture(struct bv3d_job *job);
void bv3d_hang_keep(struct bv3d_hang *hang);

#endif /* BV3D_JOBS_H */
