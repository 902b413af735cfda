// SPDX-License-Identifier: MIT
/* The chip's lock, and how the engine calls its host: see sim.h. */
#include "sim.h"

void sim_enter(struct v3dsim *sim)
{
	__atomic_fetch_add(&sim->waiters, 1, __ATOMIC_RELAXED);
	pthread_mutex_lock(&sim->lock);
}

void sim_leave(struct v3dsim *sim)
{
	bool level = intr_level(sim), changed = level != sim->intr.level;

	sim->intr.level = level;
	sim->served++;
	__atomic_fetch_sub(&sim->waiters, 1, __ATOMIC_RELAXED);
	pthread_cond_broadcast(&sim->gave_way);
	pthread_mutex_unlock(&sim->lock);
	if (changed && sim->host.irq)
		sim->host.irq(sim->host.opaque);
}

void sim_callback_begin(struct v3dsim *sim)
{
	uint32_t addr = sim->bus.dirty_addr, len = sim->bus.dirty_len;

	sim->bus.dirty_len = 0;
	sim->in_callback = true;
	sim->callbacks++;
	if (sim->computing)
		float_mode_leave(sim->host_mode);
	pthread_mutex_unlock(&sim->lock);
	if (len && sim->host.written)
		sim->host.written(sim->host.opaque, addr, len);
}

void sim_callback_end(struct v3dsim *sim)
{
	pthread_mutex_lock(&sim->lock);
	if (sim->computing)
		sim->host_mode = float_mode_enter();
	sim->in_callback = false;
	pthread_cond_broadcast(&sim->rest);
}

void sim_offer(struct v3dsim *sim)
{
	bool level = intr_level(sim), changed = level != sim->intr.level;
	uint32_t served;

	sim->intr.level = level;
	if (changed && sim->host.irq) {
		pthread_mutex_unlock(&sim->lock);
		sim->host.irq(sim->host.opaque);
		pthread_mutex_lock(&sim->lock);
	}
	served = sim->served;
	while (sim_wanted(sim) && served == sim->served)
		pthread_cond_wait(&sim->gave_way, &sim->lock);
}

void sim_tell(struct v3dsim *sim)
{
	pthread_mutex_lock(&sim->event_lock);
	sim->event = true;
	pthread_cond_broadcast(&sim->eventful);
	pthread_mutex_unlock(&sim->event_lock);
}

void sim_kick(struct v3dsim *sim)
{
	sim->kicked = true;
	pthread_cond_signal(&sim->work);
}

void sim_math_begin(struct v3dsim *sim)
{
	sim->computing = true;
	sim->host_mode = float_mode_enter();
}

void sim_math_end(struct v3dsim *sim)
{
	float_mode_leave(sim->host_mode);
	sim->computing = false;
}
