// SPDX-License-Identifier: MIT
/* One QPU, executed: see qpu.h. */
#include <string.h>
#include <sys/param.h>

#include "core/sim.h"
#include "qps_state.h"
#include "qpu_lanes.h"
#include "qpu_trace.h"

#pragma GCC diagnostic ignored \
	"-Wpsabi" /* vectors are passed by value between inlined functions only */

/* Bytes of qpu_thread.due */
#define DUE_BRANCH 0
#define DUE_END 8
#define DUE_SWITCH 16
#define DUE_SFU 24
#define DUE(kind, instructions) (1u << ((kind) + (instructions)))

/**
 * struct run - what one call of qpu_run() keeps at hand
 * @line: @size bytes of instructions at @base, in place or in @copy; NULL: fetch anew
 * @cleared: the caches' count of clears when @line was taken; @callbacks: the chip's of callbacks
 */
struct run {
	struct v3dsim *sim;
	struct qpu *q;
	const uint64_t *line;
	uint32_t base, size, cleared, callbacks;
	uint64_t copy[CACHE_LINE / 8];
};

static const char *const rule_names[] = {
#define RULE_NAME(NAME, name, text) [QPU_RULE_##NAME] = #name,
	QPU_RULES(RULE_NAME)
};

static const char *const rule_texts[] = {
#define RULE_TEXT(NAME, name, text) [QPU_RULE_##NAME] = text,
	QPU_RULES(RULE_TEXT)
};

const char *qpu_stall_text(enum qpu_stall stall)
{
	static const char *const texts[] = {
		[QPU_STALL_NONE] = "nothing",
		[QPU_STALL_LOAD] = "its DMA load (VDR)",
		[QPU_STALL_STORE] = "its DMA store (VDW)",
		[QPU_STALL_MUTEX] = "the mutex",
		[QPU_STALL_SEMAPHORE_UP] = "a semaphore that is at 15, to be decremented",
		[QPU_STALL_SEMAPHORE_DOWN] = "a semaphore that is at 0, to be incremented",
		[QPU_STALL_VPM_EMPTY] = "VPM data that was not set up to be read",
		[QPU_STALL_TMU_EMPTY] = "a TMU result that was not requested",
		[QPU_STALL_TMU_FULL] = "room in the TMU's FIFO, which holds 8 results",
		[QPU_STALL_BREAKPOINT] = "a debugger: software breakpoint",
	};

	return texts[stall];
}

void qpu_broken(struct v3dsim *sim, const struct qpu *q, uint32_t pc, enum qpu_rule rule)
{
	sim->stats.broken_rules++;
	sim->stats.broken |= 1u << rule;
	if (trace_wanted(&sim->config, V3DSIM_TRACE_QPU))
		trace_line(sim, V3DSIM_TRACE_QPU, pc, "QPU%u 0x%08x broken rule %s: %s", q->number,
			   pc, rule_names[rule], rule_texts[rule]);
}

/* Which element each one is after a rotation: element 0 moves to the place that is its number */
static void fill_rotations(struct lanes *rotations)
{
	for (unsigned int amount = 0; amount < V3D_QPU_LANES; amount++) {
		for (unsigned int n = 0; n < V3D_QPU_LANES; n++) {
			rotations[amount].lane[n] = (n & 12) | ((n - amount) & 3);
			rotations[V3D_QPU_LANES + amount].lane[n] = (n - amount) & 15;
		}
	}
}

void qpu_reset(struct qpu *q, unsigned int number, const struct alu_table *alu)
{
	memset(q, 0, sizeof(*q));
	for (unsigned int code = 0; code < 64; code++)
		lanes_fill(&q->regs[QPU_IMMEDIATES + code], v3d_qpu_small_immediate(code));
	fill_rotations(&q->regs[QPU_ROTATIONS]);
	q->alu = alu;
	q->number = number;
	q->written[0] = q->written[1] = QPU_SLOTS + 1;
}

void qpu_inherit(struct qpu *q, const struct qpu *from, uint32_t residue)
{
	if (!from) {
		for (unsigned int n = 0; n < QPU_IMMEDIATES; n++)
			lanes_fill(&q->regs[n], residue);
		lanes_fill(&q->zero, residue ? ~0u : 0);
		lanes_fill(&q->negative, residue ? ~0u : 0);
		lanes_fill(&q->carry, residue ? ~0u : 0);
		return;
	}
	memcpy(q->regs, from->regs, QPU_PORT_A * sizeof(q->regs[0]));
	q->zero = from->zero;
	q->negative = from->negative;
	q->carry = from->carry;
}

