/* SPDX-License-Identifier: MIT */
/*
 * Inside the tiles that are shaded beside the list: jobs, what is written down in them, and who
 * works. See tiles.h.
 */
#ifndef V3DSIM_TILES_JOB_H
#define V3DSIM_TILES_JOB_H

#include <pthread.h>

#include "tmu/texture.h"
#include "tmu/tmu_setup.h"
#include "core/sim.h"
#include "back/tlb.h"
#include "front/primitive.h"
#include "front/pse.h"
#include "tiles.h"

/* of a job's commands that are not done, at most; a power of 2 */
#define TILES_BYTES (256u << 10)
#define TILES_ALIGN 8u
#define TILES_SPANS 16
#define TILES_PLACES 65536		/* tiles of a frame that record 115 can tell apart */
#define TILES_SHADERS 64
#define TILES_LOOKUPS 16	/* of a shader whose memory is known */

/**
 * enum tiles_kind - of a command: go on at the start of the ring, state records, a tile buffer's
 * record, a primitive
 */
enum tiles_kind { TILES_WRAP, TILES_STATE, TILES_RECORD, TILES_PRIMITIVE };

/* Where the list stands: CTnCA and the return stack */
struct tiles_place {
	uint32_t ca, ra[CLE_NESTING];
	uint32_t depth;
};

/**
 * struct tiles_command - what is to be done, followed by its own bytes
 * @bytes: in all, a multiple of TILES_ALIGN
 * @ordered: only when all earlier jobs are done
 */
struct tiles_command {
	uint32_t bytes;
	uint8_t kind, ordered;
	struct tiles_place place;
};

/* TILES_RECORD */
struct tiles_record_command {
	struct tiles_command head;
	uint8_t bytes[CLE_RECORD_MAX];
};

/* TILES_STATE: those that reach tile lists */
struct tiles_state_command {
	struct tiles_command head;
	uint8_t record[CLE_TILE_SLOTS][CLE_RECORD_MAX];
};

/**
 * struct tiles_primitive_command - TILES_PRIMITIVE, followed by its vertices as far as they have
 * varyings
 * @primitive: without pointers
 * @vertices: their number; @flat: which of them is primitive.flat
 */
struct tiles_primitive_command {
	struct tiles_command head;
	struct primitive primitive;
	struct primitive_shader shader;
	uint8_t vertices, flat;
};

/**
 * struct tiles_coupling - what silicon's defects let a tile find of the tiles before it
 * @begun: see enum tlb_begun (HW-2796)
 * @varyings: of the latest batch that was shaded (HW-2885), or QUADS_UNKNOWN
 */
struct tiles_coupling {
	enum tlb_begun begun;
	uint32_t varyings;
};

/**
 * struct tiles_job - a tile, or some in a row
 *
 * The list's side alone, under the chip's lock:
 * @bytes: a ring of commands; what is past @published
 * @written: bytes written so far, counted on; @seen: what @done was when it was last looked at
 * @serial: cle_state.serial that it has
 * @placed: there were tile coordinates in it
 *
 * Under tiles.lock:
 * @published: bytes that may be done; @done: bytes that are
 * @place: of the command at @done
 * @open: there may be more; @running: a thread is at work on it; @waits: its next command is
 *	ordered
 * @stuck: it will never go on; @failed: with an error, to be reported when it is the oldest;
 *	@cancelled: to be dropped
 * @over: nothing is left to do; it goes when it is the oldest
 * @tile: what works on it, from its first command on
 *
 * The thread's that is at work on it, without a lock, so it stands apart from the flags above:
 * @begun: @tile was prepared
 *
 * @first: the tile buffer when it begins
 * @left: what the next one finds of it, when it is over
 */
struct tiles_job {
	uint8_t *bytes;
	uint64_t written, published, done, seen;
	uint32_t serial;
	bool placed;
	struct tiles_place place;
	bool open, running, waits, stuck, failed, cancelled, over;
	struct v3dsim *tile;
	bool begun;
	struct tlb_state first;
	struct tiles_coupling left;
};

/* Memory that the frame stores to: @image is valid if its width is not 0 */
struct tiles_span {
	uint32_t start;
	uint64_t end;
	struct texture_image image;
};

/**
 * enum tiles_where - what the tile buffer holds: in the chip's own one, known (tlb.clean), in the
 * open job's
 */
