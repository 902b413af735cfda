// SPDX-License-Identifier: MIT
/* Performance monitors. */
#include <errno.h>
#include <string.h>

#include <v3d/regs.h>

#include "device.h"

int v3dcl_perfmon_create(struct v3dcl_device *device, const uint8_t *events, uint32_t count,
			 uint32_t *id, struct v3dcl_error *error)
{
	struct drm_vc4_perfmon_create create = { .ncounters = count };
	uint32_t i;
	int ret;

	if (!count || count > DRM_VC4_MAX_PERF_COUNTERS)
		return v3dcl_fail(error, -EINVAL, "%u counters: a performance monitor has 1 to %u",
				  count, DRM_VC4_MAX_PERF_COUNTERS);
	for (i = 0; i < count; i++)
		if (events[i] >= V3D_COUNTER_COUNT)
			return v3dcl_fail(error, -EINVAL,
					  "counter %u: the V3D has number 0 to %u (AG100 Table 82)",
					  events[i], V3D_COUNTER_COUNT - 1);
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
