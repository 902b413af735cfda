/* SPDX-License-Identifier: MIT */
/* A syncobj: a place that holds a fence, or a timeline of them. All with the device's lock held. */
#ifndef V3DCL_EMU_SYNCOBJ_H
#define V3DCL_EMU_SYNCOBJ_H

#include "internal.h"

struct syncobj_point {
	uint64_t point;		/* 0: no timeline */
	struct fence *fence;	/* ends when all before it have, too */
};

struct syncobj_event;

struct syncobj {
	struct emu_device *dev;
	unsigned int refs;
	struct syncobj_point *points;	/* the newest last */
	unsigned int count;
	struct syncobj_event *events;
};

struct syncobj *syncobj_new(struct emu_device *dev);
void syncobj_put(struct syncobj *syncobj);
struct syncobj *syncobj_get(struct emu_file *file, uint32_t handle);	/* no reference */
/* Something that ends: a job, or what another driver does */
struct fence *syncobj_at(struct syncobj *syncobj, uint64_t point);
void syncobj_reset(struct syncobj *syncobj);
uint64_t syncobj_reached(struct syncobj *syncobj, bool submitted);
int syncobj_watch(struct syncobj *syncobj, uint64_t point, bool available, int eventfd);
struct fence *fence_ended(void);	/* a fence that is over already */

int syncobj_export(struct emu_file *file, uint32_t handle, int *fd);
int syncobj_import(struct emu_file *file, int fd, uint32_t *handle);

#endif /* V3DCL_EMU_SYNCOBJ_H */
