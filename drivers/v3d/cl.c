// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control lists on the hardware: thread 0 bins, thread 1 renders.
 */
#include "jobs.h"

/**
 * bv3d_cl_job_create() - a job that runs a list
 * @submit: not pushed yet
 * @queue: V3D_BIN or V3D_RENDER
 * @start: address of its first record
 * @end: address after its last one
 *
 * Return: as bv3d_job_create()
 */
struct bv3d_job *bv3d_cl_job_create(struct bv3d_submit *submit, enum bv3d_queue queue, u32 start,
				    u32 end)
{
	struct bv3d_job *job = bv3d_job_create(submit, queue);

	if (!IS_ERR(job)) {
		job->start = start;
		job->end = end;
	}
	return job;
}

/**
 * bv3d_cl_start() - the thread of the job's queue runs its list
 * @job: of a list; the caller as for bv3d_job_start()
 *
 * Caches are clear.
 */
void bv3d_cl_start(struct bv3d_job *job)
{
	struct bv3d_device *v3d = job->submit->v3d;

	BUILD_BUG_ON((int)V3D_BIN != V3DCL_THREAD_BIN || (int)V3D_RENDER != V3DCL_THREAD_RENDER);
	if (job->queue == V3D_BIN)
		bv3d_binmem_expect(v3d);
	if (!bv3d_fails(V3D_FAULT_START))
		v3dcl_start_list(&v3d->hw, job->queue, job->start, job->end);
	if (job->queue == V3D_BIN)
		bv3d_irq_listen(v3d);
}

/**
 * bv3d_cl_moved() - has anything moved since the last call?
 * @job: of a list, running; the caller as for bv3d_read()
 *
 * Lists end, so whatever moves is alive, but for jumping in circles, which checked lists do not,
 * and a time limit on top.
 *
 * Return: true when the thread or the binner or renderer behind it has moved
 */
bool bv3d_cl_moved(struct bv3d_job *job)
{
	struct bv3d_device *v3d = job->submit->v3d;
	unsigned int thread = job->queue, i;
	const u32 now[] = {
		bv3d_read(v3d, V3D_CTNCA(thread)),
		bv3d_read(v3d, V3D_CTNRA0(thread)),
		thread ? bv3d_read(v3d, V3D_CTNLC(thread)) : bv3d_read(v3d, V3D_BPCA),
		thread ? bv3d_read(v3d, V3D_RFC) : bv3d_read(v3d, V3D_BPCS),
	};
	bool moved = false;

	BUILD_BUG_ON(ARRAY_SIZE(now) != ARRAY_SIZE(job->seen));
	for (i = 0; i < ARRAY_SIZE(now); i++) {
		moved |= now[i] != job->seen[i];
		job->seen[i] = now[i];
	}
	return moved;
}

/**
 * bv3d_cl_failed() - has the thread stopped with an error?
 * @job: of a list, running; the caller as for bv3d_read()
 *
 * Return: true when it has (AG100 CTnCS.CTERR)
 */
bool bv3d_cl_failed(struct bv3d_job *job)
{
	return V3D_GET(bv3d_read(job->submit->v3d, V3D_CTNCS(job->queue)), CTCS, CTERR);
}
