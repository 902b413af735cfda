// SPDX-License-Identifier: MIT
/* A frame on a device: its memory becomes BOs, which the job holds on to until it has ended. */
#include <errno.h>
#include <string.h>

#include "../base/options.h"
#include "frame_building.h"
#include "v3dcl_device.h"

/* Of one submit: what it names, and what is for it alone */
struct submission {
	struct v3dcl_frame *frame;
	struct v3dcl_device *device;
	struct v3dcl_frame_options options;
	uint32_t memory, tiles;
	uint32_t in_sync, out_sync;	/* the caller's, or of its own for sync_files */
	uint64_t seqno;
	struct v3dcl_error *error;
};

static int make_bo(struct v3dcl_device *device, const uint8_t *bytes, uint32_t size,
		   uint32_t *handle, struct v3dcl_error *error)
{
	void *map;
	int ret = v3dcl_bo_create(device, size, handle, error);

	if (ret || !bytes)
		return ret;
	ret = v3dcl_bo_map(device, *handle, &map, error);
	if (!ret)
		memcpy(map, bytes, size);
	return ret;
}

static bool has_stages(const struct v3dcl_frame_options *o)
{
	return o->bin || o->render || o->flags || o->priority;
}

static int submit_lists(struct submission *s)
{
	struct drm_v3dcl_sync in = { .handle = s->in_sync }, out = { .handle = s->out_sync };
	struct drm_v3dcl_submit_lists lists;
	int ret;

	if (has_stages(&s->options))
		return v3dcl_fail(s->error, -EINVAL,
				  "bin, render, flags and priority are for checked frames; raw "
				  "lists have in_sync, in_fence, out_sync and out_fence");
	ret = v3dcl_frame_raw(s->frame, s->memory, s->tiles, &lists, s->error);
	lists.in_syncs = s->in_sync ? (uintptr_t)&in : 0;
	lists.in_sync_count = !!s->in_sync;
	lists.out_syncs = s->out_sync ? (uintptr_t)&out : 0;
	lists.out_sync_count = !!s->out_sync;
	if (!ret)
		ret = v3dcl_submit_lists(s->device, &lists, s->error);
	s->seqno = lists.seqno;
	return ret;
}

/* A caller's array with one more entry, the syncobj @handle, if that is not 0, in @all */
static int add_sync(struct submission *s, struct drm_v3dcl_sync all[DRM_V3DCL_MAX_SYNCS],
		    __u64 *syncs, __u32 *count, uint32_t handle)
{
	if (!handle)
		return 0;
	if (*count >= DRM_V3DCL_MAX_SYNCS)
		return v3dcl_fail(s->error, -EINVAL,
				  "a stage has %u syncobjs or fewer to wait for, and to signal; "
				  "in_sync, in_fence, out_sync and out_fence are one each",
				  DRM_V3DCL_MAX_SYNCS);
	if (*count)
		memcpy(all, (const void *)(uintptr_t)*syncs, *count * sizeof(*all));
	all[*count] = (struct drm_v3dcl_sync){ .handle = handle };
	*syncs = (uintptr_t)all;
	++*count;
	return 0;
}

static int submit_stages(struct submission *s, const struct drm_vc4_submit_cl *checked)
{
	const struct v3dcl_frame_options *o = &s->options;
	struct drm_v3dcl_sync ins[DRM_V3DCL_MAX_SYNCS], outs[DRM_V3DCL_MAX_SYNCS];
	struct drm_v3dcl_submit_frame frame = { .frame = *checked, .flags = o->flags,
						.priority = o->priority };
	struct drm_v3dcl_stage *first = checked->bin_cl_size ? &frame.bin : &frame.render;
	int ret;

	if (o->bin)
		frame.bin = *o->bin;
	if (o->render)
		frame.render = *o->render;
	ret = add_sync(s, ins, &first->in_syncs, &first->in_sync_count, s->in_sync);
	if (!ret)
		ret = add_sync(s, outs, &frame.render.out_syncs, &frame.render.out_sync_count,
			       s->out_sync);
	if (!ret)
		ret = v3dcl_submit_stages(s->device, &frame, s->error);
	s->seqno = frame.frame.seqno;
	return ret;
}

static int submit(struct submission *s)
{
	struct drm_vc4_submit_cl checked;
	int ret;

	if (v3dcl_frame_is_raw(s->frame))
		return submit_lists(s);
	ret = v3dcl_frame_checked(s->frame, s->memory, &checked, s->error);
	if (!ret && has_stages(&s->options))
		return submit_stages(s, &checked);
	checked.in_sync = s->in_sync;
	checked.out_sync = s->out_sync;
	if (!ret)
		ret = v3dcl_submit_frame(s->device, &checked, s->error);
	s->seqno = checked.seqno;
	return ret;
}

