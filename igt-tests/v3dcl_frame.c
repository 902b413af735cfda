// SPDX-License-Identifier: MIT
/*
 * SUBMIT_FRAME: what it refuses, field by field; fences of binning and of rendering; frames that
 * BOs' fences are not for; priorities. What is held up waits for a program of another file, so that
 * "not yet" is a fact.
 */
#include <poll.h>
#include <stdio.h>

#include "v3dcl_drawing.h"
#include "v3dcl_gate.h"

#define MOST_SYNCS 64
#define BINNER_CHUNK (256 << 10)

IGT_TEST_DESCRIPTION("Frames with fences for each stage, explicit ones, and priorities");

/* A frame of one triangle, and a file whose program holds up what waits for @held */
struct held {
	int keeper;
	struct gate gate;
	uint32_t held;			/* of the frame's file: its fence is the gate's */
	struct scene *scene;
	struct drm_v3dcl_submit_frame submit;
};

static uint32_t sync_import(int fd, int sync_file)
{
	struct drm_syncobj_handle import = {
		.handle = sync_create(fd),
		.flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE,
		.fd = sync_file,
	};

	do_ioctl(fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &import);
	return import.handle;
}

static uint32_t gate_sync(int keeper, const struct gate *gate, int fd)
{
	int fence = sync_export_file(keeper, gate->sync);
	uint32_t sync = sync_import(fd, fence);

	close(fence);
	return sync;
}

static struct drm_v3dcl_submit_frame frame_of(struct scene *scene)
{
	return (struct drm_v3dcl_submit_frame){ .frame = scene->frame->r->submit };
}

static struct held held_begin(int fd)
{
	struct held held = { .keeper = drm_open_driver(DRIVER_VC4) };

	held.scene = scene_new(fd, shader_color(fd), 64, 16);
	held.submit = frame_of(held.scene);
	held.gate = gate_shut(held.keeper);
	held.held = gate_sync(held.keeper, &held.gate, fd);
	return held;
}

static void held_end(struct held *held)
{
	sync_destroy(held->scene->fd, held->held);
	gate_free(held->keeper, &held->gate);
	scene_free(held->scene);
	drm_close_driver(held->keeper);
}

static int frame_try(int fd, struct drm_v3dcl_submit_frame *submit)
{
	return igt_ioctl(fd, DRM_IOCTL_V3DCL_SUBMIT_FRAME, submit) ? errno : 0;
}

/* The driver's pool for the binner grows by whole chunks, whenever its worker gets to that */
static void nothing_lost(int fd, uint64_t used)
{
	igt_assert_eq_u64((v3dcl_param(fd, DRM_V3DCL_PARAM_MEMORY_USED) - used) % BINNER_CHUNK, 0);
}

/* The frame, changed in one place */
#define REFUSED(fd, good, error, change) do { \
	struct drm_v3dcl_submit_frame s = good; \
	s.change; \
	igt_assert_f(frame_try(fd, &s) == (error), "%s: errno %d\n", #change, errno); \
} while (0)

static void refused(int fd)
{
	struct scene *scene = scene_new(fd, shader_color(fd), 64, 16);
	struct drm_v3dcl_sync padded = { .handle = sync_create(fd), .pad = 1 };
	struct drm_v3dcl_sync empty = { .handle = padded.handle }, unknown = { .handle = 999 };
	struct drm_v3dcl_submit_frame good = frame_of(scene), renders = good;
	uint64_t used = v3dcl_param(fd, DRM_V3DCL_PARAM_MEMORY_USED);

	REFUSED(fd, good, EINVAL, flags = 2);
	REFUSED(fd, good, EINVAL, priority = 3);
	REFUSED(fd, good, EINVAL, frame.in_sync = empty.handle);
	REFUSED(fd, good, EINVAL, frame.out_sync = empty.handle);
	REFUSED(fd, good, EINVAL, frame.pad2 = 1);
	REFUSED(fd, good, EINVAL, bin.in_sync_count = MOST_SYNCS + 1);
	REFUSED(fd, good, EINVAL, bin.out_sync_count = ~0u);
	REFUSED(fd, good, EINVAL, render.in_sync_count = 1u << 28);
	REFUSED(fd, good, EINVAL, render.out_sync_count = MOST_SYNCS + 1);
	REFUSED(fd, good, ENOENT, frame.perfmonid = 77);
	renders.frame.bin_cl_size = 0;
	REFUSED(fd, renders, EINVAL, bin.in_sync_count = 1);
	REFUSED(fd, renders, EINVAL, bin.out_sync_count = 1);
	good.bin.in_sync_count = 1;
	good.render.out_sync_count = 1;
	good.render.out_syncs = (uintptr_t)&empty;
	REFUSED(fd, good, EINVAL, bin.in_syncs = (uintptr_t)&padded);
	REFUSED(fd, good, EINVAL, bin.in_syncs = (uintptr_t)&empty);
	REFUSED(fd, good, ENOENT, bin.in_syncs = (uintptr_t)&unknown);
	good.bin.in_sync_count = 0;
	REFUSED(fd, good, EINVAL, render.out_syncs = (uintptr_t)&padded);
	REFUSED(fd, good, ENOENT, render.out_syncs = (uintptr_t)&unknown);
	good.bin.out_sync_count = 1;
	REFUSED(fd, good, ENOENT, bin.out_syncs = (uintptr_t)&unknown);
	/* Nothing of all that has touched the syncobj, or left anything in the way of a good one */
	nothing_lost(fd, used);
	igt_assert_eq(sync_wait(fd, empty.handle, 0), EINVAL);
	good.bin.out_syncs = (uintptr_t)&empty;
	igt_assert_eq(frame_try(fd, &good), 0);
	igt_assert_eq(sync_result(fd, empty.handle), 1);
	igt_assert_eq_u32(scene->target.map[0], COLOR);
	sync_destroy(fd, empty.handle);
	scene_free(scene);
}

