/* SPDX-License-Identifier: MIT */
/*
 * A V3D in this process: the simulated chip with a driver around it that takes the same ioctls as the kernel module and answers
 * them the same way, errno by errno. What it hands out are file descriptors of this process: memfds, pipes.
 *
 * Functions return 0 or a negative errno, as the kernel's do, unless they say otherwise. All may be called from any thread.
 */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct sim_device;
struct sim_file;

/**
 * struct sim_shown - what the display shows
 * @pixels: @size bytes, valid until the callback returns
 * @width: pixels
 * @height: rows
 * @pitch: bytes from row to row
 * @format: DRM_FORMAT_*
 * @t_tiled: in T-format; else rows follow each other
 */
struct sim_shown {
	const uint8_t *pixels;
	uint64_t size;
	uint32_t width, height, pitch, format;
	bool t_tiled;
};

/**
 * struct sim_device_config - how the device behaves; all zero is the usual
 * @budget: bytes that all BOs together may take, 0 for 256 MiB; at most 768 MiB
 * @trace: enum v3dsim_trace, what of the chip is traced
 * @trace_line: called with @opaque and each line of the trace, or NULL for standard error; must not call the device
 * @limit_ms: how long a list may take until it counts as hung, 0 for a minute
 * @threads: that shade tiles beside the lists, 0 for one that does all; at most V3DSIM_THREADS_MAX count
 * @reference: the chip without all that exists for speed alone: see struct v3dsim_config
 * @quiet: say nothing about hangs and refusals on standard error
 * @root_only: what takes root with the kernel module takes it here too; else anybody may, since a program can reach no memory but
 *	its process's
 * @unprivileged: what takes root with the kernel module nobody may
 * @unverified: as with the module's parameter of that name: who may do what takes root may run
 *	unverified programs and raw lists
 * @width: of the display, 0 for none
 * @height: see @width
 * @shown: called for each frame that the display shows; may be NULL; must not call the device
 * @opaque: handed to them
 */
struct sim_device_config {
	uint64_t budget;
	unsigned int trace;
	void (*trace_line)(void *opaque, const char *line);
	unsigned int limit_ms, threads;
	bool reference;
	bool quiet, root_only, unprivileged, unverified;
	uint32_t width, height;
	void (*shown)(void *opaque, const struct sim_shown *shown);
	void *opaque;
};

/** sim_device_new() - a V3D. Return: NULL and errno without memory */
struct sim_device *sim_device_new(const struct sim_device_config *config);

/** sim_device_free() - ends it, with the files that are open on it; not while somebody is inside another function */
void sim_device_free(struct sim_device *dev);

/**
 * sim_device_open() - somebody opens the device
 * @dev: the device
 * @primary: its primary node, not the render node
 * @id: by which sim_device_file() finds it; unique among open files
 * Return: NULL without memory
 */
struct sim_file *sim_device_open(struct sim_device *dev, bool primary, uint64_t id);

/** sim_device_file() - the file of that id, or NULL. It stays until it is closed. */
struct sim_file *sim_device_file(struct sim_device *dev, uint64_t id);

/** sim_file_primary() - was the primary node opened? */
bool sim_file_primary(const struct sim_file *file);

/** sim_file_close() - its handles go; its jobs run to their end */
void sim_file_close(struct sim_file *file);

/** sim_device_keep_files() - @keep is called with the id of each open file; closes those for which it returns false */
void sim_device_keep_files(struct sim_device *dev, bool (*keep)(void *opaque, uint64_t id), void *opaque);

/** sim_file_ioctl() - an ioctl of DRM's or of the driver's; @arg is a user pointer and may be bad */
int sim_file_ioctl(struct sim_file *file, unsigned long request, void *arg);

/**
 * sim_file_mmap() - mmap() of the device, arguments as there
 * Return: MAP_FAILED and errno
 */
void *sim_file_mmap(struct sim_file *file, void *addr, size_t len, int prot, int flags, uint64_t offset);

/** sim_file_read() - read() of the device: events of page flips. Return: bytes or a negative errno */
ssize_t sim_file_read(struct sim_file *file, void *buffer, size_t size);

/**
 * sim_device_knows() - is that file descriptor a dma-buf or sync_file that the device made?
 * @dev: the device
 * @fd: any
 */
bool sim_device_knows(struct sim_device *dev, int fd);

/** sim_device_fd_ioctl() - an ioctl on a file descriptor that sim_device_knows() */
int sim_device_fd_ioctl(struct sim_device *dev, int fd, unsigned long request, void *arg);

/**
 * sim_device_poll() - poll() for file descriptors of which some are dma-bufs of the device's
 * @dev: the device
 * @real: what polls the others; called with the same arguments as poll()
 *
 * A dma-buf is readable when no job writes it, and writable when no job uses it.
 * Return: as poll()
 */
int sim_device_poll(struct sim_device *dev, struct pollfd *fds, nfds_t count, int timeout_ms,
		    int (*real)(struct pollfd *fds, nfds_t count, int timeout_ms));

/**
 * sim_device_fork() - for pthread_atfork(): a child gets a V3D of its own, with the same BOs, whose memory it shares
 * @dev: the device
 * @when: -1 before fork(), which the chip then pauses for; 0 after it in the parent, 1 in the child
 *
 * Jobs that have not ended are the parent's: in the child they have ended with ECANCELED.
 */
void sim_device_fork(struct sim_device *dev, int when);

/** sim_device_idle() - waits until no job runs or can run */
void sim_device_idle(struct sim_device *dev);

/** sim_device_each_stat() - the chip's statistics and the device's; the chip pauses, and @each must not call the device */
void sim_device_each_stat(struct sim_device *dev, void (*each)(void *opaque, const char *name, uint64_t value), void *opaque);

/** sim_device_stats() - the chip's statistics and the device's, a line each */
void sim_device_stats(struct sim_device *dev, FILE *out);

#endif /* SIM_DEVICE_H */
