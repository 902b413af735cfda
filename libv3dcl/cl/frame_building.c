// SPDX-License-Identifier: MIT
/* A frame while it is being built. */
#include <errno.h>
#include <stdlib.h>
#include <sys/param.h>

#include <v3d/lists.h>

#include "frame_building.h"

/* The binner's memory is at least as large as the driver's own (256 KiB) to begin with. */
#define LEAST_TILE_MEMORY (256u << 10)
#define LIST_ALIGNMENT 256u

int v3dcl_frame_new(struct v3dcl_frame **frame, struct v3dcl_error *error)
{
	*frame = calloc(1, sizeof(**frame));
	if (!*frame)
		return cl_no_memory(error);
	v3dcl_list_init(&(*frame)->bin, V3DCL_BIN_LIST);
	v3dcl_list_init(&(*frame)->render, V3DCL_RENDER_LIST);
	return 0;
}

void v3dcl_frame_perfmon(struct v3dcl_frame *frame, uint32_t perfmon)
{
	frame->perfmon = perfmon;
}

void frame_out_free(struct frame_out *out)
{
	v3dcl_buffer_free(&out->handles);
	v3dcl_buffer_free(&out->bin);
	v3dcl_buffer_free(&out->records);
	v3dcl_buffer_free(&out->uniforms);
	v3dcl_buffer_free(&out->addresses);
	out->record_count = 0;
}

void v3dcl_frame_reset(struct v3dcl_frame *frame)
{
	v3dcl_list_free(&frame->bin);
	v3dcl_list_free(&frame->render);
	v3dcl_list_init(&frame->bin, V3DCL_BIN_LIST);
	v3dcl_list_init(&frame->render, V3DCL_RENDER_LIST);
	v3dcl_block_free(&frame->memory);
	v3dcl_buffer_free(&frame->records);
	v3dcl_buffer_free(&frame->streams);
	v3dcl_block_free(&frame->whole);
	frame_out_free(&frame->out);
}

void v3dcl_frame_free(struct v3dcl_frame *frame)
{
	if (!frame)
		return;
	v3dcl_frame_reset(frame);
	frame_close_kept(frame);
	free(frame);
}

static int check_target(const char *name, const struct v3dcl_target *target, uint32_t pixels,
			struct v3dcl_error *error)
{
	if (!target->address.bo)
		return 0;
	if (target->address.offset % 16)
		return v3dcl_fail(error, -EINVAL, "%s is at 0x%x, no multiple of 16", name,
				  target->address.offset);
	if (target->format > V3D_LT_FORMAT)
		return v3dcl_fail(error, -EINVAL, "%s: there is no memory format %u", name,
				  target->format);
	if (target->pixel > pixels)
		return v3dcl_fail(error, -EINVAL, "%s: it has no pixel format %u", name,
				  target->pixel);
	return 0;
}

int v3dcl_frame_targets(struct v3dcl_frame *frame, const struct v3dcl_targets *targets,
			struct v3dcl_error *error)
{
	struct v3dcl_binning binning = {
		.width = targets->width,
		.height = targets->height,
		.multisample = targets->multisample,
		.color64 = targets->color64,
	};
	int ret = v3dcl_binning_compute(&binning, error);

	if (!ret)
		ret = check_target("color_read", &targets->color_read, V3D_BGR565, error);
	if (!ret)
		ret = check_target("color_write", &targets->color_write, V3D_BGR565, error);
	if (!ret)
		ret = check_target("zs_read", &targets->zs_read, V3D_RGBA8888, error);
	if (!ret)
		ret = check_target("zs_write", &targets->zs_write, V3D_RGBA8888, error);
	if (!ret)
		ret = check_target("full_color_write", &targets->full_color_write, V3D_BGR565,
				   error);
	if (!ret)
		ret = check_target("full_zs_write", &targets->full_zs_write, V3D_RGBA8888, error);
	if (!ret)
		frame->targets = *targets;
	return ret;
}

