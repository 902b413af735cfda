/* SPDX-License-Identifier: MIT */
/*
 * Devices behind one interface: a V3D behind a DRM file descriptor, or a simulated one in this
 * process. Both take the same jobs and give the same verdicts and bytes.
 *
 * BOs, syncobjs and perfmons are named by the numbers that the ioctls use. All functions may be
 * called from any thread, but not with a device that is being closed, and not in a child of fork().
 * Those that can fail return a negative errno and fill @error, which may be NULL; a job that was
 * refused says which byte broke which rule.
 */
#ifndef V3DCL_DEVICE_H
#define V3DCL_DEVICE_H

#include <stdbool.h>

#include <drm/v3dcl_drm.h>

#include "v3dcl_buffer.h"
#include "v3dcl_error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct v3dcl_device;

/**
 * struct v3dcl_simulator_config - how a simulated device behaves; all else zero is the usual
 * @size: sizeof(struct v3dcl_simulator_config)
 * @budget: bytes that all BOs together may take, 0 for 256 MiB; at most 768 MiB
 * @trace: called for each line of trace, on any thread, or NULL; must not call the device
 * @trace_mask: enum v3dsim_trace of <v3dsim.h>: what is traced
 * @opaque: handed to @trace
 * @limit_ms: how long a list may take until it counts as hung, 0 for a minute. The time of this and
 *	of user programs' timeouts is the chip's: 16 ns for each instruction of any QPU and each
 *	control record. So the same job ends the same way, however busy the host is.
 * @threads: that shade tiles, 0 for one
 * @reference: the chip without all that exists for speed alone: the same bytes, slowly
 * @unprivileged: as for an ordinary user: what takes root with the kernel module fails with EACCES
 * @unverified: as the module with its parameter unverified=1
 * @races: user programs are watched for races: see v3dcl_device_races()
 * @chip: which chip, as a list of modes: "ideal", "bcm2835", "HW-2898+HW-2726", "bcm2835+-HW-2905";
 *	v3dcl_simulator_chips() says what there is. NULL: what V3D_CHIP of the environment says,
 *	else "ideal"
 * @tracing: what is traced, as --trace of v3dcl(1) has it, in the place of @trace_mask, or NULL
 */
struct v3dcl_simulator_config {
	size_t size;
	uint64_t budget;
	void (*trace)(void *opaque, const char *line);
	unsigned int trace_mask;
	void *opaque;
	unsigned int limit_ms, threads;
	bool reference;
	bool unprivileged, unverified, races;
	const char *chip;
	const char *tracing;
};

/**
 * v3dcl_open_drm() - a V3D behind a file descriptor
 * @fd: of a DRM node that is open for reading and writing. It stays the caller's: it is duplicated,
 *	so both share BO handles.
 * @device: set to the device, which v3dcl_close() ends
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EBADF, -ENOTTY for what is no DRM device, -ENODEV for one of other hardware, -EINVAL
 * for a node without V3D, -ENOMEM
 */
int v3dcl_open_drm(int fd, struct v3dcl_device **device, struct v3dcl_error *error);

/**
 * v3dcl_open_simulator() - a V3D in this process
 * @config: copied; NULL for the usual
 * @device: set to the device, which v3dcl_close() ends
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -ENOMEM, -EINVAL where no chip has that name or the configuration no size, -E2BIG
 * where it has what only a newer library has, or -EOPNOTSUPP where the library was
 * built without it (for 32-bit machines)
 */
int v3dcl_open_simulator(const struct v3dcl_simulator_config *config, struct v3dcl_device **device,
			 struct v3dcl_error *error);

/**
 * v3dcl_simulator_chips() - what @chip of the configuration can be, for people
 * @line: called for each line, without newline; never where the library was built without it
 * @opaque: handed to @line
 */
void v3dcl_simulator_chips(void (*line)(void *opaque, const char *text), void *opaque);

/**
 * v3dcl_open() - a V3D by its name
 * @name: "sim", "reference" (sim without all that exists for speed alone), the path of a node, or
 *	its name below /dev/dri, such as "renderD128"; NULL for the first V3D that v3dcl_devices()
 *	finds and the caller may open
 * @device: set to the device, which v3dcl_close() ends
 * @error: filled where the call fails; NULL for none. Where permission is missing it says whose a
 *	node is.
 *
 * Return: 0, -EACCES, -ENOENT, -ENODEV where there is none or it is of other hardware, or as
 * v3dcl_open_drm() and v3dcl_open_simulator()
 */
