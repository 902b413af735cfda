// SPDX-License-Identifier: MIT
/*
 * Whose turn it is: somebody with few jobs does not wait for all the jobs of somebody with many.
 */
#include "v3dcl_igt.h"

IGT_TEST_DESCRIPTION("Fairness between files");

#define MANY 40

/* Ends after so many rounds of five instructions */
static uint32_t program_rounds(int fd)
{
	uint64_t code[16];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	qb_emit(&b, qb_ldi(QB_R0, 100000));
	qb_count_down(&b, QB_R0, qb_here(&b));
	qb_end(&b);
	return program_create(fd, &b);
}

/* @count jobs. Return: seqno of the first */
static uint64_t queue(int fd, uint32_t program, unsigned int count)
{
	struct job *job = job_new();
	uint64_t first = 0;

	job_run(job, program);
	for (; count; count--) {
		job_submit(fd, job);
		first = first ? first : job->submit.seqno;
	}
	free(job);
	return first;
}

/* One file has queued many jobs; another one's come in between, in turn */
static void programs(int fd)
{
	int other = drm_open_driver(DRIVER_VC4);
	uint32_t program = program_rounds(fd), theirs = program_rounds(other);
	uint64_t first = queue(fd, program, MANY), last = queue(other, theirs, 5) + 4;

	igt_assert_eq(seqno_wait(other, last, LONG_WAIT), 0);
	/* At most what ran while these were submitted, and one for each of the five: much less than half of all */
	igt_assert_eq(seqno_wait(fd, first + MANY / 2, 0), ETIME);
	igt_assert_eq(seqno_wait(fd, first + MANY - 1, LONG_WAIT), 0);
	gem_close(fd, program);
	drm_close_driver(other);
}

static const struct subtest tests[] = {
	{ "programs", programs, "A few programs among many of another file" },
};

V3DCL_MAIN(tests, require_user)
