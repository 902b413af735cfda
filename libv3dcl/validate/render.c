// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * The render list, which is all ours: checked surfaces become the loads, the tile's list and the
 * stores of each tile.
 *
 * One tile's records are the same as the next one's but for coordinates and addresses, so they are
 * made once and copied.
 */
#include <v3d/packets.h>

#include "layout.h"
#include "record.h"

#define FULL_TILE v3d_tile_width(1)	/* of a full resolution dump's rows of tiles (HW) */
#define MAX_TILE_BYTES 64	/* of a tile's records, which are 59 at most */
#define MAX_PATCHES 10		/* two loads, five coordinates, a list and two stores */

enum surface {
	COLOR_READ,
	COLOR_WRITE,
	ZS_READ,
	ZS_WRITE,
	MSAA_COLOR_WRITE,
	MSAA_ZS_WRITE,
	SURFACES
};

/* What a surface is to the submit, and what it may be */
static const struct {
	__u16 place;	/* of its struct */
	__u8 writes;
	__u8 buffer;	/* enum v3d_buffer: of loads and stores */
	__u8 full;	/* always a full resolution dump */
	__u8 may_be_full;
} kinds[SURFACES] = {
	[COLOR_READ] = { __builtin_offsetof(struct drm_vc4_submit_cl, color_read), 0,
			 V3D_BUFFER_COLOR, 0, 1 },
	[COLOR_WRITE] = { __builtin_offsetof(struct drm_vc4_submit_cl, color_write), 1,
			  V3D_BUFFER_COLOR, 0, 0 },
	[ZS_READ] = { __builtin_offsetof(struct drm_vc4_submit_cl, zs_read), 0, V3D_BUFFER_ZS, 0,
		      1 },
	[ZS_WRITE] = { __builtin_offsetof(struct drm_vc4_submit_cl, zs_write), 1, V3D_BUFFER_ZS, 0,
		       0 },
	[MSAA_COLOR_WRITE] = { __builtin_offsetof(struct drm_vc4_submit_cl, msaa_color_write), 1,
			       V3D_BUFFER_COLOR, 1, 1 },
	[MSAA_ZS_WRITE] = { __builtin_offsetof(struct drm_vc4_submit_cl, msaa_zs_write), 1,
			    V3D_BUFFER_ZS, 1, 1 },
};

#define NONE (~(__u32)0)	/* hindex of a surface that is not there */

/* The submit, checked */
struct frame {
	struct v3dcl_job *job;
	const struct drm_vc4_submit_cl *submit;
	bool there[SURFACES], full[SURFACES];
	__u32 address[SURFACES];
	__u32 tile;		/* pixels a side */
	__u32 columns, rows;	/* tiles to render */
};

static const struct drm_vc4_submit_rcl_surface *surface_of(const struct frame *f,
							   enum surface which)
{
	return (const void *)((const __u8 *)f->submit + kinds[which].place);
}

static bool refuse(const struct frame *f, __u16 rule, __u32 offset, __u64 found, __u64 expected)
{
	return v3dcl_refuse(&f->job->refusal, DRM_V3DCL_PART_SURFACE, rule, offset, found,
			    expected);
}

#define IN_SURFACE(which, field) \
	(kinds[which].place + (__u32)__builtin_offsetof(struct drm_vc4_submit_rcl_surface, field))
#define IN_SUBMIT(field) ((__u32)__builtin_offsetof(struct drm_vc4_submit_cl, field))

static __u32 divide_up(__u32 value, __u32 by)
{
	return (value + by - 1) / by;
}

/* All tiles of the greatest frame; check_tiles() lets none have more. */
#define MOST_TILES (V3DCL_IMAGE_LIMIT / FULL_TILE * (V3DCL_IMAGE_LIMIT / FULL_TILE))

/* A full resolution dump is a row of whole tiles after another. */
static bool check_full(const struct frame *f, enum surface which, const struct v3dcl_bo *bo)
{
	const struct drm_vc4_submit_rcl_surface *surface = surface_of(f, which);
	__u32 tiles = f->submit->max_y_tile * divide_up(f->submit->width, FULL_TILE) +
		      f->submit->max_x_tile + 1;

	if (surface->bits)
		return refuse(f, V3DCL_RULE_SURFACE_BITS, IN_SURFACE(which, bits), surface->bits,
			      0);
	if (NEVER(tiles > MOST_TILES))
		return refuse(f, V3DCL_RULE_SURFACE_END, IN_SURFACE(which, offset), tiles,
			      MOST_TILES);
	if (!v3dcl_inside(surface->offset, tiles * V3D_FULL_TILE_BYTES, bo->size))
		return refuse(f, V3DCL_RULE_SURFACE_END, IN_SURFACE(which, offset),
			      surface->offset + (__u64)tiles * V3D_FULL_TILE_BYTES, bo->size);
	return true;
}