void qpu_start(struct qpu *q, unsigned int thread, uint32_t pc, uint32_t uniforms, uint32_t limit)
{
	if (thread == 0) {
		tmu_reset(&q->tmu[0]);
		tmu_reset(&q->tmu[1]);
		memset(q->last, 0, sizeof(q->last));
		/* transfers go on */
		q->port = (struct vpm_port){ .load = q->port.load, .store = q->port.store };
		q->written[0] = q->written[1] = QPU_SLOTS + 1;
		q->current = 0;
		q->kind = QPU_USER;
		q->fragment = NULL;
		q->running = true;
	}
	q->stall = QPU_STALL_NONE;
	q->touched = true;
	q->threads[thread] = (struct qpu_thread){
		.active = true, .pc = pc, .uniforms = uniforms, .uniforms_left = limit
	};
}

/* AG100 p. 20: a second thread sees upper and lower 16 locations of each file exchanged. */
static void exchange_halves(struct qpu *q)
{
	for (unsigned int n = 0; n < 16; n++) {
		const struct lanes a = q->regs[QPU_FILE_A + n], b = q->regs[QPU_FILE_B + n];

		q->regs[QPU_FILE_A + n] = q->regs[QPU_FILE_A + n + 16];
		q->regs[QPU_FILE_A + n + 16] = a;
		q->regs[QPU_FILE_B + n] = q->regs[QPU_FILE_B + n + 16];
		q->regs[QPU_FILE_B + n + 16] = b;
	}
}

void qpu_switch(struct qpu *q)
{
	if (!q->threads[!q->current].active)
		return;
	q->current = !q->current;
	q->written[0] = q->written[1] = QPU_SLOTS + 1;
	exchange_halves(q);
}

/* Instructions where they lie: @size bytes around pc */
static bool look(struct run *r, uint32_t pc, uint32_t size)
{
	r->size = size;
	r->base = pc & ~(size - 1);
	r->line = bus_peek(r->sim, V3DSIM_UNIT_ICACHE, r->base, size);
	if ((uintptr_t)r->line % 8)
		r->line = NULL;
	return r->line;
}

/* Is what was looked at still there to be looked at? */
static inline bool at_hand(const struct run *r)
{
	return r->line && r->cleared == r->sim->cache.cleared && r->callbacks == r->sim->callbacks;
}

/* Instructions around pc in place, with ideal caches, for as long as the host is not called */
static bool look_around(struct run *r, uint32_t pc)
{
	if (!look(r, pc, 4096) && !look(r, pc, CACHE_LINE))
		return false;
	r->cleared = r->sim->cache.cleared;
	r->callbacks = r->sim->callbacks;
	return true;
}

/* The instruction at pc, from a piece of memory that is looked up once */
static bool fetch(struct run *r, uint32_t pc, uint64_t *word)
{
	struct v3dsim *sim = r->sim;

	if (at_hand(r) && pc - r->base < r->size) {
		if (r->line == r->copy)
			pctr_count(sim, V3D_COUNTER_qpu_icache_hits, 1);
	} else if (sim->config.caches == V3DSIM_CACHES_IDEAL) {
		if (!look_around(r, pc))
			return cache_fetch(sim, CACHE_INSTRUCTION, r->q->number / 4, pc, word,
					   sizeof(*word));
	} else {
		r->cleared = sim->cache.cleared;
		r->line = NULL;
		r->size = CACHE_LINE;
		r->base = pc & ~(r->size - 1);
		if (!cache_fetch(sim, CACHE_INSTRUCTION, r->q->number / 4, r->base, r->copy,
				 CACHE_LINE))
			return false;
		r->line = r->copy;
		r->callbacks = sim->callbacks;
	}
	*word = __atomic_load_n(&r->line[(pc - r->base) / 8], __ATOMIC_RELAXED);
	return true;
}

/* Is an operand a small immediate that may be no number (imm-48)? */
static bool takes_rotation(const struct v3d_qpu_inst *i)
{
	return i->kind == V3D_QPU_ALU_SMALL_IMMEDIATE && i->raddr_b >= V3D_QPU_ROTATE &&
	       v3d_qpu_reads(i, V3D_QPU_B);
}

/* The mode "imm-48" strikes when an instruction is decoded: what it gives is in the registers */
static void decode(struct v3dsim *sim, struct qpu_op *op, uint64_t word)
{
	struct qpu_op *first = sim->qps->decoded;

	qpu_decode(sim->qps->alu, op, word);
	if (takes_rotation(&op->inst))
		chip_strike(sim, V3D_CHIP_IMM_48);
	for (unsigned int n = 1; n < QPU_RUN && op - n >= first; n++)
		op[-(int)n].run = 0;
}

