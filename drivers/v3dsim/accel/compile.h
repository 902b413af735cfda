/* SPDX-License-Identifier: MIT */
/*
 * Runs of instructions as machine code: those that are executed again and again, made by LLVM if it
 * is there. Plain ones (qpu_plain.h) are all machine code, those in between are calls. A run can be
 * entered at each of its instructions and left after each, and all of a QPU's state lies in memory
 * in between, as if each had been executed by itself. Floating-point results that the host's
 * arithmetic may have got wrong (alu.h), and all rare forms, are left to the functions that are
 * there without it.
 */
#ifndef V3DSIM_COMPILE_H
#define V3DSIM_COMPILE_H

#include "qpu/qpu.h"

#define COMPILED_WORDS 128	/* instructions of a run, at most */
#define COMPILED_STANDS UINT32_MAX

struct compiled_place;

/* One plain instruction in whole, but for its place in the program */
typedef void (*compile_rest)(struct qpu *q, const struct qpu_op *op);

/*
 * One that is not plain: the @n-th of the run, with @left instructions to go, this one included,
 * and @due of the thread's. Return: instructions to go after it, COMPILED_STANDS if it could not be
 * executed
 */
typedef uint32_t (*compile_between)(struct qpu *q, struct compiled_place *place, uint32_t n,
				    uint32_t left, uint32_t due);

/**
 * struct compile_calls - what machine code calls
 * @uniform: the next uniform to where the ports put it. Return: 0: it is not at hand
 * @quick: what an instruction of the other kinds of enum qpu_quick does besides, in place->value
 *	what goes out; as @between
 */
struct compile_calls {
	compile_rest rest;
	compile_between between;
	uint32_t (*uniform)(struct qpu *q, struct compiled_place *place, uint32_t n);
	uint32_t (*quick)(struct qpu *q, struct compiled_place *place, uint32_t n, uint32_t left);
};

/**
 * struct compiled_place - where a thread stands
 * @words: what lies in memory where the run is expected; @base: its address; @step: of the thread,
 *	at the beginning
 * @pc, @due: of the thread, in the end, if anything was executed; @last: which instruction was the
 *	last
 * @count: how many instructions are to be executed, less when time passes otherwise
 * @now: the time, less the instructions executed
 * @at_hand: what the run was found in; @run: itself
 * @value: what the instruction at hand writes to a peripheral
 */
struct compiled_place {
	const uint64_t *words;
	uint32_t base, step, pc, due, last, count;
	uint64_t now;
	struct qpu_words *at_hand;
	const struct compiled *run;
	struct lanes value;
};

/**
 * struct compiled - a run as machine code
 * @code: executes place->count instructions from @first on, with branches, if the run is what lies
 *	in memory. Return: how many were executed: fewer if what comes next is to be executed by
 *	other means
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

/*
 * Is it one that is called in a run: does it neither break a rule by itself, nor have anything to
 * do after the next instruction?
 */
static inline bool compile_is_between(const struct qpu_op *op)
{
	return !op->plain && !op->quick && !op->rules && !(op->hazards[1] | op->hazards[2]) &&
	       op->inst.kind != V3D_QPU_BRANCH &&
	       (!(op->flags & QPU_OP_SIGNAL) || op->inst.sig == V3D_QPU_SIG_LOAD_TMU0 ||
		op->inst.sig == V3D_QPU_SIG_LOAD_TMU1);
}

/**
 * compile_run() - compiles the run around @op; its instructions in @words refer to that from then
 * on, if it could be compiled
 * @offset: its place in @words
 */
void compile_run(const struct qpu_words *words, struct qpu_op *op, uint32_t offset,
		 const struct compile_calls *calls);

#endif /* V3DSIM_COMPILE_H */
