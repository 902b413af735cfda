// SPDX-License-Identifier: MIT
/*
 * The limits of user programs are kept, at most LATE_NS late. For a machine whose time does not
 * pass while its host is busy: there the debug kernel's own instructions are that time.
 */
#include "v3dcl_alive.h"
#include "v3dcl_attr.h"
#include "v3dcl_fdinfo.h"

IGT_TEST_DESCRIPTION("How late programs that never end are ended");

#define LATE_NS 10000000

/*
 * Return: how many ns later than its limit a job ended, which has to end by that. What it waits for
 * until it is started is no part of its time
 */
static int64_t lateness(int fd, struct job *job, uint64_t limit_ns)
{
	uint64_t before = engine_ns(fd, "qpu");
	uint32_t sync = sync_create(fd);

	job->submit.timeout_ns = limit_ns;
	job_out(job, sync, 0);
	job_submit(fd, job);
	igt_assert_eq(sync_result(fd, sync), -ETIMEDOUT);
	sync_destroy(fd, sync);
	return engine_ns(fd, "qpu") - before - limit_ns;
}

static int64_t later(int64_t late, int64_t latest)
{
	igt_assert(late >= 0);
	return late > latest ? late : latest;
}

static void check_latest(int64_t latest)
{
	igt_info("at most %lld us late\n", (long long)latest / 1000);
	igt_assert_lte_u64(latest, LATE_NS);
}

/* Endless programs, on one QPU and on all */
static int64_t programs_late(int fd, uint32_t program, unsigned int programs, uint64_t limit_ns)
{
	struct job *job = job_new();
	int64_t late;
	unsigned int i;

	for (i = 0; i < programs; i++)
		job_run(job, program);
	late = lateness(fd, job, limit_ns);
	free(job);
	return late;
}

static void keeps_limits(int fd, const unsigned int *limits_ms, unsigned int count,
			 unsigned int rounds)
{
	uint32_t program = program_endless(fd);
	int64_t latest = 0;
	unsigned int i;

	for (i = 0; i < rounds * count; i++)
		latest = later(programs_late(fd, program, i % 2 ? 40 : 1,
					     limits_ms[i % count] * 1000000ull), latest);
	check_latest(latest);
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
	uint32_t program = program_endless(fd);
	int64_t latest = 0;
	unsigned int i;

	for (i = 0; i < 10; i++) {
		struct job *job = job_new();

		job_run(job, program);
		job_writes(job, &bo, 0);
		latest = later(lateness(fd, job, 20000000), latest);
		free(job);
	}
	check_latest(latest);
	gem_close(fd, program);
	bo_destroy(fd, &bo);
}

static const struct subtest tests[] = {
	{ "limit-is-kept", limit_is_kept, "Limits from 1 to 400 ms, on one QPU and on all" },
	{ "busy-processors", busy_processors, "While programs spin on each processor" },
	{ "large-dump", large_dump, "With 6 MiB to dump, again and again" },
};

v3dcl_main()
{
	static unsigned int hang_limit;
	static int drm_fd = -1;

	v3dcl_fixture() {
		drm_fd = drm_open_driver(DRIVER_VC4);
		require_v3dcl(drm_fd);
		hang_limit = attr_get(drm_fd, "hang_limit");
		attr_set(drm_fd, "hang_limit", 0);
	}
	run_subtests(tests, ARRAY_SIZE(tests), drm_fd);
	v3dcl_fixture() {
		attr_set(drm_fd, "hang_limit", hang_limit);
		drm_close_driver(drm_fd);
	}
}
