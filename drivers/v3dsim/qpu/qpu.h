/* SPDX-License-Identifier: MIT */
/*
 * One QPU: its registers, its two threads, and the function that runs it.
 *
 * qpu_run() goes on from wherever the QPU stands, and can stop before any instruction: an
 * instruction either happens as a whole or not at all. It knows nothing of who else runs; qps
 * decides that.
 *
 * Time is counted in slots of 4 clocks, what an instruction takes. Waiting for a TMU's result moves
 * the QPU's own clock.
 *
 * What the guide leaves open, here:
 * - Registers, accumulators, flags and VPM set-ups are 0 when a program starts, so that a job gives
 *   the same bytes wherever it runs. With caches=model, where everything is as stale as on the
 *   chip, the first three are what the program before left.
 * - An instruction that reads a register file location which the previous one wrote gets the old
 *   value: there is no forwarding path.
 * - A condition has no say in writes to the register space beyond the accumulators (HW for TMU and
 *   VPM), but for "never", which switches the ALU off, and for the tile buffer's registers; a nop
 *   writes nothing.
 * - Holes of AG100 Table 14 read as the element number (A) or the QPU number (B), which the guide
 *   calls the default of unmapped locations. One instruction reads a uniform or a VPM vector once,
 *   whichever and however many of its ports name it.
 * - In a user program what belongs to fragment shaders reads as 0, is ignored when written, and
 *   counts as a broken rule.
 * - Uniforms past SRQUL's limit read as 0 and count as a broken rule; the limit counts words read,
 *   also after the pointer is moved.
 */
#ifndef V3DSIM_QPU_H
#define V3DSIM_QPU_H

#include <stdbool.h>
#include <stdint.h>

#include <v3d/qpu.h>

#include "core/lanes.h"
#include "tmu/tmu.h"
#include "alu.h"
#include "vpm.h"

struct compiled;
struct compiler;
struct v3dsim;

/*
 * Rules of AG100 "Summary of Instruction Restrictions", then others that programs must keep:
 * X(NAME, name, text)
 */
#define QPU_RULES(X) \
	X(END_ACCESS, end_access, \
	  "varyings, uniforms, VPM, VDR or VDW accessed in the last three instructions") \
	X(END_WRITE, end_write, "thread end writes a register file") \
	X(END_ADDRESS_14, end_address_14, "address 14 touched in the last three instructions") \
	X(END_TLB_Z, end_tlb_z, "TLB Z written by the last instruction") \
	X(NOSWAP, noswap, "TMU written less than three instructions after TMU_NOSWAP") \
	X(REGISTER_LATENCY, register_latency, \
	  "a register file location read that the previous instruction wrote") \
	X(SFU_R4, sfu_r4, "r4 touched in the two instructions after an SFU write") \
	X(ROTATE_R5, rotate_r5, "rotation by r5, which the previous instruction wrote") \
	X(ROTATE_ACCUMULATOR, rotate_accumulator, \
	  "rotation of an accumulator that the previous instruction wrote") \
	X(TLB_Z_MASK, tlb_z_mask, \
	  "multisample mask read in the two instructions after a TLB Z write") \
	X(PERIPHERALS, peripherals, "more than one closely coupled peripheral in one instruction") \
	X(SEMAPHORE_WRITE, semaphore_write, "TLB, TMU or SFU written by a semaphore instruction") \
	X(BRANCH_SLOTS, branch_slots, "fewer than two instructions between branches") \
	X(UNIFORMS_ADDRESS, uniforms_address, \
	  "uniform read in the two instructions after UNIFORMS_ADDRESS was written") \
	X(SAME_DESTINATION, same_destination, "both ALUs write the same accumulator or register") \
	X(TMU_UNIFORM, tmu_uniform, "uniform read beside a TMU write that takes one") \
	X(RESERVED, reserved, "reserved encoding") \
	X(FRAGMENT_ONLY, fragment_only, "what belongs to fragment shaders, in another program") \
	X(UNIFORM_LIMIT, uniform_limit, "uniform read past the end of the stream") \
	X(TMU_OUTSTANDING, tmu_outstanding, "more than four outstanding TMU requests") \
	X(VPM_EARLY, vpm_early, "VPM read in the three instructions after its set-up") \
	X(VPM_SETUP, vpm_setup, \
	  "VPM read set-up ignored: more than one value is still to be read") \
	X(VPM_OUTSIDE, vpm_outside, "VPM accessed outside the rows that VPMBASE reserves") \
	X(VPM_UNREAD, vpm_unread, "program ended before it read all it had set up") \
	X(HOST_INT_ZERO, host_int_zero, "HOST_INT written with zero") \
	X(ADDRESS, address, "instruction address not a multiple of 8")
