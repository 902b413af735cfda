// SPDX-License-Identifier: MIT
/*
 * One instruction of a user program: what its operands must be, what comes of it, what it must not
 * do. AG100 Tables 5 to 9, "Summary of Instruction Restrictions".
 */
#include "verify.h"

#define IF(inst) E(qb_if(V3D_QPU_COND_ZS, inst))
#define PACK(mode, inst) E(qb_pack(mode, false, inst))
#define MUL_PACK(mode, inst) E(qb_pack(mode, true, inst))
#define UNPACK(mode, inst) E(qb_unpack(mode, false, inst))
#define UNDEFINED(at, place, body) \
	do { \
		BROKEN(CODE_UNDEFINED, at, body); \
		assert_int_equal(refusal.found, place); \
	} while (0)
#define RANGE(first, last, body) \
	do { \
		OK(body ADDRESS); \
		assert_int_equal(program.uses[0].address.low, (__u32)(first)); \
		assert_int_equal(program.uses[0].address.low + program.uses[0].address.span, \
				 (__u32)(last)); \
	} while (0)
#define UNKNOWN(body) \
	do { \
		start(); \
		body \
		ADDRESS \
		qb_end(&b); \
		assert_false(check()); \
		assert_int_equal(refusal.rule, V3DCL_RULE_ADDRESS_UNKNOWN); \
	} while (0)

/* Both halves write r1 to one register, each under its condition. */
#define BOTH(dst, add, mul) \
	E(qb_both(qb_if(add, qb_mov(dst, QB_R1)), qb_if(mul, qb_mul_mov(dst, QB_R1))))

/* A register counts as file A's 0 to 31, B's 32 to 63, accumulators from 64. */
TEST(test_operands)
{
	(void)state;
	UNDEFINED(0, 15, E(qb_mov(QB_R0, QB_RA(15))));
	UNDEFINED(0, 32 + 31, E(qb_mov(QB_R0, QB_RB(31))));
	UNDEFINED(0, 64 + 1, E(qb_mov(QB_R0, QB_R1)));
	UNDEFINED(1, 64 + 2, ZERO(QB_R0) OP(ADD, QB_R0, QB_R0, QB_R2));
	UNDEFINED(1, 64 + 2, ZERO(QB_R0) OP(ADD, QB_R0, QB_R2, QB_R0));
	UNDEFINED(1, 64 + 2, ZERO(QB_R0) E(qb_mul(V3D_QPU_MUL_FMUL, QB_R0, QB_R0, QB_R2)));
	UNDEFINED(1, 64 + 2, ZERO(QB_R0) E(qb_mul(V3D_QPU_MUL_FMUL, QB_R0, QB_R2, QB_R0)));
	/* an operation with one operand does not look at the other */
	OK(ZERO(QB_R0) OP(ITOF, QB_R1, QB_R0, QB_R2));
	OK(ZERO(QB_R0) OP(NOT, QB_R1, QB_R0, QB_R2));
	OK(ZERO(QB_R0) OP(CLZ, QB_R1, QB_R0, QB_R2));
	/* nor is it taken */
	BROKEN(UNIFORM_UNREAD, 1, ZERO(QB_R1) OP(ITOF, QB_R2, QB_R1, QB_UNIF));
	/*
	 * an or of two is no copy of the first, one of the same is; so is v8min, on its way to a
	 * unit
	 */
	BROKEN(ADDRESS_UNKNOWN, 1, E(qb_mov(QB_R0, QB_ELEMENT)) OP(OR, QB_TMU0_S, QB_UNIF, QB_R0));
	OK(OP(OR, QB_TMU0_S, QB_UNIF, QB_UNIF) E(SIG(LOAD_TMU0, qb_nop())));
	OK(E(qb_mul_mov(QB_TMU0_S, QB_UNIF)) E(SIG(LOAD_TMU0, qb_nop())));
	BROKEN(ADDRESS_UNKNOWN, 1, E(qb_mov(QB_R0, QB_ELEMENT))
	       E(qb_mul(V3D_QPU_MUL_V8MIN, QB_TMU0_S, QB_UNIF, QB_R0)));
	/* an idle half looks at none */
	OK(E(without(false, qb_mov(QB_NONE, QB_R0))));
}

