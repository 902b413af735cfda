// SPDX-License-Identifier: MIT
/* The records that draw, and records 32 and 33 in particular: see draw.h. */
#include <string.h>
#include <sys/param.h>

#include "core/sim.h"
#include "cle.h"
#include "draw_call.h"
#include "pse.h"
#include "ptb.h"
#include "vcm.h"

enum draw_step draw_refuse(const struct draw_call *call, const char *what)
{
	const uint8_t id = call->draw->id;

	fault_report(call->sim, call->unit, call->draw->addr, "%s (record %u): %s",
		     v3d_packet_info(id)->name, id, what);
	return DRAW_ERROR;
}

/*
 * AG100 p. 62: the thread goes on "until it exactly matches V3DCTnEA", which in sub-lists holds in
 * any case. In lists of vertices (?): what was found before is drawn.
 */
bool draw_meets_end(const struct draw_call *call, uint32_t address, uint32_t bytes)
{
	if (call->ct->ea - address >= bytes || !chip_strike(call->sim, V3D_CHIP_LIST_END))
		return false;
	call->ct->cut = true;
	return true;
}

/*
 * A loop has as many lines as vertices. SW: one of two draws nothing; AG100 has no rule, OpenGL ES
 * 2.0 draws both lines.
 */
static uint32_t count_loop(struct v3dsim *sim, uint32_t length)
{
	if (length < 2 || (length == 2 && chip_strike(sim, V3D_CHIP_LINE_LOOP_2)))
		return 0;
	return length;
}

static uint32_t count_primitives(struct v3dsim *sim, uint32_t mode, uint32_t length)
{
	switch (mode) {
	case V3D_POINTS:
		return length;
	case V3D_LINES:
		return length / 2;
	case V3D_LINE_LOOP:
		return count_loop(sim, length);
	case V3D_LINE_STRIP:
		return length < 2 ? 0 : length - 1;
	case V3D_TRIANGLES:
		return length / 3;
	default:
		return length < 3 ? 0 : length - 2;
	}
}

/*
 * What records 32 and 33 have in common. Vertices that make no whole primitive are never looked at.
 */
static enum draw_step begin_vertices(const struct draw_call *call, uint32_t mode, uint32_t length)
{
	static const enum v3d_list_primitive kinds[V3D_PRIMITIVES] = {
		V3D_LIST_POINTS, V3D_LIST_LINES, V3D_LIST_LINES, V3D_LIST_LINES, V3D_LIST_TRIANGLES,
		V3D_LIST_TRIANGLES,
		V3D_LIST_TRIANGLES,
	};
	struct draw *draw = call->draw;

	if (mode >= V3D_PRIMITIVES)
		return draw_refuse(call, "a primitive mode that does not exist: expected 0 to 6");
	draw->mode = mode;
	draw->kind = kinds[mode];
	call->ct->primitives = count_primitives(call->sim, mode, length);
	draw->left = length;
	if (mode == V3D_LINES || mode == V3D_TRIANGLES)
		draw->left = call->ct->primitives * (mode == V3D_LINES ? 2 : 3);
	else if (!call->ct->primitives)
		draw->left = 0;
	return DRAW_AGAIN;
}

static enum draw_step begin_indexed(const struct draw_call *call, const uint8_t *bytes)
{
	struct v3d_indexed_primitives record;

	v3d_unpack_indexed_primitives(bytes, &record);
	if (record.index_type > V3D_INDEX_16)
		return draw_refuse(call, "an index type that does not exist: expected 0 or 1");
	call->draw->index_bytes = record.index_type == V3D_INDEX_16 ? 2 : 1;
	call->draw->at = record.address;
	call->draw->maximum = record.maximum_index;
	return begin_vertices(call, record.mode, record.length);
}

static enum draw_step begin_array(const struct draw_call *call, const uint8_t *bytes)
{
	struct v3d_array_primitives record;

	v3d_unpack_array_primitives(bytes, &record);
	call->draw->next_vertex = record.first_vertex;
	return begin_vertices(call, record.mode, record.length);
}

static bool read_ahead(const struct draw_call *call)
{
	struct draw *draw = call->draw;
	const uint64_t bytes = (uint64_t)draw->left * draw->index_bytes;

	draw->filled = MIN(bytes, DRAW_BUFFER);
	draw->used = 0;
	if (!bus_read(call->sim, call->unit, draw->at, draw->buffer, draw->filled))
		return false;
	draw->at += draw->filled;
	return true;
}

