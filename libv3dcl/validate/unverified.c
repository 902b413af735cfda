// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * User programs that are not verified: only what could hang or confuse the QPU by its mere encoding
 * is refused. What they read and write is not looked at, so the client must be trusted.
 */
#include "cursor.h"
#include "encodings.h"

static bool refuse_code(struct v3dcl_refusal *refusal, __u16 rule, __u32 at, __u64 found,
			__u64 expected)
{
	return v3dcl_refuse(refusal, DRM_V3DCL_PART_CODE, rule, at * V3D_QPU_INSTRUCTION_BYTES,
			    found, expected);
}

static bool check_word(const struct v3d_qpu_inst *inst, __u32 at, struct v3dcl_refusal *refusal)
{
	if (inst->sig == V3D_QPU_SIG_BREAK)
		return refuse_code(refusal, V3DCL_RULE_CODE_SIGNAL, at, inst->sig,
				   V3D_QPU_SIG_NONE);
	if (inst->kind == V3D_QPU_LOAD_RESERVED)
		return refuse_code(refusal, V3DCL_RULE_CODE_LOAD, at, inst->unpack, 0);
	/* Fields that an instruction does not have are 0, which exists. */
	if (!v3dcl_branch_exists(inst->cond_br))
		return refuse_code(refusal, V3DCL_RULE_BRANCH_CONDITION, at, inst->cond_br,
				   V3D_QPU_BRANCH_ALWAYS);
	if (!v3dcl_op_exists(inst->op_add))
		return refuse_code(refusal, V3DCL_RULE_CODE_OP, at, inst->op_add, V3D_QPU_ADD_NOP);
	return true;
}

/**
 * v3dcl_check_unverified() - may a trusted client run this code?
 * @code: instruction words that no longer change
 * @count: of @code
 * @program: result
 * @refusal: set when it returns false, with the offset of the instruction
 * Return: true when it may: some program end has both its delay slots inside, and no reserved
 * encoding comes before its end
 */
bool v3dcl_check_unverified(const __u64 *code, __u32 count, struct v3dcl_program *program,
			    struct v3dcl_refusal *refusal)
{
	__u32 i, last = 0, ends = 0;

	if (!count || count > V3DCL_MAX_INSTRUCTIONS)
		return refuse_code(refusal, V3DCL_RULE_CODE_SIZE, 0, count, V3DCL_MAX_INSTRUCTIONS);
	for (i = 0; i + V3D_QPU_END_SLOTS < count; i++) {
		if (code[i] >> 60 == V3D_QPU_SIG_PROGRAM_END) {
			last = i;
			ends++;
		}
	}
	if (!ends)
		return refuse_code(refusal, V3DCL_RULE_CODE_END, count, 0, 1);
	for (i = 0; i <= last + V3D_QPU_END_SLOTS; i++) {
		struct v3d_qpu_inst inst = v3d_qpu_decode(code[i]);

		if (!check_word(&inst, i, refusal))
			return false;
	}
	*program = (struct v3dcl_program){ .count = count, .last_end = last };
	return true;
}
