// SPDX-License-Identifier: MIT
/*
 * A frame as DRM_IOCTL_VC4_SUBMIT_CL takes it: BOs are named by index, beside the bin list in
 * records of their own, before each shader record and before each uniform stream. Shader records
 * and streams follow each other in the order of their use.
 */
#include <errno.h>
#include <string.h>

#include <v3d/lists.h>

#include "frame_building.h"
#include "submit_numbers.h"

enum { V3D_GL_SHADER_RECORD_FIELDS(CL_PLACE, RECORD) };
enum { V3D_ATTRIBUTE_FIELDS(CL_PLACE, ARRAY) };
enum { V3D_INDEXED_PRIMITIVES_FIELDS(CL_PLACE, DRAW) };
enum { V3D_GL_SHADER_STATE_FIELDS(CL_PLACE, STATE) };

/* Code and uniforms of the three shaders, in the order in which the ABI wants them */
static const struct {
	uint32_t code, uniforms;
} shaders[] = {
	{ RECORD_fs_code, RECORD_fs_uniforms },
	{ RECORD_vs_code, RECORD_vs_uniforms },
	{ RECORD_cs_code, RECORD_cs_uniforms },
};

#define SHADERS 3

struct conversion {
	struct v3dcl_frame *frame;
	struct frame_out *out;
	uint32_t memory;	/* handle of the BO with what the frame keeps */
	struct v3dcl_error *error;
	uint8_t last;		/* number of the record before */
};

static int no_memory(const struct conversion *c)
{
	return cl_no_memory(c->error);
}

static void put_word(uint8_t *bytes, uint32_t word)
{
	bytes[0] = word;
	bytes[1] = word >> 8;
	bytes[2] = word >> 16;
	bytes[3] = word >> 24;
}