static inline const struct qpu_op *ready(struct v3dsim *sim, uint32_t pc, uint64_t word)
{
	struct qpu_op *op = &sim->qps->decoded[pc / 8 % QPS_DECODED];

	if (__builtin_expect(op->word != word || !op->valid, 0))
		decode(sim, op, word);
	return op;
}

/* Unpacking, but for single bytes: AG100 Tables 6 and 8 */
static uint32_t unpack(uint32_t value, unsigned int mode, bool to_float)
{
	uint32_t part;

	switch (mode) {
	case 0:
		return value;
	case 1:
	case 2:
		part = value >> (mode == 2 ? 16 : 0) & 0xffff;
		return to_float ? alu_half_to_float(part) : (uint32_t)(int32_t)(int16_t)part;
	default:
		return (value >> 24) * 0x01010101;
	}
}

static void unpack_inputs(struct qpu *q, const struct qpu_op *op, const struct lanes *a)
{
	const struct lanes *from = op->inst.pm ? &q->regs[QPU_ACC + 4] : a;
	struct lanes *to = &q->regs[op->inst.pm ? QPU_UNPACKED_R4 : QPU_UNPACKED_A];
	const unsigned int mode = op->inst.unpack;
	const bool to_float = op->inst.pm || op->float_input;

	if (mode >= 4) {
		EACH_PART(p)
			to->u[p] = from->u[p] >> 8 * (mode - 4) & 0xff;
		if (to_float)
			q->alu->from_color(to, to, NULL, NULL);
		return;
	}
	for (unsigned int n = 0; n < V3D_QPU_LANES && mode; n++)
		to->lane[n] = unpack(from->lane[n], mode, to_float);
}

/* HW: a full rotation only of what comes from r0 to r3, else within quads */
static void rotate(const struct qpu *q, alu_op pick, struct lanes *out, const struct lanes *in,
		   unsigned int amount, bool full)
{
	pick(out, in, &q->regs[QPU_ROTATIONS + full * V3D_QPU_LANES + amount], NULL);
}

/* The slot of a mul operand before it is rotated */
static const struct lanes *unrotated(const struct qpu *q, const struct qpu_op *op, unsigned int mux,
				     const struct lanes *a)
{
	if (mux == V3D_QPU_A)
		return !op->inst.pm && op->inst.unpack && op->inst.raddr_a < 32 ?
			       &q->regs[QPU_UNPACKED_A] :
			       a;
	if (mux == V3D_QPU_B)
		return &q->regs[QPU_IMMEDIATES + op->inst.raddr_b];
	if (mux == V3D_QPU_R4 && op->inst.pm && op->inst.unpack)
		return &q->regs[QPU_UNPACKED_R4];
	return &q->regs[QPU_ACC + mux];
}

static void prepare_inputs(struct qpu *q, const struct qpu_op *op, const struct lanes *a)
{
	const struct v3d_qpu_inst *i = &op->inst;
	unsigned int amount = i->raddr_b & 15;

	if (i->unpack)
		unpack_inputs(q, op, a);
	if (!op->pick)
		return;
	if (i->raddr_b == V3D_QPU_ROTATE)
		amount = q->regs[QPU_ACC + 5].lane[0] & 15;
	rotate(q, op->pick, &q->regs[QPU_ROTATED_A], unrotated(q, op, i->mul_a, a), amount,
	       i->mul_a <= V3D_QPU_R3);
	if (op->mul_b == QPU_ROTATED_B)
		rotate(q, op->pick, &q->regs[QPU_ROTATED_B], unrotated(q, op, i->mul_b, a), amount,
		       i->mul_b <= V3D_QPU_R3);
}

/* The same, a bit a lane */
static uint16_t condition_bits(const struct qpu *q, unsigned int condition)
{
	struct lanes mask;
	uint16_t bits = 0;

	if (condition == V3D_QPU_COND_ALWAYS)
		return 0xffff;
	condition_mask(q, condition, &mask);
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++)
		bits |= (mask.lane[n] & 1) << n;
	return bits;
}

/* Saturation of one lane: HW, see AG100 Table 7 */
static uint32_t saturate(int32_t value, int32_t low, int32_t high, uint32_t overflowed,
			 bool overflow)
{
	const int32_t own = MIN(MAX(value, low), high);

	if (!overflow)
		return own;
	return value >= low && value <= high ? overflowed : overflowed & (uint32_t)own;
}

/*
 * An integer packed; @direction: 1 overflowed upwards, -1 downwards. The mask says which bits are
 * written.
 */
