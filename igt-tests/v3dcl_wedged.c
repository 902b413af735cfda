// SPDX-License-Identifier: MIT
/*
 * A V3D that does not come back from a reset, and does from a later one. For a power domain that
 * refuses to be switched off more often than the driver asks for one reset: chip power-refuse:8.
 */
#include "v3dcl_alive.h"

IGT_TEST_DESCRIPTION("A reset that fails: memory is kept, and a later submit tries again");

#define KEPT_BYTES (1u << 20)	/* more than all else that is there, which comes and goes */
#define RETRY_NS NSEC_PER_SEC

static uint64_t memory_used(int fd)
{
	return v3dcl_param(fd, DRM_V3DCL_PARAM_MEMORY_USED);
}

/* A file with a BO runs a program that never ends, and is closed */
static void hang_and_close(void)
{
	int fd = drm_open_driver(DRIVER_VC4);
	struct bo bo = bo_create(fd, KEPT_BYTES);
	struct job *job = job_new();
	uint32_t sync = sync_create(fd);

	job_run(job, program_endless(fd));
	job_writes(job, &bo, 0);
	job->submit.timeout_ns = TIMEOUT_NS;
	job_out(job, sync, 0);
	job_submit(fd, job);
	igt_assert_eq(sync_result(fd, sync), -ETIMEDOUT);
	munmap(bo.map, bo.size);
	drm_close_driver(fd);
	free(job);
}

/* Nothing of what the V3D may still write to is another user's, until it has been reset */
static void wedge(int fd)
{
	struct job *job = job_new();
	uint32_t program = program_store(fd);
	struct bo bo = bo_create(fd, 4096);
	int64_t wedged;
	int error;

	igt_assert_lt_u64(memory_used(fd), KEPT_BYTES);
	hang_and_close();
	wedged = deadline(0);
	job_run_store(job, program, 0, 7, &bo, 0);
	error = job_try(fd, job);
	/* A host that is busy may have let the second pass */
	igt_assert(error == EIO || deadline(0) - wedged > (int64_t)RETRY_NS / 2);
	if (error == EIO)
		igt_assert_lte_u64(KEPT_BYTES, memory_used(fd));
	usleep(RETRY_NS / 1000 + 100000);
	igt_assert_eq(job_try(fd, job), 0);
	igt_assert_eq(seqno_wait(fd, job->submit.seqno, LONG_WAIT), 0);
	igt_assert_eq_u32(bo.map[15], 22);
	for (unsigned int i = 0; i < 200 && memory_used(fd) >= KEPT_BYTES; i++)
		usleep(50000);
	igt_assert_lt_u64(memory_used(fd), KEPT_BYTES);
	bo_destroy(fd, &bo);
	gem_close(fd, program);
	free(job);
	check_alive(fd);
}

static void wedge_again(int fd)
{
	for (unsigned int i = 0; i < 2; i++)
		wedge(fd);
}

static const struct subtest tests[] = {
	{ "kept-and-back", wedge, "Memory is kept, submits end with EIO, and all comes back" },
	{ "again", wedge_again, "Not only once" },
};

V3DCL_MAIN(tests, require_v3dcl)
