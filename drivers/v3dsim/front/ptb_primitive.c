// SPDX-License-Identifier: MIT
/*
 * A primitive on its way into tile lists: facing, clipping, the tiles that it overlaps. See ptb.h.
 */
#include <string.h>
#include <sys/param.h>

#include "core/sim.h"
#include "back/tlb.h"
#include "cle.h"
#include "primitive.h"
#include "ptb.h"

/*
 * A primitive with its vertices in the order in which it goes into lists, where the last one
 * provokes.
 */
struct order {
	const struct primitive *primitive;
	unsigned int count;
	const struct vertex *vertex[V3D_LIST_VERTICES];
};

static void put_in_order(struct order *order, const struct primitive *primitive)
{
	unsigned int n = primitive->provoking, i;

	order->primitive = primitive;
	order->count = v3d_list_vertices(primitive->kind);
	for (i = 0; i < order->count; i++) {
		n = n + 1 < order->count ? n + 1 : 0;
		order->vertex[i] = primitive->vertex[n];
	}
}

static float float_of(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/*
 * A size in pixels as 1/16 of them, rounded down: powers of two are exact in any rounding mode. No
 * number is 0.
 */
static int32_t sixteenths(float size)
{
	if (!(size > 0))
		return 0;
	return size < 4095 ? (int32_t)(size * PTB_PIXEL) : 4095 * PTB_PIXEL;
}

/* The clip window within the frame. */
static void set_up_grid(const struct ptb *ptb, const struct cle_state *state, struct ptb_grid *grid)
{
	const struct v3d_tile_rendering_mode tile = { .multisample = ptb->mode.multisample,
						      .color64 = ptb->mode.color64 };
	struct v3d_clip_window window;
	int32_t right, top;

	grid->width = tlb_width(&tile) * PTB_PIXEL;
	grid->height = tlb_height(&tile) * PTB_PIXEL;
	grid->columns = ptb->mode.width;
	grid->left = 0;
	grid->bottom = 0;
	grid->right = grid->width * ptb->mode.width;
	grid->top = grid->height * ptb->mode.height;
	if (!state->record[CLE_CLIP_WINDOW][0])
		return;
	v3d_unpack_clip_window(state->record[CLE_CLIP_WINDOW], &window);
	right = (window.left + window.width) * PTB_PIXEL;
	top = (window.bottom + window.height) * PTB_PIXEL;
	grid->left = window.left * PTB_PIXEL;
	grid->bottom = window.bottom * PTB_PIXEL;
	grid->right = MIN(right, grid->right);
	grid->top = MIN(top, grid->top);
}

static void set_up_view(const struct cle_state *state, struct ptb_setup *setup)
{
	struct v3d_clipper_xy_scaling xy;
	struct v3d_clipper_z_scale z;
	struct v3d_viewport_offset viewport;

	v3d_unpack_clipper_xy_scaling(state->record[CLE_CLIPPER_XY], &xy);
	v3d_unpack_clipper_z_scale(state->record[CLE_CLIPPER_Z], &z);
	v3d_unpack_viewport_offset(state->record[CLE_VIEWPORT], &viewport);
	setup->view.half_width = float_of(xy.half_width);
	setup->view.half_height = float_of(xy.half_height);
	setup->view.z_scale = float_of(z.scale);
	setup->view.z_offset = float_of(z.offset);
	setup->x = viewport.x;
	setup->y = viewport.y;
}

static void set_up(struct v3dsim *sim)
{
	const struct cle_state *state = &sim->cle->threads[0].state;
	struct ptb_setup *setup = &sim->ptb->setup;
	struct v3d_rht_x_boundary boundary;
	uint8_t shader = state->record[CLE_SHADER][0];
	struct v3d_point_size point;
	struct v3d_line_width line;

	if (setup->valid && setup->serial == state->serial)
		return;
	v3d_unpack_configuration_bits(state->record[CLE_CONFIGURATION], &setup->configuration);
	v3d_unpack_point_size(state->record[CLE_POINT_SIZE], &point);
	v3d_unpack_line_width(state->record[CLE_LINE_WIDTH], &line);
	v3d_unpack_rht_x_boundary(state->record[CLE_RHT_X], &boundary);
	setup->point_size = sixteenths(float_of(point.size));
	setup->line_width = sixteenths(float_of(line.width));
	setup->rht_x = boundary.x;
	setup->format.data = shader == V3D_VG_SHADER_STATE || shader == V3D_VG_INLINE_SHADER_STATE ?
				     V3D_LIST_XY_32 :
				     V3D_LIST_INDEX_16;
	set_up_view(state, setup);
	set_up_grid(sim->ptb, state, &setup->grid);
	setup->serial = state->serial;
	setup->valid = true;
}

static bool clipping(struct v3dsim *sim, const struct order *order)
{
	return order->primitive->clipping &&
	       !V3D_GET(regs_value(&sim->regs, V3D_BXCF), BXCF, CLIPDISA);
}

/* A primitive that needs no clipping: its vertices are the corners. */
static void take_whole(struct ptb *ptb, const struct order *order)
{
	struct ptb_cursor *cursor = &ptb->cursor;
	unsigned int i;

	cursor->clipped = false;
	cursor->polygon.count = order->count;
	for (i = 0; i < order->count; i++) {
		cursor->x[i] = order->vertex[i]->xs + ptb->setup.x;
		cursor->y[i] = order->vertex[i]->ys + ptb->setup.y;
		cursor->polygon.corner[i].original = i;
	}
}

/* What is left of a primitive that does. */
static bool take_clipped(struct ptb *ptb, const struct order *order, const float *const *clip)
{
	struct ptb_cursor *cursor = &ptb->cursor;
	struct clip_screen screen;
	unsigned int i;

	cursor->clipped = true;
	if (!clip_primitive(&ptb->setup.view, clip, order->count, &cursor->polygon))
		return false;
	for (i = 0; i < cursor->polygon.count; i++) {
		const struct clip_corner *corner = &cursor->polygon.corner[i];

		if (corner->original == CLIP_NEW) {
			clip_project(&ptb->setup.view, corner, &screen);
		} else {
			screen.xs = order->vertex[corner->original]->xs;
			screen.ys = order->vertex[corner->original]->ys;
		}
		cursor->x[i] = screen.xs + ptb->setup.x;
		cursor->y[i] = screen.ys + ptb->setup.y;
	}
	return true;
}

/* The corners of what is to be drawn. Return: false: nothing */
static bool take(struct v3dsim *sim, const struct order *order)
{
	const float *clip[V3D_LIST_VERTICES] = { NULL };
	enum clip_verdict verdict = CLIP_WHOLE;
	unsigned int i;

	if (clipping(sim, order)) {
		for (i = 0; i < order->count; i++)
			clip[i] = order->vertex[i]->clip;
		verdict = clip_judge(&sim->ptb->setup.view, clip, order->count);
	}
	if (verdict == CLIP_WHOLE) {
		take_whole(sim->ptb, order);
		return true;
	}
	if (verdict == CLIP_CROSSING) {
		pctr_count(sim, V3D_COUNTER_ptb_primitives_clipped, 1);
		if (take_clipped(sim->ptb, order, clip))
			return true;
	}
	pctr_count(sim, V3D_COUNTER_ptb_primitives_outside, 1);
	return false;
}

/* Does a triangle have area, and face the way that is drawn? */
static bool faces(struct v3dsim *sim)
{
	const struct v3d_configuration_bits *configuration = &sim->ptb->setup.configuration;
	const struct ptb_cursor *cursor = &sim->ptb->cursor;
	int64_t area = 0;
	bool forward;
	unsigned int i;

	for (i = 1; i + 1 < cursor->polygon.count; i++)
		area += (int64_t)(cursor->x[i] - cursor->x[0]) * (cursor->y[i + 1] - cursor->y[0]) -
			(int64_t)(cursor->x[i + 1] - cursor->x[0]) * (cursor->y[i] - cursor->y[0]);
	if (!area)
		return false;
	forward = configuration->clockwise ? area < 0 : area > 0;
	if (forward ? configuration->forward_facing : configuration->reverse_facing)
		return true;
	pctr_count(sim, V3D_COUNTER_pse_primitives_reversed, 1);
	return false;
}

static int32_t point_size(const struct ptb *ptb, const struct order *order)
{
	return order->primitive->point_sizes ? sixteenths(order->vertex[0]->point_size) :
					       ptb->setup.point_size;
}

/*
 * HW-2726: the PTB does not handle points of size 0. What it does is not established: it stops
 * here.
 */
static bool refuses(struct v3dsim *sim, const struct order *order)
{
	if (!chip_has(&sim->chip, V3D_CHIP_HW_2726) || order->primitive->kind != V3D_LIST_POINTS)
		return false;
	set_up(sim);
	if (point_size(sim->ptb, order) > 0 || !chip_strike(sim, V3D_CHIP_HW_2726))
		return false;
	fault_report(sim, V3DSIM_UNIT_PTB, sim->cle->threads[0].ca,
		     "a point of size 0: expected at least 0.125 (HW-2726)");
	return true;
}

/* A new primitive. Return: false: it draws nothing */
static bool begin(struct v3dsim *sim, const struct order *order)
{
	struct ptb_cursor *cursor = &sim->ptb->cursor;

	set_up(sim);
	sim->ptb->setup.format.primitive = order->primitive->kind;
	if (!take(sim, order) || (order->primitive->kind == V3D_LIST_TRIANGLES && !faces(sim)))
		return false;
	cursor->pieces = 1;
	if (order->primitive->kind == V3D_LIST_TRIANGLES)
		cursor->pieces = cursor->polygon.count - 2;
	cursor->piece = 0;
	cursor->placed = false;
	cursor->drawn = false;
	cursor->epoch = sim->cle->threads[0].address_epoch;
	cursor->active = true;
	sim->ptb->item = 0;
	return true;
}

/*
 * Which corners a piece has, at the places of the vertices that they are, if that can be: new ones
 * take the other places.
 */
static void choose_corners(struct ptb_cursor *cursor, unsigned int count)
{
	unsigned int best = 0, best_kept = 0, turn, i;

	for (i = 0; i < count; i++)
		cursor->corner[i] = i ? cursor->piece + i : 0;
	cursor->record.clipped_vertices = 0;
	if (!cursor->clipped)
		return;
	for (turn = 0; turn < count; turn++) {
		unsigned int kept = 0;

		for (i = 0; i < count; i++)
			kept += cursor->polygon.corner[cursor->corner[(i + turn) % count]]
					.original == i;
		if (kept > best_kept) {
			best = turn;
			best_kept = kept;
		}
	}
	/* A line keeps its direction. */
	if (count == V3D_LIST_VERTICES)
		for (i = 0; i < count; i++)
			cursor->corner[i] = (i + best) % count ?
						    cursor->piece + (i + best) % count :
						    0;
	for (i = 0; i < count; i++)
		if (cursor->polygon.corner[cursor->corner[i]].original != i)
			cursor->record.clipped_vertices |= 1u << i;
}

/* Return: false: this piece is in no tile */
static bool place(struct ptb *ptb, const struct order *order)
{
	struct ptb_cursor *cursor = &ptb->cursor;
	const struct ptb_grid *grid = &ptb->setup.grid;
	int32_t x[V3D_LIST_VERTICES] = { 0 }, y[V3D_LIST_VERTICES] = { 0 };
	unsigned int i;

	choose_corners(cursor, order->count);
	cursor->stored = false;
	cursor->at_tile = false;
	for (i = 0; i < order->count; i++) {
		x[i] = cursor->x[cursor->corner[i]];
		y[i] = cursor->y[cursor->corner[i]];
	}
	switch (order->primitive->kind) {
	case V3D_LIST_POINTS:
		return ptb_cover_point(&cursor->cover, grid, x[0], y[0], point_size(ptb, order));
	case V3D_LIST_LINES:
		return ptb_cover_line(&cursor->cover, grid, x, y, ptb->setup.line_width);
	case V3D_LIST_TRIANGLES:
		return ptb_cover_triangle(&cursor->cover, grid, x, y);
	default:
		return ptb_cover_rht(&cursor->cover, grid, x, y, ptb->setup.rht_x + ptb->setup.x);
	}
}

static uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static void describe_corner(const struct ptb *ptb, const struct order *order, unsigned int place,
			    uint8_t *bytes)
{
	const struct clip_corner *corner = &ptb->cursor.polygon.corner[ptb->cursor.corner[place]];
	struct v3d_clipped_vertex record;
	struct clip_screen screen;

	if (corner->original == CLIP_NEW) {
		clip_project(&ptb->setup.view, corner, &screen);
	} else {
		const struct vertex *vertex = order->vertex[corner->original];

		screen = (struct clip_screen){ vertex->xs, vertex->ys, vertex->zs,
					       vertex->one_over_wc };
	}
	record.xs = screen.xs;
	record.ys = screen.ys;
	record.zs = bits_of(screen.zs);
	record.one_over_wc = bits_of(screen.one_over_wc);
	record.coefficient0 = bits_of(clip_coefficient(corner, 0));
	record.coefficient1 = bits_of(clip_coefficient(corner, 1));
	record.coefficient2 = bits_of(clip_coefficient(corner, 2));
	v3d_pack_clipped_vertex(bytes, &record);
}

/* Table 44's records of a piece, once for all tiles. */
static enum ptb_result store_corners(struct v3dsim *sim, const struct order *order)
{
	struct ptb_cursor *cursor = &sim->ptb->cursor;
	uint8_t bytes[V3D_LIST_VERTICES * V3D_CLIPPED_VERTEX_LENGTH];
	uint32_t len = 0;
	unsigned int i;

	if (cursor->stored || !cursor->record.clipped_vertices)
		return PTB_DONE;
	for (i = 0; i < order->count; i++) {
		if (!(cursor->record.clipped_vertices >> i & 1))
			continue;
		describe_corner(sim->ptb, order, i, bytes + len);
		len += V3D_CLIPPED_VERTEX_LENGTH;
	}
	if (!ptb_take(sim, len, &cursor->record.address))
		return PTB_OUT_OF_MEMORY;
	cursor->stored = true;
	if (!bus_write(sim, V3DSIM_UNIT_PTB, cursor->record.address, bytes, len))
		return PTB_ERROR;
	return PTB_DONE;
}

static enum ptb_result write_piece(struct v3dsim *sim, const struct order *order)
{
	const struct v3d_primitive_list_format *format = &sim->ptb->setup.format;
	const struct ptb_cursor *cursor = &sim->ptb->cursor;
	struct ptb_tile *tile = ptb_list_tile(sim, cursor->tile);
	uint32_t words[V3D_LIST_VERTICES] = { 0 };
	enum ptb_result result;
	unsigned int i;

	if (!tile)
		return PTB_ERROR;
	result = store_corners(sim, order);
	if (result == PTB_DONE)
		result = ptb_list_state(sim, tile, format);
	if (result != PTB_DONE)
		return result;
	for (i = 0; i < order->count; i++)
		words[i] = format->data == V3D_LIST_INDEX_16 ?
				   order->vertex[i]->index & 0xffff :
				   (uint16_t)order->vertex[i]->xs |
					   (uint32_t)(uint16_t)order->vertex[i]->ys << 16;
	return ptb_list_primitive(sim, tile, format, words,
				  cursor->record.clipped_vertices ? &cursor->record : NULL);
}

/* The piece that the cursor is at, into all its tiles. */
static enum ptb_result do_piece(struct v3dsim *sim, const struct order *order, uint64_t *budget)
{
	struct ptb_cursor *cursor = &sim->ptb->cursor;
	enum ptb_result result;

	if (!cursor->placed && !place(sim->ptb, order))
		return PTB_DONE;
	cursor->placed = true;
	cursor->drawn = true;
	for (;;) {
		if (!cursor->at_tile) {
			cursor->at_tile = ptb_cover_next(&cursor->cover, &cursor->tile, budget);
			if (!cursor->at_tile)
				break;
		}
		result = write_piece(sim, order);
		if (result != PTB_DONE)
			return result;
		cursor->at_tile = false;
	}
	return ptb_cover_done(&cursor->cover) ? PTB_DONE : PTB_MORE;
}

enum ptb_result ptb_primitive(struct v3dsim *sim, const struct primitive *primitive,
			      uint64_t *budget)
{
	struct ptb_cursor *cursor = &sim->ptb->cursor;
	enum ptb_result result;
	struct order order;

	if (!*budget)
		return PTB_MORE;
	put_in_order(&order, primitive);
	if (!cursor->active || cursor->epoch != sim->cle->threads[0].address_epoch) {
		--*budget;
		if (refuses(sim, &order))
			return PTB_ERROR;
		if (!begin(sim, &order))
			return PTB_DONE;
	}
	for (; cursor->piece < cursor->pieces; cursor->piece++) {
		result = do_piece(sim, &order, budget);
		if (result == PTB_OUT_OF_MEMORY && !ptb_list_write_back(sim))
			result = PTB_ERROR;
		if (result == PTB_ERROR)
			cursor->active = false;
		if (result != PTB_DONE)
			return result;
		cursor->placed = false;
	}
	if (!cursor->drawn)
		pctr_count(sim, V3D_COUNTER_ptb_primitives_outside, 1);
	cursor->active = false;
	return PTB_DONE;
}
