// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Checking a bin list: each record is read once, checked, and written with addresses in place of BO
 * indices.
 */
#include <v3d/packets.h>

#include "record.h"

/* Where fields are in the records, in bytes, id included */
#define PLACE(record, name, type, low, bits) record##_##name = 1 + (low) / 8,
enum {
	V3D_TILE_BINNING_MODE_FIELDS(PLACE, AT_MODE)
	V3D_PRIMITIVE_LIST_FORMAT_FIELDS(PLACE, AT_FORMAT)
	V3D_CLIP_WINDOW_FIELDS(PLACE, AT_CLIP)
	V3D_GL_SHADER_STATE_FIELDS(PLACE, AT_SHADER)
	V3D_ARRAY_PRIMITIVES_FIELDS(PLACE, AT_ARRAY)
	V3D_INDEXED_PRIMITIVES_FIELDS(PLACE, AT_INDEXED)
};

struct bin {
	struct v3dcl_job *job;
	struct v3dcl_cursor list;	/* at the record being checked */
	__u8 *out, *end;		/* where the next checked one goes; of the room for all */
	struct v3dcl_records records;
	__u32 width, height;		/* of all tiles, in pixels */
	__u32 handles[2];
	__u32 changes;			/* of state, as the chip counts them: count_change() */
	bool has_handles, has_mode, started, clipped, semaphore, flushed, changed;
};

static __cold bool refuse(struct bin *b, __u16 rule, __u32 byte, __u64 found, __u64 expected)
{
	return v3dcl_refuse(&b->job->refusal, DRM_V3DCL_PART_BIN, rule, b->list.at + byte, found,
			    expected);
}

/*
 * Room for a checked record, NULL after a refusal. There is enough: need_exec() asks for as much as
 * the list has, and a record is never longer than the one that it is made of.
 */
static __always_inline __u8 *take_room(struct bin *b, __u32 length)
{
	__u8 *out = b->out;

	if (NEVER(length > (__u32)(b->end - out))) {
		refuse(b, V3DCL_RULE_NO_ROOM, 0, b->end - out, length);
		return NULL;
	}
	b->out = out + length;
	return out;
}

/* Where it is called the length is known, so it is a few moves. */
static __always_inline bool copy(struct bin *b, const __u8 *bytes, __u32 length)
{
	__u8 *out = take_room(b, length);

	if (NEVER(!out))
		return false;
	__builtin_memcpy(out, bytes, length);
	return true;
}

/*
 * The end of the list is Increment Semaphore, Flush. Fences order binning and rendering, so the
 * semaphore is left alone.
 */
static bool check_semaphore(struct bin *b, const __u8 *in)
{
	static const __u8 nop = V3D_NOP;

	(void)in;
	if (b->list.at + V3D_INCREMENT_SEMAPHORE_LENGTH + V3D_FLUSH_LENGTH != b->list.size)
		return refuse(b, V3DCL_RULE_BIN_END, 0, V3D_INCREMENT_SEMAPHORE, V3D_FLUSH);
	b->semaphore = true;
	return copy(b, &nop, V3D_NOP_LENGTH);
}

static bool check_flush(struct bin *b, const __u8 *in)
{
	if (!b->semaphore)
		return refuse(b, V3DCL_RULE_BIN_END, 0, V3D_FLUSH, V3D_INCREMENT_SEMAPHORE);
	if (!b->started)
		return refuse(b, V3DCL_RULE_START_MISSING, 0, V3D_FLUSH, V3D_START_TILE_BINNING);
	/* The semaphore has seen to it that just this comes after it. */
	if (NEVER(b->list.at + V3D_FLUSH_LENGTH != b->list.size))
		return refuse(b, V3DCL_RULE_BIN_END, 0, V3D_FLUSH, V3D_INCREMENT_SEMAPHORE);
	b->flushed = true;
	return copy(b, in, V3D_FLUSH_LENGTH);
}

