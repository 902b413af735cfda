// SPDX-License-Identifier: MIT
/*
 * Shaders: what is accepted and what is known about it, and each rule with a program that breaks it.
 */
#include "common.h"

/* Programs that break a rule: B(RULE, instruction that is refused, what is emitted) */
#define E(inst) shader_emit(t, inst);
#define BROKEN(rule, at, body) \
	static void breaks_##rule##_at_##at(struct test_shader *t) { body } \
	static void test_##rule##_##at(void **state) \
	{ \
		struct test_shader t; \
		(void)state; \
		shader_begin(&t); \
		breaks_##rule##_at_##at(&t); \
		qb_end(&t.b); \
		assert_false(shader_check(&t)); \
		assert_refusal(&t.refusal, CODE, rule, (PRELUDE + (at)) * 8); \
	}

static const struct v3d_qpu_inst branch_back = {
	.kind = V3D_QPU_BRANCH, .sig = V3D_QPU_SIG_BRANCH, .cond_br = V3D_QPU_BRANCH_ALL_ZS, .rel = 1,
	.waddr_add = V3D_QPU_W_NOP, .waddr_mul = V3D_QPU_W_NOP, .immediate = -4u * 8,
};

static struct v3d_qpu_inst branch_by_bytes(int bytes)
{
	struct v3d_qpu_inst branch = branch_back;

	branch.immediate = bytes;
	return branch;
}

static struct v3d_qpu_inst branch_by(int instructions)
{
	return branch_by_bytes((uint32_t)instructions * 8);
}

/* An instruction with one of its fields changed; each is a byte */
static struct v3d_qpu_inst with(struct v3d_qpu_inst inst, size_t field, __u8 value)
{
	((__u8 *)&inst)[field] = value;
	return inst;
}

#define WITH(inst, field, value) with(inst, offsetof(struct v3d_qpu_inst, field), value)
#define MAX0(dst, src) qb_add(V3D_QPU_ADD_MAX, dst, src, qb_imm(0))
#define MIN_UNIFORM(dst, src) qb_add(V3D_QPU_ADD_MIN, dst, src, QB_UNIF)
#define READ_DIRECT(src) qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, src, QB_UNIF)
#define LDI_RESET(value) qb_ldi(QB_R3, value)
#define RESET qb_add(V3D_QPU_ADD_ADD, QB_UNIF_ADDR, QB_R3, QB_UNIF)

