// SPDX-License-Identifier: MIT
/* Performance monitors. */
#include <errno.h>
#include <string.h>

#include "device.h"

int v3dcl_perfmon_create(struct v3dcl_device *device, const uint8_t *events, uint32_t count,
			 uint32_t *id, struct v3dcl_error *error)
{
	struct drm_vc4_perfmon_create create = { .ncounters = count };
	int ret;

	if (count > DRM_VC4_MAX_PERF_COUNTERS)
		return v3dcl_fail(error, -EINVAL,
				  "%u counters: a performance monitor has at most %u", count,
				  DRM_VC4_MAX_PERF_COUNTERS);
	memcpy(create.events, events, count);
	ret = v3dcl_ioctl(device, DRM_IOCTL_VC4_PERFMON_CREATE, &create);
	if (ret)
		return device_fail(error, ret, "a performance monitor of %u counters", count);
	*id = create.id;
	return 0;
}

int v3dcl_perfmon_destroy(struct v3dcl_device *device, uint32_t id)
{
	struct drm_vc4_perfmon_destroy destroy = { .id = id };

	return v3dcl_ioctl(device, DRM_IOCTL_VC4_PERFMON_DESTROY, &destroy);
}

int v3dcl_perfmon_values(struct v3dcl_device *device, uint32_t id, uint64_t *values,
			 struct v3dcl_error *error)
{
	struct drm_vc4_perfmon_get_values get = { .id = id, .values_ptr = (uintptr_t)values };
	int ret = v3dcl_ioctl(device, DRM_IOCTL_VC4_PERFMON_GET_VALUES, &get);

	return ret ? device_fail(error, ret, "the counts of performance monitor %u", id) : 0;
}
