// SPDX-License-Identifier: MIT
/*
 * The display and buffers of others: what the V3D has drawn is scanned out by vkms, which writes
 * down what it shows; and buffers that the V3D cannot reach are shown by our display.
 */
#define _GNU_SOURCE		/* memfd_create() */
#include "v3dcl_foreign.h"
#include "v3dcl_screen.h"

#include <linux/dma-buf.h>

IGT_TEST_DESCRIPTION("Buffers shared between displays");

/* Return: the first card of that driver, or -1 */
static int open_card(const char *driver)
{
	char path[32], name[32];
	int fd, i;

	for (i = 0; i < 16; i++) {
		struct drm_version version = { .name = name, .name_len = sizeof(name) - 1 };

		snprintf(path, sizeof(path), "/dev/dri/card%d", i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		memset(name, 0, sizeof(name));
		if (!igt_ioctl(fd, DRM_IOCTL_VERSION, &version) && !strcmp(name, driver))
			return fd;
		close(fd);
	}
	return -1;
}

/* --- what vkms shows -------------------------------------------------------------------------- */

/* A property of an object, by its name */
static uint32_t property_of(int fd, uint32_t object, uint32_t type, const char *name)
{
	uint32_t ids[64];
	uint64_t values[64];
	struct drm_mode_obj_get_properties get = {
		.props_ptr = (uintptr_t)ids, .prop_values_ptr = (uintptr_t)values,
		.count_props = ARRAY_SIZE(ids), .obj_id = object, .obj_type = type,
	};
	unsigned int i;

	do_ioctl(fd, DRM_IOCTL_MODE_OBJ_GETPROPERTIES, &get);
	igt_assert_lte(get.count_props, ARRAY_SIZE(ids));
	for (i = 0; i < get.count_props; i++) {
		struct drm_mode_get_property property = { .prop_id = ids[i] };

		do_ioctl(fd, DRM_IOCTL_MODE_GETPROPERTY, &property);
		if (!strcmp(property.name, name))
			return ids[i];
	}
	igt_assert_f(false, "object %u has no property %s\n", object, name);
	return 0;
}

/* One atomic commit: properties are added object by object */
struct commit {
	uint32_t objects[4], counts[4], properties[24];
	uint64_t values[24];
	unsigned int object_count, count;
};

static void commit_object(struct commit *commit, uint32_t object)
{
	commit->objects[commit->object_count++] = object;
}

static void commit_set(struct commit *commit, int fd, uint32_t type, const char *name,
		       uint64_t value)
{
	unsigned int last = commit->object_count - 1;

	commit->properties[commit->count] = property_of(fd, commit->objects[last], type, name);
	commit->values[commit->count++] = value;
	commit->counts[last]++;
}

static void commit_do(const struct commit *commit, int fd)
{
	struct drm_mode_atomic atomic = {
		.flags = DRM_MODE_ATOMIC_ALLOW_MODESET, .count_objs = commit->object_count,
		.objs_ptr = (uintptr_t)commit->objects,
		.count_props_ptr = (uintptr_t)commit->counts,
		.props_ptr = (uintptr_t)commit->properties,
		.prop_values_ptr = (uintptr_t)commit->values,
	};

	do_ioctl(fd, DRM_IOCTL_MODE_ATOMIC, &atomic);
}

/* The other display: one CRTC, its first plane, what it shows on, what it writes to */
struct other {
	int fd;
	uint32_t crtc, plane, connector, writeback;
};

static void find_connectors(struct other *other, const uint32_t *ids, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		struct drm_mode_get_connector get = { .connector_id = ids[i] };

		do_ioctl(other->fd, DRM_IOCTL_MODE_GETCONNECTOR, &get);
		if (get.connector_type == DRM_MODE_CONNECTOR_WRITEBACK)
			other->writeback = ids[i];
		else
			other->connector = ids[i];
	}
	igt_assert(other->connector && other->writeback);
}

