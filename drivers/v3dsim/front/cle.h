/* SPDX-License-Identifier: MIT */
/*
 * The control list executor: thread 0 bins, thread 1 renders (AG100 Sections 8 and 9, Tables 38 and
 * 49 to 57).
 */
#ifndef V3DSIM_CLE_H
#define V3DSIM_CLE_H

#include <v3d/packets.h>

#include "core/fault.h"
#include "core/result.h"
#include "v3dsim.h"

#define CLE_THREADS 2
#define CLE_NESTING 2		/* AG100 Table 38, record 17 */
#define CLE_SEMAPHORE_MAX 7	/* CTSEMA has 3 bits */

/* The longest record without what may follow it: 112 */
#define CLE_RECORD_MAX V3D_TILE_BINNING_MODE_LENGTH

/**
 * enum cle_slot - state that records set and that goes along with primitives, in the order in which
 * it is written into tile lists: a list format is recognised when a shader state follows (AG100 p.
 * 65)
 */
enum cle_slot {
	CLE_FORMAT, CLE_SHADER, CLE_CONFIGURATION, CLE_FLAT_SHADE, CLE_POINT_SIZE, CLE_LINE_WIDTH,
	CLE_RHT_X, CLE_DEPTH_OFFSET,
	CLE_CLIP_WINDOW, CLE_VIEWPORT, CLE_Z_PLANES,
	CLE_TILE_SLOTS,		/* those above reach tile lists, those below are the binner's own */
	CLE_CLIPPER_XY = CLE_TILE_SLOTS, CLE_CLIPPER_Z,
	CLE_SLOTS
};

/**
 * struct cle_state - what state records said
 * @record: the latest record of each slot, whole; an id of 0 is none
 * @serial: counts changes since record 6
 * @changed: its value at a slot's latest change; 0: before record 6
 * @updates: what the binner counts: the first update after record 6 or a draw, no further ones;
 *	@counted: that one came
 * @spoilt: a bit a slot, for which tile lists get something else (HW-2116)
 */
struct cle_state {
	uint8_t record[CLE_SLOTS][CLE_RECORD_MAX];
	uint32_t serial;
	uint32_t changed[CLE_SLOTS];
	uint32_t updates, spoilt;
	bool counted;
};

/* Record 6: changes count from here */
void cle_state_start(struct cle_state *state);

/* What comes when all tiles are done, a bit each: the frame's end, the list's, an error */
#define CLE_ENDS_FRAME 1u
#define CLE_ENDS_LIST 2u
#define CLE_ENDS_WITH_ERROR 4u

/**
 * struct cle_thread - one control thread
 * @ca: CTnCA: the current record; @ea: CTnEA
 * @ra: return addresses, @depth of them
 * @run: CTRUN
 * @halted: CTSUBS while stopped
 * @stalled: CTSUBS while running: waits for the other thread
 * @error: CTERR
 * @prefixing: CTMODE
 * @flushes: CTLLCM
 * @returns: CTLSLCS
 * @primitives: CTnPC
 * @semaphore: CTSEMA, what the other thread's record 7 counts up
 * @owed: increments for the other thread that wait for the flush, or for the last tile
 * @address_epoch: counts whatever else than executing changes @ca
 * @inside: the record at @ca is being worked through
 * @cut: its index list led to @ea, and the thread stops with it (list-end)
 * @ending: CLE_ENDS_*, thread 1; @held: the error
 * @state: what state records said last
 */
struct cle_thread {
	uint32_t ca, ea, ra[CLE_NESTING];
	unsigned int depth;
	bool run, halted, stalled, error, prefixing;
	uint16_t flushes, returns;
	uint32_t primitives;
	unsigned int semaphore, owed;
	uint32_t address_epoch;
	bool inside, cut;
	unsigned int ending;
	struct fault held;
	struct cle_state state;
};

struct cle {
	struct cle_thread threads[CLE_THREADS];
};

uint32_t cle_read(struct v3dsim *sim, uint32_t reg);
void cle_write(struct v3dsim *sim, uint32_t reg, uint32_t value);

/**
 * cle_run() - lets a thread execute records
 * @thread: 0 or 1
 * @budget: records, at most; a record that does much counts as several
 * Return: what was spent; 0: the thread is stopped or cannot go on
 */
uint64_t cle_run(struct v3dsim *sim, unsigned int thread, uint64_t budget);

/**
 * cle_flushed() - the binner has flushed its lists, or the frame is over: increments that waited
 * happen
 */
void cle_flushed(struct v3dsim *sim, unsigned int thread);

/**
 * cle_tile_failed() - the rendering thread stops with an error, which is reported, where it was
 * when a tile was written down
 */
void cle_tile_failed(struct v3dsim *sim, uint32_t ca, const uint32_t *ra, unsigned int depth);

/* Is CTERR set in either thread? */
bool cle_stopped_with_error(const struct v3dsim *sim);

/* A thread runs, though it may not be able to go on */
bool cle_waiting(const struct v3dsim *sim);

void cle_reset(struct v3dsim *sim);

#endif /* V3DSIM_CLE_H */
