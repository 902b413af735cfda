/* SPDX-License-Identifier: MIT */
/*
 * What an instruction touches, as far as restrictions care.
 */
#ifndef V3DCL_LANG_ASM_EFFECTS_H
#define V3DCL_LANG_ASM_EFFECTS_H

#include "v3dcl_qpu.h"

/* Bits of struct qasm_effects' @flags */
enum qasm_effect {
	QASM_READS_UNIFORM = 1 << 0,
	QASM_READS_VARYING = 1 << 1,
	QASM_USES_VPM = 1 << 2,		/* the memory or its DMA, in any way */
	QASM_READS_VPM = 1 << 3,	/* its FIFO */
	QASM_SETS_UP_VPM_READ = 1 << 4,	/* or something that is not known here */
	QASM_READS_TILE = 1 << 5,
	QASM_WRITES_TILE = 1 << 6,
	QASM_WRITES_Z = 1 << 7,
	QASM_READS_MASK = 1 << 8,	/* of multisamples */
	QASM_WRITES_TMU = 1 << 9,
	QASM_TMU_UNIFORM = 1 << 10,	/* a coordinate other than s: takes a uniform along */
	QASM_READS_TMU = 1 << 11,
	QASM_WRITES_NOSWAP = 1 << 12,
	QASM_WRITES_SFU = 1 << 13,
	QASM_WRITES_R4 = 1 << 14,
	QASM_READS_R4 = 1 << 15,
	QASM_WRITES_R5 = 1 << 16,
	QASM_ROTATES_BY_R5 = 1 << 17,
	QASM_TAKES_MUTEX = 1 << 18,
	QASM_SEMAPHORE = 1 << 19,
	QASM_SETS_UNIFORMS = 1 << 20,
	QASM_WAITS = 1 << 21,		/* for the scoreboard, explicitly */
	QASM_UNLOCKS = 1 << 22,
	QASM_SWITCHES = 1 << 23,
	QASM_ENDS = 1 << 24,
	QASM_BRANCHES = 1 << 25,
	QASM_SAME_TARGET = 1 << 26,	/* both halves write one accumulator or I/O address */
	QASM_ROTATES_FILE = 1 << 27,	/* what is no accumulator r0 to r3 */
};

/**
 * struct qasm_effects - of one instruction
 * @inst: decoded
 * @flags: enum qasm_effect
 * @reads: registers of file A and B whose value is used
 * @writes: registers of file A and B
 * @accumulators: r0 to r3 that are written
 * @rotates: r0 to r3 that are rotated
 * @peripherals: accesses to units of which an instruction may have one
 */
struct qasm_effects {
	struct v3d_qpu_inst inst;
	uint32_t flags, reads[2], writes[2];
	uint8_t accumulators, rotates, peripherals;
};

/* Take a word apart */
void qasm_effects_of(uint64_t word, struct qasm_effects *e);

/* Does each element meet at most one of two conditions? They are "zs" and "zc", and so on. */
bool qasm_are_complementary(unsigned int a, unsigned int b);

#endif /* V3DCL_LANG_ASM_EFFECTS_H */