/* v3dcl_measure() has seen to it that the mode comes first. */
static bool check_start(struct bin *b, const __u8 *in)
{
	if (b->started)
		return refuse(b, V3DCL_RULE_START_TWICE, 0, V3D_START_TILE_BINNING, 0);
	if (NEVER(!b->has_mode))
		return refuse(b, V3DCL_RULE_BIN_MODE_MISSING, 0, V3D_START_TILE_BINNING,
			      V3D_TILE_BINNING_MODE);
	b->started = true;
	b->changed = false;
	return copy(b, in, V3D_START_TILE_BINNING_LENGTH);
}

static __u32 block_code(__u32 bytes)
{
	return bytes == 256 ? 3 : bytes == 128 ? 2 : bytes == 64 ? 1 : 0;
}

/* Everything but its size in tiles and its multisampling is ours. */
static bool write_mode(struct bin *b, struct v3d_tile_binning_mode *mode)
{
	__u8 out[V3D_TILE_BINNING_MODE_LENGTH];

	mode->address = b->job->tiles.lists;
	mode->size = b->job->tiles.lists_bytes;
	mode->state = b->job->tiles.state;
	mode->auto_initialise = 1;
	mode->initial_block = block_code(V3DCL_FIRST_BLOCK);
	mode->block = block_code(V3DCL_NEXT_BLOCK);
	v3d_pack_tile_binning_mode(out, mode);
	return copy(b, out, sizeof(out));
}

static bool check_mode(struct bin *b, const __u8 *in)
{
	const struct v3dcl_tile_memory *tiles = &b->job->tiles;
	const struct v3dcl_needs *needs = &b->job->needs;
	struct v3d_tile_binning_mode mode;

	if (b->has_mode)
		return refuse(b, V3DCL_RULE_BIN_MODE_TWICE, 0, V3D_TILE_BINNING_MODE, 0);
	v3d_unpack_tile_binning_mode(in, &mode);
	if (mode.width != needs->tiles_x || mode.height != needs->tiles_y ||
	    tiles->state_bytes < needs->state || tiles->lists_bytes < needs->lists ||
	    tiles->state & 15 || tiles->lists & 255)
		return refuse(b, V3DCL_RULE_BIN_MEMORY, 0, tiles->lists_bytes, needs->lists);
	b->has_mode = true;
	b->job->bin_multisample = mode.multisample;
	b->width = mode.width * v3d_tile_width(mode.multisample);
	b->height = mode.height * v3d_tile_width(mode.multisample);
	return write_mode(b, &mode);
}

static bool check_handles(struct bin *b, const __u8 *in)
{
	struct v3d_gem_handles handles;

	v3d_unpack_gem_handles(in, &handles);
	b->handles[0] = handles.first;
	b->handles[1] = handles.second;
	b->has_handles = true;
	return true;
}

static bool check_format(struct bin *b, const __u8 *in)
{
	struct v3d_primitive_list_format format;

	v3d_unpack_primitive_list_format(in, &format);
	if (format.data != V3D_LIST_INDEX_16 || format.primitive > V3D_LIST_TRIANGLES)
		return refuse(b, V3DCL_RULE_LIST_FORMAT, AT_FORMAT_primitive,
			      format.data << 4 | format.primitive,
			      V3D_LIST_INDEX_16 << 4 | V3D_LIST_TRIANGLES);
	return copy(b, in, V3D_PRIMITIVE_LIST_FORMAT_LENGTH);
}

static __u32 least(__u32 a, __u32 b)
{
	return a < b ? a : b;
}

