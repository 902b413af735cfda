// SPDX-License-Identifier: MIT
/*
 * Programs of which nothing moves end long before their limit; what is busy has all of its time.
 * Who hangs again and again is refused for a while.
 * For root, who sets how long that takes.
 */
#include "v3dcl_alive.h"
#include "v3dcl_attr.h"
#include "v3dcl_fdinfo.h"
#include "v3dcl_gate.h"

IGT_TEST_DESCRIPTION("Deadlocks are found before the limit of their job, busy programs are not");

/* For these tests: long enough for a chip that is emulated on a busy host */
#define HANG_MS 1000

/* Waits for a semaphore, and would raise another one then */
static uint32_t program_waits(int fd, unsigned int wait, unsigned int raise)
{
	uint64_t code[16];
	struct qb b;

	qb_init(&b, code, 16);
	qb_emit(&b, qb_sema_down(wait));
	qb_emit(&b, qb_sema_up(raise));
	qb_end(&b);
	return program_create(fd, &b);
}

/* Runs a job that must end by timeout. Return: after how many ms on the hardware */
static unsigned int ends_after(int fd, struct job *job, unsigned int limit_ms, uint32_t perfmon)
{
	unsigned long long before = engine_ns(fd, "qpu");
	uint32_t sync = sync_create(fd);
	unsigned int ms;

	job->submit.timeout_ns = limit_ms * 1000000ull;
	job->submit.perfmon = perfmon;
	job_out(job, sync, 0);
	job_submit(fd, job);
	igt_assert_eq(sync_result(fd, sync), -ETIMEDOUT);
	sync_destroy(fd, sync);
	free(job);
	ms = (engine_ns(fd, "qpu") - before) / 1000000;
	igt_info("ended after %u ms\n", ms);
	return ms;
}

/* Each of @count programs waits for another one of them. Return: as ends_after() */
static unsigned int deadlock_after(int fd, unsigned int count, uint32_t perfmon,
				   unsigned int limit_ms)
{
	uint32_t programs[2] = { program_waits(fd, 3, 5), program_waits(fd, 5, 3) };
	struct job *job = job_new();
	unsigned int ms, i;

	for (i = 0; i < count; i++)
		job_run(job, programs[i % 2]);
	ms = ends_after(fd, job, limit_ms, perfmon);
	gem_close(fd, programs[0]);
	gem_close(fd, programs[1]);
	return ms;
}

static void check_early(unsigned int ms, unsigned int hang_ms)
{
	igt_assert_lte_u64(hang_ms, ms);
	igt_assert_lt_u64(ms, 8000);
}

static void deadlock(int fd)
{
	attr_set(fd, "hang_ms", HANG_MS);
	check_early(deadlock_after(fd, 2, 0, 10000), HANG_MS);
	check_alive(fd);
}

static void deadlock_on_all_qpus(int fd)
{
	attr_set(fd, "hang_ms", HANG_MS);
	check_early(deadlock_after(fd, 12, 0, 10000), HANG_MS);
	check_early(deadlock_after(fd, 40, 0, 10000), HANG_MS);
	check_alive(fd);
}

static void set_for_device(int fd)
{
	attr_set(fd, "hang_ms", 3000);
	check_early(deadlock_after(fd, 2, 0, 10000), 3000);
}

static void range(int fd)
{
	static const struct {
		const char *text;
		int error;
	} wrong[] = {
		{ "99", ERANGE }, { "0", ERANGE }, { "10001", ERANGE }, { "4294967295", ERANGE },
		{ "4294967296", ERANGE }, { "-500", EINVAL }, { "soon", EINVAL },
		{ "500 ms", EINVAL },
	};
	unsigned int i;

	attr_set(fd, "hang_ms", 10000);
	attr_set(fd, "hang_ms", 100);
	for (i = 0; i < ARRAY_SIZE(wrong); i++)
		igt_assert_eq(attr_try(fd, "hang_ms", wrong[i].text), wrong[i].error);
	igt_assert_eq_u32(attr_get(fd, "hang_ms"), 100);
	attr_set(fd, "hang_limit", 0);
	attr_set(fd, "hang_limit", 1000);
	igt_assert_eq(attr_try(fd, "hang_limit", "1001"), ERANGE);
	igt_assert_eq(attr_try(fd, "hang_limit", "-1"), EINVAL);
	igt_assert_eq_u32(attr_get(fd, "hang_limit"), 1000);
}

/* A loop without end has all of its time, and so has one that waits for memory to change */
static void busy_has_its_time(int fd)
{
	uint32_t endless = program_endless(fd);
	struct job *job = job_new();
	struct gate gate;

	attr_set(fd, "hang_ms", HANG_MS);
	job_run(job, endless);
	igt_assert_lte_u64(2500, ends_after(fd, job, 2500, 0));
	gate = gate_shut(fd);
	igt_assert_eq(sync_wait(fd, gate.sync, 2500000000ull), ETIME);
	gate_open(&gate);
	gate_free(fd, &gate);
	gem_close(fd, endless);
}