#define QPU_RULE_CONSTANT(NAME, name, text) QPU_RULE_##NAME,
enum qpu_rule { QPU_RULES(QPU_RULE_CONSTANT) QPU_RULE_COUNT };

/*
 * What a program does to others, in sim_stats.left for who looks at it: it breaks no rule of the
 * guide's. X(NAME, text)
 */
#define QPU_LEFT(X) \
	X(VARYINGS, "a varying is read that the primitive does not have") \
	X(TMU, "a program ends before it has loaded, or asked for, all results of a TMU") \
	X(VPM, "a shader ends before it has read all VPM values that it has set up") \
	X(DMA, "a program ends, or sets up or starts DMA, while a transfer is under way") \
	X(MUTEX, "the mutex is released by who does not hold it, or held at a program's end") \
	X(HOST_INT, "a program raises the host interrupt more than once")
#define QPU_LEFT_CONSTANT(NAME, text) QPU_LEFT_##NAME,
enum qpu_left { QPU_LEFT(QPU_LEFT_CONSTANT) QPU_LEFT_COUNT };

/* Why qpu_run() returned */
enum qpu_outcome {
	QPU_ENDED,		/* the program is over, its delay slots done */
	QPU_STALLED,		/* cannot go on now: see qpu.stall */
	QPU_SWITCHED,		/* a thread switch's delay slots are done: see qpu_switch() */
	QPU_SPENT,		/* the budget, or the time */
	/* a memory access failed, or what is asked for is wrong: never goes on */
	QPU_FAULTED,
};

/**
 * enum qpu_kind - who a program belongs to: user programs, vertex or coordinate shaders, fragment
 * shaders
 */
enum qpu_kind { QPU_USER, QPU_VERTEX, QPU_FRAGMENT };

/* What a stalled QPU waits for */
enum qpu_stall {
	QPU_STALL_NONE,
	QPU_STALL_LOAD,		/* its VDR transfer: goes on by itself */
	QPU_STALL_STORE,	/* its VDW transfer: goes on by itself */
	QPU_STALL_MUTEX,
	QPU_STALL_SEMAPHORE_UP,
	QPU_STALL_SEMAPHORE_DOWN,
	QPU_STALL_VPM_EMPTY,	/* for ever, like all further ones */
	QPU_STALL_TMU_EMPTY,
	QPU_STALL_TMU_FULL,
	QPU_STALL_BREAKPOINT,
};

/* What a stalled QPU waits for, in words */
const char *qpu_stall_text(enum qpu_stall stall);

struct fragment;

/* Slots of qpu.regs: AG100 Table 14, then values on their way into the ALUs */
enum qpu_slot {
	QPU_FILE_A = 0,
	QPU_FILE_B = 32,
	QPU_ACC = 64,			/* r0 to r5 */
	QPU_PORT_A = QPU_ACC + 6,	/* what was read from the register space beyond the files */
	QPU_PORT_B,
	QPU_UNPACKED_A, QPU_UNPACKED_R4, QPU_ROTATED_A, QPU_ROTATED_B,
	/* what the last instruction overwrote in file A, then in file B */
	QPU_OLD,
	/* the 64 small immediates of AG100 Table 5: never written, nor are */
	QPU_IMMEDIATES = QPU_OLD + 2,
	/* where lanes come from in rotations by 0 to 15 within quads, then of all lanes */
	QPU_ROTATIONS = QPU_IMMEDIATES + 64,
	QPU_SLOTS = QPU_ROTATIONS + 2 * V3D_QPU_LANES
};

#define QPU_TARGETS 8	/* a thread's branch targets, by step */

/**
 * struct qpu_thread - what each of a QPU's two threads has for itself
 * @active: a program runs or is suspended in it
 * @pc: address of the next instruction
 * @due: what comes after more instructions, a byte each for branch, end, switch and SFU: bit n in n
 *	instructions
 * @targets: of branches, by @step
 * @step: counts instructions
 * @uniforms: address of the next uniform, 0 for none
 * @uniforms_left: how many may still be read; UINT32_MAX has no end
 * @hazards: what the next instruction, the one after it and the third must not do
 * @noswap: TMU_NOSWAP
 * @interrupted: HOST_INT was written
 */
