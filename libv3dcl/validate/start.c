// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Hardware starts: the only writes to the V3D's registers that make it run something, in their
 * order, with the table of the guide that asks for them.
 *
 * A job is started by v3dcl_clear_caches(), then v3dcl_start_counters() if it has a perfmon, then
 * v3dcl_start_list() or v3dcl_start_programs(). If the driver's own programs must scrub something
 * before, they come between the first two: no perfmon counts them.
 */
#include "ioctl.h"
#include "start.h"

/* SRQUL: a length above 1023 is no limit (AG100 Table 67) */
#define UNIFORMS_UNLIMITED 1024u

static __u32 read_reg(const struct v3dcl_hw *hw, enum v3d_reg reg)
{
	return hw->read(hw->v3d, reg);
}

static void write_reg(const struct v3dcl_hw *hw, enum v3d_reg reg, __u32 value)
{
	hw->write(hw->v3d, reg, value);
}

static void clear_l2_cache(const struct v3dcl_hw *hw)
{
	write_reg(hw, V3D_L2CACTL, V3D_SET(L2CACTL, L2CCLR, 1) | V3D_SET(L2CACTL, L2CENA, 1));
}

/**
 * v3dcl_power_up() - what must hold before the first job
 * @hw: that has just got power
 *
 * Firmware may have used the V3D and left it as it was (HW): memory for the binner, reserved QPUs,
 * VPM allocation limits, disabled features, running counters. VPMBASE can only be written while
 * nothing vertex-like has run since power on (AG100 Table 69), so user programs get their part of
 * the VPM for ever: 256 bytes a unit.
 */
void v3dcl_power_up(const struct v3dcl_hw *hw)
{
	write_reg(hw, V3D_BPOA, 0);
	write_reg(hw, V3D_BPOS, 0);
	write_reg(hw, V3D_BXCF, 0);
	write_reg(hw, V3D_SQRSV0, 0);
	write_reg(hw, V3D_SQRSV1, 0);
	write_reg(hw, V3D_VPACNTL, 0);
	write_reg(hw, V3D_PCTRE, 0);
	write_reg(hw, V3D_VPMBASE, V3D_SET(VPMBASE, VPMURSV, V3DCL_USER_VPM_ROWS * 64 / 256));
	clear_l2_cache(hw);
}

/* The thread runs no list, and has not stopped with an error (AG100 Table 49) */
static bool thread_stands(const struct v3dcl_hw *hw, __u32 thread)
{
	__u32 status = read_reg(hw, V3D_CTNCS(thread));

	return !V3D_GET(status, CTCS, CTRUN) && !V3D_GET(status, CTCS, CTERR);
}

/**
 * v3dcl_stands() - does nothing run, and nothing wait for what will not come?
 * @hw: on which nothing has been started since it got power
 * Return: true if neither lists, binner, renderer nor user programs are at work (AG100 Tables 49,
 * 55 and 68)
 */
bool v3dcl_stands(const struct v3dcl_hw *hw)
{
	__u32 programs = read_reg(hw, V3D_SRQCS), pipeline = read_reg(hw, V3D_PCS);

	return thread_stands(hw, V3DCL_THREAD_BIN) && thread_stands(hw, V3DCL_THREAD_RENDER) &&
	       !V3D_GET(pipeline, PCS, BMACTIVE) && !V3D_GET(pipeline, PCS, RMACTIVE) &&
	       !V3D_GET(programs, SRQCS, QPURQL) &&
	       V3D_GET(programs, SRQCS, QPURQCM) == V3D_GET(programs, SRQCS, QPURQCC);
}

/**
 * v3dcl_clear_caches() - what the V3D reads from here on is what is in memory
 * @hw: on which other jobs may run
 *
 * Everything that it caches may have been written since: by the CPU, by the tile buffer, by VPM
 * DMA, by another device. Nothing keeps the caches coherent. The L2 cache comes first, since those
 * of the slices are filled from it (AG100 Tables 71 and 72). Clearing them while something else
 * runs costs that some time, and nothing else: they hold no data of their own.
 */