/*
 * Bytes that a pack has written may be read by the unpack that takes just them: AG100 Tables 6 and
 * 7.
 */
TEST(test_bytes)
{
	(void)state;
	OK(ZERO(QB_R0) PACK(4, qb_mov(QB_RA(1), QB_R0)) NOP UNPACK(4, qb_mov(QB_R1, QB_RA(1))));
	UNDEFINED(3, 1, ZERO(QB_R0) PACK(4, qb_mov(QB_RA(1), QB_R0)) NOP
		  UNPACK(5, qb_mov(QB_R1, QB_RA(1))));
	UNDEFINED(3, 1, ZERO(QB_R0) PACK(4, qb_mov(QB_RA(1), QB_R0)) NOP
		  UNPACK(1, qb_mov(QB_R1, QB_RA(1))));
	OK(ZERO(QB_R0) PACK(1, qb_mov(QB_RA(1), QB_R0)) NOP UNPACK(1, qb_mov(QB_R1, QB_RA(1))));
	OK(ZERO(QB_R0) PACK(2, qb_mov(QB_RA(1), QB_R0)) NOP UNPACK(2, qb_mov(QB_R1, QB_RA(1))));
	/* byte 3 */
	OK(ZERO(QB_R0) PACK(2, qb_mov(QB_RA(1), QB_R0)) NOP UNPACK(3, qb_mov(QB_R1, QB_RA(1))));
	UNDEFINED(3, 1, ZERO(QB_R0) PACK(2, qb_mov(QB_RA(1), QB_R0)) NOP
		  UNPACK(1, qb_mov(QB_R1, QB_RA(1))));
	/* to all four */
	OK(ZERO(QB_R0) PACK(3, qb_mov(QB_RA(1), QB_R0)) NOP E(qb_mov(QB_R1, QB_RA(1))));
	/* PM: the unpack is r4's, so file A is read in full */
	UNDEFINED(3, 1, ZERO(QB_R0) PACK(4, qb_mov(QB_RA(1), QB_R0)) NOP
		  E(qb_unpack(4, true, qb_mov(QB_R1, QB_RA(1)))));
	/*
	 * the mul ALU's packs write bytes of accumulators too; an accumulator is always read in
	 * full
	 */
	UNDEFINED(2, 64 + 1, ZERO(QB_R0) MUL_PACK(4, qb_mul_mov(QB_R1, QB_R0))
		  UNPACK(4, qb_mov(QB_R2, QB_R1)));
	OK(ZERO(QB_R0) MUL_PACK(4, qb_mul_mov(QB_R1, QB_R0)) MUL_PACK(5, qb_mul_mov(QB_R1, QB_R0))
	   MUL_PACK(6, qb_mul_mov(QB_R1, QB_R0)) MUL_PACK(7, qb_mul_mov(QB_R1, QB_R0))
	   E(qb_mov(QB_R2, QB_R1)));
	OK(ZERO(QB_R0) MUL_PACK(3, qb_mul_mov(QB_R1, QB_R0)) E(qb_mov(QB_R2, QB_R1)));
	/* file A's packs leave accumulators and file B whole */
	OK(ZERO(QB_R0) PACK(4, qb_mov(QB_R1, QB_R0)) E(qb_mov(QB_R2, QB_R1)));
	OK(ZERO(QB_R1) PACK(4, qb_mov(QB_R0, QB_R1)) E(qb_mov(QB_R2, QB_R0)));
	OK(ZERO(QB_R0) PACK(4, qb_mov(QB_RB(1), QB_R0)) NOP E(qb_mov(QB_R2, QB_RB(1))));
	/* reserved ones of the mul ALU */
	for (int mode = 1; mode < 16; mode++) {
		if (mode >= 3 && mode <= 7)
			continue;
		BROKEN(CODE_PACK, 1, ZERO(QB_R0) MUL_PACK(mode, qb_mul_mov(QB_R1, QB_R0)));
		BROKEN(CODE_PACK, 1, ZERO(QB_R0) MUL_PACK(mode, qb_ldi(QB_R1, 0)));
	}
}

