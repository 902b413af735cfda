// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Physical addresses are told to no user: an analysis of information flow (see verify_value.h for
 * its taints).
 *
 * Which uniforms are addresses is known of each job only: those that a relocation writes, and those
 * that take the address of the stream. So the verifier finds the uniforms of which something could
 * leave the registers, and check_told() of relocate.c refuses a job in which one of them is an
 * address. What leaves them is
 *
 *	what is written to the VPM, and so to memory, or to VPM set-up words: where, then, is seen
 *	in memory;
 *	what is added to the one uniform that makes an address: which of a BO's words were read, or
 *	written, says what it was. That uniform itself goes to the memory bus alone;
 *	coordinates of a texture lookup, and its parameters but the first, which the job's own
 *	check looks at as well;
 *	flags that a branch is taken by: when the program ends, what it does, and how often it
 *	did, all say so. Flags that decide whether a result is written taint that result;
 *	what is written to HOST_INT, which raises an interrupt or not.
 *
 * What stays in registers is overwritten before anybody can read it: see residue.c.
 *
 * Of a shader's words each is fetched by one instruction, and those that are addresses by the one
 * that uses them: it must do nothing else with them. The texture units fetch the others themselves.
 */
#include "verifier.h"

/**
 * v3dcl_tell() - something of these uniforms leaves the registers
 * @p: at the instruction that does it. Of shaders nothing is noted: see v3dcl_takes_alone()
 * @taint: the uniforms
 */
void v3dcl_tell(struct v3dcl_verifier *p, __u64 taint)
{
	__u64 more = taint & ~p->told;

	if (p->shader)
		return;
	p->told |= more;
	for (; more; more &= more - 1)
		p->told_at[v3dcl_lowest(more)] = p->at;
}

/**
 * v3dcl_tell_value() - v3dcl_tell() all that a value tells
 * @p: see v3dcl_tell()
 * @value: leaves the registers
 * @always: of all elements, else the flags say of which
 */
void v3dcl_tell_value(struct v3dcl_verifier *p, const struct v3dcl_abstract_value *value,
		      bool always)
{
	v3dcl_tell(p, v3dcl_taint(value) | (always ? 0 : p->s->flags_taint));
}

/* Does an operation of the mul ALU that happens take the uniform? */
static bool mul_takes_uniform(const struct v3d_qpu_inst *inst)
{
	bool a = inst->raddr_a == V3D_QPU_R_UNIFORM,
	     b = inst->kind == V3D_QPU_ALU && inst->raddr_b == V3D_QPU_R_UNIFORM;

	if (!inst->op_mul || inst->cond_mul == V3D_QPU_COND_NEVER)
		return false;
	return (a && (inst->mul_a == V3D_QPU_A || inst->mul_b == V3D_QPU_A)) ||
	       (b && (inst->mul_a == V3D_QPU_B || inst->mul_b == V3D_QPU_B));
}

/**
 * v3dcl_takes_alone() - an instruction of a shader takes an address from a uniform: for nothing
 * else?
 * @p: its refusal is set
 * @inst: its add ALU makes the address
 * Return: false with the refusal set
 */
bool v3dcl_takes_alone(const struct v3dcl_verifier *p, const struct v3d_qpu_inst *inst)
{
	return !(inst->sf || mul_takes_uniform(inst)) ||
	       v3dcl_refuse_here(p, V3DCL_RULE_ADDRESS_TAKEN, inst->sf, 0);
}