static bool check_extent(const struct frame *f, enum surface which, const struct v3dcl_bo *bo,
			 __u32 format, __u32 log2_bytes)
{
	const struct drm_vc4_submit_rcl_surface *surface = surface_of(f, which);
	__u32 bytes;

	if (format > V3D_LT_FORMAT)
		return refuse(f, V3DCL_RULE_SURFACE_TILING, IN_SURFACE(which, bits), format,
			      V3D_LT_FORMAT);
	/* check_tiles() comes before any surface */
	if (NEVER(f->submit->width > V3DCL_IMAGE_LIMIT || f->submit->height > V3DCL_IMAGE_LIMIT))
		return refuse(f, V3DCL_RULE_SIZE_RANGE, IN_SUBMIT(width), f->submit->width,
			      f->submit->height);
	bytes = v3dcl_image_bytes(&v3dcl_units[log2_bytes], format, f->submit->width,
				  f->submit->height);
	if (!v3dcl_inside(surface->offset, bytes, bo->size))
		return refuse(f, V3DCL_RULE_SURFACE_END, IN_SURFACE(which, offset),
			      surface->offset + (__u64)bytes, bo->size);
	return true;
}

/* Bits of a general load or store are the first two bytes of records 28 and 29. */
static bool check_general(const struct frame *f, enum surface which, const struct v3dcl_bo *bo)
{
	const struct drm_vc4_submit_rcl_surface *surface = surface_of(f, which);
	const __u8 record[V3D_STORE_GENERAL_LENGTH] = { V3D_STORE_GENERAL, surface->bits & 0xff,
							surface->bits >> 8 };
	struct v3d_store_general store, known = { 0 };
	__u8 again[V3D_STORE_GENERAL_LENGTH];

	v3d_unpack_store_general(record, &store);
	known.buffer = store.buffer;
	known.format = store.format;
	known.pixel = store.pixel;
	v3d_pack_store_general(again, &known);
	if (again[1] != record[1] || again[2] != record[2])
		return refuse(f, V3DCL_RULE_SURFACE_BITS, IN_SURFACE(which, bits), surface->bits,
			      again[1] | again[2] << 8);
	if (store.buffer != kinds[which].buffer)
		return refuse(f, V3DCL_RULE_SURFACE_BUFFER, IN_SURFACE(which, bits), store.buffer,
			      kinds[which].buffer);
	if (store.pixel > (store.buffer == V3D_BUFFER_ZS ? V3D_RGBA8888 : V3D_BGR565))
		return refuse(f, V3DCL_RULE_SURFACE_PIXEL, IN_SURFACE(which, bits), store.pixel,
			      V3D_BGR565);
	return check_extent(f, which, bo, store.format, store.pixel == V3D_RGBA8888 ? 2 : 1);
}

/*
 * Bits of the frame itself are the last two bytes of record 113. They count also where there is no
 * surface.
 */
static bool check_frame_bits(const struct frame *f, struct v3d_tile_rendering_mode *mode)
{
	__u16 bits = f->submit->color_write.bits, known_bits;
	__u8 record[V3D_TILE_RENDERING_MODE_LENGTH] = { V3D_TILE_RENDERING_MODE },
	     again[V3D_TILE_RENDERING_MODE_LENGTH];
	struct v3d_tile_rendering_mode known = { 0 };

	record[V3D_TILE_RENDERING_MODE_LENGTH - 2] = bits;
	record[V3D_TILE_RENDERING_MODE_LENGTH - 1] = bits >> 8;
	v3d_unpack_tile_rendering_mode(record, mode);
	known.multisample = mode->multisample;
	known.decimate = mode->decimate == V3D_DECIMATE_4X ? V3D_DECIMATE_4X : V3D_DECIMATE_NONE;
	known.format = mode->format;
	known.pixel = mode->pixel;
	v3d_pack_tile_rendering_mode(again, &known);
	known_bits = again[V3D_TILE_RENDERING_MODE_LENGTH - 2] |
		     again[V3D_TILE_RENDERING_MODE_LENGTH - 1] << 8;
	if (known_bits != bits)
		return refuse(f, V3DCL_RULE_SURFACE_BITS, IN_SURFACE(COLOR_WRITE, bits), bits,
			      known_bits);
	if (f->job->bin.size && mode->multisample != f->job->bin_multisample)
		return refuse(f, V3DCL_RULE_SURFACE_MULTISAMPLE, IN_SURFACE(COLOR_WRITE, bits),
			      mode->multisample, f->job->bin_multisample);
	return true;
}