struct qpu_thread {
	bool active;
	uint32_t pc, due, step;
	uint32_t targets[QPU_TARGETS];
	uint32_t uniforms, uniforms_left;
	uint32_t hazards[3];
	bool noswap, interrupted;
};

/**
 * struct qpu - a QPU
 * @regs: all vectors; the running thread sees its half of each file at the low addresses (thread 1
 *	swaps them)
 * @zero: Z flags, all ones or 0 a lane; @negative: N; @carry: C
 * @sfu: results on their way to r4, by step
 * @textures: set-ups of lookups, made ready: they follow from their words alone and stay
 * @last: elements 12 to 15 that each port read last
 * @written: the register file location that the last instruction wrote in A and in B, or QPU_SLOTS
 *	+ 1
 * @alu: the operations
 * @number: 0 to 11
 * @current: the running thread
 * @stall: what it waits for
 * @kind: of the program; @fragment: its fragments, fragment shaders only; @pixel_lanes: those of
 *	them that are the pixel whose trace is wanted
 * @running: a program is on it; @faulted: and will never go on; @touched: since the last reset
 * @now: the time, in slots; @until: where it stops for now
 */
struct qpu {
	struct lanes regs[QPU_SLOTS];
	struct lanes zero, negative, carry;
	struct lanes sfu[4];
	struct tmu_fifo tmu[2];
	struct tmu_texture textures[TMU_TEXTURES];
	const struct alu_table *alu;
	uint32_t last[2][4];
	uint8_t written[2];
	uint8_t number, current;
	enum qpu_stall stall;
	enum qpu_kind kind;
	struct fragment *fragment;
	uint16_t pixel_lanes;
	bool running, faulted, touched;
	uint64_t now, until;
	struct qpu_thread threads[2];
	struct vpm_port port;
};

/* An instruction, ready to execute: see qpu_decode.c */
struct qpu_op {
	uint64_t word;
	struct v3d_qpu_inst inst;
	alu_op add, mul;		/* NULL: writes nothing */
	alu_op pick;			/* alu_table.pick, if operands are rotated */
	uint8_t add_a, add_b, mul_a, mul_b;		/* slots */
	/* slots of the files that an ALU takes an operand from, or QPU_SLOTS */
	uint8_t read[2];
	uint8_t port[2];		/* slots that the ports read, QPU_SLOTS for none */
	uint8_t add_slot, mul_slot;	/* where results go, QPU_SLOTS: not to a vector */
	uint8_t add_io, mul_io;		/* or to this address of the register space, 0: none */
	uint8_t add_pack, mul_pack;	/* enum qpu_pack << 4 | mode */
	uint8_t old;			/* bits: 1 writes file A, 2 writes file B */
	uint8_t writes[2];		/* where in each, or QPU_SLOTS + 1 */
	/* false only before the first use of a place in the cache */
	bool valid;
	/* nothing but ALUs, immediates, files, accumulators and branches */
	bool plain;
	bool direct;			/* and results may go to their places at once */
	bool idle;			/* and there are none */
	bool prepares;			/* there is something to do before the ALUs' work */
	/* instructions that follow each other, this one the first; 0: to be looked at */
	uint8_t run;
	bool float_input;		/* what file A gives is unpacked to floats */
	uint8_t quick;			/* enum qpu_quick */
	bool only_mutex;		/* that it acquires is all that it can wait for */
	uint32_t flags;			/* QPU_OP_* */
	uint32_t conflicts;		/* hazards that it must not meet */
	uint32_t hazards[3];		/* that it leaves behind */
	uint32_t rules;			/* that it breaks by itself, a bit each */
	/* for speed alone (accel/compile.h) */
	uint32_t heat;			/* how often a run began here */
	const struct compiled *compiled;	/* the run that it is in, or NULL */
	unsigned int compiled_at;	/* where in it */
};

/* instructions that are run without looking at each, at most: below the bits of due */
#define QPU_RUN 31