/* Signals and encodings */
BROKEN(CODE_SIGNAL, 0, E(SIG(BREAK, qb_nop())))
BROKEN(CODE_SIGNAL, 1, qb_nops(&t->b, 1); E(SIG(LOAD_COVERAGE, qb_nop())))
BROKEN(CODE_SIGNAL, 2, qb_nops(&t->b, 2); E(SIG(LOAD_ALPHA_MASK, qb_nop())))
BROKEN(CODE_SIGNAL, 3, qb_nops(&t->b, 3); E(SIG(LOAD_COLOR_END, qb_nop())))
BROKEN(CODE_OP, 0, E(WITH(qb_nop(), op_add, 9)))
BROKEN(CODE_OP, 1, qb_nops(&t->b, 1); E(WITH(qb_nop(), op_add, 29)))
BROKEN(CODE_LOAD, 0, E(qb_load(V3D_QPU_LOAD_RESERVED, 2, QB_R0, 1)))
BROKEN(CODE_SEMAPHORE, 0, E(qb_sema_up(3)))
BROKEN(CODE_SEMAPHORE, 1, qb_nops(&t->b, 1); E(qb_sema_down(3)))
/* Registers that reach memory, other QPUs or the host */
BROKEN(CODE_WRITE, 0, E(qb_mov(QB_VDR_ADDR, QB_R0)))
BROKEN(CODE_WRITE, 1, qb_nops(&t->b, 1); E(qb_mov(QB_VDW_ADDR, QB_R0)))
BROKEN(CODE_WRITE, 2, qb_nops(&t->b, 2); E(qb_mov(QB_HOST_INT, QB_R0)))
BROKEN(CODE_WRITE, 3, qb_nops(&t->b, 3); E(qb_mov(QB_MUTEX_RELEASE, QB_R0)))
BROKEN(CODE_WRITE, 4, qb_nops(&t->b, 4); E(qb_mov(QB_TMU_NOSWAP, QB_R0)))
BROKEN(CODE_WRITE, 5, qb_nops(&t->b, 5); E(qb_mov(QB_IO(V3D_QPU_W_TLB_ALPHA_MASK), QB_R0)))
BROKEN(CODE_WRITE, 6, qb_nops(&t->b, 6); E(qb_ldi(QB_VDW_ADDR, 0x1000)))
BROKEN(CODE_WRITE, 7, qb_nops(&t->b, 7); E(qb_mul_mov(QB_VDW_ADDR, QB_R0)))
BROKEN(CODE_READ, 0, E(qb_mov(QB_R0, QB_MUTEX_ACQUIRE)))
BROKEN(CODE_READ, 1, qb_nops(&t->b, 1); E(WITH(qb_nop(), raddr_b, V3D_QPU_R_MUTEX_ACQUIRE)))
BROKEN(CODE_READ, 2, qb_nops(&t->b, 2); E(qb_mov(QB_R0, QB_VDW_WAIT)))
BROKEN(CODE_READ, 3, qb_nops(&t->b, 3); E(qb_mov(QB_R0, QB_RA(33))))
/* The end */
BROKEN(CODE_END_ACCESS, 0, E(SIG(PROGRAM_END, qb_mov(QB_R0, QB_UNIF))))
BROKEN(CODE_END_ACCESS, 1, E(SIG(PROGRAM_END, qb_nop())) E(qb_mov(QB_R0, QB_VPM_READ)))
BROKEN(CODE_END_ACCESS, 2, E(SIG(PROGRAM_END, qb_nop())) qb_nops(&t->b, 1); E(qb_mov(QB_VPM_WRITE, QB_R0)))
BROKEN(CODE_END_ACCESS, 4, qb_nops(&t->b, 3); E(SIG(PROGRAM_END, qb_nop())) E(qb_mov(QB_TMU0_T, QB_R0)))
BROKEN(CODE_END_ACCESS, 3, qb_nops(&t->b, 3); E(SIG(PROGRAM_END, qb_mov(QB_VPM_WRITE, QB_R0))))
BROKEN(CODE_SIGNAL, 5, qb_nops(&t->b, 4); E(SIG(PROGRAM_END, qb_nop())) E(SIG(PROGRAM_END, qb_nop())))
/* Branches */
BROKEN(BRANCH_CONDITION, 0, E(WITH(branch_by(0), cond_br, 12)))
BROKEN(BRANCH_KIND, 0, E(WITH(branch_by(0), rel, 0)))
BROKEN(BRANCH_KIND, 1, qb_nops(&t->b, 1); E(WITH(branch_by(0), reg, 1)))
BROKEN(BRANCH_WRITE, 0, E(WITH(branch_by(0), waddr_add, 5)))
BROKEN(BRANCH_WRITE, 1, qb_nops(&t->b, 1); E(WITH(branch_by(0), waddr_mul, V3D_QPU_W_VPM_ADDR)))
BROKEN(BRANCH_TARGET, 0, E(branch_by_bytes(4)) qb_nops(&t->b, 4);)
BROKEN(BRANCH_TARGET, 1, qb_nops(&t->b, 1); E(branch_by(-6 - PRELUDE)) qb_nops(&t->b, 4);)
/* Past the program end, where nothing was looked at: into its delay slots, and beyond */
BROKEN(BRANCH_TARGET, 2, qb_nops(&t->b, 2); E(branch_by(1)) qb_nops(&t->b, 3);)
BROKEN(BRANCH_TARGET, 3, qb_nops(&t->b, 3); E(branch_by(4)) qb_nops(&t->b, 3); qb_end(&t->b); t->b.count -= 3;)
/* Code reached only by a branch past an end; and code there that nobody reaches */
BROKEN(CODE_WRITE, 10, qb_nops(&t->b, 3); E(branch_by(3)) qb_nops(&t->b, 3); qb_end(&t->b); E(qb_mov(QB_VDW_ADDR, QB_R0)))
BROKEN(CODE_WRITE, 11, qb_nops(&t->b, 4); E(branch_by(4)) qb_nops(&t->b, 3); qb_end(&t->b); E(qb_mov(QB_VDW_ADDR, QB_R0)))
BROKEN(BRANCH_TARGET, 4, qb_nops(&t->b, 4); E(branch_by(0)) qb_nops(&t->b, 2);)
BROKEN(BRANCH_TARGET, 5, qb_nops(&t->b, 5); E(branch_by(0x0fffffff)) qb_nops(&t->b, 4);)
BROKEN(BRANCH_SLOT, 3, E(branch_by(4)) qb_nops(&t->b, 2); E(branch_by(4)) qb_nops(&t->b, 9);)
BROKEN(BRANCH_SLOT, 2, E(SIG(THREAD_SWITCH, qb_nop())) qb_nops(&t->b, 1); E(branch_by(0)) qb_nops(&t->b, 3);)
BROKEN(BRANCH_SLOT, 1, E(SIG(PROGRAM_END, qb_nop())) E(branch_by(0)))
BROKEN(SWITCH_SLOT, 2, E(SIG(THREAD_SWITCH, qb_nop())) qb_nops(&t->b, 1); E(SIG(LAST_THREAD_SWITCH, qb_nop())) qb_nops(&t->b, 3);)
BROKEN(SLOT_TARGET, 3, E(branch_by(0)) qb_nops(&t->b, 2); E(SIG(THREAD_SWITCH, qb_nop())) qb_nops(&t->b, 3);)
BROKEN(SLOT_TARGET, 4, E(branch_by(1)) qb_nops(&t->b, 3); E(SIG(THREAD_SWITCH, qb_nop())) qb_nops(&t->b, 3);)
BROKEN(SLOT_TARGET, 5, E(branch_by(4)) qb_nops(&t->b, 4); E(branch_by(0)) qb_nops(&t->b, 4);)
BROKEN(SLOT_TARGET, 6, E(branch_by(3)) qb_nops(&t->b, 5); E(SIG(PROGRAM_END, qb_nop())) qb_nops(&t->b, 2);)
BROKEN(SWITCH_SLOT, 1, E(SIG(PROGRAM_END, qb_nop())) E(SIG(THREAD_SWITCH, qb_nop())))
/* The position in the uniform stream */
BROKEN(UNIFORM_LOST, 5, E(branch_by(1)) qb_nops(&t->b, 3); E(qb_mov(QB_R0, QB_UNIF)) E(qb_mov(QB_R0, QB_UNIF)) qb_nops(&t->b, 2);)
BROKEN(UNIFORM_LOST, 6, E(branch_by(2)) qb_nops(&t->b, 4); E(qb_mov(QB_R0, QB_UNIF)) E(qb_mov(QB_TMU0_T, QB_R0)))
/* The word before the reset is one that the first path reads as a number: the second would take it for the address. */
BROKEN(UNIFORM_LOST, 9, E(branch_by(1)) qb_nops(&t->b, 3); E(qb_mov(QB_R0, QB_UNIF)) E(LDI_RESET(8)) E(RESET) qb_nops(&t->b, 2);)
BROKEN(UNIFORM_UNREAD, 0, E(WITH(qb_nop(), raddr_a, V3D_QPU_R_UNIFORM)))
BROKEN(UNIFORM_UNREAD, 1, qb_nops(&t->b, 1); E(WITH(qb_nop(), raddr_b, V3D_QPU_R_UNIFORM)))
BROKEN(UNIFORM_SOON, 3, E(LDI_RESET(4)) E(RESET) qb_nops(&t->b, 1); E(qb_mov(QB_R0, QB_UNIF)))
BROKEN(UNIFORM_SOON, 2, E(LDI_RESET(4)) E(RESET) E(qb_mov(QB_TMU0_T, QB_R0)))
/* A reset reads a uniform itself. Instruction 2 is the target of a branch back. */
BROKEN(UNIFORM_SOON, 4, qb_nops(&t->b, 1); E(LDI_RESET(4)) E(RESET) E(LDI_RESET(8)) E(RESET) qb_nops(&t->b, 4); E(branch_by(3 - 13))
	qb_nops(&t->b, 3);)
