/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * An abstract state: what holds before an instruction of a QPU program. It has an abstract value
 * (verify_value.h) for each place that can hold one. Of most places nothing is known, or the
 * program has not written them: these are a bit each, so that a state is copied and joined in a few
 * words, and values are only looked at where there are any.
 */
#ifndef V3DCL_VALIDATE_VERIFY_STATE_H
#define V3DCL_VALIDATE_VERIFY_STATE_H

#include <v3d/qpu.h>

#include "verify_value.h"

/* Places that hold values: register files, accumulators r0 to r5, words given to VDR and VDW */
enum {
	V3DCL_FILE_A = 0,
	V3DCL_FILE_B = 32,
	V3DCL_ACC = 64,
	V3DCL_SETUP = 70,
	V3DCL_LOAD_SETUP = V3DCL_SETUP,
	V3DCL_LOAD_STRIDE,
	V3DCL_STORE_SETUP,
	V3DCL_STORE_STRIDE,
	V3DCL_PLACES,
	V3DCL_NOWHERE = 255
};

/**
 * struct v3dcl_places - some of the places
 * @files: a bit a register, of file A from bit 0 on, of file B from bit 32 on
 * @rest: a bit for each further place, from V3DCL_ACC on
 */
struct v3dcl_places {
	__u64 files, rest;
};

#define V3DCL_LOST (~(__u32)0)

/* W in file A, Z in file B, when a fragment shader starts: AG100 Table 29 */
#define V3DCL_PAYLOAD 15
#define V3DCL_PAYLOADS \
	((__u64)1 << (V3DCL_FILE_A + V3DCL_PAYLOAD) | (__u64)1 << (V3DCL_FILE_B + V3DCL_PAYLOAD))

/**
 * struct v3dcl_comparison - what the flags were set by: in each element, by a difference
 * @place: of minuend and subtrahend, a register or one of r0 to r3; V3DCL_NOWHERE for a number
 * @known: it is so; else all is 0
 * @number: see @place
 */
struct v3dcl_comparison {
	__u8 place[2], known;
	__u32 number;
};

/**
 * struct v3dcl_state - what holds before an instruction
 * @must_initialised: places that the program has written on every path, in all elements, to the
 *	last byte
 * @may_initialised: places that are written all over on some path or in some elements; of those in
 *	@must_initialised it says nothing
 * @held: places whose value is in @value. Of the others, nothing is known of what is written, and
 *	the rest is not written
 * @late: registers and accumulators that the instruction before wrote: reading a register gives the
 *	old value or the new one, or neither
 * @late_bad: of @late, registers whose old value is not the program's
 * @cursor: index of the next uniform, V3DCL_LOST if paths differ
 * @cursor_lost: where, as &struct v3dcl_refusal.lost has it
 * @flags: bits 0 (set on every path, in all elements) and 4 of V3DCL_INITIALISED
 * @sfu_left: instructions for which r4 must not be touched
 * @reset_left: instructions for which no uniform may be read
 * @vpm_early: instructions for which only the first @vpm_old values may be read
 * @vpm_left: values that are set up to be read
 * @vpm_old: how many of them are not set up just now: the first ones
 * @vpm_write: a VPM write set-up is there
 * @tmu: requests whose results have not been loaded, of each TMU
 * @tmu_new: how many of them the thread has made since it last ran again after a switch
 * @tmu_values: how many values they have, four bits a request, the oldest lowest
 * @mutex: held
 * @load_pending: a VDR transfer may be under way
 * @store_pending: VDW
 * @interrupted: HOST_INT may have been written
 * @payload: registers 15, of both files, that still hold what a fragment comes with
 * @varyings: read so far
 * @flags_taint: of what the flags were set by: see v3dcl_taint()
 * @comparison: of places that were not written since
 * @semaphores: raised by so much
 * @value: of each place that is held
 */
struct v3dcl_state {
	struct v3dcl_places must_initialised, may_initialised, held, late;
	__u64 late_bad, payload, flags_taint;
	__u32 cursor, cursor_lost, varyings;
	__u32 tmu_values[2];
	__u8 flags, sfu_left, reset_left, vpm_early;
	__u8 vpm_left, vpm_old, vpm_write;
	__u8 tmu[2], tmu_new[2], mutex, load_pending, store_pending, interrupted;
	struct v3dcl_comparison comparison;
	__s8 semaphores[V3D_QPU_SEMAPHORES];
	struct v3dcl_abstract_value value[V3DCL_PLACES];
};

