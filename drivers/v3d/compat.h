/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interfaces that differ between the kernels we build for. Kbuild looks into their headers and
 * defines V3D_HAVE_*.
 *
 *	SHRINKER_ALLOC	shrinkers are allocated; before, they were embedded in the driver's own
 *			struct
 *	VM_FLAGS_SET	flags of a mapping are set by a function that takes its lock
 *	VMA_IS_COW	whether a mapping is copied on write is asked of it; before, of its flags
 *	SHOW_FDINFO	DRM core prints the common part of fdinfo; before, the driver's own file
 *			operation does all of it
 *	MEMORY_STATS	DRM core sums up the BOs of a file for fdinfo
 *	GEM_STATUS	and asks each whether it is resident or purgeable
 *	CLIENT_ID	DRM core numbers the files; before, drivers do
 *	UNSIGNED_OFFSET	file operations say that offsets above 2^63 are meant
 *	PRIME_MMAP	drivers name the helpers that share BOs; after, these are the default
 *	PM_IGN_USAGE_COUNT	pm_runtime_get_if_active() has a parameter of that name
 *	SCHED_INIT_ARGS	drm_sched_init() takes a struct
 *	SCHED_SUBMIT_WQ	schedulers run on workqueues, take credits for jobs and have a chosen number
 *			of run queues; before, on threads of their own
 *	SCHED_CREDITS	drm_sched_job_init() is told how many credits the job takes
 *	SCHED_CLIENT_ID	and whose it is, for traces
 *	SCHED_PREPARE	the callback that names what else a job waits for is prepare_job; before, it
 *			was dependency
 *	SCHED_START_FULL	drm_sched_start() is told whether to wait for the fences of running
 *				jobs again
 *	SCHED_START_ERRNO	it is told the error of those that have none to wait for
 *	SCHED_NO_HANG	a timeout's handler can say that nothing hangs: drm_sched then takes the
 *			job back by itself; before, the scheduler is stopped and started for that
 *	HRTIMER_SETUP	a timer and its function are set in one call
 *	KTHREAD_RUN_WORKER	a worker's thread is made and started in one call; before, one that
 *				is made runs
 *	WQ_PERCPU	workqueues whose workers are bound to CPUs say so; before, it goes without
 *			saying
 *	REMOVE_NEW	the callback of platform drivers that returns nothing is remove_new; after,
 *			it is remove
 *	DRIVER_DATE	DRM drivers have a date
 *	IMPORT_NS_STRING	names of symbol namespaces are strings
 *	ATOMIC_COMMIT	all that a commit changes is a struct of that name; before, it was
 *			drm_atomic_state
 *	FB_INFO		who makes a frame buffer is given its format; before, it was looked up
 *	FBDEV_GENERIC	a console on any driver's dumb buffers is set up by one call
 *	FBDEV_TTM	that call goes by the name of those who needed it most
 *	CLIENT_SETUP	the driver names the function that makes the console's frame buffer, and
 *			another call sets up the console
 *	DMA_COHERENT_FLAG	whether a device is coherent is one of its flags; before, a member
 *
 * The interfaces of drm_sched that Debian ships: 6.1.176 has none of these but SCHED_START_FULL;
 * 6.1.192 SCHED_INIT_ARGS as well; 6.12.107 SUBMIT_WQ, CREDITS, CLIENT_ID and PREPARE; 6.12.117
 * these and INIT_ARGS; 7.2.12 and 7.3.4 these, START_ERRNO and NO_HANG.
 */
#ifndef BV3D_COMPAT_H
#define BV3D_COMPAT_H

#include <linux/device.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/module.h>

#ifdef V3D_HAVE_CLIENT_SETUP
#include <drm/clients/drm_client_setup.h>
#endif
#ifdef V3D_HAVE_FBDEV_GENERIC
#include <drm/drm_fb_helper.h>
#endif
#if defined(V3D_HAVE_FBDEV_TTM) || defined(V3D_HAVE_CLIENT_SETUP)
#include <drm/drm_fbdev_ttm.h>
#endif
#include <drm/gpu_scheduler.h>

#ifndef V3D_HAVE_VM_FLAGS_SET
static inline void vm_flags_set(struct vm_area_struct *vma, vm_flags_t flags)
{
	vma->vm_flags |= flags;
}
#endif

#ifndef V3D_HAVE_VMA_IS_COW
static inline bool vma_is_cow_mapping(const struct vm_area_struct *vma)
{
	return is_cow_mapping(vma->vm_flags);
}
#endif

#ifndef V3D_HAVE_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *timer),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

#ifndef V3D_HAVE_KTHREAD_RUN_WORKER
#define kthread_run_worker kthread_create_worker
#endif

static inline void bv3d_copy_dma_coherent(struct device *dev, const struct device *from)
{
#ifdef V3D_HAVE_DMA_COHERENT_FLAG
	dev_assign_dma_coherent(dev, dev_dma_coherent(from));
#elif defined(CONFIG_ARCH_HAS_SYNC_DMA_FOR_DEVICE) || defined(CONFIG_ARCH_HAS_SYNC_DMA_FOR_CPU) || \
	defined(CONFIG_ARCH_HAS_SYNC_DMA_FOR_CPU_ALL)
	dev->dma_coherent = from->dma_coherent;
#endif
}

#ifdef V3D_HAVE_ATOMIC_COMMIT
#define V3D_ATOMIC_STATE drm_atomic_commit
#else
#define V3D_ATOMIC_STATE drm_atomic_state
#endif

