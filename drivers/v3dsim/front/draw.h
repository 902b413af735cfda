/* SPDX-License-Identifier: MIT */
/*
 * The records that draw (AG100 Table 38, records 32 to 49), from the list to primitives: for the
 * binner on thread 0, for primitive set-up on thread 1.
 *
 * Primitives keep the order that GL gives their vertices: a strip's odd triangles exchange the
 * first two, so that all wind alike and the last vertex is the one that provokes flat shading (not
 * said in the guide; GL's rule), which is also what the codings of AG100 Table 39 make short.
 * Compressed lists keep it, so it is the last vertex on both threads. A loop ends with (last,
 * first).
 *
 * A record is executed as it was when it began, whatever its memory says when it is gone on with.
 */
#ifndef V3DSIM_DRAW_H
#define V3DSIM_DRAW_H

#include "cle.h"
#include "primitive.h"

#define DRAW_BUFFER 128		/* bytes of an index list read ahead */

/* What came of looking for the next primitive: AGAIN costs budget and was none */
enum draw_step { DRAW_PRIMITIVE, DRAW_AGAIN, DRAW_END, DRAW_ERROR };

/**
 * struct draw - a control thread's draw record in progress
 * @active: there is one
 * @checked: a primitive was found, and there is a shader state for it
 * @pending: a primitive was found and is not yet in a batch, or drawn: @word has its vertices,
 *	indices or coordinates
 * @ended: there are no more; @result is the record's then
 * @id: of the record, at @addr; @mode: of its primitives; @kind: what these are, of @vertices
 * @coordinates: vertices are given as coordinates
 * @left: vertices still to be taken
 * @next_vertex: arrays
 * @at: the next byte of an index list, VG list or compressed list
 * @index_bytes: 1 or 2; 0 for arrays
 * @maximum: the greatest index allowed
 * @buffer: @filled bytes of the index list, of which @used are
 * @held: vertices that the next primitive may share, @have of them; @first of a loop; @odd: a
 *	strip's next triangle
 * @begun: a VG list's first primitive is past
 * @continuation: the fan goes on where the one before ended: @fan has its first and latest
 *	vertices, @fan_vertices of them
 * @format: of a compressed list, @previous: its primitive before
 * @clipped: bits of vertices that record 49 replaces in its first primitive; @clip: by what;
 *	@replaced: the vertices made of it
 */
struct draw {
	bool active, checked, pending, ended, coordinates, odd, begun, continuation;
	enum sim_result result;
	uint8_t id;
	uint32_t addr, mode;
	enum v3d_list_primitive kind;
	unsigned int vertices;
	uint32_t word[3];
	uint32_t left, next_vertex, at, maximum;
	unsigned int index_bytes, filled, used;
	uint8_t buffer[DRAW_BUFFER];
	uint32_t held[3], first;
	unsigned int have;
	uint32_t fan[2];
	unsigned int fan_vertices;
	struct v3d_primitive_list_format format;
	__u32 previous[3];
	unsigned int clipped;
	struct v3d_clipped_vertex clip[3];
	struct vertex replaced[3];
};

/**
 * draw_record() - a draw record, or a part of it
 * @thread: control thread
 * @addr: of the record
 * @bytes: the record's fixed part
 * @next: set to the byte after an inline list
 * @budget: lessened by what was done
 */
enum sim_result draw_record(struct v3dsim *sim, unsigned int thread, uint32_t addr,
			    const uint8_t *bytes, uint32_t *next, uint64_t *budget);

/* The thread was reset: what it was drawing is dropped */
void draw_cancel(struct v3dsim *sim, unsigned int thread);

void draw_reset(struct v3dsim *sim);

#endif /* V3DSIM_DRAW_H */