/* An array of @count entries that cannot be read, or not to its end, in each of the four places */
static void faulting(int fd, const struct drm_v3dcl_submit_frame *good, void *array, uint32_t count)
{
	struct drm_v3dcl_submit_frame each[4] = { *good, *good, *good, *good };
	unsigned int i;

	each[0].bin.in_syncs = each[1].bin.out_syncs = (uintptr_t)array;
	each[2].render.in_syncs = each[3].render.out_syncs = (uintptr_t)array;
	each[0].bin.in_sync_count = each[1].bin.out_sync_count = count;
	each[2].render.in_sync_count = each[3].render.out_sync_count = count;
	for (i = 0; i < ARRAY_SIZE(each); i++)
		igt_assert_eq(frame_try(fd, &each[i]), EFAULT);
}

static void bad_pointers(int fd)
{
	struct scene *scene = scene_new(fd, shader_color(fd), 64, 16);
	struct drm_v3dcl_submit_frame good = frame_of(scene);
	uint64_t used = v3dcl_param(fd, DRM_V3DCL_PARAM_MEMORY_USED);
	long page = sysconf(_SC_PAGESIZE);
	char *map = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			 0);
	struct drm_v3dcl_sync *last = (struct drm_v3dcl_sync *)(map + page) - 1;

	igt_assert(map != MAP_FAILED && !munmap(map + page, page));
	last->handle = sync_create(fd);
	faulting(fd, &good, NULL, 1);
	faulting(fd, &good, map + page, 1);
	faulting(fd, &good, last, 2);
	nothing_lost(fd, used);
	good.render.out_syncs = (uintptr_t)last;
	good.render.out_sync_count = 1;
	igt_assert_eq(frame_try(fd, &good), 0);
	igt_assert_eq(sync_result(fd, last->handle), 1);
	sync_destroy(fd, last->handle);
	munmap(map, page);
	scene_free(scene);
}

/* As many as there may be, in each of the four arrays */
static void arrays(int fd)
{
	struct scene *scene = scene_new(fd, shader_color(fd), 64, 16);
	struct drm_v3dcl_submit_frame first = frame_of(scene), second = first;
	struct drm_v3dcl_sync syncs[2][MOST_SYNCS];
	unsigned int i;

	for (i = 0; i < MOST_SYNCS; i++) {
		syncs[0][i] = (struct drm_v3dcl_sync){ .handle = sync_create(fd) };
		syncs[1][i] = (struct drm_v3dcl_sync){ .handle = sync_create(fd), .point = i };
	}
	first.bin.out_syncs = (uintptr_t)syncs[0];
	first.render.out_syncs = (uintptr_t)syncs[1];
	second.bin.in_syncs = (uintptr_t)syncs[0];
	second.render.in_syncs = (uintptr_t)syncs[1];
	first.bin.out_sync_count = first.render.out_sync_count = MOST_SYNCS;
	second.bin.in_sync_count = second.render.in_sync_count = MOST_SYNCS;
	igt_assert_eq(frame_try(fd, &second), EINVAL);	/* these have no fences yet */
	igt_assert_eq(frame_try(fd, &first), 0);
	igt_assert_eq(frame_try(fd, &second), 0);
	igt_assert_eq(seqno_wait(fd, second.frame.seqno, LONG_WAIT), 0);
	for (i = 0; i < MOST_SYNCS; i++) {
		igt_assert_eq(sync_result(fd, syncs[0][i].handle), 1);
		igt_assert_eq(sync_wait_point(fd, syncs[1][i].handle, i, 0), 0);
		sync_destroy(fd, syncs[0][i].handle);
		sync_destroy(fd, syncs[1][i].handle);
	}
	scene_free(scene);
}

