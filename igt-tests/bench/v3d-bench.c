// SPDX-License-Identifier: MIT
/*
 * How long a job takes that does next to nothing: in the ioctl and from submit to fence, one at a
 * time, and how many a second when the queue is never empty. A clear of 64 x 64 pixels and a
 * triangle, which every driver of the V3D takes, and with our own an empty program, from one file
 * and from two in turn; then what it costs that the V3D changes hands: rows of the VPM, and
 * registers, are scrubbed. Prints a line each.
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
#include "../v3dcl_drawing.h"

#define JOBS 200
#define IN_FLIGHT 16

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

/* A client that submits: a frame, or an empty program */
struct client {
	int fd;
	struct drm_vc4_submit_cl frame;
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
	must(call(client->fd, DRM_IOCTL_VC4_SUBMIT_CL, &client->frame), "SUBMIT_CL");
	return client->frame.seqno;
}

static void wait_for(struct client *client, uint64_t seqno)
{
	struct drm_vc4_wait_seqno wait = { .seqno = seqno, .timeout_ns = LONG_WAIT };

	must(call(client->fd, DRM_IOCTL_VC4_WAIT_SEQNO, &wait), "WAIT_SEQNO");
}

/* Of JOBS times, sorted by this */
static double percentile(double *times, unsigned int count, unsigned int percent)
{
	qsort(times, count, sizeof(times[0]), by_value);
	return times[count * percent / 100];
}

/* @clients take turns */
static void measure(const char *name, struct client *clients, unsigned int count)
{
	static double in_ioctl[JOBS], to_fence[JOBS];
	uint64_t seqnos[IN_FLIGHT];
	double start, all;
	unsigned int i;

	for (i = 0; i < JOBS; i++) {
		start = now_us();
		seqnos[0] = submit(&clients[i % count]);
		in_ioctl[i] = now_us() - start;
		wait_for(&clients[i % count], seqnos[0]);
		to_fence[i] = now_us() - start;
	}
	start = now_us();
	for (i = 0; i < JOBS + IN_FLIGHT; i++) {
		if (i >= IN_FLIGHT)
			wait_for(&clients[i % count], seqnos[i % IN_FLIGHT]);
		if (i < JOBS)
			seqnos[i % IN_FLIGHT] = submit(&clients[i % count]);
	}
	all = now_us() - start;
	printf("%-40s in the ioctl %7.1f us, to the fence %7.1f us (99%% below %8.1f us); %8.0f "
	       "jobs/s\n",
	       name, percentile(in_ioctl, JOBS, 50), percentile(to_fence, JOBS, 50),
	       percentile(to_fence, JOBS, 99), JOBS / (all / 1e6));
	fflush(stdout);
}

/*
 * Two jobs of one file, two of the other, and so on: before each second one, the driver has
 * scrubbed what the other file's programs or shaders may have left. What it costs is what this
 * makes of a job's time.
 */
static void measure_scrub(const char *what, struct client *clients)
{
	static double times[2][JOBS];	/* the same file again; another one */
	double start, same, other;
	unsigned int i;

	for (i = 0; i < 2 * JOBS; i++) {
		struct client *client = &clients[i / 2 % 2];

		start = now_us();
		wait_for(client, submit(client));
		times[!(i % 2)][i / 2] = now_us() - start;
	}
	same = percentile(times[0], JOBS, 50);
	other = percentile(times[1], JOBS, 50);
	printf("%-40s %7.1f us (to the fence %7.1f us, for the same file again %7.1f us)\n", what,
	       other - same, other, same);
}

static void make_clear(struct client *client)
{
	const struct drm_vc4_submit_rcl_surface none = { .hindex = ~0u };
	struct drm_vc4_create_bo create = { .size = 64 * 64 * 4 };

	must(call(client->fd, DRM_IOCTL_VC4_CREATE_BO, &create), "CREATE_BO");
	client->handle = create.handle;
	client->frame = (struct drm_vc4_submit_cl){
		.bo_handles = (uintptr_t)&client->handle,
		.bo_handle_count = 1,
		.width = 64,
		.height = 64,
		.color_read = none,
		.zs_read = none,
		.zs_write = none,
		.msaa_color_write = none,
		.msaa_zs_write = none,
		.color_write = { .bits = 1 << 2 },
		.flags = VC4_SUBMIT_CL_USE_CLEAR_COLOR,
	};
}

/*
 * Like shader_color(), by two moves under opposite conditions: no check can tell that together they
 * write all elements
 */
static uint32_t shader_select(int fd)
{
	uint64_t code[16];
	struct qb b;

	qb_init(&b, code, ARRAY_SIZE(code));
	qb_emit(&b, qb_flags(qb_mov(QB_R0, QB_UNIF)));
	qb_emit(&b, qb_if(V3D_QPU_COND_ZS, qb_mov(QB_R1, QB_R0)));
	qb_emit(&b, qb_if(V3D_QPU_COND_ZC, qb_mov(QB_R1, QB_R0)));
	qb_end_color(&b, QB_R1);
	return shader_create(fd, &b);
}

/* Three vertices, one primitive, four tiles */
static void make_triangle(struct client *client, uint32_t (*fragment_shader)(int fd))
{
	struct bo target = bo_create(client->fd, 128 * 128 * 4),
		  vertices = bo_create(client->fd, 4096);
	struct vertex *v = (struct vertex *)vertices.map;
	uint32_t shaders[DRAWING_SHADERS];

	make_shaders_with(client->fd, fragment_shader(client->fd), shaders);
	client->program_wanted = false;
	v[0] = vertex_at(16, 16);
	v[1] = vertex_at(112, 16);
	v[2] = vertex_at(16, 112);
	client->frame = drawing_new(shaders, &target, 128, 128, &vertices, 3)->r->submit;
}

/* The driver takes the frame: mainline takes no record 104, which these lists have */
static bool taken(struct client *client)
{
	int error = call(client->fd, DRM_IOCTL_VC4_SUBMIT_CL, &client->frame);

	if (error == EINVAL)
		return false;
	must(error, "SUBMIT_CL");
	wait_for(client, client->frame.seqno);
	return true;
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
	make_triangle(&clients[0], shader_color);
	if (taken(&clients[0]))
		measure("a triangle in 128 x 128", clients, 1);
	if (call(clients[0].fd, DRM_IOCTL_V3DCL_GET_PARAM, &version))
		return 0;
	make_empty(&clients[0]);
	make_empty(&clients[1]);
	measure("an empty program, one file", clients, 1);
	measure("an empty program, two files in turn", clients, 2);
	measure_scrub("scrubbing the VPM for another file", clients);
	make_triangle(&clients[0], shader_select);
	make_triangle(&clients[1], shader_select);
	measure_scrub("scrubbing registers for another file", clients);
	return 0;
}
