// SPDX-License-Identifier: MIT
/*
 * A run as a function of LLVM's: a switch to the instruction that is the first, then each
 * instruction, which loads its operands from struct qpu, stores its results there, and leaves if it
 * was the last.
 */
#include <stddef.h>
#include <sys/param.h>

#include "qpu/qps_state.h"
#include "compile_emit.h"

#define CHUNK 8	/* words that are compared at a time */

/**
 * struct run - the function being made
 * @block: of each instruction
 * @left: instructions to go, the one at hand included
 * @pending: a branch of which the instruction at hand is a slot is taken; NULL: it is none's
 * @branch: which one
 * @before: which instruction was executed before the one at hand, if any was
 * @slot: which results of the instruction before it, the add ALU's and the mul ALU's, it takes as
 *	operands, or QPU_SLOTS; @known: their values, for whose way through memory it need not wait
 * @entry: where each instruction is entered from outside
 */
struct run {
	struct emit *e;
	const struct compiled *compiled;
	const struct compile_calls *calls;
	LLVMBasicBlockRef block[COMPILED_WORDS];
	LLVMValueRef left[COMPILED_WORDS], pending[COMPILED_WORDS], before[COMPILED_WORDS];
	LLVMValueRef known[COMPILED_WORDS][2];
	LLVMBasicBlockRef entry[COMPILED_WORDS];
	unsigned int branch[COMPILED_WORDS], slot[COMPILED_WORDS][2];
};

/**
 * struct at - an instruction being made
 * @n: its number
 * @result: what was stored for the add ALU and the mul ALU
 * @left: instructions to go after it, if it may take time by itself, else NULL
 * @old: what files A and B held where it writes; @port: elements 12 to 15 that its ports read; NULL
 *	where it does not
 */
struct at {
	struct run *run;
	const struct qpu_op *op;
	unsigned int n;
	LLVMValueRef left, result[2], old[2], port[2];
};

static LLVMValueRef number(const struct emit *e, uint32_t value)
{
	return e->llvm->ConstInt(e->i32, value, false);
}

static LLVMValueRef offset_of(const struct emit *e, LLVMValueRef base, size_t offset)
{
	LLVMTypeRef i64 = e->llvm->Int64TypeInContext(e->context);
	LLVMValueRef index[] = { e->llvm->ConstInt(i64, offset, false) };

	return e->llvm->BuildGEP2(e->b, e->i8, base, index, 1, "");
}

static LLVMValueRef place(const struct emit *e, size_t offset)
{
	return offset_of(e, e->qpu, offset);
}

static LLVMValueRef load(const struct emit *e, size_t offset)
{
	LLVMValueRef value = e->llvm->BuildLoad2(e->b, e->lanes, place(e, offset), "");

	e->llvm->SetAlignment(value, sizeof(struct lanes));
	return value;
}

static void store(const struct emit *e, size_t offset, LLVMValueRef value)
{
	value = e->llvm->BuildStore(e->b, value, place(e, offset));
	e->llvm->SetAlignment(value, sizeof(struct lanes));
}

static size_t slot_offset(unsigned int slot)
{
	return offsetof(struct qpu, regs) + slot * sizeof(struct lanes);
}

static size_t last_offset(unsigned int port)
{
	return offsetof(struct qpu, last) + port * sizeof(((struct qpu *)NULL)->last[0]);
}

/* Does it unpack, or rotate by r5? That is done by a call, as if it stood alone. */
static bool is_rare(const struct qpu_op *op)
{
	const struct v3d_qpu_inst *i = &op->inst;

	return op->flags & QPU_OP_INPUTS && (i->unpack || i->raddr_b == V3D_QPU_ROTATE);
}

/* Is the instruction one that is executed by a call, plain or not? */
static bool is_called(const struct qpu_op *op)
{
	return compile_is_between(op) || is_rare(op);
}

/* The value of a load immediate */
static LLVMValueRef immediate(const struct emit *e, const struct qpu_op *op)
{
	struct lanes value;

	qpu_immediate(&value, &op->inst);
	return emit_words(e, value.lane);
}

