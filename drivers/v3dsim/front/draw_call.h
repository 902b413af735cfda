/* SPDX-License-Identifier: MIT */
/* What the files that execute draw records share. */
#ifndef V3DSIM_DRAW_CALL_H
#define V3DSIM_DRAW_CALL_H

#include "draw.h"
#include "vcm.h"

/* A look at a thread's draw record in progress */
struct draw_call {
	struct v3dsim *sim;
	struct cle_thread *ct;
	struct draw *draw;
	struct vcm *vcm;
	unsigned int thread;
	enum v3dsim_unit unit;
	uint64_t *budget;
};

/* Reports a fault. Return: DRAW_ERROR */
enum draw_step draw_refuse(const struct draw_call *call, const char *what);

/**
 * draw_meets_end() - some bytes of an index list, VG list or compressed list hold the thread's end
 * address, and that stops it (list-end): the caller looks for no more primitives
 */
bool draw_meets_end(const struct draw_call *call, uint32_t address, uint32_t bytes);

/* Records 41 and 42 */
enum draw_step draw_vg_begin(const struct draw_call *call, const uint8_t *bytes, uint32_t next);

/* The next primitive of a VG list, to draw.word */
enum draw_step draw_vg_next(const struct draw_call *call);

/* Begins a compressed list: records 48 and 49 */
enum draw_step draw_list_begin(const struct draw_call *call, const uint8_t *bytes, uint32_t next);

/* The next primitive of a compressed list, to draw.word */
enum draw_step draw_list_next(const struct draw_call *call);

/* Replaces vertices of the primitive as record 49 says */
void draw_list_clip(const struct draw_call *call, struct primitive *primitive);

#endif /* V3DSIM_DRAW_CALL_H */
