// SPDX-License-Identifier: MIT
/* Jobs, and waiting for them. */
#include <errno.h>

#include "device.h"

int v3dcl_submit_frame(struct v3dcl_device *device, struct drm_vc4_submit_cl *submit,
		       struct v3dcl_error *error)
{
	const struct refusable what = {
		.request = DRM_IOCTL_VC4_SUBMIT_CL, .argument = submit, .what = "the frame",
		.bin = (const uint8_t *)(uintptr_t)submit->bin_cl, .bin_size = submit->bin_cl_size,
	};

	return device_submit(device, &what, error);
}

/* The first version of the ABI that has stages */
#define STAGES_VERSION 4

int v3dcl_submit_stages(struct v3dcl_device *device, struct drm_v3dcl_submit_frame *submit,
			struct v3dcl_error *error)
{
	const struct refusable what = {
		.request = DRM_IOCTL_V3DCL_SUBMIT_FRAME, .argument = submit, .what = "the frame",
		.bin = (const uint8_t *)(uintptr_t)submit->frame.bin_cl,
		.bin_size = submit->frame.bin_cl_size,
	};
	int ret = device_submit(device, &what, error);

	if (ret == -EACCES)
		return v3dcl_fail(error, ret,
				  "DRM_V3DCL_PRIORITY_HIGH takes CAP_SYS_NICE; the other "
				  "priorities are for all");
	if (ret == -EINVAL && device_param(device, DRM_V3DCL_PARAM_VERSION) < STAGES_VERSION)
		return v3dcl_fail(error, ret,
				  "the driver has no frames with fences for each stage; one "
				  "syncobj to wait for and one to signal it does have");
	return ret;
}

int v3dcl_submit_lists(struct v3dcl_device *device, struct drm_v3dcl_submit_lists *submit,
		       struct v3dcl_error *error)
{
	const struct refusable what = { .request = DRM_IOCTL_V3DCL_SUBMIT_LISTS, .argument = submit,
					.what = "the job of lists" };
	int ret = device_submit(device, &what, error);

	if (ret == -EACCES)
		return v3dcl_fail(error, ret,
				  "raw lists are not checked: they are for root, where the driver "
				  "was loaded with unverified=1; a frame's are checked");
	return ret;
}

int v3dcl_submit_programs(struct v3dcl_device *device, struct drm_v3dcl_submit_qpu *submit,
			  struct v3dcl_error *error)
{
	const struct refusable what = { .request = DRM_IOCTL_V3DCL_SUBMIT_QPU, .argument = submit,
					.what = "the job of programs" };

	return device_submit(device, &what, error);
}

/*
 * Waits end well however the job ended; the driver counts those that ended badly. A binner without
 * memory is counted nowhere, since no client is guilty of it, but a simulated device tells.
 */
static bool somethings_new(struct v3dcl_device *device, struct v3dcl_hang *hang)
{
	bool more, hung;
	uint64_t bad;

	*hang = (struct v3dcl_hang){ 0 };
	pthread_mutex_lock(&device->told_lock);
	bad = device_param(device, DRM_V3DCL_PARAM_GUILTY) +
	      device_param(device, DRM_V3DCL_PARAM_INNOCENT);
	hung = device->ops->hang && device->ops->hang(device->self, hang, NULL) &&
	       hang->seqno != device->told_hang;
	more = bad != device->told || hung;
	device->told = bad;
	device->told_hang = hang->seqno;
	pthread_mutex_unlock(&device->told_lock);
	if (!hung)
		hang->seqno = 0;
	return more;
}

/* What the simulated chip says, or all that a driver tells */
static int tell_hang(const struct v3dcl_hang *hang, uint64_t seqno, struct v3dcl_error *error)
{
	struct v3dcl_buffer text = { 0 };

	if (!hang->seqno)
		return v3dcl_fail(error, -EIO,
				  "a job up to %llu hung, or another's reset ended it; the "
				  "driver's dump is in /sys/class/devcoredump, for v3dcl decode",
				  (unsigned long long)seqno);
	v3dcl_hang_text(hang, NULL, NULL, &text);
	v3dcl_fail(error, -EIO, "%s", text.failed ? "a job hung" : (const char *)text.bytes);
	v3dcl_buffer_free(&text);
	return -EIO;
}

int v3dcl_wait(struct v3dcl_device *device, uint64_t seqno, uint64_t timeout_ns,
	       struct v3dcl_error *error)
{
	struct v3dcl_hang hang;
	struct drm_vc4_wait_seqno wait = { .seqno = seqno, .timeout_ns = timeout_ns };
	int ret = v3dcl_ioctl(device, DRM_IOCTL_VC4_WAIT_SEQNO, &wait);

	if (ret)
		return device_fail(error, ret, "waiting for job %llu", (unsigned long long)seqno);
	return somethings_new(device, &hang) ? tell_hang(&hang, seqno, error) : 0;
}
