// SPDX-License-Identifier: MIT
/* Devices: what all kinds of them share. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

int device_fail(struct v3dcl_error *error, int code, const char *format, ...)
{
	va_list args;
	size_t n;

	if (!error)
		return code;
	*error = (struct v3dcl_error){ .code = code };
	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	n = strlen(error->text);
	errno = -code;
	snprintf(error->text + n, sizeof(error->text) - n, ": %m");
	return code;
}

int v3dcl_ioctl(struct v3dcl_device *device, unsigned long request, void *argument)
{
	if (request == DRM_IOCTL_GEM_CLOSE)
		return device_close_handle(device, argument);
	return device->ops->ioctl(device->self, request, argument);
}

static int own_param(struct v3dcl_device *device, enum drm_v3dcl_param param, uint64_t *value)
{
	struct drm_v3dcl_get_param get = { .param = param };
	int ret = v3dcl_ioctl(device, DRM_IOCTL_V3DCL_GET_PARAM, &get);

	*value = ret ? 0 : get.value;
	return ret;
}

uint64_t device_param(struct v3dcl_device *device, enum drm_v3dcl_param param)
{
	uint64_t value = 0;

	if (device->ours)
		own_param(device, param, &value);
	return value;
}

/*
 * The kernel's vc4 has nothing where our own ioctls are, and says EINVAL; a driver of other
 * hardware does not know IDENT0
 */
static int recognise(struct v3dcl_device *device, struct v3dcl_error *error)
{
	struct drm_vc4_get_param get = { .param = DRM_VC4_PARAM_V3D_IDENT0 };
	uint64_t version;
	char name[8] = "";
	struct drm_version driver = { .name = name, .name_len = sizeof(name) - 1 };
	int ret = v3dcl_ioctl(device, DRM_IOCTL_VERSION, &driver);

	if (ret)
		return device_fail(error, ret, "this is no DRM device");
	if (strcmp(name, "vc4") != 0)
		return v3dcl_fail(error, -ENODEV,
				  "the device's driver is \"%s\", not the VideoCore IV's (\"vc4\")",
				  name);
	ret = v3dcl_ioctl(device, DRM_IOCTL_VC4_GET_PARAM, &get);
	if (ret)
		return device_fail(error, ret,
				   "the device has no V3D (a display's node? its render node has)");
	ret = own_param(device, DRM_V3DCL_PARAM_VERSION, &version);
	device->ours = ret != -EINVAL;
	return 0;
}

/* On failure @self stays the caller's */
int device_new(const struct device_ops *ops, void *self, struct v3dcl_device **out,
	       struct v3dcl_error *error)
{
	struct v3dcl_device *device = calloc(1, sizeof(*device));
	int ret;

	if (!device)
		return device_fail(error, -ENOMEM, "opening a device");
	device->ops = ops;
	device->self = self;
	ret = recognise(device, error);
	if (ret) {
		free(device);
		return ret;
	}
	pthread_mutex_init(&device->lock, NULL);
	pthread_rwlock_init(&device->submits, NULL);
	pthread_mutex_init(&device->told_lock, NULL);
	device->told = device_param(device, DRM_V3DCL_PARAM_GUILTY) +
		       device_param(device, DRM_V3DCL_PARAM_INNOCENT);
	*out = device;
	return 0;
}

void v3dcl_close(struct v3dcl_device *device)
{
	if (!device)
		return;
	device_forget_bos(device);
	device->ops->close(device->self);
	pthread_mutex_destroy(&device->told_lock);
	pthread_rwlock_destroy(&device->submits);
	pthread_mutex_destroy(&device->lock);
	free(device);
}

int v3dcl_device_info(struct v3dcl_device *device, struct v3dcl_info *info,
		      struct v3dcl_error *error)
{
	struct v3dcl_info out = { .simulated = device->ops->stats, .ours = device->ours };
	struct drm_version version = { .name = out.name, .name_len = sizeof(out.name) - 1 };
	struct drm_vc4_get_param ident = { 0 };
	unsigned int i;
	int ret = v3dcl_ioctl(device, DRM_IOCTL_VERSION, &version);

	if (ret)
		return device_fail(error, ret, "asking for the driver's name");
	for (i = 0; i < 3; i++) {
		ident.param = DRM_VC4_PARAM_V3D_IDENT0 + i;
		ret = v3dcl_ioctl(device, DRM_IOCTL_VC4_GET_PARAM, &ident);
		if (ret)
			return device_fail(error, ret, "asking for register IDENT%u", i);
		out.ident[i] = ident.value;
	}
	out.unverified = device_param(device, DRM_V3DCL_PARAM_UNVERIFIED);
	out.qpus = device_param(device, DRM_V3DCL_PARAM_QPUS);
	out.vpm_rows = device_param(device, DRM_V3DCL_PARAM_VPM_ROWS);
	out.max_programs = device_param(device, DRM_V3DCL_PARAM_MAX_PROGRAMS);
	out.max_uniforms = device_param(device, DRM_V3DCL_PARAM_MAX_UNIFORMS);
	out.max_relocs = device_param(device, DRM_V3DCL_PARAM_MAX_RELOCS);
	out.max_timeout_ns = device_param(device, DRM_V3DCL_PARAM_MAX_TIMEOUT_NS);
	out.memory_budget = device_param(device, DRM_V3DCL_PARAM_MEMORY_BUDGET);
	out.memory_used = device_param(device, DRM_V3DCL_PARAM_MEMORY_USED);
	out.guilty = device_param(device, DRM_V3DCL_PARAM_GUILTY);
	out.innocent = device_param(device, DRM_V3DCL_PARAM_INNOCENT);
	*info = out;
	return 0;
}

int v3dcl_device_stats(struct v3dcl_device *device,
		       void (*each)(void *opaque, const char *name, uint64_t value), void *opaque,
		       struct v3dcl_error *error)
{
	if (!device->ops->stats)
		return device_fail(error, -EOPNOTSUPP,
				   "statistics, which only a simulated device has");
	device->ops->stats(device->self, each, opaque);
	return 0;
}
