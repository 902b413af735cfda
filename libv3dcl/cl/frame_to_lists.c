// SPDX-License-Identifier: MIT
/* A frame as DRM_IOCTL_V3DCL_SUBMIT_LISTS takes it: all of it in one BO, and where addresses go. */
#include <errno.h>

#include "frame_building.h"

#define LIST_ALIGNMENT 16u

/* A render list that follows from the targets, and from what the bin list makes */
static int make_render_list(struct v3dcl_frame *frame, struct v3dcl_list *render,
			    struct v3dcl_error *error)
{
	struct v3dcl_tile_lists lists;
	struct frame_mode mode;
	const bool binned = frame_find_mode(frame, &mode);

	v3dcl_list_init(render, V3DCL_RENDER_LIST);
	if (!frame->targets.width)
		return v3dcl_fail(error, -EINVAL,
				  "the frame has neither targets nor a render list");
	if (binned)
		lists = (struct v3dcl_tile_lists){ mode.lists, mode.mode.width, mode.mode.height,
						   32u << mode.mode.initial_block };
	return v3dcl_render_list(render, &frame->targets, binned ? &lists : NULL, error);
}

static int append_list(struct v3dcl_frame *frame, const struct v3dcl_list *list,
		       struct drm_v3dcl_list *where, struct v3dcl_error *error)
{
	uint32_t at;
	int ret = v3dcl_list_end(list, error);

	if (!ret)
		ret = v3dcl_block_append(&frame->whole, &list->block, LIST_ALIGNMENT, &at, error);
	if (!ret)
		*where = (struct drm_v3dcl_list){ .start = at, .end = at + list->block.bytes.size };
	return ret;
}

/* What it keeps at its own offsets, then the lists */
static int make_whole(struct v3dcl_frame *frame, struct v3dcl_error *error)
{
	struct v3dcl_list made;
	uint32_t at;
	int ret;

	v3dcl_block_free(&frame->whole);
	frame->bin_at = frame->render_at = (struct drm_v3dcl_list){ 0 };
	ret = v3dcl_block_append(&frame->whole, &frame->memory, 1, &at, error);
	if (!ret && frame->bin.block.bytes.size)
		ret = append_list(frame, &frame->bin, &frame->bin_at, error);
	if (ret)
		return ret;
	if (frame->render.block.bytes.size)
		return append_list(frame, &frame->render, &frame->render_at, error);
	ret = make_render_list(frame, &made, error);
	if (!ret)
		ret = append_list(frame, &made, &frame->render_at, error);
	v3dcl_list_free(&made);
	return ret;
}

int v3dcl_frame_memory(struct v3dcl_frame *frame, const uint8_t **bytes, uint32_t *size,
		       uint32_t *tiles, struct v3dcl_error *error)
{
	int ret = 0;

	if (v3dcl_frame_is_raw(frame)) {
		ret = make_whole(frame, error);
		*tiles = frame_tile_bytes(frame);
	} else {
		uint32_t at;

		v3dcl_block_free(&frame->whole);
		ret = v3dcl_block_append(&frame->whole, &frame->memory, 1, &at, error);
		*tiles = 0;
	}
	*bytes = frame->whole.bytes.bytes;
	*size = frame->whole.bytes.size;
	return ret;
}

static int add_address(struct v3dcl_frame *frame, const struct v3dcl_fixup *fixup, uint32_t memory,
		       uint32_t tiles, struct v3dcl_error *error)
{
	struct drm_v3dcl_address address = { .offset = fixup->at,
					     .target_offset = fixup->to.offset };
	const uint32_t handle = fixup->to.bo == V3DCL_FRAME_MEMORY ? memory :
				fixup->to.bo == V3DCL_TILE_MEMORY ? tiles : fixup->to.bo;
	int ret;

	if (!handle)
		return v3dcl_fail(error, -EINVAL, "the frame's tile memory is in no BO");
	ret = frame_handle(&frame->out, handle, &address.target, error);
	if (ret)
		return ret;
	return v3dcl_buffer_add(&frame->out.addresses, &address, sizeof(address)) ?
		       0 :
		       cl_no_memory(error);
}

/* Both kinds of jobs name BOs, but only checked ones by these records. */
static int check_raw(const struct v3dcl_frame *frame, struct v3dcl_error *error)
{
	const struct v3dcl_buffer *list = &frame->bin.block.bytes;
	uint8_t id;
	size_t at;

	for (at = 0; at < list->size; at += v3d_packet_info(id)->length) {
		id = list->bytes[at];
		if (id == V3D_GEM_HANDLES)
			return v3dcl_fail(error, -EINVAL, "gem_handles: only in a checked frame");
		if (id == V3D_VG_INLINE_PRIMITIVES)
			return 0;
	}
	return 0;
}

int v3dcl_frame_raw(struct v3dcl_frame *frame, uint32_t memory, uint32_t tiles,
		    struct drm_v3dcl_submit_lists *submit, struct v3dcl_error *error)
{
	const struct v3dcl_fixup *fixups;
	uint32_t count, i, index;
	int ret = check_raw(frame, error);

	*submit = (struct drm_v3dcl_submit_lists){ 0 };
	frame_out_free(&frame->out);
	if (!memory)
		return v3dcl_fail(error, -EINVAL, "the frame's lists are in no BO");
	if (!ret)
		ret = make_whole(frame, error);
	if (!ret)
		ret = frame_handle(&frame->out, memory, &index, error);
	fixups = v3dcl_block_fixups(&frame->whole, &count);
	for (i = 0; i < count && !ret; i++)
		ret = add_address(frame, &fixups[i], memory, tiles, error);
	if (ret)
		return ret;
	submit->perfmon = frame->perfmon;
	submit->bin = frame->bin_at;
	submit->render = frame->render_at;
	submit->bo_handles = (uintptr_t)frame->out.handles.bytes;
	submit->bo_count = frame->out.handles.size / sizeof(uint32_t);
	submit->addresses = (uintptr_t)frame->out.addresses.bytes;
	submit->address_count = frame->out.addresses.size / sizeof(struct drm_v3dcl_address);
	return 0;
}
