// SPDX-License-Identifier: MIT
/*
 * The V3D beside the kernel's vc4, which has the display and no V3D: both call themselves vc4, and
 * both have a render node. What Mesa does there (kmsro: the display's buffer, imported by what
 * renders), on bare ioctls; read back by the display's own mapping, since no machine of ours has a
 * display.
 */
#include "v3dcl_igt.h"

#include <drm_mode.h>

IGT_TEST_DESCRIPTION("The V3D beside a display that is the kernel's vc4's");

/* A node, if it is of a device that is called vc4; else -1 */
static int open_vc4(const char *kind, int number)
{
	char path[64], name[16] = "";
	struct drm_version version = { .name = name, .name_len = sizeof(name) - 1 };
	int fd;

	snprintf(path, sizeof(path), "/dev/dri/%s%d", kind, number);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (!igt_ioctl(fd, DRM_IOCTL_VERSION, &version) && !strcmp(name, "vc4"))
		return fd;
	close(fd);
	return -1;
}

/* The node of a device that is called vc4 and has a V3D, or has none; its number, or -1 */
static int find_node(const char *kind, int first, bool v3d, int *fd)
{
	struct drm_vc4_get_param ident = { .param = DRM_VC4_PARAM_V3D_IDENT0 };
	int i;

	for (i = first; i < first + 16; i++) {
		*fd = open_vc4(kind, i);
		if (*fd < 0)
			continue;
		if (!igt_ioctl(*fd, DRM_IOCTL_VC4_GET_PARAM, &ident) == v3d)
			return i;
		close(*fd);
	}
	*fd = -1;
	return -1;
}

/* Linear, as what is scanned out by a display of another driver has to be */
static void rendered_to(int display, int v3d)
{
	struct drm_mode_create_dumb dumb = { .width = 128, .height = 96, .bpp = 32 };
	struct drm_mode_map_dumb map = { 0 };
	struct drm_prime_handle prime = { .flags = O_RDWR | O_CLOEXEC };
	struct render *r = render_new(dumb.width, dumb.height);
	uint32_t *pixels, x, y;

	do_ioctl(display, DRM_IOCTL_MODE_CREATE_DUMB, &dumb);
	map.handle = dumb.handle;
	do_ioctl(display, DRM_IOCTL_MODE_MAP_DUMB, &map);
	pixels = mmap(NULL, dumb.size, PROT_READ | PROT_WRITE, MAP_SHARED, display, map.offset);
	igt_assert(pixels != MAP_FAILED);
	memset(pixels, 0xa5, dumb.size);
	prime.handle = dumb.handle;
	do_ioctl(display, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime);
	do_ioctl(v3d, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime);

	render_clear(r, 0xff2468ac, 0, 0);
	render_surface(r, &r->submit.color_write, prime.handle, 0,
		       RENDER_PIXEL(V3D_FRAME_RGBA8888) | RENDER_FORMAT(V3D_RASTER));
	render_finish(v3d, r);
	for (y = 0; y < dumb.height; y++)
		for (x = 0; x < dumb.width; x++)
			igt_assert_eq_u32(pixels[y * dumb.pitch / 4 + x], 0xff2468ac);
	munmap(pixels, dumb.size);
	gem_close(v3d, prime.handle);
	gem_close(display, dumb.handle);
	close(prime.fd);
}

v3dcl_main()
{
	int display = -1, displays_node = -1, v3d = -1, ours = -1, other = -1;

	v3dcl_fixture() {
		find_node("card", 0, false, &display);
		igt_require_f(display >= 0, "no vc4 without a V3D\n");
		ours = find_node("renderD", 128, true, &v3d);
		igt_require_f(v3d >= 0, "no V3D\n");
		other = find_node("renderD", 128, false, &displays_node);
	}

	igt_describe("The buffer of a display is rendered to, and the display's driver sees it");
	igt_subtest("display-buffer")
		rendered_to(display, v3d);

	igt_describe("Who opens the first render node that is called vc4 gets the V3D");
	igt_subtest("first-render-node")
		igt_assert(other < 0 || ours < other);

	v3dcl_fixture() {
		close(display);
		close(v3d);
		if (displays_node >= 0)
			close(displays_node);
	}
}
