// SPDX-License-Identifier: MIT
/* Syncobjs, binary ones and timelines, and sync_files. */
#include <errno.h>

#include "device.h"

int v3dcl_syncobj_create(struct v3dcl_device *device, bool signaled, uint32_t *handle,
			 struct v3dcl_error *error)
{
	struct drm_syncobj_create create = { .flags = signaled ? DRM_SYNCOBJ_CREATE_SIGNALED : 0 };
	int ret = v3dcl_ioctl(device, DRM_IOCTL_SYNCOBJ_CREATE, &create);

	if (ret)
		return device_fail(error, ret, "a syncobj");
	*handle = create.handle;
	return 0;
}

int v3dcl_syncobj_destroy(struct v3dcl_device *device, uint32_t handle)
{
	struct drm_syncobj_destroy destroy = { .handle = handle };

	return v3dcl_ioctl(device, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy);
}

static int wait_binary(struct v3dcl_device *device, uint32_t handle, int64_t deadline_ns)
{
	struct drm_syncobj_wait wait = {
		.handles = (uintptr_t)&handle, .count_handles = 1, .timeout_nsec = deadline_ns,
		.flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT,
	};

	return v3dcl_ioctl(device, DRM_IOCTL_SYNCOBJ_WAIT, &wait);
}

static int wait_point(struct v3dcl_device *device, uint32_t handle, uint64_t point,
		      int64_t deadline_ns)
{
	struct drm_syncobj_timeline_wait wait = {
		.handles = (uintptr_t)&handle,
		.points = (uintptr_t)&point,
		.count_handles = 1,
		.timeout_nsec = deadline_ns,
		.flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT,
	};

	return v3dcl_ioctl(device, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait);
}

int v3dcl_syncobj_wait(struct v3dcl_device *device, uint32_t handle, uint64_t point,
		       int64_t deadline_ns, struct v3dcl_error *error)
{
	int ret = point ? wait_point(device, handle, point, deadline_ns) :
			  wait_binary(device, handle, deadline_ns);

	return ret ? device_fail(error, ret, "waiting for syncobj %u", handle) : 0;
}

int v3dcl_syncobj_signal(struct v3dcl_device *device, uint32_t handle, uint64_t point,
			 struct v3dcl_error *error)
{
	struct drm_syncobj_array binary = { .handles = (uintptr_t)&handle, .count_handles = 1 };
	struct drm_syncobj_timeline_array timeline = {
		.handles = (uintptr_t)&handle, .points = (uintptr_t)&point, .count_handles = 1,
	};
	int ret = point ? v3dcl_ioctl(device, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &timeline) :
			  v3dcl_ioctl(device, DRM_IOCTL_SYNCOBJ_SIGNAL, &binary);

	return ret ? device_fail(error, ret, "signalling syncobj %u", handle) : 0;
}

int v3dcl_syncobj_query(struct v3dcl_device *device, uint32_t handle, uint64_t *point,
			struct v3dcl_error *error)
{
	uint64_t reached = 0;
	struct drm_syncobj_timeline_array query = {
		.handles = (uintptr_t)&handle, .points = (uintptr_t)&reached, .count_handles = 1,
	};
	int ret = v3dcl_ioctl(device, DRM_IOCTL_SYNCOBJ_QUERY, &query);

	if (ret)
		return device_fail(error, ret, "asking how far syncobj %u is", handle);
	*point = reached;
	return 0;
}

int v3dcl_syncobj_export(struct v3dcl_device *device, uint32_t handle, struct v3dcl_error *error)
{
	struct drm_syncobj_handle export = {
		.handle = handle,
		.flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE,
		.fd = -1,
	};
	int ret = v3dcl_ioctl(device, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &export);

	return ret ? device_fail(error, ret, "a sync_file of syncobj %u", handle) : export.fd;
}

int v3dcl_syncobj_import(struct v3dcl_device *device, uint32_t handle, int sync_file,
			 struct v3dcl_error *error)
{
	struct drm_syncobj_handle import = {
		.handle = handle,
		.flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE,
		.fd = sync_file,
	};
	int ret = v3dcl_ioctl(device, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &import);

	return ret ? device_fail(error, ret, "sync_file %d for syncobj %u", sync_file, handle) : 0;
}

int v3dcl_sync_file_status(struct v3dcl_device *device, int sync_file)
{
	return device->ops->fence_status(device->self, sync_file);
}
