/* SPDX-License-Identifier: MIT */
/*
 * One suite over every kind of device. A test is a function that gets a device of its own and
 * returns when something is wrong; what it leaves, the device's end takes.
 */
#ifndef V3DCL_SUITE_H
#define V3DCL_SUITE_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "v3dcl_device.h"

/* A debug kernel on an emulated CPU is slow */
#define LONG_WAIT UINT64_C(200000000000)

/* What a test needs: it is skipped where the device does not have it */
enum suite_needs {
	NEEDS_NOTHING,
	NEEDS_OURS = 1,		/* the ioctls of <drm/v3dcl_drm.h> */
	NEEDS_UNVERIFIED = 2,	/* the right to run user programs */
};

struct suite_test {
	const char *name;
	void (*run)(struct v3dcl_device *device);
	unsigned int needs;
};

extern const struct suite_test suite_bo_tests[], suite_job_tests[], suite_program_tests[],
	suite_sync_tests[];

/* Of the last call in CHECK_OK() or CHECK_FAILS() */
extern struct v3dcl_error error;

/* Another open file of the same device, or another simulated one */
int suite_open(struct v3dcl_device **device);

/* Fails the test, with what and where */
__attribute__((format(printf, 3, 4)))
void suite_failed(const char *file, int line, const char *format, ...);

#define CHECK(condition) \
	do { \
		if (!(condition)) { \
			suite_failed(__FILE__, __LINE__, "%s", #condition); \
			return; \
		} \
	} while (0)

/* Numbers, shown when they differ */
#define CHECK_EQ(value, expected) \
	do { \
		const long long check_value = (long long)(value), \
				check_expected = (long long)(expected); \
\
		if (check_value != check_expected) { \
			suite_failed(__FILE__, __LINE__, "%s is %lld, not %lld", #value, \
				     check_value, check_expected); \
			return; \
		} \
	} while (0)

/* A call that works, or else tells why */
#define CHECK_OK(call) \
	do { \
		int check_ret; \
\
		memset(&error, 0, sizeof(error)); \
		check_ret = (call); \
\
		if (check_ret < 0) { \
			suite_failed(__FILE__, __LINE__, "%s: %d: %s", #call, check_ret, \
				     error.text); \
			return; \
		} \
	} while (0)

/* A call that fails with that errno, the same in its error, and says in words why */
#define CHECK_FAILS(call, errno_expected) \
	do { \
		memset(&error, 0, sizeof(error)); \
		CHECK_EQ(call, -(errno_expected)); \
		CHECK_EQ(error.code, -(errno_expected)); \
		CHECK(*error.text); \
	} while (0)

#endif /* V3DCL_SUITE_H */
