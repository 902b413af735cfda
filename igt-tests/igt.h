/* SPDX-License-Identifier: MIT */
/*
 * The part of IGT's API that our tests use, for building them without IGT (Debian ships none of its
 * headers). The same test sources compile inside an IGT tree, against its own igt.h; names, control
 * flow, output lines and exit codes are those of IGT 2.5, so that igt_runner can drive either
 * build.
 *
 * A test's main is "int igt_main() { igt_fixture() { ... } igt_subtest("name") { ... } }".
 * igt_assert() and igt_require() may be called in fixtures and subtests; they leave them by
 * siglongjmp(), so a variable that must live on is declared outside.
 */
#ifndef IGT_H
#define IGT_H

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <drm.h>

#define IGT_EXIT_SUCCESS 0
#define IGT_EXIT_SKIP 77
#define IGT_EXIT_INVALID 79
#define IGT_EXIT_FAILURE 98

#define DRIVER_VC4 (1 << 1)

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#endif

/*
 * What one process runs: set by main, changed by subtests. One test is one translation unit, so
 * static is enough.
 */
static struct {
	const char *program, *pattern, *subtest, *description, *note;
	bool list, describe, in_fixture, skip_rest, fail_rest;
	int ran, failed, skipped, matched;
	pid_t pid;
	struct timespec begin;
	sigjmp_buf out;
} igt __attribute__((unused)) = { .pattern = NULL };

static inline double igt_seconds_since(const struct timespec *begin)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - begin->tv_sec + (now.tv_nsec - begin->tv_nsec) / 1e9;
}

__attribute__((format(printf, 1, 2))) static inline void igt_info(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	fflush(stdout);
}

__attribute__((format(printf, 1, 2))) static inline void igt_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
}

__attribute__((format(printf, 1, 2))) static inline void igt_debug(const char *format, ...)
{
	(void)format;
}

/* The line that igt_runner reads a result from, on both streams where it asked for that */
static inline void igt_result_line(const char *name, const char *result, double seconds)
{
	printf("Subtest %s: %s (%.3fs)\n", name, result, seconds);
	fflush(stdout);
	if (getenv("IGT_SENTINEL_ON_STDERR"))
		fprintf(stderr, "Subtest %s: %s (%.3fs)\n", name, result, seconds);
}

static inline void igt_starting_line(const char *name)
{
	printf("Starting subtest: %s\n", name);
	fflush(stdout);
	if (getenv("IGT_SENTINEL_ON_STDERR"))
		fprintf(stderr, "Starting subtest: %s\n", name);
}

/* Ends the subtest or fixture that runs. In a forked child there is nothing to jump back to. */
__attribute__((noreturn)) static inline void igt_leave(const char *result, int code)
{
	alarm(0);
	if (getpid() != igt.pid)
		_exit(code);
	if (igt.subtest) {
		igt_result_line(igt.subtest, result, igt_seconds_since(&igt.begin));
		igt.subtest = NULL;
	} else if (!igt.in_fixture) {
		exit(code);
	}
	igt.in_fixture = false;
	siglongjmp(igt.out, 1);
}

__attribute__((noreturn)) static inline void igt_success(void)
{
	igt.ran++;
	igt_leave("SUCCESS", IGT_EXIT_SUCCESS);
}

__attribute__((noreturn)) static inline void igt_fail(int code)
{
	if (igt.subtest)
		igt.failed++, igt.ran++;
	else
		igt.fail_rest = true;
	igt_leave("FAIL", code);
}

__attribute__((noreturn, format(printf, 1, 2))) static inline void igt_skip(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	fflush(stdout);
	if (igt.subtest)
		igt.skipped++;
	else
		igt.skip_rest = true;
	igt_leave("SKIP", IGT_EXIT_SKIP);
}

__attribute__((noreturn, format(printf, 6, 7))) static inline void
igt_fail_assert(const char *file, int line, const char *function, const char *what, int error,
		const char *format, ...)
{
	va_list args;

	fflush(stdout);
	fprintf(stderr, "(%s:%d) CRITICAL: Test assertion failure function %s, file %s:%d:\n",
		igt.program, getpid(), function, file, line);
	fprintf(stderr, "(%s:%d) CRITICAL: Failed assertion: %s\n", igt.program, getpid(), what);
	if (error)
		fprintf(stderr, "(%s:%d) CRITICAL: Last errno: %d, %s\n", igt.program, getpid(),
			error, strerror(error));
	if (format && format[0]) {
		va_start(args, format);
		vfprintf(stderr, format, args);
		va_end(args);
	}
	if (igt.subtest)
		fprintf(stderr, "Subtest %s failed.\n", igt.subtest);
	igt_fail(IGT_EXIT_FAILURE);
}

