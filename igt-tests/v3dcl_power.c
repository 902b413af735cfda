// SPDX-License-Identifier: MIT
/*
 * Power and interrupts: who keeps the V3D awake, who looks at it while a reset switches it off, and
 * whose an interrupt is that tells nothing.
 */
#include "v3dcl_alive.h"
#include "v3dcl_attr.h"

#include <dirent.h>

IGT_TEST_DESCRIPTION("Power is held by what runs; registers; interrupts");

/* --- a fence that the test signals: sw_sync of debug kernels ---------------------------------- */

struct sw_sync_fence {
	uint32_t value;
	char name[32];
	int32_t fence;
};

#define SW_SYNC_CREATE _IOWR('W', 0, struct sw_sync_fence)
#define SW_SYNC_SIGNAL _IOW('W', 1, uint32_t)

/* Return: a timeline whose next value signals the fence that is in the syncobj then */
static int unsignalled(int fd, uint32_t sync)
{
	struct drm_syncobj_handle import = {
		.handle = sync, .flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE,
	};
	struct sw_sync_fence fence = { .value = 1, .name = "v3dcl_power" };
	int timeline = open("/sys/kernel/debug/sync/sw_sync", O_RDWR | O_CLOEXEC);

	igt_require_f(timeline >= 0, "this kernel has no sw_sync\n");
	do_ioctl(timeline, SW_SYNC_CREATE, &fence);
	import.fd = fence.fence;
	do_ioctl(fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &import);
	close(fence.fence);
	return timeline;
}

static void signal_fence(int timeline)
{
	uint32_t value = 1;

	do_ioctl(timeline, SW_SYNC_SIGNAL, &value);
	close(timeline);
}

/* --- power ------------------------------------------------------------------------------------ */

static bool asleep(int fd)
{
	char path[128], status[32] = "";
	struct stat st;
	int file;

	igt_assert_eq(fstat(fd, &st), 0);
	snprintf(path, sizeof(path), "/sys/dev/char/%u:%u/device/power/runtime_status",
		 major(st.st_rdev), minor(st.st_rdev));
	file = open(path, O_RDONLY | O_CLOEXEC);
	igt_assert_fd(file);
	igt_assert_lt(0, read(file, status, sizeof(status) - 1));
	close(file);
	return !strcmp(status, "suspended\n");
}

static bool falls_asleep(int fd)
{
	unsigned int i;

	for (i = 0; i < 400 && !asleep(fd); i++)
		usleep(50000);
	return asleep(fd);
}

/* What waits for a fence lets the V3D sleep, and runs when the fence signals all the same */
static void waiting_jobs(int fd)
{
	struct bo bo = bo_create(fd, 4096), frame = bo_create(fd, 64 * 64 * 4);
	uint32_t program = program_store(fd), go = sync_create(fd), done = sync_create(fd);
	int timeline = unsignalled(fd, go);
	struct render *r = render_clear_job(&frame, 0x12345678);
	struct job *job = job_new();

	job_run_store(job, program, 0, 7, &bo, 0);
	job_in(job, go, 0);
	job_submit(fd, job);
	r->submit.in_sync = go;
	r->submit.out_sync = done;
	render_submit(fd, r);
	igt_assert(falls_asleep(fd));
	signal_fence(timeline);
	igt_assert_eq(sync_result(fd, done), 1);
	igt_assert_eq(seqno_wait(fd, r->submit.seqno, LONG_WAIT), 0);
	igt_assert_eq_u32(bo.map[15], 22);
	igt_assert_eq_u32(frame.map[99], 0x12345678);
	igt_assert(falls_asleep(fd));
	sync_destroy(fd, done);
	sync_destroy(fd, go);
	gem_close(fd, program);
	bo_destroy(fd, &frame);
	bo_destroy(fd, &bo);
	free(job);
	free(r);
}

/* Reads all registers again and again until it is killed */
__attribute__((noreturn)) static void look_for_ever(int fd)
{
	char text[8192];
	int file;

	for (;;) {
		file = igt_debugfs_open(fd, "v3d_registers", O_RDONLY);
		if (file < 0)
			_exit(1);
		while (read(file, text, sizeof(text)) > 0)
			;
		close(file);
	}
}

