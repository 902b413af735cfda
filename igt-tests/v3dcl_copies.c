// SPDX-License-Identifier: MIT
/*
 * What a submit points to is read once. Another process changes it all the while, to and fro
 * between what is accepted and what is refused: a job is run as it was checked, or it is refused.
 */
#include "v3dcl_alive.h"
#include "v3dcl_list.h"

#include <sys/prctl.h>

IGT_TEST_DESCRIPTION("Lists, uniforms and relocations that change while they are submitted");

#define TRIES 3000
#define ENOUGH 100			/* of both outcomes */

/* A word that another process writes, to and fro between two values, until it is told to stop */
struct writer {
	volatile uint32_t *word, *stop;
	pid_t pid;
};

static void *shared(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	igt_assert(p != MAP_FAILED);
	return p;
}

static struct writer writer_start(uint32_t *word, uint32_t good, uint32_t bad)
{
	struct writer writer = { .word = word, .stop = shared(4096) };

	writer.pid = fork();
	igt_assert(writer.pid >= 0);
	if (!writer.pid) {
		/* Tests that fail do not stop it */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (!*writer.stop) {
			*writer.word = bad;
			*writer.word = good;
		}
		_exit(0);
	}
	return writer;
}

static void writer_stop(struct writer *writer)
{
	*writer->stop = 1;
	igt_assert_eq(waitpid(writer->pid, NULL, 0), writer->pid);
	munmap((void *)writer->stop, 4096);
}

/* How the tries ended */
struct outcomes {
	unsigned int tries, accepted, refused;
};

static bool go_on(struct outcomes *outcomes)
{
	return outcomes->tries++ < TRIES &&
	       (outcomes->accepted < ENOUGH || outcomes->refused < ENOUGH);
}

/* A relocation whose offset is that of a row of its BO, or lies behind the BO */
static void relocation(int fd)
{
	struct bo bos[3] = { bo_create(fd, 4096), bo_create(fd, 4096), bo_create(fd, 4096) };
	struct job *job = shared(sizeof(*job));
	struct outcomes outcomes = { 0 };
	uint32_t program = program_store(fd);
	struct writer writer;
	unsigned int i;
	int error;

	job->submit.programs = (uintptr_t)job->programs;
	job->submit.uniforms = (uintptr_t)job->uniforms;
	job->submit.relocs = (uintptr_t)job->relocs;
	job_run_store(job, program, 0, 0x1000, &bos[1], 64);
	writer = writer_start((uint32_t *)&job->relocs[0].offset, 64, 4096);
	while (go_on(&outcomes)) {
		memset(bos[1].map, 0, 4096);
		error = job_try(fd, job);
		igt_assert(!error || error == EINVAL);
		outcomes.refused += error == EINVAL;
		outcomes.accepted += !error;
		if (!error)
			igt_assert_eq(seqno_wait(fd, job->submit.seqno, LONG_WAIT), 0);
		/* The second row, which offset 0 would not be, and nothing else anywhere */
		for (i = 0; i < 1024; i++) {
			igt_assert_eq_u32(bos[1].map[i],
					  !error && i / 16 == 1 ? 0x1000 + i % 16 : 0);
			igt_assert_eq_u32(bos[0].map[i] | bos[2].map[i], 0);
		}
	}
	writer_stop(&writer);
	igt_info("accepted %u, refused %u\n", outcomes.accepted, outcomes.refused);
	igt_assert_eq_u64(v3dcl_param(fd, DRM_V3DCL_PARAM_GUILTY), 0);
	munmap(job, sizeof(*job));
	gem_close(fd, program);
	for (i = 0; i < 3; i++)
		bo_destroy(fd, &bos[i]);
}

/* A uniform that the program clamps, so any value is fine: what was copied is what is stored */
static void uniform(int fd)
{
	struct bo bo = bo_create(fd, 4096);
	struct job *job = shared(sizeof(*job));
	uint32_t program = program_store(fd);
	struct writer writer;
	unsigned int i, k;

	job->submit.programs = (uintptr_t)job->programs;
	job->submit.uniforms = (uintptr_t)job->uniforms;
	job->submit.relocs = (uintptr_t)job->relocs;
	job_run_store(job, program, 0, 0x1000, &bo, 0);
	writer = writer_start(&job->uniforms[0], 0x1000, 0x2000);
	for (i = 0; i < TRIES / 4; i++) {
		job_submit(fd, job);
		igt_assert_eq(seqno_wait(fd, job->submit.seqno, LONG_WAIT), 0);
		igt_assert(bo.map[0] == 0x1000 || bo.map[0] == 0x2000);
		for (k = 1; k < 16; k++)
			igt_assert_eq_u32(bo.map[k], bo.map[0] + k);
	}
	writer_stop(&writer);
	munmap(job, sizeof(*job));
	gem_close(fd, program);
	bo_destroy(fd, &bo);
}

/*
 * Four bytes of a bin list that do nothing (AG100 Table 38, record 1), or of which the first ends
 * the list (record 0), so that it never tells of its end
 */
static void bin_list(int fd)
{
	struct bo bo = bo_create(fd, 64 * 64 * 4);
	struct list *list = shared(sizeof(*list));
	struct render *r = render_clear_job(&bo, 0);
	struct outcomes outcomes = { 0 };
	uint32_t nops = V3D_NOP * 0x01010101u, sync = sync_create(fd), *word;
	struct writer writer;
	int error;

	list_begin(list, 1, 1, false);
	while (list->size % sizeof(*word))
		list_code(list, V3D_NOP);
	word = (uint32_t *)(void *)(list->bytes + list->size);
	*word = nops;
	list->size += sizeof(*word);
	list_end(list);
	render_list(r, list);
	r->submit.out_sync = sync;
	writer = writer_start(word, nops, nops & ~0xffu);
	while (go_on(&outcomes)) {
		render_clear(r, outcomes.tries, 0, 0);
		error = render_try(fd, r);
		igt_assert(!error || error == EINVAL);
		outcomes.refused += error == EINVAL;
		outcomes.accepted += !error;
		if (error)
			continue;
		igt_assert_eq(sync_result(fd, sync), 1);
		igt_assert_eq_u32(bo.map[64 * 64 - 1], outcomes.tries);
	}
	writer_stop(&writer);
	igt_info("accepted %u, refused %u\n", outcomes.accepted, outcomes.refused);
	igt_assert_eq_u64(v3dcl_param(fd, DRM_V3DCL_PARAM_GUILTY), 0);
	sync_destroy(fd, sync);
	free(r);
	munmap(list, sizeof(*list));
	check_alive(fd);
	bo_destroy(fd, &bo);
}

static const struct subtest tests[] = {
	{ "relocation", relocation, "A relocation that points outside every other moment" },
	{ "uniform", uniform, "A uniform that changes" },
	{ "bin-list", bin_list, "A bin list that ends early every other moment" },
};

V3DCL_MAIN(tests, require_user)