int v3dcl_open(const char *name, struct v3dcl_device **device, struct v3dcl_error *error);

/**
 * struct v3dcl_node - a node below /dev/dri that is a V3D's, or that may be
 * @path: of it
 * @driver: the name of its driver; empty where the caller may not open it
 * @render: a render node, which is there for jobs
 * @ours: it has the ioctls of <drm/v3dcl_drm.h>
 * @error: 0; or -EACCES or -EPERM: the caller may not open it, so it cannot be told what it is
 */
struct v3dcl_node {
	char path[64], driver[32];
	bool render, ours;
	int error;
};

/**
 * v3dcl_devices() - the nodes of this machine's V3Ds, render nodes first
 * @each: called for each; returns false to end; or NULL
 * @opaque: handed to it
 * @error: filled where the call fails; NULL for none
 *
 * Return: how many there were, or -ENOMEM
 */
int v3dcl_devices(bool (*each)(void *opaque, const struct v3dcl_node *node), void *opaque,
		  struct v3dcl_error *error);

/**
 * v3dcl_close() - end a device: its jobs run to their end, its BOs and their mappings go
 * @device: freed; NULL is fine. File descriptors that it gave out stay the caller's.
 */
void v3dcl_close(struct v3dcl_device *device);

/**
 * struct v3dcl_info - what a device is
 * @name: of its driver
 * @simulated: it is in this process
 * @ours: it has the ioctls of <drm/v3dcl_drm.h>; else it is the kernel's vc4
 * @unverified: the caller may run unverified programs and raw lists
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
	bool simulated, ours, unverified;
	uint32_t ident[3];
	uint32_t qpus, vpm_rows, max_programs, max_uniforms, max_relocs;
	uint64_t max_timeout_ns, memory_budget, memory_used, guilty, innocent;
};

/**
 * v3dcl_device_info() - ask a device what it is
 * @device: the device
 * @info: filled
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0 or a negative errno
 */
int v3dcl_device_info(struct v3dcl_device *device, struct v3dcl_info *info,
		      struct v3dcl_error *error);

/**
 * v3dcl_ioctl() - any ioctl of DRM's or of the driver's; starts again when a signal interrupts it
 * @device: the device
 * @request: DRM_IOCTL_*
 * @argument: its struct
 *
 * A BO that is closed by this is unmapped, as by v3dcl_bo_close().
 *
 * Return: 0 or a negative errno
 */
int v3dcl_ioctl(struct v3dcl_device *device, unsigned long request, void *argument);

/**
 * v3dcl_device_stats() - the simulated chip's statistics
 * @device: the device
 * @each: called with each name and value, in a fixed order; @name lasts until it returns; must not
 *	call the device
 * @opaque: handed to @each
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, or -EOPNOTSUPP for a device that is not simulated
 */
int v3dcl_device_stats(struct v3dcl_device *device,
		       void (*each)(void *opaque, const char *name, uint64_t value), void *opaque,
		       struct v3dcl_error *error);

/**
 * v3dcl_bo_create() - a BO of plain memory, all zero
 * @device: the device
 * @size: bytes, at least 1; the device rounds up to 4096
 * @handle: set to its handle, never 0, which v3dcl_bo_close() ends
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL for no bytes, -ENOMEM when the device's budget is spent
 */
int v3dcl_bo_create(struct v3dcl_device *device, uint32_t size, uint32_t *handle,
		    struct v3dcl_error *error);

/**
 * v3dcl_bo_create_shader() - a BO of a shader, for frames; checked, and never changed
 * @device: the device
 * @code: instruction words, copied
 * @count: of @code, at least 1
 * @handle: set to its handle, which v3dcl_bo_close() ends
 * @error: filled where the call fails; NULL for none; says which instruction is refused, and
 *	why
 *
 * Return: 0, -EINVAL for a shader that is refused, -ENOMEM
 */
int v3dcl_bo_create_shader(struct v3dcl_device *device, const uint64_t *code, uint32_t count,
			   uint32_t *handle, struct v3dcl_error *error);

/**
 * v3dcl_bo_create_program() - a BO of user programs, for v3dcl_submit_programs(); checked, and
 * never changed
 * @device: the device
 * @code: instruction words, copied
 * @count: of @code, at least 1 and at most 131072
 * @flags: of &struct drm_v3dcl_create_program
 * @handle: set to its handle, which v3dcl_bo_close() ends
 * @error: filled where the call fails; NULL for none; says which instruction is refused, and
 *	why
 *
 * Return: 0, -EINVAL for a program that is refused or a driver that has no programs, -EACCES,
 * -ENOMEM
 */
