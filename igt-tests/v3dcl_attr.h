/* SPDX-License-Identifier: MIT */
/* What root sets for a device: files in its folder of sysfs. */
#ifndef V3DCL_ATTR_H
#define V3DCL_ATTR_H

#include <sys/sysmacros.h>

#include "v3dcl_igt.h"

static inline void attr_path(int fd, const char *name, char *path, size_t size)
{
	struct stat st;

	igt_assert_eq(fstat(fd, &st), 0);
	snprintf(path, size, "/sys/dev/char/%u:%u/device/%s", major(st.st_rdev),
		 minor(st.st_rdev), name);
}

static inline unsigned int attr_get(int fd, const char *name)
{
	unsigned int value = 0;
	char path[128];
	FILE *file;

	attr_path(fd, name, path, sizeof(path));
	file = fopen(path, "r");
	igt_require_f(file, "no %s\n", path);
	igt_assert_eq(fscanf(file, "%u", &value), 1);
	fclose(file);
	return value;
}

/* Return: 0 or an errno */
static inline int attr_try(int fd, const char *name, const char *text)
{
	char path[128];
	int file, error;

	attr_path(fd, name, path, sizeof(path));
	file = open(path, O_WRONLY);
	igt_require_f(file >= 0, "needs root\n");
	error = write(file, text, strlen(text)) < 0 ? errno : 0;
	close(file);
	return error;
}

static inline void attr_set(int fd, const char *name, unsigned int value)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", value);
	igt_assert_eq(attr_try(fd, name, text), 0);
	igt_assert_eq_u32(attr_get(fd, name), value);
}

#endif /* V3DCL_ATTR_H */
