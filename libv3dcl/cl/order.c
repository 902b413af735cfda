// SPDX-License-Identifier: MIT
/*
 * Which record may follow which: AG100 "Control Record IDs and Data Summary", Table 38's (B) and
 * (R), and the rules that the text of "System Operation" and HW add.
 *
 * What has been said is a set of bits. A record needs some of them, refuses others, says and drops
 * some. In a sub-list nothing is needed: the list that branches to it may have said it.
 */
#include <errno.h>
#include <sys/param.h>

#include "../base/helpers.h"
#include "list.h"

enum {
	MODE = 0x1,		/* Tile Binning Mode, Tile Rendering Mode */
	/* binning has been started; a tile's coordinates are there and it is not stored */
	OPEN = 0x2,
	SHADED = 0x4,		/* a GL or NV shader state */
	VG_SHADED = 0x8,	/* a VG shader state */
	CLIPPED = 0x10,		/* a clip window */
	FORMAT = 0x20,		/* a primitive list format */
	UNSEEN = 0x40,		/* ... which no shader state follows yet */
	LOAD = 0x80,		/* a load that awaits its tile */
	DONE = 0x100,		/* flush; the store that ends the frame; return */
	ELSEWHERE = 0x200,	/* a sub-list may have said anything */
	LEFT = CL_LEFT,		/* a branch */
	HANDLES = 0x800,	/* BO handles of the ABI */
};

/*
 * Of a bit that lacks, or that is there: in bin lists, in others. The first that applies is the
 * reason.
 */
static const struct {
	uint32_t bit;
	const char *lacks[2], *there[2];
} texts[] = {
	{ DONE, { 0 }, { "the list has ended", "the list has ended" } },
	{ MODE,
	  { "there is no tile_binning_mode before", "there is no tile_rendering_mode before" },
	  { "the tile binning mode has been set", "the tile rendering mode has been set" } },
	{ OPEN,
	  { "there is no start_tile_binning before", "there are no tile_coordinates before" },
	  { "tile binning has been started", "the tile before has not been stored" } },
	{ SHADED,
	  { "there is no GL or NV shader state before",
	    "there is no GL or NV shader state before" },
	  { 0 } },
	{ VG_SHADED,
	  { "there is no VG shader state before", "there is no VG shader state before" },
	  { 0 } },
	{ CLIPPED, { "there is no clip_window before", "there is no clip_window before" }, { 0 } },
	{ FORMAT,
	  { "there is no primitive_list_format before",
	    "there is no primitive_list_format before" },
	  { 0 } },
	{ UNSEEN,
	  { 0 },
	  { "no shader state follows the primitive list format",
	    "no shader state follows the primitive list format" } },
	{ LOAD,
	  { 0 },
	  { "a load awaits its tile_coordinates", "a load awaits its tile_coordinates" } },
};