/* One endless loop, and two that wait for each other: something moves */
static void busy_beside(int fd)
{
	uint32_t endless = program_endless(fd);
	uint32_t programs[2] = { program_waits(fd, 3, 5), program_waits(fd, 5, 3) };
	struct job *job = job_new();

	attr_set(fd, "hang_ms", HANG_MS);
	job_run(job, programs[0]);
	job_run(job, programs[1]);
	job_run(job, endless);
	igt_assert_lte_u64(2500, ends_after(fd, job, 2500, 0));
	gem_close(fd, endless);
	gem_close(fd, programs[0]);
	gem_close(fd, programs[1]);
}

static uint32_t perfmon_of(int fd, unsigned int count)
{
	struct drm_vc4_perfmon_create create = { .ncounters = count };

	do_ioctl(fd, DRM_IOCTL_VC4_PERFMON_CREATE, &create);
	return create.id;
}

/* Counters that a perfmon leaves are enough; where it has all, there is the limit */
static void beside_perfmon(int fd)
{
	uint32_t most = perfmon_of(fd, 15), all = perfmon_of(fd, 16);

	attr_set(fd, "hang_ms", HANG_MS);
	check_early(deadlock_after(fd, 2, most, 10000), HANG_MS);
	igt_assert_lte_u64(3000, deadlock_after(fd, 2, all, 3000));
	check_alive(fd);
}

static int submit_store(int fd, uint32_t program, const struct bo *bo)
{
	struct job *job = job_new();
	int error;

	job_run_store(job, program, 0, 1, bo, 0);
	error = job_try(fd, job);
	free(job);
	return error;
}

/* With the third hang nothing is taken of that file, but of others; a while later it is again */
static void refused_for_a_while(int fd)
{
	int other = drm_open_driver(DRIVER_VC4);
	struct bo bo = bo_create(other, 4096), frame = bo_create(other, 64 * 64 * 4);
	uint32_t endless = program_endless(other), store = program_store(other);
	struct render *r = render_clear_job(&frame, 7);
	uint64_t refused_ns;
	unsigned int i;

	attr_set(fd, "hang_limit", 3);
	for (i = 0; i < 3; i++) {
		struct job *job = job_new();

		igt_assert_eq_u64(v3dcl_param(other, DRM_V3DCL_PARAM_REFUSED_NS), 0);
		job_run(job, endless);
		ends_after(other, job, 10, 0);
	}
	refused_ns = v3dcl_param(other, DRM_V3DCL_PARAM_REFUSED_NS);
	igt_assert_lt_u64(0, refused_ns);
	igt_assert_lte_u64(refused_ns, 10000000000ull);
	igt_assert_eq(submit_store(other, store, &bo), EBUSY);
	igt_assert_eq(render_try(other, r) ? errno : 0, EBUSY);
	igt_assert_eq_u64(v3dcl_param(fd, DRM_V3DCL_PARAM_REFUSED_NS), 0);
	check_alive(fd);
	usleep(v3dcl_param(other, DRM_V3DCL_PARAM_REFUSED_NS) / 1000 + 1000);
	igt_assert_eq_u64(v3dcl_param(other, DRM_V3DCL_PARAM_REFUSED_NS), 0);
	igt_assert_eq(submit_store(other, store, &bo), 0);
	render_finish(other, r);
	igt_assert_eq_u32(frame.map[99], 7);
	attr_set(fd, "hang_limit", 0);
	bo_destroy(other, &bo);
	bo_destroy(other, &frame);
	drm_close_driver(other);
}

static const struct subtest tests[] = {
	{ "deadlock", deadlock, "Two programs that wait for each other" },
	{ "deadlock-on-all-qpus", deadlock_on_all_qpus, "The same, on each QPU" },
	{ "set-for-device", set_for_device, "Later, where the device is told so" },
	{ "range", range, "What the device can be told" },
	{ "busy-has-its-time", busy_has_its_time, "Programs that are busy run to their limit" },
	{ "busy-beside", busy_beside, "One that is busy is enough" },
	{ "beside-perfmon", beside_perfmon, "With a perfmon that leaves one counter, and none" },
	{ "refused-for-a-while", refused_for_a_while, "A file with too many hangs" },
};

v3dcl_main()
{
	static unsigned int hang_ms, hang_limit;
	static int drm_fd = -1;

	v3dcl_fixture() {
		drm_fd = drm_open_driver(DRIVER_VC4);
		require_v3dcl(drm_fd);
		hang_ms = attr_get(drm_fd, "hang_ms");
		hang_limit = attr_get(drm_fd, "hang_limit");
		attr_set(drm_fd, "hang_limit", 0);
	}
	run_subtests(tests, ARRAY_SIZE(tests), drm_fd);
	v3dcl_fixture() {
		attr_set(drm_fd, "hang_ms", hang_ms);
		attr_set(drm_fd, "hang_limit", hang_limit);
		drm_close_driver(drm_fd);
	}
}