static uint32_t pack_integer(uint32_t value, unsigned int mode, int direction, uint32_t *mask)
{
	const bool saturating = mode >= 8;
	const uint32_t half = direction > 0 ? 0x7fff : 0x8000, byte = direction > 0 ? 0xff : 0;
	uint32_t part;

	switch (mode & 7) {
	case 0:
		*mask = ~0u;
		return direction > 0 ? 0x7fffffff : direction < 0 ? 0x80000000 : value;
	case 1:
	case 2:
		if (saturating)
			part = saturate(value, -0x8000, 0x7fff, direction > 0 ? 0x7fff : 0xffff8000,
					direction) &
			       0xffff;
		else
			part = direction ? half : value & 0xffff;
		*mask = (mode & 7) == 2 ? 0xffff0000 : 0xffff;
		return part * 0x10001;
	default:
		if (saturating)
			part = saturate(value, 0, 0xff, byte, direction);
		else
			part = direction ? byte : value & 0xff;
		*mask = (mode & 7) == 3 ? ~0u : 0xffu << 8 * ((mode & 7) - 4);
		return part * 0x01010101;
	}
}

static uint32_t pack_half(uint32_t value, unsigned int mode, uint32_t *mask)
{
	*mask = (mode & 7) == 2 ? 0xffff0000 : 0xffff;
	return alu_float_to_half(value) * 0x10001u;
}

/* What an ALU's result becomes, and which bits of it count */
static void pack(const struct alu_table *alu, struct lanes *value, struct lanes *mask,
		 unsigned int pack, const struct lanes *up, const struct lanes *down)
{
	const unsigned int mode = pack & 15, kind = pack >> 4;
	const bool half = kind == QPU_PACK_A_FLOAT && ((mode & 7) == 1 || (mode & 7) == 2);

	if (kind == QPU_PACK_MUL) {
		alu->to_color(value, value, NULL, NULL);
		lanes_fill(mask, mode == 3 ? ~0u : 0xffu << 8 * (mode - 4));
		return;
	}
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++) {
		uint32_t *v = &value->lane[n], *m = &mask->lane[n];

		if (half)
			*v = pack_half(*v, mode, m);
		else
			*v = pack_integer(*v, mode, up->lane[n] ? 1 : down->lane[n] ? -1 : 0, m);
	}
}

/*
 * AG100 Table 14: in A's space element 0 of each quad for the quad, in B's element 0 for all, under
 * the condition of that element
 */
static void write_r5(struct qpu *q, const struct lanes *value, const struct lanes *mask, bool in_b,
		     unsigned int condition)
{
	struct lanes *r5 = &q->regs[QPU_ACC + 5], passes;

	if (condition == V3D_QPU_COND_ALWAYS)
		lanes_fill(&passes, ~0u);
	else
		condition_mask(q, condition, &passes);
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++) {
		const unsigned int from = in_b ? 0 : n & ~3u;
		const uint32_t bits = mask->lane[from] & passes.lane[from];

		r5->lane[n] = (r5->lane[n] & ~bits) | (value->lane[from] & bits);
	}
}

/* A result that is packed, goes to r5, or to the register space */
static bool write_special(struct v3dsim *sim, struct qpu *q, const struct qpu_op *op, bool mul,
			  struct lanes *value, const struct lanes *up, const struct lanes *down,
			  uint32_t *rules)
{
	const unsigned int slot = mul ? op->mul_slot : op->add_slot,
			   io = mul ? op->mul_io : op->add_io;
	const unsigned int packing = mul ? op->mul_pack : op->add_pack;
	const unsigned int condition = mul ? op->inst.cond_mul : op->inst.cond_add;
	const bool in_b = mul ? !op->inst.ws : op->inst.ws;
	struct lanes mask, passes;

	lanes_fill(&mask, ~0u);
	if (packing)
		pack(q->alu, value, &mask, packing, up, down);
	if (slot < QPU_SLOTS) {
		if (condition != V3D_QPU_COND_ALWAYS) {
			condition_mask(q, condition, &passes);
			EACH_PART(p)
				mask.u[p] &= passes.u[p];
		}
		blend(&q->regs[slot], value, &mask);
		return true;
	}
	if (io == V3D_QPU_W_ACC5) {
		write_r5(q, value, &mask, in_b, condition);
		return true;
	}
	if (!io)
		return true;
	EACH_PART(p)
		value->u[p] &= mask.u[p];
	return qpu_write_io(sim, q, io, in_b, value, condition_bits(q, condition), rules);
}

/* To the register space as it is, in all lanes */
static bool goes_out(const struct qpu_op *op, bool mul)
{
	return mul ? op->mul_io && op->mul_io != V3D_QPU_W_ACC5 && !op->mul_pack &&
			       op->inst.cond_mul == V3D_QPU_COND_ALWAYS :
		     op->add_io && op->add_io != V3D_QPU_W_ACC5 && !op->add_pack &&
			       op->inst.cond_add == V3D_QPU_COND_ALWAYS;
}

