// SPDX-License-Identifier: MIT
/* Programs as a whole, made: see program.h. */
#include <string.h>

#include <v3d/words.h>

#include "qpu/qps_state.h"
#include "program_op.h"

#define FRAGMENT_ONLY (1u << QPU_RULE_FRAGMENT_ONLY)

/**
 * struct build - a program being made
 * @op: the instruction at hand
 * @written: slots that have been written as a whole; @flags_set: the flags have
 * @hazards: as in struct qpu_thread; @last: as qpu.written
 * @results: that wait in each TMU's FIFO; @parameters: t, r or b was written since the last s
 * @sfu: a bit for each instruction to come: r4 gets a result of the SFU at its end
 * @rows: that can be read from the VPM, from instruction @rows_at on
 */
struct build {
	struct program *program;
	struct qpu *q;
	struct program_op *op;
	bool written[QPU_SLOTS], flags_set;
	uint32_t hazards[3];
	uint8_t last[2];
	unsigned int results[2];
	bool parameters[2];
	unsigned int sfu, rows, rows_at;
};

static bool is_alu(const struct v3d_qpu_inst *i)
{
	return i->kind == V3D_QPU_ALU || i->kind == V3D_QPU_ALU_SMALL_IMMEDIATE;
}

static bool is_load(const struct v3d_qpu_inst *i)
{
	return i->kind == V3D_QPU_LOAD_32 || i->kind == V3D_QPU_LOAD_SIGNED ||
	       i->kind == V3D_QPU_LOAD_UNSIGNED;
}

static bool reads(const struct v3d_qpu_inst *i, unsigned int raddr, bool b)
{
	return b ? i->kind == V3D_QPU_ALU && i->raddr_b == raddr : is_alu(i) && i->raddr_a == raddr;
}

static bool is_tmu(unsigned int io)
{
	return io >= V3D_QPU_W_TMU0_S;
}

/* What a program may read of the register space: nothing that waits, and nothing that remembers */
static bool good_port(enum qpu_kind kind, unsigned int raddr, bool used)
{
	switch (raddr) {
	case 0 ... 31:
	case V3D_QPU_R_UNIFORM:
	case V3D_QPU_R_VARYING:
	case V3D_QPU_R_ELEMENT_QPU_NUMBER:
	case V3D_QPU_R_PIXEL_COORD:
	case V3D_QPU_R_MS_REV_FLAGS:
		return true;
	case V3D_QPU_R_VPM_READ:
		return kind == QPU_VERTEX;
	case V3D_QPU_R_NOP:
		return !used;
	default:
		return false;
	}
}

/* And what it may write */
static bool good_io(enum qpu_kind kind, unsigned int io)
{
	if (io == V3D_QPU_W_VPM_WRITE || io == V3D_QPU_W_VPM_SETUP)
		return kind == QPU_VERTEX;
	return !io || io == V3D_QPU_W_ACC5 ||
	       (io >= V3D_QPU_W_QUAD_XY && io <= V3D_QPU_W_TLB_ALPHA_MASK) ||
	       (io >= V3D_QPU_W_SFU_RECIP && io <= V3D_QPU_W_SFU_LOG) || is_tmu(io);
}

static bool good_instruction(const struct build *b)
{
	const enum qpu_kind kind = b->program->kind;
	const uint32_t allowed = kind == QPU_FRAGMENT ? FRAGMENT_ONLY : 0;
	const struct qpu_op *op = &b->op->qpu;
	const struct v3d_qpu_inst *i = &op->inst;

	if (!is_alu(i) && !is_load(i))
		return false;
	if (is_alu(i) && !good_port(kind, i->raddr_a, v3d_qpu_reads(i, V3D_QPU_A)))
		return false;
	if (i->kind == V3D_QPU_ALU && !good_port(kind, i->raddr_b, v3d_qpu_reads(i, V3D_QPU_B)))
		return false;
	if (i->sig == V3D_QPU_SIG_BREAK || !good_io(kind, op->add_io) || !good_io(kind, op->mul_io))
		return false;
	return !(op->rules & ~allowed) && !(op->conflicts & b->hazards[0]) &&
	       op->read[0] != b->last[0] && op->read[1] != b->last[1];
}

