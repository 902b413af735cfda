// SPDX-License-Identifier: MIT
/*
 * Each rule of shaders, with a shader that breaks it at an instruction: counted after what
 * shader_begin() emits.
 */
#include "shader.h"

static struct test_shader shader, *t = &shader;

#define E(inst) shader_emit(t, inst);
#define REFUSED(rule, at, body) assert_shader_refused(t, rule, at, body)

TEST(test_signals_and_encodings)
{
	(void)state;
	REFUSED(CODE_SIGNAL, 0, E(SIG(BREAK, qb_nop())));
	REFUSED(CODE_SIGNAL, 1, qb_nops(&t->b, 1); E(SIG(LOAD_COVERAGE, qb_nop())));
	REFUSED(CODE_SIGNAL, 2, qb_nops(&t->b, 2); E(SIG(LOAD_ALPHA_MASK, qb_nop())));
	REFUSED(CODE_SIGNAL, 3, qb_nops(&t->b, 3); E(SIG(LOAD_COLOR_END, qb_nop())));
	REFUSED(CODE_OP, 0, E(WITH(qb_nop(), op_add, 9)));
	REFUSED(CODE_OP, 1, qb_nops(&t->b, 1); E(WITH(qb_nop(), op_add, 29)));
	REFUSED(CODE_LOAD, 0, E(qb_load(V3D_QPU_LOAD_RESERVED, 2, QB_R0, 1)));
	REFUSED(CODE_SEMAPHORE, 0, E(qb_sema_up(3)));
	REFUSED(CODE_SEMAPHORE, 1, qb_nops(&t->b, 1); E(qb_sema_down(3)));
}

TEST(test_registers)
{
	(void)state;
	/* Registers that reach memory, other QPUs or the host */
	REFUSED(CODE_WRITE, 0, E(qb_mov(QB_VDR_ADDR, QB_R0)));
	REFUSED(CODE_WRITE, 1, qb_nops(&t->b, 1); E(qb_mov(QB_VDW_ADDR, QB_R0)));
	REFUSED(CODE_WRITE, 2, qb_nops(&t->b, 2); E(qb_mov(QB_HOST_INT, QB_R0)));
	REFUSED(CODE_WRITE, 3, qb_nops(&t->b, 3); E(qb_mov(QB_MUTEX_RELEASE, QB_R0)));
	REFUSED(CODE_WRITE, 4, qb_nops(&t->b, 4); E(qb_mov(QB_TMU_NOSWAP, QB_R0)));
	REFUSED(CODE_WRITE, 5, qb_nops(&t->b, 5);
		E(qb_mov(QB_IO(V3D_QPU_W_TLB_ALPHA_MASK), QB_R0)));
	REFUSED(CODE_WRITE, 6, qb_nops(&t->b, 6); E(qb_ldi(QB_VDW_ADDR, 0x1000)));
	REFUSED(CODE_WRITE, 7, qb_nops(&t->b, 7); E(qb_mul_mov(QB_VDW_ADDR, QB_R0)));
	REFUSED(CODE_READ, 0, E(qb_mov(QB_R0, QB_MUTEX_ACQUIRE)));
	REFUSED(CODE_READ, 1, qb_nops(&t->b, 1);
		E(WITH(qb_nop(), raddr_b, V3D_QPU_R_MUTEX_ACQUIRE)));
	REFUSED(CODE_READ, 2, qb_nops(&t->b, 2); E(qb_mov(QB_R0, QB_VDW_WAIT)));
	REFUSED(CODE_READ, 3, qb_nops(&t->b, 3); E(qb_mov(QB_R0, QB_RA(33))));
}

