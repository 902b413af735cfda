/* SPDX-License-Identifier: MIT */
/*
 * A device from inside: what differs between a file descriptor and the simulator is behind struct
 * device_ops; all above it is the same code for both.
 */
#ifndef V3DCL_DEVICE_INTERNAL_H
#define V3DCL_DEVICE_INTERNAL_H

#include <pthread.h>
#include <stddef.h>

#include "v3dcl_device.h"

/**
 * struct device_ops - what a kind of device does itself
 * @ioctl: 0 or a negative errno
 * @mmap: of shared memory, to read and write; MAP_FAILED and errno
 * @fence_status: of a sync_file: 1 ended well, 0 not yet, else the negative errno it ended with, or
 *	that the call failed with
 * @stats: see v3dcl_device_stats(); NULL where there are none
 * @hang: the last job that hung, and its dump into @dump unless NULL; false: none has. NULL where
 *	the driver does not tell
 * @races: moves what has raced into @races, struct v3dcl_race each; 0, -ENOMEM where that is not
 *	all, -EOPNOTSUPP where nothing watches. NULL likewise
 * @trace: where lines of trace go, see v3dcl_device_trace(); 0, or -EOPNOTSUPP where nothing is
 *	traced. NULL likewise
 * @close: frees what @self is
 */
struct device_ops {
	int (*ioctl)(void *self, unsigned long request, void *argument);
	void *(*mmap)(void *self, size_t size, uint64_t offset);
	int (*fence_status)(void *self, int sync_file);
	void (*stats)(void *self, void (*each)(void *opaque, const char *name, uint64_t value),
		      void *opaque);
	bool (*hang)(void *self, struct v3dcl_hang *hang, struct v3dcl_buffer *dump);
	int (*races)(void *self, struct v3dcl_buffer *races);
	int (*trace)(void *self,
		     void (*each)(void *opaque, const struct v3dcl_traced *traced), void *opaque);
	void (*close)(void *self);
};

/**
 * struct known_bo - what is known of a handle
 * @handle: it
 * @size: bytes
 * @map: its memory, or NULL
 * @owned: made or imported by a function of the library, which v3dcl_close() makes up for
 */
struct known_bo {
	uint32_t handle, size;
	void *map;
	bool owned;
};

/**
 * struct v3dcl_device - a device
 * @ops: of its kind
 * @self: handed to them
 * @ours: it has the ioctls of <drm/v3dcl_drm.h>
 * @lock: of @bos, and of handles' coming and going while they matter to it
 * @bos: sorted by handle
 * @bo_count: of @bos
 * @bo_room: entries that @bos has room for
 * @submits: held shared by who submits, exclusively by who asks why something was refused
 * @told_lock: of @told
 * @told: jobs that did not end well, as far as v3dcl_wait() has told
 * @told_hang: the last of them that hung, where the device tells
 */
struct v3dcl_device {
	const struct device_ops *ops;
	void *self;
	bool ours;
	pthread_mutex_t lock;
	struct known_bo *bos;
	uint32_t bo_count, bo_room;
	pthread_rwlock_t submits;
	pthread_mutex_t told_lock;
	uint64_t told, told_hang;
};

/* device.c */
int device_new(const struct device_ops *ops, void *self, struct v3dcl_device **device,
	       struct v3dcl_error *error);
/* 0 where the driver does not say */
uint64_t device_param(struct v3dcl_device *device, enum drm_v3dcl_param param);

/**
 * device_fail() - fill an error with a sentence, a colon and what the errno means.
 *
 * Return: @code
 */
__attribute__((format(printf, 3, 4)))
int device_fail(struct v3dcl_error *error, int code, const char *format, ...);

/* bo.c */
int device_close_handle(struct v3dcl_device *device, struct drm_gem_close *argument);
void device_forget_bos(struct v3dcl_device *device);

/**
 * struct refusable - what may be refused, for who has to say where
 * @request: the ioctl
 * @argument: its
 * @what: "the frame", "the program"...
 * @code: of a BO of code, else NULL
 * @code_count: instructions
 * @bin: the bin list of a frame, else NULL
 * @bin_size: bytes
 */
struct refusable {
	unsigned long request;
	void *argument;
	const char *what;
	const uint64_t *code;
	uint32_t code_count;
	const uint8_t *bin;
	uint32_t bin_size;
};

/* refusal.c */
void refusal_explain(struct v3dcl_error *error, const struct drm_v3dcl_refusal *refusal,
		     const struct refusable *what);
int device_submit(struct v3dcl_device *device, const struct refusable *what,
		  struct v3dcl_error *error);

/* way_out.c: what to write instead, where a rule's numbers do not tell; else NULL */
const char *refusal_way_out(uint32_t rule);

#endif /* V3DCL_DEVICE_INTERNAL_H */
