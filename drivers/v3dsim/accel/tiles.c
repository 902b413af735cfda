// SPDX-License-Identifier: MIT
/* The list's side of tiles that are shaded beside it: see tiles.h. */
#include <string.h>
#include <sys/param.h>

#include <v3d/lists.h>

#include "core/sim.h"
#include "front/cle.h"
#include "tiles_job.h"

#define PUBLISH (16u << 10)	/* bytes written that others hear of at once */

static struct tiles_job *newest(const struct tiles *t)
{
	return tiles_job_at(t, t->count - 1);
}

static void publish(struct tiles *t)
{
	struct tiles_job *job = newest(t);

	pthread_mutex_lock(&t->lock);
	job->published = job->written;
	job->seen = job->done;
	pthread_cond_signal(&t->work);
	pthread_mutex_unlock(&t->lock);
}

void tiles_publish(struct v3dsim *sim)
{
	struct tiles *t = sim->tiles;

	if (t && t->where == TILES_OPEN && newest(t)->written != newest(t)->published)
		publish(t);
}

bool tiles_busy(struct v3dsim *sim)
{
	struct tiles *t = sim->tiles;
	bool busy = false;

	if (!t)
		return false;
	tiles_publish(sim);
	pthread_mutex_lock(&t->lock);
	for (unsigned int n = 0; n < t->count; n++)
		busy |= !tiles_job_at(t, n)->open ||
			tiles_job_at(t, n)->done != tiles_job_at(t, n)->published;
	t->list_waits |= busy;
	pthread_mutex_unlock(&t->lock);
	if (!busy)
		tiles_span_reset(t);
	return busy;
}

bool tiles_working(struct v3dsim *sim)
{
	struct tiles *t = sim->tiles;
	bool hangs;

	if (!tiles_busy(sim))
		return false;
	pthread_mutex_lock(&t->lock);
	hangs = t->count && tiles_job_at(t, 0)->stuck && !tiles_job_at(t, 0)->cancelled &&
		!t->working;
	pthread_mutex_unlock(&t->lock);
	return !hangs;
}

bool tiles_oldest(struct v3dsim *sim, uint32_t *addr)
{
	struct tiles *t = sim->tiles;
	const struct tiles_job *job;
	bool found = false;

	if (!t)
		return false;
	pthread_mutex_lock(&t->lock);
	job = tiles_job_at(t, 0);
	if (t->count && !job->cancelled && (!job->open || job->done != job->written)) {
		*addr = job->place.ca;
		found = true;
	}
	pthread_mutex_unlock(&t->lock);
	return found;
}

static struct tiles_place here(const struct v3dsim *sim)
{
	const struct cle_thread *ct = &sim->cle->threads[1];
	struct tiles_place place = { .ca = ct->ca, .depth = ct->depth };

	memcpy(place.ra, ct->ra, sizeof(place.ra));
	return place;
}

/* A job begins. Return: false: there are too many */
static bool open_job(struct v3dsim *sim)
{
	const struct tiles_coupling unknown = { TLB_TILE_UNKNOWN, QUADS_UNKNOWN };
	struct tiles *t = sim->tiles;
	struct tiles_job *job;
	bool room;

	pthread_mutex_lock(&t->lock);
	room = t->count < t->jobs;
	t->list_waits |= !room;
	if (room) {
		t->count++;
		job = newest(t);
		*job = (struct tiles_job){ .bytes = job->bytes, .open = true, .place = here(sim),
					  .left = unknown };
		job->serial = sim->cle->threads[1].state.serial - 1;
		tlb_state_get(sim->tlb, &job->first);
		t->where = TILES_OPEN;
	}
	pthread_mutex_unlock(&t->lock);
	return room;
}

static void close_job(struct tiles *t)
{
	struct tiles_job *job = newest(t);

	pthread_mutex_lock(&t->lock);
	job->open = false;
	job->published = job->written;
	pthread_cond_signal(&t->work);
	pthread_mutex_unlock(&t->lock);
	t->where = TILES_CLEAN;
}

static uint64_t room_in(const struct tiles_job *job)
{
	return TILES_BYTES - (job->written - job->seen);
}

/* Is there room for a command, and for as much again that the end of the ring may waste? */
static bool make_room(struct tiles *t, uint32_t bytes)
{
	struct tiles_job *job = newest(t);

	if (room_in(job) >= 2 * bytes)
		return true;
	publish(t);
	if (room_in(job) >= 2 * bytes)
		return true;
	pthread_mutex_lock(&t->lock);
	job->seen = job->done;
	t->list_waits |= room_in(job) < 2 * bytes;
	pthread_mutex_unlock(&t->lock);
	return room_in(job) >= 2 * bytes;
}