static uint32_t word_at(const uint8_t *bytes)
{
	return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static int handle_of(struct conversion *c, uint32_t bo, uint32_t *index)
{
	if (bo == V3DCL_TILE_MEMORY)
		return v3dcl_fail(c->error, -EINVAL,
				  "only the driver knows the tile memory of a checked frame");
	if (bo == V3DCL_FRAME_MEMORY && !c->memory)
		return v3dcl_fail(c->error, -EINVAL, "what the frame keeps is in no BO");
	return frame_handle(c->out, bo == V3DCL_FRAME_MEMORY ? c->memory : bo, index, c->error);
}

static int append_word(struct conversion *c, struct v3dcl_buffer *out, uint32_t word)
{
	uint8_t bytes[4];

	put_word(bytes, word);
	return v3dcl_buffer_add(out, bytes, sizeof(bytes)) ? 0 : no_memory(c);
}

/* The index of the BO that the word at @at is an address in; what is no address has none. */
static int append_handle(struct conversion *c, struct v3dcl_buffer *out,
			 const struct v3dcl_block *block, uint32_t at, const char *what)
{
	const struct v3dcl_fixup *fixup = frame_fixup_at(block, at);
	uint32_t index;
	int ret;

	if (!fixup || fixup->at != at)
		return v3dcl_fail(c->error, -EINVAL, "gl_shader_record: %s is no address in a BO",
				  what);
	ret = handle_of(c, fixup->to.bo, &index);
	return ret ? ret : append_word(c, out, index);
}

static const struct kept_stream *find_stream(const struct v3dcl_frame *frame, uint32_t at)
{
	const struct kept_stream *streams = (const void *)frame->streams.bytes;
	size_t i;

	for (i = 0; i < frame->streams.size / sizeof(*streams); i++)
		if (streams[i].at == at)
			return &streams[i];
	return NULL;
}

static bool in_stream(const struct v3dcl_block *memory, const struct v3dcl_fixup *fixup,
		      const struct kept_stream *stream)
{
	uint32_t count;
	const struct v3dcl_fixup *fixups = v3dcl_block_fixups(memory, &count);

	return fixup && fixup < fixups + count && fixup->at < stream->at + stream->size;
}

/* A stream with its addresses as offsets, and the BOs that they are in before it */
static int append_stream(struct conversion *c, const struct kept_stream *stream)
{
	const struct v3dcl_block *memory = &c->frame->memory;
	const struct v3dcl_fixup *first = frame_fixup_at(memory, stream->at), *fixup;
	struct v3dcl_buffer *out = &c->out->uniforms;
	uint32_t index;
	uint8_t *words;
	int ret = 0;

	for (fixup = first; !ret && in_stream(memory, fixup, stream); fixup++) {
		if (fixup->to.bo == V3DCL_FRAME_MEMORY && fixup->to.offset == stream->at)
			continue;	/* the stream's own address: the driver knows where */
		ret = handle_of(c, fixup->to.bo, &index);
		if (!ret)
			ret = append_word(c, out, index);
	}
	if (ret || !stream->size)
		return ret;
	words = v3dcl_buffer_add(out, memory->bytes.bytes + stream->at, stream->size);
	if (!words)
		return no_memory(c);
	for (fixup = first; in_stream(memory, fixup, stream); fixup++) {
		uint8_t *word = words + (fixup->at - stream->at);

		if (fixup->to.bo != V3DCL_FRAME_MEMORY || fixup->to.offset != stream->at)
			put_word(word, word_at(word) + fixup->to.offset);
	}
	return 0;
}

static int append_shader_stream(struct conversion *c, uint32_t at)
{
	const struct v3dcl_fixup *fixup = frame_fixup_at(&c->frame->memory, at);
	const struct kept_stream *stream = NULL;

	if (!fixup || fixup->at != at)
		return 0;
	if (fixup->to.bo == V3DCL_FRAME_MEMORY)
		stream = find_stream(c->frame, fixup->to.offset);
	if (!stream)
		return v3dcl_fail(c->error, -EINVAL,
				  "gl_shader_record: its uniforms are no stream of the frame's");
	return append_stream(c, stream);
}

/* Handles, the record with offsets in place of addresses, its streams */
static int append_record(struct conversion *c, const struct kept_record *record)
{
	const struct v3dcl_block *memory = &c->frame->memory;
	const uint32_t size = V3D_GL_SHADER_RECORD_LENGTH +
			      record->attributes * V3D_ATTRIBUTE_LENGTH;
	uint8_t *bytes;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < SHADERS && !ret; i++)
		ret = append_handle(c, &c->out->records, memory, record->at + shaders[i].code,
				    "code");
	for (i = 0; i < record->attributes && !ret; i++)
		ret = append_handle(c, &c->out->records, memory,
				    record->at + V3D_GL_SHADER_RECORD_LENGTH +
					    i * V3D_ATTRIBUTE_LENGTH + ARRAY_address,
				    "an attribute array");
	if (ret)
		return ret;
	bytes = v3dcl_buffer_add(&c->out->records, memory->bytes.bytes + record->at, size);
	if (!bytes)
		return no_memory(c);
	for (i = 0; i < SHADERS; i++) {
		put_word(bytes + shaders[i].code,
			 frame_fixup_at(memory, record->at + shaders[i].code)->to.offset);
		put_word(bytes + shaders[i].uniforms, 0);
	}
	for (i = 0; i < record->attributes; i++) {
		const uint32_t at = V3D_GL_SHADER_RECORD_LENGTH + i * V3D_ATTRIBUTE_LENGTH +
				    ARRAY_address;

		put_word(bytes + at, frame_fixup_at(memory, record->at + at)->to.offset);
	}
	for (i = 0; i < SHADERS && !ret; i++)
		ret = append_shader_stream(c, record->at + shaders[i].uniforms);
	c->out->record_count++;
	return ret;
}

static int append_bin(struct conversion *c, const uint8_t *bytes, uint32_t length)
{
	return v3dcl_buffer_add(&c->out->bin, bytes, length) ? 0 : no_memory(c);
}

