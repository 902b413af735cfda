// SPDX-License-Identifier: MIT
/*
 * QPU instructions made ready to execute: which slots they read and write, what they must wait for,
 * which rules they break.
 */
#include <string.h>

#include "qpu.h"

#define RULE(NAME) (1u << QPU_RULE_##NAME)

static bool is_float_input_add(unsigned int op)
{
	return op >= V3D_QPU_ADD_FADD && op <= V3D_QPU_ADD_FTOI;
}

static bool is_float_result_add(unsigned int op)
{
	return (op >= V3D_QPU_ADD_FADD && op <= V3D_QPU_ADD_FMAXABS) || op == V3D_QPU_ADD_ITOF;
}

static bool is_reserved_add(unsigned int op)
{
	return (op > V3D_QPU_ADD_ITOF && op < V3D_QPU_ADD_ADD) ||
	       (op > V3D_QPU_ADD_CLZ && op < V3D_QPU_ADD_V8ADDS);
}

static bool has_program_end(const struct v3d_qpu_inst *i)
{
	return i->sig == V3D_QPU_SIG_PROGRAM_END || i->sig == V3D_QPU_SIG_LOAD_COLOR_END;
}

static bool loads_from_tlb(const struct v3d_qpu_inst *i)
{
	return (i->sig >= V3D_QPU_SIG_LOAD_COVERAGE && i->sig <= V3D_QPU_SIG_LOAD_COLOR_END) ||
	       i->sig == V3D_QPU_SIG_LOAD_ALPHA_MASK;
}

static bool loads_from_tmu(const struct v3d_qpu_inst *i)
{
	return i->sig == V3D_QPU_SIG_LOAD_TMU0 || i->sig == V3D_QPU_SIG_LOAD_TMU1;
}

static bool is_tmu(unsigned int waddr)
{
	return waddr >= V3D_QPU_W_TMU0_S;
}

static bool is_tlb(unsigned int waddr)
{
	return waddr >= V3D_QPU_W_TLB_STENCIL_SETUP && waddr <= V3D_QPU_W_TLB_ALPHA_MASK;
}

static bool is_sfu(unsigned int waddr)
{
	return waddr >= V3D_QPU_W_SFU_RECIP && waddr <= V3D_QPU_W_SFU_LOG;
}

/* A read address beyond the register files, on either port */
static void decode_read_address(struct qpu_op *op, unsigned int raddr)
{
	switch (raddr) {
	case V3D_QPU_R_UNIFORM:
		op->conflicts |= QPU_HAZARD_UNIFORMS | QPU_HAZARD_END;
		break;
	case V3D_QPU_R_VARYING:
		op->flags |= QPU_OP_VARYING;
		op->conflicts |= QPU_HAZARD_END;
		op->rules |= RULE(FRAGMENT_ONLY);
		break;
	case V3D_QPU_R_PIXEL_COORD:
		op->rules |= RULE(FRAGMENT_ONLY);
		break;
	case V3D_QPU_R_MS_REV_FLAGS:
		op->conflicts |= QPU_HAZARD_TLB_Z;
		op->rules |= RULE(FRAGMENT_ONLY);
		break;
	case V3D_QPU_R_VPM_READ:
	case V3D_QPU_R_VPM_BUSY:
	case V3D_QPU_R_VPM_WAIT:
		op->conflicts |= QPU_HAZARD_END;
		op->flags |= QPU_OP_STALLS;
		break;
	case V3D_QPU_R_MUTEX_ACQUIRE:
		op->flags |= QPU_OP_STALLS;
		break;
	default:
		break;
	}
}

static bool uses(const struct v3d_qpu_inst *i, unsigned int mux)
{
	return v3d_qpu_reads(i, mux);
}