/* What a slot holds; constants are known, but for those that are not the same on every chip */
static LLVMValueRef operand(const struct emit *e, const struct qpu_op *op, unsigned int slot)
{
	const unsigned int code = slot - QPU_IMMEDIATES;

	if (slot == QPU_PORT_A && op->flags & QPU_OP_OTHER)
		return immediate(e, op);
	if (slot >= QPU_IMMEDIATES && code < V3D_QPU_ROTATE)
		return emit_splat(e, v3d_qpu_small_immediate(code));
	for (unsigned int n = 0; n < 2; n++)
		if (slot == e->slot[n])
			return e->known[n];
	return load(e, slot_offset(slot));
}

/* An operand of the mul ALU rotated by a number of elements that is known */
static LLVMValueRef rotated(const struct emit *e, const struct qpu_op *op, unsigned int mux,
			    unsigned int slot)
{
	const unsigned int amount = op->inst.raddr_b & 15;
	const bool full = mux <= V3D_QPU_R3;
	uint32_t from[V3D_QPU_LANES];

	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		from[n] = full ? (n - amount) & 15 : (n & 12) | ((n - amount) & 3);
	return emit_pick(e, operand(e, op, slot), from);
}

/* Where the mul ALU takes an operand from before it is rotated */
static unsigned int unrotated(const struct qpu_op *op, unsigned int mux)
{
	if (mux == V3D_QPU_A)
		return QPU_FILE_A + op->inst.raddr_a;
	return mux == V3D_QPU_B ? QPU_IMMEDIATES + op->inst.raddr_b : (int)(QPU_ACC + mux);
}

static LLVMValueRef mul(struct emit *e, const struct qpu_op *op)
{
	const struct v3d_qpu_inst *i = &op->inst;
	LLVMValueRef a, b;

	if (op->mul_b >= QPU_ROTATIONS && op->mul_b < QPU_SLOTS)
		return rotated(e, op, i->mul_a, op->mul_a);
	if (op->flags & QPU_OP_OTHER)
		return immediate(e, op);
	if (op->pick) {
		a = rotated(e, op, i->mul_a, unrotated(op, i->mul_a));
		b = i->mul_a == i->mul_b ? a : rotated(e, op, i->mul_b, unrotated(op, i->mul_b));
	} else {
		a = operand(e, op, op->mul_a);
		b = op->mul_a == op->mul_b ? a : operand(e, op, op->mul_b);
	}
	return emit_mul(e, i->op_mul, a, b);
}

static LLVMValueRef add(struct emit *e, const struct qpu_op *op, LLVMValueRef *carry)
{
	LLVMValueRef a = operand(e, op, op->add_a), b = operand(e, op, op->add_b);

	if (op->flags & QPU_OP_OTHER)
		return emit_add(e, V3D_QPU_ADD_OR, a, a, carry);
	return emit_add(e, op->inst.op_add, a, b, carry);
}

/* Lanes whose condition passes; NULL: all */
static LLVMValueRef condition_mask(const struct emit *e, unsigned int condition)
{
	const size_t flags = condition < V3D_QPU_COND_NS ? offsetof(struct qpu, zero) :
			     condition < V3D_QPU_COND_CS ? offsetof(struct qpu, negative) :
							   offsetof(struct qpu, carry);
	LLVMValueRef mask;

	if (condition == V3D_QPU_COND_ALWAYS)
		return NULL;
	mask = load(e, flags);
	return condition & 1 ? e->llvm->BuildNot(e->b, mask, "") : mask;
}

/* To where lanes belong; @mask: those that pass, NULL: all. Return: what is there now */
static LLVMValueRef store_lanes(const struct emit *e, size_t offset, LLVMValueRef value,
				LLVMValueRef mask)
{
	const struct llvm *l = e->llvm;

	if (mask) {
		value = l->BuildAnd(e->b, value, mask, "");
		value = l->BuildOr(e->b, value,
				   l->BuildAnd(e->b, load(e, offset), l->BuildNot(e->b, mask, ""),
					       ""), "");
	}
	store(e, offset, value);
	return value;
}

