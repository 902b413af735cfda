// SPDX-License-Identifier: MIT
/* What one instruction says: see forms.h. */
#include "forms.h"

#define BIT(n) (UINT64_C(1) << (n))
#define W(name) BIT(V3D_QPU_W_##name)
#define R(name) BIT(V3D_QPU_R_##name)
#define S(name) BIT(V3D_QPU_SIG_##name)

/* Files, accumulators, and what both kinds of code have of AG100 Table 14 */
#define REGISTERS (BIT(36) - 1)
#define UNITS_OF_BOTH (UINT64_C(0xfff) << V3D_QPU_W_SFU_RECIP)
#define WRITES_OF_BOTH \
	(REGISTERS | W(ACC5) | W(NOP) | W(UNIFORMS_ADDRESS) | W(VPM_WRITE) | W(VPM_SETUP) | \
	 UNITS_OF_BOTH)
#define READS_OF_BOTH ((BIT(32) - 1) | R(UNIFORM) | R(ELEMENT_QPU_NUMBER) | R(NOP) | R(VPM_READ))
#define SIGNALS_OF_BOTH \
	(S(NONE) | S(PROGRAM_END) | S(LOAD_TMU0) | S(LOAD_TMU1) | S(SMALL_IMMEDIATE) | \
	 S(LOAD_IMMEDIATE) | S(BRANCH) | S(BREAK))

/*
 * The tile buffer, pixels and varyings are there for shaders, DMA, mutex and interrupts for user
 * programs. A breakpoint on no path stops no one; on one, the chip shows it.
 */
static const struct {
	uint64_t writes, reads, signals;
} all[] = {
	{ WRITES_OF_BOTH | W(HOST_INT) | W(VPM_ADDR) | W(MUTEX_RELEASE),
	  READS_OF_BOTH | R(VPM_BUSY) | R(VPM_WAIT) | R(MUTEX_ACQUIRE), SIGNALS_OF_BOTH },
	{ WRITES_OF_BOTH | W(QUAD_XY) | W(MS_REV_FLAGS) | W(TLB_STENCIL_SETUP) | W(TLB_Z) |
		  W(TLB_COLOUR_MS) | W(TLB_COLOUR_ALL),
	  READS_OF_BOTH | R(VARYING) | R(PIXEL_COORD) | R(MS_REV_FLAGS),
	  SIGNALS_OF_BOTH | S(THREAD_SWITCH) | S(LAST_THREAD_SWITCH) | S(WAIT_SCOREBOARD) |
		  S(UNLOCK_SCOREBOARD) | S(LOAD_COLOR) },
};

/* Reads that do something, or take something away, so that what is read has to be of use */
#define READS_THAT_ACT \
	(R(UNIFORM) | R(NOP) | R(VARYING) | R(VPM_READ) | R(VPM_BUSY) | R(VPM_WAIT) | \
	 R(MUTEX_ACQUIRE))

/* Writes that a condition does not hold back from acting (HW) */
#define WRITES_THAT_ACT \
	(W(HOST_INT) | W(UNIFORMS_ADDRESS) | W(VPM_SETUP) | W(VPM_ADDR) | W(MUTEX_RELEASE))

/* AG100 Table 12: these take one operand */
#define ONE_OPERAND \
	(BIT(V3D_QPU_ADD_FTOI) | BIT(V3D_QPU_ADD_ITOF) | BIT(V3D_QPU_ADD_NOT) | \
	 BIT(V3D_QPU_ADD_CLZ))

static bool is_alu(const struct v3d_qpu_inst *inst)
{
	return inst->kind == V3D_QPU_ALU || inst->kind == V3D_QPU_ALU_SMALL_IMMEDIATE;
}

struct form_half form_half(const struct v3d_qpu_inst *inst, bool mul)
{
	const __u8 condition = mul ? inst->cond_mul : inst->cond_add;

	return (struct form_half){
		.waddr = mul ? inst->waddr_mul : inst->waddr_add,
		.condition = condition,
		.active = condition != V3D_QPU_COND_NEVER &&
			  (!is_alu(inst) || (mul ? inst->op_mul : inst->op_add)),
		.in_b = mul != (bool)inst->ws,
	};
}