static void decode_ports(struct qpu_op *op)
{
	const struct v3d_qpu_inst *i = &op->inst;
	const bool small = i->kind == V3D_QPU_ALU_SMALL_IMMEDIATE;

	if (i->raddr_a < 32) {
		op->port[0] = QPU_FILE_A + i->raddr_a;
		if (uses(i, V3D_QPU_A))
			op->read[0] = op->port[0];
	} else if (i->raddr_a != V3D_QPU_R_NOP || uses(i, V3D_QPU_A)) {
		op->flags |= QPU_OP_PORTS;
		op->port[0] = i->raddr_a == V3D_QPU_R_NOP ? QPU_SLOTS : QPU_PORT_A;
		decode_read_address(op, i->raddr_a);
	}
	if (!small && i->raddr_b < 32) {
		op->port[1] = QPU_FILE_B + i->raddr_b;
		if (uses(i, V3D_QPU_B))
			op->read[1] = op->port[1];
	} else if (!small && (i->raddr_b != V3D_QPU_R_NOP || uses(i, V3D_QPU_B))) {
		op->flags |= QPU_OP_PORTS;
		op->port[1] = i->raddr_b == V3D_QPU_R_NOP ? QPU_SLOTS : QPU_PORT_B;
		decode_read_address(op, i->raddr_b);
	}
	if (i->raddr_a == 14 || (!small && i->raddr_b == 14))
		op->conflicts |= QPU_HAZARD_END_14;
}

/* The slot that an operand comes from */
static uint8_t operand(struct qpu_op *op, unsigned int mux)
{
	const struct v3d_qpu_inst *i = &op->inst;

	if (mux == V3D_QPU_A) {
		if (i->raddr_a >= 32)
			return QPU_PORT_A;
		if (i->pm || !i->unpack)
			return QPU_FILE_A + i->raddr_a;
		op->flags |= QPU_OP_INPUTS;
		return QPU_UNPACKED_A;
	}
	if (mux == V3D_QPU_B && i->kind == V3D_QPU_ALU_SMALL_IMMEDIATE)
		return QPU_IMMEDIATES + i->raddr_b;
	if (mux == V3D_QPU_B)
		return i->raddr_b >= 32 ? QPU_PORT_B : QPU_FILE_B + i->raddr_b;
	if (mux == V3D_QPU_R4 && i->pm && i->unpack) {
		op->flags |= QPU_OP_INPUTS;
		return QPU_UNPACKED_R4;
	}
	return QPU_ACC + mux;
}

static bool rotates(const struct v3d_qpu_inst *i)
{
	return i->kind == V3D_QPU_ALU_SMALL_IMMEDIATE && i->raddr_b >= V3D_QPU_ROTATE &&
	       i->op_mul != V3D_QPU_MUL_NOP && i->cond_mul != V3D_QPU_COND_NEVER;
}

/*
 * The mul ALU's operands, rotated. A mere move by a number of elements that is known picks lanes on
 * its way through the ALU. HW: a full rotation only of what comes from r0 to r3, else within quads.
 */
static void decode_rotation(const struct alu_table *alu, struct qpu_op *op)
{
	const struct v3d_qpu_inst *i = &op->inst;
	const bool move = i->op_mul == V3D_QPU_MUL_V8MIN && i->mul_a == i->mul_b;

	if (!rotates(i))
		return;
	if (move && i->raddr_b != V3D_QPU_ROTATE) {
		op->mul_b = QPU_ROTATIONS + (i->mul_a <= V3D_QPU_R3) * V3D_QPU_LANES + i->raddr_b -
			    V3D_QPU_ROTATE;
	} else {
		op->flags |= QPU_OP_INPUTS;
		op->pick = alu->pick;
		op->mul_a = QPU_ROTATED_A;
		op->mul_b = i->mul_a == i->mul_b ? QPU_ROTATED_A : QPU_ROTATED_B;
	}
	if (i->raddr_b == V3D_QPU_ROTATE)
		op->conflicts |= QPU_HAZARD_ACC(5);
	if (i->mul_a <= V3D_QPU_R3)
		op->conflicts |= QPU_HAZARD_ACC(i->mul_a);
	if (i->mul_b <= V3D_QPU_R3)
		op->conflicts |= QPU_HAZARD_ACC(i->mul_b);
}