static void store_flags(const struct emit *e, LLVMValueRef value, LLVMValueRef carry,
			LLVMValueRef mask)
{
	LLVMValueRef zero = emit_splat(e, 0);

	store_lanes(e, offsetof(struct qpu, zero), emit_mask(e, LLVMIntEQ, value, zero), mask);
	store_lanes(e, offsetof(struct qpu, negative), emit_mask(e, LLVMIntSLT, value, zero), mask);
	store_lanes(e, offsetof(struct qpu, carry), carry, mask);
}

static LLVMValueRef place_word(const struct emit *e, size_t offset)
{
	return e->llvm->BuildLoad2(e->b, e->i32, offset_of(e, e->place, offset), "");
}

static void store_place(const struct emit *e, size_t offset, LLVMValueRef value)
{
	e->llvm->BuildStore(e->b, value, offset_of(e, e->place, offset));
}

/* The address of an instruction of the run, or relative to it */
static LLVMValueRef address(const struct emit *e, uint32_t n)
{
	return e->llvm->BuildAdd(e->b, place_word(e, offsetof(struct compiled_place, base)),
				 number(e, n * V3D_QPU_INSTRUCTION_BYTES), "");
}

/* Where the branch @n goes */
static LLVMValueRef target(const struct run *run, unsigned int n)
{
	const struct v3d_qpu_inst *i = &run->compiled->op[n].inst;
	const struct emit *e = run->e;

	if (!i->rel)
		return number(e, i->immediate);
	return e->llvm->BuildAdd(e->b, address(e, n + V3D_QPU_BRANCH_SLOTS + 1),
				 number(e, i->immediate), "");
}

/*
 * Leaves with @left instructions to go, of which @next would be the first if no branch came to its
 * end. @pending: see struct run, of @next - 1
 */
static void leave(const struct run *run, unsigned int next, LLVMValueRef left, LLVMValueRef last,
		  LLVMValueRef pending, unsigned int branch)
{
	const struct emit *e = run->e;
	const struct llvm *l = e->llvm;
	const unsigned int to_go = branch + V3D_QPU_BRANCH_SLOTS + 1 - next;
	LLVMValueRef pc = address(e, next), due = number(e, 0);

	if (pending) {
		due = l->BuildSelect(e->b, pending, number(e, 1u << to_go), due, "");
		if (!to_go)
			pc = l->BuildSelect(e->b, pending, target(run, branch), pc, "");
	}
	store_place(e, offsetof(struct compiled_place, pc), pc);
	store_place(e, offsetof(struct compiled_place, due), due);
	store_place(e, offsetof(struct compiled_place, last), last);
	l->BuildRet(e->b, l->BuildSub(e->b, place_word(e, offsetof(struct compiled_place, count)),
				      left, ""));
}

/* Leaves before the instruction if @bit is set */
static void leave_before(const struct at *at, LLVMValueRef bit)
{
	const struct run *run = at->run;
	const struct emit *e = run->e;
	const struct llvm *l = e->llvm;
	LLVMBasicBlockRef bad = l->AppendBasicBlockInContext(e->context, e->function, "");
	LLVMBasicBlockRef good = l->AppendBasicBlockInContext(e->context, e->function, "");

	l->BuildCondBr(e->b, bit, bad, good);
	l->PositionBuilderAtEnd(e->b, bad);
	leave(run, at->n, run->left[at->n], run->before[at->n], run->pending[at->n],
	      run->branch[at->n]);
	l->PositionBuilderAtEnd(e->b, good);
}

/* Leaves before the instruction if a call says that it was not executed */
static void leave_if(const struct at *at, LLVMValueRef returned, uint32_t value)
{
	leave_before(at, at->run->e->llvm->BuildICmp(at->run->e->b, LLVMIntEQ, returned,
						     number(at->run->e, value), ""));
}

/* A call of this process's that takes the QPU, the place, and up to three words */
static LLVMValueRef call_words(const struct emit *e, uintptr_t address, LLVMValueRef *words,
			       unsigned int count)
{
	const struct llvm *l = e->llvm;
	LLVMTypeRef types[] = { e->pointer, e->pointer, e->i32, e->i32, e->i32 };
	LLVMTypeRef type = l->FunctionType(e->i32, types, 2 + count, false);
	LLVMTypeRef word = l->Int64TypeInContext(e->context);
	LLVMValueRef function = l->ConstIntToPtr(l->ConstInt(word, address, false), e->pointer);
	LLVMValueRef arguments[5] = { e->qpu, e->place };

	for (unsigned int n = 0; n < count; n++)
		arguments[2 + n] = words[n];
	return l->BuildCall2(e->b, type, function, arguments, 2 + count, "");
}

