/* SPDX-License-Identifier: MIT */
/* Inside programs as a whole: what program_build.c makes and program.c runs. */
#ifndef V3DSIM_PROGRAM_OP_H
#define V3DSIM_PROGRAM_OP_H

#include "program.h"

#define PROGRAM_WORDS 512	/* instructions of a program, at most */
#define PROGRAM_VALUES 192	/* uniforms and immediates */
#define PROGRAM_CLEARS 80	/* all files and accumulators, and some */

/* What to do with an instruction's results, fastest first */
enum program_kind {
	PROGRAM_NOTHING,
	PROGRAM_DIRECT,		/* they go straight to where they belong */
	PROGRAM_PACK,		/* the mul's becomes a byte of a colour, the add's as above */
	PROGRAM_TILE,		/* one goes to the tile buffer, the other as above */
	PROGRAM_GENERAL,	/* qpu_operate() */
};

/* What comes before an instruction's ALUs, a bit each */
#define PROGRAM_VARYING_A 1u	/* a varying to port A's slot */
#define PROGRAM_VARYING_B 2u
#define PROGRAM_PORTS 4u	/* other reads of the register space */
/* a uniform or an immediate to port A's slot, for PROGRAM_GENERAL */
#define PROGRAM_VALUE_A 8u
#define PROGRAM_VALUE_B 16u
#define PROGRAM_INPUTS 32u	/* unpacking or rotating */

/* What comes after them */
#define PROGRAM_LOAD_C 1u	/* a varying's C to r5 */
#define PROGRAM_SFU 2u		/* a result of the SFU to r4 */
#define PROGRAM_LOAD_TMU 4u
#define PROGRAM_LOAD_TILE 8u	/* colour, coverage or alpha mask to r4 */

/**
 * struct program_op - an instruction that does something
 * @qpu: as qpu_run() would have it
 * @at: its place in the program; @uniform: how many uniforms were read before it, @uniform_after
 *	with what its ports read
 * @value: which of the program's values it reads, if any
 * @carry: 1 the add has to give the C flag, 2 the mul
 * @add_first: of two direct results: the mul does not read what the add writes
 * @tile_mul: the mul's result goes to the tile buffer, not the add's; @tile_copy: it is its operand
 *	as it is
 * @mask: PROGRAM_PACK: the bits of the byte
 */
struct program_op {
	enum program_kind kind;
	uint8_t before, after, carry;
	bool add_first, tile_mul, tile_copy;
	uint16_t at, uniform, uniform_after, value;
	uint32_t mask;
	alu_op add, mul;
	struct lanes *add_to, *mul_to;
	const struct lanes *add_a, *add_b, *mul_a, *mul_b;
	struct qpu_op qpu;
};

/**
 * struct program - made from the @words instructions at @code, of a kind
 * @made: there is one; @complete: it ends with its end; @good: it can be run
 * @clear_flags: it may look at flags before it sets them
 * @ops: of its instructions that do something
 * @value: uniforms and immediates, @values of them; @stream: which word of the uniforms, or
 *	PROGRAM_IMMEDIATE
 * @uniforms: words that it reads through a port or a TMU
 * @clear: slots that it reads before it writes them, or of which it first writes a part, @clears of
 *	them
 */
struct program {
	uint32_t code;
	enum qpu_kind kind;
	bool made, complete, good, clear_flags;
	unsigned int words, ops, values, uniforms, clears;
	uint64_t word[PROGRAM_WORDS];
	struct program_op op[PROGRAM_WORDS];
	struct lanes value[PROGRAM_VALUES];
	uint16_t stream[PROGRAM_VALUES];
	uint8_t clear[PROGRAM_CLEARS];
};

#define PROGRAM_IMMEDIATE 0xffff

/**
 * program_build() - from @words in @word, the last one being the second after the program end, or
 * one that cannot be run anyway
 */
void program_build(struct program *program, struct qpu *q);

#endif /* V3DSIM_PROGRAM_OP_H */
