/* SPDX-License-Identifier: MIT */
/* The body of qpu_plain.c and qpu_plain_avx2.c: see qpu_plain.h. Defines QPU_PLAIN. */
#include <sys/param.h>

#include "qpu/qps_state.h"
#include "qpu/qpu_lanes.h"
#include "compile.h"
#include "qpu_plain.h"

#pragma GCC diagnostic ignored \
	"-Wpsabi" /* vectors are passed by value between inlined functions only */

/**
 * struct place - of a thread, in the processor's registers
 * @due: of branches: bit n in n instructions
 */
struct place {
	uint32_t pc, step, due, hazards[3];
	uint8_t written[2];
};

/* The instruction at hand. NULL: it is not, or not for here, or breaks a rule. */
static inline struct qpu_op *next_op(const struct qpu_words *words, const struct place *at)
{
	const uint32_t offset = at->pc - words->base;
	struct qpu_op *op = &words->decoded[at->pc / V3D_QPU_INSTRUCTION_BYTES % QPS_DECODED];

	if (offset >= words->size || at->pc % V3D_QPU_INSTRUCTION_BYTES)
		return NULL;
	if (op->word != __atomic_load_n(&words->word[offset / V3D_QPU_INSTRUCTION_BYTES],
					__ATOMIC_RELAXED) ||
	    !op->plain || op->conflicts & at->hazards[0] || op->read[0] == at->written[0] ||
	    op->read[1] == at->written[1])
		return NULL;
	return op;
}

/*
 * What a branch or a load puts where the ALUs take it from. Return: false: it is a branch that is
 * not taken
 */
static inline bool other_input(struct qpu *q, struct place *at, const struct qpu_op *op)
{
	struct qpu_thread *t = &q->threads[q->current];

	if (op->inst.kind != V3D_QPU_BRANCH) {
		qpu_immediate(&q->regs[QPU_PORT_A], &op->inst);
		return true;
	}
	if (!branch_taken(q, op->inst.cond_br))
		return false;
	t->targets[(at->step + V3D_QPU_BRANCH_SLOTS) % QPU_TARGETS] =
		branch_target(&op->inst, at->pc, &q->regs[QPU_FILE_A + op->inst.branch_raddr_a]);
	at->due |= 1u << (V3D_QPU_BRANCH_SLOTS + 1);
	if (!op->idle)
		lanes_fill(&q->regs[QPU_PORT_A], branch_link(at->pc));
	return true;
}

/* Results straight to where they belong */
static inline void execute_direct(struct qpu *q, const struct qpu_op *op)
{
	struct lanes *regs = q->regs, carry;
	const bool flags = op->inst.sf;

	if (op->mul)
		op->mul(&regs[op->mul_slot], &regs[op->mul_a], &regs[op->mul_b],
			flags && !op->add ? &carry : NULL);
	if (op->add)
		op->add(&regs[op->add_slot], &regs[op->add_a], &regs[op->add_b],
			flags ? &carry : NULL);
	if (flags)
		set_flags(q, &regs[op->add ? op->add_slot : op->mul_slot], &carry,
			  V3D_QPU_COND_ALWAYS);
}

/* Under conditions, or with an operand that the other result overwrites, or to nowhere */
static inline void execute_apart(struct qpu *q, const struct qpu_op *op)
{
	struct lanes *regs = q->regs, add, mul, carry;
	const bool flags = op->inst.sf;

	if (op->mul)
		op->mul(&mul, &regs[op->mul_a], &regs[op->mul_b],
			flags && !op->add ? &carry : NULL);
	if (op->add)
		op->add(&add, &regs[op->add_a], &regs[op->add_b], flags ? &carry : NULL);
	if (op->add_slot < QPU_SLOTS)
		store(q, &regs[op->add_slot], &add, op->inst.cond_add);
	if (op->mul_slot < QPU_SLOTS)
		store(q, &regs[op->mul_slot], &mul, op->inst.cond_mul);
	if (flags)
		set_flags(q, op->add ? &add : &mul, &carry,
			  op->add ? op->inst.cond_add : op->inst.cond_mul);
}