static int add_shader_state(struct conversion *c, const uint8_t *in,
			    const struct v3dcl_fixup *fixup)
{
	const struct kept_record *records = (const void *)c->frame->records.bytes, *record = NULL;
	struct v3d_gl_shader_state state;
	uint8_t out[V3D_GL_SHADER_STATE_LENGTH];
	size_t i;
	int ret;

	for (i = 0; fixup && fixup->to.bo == V3DCL_FRAME_MEMORY &&
	     i < c->frame->records.size / sizeof(*records); i++)
		if (records[i].at == fixup->to.offset)
			record = &records[i];
	if (!record)
		return v3dcl_fail(c->error, -EINVAL,
				  "gl_shader_state: its record is none that the frame keeps");
	v3d_unpack_gl_shader_state(in, &state);
	if (record->extended || state.extended ||
	    v3d_shader_attributes(&state) != record->attributes)
		return v3dcl_fail(c->error, -EINVAL,
				  "gl_shader_state: %u attribute arrays, its record has %u%s",
				  v3d_shader_attributes(&state), record->attributes,
				  record->extended ? " and is extended" : "");
	ret = append_record(c, record);
	state.address = 0;
	v3d_pack_gl_shader_state(out, &state);
	return ret ? ret : append_bin(c, out, sizeof(out));
}

static int add_indexed(struct conversion *c, const uint8_t *in, const struct v3dcl_fixup *fixup)
{
	uint8_t out[V3D_INDEXED_PRIMITIVES_LENGTH], handles[V3D_GEM_HANDLES_LENGTH];
	struct v3d_gem_handles of_draw = { 0 };
	int ret;

	memcpy(out, in, sizeof(out));
	if (!fixup)
		return append_bin(c, out, sizeof(out));
	ret = handle_of(c, fixup->to.bo, &of_draw.first);
	if (ret)
		return ret;
	v3d_pack_gem_handles(handles, &of_draw);
	put_word(out + 1 + DRAW_address, fixup->to.offset);
	ret = append_bin(c, handles, sizeof(handles));
	return ret ? ret : append_bin(c, out, sizeof(out));
}

/* The driver has its own memory for tiles. */
static int add_mode(struct conversion *c, const uint8_t *in)
{
	uint8_t out[V3D_TILE_BINNING_MODE_LENGTH];
	struct v3d_tile_binning_mode mode;

	v3d_unpack_tile_binning_mode(in, &mode);
	mode.address = 0;
	mode.size = 0;
	mode.state = 0;
	v3d_pack_tile_binning_mode(out, &mode);
	return append_bin(c, out, sizeof(out));
}

/* The ABI wants Increment Semaphore before. */
static int add_flush(struct conversion *c, const uint8_t *in)
{
	static const uint8_t semaphore = V3D_INCREMENT_SEMAPHORE;
	int ret = c->last == V3D_INCREMENT_SEMAPHORE ?
			  0 :
			  append_bin(c, &semaphore, V3D_INCREMENT_SEMAPHORE_LENGTH);

	return ret ? ret : append_bin(c, in, V3D_FLUSH_LENGTH);
}

/* What the checked job's bin list may have: those, and state without addresses */
static bool is_checkable(uint8_t id)
{
	switch (id) {
	case V3D_NOP:
	case V3D_FLUSH:
	case V3D_START_TILE_BINNING:
	case V3D_INCREMENT_SEMAPHORE:
	case V3D_INDEXED_PRIMITIVES:
	case V3D_ARRAY_PRIMITIVES:
	case V3D_PRIMITIVE_LIST_FORMAT:
	case V3D_GL_SHADER_STATE:
	case V3D_TILE_BINNING_MODE:
	case V3D_GEM_HANDLES:
		return true;
	default:
		return id >= V3D_CONFIGURATION_BITS && id <= V3D_CLIPPER_Z_SCALE;
	}
}

