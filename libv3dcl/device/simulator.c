// SPDX-License-Identifier: MIT
/* A device in this process. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <linux/sync_file.h>

#include "device.h"
#include "emu.h"

struct simulator {
	struct emu_device *dev;
	struct emu_file *file;
};

static int simulator_ioctl(void *self, unsigned long request, void *argument)
{
	const struct simulator *simulator = self;

	return emu_file_ioctl(simulator->file, request, argument);
}

static void *simulator_mmap(void *self, size_t size, uint64_t offset)
{
	const struct simulator *simulator = self;

	return emu_file_mmap(simulator->file, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
			     offset);
}

static int simulator_fence_status(void *self, int sync_file)
{
	const struct simulator *simulator = self;
	struct sync_file_info info;
	int ret;

	memset(&info, 0, sizeof(info));
	ret = emu_device_fd_ioctl(simulator->dev, sync_file, SYNC_IOC_FILE_INFO, &info);
	return ret ? ret : info.status;
}

static void simulator_stats(void *self,
			    void (*each)(void *opaque, const char *name, uint64_t value),
			    void *opaque)
{
	const struct simulator *simulator = self;

	emu_device_each_stat(simulator->dev, each, opaque);
}

/* Jobs run to their end, as they do when the last file descriptor of a kernel's device goes */
static void simulator_close(void *self)
{
	struct simulator *simulator = self;

	if (simulator->dev)
		emu_device_idle(simulator->dev);
	emu_device_free(simulator->dev);
	free(simulator);
}

static const struct device_ops ops = {
	.ioctl = simulator_ioctl,
	.mmap = simulator_mmap,
	.fence_status = simulator_fence_status,
	.stats = simulator_stats,
	.close = simulator_close,
};

void v3dcl_simulator_chips(void (*line)(void *opaque, const char *text), void *opaque)
{
	emu_chip_help(line, opaque);
}

/* The caller's chip, else the environment's. Return: 0 or a negative errno */
static int find_chip(const struct v3dcl_simulator_config *config, const char **chip,
		     struct v3dcl_error *error)
{
	const char *from = config->chip ? "chip" : "V3D_CHIP";
	char why[256];

	*chip = config->chip ? config->chip : getenv("V3D_CHIP");
	if (!*chip || emu_chip_check(*chip, why, sizeof(why)))
		return 0;
	return v3dcl_fail(error, -EINVAL, "%s: %s", from, why);
}

int v3dcl_open_simulator(const struct v3dcl_simulator_config *config, struct v3dcl_device **device,
			 struct v3dcl_error *error)
{
	static const struct v3dcl_simulator_config usual;
	struct emu_device_config all = { .quiet = true };
	struct simulator *simulator;
	int ret;

	config = config ? config : &usual;
	ret = find_chip(config, &all.chip, error);
	if (ret)
		return ret;
	simulator = calloc(1, sizeof(*simulator));
	if (!simulator)
		return device_fail(error, -ENOMEM, "a simulated device");
	all.budget = config->budget;
	all.trace = config->trace ? config->trace_mask : 0;
	all.trace_line = config->trace;
	all.opaque = config->opaque;
	all.limit_ms = config->limit_ms;
	all.threads = config->threads;
	all.reference = config->reference;
	all.unprivileged = config->unprivileged;
	all.unverified = config->unverified;
	simulator->dev = emu_device_new(&all);
	if (simulator->dev)
		simulator->file = emu_device_open(simulator->dev, false, 1);
	ret = simulator->file ? device_new(&ops, simulator, device, error) :
				device_fail(error, -ENOMEM, "a simulated device");
	if (ret)
		simulator_close(simulator);
	return ret;
}