TEST(test_end)
{
	(void)state;
	REFUSED(CODE_END_ACCESS, 0, E(SIG(PROGRAM_END, qb_mov(QB_R0, QB_UNIF))));
	REFUSED(CODE_END_ACCESS, 1, E(SIG(PROGRAM_END, qb_nop())) E(qb_mov(QB_R0, QB_VPM_READ)));
	REFUSED(CODE_END_ACCESS, 2, E(SIG(PROGRAM_END, qb_nop())) qb_nops(&t->b, 1);
		E(qb_mov(QB_VPM_WRITE, QB_R0)));
	REFUSED(CODE_END_ACCESS, 4, qb_nops(&t->b, 3); E(SIG(PROGRAM_END, qb_nop()))
		E(qb_mov(QB_TMU0_T, QB_R0)));
	REFUSED(CODE_END_ACCESS, 3, qb_nops(&t->b, 3);
		E(SIG(PROGRAM_END, qb_mov(QB_VPM_WRITE, QB_R0))));
	REFUSED(CODE_END_ACCESS, 2, E(SIG(PROGRAM_END, qb_nop())) qb_nops(&t->b, 1);
		E(qb_mov(QB_IO(V3D_QPU_W_TLB_Z), QB_R0)));
	REFUSED(CODE_SIGNAL, 5, qb_nops(&t->b, 4); E(SIG(PROGRAM_END, qb_nop()))
		E(SIG(PROGRAM_END, qb_nop())));
}

TEST(test_branches)
{
	(void)state;
	REFUSED(BRANCH_CONDITION, 0, E(WITH(branch_by(0), cond_br, 12)));
	REFUSED(BRANCH_KIND, 0, E(WITH(branch_by(0), rel, 0)));
	REFUSED(BRANCH_KIND, 1, qb_nops(&t->b, 1); E(WITH(branch_by(0), reg, 1)));
	REFUSED(BRANCH_WRITE, 0, E(WITH(branch_by(0), waddr_add, 5)));
	REFUSED(BRANCH_WRITE, 1, qb_nops(&t->b, 1);
		E(WITH(branch_by(0), waddr_mul, V3D_QPU_W_VPM_ADDR)));
	REFUSED(BRANCH_TARGET, 0, E(branch_by_bytes(4)) qb_nops(&t->b, 4););
	REFUSED(BRANCH_TARGET, 1, qb_nops(&t->b, 1); E(branch_by(-6 - PRELUDE)) qb_nops(&t->b, 4););
	/* Past the program end, where nothing was looked at: into its delay slots, and beyond */
	REFUSED(BRANCH_TARGET, 2, qb_nops(&t->b, 2); E(branch_by(1)) qb_nops(&t->b, 3););
	REFUSED(BRANCH_TARGET, 3, qb_nops(&t->b, 3); E(branch_by(4)) qb_nops(&t->b, 3);
		qb_end(&t->b); t->b.count -= 3;);
	/* Code reached only by a branch past an end; and code there that no path reaches */
	REFUSED(CODE_WRITE, 10, qb_nops(&t->b, 3); E(branch_by(3)) qb_nops(&t->b, 3); qb_end(&t->b);
		E(qb_mov(QB_VDW_ADDR, QB_R0)));
	REFUSED(CODE_WRITE, 11, qb_nops(&t->b, 4); E(branch_by(4)) qb_nops(&t->b, 3); qb_end(&t->b);
		E(qb_mov(QB_VDW_ADDR, QB_R0)));
	REFUSED(BRANCH_TARGET, 4, qb_nops(&t->b, 4); E(branch_by(0)) qb_nops(&t->b, 2););
	REFUSED(BRANCH_TARGET, 5, qb_nops(&t->b, 5); E(branch_by(0x0fffffff)) qb_nops(&t->b, 4););
	REFUSED(BRANCH_SLOT, 3, E(branch_by(4)) qb_nops(&t->b, 2);
		E(branch_by(4)) qb_nops(&t->b, 9););
	REFUSED(BRANCH_SLOT, 2, E(SIG(THREAD_SWITCH, qb_nop())) qb_nops(&t->b, 1);
		E(branch_by(0)) qb_nops(&t->b, 3););
	REFUSED(BRANCH_SLOT, 1, E(SIG(PROGRAM_END, qb_nop())) E(branch_by(0)));
	REFUSED(SWITCH_SLOT, 2, E(SIG(THREAD_SWITCH, qb_nop())) qb_nops(&t->b, 1);
		E(SIG(LAST_THREAD_SWITCH, qb_nop())) qb_nops(&t->b, 3););
	REFUSED(SLOT_TARGET, 3, E(branch_by(0)) qb_nops(&t->b, 2);
		E(SIG(THREAD_SWITCH, qb_nop())) qb_nops(&t->b, 3););
	REFUSED(SLOT_TARGET, 4, E(branch_by(1)) qb_nops(&t->b, 3);
		E(SIG(THREAD_SWITCH, qb_nop())) qb_nops(&t->b, 3););
	REFUSED(SLOT_TARGET, 5, E(branch_by(4)) qb_nops(&t->b, 4);
		E(branch_by(0)) qb_nops(&t->b, 4););
	REFUSED(SLOT_TARGET, 6, E(branch_by(3)) qb_nops(&t->b, 5);
		E(SIG(PROGRAM_END, qb_nop())) qb_nops(&t->b, 2););
	REFUSED(SWITCH_SLOT, 1, E(SIG(PROGRAM_END, qb_nop())) E(SIG(THREAD_SWITCH, qb_nop())));
}

