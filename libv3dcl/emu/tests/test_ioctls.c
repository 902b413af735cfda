// SPDX-License-Identifier: MIT
/*
 * The ioctls of DRM's core, of a display and of sharing on the emulated device, answered as the
 * kernel answers them. What programs do with them Mesa and IGT show, by way of preload/; here is
 * every answer once.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <drm_fourcc.h>
#include <linux/dma-buf.h>

#include "ioctls.h"

static void who_it_is(void **state)
{
	char name[3] = "", date[40] = "", desc[40] = "";
	struct drm_version version = {
		.name = name,
		.name_len = 2,
		.date = date,
		.date_len = sizeof(date),
		.desc = desc,
		.desc_len = sizeof(desc),
	};
	struct drm_unique unique = { .unique_len = 7 };
	struct drm_set_version set = { .drm_di_major = 1, .drm_di_minor = 4, .drm_dd_major = -1 };
	struct drm_client client = { .idx = 0 };
	struct drm_stats stats = { .count = 9 };
	struct drm_get_cap cap = { .capability = DRM_CAP_PRIME };
	struct drm_set_client_cap client_cap = { .capability = DRM_CLIENT_CAP_ATOMIC, .value = 1 };

	(void)state;
	CALL(here.render, VERSION, &version, 0);
	assert_int_equal(version.name_len, 3);		/* all of it, whatever fits */
	assert_memory_equal(name, "vc", 2);
	CALL(here.master, GET_UNIQUE, &unique, 0);
	assert_int_equal(unique.unique_len, 0);
	CALL(here.master, SET_VERSION, &set, 0);
	set = (struct drm_set_version){ .drm_di_major = 2, .drm_dd_major = -1 };
	CALL(here.master, SET_VERSION, &set, -EINVAL);
	CALL(here.render, SET_VERSION, &set, -EACCES);
	CALL(here.master, GET_CLIENT, &client, 0);
	assert_int_equal(client.pid, getpid());
	assert_int_equal(client.auth, 1);
	client.idx = 1;
	CALL(here.master, GET_CLIENT, &client, -EINVAL);
	CALL(here.master, GET_STATS, &stats, 0);
	assert_int_equal(stats.count, 0);
	CALL(here.render, GET_CAP, &cap, 0);
	assert_int_equal(cap.value, DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT);
	cap.capability = DRM_CAP_ASYNC_PAGE_FLIP;
	CALL(here.render, GET_CAP, &cap, 0);
	assert_int_equal(cap.value, 1);
	cap.capability = DRM_CAP_DUMB_BUFFER;
	CALL(here.render, GET_CAP, &cap, 0);
	cap.capability = DRM_CAP_CURSOR_WIDTH;
	CALL(here.render, GET_CAP, &cap, -EOPNOTSUPP);
	CALL(here.master, SET_CLIENT_CAP, &client_cap, -EOPNOTSUPP);
}

static void masters(void **state)
{
	struct drm_auth auth = { 0 };

	(void)state;
	CALL(here.render, GET_MAGIC, &auth, -EACCES);
	CALL(here.other, GET_MAGIC, &auth, 0);
	CALL(here.other, AUTH_MAGIC, &auth, -EACCES);	/* not the master */
	CALL(here.master, AUTH_MAGIC, &auth, 0);
	CALL(here.master, AUTH_MAGIC, &auth, -EINVAL);	/* only once */
	CALL(here.render, SET_MASTER, NULL, -EACCES);
	CALL(here.render, DROP_MASTER, NULL, -EACCES);
	CALL(here.master, SET_MASTER, NULL, 0);		/* it is */
	if (!geteuid()) {
		CALL(here.other, SET_MASTER, NULL, -EBUSY);
		CALL(here.other, DROP_MASTER, NULL, -EINVAL);
	}
	CALL(here.master, DROP_MASTER, NULL, 0);
	CALL(here.master, SET_MASTER, NULL, 0);
	CALL(here.master, DROP_MASTER, NULL, 0);
	if (!geteuid())
		CALL(here.other, SET_MASTER, NULL, 0);
}

