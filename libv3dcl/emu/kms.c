// SPDX-License-Identifier: MIT
/*
 * A display, for programs that want one: one connector, one CRTC, one mode, legacy mode setting.
 * What is shown is handed to emu_device_config.shown once no job writes to it any more, and a page
 * flip has happened when its ioctl returns.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <drm_fourcc.h>
#include <sys/param.h>

#include "core.h"

#define CRTC_ID 1
#define CONNECTOR_ID 2
#define ENCODER_ID 3
#define FIRST_FB 16	/* above all other ids */
#define MOST 4096	/* pixels, each way */
#define REFRESH 60

struct framebuffer {
	struct emu_file *file;
	struct bo *bo;
	uint32_t width, height, pitch, offset, format;
};

static bool has_display(const struct emu_file *file)
{
	return file->primary && file->dev->config.width;
}

static struct drm_mode_modeinfo the_mode(const struct emu_device *dev)
{
	uint32_t width = dev->config.width, height = dev->config.height;
	struct drm_mode_modeinfo mode = {
		.hdisplay = width,
		.hsync_start = width + 16,
		.hsync_end = width + 32,
		.htotal = width + 48,
		.vdisplay = height,
		.vsync_start = height + 2,
		.vsync_end = height + 4,
		.vtotal = height + 6,
		.vrefresh = REFRESH,
		.type = DRM_MODE_TYPE_PREFERRED | DRM_MODE_TYPE_DRIVER,
	};

	mode.clock = mode.htotal * mode.vtotal * REFRESH / 1000;
	snprintf(mode.name, sizeof(mode.name), "%ux%u", width, height);
	return mode;
}

/* An array of one, as all of them here: written when there is room, counted in any case */
static int tell_one(uint64_t user, uint32_t *count, const void *entry, size_t size)
{
	int ret = *count ? user_write(user, entry, size) : 0;

	*count = 1;
	return ret;
}

static int get_resources(struct emu_file *file, void *arg)
{
	const uint32_t crtc = CRTC_ID, connector = CONNECTOR_ID, encoder = ENCODER_ID;
	struct drm_mode_card_res *args = arg;
	int ret;

	(void)file;
	args->count_fbs = 0;
	args->min_width = args->min_height = 1;
	args->max_width = args->max_height = MOST;
	ret = tell_one(args->crtc_id_ptr, &args->count_crtcs, &crtc, sizeof(crtc));
	ret = ret ? ret :
		    tell_one(args->connector_id_ptr, &args->count_connectors, &connector,
			     sizeof(connector));
	return ret ? ret :
		     tell_one(args->encoder_id_ptr, &args->count_encoders, &encoder,
			      sizeof(encoder));
}

static int get_connector(struct emu_file *file, void *arg)
{
	struct drm_mode_modeinfo mode = the_mode(file->dev);
	struct drm_mode_get_connector *args = arg;
	const uint32_t encoder = ENCODER_ID;
	int ret;

	if (args->connector_id != CONNECTOR_ID)
		return -ENOENT;
	args->count_props = 0;
	args->encoder_id = ENCODER_ID;
	args->connector_type = DRM_MODE_CONNECTOR_VIRTUAL;
	args->connector_type_id = 1;
	args->connection = 1;	/* connected */
	args->mm_width = mode.hdisplay / 4;
	args->mm_height = mode.vdisplay / 4;
	args->subpixel = 1;	/* unknown */
	ret = tell_one(args->modes_ptr, &args->count_modes, &mode, sizeof(mode));
	return ret ? ret :
		     tell_one(args->encoders_ptr, &args->count_encoders, &encoder, sizeof(encoder));
}

static int get_encoder(struct emu_file *file, void *arg)
{
	struct drm_mode_get_encoder *args = arg;

	(void)file;
	if (args->encoder_id != ENCODER_ID)
		return -ENOENT;
	args->encoder_type = DRM_MODE_ENCODER_VIRTUAL;
	args->crtc_id = CRTC_ID;
	args->possible_crtcs = 1;
	args->possible_clones = 0;
	return 0;
}