TEST(test_stream)
{
	(void)state;
	/* The position in the uniform stream */
	REFUSED(UNIFORM_LOST, 5, E(branch_by(1)) qb_nops(&t->b, 3);
		E(qb_mov(QB_R0, QB_UNIF)) E(qb_mov(QB_R0, QB_UNIF))
		qb_nops(&t->b, 2););
	REFUSED(UNIFORM_LOST, 6, E(branch_by(2)) qb_nops(&t->b, 4);
		E(qb_mov(QB_R0, QB_UNIF)) E(qb_mov(QB_TMU0_T, QB_R0)));
	/*
	 * The word before the reset is one that the first path reads as a number: the second would
	 * take it for the address.
	 */
	REFUSED(UNIFORM_LOST, 9, E(branch_by(1)) qb_nops(&t->b, 3);
		E(qb_mov(QB_R0, QB_UNIF)) E(LDI_RESET(8)) E(RESET)
		qb_nops(&t->b, 2););
	REFUSED(UNIFORM_UNREAD, 0, E(WITH(qb_nop(), raddr_a, V3D_QPU_R_UNIFORM)));
	REFUSED(UNIFORM_UNREAD, 1, qb_nops(&t->b, 1);
		E(WITH(qb_nop(), raddr_b, V3D_QPU_R_UNIFORM)));
	REFUSED(UNIFORM_SOON, 3, E(LDI_RESET(4)) E(RESET) qb_nops(&t->b, 1);
		E(qb_mov(QB_R0, QB_UNIF)));
	REFUSED(UNIFORM_SOON, 2, E(LDI_RESET(4)) E(RESET) E(qb_mov(QB_TMU0_T, QB_R0)));
	/* A reset reads a uniform itself. Instruction 2 is the target of a branch back. */
	REFUSED(UNIFORM_SOON, 4, qb_nops(&t->b, 1); E(LDI_RESET(4)) E(RESET) E(LDI_RESET(8))
		E(RESET) qb_nops(&t->b, 4);
		E(branch_by(3 - 13))
		qb_nops(&t->b, 3););
	REFUSED(ADDRESS_SLOT, 4, E(LDI_RESET(4)) E(branch_by(0)) qb_nops(&t->b, 2);
		E(RESET) qb_nops(&t->b, 3););
	REFUSED(ADDRESS_RELATIVE, 1, E(LDI_RESET(4))
		E(qb_add(V3D_QPU_ADD_ADD, QB_RB(V3D_QPU_W_UNIFORMS_ADDRESS), QB_R3, QB_UNIF)));
	REFUSED(ADDRESS_FORM, 0, E(qb_mov(QB_UNIF_ADDR, QB_UNIF)));
	REFUSED(ADDRESS_FORM, 1, E(LDI_RESET(4)) E(qb_if(V3D_QPU_COND_ZS, RESET)));
	REFUSED(ADDRESS_FORM, 2, qb_nops(&t->b, 1); E(LDI_RESET(4)) E(qb_pack(1, false, RESET)));
	REFUSED(ADDRESS_FORM, 3, qb_nops(&t->b, 2); E(LDI_RESET(4)) E(qb_unpack(1, false, RESET)));
	REFUSED(ADDRESS_FORM, 4, qb_nops(&t->b, 3); E(qb_if(V3D_QPU_COND_ZS, LDI_RESET(4)))
		E(RESET));
	REFUSED(ADDRESS_FORM, 5, qb_nops(&t->b, 4); E(qb_ldi_signed(QB_R3, 4)) E(RESET));
	REFUSED(ADDRESS_FORM, 6, qb_nops(&t->b, 4); E(LDI_RESET(4)) E(qb_mov(QB_R3, QB_R0))
		E(RESET));
	/* The MUL half of a load, under a condition of its own */
	REFUSED(ADDRESS_FORM, 7, qb_nops(&t->b, 6);
		E(WITH(WITH(WITH(qb_ldi(QB_NONE, 4), waddr_mul, V3D_QPU_W_ACC3), cond_mul,
			    V3D_QPU_COND_ZS), ws, 0)) E(RESET));
	REFUSED(ADDRESS_CONSTANT, 1, E(LDI_RESET(8)) E(RESET));
	REFUSED(ADDRESS_CONSTANT, 2, E(qb_mov(QB_R0, QB_UNIF)) E(LDI_RESET(4)) E(RESET));
}

