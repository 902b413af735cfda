// SPDX-License-Identifier: MIT
/* The threads that shade tiles, and their life: see tiles.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "core/sim.h"
#include "qpu/shade.h"
#include "front/cle.h"
#include "front/pse.h"
#include "tiles_job.h"

#define SLICE 16384		/* instructions before others are heard */
#define RECORD_COST 256		/* of a record, in instructions */
#define JOBS_A_THREAD 4
#define TILES_A_THREAD 2	/* one that waits for earlier stores, one to work on */

/**
 * struct look - a thread's slice of a job
 * @oldest: all earlier jobs are done; @cancelled: the job was when the slice began
 * @published: as job.published was; @done: how far it came
 */
struct look {
	struct v3dsim *sim;
	struct tiles *t;
	struct tiles_job *job;
	bool oldest, cancelled, waits, stuck, failed;
	uint64_t published, done, budget;
	struct tiles_place place;
};

static struct v3dsim *take_tile(struct tiles *t)
{
	for (unsigned int n = 0; n < t->tiles; n++) {
		if (t->used[n])
			continue;
		t->used[n] = true;
		return t->tile[n];
	}
	return NULL;
}

static void give_tile(struct tiles *t, const struct v3dsim *tile)
{
	for (unsigned int n = 0; n < t->tiles; n++)
		t->used[n] &= t->tile[n] != tile;
}

/* The oldest job on which something can be done, by the thread that holds t->lock */
static bool pick(struct look *look)
{
	struct tiles *t = look->t;

	for (unsigned int n = 0; n < t->count; n++) {
		struct tiles_job *job = tiles_job_at(t, n);

		if (job->running || job->over)
			continue;
		if (!job->cancelled) {
			if (job->stuck || (job->waits && n) ||
			    (job->done == job->published && !job->failed))
				continue;
			if (!job->tile)
				job->tile = take_tile(t);
			if (!job->tile)
				continue;
		}
		job->running = true;
		look->job = job;
		look->oldest = !n;
		look->cancelled = job->cancelled;
		look->published = job->published;
		look->done = job->done;
		look->place = job->place;
		look->failed = job->failed;
		look->waits = look->stuck = false;
		return true;
	}
	return false;
}

/* What a job finds */
static void begin(struct v3dsim *tile, const struct tiles_job *job)
{
	memset(&tile->stats, 0, sizeof(tile->stats));
	memset(&tile->pctr, 0, sizeof(tile->pctr));
	memset(tile->struck, 0, sizeof(tile->struck));
	fault_reset(tile);
	shade_cancel(tile, 1);
	pse_cancel(tile);
	tlb_state_put(tile->tlb, &job->first);
	tiles_coupling_put(tile, &job->left);
}

/* All earlier jobs have gone: what they left is known. */
static void couple(struct v3dsim *tile, const struct tiles *t)
{
	const struct tiles_coupling own = tiles_coupling_get(tile);
	struct tiles_coupling coupling = t->coupling;

	tiles_couple(&coupling, &own);
	tiles_coupling_put(tile, &coupling);
}

static enum sim_result draw(struct v3dsim *tile, const struct tiles_primitive_command *command,
			    uint64_t *budget)
{
	const size_t vertex = offsetof(struct vertex, varying) +
			      command->shader.varyings * sizeof(float);
	const uint8_t *vertices = (const uint8_t *)(command + 1);
	struct primitive primitive = command->primitive;

	for (unsigned int n = 0; n < command->vertices; n++)
		primitive.vertex[n] = (const struct vertex *)(vertices + n * vertex);
	if (primitive.flat)
		primitive.flat = (const struct vertex *)(vertices + command->flat * vertex);
	primitive.shader = &command->shader;
	return pse_primitive(tile, &primitive, budget);
}

static enum sim_result execute(struct v3dsim *tile, const struct tiles_command *command,
			       uint64_t *budget)
{
	switch (command->kind) {
	case TILES_STATE:
		memcpy(tile->cle->threads[1].state.record,
		       ((const struct tiles_state_command *)command)->record,
		       sizeof(((const struct tiles_state_command *)command)->record));
		return SIM_DONE;
	case TILES_RECORD:
		*budget -= MIN(*budget, RECORD_COST);
		if (!tlb_record(tile, command->place.ca,
				((const struct tiles_record_command *)command)->bytes))
			return SIM_ERROR;
		return SIM_DONE;
	default:
		return draw(tile, (const struct tiles_primitive_command *)command, budget);
	}
}