static uint32_t dumb(uint32_t pixel)
{
	struct drm_mode_create_dumb create = { .width = WIDTH, .height = HEIGHT, .bpp = 32 };
	struct drm_mode_map_dumb map = { 0 };
	uint32_t *at;

	CALL(here.master, MODE_CREATE_DUMB, &create, 0);
	assert_int_equal(create.pitch, 4 * WIDTH);
	assert_int_equal(create.size, 4 * WIDTH * HEIGHT);
	map.handle = create.handle;
	CALL(here.master, MODE_MAP_DUMB, &map, 0);
	at = emu_file_mmap(here.master, NULL, create.size, PROT_READ | PROT_WRITE, MAP_SHARED,
			   map.offset);
	assert_ptr_not_equal(at, MAP_FAILED);
	*at = pixel;
	munmap(at, create.size);
	return create.handle;
}

static void a_display(void **state)
{
	uint32_t crtc = 0, connector = 0, encoder = 0;
	struct drm_mode_modeinfo mode = { 0 };
	struct drm_mode_card_res resources = {
		.crtc_id_ptr = (uintptr_t)&crtc,
		.count_crtcs = 1,
		.connector_id_ptr = (uintptr_t)&connector,
		.count_connectors = 1,
		.encoder_id_ptr = (uintptr_t)&encoder,
		.count_encoders = 1,
	};
	struct drm_mode_get_connector get_connector = { .modes_ptr = (uintptr_t)&mode,
							.count_modes = 1 };
	struct drm_mode_get_encoder get_encoder = { 0 };
	struct drm_mode_get_plane_res planes = { .count_planes = 5 };
	struct drm_mode_obj_get_properties properties = { .count_props = 5 };
	struct drm_mode_create_dumb bad = { .width = 1, .height = 1, .bpp = 33 };
	struct drm_mode_destroy_dumb destroy = { .handle = dumb(0) };

	(void)state;
	CALL(here.render, MODE_GETRESOURCES, &resources, -EACCES);
	CALL(here.master, MODE_GETRESOURCES, &resources, 0);
	CALL(here.master, MODE_GETCONNECTOR, &get_connector, -ENOENT);
	get_connector.connector_id = connector;
	CALL(here.master, MODE_GETCONNECTOR, &get_connector, 0);
	assert_int_equal(mode.hdisplay, WIDTH);
	assert_int_equal(mode.vdisplay, HEIGHT);
	assert_int_equal(get_connector.encoder_id, encoder);
	CALL(here.master, MODE_GETENCODER, &get_encoder, -ENOENT);
	get_encoder.encoder_id = encoder;
	CALL(here.master, MODE_GETENCODER, &get_encoder, 0);
	assert_int_equal(get_encoder.crtc_id, crtc);
	CALL(here.master, MODE_GETPLANERESOURCES, &planes, 0);
	assert_int_equal(planes.count_planes, 0);
	CALL(here.master, MODE_OBJ_GETPROPERTIES, &properties, 0);
	assert_int_equal(properties.count_props, 0);
	CALL(here.master, MODE_CREATE_DUMB, &bad, -EINVAL);
	bad = (struct drm_mode_create_dumb){ .width = 5000, .height = 1, .bpp = 32 };
	CALL(here.master, MODE_CREATE_DUMB, &bad, -EINVAL);
	CALL(here.master, MODE_DESTROY_DUMB, &destroy, 0);
	CALL(here.master, MODE_DESTROY_DUMB, &destroy, -EINVAL);
	CALL(here.master, MODE_GETGAMMA, &(struct drm_mode_crtc_lut){ 0 }, -EINVAL);
}