/* What the frame itself is resolved to, in the format and pixels of its bits */
static bool check_resolved(const struct frame *f, const struct v3dcl_bo *bo,
			   const struct v3d_tile_rendering_mode *mode)
{
	if (mode->pixel > V3D_FRAME_BGR565)
		return refuse(f, V3DCL_RULE_SURFACE_PIXEL, IN_SURFACE(COLOR_WRITE, bits),
			      mode->pixel, V3D_FRAME_BGR565);
	return check_extent(f, COLOR_WRITE, bo, mode->format,
			    mode->pixel == V3D_FRAME_RGBA8888 ? 2 : 1);
}

static bool check_surface(struct frame *f, enum surface which,
			  const struct v3d_tile_rendering_mode *mode)
{
	const struct drm_vc4_submit_rcl_surface *surface = surface_of(f, which);
	__u16 flags = kinds[which].may_be_full && !kinds[which].full ?
			      VC4_SUBMIT_RCL_SURFACE_READ_IS_FULL_RES :
			      0;
	const struct v3dcl_bo *bo;

	if (surface->flags & ~flags)
		return refuse(f, V3DCL_RULE_SURFACE_FLAGS, IN_SURFACE(which, flags), surface->flags,
			      flags);
	if (surface->hindex == NONE)
		return true;
	bo = v3dcl_use_bo(f->job, surface->hindex, kinds[which].writes ? V3DCL_WRITE : V3DCL_READ,
			  DRM_V3DCL_PART_SURFACE, IN_SURFACE(which, hindex));
	if (!bo)
		return false;
	if ((surface->offset | bo->address) & 15)
		return refuse(f, V3DCL_RULE_SURFACE_ALIGNMENT, IN_SURFACE(which, offset),
			      surface->offset, surface->offset & ~15u);
	f->there[which] = true;
	f->full[which] = kinds[which].full || surface->flags;
	f->address[which] = bo->address + surface->offset;
	if (f->full[which])
		return check_full(f, which, bo);
	return which == COLOR_WRITE ? check_resolved(f, bo, mode) : check_general(f, which, bo);
}

/*
 * Where the first blocks of all lists end that the tiles have. They are there: check_mode() of
 * bin.c has asked for them.
 */
static __u64 lists_end(const struct frame *f)
{
	__u64 last = (__u64)f->submit->max_y_tile * f->job->needs.tiles_x + f->submit->max_x_tile;

	return (last + 1) * V3DCL_FIRST_BLOCK;
}

static bool check_size(const struct frame *f)
{
	const struct drm_vc4_submit_cl *submit = f->submit;

	if (!submit->width || submit->width > V3DCL_IMAGE_LIMIT)
		return refuse(f, V3DCL_RULE_SIZE_RANGE, IN_SUBMIT(width), submit->width,
			      V3DCL_IMAGE_LIMIT);
	if (!submit->height || submit->height > V3DCL_IMAGE_LIMIT)
		return refuse(f, V3DCL_RULE_SIZE_RANGE, IN_SUBMIT(height), submit->height,
			      V3DCL_IMAGE_LIMIT);
	return true;
}

/* The tiles that are rendered are some of the frame's. */
static bool check_window(const struct frame *f)
{
	const struct drm_vc4_submit_cl *submit = f->submit;
	__u32 columns = divide_up(submit->width, f->tile),
	      rows = divide_up(submit->height, f->tile);

	if (submit->min_x_tile > submit->max_x_tile)
		return refuse(f, V3DCL_RULE_TILE_ORDER, IN_SUBMIT(min_x_tile), submit->min_x_tile,
			      submit->max_x_tile);
	if (submit->min_y_tile > submit->max_y_tile)
		return refuse(f, V3DCL_RULE_TILE_ORDER, IN_SUBMIT(min_y_tile), submit->min_y_tile,
			      submit->max_y_tile);
	if (submit->max_x_tile >= columns)
		return refuse(f, V3DCL_RULE_TILE_FRAME, IN_SUBMIT(max_x_tile), submit->max_x_tile,
			      columns);
	if (submit->max_y_tile >= rows)
		return refuse(f, V3DCL_RULE_TILE_FRAME, IN_SUBMIT(max_y_tile), submit->max_y_tile,
			      rows);
	return true;
}