static void find_other(struct other *other)
{
	static const uint64_t caps[] = { DRM_CLIENT_CAP_ATOMIC,
					 DRM_CLIENT_CAP_WRITEBACK_CONNECTORS };
	uint32_t crtcs[4], connectors[8], planes[8];
	struct drm_mode_card_res resources = {
		.crtc_id_ptr = (uintptr_t)crtcs, .count_crtcs = ARRAY_SIZE(crtcs),
		.connector_id_ptr = (uintptr_t)connectors,
		.count_connectors = ARRAY_SIZE(connectors),
	};
	struct drm_mode_get_plane_res get_planes = { .plane_id_ptr = (uintptr_t)planes,
						     .count_planes = ARRAY_SIZE(planes) };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(caps); i++) {
		struct drm_set_client_cap cap = { .capability = caps[i], .value = 1 };

		do_ioctl(other->fd, DRM_IOCTL_SET_CLIENT_CAP, &cap);
	}
	do_ioctl(other->fd, DRM_IOCTL_MODE_GETRESOURCES, &resources);
	do_ioctl(other->fd, DRM_IOCTL_MODE_GETPLANERESOURCES, &get_planes);
	igt_assert(resources.count_crtcs && get_planes.count_planes);
	other->crtc = crtcs[0];
	other->plane = planes[0];
	find_connectors(other, connectors, resources.count_connectors);
}

static uint32_t mode_blob(int fd, const struct drm_mode_modeinfo *mode)
{
	struct drm_mode_create_blob blob = { .data = (uintptr_t)mode, .length = sizeof(*mode) };

	do_ioctl(fd, DRM_IOCTL_MODE_CREATEPROPBLOB, &blob);
	return blob.blob_id;
}

static void commit_plane(struct commit *commit, const struct other *other,
			 const struct picture *picture)
{
	const uint32_t width = picture->width, height = picture->height;
	const struct { const char *name; uint64_t value; } set[] = {
		{ "FB_ID", picture->fb }, { "CRTC_ID", other->crtc },
		{ "SRC_W", (uint64_t)width << 16 }, { "SRC_H", (uint64_t)height << 16 },
		{ "CRTC_W", width }, { "CRTC_H", height },
	};
	unsigned int i;

	commit_object(commit, other->plane);
	for (i = 0; i < ARRAY_SIZE(set); i++)
		commit_set(commit, other->fd, DRM_MODE_OBJECT_PLANE, set[i].name, set[i].value);
}

/* @shown is scanned out once, and @written is what that looked like */
static void write_back(const struct other *other, const struct drm_mode_modeinfo *mode,
		       const struct picture *shown, const struct picture *written)
{
	struct commit commit = { 0 };
	int32_t fence = -1;
	struct pollfd poll_fence = { .events = POLLIN };

	commit_object(&commit, other->crtc);
	commit_set(&commit, other->fd, DRM_MODE_OBJECT_CRTC, "ACTIVE", 1);
	commit_set(&commit, other->fd, DRM_MODE_OBJECT_CRTC, "MODE_ID", mode_blob(other->fd, mode));
	/* The console's, which the CRTC cannot have beside the other */
	commit_object(&commit, other->connector);
	commit_set(&commit, other->fd, DRM_MODE_OBJECT_CONNECTOR, "CRTC_ID", 0);
	commit_plane(&commit, other, shown);
	commit_object(&commit, other->writeback);
	commit_set(&commit, other->fd, DRM_MODE_OBJECT_CONNECTOR, "CRTC_ID", other->crtc);
	commit_set(&commit, other->fd, DRM_MODE_OBJECT_CONNECTOR, "WRITEBACK_FB_ID", written->fb);
	commit_set(&commit, other->fd, DRM_MODE_OBJECT_CONNECTOR, "WRITEBACK_OUT_FENCE_PTR",
		   (uintptr_t)&fence);
	commit_do(&commit, other->fd);
	igt_assert_fd(fence);
	poll_fence.fd = fence;
	igt_assert_eq(poll(&poll_fence, 1, 60000), 1);
	close(fence);
}