/**
 * struct v3dcl_result - what an ALU puts out
 * @value: what is known of it
 * @place: that it goes to, or V3DCL_NOWHERE
 * @bytes: that are written there, a bit each
 * @condition: under which they are
 */
struct v3dcl_result {
	struct v3dcl_abstract_value value;
	__u8 place, bytes, condition;
};

/* What nothing is known of, written in full, in part, or not at all */
extern const struct v3dcl_abstract_value v3dcl_initialised, v3dcl_may_initialised,
	v3dcl_uninitialised;

/**
 * v3dcl_lowest() - the lowest bit that is set
 * @bits: not 0
 *
 * Without the compiler's library, which 32-bit kernels have none of.
 */
static inline __u32 v3dcl_lowest(__u64 bits)
{
	return (__u32)bits ? __builtin_ctz((__u32)bits) : 32 + __builtin_ctz((__u32)(bits >> 32));
}

/**
 * v3dcl_is_in() - is a place in a set?
 * @set: of places
 * @place: below V3DCL_PLACES, see v3dcl_aim_result(); another one is in no set
 */
static inline bool v3dcl_is_in(const struct v3dcl_places *set, __u32 place)
{
	if (NEVER(place >= V3DCL_PLACES))
		return false;
	return place < V3DCL_ACC ? set->files >> place & 1 : set->rest >> (place - V3DCL_ACC) & 1;
}

/**
 * v3dcl_put_in() - put a place into a set, or take it out
 * @set: of places
 * @place: below V3DCL_PLACES, see v3dcl_aim_result(); of another one nothing comes
 * @in: it is in the set then
 */
static inline void v3dcl_put_in(struct v3dcl_places *set, __u32 place, bool in)
{
	if (NEVER(place >= V3DCL_PLACES))
		return;
	if (place < V3DCL_ACC)
		set->files = (set->files & ~((__u64)1 << place)) | (__u64)in << place;
	else
		set->rest = (set->rest & ~((__u64)1 << (place - V3DCL_ACC))) |
			    (__u64)in << (place - V3DCL_ACC);
}

/**
 * v3dcl_value_at() - the value that a place holds
 * @s: the state
 * @place: below V3DCL_PLACES
 */
static inline const struct v3dcl_abstract_value *v3dcl_value_at(const struct v3dcl_state *s,
								__u32 place)
{
	if (v3dcl_is_in(&s->held, place))
		return &s->value[place];
	if (v3dcl_is_in(&s->must_initialised, place))
		return &v3dcl_initialised;
	return v3dcl_is_in(&s->may_initialised, place) ? &v3dcl_may_initialised :
							 &v3dcl_uninitialised;
}

/**
 * v3dcl_end_comparison() - a place is written: flags say nothing of it any more
 * @s: the state
 * @place: below V3DCL_PLACES
 */
static inline void v3dcl_end_comparison(struct v3dcl_state *s, __u32 place)
{
	if (s->comparison.known &&
	    (s->comparison.place[0] == place || s->comparison.place[1] == place))
		s->comparison = (struct v3dcl_comparison){ 0 };
}

/**
 * v3dcl_set_initialised() - a place is written, with what nothing is known of
 * @s: the state
 * @place: below V3DCL_PLACES
 */
static inline void v3dcl_set_initialised(struct v3dcl_state *s, __u32 place)
{
	v3dcl_end_comparison(s, place);
	v3dcl_put_in(&s->must_initialised, place, true);
	v3dcl_put_in(&s->held, place, false);
}

void v3dcl_set_value(struct v3dcl_state *s, __u32 place, const struct v3dcl_abstract_value *value);
void v3dcl_copy_state(struct v3dcl_state *to, const struct v3dcl_state *from);
void v3dcl_aim_result(struct v3dcl_result *result, bool mul, __u32 waddr, bool ws, __u32 pack,
		      bool pm);
void v3dcl_store_result(struct v3dcl_state *s, const struct v3dcl_result *result,
			struct v3dcl_places *late, __u64 *late_bad);

#endif /* V3DCL_VALIDATE_VERIFY_STATE_H */
