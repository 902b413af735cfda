// SPDX-License-Identifier: MIT
/* The race detector: see races.h. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/lanes.h"
#include "races.h"
#include "qpu.h"

/* A QPU, its store engine, its load engine */
#define STORES V3D_QPUS
#define LOADS (2 * V3D_QPUS)
#define ACTORS (3 * V3D_QPUS)

#define VPM_WORDS (VPM_USER_ROWS * VPM_WIDTH)
#define FIRST_CELLS 4096u
#define MOST_CELLS (1u << 22)	/* words of memory that are watched */
#define MOST_ACCESSES (1u << 24)

struct clock {
	uint32_t at[ACTORS];
};

/* An access that later ones may race with; @next: an index, 0 for none */
struct access {
	uint32_t next, time, pc;
	uint8_t actor, mask;
	bool write;
};

/* A word of memory: its address with bit 0 set, 0 for a free cell; and its accesses */
struct cell {
	uint32_t key, first;
};

/**
 * struct races - what is known
 * @clocks: of the actors
 * @semaphores: of what has raised each
 * @mutex: of who released it
 * @started: the instruction that started each engine's transfer
 * @vpm: the first access to each word
 * @cells: of memory, a hash table of @cell_room, a power of two, with @cell_count in use
 * @accesses: @access_count of @access_room; those not in use are listed from @free on. The first is
 *	none
 * @found: @count that were not told yet
 * @missed: there was no memory for something
 */
struct races {
	struct clock clocks[ACTORS], semaphores[V3D_QPU_SEMAPHORES], mutex;
	uint32_t started[ACTORS];
	uint32_t vpm[VPM_WORDS];
	struct cell *cells;
	uint32_t cell_room, cell_count;
	struct access *accesses;
	uint32_t access_room, access_count, free;
	struct v3dsim_race found[V3DSIM_RACES];
	unsigned int count;
	bool missed;
};

/* What an access is to the same bytes as another */
struct touch {
	unsigned int actor;
	uint32_t pc;
	uint8_t mask;			/* a bit a byte */
	bool write;
	bool vpm;
	uint32_t place;			/* word of the VPM, or address */
};

void races_begin(struct races *races)
{
	memset(races->clocks, 0, sizeof(races->clocks));
	memset(races->semaphores, 0, sizeof(races->semaphores));
	memset(&races->mutex, 0, sizeof(races->mutex));
	memset(races->vpm, 0, sizeof(races->vpm));
	if (races->cells)
		memset(races->cells, 0, races->cell_room * sizeof(*races->cells));
	races->cell_count = races->free = 0;
	races->access_count = 1;
	for (unsigned int i = 0; i < ACTORS; i++)
		races->clocks[i].at[i] = 1;
}

struct races *races_new(void)
{
	struct races *races = calloc(1, sizeof(*races));

	if (races)
		races_begin(races);
	return races;
}

void races_free(struct races *races)
{
	if (!races)
		return;
	free(races->cells);
	free(races->accesses);
	free(races);
}

static void join(struct clock *to, const struct clock *from)
{
	for (unsigned int i = 0; i < ACTORS; i++)
		if (to->at[i] < from->at[i])
			to->at[i] = from->at[i];
}

/* What @actor does from here on does not come before what @to is for */
static void pass_on(struct races *races, unsigned int actor, struct clock *to)
{
	join(to, &races->clocks[actor]);
	races->clocks[actor].at[actor]++;
}

void races_semaphore(struct races *races, const struct qpu *q, unsigned int number, bool raises)
{
	if (raises)
		pass_on(races, q->number, &races->semaphores[number]);
	else
		join(&races->clocks[q->number], &races->semaphores[number]);
}

void races_mutex_acquired(struct races *races, const struct qpu *q)
{
	join(&races->clocks[q->number], &races->mutex);
}

void races_mutex_released(struct races *races, const struct qpu *q)
{
	pass_on(races, q->number, &races->mutex);
}

static unsigned int engine(unsigned int qpu, bool store)
{
	return (store ? STORES : LOADS) + qpu;
}

static uint32_t pc_of(const struct qpu *q)
{
	return q->threads[q->current].pc;
}

void races_transfer(struct races *races, const struct qpu *q, bool store)
{
	const unsigned int actor = engine(q->number, store);

	pass_on(races, q->number, &races->clocks[actor]);
	races->clocks[actor].at[actor]++;
	races->started[actor] = pc_of(q);
}

void races_waited(struct races *races, const struct qpu *q, bool store)
{
	join(&races->clocks[q->number], &races->clocks[engine(q->number, store)]);
}

static struct v3dsim_race_side side(unsigned int actor, uint32_t pc, bool write)
{
	return (struct v3dsim_race_side){ .qpu = actor % V3D_QPUS, .address = pc,
					  .transfer = actor >= STORES, .write = write };
}

/* A pair of instructions is told once */
static void report(struct races *races, const struct access *before, const struct touch *now)
{
	unsigned int i;

	for (i = 0; i < races->count; i++) {
		const struct v3dsim_race *known = &races->found[i];

		if (known->vpm == now->vpm && known->sides[0].address == before->pc &&
		    known->sides[1].address == now->pc)
			return;
	}
	if (i == V3DSIM_RACES)
		return;
	races->found[races->count++] = (struct v3dsim_race){
		.vpm = now->vpm,
		.place = now->place,
		.sides = { side(before->actor, before->pc, before->write),
			   side(now->actor, now->pc, now->write) },
	};
}