/* The uniform that an instruction reads comes to where the ports have it */
static void read_uniform(const struct at *at)
{
	LLVMValueRef n = number(at->run->e, at->n);

	leave_if(at, call_words(at->run->e, (uintptr_t)at->run->calls->uniform, &n, 1), 0);
}

static void uniform_taken(const struct emit *e)
{
	const struct llvm *l = e->llvm;
	LLVMValueRef next = offset_of(e, e->thread, offsetof(struct qpu_thread, uniforms));
	LLVMValueRef left = offset_of(e, e->thread, offsetof(struct qpu_thread, uniforms_left));
	LLVMValueRef value = l->BuildLoad2(e->b, e->i32, next, ""), endless;

	l->BuildStore(e->b, l->BuildAdd(e->b, value, number(e, 4), ""), next);
	value = l->BuildLoad2(e->b, e->i32, left, "");
	endless = l->BuildICmp(e->b, LLVMIntEQ, value, number(e, UINT32_MAX), "");
	value = l->BuildSelect(e->b, endless, value, l->BuildSub(e->b, value, number(e, 1), ""),
			       "");
	l->BuildStore(e->b, value, left);
}

/* What an instruction does besides, before its results are put anywhere; @out: what goes out */
static void besides(struct at *at, LLVMValueRef out)
{
	const struct emit *e = at->run->e;
	LLVMValueRef words[] = { number(e, at->n), at->run->left[at->n] }, stored;

	if (at->op->quick == QPU_QUICK_UNIFORM) {
		uniform_taken(e);
		return;
	}
	if (out) {
		stored = e->llvm->BuildStore(e->b, out,
					     offset_of(e, e->place,
						       offsetof(struct compiled_place, value)));
		e->llvm->SetAlignment(stored, sizeof(struct lanes));
	}
	at->left = call_words(e, (uintptr_t)at->run->calls->quick, words, 2);
	leave_if(at, at->left, COMPILED_STANDS);
}

/* The ALUs' work and what becomes of it */
static void results(struct at *at)
{
	const struct qpu_op *op = at->op;
	struct emit *e = at->run->e;
	const bool flags = op->inst.sf;
	LLVMValueRef add_value = NULL, mul_value = NULL, carry = emit_splat(e, 0);
	LLVMValueRef add_mask = condition_mask(e, op->inst.cond_add),
		     mul_mask = condition_mask(e, op->inst.cond_mul);

	e->suspects = NULL;
	if (op->idle)
		return;
	if (op->mul)
		mul_value = mul(e, op);
	if (op->add)
		add_value = add(e, op, flags ? &carry : NULL);
	if (e->suspects)
		leave_before(at, emit_any_negative(e, e->suspects));
	if (op->quick)
		besides(at, op->add_io ? add_value : op->mul_io ? mul_value : NULL);
	if (op->add && op->add_slot < QPU_SLOTS)
		at->result[0] = store_lanes(e, slot_offset(op->add_slot), add_value, add_mask);
	if (op->mul && op->mul_slot < QPU_SLOTS)
		at->result[1] = store_lanes(e, slot_offset(op->mul_slot), mul_value, mul_mask);
	if (flags)
		store_flags(e, op->add ? add_value : mul_value, carry,
			    op->add ? add_mask : mul_mask);
}

/* An instruction that is not plain, which may have to wait */
static void call_between(struct at *at)
{
	const struct run *run = at->run;
	const struct emit *e = run->e;
	LLVMValueRef words[] = { number(e, at->n), run->left[at->n], number(e, 0) };
	LLVMValueRef pending = run->pending[at->n], due;

	if (pending) {
		due = number(e, 1u << (run->branch[at->n] + V3D_QPU_BRANCH_SLOTS + 1 - at->n));
		words[2] = e->llvm->BuildSelect(e->b, pending, due, words[2], "");
	}
	at->left = call_words(e, (uintptr_t)run->calls->between, words, 3);
	leave_if(at, at->left, COMPILED_STANDS);
}