TEST(test_lookups)
{
	(void)state;
	REFUSED(TMU_BOTH, 0,
		E(qb_both(qb_mov(QB_TMU0_T, QB_R0), qb_mul_mov(QB_IO(V3D_QPU_W_TMU1_T), QB_R0))));
	REFUSED(TMU_BOTH, 1, qb_nops(&t->b, 1);
		E(qb_both(qb_mov(QB_TMU0_S, QB_R0), qb_mul_mov(QB_TMU0_T, QB_R0))));
	REFUSED(TMU_BOTH, 2, qb_nops(&t->b, 2);
		E(qb_both(qb_mov(QB_TMU0_T, QB_R0), qb_mul_mov(QB_TMU0_S, QB_R0))));
	REFUSED(TMU_UNIFORM, 0, E(qb_mov(QB_TMU0_T, QB_UNIF)));
	REFUSED(TMU_UNIFORM, 1, E(qb_mov(QB_TMU0_T, QB_R0))
		E(qb_add(V3D_QPU_ADD_FADD, QB_TMU0_S, QB_R0, QB_UNIF)));
	REFUSED(TMU_TWICE, 1, E(qb_mov(QB_TMU0_T, QB_R0)) E(qb_mov(QB_TMU0_T, QB_R0)));
	REFUSED(TMU_CONDITION, 0, E(qb_if(V3D_QPU_COND_NEVER, qb_mov(QB_TMU0_T, QB_R0))));
	REFUSED(TMU_OPEN, 4, E(branch_by(1)) E(qb_mov(QB_TMU0_S + 1, QB_R0)) qb_nops(&t->b, 2);
		qb_nops(&t->b, 4););
	REFUSED(TMU_OPEN, 1, E(qb_mov(QB_TMU0_T, QB_R0)));
}

TEST(test_direct)
{
	(void)state;
	REFUSED(DIRECT_FORM, 0, E(qb_mov(QB_TMU0_S, QB_R0)));
	REFUSED(DIRECT_FORM, 1, qb_nops(&t->b, 1); E(qb_ldi(QB_TMU0_S, 0x1000)));
	REFUSED(DIRECT_FORM, 2, E(MAX0(QB_R0, QB_R0)) E(MIN_UNIFORM(QB_R0, QB_R0))
		E(qb_add(V3D_QPU_ADD_OR, QB_TMU0_S, QB_R0, QB_UNIF)));
	REFUSED(DIRECT_FORM, 3, qb_nops(&t->b, 1); E(MAX0(QB_R0, QB_R0))
		E(MIN_UNIFORM(QB_R0, QB_R0))
		E(qb_if(V3D_QPU_COND_ZS, READ_DIRECT(QB_R0))));
}

