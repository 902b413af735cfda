// SPDX-License-Identifier: MIT
/*
 * A render list out of a description of targets: AG100 "System Operation". Clear colours act at a
 * store (HW), so a store of nothing stands before the first tile.
 */
#include <errno.h>
#include <sys/param.h>

#include "cl.h"
#include "v3dcl_frame.h"

struct rendering {
	struct v3dcl_list *list;
	const struct v3dcl_targets *targets;
	const struct v3dcl_tile_lists *lists;
	struct v3dcl_error *error;
	uint32_t columns, rows;
	uint32_t x, y;		/* the tile */
	bool stored;		/* one of its stores is there */
	unsigned int left;	/* stores of the tile that are to come */
};

/* Record 113 numbers pixel formats in another order than records 28 and 29. */
uint32_t cl_frame_pixel(uint32_t pixel)
{
	static const uint8_t of[] = {
		[V3D_RGBA8888] = V3D_FRAME_RGBA8888,
		[V3D_BGR565_DITHERED] = V3D_FRAME_BGR565_DITHERED,
		[V3D_BGR565] = V3D_FRAME_BGR565,
	};

	return pixel < sizeof(of) ? of[pixel] : 3;
}

static int add_coordinates(struct rendering *r)
{
	const struct v3dcl_tile_coordinates coordinates = { .column = r->x, .row = r->y };

	return v3dcl_list_tile_coordinates(r->list, &coordinates, r->error);
}

static int add_no_store(struct rendering *r, bool clear)
{
	const struct v3dcl_store_general store = {
		.buffer = V3D_BUFFER_NONE,
		.disable_color_clear = !clear,
		.disable_zs_clear = !clear,
		.disable_vg_mask_clear = !clear,
	};

	return v3dcl_list_store_general(r->list, &store, r->error);
}

static int add_head(struct rendering *r)
{
	const struct v3dcl_targets *t = r->targets;
	const struct v3dcl_tile_rendering_mode mode = {
		.address = t->color_write.address,
		.width = t->width,
		.height = t->height,
		.multisample = t->multisample,
		.color64 = t->color64,
		.pixel = cl_frame_pixel(t->color_write.pixel),
		.decimate = t->decimate,
		.format = t->color_write.format,
		.vg_mask = t->vg_mask,
		.coverage_mode = t->coverage_mode,
		.early_z_greater = t->early_z_greater,
		.early_z_disable = t->early_z_disable,
	};
	struct v3dcl_clear_colors colors = { 0 };
	int ret;

	if (t->clear) {
		colors.color0 = t->clear_color[0];
		colors.color1 = t->clear_color[1];
		colors.z = t->clear_z;
		colors.vg_mask = t->clear_vg_mask;
		colors.stencil = t->clear_stencil;
	}
	ret = v3dcl_list_clear_colors(r->list, &colors, r->error);
	if (!ret)
		ret = v3dcl_list_tile_rendering_mode(r->list, &mode, r->error);
	if (!ret)
		ret = add_coordinates(r);
	return ret ? ret : add_no_store(r, true);
}

/*
 * Dumps of tiles lie one behind the other, row by row (HW); coordinates do not move their address.
 */
static struct v3dcl_address full_address(const struct rendering *r,
					 const struct v3dcl_target *target)
{
	struct v3dcl_address address = target->address;

	address.offset += (r->y * r->columns + r->x) * V3D_FULL_TILE_BYTES;
	return address;
}

static int add_load(struct rendering *r, const struct v3dcl_target *target, uint32_t buffer)
{
	const struct v3dcl_load_full full = {
		.disable_color = buffer != V3D_BUFFER_COLOR,
		.disable_zs = buffer != V3D_BUFFER_ZS,
		.address = full_address(r, target),
	};
	const struct v3dcl_load_general load = {
		.buffer = buffer,
		.format = target->format,
		.pixel = target->pixel,
		.address = target->address,
	};

	return target->full ? v3dcl_list_load_full(r->list, &full, r->error) :
			      v3dcl_list_load_general(r->list, &load, r->error);
}

/* Loads take effect at the next coordinates, one at a time (HW). */
static int add_loads(struct rendering *r)
{
	const struct v3dcl_targets *t = r->targets;
	int ret = 0;

	if (t->color_read.address.bo)
		ret = add_load(r, &t->color_read, V3D_BUFFER_COLOR);
	if (!ret && t->color_read.address.bo && t->zs_read.address.bo) {
		ret = add_coordinates(r);
		if (!ret)
			ret = add_no_store(r, false);
	}
	if (!ret && t->zs_read.address.bo)
		ret = add_load(r, &t->zs_read, V3D_BUFFER_ZS);
	return ret;
}