/* Nothing is binned outside the clip window, so it must not reach beyond the tiles: it is cut. */
static bool check_clip(struct bin *b, const __u8 *in)
{
	struct v3d_clip_window window;
	__u8 *out;

	if (!b->has_mode)
		return refuse(b, V3DCL_RULE_BIN_MODE_MISSING, 0, V3D_CLIP_WINDOW,
			      V3D_TILE_BINNING_MODE);
	v3d_unpack_clip_window(in, &window);
	window.left = least(window.left, b->width);
	window.bottom = least(window.bottom, b->height);
	out = take_room(b, V3D_CLIP_WINDOW_LENGTH);
	if (NEVER(!out))
		return false;
	out[0] = V3D_CLIP_WINDOW;
	v3dcl_put_le16(out + AT_CLIP_left, window.left);
	v3dcl_put_le16(out + AT_CLIP_bottom, window.bottom);
	v3dcl_put_le16(out + AT_CLIP_width, least(window.width, b->width - window.left));
	v3dcl_put_le16(out + AT_CLIP_height, least(window.height, b->height - window.bottom));
	b->clipped = true;
	return true;
}

static bool check_shader_state(struct bin *b, const __u8 *in)
{
	struct v3d_gl_shader_state state;
	__u8 *out;

	v3d_unpack_gl_shader_state(in, &state);
	if (state.extended)
		return refuse(b, V3DCL_RULE_SHADER_EXTENDED, AT_SHADER_extended, 1, 0);
	if (state.address)
		return refuse(b, V3DCL_RULE_SHADER_ADDRESS, AT_SHADER_address, state.address, 0);
	if (b->records.count >= b->job->submit->shader_rec_count)
		return refuse(b, V3DCL_RULE_SHADER_COUNT, 0, b->records.count + 1,
			      b->job->submit->shader_rec_count);
	b->records.count++;
	if (!v3dcl_check_record(&b->records, &state))
		return false;
	/* @exec is aligned and checked records are rounded up: below is how many arrays. */
	if (NEVER(state.address & 15))
		return refuse(b, V3DCL_RULE_INTERNAL, AT_SHADER_address, state.address, 0);
	out = take_room(b, V3D_GL_SHADER_STATE_LENGTH);
	if (NEVER(!out))
		return false;
	out[0] = V3D_GL_SHADER_STATE;
	/* Where the address was 0 */
	v3dcl_put_le32(out + 1, v3dcl_le32(in + 1) | state.address);
	return true;
}

/*
 * HW-2116: the chip's counter of state changes must not wrap around. So many are safe: Mesa has no
 * more draws in a job (SW). The counter moves at the first state record after Start Tile Binning or
 * after a draw; others before the next draw do not count, nor do those before the start (SW).
 */
#define CHANGES 0x1ef0

static bool count_change(struct bin *b)
{
	if (!b->started || b->changed)
		return true;
	b->changed = true;
	b->changes++;
	return b->changes <= CHANGES ||
	       refuse(b, V3DCL_RULE_STATE_CHANGES, 0, b->changes, CHANGES);
}

/* Varyings that come before the shader's own: HW. Where they are in a point, or across a line */
static const __u8 own_varyings[V3D_PRIMITIVES] = {
	[V3D_POINTS] = 2, [V3D_LINES] = 1, [V3D_LINE_LOOP] = 1, [V3D_LINE_STRIP] = 1
};

/*
 * What both kinds of draws need, whose mode and length are at the same place; last is the highest
 * index of a vertex.
 */
static __always_inline bool check_draw(struct bin *b, __u32 mode, __u32 length, __u32 last,
				       __u32 last_at)
{
	if (mode >= V3D_PRIMITIVES)
		return refuse(b, V3DCL_RULE_PRIMITIVE_MODE, AT_ARRAY_mode, mode,
			      V3D_PRIMITIVES - 1);
	if (!b->started)
		return refuse(b, V3DCL_RULE_START_MISSING, 0, 0, V3D_START_TILE_BINNING);
	if (!b->records.count)
		return refuse(b, V3DCL_RULE_SHADER_MISSING, 0, 0, V3D_GL_SHADER_STATE);
	if (!b->clipped)
		return refuse(b, V3DCL_RULE_CLIP_MISSING, 0, 0, V3D_CLIP_WINDOW);
	if (!length)
		return refuse(b, V3DCL_RULE_DRAW_LENGTH, AT_ARRAY_length, length, 1);
	if (b->records.varyings != own_varyings[mode])
		return refuse(b, V3DCL_RULE_DRAW_VARYINGS, AT_ARRAY_mode, b->records.varyings,
			      own_varyings[mode]);
	if (!v3dcl_has_vertex(&b->records, last))
		return refuse(b, V3DCL_RULE_VERTEX_END, last_at, last,
			      v3dcl_last_vertex(&b->records));
	b->job->draws++;
	b->changed = false;
	return true;
}