/*
 * AG100 Table 38, record 32: "primitives using a greater index will cause error". ERRSTAT says
 * which thread's VCM it was.
 */
static bool refuse_index(const struct draw_call *call, uint32_t index)
{
	call->sim->regs.storage[V3D_ERRSTAT / 4] |= call->thread ? V3D_SET(ERRSTAT, VCMRE, 1) :
								   V3D_SET(ERRSTAT, VCMBE, 1);
	fault_report(call->sim, call->unit, call->draw->addr,
		     "indexed_primitives (record 32): index %u, expected at most %u", index,
		     call->draw->maximum);
	return false;
}

static bool take_vertex(const struct draw_call *call, uint32_t *index)
{
	struct draw *draw = call->draw;

	if (!draw->index_bytes) {
		*index = draw->next_vertex++;
		return true;
	}
	if (draw->used == draw->filled && !read_ahead(call))
		return false;
	*index = draw->buffer[draw->used++];
	if (draw->index_bytes == 2)
		*index |= draw->buffer[draw->used++] << 8;
	return *index <= draw->maximum || refuse_index(call, *index);
}

/* Another vertex for primitives that share none. Return: is one complete? */
static bool add_separate(struct draw *draw, uint32_t vertex)
{
	draw->held[draw->have++] = vertex;
	if (draw->have < draw->vertices)
		return false;
	memcpy(draw->word, draw->held, sizeof(draw->word));
	draw->have = 0;
	return true;
}

/* For line strips and loops */
static bool add_to_line(struct draw *draw, uint32_t vertex)
{
	const bool complete = draw->have;

	if (!complete)
		draw->first = vertex;
	draw->word[0] = draw->held[0];
	draw->word[1] = vertex;
	draw->held[0] = vertex;
	draw->have = 1;
	return complete;
}

/* For triangle strips and fans */
static bool add_to_triangles(struct draw *draw, uint32_t vertex)
{
	if (draw->have < 2) {
		draw->held[draw->have++] = vertex;
		return false;
	}
	draw->word[0] = draw->held[draw->odd];
	draw->word[1] = draw->held[!draw->odd];
	draw->word[2] = vertex;
	if (draw->mode == V3D_TRIANGLE_STRIP) {
		draw->held[0] = draw->held[1];
		draw->odd = !draw->odd;
	}
	draw->held[1] = vertex;
	return true;
}

static bool add_vertex(struct draw *draw, uint32_t vertex)
{
	switch (draw->mode) {
	case V3D_LINE_LOOP:
	case V3D_LINE_STRIP:
		return add_to_line(draw, vertex);
	case V3D_TRIANGLE_STRIP:
	case V3D_TRIANGLE_FAN:
		return add_to_triangles(draw, vertex);
	default:
		return add_separate(draw, vertex);
	}
}

/* The next primitive of records 32 and 33 */
static enum draw_step next_primitive(const struct draw_call *call)
{
	struct draw *draw = call->draw;
	uint32_t vertex;

	while (draw->left) {
		if (draw_meets_end(call, draw->at - draw->filled + draw->used, draw->index_bytes))
			return DRAW_END;
		if (!take_vertex(call, &vertex))
			return DRAW_ERROR;
		draw->left--;
		if (add_vertex(draw, vertex))
			return DRAW_PRIMITIVE;
	}
	if (draw->mode != V3D_LINE_LOOP || !draw->have)
		return DRAW_END;
	draw->word[0] = draw->held[0];
	draw->word[1] = draw->first;
	draw->have = 0;
	return DRAW_PRIMITIVE;
}

/*
 * A record that will not be gone on with: its batch was not shaded to the end, nor its primitive
 * drawn.
 */
static void abandon(const struct draw_call *call)
{
	vcm_forget(call->sim, call->thread);
	if (call->thread)
		pse_cancel(call->sim);
	else
		call->sim->ptb->cursor.active = false;
}