/* The place for a command; there is room. */
static void *begin_command(struct v3dsim *sim, enum tiles_kind kind, uint32_t bytes)
{
	struct tiles_job *job = newest(sim->tiles);
	const uint32_t left = TILES_BYTES - job->written % TILES_BYTES;
	struct tiles_command *command;

	if (left < bytes) {
		if (left >= sizeof(*command))
			((struct tiles_command *)(job->bytes + job->written % TILES_BYTES))->kind =
				TILES_WRAP;
		job->written += left;
	}
	command = (struct tiles_command *)(job->bytes + job->written % TILES_BYTES);
	*command = (struct tiles_command){ .bytes = bytes, .kind = kind, .place = here(sim) };
	return command;
}

static void end_command(struct tiles *t, const struct tiles_command *command)
{
	struct tiles_job *job = newest(t);

	job->written += command->bytes;
	if (job->written - job->published >= PUBLISH)
		publish(t);
}

static uint32_t aligned(size_t bytes)
{
	return roundup(bytes, (size_t)TILES_ALIGN);
}

/*
 * All that is written down is done, and the tile buffer is the chip's own again. Return: false: not
 * yet
 */
static bool come_here(struct v3dsim *sim)
{
	struct tiles *t = sim->tiles;
	const struct tlb *from = sim->tlb;

	if (t->where == TILES_HERE)
		return true;
	if (tiles_busy(sim))
		return false;
	if (t->where == TILES_OPEN) {
		struct tiles_job *job = newest(t);

		if (job->tile) {
			const struct tiles_coupling left = tiles_coupling_get(job->tile);

			from = job->tile->tlb;
			tiles_couple(&t->coupling, &left);
		}
		job->tile = NULL;
		pthread_mutex_lock(&t->lock);
		for (unsigned int n = 0; n < t->tiles; n++)
			t->used[n] &= t->tile[n]->tlb != from;
		t->count--;
		pthread_mutex_unlock(&t->lock);
	}
	sim->tlb->elsewhere = false;
	t->where = TILES_HERE;
	tiles_coupling_put(sim, &t->coupling);
	tlb_take(sim->tlb, from);	/* its own contents are what is known of them */
	return true;
}

/* Where the next thing is done. Return: false: not yet */
static bool decide(struct v3dsim *sim)
{
	struct tiles *t = sim->tiles;

	if (t->dropping && tiles_busy(sim))
		return false;
	t->dropping = false;
	if (t->where == TILES_HERE && sim->tlb->clean.parts == TLB_CLEAN &&
	    !sim->tlb->mode.double_buffer) {
		t->where = TILES_CLEAN;
		t->coupling = tiles_coupling_get(sim);
		sim->tlb->elsewhere = true;
	}
	return true;
}

static bool has_two_buffers(const uint8_t *bytes)
{
	struct v3d_tile_rendering_mode mode;

	if (bytes[0] != V3D_TILE_RENDERING_MODE)
		return false;
	v3d_unpack_tile_rendering_mode(bytes, &mode);
	return mode.double_buffer;
}

static bool is_store(uint8_t id)
{
	return id == V3D_STORE_RESOLVED || id == V3D_STORE_RESOLVED_END || id == V3D_STORE_FULL ||
	       id == V3D_STORE_GENERAL;
}

static enum sim_result result_of(bool good)
{
	return good ? SIM_DONE : SIM_ERROR;
}

static enum sim_result write_record(struct v3dsim *sim, uint32_t addr, const uint8_t *bytes)
{
	struct tiles *t = sim->tiles;
	struct tiles_record_command *command;
	const uint32_t size = aligned(sizeof(*command));

	if (!make_room(t, size))
		return SIM_STUCK;
	t->ordered = false;
	if (!tlb_record(sim, addr, bytes))
		return SIM_ERROR;
	newest(t)->placed |= bytes[0] == V3D_TILE_COORDINATES;
	command = begin_command(sim, TILES_RECORD, size);
	command->head.ordered = t->ordered;
	memcpy(command->bytes, bytes, sizeof(command->bytes));
	end_command(t, &command->head);
	if (is_store(bytes[0]) && sim->tlb->clean.parts == TLB_CLEAN &&
	    sim->tlb->load == TLB_LOAD_NONE)
		close_job(t);
	return SIM_DONE;
}

enum sim_result tiles_record(struct v3dsim *sim, uint32_t addr, const uint8_t *bytes)
{
	const bool state = bytes[0] == V3D_TILE_RENDERING_MODE || bytes[0] == V3D_CLEAR_COLORS;
	struct tiles *t = sim->tiles;

	if (!t)
		return result_of(tlb_record(sim, addr, bytes));
	if (!decide(sim) || (has_two_buffers(bytes) && !come_here(sim)))
		return SIM_STUCK;
	if (t->where == TILES_HERE || (t->where == TILES_CLEAN && state))
		return result_of(tlb_record(sim, addr, bytes));
	if (t->where == TILES_CLEAN && !open_job(sim))
		return SIM_STUCK;
	return write_record(sim, addr, bytes);
}