static int get_crtc(struct emu_file *file, void *arg)
{
	struct drm_mode_crtc *args = arg;

	if (args->crtc_id != CRTC_ID)
		return -ENOENT;
	args->x = args->y = 0;
	args->gamma_size = 0;
	args->fb_id = file->dev->shown_fb;
	args->mode_valid = 1;
	args->mode = the_mode(file->dev);
	return 0;
}

static struct framebuffer *fb_get(struct emu_device *dev, uint32_t id)
{
	return id < FIRST_FB ? NULL : table_get(&dev->framebuffers, id - FIRST_FB + 1);
}

static void fb_free(struct framebuffer *fb)
{
	bo_put(fb->bo);
	free(fb);
}

static uint32_t bytes_a_pixel(uint32_t format)
{
	switch (format) {
	case DRM_FORMAT_XRGB8888:
	case DRM_FORMAT_ARGB8888:
	case DRM_FORMAT_XBGR8888:
	case DRM_FORMAT_ABGR8888:
		return 4;
	case DRM_FORMAT_RGB565:
		return 2;
	default:
		return 0;
	}
}

static bool fb_fits(const struct framebuffer *fb)
{
	uint64_t row = (uint64_t)fb->width * bytes_a_pixel(fb->format);

	return row && fb->width <= MOST && fb->height && fb->height <= MOST && fb->pitch >= row &&
	       fb->offset + (uint64_t)fb->pitch * (fb->height - 1) + row <= fb->bo->size;
}

static int fb_add(struct emu_file *file, const struct framebuffer *wanted, uint32_t handle,
		  uint32_t *id)
{
	struct framebuffer *fb;
	struct bo *bo = bo_find(file, handle);
	uint32_t index;

	if (!bo)
		return -ENOENT;
	fb = malloc(sizeof(*fb));
	if (!fb)
		return -ENOMEM;
	*fb = *wanted;
	fb->file = file;
	fb->bo = bo_get(bo);
	if (!fb_fits(fb) || !bo->plain || bo->state != BO_NEEDED) {
		fb_free(fb);
		return -EINVAL;
	}
	index = table_add(&file->dev->framebuffers, fb);
	if (!index) {
		fb_free(fb);
		return -ENOMEM;
	}
	*id = index - 1 + FIRST_FB;
	return 0;
}

static int add_fb(struct emu_file *file, void *arg)
{
	struct drm_mode_fb_cmd *args = arg;
	struct framebuffer fb = { .width = args->width, .height = args->height,
				  .pitch = args->pitch };

	if (args->bpp == 32)
		fb.format = args->depth == 24 ? DRM_FORMAT_XRGB8888 : DRM_FORMAT_ARGB8888;
	else if (args->bpp == 16)
		fb.format = DRM_FORMAT_RGB565;
	return fb_add(file, &fb, args->handle, &args->fb_id);
}

static int add_fb2(struct emu_file *file, void *arg)
{
	struct drm_mode_fb_cmd2 *args = arg;
	const struct framebuffer fb = {
		.width = args->width,
		.height = args->height,
		.pitch = args->pitches[0],
		.offset = args->offsets[0],
		.format = args->pixel_format,
	};

	if (args->flags & ~DRM_MODE_FB_MODIFIERS || args->handles[1] ||
	    (args->flags & DRM_MODE_FB_MODIFIERS && args->modifier[0] != DRM_FORMAT_MOD_LINEAR))
		return -EINVAL;
	return fb_add(file, &fb, args->handles[0], &args->fb_id);
}

static void fb_remove(struct emu_device *dev, uint32_t id)
{
	struct framebuffer *fb = table_remove(&dev->framebuffers, id - FIRST_FB + 1);

	if (dev->shown_fb == id)
		dev->shown_fb = 0;
	if (fb)
		fb_free(fb);
}

