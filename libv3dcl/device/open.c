// SPDX-License-Identifier: MIT
/* Devices by name: which there are, and who may open them. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/options.h"
#include "device.h"

#define NODES "/dev/dri"

/*
 * The name of a group of this machine, as /etc/group has it: what asks further, getgrgid(), is not
 * for programs that are linked statically.
 */
static bool group_name(gid_t id, char *name, size_t room)
{
	FILE *file = fopen("/etc/group", "re");
	const struct group *group;
	bool found = false;

	while (file && !found && (group = fgetgrent(file))) {
		found = group->gr_gid == id;
		snprintf(name, room, "%s", group->gr_name);
	}
	if (file)
		fclose(file);
	return found;
}

/* A node is opened by whom udev's rules let: by its group, mostly */
static int say_who_may(const char *path, int code, struct v3dcl_error *error)
{
	const char *why = strerror(-code);
	struct stat info;
	char group[64];

	if (stat(path, &info) || !info.st_gid || !(info.st_mode & 0060) ||
	    !group_name(info.st_gid, group, sizeof(group)))
		return v3dcl_fail(error, code,
				  "%s: %s\n  root may open it, or, by a rule of udev's such as "
				  "SUBSYSTEM==\"drm\", GROUP=\"render\", MODE=\"0660\", a group; "
				  "the simulated device (sim) takes no permission", path, why);
	return v3dcl_fail(error, code,
			  "%s: %s\n  members of the group %s may open it (usermod -aG %s USER, and "
			  "a new login), and root; the simulated device (sim) takes no permission",
			  path, why, group, group);
}

static int open_path(const char *path, struct v3dcl_device **device, struct v3dcl_error *error)
{
	int fd = open(path, O_RDWR | O_CLOEXEC), ret;

	if (fd < 0 && (errno == EACCES || errno == EPERM))
		return say_who_may(path, -errno, error);
	if (fd < 0)
		return v3dcl_fail(error, -errno, "%s: %s", path, strerror(errno));
	ret = v3dcl_open_drm(fd, device, error);
	close(fd);
	return ret;
}

/* The node's path, and whether it is one that may be a V3D's: those of displays have no jobs */
static bool take_node(struct v3dcl_node *node, const char *name)
{
	const bool render = !strncmp(name, "renderD", strlen("renderD"));

	*node = (struct v3dcl_node){ .render = render };
	return (render || !strncmp(name, "card", strlen("card"))) &&
	       snprintf(node->path, sizeof(node->path), NODES "/%s", name) <
		       (int)sizeof(node->path);
}

/* Is it one, as far as this caller can see? */
static bool look_at(struct v3dcl_node *node)
{
	struct v3dcl_device *device;
	struct v3dcl_info info;

	node->error = open_path(node->path, &device, NULL);
	if (node->error == -EACCES || node->error == -EPERM)
		return true;
	if (node->error)
		return false;
	node->error = v3dcl_device_info(device, &info, NULL);
	node->ours = info.ours;
	snprintf(node->driver, sizeof(node->driver), "%s", info.name);
	v3dcl_close(device);
	return !node->error;
}

static int by_path(const void *a, const void *b)
{
	const struct v3dcl_node *x = a, *y = b;

	/* Render nodes first: they are for jobs, and take less permission */
	return x->render != y->render ? y->render - x->render : strverscmp(x->path, y->path);
}

static int find_nodes(struct v3dcl_buffer *nodes, struct v3dcl_error *error)
{
	DIR *folder = opendir(NODES);
	const struct dirent *entry;
	struct v3dcl_node node;

	/* No folder, no node */
	while (folder && (entry = readdir(folder)))
		if (take_node(&node, entry->d_name))
			v3dcl_buffer_add(nodes, &node, sizeof(node));
	if (folder)
		closedir(folder);
	if (nodes->failed)
		return v3dcl_fail(error, -ENOMEM, "no memory");
	if (nodes->size)
		qsort(nodes->bytes, nodes->size / sizeof(node), sizeof(node), by_path);
	return 0;
}

int v3dcl_devices(bool (*each)(void *opaque, const struct v3dcl_node *node), void *opaque,
		  struct v3dcl_error *error)
{
	struct v3dcl_buffer found = { 0 };
	int ret = find_nodes(&found, error), count = 0;
	struct v3dcl_node *nodes = (struct v3dcl_node *)found.bytes;
	size_t i;

	for (i = 0; !ret && i < found.size / sizeof(*nodes); i++) {
		if (!look_at(&nodes[i]))
			continue;
		count++;
		if (each && !each(opaque, &nodes[i]))
			break;
	}
	v3dcl_buffer_free(&found);
	return ret ? ret : count;
}

/* The first that can be opened; the first that cannot says why */
struct first {
	struct v3dcl_device *device;
	struct v3dcl_error error;
};

static bool open_first(void *opaque, const struct v3dcl_node *node)
{
	struct first *first = opaque;

	if (!node->error || !first->error.code)
		open_path(node->path, &first->device, &first->error);
	return !first->device;
}

static int open_any(struct v3dcl_device **device, struct v3dcl_error *error)
{
	struct first first = { .device = NULL };
	int ret = v3dcl_devices(open_first, &first, error);

	if (ret < 0)
		return ret;
	if (first.device) {
		*device = first.device;
		return 0;
	}
	if (!first.error.code)
		return v3dcl_fail(error, -ENODEV,
				  "there is no V3D below " NODES "; sim is one in this process");
	if (error)
		*error = first.error;
	return first.error.code;
}

int v3dcl_open(const char *name, struct v3dcl_device **device, struct v3dcl_error *error)
{
	struct v3dcl_simulator_config config = { .size = sizeof(config) };
	char path[256];

	if (!name)
		return open_any(device, error);
	config.reference = !strcmp(name, "reference");
	if (!strcmp(name, "sim") || config.reference)
		return v3dcl_open_simulator(&config, device, error);
	if (strchr(name, '/'))
		return open_path(name, device, error);
	if (!*name || snprintf(path, sizeof(path), NODES "/%s", name) >= (int)sizeof(path))
		return v3dcl_fail(error, -EINVAL,
				  "a device is sim, reference, a path, or a node's name such as "
				  "renderD128");
	return open_path(path, device, error);
}