/* The tiles that are rendered have been binned, if anything is. */
static bool check_binned(const struct frame *f)
{
	const struct drm_vc4_submit_cl *submit = f->submit;
	const struct v3dcl_needs *needs = &f->job->needs;

	if (f->job->bin.size && submit->max_x_tile >= needs->tiles_x)
		return refuse(f, V3DCL_RULE_TILE_BIN, IN_SUBMIT(max_x_tile), submit->max_x_tile,
			      needs->tiles_x);
	if (f->job->bin.size && submit->max_y_tile >= needs->tiles_y)
		return refuse(f, V3DCL_RULE_TILE_BIN, IN_SUBMIT(max_y_tile), submit->max_y_tile,
			      needs->tiles_y);
	if (NEVER(f->job->bin.size && lists_end(f) > f->job->tiles.lists_bytes))
		return refuse(f, V3DCL_RULE_TILE_BIN, IN_SUBMIT(max_y_tile), submit->max_y_tile,
			      f->job->tiles.lists_bytes);
	return true;
}

static bool check_tiles(struct frame *f)
{
	if (!check_size(f) || !check_window(f) || !check_binned(f))
		return false;
	f->columns = f->submit->max_x_tile - f->submit->min_x_tile + 1;
	f->rows = f->submit->max_y_tile - f->submit->min_y_tile + 1;
	return true;
}

#define FLAGS \
	(VC4_SUBMIT_CL_USE_CLEAR_COLOR | VC4_SUBMIT_CL_FIXED_RCL_ORDER | \
	 VC4_SUBMIT_CL_RCL_ORDER_INCREASING_X | VC4_SUBMIT_CL_RCL_ORDER_INCREASING_Y)

static bool check_frame(struct frame *f, struct v3d_tile_rendering_mode *mode)
{
	enum surface which;

	if (f->submit->flags & ~FLAGS)
		return v3dcl_refuse(&f->job->refusal, DRM_V3DCL_PART_SUBMIT,
				    V3DCL_RULE_SUBMIT_FLAGS, IN_SUBMIT(flags), f->submit->flags,
				    FLAGS);
	if (!check_frame_bits(f, mode))
		return false;
	f->tile = v3d_tile_width(mode->multisample);
	if (!check_tiles(f))
		return false;
	for (which = 0; which < SURFACES; which++)
		if (!check_surface(f, which, mode))
			return false;
	mode->address = f->address[COLOR_WRITE];
	mode->width = f->submit->width;
	mode->height = f->submit->height;
	return true;
}

/* What differs from tile to tile in its records */
enum patch_kind { COORDINATES, FULL_ADDRESS, LIST_ADDRESS };

struct patch {
	__u8 at, kind;
	__u32 base;	/* of an address: that of tile 0, flags included */
};

/* A tile's records. Broken: there were more of them than there is room for, and it starts again */
struct tile {
	__u8 bytes[MAX_TILE_BYTES];
	__u32 length, patch_count;
	struct patch patches[MAX_PATCHES];
	bool broken;
};

/* There is room: MAX_TILE_BYTES is what all records that are added take. */
static __u8 *add(struct tile *tile, __u32 length)
{
	__u8 *bytes;

	if (NEVER(length > MAX_TILE_BYTES - tile->length)) {
		tile->broken = true;
		tile->length = 0;
	}
	bytes = tile->bytes + tile->length;
	tile->length += length;
	return bytes;
}

/* The word or coordinates after the id of the record that comes next. There is room likewise. */
static void patch_next(struct tile *tile, enum patch_kind kind, __u32 base)
{
	if (NEVER(tile->patch_count >= MAX_PATCHES)) {
		tile->broken = true;
		tile->patch_count = 0;
	}
	tile->patches[tile->patch_count++] = (struct patch){ tile->length + 1, kind, base };
}