static bool check_array(struct bin *b, const __u8 *in)
{
	struct v3d_array_primitives draw;
	__u64 last;

	v3d_unpack_array_primitives(in, &draw);
	last = (__u64)draw.first_vertex + draw.length - 1;
	if (draw.length && last >> 32)
		return refuse(b, V3DCL_RULE_OVERFLOW, AT_ARRAY_first_vertex, draw.first_vertex,
			      V3DCL_NO_LIMIT - (draw.length - 1));
	if (!check_draw(b, draw.mode, draw.length, last, AT_ARRAY_first_vertex))
		return false;
	return copy(b, in, V3D_ARRAY_PRIMITIVES_LENGTH);
}

/*
 * Mesa's highest index is that of the last element in its BO, whether the draw has it or not. Where
 * the rest of that element's last word is loaded as well, it is left out. AG100 Table 38: a greater
 * index than the highest one is an error.
 */
static __u32 highest_index(const struct v3dcl_records *r, __u32 maximum)
{
	return !v3dcl_has_vertex(r, maximum) && maximum <= r->whole ? v3dcl_last_vertex(r) :
								      maximum;
}

/* The indices of a draw lie in their BO, whose address is added to theirs. */
static __always_inline bool place_indices(struct bin *b, struct v3d_indexed_primitives *draw)
{
	const struct v3dcl_bo *bo;
	__u32 bytes;

	if (draw->index_type > V3D_INDEX_16)
		return refuse(b, V3DCL_RULE_INDEX_TYPE, AT_INDEXED_index_type, draw->index_type,
			      V3D_INDEX_16);
	if (!b->has_handles)
		return refuse(b, V3DCL_RULE_HANDLES_MISSING, 0, V3D_INDEXED_PRIMITIVES,
			      V3D_GEM_HANDLES);
	bo = v3dcl_use_bo(b->job, b->handles[0], V3DCL_READ | V3DCL_READ_BINNING,
			  DRM_V3DCL_PART_BIN, b->list.at);
	if (!bo)
		return false;
	if (draw->index_type == V3D_INDEX_16 && draw->address & 1)
		return refuse(b, V3DCL_RULE_INDEX_ALIGNMENT, AT_INDEXED_address, draw->address,
			      draw->address & ~1u);
	if (__builtin_mul_overflow(draw->length, draw->index_type + 1, &bytes))
		return refuse(b, V3DCL_RULE_OVERFLOW, AT_INDEXED_length, draw->length,
			      ~(__u32)0 / 2);
	if (!v3dcl_inside(draw->address, bytes, bo->size))
		return refuse(b, V3DCL_RULE_INDEX_END, AT_INDEXED_address,
			      draw->address + (__u64)bytes, bo->size);
	draw->address += bo->address;
	return true;
}

static bool check_indexed(struct bin *b, const __u8 *in)
{
	struct v3d_indexed_primitives draw;
	__u8 out[V3D_INDEXED_PRIMITIVES_LENGTH];

	v3d_unpack_indexed_primitives(in, &draw);
	draw.maximum_index = highest_index(&b->records, draw.maximum_index);
	if (!check_draw(b, draw.mode, draw.length, draw.maximum_index, AT_INDEXED_maximum_index) ||
	    !place_indices(b, &draw))
		return false;
	v3d_pack_indexed_primitives(out, &draw);
	return copy(b, out, sizeof(out));
}