static void framebuffers(void **state)
{
	struct drm_mode_fb_cmd fb = {
		.width = WIDTH, .height = HEIGHT, .pitch = 4 * WIDTH, .bpp = 32, .depth = 24
	};
	struct drm_mode_fb_cmd2 fb2 = {
		.width = WIDTH,
		.height = HEIGHT,
		.pixel_format = DRM_FORMAT_RGB565,
		.pitches = { 2 * WIDTH },
		.flags = DRM_MODE_FB_MODIFIERS,
	};
	uint32_t handle = dumb(0x123456), id;

	(void)state;
	CALL(here.master, MODE_ADDFB, &fb, -ENOENT);
	fb.handle = handle;
	fb.pitch = 4 * WIDTH - 4;
	CALL(here.master, MODE_ADDFB, &fb, -EINVAL);
	fb.pitch = 4 * WIDTH;
	CALL(here.master, MODE_ADDFB, &fb, 0);
	fb.bpp = 8;
	CALL(here.master, MODE_ADDFB, &fb, -EINVAL);
	fb2.handles[0] = handle;
	CALL(here.master, MODE_ADDFB2, &fb2, 0);
	id = fb2.fb_id;
	fb2.modifier[0] = DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED;
	CALL(here.master, MODE_ADDFB2, &fb2, -EINVAL);
	fb2 = (struct drm_mode_fb_cmd2){ .handles = { handle, handle } };
	CALL(here.master, MODE_ADDFB2, &fb2, -EINVAL);
	CALL(here.other, MODE_RMFB, &id, -ENOENT);	/* another's */
	CALL(here.master, MODE_RMFB, &id, 0);
	CALL(here.master, MODE_RMFB, &id, -ENOENT);
}

static void flips(void **state)
{
	struct drm_mode_fb_cmd fb = {
		.width = WIDTH, .height = HEIGHT, .pitch = 4 * WIDTH, .bpp = 32, .depth = 32
	};
	struct drm_mode_crtc crtc = { .crtc_id = 1 };
	struct drm_mode_crtc_page_flip flip = { .crtc_id = 1, .flags = DRM_MODE_PAGE_FLIP_EVENT,
						.user_data = 77 };
	struct drm_event_vblank event = { 0 };

	(void)state;
	CALL(here.master, MODE_GETCRTC, &crtc, 0);
	assert_int_equal(crtc.fb_id, 0);
	fb.handle = dumb(0x654321);
	CALL(here.master, MODE_ADDFB, &fb, 0);
	crtc.fb_id = fb.fb_id;
	CALL(here.master, MODE_SETCRTC, &crtc, 0);
	assert_int_equal(here.frames, 1);
	assert_int_equal(here.pixel, 0x654321);
	assert_int_equal(here.pitch, 4 * WIDTH);
	assert_int_equal(emu_file_read(here.master, &event, sizeof(event)), -EAGAIN);
	flip.fb_id = fb.fb_id;
	CALL(here.master, MODE_PAGE_FLIP, &flip, 0);
	assert_int_equal(here.frames, 2);
	assert_int_equal(emu_file_read(here.master, &event, 4), -EINVAL);
	assert_int_equal(emu_file_read(here.master, &event, sizeof(event)), sizeof(event));
	assert_int_equal(event.base.type, DRM_EVENT_FLIP_COMPLETE);
	assert_int_equal(event.user_data, 77);
	flip.fb_id = 9999;
	CALL(here.master, MODE_PAGE_FLIP, &flip, -ENOENT);
	flip.flags = 1 << 20;
	CALL(here.master, MODE_PAGE_FLIP, &flip, -EINVAL);
	flip.crtc_id = 5;
	CALL(here.master, MODE_PAGE_FLIP, &flip, -ENOENT);
	crtc.mode.hdisplay++;
	CALL(here.master, MODE_SETCRTC, &crtc, -EINVAL);
	crtc.mode_valid = 0;
	CALL(here.master, MODE_SETCRTC, &crtc, 0);
	CALL(here.master, MODE_GETCRTC, &crtc, 0);
	assert_int_equal(crtc.fb_id, 0);
	crtc.crtc_id = 9;
	CALL(here.master, MODE_SETCRTC, &crtc, -ENOENT);
	CALL(here.master, MODE_GETCRTC, &crtc, -ENOENT);
}

static void names(void **state)
{
	struct drm_vc4_create_bo create = { .size = 4096 };
	struct drm_gem_flink flink = { 0 };
	struct drm_gem_open open_name = { .name = 4711 };

	(void)state;
	CALL(here.master, VC4_CREATE_BO, &create, 0);
	CALL(here.master, GEM_FLINK, &flink, -ENOENT);
	CALL(here.render, GEM_FLINK, &flink, -EACCES);
	flink.handle = create.handle;
	CALL(here.master, GEM_FLINK, &flink, 0);
	CALL(here.master, GEM_OPEN, &open_name, -ENOENT);
	CALL(here.render, GEM_OPEN, &open_name, -EACCES);
	open_name.name = flink.name;
	CALL(here.master, GEM_OPEN, &open_name, 0);
	assert_int_equal(open_name.size, 4096);
}

