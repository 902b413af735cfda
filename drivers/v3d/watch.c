// SPDX-License-Identifier: GPL-2.0-only
/*
 * Does what the V3D was given move? What does not is ended before its limit.
 */
#include <linux/kstrtox.h>
#include <linux/moduleparam.h>
#include <linux/sysfs.h>

#include "jobs.h"

/**
 * DOC: Watching
 *
 * Limits are for what is busy: watching makes an end earlier, never later. A time is set for each
 * device, bv3d_device.hang_ms.
 *
 * **User programs** hang when for so long none has ended and no counter has moved that counts
 * instructions, texture quads, or stalls of VPM DMA: they wait for each other, by semaphores or the
 * mutex, or for what never comes. The counters are the V3D's own (perfmon.c). Where a client's
 * perfmon leaves no room for them, or they do not count, the job's limit is all there is. Shading
 * beside programs moves them as well: what hangs is found later then, or by its limit.
 *
 * **Lists** hang when for so long neither their thread has made a step, nor the binner or renderer
 * behind it, and no QPU was at work either. A step that code has much to do in may take
 * V3D_SHADING_LIMIT times as long: code that never ends looks the same, and has the screen wait.
 *
 * Several looks in a row have to see nothing move: a machine that stood still itself, with its
 * clock going on, has missed looks and not found a hang.
 */

/* Until a job hangs: the default, and what may be set */
#define V3D_HANG_MS 500
#define V3D_HANG_MS_MIN 100
#define V3D_HANG_MS_MAX 10000
/* Hangs in a row that a file may have: see offence.c. 0: as many as it likes */
#define V3D_HANG_LIMIT 16
#define V3D_HANG_LIMIT_MAX 1000
#define V3D_PROGRAM_LOOKS 10	/* in that time */
#define V3D_SHADING_LIMIT 2

static unsigned int bv3d_hang_ms = V3D_HANG_MS;

static int bv3d_hang_ms_set(const char *value, const struct kernel_param *param)
{
	return param_set_uint_minmax(value, param, V3D_HANG_MS_MIN, V3D_HANG_MS_MAX);
}

static const struct kernel_param_ops bv3d_hang_ms_ops = {
	.set = bv3d_hang_ms_set,
	.get = param_get_uint,
};

module_param_cb(hang_ms, &bv3d_hang_ms_ops, &bv3d_hang_ms, 0444);
MODULE_PARM_DESC(hang_ms, "a job in which nothing moves for so long hangs (500)");

static unsigned int bv3d_hang_limit = V3D_HANG_LIMIT;

static int bv3d_hang_limit_set(const char *value, const struct kernel_param *param)
{
	return param_set_uint_minmax(value, param, 0, V3D_HANG_LIMIT_MAX);
}

static const struct kernel_param_ops bv3d_hang_limit_ops = {
	.set = bv3d_hang_limit_set,
	.get = param_get_uint,
};

module_param_cb(hang_limit, &bv3d_hang_limit_ops, &bv3d_hang_limit, 0444);
MODULE_PARM_DESC(hang_limit, "hangs in a row that get a file refused for a while, 0: none (16)");

/* Return: what a store returns */
static ssize_t bv3d_watch_store(const char *text, size_t size, unsigned int least,
				unsigned int most, unsigned int *value)
{
	unsigned int wanted;
	int ret = kstrtouint(text, 0, &wanted);

	if (ret)
		return ret;
	if (wanted < least || wanted > most)
		return -ERANGE;
	WRITE_ONCE(*value, wanted);
	return size;
}

static ssize_t hang_ms_show(struct device *dev, struct device_attribute *attr, char *text)
{
	const struct bv3d_device *v3d = dev_get_drvdata(dev);

	return sysfs_emit(text, "%u\n", READ_ONCE(v3d->hang_ms));
}

static ssize_t hang_ms_store(struct device *dev, struct device_attribute *attr, const char *text,
			     size_t size)
{
	struct bv3d_device *v3d = dev_get_drvdata(dev);

	return bv3d_watch_store(text, size, V3D_HANG_MS_MIN, V3D_HANG_MS_MAX, &v3d->hang_ms);
}

static ssize_t hang_limit_show(struct device *dev, struct device_attribute *attr, char *text)
{
	const struct bv3d_device *v3d = dev_get_drvdata(dev);

	return sysfs_emit(text, "%u\n", READ_ONCE(v3d->hang_limit));
}