void v3dcl_clear_caches(const struct v3dcl_hw *hw)
{
	clear_l2_cache(hw);
	write_reg(hw, V3D_SLCACTL, V3D_MASK(SLCACTL, T1CCS) | V3D_MASK(SLCACTL, T0CCS) |
		  V3D_MASK(SLCACTL, UCCS) | V3D_MASK(SLCACTL, ICCS));
}

/**
 * v3dcl_clear_tile_state() - what a frame's binner begins with
 * @tiles: that the frame's own bin list names; no list runs that does. None of raw lists, which
 *	bring theirs: @state_bytes is 0
 *
 * At each launch, that of a repeated job too: the bit of Tile Binning Mode that is to initialise
 * the array does not do it, and the binner acts on what it finds there (HW).
 */
void v3dcl_clear_tile_state(const struct v3dcl_tile_memory *tiles)
{
	if (tiles->state_bytes)
		__builtin_memset(tiles->state_cpu, 0, tiles->state_bytes);
}

/**
 * v3dcl_start_list() - a thread runs a control list
 * @hw: whose caches are clear; the thread stands
 * @thread: V3DCL_THREAD_BIN or V3DCL_THREAD_RENDER
 * @start: address of the first record
 * @end: address after the last one
 *
 * The thread may have ended before this returns. Writing the end starts it, if the current address
 * was written while it stood (AG100 Tables 50 and 51). Overspill memory that the binner was given
 * and did not take is another job's, so it is taken back before (AG100 Tables 60 and 61).
 */
void v3dcl_start_list(const struct v3dcl_hw *hw, __u32 thread, __u32 start, __u32 end)
{
	if (thread == V3DCL_THREAD_BIN) {
		write_reg(hw, V3D_BPOA, 0);
		write_reg(hw, V3D_BPOS, 0);
	}
	write_reg(hw, V3D_CTNCA(thread), start);
	write_reg(hw, V3D_CTNEA(thread), end);
}

/* Does OUTOMEM stand, and its cause? A latch whose cause is over is cleared. */
static bool out_of_memory(const struct v3dcl_hw *hw)
{
	if (!V3D_GET(read_reg(hw, V3D_INTCTL), INTCTL, OUTOMEM))
		return false;
	write_reg(hw, V3D_INTCTL, V3D_SET(INTCTL, OUTOMEM, 1));
	return V3D_GET(read_reg(hw, V3D_INTCTL), INTCTL, OUTOMEM);
}

/**
 * v3dcl_binner_stands() - does the binner stand for lack of memory?
 * @hw: while a bin list runs
 *
 * OUTOMEM may be raised by one that has memory left, or has not begun (?).
 */
bool v3dcl_binner_stands(const struct v3dcl_hw *hw)
{
	return V3D_GET(read_reg(hw, V3D_PCS), PCS, BMOOM);
}

/**
 * v3dcl_binner_wish() - does the binner want memory that it was not given yet?
 * @hw: while a bin list runs
 *
 * It halts with BMOOM set (AG100 Table 55). It may raise its interrupt before, while it still has
 * some (?), or have it raised until it was given some for the first time (?): memory that it is
 * given early does no harm. What it was given takes effect late, and BMOOM falls later than the
 * write (HW); until then BPOS tells that it was given.
 *
 * The latch of OUTOMEM stays set while its cause stands (AG100 "Pipeline Interrupt Control"), and
 * after that until it is cleared, so one that is set tells nothing: it counts if it cannot be
 * cleared. Where clearing takes back an early one for ever (?), BMOOM follows, and no interrupt
 * may: who has seen OUTOMEM once looks again until the list ends.
 * Return: what it waits for
 */
enum v3dcl_binner_wish v3dcl_binner_wish(const struct v3dcl_hw *hw)
{
	bool wanted = out_of_memory(hw);

