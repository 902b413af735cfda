// SPDX-License-Identifier: MIT
/*
 * The worker: takes jobs whose fences have ended, in the order of their submits, and runs them on the chip one after the other. The
 * chip works inside v3dsim_run() here, or on its threads until that returns, so a job gives the same bytes whatever else happens.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "wipe.h"

#define BUDGET 200000			/* instructions and records between two looks */
#define SPILL_BYTES (256u << 10)	/* the binner's next piece */
#define SPILLS_MOST 512
#define WINDOW_SHIFT 28			/* HW: branches in tile lists carry so many bits of an address */
#define USER_QUEUE 16			/* AG100 Table 65: requests that SRQPC holds */
#define UNIFORMS_UNLIMITED 1024u	/* AG100 Table 67 */
#define DESCRIBE_BYTES 8192

static void power_up(struct emu_device *dev)
{
	chip_write(dev, V3D_VPMBASE, V3D_SET(VPMBASE, VPMURSV, V3DCL_USER_VPM_ROWS * 64 / 256));
	chip_write(dev, V3D_L2CACTL, V3D_SET(L2CACTL, L2CCLR, 1) | V3D_SET(L2CACTL, L2CENA, 1));
}

static void clear_caches(struct emu_device *dev)
{
	chip_write(dev, V3D_L2CACTL, V3D_SET(L2CACTL, L2CCLR, 1) | V3D_SET(L2CACTL, L2CENA, 1));
	chip_write(dev, V3D_SLCACTL, V3D_MASK(SLCACTL, T1CCS) | V3D_MASK(SLCACTL, T0CCS) | V3D_MASK(SLCACTL, UCCS) |
		   V3D_MASK(SLCACTL, ICCS));
}

/* What the chip does now. In between, this process may fork. */
static enum v3dsim_state work_on(struct emu_device *dev)
{
	enum v3dsim_state state = v3dsim_run(dev->chip, BUDGET);

	if (dev->chip_wanted) {
		pthread_mutex_unlock(&dev->chip_lock);
		while (dev->chip_wanted)
			sched_yield();
		pthread_mutex_lock(&dev->chip_lock);
	}
	return state;
}

static bool feed_binner(struct emu_device *dev, struct job *job)
{
	struct own *spills = NULL, spill = { 0 };
	uint32_t last = chip_read(dev, V3D_BPCA) - 1;
	bool fed = false;

	pthread_mutex_lock(&dev->lock);
	if (job->spill_count < SPILLS_MOST)
		spills = realloc(job->spills, (job->spill_count + 1) * sizeof(*spills));
	if (spills) {
		job->spills = spills;
		fed = own_alloc(dev, SPILL_BYTES, &spill);
	}
	if (fed) {
		spills[job->spill_count++] = spill;
		/* Raw lists begin with memory of their own, which may lie anywhere */
		fed = (spill.address ^ last) >> WINDOW_SHIFT == 0;
		dev->stats.overspills += fed;
	}
	pthread_mutex_unlock(&dev->lock);
	if (fed) {
		chip_write(dev, V3D_BPOA, spill.address);
		chip_write(dev, V3D_BPOS, spill.size);
		chip_write(dev, V3D_INTCTL, V3D_SET(INTCTL, OUTOMEM, 1));
	}
	return fed;
}

/* Does the binner wait for memory that it was not given yet? */
static bool binner_starves(struct emu_device *dev)
{
	return V3D_GET(chip_read(dev, V3D_PCS), PCS, BMOOM) && !chip_read(dev, V3D_BPOS);
}

