// SPDX-License-Identifier: MIT
/*
 * The suite over every kind of device, as TAP: on the first V3D among the nodes that the command
 * line names, or on V3D_DEVICE, else on a simulated one. Every expectation holds for all of them.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

#include "suite.h"

static struct {
	const char *path;	/* NULL: simulated */
	struct v3dcl_info info;
	unsigned int count, failures;
	bool failed;		/* the test that runs */
} suite;

struct v3dcl_error error;

void suite_failed(const char *file, int line, const char *format, ...)
{
	va_list args;

	suite.failed = true;
	printf("# %s:%d: ", file, line);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
}

int suite_open(struct v3dcl_device **device)
{
	const char *threads = getenv("V3D_THREADS");
	const struct v3dcl_simulator_config config = { .size = sizeof(config), .unverified = true,
						       .threads = threads ? atoi(threads) : 0 };
	int fd, ret;

	if (!suite.path)
		return v3dcl_open_simulator(&config, device, &error);
	fd = open(suite.path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return v3dcl_fail(&error, -errno, "%s: %m", suite.path);
	ret = v3dcl_open_drm(fd, device, &error);
	close(fd);
	return ret;
}

static void result(const char *name, const char *skip)
{
	printf("%sok %u %s%s%s\n", suite.failed ? "not " : "", ++suite.count, name,
	       skip ? " # SKIP " : "", skip ? skip : "");
	fflush(stdout);
	suite.failures += suite.failed;
	suite.failed = false;
}

static void run(const struct suite_test *test)
{
	struct v3dcl_device *device = NULL;

	if (test->needs & NEEDS_OURS && !suite.info.ours) {
		result(test->name, "the driver has no v3dcl ioctls");
	} else if (test->needs & NEEDS_UNVERIFIED && !suite.info.unverified) {
		result(test->name, "the caller may not run programs");
	} else {
		if (suite_open(&device))
			suite_failed(__FILE__, __LINE__, "%s", error.text);
		else
			test->run(device);
		v3dcl_close(device);
		result(test->name, NULL);
	}
}

static void info(void)
{
	struct v3dcl_device *device = NULL;
	const struct v3dcl_info *info = &suite.info;

	CHECK_OK(suite_open(&device));
	CHECK_OK(v3dcl_device_info(device, &suite.info, &error));
	v3dcl_close(device);
	CHECK_EQ(strcmp(info->name, "vc4"), 0);
	CHECK_EQ(info->simulated, !suite.path);
	CHECK_EQ(info->ident[0], 0x02443356);	/* AG100 Table 53: "V3D", technology version 2 */
	if (!info->ours)
		return;
	CHECK_EQ(info->qpus, 12);		/* HW */
	CHECK_EQ(info->vpm_rows, 64);
	CHECK(info->max_programs >= 1 && info->max_uniforms >= 1 && info->max_relocs >= 1);
	CHECK(info->max_timeout_ns >= 1000000000);
	CHECK(info->memory_budget >= 16 << 20 && info->memory_used <= info->memory_budget);
	CHECK_EQ(info->guilty, 0);
	CHECK_EQ(info->innocent, 0);
}

static void refuses_what_is_no_v3d(void)
{
	struct v3dcl_device *device = NULL;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	CHECK_FAILS(v3dcl_open_drm(-1, &device, &error), EBADF);
	CHECK_FAILS(v3dcl_open_drm(null, &device, &error), ENOTTY);
	close(null);
	CHECK(!device);
	v3dcl_close(NULL);
}

/* The node that the suite runs on is listed, and opened by its path and by its name */
struct listed {
	unsigned int count, found;
};

static bool note_node(void *opaque, const struct v3dcl_node *node)
{
	struct listed *listed = opaque;

	listed->count++;
	listed->found += suite.path && !strcmp(node->path, suite.path) && !node->error &&
			 node->ours == suite.info.ours && !strcmp(node->driver, suite.info.name);
	return true;
}

static void is_listed_and_opened_by_name(void)
{
	const char *name = suite.path ? strrchr(suite.path, '/') : NULL;
	struct v3dcl_device *device = NULL;
	struct listed listed = { 0 };

	CHECK_EQ(v3dcl_devices(note_node, &listed, &error), listed.count);
	CHECK_EQ(v3dcl_devices(NULL, NULL, &error), listed.count);
	if (v3dcl_open_simulator(NULL, &device, &error) != -EOPNOTSUPP) {
		v3dcl_close(device);
		CHECK_OK(v3dcl_open("sim", &device, &error));
		v3dcl_close(device);
		CHECK_OK(v3dcl_open("reference", &device, &error));
		v3dcl_close(device);
	}
	CHECK_FAILS(v3dcl_open("", &device, &error), EINVAL);
	CHECK_FAILS(v3dcl_open("none", &device, &error), ENOENT);
	CHECK_FAILS(v3dcl_open("/dev/null", &device, &error), ENOTTY);
	if (!name || strncmp(suite.path, "/dev/dri/", strlen("/dev/dri/")) != 0)
		return;
	CHECK_EQ(listed.found, 1);
	CHECK_OK(v3dcl_open(suite.path, &device, &error));
	v3dcl_close(device);
	CHECK_OK(v3dcl_open(name + 1, &device, &error));
	v3dcl_close(device);
	CHECK_OK(v3dcl_open(NULL, &device, &error));
	v3dcl_close(device);
}

/*
 * Machines may have other hardware's nodes; the last one is taken when none is a V3D's, so that it
 * is told what is wrong with it
 */
static const char *first_v3d(char **paths)
{
	struct v3dcl_device *device;

	for (; *paths; paths++) {
		suite.path = *paths;
		if (!suite_open(&device)) {
			v3dcl_close(device);
			break;
		}
	}
	return suite.path;
}

int main(int argc, char **argv)
{
	const struct suite_test *const tests[] = { suite_bo_tests, suite_job_tests,
						   suite_program_tests, suite_sync_tests };
	unsigned int i;

	suite.path = argc > 1 ? first_v3d(argv + 1) : getenv("V3D_DEVICE");
	printf("TAP version 13\n");
	info();
	result("info", NULL);
	refuses_what_is_no_v3d();
	result("refuses_what_is_no_v3d", NULL);
	is_listed_and_opened_by_name();
	result("is_listed_and_opened_by_name", NULL);
	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		const struct suite_test *test;

		for (test = tests[i]; test->name; test++)
			run(test);
	}
	printf("1..%u\n", suite.count);
	return suite.failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
