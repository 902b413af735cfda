// SPDX-License-Identifier: MIT
/* Trace lines: see trace.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <v3d/packets.h>

#include "sim.h"

static bool within(const uint32_t range[2], uint32_t number)
{
	return range[0] <= number && number <= range[1];
}

/* What no control thread does is of no draw and no tile. */
static bool passes_thread(const struct trace *t)
{
	const struct v3dsim_tracing *wanted = &t->wanted;

	if (wanted->filters & V3DSIM_ONLY_DRAWS &&
	    (t->thread == TRACE_PROGRAMS || t->draw[t->thread] == TRACE_NO_DRAW ||
	     !within(wanted->draws, t->draw[t->thread])))
		return false;
	return !(wanted->filters & V3DSIM_ONLY_TILE) ||
	       (t->thread == 1 && t->has_tile && t->tile[0] == wanted->tile[0] &&
		t->tile[1] == wanted->tile[1]);
}

static bool passes(const struct trace *t, uint32_t address)
{
	const struct v3dsim_tracing *wanted = &t->wanted;

	if (wanted->filters & V3DSIM_ONLY_ADDRESSES && !within(wanted->addresses, address))
		return false;
	if (wanted->filters & V3DSIM_ONLY_PIXEL && !t->pixel_lanes)
		return false;
	if (wanted->filters & V3DSIM_ONLY_QPUS &&
	    (t->qpu == TRACE_NO_QPU || !(wanted->qpus >> t->qpu & 1)))
		return false;
	return passes_thread(t);
}

void trace_line(struct v3dsim *sim, enum v3dsim_trace kind, uint32_t address, const char *format,
		...)
{
	char line[TRACE_LINE];
	va_list arguments;

	if (!sim->host.trace || !trace_wanted(&sim->config, kind) || !passes(&sim->trace, address))
		return;
	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	sim->trace.address = address;
	sim_callback_begin(sim);
	sim->host.trace(sim->host.opaque, kind, line);
	sim_callback_end(sim);
}

bool trace_wants_register(const struct v3dsim *sim, uint32_t reg)
{
	const struct v3dsim_tracing *wanted = &sim->trace.wanted;

	return sim->host.trace && trace_wanted(&sim->config, V3DSIM_TRACE_REG) &&
	       !(wanted->filters & ~V3DSIM_ONLY_ADDRESSES) &&
	       (!wanted->filters || within(wanted->addresses, reg));
}

void v3dsim_trace_set(struct v3dsim *sim, const struct v3dsim_tracing *tracing)
{
	sim_enter(sim);
	sim->trace.wanted = *tracing;
	sim_leave(sim);
}

bool v3dsim_trace_about(struct v3dsim *sim, uint32_t *address)
{
	*address = sim->trace.address;
	return !sim->trace.goes_on;
}

/* --- Which draw a primitive in a tile list is of ---------------------------------------------- */

/* Where an address is, or would be. There is a free slot. */
static struct trace_draw *find(const struct trace_draws *draws, uint32_t address)
{
	uint32_t at = address * 2654435761u & (draws->room - 1);

	while (draws->slots[at].address && draws->slots[at].address != address)
		at = (at + 1) & (draws->room - 1);
	return &draws->slots[at];
}

/* Half of the slots are free. Return: false: there is no memory for that */
static bool grow(struct trace_draws *draws)
{
	const struct trace_draws old = *draws;
	struct trace_draw *slots;

	if (old.count < old.room / 2)
		return true;
	if (old.room > UINT32_MAX / 4)
		return false;
	slots = calloc(old.room ? old.room * 2 : 1024, sizeof(*slots));
	if (!slots)
		return false;
	draws->slots = slots;
	draws->room = old.room ? old.room * 2 : 1024;
	for (uint32_t n = 0; n < old.room; n++)
		if (old.slots[n].address)
			*find(draws, old.slots[n].address) = old.slots[n];
	free(old.slots);
	return true;
}

static bool wants_draws(const struct v3dsim *sim)
{
	return sim->trace.wanted.filters & V3DSIM_ONLY_DRAWS;
}

/* Without memory, a primitive is of no draw: its lines are left out. */
void trace_binned(struct v3dsim *sim, uint32_t address)
{
	struct trace_draws *draws = &sim->trace.draws;
	struct trace_draw *slot;

	if (!wants_draws(sim) || !address || !grow(draws))
		return;
	slot = find(draws, address);
	draws->count += !slot->address;
	*slot = (struct trace_draw){ address, sim->trace.draw[0] };
}

void trace_found(struct v3dsim *sim, uint32_t address)
{
	struct trace *t = &sim->trace;
	const struct trace_draw *slot;

	if (!wants_draws(sim) || !t->draws.room)
		return;
	slot = find(&t->draws, address);
	t->draw[1] = slot->address && address ? slot->draw : TRACE_NO_DRAW;
}

void trace_queue(struct v3dsim *sim, unsigned int thread, unsigned int n)
{
	if (thread && n < TRACE_BATCH)
		sim->trace.batch[n] = sim->trace.draw[1];
}

void trace_unqueue(struct v3dsim *sim, unsigned int thread, unsigned int n)
{
	if (thread && n < TRACE_BATCH)
		sim->trace.draw[1] = sim->trace.batch[n];
}

/* --- What is at work -------------------------------------------------------------------------- */

void trace_list(struct v3dsim *sim, unsigned int thread)
{
	struct trace *t = &sim->trace;

	t->draw[thread] = thread ? TRACE_NO_DRAW : 0;
	if (thread)
		t->has_tile = false;
}

void trace_drawn(struct v3dsim *sim)
{
	sim->trace.draw[0]++;
}

void trace_record(struct v3dsim *sim, unsigned int thread, const uint8_t *bytes, uint32_t next)
{
	struct trace *t = &sim->trace;
	struct v3d_tile_coordinates tile;

	if (!thread)
		return;
	t->draw[1] = TRACE_NO_DRAW;
	if (bytes[0] == V3D_TILE_COORDINATES) {
		v3d_unpack_tile_coordinates(bytes, &tile);
		t->has_tile = true;
		t->tile[0] = tile.column;
		t->tile[1] = tile.row;
	}
	if (bytes[0] == V3D_COMPRESSED_PRIMITIVES || bytes[0] == V3D_CLIPPED_PRIMITIVE)
		trace_found(sim, next);
}

void trace_free(struct v3dsim *sim)
{
	free(sim->trace.draws.slots);
}