/* TMU results neither lack nor overflow: the program never waits. */
static bool good_tmu(struct build *b)
{
	const struct qpu_op *op = &b->op->qpu;
	const uint8_t io[2] = { op->add_io, op->mul_io };

	for (unsigned int n = 0; n < 2; n++) {
		const unsigned int tmu = io[n] >= V3D_QPU_W_TMU1_S;

		if (!is_tmu(io[n]))
			continue;
		if (io[n] & 3) {
			b->parameters[tmu] = true;
			b->program->uniforms++;
			continue;
		}
		b->program->uniforms += b->parameters[tmu];
		b->parameters[tmu] = false;
		if (++b->results[tmu] > TMU_RELIABLE)
			return false;
	}
	if (op->inst.sig == V3D_QPU_SIG_LOAD_TMU0 || op->inst.sig == V3D_QPU_SIG_LOAD_TMU1)
		return b->results[op->inst.sig - V3D_QPU_SIG_LOAD_TMU0]-- > 0;
	return true;
}

/*
 * Rows of the VPM are there when they are read, and no rule is broken: only constants set accesses
 * up, and all is read before reading is set up again.
 */
static bool good_vpm(struct build *b)
{
	const struct qpu_op *op = &b->op->qpu;
	const struct v3d_qpu_inst *i = &op->inst;
	const bool by_add = op->add_io == V3D_QPU_W_VPM_SETUP,
		   by_mul = op->mul_io == V3D_QPU_W_VPM_SETUP;
	struct v3d_vpm_read_setup setup;

	if (reads(i, V3D_QPU_R_VPM_READ, false) || reads(i, V3D_QPU_R_VPM_READ, true))
		return b->rows-- && b->op->at >= b->rows_at;
	if (!by_add && !by_mul)
		return true;
	/* what matters here is alike in both set-ups */
	v3d_parse_vpm_read_setup(i->immediate, &setup);
	if (i->kind != V3D_QPU_LOAD_32 || (by_add && by_mul) || op->add_pack || op->mul_pack)
		return false;
	if (setup.id || setup.size > V3D_VPM_32BIT)
		return false;
	if (by_add ? i->ws : !i->ws)
		return true;
	b->rows_at = b->op->at + VPM_LATENCY;
	if (b->rows)
		return false;
	b->rows = setup.number ? setup.number : 16;
	return true;
}

static void need(struct build *b, unsigned int slot)
{
	struct program *p = b->program;

	if (b->written[slot] || slot >= QPU_PORT_A)
		return;
	p->clear[p->clears++] = slot;
	b->written[slot] = true;
}

static void need_mux(struct build *b, unsigned int mux)
{
	const struct v3d_qpu_inst *i = &b->op->qpu.inst;

	if (mux <= V3D_QPU_R5)
		need(b, QPU_ACC + mux);
	else if (mux == V3D_QPU_A && i->raddr_a < 32)
		need(b, QPU_FILE_A + i->raddr_a);
	else if (mux == V3D_QPU_B && i->kind == V3D_QPU_ALU && i->raddr_b < 32)
		need(b, QPU_FILE_B + i->raddr_b);
}

static bool is_whole(unsigned int condition, unsigned int pack)
{
	return condition == V3D_QPU_COND_ALWAYS && !pack;
}

static void note_write(struct build *b, unsigned int slot, unsigned int io, bool whole)
{
	if (io == V3D_QPU_W_ACC5)
		slot = QPU_ACC + 5;
	if (slot >= QPU_SLOTS)
		return;
	if (!whole)
		need(b, slot);
	b->written[slot] = true;
}