/* State that only says how to draw: copied */
#define COPIED(N) \
	N(CONFIGURATION_BITS, configuration_bits) \
	N(FLAT_SHADE_FLAGS, flat_shade_flags) N(LINE_WIDTH, line_width) \
	N(RHT_X_BOUNDARY, rht_x_boundary) N(DEPTH_OFFSET, depth_offset) \
	N(VIEWPORT_OFFSET, viewport_offset) N(Z_CLIPPING_PLANES, z_clipping_planes) \
	N(CLIPPER_XY_SCALING, clipper_xy_scaling) N(CLIPPER_Z_SCALE, clipper_z_scale)

/*
 * Without its unused bits: @used has those of its fields, up to 64, which come after its number.
 * All but the bytes is constant. A record of whole words is copied with its number.
 */
static __always_inline bool copy_fields(struct bin *b, const __u8 *in, __u32 length, __u64 used)
{
	__u32 at = 0, words = length / sizeof(__u32);
	__u8 *out = take_room(b, length);

	if (NEVER(!out))
		return false;
	if (length % sizeof(__u32))
		out[at++] = in[0];
	else
		used = used << 8 | 0xff;
	for (; words; words--, at += sizeof(__u32), used >>= 32)
		v3dcl_put_le32(out + at, v3dcl_le32(in + at) & (__u32)used);
	for (; at < length; at++, used >>= 8)
		out[at] = in[at] & used;
	return true;
}