int v3dcl_bo_create_program(struct v3dcl_device *device, const uint64_t *code, uint32_t count,
			    uint32_t flags, uint32_t *handle, struct v3dcl_error *error);

/**
 * v3dcl_bo_close() - give a handle back; the memory goes when no job uses it and no other client
 * has it
 * @device: the device
 * @handle: no longer valid then, nor is what v3dcl_bo_map() gave for it
 *
 * Return: 0, or -EINVAL for no such BO
 */
int v3dcl_bo_close(struct v3dcl_device *device, uint32_t handle);

/**
 * v3dcl_bo_size() - how large a BO is
 * @device: the device
 * @handle: of the BO
 * @size: set to the bytes that it was made with; for an imported one, that it has
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -ENOENT for no such BO, -ENOMEM
 */
int v3dcl_bo_size(struct v3dcl_device *device, uint32_t handle, uint32_t *size,
		  struct v3dcl_error *error);

/**
 * v3dcl_bo_map() - a BO's memory, to read and to write; mapped once, however often a caller asks
 * @device: the device
 * @handle: of a BO of plain memory
 * @map: set to its first byte; valid until v3dcl_bo_close() or v3dcl_close(), which unmap it
 * @error: filled where the call fails; NULL for none
 *
 * Waits for nothing: who wants what a job has written calls v3dcl_bo_wait() or v3dcl_wait() before.
 *
 * Return: 0, -ENOENT or -EINVAL for no such BO, -EPERM or -EINVAL for a BO of code, -ENOMEM
 */
int v3dcl_bo_map(struct v3dcl_device *device, uint32_t handle, void **map,
		 struct v3dcl_error *error);

/**
 * v3dcl_bo_export() - a BO as a dma-buf, for another device or process
 * @device: the device
 * @handle: of a BO of plain memory
 * @error: filled where the call fails; NULL for none
 *
 * Return: a file descriptor, which the caller closes, or -ENOENT for no such BO, -EPERM for a BO of
 * code, -EMFILE
 */
int v3dcl_bo_export(struct v3dcl_device *device, uint32_t handle, struct v3dcl_error *error);

/**
 * v3dcl_bo_import() - a dma-buf as a BO
 * @device: the device
 * @fd: of the dma-buf; stays the caller's
 * @handle: set to a handle, which v3dcl_bo_close() ends; the one that there is already if the
 *	device has that BO
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0 or a negative errno: what cannot be imported is the driver's to say
 */
int v3dcl_bo_import(struct v3dcl_device *device, int fd, uint32_t *handle,
		    struct v3dcl_error *error);

/**
 * v3dcl_bo_label() - name a BO, for who debugs the driver
 * @device: the device
 * @handle: of the BO
 * @label: at most 1024 bytes
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -ENOENT for no such BO, -EINVAL for a label that is too long
 */
int v3dcl_bo_label(struct v3dcl_device *device, uint32_t handle, const char *label,
		   struct v3dcl_error *error);

/**
 * v3dcl_bo_set_tiled() - note a BO's layout, for who imports it; changes none of its bytes
 * @device: the device
 * @handle: of the BO
 * @t_tiled: T-format; else rows follow each other
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, or -ENOENT for no such BO
 */
int v3dcl_bo_set_tiled(struct v3dcl_device *device, uint32_t handle, bool t_tiled,
		       struct v3dcl_error *error);

/**
 * v3dcl_bo_is_tiled() - the layout that was noted
 * @device: the device
 * @handle: of the BO
 * @t_tiled: set; false for a new BO
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, or -ENOENT for no such BO
 */
int v3dcl_bo_is_tiled(struct v3dcl_device *device, uint32_t handle, bool *t_tiled,
		      struct v3dcl_error *error);

/**
 * v3dcl_bo_purgeable() - may a BO's memory be taken when there is none left?
 * @device: the device
 * @handle: of a BO of plain memory
 * @keep: it may not be taken, as for a new BO; false: it may
 * @retained: set to whether it still has what was in it; or NULL. When it has not, the BO can only
 *	be closed.
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -ENOENT for no such BO, -EINVAL for one that cannot be taken
 */
int v3dcl_bo_purgeable(struct v3dcl_device *device, uint32_t handle, bool keep, bool *retained,
		       struct v3dcl_error *error);

/**
 * v3dcl_bo_wait() - until no job uses a BO
 * @device: the device
 * @handle: of the BO
 * @timeout_ns: nanoseconds; 0 only looks, ~0 is for ever
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -ETIME, -EINVAL for no such BO
 */
