// SPDX-License-Identifier: MIT
/*
 * The display, on bare ioctls, judged by what is seen on the machine's screen: V3D_SCREEN names a
 * file that has it, rows of XRGB8888 without anything between them.
 */
#include "v3dcl_igt.h"

#include <drm_fourcc.h>
#include <drm_mode.h>

IGT_TEST_DESCRIPTION("The display: what is seen after a flip");

/* The pipe, and its mode */
struct pipe {
	int fd;
	uint32_t crtc, connector;
	struct drm_mode_modeinfo mode;
};

/* A dumb buffer that can be shown */
struct picture {
	uint32_t handle, fb, pitch, format, width, height;
	uint64_t size;
	uint8_t *map;
};

static void find_pipe(struct pipe *pipe)
{
	struct drm_mode_card_res resources = { .crtc_id_ptr = (uintptr_t)&pipe->crtc,
					       .connector_id_ptr = (uintptr_t)&pipe->connector,
					       .count_crtcs = 1, .count_connectors = 1 };
	struct drm_mode_get_connector connector = { 0 };

	do_ioctl(pipe->fd, DRM_IOCTL_MODE_GETRESOURCES, &resources);
	igt_assert_eq_u32(resources.count_crtcs, 1);
	igt_assert_eq_u32(resources.count_connectors, 1);
	connector.connector_id = pipe->connector;
	/* who asks for no modes has the connector looked at */
	do_ioctl(pipe->fd, DRM_IOCTL_MODE_GETCONNECTOR, &connector);
	igt_assert_eq_u32(connector.count_modes, 1);
	connector = (struct drm_mode_get_connector){ .connector_id = pipe->connector,
						     .modes_ptr = (uintptr_t)&pipe->mode,
						     .count_modes = 1 };
	do_ioctl(pipe->fd, DRM_IOCTL_MODE_GETCONNECTOR, &connector);
	igt_assert_eq_u32(connector.count_modes, 1);
}

/* Without modifiers: as SET_TILING says */
static void add_picture(const struct pipe *pipe, struct picture *picture)
{
	struct drm_mode_fb_cmd2 fb = {
		.width = picture->width, .height = picture->height,
		.pixel_format = picture->format, .handles = { picture->handle },
		.pitches = { picture->pitch },
	};

	do_ioctl(pipe->fd, DRM_IOCTL_MODE_ADDFB2, &fb);
	picture->fb = fb.fb_id;
}

/* Larger than the screen by so much, to the right and below */
static void new_larger(const struct pipe *pipe, struct picture *picture, uint32_t format,
		       uint32_t right, uint32_t below)
{
	struct drm_mode_create_dumb dumb = { .width = pipe->mode.hdisplay + right,
					     .height = pipe->mode.vdisplay + below,
					     .bpp = format == DRM_FORMAT_RGB565 ? 16 : 32 };
	struct drm_mode_map_dumb map = { 0 };

	do_ioctl(pipe->fd, DRM_IOCTL_MODE_CREATE_DUMB, &dumb);
	map.handle = dumb.handle;
	do_ioctl(pipe->fd, DRM_IOCTL_MODE_MAP_DUMB, &map);
	*picture = (struct picture){ .handle = dumb.handle, .pitch = dumb.pitch, .size = dumb.size,
				     .format = format, .width = dumb.width, .height = dumb.height };
	picture->map = mmap(NULL, dumb.size, PROT_READ | PROT_WRITE, MAP_SHARED, pipe->fd,
			    map.offset);
	igt_assert(picture->map != MAP_FAILED);
}

static void new_picture(const struct pipe *pipe, struct picture *picture, uint32_t format)
{
	new_larger(pipe, picture, format, 0, 0);
}

static void free_picture(const struct pipe *pipe, struct picture *picture)
{
	struct drm_mode_destroy_dumb dumb = { .handle = picture->handle };

	do_ioctl(pipe->fd, DRM_IOCTL_MODE_RMFB, &picture->fb);
	munmap(picture->map, picture->size);
	do_ioctl(pipe->fd, DRM_IOCTL_MODE_DESTROY_DUMB, &dumb);
}

/* No two pixels beside each other are alike, nor two pictures; RGB565 has all of its bits in use */
static uint32_t pixel_of(unsigned int number, uint32_t x, uint32_t y)
{
	return (x * 0x010307 + y * 0x0b0501 + number * 0x352b11) & 0xffffff;
}

static uint16_t narrow(uint32_t pixel)
{
	return (pixel >> 8 & 0xf800) | (pixel >> 5 & 0x7e0) | (pixel >> 3 & 0x1f);
}

/* What a screen makes of RGB565: the highest bits of each colour again below it */
static uint32_t widened(uint32_t pixel)
{
	uint32_t high = pixel & 0xf8fcf8;

	return high | (high >> 5 & 0x070007) | (high >> 6 & 0x000300);
}

static void paint(struct picture *picture, unsigned int number)
{
	uint32_t x, y;

	for (y = 0; y < picture->height; y++)
		for (x = 0; x < picture->width; x++) {
			uint8_t *row = picture->map + y * picture->pitch;

			if (picture->format == DRM_FORMAT_RGB565)
				((uint16_t *)row)[x] = narrow(pixel_of(number, x, y));
			else
				((uint32_t *)row)[x] = pixel_of(number, x, y);
		}
}