static enum draw_step begin(const struct draw_call *call, uint32_t addr, const uint8_t *bytes,
			    uint32_t next)
{
	struct draw *draw = call->draw;

	if (draw->active)
		abandon(call);
	/* What a fan left stays for its continuation. */
	*draw = (struct draw){
		.active = true,
		.id = bytes[0],
		.addr = addr,
		.at = next,
		.fan = { draw->fan[0], draw->fan[1] },
		.fan_vertices = draw->fan_vertices,
	};
	call->ct->inside = true;
	call->ct->primitives = 0;
	vcm_open(call->vcm);
	if (call->thread == 0 && !call->sim->ptb->started)
		return draw_refuse(call, "expected a start tile binning (record 6) before");
	switch (bytes[0]) {
	case V3D_INDEXED_PRIMITIVES:
		return begin_indexed(call, bytes);
	case V3D_ARRAY_PRIMITIVES:
		return begin_array(call, bytes);
	case V3D_VG_COORDINATE_PRIMITIVES:
	case V3D_VG_INLINE_PRIMITIVES:
		return draw_vg_begin(call, bytes, next);
	default:
		return draw_list_begin(call, bytes, next);
	}
}

static enum draw_step next_of(const struct draw_call *call)
{
	switch (call->draw->id) {
	case V3D_INDEXED_PRIMITIVES:
	case V3D_ARRAY_PRIMITIVES:
		return next_primitive(call);
	case V3D_VG_COORDINATE_PRIMITIVES:
	case V3D_VG_INLINE_PRIMITIVES:
		return draw_vg_next(call);
	default:
		return draw_list_next(call);
	}
}

/* The first primitive of a record: is there a shader state for it? */
static bool check_shader(const struct draw_call *call)
{
	const uint8_t id = call->ct->state.record[CLE_SHADER][0];

	if (call->draw->coordinates && id != V3D_VG_SHADER_STATE &&
	    id != V3D_VG_INLINE_SHADER_STATE) {
		draw_refuse(call, "expected a VG shader state (record 66 or 67) before");
		return false;
	}
	if (!call->draw->coordinates && id != V3D_GL_SHADER_STATE && id != V3D_NV_SHADER_STATE) {
		draw_refuse(call, "expected a GL or NV shader state (record 64 or 65) before");
		return false;
	}
	call->draw->checked = true;
	return vcm_begin(call->sim, call->thread);
}

/*
 * Looks for a primitive, unless there is one. Return: false: the budget is spent. draw.ended may be
 * set.
 */
static bool look(const struct draw_call *call)
{
	struct draw *draw = call->draw;
	enum draw_step step = DRAW_AGAIN;

	while (!draw->pending && !draw->ended) {
		if (!*call->budget)
			return false;
		--*call->budget;
		step = next_of(call);
		if (step == DRAW_PRIMITIVE && !draw->checked && !check_shader(call))
			step = DRAW_ERROR;
		draw->pending = step == DRAW_PRIMITIVE;
		draw->ended = step == DRAW_END || step == DRAW_ERROR;
		draw->result = step == DRAW_ERROR ? SIM_ERROR : SIM_DONE;
	}
	return true;
}

static enum sim_result hand_over(const struct draw_call *call, struct primitive *primitive)
{
	static const enum sim_result results[] = {
		[PTB_DONE] = SIM_DONE,
		[PTB_MORE] = SIM_MORE,
		[PTB_OUT_OF_MEMORY] = SIM_STUCK,
		[PTB_ERROR] = SIM_ERROR,
	};
	const struct vcm_shader *shader = &call->vcm->shader;
	enum sim_result result;

	if (inject_strikes(&call->sim->inject, call->thread ? INJECT_QPU_STOP : INJECT_PTB_STOP))
		return SIM_STUCK;
	primitive->kind = call->draw->kind;
	primitive->provoking = call->draw->vertices - 1;
	primitive->flat = primitive->vertex[primitive->provoking];
	primitive->shader = &shader->fragment;
	primitive->clipping = shader->clipping && shader->clip_header;
	primitive->point_sizes = shader->fragment.point_size;
	if (call->draw->clipped)
		draw_list_clip(call, primitive);
	result = call->thread ? pse_primitive(call->sim, primitive, call->budget) :
				results[ptb_primitive(call->sim, primitive, call->budget)];
	if (result != SIM_DONE)
		return result;
	call->draw->clipped = 0;
	if (call->ct->primitives)
		call->ct->primitives--;
	return SIM_DONE;
}