int v3dcl_bo_wait(struct v3dcl_device *device, uint32_t handle, uint64_t timeout_ns,
		  struct v3dcl_error *error);

/**
 * v3dcl_submit_frame() - bin and render a frame
 * @device: the device
 * @submit: the ioctl's struct, with its arrays; its seqno is there afterwards. Nothing of it is
 *	looked at after the call.
 * @error: filled where the call fails; NULL for none; a frame that is refused tells part,
 *	byte, record, field, rule and values
 *
 * Return: 0, -EINVAL for a frame that is refused, -EFAULT, -ENOENT for no such perfmon or syncobj,
 * -ENOMEM
 */
int v3dcl_submit_frame(struct v3dcl_device *device, struct drm_vc4_submit_cl *submit,
		       struct v3dcl_error *error);

/**
 * v3dcl_submit_stages() - v3dcl_submit_frame() with fences for each stage, and a priority
 * @device: the device
 * @submit: the ioctl's struct, with its arrays; the seqno of its frame is there afterwards. Nothing
 *	of it is looked at after the call.
 * @error: filled where the call fails; NULL for none; a frame that is refused tells as for
 *	v3dcl_submit_frame()
 *
 * Return: 0, -EACCES for a priority that takes CAP_SYS_NICE, -EINVAL for a frame that is refused, a
 * syncobj without a fence, a point that its timeline has not got yet, or a driver that has no such
 * frames; -EFAULT, -ENOENT for no such perfmon or syncobj, -ENOMEM
 */
int v3dcl_submit_stages(struct v3dcl_device *device, struct drm_v3dcl_submit_frame *submit,
			struct v3dcl_error *error);

/**
 * v3dcl_submit_lists() - run control lists as they are, unchecked
 * @device: the device
 * @submit: the ioctl's struct, with its arrays; its seqno is there afterwards
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EACCES for who may not, -EINVAL, -EFAULT, -ENOENT for no such perfmon or syncobj,
 * -ENOMEM
 */
int v3dcl_submit_lists(struct v3dcl_device *device, struct drm_v3dcl_submit_lists *submit,
		       struct v3dcl_error *error);

/**
 * v3dcl_submit_programs() - run user programs on the QPUs
 * @device: the device
 * @submit: the ioctl's struct, with its arrays; its seqno is there afterwards
 * @error: filled where the call fails; NULL for none; a job that is refused tells part, byte,
 *	rule and values
 *
 * Return: 0, -EACCES for who may not, -EINVAL for a job that is refused, -EFAULT, -ENOENT for no
 * such perfmon or syncobj, -ENOMEM
 */
int v3dcl_submit_programs(struct v3dcl_device *device, struct drm_v3dcl_submit_qpu *submit,
			  struct v3dcl_error *error);

/**
 * v3dcl_wait() - until a job, and all before it, have ended
 * @device: the device
 * @seqno: as the submit gave it
 * @timeout_ns: nanoseconds; 0 only looks, ~0 is for ever
 * @error: filled where the call fails; NULL for none
 *
 * The kernel's vc4 does not tell how jobs end; a sync_file does, see v3dcl_sync_file_status().
 *
 * Return: 0; -ETIME, also for a job that was never submitted; -EIO when a job of this device has
 * ended badly (a hang, a reset) since it was opened or this was said last; of a simulated device
 * @error has what v3dcl_hang_text() says
 */
int v3dcl_wait(struct v3dcl_device *device, uint64_t seqno, uint64_t timeout_ns,
	       struct v3dcl_error *error);

/**
 * struct v3dcl_place - where a program of a job that hung stands
 * @who: which QPU, or whose shader: "QPU11", "CT1's shader"
 * @state: what it does, in words: "still runs", "waits for the mutex"
 * @handle: of the BO that its next instruction is in; 0 where the device has no handle of it
 * @instruction: of that BO, from 0
 */
struct v3dcl_place {
	char who[16], state[64];
	uint32_t handle, instruction;
};

#define V3DCL_PLACES 14

/**
 * struct v3dcl_hang - a job that hung, as the chip tells it
 * @seqno: of the job
 * @code: how it ended: -ETIMEDOUT, or -ENOMEM for a binner without memory
 * @fault: what stopped a unit of the chip, in words; or empty
 * @list: where the frame's control list stands, in words; or empty
 * @place_count: of @places
 * @places: the programs that have not ended
 */