static int add_record(struct conversion *c, const uint8_t *in, uint32_t at)
{
	const uint32_t length = v3d_packet_info(in[0])->length;
	const struct v3dcl_fixup *fixup = frame_fixup_at(&c->frame->bin.block, at);

	if (!is_checkable(in[0]))
		return v3dcl_fail(c->error, -EINVAL, "%s: not in a checked frame",
				  v3d_packet_info(in[0])->name);
	if (fixup && fixup->at >= at + length)
		fixup = NULL;
	switch (in[0]) {
	case V3D_GL_SHADER_STATE:
		return add_shader_state(c, in, fixup);
	case V3D_INDEXED_PRIMITIVES:
		return add_indexed(c, in, fixup);
	case V3D_TILE_BINNING_MODE:
		return add_mode(c, in);
	case V3D_FLUSH:
		return add_flush(c, in);
	default:
		return append_bin(c, in, length);
	}
}

static int add_list(struct conversion *c)
{
	const struct v3dcl_buffer *list = &c->frame->bin.block.bytes;
	uint32_t at;
	int ret = 0;

	for (at = 0; at < list->size && !ret; at += v3d_packet_info(c->last)->length) {
		ret = add_record(c, list->bytes + at, at);
		c->last = list->bytes[at];
	}
	if (ret && c->error)
		c->error->offset = at;
	return ret;
}

static int add_surface(struct conversion *c, struct drm_vc4_submit_rcl_surface *surface,
		       const struct v3dcl_target *target, uint16_t bits, bool read)
{
	*surface = (struct drm_vc4_submit_rcl_surface){ .hindex = CL_NO_BO };
	if (!target->address.bo)
		return 0;
	surface->offset = target->address.offset;
	if (target->full)
		surface->flags = read ? VC4_SUBMIT_RCL_SURFACE_READ_IS_FULL_RES : 0;
	else
		surface->bits = bits;
	return handle_of(c, target->address.bo, &surface->hindex);
}

/* Bits of a surface are the first two bytes of records 28 and 29, behind their number. */
static uint16_t general_bits(const struct v3dcl_target *target, uint32_t buffer)
{
	const struct v3d_store_general store = { .buffer = buffer, .format = target->format,
						 .pixel = target->pixel };
	uint8_t bytes[V3D_STORE_GENERAL_LENGTH];

	v3d_pack_store_general(bytes, &store);
	return bytes[1] | bytes[2] << 8;
}

/* Those of the frame's colour are the last two bytes of record 113. */
static uint16_t frame_bits(const struct v3dcl_targets *targets)
{
	const struct v3d_tile_rendering_mode mode = {
		.multisample = targets->multisample,
		.pixel = cl_frame_pixel(targets->color_write.pixel),
		.decimate = targets->decimate,
		.format = targets->color_write.format,
	};
	uint8_t bytes[V3D_TILE_RENDERING_MODE_LENGTH];

	v3d_pack_tile_rendering_mode(bytes, &mode);
	return bytes[V3D_TILE_RENDERING_MODE_LENGTH - 2] | bytes[V3D_TILE_RENDERING_MODE_LENGTH - 1]
								   << 8;
}

static int add_surfaces(struct conversion *c, struct drm_vc4_submit_cl *submit)
{
	const struct v3dcl_targets *t = &c->frame->targets;
	int ret = add_surface(c, &submit->color_read, &t->color_read,
			      general_bits(&t->color_read, V3D_BUFFER_COLOR), true);

	if (!ret)
		ret = add_surface(c, &submit->color_write, &t->color_write, 0, false);
	if (!ret)
		ret = add_surface(c, &submit->zs_read, &t->zs_read,
				  general_bits(&t->zs_read, V3D_BUFFER_ZS), true);
	if (!ret)
		ret = add_surface(c, &submit->zs_write, &t->zs_write,
				  general_bits(&t->zs_write, V3D_BUFFER_ZS), false);
	if (!ret)
		ret = add_surface(c, &submit->msaa_color_write, &t->full_color_write, 0, false);
	if (!ret)
		ret = add_surface(c, &submit->msaa_zs_write, &t->full_zs_write, 0, false);
	submit->color_write.bits = frame_bits(t);
	return ret;
}