/* The V3D copies a picture, tile by tile */
static void drawn(const struct pipe *pipe, unsigned int number, struct picture *to)
{
	struct render *r = render_new(pipe->mode.hdisplay, pipe->mode.vdisplay);
	struct picture from;

	new_picture(pipe, &from, DRM_FORMAT_XRGB8888);
	add_picture(pipe, &from);
	paint(&from, number);
	render_surface(r, &r->submit.color_read, from.handle, 0,
		       SURFACE(V3D_BUFFER_COLOR, V3D_RASTER, V3D_RGBA8888));
	render_surface(r, &r->submit.color_write, to->handle, 0, RENDER_PIXEL(V3D_FRAME_RGBA8888));
	render_finish(pipe->fd, r);
	free_picture(pipe, &from);
}

/* It is a picture of that number to vkms */
static void expect_vkms_shows(const struct pipe *pipe, const struct picture *ours, int dma_buf,
			      unsigned int number)
{
	struct other other = { .fd = open_card("vkms") };
	struct pipe vkms = { .mode = pipe->mode, .fd = other.fd };
	struct picture theirs = *ours, written;
	uint32_t x, y;

	igt_require_f(other.fd >= 0, "no vkms\n");
	find_other(&other);
	theirs.handle = prime_fd_to_handle(vkms.fd, dma_buf);
	add_picture(&vkms, &theirs);
	new_picture(&vkms, &written, DRM_FORMAT_XRGB8888);
	add_picture(&vkms, &written);
	write_back(&other, &pipe->mode, &theirs, &written);
	for (y = 0; y < pipe->mode.vdisplay; y++)
		for (x = 0; x < pipe->mode.hdisplay; x++)
			igt_assert_eq_u32(((uint32_t *)(written.map + y * written.pitch))[x] &
					  0xffffff, pixel_of(number, x, y));
	munmap(written.map, written.size);
	close(vkms.fd);
}

static void shown_by_vkms(const struct pipe *pipe)
{
	struct picture ours;
	int dma_buf;

	new_picture(pipe, &ours, DRM_FORMAT_XRGB8888);
	add_picture(pipe, &ours);
	drawn(pipe, 9, &ours);
	dma_buf = prime_handle_to_fd(pipe->fd, ours.handle);
	expect_vkms_shows(pipe, &ours, dma_buf, 9);
	close(dma_buf);
	free_picture(pipe, &ours);
}

/* --- what we show of others ------------------------------------------------------------------- */

/* A mapping of a dma-buf to paint in; the picture is as large as the screen */
static void map_foreign(const struct pipe *pipe, struct picture *picture, int dma_buf)
{
	picture->map = mmap(NULL, picture->size, PROT_READ | PROT_WRITE, MAP_SHARED, dma_buf, 0);
	igt_assert(picture->map != MAP_FAILED);
	picture->handle = prime_fd_to_handle(pipe->fd, dma_buf);
	add_picture(pipe, picture);
}

/*
 * The first who syncs a udmabuf of Linux 6.12 decides on the direction for all who come later; the
 * display reads
 */
static void paint_foreign(struct picture *picture, int dma_buf, unsigned int number)
{
	struct dma_buf_sync sync = { .flags = DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW };

	do_ioctl(dma_buf, DMA_BUF_IOCTL_SYNC, &sync);
	paint(picture, number);
	sync.flags = DMA_BUF_SYNC_END | DMA_BUF_SYNC_RW;
	do_ioctl(dma_buf, DMA_BUF_IOCTL_SYNC, &sync);
}

/* As large as the screen */
static struct picture whole_picture(const struct pipe *pipe)
{
	return (struct picture){
		.format = DRM_FORMAT_XRGB8888, .width = pipe->mode.hdisplay,
		.height = pipe->mode.vdisplay, .pitch = pipe->mode.hdisplay * 4,
		.size = pipe->mode.hdisplay * 4 * pipe->mode.vdisplay,
	};
}

static void free_foreign(const struct pipe *pipe, struct picture *picture)
{
	do_ioctl(pipe->fd, DRM_IOCTL_MODE_RMFB, &picture->fb);
	munmap(picture->map, picture->size);
	gem_close(pipe->fd, picture->handle);
}

