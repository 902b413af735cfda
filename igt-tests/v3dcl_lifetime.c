// SPDX-License-Identifier: MIT
/*
 * Things that go away while the V3D works: files, processes, the driver's binding, the module.
 */
#include "v3dcl_igt.h"

#include <dirent.h>
#include <limits.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

IGT_TEST_DESCRIPTION("With jobs in flight: close, kill, unbind, unload");

#define MODULE "bcm2835_v3d"

/* A job of count programs that count down from rounds */
static struct job *spin_job(int fd, unsigned int count, uint32_t rounds)
{
	struct job *job = job_new();
	uint64_t code[16];
	uint32_t program;
	unsigned int i;
	struct qb b;

	qb_init(&b, code, 16);
	qb_emit(&b, qb_mov(QB_R0, QB_UNIF));
	qb_count_down(&b, QB_R0, qb_here(&b));
	qb_end(&b);
	program = program_create(fd, &b);
	for (i = 0; i < count; i++) {
		job_run(job, program);
		job_uniform(job, rounds);
	}
	return job;
}

/* Opened anew, the V3D computes */
static void check_alive(void)
{
	int fd = drm_open_driver(DRIVER_VC4);
	struct bo bo = bo_create(fd, 4096);
	uint32_t program = program_store(fd);
	struct job *job = job_new();

	job_run_store(job, program, 0, 7, &bo, 0);
	job_finish(fd, job);
	igt_assert_eq_u32(bo.map[15], 22);
	bo_destroy(fd, &bo);
	drm_close_driver(fd);
}

static uint64_t memory_used(void)
{
	int fd = drm_open_driver(DRIVER_VC4);
	uint64_t used = v3dcl_param(fd, DRM_V3DCL_PARAM_MEMORY_USED);

	drm_close_driver(fd);
	return used;
}

/* What others left behind comes back when their last job has ended */
static void check_memory_back(uint64_t before)
{
	unsigned int i;

	for (i = 0; i < 200 && memory_used() > before; i++)
		usleep(50000);
	igt_assert_lte_u64(memory_used(), before);
}

static void close_with_jobs(int ignored)
{
	uint64_t before = memory_used();
	int fd = drm_open_driver(DRIVER_VC4);
	struct bo bo = bo_create(fd, 1 << 20);
	uint32_t program = program_store(fd);
	struct job *job = spin_job(fd, 24, 5000);
	unsigned int i;

	(void)ignored;
	for (i = 0; i < 16; i++) {
		job_submit(fd, job);
		render_submit(fd, render_clear_job(&bo, i));
	}
	job_run_store(job, program, 0, 1, &bo, 0);
	job_submit(fd, job);
	munmap(bo.map, bo.size);
	drm_close_driver(fd);
	check_alive();
	check_memory_back(before);
	free(job);
}

/* Submits until it is killed, or until the device is gone */
__attribute__((noreturn)) static void submit_for_ever(int ready)
{
	int fd = drm_open_driver(DRIVER_VC4);
	struct bo bo = bo_create(fd, 1 << 16);
	struct render *r = render_clear_job(&bo, 1);
	struct job *job = spin_job(fd, 20, 2000);
	int error, other;

	if (write(ready, "", 1) != 1)
		_exit(1);
	do {
		error = job_try(fd, job);
		other = render_try(fd, r);
		if (error == ENOMEM || other == ENOMEM)
			error = seqno_wait(fd, job->submit.seqno, NSEC_PER_SEC), other = 0;
	} while ((!error || error == ETIME) && !other);
	/* The device went: everything else says so too, and waits end */
	if (error != ENODEV && other != ENODEV)
		_exit(2);
	seqno_wait(fd, job->submit.seqno, LONG_WAIT);
	_exit(3);
}

#define CHILDREN 3

