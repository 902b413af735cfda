// SPDX-License-Identifier: MIT
/*
 * The worker: takes jobs whose fences have ended, in the order of their submits, and runs them on
 * the chip one after the other. The chip works inside v3dsim_run() here, or on its threads until
 * that returns, so a job gives the same bytes whatever else happens.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include <drm/v3dcl_dump.h>

#include "internal.h"
#include "submit.h"

#define BUDGET 200000			/* instructions and records between two looks */

/*
 * What the chip does now, of what is @left to the job: see emu_device_config.limit_ms. In between,
 * this process may fork.
 */
static enum v3dsim_state work_on(struct emu_device *dev, uint64_t *left)
{
	const uint64_t budget = MIN(BUDGET, *left);
	enum v3dsim_state state = v3dsim_run(dev->chip, budget);

	if (state == V3DSIM_BUSY)
		*left -= budget;
	if (dev->chip_wanted) {
		pthread_mutex_unlock(&dev->chip_lock);
		while (dev->chip_wanted)
			sched_yield();
		pthread_mutex_lock(&dev->chip_lock);
	}
	return state;
}

/* @left: of what the job may take */
static int hangs(struct emu_device *dev, uint64_t left)
{
	dev->ended.reason = left ? V3DCL_DUMP_STANDS : V3DCL_DUMP_LIMIT;
	return -ETIMEDOUT;
}

static bool feed_binner(struct emu_device *dev, struct job *job)
{
	struct own *spills = NULL, spill = { 0 };
	bool fed = false;

	pthread_mutex_lock(&dev->lock);
	if (job->spill_count < V3DCL_OVERSPILL_BYTES / V3DCL_TILE_CHUNK)
		spills = realloc(job->spills, (job->spill_count + 1) * sizeof(*spills));
	if (spills) {
		job->spills = spills;
		fed = own_alloc(dev, V3DCL_TILE_CHUNK, &spill);
	}
	if (fed) {
		spills[job->spill_count++] = spill;
		fed = v3dcl_binner_reaches(&dev->hw, spill.address);
		dev->stats.overspills += fed;
	}
	pthread_mutex_unlock(&dev->lock);
	if (fed)
		v3dcl_feed_binner(&dev->hw, spill.address, spill.size);
	return fed;
}

/*
 * Lists end, checked ones do not jump in circles, but shaders may never end: hence the limit.
 * Caches are clear.
 */
static int run_list(struct emu_device *dev, struct job *job, uint32_t thread, uint32_t start,
		    uint32_t end)
{
	const bool bins = thread == V3DCL_THREAD_BIN;
	const uint32_t done = bins ? V3D_SET(INTCTL, FLDONE, 1) : V3D_SET(INTCTL, FRDONE, 1);
	uint64_t left = job->limit;
	enum v3dsim_state state;

	chip_write(dev, V3D_INTCTL, done);
	v3dcl_start_list(&dev->hw, thread, start, end);
	for (;;) {
		state = work_on(dev, &left);
		if (chip_read(dev, V3D_INTCTL) & done)
			return 0;
		if (bins && v3dcl_binner_wish(&dev->hw) == V3DCL_BINNER_MEMORY) {
			if (!feed_binner(dev, job))
				return -ENOMEM;
		} else if (state != V3DSIM_BUSY || !left) {
			return hangs(dev, left);
		}
	}
}

/* Caches are clear */
static int run_requests(struct emu_device *dev, struct v3dcl_run *runs, uint32_t count,
			uint64_t limit)
{
	struct v3dcl_batch batch = { .runs = runs, .count = count };
	uint64_t left = limit;

	v3dcl_start_programs(&dev->hw, &batch);
	for (;;) {
		enum v3dsim_state state = work_on(dev, &left);
		uint32_t fed = batch.fed;

		v3dcl_advance_programs(&dev->hw, &batch);
		if (batch.done >= count)
			return 0;
		/* A chip that stands, and was given nothing more, stands for ever */
		if (!left || (state != V3DSIM_BUSY && batch.fed == fed))
			break;
	}
	dev->ended.fed = batch.fed;
	dev->ended.done = batch.done;
	return hangs(dev, left);
}