struct v3dcl_hang {
	uint64_t seqno;
	int code;
	char fault[256], list[96];
	uint32_t place_count;
	struct v3dcl_place places[V3DCL_PLACES];
};

/**
 * v3dcl_device_hang() - the last job of the device that hung
 * @device: a simulated device
 * @hang: filled
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -ENOENT if none has hung, or -EOPNOTSUPP for a device that is not simulated, whose
 * driver leaves a dump in /sys/class/devcoredump
 */
int v3dcl_device_hang(struct v3dcl_device *device, struct v3dcl_hang *hang,
		      struct v3dcl_error *error);

/**
 * v3dcl_hang_text() - a hang in words: what stopped, each program that runs, QPUs that stand at the
 * same place together
 * @hang: from v3dcl_device_hang()
 * @name: called for each place; appends what its instruction is called; NULL: its number and its
 *	BO's are said
 * @opaque: handed to it
 * @out: appended to, one line without newline
 */
void v3dcl_hang_text(const struct v3dcl_hang *hang,
		     void (*name)(void *opaque, const struct v3dcl_place *place,
				  struct v3dcl_buffer *out),
		     void *opaque, struct v3dcl_buffer *out);

/**
 * v3dcl_device_dump() - registers and memory of the last job that hung, as v3dcl_decode_dump() and
 * v3dcl decode take them
 * @device: a simulated device
 * @out: appended to
 * @error: filled where the call fails; NULL for none
 *
 * Return: as v3dcl_device_hang(), or -ENOMEM
 */
int v3dcl_device_dump(struct v3dcl_device *device, struct v3dcl_buffer *out,
		      struct v3dcl_error *error);

/**
 * struct v3dcl_race_side - one of two accesses that race
 * @qpu: whose
 * @instruction: that accesses, or starts the transfer that does; of the BO @handle, from 0
 * @handle: of a BO; 0 where the device has no handle of it
 * @transfer: it is DMA
 * @write: it writes
 */
struct v3dcl_race_side {
	uint32_t qpu, handle, instruction;
	bool transfer, write;
};

/**
 * struct v3dcl_race - two accesses of user programs to the same bytes, one of them a write, that
 * nothing orders: neither the mutex, nor semaphores, nor waiting for a transfer
 * @vpm: to the VPM; else to memory
 * @place: of the VPM: word, 16 to a row; of memory: address
 * @sides: the one that came first this time, and the other
 */
struct v3dcl_race {
	bool vpm;
	uint32_t place;
	struct v3dcl_race_side sides[2];
};

/**
 * struct v3dcl_traced - a line of trace
 * @text: the line, valid during the callback
 * @handle: the BO that has the instruction, the record or the access that it is about, or 0
 * @offset: bytes in that BO
 * @code: it is about an instruction
 */
struct v3dcl_traced {
	const char *text;
	uint32_t handle, offset;
	bool code;
};

/**
 * v3dcl_device_trace() - where lines of trace go from now on. While no job runs
 * @device: a simulated device that traces
 * @each: called for each line, on any thread, in the place of @trace of the configuration; must not
 *	call the device. NULL: they go there again
 * @opaque: handed to it
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EOPNOTSUPP for a device that does not trace
 */
int v3dcl_device_trace(struct v3dcl_device *device,
		       void (*each)(void *opaque, const struct v3dcl_traced *traced), void *opaque,
		       struct v3dcl_error *error);

/**
 * v3dcl_device_races() - races in the jobs that have ended, since this was last asked. Each pair of
 * instructions is told once a job, 32 of them at most.
 * @device: a simulated device with @races in its configuration
 * @each: called for each, or NULL; must not call the device
 * @opaque: handed to it
 * @error: filled where the call fails; NULL for none
 *
 * Return: how many there were; -EOPNOTSUPP for a device that does not watch for them, -ENOMEM where
 * there was no memory to watch all
 */
int v3dcl_device_races(struct v3dcl_device *device,
		       void (*each)(void *opaque, const struct v3dcl_race *race), void *opaque,
		       struct v3dcl_error *error);

/**
 * v3dcl_syncobj_create() - a syncobj, binary or a timeline, as it is used
 * @device: the device
 * @signaled: there is a fence in it, which has ended; else none
 * @handle: set to its handle, never 0, which v3dcl_syncobj_destroy() ends
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0 or -ENOMEM
 */
int v3dcl_syncobj_create(struct v3dcl_device *device, bool signaled, uint32_t *handle,
			 struct v3dcl_error *error);

