// SPDX-License-Identifier: MIT
/* Files that a text names, relative to its own folder. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "script.h"

static char *beside(const char *script, const char *name)
{
	const char *slash = script && name[0] != '/' ? strrchr(script, '/') : NULL;
	size_t folder = slash ? slash + 1 - script : 0;
	char *path = malloc(folder + strlen(name) + 1);

	if (!path)
		return NULL;
	if (folder)
		memcpy(path, script, folder);
	strcpy(path + folder, name);
	return path;
}

static bool may_be_read(struct script_reader *r, const struct stat *info, const char *name,
			const char *at)
{
	if (!S_ISREG(info->st_mode))
		script_fail(r, -EINVAL, at, "%s is no file: a folder, a device or a pipe", name);
	else if (info->st_size > V3DCL_MOST_TEXT)
		script_fail(r, -EINVAL, at,
			    "%s has more than %u MiB, which is the most a file of a job may have",
			    name, V3DCL_MOST_TEXT >> 20);
	return !r->lang.status;
}

/* Return: bytes that came, fewer than @most at the end of the file; below 0: see errno */
static ssize_t read_up_to(int fd, uint8_t *bytes, size_t most)
{
	size_t have = 0;
	ssize_t n;

	do {
		n = read(fd, bytes + have, most - have);
		have += n > 0 ? n : 0;
	} while (n > 0 && have < most);
	return n < 0 ? n : (ssize_t)have;
}

static uint8_t *read_all(struct script_reader *r, int fd, const char *name, const char *at,
			 size_t *size)
{
	struct stat info;
	uint8_t *bytes;
	ssize_t n;

	if (fstat(fd, &info)) {
		script_fail(r, -errno, at, "%s: %s", name, strerror(errno));
		return NULL;
	}
	if (!may_be_read(r, &info, name, at))
		return NULL;
	bytes = malloc(info.st_size + 1);
	if (!bytes) {
		script_out_of_memory(r);
		return NULL;
	}
	n = read_up_to(fd, bytes, info.st_size);
	if (n < 0) {
		script_fail(r, -errno, at, "%s: %s", name, strerror(errno));
		free(bytes);
		return NULL;
	}
	*size = n;
	return bytes;
}

/**
 * script_read_file() - the bytes of a file.
 * @at: where the text names it.
 *
 * Return: the caller's, or NULL
 */
uint8_t *script_read_file(struct script_reader *r, const char *at, const char *name, size_t *size)
{
	uint8_t *bytes = NULL;
	char *path;
	int fd;

	if (r->lang.status)
		return NULL;
	path = beside(r->script->name, name);
	if (!path) {
		script_out_of_memory(r);
		return NULL;
	}
	/* A pipe without a writer would be waited for */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0) {
		bytes = read_all(r, fd, path, at, size);
		close(fd);
	} else {
		script_fail(r, -errno, at, "%s: %s", path, strerror(errno));
	}
	free(path);
	return bytes;
}