static int remove_fb(struct emu_file *file, void *arg)
{
	const uint32_t *id = arg;
	const struct framebuffer *fb = fb_get(file->dev, *id);

	if (!fb || fb->file != file)
		return -ENOENT;
	fb_remove(file->dev, *id);
	return 0;
}

/* A display reads what has been written by then */
static int show(struct emu_file *file, uint32_t id)
{
	struct emu_device *dev = file->dev;
	struct framebuffer *fb = fb_get(dev, id);
	struct fence *fence;
	struct bo *bo;
	int ret;

	if (!fb)
		return -ENOENT;
	bo = bo_get(fb->bo);
	ret = bo_fence(bo, false, &fence);
	if (fence)
		fence_wait(dev, fence, INT64_MAX);
	fence_put(fence);
	fb = ret ? NULL : fb_get(dev, id);
	if (fb && fb->bo == bo) {
		const struct emu_shown shown = {
			.pixels = bo_cpu(bo) + fb->offset,
			.size = bo->size - fb->offset,
			.width = fb->width,
			.height = fb->height,
			.pitch = fb->pitch,
			.format = fb->format,
			.t_tiled = bo->t_tiled,
		};

		dev->shown_fb = id;
		dev->flips++;
		if (dev->config.shown)
			dev->config.shown(dev->config.opaque, &shown);
	}
	bo_put(bo);
	return ret;
}

static int set_crtc(struct emu_file *file, void *arg)
{
	const struct drm_mode_crtc *args = arg;

	if (args->crtc_id != CRTC_ID)
		return -ENOENT;
	if (!args->mode_valid || !args->fb_id) {	/* off */
		file->dev->shown_fb = 0;
		return 0;
	}
	if (args->mode.hdisplay != file->dev->config.width ||
	    args->mode.vdisplay != file->dev->config.height)
		return -EINVAL;
	return show(file, args->fb_id == ~0u ? file->dev->shown_fb : args->fb_id);
}

static bool add_event(struct emu_file *file, uint64_t user_data)
{
	struct drm_event_vblank *events = realloc(file->events,
						  (file->event_count + 1) * sizeof(*events));
	int64_t now = now_ns();

	if (!events)
		return false;
	file->events = events;
	events[file->event_count++] = (struct drm_event_vblank){
		.base = { .type = DRM_EVENT_FLIP_COMPLETE, .length = sizeof(*events) },
		.user_data = user_data,
		.tv_sec = now / 1000000000,
		.tv_usec = now % 1000000000 / 1000,
		.sequence = file->dev->flips,
		.crtc_id = CRTC_ID,
	};
	return true;
}

static int page_flip(struct emu_file *file, void *arg)
{
	const struct drm_mode_crtc_page_flip *args = arg;
	int ret;

	if (args->crtc_id != CRTC_ID)
		return -ENOENT;
	if (args->reserved || args->flags & ~(DRM_MODE_PAGE_FLIP_EVENT | DRM_MODE_PAGE_FLIP_ASYNC))
		return -EINVAL;
	ret = show(file, args->fb_id);
	if (!ret && args->flags & DRM_MODE_PAGE_FLIP_EVENT && !add_event(file, args->user_data))
		ret = -ENOMEM;
	return ret;
}

static int create_dumb(struct emu_file *file, void *arg)
{
	struct drm_mode_create_dumb *args = arg;
	struct bo *bo;
	int ret;

	if (args->flags || !args->width || !args->height || args->width > MOST ||
	    args->height > MOST)
		return -EINVAL;
	if (!args->bpp || args->bpp > 32)
		return -EINVAL;
	args->pitch = roundup(args->width * howmany(args->bpp, 8), 64);
	args->size = (uint64_t)args->pitch * args->height;
	ret = bo_create(file->dev, args->size, true, &bo);
	if (ret)
		return ret;
	ret = bo_handle(file, bo, &args->handle);
	bo_put(bo);
	return ret;
}

