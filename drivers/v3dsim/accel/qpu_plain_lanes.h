/* SPDX-License-Identifier: MIT */
/* The body of qpu_plain.c and qpu_plain_avx2.c: see qpu_plain.h. Defines QPU_PLAIN. */
#include <sys/param.h>

#include "core/sim.h"
#include "qpu/qps_state.h"
#include "qpu/qpu_lanes.h"
#include "compile.h"
#include "quick.h"
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

static inline struct place place_of(const struct qpu *q, const struct qpu_thread *t)
{
	return (struct place){
		.pc = t->pc,
		.step = t->step,
		.due = t->due,
		.hazards = { t->hazards[0], t->hazards[1], t->hazards[2] },
		.written = { q->written[0], q->written[1] },
	};
}

static inline void put_place(struct qpu *q, struct qpu_thread *t, const struct place *at)
{
	t->pc = at->pc;
	t->step = at->step;
	t->due = at->due;
	for (int i = 0; i < 3; i++)
		t->hazards[i] = at->hazards[i];
	q->written[0] = at->written[0];
	q->written[1] = at->written[1];
}

/* The instruction at hand, or NULL */
static inline struct qpu_op *next_op(const struct qpu_words *words, const struct place *at)
{
	const uint32_t offset = at->pc - words->base;
	struct qpu_op *op = &words->decoded[at->pc / V3D_QPU_INSTRUCTION_BYTES % QPS_DECODED];

	if (offset >= words->size || at->pc % V3D_QPU_INSTRUCTION_BYTES)
		return NULL;
	if (op->word != __atomic_load_n(&words->word[offset / V3D_QPU_INSTRUCTION_BYTES],
					__ATOMIC_RELAXED) ||
	    !op->valid)
		return NULL;
	return op;
}

