// SPDX-License-Identifier: MIT
/* Files that a text names, relative to its own folder. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

static uint8_t *read_all(struct script_reader *r, FILE *file, const char *name, const char *at,
			 size_t *size)
{
	struct stat info;
	uint8_t *bytes;

	if (fstat(fileno(file), &info) || !S_ISREG(info.st_mode) ||
	    info.st_size > SCRIPT_MOST_SOURCE) {
		script_fail(r, -EINVAL, at, "%s is no file, or has more than %u MiB", name,
			    SCRIPT_MOST_SOURCE >> 20);
		return NULL;
	}
	bytes = malloc(info.st_size + 1);
	if (!bytes) {
		script_out_of_memory(r);
		return NULL;
	}
	*size = fread(bytes, 1, info.st_size, file);
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
	FILE *file;
	char *path;

	if (r->lang.status)
		return NULL;
	path = beside(r->script->name, name);
	if (!path) {
		script_out_of_memory(r);
		return NULL;
	}
	file = fopen(path, "rb");
	if (file) {
		bytes = read_all(r, file, path, at, size);
		fclose(file);
	} else {
		script_fail(r, -errno, at, "%s: %s", path, strerror(errno));
	}
	free(path);
	return bytes;
}