/* Binning does not wait for what rendering waits for, and tells of its end at once */
static void stages(int fd)
{
	struct held held = held_begin(fd);
	struct drm_v3dcl_sync in = { .handle = held.held };
	struct drm_v3dcl_sync binned = { .handle = sync_create(fd) };
	struct drm_v3dcl_sync done = { .handle = sync_create(fd) };

	held.submit.bin = (struct drm_v3dcl_stage){ .out_syncs = (uintptr_t)&binned,
						    .out_sync_count = 1 };
	held.submit.render = (struct drm_v3dcl_stage){
		.in_syncs = (uintptr_t)&in, .in_sync_count = 1,
		.out_syncs = (uintptr_t)&done, .out_sync_count = 1,
	};
	igt_assert_eq(frame_try(fd, &held.submit), 0);
	igt_assert_eq(sync_wait(fd, binned.handle, LONG_WAIT), 0);
	igt_assert_eq(sync_wait(fd, done.handle, 0), ETIME);
	igt_assert_eq(seqno_wait(fd, held.submit.frame.seqno, 0), ETIME);
	igt_assert_eq_u32(held.scene->target.map[0], 0);
	gate_open(&held.gate);
	igt_assert_eq(sync_result(fd, done.handle), 1);
	igt_assert_eq(seqno_wait(fd, held.submit.frame.seqno, LONG_WAIT), 0);
	igt_assert_eq_u32(held.scene->target.map[0], COLOR);
	sync_destroy(fd, binned.handle);
	sync_destroy(fd, done.handle);
	held_end(&held);
}

/* Points of one timeline for both ends; and what binning waits for, rendering does as well */
static void timeline(int fd)
{
	struct held held = held_begin(fd);
	struct drm_v3dcl_sync in = { .handle = held.held };
	struct drm_v3dcl_sync binned = { .handle = sync_create(fd), .point = 1 }, done = binned;
	struct drm_v3dcl_submit_frame beyond = frame_of(held.scene);
	struct drm_v3dcl_sync third = binned;

	done.point = 2;
	/* A point that will come is none yet: not of an empty timeline, not beyond the last one */
	held.submit.render = (struct drm_v3dcl_stage){ .in_syncs = (uintptr_t)&done,
						       .in_sync_count = 1 };
	igt_assert_eq(frame_try(fd, &held.submit), EINVAL);
	held.submit.bin = (struct drm_v3dcl_stage){
		.in_syncs = (uintptr_t)&in, .in_sync_count = 1,
		.out_syncs = (uintptr_t)&binned, .out_sync_count = 1,
	};
	held.submit.render = (struct drm_v3dcl_stage){ .out_syncs = (uintptr_t)&done,
						       .out_sync_count = 1 };
	igt_assert_eq(frame_try(fd, &held.submit), 0);
	igt_assert_eq_u64(sync_query(fd, binned.handle), 0);
	igt_assert_eq(sync_wait_point(fd, binned.handle, 1, 0), ETIME);
	igt_assert_eq(sync_wait_point(fd, binned.handle, 2, 0), ETIME);
	beyond.bin.in_syncs = (uintptr_t)&third;
	beyond.bin.in_sync_count = 1;
	third.point = 3;
	igt_assert_eq(frame_try(fd, &beyond), EINVAL);
	third.point = 2;
	igt_assert_eq(frame_try(fd, &beyond), 0);
	gate_open(&held.gate);
	igt_assert_eq(sync_wait_point(fd, binned.handle, 2, LONG_WAIT), 0);
	igt_assert_eq(seqno_wait(fd, beyond.frame.seqno, LONG_WAIT), 0);
	igt_assert_eq_u64(sync_query(fd, binned.handle), 2);
	igt_assert_eq_u32(held.scene->target.map[0], COLOR);
	sync_destroy(fd, binned.handle);
	held_end(&held);
}