static void children_start(pid_t *children)
{
	int ready[2];
	unsigned int i;
	char byte;

	igt_assert_eq(pipe(ready), 0);
	for (i = 0; i < CHILDREN; i++) {
		children[i] = fork();
		igt_assert(children[i] >= 0);
		if (!children[i])
			submit_for_ever(ready[1]);
	}
	for (i = 0; i < CHILDREN; i++)
		igt_assert_eq(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	usleep(200000);
}

/* Exit status of each, in wait()'s form; kills them first if asked to */
static void children_end(pid_t *children, bool kill_them, int *statuses)
{
	unsigned int i;

	for (i = 0; i < CHILDREN && kill_them; i++)
		kill(children[i], SIGKILL);
	for (i = 0; i < CHILDREN; i++)
		igt_assert_eq(waitpid(children[i], &statuses[i], 0), children[i]);
}

static void kill_with_jobs(int ignored)
{
	uint64_t before = memory_used();
	pid_t children[CHILDREN];
	int statuses[CHILDREN];
	unsigned int i;

	(void)ignored;
	children_start(children);
	children_end(children, true, statuses);
	for (i = 0; i < CHILDREN; i++)
		igt_assert_f(WIFSIGNALED(statuses[i]) && WTERMSIG(statuses[i]) == SIGKILL,
			     "child ended by itself: %#x\n", statuses[i]);
	check_alive();
	check_memory_back(before);
}

/* --- unbind ----------------------------------------------------------------------------------- */

/* Folder of the device's driver in sysfs, and the device's name there */
struct binding {
	char driver[PATH_MAX], device[NAME_MAX + 1];
};

static struct binding binding_of(int fd)
{
	char path[PATH_MAX], real[PATH_MAX];
	struct binding binding;
	struct stat st;

	igt_assert_eq(fstat(fd, &st), 0);
	snprintf(path, sizeof(path), "/sys/dev/char/%u:%u/device", major(st.st_rdev),
		 minor(st.st_rdev));
	igt_assert(realpath(path, real));
	snprintf(binding.device, sizeof(binding.device), "%.255s", strrchr(real, '/') + 1);
	strncat(path, "/driver", sizeof(path) - strlen(path) - 1);
	igt_assert(realpath(path, binding.driver));
	return binding;
}

static void binding_write(const struct binding *binding, const char *file)
{
	char path[PATH_MAX + 16];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", binding->driver, file);
	fd = open(path, O_WRONLY);
	igt_assert_fd(fd);
	igt_assert_eq(write(fd, binding->device, strlen(binding->device)), strlen(binding->device));
	close(fd);
}

/*
 * A file that stays open over the unbind: its ioctls say ENODEV, its maps and its sync_file are
 * safe to touch
 */
static void unbind_with_jobs(int ignored)
{
	int fd = drm_open_driver(DRIVER_VC4), file, statuses[CHILDREN];
	struct binding binding = binding_of(fd);
	struct drm_vc4_create_bo create = { .size = 4096 };
	struct job *job = spin_job(fd, 12, 100000);
	uint32_t sync = sync_create(fd);
	struct pollfd poll_file;
	pid_t children[CHILDREN];
	unsigned int i;

	(void)ignored;
	job_out(job, sync, 0);
	children_start(children);
	job_submit(fd, job);
	file = sync_export_file(fd, sync);
	binding_write(&binding, "unbind");
	igt_assert_eq(igt_ioctl(fd, DRM_IOCTL_VC4_CREATE_BO, &create), -1);
	igt_assert_eq(errno, ENODEV);
	igt_assert_eq(job_try(fd, job), ENODEV);
	poll_file = (struct pollfd) { .fd = file, .events = POLLIN };
	igt_assert_eq(poll(&poll_file, 1, 20000), 1);
	igt_assert(sync_file_status(file) != 0);
	children_end(children, false, statuses);
	for (i = 0; i < CHILDREN; i++)
		igt_assert_f(statuses[i] == 3 << 8, "child's wait status %#x\n", statuses[i]);
	drm_close_driver(fd);
	igt_assert(sync_file_status(file) != 0);
	binding_write(&binding, "bind");
	usleep(200000);
	check_alive();
	igt_assert(sync_file_status(file) != 0);
	close(file);
	free(job);
}

static void unbind_idle(int ignored)
{
	struct binding binding;
	unsigned int i;
	int fd;

	(void)ignored;
	for (i = 0; i < 3; i++) {
		fd = drm_open_driver(DRIVER_VC4);
		binding = binding_of(fd);
		drm_close_driver(fd);
		binding_write(&binding, "unbind");
		binding_write(&binding, "bind");
		usleep(200000);
		check_alive();
	}
}

/*
 * A BO mapped over the unbind: touching it is a SIGBUS or works, but never hits memory of another
 * owner
 */
static void map_over_unbind(int ignored)
{
	int fd = drm_open_driver(DRIVER_VC4), status;
	struct binding binding = binding_of(fd);
	struct bo bo = bo_create(fd, 8192);
	pid_t child;

	(void)ignored;
	bo.map[0] = 1;
	binding_write(&binding, "unbind");
	child = fork();
	igt_assert(child >= 0);
	if (!child) {
		signal(SIGBUS, SIG_DFL);
		signal(SIGSEGV, SIG_DFL);
		((volatile uint32_t *)bo.map)[1024] = 2;
		_exit(0);
	}
	igt_assert_eq(waitpid(child, &status, 0), child);
	igt_assert_f(status == 0 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS),
		     "wait status %#x\n", status);
	munmap(bo.map, bo.size);
	drm_close_driver(fd);
	binding_write(&binding, "bind");
	usleep(200000);
	check_alive();
}