static inline void results(struct qpu *q, const struct qpu_op *op)
{
	if (op->idle)
		return;
	if (op->direct)
		execute_direct(q, op);
	else
		execute_apart(q, op);
}

static inline void execute(struct qpu *q, struct place *at, const struct qpu_op *op)
{
	if (op->flags & QPU_OP_INPUTS)
		qpu_inputs(q, op);
	if (op->flags & QPU_OP_OTHER && !other_input(q, at, op)) {
		at->written[0] = at->written[1] = QPU_SLOTS + 1;
		return;
	}
	remember_ports(q, op);
	keep_old(q, at->written, op);
	results(q, op);
}

/* To the next instruction, or to where a branch goes */
static inline void advance(const struct qpu_thread *t, struct place *at, const struct qpu_op *op)
{
	at->hazards[0] = at->hazards[1] | op->hazards[0];
	at->hazards[1] = at->hazards[2] | op->hazards[1];
	at->hazards[2] = op->hazards[2];
	at->pc += V3D_QPU_INSTRUCTION_BYTES;
	if (at->due) {
		at->due >>= 1;
		if (at->due & 1)
			at->pc = t->targets[at->step % QPU_TARGETS];
	}
	at->step++;
}

/* How many instructions from @op on follow each other without breaking a rule, branches left out */
static unsigned int find_run(const struct qpu_words *words, const struct qpu_op *op)
{
	unsigned int n = 1;

	if (op->inst.kind == V3D_QPU_BRANCH)
		return 1;
	for (op++; n < QPU_RUN && op < words->decoded + QPS_DECODED; op++, n++)
		if (!op->plain || op->inst.kind == V3D_QPU_BRANCH ||
		    op->conflicts & op[-1].hazards[0] || op->read[0] == op[-1].writes[0] ||
		    op->read[1] == op[-1].writes[1])
			break;
	return n;
}

/* Instructions from @op on that need not be looked at one by one; 1: this one has to */
static inline unsigned int run_length(const struct qpu_words *words, const struct place *at,
				      struct qpu_op *op, uint64_t budget)
{
	const uint32_t offset = (at->pc - words->base) / V3D_QPU_INSTRUCTION_BYTES;
	const uint32_t left = words->size / V3D_QPU_INSTRUCTION_BYTES - offset;
	unsigned int n;

	if ((at->hazards[1] & ~QPU_HAZARD_BRANCH) | at->hazards[2])
		return 1;
	if (!op->run)
		op->run = find_run(words, op);
	n = MIN(MIN(op->run, budget), left);
	if (at->due >> 1 && n > (unsigned int)__builtin_ctz(at->due >> 1) + 1)
		n = __builtin_ctz(at->due >> 1) + 1;
	for (unsigned int k = 1; k < n; k++)
		if (op[k].word != __atomic_load_n(&words->word[offset + k], __ATOMIC_RELAXED))
			return k;
	return n;
}

/*
 * @n instructions that break no rule and do not branch; who comes after them sees what the last
 * ones left
 */
static inline void run_through(struct qpu *q, const struct qpu_thread *t, struct place *at,
			       const struct qpu_op *op, unsigned int n)
{
	for (const struct qpu_op *last = op + n - 1;; op++) {
		if (op->prepares) {
			if (op->flags & QPU_OP_INPUTS)
				qpu_inputs(q, op);
			if (op->flags & QPU_OP_OTHER)
				qpu_immediate(&q->regs[QPU_PORT_A], &op->inst);
			remember_ports(q, op);
		}
		if (op == last)
			break;
		results(q, op);
	}
	keep_old(q, at->written, op);
	results(q, op);
	at->hazards[0] = op->hazards[0];
	at->hazards[1] = at->hazards[2] = 0;
	at->step += n;
	at->due >>= n;
	if (at->due & 1)
		at->pc = t->targets[(at->step - 1) % QPU_TARGETS];
	else
		at->pc += n * V3D_QPU_INSTRUCTION_BYTES;
}