static ssize_t hang_limit_store(struct device *dev, struct device_attribute *attr,
				const char *text, size_t size)
{
	struct bv3d_device *v3d = dev_get_drvdata(dev);

	return bv3d_watch_store(text, size, 0, V3D_HANG_LIMIT_MAX, &v3d->hang_limit);
}

static DEVICE_ATTR_RW(hang_ms);
static DEVICE_ATTR_RW(hang_limit);

static struct attribute *bv3d_watch_attrs[] = {
	&dev_attr_hang_ms.attr, &dev_attr_hang_limit.attr, NULL
};

static const struct attribute_group bv3d_watch_group = { .attrs = bv3d_watch_attrs };

const struct attribute_group *bv3d_watch_groups[] = { &bv3d_watch_group, NULL };

/**
 * bv3d_watch_init() - the device has the time and the limit that the module was loaded with
 * @v3d: in probe
 *
 * Return: 0
 */
int bv3d_watch_init(struct bv3d_device *v3d)
{
	v3d->hang_limit = bv3d_hang_limit;
	v3d->hang_ms = bv3d_hang_ms;
	if (v3d->hang_ms != V3D_HANG_MS)
		dev_notice(v3d->drm.dev, "a job hangs when nothing moves for %u ms\n",
			   v3d->hang_ms);
	return 0;
}

static u64 bv3d_program_look_ns(const struct bv3d_device *v3d)
{
	return div_u64((u64)READ_ONCE(v3d->hang_ms) * NSEC_PER_MSEC, V3D_PROGRAM_LOOKS);
}

/**
 * bv3d_watch_begin() - a job runs from here on
 * @job: bv3d_sched.lock or bv3d_sched.hw held, as for bv3d_job.watch
 */
void bv3d_watch_begin(struct bv3d_job *job)
{
	job->watch.idle = 0;
	job->watch.stepless = 0;
	job->watch.look_at = ktime_add_ns(job->started, bv3d_program_look_ns(job->submit->v3d));
}

/**
 * bv3d_watch_programs() - do these user programs hang?
 * @job: that runs, on V3D_QPU; bv3d_sched.lock held, awake
 * @done: how many programs have ended
 *
 * Short jobs end before the first look.
 *
 * Return: true if they do
 */
bool bv3d_watch_programs(struct bv3d_job *job, u32 done)
{
	struct bv3d_device *v3d = job->submit->v3d;
	struct bv3d_watch *watch = &job->watch;
	ktime_t now = ktime_get();

	if (ktime_before(now, watch->look_at))
		return false;
	watch->look_at = ktime_add_ns(now, bv3d_program_look_ns(v3d));
	/* In any case: it sees what has moved since the look before */
	if (bv3d_perfmon_moved(v3d, watch->counts) || done != watch->done)
		watch->idle = 0;
	else
		watch->idle++;
	watch->done = done;
	return watch->idle >= V3D_PROGRAM_LOOKS;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_watch_programs);

/**
 * bv3d_watch_list() - does this list hang?
 * @job: that runs, on another queue than V3D_QPU; bv3d_sched.hw held, awake
 * @waits: there is a reason why nothing moves, which ends by itself
 *
 * To be asked each V3D_LOOK_MS.
 *
 * Return: why it does, or V3DCL_DUMP_UNKNOWN if it does not
 */
enum v3dcl_dump_reason bv3d_watch_list(struct bv3d_job *job, bool waits)
{
	struct bv3d_device *v3d = job->submit->v3d;
	unsigned int looks = DIV_ROUND_UP(READ_ONCE(v3d->hang_ms), V3D_LOOK_MS);
	bool shades = bv3d_perfmon_moved(v3d, job->watch.counts);
	struct bv3d_watch *watch = &job->watch;

	if (bv3d_cl_moved(job) || waits) {
		watch->idle = 0;
		watch->stepless = 0;
		return V3DCL_DUMP_UNKNOWN;
	}
	watch->stepless++;
	watch->idle = shades ? 0 : watch->idle + 1;
	if (watch->idle >= looks)
		return V3DCL_DUMP_STANDS;
	return watch->stepless >= V3D_SHADING_LIMIT * looks ? V3DCL_DUMP_LIMIT :
							      V3DCL_DUMP_UNKNOWN;
}