#ifdef V3D_HAVE_FB_INFO
#define V3D_FB_INFO const struct drm_format_info *info,
#define V3D_FILL_FB(dev, fb, command) drm_helper_mode_fill_fb_struct(dev, fb, info, command)
#else
#define V3D_FB_INFO
#define V3D_FILL_FB(dev, fb, command) drm_helper_mode_fill_fb_struct(dev, fb, command)
#endif

/*
 * A console, on a display that is registered. Kernels without a driver that uses TTM may be built
 * without what it takes.
 */
#if defined(V3D_HAVE_CLIENT_SETUP) && IS_REACHABLE(CONFIG_DRM_TTM_HELPER)
#define V3D_FBDEV_OPS DRM_FBDEV_TTM_DRIVER_OPS,
#else
#define V3D_FBDEV_OPS
#endif

static inline void bv3d_fbdev_setup(struct drm_device *dev)
{
#if defined(V3D_HAVE_FBDEV_GENERIC)
	drm_fbdev_generic_setup(dev, 32);
#elif IS_REACHABLE(CONFIG_DRM_TTM_HELPER) && defined(V3D_HAVE_CLIENT_SETUP)
	drm_client_setup(dev, NULL);
#elif IS_REACHABLE(CONFIG_DRM_TTM_HELPER) && defined(V3D_HAVE_FBDEV_TTM)
	drm_fbdev_ttm_setup(dev, 32);
#endif
}

#ifdef V3D_HAVE_REMOVE_NEW
#define V3D_REMOVE remove_new
#else
#define V3D_REMOVE remove
#endif

#ifdef V3D_HAVE_IMPORT_NS_STRING
#define V3D_IMPORT_NS(namespace) MODULE_IMPORT_NS(#namespace)
#else
#define V3D_IMPORT_NS(namespace) MODULE_IMPORT_NS(namespace)
#endif

#ifdef V3D_HAVE_SCHED_PREPARE
#define V3D_PREPARE_JOB prepare_job
#else
#define V3D_PREPARE_JOB dependency
#endif

/*
 * How many jobs drm_sched may think the hardware has: more than there ever are, as they wait for
 * the arbiter
 */
#define V3D_SCHED_CREDITS 65536

#ifndef V3D_HAVE_WQ_PERCPU
#define WQ_PERCPU 0
#endif

/*
 * Where schedulers run. Workqueues that they make themselves hand each job to a worker on whichever
 * CPU is idle, which has to be woken; this one's workers run at once, on the submitter's own CPU.
 * Schedulers with threads give these real-time priority and need none. False: no memory.
 */
static inline bool bv3d_sched_workqueue(struct workqueue_struct **wq)
{
#ifdef V3D_HAVE_SCHED_SUBMIT_WQ
	*wq = alloc_workqueue("v3d_sched", WQ_HIGHPRI | WQ_MEM_RECLAIM | WQ_PERCPU, 0);
	return *wq;
#else
	*wq = NULL;
	return true;
#endif
}

static inline int bv3d_drm_sched_init(struct drm_gpu_scheduler *scheduler,
				      const struct drm_sched_backend_ops *ops, long timeout,
				      struct workqueue_struct *timeout_wq,
				      struct workqueue_struct *submit_wq, const char *name,
				      struct device *dev)
{
#ifdef V3D_HAVE_SCHED_INIT_ARGS
	const struct drm_sched_init_args args = {
		.ops = ops,
#ifdef V3D_HAVE_SCHED_SUBMIT_WQ
		.submit_wq = submit_wq,
		.num_rqs = DRM_SCHED_PRIORITY_COUNT,
#endif
		.credit_limit = V3D_SCHED_CREDITS,
		.timeout = timeout,
		.timeout_wq = timeout_wq,
		.name = name,
		.dev = dev,
	};

	return drm_sched_init(scheduler, &args);
#elif defined(V3D_HAVE_SCHED_SUBMIT_WQ)
	return drm_sched_init(scheduler, ops, submit_wq, DRM_SCHED_PRIORITY_COUNT,
			      V3D_SCHED_CREDITS, 0, timeout, timeout_wq, NULL, name, dev);
#else
	return drm_sched_init(scheduler, ops, V3D_SCHED_CREDITS, 0, timeout, timeout_wq, NULL, name,
			      dev);
#endif
}

static inline int bv3d_sched_job_init(struct drm_sched_job *job, struct drm_sched_entity *entity,
				      u64 client_id)
{
#ifdef V3D_HAVE_SCHED_CLIENT_ID
	return drm_sched_job_init(job, entity, 1, NULL, client_id);
#elif defined(V3D_HAVE_SCHED_CREDITS)
	return drm_sched_job_init(job, entity, 1, NULL);
#else
	return drm_sched_job_init(job, entity, NULL);
#endif
}

static inline void bv3d_sched_restart(struct drm_gpu_scheduler *scheduler)
{
#ifdef V3D_HAVE_SCHED_START_FULL
	drm_sched_start(scheduler, true);
#elif defined(V3D_HAVE_SCHED_START_ERRNO)
	drm_sched_start(scheduler, 0);
#else
	drm_sched_start(scheduler);
#endif
}

/* For v3d_kunit.ko, which is built only where there is KUnit */
#if IS_ENABLED(CONFIG_KUNIT)
#define EXPORT_SYMBOL_FOR_TESTS(symbol) EXPORT_SYMBOL_GPL(symbol)
#else
#define EXPORT_SYMBOL_FOR_TESTS(symbol)
#endif

#endif /* BV3D_COMPAT_H */
