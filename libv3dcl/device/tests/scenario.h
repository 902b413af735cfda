/* SPDX-License-Identifier: MIT */
/*
 * What is done with a device of which something fails: memory, or the driver. Whatever fails first
 * ends it.
 */
#ifndef V3DCL_DEVICE_TESTS_SCENARIO_H
#define V3DCL_DEVICE_TESTS_SCENARIO_H

#include <unistd.h>

#include "v3dcl_device.h"

static const uint64_t end_code[] = { 0x300009e7009e7000, 0x100009e7009e7000, 0x100009e7009e7000 };

static inline int use_code(struct v3dcl_device *device, struct v3dcl_error *error)
{
	uint32_t bo, size;
	int ret = v3dcl_bo_create_shader(device, end_code, 3, &bo, error);

	if (!ret)
		ret = v3dcl_bo_size(device, bo, &size, error);
	return ret ? ret : v3dcl_bo_create_program(device, end_code, 3, 0, &bo, error);
}

static inline int use_sync(struct v3dcl_device *device, struct v3dcl_error *error)
{
	const uint8_t events[] = { 1 };
	uint32_t syncobj, id;
	uint64_t value;
	int ret = v3dcl_syncobj_create(device, true, &syncobj, error), fd;

	if (!ret)
		ret = v3dcl_syncobj_wait(device, syncobj, 0, INT64_MAX, error);
	if (ret)
		return ret;
	fd = v3dcl_syncobj_export(device, syncobj, error);
	if (fd < 0)
		return fd;
	ret = v3dcl_syncobj_import(device, syncobj, fd, error);
	close(fd);
	if (!ret)
		ret = v3dcl_syncobj_signal(device, syncobj, 3, error);
	if (!ret)
		ret = v3dcl_syncobj_query(device, syncobj, &value, error);
	if (!ret)
		ret = v3dcl_perfmon_create(device, events, 1, &id, error);
	return ret ? ret : v3dcl_perfmon_values(device, id, &value, error);
}

#endif /* V3DCL_DEVICE_TESTS_SCENARIO_H */