bool form_takes(const struct v3d_qpu_inst *inst, __u8 mux)
{
	const bool one = ONE_OPERAND >> inst->op_add & 1;

	return (form_half(inst, false).active &&
		(inst->add_a == mux || (!one && inst->add_b == mux))) ||
	       (form_half(inst, true).active && (inst->mul_a == mux || inst->mul_b == mux));
}

bool form_reads(const struct v3d_qpu_inst *inst, __u8 raddr)
{
	if (!is_alu(inst))
		return false;
	return (inst->raddr_a == raddr && form_takes(inst, V3D_QPU_A)) ||
	       (inst->kind == V3D_QPU_ALU && inst->raddr_b == raddr && form_takes(inst, V3D_QPU_B));
}

static const char *port(const struct v3d_qpu_inst *inst, __u8 raddr, __u8 mux, bool shader)
{
	const uint64_t bit = BIT(raddr);
	const bool taken = form_takes(inst, mux);

	if (!(all[shader].reads & bit))
		return "a register is read that such code has not";
	if (raddr == V3D_QPU_R_NOP)
		return taken ? "an operand is what was read before" : NULL;
	return !taken && READS_THAT_ACT & bit ? "something is fetched that no operation takes" :
						NULL;
}

static const char *alu(const struct v3d_qpu_inst *inst, bool shader)
{
	const char *broken;

	if ((inst->op_add > 8 && inst->op_add < 12) || (inst->op_add > 24 && inst->op_add < 30))
		return "an operation that there is not";
	broken = port(inst, inst->raddr_a, V3D_QPU_A, shader);
	if (!broken && inst->kind == V3D_QPU_ALU)
		broken = port(inst, inst->raddr_b, V3D_QPU_B, shader);
	return broken;
}

/* A half that does nothing names no unit: a register may be spoilt, a unit be told something */
static const char *idle(const struct form_half *h)
{
	return h->waddr > V3D_QPU_W_ACC3 && h->waddr != V3D_QPU_W_NOP &&
			       h->waddr != V3D_QPU_W_ACC5 ?
		       "an operation that does nothing names a unit" :
		       NULL;
}

static const char *one_half(const struct v3d_qpu_inst *inst, bool mul, bool shader)
{
	const struct form_half h = form_half(inst, mul);

	if (!h.active)
		return idle(&h);
	if (!(all[shader].writes >> h.waddr & 1))
		return "a register is written that such code has not";
	/* AG100 Table 9 */
	if (inst->pm && inst->pack && (inst->pack < 3 || inst->pack > 7))
		return "a result is packed in a way that there is not";
	if (!shader && h.condition != V3D_QPU_COND_ALWAYS && WRITES_THAT_ACT >> h.waddr & 1)
		return "a unit is told something under a condition";
	return h.waddr == V3D_QPU_W_UNIFORMS_ADDRESS && h.in_b ?
		       "the address of the uniforms is written through file B" :
		       NULL;
}

/*
 * AG100 "Summary of Instruction Restrictions": one closely coupled peripheral an instruction. Mesa
 * accesses the tile buffer in two ways at once (SW).
 */
static const char *peripherals(const struct v3d_qpu_inst *inst)
{
	bool tile = inst->sig == V3D_QPU_SIG_LOAD_COLOR;
	uint32_t count = inst->kind == V3D_QPU_SEMAPHORE;

	count += inst->sig == V3D_QPU_SIG_LOAD_TMU0 || inst->sig == V3D_QPU_SIG_LOAD_TMU1;
	for (uint32_t mul = 0; mul < 2; mul++) {
		const struct form_half h = form_half(inst, mul);

		count += h.active && h.waddr >= V3D_QPU_W_SFU_RECIP;
		tile |= h.active && h.waddr >= V3D_QPU_W_TLB_STENCIL_SETUP &&
			h.waddr <= V3D_QPU_W_TLB_COLOUR_ALL;
	}
	count += form_reads(inst, V3D_QPU_R_MUTEX_ACQUIRE);
	return count + tile > 1 ? "an instruction accesses two units at once" : NULL;
}

/* The mul half, too, takes what a port fetches of the uniforms */
static bool mul_takes_uniform(const struct v3d_qpu_inst *inst)
{
	struct v3d_qpu_inst mul = *inst;

	mul.cond_add = V3D_QPU_COND_NEVER;
	return form_reads(&mul, V3D_QPU_R_UNIFORM);
}

