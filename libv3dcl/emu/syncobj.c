// SPDX-License-Identifier: MIT
/* Syncobjs: what they hold, who is told of it, and how they become file descriptors. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "syncobj.h"

struct syncobj_event {
	struct fence_watch watch;
	struct syncobj_event *next;
	uint64_t point;
	bool available;
	int fd;
};

struct exported_syncobj {
	struct exported_syncobj *next;
	uint64_t inode;
	struct syncobj *syncobj;
};

struct fence *fence_ended(void)
{
	struct fence *fence = fence_new(0, 0);

	if (fence)
		fence_signal(NULL, fence, 0);
	return fence;
}

struct syncobj *syncobj_new(struct emu_device *dev)
{
	struct syncobj *syncobj = calloc(1, sizeof(*syncobj));

	if (syncobj)
		*syncobj = (struct syncobj){ .dev = dev, .refs = 1 };
	return syncobj;
}

static void event_free(struct syncobj_event *event)
{
	raw_close(event->fd);
	free(event);
}

static void event_tell(struct fence_watch *watch, struct fence *fence)
{
	struct syncobj_event *event = (struct syncobj_event *)watch;
	uint64_t one = 1;
	ssize_t done = write(event->fd, &one, sizeof(one));

	(void)done;
	(void)fence;
	event_free(event);
}

void syncobj_reset(struct syncobj *syncobj)
{
	while (syncobj->count)
		fence_put(syncobj->points[--syncobj->count].fence);
}

void syncobj_put(struct syncobj *syncobj)
{
	struct syncobj_event *next;

	if (!syncobj || --syncobj->refs)
		return;
	for (; syncobj->events; syncobj->events = next) {
		next = syncobj->events->next;
		event_free(syncobj->events);
	}
	syncobj_reset(syncobj);
	free(syncobj->points);
	free(syncobj);
}

struct syncobj *syncobj_get(struct emu_file *file, uint32_t handle)
{
	return table_get(&file->syncobjs, handle);
}

struct fence *syncobj_at(struct syncobj *syncobj, uint64_t point)
{
	unsigned int i;

	if (!syncobj->count)
		return NULL;
	if (!point)
		return syncobj->points[syncobj->count - 1].fence;
	for (i = 0; i < syncobj->count; i++)
		if (syncobj->points[i].point >= point)
			return syncobj->points[i].fence;
	return NULL;
}

/* Of points that have been reached only the last is of interest */
static void prune(struct syncobj *syncobj)
{
	unsigned int gone = 0;

	while (gone + 1 < syncobj->count && syncobj->points[gone + 1].fence->signalled)
		fence_put(syncobj->points[gone++].fence);
	syncobj->count -= gone;
	memmove(syncobj->points, syncobj->points + gone, syncobj->count * sizeof(*syncobj->points));
}

uint64_t syncobj_reached(struct syncobj *syncobj, bool submitted)
{
	if (!syncobj->count)
		return 0;
	prune(syncobj);
	if (submitted)
		return syncobj->points[syncobj->count - 1].point;
	return syncobj->points[0].fence->signalled ? syncobj->points[0].point : 0;
}

static bool event_due(struct syncobj *syncobj, struct syncobj_event *event)
{
	struct fence *fence = syncobj_at(syncobj, event->point);

	if (!fence)
		return false;
	if (event->available)
		event_tell(&event->watch, fence);
	else
		fence_watch(fence, &event->watch);
	return true;
}

int syncobj_watch(struct syncobj *syncobj, uint64_t point, bool available, int eventfd)
{
	struct syncobj_event *event = calloc(1, sizeof(*event));

	if (!event)
		return -ENOMEM;
	*event = (struct syncobj_event){ .watch.fn = event_tell,
					 .point = point,
					 .available = available };
	event->fd = fd_own(dup(eventfd));
	if (event->fd < 0) {
		free(event);
		return -EMFILE;
	}
	if (!event_due(syncobj, event)) {
		event->next = syncobj->events;
		syncobj->events = event;
	}
	return 0;
}