	if (!wanted && !v3dcl_binner_stands(hw))
		return V3DCL_BINNER_NOTHING;
	return read_reg(hw, V3D_BPOS) ? V3DCL_BINNER_PATIENCE : V3DCL_BINNER_MEMORY;
}

/**
 * v3dcl_binner_reaches() - is that in the window of the running bin list's tile lists?
 * @hw: while a bin list runs
 * @address: of memory that lies within one window
 *
 * Raw lists begin with memory of their own, which may lie anywhere. BPCA is behind what the binner
 * has used (AG100 Table 58), once it has begun: before, it is what another list has left.
 */
bool v3dcl_binner_reaches(const struct v3dcl_hw *hw, __u32 address)
{
	return ((read_reg(hw, V3D_BPCA) - 1) ^ address) >> V3DCL_WINDOW_SHIFT == 0;
}

/**
 * v3dcl_feed_binner() - give the binner memory that it waits for
 * @hw: of which v3dcl_binner_wish() is V3DCL_BINNER_MEMORY
 * @address: that v3dcl_binner_reaches(), a multiple of 256
 * @size: bytes, not 0. Its write ends the binner's wait (AG100 Table 55, BMOOM)
 *
 * The interrupt that asked for it is over after that, and not before: its latch stays set while its
 * cause stands. One that takes effect late leaves it set; v3dcl_binner_wish() sees to that.
 */
void v3dcl_feed_binner(const struct v3dcl_hw *hw, __u32 address, __u32 size)
{
	write_reg(hw, V3D_BPOA, address);
	write_reg(hw, V3D_BPOS, size);
	write_reg(hw, V3D_INTCTL, V3D_SET(INTCTL, OUTOMEM, 1));
}

/* Writing the program's address is the request (AG100 Table 65): what it takes stands before */
static void request(const struct v3dcl_hw *hw, const struct v3dcl_run *run)
{
	__u32 count = run->uniform_count < UNIFORMS_UNLIMITED ? run->uniform_count :
								UNIFORMS_UNLIMITED;

	write_reg(hw, V3D_SRQUA, run->uniforms);
	write_reg(hw, V3D_SRQUL, V3D_SET(SRQUL, QPURQUL, count));
	write_reg(hw, V3D_SRQPC, run->code);
}

/* A request more than the queue holds is lost (AG100 Table 65) */
static void feed(const struct v3dcl_hw *hw, struct v3dcl_batch *batch, __u32 queued)
{
	for (; queued < V3D_USER_QUEUE && batch->fed < batch->count; queued++, batch->fed++)
		request(hw, &batch->runs[batch->fed]);
}

/**
 * v3dcl_start_programs() - the request queue gets the first programs of a batch
 * @hw: whose caches are clear, and whose request queue is empty
 * @batch: with its runs and their count
 *
 * What SRQCS counts begins anew with it (AG100 Table 68).
 */
void v3dcl_start_programs(const struct v3dcl_hw *hw, struct v3dcl_batch *batch)
{
	write_reg(hw, V3D_SRQCS, V3D_SET(SRQCS, QPURQCC, 1) | V3D_SET(SRQCS, QPURQCM, 1) |
		  V3D_SET(SRQCS, QPURQERR, 1) | V3D_SET(SRQCS, QPURQL, 1));
	batch->fed = 0;
	batch->done = 0;
	batch->completed = 0;
	feed(hw, batch, 0);
}

/**
 * v3dcl_advance_programs() - count what has ended, request what there is room for
 * @hw: where v3dcl_start_programs() has started the batch, the last one to use the request queue
 * @batch: all of it has ended once @done is @count
 *
 * The count of SRQCS is 8 bits wide (AG100 Table 68). No more are under way than queue and QPUs
 * hold, so it does not come round between two calls; and what tells of more is no count, but what
 * a V3D reads that is dead. Nothing is believed of it.
 * Return: how many have ended since the last call
 */