TEST(test_direct_clamp)
{
	(void)state;
	REFUSED(DIRECT_CLAMP, 0, E(READ_DIRECT(QB_R0)));
	/* Not clamped from below */
	REFUSED(DIRECT_CLAMP, 1, E(MIN_UNIFORM(QB_R0, QB_R0)) E(READ_DIRECT(QB_R0)));
	/* A clamp that may not happen */
	REFUSED(DIRECT_CLAMP, 2, E(MAX0(QB_R0, QB_R0))
		E(qb_if(V3D_QPU_COND_ZS, MIN_UNIFORM(QB_R0, QB_R0))) E(READ_DIRECT(QB_R0)));
	/* The clamped register is written again, in part */
	REFUSED(DIRECT_CLAMP, 3, E(MAX0(QB_R0, QB_R0)) E(MIN_UNIFORM(QB_R0, QB_R0))
		E(qb_if(V3D_QPU_COND_ZS, qb_mul_mov(QB_R0, QB_R1))) E(READ_DIRECT(QB_R0)));
	/* A pack on the clamp, an unpack of the clamped value */
	REFUSED(DIRECT_CLAMP, 4, qb_nops(&t->b, 1); E(MAX0(QB_R0, QB_R0))
		E(qb_pack(1, false, MIN_UNIFORM(QB_RA(1), QB_R0)))
		qb_nops(&t->b, 1); E(qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_RA(1), QB_UNIF_B)));
	REFUSED(DIRECT_CLAMP, 5, qb_nops(&t->b, 2); E(MAX0(QB_R0, QB_R0))
		E(MIN_UNIFORM(QB_RA(1), QB_R0)) qb_nops(&t->b, 1);
		E(qb_unpack(1, false, qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_RA(1), QB_UNIF_B))));
	/* The value is read one instruction too early. */
	REFUSED(DIRECT_CLAMP, 6, qb_nops(&t->b, 4); E(MAX0(QB_R0, QB_R0))
		E(MIN_UNIFORM(QB_RA(1), QB_R0))
		E(qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_RA(1), QB_UNIF_B)));
	/* The thread switch gives the accumulators away. */
	REFUSED(CODE_UNDEFINED, 7, qb_nops(&t->b, 2); E(MAX0(QB_R0, QB_R0))
		E(SIG(THREAD_SWITCH, MIN_UNIFORM(QB_R0, QB_R0)))
		qb_nops(&t->b, 3); E(READ_DIRECT(QB_R0)));
	/* Another path leads to the read, around the clamp. */
	REFUSED(DIRECT_CLAMP, 11, E(qb_mov(QB_R1, QB_UNIF)) E(MAX0(QB_R0, QB_R0))
		E(branch_by(1)) qb_nops(&t->b, 3);
		E(MIN_UNIFORM(QB_R0, QB_R0))
		E(LDI_RESET(12)) E(RESET) qb_nops(&t->b, 2); E(READ_DIRECT(QB_R0)));
	/* The limit is half of a uniform. */
	REFUSED(DIRECT_CLAMP, 10, qb_nops(&t->b, 8); E(MAX0(QB_R0, QB_R0))
		E(qb_unpack(1, false, MIN_UNIFORM(QB_R0, QB_R0)))
		E(READ_DIRECT(QB_R0)));
}