/* Sync_files go by way of syncobjs of their own, which end with the call */
static int submit_with_fences(struct submission *s)
{
	const struct v3dcl_frame_options *o = &s->options;
	int ret = 0, fence;

	s->in_sync = o->in_sync;
	s->out_sync = o->out_sync;
	if (o->in_sync && o->in_fence)
		return v3dcl_fail(s->error, -EINVAL,
				  "a frame waits for a syncobj or for a sync_file, not for both");
	if (o->in_fence)
		ret = v3dcl_syncobj_create(s->device, false, &s->in_sync, s->error);
	if (!ret && o->in_fence)
		ret = v3dcl_syncobj_import(s->device, s->in_sync, o->in_fence, s->error);
	if (!ret && o->out_fence && !s->out_sync)
		ret = v3dcl_syncobj_create(s->device, false, &s->out_sync, s->error);
	if (!ret)
		ret = submit(s);
	if (!ret && o->out_fence) {
		fence = v3dcl_syncobj_export(s->device, s->out_sync, s->error);
		ret = fence < 0 ? fence : 0;
		*o->out_fence = fence;
	}
	if (s->in_sync != o->in_sync)
		v3dcl_syncobj_destroy(s->device, s->in_sync);
	if (s->out_sync != o->out_sync)
		v3dcl_syncobj_destroy(s->device, s->out_sync);
	return ret;
}

void frame_close_kept(struct v3dcl_frame *frame)
{
	if (frame->kept_memory.handle)
		v3dcl_bo_close(frame->kept_on, frame->kept_memory.handle);
	if (frame->kept_tiles.handle)
		v3dcl_bo_close(frame->kept_on, frame->kept_tiles.handle);
	frame->kept_memory = frame->kept_tiles = (struct kept_bo){ 0 };
	frame->kept_on = NULL;
}

/* The BO that is kept, if it is large enough: idle, and with these bytes in it. Else another one */
static int reuse_bo(const struct submission *s, struct kept_bo *kept, const uint8_t *bytes,
		    uint32_t size)
{
	void *map;
	int ret;

	if (kept->handle && kept->size < size) {
		v3dcl_bo_close(s->device, kept->handle);
		*kept = (struct kept_bo){ 0 };
	}
	if (!kept->handle) {
		ret = make_bo(s->device, bytes, size, &kept->handle, s->error);
		kept->size = ret ? 0 : size;
		return ret;
	}
	ret = v3dcl_bo_wait(s->device, kept->handle, UINT64_MAX, s->error);
	if (ret || !bytes)
		return ret;
	ret = v3dcl_bo_map(s->device, kept->handle, &map, s->error);
	if (!ret)
		memcpy(map, bytes, size);
	return ret;
}

/* Those of another device are of no use here */
static int submit_kept(struct submission *s, const uint8_t *bytes, uint32_t size, uint32_t tiles)
{
	struct v3dcl_frame *frame = s->frame;
	int ret = 0;

	if (frame->kept_on != s->device)
		frame_close_kept(frame);
	frame->kept_on = s->device;
	if (size)
		ret = reuse_bo(s, &frame->kept_memory, bytes, size);
	if (!ret && tiles)
		ret = reuse_bo(s, &frame->kept_tiles, NULL, tiles);
	s->memory = size ? frame->kept_memory.handle : 0;
	s->tiles = tiles ? frame->kept_tiles.handle : 0;
	return ret ? ret : submit_with_fences(s);
}

static int submit_once(struct submission *s, const uint8_t *bytes, uint32_t size, uint32_t tiles)
{
	int ret = 0;

	if (size)
		ret = make_bo(s->device, bytes, size, &s->memory, s->error);
	if (!ret && tiles)
		ret = make_bo(s->device, NULL, tiles, &s->tiles, s->error);
	if (!ret)
		ret = submit_with_fences(s);
	if (s->memory)
		v3dcl_bo_close(s->device, s->memory);
	if (s->tiles)
		v3dcl_bo_close(s->device, s->tiles);
	return ret;
}

int v3dcl_frame_submit_with(struct v3dcl_frame *frame, struct v3dcl_device *device,
			    const struct v3dcl_frame_options *options, uint64_t *seqno,
			    struct v3dcl_error *error)
{
	struct submission s = { .frame = frame, .device = device, .error = error };
	uint32_t size, tiles;
	const uint8_t *bytes;
	int ret = options_take(&s.options, sizeof(s.options), options, "v3dcl_frame_options",
			       error);

	if (!ret)
		ret = v3dcl_frame_memory(frame, &bytes, &size, &tiles, error);
	if (!ret)
		ret = s.options.keep ? submit_kept(&s, bytes, size, tiles) :
				       submit_once(&s, bytes, size, tiles);
	if (!ret)
		*seqno = s.seqno;
	return ret;
}

int v3dcl_frame_submit(struct v3dcl_frame *frame, struct v3dcl_device *device, uint64_t *seqno,
		       struct v3dcl_error *error)
{
	return v3dcl_frame_submit_with(frame, device, NULL, seqno, error);
}
