// SPDX-License-Identifier: MIT
/*
 * What user programs must not do to each other: see what another file's have left.
 */
#include "v3dcl_igt.h"

IGT_TEST_DESCRIPTION("User programs of two files: nothing of the other is seen");

#define ROWS 64
#define SECRET 0x5ec2e700u

/* Fills all rows of the VPM that user programs can address */
static uint32_t program_fill(int fd)
{
	uint64_t code[128];
	unsigned int i;
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	qb_setup(&b, QB_VW_SETUP, qb_word_vpm_write(0));
	for (i = 0; i < ROWS; i++)
		qb_emit(&b, qb_mov(QB_VPM_WRITE, QB_R0));
	qb_read_row(&b, QB_R1, ROWS - 1);
	qb_nops(&b, 1);
	qb_end(&b);
	return program_create(fd, &b);
}

/* Stores them all as they are */
static uint32_t program_show(int fd)
{
	uint64_t code[16];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	qb_store_rows(&b, 0, ROWS, QB_UNIF);
	qb_end(&b);
	return program_create(fd, &b);
}

static void fill(int fd)
{
	struct job *job = job_new();
	uint32_t program = program_fill(fd);

	job_run(job, program);
	job_uniform(job, SECRET);
	job_finish(fd, job);
	gem_close(fd, program);
}

/* All words of all rows are this */
static void expect(int fd, uint32_t value)
{
	struct bo bo = bo_create(fd, ROWS * 64);
	struct job *job = job_new();
	uint32_t program = program_show(fd);
	unsigned int i;

	memset(bo.map, 0xee, bo.size);
	job_run(job, program);
	job_writes(job, &bo, 0);
	job_finish(fd, job);
	for (i = 0; i < bo.size / 4; i++)
		igt_assert_eq_u32(bo.map[i], value);
	gem_close(fd, program);
	bo_destroy(fd, &bo);
}

static void residue(int fd)
{
	int other = drm_open_driver(DRIVER_VC4);

	fill(fd);
	expect(other, 0);
	fill(other);
	expect(fd, 0);
	/* A file's own programs may hand rows to each other */
	fill(fd);
	expect(fd, SECRET);
	drm_close_driver(other);
}

/*
 * Also after a hang of the second file, whose wiping program may have been cut off, and with a
 * frame in between
 */
static void residue_after_hang(int fd)
{
	int other = drm_open_driver(DRIVER_VC4);
	struct bo bo = bo_create(other, 64 * 64 * 4);
	uint32_t sync = sync_create(other);
	struct job *job = job_new();

	fill(fd);
	job_run(job, program_endless(other));
	job->submit.timeout_ns = 50000000;
	job_out(job, sync, 0);
	job_submit(other, job);
	igt_assert_eq(sync_result(other, sync), -ETIMEDOUT);
	expect(other, 0);
	fill(fd);
	render_finish(other, render_clear_job(&bo, 1));
	expect(other, 0);
	free(job);
	bo_destroy(other, &bo);
	drm_close_driver(other);
}

static const struct subtest tests[] = {
	{ "residue", residue, "VPM rows of another file" },
	{ "residue-after-hang", residue_after_hang, "VPM rows of another file after a reset" },
};

V3DCL_MAIN(tests, require_user)