/* What other files' code has left where the job could see it, before anything is counted */
static int scrub_before(struct emu_device *dev, const struct job *job)
{
	const uint64_t client = job->file->context;
	const struct v3dcl_code_use code = v3dcl_code_use(job->uses, job->bo_count,
							  job->unlisted_code);
	enum v3dcl_scrub scrub = v3dcl_scrub_before(&dev->residue, client, job->kind == JOB_QPU,
						    code.sees_residue);
	int error = 0;

	atomic_store(&dev->scrubs, true);
	if (scrub == V3DCL_SCRUB_ROWS)
		error = run_requests(dev, &dev->scrub_rows, 1, job->limit);
	if (scrub == V3DCL_SCRUB_REGISTERS)
		error = run_requests(dev, dev->scrub_registers, dev->qpus, job->limit);
	atomic_store(&dev->scrubs, false);
	if (error)
		return error;
	v3dcl_residue_scrubbed(&dev->residue, client, scrub);
	if (code.runs)
		v3dcl_residue_left(&dev->residue, client, job->kind == JOB_QPU);
	return 0;
}

static int run_frame(struct emu_device *dev, struct job *job)
{
	int error;

	v3dcl_clear_caches(&dev->hw);
	error = scrub_before(dev, job);
	if (error)
		return error;
	perfmon_start(dev, job->perfmon);
	if (job->bin_start != job->bin_end) {
		v3dcl_clear_tile_state(&job->binner);
		error = run_list(dev, job, V3DCL_THREAD_BIN, job->bin_start, job->bin_end);
	}
	if (error || job->render_start == job->render_end)
		return error;
	v3dcl_clear_caches(&dev->hw);
	return run_list(dev, job, V3DCL_THREAD_RENDER, job->render_start, job->render_end);
}

static int run_programs(struct emu_device *dev, const struct job *job)
{
	int error;

	v3dcl_clear_caches(&dev->hw);
	error = scrub_before(dev, job);
	if (error)
		return error;
	perfmon_start(dev, job->perfmon);
	return run_requests(dev, job->runs, job->run_count, job->limit);
}

/* Return: false without memory */
bool run_make_scrub(struct emu_device *dev)
{
	const uint32_t count = V3DCL_SCRUB_PROGRAMS_COUNT(dev->qpus);

	dev->scrub_registers = calloc(dev->qpus, sizeof(*dev->scrub_registers));
	if (!dev->scrub_registers || !own_alloc(dev, count * sizeof(uint64_t), &dev->scrub))
		return false;
	v3dcl_scrub_programs((__u64 *)(void *)dev->scrub.cpu, dev->scrub.address, dev->qpus,
			     &dev->scrub_rows, dev->scrub_registers);
	return true;
}

/* One power domain for all of the V3D */
static void reset(struct emu_device *dev, const struct job *job, int error)
{
	hang_note(dev, job, error);
	v3dsim_power(dev->chip, false);
	v3dsim_power(dev->chip, true);
	v3dcl_power_up(&dev->hw);
	pthread_mutex_lock(&dev->lock);
	dev->stats.hangs++;
	/* A binner without memory has not hung */
	if (error != -ENOMEM)
		job->file->guilty++;
	pthread_mutex_unlock(&dev->lock);
}

static void run(struct emu_device *dev, struct job *job)
{
	int error;

	pthread_mutex_lock(&dev->chip_lock);
	error = job->kind == JOB_FRAME ? run_frame(dev, job) : run_programs(dev, job);
	perfmon_stop(dev, job->perfmon, !error);
	hang_tell_races(dev, job);
	if (error)
		reset(dev, job, error);
	pthread_mutex_unlock(&dev->chip_lock);
	pthread_mutex_lock(&dev->lock);
	if (job->kind == JOB_FRAME)
		dev->stats.frames++;
	else
		dev->stats.qpu_jobs++;
	job->file->finished = job->seqno;
	fence_signal(dev, job->done, error);
	dev->running = NULL;
	job_free(job);
	pthread_mutex_unlock(&dev->lock);
}