enum tiles_where { TILES_HERE, TILES_CLEAN, TILES_OPEN };

/**
 * struct tiles_lookup - of a texture, in a shader
 * @uniform: which ones its set-up words are, @words of them
 * @word: as they were last; @start, @end: what can be read of that texture
 */
struct tiles_lookup {
	uint8_t words;
	bool known;
	uint16_t uniform[TMU_WORDS];
	uint32_t word[TMU_WORDS];
	uint64_t start, end;
};

/**
 * struct tiles_shader - a fragment shader that was looked at
 * @alone: it uses nothing that QPUs share
 * @anywhere: it may read any memory; else what its @lookups say
 */
struct tiles_shader {
	uint32_t code;
	bool known, alone, anywhere;
	uint8_t lookups;
	struct tiles_lookup lookup[TILES_LOOKUPS];
};

/**
 * struct tiles - all of it
 *
 * Under the chip's lock:
 * @where: see enum tiles_where; @dropping: jobs were cancelled, and may still be there
 * @ordered: the record at hand loads what an earlier job may store
 * @span: of this frame, @spans of them; @everywhere: there were too many
 * @stored: tiles of this frame that were stored, a bit each
 * @shader: by address, since the list began
 *
 * Under @lock, which is taken after the chip's, and never while waiting for it:
 * @work: there may be something for a thread; @rest: one has come to rest
 * @job: a ring of @jobs, @count of them in use from @oldest on
 * @tile: chips without registers, @tiles of them; @used: a job has it
 * @coupling: what all jobs that have gone left, or the chip's own tile buffer before them
 * @list_waits: the engine wants to be kicked; @paused: how often no thread shall begin
 * @working: threads that are not at rest
 */
struct tiles {
	enum tiles_where where;
	bool dropping, ordered, everywhere;
	unsigned int spans;
	struct tiles_span span[TILES_SPANS];
	uint64_t stored[TILES_PLACES / 64];
	struct tiles_shader shader[TILES_SHADERS];

	pthread_mutex_t lock;
	pthread_cond_t work, rest;
	struct tiles_job *job;
	unsigned int jobs, oldest, count;
	struct tiles_coupling coupling;
	struct v3dsim **tile;
	bool *used;
	unsigned int tiles, threads, paused, working;
	bool list_waits, quit;
	pthread_t thread[V3DSIM_THREADS_MAX];
};

/* The nth oldest */
static inline struct tiles_job *tiles_job_at(const struct tiles *t, unsigned int n)
{
	return &t->job[(t->oldest + n) % t->jobs];
}

/* @later comes after @coupling, which it replaces as far as it is known */
static inline void tiles_couple(struct tiles_coupling *coupling, const struct tiles_coupling *later)
{
	if (later->begun != TLB_TILE_UNKNOWN)
		coupling->begun = later->begun;
	if (later->varyings != QUADS_UNKNOWN)
		coupling->varyings = later->varyings;
}

/* Of a chip; tiles_coupling_put() to it */
static inline struct tiles_coupling tiles_coupling_get(const struct v3dsim *sim)
{
	return (struct tiles_coupling){ sim->tlb->begun, sim->pse->quads.varyings_before };
}

static inline void tiles_coupling_put(struct v3dsim *sim, const struct tiles_coupling *coupling)
{
	sim->tlb->begun = coupling->begun;
	sim->pse->quads.varyings_before = coupling->varyings;
}

/* What a thread does; @opaque is the chip */
void *tiles_work(void *opaque);

/**
 * tiles_shader_at() - @alone: it is in memory, ends, and uses nothing that QPUs share. Valid until
 * the next one is asked for
 */
struct tiles_shader *tiles_shader_at(struct v3dsim *sim, uint32_t code);

/**
 * tiles_shader_waits() - may it read, with uniforms at an address, what earlier tiles of the frame
 * store?
 */
bool tiles_shader_waits(struct v3dsim *sim, struct tiles_shader *shader, uint32_t uniforms);

/* Does the frame, so far, store to what is at @start to @end? */
bool tiles_span_stored(const struct tiles *t, uint64_t start, uint64_t end);

/* All stores are done: forgets them */
void tiles_span_reset(struct tiles *t);

#endif /* V3DSIM_TILES_JOB_H */
