/* SPDX-License-Identifier: MIT */
/*
 * Devices behind one interface: a V3D behind a DRM file descriptor, or a simulated one in this process. Both take the same jobs and
 * give the same verdicts and bytes.
 *
 * BOs, syncobjs and perfmons are named by the numbers that the ioctls use. All functions may be called from any thread. Those that
 * can fail return a negative errno and fill @error, which may be NULL; a job that was refused says which byte broke which rule.
 */
#ifndef V3DCL_DEVICE_H
#define V3DCL_DEVICE_H

#include <stdbool.h>

#include <drm/v3dcl_drm.h>

#include "v3dcl_error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct v3dcl_device;

/**
 * struct v3dcl_simulator_config - how a simulated device behaves; all zero is the usual
 * @budget: bytes that all BOs together may take, 0 for 256 MiB; at most 768 MiB
 * @trace: called for each line of trace, or NULL
 * @trace_mask: enum v3dsim_trace: what is traced
 * @opaque: handed to @trace
 * @limit_ms: how long a list may take until it counts as hung, 0 for a minute
 * @threads: that shade tiles, 0 for one
 * @unprivileged: as for an ordinary user: what takes root with the kernel module fails with EACCES
 * @unproven: as the module with its parameter unproven=1
 */
struct v3dcl_simulator_config {
	uint64_t budget;
	void (*trace)(void *opaque, const char *line);
	unsigned int trace_mask;
	void *opaque;
	unsigned int limit_ms, threads;
	bool unprivileged, unproven;
};

/** v3dcl_open_drm() - a V3D behind a file descriptor, which stays the caller's (it is duplicated) */
int v3dcl_open_drm(int fd, struct v3dcl_device **device, struct v3dcl_error *error);

/** v3dcl_open_simulator() - a V3D in this process. @config: NULL for the usual */
int v3dcl_open_simulator(const struct v3dcl_simulator_config *config, struct v3dcl_device **device, struct v3dcl_error *error);

/** v3dcl_close() - jobs run to their end, BOs and mappings go; NULL is fine */
void v3dcl_close(struct v3dcl_device *device);

/**
 * struct v3dcl_info - what a device is
 * @name: of its driver
 * @simulated: it is in this process
 * @ours: it has the ioctls of <drm/v3dcl_drm.h>; else it is the kernel's vc4
 * @unproven: 1 when the caller may run what nobody has proven
 * @ident: the V3D's IDENT registers
 * @qpus: how many, 0 where the driver does not say, like all further ones
 * @vpm_rows: rows of 64 bytes that user programs share
 * @max_programs: most programs in a submit
 * @max_uniforms: most uniforms in a submit
 * @max_relocs: most relocations in a submit
 * @max_timeout_ns: longest time a QPU job may ask for
 * @memory_budget: bytes that all BOs together may take
 * @memory_used: bytes that they take
 * @guilty: jobs of this device handle that hung
 * @innocent: jobs of it that another's reset has cancelled
 */
struct v3dcl_info {
	char name[32];
	bool simulated, ours, unproven;
	uint32_t ident[3];
	uint32_t qpus, vpm_rows, max_programs, max_uniforms, max_relocs;
	uint64_t max_timeout_ns, memory_budget, memory_used, guilty, innocent;
};

int v3dcl_device_info(struct v3dcl_device *device, struct v3dcl_info *info, struct v3dcl_error *error);

/** v3dcl_ioctl() - any ioctl of DRM's or of the driver's. Return: 0 or a negative errno */
int v3dcl_ioctl(struct v3dcl_device *device, unsigned long request, void *argument);

/** v3dcl_device_stats() - the simulated chip's statistics by name and value; -EOPNOTSUPP for others */
int v3dcl_device_stats(struct v3dcl_device *device, void (*each)(void *opaque, const char *name, uint64_t value), void *opaque,
		       struct v3dcl_error *error);

/* BOs: a handle is never 0 */
int v3dcl_bo_create(struct v3dcl_device *device, uint32_t size, uint32_t *handle, struct v3dcl_error *error);
int v3dcl_bo_create_shader(struct v3dcl_device *device, const uint64_t *code, uint32_t count, uint32_t *handle,
			   struct v3dcl_error *error);
/** v3dcl_bo_create_program() - code of user programs. @flags: of struct drm_v3dcl_create_program */
int v3dcl_bo_create_program(struct v3dcl_device *device, const uint64_t *code, uint32_t count, uint32_t flags, uint32_t *handle,
			    struct v3dcl_error *error);
