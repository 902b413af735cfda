// SPDX-License-Identifier: MIT
/*
 * A V3D with a reset line, which the PC's has where its shim was loaded with reset_line=1: each
 * reset is by that line. What is said of resets without one holds as well (v3dcl_hang).
 */
#include "v3dcl_alive.h"

IGT_TEST_DESCRIPTION("Resets by a reset line");

static unsigned int count_pulses(void)
{
	FILE *file = fopen("/sys/module/v3dsim_pci/parameters/pulses", "r");
	unsigned int count;

	igt_require_f(file, "not the PC's shim\n");
	igt_assert_eq(fscanf(file, "%u", &count), 1);
	fclose(file);
	return count;
}

/* A line of its own is pulsed once a reset, whether that succeeds or not */
static void pulsed(int fd)
{
	const unsigned int before = count_pulses();
	const unsigned long long resets = debugfs_number(fd, "v3d_queues", "resets: ");

	for (unsigned int i = 1; i <= 3; i++) {
		struct job *job = job_new();
		uint32_t program = program_endless(fd);

		job_run(job, program);
		check_times_out(fd, job);
		gem_close(fd, program);
		igt_assert_eq(count_pulses() - before, i);
		igt_assert_eq_u64(debugfs_number(fd, "v3d_queues", "resets: ") - resets, i);
	}
}

static const struct subtest tests[] = {
	{ "pulsed", pulsed, "Each reset uses the line, once" },
};

V3DCL_MAIN(tests, require_v3dcl)