#define QPU_OP_STALLS 1u		/* look whether it must wait */
#define QPU_OP_PORTS 2u			/* reads the register space beyond the files */
#define QPU_OP_INPUTS 4u		/* unpacks or rotates */
#define QPU_OP_SPECIAL 8u		/* results need more than a plain write */
#define QPU_OP_SIGNAL 16u		/* a signal that does something afterwards */
#define QPU_OP_OTHER 32u		/* not an ALU instruction */
#define QPU_OP_VARYING 64u		/* reads a varying */

/*
 * What an instruction does that would be plain without, and breaks no rule by itself: it loads r4
 * from a TMU, asks a TMU for words of memory, writes a vector to the VPM, reads a uniform
 */
enum qpu_quick { QPU_QUICK_NONE, QPU_QUICK_LOAD, QPU_QUICK_READ, QPU_QUICK_VPM, QPU_QUICK_UNIFORM };

enum qpu_pack { QPU_PACK_NONE, QPU_PACK_A_INT, QPU_PACK_A_FLOAT, QPU_PACK_MUL };

/* Hazards: a bit each in qpu_op.conflicts and qpu_thread.hazards */
#define QPU_HAZARD_ACC(n) (1u << (n))	/* r0 to r5 were written, which rotations must not meet */
#define QPU_HAZARD_ACCS 0x3fu
#define QPU_HAZARD_SFU (1u << 6)
#define QPU_HAZARD_UNIFORMS (1u << 7)
#define QPU_HAZARD_BRANCH (1u << 8)
#define QPU_HAZARD_NOSWAP (1u << 9)
#define QPU_HAZARD_END (1u << 10)
#define QPU_HAZARD_END_14 (1u << 11)
#define QPU_HAZARD_LAST (1u << 12)
#define QPU_HAZARD_TLB_Z (1u << 13)

/**
 * struct qpu_words - instructions that are at hand
 * @word: @size bytes of them from @base on; may change at any time
 * @decoded: QPS_DECODED instructions made ready, by address
 * @compiler: the chip's, or NULL
 * @sim: the chip
 * @cleared, @callbacks: its counts of them while @word is at hand
 * @outcome: why there was no more to run
 */
struct qpu_words {
	const uint64_t *word;
	uint32_t base, size;
	struct qpu_op *decoded;
	struct compiler *compiler;
	struct v3dsim *sim;
	uint32_t cleared, callbacks;
	enum qpu_outcome outcome;
};

/* Any 64 bits, made ready for the operations of a table */
void qpu_decode(const struct alu_table *alu, struct qpu_op *op, uint64_t word);

/**
 * qpu_text() - an instruction as a line of text, for the trace; cut to @size bytes, its end
 * included
 */
void qpu_text(char *text, size_t size, uint64_t word);

/* The name of a write address, in file A or B; likewise */
void qpu_text_destination(char *text, size_t size, unsigned int waddr, bool b);

/* Power-on state; @alu: the operations that it has */
void qpu_reset(struct qpu *q, unsigned int number, const struct alu_table *alu);

/* Registers, accumulators and flags become those of another QPU, or for NULL this word */
void qpu_inherit(struct qpu *q, const struct qpu *from, uint32_t residue);

/**
 * qpu_start() - a program begins on a thread that is not active; registers, accumulators and flags
 * stay
 * @uniforms: address, 0 for none
 * @limit: words, UINT32_MAX for no limit
 */
void qpu_start(struct qpu *q, unsigned int thread, uint32_t pc, uint32_t uniforms, uint32_t limit);

/**
 * qpu_switch() - after QPU_SWITCHED: the other thread goes on if it is active, else the same.
 * Accumulators stay as they are.
 */
void qpu_switch(struct qpu *q);

/**
 * qpu_run() - executes the current thread until something stops it; q->until bounds the time
 * @budget: instructions, at most
 * @spent: is increased by the instructions executed
 * The floating-point mode is float_mode_enter()'s.
 */
enum qpu_outcome qpu_run(struct v3dsim *sim, struct qpu *q, uint64_t budget, uint64_t *spent);

/**
 * qpu_waits_on() - would qpu_run() do nothing but find that the mutex is still not this QPU's? Only
 * where that is cheap to say, and never of a reference chip
 */
bool qpu_waits_on(struct v3dsim *sim, const struct qpu *q);

/* Counts and traces a broken rule at @pc */
void qpu_broken(struct v3dsim *sim, const struct qpu *q, uint32_t pc, enum qpu_rule rule);

#endif /* V3DSIM_QPU_H */