/* What must be 0 at the start because the caller may see it */
static void note_registers(struct build *b)
{
	const struct qpu_op *op = &b->op->qpu;
	const struct v3d_qpu_inst *i = &op->inst;
	const bool conditional = (op->add && i->cond_add != V3D_QPU_COND_ALWAYS) ||
				 (op->mul && i->cond_mul != V3D_QPU_COND_ALWAYS);

	if (is_alu(i) && (op->add || op->mul)) {
		need_mux(b, i->add_a);
		need_mux(b, i->add_b);
		need_mux(b, i->mul_a);
		need_mux(b, i->mul_b);
		if (i->kind == V3D_QPU_ALU_SMALL_IMMEDIATE && i->raddr_b == V3D_QPU_ROTATE)
			need(b, QPU_ACC + 5);
	}
	if (conditional && !b->flags_set)
		b->program->clear_flags = true;
	if (op->add)
		note_write(b, op->add_slot, op->add_io,
			   is_whole(i->cond_add, op->add_pack | op->mul_pack));
	if (op->mul)
		note_write(b, op->mul_slot, op->mul_io,
			   is_whole(i->cond_mul, op->add_pack | op->mul_pack));
	if (i->sf && (op->add || op->mul)) {
		if ((op->add ? i->cond_add : i->cond_mul) != V3D_QPU_COND_ALWAYS && !b->flags_set)
			b->program->clear_flags = true;
		b->flags_set = true;
	}
	if (b->op->after & PROGRAM_LOAD_C)
		b->written[QPU_ACC + 5] = true;
	if (b->op->after & ~PROGRAM_LOAD_C)
		b->written[QPU_ACC + 4] = true;
}

static void after(struct build *b)
{
	struct program_op *op = b->op;

	if (op->qpu.flags & QPU_OP_VARYING)
		op->after |= PROGRAM_LOAD_C;
	if (b->sfu & 1)
		op->after |= PROGRAM_SFU;
	b->sfu >>= 1;
	if ((op->qpu.add_io >= V3D_QPU_W_SFU_RECIP && op->qpu.add_io <= V3D_QPU_W_SFU_LOG) ||
	    (op->qpu.mul_io >= V3D_QPU_W_SFU_RECIP && op->qpu.mul_io <= V3D_QPU_W_SFU_LOG))
		b->sfu |= 2;
	switch (op->qpu.inst.sig) {
	case V3D_QPU_SIG_LOAD_TMU0:
	case V3D_QPU_SIG_LOAD_TMU1:
		op->after |= PROGRAM_LOAD_TMU;
		break;
	case V3D_QPU_SIG_LOAD_COVERAGE:
	case V3D_QPU_SIG_LOAD_COLOR:
	case V3D_QPU_SIG_LOAD_COLOR_END:
	case V3D_QPU_SIG_LOAD_ALPHA_MASK:
		op->after |= PROGRAM_LOAD_TILE;
		break;
	default:
		break;
	}
}

/* A uniform or an immediate that the instruction reads. Return: false: there are too many */
static bool add_value(struct build *b, bool uniform)
{
	struct program *p = b->program;

	if (p->values == PROGRAM_VALUES)
		return false;
	b->op->value = p->values;
	p->stream[p->values] = uniform ? p->uniforms++ : PROGRAM_IMMEDIATE;
	if (!uniform)
		qpu_immediate(&p->value[p->values], &b->op->qpu.inst);
	p->values++;
	return true;
}

/* Where port A or B's value comes from, for the ALUs: the program's values, or the port's slot */
static bool port_is_value(const struct program_op *op, bool b)
{
	return (is_load(&op->qpu.inst) && !b) ||
	       (reads(&op->qpu.inst, V3D_QPU_R_UNIFORM, b) && !(op->before & PROGRAM_PORTS));
}