static uint32_t *seen(const struct pipe *pipe)
{
	size_t size = 4u * pipe->mode.hdisplay * pipe->mode.vdisplay, done = 0;
	uint8_t *pixels = malloc(size);
	int fd = open(getenv("V3D_SCREEN"), O_RDONLY | O_CLOEXEC);
	ssize_t got = 1;

	igt_assert(fd >= 0 && pixels);
	for (; done < size && got > 0; done += got)
		got = read(fd, pixels + done, size - done);
	igt_assert_eq_u64(done, size);
	close(fd);
	return (uint32_t *)pixels;
}

/* A picture of that number, of which pixel (@left, @top) is seen first */
static void expect_panned(const struct pipe *pipe, unsigned int number, uint32_t left, uint32_t top,
			  bool was_narrow)
{
	uint32_t *pixels = seen(pipe), x, y, want;

	for (y = 0; y < pipe->mode.vdisplay; y++)
		for (x = 0; x < pipe->mode.hdisplay; x++) {
			want = pixel_of(number, left + x, top + y);
			igt_assert_eq_u32(pixels[y * pipe->mode.hdisplay + x] & 0xffffff,
					  was_narrow ? widened(want) : want);
		}
	free(pixels);
}

static void expect_seen(const struct pipe *pipe, unsigned int number, bool was_narrow)
{
	expect_panned(pipe, number, 0, 0, was_narrow);
}

static void show_panned(const struct pipe *pipe, const struct picture *picture, uint32_t left,
			uint32_t top)
{
	struct drm_mode_crtc crtc = {
		.crtc_id = pipe->crtc, .set_connectors_ptr = (uintptr_t)&pipe->connector,
		.count_connectors = 1, .mode_valid = 1, .mode = pipe->mode, .fb_id = picture->fb,
		.x = left, .y = top,
	};

	do_ioctl(pipe->fd, DRM_IOCTL_MODE_SETCRTC, &crtc);
}

static void show(const struct pipe *pipe, const struct picture *picture)
{
	show_panned(pipe, picture, 0, 0);
}

static void switch_off(const struct pipe *pipe)
{
	struct drm_mode_crtc crtc = { .crtc_id = pipe->crtc };

	do_ioctl(pipe->fd, DRM_IOCTL_MODE_SETCRTC, &crtc);
}

static void flip(const struct pipe *pipe, const struct picture *picture)
{
	struct drm_mode_crtc_page_flip flip = { .crtc_id = pipe->crtc, .fb_id = picture->fb,
						.flags = DRM_MODE_PAGE_FLIP_EVENT,
						.user_data = picture->fb };
	struct drm_event_vblank event;

	do_ioctl(pipe->fd, DRM_IOCTL_MODE_PAGE_FLIP, &flip);
	igt_assert_eq_u64(read(pipe->fd, &event, sizeof(event)), sizeof(event));
	igt_assert_eq_u32(event.base.type, DRM_EVENT_FLIP_COMPLETE);
	igt_assert_eq_u64(event.user_data, picture->fb);
}

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

/* The V3D makes T-format of it: load and store of each tile */
static void tiled(const struct pipe *pipe)
{
	struct drm_vc4_set_tiling tiling = { .modifier = DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED };
	struct render *r = render_new(pipe->mode.hdisplay, pipe->mode.vdisplay);
	struct picture from, to;

	new_picture(pipe, &from, DRM_FORMAT_XRGB8888);
	new_picture(pipe, &to, DRM_FORMAT_XRGB8888);
	paint(&from, 7);
	render_surface(r, &r->submit.color_read, from.handle, 0,
		       SURFACE(V3D_BUFFER_COLOR, V3D_RASTER, V3D_RGBA8888));
	render_surface(r, &r->submit.color_write, to.handle, 0,
		       RENDER_PIXEL(V3D_FRAME_RGBA8888) | RENDER_FORMAT(V3D_T_FORMAT));
	render_finish(pipe->fd, r);
	tiling.handle = to.handle;
	do_ioctl(pipe->fd, DRM_IOCTL_VC4_SET_TILING, &tiling);
	add_picture(pipe, &from);
	add_picture(pipe, &to);
	show(pipe, &to);
	expect_seen(pipe, 7, false);
	switch_off(pipe);
	free_picture(pipe, &from);
	free_picture(pipe, &to);
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
	uint32_t *pixels, i;
	struct picture picture;

	new_picture(pipe, &picture, DRM_FORMAT_XRGB8888);
	paint(&picture, 2);
	add_picture(pipe, &picture);
	show(pipe, &picture);
	switch_off(pipe);
	pixels = seen(pipe);
	for (i = 0; i < (uint32_t)pipe->mode.hdisplay * pipe->mode.vdisplay; i++)
		igt_assert_eq_u32(pixels[i], 0);
	free(pixels);
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
		igt_require_f(getenv("V3D_SCREEN"), "V3D_SCREEN names no screen\n");
		pipe.fd = drm_open_driver(DRIVER_VC4);
		find_pipe(&pipe);
	}

	igt_describe("Three flips, each with its event, and all pixels seen after each");
	igt_subtest("flips-xrgb8888")
		three_flips(&pipe, DRM_FORMAT_XRGB8888);
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