static void changed(struct syncobj *syncobj)
{
	struct syncobj_event **link = &syncobj->events, *event, *next;

	while ((event = *link)) {
		next = event->next;
		if (event_due(syncobj, event))
			*link = next;
		else
			link = &event->next;
	}
	pthread_cond_broadcast(&syncobj->dev->changed);
}

/* The fence of a new point: its own, and that of the point before it */
static struct fence *chain(const struct syncobj *syncobj, struct fence *fence)
{
	struct fence *parts[2] = { NULL, fence };

	if (!syncobj->count || syncobj->points[syncobj->count - 1].fence->signalled)
		return fence_get(fence);
	parts[0] = syncobj->points[syncobj->count - 1].fence;
	return fence_all(parts, 2);
}

/* Point 0: the fence replaces what was there */
int syncobj_replace(struct syncobj *syncobj, struct fence *fence, uint64_t point)
{
	struct syncobj_point *points = realloc(syncobj->points,
					       (syncobj->count + 1) * sizeof(*points));

	if (!points)
		return -ENOMEM;
	syncobj->points = points;
	fence = point ? chain(syncobj, fence) : fence_get(fence);
	if (!fence)
		return -ENOMEM;
	if (!point)
		syncobj_reset(syncobj);
	points[syncobj->count++] = (struct syncobj_point){ .point = point, .fence = fence };
	prune(syncobj);
	changed(syncobj);
	return 0;
}

int syncobj_export(struct emu_file *file, uint32_t handle, int *fd)
{
	struct syncobj *syncobj = syncobj_get(file, handle);
	struct exported_syncobj *exported;

	if (!syncobj)
		return -EINVAL;
	exported = calloc(1, sizeof(*exported));
	if (!exported)
		return -ENOMEM;
	*fd = memfd_create("v3d-syncobj", MFD_CLOEXEC);
	if (*fd < 0 || !fd_inode(*fd, &exported->inode)) {
		free(exported);
		return -EMFILE;
	}
	syncobj->refs++;
	exported->syncobj = syncobj;
	exported->next = file->dev->exported_syncobjs;
	file->dev->exported_syncobjs = exported;
	return 0;
}

int syncobj_import(struct emu_file *file, int fd, uint32_t *handle)
{
	struct exported_syncobj *exported = file->dev->exported_syncobjs;
	uint64_t inode;

	if (!fd_inode(fd, &inode))
		return -EINVAL;
	while (exported && exported->inode != inode)
		exported = exported->next;
	if (!exported)
		return -EINVAL;
	*handle = table_add(&file->syncobjs, exported->syncobj);
	if (!*handle)
		return -ENOMEM;
	exported->syncobj->refs++;
	return 0;
}

void exported_syncobjs_free(struct emu_device *dev)
{
	struct exported_syncobj *next;

	for (; dev->exported_syncobjs; dev->exported_syncobjs = next) {
		next = dev->exported_syncobjs->next;
		syncobj_put(dev->exported_syncobjs->syncobj);
		free(dev->exported_syncobjs);
	}
}

void file_close_syncobjs(struct emu_file *file)
{
	uint32_t i;

	for (i = 0; i < file->syncobjs.size; i++)
		syncobj_put(file->syncobjs.entries[i]);
	free(file->syncobjs.entries);
	file->syncobjs = (struct table){ 0 };
}

int syncobj_find(struct emu_file *file, uint32_t handle, struct syncobj **out)
{
	*out = syncobj_get(file, handle);
	return *out ? 0 : -ENOENT;
}

struct fence *syncobj_fence(struct emu_file *file, uint32_t handle, uint64_t point, int *error)
{
	struct syncobj *syncobj = syncobj_get(file, handle);
	struct fence *fence = syncobj ? syncobj_at(syncobj, point) : NULL;

	if (!fence)
		*error = syncobj ? -EINVAL : -ENOENT;
	return fence_get(fence);
}