/* What is left of a value */
TEST(test_results)
{
	(void)state;
	RANGE(5, 5, E(qb_ldi(QB_R0, 5)));
	UNKNOWN(E(qb_ldi(QB_R1, 5)) MUL_PACK(3, qb_mul_mov(QB_R0, QB_R1)));
	UNKNOWN(E(qb_ldi(QB_R1, 5)) PACK(3, qb_mov(QB_R0, QB_R1)));
	UNKNOWN(E(qb_ldi(QB_RA(1), 5)) NOP UNPACK(1, qb_mov(QB_R0, QB_RA(1))));
	UNKNOWN(E(qb_ldi(QB_RA(1), 5)) NOP UNPACK(3, qb_mov(QB_R0, QB_RA(1))));
	RANGE(5, 5, E(qb_ldi(QB_RA(1), 5)) NOP E(qb_unpack(3, true, qb_mov(QB_R0, QB_RA(1)))));
	RANGE(5, 5, E(qb_ldi(QB_RB(1), 5)) NOP UNPACK(3, qb_mov(QB_R0, QB_RB(1))));
	RANGE(5, 5, E(qb_ldi(QB_R1, 5)) UNPACK(3, qb_mov(QB_R0, QB_R1)));
	/* under a condition: either */
	RANGE(3, 15, FLAGS E(qb_ldi(QB_R0, 3)) E(qb_ldi(QB_R1, 15)) IF(qb_mov(QB_R0, QB_R1)));
	RANGE(0, 15, FLAGS E(qb_ldi(QB_R0, 3)) IF(qb_mov(QB_R0, QB_ELEMENT)));
	RANGE(3, 3, FLAGS E(qb_ldi(QB_R0, 3)) IF(qb_ldi(QB_R0, 3)));
	UNKNOWN(FLAGS E(qb_mov(QB_R0, QB_ELEMENT)) IF(qb_mov(QB_R0, QB_UNIF)));
	UNKNOWN(FLAGS E(qb_mov(QB_R0, QB_UNIF))
		IF(qb_add(V3D_QPU_ADD_SHL, QB_R0, QB_UNIF, qb_imm(1))));
	/* both ends of what is signed: more than 2^32 numbers */
	UNKNOWN(FLAGS E(qb_ldi(QB_R0, 0x80000000)) E(qb_ldi(QB_R1, 0x7ffffff8))
		OP(ADD, QB_R1, QB_R1, QB_ELEMENT)
		IF(qb_mov(QB_R0, QB_R1)));
	/* under one that never holds */
	RANGE(3, 3, E(qb_ldi(QB_R0, 3)) E(qb_if(V3D_QPU_COND_NEVER, qb_ldi(QB_R0, 99))));
	/* in part */
	UNKNOWN(E(qb_ldi(QB_RA(1), 0)) E(qb_ldi(QB_R0, 0)) PACK(4, qb_mov(QB_RA(1), QB_R0)) NOP
		E(qb_mov(QB_R0, QB_RA(1))));
	/* by both halves, each element by one of them */
	UNKNOWN(FLAGS E(qb_ldi(QB_R0, 1)) E(qb_ldi(QB_R1, 4))
		BOTH(QB_R0, V3D_QPU_COND_ZS, V3D_QPU_COND_ZC));
	RANGE(4, 4, E(qb_ldi(QB_R1, 4)) E(qb_both(qb_mov(QB_R0, QB_R1), qb_mul_mov(QB_R2, QB_R1))));
	RANGE(4, 4, E(qb_ldi(QB_R1, 4)) E(qb_both(qb_mov(QB_R2, QB_R1), qb_mul_mov(QB_R0, QB_R1))));
	/* read too early: neither the new value nor the old one */
	UNKNOWN(E(qb_ldi(QB_RA(1), 4)) NOP E(qb_ldi(QB_RA(1), 8)) E(qb_mov(QB_R0, QB_RA(1))));
	RANGE(8, 8,
	      E(qb_ldi(QB_RA(1), 4)) NOP E(qb_ldi(QB_RA(1), 8)) NOP E(qb_mov(QB_R0, QB_RA(1))));
	UNKNOWN(E(qb_ldi(QB_RB(1), 4)) NOP E(qb_ldi(QB_RB(1), 4)) E(qb_mov(QB_R0, QB_RB(1))));
	BROKEN(REGISTER_SOON, 1, E(qb_ldi(QB_RB(1), 4)) E(qb_mov(QB_R0, QB_RB(1))));
}

