/* SPDX-License-Identifier: MIT */
/*
 * Runs of plain instructions (qpu_plain.h) as machine code: those that are executed again and
 * again, made by LLVM if it is there. A run can be entered at each of its instructions and left
 * after each, and all of a QPU's state lies in memory in between, as if each had been executed by
 * itself. Floating-point results that the host's arithmetic may have got wrong (alu.h), and all
 * rare forms, are left to the functions that are there without it.
 */
#ifndef V3DSIM_COMPILE_H
#define V3DSIM_COMPILE_H

#include "qpu/qpu.h"

#define COMPILED_WORDS 64	/* instructions of a run, at most */

/* One instruction in whole, but for its place in the program */
typedef void (*compile_rest)(struct qpu *q, const struct qpu_op *op);

/**
 * struct compiled_place - where a thread stands
 * @words: what lies in memory where the run is expected; @base: its address; @step: of the thread,
 *	at the beginning
 * @pc, @due: of the thread, in the end, if anything was executed; @last: which instruction was the
 *	last
 */
struct compiled_place {
	const uint64_t *words;
	uint32_t base, step, pc, due, last;
};

/**
 * struct compiled - a run as machine code
 * @code: executes @count instructions from @first on, with branches, if the run is what lies in
 *	memory. Return: how many were executed: fewer if what comes next is to be executed by other
 *	means
 * @next: of the same compiler
 * @words: instructions, which are @word and made ready @op
 * @engine, @context: what LLVM has of it
 */
struct compiled {
	uint32_t (*code)(struct qpu *q, struct qpu_thread *t, struct compiled_place *place,
			 uint32_t first, uint32_t count);
	struct compiled *next;
	unsigned int words;
	uint64_t word[COMPILED_WORDS];
	struct qpu_op op[COMPILED_WORDS];
	void *engine, *context;
};

/**
 * struct compiler - of one chip
 * @runs: all of them, @count
 * @hot: after how many times that it was executed from the same instruction on a run is compiled
 */
struct compiler {
	struct compiled *runs;
	unsigned int count;
	uint32_t hot;
};

/* Of one chip. NULL: out of memory */
struct compiler *compiler_new(void);

/* With all that it has compiled */
void compiler_free(struct compiler *compiler);

/* Is there what compiles? Looks for it */
bool compile_ready(void);

/* May @op come after @before, whatever else @before is, without being looked at? */
static inline bool compile_follows(const struct qpu_op *before, const struct qpu_op *op)
{
	return !(op->conflicts & before->hazards[0]) && op->read[0] != before->writes[0] &&
	       op->read[1] != before->writes[1];
}

/**
 * compile_run() - compiles the run around @op; its instructions in @words refer to that from then
 * on, if it could be compiled
 * @offset: its place in @words
 * @rest: what is called for single instructions
 */
void compile_run(const struct qpu_words *words, struct qpu_op *op, uint32_t offset,
		 compile_rest rest);

#endif /* V3DSIM_COMPILE_H */