BROKEN(ADDRESS_SLOT, 4, E(LDI_RESET(4)) E(branch_by(0)) qb_nops(&t->b, 2); E(RESET) qb_nops(&t->b, 3);)
BROKEN(ADDRESS_RELATIVE, 1, E(LDI_RESET(4)) E(qb_add(V3D_QPU_ADD_ADD, QB_RB(V3D_QPU_W_UNIFORMS_ADDRESS), QB_R3, QB_UNIF)))
BROKEN(ADDRESS_FORM, 0, E(qb_mov(QB_UNIF_ADDR, QB_UNIF)))
BROKEN(ADDRESS_FORM, 1, E(LDI_RESET(4)) E(qb_if(V3D_QPU_COND_ZS, RESET)))
BROKEN(ADDRESS_FORM, 2, qb_nops(&t->b, 1); E(LDI_RESET(4)) E(qb_pack(1, false, RESET)))
BROKEN(ADDRESS_FORM, 3, qb_nops(&t->b, 2); E(LDI_RESET(4)) E(qb_unpack(1, false, RESET)))
BROKEN(ADDRESS_FORM, 4, qb_nops(&t->b, 3); E(qb_if(V3D_QPU_COND_ZS, LDI_RESET(4))) E(RESET))
BROKEN(ADDRESS_FORM, 5, qb_nops(&t->b, 4); E(qb_ldi_signed(QB_R3, 4)) E(RESET))
BROKEN(ADDRESS_FORM, 6, qb_nops(&t->b, 4); E(LDI_RESET(4)) E(qb_mov(QB_R3, QB_R0)) E(RESET))
/* The MUL half of a load, under a condition of its own */
BROKEN(ADDRESS_FORM, 7, qb_nops(&t->b, 6);
	E(WITH(WITH(WITH(qb_ldi(QB_NONE, 4), waddr_mul, V3D_QPU_W_ACC3), cond_mul, V3D_QPU_COND_ZS), ws, 0)) E(RESET))
BROKEN(ADDRESS_CONSTANT, 1, E(LDI_RESET(8)) E(RESET))
BROKEN(ADDRESS_CONSTANT, 2, E(qb_mov(QB_R0, QB_UNIF)) E(LDI_RESET(4)) E(RESET))
/* Texture lookups */
BROKEN(TMU_BOTH, 0, E(qb_both(qb_mov(QB_TMU0_T, QB_R0), qb_mul_mov(QB_IO(V3D_QPU_W_TMU1_T), QB_R0))))
BROKEN(TMU_BOTH, 1, qb_nops(&t->b, 1); E(qb_both(qb_mov(QB_TMU0_S, QB_R0), qb_mul_mov(QB_TMU0_T, QB_R0))))
BROKEN(TMU_BOTH, 2, qb_nops(&t->b, 2); E(qb_both(qb_mov(QB_TMU0_T, QB_R0), qb_mul_mov(QB_TMU0_S, QB_R0))))
BROKEN(TMU_UNIFORM, 0, E(qb_mov(QB_TMU0_T, QB_UNIF)))
BROKEN(TMU_UNIFORM, 1, E(qb_mov(QB_TMU0_T, QB_R0)) E(qb_add(V3D_QPU_ADD_FADD, QB_TMU0_S, QB_R0, QB_UNIF)))
BROKEN(TMU_TWICE, 1, E(qb_mov(QB_TMU0_T, QB_R0)) E(qb_mov(QB_TMU0_T, QB_R0)))
BROKEN(TMU_CONDITION, 0, E(qb_if(V3D_QPU_COND_NEVER, qb_mov(QB_TMU0_T, QB_R0))))
BROKEN(TMU_OPEN, 4, E(branch_by(1)) E(qb_mov(QB_TMU0_S + 1, QB_R0)) qb_nops(&t->b, 2); qb_nops(&t->b, 4);)
BROKEN(TMU_OPEN, 1, E(qb_mov(QB_TMU0_T, QB_R0)))
/* Direct reads */
BROKEN(DIRECT_FORM, 0, E(qb_mov(QB_TMU0_S, QB_R0)))
BROKEN(DIRECT_FORM, 1, qb_nops(&t->b, 1); E(qb_ldi(QB_TMU0_S, 0x1000)))
BROKEN(DIRECT_FORM, 2, E(MAX0(QB_R0, QB_R0)) E(MIN_UNIFORM(QB_R0, QB_R0)) E(qb_add(V3D_QPU_ADD_OR, QB_TMU0_S, QB_R0, QB_UNIF)))
BROKEN(DIRECT_FORM, 3, qb_nops(&t->b, 1); E(MAX0(QB_R0, QB_R0)) E(MIN_UNIFORM(QB_R0, QB_R0))
	E(qb_if(V3D_QPU_COND_ZS, READ_DIRECT(QB_R0))))