/* poll() on a dma-buf tells of no explicit frame, of others it does; WAIT_BO tells of both */
static void explicit_unseen(int fd)
{
	struct held held = held_begin(fd);
	struct drm_v3dcl_sync in = { .handle = held.held };
	int dma_buf = prime_handle_to_fd(fd, held.scene->target.handle);
	struct pollfd idle = { .fd = dma_buf, .events = POLLOUT };

	held.submit.flags = DRM_V3DCL_FRAME_EXPLICIT;
	held.submit.render = (struct drm_v3dcl_stage){ .in_syncs = (uintptr_t)&in,
						       .in_sync_count = 1 };
	igt_assert_eq(frame_try(fd, &held.submit), 0);
	igt_assert_eq(poll(&idle, 1, 0), 1);
	igt_assert_eq(bo_wait(fd, held.scene->target.handle, 0), ETIME);
	held.submit.flags = 0;
	igt_assert_eq(frame_try(fd, &held.submit), 0);
	igt_assert_eq(poll(&idle, 1, 0), 0);
	gate_open(&held.gate);
	igt_assert_eq(bo_wait(fd, held.scene->target.handle, LONG_WAIT), 0);
	igt_assert_eq(poll(&idle, 1, 0), 1);
	igt_assert_eq_u32(held.scene->target.map[0], COLOR);
	close(dma_buf);
	held_end(&held);
}

/* An explicit frame holds up no other file that uses its BO; WAIT_BO tells of it nevertheless */
static void explicit_fences(int fd)
{
	int other = drm_open_driver(DRIVER_VC4);
	struct held held = held_begin(fd);
	struct drm_v3dcl_sync in = { .handle = held.held };
	int dma_buf = prime_handle_to_fd(fd, held.scene->target.handle);
	struct bo theirs = { .handle = prime_fd_to_handle(other, dma_buf) };
	struct render *clear = render_clear_job(&theirs, 0x01020304);

	held.submit.flags = DRM_V3DCL_FRAME_EXPLICIT;
	held.submit.render = (struct drm_v3dcl_stage){ .in_syncs = (uintptr_t)&in,
						       .in_sync_count = 1 };
	igt_assert_eq(frame_try(fd, &held.submit), 0);
	render_submit(other, clear);
	igt_assert_eq(seqno_wait(other, clear->submit.seqno, LONG_WAIT), 0);
	igt_assert_eq_u32(held.scene->target.map[0], 0x01020304);
	igt_assert_eq(bo_wait(fd, held.scene->target.handle, 0), ETIME);
	gate_open(&held.gate);
	igt_assert_eq(seqno_wait(fd, held.submit.frame.seqno, LONG_WAIT), 0);
	igt_assert_eq_u32(held.scene->target.map[0], COLOR);
	igt_assert_eq(bo_wait(fd, held.scene->target.handle, LONG_WAIT), 0);
	free(clear);
	close(dma_buf);
	held_end(&held);
	drm_close_driver(other);
}

/* An explicit frame does not wait for what another file does with its BO */
static void explicit_waits_not(int fd)
{
	int other = drm_open_driver(DRIVER_VC4);
	struct held held = held_begin(fd);
	int dma_buf = prime_handle_to_fd(fd, held.scene->target.handle);
	struct bo theirs = { .handle = prime_fd_to_handle(other, dma_buf) };
	struct render *clear = render_clear_job(&theirs, 0x01020304);

	clear->submit.in_sync = gate_sync(held.keeper, &held.gate, other);
	render_submit(other, clear);
	held.submit.flags = DRM_V3DCL_FRAME_EXPLICIT;
	igt_assert_eq(frame_try(fd, &held.submit), 0);
	igt_assert_eq(seqno_wait(fd, held.submit.frame.seqno, LONG_WAIT), 0);
	igt_assert_eq_u32(held.scene->target.map[0], COLOR);
	igt_assert_eq(seqno_wait(other, clear->submit.seqno, 0), ETIME);
	gate_open(&held.gate);
	igt_assert_eq(seqno_wait(other, clear->submit.seqno, LONG_WAIT), 0);
	igt_assert_eq_u32(held.scene->target.map[0], 0x01020304);
	free(clear);
	close(dma_buf);
	held_end(&held);
	drm_close_driver(other);
}

/* A file of its own, with a frame that is ready, and not compatible with what runs */
struct rival {
	int fd;
	struct bo target;
	struct render *clear;
	struct drm_v3dcl_sync out;
};

/* Has the arbiter so many jobs for this queue, and does it do that? */
static bool queue_has(int fd, const char *queue, unsigned int ready, const char *state)
{
	char text[4096] = "", is[16], *at;
	unsigned int count;
	int file = igt_debugfs_open(fd, "v3d_queues", O_RDONLY);

	igt_require_f(file >= 0, "no debugfs\n");
	igt_assert_lt(0, read(file, text, sizeof(text) - 1));
	close(file);
	at = strstr(text, queue);
	igt_assert(at && sscanf(at + strlen(queue), ": finished %*u, ready %u, %15[a-z]", &count,
				is) == 2);
	return count == ready && !strcmp(is, state);
}

