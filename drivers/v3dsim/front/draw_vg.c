// SPDX-License-Identifier: MIT
/*
 * VG lists: records 41 and 42 (AG100 pp. 71 and 72). Coordinates are vertices: x in bits 15:0, y in
 * 31:16.
 *
 * A dummy takes the place of a primitive: the vertices that it would have given to the next one of
 * a strip or fan are kept if it was the first, else it gives none and winding goes on as if it had
 * not been there (not established). The end of a list and dummies are looked for in record 41's
 * arrays, too (AG100 p. 71). The length of these counts vertices, though Table 38 calls it
 * primitives (SW); those that make no whole primitive are never looked at.
 *
 * A continued fan goes on with the first vertex and the latest one; the list before gave both, or
 * only the first when it ended at its second vertex. There was no fan before: the list's own
 * vertices are used (not established).
 */
#include <v3d/lists.h>

#include "core/sim.h"
#include "draw_call.h"

static uint32_t count_primitives(uint32_t mode, uint32_t vertices)
{
	const uint32_t first = v3d_vg_vertices(mode, true), more = v3d_vg_vertices(mode, false);

	return vertices < first ? 0 : (vertices - first) / more + 1;
}

enum draw_step draw_vg_begin(const struct draw_call *call, const uint8_t *bytes, uint32_t next)
{
	struct v3d_vg_coordinate_primitives array = { 0 };
	struct v3d_vg_inline_primitives in_line;
	struct draw *draw = call->draw;

	/* The first byte means the same in both. */
	v3d_unpack_vg_inline_primitives(bytes, &in_line);
	draw->coordinates = true;
	draw->mode = in_line.mode;
	draw->kind = in_line.mode >= V3D_VG_TRIANGLES ? V3D_LIST_TRIANGLES : V3D_LIST_RHT;
	draw->continuation = in_line.continuation && in_line.mode == V3D_VG_TRIANGLE_FAN;
	draw->at = next;
	if (!v3d_vg_vertices(draw->mode, true))
		return draw_refuse(call,
				   "a primitive type that does not exist: expected 1 or 3 to 6");
	if (draw->mode != V3D_VG_TRIANGLE_FAN || !draw->continuation)
		draw->fan_vertices = 0;
	if (bytes[0] == V3D_VG_COORDINATE_PRIMITIVES) {
		v3d_unpack_vg_coordinate_primitives(bytes, &array);
		draw->at = array.address;
		draw->left = array.length;
		call->ct->primitives = count_primitives(draw->mode, array.length);
	}
	return DRAW_AGAIN;
}

/*
 * The vertices of a list's first primitive, and of each one that shares none: END, AGAIN (a dummy)
 * or PRIMITIVE
 */
static enum draw_step whole_primitive(struct draw *draw, uint32_t *words, unsigned int count)
{
	if (draw->continuation && !draw->begun) {
		for (unsigned int n = 0; n < draw->fan_vertices; n++)
			words[n] = draw->fan[n];
	}
	if (draw->mode == V3D_VG_TRIANGLE_FAN) {
		draw->fan[0] = words[0];
		draw->fan[1] = words[1];
		draw->fan_vertices = words[1] == V3D_VG_END ? 1 : 2;
		if (words[1] == V3D_VG_END)
			return DRAW_END;
	}
	draw->held[0] = words[0];
	draw->held[1] = words[1];
	if (words[count - 1] == V3D_VG_END)
		return DRAW_END;
	for (unsigned int n = 0; n < count; n++)
		draw->word[n] = words[n];
	return words[count - 1] == V3D_VG_DUMMY ? DRAW_AGAIN : DRAW_PRIMITIVE;
}

/* One more vertex of a strip or fan */
static enum draw_step another_vertex(struct draw *draw, uint32_t word)
{
	if (word == V3D_VG_END)
		return DRAW_END;
	if (word == V3D_VG_DUMMY)
		return DRAW_AGAIN;
	draw->word[0] = draw->held[draw->odd];
	draw->word[1] = draw->held[!draw->odd];
	draw->word[2] = word;
	if (draw->mode == V3D_VG_RHT_STRIP) {
		draw->word[0] = draw->held[0];
		draw->word[1] = word;
	}
	return DRAW_PRIMITIVE;
}

/* A primitive was made: what the next one may share with it */
static void hold(struct draw *draw)
{
	const uint32_t last = draw->word[draw->vertices - 1];

	switch (draw->mode) {
	case V3D_VG_RHT_STRIP:
		draw->held[0] = last;
		break;
	case V3D_VG_TRIANGLE_STRIP:
		draw->held[0] = draw->held[1];
		draw->held[1] = last;
		draw->odd = !draw->odd;
		break;
	case V3D_VG_TRIANGLE_FAN:
		draw->held[1] = last;
		draw->fan[1] = last;
		break;
	}
}

enum draw_step draw_vg_next(const struct draw_call *call)
{
	const bool array = call->draw->id == V3D_VG_COORDINATE_PRIMITIVES;
	struct draw *draw = call->draw;
	const unsigned int count = v3d_vg_vertices(draw->mode, !draw->begun);
	enum draw_step step;
	uint32_t words[3];

	if (array && draw->left < count)
		return DRAW_END;
	if (draw_meets_end(call, draw->at, count * sizeof(words[0])))
		return DRAW_END;
	if (!bus_read(call->sim, call->unit, draw->at, words, count * sizeof(words[0])))
		return DRAW_ERROR;
	draw->at += count * sizeof(words[0]);
	step = count > 1 ? whole_primitive(draw, words, count) : another_vertex(draw, words[0]);
	draw->begun = true;
	if (step == DRAW_PRIMITIVE)
		hold(draw);
	if (step == DRAW_END && array)
		call->ct->primitives = 0;
	if (step == DRAW_AGAIN && array)
		call->ct->primitives--;
	if (array)
		draw->left -= count;
	return step;
}