/* Lists end, checked ones do not jump in circles, but shaders may never end: hence the limit. */
static int run_list(struct emu_device *dev, struct job *job, unsigned int thread, uint32_t start, uint32_t end)
{
	const uint32_t done = thread ? V3D_SET(INTCTL, FRDONE, 1) : V3D_SET(INTCTL, FLDONE, 1);
	int64_t deadline = now_ns() + (int64_t)dev->config.limit_ms * 1000000;
	enum v3dsim_state state;

	clear_caches(dev);
	chip_write(dev, V3D_INTCTL, done | V3D_SET(INTCTL, OUTOMEM, 1));
	chip_write(dev, V3D_CTNCA(thread), start);
	chip_write(dev, V3D_CTNEA(thread), end);
	for (;;) {
		state = work_on(dev);
		if (chip_read(dev, V3D_INTCTL) & done)
			return 0;
		if (!thread && binner_starves(dev)) {
			if (!feed_binner(dev, job))
				return -ENOMEM;
		} else if (state != V3DSIM_BUSY || now_ns() > deadline) {
			return -ETIMEDOUT;
		}
	}
}

static int run_frame(struct emu_device *dev, struct job *job)
{
	int error = 0;

	perfmon_start(dev, job->perfmon);
	if (job->bin_start != job->bin_end) {
		chip_write(dev, V3D_BPOA, 0);
		chip_write(dev, V3D_BPOS, 0);
		error = run_list(dev, job, 0, job->bin_start, job->bin_end);
	}
	if (error || job->render_start == job->render_end)
		return error;
	return run_list(dev, job, 1, job->render_start, job->render_end);
}

static void request_program(struct emu_device *dev, const struct v3dcl_run *run)
{
	uint32_t count = run->uniform_count < UNIFORMS_UNLIMITED ? run->uniform_count : UNIFORMS_UNLIMITED;

	chip_write(dev, V3D_SRQUA, run->uniforms);
	chip_write(dev, V3D_SRQUL, V3D_SET(SRQUL, QPURQUL, count));
	chip_write(dev, V3D_SRQPC, run->code);
}

static int run_requests(struct emu_device *dev, const struct v3dcl_run *runs, uint32_t count, uint64_t timeout_ns)
{
	int64_t deadline = now_ns() + (int64_t)timeout_ns;
	uint32_t fed = 0, done = 0, status;
	enum v3dsim_state state;
	uint8_t completed = 0;

	chip_write(dev, V3D_SRQCS, V3D_SET(SRQCS, QPURQCC, 1) | V3D_SET(SRQCS, QPURQCM, 1) | V3D_SET(SRQCS, QPURQERR, 1) |
		   V3D_SET(SRQCS, QPURQL, 1));
	while (fed < count && fed < USER_QUEUE)
		request_program(dev, &runs[fed++]);
	for (;;) {
		uint32_t queued;

		state = work_on(dev);
		status = chip_read(dev, V3D_SRQCS);
		done += (uint8_t)(V3D_GET(status, SRQCS, QPURQCC) - completed);
		completed = V3D_GET(status, SRQCS, QPURQCC);
		if (done >= count)
			return 0;
		if (now_ns() > deadline || (state != V3DSIM_BUSY && fed == count))
			return -ETIMEDOUT;
		for (queued = V3D_GET(status, SRQCS, QPURQL); queued < USER_QUEUE && fed < count; queued++)
			request_program(dev, &runs[fed++]);
	}
}

/* As in the module: what another file's programs have left in the VPM is wiped, before anything is counted */
static int wipe_vpm(struct emu_device *dev, const struct job *job)
{
	const struct v3dcl_run wipe = { .code = dev->wipe.address };
	int error;

	if (dev->vpm_owner == job->file->context)
		return 0;
	error = run_requests(dev, &wipe, 1, job->timeout_ns);
	if (!error)
		dev->vpm_owner = job->file->context;
	return error;
}

static int run_programs(struct emu_device *dev, const struct job *job)
{
	int error;

	clear_caches(dev);
	error = wipe_vpm(dev, job);
	if (error)
		return error;
	perfmon_start(dev, job->perfmon);
	return run_requests(dev, job->runs, job->run_count, job->timeout_ns);
}