static void dma_bufs(void **state)
{
	struct drm_vc4_create_bo create = { .size = 4096 };
	struct drm_prime_handle prime = { .flags = DRM_CLOEXEC | DRM_RDWR };
	struct dma_buf_sync sync = { .flags = DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW };
	struct dma_buf_export_sync_file out = { .flags = DMA_BUF_SYNC_READ };
	struct dma_buf_import_sync_file in = { .flags = DMA_BUF_SYNC_WRITE, .fd = -1 };
	int plain = memfd_create("plain", 0);

	(void)state;
	CALL(here.render, VC4_CREATE_BO, &create, 0);
	prime.handle = create.handle;
	prime.flags = 1;
	CALL(here.render, PRIME_HANDLE_TO_FD, &prime, -EINVAL);
	prime.flags = DRM_CLOEXEC | DRM_RDWR;
	CALL(here.render, PRIME_HANDLE_TO_FD, &prime, 0);
	assert_true(emu_device_knows(here.dev, prime.fd));
	assert_false(emu_device_knows(here.dev, plain));
	assert_false(emu_device_knows(here.dev, -1));
	assert_int_equal(emu_device_fd_ioctl(here.dev, prime.fd, DMA_BUF_IOCTL_SYNC, &sync), 0);
	sync.flags |= DMA_BUF_SYNC_END;
	assert_int_equal(emu_device_fd_ioctl(here.dev, prime.fd, DMA_BUF_IOCTL_SYNC, &sync), 0);
	sync.flags = DMA_BUF_SYNC_START;
	assert_int_equal(emu_device_fd_ioctl(here.dev, prime.fd, DMA_BUF_IOCTL_SYNC, &sync),
			 -EINVAL);
	assert_int_equal(emu_device_fd_ioctl(here.dev, prime.fd, DMA_BUF_IOCTL_SYNC, (void *)8),
			 -EFAULT);
	assert_int_equal(emu_device_fd_ioctl(here.dev, prime.fd, DMA_BUF_SET_NAME_A, "name"), 0);
	assert_int_equal(emu_device_fd_ioctl(here.dev, prime.fd, DRM_IOCTL_VERSION, &sync),
			 -ENOTTY);
	assert_int_equal(emu_device_fd_ioctl(here.dev, prime.fd, DMA_BUF_IOCTL_EXPORT_SYNC_FILE,
					     &out),
			 0);
	in.fd = -1;
	assert_int_equal(emu_device_fd_ioctl(here.dev, prime.fd, DMA_BUF_IOCTL_IMPORT_SYNC_FILE,
					     &in),
			 -EINVAL);
	in.fd = out.fd;
	assert_int_equal(emu_device_fd_ioctl(here.dev, prime.fd, DMA_BUF_IOCTL_IMPORT_SYNC_FILE,
					     &in),
			 0);
	in.flags = 0;
	assert_int_equal(emu_device_fd_ioctl(here.dev, prime.fd, DMA_BUF_IOCTL_IMPORT_SYNC_FILE,
					     &in),
			 -EINVAL);
	out.flags = 0;
	assert_int_equal(emu_device_fd_ioctl(here.dev, prime.fd, DMA_BUF_IOCTL_EXPORT_SYNC_FILE,
					     &out),
			 -EINVAL);
	close(in.fd);
	/* What is no dma-buf is not taken for one */
	prime.fd = plain;
	CALL(here.render, PRIME_FD_TO_HANDLE, &prime, -EINVAL);
	prime.fd = -1;
	CALL(here.render, PRIME_FD_TO_HANDLE, &prime, -EBADF);
	close(plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(who_it_is), TEST(masters), TEST(a_display), TEST(framebuffers), TEST(flips),
		TEST(names), TEST(dma_bufs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
