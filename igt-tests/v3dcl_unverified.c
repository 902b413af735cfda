// SPDX-License-Identifier: MIT
/*
 * User programs that are not verified, as root may run them where the module allows it: what the
 * checker would refuse, though it does no harm, and what does.
 */
#include "v3dcl_alive.h"

IGT_TEST_DESCRIPTION("QPU programs that are not verified");

static uint32_t program_trusted(int fd, const struct qb *b)
{
	uint32_t handle;

	igt_assert(!b->failed);
	igt_assert_eq(program_try_flags(fd, b->code, b->count * V3D_QPU_INSTRUCTION_BYTES,
					DRM_V3DCL_PROGRAM_UNVERIFIED, &handle),
		      0);
	return handle;
}

/* One BO holds two programs: the offset chooses. The second one stores the complement. */
static void program_offset(int fd)
{
	struct bo bo = bo_create(fd, 4096);
	struct job *job = job_new();
	uint32_t start[2], program;
	uint64_t code[64];
	unsigned int i;
	struct qb b;

	qb_init(&b, code, 64);
	for (i = 0; i < 2; i++) {
		start[i] = qb_here(&b);
		qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
		qb_nops(&b, 1);
		if (i)
			qb_emit(&b, qb_add(V3D_QPU_ADD_NOT, QB_R0, QB_R0, QB_R0));
		qb_mutex_lock(&b);
		qb_write_row(&b, i, QB_R0);
		qb_store_rows(&b, i, 1, QB_UNIF);
		qb_mutex_unlock(&b);
		qb_end(&b);
	}
	program = program_trusted(fd, &b);
	for (i = 0; i < 2; i++) {
		job_run(job, program);
		job->programs[i].offset = start[i] * V3D_QPU_INSTRUCTION_BYTES;
		job_uniform(job, 0x12345678);
		job_writes(job, &bo, i * 64);
	}
	job_finish(fd, job);
	for (i = 0; i < 16; i++) {
		igt_assert_eq_u32(bo.map[i], 0x12345678);
		igt_assert_eq_u32(bo.map[16 + i], ~0x12345678u);
	}
	gem_close(fd, program);
	bo_destroy(fd, &bo);
}

/* Stalled, not running: a semaphore that no program raises */
static void endless_semaphore(int fd)
{
	struct job *job = job_new();
	uint64_t code[8];
	uint32_t program;
	struct qb b;

	qb_init(&b, code, 8);
	qb_emit(&b, qb_sema_down(9));
	qb_end(&b);
	program = program_trusted(fd, &b);
	job_run(job, program);
	check_times_out(fd, job);
	gem_close(fd, program);
}

/* Stalled with the mutex held: the next job must be able to take it */
static void endless_mutex(int fd)
{
	struct job *job = job_new();
	uint64_t code[8];
	uint32_t program;
	struct qb b;

	qb_init(&b, code, 8);
	qb_mutex_lock(&b);
	qb_mutex_lock(&b);
	qb_end(&b);
	program = program_trusted(fd, &b);
	job_run(job, program);
	check_times_out(fd, job);
	gem_close(fd, program);
}

/* Semaphores raised by a job that then hung are down again for the next */
static void semaphores_reset(int fd)
{
	struct job *job = job_new();
	uint32_t program;
	uint64_t code[16];
	unsigned int i;
	struct qb b;

	qb_init(&b, code, 16);
	for (i = 0; i < 3; i++)
		qb_emit(&b, qb_sema_up(7));
	qb_branch_to(&b, V3D_QPU_BRANCH_ALWAYS, qb_here(&b));
	qb_nops(&b, 3);
	qb_end(&b);
	program = program_trusted(fd, &b);
	job_run(job, program);
	check_times_out(fd, job);
	gem_close(fd, program);
	qb_init(&b, code, 16);
	qb_emit(&b, qb_sema_down(7));
	qb_end(&b);
	program = program_trusted(fd, &b);
	job = job_new();
	job_run(job, program);
	check_times_out(fd, job);
	gem_close(fd, program);
}

/* A user without the rights cannot run it either, though he has its handle */
static struct job *handed_down;

static int try_as_nobody(int fd)
{
	return job_try(fd, handed_down);
}

static void handed_to_others(int fd)
{
	uint64_t code[4];
	struct qb b;

	qb_init(&b, code, 4);
	qb_end(&b);
	handed_down = job_new();
	job_run(handed_down, program_trusted(fd, &b));
	igt_assert_eq(as_nobody(fd, try_as_nobody), EACCES);
	job_finish(fd, handed_down);
}

static const struct subtest tests[] = {
	{ "program-offset", program_offset, "Two programs in one BO of code" },
	{ "endless-semaphore", endless_semaphore, "A program that waits for a semaphore for ever" },
	{ "endless-mutex", endless_mutex, "A program that waits for a mutex it holds" },
	{ "semaphores-reset", semaphores_reset, "Semaphores are 0 after a reset" },
	{ "handed-to-others", handed_to_others,
	  "An unverified program takes rights to run, not only to make" },
};

V3DCL_MAIN(tests, require_unverified)