TEST(test_direct_clamp_operands)
{
	(void)state;
	/* A file B register of the small immediate's number is not the small immediate. */
	REFUSED(DIRECT_CLAMP, 20, qb_nops(&t->b, 18);
		E(qb_add(V3D_QPU_ADD_MAX, QB_R0, QB_R0, qb_imm(-1))) E(MIN_UNIFORM(QB_R0, QB_R0))
			E(READ_DIRECT(QB_R0)));
	/* The same for file B */
	REFUSED(DIRECT_CLAMP, 12, qb_nops(&t->b, 10); E(MAX0(QB_R0, QB_R0))
		E(MIN_UNIFORM(QB_RB(1), QB_R0))
		E(qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_RB(1), QB_UNIF)));
	/*
	 * An address that is no register: uniforms have the number of the first register of file B
	 */
	REFUSED(DIRECT_CLAMP, 13, qb_nops(&t->b, 10); E(MAX0(QB_R0, QB_R0))
		E(MIN_UNIFORM(QB_RB(0), QB_R0)) qb_nops(&t->b, 1);
		E(qb_unpack(1, false, qb_add(V3D_QPU_ADD_ADD, QB_TMU0_S, QB_UNIF, QB_UNIF_B))));
	/* A port's address does not matter to an operand that comes from elsewhere. */
	REFUSED(DIRECT_CLAMP, 14, qb_nops(&t->b, 11); E(MAX0(QB_R0, QB_R0))
		E(MIN_UNIFORM(QB_RB(3), QB_R0)) qb_nops(&t->b, 1);
		E(WITH(READ_DIRECT(QB_R4), raddr_b, 3)));
	/* Nor does a small immediate */
	REFUSED(DIRECT_CLAMP, 15, qb_nops(&t->b, 13);
		E(qb_both(qb_add(V3D_QPU_ADD_MAX, QB_R0, QB_R0, QB_R1),
			  qb_mul(V3D_QPU_MUL_V8MIN, QB_R2, QB_R2, qb_imm(0))))
			E(MIN_UNIFORM(QB_R0, QB_R0)) E(READ_DIRECT(QB_R0)));
	/*
	 * Something else than min, than max, than a move; a uniform and a number that may be below
	 * 0
	 */
	REFUSED(DIRECT_CLAMP, 16, qb_nops(&t->b, 14); E(MAX0(QB_R0, QB_R0))
		E(qb_add(V3D_QPU_ADD_SUB, QB_R0, QB_R0, QB_UNIF))
		E(READ_DIRECT(QB_R0)));
	REFUSED(DIRECT_CLAMP, 17, qb_nops(&t->b, 15);
		E(qb_add(V3D_QPU_ADD_AND, QB_R0, QB_R0, qb_imm(-1))) E(MIN_UNIFORM(QB_R0, QB_R0))
			E(READ_DIRECT(QB_R0)));
	REFUSED(DIRECT_CLAMP, 18, qb_nops(&t->b, 15); E(MAX0(QB_R0, QB_R0))
		E(MIN_UNIFORM(QB_R0, QB_R0))
		E(qb_add(V3D_QPU_ADD_OR, QB_R0, QB_R0, QB_R1)) E(READ_DIRECT(QB_R0)));
	REFUSED(DIRECT_CLAMP, 19, qb_nops(&t->b, 18);
		E(qb_add(V3D_QPU_ADD_MIN, QB_R0, QB_UNIF, QB_R0)) E(READ_DIRECT(QB_R0)));
}

/*
 * Small immediates that rotate have no known value as operands. -16 is one of them as one source
 * has it: then the clamp would hold, and the reset lead to its word.
 */
TEST(test_rotating_immediates)
{
	(void)state;
	for (unsigned int code = V3D_QPU_ROTATE; code < 64; code++) {
		REFUSED(DIRECT_CLAMP, 2,
			E(qb_add(V3D_QPU_ADD_SHR, QB_R0, QB_R0, QB_SMALL(code)))
				E(MIN_UNIFORM(QB_R0, QB_R0)) E(READ_DIRECT(QB_R0)));
		REFUSED(ADDRESS_FORM, 2, E(qb_add(V3D_QPU_ADD_SUB, QB_R3, QB_R3, QB_R3))
			E(qb_add(V3D_QPU_ADD_ADD, QB_R3, QB_R3, QB_SMALL(code))) E(RESET));
	}
}

TEST(test_threaded_registers)
{
	(void)state;
	REFUSED(THREADED_REGISTER, 7,
		E(SIG(THREAD_SWITCH, qb_mov(QB_RA(16), QB_R0))) qb_nops(&t->b, 5);
		E(qb_mov(QB_R0, QB_RA(16))));
	REFUSED(THREADED_REGISTER, 5, E(SIG(THREAD_SWITCH, qb_nop())) qb_nops(&t->b, 3);
		E(qb_mov(QB_RA(16), QB_RA(1))));
	REFUSED(THREADED_REGISTER, 6,
		E(SIG(THREAD_SWITCH, qb_mov(QB_RB(31), QB_R0))) qb_nops(&t->b, 4);
		E(qb_mov(QB_R0, QB_RB(31))));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_signals_and_encodings),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_branches),
		cmocka_unit_test(test_stream),
		cmocka_unit_test(test_lookups),
		cmocka_unit_test(test_direct), cmocka_unit_test(test_direct_clamp),
		cmocka_unit_test(test_direct_clamp_operands),
		cmocka_unit_test(test_rotating_immediates),
		cmocka_unit_test(test_threaded_registers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