/*
 * AG100 p. 19: nothing is defined where both halves write one accumulator or unit. Opposite
 * conditions choose for an accumulator, and not for a unit (HW: they keep none from access).
 */
TEST(test_write_both)
{
	static const uint8_t alike[][2] = {
		{ V3D_QPU_COND_ALWAYS, V3D_QPU_COND_ALWAYS }, { V3D_QPU_COND_ZS, V3D_QPU_COND_ZS },
		{ V3D_QPU_COND_ZC, V3D_QPU_COND_NS }, { V3D_QPU_COND_NC, V3D_QPU_COND_ALWAYS },
	};
	static const uint16_t accumulators[] = { QB_R0, QB_R1, QB_R2, QB_R3, QB_R5REP };

	(void)state;
	for (size_t i = 0; i < sizeof(accumulators) / sizeof(*accumulators); i++) {
		for (size_t j = 0; j < sizeof(alike) / sizeof(*alike); j++)
			BROKEN(WRITE_BOTH, 2, E(qb_ldi(QB_R1, 4)) FLAGS
			       BOTH(accumulators[i], alike[j][0], alike[j][1]));
		for (int cond = V3D_QPU_COND_ZS; cond <= V3D_QPU_COND_CC; cond++)
			OK(E(qb_ldi(QB_R1, 4)) FLAGS BOTH(accumulators[i], cond, cond ^ 1));
	}
	BROKEN(WRITE_BOTH, 2, E(qb_ldi(QB_R1, 4)) E(qb_ldi(QB_VW_SETUP, qb_word_vpm_write(0)))
	       BOTH(QB_VPM_WRITE, V3D_QPU_COND_ALWAYS, V3D_QPU_COND_ALWAYS));
	BROKEN(WRITE_BOTH, 3, E(qb_ldi(QB_R1, 4)) E(qb_ldi(QB_VW_SETUP, qb_word_vpm_write(0))) FLAGS
	       BOTH(QB_VPM_WRITE, V3D_QPU_COND_ZS, V3D_QPU_COND_ZC));
	/* one half that does nothing, or names another register of the same file */
	OK(E(qb_ldi(QB_R1, 4)) FLAGS BOTH(QB_R0, V3D_QPU_COND_ALWAYS, V3D_QPU_COND_NEVER));
	OK(E(qb_ldi(QB_R1, 4)) E(qb_both(qb_mov(QB_RA(1), QB_R1), qb_mul_mov(QB_RB(1), QB_R1))));
	/* so of loads, whose halves have one number */
	BROKEN(WRITE_BOTH, 0, struct v3d_qpu_inst i = qb_ldi(QB_R0, 4);
	       i.waddr_mul = i.waddr_add; i.cond_mul = V3D_QPU_COND_ALWAYS; E(i));
}

