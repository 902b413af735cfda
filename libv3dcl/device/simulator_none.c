// SPDX-License-Identifier: MIT
/*
 * Where the simulated device is not built: for 32-bit machines, whose libc has two kinds of file
 * offset, and in cross builds.
 */
#include <errno.h>

#include "device.h"

int v3dcl_open_simulator(const struct v3dcl_simulator_config *config, struct v3dcl_device **device,
			 struct v3dcl_error *error)
{
	(void)config;
	(void)device;
	return device_fail(error, -EOPNOTSUPP,
			   "a simulated device, which this build of the library does not have");
}

void v3dcl_simulator_chips(void (*line)(void *opaque, const char *text), void *opaque)
{
	(void)line;
	(void)opaque;
}