#define igt_assert(condition) igt_assert_f(condition, "%s", "")
#define igt_assert_f(condition, ...) \
	do { \
		if (!(condition)) \
			igt_fail_assert(__FILE__, __LINE__, __func__, #condition, errno, \
					__VA_ARGS__); \
	} while (0)
#define igt_fail_on(condition) igt_assert(!(condition))
#define igt_assert_compare(type, format, a, relation, b) \
	do { \
		type igt_a = (a), igt_b = (b); \
		if (!(igt_a relation igt_b)) \
			igt_fail_assert(__FILE__, __LINE__, __func__, #a " " #relation " " #b, \
					errno, \
					"error: %" format " " #relation " %" format " is false\n", \
					igt_a, igt_b); \
	} while (0)
#define igt_assert_eq(a, b) igt_assert_compare(int, "d", a, ==, b)
#define igt_assert_neq(a, b) igt_assert_compare(int, "d", a, !=, b)
#define igt_assert_lt(a, b) igt_assert_compare(int, "d", a, <, b)
#define igt_assert_lte(a, b) igt_assert_compare(int, "d", a, <=, b)
#define igt_assert_eq_u32(a, b) igt_assert_compare(uint32_t, "#x", a, ==, b)
#define igt_assert_neq_u32(a, b) igt_assert_compare(uint32_t, "#x", a, !=, b)
#define igt_assert_eq_u64(a, b) igt_assert_compare(uint64_t, PRIu64, a, ==, b)
#define igt_assert_lt_u64(a, b) igt_assert_compare(uint64_t, PRIu64, a, <, b)
#define igt_assert_lte_u64(a, b) igt_assert_compare(uint64_t, PRIu64, a, <=, b)
#define igt_assert_fd(fd) igt_assert_f((fd) >= 0, "file descriptor %d\n", (fd))