static bool execute_special(struct v3dsim *sim, struct qpu *q, const struct qpu_op *op,
			    struct lanes *add, struct lanes *mul, const struct lanes *add_a,
			    const struct lanes *add_b, uint32_t *rules)
{
	static const struct lanes none;
	struct lanes up, down, result;
	bool done = true;
	bool overflow = false;

	if (op->add_pack && !(op->flags & QPU_OP_OTHER))
		overflow = alu_overflow(op->inst.op_add, add_a, add_b, &up, &down);
	if (op->add && goes_out(op, false)) {
		done = qpu_write_io(sim, q, op->add_io, op->inst.ws, add, 0xffff, rules);
	} else if (op->add) {
		result = *add;
		done = write_special(sim, q, op, false, &result, overflow ? &up : &none,
				     overflow ? &down : &none, rules);
	}
	if (op->mul && done && goes_out(op, true)) {
		done = qpu_write_io(sim, q, op->mul_io, !op->inst.ws, mul, 0xffff, rules);
	} else if (op->mul && done) {
		result = *mul;
		done = write_special(sim, q, op, true, &result, &none, &none, rules);
	}
	return done;
}

/* A slot, unless it is of the files and was written by the previous instruction */
static inline const struct lanes *source(const struct qpu *q, unsigned int slot)
{
	if (__builtin_expect(slot == q->written[0], 0))
		return &q->regs[QPU_OLD];
	if (__builtin_expect(slot == q->written[1], 0))
		return &q->regs[QPU_OLD + 1];
	return &q->regs[slot];
}

/* Both ALUs, the results, the flags */
static inline bool operate(struct v3dsim *sim, struct qpu *q, const struct qpu_op *op,
			   const struct lanes *add_a, const struct lanes *add_b,
			   const struct lanes *mul_a, const struct lanes *mul_b, uint32_t *rules)
{
	const bool flags = op->inst.sf;
	struct lanes add, mul, carry;

	if (op->add)
		op->add(&add, add_a, add_b, flags ? &carry : NULL);
	if (op->mul)
		op->mul(&mul, mul_a, mul_b, flags && !op->add ? &carry : NULL);
	if (__builtin_expect(op->flags & QPU_OP_SPECIAL, 0)) {
		if (!execute_special(sim, q, op, &add, &mul, add_a, add_b, rules))
			return false;
	} else {
		if (op->add_slot < QPU_SLOTS)
			store(q, &q->regs[op->add_slot], &add, op->inst.cond_add);
		if (op->mul_slot < QPU_SLOTS)
			store(q, &q->regs[op->mul_slot], &mul, op->inst.cond_mul);
	}
	if (flags) {
		if (op->add)
			set_flags(q, &add, &carry, op->inst.cond_add);
		else
			set_flags(q, &mul, &carry, op->inst.cond_mul);
	}
	return true;
}

/* An instruction with its operands, whatever the last one did to where they come from */
static inline bool execute(struct v3dsim *sim, struct qpu *q, const struct qpu_op *op,
			   uint32_t *rules)
{
	const struct lanes *add_a = source(q, op->add_a), *add_b = source(q, op->add_b);
	const struct lanes *mul_a = source(q, op->mul_a), *mul_b = source(q, op->mul_b);
	struct lanes old_a, old_b;

	/* Operands are kept where keep_old() is about to overwrite what they were read from. */
	if (__builtin_expect(*rules & (1u << QPU_RULE_REGISTER_LATENCY), 0)) {
		old_a = q->regs[QPU_OLD];
		old_b = q->regs[QPU_OLD + 1];
#define KEPT(x) ((x) == &q->regs[QPU_OLD] ? &old_a : (x) == &q->regs[QPU_OLD + 1] ? &old_b : (x))
		add_a = KEPT(add_a);
		add_b = KEPT(add_b);
		mul_a = KEPT(mul_a);
		mul_b = KEPT(mul_b);
	}
	keep_old(q, q->written, op);
	return operate(sim, q, op, add_a, add_b, mul_a, mul_b, rules);
}

bool qpu_operate(struct v3dsim *sim, struct qpu *q, const struct qpu_op *op, uint32_t *rules)
{
	const struct lanes *regs = q->regs;

	return operate(sim, q, op, &regs[op->add_a], &regs[op->add_b], &regs[op->mul_a],
		       &regs[op->mul_b], rules);
}

void qpu_inputs(struct qpu *q, const struct qpu_op *op)
{
	prepare_inputs(q, op, &q->regs[QPU_FILE_A + (op->inst.raddr_a & 31)]);
}