/* One instruction for the compiled run that it is in, which leaves it to others */
static void rest(struct qpu *q, const struct qpu_op *op)
{
	uint8_t written[2];

	if (op->flags & QPU_OP_INPUTS)
		qpu_inputs(q, op);
	if (op->flags & QPU_OP_OTHER)
		qpu_immediate(&q->regs[QPU_PORT_A], &op->inst);
	remember_ports(q, op);
	keep_old(q, written, op);
	results(q, op);
}

/* Can a run be entered at @op: does all of it lie in @words, and is nothing due? */
static inline bool is_compiled(const struct qpu_words *words, const struct place *at,
			       const struct qpu_op *op)
{
	const struct compiled *run = op->compiled;
	const uint32_t count = words->size / V3D_QPU_INSTRUCTION_BYTES,
		       here = (at->pc - words->base) / V3D_QPU_INSTRUCTION_BYTES;

	return run && !(at->due >> 1) && !(at->hazards[1] | at->hazards[2]) &&
	       here >= op->compiled_at && here - op->compiled_at + run->words <= count;
}

/*
 * As machine code, @budget instructions at most. Return: how many were executed; 0: the next one is
 * to be executed by other means
 */
static inline unsigned int run_compiled(struct qpu *q, const struct qpu_words *words,
					struct place *at, const struct qpu_op *op, uint64_t budget)
{
	const struct compiled *run = op->compiled;
	const uint32_t base = at->pc - op->compiled_at * V3D_QPU_INSTRUCTION_BYTES;
	struct compiled_place place = {
		.words = &words->word[(base - words->base) / V3D_QPU_INSTRUCTION_BYTES],
		.base = base,
		.step = at->step,
	};
	const unsigned int done = run->code(q, &q->threads[q->current], &place, op->compiled_at,
					    MIN(budget, UINT32_MAX));
	const struct qpu_op *last;

	if (!done)
		return 0;
	last = &run->op[place.last];
	at->written[0] = last->writes[0];
	at->written[1] = last->writes[1];
	at->hazards[0] = last->hazards[0];
	if (done > 1 && place.last)
		at->hazards[0] |= last[-1].hazards[1];
	at->hazards[1] = last->hazards[1];
	at->pc = place.pc;
	at->due = place.due;
	at->step += done;
	return done;
}

/* The run that is about to be executed was executed before: is it worth to be compiled? */
static inline void warm(const struct qpu_words *words, const struct place *at, struct qpu_op *op)
{
	if (words->compiler && !op->compiled && ++op->heat == words->compiler->hot)
		compile_run(words, op, (at->pc - words->base) / V3D_QPU_INSTRUCTION_BYTES, rest);
}

QPU_PLAIN(struct qpu *q, const struct qpu_words *words, uint64_t budget)
{
	struct qpu_thread *t = &q->threads[q->current];
	struct place at = {
		.pc = t->pc,
		.step = t->step,
		.due = t->due,
		.hazards = { t->hazards[0], t->hazards[1], t->hazards[2] },
		.written = { q->written[0], q->written[1] },
	};
	struct qpu_op *op;
	unsigned int run;
	uint64_t n = 0;

	for (op = next_op(words, &at); n < budget && op; op = next_op(words, &at), n += run) {
		run = is_compiled(words, &at, op) ? run_compiled(q, words, &at, op, budget - n) :
						      0;
		if (run)
			continue;
		warm(words, &at, op);
		run = run_length(words, &at, op, budget - n);
		if (run > 1) {
			run_through(q, t, &at, op, run);
		} else {
			execute(q, &at, op);
			advance(t, &at, op);
		}
	}
	t->pc = at.pc;
	t->step = at.step;
	t->due = at.due;
	for (int i = 0; i < 3; i++)
		t->hazards[i] = at.hazards[i];
	q->written[0] = at.written[0];
	q->written[1] = at.written[1];
	return n;
}