static int add_branch(struct rendering *r)
{
	struct v3dcl_branch_to_sub_list branch;

	if (!r->lists)
		return 0;
	branch.address = r->lists->address;
	branch.address.offset += (r->y * r->lists->columns + r->x) * r->lists->initial_block;
	return v3dcl_list_branch_to_sub_list(r->list, &branch, r->error);
}

/*
 * Each store but the first wants coordinates anew. The last one of a tile clears, the last one of
 * all ends the frame.
 */
static int before_store(struct rendering *r, const struct v3dcl_target *target, bool *clears,
			bool *ends)
{
	int ret = target->address.bo && r->stored ? add_coordinates(r) : 0;

	r->left -= target->address.bo ? 1 : 0;
	r->stored |= target->address.bo;
	*clears = !r->left;
	*ends = !r->left && r->x == r->columns - 1 && r->y == r->rows - 1;
	return ret;
}

static int add_full_store(struct rendering *r, const struct v3dcl_target *target, uint32_t buffer)
{
	bool clears, ends;
	int ret = before_store(r, target, &clears, &ends);
	const struct v3dcl_store_full store = {
		.disable_color = buffer != V3D_BUFFER_COLOR,
		.disable_zs = buffer != V3D_BUFFER_ZS,
		.disable_clear = !clears,
		.last_tile = ends,
		.address = full_address(r, target),
	};

	return ret || !target->address.bo ? ret : v3dcl_list_store_full(r->list, &store, r->error);
}

static int add_zs_store(struct rendering *r)
{
	const struct v3dcl_target *target = &r->targets->zs_write;
	bool clears, ends;
	int ret = before_store(r, target, &clears, &ends);
	const struct v3dcl_store_general store = {
		.buffer = V3D_BUFFER_ZS,
		.format = target->format,
		.disable_color_clear = !clears,
		.last_tile = ends,
		.address = target->address,
	};

	return ret || !target->address.bo ? ret :
					    v3dcl_list_store_general(r->list, &store, r->error);
}

static int add_color_store(struct rendering *r)
{
	bool clears, ends;
	int ret = before_store(r, &r->targets->color_write, &clears, &ends);

	if (ret || !r->targets->color_write.address.bo)
		return ret;
	return ends ? v3dcl_list_store_resolved_end(r->list, r->error) :
		      v3dcl_list_store_resolved(r->list, r->error);
}

static unsigned int stores(const struct v3dcl_targets *t)
{
	return !!t->color_write.address.bo + !!t->zs_write.address.bo +
	       !!t->full_color_write.address.bo + !!t->full_zs_write.address.bo;
}

static int add_tile(struct rendering *r)
{
	int ret = add_loads(r);

	r->left = stores(r->targets);
	r->stored = false;
	if (!ret)
		ret = add_coordinates(r);
	if (!ret)
		ret = add_branch(r);
	if (!ret)
		ret = add_full_store(r, &r->targets->full_color_write, V3D_BUFFER_COLOR);
	if (!ret)
		ret = add_full_store(r, &r->targets->full_zs_write, V3D_BUFFER_ZS);
	if (!ret)
		ret = add_zs_store(r);
	return ret ? ret : add_color_store(r);
}

int v3dcl_render_list(struct v3dcl_list *list, const struct v3dcl_targets *targets,
		      const struct v3dcl_tile_lists *lists, struct v3dcl_error *error)
{
	struct rendering r = {
		.list = list,
		.targets = targets,
		.lists = lists,
		.error = error,
		.columns = howmany(targets->width, v3d_tile_width(targets->multisample)),
		.rows = howmany(targets->height,
				v3d_tile_height(targets->multisample, targets->color64)),
	};
	int ret;

	if (!stores(targets))
		return v3dcl_fail(error, -EINVAL, "the frame is stored nowhere");
	if (lists && (lists->columns < r.columns || lists->rows < r.rows))
		return v3dcl_fail(error, -EINVAL,
				  "the frame has %u x %u tiles, but only %u x %u are binned",
				  r.columns, r.rows, lists->columns, lists->rows);
	if (r.columns > UINT8_MAX + 1 || r.rows > UINT8_MAX + 1)
		return v3dcl_fail(error, -EINVAL, "a frame of %u x %u tiles: at most 256 x 256",
				  r.columns, r.rows);
	ret = add_head(&r);
	for (r.y = 0; r.y < r.rows; r.y++)
		for (r.x = 0; r.x < r.columns && !ret; r.x++)
			ret = add_tile(&r);
	return ret ? ret : v3dcl_list_end(list, error);
}
