// SPDX-License-Identifier: MIT
/*
 * What an instruction touches. A conditional write to a unit beside the QPU reaches it all the same
 * (HW); one whose condition is never is taken for none (not established). An I/O address that is
 * read counts even if no operand takes the value: it is fetched.
 */
#include "effects.h"

static uint32_t signal_effects(const struct v3d_qpu_inst *inst)
{
	switch (inst->sig) {
	case V3D_QPU_SIG_THREAD_SWITCH:
	case V3D_QPU_SIG_LAST_THREAD_SWITCH:
		return QASM_SWITCHES;
	case V3D_QPU_SIG_PROGRAM_END:
		return QASM_ENDS;
	case V3D_QPU_SIG_WAIT_SCOREBOARD:
		return QASM_WAITS;
	case V3D_QPU_SIG_UNLOCK_SCOREBOARD:
		return QASM_UNLOCKS;
	case V3D_QPU_SIG_LOAD_COVERAGE:
	case V3D_QPU_SIG_LOAD_COLOR:
	case V3D_QPU_SIG_LOAD_ALPHA_MASK:
		return QASM_READS_TILE | QASM_WRITES_R4;
	case V3D_QPU_SIG_LOAD_COLOR_END:
		return QASM_READS_TILE | QASM_WRITES_R4 | QASM_ENDS;
	case V3D_QPU_SIG_LOAD_TMU0:
	case V3D_QPU_SIG_LOAD_TMU1:
		return QASM_READS_TMU | QASM_WRITES_R4;
	case V3D_QPU_SIG_BRANCH:
		return QASM_BRANCHES;
	default:
		return inst->kind == V3D_QPU_SEMAPHORE ? QASM_SEMAPHORE : 0;
	}
}

static uint32_t read_effects(unsigned int address, bool b)
{
	switch (address) {
	case V3D_QPU_R_UNIFORM:
		return QASM_READS_UNIFORM;
	case V3D_QPU_R_VARYING:
		return QASM_READS_VARYING | QASM_WRITES_R5;
	case V3D_QPU_R_MS_REV_FLAGS:
		return b ? 0 : QASM_READS_MASK;
	case V3D_QPU_R_VPM_READ:
		return QASM_USES_VPM | QASM_READS_VPM;
	case V3D_QPU_R_VPM_BUSY:
	case V3D_QPU_R_VPM_WAIT:
		return QASM_USES_VPM;
	case V3D_QPU_R_MUTEX_ACQUIRE:
		return QASM_TAKES_MUTEX;
	default:
		return 0;
	}
}

/*
 * A DMA set-up is none for reading: AG100 Tables 33, 36 and 37. What no load writes is not known
 * here.
 */
static uint32_t set_up_effects(const struct v3d_qpu_inst *inst)
{
	return inst->kind == V3D_QPU_LOAD_32 && inst->immediate >> 30 ?
		       QASM_USES_VPM :
		       QASM_USES_VPM | QASM_SETS_UP_VPM_READ;
}

static uint32_t write_effects(const struct v3d_qpu_inst *inst, unsigned int address, bool b)
{
	switch (address) {
	case V3D_QPU_W_TMU_NOSWAP:
		return QASM_WRITES_NOSWAP;
	case V3D_QPU_W_ACC5:
		return QASM_WRITES_R5;
	case V3D_QPU_W_UNIFORMS_ADDRESS:
		return QASM_SETS_UNIFORMS;
	case V3D_QPU_W_TLB_Z:
		return QASM_WRITES_TILE | QASM_WRITES_Z;
	case V3D_QPU_W_TLB_COLOUR_MS:
	case V3D_QPU_W_TLB_COLOUR_ALL:
	case V3D_QPU_W_TLB_ALPHA_MASK:
		return QASM_WRITES_TILE;
	case V3D_QPU_W_VPM_SETUP:
		return b ? QASM_USES_VPM : set_up_effects(inst);
	case V3D_QPU_W_VPM_WRITE:
	case V3D_QPU_W_VPM_ADDR:
		return QASM_USES_VPM;
	case V3D_QPU_W_SFU_RECIP:
	case V3D_QPU_W_SFU_RECIPSQRT:
	case V3D_QPU_W_SFU_EXP:
	case V3D_QPU_W_SFU_LOG:
		return QASM_WRITES_SFU | QASM_WRITES_R4;
	default:
		if (address < V3D_QPU_W_TMU0_S)
			return 0;
		return QASM_WRITES_TMU | (address & 3 ? QASM_TMU_UNIFORM : 0);
	}
}

