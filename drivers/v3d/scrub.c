// SPDX-License-Identifier: GPL-2.0-only
/*
 * The residue of jobs: what one file's leave in the V3D, and another file's could see. It is
 * scrubbed before.
 */
#include <linux/slab.h>

#include <drm/drm_managed.h>

#include "jobs.h"
#include "residue.h"

/**
 * DOC: Residue
 *
 * Verified programs read no register, accumulator or FIFO that they have not filled themselves. Two
 * things remain:
 *
 * **Rows of the VPM** are for user programs to share, so what was there before can be read by
 * the next one. Before the programs of a file other than the last one to run any, a program of the
 * driver's own fills all rows with 0.
 *
 * **Registers.** Of most shaders with branches or selects it is unknown whether they read only what
 * they have written (V3DCL_SHADER_RESIDUE); in some elements they may find what ran on that QPU
 * before. Such a job never runs beside another file's that runs code (arbiter.c), nor beside user
 * programs, whose registers hold physical addresses; and if any of these has run since the
 * registers were last scrubbed, they are scrubbed before: a program on each QPU at once, all of
 * which wait for each other. Nothing else may be on the QPUs meanwhile, not of the same file
 * either, so a job that needs that waits for the others to finish, and holds them up until it is
 * done.
 *
 * Both take some microseconds, a client that has the V3D for itself does not pay for them, and no
 * perfmon counts them. They are part of the job: its timeout is theirs, and if one never ends, the
 * V3D is reset and the job ends with an error. A reset is not taken to clear anything: whose code
 * ran last still counts, and a scrub that was cut short is done again.
 */

/**
 * bv3d_scrub_for() - what must be scrubbed before this job can run, if it ran next
 * @sched: the queues, locked
 * @job: about to be granted its queue
 *
 * Return: &bv3d_sched.rows, &bv3d_sched.registers or NULL
 */
struct bv3d_scrub *bv3d_scrub_for(struct bv3d_sched *sched, const struct bv3d_job *job)
{
	lockdep_assert_held(&sched->lock);
	switch (v3dcl_scrub_before(&sched->residue, job->submit->file->client_id,
				   job->queue == V3D_QPU, job->sees_residue)) {
	case V3DCL_SCRUB_ROWS:
		return &sched->rows;
	case V3DCL_SCRUB_REGISTERS:
		return &sched->registers;
	default:
		return NULL;
	}
}

/**
 * bv3d_scrub_ended() - nothing of others' is left there
 * @job: that it was for; bv3d_sched.lock is held
 */
void bv3d_scrub_ended(struct bv3d_job *job)
{
	struct bv3d_sched *sched = job->submit->v3d->sched;
	bool rows = job->scrub == &sched->rows;

	v3dcl_residue_scrubbed(&sched->residue, job->submit->file->client_id,
			       rows ? V3DCL_SCRUB_ROWS : V3DCL_SCRUB_REGISTERS);
	job->scrub->count++;
	job->scrub = NULL;
}
EXPORT_SYMBOL_FOR_TESTS(bv3d_scrub_ended);

/**
 * bv3d_residue_note() - a job was granted its queue: from here on its code may have run
 * @sched: the queues, locked
 * @job: with its scrub set, which makes the registers its own in the end
 */
void bv3d_residue_note(struct bv3d_sched *sched, const struct bv3d_job *job)
{
	lockdep_assert_held(&sched->lock);
	if (job->runs_code && job->scrub != &sched->registers)
		v3dcl_residue_left(&sched->residue, job->submit->file->client_id,
				   job->queue == V3D_QPU);
}

/**
 * bv3d_residue_conflicts() - could one of these two see residue of the other, if they ran at the
 * same time?
 * @sched: the queues, locked
 * @job: wants to run
 * @other: runs
 *
 * Return: true when they must not
 */
bool bv3d_residue_conflicts(struct bv3d_sched *sched, const struct bv3d_job *job,
			    const struct bv3d_job *other)
{
	if (!job->runs_code || !other->runs_code)
		return false;
	if (bv3d_scrub_for(sched, job) == &sched->registers || other->scrub == &sched->registers)
		return true;
	return (job->submit->file != other->submit->file || job->queue == V3D_QPU ||
		other->queue == V3D_QPU) &&
	       (job->sees_residue || other->sees_residue);
}

/**
 * bv3d_residue_mark() - what the job runs
 * @job: of a checked submit, not pushed yet. Its submit's shaders count for binning and rendering
 * alike
 */
void bv3d_residue_mark(struct bv3d_job *job)
{
	const struct bv3d_submit *submit = job->submit;
	const struct v3dcl_code_use use = v3dcl_code_use(submit->uses, submit->handle_count,
							 submit->qpu || submit->lists);

	job->runs_code = use.runs;
	job->sees_residue = use.sees_residue;
}

static void bv3d_scrubs_fini(struct drm_device *drm, void *data)
{
	struct bv3d_sched *sched = data;

	kfree(sched->registers.batch.runs);
	kfree(sched->rows.batch.runs);
	if (sched->scrubs)
		drm_gem_object_put(&sched->scrubs->base);
}

static int bv3d_scrub_runs(struct bv3d_scrub *scrub, u32 count)
{
	scrub->batch.runs = kcalloc(count, sizeof(*scrub->batch.runs), GFP_KERNEL);
	scrub->batch.count = count;
	return scrub->batch.runs ? 0 : -ENOMEM;
}

/**
 * bv3d_scrubs_init() - the driver's own programs, for as many QPUs as there are
 * @v3d: in probe, its IDENT known
 *
 * drmm-managed.
 *
 * Return: 0 or -ENOMEM
 */
int bv3d_scrubs_init(struct bv3d_device *v3d)
{
	struct bv3d_sched *sched = v3d->sched;
	u32 count = V3DCL_SCRUB_PROGRAMS_COUNT(v3d->qpus);
	struct bv3d_bo *bo;
	int ret = drmm_add_action_or_reset(&v3d->drm, bv3d_scrubs_fini, sched);

	if (!ret)
		ret = bv3d_scrub_runs(&sched->rows, 1);
	if (!ret)
		ret = bv3d_scrub_runs(&sched->registers, v3d->qpus);
	if (ret)
		return ret;
	bo = bv3d_bo_create(v3d, count * sizeof(u64), V3D_BO_DRIVER, "scrub programs");
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	sched->scrubs = bo;
	v3dcl_scrub_programs(bo->vaddr, bv3d_bo_address(bo), v3d->qpus, sched->rows.batch.runs,
			     sched->registers.batch.runs);
	return 0;
}