BROKEN(DIRECT_CLAMP, 0, E(READ_DIRECT(QB_R0)))
/* Not clamped from below */
BROKEN(DIRECT_CLAMP, 1, E(MIN_UNIFORM(QB_R0, QB_R0)) E(READ_DIRECT(QB_R0)))
/* A clamp that may not happen */
BROKEN(DIRECT_CLAMP, 2, E(MAX0(QB_R0, QB_R0)) E(qb_if(V3D_QPU_COND_ZS, MIN_UNIFORM(QB_R0, QB_R0))) E(READ_DIRECT(QB_R0)))
/* The clamped register is written again, in part */
BROKEN(DIRECT_CLAMP, 3, E(MAX0(QB_R0, QB_R0)) E(MIN_UNIFORM(QB_R0, QB_R0)) E(qb_if(V3D_QPU_COND_ZS, qb_mul_mov(QB_R0, QB_R1)))
	E(READ_DIRECT(QB_R0)))
/* A pack on the clamp, an unpack of the clamped value */
BROKEN(DIRECT_CLAMP, 4, qb_nops(&t->b, 1); E(MAX0(QB_R0, QB_R0)) E(qb_pack(1, false, MIN_UNIFORM(QB_RA(1), QB_R0)))
	qb_nops(&t->b, 1); E(qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_RA(1), QB_UNIF_B)))
BROKEN(DIRECT_CLAMP, 5, qb_nops(&t->b, 2); E(MAX0(QB_R0, QB_R0)) E(MIN_UNIFORM(QB_RA(1), QB_R0)) qb_nops(&t->b, 1);
	E(qb_unpack(1, false, qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_RA(1), QB_UNIF_B))))
/* The value is read one instruction too early. */
BROKEN(DIRECT_CLAMP, 6, qb_nops(&t->b, 4); E(MAX0(QB_R0, QB_R0)) E(MIN_UNIFORM(QB_RA(1), QB_R0))
	E(qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_RA(1), QB_UNIF_B)))
/* The thread switch gives the accumulators away. */
BROKEN(CODE_UNDEFINED, 7, qb_nops(&t->b, 2); E(MAX0(QB_R0, QB_R0)) E(SIG(THREAD_SWITCH, MIN_UNIFORM(QB_R0, QB_R0)))
	qb_nops(&t->b, 3); E(READ_DIRECT(QB_R0)))
/* Another path leads to the read, around the clamp. */
BROKEN(DIRECT_CLAMP, 11, E(qb_mov(QB_R1, QB_UNIF)) E(MAX0(QB_R0, QB_R0)) E(branch_by(1)) qb_nops(&t->b, 3);
	E(MIN_UNIFORM(QB_R0, QB_R0))
	E(LDI_RESET(12)) E(RESET) qb_nops(&t->b, 2); E(READ_DIRECT(QB_R0)))
/* Both halves write the register: nobody says which wins. */
BROKEN(DIRECT_CLAMP, 9, qb_nops(&t->b, 7); E(qb_both(MAX0(QB_R0, QB_R0), qb_mul_mov(QB_R0, QB_R1))) E(MIN_UNIFORM(QB_R0, QB_R0))
	E(READ_DIRECT(QB_R0)))
/* The limit is half of a uniform. */
BROKEN(DIRECT_CLAMP, 10, qb_nops(&t->b, 8); E(MAX0(QB_R0, QB_R0)) E(qb_unpack(1, false, MIN_UNIFORM(QB_R0, QB_R0)))
	E(READ_DIRECT(QB_R0)))
/* A file B register of the small immediate's number is not the small immediate. */
BROKEN(DIRECT_CLAMP, 20, qb_nops(&t->b, 18); E(qb_add(V3D_QPU_ADD_MAX, QB_R0, QB_R0, qb_imm(-1))) E(MIN_UNIFORM(QB_R0, QB_R0))
	E(READ_DIRECT(QB_R0)))
/* The same for file B */
BROKEN(DIRECT_CLAMP, 12, qb_nops(&t->b, 10); E(MAX0(QB_R0, QB_R0)) E(MIN_UNIFORM(QB_RB(1), QB_R0))
	E(qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_RB(1), QB_UNIF)))
/* An address that is no register: uniforms have the number of the first register of file B */
BROKEN(DIRECT_CLAMP, 13, qb_nops(&t->b, 10); E(MAX0(QB_R0, QB_R0)) E(MIN_UNIFORM(QB_RB(0), QB_R0)) qb_nops(&t->b, 1);
	E(qb_unpack(1, false, qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_UNIF, QB_UNIF_B))))
/* A port's address does not matter to an operand that comes from elsewhere. */
BROKEN(DIRECT_CLAMP, 14, qb_nops(&t->b, 11); E(MAX0(QB_R0, QB_R0)) E(MIN_UNIFORM(QB_RB(3), QB_R0)) qb_nops(&t->b, 1);
	E(WITH(READ_DIRECT(QB_R4), raddr_b, 3)))
/* Nor does a small immediate */
BROKEN(DIRECT_CLAMP, 15, qb_nops(&t->b, 13);
	E(qb_both(qb_add(V3D_QPU_ADD_MAX, QB_R0, QB_R0, QB_R1), qb_mul(V3D_QPU_MUL_V8MIN, QB_R2, QB_R2, qb_imm(0))))
	E(MIN_UNIFORM(QB_R0, QB_R0)) E(READ_DIRECT(QB_R0)))