/* It is shown, and the V3D does not get it */
static void show_foreign(const struct pipe *pipe, int dma_buf)
{
	struct picture picture = whole_picture(pipe);
	struct render *r = render_new(pipe->mode.hdisplay, pipe->mode.vdisplay);

	map_foreign(pipe, &picture, dma_buf);
	paint_foreign(&picture, dma_buf, 8);
	show(pipe, &picture);
	expect_seen(pipe, 8, false);
	paint_foreign(&picture, dma_buf, 2);
	flip(pipe, &picture);
	expect_seen(pipe, 2, false);
	render_clear(r, 0, 0, 0);
	render_surface(r, &r->submit.color_write, picture.handle, 0,
		       RENDER_PIXEL(V3D_FRAME_RGBA8888));
	do_ioctl_err(pipe->fd, DRM_IOCTL_VC4_SUBMIT_CL, &r->submit, EINVAL);
	free(r);
	switch_off(pipe);
	free_foreign(pipe, &picture);
}

static void shows_scattered(const struct pipe *pipe)
{
	int dma_buf = scattered((size_t)pipe->mode.hdisplay * 4 * pipe->mode.vdisplay);

	show_foreign(pipe, dma_buf);
	close(dma_buf);
}

static void shows_vgem(const struct pipe *pipe)
{
	struct drm_mode_create_dumb dumb = { .width = pipe->mode.hdisplay, .bpp = 32,
					     .height = pipe->mode.vdisplay };
	int vgem = open_card("vgem"), dma_buf;

	igt_require_f(vgem >= 0, "no vgem\n");
	do_ioctl(vgem, DRM_IOCTL_MODE_CREATE_DUMB, &dumb);
	dma_buf = prime_handle_to_fd_for_mmap(vgem, dumb.handle);
	igt_assert_fd(dma_buf);
	show_foreign(pipe, dma_buf);
	close(dma_buf);
	close(vgem);
}

/* The V3D draws in memory that is neither display's, which ours shows */
static void shows_heap(const struct pipe *pipe)
{
	struct picture picture = whole_picture(pipe);
	int dma_buf = contiguous(picture.size);

	map_foreign(pipe, &picture, dma_buf);
	drawn(pipe, 6, &picture);
	show(pipe, &picture);
	expect_seen(pipe, 6, false);
	drawn(pipe, 5, &picture);
	flip(pipe, &picture);
	expect_seen(pipe, 5, false);
	switch_off(pipe);
	free_foreign(pipe, &picture);
	close(dma_buf);
}

/*
 * And the other, after us: the kernel's DMA debugging refuses that two devices have the heap's
 * buffer mapped at a time. Nor does vkms say that it takes more than 64 KiB in one piece: a small
 * mode
 */
static void heap_shown_by_vkms(const struct pipe *pipe)
{
	struct pipe small = *pipe;
	struct picture picture;
	int dma_buf;

	small.mode.hdisplay = 128;
	small.mode.vdisplay = 64;
	picture = whole_picture(&small);
	dma_buf = contiguous(picture.size);
	map_foreign(&small, &picture, dma_buf);
	drawn(&small, 4, &picture);
	free_foreign(&small, &picture);
	expect_vkms_shows(&small, &picture, dma_buf, 4);
	close(dma_buf);
}

v3dcl_main()
{
	static struct pipe pipe;

	v3dcl_fixture() {
		screen_require();
		open_pipe(&pipe);
	}

	igt_describe("The V3D draws, vkms shows it and writes down what it shows: that picture");
	igt_subtest("shown-by-vkms")
		shown_by_vkms(&pipe);
	igt_describe("Pages that do not follow each other are shown; the V3D does not get them");
	igt_subtest("shows-scattered")
		shows_scattered(&pipe);
	igt_describe("So is a buffer of vgem");
	igt_subtest("shows-vgem")
		shows_vgem(&pipe);
	igt_describe("The V3D draws in a buffer of the CMA heap, which we show");
	igt_subtest("shows-heap")
		shows_heap(&pipe);
	igt_describe("The V3D draws in a buffer of the CMA heap, which vkms shows");
	igt_subtest("heap-shown-by-vkms")
		heap_shown_by_vkms(&pipe);

	v3dcl_fixture()
		close(pipe.fd);
}
