/* SPDX-License-Identifier: MIT */
/*
 * What the files of libv3d-preload.so know of each other. It stands between a program and libc:
 * paths of DRM's nodes and of what sysfs tells about them lead into a folder that scripts/with-v3d
 * made, and file descriptors of the nodes are memfds whose inodes tell which open file they are,
 * however they were duplicated.
 */
#ifndef V3D_PRELOAD_H
#define V3D_PRELOAD_H

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "emu.h"

/* Seen from outside the library: everything else is hidden */
#define INTERCEPT __attribute__((visibility("default")))

/* libc's own function of that name, found once */
#define NEXT(name) \
	({ \
		static __typeof__(name) *next_; \
		if (!next_) \
			next_ = (__typeof__(name) *)dlsym(RTLD_NEXT, #name); \
		next_; \
	})

enum node { NODE_NONE, NODE_CARD, NODE_RENDER };

#define CARD_PATH "/dev/dri/card0"
#define RENDER_PATH "/dev/dri/renderD128"
#define DRM_MAJOR 226
#define CARD_MINOR 0
#define RENDER_MINOR 128

/* Where a path leads: itself, or @buffer filled with that of our folder */
const char *preload_path(const char *path, char buffer[PATH_MAX]);

/* Does the path name one of the device's nodes? */
enum node preload_node(const char *path);

/* The other way round, in place */
void preload_strip(char *path);

/* What the environment asks for; ends the program where that is nonsense */
struct emu_device_config preload_settings(void);

/* The device of this process, NULL if it was not opened yet */
struct emu_device *preload_device(void);

/* Open a node. Return: a file descriptor, or -1 and errno */
int preload_open(enum node node, int flags);

/*
 * A file descriptor came from another process. If that has opened a node, it is one here too, newly
 * opened: of this process's device, which has none of the other's BOs.
 */
void preload_received(int fd);

/* The open file behind a file descriptor, or NULL */
struct emu_file *preload_file(int fd);

/**
 * preload_inode_node() - the node that has this inode and minor device number
 */
enum node preload_inode_node(uint64_t inode, unsigned int minor);

/* A file descriptor of a node was closed: was it the last? */
void preload_closed(void);

/* Writes what the display shows as a PNG of the folder that V3D_FRAMES names */
void preload_frame(void *opaque, const struct emu_shown *shown);

/* Writes the dump of a job that hung to the file that V3D_DUMP names */
void preload_hung(void *opaque, const struct emu_hang *hang);

#endif /* V3D_PRELOAD_H */
