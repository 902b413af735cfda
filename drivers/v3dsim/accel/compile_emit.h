/* SPDX-License-Identifier: MIT */
/* Inside the compiler: what is at hand while a run is made into LLVM's instructions. */
#ifndef V3DSIM_COMPILE_EMIT_H
#define V3DSIM_COMPILE_EMIT_H

#include "compile.h"
#include "llvm.h"

/**
 * struct emit - a function being made
 * @llvm: the library; @width: lanes of the host's vectors
 * @qpu, @thread, @place, @count: the function's arguments
 * @i1, @i8, @i32, @pointer: types; @lanes: 16 words, @floats: the same as floating-point numbers
 * @rounding, @exceptions: what floating-point instructions are told: nothing about either is known
 * @slot: of struct qpu, whose values are @known without a look at memory, or QPU_SLOTS
 * @suspects: words whose sign is set where the host's arithmetic may have got an instruction's
 *	results wrong, or NULL
 */
struct emit {
	const struct llvm *llvm;
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMBuilderRef b;
	LLVMValueRef function, qpu, thread, place, count;
	LLVMTypeRef i1, i8, i32, pointer, lanes, floats;
	LLVMValueRef rounding, exceptions, suspects;
	LLVMValueRef known[2];
	unsigned int slot[2], width;
};

/* The same word in every lane */
LLVMValueRef emit_splat(const struct emit *e, uint32_t word);

/* 16 words */
LLVMValueRef emit_words(const struct emit *e, const uint32_t *word);

/* Lanes for which a comparison holds, all ones or 0 */
LLVMValueRef emit_mask(const struct emit *e, LLVMIntPredicate how, LLVMValueRef a, LLVMValueRef b);

/* Lane n becomes lane @from[n] */
LLVMValueRef emit_pick(const struct emit *e, LLVMValueRef value, const uint32_t *from);

/* Is the sign of any lane set? A bit */
LLVMValueRef emit_any_negative(const struct emit *e, LLVMValueRef value);

/**
 * emit_add() - an operation of the add ALU: see alu_lanes.h
 * @carry: NULL if C is not wanted
 */
LLVMValueRef emit_add(struct emit *e, unsigned int op, LLVMValueRef a, LLVMValueRef b,
		      LLVMValueRef *carry);

/* The same for the mul ALU, whose C is 0 */
LLVMValueRef emit_mul(struct emit *e, unsigned int op, LLVMValueRef a, LLVMValueRef b);

/**
 * emit_run() - the function of a run
 * @calls: see compile_run()
 */
void emit_run(struct emit *e, const struct compiled *run, const struct compile_calls *calls);

#endif /* V3DSIM_COMPILE_EMIT_H */
