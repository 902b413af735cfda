// SPDX-License-Identifier: MIT
/*
 * How long a job takes that does next to nothing: from submit to fence, one at a time, and how many a second when the queue is
 * never empty. A clear of 64 x 64 pixels, which every driver of the V3D takes, and with our own an empty program, from one file and
 * from two in turn. Prints a line each.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <drm/v3dcl_drm.h>

#include "../ioctl.h"
#include "v3dcl_qpu_build.h"

#define JOBS 500
#define IN_FLIGHT 16
#define LONG_WAIT 20000000000ull

static void must(int error, const char *what)
{
	if (!error)
		return;
	fprintf(stderr, "v3d-bench: %s: %s\n", what, strerror(error));
	exit(1);
}

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static int by_value(const void *a, const void *b)
{
	const double *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

/* Somebody who submits: a clear, or an empty program */
struct client {
	int fd;
	struct drm_vc4_submit_cl clear;
	struct drm_v3dcl_submit_qpu empty;
	struct drm_v3dcl_program program;
	uint32_t handle;
	bool program_wanted;
};

static uint64_t submit(struct client *client)
{
	if (client->program_wanted) {
		must(call(client->fd, DRM_IOCTL_V3DCL_SUBMIT_QPU, &client->empty), "SUBMIT_QPU");
		return client->empty.seqno;
	}
	must(call(client->fd, DRM_IOCTL_VC4_SUBMIT_CL, &client->clear), "SUBMIT_CL");
	return client->clear.seqno;
}

static void wait_for(struct client *client, uint64_t seqno)
{
	struct drm_vc4_wait_seqno wait = { .seqno = seqno, .timeout_ns = LONG_WAIT };

	must(call(client->fd, DRM_IOCTL_VC4_WAIT_SEQNO, &wait), "WAIT_SEQNO");
}

/* @clients take turns */
static void measure(const char *name, struct client *clients, unsigned int count)
{
	static double times[JOBS];
	uint64_t seqnos[IN_FLIGHT];
	double start, all;
	unsigned int i;

	for (i = 0; i < JOBS; i++) {
		start = now_us();
		wait_for(&clients[i % count], submit(&clients[i % count]));
		times[i] = now_us() - start;
	}
	qsort(times, JOBS, sizeof(times[0]), by_value);
	start = now_us();
	for (i = 0; i < JOBS + IN_FLIGHT; i++) {
		if (i >= IN_FLIGHT)
			wait_for(&clients[i % count], seqnos[i % IN_FLIGHT]);
		if (i < JOBS)
			seqnos[i % IN_FLIGHT] = submit(&clients[i % count]);
	}
	all = now_us() - start;
	printf("%-40s submit to fence, median %7.1f us, 99%% below %8.1f us; %8.0f jobs/s\n", name, times[JOBS / 2],
	       times[JOBS * 99 / 100], JOBS / (all / 1e6));
	fflush(stdout);
}

static void make_clear(struct client *client)
{
	const struct drm_vc4_submit_rcl_surface none = { .hindex = ~0u };
	struct drm_vc4_create_bo create = { .size = 64 * 64 * 4 };

	must(call(client->fd, DRM_IOCTL_VC4_CREATE_BO, &create), "CREATE_BO");
	client->handle = create.handle;
	client->clear = (struct drm_vc4_submit_cl) {
		.bo_handles = (uintptr_t)&client->handle, .bo_handle_count = 1, .width = 64, .height = 64, .color_read = none,
		.zs_read = none, .zs_write = none, .msaa_color_write = none, .msaa_zs_write = none,
		.color_write = { .bits = 1 << 2 }, .flags = VC4_SUBMIT_CL_USE_CLEAR_COLOR,
	};
}

static void make_empty(struct client *client)
{
	struct drm_v3dcl_create_program create = { 0 };
	uint64_t code[4];
	struct qb b;

	qb_init(&b, code, 4);
	qb_end(&b);
	create.code = (uintptr_t)code;
	create.size = b.count * sizeof(code[0]);
	must(call(client->fd, DRM_IOCTL_V3DCL_CREATE_PROGRAM, &create), "CREATE_PROGRAM");
	client->program.handle = create.handle;
	client->empty.programs = (uintptr_t)&client->program;
	client->empty.program_count = 1;
	client->program_wanted = true;
}

/* Nodes are numbered by when their drivers came; ours and the kernel's are both called vc4 */
static int open_v3d(void)
{
	struct drm_vc4_get_param ident = { .param = DRM_VC4_PARAM_V3D_IDENT0 };
	char path[32];
	int i, fd;

	for (i = 128; i < 132; i++) {
		snprintf(path, sizeof(path), "/dev/dri/renderD%d", i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd >= 0 && !call(fd, DRM_IOCTL_VC4_GET_PARAM, &ident))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	fprintf(stderr, "v3d-bench: no V3D\n");
	exit(1);
}

int main(void)
{
	struct drm_v3dcl_get_param version = { .param = DRM_V3DCL_PARAM_VERSION };
	struct client clients[2] = { { .fd = open_v3d() }, { .fd = open_v3d() } };

	make_clear(&clients[0]);
	measure("a clear of 64 x 64", clients, 1);
	if (call(clients[0].fd, DRM_IOCTL_V3DCL_GET_PARAM, &version))
		return 0;
	make_empty(&clients[0]);
	make_empty(&clients[1]);
	measure("an empty program, one file", clients, 1);
	measure("an empty program, two files in turn", clients, 2);
	return 0;
}
