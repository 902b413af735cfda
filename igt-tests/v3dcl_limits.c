// SPDX-License-Identifier: MIT
/*
 * The limits of user programs are kept, at most LATE_NS late. For a machine whose time does not
 * pass while its host is busy: there the debug kernel's own instructions are that time.
 */
#include "v3dcl_alive.h"

IGT_TEST_DESCRIPTION("How late programs that never end are ended");

#define LATE_NS 10000000

/* When the fence in a syncobj ended, by this error, on the monotonic clock. Waits for it. */
static uint64_t time_of_error(int fd, uint32_t sync, int error)
{
	struct sync_fence_info fence;
	struct sync_file_info info = { .num_fences = 1, .sync_fence_info = (uintptr_t)&fence };
	int file;

	memset(&fence, 0, sizeof(fence));
	igt_assert_eq(sync_wait(fd, sync, LONG_WAIT), 0);
	file = sync_export_file(fd, sync);
	do_ioctl(file, SYNC_IOC_FILE_INFO, &info);
	close(file);
	igt_assert_eq(fence.status, error);
	return fence.timestamp_ns;
}

/* Return: how many ns later than its limit a job of endless programs ended */
static int64_t lateness(int fd, uint32_t program, unsigned int programs, uint64_t limit_ns)
{
	struct job *job = job_new();
	uint32_t sync = sync_create(fd);
	int64_t start, end;
	unsigned int i;

	for (i = 0; i < programs; i++)
		job_run(job, program);
	job->submit.timeout_ns = limit_ns;
	job_out(job, sync, 0);
	job_submit(fd, job);
	start = deadline(0);		/* its time began in the ioctl, or begins now */
	end = time_of_error(fd, sync, -ETIMEDOUT);
	sync_destroy(fd, sync);
	free(job);
	return end - start - (int64_t)limit_ns;
}

static void keeps_limits(int fd, const unsigned int *limits_ms, unsigned int count,
			 unsigned int rounds)
{
	uint32_t program = program_endless(fd);
	int64_t late, latest = 0;
	unsigned int i;

	for (i = 0; i < rounds * count; i++) {
		late = lateness(fd, program, i % 2 ? 40 : 1, limits_ms[i % count] * 1000000ull);
		latest = late > latest ? late : latest;
	}
	igt_info("at most %lld us late\n", (long long)latest / 1000);
	igt_assert_lte_u64(latest, LATE_NS);
	gem_close(fd, program);
}

/* However often programs hang, and although a power domain refuses at first to be switched off */
static void limit_is_kept(int fd)
{
	static const unsigned int limits_ms[] = { 1, 5, 20, 100, 400 };

	keeps_limits(fd, limits_ms, ARRAY_SIZE(limits_ms), 10);
}

/* Others that would run for ever on each processor do not keep the driver from its own */
static void busy_processors(int fd)
{
	static const unsigned int limits_ms[] = { 1, 5, 20 };
	long count = sysconf(_SC_NPROCESSORS_ONLN), i;
	pid_t *children = calloc(count, sizeof(*children));

	igt_assert(count > 0 && children);
	for (i = 0; i < count; i++) {
		children[i] = fork();
		igt_assert(children[i] >= 0);
		while (!children[i])
			;
	}
	keeps_limits(fd, limits_ms, ARRAY_SIZE(limits_ms), 10);
	for (i = 0; i < count; i++) {
		igt_assert_eq(kill(children[i], SIGKILL), 0);
		igt_assert_eq(waitpid(children[i], NULL, 0), children[i]);
	}
	free(children);
}

/*
 * The same where what is dumped of the hang is large, and the next hang follows at once: the dump
 * before it is still being written
 */
static void large_dump(int fd)
{
	struct bo bo = bo_create(fd, 6 << 20);
	uint32_t program = program_endless(fd), sync = sync_create(fd);
	struct job *job = job_new();
	int64_t start, late, latest = 0;
	unsigned int i;

	job_run(job, program);
	job_writes(job, &bo, 0);
	job->submit.timeout_ns = 20000000;
	job_out(job, sync, 0);
	for (i = 0; i < 10; i++) {
		job_submit(fd, job);
		start = deadline(0);
		late = time_of_error(fd, sync, -ETIMEDOUT) - start - job->submit.timeout_ns;
		latest = late > latest ? late : latest;
	}
	igt_info("at most %lld us late\n", (long long)latest / 1000);
	igt_assert_lte_u64(latest, LATE_NS);
	sync_destroy(fd, sync);
	gem_close(fd, program);
	bo_destroy(fd, &bo);
	free(job);
}

static const struct subtest tests[] = {
	{ "limit-is-kept", limit_is_kept, "Limits from 1 to 400 ms, on one QPU and on all" },
	{ "busy-processors", busy_processors, "While programs spin on each processor" },
	{ "large-dump", large_dump, "With 6 MiB to dump, again and again" },
};

V3DCL_MAIN(tests, require_v3dcl)