/* Something else than min, than max, than a move; a uniform and a number that may be below 0 */
BROKEN(DIRECT_CLAMP, 16, qb_nops(&t->b, 14); E(MAX0(QB_R0, QB_R0)) E(qb_add(V3D_QPU_ADD_SUB, QB_R0, QB_R0, QB_UNIF))
	E(READ_DIRECT(QB_R0)))
BROKEN(DIRECT_CLAMP, 17, qb_nops(&t->b, 15); E(qb_add(V3D_QPU_ADD_AND, QB_R0, QB_R0, qb_imm(-1))) E(MIN_UNIFORM(QB_R0, QB_R0))
	E(READ_DIRECT(QB_R0)))
BROKEN(DIRECT_CLAMP, 18, qb_nops(&t->b, 15); E(MAX0(QB_R0, QB_R0)) E(MIN_UNIFORM(QB_R0, QB_R0))
	E(qb_add(V3D_QPU_ADD_OR, QB_R0, QB_R0, QB_R1)) E(READ_DIRECT(QB_R0)))
BROKEN(DIRECT_CLAMP, 19, qb_nops(&t->b, 18); E(qb_add(V3D_QPU_ADD_MIN, QB_R0, QB_UNIF, QB_R0)) E(READ_DIRECT(QB_R0)))
BROKEN(THREADED_REGISTER, 7, E(SIG(THREAD_SWITCH, qb_mov(QB_RA(16), QB_R0))) qb_nops(&t->b, 5); E(qb_mov(QB_R0, QB_RA(16))))
BROKEN(THREADED_REGISTER, 5, E(SIG(THREAD_SWITCH, qb_nop())) qb_nops(&t->b, 3); E(qb_mov(QB_RA(16), QB_RA(1))))
BROKEN(THREADED_REGISTER, 6, E(SIG(THREAD_SWITCH, qb_mov(QB_RB(31), QB_R0))) qb_nops(&t->b, 4); E(qb_mov(QB_R0, QB_RB(31))))

/* Accepted, and what is known */
static void test_nothing(void **state)
{
	struct test_shader t;
	const struct v3dcl_shader *shader;

	(void)state;
	shader_start(&t);
	shader = shader_finish(&t);
	assert_int_equal(shader->uniform_words, 0);
	assert_int_equal(shader->sample_count, 0);
	assert_int_equal(shader->reset_count, 0);
	assert_int_equal(shader->uses, 0);
}

static void test_lookups(void **state)
{
	struct test_shader t;
	const struct v3dcl_shader *shader;

	(void)state;
	shader_begin(&t);
	shader_emit(&t, qb_mov(QB_R2, QB_UNIF));		/* word 0 */
	shader_lookup(&t);					/* 1 and 2 */
	shader_emit(&t, qb_add(V3D_QPU_ADD_FADD, QB_R2, QB_R4, QB_UNIF));	/* 3 */
	shader_emit(&t, qb_mov(QB_TMU0_B, QB_R1));		/* 4: four parameters, in any order */
	shader_emit(&t, qb_mov(QB_TMU0_R, QB_R1));		/* 5 */
	shader_emit(&t, qb_mov(QB_TMU0_T, QB_R1));		/* 6 */
	shader_emit(&t, qb_mov(QB_TMU0_S, QB_R1));		/* 7 */
	shader_emit(&t, SIG(LOAD_TMU0, qb_nop()));
	shader = shader_finish(&t);
	assert_int_equal(shader->uniform_words, 8);
	assert_int_equal(shader->sample_count, 2);
	assert_false(shader->samples[0].direct);
	assert_int_equal(shader->samples[0].slot[0], 1);
	assert_int_equal(shader->samples[0].slot[1], 2);
	assert_int_equal(shader->samples[0].slot[2], V3DCL_NO_SLOT);
	assert_int_equal(shader->samples[0].slot[3], V3DCL_NO_SLOT);
	assert_int_equal(shader->samples[1].slot[0], 4);
	assert_int_equal(shader->samples[1].slot[3], 7);
}

/* Both TMUs at once: their parameters follow one another as they are written. */
static void test_two_tmus(void **state)
{
	struct test_shader t;
	const struct v3dcl_shader *shader;

	(void)state;
	shader_begin(&t);
	shader_emit(&t, qb_mov(QB_TMU0_T, QB_R1));
	shader_emit(&t, qb_mov(QB_IO(V3D_QPU_W_TMU1_T), QB_R1));
	shader_emit(&t, qb_mov(QB_TMU1_S, QB_R1));
	shader_emit(&t, qb_mov(QB_TMU0_S, QB_R1));
	shader_emit(&t, SIG(LOAD_TMU1, qb_nop()));
	shader_emit(&t, SIG(LOAD_TMU0, qb_nop()));
	shader = shader_finish(&t);
	assert_int_equal(shader->sample_count, 2);
	assert_int_equal(shader->samples[0].slot[0], 1);
	assert_int_equal(shader->samples[0].slot[1], 2);
	assert_int_equal(shader->samples[1].slot[0], 0);
	assert_int_equal(shader->samples[1].slot[1], 3);
}