static void add_coordinates(struct tile *tile)
{
	const struct v3d_tile_coordinates coordinates = { 0 };

	patch_next(tile, COORDINATES, 0);
	v3d_pack_tile_coordinates(add(tile, V3D_TILE_COORDINATES_LENGTH), &coordinates);
}

static void add_load(struct tile *tile, const struct frame *f, enum surface which)
{
	const struct v3d_load_full full = {
		.disable_color = kinds[which].buffer != V3D_BUFFER_COLOR,
		.disable_zs = kinds[which].buffer != V3D_BUFFER_ZS,
		.address = f->address[which],
	};
	const __u8 bits[V3D_LOAD_GENERAL_LENGTH] = { V3D_LOAD_GENERAL,
						     surface_of(f, which)->bits & 0xff,
						     surface_of(f, which)->bits >> 8 };
	struct v3d_load_general load;
	__u8 *out;

	if (f->full[which]) {
		patch_next(tile, FULL_ADDRESS, 0);
		out = add(tile, V3D_LOAD_FULL_LENGTH);
		v3d_pack_load_full(out, &full);
		tile->patches[tile->patch_count - 1].base = v3dcl_le32(out + 1);
		return;
	}
	v3d_unpack_load_general(bits, &load);
	load.address = f->address[which];
	v3d_pack_load_general(add(tile, V3D_LOAD_GENERAL_LENGTH), &load);
}

/*
 * A store of nothing: each Tile Coordinates needs one before the next load. AG100 Table 38: it may
 * end the frame.
 */
static void add_no_store(struct tile *tile, bool clear, bool ends)
{
	const struct v3d_store_general store = {
		.buffer = V3D_BUFFER_NONE,
		.last_tile = ends,
		.disable_color_clear = !clear,
		.disable_zs_clear = !clear,
		.disable_vg_mask_clear = !clear,
	};

	v3d_pack_store_general(add(tile, V3D_STORE_GENERAL_LENGTH), &store);
}

static void add_full_store(struct tile *tile, const struct frame *f, enum surface which,
			   bool clears, bool ends)
{
	const struct v3d_store_full store = {
		.disable_color = kinds[which].buffer != V3D_BUFFER_COLOR,
		.disable_zs = kinds[which].buffer != V3D_BUFFER_ZS,
		.disable_clear = !clears,
		.last_tile = ends,
		.address = f->address[which],
	};
	__u8 *out;

	patch_next(tile, FULL_ADDRESS, 0);
	out = add(tile, V3D_STORE_FULL_LENGTH);
	v3d_pack_store_full(out, &store);
	tile->patches[tile->patch_count - 1].base = v3dcl_le32(out + 1);
}

static void add_zs_store(struct tile *tile, const struct frame *f, bool clears, bool ends)
{
	const __u8 bits[V3D_STORE_GENERAL_LENGTH] = { V3D_STORE_GENERAL,
						      f->submit->zs_write.bits & 0xff,
						      f->submit->zs_write.bits >> 8 };
	struct v3d_store_general store;

	v3d_unpack_store_general(bits, &store);
	store.disable_color_clear = !clears;
	store.last_tile = ends;
	store.address = f->address[ZS_WRITE];
	v3d_pack_store_general(add(tile, V3D_STORE_GENERAL_LENGTH), &store);
}

static void add_store(struct tile *tile, const struct frame *f, enum surface which, bool last,
		      bool ends)
{
	if (f->full[which])
		add_full_store(tile, f, which, last, last && ends);
	else if (which == ZS_WRITE)
		add_zs_store(tile, f, last, last && ends);
	else
		*add(tile, V3D_STORE_RESOLVED_LENGTH) = ends ? V3D_STORE_RESOLVED_END :
							       V3D_STORE_RESOLVED;
}

/*
 * The stores, in this order. The last one of a tile clears the tile buffer, that of the last tile
 * ends the frame. Mesa has frames that store nothing: of framebuffers without anything that is
 * written.
 */
static void add_stores(struct tile *tile, const struct frame *f, bool ends)
{
	static const __u8 order[] = { MSAA_COLOR_WRITE, MSAA_ZS_WRITE, ZS_WRITE, COLOR_WRITE };
	unsigned int i, left = 0;
	bool first = true;

	for (i = 0; i < sizeof(order); i++)
		left += f->there[order[i]];
	if (!left)
		add_no_store(tile, true, ends);
	for (i = 0; i < sizeof(order); i++) {
		enum surface which = order[i];

		if (!f->there[which])
			continue;
		left--;
		if (!first)
			add_coordinates(tile);
		first = false;
		add_store(tile, f, which, !left, ends);
	}
}