int v3dcl_frame_begin(struct v3dcl_frame *frame, struct v3dcl_error *error)
{
	struct v3dcl_binning binning = {
		.width = frame->targets.width,
		.height = frame->targets.height,
		.multisample = frame->targets.multisample,
		.color64 = frame->targets.color64,
	};
	struct v3dcl_address state = { V3DCL_TILE_MEMORY, 0 }, lists = { V3DCL_TILE_MEMORY, 0 };
	uint32_t bytes;
	int ret = v3dcl_binning_compute(&binning, error);

	if (ret)
		return ret;
	lists.offset = roundup(binning.state_bytes, LIST_ALIGNMENT);
	bytes = lists.offset + binning.list_bytes;
	bytes = MAX(bytes, LEAST_TILE_MEMORY) - lists.offset;
	return v3dcl_list_begin(&frame->bin, &binning, state, lists, bytes, error);
}

struct v3dcl_list *v3dcl_frame_bin(struct v3dcl_frame *frame)
{
	return &frame->bin;
}

struct v3dcl_list *v3dcl_frame_render(struct v3dcl_frame *frame)
{
	return &frame->render;
}

int v3dcl_frame_data(struct v3dcl_frame *frame, const struct v3dcl_block *block, uint32_t alignment,
		     struct v3dcl_address *where, struct v3dcl_error *error)
{
	uint32_t at;
	int ret;

	if (!alignment || alignment & (alignment - 1) || alignment > 4096)
		return v3dcl_fail(error, -EINVAL,
				  "an alignment of %u: it is a power of two, at most 4096",
				  alignment);
	ret = v3dcl_block_append(&frame->memory, block, alignment, &at, error);
	if (!ret)
		*where = (struct v3dcl_address){ V3DCL_FRAME_MEMORY, at };
	return ret;
}

/* Remembers what has just been put at the end of the frame's memory, or takes it back. */
static int keep(struct v3dcl_frame *frame, struct v3dcl_buffer *table, const void *entry,
		size_t size, struct cl_mark mark, struct v3dcl_error *error)
{
	if (v3dcl_buffer_add(table, entry, size))
		return 0;
	table->failed = false;
	return cl_back_to(&frame->memory, mark, error);
}

int v3dcl_frame_uniforms(struct v3dcl_frame *frame, const struct v3dcl_block *stream,
			 struct v3dcl_address *where, struct v3dcl_error *error)
{
	const struct cl_mark mark = cl_mark(&frame->memory);
	struct kept_stream kept = { .size = stream->bytes.size };
	struct v3dcl_fixup *fixups;
	size_t i;
	int ret = v3dcl_frame_data(frame, stream, 16, where, error);

	if (ret)
		return ret;
	kept.at = where->offset;
	fixups = (struct v3dcl_fixup *)frame->memory.fixups.bytes;
	for (i = mark.fixups / sizeof(*fixups); i < frame->memory.fixups.size / sizeof(*fixups);
	     i++)
		if (fixups[i].to.bo == V3DCL_FRAME_MEMORY &&
		    fixups[i].to.offset == V3DCL_OWN_STREAM)
			fixups[i].to.offset = kept.at;
	return keep(frame, &frame->streams, &kept, sizeof(kept), mark, error);
}

static void set_where(struct v3dcl_address *where, uint32_t at)
{
	*where = (struct v3dcl_address){ V3DCL_FRAME_MEMORY, at };
}

int v3dcl_frame_gl(struct v3dcl_frame *frame, const struct v3dcl_gl_shader_record *record,
		   const struct v3dcl_attribute *attributes, const uint32_t *strides,
		   uint32_t count, struct v3dcl_address *where, struct v3dcl_error *error)
{
	const struct cl_mark mark = cl_mark(&frame->memory);
	struct kept_record kept = { .attributes = count, .extended = strides };
	int ret = v3dcl_record_gl(&frame->memory, record, attributes, strides, count, &kept.at,
				  error);

	if (!ret)
		ret = keep(frame, &frame->records, &kept, sizeof(kept), mark, error);
	if (!ret)
		set_where(where, kept.at);
	return ret;
}