static int map_dumb(struct emu_file *file, void *arg)
{
	struct drm_mode_map_dumb *args = arg;
	const struct bo *bo = bo_find(file, args->handle);

	if (!bo || !bo->plain)
		return -ENOENT;
	args->offset = bo->map_offset;
	return 0;
}

/* Planes and properties are of no use to legacy mode setting: there are none */
static int get_planes(struct emu_file *file, void *arg)
{
	struct drm_mode_get_plane_res *args = arg;

	(void)file;
	args->count_planes = 0;
	return 0;
}

static int get_properties(struct emu_file *file, void *arg)
{
	struct drm_mode_obj_get_properties *args = arg;

	(void)file;
	args->count_props = 0;
	return 0;
}

static emu_ioctl *find(unsigned int nr)
{
	switch (nr) {
	case _IOC_NR(DRM_IOCTL_MODE_GETRESOURCES):
		return get_resources;
	case _IOC_NR(DRM_IOCTL_MODE_GETCONNECTOR):
		return get_connector;
	case _IOC_NR(DRM_IOCTL_MODE_GETENCODER):
		return get_encoder;
	case _IOC_NR(DRM_IOCTL_MODE_GETCRTC):
		return get_crtc;
	case _IOC_NR(DRM_IOCTL_MODE_SETCRTC):
		return set_crtc;
	case _IOC_NR(DRM_IOCTL_MODE_ADDFB):
		return add_fb;
	case _IOC_NR(DRM_IOCTL_MODE_ADDFB2):
		return add_fb2;
	case _IOC_NR(DRM_IOCTL_MODE_RMFB):
		return remove_fb;
	case _IOC_NR(DRM_IOCTL_MODE_PAGE_FLIP):
		return page_flip;
	case _IOC_NR(DRM_IOCTL_MODE_CREATE_DUMB):
		return create_dumb;
	case _IOC_NR(DRM_IOCTL_MODE_MAP_DUMB):
		return map_dumb;
	case _IOC_NR(DRM_IOCTL_MODE_GETPLANERESOURCES):
		return get_planes;
	case _IOC_NR(DRM_IOCTL_MODE_OBJ_GETPROPERTIES):
		return get_properties;
	default:
		return NULL;
	}
}

int kms_ioctl(struct emu_file *file, unsigned int nr, void *arg)
{
	struct emu_device *dev = file->dev;
	emu_ioctl *fn = find(nr);
	int ret;

	if (!has_display(file))
		return core_no_display(file, arg);
	/* has no pad, and is otherwise the same */
	if (nr == _IOC_NR(DRM_IOCTL_MODE_DESTROY_DUMB)) {
		const struct drm_mode_destroy_dumb *dumb = arg;

		return emu_gem_close(file, &(struct drm_gem_close){ .handle = dumb->handle });
	}
	if (!fn)
		return -EINVAL;
	pthread_mutex_lock(&dev->lock);
	ret = fn(file, arg);
	pthread_mutex_unlock(&dev->lock);
	return ret;
}

/* Lock held */
void kms_closed(struct emu_file *file)
{
	struct emu_device *dev = file->dev;
	uint32_t i;

	for (i = 0; i < dev->framebuffers.size; i++) {
		const struct framebuffer *fb = dev->framebuffers.entries[i];

		if (fb && fb->file == file)
			fb_remove(dev, i + FIRST_FB);
	}
	free(file->events);
}

ssize_t emu_file_read(struct emu_file *file, void *buffer, size_t size)
{
	struct drm_event_vblank event;
	ssize_t ret = -EAGAIN;

	pthread_mutex_lock(&file->dev->lock);
	if (file->event_count && size >= sizeof(event)) {
		event = file->events[0];
		file->event_count--;
		memmove(file->events, file->events + 1, file->event_count * sizeof(event));
		ret = user_write((uintptr_t)buffer, &event, sizeof(event));
		ret = ret ? ret : (ssize_t)sizeof(event);
	} else if (file->event_count) {
		ret = -EINVAL;
	}
	pthread_mutex_unlock(&file->dev->lock);
	return ret;
}
