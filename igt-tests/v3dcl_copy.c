// SPDX-License-Identifier: MIT
/*
 * Who copies pictures to the screen: the V3D those in T-format, and the processor what the V3D
 * cannot, or does not come to. All pixels are seen either way.
 */
#include "v3dcl_gate.h"
#include "v3dcl_screen.h"

IGT_TEST_DESCRIPTION("Copies to the screen by the V3D, and without it");

#define SCREEN "v3d_screen"

static unsigned long long by_v3d(const struct pipe *pipe)
{
	return debugfs_number(pipe->fd, SCREEN, "copied by the V3D: ");
}

static unsigned long long by_processor(const struct pipe *pipe)
{
	return debugfs_number(pipe->fd, SCREEN, "copied by the processor: ");
}

/* From here on it fails, so many times (-1: always; 0: no more) */
static void order(const struct pipe *pipe, const char *fault, const char *times)
{
	const char *const set[][2] = {
		{ "verbose", "0" }, { "times", times },
		{ "probability", strcmp(times, "0") ? "100" : "0" },
	};
	char path[64];
	int file;

	for (unsigned int i = 0; i < ARRAY_SIZE(set); i++) {
		snprintf(path, sizeof(path), "%s/%s", fault, set[i][0]);
		file = igt_debugfs_open(pipe->fd, path, O_WRONLY);
		igt_require_f(file >= 0, "the kernel has no fault injection\n");
		igt_assert_lt(0, write(file, set[i][1], strlen(set[i][1])));
		close(file);
	}
}

static void tiled_by_v3d(const struct pipe *pipe)
{
	struct picture pictures[2];
	unsigned long long v3d, processor;
	unsigned int i;

	for (i = 0; i < 2; i++)
		new_tiled(pipe, &pictures[i], i);
	show(pipe, &pictures[1]);
	v3d = by_v3d(pipe);
	processor = by_processor(pipe);
	for (i = 0; i < 6; i++) {
		flip(pipe, &pictures[i % 2]);
		expect_seen(pipe, i % 2, false);
	}
	/* A busy host may be too late with one */
	igt_assert_eq_u64(by_v3d(pipe) + by_processor(pipe), v3d + processor + 6);
	igt_assert_lte_u64(v3d + 3, by_v3d(pipe));
	switch_off(pipe);
	for (i = 0; i < 2; i++)
		free_picture(pipe, &pictures[i]);
}

/* Tiles that have a part in what changed are copied whole; what did not change is as it was */
static void part_of_tiles(const struct pipe *pipe)
{
	struct drm_clip_rect clip = { .x1 = 33, .y1 = 31, .x2 = 100, .y2 = 97 };
	struct drm_mode_fb_dirty_cmd dirty = { .num_clips = 1, .clips_ptr = (uintptr_t)&clip };
	struct picture picture;
	unsigned int i;

	new_tiled(pipe, &picture, 2);
	show(pipe, &picture);
	dirty.fb_id = picture.fb;
	for (i = 0; i < 4; i++) {
		do_ioctl(pipe->fd, DRM_IOCTL_MODE_DIRTYFB, &dirty);
		expect_seen(pipe, 2, false);
	}
	switch_off(pipe);
	free_picture(pipe, &picture);
}

/* A flip that the V3D does not end: the processor copies, and no client is blamed for it */
static void without_v3d(const struct pipe *pipe, const char *fault, const char *times)
{
	uint64_t guilty = v3dcl_param(pipe->fd, DRM_V3DCL_PARAM_GUILTY);
	unsigned long long processor;
	struct picture pictures[2];
	unsigned int i;

	for (i = 0; i < 2; i++)
		new_tiled(pipe, &pictures[i], 3 + i);
	show(pipe, &pictures[0]);
	processor = by_processor(pipe);
	/* Until it sleeps */
	sleep(2);
	order(pipe, fault, times);
	flip(pipe, &pictures[1]);
	order(pipe, fault, "0");
	expect_seen(pipe, 4, false);
	igt_assert_eq_u64(by_processor(pipe), processor + 1);
	igt_assert_eq_u64(v3dcl_param(pipe->fd, DRM_V3DCL_PARAM_GUILTY), guilty);
	flip(pipe, &pictures[0]);
	expect_seen(pipe, 3, false);
	switch_off(pipe);
	for (i = 0; i < 2; i++)
		free_picture(pipe, &pictures[i]);
}

/* As many as the driver lets wait, and the one that is seen, and one that goes just now */
#define KEPT_PICTURES (8 + 2)

/* Nothing starts beside a job that counts: copies are called off, and keep few pictures */
static void called_off(const struct pipe *pipe)
{
	struct drm_vc4_perfmon_create create = { .ncounters = 1, .events = { 1 } };
	uint64_t before = v3dcl_param(pipe->fd, DRM_V3DCL_PARAM_MEMORY_USED);
	struct picture pictures[KEPT_PICTURES + 6], *last = &pictures[ARRAY_SIZE(pictures) - 1];
	struct gate gate;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pictures); i++)
		new_tiled(pipe, &pictures[i], i);
	show(pipe, &pictures[0]);
	do_ioctl(pipe->fd, DRM_IOCTL_VC4_PERFMON_CREATE, &create);
	gate = gate_shut_counted(pipe->fd, create.id);
	for (i = 1; i < ARRAY_SIZE(pictures); i++) {
		flip(pipe, &pictures[i]);
		free_picture(pipe, &pictures[i - 1]);
	}
	igt_assert_eq(sync_wait(pipe->fd, gate.sync, 0), ETIME);
	igt_assert_lt_u64(v3dcl_param(pipe->fd, DRM_V3DCL_PARAM_MEMORY_USED),
			  before + (KEPT_PICTURES + 1) * last->size);
	gate_open(&gate);
	for (i = 0; i < 200 && v3dcl_param(pipe->fd, DRM_V3DCL_PARAM_MEMORY_USED) >
			       before + 2 * last->size; i++)
		usleep(50000);
	igt_assert_lt_u64(v3dcl_param(pipe->fd, DRM_V3DCL_PARAM_MEMORY_USED),
			  before + 2 * last->size);
	gate_free(pipe->fd, &gate);
	expect_seen(pipe, ARRAY_SIZE(pictures) - 1, false);
	switch_off(pipe);
	free_picture(pipe, last);
}

v3dcl_main()
{
	static struct pipe pipe;

	v3dcl_fixture() {
		screen_require();
		open_pipe(&pipe);
	}

	igt_describe("The V3D copies pictures in T-format");
	igt_subtest("tiled")
		tiled_by_v3d(&pipe);
	igt_describe("A part of one");
	igt_subtest("part")
		part_of_tiles(&pipe);
	igt_describe("A copy that the V3D does not see started: a reset, and the processor copies");
	igt_subtest("lost-start")
		without_v3d(&pipe, "fail_start", "1");
	igt_describe("A V3D that others have for long: copies that wait for it keep few pictures");
	igt_subtest("called-off")
		called_off(&pipe);
	igt_describe("A V3D that does not wake up");
	igt_subtest("no-power")
		without_v3d(&pipe, "fail_power", "-1");

	v3dcl_fixture()
		close(pipe.fd);
}