#define STATE_RULE(NAME) [V3D_##NAME] = { MODE, DONE, 0, 0 }
#define DRAW_RULE(NAME, shaded) \
	[V3D_##NAME] = { MODE | OPEN | CLIPPED | (shaded), DONE | UNSEEN | LOAD, 0, 0 }
#define STORE_RULE(NAME) [V3D_##NAME] = { MODE | OPEN, DONE, 0, OPEN }
#define LOAD_RULE(NAME) [V3D_##NAME] = { MODE, OPEN | LOAD | DONE, LOAD, 0 }

/* What each record needs, refuses, says, drops */
static const struct {
	uint32_t needs, refuses, says, drops;
} rules[256] = {
	[V3D_FLUSH] = { MODE | OPEN, DONE, DONE, OPEN },
	[V3D_FLUSH_ALL_STATE] = { MODE | OPEN, DONE, DONE, OPEN },
	[V3D_START_TILE_BINNING] = { MODE, OPEN | DONE, OPEN, 0 },
	[V3D_BRANCH] = { 0, 0, LEFT | ELSEWHERE, 0 },
	[V3D_BRANCH_TO_SUB_LIST] = { MODE, DONE | LOAD, ELSEWHERE, 0 },
	[V3D_RETURN_FROM_SUB_LIST] = { 0, DONE, DONE, 0 },
	STORE_RULE(STORE_RESOLVED),
	[V3D_STORE_RESOLVED_END] = { MODE | OPEN, DONE, DONE, OPEN },
	STORE_RULE(STORE_FULL),
	STORE_RULE(STORE_GENERAL),
	LOAD_RULE(LOAD_FULL),
	LOAD_RULE(LOAD_GENERAL),
	DRAW_RULE(INDEXED_PRIMITIVES, SHADED),
	DRAW_RULE(ARRAY_PRIMITIVES, SHADED),
	DRAW_RULE(VG_COORDINATE_PRIMITIVES, VG_SHADED),
	DRAW_RULE(VG_INLINE_PRIMITIVES, VG_SHADED),
	DRAW_RULE(COMPRESSED_PRIMITIVES, FORMAT),
	DRAW_RULE(CLIPPED_PRIMITIVE, FORMAT),
	[V3D_PRIMITIVE_LIST_FORMAT] = { MODE, DONE, FORMAT | UNSEEN, 0 },
	[V3D_GL_SHADER_STATE] = { MODE, DONE, SHADED, VG_SHADED | UNSEEN },
	[V3D_NV_SHADER_STATE] = { MODE, DONE, SHADED, VG_SHADED | UNSEEN },
	[V3D_VG_SHADER_STATE] = { MODE, DONE, VG_SHADED, SHADED | UNSEEN },
	[V3D_VG_INLINE_SHADER_STATE] = { MODE, DONE, VG_SHADED, SHADED | UNSEEN },
	STATE_RULE(CONFIGURATION_BITS),
	STATE_RULE(FLAT_SHADE_FLAGS),
	STATE_RULE(POINT_SIZE),
	STATE_RULE(LINE_WIDTH),
	STATE_RULE(RHT_X_BOUNDARY),
	STATE_RULE(DEPTH_OFFSET),
	[V3D_CLIP_WINDOW] = { MODE, DONE, CLIPPED, 0 },
	STATE_RULE(VIEWPORT_OFFSET),
	STATE_RULE(Z_CLIPPING_PLANES),
	STATE_RULE(CLIPPER_XY_SCALING),
	STATE_RULE(CLIPPER_Z_SCALE),
	[V3D_TILE_BINNING_MODE] = { 0, MODE | DONE, MODE, 0 },
	[V3D_TILE_RENDERING_MODE] = { 0, MODE | DONE, MODE, 0 },
	[V3D_CLEAR_COLORS] = { 0, MODE | DONE, 0, 0 },
	[V3D_TILE_COORDINATES] = { MODE, OPEN | DONE, OPEN, LOAD },
	[V3D_GEM_HANDLES] = { 0, DONE, HANDLES, 0 },
};

static int refuse(const struct v3dcl_list *list, const char *name, uint32_t lacks, uint32_t there,
		  struct v3dcl_error *error)
{
	const unsigned int which = list->kind != V3DCL_BIN_LIST;
	unsigned int i;

	for (i = 0; i < COUNT(texts); i++) {
		if (texts[i].bit & lacks)
			return v3dcl_fail(error, -EINVAL, "%s: %s", name, texts[i].lacks[which]);
		if (texts[i].bit & there)
			return v3dcl_fail(error, -EINVAL, "%s: %s", name, texts[i].there[which]);
	}
	return v3dcl_fail(error, -EINVAL, "%s: not here", name);
}

static int check_lists(const struct v3dcl_list *list, uint8_t id, const char *name,
		       struct v3dcl_list_state *next, struct v3dcl_error *error)
{
	uint8_t lists = v3d_packet_info(id)->lists;

	if (lists == V3D_IN_SUBMIT)
		lists = V3D_IN_BIN;
	next->lists &= lists;
	if (id == V3D_RETURN_FROM_SUB_LIST && list->kind != V3DCL_SUB_LIST)
		return v3dcl_fail(error, -EINVAL, "%s: this is no sub-list", name);
	if (next->lists)
		return 0;
	return v3dcl_fail(error, -EINVAL, "%s: not in a list of the %s thread", name,
			  list->state.lists == V3D_IN_BIN ? "binning" : "rendering");
}

#define INDEX(record, field, type, low, bits) record##_##field,
enum { V3D_TILE_RENDERING_MODE_FIELDS(INDEX, MODE) };
enum { V3D_STORE_GENERAL_FIELDS(INDEX, STORE) };
enum { V3D_STORE_FULL_FIELDS(INDEX, FULL) };
enum { V3D_PRIMITIVE_LIST_FORMAT_FIELDS(INDEX, LIST) };
enum { V3D_TILE_COORDINATES_FIELDS(INDEX, TILE) };

/* What a record's values say for those behind it */
static void note_values(uint8_t id, const struct v3dcl_value *values, struct v3dcl_list_state *next)
{
	const uint32_t multisample = id == V3D_TILE_RENDERING_MODE ? values[MODE_multisample].bits :
								     0;

	switch (id) {
	case V3D_STORE_GENERAL:
		next->said |= values[STORE_last_tile].bits ? DONE : 0;
		break;
	case V3D_STORE_FULL:
		next->said |= values[FULL_last_tile].bits ? DONE : 0;
		break;
	case V3D_PRIMITIVE_LIST_FORMAT:
		next->primitive = values[LIST_primitive].bits;
		next->data = values[LIST_data].bits;
		break;
	case V3D_TILE_RENDERING_MODE:
		next->columns = howmany(values[MODE_width].bits, v3d_tile_width(multisample));
		next->rows = howmany(values[MODE_height].bits,
				     v3d_tile_height(multisample, values[MODE_color64].bits));
		break;
	default:
		break;
	}
}

static int check_tile(const struct v3dcl_list *list, const struct v3dcl_value *values,
		      struct v3dcl_error *error)
{
	if (!list->state.columns || (values[TILE_column].bits < list->state.columns &&
				     values[TILE_row].bits < list->state.rows))
		return 0;
	return v3dcl_fail(error, -EINVAL,
			  "tile_coordinates: the frame has %u x %u tiles, none at %u, %u",
			  list->state.columns, list->state.rows, values[TILE_column].bits,
			  values[TILE_row].bits);
}

int cl_check_order(const struct v3dcl_list *list, uint8_t id, const struct v3dcl_value *values,
		   struct v3dcl_list_state *next, struct v3dcl_error *error)
{
	const char *name = v3d_packet_info(id)->name;
	uint32_t said = list->state.said, lacks, there;
	int ret = check_lists(list, id, name, next, error);

	if (ret)
		return ret;
	lacks = list->kind == V3DCL_SUB_LIST ? 0 : rules[id].needs & ~said;
	there = rules[id].refuses & said;
	if (said & ELSEWHERE) {
		lacks &= MODE | OPEN;
		there &= ~(uint32_t)UNSEEN;
	}
	if (lacks || there)
		return refuse(list, name, lacks, there, error);
	if (id == V3D_TILE_COORDINATES && check_tile(list, values, error))
		return -EINVAL;
	next->said = (said & ~rules[id].drops) | rules[id].says;
	note_values(id, values, next);
	return 0;
}

int v3dcl_list_end(const struct v3dcl_list *list, struct v3dcl_error *error)
{
	static const char *const ends[] = {
		[V3DCL_BIN_LIST] = "the bin list does not end with flush or flush_all_state",
		[V3DCL_RENDER_LIST] = "no store of the render list ends the frame",
		[V3DCL_SUB_LIST] = "the sub-list does not end with return_from_sub_list",
	};

	if (list->kind == V3DCL_RENDER_LIST && list->state.said & OPEN)
		return v3dcl_fail(error, -EINVAL, "the last tile of the render list is not stored");
	if (list->state.said & LOAD)
		return v3dcl_fail(error, -EINVAL, "a load of the list awaits its tile_coordinates");
	if (list->state.said & (DONE | LEFT))
		return 0;
	return v3dcl_fail(error, -EINVAL, "%s", ends[list->kind]);
}