/* State records, if they have changed since the job had them */
static void write_state(struct v3dsim *sim)
{
	const struct cle_state *state = &sim->cle->threads[1].state;
	struct tiles_job *job = newest(sim->tiles);
	struct tiles_state_command *command;

	if (job->serial == state->serial)
		return;
	job->serial = state->serial;
	command = begin_command(sim, TILES_STATE, aligned(sizeof(*command)));
	memcpy(command->record, state->record, sizeof(command->record));
	end_command(sim->tiles, &command->head);
}

static void write_primitive(struct v3dsim *sim, const struct primitive *primitive, uint32_t size,
			    bool ordered)
{
	const size_t vertex = offsetof(struct vertex, varying) +
			      primitive->shader->varyings * sizeof(float);
	struct tiles_primitive_command *command = begin_command(sim, TILES_PRIMITIVE, size);
	uint8_t *at = (uint8_t *)(command + 1);

	command->head.ordered = ordered;
	command->primitive = *primitive;
	command->shader = *primitive->shader;
	command->vertices = v3d_list_vertices(primitive->kind);
	command->flat = command->vertices;
	for (unsigned int n = 0; n < command->vertices; n++, at += vertex) {
		memcpy(at, primitive->vertex[n], vertex);
		if (primitive->flat == primitive->vertex[n])
			command->flat = n;
	}
	if (primitive->flat && command->flat == command->vertices)
		memcpy(at, primitive->flat, vertex);
	end_command(sim->tiles, &command->head);
}

/* Coverage alone is drawn, without a shader. */
static bool is_coverage(const struct v3dsim *sim)
{
	struct v3d_configuration_bits config = { 0 };
	const uint8_t *record = sim->cle->threads[1].state.record[CLE_CONFIGURATION];

	if (record[0])
		v3d_unpack_configuration_bits(record, &config);
	return config.coverage_pipe;
}

/* A defect shows what earlier tiles left in the chip: HW-2885, and HW-2796 without coordinates */
static bool is_coupled(const struct v3dsim *sim, bool coverage)
{
	return coverage ? chip_has(&sim->chip, V3D_CHIP_HW_2885) :
			  chip_has(&sim->chip, V3D_CHIP_HW_2796) && !newest(sim->tiles)->placed;
}

enum sim_result tiles_primitive(struct v3dsim *sim, const struct primitive *primitive)
{
	const size_t vertex = offsetof(struct vertex, varying) +
			      primitive->shader->varyings * sizeof(float);
	const uint32_t size = aligned(sizeof(struct tiles_primitive_command) +
				      (v3d_list_vertices(primitive->kind) + 1) * vertex);
	struct tiles *t = sim->tiles;
	struct tiles_shader *shader;

	if (!t || (t->where == TILES_HERE && !t->dropping && sim->tlb->clean.parts != TLB_CLEAN))
		return SIM_MORE;
	shader = is_coverage(sim) ? NULL : tiles_shader_at(sim, primitive->shader->code);
	if (!decide(sim) || (shader && !shader->alone && !come_here(sim)))
		return SIM_STUCK;
	if (t->where == TILES_HERE)
		return SIM_MORE;
	if (t->where == TILES_CLEAN && !open_job(sim))
		return SIM_STUCK;
	if (!make_room(t, size + aligned(sizeof(struct tiles_state_command))))
		return SIM_STUCK;
	write_state(sim);
	write_primitive(sim, primitive, size,
			is_coupled(sim, !shader) ||
			(shader && tiles_shader_waits(sim, shader, primitive->shader->uniforms)));
	sim->tlb->clean.parts = 0;
	return SIM_DONE;
}

void tiles_cancel(struct v3dsim *sim)
{
	struct tiles *t = sim->tiles;

	if (!t)
		return;
	pthread_mutex_lock(&t->lock);
	for (unsigned int n = 0; n < t->count; n++) {
		tiles_job_at(t, n)->cancelled = true;
		tiles_job_at(t, n)->open = false;
	}
	pthread_cond_broadcast(&t->work);
	pthread_mutex_unlock(&t->lock);
	if (t->where != TILES_HERE) {
		sim->tlb->clean.parts = 0;
		tiles_coupling_put(sim, &t->coupling);
	}
	t->where = TILES_HERE;
	t->dropping = true;
	sim->tlb->elsewhere = false;
}

void tiles_reset(struct v3dsim *sim)
{
	struct tiles *t = sim->tiles;

	if (!t)
		return;
	pthread_mutex_lock(&t->lock);
	t->count = 0;
	for (unsigned int n = 0; n < t->tiles; n++) {
		t->used[n] = false;
		bus_forget(t->tile[n], 0, 0);
	}
	pthread_mutex_unlock(&t->lock);
	t->where = TILES_HERE;
	t->dropping = false;
	tiles_span_reset(t);
}