#define USED(o, name, type, low, bits) | ~(__u64)0 >> (64 - (bits)) << (low)
#define DEFINE_COPY(NAME, name) \
	static bool copy_##name(struct bin *b, const __u8 *in) \
	{ \
		return copy_fields(b, in, V3D_##NAME##_LENGTH, \
				   (__u64)0 V3D_##NAME##_FIELDS(USED, 0)); \
	}
COPIED(DEFINE_COPY)

/*
 * HW-2726: points of size 0, which a size below a sixteenth of 1/2 becomes, stop the binner. Mesa's
 * least is 0.125 too. Positive floats are ordered as their bits are; infinity is the last of them.
 */
#define LEAST_POINT 0x3e000000u
#define MOST_POINT 0x7f800000u

static bool check_point_size(struct bin *b, const __u8 *in)
{
	__u32 size = v3dcl_le32(in + 1);

	if (size < LEAST_POINT || size > MOST_POINT)
		return refuse(b, V3DCL_RULE_POINT_SIZE, 1, size, LEAST_POINT);
	return copy(b, in, V3D_POINT_SIZE_LENGTH);
}

static bool copy_nop(struct bin *b, const __u8 *in)
{
	return copy(b, in, V3D_NOP_LENGTH);
}

/* The records that a bin list may have, and their rules */
#define LIST_COPY(NAME, name) [V3D_##NAME] = { copy_##name, V3D_##NAME##_LENGTH, true },
static const struct {
	bool (*check)(struct bin *b, const __u8 *in);
	__u8 length;
	bool is_state;		/* it changes state: count_change() */
} rules[256] = {
	COPIED(LIST_COPY)
	[V3D_NOP] = { copy_nop, V3D_NOP_LENGTH, false },
	[V3D_POINT_SIZE] = { check_point_size, V3D_POINT_SIZE_LENGTH, true },
	[V3D_FLUSH] = { check_flush, V3D_FLUSH_LENGTH, false },
	[V3D_START_TILE_BINNING] = { check_start, V3D_START_TILE_BINNING_LENGTH, false },
	[V3D_INCREMENT_SEMAPHORE] = { check_semaphore, V3D_INCREMENT_SEMAPHORE_LENGTH, false },
	[V3D_INDEXED_PRIMITIVES] = { check_indexed, V3D_INDEXED_PRIMITIVES_LENGTH, false },
	[V3D_ARRAY_PRIMITIVES] = { check_array, V3D_ARRAY_PRIMITIVES_LENGTH, false },
	[V3D_PRIMITIVE_LIST_FORMAT] = { check_format, V3D_PRIMITIVE_LIST_FORMAT_LENGTH, true },
	[V3D_GL_SHADER_STATE] = { check_shader_state, V3D_GL_SHADER_STATE_LENGTH, true },
	[V3D_CLIP_WINDOW] = { check_clip, V3D_CLIP_WINDOW_LENGTH, true },
	[V3D_TILE_BINNING_MODE] = { check_mode, V3D_TILE_BINNING_MODE_LENGTH, false },
	[V3D_GEM_HANDLES] = { check_handles, V3D_GEM_HANDLES_LENGTH, false },
};

/* A record that may not be here, or is not all there */
static __cold bool refuse_record(struct bin *b, __u8 id)
{
	if (rules[id].check)
		return refuse(b, V3DCL_RULE_TRUNCATED, 0, b->list.size - b->list.at,
			      rules[id].length);
	return refuse(b,
		      v3d_packet_info(id)->name ? V3DCL_RULE_RECORD_FORBIDDEN :
						  V3DCL_RULE_RECORD_UNKNOWN,
		      0, id, 0);
}

/* All there, and something at all, so that a list has an end: as the table says. */
static __always_inline bool is_record(const struct bin *b, __u8 id)
{
	return rules[id].check && ALWAYS(rules[id].length) &&
	       rules[id].length <= b->list.size - b->list.at;
}

static bool check_list(struct bin *b)
{
	while (b->list.at < b->list.size) {
		const __u8 *in = b->list.bytes + b->list.at;
		const __u8 id = in[0];

		if (!is_record(b, id))
			return refuse_record(b, id);
		if ((rules[id].is_state && !count_change(b)) || !rules[id].check(b, in))
			return false;
		b->list.at += rules[id].length;
	}
	return b->flushed || refuse(b, V3DCL_RULE_BIN_END, 0, 0, V3D_FLUSH);
}

/*
 * The memory for the tile mode: the first blocks of all tiles are in one piece, rounded up to 256
 * bytes (HW).
 */
static bool need_tiles(struct bin *b, const struct v3d_tile_binning_mode *mode)
{
	struct v3dcl_needs *needs = &b->job->needs;
	__u32 tiles = mode->width * mode->height;

	if (!tiles)
		return refuse(b, V3DCL_RULE_BIN_TILES, mode->width ? AT_MODE_height : AT_MODE_width,
			      0, 1);
	if (mode->color64 || mode->double_buffer)
		return refuse(b, V3DCL_RULE_BIN_FLAGS, AT_MODE_color64,
			      mode->double_buffer << 1 | mode->color64, 0);
	needs->tiles_x = mode->width;
	needs->tiles_y = mode->height;
	needs->state = tiles * V3D_TILE_STATE_BYTES;
	needs->lists = v3dcl_round_up(tiles * V3DCL_FIRST_BLOCK, 256) + V3DCL_NEXT_BLOCK +
		       V3DCL_BINNER_SLACK;
	return true;
}

/*
 * Checked records are not longer than those that userspace gives with their handles, so its sizes
 * are enough. What comes after the list's end is in the same memory: see V3DCL_AFTER_LIST.
 */
static bool need_exec(struct v3dcl_job *job)
{
	__u32 bin, records, total;

	if (__builtin_add_overflow(job->bin.size, 15, &bin) ||
	    __builtin_add_overflow(job->records.size, 15, &records) ||
	    __builtin_add_overflow(bin & ~15u, records & ~15u, &total) ||
	    __builtin_add_overflow(total, job->uniforms.size, &total) ||
	    __builtin_add_overflow(total, V3DCL_AFTER_LIST, &job->needs.exec))
		return v3dcl_refuse(&job->refusal, DRM_V3DCL_PART_SUBMIT, V3DCL_RULE_OVERFLOW,
				    __builtin_offsetof(struct drm_vc4_submit_cl, bin_cl_size),
				    (__u64)job->bin.size + job->records.size + job->uniforms.size,
				    ~(__u32)0);
	return true;
}

/**
 * v3dcl_measure() - how much memory does the checked job need?
 * @job: with its bin list, which is not empty, records and uniforms; @job->needs is set
 *
 * Looks at the bin list as far as its tile binning mode.
 *
 * Return: false with the job's refusal set
 */
bool v3dcl_measure(struct v3dcl_job *job)
{
	struct bin b = { .job = job, .list = { job->bin.bytes, job->bin.size, 0 } };

	for (; b.list.at < b.list.size; b.list.at += rules[b.list.bytes[b.list.at]].length) {
		const __u8 *in = b.list.bytes + b.list.at;
		struct v3d_tile_binning_mode mode;

		if (!is_record(&b, in[0]))
			return refuse_record(&b, in[0]);
		if (in[0] == V3D_START_TILE_BINNING)
			return refuse(&b, V3DCL_RULE_BIN_MODE_MISSING, 0, V3D_START_TILE_BINNING,
				      V3D_TILE_BINNING_MODE);
		if (in[0] != V3D_TILE_BINNING_MODE)
			continue;
		v3d_unpack_tile_binning_mode(in, &mode);
		return need_tiles(&b, &mode) && need_exec(job);
	}
	return refuse(&b, V3DCL_RULE_BIN_MODE_MISSING, 0, 0, V3D_TILE_BINNING_MODE);
}

/*
 * The next part of the job's memory, 16-byte aligned. need_exec() has added up the same sizes; else
 * there would be room for nothing.
 */
static struct v3dcl_writer part(const struct v3dcl_memory *memory, __u32 *at, __u32 size)
{
	struct v3dcl_writer writer = { memory->cpu + *at, memory->address + *at, size };

	if (NEVER(!v3dcl_inside(*at, size, memory->size)))
		writer.left = 0;
	*at += v3dcl_round_up(size, 16);
	return writer;
}

/**
 * v3dcl_check_bin() - check a bin list with its shader records and uniforms
 * @job: measured, with @exec and @tiles of the sizes needed
 *
 * Writes the checked list, records and streams to @job->exec, sets @bin_start, @bin_end,
 * @bin_multisample and @draws, and adds to the uses of the BOs.
 *
 * Return: false with the job's refusal set
 */
bool v3dcl_check_bin(struct v3dcl_job *job)
{
	struct bin b = { .job = job, .list = { job->bin.bytes, job->bin.size, 0 } };
	struct v3dcl_writer out;
	__u32 end, at = 0;

	b.records.job = job;
	b.records.records = (struct v3dcl_cursor){ job->records.bytes, job->records.size, 0 };
	b.records.uniforms = (struct v3dcl_cursor){ job->uniforms.bytes, job->uniforms.size, 0 };
	if (!need_exec(job))
		return false;
	if (job->exec.size < job->needs.exec || job->exec.address & 15 ||
	    __builtin_add_overflow(job->exec.address, job->exec.size - 1, &end))
		return v3dcl_refuse(&job->refusal, DRM_V3DCL_PART_SUBMIT, V3DCL_RULE_NO_ROOM, 0,
				    job->exec.size, job->needs.exec);
	out = part(&job->exec, &at, job->bin.size);
	b.out = out.cpu;
	b.end = out.cpu + out.left;
	b.records.records_out = part(&job->exec, &at, job->records.size);
	b.records.uniforms_out = part(&job->exec, &at, job->uniforms.size);
	job->draws = 0;
	if (!check_list(&b))
		return false;
	job->bin_start = out.address;
	job->bin_end = out.address + (__u32)(b.out - out.cpu);
	if (NEVER(job->bin_end > end))
		return v3dcl_refuse(&job->refusal, DRM_V3DCL_PART_SUBMIT, V3DCL_RULE_INTERNAL, 0,
				    job->bin_end, end);
	return true;
}
