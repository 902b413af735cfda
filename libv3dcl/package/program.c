// SPDX-License-Identifier: MIT
/*
 * The least that is a program: asks a simulated device what it is, lets it refuse something, runs a
 * text. For test-install.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <v3dcl_device.h>
#include <v3dcl_text.h>
#include <v3dcl_release.h>

static int run(struct v3dcl_device *device)
{
	static const char text[] = "buffer b { u8 1, 2 }\nexpect b { u16 513 }\n";
	struct v3dcl_script *script;
	struct v3dcl_error error;
	int ret = v3dcl_script_read(NULL, text, strlen(text), NULL, 0, &script, &error);

	if (!ret)
		ret = v3dcl_script_run(script, device, NULL, &error);
	if (ret)
		fprintf(stderr, "%s\n", error.text);
	v3dcl_script_free(script);
	return ret;
}

int main(void)
{
	struct v3dcl_device *device;
	struct v3dcl_error error;
	struct v3dcl_info info;
	char built[32];
	uint32_t bo;

	snprintf(built, sizeof(built), "%d.%d.%d", V3DCL_VERSION_MAJOR, V3DCL_VERSION_MINOR,
		 V3DCL_VERSION_PATCH);
	if (strcmp(v3dcl_version(), built))
		return 5;
	if (v3dcl_open_simulator(NULL, &device, &error) ||
	    v3dcl_device_info(device, &info, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	if (v3dcl_bo_create(device, 0, &bo, &error) != -EINVAL)
		return 2;
	printf("%s, %u QPUs; %s\n", info.name, info.qpus, error.text);
	if (run(device))
		return 4;
	v3dcl_close(device);
	return info.qpus ? 0 : 3;
}