/* AG100 Figure 5: a load of 32 bits, or of two bits an element */
TEST(test_loads)
{
	(void)state;
	RANGE(0, 0, E(qb_ldi_unsigned(QB_R0, 0)));
	RANGE(1, 1, E(qb_ldi_unsigned(QB_R0, 0x0000ffff)));
	RANGE(2, 2, E(qb_ldi_unsigned(QB_R0, 0xffff0000)));
	RANGE(3, 3, E(qb_ldi_unsigned(QB_R0, 0xffffffff)));
	RANGE(0, 3, E(qb_ldi_unsigned(QB_R0, 0x00000001)));
	RANGE(0, 3, E(qb_ldi_unsigned(QB_R0, 0xffff0001)));
	RANGE(0, 3, E(qb_ldi_unsigned(QB_R0, 0x0001ffff)));
	RANGE(0, 3, E(qb_ldi_unsigned(QB_R0, 0x80000000)));
	RANGE(0, 0, E(qb_ldi_signed(QB_R0, 0)));
	RANGE(1, 1, E(qb_ldi_signed(QB_R0, 0x0000ffff)));
	RANGE(-2, -2, E(qb_ldi_signed(QB_R0, 0xffff0000)));
	RANGE(-1, -1, E(qb_ldi_signed(QB_R0, 0xffffffff)));
	UNKNOWN(E(qb_ldi_signed(QB_R0, 0x00000001)));
	UNKNOWN(E(qb_ldi_signed(QB_R0, 0x0001ffff)));
	BROKEN(CODE_LOAD, 0, E(qb_load(V3D_QPU_LOAD_RESERVED, 7, QB_R0, 0)));
	/*
	 * what its immediate has beside the number means nothing, though it looks like an
	 * instruction that does nothing
	 */
	OK(struct v3d_qpu_inst i = qb_sema_up(0);
	   i.immediate |=
	   (uint32_t)v3d_qpu_encode(&(struct v3d_qpu_inst){ .kind = V3D_QPU_ALU,
							    .sig = V3D_QPU_SIG_NONE,
							    .raddr_a = V3D_QPU_R_NOP,
							    .raddr_b = V3D_QPU_R_NOP,
							    .waddr_add = V3D_QPU_W_NOP,
							    .waddr_mul = V3D_QPU_W_NOP });
	   E(i));
	assert_int_equal(program.semaphores[0], 1);
	/* a semaphore's result is of no use */
	UNKNOWN(struct v3d_qpu_inst i = qb_sema_up(0); i.waddr_add = V3D_QPU_W_ACC0;
		i.cond_add = V3D_QPU_COND_ALWAYS; E(i) E(qb_sema_down(0)));
}

TEST(test_flags)
{
	(void)state;
	BROKEN(FLAGS_UNDEFINED, 1, ZERO(QB_R0) IF(qb_mov(QB_R0, QB_ELEMENT)));
	BROKEN(FLAGS_UNDEFINED, 1, ZERO(QB_R0) IF(qb_mul_mov(QB_R0, QB_R0)));
	BROKEN(FLAGS_UNDEFINED, 0, IF(qb_ldi(QB_R0, 0)));
	BROKEN(FLAGS_UNDEFINED, 2, ZERO(QB_R0) E(qb_flags(qb_if(V3D_QPU_COND_NEVER,
								qb_mov(QB_NONE, QB_R0))))
	       IF(qb_mov(QB_R0, QB_ELEMENT)));
	OK(ZERO(QB_R0) E(qb_flags(qb_mul_mov(QB_NONE, QB_R0))) IF(qb_mov(QB_R0, QB_ELEMENT)));
	OK(E(qb_flags(qb_ldi(QB_R0, 0))) IF(qb_mov(QB_R0, QB_ELEMENT)));
	/* a half that does nothing needs none */
	OK(struct v3d_qpu_inst i = qb_nop(); i.cond_mul = V3D_QPU_COND_ZS; E(i));
	/* what two nops put out, or a semaphore, may be of any program before */
	for (int always = 0; always < 2; always++) {
		start();
		FLAGS struct v3d_qpu_inst i = qb_flags(qb_nop());

		i.cond_mul = always ? V3D_QPU_COND_ALWAYS : V3D_QPU_COND_NEVER;
		E(i) IF(qb_mov(QB_R0, QB_ELEMENT))
		qb_end(&b);
		assert_int_equal(check(), !always);
		if (always)
			assert_refusal(&refusal, CODE, FLAGS_UNDEFINED, 2 * 8);
	}
	BROKEN(FLAGS_UNDEFINED, 3, FLAGS struct v3d_qpu_inst i = qb_flags(qb_sema_up(0));
	       i.cond_add = V3D_QPU_COND_ALWAYS; E(i) E(qb_sema_down(0))
	       IF(qb_mov(QB_R0, QB_ELEMENT)));
	/* an add that never happens keeps the flags to itself */
	BROKEN(FLAGS_UNDEFINED, 2, ZERO(QB_R0)
	       E(without(false, qb_flags(qb_both(qb_mov(QB_R1, QB_R0), qb_mul_mov(QB_R2, QB_R0)))))
	       IF(qb_mov(QB_R0, QB_ELEMENT)));
}