int v3dcl_bo_close(struct v3dcl_device *device, uint32_t handle);
int v3dcl_bo_size(struct v3dcl_device *device, uint32_t handle, uint32_t *size, struct v3dcl_error *error);
/** v3dcl_bo_map() - its memory, mapped once and until it is closed */
int v3dcl_bo_map(struct v3dcl_device *device, uint32_t handle, void **map, struct v3dcl_error *error);
/** v3dcl_bo_export() - a dma-buf. Return: a file descriptor that the caller closes, or a negative errno */
int v3dcl_bo_export(struct v3dcl_device *device, uint32_t handle, struct v3dcl_error *error);
int v3dcl_bo_import(struct v3dcl_device *device, int fd, uint32_t *handle, struct v3dcl_error *error);
int v3dcl_bo_label(struct v3dcl_device *device, uint32_t handle, const char *label, struct v3dcl_error *error);
int v3dcl_bo_set_tiled(struct v3dcl_device *device, uint32_t handle, bool t_tiled, struct v3dcl_error *error);
int v3dcl_bo_is_tiled(struct v3dcl_device *device, uint32_t handle, bool *t_tiled, struct v3dcl_error *error);
/** v3dcl_bo_purgeable() - @keep false: its memory may be taken. @retained: it still has what was in it */
int v3dcl_bo_purgeable(struct v3dcl_device *device, uint32_t handle, bool keep, bool *retained, struct v3dcl_error *error);
/** v3dcl_bo_wait() - until no job uses it. Return: -ETIME */
int v3dcl_bo_wait(struct v3dcl_device *device, uint32_t handle, uint64_t timeout_ns, struct v3dcl_error *error);

/* Jobs. Their structs are the ioctls'; what they return in them (seqno) is there afterwards. */
int v3dcl_submit_frame(struct v3dcl_device *device, struct drm_vc4_submit_cl *submit, struct v3dcl_error *error);
int v3dcl_submit_lists(struct v3dcl_device *device, struct drm_v3dcl_submit_lists *submit, struct v3dcl_error *error);
int v3dcl_submit_programs(struct v3dcl_device *device, struct drm_v3dcl_submit_qpu *submit, struct v3dcl_error *error);
/**
 * v3dcl_wait() - until that job, and all before it, have ended
 * Return: 0; -ETIME; -EIO when it, or one before it since the last call, did not end well (a hang, a reset)
 */
int v3dcl_wait(struct v3dcl_device *device, uint64_t seqno, uint64_t timeout_ns, struct v3dcl_error *error);

/* Syncobjs; point 0 is a binary one's */
int v3dcl_syncobj_create(struct v3dcl_device *device, bool signaled, uint32_t *handle, struct v3dcl_error *error);
int v3dcl_syncobj_destroy(struct v3dcl_device *device, uint32_t handle);
int v3dcl_syncobj_wait(struct v3dcl_device *device, uint32_t handle, uint64_t point, int64_t deadline_ns,
		       struct v3dcl_error *error);
int v3dcl_syncobj_signal(struct v3dcl_device *device, uint32_t handle, uint64_t point, struct v3dcl_error *error);
int v3dcl_syncobj_query(struct v3dcl_device *device, uint32_t handle, uint64_t *point, struct v3dcl_error *error);
/** v3dcl_syncobj_export() - a sync_file. Return: a file descriptor that the caller closes, or a negative errno */
int v3dcl_syncobj_export(struct v3dcl_device *device, uint32_t handle, struct v3dcl_error *error);
int v3dcl_syncobj_import(struct v3dcl_device *device, uint32_t handle, int sync_file, struct v3dcl_error *error);

/* Performance counters: up to DRM_VC4_MAX_PERF_COUNTERS events, DRM or AG100 Table 82 numbers */
int v3dcl_perfmon_create(struct v3dcl_device *device, const uint8_t *events, uint32_t count, uint32_t *id,
			 struct v3dcl_error *error);
int v3dcl_perfmon_destroy(struct v3dcl_device *device, uint32_t id);
int v3dcl_perfmon_values(struct v3dcl_device *device, uint32_t id, uint64_t *values, struct v3dcl_error *error);

#ifdef __cplusplus
}
#endif

#endif /* V3DCL_DEVICE_H */