/* The command at look->done, if it is published */
static const struct tiles_command *next_command(struct look *look)
{
	while (look->done != look->published) {
		const uint32_t at = look->done % TILES_BYTES, left = TILES_BYTES - at;
		const struct tiles_command *command =
			(const struct tiles_command *)(look->job->bytes + at);

		if (left >= sizeof(*command) && command->kind != TILES_WRAP)
			return command;
		look->done += left;
	}
	return NULL;
}

/*
 * Commands in order, until the budget is spent, another thread wants the tile, or the job has to
 * wait
 */
static void play(struct look *look)
{
	struct v3dsim *tile = look->job->tile;
	const struct tiles_command *command;
	enum sim_result result = SIM_DONE;

	while (result == SIM_DONE && look->budget && !sim_wanted(tile)) {
		command = next_command(look);
		if (!command)
			break;
		look->place = command->place;
		look->waits = command->ordered && !look->oldest;
		if (look->waits)
			break;
		if (command->ordered)
			couple(tile, look->t);
		result = execute(tile, command, &look->budget);
		if (result == SIM_DONE)
			look->done += command->bytes;
	}
	look->stuck = result == SIM_STUCK;
	look->failed = result == SIM_ERROR;
}

/* The tile's sums to the chip's */
static void add_up(struct v3dsim *sim, struct v3dsim *tile)
{
	sim->worked += tile->stats.instructions;
	sim->stats.instructions += tile->stats.instructions;
	sim->stats.cycles += tile->stats.cycles;
	sim->stats.broken_rules += tile->stats.broken_rules;
	memset(&tile->stats, 0, sizeof(tile->stats));
	for (unsigned int n = 0; n < V3D_CHIP_MODE_COUNT; n++) {
		sim->struck[n] += tile->struck[n];
		tile->struck[n] = 0;
	}
	for (unsigned int n = 0; n < sizeof(tile->pctr.totals) / sizeof(tile->pctr.totals[0]);
	     n++) {
		sim->pctr.totals[n] += tile->pctr.totals[n];
		tile->pctr.totals[n] = 0;
	}
}

/* The list stops with the oldest job's error, and with what its tile holds. */
static void report(struct v3dsim *sim, const struct look *look)
{
	const struct v3dsim *tile = look->job->tile;
	const struct tiles_coupling own = tiles_coupling_get(tile);
	struct tiles_coupling left;

	fault_pass_on(sim, &tile->fault);
	cle_tile_failed(sim, look->place.ca, look->place.ra, look->place.depth);
	memcpy(sim->cle->threads[1].state.record, tile->cle->threads[1].state.record,
	       CLE_TILE_SLOTS * sizeof(tile->cle->threads[1].state.record[0]));
	tiles_cancel(sim);
	tlb_take(sim->tlb, tile->tlb);
	sim->tlb->clean.parts = 0;
	left = tiles_coupling_get(sim);
	tiles_couple(&left, &own);
	tiles_coupling_put(sim, &left);
}

/* Jobs that are over go, the oldest first. */
static void retire(struct tiles *t)
{
	while (t->count && tiles_job_at(t, 0)->over) {
		tiles_couple(&t->coupling, &tiles_job_at(t, 0)->left);
		t->oldest = (t->oldest + 1) % t->jobs;
		t->count--;
	}
}

/* What came of it, under the chip's lock */
static void conclude(struct look *look)
{
	struct tiles *t = look->t;
	struct tiles_job *job = look->job;

	if (job->tile)
		add_up(look->sim, job->tile);
	if (look->failed && look->oldest)
		report(look->sim, look);
	pthread_mutex_lock(&t->lock);
	job->done = look->done;
	job->place = look->place;
	job->waits = look->waits || look->failed;
	job->stuck = look->stuck;
	job->failed = look->failed;
	job->running = false;
	job->over = job->cancelled || (!job->open && job->done == job->published && !job->failed);
	if (job->over && job->tile && job->begun)
		job->left = tiles_coupling_get(job->tile);
	if (job->over && job->tile)
		give_tile(t, job->tile);
	retire(t);
	if (t->list_waits)
		sim_kick(look->sim);
	t->list_waits = false;
	if (job->stuck)
		sim_tell(look->sim);
	t->working--;
	pthread_cond_broadcast(&t->rest);
	pthread_cond_broadcast(&t->work);
	pthread_mutex_unlock(&t->lock);
}

static void work_on(struct look *look)
{
	struct tiles_job *job = look->job;
	struct v3dsim *tile = job->tile;

	look->budget = SLICE;
	if (tile && !look->failed && !look->cancelled) {
		pthread_mutex_lock(&tile->lock);
		if (!job->begun)
			begin(tile, job);
		job->begun = true;
		play(look);
		bus_tell_written(tile);
		sim_offer(tile);
		pthread_mutex_unlock(&tile->lock);
	}
	sim_enter(look->sim);
	conclude(look);
	sim_leave(look->sim);
}

