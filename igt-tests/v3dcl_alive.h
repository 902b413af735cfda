/* SPDX-License-Identifier: MIT */
/* What tests of hangs share: a job must end by timeout, and the V3D must work afterwards. */
#ifndef V3DCL_ALIVE_H
#define V3DCL_ALIVE_H

#include "v3dcl_igt.h"

#define TIMEOUT_NS 200000000ull

/* The V3D computes, with the mutex and the VPM, and renders */
static inline void check_alive(int fd)
{
	struct bo bo = bo_create(fd, 64 * 64 * 4);
	struct job *job = job_new();
	uint32_t program = program_store(fd);
	unsigned int i;

	for (i = 0; i < 14; i++)
		job_run_store(job, program, i, 3 * i, &bo, i * 64);
	job_finish(fd, job);
	for (i = 0; i < 14 * 16; i++)
		igt_assert_eq_u32(bo.map[i], 3 * (i / 16) + i % 16);
	render_finish(fd, render_clear_job(&bo, 0xfeedface));
	for (i = 0; i < 64 * 64; i++)
		igt_assert_eq_u32(bo.map[i], 0xfeedface);
	gem_close(fd, program);
	bo_destroy(fd, &bo);
}

/* Runs the job, which must end by timeout, and be counted */
static inline void check_times_out(int fd, struct job *job)
{
	uint64_t guilty = v3dcl_param(fd, DRM_V3DCL_PARAM_GUILTY);
	uint64_t resets = v3dcl_param(fd, DRM_V3DCL_PARAM_RESETS);
	uint32_t sync = sync_create(fd);

	job->submit.timeout_ns = TIMEOUT_NS;
	job_out(job, sync, 0);
	job_submit(fd, job);
	/* Mesa aborts on any error of a wait but ETIME */
	igt_assert_eq(seqno_wait(fd, job->submit.seqno, LONG_WAIT), 0);
	igt_assert_eq(sync_result(fd, sync), -ETIMEDOUT);
	igt_assert_eq_u64(v3dcl_param(fd, DRM_V3DCL_PARAM_GUILTY), guilty + 1);
	igt_assert_lt_u64(resets, v3dcl_param(fd, DRM_V3DCL_PARAM_RESETS));
	sync_destroy(fd, sync);
	free(job);
	check_alive(fd);
}

#endif /* V3DCL_ALIVE_H */
