// SPDX-License-Identifier: MIT
/*
 * What can be seen of jobs from outside: what a file used, while it uses it, and the way of a job
 * through the driver.
 */
#include "v3dcl_fdinfo.h"
#include "v3dcl_gate.h"
#include "v3dcl_trace.h"

IGT_TEST_DESCRIPTION("fdinfo while a job runs; tracepoints");

static void fdinfo_keys(int fd)
{
	static const char *const keys[] = {
		"drm-driver:\tvc4\n", "drm-client-id:\t", "drm-engine-bin:\t",
		"drm-engine-render:\t", "drm-engine-qpu:\t", "drm-total-memory:\t",
		"drm-shared-memory:\t", "drm-resident-memory:\t",
	};
	struct bo bo = bo_create(fd, 4096);
	char text[4096];

	fdinfo_read(fd, text, sizeof(text));
	bo_destroy(fd, &bo);
	for (unsigned int i = 0; i < ARRAY_SIZE(keys); i++)
		igt_assert_f(strstr(text, keys[i]), "no %s in fdinfo:\n%s", keys[i], text);
}

/* Time passes for the file whose job runs, and for no other; what was told is never taken back */
static void fdinfo_running(int fd)
{
	int other = drm_open_driver(DRIVER_VC4);
	struct gate gate = gate_shut(fd);
	unsigned long long first, later;

	do {
		igt_assert_eq(sync_wait(fd, gate.sync, 0), ETIME);
		first = engine_ns(fd, "qpu");
	} while (!first);
	usleep(1000);
	later = engine_ns(fd, "qpu");
	igt_assert_eq(sync_wait(fd, gate.sync, 0), ETIME);
	igt_assert_lt_u64(first, later);
	igt_assert_eq_u64(engine_ns(fd, "render"), 0);
	igt_assert_eq_u64(engine_ns(other, "qpu"), 0);
	gate_open(&gate);
	igt_assert_eq(sync_wait(fd, gate.sync, LONG_WAIT), 0);
	first = engine_ns(fd, "qpu");
	igt_assert_lte_u64(later, first);
	igt_assert_eq_u64(engine_ns(fd, "qpu"), first);
	gate_free(fd, &gate);
	drm_close_driver(other);
}

/* Bytes that fdinfo tells of the file's memory: where DRM core has none of that kind, nothing */
static unsigned long long memory_bytes(int fd, const char *what)
{
	unsigned long long number;
	char text[4096], key[64], *at, *unit;

	fdinfo_read(fd, text, sizeof(text));
	snprintf(key, sizeof(key), "drm-%s-memory:", what);
	at = strstr(text, key);
	if (!at)
		return 0;
	number = strtoull(at + strlen(key), &unit, 10);
	if (!strncmp(unit, " MiB\n", 5))
		return number << 20;
	return strncmp(unit, " KiB\n", 5) ? number : number << 10;
}

/* A BO counts while it has a handle, as purgeable while it is not needed */
static void fdinfo_memory(int fd)
{
	const unsigned int size = 3 << 20;
	unsigned long long total = memory_bytes(fd, "total"),
			   resident = memory_bytes(fd, "resident"),
			   purgeable = memory_bytes(fd, "purgeable");
	struct bo bo = bo_create(fd, size);
	struct drm_vc4_gem_madvise unneeded = { .handle = bo.handle, .madv = VC4_MADV_DONTNEED };

	igt_assert_eq_u64(memory_bytes(fd, "total"), total + size);
	igt_assert_eq_u64(memory_bytes(fd, "resident"), resident + size);
	igt_assert_eq_u64(memory_bytes(fd, "purgeable"), purgeable);
	do_ioctl(fd, DRM_IOCTL_VC4_GEM_MADVISE, &unneeded);
	igt_assert_eq_u64(memory_bytes(fd, "purgeable"), purgeable + size);
	bo_destroy(fd, &bo);
	igt_assert_eq_u64(memory_bytes(fd, "total"), total);
	igt_assert_eq_u64(memory_bytes(fd, "purgeable"), purgeable);
}

/* An event of that submit on that queue, at or behind @at; NULL if there is none */
static const char *event(const char *at, const char *name, uint64_t seqno, const char *queue)
{
	char what[64], whose[64];
	const char *line, *end;

	snprintf(what, sizeof(what), " bv3d_%s: ", name);
	snprintf(whose, sizeof(whose), " seqno=%" PRIu64 " queue=%s", seqno, queue);
	while ((line = strstr(at, what))) {
		end = strchr(line, '\n');
		at = strstr(line, whose);
		if (at && at < end)
			return at;
		at = end;
	}
	return NULL;
}

/* Each step of a job is told, in this order */
static void tracepoints(int fd)
{
	static const char *const steps[] = { "submit", "ready", "grant", "start", "end" };
	struct bo bo = bo_create(fd, 4096);
	struct job *job = job_new();
	uint32_t program = program_store(fd);
	const char *at;
	char *text;

	trace_begin();
	job_run_store(job, program, 0, 1, &bo, 0);
	job_submit(fd, job);
	igt_assert_eq(seqno_wait(fd, job->submit.seqno, LONG_WAIT), 0);
	text = trace_end();
	at = text;
	for (unsigned int i = 0; i < ARRAY_SIZE(steps); i++) {
		at = event(at, steps[i], job->submit.seqno, "qpu");
		igt_assert_f(at, "no %s in its place:\n%s", steps[i], text);
	}
	free(text);
	free(job);
	gem_close(fd, program);
	bo_destroy(fd, &bo);
}

static const struct subtest tests[] = {
	{ "fdinfo-keys", fdinfo_keys, "What fdinfo tells" },
	{ "fdinfo-running", fdinfo_running, "fdinfo counts what runs now" },
	{ "fdinfo-memory", fdinfo_memory, "fdinfo counts memory, and what may be purged of it" },
	{ "tracepoints", tracepoints, "Submitted, ready, chosen by the arbiter, started, ended" },
};

V3DCL_MAIN(tests, require_v3dcl)