static void make_tile(struct tile *tile, const struct frame *f, bool ends)
{
	const struct v3d_branch_to_sub_list list = { 0 };

	tile->length = 0;
	tile->patch_count = 0;
	tile->broken = false;
	if (f->there[COLOR_READ])
		add_load(tile, f, COLOR_READ);
	if (f->there[ZS_READ]) {
		if (f->there[COLOR_READ]) {
			add_coordinates(tile);
			add_no_store(tile, false, false);
		}
		add_load(tile, f, ZS_READ);
	}
	add_coordinates(tile);
	if (f->job->bin.size) {
		patch_next(tile, LIST_ADDRESS, f->job->tiles.lists);
		v3d_pack_branch_to_sub_list(add(tile, V3D_BRANCH_TO_SUB_LIST_LENGTH), &list);
	}
	add_stores(tile, f, ends);
}

static __cold bool refuse_list(const struct frame *f, __u16 rule, __u64 found, __u64 expected)
{
	return v3dcl_refuse(&f->job->refusal, DRM_V3DCL_PART_SUBMIT, rule, 0, found, expected);
}

/*
 * All that was added is in the tile, and so is all that is patched: add() and patch_next() come in
 * turn.
 */
static bool check_made(const struct frame *f, const struct tile *tile)
{
	__u32 i;

	if (NEVER(tile->broken))
		return refuse_list(f, V3DCL_RULE_INTERNAL, tile->length, MAX_TILE_BYTES);
	for (i = 0; i < tile->patch_count; i++) {
		__u32 end = tile->patches[i].at + (tile->patches[i].kind == COORDINATES ? 2 : 4);

		if (NEVER(end > tile->length))
			return refuse_list(f, V3DCL_RULE_INTERNAL, end, tile->length);
	}
	return true;
}

#define CHUNK 16

/* Chunks stay inside the tile that is copied. */
enum { CHUNKS_FIT = 1 / (MAX_TILE_BYTES % CHUNK == 0) };

/*
 * In chunks of a size that the compiler knows, where there is room for all of the last one: what is
 * too much is written next.
 */
static void copy_tile(__u8 *out, const struct tile *tile, __u32 room)
{
	__u32 at;

	if (room < MAX_TILE_BYTES) {
		__builtin_memcpy(out, tile->bytes, tile->length);
		return;
	}
	for (at = 0; at < tile->length; at += CHUNK)
		__builtin_memcpy(out + at, tile->bytes + at, CHUNK);
}

/*
 * The records of a tile, and then what differs, so that nothing is read that has just been written
 * in parts
 */
static void write_tile(__u8 *out, const struct tile *tile, __u32 room, __u32 x, __u32 y, __u32 full,
		       __u32 list)
{
	__u32 i;

	copy_tile(out, tile, room);
	for (i = 0; i < tile->patch_count; i++) {
		const struct patch *patch = &tile->patches[i];
		__u8 *bytes = out + patch->at;

		if (patch->kind == COORDINATES) {
			bytes[0] = x;
			bytes[1] = y;
		} else {
			v3dcl_put_le32(bytes,
				       patch->base + (patch->kind == FULL_ADDRESS ? full : list));
		}
	}
}

/*
 * What stands before the tiles: clear colours, then the rendering mode, with which a list starts
 * (AG100 "Control Record IDs and Data Summary"), before any tile. Clear colours act at a store, so
 * one of nothing makes the first tile clear. Without clear colours of the user's the tile buffer
 * starts as 0: else it would show what the frame before was cleared to.
 */
static void make_head(struct tile *head, const struct drm_vc4_submit_cl *submit,
		      const struct v3d_tile_rendering_mode *mode)
{
	const struct v3d_tile_coordinates first = { 0 };
	struct v3d_clear_colors colors = { 0 };

	if (submit->flags & VC4_SUBMIT_CL_USE_CLEAR_COLOR) {
		colors.color0 = submit->clear_color[0];
		colors.color1 = submit->clear_color[1];
		colors.z = submit->clear_z & 0xffffff;
		colors.vg_mask = submit->clear_z >> 24;
		colors.stencil = submit->clear_s;
	}
	head->length = 0;
	head->patch_count = 0;
	head->broken = false;
	v3d_pack_clear_colors(add(head, V3D_CLEAR_COLORS_LENGTH), &colors);
	v3d_pack_tile_rendering_mode(add(head, V3D_TILE_RENDERING_MODE_LENGTH), mode);
	v3d_pack_tile_coordinates(add(head, V3D_TILE_COORDINATES_LENGTH), &first);
	add_no_store(head, true, false);
}

