// SPDX-License-Identifier: MIT
/* The least that is a program: asks a simulated device what it is, and lets it refuse something. For test-install. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <v3dcl_device.h>

int main(void)
{
	struct v3dcl_device *device;
	struct v3dcl_error error;
	struct v3dcl_info info;
	uint32_t bo;

	if (v3dcl_open_simulator(NULL, &device, &error) || v3dcl_device_info(device, &info, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	if (v3dcl_bo_create(device, 0, &bo, &error) != -EINVAL)
		return 2;
	printf("%s, %u QPUs; %s\n", info.name, info.qpus, error.text);
	v3dcl_close(device);
	return info.qpus ? 0 : 3;
}
