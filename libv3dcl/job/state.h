/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * What holds before an instruction of a QPU program. Most registers hold what nothing is known of, or what nobody has written:
 * these are a bit each, so that a state is copied and joined in a few words, and values are only looked at where there are any.
 */
#ifndef V3DCL_JOB_STATE_H
#define V3DCL_JOB_STATE_H

#include <v3d/qpu.h>

#include "value.h"

/* Where values are kept: register files, accumulators r0 to r5, words given to VDR and VDW */
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

/* Places are bits of so many words: file A, file B, all else */
#define V3DCL_BANKS 3

#define V3DCL_LOST (~(__u32)0)

/* W in file A, Z in file B, when a fragment shader starts: AG100 Table 29 */
#define V3DCL_PAYLOAD 15

/**
 * struct v3dcl_state - what holds before an instruction
 * @plain: places whose value is unknown, and the program's own
 * @held: places whose value is in @value; what is neither plain nor held nobody has written
 * @late: registers and accumulators that the instruction before wrote: reading a register gives the old value or the new one, or
 *	neither
 * @late_bad: of @late, registers whose old value is not the program's
 * @cursor: index of the next uniform, V3DCL_LOST if paths differ
 * @flags: V3DCL_WRITTEN's bits 0 (set on every path, in all elements) and 4
 * @sfu_left: instructions for which r4 must not be touched
 * @reset_left: instructions for which no uniform may be read
 * @vpm_early: instructions for which only the first @vpm_old values may be read
 * @vpm_left: values that are set up to be read, the first @vpm_old of them not just now
 * @vpm_write: a VPM write set-up is there
 * @tmu: requests whose results have not been loaded, of each TMU
 * @mutex: held
 * @load_pending: a VDR transfer may be under way
 * @store_pending: VDW
 * @interrupted: HOST_INT may have been written
 * @payload: a bit for A, a bit for B: register 15 still holds what a fragment comes with
 * @semaphores: raised by so much
 * @value: of each place that is held
 */
struct v3dcl_state {
	__u32 plain[V3DCL_BANKS], held[V3DCL_BANKS];
	__u32 late[V3DCL_BANKS], late_bad[V3DCL_BANKS];
	__u32 cursor;
	__u8 flags, sfu_left, reset_left, vpm_early;
	__u8 vpm_left, vpm_old, vpm_write, payload;
	__u8 tmu[2], mutex, load_pending, store_pending, interrupted;
	__s8 semaphores[V3D_QPU_SEMAPHORES];
	struct v3dcl_number value[V3DCL_PLACES];
};

extern const struct v3dcl_number v3dcl_plain, v3dcl_nothing;

static inline bool v3dcl_place_in(const __u32 *banks, __u32 place)
{
	return banks[place / 32] >> place % 32 & 1;
}

static inline const struct v3dcl_number *v3dcl_value(const struct v3dcl_state *s, __u32 place)
{
	if (v3dcl_place_in(s->plain, place))
		return &v3dcl_plain;
	return v3dcl_place_in(s->held, place) ? &s->value[place] : &v3dcl_nothing;
}

static inline void v3dcl_set_plain(struct v3dcl_state *s, __u32 place)
{
	s->plain[place / 32] |= 1u << place % 32;
	s->held[place / 32] &= ~(1u << place % 32);
}

void v3dcl_set_value(struct v3dcl_state *s, __u32 place, const struct v3dcl_number *value);
void v3dcl_copy_state(struct v3dcl_state *to, const struct v3dcl_state *from);

#endif /* V3DCL_JOB_STATE_H */