/* A texture lookup after a direct read is none itself. */
static void test_direct(void **state)
{
	struct test_shader t;
	const struct v3dcl_shader *shader;

	(void)state;
	shader_begin(&t);
	shader_emit(&t, qb_mov(QB_R2, QB_UNIF));
	shader_direct(&t);
	shader_lookup(&t);
	shader_direct(&t);
	shader = shader_finish(&t);
	assert_int_equal(shader->uniform_words, 7);
	assert_int_equal(shader->sample_count, 3);
	assert_true(shader->samples[0].direct);
	assert_int_equal(shader->samples[0].slot[0], 2);	/* base */
	assert_int_equal(shader->samples[0].slot[1], 1);	/* limit */
	assert_false(shader->samples[1].direct);
	assert_int_equal(shader->samples[1].slot[0], 3);
	assert_true(shader->samples[2].direct);
	assert_int_equal(shader->samples[2].slot[0], 6);
	assert_int_equal(shader->samples[2].slot[1], 5);
}

/* Clamps that are as good: operands swapped, through registers of both files, moved, beside a packed MUL result */
static void test_direct_forms(void **state)
{
	struct test_shader t;

	(void)state;
	shader_begin(&t);
	shader_emit(&t, qb_add(V3D_QPU_ADD_MAX, QB_RA(3), qb_imm(0), QB_R0));
	qb_nops(&t.b, 1);
	shader_emit(&t, qb_add(V3D_QPU_ADD_MIN, QB_RB(4), QB_UNIF_B, QB_RA(3)));
	qb_nops(&t.b, 1);
	shader_emit(&t, qb_mov(QB_R1, QB_RB(4)));
	shader_emit(&t, qb_pack(5, true, qb_both(qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_UNIF, QB_R1),
						 qb_mul(V3D_QPU_MUL_V8MIN, QB_RB(5), QB_R2, QB_R2))));
	shader_emit(&t, SIG(LOAD_TMU0, qb_nop()));
	assert_int_equal(shader_finish(&t)->sample_count, 1);
	assert_true(t.shader.samples[0].direct);
	assert_int_equal(t.shader.samples[0].slot[0], 1);
	assert_int_equal(t.shader.samples[0].slot[1], 0);
}

/* If-then: a reset in each block that reads uniforms. */
static void test_branch_forward(void **state)
{
	struct test_shader t;
	const struct v3dcl_shader *shader;

	(void)state;
	shader_begin(&t);
	shader_emit(&t, qb_mov(QB_R0, QB_UNIF));	/* word 0 */
	shader_emit(&t, branch_by(5));			/* over the block, to its end */
	qb_nops(&t.b, 3);
	shader_reset(&t, 1);				/* word 1 */
	shader_emit(&t, qb_mov(QB_R0, QB_UNIF));	/* 2 */
	shader_reset(&t, 3);				/* 3: target */
	shader_emit(&t, qb_mov(QB_R0, QB_UNIF));	/* 4 */
	shader = shader_finish(&t);
	assert_int_equal(shader->uniform_words, 5);
	assert_int_equal(shader->reset_count, 2);
	assert_int_equal(shader->resets[0], 1);
	assert_int_equal(shader->resets[1], 3);
}

/* A loop that ends the program leaves its branch at the end of the stream: one word more. */
static void test_branch_back(void **state)
{
	struct test_shader t;
	const struct v3dcl_shader *shader;

	(void)state;
	shader_begin(&t);
	shader_emit(&t, qb_mov(QB_R0, QB_UNIF));
	shader_reset(&t, 1);				/* instructions 1 to 4; 1 is the target */
	shader_emit(&t, qb_mov(QB_R0, QB_UNIF));
	shader_emit(&t, branch_by(1 - 10));		/* 6 */
	qb_nops(&t.b, 3);
	shader = shader_finish(&t);
	assert_int_equal(shader->uniform_words, 4);
	assert_int_equal(shader->reset_count, 2);
	assert_int_equal(shader->resets[0], 1);
	assert_int_equal(shader->resets[1], 3);
}

/* A constant loaded by the MUL half counts like any other. */
static void test_reset_by_mul(void **state)
{
	struct test_shader t;

	(void)state;
	shader_start(&t);
	shader_emit(&t, WITH(WITH(qb_ldi(QB_NONE, 4), waddr_mul, V3D_QPU_W_ACC3), cond_mul, V3D_QPU_COND_ALWAYS));
	shader_emit(&t, RESET);
	assert_int_equal(shader_finish(&t)->reset_count, 1);
}

/* A loop from the very first instruction on: even the first uniform needs its address. */
static void test_branch_to_start(void **state)
{
	struct test_shader t;

	(void)state;
	shader_start(&t);
	shader_reset(&t, 0);
	shader_emit(&t, WITH(branch_by(-8), cond_br, V3D_QPU_BRANCH_ALWAYS));	/* 4 */
	qb_nops(&t.b, 3);
	assert_int_equal(shader_finish(&t)->reset_count, 2);
	assert_int_equal(t.shader.uniform_words, 2);
}

/* The third delay slot of a branch is the last: a branch may follow it (AG100 "Branches"). */
static void test_branch_distance(void **state)
{
	struct test_shader t;

	(void)state;
	shader_begin(&t);
	shader_emit(&t, branch_by(0));
	qb_nops(&t.b, 3);
	shader_emit(&t, branch_by(0));
	qb_nops(&t.b, 3);
	assert_int_equal(shader_finish(&t)->uniform_words, 0);	/* neither goes back */
	assert_int_equal(t.shader.reset_count, 0);
}

