// SPDX-License-Identifier: MIT
/* Syncobjs and sync_files, on every kind of device. */
#include <poll.h>
#include <unistd.h>

#include "suite.h"

#define NO_SYNCOBJ 4711u

static void binary_syncobjs(struct v3dcl_device *device)
{
	uint32_t empty, full;

	CHECK_OK(v3dcl_syncobj_create(device, false, &empty, &error));
	CHECK_OK(v3dcl_syncobj_create(device, true, &full, &error));
	CHECK_OK(v3dcl_syncobj_wait(device, full, 0, 0, &error));
	CHECK_FAILS(v3dcl_syncobj_wait(device, empty, 0, 0, &error), ETIME);
	CHECK_OK(v3dcl_syncobj_signal(device, empty, 0, &error));
	CHECK_OK(v3dcl_syncobj_wait(device, empty, 0, 0, &error));
	CHECK_EQ(v3dcl_syncobj_destroy(device, empty), 0);
	CHECK_EQ(v3dcl_syncobj_destroy(device, empty), -EINVAL);
	CHECK_FAILS(v3dcl_syncobj_wait(device, empty, 0, 0, &error), ENOENT);
}

static void timelines(struct v3dcl_device *device)
{
	uint64_t point = 99;
	uint32_t timeline;

	CHECK_OK(v3dcl_syncobj_create(device, false, &timeline, &error));
	CHECK_OK(v3dcl_syncobj_query(device, timeline, &point, &error));
	CHECK_EQ(point, 0);
	CHECK_OK(v3dcl_syncobj_signal(device, timeline, 5, &error));
	CHECK_OK(v3dcl_syncobj_query(device, timeline, &point, &error));
	CHECK_EQ(point, 5);
	CHECK_OK(v3dcl_syncobj_wait(device, timeline, 3, 0, &error));
	CHECK_FAILS(v3dcl_syncobj_wait(device, timeline, 6, 0, &error), ETIME);
}

static void sync_files(struct v3dcl_device *device)
{
	struct pollfd poll_file;
	uint32_t from, to;
	int file;

	CHECK_OK(v3dcl_syncobj_create(device, true, &from, &error));
	CHECK_OK(v3dcl_syncobj_create(device, false, &to, &error));
	CHECK_FAILS(v3dcl_syncobj_export(device, to, &error), EINVAL);
	file = v3dcl_syncobj_export(device, from, &error);
	CHECK(file >= 0);
	CHECK_EQ(v3dcl_sync_file_status(device, file), 1);
	poll_file = (struct pollfd){ .fd = file, .events = POLLIN };
	CHECK_EQ(poll(&poll_file, 1, 0), 1);
	CHECK_OK(v3dcl_syncobj_import(device, to, file, &error));
	CHECK_OK(v3dcl_syncobj_wait(device, to, 0, 0, &error));
	close(file);
}

static void unknown_syncobjs(struct v3dcl_device *device)
{
	uint64_t point;
	int pipes[2];

	CHECK_EQ(pipe(pipes), 0);
	CHECK_FAILS(v3dcl_syncobj_signal(device, NO_SYNCOBJ, 0, &error), ENOENT);
	CHECK_FAILS(v3dcl_syncobj_signal(device, NO_SYNCOBJ, 1, &error), ENOENT);
	CHECK_FAILS(v3dcl_syncobj_wait(device, NO_SYNCOBJ, 1, 0, &error), ENOENT);
	CHECK_FAILS(v3dcl_syncobj_query(device, NO_SYNCOBJ, &point, &error), ENOENT);
	CHECK(v3dcl_syncobj_export(device, NO_SYNCOBJ, &error) < 0);
	CHECK(v3dcl_syncobj_import(device, NO_SYNCOBJ, pipes[0], &error) < 0);
	CHECK(v3dcl_sync_file_status(device, pipes[0]) < 0);
	CHECK(v3dcl_sync_file_status(device, -1) < 0);
	close(pipes[0]);
	close(pipes[1]);
}

const struct suite_test suite_sync_tests[] = {
	{ "binary_syncobjs", binary_syncobjs, NEEDS_NOTHING },
	{ "timelines", timelines, NEEDS_NOTHING },
	{ "sync_files", sync_files, NEEDS_NOTHING },
	{ "unknown_syncobjs", unknown_syncobjs, NEEDS_NOTHING },
	{ 0 },
};
