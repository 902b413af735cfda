/* SPDX-License-Identifier: MIT */
/*
 * A stand-in for the igt.h of an IGT tree: declares what our tests take from there and includes no
 * more than IGT's own igt_core.h does, so that a test that builds here brings along what else it
 * needs. Of newer trees, whose blocks have parentheses, and with V3DCL_IGT_OLDER of those before.
 */
#ifndef IGT_STAND_IN_H
#define IGT_STAND_IN_H

#include <assert.h>
#include <getopt.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include <drm.h>

#define DRIVER_VC4 (1 << 1)
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define NSEC_PER_SEC (1000 * 1000 * 1000L)
#define IGT_EXIT_SUCCESS 0
#define IGT_EXIT_SKIP 77
#define IGT_EXIT_FAILURE 98

#define IGT_TEST_DESCRIPTION(text) extern int stand_in_described

extern sigjmp_buf stand_in_out;
bool stand_in_begins(const char *format, ...) __attribute__((format(printf, 1, 2)));
void stand_in_ends(void);
__attribute__((noreturn)) void stand_in_failed(void);

#define STAND_IN_BLOCK(...) \
	for (; stand_in_begins(__VA_ARGS__) && !sigsetjmp(stand_in_out, 1); stand_in_ends())
#define STAND_IN_MAIN \
	static void stand_in_body(void); \
	int main(void) \
	{ \
		stand_in_body(); \
	} \
	static void stand_in_body(void)

#ifdef V3DCL_IGT_OLDER
#define igt_main STAND_IN_MAIN
#define igt_fixture STAND_IN_BLOCK("fixture")
#define igt_subtest_group STAND_IN_BLOCK("group")
#else
#define igt_main() \
	stand_in_unused(void); \
	STAND_IN_MAIN
#define igt_fixture() STAND_IN_BLOCK("fixture")
#define igt_subtest_group() STAND_IN_BLOCK("group")
#endif
#define igt_subtest(name) STAND_IN_BLOCK("%s", name)
#define igt_subtest_f(...) STAND_IN_BLOCK(__VA_ARGS__)
#define igt_describe(text) igt_describe_f("%s", text)

void igt_describe_f(const char *format, ...) __attribute__((format(printf, 1, 2)));
void igt_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void igt_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void igt_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));
void igt_skip(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void igt_set_timeout(unsigned int seconds, const char *what);

/* Conditions, with or without words; a comparison is of this type on both sides */
#define STAND_IN_CHECK(condition) \
	do { \
		if (!(condition)) \
			stand_in_failed(); \
	} while (0)
#define STAND_IN_COMPARE(type, a, relation, b) \
	do { \
		type stand_in_a = (a), stand_in_b = (b); \
		if (!(stand_in_a relation stand_in_b)) \
			stand_in_failed(); \
	} while (0)
#define STAND_IN_CHECK_F(condition, ...) \
	do { \
		if (!(condition)) \
			igt_skip(__VA_ARGS__); \
	} while (0)
#define igt_assert(condition) STAND_IN_CHECK(condition)
#define igt_assert_f(condition, ...) STAND_IN_CHECK_F(condition, __VA_ARGS__)
#define igt_require(condition) STAND_IN_CHECK(condition)
#define igt_require_f(condition, ...) STAND_IN_CHECK_F(condition, __VA_ARGS__)
#define igt_skip_on(condition) STAND_IN_CHECK(!(condition))
#define igt_assert_fd(fd) STAND_IN_CHECK((fd) >= 0)
#define igt_assert_eq(a, b) STAND_IN_COMPARE(int, a, ==, b)
#define igt_assert_neq(a, b) STAND_IN_COMPARE(int, a, !=, b)
#define igt_assert_lt(a, b) STAND_IN_COMPARE(int, a, <, b)
#define igt_assert_lte(a, b) STAND_IN_COMPARE(int, a, <=, b)
#define igt_assert_eq_u32(a, b) STAND_IN_COMPARE(uint32_t, a, ==, b)
#define igt_assert_neq_u32(a, b) STAND_IN_COMPARE(uint32_t, a, !=, b)
#define igt_assert_eq_u64(a, b) STAND_IN_COMPARE(uint64_t, a, ==, b)
#define igt_assert_lt_u64(a, b) STAND_IN_COMPARE(uint64_t, a, <, b)
#define igt_assert_lte_u64(a, b) STAND_IN_COMPARE(uint64_t, a, <=, b)

/* As IGT has them: igt_ioctl can be replaced */
extern int (*igt_ioctl)(int fd, unsigned long request, void *arg);
#define do_ioctl(fd, request, arg) igt_assert_eq(igt_ioctl(fd, request, arg), 0)
#define do_ioctl_err(fd, request, arg, error) igt_assert_eq(igt_ioctl(fd, request, arg), -1)

int drm_open_driver(int chipset);
int drm_open_driver_render(int chipset);
int drm_close_driver(int fd);
int igt_debugfs_open(int device, const char *filename, int mode);
void gem_close(int fd, uint32_t handle);
int prime_handle_to_fd(int fd, uint32_t handle);
int prime_handle_to_fd_for_mmap(int fd, uint32_t handle);
uint32_t prime_fd_to_handle(int fd, int dma_buf);

#endif /* IGT_STAND_IN_H */