/* What has to be read before the ALUs can work. Return: false: there are too many values */
static bool before(struct build *b)
{
	struct program_op *op = b->op;
	const struct v3d_qpu_inst *i = &op->qpu.inst;
	const bool uniform = reads(i, V3D_QPU_R_UNIFORM, false) ||
			     reads(i, V3D_QPU_R_UNIFORM, true);
	bool others = false;

	for (int n = 0; n < 2; n++) {
		const unsigned int raddr = n ? i->raddr_b : i->raddr_a;

		if ((n ? i->kind == V3D_QPU_ALU : is_alu(i)) && raddr >= 32 &&
		    raddr != V3D_QPU_R_UNIFORM && raddr != V3D_QPU_R_VARYING &&
		    raddr != V3D_QPU_R_NOP)
			others = true;
	}
	op->uniform = b->program->uniforms;
	if (others)
		op->before |= PROGRAM_PORTS;
	else if (op->qpu.flags & QPU_OP_VARYING)
		op->before |= (reads(i, V3D_QPU_R_VARYING, false) ? PROGRAM_VARYING_A : 0) |
			      (reads(i, V3D_QPU_R_VARYING, true) ? PROGRAM_VARYING_B : 0);
	if (op->qpu.flags & QPU_OP_INPUTS)
		op->before |= PROGRAM_INPUTS;
	if ((uniform || is_load(i)) && !add_value(b, uniform))
		return false;
	op->uniform_after = b->program->uniforms;
	return true;
}

static const struct lanes *operand(const struct build *b, unsigned int slot)
{
	if ((slot == QPU_PORT_A && port_is_value(b->op, false)) ||
	    (slot == QPU_PORT_B && port_is_value(b->op, true)))
		return &b->program->value[b->op->value];
	return &b->q->regs[slot];
}

static bool goes_to_slot(const struct qpu_op *op, bool mul)
{
	return mul ? !op->mul || (op->inst.cond_mul == V3D_QPU_COND_ALWAYS &&
				  op->mul_slot < QPU_SLOTS && !op->mul_pack) :
		     !op->add || (op->inst.cond_add == V3D_QPU_COND_ALWAYS &&
				  op->add_slot < QPU_SLOTS && !op->add_pack);
}

static bool goes_to_tile(const struct qpu_op *op, bool mul)
{
	const unsigned int io = mul ? op->mul_io : op->add_io;

	return io >= V3D_QPU_W_TLB_STENCIL_SETUP && io <= V3D_QPU_W_TLB_ALPHA_MASK &&
	       !op->add_pack && !op->mul_pack &&
	       (mul ? op->inst.cond_mul : op->inst.cond_add) == V3D_QPU_COND_ALWAYS;
}

/* A result that goes nowhere but makes flags goes to a place that is never read. */
static struct lanes *destination(struct qpu *q, unsigned int slot)
{
	return &q->regs[slot < QPU_SLOTS ? slot : QPU_OLD];
}

static bool is_copy(const struct alu_table *alu, const struct program_op *op)
{
	return op->tile_mul ?
		       op->mul == alu_mul_op(alu, V3D_QPU_MUL_V8MIN) && op->mul_a == op->mul_b :
		       op->add == alu_add_op(alu, V3D_QPU_ADD_OR) && op->add_a == op->add_b;
}

/*
 * Both results to slots: in an order in which none overwrites what the other one still reads.
 * Return: false: there is none
 */
static bool order(struct program_op *op)
{
	if (!op->add || !op->mul || (op->mul_to != op->add_a && op->mul_to != op->add_b))
		return true;
	op->add_first = true;
	return op->add_to != op->mul_a && op->add_to != op->mul_b;
}

static enum program_kind kind_of(struct program_op *op)
{
	const struct qpu_op *qpu = &op->qpu;
	const bool nowhere = (qpu->add ? qpu->add_slot : qpu->mul_slot) == QPU_SLOTS &&
			     !qpu->add_io && !qpu->mul_io;

