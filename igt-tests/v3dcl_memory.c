// SPDX-License-Identifier: MIT
/*
 * Memory that is short, and memory that others made: what is not needed goes when the machine wants
 * it, what is needed stays; contiguous buffers of a DMA heap are as good as our own, others are
 * refused.
 */
#define _GNU_SOURCE		/* memfd_create() */
#include "v3dcl_foreign.h"
#include "v3dcl_gate.h"
#include "v3dcl_raw.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>

IGT_TEST_DESCRIPTION("Purging under memory pressure, imports from DMA heaps");

#define BO_BYTES (256u << 10)

/* Return: does it still have what was in it? */
static bool needed(int fd, uint32_t handle, bool is)
{
	struct drm_vc4_gem_madvise madvise = { .handle = handle,
					       .madv = is ? VC4_MADV_WILLNEED : VC4_MADV_DONTNEED };

	do_ioctl(fd, DRM_IOCTL_VC4_GEM_MADVISE, &madvise);
	return madvise.retained;
}

static sigjmp_buf bus;

static void on_bus_error(int sig)
{
	siglongjmp(bus, sig);
}

static bool touch_fails(volatile uint32_t *word)
{
	struct sigaction action = { .sa_handler = on_bus_error }, before;
	bool failed = true;

	sigaction(SIGBUS, &action, &before);
	if (!sigsetjmp(bus, 1)) {
		*word = 1;
		failed = false;
	}
	sigaction(SIGBUS, &before, NULL);
	return failed;
}

static void write_number(const char *path, unsigned long long number)
{
	char text[32];
	int file = open(path, O_WRONLY), size = snprintf(text, sizeof(text), "%llu", number);

	igt_require_f(file >= 0, "cannot write to %s\n", path);
	igt_assert_eq(write(file, text, size), size);
	close(file);
}

static void purged_when_asked(int fd)
{
	struct bo keep = bo_create(fd, BO_BYTES), lose = bo_create(fd, BO_BYTES),
		  change = bo_create(fd, BO_BYTES);

	keep.map[5] = 55;
	lose.map[5] = 55;
	change.map[5] = 55;
	needed(fd, lose.handle, false);
	needed(fd, change.handle, false);
	igt_assert(needed(fd, change.handle, true));
	/* the kernel asks all its caches for memory */
	write_number("/proc/sys/vm/drop_caches", 2);
	igt_assert(!needed(fd, lose.handle, true));
	igt_assert(needed(fd, keep.handle, true));
	igt_assert_eq_u32(keep.map[5], 55);
	igt_assert_eq_u32(change.map[5], 55);
	igt_assert(touch_fails(&lose.map[5]));
	bo_destroy(fd, &keep);
	bo_destroy(fd, &lose);
	bo_destroy(fd, &change);
}

/* A BO that a job uses is not purged, whatever was said about it since */
static void not_while_used(int fd)
{
	struct bo bo = bo_create(fd, BO_BYTES), word = bo_create(fd, 4096);
	uint32_t store = program_store(fd), gate = program_gate(fd), sync = sync_create(fd);
	struct job *job = job_new();

	job_run_store(job, store, 0, 7, &bo, 0);
	job_run(job, gate);
	job_reads(job, &word, 0);
	job->submit.timeout_ns = v3dcl_param(fd, DRM_V3DCL_PARAM_MAX_TIMEOUT_NS);
	job_out(job, sync, 0);
	job_submit(fd, job);
	needed(fd, bo.handle, false);
	/* the kernel asks all its caches for memory */
	write_number("/proc/sys/vm/drop_caches", 2);
	igt_assert(needed(fd, bo.handle, true));
	*(volatile uint32_t *)word.map = 1;
	igt_assert_eq(sync_result(fd, sync), 1);
	igt_assert_eq_u32(bo.map[3], 10);
	sync_destroy(fd, sync);
	free(job);
	gem_close(fd, store);
	gem_close(fd, gate);
	bo_destroy(fd, &word);
	bo_destroy(fd, &bo);
}

static unsigned long long meminfo_kib(const char *what)
{
	char text[4096] = "", *at;
	int file = open("/proc/meminfo", O_RDONLY);

	igt_assert(file >= 0 && read(file, text, sizeof(text) - 1) > 0);
	close(file);
	at = strstr(text, what);
	return at ? strtoull(at + strlen(what), NULL, 10) : 0;
}

