// SPDX-License-Identifier: MIT
/* The display, judged by what is seen on the machine's screen */
#include "v3dcl_screen.h"

IGT_TEST_DESCRIPTION("The display: what is seen after a flip");

static void three_flips(const struct pipe *pipe, uint32_t format)
{
	struct picture pictures[4];
	unsigned int i;

	for (i = 0; i < 4; i++) {
		new_picture(pipe, &pictures[i], format);
		paint(&pictures[i], i);
		add_picture(pipe, &pictures[i]);
	}
	show(pipe, &pictures[0]);
	expect_seen(pipe, 0, format == DRM_FORMAT_RGB565);
	for (i = 1; i < 4; i++) {
		flip(pipe, &pictures[i]);
		expect_seen(pipe, i, format == DRM_FORMAT_RGB565);
	}
	switch_off(pipe);
	for (i = 0; i < 4; i++)
		free_picture(pipe, &pictures[i]);
}

static void tiled(const struct pipe *pipe)
{
	struct picture pictures[3];
	unsigned int i;

	for (i = 0; i < 3; i++)
		new_tiled(pipe, &pictures[i], 7 + i);
	show(pipe, &pictures[0]);
	expect_seen(pipe, 7, false);
	for (i = 1; i < 3; i++) {
		flip(pipe, &pictures[i]);
		expect_seen(pipe, 7 + i, false);
	}
	switch_off(pipe);
	for (i = 0; i < 3; i++)
		free_picture(pipe, &pictures[i]);
}

/* A part of a larger picture, then another part; and what is told to have changed in it */
static void panned(const struct pipe *pipe)
{
	struct drm_clip_rect clip = { 0 };
	struct drm_mode_fb_dirty_cmd dirty = { .num_clips = 1, .clips_ptr = (uintptr_t)&clip };
	struct picture picture;

	new_larger(pipe, &picture, DRM_FORMAT_XRGB8888, 72, 40);
	paint(&picture, 3);
	add_picture(pipe, &picture);
	show_panned(pipe, &picture, 7, 40);
	expect_panned(pipe, 3, 7, 40, false);
	show_panned(pipe, &picture, 72, 1);
	expect_panned(pipe, 3, 72, 1, false);
	paint(&picture, 4);
	clip.x2 = picture.width;
	clip.y2 = picture.height;
	dirty.fb_id = picture.fb;
	do_ioctl(pipe->fd, DRM_IOCTL_MODE_DIRTYFB, &dirty);
	expect_panned(pipe, 4, 72, 1, false);
	switch_off(pipe);
	free_picture(pipe, &picture);
}

/* Each part that changed is told of alone, and the two screens take turns */
static void damage(const struct pipe *pipe)
{
	uint32_t width = pipe->mode.hdisplay, y, x;
	struct picture picture;

	new_picture(pipe, &picture, DRM_FORMAT_XRGB8888);
	paint(&picture, 1);
	add_picture(pipe, &picture);
	show(pipe, &picture);
	for (y = 0; y < 4; y++) {
		struct drm_clip_rect clip = { .x1 = 0, .y1 = y * 100, .x2 = width,
					      .y2 = y < 3 ? y * 100 + 100 : pipe->mode.vdisplay };
		struct drm_mode_fb_dirty_cmd dirty = { .fb_id = picture.fb, .num_clips = 1,
						       .clips_ptr = (uintptr_t)&clip };
		uint32_t row;

		for (row = clip.y1; row < clip.y2; row++)
			for (x = 0; x < width; x++)
				((uint32_t *)(picture.map + row * picture.pitch))[x] =
					pixel_of(5, x, row);
		do_ioctl(pipe->fd, DRM_IOCTL_MODE_DIRTYFB, &dirty);
	}
	expect_seen(pipe, 5, false);
	switch_off(pipe);
	free_picture(pipe, &picture);
}

static void black(const struct pipe *pipe)
{
	uint32_t *none = calloc(pixels_of(pipe), 4);
	struct picture picture;

	igt_assert(none);
	new_picture(pipe, &picture, DRM_FORMAT_XRGB8888);
	paint(&picture, 2);
	add_picture(pipe, &picture);
	show(pipe, &picture);
	switch_off(pipe);
	expect_pixels(pipe, none);
	free(none);
	free_picture(pipe, &picture);
}

/* ADDFB2's arguments, one of which is wrong */
static void refused(const struct pipe *pipe)
{
	struct picture picture;
	struct drm_mode_fb_cmd2 right, fb;

	new_picture(pipe, &picture, DRM_FORMAT_XRGB8888);
	right = (struct drm_mode_fb_cmd2){
		.width = pipe->mode.hdisplay, .height = pipe->mode.vdisplay,
		.pixel_format = DRM_FORMAT_XRGB8888, .handles = { picture.handle },
		.pitches = { picture.pitch }, .flags = DRM_MODE_FB_MODIFIERS,
	};
	fb = right;
	fb.height = picture.size / picture.pitch + 1;
	do_ioctl_err(pipe->fd, DRM_IOCTL_MODE_ADDFB2, &fb, EINVAL);
	fb = right;
	fb.offsets[0] = picture.size - picture.pitch * (pipe->mode.vdisplay - 1);
	do_ioctl_err(pipe->fd, DRM_IOCTL_MODE_ADDFB2, &fb, EINVAL);
	fb = right;
	fb.modifier[0] = DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED;
	fb.height = picture.size / picture.pitch / 32 * 32 + 1;
	do_ioctl_err(pipe->fd, DRM_IOCTL_MODE_ADDFB2, &fb, EINVAL);
	fb = right;
	fb.modifier[0] = DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED;
	fb.width = 16;
	fb.pitches[0] = 64;
	do_ioctl_err(pipe->fd, DRM_IOCTL_MODE_ADDFB2, &fb, EINVAL);
	fb = right;
	fb.modifier[0] = DRM_FORMAT_MOD_BROADCOM_SAND128;
	do_ioctl_err(pipe->fd, DRM_IOCTL_MODE_ADDFB2, &fb, EINVAL);
	add_picture(pipe, &picture);
	free_picture(pipe, &picture);
}

v3dcl_main()
{
	static struct pipe pipe;

	v3dcl_fixture() {
		screen_require();
		open_pipe(&pipe);
	}

	igt_describe("Three flips, each with its event, and all pixels seen after each");
	igt_subtest("flips-xrgb8888")
		three_flips(&pipe, DRM_FORMAT_XRGB8888);
	igt_describe("Colours that alpha was multiplied into are seen as they are");
	igt_subtest("flips-argb8888")
		three_flips(&pipe, DRM_FORMAT_ARGB8888);
	igt_subtest("flips-rgb565")
		three_flips(&pipe, DRM_FORMAT_RGB565);
	igt_describe("What the V3D stores in T-format");
	igt_subtest("t-tiled")
		tiled(&pipe);
	igt_describe("Parts that change one after the other");
	igt_subtest("damage")
		damage(&pipe);
	igt_describe("A part of a picture that is larger than the screen");
	igt_subtest("panned")
		panned(&pipe);
	igt_describe("A screen that is switched off is black");
	igt_subtest("black")
		black(&pipe);
	igt_describe("Frame buffers beyond their BOs");
	igt_subtest("refused")
		refused(&pipe);

	v3dcl_fixture()
		close(pipe.fd);
}