/* Return: false without memory */
bool run_make_wipe(struct emu_device *dev)
{
	if (!own_alloc(dev, V3DCL_WIPE_ROWS_COUNT * sizeof(uint64_t), &dev->wipe))
		return false;
	v3dcl_wipe_rows((__u64 *)(void *)dev->wipe.cpu);
	return true;
}

static void note_hang(struct emu_device *dev, const struct job *job)
{
	struct drm_vc4_get_hang_state *state = &dev->hang;

	*state = (struct drm_vc4_get_hang_state){ .start_bin = job->bin_start, .start_render = job->render_start };
	state->ct0ca = chip_read(dev, V3D_CT0CA);
	state->ct0ea = chip_read(dev, V3D_CT0EA);
	state->ct1ca = chip_read(dev, V3D_CT1CA);
	state->ct1ea = chip_read(dev, V3D_CT1EA);
	state->ct0cs = chip_read(dev, V3D_CT0CS);
	state->ct1cs = chip_read(dev, V3D_CT1CS);
	state->ct0ra0 = chip_read(dev, V3D_CT0RA0);
	state->ct1ra0 = chip_read(dev, V3D_CT1RA0);
	state->bpca = chip_read(dev, V3D_BPCA);
	state->bpcs = chip_read(dev, V3D_BPCS);
	state->bpoa = chip_read(dev, V3D_BPOA);
	state->bpos = chip_read(dev, V3D_BPOS);
	state->vpmbase = chip_read(dev, V3D_VPMBASE);
	state->dbge = chip_read(dev, V3D_DBGE);
	state->fdbgo = chip_read(dev, V3D_FDBGO);
	state->fdbgb = chip_read(dev, V3D_FDBGB);
	state->fdbgr = chip_read(dev, V3D_FDBGR);
	state->fdbgs = chip_read(dev, V3D_FDBGS);
	state->errstat = chip_read(dev, V3D_ERRSTAT);
}

static void explain_hang(struct emu_device *dev, const struct job *job, int error)
{
	const struct drm_vc4_get_hang_state *state = &dev->hang;
	char *text = malloc(DESCRIBE_BYTES);
	struct v3dsim_fault fault;

	if (dev->config.quiet) {
		free(text);
		return;
	}
	fprintf(stderr, "v3d: job %llu hangs (%s), resetting: CT0 at 0x%08x of 0x%08x, CT1 at 0x%08x of 0x%08x\n",
		(unsigned long long)job->seqno, strerror(-error), state->ct0ca, state->ct0ea, state->ct1ca, state->ct1ea);
	if (v3dsim_fault(dev->chip, &fault))
		fprintf(stderr, "v3d: fault: %s\n", fault.text);
	if (text) {
		v3dsim_describe(dev->chip, text, DESCRIBE_BYTES);
		if (*text)
			fprintf(stderr, "v3d: programs:\n%s\n", text);
	}
	free(text);
}

/* One power domain for all of the V3D */
static void reset(struct emu_device *dev, const struct job *job, int error)
{
	struct drm_vc4_get_hang_state before;

	note_hang(dev, job);
	before = dev->hang;
	explain_hang(dev, job, error);
	v3dsim_power(dev->chip, false);
	v3dsim_power(dev->chip, true);
	power_up(dev);
	pthread_mutex_lock(&dev->lock);
	dev->hang = before;
	dev->hang_told = false;
	dev->stats.hangs++;
	job->file->guilty++;
	pthread_mutex_unlock(&dev->lock);
}

static void run(struct emu_device *dev, struct job *job)
{
	int error;

	pthread_mutex_lock(&dev->chip_lock);
	error = job->kind == JOB_FRAME ? run_frame(dev, job) : run_programs(dev, job);
	perfmon_stop(dev, job->perfmon, !error);
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

	power_up(dev);
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
		v3dsim_fork(dev->chip, V3DSIM_FORK_CHILD);	/* without its threads, jobs come to the limit */
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
