/* SPDX-License-Identifier: MIT */
/*
 * A V3D in this process: the simulated chip with a driver around it that takes the same ioctls as
 * the kernel module and answers them the same way, errno by errno. What it hands out are file
 * descriptors of this process: memfds, pipes.
 *
 * Functions return 0 or a negative errno, as the kernel's do, unless they say otherwise. All may be
 * called from any thread.
 */
#ifndef V3DCL_EMU_H
#define V3DCL_EMU_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct emu_device;
struct emu_file;

/**
 * struct emu_shown - what the display shows
 * @pixels: @size bytes, valid until the callback returns
 * @width: pixels
 * @height: rows
 * @pitch: bytes from row to row
 * @format: DRM_FORMAT_*
 * @t_tiled: in T-format; else rows follow each other
 */
struct emu_shown {
	const uint8_t *pixels;
	uint64_t size;
	uint32_t width, height, pitch, format;
	bool t_tiled;
};

/**
 * struct emu_place - where a program of a job that hung stands
 * @who: "QPU11", "CT1's shader"
 * @state: what it does, in words
 * @address: of its next instruction
 * @handle: of the BO which that is in; 0: the client has none of it
 * @offset: in that BO, bytes
 */
struct emu_place {
	char who[16], state[64];
	uint32_t address, handle, offset;
};

#define EMU_PLACES 14

/**
 * struct emu_hang - a job that hung
 * @seqno: of the job
 * @file: id of the client
 * @error: that its fence carries, a negative errno
 * @fault: what stopped a unit of the chip, or empty
 * @list: where the control list stands, or empty
 * @place_count: of @places
 * @places: programs that have not ended
 * @dump: as <drm/v3dcl_dump.h> says; NULL without memory
 * @dump_size: bytes
 */
struct emu_hang {
	uint64_t seqno, file;
	int error;
	char fault[256], list[96];
	unsigned int place_count;
	struct emu_place places[EMU_PLACES];
	const uint8_t *dump;
	size_t dump_size;
};

/**
 * struct emu_race_side - one of two accesses that race
 * @qpu: whose
 * @transfer: by DMA that the instruction starts
 * @write: it writes
 * @handle: of the BO that the instruction is in; 0: the client has none of it
 * @offset: in that BO, bytes
 */
struct emu_race_side {
	unsigned int qpu;
	bool transfer, write;
	uint32_t handle, offset;
};

/**
 * struct emu_race - two accesses of user programs that nothing orders
 * @vpm: to the VPM; else to memory
 * @place: word of the VPM, or address
 * @sides: the two
 */
struct emu_race {
	bool vpm;
	uint32_t place;
	struct emu_race_side sides[2];
};

/**
 * struct emu_traced - a line of trace
 * @text: the line
 * @handle: the client's BO with the instruction, the record or the access that it is about, or 0;
 *	also where it goes on with what the line before is about
 * @offset: bytes in that BO
 * @code: it is about an instruction
 */
struct emu_traced {
	const char *text;
	uint32_t handle, offset;
	bool code;
};

/**
 * struct emu_device_config - how the device behaves; all zero is the usual
 * @budget: bytes that all BOs together may take, 0 for 256 MiB; at most 768 MiB
 * @caches: enum v3dsim_caches: with MODEL everything is as stale as on the chip, registers included
 * @trace: enum v3dsim_trace, what of the chip is traced
 * @tracing: what is traced as v3dsim_trace_read() has it, in the place of @trace, or NULL; looked
 *	at by emu_device_new() alone
 * @trace_line: called with @opaque and each line of the trace, or NULL for standard error; must not
 *	call the device
 * @limit_ms: how long a list may take until it counts as hung, 0 for a minute. The time of this and
 *	of user programs' timeouts is the chip's: 16 ns for each instruction of any QPU and each
 *	control record. So the same job ends the same way, however busy the host is.
 * @threads: that shade tiles beside the lists, 0 for one that does all; at most V3DSIM_THREADS_MAX
 *	count
 * @reference: the chip without all that exists for speed alone: see struct v3dsim_config
 * @chip: which chip, as for v3dsim_new(); looked at by emu_device_new() alone
 * @quiet: say nothing about hangs and refusals on standard error
 * @root_only: what takes root with the kernel module takes it here too; else every client may,
 *	since a program can reach no memory but its process's
 * @unprivileged: what takes root with the kernel module is not allowed
 * @unverified: as with the module's parameter of that name: who may do what takes root may run
 *	unverified programs and raw lists
 * @width: of the display, 0 for none
 * @height: see @width
 * @shown: called for each frame that the display shows; may be NULL; must not call the device
 * @hung: called for each job that hangs, before its fence ends; what it is told is valid until it
 *	returns; may be NULL; must not call the device
 * @raced: called for each race of user programs, after their job, and with NULL if there was no
 *	memory to watch all of them; NULL: they are not watched. Must not call the device.
 * @opaque: handed to them
 */
