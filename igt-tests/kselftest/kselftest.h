/* SPDX-License-Identifier: MIT */
/*
 * TAP, by the names of the kernel's own kselftest.h: the part that our tests use.
 */
#ifndef V3D_KSELFTEST_H
#define V3D_KSELFTEST_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#define KSFT_PASS 0
#define KSFT_FAIL 1

static unsigned int ksft_passed, ksft_failed, ksft_skipped;

static inline void ksft_print_header(void)
{
	printf("TAP version 13\n");
}

__attribute__((format(printf, 1, 2))) static inline void ksft_print_msg(const char *format, ...)
{
	va_list args;

	printf("# ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
}

__attribute__((format(printf, 2, 3))) static inline void ksft_test_result(bool passed,
									  const char *format, ...)
{
	va_list args;

	passed ? ksft_passed++ : ksft_failed++;
	printf("%sok %u ", passed ? "" : "not ", ksft_passed + ksft_failed + ksft_skipped);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	fflush(stdout);
}

/* The name, then # SKIP and the reason */
static inline void ksft_test_result_skip(const char *name, const char *reason)
{
	ksft_skipped++;
	printf("ok %u %s # SKIP %s\n", ksft_passed + ksft_failed + ksft_skipped, name, reason);
}

/* The plan comes last: TAP allows that, and a program that died before has none */
static inline int ksft_finished(void)
{
	printf("1..%u\n", ksft_passed + ksft_failed + ksft_skipped);
	return ksft_failed ? KSFT_FAIL : KSFT_PASS;
}

#endif /* V3D_KSELFTEST_H */