	if (!qpu->add && !qpu->mul)
		return PROGRAM_NOTHING;
	if (qpu->inst.sf &&
	    (qpu->add ? qpu->inst.cond_add : qpu->inst.cond_mul) != V3D_QPU_COND_ALWAYS)
		return PROGRAM_GENERAL;
	if (qpu->inst.sf && nowhere && !qpu->add_pack && !qpu->mul_pack && !(qpu->add && qpu->mul))
		return PROGRAM_DIRECT;
	if (goes_to_slot(qpu, false) && goes_to_slot(qpu, true))
		return order(op) ? PROGRAM_DIRECT : PROGRAM_GENERAL;
	if (qpu->inst.sf)
		return PROGRAM_GENERAL;
	if (goes_to_slot(qpu, false) && qpu->mul_slot < QPU_SLOTS &&
	    qpu->mul_pack >> 4 == QPU_PACK_MUL && qpu->inst.cond_mul == V3D_QPU_COND_ALWAYS)
		return PROGRAM_PACK;
	op->tile_mul = goes_to_tile(qpu, true);
	if ((op->tile_mul && goes_to_slot(qpu, false)) ||
	    (goes_to_tile(qpu, false) && goes_to_slot(qpu, true)))
		return PROGRAM_TILE;
	return PROGRAM_GENERAL;
}

/* How the instruction is executed */
static void prepare(struct build *b)
{
	struct program_op *op = b->op;
	const unsigned int byte = op->qpu.mul_pack & 7;

	op->add = op->qpu.add;
	op->mul = op->qpu.mul;
	op->add_a = operand(b, op->qpu.add_a);
	op->add_b = operand(b, op->qpu.add_b);
	op->mul_a = operand(b, op->qpu.mul_a);
	op->mul_b = operand(b, op->qpu.mul_b);
	op->add_to = destination(b->q, op->qpu.add_slot);
	op->mul_to = destination(b->q, op->qpu.mul_slot);
	op->carry = !op->qpu.inst.sf ? 0 : op->add ? 1 : 2;
	op->kind = kind_of(op);
	op->mask = byte <= 3 ? ~0u : 0xffu << 8 * (byte - 4);
	op->tile_copy = op->kind == PROGRAM_TILE && is_copy(b->q->alu, op);
	if (op->kind == PROGRAM_GENERAL)
		op->before |= (port_is_value(op, false) ? PROGRAM_VALUE_A : 0) |
			      (port_is_value(op, true) ? PROGRAM_VALUE_B : 0);
}

static void pass_hazards(struct build *b)
{
	const struct qpu_op *op = &b->op->qpu;

	b->hazards[0] = b->hazards[1] | op->hazards[0];
	b->hazards[1] = b->hazards[2] | op->hazards[1];
	b->hazards[2] = op->hazards[2];
	b->last[0] = b->last[1] = QPU_SLOTS + 1;
	if (op->old & 1)
		b->last[0] = op->add_slot < QPU_FILE_B ? op->add_slot : op->mul_slot;
	if (op->old & 2)
		b->last[1] = op->add_slot < QPU_FILE_B || op->add_slot >= QPU_ACC ?
				     op->mul_slot : op->add_slot;
}

/* Return: false: the program cannot be run as a whole */
static bool add_instruction(struct build *b, unsigned int at)
{
	struct program *p = b->program;

	b->op = &p->op[p->ops];
	memset(b->op, 0, sizeof(*b->op));
	qpu_decode(b->q->alu, &b->op->qpu, p->word[at]);
	b->op->at = at;
	if (!good_instruction(b) || !before(b) || !good_tmu(b) || !good_vpm(b))
		return false;
	after(b);
	note_registers(b);
	prepare(b);
	pass_hazards(b);
	/* A varying that is read is taken out of its FIFO, whatever becomes of it. */
	if (b->op->kind != PROGRAM_NOTHING || b->op->after || b->op->before & PROGRAM_PORTS)
		p->ops++;
	return true;
}

void program_build(struct program *p, struct qpu *q)
{
	struct build b = { .program = p, .q = q, .last = { QPU_SLOTS + 1, QPU_SLOTS + 1 } };

	p->ops = p->values = p->uniforms = p->clears = 0;
	p->clear_flags = p->good = false;
	b.written[QPU_FILE_A + 15] = b.written[QPU_FILE_B + 15] = p->kind == QPU_FRAGMENT;
	for (unsigned int at = 0; at < p->words; at++)
		if (!add_instruction(&b, at))
			return;
	p->good = p->complete;
}