void qpu_immediate(struct lanes *out, const struct v3d_qpu_inst *i)
{
	if (i->kind != V3D_QPU_LOAD_SIGNED && i->kind != V3D_QPU_LOAD_UNSIGNED) {
		lanes_fill(out, i->immediate);
		return;
	}
	for (unsigned int n = 0; n < V3D_QPU_LANES; n++) {
		const uint32_t high = i->immediate >> (n + 16) & 1, low = i->immediate >> n & 1;

		out->lane[n] = i->kind == V3D_QPU_LOAD_SIGNED ? low - 2 * high : low + 2 * high;
	}
}

/*
 * The value that comes out of both ALUs. Return: false if the instruction does nothing further (a
 * branch not taken)
 */
static bool prepare_other(struct qpu *q, struct qpu_thread *t, const struct qpu_op *op)
{
	const struct v3d_qpu_inst *i = &op->inst;
	struct lanes *out = &q->regs[QPU_PORT_A];

	if (i->kind != V3D_QPU_BRANCH) {
		qpu_immediate(out, i);
		return true;
	}
	if (!branch_taken(q, i->cond_br))
		return false;
	t->targets[(t->step + V3D_QPU_BRANCH_SLOTS) % QPU_TARGETS] =
		branch_target(i, t->pc, source(q, QPU_FILE_A + i->branch_raddr_a));
	t->due |= DUE(DUE_BRANCH, V3D_QPU_BRANCH_SLOTS + 1);
	lanes_fill(out, branch_link(t->pc));
	return true;
}

/* Hazards that an instruction meets, as rules */
static uint32_t hazard_rules(uint32_t met)
{
	static const struct {
		uint32_t hazard, rule;
	} table[] = {
		{ QPU_HAZARD_ACC(5), QPU_RULE_ROTATE_R5 },
		{ QPU_HAZARD_ACC(0) | QPU_HAZARD_ACC(1) | QPU_HAZARD_ACC(2) | QPU_HAZARD_ACC(3),
		  QPU_RULE_ROTATE_ACCUMULATOR },
		{ QPU_HAZARD_SFU, QPU_RULE_SFU_R4 },
		{ QPU_HAZARD_UNIFORMS, QPU_RULE_UNIFORMS_ADDRESS },
		{ QPU_HAZARD_BRANCH, QPU_RULE_BRANCH_SLOTS },
		{ QPU_HAZARD_NOSWAP, QPU_RULE_NOSWAP },
		{ QPU_HAZARD_END, QPU_RULE_END_ACCESS },
		{ QPU_HAZARD_END_14, QPU_RULE_END_ADDRESS_14 },
		{ QPU_HAZARD_LAST, QPU_RULE_END_TLB_Z },
		{ QPU_HAZARD_TLB_Z, QPU_RULE_TLB_Z_MASK },
	};
	uint32_t rules = 0;

	for (unsigned int n = 0; n < sizeof(table) / sizeof(table[0]); n++)
		if (met & table[n].hazard)
			rules |= 1u << table[n].rule;
	return rules;
}

/* A signal of a peripheral's */
static void load_r4(struct v3dsim *sim, struct qpu *q, unsigned int sig)
{
	const peripheral_load load = sim->qps->peripherals.load[sig];

	if (load)
		load(sim, q, sig, &q->regs[QPU_ACC + 4]);
}

static void signal_after(struct v3dsim *sim, struct qpu *q, struct qpu_thread *t, unsigned int sig)
{
	switch (sig) {
	case V3D_QPU_SIG_THREAD_SWITCH:
	case V3D_QPU_SIG_LAST_THREAD_SWITCH:
		t->due |= DUE(DUE_SWITCH, 3);
		break;
	case V3D_QPU_SIG_LOAD_COLOR_END:
		load_r4(sim, q, sig);
		t->due |= DUE(DUE_END, 3);
		break;
	case V3D_QPU_SIG_PROGRAM_END:
		t->due |= DUE(DUE_END, 3);
		break;
	case V3D_QPU_SIG_LOAD_COVERAGE:
	case V3D_QPU_SIG_LOAD_COLOR:
	case V3D_QPU_SIG_LOAD_ALPHA_MASK:
		load_r4(sim, q, sig);
		break;
	case V3D_QPU_SIG_LOAD_TMU0:
	case V3D_QPU_SIG_LOAD_TMU1:
		qpu_load_tmu(sim, q, sig - V3D_QPU_SIG_LOAD_TMU0);
		break;
	default:
		break;
	}
}

/* What became due at the end of this instruction. Return: QPU_SPENT to go on */
static enum qpu_outcome come_due(struct qpu *q, struct qpu_thread *t)
{
	uint32_t fired;