#define igt_require_f(condition, ...) \
	do { \
		if (!(condition)) { \
			printf("Test requirement not met in function %s, file %s:%d:\n", __func__, \
			       __FILE__, __LINE__); \
			printf("Test requirement: %s\n", #condition); \
			igt_skip(__VA_ARGS__); \
		} \
	} while (0)
#define igt_require(condition) igt_require_f(condition, "%s", "")
#define igt_skip_on_f(condition, ...) igt_require_f(!(condition), __VA_ARGS__)
#define igt_skip_on(condition) igt_require(!(condition))
#define igt_require_fd(fd) igt_require((fd) >= 0)

#define IGT_TEST_DESCRIPTION(text) \
	static void __attribute__((constructor)) igt_set_description(void) \
	{ \
		igt.description = (text); \
	} \
	extern int igt_needs_semicolon

/* The text of the next subtest, for --describe */
static inline void igt_describe(const char *text)
{
	igt.note = igt.describe ? text : NULL;
}

__attribute__((format(printf, 1, 2))) static inline void igt_describe_f(const char *format, ...)
{
	static char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	igt_describe(text);
}

/* A pattern is a comma-separated list of globs; a leading ! takes out again. */
static inline bool igt_matches(const char *name)
{
	char patterns[4096], *save = NULL, *each;
	bool matches = false;

	if (!igt.pattern)
		return true;
	snprintf(patterns, sizeof(patterns), "%s", igt.pattern);
	for (each = strtok_r(patterns, ",", &save); each; each = strtok_r(NULL, ",", &save)) {
		bool out = each[0] == '!';

		if (!fnmatch(each + out, name, 0))
			matches = !out;
	}
	return matches;
}

/*
 * Should the body of this subtest run? Lists it, describes it, or says why not where it should not.
 */
static inline bool igt_run_subtest(const char *name)
{
	if (igt.list) {
		printf("%s\n", name);
		return false;
	}
	if (!igt_matches(name))
		return false;
	igt.matched++;
	if (igt.describe) {
		printf("SUB %s:\n  %s\n\n", name, igt.note ? igt.note : "NO DOCUMENTATION!");
		igt.note = NULL;
		return false;
	}
	if (igt.fail_rest || igt.skip_rest) {
		igt_result_line(name, igt.fail_rest ? "FAIL" : "SKIP", 0);
		igt.failed += igt.fail_rest;
		igt.skipped += !igt.fail_rest;
		return false;
	}
	igt_starting_line(name);
	igt.subtest = name;
	clock_gettime(CLOCK_MONOTONIC, &igt.begin);
	return true;
}

__attribute__((format(printf, 1, 2))) static inline const char *igt_format_name(const char *format,
										...)
{
	static char name[256];
	va_list args;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	return name;
}

#define igt_subtest(name) \
	for (; igt_run_subtest(name) && sigsetjmp(igt.out, 1) == 0; igt_success())
#define igt_subtest_f(...) igt_subtest(igt_format_name(__VA_ARGS__))

static inline bool igt_begin_fixture(void)
{
	if (igt.list || igt.describe || igt.skip_rest || igt.fail_rest)
		return false;
	igt.in_fixture = true;
	return true;
}

static inline void igt_end_fixture(void)
{
	igt.in_fixture = false;
}

#define igt_fixture() \
	for (int igt_once = 0; igt_once < 1 && igt_begin_fixture() && sigsetjmp(igt.out, 1) == 0; \
	     igt_once++, igt_end_fixture())

#define igt_subtest_group() \
	for (int igt_group = 0, igt_skip_before = igt.skip_rest; igt_group < 1; \
	     igt_group++, igt.skip_rest = igt_skip_before)

/* A subtest that takes longer fails; 0 takes the limit away. */
static inline void igt_set_timeout(unsigned int seconds, const char *what)
{
	igt.note = what;
	alarm(seconds);
}

static inline void igt_on_alarm(int signal)
{
	(void)signal;
	fprintf(stderr, "Timed out: %s\n", igt.note ? igt.note : "");
	if (igt.subtest)
		fprintf(stderr, "Subtest %s failed.\n", igt.subtest);
	igt_fail(IGT_EXIT_FAILURE);
}

static inline void igt_on_fatal(int signal)
{
	static const char text[] = "Received a fatal signal.\n";

	if (write(STDERR_FILENO, text, sizeof(text) - 1) > 0 && getpid() == igt.pid && igt.subtest)
		igt_result_line(igt.subtest, "CRASH", igt_seconds_since(&igt.begin));
	_exit(128 + signal);
}

static inline void igt_usage(FILE *to)
{
	fprintf(to,
		"Usage: %s [OPTIONS]\n  --list-subtests\n  --run-subtest <pattern>\n  "
		"--describe[=<pattern>]\n"
		"  --help-description\n  --debug\n  --version\n  --help|-h\n",
		igt.program);
}

static inline void igt_print_version(void)
{
	struct utsname uts;

	uname(&uts);
	printf("IGT-Version: v3d (%s) (%s: %s %s)\n", uts.machine, uts.sysname, uts.release,
	       uts.machine);
	fflush(stdout);
}

static inline void igt_parse(int argc, char **argv)
{
	static const char *const ignored[] = { "--debug", "--interactive-debug",
					       "--skip-crc-compare", "--trace-on-oops" };
	unsigned int k;
	int i;

	for (i = 1; i < argc; i++) {
		const char *arg = argv[i];

		for (k = 0; k < ARRAY_SIZE(ignored) && strncmp(arg, ignored[k], strlen(ignored[k]));
		     k++)
			;
		if (k < ARRAY_SIZE(ignored))
			continue;
		if (!strcmp(arg, "--list-subtests")) {
			igt.list = true;
		} else if (!strcmp(arg, "--run-subtest") && i + 1 < argc) {
			igt.pattern = argv[++i];
		} else if (!strncmp(arg, "--run-subtest=", 14)) {
			igt.pattern = arg + 14;
		} else if (!strncmp(arg, "--describe", 10)) {
			igt.describe = true;
			igt.pattern = arg[10] == '=' ? arg + 11 : NULL;
		} else if (!strcmp(arg, "--help-description")) {
			printf("%s\n", igt.description ? igt.description : "");
			exit(IGT_EXIT_SUCCESS);
		} else if (!strcmp(arg, "--version")) {
			igt_print_version();
			exit(IGT_EXIT_SUCCESS);
		} else {
			bool help = !strcmp(arg, "--help") || !strcmp(arg, "-h");

			igt_usage(help ? stdout : stderr);
			exit(help ? IGT_EXIT_SUCCESS : IGT_EXIT_INVALID);
		}
	}
}

static inline void igt_init(int argc, char **argv)
{
	static const int fatal[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };
	const char *slash = strrchr(argv[0], '/');
	unsigned int i;

	igt.program = slash ? slash + 1 : argv[0];
	igt.pid = getpid();
	igt_parse(argc, argv);
	if (igt.list)
		return;
	if (igt.describe) {
		printf("%s\n\n", igt.description ? igt.description : "");
		return;
	}
	for (i = 0; i < ARRAY_SIZE(fatal); i++)
		signal(fatal[i], igt_on_fatal);
	signal(SIGALRM, igt_on_alarm);
	igt_print_version();
}

static inline int igt_finish(void)
{
	if (igt.list)
		return IGT_EXIT_SUCCESS;
	if (igt.pattern && !igt.matched) {
		fprintf(stderr, "Unknown subtest: %s\n", igt.pattern);
		return IGT_EXIT_INVALID;
	}
	if (igt.describe)
		return IGT_EXIT_SUCCESS;
	if (igt.failed || igt.fail_rest)
		return IGT_EXIT_FAILURE;
	return igt.ran || !igt.skipped ? IGT_EXIT_SUCCESS : IGT_EXIT_SKIP;
}

/* "int igt_main() { ... }": the int goes to a declaration that is not used */
#define igt_main() \
	igt_unused(void); \
	static void igt_body(void); \
	int main(int argc, char **argv) \
	{ \
		igt_init(argc, argv); \
		igt_body(); \
		return igt_finish(); \
	} \
	static void igt_body(void)

/* --- DRM -------------------------------------------------------------------------------------- */

static inline int igt_ioctl(int fd, unsigned long request, void *arg)
{
	int ret;

	do {
		ret = ioctl(fd, request, arg);
	} while (ret == -1 && (errno == EINTR || errno == EAGAIN));
	return ret;
}

#define do_ioctl(fd, request, arg) \
	do { \
		igt_assert_eq(igt_ioctl(fd, request, arg), 0); \
		errno = 0; \
	} while (0)

#define do_ioctl_err(fd, request, arg, error) \
	do { \
		igt_assert_eq(igt_ioctl(fd, request, arg), -1); \
		igt_assert_eq(errno, error); \
		errno = 0; \
	} while (0)

static inline int igt_open_node(const char *kind, int first, int count)
{
	struct drm_version version;
	char path[64], name[16];
	int i, fd;

	for (i = first; i < first + count; i++) {
		snprintf(path, sizeof(path), "/dev/dri/%s%d", kind, i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		memset(&version, 0, sizeof(version));
		memset(name, 0, sizeof(name));
		version.name = name;
		version.name_len = sizeof(name) - 1;
		if (!igt_ioctl(fd, DRM_IOCTL_VERSION, &version) && !strcmp(name, "vc4"))
			return fd;
		close(fd);
	}
	return -1;
}

/* Opens the primary node of the first device whose driver calls itself vc4, or skips. */
static inline int drm_open_driver(int chipset)
{
	int fd = igt_open_node("card", 0, 16);

	igt_require_f(fd >= 0, "No known gpu found for chipset flags 0x%x (vc4)\n",
		      (unsigned int)chipset);
	errno = 0;
	return fd;
}

static inline int drm_open_driver_render(int chipset)
{
	int fd = igt_open_node("renderD", 128, 16);

	igt_require_f(fd >= 0, "No known gpu found for chipset flags 0x%x (vc4)\n",
		      (unsigned int)chipset);
	errno = 0;
	return fd;
}

/* A file of the device's debugfs folder; below 0: there is none */
static inline int igt_debugfs_open(int device, const char *filename, int mode)
{
	char path[256];
	struct stat st;

	igt_assert_eq(fstat(device, &st), 0);
	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%u/%s", minor(st.st_rdev) & 63,
		 filename);
	return open(path, mode);
}

static inline int drm_close_driver(int fd)
{
	return close(fd);
}

static inline void gem_close(int fd, uint32_t handle)
{
	struct drm_gem_close close_bo = { .handle = handle };

	igt_assert_neq_u32(handle, 0);
	do_ioctl(fd, DRM_IOCTL_GEM_CLOSE, &close_bo);
}

static inline int prime_handle_to_fd(int fd, uint32_t handle)
{
	struct drm_prime_handle args = { .handle = handle, .flags = DRM_CLOEXEC, .fd = -1 };

	do_ioctl(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &args);
	return args.fd;
}

/* The same, of which mmap() may write; -1: it cannot be exported */
static inline int prime_handle_to_fd_for_mmap(int fd, uint32_t handle)
{
	struct drm_prime_handle args = { .handle = handle, .flags = DRM_CLOEXEC | DRM_RDWR };

	return igt_ioctl(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &args) ? -1 : args.fd;
}

static inline uint32_t prime_fd_to_handle(int fd, int dma_buf)
{
	struct drm_prime_handle args = { .fd = dma_buf };

	do_ioctl(fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &args);
	return args.handle;
}

#endif /* IGT_H */