static bool ready(const struct job *job)
{
	uint32_t i;

	for (i = 0; i < job->after_count; i++)
		if (!job->after[i]->signalled)
			return false;
	return true;
}

/* The first that can run, taken off the queue */
static struct job *take(struct emu_device *dev)
{
	struct job **link, *job;

	for (link = &dev->jobs; (job = *link); link = &job->next) {
		if (!ready(job))
			continue;
		*link = job->next;
		if (!job->next)
			dev->jobs_end = link;
		job->next = NULL;
		return job;
	}
	return NULL;
}

static void *work(void *opaque)
{
	struct emu_device *dev = opaque;

	pthread_mutex_lock(&dev->lock);
	while (!dev->quit) {
		dev->running = take(dev);
		if (!dev->running) {
			pthread_cond_broadcast(&dev->changed);
			pthread_cond_wait(&dev->changed, &dev->lock);
			continue;
		}
		pthread_mutex_unlock(&dev->lock);
		run(dev, dev->running);
		pthread_mutex_lock(&dev->lock);
	}
	pthread_mutex_unlock(&dev->lock);
	return NULL;
}

/* The program's signals are not the worker's. Lock held. */
bool run_start(struct emu_device *dev)
{
	sigset_t all, old;

	v3dcl_power_up(&dev->hw);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	dev->has_worker = !pthread_create(&dev->worker, NULL, work, dev);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return dev->has_worker;
}

static void cancel(struct emu_device *dev, struct job *job)
{
	job->file->finished = job->seqno;
	fence_signal(dev, job->done, -ECANCELED);
	job_free(job);
}

static void cancel_all(struct emu_device *dev)
{
	struct job *job;

	while ((job = dev->jobs)) {
		dev->jobs = job->next;
		cancel(dev, job);
	}
	dev->jobs_end = &dev->jobs;
}

/* The job that runs is waited for; the others never run */
void run_stop(struct emu_device *dev)
{
	pthread_mutex_lock(&dev->lock);
	dev->quit = true;
	pthread_cond_broadcast(&dev->changed);
	pthread_mutex_unlock(&dev->lock);
	if (dev->has_worker)
		pthread_join(dev->worker, NULL);
	pthread_mutex_lock(&dev->lock);
	cancel_all(dev);
	pthread_mutex_unlock(&dev->lock);
}

/* There is no worker here, and what the chip was doing it does in the parent */
static void run_in_child(struct emu_device *dev)
{
	struct job *running = dev->running;

	v3dsim_power(dev->chip, false);
	v3dsim_power(dev->chip, true);
	sync_files_forked(dev);
	abroad_forked(dev);
	pthread_mutex_lock(&dev->lock);
	dev->has_worker = false;
	dev->running = NULL;
	if (running)
		cancel(dev, running);
	cancel_all(dev);
	pthread_mutex_unlock(&dev->lock);
}

void emu_device_fork(struct emu_device *dev, int when)
{
	if (when < 0) {
		dev->chip_wanted = true;
		pthread_mutex_lock(&dev->chip_lock);
		pthread_mutex_lock(&dev->lock);
		v3dsim_fork(dev->chip, V3DSIM_FORK_BEFORE);
		dev->chip_wanted = false;
	} else if (!when) {
		v3dsim_fork(dev->chip, V3DSIM_FORK_PARENT);
		pthread_mutex_unlock(&dev->lock);
		pthread_mutex_unlock(&dev->chip_lock);
	} else {
		emu_locks_init(dev);
		/* without its threads, jobs come to the limit */
		v3dsim_fork(dev->chip, V3DSIM_FORK_CHILD);
		run_in_child(dev);
	}
}

void emu_device_idle(struct emu_device *dev)
{
	struct job *job;

	pthread_mutex_lock(&dev->lock);
	for (;;) {
		for (job = dev->jobs; job && !ready(job); job = job->next)
			;
		if (!job && !dev->running)
			break;
		pthread_cond_wait(&dev->changed, &dev->lock);
	}
	pthread_mutex_unlock(&dev->lock);
}