/* An instruction by a call, as if it stood alone */
static void call_rest(const struct emit *e, const struct qpu_op *op, compile_rest rest)
{
	const struct llvm *l = e->llvm;
	LLVMTypeRef word = l->Int64TypeInContext(e->context), types[] = { e->pointer, e->pointer };
	LLVMTypeRef type = l->FunctionType(l->VoidTypeInContext(e->context), types, 2, false);
	LLVMValueRef function = l->ConstInt(word, (uintptr_t)rest, false);
	LLVMValueRef arguments[] = { e->qpu, l->ConstInt(word, (uintptr_t)op, false) };

	function = l->ConstIntToPtr(function, e->pointer);
	arguments[1] = l->ConstIntToPtr(arguments[1], e->pointer);
	l->BuildCall2(e->b, type, function, arguments, 2, "");
}

/* What the instruction reads through its ports and overwrites, before it does */
static void look_before(const struct emit *e, struct at *at)
{
	const struct qpu_op *op = at->op;
	LLVMTypeRef quad = e->llvm->VectorType(e->i32, 4);

	for (unsigned int n = 0; n < 2; n++) {
		if (op->port[n] < QPU_SLOTS) {
			at->port[n] = e->llvm->BuildLoad2(e->b, quad,
							  place(e, slot_offset(op->port[n]) + 48),
							  "");
			e->llvm->SetAlignment(at->port[n], 16);
		}
		if (op->old & 1u << n)
			at->old[n] = load(e, slot_offset(op->writes[n]));
	}
}

static void store_port(const struct emit *e, const struct at *at, unsigned int port)
{
	LLVMValueRef stored;

	stored = e->llvm->BuildStore(e->b, at->port[port], place(e, last_offset(port)));
	e->llvm->SetAlignment(stored, sizeof(uint32_t));
}

/* Is a branch taken? A bit */
static LLVMValueRef taken(const struct emit *e, unsigned int condition)
{
	const size_t flags = condition < 4 ? offsetof(struct qpu, zero) :
			     condition < 8 ? offsetof(struct qpu, negative) :
					     offsetof(struct qpu, carry);
	LLVMValueRef value, any;

	if (condition == V3D_QPU_BRANCH_ALWAYS)
		return e->llvm->ConstInt(e->i1, 1, false);
	/* "all set" and "any clear" look for one that is clear, the others for one that is set */
	value = load(e, flags);
	if ((condition & 3) == 0 || (condition & 3) == 3)
		value = e->llvm->BuildNot(e->b, value, "");
	any = emit_any_negative(e, value);
	return condition & 2 ? any : e->llvm->BuildNot(e->b, any, "");
}

/* A branch writes down where it goes */
static LLVMValueRef branch(const struct at *at)
{
	const struct run *run = at->run;
	const struct emit *e = run->e;
	const struct llvm *l = e->llvm;
	LLVMBasicBlockRef yes = l->AppendBasicBlockInContext(e->context, e->function, "");
	LLVMBasicBlockRef after = l->AppendBasicBlockInContext(e->context, e->function, "");
	LLVMValueRef is_taken = taken(e, at->op->inst.cond_br), step, index[1];

	l->BuildCondBr(e->b, is_taken, yes, after);
	l->PositionBuilderAtEnd(e->b, yes);
	step = place_word(e, offsetof(struct compiled_place, step));
	step = l->BuildAdd(e->b, step, place_word(e, offsetof(struct compiled_place, count)), "");
	step = l->BuildSub(e->b, step, run->left[at->n], "");
	step = l->BuildAdd(e->b, step, number(e, V3D_QPU_BRANCH_SLOTS), "");
	index[0] = l->BuildAnd(e->b, step, number(e, QPU_TARGETS - 1), "");
	l->BuildStore(e->b, target(run, at->n),
		      l->BuildGEP2(e->b, e->i32,
				   offset_of(e, e->thread, offsetof(struct qpu_thread, targets)),
				   index, 1, ""));
	l->BuildBr(e->b, after);
	l->PositionBuilderAtEnd(e->b, after);
	return is_taken;
}