static void decode_alu(const struct alu_table *alu, struct qpu_op *op)
{
	struct v3d_qpu_inst *i = &op->inst;
	const bool add_is_nop = i->op_add == V3D_QPU_ADD_NOP || is_reserved_add(i->op_add);

	decode_ports(op);
	if (is_reserved_add(i->op_add))
		op->rules |= RULE(RESERVED);
	op->add_a = operand(op, i->add_a);
	op->add_b = operand(op, i->add_b);
	op->mul_a = operand(op, i->mul_a);
	op->mul_b = operand(op, i->mul_b);
	decode_rotation(alu, op);
	if (!add_is_nop && i->cond_add != V3D_QPU_COND_NEVER)
		op->add = alu_add_op(alu, i->op_add);
	if (i->op_mul != V3D_QPU_MUL_NOP && i->cond_mul != V3D_QPU_COND_NEVER)
		op->mul = op->mul_b >= QPU_ROTATIONS ? alu->pick : alu_mul_op(alu, i->op_mul);
	if (!add_is_nop ? !op->add : !op->mul)
		/*
		 * HW: an add that is not a nop keeps the flags to itself, even if it never happens
		 */
		i->sf = 0;
	if (uses(i, V3D_QPU_R4))
		op->conflicts |= QPU_HAZARD_SFU;
}

/* Loads, semaphores and branches: their value comes out of both ALUs as a copy of port A. */
static void decode_other(const struct alu_table *alu, struct qpu_op *op)
{
	struct v3d_qpu_inst *i = &op->inst;

	op->flags |= QPU_OP_OTHER;
	op->add_a = op->add_b = op->mul_a = op->mul_b = QPU_PORT_A;
	if (i->kind == V3D_QPU_BRANCH) {
		/* of a branch that is taken */
		i->cond_add = i->cond_mul = V3D_QPU_COND_ALWAYS;
		i->sf = i->branch_raddr_a & 1;			/* HW */
		op->conflicts |= QPU_HAZARD_BRANCH;
		op->hazards[0] |= QPU_HAZARD_BRANCH;
		op->hazards[1] |= QPU_HAZARD_BRANCH;
		if (i->reg)
			op->read[0] = QPU_FILE_A + i->branch_raddr_a;
		if (i->cond_br > V3D_QPU_BRANCH_ANY_CC && i->cond_br < V3D_QPU_BRANCH_ALWAYS)
			op->rules |= RULE(RESERVED);
	}
	if (i->kind == V3D_QPU_SEMAPHORE)
		op->flags |= QPU_OP_STALLS;
	if (i->kind == V3D_QPU_LOAD_RESERVED)
		op->rules |= RULE(RESERVED);
	if (i->cond_add != V3D_QPU_COND_NEVER)
		op->add = alu_add_op(alu, V3D_QPU_ADD_OR);
	else
		i->sf = 0;
	if (i->cond_mul != V3D_QPU_COND_NEVER)
		op->mul = alu_mul_op(alu, V3D_QPU_MUL_V8MIN);
}

/* A write address beyond files and accumulators */
static void decode_write_address(struct qpu_op *op, unsigned int waddr)
{
	if (is_tmu(waddr)) {
		op->conflicts |= QPU_HAZARD_NOSWAP;
		if (waddr & 3)		/* t, r and b take a uniform */
			op->conflicts |= QPU_HAZARD_UNIFORMS | QPU_HAZARD_END;
		else
			op->flags |= QPU_OP_STALLS;
	} else if (is_sfu(waddr)) {
		op->conflicts |= QPU_HAZARD_SFU;
		op->hazards[0] |= QPU_HAZARD_SFU;
		op->hazards[1] |= QPU_HAZARD_SFU;
	} else if (waddr >= V3D_QPU_W_QUAD_XY && waddr <= V3D_QPU_W_TLB_ALPHA_MASK) {
		op->rules |= RULE(FRAGMENT_ONLY);
		if (waddr == V3D_QPU_W_TLB_Z) {
			op->conflicts |= QPU_HAZARD_LAST;
			op->hazards[0] |= QPU_HAZARD_TLB_Z;
			op->hazards[1] |= QPU_HAZARD_TLB_Z;
		}
	} else if (waddr >= V3D_QPU_W_VPM_WRITE && waddr <= V3D_QPU_W_VPM_ADDR) {
		op->conflicts |= QPU_HAZARD_END;
		if (waddr == V3D_QPU_W_VPM_ADDR)
			op->flags |= QPU_OP_STALLS;
	} else if (waddr == V3D_QPU_W_UNIFORMS_ADDRESS) {
		op->hazards[0] |= QPU_HAZARD_UNIFORMS;
		op->hazards[1] |= QPU_HAZARD_UNIFORMS;
	} else if (waddr == V3D_QPU_W_TMU_NOSWAP) {
		op->hazards[0] |= QPU_HAZARD_NOSWAP;
		op->hazards[1] |= QPU_HAZARD_NOSWAP;
	}
}