/**
 * v3dcl_syncobj_destroy() - give a syncobj back; jobs that use it still do
 * @device: the device
 * @handle: no longer valid then
 *
 * Return: 0, or -EINVAL for no such syncobj
 */
int v3dcl_syncobj_destroy(struct v3dcl_device *device, uint32_t handle);

/**
 * v3dcl_syncobj_wait() - until there is a fence in a syncobj, and it has ended
 * @device: the device
 * @handle: of the syncobj
 * @point: of a timeline; 0 for a binary one
 * @deadline_ns: when to give up, on CLOCK_MONOTONIC in nanoseconds; 0 only looks, INT64_MAX is for
 *	ever
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, however the fence has ended; -ETIME, -ENOENT for no such syncobj
 */
int v3dcl_syncobj_wait(struct v3dcl_device *device, uint32_t handle, uint64_t point,
		       int64_t deadline_ns, struct v3dcl_error *error);

/**
 * v3dcl_syncobj_signal() - put a fence into a syncobj that has ended
 * @device: the device
 * @handle: of the syncobj
 * @point: of a timeline; 0 for a binary one
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -ENOENT for no such syncobj
 */
int v3dcl_syncobj_signal(struct v3dcl_device *device, uint32_t handle, uint64_t point,
			 struct v3dcl_error *error);

/**
 * v3dcl_syncobj_query() - how far a timeline is
 * @device: the device
 * @handle: of the syncobj
 * @point: set to the last point that has been reached
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -ENOENT for no such syncobj
 */
int v3dcl_syncobj_query(struct v3dcl_device *device, uint32_t handle, uint64_t *point,
			struct v3dcl_error *error);

/**
 * v3dcl_syncobj_export() - the fence in a syncobj as a sync_file, which poll() finds readable when
 * it has ended
 * @device: the device
 * @handle: of a binary syncobj that has a fence
 * @error: filled where the call fails; NULL for none
 *
 * Return: a file descriptor, which the caller closes, or -ENOENT for no such syncobj, -EINVAL for
 * one without a fence, -EMFILE
 */
int v3dcl_syncobj_export(struct v3dcl_device *device, uint32_t handle, struct v3dcl_error *error);

/**
 * v3dcl_syncobj_import() - a sync_file's fence into a syncobj
 * @device: the device
 * @handle: of a binary syncobj
 * @sync_file: file descriptor; stays the caller's
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -ENOENT for no such syncobj, -EINVAL for what is no sync_file (of this device, for a
 * simulated one)
 */
int v3dcl_syncobj_import(struct v3dcl_device *device, uint32_t handle, int sync_file,
			 struct v3dcl_error *error);

/**
 * v3dcl_sync_file_status() - how a fence ended
 * @device: the device
 * @sync_file: file descriptor, for a simulated device one of its own
 *
 * Return: 1 when it has ended well, 0 when it has not ended, else the negative errno that it ended
 * with: -ETIMEDOUT for a job that hung, -ECANCELED for one that another's reset ended; -ENOTTY,
 * -EBADF or -EINVAL for what is no sync_file
 */
int v3dcl_sync_file_status(struct v3dcl_device *device, int sync_file);

/**
 * v3dcl_perfmon_create() - counters that count while jobs run that name them
 * @device: the device
 * @events: what to count, numbers of AG100 Table 82, 0 to 29, copied
 * @count: of @events, 1 to 16
 * @id: set to its number, never 0, which v3dcl_perfmon_destroy() ends
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, -EINVAL for a number that is out of range, -ENOMEM
 */
int v3dcl_perfmon_create(struct v3dcl_device *device, const uint8_t *events, uint32_t count,
			 uint32_t *id, struct v3dcl_error *error);

/**
 * v3dcl_perfmon_destroy() - give a performance monitor back
 * @device: the device
 * @id: no longer valid then
 *
 * Return: 0, or -EINVAL for no such performance monitor
 */
int v3dcl_perfmon_destroy(struct v3dcl_device *device, uint32_t id);

/**
 * v3dcl_perfmon_values() - what was counted, by the jobs that have ended
 * @device: the device
 * @id: of the performance monitor
 * @values: filled, one for each of its events
 * @error: filled where the call fails; NULL for none
 *
 * Return: 0, or -EINVAL for no such performance monitor
 */
int v3dcl_perfmon_values(struct v3dcl_device *device, uint32_t id, uint64_t *values,
			 struct v3dcl_error *error);

#ifdef __cplusplus
}
#endif

#endif /* V3DCL_DEVICE_H */