__u32 v3dcl_advance_programs(const struct v3dcl_hw *hw, struct v3dcl_batch *batch)
{
	__u32 status = read_reg(hw, V3D_SRQCS);
	__u8 completed = V3D_GET(status, SRQCS, QPURQCC);
	__u8 ended = completed - batch->completed;

	if (ended > batch->fed - batch->done)
		return 0;
	batch->completed = completed;
	batch->done += ended;
	feed(hw, batch, V3D_GET(status, SRQCS, QPURQL));
	return ended;
}

/**
 * v3dcl_start_counters() - counters begin at 0
 * @hw: on which no counters run
 * @sources: enum v3d_counter, that v3dcl_perfmon_valid()
 * @count: of @sources
 *
 * The block counts only with bit 31 of PCTRE set (HW); below are a bit a counter (AG100 Table 84).
 * They are cleared once they count: while PCTRE is off, PCTRC may have no effect (?).
 */
void v3dcl_start_counters(const struct v3dcl_hw *hw, const __u8 *sources, __u32 count)
{
	__u32 mask = (1u << count) - 1, i;

	for (i = 0; i < count; i++)
		write_reg(hw, V3D_PCTRSN(i), sources[i]);
	write_reg(hw, V3D_PCTRE, V3D_SET(PCTRE, ENABLE, 1) | V3D_SET(PCTRE, CTEN, mask));
	write_reg(hw, V3D_PCTRC, V3D_SET(PCTRC, CTCLR, mask));
}

/**
 * v3dcl_add_counters() - what was counted
 * @hw: on which v3dcl_start_counters() has started them
 * @values: as many as @count; the counts are added to them
 * @count: of counters
 *
 * Counts are 32 bits wide. A job that makes one wrap twice does not exist within the time limit.
 */
void v3dcl_add_counters(const struct v3dcl_hw *hw, __u64 *values, __u32 count)
{
	__u32 i;

	for (i = 0; i < count; i++)
		values[i] += read_reg(hw, V3D_PCTRN(i));
}

/* Nothing counts any more (AG100 Table 84) */
void v3dcl_stop_counters(const struct v3dcl_hw *hw)
{
	write_reg(hw, V3D_PCTRE, 0);
}

/**
 * v3dcl_read_hang_state() - the registers that GET_HANG_STATE tells
 * @hw: that hangs
 * @state: the registers in it are set, the rest stays
 */
void v3dcl_read_hang_state(const struct v3dcl_hw *hw, struct drm_vc4_get_hang_state *state)
{
	state->ct0ca = read_reg(hw, V3D_CT0CA);
	state->ct0ea = read_reg(hw, V3D_CT0EA);
	state->ct1ca = read_reg(hw, V3D_CT1CA);
	state->ct1ea = read_reg(hw, V3D_CT1EA);
	state->ct0cs = read_reg(hw, V3D_CT0CS);
	state->ct1cs = read_reg(hw, V3D_CT1CS);
	state->ct0ra0 = read_reg(hw, V3D_CT0RA0);
	state->ct1ra0 = read_reg(hw, V3D_CT1RA0);
	state->bpca = read_reg(hw, V3D_BPCA);
	state->bpcs = read_reg(hw, V3D_BPCS);
	state->bpoa = read_reg(hw, V3D_BPOA);
	state->bpos = read_reg(hw, V3D_BPOS);
	state->vpmbase = read_reg(hw, V3D_VPMBASE);
	state->dbge = read_reg(hw, V3D_DBGE);
	state->fdbgo = read_reg(hw, V3D_FDBGO);
	state->fdbgb = read_reg(hw, V3D_FDBGB);
	state->fdbgr = read_reg(hw, V3D_FDBGR);
	state->fdbgs = read_reg(hw, V3D_FDBGS);
	state->errstat = read_reg(hw, V3D_ERRSTAT);
}