static bool is_register(uint32_t waddr)
{
	return waddr <= V3D_QPU_W_ACC3 || waddr == V3D_QPU_W_ACC5;
}

/* A half that does nothing names no register, but one of the files under "never". */
TEST(test_idle)
{
	(void)state;
	for (__u8 waddr = 0; waddr < 64; waddr++) {
		const bool named = waddr != V3D_QPU_W_NOP, tmu = waddr >= 56;

		for (int mul = 0; mul < 2; mul++) {
			start();
			struct v3d_qpu_inst i = qb_nop();

			*(mul ? &i.waddr_mul : &i.waddr_add) = waddr;
			*(mul ? &i.cond_mul : &i.cond_add) = V3D_QPU_COND_NEVER;
			E(i)
			qb_end(&b);
			assert_int_equal(check(), !named || waddr < 36);
			if (named && waddr >= 36)
				assert_int_equal(refusal.rule, tmu ? V3DCL_RULE_TMU_CONDITION :
								     V3DCL_RULE_IDLE_WRITE);
			start();
			*(mul ? &i.cond_mul : &i.cond_add) = V3D_QPU_COND_ALWAYS;
			E(i)
			qb_end(&b);
			assert_int_equal(check(), !named || is_register(waddr));
		}
	}
	OK(struct v3d_qpu_inst i = qb_ldi(QB_R0, 1); i.waddr_mul = 5;
	   i.cond_mul = V3D_QPU_COND_NEVER; E(i));
	/* two TMU writes in one instruction, of which one never happens */
	BROKEN(TMU_BOTH, 1, ZERO(QB_R0) E(qb_both(qb_mov(QB_TMU0_T, QB_R0),
						  qb_mul_mov(QB_IO(V3D_QPU_W_TMU1_T), QB_R0))));
	BROKEN(TMU_CONDITION, 1,
	       ZERO(QB_R0) E(without(false, qb_both(qb_mov(QB_TMU0_T, QB_R0),
						    qb_mul_mov(QB_IO(V3D_QPU_W_TMU1_T), QB_R0)))));
	BROKEN(TMU_CONDITION, 1,
	       ZERO(QB_R0) E(without(true, qb_both(qb_mov(QB_TMU0_T, QB_R0),
						   qb_mul_mov(QB_IO(V3D_QPU_W_TMU1_T), QB_R0)))));
	BROKEN(CODE_OP, 0, struct v3d_qpu_inst i = qb_nop(); i.op_add = 25; E(i));
}

/*
 * AG100 "Summary of Instruction Restrictions": what a rotation needs was not written just before.
 */