/* It is the @place-th */
static struct rival rival_begin(uint32_t priority, unsigned int place)
{
	struct rival rival = { .fd = drm_open_driver(DRIVER_VC4) };
	struct drm_v3dcl_submit_frame submit = { .priority = priority };

	rival.target = bo_create(rival.fd, 64 * 64 * 4);
	rival.clear = render_clear_job(&rival.target, COLOR);
	rival.out.handle = sync_create(rival.fd);
	submit.frame = rival.clear->submit;
	submit.render = (struct drm_v3dcl_stage){ .out_syncs = (uintptr_t)&rival.out,
						  .out_sync_count = 1 };
	igt_assert_eq(frame_try(rival.fd, &submit), 0);
	while (!queue_has(rival.fd, "v3d_render", place, "idle"))
		usleep(1000);
	return rival;
}

/* Return: when its frame ended */
static uint64_t rival_end(struct rival *rival)
{
	uint64_t time = sync_time(rival->fd, rival->out.handle);

	igt_assert_eq_u32(rival->target.map[0], COLOR);
	free(rival->clear);
	drm_close_driver(rival->fd);
	return time;
}

/*
 * Counters are counted for one job alone, so all of these wait for the gate at the arbiter: the
 * first one, which is next whatever comes, and of the others the one of high priority, the last
 */
static void priority(int fd)
{
	static const uint32_t priorities[] = { DRM_V3DCL_PRIORITY_NORMAL, DRM_V3DCL_PRIORITY_LOW,
					       DRM_V3DCL_PRIORITY_NORMAL, DRM_V3DCL_PRIORITY_HIGH };
	struct drm_vc4_perfmon_create create = { .ncounters = 1, .events = { 1 } };
	struct rival rivals[ARRAY_SIZE(priorities)];
	uint64_t ends[ARRAY_SIZE(priorities)];
	struct gate gate;
	unsigned int i;

	do_ioctl(fd, DRM_IOCTL_VC4_PERFMON_CREATE, &create);
	gate = gate_shut_counted(fd, create.id);
	while (!queue_has(fd, "v3d_qpu", 0, "running"))
		usleep(1000);
	for (i = 0; i < ARRAY_SIZE(rivals); i++)
		rivals[i] = rival_begin(priorities[i], i + 1);
	igt_assert_eq(sync_wait(fd, gate.sync, 0), ETIME);
	gate_open(&gate);
	for (i = 0; i < ARRAY_SIZE(rivals); i++)
		ends[i] = rival_end(&rivals[i]);
	igt_assert_lt_u64(ends[3], ends[1]);
	igt_assert_lt_u64(ends[3], ends[2]);
	gate_free(fd, &gate);
}

static struct drm_v3dcl_submit_frame as_nobody_submit;

static int try_high(int fd)
{
	as_nobody_submit.priority = DRM_V3DCL_PRIORITY_HIGH;
	if (frame_try(fd, &as_nobody_submit) != EACCES)
		return 1;
	as_nobody_submit.priority = DRM_V3DCL_PRIORITY_LOW;
	return frame_try(fd, &as_nobody_submit) ? 2 : 0;
}

/* High priority takes a privilege; low takes none */
static void needs_nice(int fd)
{
	struct scene *scene = scene_new(fd, shader_color(fd), 64, 16);

	as_nobody_submit = frame_of(scene);
	igt_assert_eq(as_nobody(fd, try_high), 0);
	igt_assert_eq(bo_wait(fd, scene->target.handle, LONG_WAIT), 0);
	scene_free(scene);
}

static const struct subtest tests[] = {
	{ "refused", refused, "Each field that is out of range, which changes nothing" },
	{ "bad-pointers", bad_pointers, "Arrays that cannot be read, or not to their end" },
	{ "arrays", arrays, "As many syncobjs and points as there may be" },
	{ "stages", stages, "Binning ends while rendering waits" },
	{ "timeline", timeline, "Points of a timeline for both stages" },
	{ "unseen", explicit_unseen, "No other waits for an explicit frame, but WAIT_BO" },
	{ "explicit", explicit_fences, "An explicit frame holds up no other file, but WAIT_BO" },
	{ "explicit-waits-not", explicit_waits_not, "It does not wait for another file's frame" },
	{ "priority", priority, "High priority comes first" },
	{ "needs-nice", needs_nice, "High priority takes CAP_SYS_NICE" },
};

V3DCL_MAIN(tests, require_v3dcl)