static void test_uses(void **state)
{
	struct test_shader t;

	(void)state;
	shader_begin(&t);
	shader_emit(&t, qb_mov(QB_VPM_WRITE, QB_R0));
	assert_int_equal(shader_finish(&t)->uses, V3DCL_SHADER_VPM);
	shader_start(&t);
	shader_emit(&t, qb_mov(QB_R0, QB_VPM_READ));
	assert_int_equal(shader_finish(&t)->uses, V3DCL_SHADER_VPM);
	shader_begin(&t);
	shader_emit(&t, qb_mov(QB_TLB_COLOUR, QB_R0));
	assert_int_equal(shader_finish(&t)->uses, V3DCL_SHADER_TILE);
	shader_start(&t);
	shader_emit(&t, qb_signal(V3D_QPU_SIG_WAIT_SCOREBOARD, qb_nop()));
	assert_int_equal(shader_finish(&t)->uses, V3DCL_SHADER_TILE);
	shader_start(&t);
	shader_emit(&t, qb_signal(V3D_QPU_SIG_THREAD_SWITCH, qb_nop()));
	qb_nops(&t.b, 2);
	shader_emit(&t, qb_signal(V3D_QPU_SIG_LAST_THREAD_SWITCH, qb_mov(QB_RA(15), QB_RB(15))));
	shader_emit(&t, qb_mov(QB_R0, QB_ELEMENT));
	qb_nops(&t.b, 1);
	assert_int_equal(shader_finish(&t)->uses, V3DCL_SHADER_THREADED | V3DCL_SHADER_TILE);	/* a fragment's Z */
}

/* The immediate of a load has bits where an ALU instruction reads registers; they are none. */
static void test_load_is_no_alu(void **state)
{
	struct test_shader t;

	(void)state;
	shader_start(&t);
	shader_emit(&t, qb_ldi(QB_R0, V3D_QPU_R_UNIFORM << 18 | V3D_QPU_R_MUTEX_ACQUIRE << 12 | 31));
	assert_int_equal(shader_finish(&t)->uniform_words, 0);
	/* A small immediate is no file B address. */
	shader_begin(&t);
	shader_emit(&t, qb_add(V3D_QPU_ADD_OR, QB_R0, QB_R0, QB_SMALL(V3D_QPU_R_UNIFORM)));
	assert_int_equal(shader_finish(&t)->uniform_words, 0);
	/* Beside one, file A is read as ever. */
	shader_start(&t);
	shader_emit(&t, qb_add(V3D_QPU_ADD_ADD, QB_R0, QB_UNIF, qb_imm(1)));
	assert_int_equal(shader_finish(&t)->uniform_words, 1);
}

static void test_code_size(void **state)
{
	struct test_shader t;

	(void)state;
	shader_start(&t);
	assert_false(shader_check(&t));
	assert_refusal(&t.refusal, CODE, CODE_SIZE, 0);
	t.b.count = V3DCL_MAX_INSTRUCTIONS + 1;
	assert_false(shader_check(&t));
	assert_refusal(&t.refusal, CODE, CODE_SIZE, 0);
}

/* 1 MiB of code is allowed. */
static void test_largest(void **state)
{
	static uint64_t code[V3DCL_MAX_INSTRUCTIONS];
	uint32_t scratch_bytes;
	void *scratch;
	struct v3d_qpu_inst end = qb_signal(V3D_QPU_SIG_PROGRAM_END, qb_nop()), nop = qb_nop();
	struct v3dcl_refusal refusal;
	struct v3dcl_shader shader;
	uint32_t i;

	(void)state;
	for (i = 0; i < V3DCL_MAX_INSTRUCTIONS; i++)
		code[i] = v3d_qpu_encode(i == V3DCL_MAX_INSTRUCTIONS - 3 ? &end : &nop);
	scratch_bytes = v3dcl_shader_scratch((const __u64 *)code, V3DCL_MAX_INSTRUCTIONS);
	assert_true(scratch_bytes < 4096 + V3DCL_MAX_INSTRUCTIONS * 25);
	scratch = malloc(scratch_bytes);
	assert_true(v3dcl_check_shader((const __u64 *)code, V3DCL_MAX_INSTRUCTIONS, scratch, scratch_bytes, &shader, &refusal));
	free(scratch);
}

static void test_scratch(void **state)
{
	struct test_shader t;

	(void)state;
	shader_start(&t);
	qb_end(&t.b);
	assert_false(v3dcl_check_shader((const __u64 *)t.code, 3, t.scratch, v3dcl_shader_scratch((const __u64 *)t.code, 3) - 1,
					&t.shader, &t.refusal));
	assert_refusal(&t.refusal, CODE, SCRATCH, 0);
}

static void test_no_end(void **state)
{
	struct test_shader t;

	(void)state;
	shader_start(&t);
	qb_nops(&t.b, 5);
	assert_false(shader_check(&t));
	assert_refusal(&t.refusal, CODE, CODE_END, 40);
	/* The second delay slot is missing. */
	shader_emit(&t, qb_signal(V3D_QPU_SIG_PROGRAM_END, qb_nop()));
	qb_nops(&t.b, 1);
	assert_false(shader_check(&t));
	assert_refusal(&t.refusal, CODE, CODE_END, 56);
	qb_nops(&t.b, 1);
	assert_true(shader_check(&t));
}

/* What comes after the program's end is never run, so it may be anything. */
static void test_after_end(void **state)
{
	struct test_shader t;

	(void)state;
	shader_start(&t);
	qb_end(&t.b);
	shader_emit(&t, qb_mov(QB_VDW_ADDR, QB_R0));
	assert_true(shader_check(&t));
}