/* --- the module ------------------------------------------------------------------------------- */

static int module_unload(void)
{
	return syscall(SYS_delete_module, MODULE, O_NONBLOCK) ? errno : 0;
}

static void module_load(void)
{
	const char *folder = getenv("V3D_MODULES");
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/" MODULE ".ko", folder ? folder : ".");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	igt_assert_fd(fd);
	igt_assert_eq(syscall(SYS_finit_module, fd, "", 0), 0);
	close(fd);
	usleep(200000);
}

/*
 * With a file open the module stays; right after the last one is closed, jobs still running, it can
 * go
 */
static void unload_with_jobs(int ignored)
{
	pid_t children[CHILDREN];
	int statuses[CHILDREN], error;
	unsigned int i;

	(void)ignored;
	igt_require_f(getenv("V3D_MODULES"), "V3D_MODULES does not say where the module is\n");
	check_alive();
	children_start(children);
	error = module_unload();
	igt_assert_f(error == EWOULDBLOCK || error == EBUSY, "unload with open files: %s\n",
		     strerror(error));
	children_end(children, true, statuses);
	for (i = 0; i < 500 && (error = module_unload()) == EWOULDBLOCK; i++)
		usleep(20000);
	igt_assert_f(!error, "unload: %s\n", strerror(error));
	module_load();
	check_alive();
}

static const struct subtest tests[] = {
	{ "close-with-jobs", close_with_jobs, "A file closed with jobs in flight" },
	{ "kill-with-jobs", kill_with_jobs, "Processes killed while they submit" },
	{ "unbind-idle", unbind_idle, "Unbind and bind, three times" },
	{ "unbind-with-jobs", unbind_with_jobs,
	  "Unbind while processes submit; their files, fences and waits" },
	{ "map-over-unbind", map_over_unbind, "A mapping touched after the unbind" },
	{ "unload-with-jobs", unload_with_jobs,
	  "The module unloaded right after its users were killed" },
};

v3dcl_main()
{
	v3dcl_fixture() {
		int fd = drm_open_driver(DRIVER_VC4);

		require_v3dcl(fd);
		drm_close_driver(fd);
	}

	run_subtests(tests, ARRAY_SIZE(tests), -1);
}
