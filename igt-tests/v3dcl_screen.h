/* SPDX-License-Identifier: MIT */
/*
 * What our tests of the display share, on bare ioctls: its pipe, pictures, and what is seen on the
 * machine's screen. That is in a file named by V3D_SCREEN, rows of XRGB8888 without anything
 * between them; or, where no file has it, V3D_SCREEN_HOST names the line to the machine's host,
 * which is asked for a picture each time, V3D_PICTURES the folder for what it is to be, and
 * V3D_PICTURE_NAME what the pictures' names begin with.
 */
#ifndef V3DCL_SCREEN_H
#define V3DCL_SCREEN_H

#include "v3dcl_igt.h"

#include <drm_fourcc.h>
#include <drm_mode.h>

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

/* Of our device, which is opened */
static inline void open_pipe(struct pipe *pipe)
{
	struct drm_mode_card_res resources = { .crtc_id_ptr = (uintptr_t)&pipe->crtc,
					       .connector_id_ptr = (uintptr_t)&pipe->connector,
					       .count_crtcs = 1, .count_connectors = 1 };
	struct drm_mode_get_connector connector = { 0 };

	pipe->fd = drm_open_driver(DRIVER_VC4);
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
static inline void add_picture(const struct pipe *pipe, struct picture *picture)
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
static inline void new_larger(const struct pipe *pipe, struct picture *picture, uint32_t format,
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

static inline void new_picture(const struct pipe *pipe, struct picture *picture, uint32_t format)
{
	new_larger(pipe, picture, format, 0, 0);
}

static inline void free_picture(const struct pipe *pipe, struct picture *picture)
{
	struct drm_mode_destroy_dumb dumb = { .handle = picture->handle };

	do_ioctl(pipe->fd, DRM_IOCTL_MODE_RMFB, &picture->fb);
	munmap(picture->map, picture->size);
	do_ioctl(pipe->fd, DRM_IOCTL_MODE_DESTROY_DUMB, &dumb);
}

/* No two pixels beside each other are alike, nor two pictures; RGB565 has all of its bits in use */
static inline uint32_t pixel_of(unsigned int number, uint32_t x, uint32_t y)
{
	return (x * 0x010307 + y * 0x0b0501 + number * 0x352b11) & 0xffffff;
}

static inline uint16_t narrow(uint32_t pixel)
{
	return (pixel >> 8 & 0xf800) | (pixel >> 5 & 0x7e0) | (pixel >> 3 & 0x1f);
}

/* What a screen makes of RGB565: the highest bits of each colour again below it */
static inline uint32_t widened(uint32_t pixel)
{
	uint32_t high = pixel & 0xf8fcf8;

	return high | (high >> 5 & 0x070007) | (high >> 6 & 0x000300);
}

static inline void paint(struct picture *picture, unsigned int number)
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

static inline size_t pixels_of(const struct pipe *pipe)
{
	return (size_t)pipe->mode.hdisplay * pipe->mode.vdisplay;
}

/* The screen as the file V3D_SCREEN has it, the highest byte of each pixel aside */
static inline uint32_t *seen(const struct pipe *pipe)
{
	size_t size = 4 * pixels_of(pipe), done = 0, i;
	uint32_t *pixels = malloc(size);
	int fd = open(getenv("V3D_SCREEN"), O_RDONLY | O_CLOEXEC);
	ssize_t got = 1;

	igt_assert(fd >= 0 && pixels);
	for (; done < size && got > 0; done += got)
		got = read(fd, (char *)pixels + done, size - done);
	igt_assert_eq_u64(done, size);
	close(fd);
	for (i = 0; i < pixels_of(pipe); i++)
		pixels[i] &= 0xffffff;
	return pixels;
}

/* A picture for the host to compare its own with */
static inline void save_wanted(const struct pipe *pipe, const uint32_t *want, const char *name)
{
	char path[256];
	FILE *file;
	size_t i;

	snprintf(path, sizeof(path), "%s/%s.ppm", getenv("V3D_PICTURES"), name);
	file = fopen(path, "w");
	igt_assert(file);
	fprintf(file, "P6\n%u %u\n255\n", pipe->mode.hdisplay, pipe->mode.vdisplay);
	for (i = 0; i < pixels_of(pipe); i++) {
		const uint8_t rgb[] = { want[i] >> 16, want[i] >> 8, want[i] };

		fwrite(rgb, sizeof(rgb), 1, file);
	}
	igt_assert(!fclose(file));
}

/* The machine's host takes a picture of the screen, and then says so */
static inline void ask_host(const char *name)
{
	FILE *host = fopen(getenv("V3D_SCREEN_HOST"), "r+");
	char line[128];

	igt_assert(host);
	fprintf(host, "v3d-screen: %s\n", name);
	fflush(host);
	igt_assert(fgets(line, sizeof(line), host));
	igt_assert_f(!strcmp(line, "\n"), "no picture: %s", line);
	fclose(host);
}

/* These pixels are seen */
static inline void expect_pixels(const struct pipe *pipe, const uint32_t *want)
{
	static unsigned int number;
	uint32_t *pixels;
	char name[32];
	size_t i;

	if (getenv("V3D_SCREEN_HOST")) {
		snprintf(name, sizeof(name), "%s-%02u", getenv("V3D_PICTURE_NAME") ?: "screen",
			 number++);
		save_wanted(pipe, want, name);
		ask_host(name);
		return;
	}
	pixels = seen(pipe);
	for (i = 0; i < pixels_of(pipe); i++)
		igt_assert_eq_u32(pixels[i], want[i]);
	free(pixels);
}

/* A picture of that number, of which pixel (@left, @top) is seen first */
static inline void expect_panned(const struct pipe *pipe, unsigned int number, uint32_t left,
				 uint32_t top, bool was_narrow)
{
	uint32_t *want = malloc(4 * pixels_of(pipe)), x, y, pixel;

	igt_assert(want);
	for (y = 0; y < pipe->mode.vdisplay; y++)
		for (x = 0; x < pipe->mode.hdisplay; x++) {
			pixel = pixel_of(number, left + x, top + y);
			want[y * pipe->mode.hdisplay + x] = was_narrow ? widened(pixel) : pixel;
		}
	expect_pixels(pipe, want);
	free(want);
}

static inline void expect_seen(const struct pipe *pipe, unsigned int number, bool was_narrow)
{
	expect_panned(pipe, number, 0, 0, was_narrow);
}

static inline void show_panned(const struct pipe *pipe, const struct picture *picture,
			       uint32_t left, uint32_t top)
{
	struct drm_mode_crtc crtc = {
		.crtc_id = pipe->crtc, .set_connectors_ptr = (uintptr_t)&pipe->connector,
		.count_connectors = 1, .mode_valid = 1, .mode = pipe->mode, .fb_id = picture->fb,
		.x = left, .y = top,
	};

	do_ioctl(pipe->fd, DRM_IOCTL_MODE_SETCRTC, &crtc);
}

static inline void show(const struct pipe *pipe, const struct picture *picture)
{
	show_panned(pipe, picture, 0, 0);
}

static inline void switch_off(const struct pipe *pipe)
{
	struct drm_mode_crtc crtc = { .crtc_id = pipe->crtc };

	do_ioctl(pipe->fd, DRM_IOCTL_MODE_SETCRTC, &crtc);
}

static inline void flip(const struct pipe *pipe, const struct picture *picture)
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

/* A picture of that number that the V3D has made T-format of: load and store of each tile */
static inline void new_tiled(const struct pipe *pipe, struct picture *picture, unsigned int number)
{
	struct drm_vc4_set_tiling tiling = { .modifier = DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED };
	struct render *r = render_new(pipe->mode.hdisplay, pipe->mode.vdisplay);
	struct picture from;

	new_picture(pipe, &from, DRM_FORMAT_XRGB8888);
	new_picture(pipe, picture, DRM_FORMAT_XRGB8888);
	paint(&from, number);
	render_surface(r, &r->submit.color_read, from.handle, 0,
		       SURFACE(V3D_BUFFER_COLOR, V3D_RASTER, V3D_RGBA8888));
	render_surface(r, &r->submit.color_write, picture->handle, 0,
		       RENDER_PIXEL(V3D_FRAME_RGBA8888) | RENDER_FORMAT(V3D_T_FORMAT));
	render_finish(pipe->fd, r);
	add_picture(pipe, &from);
	free_picture(pipe, &from);
	tiling.handle = picture->handle;
	do_ioctl(pipe->fd, DRM_IOCTL_VC4_SET_TILING, &tiling);
	add_picture(pipe, picture);
}

static inline void screen_require(void)
{
	igt_require_f(getenv("V3D_SCREEN") || getenv("V3D_SCREEN_HOST"),
		      "V3D_SCREEN names no screen, nor V3D_SCREEN_HOST who has one\n");
}

#endif /* V3DCL_SCREEN_H */
