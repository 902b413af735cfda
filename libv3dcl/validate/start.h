/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * How a job becomes register writes: all that the V3D is told so that it works, once for the module
 * and the emulated device. What they do themselves: interrupts, and when which job's turn is.
 */
#ifndef V3DCL_VALIDATE_START_H
#define V3DCL_VALIDATE_START_H

#include <drm/v3dcl_drm.h>
#include <v3d/regs.h>

#include "validate.h"

/**
 * struct v3dcl_hw - the registers of a V3D that has power
 * @read: a register of @v3d
 * @write: a register of @v3d. Writes arrive in the order in which they are made
 * @v3d: handed to both
 *
 * No function of this file keeps it, waits, or calls anything else. The caller sees to it that the
 * V3D has power until they return, and that no two of them run at once, unless they say otherwise.
 */
struct v3dcl_hw {
	__u32 (*read)(void *v3d, enum v3d_reg reg);
	void (*write)(void *v3d, enum v3d_reg reg, __u32 value);
	void *v3d;
};

void v3dcl_power_up(const struct v3dcl_hw *hw);
bool v3dcl_stands(const struct v3dcl_hw *hw);
void v3dcl_clear_caches(const struct v3dcl_hw *hw);

/* Control list threads: the n of CTnCA (AG100 Table 51) */
#define V3DCL_THREAD_BIN 0
#define V3DCL_THREAD_RENDER 1

void v3dcl_clear_tile_state(const struct v3dcl_tile_memory *tiles);
void v3dcl_start_list(const struct v3dcl_hw *hw, __u32 thread, __u32 start, __u32 end);

/*
 * HW: branches in tile lists carry so many bits of an address, so all tile lists of a frame and
 * what the binner is given later lie in one window of this size
 */
#define V3DCL_WINDOW_SHIFT 28

/* What the binner waits for: v3dcl_binner_wish() */
enum v3dcl_binner_wish {
	V3DCL_BINNER_NOTHING,
	V3DCL_BINNER_PATIENCE,	/* memory that it was given takes effect later (HW) */
	V3DCL_BINNER_MEMORY,
};

enum v3dcl_binner_wish v3dcl_binner_wish(const struct v3dcl_hw *hw);
bool v3dcl_binner_stands(const struct v3dcl_hw *hw);
bool v3dcl_binner_reaches(const struct v3dcl_hw *hw, __u32 address);
void v3dcl_feed_binner(const struct v3dcl_hw *hw, __u32 address, __u32 size);

/**
 * struct v3dcl_batch - programs for the request queue
 * @runs: in the order in which they are requested
 * @count: of @runs
 * @fed: so many are requested
 * @done: so many have ended
 * @completed: SRQCS.QPURQCC when last looked at
 *
 * The caller sets the first two; v3dcl_start_programs() and v3dcl_advance_programs() the others.
 */
struct v3dcl_batch {
	struct v3dcl_run *runs;
	__u32 count;
	__u32 fed, done;
	__u8 completed;
};

void v3dcl_start_programs(const struct v3dcl_hw *hw, struct v3dcl_batch *batch);
__u32 v3dcl_advance_programs(const struct v3dcl_hw *hw, struct v3dcl_batch *batch);

void v3dcl_start_counters(const struct v3dcl_hw *hw, const __u8 *sources, __u32 count);
void v3dcl_add_counters(const struct v3dcl_hw *hw, __u64 *values, __u32 count);
void v3dcl_stop_counters(const struct v3dcl_hw *hw);

void v3dcl_read_hang_state(const struct v3dcl_hw *hw, struct drm_vc4_get_hang_state *state);

#endif /* V3DCL_VALIDATE_START_H */
