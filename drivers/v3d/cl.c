// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control lists on the hardware: thread 0 bins, thread 1 renders.
 */
#include "v3d_jobs.h"

/*
 * Everything that the V3D caches may have been written since: by the CPU, by the tile buffer, by VPM DMA, by another device.
 * Nothing keeps the caches coherent. Clearing them while something else runs costs that some time, and nothing else: they hold no
 * data of their own.
 */
void v3d_clear_caches(struct v3d_device *v3d)
{
	v3d_write(v3d, V3D_L2CACTL, V3D_SET(L2CACTL, L2CCLR, 1) | V3D_SET(L2CACTL, L2CENA, 1));
	v3d_write(v3d, V3D_SLCACTL, V3D_MASK(SLCACTL, T1CCS) | V3D_MASK(SLCACTL, T0CCS) | V3D_MASK(SLCACTL, UCCS) |
		  V3D_MASK(SLCACTL, ICCS));
}

/**
 * v3d_cl_job_create() - a job that runs a list
 * @submit: not pushed yet
 * @queue: V3D_BIN or V3D_RENDER
 * @start: address of its first record
 * @end: address after its last one
 *
 * Return: as v3d_job_create()
 */
struct v3d_job *v3d_cl_job_create(struct v3d_submit *submit, enum v3d_queue queue, u32 start, u32 end)
{
	struct v3d_job *job = v3d_job_create(submit, queue);

	if (!IS_ERR(job)) {
		job->start = start;
		job->end = end;
	}
	return job;
}

/* v3d_cl_start() - the thread of the job's queue runs its list. Caches are clear; the caller as for v3d_job_launch(). */
void v3d_cl_start(struct v3d_job *job)
{
	struct v3d_device *v3d = job->submit->v3d;
	unsigned int thread = job->queue;

	BUILD_BUG_ON(V3D_BIN != 0 || V3D_RENDER != 1);
	if (job->queue == V3D_BIN) {
		/* What the last job was given and did not take is not ours */
		v3d_write(v3d, V3D_BPOA, 0);
		v3d_write(v3d, V3D_BPOS, 0);
	}
	/* Writing the end starts the thread, if the current address was written while it stood (AG100 Tables 50 and 51) */
	v3d_write(v3d, V3D_CTNCA(thread), job->start);
	v3d_write(v3d, V3D_CTNEA(thread), job->end);
}

/*
 * v3d_cl_moved() - has anything moved since the last call? Lists end, so whatever moves is alive, but for jumping in circles, which
 * checked lists do not, and a time limit on top.
 */
bool v3d_cl_moved(struct v3d_job *job)
{
	struct v3d_device *v3d = job->submit->v3d;
	unsigned int thread = job->queue, i;
	const u32 now[] = {
		v3d_read(v3d, V3D_CTNCA(thread)),
		v3d_read(v3d, V3D_CTNRA0(thread)),
		thread ? v3d_read(v3d, V3D_CTNLC(thread)) : v3d_read(v3d, V3D_BPCA),
		thread ? v3d_read(v3d, V3D_RFC) : v3d_read(v3d, V3D_BPCS),
	};
	bool moved = false;

	BUILD_BUG_ON(ARRAY_SIZE(now) != ARRAY_SIZE(job->seen));
	for (i = 0; i < ARRAY_SIZE(now); i++) {
		moved |= now[i] != job->seen[i];
		job->seen[i] = now[i];
	}
	return moved;
}

/* v3d_cl_failed() - has the thread stopped with an error? */
bool v3d_cl_failed(struct v3d_job *job)
{
	return V3D_GET(v3d_read(job->submit->v3d, V3D_CTNCS(job->queue)), CTCS, CTERR);
}
