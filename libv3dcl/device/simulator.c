// SPDX-License-Identifier: MIT
/* A device in this process. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <linux/sync_file.h>

#include "../base/options.h"
#include "device.h"
#include "emu.h"

/**
 * struct simulator - what the device is
 * @dev: it
 * @file: its one client
 * @config: the caller's
 * @lock: of all below
 * @hung: a job has
 * @hang: the last that has
 * @dump: of it
 * @traced: where lines of trace go in the place of @config's, or NULL; with @traced_opaque
 * @races: that were not asked for yet
 * @missed: there was no memory for all of them
 */
struct simulator {
	struct emu_device *dev;
	struct emu_file *file;
	struct v3dcl_simulator_config config;
	pthread_mutex_t lock;
	bool hung;
	struct v3dcl_hang hang;
	struct v3dcl_buffer dump, races;
	bool missed;
	void (*traced)(void *opaque, const struct v3dcl_traced *traced);
	void *traced_opaque;
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

/* From the worker */
static void note_hang(void *opaque, const struct emu_hang *from)
{
	struct simulator *simulator = opaque;
	struct v3dcl_hang *hang = &simulator->hang;
	unsigned int i;

	pthread_mutex_lock(&simulator->lock);
	simulator->hung = true;
	*hang = (struct v3dcl_hang){ .seqno = from->seqno, .code = from->error,
				     .place_count = from->place_count };
	snprintf(hang->fault, sizeof(hang->fault), "%s", from->fault);
	snprintf(hang->list, sizeof(hang->list), "%s", from->list);
	for (i = 0; i < from->place_count; i++) {
		const struct emu_place *place = &from->places[i];
		struct v3dcl_place *to = &hang->places[i];

		snprintf(to->who, sizeof(to->who), "%s", place->who);
		snprintf(to->state, sizeof(to->state), "%s", place->state);
		to->handle = place->handle;
		to->instruction = place->offset / sizeof(uint64_t);
	}
	v3dcl_buffer_free(&simulator->dump);
	if (from->dump)
		v3dcl_buffer_add(&simulator->dump, from->dump, from->dump_size);
	pthread_mutex_unlock(&simulator->lock);
}

static bool simulator_hang(void *self, struct v3dcl_hang *hang, struct v3dcl_buffer *dump)
{
	struct simulator *simulator = self;
	bool hung;

	pthread_mutex_lock(&simulator->lock);
	hung = simulator->hung;
	*hang = simulator->hang;
	if (dump)
		v3dcl_buffer_add(dump, simulator->dump.bytes, simulator->dump.size);
	pthread_mutex_unlock(&simulator->lock);
	return hung;
}

/* From the worker; NULL: not all were seen */
static void note_race(void *opaque, const struct emu_race *from)
{
	struct simulator *simulator = opaque;
	struct v3dcl_race race;
	unsigned int i;

	pthread_mutex_lock(&simulator->lock);
	if (from) {
		race = (struct v3dcl_race){ .vpm = from->vpm, .place = from->place };
		for (i = 0; i < 2; i++) {
			const struct emu_race_side *side = &from->sides[i];

			race.sides[i] = (struct v3dcl_race_side){
				.qpu = side->qpu,
				.handle = side->handle,
				.instruction = side->offset / sizeof(uint64_t),
				.transfer = side->transfer,
				.write = side->write,
			};
		}
		v3dcl_buffer_add(&simulator->races, &race, sizeof(race));
	}
	simulator->missed |= !from || simulator->races.failed;
	pthread_mutex_unlock(&simulator->lock);
}

static int simulator_races(void *self, struct v3dcl_buffer *races)
{
	struct simulator *simulator = self;
	int ret;

	if (!simulator->config.races)
		return -EOPNOTSUPP;
	pthread_mutex_lock(&simulator->lock);
	*races = simulator->races;
	simulator->races = (struct v3dcl_buffer){ 0 };
	ret = simulator->missed ? -ENOMEM : 0;
	simulator->missed = false;
	pthread_mutex_unlock(&simulator->lock);
	return ret;
}

static void note_line(void *opaque, const struct emu_traced *from)
{
	struct simulator *simulator = opaque;
	const struct v3dcl_traced line = {
		.text = from->text, .handle = from->handle, .offset = from->offset,
		.code = from->code,
	};
	void (*traced)(void *opaque, const struct v3dcl_traced *traced);

	pthread_mutex_lock(&simulator->lock);
	traced = simulator->traced;
	opaque = simulator->traced_opaque;
	pthread_mutex_unlock(&simulator->lock);
	if (traced)
		traced(opaque, &line);
	else if (simulator->config.trace)
		simulator->config.trace(simulator->config.opaque, from->text);
}

static int simulator_trace(void *self,
			   void (*each)(void *opaque, const struct v3dcl_traced *traced),
			   void *opaque)
{
	struct simulator *simulator = self;

	if (!simulator->config.tracing && !simulator->config.trace_mask)
		return -EOPNOTSUPP;
	pthread_mutex_lock(&simulator->lock);
	simulator->traced = each;
	simulator->traced_opaque = opaque;
	pthread_mutex_unlock(&simulator->lock);
	return 0;
}

/* Jobs run to their end, as they do when the last file descriptor of a kernel's device goes */
static void simulator_close(void *self)
{
	struct simulator *simulator = self;

	if (simulator->dev)
		emu_device_idle(simulator->dev);
	emu_device_free(simulator->dev);
	v3dcl_buffer_free(&simulator->dump);
	v3dcl_buffer_free(&simulator->races);
	pthread_mutex_destroy(&simulator->lock);
	free(simulator);
}

static const struct device_ops ops = {
	.ioctl = simulator_ioctl,
	.mmap = simulator_mmap,
	.fence_status = simulator_fence_status,
	.stats = simulator_stats,
	.hang = simulator_hang,
	.races = simulator_races,
	.trace = simulator_trace,
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

static int check_tracing(const struct v3dcl_simulator_config *config, struct v3dcl_error *error)
{
	char why[256];

	if (!config->tracing || emu_trace_check(config->tracing, why, sizeof(why)))
		return 0;
	return v3dcl_fail(error, -EINVAL, "trace: %s", why);
}

int v3dcl_open_simulator(const struct v3dcl_simulator_config *config, struct v3dcl_device **device,
			 struct v3dcl_error *error)
{
	struct emu_device_config all = { .quiet = true };
	struct v3dcl_simulator_config known;
	struct simulator *simulator;
	int ret = options_take(&known, sizeof(known), config, "v3dcl_simulator_config", error);

	if (ret)
		return ret;
	config = &known;
	ret = find_chip(config, &all.chip, error);
	if (!ret)
		ret = check_tracing(config, error);
	if (ret)
		return ret;
	simulator = calloc(1, sizeof(*simulator));
	if (!simulator)
		return device_fail(error, -ENOMEM, "a simulated device");
	all.budget = config->budget;
	pthread_mutex_init(&simulator->lock, NULL);
	simulator->config = *config;
	all.trace = config->trace_mask;
	all.tracing = config->tracing;
	all.trace_line = note_line;
	all.hung = note_hang;
	all.raced = config->races ? note_race : NULL;
	all.opaque = simulator;
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