int v3dcl_frame_nv(struct v3dcl_frame *frame, const struct v3dcl_nv_shader_record *record,
		   struct v3dcl_address *where, struct v3dcl_error *error)
{
	uint32_t at;
	int ret = v3dcl_record_nv(&frame->memory, record, &at, error);

	if (!ret)
		set_where(where, at);
	return ret;
}

int v3dcl_frame_vg(struct v3dcl_frame *frame, const struct v3dcl_vg_shader_record *record,
		   struct v3dcl_address *where, struct v3dcl_error *error)
{
	uint32_t at;
	int ret = v3dcl_record_vg(&frame->memory, record, &at, error);

	if (!ret)
		set_where(where, at);
	return ret;
}

/* Fixups of a block are in the order of their places. Return: the first from @at on, or NULL */
const struct v3dcl_fixup *frame_fixup_at(const struct v3dcl_block *block, uint32_t at)
{
	uint32_t low = 0, high, count;
	const struct v3dcl_fixup *fixups = v3dcl_block_fixups(block, &count);

	for (high = count; low < high;) {
		const uint32_t middle = low + (high - low) / 2;

		if (fixups[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count ? &fixups[low] : NULL;
}

enum { V3D_TILE_BINNING_MODE_FIELDS(CL_PLACE, AT) };

static struct v3dcl_address address_at(const struct v3dcl_block *block, uint32_t at,
				       uint32_t number)
{
	const struct v3dcl_fixup *fixup = frame_fixup_at(block, at);

	return fixup && fixup->at == at ? fixup->to : (struct v3dcl_address){ 0, number };
}

/* It stands at the beginning of a bin list, behind records of one fixed length. */
bool frame_find_mode(const struct v3dcl_frame *frame, struct frame_mode *mode)
{
	const struct v3dcl_block *block = &frame->bin.block;
	uint32_t at;

	for (at = 0; at < block->bytes.size;
	     at += v3d_packet_info(block->bytes.bytes[at])->length) {
		if (block->bytes.bytes[at] != V3D_TILE_BINNING_MODE)
			continue;
		v3d_unpack_tile_binning_mode(block->bytes.bytes + at, &mode->mode);
		mode->lists = address_at(block, at + 1 + AT_address, mode->mode.address);
		mode->state = address_at(block, at + 1 + AT_state, mode->mode.state);
		return true;
	}
	return false;
}

/* As far as the frame's bin list reaches into memory of the frame's own */
uint32_t frame_tile_bytes(const struct v3dcl_frame *frame)
{
	struct frame_mode mode;
	uint64_t lists = 0, state = 0;

	if (!frame_find_mode(frame, &mode))
		return 0;
	if (mode.lists.bo == V3DCL_TILE_MEMORY)
		lists = (uint64_t)mode.lists.offset + mode.mode.size;
	if (mode.state.bo == V3DCL_TILE_MEMORY)
		state = (uint64_t)mode.state.offset +
			mode.mode.width * mode.mode.height * V3D_TILE_STATE_BYTES;
	lists = MAX(lists, state);
	return MIN(lists, CL_MOST_BYTES);
}

/* The index of a BO among the submit's */
int frame_handle(struct frame_out *out, uint32_t handle, uint32_t *index, struct v3dcl_error *error)
{
	const uint32_t *handles = (const void *)out->handles.bytes;
	const uint32_t count = out->handles.size / sizeof(*handles);

	for (*index = 0; *index < count; ++*index)
		if (handles[*index] == handle)
			return 0;
	return v3dcl_buffer_add(&out->handles, &handle, sizeof(handle)) ? 0 : cl_no_memory(error);
}
