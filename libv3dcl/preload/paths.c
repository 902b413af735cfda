// SPDX-License-Identifier: MIT
/* Which paths lead elsewhere. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload.h"

/* scripts/with-v3d makes what is below */
static const char *root(void)
{
	return getenv("V3D_PRELOAD_ROOT");
}

/* Is path that folder, or in it? */
static bool inside(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return !strncmp(path, folder, len) && (!path[len] || path[len] == '/');
}

static bool ours(const char *path)
{
	if (path[0] != '/' || (path[1] != 'd' && path[1] != 's'))
		return false;
	return inside(path, "/dev/dri") ||
	       !strncmp(path, "/sys/dev/char/226:", strlen("/sys/dev/char/226:")) ||
	       inside(path, "/sys/class/drm") || inside(path, "/sys/devices/platform/v3d") ||
	       inside(path, "/sys/bus/platform/devices/v3d");
}

const char *preload_path(const char *path, char buffer[PATH_MAX])
{
	if (!path || !ours(path) || !root() ||
	    snprintf(buffer, PATH_MAX, "%s%s", root(), path) >= PATH_MAX)
		return path;
	return buffer;
}

enum node preload_node(const char *path)
{
	if (!path || path[0] != '/' || path[1] != 'd')
		return NODE_NONE;
	if (!strcmp(path, CARD_PATH))
		return NODE_CARD;
	return strcmp(path, RENDER_PATH) ? NODE_NONE : NODE_RENDER;
}

void preload_strip(char *path)
{
	size_t len = root() ? strlen(root()) : 0;

	if (len && !strncmp(path, root(), len) && path[len] == '/')
		memmove(path, path + len, strlen(path + len) + 1);
}