/*
 * The instruction that a branch goes to without leaving the run, or COMPILED_WORDS: it follows the
 * last slot as it must, and no branch is before it in memory, which hazards are told from
 */
static unsigned int inside(const struct compiled *c, unsigned int branch)
{
	const struct v3d_qpu_inst *i = &c->op[branch].inst;
	const unsigned int slot = branch + V3D_QPU_BRANCH_SLOTS;
	const uint32_t to = slot + 1 + (int32_t)i->immediate / V3D_QPU_INSTRUCTION_BYTES;

	if (!i->rel || i->immediate % V3D_QPU_INSTRUCTION_BYTES || slot >= c->words ||
	    to >= c->words || !compile_follows(&c->op[slot], &c->op[to]) ||
	    (to && c->op[to - 1].inst.kind == V3D_QPU_BRANCH))
		return COMPILED_WORDS;
	return to;
}

/*
 * What the instruction alone has to leave behind if it is the last: what it overwrote, and what it
 * read through ports that the next one reads through as well
 */
static void leave_behind(const struct at *at, const struct qpu_op *next)
{
	for (unsigned int n = 0; n < 2; n++) {
		if (at->port[n] && next && next->port[n] < QPU_SLOTS)
			store_port(at->run->e, at, n);
		if (at->old[n])
			store(at->run->e, slot_offset(QPU_OLD + n), at->old[n]);
	}
}

/*
 * The instruction's own work; @next is NULL where not only that one may come next. Return: is a
 * branch pending after it? NULL: there is none
 */
static LLVMValueRef work(struct at *at, const struct qpu_op *next)
{
	const bool apart = !next || !next->plain;
	struct run *run = at->run;

	if (at->op->inst.kind == V3D_QPU_BRANCH)
		return branch(at);
	if (!at->op->plain && (!at->op->quick || is_rare(at->op))) {
		call_between(at);
		return run->pending[at->n];
	}
	if (is_called(at->op)) {
		call_rest(run->e, at->op, run->calls->rest);
		return run->pending[at->n];
	}
	if (at->op->quick == QPU_QUICK_UNIFORM)
		read_uniform(at);
	look_before(run->e, at);
	results(at);
	for (unsigned int n = 0; n < 2; n++) {
		if (at->port[n] && (apart || next->port[n] >= QPU_SLOTS))
			store_port(run->e, at, n);
		/* one that has to wait can be met alone, and by others */
		if (at->old[n] && apart)
			store(run->e, slot_offset(QPU_OLD + n), at->old[n]);
	}
	return run->pending[at->n];
}

/*
 * Another way to an instruction, from the end of a block. @results: of the instruction before it;
 * NULL: it was not executed, or is another one
 */
static void add_way(const struct run *run, unsigned int to, LLVMBasicBlockRef from,
		    LLVMValueRef left, LLVMValueRef pending, unsigned int before,
		    const LLVMValueRef *results)
{
	const struct emit *e = run->e;
	LLVMValueRef last = number(e, before), value;

	if (!pending)
		pending = e->llvm->ConstInt(e->i1, 0, false);
	e->llvm->AddIncoming(run->left[to], &left, &from, 1);
	e->llvm->AddIncoming(run->before[to], &last, &from, 1);
	if (run->pending[to])
		e->llvm->AddIncoming(run->pending[to], &pending, &from, 1);
	for (unsigned int n = 0; n < 2; n++) {
		if (!run->known[to][n])
			continue;
		value = results ? results[n] : load(e, slot_offset(run->slot[to][n]));
		e->llvm->AddIncoming(run->known[to][n], &value, &from, 1);
	}
}