/* A shader's word that becomes an address is seen by the unit that is given it alone */
static const char *address_of_shader(const struct v3d_qpu_inst *inst)
{
	const struct form_half h = form_half(inst, false);
	const bool is_address = h.waddr == V3D_QPU_W_UNIFORMS_ADDRESS ||
				h.waddr == V3D_QPU_W_TMU0_S || h.waddr == V3D_QPU_W_TMU1_S;

	return h.active && is_address && form_reads(inst, V3D_QPU_R_UNIFORM) &&
			       (inst->sf || mul_takes_uniform(inst)) ?
		       "a shader keeps what is known of an address" :
		       NULL;
}

/* AG100 Figure 7 and Table 11; of returns, a register of file A and nothing more */
static const char *branch(const struct v3d_qpu_inst *inst, bool shader)
{
	const bool back = !shader && inst->reg && !inst->rel && !inst->immediate,
		   linked = !shader && inst->waddr_add < 32 && inst->waddr_mul == V3D_QPU_W_NOP;

	if (inst->cond_br > 11 && inst->cond_br < 15)
		return "a branch under a condition that there is not";
	if ((inst->reg || !inst->rel) && !back)
		return "a branch to somewhere that is no offset and no register";
	if (inst->immediate % V3D_QPU_INSTRUCTION_BYTES)
		return "a branch into an instruction";
	if (linked && inst->reg && !inst->ws && inst->waddr_add == inst->branch_raddr_a)
		return "a branch writes the register that it goes by";
	return linked || (inst->waddr_add == V3D_QPU_W_NOP && inst->waddr_mul == V3D_QPU_W_NOP) ?
		       NULL :
		       "a branch writes what is no link's register";
}

static const char *semaphore(const struct v3d_qpu_inst *inst, bool shader)
{
	if (shader)
		return "a shader uses a semaphore";
	/* AG100 Figure 6 */
	for (uint32_t mul = 0; mul < 2; mul++) {
		const __u8 waddr = form_half(inst, mul).waddr;

		if (waddr > V3D_QPU_W_ACC3 && waddr != V3D_QPU_W_NOP)
			return "a semaphore's instruction writes to more than registers";
	}
	return NULL;
}

/*
 * AG100 Tables 32 and 33: bits that no field has. Assemblers that make both words with one function
 * write how many values there are in both (SW).
 */
#define NO_FIELD 0x3f0c0000u
#define USER_ROWS 64u
#define SIZE(word) ((word) >> 8 & 3)

static const char *setup_word(uint32_t word)
{
	if (word >> 31) /* of DMA */
		return NULL;
	if (word >> 30 || word & NO_FIELD || SIZE(word) > 2)
		return "a set-up word of the VPM that there is not";
	return (word & 0xff) >= USER_ROWS << (2 - SIZE(word)) ?
		       "a set-up word of rows of the VPM that no one has" :
		       NULL;
}

/* What a load tells the VPM, which is known from the instruction alone */
static const char *setup(const struct v3d_qpu_inst *inst)
{
	for (uint32_t mul = 0; mul < 2; mul++) {
		const struct form_half h = form_half(inst, mul);
		const char *broken = NULL;

		if (h.active && h.waddr == V3D_QPU_W_VPM_SETUP)
			broken = setup_word(inst->immediate);
		if (broken)
			return broken;
	}
	return NULL;
}

const char *form_broken(const struct v3d_qpu_inst *inst, bool shader)
{
	const char *broken = NULL;

	if (!(all[shader].signals >> inst->sig & 1))
		return "a signal that such code does not give";
	if (inst->kind == V3D_QPU_BRANCH)
		return branch(inst, shader);
	if (inst->kind == V3D_QPU_LOAD_RESERVED)
		return "a load that there is not";
	if (inst->kind == V3D_QPU_SEMAPHORE)
		broken = semaphore(inst, shader);
	if (!broken && is_alu(inst))
		broken = alu(inst, shader);
	if (!broken && shader && is_alu(inst))
		broken = address_of_shader(inst);
	if (!broken && !shader && inst->kind == V3D_QPU_LOAD_32)
		broken = setup(inst);
	broken = broken ? broken : one_half(inst, false, shader);
	broken = broken ? broken : one_half(inst, true, shader);
	return broken ? broken : peripherals(inst);
}