/*
 * While resets switch the V3D off and on, others read its registers. One that is read without power
 * fails the run, and not this test: the V3D counts it. A reader is in danger when a reset comes in
 * the middle of what it reads, hence so many.
 */
static void registers_during_resets(int fd)
{
	unsigned int hang_limit = attr_get(fd, "hang_limit"), i;
	uint32_t program = program_endless(fd);
	pid_t children[2];
	int status;

	attr_set(fd, "hang_limit", 0);
	igt_require_f(igt_debugfs_open(fd, "v3d_registers", O_RDONLY) >= 0, "no debugfs\n");
	for (i = 0; i < ARRAY_SIZE(children); i++) {
		children[i] = fork();
		igt_assert(children[i] >= 0);
		if (!children[i])
			look_for_ever(fd);
	}
	for (i = 0; i < 30; i++) {
		struct job *job = job_new();

		job_run(job, program);
		job->submit.timeout_ns = 5000000;
		job_submit(fd, job);
		igt_assert_eq(seqno_wait(fd, job->submit.seqno, LONG_WAIT), 0);
		free(job);
	}
	for (i = 0; i < ARRAY_SIZE(children); i++) {
		igt_assert_eq(kill(children[i], SIGKILL), 0);
		igt_assert_eq(waitpid(children[i], &status, 0), children[i]);
		igt_assert(WIFSIGNALED(status));
	}
	attr_set(fd, "hang_limit", hang_limit);
	gem_close(fd, program);
	check_alive(fd);
}

/* --- interrupts ------------------------------------------------------------------------------- */

/* What the kernel keeps of the V3D's line: unwanted interrupts in a row, and the last one */
struct unwanted {
	unsigned int count, last_ms;
};

static struct unwanted unwanted(unsigned int line)
{
	struct unwanted now;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/irq/%u/spurious", line);
	file = fopen(path, "r");
	igt_require_f(file, "no %s\n", path);
	igt_assert_eq(fscanf(file, "count %*u unhandled %u last_unhandled %u", &now.count,
			     &now.last_ms), 2);
	fclose(file);
	return now;
}

static unsigned int interrupt_line(void)
{
	char path[300], actions[256];
	unsigned int line = 0;
	struct dirent *entry;
	DIR *folder = opendir("/sys/kernel/irq");
	FILE *file;

	igt_require_f(folder, "no /sys/kernel/irq\n");
	while (!line && (entry = readdir(folder))) {
		snprintf(path, sizeof(path), "/sys/kernel/irq/%s/actions", entry->d_name);
		file = fopen(path, "r");
		if (file && fgets(actions, sizeof(actions), file) && strstr(actions, "v3d"))
			line = strtoul(entry->d_name, NULL, 10);
		if (file)
			fclose(file);
	}
	closedir(folder);
	igt_assert(line);
	return line;
}

/*
 * The latch may read 0 in the handler (chip host-int-zero). Such interrupts are the V3D's all the
 * same: 100,000 unwanted ones, and the kernel switches the line off. Programs run one after the
 * other, as interrupts of several at once are one; and the kernel's count begins anew when some
 * time has passed, so what is counted here is how often it has changed.
 */
static void host_interrupts(int fd)
{
	unsigned int i, changes = 0, line = interrupt_line();
	const unsigned int programs = 40;
	const uint32_t program = program_of(fd, qb_host_int);
	struct unwanted before, now;

	before = unwanted(line);
	for (i = 0; i < programs; i++) {
		struct job *job = job_new();

		job_run(job, program);
		job_finish(fd, job);
		now = unwanted(line);
		changes += now.count != before.count || now.last_ms != before.last_ms;
		before = now;
	}
	igt_info("%u of %u interrupted without being wanted\n", changes, programs);
	igt_assert_lt(changes, programs / 4);
	gem_close(fd, program);
}

static const struct subtest tests[] = {
	{ "waiting-jobs", waiting_jobs, "Jobs that wait do not keep the V3D awake" },
	{ "registers-during-resets", registers_during_resets,
	  "debugfs never touches a V3D that is switched off" },
	{ "host-interrupts", host_interrupts, "Interrupts without a latch are wanted" },
};

V3DCL_MAIN(tests, require_v3dcl)