/* Does it break no rule for those before it? */
static inline bool breaks_none(const struct place *at, const struct qpu_op *op)
{
	return !(op->conflicts & at->hazards[0]) && op->read[0] != at->written[0] &&
	       op->read[1] != at->written[1];
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

/* Both ALUs' results, and C */
struct computed {
	struct lanes add, mul, carry;
};

static inline void compute(const struct qpu *q, const struct qpu_op *op, struct computed *c)
{
	const struct lanes *regs = q->regs;
	const bool flags = op->inst.sf;

	if (op->mul)
		op->mul(&c->mul, &regs[op->mul_a], &regs[op->mul_b],
			flags && !op->add ? &c->carry : NULL);
	if (op->add)
		op->add(&c->add, &regs[op->add_a], &regs[op->add_b], flags ? &c->carry : NULL);
}

static inline void put_results(struct qpu *q, const struct qpu_op *op, const struct computed *c)
{
	if (op->add_slot < QPU_SLOTS)
		store(q, &q->regs[op->add_slot], &c->add, op->inst.cond_add);
	if (op->mul_slot < QPU_SLOTS)
		store(q, &q->regs[op->mul_slot], &c->mul, op->inst.cond_mul);
	if (op->inst.sf)
		set_flags(q, op->add ? &c->add : &c->mul, &c->carry,
			  op->add ? op->inst.cond_add : op->inst.cond_mul);
}

/* Under conditions, or with an operand that the other result overwrites, or to nowhere */
static inline void execute_apart(struct qpu *q, const struct qpu_op *op)
{
	struct computed c;

	compute(q, op, &c);
	put_results(q, op, &c);
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

/* Has an instruction not been executed? */
static inline bool stands(enum qpu_outcome outcome)
{
	return outcome == QPU_STALLED || outcome == QPU_FAULTED;
}

/* Is nothing due but branches, and are the instructions still where they were? */
static inline bool still_here(const struct qpu_thread *t, const struct qpu_words *words)
{
	return !(t->due >> 8) && words->cleared == words->sim->cache.cleared &&
	       words->callbacks == words->sim->callbacks;
}

/*
 * struct turn - how far this call came
 * @n: instructions executed; @told: those of them that q->now knows of
 * @limit: where it ends by its budget or by time
 */
struct turn {
	uint64_t n, told, limit;
};

static inline void tell_time(struct qpu *q, struct turn *turn)
{
	q->now += turn->n - turn->told;
	turn->told = turn->n;
}

static inline void set_limit(const struct qpu *q, struct turn *turn, uint64_t budget)
{
	turn->limit = MIN(budget, turn->n + (q->now < q->until ? q->until - q->now : 0));
}

/* compile_between */
static uint32_t between(struct qpu *q, struct compiled_place *place, uint32_t n, uint32_t left,
			uint32_t due)
{
	const struct qpu_op *op = &place->run->op[n];
	struct qpu_words *words = place->at_hand;
	const uint32_t executed = place->count - left;
	const bool storing = q->port.store.busy;
	struct place at = {
		.pc = place->base + n * V3D_QPU_INSTRUCTION_BYTES,
		.step = place->step + executed,
		.due = due,
		.written = { QPU_SLOTS + 1, QPU_SLOTS + 1 },	/* it reads nothing of that */
	};
	uint32_t to_go = 0;

	put_place(q, &q->threads[q->current], &at);
	q->now = place->now + executed;
	words->outcome = qpu_step(words->sim, q, op);
	if (stands(words->outcome)) {
		place->now = q->now - executed;
		return COMPILED_STANDS;
	}
	place->now = q->now - executed - 1;
	/* a store that came to its end may have changed the program */
	if (still_here(&q->threads[q->current], words) && q->now < q->until &&
	    !(storing && (!q->port.store.busy || op->add_io == V3D_QPU_W_VPM_ADDR ||
			  op->mul_io == V3D_QPU_W_VPM_ADDR)))
		to_go = MIN(left - 1, q->until - q->now);
	place->count = executed + 1 + to_go;
	return to_go;
}

/* compile_calls.uniform */
static uint32_t uniform(struct qpu *q, struct compiled_place *place, uint32_t n)
{
	return quick_uniform(place->at_hand->sim, q, &place->run->op[n]);
}

/* compile_calls.quick */
static uint32_t quick(struct qpu *q, struct compiled_place *place, uint32_t n, uint32_t left)
{
	const struct qpu_op *op = &place->run->op[n];
	struct qpu_words *words = place->at_hand;
	const uint32_t executed = place->count - left;
	const uint64_t now = place->now + executed;
	struct tmu_fifo *load;
	uint64_t waits;

	switch (op->quick) {
	case QPU_QUICK_LOAD:
		load = quick_load_from(words->sim, q, op);
		if (!load)
			return COMPILED_STANDS;
		waits = quick_load(words->sim, q, load, now);
		if (!waits)
			return left - 1;
		place->now += waits;
		left = now + waits + 1 < q->until ? MIN(left - 1, q->until - now - waits - 1) : 0;
		break;
	case QPU_QUICK_READ:
		if (!quick_read(words->sim, q, op, &place->value, now))
			return COMPILED_STANDS;
		left = words->callbacks == words->sim->callbacks ? left - 1 : 0;
		break;
	default:
		return vpm_write_whole(words->sim, &q->port, &place->value) ? left - 1 :
									      COMPILED_STANDS;
	}
	place->count = executed + 1 + left;
	return left;
}

/* As machine code. Return: false: the next one is to be executed by other means */
static inline bool run_compiled(struct qpu *q, struct qpu_words *words, struct place *at,
				const struct qpu_op *op, struct turn *turn)
{
	const struct compiled *run = op->compiled;
	const uint32_t base = at->pc - op->compiled_at * V3D_QPU_INSTRUCTION_BYTES,
		       count = MIN(turn->limit - turn->n, UINT32_MAX - 1);
	struct compiled_place place = {
		.words = &words->word[(base - words->base) / V3D_QPU_INSTRUCTION_BYTES],
		.base = base,
		.step = at->step,
		.count = count,
		.now = q->now + turn->n - turn->told,
		.at_hand = words,
		.run = run,
	};
	const unsigned int done = run->code(q, &q->threads[q->current], &place, op->compiled_at,
					    count);
	const struct qpu_op *last;

	if (!done && words->outcome == QPU_SPENT)
		return false;
	q->now = place.now + done;
	turn->n += done;
	turn->told = turn->n;
	if (!done)
		return true;
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
	return true;
}

static const struct compile_calls calls = { rest, between, uniform, quick };

/* The run that is about to be executed was executed before: is it worth to be compiled? */
static inline void warm(const struct qpu_words *words, const struct place *at, struct qpu_op *op)
{
	if (words->compiler && !op->compiled && ++op->heat == words->compiler->hot)
		compile_run(words, op, (at->pc - words->base) / V3D_QPU_INSTRUCTION_BYTES,
			    &calls);
}

/* An instruction as qpu.c does it, which may take its time */
static void step_between(struct qpu *q, struct qpu_words *words, struct place *at,
			 const struct qpu_op *op, struct turn *turn)
{
	struct qpu_thread *t = &q->threads[q->current];

	put_place(q, t, at);
	tell_time(q, turn);
	words->outcome = qpu_step(words->sim, q, op);
	if (!stands(words->outcome))
		turn->told = ++turn->n;
	*at = place_of(q, t);
}

/*
 * What an instruction does besides, before its results are put anywhere. Return: false: it goes the
 * way of all
 */
static inline bool besides(struct qpu *q, const struct qpu_words *words, const struct qpu_op *op,
			   const struct computed *c)
{
	const struct lanes *out = op->add_io ? &c->add : &c->mul;

	switch (op->quick) {
	case QPU_QUICK_READ:
		return quick_read(words->sim, q, op, out, q->now);
	case QPU_QUICK_VPM:
		return vpm_write_whole(words->sim, &q->port, out);
	case QPU_QUICK_UNIFORM:
		quick_uniform_taken(&q->threads[q->current]);
		return true;
	default:
		return true;
	}
}

/* One that would be plain but for one thing. Return: false: it goes the way of all */
static inline bool run_quick(struct qpu *q, const struct qpu_words *words, struct place *at,
			     const struct qpu_op *op, struct turn *turn)
{
	struct tmu_fifo *load = NULL;
	struct computed c;

	if (op->quick == QPU_QUICK_LOAD)
		load = quick_load_from(words->sim, q, op);
	if ((op->quick == QPU_QUICK_LOAD && !load) ||
	    (op->quick == QPU_QUICK_UNIFORM && !quick_uniform(words->sim, q, op)))
		return false;
	tell_time(q, turn);
	if (op->flags & QPU_OP_INPUTS)
		qpu_inputs(q, op);
	compute(q, op, &c);
	if (!besides(q, words, op, &c))
		return false;
	remember_ports(q, op);
	keep_old(q, at->written, op);
	put_results(q, op, &c);
	if (load)
		q->now += quick_load(words->sim, q, load, q->now);
	q->now++;
	turn->told = ++turn->n;
	advance(&q->threads[q->current], at, op);
	return true;
}

/* Plain instructions */
static inline void run_short(struct qpu *q, struct qpu_words *words, struct place *at,
			     struct qpu_op *op, struct turn *turn)
{
	const struct qpu_thread *t = &q->threads[q->current];
	unsigned int run;

	warm(words, at, op);
	run = run_length(words, at, op, turn->limit - turn->n);
	if (run > 1) {
		run_through(q, t, at, op, run);
	} else {
		execute(q, at, op);
		advance(t, at, op);
	}
	turn->n += run;
}

/* Instructions from @op on, one at least */
static inline void run_some(struct qpu *q, struct qpu_words *words, struct place *at,
			    struct qpu_op *op, struct turn *turn)
{
	const bool alone = breaks_none(at, op);

	if (alone && is_compiled(words, at, op) && run_compiled(q, words, at, op, turn))
		return;
	if (alone && op->plain)
		run_short(q, words, at, op, turn);
	else if (!alone || !op->quick || !run_quick(q, words, at, op, turn))
		step_between(q, words, at, op, turn);
}

QPU_PLAIN(struct qpu *q, struct qpu_words *words, uint64_t budget)
{
	struct qpu_thread *t = &q->threads[q->current];
	struct place at = place_of(q, t);
	struct turn turn = { 0 };
	struct qpu_op *op;

	set_limit(q, &turn, budget);
	while (turn.n < turn.limit && (op = next_op(words, &at)) != NULL) {
		run_some(q, words, &at, op, &turn);
		if (turn.told == turn.n) {
			if (words->outcome != QPU_SPENT || !still_here(t, words))
				break;
			set_limit(q, &turn, budget);
		}
	}
	put_place(q, t, &at);
	tell_time(q, &turn);
	if (turn.n && words->outcome != QPU_STALLED)
		q->stall = QPU_STALL_NONE;
	return turn.n;
}