TEST(test_rotations)
{
	struct v3d_qpu_inst first, second;

	(void)state;
	for (int n = 0; n < 4; n++) {
		BROKEN(ROTATE_SOON, 4, ZERO(QB_R0) ZERO(QB_R1) ZERO(QB_R2)
		       E(qb_ldi(QB_R0 + (n + 3) % 4, 0))
		       E(qb_rotate(QB_R0, QB_R0 + (n + 3) % 4, 1)));
		OK(E(qb_ldi(QB_R0 + n, 0)) NOP E(qb_rotate(QB_R0, QB_R0 + n, 1)));
		/* as the second operand */
		second = qb_rotate(QB_R0, QB_R0 + (n + 1) % 4, 1);
		second.mul_b = n;
		first = second;
		first.mul_a = n;
		first.mul_b = (n + 1) % 4;
		BROKEN(ROTATE_SOON, 2, ZERO(QB_R0 + (n + 1) % 4) ZERO(QB_R0 + n) E(first));
		BROKEN(ROTATE_SOON, 2, ZERO(QB_R0 + (n + 1) % 4) ZERO(QB_R0 + n) E(second));
	}
	BROKEN(ROTATE_SOON, 2, ZERO(QB_R0) E(qb_ldi(QB_R5REP, 1)) E(qb_rotate(QB_R1, QB_R0, 0)));
	OK(ZERO(QB_R0) E(qb_ldi(QB_R5REP, 1)) NOP E(qb_rotate(QB_R1, QB_R0, 0)));
	UNDEFINED(2, 64 + 5, ZERO(QB_R0) NOP E(qb_rotate(QB_R1, QB_R0, 0)));
	/* by a number, r5 is none of its business */
	OK(ZERO(QB_R0) E(qb_ldi(QB_R5REP, 1)) E(qb_rotate(QB_R1, QB_R0, 1)));
	OK(E(qb_ldi(QB_R5REP, 1)) struct v3d_qpu_inst i = qb_rotate(QB_R1, QB_R0, 1);
	   i.mul_a = i.mul_b = V3D_QPU_R5; E(i));
	/*
	 * a rotation that does not happen, and what only looks like one: a register's address from
	 * 48 on
	 */
	OK(ZERO(QB_R0) E(without(true, qb_rotate(QB_R1, QB_R0, 1))));
	OK(ZERO(QB_R0) E(qb_both(qb_mov(QB_NONE, QB_VDW_WAIT), qb_mul_mov(QB_R1, QB_R0))));
	OK(ZERO(QB_R0) E(qb_mul(V3D_QPU_MUL_FMUL, QB_R1, QB_R0, qb_imm(1))));
}

/*
 * The last three instructions leave A 14 and B 14 alone, where the next W and Z arrive; the end
 * itself writes no file.
 */
TEST(test_last)
{
	(void)state;
	for (int slot = 0; slot < 3; slot++) {
		for (int mul = 0; mul < 2; mul++) {
			for (int file = 0; file < 2; file++) {
				const uint16_t r14 = file ? QB_RB(14) : QB_RA(14),
					       r13 = file ? QB_RB(13) : QB_RA(13);

				for (int other = 0; other < 2; other++) {
					const uint16_t to = other ? r13 : r14;

					start();
					ZERO(QB_R0)
					for (int i = 0; i < 3; i++) {
						const struct v3d_qpu_inst move =
							mul ? qb_mul_mov(to, QB_R0) :
							      qb_mov(to, QB_R0);
						const struct v3d_qpu_inst inst = i == slot ?
											 move :
											 qb_nop();

						E(i ? inst : SIG(PROGRAM_END, inst))
					}
					assert_int_equal(check(), other && slot);
					if (!other || !slot)
						assert_refusal(&refusal, CODE, END_REGISTER,
							       (1 + slot) * 8);
				}
			}
		}
	}
	for (int file = 0; file < 2; file++) {
		const uint16_t r14 = file ? QB_RB(14) : QB_RA(14);

		start();
		E(qb_ldi(r14, 0))
		NOP
		E(SIG(PROGRAM_END, qb_nop()))
		E(qb_mov(QB_R0, r14))
		NOP
		assert_false(check());
		assert_refusal(&refusal, CODE, END_REGISTER, 3 * 8);
		/* named, and not read */
		start();
		E(qb_ldi(r14, 0))
		E(qb_ldi(QB_R0, 0))
		E(SIG(PROGRAM_END, qb_nop()))
		struct v3d_qpu_inst inst = qb_mov(QB_R1, QB_R0);

		*(file ? &inst.raddr_b : &inst.raddr_a) = 14;
		E(inst)
		NOP
		assert_true(check());
	}
}