/* @room is left for the tiles: v3dcl_build_render() has asked for what all of them take. */
static bool write_tiles(const struct frame *f, const struct tile *tile, const struct tile *last,
			__u8 *out, __u32 room)
{
	const struct drm_vc4_submit_cl *submit = f->submit;
	bool fixed = submit->flags & VC4_SUBMIT_CL_FIXED_RCL_ORDER;
	bool leftwards = fixed && !(submit->flags & VC4_SUBMIT_CL_RCL_ORDER_INCREASING_X);
	bool upwards = fixed && !(submit->flags & VC4_SUBMIT_CL_RCL_ORDER_INCREASING_Y);
	__u32 across = divide_up(submit->width, FULL_TILE), left = f->columns * f->rows, i, j;
	__u32 row = f->columns * tile->length;

	for (j = 0; j < f->rows; j++) {
		__u32 y = upwards ? submit->max_y_tile - j : submit->min_y_tile + j;

		if (NEVER(row > room))
			return refuse_list(f, V3DCL_RULE_NO_ROOM, room, row);
		room -= row;
		for (i = 0; i < f->columns; i++) {
			__u32 x = leftwards ? submit->max_x_tile - i : submit->min_x_tile + i;

			left--;
			write_tile(out, left ? tile : last, left * tile->length, x, y,
				   (y * across + x) * V3D_FULL_TILE_BYTES,
				   (y * f->job->needs.tiles_x + x) * V3DCL_FIRST_BLOCK);
			out += tile->length;
		}
	}
	return true;
}

/**
 * v3dcl_check_render() - check the surfaces of a submit
 * @job: its bin list, if it has one, is checked
 *
 * Adds to the uses of the BOs and sets @job->render_bytes.
 *
 * Return: false with the job's refusal set
 */
bool v3dcl_check_render(struct v3dcl_job *job)
{
	struct frame f = { .job = job, .submit = job->submit };
	struct v3d_tile_rendering_mode mode;
	struct tile tile;

	if (!check_frame(&f, &mode))
		return false;
	make_head(&tile, f.submit, &mode);
	if (NEVER(!check_made(&f, &tile)))
		return false;
	job->render_bytes = tile.length;
	make_tile(&tile, &f, false);
	job->render_bytes += f.columns * f.rows * tile.length + V3DCL_AFTER_LIST;
	return check_made(&f, &tile);
}

/**
 * v3dcl_build_render() - write the render list
 * @job: with @render; the surfaces are checked once more
 *
 * The last tile is as long as the others: it differs in a flag of its last record.
 *
 * Sets @job->render_start and @job->render_end.
 *
 * Return: false with the job's refusal set
 */
bool v3dcl_build_render(struct v3dcl_job *job)
{
	struct frame f = { .job = job, .submit = job->submit };
	struct v3d_tile_rendering_mode mode;
	struct tile tile, last;
	__u32 needed, end, head;

	if (!check_frame(&f, &mode))
		return false;
	make_head(&last, f.submit, &mode);
	make_tile(&tile, &f, false);
	if (NEVER(!check_made(&f, &last) || !check_made(&f, &tile)))
		return false;
	needed = last.length + f.columns * f.rows * tile.length;
	if (job->render.size < needed + V3DCL_AFTER_LIST ||
	    __builtin_add_overflow(job->render.address, needed, &end))
		return refuse_list(&f, V3DCL_RULE_NO_ROOM, job->render.size,
				   needed + V3DCL_AFTER_LIST);
	__builtin_memcpy(job->render.cpu, last.bytes, last.length);
	job->render_start = job->render.address;
	job->render_end = end;
	head = last.length;
	make_tile(&last, &f, true);
	if (NEVER(last.length != tile.length || last.patch_count != tile.patch_count))
		return refuse_list(&f, V3DCL_RULE_INTERNAL, last.length, tile.length);
	if (NEVER(!check_made(&f, &last)))
		return false;
	return write_tiles(&f, &tile, &last, job->render.cpu + head, needed - head);
}