/* Where a result goes. @to_b: into the space of file B */
static void decode_destination(struct qpu_op *op, unsigned int waddr, bool to_b, uint8_t *slot,
			       uint8_t *io)
{
	if (waddr < 32) {
		*slot = (to_b ? QPU_FILE_B : QPU_FILE_A) + waddr;
		op->writes[to_b] = *slot;
		op->old |= to_b ? 2 : 1;
		if (waddr == 14)
			op->conflicts |= QPU_HAZARD_END_14;
	} else if (waddr <= V3D_QPU_W_ACC3) {
		*slot = QPU_ACC + waddr - V3D_QPU_W_ACC0;
		op->hazards[0] |= QPU_HAZARD_ACC(waddr - V3D_QPU_W_ACC0);
	} else if (waddr != V3D_QPU_W_NOP) {
		*io = waddr;
		op->flags |= QPU_OP_SPECIAL;
		if (waddr == V3D_QPU_W_ACC5)
			op->hazards[0] |= QPU_HAZARD_ACC(5);
		else
			decode_write_address(op, waddr);
	}
}

static void decode_pack(struct qpu_op *op)
{
	const struct v3d_qpu_inst *i = &op->inst;
	const bool alu = !(op->flags & QPU_OP_OTHER);

	if (!i->pack || i->kind == V3D_QPU_BRANCH)
		return;
	if (i->pm) {
		if (!op->mul)
			return;
		if (i->pack < 3 || i->pack > 7)
			op->rules |= RULE(RESERVED);
		else
			op->mul_pack = QPU_PACK_MUL << 4 | i->pack;
	} else if (op->add && !i->ws && i->waddr_add < 32) {
		op->add_pack =
			(alu && is_float_result_add(i->op_add) ? QPU_PACK_A_FLOAT : QPU_PACK_A_INT)
				<< 4 |
			i->pack;
	} else if (op->mul && i->ws && i->waddr_mul < 32) {
		op->mul_pack =
			(alu && i->op_mul == V3D_QPU_MUL_FMUL ? QPU_PACK_A_FLOAT : QPU_PACK_A_INT)
				<< 4 |
			i->pack;
	}
	if (op->add_pack || op->mul_pack)
		op->flags |= QPU_OP_SPECIAL;
}

/*
 * Is one address, of both halves, one register (AG100 Table 14)? Of an accumulator each element is
 * written by one half where their conditions are opposite.
 */
static bool same_destination(const struct v3d_qpu_inst *i)
{
	switch (i->waddr_add) {
	case V3D_QPU_W_ACC0 ... V3D_QPU_W_ACC3:
	case V3D_QPU_W_ACC5:
		return i->cond_add < V3D_QPU_COND_ZS || (i->cond_add ^ i->cond_mul) != 1;
	case V3D_QPU_W_NOP:
	case V3D_QPU_W_UNIFORMS_ADDRESS ... V3D_QPU_W_MS_REV_FLAGS:
	case V3D_QPU_W_VPM_SETUP ... V3D_QPU_W_VPM_ADDR:
		return false;
	default:
		return i->waddr_add >= 32;
	}
}

static void decode_writes(struct qpu_op *op)
{
	const struct v3d_qpu_inst *i = &op->inst;

	if (op->add)
		decode_destination(op, i->waddr_add, i->ws, &op->add_slot, &op->add_io);
	if (op->mul)
		decode_destination(op, i->waddr_mul, !i->ws, &op->mul_slot, &op->mul_io);
	if (op->add && op->mul && i->waddr_add == i->waddr_mul && same_destination(i))
		op->rules |= RULE(SAME_DESTINATION);
	decode_pack(op);
}

/*
 * AG100: "a maximum of one of the following closely coupled peripheral accesses in a single
 * instruction"
 */