	t->due = t->due >> 1 & 0x7f7f7f7f;
	fired = t->due;
	if (fired & DUE(DUE_SFU, 0))
		q->regs[QPU_ACC + 4] = q->sfu[t->step % 4];
	if (fired & DUE(DUE_BRANCH, 0))
		t->pc = t->targets[t->step % QPU_TARGETS];
	if (fired & DUE(DUE_END, 0)) {
		t->active = false;
		return QPU_ENDED;
	}
	return fired & DUE(DUE_SWITCH, 0) ? QPU_SWITCHED : QPU_SPENT;
}

/* A program is over: what it leaves behind for the next one */
static uint32_t left_behind(const struct v3dsim *sim, const struct qpu *q)
{
	uint32_t left = 0;

	if (q->threads[!q->current].active)
		return 0;
	for (unsigned int tmu = 0; tmu < 2; tmu++)
		if (q->tmu[tmu].count || q->tmu[tmu].taken)
			left |= 1u << QPU_LEFT_TMU;
	if (q->kind == QPU_VERTEX && q->port.read.left)
		left |= 1u << QPU_LEFT_VPM;
	if (q->port.load.busy || q->port.store.busy)
		left |= 1u << QPU_LEFT_DMA;
	if (sim->qps->mutex_owner == q->number && q->kind == QPU_USER)
		left |= 1u << QPU_LEFT_MUTEX;
	return left;
}

static void report(struct v3dsim *sim, const struct qpu *q, uint32_t pc, uint32_t rules)
{
	while (rules) {
		const unsigned int rule = __builtin_ctz(rules);

		rules &= rules - 1;
		qpu_broken(sim, q, pc, rule);
	}
}

static enum qpu_outcome failed(struct qpu *q)
{
	q->faulted = true;
	return QPU_FAULTED;
}

/* Waits, ports and inputs, for instructions that have any. Return: QPU_SPENT to go on */
static enum qpu_outcome prepare(struct v3dsim *sim, struct qpu *q, const struct qpu_op *op,
				uint32_t *rules, bool *nothing)
{
	if (op->flags & QPU_OP_STALLS) {
		switch (qpu_wait(sim, q, op)) {
		case QPU_GO:
			break;
		case QPU_WAIT:
			return QPU_STALLED;
		case QPU_WAIT_FAULT:
			return failed(q);
		}
	}
	if (op->flags & QPU_OP_PORTS && !qpu_ports(sim, q, op, rules))
		return failed(q);
	if (op->flags & QPU_OP_INPUTS)
		prepare_inputs(q, op, source(q, QPU_FILE_A + (op->inst.raddr_a & 31)));
	if (op->flags & QPU_OP_OTHER)
		*nothing = !prepare_other(q, &q->threads[q->current], op);
	return QPU_SPENT;
}

/* Rules that an instruction breaks where it stands: @met are the hazards of those before it */
static inline uint32_t rules_broken(const struct qpu *q, const struct qpu_op *op, uint32_t met,
				    uint32_t pc)
{
	uint32_t rules = op->rules;

	if (q->kind == QPU_FRAGMENT)
		rules &= ~(1u << QPU_RULE_FRAGMENT_ONLY);
	if (__builtin_expect(op->conflicts & met, 0))
		rules |= hazard_rules(op->conflicts & met);
	if (__builtin_expect(op->read[0] == q->written[0] || op->read[1] == q->written[1], 0))
		rules |= 1u << QPU_RULE_REGISTER_LATENCY;
	if (__builtin_expect(pc & 7, 0))
		rules |= 1u << QPU_RULE_ADDRESS;
	return rules;
}

/* One instruction, which is at hand. Return: QPU_SPENT to go on */
static inline enum qpu_outcome step_op(struct v3dsim *sim, struct qpu *q, const struct qpu_op *op)
{
	struct qpu_thread *t = &q->threads[q->current];
	const uint32_t pc = t->pc;
	const bool traced = trace_wanted(&sim->config, V3DSIM_TRACE_QPU);
	enum qpu_outcome outcome = QPU_SPENT;
	uint32_t rules = rules_broken(q, op, t->hazards[0], pc);
	bool nothing = false;
	struct lanes r4;

	q->stall = QPU_STALL_NONE;
	if (op->flags & (QPU_OP_STALLS | QPU_OP_PORTS | QPU_OP_INPUTS | QPU_OP_OTHER)) {
		outcome = prepare(sim, q, op, &rules, &nothing);
		if (outcome != QPU_SPENT)
			return outcome;
	}
	if (__builtin_expect(traced, 0))
		qpu_trace_instruction(sim, q, op->word, &r4);
	remember_ports(q, op);
	if (__builtin_expect(!nothing, 1)) {
		if (__builtin_expect(!execute(sim, q, op, &rules), 0)) {
			report(sim, q, pc, rules);
			return failed(q);
		}
	} else {
		q->written[0] = q->written[1] = QPU_SLOTS + 1;
	}
	if (op->flags & QPU_OP_VARYING && sim->qps->peripherals.varying_was_read)
		sim->qps->peripherals.varying_was_read(q);
	if (op->flags & QPU_OP_SIGNAL)
		signal_after(sim, q, t, op->inst.sig);
	if (__builtin_expect(traced, 0) && !nothing)
		qpu_trace_results(sim, q, op, &r4);
	t->hazards[0] = t->hazards[1] | op->hazards[0];
	t->hazards[1] = t->hazards[2] | op->hazards[1];
	t->hazards[2] = op->hazards[2];
	t->pc = pc + V3D_QPU_INSTRUCTION_BYTES;
	q->now++;
	if (__builtin_expect(t->due, 0))
		outcome = come_due(q, t);
	if (__builtin_expect(outcome == QPU_ENDED, 0))
		sim->stats.left |= left_behind(sim, q);
	t->step++;
	if (__builtin_expect(rules, 0))
		report(sim, q, pc, rules);
	return outcome;
}