/* To the next instruction, to where a branch goes, or out */
static void go_on(struct at *at, const struct qpu_op *next, LLVMValueRef pending)
{
	struct run *run = at->run;
	const struct emit *e = run->e;
	const struct llvm *l = e->llvm;
	const bool is_branch = at->op->inst.kind == V3D_QPU_BRANCH;
	const unsigned int branch = is_branch ? at->n : run->branch[at->n];
	const bool jumps = pending && at->n == branch + V3D_QPU_BRANCH_SLOTS;
	const unsigned int to = jumps ? inside(run->compiled, branch) : COMPILED_WORDS;
	LLVMBasicBlockRef exit = l->AppendBasicBlockInContext(e->context, e->function, ""), more;
	LLVMValueRef left = at->left, over;

	if (!left)
		left = l->BuildSub(e->b, run->left[at->n], number(e, 1), "");
	over = l->BuildICmp(e->b, LLVMIntEQ, left, number(e, 0), "");
	if (jumps && to == COMPILED_WORDS)
		over = l->BuildOr(e->b, over, pending, "");
	if (to < COMPILED_WORDS) {
		more = l->AppendBasicBlockInContext(e->context, e->function, "");
		l->BuildCondBr(e->b, over, exit, more);
		l->PositionBuilderAtEnd(e->b, more);
		add_way(run, to, more, left, NULL, at->n, NULL);
		if (next)
			add_way(run, at->n + 1, more, left, NULL, at->n, at->result);
		l->BuildCondBr(e->b, pending, run->block[to],
			       next ? run->block[at->n + 1] : exit);
	} else if (next) {
		add_way(run, at->n + 1, l->GetInsertBlock(e->b), left, pending, at->n,
			at->result);
		l->BuildCondBr(e->b, over, exit, run->block[at->n + 1]);
	} else {
		l->BuildBr(e->b, exit);
	}
	l->PositionBuilderAtEnd(e->b, exit);
	leave_behind(at, jumps ? NULL : next);
	leave(run, at->n + 1, left, number(e, at->n), pending, branch);
}

/* @count words of code in memory, from the @n-th on, against the run's: 0 if they are alike */
static LLVMValueRef differ(const struct run *run, LLVMValueRef words, unsigned int n,
			   unsigned int count)
{
	const struct emit *e = run->e;
	const struct llvm *l = e->llvm;
	LLVMTypeRef word = l->Int64TypeInContext(e->context);
	LLVMValueRef known[CHUNK], now;

	for (unsigned int k = 0; k < count; k++)
		known[k] = l->ConstInt(word, run->compiled->word[n + k], false);
	now = l->BuildLoad2(e->b, l->VectorType(word, count),
			    offset_of(e, words, n * sizeof(uint64_t)), "");
	l->SetAlignment(now, sizeof(uint64_t));
	return l->BuildXor(e->b, now, l->ConstVector(known, count), "");
}

/*
 * To @good if all words are in memory as they were, else nothing is executed. They may change at
 * any time: one that does so meanwhile is taken for what it was, or what it is.
 */
static void compare(const struct run *run, LLVMBasicBlockRef good)
{
	const struct emit *e = run->e;
	const struct llvm *l = e->llvm;
	const unsigned int words = run->compiled->words, chunk = MIN(words, CHUNK);
	LLVMBasicBlockRef bad = l->AppendBasicBlockInContext(e->context, e->function, "");
	LLVMTypeRef word = l->Int64TypeInContext(e->context);
	LLVMValueRef from, all = NULL, each, zero[CHUNK];

	from = l->BuildLoad2(e->b, e->pointer,
			     offset_of(e, e->place, offsetof(struct compiled_place, words)), "");
	for (unsigned int n = 0; n < words; n += chunk) {
		/* the last ones may be some that were already looked at */
		each = differ(run, from, MIN(n, words - chunk), chunk);
		all = all ? l->BuildOr(e->b, all, each, "") : each;
	}
	for (unsigned int n = 0; n < chunk; n++)
		zero[n] = l->ConstInt(word, 0, false);
	all = l->BuildICmp(e->b, LLVMIntNE, all, l->ConstVector(zero, chunk), "");
	all = l->BuildBitCast(e->b, all, l->IntTypeInContext(e->context, chunk), "");
	all = l->BuildICmp(e->b, LLVMIntNE, all,
			   l->ConstInt(l->IntTypeInContext(e->context, chunk), 0, false), "");
	l->BuildCondBr(e->b, all, bad, good);
	l->PositionBuilderAtEnd(e->b, bad);
	l->BuildRet(e->b, number(e, 0));
}

/* Does an ALU take an operand from a slot? */
static bool takes(const struct qpu_op *op, unsigned int slot)
{
	if (op->add && (op->add_a == slot || op->add_b == slot))
		return true;
	if (op->mul && op->pick)
		return unrotated(op, op->inst.mul_a) == slot ||
		       unrotated(op, op->inst.mul_b) == slot;
	return op->mul && (op->mul_a == slot || op->mul_b == slot);
}