static unsigned int count_peripherals(const struct qpu_op *op)
{
	const struct v3d_qpu_inst *i = &op->inst;
	const uint8_t io[2] = { op->add_io, op->mul_io };
	const bool alu = !(op->flags & QPU_OP_OTHER);
	bool colour = false;
	unsigned int count = loads_from_tmu(i) + loads_from_tlb(i) + (i->kind == V3D_QPU_SEMAPHORE);

	for (int n = 0; n < 2; n++) {
		count += is_tmu(io[n]) || is_sfu(io[n]) || is_tlb(io[n]);
		colour |= io[n] == V3D_QPU_W_TLB_COLOUR_MS || io[n] == V3D_QPU_W_TLB_COLOUR_ALL;
	}
	if (colour && (i->sig == V3D_QPU_SIG_LOAD_COLOR || i->sig == V3D_QPU_SIG_LOAD_COLOR_END))
		count--;	/* combined colour read and write */
	if (alu)
		count += i->raddr_a == V3D_QPU_R_MUTEX_ACQUIRE ||
			 (i->kind == V3D_QPU_ALU && i->raddr_b == V3D_QPU_R_MUTEX_ACQUIRE);
	return count;
}

static void decode_signal(struct qpu_op *op)
{
	const struct v3d_qpu_inst *i = &op->inst;

	if (i->sig != V3D_QPU_SIG_NONE && i->sig < V3D_QPU_SIG_SMALL_IMMEDIATE)
		op->flags |= QPU_OP_SIGNAL;
	if (i->sig == V3D_QPU_SIG_BREAK || loads_from_tmu(i))
		op->flags |= QPU_OP_STALLS;
	if (i->sig == V3D_QPU_SIG_WAIT_SCOREBOARD || i->sig == V3D_QPU_SIG_UNLOCK_SCOREBOARD ||
	    loads_from_tlb(i))
		op->rules |= RULE(FRAGMENT_ONLY);
	if (loads_from_tmu(i) || loads_from_tlb(i))
		op->conflicts |= QPU_HAZARD_SFU;
	if (!has_program_end(i))
		return;
	op->hazards[0] |= QPU_HAZARD_END | QPU_HAZARD_END_14;
	op->hazards[1] |= QPU_HAZARD_END | QPU_HAZARD_END_14 | QPU_HAZARD_LAST;
	if (op->conflicts & QPU_HAZARD_END)
		op->rules |= RULE(END_ACCESS);
	if (op->conflicts & QPU_HAZARD_END_14)
		op->rules |= RULE(END_ADDRESS_14);
	if (op->old)
		op->rules |= RULE(END_WRITE);
}

static void decode_combinations(struct qpu_op *op)
{
	const struct v3d_qpu_inst *i = &op->inst;
	const bool unif = i->kind <= V3D_QPU_ALU_SMALL_IMMEDIATE &&
			  (i->raddr_a == V3D_QPU_R_UNIFORM ||
			   (i->kind == V3D_QPU_ALU && i->raddr_b == V3D_QPU_R_UNIFORM));
	const uint8_t io[2] = { op->add_io, op->mul_io };

	if (count_peripherals(op) > 1)
		op->rules |= RULE(PERIPHERALS);
	for (int n = 0; n < 2; n++) {
		if (i->kind == V3D_QPU_SEMAPHORE &&
		    (is_tmu(io[n]) || is_sfu(io[n]) || is_tlb(io[n])))
			op->rules |= RULE(SEMAPHORE_WRITE);
		if (unif && is_tmu(io[n]) && (io[n] & 3))
			op->rules |= RULE(TMU_UNIFORM);
	}
}

/* Does one of both results go to @io, in all lanes as it is, and the other one to no such place? */
static bool writes_only(const struct qpu_op *op, unsigned int io)
{
	const bool add = op->add_io == io;

	return (add ? !op->mul_io : !op->add_io && op->mul_io == io) && !op->add_pack &&
	       !op->mul_pack &&
	       (add ? op->inst.cond_add : op->inst.cond_mul) == V3D_QPU_COND_ALWAYS;
}

/* Is there nothing else in the register space that the ports read? */
static bool reads_only_uniform(const struct qpu_op *op)
{
	const struct v3d_qpu_inst *i = &op->inst;
	const unsigned int b = i->kind == V3D_QPU_ALU ? i->raddr_b : 0;

	return (i->raddr_a < 32 || i->raddr_a == V3D_QPU_R_UNIFORM ||
		(i->raddr_a == V3D_QPU_R_NOP && !uses(i, V3D_QPU_A))) &&
	       (b < 32 || b == V3D_QPU_R_UNIFORM ||
		(b == V3D_QPU_R_NOP && !uses(i, V3D_QPU_B)));
}