static void add_frame(struct conversion *c, struct drm_vc4_submit_cl *submit)
{
	const struct v3dcl_targets *t = &c->frame->targets;
	const uint32_t tile = v3d_tile_width(t->multisample);

	submit->perfmonid = c->frame->perfmon;
	submit->width = t->width;
	submit->height = t->height;
	submit->max_x_tile = (t->width - 1) / tile;
	submit->max_y_tile = (t->height - 1) / tile;
	if (!t->clear)
		return;
	submit->flags = VC4_SUBMIT_CL_USE_CLEAR_COLOR;
	submit->clear_color[0] = t->clear_color[0];
	submit->clear_color[1] = t->clear_color[1];
	submit->clear_z = t->clear_z | (uint32_t)t->clear_vg_mask << 24;
	submit->clear_s = t->clear_stencil;
}

static bool targets_are_raw(const struct v3dcl_targets *t)
{
	return t->color64 || t->vg_mask || t->coverage_mode || t->early_z_disable ||
	       t->early_z_greater || t->decimate == V3D_DECIMATE_16X;
}

bool v3dcl_frame_is_raw(struct v3dcl_frame *frame)
{
	const struct v3dcl_buffer *list = &frame->bin.block.bytes;
	const struct kept_record *records = (const void *)frame->records.bytes;
	size_t at, i;

	if (targets_are_raw(&frame->targets) || frame->render.block.bytes.size)
		return true;
	for (at = 0; at < list->size; at += v3d_packet_info(list->bytes[at])->length)
		if (!is_checkable(list->bytes[at]))
			return true;
	for (i = 0; i < frame->records.size / sizeof(*records); i++)
		if (records[i].extended)
			return true;
	return false;
}

int v3dcl_frame_checked(struct v3dcl_frame *frame, uint32_t memory,
			struct drm_vc4_submit_cl *submit, struct v3dcl_error *error)
{
	struct conversion c = {
		.frame = frame, .out = &frame->out, .memory = memory, .error = error
	};
	int ret;

	*submit = (struct drm_vc4_submit_cl){ 0 };
	frame_out_free(c.out);
	if (!frame->targets.width)
		return v3dcl_fail(error, -EINVAL, "the frame has no targets");
	if (targets_are_raw(&frame->targets) || frame->render.block.bytes.size)
		return v3dcl_fail(error, -EINVAL,
				  "a checked frame has no 64-bit colour, coverage or render list");
	ret = frame->bin.block.bytes.size ? v3dcl_list_end(&frame->bin, error) : 0;
	if (!ret)
		ret = add_list(&c);
	if (!ret)
		ret = add_surfaces(&c, submit);
	if (!ret && !c.out->handles.size)
		ret = v3dcl_fail(error, -EINVAL,
				 "a frame without memory: neither targets nor anything to draw");
	if (ret)
		return ret;
	add_frame(&c, submit);
	submit->bin_cl = (uintptr_t)c.out->bin.bytes;
	submit->bin_cl_size = c.out->bin.size;
	submit->shader_rec = (uintptr_t)c.out->records.bytes;
	submit->shader_rec_size = c.out->records.size;
	submit->shader_rec_count = c.out->record_count;
	submit->uniforms = (uintptr_t)c.out->uniforms.bytes;
	submit->uniforms_size = c.out->uniforms.size;
	submit->bo_handles = (uintptr_t)c.out->handles.bytes;
	submit->bo_handle_count = c.out->handles.size / sizeof(uint32_t);
	return 0;
}