/* What the instruction at @n takes of the one before it */
static void begin_known(struct run *run, unsigned int n)
{
	const struct qpu_op *op = &run->compiled->op[n];

	run->slot[n][0] = run->slot[n][1] = QPU_SLOTS;
	if (!n || is_called(op) || is_called(op - 1) || op[-1].inst.kind == V3D_QPU_BRANCH)
		return;
	for (unsigned int i = 0; i < 2; i++) {
		const unsigned int slot = i ? op[-1].mul_slot : op[-1].add_slot;

		if (!(i ? op[-1].mul : op[-1].add) || slot >= QPU_SLOTS || !takes(op, slot))
			continue;
		run->slot[n][i] = slot;
		run->known[n][i] = run->e->llvm->BuildPhi(run->e->b, run->e->lanes, "");
	}
}

/* A block for each instruction, and what it has to know when it is entered */
static void begin_block(struct run *run, unsigned int n)
{
	const struct emit *e = run->e;
	const struct llvm *l = e->llvm;

	run->entry[n] = l->AppendBasicBlockInContext(e->context, e->function, "");
	run->block[n] = l->AppendBasicBlockInContext(e->context, e->function, "");
	l->PositionBuilderAtEnd(e->b, run->block[n]);
	run->left[n] = l->BuildPhi(e->b, e->i32, "");
	run->before[n] = l->BuildPhi(e->b, e->i32, "");
	run->branch[n] = COMPILED_WORDS;
	for (unsigned int b = 1; b <= V3D_QPU_BRANCH_SLOTS && b <= n; b++)
		if (run->compiled->op[n - b].inst.kind == V3D_QPU_BRANCH)
			run->branch[n] = n - b;
	if (run->branch[n] < COMPILED_WORDS)
		run->pending[n] = l->BuildPhi(e->b, e->i1, "");
	begin_known(run, n);
	l->PositionBuilderAtEnd(e->b, run->entry[n]);
	add_way(run, n, run->entry[n], e->count, NULL, n, NULL);
	l->BuildBr(e->b, run->block[n]);
}

/* All blocks, and the ways to them from outside */
static void begin_blocks(struct run *run)
{
	const struct emit *e = run->e;
	const struct llvm *l = e->llvm;
	LLVMBasicBlockRef first = l->AppendBasicBlockInContext(e->context, e->function, "");
	LLVMBasicBlockRef wrong = l->AppendBasicBlockInContext(e->context, e->function, "");
	LLVMBasicBlockRef same = l->AppendBasicBlockInContext(e->context, e->function, "");
	LLVMValueRef to;

	l->PositionBuilderAtEnd(e->b, wrong);
	l->BuildUnreachable(e->b);
	l->PositionBuilderAtEnd(e->b, first);
	compare(run, same);
	l->PositionBuilderAtEnd(e->b, same);
	to = l->BuildSwitch(e->b, l->GetParam(e->function, 3), wrong, run->compiled->words);
	for (unsigned int n = 0; n < run->compiled->words; n++) {
		begin_block(run, n);
		l->AddCase(to, number(e, n), run->entry[n]);
	}
}

void emit_run(struct emit *e, const struct compiled *compiled, const struct compile_calls *calls)
{
	struct run run = { .e = e, .compiled = compiled, .calls = calls };

	begin_blocks(&run);
	for (unsigned int n = 0; n < compiled->words; n++) {
		const struct qpu_op *next = n + 1 < compiled->words ? &compiled->op[n + 1] : NULL;
		struct at at = { .run = &run, .op = &compiled->op[n], .n = n };
		const bool slot = n >= V3D_QPU_BRANCH_SLOTS &&
				  run.branch[n] == n - V3D_QPU_BRANCH_SLOTS;

		for (unsigned int i = 0; i < 2; i++) {
			e->slot[i] = run.slot[n][i];
			e->known[i] = run.known[n][i];
		}
		e->llvm->PositionBuilderAtEnd(e->b, run.block[n]);
		go_on(&at, next, work(&at, slot ? NULL : next));
	}
}
