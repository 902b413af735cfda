// SPDX-License-Identifier: (GPL-2.0-only OR MIT)
/*
 * Verifying user programs, once, when their immutable BO is made: whatever their uniforms say, they
 * reach no memory but by the accesses that are recorded here, which v3dcl_relocate() holds each
 * job's uniforms against.
 */
#include "verifier.h"

/**
 * v3dcl_program_scratch() - how much scratch memory v3dcl_check_program() needs
 * @code: instruction words
 * @count: of @code, at most V3DCL_MAX_INSTRUCTIONS
 * Return: bytes: below 9 KiB and 170 an instruction without branches; at most 6300 for each branch
 * more, both as often again as there are calls, and below 4 MiB in all
 */
__u32 v3dcl_program_scratch(const __u64 *code, __u32 count)
{
	return v3dcl_verifier_bytes(code, count, false);
}

/**
 * v3dcl_check_program() - is this a user program that every client may run?
 * @code: instruction words that no longer change
 * @count: of @code
 * @scratch: memory that the result's array is in, aligned to 8 bytes; see v3dcl_keep_program()
 * @scratch_bytes: of @scratch, at least v3dcl_program_scratch()
 * @program: result
 * @refusal: set when it returns false, with the offset of the instruction
 *
 * The program starts at the first instruction. What is accepted reads no memory but through its
 * uniforms and the accesses recorded, writes none but through those, reads no register that it has
 * not written, and leaves neither mutex nor DMA nor requests behind.
 *
 * Return: true when it may
 */
bool v3dcl_check_program(const __u64 *code, __u32 count, void *scratch, __u32 scratch_bytes,
			 struct v3dcl_program *program, struct v3dcl_refusal *refusal)
{
	struct v3dcl_verifier *p;

	if (!v3dcl_verify(&p, code, count, scratch, scratch_bytes, false, refusal))
		return false;
	/* Where code lies no job says: it is told, or not, in each. */
	if (p->told & V3DCL_TAINT_CODE)
		return v3dcl_refuse_at(p, p->told_at[V3DCL_TAINTS - 1], V3DCL_RULE_ADDRESS_TOLD,
				       p->told_at[V3DCL_TAINTS - 1], 0);
	*program = (struct v3dcl_program){
		.uses = p->uses,
		.use_count = p->use_count,
		.count = count,
		.last_end = p->limit - V3D_QPU_END_SLOTS - 1,
		.verified = true,
		.uniform_words = p->words,
		.told = p->told,
	};
	__builtin_memcpy(program->told_at, p->told_at, sizeof(program->told_at));
	__builtin_memcpy(program->semaphores, p->semaphores, sizeof(program->semaphores));
	return true;
}

/**
 * v3dcl_keep_program() - move a program's array from the scratch memory to memory of its size
 * @program: checked
 * @memory: v3dcl_program_bytes() of it, aligned to 8 bytes; the caller's, for the life of the
 *	program
 */
void v3dcl_keep_program(struct v3dcl_program *program, void *memory)
{
	if (program->use_count)
		__builtin_memcpy(memory, program->uses, v3dcl_program_bytes(program));
	program->uses = memory;
}