void *tiles_work(void *opaque)
{
	struct v3dsim *sim = opaque;
	struct tiles *t = sim->tiles;
	struct look look = { .sim = sim, .t = t };

	pthread_mutex_lock(&t->lock);
	while (!t->quit) {
		if (t->paused || !pick(&look)) {
			pthread_cond_wait(&t->work, &t->lock);
			continue;
		}
		t->working++;
		pthread_mutex_unlock(&t->lock);
		work_on(&look);
		pthread_mutex_lock(&t->lock);
	}
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

void tiles_pause(struct v3dsim *sim)
{
	struct tiles *t = sim->tiles;

	if (!t)
		return;
	pthread_mutex_lock(&t->lock);
	t->paused++;
	while (t->working)
		pthread_cond_wait(&t->rest, &t->lock);
	pthread_mutex_unlock(&t->lock);
}

void tiles_resume(struct v3dsim *sim)
{
	struct tiles *t = sim->tiles;

	if (!t)
		return;
	pthread_mutex_lock(&t->lock);
	t->paused--;
	pthread_cond_broadcast(&t->work);
	pthread_mutex_unlock(&t->lock);
}

void tiles_forget(struct v3dsim *sim, uint32_t addr, uint32_t len)
{
	struct tiles *t = sim->tiles;

	for (unsigned int n = 0; t && n < t->tiles; n++) {
		sim_enter(t->tile[n]);
		bus_forget(t->tile[n], addr, len);
		sim_leave(t->tile[n]);
	}
}

static bool allocate(struct v3dsim *sim, struct tiles *t, unsigned int threads)
{
	const unsigned int jobs = threads * JOBS_A_THREAD, tiles = threads * TILES_A_THREAD;

	t->job = calloc(jobs, sizeof(*t->job));
	t->tile = calloc(tiles, sizeof(*t->tile));
	t->used = calloc(tiles, sizeof(*t->used));
	if (!t->job || !t->tile || !t->used)
		return false;
	for (; t->jobs < jobs; t->jobs++) {
		t->job[t->jobs].bytes = aligned_alloc(64, TILES_BYTES);
		if (!t->job[t->jobs].bytes)
			return false;
	}
	for (; t->tiles < tiles; t->tiles++) {
		t->tile[t->tiles] = sim_tile_new(sim);
		if (!t->tile[t->tiles])
			return false;
	}
	return true;
}

static bool start_threads(struct v3dsim *sim, struct tiles *t)
{
	for (t->threads = 0; t->threads < sim->config.threads; t->threads++)
		if (pthread_create(&t->thread[t->threads], NULL, tiles_work, sim))
			return false;
	return true;
}

static void init_locks(struct tiles *t)
{
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->work, NULL);
	pthread_cond_init(&t->rest, NULL);
}

bool tiles_begin_anew(struct v3dsim *sim)
{
	struct tiles *t = sim->tiles;

	if (!t)
		return true;
	init_locks(t);
	t->paused--;
	return start_threads(sim, t);
}

bool tiles_new(struct v3dsim *sim)
{
	const struct v3dsim_config *config = &sim->config;
	struct tiles *t;

	if (config->threads < 2 || config->caches != V3DSIM_CACHES_IDEAL || config->strict ||
	    config->trace_mask)
		return true;
	t = calloc(1, sizeof(*t));
	sim->tiles = t;
	if (!t)
		return false;
	init_locks(t);
	return allocate(sim, t, config->threads) && start_threads(sim, t);
}

void tiles_free(struct v3dsim *sim)
{
	struct tiles *t = sim->tiles;

	if (!t)
		return;
	pthread_mutex_lock(&t->lock);
	t->quit = true;
	pthread_cond_broadcast(&t->work);
	pthread_mutex_unlock(&t->lock);
	for (unsigned int n = 0; n < t->threads; n++)
		pthread_join(t->thread[n], NULL);
	for (unsigned int n = 0; n < t->tiles; n++)
		v3dsim_free(t->tile[n]);
	for (unsigned int n = 0; n < t->jobs; n++)
		free(t->job[n].bytes);
	free(t->used);
	free(t->tile);
	free(t->job);
	pthread_cond_destroy(&t->rest);
	pthread_cond_destroy(&t->work);
	pthread_mutex_destroy(&t->lock);
	free(t);
	sim->tiles = NULL;
}