static void test_rules_have_words(void **state)
{
	unsigned int rule, count = 0;

	(void)state;
	for (rule = 0; rule < 1000; rule++) {
		assert_true(strlen(v3dcl_rule_text(rule)) < sizeof(((struct drm_v3dcl_refusal *)0)->text));
		assert_int_equal(!*v3dcl_rule_text(rule), !*v3dcl_rule_name(rule));
		count += *v3dcl_rule_text(rule) != 0;
	}
#define COUNT_RULE(number, name, text) + 1
	assert_int_equal(count, 0 V3DCL_RULES(COUNT_RULE));
	assert_string_equal(v3dcl_rule_name(V3DCL_RULE_BRANCH_SLOT), "BRANCH_SLOT");
	assert_string_equal(v3dcl_rule_text(0), "");
}

int main(void)
{
#define T(rule, at) cmocka_unit_test(test_##rule##_##at),
	const struct CMUnitTest tests[] = {
		T(CODE_SIGNAL, 0) T(CODE_SIGNAL, 1) T(CODE_SIGNAL, 2) T(CODE_SIGNAL, 3) T(CODE_OP, 0) T(CODE_OP, 1)
		T(CODE_LOAD, 0) T(CODE_SEMAPHORE, 0) T(CODE_SEMAPHORE, 1) T(CODE_WRITE, 0) T(CODE_WRITE, 1)
		T(CODE_WRITE, 2) T(CODE_WRITE, 3) T(CODE_WRITE, 4) T(CODE_WRITE, 5) T(CODE_WRITE, 6) T(CODE_WRITE, 7)
		T(CODE_READ, 0) T(CODE_READ, 1) T(CODE_READ, 2) T(CODE_READ, 3) T(CODE_END_ACCESS, 0)
		T(CODE_END_ACCESS, 1) T(CODE_END_ACCESS, 2) T(CODE_END_ACCESS, 4) T(CODE_END_ACCESS, 3) T(CODE_SIGNAL, 5)
		T(BRANCH_CONDITION, 0) T(BRANCH_KIND, 0) T(BRANCH_KIND, 1) T(BRANCH_WRITE, 0) T(BRANCH_WRITE, 1)
		T(BRANCH_TARGET, 0) T(BRANCH_TARGET, 1) T(BRANCH_TARGET, 2) T(BRANCH_TARGET, 3) T(CODE_WRITE, 10)
		T(CODE_WRITE, 11) T(BRANCH_TARGET, 4) T(BRANCH_TARGET, 5) T(BRANCH_SLOT, 3) T(BRANCH_SLOT, 2)
		T(BRANCH_SLOT, 1) T(SWITCH_SLOT, 2) T(SLOT_TARGET, 3) T(SLOT_TARGET, 4) T(SLOT_TARGET, 5)
		T(SLOT_TARGET, 6) T(SWITCH_SLOT, 1) T(UNIFORM_LOST, 5) T(UNIFORM_LOST, 6) T(UNIFORM_LOST, 9)
		T(UNIFORM_UNREAD, 0) T(UNIFORM_UNREAD, 1) T(UNIFORM_SOON, 3) T(UNIFORM_SOON, 2) T(UNIFORM_SOON, 4)
		T(ADDRESS_SLOT, 4) T(ADDRESS_RELATIVE, 1) T(ADDRESS_FORM, 0) T(ADDRESS_FORM, 1) T(ADDRESS_FORM, 2)
		T(ADDRESS_FORM, 3) T(ADDRESS_FORM, 4) T(ADDRESS_FORM, 5) T(ADDRESS_FORM, 6) T(ADDRESS_FORM, 7)
		T(ADDRESS_CONSTANT, 1) T(ADDRESS_CONSTANT, 2) T(TMU_BOTH, 0) T(TMU_BOTH, 1) T(TMU_BOTH, 2)
		T(TMU_UNIFORM, 0) T(TMU_UNIFORM, 1) T(TMU_TWICE, 1) T(TMU_CONDITION, 0) T(TMU_OPEN, 4) T(TMU_OPEN, 1)
		T(DIRECT_FORM, 0) T(DIRECT_FORM, 1) T(DIRECT_FORM, 2) T(DIRECT_FORM, 3) T(DIRECT_CLAMP, 0)
		T(DIRECT_CLAMP, 1) T(DIRECT_CLAMP, 2) T(DIRECT_CLAMP, 3) T(DIRECT_CLAMP, 4) T(DIRECT_CLAMP, 5)
		T(DIRECT_CLAMP, 6) T(CODE_UNDEFINED, 7) T(DIRECT_CLAMP, 11) T(DIRECT_CLAMP, 9) T(DIRECT_CLAMP, 10)
		T(DIRECT_CLAMP, 20) T(DIRECT_CLAMP, 12) T(DIRECT_CLAMP, 13) T(DIRECT_CLAMP, 14) T(DIRECT_CLAMP, 15)
		T(DIRECT_CLAMP, 16) T(DIRECT_CLAMP, 17) T(DIRECT_CLAMP, 18) T(DIRECT_CLAMP, 19) T(THREADED_REGISTER, 7)
		T(THREADED_REGISTER, 5) T(THREADED_REGISTER, 6)
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_lookups),
		cmocka_unit_test(test_two_tmus),
		cmocka_unit_test(test_direct),
		cmocka_unit_test(test_direct_forms),
		cmocka_unit_test(test_branch_forward),
		cmocka_unit_test(test_branch_back),
		cmocka_unit_test(test_reset_by_mul),
		cmocka_unit_test(test_branch_to_start),
		cmocka_unit_test(test_branch_distance),
		cmocka_unit_test(test_uses),
		cmocka_unit_test(test_load_is_no_alu),
		cmocka_unit_test(test_code_size),
		cmocka_unit_test(test_largest),
		cmocka_unit_test(test_scratch),
		cmocka_unit_test(test_no_end),
		cmocka_unit_test(test_after_end),
		cmocka_unit_test(test_rules_have_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