/* Return: its index; 0: out of memory */
static uint32_t new_access(struct races *races)
{
	uint32_t index = races->free, room;
	struct access *accesses;

	if (index) {
		races->free = races->accesses[index].next;
		return index;
	}
	if (races->access_count >= races->access_room) {
		room = races->access_room ? 2 * races->access_room : FIRST_CELLS;
		accesses = room > MOST_ACCESSES ? NULL : realloc(races->accesses,
								 room * sizeof(*accesses));
		if (!accesses) {
			races->missed = true;
			return 0;
		}
		races->accesses = accesses;
		races->access_room = room;
	}
	return races->access_count++;
}

/* Does the new access stand for that one, too, in what comes later? */
static bool replaces(const struct touch *now, const struct access *before)
{
	return !(before->mask & ~now->mask) &&
	       (now->write || (before->actor == now->actor && !before->write));
}

/* The accesses that matter to later ones, with one more */
static void touch(struct races *races, uint32_t *first, const struct touch *now)
{
	const struct clock *clock = &races->clocks[now->actor];
	uint32_t *link = first, index;
	struct access *access;

	while ((index = *link)) {
		access = &races->accesses[index];
		if (access->mask & now->mask && (access->write || now->write) &&
		    access->time > clock->at[access->actor])
			report(races, access, now);
		if (replaces(now, access)) {
			*link = access->next;
			access->next = races->free;
			races->free = index;
		} else {
			link = &access->next;
		}
	}
	index = new_access(races);
	if (!index)
		return;
	races->accesses[index] = (struct access){
		.next = *first, .time = clock->at[now->actor], .pc = now->pc,
		.actor = now->actor, .mask = now->mask, .write = now->write,
	};
	*first = index;
}

/* A cell for that key, perhaps a free one */
static struct cell *probe(struct cell *cells, uint32_t room, uint32_t key)
{
	uint32_t at = key * 0x9e3779b1u & (room - 1);

	while (cells[at].key && cells[at].key != key)
		at = (at + 1) & (room - 1);
	return &cells[at];
}

static bool grow(struct races *races)
{
	const uint32_t room = races->cell_room ? 2 * races->cell_room : FIRST_CELLS;
	struct cell *cells = room > MOST_CELLS ? NULL : calloc(room, sizeof(*cells));

	if (!cells) {
		races->missed = true;
		return false;
	}
	for (uint32_t i = 0; i < races->cell_room; i++)
		if (races->cells[i].key)
			*probe(cells, room, races->cells[i].key) = races->cells[i];
	free(races->cells);
	races->cells = cells;
	races->cell_room = room;
	return true;
}

static void touch_memory(struct races *races, const struct touch *now)
{
	const uint32_t key = (now->place & ~3u) | 1;
	struct cell *cell;

	/* three quarters of the table at most, so that searches are short */
	if (4 * races->cell_count >= 3 * races->cell_room && !grow(races))
		return;
	cell = probe(races->cells, races->cell_room, key);
	races->cell_count += !cell->key;
	cell->key = key;
	touch(races, &cell->first, now);
}

static const struct qpu *qpu_of(const struct vpm_port *port)
{
	return (const void *)((const char *)port - offsetof(struct qpu, port));
}

static uint8_t bytes_of(uint32_t mask)
{
	uint8_t bytes = 0;

	for (unsigned int i = 0; i < 4; i++)
		bytes |= !!(mask >> 8 * i & 0xff) << i;
	return bytes;
}

static void touch_vpm(struct races *races, unsigned int actor, uint32_t pc, unsigned int word,
		      uint32_t mask, bool write)
{
	const struct touch now = { .actor = actor, .pc = pc, .mask = bytes_of(mask),
				   .write = write, .vpm = true, .place = word };

	if (word < VPM_WORDS)
		touch(races, &races->vpm[word], &now);
}

void races_vpm(struct races *races, const struct vpm_port *port, unsigned int word, uint32_t mask,
	       bool write)
{
	const struct qpu *q = qpu_of(port);

	touch_vpm(races, q->number, pc_of(q), word, mask, write);
}

void races_vpm_transfer(struct races *races, const struct vpm_port *port, bool store,
			unsigned int word, uint32_t mask)
{
	const unsigned int actor = engine(qpu_of(port)->number, store);

	touch_vpm(races, actor, races->started[actor], word, mask, !store);
}

void races_memory_transfer(struct races *races, const struct vpm_port *port, bool store,
			   uint32_t address, uint32_t bytes)
{
	const unsigned int actor = engine(qpu_of(port)->number, store);
	struct touch now = { .actor = actor, .pc = races->started[actor], .write = store };

	while (bytes) {
		const uint32_t skip = address & 3, n = bytes < 4 - skip ? bytes : 4 - skip;

		now.place = address;
		now.mask = ((1u << n) - 1) << skip;
		touch_memory(races, &now);
		address += n;
		bytes -= n;
	}
}

void races_gather(struct races *races, const struct qpu *q, const struct lanes *addresses)
{
	struct touch now = { .actor = q->number, .pc = pc_of(q), .mask = 15 };

	for (unsigned int n = 0; n < V3D_QPU_LANES; n++) {
		now.place = addresses->lane[n] & ~3u;
		touch_memory(races, &now);
	}
}

unsigned int races_tell(struct races *races, struct v3dsim_race *out, bool *missed)
{
	const unsigned int count = races->count;

	memcpy(out, races->found, count * sizeof(*out));
	*missed = races->missed;
	races->count = 0;
	races->missed = false;
	return count;
}
