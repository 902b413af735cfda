// SPDX-License-Identifier: MIT
/* Performance monitors: a file's choice of counters, which count while its jobs run. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct perfmon *perfmon_get(struct emu_file *file, uint32_t id)
{
	struct perfmon *perfmon = table_get(&file->perfmons, id);

	if (perfmon)
		perfmon->refs++;
	return perfmon;
}

void perfmon_put(struct perfmon *perfmon)
{
	if (perfmon && !--perfmon->refs)
		free(perfmon);
}

void perfmon_start(struct emu_device *dev, struct perfmon *perfmon)
{
	if (perfmon)
		v3dcl_start_counters(&dev->hw, perfmon->sources, perfmon->count);
}

void perfmon_stop(struct emu_device *dev, struct perfmon *perfmon, bool capture)
{
	__u64 counts[V3D_COUNTERS] = { 0 };
	unsigned int i;

	if (!perfmon)
		return;
	if (capture)
		v3dcl_add_counters(&dev->hw, counts, perfmon->count);
	v3dcl_stop_counters(&dev->hw);
	pthread_mutex_lock(&dev->lock);
	for (i = 0; i < perfmon->count; i++)
		perfmon->values[i] += counts[i];
	pthread_mutex_unlock(&dev->lock);
}

static struct perfmon *perfmon_new(const uint8_t *sources, uint32_t count)
{
	struct perfmon *perfmon = calloc(1, sizeof(*perfmon));

	if (perfmon) {
		perfmon->refs = 1;
		perfmon->count = count;
		memcpy(perfmon->sources, sources, count);
	}
	return perfmon;
}

int emu_perfmon_create(struct emu_file *file, void *arg)
{
	struct drm_vc4_perfmon_create *args = arg;
	struct perfmon *perfmon;

	if (!v3dcl_perfmon_valid(args->events, args->ncounters))
		return -EINVAL;
	perfmon = perfmon_new(args->events, args->ncounters);
	if (!perfmon)
		return -ENOMEM;
	pthread_mutex_lock(&file->dev->lock);
	args->id = table_add(&file->perfmons, perfmon);
	if (args->id > V3DCL_MAX_PERFMONS)
		table_remove(&file->perfmons, args->id);
	if (!args->id || args->id > V3DCL_MAX_PERFMONS) {
		args->id = 0;
		perfmon_put(perfmon);
	}
	pthread_mutex_unlock(&file->dev->lock);
	return args->id ? 0 : -ENOMEM;
}

int emu_perfmon_destroy(struct emu_file *file, void *arg)
{
	const struct drm_vc4_perfmon_destroy *args = arg;
	struct perfmon *perfmon;

	pthread_mutex_lock(&file->dev->lock);
	perfmon = table_remove(&file->perfmons, args->id);
	perfmon_put(perfmon);
	pthread_mutex_unlock(&file->dev->lock);
	return perfmon ? 0 : -EINVAL;
}

int emu_perfmon_get_values(struct emu_file *file, void *arg)
{
	const struct drm_vc4_perfmon_get_values *args = arg;
	uint64_t values[V3D_COUNTERS];
	const struct perfmon *perfmon;
	unsigned int count = 0;

	pthread_mutex_lock(&file->dev->lock);
	perfmon = table_get(&file->perfmons, args->id);
	if (perfmon) {
		count = perfmon->count;
		memcpy(values, perfmon->values, sizeof(values));
	}
	pthread_mutex_unlock(&file->dev->lock);
	return perfmon ? user_write(args->values_ptr, values, count * sizeof(values[0])) : -EINVAL;
}