/*
 * Primitives whose vertices are coordinates: AG100 p. 71: "Ws and Zs take fixed values of 1.0 and
 * 0.5"
 */
static enum sim_result draw_coordinates(const struct draw_call *call)
{
	struct draw *draw = call->draw;
	struct primitive primitive;
	enum sim_result result;

	for (;;) {
		if (!look(call))
			return SIM_MORE;
		if (!draw->pending)
			return draw->result;
		for (unsigned int n = 0; n < draw->vertices; n++) {
			struct vertex *v = &call->vcm->vertex[n];

			v->index = draw->word[n];
			v->xs = (int16_t)draw->word[n];
			v->ys = (int16_t)(draw->word[n] >> 16);
			v->zs = 0.5f;
			v->one_over_wc = 1;
			v->point_size = 0;
			primitive.vertex[n] = v;
		}
		result = hand_over(call, &primitive);
		if (result != SIM_DONE)
			return result;
		draw->pending = false;
	}
}

_Static_assert(TRACE_BATCH == VCM_QUEUE, "the trace knows the draw of each primitive that waits");

/* Fills the batch. Return: false: the budget is spent before it is full */
static bool collect(const struct draw_call *call)
{
	struct draw *draw = call->draw;

	do {
		if (!look(call))
			return false;
		if (!draw->pending || !vcm_add(call->vcm, draw->word, draw->vertices))
			return true;
		trace_queue(call->sim, call->thread, call->vcm->queued - 1);
		draw->pending = false;
	} while (true);
}

static enum sim_result draw_batch(const struct draw_call *call)
{
	struct vcm *vcm = call->vcm;
	struct primitive primitive;
	enum sim_result result;

	while (vcm->done < vcm->queued) {
		for (unsigned int n = 0; n < call->draw->vertices; n++)
			primitive.vertex[n] = &vcm->vertex[vcm->queue[vcm->done][n]];
		trace_unqueue(call->sim, call->thread, vcm->done);
		result = hand_over(call, &primitive);
		if (result != SIM_DONE)
			return result;
		vcm->done++;
	}
	return SIM_DONE;
}

static enum sim_result draw_vertices(const struct draw_call *call)
{
	enum sim_result result;

	for (;;) {
		if (call->vcm->phase == VCM_COLLECTING && !collect(call))
			return SIM_MORE;
		trace_unqueue(call->sim, call->thread, 0);
		result = vcm_shade(call->sim, call->thread, call->budget);
		if (result == SIM_DONE)
			result = draw_batch(call);
		if (result != SIM_DONE)
			return result;
		if (call->draw->ended && !call->draw->pending)
			return call->draw->result;
		vcm_open(call->vcm);
	}
}

enum sim_result draw_record(struct v3dsim *sim, unsigned int thread, uint32_t addr,
			    const uint8_t *bytes, uint32_t *next, uint64_t *budget)
{
	const struct draw_call call = {
		.sim = sim,
		.ct = &sim->cle->threads[thread],
		.draw = &sim->draw[thread],
		.vcm = &sim->vcm[thread],
		.thread = thread,
		.unit = thread ? V3DSIM_UNIT_CLE1 : V3DSIM_UNIT_CLE0,
		.budget = budget,
	};
	enum sim_result result = SIM_ERROR;

	if (!call.ct->inside || !call.draw->active) {
		if (begin(&call, addr, bytes, *next) == DRAW_ERROR)
			goto out;
		call.draw->vertices = v3d_list_vertices(call.draw->kind);
	}
	result = call.draw->coordinates ? draw_coordinates(&call) : draw_vertices(&call);
out:
	if (result == SIM_MORE || result == SIM_STUCK)
		return result;
	call.draw->active = false;
	if (result == SIM_ERROR)
		abandon(&call);
	else if (call.draw->id >= V3D_VG_INLINE_PRIMITIVES)
		*next = call.draw->at;
	if (!thread)
		trace_drawn(sim);
	return result;
}

void draw_cancel(struct v3dsim *sim, unsigned int thread)
{
	sim->draw[thread].active = false;
	vcm_forget(sim, thread);
}

void draw_reset(struct v3dsim *sim)
{
	for (unsigned int thread = 0; thread < CLE_THREADS; thread++) {
		sim->draw[thread].active = false;
		sim->draw[thread].fan_vertices = 0;
	}
}