static void add_write(struct qasm_effects *e, bool mul)
{
	const struct v3d_qpu_inst *inst = &e->inst;
	const unsigned int address = mul ? inst->waddr_mul : inst->waddr_add;
	const bool b = mul ? !inst->ws : inst->ws;
	uint32_t flags;

	if (inst->kind != V3D_QPU_BRANCH &&
	    (mul ? inst->cond_mul : inst->cond_add) == V3D_QPU_COND_NEVER)
		return;
	if (address < 32) {
		e->writes[b] |= 1u << address;
		return;
	}
	if (address <= V3D_QPU_W_ACC3)
		e->accumulators |= 1u << (address - V3D_QPU_W_ACC0);
	flags = write_effects(inst, address, b);
	e->flags |= flags;
	e->peripherals += !!(flags & (QASM_WRITES_TMU | QASM_WRITES_SFU | QASM_WRITES_TILE));
}

static void add_read(struct qasm_effects *e, unsigned int address, bool b)
{
	if (address >= 32) {
		e->flags |= read_effects(address, b);
		e->peripherals += address == V3D_QPU_R_MUTEX_ACQUIRE;
	} else if (v3d_qpu_reads(&e->inst, b ? V3D_QPU_B : V3D_QPU_A)) {
		e->reads[b] |= 1u << address;
	}
}

static void add_rotation(struct qasm_effects *e)
{
	const struct v3d_qpu_inst *inst = &e->inst;
	const uint8_t inputs[2] = { inst->mul_a, inst->mul_b };
	unsigned int i;

	if (inst->kind != V3D_QPU_ALU_SMALL_IMMEDIATE || inst->raddr_b < V3D_QPU_ROTATE ||
	    inst->op_mul == V3D_QPU_MUL_NOP)
		return;
	if (inst->raddr_b == V3D_QPU_ROTATE)
		e->flags |= QASM_ROTATES_BY_R5;
	for (i = 0; i < 2; i++) {
		if (inputs[i] <= V3D_QPU_R3)
			e->rotates |= 1u << inputs[i];
		else
			e->flags |= QASM_ROTATES_FILE;
	}
}

bool qasm_are_complementary(unsigned int a, unsigned int b)
{
	return a >= V3D_QPU_COND_ZS && b >= V3D_QPU_COND_ZS && (a ^ b) == 1;
}

/*
 * With complementary conditions each element of an accumulator is written once (SW); what stands
 * beside the QPU takes both writes whole.
 */
static bool same_target(const struct v3d_qpu_inst *inst)
{
	if (inst->kind != V3D_QPU_BRANCH && inst->waddr_add >= V3D_QPU_W_ACC0 &&
	    inst->waddr_add <= V3D_QPU_W_ACC3 &&
	    qasm_are_complementary(inst->cond_add, inst->cond_mul))
		return false;
	if (inst->waddr_add != inst->waddr_mul || inst->waddr_add < 32 ||
	    inst->waddr_add == V3D_QPU_W_NOP)
		return false;
	return inst->kind == V3D_QPU_BRANCH ||
	       (inst->cond_add != V3D_QPU_COND_NEVER && inst->cond_mul != V3D_QPU_COND_NEVER);
}

void qasm_effects_of(uint64_t word, struct qasm_effects *e)
{
	const struct v3d_qpu_inst inst = v3d_qpu_decode(word);
	const uint32_t load_and_store = QASM_READS_TILE | QASM_WRITES_TILE;

	*e = (struct qasm_effects){ .inst = inst, .flags = signal_effects(&inst) };
	e->peripherals = !!(e->flags & (QASM_READS_TILE | QASM_READS_TMU | QASM_SEMAPHORE));
	if (inst.kind == V3D_QPU_ALU || inst.kind == V3D_QPU_ALU_SMALL_IMMEDIATE)
		add_read(e, inst.raddr_a, false);
	if (inst.kind == V3D_QPU_ALU)
		add_read(e, inst.raddr_b, true);
	if (inst.kind == V3D_QPU_BRANCH && inst.reg)
		e->reads[0] |= 1u << inst.branch_raddr_a;
	if (v3d_qpu_reads(&inst, V3D_QPU_R4))
		e->flags |= QASM_READS_R4;
	add_write(e, false);
	add_write(e, true);
	add_rotation(e);
	if (same_target(&inst))
		e->flags |= QASM_SAME_TARGET;
	/* AG100 p. 48: a multisample is read and written in one instruction. */
	if ((e->flags & load_and_store) == load_and_store &&
	    inst.sig != V3D_QPU_SIG_LOAD_COVERAGE && !(e->flags & QASM_WRITES_Z))
		e->peripherals--;
}