enum qpu_outcome qpu_step(struct v3dsim *sim, struct qpu *q, const struct qpu_op *op)
{
	return step_op(sim, q, op);
}

/* One instruction. Return: QPU_SPENT to go on */
static inline enum qpu_outcome step(struct run *r)
{
	struct qpu *q = r->q;
	const uint32_t pc = q->threads[q->current].pc;
	uint64_t word;

	if (__builtin_expect(!fetch(r, pc & ~7u, &word), 0))
		return failed(q);
	return step_op(r->sim, q, ready(r->sim, pc, word));
}

/* May the short way be tried? */
static inline bool is_plain(struct run *r, const struct qpu_thread *t)
{
	if (t->due >> DUE_END || trace_wanted(&r->sim->config, V3DSIM_TRACE_QPU))
		return false;
	return at_hand(r) ||
	       (r->sim->config.caches == V3DSIM_CACHES_IDEAL && look_around(r, t->pc));
}

static bool stands(enum qpu_outcome outcome)
{
	return outcome == QPU_STALLED || outcome == QPU_FAULTED;
}

/* The short way, as far as it goes. Return: instructions executed */
static inline uint64_t run_plain(struct run *r, uint64_t budget, enum qpu_outcome *outcome)
{
	struct qpu *q = r->q;
	struct qpu_words words;
	uint64_t n;

	if (!r->sim->hooks.run_plain || !is_plain(r, &q->threads[q->current]))
		return 0;
	words = (struct qpu_words){ r->line, r->base, r->size, r->sim->qps->decoded,
				    r->sim->qps->compiler, r->sim, r->cleared, r->callbacks,
				    QPU_SPENT };
	n = r->sim->hooks.run_plain(q, &words, budget);
	*outcome = words.outcome;
	/* an instruction that could not go on was fetched as well */
	if (r->line == r->copy)
		pctr_count(r->sim, V3D_COUNTER_qpu_icache_hits, n + stands(*outcome));
	return n;
}

bool qpu_waits_on(struct v3dsim *sim, const struct qpu *q)
{
	const struct qps *state = sim->qps;
	const uint32_t pc = q->threads[q->current].pc;
	const struct qpu_op *op = &state->decoded[pc / 8 % QPS_DECODED];
	const uint64_t *word;

	if (q->stall != QPU_STALL_MUTEX || !sim->hooks.run_plain ||
	    state->mutex_owner == QPS_MUTEX_FREE ||
	    !(state->mutex_waiting & 1u << q->number) ||
	    sim->config.caches != V3DSIM_CACHES_IDEAL ||
	    trace_wanted(&sim->config, V3DSIM_TRACE_QPU) || pc % 8 || !op->only_mutex)
		return false;
	word = bus_peek(sim, V3DSIM_UNIT_ICACHE, pc, sizeof(*word));
	return word && (uintptr_t)word % 8 == 0 &&
	       __atomic_load_n(word, __ATOMIC_RELAXED) == op->word;
}

enum qpu_outcome qpu_run(struct v3dsim *sim, struct qpu *q, uint64_t budget, uint64_t *spent)
{
	struct run r = { .sim = sim, .q = q };
	enum qpu_outcome outcome = QPU_SPENT;
	uint64_t n;

	qpu_trace_begin(sim, q);
	for (n = 0; n < budget && q->now < q->until && outcome == QPU_SPENT;) {
		n += run_plain(&r, budget - n, &outcome);
		if (n == budget || q->now >= q->until || outcome != QPU_SPENT)
			break;
		outcome = step(&r);
		n += !stands(outcome);
	}
	qpu_trace_end(sim);
	*spent += n;
	return outcome;
}
