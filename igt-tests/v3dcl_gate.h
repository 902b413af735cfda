/* SPDX-License-Identifier: MIT */
/* Jobs that wait until the test says go. */
#ifndef V3DCL_GATE_H
#define V3DCL_GATE_H

#include "v3dcl_igt.h"

/*
 * A gate: a job that runs until the CPU opens it, by a word of memory that its program fetches by
 * DMA again and again. Whatever stands behind it waits for as long as the test wants (and the job's
 * timeout allows).
 */
struct gate {
	uint32_t program, sync;
	struct bo bo;
};

static inline uint32_t program_gate(int fd)
{
	uint64_t code[32];
	uint32_t top;
	struct qb b;

	qb_init(&b, code, 32);
	qb_emit(&b, qb_mov(QB_RA(0), QB_UNIF));
	qb_nops(&b, 1);
	top = qb_here(&b);
	qb_load_rows(&b, 32, 1, QB_RA(0));
	qb_read_row(&b, QB_R0, 32);
	qb_emit(&b, qb_flags(qb_mov(QB_NONE, QB_R0)));
	qb_branch_to(&b, V3D_QPU_BRANCH_ALL_ZS, top);
	qb_nops(&b, 3);
	qb_end(&b);
	return program_create(fd, &b);
}

/* Its fence is in the syncobj. @perfmon: what counts meanwhile, or 0 */
static inline struct gate gate_shut_counted(int fd, uint32_t perfmon)
{
	struct gate gate = { .program = program_gate(fd), .sync = sync_create(fd),
			     .bo = bo_create(fd, 4096) };
	struct job *job = job_new();

	job_run(job, gate.program);
	job_reads(job, &gate.bo, 0);
	job->submit.timeout_ns = v3dcl_param(fd, DRM_V3DCL_PARAM_MAX_TIMEOUT_NS);
	job->submit.perfmon = perfmon;
	job_out(job, gate.sync, 0);
	job_submit(fd, job);
	free(job);
	return gate;
}

static inline struct gate gate_shut(int fd)
{
	return gate_shut_counted(fd, 0);
}

static inline void gate_open(const struct gate *gate)
{
	*(volatile uint32_t *)gate->bo.map = 1;
}

static inline void gate_free(int fd, struct gate *gate)
{
	igt_assert_eq(sync_result(fd, gate->sync), 1);
	sync_destroy(fd, gate->sync);
	gem_close(fd, gate->program);
	bo_destroy(fd, &gate->bo);
}

#endif /* V3DCL_GATE_H */
