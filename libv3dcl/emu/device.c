// SPDX-License-Identifier: MIT
/*
 * The emulated device: its life, the files that are open on it, and which function answers which
 * ioctl.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <time.h>

#include "core.h"

#define DEFAULT_LIMIT_MS 60000
#define MAP_OFFSETS (UINT64_C(1) << 32)	/* as the kernel: above what any 32-bit offset means */

struct entry {
	emu_ioctl *fn;
	unsigned int size;
};

#define CORE(request, function) \
	[_IOC_NR(DRM_IOCTL_##request)] = { function, _IOC_SIZE(DRM_IOCTL_##request) }
#define OWN(request, function) CORE(request, function)

static const struct entry ioctls[] = {
	CORE(VERSION, core_version),
	CORE(GET_UNIQUE, core_get_unique),
	CORE(GET_MAGIC, core_get_magic),
	CORE(GET_CLIENT, core_get_client),
	CORE(SET_VERSION, core_set_version),
	CORE(GEM_CLOSE, emu_gem_close),
	CORE(GEM_FLINK, emu_gem_flink),
	CORE(GEM_OPEN, emu_gem_open),
	CORE(GET_CAP, core_get_cap),
	CORE(SET_CLIENT_CAP, core_set_client_cap),
	CORE(AUTH_MAGIC, core_auth_magic),
	CORE(SET_MASTER, core_set_master),
	CORE(DROP_MASTER, core_drop_master),
	CORE(GET_STATS, core_get_stats),
	CORE(PRIME_HANDLE_TO_FD, emu_prime_handle_to_fd),
	CORE(PRIME_FD_TO_HANDLE, emu_prime_fd_to_handle),
	OWN(VC4_SUBMIT_CL, emu_submit_cl),
	OWN(VC4_WAIT_SEQNO, emu_wait_seqno),
	OWN(VC4_WAIT_BO, emu_wait_bo),
	OWN(VC4_CREATE_BO, emu_create_bo),
	OWN(VC4_MMAP_BO, emu_mmap_bo),
	OWN(VC4_CREATE_SHADER_BO, emu_create_shader_bo),
	OWN(VC4_GET_HANG_STATE, emu_get_hang_state),
	OWN(VC4_GET_PARAM, emu_get_param),
	OWN(VC4_SET_TILING, emu_set_tiling),
	OWN(VC4_GET_TILING, emu_get_tiling),
	OWN(VC4_LABEL_BO, emu_label_bo),
	OWN(VC4_GEM_MADVISE, emu_gem_madvise),
	OWN(VC4_PERFMON_CREATE, emu_perfmon_create),
	OWN(VC4_PERFMON_DESTROY, emu_perfmon_destroy),
	OWN(VC4_PERFMON_GET_VALUES, emu_perfmon_get_values),
	OWN(V3DCL_GET_PARAM, emu_get_own_param),
	OWN(V3DCL_CREATE_PROGRAM, emu_create_program),
	OWN(V3DCL_SUBMIT_QPU, emu_submit_qpu),
	OWN(V3DCL_GET_REFUSAL, emu_get_refusal),
	OWN(V3DCL_SUBMIT_LISTS, emu_submit_lists),
	OWN(V3DCL_SUBMIT_FRAME, emu_submit_frame),
};

#define MODE_FIRST 0xa0
#define MODE_LAST 0xcf	/* syncobjs among them */
#define LARGEST 256	/* bytes of the largest argument, and then some */

static const struct entry *find_entry(unsigned int nr)
{
	return nr < sizeof(ioctls) / sizeof(ioctls[0]) && ioctls[nr].fn ? &ioctls[nr] : NULL;
}

static bool is_syncobj(unsigned int nr)
{
	return (nr >= 0xbf && nr <= 0xc5) || (nr >= 0xca && nr <= 0xcd) || nr == 0xcf;
}

static int answer(struct emu_file *file, unsigned int nr, void *data)
{
	const struct entry *entry = find_entry(nr);
	int ret;

	if (entry)
		return entry->fn(file, data);
	if (!is_syncobj(nr))
		return nr >= MODE_FIRST && nr <= MODE_LAST ? kms_ioctl(file, nr, data) : -EINVAL;
	pthread_mutex_lock(&file->dev->lock);
	ret = syncobj_ioctl(file, nr, data);
	pthread_mutex_unlock(&file->dev->lock);
	return ret;
}

/*
 * As drm_ioctl() does it: what the caller's struct lacks is 0, what it has beyond ours is not
 * looked at
 */
int emu_file_ioctl(struct emu_file *file, unsigned long request, void *arg)
{
	__attribute__((aligned(8))) unsigned char data[LARGEST] = { 0 };
	unsigned int size = _IOC_SIZE(request);
	int ret;

	if (_IOC_TYPE(request) != DRM_IOCTL_BASE)
		return -ENOTTY;
	if (size > sizeof(data))
		size = sizeof(data);
	if (_IOC_DIR(request) & _IOC_WRITE) {
		ret = user_read(data, (uintptr_t)arg, size);
		if (ret)
			return ret;
	}
	ret = answer(file, _IOC_NR(request), data);
	if (_IOC_DIR(request) & _IOC_READ && user_write((uintptr_t)arg, data, size))
		ret = -EFAULT;
	return ret;
}

void file_get(struct emu_file *file)
{
	file->refs++;
}

void file_put(struct emu_file *file)
{
	if (--file->refs)
		return;
	fence_put(file->last);
	pthread_mutex_destroy(&file->refusal_lock);
	free(file);
}

struct emu_file *emu_device_open(struct emu_device *dev, bool primary, uint64_t id)
{
	struct emu_file *file = calloc(1, sizeof(*file));

	if (!file)
		return NULL;
	pthread_mutex_init(&file->refusal_lock, NULL);
	file->dev = dev;
	file->refs = 1;
	file->primary = primary;
	file->id = id;
	pthread_mutex_lock(&dev->lock);
	file->context = ++dev->contexts;
	file->next = dev->files;
	dev->files = file;
	core_opened(file);
	pthread_mutex_unlock(&dev->lock);
	return file;
}

struct emu_file *emu_device_file(struct emu_device *dev, uint64_t id)
{
	struct emu_file *file;

	pthread_mutex_lock(&dev->lock);
	for (file = dev->files; file && file->id != id; file = file->next)
		;
	pthread_mutex_unlock(&dev->lock);
	return file;
}

bool emu_file_primary(const struct emu_file *file)
{
	return file->primary;
}

/* Lock held; off the list */
static void close_locked(struct emu_file *file)
{
	uint32_t i;

	core_closed(file);
	kms_closed(file);
	file_close_handles(file);
	file_close_syncobjs(file);
	for (i = 0; i < file->perfmons.size; i++)
		perfmon_put(file->perfmons.entries[i]);
	free(file->perfmons.entries);
	file_put(file);
}

void emu_file_close(struct emu_file *file)
{
	struct emu_device *dev = file->dev;
	struct emu_file **link = &dev->files;

	pthread_mutex_lock(&dev->lock);
	while (*link != file)
		link = &(*link)->next;
	*link = file->next;
	close_locked(file);
	pthread_mutex_unlock(&dev->lock);
}

void emu_device_keep_files(struct emu_device *dev, bool (*keep)(void *opaque, uint64_t id),
			   void *opaque)
{
	struct emu_file **link = &dev->files, *file;

	pthread_mutex_lock(&dev->lock);
	while ((file = *link)) {
		if (keep(opaque, file->id)) {
			link = &file->next;
			continue;
		}
		*link = file->next;
		close_locked(file);
	}
	pthread_mutex_unlock(&dev->lock);
}

static void trace(void *opaque, enum v3dsim_trace kind, const char *line)
{
	struct emu_device *dev = opaque;
	struct emu_traced traced = { .text = line, .code = kind == V3DSIM_TRACE_QPU };
	uint32_t address;

	if (atomic_load(&dev->scrubs))
		return;
	if (!dev->config.trace_line) {
		fprintf(stderr, "%s\n", line);
		return;
	}
	if (kind != V3DSIM_TRACE_REG && v3dsim_trace_about(dev->chip, &address))
		hang_find(dev, NULL, address, &traced.handle, &traced.offset);
	dev->config.trace_line(dev->config.opaque, &traced);
}

static __u32 hw_read(void *chip, enum v3d_reg reg)
{
	return v3dsim_read(chip, reg);
}

static void hw_write(void *chip, enum v3d_reg reg, __u32 value)
{
	v3dsim_write(chip, reg, value);
}

static bool chip_init(struct emu_device *dev, const struct v3dsim_tracing *tracing)
{
	const struct v3dsim_config config = {
		.trace_mask = tracing->kinds,
		.caches = dev->config.caches,
		.threads = MIN(dev->config.threads, V3DSIM_THREADS_MAX),
		.reference = dev->config.reference,
		.races = dev->config.raced,
		.chip = dev->config.chip,
	};
	const struct v3dsim_host host = { .region = bo_region,
					  .trace = tracing->kinds ? trace : NULL,
					  .opaque = dev };

	dev->config.chip = dev->config.tracing = NULL;
	dev->chip = v3dsim_new(&config, &host);
	if (!dev->chip)
		return false;
	v3dsim_trace_set(dev->chip, tracing);
	dev->hw = (struct v3dcl_hw){ .read = hw_read, .write = hw_write, .v3d = dev->chip };
	dev->ident[0] = chip_read(dev, V3D_IDENT0);
	dev->ident[1] = chip_read(dev, V3D_IDENT1);
	dev->ident[2] = chip_read(dev, V3D_IDENT2);
	dev->qpus = v3dcl_ident_qpus(dev->ident);
	return dev->qpus;
}

/* All addresses, of which the driver's own have memory from the start and BOs when they are made */
static bool memory_init(struct emu_device *dev)
{
	size_t own = EMU_BO_BASE - EMU_OWN_BASE, all = EMU_END - EMU_OWN_BASE;
	void *memory = raw_mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
				-1, 0);

	if (memory == MAP_FAILED)
		return false;
	dev->memory = memory;
	if (raw_mmap(memory, own, PROT_READ | PROT_WRITE,
		     MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != memory)
		return false;
	dev->pages = calloc((EMU_END - EMU_BO_BASE) / EMU_PAGE, sizeof(*dev->pages));
	return dev->pages && space_init(&dev->own, EMU_OWN_BASE, EMU_BO_BASE) &&
	       space_init(&dev->space, EMU_BO_BASE, EMU_END);
}

void emu_locks_init(struct emu_device *dev)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_mutex_init(&dev->chip_lock, NULL);
	pthread_mutex_init(&dev->lock, NULL);
	pthread_mutex_init(&dev->map_lock, NULL);
	pthread_cond_init(&dev->changed, &attr);
	pthread_condattr_destroy(&attr);
}

bool emu_trace_check(const char *tracing, char *error, size_t size)
{
	struct v3dsim_tracing ignored;

	return v3dsim_trace_read(tracing, &ignored, error, size);
}

bool emu_chip_check(const char *chip, char *error, size_t size)
{
	return v3dsim_chip_check(chip, error, size);
}

void emu_chip_help(void (*line)(void *opaque, const char *text), void *opaque)
{
	v3dsim_chip_help(line, opaque);
}

struct emu_device *emu_device_new(const struct emu_device_config *config)
{
	struct v3dsim_tracing tracing = { .kinds = config->trace };
	struct emu_device *dev;

	if (!v3dsim_chip_check(config->chip, NULL, 0) ||
	    (config->tracing && !v3dsim_trace_read(config->tracing, &tracing, NULL, 0))) {
		errno = EINVAL;
		return NULL;
	}
	dev = calloc(1, sizeof(*dev));
	if (!dev)
		return NULL;
	dev->config = *config;
	dev->budget = config->budget ? config->budget : EMU_DEFAULT_BUDGET;
	if (dev->budget > EMU_END - EMU_BO_BASE)
		dev->budget = EMU_END - EMU_BO_BASE;
	if (!dev->config.limit_ms)
		dev->config.limit_ms = DEFAULT_LIMIT_MS;
	dev->jobs_end = &dev->jobs;
	dev->map_offsets = MAP_OFFSETS;
	dev->hang_told = true;
	emu_locks_init(dev);
	if (!memory_init(dev) || !chip_init(dev, &tracing) || !run_make_scrub(dev)) {
		emu_device_free(dev);
		errno = ENOMEM;
		return NULL;
	}
	return dev;
}

void emu_device_free(struct emu_device *dev)
{
	if (!dev)
		return;
	run_stop(dev);
	abroad_stop(dev);
	while (dev->files)
		emu_file_close(dev->files);
	sync_files_free(dev);
	exported_syncobjs_free(dev);
	v3dsim_free(dev->chip);
	if (dev->memory)
		munmap(dev->memory, EMU_END - EMU_OWN_BASE);
	free(dev->scrub_registers);
	free(dev->pages);
	free(dev->names.entries);
	free(dev->magics.entries);
	free(dev->framebuffers.entries);
	space_fini(&dev->own);
	space_fini(&dev->space);
	pthread_cond_destroy(&dev->changed);
	pthread_mutex_destroy(&dev->map_lock);
	pthread_mutex_destroy(&dev->lock);
	pthread_mutex_destroy(&dev->chip_lock);
	free(dev);
}

static void print_stat(void *opaque, const char *name, uint64_t value)
{
	fprintf(opaque, "v3d: stat %s %" PRIu64 "\n", name, value);
}

void emu_device_each_stat(struct emu_device *dev,
			  void (*each)(void *opaque, const char *name, uint64_t value),
			  void *opaque)
{
	dev->chip_wanted = true;
	pthread_mutex_lock(&dev->chip_lock);
	dev->chip_wanted = false;
	v3dsim_stats(dev->chip, each, opaque);
	pthread_mutex_lock(&dev->lock);
	each(opaque, "frames", dev->stats.frames);
	each(opaque, "qpu_jobs", dev->stats.qpu_jobs);
	each(opaque, "hangs", dev->stats.hangs);
	each(opaque, "overspills", dev->stats.overspills);
	pthread_mutex_unlock(&dev->lock);
	pthread_mutex_unlock(&dev->chip_lock);
}

void emu_device_stats(struct emu_device *dev, FILE *out)
{
	char chip[V3DSIM_CHIP_NAME];

	v3dsim_chip_name(dev->chip, chip, sizeof(chip));
	fprintf(out, "v3d: chip %s\n", chip);
	emu_device_each_stat(dev, print_stat, out);
}