static enum qpu_quick quick_kind(const struct qpu_op *op)
{
	const bool alu = op->inst.kind <= V3D_QPU_ALU_SMALL_IMMEDIATE;

	if (op->rules || !alu)
		return QPU_QUICK_NONE;
	switch (op->flags & ~QPU_OP_INPUTS) {
	case QPU_OP_STALLS | QPU_OP_SIGNAL:
		return loads_from_tmu(&op->inst) ? QPU_QUICK_LOAD : QPU_QUICK_NONE;
	case QPU_OP_STALLS | QPU_OP_SPECIAL:
		return writes_only(op, V3D_QPU_W_TMU0_S) || writes_only(op, V3D_QPU_W_TMU1_S) ?
			       QPU_QUICK_READ :
			       QPU_QUICK_NONE;
	case QPU_OP_SPECIAL:
		return writes_only(op, V3D_QPU_W_VPM_WRITE) ? QPU_QUICK_VPM : QPU_QUICK_NONE;
	case QPU_OP_PORTS:
		return reads_only_uniform(op) ? QPU_QUICK_UNIFORM : QPU_QUICK_NONE;
	default:
		return QPU_QUICK_NONE;
	}
}

static bool waits_for_mutex_only(const struct qpu_op *op)
{
	const struct v3d_qpu_inst *i = &op->inst;

	return (op->flags & ~QPU_OP_INPUTS) == (QPU_OP_STALLS | QPU_OP_PORTS) &&
	       i->raddr_a == V3D_QPU_R_MUTEX_ACQUIRE &&
	       (i->kind != V3D_QPU_ALU || i->raddr_b < 32 || i->raddr_b == V3D_QPU_R_NOP);
}

/*
 * Plain instructions take the short way through qpu_run(). Where their results may overwrite
 * operands at once, mul first: a result that goes nowhere needs a place to take the flags from.
 */
static void decode_shortcuts(struct qpu_op *op)
{
	const bool add_fits = !op->add || (op->inst.cond_add == V3D_QPU_COND_ALWAYS &&
					   op->add_slot < QPU_SLOTS);
	const bool mul_fits = !op->mul || (op->inst.cond_mul == V3D_QPU_COND_ALWAYS &&
					   op->mul_slot < QPU_SLOTS);
	const bool other = op->inst.kind != V3D_QPU_SEMAPHORE &&
			   op->inst.kind != V3D_QPU_LOAD_RESERVED;
	const bool apart = !op->add || !op->mul ||
			   (op->mul_slot != op->add_a && op->mul_slot != op->add_b);

	op->plain = !(op->flags & ~(QPU_OP_INPUTS | (other ? QPU_OP_OTHER : 0u))) && !op->rules;
	op->direct = op->plain && add_fits && mul_fits && apart;
	op->prepares = op->flags || op->port[0] < QPU_SLOTS || op->port[1] < QPU_SLOTS;
	op->quick = quick_kind(op);
	op->only_mutex = waits_for_mutex_only(op);
	op->idle = op->plain && op->add_slot == QPU_SLOTS && op->mul_slot == QPU_SLOTS &&
		   !op->inst.sf;
}

void qpu_decode(const struct alu_table *alu, struct qpu_op *op, uint64_t word)
{
	memset(op, 0, sizeof(*op));
	op->word = word;
	op->valid = true;
	op->inst = v3d_qpu_decode(word);
	op->read[0] = op->read[1] = op->port[0] = op->port[1] = QPU_SLOTS;
	op->add_slot = op->mul_slot = QPU_SLOTS;
	op->writes[0] = op->writes[1] = QPU_SLOTS + 1;
	if (op->inst.kind <= V3D_QPU_ALU_SMALL_IMMEDIATE)
		decode_alu(alu, op);
	else
		decode_other(alu, op);
	decode_writes(op);
	decode_signal(op);
	decode_combinations(op);
	if (is_float_input_add(op->inst.op_add) &&
	    (op->inst.add_a == V3D_QPU_A || op->inst.add_b == V3D_QPU_A))
		op->float_input = true;
	if (op->inst.op_mul == V3D_QPU_MUL_FMUL &&
	    (op->inst.mul_a == V3D_QPU_A || op->inst.mul_b == V3D_QPU_A))
		op->float_input = true;
	decode_shortcuts(op);
}