/* What the last three may do all the same */
TEST(test_last_but)
{
	(void)state;
	for (int file = 0; file < 2; file++) {
		start();
		E(qb_ldi(file ? QB_RB(1) : QB_RA(1), 0))
		NOP
		E(SIG(PROGRAM_END, qb_nop()))
		E(qb_mov(QB_R0, file ? QB_RB(1) : QB_RA(1)))
		E(qb_mov(QB_R0, QB_ELEMENT))
		assert_true(check());
	}
	start();
	ZERO(QB_R1)
	E(SIG(PROGRAM_END, qb_both(qb_mov(QB_R2, QB_R1), qb_mul_mov(QB_R0, QB_R1))))
	qb_nops(&b, 2);
	assert_true(check());
	/* the number 14, accumulators */
	start();
	E(SIG(PROGRAM_END, qb_nop()))
	E(qb_mov(QB_R0, qb_imm(14)))
	NOP
	assert_true(check());
	start();
	ZERO(QB_R1)
	E(SIG(PROGRAM_END, qb_both(qb_mov(QB_R0, QB_R1), qb_mul_mov(QB_R2, QB_R1))))
	qb_nops(&b, 2);
	assert_true(check());
}

/* A nop that names a register may write it: what was there is no longer the program's. */
TEST(test_spoilt)
{
	struct v3d_qpu_inst nop = qb_nop(), beside = qb_mov(QB_R1, qb_imm(1));

	(void)state;
	nop.waddr_mul = V3D_QPU_W_ACC0;
	nop.cond_mul = V3D_QPU_COND_ALWAYS;
	OK(ZERO(QB_R0) E(nop) ZERO(QB_R0) E(qb_mov(QB_R1, QB_R0)));
	BROKEN(CODE_UNDEFINED, 2, ZERO(QB_R0) E(nop) E(qb_mov(QB_R1, QB_R0)));
	nop.waddr_mul = 3;
	BROKEN(CODE_UNDEFINED, 4, ZERO(QB_RB(3)) NOP E(nop) NOP E(qb_mov(QB_R1, QB_RB(3))));
	OK(ZERO(QB_RA(3)) NOP E(nop) NOP E(qb_mov(QB_R1, QB_RA(3))));
	/* which of both writes is the last */
	beside.waddr_mul = V3D_QPU_W_ACC0 + 1;
	beside.cond_mul = V3D_QPU_COND_ALWAYS;
	BROKEN(CODE_UNDEFINED, 1, E(beside) E(qb_mov(QB_R0, QB_R1)));
}

/* A breakpoint stands where no path leads. */
TEST(test_breakpoint)
{
	(void)state;
	BROKEN(CODE_SIGNAL, 0, E(SIG(BREAK, qb_nop())));
	BROKEN(CODE_SIGNAL, 5, FLAGS OVER(1) E(SIG(BREAK, qb_nop())));
	OK(E(qb_branch(V3D_QPU_BRANCH_ALWAYS, true, 8, QB_NONE)) qb_nops(&b, 3);
	   E(SIG(BREAK, qb_nop())));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_operands), cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_results), cmocka_unit_test(test_write_both),
		cmocka_unit_test(test_loads),
		cmocka_unit_test(test_flags), cmocka_unit_test(test_idle),
		cmocka_unit_test(test_spoilt), cmocka_unit_test(test_breakpoint),
		cmocka_unit_test(test_rotations), cmocka_unit_test(test_last),
		cmocka_unit_test(test_last_but),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("verify_instruction", tests, NULL, NULL);
}