struct emu_device_config {
	uint64_t budget;
	unsigned int caches, trace;
	const char *tracing;
	void (*trace_line)(void *opaque, const struct emu_traced *traced);
	unsigned int limit_ms, threads;
	bool reference;
	const char *chip;
	bool quiet, root_only, unprivileged, unverified;
	uint32_t width, height;
	void (*shown)(void *opaque, const struct emu_shown *shown);
	void (*hung)(void *opaque, const struct emu_hang *hang);
	void (*raced)(void *opaque, const struct emu_race *race);
	void *opaque;
};

/* V3dsim_trace_read(), for &emu_device_config.tracing */
bool emu_trace_check(const char *tracing, char *error, size_t size);

/* V3dsim_chip_check(); emu_chip_help() likewise */
bool emu_chip_check(const char *chip, char *error, size_t size);
void emu_chip_help(void (*line)(void *opaque, const char *text), void *opaque);

/* A V3D. Return: NULL and errno without memory, or if there is no such chip */
struct emu_device *emu_device_new(const struct emu_device_config *config);

/**
 * emu_device_free() - ends it, with the files that are open on it; not while a thread is inside
 * another function
 */
void emu_device_free(struct emu_device *dev);

/**
 * emu_device_open() - a client opens the device
 * @dev: the device
 * @primary: its primary node, not the render node
 * @id: by which emu_device_file() finds it; unique among open files
 * Return: NULL without memory
 */
struct emu_file *emu_device_open(struct emu_device *dev, bool primary, uint64_t id);

/* The file of that id, or NULL. It stays until it is closed. */
struct emu_file *emu_device_file(struct emu_device *dev, uint64_t id);

/* Was the primary node opened? */
bool emu_file_primary(const struct emu_file *file);

/* Its handles go; its jobs run to their end */
void emu_file_close(struct emu_file *file);

/**
 * emu_device_keep_files() - @keep is called with the id of each open file; closes those for which
 * it returns false
 */
void emu_device_keep_files(struct emu_device *dev, bool (*keep)(void *opaque, uint64_t id),
			   void *opaque);

/**
 * emu_file_ioctl() - an ioctl of DRM's or of the driver's; @arg is a user pointer and may be bad
 */
int emu_file_ioctl(struct emu_file *file, unsigned long request, void *arg);

/**
 * emu_file_mmap() - mmap() of the device, arguments as there
 * Return: MAP_FAILED and errno
 */
void *emu_file_mmap(struct emu_file *file, void *addr, size_t len, int prot, int flags,
		    uint64_t offset);

/**
 * emu_file_read() - read() of the device: events of page flips.
 *
 * Return: bytes or a negative errno
 */
ssize_t emu_file_read(struct emu_file *file, void *buffer, size_t size);

/**
 * emu_device_knows() - is that file descriptor a dma-buf or sync_file that the device made?
 * @dev: the device
 * @fd: any
 */
bool emu_device_knows(struct emu_device *dev, int fd);

/* An ioctl on a file descriptor that emu_device_knows() */
int emu_device_fd_ioctl(struct emu_device *dev, int fd, unsigned long request, void *arg);

/**
 * emu_device_poll() - poll() for file descriptors of which some are dma-bufs of the device's
 * @dev: the device
 * @real: what polls the others; called with the same arguments as poll()
 *
 * A dma-buf is readable when no job writes it, and writable when no job uses it.
 * Return: as poll()
 */
int emu_device_poll(struct emu_device *dev, struct pollfd *fds, nfds_t count, int timeout_ms,
		    int (*real)(struct pollfd *fds, nfds_t count, int timeout_ms));

/**
 * emu_device_fork() - for pthread_atfork(): a child gets a V3D of its own, with the same BOs, whose
 * memory it shares
 * @dev: the device
 * @when: -1 before fork(), which the chip then pauses for; 0 after it in the parent, 1 in the child
 *
 * Jobs that have not ended are the parent's: in the child they have ended with ECANCELED.
 */
void emu_device_fork(struct emu_device *dev, int when);

/* Waits until no job runs or can run */
void emu_device_idle(struct emu_device *dev);

/**
 * emu_device_each_stat() - the chip's statistics and the device's; the chip pauses, and @each must
 * not call the device
 */
void emu_device_each_stat(struct emu_device *dev,
			  void (*each)(void *opaque, const char *name, uint64_t value),
			  void *opaque);

/* The chip's statistics and the device's, a line each */
void emu_device_stats(struct emu_device *dev, FILE *out);

#endif /* V3DCL_EMU_H */
