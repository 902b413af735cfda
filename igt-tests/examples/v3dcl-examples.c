// SPDX-License-Identifier: MIT
/*
 * The examples on the V3D of a machine: each does what it expects of itself, and what it saves goes
 * to a folder, as bytes, so that another program can compare them with another V3D's. TAP. What the
 * device refuses an ordinary user is no failure for him: it is named on a line
 * "# needs root: FILE".
 *
 *	v3dcl-examples sim|/dev/dri/NODE FOLDER FILE...
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/stat.h>

#include "v3dcl_text.h"

#define NAME_ROOM 1024

/* An example that runs: its name without folder and .v3d, and where what it saves goes */
struct example {
	char name[NAME_ROOM], folder[NAME_ROOM];
	struct v3dcl_error error;
};

static int failed(struct example *example, int error, const char *what)
{
	snprintf(example->error.text, sizeof(example->error.text), "%.400s: %s", what,
		 strerror(-error));
	return error;
}

static int save(void *opaque, const struct v3dcl_saved *saved)
{
	struct example *example = opaque;
	char path[2 * NAME_ROOM];
	FILE *file;
	bool good;

	snprintf(path, sizeof(path), "%s/%s.bin", example->folder, saved->name);
	file = fopen(path, "wb");
	if (!file)
		return failed(example, -errno, path);
	good = fwrite(saved->bytes, 1, saved->size, file) == saved->size;
	return fclose(file) || !good ? failed(example, -EIO, path) : 0;
}

static int open_device(struct example *example, const char *name, struct v3dcl_device **device)
{
	const struct v3dcl_simulator_config config = { .size = sizeof(config), .unverified = true };
	int fd, ret;

	if (!strcmp(name, "sim"))
		return v3dcl_open_simulator(&config, device, &example->error);
	fd = open(name, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return failed(example, -errno, name);
	ret = v3dcl_open_drm(fd, device, &example->error);
	close(fd);
	return ret;
}

static int read_script(struct example *example, const char *path, struct v3dcl_script **script)
{
	FILE *file = fopen(path, "rb");
	struct stat info;
	char *text;
	int ret;

	if (!file || fstat(fileno(file), &info)) {
		ret = failed(example, -errno, path);
		if (file)
			fclose(file);
		return ret;
	}
	text = malloc(info.st_size + 1);
	if (text && fread(text, 1, info.st_size, file) == (size_t)info.st_size)
		ret = v3dcl_script_read(path, text, info.st_size, NULL, 0, script, &example->error);
	else
		ret = failed(example, -EIO, path);
	free(text);
	fclose(file);
	return ret;
}

static int run(struct example *example, const char *device_name, const char *path)
{
	const struct v3dcl_run_options options = { .size = sizeof(options), .saved = save,
						   .opaque = example };
	struct v3dcl_device *device = NULL;
	struct v3dcl_script *script = NULL;
	int ret = read_script(example, path, &script);

	if (!ret && mkdir(example->folder, 0777) && errno != EEXIST)
		ret = failed(example, -errno, example->folder);
	if (!ret)
		ret = open_device(example, device_name, &device);
	if (!ret)
		ret = v3dcl_script_run(script, device, &options, &example->error);
	v3dcl_close(device);
	v3dcl_script_free(script);
	return ret;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

static void tell(struct example *example, const char *path, int ret, double seconds)
{
	char *line;

	if (ret == -EACCES && geteuid()) {
		rmdir(example->folder);
		printf("# needs root: %s\n", path);
		return;
	}
	printf("%sok %s, %s # time=%.2f\n", ret ? "not " : "", example->name,
	       geteuid() ? "as an ordinary user" : "as root", seconds);
	for (line = ret ? strtok(example->error.text, "\n") : NULL; line; line = strtok(NULL, "\n"))
		printf("# %s\n", line);
}

int main(int argc, char **argv)
{
	static struct example example;
	int i, ret, status = 0;
	double start;
	char *end;

	if (argc < 4) {
		fprintf(stderr, "usage: v3dcl-examples sim|/dev/dri/NODE FOLDER FILE...\n");
		return 2;
	}
	for (i = 3; i < argc; i++) {
		char *copy = strdup(argv[i]);

		memset(&example, 0, sizeof(example));
		snprintf(example.name, sizeof(example.name), "%s", copy ? basename(copy) : argv[i]);
		free(copy);
		end = strstr(example.name, ".v3d");
		if (end)
			*end = 0;
		snprintf(example.folder, sizeof(example.folder), "%.900s/%.100s", argv[2],
			 example.name);
		start = now();
		ret = run(&example, argv[1], argv[i]);
		tell(&example, argv[i], ret, now() - start);
		fflush(stdout);
		status |= ret && (ret != -EACCES || !geteuid());
	}
	return status;
}