static unsigned long long read_number(const char *path)
{
	char text[32] = "";
	int file = open(path, O_RDONLY);

	igt_assert(file >= 0 && read(file, text, sizeof(text) - 1) > 0);
	close(file);
	return strtoull(text, NULL, 10);
}

/*
 * Memory is short when less is free than the machine likes to have: it is told to like four fifths
 * of what there is, and some is taken.
 */
static bool press(int fd, unsigned long long purged)
{
	static const char likes[] = "/proc/sys/vm/min_free_kbytes";
	unsigned long long before = read_number(likes), available = meminfo_kib("MemFree:");
	int memory = memfd_create("pressure", 0), tries;
	bool done = false;

	igt_assert(memory >= 0);
	write_number(likes, available / 5 * 4);
	for (tries = 0; !done && tries < 100; tries++) {
		if (tries < 10 && posix_fallocate(memory, tries * available * 16, available * 16))
			break;
		usleep(50000);
		done = debugfs_number(fd, "v3d_memory", "purged: ") > purged;
	}
	write_number(likes, before);
	close(memory);
	return done;
}

static void purged_under_pressure(int fd)
{
	unsigned long long before = debugfs_number(fd, "v3d_memory", "purged: ");
	struct bo keep = bo_create(fd, BO_BYTES), lose[16];
	unsigned int i, lost = 0;
	bool done;

	keep.map[5] = 55;
	for (i = 0; i < ARRAY_SIZE(lose); i++) {
		lose[i] = bo_create(fd, BO_BYTES);
		lose[i].map[5] = 55;
		needed(fd, lose[i].handle, false);
	}
	done = press(fd, before);
	for (i = 0; i < ARRAY_SIZE(lose); i++) {
		lost += !needed(fd, lose[i].handle, true);
		bo_destroy(fd, &lose[i]);
	}
	igt_require_f(done, "this machine did not want its memory back\n");
	igt_assert_lt(0, lost);
	igt_assert(needed(fd, keep.handle, true));
	igt_assert_eq_u32(keep.map[5], 55);
	bo_destroy(fd, &keep);
}

static int import_try(int fd, int dma_buf, uint32_t *handle)
{
	struct drm_prime_handle import = { .fd = dma_buf };
	int error = igt_ioctl(fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &import) ? errno : 0;

	*handle = import.handle;
	return error;
}

/* Rendered to, stored to by a program, and seen by who made it */
static void heap_import(int fd)
{
	const uint32_t bytes = 64 * 64 * 4;
	int dma_buf = contiguous(bytes);
	uint32_t *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, dma_buf, 0),
		 program = program_store(fd), i;
	struct bo bo = { .size = bytes };
	struct job *job = job_new();

	igt_assert(map != MAP_FAILED);
	igt_assert_eq(import_try(fd, dma_buf, &bo.handle), 0);
	render_finish(fd, render_clear_job(&bo, 0xabcdef01));
	for (i = 0; i < bytes / 4; i++)
		igt_assert_eq_u32(map[i], 0xabcdef01);
	job_run_store(job, program, 0, 100, &bo, 1024);
	job_finish(fd, job);
	for (i = 0; i < bytes / 4; i++)
		igt_assert_eq_u32(map[i], i >= 256 && i < 272 ? i - 156 : 0xabcdef01);
	gem_close(fd, bo.handle);
	munmap(map, bytes);
	close(dma_buf);
	gem_close(fd, program);
}

static void scattered_import(int fd)
{
	int dma_buf = scattered(64 * 4096);
	uint32_t handle;

	igt_assert_eq(import_try(fd, dma_buf, &handle), EINVAL);
	close(dma_buf);
}

static const struct subtest tests[] = {
	{ "purged-when-asked", purged_when_asked,
	  "BOs that are not needed go when the kernel drops its caches" },
	{ "not-while-used", not_while_used, "A BO that a job uses is not purged" },
	{ "purged-under-pressure", purged_under_pressure,
	  "BOs that are not needed go when a process takes all memory" },
	{ "heap-import", heap_import, "A buffer of the CMA heap is rendered to" },
	{ "scattered-import", scattered_import, "A buffer that is not contiguous is refused" },
};

V3DCL_MAIN(tests, require_v3dcl)
